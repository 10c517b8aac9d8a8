//! A game in progress behind one face, whichever game it is: all in text, as protocols need it.

use std::time::Duration;

use thiserror::Error;

use super::options::Options;
use super::variant::{Playable, Variant};
use crate::game::{Color, Ending, FenError, Game, MoveError, MoveParts, Position, Reason, Term};
use crate::search::score::{Score, win_draw_loss};
use crate::search::{self, Bound, Control, Limits, Settings, Table, Threads, perft};

/// A legal move in every form a protocol may need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// Coordinates, as UCI writes them.
    pub text: String,
    /// The game's own notation.
    pub notation: String,
    pub parts: MoveParts,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies of the iteration.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: usize,
    /// Rank of the line, from 1.
    pub multi_pv: usize,
    /// From the view of the side to move.
    pub score: Score,
    pub bound: Bound,
    /// Chances of a win, a draw and a loss in thousandths.
    pub win_draw_loss: [u16; 3],
    pub nodes: u64,
    /// Positions met that endgame tables know.
    pub table_hits: u64,
    pub time: Duration,
    /// Thousandths of the table filled by this search.
    pub per_mille_full: u16,
    /// The line, in coordinates; never empty.
    pub pv: Vec<String>,
}

impl Report {
    /// Nodes a second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// What a search answers, in coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub best: String,
    /// The reply it expects.
    pub ponder: Option<String>,
}

/// What a search works with.
pub struct Workshop<'a> {
    pub table: &'a Table,
    pub threads: &'a Threads,
    pub control: &'a Control,
    pub settings: Settings,
}

/// A position that could not be set up; the old one stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A FEN that another game can read.
    #[error("a FEN of {}, but the variant is {}; choose the other one first", of.name(), chosen.name())]
    OtherVariant { of: Variant, chosen: Variant },
    /// One of the moves; `number` counts from 1.
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveError },
    /// A move after the end of the game.
    #[error("move {number}: '{text}' comes after the end of the game ({reason})")]
    Over { number: usize, text: String, reason: Reason },
}

/// A game in progress.
pub trait Session: Send + Sync {
    fn variant(&self) -> Variant;
    fn clone_box(&self) -> Box<dyn Session>;
    /// Takes up the rules that the options ask for.
    fn set_rules(&mut self, options: &Options);

    /// Another game: from the start position or a FEN, with the moves played from there.
    /// On an error nothing changes.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError>;
    /// Plays a move given as text.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;
    /// Takes a move back; false where there is none.
    fn undo(&mut self) -> bool;

    fn fen(&self) -> String;
    /// The FEN the game began with.
    fn first_fen(&self) -> String;
    fn key(&self) -> u64;
    fn side_to_move(&self) -> Color;
    fn move_number(&self) -> u32;
    /// Plies played since the first position.
    fn plies(&self) -> usize;
    /// The board as text, `bottom`'s side below.
    fn diagram(&self, bottom: Color) -> String;
    /// The letters of the pieces and how they move.
    fn legend(&self) -> &'static str;
    fn checkers(&self) -> Vec<String>;
    /// The rule that narrows the legal moves, told to people.
    fn constraint(&self) -> Option<String>;
    /// The moves so far, each as it was legal in its position.
    fn moves(&self) -> Vec<LegalMove>;
    fn legal_moves(&self) -> Vec<LegalMove>;
    /// The squares of the pieces that a legal move may take next on its way, after those on `taken` in
    /// this order; none where the way is complete, `None` where the move cannot begin so.
    fn next_victims(&self, m: &LegalMove, taken: &[String]) -> Option<Vec<String>>;
    /// A legal move given in any form that the game's readers take.
    fn read_move(&self, text: &str) -> Result<LegalMove, MoveError>;
    /// How the game stands, draws included; `None` while it goes on.
    fn ending(&self) -> Option<Ending>;
    /// How the game stands by what is on the board: there is no move to play exactly if this is `Some`.
    fn ending_of_play(&self) -> Option<Ending>;
    /// The static evaluation in centipawns from White's view, taken apart and in all.
    fn evaluation(&self) -> (Vec<Term>, i32);

    /// Searches; the game must not be over on the board, and `search_moves` must be legal.
    fn search(
        &self,
        limits: &Limits,
        search_moves: &[String],
        workshop: &Workshop,
        report: &(dyn Fn(Report) + Sync),
    ) -> Answer;
    /// Counts the move tree under each legal move; `None` where it was stopped.
    fn divide(&self, depth: u32, threads: &Threads, control: &Control) -> Option<Vec<(String, u64)>>;
}

impl<P: Playable> Session for Game<P> {
    fn variant(&self) -> Variant {
        P::WHICH
    }

