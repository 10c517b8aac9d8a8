//! A player: an engine that is started, told what game it is in, asked for moves, and started
//! again where it failed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::control::{Clock, TimeControl};
use super::journal::PlayerLine;
use super::process::{CommandLine, Failure, Process};
use super::uci::Uci;
use super::xboard::XBoard;
use crate::engine::{Session, Variant};
use crate::game::Color;
use crate::search::score::Score;

/// What the command line says about an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Empty: as the engine calls itself.
    pub name: String,
    pub command: CommandLine,
    pub protocol: Protocol,
    pub control: TimeControl,
    pub threads: Option<u32>,
    /// Options by the engine's own names, in the order given.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// As the journal describes it.
    pub fn line(&self) -> PlayerLine {
        let threads = self.threads.map(|threads| format!("threads={threads}"));
        let options = self.options.iter().map(|(name, value)| format!("{name}={value}"));
        PlayerLine {
            name: self.name.clone(),
            command: self.command.to_string(),
            protocol: self.protocol.name().into(),
            control: self.control.to_string(),
            options: threads.into_iter().chain(options).collect(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    #[default]
    Uci,
    XBoard,
}

impl Protocol {
    /// The protocol's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::XBoard => "xboard",
        }
    }
}

/// What all games of a match share, as far as a player is concerned.
#[derive(Clone)]
pub struct Hall {
    pub variant: Variant,
    /// How long an engine may take where no clock runs.
    pub patience: Duration,
    /// How much longer than its clock a move may take.
    pub margin: Duration,
    /// Set to stop the match.
    pub stop: Arc<AtomicBool>,
}

/// An engine that cannot play in this match at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    #[error("'{program}' cannot be started: {reason}")]
    Spawn { program: String, reason: String },
    #[error("it {} before it was ready; the dialogue:\n{}", match .failure {
        Failure::Crash => "ended",
        Failure::Timeout | Failure::LostClock => "did not answer",
        Failure::Interrupted => "was stopped",
    }, .dialogue.join("\n"))]
    Greeting { failure: Failure, dialogue: Vec<String> },
    /// It lacks something that was asked for.
    #[error("{0}")]
    Unable(String),
}

/// What an engine is told of the game when a move is wanted.
pub struct Turn<'a> {
    /// Where the game began; `None`: the start position.
    pub first_fen: Option<&'a str>,
    /// In coordinates.
    pub moves: &'a [String],
    /// The game after these moves.
    pub session: &'a dyn Session,
    /// White's and Black's.
    pub clocks: &'a [Clock; 2],
}

impl Turn<'_> {
    pub fn side(&self) -> Color {
        self.session.side_to_move()
    }

    /// The clock of the side to move.
    pub fn clock(&self) -> &Clock {
        &self.clocks[self.side().index()]
    }
}

/// An engine's answer when a move was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub said: Said,
    /// From the moment the clock was started.
    pub time: Duration,
    pub thought: Thought,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A move, as the engine wrote it.
    Move(String),
    Resigns,
    /// It says that the game is over, won by this side or drawn.
    Claims(Option<Color>),
    /// It says that a move it was told of is illegal.
    Refuses(String),
}

/// What an engine told of its search, last line first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// From the engine's view.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// How one protocol does what a match needs.
///
/// Every wait is bounded: by the hall's patience, or by the clock and the hall's margin.
pub trait Dialect: Send {
    /// Introduces, sets the options and waits for the engine to be ready. Gives the engine's name.
    fn greet(
        &mut self,
        process: &mut Process,
        hall: &Hall,
        spec: &EngineSpec,
    ) -> Result<String, GreetingError>;
    /// Another game begins, with this control for the engine.
    fn new_game(&mut self, process: &mut Process, hall: &Hall, control: &TimeControl) -> Result<(), Failure>;
    /// Asks for a move.
    fn think(&mut self, process: &mut Process, hall: &Hall, turn: &Turn) -> Result<Reply, Failure>;
    /// The game is over: `result` as in `1-0`, and why.
    fn game_over(&mut self, process: &mut Process, result: &str, reason: &str) -> Result<(), Failure>;
    /// Can games begin at any position?
    fn takes_positions(&self) -> bool;
}

/// Why a greeting failed.
pub enum GreetingError {
    Failure(Failure),
    Unable(String),
}

