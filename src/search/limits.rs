//! What may end a search.

use std::time::Duration;

use crate::game::Color;

/// One player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added for each move.
    pub increment: Duration,
    /// Moves to the next time control; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// When to stop. All limits hold together; with none the search is endless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Look for a win in so many moves, and stop once it is found or proven not to be there.
    pub mate: Option<u32>,
    /// Exactly this time for the move.
    pub move_time: Option<Duration>,
    /// White's and Black's clocks; the one of the side to move counts.
    pub clocks: [Option<Clock>; 2],
    /// Search the reply that is expected, and start counting time when it is played.
    pub ponder: bool,
    /// Count time by nodes, so many a second, in place of the clock on the wall.
    pub node_rate: Option<u64>,
}

impl Limits {
    /// The clock of the side that thinks.
    pub fn clock(&self, side: Color) -> Option<Clock> {
        self.clocks[side.index()]
    }

    /// Does the search end without a word from outside (other than `ponderhit`), with `side` to move?
    pub fn is_bounded(&self, side: Color) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock(side).is_some()
    }
}
