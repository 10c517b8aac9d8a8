//! Men under attack: by whom at the cheapest, and whether anything defends them.

use crate::game::Color;

use super::super::pieces::Kind;
use super::super::position::Position;
use super::activity::Activity;
use super::layout::{ATTACKED, HANGING, OUTNUMBERED};
use super::tally::Tally;

/// What the men of `color` threaten.
#[inline(always)]
pub fn count(position: &Position, color: Color, own: &Activity, enemy: &Activity, tally: &mut impl Tally) {
    let king = position.men_of(!color, Kind::King);
    for square in (position.men(!color) ^ king) & own.all {
        let victim = position.kind_on(square).expect("a man stands there").index();
        let attackers = Kind::ALL.iter().take_while(|kind| !own.by_kind[kind.index()].contains(square));
        let cheapest = attackers.count();
        let defended = enemy.all.contains(square);
        tally.add(if defended { &ATTACKED } else { &HANGING }.at(victim, cheapest), 1);
        if defended && own.twice.contains(square) && !enemy.twice.contains(square) {
            tally.add(OUTNUMBERED.at(victim, 0), 1);
        }
    }
}
