//! Positions for the tests of this folder.

use super::moves::{Move, Wanted};
use super::position::Position;
use super::rules::Rules;
use crate::game::{MoveList, Position as _};

/// Shows `count` positions of random games from the array to `look`, each with its legal moves, of which
/// there is one at least.
pub fn walk(seed: u64, count: usize, mut look: impl FnMut(&Position, &[Move])) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::start(Rules::default());
    let mut plies = 0;
    for _ in 0..count {
        let mut moves = MoveList::new();
        position.generate(Wanted::All, &mut moves);
        while moves.is_empty() || plies == 300 {
            (position, plies) = (Position::start(Rules::default()), 0);
            moves.clear();
            position.generate(Wanted::All, &mut moves);
        }
        look(&position, &moves);
        // Captures are as likely as all else together, so that boards of every fullness come up.
        let captures: Vec<Move> =
            moves.iter().copied().filter(|m| position.kind_on(m.to()).is_some()).collect();
        let choice = if random.bool() && !captures.is_empty() { &captures } else { &moves[..] };
        position.play(choice[random.usize(..choice.len())]);
        plies += 1;
    }
}
