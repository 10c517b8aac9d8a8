//! One thread's search: what it carries from node to node, and what every node asks.

use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::control::Control;
use super::history::{History, Past};
use super::ordering::MoveStack;
use super::score::{DRAW, EVALUATION_LIMIT, INFINITE, MAX_PLY, known_at, lost_at, won_at};
use super::time::TimeBudget;
use super::transposition::{Bound, Entry, NO_EVALUATION, Table};
use crate::game::{Ending, Position};

/// A thread's counters of nodes and of positions known for certain, alone on their cache line so that counting
/// disturbs nobody.
#[derive(Default)]
#[repr(align(128))]
pub struct Counters {
    nodes: AtomicU64,
    known: AtomicU64,
}

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub budget: TimeBudget,
    /// Nodes of all threads together after which the search ends.
    pub node_limit: u64,
    /// Are some legal moves kept from the root?
    pub restricted_root: bool,
    /// A seed: choose by it among root moves of about equal worth.
    pub variety: Option<u64>,
    pub counters: Box<[Counters]>,
    /// Is the search to ask what is known for certain of positions?
    pub ask_known: bool,
    /// Positions known for certain that were asked for before the search.
    pub known_before: u64,
    /// The first thread is done; the others are to end.
    pub done: AtomicBool,
}

impl Shared<'_> {
    /// Nodes of all threads together.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// Positions known for certain that were met, by all threads together.
    pub fn known(&self) -> u64 {
        self.known_before + self.counters.iter().map(|counter| counter.known.load(Relaxed)).sum::<u64>()
    }
}

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub m: M,
    /// Place among the moves that the search was given.
    pub number: u32,
    /// Centipawns on top of what the search finds, for variety between games; else 0.
    pub bonus: i32,
    /// Score of the present iteration; `-INFINITE` while it has none.
    pub score: i32,
    /// The line that begins with `m`.
    pub pv: Vec<M>,
    /// The longest line of the principal variation that this search of the root had looked at after this move, in plies.
    pub seldepth: usize,
    /// Nodes that this thread has spent below this move.
    pub nodes: u64,
}

/// What kind of node a piece of the search serves: one generic function for all.
pub trait NodeType {
    /// On the principal variation: a full window, a line to report.
    const PV: bool;
    const ROOT: bool;
}

pub struct Root;
pub struct Pv;
pub struct Cut;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for Cut {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// One thread's search.
pub struct Worker<'a, P: Position> {
    pub(super) shared: &'a Shared<'a>,
    index: usize,
    /// Root moves; those before `first_root_move` already belong to better lines (MultiPV).
    pub root_moves: Vec<RootMove<P::Move>>,
    pub first_root_move: usize,
    /// Depth of the present iteration, in plies.
    pub root_depth: i32,
    /// Cut nothing that is not proven, and trust no score that was found otherwise.
    pub exhaustive: bool,
    /// Keys of the positions that may be repeated: of the game, then of the line being searched.
    pub(super) keys: Vec<u64>,
    /// How many of `keys` are of the game.
    game_keys: usize,
    /// Keys before this index lie behind a null move and repeat nothing.
    pub(super) null_barrier: usize,
    pub(super) history: MutexGuard<'a, History>,
    pub(super) moves: MoveStack<P>,
    /// By ply.
    pub(super) frames: Vec<Frame>,
    /// `lines[ply]` is the best line found from that ply on.
    pub(super) lines: Vec<Vec<P::Move>>,
    nodes: u64,
    /// At so many nodes it is time to look around.
    next_look: u64,
    known: u64,
    pub(super) seldepth: usize,
    /// Is the search to end as soon as it does not ponder any more?
    pub ends_when_hit: bool,
    stopped: bool,
}

/// What a node leaves for the nodes below it.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// Corrected static evaluation, [`NO_EVALUATION`] where the side to move was forced.
    pub evaluation: i32,
    /// [`Position::history_slot`] of the move under way; [`Position::HISTORY_SLOTS`] where there is none.
    pub played: usize,
    /// Is the move under way a null move?
    pub passed: bool,
    /// Name of a move that is left out, or 0.
    pub excluded: u16,
}

