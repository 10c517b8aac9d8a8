//! How a game ends.
//!
//! Stalemate wins for the side that stalemates. Who has only the king left has lost, unless its
//! next move takes the last man of the other side in turn, which is a draw. So a bare king may only
//! take the last man, and has lost if it cannot.

use crate::game::{Ending, Reason};

use super::position::Position;

/// What an option may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A draw after this many moves by each side with no capture and no pawn move; 0 for never.
    pub move_rule: u16,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { move_rule: 50 }
    }
}

impl Position {
    pub(super) fn ending_on_the_board(&self) -> Option<Ending> {
        let us = self.side();
        if !self.is_bare(!us) {
            None
        } else if self.is_bare(us) {
            Some(Ending::draw(Reason::BothKingsBare))
        } else {
            Some(Ending::win(us, Reason::BareKing))
        }
    }

    /// The side to move has no legal move and has lost; why, depends.
    pub(super) fn ending_for_lack_of_moves(&self) -> Ending {
        let us = self.side();
        let in_check = self.is_in_check(us);
        let mated = in_check && !(self.is_bare(us) && self.king_has_a_step());
        let reason = if self.is_bare(us) && !mated {
            Reason::BareKing
        } else if mated {
            Reason::Checkmate
        } else {
            Reason::Stalemate
        };
        Ending::win(!us, reason)
    }

    pub(super) fn draw_by_move_rule(&self) -> Option<Reason> {
        (self.plies_left() == 0).then_some(Reason::MoveRule)
    }

    /// In how many plies the draw by the move rule comes, if nothing stops its count.
    pub(super) fn plies_left(&self) -> u32 {
        match 2 * u32::from(self.rules_in_force().move_rule) {
            0 => i32::MAX as u32,
            plies => plies.saturating_sub(self.clock().into()),
        }
    }
}
