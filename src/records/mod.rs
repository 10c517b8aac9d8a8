//! Games on file: PGN for the 12x12 game, PDN for draughts; and positions with the results of their games.

mod movetext;
pub mod pdn;
pub mod pgn;
pub mod positions;

use std::time::Duration;

use crate::engine::Variant;
use crate::search::score::Score;

/// A game as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub variant: Variant,
    pub event: String,
    /// As PGN has it: `2026.11.30`.
    pub date: String,
    /// For example `12.1`: which pair of games, which of the two.
    pub round: String,
    /// White's and Black's names.
    pub players: [String; 2],
    /// White's and Black's time controls, in words.
    pub controls: [String; 2],
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that does not count.
    pub result: &'static str,
    /// How the game ended, in one of PGN's words.
    pub termination: &'static str,
    /// How the game ended, told to people.
    pub ending: String,
    /// Where the game began.
    pub first_fen: String,
    pub moves: Vec<RecordedMove>,
}

/// A move as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// In the game's own notation.
    pub notation: String,
    pub remark: Remark,
}

/// What is to be said about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It was part of the opening that was set.
    Book,
    /// The mover's score (its own view) and depth, and the time it took.
    Thought { score: Option<Score>, depth: Option<u32>, time: Duration },
}

/// A game as text, in its variant's format, ready to be appended to a file.
pub fn write(record: &Record) -> String {
    match record.variant {
        Variant::GrandeAcedrex => pgn::write(record),
        Variant::SpanishDraughts => pdn::write(record),
    }
}

/// The end of the names of files with games of a variant.
pub const fn extension(variant: Variant) -> &'static str {
    match variant {
        Variant::GrandeAcedrex => "pgn",
        Variant::SpanishDraughts => "pdn",
    }
}
