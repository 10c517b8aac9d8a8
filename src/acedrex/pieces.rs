//! The eight kinds of men.

use crate::game::Color;

use super::squares::Square;

/// A kind of man, from the cheapest to the dearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// One square straight ahead; takes one square diagonally ahead.
    Pawn,
    /// Zaraffa: leaps (2,3).
    Giraffe,
    /// Cocatriz: a bishop.
    Crocodile,
    /// Leaps (1,3) and (0,3).
    Lion,
    Rook,
    /// Leaps (1,2), then slides on along the one diagonal that leads further away.
    Rhinoceros,
    /// Aanca: one square diagonally, then slides on straight outwards.
    Gryphon,
    King,
}

impl Kind {
    pub const COUNT: usize = 8;

    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Pawn,
        Kind::Giraffe,
        Kind::Crocodile,
        Kind::Lion,
        Kind::Rook,
        Kind::Rhinoceros,
        Kind::Gryphon,
        Kind::King,
    ];

    /// The kinds that are neither pawn nor king.
    pub(super) const PIECES: [Kind; 6] =
        [Kind::Giraffe, Kind::Crocodile, Kind::Lion, Kind::Rook, Kind::Rhinoceros, Kind::Gryphon];

    /// The kinds that other men can stand in the way of.
    pub(super) const RIDERS: [Kind; 4] = [Kind::Crocodile, Kind::Rook, Kind::Rhinoceros, Kind::Gryphon];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter.
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'p',
            Kind::Giraffe => 'g',
            Kind::Crocodile => 'c',
            Kind::Lion => 'l',
            Kind::Rook => 'r',
            Kind::Rhinoceros => 'u',
            Kind::Gryphon => 'a',
            Kind::King => 'k',
        }
    }

    /// The kind of a letter, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }

    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Giraffe => "giraffe",
            Kind::Crocodile => "crocodile",
            Kind::Lion => "lion",
            Kind::Rook => "rook",
            Kind::Rhinoceros => "rhinoceros",
            Kind::Gryphon => "gryphon",
            Kind::King => "king",
        }
    }

    /// What a pawn becomes that reaches the last rank on the file of `square`: the piece that
    /// starts there, and the gryphon where the king does.
    pub const fn promoted_on(square: Square) -> Kind {
        match square.file() {
            0 | 11 => Kind::Rook,
            1 | 10 => Kind::Lion,
            2 | 9 => Kind::Rhinoceros,
            3 | 8 => Kind::Giraffe,
            4 | 7 => Kind::Crocodile,
            _ => Kind::Gryphon,
        }
    }
}

/// The letter of a man on a board: upper case for White, lower case for Black.
pub fn man_letter(color: Color, kind: Kind) -> char {
    match color {
        Color::White => kind.letter().to_ascii_uppercase(),
        Color::Black => kind.letter(),
    }
}

/// Each piece's letter and how it moves in XBoard's dialect of Betza's notation, as XBoard wants it from
/// engines and in PGN files.
///
/// `i` marks the leap of a king that has not moved; a king described so does not castle.
pub const XBOARD_MOVES: [(char, &str); 8] = [
    ('P', "fmWfcF"),
    ('K', "KimDimA"),
    ('R', "R"),
    ('C', "B"),
    ('G', "Z"),
    ('L', "CH"),
    ('A', "FyafsF"),
    ('U', "NmpafsyafW"),
];
