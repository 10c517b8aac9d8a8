//! Squares of the 12x12 board.

use std::fmt;

use crate::game::Color;

/// Files, and ranks, of the board.
pub const SIDE: u8 = 12;

/// A square: `rank * 16 + file`, both counted from 0.
///
/// A rank takes a lane of sixteen numbers, of which the last four name no square. The gap keeps
/// steps over the edge from landing on the next rank; see [`super::bitboard`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// One more than the highest number of a square, gaps included: the length of square tables.
    pub const TABLE: usize = 192;

    /// The number of squares.
    pub const COUNT: usize = SIDE as usize * SIDE as usize;

    /// The square on `file` and `rank`, both below [`SIDE`].
    pub const fn new(file: u8, rank: u8) -> Square {
        debug_assert!(file < SIDE && rank < SIDE);
        Square(rank * 16 + file)
    }

    /// The square `right` files and `up` ranks away, if it is on the board.
    pub const fn step(self, right: i8, up: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + right, self.rank() as i8 + up);
        if file < 0 || rank < 0 || file >= SIDE as i8 || rank >= SIDE as i8 {
            return None;
        }
        Some(Square::new(file as u8, rank as u8))
    }

    /// From the number that [`Square::number`] gives.
    pub(super) const fn from_number(number: u8) -> Square {
        debug_assert!(number & 15 < SIDE && number >> 4 < SIDE);
        Square(number)
    }

    /// As [`Square::from_number`], of a number that need not be one of a square.
    pub(super) const fn from_any_number(number: u8) -> Option<Square> {
        if number & 15 < SIDE && number >> 4 < SIDE { Some(Square(number)) } else { None }
    }

    /// `rank * 16 + file`.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number, to index a table of [`Square::TABLE`] entries (or of 256, which spares the
    /// check of the bounds).
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place among all squares without gaps, below [`Square::COUNT`].
    pub const fn place(self) -> usize {
        self.rank() as usize * SIDE as usize + self.file() as usize
    }

    /// 0 for the a-file, 11 for the l-file.
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// 0 for the first rank, 11 for the twelfth.
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The rank as `color` counts it, 0 for the one its king starts on.
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::White => self.rank(),
            Color::Black => SIDE - 1 - self.rank(),
        }
    }

    /// The same file, ranks counted from the other side.
    pub const fn flipped(self) -> Square {
        Square::new(self.file(), SIDE - 1 - self.rank())
    }

    /// How many steps of a king lead from one to the other.
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// Every square, a1 first, rank by rank.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SIDE).flat_map(|rank| (0..SIDE).map(move |file| Square::new(file, rank)))
    }
}

/// `a1` to `l12`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
