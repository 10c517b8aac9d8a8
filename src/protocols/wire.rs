//! Lines in, lines out, and the engine's events between them, in one queue.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::engine::Event;
use crate::lines::{Read, read_line};
use crate::logging::WIRE;

/// One thing that happened.
#[derive(Debug)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line longer than [`LONGEST_LINE`], which was dropped.
    TooLong,
    /// Nothing more comes in.
    End,
    Event(Event),
}

/// Bytes; a game of a thousand moves takes a hundredth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// Both directions of the dialogue.
pub struct Wire {
    inbox: Receiver<Input>,
    sender: Sender<Input>,
    out: io::Stdout,
}

impl Wire {
    /// Reads `commands`, or stdin where there are none. Reading goes on beside everything else, on a
    /// thread that does nothing but fill the queue.
    pub fn new(commands: Vec<String>) -> Self {
        let (sender, inbox) = channel();
        let reader = sender.clone();
        if commands.is_empty() {
            thread::Builder::new()
                .name("reader".into())
                .spawn(move || read_lines(&mut io::stdin().lock(), &reader))
                .expect("a thread can be had at the start of the program");
        } else {
            for command in commands {
                let _ = reader.send(Input::Line(command));
            }
            let _ = reader.send(Input::End);
        }
        Wire { inbox, sender, out: io::stdout() }
    }

    /// A way to put events into the queue.
    pub fn sender(&self) -> Sender<Input> {
        self.sender.clone()
    }

    /// Waits for the next thing to happen.
    pub fn next(&mut self) -> Input {
        let input = self.inbox.recv().expect("the wire itself holds a sender");
        if let Input::Line(line) = &input {
            log::info!(target: WIRE, "> {line}");
        }
        input
    }

    /// Writes a line (or several) and sends it off at once.
    ///
    /// # Errors
    /// Where the output is closed.
    pub fn say(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        let text = text.as_ref().trim_end_matches('\n');
        for line in text.split('\n') {
            log::info!(target: WIRE, "< {line}");
        }
        let mut out = self.out.lock();
        writeln!(out, "{text}")?;
        out.flush()
    }
}

/// Sends what `source` holds line by line, then the end. Bytes that are no UTF-8 are replaced.
fn read_lines(source: &mut impl BufRead, queue: &Sender<Input>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let input = match read_line(source, &mut line, LONGEST_LINE) {
            Ok(Read::Line) => Input::Line(String::from_utf8_lossy(&line).trim_end_matches('\r').into()),
            Ok(Read::TooLong) => Input::TooLong,
            Ok(Read::End) | Err(_) => Input::End,
        };
        let end = matches!(input, Input::End);
        if queue.send(input).is_err() || end {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let (sender, inbox) = channel();
        read_lines(&mut io::BufReader::with_capacity(3, text), &sender);
        drop(sender);
        inbox
            .iter()
            .map(|input| match input {
                Input::Line(line) => line,
                other => format!("<{other:?}>"),
            })
            .collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), ["<End>"]);
        assert_eq!(lines(b"uci\r\n\nlast"), ["uci", "", "last", "<End>"]);
        assert_eq!(lines(b"caf\xff\n"), ["caf\u{fffd}", "<End>"]);
        let mut long = vec![b'x'; LONGEST_LINE + 1];
        long.extend(b"\nnext\n");
        assert_eq!(lines(&long), ["<TooLong>", "next", "<End>"]);
    }
}
