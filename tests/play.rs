//! `alfonso play`: games in the terminal, from a pipe.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{ALFONSO, Dialogue};

/// What the program shows when it is sent these lines.
fn play(arguments: &[&str], lines: &[&str]) -> String {
    let mut child = Command::new(ALFONSO)
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("stdin is piped");
    input.write_all((lines.join("\n") + "\n").as_bytes()).expect("the program reads");
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("what it shows is text")
}

/// Plays a whole game by taking every hint; gives what was shown.
fn play_by_hints(arguments: &[&str]) -> String {
    let mut dialogue = Dialogue::start(&[&["play"], arguments].concat());
    let mut all = String::new();
    dialogue.send("hint");
    loop {
        let line = dialogue.next_line().unwrap_or_else(|| panic!("the program ended early:\n{all}"));
        all += &line;
        all.push('\n');
        if let Some(hint) = line.strip_prefix("hint: ") {
            let m = hint.split_whitespace().next().unwrap();
            // A hint that is no longer wanted (the game is over) is refused and does no harm.
            dialogue.send(format!("{m}\nhint"));
        } else if line.contains("the game is over") {
            let (_, status) = dialogue.finish();
            assert!(status.success());
            return all;
        }
    }
}

#[test]
fn a_whole_game_of_each_kind() {
    for (variant, fen) in [
        ("grande-acedrex", "6k5/12/12/pppp4pppp/12/12/12/12/PPPP4PPPP/12/12/R5K4A w Kk - 0 1"),
        (
            "grande-acedrex",
            "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1",
        ),
        ("spanish-draughts", "W:W1-12:B21-32"),
    ] {
        for side in ["white", "black"] {
            let all = play_by_hints(&["--variant", variant, "--fen", fen, "--side", side, "--time", "0.01"]);
            let ended = ["1-0: ", "0-1: ", "1/2-1/2: "].iter().any(|result| all.contains(result));
            assert!(ended, "{all}");
            assert!(!all.contains("illegal"), "{all}");
        }
    }
}

#[test]
fn the_engine_plays_itself_and_ends() {
    for variant in ["grande-acedrex", "spanish-draughts"] {
        let all = play(&["--variant", variant, "--side", "none", "--level", "1"], &[]);
        assert!(["1-0: ", "0-1: ", "1/2-1/2: "].iter().any(|result| all.contains(result)), "{all}");
    }
}

#[test]
fn every_word_is_understood() {
    let lines =
        ["help", "pieces", "moves", "fen", "eval", "hint", "e4e5", "board", "back", "E4E5", "ki11", "resign"];
    let all = play(&["--level", "1"], &[&lines[..], &["e5", "new", "quit"]].concat());
    for shown in [
        "take back your last move",
        "A gryphon",
        "59 legal moves:",
        "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1",
        "hundredths of a pawn",
        "hint: ",
        "Black plays 1... ",
        "illegal move 'ki11'",
        "0-1: White resigns.",
        "the game is over: back, new or quit",
    ] {
        assert!(all.contains(shown), "no '{shown}' in:\n{all}");
    }
    assert!(all.lines().all(|line| line.len() <= 80 || line.contains('/')), "{all}");
}

#[test]
fn forced_captures_are_explained() {
    let fen = "W:WK25,K27:BK7,13,K14,18,K20,21,22,28,29";
    let all = play(&["--variant", "spanish-draughts", "--fen", fen], &["moves", "25-30", "quit"]);
    assert!(all.contains("it must take 6 pieces, 3 of them kings"), "{all}");
    assert!(all.contains("3 legal moves:") && all.contains("illegal move '25-30'"), "{all}");
}

#[test]
fn black_sees_the_board_from_his_side() {
    let all = play(&["--side", "black", "--level", "1"], &["back", "quit"]);
    assert!(all.contains("     l k j i h g f e d c b a\n"), "{all}");
    assert!(all.contains("White plays 1. ") && all.contains("this is where the game began"), "{all}");
}

#[test]
fn the_input_may_end_while_the_engine_thinks() {
    for (arguments, line, said) in [
        (["--level", "5"], "d4d5", "Black plays 1... "),
        (["--level", "5"], "hint", "hint: "),
        (["--side", "black"], "", "White plays 1. "),
    ] {
        let mut dialogue = Dialogue::start(&[&["play"], &arguments[..]].concat());
        dialogue.send(line);
        let (lines, status) = dialogue.finish();
        assert!(status.success());
        assert!(lines.iter().any(|line| line.contains(said)), "{said}: {lines:?}");
    }
}

#[test]
fn junk_and_an_early_end_do_no_harm() {
    let all = play(&[], &["\u{0}\u{7f}", "a1a1a1a1", "go infinite", "é", "99999999999999999999"]);
    assert_eq!(all.matches("is not a move").count(), 5, "{all}");
    for arguments in
        [&["--fen", "nonsense"][..], &["--level", "11"], &["--time", "-1"], &["--variant", "chess"]]
    {
        let output = Command::new(ALFONSO).arg("play").args(arguments).stdin(Stdio::null()).output().unwrap();
        assert!(!output.status.success() && !output.stderr.is_empty(), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("llowed") || arguments[0] != "--fen");
    }
}
