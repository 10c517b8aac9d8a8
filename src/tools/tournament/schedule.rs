//! Who plays whom, and which games are still to be played.
//!
//! Games come in *pairs*: the same two players and the same opening, with colours changed. Where a
//! game of a pair is void, the pair is played again from another opening. All this is a fold over
//! the results in the order they come in: so a match that is resumed stands exactly where its
//! journal ends.

use super::statistics::Tally;
use crate::game::Color;

/// How players meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Everybody plays everybody; two players: a match
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

impl Format {
    /// The pairs of players (numbers from 0) that meet.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Format::RoundRobin => 0..players,
            Format::Gauntlet => 0..1,
        };
        firsts.flat_map(|first| (first + 1..players).map(move |second| [first, second])).collect()
    }
}

/// A game of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Number of the pairing.
    pub pairing: usize,
    /// Number of the pair of games among those of its pairing: all pairings play a round from the
    /// same opening.
    pub round: u32,
    /// How often the pair was void before.
    pub attempt: u32,
    /// 0: the first player of the pairing has White; 1: Black.
    pub leg: usize,
}

/// How a game went into the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won(Color),
    Drawn,
    /// Does not count.
    Void,
}

impl Outcome {
    /// The text that game records use.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::Won(Color::White) => "1-0",
            Outcome::Won(Color::Black) => "0-1",
            Outcome::Drawn => "1/2-1/2",
            Outcome::Void => "*",
        }
    }

    /// Reads what [`Outcome::text`] writes.
    pub fn read(text: &str) -> Option<Outcome> {
        [Outcome::Won(Color::White), Outcome::Won(Color::Black), Outcome::Drawn, Outcome::Void]
            .into_iter()
            .find(|outcome| outcome.text() == text)
    }

    /// Half points of the pairing's first player in the game of that leg: 0, 1 or 2.
    fn half_points(self, leg: usize) -> Option<usize> {
        let first = if leg == 0 { Color::White } else { Color::Black };
        match self {
            Outcome::Won(winner) => Some(if winner == first { 2 } else { 0 }),
            Outcome::Drawn => Some(1),
            Outcome::Void => None,
        }
    }
}

/// A pair whose games were void so often is given up.
pub const MOST_ATTEMPTS: u32 = 10;

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    attempt: u32,
    legs: [Leg; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Leg {
    #[default]
    Open,
    Running,
    /// Half points of the pairing's first player.
    Over(usize),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Play(Ticket),
    /// Nothing now, but a running game may turn out to be void.
    Wait,
    Finished,
}

/// The state of all games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    /// Pair number `round * pairings + pairing`.
    pairs: Vec<Pair>,
    /// No pair before this one is open.
    first_open: usize,
    running: usize,
    tallies: Vec<Tally>,
}

impl Schedule {
    /// A match in which each pairing plays `rounds` pairs of games.
    pub fn new(pairings: Vec<[usize; 2]>, rounds: u32) -> Self {
        Schedule {
            pairs: vec![Pair::default(); pairings.len() * rounds as usize],
            first_open: 0,
            running: 0,
            tallies: vec![Tally::default(); pairings.len()],
            pairings,
        }
    }

    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The score of each pairing, from its first player's view.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Games that are to be played in all.
    pub fn games(&self) -> u64 {
        2 * self.pairs.len() as u64
    }

