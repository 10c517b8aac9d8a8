//! What a fit has changed, for people.

use std::fmt::Write;

use super::samples::{Samples, Weights};

/// Weights that are shown.
const SHOWN: usize = 40;

/// The weights that changed most, the most changed first, with the number of positions where each counts.
pub fn changes(
    before: &Weights,
    after: &Weights,
    name: impl Fn(usize) -> String,
    samples: &Samples,
) -> String {
    let mut counts = vec![0_u64; before.len()];
    for position in 0..samples.len() {
        samples.coefficients(position).for_each(|(index, _)| counts[index] += 1);
    }
    let change = |index: usize| {
        let halves = [0, 1].map(|half| (after[index][half] - before[index][half]).abs());
        halves[0].max(halves[1])
    };
    // What rounding to centipawns hides has not changed.
    let mut order: Vec<usize> = (0..before.len()).filter(|&index| change(index) >= 0.5).collect();
    if order.is_empty() {
        return "no weight has changed\n".to_owned();
    }
    order.sort_by(|&a, &b| change(b).total_cmp(&change(a)));
    let mut text = format!("{:<44} {:>15} {:>15} {:>10}\n", "weight", "middle game", "endgame", "positions");
    for index in order.into_iter().take(SHOWN) {
        let [middle, end] =
            [0, 1].map(|half| format!("{} -> {}", rounded(before[index][half]), rounded(after[index][half])));
        let (name, count) = (name(index), counts[index]);
        writeln!(text, "{name:<44} {middle:>15} {end:>15} {count:>10}").expect("a string takes all");
    }
    text
}

/// The nearest whole number; there is no 0 with a minus sign among these.
fn rounded(weight: f32) -> i32 {
    weight.round() as i32
}

#[cfg(test)]
mod tests {
    use super::super::synthetic;
    use super::*;

    #[test]
    fn the_most_changed_comes_first() {
        let before = synthetic::weights();
        let mut after = before.clone();
        after[2][1] += 30.0;
        after[0][0] -= 3.0;
        let samples = synthetic::samples(&before, 10);
        let text = changes(&before, &after, |index| format!("weight {index}"), &samples);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], "weight 2 -40 -> -40 10 -> 40 10".split(' ').collect::<Vec<_>>());
        assert_eq!(lines[2][..5], ["weight", "0", "100", "->", "97"]);
        assert_eq!(lines.len(), 3, "the others have not changed");
        assert_eq!(changes(&before, &before, |_| String::new(), &samples), "no weight has changed\n");
    }
}
