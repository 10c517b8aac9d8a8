//! Random numbers for the hash key of a position (Zobrist 1970), the same in every run.

use crate::game::Color;

use super::pieces::Kind;
use super::squares::Square;

struct Keys {
    men: [[[u64; Square::TABLE]; Kind::COUNT]; 2],
    leap_rights: [u64; 2],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut seed = 1283;
    let mut men = [[[0; Square::TABLE]; Kind::COUNT]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < Kind::COUNT {
            let mut square = 0;
            while square < Square::TABLE {
                men[color][kind][square] = split_mix(&mut seed);
                square += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    let leap_rights = [split_mix(&mut seed), split_mix(&mut seed)];
    Keys { men, leap_rights, black_to_move: split_mix(&mut seed) }
};

/// SplitMix64 (Steele, Lea and Flood 2014).
const fn split_mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

pub fn man(color: Color, kind: Kind, square: Square) -> u64 {
    KEYS.men[color.index()][kind.index()][square.index()]
}

pub fn leap_right(color: Color) -> u64 {
    KEYS.leap_rights[color.index()]
}

pub fn black_to_move() -> u64 {
    KEYS.black_to_move
}
