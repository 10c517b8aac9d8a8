//! Tells on stderr how far a long work is: a bar on a terminal, else a line now and then.

use std::io::{Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines where there is no bar.
const PAUSE: Duration = Duration::from_secs(30);

/// The teller; may be told by several threads.
pub struct Progress {
    /// Hidden where stderr is no terminal; it reckons the time left all the same.
    bar: ProgressBar,
    unit: &'static str,
    last: Mutex<Instant>,
}

impl Progress {
    /// A work of `total` units, of which so many are done.
    pub fn new(total: u64, done: u64, unit: &'static str) -> Self {
        let style = ProgressStyle::with_template(&format!(
            "{{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{msg}}, {{eta}} left"
        ));
        let bar = ProgressBar::new(total).with_style(style.expect("a sound template"));
        bar.set_position(done);
        bar.reset_eta();
        Progress { bar, unit, last: Mutex::new(Instant::now()) }
    }

    /// What is worked at, or what came of it so far.
    pub fn say(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// So many units more are done.
    pub fn add(&self, done: u64) {
        self.bar.inc(done);
        if !self.bar.is_hidden() {
            return;
        }
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            let (position, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let left = self.bar.eta().as_secs();
            tell(&format!("{position}/{total} {}, {}, {left} s left", self.unit, self.bar.message()));
        }
    }

    /// The end: the bar goes.
    pub fn conclude(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on stderr. Nobody needs to be listening.
pub fn tell(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}
