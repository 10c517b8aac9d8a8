//! Where the pieces go: on an empty board from tables, among other men by lookup on the lines.
//!
//! A rider's squares lie on a few lines, and on each of them it rides like a rook on a rank: away from
//! one place, both ways, up to and with the first man. So one small table serves all riders and all
//! lines: by the place and by what stands on the line, [`RIDES`] tells how far the two rides go.
//!
//! Bent riders are no exception. A rhinoceros on d4 leaps to e6 and rides on to f7, g8 …; it leaps to
//! b3 and rides on to a2. All these lie on one diagonal, and there it rides as from between the two
//! squares of its leap: a man on e6 ends the ride up, as it should. The squares between are left out
//! of the line, so that whatever stands on them is not seen. The gryphon's lines are the files and ranks
//! beside its own, left out what lies next to it.
//!
//! Where a line has at most one square a file, its twelve bits are those of its files, and else those
//! of its ranks; see [`Bitboard::files_of_line`].
//!
//! Nobody's way depends on its colour, so on an empty board "attacks" is symmetrical for each kind
//! (other than the pawn). Among other men it is not: the elbow, where a bent rider turns, lies next to the
//! attacker. Whoever asks what attacks a square takes the candidates from [`EMPTY_BOARD`] and tests the
//! [`path`] of each.

use crate::game::Color;

use super::bitboard::Bitboard;
use super::pieces::Kind;
use super::squares::{SIDE, Square};

/// A table by squares. 256 entries, so that the index of a square needs no check of the bounds.
type BySquare<T = Bitboard> = [T; 256];

const EIGHT_WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KINGS_LEAP: [(i8, i8); 8] = [(0, 2), (2, 2), (2, 0), (2, -2), (0, -2), (-2, -2), (-2, 0), (-2, 2)];
const TWO_THREE: [(i8, i8); 8] = [(2, 3), (3, 2), (3, -2), (2, -3), (-2, -3), (-3, -2), (-3, 2), (-2, 3)];
const LIONS_LEAP: [(i8, i8); 12] = [
    (0, 3),
    (1, 3),
    (3, 1),
    (3, 0),
    (3, -1),
    (1, -3),
    (0, -3),
    (-1, -3),
    (-3, -1),
    (-3, 0),
    (-3, 1),
    (-1, 3),
];

/// What a piece of each kind attacks on an empty board (pawns: nothing, see [`pawn_attacks`]).
pub static EMPTY_BOARD: [BySquare; Kind::COUNT] = [
    [Bitboard::EMPTY; 256],
    leaps(&TWO_THREE),
    all(&CROCODILE_LINES),
    leaps(&LIONS_LEAP),
    all(&ROOK_LINES),
    all(&RHINOCEROS_LINES),
    all(&GRYPHON_LINES),
    leaps(&EIGHT_WAYS),
];

/// Where a king's leap leads.
pub static KING_LEAPS: BySquare = leaps(&KINGS_LEAP);

/// The diagonal and the antidiagonal.
static CROCODILE_LINES: BySquare<[Bitboard; 2]> =
    lines([[straight(1, 1), straight(-1, -1)], [straight(1, -1), straight(-1, 1)]]);

/// The rank and the file.
static ROOK_LINES: BySquare<[Bitboard; 2]> =
    lines([[straight(1, 0), straight(-1, 0)], [straight(0, 1), straight(0, -1)]]);

/// The diagonals and antidiagonals beside its own.
static RHINOCEROS_LINES: BySquare<[Bitboard; 4]> = lines([
    [bent((1, 2), (1, 1)), bent((-2, -1), (-1, -1))],
    [bent((2, 1), (1, 1)), bent((-1, -2), (-1, -1))],
    [bent((-1, 2), (-1, 1)), bent((2, -1), (1, -1))],
    [bent((-2, 1), (-1, 1)), bent((1, -2), (1, -1))],
]);

