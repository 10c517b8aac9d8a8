//! One game of the engine against itself, and which of its positions are kept.

use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, bail};

use super::stop::Stop;
use crate::engine::{Options, Playable};
use crate::game::{Color, Ending, Game, Known, Position};
use crate::records::positions::{GameResult, PositionsOfGame, RecordedPosition};
use crate::search::score::is_decided;
use crate::search::{self, Limits, Settings, Table, Threads};

/// The table of a game is small: it is cleared for each.
const HASH_MIB: usize = 8;

/// Openings that are tried for a game, at most.
const PATIENCE: u32 = 1000;

/// A game is given when one side has stood better by this, in centipawns, for [`DECIDED_PLIES`] in a row,
/// by the searches of both sides.
const DECIDED_SCORE: i32 = 2500;
const DECIDED_PLIES: u32 = 8;

/// A game of so many plies is a draw.
const MOST_PLIES: usize = 600;

/// What decides, with a game's number, how it goes.
pub struct Plan {
    /// Nodes of each search.
    pub nodes: u64,
    pub seed: u64,
    /// How many moves are drawn by lot at the beginning.
    pub random_plies: RangeInclusive<u32>,
    /// Centipawns that either side may stand better after them.
    pub window: i32,
    /// One of so many quiet positions is kept.
    pub sample: u32,
}

/// Plays games one after another, on one thread.
pub struct Player<'a, P: Playable> {
    plan: &'a Plan,
    table: Table,
    threads: Threads,
    limits: Limits,
    game: PhantomData<P>,
}

/// What a search found: its move, and the score from White's view.
struct Found<P: Position> {
    best: P::Move,
    score: i32,
}

impl<'a, P: Playable> Player<'a, P> {
    /// # Errors
    /// Where memory or a thread is missing.
    pub fn new(plan: &'a Plan) -> anyhow::Result<Self> {
        let (table, threads) = (Table::new(HASH_MIB, 0)?, Threads::new(1).context("a thread")?);
        let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
        Ok(Player { plan, table, threads, limits, game: PhantomData })
    }

