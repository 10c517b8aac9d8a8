//! The place of a position in the table of its balance.
//!
//! Sets of squares are counted in the order of their numbers as bits, which is the order of the
//! combinatorial number system. A position's number is, from the slowest part to the fastest:
//!
//! 1. how many of the own men stand on the first row, where no enemy man can stand;
//! 2. the own men there, the own men on the next six rows, the enemy men on the rows left to them;
//! 3. the own kings on the squares without men, the enemy kings on those left.
//!
//! 1 and 2 make a *slice*: the men stand still in it, and the kings change. Every number below
//! [`Layout::len`] is a position, and every position of the balance has one.

use super::balance::Balance;
use crate::draughts::position::Position;
use crate::draughts::rules::Rules;
use crate::draughts::squares::Squares;
use crate::game::Color;

/// A board as the side to move sees it, as if it were White: its own pieces come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub men: [Squares; 2],
    pub kings: [Squares; 2],
}

impl Board {
    /// The board of a position, as its side to move sees it.
    pub fn of(position: &Position) -> Board {
        let side = position.side();
        let board = Board {
            men: [position.men(side), position.men(!side)],
            kings: [position.kings(side), position.kings(!side)],
        };
        match side {
            Color::White => board,
            Color::Black => {
                Board { men: board.men.map(Squares::turned), kings: board.kings.map(Squares::turned) }
            }
        }
    }

    /// A position with this board and White to move.
    pub fn position(&self) -> Position {
        Position::set_up(self.men, self.kings, Color::White, Rules::default())
    }

    pub const fn balance(&self) -> Balance {
        Balance {
            men: [self.men[0].count() as u8, self.men[1].count() as u8],
            kings: [self.kings[0].count() as u8, self.kings[1].count() as u8],
        }
    }

    /// The same board as the other side sees it.
    pub const fn turned(&self) -> Board {
        Board {
            men: [self.men[1].turned(), self.men[0].turned()],
            kings: [self.kings[1].turned(), self.kings[0].turned()],
        }
    }
}

/// How many ways there are to put `k` pieces on `n` squares, for up to 32 squares and 6 pieces.
pub const fn choose(n: u32, k: u32) -> usize {
    CHOOSE[n as usize][k as usize] as usize
}

