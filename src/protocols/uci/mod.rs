//! The Universal Chess Interface, for games of other boards: [`reader`] and [`writer`] know the
//! words, this is the dialogue.
//!
//! `stop`, `isready`, `ponderhit`, `debug` and `quit` act at once. Commands that need the engine
//! free wait, in their order, while a search runs that ends of itself, so that a script may be piped
//! in whole; while an endless search runs they are refused. `quit` ends the search under way, whose
//! answer is still written, and drops what waits.

mod reader;
mod writer;

use std::collections::VecDeque;
use std::io;

use super::Dialogue;
use super::wire::{Input, LONGEST_LINE, Wire};
use crate::engine::options::Spec;
use crate::engine::{Answer, Engine, Event, GoError, Outcome};
use crate::search::{Limits, MAX_DEPTH};
use reader::{Command, Go};

/// A UCI dialogue.
pub struct Uci {
    engine: Engine,
    /// Commands that wait for the engine to be free.
    waiting: VecDeque<Command>,
    debug: bool,
    /// Is there nothing more to come in: has the input ended, or was there a `quit`?
    ended: bool,
    /// Was there a `quit`?
    quit: bool,
}

impl Dialogue for Uci {
    fn take(&mut self, input: Input, wire: &mut Wire) -> io::Result<bool> {
        match input {
            Input::Event(event) => self.event(event, wire)?,
            // Nobody wants an answer to what comes after `quit`.
            _ if self.quit => {}
            Input::Line(line) => self.line(&line, wire)?,
            Input::TooLong => {
                let message = format!("a line is longer than {LONGEST_LINE} bytes and was dropped");
                wire.say(writer::info_string(&message))?;
            }
            Input::End => {
                self.ended = true;
                if self.engine.is_endless() {
                    self.engine.stop();
                }
            }
        }
        while !self.engine.is_busy()
            && let Some(command) = self.waiting.pop_front()
        {
            self.obey(command, wire)?;
        }
        Ok(!self.ended || self.engine.is_busy())
    }
}

impl Uci {
    pub fn new(engine: Engine) -> Self {
        Uci { engine, waiting: VecDeque::new(), debug: false, ended: false, quit: false }
    }

    /// Obeys a line, or puts it aside until the engine is free.
    fn line(&mut self, line: &str, wire: &mut Wire) -> io::Result<()> {
        let (command, remarks) = reader::read(line);
        for remark in remarks {
            wire.say(writer::info_string(&remark))?;
        }
        match command {
            None => {}
            Some(Command::Quit) => self.quit(),
            Some(Command::IsReady) => wire.say(writer::ready())?,
            Some(Command::Stop) => self.engine.stop(),
            Some(Command::PonderHit) if !self.engine.is_pondering() => {
                wire.say(writer::info_string("ponderhit: no search is pondering"))?;
            }
            Some(Command::PonderHit) => self.engine.ponder_hit(),
            Some(Command::Debug(on)) => self.debug = on,
            Some(command) if self.engine.is_endless() => {
                let message =
                    format!("'{}' is refused while an endless search runs; stop it first", command.word());
                wire.say(writer::info_string(&message))?;
            }
            Some(command) => {
                if self.debug && self.engine.is_busy() {
                    let message = format!("'{}' waits for the search to end", command.word());
                    wire.say(writer::info_string(&message))?;
                }
                self.waiting.push_back(command);
            }
        }
        Ok(())
    }

    /// Ends the dialogue as soon as a search under way, which is stopped, has given its answer.
    fn quit(&mut self) {
        self.quit = true;
        self.ended = true;
        self.waiting.clear();
        self.engine.stop();
    }

    /// Obeys a command that needs the engine free.
    fn obey(&mut self, command: Command, wire: &mut Wire) -> io::Result<()> {
        match command {
            Command::Uci => wire.say(writer::identification()),
            Command::SetOption { name, value } => {
                let known = Spec::find_among(writer::offered(), &name);
                match known.and_then(|spec| self.engine.set_option(spec.name, value.as_deref())) {
                    Ok(()) => {
                        let notices = self.engine.take_notices();
                        notices.iter().try_for_each(|notice| wire.say(writer::info_string(notice)))
                    }
                    Err(error) => wire.say(writer::info_string(&error.to_string())),
                }
            }
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Position { fen, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                match self.engine.session_mut().set_position(fen.as_deref(), &moves) {
                    Ok(()) => Ok(()),
                    Err(error) => {
                        wire.say(writer::info_string(&format!("position: {error}; the old one is kept")))
                    }
                }
            }
            Command::Go(go) => self.go(go, wire),
            Command::Perft(depth) => {
                self.engine.perft(depth);
                Ok(())
            }
            Command::Bench => {
                self.engine.bench();
                Ok(())
            }
            Command::Display => wire.say(writer::display(self.engine.session())),
            Command::Evaluation => wire.say(writer::evaluation(self.engine.session())),
            Command::Help => wire.say(writer::help()),
            Command::IsReady | Command::Stop | Command::PonderHit | Command::Debug(_) | Command::Quit => {
                unreachable!("obeyed at once")
            }
        }
    }

    fn go(&mut self, go: Go, wire: &mut Wire) -> io::Result<()> {
        let Go { limits, search_moves } = go;
        let limits = self.within_reach(limits, wire)?;
        if self.debug {
            wire.say(writer::info_string(&format!("go: {limits:?}, searchmoves {search_moves:?}")))?;
        }
        let search_moves: Vec<&str> = search_moves.iter().map(String::as_str).collect();
        match self.engine.go(limits, &search_moves) {
            Ok(_) => {
                if self.ended && self.engine.is_endless() {
                    self.engine.stop();
                }
                Ok(())
            }
            Err(error @ GoError::Over(_)) => {
                wire.say(writer::info_string(&error.to_string()))?;
                wire.say(writer::NO_BEST_MOVE)
            }
            Err(error) => wire.say(writer::info_string(&format!("go: {error}; nothing is searched"))),
        }
    }

    /// Limits with no more depth than the search has.
    fn within_reach(&self, mut limits: Limits, wire: &mut Wire) -> io::Result<Limits> {
        if let Some(depth) = limits.depth.filter(|&depth| depth > MAX_DEPTH) {
            limits.depth = Some(MAX_DEPTH);
            wire.say(writer::info_string(&format!("go: depth {depth} is out of reach; {MAX_DEPTH} it is")))?;
        }
        Ok(limits)
    }

    fn event(&mut self, event: Event, wire: &mut Wire) -> io::Result<()> {
        match event {
            Event::Info(_, report) => wire.say(writer::info(&report, self.engine.options().show_wdl)),
            Event::Progress(_, line) => wire.say(writer::info_string(&line)),
            Event::Done(id, outcome) => {
                self.engine.finish(id);
                match outcome {
                    Outcome::Best(answer) => wire.say(writer::best_move(&answer)),
                    Outcome::Perft(counts) => wire.say(writer::perft(&counts)),
                    Outcome::Bench(results) => wire.say(writer::bench(&results)),
                    Outcome::Stopped => wire.say(writer::info_string("stopped")),
                    Outcome::Failed => {
                        wire.say(writer::info_string("a defect of this program ended the search"))?;
                        // A poor move is better than none, which would mean that the game is over.
                        match self.engine.session().legal_moves().into_iter().next() {
                            Some(m) => wire.say(writer::best_move(&Answer { best: m.text, ponder: None })),
                            None => wire.say(writer::NO_BEST_MOVE),
                        }
                    }
                }
            }
        }
    }
}
