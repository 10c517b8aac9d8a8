//! One running engine: the chosen game, its options and the job under way. Commands in, events out.
//!
//! Commands return at once. What takes time (search, perft, bench) runs as a *job* on a thread of
//! its own, one at a time, and tells what it finds through the sink that the engine was given;
//! the last event of a job is always [`Event::Done`], which its owner hands to [`Engine::finish`].

pub mod bench;
pub mod options;
mod session;
mod variant;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use thiserror::Error;

pub use bench::BenchResult;
use options::{Id, Spec, Value};
pub use options::{OptionError, Options};

pub use session::{Answer, LegalMove, PositionError, Report, Session, Workshop};
pub use variant::{Generic, Playable, Variant, load_endgames};

use crate::game::{Ending, MoveError};
use crate::logging;
use crate::search::score::Score;
use crate::search::{Bound, Control, Limits, MAX_DEPTH, Settings, Table, Threads};

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub time: Duration,
    /// Of all threads together.
    pub nodes: u64,
    /// Plies of the iteration.
    pub depth: u32,
    /// Root moves of the iteration, and how many of them wait behind the present one.
    pub root_moves: u32,
    pub moves_left: u32,
    /// The root move that is looked at, in coordinates.
    pub current: String,
}

/// Tells the jobs of an engine apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobId(u64);

/// What a job tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A search has a line.
    Info(JobId, Report),
    /// For people: a bench has searched one more of its positions, or a search for a win has proved that
    /// there is none.
    Progress(JobId, String),
    /// The job is over; nothing more comes of it.
    Done(JobId, Outcome),
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Best(Answer),
    /// Each root move with its count.
    Perft(Vec<(String, u64)>),
    Bench(Vec<BenchResult>),
    /// Perft or bench was stopped.
    Stopped,
    /// A defect of the engine, reported in place of an answer.
    Failed,
}

/// Where the events of an engine go. Called from the job's threads.
pub type Sink = Arc<dyn Fn(Event) + Send + Sync>;

/// A search that cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoError {
    /// There is no move to play.
    #[error("the game is over: {} ({})", .0.result(), .0.reason)]
    Over(Ending),
    #[error("searchmoves: {0}")]
    SearchMoves(#[from] MoveError),
}

/// The engine.
pub struct Engine {
    options: Options,
    session: Box<dyn Session>,
    table: Arc<Table>,
    threads: Arc<Threads>,
    sink: Sink,
    job: Option<Job>,
    next_id: u64,
    /// See [`Engine::set_variety`].
    variety: Option<u64>,
    /// See [`Engine::take_notices`].
    notices: Vec<String>,
}

/// The job under way.
struct Job {
    id: JobId,
    control: Arc<Control>,
    thread: JoinHandle<()>,
    /// Does it end without a word from outside once it no longer ponders?
    bounded: bool,
    /// A search: the moves it was given, in coordinates.
    root_moves: Vec<String>,
}

impl Engine {
    /// An engine at the start position of the default game.
    ///
    /// # Errors
    /// Where the machine has not even the memory or threads of the default options.
    pub fn new(sink: Sink) -> anyhow::Result<Self> {
        let options = Options::default();
        Ok(Engine {
            session: options.variant.start(&options),
            table: Arc::new(Table::new(options.hash, 0)?),
            threads: Arc::new(Threads::new(options.threads)?),
            options,
            sink,
            job: None,
            next_id: 1,
            variety: None,
            notices: Vec::new(),
        })
    }

