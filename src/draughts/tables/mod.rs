//! Endgame tables: for every position with few pieces whether it is won, drawn or lost, and how soon.
//!
//! * [`balance`]: which men and kings stand against which; one table each.
//! * [`index`]: the place of a position in its table, without gaps; sets of squares counted in order.
//! * [`value`]: what a table says of a position, in a byte.
//! * [`solve`]: fills the tables of a balance, backwards from the ends of the game.
//! * [`library`]: tables side by side, and how captures under way are followed into them.
//! * [`check`]: every entry against those of its successors.
//! * [`mod@format`]: tables on file, in compressed blocks.
//! * [`store`]: the tables that the engine has at hand: those in the program, and a folder's.
//!
//! A table holds the positions of its balance as the side to move sees them, as if that side were
//! White: Black's board is turned round. So two tables, one for each side to move, tell all of a balance.
//!
//! **What is counted.** Plies to the next *conversion*: a capture, a crowning or the end of the game, by
//! whichever side. A man's step is none: the club's draw does not take it for progress either, so that a win
//! whose plies fit into what the rule has left is a win under that rule. Who always lowers the plies, and at
//! a conversion goes on to any won position, wins: plies run out, and so do pieces and men.

pub mod balance;
pub mod check;
pub mod format;
pub mod index;
pub mod library;
pub mod solve;
pub mod store;
pub mod value;

pub use balance::Balance;
pub use library::Library;
pub use value::Value;

use super::position::Position;
use crate::game::Known;

/// What the tables at hand know of a position, if the moves that the draws still give are enough for it.
///
/// Its steps count captures and crownings still possible before plies, so that whoever wins always lowers
/// them: by a ply, or by going on to any won position of another balance.
pub(super) fn known(position: &Position) -> Option<Known> {
    // More plies than any value has.
    const STAGE: u32 = 2 * Value::MOST_PLIES;
    let value = store::probe(position)?;
    if value.is_draw() {
        return Some(Known::Draw);
    }
    if value.plies() > position.plies_left() {
        return None;
    }
    let stages = position.piece_count() + (position.men[0] | position.men[1]).count();
    let steps = STAGE * stages + value.plies();
    Some(if value.is_win() { Known::Win(steps) } else { Known::Loss(steps) })
}
