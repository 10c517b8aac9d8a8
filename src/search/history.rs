//! What moves did earlier, and how wrong the evaluation was: statistics that guide the search, kept
//! from one search of a game to the next.

use super::score::MAX_PLY;
use crate::game::Position;

/// Statistics of one thread: 11 MB in the 12x12 game, 0.7 MB in draughts.
///
/// Every number moves towards the newest findings, the less the closer it already is to its limit on that
/// side, so that old findings fade.
#[derive(Default)]
pub struct History {
    /// [`Position::HISTORY_SLOTS`] of the game that the statistics are of; 0 before the first search.
    slots: usize,
    /// Quiet moves, by side and slot; within [`LIMIT`] of 0, as all that follow.
    quiet: Box<[i16]>,
    /// Captures and promotions, by side and slot.
    noisy: Box<[i16]>,
    /// Quiet moves after the move `n + 1` plies before: by `n`, side, that move's slot, slot. Where there was no such
    /// move, its slot is one above all others, and the row stays empty.
    continuation: Box<[i16]>,
    /// How much higher the search finds positions than the evaluation does, in units of `1 / CORRECTION_UNIT`
    /// centipawns: by side and [`Position::structure_key`], then for each of the last moves by side and that move's slot.
    corrections: Box<[i16]>,
    /// Names of the two quiet moves that last refuted something at each ply of this search.
    killers: Box<[[u16; 2]]>,
}

/// No number of a move is further from 0.
pub const LIMIT: i32 = 16_384;
/// How many of the moves before a move count for it.
pub const CONTINUATIONS: usize = 2;
/// No [`History::score`] is further from 0.
pub const SCORE_LIMIT: i32 = (1 + CONTINUATIONS as i32) * LIMIT;

const CORRECTION_SLOTS: usize = 1 << 14;
const CORRECTION_UNIT: i32 = 128;
/// In the units of the table: 64 centipawns.
const CORRECTION_LIMIT: i32 = 64 * CORRECTION_UNIT;

/// Where a node stands in the statistics: the beginnings of the rows of numbers that count for its moves.
#[derive(Clone, Copy)]
pub struct Past {
    /// In `quiet` and `noisy`.
    side: usize,
    /// In `continuation`.
    replies: [usize; CONTINUATIONS],
    /// In `corrections`, where its own numbers are.
    corrections: [usize; 1 + CONTINUATIONS],
}

impl History {
    /// Ready for another search: of any game, with what is known of the last one if it is the same.
    pub fn begin_search<P: Position>(&mut self) {
        if self.slots != P::HISTORY_SLOTS {
            let slots = P::HISTORY_SLOTS;
            *self = History {
                slots,
                quiet: vec![0; 2 * slots].into(),
                noisy: vec![0; 2 * slots].into(),
                continuation: vec![0; CONTINUATIONS * 2 * (slots + 1) * slots].into(),
                corrections: vec![0; 2 * CORRECTION_SLOTS + CONTINUATIONS * 2 * (slots + 1)].into(),
                killers: Box::default(),
            };
        }
        // Nodes forget those two plies below.
        self.killers = vec![[0; 2]; MAX_PLY + 3].into();
    }

    /// The place of a node of `position` to which the moves with slots `played` led, the last one first;
    /// [`Position::HISTORY_SLOTS`] stands for none.
    #[inline(always)]
    pub fn past<P: Position>(position: &P, played: [usize; CONTINUATIONS]) -> Past {
        let side = position.side_to_move().index();
        let structure = position.structure_key() >> (64 - CORRECTION_SLOTS.ilog2());
        let mut replies = [0; CONTINUATIONS];
        let mut corrections = [side * CORRECTION_SLOTS + structure as usize; 1 + CONTINUATIONS];
        for (n, slot) in played.into_iter().enumerate() {
            let after = (2 * n + side) * (P::HISTORY_SLOTS + 1) + slot;
            replies[n] = after * P::HISTORY_SLOTS;
            corrections[1 + n] = 2 * CORRECTION_SLOTS + after;
        }
        Past { side: side * P::HISTORY_SLOTS, replies, corrections }
    }

    /// The score of a quiet move, within [`SCORE_LIMIT`] of 0.
    #[inline(always)]
    pub fn score(&self, past: &Past, slot: usize) -> i32 {
        let mut score = i32::from(self.quiet[past.side + slot]);
        for row in past.replies {
            score += i32::from(self.continuation[row + slot]);
        }
        score
    }

    /// The score of a noisy move, within [`LIMIT`] of 0.
    #[inline(always)]
    pub fn noisy_score(&self, past: &Past, slot: usize) -> i32 {
        self.noisy[past.side + slot].into()
    }

    /// The names of the killers at `ply`, the latest first.
    pub fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// Forgets the killers at `ply`: they were of another part of the tree.
    pub fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [0; 2];
    }

    /// Notes that the quiet move with that name refuted a node at `ply`.
    pub fn add_killer(&mut self, ply: usize, name: u16) {
        let killers = &mut self.killers[ply];
        if killers[0] != name {
            *killers = [name, killers[0]];
        }
    }

    /// Notes how a quiet move did.
    pub fn adjust(&mut self, past: &Past, slot: usize, bonus: i32) {
        adjust(&mut self.quiet[past.side + slot], bonus, LIMIT);
        for row in past.replies {
            if !self.is_blank(row) {
                adjust(&mut self.continuation[row + slot], bonus, LIMIT);
            }
        }
    }

    /// Notes how a noisy move did.
    pub fn adjust_noisy(&mut self, past: &Past, slot: usize, bonus: i32) {
        adjust(&mut self.noisy[past.side + slot], bonus, LIMIT);
    }

    /// Is this the row of `continuation` for replies to no move? Nothing is to be learnt of them.
    fn is_blank(&self, row: usize) -> bool {
        row / self.slots % (self.slots + 1) == self.slots
    }

    /// What to add to the evaluation, in centipawns.
    #[inline(always)]
    pub fn correction(&self, past: &Past) -> i32 {
        past.corrections.iter().map(|&index| i32::from(self.corrections[index])).sum::<i32>()
            / CORRECTION_UNIT
    }

    /// Notes that a search to `depth` found a position worth `error` centipawns more than its corrected
    /// evaluation.
    pub fn correct(&mut self, past: &Past, depth: i32, error: i32) {
        let most = CORRECTION_LIMIT / 4;
        let bonus = (error * depth.min(16) * CORRECTION_UNIT / 64).clamp(-most, most);
        let [structure, after @ ..] = past.corrections;
        adjust(&mut self.corrections[structure], bonus, CORRECTION_LIMIT);
        for (index, row) in after.into_iter().zip(past.replies) {
            if !self.is_blank(row) {
                adjust(&mut self.corrections[index], bonus, CORRECTION_LIMIT);
            }
        }
    }
}

fn adjust(number: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*number);
    *number = (old + bonus - old * bonus.abs() / limit) as i16;
}
