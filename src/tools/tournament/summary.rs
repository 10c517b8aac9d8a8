//! The standing of a match: for people as lines, for programs as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::schedule::Schedule;
use super::sprt::{Sprt, Verdict};
use super::statistics::{Estimate, Spread, Tally};

/// The standing of a match.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Games that count.
    pub games: u64,
    /// Is the match over, and not just interrupted?
    pub finished: bool,
    /// By points a game, the best first.
    pub players: Vec<PlayerSummary>,
    pub pairings: Vec<PairingSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// How often each player lost a game by a mistake of its own, or made it void, by the reason.
    pub mistakes: BTreeMap<String, BTreeMap<String, u64>>,
}

/// A player against all others.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    pub name: String,
    #[serde(flatten)]
    pub score: Score,
}

/// A player against another.
#[derive(Clone, Debug, Serialize)]
pub struct PairingSummary {
    pub first: String,
    pub second: String,
    /// From the first player's view.
    #[serde(flatten)]
    pub score: Score,
}

/// A score and what it tells. Numbers that are infinite or not known are `null` in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games by their half points, 0 to 4.
    pub pairs: [u64; 5],
    pub elo: Option<f64>,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
    pub superiority: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub llr: f64,
    pub low: f64,
    pub high: f64,
    /// `H0` or `H1`, once one is believed.
    pub verdict: Option<&'static str>,
}

impl Score {
    fn of(tally: &Tally) -> Self {
        let estimate = Estimate::of(tally);
        let spread = estimate.and_then(|estimate| estimate.spread);
        let Tally { wins, draws, losses, pairs } = *tally;
        Score {
            wins,
            draws,
            losses,
            pairs,
            elo: estimate.map(|estimate| estimate.elo),
            elo_low: spread.map(|spread| spread.low),
            elo_high: spread.map(|spread| spread.high),
            superiority: spread.map(|spread| spread.superiority),
        }
    }

    fn tally(&self) -> Tally {
        Tally { wins: self.wins, draws: self.draws, losses: self.losses, pairs: self.pairs }
    }
}

impl Summary {
    pub fn new(
        schedule: &Schedule,
        names: &[String],
        sprt: Option<&Sprt>,
        mistakes: &BTreeMap<String, BTreeMap<String, u64>>,
        finished: bool,
    ) -> Self {
        let mut totals = vec![Tally::default(); names.len()];
        let mut pairings = Vec::new();
        for (&[first, second], tally) in schedule.pairings().iter().zip(schedule.tallies()) {
            totals[first] += *tally;
            totals[second] += tally.reversed();
            pairings.push(PairingSummary {
                first: names[first].clone(),
                second: names[second].clone(),
                score: Score::of(tally),
            });
        }
        let mut players: Vec<(String, Tally)> = names.iter().cloned().zip(totals).collect();
        players.sort_by(|(_, left), (_, right)| right.score().total_cmp(&left.score()));
        Summary {
            games: schedule.played(),
            finished,
            players: players
                .into_iter()
                .map(|(name, tally)| PlayerSummary { name, score: Score::of(&tally) })
                .collect(),
            pairings,
            sprt: sprt.map(|sprt| SprtSummary::of(sprt, &schedule.tallies()[0])),
            mistakes: mistakes.clone(),
        }
    }

    /// Several lines for a terminal.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        let width = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for (index, PlayerSummary { name, score }) in self.players.iter().enumerate() {
            let tally = score.tally();
            text += &format!(
                "{:>3}. {name:<width$} {:>7.1} / {:<6} +{} ={} -{}  {}\n",
                index + 1,
                tally.points(),
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                elo_text(&tally),
            );
        }
        for PairingSummary { first, second, score } in &self.pairings {
            text += &score_line(first, second, &score.tally());
            text.push('\n');
        }
        if let Some(sprt) = &self.sprt {
            text += &sprt.line();
            text.push('\n');
        }
        for (name, reasons) in &self.mistakes {
            let reasons: Vec<String> =
                reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
            text += &format!("{name} failed: {}\n", reasons.join(", "));
        }
        text
    }
}

impl SprtSummary {
    pub fn of(sprt: &Sprt, tally: &Tally) -> Self {
        let (low, high) = sprt.bounds();
        let verdict = sprt.verdict(tally).map(|verdict| match verdict {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
        });
        let Sprt { elo0, elo1, alpha, beta } = *sprt;
        SprtSummary { elo0, elo1, alpha, beta, llr: sprt.llr(tally), low, high, verdict }
    }

    /// `LLR 1.23 (-2.94, 2.94) [0, 5]`, and the verdict.
    pub fn line(&self) -> String {
        let SprtSummary { elo0, elo1, llr, low, high, .. } = self;
        let verdict = self.verdict.map_or(String::new(), |verdict| format!(": {verdict} accepted"));
        format!("LLR {llr:.2} ({low:.2}, {high:.2}) [{elo0}, {elo1}]{verdict}")
    }
}

/// The running score of a pairing on one line.
pub fn score_line(first: &str, second: &str, tally: &Tally) -> String {
    let Tally { wins, draws, losses, pairs } = tally;
    let pairs = pairs.map(|pairs| pairs.to_string()).join(" ");
    format!("{first} - {second}: +{wins} ={draws} -{losses}, pairs [{pairs}], {}", elo_text(tally))
}

/// `Elo 35.1 ± 20.2, LOS 99.9 %`.
fn elo_text(tally: &Tally) -> String {
    let Some(Estimate { elo, spread }) = Estimate::of(tally) else { return "Elo unknown".into() };
    let Some(spread) = spread else { return format!("Elo {elo:+.1} ± unknown, LOS unknown") };
    let Spread { low, high, superiority } = spread;
    let error = spread.error();
    let interval =
        if error.is_finite() { format!("± {error:.1}") } else { format!("({low:+.1} to {high:+.1})") };
    format!("Elo {elo:+.1} {interval}, LOS {:.1} %", 100.0 * superiority)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_called_that() {
        let text = |pairs| elo_text(&Tally { pairs, ..Tally::default() });
        assert_eq!(text([0, 0, 1, 0, 0]), "Elo unknown");
        assert_eq!(text([0, 0, 9, 0, 0]), "Elo +0.0 ± unknown, LOS unknown");
        assert_eq!(text([0, 1, 8, 1, 0]), "Elo +0.0 ± 48.5, LOS 50.0 %");
    }
}
