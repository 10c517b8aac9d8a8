//! The values of the weights: a file that the tuner writes.
//!
//! A line of text that tells what the file is, then for each weight its values in the middle game and in the
//! endgame: centipawns, sixteen bits each, the lower byte first.

use super::layout::COUNT;
use crate::tapered::{Score, score};

const HEAD: &[u8] = b"alfonso weights spanish-draughts 1\n";
/// Bytes of a weight.
const SIZE: usize = 4;

static FILE: &[u8; HEAD.len() + SIZE * COUNT] = include_bytes!("weights.bin");

const _: () = assert!(FILE.len() < 1 << 20, "a MiB is enough");

/// A weight.
#[inline(always)]
pub fn get(index: usize) -> Score {
    let at = HEAD.len() + SIZE * index;
    let &[middle_low, middle_high, end_low, end_high] =
        FILE[at..].first_chunk().expect("there are so many weights");
    let value = |low, high| i16::from_le_bytes([low, high]).into();
    score(value(middle_low, middle_high), value(end_low, end_high))
}

/// All weights: each one's value in the middle game and in the endgame.
pub fn all() -> Vec<[f32; 2]> {
    (0..COUNT).map(get).map(|weight| [weight.middle() as f32, weight.end() as f32]).collect()
}

/// The file with these weights, rounded to centipawns and kept within sixteen bits.
pub fn file(weights: &[[f32; 2]]) -> Vec<u8> {
    assert_eq!(weights.len(), COUNT, "one for each weight in force");
    let values = weights.iter().flatten().flat_map(|value| (value.round() as i16).to_le_bytes());
    HEAD.iter().copied().chain(values).collect()
}
