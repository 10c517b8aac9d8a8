//! Tables side by side, and the values of positions in which a capture is under way.

use std::collections::BTreeMap;

use super::balance::Balance;
use super::index::{Board, Layout};
use super::value::Value;
use crate::draughts::position::Position;
use crate::game::{MoveList, Position as _};

/// Where the values of quiet positions are looked up: those in which the side to move need not take.
pub trait Source {
    /// The value of a quiet position, `None` where there is no table for it.
    fn quiet_value(&self, board: &Board) -> Option<Value>;

    /// The value of any position: captures are followed until there is none to be made. `None` where a table
    /// is missing.
    fn value(&self, position: &Position) -> Option<Value> {
        let side = position.side();
        if position.pieces(side).is_empty() {
            return Some(Value::loss(0));
        }
        if position.pieces(!side).is_empty() {
            return Some(Value::win(0));
        }
        if !position.must_capture() {
            return self.quiet_value(&Board::of(position));
        }
        self.value_by_moves(position)
    }

    /// The value that the legal moves give, one of them at least: the best of what follows.
    fn value_by_moves(&self, position: &Position) -> Option<Value> {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut best = Value::loss(0);
        for &m in &moves {
            let mut next = *position;
            next.play(m);
            let value = self.value(&next)?.before(position.is_noisy(m));
            if value.rank() > best.rank() {
                best = value;
            }
            // No win is nearer.
            if best == Value::win(1) {
                break;
            }
        }
        Some(best)
    }
}

/// A whole table in memory, a byte for each position. What it says of positions in which the side to move
/// must take means nothing, once it was written to a file.
pub struct Table {
    pub layout: Layout,
    pub bytes: Vec<u8>,
}

/// Whole tables in memory.
#[derive(Default)]
pub struct Library {
    /// By [`Balance::slot`].
    tables: BTreeMap<usize, Table>,
}

impl Library {
    pub fn add(&mut self, table: Table) {
        self.tables.insert(table.layout.balance().slot(), table);
    }

    pub fn get(&self, balance: Balance) -> Option<&Table> {
        self.tables.get(&balance.slot())
    }

    /// Forgets the tables of a balance.
    pub fn remove(&mut self, balance: Balance) {
        self.tables.remove(&balance.slot());
        self.tables.remove(&balance.turned().slot());
    }

    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values()
    }
}

impl Source for Library {
    fn quiet_value(&self, board: &Board) -> Option<Value> {
        let table = self.get(board.balance())?;
        Value::from_byte(table.bytes[table.layout.index(board)])
    }
}
