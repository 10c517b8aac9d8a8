//! Few men left: who loses the last one loses the game, so one more is much, and the last ones are hunted.

use crate::game::Color;

use super::super::pieces::Kind;
use super::super::position::Position;
use super::layout::*;
use super::tally::Tally;

/// A side with no more men than these is hunted.
const FEW: usize = 2;

#[inline(always)]
pub fn count(position: &Position, color: Color, tally: &mut impl Tally) {
    let left = |color| position.men(color).len() as usize - 1;
    let (own, enemies) = (left(color), left(!color));
    tally.add(MEN_LEFT.count(own), 1);
    if own > enemies && enemies < LEAD.rows() {
        tally.add(LEAD.at(enemies, (own - enemies).min(LEAD.columns()) - 1), 1);
    }
    if enemies <= FEW {
        count_hunt(position, color, tally);
    }
}

/// How near the men of `color` are to the few of the enemy.
fn count_hunt(position: &Position, color: Color, tally: &mut impl Tally) {
    let (king, enemy_king) = (position.king(color), position.king(!color));
    let pieces = position.pieces(color);
    tally.add(HUNTED_KING.at(0, ring(enemy_king)), 1);
    tally.add(HUNTING_KING.at(0, king.distance(enemy_king).into()), 1);
    for man in position.men(!color) ^ position.men_of(!color, Kind::King) {
        tally.add(HUNTED_MAN.at(0, ring(man)), 1);
        tally.add(HUNT_BY_KING.at(0, king.distance(man).into()), 1);
        for piece in pieces {
            tally.add(HUNT_BY_PIECE.at(0, piece.distance(man).into()), 1);
        }
    }
}
