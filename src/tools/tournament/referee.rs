//! One game, by our rules: whatever the players say, [`Session`] decides what is legal and how the
//! game stands.

use std::time::Duration;

use super::adjudication::{Adjudication, Scores};
use super::control::Clock;
use super::openings::Opening;
use super::player::{Hall, Player, Reply, Said, Thought, Turn};
use super::process::Failure;
use super::schedule::Outcome;
use crate::engine::{LegalMove, Options, Session};
use crate::game::{Color, Ending, MoveError, excerpt};
use crate::records::{RecordedMove, Remark};

/// What holds for all games of a match.
#[derive(Clone)]
pub struct House {
    pub hall: Hall,
    /// The draw rules.
    pub rules: Options,
    pub adjudication: Adjudication,
    /// Are games void, too, that end by a move which our rules forbid?
    pub void_illegal: bool,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    pub outcome: Outcome,
    pub cause: Cause,
    /// Who made a mistake that ended the game, if anybody.
    pub culprit: Option<Color>,
    /// The culprit's dialogue up to then.
    pub dialogue: Vec<String>,
    pub first_fen: String,
    pub moves: Vec<RecordedMove>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// By the rules of the game.
    Rules(Ending),
    Resignation,
    /// Both engines' scores agreed.
    Adjudication,
    /// The process ended, or could not be started.
    Crash,
    /// The clock ran out.
    LostClock,
    /// Where no clock runs: no answer for too long.
    NoAnswer,
    IllegalMove(MoveError),
    /// The game is not over, or not so: who has won by the engine's word.
    FalseClaim(Option<Color>),
    /// The engine calls this legal move of the game illegal.
    Refusal(String),
    /// The match was stopped.
    Interruption,
}

impl Cause {
    /// A short name, the same for all games that ended so.
    pub fn name(&self) -> String {
        match self {
            Cause::Rules(ending) => return ending.reason.to_string(),
            Cause::Resignation => "resignation",
            Cause::Adjudication => "adjudication",
            Cause::Crash => "crash",
            Cause::LostClock => "lost clock",
            Cause::NoAnswer => "no answer",
            Cause::IllegalMove(_) => "illegal move",
            Cause::FalseClaim(_) => "false claim",
            Cause::Refusal(_) => "refusal of a legal move",
            Cause::Interruption => "interruption",
        }
        .into()
    }