/// The ranks above and below its own, the files left and right of it.
static GRYPHON_LINES: BySquare<[Bitboard; 4]> = lines([
    [bent((-1, 1), (-1, 0)), bent((1, 1), (1, 0))],
    [bent((-1, -1), (-1, 0)), bent((1, -1), (1, 0))],
    [bent((-1, 1), (0, 1)), bent((-1, -1), (0, -1))],
    [bent((1, 1), (0, 1)), bent((1, -1), (0, -1))],
]);

static PAWN_ATTACKS: [BySquare; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// Every square with a lower number.
static BELOW: BySquare = {
    let mut table = [Bitboard::EMPTY; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = table[n - 1].or(Bitboard::bit(n as u8 - 1)).and(Bitboard::ALL);
        n += 1;
    }
    table
};

/// The places of a line that are reached from one of them, by that place and by which of the ten inner
/// places hold a man: what stands at either end of a line stops nobody who would go further.
///
/// Sixteen rows, so that a place needs no check of the bounds; the last four are not used.
static RIDES: [[u16; 1 << (SIDE - 2)]; 16] = {
    let mut table = [[0; 1 << (SIDE - 2)]; 16];
    let mut place = 0;
    while place < SIDE {
        let mut inner = 0;
        while inner < 1 << (SIDE - 2) {
            table[place as usize][inner] = ride(place, (inner as u16) << 1);
            inner += 1;
        }
        place += 1;
    }
    table
};

/// Away from `place` both ways, up to and with the first of the `men`.
const fn ride(place: u8, men: u16) -> u16 {
    let start = 1 << place;
    let mut reached = 0;
    let mut at = start;
    while at < 1 << (SIDE - 1) && (at == start || at & men == 0) {
        at <<= 1;
        reached |= at;
    }
    at = start;
    while at > 1 && (at == start || at & men == 0) {
        at >>= 1;
        reached |= at;
    }
    reached
}

/// What a piece (no pawn) attacks among `men`; its own side's men are not left out.
#[inline(always)]
pub fn attacks(kind: Kind, from: Square, men: &Bitboard) -> Bitboard {
    let men = *men;
    let (file, rank) = (from.file(), from.rank());
    match kind {
        Kind::Crocodile => {
            let [one, other] = CROCODILE_LINES[from.index()];
            across(one, file, men) | across(other, file, men)
        }
        Kind::Rook => {
            let [level, upright] = ROOK_LINES[from.index()];
            across(level, file, men) | along_file(upright, file, rank, men)
        }
        Kind::Rhinoceros => {
            let [a, b, c, d] = RHINOCEROS_LINES[from.index()];
            across(a, file, men) | across(b, file, men) | across(c, file, men) | across(d, file, men)
        }
        Kind::Gryphon => {
            let [above, below, left, right] = GRYPHON_LINES[from.index()];
            across(above, file, men)
                | across(below, file, men)
                | along_file(left, file.wrapping_sub(1), rank, men)
                | along_file(right, file + 1, rank, men)
        }
        Kind::Pawn | Kind::Giraffe | Kind::Lion | Kind::King => EMPTY_BOARD[kind.index()][from.index()],
    }
}

/// The squares of `line`, which has at most one a file, that are reached from the file `place`.
#[inline(always)]
fn across(line: Bitboard, place: u8, men: Bitboard) -> Bitboard {
    Bitboard::on_files(reached(place, (men & line).files_of_line())) & line
}

/// The squares of `line`, which lies on `file`, that are reached from the rank `place`.
#[inline(always)]
fn along_file(line: Bitboard, file: u8, place: u8, men: Bitboard) -> Bitboard {
    Bitboard::on_ranks(file, reached(place, (men & line).ranks_of_file(file))) & line
}

#[inline(always)]
fn reached(place: u8, men: u16) -> u16 {
    RIDES[place as usize & 15][men as usize >> 1 & ((1 << (SIDE - 2)) - 1)]
}

/// The squares on which a pawn of `color` takes from `from`.
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN_ATTACKS[color.index()][from.index()]
}

