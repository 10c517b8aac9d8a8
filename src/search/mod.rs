//! The search: finds the best move of any [`crate::game::Position`], and knows no game by name.
//!
//! * [`driver`]: iterative deepening, aspiration windows, several lines; the way in.
//! * [`tree`]: principal variation search, with all that extends, reduces and cuts; [`reductions`].
//! * [`quiescence`]: what is forced or loud, played out where the tree ends.
//! * [`worker`]: one thread's search, what it carries from node to node.
//! * [`known`]: the root where its value is known for certain.
//! * [`ordering`], [`history`]: which move to try first.
//! * [`transposition`]: the table that all threads share; [`buckets`]: its memory.
//! * [`threads`]: the pool of threads; all search the same tree and meet in the table (lazy SMP).
//! * [`limits`], [`time`], [`control`]: when to stop.
//! * [`score`]: what scores mean.
//! * [`perft`]: counting move trees.

mod buckets;
pub mod control;
mod driver;
mod history;
mod known;
pub mod limits;
mod ordering;
pub mod perft;
mod quiescence;
mod reductions;
pub mod score;
pub mod threads;
mod time;
pub mod transposition;
mod tree;
mod worker;

pub use control::{Control, Progress};
pub use driver::{Best, Info, MAX_DEPTH, Settings, search};
pub use limits::{Clock, Limits};
pub use threads::Threads;
pub use transposition::{Bound, Table};
