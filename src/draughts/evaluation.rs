//! What a position is worth to the eye, in centipawns (a man is 100). Weights are set by hand.
//!
//! Each term is counted for one side as if that side were White: Black's board is turned round.

use super::position::Position;
use super::squares::{Direction, Squares, slide};
use crate::game::{Color, Position as _, Term};

/// A man at home.
pub(super) const MAN: i32 = 100;
/// A flying king; three men seldom stop one.
pub(super) const KING: i32 = 300;

/// A man's worth on top of [`MAN`], by its row.
const ADVANCE: [i32; 7] = [0, 1, 3, 6, 11, 20, 40];
/// A man on its first row while the enemy still has men to crown.
const GUARD: i32 = 9;
/// A king on the long diagonal, whence one king holds three.
const RIVER: i32 = 25;
/// A man in the centre.
const CENTRE: i32 = 4;
/// A step that a man can make.
const MAN_STEP: i32 = 2;
/// A square that a king can reach in one move.
const KING_STEP: i32 = 1;

/// What is left of an advantage that cannot be won by force: one part in so many.
const DRAWISH: i32 = 10;

/// 13-16 but for the edge, and the same of the next rows: 10, 11, 14, 15, 18, 19, 22, 23.
const CENTRE_SQUARES: Squares = Squares(0x0066_6600);

const TERMS: usize = 7;
const NAMES: [&str; TERMS] = ["men", "kings", "advance", "back row", "long diagonal", "centre", "mobility"];

/// One side's board, turned so that it moves up.
struct Side {
    men: Squares,
    kings: Squares,
    occupied: Squares,
    enemy_men: Squares,
}

impl Side {
    fn of(position: &Position, color: Color) -> Side {
        let turned = |set: Squares| if color == Color::White { set } else { set.turned() };
        Side {
            men: turned(position.men(color)),
            kings: turned(position.kings(color)),
            occupied: turned(position.occupied()),
            enemy_men: turned(position.men(!color)),
        }
    }

    /// The terms in the order of [`NAMES`].
    fn terms(&self) -> [i32; TERMS] {
        let count = |set: Squares| set.count() as i32;
        let advance = (0..7).map(|row| ADVANCE[row as usize] * count(self.men & Squares::row(row))).sum();
        let guards = if self.enemy_men.is_empty() { 0 } else { count(self.men & Squares::row(0)) };
        [
            MAN * count(self.men),
            KING * count(self.kings),
            advance,
            GUARD * guards,
            RIVER * count(self.kings & Squares::LONG_DIAGONAL),
            CENTRE * count(self.men & CENTRE_SQUARES),
            self.mobility(),
        ]
    }

    fn mobility(&self) -> i32 {
        let steps = |direction| self.men.step(direction).without(self.occupied).count();
        let men = steps(Direction::UpLeft) + steps(Direction::UpRight);
        let reach =
            |king| Direction::ALL.map(|way| slide(king, way, self.occupied).0.count()).iter().sum::<u32>();
        let kings: u32 = self.kings.into_iter().map(reach).sum();
        MAN_STEP * men as i32 + KING_STEP * kings as i32
    }
}

/// Can `strong` hardly win, however much more it has? Not with kings alone, three or fewer against a
/// king that holds the long diagonal, two or fewer against any king.
fn is_drawish(position: &Position, strong: Color) -> bool {
    let kings = position.kings(strong).count();
    let defenders = position.kings(!strong);
    position.men(strong).is_empty()
        && ((kings <= 3 && defenders.meets(Squares::LONG_DIAGONAL)) || (kings <= 2 && !defenders.is_empty()))
}

/// What has to be added to White's lead to bring a drawish one near 0.
fn correction(position: &Position, lead: i32) -> i32 {
    let strong = if lead > 0 { Color::White } else { Color::Black };
    if is_drawish(position, strong) { lead / DRAWISH - lead } else { 0 }
}

/// The evaluation from the view of the side to move. Thirty-two kings are worth less than half of
/// 20000, so that no clamp is needed to stay below.
pub(super) fn evaluate(position: &Position) -> i32 {
    let total = |color| Side::of(position, color).terms().iter().sum::<i32>();
    let lead = total(Color::White) - total(Color::Black);
    let score = lead + correction(position, lead);
    debug_assert!(score.abs() < 20_000);
    if position.side_to_move() == Color::White { score } else { -score }
}

/// The evaluation taken apart.
pub(super) fn terms(position: &Position) -> Vec<Term> {
    let white = Side::of(position, Color::White).terms();
    let black = Side::of(position, Color::Black).terms();
    let lead = white.iter().sum::<i32>() - black.iter().sum::<i32>();
    let sides = NAMES.into_iter().zip(white.into_iter().zip(black));
    let mut terms: Vec<Term> = sides.map(|(name, (white, black))| Term { name, white, black }).collect();
    terms.push(Term { name: "hard to win", white: correction(position, lead), black: 0 });
    terms
}
