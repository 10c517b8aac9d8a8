//! What patterns cannot see: kings, mobility, men that nobody can stop any more, and whose move it is.

use super::layout::{KING_SQUARE, KING_STEPS, KINGS, MEN, MEN_STEPS, OPPOSITION, RIVER, RUNAWAY, TEMPO};
use super::{Square, Squares, View};
use crate::draughts::moves::forward;
use crate::draughts::squares::sight;

/// Every second row, from the first on as White counts them.
const SYSTEM: Squares = Squares(0x0f0f_0f0f);

/// Tells `add` the weight of every term.
#[inline(always)]
pub fn each_weight<const WHITE: bool>(view: &View<WHITE>, mut add: impl FnMut(usize, i32)) {
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
        let system = if WHITE { SYSTEM } else { !SYSTEM };
        if (view.kings | view.enemy_kings).is_empty() && (occupied & system).count() % 2 == 1 {
            add(OPPOSITION.count(pairs), 1);
        }
    }
}

#[inline(always)]
fn count_men<const WHITE: bool>(view: &View<WHITE>, occupied: Squares, add: &mut impl FnMut(usize, i32)) {
    let [left, right] = const { forward(WHITE) };
    let steps = |direction| view.men.step(direction).without(occupied).count();
    add(MEN_STEPS.count(steps(left) + steps(right)), 1);
    for man in view.men.without(before::<WHITE>(view.enemies)) {
        add(RUNAWAY.at(seen::<WHITE>(man).row().into()), 1);
    }
}

#[inline(always)]
fn count_kings<const WHITE: bool>(view: &View<WHITE>, occupied: Squares, add: &mut impl FnMut(usize, i32)) {
    for (number, king) in (0..).zip(view.kings) {
        let steps = sight(king, occupied).without(occupied);
        add(KINGS.count(number), 1);
        add(KING_SQUARE.at(seen::<WHITE>(king).index()), 1);
        add(KING_STEPS.count(steps.count()), 1);
    }
    if view.kings.meets(Squares::LONG_DIAGONAL) && !view.enemy_kings.meets(Squares::LONG_DIAGONAL) {
        add(RIVER.count(view.enemy_kings.count()), 1);
    }
}

/// A square as the side that looks counts it.
#[inline(always)]
fn seen<const WHITE: bool>(square: Square) -> Square {
    if WHITE { square } else { square.turned() }
}

/// The squares from which a way of men of the side that looks leads to one of `set`.
#[inline(always)]
fn before<const WHITE: bool>(set: Squares) -> Squares {
    let before = if WHITE { &BEFORE[0] } else { &BEFORE[1] };
    let [a, b, c, d] = set.0.to_le_bytes().map(usize::from);
    before[0][a] | before[1][b] | before[2][c] | before[3][d]
}

/// By side, pair of rows, and where in it the squares of the set lie.
static BEFORE: [[[Squares; 256]; 4]; 2] = [ways::<true>(), ways::<false>()];

const fn ways<const WHITE: bool>() -> [[Squares; 256]; 4] {
    let [left, right] = forward(WHITE);
    let mut before = [[Squares::EMPTY; 256]; 4];
    let mut set = 0;
    while set < 4 * 256 {
        let (pair, squares) = (set / 256, set % 256);
        let mut frontier = Squares((squares as u32) << (8 * pair));
        while !frontier.is_empty() {
            let (left, right) = (frontier.step(left.opposite()), frontier.step(right.opposite()));
            frontier = Squares(left.0 | right.0);
            before[pair][squares] = Squares(before[pair][squares].0 | frontier.0);
        }
        set += 1;
    }
    before
}
