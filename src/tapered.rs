//! Two values in one number: what a term is worth in the middle game and in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Centipawns in the middle game and in the endgame.
///
/// Both lie in one word, `end * 2^32 + middle`, so that one addition adds both. A negative `middle`
/// borrows from `end`; whoever reads `end` gives it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score(i64);

/// Short, for the tables.
pub const fn score(middle: i32, end: i32) -> Score {
    Score(((end as i64) << 32) + middle as i64)
}

impl Score {
    pub const fn middle(self) -> i32 {
        self.0 as i32
    }

    pub const fn end(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// As [`Add`], for constants.
    pub const fn plus(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }

    /// Between the two, `share` parts of `whole` being of the middle game.
    pub const fn tapered(self, share: i32, whole: i32) -> i32 {
        (self.middle() * share + self.end() * (whole - share)) / whole
    }
}

/// A [`Score`] of half the size, for large tables. Each value must lie within sixteen bits, and so must all sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortScore(i32);

impl ShortScore {
    pub const ZERO: ShortScore = ShortScore(0);

    pub const fn new(middle: i16, end: i16) -> ShortScore {
        ShortScore(((end as i32) << 16) + middle as i32)
    }
}

impl AddAssign for ShortScore {
    #[inline(always)]
    fn add_assign(&mut self, other: ShortScore) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl From<ShortScore> for Score {
    #[inline(always)]
    fn from(short: ShortScore) -> Score {
        let middle = short.0 as i16;
        score(middle.into(), short.0.wrapping_sub(middle.into()) >> 16)
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        self.plus(other)
    }
}

impl Sub for Score {
    type Output = Score;

    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;

    fn mul(self, factor: i32) -> Score {
        Score(self.0 * factor as i64)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_halves_are_kept_apart(
            a in -100_000i32..100_000, b in -100_000i32..100_000,
            c in -100_000i32..100_000, d in -100_000i32..100_000, factor in -20i32..20,
        ) {
            let halves = |score: Score| (score.middle(), score.end());
            prop_assert_eq!(halves(score(a, b)), (a, b));
            prop_assert_eq!(halves(score(a, b) + score(c, d)), (a + c, b + d));
            prop_assert_eq!(halves(score(a, b) - score(c, d)), (a - c, b - d));
            prop_assert_eq!(halves(-score(a, b)), (-a, -b));
            prop_assert_eq!(halves(score(a, b) * factor), (a * factor, b * factor));
        }
    }

    #[test]
    fn a_score_tapers_from_the_middle_game_to_the_endgame() {
        let both = score(100, -20);
        assert_eq!([0, 3, 4].map(|share| both.tapered(share, 4)), [-20, 70, 100]);
    }
}
