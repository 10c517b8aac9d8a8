//! The searches of a dialogue: for the engine's own move, on the opponent's time, for analysis, for a hint.
//!
//! Pondering and analysis are endless and run *beside* the dialogue: what does not concern them is
//! obeyed meanwhile, anything else ends them first, and [`XBoard::resume`] begins them anew once there
//! is nothing else to do. So a move made in analysis, or an option set while pondering, needs no care
//! of its own.

use std::io;
use std::time::Instant;

use super::XBoard;
use super::reader::{self, Command};
use super::writer;
use crate::engine::{Answer, Event, GoError, JobId, Outcome, Report};
use crate::protocols::wire::Wire;
use crate::search::score::Score;
use crate::search::{Bound, Limits};

/// A search under way.
pub struct Search {
    id: JobId,
    started: Instant,
    purpose: Purpose,
    /// Of the best line so far, from the view of the side that thinks.
    score: Option<Score>,
}

/// What a search is for.
enum Purpose {
    Move,
    /// The answer to a reply that is expected (in coordinates) and not played yet.
    Ponder(String),
    Analysis,
    Hint,
}

/// Own moves of a game in which variety is wanted.
const VARIED_MOVES: u32 = 10;
/// Enough for a fair hint, and done in a moment.
const NODES_OF_A_HINT: u64 = 50_000;

