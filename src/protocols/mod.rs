//! The languages spoken on stdin and stdout: text to the engine's commands, its events to text.
//!
//! Each protocol is a small state machine fed with one [`wire::Input`] after another; [`run`]
//! chooses it by the first line.

pub mod uci;
mod wire;

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
    let mut dialogue: Box<dyn Dialogue> = match protocol {
        Protocol::ByFirstLine | Protocol::Uci => Box::new(uci::Uci::new(engine)),
    };
    loop {
        let input = wire.next();
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
