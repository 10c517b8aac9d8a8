//! Exchange evaluation: what it brings to take on a square, when both sides go on taking there as long as
//! it pays (static exchange evaluation).
//!
//! Each side takes with its cheapest man. Every man that leaves the board's other squares for this one may
//! open the way of riders behind it, straight or bent, of either side; so who can take is looked up anew
//! each time among the men that are left. Pins are left aside.
//!
//! Who takes the last man beside a king wins, so that ends the exchange; and nobody takes with his own last man
//! where it can be taken in turn. That a bared side may bare in reply is left to the search.

use super::attacks::{EMPTY_BOARD, path, pawn_attacks};
use super::bitboard::Bitboard;
use super::evaluation::value;
use super::moves::Move;
use super::pieces::Kind;
use super::position::Position;
use super::squares::Square;
use crate::game::Color;

/// The men that aim at one square, those behind others included.
struct Takers<'a> {
    position: &'a Position,
    square: Square,
    /// By kind, of both sides, as on an empty board.
    aiming: [Bitboard; Kind::COUNT],
    /// The men that have not taken yet.
    men: Bitboard,
}

impl<'a> Takers<'a> {
    fn of(position: &'a Position, square: Square, men: Bitboard) -> Takers<'a> {
        let mut aiming = [Bitboard::EMPTY; Kind::COUNT];
        for color in [Color::White, Color::Black] {
            let pawns = position.men_of(color, Kind::Pawn) & pawn_attacks(!color, square);
            aiming[Kind::Pawn.index()] |= pawns;
            for kind in Kind::ALL {
                aiming[kind.index()] |=
                    position.men_of(color, kind) & EMPTY_BOARD[kind.index()][square.index()];
            }
        }
        Takers { position, square, aiming, men }
    }

    /// The cheapest man of `color` that can take on the square; of equals the one on the lowest square.
    fn cheapest(&self, color: Color) -> Option<(Kind, Square)> {
        let men = self.men & self.position.men(color);
        Kind::ALL.into_iter().find_map(|kind| {
            let mut candidates = (self.aiming[kind.index()] & men).into_iter();
            let taker = candidates.find(|&from| (path(kind, from, self.square) & self.men).is_empty())?;
            Some((kind, taker))
        })
    }

    /// The cheapest man of `color` that may take: no king where the other side can take it.
    fn able(&self, color: Color) -> Option<(Kind, Square)> {
        self.cheapest(color).filter(|&(kind, _)| kind != Kind::King || self.cheapest(!color).is_none())
    }

    /// Has `color` nothing but its king on the other squares?
    fn is_bare(&self, color: Color) -> bool {
        (self.men & self.position.men(color)).len() == 1
    }
}

impl Position {
    /// Does the legal move `m`, with what is taken on its square after it, win at least `least`
    /// centipawns?
    pub(super) fn wins_exchange(&self, m: Move, least: i32) -> bool {
        let (us, square) = (self.side(), m.to());
        if self.bares(m) {
            return true;
        }
        let mover = self.kind_on(m.from()).expect("a move starts from a man");
        let becomes = self.becomes(mover, square);
        let victim = self.kind_on(square).map_or(0, value);
        // What the side that has moved last is ahead of its aim, should the other stop here.
        let mut ahead = victim + value(becomes) - value(mover) - least;
        let mut at_risk = value(becomes);
        // The side that has moved last.
        let mut side = us;
        let with_last_man = mover != Kind::King && self.men(us).len() == 2;
        if ahead < 0 || (ahead >= at_risk && !with_last_man) {
            return ahead >= 0;
        }
        let men = self.all_men() & !Bitboard::of(m.from()) & !Bitboard::of(square);
        let mut takers = Takers::of(self, square, men);
        if with_last_man {
            return takers.able(!us).is_none();
        }
        loop {
            // The one aims at `least` or more, the other at less: whoever is to take falls short by one
            // point where the other is level.
            let Some((kind, from)) = takers.able(!side) else { return side == us };
            if takers.is_bare(side) {
                return side != us;
            }
            takers.men &= !Bitboard::of(from);
            if kind != Kind::King && takers.is_bare(!side) && takers.able(side).is_some() {
                return side == us;
            }
            side = !side;
            let becomes = if kind == Kind::Pawn && square.rank_for(!side) == 0 {
                Kind::promoted_on(square)
            } else {
                kind
            };
            ahead = at_risk - ahead - 1 + value(becomes) - value(kind);
            at_risk = value(becomes);
            if ahead < 0 {
                return side != us;
            }
            if ahead >= at_risk {
                return side == us;
            }
        }
    }

