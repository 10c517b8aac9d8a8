//! What takes the time, compiled twice: for every processor, and with instructions that newer ones have.
//!
//! On x86-64 these are the instructions that count, find and clear bits, of all such processors since
//! 2013 (AMD: 2015). Which of the two runs is chosen at run time, by what the processor says of itself.
//! The wider registers of AVX2 are left out: with them sets of squares, of three words, get slower.
//!
//! A function is compiled for the newer processors together with what is inlined into it and nothing
//! else, so that what is called here in an inner loop is marked `inline(always)`.

use multiversion::multiversion;

use crate::game::MoveList;

use super::checks::Checks;
use super::evaluation;
use super::moves::{Counter, Move, Wanted};
use super::position::Position;

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn legal_moves(position: &Position, moves: &mut MoveList<Move>) {
    position.generate(Wanted::All, moves);
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn noisy_moves(position: &Position, moves: &mut MoveList<Move>) {
    position.generate(Wanted::Noisy, moves);
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn quiet_moves(position: &Position, moves: &mut MoveList<Move>) {
    position.generate(Wanted::Quiet, moves);
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn quiet_checks(position: &Position, moves: &mut MoveList<Move>) {
    position.generate(Wanted::Quiet, &mut Checks::new(position, moves));
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn count_moves(position: &Position) -> u64 {
    let mut counter = Counter::default();
    position.generate(Wanted::All, &mut counter);
    counter.0
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn evaluate(position: &Position) -> i32 {
    evaluation::evaluate(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acedrex::{Rules, fen};

    #[test]
    fn every_processor_finds_the_same() {
        let mut positions = vec![fen::read(fen::START, Rules::default()).unwrap()];
        for _ in 0..2 {
            let next = |position: &Position| {
                let mut moves = MoveList::new();
                legal_moves(position, &mut moves);
                let mut plain = MoveList::new();
                position.generate(Wanted::All, &mut plain);
                assert_eq!(moves, plain);
                assert_eq!(count_moves(position), plain.len() as u64);
                assert_eq!(evaluate(position), evaluation::evaluate(position));
                let (mut noisy, mut plain) = (MoveList::new(), MoveList::new());
                noisy_moves(position, &mut noisy);
                position.generate(Wanted::Noisy, &mut plain);
                assert_eq!(noisy, plain);
                let after = |&m: &Move| {
                    let mut next = position.clone();
                    next.play(m);
                    next
                };
                moves.iter().map(after).collect::<Vec<_>>()
            };
            positions = positions.iter().flat_map(next).collect();
        }
    }
}
