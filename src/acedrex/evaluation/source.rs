//! The source text of the file that holds the weights.

use std::fmt::Write;

use super::layout::{self, GROUPS};

const HEAD: &str = "\
//! The weights of the evaluation, group by group in the order of [`super::layout`]: centipawns in the
//! middle game and in the endgame. Written by `alfonso tune`.

use super::layout;
use crate::tapered::{Score, score as s};

#[rustfmt::skip]
pub static WEIGHTS: [Score; layout::COUNT] = [
";

/// The weights of a line; a rank of half a board.
const A_LINE: usize = 6;

/// The text with these weights, rounded to centipawns.
pub fn write(weights: &[[f32; 2]]) -> Vec<u8> {
    assert_eq!(weights.len(), layout::COUNT, "one for each weight in force");
    let mut text = HEAD.to_string();
    for group in &GROUPS {
        for row in 0..group.rows() {
            writeln!(text, "    // {}", group.row_name(row)).expect("a string takes all");
            let first = group.at(row, 0);
            for line in weights[first..first + group.columns()].chunks(A_LINE) {
                let scores = line.iter().map(|weight| {
                    let [middle, end] = weight.map(|value| value.round() as i32);
                    format!("s({middle}, {end}),")
                });
                writeln!(text, "    {}", scores.collect::<Vec<_>>().join(" ")).expect("a string takes all");
            }
        }
    }
    text += "];\n";
    text.into_bytes()
}
