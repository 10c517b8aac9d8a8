//! The tree: principal variation search.
//!
//! The sections of [`Worker::search`] and [`Worker::search_moves`] bear the names that the field has for
//! them. What each brings is in the lab notes of the guide. Margins are in centipawns, depths in plies.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;

use super::history::{Past, SCORE_LIMIT};
use super::ordering::{NodeMoves, Order, Picked};
use super::reductions::REDUCTIONS;
use super::score::{
    DRAW, EVALUATION_LIMIT, INFINITE, MATE_BOUND, MAX_PLY, is_decided, is_mate, lost_at, won_at,
};
use super::transposition::{Bound, Entry, NO_EVALUATION};
use super::worker::{Cut, Found, NodeType, Pv, Root, Worker, cuts, evaluate, score_of};
use crate::game::Position;

/// A node whose moves are searched.
struct Node {
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    /// Has the side to move a check to answer or, where captures are forced, one to make?
    forced: bool,
    /// Corrected static evaluation, [`NO_EVALUATION`] where the side to move is forced.
    evaluation: i32,
    /// Does the side to move stand better than at its last move?
    improving: bool,
    /// May moves be left out?
    may_prune: bool,
    /// Is the node expected to fail high?
    cut: bool,
    /// Has it been on a principal variation?
    was_pv: bool,
    table: Option<Entry>,
    /// Name of a move that is left out, or 0.
    excluded: u16,
    /// Plies that the table's move is searched deeper.
    extension: i32,
    past: Past,
}

impl Node {
    /// The evaluation, or what the table holds where that is nearer the truth.
    fn estimate(&self) -> i32 {
        match self.table {
            Some(entry) if !is_decided(entry.score) => match entry.bound {
                Bound::Exact => entry.score,
                Bound::Lower => self.evaluation.max(entry.score),
                Bound::Upper => self.evaluation.min(entry.score),
            },
            _ => self.evaluation,
        }
    }
}