    /// What options had to tell since this was asked last, a line each: tables that were found, files that cannot
    /// be used.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// The game in progress, to be changed. A search under way goes on with the game as it was.
    pub fn session_mut(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Sets an option by its name and the text of its value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let spec = Spec::find(name)?;
        let value = spec.read(value)?;
        let failed = |reason: String| OptionError::Failed { name: spec.name, reason };
        let shared_with_job =
            matches!(spec.id, Id::Hash | Id::Threads | Id::ClearHash | Id::Variant | Id::EndgamePath);
        if shared_with_job && self.is_busy() {
            return Err(OptionError::Searching { name: spec.name });
        }
        match (spec.id, &value) {
            (Id::Hash, Value::Spin(mib)) if *mib as usize != self.options.hash => {
                let table = Table::new(*mib as usize, self.table.mib());
                self.table = Arc::new(table.map_err(|error| failed(error.to_string()))?);
                self.table.clear(&self.threads);
            }
            (Id::Threads, Value::Spin(count)) if *count as usize != self.options.threads => {
                let threads = Threads::new(*count as usize);
                self.threads = Arc::new(threads.map_err(|error| failed(error.to_string()))?);
            }
            (Id::ClearHash, _) => self.table.clear(&self.threads),
            (Id::EndgamePath, Value::Text(folders)) => {
                let found = variant::load_endgames(folders);
                let problems =
                    found.problems.iter().map(|problem| format!("EndgamePath: {problem}; ignored"));
                self.notices.extend(problems);
                self.notices.push(found.to_string());
                // What was found with other tables is worth less.
                self.table.clear(&self.threads);
            }
            (Id::LogFile, Value::Text(path)) => {
                let path = (!path.is_empty()).then(|| Path::new(path));
                logging::log_to(path).map_err(|error| failed(error.to_string()))?;
            }
            _ => {}
        }
        self.options.keep(spec.id, &value);
        match spec.id {
            Id::Variant => {
                self.session = self.options.variant.start(&self.options);
                self.table.clear(&self.threads);
            }
            Id::MoveRule | Id::DraughtsDraws => self.session.set_rules(&self.options),
            _ => {}
        }
        Ok(())
    }

    /// Forgets what earlier searches found. Not while a job is under way.
    pub fn new_game(&mut self) {
        debug_assert!(!self.is_busy());
        self.table.clear(&self.threads);
    }

    /// A seed by which searches to come choose among root moves that are worth the same within a
    /// fifth of a pawn; `None`: always the best.
    pub fn set_variety(&mut self, seed: Option<u64>) {
        self.variety = seed;
    }

    /// Starts a search among `search_moves`, or all moves where that is empty.
    /// Not while a job is under way.
    pub fn go(&mut self, limits: Limits, search_moves: &[&str]) -> Result<JobId, GoError> {
        if let Some(ending) = self.session.ending_of_play() {
            return Err(GoError::Over(ending));
        }
        let mut allowed = Vec::new();
        for text in search_moves {
            let m = self.session.read_move(text)?.text;
            if !allowed.contains(&m) {
                allowed.push(m);
            }
        }
        let session = self.session.clone_box();
        let (table, threads) = (self.table.clone(), self.threads.clone());
        let settings = Settings {
            multi_pv: self.options.multi_pv,
            move_overhead: self.options.move_overhead,
            variety: self.variety,
        };
        let bounded = limits.is_bounded(session.side_to_move());
        let root_moves = match &allowed[..] {
            [] => session.legal_moves().into_iter().map(|m| m.text).collect(),
            allowed => allowed.to_vec(),
        };
        let id = self.start(bounded, limits.ponder, move |control, emit, id| {
            let workshop = Workshop { table: &table, threads: &threads, control, settings };
            let settled = if allowed.is_empty() { win_to_be_settled(&limits) } else { None };
            let won_in = AtomicU32::new(u32::MAX);
            let report = |report: Report| {
                if let (Score::Mate(moves @ 1..), Bound::Exact) = (report.score, report.bound) {
                    won_in.fetch_min(moves as u32, Relaxed);
                }
                emit(Event::Info(id, report));
            };
            let answer = session.search(&limits, &allowed, &workshop, &report);
            // Nothing has cut the search short, so that it ended with a win or with the proof.
            if let Some(moves) = settled.filter(|&moves| moves < won_in.into_inner() && !control.stopped()) {
                let plural = if moves == 1 { "" } else { "s" };
                emit(Event::Progress(id, format!("no win in {moves} move{plural}")));
            }
            Outcome::Best(answer)
        });
        if let Some(job) = &mut self.job {
            job.root_moves = root_moves;
        }
        Ok(id)
    }

