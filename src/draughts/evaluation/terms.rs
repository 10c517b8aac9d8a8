//! What patterns cannot see: kings, mobility, men that nobody can stop any more, and whose move it is.

use super::layout::{KING_SQUARE, KING_STEPS, KINGS, MEN, MEN_STEPS, OPPOSITION, RIVER, RUNAWAY, TEMPO};
use super::{Direction, Squares, View};
use crate::draughts::squares::sight;

/// Every second row, from the first on.
const SYSTEM: Squares = Squares(0x0f0f_0f0f);

/// Tells `add` the weight of every term.
#[inline(always)]
pub fn each_weight(view: &View, mut add: impl FnMut(usize, i32)) {
    let occupied = view.occupied();
    add(MEN.at(0), view.men.count() as i32);
    count_men(view, occupied, &mut add);
    if !view.kings.is_empty() {
        count_kings(view, occupied, &mut add);
    }
    if view.to_move {
        let pairs = occupied.count() / 2;
        add(TEMPO.count(pairs), 1);
        // Without contact men move in turn, and who finds an odd number of pieces on every second row moves last.
        if (view.kings | view.enemy_kings).is_empty() && (occupied & SYSTEM).count() % 2 == 1 {
            add(OPPOSITION.count(pairs), 1);
        }
    }
}

#[inline(always)]
fn count_men(view: &View, occupied: Squares, add: &mut impl FnMut(usize, i32)) {
    let steps = |direction| view.men.step(direction).without(occupied).count();
    add(MEN_STEPS.count(steps(Direction::UpLeft) + steps(Direction::UpRight)), 1);
    let guarded = below(view.enemy_men | view.enemy_kings);
    for man in view.men.without(guarded) {
        add(RUNAWAY.at(man.row().into()), 1);
    }
}

fn count_kings(view: &View, occupied: Squares, add: &mut impl FnMut(usize, i32)) {
    for (number, king) in (0..).zip(view.kings) {
        let steps = sight(king, occupied).without(occupied);
        add(KINGS.count(number), 1);
        add(KING_SQUARE.at(king.index()), 1);
        add(KING_STEPS.count(steps.count()), 1);
    }
    if view.kings.meets(Squares::LONG_DIAGONAL) && !view.enemy_kings.meets(Squares::LONG_DIAGONAL) {
        add(RIVER.count(view.enemy_kings.count()), 1);
    }
}

/// The squares from which a way of men leads up to one of `set`.
#[inline(always)]
fn below(set: Squares) -> Squares {
    let [a, b, c, d] = set.0.to_le_bytes().map(usize::from);
    BELOW[0][a] | BELOW[1][b] | BELOW[2][c] | BELOW[3][d]
}

/// By pair of rows, and where in it the squares of the set lie.
static BELOW: [[Squares; 256]; 4] = {
    let mut below = [[Squares::EMPTY; 256]; 4];
    let mut set = 0;
    while set < 4 * 256 {
        let (pair, squares) = (set / 256, set % 256);
        let mut frontier = Squares((squares as u32) << (8 * pair));
        while !frontier.is_empty() {
            let (left, right) = (frontier.step(Direction::DownLeft), frontier.step(Direction::DownRight));
            frontier = Squares(left.0 | right.0);
            below[pair][squares] = Squares(below[pair][squares].0 | frontier.0);
        }
        set += 1;
    }
    below
};