/// The squares that must be empty for a piece on `from` to attack `to`, which it does attack on an
/// empty board.
#[inline(always)]
pub fn path(kind: Kind, from: Square, to: Square) -> Bitboard {
    let right = to.file() as i8 - from.file() as i8;
    let up = to.rank() as i8 - from.rank() as i8;
    match kind {
        Kind::Crocodile | Kind::Rook => between(kind, from, to),
        Kind::Rhinoceros if right.abs() > up.abs() => {
            bent_path(Kind::Crocodile, from, to, 2 * right.signum(), up.signum())
        }
        Kind::Rhinoceros => bent_path(Kind::Crocodile, from, to, right.signum(), 2 * up.signum()),
        Kind::Gryphon => bent_path(Kind::Rook, from, to, right.signum(), up.signum()),
        Kind::Pawn | Kind::Giraffe | Kind::Lion | Kind::King => Bitboard::EMPTY,
    }
}

/// The elbow, a step of `right` and `up` from `from`, and what lies between it and `to`.
#[inline(always)]
fn bent_path(rider: Kind, from: Square, to: Square, right: i8, up: i8) -> Bitboard {
    let elbow = Square::new(from.file().wrapping_add_signed(right), from.rank().wrapping_add_signed(up));
    Bitboard::of(elbow) & !Bitboard::of(to) | between(rider, elbow, to)
}

/// The squares between two on one line of the rider. What both squares attack is on that line, or
/// else not between them in the order of squares.
#[inline(always)]
fn between(rider: Kind, one: Square, other: Square) -> Bitboard {
    let table = &EMPTY_BOARD[rider.index()];
    let range = BELOW[one.index()] ^ BELOW[other.index()];
    table[one.index()] & table[other.index()] & range
}

/// A way to ride: the first step, and the step from there on.
#[derive(Clone, Copy)]
struct Ride {
    first: (i8, i8),
    on: (i8, i8),
}

const fn straight(right: i8, up: i8) -> Ride {
    Ride { first: (right, up), on: (right, up) }
}

const fn bent(first: (i8, i8), on: (i8, i8)) -> Ride {
    Ride { first, on }
}

/// Lines of two rides each.
const fn lines<const N: usize>(rides: [[Ride; 2]; N]) -> BySquare<[Bitboard; N]> {
    let mut table = [[Bitboard::EMPTY; N]; 256];
    let mut n = 0;
    while n < SIDE * SIDE {
        let from = Square::new(n % SIDE, n / SIDE);
        let mut line = 0;
        while line < N {
            let [one, other] = rides[line];
            table[from.index()][line] = ridden(from, one).or(ridden(from, other));
            line += 1;
        }
        n += 1;
    }
    table
}

/// The squares of a ride, to the edge.
const fn ridden(from: Square, ride: Ride) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = from.step(ride.first.0, ride.first.1);
    while let Some(square) = at {
        set = set.or(Bitboard::of(square));
        at = square.step(ride.on.0, ride.on.1);
    }
    set
}

/// All lines of each square together.
const fn all<const N: usize>(lines: &BySquare<[Bitboard; N]>) -> BySquare {
    let mut table = [Bitboard::EMPTY; 256];
    let mut n = 0;
    while n < table.len() {
        let mut line = 0;
        while line < N {
            table[n] = table[n].or(lines[n][line]);
            line += 1;
        }
        n += 1;
    }
    table
}

