//! The 32 playing squares, sets of them, and the diagonals that join them.
//!
//! Square number `n` of the rules is index and bit `n - 1`: from White's bottom-right corner, right
//! to left, then up row by row. So h1, f1, d1, b1 are bits 0 to 3 and g2, e2, c2, a2 bits 4 to 7.
//! A step to a neighbour is a shift of the whole set by 3, 4 or 5 bits, which of them depending on
//! whether the row is an even or an odd one; a jump over a neighbour is two such steps.

use std::fmt::{self, Debug, Display};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A playing square, by its index: number 1 of the rules is index 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many playing squares the board has.
    pub const COUNT: usize = 32;

    /// The square of an index below 32.
    pub const fn new(index: u8) -> Square {
        debug_assert!(index < 32);
        // The mask tells the compiler that a square never lies outside a table of 32.
        Square(index & 31)
    }

    /// The square of the number that the rules give it, 1 to 32.
    pub const fn from_number(number: u32) -> Option<Square> {
        if number >= 1 && number <= 32 { Some(Square(number as u8 - 1)) } else { None }
    }

    /// The square of a name such as `h1`; `None` for a square that is not played on.
    pub fn from_name(name: &str) -> Option<Square> {
        let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else { return None };
        Square::at(rank - b'1', file - b'a')
    }

    /// The square on a row and a file, both counted from 0 (row 0 is White's first, file 0 is a);
    /// `None` for a square that is not played on.
    pub const fn at(row: u8, file: u8) -> Option<Square> {
        if (row + file).is_multiple_of(2) { None } else { Some(Square(row * 4 + (7 - file) / 2)) }
    }

    /// 0 to 31.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number that the rules give the square, 1 to 32.
    pub const fn number(self) -> u32 {
        self.0 as u32 + 1
    }

    /// The row, 0 to 7 from White's side.
    pub const fn row(self) -> u8 {
        self.0 / 4
    }

    /// The file, 0 to 7 from a to h.
    pub const fn file(self) -> u8 {
        7 - self.0 % 4 * 2 - self.row() % 2
    }

    /// The same square of the board turned half round: number `n` becomes `33 - n`.
    pub const fn turned(self) -> Square {
        Square::new(31 - self.0)
    }

    /// The set of this square alone.
    pub const fn set(self) -> Squares {
        Squares(1 << self.0)
    }

    /// The neighbour in a direction.
    pub const fn neighbour(self, direction: Direction) -> Option<Square> {
        self.set().step(direction).first()
    }

    /// Does a diagonal lead from here to another square?
    pub const fn is_on_diagonal_of(self, other: Square) -> bool {
        let rays = RAYS[0][self.0 as usize].0
            | RAYS[1][self.0 as usize].0
            | RAYS[2][self.0 as usize].0
            | RAYS[3][self.0 as usize].0;
        rays >> other.0 & 1 != 0
    }

    /// All squares in a direction, up to the edge, whatever stands there.
    pub const fn ray(self, direction: Direction) -> Squares {
        RAYS[direction as usize][self.0 as usize]
    }
}

/// The name of the square, such as `h1`.
impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.row() + 1)
    }
}

impl Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// A diagonal direction as White sees the board: up is towards Black's side, left towards file a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Direction {
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
}

impl Direction {
    pub const ALL: [Direction; 4] =
        [Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight];

    /// What `f` gives for each direction, by its number. Unlike `map` of an array this is compiled for
    /// each direction apart.
    #[inline(always)]
    pub fn each<T>(f: impl Fn(Direction) -> T) -> [T; 4] {
        let [up_left, up_right, down_left, down_right] = Direction::ALL;
        [f(up_left), f(up_right), f(down_left), f(down_right)]
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
        }
    }

    /// The two directions across this one.
    pub const fn sideways(self) -> [Direction; 2] {
        match self {
            Direction::UpLeft | Direction::DownRight => [Direction::UpRight, Direction::DownLeft],
            Direction::UpRight | Direction::DownLeft => [Direction::UpLeft, Direction::DownRight],
        }
    }

    /// Does the square number rise in this direction?
    const fn is_up(self) -> bool {
        matches!(self, Direction::UpLeft | Direction::UpRight)
    }
}

/// A set of squares: bit 0 is number 1 of the rules.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Squares(pub u32);

