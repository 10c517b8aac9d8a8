//! Counting move trees: how a move generator is checked and timed.

use rayon::prelude::*;

use super::control::Control;
use super::threads::Threads;
use crate::game::{MoveList, Position};

/// The number of lines of exactly `depth` legal moves from `position`; the last two plies are counted
/// in bulk. In debug builds only the last is, and every position on the way is verified.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    debug_assert_eq!(position.verify(), Ok(()));
    match depth {
        0 => 1,
        1 => position.count_moves(),
        2 if !cfg!(debug_assertions) => position.count_answers(),
        _ => perft_by_moves(position, depth),
    }
}

/// Apart, so that the list takes its place on the stack only here.
#[inline(never)]
fn perft_by_moves<P: Position>(position: &P, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&m| perft(&after(position, m), depth - 1)).sum()
}

/// [`perft`] for each move of `position` on its own, in the order of generation; `None` where
/// `control` stopped it.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    threads: &Threads,
    control: &Control,
) -> Option<Vec<(P::Move, u64)>> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    threads.install(|| {
        moves
            .par_iter()
            .map(|&m| Some((m, stoppable(&after(position, m), depth.saturating_sub(1), control)?)))
            .collect()
    })
}

/// [`perft`] that shares its work out and looks now and then whether it is to stop.
fn stoppable<P: Position>(position: &P, depth: u32, control: &Control) -> Option<u64> {
    /// Trees of this depth are counted in one go: a thousandth of a second at most, however many men there are.
    const IN_ONE_GO: u32 = 2;
    if control.stopped() {
        return None;
    }
    if depth <= IN_ONE_GO {
        return Some(perft(position, depth));
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.par_iter().map(|&m| stoppable(&after(position, m), depth - 1, control)).sum()
}

fn after<P: Position>(position: &P, m: P::Move) -> P {
    let mut next = position.clone();
    next.play(m);
    next
}
