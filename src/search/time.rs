//! How long to think about one move.

use std::time::Duration;

use super::limits::{Clock, Limits};
use crate::game::Color;

/// Moves that a sudden-death clock is shared out over: games of either kind often last a hundred, and the last
/// ones decide as much as the first.
const MOVES_AHEAD: u32 = 60;

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// What a move usually gets: no new iteration starts after this, or after more or less of it as the driver
    /// sees fit; `None`: no such bound.
    pub soft: Option<Duration>,
    /// The search is broken off here; `None`: never.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// The budget of `side` under `limits`, `overhead` kept for the way to the clock and back.
    pub fn new(limits: &Limits, side: Color, overhead: Duration) -> Self {
        let clock = limits.clock(side).map(|clock| Self::of_clock(clock, overhead));
        let move_time = limits.move_time.map(|time| time.saturating_sub(overhead).max(Self::LEAST));
        TimeBudget {
            soft: clock.and_then(|budget| budget.soft),
            hard: [clock.and_then(|budget| budget.hard), move_time].into_iter().flatten().min(),
        }
    }

    /// However short the time is, a move must come of it.
    const LEAST: Duration = Duration::from_millis(1);

    fn of_clock(clock: Clock, overhead: Duration) -> Self {
        let usable = clock.remaining.saturating_sub(overhead);
        let moves = clock.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
        // The last move of a control may use nearly all that is left; the increment comes only
        // after the move, so most of it may be spent at once while the clock holds out.
        let share = usable / (moves + 1) + clock.increment * 3 / 4;
        let most = if moves == 1 { usable * 4 / 5 } else { usable * 2 / 5 };
        // The last iteration begun goes on for about as long as all before it, or longer.
        let soft = (share * 3 / 5).min(most);
        let hard = (share * 5).min(most);
        TimeBudget { soft: Some(soft.max(Self::LEAST)), hard: Some(hard.max(Self::LEAST)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clocks: [Some(clock), None], ..Limits::default() };
        let budget = TimeBudget::new(&limits, Color::White, OVERHEAD);
        (budget.soft.unwrap(), budget.hard.unwrap())
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for remaining in [0, 1, 20, 21, 100, 1_000, 60_000, 100_000_000] {
            for increment in [0, 100, 10_000, 1_000_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let (soft, hard) = budget(remaining, increment, moves);
                    let most = Duration::from_millis(remaining).saturating_sub(OVERHEAD);
                    assert!(hard <= most.max(TimeBudget::LEAST), "{remaining} {increment} {moves:?}");
                    assert!(soft <= hard);
                }
            }
        }
    }

    #[test]
    fn a_near_control_is_used() {
        let (near, _) = budget(10_000, 0, Some(2));
        let (far, _) = budget(10_000, 0, None);
        assert!(near > far * 5);
    }

    #[test]
    fn move_time_bounds_the_clock() {
        let clock = Clock { remaining: Duration::from_secs(600), ..Clock::default() };
        let limits = Limits {
            move_time: Some(Duration::from_millis(120)),
            clocks: [Some(clock), None],
            ..Limits::default()
        };
        let budget = TimeBudget::new(&limits, Color::White, OVERHEAD);
        assert_eq!(budget.hard, Some(Duration::from_millis(100)));
        assert_eq!(TimeBudget::new(&Limits::default(), Color::White, OVERHEAD).hard, None);
    }
}
