//! Time controls, and the clock that runs under one.

use std::fmt::{self, Display};
use std::time::Duration;

/// What limits an engine's thinking; each side of a match has its own.
///
/// All limits that are set hold together; at least one is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeControl {
    /// `tc=10+0.1`, `tc=40/60`.
    pub clock: Option<ClockControl>,
    /// `st=1`: the most for any one move.
    pub move_time: Option<Duration>,
    /// `depth=8`, in plies.
    pub depth: Option<u32>,
    /// `nodes=50000`, for each move.
    pub nodes: Option<u64>,
}

/// A clock for the game or for so many moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockControl {
    /// After so many moves `base` is added again; `None`: once for all moves.
    pub moves: Option<u32>,
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// No game needs more, and every protocol's numbers hold it: a little more than eleven days.
const LONGEST: f64 = 1e6;

impl TimeControl {
    /// Takes up one word of a command line, such as `tc=10+0.1`; `None` where the key is not of
    /// this kind.
    ///
    /// # Errors
    /// What would be allowed.
    pub fn set(&mut self, key: &str, value: &str) -> Option<Result<(), &'static str>> {
        let done = match key {
            "tc" => ClockControl::read(value).map(|clock| self.clock = Some(clock)).ok_or(
                "tc=SECONDS, SECONDS+INCREMENT, MOVES/SECONDS or MOVES/SECONDS+INCREMENT, such as tc=10+0.1",
            ),
            "st" => seconds(value)
                .filter(|time| !time.is_zero())
                .map(|time| self.move_time = Some(time))
                .ok_or("st=SECONDS for each move, such as st=0.5"),
            "depth" => number(value)
                .and_then(|plies| u32::try_from(plies).ok())
                .map(|plies| self.depth = Some(plies))
                .ok_or("depth=PLIES, such as depth=8"),
            "nodes" => number(value)
                .map(|nodes| self.nodes = Some(nodes))
                .ok_or("nodes=NUMBER for each move, such as nodes=50000"),
            _ => return None,
        };
        Some(done)
    }

    /// Is nothing limited?
    pub fn is_empty(&self) -> bool {
        *self == TimeControl::default()
    }

    /// The limits of `self`, or of `other` where `self` has none at all.
    pub fn or(self, other: TimeControl) -> TimeControl {
        if self.is_empty() { other } else { self }
    }
}

impl ClockControl {
    fn read(text: &str) -> Option<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(u32::try_from(number(moves)?).ok()?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let clock = ClockControl { moves, base: seconds(base)?, increment: seconds(increment)? };
        (!clock.base.is_zero()).then_some(clock)
    }
}

/// A whole number from 1.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number > 0)
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds)).map(Duration::from_secs_f64)
}

impl Display for TimeControl {
    /// In the words that [`TimeControl::set`] reads.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let words = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// One side's clock in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    pub fn new(control: TimeControl) -> Self {
        let clock = control.clock;
        Clock {
            control,
            remaining: clock.map_or(Duration::ZERO, |clock| clock.base),
            moves_to_go: clock.and_then(|clock| clock.moves),
        }
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Time left to the next control; only where the control has a clock.
    pub fn remaining(&self) -> Option<Duration> {
        self.control.clock.map(|_| self.remaining)
    }

    /// Moves to the next control; only where it comes by moves.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The most the next move may take; `None`: as long as it likes.
    pub fn allowance(&self) -> Option<Duration> {
        [self.remaining(), self.control.move_time].into_iter().flatten().min()
    }

    /// Takes the time of one move off the clock, and adds what the control gives after it. A move
    /// that overstepped within the referee's margin leaves nothing.
    pub fn spend(&mut self, used: Duration) {
        let Some(control) = self.control.clock else { return };
        self.remaining = self.remaining.saturating_sub(used) + control.increment;
        if let Some(left) = &mut self.moves_to_go {
            *left -= 1;
            if *left == 0 {
                *left = control.moves.expect("a control by moves");
                self.remaining += control.base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(words: &str) -> TimeControl {
        let mut control = TimeControl::default();
        for word in words.split(' ') {
            let (key, value) = word.split_once('=').unwrap();
            control.set(key, value).unwrap().unwrap();
        }
        control
    }

    #[test]
    fn controls_are_read_and_written_alike() {
        for words in
            ["tc=10+0.1", "tc=40/60", "tc=40/60+0.5", "st=1", "depth=8", "nodes=50000", "tc=5 nodes=1"]
        {
            assert_eq!(control(words).to_string(), words);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (key, value) in [
            ("tc", ""),
            ("tc", "0"),
            ("tc", "-1"),
            ("tc", "0/10"),
            ("tc", "10+"),
            ("tc", "NaN"),
            ("tc", "1e99"),
            ("st", "0"),
            ("st", "inf"),
            ("depth", "0"),
            ("depth", "99999999999"),
            ("nodes", "-5"),
        ] {
            assert!(TimeControl::default().set(key, value).unwrap().is_err(), "{key}={value}");
        }
        assert!(TimeControl::default().set("name", "x").is_none());
    }

    #[test]
    fn clocks_run() {
        let second = Duration::from_secs(1);
        let mut clock = Clock::new(control("tc=2/10+0.5"));
        clock.spend(second * 4);
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(second * 13 / 2), Some(1)));
        clock.spend(second * 7);
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(second * 21 / 2), Some(2)));

        let mut clock = Clock::new(control("st=1"));
        clock.spend(second);
        assert_eq!((clock.remaining(), clock.allowance()), (None, Some(second)));
        assert_eq!(Clock::new(control("nodes=5")).allowance(), None);
        assert_eq!(Clock::new(control("tc=3 st=1")).allowance(), Some(second));
    }
}
