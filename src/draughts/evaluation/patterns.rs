//! Patterns: what the men look like on eight squares that lie together. Kings are not seen.
//!
//! A pattern has a weight for each state of its squares, every one of which is empty, holds a man of the side that
//! looks, or one of the enemy: a number of base three, the digit of the lowest square first. Each pattern is looked
//! at from both sides, so that those of one half of the board serve for the other.
//!
//! There are two kinds: two whole rows, and *blocks*, two neighbouring squares of each of four rows. Both are made of
//! rows, and of a row all that patterns need is in one table.

use super::View;
use super::layout::PATTERN;
use crate::draughts::squares::Squares;

/// How many patterns there are.
pub const PATTERNS: usize = DOUBLE_ROWS + BLOCKS.len();
/// States of a pattern.
pub const STATES: usize = 3_usize.pow(8);

/// So many pairs of rows, from the first row on: with those seen from the other side all there are.
const DOUBLE_ROWS: usize = 4;
/// The lowest row of each block, and where in the row it begins: with those seen from the other side all there are.
const BLOCKS: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)];

/// By where men stand on a row (own ones in the low four bits, those of the enemy in the high ones): sixteen bits each
/// for the three pairs of neighbouring squares, two digits, then for the whole row, four digits.
static ROWS: [u64; 256] = {
    let mut table = [0; 256];
    let mut men = 0;
    while men < table.len() {
        let mut digits = [0; 4];
        let mut square = 0;
        while square < 4 {
            digits[square] = (men >> square & 1) as u64 + 2 * (men >> (4 + square) & 1) as u64;
            square += 1;
        }
        let [a, b, c, d] = digits;
        let row = a + 3 * b + 9 * c + 27 * d;
        table[men] = (a + 3 * b) | (b + 3 * c) << 16 | (c + 3 * d) << 32 | row << WHOLE;
        men += 1;
    }
    table
};

/// Where in the numbers of [`ROWS`] the whole row begins.
const WHOLE: usize = 48;

/// Tells `add` the weight of every pattern.
#[inline(always)]
pub fn count(view: &View, add: &mut impl FnMut(usize, i32)) {
    let codes = spread(view.men) | spread(view.enemy_men) << 4;
    let rows = codes.to_le_bytes().map(|men| ROWS[usize::from(men)]);
    let mut add_state = |pattern: usize, state: u64| add(PATTERN.at(pattern * STATES + state as usize), 1);
    for row in 0..DOUBLE_ROWS {
        add_state(row, (rows[row] >> WHOLE) + 81 * (rows[row + 1] >> WHOLE));
    }
    // Three blocks at a time: their states side by side never get in each other's way.
    let blocks = [0, 1, 2].map(|row| {
        let states = rows[row + 3].wrapping_mul(9).wrapping_add(rows[row + 2]);
        let states = states.wrapping_mul(9).wrapping_add(rows[row + 1]);
        states.wrapping_mul(9).wrapping_add(rows[row])
    });
    for (pattern, (row, square)) in BLOCKS.into_iter().enumerate() {
        add_state(DOUBLE_ROWS + pattern, blocks[row] >> (16 * square) & 0xffff);
    }
}

/// The rows of a set in the low four bits of a byte each.
#[inline(always)]
fn spread(set: Squares) -> u64 {
    let halves = u64::from(set.0);
    let halves = (halves | halves << 16) & 0x0000_ffff_0000_ffff;
    let quarters = (halves | halves << 8) & 0x00ff_00ff_00ff_00ff;
    (quarters | quarters << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::squares::Square;

    /// Every pattern square by square, on boards drawn by lot.
    #[test]
    fn states_are_those_of_the_squares() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let men = Squares(random.u32(..) & random.u32(..));
            let enemy_men = Squares(random.u32(..)).without(men);
            let view =
                View { men, enemy_men, kings: Squares::EMPTY, enemy_kings: Squares::EMPTY, to_move: true };
            let state = |squares: &[usize]| {
                squares.iter().rev().fold(0, |state, &square| {
                    let square = Square::new(square as u8);
                    3 * state
                        + usize::from(men.contains(square))
                        + 2 * usize::from(enemy_men.contains(square))
                })
            };
            let mut expected = Vec::new();
            for row in 0..DOUBLE_ROWS {
                expected.push(state(&(4 * row..4 * row + 8).collect::<Vec<_>>()));
            }
            for (row, square) in BLOCKS {
                let pairs = (row..row + 4).flat_map(|row| [4 * row + square, 4 * row + square + 1]);
                expected.push(state(&pairs.collect::<Vec<_>>()));
            }
            let mut found = Vec::new();
            count(&view, &mut |weight, count| found.push((weight - PATTERN.at(0), count)));
            let expected: Vec<_> = (0..).zip(expected).map(|(n, state)| (n * STATES + state, 1)).collect();
            assert_eq!(found, expected, "{men:?} {enemy_men:?}");
        }
    }
}
