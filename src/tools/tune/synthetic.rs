//! Positions made up for tests, whose weights are known.

use super::samples::{Samples, Weights};
use crate::game::Features;

/// Of the curve that the results were drawn from.
pub const SLOPE: f32 = 0.005;

/// The weights that the results were drawn from.
pub fn weights() -> Weights {
    vec![[100.0, 120.0], [300.0, 250.0], [-40.0, 10.0], [5.0, 30.0]]
}

/// So many positions, with results drawn as these weights let expect.
pub fn samples(weights: &[[f32; 2]], count: usize) -> Samples {
    let mut random = fastrand::Rng::with_seed(1);
    let mut samples = Samples::default();
    for _ in 0..count {
        let mut coefficients = Vec::new();
        for index in 0..weights.len() as u32 {
            coefficients.push((index, random.i32(-4..=4) as f32 / 2.0));
        }
        let features = Features { coefficients, middle_share: random.f32(), scale: 1.0 };
        let mut one = Samples::default();
        one.push(&features, 0.0, 0);
        let evaluation = one.evaluation(0, weights);
        let won = random.f32() < 1.0 / (1.0 + (-SLOPE * evaluation).exp());
        samples.push(&features, if won { 1.0 } else { 0.0 }, evaluation as i32);
    }
    samples
}
