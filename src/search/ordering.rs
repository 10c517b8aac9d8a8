//! In which order the moves of a node are tried.

use super::history::{History, LIMIT};
use crate::game::{Move, MoveList, Position};

/// A move with what speaks for trying it early.
#[derive(Clone, Copy)]
struct Scored<M> {
    m: M,
    score: i32,
}

/// The moves of all nodes from the root to the present one, on one stack; each node owns its top.
///
/// One stack a thread keeps a node's moves together in memory and the search's own stack small.
pub struct MoveStack<P: Position> {
    moves: Vec<Scored<P::Move>>,
    /// Where the game writes its moves before they are scored.
    fresh: Box<MoveList<P::Move>>,
}

/// A node's part of the [`MoveStack`].
#[derive(Clone, Copy)]
pub struct NodeMoves {
    base: usize,
    next: usize,
    end: usize,
}

const TABLE_MOVE: i32 = 1 << 24;
const NOISY: i32 = 1 << 20;
const KILLER: i32 = 1 << 16;
const _: () = assert!(LIMIT < KILLER / 2);

impl<P: Position> MoveStack<P> {
    pub fn new() -> Self {
        MoveStack { moves: Vec::with_capacity(8192), fresh: Box::default() }
    }

    /// Every legal move of `position`, the move with fingerprint `table_move` first.
    pub fn push_legal(&mut self, position: &P, table_move: u16, history: &History, ply: usize) -> NodeMoves {
        self.fresh.clear();
        position.legal_moves(&mut self.fresh);
        self.push_scored(|m| {
            if m.fingerprint() == table_move {
                TABLE_MOVE
            } else if position.is_noisy(m) {
                NOISY + position.noisy_value(m)
            } else if let Some(rank) = history.killer_rank(ply, m) {
                KILLER - rank as i32
            } else {
                history.score(position, m)
            }
        })
    }

    /// Given moves in the given order.
    pub fn push_in_order(&mut self, moves: impl Iterator<Item = P::Move>) -> NodeMoves {
        self.fresh.clear();
        self.fresh.extend(moves);
        let mut score = 0;
        self.push_scored(|_| {
            score -= 1;
            score
        })
    }

    /// The noisy moves of `position`.
    pub fn push_noisy(&mut self, position: &P, table_move: u16) -> NodeMoves {
        self.fresh.clear();
        position.noisy_moves(&mut self.fresh);
        self.push_scored(|m| if m.fingerprint() == table_move { TABLE_MOVE } else { position.noisy_value(m) })
    }

    fn push_scored(&mut self, mut score: impl FnMut(P::Move) -> i32) -> NodeMoves {
        let base = self.moves.len();
        self.moves.extend(self.fresh.iter().map(|&m| Scored { m, score: score(m) }));
        NodeMoves { base, next: base, end: self.moves.len() }
    }

    /// The best move not yet tried; among equals the one that was generated first.
    pub fn next(&mut self, node: &mut NodeMoves) -> Option<P::Move> {
        let rest = &mut self.moves[node.next..node.end];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        let m = rest.get(best)?.m;
        rest.swap(0, best);
        node.next += 1;
        Some(m)
    }

    /// Gives a node's part back.
    pub fn pop(&mut self, node: NodeMoves) {
        self.moves.truncate(node.base);
    }
}

impl NodeMoves {
    /// How many moves the node has, tried ones included.
    pub fn len(&self) -> usize {
        self.end - self.base
    }
}