    fn clone_box(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn set_rules(&mut self, options: &Options) {
        Game::set_rules(self, P::rules_of(options));
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let rules = self.position().rules();
        let first = match fen {
            Some(fen) => P::from_fen(fen, rules).map_err(|error| match P::WHICH.other_that_reads(fen) {
                Some(of) => PositionError::OtherVariant { of, chosen: P::WHICH },
                None => error.into(),
            })?,
            None => P::start(rules),
        };
        let mut game = Game::new(first);
        for (index, text) in moves.iter().enumerate() {
            let number = index + 1;
            match game.position().parse_move(text) {
                Ok(m) => game.play(m),
                Err(error) => {
                    return Err(match game.ending_of_play() {
                        Some(Ending { reason, .. }) => {
                            PositionError::Over { number, text: crate::game::excerpt(text), reason }
                        }
                        None => PositionError::Move { number, error },
                    });
                }
            }
        }
        *self = game;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let m = self.position().parse_move(text)?;
        Game::play(self, m);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        Game::undo(self).is_some()
    }

    fn fen(&self) -> String {
        self.position().fen()
    }

    fn first_fen(&self) -> String {
        self.positions()[0].fen()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    fn move_number(&self) -> u32 {
        self.position().move_number()
    }

    fn plies(&self) -> usize {
        Game::moves(self).len()
    }

    fn diagram(&self, bottom: Color) -> String {
        self.position().diagram(bottom)
    }

    fn legend(&self) -> &'static str {
        P::LEGEND
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers()
    }

    fn constraint(&self) -> Option<String> {
        self.position().constraint()
    }

    fn moves(&self) -> Vec<LegalMove> {
        Game::moves(self).iter().zip(self.positions()).map(|(&m, position)| legal_move(position, m)).collect()
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        Game::legal_moves(self).iter().map(|&m| legal_move(self.position(), m)).collect()
    }

    fn next_victims(&self, m: &LegalMove, taken: &[String]) -> Option<Vec<String>> {
        let m = self.position().parse_move(&m.text).ok()?;
        self.position().next_victims(m, taken)
    }

    fn read_move(&self, text: &str) -> Result<LegalMove, MoveError> {
        Ok(legal_move(self.position(), self.position().parse_move(text)?))
    }

    fn ending(&self) -> Option<Ending> {
        Game::ending(self)
    }

    fn ending_of_play(&self) -> Option<Ending> {
        Game::ending_of_play(self)
    }

    fn evaluation(&self) -> (Vec<Term>, i32) {
        let position = self.position();
        let score = position.evaluate();
        let for_white = if position.side_to_move() == Color::White { score } else { -score };
        (position.evaluation_terms(), for_white)
    }

    fn search(
        &self,
        limits: &Limits,
        search_moves: &[String],
        workshop: &Workshop,
        report: &(dyn Fn(Report) + Sync),
    ) -> Answer {
        let position = self.position();
        let search_moves: Vec<P::Move> = search_moves
            .iter()
            .map(|text| position.parse_move(text).expect("the caller checked it"))
            .collect();
        let best = search::search(
            self,
            limits,
            &search_moves,
            workshop.settings,
            (workshop.table, workshop.threads, workshop.control),
            &|info| {
                report(Report {
                    depth: info.depth,
                    seldepth: info.seldepth,
                    multi_pv: info.multi_pv,
                    score: info.score.into(),
                    bound: info.bound,
                    win_draw_loss: win_draw_loss(info.score),
                    nodes: info.nodes,
                    table_hits: info.known,
                    time: info.time,
                    per_mille_full: info.per_mille_full,
                    pv: line_text(position, &info.pv),
                });
            },
        );
        let mut line =
            line_text(position, &[Some(best.m), best.ponder].into_iter().flatten().collect::<Vec<_>>());
        let ponder = if line.len() > 1 { line.pop() } else { None };
        Answer { best: line.swap_remove(0), ponder }
    }

    fn divide(&self, depth: u32, threads: &Threads, control: &Control) -> Option<Vec<(String, u64)>> {
        let counts = perft::divide(self.position(), depth, threads, control)?;
        Some(counts.into_iter().map(|(m, count)| (self.position().move_text(m), count)).collect())
    }
}

fn legal_move<P: Position>(position: &P, m: P::Move) -> LegalMove {
    LegalMove { text: position.move_text(m), notation: position.notation(m), parts: position.move_parts(m) }
}

/// Coordinates of the moves of a line from `position`.
fn line_text<P: Position>(position: &P, line: &[P::Move]) -> Vec<String> {
    let mut position = position.clone();
    line.iter()
        .map(|&m| {
            let text = position.move_text(m);
            position.play(m);
            text
        })
        .collect()
}
