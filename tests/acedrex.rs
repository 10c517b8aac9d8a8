//! Grande Acedrex from outside: node counts, rules, text.

use std::collections::BTreeSet;

use alfonso::acedrex::{Move, Position, Rules};
use alfonso::game::{Color, Ending, Game, MoveError, MoveList, Position as _, Reason};
use proptest::prelude::*;

fn start() -> Position {
    Position::start(Rules::default())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn legal_moves(position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

fn move_texts(position: &Position) -> BTreeSet<String> {
    legal_moves(position).iter().map(|&m| position.move_text(m)).collect()
}

fn after(position: &Position, moves: &[&str]) -> Position {
    moves.iter().fold(position.clone(), |mut position, text| {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", position.fen()));
        position.play(m);
        position
    })
}

fn ending(position: &Position) -> Option<Ending> {
    Game::new(position.clone()).ending()
}

/// Why a move is refused.
fn refusal(position: &Position, text: &str) -> String {
    match position.parse_move(text) {
        Err(MoveError::Illegal { why, .. }) => why,
        other => panic!("{text} in {}: {other:?}", position.fen()),
    }
}

// --- Node counts ------------------------------------------------------------------------------

/// Leaves of the tree of all legal moves; in debug builds every node is checked.
fn perft(position: &Position, depth: u32) -> u64 {
    if cfg!(debug_assertions) {
        position.verify().unwrap_or_else(|error| panic!("{}: {error}", position.fen()));
    }
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let next = |&m: &Move| {
                let mut next = position.clone();
                next.play(m);
                perft(&next, depth - 1)
            };
            legal_moves(position).iter().map(next).sum()
        }
    }
}