/// Rows 1, 3, 5, 7 as players count them: the rows that end on file h at their first square.
const EVEN_ROWS: u32 = 0x0f0f_0f0f;
const ODD_ROWS: u32 = !EVEN_ROWS;
/// All but the squares on file h, which lie on even rows only.
const EVEN_NOT_H: u32 = 0x0e0e_0e0e;
/// All but the squares on file a, which lie on odd rows only.
const ODD_NOT_A: u32 = 0x7070_7070;
/// The squares with two files or more to their left (and to their right).
const TWO_FILES_LEFT: u32 = 0x7777_7777;
const TWO_FILES_RIGHT: u32 = 0xeeee_eeee;

impl Squares {
    pub const EMPTY: Squares = Squares(0);
    pub const ALL: Squares = Squares(u32::MAX);
    /// el río: 1-5-10-14-19-23-28-32, from h1 to a8.
    pub const LONG_DIAGONAL: Squares = RIVER;

    /// All but the edge.
    pub const INNER: Squares = Squares(0x0e7e_7e70);

    /// A whole row, 0 to 7 from White's side.
    pub const fn row(row: u8) -> Squares {
        Squares(0xf << (4 * row))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Do the two sets share a square?
    pub const fn meets(self, other: Squares) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of this set that are not in the other.
    pub const fn without(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// The square with the lowest number.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// Every square moved to its neighbour in a direction; those at the edge drop out.
    #[inline(always)]
    pub const fn step(self, direction: Direction) -> Squares {
        let s = self.0;
        Squares(match direction {
            Direction::UpLeft => (s & EVEN_ROWS) << 4 | (s & ODD_NOT_A) << 5,
            Direction::UpRight => (s & EVEN_NOT_H) << 3 | (s & ODD_ROWS) << 4,
            Direction::DownLeft => (s & EVEN_ROWS) >> 4 | (s & ODD_NOT_A) >> 3,
            Direction::DownRight => (s & EVEN_NOT_H) >> 5 | (s & ODD_ROWS) >> 4,
        })
    }

    /// Every square moved over its neighbour to the one behind it; those that have none drop out.
    #[inline(always)]
    pub const fn jump(self, direction: Direction) -> Squares {
        let s = self.0;
        Squares(match direction {
            Direction::UpLeft => (s & TWO_FILES_LEFT) << 9,
            Direction::UpRight => (s & TWO_FILES_RIGHT) << 7,
            Direction::DownLeft => (s & TWO_FILES_LEFT) >> 7,
            Direction::DownRight => (s & TWO_FILES_RIGHT) >> 9,
        })
    }

    /// The board turned half round: number `n` becomes `33 - n`.
    pub const fn turned(self) -> Squares {
        Squares(self.0.reverse_bits())
    }
}

/// What a long-range piece on a square sees in one direction: the run of empty squares, and the
/// first occupied one behind it (an empty set where the run ends at the edge).
#[inline(always)]
pub fn slide(from: Square, direction: Direction, occupied: Squares) -> (Squares, Squares) {
    let ray = from.ray(direction).0;
    let blockers = ray & occupied.0;
    if direction.is_up() {
        let first = blockers & blockers.wrapping_neg();
        // No blocker: 0 - 1 is every square.
        (Squares(ray & first.wrapping_sub(1)), Squares(first))
    } else {
        // The bit above the highest blocker, bit 0 for none; 64 bits have room for it, and a number
        // that is never 0 has a logarithm without a branch.
        let above = 1_u64 << ((blockers as u64) << 1 | 1).ilog2();
        (Squares(ray & above.wrapping_neg() as u32), Squares((above >> 1) as u32))
    }
}

/// All that a long-range piece on a square sees: the runs of empty squares in the four directions, and
/// the first occupied square behind each.
#[inline(always)]
pub fn sight(from: Square, occupied: Squares) -> Squares {
    let seen = Direction::each(|direction| {
        let ray = from.ray(direction).0;
        let blockers = ray & occupied.0;
        if direction.is_up() {
            // Up to and with the lowest blocker; no blocker: 0 ^ (0 - 1) is every square.
            ray & (blockers ^ blockers.wrapping_sub(1))
        } else {
            // Down to and with the highest one, or to bit 0, at which every ray has ended.
            ray & (i32::MIN >> (blockers | 1).leading_zeros()) as u32
        }
    });
    Squares(seen[0] | seen[1] | seen[2] | seen[3])
}

const RAYS: [[Squares; 32]; 4] = {
    let mut rays = [[Squares::EMPTY; 32]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut from = 0;
        while from < 32 {
            let mut square = Squares(1 << from).step(Direction::ALL[direction]);
            let mut ray = 0;
            while square.0 != 0 {
                ray |= square.0;
                square = square.step(Direction::ALL[direction]);
            }
            rays[direction][from] = Squares(ray);
            from += 1;
        }
        direction += 1;
    }
    rays
};

const RIVER: Squares = Squares(1 | RAYS[Direction::UpLeft as usize][0].0);

impl BitAnd for Squares {
    type Output = Squares;
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Squares;
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitXor for Squares {
    type Output = Squares;
    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Squares;
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Squares) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Squares {
    fn bitxor_assign(&mut self, other: Squares) {
        self.0 ^= other.0;
    }
}

/// The squares of a set in rising order.
pub struct Iter(Squares);

impl Iterator for Iter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;

    #[inline(always)]
    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | square.set())
    }
}

