//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::squares::{SIDE, Square};

/// A set of squares: bit `s % 64` of word `s / 64` is the square of number `s`.
///
/// Twelve ranks of sixteen bits, four ranks a word. The four high bits of a lane are no squares and
/// stay clear, but for values on their way: a shift by files runs into the gap, never into the next
/// rank, and an intersection with any set of squares clears it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Bitboard([u64; 3]);

/// The lowest bit of each lane of a word.
const LANES: u64 = 0x0001_0001_0001_0001;

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard([0; 3]);
    /// Every square of the board.
    pub const ALL: Bitboard = Bitboard([0x0fff_0fff_0fff_0fff; 3]);

    /// The set of one square.
    pub const fn of(square: Square) -> Bitboard {
        Bitboard::bit(square.number())
    }

    /// The bit of a number, which need not be a square; empty from 192 on.
    pub(super) const fn bit(number: u8) -> Bitboard {
        Bitboard::word(number >> 6, 1 << (number & 63))
    }

    /// The three words, for hashing.
    pub(super) const fn words(self) -> [u64; 3] {
        self.0
    }

    /// `bits` in word `word`, empty if there is no such word.
    const fn word(word: u8, bits: u64) -> Bitboard {
        Bitboard([
            if word == 0 { bits } else { 0 },
            if word == 1 { bits } else { 0 },
            if word == 2 { bits } else { 0 },
        ])
    }

    /// The squares of one rank, from the bits of its files.
    pub const fn from_lane(rank: u8, files: u16) -> Bitboard {
        Bitboard::word(rank >> 2, (files as u64) << ((rank & 3) * 16))
    }

    /// All squares of a rank.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard::from_lane(rank, (1 << SIDE) - 1)
    }

    /// The files whose squares on `rank` are in the set.
    pub const fn lane(self, rank: u8) -> u16 {
        (self.0[(rank >> 2) as usize] >> ((rank & 3) * 16)) as u16
    }

    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    /// Does the set hold exactly one square?
    pub const fn is_single(self) -> bool {
        !self.is_empty() && self.minus(Bitboard([1, 0, 0])).and(self).is_empty()
    }

    /// The number of squares.
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// As [`std::ops::BitAnd`], for constants.
    pub(super) const fn and(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    /// As [`std::ops::BitOr`], for constants.
    pub(super) const fn or(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    /// Every bit moved up by `by`, 1 to 63.
    pub(super) const fn raised(self, by: u32) -> Bitboard {
        let [a, b, c] = self.0;
        Bitboard([a << by, b << by | a >> (64 - by), c << by | b >> (64 - by)])
    }

    /// Every bit moved down by `by`, 1 to 63.
    pub(super) const fn lowered(self, by: u32) -> Bitboard {
        let [a, b, c] = self.0;
        Bitboard([a >> by | b << (64 - by), b >> by | c << (64 - by), c >> by])
    }

    /// The difference of the two sets read as numbers of 192 bits, modulo 2^192.
    pub(super) const fn minus(self, other: Bitboard) -> Bitboard {
        let (low, borrow) = self.0[0].overflowing_sub(other.0[0]);
        let (middle, first) = self.0[1].overflowing_sub(other.0[1]);
        let (middle, second) = middle.overflowing_sub(borrow as u64);
        let high = self.0[2].wrapping_sub(other.0[2]).wrapping_sub((first | second) as u64);
        Bitboard([low, middle, high])
    }

    /// The files of a set that has at most one square a file.
    ///
    /// The product's highest lane is the sum of the four lanes.
    #[inline(always)]
    pub(super) const fn files_of_line(self) -> u16 {
        let [a, b, c] = self.0;
        ((a | b | c).wrapping_mul(EVERY_LANE) >> 48) as u16
    }

    /// All squares of the given files.
    #[inline(always)]
    pub(super) const fn on_files(files: u16) -> Bitboard {
        Bitboard([(files as u64).wrapping_mul(EVERY_LANE); 3])
    }

    /// The ranks of a set that lies on one file.
    ///
    /// The words are put side by side in four bits of each lane, and the product moves the lanes
    /// together: lane `i` by 15 bits less for each step of `i`.
    #[inline(always)]
    pub(super) const fn ranks_of_file(self, file: u8) -> u16 {
        let [a, b, c] = self.0;
        let lanes = (a | b.rotate_left(4) | c.rotate_left(8)).rotate_right(file as u32);
        (lanes.wrapping_mul(STAGGERED << 3) >> 48) as u16
    }

    /// The squares of the given ranks on one file, and others on other files.
    #[inline(always)]
    pub(super) const fn on_ranks(file: u8, ranks: u16) -> Bitboard {
        let lanes = (ranks as u64).wrapping_mul(STAGGERED).rotate_left(file as u32);
        Bitboard([lanes, lanes.rotate_right(4), lanes.rotate_right(8)])
    }

    /// The board turned upside down: the order of the ranks is reversed, the files stay.
    pub(super) const fn flipped(self) -> Bitboard {
        const fn lanes(word: u64) -> u64 {
            let swapped = (word & 0x0000_ffff_0000_ffff) << 16 | word >> 16 & 0x0000_ffff_0000_ffff;
            swapped.rotate_left(32)
        }
        let [a, b, c] = self.0;
        Bitboard([lanes(c), lanes(b), lanes(a)])
    }

    /// The files on which the set has squares.
    pub(super) const fn files(self) -> u16 {
        let word = self.0[0] | self.0[1] | self.0[2];
        let word = word | word >> 32;
        (word | word >> 16) as u16
    }

    /// All squares of the given files.
    pub(super) const fn of_files(files: u16) -> Bitboard {
        Bitboard([files as u64 * LANES; 3]).and(Bitboard::ALL)
    }

    /// The set and all squares above its squares.
    pub(super) const fn filled_up(self) -> Bitboard {
        const fn fill(word: u64) -> u64 {
            let word = word | word << 16;
            word | word << 32
        }
        let a = fill(self.0[0]);
        let b = fill(self.0[1] | a >> 48);
        let c = fill(self.0[2] | b >> 48);
        Bitboard([a, b, c])
    }

    /// The set and all squares below its squares.
    pub(super) const fn filled_down(self) -> Bitboard {
        self.flipped().filled_up().flipped()
    }
}

/// Bit 0 of each lane.
const EVERY_LANE: u64 = 0x0001_0001_0001_0001;
/// Bits 0, 15, 30 and 45: turns four bits next to each other into bits of four lanes, and back.
const STAGGERED: u64 = 1 | 1 << 15 | 1 << 30 | 1 << 45;

impl BitAnd for Bitboard {
    type Output = Bitboard;

    fn bitand(self, other: Bitboard) -> Bitboard {
        self.and(other)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    fn bitor(self, other: Bitboard) -> Bitboard {
        self.or(other)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;

    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1], self.0[2] ^ other.0[2]])
    }
}

