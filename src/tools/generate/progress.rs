//! Tells on stderr how far the games are: a bar on a terminal, else a line now and then.

use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines where there is no bar.
const PAUSE: Duration = Duration::from_secs(30);

/// The teller.
pub struct Progress {
    /// Hidden where stderr is no terminal; it reckons the time left all the same.
    bar: ProgressBar,
    last: Instant,
}

impl Progress {
    /// `games` in all, of which there are so many `played` with so many `positions`.
    pub fn new(games: u64, played: u64, positions: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left");
        let bar = ProgressBar::new(games).with_style(style.expect("a sound template"));
        bar.set_position(played);
        bar.reset_eta();
        let progress = Progress { bar, last: Instant::now() };
        progress.bar.set_message(message(positions));
        progress
    }

    /// So many games are written, with so many positions.
    pub fn show(&mut self, played: u64, positions: u64) {
        self.bar.set_message(message(positions));
        self.bar.set_position(played);
        if self.bar.is_hidden() && self.last.elapsed() >= PAUSE {
            self.last = Instant::now();
            let (games, left) = (self.bar.length().unwrap_or(played), self.bar.eta().as_secs());
            tell(&format!("{played}/{games} games, {}, {left} s left", message(positions)));
        }
    }

    /// The end: the bar goes.
    pub fn conclude(&self) {
        self.bar.finish_and_clear();
    }
}

/// The file has all games: there are so many, with so many positions.
pub fn tell_complete(games: u64, positions: u64) {
    tell(&format!("{games} games, {}", message(positions)));
}

/// Nobody needs to be listening: the file tells all.
fn tell(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}

fn message(positions: u64) -> String {
    format!("{positions} positions")
}
