//! The ways over the board by which a capture may take its pieces.
//!
//! A route is the list of squares that the long form of a move writes: where the piece starts, each
//! square where it turns or, where it goes straight on, the square right behind the captured piece,
//! and where it ends.

use super::moves::{Move, forward};
use super::position::Position;
use super::squares::{Direction, Square, Squares, slide};
use crate::game::Color;

/// A capture on its way.
#[derive(Clone, Copy)]
struct Leg {
    /// The last captured piece.
    over: Square,
    /// The direction in which it was jumped.
    direction: Direction,
    /// Where the piece can land behind it.
    landings: Squares,
}

/// What a walk over the routes of a position's captures needs to know.
pub(super) struct Walker {
    king: bool,
    white: bool,
    /// The squares of the enemy pieces that may be captured.
    enemies: Squares,
    occupied: Squares,
    from: Square,
}

impl Walker {
    /// Routes of the piece of the side to move on `from`, over some of the enemies on `enemies`.
    pub(super) fn new(position: &Position, from: Square, enemies: Squares) -> Walker {
        let side = position.side();
        Walker {
            king: position.kings(side).contains(from),
            white: side == Color::White,
            enemies,
            occupied: position.occupied().without(from.set()),
            from,
        }
    }

    /// The jump in a direction from a square, over an enemy not yet captured.
    fn jump(&self, at: Square, direction: Direction, captured: Squares) -> Option<Leg> {
        let over =
            if self.king { slide(at, direction, self.occupied).1.first() } else { at.neighbour(direction) }?;
        if !self.enemies.without(captured).contains(over) {
            return None;
        }
        let run = slide(over, direction, self.occupied).0;
        let landings = if self.king { run } else { run & over.set().step(direction) };
        (!landings.is_empty()).then_some(Leg { over, direction, landings })
    }

    fn directions(&self) -> &'static [Direction] {
        match (self.king, self.white) {
            (true, _) => &Direction::ALL,
            (false, true) => const { &forward(true) },
            (false, false) => const { &forward(false) },
        }
    }

    /// The first jumps.
    fn first(&self) -> impl Iterator<Item = Leg> {
        self.directions().iter().filter_map(|&direction| self.jump(self.from, direction, Squares::EMPTY))
    }

    /// The jumps that may follow, each with the square that a route writes in between.
    fn next(&self, leg: Leg, captured: Squares) -> Vec<(Square, Leg)> {
        let mut next = Vec::new();
        let Some(behind) = leg.over.neighbour(leg.direction) else { return next };
        for &direction in self.directions() {
            if direction == leg.direction {
                next.extend(self.jump(behind, direction, captured).map(|jump| (behind, jump)));
            } else if direction != leg.direction.opposite() {
                let turn = |at| self.jump(at, direction, captured).map(|jump| (at, jump));
                next.extend(leg.landings.into_iter().filter_map(turn));
            }
        }
        next
    }

    /// Does any route, finished or not, end on `to`? The captured sets of those that do, and whether
    /// each could go on.
    pub(super) fn sets_to(&self, to: Square) -> Vec<(Squares, bool)> {
        let mut sets = Vec::new();
        let mut open: Vec<(Leg, Squares)> = self.first().map(|leg| (leg, leg.over.set())).collect();
        while let Some((leg, captured)) = open.pop() {
            let next = self.next(leg, captured);
            if leg.landings.contains(to) {
                let goes_on = (captured, !next.is_empty());
                if !sets.contains(&goes_on) {
                    sets.push(goes_on);
                }
            }
            open.extend(next.into_iter().map(|(_, leg)| (leg, captured | leg.over.set())));
        }
        sets
    }
}

/// The smallest route of a capture in the order of the numbers; from and to alone for a quiet move.
pub(super) fn smallest(position: &Position, m: Move) -> Vec<Square> {
    let walker = Walker::new(position, m.from, m.captured);
    let mut best: Option<Vec<Square>> = None;
    let mut route = vec![m.from];
    for leg in walker.first() {
        walker.least(leg, leg.over.set(), m, &mut route, &mut best);
    }
    best.unwrap_or_else(|| vec![m.from, m.to])
}

impl Walker {
    /// Tries all that follows `leg`, smallest squares first, and keeps the smallest whole route.
    fn least(
        &self,
        leg: Leg,
        captured: Squares,
        m: Move,
        route: &mut Vec<Square>,
        best: &mut Option<Vec<Square>>,
    ) {
        // All routes of a move are equally long, so that a greater beginning cannot win any more.
        if best.as_ref().is_some_and(|best| route[..] > best[..route.len()]) {
            return;
        }
        if captured == m.captured {
            if leg.landings.contains(m.to) {
                route.push(m.to);
                if best.as_ref().is_none_or(|best| *route < *best) {
                    *best = Some(route.clone());
                }
                route.pop();
            }
            return;
        }
        let mut next = self.next(leg, captured);
        next.sort_by_key(|&(square, _)| square);
        for (square, leg) in next {
            route.push(square);
            self.least(leg, captured | leg.over.set(), m, route, best);
            route.pop();
        }
    }

    /// Can a capture that has come as far as `leg` take all the rest and land?
    fn ends(&self, leg: Leg, captured: Squares, m: Move) -> bool {
        if captured == m.captured {
            return leg.landings.contains(m.to);
        }
        self.next(leg, captured).into_iter().any(|(_, leg)| self.ends(leg, captured | leg.over.set(), m))
    }
}

/// The pieces that a move may take next after those on `taken`, in this order; none once it has
/// taken all and can land. `None` where none of its routes begins so.
pub(super) fn next_victims(position: &Position, m: Move, taken: &[Square]) -> Option<Squares> {
    let walker = Walker::new(position, m.from, m.captured);
    if m.captured.is_empty() {
        return taken.is_empty().then_some(Squares::EMPTY);
    }
    let mut open: Vec<(Leg, Squares)> = walker.first().map(|leg| (leg, leg.over.set())).collect();
    for &square in taken {
        open.retain(|(leg, _)| leg.over == square);
        if open.iter().any(|&(leg, captured)| captured == m.captured && leg.landings.contains(m.to)) {
            return (square == *taken.last()?).then_some(Squares::EMPTY);
        }
        let next = |&(leg, captured): &(Leg, Squares)| {
            let next = walker.next(leg, captured).into_iter();
            next.map(move |(_, leg)| (leg, captured | leg.over.set()))
        };
        open = open.iter().flat_map(next).collect();
    }
    let next: Squares = open
        .iter()
        .filter(|&&(leg, captured)| walker.ends(leg, captured, m))
        .map(|(leg, _)| leg.over)
        .collect();
    (!next.is_empty()).then_some(next)
}

/// Is the list of squares, first and last among them, a route of the capture?
pub(super) fn fits(position: &Position, m: Move, squares: &[Square]) -> bool {
    let [from, between @ .., to] = squares else { return false };
    if (*from, *to) != (m.from, m.to) || between.len() + 1 != m.captured.count() as usize {
        return false;
    }
    let walker = Walker::new(position, m.from, m.captured);
    let mut open: Vec<(Leg, Squares)> = walker.first().map(|leg| (leg, leg.over.set())).collect();
    for square in between {
        let next = open.iter().flat_map(|&(leg, captured)| {
            let fitting = walker.next(leg, captured).into_iter().filter(|(at, _)| at == square);
            fitting.map(move |(_, leg)| (leg, captured | leg.over.set()))
        });
        open = next.collect();
    }
    open.iter().any(|(leg, _)| leg.landings.contains(m.to))
}
