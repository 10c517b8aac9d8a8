//! The suite of tactics of Grande Acedrex: its answers are proven, and the engine finds them.

#[path = "common/suite.rs"]
mod suite;

use alfonso::acedrex::Position;
use suite::Tested;

impl Tested for Position {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/grande-acedrex.epd");
    const FEN_FIELDS: usize = 4;
    const LEAST_OF_A_THEME: usize = 3;
    const QUICK_NODES: u64 = 4_000;
}

/// Debug builds prove what is claimed within at most so many moves.
const QUICK_MOVES: u8 = 3;

#[test]
fn the_file_is_in_good_order() {
    suite::check_file::<Position>();
}

#[test]
fn short_answers_are_proven() {
    suite::prove::<Position>(|moves| moves <= QUICK_MOVES);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large trees: release builds")]
fn long_answers_are_proven() {
    suite::prove::<Position>(|moves| moves > QUICK_MOVES);
}

#[test]
fn the_engine_solves_what_is_quick() {
    suite::solve_quick::<Position>();
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large trees: release builds")]
fn the_engine_solves_the_rest() {
    suite::solve_rest::<Position>();
}
