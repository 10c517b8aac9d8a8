//! The board with its side to move and its counters, and what is kept up with every move.

use crate::game::Color;
use crate::tapered::Score;

use super::Rules;
use super::attacks::{EMPTY_BOARD, attacks, path, pawn_attacks};
use super::bitboard::Bitboard;
use super::evaluation;
use super::keys;
use super::moves::Move;
use super::pieces::Kind;
use super::squares::Square;

/// A position of Grande Acedrex: exactly one king a side, no pawn on the first or last rank, and
/// the side that is not to move is not in check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The men of each color.
    sides: [Bitboard; 2],
    /// The men of each kind, of both colors.
    kinds: [Bitboard; Kind::COUNT],
    /// The kind of man on each square.
    squares: [Option<Kind>; Square::TABLE],
    kings: [Square; 2],
    /// May the king leap? Only one that has never moved, so it stands on its first rank.
    leap_rights: [bool; 2],
    side: Color,
    /// Plies since the last capture or pawn move.
    clock: u16,
    move_number: u32,
    rules: Rules,
    key: u64,
    /// Material and squares of all men, White's less Black's.
    score: Score,
    /// What is left of the pieces, see [`evaluation`].
    phase: i32,
}

impl Position {
    /// A position of two kings and nothing else, White to move.
    pub(super) fn of_kings(white: Square, black: Square, rules: Rules) -> Position {
        let mut position = Position {
            sides: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; Kind::COUNT],
            squares: [None; Square::TABLE],
            kings: [white, black],
            leap_rights: [false; 2],
            side: Color::White,
            clock: 0,
            move_number: 1,
            rules,
            key: 0,
            score: Score::default(),
            phase: 0,
        };
        position.put(Color::White, Kind::King, white);
        position.put(Color::Black, Kind::King, black);
        position
    }

    pub(super) fn put(&mut self, color: Color, kind: Kind, square: Square) {
        self.squares[square.index()] = Some(kind);
        self.toggle(color, kind, square);
        self.score += evaluation::man(color, kind, square);
        self.phase += evaluation::phase(kind);
    }

    fn take(&mut self, color: Color, kind: Kind, square: Square) {
        self.squares[square.index()] = None;
        self.toggle(color, kind, square);
        self.score -= evaluation::man(color, kind, square);
        self.phase -= evaluation::phase(kind);
    }

    fn toggle(&mut self, color: Color, kind: Kind, square: Square) {
        let bit = Bitboard::of(square);
        self.sides[color.index()] ^= bit;
        self.kinds[kind.index()] ^= bit;
        self.key ^= keys::man(color, kind, square);
    }

    pub(super) fn set_leap_right(&mut self, color: Color, right: bool) {
        if self.leap_rights[color.index()] != right {
            self.leap_rights[color.index()] = right;
            self.key ^= keys::leap_right(color);
        }
    }

    pub(super) fn set_counters(&mut self, clock: u16, move_number: u32) {
        self.clock = clock;
        self.move_number = move_number;
    }

    pub(super) fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    pub(super) fn switch_sides(&mut self) {
        self.side = !self.side;
        self.key ^= keys::black_to_move();
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, m: Move) {
        let (us, from, to) = (self.side, m.from(), m.to());
        let kind = self.kind_on(from).expect("a move starts from a man");
        self.clock = self.clock.saturating_add(1);
        if let Some(victim) = self.kind_on(to) {
            self.take(!us, victim, to);
            self.clock = 0;
        }
        self.take(us, kind, from);
        self.put(us, self.becomes(kind, to), to);
        match kind {
            Kind::Pawn => self.clock = 0,
            Kind::King => {
                self.kings[us.index()] = to;
                self.set_leap_right(us, false);
            }
            _ => {}
        }
        self.end_turn();
    }

    /// Lets the side to move pass. The clock starts again, as no position from before a pass can be
    /// repeated by play after it.
    pub(super) fn pass(&mut self) {
        self.clock = 0;
        self.end_turn();
    }

    fn end_turn(&mut self) {
        if self.side == Color::Black {
            self.move_number = self.move_number.saturating_add(1);
        }
        self.switch_sides();
    }

    /// What a man of the side to move is after it has gone to `to`.
    pub(super) fn becomes(&self, kind: Kind, to: Square) -> Kind {
        if kind == Kind::Pawn && to.rank_for(!self.side) == 0 { Kind::promoted_on(to) } else { kind }
    }

    pub(super) fn side(&self) -> Color {
        self.side
    }

    pub(super) fn clock(&self) -> u16 {
        self.clock
    }

    pub(super) fn number(&self) -> u32 {
        self.move_number
    }

    pub(super) fn rules_in_force(&self) -> Rules {
        self.rules
    }

    pub(super) fn hash(&self) -> u64 {
        self.key
    }

    /// Hash of where the pawns of both sides stand, its high bits the best mixed (Fibonacci hashing).
    pub(super) fn pawn_hash(&self) -> u64 {
        let mix = |hash: u64, word: u64| (hash ^ word ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let pawns = [Color::White, Color::Black].map(|color| self.men_of(color, Kind::Pawn).words());
        pawns.as_flattened().iter().fold(0, |hash, &word| mix(hash, word))
    }

    pub(super) fn score(&self) -> Score {
        self.score
    }

    pub(super) fn phase(&self) -> i32 {
        self.phase
    }

    pub(super) fn may_leap(&self, color: Color) -> bool {
        self.leap_rights[color.index()]
    }

    pub(super) fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    pub(super) fn men(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    pub(super) fn all_men(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The men of one color but its king and its pawns.
    pub(super) fn pieces(&self, color: Color) -> Bitboard {
        self.men(color) ^ self.men_of(color, Kind::Pawn) ^ self.men_of(color, Kind::King)
    }

    /// The men of one color and kind.
    pub(super) fn men_of(&self, color: Color, kind: Kind) -> Bitboard {
        self.sides[color.index()] & self.kinds[kind.index()]
    }

    pub(super) fn kind_on(&self, square: Square) -> Option<Kind> {
        self.squares[square.index()]
    }

    pub(super) fn man_on(&self, square: Square) -> Option<(Color, Kind)> {
        let color = if self.sides[0].contains(square) { Color::White } else { Color::Black };
        self.kind_on(square).map(|kind| (color, kind))
    }

    /// Has `color` nothing but its king?
    pub(super) fn is_bare(&self, color: Color) -> bool {
        self.men(color) == Bitboard::of(self.king(color))
    }

    /// The leapers and pawns of `by` that attack `square`.
    #[inline(always)]
    pub(super) fn leapers_at(&self, square: Square, by: Color) -> Bitboard {
        let leapers = [Kind::Giraffe, Kind::Lion, Kind::King].map(|kind| {
            let candidates = EMPTY_BOARD[kind.index()][square.index()];
            candidates & self.kinds[kind.index()]
        });
        let pawns = pawn_attacks(!by, square) & self.kinds[Kind::Pawn.index()];
        (leapers[0] | leapers[1] | leapers[2] | pawns) & self.men(by)
    }

    /// The riders of one kind of `by` that attack `square` on an empty board.
    #[inline(always)]
    pub(super) fn riders_aiming_at(&self, square: Square, kind: Kind, by: Color) -> Bitboard {
        EMPTY_BOARD[kind.index()][square.index()] & self.men_of(by, kind)
    }

    /// The squares of `zone` that `by` attacks, and others, were `men` all that stands on the board.
    #[inline(always)]
    pub(super) fn attacked_by(&self, by: Color, zone: Bitboard, men: Bitboard) -> Bitboard {
        let pawns = self.men_of(by, Kind::Pawn);
        let taken_by_pawns = match by {
            Color::White => pawns.raised(15) | pawns.raised(17),
            Color::Black => pawns.lowered(15) | pawns.lowered(17),
        };
        taken_by_pawns
            | EMPTY_BOARD[Kind::King.index()][self.king(by).index()]
            | self.attacked_by_kind(Kind::Giraffe, by, zone, &men)
            | self.attacked_by_kind(Kind::Crocodile, by, zone, &men)
            | self.attacked_by_kind(Kind::Lion, by, zone, &men)
            | self.attacked_by_kind(Kind::Rook, by, zone, &men)
            | self.attacked_by_kind(Kind::Rhinoceros, by, zone, &men)
            | self.attacked_by_kind(Kind::Gryphon, by, zone, &men)
    }

    /// Inlined, so that it is compiled for one kind of piece each time.
    #[inline(always)]
    fn attacked_by_kind(&self, kind: Kind, by: Color, zone: Bitboard, among: &Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for from in self.men_of(by, kind) {
            if !(EMPTY_BOARD[kind.index()][from.index()] & zone).is_empty() {
                set |= attacks(kind, from, among);
            }
        }
        set
    }

    /// Does `by` attack `square`, were `men` all that stands on the board?
    pub(super) fn is_attacked(&self, square: Square, by: Color, men: Bitboard) -> bool {
        !self.leapers_at(square, by).is_empty()
            || self.is_attacked_by_rider(square, Kind::Crocodile, by, men)
            || self.is_attacked_by_rider(square, Kind::Rook, by, men)
            || self.is_attacked_by_rider(square, Kind::Rhinoceros, by, men)
            || self.is_attacked_by_rider(square, Kind::Gryphon, by, men)
    }

    /// Inlined, so that it is compiled for one kind of rider each time.
    #[inline(always)]
    fn is_attacked_by_rider(&self, square: Square, kind: Kind, by: Color, men: Bitboard) -> bool {
        for from in self.riders_aiming_at(square, kind, by) {
            if (path(kind, from, square) & men).is_empty() {
                return true;
            }
        }
        false
    }

    pub(super) fn is_in_check(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), !color, self.all_men())
    }

    /// The men that give check to the side to move.
    pub(super) fn checking_men(&self) -> Bitboard {
        let (king, them) = (self.king(self.side), !self.side);
        let riders = Kind::RIDERS.into_iter().flat_map(|kind| {
            let candidates = self.riders_aiming_at(king, kind, them).into_iter();
            candidates.filter(move |&from| (path(kind, from, king) & self.all_men()).is_empty())
        });
        riders.collect::<Bitboard>() | self.leapers_at(king, them)
    }

    /// Builds the position again from its squares and compares.
    pub(super) fn compare_with_rebuilt(&self) -> Result<(), String> {
        let [white, black] = self.kings;
        let mut rebuilt = Position::of_kings(white, black, self.rules);
        for square in Square::all().filter(|&s| s != white && s != black) {
            if let Some((color, kind)) = self.man_on(square) {
                rebuilt.put(color, kind, square);
            }
        }
        for color in [Color::White, Color::Black] {
            rebuilt.set_leap_right(color, self.may_leap(color));
        }
        if self.side == Color::Black {
            rebuilt.switch_sides();
        }
        let differences = [
            ("squares", self.squares != rebuilt.squares),
            ("sets by color", self.sides != rebuilt.sides),
            ("sets by kind", self.kinds != rebuilt.kinds),
            ("key", self.key != rebuilt.key),
            ("score", self.score != rebuilt.score),
            ("phase", self.phase != rebuilt.phase),
        ];
        let mut problems: Vec<_> =
            differences.iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_string()).collect();
        if self.kinds[Kind::King.index()].len() != 2 {
            problems.push("number of kings".into());
        }
        if self.is_in_check(!self.side) {
            problems.push(format!("{} left in check", !self.side));
        }
        for color in [Color::White, Color::Black] {
            if self.may_leap(color) && self.king(color).rank_for(color) != 0 {
                problems.push(format!("leap right of {color}"));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join(", ")) }
    }
}