const fn leaps(steps: &[(i8, i8)]) -> BySquare {
    let mut table = [Bitboard::EMPTY; 256];
    let mut n = 0;
    while n < SIDE * SIDE {
        let from = Square::new(n % SIDE, n / SIDE);
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = from.step(steps[i].0, steps[i].1) {
                table[from.index()] = table[from.index()].or(Bitboard::of(to));
            }
            i += 1;
        }
        n += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a piece attacks, walked square by square from the words of the rules.
    fn walk(kind: Kind, from: Square, men: Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        let mut leap = |right: i8, up: i8| {
            let to = from.step(right, up)?;
            set |= Bitboard::of(to);
            (!men.contains(to)).then_some(to)
        };
        let mut rays = Vec::new();
        for right in -3i8..=3 {
            for up in -3i8..=3 {
                let (long, short) = (right.abs().max(up.abs()), right.abs().min(up.abs()));
                match (kind, short, long) {
                    (Kind::King, 0 | 1, 1) | (Kind::Giraffe, 2, 3) | (Kind::Lion, 0 | 1, 3) => {
                        leap(right, up);
                    }
                    (Kind::Rook, 0, 1) | (Kind::Crocodile, 1, 1) => {
                        rays.extend(leap(right, up).map(|at| (at, right, up)));
                    }
                    (Kind::Gryphon, 1, 1) => {
                        let elbow = leap(right, up);
                        rays.extend(elbow.map(|at| (at, right, 0)));
                        rays.extend(elbow.map(|at| (at, 0, up)));
                    }
                    (Kind::Rhinoceros, 1, 2) => {
                        rays.extend(leap(right, up).map(|at| (at, right.signum(), up.signum())));
                    }
                    _ => {}
                }
            }
        }
        for (mut at, right, up) in rays {
            while let Some(next) = at.step(right, up) {
                set |= Bitboard::of(next);
                if men.contains(next) {
                    break;
                }
                at = next;
            }
        }
        set
    }

    fn check(men: Bitboard) {
        for kind in Kind::ALL {
            for from in Square::all() {
                let expected = walk(kind, from, men);
                assert_eq!(attacks(kind, from, &men), expected, "{kind:?} on {from} among {men:?}");
                for to in EMPTY_BOARD[kind.index()][from.index()] {
                    let open = (path(kind, from, to) & men).is_empty();
                    assert_eq!(open, expected.contains(to), "{kind:?} {from} to {to} among {men:?}");
                }
            }
        }
    }

    #[test]
    fn attacks_on_an_empty_board() {
        check(Bitboard::EMPTY);
        for kind in Kind::ALL {
            for from in Square::all() {
                let set = EMPTY_BOARD[kind.index()][from.index()];
                assert_eq!(set, walk(kind, from, Bitboard::EMPTY));
                assert!(set.into_iter().all(|to| EMPTY_BOARD[kind.index()][to.index()].contains(from)));
            }
        }
    }

    #[test]
    fn attacks_on_a_full_board() {
        check(Bitboard::ALL);
    }

    #[test]
    fn a_path_holds_nothing_but_what_must_be_empty() {
        for kind in Kind::ALL {
            for from in Square::all() {
                for to in EMPTY_BOARD[kind.index()][from.index()] {
                    for square in path(kind, from, to) {
                        assert!(!walk(kind, from, Bitboard::of(square)).contains(to));
                    }
                }
            }
        }
    }

    #[test]
    fn the_gryphon_stops_and_turns_only_outwards() {
        let d4 = Square::new(3, 3);
        let set = EMPTY_BOARD[Kind::Gryphon.index()][d4.index()];
        for (file, rank, attacked) in [
            (4, 4, true),  // e5, the elbow
            (4, 5, true),  // e6, on along the file
            (5, 4, true),  // f5, on along the rank
            (4, 3, false), // e4, back along the file
            (5, 5, false), // f6, no crocodile
            (3, 4, false), // d5, no rook
        ] {
            assert_eq!(set.contains(Square::new(file, rank)), attacked, "file {file} rank {rank}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn attacks_on_crowded_boards(bits in prop::array::uniform3(any::<u64>()), sparse in any::<[u64; 3]>(), thin: bool) {
            let set = |words: [u64; 3]| {
                let bit = |s: Square| words[s.index() / 64] >> (s.index() % 64) & 1 != 0;
                Square::all().filter(|&s| bit(s)).collect::<Bitboard>()
            };
            check(if thin { set(bits) & set(sparse) } else { set(bits) });
        }
    }

    #[test]
    fn pawns_take_diagonally_ahead() {
        let names = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(names(pawn_attacks(Color::White, Square::new(4, 3))), ["d5", "f5"]);
        assert_eq!(names(pawn_attacks(Color::Black, Square::new(0, 8))), ["b8"]);
        assert_eq!(names(pawn_attacks(Color::White, Square::new(11, 3))), ["k5"]);
    }
}
