//! Spanish draughts (damas clásicas), whole: the 8x8 board, flying kings, men that capture forward
//! only, and the compulsory capture that takes the most pieces and among those the most kings.
//!
//! * [`squares`]: the 32 squares by the numbers of the rules, sets of them, their diagonals.
//! * [`position`]: what stands where, the counters, and making a move.
//! * [`moves`]: what a move is, and the legal ones; `processor` has that compiled for newer processors, too.
//! * [`rules`]: how a game ends.
//! * [`fen`]: positions as text, and the diagram for a terminal.
//! * [`notation`]: moves as text: coordinates, PDN and Hub. [`reader`] reads them, and says why a
//!   text names no legal move; `routes` finds the ways that a capture may take over the board.
//! * [`evaluation`]: what a position is worth to the eye.
//! * [`tables`]: what positions with few pieces are worth for certain.

pub mod evaluation;
pub mod fen;
pub mod moves;
pub mod notation;
pub mod position;
mod processor;
pub mod reader;
mod routes;
pub mod rules;
pub mod squares;
pub mod tables;
mod zobrist;

pub use moves::Move;
pub use position::Position;
pub use rules::{Draws, Rules};
