//! The tree: principal variation search and quiescence.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::control::Control;
use super::history::History;
use super::ordering::{MoveStack, NodeMoves};
use super::score::{DRAW, EVALUATION_LIMIT, INFINITE, MATE_BOUND, MAX_PLY, is_mate, lost_at, won_at};
use super::time::TimeBudget;
use super::transposition::{Bound, Entry, NO_EVALUATION, Table};
use crate::game::{Ending, Move, Position};

/// A thread's node counter, alone on its cache line so that counting disturbs nobody.
#[derive(Default)]
#[repr(align(128))]
pub struct NodeCounter(AtomicU64);

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub budget: TimeBudget,
    /// Nodes of all threads together after which the search ends.
    pub node_limit: u64,
    /// Are some legal moves kept from the root?
    pub restricted_root: bool,
    pub reductions: Reductions,
    pub counters: Box<[NodeCounter]>,
    /// The first thread is done; the others are to end.
    pub done: AtomicBool,
}

impl Shared<'_> {
    /// Nodes of all threads together.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }
}

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub m: M,
    /// Score of the present iteration; `-INFINITE` while it has none.
    pub score: i32,
    /// The line that begins with `m`.
    pub pv: Vec<M>,
    /// The longest line looked at below this move, in plies.
    pub seldepth: usize,
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
    shared: &'a Shared<'a>,
    index: usize,
    /// Root moves; those before `first_root_move` already belong to better lines (MultiPV).
    pub root_moves: Vec<RootMove<P::Move>>,
    pub first_root_move: usize,
    /// Depth of the present iteration, in plies.
    pub root_depth: i32,
    /// Cut nothing that is not proven, and trust no score that was found otherwise.
    pub exhaustive: bool,
    /// Keys of the positions that may be repeated: of the game, then of the line being searched.
    keys: Vec<u64>,
    /// How many of `keys` are of the game.
    game_keys: usize,
    /// Keys before this index lie behind a null move and repeat nothing.
    null_barrier: usize,
    history: History,
    moves: MoveStack<P>,
    /// `lines[ply]` is the best line found from that ply on.
    lines: Vec<Vec<P::Move>>,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
}

/// The time is looked at once in so many nodes.
const NODES_A_CLOCK_LOOK: u64 = 512;

impl<'a, P: Position> Worker<'a, P> {
    /// The worker of thread `index`; `game_keys` as [`crate::game::Game::reversible_keys`] gives them.
    pub fn new(shared: &'a Shared<'a>, index: usize, root_moves: &[P::Move], game_keys: &[u64]) -> Self {
        let root_move = |&m| RootMove { m, score: -INFINITE, pv: vec![m], seldepth: 0 };
        Worker {
            shared,
            index,
            root_moves: root_moves.iter().map(root_move).collect(),
            first_root_move: 0,
            root_depth: 0,
            exhaustive: false,
            keys: game_keys.to_vec(),
            game_keys: game_keys.len(),
            null_barrier: 0,
            history: History::new::<P>(),
            moves: MoveStack::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            seldepth: 0,
            stopped: false,
        }
    }

    /// The thread, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Has this thread broken off? Then the last score is worth nothing.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the root to [`Worker::root_depth`] within a window and returns the score; the
    /// root moves keep what was found.
    pub fn search_root(&mut self, position: &P, alpha: i32, beta: i32) -> i32 {
        for root in &mut self.root_moves[self.first_root_move..] {
            root.score = -INFINITE;
        }
        self.search::<Root>(position, alpha, beta, self.root_depth, 0, false)
    }

