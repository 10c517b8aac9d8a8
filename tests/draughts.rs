//! Spanish draughts from outside: move generation against reference positions, every rule with a
//! position that tells it apart, draws, and texts.

use std::collections::BTreeSet;
use std::fs;

use alfonso::draughts::{Draws, Move, Position, Rules};
use alfonso::game::{Color, Ending, Game, MoveError, MoveList, Position as _, Reason};
use proptest::prelude::*;

const FEDERATION: Rules = Rules { draws: Draws::Federation };

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves, in less room than a list has for the worst of all games. Never inlined, so that
/// no recursion has that list in each of its frames.
#[inline(never)]
fn moves(position: &Position) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
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

/// Leaves at `depth`. Debug builds check every position on the way; and the count of two plies in bulk.
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
        if depth == 2 {
            assert_eq!(position.count_answers(), leaves, "{}", position.fen());
        }
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

// --- Rules of play ------------------------------------------------------------------------

/// No count of nodes shows a board numbered the wrong way round; names do.
#[test]
fn numbers_and_names() {
    let coordinates = |fen: &str| -> BTreeSet<String> {
        let position = position(fen);
        moves(&position).iter().map(|&m| position.move_text(m)).collect()
    };
    assert_eq!(coordinates("W:W1:B32"), BTreeSet::from(["h1g2".into()]));
    assert_eq!(coordinates("W:W4:B32"), BTreeSet::from(["b1a2".into(), "b1c2".into()]));
    assert_eq!(coordinates("W:W9:B32"), BTreeSet::from(["h3g4".into()]));
    assert_eq!(coordinates("B:W1:B32"), BTreeSet::from(["a8b7".into()]));
    assert_eq!(coordinates("B:W1:B29"), BTreeSet::from(["g8f7".into(), "g8h7".into()]));
}

#[test]
fn men_move_and_capture_forward_only() {
    assert_moves("W:W19:B15", "19-22 19-23");
    assert_moves("B:W19:B15", "15-11 15-12");
    assert_moves("B:W19:B23", "23x14x19");
}

#[test]
fn men_capture_kings() {
    assert_moves("W:W10:BK14", "10x19x14");
}

#[test]
fn kings_fly_and_land_anywhere_behind() {
    assert_moves("W:WK1:B14", "1x19x14 1x23x14 1x28x14 1x32x14");
    // Two in a row guard each other.
    assert_moves("W:WK1:B14,19", "1-5 1-10");
}

#[test]
fn a_capture_is_compulsory() {
    assert_moves("W:W3,9:B13", "9x18x13");
}

#[test]
fn quantity() {
    assert_moves("W:W9,10:B13,14,23", "10x28x14x23");
}

#[test]
fn quality_among_equal_quantity() {
    assert_moves("W:W9,10:B13,K14", "10x19x14");
    // A pair compared, not a sum: two men are more than a king.
    assert_moves("W:W9,10:BK13,14,23", "10x28x14x23");
    // In captures of several pieces too.
    assert_moves("W:W3:B6,7,14,K15", "3x19x7x15");
}

#[test]
fn a_king_has_no_precedence() {
    assert_moves("W:W9,K31:B13,27", "9x18x13 31x22x27 31x18x27");
}

/// On g6 the king looks down a diagonal at e4, which it has captured, and c2 behind.
#[test]
fn captured_pieces_stay_and_block() {
    assert_moves("W:WK1:B7,14,26,27", "1x21x14x26x27 1x17x14x26x27");
}

#[test]
fn no_piece_is_jumped_twice() {
    assert_moves("W:WK1:B14,26,27", "1x21x14x26x27 1x17x14x26x27");
}

/// The king goes round a square and ends where it began, which counts as empty; both ways round take
/// the same pieces and are one move.
#[test]
fn origin_is_empty_and_equal_moves_are_one() {
    let fen = "W:WK3:B6,7,14,15";
    assert_moves(fen, "3x3x6x7x14x15");
    let position = position(fen);
    assert_eq!(position.count_moves(), 1);
    let m = moves(&position)[0];
    assert_eq!(position.notation(m), "3x10x19x12x3");
    assert_eq!(position.move_text(m), "d1d1");
    let next = after(&position, m);
    next.verify().unwrap();
    assert_eq!(next.fen(), "B:WK3:B:H0:F1");
    for text in ["3x10x19x12x3", "3x12x19x10x3", "d1d1", "d1b3d5f3d1", "3x3x15x6x14x7"] {
        assert_eq!(position.parse_move(text), Ok(m), "{text}");
    }
}

