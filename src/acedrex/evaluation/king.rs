//! The safety of the kings. Half of the pieces leap over a wall of pawns, so that what counts is who
//! bears on the squares beside the king, and who can give check without being taken.
//!
//! An attack is measured in units: some for each piece that attacks the king's zone, one for each
//! square of it that the piece attacks, some for each square that only the king defends and for each
//! kind of safe check. What so many units are worth is a table, as attackers together are worth
//! more than each alone.

use crate::game::Color;

use super::super::attacks::{EMPTY_BOARD, path};
use super::super::bitboard::Bitboard;
use super::super::pieces::Kind;
use super::super::position::Position;
use super::super::squares::{SIDE, Square};
use super::activity::Activity;
use super::layout::*;
use super::tally::Tally;

/// Units for a kind of piece that can give check and cannot be taken then.
const SAFE_CHECK_UNITS: u32 = 4;
/// Units for a square beside the king that is attacked and that nothing but the king defends.
const WEAK_SQUARE_UNITS: u32 = 2;
/// Units for each column of [`DANGER`].
const STEP: u32 = 2;

/// The squares before a king that moves up: its own file and the two beside it, three ranks.
static AHEAD: [Bitboard; Square::TABLE] = {
    let mut table = [Bitboard::EMPTY; Square::TABLE];
    let mut n = 0;
    while n < SIDE * SIDE {
        let king = Square::new(n % SIDE, n / SIDE);
        let mut right = -1;
        while right <= 1 {
            let mut up = 1;
            while up <= 3 {
                if let Some(square) = king.step(right, up) {
                    table[king.index()] = table[king.index()].or(Bitboard::of(square));
                }
                up += 1;
            }
            right += 1;
        }
        n += 1;
    }
    table
};

/// What the men of `color` do to the enemy king.
#[inline(always)]
pub fn count_attack(
    position: &Position,
    color: Color,
    own: &Activity,
    enemy: &Activity,
    tally: &mut impl Tally,
) {
    let king = position.king(!color);
    let beside = EMPTY_BOARD[Kind::King.index()][king.index()];
    let mut units = own.units + WEAK_SQUARE_UNITS * (beside & own.all & !enemy.twice).len();
    let safe = !(position.men(color) | enemy.all);
    for kind in Kind::PIECES {
        let from = own.by_kind[kind.index()] & safe & EMPTY_BOARD[kind.index()][king.index()];
        if from.is_empty() {
            continue;
        }
        let men = position.all_men();
        if from.into_iter().any(|from| (path(kind, from, king) & men).is_empty()) {
            tally.add(SAFE_CHECK.at(piece_row(kind), 0), 1);
            units += SAFE_CHECK_UNITS;
        }
    }
    tally.add(DANGER.count((units / STEP) as usize), 1);
}

/// How the king of `color` stands by itself.
#[inline(always)]
pub fn count_shelter(position: &Position, color: Color, enemy: &Activity, tally: &mut impl Tally) {
    let king = position.king(color);
    let beside = EMPTY_BOARD[Kind::King.index()][king.index()];
    let ahead = match color {
        Color::White => AHEAD[king.index()],
        Color::Black => AHEAD[king.flipped().index()].flipped(),
    };
    let pawns = position.men_of(color, Kind::Pawn);
    let enemies = position.men_of(!color, Kind::Pawn);
    let steps = beside & !(position.men(color) | enemy.all);
    tally.add(MOBILITY.at(piece_row(Kind::King), steps.len() as usize), 1);
    tally.add(SHIELD.count((beside & pawns).len() as usize), 1);
    tally.add(SHELTER.count((ahead & pawns).len() as usize), 1);
    tally.add(STORM.count((ahead & enemies).len() as usize), 1);
    tally.add(LEAP.at(0, 0), position.may_leap(color).into());
}