/// A thread looks at the clock, and at what the others do, once in so many nodes.
const NODES_A_LOOK: u64 = 256;

impl<'a, P: Position> Worker<'a, P> {
    /// The worker of thread `index`; `game_keys` as [`crate::game::Game::reversible_keys`] gives them.
    pub fn new(
        shared: &'a Shared<'a>,
        index: usize,
        mut history: MutexGuard<'a, History>,
        position: &P,
        root_moves: &[P::Move],
        game_keys: &[u64],
    ) -> Self {
        history.begin_search::<P>();
        let root_move = |(number, &m): (u32, &P::Move)| RootMove {
            m,
            number,
            bonus: shared.variety.map_or(0, |seed| bonus(seed, position.name(m))),
            score: -INFINITE,
            pv: vec![m],
            seldepth: 0,
            nodes: 0,
        };
        Worker {
            shared,
            index,
            root_moves: (0..).zip(root_moves).map(root_move).collect(),
            first_root_move: 0,
            root_depth: 0,
            exhaustive: false,
            keys: game_keys.to_vec(),
            game_keys: game_keys.len(),
            null_barrier: 0,
            history,
            moves: MoveStack::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            next_look: next_look(shared, 0),
            known: 0,
            seldepth: 0,
            ends_when_hit: false,
            stopped: false,
        }
    }

    /// The thread, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Nodes of this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Has this thread broken off? Then the last score is worth nothing.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// What the evaluation of `position` says, if it is not `known`, and the same corrected by what the search has
    /// learnt of such positions and after such moves.
    pub(super) fn evaluate(&self, position: &P, past: &Past, known: Option<i32>) -> (i32, i32) {
        let raw = known.unwrap_or_else(|| evaluate(position));
        let corrected = raw + self.history.correction(past);
        (raw, corrected.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT))
    }

    /// Where a node at `ply` stands in the statistics of moves.
    #[inline(always)]
    pub(super) fn past(&self, position: &P, ply: usize) -> Past {
        let played =
            |back: usize| ply.checked_sub(back).map_or(P::HISTORY_SLOTS, |ply| self.frames[ply].played);
        History::past(position, [played(1), played(2)])
    }

    /// Does the side to move at `ply` stand better than at its last move that was not out of check?
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let before = |back: usize| {
            let evaluation = self.frames[ply.checked_sub(back)?].evaluation;
            (evaluation != NO_EVALUATION).then_some(evaluation)
        };
        before(2).or_else(|| before(4)).is_some_and(|before| self.frames[ply].evaluation > before)
    }

    /// Counts the node, unless the search is to end.
    pub(super) fn enter<N: NodeType>(&mut self, ply: usize) {
        if self.nodes >= self.next_look {
            self.look_around();
        }
        if self.stopped {
            return;
        }
        self.nodes += 1;
        if N::PV {
            self.lines[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if N::ROOT {
            self.seldepth = 0;
        }
    }

    /// Tells the others how far this thread has come, and sees whether the search is to end.
    fn look_around(&mut self) {
        self.publish();
        self.stopped = self.stopped
            || self.shared.control.stopped()
            || self.shared.done.load(Relaxed)
            // The first thread alone looks at the limits.
            || (self.index == 0 && self.is_at_a_limit());
        self.next_look = next_look(self.shared, self.nodes);
    }

    /// Makes known how many nodes this thread has searched.
    pub(super) fn publish(&self) {
        let counters = &self.shared.counters[self.index];
        counters.nodes.store(self.nodes, Relaxed);
        counters.known.store(self.known, Relaxed);
    }

    /// Is there no node or no time left for one more?
    fn is_at_a_limit(&self) -> bool {
        let nodes = self.shared.nodes();
        self.shared.control.progress().nodes.store(nodes, Relaxed);
        let control = self.shared.control;
        let too_late = || self.shared.budget.hard.is_some_and(|hard| control.elapsed() >= hard);
        nodes >= self.shared.node_limit || (!control.pondering() && (self.ends_when_hit || too_late()))
    }

    /// Where the table keeps a position: apart for proofs, which ask more of an entry. There a draw by the
    /// counters must not be taken for that of a position in which they stand otherwise.
    pub(super) fn table_key(&self, position: &P) -> u64 {
        const PROOF: u64 = 0x6A09_E667_F3BC_C909;
        if !self.exhaustive {
            return position.key();
        }
        let left = position.plies_to_draw();
        let near = if left as i32 <= 2 * self.root_depth { u64::from(left) + 1 } else { 0 };
        position.key() ^ (2 * near + 1).wrapping_mul(PROOF)
    }

    /// The score of a position in which the game is over or drawn.
    pub(super) fn known_result(&self, position: &P, ply: usize) -> Option<i32> {
        if let Some(ending) = position.ending_at_sight() {
            return Some(score_of(ending, position, ply));
        }
        if self.repeats(position) {
            return Some(DRAW);
        }
        // An ending on the board comes before a draw by the counters.
        position.draw_by_rule().map(|_| match position.count_moves() {
            0 => score_of(position.ending_without_moves(), position, ply),
            _ => DRAW,
        })
    }

    /// The score of a position of which the value is known for certain. Not in proofs of a mate, to which it
    /// says nothing.
    pub(super) fn known_score(&mut self, position: &P, ply: usize) -> Option<i32> {
        if !self.shared.ask_known || self.exhaustive {
            return None;
        }
        let known = position.known_value()?;
        self.known += 1;
        Some(known_at(known, ply))
    }

    /// Does the position repeat one of the line being searched, or two of the game before it?
    fn repeats(&self, position: &P) -> bool {
        // After fewer plies than this a position cannot be back: each side has moved away and back.
        const LEAST: usize = 4;
        let key = position.key();
        let oldest = (self.keys.len().saturating_sub(position.reversible_plies())).max(self.null_barrier);
        let mut seen = 0;
        // The position itself is not on the list yet.
        let mut end = self.keys.len();
        while end >= oldest + LEAST {
            let index = end - LEAST;
            if self.keys[index] == key {
                seen += 1;
                if index >= self.game_keys || seen == 2 {
                    return true;
                }
            }
            // The same side is to move every second ply only.
            end -= 2;
        }
        false
    }

    /// The best line from `ply` is `m` and the best line after it.
    pub(super) fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }
}

