//! What the outside may tell a search while it runs, and ask it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// The switchboard of one search, shared by the search and whoever may stop it.
#[derive(Debug)]
pub struct Control {
    started: Instant,
    stop: AtomicBool,
    /// Microseconds after `started` at which the player's own time began to run; [`NOT_YET`] while pondering.
    clock_from: AtomicU64,
    progress: Progress,
    /// Wakes a finished search that must wait for `stop` or `ponderhit` before it answers.
    changed: (Mutex<()>, Condvar),
}

const NOT_YET: u64 = u64::MAX;

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
            clock_from: AtomicU64::new(if ponder { NOT_YET } else { 0 }),
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
        let now = self.started.elapsed().as_micros() as u64;
        // A second ponderhit changes nothing.
        let _ = self.clock_from.compare_exchange(NOT_YET, now, Relaxed, Relaxed);
        self.wake();
    }

    /// Has the search been told to end?
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Is the search still on the opponent's time?
    pub fn pondering(&self) -> bool {
        self.clock_from.load(Relaxed) == NOT_YET
    }

    /// Time since the search started, the opponent's time included.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time on the player's own clock; zero while pondering.
    pub fn own_time(&self) -> Duration {
        match self.clock_from.load(Relaxed) {
            NOT_YET => Duration::ZERO,
            from => self.started.elapsed().saturating_sub(Duration::from_micros(from)),
        }
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