    /// Plays the game with this number, which depends on nothing else; `None` where it was stopped.
    ///
    /// # Errors
    /// Where no opening suits the plan.
    pub fn play_game(&mut self, number: u64, stop: &Stop) -> anyhow::Result<Option<PositionsOfGame>> {
        // Neighbouring numbers must not give neighbouring states.
        let mut random =
            fastrand::Rng::with_seed(self.plan.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.table.clear(&self.threads);
        let Some(mut game) = self.opening(&mut random, stop)? else { return Ok(None) };
        let (mut positions, mut seen, mut lead) = (Vec::new(), HashSet::new(), Lead::default());
        let (winner, reason) = loop {
            if let Some(Ending { winner, reason }) = game.ending() {
                break (winner, reason.to_string());
            }
            if game.moves().len() >= MOST_PLIES {
                break (None, "too long".to_owned());
            }
            if let Some(known) = game.position().known_value() {
                break (winner_for(game.position().side_to_move(), known), "endgame tables".to_owned());
            }
            let Some(found) = self.search(&game, stop) else { return Ok(None) };
            let position = game.position();
            if is_quiet(position, &found)
                && seen.insert(position.key())
                && random.u32(..self.plan.sample) == 0
            {
                positions.push(RecordedPosition { score: found.score, fen: position.fen() });
            }
            if let Some(winner) = lead.add(found.score) {
                break (Some(winner), "decided".to_owned());
            }
            game.play(found.best);
        };
        let (result, plies) = (GameResult::of(winner), game.moves().len());
        Ok(Some(PositionsOfGame { number, result, reason, plies, positions }))
    }

    /// A game after its random moves, neither over nor lopsided; `None` where it was stopped.
    fn opening(&self, random: &mut fastrand::Rng, stop: &Stop) -> anyhow::Result<Option<Game<P>>> {
        for _ in 0..PATIENCE {
            let mut game = Game::new(P::start(P::rules_of(&Options::default())));
            for _ in 0..random.u32(self.plan.random_plies.clone()) {
                if let Some(m) = random.choice(game.legal_moves()) {
                    game.play(m);
                }
            }
            if game.ending().is_some() {
                continue;
            }
            let Some(found) = self.search(&game, stop) else { return Ok(None) };
            if found.score.abs() <= self.plan.window {
                return Ok(Some(game));
            }
        }
        let Plan { random_plies, window, .. } = self.plan;
        bail!(
            "none of {PATIENCE} openings of {random_plies:?} random moves is balanced within {window} centipawns"
        )
    }

    /// `None` where it was stopped: half a search is not what the number of nodes asks for.
    fn search(&self, game: &Game<P>, stop: &Stop) -> Option<Found<P>> {
        let control = stop.begin_search()?;
        let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
        let score = AtomicI32::new(0);
        let workshop = (&self.table, &self.threads, &*control);
        let best = search::search(game, &self.limits, &[], settings, workshop, &|info| {
            score.store(info.score, Relaxed);
        });
        let score = score.into_inner();
        let white = game.position().side_to_move() == Color::White;
        let found = Found { best: best.m, score: if white { score } else { -score } };
        (!control.stopped()).then_some(found)
    }
}

/// Does the evaluation of the position alone say how it stands? Only such positions tell how good it is.
fn is_quiet<P: Position>(position: &P, found: &Found<P>) -> bool {
    !position.in_check()
        && position.may_stand_pat()
        && !position.is_threatened()
        && !position.is_noisy(found.best)
        && !is_decided(found.score)
}

/// Who wins, where that is known for the side to move.
fn winner_for(side: Color, known: Known) -> Option<Color> {
    match known {
        Known::Win(_) => Some(side),
        Known::Draw => None,
        Known::Loss(_) => Some(!side),
    }
}

/// Who has been far ahead, and for how long.
#[derive(Default)]
struct Lead {
    white: bool,
    plies: u32,
}

impl Lead {
    /// Takes note of the score of a ply, from White's view. Gives the winner of a decided game.
    fn add(&mut self, score: i32) -> Option<Color> {
        let white = score > 0;
        let goes_on = score.abs() >= DECIDED_SCORE;
        let before = if white == self.white { self.plies } else { 0 };
        *self = Lead { white, plies: if goes_on { before + 1 } else { 0 } };
        (self.plies >= DECIDED_PLIES).then_some(if white { Color::White } else { Color::Black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{acedrex, draughts};

    const PLAN: Plan = Plan { nodes: 100, seed: 7, random_plies: 4..=6, window: 200, sample: 1 };

    fn play<P: Playable>(plan: &Plan, number: u64) -> PositionsOfGame {
        let game = Player::<P>::new(plan).unwrap().play_game(number, &Stop::default());
        game.unwrap().expect("nobody stops it")
    }

    /// Only what may stand pat is kept, each position once and after the random moves.
    fn check_positions<P: Playable>() {
        let game = play::<P>(&PLAN, 1);
        assert!(game.positions.len() > 10, "{game}");
        let mut seen = HashSet::new();
        for RecordedPosition { score, fen } in &game.positions {
            let position = P::from_fen(fen, P::Rules::default()).unwrap();
            assert!(seen.insert(position.key()), "{fen}");
            assert!(!position.in_check() && position.may_stand_pat(), "{fen}");
            assert!(!is_decided(*score), "{fen}");
            assert!(position.move_number() >= 3, "{fen}");
        }
    }

    #[test]
    fn positions_are_quiet_and_different() {
        check_positions::<acedrex::Position>();
        check_positions::<draughts::Position>();
    }

    #[test]
    fn a_game_depends_on_seed_and_number_alone() {
        let mut player = Player::<draughts::Position>::new(&PLAN).unwrap();
        let stop = Stop::default();
        for number in [3, 1, 2, 3] {
            let game = player.play_game(number, &stop).unwrap().unwrap();
            assert_eq!(game, play::<draughts::Position>(&PLAN, number));
        }
        let other = play::<draughts::Position>(&Plan { seed: 8, ..PLAN }, 3);
        assert_ne!(other.positions, play::<draughts::Position>(&PLAN, 3).positions);
    }

    #[test]
    fn a_sample_is_a_part() {
        let count = |sample| play::<draughts::Position>(&Plan { sample, ..PLAN }, 1).positions.len();
        assert!(count(4) < count(1));
    }

    #[test]
    fn what_cannot_be_balanced_is_refused() {
        let plan = Plan { window: -1, ..PLAN };
        let mut player = Player::<draughts::Position>::new(&plan).unwrap();
        assert!(player.play_game(1, &Stop::default()).is_err());
    }

    #[test]
    fn a_lead_must_last() {
        let mut lead = Lead::default();
        let mut say = |score| lead.add(score);
        assert!((1..DECIDED_PLIES).all(|_| say(DECIDED_SCORE).is_none()));
        assert_eq!(say(DECIDED_SCORE - 1), None);
        assert!((1..DECIDED_PLIES).all(|_| say(DECIDED_SCORE).is_none()));
        assert!((1..DECIDED_PLIES).all(|_| say(-DECIDED_SCORE).is_none()));
        assert_eq!(say(-DECIDED_SCORE), Some(Color::Black));
    }
}
