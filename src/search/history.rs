//! What quiet moves did earlier in this search: killers and history.

use super::score::MAX_PLY;
use crate::game::{Move, Position};

/// Statistics of quiet moves, one set a thread.
pub struct History {
    /// By [`Position::history_slot`], within `-LIMIT..=LIMIT`.
    scores: Box<[i16]>,
    /// Fingerprints of the two quiet moves that last refuted something at each ply.
    killers: Box<[[u16; 2]]>,
}

/// No history score is further from 0.
pub const LIMIT: i32 = 16_384;

impl History {
    pub fn new<P: Position>() -> Self {
        History { scores: vec![0; P::HISTORY_SLOTS].into(), killers: vec![[0; 2]; MAX_PLY + 1].into() }
    }

    /// The score of a quiet move, within [`LIMIT`] of 0.
    pub fn score<P: Position>(&self, position: &P, m: P::Move) -> i32 {
        i32::from(self.scores[position.history_slot(m)])
    }

    /// 0 for the latest killer at `ply`, 1 for the one before.
    pub fn killer_rank<M: Move>(&self, ply: usize, m: M) -> Option<usize> {
        self.killers[ply].iter().position(|&killer| killer == m.fingerprint())
    }

    /// Notes that the quiet move `best` refuted the position at `ply`, searched to `depth`, after
    /// the quiet moves `tried` had not.
    pub fn reward<P: Position>(
        &mut self,
        position: &P,
        ply: usize,
        depth: i32,
        best: P::Move,
        tried: &[P::Move],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != best.fingerprint() {
            *killers = [best.fingerprint(), killers[0]];
        }
        let bonus = (depth * depth * 8).min(1200);
        self.adjust(position.history_slot(best), bonus);
        for &m in tried {
            self.adjust(position.history_slot(m), -bonus);
        }
    }

    /// Moves a score by `bonus`, the less the closer it already is to the limit on that side.
    fn adjust(&mut self, slot: usize, bonus: i32) {
        let score = i32::from(self.scores[slot]);
        self.scores[slot] = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }
}
