//! Where the pieces go: on an empty board from tables, among other men by arithmetic.
//!
//! A line that crosses every rank at most once (a file, a diagonal, an antidiagonal) has one bit a
//! lane, so the lanes order its squares, and subtraction finds the first man on it: in
//! `o ^ (o - 2r)`, with `o` the men on the line and `r` the square where the ray starts, the borrow
//! runs from the square after `r` up to the first man. Downwards the same is done on the board with
//! its bytes reversed. That changes the order of files within a lane as well, which is harmless
//! while a line has only one bit there. Ranks lie within one lane and are done on its sixteen bits.
//!
//! The gryphon and the rhinoceros ride on from *elbows*: the squares of their first step, from which
//! the rays start if the elbow is empty. All rays of a piece that lie on one line are found together.
//!
//! Nobody's way depends on its colour, so on an empty board "attacks" is symmetrical for each kind
//! (other than the pawn). Among other men it is not: the elbow lies next to the attacker. Whoever asks
//! what attacks a square takes the candidates from [`EMPTY_BOARD`] and tests the [`path`] of each.

use crate::game::Color;

use super::bitboard::Bitboard;
use super::pieces::Kind;
use super::squares::{SIDE, Square};

/// A table by squares. 256 entries, so that the index of a square needs no check of the bounds.
type BySquare = [Bitboard; 256];

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const EIGHT_WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KINGS_LEAP: [(i8, i8); 8] = [(0, 2), (2, 2), (2, 0), (2, -2), (0, -2), (-2, -2), (-2, 0), (-2, 2)];
const ONE_TWO: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
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
    slides(&DIAGONAL),
    leaps(&LIONS_LEAP),
    slides(&STRAIGHT),
    bent_slides(&ONE_TWO),
    bent_slides(&DIAGONAL),
    leaps(&EIGHT_WAYS),
];

/// Where a king's leap leads.
pub static KING_LEAPS: BySquare = leaps(&KINGS_LEAP);

/// The first squares of a rhinoceros.
static RHINOCEROS_ELBOWS: BySquare = leaps(&ONE_TWO);
/// The first squares of a gryphon.
static GRYPHON_ELBOWS: BySquare = leaps(&DIAGONAL);

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

/// The squares of a line that crosses each rank at most once, in both orders of the ranks.
#[derive(Clone, Copy)]
struct Line {
    squares: Bitboard,
    reversed: Bitboard,
}

/// By file, modulo 16.
static FILES: [Line; 16] = lines(1, 0);
/// By rank less file, modulo 32.
static DIAGONALS: [Line; 32] = lines(-1, 1);
/// By rank plus file, modulo 32.
static ANTIDIAGONALS: [Line; 32] = lines(1, 1);

/// What stands on the board, as the rays want it.
pub struct Occupancy {
    men: Bitboard,
    reversed: Bitboard,
}

impl Occupancy {
    pub fn new(men: Bitboard) -> Occupancy {
        Occupancy { men, reversed: men.reversed() }
    }
}

/// What a piece (no pawn) attacks among other men; its own side's men are not left out.
#[inline(always)]
pub fn attacks(kind: Kind, from: Square, occupancy: &Occupancy) -> Bitboard {
    match kind {
        Kind::Crocodile => crocodile_attacks(from, occupancy),
        Kind::Rook => rook_attacks(from, occupancy),
        Kind::Rhinoceros => rhinoceros_attacks(from, occupancy),
        Kind::Gryphon => gryphon_attacks(from, occupancy),
        Kind::Pawn | Kind::Giraffe | Kind::Lion | Kind::King => EMPTY_BOARD[kind.index()][from.index()],
    }
}

/// The squares on which a pawn of `color` takes from `from`.
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN_ATTACKS[color.index()][from.index()]
}

fn crocodile_attacks(from: Square, occupancy: &Occupancy) -> Bitboard {
    let (file, rank) = (from.file(), from.rank());
    let start = Bitboard::of(from);
    rays(occupancy, [diagonal(rank.wrapping_sub(file)), antidiagonal(rank + file)], start, start)
}

fn rook_attacks(from: Square, occupancy: &Occupancy) -> Bitboard {
    let start = Bitboard::of(from);
    let beside = 1 << from.file();
    rays(occupancy, [file(from.file())], start, start) | rays_beside(occupancy, from.rank(), beside, beside)
}

/// The elbows lie on the four lines next to the rhinoceros's own; on each
/// of these lines one ray goes up and one goes down.
fn rhinoceros_attacks(from: Square, occupancy: &Occupancy) -> Bitboard {
    let elbows = RHINOCEROS_ELBOWS[from.index()];
    let starts = elbows & !occupancy.men;
    let down = starts & BELOW[from.index()];
    let difference = from.rank().wrapping_sub(from.file());
    let sum = from.rank() + from.file();
    let lines = [
        diagonal(difference.wrapping_sub(1)),
        diagonal(difference.wrapping_add(1)),
        antidiagonal(sum.wrapping_sub(1)),
        antidiagonal(sum + 1),
    ];
    elbows | rays(occupancy, lines, starts ^ down, down)
}

