//! The fit: Adam on shuffled batches, epoch by epoch, until positions that are held out fit no better.

use serde::{Deserialize, Serialize};

use super::objective::Objective;
use super::samples::Weights;

/// Epochs in a row without progress that end the fit.
pub const PATIENCE: u32 = 5;
/// What an epoch without progress leaves of the rate.
const COOLING: f32 = 0.5;

/// How the fit goes, besides the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Decides the order of the positions.
    pub seed: u64,
    /// Centipawns that a weight moves in a step, about.
    pub rate: f32,
    /// Positions of a step.
    pub batch: usize,
    /// What the square of a weight's way from its start, in centipawns, costs.
    pub l2: f32,
    /// The weights that keep their values, by index in rising order.
    pub kept: Vec<usize>,
}

/// Where a fit stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Epochs done.
    pub epoch: u32,
    /// Steps done.
    pub step: i32,
    pub weights: Weights,
    /// Adam's moments: the mean of the gradient and of its square.
    pub mean: Weights,
    pub square: Weights,
    pub rate: f32,
    /// Epochs without progress, in a row.
    pub stale: u32,
    pub best: Weights,
    /// The loss of `best` on the positions held out, or on all where none are.
    pub best_loss: f64,
}

impl State {
    /// Is there a number for each of so many weights, and is each number one?
    pub fn is_sound(&self, weights: usize) -> bool {
        let all = [&self.weights, &self.mean, &self.square, &self.best];
        let numbers = || all.into_iter().flatten().flatten();
        all.iter().all(|numbers| numbers.len() == weights)
            && numbers().all(|number| number.is_finite())
            && self.rate.is_finite()
            && self.best_loss.is_finite()
    }
}

/// A fit of weights to positions.
pub struct Fit<'a> {
    pub plan: &'a Plan,
    pub start: &'a Weights,
    pub training: &'a Objective<'a>,
    /// The positions held out, if there are any.
    pub held_out: Option<&'a Objective<'a>>,
}

impl Fit<'_> {
    /// The positions that weights are judged by: those held out, or else those fitted to.
    fn validation(&self) -> &Objective<'_> {
        self.held_out.unwrap_or(self.training)
    }

    /// The state before the first epoch.
    pub fn begin(&self) -> State {
        let zero = vec![[0.0; 2]; self.start.len()];
        State {
            epoch: 0,
            step: 0,
            weights: self.start.clone(),
            mean: zero.clone(),
            square: zero,
            rate: self.plan.rate,
            stale: 0,
            best: self.start.clone(),
            best_loss: self.validation().loss(self.start),
        }
    }

    /// Another epoch. Gives the loss that the weights are judged by.
    pub fn advance(&self, state: &mut State) -> f64 {
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        fastrand::Rng::with_seed(self.plan.seed ^ u64::from(state.epoch) << 32).shuffle(&mut order);
        for batch in order.chunks(self.plan.batch) {
            self.step(state, batch);
        }
        state.epoch += 1;
        let loss = self.validation().loss(&state.weights);
        if loss < state.best_loss {
            (state.best_loss, state.stale) = (loss, 0);
            state.best.clone_from(&state.weights);
        } else {
            state.stale += 1;
            state.rate *= COOLING;
        }
        loss
    }

    /// Is there nothing more to be gained?
    pub fn is_done(&self, state: &State) -> bool {
        state.stale >= PATIENCE
    }

    fn step(&self, state: &mut State, batch: &[u32]) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        const LEAST: f32 = 1e-10;
        let gradient = self.training.gradient(&state.weights, batch);
        state.step += 1;
        // The moments begin at nothing, which is made up for here.
        let bias = |decay: f32| 1.0 - libm::powf(decay, state.step as f32);
        let (mean_bias, square_bias) = (bias(MEAN), bias(SQUARE));
        let (weights, start) = (state.weights.as_flattened_mut(), self.start.as_flattened());
        let (means, squares) = (state.mean.as_flattened_mut(), state.square.as_flattened_mut());
        for (index, gradient) in gradient.as_flattened().iter().enumerate() {
            if self.plan.kept.binary_search(&(index / 2)).is_ok() {
                continue;
            }
            let (mean, square) = (&mut means[index], &mut squares[index]);
            let slope = gradient + 2.0 * self.plan.l2 * (weights[index] - start[index]);
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            let (mean, square) = (*mean / mean_bias, *square / square_bias);
            weights[index] -= state.rate * mean / (square.sqrt() + LEAST);
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::super::synthetic;
    use super::*;

    const PLAN: Plan = Plan { seed: 3, rate: 2.0, batch: 2048, l2: 0.0, kept: Vec::new() };

    fn run(plan: &Plan, epochs: u32, state: Option<State>) -> State {
        let truth = synthetic::weights();
        let samples = synthetic::samples(&truth, 100_000);
        let start = vec![[50.0, 50.0]; truth.len()];
        let objective = Objective::new(&samples, synthetic::SLOPE, 1.0);
        let fit = Fit { plan, start: &start, training: &objective, held_out: None };
        let mut state = state.unwrap_or_else(|| fit.begin());
        while state.epoch < epochs && !fit.is_done(&state) {
            fit.advance(&mut state);
        }
        state
    }

    #[test]
    fn known_weights_are_found() {
        let state = run(&PLAN, 30, None);
        for (found, true_one) in state.best.iter().flatten().zip(synthetic::weights().iter().flatten()) {
            assert!((found - true_one).abs() < 12.0, "{:?}", state.best);
        }
    }

    #[test]
    fn neither_threads_nor_a_pause_change_anything() {
        let [one, three] = [1, 3].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&PLAN, 4, None))
        });
        assert_eq!(one, three);
        assert_eq!(run(&PLAN, 4, Some(run(&PLAN, 2, None))), one);
    }

    #[test]
    fn a_cost_keeps_weights_near_their_start() {
        let way = |state: &State| state.weights.iter().flatten().map(|w| (w - 50.0).abs()).sum::<f32>();
        let free = run(&PLAN, 5, None);
        let bound = run(&Plan { l2: 1e-3, ..PLAN }, 5, None);
        assert!(way(&bound) < 0.5 * way(&free));
    }

    #[test]
    fn weights_can_be_kept() {
        let state = run(&Plan { kept: vec![0, 2], ..PLAN }, 2, None);
        for (index, weight) in state.weights.iter().enumerate() {
            assert_eq!(*weight == [50.0; 2], [0, 2].contains(&index), "{index}: {weight:?}");
        }
    }
}
