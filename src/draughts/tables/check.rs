//! Proves the entries of tables, each by those of its successors.

use super::index::{Board, Layout};
use super::library::Source;
use super::value::Value;

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub board: Board,
    /// What the table says.
    pub found: Option<Value>,
    /// What the moves lead to; `None` where a table is missing.
    pub expected: Option<Value>,
}

/// Checks the entry of a position: it must be what the legal moves lead to, those found by the generator
/// that the game is played with. Positions with a capture to make have no entry and are right.
///
/// Where this holds for all positions, wins and losses are proven, since their plies fall to the end; and so are
/// draws, since each has a move to another draw and none that wins.
///
/// # Errors
/// What is wrong.
pub fn check(tables: &impl Source, layout: &Layout, index: usize) -> Result<(), Fault> {
    let board = layout.board(index);
    let position = board.position();
    if position.must_capture() {
        return Ok(());
    }
    let found = tables.quiet_value(&board);
    let expected = tables.value_by_moves(&position);
    if found.is_some() && found == expected { Ok(()) } else { Err(Fault { board, found, expected }) }
}
