//! Spanish draughts from outside: move generation against reference positions, every rule with a
//! position that tells it apart, draws, and texts.

use std::collections::BTreeSet;
use std::fs;

use alfonso::draughts::{Draws, Move, Position, Rules};
use alfonso::game::{Color, Ending, Game, Move as _, MoveError, MoveList, Position as _, Reason};
use proptest::prelude::*;

const FEDERATION: Rules = Rules { draws: Draws::Federation };

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn moves(position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// The legal moves in Hub's form, captured squares rising.
fn hub_moves(fen: &str) -> BTreeSet<String> {
    let position = position(fen);
    let list = moves(&position);
    let texts: BTreeSet<String> = list.iter().map(|&m| position.hub_text(m)).collect();
    assert_eq!(texts.len(), list.len(), "a move is listed twice: {fen}");
    texts
}

#[track_caller]
fn assert_moves(fen: &str, expected: &str) {
    let expected: BTreeSet<String> = expected.split(' ').map(str::to_string).collect();
    assert_eq!(hub_moves(fen), expected, "{fen}");
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m);
    next
}

/// Leaves at `depth`. Debug builds check every position on the way.
fn perft(position: &Position, depth: u32) -> u64 {
    /// One list serves all depths: each appends its moves behind those of the depths above.
    fn count(position: &Position, depth: u32, list: &mut MoveList<Move>) -> u64 {
        if cfg!(debug_assertions) {
            position.verify().unwrap();
        }
        if depth <= 1 {
            return if depth == 0 { 1 } else { position.count_moves() };
        }
        let start = list.len();
        position.legal_moves(list);
        let mut leaves = 0;
        for i in start..list.len() {
            leaves += count(&after(position, list[i]), depth - 1, list);
        }
        list.truncate(start);
        leaves
    }
    count(position, depth, &mut MoveList::new())
}

// --- Reference positions ------------------------------------------------------------------

#[test]
fn reference_positions() {
    let text = fs::read_to_string("tests/reference/spanish-draughts.epd").unwrap();
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (counts, list) = line.split_once('|').unwrap();
        let mut fields = counts.split(';').map(str::trim);
        let fen = fields.next().unwrap();
        let position = position(fen);
        for field in fields {
            let (depth, nodes) = field.strip_prefix('D').unwrap().split_once(' ').unwrap();
            let nodes: u64 = nodes.parse().unwrap();
            assert_eq!(perft(&position, depth.parse().unwrap()), nodes, "{fen} {field}");
        }
        assert_eq!(moves(&position).len() as u64, position.count_moves(), "{fen}");
        assert_moves(fen, list.trim());
        positions += 1;
    }
    assert!(positions > 100, "{positions}");
}

/// Nodes from the start position, by depth from 1.
const START: [u64; 12] =
    [7, 49, 302, 1_469, 7_361, 36_473, 177_532, 828_783, 3_860_866, 17_743_464, 81_383_200, 365_728_331];

#[test]
fn start_position() {
    let start = Position::start(Rules::default());
    for depth in 1..=9 {
        assert_eq!(perft(&start, depth), START[depth as usize - 1], "depth {depth}");
    }
}

/// Depth 11 first shows the rule of quality, depth 12 equal moves.
#[test]
#[cfg_attr(debug_assertions, ignore = "deep: release builds")]
fn start_position_deep() {
    assert_eq!(perft(&Position::start(Rules::default()), 12), START[11]);
}
