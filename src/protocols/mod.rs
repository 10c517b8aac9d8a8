//! The languages spoken on stdin and stdout: text to the engine's commands, its events to text.
//!
//! Each protocol is a small state machine fed with one [`wire::Input`] after another; [`run`]
//! chooses it by the first line.

pub mod uci;
mod wire;
pub mod xboard;

use std::io;
use std::sync::Arc;

use crate::engine::Engine;
use wire::{Input, Wire};

/// A dialogue in one protocol.
trait Dialogue {
    /// Takes one line, event or the end of input, and writes what follows from it.
    /// Gives `false` once the dialogue is over.
    fn take(&mut self, input: Input, wire: &mut Wire) -> io::Result<bool>;
}

/// Which protocol to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// XBoard where the first line is `xboard`, else UCI.
    ByFirstLine,
    Uci,
    XBoard,
}

/// Speaks on stdin and stdout until the dialogue is over. Where there are `commands`, they are the
/// whole input and stdin is not read.
///
/// # Errors
/// Where the engine cannot be set up. A closed output is no error: nobody is listening any more.
pub fn run(protocol: Protocol, commands: Vec<String>) -> anyhow::Result<()> {
    let mut wire = Wire::new(commands);
    let events = wire.sender();
    let engine = Engine::new(Arc::new(move |event| {
        // Nobody listens once the dialogue is over.
        let _ = events.send(Input::Event(event));
    }))?;
    let mut first = None;
    let xboard = match protocol {
        Protocol::Uci => false,
        Protocol::XBoard => true,
        Protocol::ByFirstLine => {
            let input = first_word(&mut wire);
            let xboard = matches!(&input, Input::Line(line) if line.trim() == "xboard");
            first = Some(input);
            xboard
        }
    };
    let mut dialogue: Box<dyn Dialogue> =
        if xboard { Box::new(xboard::XBoard::new(engine)) } else { Box::new(uci::Uci::new(engine)) };
    loop {
        let input = first.take().unwrap_or_else(|| wire.next());
        match dialogue.take(input, &mut wire) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => {
                log::info!("output closed: {error}");
                return Ok(());
            }
        }
    }
}

/// The first thing that comes in and is not an empty line.
fn first_word(wire: &mut Wire) -> Input {
    loop {
        match wire.next() {
            Input::Line(line) if line.trim().is_empty() => {}
            input => return input,
        }
    }
}
