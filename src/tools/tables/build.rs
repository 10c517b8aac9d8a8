//! `alfonso tables build` and `pack`.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use super::super::progress::Progress;
use super::shelf::Shelf;
use crate::draughts::tables::format::Volume;
use crate::draughts::tables::index::Layout;
use crate::draughts::tables::library::Table;
use crate::draughts::tables::{Balance, format, solve};

/// Makes the tables that `folder` has not yet, each in a file of its own.
pub fn build(folder: &Path, pieces: u32, stop: &AtomicBool) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let (mut shelf, problems) = Shelf::open(folder);
    for problem in problems {
        eprintln!("{problem}; it is not used, and what is missing without it is made");
    }
    let all: Vec<_> = (2..=pieces).flat_map(Balance::all).collect();
    let missing: Vec<_> = all.iter().copied().filter(|&balance| !shelf.has(balance)).collect();
    let total: u64 = all.iter().map(|&balance| positions(balance)).sum();
    let to_do: u64 = missing.iter().map(|&balance| positions(balance)).sum();
    let start = Instant::now();
    let progress = Progress::new(total, total - to_do, "positions");
    for balance in missing {
        progress.say(balance.to_string());
        shelf.need_for(balance)?;
        let Some(tables) = solve::solve(balance, &shelf.library, stop, &|solved| progress.add(solved)) else {
            progress.conclude();
            bail!("interrupted; the same command goes on after the last balance that was finished");
        };
        let path = shelf.path(balance);
        let tables: Vec<&Table> = tables.iter().collect();
        format::write(&path, &tables).with_context(|| path.display().to_string())?;
        shelf.take_up(balance)?;
    }
    progress.conclude();
    let size: usize = all.iter().filter_map(|&balance| shelf.size(balance)).sum();
    println!(
        "{} balances, {total} positions, {size} bytes in {}; {to_do} positions made in {:.1} s",
        all.len(),
        folder.display(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Positions of a balance, with one and the other side to move.
pub fn positions(balance: Balance) -> u64 {
    let tables = if balance.is_even() { 1 } else { 2 };
    tables * Layout::new(balance).len() as u64
}

/// Writes one file of all tables up to `pieces` pieces. A file that is there is replaced if it holds tables.
pub fn pack(folder: &Path, pieces: u32, out: &Path) -> anyhow::Result<()> {
    let foreign = out.exists() && Volume::open(out).is_err();
    ensure!(
        !foreign,
        "--out {}: it holds something else than endgame tables; another name keeps it",
        out.display()
    );
    let mut shelf = Shelf::of(Some(folder))?;
    for balance in (2..=pieces).flat_map(Balance::all) {
        shelf.need(balance)?;
    }
    let tables: Vec<&Table> = shelf.library.tables().collect();
    format::write(out, &tables).with_context(|| out.display().to_string())?;
    println!("{} tables, {} bytes in {}", tables.len(), fs::metadata(out)?.len(), out.display());
    Ok(())
}