/// The numbers of the squares.
impl Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::number)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        for (number, name) in [(1, "h1"), (4, "b1"), (5, "g2"), (8, "a2"), (9, "h3"), (29, "g8"), (32, "a8")]
        {
            let square = Square::from_number(number).unwrap();
            assert_eq!(square.to_string(), name);
            assert_eq!(Square::from_name(name), Some(square));
        }
        for name in ["a1", "h8", "i1", "a9", "a", "", "h11", "ñ"] {
            assert_eq!(Square::from_name(name), None, "{name}");
        }
        assert_eq!((Square::from_number(0), Square::from_number(33)), (None, None));
    }

    #[test]
    fn the_river() {
        assert_eq!(
            Squares::LONG_DIAGONAL.into_iter().map(Square::number).collect::<Vec<_>>(),
            [1, 5, 10, 14, 19, 23, 28, 32]
        );
    }

    #[test]
    fn inner_squares_have_four_neighbours() {
        for square in Squares::ALL {
            let inner = Direction::ALL.into_iter().all(|direction| square.neighbour(direction).is_some());
            assert_eq!(Squares::INNER.contains(square), inner, "{square}");
        }
    }

    /// Shifts against rows and files counted by hand.
    #[test]
    fn steps() {
        for square in Squares::ALL {
            for (direction, rows, files) in [
                (Direction::UpLeft, 1, -1),
                (Direction::UpRight, 1, 1),
                (Direction::DownLeft, -1, -1),
                (Direction::DownRight, -1, 1),
            ] {
                let row = square.row() as i8 + rows;
                let file = square.file() as i8 + files;
                let expected = ((0..8).contains(&row) && (0..8).contains(&file))
                    .then(|| Square::at(row as u8, file as u8).unwrap());
                assert_eq!(square.neighbour(direction), expected, "{square} {direction:?}");
            }
        }
    }

    #[test]
    fn jumps_are_two_steps() {
        for square in Squares::ALL {
            for direction in Direction::ALL {
                let set = square.set();
                assert_eq!(
                    set.jump(direction),
                    set.step(direction).step(direction),
                    "{square} {direction:?}"
                );
            }
        }
    }

    /// From every square, over every occupation of its rays.
    #[test]
    fn sight_is_four_slides() {
        for square in Squares::ALL {
            let rays = Direction::each(|direction| square.ray(direction)).into_iter();
            let rays = rays.fold(Squares::EMPTY, |all, ray| all | ray).0;
            let mut occupied = rays;
            loop {
                let slides = Direction::each(|direction| slide(square, direction, Squares(occupied)));
                let seen = slides.into_iter().fold(Squares::EMPTY, |all, (run, first)| all | run | first);
                assert_eq!(sight(square, Squares(occupied)), seen, "{square} {occupied:#x}");
                if occupied == 0 {
                    break;
                }
                occupied = (occupied - 1) & rays;
            }
        }
    }

    #[test]
    fn slides() {
        let square = |number| Square::from_number(number).unwrap();
        let set = |numbers: &[u32]| numbers.iter().map(|&n| square(n)).collect::<Squares>();
        assert_eq!(slide(square(1), Direction::UpLeft, set(&[14, 28])), (set(&[5, 10]), set(&[14])));
        assert_eq!(
            slide(square(32), Direction::DownRight, set(&[1, 10])),
            (set(&[28, 23, 19, 14]), set(&[10]))
        );
        assert_eq!(slide(square(14), Direction::DownRight, set(&[1])), (set(&[10, 5]), set(&[1])));
        assert_eq!(
            slide(square(14), Direction::DownRight, Squares::EMPTY),
            (set(&[10, 5, 1]), Squares::EMPTY)
        );
        assert_eq!(slide(square(32), Direction::UpLeft, Squares::ALL), (Squares::EMPTY, Squares::EMPTY));
    }
}