#[test]
fn a_man_that_crowns_stops() {
    let position = position("W:W22:B27,28");
    assert_moves("W:W22:B27,28", "22x31x27");
    let m = moves(&position)[0];
    assert_eq!(position.move_parts(m).promotion, Some('k'));
    assert_eq!(after(&position, m).fen(), "B:WK31:B28:H0:F1");
}

#[test]
fn crowning_by_a_quiet_move() {
    let position = position("B:W20:B5:H7:F3");
    let m = position.parse_move("5-1").unwrap();
    assert!(position.crowns(m) && position.is_noisy(m));
    assert_eq!(after(&position, m).fen(), "W:W20:BK1:H0:F4");
}

// --- Endings and draws --------------------------------------------------------------------

fn ending(fen: &str) -> Option<Ending> {
    Game::new(position(fen)).ending()
}

#[test]
fn no_piece_or_no_move_loses() {
    assert_eq!(ending("W:W:B32"), Some(Ending::win(Color::Black, Reason::NoPiece)));
    assert_eq!(ending("B:W:B32"), Some(Ending::win(Color::Black, Reason::NoPiece)));
    assert_eq!(ending("W:W:B"), Some(Ending::win(Color::Black, Reason::NoPiece)));
    assert_eq!(ending("B:W9,13:B17"), None);
    assert_eq!(ending("W:W9:B13,18"), Some(Ending::win(Color::Black, Reason::Blocked)));
    assert_eq!(ending("W:W9:B13"), None);
    assert_eq!(Position::start(Rules::default()).ending_at_sight(), None);
}

/// Some quiet moves, no crowning among them, after none of which there is anything to capture.
fn quiet_plies(position: Position, plies: usize) -> Position {
    fn line(position: Position, plies: usize) -> Option<Position> {
        if plies == 0 {
            return Some(position);
        }
        let quiet = moves(&position).into_iter().filter(|&m| !position.is_noisy(m));
        let next = quiet.map(|m| after(&position, m)).filter(|next| !next.must_capture());
        next.into_iter().find_map(|next| line(next, plies - 1))
    }
    line(position, plies).expect("a quiet line")
}

#[test]
fn club_draw_after_40_moves_each() {
    let start = position("W:WK2,K3:BK32");
    assert_eq!(quiet_plies(start, 79).draw_by_rule(), None);
    assert_eq!(quiet_plies(start, 80).draw_by_rule(), Some(Reason::MoveRule));
}

#[test]
fn federation_draw_after_20_moves_each() {
    let start = Position::from_fen("W:WK2,K3:BK32", FEDERATION).unwrap();
    assert_eq!(quiet_plies(start, 39).draw_by_rule(), None);
    let mut drawn = quiet_plies(start, 40);
    assert_eq!(drawn.draw_by_rule(), Some(Reason::MoveRule));
    // The club would play on: its count is kept all along.
    drawn.set_rules(Rules::default());
    assert_eq!(drawn.draw_by_rule(), None);
    assert!(drawn.fen().ends_with(":H40:F21"), "{}", drawn.fen());
}

/// What sets each counter back: `H` before and after the move, under each of the rules.
#[test]
fn counters() {
    for (fen, text, club, federation) in [
        ("W:WK1,9:BK4:H30", "1-5", 31, 31),
        ("W:WK1,9:BK4:H30", "9-13", 31, 0),
        ("W:WK1,26:BK4:H30", "26-30", 0, 0),
        ("W:WK1,9:BK4,14:H30", "1x19", 0, 0),
    ] {
        for (draws, expected) in [(Draws::Club, club), (Draws::Federation, federation)] {
            let position = Position::from_fen(fen, Rules { draws }).unwrap();
            let next = after(&position, position.parse_move(text).unwrap());
            assert!(next.fen().ends_with(&format!(":H{expected}:F1")), "{text} {draws:?}: {}", next.fen());
        }
    }
}

