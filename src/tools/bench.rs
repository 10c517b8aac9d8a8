//! `alfonso bench`.

use std::io::{Write, stdout};

use crate::engine::bench::bench;
use crate::search::Control;

/// Runs the bench and prints a line for each position and each game.
///
/// # Errors
/// Where the output is closed.
pub fn run() -> anyhow::Result<()> {
    let progress = |line| {
        // A closed output shows again below.
        let _ = writeln!(stdout(), "{line}");
    };
    for result in bench(&Control::new(false), &progress).into_iter().flatten() {
        writeln!(stdout(), "{result}")?;
    }
    Ok(())
}