    /// Games that count so far.
    pub fn played(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    /// Hands out the next game.
    pub fn next(&mut self) -> Next {
        while self.pairs.get(self.first_open).is_some_and(|pair| !pair.is_open()) {
            self.first_open += 1;
        }
        let Some(pair) = self.pairs.get_mut(self.first_open) else {
            return if self.running > 0 { Next::Wait } else { Next::Finished };
        };
        let leg = pair.legs.iter().position(|&leg| leg == Leg::Open).expect("the pair is open");
        pair.legs[leg] = Leg::Running;
        self.running += 1;
        Next::Play(Ticket {
            pairing: self.first_open % self.pairings.len(),
            round: (self.first_open / self.pairings.len()) as u32,
            attempt: pair.attempt,
            leg,
        })
    }

    /// A game that was handed out has ended.
    pub fn finish(&mut self, ticket: Ticket, outcome: Outcome) {
        self.running -= 1;
        self.enter(ticket, outcome);
    }

    /// Enters the result of a game, handed out or from the journal. Results of an attempt that is
    /// void already, and of games that are not part of the match, change nothing.
    pub fn enter(&mut self, ticket: Ticket, outcome: Outcome) {
        let index = ticket.round as usize * self.pairings.len() + ticket.pairing;
        let Some(pair) = self.pairs.get_mut(index) else { return };
        if ticket.pairing >= self.pairings.len() || ticket.attempt != pair.attempt || ticket.leg > 1 {
            return;
        }
        if let Leg::Over(_) = pair.legs[ticket.leg] {
            return;
        }
        let tally = &mut self.tallies[ticket.pairing];
        match outcome.half_points(ticket.leg) {
            Some(points) => {
                pair.legs[ticket.leg] = Leg::Over(points);
                tally.add_game(points);
                if let [Leg::Over(first), Leg::Over(second)] = pair.legs {
                    tally.add_pair(first + second);
                }
            }
            None => {
                for leg in pair.legs {
                    if let Leg::Over(points) = leg {
                        tally.remove_game(points);
                    }
                }
                *pair = Pair { attempt: ticket.attempt + 1, legs: [Leg::Open; 2] };
                self.first_open = self.first_open.min(index);
            }
        }
    }
}

impl Pair {
    /// Is a game of it to be handed out?
    fn is_open(&self) -> bool {
        self.attempt < MOST_ATTEMPTS && self.legs.contains(&Leg::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Outcome = Outcome::Won(Color::White);

    fn ticket(next: Next) -> Ticket {
        match next {
            Next::Play(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn who_meets_whom() {
        assert_eq!(Format::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Format::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Format::Gauntlet.pairings(3), [[0, 1], [0, 2]]);
    }

    #[test]
    fn games_come_in_pairs() {
        let mut schedule = Schedule::new(vec![[0, 1], [0, 2]], 2);
        let mut played = Vec::new();
        while let Next::Play(ticket) = schedule.next() {
            schedule.finish(ticket, WHITE);
            played.push((ticket.round, ticket.pairing, ticket.leg));
        }
        assert_eq!(schedule.next(), Next::Finished);
        let expected =
            [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)];
        assert_eq!(played, expected);
        // White always won: each pair of games is even.
        assert_eq!(schedule.tallies()[0].pairs, [0, 0, 2, 0, 0]);
        assert_eq!(schedule.played(), 8);
    }

    #[test]
    fn void_games_are_replayed_with_their_pair() {
        let mut schedule = Schedule::new(vec![[0, 1]], 2);
        let (a, b) = (ticket(schedule.next()), ticket(schedule.next()));
        schedule.finish(a, WHITE);
        schedule.finish(b, Outcome::Void);
        assert_eq!(schedule.played(), 0);
        let again = ticket(schedule.next());
        assert_eq!((again.round, again.attempt, again.leg), (0, 1, 0));
        // A late result of the first attempt counts for nothing.
        schedule.enter(b, WHITE);
        assert_eq!(schedule.played(), 0);
        schedule.finish(again, Outcome::Drawn);
        for _ in 0..3 {
            let next = ticket(schedule.next());
            schedule.finish(next, Outcome::Drawn);
        }
        assert_eq!(schedule.next(), Next::Finished);
        assert_eq!(schedule.tallies()[0].pairs, [0, 0, 2, 0, 0]);
    }

    #[test]
    fn a_running_game_may_still_be_void() {
        let mut schedule = Schedule::new(vec![[0, 1]], 1);
        let (a, b) = (ticket(schedule.next()), ticket(schedule.next()));
        assert_eq!(schedule.next(), Next::Wait);
        schedule.finish(a, WHITE);
        assert_eq!(schedule.next(), Next::Wait);
        schedule.finish(b, Outcome::Void);
        assert_eq!(ticket(schedule.next()).attempt, 1);
    }

    #[test]
    fn a_pair_that_is_always_void_is_given_up() {
        let mut schedule = Schedule::new(vec![[0, 1]], 1);
        let mut games = 0;
        while let Next::Play(ticket) = schedule.next() {
            schedule.finish(ticket, Outcome::Void);
            games += 1;
        }
        assert_eq!((games, schedule.next()), (MOST_ATTEMPTS, Next::Finished));
    }

    #[test]
    fn a_journal_is_entered_once() {
        let mut schedule = Schedule::new(vec![[0, 1]], 3);
        let game = Ticket { pairing: 0, round: 1, attempt: 0, leg: 1 };
        schedule.enter(game, WHITE);
        schedule.enter(game, WHITE);
        schedule.enter(Ticket { round: 9, ..game }, WHITE);
        schedule.enter(Ticket { pairing: 1, ..game }, WHITE);
        assert_eq!(schedule.played(), 1);
        let mut left = 0;
        while let Next::Play(ticket) = schedule.next() {
            assert_ne!(ticket, game);
            schedule.finish(ticket, WHITE);
            left += 1;
        }
        assert_eq!(left, 5);
    }
}
