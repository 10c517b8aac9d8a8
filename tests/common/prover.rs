//! A prover: what a side can force within so many plies, by exhaustive search.
//!
//! It knows the rules of a game and nothing of its strategy: no evaluation, no pruning beyond what a proof
//! allows, nothing of the engine's search. A line ends with the game, or where the endgame tables know how it
//! ends (which have proofs of their own). Repetition and move counters are left aside. That is sound: who wins
//! in the fewest moves comes nearer to the end with every move, so that nothing is repeated on the way.

use alfonso::game::{self, Color, MoveList, Position};

/// What is to be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Win,
    /// A draw at least.
    Draw,
}

/// What is known of a position: the entry that stands in its place of the table.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    /// Forced within this many plies …
    proven: Option<u8>,
    /// … and not within this many.
    refuted: Option<u8>,
    /// Fingerprint of the move that decided, 0 for none.
    best: u16,
}

/// Proves what one side can force.
pub struct Prover {
    side: Color,
    goal: Goal,
    table: Vec<Known>,
    /// How often a move to a slot has refuted, for the order of replies.
    refutations: Vec<u32>,
}

const TABLE_BITS: u32 = 20;

impl Prover {
    /// A prover of whether `side` can force `goal`.
    pub fn new<P: Position>(side: Color, goal: Goal) -> Self {
        Prover {
            side,
            goal,
            table: vec![Known::default(); 1 << TABLE_BITS],
            refutations: vec![0; P::HISTORY_SLOTS],
        }
    }

    /// As [`Prover::forces`], for trees that are deep and narrow: shorter lines are looked at first, so that what
    /// decides in them orders the moves of the longer ones.
    pub fn forces_within<P: Position>(&mut self, position: &P, plies: u8) -> bool {
        (0..=plies).any(|plies| self.forces(position, plies))
    }

    /// Can the side force its goal within so many plies, however the other side plays?
    pub fn forces<P: Position>(&mut self, position: &P, plies: u8) -> bool {
        if let Some(ending) = position.ending_at_sight() {
            return self.is_reached(ending.winner);
        }
        if let Some(known) = position.known_value() {
            return self.is_reached(winner(known, position.side_to_move()));
        }
        if plies == 0 {
            return position.count_moves() == 0 && self.is_reached(position.ending_without_moves().winner);
        }
        let known = self.known(position.key());
        if known.proven.is_some_and(|proven| proven <= plies) {
            return true;
        }
        if known.refuted.is_some_and(|refuted| refuted >= plies) {
            return false;
        }
        let mut moves = legal_moves(position);
        if moves.is_empty() {
            return self.is_reached(position.ending_without_moves().winner);
        }
        let ours = position.side_to_move() == self.side;
        // A last ply needs no order.
        if plies > 1 {
            self.sort(position, &mut moves, known.best, ours);
        }
        let deciding = moves.into_iter().find(|&m| self.forces(&after(position, m), plies - 1) == ours);
        if let Some(m) = deciding.filter(|_| !ours) {
            self.refutations[position.history_slot(m)] += u32::from(plies);
        }
        let forced = deciding.is_some() == ours;
        self.remember(position.key(), plies, forced, deciding.map_or(0, |m| position.name(m)));
        forced
    }

    fn is_reached(&self, winner: Option<Color>) -> bool {
        match winner {
            Some(winner) => winner == self.side,
            None => self.goal == Goal::Draw,
        }
    }

    /// What decided before comes first; then, of our moves, those that leave the fewest replies, and of the
    /// replies those that take and those that have refuted often.
    fn sort<P: Position>(&self, position: &P, moves: &mut [P::Move], best: u16, ours: bool) {
        moves.sort_by_cached_key(|&m| {
            if position.name(m) == best {
                return i64::MIN;
            }
            if ours {
                return after(position, m).count_moves() as i64;
            }
            let gain = if position.is_noisy(m) { i64::from(position.noisy_value(m)) << 32 } else { 0 };
            -gain - i64::from(self.refutations[position.history_slot(m)])
        });
    }

    fn known(&self, key: u64) -> Known {
        let known = self.table[place(key)];
        if known.key == key { known } else { Known::default() }
    }

    fn remember(&mut self, key: u64, plies: u8, forced: bool, best: u16) {
        let mut known = self.known(key);
        known.key = key;
        if forced {
            known.proven = Some(plies);
        } else {
            known.refuted = Some(plies);
        }
        if best != 0 {
            known.best = best;
        }
        self.table[place(key)] = known;
    }
}

/// Who wins where it is known how the game ends for the side to move.
fn winner(known: game::Known, side: Color) -> Option<Color> {
    match known {
        game::Known::Win(_) => Some(side),
        game::Known::Draw => None,
        game::Known::Loss(_) => Some(!side),
    }
}

/// In less room than a list has for the worst of all games. Never inlined, so that no recursion has that
/// list in each of its frames.
#[inline(never)]
pub fn legal_moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
}

fn place(key: u64) -> usize {
    (key >> (u64::BITS - TABLE_BITS)) as usize
}

/// The position after a legal move.
pub fn after<P: Position>(position: &P, m: P::Move) -> P {
    let mut next = position.clone();
    next.play(m);
    next
}