fn gryphon_attacks(from: Square, occupancy: &Occupancy) -> Bitboard {
    let elbows = GRYPHON_ELBOWS[from.index()];
    let starts = elbows & !occupancy.men;
    let down = starts & BELOW[from.index()];
    let files = [file(from.file().wrapping_sub(1)), file(from.file() + 1)];
    // At the edge these are the gryphon's own rank, which has no elbow.
    let above = (from.rank() + 1).min(SIDE - 1);
    let under = from.rank().saturating_sub(1);
    let (left, right) = (1 << from.file() >> 1, 2 << from.file());
    elbows
        | rays(occupancy, files, starts ^ down, down)
        | rays_beside(occupancy, above, starts.lane(above) & left, starts.lane(above) & right)
        | rays_beside(occupancy, under, starts.lane(under) & left, starts.lane(under) & right)
}

fn file(index: u8) -> &'static Line {
    &FILES[index as usize & 15]
}

fn diagonal(index: u8) -> &'static Line {
    &DIAGONALS[index as usize & 31]
}

fn antidiagonal(index: u8) -> &'static Line {
    &ANTIDIAGONALS[index as usize & 31]
}

/// The rays on the given lines, upwards from the squares of `up` and downwards from those of `down`,
/// up to and with the first man. Each line has at most one start of either sort.
fn rays<const N: usize>(occupancy: &Occupancy, lines: [&Line; N], up: Bitboard, down: Bitboard) -> Bitboard {
    let down = down.reversed();
    let mut rising = Bitboard::EMPTY;
    let mut falling = Bitboard::EMPTY;
    for line in lines {
        let men = occupancy.men & line.squares;
        rising |= (men.minus((up & line.squares).raised(1)) ^ men) & line.squares;
        let men = occupancy.reversed & line.reversed;
        falling |= (men.minus((down & line.reversed).raised(1)) ^ men) & line.reversed;
    }
    rising | falling.reversed()
}

/// The rays along a rank, each from one file (or none, 0), up to and with the first man.
fn rays_beside(occupancy: &Occupancy, rank: u8, left_from: u16, right_from: u16) -> Bitboard {
    let men = occupancy.men.lane(rank);
    let right = men ^ men.wrapping_sub(right_from << 1);
    // The ray ends at the highest man below, or else at the a-file.
    let last = 0x8000 >> (men & left_from.wrapping_sub(1) | 1).leading_zeros();
    let left = if left_from == 0 { 0 } else { left_from - last };
    Bitboard::from_lane(rank, (left | right) & ((1 << SIDE) - 1))
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

const fn lines<const N: usize>(by_file: i8, by_rank: i8) -> [Line; N] {
    let mut lines = [Line { squares: Bitboard::EMPTY, reversed: Bitboard::EMPTY }; N];
    let mut n = 0;
    while n < SIDE * SIDE {
        let square = Square::new(n % SIDE, n / SIDE);
        let index = (by_file * square.file() as i8 + by_rank * square.rank() as i8) as usize % N;
        let squares = lines[index].squares.or(Bitboard::of(square));
        lines[index] = Line { squares, reversed: squares.reversed() };
        n += 1;
    }
    lines
}

const fn leaps(steps: &[(i8, i8)]) -> BySquare {
    table(steps, Ride::No)
}

const fn slides(steps: &[(i8, i8)]) -> BySquare {
    table(steps, Ride::SameWay)
}

const fn bent_slides(steps: &[(i8, i8)]) -> BySquare {
    table(steps, Ride::Outwards)
}

/// How a piece goes on after its first step.
#[derive(Clone, Copy)]
enum Ride {
    No,
    SameWay,
    /// After a diagonal step: along the file and along the rank. After a (1,2): diagonally.
    Outwards,
}

const fn table(steps: &[(i8, i8)], ride: Ride) -> BySquare {
    let mut table = [Bitboard::EMPTY; 256];
    let mut n = 0;
    while n < SIDE * SIDE {
        let from = Square::new(n % SIDE, n / SIDE);
        let mut set = Bitboard::EMPTY;
        let mut i = 0;
        while i < steps.len() {
            let (right, up) = steps[i];
            if let Some(first) = from.step(right, up) {
                set = set.or(Bitboard::of(first));
                match ride {
                    Ride::No => {}
                    Ride::SameWay => set = set.or(ray(first, right, up)),
                    Ride::Outwards if right.abs() == up.abs() => {
                        set = set.or(ray(first, right, 0)).or(ray(first, 0, up));
                    }
                    Ride::Outwards => set = set.or(ray(first, right.signum(), up.signum())),
                }
            }
            i += 1;
        }
        table[from.index()] = set;
        n += 1;
    }
    table
}

/// The squares after `from` in one direction, to the edge.
const fn ray(from: Square, right: i8, up: i8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = from.step(right, up);
    while let Some(square) = at {
        set = set.or(Bitboard::of(square));
        at = square.step(right, up);
    }
    set
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
        let occupancy = Occupancy::new(men);
        for kind in Kind::ALL {
            for from in Square::all() {
                let expected = walk(kind, from, men);
                assert_eq!(attacks(kind, from, &occupancy), expected, "{kind:?} on {from} among {men:?}");
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
