//! The threads of the search: a pool of its own, never rayon's global one.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The most threads the option allows.
pub const MAX_THREADS: usize = 256;

/// A search recurses deeply; the default of 2 MiB would not hold it.
const STACK_BYTES: usize = 32 << 20;

/// A fixed number of threads that all do the same job at once.
pub struct Threads {
    pool: ThreadPool,
}

impl Threads {
    /// A pool of `count` threads, at most [`MAX_THREADS`].
    pub fn new(count: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(count.clamp(1, MAX_THREADS))
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search-{index}"))
            .build()?;
        Ok(Threads { pool })
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
}
