//! `alfonso bench`.

use std::io::{Write, stdout};

use anyhow::Context;
use clap::value_parser;

use crate::engine::bench::{HASH, bench};
use crate::engine::options::MAX_HASH;
use crate::search::threads::MAX_THREADS;
use crate::search::{Control, MAX_DEPTH, Table, Threads};

/// Arguments of `alfonso bench`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Threads that search; with more than one the node counts tell nothing but speed
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = HASH as u32, value_parser = value_parser!(u32).range(1..=MAX_HASH))]
    hash: u32,
    /// Plies to search [default: 9 in Grande Acedrex, 18 in draughts]
    #[arg(long, value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
}

/// Runs the bench and prints a line for each position and each game: nodes, time to the depth, speed.
///
/// # Errors
/// For want of threads or memory, and where the output is closed.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let progress = |line| {
        // A closed output shows again below.
        let _ = writeln!(stdout(), "{line}");
    };
    let threads = Threads::new(arguments.threads.into()).context("threads")?;
    let table = Table::new(arguments.hash as usize, 0)?;
    let tools = (&table, &threads, &Control::new(false));
    for result in bench(arguments.depth, tools, &progress).into_iter().flatten() {
        writeln!(stdout(), "{result}")?;
    }
    Ok(())
}
