//! `alfonso tables`: makes endgame tables of Spanish draughts, proves them, and tells what is in them.

mod build;
mod report;
mod shelf;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};
use rayon::ThreadPoolBuilder;

use crate::draughts::tables::balance::MOST_PIECES;

/// Arguments of `alfonso tables`.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// Threads that share the work [default: one for each processor]
    #[arg(long, global = true, value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Task {
    /// Make the tables of every balance of men and kings up to so many pieces; those that are there already stay
    Build {
        /// The most pieces, of both sides together
        #[arg(long, value_parser = value_parser!(u32).range(2..=MOST_PIECES as i64))]
        pieces: u32,
        /// The folder
        #[arg(long, default_value = "endgames")]
        dir: PathBuf,
    },
    /// Prove the entries of tables by those of their successors: every one up to five pieces, beyond one of
    /// so many
    Verify {
        /// The folder [default: the tables in the program]
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The most pieces to look at
        #[arg(long, default_value_t = MOST_PIECES, value_parser = value_parser!(u32).range(2..=MOST_PIECES as i64))]
        pieces: u32,
        /// Of six pieces, look at one position of so many
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u64).range(1..))]
        sample: u64,
    },
    /// Put the tables of a folder into one file
    Pack {
        /// The folder
        #[arg(long, default_value = "endgames")]
        dir: PathBuf,
        /// The most pieces of the tables to put in
        #[arg(long, value_parser = value_parser!(u32).range(2..=MOST_PIECES as i64))]
        pieces: u32,
        /// The file
        #[arg(long)]
        out: PathBuf,
    },
    /// Tell how often each balance is won, and the longest wins
    Report {
        /// The folder [default: the tables in the program]
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The most pieces to look at
        #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(2..=MOST_PIECES as i64))]
        pieces: u32,
    },
}

/// Does the task.
///
/// # Errors
/// Where a folder or file cannot be read or written, a table is missing or an entry is wrong, or the work was
/// interrupted.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads = arguments.threads.unwrap_or(0).into();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let stop = super::stop_on_signals()?;
    pool.install(|| match arguments.task {
        Task::Build { pieces, dir } => build::build(&dir, pieces, &stop),
        Task::Verify { dir, pieces, sample } => verify::verify(dir.as_deref(), pieces, sample, &stop),
        Task::Pack { dir, pieces, out } => build::pack(&dir, pieces, &out),
        Task::Report { dir, pieces } => report::report(dir.as_deref(), pieces),
    })
}