impl XBoard {
    /// Does the engine think about its own move?
    pub fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| matches!(search.purpose, Purpose::Move))
    }

    /// Breaks the search off, if there is one; nothing comes of it.
    pub fn drop_search(&mut self) {
        if self.search.take().is_some() {
            self.engine.stop();
        }
    }

    /// Cuts a search short, as nobody is left to play with; but what was asked of each move is done.
    pub fn end_search(&mut self) {
        if self.engine.is_endless() || !self.clocks.limits_each_move() {
            self.engine.stop();
        }
    }

    /// The next command, if it may be obeyed now.
    pub fn next_command(&mut self) -> Option<Command> {
        let command = self.waiting.front()?;
        if self.engine.is_busy() {
            let purpose = &self.search.as_ref()?.purpose;
            if !matches!(purpose, Purpose::Ponder(_) | Purpose::Analysis) {
                return None;
            }
            if self.needs_rest(command) {
                self.drop_search();
                return None;
            }
        }
        self.waiting.pop_front()
    }

    /// Must the search beside the dialogue end before the command is obeyed?
    fn needs_rest(&self, command: &Command) -> bool {
        match command {
            Command::Move(text) => !self.is_pondered(text),
            Command::Hint => self.expected.is_none(),
            Command::ProtocolVersion(_)
            | Command::Settled { .. }
            | Command::Computer
            | Command::OwnTime(_)
            | Command::OpponentTime(_)
            | Command::Ping(_)
            | Command::Book
            | Command::Draw
            | Command::Random
            | Command::Status => false,
            _ => true,
        }
    }

    /// Is this the move whose answer is being pondered?
    fn is_pondered(&self, text: &str) -> bool {
        let Some(Search { purpose: Purpose::Ponder(reply), .. }) = &self.search else { return false };
        self.read_move(text).is_ok_and(|(m, _)| &m.text == reply)
    }

    /// Takes up what goes on beside the dialogue, where there is nothing else to do.
    pub fn resume(&mut self, wire: &mut Wire) -> io::Result<()> {
        if self.engine.is_busy() || self.ended || !self.waiting.is_empty() {
            return Ok(());
        }
        if self.analysing {
            return self.analyse(wire);
        }
        self.ponder();
        Ok(())
    }

    /// Tells how the game ended, or thinks about a move, where it is for the engine to do so.
    pub fn think(&mut self, wire: &mut Wire) -> io::Result<()> {
        self.announce_ending(wire)?;
        let side = self.engine.session().side_to_move();
        // A search that the next commands would break off need not begin.
        if self.over || self.plays != Some(side) || self.waiting.iter().any(Command::interrupts) {
            self.drop_search();
            return Ok(());
        }
        if let Some(search) = &mut self.search {
            // It has pondered on the move that was just played.
            (search.purpose, search.started) = (Purpose::Move, Instant::now());
            self.engine.ponder_hit();
            return Ok(());
        }
        let limits = self.clocks.limits(side, self.moves_made());
        // With every move excluded there would be none to play.
        let allowed = self.allowed_moves().filter(|moves| !moves.is_empty()).unwrap_or_default();
        match self.start(limits, &allowed, Purpose::Move) {
            Ok(()) => Ok(()),
            // The winner of a game between programs: XBoard or the loser will say so.
            Err(GoError::Over(_)) => Ok(()),
            Err(error) => wire.say(reader::refusal(&error.to_string(), "go")),
        }
    }

    /// Looks at the position until something changes. One in which the game is over is left alone.
    pub fn analyse(&mut self, wire: &mut Wire) -> io::Result<()> {
        let allowed = self.allowed_moves();
        if allowed.as_ref().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        match self.start(Limits::default(), &allowed.unwrap_or_default(), Purpose::Analysis) {
            Ok(()) | Err(GoError::Over(_)) => Ok(()),
            Err(error) => wire.say(reader::refusal(&error.to_string(), "analyze")),
        }
    }

    /// Thinks on the opponent's time, about the answer to the reply that is expected.
    fn ponder(&mut self) {
        let session = self.engine.session_mut();
        let awaits = self.plays == Some(!session.side_to_move()) && !self.over;
        // Nodes that stand for time would be spent before the clock runs.
        if !awaits || self.clocks.node_rate.is_some() || !self.engine.options().ponder {
            return;
        }
        let Some(reply) = self.expected.clone() else { return };
        let session = self.engine.session_mut();
        if session.play(&reply).is_err() {
            return;
        }
        if session.ending().is_none() {
            let side = session.side_to_move();
            let limits = Limits { ponder: true, ..self.clocks.limits(side, self.moves_made()) };
            self.start(limits, &[], Purpose::Ponder(reply)).expect("the game goes on");
        }
        self.engine.session_mut().undo();
    }

    /// Looks for a hint.
    pub fn look_for_hint(&mut self, wire: &mut Wire) -> io::Result<()> {
        let limits = Limits { nodes: Some(NODES_OF_A_HINT), ..Limits::default() };
        match self.start(limits, &[], Purpose::Hint) {
            Ok(()) => Ok(()),
            Err(_) => wire.say("telluser There is no move to hint at: the game is over."),
        }
    }

    /// Moves that the search is to look at; `None`: all.
    fn allowed_moves(&self) -> Option<Vec<String>> {
        if self.excluded.is_empty() {
            return None;
        }
        let legal = self.engine.session().legal_moves().into_iter().map(|m| m.text);
        Some(legal.filter(|text| !self.excluded.contains(text)).collect())
    }

    fn start(&mut self, limits: Limits, allowed: &[String], purpose: Purpose) -> Result<(), GoError> {
        let plays = matches!(purpose, Purpose::Move | Purpose::Ponder(_));
        let variety = self.variety.filter(|_| plays && self.moves_made() < VARIED_MOVES);
        self.engine.set_variety(variety);
        let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
        let id = self.engine.go(limits, &allowed)?;
        self.search = Some(Search { id, started: Instant::now(), purpose, score: None });
        if self.ended {
            self.end_search();
        }
        Ok(())
    }

    /// Moves that the side to move has made since the game began.
    fn moves_made(&self) -> u32 {
        ((self.earlier_plies + self.engine.session().plies()) / 2) as u32
    }

    // --- What comes of it -----------------------------------------------------------------------

    pub fn event(&mut self, event: Event, wire: &mut Wire) -> io::Result<()> {
        match event {
            // A bound would be taken for the score.
            Event::Info(id, report) if report.bound == Bound::Exact => self.line_found(id, report, wire),
            Event::Info(..) | Event::Progress(..) => Ok(()),
            Event::Done(id, outcome) => {
                self.engine.finish(id);
                match self.search.take_if(|search| search.id == id) {
                    Some(search) => self.found(search, outcome, wire),
                    None => Ok(()),
                }
            }
        }
    }

    fn line_found(&mut self, id: JobId, mut report: Report, wire: &mut Wire) -> io::Result<()> {
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else { return Ok(()) };
        let best = report.multi_pv == 1;
        if best {
            search.score = Some(report.score);
        }
        let shown = match &search.purpose {
            Purpose::Move => self.post,
            Purpose::Ponder(reply) => {
                // The line is to begin on the board that is shown.
                report.pv.insert(0, reply.clone());
                self.post
            }
            Purpose::Analysis => {
                if best {
                    self.expected = report.pv.first().cloned();
                }
                true
            }
            Purpose::Hint => false,
        };
        if shown { wire.say(writer::thinking(&report)) } else { Ok(()) }
    }

    fn found(&mut self, search: Search, outcome: Outcome, wire: &mut Wire) -> io::Result<()> {
        match (search.purpose, outcome) {
            (Purpose::Move, Outcome::Best(answer)) => {
                self.clocks.moved(search.started.elapsed(), self.moves_made() + 1);
                self.answer(answer, search.score, wire)
            }
            (Purpose::Hint, Outcome::Best(answer)) => {
                self.expected = Some(answer.best);
                self.hint(wire)
            }
            // Ended by the end of the input.
            (Purpose::Ponder(_) | Purpose::Analysis, Outcome::Best(_)) => Ok(()),
            (purpose, _) => {
                self.analysing = false;
                wire.say("tellusererror A defect of this program ended the search.")?;
                // A poor move is better than a lost clock.
                match self.engine.session().legal_moves().into_iter().next() {
                    Some(m) if matches!(purpose, Purpose::Move) => {
                        self.answer(Answer { best: m.text, ponder: None }, None, wire)
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Makes the move, or gives the game up; a draw is offered or taken before.
    fn answer(&mut self, answer: Answer, score: Option<Score>, wire: &mut Wire) -> io::Result<()> {
        if let Some(score) = score {
            self.judge.note(score);
        }
        if self.engine.options().resign && self.judge.gives_up() {
            self.over = true;
            return wire.say("resign");
        }
        self.speak_of_a_draw(wire)?;
        self.engine_moves(&answer.best, wire)?;
        self.expected = answer.ponder;
        self.announce_ending(wire)
    }

    /// The opponent offers a draw. What is not taken at once is thought over with the next move.
    pub fn draw_is_offered(&mut self, wire: &mut Wire) -> io::Result<()> {
        if self.plays.is_none() || self.over {
            return Ok(());
        }
        self.offer_stands = true;
        if self.judge.takes_draw(self.engine.session().move_number()) && self.may_speak_of_draws() {
            self.offer_stands = false;
            return wire.say("offer draw");
        }
        Ok(())
    }

    /// Before the engine moves: takes the draw that was offered, or offers one to a person.
    fn speak_of_a_draw(&mut self, wire: &mut Wire) -> io::Result<()> {
        let number = self.engine.session().move_number();
        let takes = std::mem::take(&mut self.offer_stands) && self.judge.takes_draw(number);
        // Programs play on; whoever has set them to it wants to see the end.
        let offers = !self.computer && self.judge.offers_draw(number);
        if (takes || offers) && self.may_speak_of_draws() { wire.say("offer draw") } else { Ok(()) }
    }

    fn may_speak_of_draws(&self) -> bool {
        self.engine.options().offer_draws && !self.refused.iter().any(|feature| feature == "draw")
    }
}
