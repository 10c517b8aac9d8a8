//! Balances: how many men and kings stand against how many.

use std::fmt::{self, Debug, Display};

/// The most pieces on the board, of both sides together, that tables are made for.
pub const MOST_PIECES: u32 = 6;

/// How many men and kings each side has: first the side to move, then the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Balance {
    pub men: [u8; 2],
    pub kings: [u8; 2],
}

impl Balance {
    /// [`Balance::slot`] is below this.
    pub const SLOTS: usize = 6 * 6 * 6 * 6;

    pub const fn pieces(self) -> u32 {
        (self.men[0] + self.men[1] + self.kings[0] + self.kings[1]) as u32
    }

    /// The men of both sides.
    pub const fn all_men(self) -> u32 {
        (self.men[0] + self.men[1]) as u32
    }

    /// The same with the other side to move.
    pub const fn turned(self) -> Balance {
        Balance { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Do both sides have the same?
    pub fn is_even(self) -> bool {
        self == self.turned()
    }

    /// A place in a list of all balances, for those with [`MOST_PIECES`] at most and no side empty.
    pub(super) const fn slot(self) -> usize {
        let [own, other] = self.men;
        let [own_kings, other_kings] = self.kings;
        ((own as usize * 6 + own_kings as usize) * 6 + other as usize) * 6 + other_kings as usize
    }

    /// Is there a table for it?
    pub const fn is_tabled(self) -> bool {
        self.pieces() <= MOST_PIECES && self.men[0] + self.kings[0] > 0 && self.men[1] + self.kings[1] > 0
    }

    /// Of the two balances that differ in the side to move, the one that names both: first more
    /// pieces, then more kings.
    pub fn named(self) -> Balance {
        let strength = |side: usize| (self.men[side] + self.kings[side], self.kings[side]);
        if strength(0) >= strength(1) { self } else { self.turned() }
    }

    /// Every named balance of so many `pieces`, in an order in which each comes after those it crowns
    /// into.
    pub fn all(pieces: u32) -> Vec<Balance> {
        let mut balances = Vec::new();
        let most = pieces as u8;
        for own in 1..most {
            for men in 0..=own {
                for other_men in 0..=most - own {
                    let kings = [own - men, most - own - other_men];
                    balances.push(Balance { men: [men, other_men], kings });
                }
            }
        }
        balances.retain(|balance| *balance == balance.named());
        balances.sort_by_key(|balance| (balance.all_men(), *balance));
        balances
    }

    /// Reads `kkk-k` or `km-mm`: kings and men of the two sides.
    pub fn read(text: &str) -> Option<Balance> {
        let (own, other) = text.split_once('-')?;
        let count = |side: &str, piece: char| side.chars().filter(|&c| c == piece).count() as u8;
        let known = !other.contains('-')
            && text.len() <= 1 + MOST_PIECES as usize
            && text.chars().all(|c| "km-".contains(c));
        let balance = Balance {
            men: [count(own, 'm'), count(other, 'm')],
            kings: [count(own, 'k'), count(other, 'k')],
        };
        (known && balance.is_tabled()).then_some(balance)
    }
}

/// `kkk-k`: kings and men of the side to move, then of the other.
impl Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = |side: usize| "k".repeat(self.kings[side].into()) + &"m".repeat(self.men[side].into());
        f.pad(&format!("{}-{}", side(0), side(1)))
    }
}

impl Debug for Balance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_balance_has_one_name() {
        for (pieces, count) in [(2, 3), (3, 6), (4, 14), (5, 22), (6, 37)] {
            let all = Balance::all(pieces);
            assert_eq!(all.len(), count, "{all:?}");
            for (place, balance) in all.iter().enumerate() {
                assert_eq!(Balance::read(&balance.to_string()), Some(*balance));
                assert!(balance.is_tabled() && balance.slot() < Balance::SLOTS);
                for side in 0..2 {
                    if balance.men[side] > 0 {
                        let mut crowned = *balance;
                        crowned.men[side] -= 1;
                        crowned.kings[side] += 1;
                        let before = all.iter().position(|b| *b == crowned.named());
                        assert!(before < Some(place), "{balance} before {crowned}");
                    }
                }
            }
        }
        for text in ["", "-", "k", "k-", "-k", "kkk-kkkk", "k-x", "k-k-k", "kñ-k"] {
            assert_eq!(Balance::read(text), None, "{text}");
        }
    }
}
