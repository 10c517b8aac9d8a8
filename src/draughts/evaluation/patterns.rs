//! Patterns: what the men look like on eight squares that lie together. Kings are not seen.
//!
//! A pattern has a weight for each state of its squares, every one of which is empty, holds a man of the side that
//! looks, or one of the enemy: a number of base three, the digit of the lowest square first. Each pattern is looked
//! at from both sides, so that those of one half of the board serve for the other.
//!
//! There are two kinds: two whole rows, and *blocks*, two neighbouring squares of each of four rows.
//!
//! A position keeps the states up to date man by man, which costs less than to find them anew for each evaluation.

use super::layout::PATTERN;
use crate::draughts::squares::{Square, Squares};
use crate::game::Color;

/// How many patterns there are.
pub const PATTERNS: usize = DOUBLE_ROWS + BLOCKS.len();
/// States of a pattern.
pub const STATES: usize = 3_usize.pow(8);

/// So many pairs of rows, from the first row on: with those seen from the other side all there are.
const DOUBLE_ROWS: usize = 4;
/// The lowest row of each block, and where in the row it begins: with those seen from the other side all there are.
const BLOCKS: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)];

/// A number for every pattern as White sees it, then for every pattern as Black does.
type Both = [u16; 2 * PATTERNS];

/// The states of all patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct States(Both);

impl States {
    /// Those of the men of White and of Black.
    pub fn of(men: [Squares; 2]) -> States {
        let mut states = States([0; 2 * PATTERNS]);
        for color in [Color::White, Color::Black] {
            for square in men[color.index()] {
                states.put(color, square);
            }
        }
        states
    }

    /// A man comes to a square.
    #[inline(always)]
    pub fn put(&mut self, color: Color, square: Square) {
        for (state, digit) in self.0.iter_mut().zip(digits(color, square)) {
            *state = state.wrapping_add(*digit);
        }
    }

    /// A man leaves its square.
    #[inline(always)]
    pub fn take(&mut self, color: Color, square: Square) {
        for (state, digit) in self.0.iter_mut().zip(digits(color, square)) {
            *state = state.wrapping_sub(*digit);
        }
    }

    /// A man goes from one square to another: both in one, as most moves are of this kind.
    #[inline(always)]
    pub fn shift(&mut self, color: Color, from: Square, to: Square) {
        let changes = digits(color, to).iter().zip(digits(color, from));
        for (state, (more, less)) in self.0.iter_mut().zip(changes) {
            *state = state.wrapping_add(*more).wrapping_sub(*less);
        }
    }

    /// Tells `add` the weight of every pattern as one side sees it.
    #[inline(always)]
    pub fn each_weight(&self, viewer: Color, mut add: impl FnMut(usize)) {
        for pattern in 0..PATTERNS {
            let state = self.0[viewer.index() * PATTERNS + pattern];
            add(PATTERN.at(pattern * STATES + usize::from(state)));
        }
    }
}

#[inline(always)]
fn digits(color: Color, square: Square) -> &'static Both {
    &DIGITS[color.index()][square.index()]
}

/// By the colour of a man and its square: what it makes of the state of each pattern.
static DIGITS: [[Both; Square::COUNT]; 2] = {
    let mut digits = [[[0; 2 * PATTERNS]; Square::COUNT]; 2];
    let mut pattern = 0;
    while pattern < PATTERNS {
        let squares = squares(pattern);
        let (mut place, mut power) = (0, 1);
        while place < squares.len() {
            // Black sees the board turned round.
            let (square, turned) = (squares[place], Square::COUNT - 1 - squares[place]);
            digits[0][square][pattern] = power;
            digits[1][square][pattern] = 2 * power;
            digits[1][turned][PATTERNS + pattern] = power;
            digits[0][turned][PATTERNS + pattern] = 2 * power;
            (place, power) = (place + 1, 3 * power);
        }
        pattern += 1;
    }
    digits
};

/// The squares of a pattern in rising order, as the side that looks counts them.
const fn squares(pattern: usize) -> [usize; 8] {
    let mut squares = [0; 8];
    let mut place = 0;
    while place < squares.len() {
        squares[place] = if pattern < DOUBLE_ROWS {
            4 * pattern + place
        } else {
            let (row, first) = BLOCKS[pattern - DOUBLE_ROWS];
            4 * (row + place / 2) + first + place % 2
        };
        place += 1;
    }
    squares
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
            let states = States::of([men, enemy_men]);
            states.each_weight(Color::White, |weight| found.push(weight - PATTERN.at(0)));
            let expected: Vec<_> = (0..).zip(expected).map(|(n, state)| n * STATES + state).collect();
            assert_eq!(found, expected, "{men:?} {enemy_men:?}");
            let turned = States::of([enemy_men.turned(), men.turned()]);
            let mut seen = Vec::new();
            turned.each_weight(Color::Black, |weight| seen.push(weight - PATTERN.at(0)));
            assert_eq!(seen, expected);
        }
    }
}