static CHOOSE: [[u32; 7]; 33] = {
    let mut table = [[0; 7]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= 6 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// By byte of a set, pieces in the bytes below, and the byte: what the byte adds to the set's number.
static RANKS: [[[u32; 256]; 7]; 4] = {
    let mut ranks = [[[0; 256]; 7]; 4];
    let mut place = 0;
    while place < 4 {
        let mut below = 0;
        while below < 7 {
            let mut byte = 0;
            while byte < 256 {
                let mut rank = 0;
                let mut piece = below + 1;
                let mut bit = 0;
                while bit < 8 {
                    if byte >> bit & 1 != 0 {
                        if piece <= 6 {
                            rank += CHOOSE[place * 8 + bit][piece];
                        }
                        piece += 1;
                    }
                    bit += 1;
                }
                ranks[place][below][byte] = rank;
                byte += 1;
            }
            below += 1;
        }
        place += 1;
    }
    ranks
};

/// The number of a set among all sets of as many squares, six at most, in rising order.
#[inline(always)]
pub fn rank(set: u32) -> usize {
    let below = |bits: u32| ((set & ((1 << bits) - 1)).count_ones() as usize).min(6);
    let byte = |place: u32| (set >> (8 * place) & 0xff) as usize;
    let sum = RANKS[0][0][byte(0)]
        + RANKS[1][below(8)][byte(1)]
        + RANKS[2][below(16)][byte(2)]
        + RANKS[3][below(24)][byte(3)];
    sum as usize
}

/// The set of `k` squares that [`rank`] gives this number.
pub fn unrank(mut number: usize, k: u32) -> u32 {
    let mut set = 0;
    for piece in (1..=k).rev() {
        let mut square = piece - 1;
        while choose(square + 1, piece) <= number {
            square += 1;
        }
        number -= choose(square, piece);
        set |= 1 << square;
    }
    set
}

/// Takes the squares of `gone` out of the board: those above move down. None of them may be in the set.
#[inline(always)]
pub fn compress(mut set: u32, mut gone: u32) -> u32 {
    // From the top, so that the squares still to go stay where they are.
    while gone != 0 {
        let bit = 1 << gone.ilog2();
        gone ^= bit;
        set = set & (bit - 1) | set >> 1 & !(bit - 1);
    }
    set
}

/// Puts the squares of `gone` back.
#[inline(always)]
pub fn expand(mut set: u32, mut gone: u32) -> u32 {
    while gone != 0 {
        let bit = gone & gone.wrapping_neg();
        gone ^= bit;
        set = set & (bit - 1) | (set & !(bit - 1)) << 1;
    }
    set
}

/// The sets of `k` squares among the first `n`, in rising order.
pub fn sets(n: u32, k: u32) -> impl Iterator<Item = u32> {
    let mut set = (1_u64 << k) - 1;
    (0..choose(n, k)).map(move |_| {
        let this = set;
        if this != 0 {
            // The next number with as many bits (Gosper).
            let low = this & this.wrapping_neg();
            let carried = this + low;
            set = carried | (((this ^ carried) >> 2) / low);
        }
        this as u32
    })
}

/// The squares of the first row, and how many there are on it and on the rows 2 to 7 together.
const FIRST_ROW: u32 = 0xf;
const FIRST: u32 = 4;
const UPPER: u32 = 24;
/// The rows where a man of a side can stand.
const MANS: u32 = 28;

/// How the positions of a balance are numbered.
#[derive(Clone, Debug)]
pub struct Layout {
    balance: Balance,
    /// The first slice with so many own men on the first row; the last: the number of slices.
    groups: [usize; 6],
    /// Positions in a slice.
    slice: usize,
    /// Ways to put the enemy kings where the own ones stand already.
    enemy_kings: usize,
}

impl Layout {
    /// For a balance with a table.
    pub fn new(balance: Balance) -> Layout {
        let [own, enemy] = balance.men.map(u32::from);
        let [kings, enemy_kings] = balance.kings.map(u32::from);
        let mut groups = [0; 6];
        for first in 0..=FIRST {
            let size = if first > own {
                0
            } else {
                choose(FIRST, first) * choose(UPPER, own - first) * choose(MANS - own + first, enemy)
            };
            groups[first as usize + 1] = groups[first as usize] + size;
        }
        let free = 32 - own - enemy;
        let enemy_kings = choose(free - kings, enemy_kings);
        Layout { balance, groups, slice: choose(free, kings) * enemy_kings, enemy_kings }
    }

    pub const fn balance(&self) -> Balance {
        self.balance
    }

    /// How many positions there are.
    pub const fn len(&self) -> usize {
        self.groups[5] * self.slice
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub const fn slices(&self) -> usize {
        self.groups[5]
    }

    /// Positions in each slice.
    pub const fn slice_len(&self) -> usize {
        self.slice
    }

    /// The slice of these men, own and enemy.
    #[inline(always)]
    pub fn slice_of(&self, [own, enemy]: [Squares; 2]) -> usize {
        let (lower, upper) = (own.0 & FIRST_ROW, own.0 >> FIRST);
        let first = lower.count_ones();
        let men = u32::from(self.balance.men[0]);
        let enemy = rank(compress(enemy.0 >> FIRST, upper));
        let own = rank(lower) * choose(UPPER, men - first) + rank(upper);
        self.groups[first as usize] + own * choose(MANS - men + first, self.balance.men[1].into()) + enemy
    }

    /// The men, own and enemy, of a slice.
    pub fn men(&self, slice: usize) -> [Squares; 2] {
        let group = self.groups.iter().rposition(|&first| first <= slice).expect("the first is 0");
        let first = group as u32;
        let [own, enemy] = self.balance.men.map(u32::from);
        let number = slice - self.groups[group];
        let enemies = choose(MANS - own + first, enemy);
        let uppers = choose(UPPER, own - first);
        let upper = unrank(number / enemies % uppers, own - first);
        let lower = unrank(number / enemies / uppers, first);
        let enemy = expand(unrank(number % enemies, enemy), upper);
        [Squares(lower | upper << FIRST), Squares(enemy << FIRST)]
    }

    /// The number of a board of this balance.
    #[inline(always)]
    pub fn index(&self, board: &Board) -> usize {
        let men = board.men[0].0 | board.men[1].0;
        let kings = rank(compress(board.kings[0].0, men));
        let enemy_kings = rank(compress(board.kings[1].0, men | board.kings[0].0));
        self.slice_of(board.men) * self.slice + kings * self.enemy_kings + enemy_kings
    }

    /// The board of a number below [`Layout::len`].
    pub fn board(&self, index: usize) -> Board {
        let men = self.men(index / self.slice);
        let number = index % self.slice;
        let [kings, enemy_kings] = self.balance.kings.map(u32::from);
        let all_men = men[0].0 | men[1].0;
        let own = expand(unrank(number / self.enemy_kings, kings), all_men);
        let enemy = expand(unrank(number % self.enemy_kings, enemy_kings), all_men | own);
        Board { men, kings: [Squares(own), Squares(enemy)] }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sets_are_counted_in_order() {
        for (n, k) in [(32, 0), (32, 1), (5, 5), (28, 3), (12, 6), (32, 4)] {
            let mut count = 0;
            for (number, set) in sets(n, k).enumerate() {
                assert_eq!((set.count_ones(), set >> 1 >> (n - 1)), (k, 0));
                assert_eq!((rank(set), unrank(number, k)), (number, set));
                count += 1;
            }
            assert_eq!(count, choose(n, k));
        }
    }

    /// All boards up to three pieces: every number is a board, and the board has that number.
    #[test]
    fn numbers_without_gaps() {
        for balance in (2..=3).flat_map(Balance::all).flat_map(|balance| [balance, balance.turned()]) {
            let layout = Layout::new(balance);
            for index in 0..layout.len() {
                let board = layout.board(index);
                assert_eq!(board.balance(), balance);
                assert_eq!(layout.index(&board), index, "{balance} {board:?}");
                assert!(!board.men[0].meets(Squares::row(7)) && !board.men[1].meets(Squares::row(0)));
            }
        }
    }

    proptest! {
        #[test]
        fn squares_go_and_come_back(set: u32, gone: u32) {
            let gone = gone & gone.rotate_left(7) & gone.rotate_left(13);
            let kept = set & !gone;
            prop_assert_eq!(expand(compress(kept, gone), gone), kept);
        }

        #[test]
        fn boards_and_numbers(place: prop::sample::Index, which: prop::sample::Index, turn: bool) {
            let balances: Vec<_> = (2..=6).flat_map(Balance::all).collect();
            let balance = *which.get(&balances);
            let layout = Layout::new(if turn { balance.turned() } else { balance });
            let index = place.index(layout.len());
            let board = layout.board(index);
            prop_assert_eq!(board.balance(), layout.balance());
            prop_assert_eq!(layout.index(&board), index);
            prop_assert_eq!(board.turned().turned(), board);
        }
    }
}
