//! `alfonso perft`.

use std::io::{Write, stdout};
use std::time::Instant;

use anyhow::Context;
use clap::value_parser;

use super::variant_parser;
use crate::engine::{Options, Variant};
use crate::search::threads::MAX_THREADS;
use crate::search::{Control, Threads};

/// Arguments of `alfonso perft`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// The position, as a FEN of the game [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// Threads that share the work
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Plies
    #[arg(value_parser = value_parser!(u32).range(1..=100))]
    depth: u32,
}

/// Counts, and prints the count of each root move and of all.
///
/// # Errors
/// For an unreadable FEN or a closed output.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut session = arguments.variant.start(&Options::default());
    session.set_position(arguments.fen.as_deref(), &[])?;
    if let Some(ending) = session.ending_of_play() {
        eprintln!(
            "alfonso: the game is over: {} ({}); there is no move to count",
            ending.result(),
            ending.reason
        );
    }
    let threads = Threads::new(arguments.threads.into()).context("threads")?;
    let start = Instant::now();
    let counts = session.divide(arguments.depth, &threads, &Control::new(false)).unwrap_or_default();
    let time = start.elapsed();
    let mut out = stdout().lock();
    for (text, count) in &counts {
        writeln!(out, "{text}: {count}")?;
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let speed = total as f64 / time.as_secs_f64().max(1e-9);
    writeln!(out, "\nNodes searched: {total}\n{} ms, {speed:.0} nodes/s", time.as_millis())?;
    Ok(())
}