impl<P: Position> Worker<'_, P> {
    /// Searches the root to [`Worker::root_depth`] within a window and returns the score; the
    /// root moves keep what was found.
    pub fn search_root(&mut self, position: &P, alpha: i32, beta: i32) -> i32 {
        for root in &mut self.root_moves[self.first_root_move..] {
            root.score = -INFINITE;
        }
        let score = self.search::<Root>(position, alpha, beta, self.root_depth, 0, false);
        self.publish();
        score
    }

    /// `cut`: is the node expected to fail high?
    fn search<N: NodeType>(
        &mut self,
        position: &P,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        debug_assert!(!(N::PV && cut));
        debug_assert!(ply <= MAX_PLY);
        debug_assert_eq!(position.verify(), Ok(()));

        // --- Horizon ---
        // A check on the principal variation or at the end of a line is looked at one ply deeper, within reason.
        let in_check = position.in_check();
        let may_extend = !N::ROOT && (N::PV || depth <= 1) && (ply as i32) < 2 * self.root_depth;
        if in_check && may_extend {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<N>(position, alpha, beta, ply, 0);
        }

        self.enter::<N>(ply);
        if self.stopped() {
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

        // --- Endgame tables ---
        // A draw is a draw. A win is worth at least what is known, and may turn out to be one on the board.
        let mut limits = (-INFINITE, INFINITE);
        if !N::ROOT
            && let Some(score) = self.known_score(position, ply)
        {
            if score == DRAW || (score > 0 && score >= beta) || (score < 0 && score <= alpha) {
                return score;
            }
            if score > 0 {
                limits.0 = score;
                alpha = alpha.max(score);
            } else {
                limits.1 = score;
                beta = beta.min(score);
            }
        }

        // --- Static evaluation ---
        let forced = in_check || (P::FORCED_CAPTURES && !position.may_stand_pat());
        // Memory still looks for the entry of a short node, so that all that can be is done before it is asked.
        let evaluated = if P::SHORT_NODES && !forced { Some(evaluate(position)) } else { None };

        // --- Table ---
        let key = position.key();
        let excluded = self.frames[ply].excluded;
        let table = self.shared.table.probe(self.table_key(position), ply).filter(|_| excluded == 0);
        if let Some(entry) = table
            && !N::PV
            && i32::from(entry.depth) >= depth
            && cuts(entry, alpha, beta)
        {
            return entry.score.clamp(limits.0, limits.1);
        }
        let was_pv = N::PV || table.is_some_and(|entry| entry.pv);
        let table_move = table.map_or(0, |entry| entry.best);

        // --- Prefetch ---
        // The table's move will be the first, if any is tried.
        if P::SHORT_NODES
            && depth > 1
            && let Some(m) = position.presumed(table_move)
        {
            self.shared.table.prefetch(position.key_after(m));
        }

        // --- Corrected evaluation ---
        let past = self.past(position, ply);
        let known = || evaluated.or_else(|| table?.known_evaluation());
        let (raw, evaluation) = match (forced, excluded) {
            (true, _) => (NO_EVALUATION, NO_EVALUATION),
            (false, 0) => self.evaluate(position, &past, known()),
            // The same position is under way at this ply.
            (false, _) => (NO_EVALUATION, self.frames[ply].evaluation),
        };
        self.frames[ply].evaluation = evaluation;
        let improving = !forced && self.is_improving(ply);
        self.history.forget_killers(ply + 2);

        // --- Cuts before any move is tried ---
        // Where a capture must be made there is nothing to leave out.
        let must_capture = P::FORCED_CAPTURES && forced;
        let may_prune = !self.exhaustive && !must_capture && position.may_prune();
        let mut node = Node {
            alpha,
            beta,
            depth,
            ply,
            forced,
            evaluation,
            improving,
            may_prune,
            cut,
            was_pv,
            table,
            excluded,
            extension: 0,
            past,
        };
        let selective = !N::PV && !self.exhaustive && !forced && excluded == 0;
        if selective
            && !is_mate(beta)
            && let Some(score) = self.cut_early(position, &node)
        {
            return score;
        }

        // --- Singular extension ---
        match self.singular_extension::<N>(position, &node) {
            Extension::Plies(plies) => node.extension = plies,
            // Less deep searches than this one say so: it is not worth keeping.
            Extension::Cut(score) => return score,
        }
        if self.stopped() {
            return DRAW;
        }

        // --- Internal reduction ---
        // Without a move to begin with, the node is worth less effort; the next iteration will have one.
        const LEAST_TO_REDUCE: i32 = 4;
        let prepared = excluded != 0 || table_move != 0;
        let may_reduce = (N::PV || cut) && !N::ROOT && !self.exhaustive && !P::FORCED_CAPTURES;
        if may_reduce && !prepared && depth >= LEAST_TO_REDUCE {
            node.depth -= 1;
        }

        // --- Moves ---
        let mut moves = if N::ROOT {
            self.moves.begin_given(self.root_moves[self.first_root_move..].iter().map(|root| root.m))
        } else {
            self.moves.begin(position, table_move)
        };
        self.keys.push(key);
        let mut found = self.search_moves::<N>(position, &mut moves, &node);
        self.keys.pop();
        self.moves.end(moves);
        if self.stopped() {
            return DRAW;
        }
        if excluded != 0 {
            // With no other move there is none that holds the window.
            return if found.score == -INFINITE { alpha } else { found.score };
        }
        if found.score == -INFINITE {
            return score_of(position.ending_without_moves(), position, ply);
        }
        found.score = found.score.clamp(limits.0, limits.1);

        // --- Store ---
        let bound = Bound::of(found.score, alpha, beta);
        // A root with some moves left out (MultiPV, searchmoves) or favoured does not tell the
        // position's score.
        let untold = self.first_root_move > 0 || self.shared.restricted_root || self.shared.variety.is_some();
        if !(N::ROOT && untold) {
            self.shared.table.store(
                self.table_key(position),
                ply,
                Entry {
                    best: found.best.map_or(0, |m| position.name(m)),
                    score: found.score,
                    evaluation: raw,
                    depth: node.depth.min(u8::MAX.into()) as u8,
                    bound,
                    pv: was_pv,
                },
            );
        }

        // --- Correction of the evaluation ---
        // Where nothing loud decided and the bound says which way the evaluation was off.
        let off = match bound {
            Bound::Lower => found.score > evaluation,
            Bound::Upper => found.score < evaluation,
            Bound::Exact => true,
        };
        let loud = forced || is_decided(found.score) || found.best.is_some_and(|m| position.is_noisy(m));
        if off && !loud {
            self.history.correct(&node.past, node.depth, found.score - evaluation);
        }
        found.score
    }

    /// A score for a node off the principal variation that needs no look at its moves, if there is one.
    fn cut_early(&mut self, position: &P, node: &Node) -> Option<i32> {
        let &Node { alpha, beta, depth, ply, evaluation, cut, .. } = node;
        let estimate = node.estimate();
        if node.may_prune {
            // --- Reverse futility ---
            // So far ahead that the other side would need more than the depth allows.
            const FUTILE_DEPTH: i32 = 8;
            let margin = P::SWING * (depth - i32::from(node.improving));
            if depth <= FUTILE_DEPTH && estimate - margin >= beta {
                return Some((estimate + beta) / 2);
            }

            // --- Razoring ---
            // So far behind that nothing but captures could help. Those that are forced hardly could.
            const RAZOR_DEPTH: i32 = 3;
            let hopeless = estimate + 4 * P::SWING * depth + 2 * P::SWING < alpha;
            if !P::FORCED_CAPTURES && depth <= RAZOR_DEPTH && hopeless {
                let score = self.quiescence::<Cut>(position, alpha, beta, ply, 0);
                if score <= alpha || self.stopped() {
                    return Some(score);
                }
            }
        }

        // --- Null move ---
        // If even a pass leaves the side to move above beta, a move will too.
        const PASS_DEPTH: i32 = 3;
        let twice = ply > 0 && self.frames[ply - 1].passed;
        if depth < PASS_DEPTH
            || estimate < beta
            || evaluation < beta - 20 * depth
            || twice
            || !position.may_pass()
        {
            return None;
        }
        let reduction = 4 + depth / 3 + ((estimate - beta) / 200).min(3);
        let score = self.pass(position, beta, depth - reduction, ply, !cut);
        if self.stopped() {
            return Some(DRAW);
        }
        // A mate that needs the null move is no mate.
        (score >= beta).then_some(if is_mate(score) { beta } else { score })
    }

    /// The score of `position` after a null move.
    fn pass(&mut self, position: &P, beta: i32, depth: i32, ply: usize, cut: bool) -> i32 {
        let mut passed = position.clone();
        passed.pass();
        let barrier = std::mem::replace(&mut self.null_barrier, self.keys.len() + 1);
        self.keys.push(position.key());
        self.frames[ply].played = P::HISTORY_SLOTS;
        self.frames[ply].passed = true;
        let score = -self.search::<Cut>(&passed, -beta, -beta + 1, depth, ply + 1, cut);
        self.frames[ply].passed = false;
        self.keys.pop();
        self.null_barrier = barrier;
        score
    }

    /// The moves of a node, tried in order. The score is `-INFINITE` if there was none to try.
    fn search_moves<N: NodeType>(
        &mut self,
        position: &P,
        moves: &mut NodeMoves<P::Move>,
        node: &Node,
    ) -> Found<P::Move> {
        let &Node { mut alpha, beta, depth, ply, ref past, .. } = node;
        let mut found = Found { score: -INFINITE, best: None };
        let mut tried = 0;
        let mut failed = Failed::default();
        let killers = self.history.killers(ply);
        // For who stands worse, a move that seems senseless may draw by repetition.
        let may_repeat = N::PV && alpha < DRAW && position.reversible_plies() >= LEAST_TO_REPEAT;
        let may_prune = !N::ROOT && !may_repeat && node.may_prune;
        // Which move, from 1, will be the first that is not the table's?
        let first_own = 1 + i32::from(node.table.is_some_and(|entry| entry.best != 0));

        loop {
            let order = Order { position, history: &self.history, past, killers };
            let Some(picked) = self.moves.next(moves, &order) else { break };
            let Picked { m, noisy, losing, score: promise } = picked;
            if node.excluded != 0 && position.name(m) == node.excluded {
                continue;
            }
            tried += 1;

            // --- Prefetch ---
            // The others are likely to come up, too.
            if P::SHORT_NODES && depth > 1 && tried == first_own {
                for m in self.moves.untried(moves) {
                    self.shared.table.prefetch(position.key_after(m));
                }
            }
            let late = REDUCTIONS[usize::from(P::FORCED_CAPTURES)].plies(depth, tried);

            // --- Pruning ---
            // Not before something was found that does not lose at once.
            if may_prune && found.score > -MATE_BOUND {
                if !noisy && self.is_late(node, tried) {
                    moves.skip_quiets();
                }
                if self.is_hopeless(position, node, &picked, alpha, late) {
                    continue;
                }
            }

            // --- Extension ---
            // A single reply leaves nothing to choose: the line goes on as deep as if the move had not been one.
            let single = P::FORCED_CAPTURES
                && !N::ROOT
                && !self.exhaustive
                && moves.is_single()
                && (ply as i32) < 2 * self.root_depth;
            let extension = match moves.table_move() {
                _ if single => 1,
                Some(first) if first == m => node.extension,
                _ => 0,
            };

            let mut next = position.clone();
            next.play(m);
            let new_depth = depth - 1 + extension;
            if new_depth > 0 || !P::SHORT_NODES {
                self.shared.table.prefetch(self.table_key(&next));
            }
            let slot = position.history_slot(m);
            self.frames[ply].played = slot;
            let nodes = self.nodes();
            // A move with a bonus has its window shifted against it.
            let bonus = if N::ROOT { self.begin_root_move(tried as usize) } else { 0 };
            let (low, high) = ((alpha - bonus).max(-INFINITE), beta - bonus);

            // --- Late move reduction ---
            let in_turn = if P::FORCED_CAPTURES { 3 } else { 1 + i32::from(N::PV) };
            let may_reduce = if P::FORCED_CAPTURES { !noisy } else { !noisy || losing };
            let reduction = if depth >= 3 && tried > in_turn && may_reduce && !node.forced && !self.exhaustive
            {
                let mut plies = if P::FORCED_CAPTURES { 2 * late } else { late } - i32::from(N::PV);
                if !P::FORCED_CAPTURES {
                    plies += i32::from(node.cut)
                        - i32::from(node.was_pv && !N::PV)
                        - i32::from(node.improving)
                        - i32::from(next.in_check());
                    plies -= if noisy { 1 } else { promise.min(SCORE_LIMIT) / HISTORY_A_PLY };
                }
                plies.clamp(0, (new_depth - 1).max(0))
            } else {
                0
            };

            // --- Principal variation search ---
            let mut score = -INFINITE;
            if !N::PV || tried > 1 {
                let cut = reduction > 0 || !node.cut;
                score = -self.search::<Cut>(&next, -low - 1, -low, new_depth - reduction, ply + 1, cut);
                if score > low && reduction > 0 {
                    score = -self.search::<Cut>(&next, -low - 1, -low, new_depth, ply + 1, !node.cut);
                }
            }
            let whole_window =
                N::PV && (tried == 1 || (score > low && score < high) || (N::ROOT && score > low));
            if whole_window {
                score = -self.search::<Pv>(&next, -high, -low, new_depth, ply + 1, false);
            }
            if self.stopped() {
                return found;
            }
            if N::ROOT {
                if !is_decided(score) {
                    score += bonus;
                }
                self.end_root_move(tried as usize, m, score, tried == 1 || score > alpha, nodes);
            }

            if score > found.score {
                found.score = score;
                if score > alpha {
                    found.best = Some(m);
                    if N::PV {
                        // A null window leaves no line: the one that stands there is of another move.
                        if !whole_window {
                            self.lines[ply + 1].clear();
                        }
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        self.learn(position, node, (m, slot, noisy), &failed);
                        break;
                    }
                    alpha = score;
                }
            }
            failed.push(slot, noisy);
        }
        found
    }

    /// Have so many moves been tried at this depth that no quiet one is likely to help?
    fn is_late(&self, node: &Node, tried: i32) -> bool {
        const LATE_DEPTH: i32 = 8;
        let enough = (P::FEW_MOVES + node.depth * node.depth) / (2 - i32::from(node.improving));
        !node.forced && node.depth <= LATE_DEPTH && tried > enough
    }

    /// Is there so little to hope from a move at this depth that it need not be searched? `late`: how many
    /// plies less its place in the order leaves it.
    fn is_hopeless(
        &self,
        position: &P,
        node: &Node,
        picked: &Picked<P::Move>,
        alpha: i32,
        late: i32,
    ) -> bool {
        let &Picked { m, noisy, losing, .. } = picked;
        let left = (node.depth - 1 - late).max(0);
        if noisy {
            // --- Exchange pruning of captures ---
            const MARGIN: i32 = 90;
            return losing && node.depth <= 8 && !position.wins_exchange(m, -MARGIN * node.depth);
        }
        // --- Futility ---
        // A quiet move does not make up for so much.
        let reach = node.evaluation + 2 * P::SWING + 9 * P::SWING * left / 5;
        if !node.forced && left <= 7 && reach <= alpha && !position.gives_check(m) {
            return true;
        }
        // --- Exchange pruning of quiet moves ---
        const MARGIN: i32 = 25;
        left <= 8 && !position.wins_exchange(m, -MARGIN * left * left)
    }

    /// Singular extension: where the table's move alone holds the score, it is worth a closer look.
    fn singular_extension<N: NodeType>(&mut self, position: &P, node: &Node) -> Extension {
        const LEAST_DEPTH: i32 = 7;
        const NOTHING: Extension = Extension::Plies(0);
        let &Node { depth, ply, beta, .. } = node;
        let Some(entry) = node.table else { return NOTHING };
        let applies = !N::ROOT
            && !self.exhaustive
            && !P::FORCED_CAPTURES
            && node.excluded == 0
            && depth >= LEAST_DEPTH
            && i32::from(entry.depth) >= depth - 3
            && entry.bound != Bound::Upper
            && !is_mate(entry.score)
            && (ply as i32) < 2 * self.root_depth;
        if !applies || position.find(entry.best).is_none() {
            return NOTHING;
        }
        let least = entry.score - 2 * depth;
        // The same position is searched once more at the same ply, without the move.
        let frame = self.frames[ply];
        self.frames[ply].excluded = entry.best;
        let others = self.search::<Cut>(position, least - 1, least, (depth - 1) / 2, ply, node.cut);
        self.frames[ply] = frame;

        const CLEARLY: i32 = 25;
        if others < least {
            let clearly = !N::PV && others < least - CLEARLY && (ply as i32) < self.root_depth * 3 / 2;
            Extension::Plies(if clearly { 2 } else { 1 })
        } else if least >= beta {
            // Others hold the window too.
            Extension::Cut(least)
        } else if entry.score >= beta {
            Extension::Plies(-1)
        } else {
            NOTHING
        }
    }

    /// Notes that a move refuted a node, and that others before it did not.
    fn learn(
        &mut self,
        position: &P,
        node: &Node,
        (m, slot, noisy): (P::Move, usize, bool),
        failed: &Failed,
    ) {
        let bonus = (150 * node.depth - 50).min(1500);
        if !noisy {
            self.history.add_killer(node.ply, position.name(m));
            self.history.adjust(&node.past, slot, bonus);
            for &slot in &failed.quiets {
                self.history.adjust(&node.past, slot, -bonus);
            }
        }
        // Captures that are forced leave little choice, and nothing to be learnt.
        if P::FORCED_CAPTURES {
            return;
        }
        if noisy {
            self.history.adjust_noisy(&node.past, slot, bonus);
        }
        for &slot in &failed.noisies {
            self.history.adjust_noisy(&node.past, slot, -bonus);
        }
    }

    /// Takes note that the root move in place `tried` (from 1) is begun; gives its bonus.
    fn begin_root_move(&self, tried: usize) -> i32 {
        let root = &self.root_moves[self.first_root_move + tried - 1];
        if self.index() == 0 {
            let progress = self.shared.control.progress();
            let count = self.root_moves.len() - self.first_root_move;
            progress.depth.store(self.root_depth as u32, Relaxed);
            progress.root_moves.store(count as u32, Relaxed);
            progress.begun.store(tried as u32, Relaxed);
            progress.current.store(root.number, Relaxed);
        }
        root.bonus
    }

    /// Takes note of what the root move `m` in place `tried` (from 1) gave, if it `counts`: begun when this thread
    /// had searched `nodes` nodes.
    fn end_root_move(&mut self, tried: usize, m: P::Move, score: i32, counts: bool, nodes: u64) {
        let (spent, seldepth) = (self.nodes() - nodes, self.seldepth);
        let root = &mut self.root_moves[self.first_root_move + tried - 1];
        debug_assert!(root.m == m);
        root.nodes += spent;
        if counts {
            root.score = score;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            root.pv.extend_from_slice(&self.lines[1]);
        }
    }
}

/// So many plies after one without return a move can lead back to an earlier position.
const LEAST_TO_REPEAT: usize = 3;

/// Quiet moves with [`super::history::History::score`] this high are reduced a ply less, and so on.
const HISTORY_A_PLY: i32 = 10_000;

/// How much deeper a move is to be searched, or that the node need not be.
enum Extension {
    Plies(i32),
    /// The node fails high with this score.
    Cut(i32),
}

/// The slots of moves that did not refute a node; the first ones of each kind are enough.
#[derive(Default)]
struct Failed {
    quiets: ArrayVec<usize, 64>,
    noisies: ArrayVec<usize, 32>,
}

impl Failed {
    fn push(&mut self, slot: usize, noisy: bool) {
        // What does not fit is left out.
        let _ = if noisy { self.noisies.try_push(slot) } else { self.quiets.try_push(slot) };
    }
}

const _: () = assert!(MATE_BOUND > EVALUATION_LIMIT);
