//! Finding and counting moves, and the evaluation, compiled twice: for every processor, and with instructions that newer ones
//! have. How that works, and what it asks for, stands at the head of the other game's `acedrex::processor`.

use multiversion::multiversion;

use super::evaluation;
use super::moves::Move;
use super::position::Position;
use crate::game::MoveList;

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn legal_moves(position: &Position, moves: &mut MoveList<Move>) {
    position.generate(moves);
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn count_moves(position: &Position) -> u64 {
    position.count()
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn count_answers(position: &Position) -> u64 {
    position.answers()
}

#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub fn evaluate(position: &Position) -> i32 {
    evaluation::evaluate(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Rules;
    use crate::game::Position as _;

    /// Kings and men, and captures of both.
    #[test]
    fn every_processor_finds_the_same() {
        for fen in [
            "W:W1-12:B21-32",
            "B:WK3,9,17:BK28,K29,K32",
            "W:WK9,K12,K20,K27,K28:BK3,K6,13,K14,K15,K18,21,23,25",
        ] {
            let mut positions = vec![Position::from_fen(fen, Rules::default()).unwrap()];
            for _ in 0..3 {
                let next = |position: &Position| {
                    let (mut moves, mut plain) = (MoveList::new(), MoveList::new());
                    legal_moves(position, &mut moves);
                    position.generate(&mut plain);
                    assert_eq!(moves, plain);
                    assert_eq!(count_moves(position), plain.len() as u64);
                    assert_eq!(position.count(), plain.len() as u64);
                    let next: Vec<Position> = moves.iter().map(|&m| after(position, m)).collect();
                    let answers = next.iter().map(Position::count).sum();
                    assert_eq!((count_answers(position), position.answers()), (answers, answers));
                    next
                };
                positions = positions.iter().flat_map(next).collect();
            }
        }
    }

    fn after(position: &Position, m: Move) -> Position {
        let mut next = *position;
        next.play(m);
        next
    }
}