impl From<Failure> for GreetingError {
    fn from(failure: Failure) -> Self {
        GreetingError::Failure(failure)
    }
}

/// An engine of the match, running or not.
pub struct Player {
    hall: Hall,
    spec: EngineSpec,
    live: Option<Live>,
    /// The dialogue of a start that failed.
    failed_start: Vec<String>,
}

struct Live {
    process: Process,
    dialect: Box<dyn Dialect>,
    name: String,
}

impl Player {
    pub fn new(hall: Hall, spec: EngineSpec) -> Self {
        Player { hall, spec, live: None, failed_start: Vec::new() }
    }

    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Starts the engine if it does not run. Gives its own name.
    ///
    /// # Errors
    /// Where it does not start, does not answer, or lacks what was asked for.
    pub fn start(&mut self) -> Result<&str, StartError> {
        if self.live.is_none() {
            self.live = Some(self.greet()?);
        }
        Ok(&self.live.as_ref().expect("just started").name)
    }

    fn greet(&self) -> Result<Live, StartError> {
        let command = &self.spec.command;
        let mut process =
            Process::start(&self.spec.name, command, self.hall.stop.clone()).map_err(|error| {
                StartError::Spawn { program: command.program.clone(), reason: error.to_string() }
            })?;
        let mut dialect: Box<dyn Dialect> = match self.spec.protocol {
            Protocol::Uci => Box::new(Uci::default()),
            Protocol::XBoard => Box::new(XBoard::default()),
        };
        match dialect.greet(&mut process, &self.hall, &self.spec) {
            Ok(name) => Ok(Live { process, dialect, name }),
            Err(GreetingError::Failure(failure)) => {
                Err(StartError::Greeting { failure, dialogue: process.dialogue() })
            }
            Err(GreetingError::Unable(why)) => Err(StartError::Unable(why)),
        }
    }

    /// Can the engine, which runs, begin a game at any position?
    pub fn takes_positions(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.dialect.takes_positions())
    }

    /// Tells the engine, which is started if need be, that a game begins.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        if let Err(error) = self.start() {
            let (failure, dialogue) = match error {
                StartError::Greeting { failure, dialogue } => (failure, dialogue),
                error => (Failure::Crash, vec![error.to_string()]),
            };
            self.failed_start = dialogue;
            return Err(failure);
        }
        self.with_live(|live, hall, spec| live.dialect.new_game(&mut live.process, hall, &spec.control))
    }

    /// Asks for a move.
    pub fn think(&mut self, turn: &Turn) -> Result<Reply, Failure> {
        self.with_live(|live, hall, _| live.dialect.think(&mut live.process, hall, turn))
    }

    /// Tells that the game is over. An engine that does not take it is started again next time.
    pub fn game_over(&mut self, result: &str, reason: &str) {
        if self.with_live(|live, _, _| live.dialect.game_over(&mut live.process, result, reason)).is_err() {
            self.kill();
        }
    }

    fn with_live<T>(
        &mut self,
        work: impl FnOnce(&mut Live, &Hall, &EngineSpec) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let live = self.live.as_mut().ok_or(Failure::Crash)?;
        work(live, &self.hall, &self.spec)
    }

    /// The last lines of the dialogue with the engine, or why there was none.
    pub fn dialogue(&self) -> Vec<String> {
        self.live.as_ref().map_or_else(|| self.failed_start.clone(), |live| live.process.dialogue())
    }

    /// Ends the engine at once; the next game starts it again.
    pub fn kill(&mut self) {
        self.live = None;
    }

    /// Ends the engine politely.
    pub fn quit(mut self) {
        if let Some(live) = self.live.take() {
            live.process.quit();
        }
    }
}

/// Waits for a line of an engine whose clock was started at `start`: at the latest until its clock
/// and the margin are over, or where no clock runs, the patience.
pub fn receive_on_clock(
    process: &mut Process,
    hall: &Hall,
    clock: &Clock,
    start: Instant,
) -> Result<(String, Duration), Failure> {
    let allowance = clock.allowance();
    let longest = allowance.map_or(hall.patience, |allowance| allowance + hall.margin);
    match process.receive(start + longest) {
        Ok((line, at)) => Ok((line, at.saturating_duration_since(start))),
        Err(Failure::Timeout) if allowance.is_some() => Err(Failure::LostClock),
        Err(failure) => Err(failure),
    }
}
