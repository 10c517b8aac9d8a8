//! Grande Acedrex from outside.

use alfonso::acedrex::{Position, Rules};
use alfonso::game::{MoveList, Position as _};

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Leaves of the tree of all legal moves; in debug builds every node is checked.
fn perft(position: &Position, depth: u32) -> u64 {
    if cfg!(debug_assertions) {
        position.verify().unwrap_or_else(|error| panic!("{}: {error}", position.fen()));
    }
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            let after = |&m: &_| {
                let mut next = position.clone();
                next.play(m);
                perft(&next, depth - 1)
            };
            moves.iter().map(after).sum()
        }
    }
}

#[test]
fn perft_of_the_array() {
    let start = Position::start(Rules::default());
    let counts = [1, 59, 3_481, 206_209, 12_200_003];
    let deepest = if cfg!(debug_assertions) { 3 } else { 4 };
    for (depth, count) in (0..=deepest).zip(counts) {
        assert_eq!(perft(&start, depth), count, "depth {depth}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "deep: release builds")]
fn deep_perft_of_the_array() {
    assert_eq!(perft(&Position::start(Rules::default()), 5), 726_777_408);
}

#[test]
fn perft_of_the_reference_positions() {
    for line in include_str!("reference/grande-acedrex.epd").lines() {
        let mut fields = line.split(" ;D");
        let position = position(fields.next().unwrap());
        for field in fields {
            let (depth, count) = field.split_once(' ').unwrap();
            let (depth, count) = (depth.parse().unwrap(), count.trim().parse().unwrap());
            // Debug builds check every node, and so go less deep where there are many.
            if cfg!(debug_assertions) && count > 50_000 {
                continue;
            }
            assert_eq!(perft(&position, depth), count, "depth {depth} of {line}");
        }
    }
}
