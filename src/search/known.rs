//! A root of which the value is known for certain: the moves that keep it.

use crate::game::{Known, Position};

/// What is known of the root.
pub struct KnownRoot<M> {
    /// The moves to choose from: those that lower the steps of a win, or those that hold a draw.
    pub moves: Vec<M>,
    /// Is it a draw? Then nothing is known of its moves that would tell them apart.
    pub drawn: bool,
    /// How many positions were asked for.
    pub asked: u64,
}

impl<M: Copy> KnownRoot<M> {
    /// Looks at `position` and what follows `moves`; `keys` are those of the earlier positions of the game.
    /// `None` where no move keeps what is known, or nothing is to be kept.
    pub fn look<P: Position<Move = M>>(position: &P, moves: &[M], keys: &[u64]) -> Option<Self> {
        let value = position.known_value()?;
        let keeps = |&m: &M| {
            let mut next = position.clone();
            next.play(m);
            let third = keys.iter().filter(|&&key| key == next.key()).count() >= 2;
            let known = if third { Some(Known::Draw) } else { next.known_value() };
            match (value, known) {
                (Known::Win(steps), Some(Known::Loss(less))) => less < steps,
                (Known::Draw, Some(Known::Draw)) => true,
                _ => false,
            }
        };
        let kept: Vec<M> = moves.iter().copied().filter(keeps).collect();
        let asked = 1 + moves.len() as u64;
        (!kept.is_empty()).then_some(KnownRoot { moves: kept, drawn: value == Known::Draw, asked })
    }
}
