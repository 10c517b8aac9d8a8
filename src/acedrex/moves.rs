//! Moves, and the legal ones of a position.
//!
//! No move is made to see whether it is legal. Each enemy rider that aims at the king is looked at
//! along its path: with nothing on the path it gives check, with one own man it pins that man, who
//! then must stay on the path or take the rider. Several checks may be met by one man, since paths
//! can share squares, so the targets are the intersection over all checks. The king goes where the
//! enemy does not attack, the king itself taken off the board.

use crate::game::{self, Color};

use super::attacks::{EMPTY_BOARD, KING_LEAPS, attacks, path, pawn_attacks};
use super::bitboard::Bitboard;
use super::pieces::Kind;
use super::position::Position;
use super::squares::{SIDE, Square};

/// From where to where. What a pawn becomes is told by the file it arrives on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    pub(super) fn new(from: Square, to: Square) -> Move {
        debug_assert_ne!(from, to);
        Move(from.number() as u16 | (to.number() as u16) << 8)
    }

    pub(super) fn from(self) -> Square {
        Square::from_number(self.0 as u8)
    }

    pub(super) fn to(self) -> Square {
        Square::from_number((self.0 >> 8) as u8)
    }

    /// Not 0, as a move does not end where it began.
    pub(super) const fn name(self) -> u16 {
        self.0
    }
}

impl game::Move for Move {}

/// Takes the legal moves of a position.
pub(super) trait Sink {
    /// Moves of the man on `from`.
    fn man(&mut self, from: Square, targets: Bitboard);
    /// Moves of pawns, each from the square `step` below its target in the numbers of squares.
    fn pawns(&mut self, step: i8, targets: Bitboard);
}

impl Sink for game::MoveList<Move> {
    #[inline(always)]
    fn man(&mut self, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| {
            let from = Square::from_number(to.number().wrapping_add_signed(-step));
            Move::new(from, to)
        }));
    }
}

/// Only counts the moves.
#[derive(Default)]
pub(super) struct Counter(pub u64);

impl Sink for Counter {
    fn man(&mut self, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    fn pawns(&mut self, _step: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }
}

/// Where one man may go.
struct Steps(Bitboard);

impl Sink for Steps {
    fn man(&mut self, _from: Square, targets: Bitboard) {
        self.0 |= targets;
    }

    fn pawns(&mut self, _step: i8, targets: Bitboard) {
        self.0 |= targets;
    }
}

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
}

/// What the enemy leaves to the men other than the king.
struct Constraints {
    in_check: bool,
    /// Squares that meet every check.
    targets: Bitboard,
    pinned: Bitboard,
}

impl Position {
    #[inline(always)]
    pub(super) fn generate(&self, wanted: Wanted, sink: &mut impl Sink) {
        let us = self.side();
        if self.is_bare(!us) {
            return;
        }
        let constraints = self.constraints();
        self.king_moves(wanted, constraints.in_check, sink);
        if self.is_bare(us) || constraints.targets.is_empty() {
            return;
        }
        let targets = constraints.targets
            & match wanted {
                Wanted::All => !self.men(us),
                Wanted::Noisy => self.men(!us),
                Wanted::Quiet => !self.all_men(),
            };
        // Only pawns go where they cannot take, so only they need to know what is wanted there.
        let last_rank = Bitboard::rank(if us == Color::White { SIDE - 1 } else { 0 });
        let pushes = constraints.targets
            & match wanted {
                Wanted::All => Bitboard::ALL,
                Wanted::Noisy => last_rank,
                Wanted::Quiet => !last_rank,
            };
        let men = self.all_men();
        let free = !constraints.pinned;
        self.pawn_moves(self.men_of(us, Kind::Pawn) & free, pushes, targets, sink);
        self.piece_moves(Kind::Giraffe, free, &men, targets, sink);
        self.piece_moves(Kind::Crocodile, free, &men, targets, sink);
        self.piece_moves(Kind::Lion, free, &men, targets, sink);
        self.piece_moves(Kind::Rook, free, &men, targets, sink);
        self.piece_moves(Kind::Rhinoceros, free, &men, targets, sink);
        self.piece_moves(Kind::Gryphon, free, &men, targets, sink);
        for from in constraints.pinned {
            let allowed = self.allowed_by_pins(from);
            match self.kind_on(from) {
                Some(Kind::Pawn) => {
                    self.pawn_moves(Bitboard::of(from), pushes & allowed, targets & allowed, sink);
                }
                Some(kind) => sink.man(from, attacks(kind, from, &men) & targets & allowed),
                None => unreachable!("a pinned man is a man"),
            }
        }
    }

    /// The legal move of that name, if there is one.
    pub(super) fn find_legal(&self, name: u16) -> Option<Move> {
        let [from, to] = name.to_le_bytes().map(Square::from_any_number);
        let (from, to, us) = (from?, to?, self.side());
        if !self.men(us).contains(from) || self.is_bare(!us) {
            return None;
        }
        let legal = if from == self.king(us) {
            let mut steps = Steps(Bitboard::EMPTY);
            self.king_moves(Wanted::All, self.is_in_check(us), &mut steps);
            steps.0.contains(to)
        } else {
            let constraints = self.constraints();
            self.reach(from).contains(to)
                && constraints.targets.contains(to)
                && (!constraints.pinned.contains(from) || self.allowed_by_pins(from).contains(to))
        };
        legal.then(|| Move::new(from, to))
    }

