//! Moves as text, written in the three forms that programs and players use.
//!
//! | form | quiet | capture | two captures share both squares |
//! |---|---|---|---|
//! | coordinates (UCI) | `h3g4` | `d3f5` | `h1d5a8`, the squares of the route |
//! | PDN | `10-14` | `19x10` | `1x14x32`, the squares of the route |
//! | Hub | `10-14` | `19x10x14`, all captured pieces | the same |

use super::moves::Move;
use super::position::Position;
use super::routes;
use super::squares::Square;
use crate::game::MoveList;

impl Position {
    /// A legal move in coordinates.
    pub(super) fn coordinates(&self, m: Move) -> String {
        if self.shares_squares(m) { coordinate_route(self, m) } else { format!("{}{}", m.from, m.to) }
    }

    /// A legal move in PDN. A king that ends where it began is always written with its route.
    pub(super) fn pdn(&self, m: Move) -> String {
        if !m.is_capture() {
            format!("{}-{}", m.from.number(), m.to.number())
        } else if m.from == m.to || self.shares_squares(m) {
            pdn_route(self, m)
        } else {
            format!("{}x{}", m.from.number(), m.to.number())
        }
    }

    /// A legal move as Hub wants it: a capture with the squares of all pieces it takes.
    pub fn hub_text(&self, m: Move) -> String {
        if m.is_capture() {
            join([m.from, m.to].into_iter().chain(m.captured))
        } else {
            format!("{}-{}", m.from.number(), m.to.number())
        }
    }

    /// Is there another legal move between the same two squares? Only among captures.
    fn shares_squares(&self, m: Move) -> bool {
        // One piece between two squares is always the same piece.
        if m.captured.count() < 2 {
            return false;
        }
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves.iter().any(|other| (other.from, other.to) == (m.from, m.to) && *other != m)
    }
}

/// A capture in coordinates with its smallest route.
pub(super) fn coordinate_route(position: &Position, m: Move) -> String {
    routes::smallest(position, m).iter().map(Square::to_string).collect()
}

/// A capture in PDN with its smallest route.
pub(super) fn pdn_route(position: &Position, m: Move) -> String {
    join(routes::smallest(position, m))
}

fn join(squares: impl IntoIterator<Item = Square>) -> String {
    squares.into_iter().map(|square| square.number().to_string()).collect::<Vec<_>>().join("x")
}
