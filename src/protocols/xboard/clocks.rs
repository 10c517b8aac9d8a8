//! Both players' clocks, and how long to think by them.

use std::time::Duration;

use crate::game::Color;
use crate::search::{Clock, Limits};

/// What `level` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves of a session; `None`: the whole game is one.
    pub moves: Option<u32>,
    /// Time for a session.
    pub base: Duration,
    /// Time added for each move.
    pub increment: Duration,
}

/// What XBoard itself takes where the user asks for nothing else: 40 moves in five minutes.
const DEFAULT: TimeControl =
    TimeControl { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };

/// The clocks as the engine knows them.
///
/// XBoard tells the time left before each move; in between, and for those who type by hand, the
/// engine keeps its own clock too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    /// `st`: exactly this for each move, whatever the clocks show.
    pub move_time: Option<Duration>,
    /// `sd`, in plies.
    pub depth: Option<u32>,
    /// `nps`: nodes that stand for a second.
    pub node_rate: Option<u64>,
    pub own: Duration,
    pub opponent: Duration,
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks {
            control: DEFAULT,
            move_time: None,
            depth: None,
            node_rate: None,
            own: DEFAULT.base,
            opponent: DEFAULT.base,
        }
    }
}

impl Clocks {
    /// A new game: the clocks of a first session, on the wall, and no limit to the depth.
    pub fn reset(&mut self) {
        (self.depth, self.node_rate) = (None, None);
        (self.own, self.opponent) = (self.control.base, self.control.base);
    }

    /// Is there a limit to each move (`st`, `sd`), whatever the clocks show?
    pub fn limits_each_move(&self) -> bool {
        self.move_time.is_some() || self.depth.is_some()
    }

    /// Takes a time control, in place of an exact time for each move.
    pub fn set_level(&mut self, control: TimeControl) {
        self.control = control;
        self.move_time = None;
        (self.own, self.opponent) = (control.base, control.base);
    }

    /// Takes note of a move by the engine, `moves_made` with it since the game began.
    pub fn moved(&mut self, thinking: Duration, moves_made: u32) {
        self.own = self.own.saturating_sub(thinking) + self.control.increment;
        if self.control.moves.is_some_and(|session| moves_made.is_multiple_of(session)) {
            self.own += self.control.base;
        }
    }

    /// The limits of a search for `side`, which has made so many moves since the game began.
    pub fn limits(&self, side: Color, moves_made: u32) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            move_time: self.move_time,
            node_rate: self.node_rate,
            ..Limits::default()
        };
        if self.move_time.is_none() {
            let clock = |remaining| Clock {
                remaining,
                increment: self.control.increment,
                moves_to_go: self.control.moves.map(|session| session - moves_made % session),
            };
            limits.clocks[side.index()] = Some(clock(self.own));
            limits.clocks[(!side).index()] = Some(clock(self.opponent));
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_follow_one_another() {
        let mut clocks = Clocks::default();
        let moves_to_go =
            |clocks: Clocks, made| clocks.limits(Color::White, made).clocks[0].unwrap().moves_to_go;
        assert_eq!(moves_to_go(clocks, 0), Some(40));
        assert_eq!(moves_to_go(clocks, 39), Some(1));
        assert_eq!(moves_to_go(clocks, 40), Some(40));
        clocks.moved(Duration::from_secs(100), 39);
        assert_eq!(clocks.own, Duration::from_secs(200));
        clocks.moved(Duration::from_secs(100), 40);
        assert_eq!(clocks.own, Duration::from_secs(400));
    }

    #[test]
    fn an_exact_time_outdoes_the_clocks_until_a_level() {
        let mut clocks = Clocks { move_time: Some(Duration::from_secs(1)), ..Clocks::default() };
        let limits = clocks.limits(Color::Black, 0);
        assert_eq!((limits.move_time, limits.clocks), (Some(Duration::from_secs(1)), [None, None]));
        clocks.set_level(DEFAULT);
        assert_eq!(clocks.limits(Color::Black, 0).move_time, None);
    }
}
