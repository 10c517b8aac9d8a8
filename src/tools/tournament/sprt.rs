//! The sequential probability ratio test on pairs of games: play until one of two hypotheses about
//! the Elo difference can be believed.
//!
//! Generalised, because only the mean score is hypothesised and the distribution around it is not:
//! under each hypothesis the frequencies of the five pair scores are those of maximum likelihood
//! among all that have the hypothesised mean (M. Van den Bergh, *The Generalized Maximum Likelihood
//! Ratio for the Expectation Value of a Distribution*; fishtest tests so). Scores that never came are
//! given a thousandth of a pair, as fishtest does, which keeps all finite however alike the pairs are.

use super::statistics::{SCORES, Tally, score_at};

/// What is tested. Elo differences are logistic, of the first player over the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// H0: the difference is this.
    pub elo0: f64,
    /// H1: the difference is this; above `elo0`.
    pub elo1: f64,
    /// The chance to accept H1 where H0 holds.
    pub alpha: f64,
    /// The chance to accept H0 where H1 holds.
    pub beta: f64,
}

impl Default for Sprt {
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }
    }
}

/// Which hypothesis is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    H0,
    H1,
}

impl Sprt {
    /// Takes up one word of a command line, such as `elo1=10`.
    ///
    /// # Errors
    /// What would be allowed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        const ALLOWED: &str = "elo0=ELO elo1=ELO alpha=CHANCE beta=CHANCE";
        let field = match key {
            "elo0" => &mut self.elo0,
            "elo1" => &mut self.elo1,
            "alpha" => &mut self.alpha,
            "beta" => &mut self.beta,
            _ => return Err(ALLOWED),
        };
        *field = value.parse().map_err(|_| ALLOWED)?;
        Ok(())
    }

    /// # Errors
    /// What would be allowed, where the numbers make no test.
    pub fn check(&self) -> Result<(), &'static str> {
        let chance = |chance: f64| chance > 0.0 && chance < 0.5;
        let sound = -1000.0 <= self.elo0 && self.elo0 < self.elo1 && self.elo1 <= 1000.0;
        match sound && chance(self.alpha) && chance(self.beta) {
            true => Ok(()),
            false => Err("elo0 below elo1, both within 1000; alpha and beta above 0 and below 0.5"),
        }
    }

    /// The log-likelihood ratio at or below which H0 is believed, and at or above which H1 is
    /// (A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0; 0 without a complete pair.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pairs.iter().all(|&pairs| pairs == 0) {
            return 0.0;
        }
        let counts = tally.pairs.map(|pairs| (pairs as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| with_mean(&frequencies, score_at(elo)));
        (0..5).map(|i| counts[i] * (under1[i] / under0[i]).ln()).sum()
    }

    /// Which hypothesis is believed at this score, if any yet.
    pub fn verdict(&self, tally: &Tally) -> Option<Verdict> {
        let (low, high) = self.bounds();
        match self.llr(tally) {
            llr if llr >= high => Some(Verdict::H1),
            llr if llr <= low => Some(Verdict::H0),
            _ => None,
        }
    }
}

/// The frequencies of maximum likelihood with the given mean, where `observed` (all above 0) were
/// seen.
///
/// They are `observed[i] / (1 + t (SCORES[i] - mean))` with the one `t` that makes their mean right:
/// the sum of `observed[i] (SCORES[i] - mean) / (1 + t (SCORES[i] - mean))` falls as `t` rises, from
/// above 0 to below it between the poles, and is 0 there.
fn with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let excess = |t: f64| -> f64 {
        observed
            .iter()
            .zip(SCORES)
            .map(|(seen, score)| seen * (score - mean) / (1.0 + t * (score - mean)))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Each step halves the interval; after a hundred it is as narrow as numbers get.
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    let mut frequencies = [0.0; 5];
    for (i, frequency) in frequencies.iter_mut().enumerate() {
        *frequency = observed[i] / (1.0 + t * (SCORES[i] - mean));
    }
    frequencies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::tournament::statistics::moments;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    #[test]
    fn frequencies_have_the_mean_asked_for() {
        for observed in [
            [0.1, 0.2, 0.4, 0.2, 0.1],
            [1e-6, 1e-6, 1.0 - 4e-6, 1e-6, 1e-6],
            [0.9, 0.025, 0.025, 0.025, 0.025],
        ] {
            for mean in [0.1, 0.5, 0.51, 0.9] {
                let frequencies = with_mean(&observed, mean);
                assert!((frequencies.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{frequencies:?}");
                assert!((moments(&frequencies).0 - mean).abs() < 1e-6, "{frequencies:?} {mean}");
                assert!(frequencies.iter().all(|&frequency| frequency > 0.0));
            }
        }
    }

    /// Near the mean the ratio is that of two normal distributions of the observed variance.
    #[test]
    fn agrees_with_the_normal_approximation() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, ..Sprt::default() };
        for pairs in [[300, 2400, 5200, 2500, 320], [50, 1000, 3000, 1100, 60]] {
            let count = pairs.iter().sum::<u64>() as f64;
            let (mean, variance) = moments(&pairs.map(|pairs| pairs as f64 / count));
            let (s0, s1) = (score_at(0.0), score_at(5.0));
            let expected = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
            let llr = sprt.llr(&tally(pairs));
            assert!((llr - expected).abs() < 0.02 * expected.abs().max(1.0), "{llr} {expected}");
        }
    }

    #[test]
    fn finite_however_alike_the_pairs_are() {
        let sprt = Sprt::default();
        for kind in 0..5 {
            for count in [1, 10, 1000, 1_000_000] {
                let mut pairs = [0; 5];
                pairs[kind] = count;
                assert!(sprt.llr(&tally(pairs)).is_finite(), "{pairs:?}");
            }
        }
        assert_eq!(sprt.verdict(&tally([0, 0, 1000, 0, 0])), Some(Verdict::H0));
        assert_eq!(sprt.verdict(&tally([0, 0, 0, 0, 1000])), Some(Verdict::H1));
        assert_eq!(sprt.llr(&Tally::default()), 0.0);
    }

    #[test]
    fn bounds_and_checks() {
        let (low, high) = Sprt::default().bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        assert!(Sprt::default().check().is_ok());
        assert!(Sprt { elo0: 5.0, elo1: 5.0, ..Sprt::default() }.check().is_err());
        assert!(Sprt { alpha: 0.0, ..Sprt::default() }.check().is_err());
        assert!(Sprt { elo1: f64::NAN, ..Sprt::default() }.check().is_err());
        assert!(Sprt::default().set("elo2", "1").is_err());
    }
}
