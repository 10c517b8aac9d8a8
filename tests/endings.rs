//! Elementary endings of Grande Acedrex, played out by the engine against itself.
//!
//! The stronger side must mate, stalemate or bare the other before the moves without progress run out; and
//! where the weaker side can hold, it must not lose.

use std::time::Duration;

use alfonso::acedrex::{Position, Rules};
use alfonso::game::{Color, Ending, Game, Position as _};
use alfonso::search::{Control, Limits, Settings, Table, Threads, search};

/// Nodes for each move of either side.
const NODES: u64 = 5_000;

/// What White has, and Black; and where all stand.
const WON: &[(&str, &str)] = &[
    ("rook against pawn", "12/12/5k6/12/7p4/12/12/3K8/12/12/12/R11 w - - 0 1"),
    ("gryphon against pawn", "12/12/5k6/12/7p4/12/12/3K8/12/12/12/A11 w - - 0 1"),
    ("rhinoceros against pawn", "12/12/5k6/12/7p4/12/12/3K8/12/12/12/U11 w - - 0 1"),
    ("two lions against pawn", "12/12/5k6/12/7p4/12/12/3K8/12/12/12/L2L8 w - - 0 1"),
    ("two crocodiles against pawn", "12/12/5k6/8p3/12/12/12/3K8/12/12/12/C2C8 w - - 0 1"),
    ("two crocodiles against giraffe", "12/12/5k6/8g3/12/12/12/3K8/12/12/12/C2C8 w - - 0 1"),
    ("crocodile and giraffe against pawn", "12/12/5k6/8p3/12/12/12/3K8/12/12/12/C2G8 w - - 0 1"),
    ("crocodile and giraffe against giraffe", "12/12/5k6/8g3/12/12/12/3K8/12/12/12/C2G8 w - - 0 1"),
    ("gryphon and rook against gryphon", "12/12/5k6/12/7a4/12/12/3K8/12/12/12/A2R8 w - - 0 1"),
    ("rhinoceros and rook against rook", "12/12/5k6/12/7r4/12/12/3K8/12/12/12/U2R8 w - - 0 1"),
    ("two pawns against pawn", "12/12/5k6/12/7p4/12/12/3K8/1P3P6/12/12/12 w - - 0 1"),
];

/// The side to move can hold, as is proven in the suite.
const HELD: &[&str] = &[
    "2k9/2P9/12/2K9/1g10/12/12/12/12/12/12/12 w - -",
    "12/12/11k/10l1/11P/12/7K4/12/12/12/12/12 w - -",
    "7k4/8l3/7P4/6K5/12/12/12/12/12/12/12/12 w - -",
    "12/9kP1/12/10K1/11g/12/12/12/12/12/12/12 w - -",
    "8k3/12/7P4/12/12/12/12/12/12/12/9p2/7K4 w - -",
    "11k/9P2/12/12/4g7/12/2K9/12/12/12/12/12 w - -",
];

/// The engine against itself until the game is over.
fn play_out(fen: &str) -> Ending {
    let (table, threads) = (Table::new(4, 0).unwrap(), Threads::new(1).unwrap());
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut game = Game::new(position(fen));
    loop {
        if let Some(ending) = game.ending() {
            return ending;
        }
        let best = search(&game, &limits, &[], settings, (&table, &threads, &Control::new(false)), &|_| {});
        game.play(best.m);
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long games: release builds")]
fn the_stronger_side_wins() {
    let failed: Vec<_> = WON
        .iter()
        .map(|(name, fen)| (name, play_out(fen)))
        .filter(|(_, ending)| ending.winner != Some(Color::White))
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn the_weaker_side_holds() {
    for fen in HELD {
        let ending = play_out(fen);
        assert_ne!(ending.winner, Some(!position(fen).side_to_move()), "{fen}: {ending:?}");
    }
}
