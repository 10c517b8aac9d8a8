//! Tells how the match goes while it goes: a progress bar where stderr is a terminal, else a line a
//! game on stdout.

use std::io::{IsTerminal, Write, stderr, stdout};

use indicatif::{ProgressBar, ProgressStyle};

use super::journal::GameLine;
use super::schedule::Schedule;
use super::sprt::Sprt;
use super::summary::{SprtSummary, score_line};

/// Lines of a dialogue that are shown.
const LAST_WORDS: usize = 12;

/// The teller.
pub struct Report {
    bar: Option<ProgressBar>,
    names: Vec<String>,
    sprt: Option<Sprt>,
}

impl Report {
    /// `games` in all; `played` of them before.
    pub fn new(names: &[String], sprt: Option<Sprt>, games: u64, played: u64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left\n{wide_msg}");
            let bar = ProgressBar::new(games).with_style(style.expect("a sound template"));
            bar.set_position(played);
            bar.reset_eta();
            bar
        });
        Report { bar, names: names.to_vec(), sprt }
    }

    /// A game has ended and was entered.
    pub fn game(&self, game: &GameLine, schedule: &Schedule) {
        let GameLine { white, black, result, reason, .. } = game;
        let detail = game.detail.as_ref().map_or(String::new(), |detail| format!(": {detail}"));
        let played = schedule.played();
        let culprit = game.culprit.as_ref().map_or(String::new(), |culprit| format!(", {culprit}"));
        let ending = format!("{white} - {black} {result} ({reason}{culprit}{detail})");
        let standing = self.standing(game.pairing, schedule);
        if game.culprit.is_some() {
            let remark = if result == "*" { "void, to be replayed" } else { "lost by a mistake" };
            // The JSON file has more of it.
            let last = &game.dialogue[game.dialogue.len().saturating_sub(LAST_WORDS)..];
            self.warn(&format!("{ending}: {remark}; the dialogue's end:\n  {}", last.join("\n  ")));
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(played);
                bar.set_message(standing);
            }
            None => say(&format!("game {played}/{}: {ending}\n  {standing}", schedule.games())),
        }
    }

    fn standing(&self, pairing: usize, schedule: &Schedule) -> String {
        let [first, second] = schedule.pairings()[pairing];
        let tally = &schedule.tallies()[pairing];
        let mut text = score_line(&self.names[first], &self.names[second], tally);
        if let Some(sprt) = &self.sprt {
            text += &format!(", {}", SprtSummary::of(sprt, tally).line());
        }
        text
    }

    /// Something went wrong that does not end the match.
    fn warn(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => log::warn!("{text}"),
        }
    }

    /// The end: the bar goes, `text` stays.
    pub fn conclude(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say(text.trim_end());
    }
}

/// Nobody needs to be listening: the files tell all.
fn say(text: &str) {
    let _ = writeln!(stdout(), "{text}");
}