    /// What is to be said besides the name.
    pub fn detail(&self) -> Option<String> {
        match self {
            Cause::IllegalMove(MoveError::Illegal { text, why }) => Some(format!("{text}: {why}")),
            Cause::IllegalMove(error) => Some(error.to_string()),
            Cause::FalseClaim(None) => Some("a draw".into()),
            Cause::FalseClaim(Some(winner)) => Some(format!("a win of {winner}")),
            Cause::Refusal(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The word that PGN has for it.
    pub fn termination(&self) -> &'static str {
        match self {
            Cause::Rules(_) | Cause::Resignation => "normal",
            Cause::Adjudication => "adjudication",
            Cause::Crash | Cause::NoAnswer | Cause::Refusal(_) => "abandoned",
            Cause::LostClock => "time forfeit",
            Cause::IllegalMove(_) | Cause::FalseClaim(_) => "rules infraction",
            Cause::Interruption => "unterminated",
        }
    }
}

/// Plays a game; `players` are White and Black.
pub fn play(house: &House, opening: &Opening, players: [&mut Player; 2]) -> Played {
    let mut table = Table::new(house, opening, players);
    let cause = table.play();
    table.close(cause)
}

/// A game while it is played.
struct Table<'a> {
    house: &'a House,
    players: [&'a mut Player; 2],
    session: Box<dyn Session>,
    /// Where the players are told the game began; `None`: the start position.
    first_fen: Option<String>,
    /// The moves so far in coordinates.
    texts: Vec<String>,
    moves: Vec<RecordedMove>,
    clocks: [Clock; 2],
    scores: Scores,
}

/// Why a game ended, whose doing it was, and who won it by that.
struct Close {
    cause: Cause,
    culprit: Option<Color>,
    winner: Option<Color>,
}

impl Close {
    fn lost_by(side: Color, cause: Cause) -> Self {
        Close { cause, culprit: Some(side), winner: Some(!side) }
    }
}

impl<'a> Table<'a> {
    fn new(house: &'a House, opening: &Opening, players: [&'a mut Player; 2]) -> Self {
        let mut session = house.hall.variant.start(&house.rules);
        let texts: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        session
            .set_position(opening.fen.as_deref(), &texts)
            .expect("openings are checked when they are read");
        let clocks = [&players[0], &players[1]].map(|player| Clock::new(player.spec().control));
        let book = session.moves();
        Table {
            house,
            players,
            session,
            first_fen: opening.fen.clone(),
            texts: opening.moves.clone(),
            moves: book
                .into_iter()
                .map(|m| RecordedMove { notation: m.notation, remark: Remark::Book })
                .collect(),
            clocks,
            scores: Scores::default(),
        }
    }

    fn play(&mut self) -> Close {
        for side in [Color::White, Color::Black] {
            if let Err(failure) = self.players[side.index()].new_game() {
                return Self::failed(side, failure);
            }
        }
        loop {
            if let Some(ending) = self.session.ending() {
                return Close { cause: Cause::Rules(ending), culprit: None, winner: ending.winner };
            }
            if let Some(close) = self.half_move() {
                return close;
            }
        }
    }

    /// One player's turn.
    fn half_move(&mut self) -> Option<Close> {
        let side = self.session.side_to_move();
        let turn = Turn {
            first_fen: self.first_fen.as_deref(),
            moves: &self.texts,
            session: &*self.session,
            clocks: &self.clocks,
        };
        let allowance = turn.clock().allowance();
        let reply = match self.players[side.index()].think(&turn) {
            Ok(reply) => reply,
            Err(failure) => return Some(Self::failed(side, failure)),
        };
        let Reply { said, time, thought } = reply;
        if allowance.is_some_and(|allowance| time > allowance + self.house.hall.margin) {
            return Some(Close::lost_by(side, Cause::LostClock));
        }
        let text = match said {
            Said::Move(text) => text,
            Said::Resigns => {
                return Some(Close { cause: Cause::Resignation, culprit: None, winner: Some(!side) });
            }
            // Who says that the other has won gives up.
            Said::Claims(Some(winner)) if winner != side => {
                return Some(Close { cause: Cause::Resignation, culprit: None, winner: Some(winner) });
            }
            Said::Claims(claimed) => return Some(Close::lost_by(side, Cause::FalseClaim(claimed))),
            Said::Refuses(text) => {
                let cause = Cause::Refusal(excerpt(&text));
                return Some(Close { cause, culprit: Some(side), winner: None });
            }
        };
        match self.session.read_move(&text) {
            Ok(m) => self.make(&m, side, time, thought),
            Err(error) => Some(Close::lost_by(side, Cause::IllegalMove(error))),
        }
    }

    fn make(&mut self, m: &LegalMove, side: Color, time: Duration, thought: Thought) -> Option<Close> {
        let number = self.session.move_number();
        self.session.play(&m.text).expect("a legal move in our own words");
        self.clocks[side.index()].spend(time);
        self.texts.push(m.text.clone());
        let Thought { score, depth, .. } = thought;
        self.moves.push(RecordedMove {
            notation: m.notation.clone(),
            remark: Remark::Thought { score, depth, time },
        });
        let agreed = self.scores.add(&self.house.adjudication, side, number, &thought)?;
        // What the rules say comes first.
        self.session.ending().is_none().then_some(Close {
            cause: Cause::Adjudication,
            culprit: None,
            winner: agreed,
        })
    }

    fn failed(side: Color, failure: Failure) -> Close {
        match failure {
            Failure::Crash => Close::lost_by(side, Cause::Crash),
            Failure::LostClock => Close::lost_by(side, Cause::LostClock),
            Failure::Timeout => Close::lost_by(side, Cause::NoAnswer),
            Failure::Interrupted => Close { cause: Cause::Interruption, culprit: None, winner: None },
        }
    }

    /// Tells the players, and starts afresh the one that made a mistake.
    fn close(self, Close { cause, culprit, winner }: Close) -> Played {
        let void = match cause {
            Cause::Refusal(_) | Cause::Interruption => true,
            Cause::IllegalMove(_) => self.house.void_illegal,
            _ => false,
        };
        let outcome = match winner {
            _ if void => Outcome::Void,
            Some(winner) => Outcome::Won(winner),
            None => Outcome::Drawn,
        };
        let mut dialogue = Vec::new();
        for side in [Color::White, Color::Black] {
            let player = &mut *self.players[side.index()];
            if culprit == Some(side) {
                dialogue = player.dialogue();
                player.kill();
            } else {
                player.game_over(outcome.text(), &cause.name());
            }
        }
        Played { outcome, cause, culprit, dialogue, first_fen: self.session.first_fen(), moves: self.moves }
    }
}