    /// Does the move take the last man that the other side has beside its king?
    pub(super) fn bares(&self, m: Move) -> bool {
        self.kind_on(m.to()).is_some() && self.men(!self.side()).len() == 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::walk;
    use super::*;

    /// A board of the plainest sort: what stands on each square.
    type Board = Vec<Option<(Color, Kind)>>;

    fn board_of(position: &Position) -> Board {
        let man = |number: u8| {
            let square = Square::from_number(number);
            position.man_on(square)
        };
        (0..192u8).map(|number| if number & 15 < 12 { man(number) } else { None }).collect()
    }

    /// Can the man on `from` take on `to`? By walking, step by step, as the rules tell its moves.
    fn reaches(board: &Board, from: Square, to: Square) -> bool {
        let Some((color, kind)) = board[from.index()] else { return false };
        let forward = if color == Color::White { 1 } else { -1 };
        let ride = |mut at: Square, right: i8, up: i8| loop {
            if at == to {
                return true;
            }
            if board[at.index()].is_some() {
                return false;
            }
            match at.step(right, up) {
                Some(next) => at = next,
                None => return false,
            }
        };
        let signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let leap = |right: i8, up: i8| {
            signs.iter().any(|(x, y)| {
                from.step(x * right, y * up) == Some(to) || from.step(x * up, y * right) == Some(to)
            })
        };
        let start = |right: i8, up: i8| from.step(right, up);
        match kind {
            Kind::Pawn => [-1, 1].into_iter().any(|right| from.step(right, forward) == Some(to)),
            Kind::Giraffe => leap(2, 3),
            Kind::Lion => leap(1, 3) || leap(0, 3),
            Kind::King => leap(0, 1) || leap(1, 1),
            Kind::Rook => [(0, 1), (1, 0), (0, -1), (-1, 0)]
                .into_iter()
                .any(|(x, y)| start(x, y).is_some_and(|at| ride(at, x, y))),
            Kind::Crocodile => signs.into_iter().any(|(x, y)| start(x, y).is_some_and(|at| ride(at, x, y))),
            Kind::Gryphon => {
                signs.into_iter().any(|(x, y)| start(x, y).is_some_and(|at| ride(at, x, 0) || ride(at, 0, y)))
            }
            Kind::Rhinoceros => signs.into_iter().any(|(x, y)| {
                start(x, 2 * y).is_some_and(|at| ride(at, x, y))
                    || start(2 * x, y).is_some_and(|at| ride(at, x, y))
            }),
        }
    }

    fn moved(board: &Board, from: Square, to: Square) -> (Board, i32) {
        let mut next = board.clone();
        let (color, kind) = next[from.index()].take().expect("a man");
        let becomes =
            if kind == Kind::Pawn && to.rank_for(!color) == 0 { Kind::promoted_on(to) } else { kind };
        let victim = next[to.index()].replace((color, becomes)).map_or(0, |(_, kind)| value(kind));
        (next, victim + value(becomes) - value(kind))
    }

    fn takers(board: &Board, square: Square, side: Color) -> Vec<Square> {
        let own = |from: &Square| board[from.index()].is_some_and(|(color, _)| color == side);
        Square::all().filter(own).filter(|&from| reaches(board, from, square)).collect()
    }

    /// The worth of the last man.
    const ALL: i32 = 1_000_000;

    /// Has `side` nothing but its king?
    fn is_bare(board: &Board, side: Color) -> bool {
        board.iter().flatten().filter(|(color, _)| *color == side).count() == 1
    }

    /// What `side` wins at best by taking on `square`, or by leaving it; with its cheapest man, or with any.
    fn best(board: &Board, square: Square, side: Color, any: bool) -> i32 {
        let takers = takers(board, square, side);
        let kind = |from: &Square| board[from.index()].expect("a man").1;
        let cheapest = takers.iter().copied().min_by_key(|from| (kind(from), *from));
        let chosen: Vec<Square> = if any { takers } else { cheapest.into_iter().collect() };
        let outcomes = chosen.into_iter().filter_map(|from| {
            let (next, gain) = moved(board, from, square);
            // A king may not step into the reach of the other side.
            let exposed = kind(&from) == Kind::King && !self::takers(&next, square, !side).is_empty();
            let outcome = || if is_bare(&next, !side) { ALL } else { gain - best(&next, square, !side, any) };
            (!exposed).then(outcome)
        });
        outcomes.max().unwrap_or(0).max(0)
    }

    #[test]
    fn as_by_search() {
        let (mut same, mut all, mut positions, mut lost) = (0, 0, 0, 0);
        walk(7, 10_000, |position, moves| {
            positions += 1;
            // One move of each position, drawn by its hash; captures where there are any.
            let captures: Vec<Move> =
                moves.iter().copied().filter(|m| position.kind_on(m.to()).is_some()).collect();
            let from = if captures.is_empty() { moves } else { &captures };
            let m = from[position.hash() as usize % from.len()];
            if position.bares(m) {
                return;
            }
            let (next, gain) = moved(&board_of(position), m.from(), m.to());
            let outcome = gain - best(&next, m.to(), !position.side(), false);
            if outcome < -ALL / 2 {
                assert!(!position.wins_exchange(m, -10_000), "{m:?} loses the last man");
                lost += 1;
                return;
            }
            assert!(position.wins_exchange(m, outcome), "{m:?} wins {outcome}");
            assert!(!position.wins_exchange(m, outcome + 1), "{m:?} wins {outcome} only");
            all += 1;
            same += u32::from(gain - best(&next, m.to(), !position.side(), true) == outcome);
        });
        assert_eq!(positions, 10_000);
        assert!(lost > 10, "{lost} last men lost");
        // To take with the cheapest man is nearly always best.
        assert!(same * 100 >= all * 97, "{same} of {all}");
    }

    fn exchange(fen: &str, m: &str, least: i32) -> bool {
        let position = <Position as crate::game::Position>::from_fen(fen, Default::default()).unwrap();
        let m = crate::game::Position::parse_move(&position, m).unwrap();
        position.wins_exchange(m, least)
    }

    #[test]
    fn nobody_takes_with_the_last_man_where_it_can_be_taken() {
        // The giraffe could take back, but then the gryphon takes it: a bare king.
        let last_man = "2g8k/12/12/4r7/12/12/12/7U4/5A6/12/12/K11 w - - 0 1";
        assert!(exchange(last_man, "h5e9", value(Kind::Rook)));
        let one_more = "2g8k/p11/12/4r7/12/12/12/7U4/5A6/12/12/K11 w - - 0 1";
        assert!(!exchange(one_more, "h5e9", 0));
        // So it is for the side to move: nothing but the king guards e9.
        let own_last_man = "2g8k/p11/12/4p7/12/12/4R7/12/12/12/12/K11 w - - 0 1";
        assert!(!exchange(own_last_man, "e6e9", -10_000));
    }

    #[test]
    fn a_man_that_leaves_an_elbow_lets_the_gryphon_through() {
        // The rook takes the pawn on e9 and is taken by the other rook; the gryphon on d4 takes back if the
        // rook has left its way: the elbow e5 or the file beyond.
        let pawn = value(Kind::Pawn);
        let nobody_behind = "11k/12/12/4p2r4/12/12/4R7/12/12/12/12/K11 w - - 0 1";
        assert!(!exchange(nobody_behind, "e6e9", 0));
        let on_the_file = "11k/12/12/4p2r4/12/12/4R7/12/3A8/12/12/K11 w - - 0 1";
        assert!(exchange(on_the_file, "e6e9", pawn));
        let on_the_elbow = "11k/12/12/4p2r4/12/12/12/4R7/3A8/12/12/K11 w - - 0 1";
        assert!(exchange(on_the_elbow, "e5e9", pawn));
        let elbow_held = "11k/12/12/4p2r4/12/12/4R7/4P7/3A8/12/12/K11 w - - 0 1";
        assert!(!exchange(elbow_held, "e6e9", 0));
    }
}
