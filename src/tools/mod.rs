//! What the command line offers besides the protocols.

pub mod bench;
pub mod gui;
pub mod openings;
pub mod perft;
pub mod play;
pub mod register;
pub mod tournament;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;

use crate::engine::Variant;

/// Reads a variant's name on the command line.
fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(Variant::NAMES).map(|name| Variant::find(&name).expect("one of the names"))
}
