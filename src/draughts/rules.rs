//! How a game ends: no piece, no move, and the draws of the club or of the federation.

use super::position::Position;
use super::squares::Squares;
use crate::game::{Color, Ending, Reason};

/// What an option may change about the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    pub draws: Draws,
}

/// Whose rule stops endless play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draws {
    /// A draw after 40 moves by each side with no capture and no crowning.
    #[default]
    Club,
    /// A draw after 20 moves by each side with no man moved and nothing captured; and "forzosa": a
    /// draw 12 moves by each side after three kings first stood against one with at least one of
    /// the three and not the lone king on the long diagonal.
    Federation,
}

/// Plies without capture or crowning that make a draw of a club game.
pub const CLUB_PLIES: u16 = 80;
/// Plies without capture or man's move that make a draw by the federation's rules.
pub const FEDERATION_PLIES: u16 = 40;
/// Plies that three kings have to beat one.
pub const FORZOSA_PLIES: u16 = 24;

/// What the draws count, in plies. All is kept whatever the rules in force, so that they may change
/// in the middle of a game. None of it makes a position another one for the repetition rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// Since the last capture or crowning: the club's.
    pub no_progress: u16,
    /// Since the last capture or move of a man: the federation's. No position from before can come
    /// back after those, so that it also tells how far back a repetition can lie.
    pub kings_only: u16,
    /// Since the first position of a forzosa; `None` while there was none. Never stops again.
    pub forzosa: Option<u16>,
}

impl Counters {
    /// Counts a ply.
    pub fn advance(&mut self, capture: bool, man: bool, crowning: bool) {
        self.no_progress = if capture || crowning { 0 } else { self.no_progress.saturating_add(1) };
        self.kings_only = if capture || man { 0 } else { self.kings_only.saturating_add(1) };
        self.forzosa = self.forzosa.map(|plies| plies.saturating_add(1));
    }
}

impl Position {
    /// The plies that the draw in force has counted.
    pub(super) fn plies_without_progress(&self) -> u16 {
        match self.rules.draws {
            Draws::Club => self.counters.no_progress,
            Draws::Federation => self.counters.kings_only,
        }
    }

    /// In how many plies the draw in force comes, if nothing stops its count.
    pub(super) fn plies_left(&self) -> u32 {
        let Counters { no_progress, kings_only, forzosa } = self.counters;
        let left = match self.rules.draws {
            Draws::Club => CLUB_PLIES.saturating_sub(no_progress),
            Draws::Federation => {
                let forzosa = forzosa.map_or(u16::MAX, |plies| FORZOSA_PLIES.saturating_sub(plies));
                FEDERATION_PLIES.saturating_sub(kings_only).min(forzosa)
            }
        };
        left.into()
    }

    /// Begins the count of the forzosa if this is its first position.
    #[inline(always)]
    pub(super) fn note_forzosa(&mut self) {
        if (self.men[0] | self.men[1]).is_empty() && self.counters.forzosa.is_none() && self.is_forzosa() {
            self.counters.forzosa = Some(0);
        }
    }

    /// Three kings against one, no men; one of the three and not the lone one on the long diagonal.
    fn is_forzosa(&self) -> bool {
        let [white, black] = self.kings;
        let (three, lone) = if white.count() >= black.count() { (white, black) } else { (black, white) };
        three.count() == 3
            && lone.count() == 1
            && three.meets(Squares::LONG_DIAGONAL)
            && !lone.meets(Squares::LONG_DIAGONAL)
    }

    /// A side without a piece has lost. Without any piece at all (only a FEN can set that up) it is
    /// the side to move that has lost: it cannot move.
    pub(super) fn loss_by_pieces(&self) -> Option<Ending> {
        let to_move = self.side();
        if !self.pieces(Color::White).is_empty() && !self.pieces(Color::Black).is_empty() {
            return None;
        }
        [to_move, !to_move]
            .into_iter()
            .find(|&side| self.pieces(side).is_empty())
            .map(|loser| Ending::win(!loser, Reason::NoPiece))
    }

    /// The side to move has no move, and so has lost.
    pub(super) fn loss_by_moves(&self) -> Ending {
        let loser: Color = self.side();
        let reason = if self.pieces(loser).is_empty() { Reason::NoPiece } else { Reason::Blocked };
        Ending::win(!loser, reason)
    }

    pub(super) fn draw_by_counters(&self) -> Option<Reason> {
        match self.rules.draws {
            Draws::Club => (self.counters.no_progress >= CLUB_PLIES).then_some(Reason::MoveRule),
            Draws::Federation if self.counters.kings_only >= FEDERATION_PLIES => Some(Reason::MoveRule),
            Draws::Federation => {
                self.counters.forzosa.is_some_and(|plies| plies >= FORZOSA_PLIES).then_some(Reason::Forzosa)
            }
        }
    }
}
