//! What the command line offers besides the protocols.

pub mod bench;
pub mod generate;
pub mod gui;
pub mod openings;
pub mod perft;
pub mod play;
pub mod register;
pub mod tournament;
pub mod tune;

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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
    ctrlc::set_handler(move || {
        if switch.swap(true, Relaxed) {
            exit(130);
        }
    })?;
    Ok(stop)
}