/// When a thread with so many nodes looks around next. Not at once: even a search that comes too late is to find something.
fn next_look(shared: &Shared, nodes: u64) -> u64 {
    let next = nodes + NODES_A_LOOK;
    // A thread alone keeps to the limit exactly.
    if shared.counters.len() == 1 { next.min(shared.node_limit) } else { next }
}

/// The best of a node's moves.
pub(super) struct Found<M> {
    pub score: i32,
    /// The best move, if any raised alpha.
    pub best: Option<M>,
}

/// What a root move gets on top of its score, from 0 to 20 centipawns: drawn by the seed and the move's name.
fn bonus(seed: u64, name: u16) -> i32 {
    const LARGEST: u64 = 20;
    // The mixing step of SplitMix64 (Vigna, public domain).
    let mut mixed = seed ^ u64::from(name).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) % (LARGEST + 1)) as i32
}

/// Does a stored score settle the window?
pub(super) fn cuts(entry: Entry, alpha: i32, beta: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Static evaluation, kept to its band.
pub(super) fn evaluate<P: Position>(position: &P) -> i32 {
    let score = position.evaluate();
    debug_assert!(score.abs() <= EVALUATION_LIMIT, "{score}");
    score
}

/// An ending as a score of the side to move, `ply` plies from the root.
pub(super) fn score_of<P: Position>(ending: Ending, position: &P, ply: usize) -> i32 {
    match ending.winner {
        None => DRAW,
        Some(winner) if winner == position.side_to_move() => won_at(ply),
        Some(_) => lost_at(ply),
    }
}
