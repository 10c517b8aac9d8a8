//! What becomes of the terms as they are counted: their sum, a sum for each section, or the counts
//! themselves.

use super::layout::{self, Group, Section};
use super::weights::WEIGHTS;
use crate::tapered::Score;

/// Takes the terms of one side.
pub trait Tally {
    /// `count` times the weight of index `weight`.
    fn add(&mut self, weight: usize, count: i32);
}

/// The evaluation itself.
impl Tally for Score {
    #[inline(always)]
    fn add(&mut self, weight: usize, count: i32) {
        *self += WEIGHTS[weight] * count;
    }
}

/// A sum for each [`Section`].
#[derive(Default)]
pub struct Sections(pub [Score; Section::NAMES.len()]);

impl Tally for Sections {
    fn add(&mut self, weight: usize, count: i32) {
        self.0[Group::of(weight).section as usize].add(weight, count);
    }
}

/// How often each weight counts.
pub struct Counts(pub Vec<i32>);

impl Default for Counts {
    fn default() -> Counts {
        Counts(vec![0; layout::COUNT])
    }
}

impl Tally for Counts {
    fn add(&mut self, weight: usize, count: i32) {
        self.0[weight] += count;
    }
}
