//! Pawns: how they stand together, and which of them nothing but pieces can stop.

use crate::game::Color;

use super::super::bitboard::Bitboard;
use super::super::pieces::Kind;
use super::super::position::Position;
use super::super::squares::Square;
use super::activity::Activity;
use super::layout::*;
use super::tally::Tally;

#[inline(always)]
pub fn count(position: &Position, color: Color, own: &Activity, enemy: &Activity, tally: &mut impl Tally) {
    // The board is turned so that the pawns go up.
    let turned = |set: Bitboard| if color == Color::White { set } else { set.flipped() };
    let pawns = turned(position.men_of(color, Kind::Pawn));
    let enemies = turned(position.men_of(!color, Kind::Pawn));
    if pawns.is_empty() {
        return;
    }
    let files = pawns.files();
    let beside = |set: Bitboard| set.raised(1) | set.lowered(1);
    let doubled = pawns & pawns.lowered(16).filled_down();
    let enemies_ahead = enemies.lowered(16).filled_down();
    let passed = pawns & !(enemies_ahead | beside(enemies_ahead) | doubled);
    let never_defended = pawns & !(beside(pawns) & Bitboard::ALL).filled_up();
    let next_square_attacked = beside(enemies).lowered(32);

    for pawn in pawns & (pawns.raised(15) | pawns.raised(17)) {
        tally.add(CHAIN.count(pawn.rank().into()), 1);
    }
    for pawn in pawns & beside(pawns) {
        tally.add(PHALANX.count(pawn.rank().into()), 1);
    }
    let isolated = pawns & Bitboard::of_files(files & !(files << 1 | files >> 1));
    let backward = never_defended & next_square_attacked & !isolated;
    for (group, set) in [(&ISOLATED, isolated), (&DOUBLED, doubled), (&BACKWARD, backward)] {
        // Mostly there are none.
        if !set.is_empty() {
            tally.add(group.at(0, 0), set.len() as i32);
        }
    }
    for pawn in passed {
        count_passed(position, color, pawn, own, enemy, tally);
    }
}

/// A passed pawn, on the turned board.
#[inline(always)]
fn count_passed(
    position: &Position,
    color: Color,
    pawn: Square,
    own: &Activity,
    enemy: &Activity,
    tally: &mut impl Tally,
) {
    let rank = usize::from(pawn.rank());
    let next = pawn.step(0, 1).expect("no pawn stands on the last rank");
    let next = if color == Color::White { next } else { next.flipped() };
    tally.add(PASSED.at(0, half_board(pawn)), 1);
    tally.add(PASSED_OWN_KING.at(0, next.distance(position.king(color)).into()), 1);
    tally.add(PASSED_ENEMY_KING.at(0, next.distance(position.king(!color)).into()), 1);
    if position.kind_on(next).is_some() {
        tally.add(PASSED_BLOCKED.at(0, rank), 1);
    }
    if enemy.all.contains(next) {
        tally.add(PASSED_STOPPED.at(0, rank), 1);
    }
    if own.all.contains(next) {
        tally.add(PASSED_SUPPORTED.at(0, rank), 1);
    }
}
