//! Patterns: what the men look like on eight squares that lie together. Kings are not seen.
//!
//! A pattern has a weight for each state of its squares, every one of which is empty, holds a man of the side that
//! looks, or one of the enemy: a number of base three, the digit of the lowest square first. Each pattern is looked
//! at from both sides, so that those of one half of the board serve for the other.
//!
//! There are two kinds: two whole rows, and *blocks*, two neighbouring squares of each of four rows. Both are made of
//! rows, and of a row all that patterns need is in one table.

use super::layout::PATTERN;
use crate::draughts::squares::Squares;
use crate::game::Color;

/// How many patterns there are.
pub const PATTERNS: usize = DOUBLE_ROWS + BLOCKS.len();
/// States of a pattern.
pub const STATES: usize = 3_usize.pow(8);

/// So many pairs of rows, from the first row on: with those seen from the other side all there are.
const DOUBLE_ROWS: usize = 4;
/// The lowest row of each block, and where in the row it begins: with those seen from the other side all there are.
const BLOCKS: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)];

/// By who looks and where men stand on a row (White's in the low four bits, Black's in the high ones): sixteen bits
/// each for the three pairs of neighbouring squares, two digits, then for the whole row, four digits.
static ROWS: [[u64; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut men = 0;
    while men < 256 {
        let mut digits = [[0; 4]; 2];
        let mut square = 0;
        while square < 4 {
            let (white, black) = ((men >> square & 1) as u64, (men >> (4 + square) & 1) as u64);
            digits[0][square] = white + 2 * black;
            digits[1][3 - square] = black + 2 * white;
            square += 1;
        }
        let mut color = 0;
        while color < 2 {
            let [a, b, c, d] = digits[color];
            let row = a + 3 * b + 9 * c + 27 * d;
            table[color][men] = (a + 3 * b) | (b + 3 * c) << 16 | (c + 3 * d) << 32 | row << WHOLE;
            color += 1;
        }
        men += 1;
    }
    table
};

/// Where in the numbers of [`ROWS`] the whole row begins.
const WHOLE: usize = 48;

/// What [`ROWS`] says of the eight rows of a board, from the first row of the side that looks.
pub type Rows = [u64; 8];

/// The rows as `color` sees them.
#[inline(always)]
pub fn rows([white, black]: [Squares; 2], color: Color) -> Rows {
    let men = spread(white) | spread(black) << 4;
    // Turned round, the last row comes first.
    let men = if color == Color::White { men.to_le_bytes() } else { men.to_be_bytes() };
    let mut rows = [0; 8];
    // Not by `map`, which is not compiled for newer processors together with what calls it.
    for (row, men) in rows.iter_mut().zip(men) {
        *row = ROWS[color.index()][usize::from(men)];
    }
    rows
}

/// Tells `add` the weight of every pattern.
#[inline(always)]
pub fn each_weight(rows: &Rows, mut add: impl FnMut(usize)) {
    let mut add_state = |pattern: usize, state: u64| add(PATTERN.at(pattern * STATES + state as usize));
    for row in 0..DOUBLE_ROWS {
        add_state(row, (rows[row] >> WHOLE) + 81 * (rows[row + 1] >> WHOLE));
    }
    // Three blocks at a time: their states side by side never get in each other's way.
    let block = |row: usize| {
        let states = rows[row + 3].wrapping_mul(9).wrapping_add(rows[row + 2]);
        let states = states.wrapping_mul(9).wrapping_add(rows[row + 1]);
        states.wrapping_mul(9).wrapping_add(rows[row])
    };
    let blocks = [block(0), block(1), block(2)];
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
            each_weight(&rows([men, enemy_men], Color::White), |weight| found.push(weight - PATTERN.at(0)));
            let expected: Vec<_> = (0..).zip(expected).map(|(n, state)| n * STATES + state).collect();
            assert_eq!(found, expected, "{men:?} {enemy_men:?}");
            let turned = [enemy_men.turned(), men.turned()];
            assert_eq!(rows(turned, Color::Black), rows([men, enemy_men], Color::White));
        }
    }
}
