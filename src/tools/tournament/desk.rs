//! The main thread's part: games are written down, entered and told of, one after another.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use anyhow::bail;

use super::journal::{GameLine, Journal};
use super::referee::Played;
use super::report::Report;
use super::schedule::{Outcome, Ticket};
use super::sprt::Sprt;
use super::summary::Summary;
use super::workers::Tournament;
use crate::records::{self, Record};

/// The desk of a match.
pub struct Desk<'a> {
    tournament: &'a Tournament,
    journal: Journal,
    sprt: Option<Sprt>,
    event: String,
    names: Vec<String>,
    /// By player, by reason.
    mistakes: BTreeMap<String, BTreeMap<String, u64>>,
}

impl<'a> Desk<'a> {
    pub fn new(tournament: &'a Tournament, journal: Journal, sprt: Option<Sprt>, event: String) -> Self {
        let names = tournament.engines.iter().map(|engine| engine.name.clone()).collect();
        Desk { tournament, journal, sprt, event, names, mistakes: BTreeMap::new() }
    }

    /// Enters the games of the journal.
    pub fn take_up(&mut self, played: &[GameLine]) {
        for game in played {
            let GameLine { pairing, round, attempt, leg, .. } = *game;
            if let Some(outcome) = Outcome::read(&game.result) {
                self.tournament.schedule().enter(Ticket { pairing, round, attempt, leg }, outcome);
                self.note_mistake(game);
            }
        }
    }

    /// Has the games played, so many at a time, and prints the standing at the end.
    ///
    /// # Errors
    /// Where a file cannot be written, and where the match was interrupted.
    pub fn run(mut self, workers: usize) -> anyhow::Result<()> {
        let report = {
            let schedule = self.tournament.schedule();
            Report::new(&self.names, self.sprt, schedule.games(), schedule.played())
        };
        let mut interrupted = false;
        let result = if self.is_decided() {
            Ok(())
        } else {
            thread::scope(|scope| {
                let (sender, results) = channel();
                for _ in 0..workers {
                    let (tournament, sender) = (self.tournament, sender.clone());
                    scope.spawn(move || tournament.work(&sender));
                }
                drop(sender);
                let result = self.receive(&results, &report);
                interrupted = self.tournament.is_stopped();
                // Games that are still being played no longer matter.
                self.tournament.stop();
                result
            })
        };
        let schedule = self.tournament.schedule().clone();
        let summary = Summary::new(&schedule, &self.names, self.sprt.as_ref(), &self.mistakes, !interrupted);
        report.conclude(&summary.lines());
        result?;
        self.journal.conclude(&summary)?;
        if interrupted {
            bail!("the match was interrupted; with --json, --resume goes on with it");
        }
        Ok(())
    }

    /// Takes results until all games are played, the match is decided or stopped.
    fn receive(&mut self, results: &Receiver<(Ticket, Played)>, report: &Report) -> anyhow::Result<()> {
        for (ticket, played) in results {
            let outcome = played.outcome;
            let game = self.game_line(ticket, &played);
            self.journal.add(game.clone(), &self.record(ticket, played))?;
            let mut schedule = self.tournament.schedule();
            schedule.finish(ticket, outcome);
            report.game(&game, &schedule);
            drop(schedule);
            self.note_mistake(&game);
            self.tournament.announce();
            if self.is_decided() {
                break;
            }
        }
        Ok(())
    }

    /// Does the test believe one of its hypotheses?
    fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict(&self.tournament.schedule().tallies()[0]).is_some())
    }

    fn note_mistake(&mut self, game: &GameLine) {
        if let Some(culprit) = &game.culprit {
            let reasons = self.mistakes.entry(culprit.clone()).or_default();
            *reasons.entry(game.reason.clone()).or_default() += 1;
        }
    }

    fn game_line(&self, ticket: Ticket, played: &Played) -> GameLine {
        let seats = self.tournament.seats(ticket);
        let [white, black] = seats.map(|number| self.names[number].clone());
        GameLine {
            white,
            black,
            result: played.outcome.text().into(),
            reason: played.cause.name(),
            detail: played.cause.detail(),
            culprit: played.culprit.map(|side| self.names[seats[side.index()]].clone()),
            pairing: ticket.pairing,
            round: ticket.round,
            attempt: ticket.attempt,
            leg: ticket.leg,
            opening: self.tournament.openings.number(ticket.round, ticket.attempt) + 1,
            plies: played.moves.len(),
            dialogue: played.dialogue.clone(),
            games_file_length: None,
        }
    }

    fn record(&self, ticket: Ticket, played: Played) -> String {
        let seats = self.tournament.seats(ticket);
        let engines = seats.map(|number| &self.tournament.engines[number]);
        let culprit = played.culprit.map(|side| format!(" of {side}")).unwrap_or_default();
        let detail = played.cause.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
        records::write(&Record {
            variant: self.tournament.house.hall.variant,
            event: self.event.clone(),
            date: jiff::Zoned::now().strftime("%Y.%m.%d").to_string(),
            round: format!("{}.{}", ticket.round + 1, ticket.leg + 1),
            players: engines.map(|engine| engine.name.clone()),
            controls: engines.map(|engine| engine.control.to_string()),
            result: played.outcome.text(),
            termination: played.cause.termination(),
            ending: format!("{}{culprit}{detail}", played.cause.name()),
            first_fen: played.first_fen,
            moves: played.moves,
        })
    }
}
