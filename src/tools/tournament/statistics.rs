//! Scores, and what they say about the difference in strength.
//!
//! The unit is the *pair*: two games from one opening with colours changed, which together score 0,
//! ½, 1, 1½ or 2 points. Pairs are independent where single games are not, so their spread gives the
//! honest error (the "pentanomial" model of fishtest; M. Van den Bergh, *Comments on Normalized Elo*,
//! 2021).

/// One player's score against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Complete pairs by their half points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds a game that scored so many half points.
    pub fn add_game(&mut self, half_points: usize) {
        *self.games_with(half_points) += 1;
    }

    /// Takes back what [`Tally::add_game`] added.
    pub fn remove_game(&mut self, half_points: usize) {
        *self.games_with(half_points) -= 1;
    }

    /// Adds a complete pair, whose games were added on their own.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points] += 1;
    }

    fn games_with(&mut self, half_points: usize) -> &mut u64 {
        match half_points {
            0 => &mut self.losses,
            1 => &mut self.draws,
            _ => &mut self.wins,
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game; one half where there is none.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The same games from the opponent's view.
    pub fn reversed(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, pairs) in self.pairs.iter_mut().zip(other.pairs) {
            *sum += pairs;
        }
    }
}

/// A difference in strength as far as complete pairs tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Infinite where every point was won or lost.
    pub elo: f64,
    /// `None` where all pairs came out alike: that tells nothing about the spread.
    pub spread: Option<Spread>,
}

/// How sure an [`Estimate`] is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Bounds of the 95 % confidence interval.
    pub low: f64,
    pub high: f64,
    /// Likelihood of superiority: the chance that the difference is positive, by the normal
    /// approximation.
    pub superiority: f64,
}

impl Estimate {
    /// `None` with fewer than two complete pairs: one tells nothing about the spread.
    pub fn of(tally: &Tally) -> Option<Estimate> {
        let count = tally.pairs.iter().sum::<u64>() as f64;
        if count < 2.0 {
            return None;
        }
        let (mean, variance) = moments(&tally.pairs.map(|pairs| pairs as f64 / count));
        let error = (variance / count).sqrt();
        let alike = tally.pairs.iter().filter(|&&pairs| pairs > 0).count() == 1;
        let spread = Spread {
            low: elo(mean - TWO_SIDED_95 * error),
            high: elo(mean + TWO_SIDED_95 * error),
            superiority: normal_cdf((mean - 0.5) / error),
        };
        Some(Estimate { elo: elo(mean), spread: (!alike).then_some(spread) })
    }
}

impl Spread {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The normal distribution's quantile at 97.5 %.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Mean and variance of the points a game (0 to 1) of a pair, by the frequencies of the five scores.
pub fn moments(frequencies: &[f64; 5]) -> (f64, f64) {
    let terms = || frequencies.iter().zip(SCORES);
    let mean: f64 = terms().map(|(frequency, score)| frequency * score).sum();
    (mean, terms().map(|(frequency, score)| frequency * (score - mean).powi(2)).sum())
}

/// Points a game of a pair with 0 to 4 half points.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The logistic Elo difference at which a player scores so much a game; infinite from 0 down and
/// from 1 up.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The score a game at an Elo difference.
pub fn score_at(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    fn close(left: f64, right: f64, tolerance: f64) -> bool {
        (left - right).abs() <= tolerance
    }

    /// Against the delta method: the error of a function is its slope times the error of its argument.
    #[test]
    fn errors_agree_with_the_delta_method() {
        for pairs in [[10, 60, 120, 80, 30], [0, 5, 900, 6, 0], [200, 1, 1, 1, 220]] {
            let count: u64 = pairs.iter().sum();
            // One value a pair, and the textbook's standard error of their mean.
            let values: Vec<f64> = pairs
                .iter()
                .enumerate()
                .flat_map(|(half_points, &pairs)| (0..pairs).map(move |_| half_points as f64 / 4.0))
                .collect();
            let mean = values.iter().sum::<f64>() / count as f64;
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            let error = (squares / count as f64).sqrt() / (count as f64).sqrt();
            let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));

            let estimate = Estimate::of(&tally(pairs)).unwrap();
            assert!(close(estimate.elo, -400.0 * (1.0 / mean - 1.0).log10(), 1e-9));
            let expected = 1.959964 * slope * error;
            let found = estimate.spread.unwrap().error();
            assert!(close(found, expected, 0.01 * expected), "{found} {expected}");
        }
    }

    /// Against numbers that everybody knows.
    #[test]
    fn well_known_values() {
        assert!(close(elo(0.75), 190.848, 0.001));
        assert!(close(score_at(100.0), 0.640_065, 1e-6));
        assert!(close(normal_cdf(1.0), 0.841_344_746, 1e-9));
        assert!(close(normal_cdf(-1.644_853_627), 0.05, 1e-9));
        for score in [0.01, 0.3, 0.5, 0.99] {
            assert!(close(score_at(elo(score)), score, 1e-12));
        }
    }

    #[test]
    fn pairs_that_are_all_alike_tell_no_spread() {
        let of = |pairs| Estimate::of(&tally(pairs)).unwrap();
        assert_eq!(of([0, 0, 40, 0, 0]), Estimate { elo: 0.0, spread: None });
        assert_eq!(of([0, 0, 0, 0, 3]), Estimate { elo: f64::INFINITY, spread: None });
        assert!(of([0, 0, 40, 1, 0]).spread.is_some());
        assert_eq!(Estimate::of(&tally([0, 1, 0, 0, 0])), None);
    }

    #[test]
    fn both_views_agree() {
        let tally = Tally { wins: 7, draws: 4, losses: 3, pairs: [0, 1, 3, 2, 1] };
        let (ours, theirs) = (Estimate::of(&tally).unwrap(), Estimate::of(&tally.reversed()).unwrap());
        assert!(close(ours.elo, -theirs.elo, 1e-9));
        assert!(close(ours.spread.unwrap().low, -theirs.spread.unwrap().high, 1e-9));
        assert!(close(tally.score() + tally.reversed().score(), 1.0, 1e-12));
    }
}
