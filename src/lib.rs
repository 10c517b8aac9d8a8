//! **alfonso**: an engine for Grande Acedrex (the 12x12 great chess of Alfonso X, 1283) and for
//! Spanish draughts.
//!
//! The rooms of the house, arrows pointing at what a room may know:
//!
//! ```text
//! main -> tools -> protocols -> engine -> search -> game <- acedrex, draughts
//! ```
//!
//! * [`game`]: all that search and engine may know of a game.
//! * [`acedrex`], [`draughts`]: one game each, whole: board, moves, rules, text, evaluation.
//! * [`search`]: finds the best move in a [`game::Position`]; knows no game by name.
//! * [`engine`]: one running engine: the chosen game, its options, the search under way.
//! * [`protocols`]: UCI and XBoard; text to the engine's commands, the engine's events to text.
//! * [`records`]: games on file: PGN and PDN, and positions with the results of their games.
//! * [`tools`]: what the command line offers besides the protocols.
//! * [`tapered`]: the two values of a term of an evaluation in one number.
//! * [`lines`]: reads lines whose length nobody vouches for.
//! * [`logging`]: the log, to stderr or a file.

// The pages speak to builders too, of rooms that are not open to the public.
#![allow(rustdoc::private_intra_doc_links)]

pub mod acedrex;
pub mod draughts;
pub mod engine;
pub mod game;
pub mod lines;
pub mod logging;
pub mod protocols;
pub mod records;
pub mod search;
pub mod tapered;
pub mod tools;
