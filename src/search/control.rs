//! What the outside may tell a search while it runs, and ask it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// The switchboard of one search, shared by the search and whoever may stop it.
#[derive(Debug)]
pub struct Control {
    started: Instant,
    stop: AtomicBool,
    pondering: AtomicBool,
    progress: Progress,
    /// Wakes a finished search that must wait for `stop` or `ponderhit` before it answers.
    changed: (Mutex<()>, Condvar),
}

/// How far the first thread has come, for whoever asks. Written now and then, and not all at one moment:
/// good enough to be looked at.
#[derive(Debug, Default)]
pub struct Progress {
    /// Plies of the iteration.
    pub depth: AtomicU32,
    /// Root moves of the iteration, and how many of them have been begun.
    pub root_moves: AtomicU32,
    pub begun: AtomicU32,
    /// Index, among the moves that the search was given, of the one that is looked at.
    pub current: AtomicU32,
    /// Nodes of all threads together.
    pub nodes: AtomicU64,
}

impl Control {
    /// The switchboard of a search that starts now.
    pub fn new(ponder: bool) -> Self {
        Control {
            started: Instant::now(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            progress: Progress::default(),
            changed: (Mutex::new(()), Condvar::new()),
        }
    }

    /// Ends the search as soon as its threads see it.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.wake();
    }

    /// The expected move was played: from now on the search runs on the player's own time.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
        self.wake();
    }

    /// Has the search been told to end?
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Is the search still on the opponent's time?
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time since the search started, the opponent's included: what was found in that need not be found again.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Returns once the search is stopped or, where it `endless`ly waits no longer, the ponder move was played.
    pub fn wait_until_due(&self, endless: bool) {
        let mut guard = self.changed.0.lock().expect("nothing panics while it holds this lock");
        while !self.stopped() && (endless || self.pondering()) {
            guard = self.changed.1.wait(guard).expect("nothing panics while it holds this lock");
        }
    }

    fn wake(&self) {
        // Taking the lock orders the change before any check that is about to wait.
        drop(self.changed.0.lock());
        self.changed.1.notify_all();
    }
}
