//! Which moves give check, told without making them.

use super::attacks::{EMPTY_BOARD, path, pawn_attacks};
use super::bitboard::Bitboard;
use super::moves::{Move, Sink};
use super::pieces::Kind;
use super::position::Position;
use super::squares::Square;
use crate::game::MoveList;

impl Position {
    /// Does the legal move give check: by the man that moves, or by a rider whose way it leaves?
    pub(super) fn gives_check(&self, m: Move) -> bool {
        let us = self.side();
        let (from, to, king) = (m.from(), m.to(), self.king(!us));
        let men = self.all_men() & !Bitboard::of(from) | Bitboard::of(to);
        let kind = self.becomes(self.kind_on(from).expect("a move starts from a man"), to);
        let attacks_king = match kind {
            Kind::Pawn => pawn_attacks(us, to).contains(king),
            kind => {
                EMPTY_BOARD[kind.index()][to.index()].contains(king)
                    && (path(kind, to, king) & men).is_empty()
            }
        };
        attacks_king
            || Kind::RIDERS.into_iter().any(|kind| {
                let riders = self.riders_aiming_at(king, kind, us) & !Bitboard::of(from);
                riders.into_iter().any(|rider| {
                    let way = path(kind, rider, king);
                    way.contains(from) && (way & men).is_empty()
                })
            })
    }
}

/// Keeps the moves that give check.
pub(super) struct Checks<'a> {
    position: &'a Position,
    moves: &'a mut MoveList<Move>,
    /// The king to be checked.
    king: Square,
    /// The men that stand alone in the way of a rider of their own side to that king.
    discoverers: Bitboard,
}

impl<'a> Checks<'a> {
    /// To be given the moves of the side to move; appends to `moves`.
    #[inline(always)]
    pub(super) fn new(position: &'a Position, moves: &'a mut MoveList<Move>) -> Checks<'a> {
        let us = position.side();
        let king = position.king(!us);
        let mut discoverers = Bitboard::EMPTY;
        for kind in Kind::RIDERS {
            for rider in position.riders_aiming_at(king, kind, us) {
                let between = path(kind, rider, king) & position.all_men();
                if between.is_single() {
                    discoverers |= between & position.men(us);
                }
            }
        }
        Checks { position, moves, king, discoverers }
    }

    #[inline(always)]
    fn keep(&mut self, m: Move) {
        if self.position.gives_check(m) {
            self.moves.push(m);
        }
    }
}

impl Sink for Checks<'_> {
    #[inline(always)]
    fn man(&mut self, from: Square, targets: Bitboard) {
        let kind = self.position.kind_on(from).expect("a move starts from a man");
        let likely = match self.discoverers.contains(from) {
            true => targets,
            false => targets & EMPTY_BOARD[kind.index()][self.king.index()],
        };
        for to in likely {
            self.keep(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        let from = |to: Square| Square::from_number(to.number().wrapping_add_signed(-step));
        let attacking = pawn_attacks(!self.position.side(), self.king);
        for to in targets {
            if attacking.contains(to) || self.discoverers.contains(from(to)) {
                self.keep(Move::new(from(to), to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::Wanted;
    use super::super::testing::walk;
    use super::*;

    #[test]
    fn as_on_the_board() {
        let mut checks = 0;
        walk(1283, 3_000, |position, moves| {
            for &m in moves {
                let mut next = position.clone();
                next.play(m);
                assert_eq!(position.gives_check(m), next.is_in_check(next.side()), "{m:?}");
                checks += u32::from(next.is_in_check(next.side()));
            }
            let (mut quiet, mut kept) = (MoveList::new(), MoveList::new());
            position.generate(Wanted::Quiet, &mut quiet);
            position.generate(Wanted::Quiet, &mut Checks::new(position, &mut kept));
            quiet.retain(|m| position.gives_check(*m));
            assert_eq!(kept, quiet);
        });
        assert!(checks > 1_000);
    }
}