    fn search<N: NodeType>(
        &mut self,
        position: &P,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        after_null: bool,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(ply <= MAX_PLY);
        debug_assert_eq!(position.verify(), Ok(()));

        // --- Horizon ---
        // A check is looked at one ply deeper, within reason.
        let in_check = position.in_check();
        if in_check && !N::ROOT && (ply as i32) < 2 * self.root_depth {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<N>(position, alpha, beta, ply);
        }

        self.enter::<N>(ply);
        if self.stopped {
            return DRAW;
        }

        if !N::ROOT {
            // --- The game is over ---
            if let Some(score) = self.known_result(position, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return evaluate(position);
            }
            // --- Mate distance ---
            alpha = alpha.max(lost_at(ply));
            beta = beta.min(won_at(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // --- Table ---
        let key = position.key();
        let entry = self.shared.table.probe(self.table_key(key), ply);
        if let Some(entry) = entry
            && !N::PV
            && i32::from(entry.depth) >= depth
            && cuts(entry, alpha, beta)
        {
            return entry.score;
        }
        let table_move = entry.map_or(0, |entry| entry.best);

        // --- Static evaluation ---
        let evaluation = match entry {
            _ if in_check => NO_EVALUATION,
            Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
            _ => evaluate(position),
        };

        // --- Null move ---
        if P::NULL_MOVE
            && !N::PV
            && !self.exhaustive
            && !in_check
            && !after_null
            && depth >= 3
            && evaluation >= beta
            && !is_mate(beta)
            && position.may_pass()
        {
            let reduction = 3 + depth / 4;
            let mut passed = position.clone();
            passed.pass();
            let barrier = std::mem::replace(&mut self.null_barrier, self.keys.len() + 1);
            self.keys.push(key);
            let score = -self.search::<Cut>(&passed, -beta, -beta + 1, depth - 1 - reduction, ply + 1, true);
            self.keys.pop();
            self.null_barrier = barrier;
            if self.stopped {
                return DRAW;
            }
            if score >= beta {
                // A mate that needs the null move is no mate.
                return if is_mate(score) { beta } else { score };
            }
        }

        // --- Moves ---
        let mut node = if N::ROOT {
            self.moves.push_in_order(self.root_moves[self.first_root_move..].iter().map(|root| root.m))
        } else {
            self.moves.push_legal(position, table_move, &self.history, ply)
        };
        if node.len() == 0 {
            self.moves.pop(node);
            return score_of(position.ending_without_moves(), position, ply);
        }
        self.keys.push(key);
        let found = self.search_moves::<N>(position, &mut node, alpha, beta, depth, ply, in_check);
        self.keys.pop();
        self.moves.pop(node);
        if self.stopped {
            return DRAW;
        }

        // --- Store ---
        // A root with some moves left out (MultiPV, searchmoves) does not tell the position's score.
        if !(N::ROOT && (self.first_root_move > 0 || self.shared.restricted_root)) {
            let bound = if found.score >= beta {
                Bound::Lower
            } else if N::PV && found.score > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.shared.table.store(
                self.table_key(key),
                ply,
                Entry {
                    best: found.best.map_or(0, Move::fingerprint),
                    score: found.score,
                    evaluation,
                    depth: depth.min(u8::MAX.into()) as u8,
                    bound,
                },
            );
        }
        found.score
    }

    /// The moves of a node, tried in order.
    #[allow(clippy::too_many_arguments, reason = "the node's state, split off for its own stack frame")]
    fn search_moves<N: NodeType>(
        &mut self,
        position: &P,
        node: &mut NodeMoves,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        in_check: bool,
    ) -> Found<P::Move> {
        let mut found = Found { score: -INFINITE, best: None };
        let mut tried = 0;
        let mut quiets: arrayvec::ArrayVec<P::Move, 64> = arrayvec::ArrayVec::new();

        while let Some(m) = self.moves.next(node) {
            let noisy = position.is_noisy(m);
            let mut next = position.clone();
            next.play(m);
            tried += 1;

            // --- Late move reduction ---
            let reduction = if depth >= 3 && tried > 3 && !noisy && !in_check && !self.exhaustive {
                (self.shared.reductions.plies(depth, tried) - i32::from(N::PV)).clamp(0, depth - 2)
            } else {
                0
            };

            // --- Principal variation search ---
            let mut score = -INFINITE;
            if !N::PV || tried > 1 {
                score = -self.search::<Cut>(&next, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, false);
                if score > alpha && reduction > 0 {
                    score = -self.search::<Cut>(&next, -alpha - 1, -alpha, depth - 1, ply + 1, false);
                }
            }
            if N::PV && (tried == 1 || (score > alpha && score < beta) || (N::ROOT && score > alpha)) {
                score = -self.search::<Pv>(&next, -beta, -alpha, depth - 1, ply + 1, false);
            }
            if self.stopped {
                return found;
            }

            if N::ROOT {
                let root = &mut self.root_moves[self.first_root_move + tried as usize - 1];
                debug_assert!(root.m == m);
                if tried == 1 || score > alpha {
                    root.score = score;
                    root.seldepth = self.seldepth;
                    root.pv.truncate(1);
                    root.pv.extend_from_slice(&self.lines[1]);
                }
            }

            if score > found.score {
                found.score = score;
                if score > alpha {
                    found.best = Some(m);
                    if N::PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        if !noisy {
                            self.history.reward(position, ply, depth, m, &quiets);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if !noisy && !quiets.is_full() {
                quiets.push(m);
            }
        }
        found
    }

    /// Plays out what is forced or loud until the position is quiet.
    fn quiescence<N: NodeType>(&mut self, position: &P, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.enter::<N>(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(score) = self.known_result(position, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return evaluate(position);
        }

        // --- Table ---
        let key = position.key();
        let entry = self.shared.table.probe(self.table_key(key), ply);
        if let Some(entry) = entry
            && !N::PV
            && cuts(entry, alpha, beta)
        {
            return entry.score;
        }
        let table_move = entry.map_or(0, |entry| entry.best);

        // --- Stand pat ---
        let start = alpha;
        let mut found = Found { score: -INFINITE, best: None };
        let mut evaluation = NO_EVALUATION;
        let mut node = if position.may_stand_pat() {
            evaluation = match entry {
                Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
                _ => evaluate(position),
            };
            found.score = evaluation;
            if evaluation >= beta {
                return evaluation;
            }
            alpha = alpha.max(evaluation);
            self.moves.push_noisy(position, table_move)
        } else {
            let node = self.moves.push_legal(position, table_move, &self.history, ply);
            if node.len() == 0 {
                self.moves.pop(node);
                return score_of(position.ending_without_moves(), position, ply);
            }
            node
        };

        // --- Moves ---
        self.keys.push(key);
        while let Some(m) = self.moves.next(&mut node) {
            let mut next = position.clone();
            next.play(m);
            let score = -self.quiescence::<N>(&next, -beta, -alpha, ply + 1);
            if self.stopped {
                break;
            }
            if score > found.score {
                found.score = score;
                if score > alpha {
                    found.best = Some(m);
                    if N::PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.keys.pop();
        self.moves.pop(node);
        if self.stopped {
            return DRAW;
        }

        // --- Store ---
        let bound = if found.score >= beta {
            Bound::Lower
        } else if N::PV && found.score > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best = found.best.map_or(0, Move::fingerprint);
        let key = self.table_key(key);
        self.shared.table.store(key, ply, Entry { best, score: found.score, evaluation, depth: 0, bound });
        found.score
    }

    /// Counts the node, unless the search is to end.
    fn enter<N: NodeType>(&mut self, ply: usize) {
        self.stopped = self.stopped
            || self.shared.control.stopped()
            || self.shared.done.load(Relaxed)
            // The first thread alone looks at the limits.
            || (self.index == 0 && self.is_at_a_limit());
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.shared.counters[self.index].0.store(self.nodes, Relaxed);
        if N::PV {
            self.lines[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if N::ROOT {
            self.seldepth = 0;
        }
    }

    /// Is there no node or no time left for one more?
    fn is_at_a_limit(&self) -> bool {
        let look = (self.nodes + 1).is_multiple_of(NODES_A_CLOCK_LOOK);
        let alone = self.shared.counters.len() == 1;
        let spent = match (alone, look) {
            (true, _) => self.nodes >= self.shared.node_limit,
            (false, true) => self.shared.nodes() >= self.shared.node_limit,
            (false, false) => false,
        };
        let late = || self.shared.budget.hard.is_some_and(|hard| self.shared.control.own_time() >= hard);
        spent || (look && late())
    }

    /// Where the table keeps a position: apart for proofs, which ask more of an entry.
    fn table_key(&self, key: u64) -> u64 {
        const PROOF: u64 = 0x6A09_E667_F3BC_C908;
        if self.exhaustive { key ^ PROOF } else { key }
    }

    /// The score of a position in which the game is over or drawn.
    fn known_result(&self, position: &P, ply: usize) -> Option<i32> {
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

    /// Does the position repeat one of the line being searched, or two of the game before it?
    fn repeats(&self, position: &P) -> bool {
        let key = position.key();
        let oldest = (self.keys.len().saturating_sub(position.reversible_plies())).max(self.null_barrier);
        let mut seen = 0;
        // The same side is to move every second ply only; the position itself is not on the list yet.
        for index in (oldest..self.keys.len()).rev().skip(1).step_by(2) {
            if self.keys[index] == key {
                seen += 1;
                if index >= self.game_keys || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The best line from `ply` is `m` and the best line after it.
    fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }
}

/// The best of a node's moves.
struct Found<M> {
    score: i32,
    /// The best move, if any raised alpha.
    best: Option<M>,
}

/// Does a stored score settle the window?
fn cuts(entry: Entry, alpha: i32, beta: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Static evaluation, kept to its band.
fn evaluate<P: Position>(position: &P) -> i32 {
    let score = position.evaluate();
    debug_assert!(score.abs() <= EVALUATION_LIMIT, "{score}");
    score
}

/// An ending as a score of the side to move, `ply` plies from the root.
fn score_of<P: Position>(ending: Ending, position: &P, ply: usize) -> i32 {
    match ending.winner {
        None => DRAW,
        Some(winner) if winner == position.side_to_move() => won_at(ply),
        Some(_) => lost_at(ply),
    }
}

/// Plies by which late quiet moves are searched less deep, by depth and place in the order.
pub struct Reductions(Box<[[u8; Self::SIZE]; Self::SIZE]>);

impl Reductions {
    const SIZE: usize = 64;

    pub fn new() -> Self {
        let mut table = Box::new([[0; Self::SIZE]; Self::SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (tried, plies) in row.iter_mut().enumerate().skip(1) {
                *plies = (0.5 + (depth as f64).ln() * (tried as f64).ln() / 2.2) as u8;
            }
        }
        Reductions(table)
    }

    fn plies(&self, depth: i32, tried: i32) -> i32 {
        let index = |n: i32| (n as usize).min(Self::SIZE - 1);
        self.0[index(depth)][index(tried)].into()
    }
}

const _: () = assert!(MATE_BOUND > EVALUATION_LIMIT);
