//! Positions as the fit needs them, close together: what their evaluation is made of, how their games
//! went and what a search thought of them.

use crate::game::Features;

/// The values of weights in the middle game and in the endgame, centipawns.
pub type Weights = Vec<[f32; 2]>;

/// A coefficient is a word: the weight's index, and below it eight bits of a whole count. This count
/// stands for another, whose own bits follow as a word.
const ODD_COUNT: i8 = i8::MIN;

/// Many positions, about four bytes for each coefficient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    words: Vec<u32>,
    /// Where the words of each position end.
    ends: Vec<usize>,
    middle_shares: Vec<f32>,
    scales: Vec<f32>,
    /// White's points in the game.
    results: Vec<f32>,
    /// Centipawns, White's view.
    scores: Vec<f32>,
}

impl Samples {
    /// Adds a position.
    pub fn push(&mut self, features: &Features, result: f32, score: i32) {
        for &(index, count) in &features.coefficients {
            debug_assert!(index < 1 << 24, "an index of 24 bits");
            let whole = count as i8;
            if f32::from(whole) == count && whole != ODD_COUNT {
                self.words.push(index << 8 | u32::from(whole as u8));
            } else {
                self.words.extend([index << 8 | u32::from(ODD_COUNT as u8), count.to_bits()]);
            }
        }
        self.ends.push(self.words.len());
        self.middle_shares.push(features.middle_share);
        self.scales.push(features.scale);
        self.results.push(result);
        self.scores.push(score as f32);
    }

    /// Adds the positions of another collection.
    pub fn append(&mut self, other: &Samples) {
        let before = self.words.len();
        self.words.extend(&other.words);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.middle_shares.extend(&other.middle_shares);
        self.scales.extend(&other.scales);
        self.results.extend(&other.results);
        self.scores.extend(&other.scores);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// White's points in the game of a position.
    pub fn result(&self, position: usize) -> f32 {
        self.results[position]
    }

    /// What a search thought of a position: centipawns, White's view.
    pub fn score(&self, position: usize) -> f32 {
        self.scores[position]
    }

    /// How much a count of one adds to the evaluation of a position for each centipawn of a weight's value
    /// in the middle game and in the endgame.
    pub fn shares(&self, position: usize) -> [f32; 2] {
        let (middle, scale) = (self.middle_shares[position], self.scales[position]);
        [scale * middle, scale * (1.0 - middle)]
    }

    /// The weights that count in a position, and how often.
    pub fn coefficients(&self, position: usize) -> impl Iterator<Item = (usize, f32)> {
        let begin = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut words = self.words[begin..self.ends[position]].iter();
        std::iter::from_fn(move || {
            let word = *words.next()?;
            let count = match word as u8 as i8 {
                ODD_COUNT => f32::from_bits(*words.next()?),
                whole => f32::from(whole),
            };
            Some(((word >> 8) as usize, count))
        })
    }

    /// The evaluation of a position under these weights: centipawns, White's view.
    pub fn evaluation(&self, position: usize, weights: &[[f32; 2]]) -> f32 {
        let mut sums = [0.0, 0.0];
        for (index, count) in self.coefficients(position) {
            sums[0] += count * weights[index][0];
            sums[1] += count * weights[index][1];
        }
        let shares = self.shares(position);
        sums[0] * shares[0] + sums[1] * shares[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let first = vec![(0, 1.0), (7, -127.0), (9, -128.0), (70_000, 0.5), ((1 << 24) - 1, 1000.0)];
        let second = vec![(3, -1.0)];
        let features = |coefficients: &Vec<(u32, f32)>| Features {
            coefficients: coefficients.clone(),
            middle_share: 0.25,
            scale: 0.5,
        };
        let mut samples = Samples::default();
        samples.push(&features(&first), 1.0, 30);
        let mut more = Samples::default();
        more.push(&features(&vec![]), 0.5, 0);
        more.push(&features(&second), 0.0, -40);
        samples.append(&more);
        assert_eq!(samples.len(), 3);
        for (position, expected) in [&first, &vec![], &second].into_iter().enumerate() {
            let found: Vec<_> = samples.coefficients(position).map(|(i, count)| (i as u32, count)).collect();
            assert_eq!(found, *expected);
        }
        assert_eq!([0, 1, 2].map(|position| samples.result(position)), [1.0, 0.5, 0.0]);
        assert_eq!([0, 1, 2].map(|position| samples.score(position)), [30.0, 0.0, -40.0]);
        let weights = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [80.0, 160.0]];
        assert_eq!(samples.evaluation(2, &weights), -0.5 * (0.25 * 80.0 + 0.75 * 160.0));
    }
}
