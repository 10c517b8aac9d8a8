//! Static evaluation: material, squares, mobility and the safety of the kings, in centipawns.
//!
//! Material and squares are kept up with every move; the rest is counted from the attacks of the
//! pieces. Each term has a value for the middle game and one for the endgame, and the evaluation
//! goes from one to the other as pieces leave the board.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::game::{Color, Term};

use super::attacks::{EMPTY_BOARD, Occupancy, attacks};
use super::bitboard::Bitboard;
use super::moves::Move;
use super::pieces::Kind;
use super::position::Position;
use super::squares::{SIDE, Square};

/// No evaluation goes beyond this, however many gryphons there are: larger scores are proven wins.
const LIMIT: i32 = 19_999;

/// What taking the last man is worth beside the man itself.
const BARING: i32 = 10_000;

/// Centipawns in the middle game and in the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    middle: i32,
    end: i32,
}

const fn score(middle: i32, end: i32) -> Score {
    Score { middle, end }
}

impl Score {
    /// Between the two, by what is left of the pieces.
    fn tapered(self, phase: i32) -> i32 {
        let phase = phase.min(FULL_PHASE);
        (self.middle * phase + self.end * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// Material, by [`Kind`].
///
/// A first guess, from how many squares a piece attacks on average from the squares of an empty board
/// (giraffe 5.0, crocodile 14.1, lion 8.5, rook 22.0, rhinoceros 24.4, gryphon 37.0) and of one that is
/// a third full (5.0, 7.0, 8.5, 8.9, 13.1, 13.5).
const MATERIAL: [Score; Kind::COUNT] = [
    score(80, 110),
    score(290, 260),
    score(400, 420),
    score(430, 400),
    score(560, 640),
    score(760, 780),
    score(940, 1080),
    score(0, 0),
];

/// What each piece adds to the phase.
const PHASE: [i32; Kind::COUNT] = [0, 1, 1, 1, 2, 3, 3, 0];
/// The phase of the array: two gryphons, and four of each other piece.
const FULL_PHASE: i32 = 2 * 3 + 4 * (1 + 1 + 1 + 2 + 3);

/// For each step from the rim towards the centre, of five (squares of the outermost ring are 0).
const CENTRE: [Score; Kind::COUNT] = [
    score(3, 0),
    score(8, 6),
    score(5, 4),
    score(7, 5),
    score(2, 2),
    score(6, 5),
    score(5, 5),
    score(-12, 10),
];

/// For each square that a piece attacks and that none of its own men holds, against [`USUAL_MOBILITY`].
const MOBILITY: [Score; Kind::COUNT] =
    [score(0, 0), score(6, 6), score(5, 5), score(5, 5), score(3, 5), score(4, 4), score(3, 4), score(0, 0)];

const USUAL_MOBILITY: [i32; Kind::COUNT] = [0, 4, 7, 6, 10, 12, 13, 0];

/// For a piece that attacks a square next to the enemy king.
const NEAR_KING: [Score; Kind::COUNT] = [
    score(0, 0),
    score(10, 0),
    score(10, 0),
    score(12, 0),
    score(12, 4),
    score(16, 4),
    score(20, 8),
    score(0, 0),
];

/// A pawn of one's own next to the king.
const SHIELD: Score = score(10, 2);

/// The share of the promotion's gain, in thousandths, that a pawn has for each square of its way,
/// squared: nothing on its first square, about half on the last but one.
const ADVANCE: Score = score(7, 10);

/// Material and squares of every man, as White sees it.
static MEN: [[Score; Square::TABLE]; Kind::COUNT] = {
    let mut table = [[score(0, 0); Square::TABLE]; Kind::COUNT];
    let mut k = 0;
    while k < Kind::COUNT {
        let mut n = 0;
        while n < SIDE * SIDE {
            let square = Square::new(n % SIDE, n / SIDE);
            table[k][square.index()] = on_square(Kind::ALL[k], square);
            n += 1;
        }
        k += 1;
    }
    table
};

const fn on_square(kind: Kind, square: Square) -> Score {
    let k = kind.index();
    let inwards = rings_from_rim(square);
    let mut middle = MATERIAL[k].middle + CENTRE[k].middle * inwards;
    let mut end = MATERIAL[k].end + CENTRE[k].end * inwards;
    if matches!(kind, Kind::Pawn) {
        let goal = MATERIAL[Kind::promoted_on(square).index()];
        let way = square.rank() as i32 - 3;
        middle += (goal.middle - MATERIAL[k].middle) * ADVANCE.middle * way * way / 1000;
        end += (goal.end - MATERIAL[k].end) * ADVANCE.end * way * way / 1000;
    }
    Score { middle, end }
}

/// 0 on the outermost ring of squares, 5 on the four squares of the centre.
const fn rings_from_rim(square: Square) -> i32 {
    const fn from_edge(line: u8) -> u8 {
        if line < SIDE / 2 { line } else { SIDE - 1 - line }
    }
    let (file, rank) = (from_edge(square.file()), from_edge(square.rank()));
    (if file < rank { file } else { rank }) as i32
}

/// Material and square of one man: what it adds to White's less Black's.
pub(super) fn man(color: Color, kind: Kind, square: Square) -> Score {
    match color {
        Color::White => MEN[kind.index()][square.index()],
        Color::Black => -MEN[kind.index()][square.flipped().index()],
    }
}

/// What a man adds to the phase.
pub(super) fn phase(kind: Kind) -> i32 {
    PHASE[kind.index()]
}

/// The worth of a man in an exchange, in centipawns.
pub(super) const fn value(kind: Kind) -> i32 {
    let material = MATERIAL[kind.index()];
    (material.middle + material.end) / 2
}

impl Position {
    /// What a noisy move may win, in centipawns: the victim and what a pawn gains by promotion. Of
    /// equal gains the cheapest taker's is larger by a few points.
    pub(super) fn gain(&self, m: Move) -> i32 {
        let taker = self.kind_on(m.from()).expect("a move starts from a man");
        let victim = self.kind_on(m.to()).map_or(0, value);
        let promotion = value(self.becomes(taker, m.to())) - value(taker);
        let bares = victim > 0 && self.men(!self.side()).len() == 2;
        victim + promotion - taker.index() as i32 + if bares { BARING } else { 0 }
    }
}

/// From the view of the side to move.
pub(super) fn evaluate(position: &Position) -> i32 {
    let activity = Activity::of(position, Color::White).sum() - Activity::of(position, Color::Black).sum();
    let white = (position.score() + activity).tapered(position.phase()).clamp(-LIMIT, LIMIT);
    if position.side() == Color::White { white } else { -white }
}

/// The evaluation taken apart.
pub(super) fn terms(position: &Position) -> Vec<Term> {
    let sides = [Color::White, Color::Black];
    let parts = sides.map(|color| {
        let (material, squares) = material_and_squares(position, color);
        let activity = Activity::of(position, color);
        [material, squares, activity.mobility, activity.near_king, activity.shield]
    });
    let names = ["material", "squares", "mobility", "attack on the king", "pawns around the king"];

    // Each is the difference that it makes to the sum so far, so that the roundings add up as well.
    let mut sum = Score::default();
    let mut add = |part: Score| {
        let before = sum.tapered(position.phase());
        sum += part;
        sum.tapered(position.phase()) - before
    };
    let term = |(i, name): (usize, _)| Term { name, white: add(parts[0][i]), black: -add(-parts[1][i]) };
    let mut terms: Vec<Term> = names.into_iter().enumerate().map(term).collect();
    let total = sum.tapered(position.phase());
    if total.abs() > LIMIT {
        terms.push(Term { name: "limit", white: total.clamp(-LIMIT, LIMIT) - total, black: 0 });
    }
    terms
}

/// What the men of one side are worth by themselves, and by where they stand.
fn material_and_squares(position: &Position, color: Color) -> (Score, Score) {
    let mut material = Score::default();
    let mut both = Score::default();
    for square in position.men(color) {
        let kind = position.kind_on(square).expect("a man stands there");
        material += MATERIAL[kind.index()];
        both += man(Color::White, kind, if color == Color::White { square } else { square.flipped() });
    }
    (material, both - material)
}

/// What the men of one side do.
struct Activity {
    mobility: Score,
    near_king: Score,
    shield: Score,
}

impl Activity {
    #[inline(always)]
    fn of(position: &Position, color: Color) -> Activity {
        let occupancy = Occupancy::new(position.all_men());
        let around = |color| EMPTY_BOARD[Kind::King.index()][position.king(color).index()];
        let not_own = !position.men(color) & Bitboard::ALL;
        let mut mobility = Score::default();
        let mut near_king = Score::default();
        for kind in Kind::PIECES {
            for from in position.men_of(color, kind) {
                let attacked = attacks(kind, from, &occupancy);
                let more = (attacked & not_own).len() as i32 - USUAL_MOBILITY[kind.index()];
                mobility += MOBILITY[kind.index()] * more;
                if !(attacked & around(!color)).is_empty() {
                    near_king += NEAR_KING[kind.index()];
                }
            }
        }
        let shield = SHIELD * (around(color) & position.men_of(color, Kind::Pawn)).len() as i32;
        Activity { mobility, near_king, shield }
    }

    fn sum(&self) -> Score {
        self.mobility + self.near_king + self.shield
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        score(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Score {
    type Output = Score;

    fn sub(self, other: Score) -> Score {
        score(self.middle - other.middle, self.end - other.end)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        score(-self.middle, -self.end)
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    fn mul(self, factor: i32) -> Score {
        score(self.middle * factor, self.end * factor)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}