#[test]
fn a_man_moved_bars_repetition() {
    let position = position("W:WK1,9:BK4:H30");
    let next = after(&position, position.parse_move("1-5").unwrap());
    assert_eq!(next.reversible_plies(), 1);
    let next = after(&position, position.parse_move("9-13").unwrap());
    assert_eq!(next.reversible_plies(), 0);
}

#[test]
fn repetition() {
    let mut game = Game::new(position("W:WK1:BK4"));
    for (i, text) in ["1-5", "4-8", "5-1", "8-4", "1-5", "4-8", "5-1", "8-4"].into_iter().enumerate() {
        assert_eq!(game.ending(), None, "ply {i}");
        game.play(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.ending(), Some(Ending::draw(Reason::Repetition)));
}

#[test]
fn forzosa() {
    let fen = "W:WK1,K2,K3:BK29";
    let start = Position::from_fen(fen, FEDERATION).unwrap();
    assert_eq!(quiet_plies(start, 23).draw_by_rule(), None);
    assert_eq!(quiet_plies(start, 24).draw_by_rule(), Some(Reason::Forzosa));
    assert_eq!(quiet_plies(position(fen), 24).draw_by_rule(), None, "the club knows no forzosa");

    // It is counted whatever the rules, and in force as soon as the federation's are.
    let mut club = quiet_plies(position(fen), 24);
    club.set_rules(FEDERATION);
    assert_eq!(club.draw_by_rule(), Some(Reason::Forzosa));
}

/// Not counted: with the lone king on the long diagonal, with none of the three there, with a man on
/// the board, with other numbers of kings.
#[test]
fn forzosa_needs_its_position() {
    for fen in [
        "W:WK2,K3,K5:BK32",
        "W:WK2,K3,K4:BK29",
        "W:WK1,K2,K3,9:BK29",
        "W:WK1,K2,K3,K4:BK29",
        "W:WK1,K2:BK29",
        "W:WK1,K2,K3:BK29,K30",
    ] {
        // Only a count that began at once could be full: one that begins later is still short of 24.
        let start = Position::from_fen(fen, FEDERATION).unwrap();
        assert_eq!(quiet_plies(start, 24).draw_by_rule(), None, "{fen}");
    }
}

/// The count runs on when the lone king reaches the long diagonal.
#[test]
fn forzosa_runs_on() {
    let mut position = Position::from_fen("B:WK1,K10,K31:BK9", FEDERATION).unwrap();
    position.play(position.parse_move("9-5").unwrap());
    let position = quiet_plies(position, 23);
    assert_eq!(position.draw_by_rule(), Some(Reason::Forzosa));
}

// --- Search's questions -------------------------------------------------------------------

#[test]
fn standing_pat() {
    for (fen, expected) in [
        ("W:W1-12:B21-32", true),
        ("W:W9:B13", false),    // a capture
        ("W:W9:B13,18", false), // no move
        ("W:W:B13", false),     // no piece
    ] {
        assert_eq!(position(fen).may_stand_pat(), expected, "{fen}");
    }
    let noisy = |fen: &str| {
        let position = position(fen);
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        moves.iter().map(|&m| position.hub_text(m)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(noisy("W:W9,25,K3:B16"), "25-29");
    assert_eq!(noisy("W:W9,25:B13"), "9x18x13");
}

#[test]
fn noisy_values() {
    let value = |fen: &str, text: &str| {
        let position = position(fen);
        position.noisy_value(position.parse_move(text).unwrap())
    };
    assert_eq!(value("W:W10:BK14", "10x19"), 300);
    assert_eq!(value("W:W10:B14,23", "10x28"), 200);
    assert_eq!(value("W:W22:B27", "22x31"), 300);
    assert!(value("W:W9,K31:B13,27", "9x18") > value("W:W9,K31:B13,27", "31x18"));
}

#[test]
fn evaluation_of_endings() {
    let score = |fen: &str| position(fen).evaluate();
    assert!(Position::start(Rules::default()).evaluate().abs() < 50);
    assert!(score("W:WK2,K3,K4,K6,K7:BK29") > 300);
    assert!(score("W:WK2,K3,K4:BK32").abs() < 100, "the lone king holds the long diagonal");
    assert!(score("B:WK2,K3,K4:BK32").abs() < 100);
    assert!(score("W:WK2,K3:BK29").abs() < 100, "two kings do not catch one");
    assert!(score("W:WK2,K3,K4,9,10:BK32") > 300, "a man may still crown");
    assert!(score("W:WK1-31:BK32").abs() < 20_000);
}

// --- Texts --------------------------------------------------------------------------------

#[test]
fn two_captures_between_the_same_squares() {
    let position = position("W:W3:B6,7,14,15");
    let texts = |text: fn(&Position, Move) -> String| -> BTreeSet<String> {
        moves(&position).iter().map(|&m| text(&position, m)).collect()
    };
    assert_eq!(texts(Position::notation), BTreeSet::from(["3x10x19".into(), "3x12x19".into()]));
    assert_eq!(texts(Position::move_text), BTreeSet::from(["d1f3d5".into(), "d1b3d5".into()]));
    assert_eq!(texts(Position::hub_text), BTreeSet::from(["3x19x6x14".into(), "3x19x7x15".into()]));
    for (text, candidates) in [("3x19", ["3x10x19", "3x12x19"]), ("d1d5", ["d1f3d5", "d1b3d5"])] {
        let Err(MoveError::Ambiguous { candidates: got, .. }) = position.parse_move(text) else {
            panic!("{text} is not ambiguous")
        };
        let got: BTreeSet<&str> = got.iter().map(String::as_str).collect();
        assert_eq!(got, BTreeSet::from(candidates));
    }
}

/// Straight on, a route names the square right behind the captured piece, wherever else the king
/// could have landed.
#[test]
fn routes_straight_on() {
    let position = position("W:WK1:B5,19");
    let m = position.parse_move("1x32").unwrap();
    assert_eq!(position.parse_move("1x10x32"), Ok(m));
    assert_eq!(position.parse_move("h1f3a8"), Ok(m));
    assert!(position.parse_move("1x14x32").is_err());
}

#[test]
fn parts_of_a_move() {
    let position = position("W:W10:B14,23");
    let parts = position.move_parts(moves(&position)[0]);
    assert_eq!((parts.from.as_str(), parts.to.as_str()), ("f3", "b7"));
    assert_eq!((parts.captured, parts.promotion), (vec!["e4".to_string(), "c6".into()], None));
}

// --- Properties ---------------------------------------------------------------------------

/// Anything that a FEN can set up: each square empty, or one of the four pieces.
fn any_position() -> impl Strategy<Value = Position> {
    let piece = prop_oneof![5 => Just(' '), 2 => Just('w'), 2 => Just('b'), 1 => Just('W'), 1 => Just('B')];
    (prop::collection::vec(piece, 32), any::<bool>(), any::<bool>(), 0..200_u32, 1..500_u32).prop_map(
        |(mut squares, white, club, plies, number)| {
            squares[..4].iter_mut().filter(|c| **c == 'b').for_each(|c| *c = 'B');
            squares[28..].iter_mut().filter(|c| **c == 'w').for_each(|c| *c = 'W');
            let list = |man, king| {
                let named = squares.iter().enumerate().filter(|(_, c)| **c == man || **c == king);
                let names = named.map(|(i, c)| format!("{}{}", if *c == king { "K" } else { "" }, i + 1));
                names.collect::<Vec<_>>().join(",")
            };
            let side = if white { 'W' } else { 'B' };
            let fen = format!("{side}:W{}:B{}:H{plies}:F{number}", list('w', 'W'), list('b', 'B'));
            let draws = if club { Draws::Club } else { Draws::Federation };
            Position::from_fen(&fen, Rules { draws }).unwrap()
        },
    )
}

/// Positions of a game played at random.
fn playout(choices: &[u8]) -> Vec<Position> {
    let mut positions = vec![Position::start(Rules::default())];
    for &choice in choices {
        let position = positions[positions.len() - 1];
        let moves = moves(&position);
        if moves.is_empty() {
            break;
        }
        positions.push(after(&position, moves[choice as usize % moves.len()]));
    }
    positions
}

/// The board turned half round and the colours swapped.
fn turned(position: &Position) -> Position {
    let list = |color| -> String {
        let men = position.men(color).into_iter().map(|square| (33 - square.number()).to_string());
        let kings = position.kings(color).into_iter().map(|square| format!("K{}", 33 - square.number()));
        men.chain(kings).collect::<Vec<_>>().join(",")
    };
    let side = if position.side_to_move() == Color::White { 'B' } else { 'W' };
    let fen = format!("{side}:W{}:B{}", list(Color::Black), list(Color::White));
    Position::from_fen(&fen, position.rules()).unwrap()
}

fn check_everything(position: &Position) {
    position.verify().unwrap();
    let list = moves(position);
    assert_eq!(position.count_moves(), list.len() as u64);
    let different: BTreeSet<String> = list.iter().map(|&m| position.hub_text(m)).collect();
    assert_eq!(different.len(), list.len(), "a move is listed twice");
    assert_eq!(position.must_capture(), list.iter().any(|m| m.is_capture()));
    assert_eq!(position.may_stand_pat(), !list.is_empty() && !position.must_capture());

    let mut noisy = MoveList::new();
    position.noisy_moves(&mut noisy);
    let expected: Vec<Move> = list.iter().copied().filter(|&m| position.is_noisy(m)).collect();
    assert_eq!(noisy.as_slice(), expected);

    let mut names = BTreeSet::new();
    for &m in &list {
        after(position, m).verify().unwrap();
        assert!(position.history_slot(m) < Position::HISTORY_SLOTS);
        assert_ne!(position.name(m), 0);
        assert!(names.insert(position.name(m)), "{}", position.hub_text(m));
        assert_eq!(position.key_after(m), after(position, m).key());
        for text in [position.move_text(m), position.notation(m), position.hub_text(m)] {
            assert_eq!(position.parse_move(&text), Ok(m), "{text} in {}", position.fen());
        }
    }

    let fen = position.fen();
    let read = Position::from_fen(&fen, position.rules()).unwrap();
    assert_eq!(read, *position, "{fen}");
    assert_eq!((read.fen(), read.key()), (fen, position.key()));

    let score = position.evaluate();
    let terms: i32 = position.evaluation_terms().iter().map(|term| term.white - term.black).sum();
    assert_eq!(terms, if position.side_to_move() == Color::White { score } else { -score });
    assert!(score.abs() < 20_000);
    assert_eq!(turned(position).evaluate(), score);
}

proptest! {
    #[test]
    fn any_position_holds_together(position in any_position()) {
        check_everything(&position);
    }

    #[test]
    fn any_game_holds_together(choices in prop::collection::vec(any::<u8>(), 0..150)) {
        for position in playout(&choices) {
            check_everything(&position);
        }
    }

    #[test]
    fn both_colours_play_alike(position in any_position()) {
        let turned = turned(&position);
        for depth in 1..=3 {
            prop_assert_eq!(perft(&position, depth), perft(&turned, depth));
        }
    }

    #[test]
    fn the_start_is_symmetrical(choices in prop::collection::vec(any::<u8>(), 0..60)) {
        let positions = playout(&choices);
        let position = positions[positions.len() - 1];
        prop_assert_eq!(perft(&position, 4), perft(&turned(&position), 4));
    }

    #[test]
    fn junk_is_refused_in_words(text in "\\PC{0,60}|[WBKHFwbk0-9:,. x-]{0,60}") {
        if let Ok(position) = Position::from_fen(&text, Rules::default()) {
            check_everything(&position);
        }
        let position = Position::start(Rules::default());
        if let Ok(m) = position.parse_move(&text) {
            prop_assert!(moves(&position).contains(&m));
        }
    }

    #[test]
    fn junk_moves_are_refused_in_words(position in any_position(), text in "([a-h][1-8]){1,6}|[0-9]{1,2}([x:-][0-9]{1,2}){1,6}") {
        if let Ok(m) = position.parse_move(&text) {
            prop_assert!(moves(&position).contains(&m));
        }
    }
}
