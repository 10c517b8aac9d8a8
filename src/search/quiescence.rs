//! Quiescence: plays out what is forced or loud until the position is quiet.

use super::ordering::{Order, Picked, Quiets};
use super::score::{DRAW, INFINITE, MATE_BOUND, MAX_PLY};
use super::transposition::{Bound, Entry, NO_EVALUATION};
use super::worker::{Found, NodeType, Worker, cuts, evaluate, score_of};
use crate::game::Position;

/// Centipawns that a capture may win beside the man that it takes.
const DELTA: i32 = 150;
/// After so many plies only the captures that look best are tried, or a crowded board might have no end of them.
const MANY_PLIES: i32 = 3;
const FEW_CAPTURES: i32 = 2;
/// So many plies who is threatened with a capture looks at all moves, where captures are forced.
const PLIES_UNDER_THREAT: i32 = 1;
/// So many plies quiet checks are tried as well.
const PLIES_WITH_CHECKS: i32 = 1;

impl<P: Position> Worker<'_, P> {
    /// `depth`: 0 where the search proper ends, and less from there on.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        position: &P,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        depth: i32,
    ) -> i32 {
        self.enter::<N>(ply);
        if self.stopped() {
            return DRAW;
        }
        if let Some(score) = self.known_result(position, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return evaluate(position);
        }

        // --- Endgame tables ---
        if let Some(score) = self.known_score(position, ply) {
            return score;
        }

        // --- Table ---
        let key = position.key();
        let table =
            if P::SHORT_NODES { None } else { self.shared.table.probe(self.table_key(position), ply) };
        if let Some(entry) = table
            && !N::PV
            && cuts(entry, alpha, beta)
        {
            return entry.score;
        }
        let table_move = table.map_or(0, |entry| entry.best);

        // --- Stand pat ---
        let start = alpha;
        let mut found = Found { score: -INFINITE, best: None };
        let mut raw = NO_EVALUATION;
        let past = self.past(position, ply);
        let quiet = position.may_stand_pat() && !(depth > -PLIES_UNDER_THREAT && position.is_threatened());
        let mut moves = if quiet {
            let known = table.and_then(|entry| entry.known_evaluation());
            (raw, found.score) = self.evaluate(position, &past, known);
            if found.score >= beta || !position.may_be_noisy() {
                return found.score;
            }
            alpha = alpha.max(found.score);
            let quiets = if depth > -PLIES_WITH_CHECKS { Quiets::Checks } else { Quiets::None };
            self.moves.begin_noisy(position, table_move, quiets)
        } else {
            self.moves.begin(position, table_move)
        };

        // --- Moves ---
        let killers = if quiet { [0; 2] } else { self.history.killers(ply) };
        // Asked last, as mostly there is nothing to leave out.
        let exhaustive = self.exhaustive;
        let may_prune = || !exhaustive && position.may_prune();
        let reach = found.score + DELTA;
        let mut tried = 0;
        self.keys.push(key);
        loop {
            let order = Order { position, history: &self.history, past: &past, killers };
            let Some(Picked { m, noisy, losing, .. }) = self.moves.next(&mut moves, &order) else { break };

            // --- Pruning ---
            if quiet {
                tried += 1;
                let enough = !P::FORCED_CAPTURES && depth <= -MANY_PLIES && tried > FEW_CAPTURES;
                if (losing || enough) && may_prune() {
                    // Those still to come are worse.
                    break;
                }
                if !noisy && may_prune() && !position.wins_exchange(m, 0) {
                    continue;
                }
                let hope = reach + position.noisy_value(m);
                if noisy && hope <= alpha && may_prune() && !position.gives_check(m) {
                    found.score = found.score.max(hope);
                    continue;
                }
            } else if !noisy && found.score > -MATE_BOUND && may_prune() {
                // One way out of check is enough to tell.
                moves.skip_quiets();
                continue;
            }

            let mut next = position.clone();
            next.play(m);
            if !P::SHORT_NODES {
                self.shared.table.prefetch(self.table_key(&next));
            }
            self.frames[ply].played = position.history_slot(m);
            let score = -self.quiescence::<N>(&next, -beta, -alpha, ply + 1, depth - 1);
            if self.stopped() {
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
        self.moves.end(moves);
        if self.stopped() {
            return DRAW;
        }
        if found.score == -INFINITE {
            return score_of(position.ending_without_moves(), position, ply);
        }

        // --- Store ---
        if P::SHORT_NODES {
            return found.score;
        }
        let bound = Bound::of(found.score, start, beta);
        let best = found.best.map_or(0, |m| position.name(m));
        let pv = N::PV || table.is_some_and(|entry| entry.pv);
        let entry = Entry { best, score: found.score, evaluation: raw, depth: 0, bound, pv };
        self.shared.table.store(self.table_key(position), ply, entry);
        found.score
    }
}