/// The bits that are clear, those of the gaps included: to be intersected with a set of squares.
impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard([!self.0[0], !self.0[1], !self.0[2]])
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Bitboard) {
        *self = *self ^ other;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        let [word, next, last] = self.0;
        Squares { word, base: 0, later: [next, last] }
    }
}

/// The squares of a set in rising order.
pub struct Squares {
    /// What is left of the word under way.
    word: u64,
    /// The number of that word's first bit.
    base: u8,
    later: [u64; 2],
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        while self.word == 0 {
            let [next, last] = self.later;
            if next | last == 0 {
                return None;
            }
            *self = Squares { word: next, base: self.base + 64, later: [last, 0] };
        }
        let number = self.base + self.word.trailing_zeros() as u8;
        self.word &= self.word - 1;
        Some(Square::from_number(number))
    }
}

/// Twelve lines, the twelfth rank first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for rank in (0..SIDE).rev() {
            let files = self.lane(rank);
            let line: String = (0..SIDE).map(|file| if files >> file & 1 != 0 { 'x' } else { '.' }).collect();
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_is_its_squares(numbers in prop::collection::btree_set(0u8..144, 0..144)) {
            let mut squares: Vec<_> = numbers.iter().map(|n| Square::new(n % 12, n / 12)).collect();
            let set: Bitboard = squares.iter().copied().collect();
            squares.sort();
            prop_assert_eq!(set.into_iter().collect::<Vec<_>>(), squares.clone());
            prop_assert_eq!(set.len() as usize, squares.len());
            prop_assert_eq!(set.is_empty(), squares.is_empty());
            prop_assert_eq!(set.is_single(), squares.len() == 1);
            prop_assert!(Square::all().all(|s| set.contains(s) == squares.contains(&s)));
            let ranks = (0..SIDE).map(|rank| Bitboard::from_lane(rank, set.lane(rank)));
            prop_assert_eq!(ranks.fold(Bitboard::EMPTY, |all, rank| all | rank), set);
        }

        #[test]
        fn shifts_step_over_ranks_and_stop_at_the_edge(file in 0u8..12, rank in 0u8..12) {
            let square = Square::new(file, rank);
            let set = Bitboard::of(square);
            let on = |right, up| square.step(right, up).into_iter().collect::<Bitboard>();
            prop_assert_eq!(set.raised(16) & Bitboard::ALL, on(0, 1));
            prop_assert_eq!(set.raised(17) & Bitboard::ALL, on(1, 1));
            prop_assert_eq!(set.raised(15) & Bitboard::ALL, on(-1, 1));
            prop_assert_eq!(set.lowered(16) & Bitboard::ALL, on(0, -1));
            prop_assert_eq!(set.lowered(17) & Bitboard::ALL, on(-1, -1));
            prop_assert_eq!(set.lowered(15) & Bitboard::ALL, on(1, -1));
        }

        #[test]
        fn files_are_filled_and_turned(numbers in prop::collection::btree_set(0u8..144, 0..20)) {
            let set: Bitboard = numbers.iter().map(|n| Square::new(n % 12, n / 12)).collect();
            let where_some = |test: fn(Square, Square) -> bool| {
                Square::all().filter(|&s| set.into_iter().any(|t| test(s, t))).collect::<Bitboard>()
            };
            prop_assert_eq!(set.flipped(), where_some(|s, t| s == t.flipped()));
            prop_assert_eq!(Bitboard::of_files(set.files()), where_some(|s, t| s.file() == t.file()));
            prop_assert_eq!(set.filled_up(), where_some(|s, t| s.file() == t.file() && s.rank() >= t.rank()));
            prop_assert_eq!(set.filled_down(), where_some(|s, t| s.file() == t.file() && s.rank() <= t.rank()));
        }
    }

    #[test]
    fn the_whole_board() {
        assert_eq!(Bitboard::ALL.len(), 144);
        assert_eq!(Square::all().collect::<Bitboard>(), Bitboard::ALL);
    }
}