#[test]
fn perft_of_the_array() {
    let counts = [1, 59, 3_481, 206_209, 12_200_003];
    for (depth, count) in (0..).zip(counts) {
        assert_eq!(perft(&start(), depth), count, "depth {depth}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "deep: release builds")]
fn deep_perft_of_the_array() {
    assert_eq!(perft(&start(), 5), 726_777_408);
}

#[test]
fn perft_of_the_reference_positions() {
    for line in include_str!("reference/grande-acedrex.epd").lines() {
        let mut fields = line.split(" ;D");
        let position = position(fields.next().unwrap());
        for field in fields {
            let (depth, count) = field.split_once(' ').unwrap();
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.trim().parse().unwrap());
            assert_eq!(perft(&position, depth), count, "depth {depth} of {line}");
        }
    }
}

// --- How a game ends --------------------------------------------------------------------------

#[test]
fn endings_of_the_reference_positions() {
    for line in include_str!("reference/grande-acedrex-endings.txt").lines() {
        let fields: Vec<_> = line.split(" | ").map(str::trim).collect();
        let ending = ending(&position(fields[0]));
        let result = ending.map_or("*", |ending| ending.result());
        let reason = ending.map_or("play goes on".into(), |ending| ending.reason.to_string());
        assert_eq!([result, &reason], fields[1..], "{line}");
    }
}

#[test]
fn who_bares_the_enemy_wins_unless_bared_in_turn() {
    // The rook takes the last pawn and is out of the king's reach.
    let won = after(&position("10k1/12/12/12/12/12/12/12/12/p10R/12/K11 w - - 0 1"), &["l3a3"]);
    assert_eq!(ending(&won), Some(Ending::win(Color::White, Reason::BareKing)));

    // The king takes the rook in turn, and nothing else is legal.
    let answered = after(&position("12/12/12/12/12/12/12/12/1k10/p10R/12/K11 w - - 0 1"), &["l3a3"]);
    assert_eq!(ending(&answered), None);
    assert_eq!(move_texts(&answered), BTreeSet::from(["b4a3".into()]));
    assert_eq!(refusal(&answered, "b4b5"), "a bare king may only take the last man");
    let drawn = after(&answered, &["b4a3"]);
    assert_eq!(ending(&drawn), Some(Ending::draw(Reason::BothKingsBare)));

    // With a second man left, taking one does not help.
    let outnumbered = after(&position("12/12/12/12/12/12/12/12/1k10/p10R/P11/K11 w - - 0 1"), &["l3a3"]);
    assert_eq!(ending(&outnumbered), Some(Ending::win(Color::White, Reason::BareKing)));
}

#[test]
fn a_mated_bare_king_is_mated() {
    let mated = position("k11/4L7/1C10/L11/K11/12/12/12/12/12/12/12 b - - 0 1");
    assert_eq!(ending(&mated), Some(Ending::win(Color::White, Reason::Checkmate)));
}

#[test]
fn to_be_stalemated_loses() {
    let stalemated = position("K3u7/12/c11/P11/a1u1k7/12/12/12/12/12/12/12 w - - 0 1");
    assert!(!stalemated.in_check());
    assert_eq!(ending(&stalemated), Some(Ending::win(Color::Black, Reason::Stalemate)));
}

#[test]
fn nobody_stands_pat_who_is_stalemated() {
    let with_pawns = position("11k/1R10/12/12/12/12/12/p1p1p7/P1P1P7/12/12/6K3R1 b - - 1 1");
    assert_eq!(ending(&with_pawns), Some(Ending::win(Color::White, Reason::Stalemate)));
    assert!(!with_pawns.may_stand_pat());
    let free = position("11k/1R10/12/12/12/12/12/p1p1p7/P1P5p3/12/12/6K3R1 b - - 1 1");
    assert!(free.may_stand_pat());
}

#[test]
fn the_move_rule_and_its_option() {
    let fen = |clock| format!("k11/5p6/12/12/12/12/12/12/12/12/5P6/K10R w - - {clock} 60");
    let draw =
        |clock, move_rule| Position::from_fen(&fen(clock), Rules { move_rule }).unwrap().draw_by_rule();
    assert_eq!(draw(99, 50), None);
    assert_eq!(draw(100, 50), Some(Reason::MoveRule));
    assert_eq!(draw(39, 20), None);
    assert_eq!(draw(40, 20), Some(Reason::MoveRule));
    assert_eq!(draw(65_535, 0), None);

    let mut rook_moved = after(&position(&fen(99)), &["l1l2"]);
    assert_eq!(ending(&rook_moved), Some(Ending::draw(Reason::MoveRule)));
    let pawn_moved = after(&position(&fen(99)), &["f2f3"]);
    assert_eq!(ending(&pawn_moved), None);
    rook_moved.set_rules(Rules { move_rule: 0 });
    assert_eq!(ending(&rook_moved), None);
}

#[test]
fn mate_comes_before_the_move_rule() {
    let mated = position("6k3R1/12/6Kp4/4G7/8L3/12/12/12/12/12/12/12 b - - 100 80");
    assert_eq!(ending(&mated), Some(Ending::win(Color::White, Reason::Checkmate)));
}

#[test]
fn repetition_counts_leap_rights() {
    // Both sides move a giraffe there and back: the array stands three times.
    let mut game = Game::new(start());
    let there_and_back = ["d1g3", "d12g10", "g3d1", "g10d12"];
    for text in there_and_back.iter().chain(&there_and_back) {
        assert_eq!(game.ending(), None);
        game.play(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.ending(), Some(Ending::draw(Reason::Repetition)));

    // A king that has gone and come back may not leap: not the same position.
    let mut game = Game::new(start());
    let there_and_back = ["g1g2", "g12g11", "g2g1", "g11g12"];
    for text in there_and_back.iter().chain(&there_and_back) {
        game.play(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.ending(), None);
    for text in there_and_back {
        game.play(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.ending(), Some(Ending::draw(Reason::Repetition)));
}

// --- The king's leap --------------------------------------------------------------------------

fn leaps(position: &Position) -> BTreeSet<String> {
    ["g1e1", "g1e3", "g1g3", "g1i3", "g1i1"]
        .into_iter()
        .filter(|text| position.parse_move(text).is_ok())
        .map(str::to_string)
        .collect()
}

#[test]
fn the_king_leaps_two_squares_in_any_direction() {
    let all = ["g1e1", "g1e3", "g1g3", "g1i1", "g1i3"].map(str::to_string);
    // Over its own men as well.
    let king = position("5k6/12/12/p11/12/12/12/12/P11/12/5PPP4/5GKG4 w K - 0 1");
    assert_eq!(leaps(&king), BTreeSet::from(all));
    assert_eq!(refusal(&king, "g1f3"), "a king does not move so");
    assert_eq!(refusal(&king, "g1g4"), "a king does not move so");
}

#[test]
fn a_leap_needs_its_right_and_any_king_move_loses_it() {
    let without = position("5k6/12/12/p11/12/12/12/12/P11/12/12/6K5 w - - 0 1");
    assert_eq!(leaps(&without), BTreeSet::new());
    assert_eq!(refusal(&without, "g1e3"), "the king has moved before and may not leap");

    for (moves, fen_rights) in [
        (&["g1g2"][..], "k"),
        (&["g1e3"], "k"),
        (&["g1g2", "g12g11"], "-"),
        (&["g1g2", "a9a8", "g2g1"], "k"),
        (&["a4a5"], "Kk"),
    ] {
        let fen = after(&start(), moves).fen();
        assert_eq!(fen.split(' ').nth(2), Some(fen_rights), "{moves:?}");
    }
}

#[test]
fn a_leap_is_no_way_out_of_check() {
    let checked = position("5k6/12/12/p11/6r5/12/12/12/P11/12/12/6K5 w K - 0 1");
    assert_eq!(leaps(&checked), BTreeSet::new());
    assert_eq!(refusal(&checked, "g1e3"), "a king in check may not leap");
}

#[test]
fn a_leap_may_pass_an_attacked_square_but_not_land_on_one() {
    // The rook looks along the second rank: nothing that a leap minds.
    let passing = position("5k6/12/12/p11/12/12/12/12/P11/12/r11/6K5 w K - 0 1");
    assert_eq!(leaps(&passing).len(), 5);
    // Along the third it attacks three squares to land on.
    let landing = position("5k6/12/12/p11/12/12/12/12/P11/r11/12/6K5 w K - 0 1");
    assert_eq!(leaps(&landing), ["g1e1", "g1i1"].map(str::to_string).into());
    assert_eq!(refusal(&landing, "g1e3"), "the king would be in check");
}

#[test]
fn a_leap_never_takes() {
    let fen = "5k6/12/12/p11/12/12/12/12/P11/4g1P5/12/6K5 w K - 0 1";
    assert_eq!(refusal(&position(fen), "g1e3"), "a leap must land on an empty square");
    assert_eq!(refusal(&position(fen), "g1g3"), "there is a piece of one's own on g3");
}

#[test]
fn a_king_from_the_mirrored_array_leaps_too() {
    let mirrored =
        position("rlugckacgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCKACGULR w Kk - 0 1");
    assert_eq!(perft(&mirrored, 3), 206_209);
    assert!(mirrored.parse_move("f1d3").is_ok());
}

// --- Pawns ------------------------------------------------------------------------------------

const PROMOTIONS: &str = "rlugcaacgulr";

/// A position with a rank that holds nothing but a pawn on `file`.
fn pawn_on(file: char, pawn: char, fen: impl Fn(&str) -> String) -> Position {
    let left = file as usize - 'a' as usize;
    let run = |length: usize| if length == 0 { String::new() } else { length.to_string() };
    position(&fen(&format!("{}{pawn}{}", run(left), run(11 - left))))
}

#[test]
fn the_file_tells_what_a_pawn_becomes() {
    for (file, letter) in ('a'..='l').zip(PROMOTIONS.chars()) {
        let white =
            pawn_on(file, 'P', |rank| format!("12/{rank}/12/12/12/12/12/12/k10p/12/12/K11 w - - 0 1"));
        let text = format!("{file}11{file}12{letter}");
        let m = white.parse_move(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(white.move_text(m), text);
        assert_eq!(white.parse_move(&text[..text.len() - 1]), Ok(m), "without its letter");
        assert_eq!(white.parse_move(&format!("{file}11{file}12.")), Ok(m), "as XBoard writes it");
        assert_eq!(white.move_parts(m).promotion, Some(letter));
        assert_eq!(
            white.notation(m).trim_end_matches('+'),
            format!("{file}12={}", letter.to_ascii_uppercase())
        );
        let top = after(&white, &[&text]).fen();
        assert!(top.split('/').next().unwrap().contains(letter.to_ascii_uppercase()), "{top}");
        let wrong = if letter == 'c' { 'a' } else { 'c' };
        let why = refusal(&white, &format!("{file}11{file}12{wrong}"));
        assert!(why.starts_with(&format!("a pawn on {file}12 promotes to ")), "{why}");

        let black =
            pawn_on(file, 'p', |rank| format!("k11/12/12/K10P/12/12/12/12/12/12/{rank}/12 b - - 0 1"));
        let text = format!("{file}2{file}1{letter}");
        let m = black.parse_move(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(black.move_text(m), text);
        let bottom = after(&black, &[&text]).fen();
        assert!(bottom.split(' ').next().unwrap().rsplit('/').next().unwrap().contains(letter), "{bottom}");
    }
}

#[test]
fn pawns_step_once_and_take_diagonally() {
    assert_eq!(refusal(&start(), "e4e6"), "a pawn does not move so");
    let fen = "k11/12/12/12/12/3pp7/12/4P7/12/12/12/K11 w - - 0 1";
    let moves = move_texts(&position(fen));
    assert!(moves.contains("e5e6") && !moves.contains("e5d6"));
    let fen = "k11/12/12/12/12/12/3ppp6/4P7/12/12/12/K11 w - - 0 1";
    let moves = move_texts(&position(fen));
    assert!(!moves.contains("e5e6") && moves.contains("e5d6") && moves.contains("e5f6"));
}

#[test]
fn a_pawn_beside_is_not_taken_in_passing() {
    let fen = "k11/12/12/3p8/12/4P7/12/12/12/12/12/K11 b - - 0 1";
    let moved = after(&position(fen), &["d9d8", "a1b1", "d8d7"]);
    assert_eq!(refusal(&moved, "e7d8"), "a pawn does not move so");
}

// --- Checks and pins --------------------------------------------------------------------------

#[test]
fn one_man_may_meet_two_checks() {
    // The rook and the gryphon, by way of its elbow on a5, both come down the a-file.
    let checked = position("r10k/12/12/12/12/12/1a10/12/12/12/3R8/K11 w - - 0 1");
    assert_eq!(checked.checkers(), ["b6", "a12"]);
    let rook: Vec<_> = move_texts(&checked).into_iter().filter(|text| text.starts_with("d2")).collect();
    assert_eq!(rook, ["d2a2"]);
    assert_eq!(refusal(&checked, "d2d3"), "the king is in check");
    assert_eq!(ending(&checked), None);
}

#[test]
fn pinned_men_stay_on_the_path() {
    let rook_moves = |fen: &str| -> BTreeSet<String> {
        move_texts(&position(fen))
            .into_iter()
            .filter_map(|text| text.strip_prefix("a4").map(str::to_string))
            .collect()
    };
    let fen = "r10k/12/12/12/12/12/12/12/R11/12/12/K11 w - - 0 1";
    let along = ["a2", "a3", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12"];
    assert_eq!(rook_moves(fen), along.map(str::to_string).into());
    assert_eq!(refusal(&position(fen), "a4b4"), "the king would be in check");

    // Pinned by the gryphon as well, the rook may go only where it meets both.
    let fen = "r10k/12/12/12/12/12/1a10/12/R11/12/12/K11 w - - 0 1";
    assert_eq!(rook_moves(fen), ["a2", "a3", "a5"].map(str::to_string).into());

    // A man on the elbow is pinned to the bent way, and may take the gryphon at its end.
    let fen = "11k/12/12/12/12/12/1a10/C11/12/12/12/K11 w - - 0 1";
    let crocodile: Vec<_> =
        move_texts(&position(fen)).into_iter().filter(|text| text.starts_with("a5")).collect();
    assert_eq!(crocodile, ["a5b6"]);
}

#[test]
fn bent_riders_need_an_empty_elbow() {
    // The rhinoceros on c6 looks at f10 by way of d8: (1,2), then (1,1) twice.
    let open = "12/12/5k6/12/12/12/2U9/12/12/12/p11/3K8 b - - 0 1";
    assert_eq!(position(open).checkers(), ["c6"]);
    let closed = "12/12/5k6/12/3p8/12/2U9/12/12/12/p11/3K8 b - - 0 1";
    assert!(!position(closed).in_check());
    // What stands on the squares that a leap passes does not matter.
    let beside = "12/12/5k6/12/12/2pp8/2U9/12/12/12/p11/3K8 b - - 0 1";
    assert!(position(beside).in_check());
}

// --- FEN --------------------------------------------------------------------------------------

const ARRAY: &str = "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR";

#[test]
fn fen_is_read_in_every_form_that_others_write() {
    let whole = format!("{ARRAY} w Kk - 0 1");
    assert_eq!(start().fen(), whole);
    for rest in [
        "w Kk",
        "w Kk -",
        "w Kk - 0",
        "w Kk 0 1",
        "w KQkq - 0 1",
        "w Gg 0 1",
        "w gG - 0 1",
        "  w   Kk  -  0  1 ",
    ] {
        assert_eq!(position(&format!("{ARRAY} {rest}")).fen(), whole, "{rest}");
    }
    for short in ["/8/", "/5/", "//"] {
        let short = whole.replace("/12/", short).replace("/12/", short);
        assert_eq!(position(&short).fen(), whole, "{short}");
    }
    for (rest, written) in
        [("w g 4 3", "w k - 4 3"), ("w G - 4 3", "w K - 4 3"), ("b - 4 3", "b - - 4 3"), ("w Q", "w - - 0 1")]
    {
        assert_eq!(position(&format!("{ARRAY} {rest}")).fen(), format!("{ARRAY} {written}"), "{rest}");
    }
    let mirrored = ARRAY.replace("ak", "ka").replace("AK", "KA");
    assert_eq!(position(&format!("{mirrored} w Ff 0 1")).fen(), format!("{mirrored} w Kk - 0 1"));
    // On the k-file the letter of the file is that of the king.
    assert_eq!(
        position("1k10/11p/12/12/12/12/12/12/12/12/P11/10K1 w K - 0 1").fen().split(' ').nth(2),
        Some("K")
    );
}

#[test]
fn fen_errors_name_the_field() {
    let lone = |rank: &str| format!("k11/12/12/12/12/12/12/{rank}/12/12/12/K11 w - - 0 1");
    let of_array = |rest: &str| format!("{ARRAY} {rest}");
    for (fen, field, problem) in [
        (String::new(), "pieces", "missing"),
        ("k11/K11 w - - 0 1".into(), "pieces", "2 ranks"),
        (format!("12/{ARRAY} w Kk - 0 1"), "pieces", "13 ranks"),
        (lone("13"), "pieces", "rank 5 '13': 13 empty squares"),
        (lone("0P11"), "pieces", "0 empty squares"),
        (lone("57"), "pieces", "57 empty squares"),
        (lone("99999999999999999999"), "pieces", "empty squares"),
        (lone("PPPPPPPPPPPPP"), "pieces", "more than 12 squares"),
        (lone("P12"), "pieces", "more than 12 squares"),
        (lone("N11"), "pieces", "unknown letter 'N'"),
        (lone("é11"), "pieces", "unknown letter 'é'"),
        (lone("K11"), "pieces", "White has 2 kings"),
        (ARRAY.replace('k', "1") + " w K - 0 1", "pieces", "Black has no king"),
        ("k10P/12/12/12/12/12/12/12/12/12/12/K11 w - - 0 1".into(), "pieces", "a pawn on l12"),
        ("k11/12/12/12/12/12/12/12/12/12/12/K10p w - - 0 1".into(), "pieces", "a pawn on l1"),
        (ARRAY.into(), "side to move", "missing"),
        (of_array("x Kk - 0 1"), "side to move", "'x'"),
        (lone("R11"), "side to move", "Black is in check"),
        ("12/12/12/12/12/12/kK10/12/12/12/12/11R w - - 0 1".into(), "side to move", "Black is in check"),
        (of_array("w"), "leap rights", "missing"),
        (of_array("w X - 0 1"), "leap rights", "'X'"),
        (of_array("w F - 0 1"), "leap rights", "White is on g1"),
        (of_array("w Kk- - 0 1"), "leap rights", "'Kk-'"),
        ("k11/12/12/12/12/12/12/12/12/12/1K10/12 w K - 0 1".into(), "leap rights", "White is on b2"),
        ("12/k11/12/12/12/12/12/12/12/12/12/K11 w Kk - 0 1".into(), "leap rights", "Black is on a11"),
        (of_array("w Kk e5 0 1"), "en passant", "'e5'"),
        (of_array("w Kk -1 1"), "en passant", "'-1'"),
        (of_array("w Kk - x 1"), "half-moves", "'x'"),
        (of_array("w Kk - +5 1"), "half-moves", "'+5'"),
        (of_array("w Kk - 65536 1"), "half-moves", "'65536'"),
        (of_array("w Kk - 0 0"), "move number", "'0'"),
        (of_array("w Kk - 0 one"), "move number", "'one'"),
        (of_array("w Kk - 0 1 more"), "move number", "'more' after it"),
        (of_array("w Kk 0 1 2"), "move number", "'2' after it"),
    ] {
        let error = Position::from_fen(&fen, Rules::default()).expect_err(&fen);
        assert_eq!(error.field, field, "{fen}: {error}");
        assert!(error.problem.contains(problem), "{fen}: {error}");
    }
}

// --- Moves as text ----------------------------------------------------------------------------

#[test]
fn moves_are_read_in_coordinates_and_in_notation() {
    let move_of = |text| start().parse_move(text).unwrap_or_else(|error| panic!("{error}"));
    for (coordinates, others) in [
        ("g1e3", &["Ke3", "Kg1e3", "Kg1-e3", "g1-e3"][..]),
        ("e4e5", &["e5", "Pe5", "e4-e5", "e5+", "e5!?"]),
        ("d1g3", &["Gg3", "Gdg3", "G1g3"][..1]),
    ] {
        let m = move_of(coordinates);
        assert_eq!(start().move_text(m), coordinates);
        assert_eq!(start().notation(m), others[0]);
        assert!(others.iter().all(|other| move_of(other) == m), "{others:?}");
    }
}

#[test]
fn notation_tells_pieces_apart_by_as_little_as_needed() {
    let notation = |fen: &str, text: &str| {
        let position = position(fen);
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.notation(m)
    };
    let rooks = "11k/10pp/12/3R8/12/12/12/12/3R8/12/12/5K6 w - - 0 1";
    assert_eq!(notation(rooks, "d9d6"), "R9d6");
    let rooks = "11k/12/12/12/R2p3R4/12/12/12/12/12/12/5K6 w - - 0 1";
    assert_eq!(notation(rooks, "a8d8"), "Raxd8");
    assert_eq!(notation(rooks, "a8a4"), "Ra4");
    let pawn = "11k/12/12/12/3p8/4P7/12/12/12/12/12/5K6 w - - 0 1";
    assert_eq!(notation(pawn, "e7d8"), "exd8");
    let error = position(rooks).parse_move("Rd8").unwrap_err();
    assert_eq!(error.to_string(), "'Rd8' is ambiguous; it may be a8d8 or h8d8");
}

#[test]
fn notation_marks_check_and_mate() {
    let fen = "11k/12/12/12/12/12/12/12/11p/12/12/R4K6 w - - 0 1";
    let m = position(fen).parse_move("a1a12").unwrap();
    assert_eq!(position(fen).notation(m), "Ra12+");
    let fen = "11k/R11/12/12/12/12/12/12/11p/12/12/1R3K6 w - - 0 1";
    let m = position(fen).parse_move("b1b12").unwrap();
    assert_eq!(position(fen).notation(m), "Rb12#");
}

/// Words that XBoard takes for something else when they stand in an engine's line.
const MISREAD: [&str; 16] = [
    "name", "rating", "result", "board", "bk", "computer", "variant", "hint", "random", "depth", "accepted",
    "protover", "draw", "time", "analyze", "?",
];

#[test]
fn refusals_say_why_in_words_that_xboard_does_not_misread() {
    let checked = position("5k6/12/12/p11/6r5/12/12/12/PP10/12/12/6K5 w K - 0 1");
    let promoting = position("12/3P8/12/12/12/12/12/12/k10p/12/12/K11 w - - 0 1");
    for (position, text, why) in [
        (start(), "e6e7", "there is no piece on e6"),
        (start(), "e9e8", "the piece on e9 is Black's"),
        (start(), "a1a4", "there is a piece of one's own on a4"),
        (start(), "a1a1", "a move must lead to another square"),
        (start(), "a1a6", "there is something in the way"),
        (start(), "d1d3", "a giraffe does not move so"),
        (start(), "Gd1d3", "a giraffe does not move so"),
        (start(), "Rd1g3", "the piece on d1 is a giraffe"),
        (start(), "Gd3", "no giraffe of White can go to d3"),
        (start(), "Kb3", "a king does not move so"),
        (start(), "e6", "no pawn of White can go to e6"),
        (start(), "e4e5c", "nothing promotes on e5"),
        (checked.clone(), "a4a5", "the king is in check"),
        (checked.clone(), "a5", "the king is in check"),
        (checked.clone(), "g1g2", "the king would be in check"),
        (checked, "Kg3", "a king in check may not leap"),
        (promoting.clone(), "d11d12r", "a pawn on d12 promotes to giraffe"),
        (promoting, "d12=Q", "d12=Q"),
    ] {
        match position.parse_move(text) {
            Err(MoveError::Illegal { why: got, .. }) => {
                assert_eq!(got, why, "{text}");
                assert!(MISREAD.iter().all(|word| !got.contains(word)), "{got}");
            }
            Err(MoveError::Unreadable { text: got, .. }) => assert_eq!(got, why),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_diagram() {
    let diagram = after(&start(), &["g1e3"]).diagram(Color::White);
    assert_eq!(
        format!("\n{diagram}"),
        "
 12  r l u g c a k c g u l r
 11  . . . . . . . . . . . .
 10  . . . . . . . . . . . .
  9  p p p p p p p p p p p p
  8  . . . . . . . . . . . .
  7  . . . . . . . . . . . .
  6  . . . . . . . . . . . .
  5  . . . . . . . . . . . .
  4  P P P P P P P P P P P P
  3  . . . . K . . . . . . .
  2  . . . . . . . . . . . .
  1  R L U G C A . C G U L R
     a b c d e f g h i j k l
     Black to move, move 1
"
    );
}

// --- Evaluation -------------------------------------------------------------------------------

#[test]
fn evaluation_stays_within_its_band() {
    let gryphons = "AAAAAAAAAAAA/".repeat(8);
    let crowded = position(&format!("11k/10pp/12/{gryphons}KAAAAAAAAAAA b - - 0 1"));
    assert_eq!(crowded.evaluate(), -19_999);
    let white: i32 = crowded.evaluation_terms().iter().map(|term| term.white - term.black).sum();
    assert_eq!(white, 19_999);
}

#[test]
fn the_array_is_worth_the_right_to_move() {
    let terms = start().evaluation_terms();
    assert!(terms.iter().all(|term| term.white == term.black || term.name == "right to move"), "{terms:?}");
    assert!((0..100).contains(&start().evaluate()));
}

#[test]
fn noisy_moves_are_told_by_what_they_win() {
    let fen = "11k/12/12/12/3a3p4/4P1P5/12/12/12/12/12/3R1K6 w - - 0 1";
    let position = position(fen);
    let value = |text| position.noisy_value(position.parse_move(text).unwrap());
    assert!(value("e7d8") > value("d1d8"), "of two takers the cheaper first");
    assert!(value("d1d8") > value("g7h8"), "the dearer victim first");
    let last = after(&position, &["e7d8", "l12l11"]);
    let value = last.noisy_value(last.parse_move("g7h8").unwrap());
    assert!(value > 9_000, "the last man above all: {value}");
}

// --- Properties -------------------------------------------------------------------------------

/// Positions of a game whose moves are chosen by `choices`, begun from the array or a reference position.
fn playout(begin: usize, choices: &[u16]) -> Vec<Position> {
    let references = include_str!("reference/grande-acedrex.epd");
    let fens = references.lines().map(|line| line.split(" ;").next().unwrap());
    let begin = position(std::iter::once(start().fen().as_str()).chain(fens).cycle().nth(begin).unwrap());
    let mut positions = vec![begin];
    for &choice in choices {
        let mut next = positions.last().unwrap().clone();
        let moves = legal_moves(&next);
        if moves.is_empty() {
            break;
        }
        next.play(moves[choice as usize % moves.len()]);
        positions.push(next);
    }
    positions
}

fn playouts() -> impl Strategy<Value = Vec<Position>> {
    (0usize..171, prop::collection::vec(any::<u16>(), 0..60))
        .prop_map(|(begin, choices)| playout(begin, &choices))
}

/// The FEN with `change` done to its ranks, and the other fields as they are.
fn with_ranks(fen: &str, change: impl Fn(Vec<String>) -> Vec<String>) -> String {
    let (ranks, rest) = fen.split_once(' ').unwrap();
    let ranks = change(ranks.split('/').map(str::to_string).collect());
    format!("{} {rest}", ranks.join("/"))
}

/// Colors exchanged, the board turned top to bottom.
fn color_mirror(fen: &str) -> String {
    let turned = with_ranks(fen, |ranks| ranks.into_iter().rev().collect());
    let mut fields: Vec<String> = turned.split(' ').map(str::to_string).collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    fields[0] = fields[0].chars().map(swap).collect();
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    fields[2] = fields[2].chars().map(swap).collect();
    fields.join(" ")
}

/// The a-file for the l-file.
fn file_mirror(fen: &str) -> String {
    let reverse = |rank: String| {
        let mut runs: Vec<String> = Vec::new();
        for c in rank.chars() {
            match runs.last_mut() {
                Some(run) if c.is_ascii_digit() && run.ends_with(|c: char| c.is_ascii_digit()) => run.push(c),
                _ => runs.push(c.to_string()),
            }
        }
        runs.into_iter().rev().collect::<String>()
    };
    with_ranks(fen, |ranks| ranks.into_iter().map(reverse).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 256 }))]

    #[test]
    fn what_is_kept_up_agrees_with_what_is_rebuilt(positions in playouts()) {
        for position in positions {
            prop_assert_eq!(position.verify(), Ok(()));
            let moves = legal_moves(&position);
            prop_assert_eq!(position.count_moves(), moves.len() as u64);
            let noisy: Vec<_> = moves.iter().copied().filter(|&m| position.is_noisy(m)).collect();
            let mut generated = MoveList::new();
            position.noisy_moves(&mut generated);
            let texts = |moves: &[Move]| moves.iter().map(|&m| position.move_text(m)).collect::<BTreeSet<_>>();
            prop_assert_eq!(texts(&generated), texts(&noisy));
            prop_assert_eq!(generated.len(), noisy.len());
            prop_assert!(moves.iter().all(|&m| position.history_slot(m) < Position::HISTORY_SLOTS));
            prop_assert_eq!(position.in_check(), !position.checkers().is_empty());
        }
    }

    #[test]
    fn fen_is_read_back(positions in playouts()) {
        for position in positions {
            let read = Position::from_fen(&position.fen(), position.rules());
            prop_assert_eq!(read, Ok(position));
        }
    }

    #[test]
    fn moves_are_read_back(positions in playouts()) {
        for position in positions.iter().step_by(7) {
            let mut notations = BTreeSet::new();
            for m in legal_moves(position) {
                prop_assert_eq!(position.parse_move(&position.move_text(m)), Ok(m));
                let notation = position.notation(m);
                prop_assert_eq!(position.parse_move(&notation), Ok(m), "{}", notation);
                prop_assert!(notations.insert(notation));
            }
        }
    }

    #[test]
    fn mirrored_positions_are_worth_the_same(positions in playouts()) {
        for position in positions.iter().step_by(5) {
            for mirrored in [color_mirror(&position.fen()), file_mirror(&position.fen())] {
                let mirrored = self::position(&mirrored);
                prop_assert_eq!(mirrored.count_moves(), position.count_moves());
                prop_assert_eq!(mirrored.evaluate(), position.evaluate());
                prop_assert_eq!(
                    ending(&mirrored).map(|ending| ending.reason),
                    ending(position).map(|ending| ending.reason)
                );
            }
        }
        let last = positions.last().unwrap();
        for mirrored in [color_mirror(&last.fen()), file_mirror(&last.fen())] {
            prop_assert_eq!(perft(&self::position(&mirrored), 2), perft(last, 2));
        }
    }

    #[test]
    fn the_terms_add_up_to_the_evaluation(positions in playouts()) {
        for position in positions {
            let terms = position.evaluation_terms();
            let white: i32 = terms.iter().map(|term| term.white - term.black).sum();
            let us = if position.side_to_move() == Color::White { white } else { -white };
            prop_assert_eq!(us, position.evaluate());
        }
    }

    #[test]
    fn keys_tell_positions_apart(positions in playouts()) {
        let key = |position: &Position| position.key();
        let what_counts = |position: &Position| {
            let fen = position.fen();
            fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
        };
        let keys: BTreeSet<_> = positions.iter().map(key).collect();
        let texts: BTreeSet<_> = positions.iter().map(what_counts).collect();
        prop_assert_eq!(keys.len(), texts.len());
    }

    #[test]
    fn a_pass_hands_over_the_turn(positions in playouts()) {
        for mut position in positions.into_iter().filter(Position::may_pass) {
            let side = position.side_to_move();
            position.pass();
            prop_assert_eq!(position.verify(), Ok(()));
            prop_assert_eq!(position.side_to_move(), !side);
        }
    }

    #[test]
    fn junk_is_refused_quietly(text in ".{0,60}", moves in "[a-lKACGULRP0-9x=+#.-]{0,10}", rest in "[a-zA-Z0-9/ -]{0,40}") {
        let _ = Position::from_fen(&text, Rules::default());
        let _ = Position::from_fen(&format!("{ARRAY} {rest}"), Rules::default());
        let _ = Position::from_fen(&ARRAY.replacen("12", &rest, 1), Rules::default());
        let _ = start().parse_move(&text);
        let _ = start().parse_move(&moves);
    }
}