    /// Moves of the men of one kind out of `men`. Inlined, so that it is compiled for each kind.
    #[inline(always)]
    fn piece_moves(
        &self,
        kind: Kind,
        men: Bitboard,
        among: &Bitboard,
        targets: Bitboard,
        sink: &mut impl Sink,
    ) {
        for from in self.men_of(self.side(), kind) & men {
            sink.man(from, attacks(kind, from, among) & targets);
        }
    }

    #[inline(always)]
    fn constraints(&self) -> Constraints {
        let us = self.side();
        let (king, own, men) = (self.king(us), self.men(us), self.all_men());
        let mut in_check = false;
        let mut targets = Bitboard::ALL;
        let mut pinned = Bitboard::EMPTY;
        for from in self.leapers_at(king, !us) {
            in_check = true;
            targets &= Bitboard::of(from);
        }
        let mut look_along = |path: Bitboard, from: Square| {
            let blockers = path & men;
            if blockers.is_empty() {
                in_check = true;
                targets &= path | Bitboard::of(from);
            } else if blockers.is_single() {
                pinned |= blockers & own;
            }
        };
        // Spelled out, so that each path is compiled for its kind: perft is a fifth faster.
        for from in self.riders_aiming_at(king, Kind::Crocodile, !us) {
            look_along(path(Kind::Crocodile, from, king), from);
        }
        for from in self.riders_aiming_at(king, Kind::Rook, !us) {
            look_along(path(Kind::Rook, from, king), from);
        }
        for from in self.riders_aiming_at(king, Kind::Rhinoceros, !us) {
            look_along(path(Kind::Rhinoceros, from, king), from);
        }
        for from in self.riders_aiming_at(king, Kind::Gryphon, !us) {
            look_along(path(Kind::Gryphon, from, king), from);
        }
        Constraints { in_check, targets, pinned }
    }

    /// Where a pinned man may go: several riders may pin it.
    fn allowed_by_pins(&self, man: Square) -> Bitboard {
        let us = self.side();
        let (king, men) = (self.king(us), self.all_men());
        let mut allowed = Bitboard::ALL;
        for kind in Kind::RIDERS {
            for from in self.riders_aiming_at(king, kind, !us) {
                let path = path(kind, from, king);
                if path & men == Bitboard::of(man) {
                    allowed &= path | Bitboard::of(from);
                }
            }
        }
        allowed
    }

    #[inline(always)]
    fn king_moves(&self, wanted: Wanted, in_check: bool, sink: &mut impl Sink) {
        let us = self.side();
        let king = self.king(us);
        let men = self.all_men();
        let mut targets = EMPTY_BOARD[Kind::King.index()][king.index()] & !self.men(us);
        if self.is_bare(us) {
            targets &= self.last_man(!us);
        } else if wanted == Wanted::Noisy {
            targets &= self.men(!us);
        } else if self.may_leap(us) && !in_check {
            targets |= KING_LEAPS[king.index()] & !men;
        }
        if wanted == Wanted::Quiet {
            targets &= !men;
        }
        if !targets.is_empty() {
            sink.man(king, targets & !self.attacked_by(!us, targets, men ^ Bitboard::of(king)));
        }
    }

    /// The one man that `color` has besides its king; nothing if there are more, or none.
    fn last_man(&self, color: Color) -> Bitboard {
        let men = self.men(color) ^ Bitboard::of(self.king(color));
        if men.is_single() { men } else { Bitboard::EMPTY }
    }

    #[inline(always)]
    fn pawn_moves(&self, pawns: Bitboard, pushes: Bitboard, targets: Bitboard, sink: &mut impl Sink) {
        let free = pushes & !self.all_men();
        let captures = targets & self.men(!self.side());
        match self.side() {
            Color::White => {
                sink.pawns(16, pawns.raised(16) & free);
                sink.pawns(15, pawns.raised(15) & captures);
                sink.pawns(17, pawns.raised(17) & captures);
            }
            Color::Black => {
                sink.pawns(-16, pawns.lowered(16) & free);
                sink.pawns(-15, pawns.lowered(15) & captures);
                sink.pawns(-17, pawns.lowered(17) & captures);
            }
        }
    }

    /// Where the man on `from` could go if its own king did not mind: for the words of an error.
    pub(super) fn reach(&self, from: Square) -> Bitboard {
        let Some((color, kind)) = self.man_on(from) else { return Bitboard::EMPTY };
        let men = self.all_men();
        if kind == Kind::Pawn {
            let ahead = from.step(0, if color == Color::White { 1 } else { -1 });
            let push = ahead.into_iter().collect::<Bitboard>() & !men;
            return push | pawn_attacks(color, from) & self.men(!color);
        }
        attacks(kind, from, &men) & !self.men(color)
    }

    /// Is there a square next to its king to which the side to move could go out of harm's way,
    /// were there no rule about a bare king?
    pub(super) fn king_has_a_step(&self) -> bool {
        let us = self.side();
        let king = self.king(us);
        let without_king = self.all_men() ^ Bitboard::of(king);
        let steps = EMPTY_BOARD[Kind::King.index()][king.index()] & !self.men(us);
        !(steps & !self.attacked_by(!us, steps, without_king)).is_empty()
    }
}
