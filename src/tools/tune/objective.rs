//! What the fit makes small: the cross-entropy between the results of games and a logistic curve of the
//! evaluation.
//!
//! White's expected points in a position are `1 / (1 + exp(-slope * evaluation))`. All sums are made of
//! the sums of fixed chunks, in their order, so that they are the same on any number of threads.

use rayon::prelude::*;

use super::samples::{Samples, Weights};

/// Positions of a chunk.
const CHUNK: usize = 1024;

/// Positions with the points that White is to be expected to make in them.
pub struct Objective<'a> {
    samples: &'a Samples,
    targets: Vec<f32>,
    slope: f32,
}

impl<'a> Objective<'a> {
    /// The share `lambda` of a target is the game's result, the rest what the score of the search lets
    /// expect.
    pub fn new(samples: &'a Samples, slope: f32, lambda: f32) -> Self {
        let target = |position| {
            let expected = expected_points(slope * samples.score(position));
            lambda * samples.result(position) + (1.0 - lambda) * expected
        };
        Objective { samples, targets: (0..samples.len()).into_par_iter().map(target).collect(), slope }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// The mean cross-entropy in nats; not a number where there are no positions.
    pub fn loss(&self, weights: &[[f32; 2]]) -> f64 {
        let loss = |position| {
            let x = f64::from(self.slope * self.samples.evaluation(position, weights));
            // -t ln p - (1 - t) ln (1 - p), written so that nothing overflows.
            x.max(0.0) + libm::log1p(libm::exp(-x.abs())) - f64::from(self.targets[position]) * x
        };
        sum(self.len(), loss) / self.len() as f64
    }

    /// The gradient of the mean loss over the positions of a batch.
    pub fn gradient(&self, weights: &[[f32; 2]], batch: &[u32]) -> Weights {
        let of_chunk = |chunk: &[u32]| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            for &position in chunk {
                self.add_gradient(position as usize, weights, &mut gradient);
            }
            gradient
        };
        let chunks: Vec<Weights> = batch.par_chunks(CHUNK).map(of_chunk).collect();
        let mut total = vec![[0.0; 2]; weights.len()];
        for chunk in chunks {
            for (total, part) in total.iter_mut().zip(chunk) {
                total[0] += part[0] / batch.len() as f32;
                total[1] += part[1] / batch.len() as f32;
            }
        }
        total
    }

    fn add_gradient(&self, position: usize, weights: &[[f32; 2]], gradient: &mut [[f32; 2]]) {
        let points = expected_points(self.slope * self.samples.evaluation(position, weights));
        let error = self.slope * (points - self.targets[position]);
        let shares = self.samples.shares(position).map(|share| error * share);
        for (index, count) in self.samples.coefficients(position) {
            gradient[index][0] += count * shares[0];
            gradient[index][1] += count * shares[1];
        }
    }
}

/// The slope under which the evaluation with these weights fits the results best, so that centipawns
/// keep their meaning when the weights change. `None` where the results do not follow the evaluation.
pub fn fit_slope(samples: &Samples, weights: &[[f32; 2]]) -> Option<f32> {
    const STEEPEST: f32 = 0.1;
    let evaluations: Vec<f32> =
        (0..samples.len()).into_par_iter().map(|position| samples.evaluation(position, weights)).collect();
    // The derivative of the loss, which rises with the slope.
    let derivative = |slope: f32| {
        sum(samples.len(), |position| {
            let evaluation = evaluations[position];
            f64::from((expected_points(slope * evaluation) - samples.result(position)) * evaluation)
        })
    };
    let (mut low, mut high) = (0.0, STEEPEST);
    if derivative(low) >= 0.0 {
        return None;
    }
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if derivative(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

fn expected_points(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

fn sum(positions: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let chunks = positions.div_ceil(CHUNK);
    let of_chunk = |chunk| (chunk * CHUNK..positions.min((chunk + 1) * CHUNK)).map(&term).sum();
    (0..chunks).into_par_iter().map(of_chunk).collect::<Vec<f64>>().iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::synthetic;
    use super::*;

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let truth = synthetic::weights();
        let samples = synthetic::samples(&truth, 3000);
        let objective = Objective::new(&samples, synthetic::SLOPE, 0.7);
        let everything: Vec<u32> = (0..samples.len() as u32).collect();
        let weights: Weights = truth.iter().map(|[middle, end]| [middle + 10.0, end - 20.0]).collect();
        let gradient = objective.gradient(&weights, &everything);
        for index in 0..weights.len() {
            for half in 0..2 {
                let at = |step: f32| {
                    let mut weights = weights.clone();
                    weights[index][half] += step;
                    objective.loss(&weights)
                };
                let expected = (at(1.0) - at(-1.0)) / 2.0;
                let found = f64::from(gradient[index][half]);
                assert!((found - expected).abs() < 1e-6 + 0.01 * expected.abs(), "{found} {expected}");
            }
        }
    }

    #[test]
    fn the_slope_is_found() {
        let truth = synthetic::weights();
        let samples = synthetic::samples(&truth, 50_000);
        let slope = fit_slope(&samples, &truth).unwrap();
        assert!((slope / synthetic::SLOPE - 1.0).abs() < 0.05, "{slope}");
        let contrary: Weights = truth.iter().map(|[middle, end]| [-middle, -end]).collect();
        assert_eq!(fit_slope(&samples, &contrary), None);
    }
}
