//! The threads of the search: a pool of its own, never rayon's global one; and what each has learnt.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::history::History;

/// The most threads the option allows.
pub const MAX_THREADS: usize = 256;

/// A search recurses deeply; the default of 2 MiB would not hold it.
const STACK_BYTES: usize = 32 << 20;

/// A fixed number of threads that all do the same job at once.
pub struct Threads {
    pool: ThreadPool,
    /// One for each thread, locked by it while it searches.
    histories: Box<[Mutex<History>]>,
}

impl Threads {
    /// A pool of `count` threads, at most [`MAX_THREADS`].
    pub fn new(count: usize) -> Result<Self, ThreadPoolBuildError> {
        let count = count.clamp(1, MAX_THREADS);
        let pool = ThreadPoolBuilder::new()
            .num_threads(count)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search-{index}"))
            .build()?;
        Ok(Threads { pool, histories: std::iter::repeat_with(Mutex::default).take(count).collect() })
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `job` once on each thread, with the thread's index from 0, and returns what each gave.
    pub fn broadcast<R: Send>(&self, job: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.pool.broadcast(|context| job(context.index()))
    }

    /// Runs `job` on the pool, so that rayon's parallel iterators inside it use these threads.
    pub fn install<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        self.pool.install(job)
    }

    /// The statistics of thread `index`. Those of a thread that panicked are as good as any.
    pub(super) fn history(&self, index: usize) -> MutexGuard<'_, History> {
        self.histories[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what the threads have learnt.
    pub(super) fn forget(&self) {
        for index in 0..self.count() {
            *self.history(index) = History::default();
        }
    }
}