    /// How far the search under way has come, if there is one.
    pub fn progress(&self) -> Option<Progress> {
        let job = self.job.as_ref()?;
        let progress = job.control.progress();
        let root_moves = progress.root_moves.load(Relaxed);
        Some(Progress {
            time: job.control.elapsed(),
            nodes: progress.nodes.load(Relaxed),
            depth: progress.depth.load(Relaxed),
            root_moves,
            moves_left: root_moves.saturating_sub(progress.begun.load(Relaxed)),
            current: job.root_moves.get(progress.current.load(Relaxed) as usize)?.clone(),
        })
    }

    /// Starts counting the move tree. Not while a job is under way.
    pub fn perft(&mut self, depth: u32) -> JobId {
        let session = self.session.clone_box();
        let threads = self.threads.clone();
        self.start(true, false, move |control, _, _| match session.divide(depth, &threads, control) {
            Some(counts) => Outcome::Perft(counts),
            None => Outcome::Stopped,
        })
    }

    /// Starts the bench. Not while a job is under way.
    pub fn bench(&mut self) -> JobId {
        self.start(true, false, |control, emit, id| {
            let threads = Threads::new(1).expect("a thread can be had");
            let table = Table::new(bench::HASH, 0).expect("the bench's memory can be had");
            let progress = |line| emit(Event::Progress(id, line));
            match bench::bench(None, (&table, &threads, control), &progress) {
                Some(results) => Outcome::Bench(results),
                None => Outcome::Stopped,
            }
        })
    }

    /// Tells the job under way, if any, to end.
    pub fn stop(&self) {
        if let Some(job) = &self.job {
            job.control.stop();
        }
    }

    /// The expected move was played: the search under way now runs on its own clock.
    pub fn ponder_hit(&self) {
        if let Some(job) = &self.job {
            job.control.ponder_hit();
        }
    }

    /// Is a job under way?
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Is a job under way that will not end of itself?
    pub fn is_endless(&self) -> bool {
        let ends = |job: &Job| job.control.stopped() || (job.bounded && !job.control.pondering());
        self.job.as_ref().is_some_and(|job| !ends(job))
    }

    /// Is a search under way that still ponders?
    pub fn is_pondering(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.control.pondering() && !job.control.stopped())
    }

    /// Takes note of a job's last event: after this the engine is free again.
    pub fn finish(&mut self, done: JobId) {
        if let Some(job) = self.job.take_if(|job| job.id == done) {
            // The event is the last thing the thread does; a panic in it was reported as such.
            let _ = job.thread.join();
        }
    }

    fn start(
        &mut self,
        bounded: bool,
        ponder: bool,
        work: impl FnOnce(&Control, &(dyn Fn(Event) + Sync), JobId) -> Outcome + Send + 'static,
    ) -> JobId {
        debug_assert!(!self.is_busy());
        let id = JobId(self.next_id);
        self.next_id += 1;
        let control = Arc::new(Control::new(ponder));
        let thread = thread::Builder::new().name("job".into()).spawn({
            let control = control.clone();
            let sink = self.sink.clone();
            move || {
                let mut done = DoneOnDrop { id, sink: sink.clone(), outcome: Outcome::Failed };
                done.outcome = work(&control, &*sink, id);
            }
        });
        let thread = thread.expect("one more thread than the search has");
        self.job = Some(Job { id, control, thread, bounded, root_moves: Vec::new() });
        id
    }
}

/// In how many moves there is a win or none, once a search has come to the end of these limits; `None` where
/// another limit may end it before that, or the win is beyond its reach.
fn win_to_be_settled(limits: &Limits) -> Option<u32> {
    let alone = Limits { mate: limits.mate, ponder: limits.ponder, ..Limits::default() };
    limits.mate.filter(|&moves| *limits == alone && moves <= MAX_DEPTH / 2)
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        if let Some(job) = self.job.take() {
            let _ = job.thread.join();
        }
    }
}

/// Sends a job's last event however the job ends, so that nobody waits for it in vain.
struct DoneOnDrop {
    id: JobId,
    sink: Sink,
    outcome: Outcome,
}

impl Drop for DoneOnDrop {
    fn drop(&mut self) {
        let outcome = std::mem::replace(&mut self.outcome, Outcome::Failed);
        (self.sink)(Event::Done(self.id, outcome));
    }
}
