//! What the command line offers besides the protocols.

pub mod bench;
pub mod generate;
pub mod gui;
pub mod openings;
pub mod perft;
pub mod play;
mod progress;
pub mod register;
pub mod tables;
pub mod tournament;
pub mod tune;

use std::io::{Write, stdout};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;

use crate::engine::Variant;

/// Reads a variant's name on the command line.
fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(Variant::NAMES).map(|name| Variant::find(&name).expect("one of the names"))
}

/// A switch that Ctrl-C and its like set. The second time they end the program.
fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let switch = stop.clone();
    on_signals(move || switch.swap(true, Relaxed))?;
    Ok(stop)
}

/// Makes Ctrl-C and its like call `stop`, on a thread of its own. It gives whether all was stopped before:
/// then they end the program.
fn on_signals(stop: impl Fn() -> bool + Send + 'static) -> anyhow::Result<()> {
    let handler = move || {
        if stop() {
            exit(130);
        }
    };
    Ok(ctrlc::set_handler(handler)?)
}

/// Prints to stdout. Where that is full it is an error, and no panic as with `print!`.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("stdout")
}
