//! `alfonso tables verify`.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use anyhow::{bail, ensure};
use rayon::prelude::*;

use super::super::progress::Progress;
use super::shelf::Shelf;
use crate::draughts::tables::check::{Fault, check};
use crate::draughts::tables::{Balance, Library};
use crate::game::Position as _;

/// Up to so many pieces every entry is looked at.
const ALL: u32 = 5;

/// Checks the tables up to `pieces` pieces: of six pieces one entry of `sample`.
pub fn verify(folder: Option<&Path>, pieces: u32, sample: u64, stop: &AtomicBool) -> anyhow::Result<()> {
    let mut shelf = Shelf::of(folder)?;
    let there: Vec<_> = (2..=pieces).flat_map(Balance::all).filter(|&balance| shelf.has(balance)).collect();
    ensure!(!there.is_empty(), "there are no tables");
    let step = |balance: Balance| if balance.pieces() <= ALL { 1 } else { sample };
    let total = there.iter().map(|&balance| super::build::positions(balance).div_ceil(step(balance))).sum();
    let progress = Progress::new(total, 0, "positions");
    let mut checked = 0;
    for &balance in &there {
        progress.say(balance.to_string());
        shelf.need_for(balance)?;
        shelf.need(balance)?;
        let sides = if balance.is_even() { vec![balance] } else { vec![balance, balance.turned()] };
        for side in sides {
            match check_table(&shelf.library, side, step(balance), stop, &progress) {
                Ok(count) => checked += count,
                Err(fault) => {
                    progress.conclude();
                    let fen = fault.board.position().fen();
                    bail!("{side}, {fen}: {:?}, by its moves {:?}", fault.found, fault.expected);
                }
            }
            if stop.load(Relaxed) {
                progress.conclude();
                bail!("interrupted after {checked} positions, all of them right");
            }
        }
    }
    progress.conclude();
    let largest = there.iter().map(|balance| balance.pieces()).max().unwrap_or_default();
    let how = if largest <= ALL { String::new() } else { format!(" (of six pieces one of {sample})") };
    println!("{} balances up to {largest} pieces: {checked} positions, all right{how}", there.len());
    Ok(())
}

fn check_table(
    library: &Library,
    balance: Balance,
    step: u64,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<u64, Fault> {
    /// Entries between two looks at the switch.
    const SPAN: usize = 1 << 14;
    let layout = &library.get(balance).expect("it was asked for").layout;
    let checked = AtomicU64::new(0);
    let spans = (0..layout.len()).into_par_iter().step_by(SPAN * step as usize);
    spans.try_for_each(|first| {
        if stop.load(Relaxed) {
            return Ok(());
        }
        let last = layout.len().min(first + SPAN * step as usize);
        let mut count = 0;
        for index in (first..last).step_by(step as usize) {
            check(library, layout, index)?;
            count += 1;
        }
        checked.fetch_add(count, Relaxed);
        progress.add(count);
        Ok(())
    })?;
    Ok(checked.into_inner())
}
