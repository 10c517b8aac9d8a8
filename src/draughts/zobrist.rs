//! Random numbers from which a position's key is made: one for each piece on each square, one for
//! the side to move.

use super::squares::Square;
use crate::game::Color;

/// Belongs to the key while Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = splitmix(0x5eed);

/// The number of a man or king of a colour on a square.
pub(super) fn piece(color: Color, king: bool, square: Square) -> u64 {
    PIECES[color.index()][king as usize][square.index()]
}

static PIECES: [[[u64; 32]; 2]; 2] = {
    let mut numbers = [[[0; 32]; 2]; 2];
    let mut n = 0;
    while n < 128 {
        numbers[n / 64][n / 32 % 2][n % 32] = splitmix(n as u64);
        n += 1;
    }
    numbers
};

/// The `n`th number of Sebastiano Vigna's splitmix64 (public domain, <https://prng.di.unimi.it/splitmix64.c>).
const fn splitmix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
