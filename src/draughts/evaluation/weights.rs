//! The values of the weights: a file that the tuner writes.
//!
//! A line of text that tells what the file is, then for each weight its values in the middle game and in the
//! endgame: centipawns, sixteen bits each, the lower byte first.

use super::layout::{COUNT, PATTERN};
use super::patterns::{PATTERNS, STATES};
use crate::tapered::{Score, ShortScore, score};

const HEAD: &[u8] = b"alfonso weights spanish-draughts 1\n";
/// Bytes of a weight.
const SIZE: usize = 4;

static FILE: &[u8; HEAD.len() + SIZE * COUNT] = include_bytes!("weights.bin");

const _: () = assert!(FILE.len() < 1 << 20, "a MiB is enough");

/// The weights of the patterns once more, ready to be added up: most of the time of an evaluation goes there.
static PATTERN_WEIGHTS: [ShortScore; PATTERNS * STATES] = {
    let mut weights = [ShortScore::ZERO; PATTERNS * STATES];
    let mut state = 0;
    while state < weights.len() {
        let [middle, end] = values(PATTERN.at(state));
        weights[state] = ShortScore::new(middle, end);
        state += 1;
    }
    weights
};

/// The values of a weight in the middle game and in the endgame.
#[inline(always)]
const fn values(index: usize) -> [i16; 2] {
    let at = HEAD.len() + SIZE * index;
    [i16::from_le_bytes([FILE[at], FILE[at + 1]]), i16::from_le_bytes([FILE[at + 2], FILE[at + 3]])]
}

/// A weight.
#[inline(always)]
pub fn get(index: usize) -> Score {
    let [middle, end] = values(index);
    score(middle.into(), end.into())
}

/// The weight of a pattern, by the index that it has among all weights.
#[inline(always)]
pub fn pattern(index: usize) -> ShortScore {
    PATTERN_WEIGHTS[index - PATTERN.at(0)]
}

/// All weights: each one's value in the middle game and in the endgame.
pub fn all() -> Vec<[f32; 2]> {
    (0..COUNT).map(|index| values(index).map(f32::from)).collect()
}

/// The file with these weights, rounded to centipawns and kept within sixteen bits.
pub fn file(weights: &[[f32; 2]]) -> Vec<u8> {
    assert_eq!(weights.len(), COUNT, "one for each weight in force");
    let values = weights.iter().flatten().flat_map(|value| (value.round() as i16).to_le_bytes());
    HEAD.iter().copied().chain(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`ShortScore`] asks for.
    #[test]
    fn no_sum_of_patterns_leaves_sixteen_bits() {
        let largest = |pattern: &[ShortScore]| {
            let largest = |value: fn(&Score) -> i32| {
                pattern.iter().map(|&weight| value(&weight.into()).abs()).max().unwrap()
            };
            [largest(|weight| weight.middle()), largest(|weight| weight.end())]
        };
        let patterns = PATTERN_WEIGHTS.chunks(STATES).map(largest);
        let [middle, end] = patterns.fold([0, 0], |[a, b], [middle, end]| [a + middle, b + end]);
        assert!(middle.max(end) < i16::MAX.into(), "{middle} {end}");
    }
}
