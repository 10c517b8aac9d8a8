//! UCI from outside: dialogues with the program itself.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use alfonso::engine::options::{Kind, SPECS, Spec};
use common::{ALFONSO, Dialogue, form, says, timeless, word_after};
use insta::assert_snapshot;

/// Each game with a depth that is reached in a moment.
const GAMES: [(&str, u32); 2] = [("grande-acedrex", 3), ("spanish-draughts", 6)];

/// White gives mate with the rook from b10 to b12.
const MATE_IN_ONE: &str = "5k6/R11/1R10/12/12/12/12/11p/12/12/12/6K5 w - - 0 1";
/// One rook closes the rank before the king, the other gives mate.
const MATE_IN_TWO: &str = "5k6/12/R11/1R10/12/12/12/11p/12/12/12/6K5 w - - 0 1";

fn uci() -> Dialogue {
    Dialogue::start(&[])
}

/// A dialogue about one of the games, at its start position.
fn uci_with(variant: &str) -> Dialogue {
    let mut uci = uci();
    assert_eq!(uci.ask(format!("setoption name UCI_Variant value {variant}")), [""; 0]);
    uci
}

/// Waits until an endless search is under way.
fn start_endless(uci: &mut Dialogue, go: &str) {
    uci.send(go);
    uci.until(|line| line.starts_with("info depth"));
}

/// The move in the last line of a search.
fn best_of(lines: &[String]) -> &str {
    word_after(lines.last().expect("a search answers"), "bestmove").expect("the last line is the answer")
}

// --- What is said ---------------------------------------------------------------------------

#[test]
fn handshake_offers_every_option() {
    let mut uci = uci();
    uci.send("uci");
    let lines = uci.until(|line| line == "uciok");
    assert_snapshot!(lines.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    uci.quit();
}

#[test]
fn display_shows_board_fen_and_moves() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        assert_snapshot!(format!("display_{variant}"), uci.ask("d").join("\n"));
        uci.quit();
    }
}

#[test]
fn evaluation_is_shown_term_by_term() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        let lines = uci.ask("eval");
        let is_number = |word: &&str| word.parse::<i32>().is_ok();
        let names: Vec<String> = lines
            .iter()
            .map(|line| line.split_whitespace().filter(|word| !is_number(word)).collect::<Vec<_>>().join(" "))
            .collect();
        assert_snapshot!(format!("eval_{variant}"), names.join("\n"));
        uci.quit();
    }
}

#[test]
fn help_lists_the_commands() {
    let mut uci = uci();
    assert_snapshot!(uci.ask("help").join("\n"));
    uci.quit();
}

#[test]
fn search_reports_lines_of_one_form() {
    for (variant, depth) in GAMES {
        let mut uci = uci_with(variant);
        let lines = uci.search(format!("go depth {depth}"));
        assert_snapshot!(format!("search_{variant}"), form(&lines));
        uci.quit();
    }
}

#[test]
fn search_with_one_thread_is_the_same_every_time() {
    for (variant, depth) in GAMES {
        let go = format!("go depth {depth}");
        let mut first = uci_with(variant);
        let answer = timeless(&first.search(&go));
        let mut second = uci_with(variant);
        assert_eq!(timeless(&second.search(&go)), answer, "{variant}: another run");
        second.ask("ucinewgame");
        assert_eq!(timeless(&second.search(&go)), answer, "{variant}: after ucinewgame");
        first.quit();
        second.quit();
    }
}

#[test]
fn perft_counts_the_lines_of_the_array() {
    let mut uci = uci();
    for threads in [1, 3] {
        uci.send(format!("setoption name Threads value {threads}"));
        uci.send("go perft 3");
        let lines = uci.until(|line| line.starts_with("Nodes searched"));
        assert_eq!(lines.last().unwrap(), "Nodes searched: 206209");
        assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 59 + 1);
    }
    uci.ask("setoption name UCI_Variant value spanish-draughts");
    uci.send("go perft 6");
    assert_eq!(uci.until(|line| line.starts_with("Nodes searched")).last().unwrap(), "Nodes searched: 36473");
    uci.quit();
}

#[test]
fn perft_says_why_there_is_nothing_to_count() {
    let mut perft = Command::new(ALFONSO);
    perft.args(["perft", "--fen", "k11/4L7/1C10/L11/K11/12/12/12/12/12/12/12 b - - 0 1", "2"]);
    let output = perft.output().expect("the program starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Nodes searched: 0\n"));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(told, "alfonso: the game is over: 1-0 (checkmate); there is no move to count\n");
}

#[test]
fn moves_of_both_games_are_written_in_full() {
    let mut uci = uci();
    for (file, piece) in ('a'..='l').zip("rlugcaacgulr".chars()) {
        let empty = |squares: u8| if squares == 0 { String::new() } else { squares.to_string() };
        let (before, after) = (empty(file as u8 - b'a'), empty(b'l' - file as u8));
        uci.send(format!("position fen 12/{before}P{after}/12/12/12/12/5k6/11p/12/12/K11/12 w - - 0 1"));
        let m = format!("{file}11{file}12{piece}");
        let lines = uci.search(format!("go depth 1 searchmoves {file}11{file}12"));
        assert_eq!(best_of(&lines), m);
        assert_eq!(word_after(&lines[0], "pv"), Some(m.as_str()));
    }
    // Captures that need the squares in between, and one that ends where it began.
    uci.ask("setoption name UCI_Variant value spanish-draughts");
    for fen in ["W:W15,K24,K30:BK10,12,K20,K21,K27,K31", "W:WK3,K14,21,K29:BK2,10,11,12,K19,K20,K24,K26,32"] {
        uci.send(format!("position fen {fen}"));
        let shown = uci.ask("d");
        let moves = shown.iter().find(|line| line.starts_with("Legal moves (2): ")).expect("there are two");
        for m in moves.split(' ').skip(3) {
            assert_eq!(best_of(&uci.search(format!("go depth 1 searchmoves {m}"))), m, "{fen}");
        }
    }
    uci.quit();
}

// --- What is asked of a search --------------------------------------------------------------

#[test]
fn searchmoves_keeps_to_the_moves_named() {
    let mut uci = uci();
    for go in
        ["go searchmoves a4a5 depth 2", "go depth 2 searchmoves a4a5", "go searchmoves a4a5 a4a5 depth 2"]
    {
        assert_eq!(best_of(&uci.search(go)), "a4a5", "{go}");
    }
    let lines = uci.search("go searchmoves l4l5 b4b5 depth 2");
    assert!(["l4l5", "b4b5"].contains(&best_of(&lines)), "{lines:?}");
    let lines = uci.ask("go depth 2 searchmoves a4a5 a4a6");
    assert!(says(&lines, "illegal move 'a4a6'") && says(&lines, "nothing is searched"), "{lines:?}");
    let lines = uci.ask("go searchmoves depth 2");
    assert!(says(&lines, "no move follows"), "{lines:?}");
    uci.quit();
}

#[test]
fn multi_pv_gives_as_many_different_lines() {
    let mut uci = uci();
    uci.ask("setoption name MultiPV value 3");
    let lines = uci.search("go depth 2");
    let last: Vec<&String> = lines.iter().rev().skip(1).take(3).rev().collect();
    let of = |key| last.iter().map(|line| word_after(line, key).unwrap()).collect::<Vec<_>>();
    assert_eq!(of("multipv"), ["1", "2", "3"]);
    assert_eq!(of("depth"), ["2", "2", "2"]);
    let scores: Vec<i32> = of("cp").iter().map(|score| score.parse().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let mut moves = of("pv");
    assert_eq!(moves[0], best_of(&lines));
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 3, "{moves:?}");

    uci.ask("setoption name MultiPV value 256");
    let lines = uci.search("go depth 1");
    assert!(says(&lines, "multipv 59") && !says(&lines, "multipv 60"), "one line for each move there is");
    uci.quit();
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    let mut uci = uci();
    for (fen, go, score) in [
        (MATE_IN_ONE, "go mate 1", "score mate 1 "),
        (MATE_IN_ONE, "go depth 3", "score mate 1 "),
        (MATE_IN_TWO, "go mate 2", "score mate 2 "),
        (MATE_IN_TWO, "go mate 5", "score mate 2 "),
        (MATE_IN_TWO, "go depth 4", "score mate 2 "),
    ] {
        uci.send(format!("position fen {fen}"));
        let lines = uci.search(go);
        assert!(lines[lines.len() - 2].contains(score), "{go} in {fen}: {lines:?}");
    }
    uci.send(format!("position fen {MATE_IN_ONE}"));
    assert_eq!(best_of(&uci.search("go mate 1")), "b10b12");
    uci.send("position startpos");
    let lines = uci.search("go mate 1");
    assert!(!says(&lines, "score mate"), "there is none to be found: {lines:?}");
    assert_eq!(lines[lines.len() - 2], "info string no win in 1 move");
    uci.quit();
}

/// A rhinoceros that comes back for the third time saves a lost game, however senseless its move looks: the
/// gryphon must not go where that would draw.
#[test]
fn the_other_side_finds_its_draw_by_repetition() {
    const START: &str =
        "r1u5g1lr/9k2/5au2c2/2p2p1p1ppp/3pp3p3/2g1l7/1U10/2P2P5P/PPLPP1PPPPP1/R3A3K3/7L4/3GC2CG2R w - - 3 23";
    let mut uci = uci();
    uci.send(format!("position fen {START} moves b6c8 f10d9 c8g11 d9f10 g11c8 f10d9 c8g11"));
    for depth in [6, 7] {
        assert_ne!(best_of(&uci.search(format!("go depth {depth}"))), "d9f10", "depth {depth}");
    }
    uci.quit();
}

/// What a proof found where the move rule leaves too little time does not count where it leaves more.
#[test]
fn proofs_heed_the_move_rule() {
    const MATE_IN_THREE: &str = "12/5k6/12/2K9/12/7C4/12/4C5g1/12/12/12/12 w - -";
    let mut uci = uci();
    let mut finds_it = |clock: u32| {
        uci.send(format!("position fen {MATE_IN_THREE} {clock} 60"));
        says(&uci.search("go mate 3"), "score mate 3 ")
    };
    assert_eq!([97, 0, 97].map(&mut finds_it), [false, true, false]);
    uci.ask("setoption name Move Rule value 1");
    assert!(!says(&uci.search("go mate 3"), "score mate 3 "));
    uci.quit();
}

#[test]
fn no_win_is_told_only_where_that_is_proven() {
    let mut uci = uci();
    uci.send(format!("position fen {MATE_IN_TWO}"));
    assert!(says(&uci.search("go mate 1"), "info string no win in 1 move"));
    for go in
        ["go mate 2", "go mate 3", "go mate 2 nodes 50", "go mate 2 depth 2", "go mate 1 searchmoves g1h1"]
    {
        assert!(!says(&uci.search(go), "no win"), "{go}");
    }
    // From here on there is no win, but nothing that would prove it in time.
    uci.send("position startpos");
    for go in ["go mate 9", "go ponder mate 9", "go mate 4000000000"] {
        start_endless(&mut uci, go);
        uci.send("stop");
        assert!(!says(&uci.best_move(), "no win"), "{go}");
    }
    uci.quit();
    let mut draughts = uci_with("spanish-draughts");
    assert!(says(&draughts.search("go mate 3"), "info string no win in 3 moves"));
    draughts.quit();
}

#[test]
fn chances_are_shown_on_demand() {
    for (variant, depth) in GAMES {
        let mut uci = uci_with(variant);
        assert!(!says(&uci.search(format!("go depth {depth}")), " wdl "));
        uci.ask("setoption name UCI_ShowWDL value true");
        let mut lines = uci.search(format!("go depth {depth}"));
        lines.pop();
        for line in lines {
            let chances = line.split(' ').skip_while(|&word| word != "wdl").skip(1).take(3);
            let sum: u32 = chances.map(|chance| chance.parse::<u32>().unwrap()).sum();
            assert_eq!(sum, 1000, "{line}");
        }
        uci.quit();
    }
}

#[test]
fn node_limit_is_kept() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        for limit in [1, 10, 1000] {
            let lines = uci.search(format!("go nodes {limit}"));
            let nodes = word_after(&lines[lines.len() - 2], "nodes").unwrap();
            assert!(nodes.parse::<u64>().unwrap() <= limit, "{variant}: {nodes} of {limit}");
        }
        uci.quit();
    }
}

#[test]
fn times_of_all_kinds_lead_to_a_move() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        for go in [
            "go movetime 30",
            "go movetime 1",
            "go movetime 0",
            "go wtime 1000 btime 1000",
            "go wtime 0 btime 0",
            "go wtime -100 btime -100",
            "go wtime 500 btime 500 winc 10 binc 10 movestogo 300",
            "go wtime 99999999999 btime 99999999999 depth 1",
        ] {
            assert_ne!(best_of(&uci.search(go)), "(none)", "{variant}: {go}");
        }
        uci.quit();
    }
}

#[test]
fn a_win_at_once_is_told_though_nothing_was_searched() {
    let mut uci = uci_with("spanish-draughts");
    uci.send("position fen W:WK14:B23");
    assert!(says(&uci.search("go nodes 1"), "score mate 1 "));
    uci.quit();
}

/// Captures on such a board go on for dozens of plies, everywhere.
#[test]
fn a_crowded_board_is_searched() {
    let mut uci = uci();
    let fen =
        "9l2/p1A2Pu5/2k1L1CCP1P1/1Up1r3pg2/1c4c4u/1p4PpK3/5pRpP3/1P1p2p2Pl1/LG2U7/3rp1R1PP1a/P4P1p1Pp1/2G2g6";
    uci.send(format!("position fen {fen} w - - 0 1"));
    let lines = uci.search("go depth 3");
    let last = &lines[lines.len() - 2];
    assert!(last.contains("depth 3 ") && last.contains("score mate 3 "), "{last}");
    assert!(word_after(last, "nodes").unwrap().parse::<u64>().unwrap() < 100_000, "{last}");
    uci.quit();
}

// --- How the game stands --------------------------------------------------------------------

#[test]
fn a_game_that_is_over_has_no_best_move_and_says_why() {
    for (variant, fen, reason) in [
        ("grande-acedrex", "k11/4L7/1C10/L11/K11/12/12/12/12/12/12/12 b - - 0 1", "1-0 (checkmate)"),
        ("grande-acedrex", "12/12/12/12/12/12/12/12/12/ACK9/p2R8/k11 b - - 0 1", "1-0 (stalemate)"),
        ("grande-acedrex", "12/12/L11/4K7/12/12/12/5P6/12/9U2/12/5k6 b - - 0 1", "1-0 (bare king)"),
        ("grande-acedrex", "6k5/12/12/6K5/12/12/12/12/12/12/12/12 b - - 0 1", "1/2-1/2 (both kings bare)"),
        ("spanish-draughts", "W:W:B21", "0-1 (no piece left)"),
        ("spanish-draughts", "W:W1:B5,10", "0-1 (no legal move)"),
    ] {
        let mut uci = uci_with(variant);
        assert_eq!(uci.ask(format!("position fen {fen}")), [""; 0]);
        for go in ["go depth 3", "go infinite", "go ponder wtime 100 btime 100"] {
            let lines = uci.search(go);
            assert_eq!(
                lines,
                [format!("info string the game is over: {reason}"), "bestmove (none)".into()],
                "{go} in {fen}"
            );
        }
        assert!(says(&uci.ask("d"), &format!("The game is over: {reason}")), "{fen}");
        assert_eq!(uci.ask("stop"), [""; 0]);
        uci.quit();
    }
}

#[test]
fn drawn_positions_are_still_searched() {
    for (variant, position, reason) in [
        ("grande-acedrex", "startpos moves a1a2 a12a11 a2a1 a11a12 a1a2 a12a11 a2a1 a11a12", "repetition"),
        ("grande-acedrex", "fen 5k6/12/12/12/12/12/12/11p/12/12/1R10/6K5 w - - 100 90", "move rule"),
        ("spanish-draughts", "fen W:WK4:BK29 moves b1a2 g8h7 a2b1 h7g8 b1a2 g8h7 a2b1 h7g8", "repetition"),
        ("spanish-draughts", "fen W:WK4:BK29:H80:F50", "move rule"),
    ] {
        let mut uci = uci_with(variant);
        assert_eq!(uci.ask(format!("position {position}")), [""; 0]);
        let drawn = format!("The game is over: 1/2-1/2 ({reason})");
        assert!(says(&uci.ask("d"), &drawn), "{position}");
        assert_ne!(best_of(&uci.search("go depth 2")), "(none)", "{position}");
        uci.quit();
    }
}

#[test]
fn a_position_that_cannot_be_set_up_leaves_the_old_one() {
    for (variant, played, refused) in [
        (
            "grande-acedrex",
            "position startpos moves a4a5 a9a8",
            [
                ("position startpos moves a4a5 a9a8 e2e4", "move 3: "),
                ("position startpos moves a4a6", "illegal move 'a4a6'"),
                ("position startpos moves e4e5 m1m2", "'m1m2'"),
                ("position fen 12/12 w - - 0 1", "pieces"),
                ("position fen nonsense", "FEN field"),
                ("position fen", "allowed"),
                ("position", "allowed"),
                ("position start", "got 'start'"),
                (
                    "position fen k11/4L7/1C10/L11/K11/12/12/12/12/12/12/12 b - - 0 1 moves a12a11",
                    "after the end of the game (checkmate)",
                ),
            ]
            .as_slice(),
        ),
        (
            "spanish-draughts",
            "position startpos moves d3e4",
            [
                ("position startpos moves d3e4 d3e4", "move 2: "),
                ("position fen W:W1-12:B13,99", "FEN field"),
                ("position fen X:W1:B2", "FEN field"),
                (
                    "position fen 12/12/5k6/12/7p4/12/12/3K8/12/12/12/R11 w - - 0 1",
                    "a FEN of grande-acedrex, but the variant is spanish-draughts; choose the other one first",
                ),
                ("position fen W:W:B21 moves h1g2", "after the end of the game (no piece left)"),
            ]
            .as_slice(),
        ),
    ] {
        let mut uci = uci_with(variant);
        assert_eq!(uci.ask(played), [""; 0]);
        let fen = uci.fen();
        for (line, message) in refused {
            let lines = uci.ask(line);
            assert!(lines[0].starts_with("info string position: "), "{line}: {lines:?}");
            assert!(says(&lines, message) && says(&lines, "the old one is kept"), "{line}: {lines:?}");
            assert_eq!(uci.fen(), fen, "{line}");
        }
        uci.quit();
    }
}

// --- Options --------------------------------------------------------------------------------

#[test]
fn options_take_what_they_offer_and_refuse_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a log.txt").display().to_string();
    let mut uci = uci();
    let (for_xboard, offered): (Vec<&Spec>, Vec<&Spec>) =
        SPECS.iter().partition(|spec| spec.id.is_for_xboard());
    for spec in for_xboard {
        let refused = uci.ask(format!("setoption name {} value true", spec.name));
        assert!(
            says(&refused, &format!("no option is called '{}'; there are Hash, ", spec.name)),
            "{refused:?}"
        );
        assert!(!says(&refused, "Offer Draws,") && !says(&refused, ", Discs"), "{refused:?}");
    }
    for spec in offered {
        let words = |words: &[&str]| words.iter().map(|&word| Some(word.to_owned())).collect::<Vec<_>>();
        let (good, bad) = match spec.kind {
            Kind::Check { .. } => (words(&["true", "false", "TRUE"]), words(&["", "2", "yes please"])),
            Kind::Spin { min, max, default } => {
                // The largest tables are beyond most machines; see the next test.
                let max_here = if spec.name == "Hash" { 128 } else { max };
                (
                    [min, max_here, default].map(|number| Some(number.to_string())).to_vec(),
                    [min - 1, max + 1, i64::MIN]
                        .map(|number| Some(number.to_string()))
                        .into_iter()
                        .chain(words(&["", "x", "1.5", "99999999999999999999999", "0x10"]))
                        .chain([None])
                        .collect(),
                )
            }
            Kind::Combo { values, default } => (words(&[values, &[default]].concat()), words(&["", "chess"])),
            Kind::Button => (vec![None, Some("anything".into())], vec![]),
            Kind::File | Kind::Folder => {
                (vec![Some(log.clone()), Some("<empty>".into()), Some(String::new())], vec![None])
            }
        };
        let set = |name: &str, value: &Option<String>| match value {
            Some(value) => format!("setoption name {name} value {value}"),
            None => format!("setoption name {name}"),
        };
        for value in &good {
            for name in [spec.name.to_owned(), spec.name.to_uppercase()] {
                let told = uci.ask(set(&name, value));
                // Tables that are found, or not, are told of.
                let silent = told.iter().all(|line| spec.kind == Kind::Folder && line.contains("ndgame"));
                assert!(silent, "{name} {value:?}: {told:?}");
            }
        }
        for value in &bad {
            let lines = uci.ask(set(spec.name, value));
            let message = format!("info string option {}: got ", spec.name);
            assert!(lines.len() == 1 && lines[0].starts_with(&message), "{value:?}: {lines:?}");
            assert!(says(&lines, "allowed: "), "{value:?}: {lines:?}");
        }
    }
    for line in ["setoption name Nonsense value 1", "setoption name Hash Size value 1", "setoption name Has"]
    {
        assert!(says(&uci.ask(line), "no option is called"), "{line}");
    }
    for line in ["setoption", "setoption name", "setoption Hash 1", "setoption name value 3"] {
        assert!(says(&uci.ask(line), "allowed: setoption name NAME"), "{line}");
    }
    uci.quit();
}

#[test]
fn a_table_beyond_memory_is_refused_and_the_old_one_stays() {
    let mut uci = uci();
    let nodes = |lines: &[String]| {
        word_after(&lines[lines.len() - 2], "nodes").unwrap().parse::<u64>().expect("a number")
    };
    let cold = nodes(&uci.search("go depth 3"));
    let lines = uci.ask("setoption name Hash value 1048576");
    assert!(says(&lines, "no memory for a hash table of 1048576 MiB"), "{lines:?}");
    assert!(says(&lines, "the old value stays"), "{lines:?}");
    let warm = nodes(&uci.search("go depth 3"));
    assert!(warm < cold, "what the old table holds is still known: {warm} nodes after {cold}");
    uci.quit();
}

#[test]
fn clearing_and_new_tables_forget_what_was_found() {
    let mut uci = uci();
    uci.ask("setoption name Hash value 8");
    let cold = timeless(&uci.search("go depth 3"));
    for line in ["setoption name Clear Hash", "ucinewgame", "setoption name Hash value 8"] {
        let same_size = line.ends_with('8');
        uci.ask(line);
        let again = timeless(&uci.search("go depth 3"));
        assert_eq!(again == cold, !same_size, "{line}");
    }
    uci.quit();
}

#[test]
fn the_variant_can_be_changed_at_any_time() {
    let mut uci = uci();
    let array = uci.fen();
    uci.ask("position startpos moves a4a5");
    uci.ask("setoption name UCI_Variant value spanish-draughts");
    let start = uci.fen();
    assert!(start.starts_with("W:W1-12:B21-32"), "{start}");
    assert!(says(&uci.ask("position startpos moves a4a5"), "the old one is kept"));
    uci.ask("position fen W:WK4:BK29");
    assert!(uci.fen().starts_with("W:WK4:BK29"));
    uci.search("go depth 4");
    assert!(says(&uci.ask("setoption name UCI_Variant value chess"), "grande-acedrex or spanish-draughts"));
    assert!(uci.fen().starts_with("W:WK4:BK29"));
    uci.ask("setoption name UCI_Variant value Grande-Acedrex");
    assert_eq!(uci.fen(), array);
    uci.search("go depth 2");
    uci.quit();
}

#[test]
fn draw_rules_take_effect() {
    let mut uci = uci();
    let mut drawn = |option: &str, position: &str| {
        assert_eq!(uci.ask(option), [""; 0], "{option}");
        assert_eq!(uci.ask(format!("position fen {position}")), [""; 0], "{position}");
        says(&uci.ask("d"), "(move rule)")
    };
    let ending = |clock| format!("5k6/12/12/12/12/12/12/11p/12/12/1R10/6K5 w - - {clock} 90");
    assert!(drawn("setoption name Move Rule value 50", &ending(100)));
    assert!(!drawn("setoption name Move Rule value 50", &ending(99)));
    assert!(!drawn("setoption name Move Rule value 0", &ending(400)));
    assert!(drawn("setoption name Move Rule value 10", &ending(20)));
    assert!(!drawn("setoption name Move Rule value 1000", &ending(1999)));
    drawn("setoption name UCI_Variant value spanish-draughts", "W:W1-12:B21-32");
    let kings = |plies| format!("W:WK4:BK29:H{plies}:F60");
    assert!(!drawn("setoption name Draughts Draws value club", &kings(79)));
    assert!(drawn("setoption name Draughts Draws value club", &kings(80)));
    assert!(drawn("setoption name Draughts Draws value federation", &kings(40)));
    assert!(!drawn("setoption name Draughts Draws value club", &kings(40)));
    uci.quit();
}

#[test]
fn the_rules_of_a_game_in_progress_change_with_the_option() {
    let mut uci = uci();
    uci.ask("position fen 5k6/12/12/12/12/12/12/11p/12/12/1R10/6K5 w - - 60 90");
    assert!(!says(&uci.ask("d"), "(move rule)"));
    uci.ask("setoption name Move Rule value 30");
    assert!(says(&uci.ask("d"), "(move rule)"));
    uci.quit();
}

#[test]
fn the_log_has_both_sides_with_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue of today.log");
    let mut uci = uci();
    let bad = folder.path().join("no such folder").join("x.log");
    let lines = uci.ask(format!("setoption name Log File value {}", bad.display()));
    assert!(says(&lines, "option Log File: ") && says(&lines, "the old value stays"), "{lines:?}");
    uci.ask(format!("setoption name Log File value {}", path.display()));
    uci.search("go depth 1");
    let lines = uci.ask(format!("setoption name Log File value {}", folder.path().display()));
    assert!(says(&lines, "the old value stays"), "a folder is no file: {lines:?}");
    uci.ask("setoption name Log File value <empty>");
    uci.ask("d");
    uci.quit();

    let log = fs::read_to_string(&path).unwrap();
    let mut texts = Vec::new();
    for line in log.lines() {
        // 2026-01-31 23:59:59.999 > isready
        let (time, text) = line.split_at_checked(23).expect("a time comes first");
        assert!(time.chars().all(|c| c.is_ascii_digit() || "- :.".contains(c)), "{line}");
        texts.push(text);
    }
    for text in [" > isready", " < readyok", " > go depth 1"] {
        assert!(texts.contains(&text), "{text} in {log}");
    }
    assert!(texts.iter().any(|text| text.starts_with(" < bestmove ")), "{log}");
    assert!(!log.contains("> d"), "the log was closed by then: {log}");
}

// --- Stop, ponder, wait ---------------------------------------------------------------------

#[test]
fn an_endless_search_ends_with_stop_and_not_before() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        for go in [
            "go infinite",
            "go",
            "go infinite depth 1",
            "go depth 1 infinite",
            "go ponder",
            "go ponder depth 1",
        ] {
            start_endless(&mut uci, go);
            let lines = uci.ask("isready");
            assert!(!says(&lines, "bestmove"), "{go}: {lines:?}");
            uci.send("stop");
            assert_ne!(best_of(&uci.best_move()), "(none)");
        }
        assert_eq!(uci.ask("stop"), [""; 0], "nothing is left to stop");
        uci.quit();
    }
}

#[test]
fn an_endless_search_that_has_seen_everything_waits_for_stop() {
    let mut uci = uci();
    uci.ask(format!("position fen {MATE_IN_ONE}"));
    uci.send("go infinite");
    uci.until(|line| line.starts_with("info depth 240 "));
    assert!(!says(&uci.ask("isready"), "bestmove"));
    uci.send("stop");
    assert_eq!(best_of(&uci.best_move()), "b10b12");
    uci.quit();
}

#[test]
fn ponderhit_starts_the_clock() {
    for (variant, _) in GAMES {
        let mut uci = uci_with(variant);
        for go in [
            "go ponder wtime 1000 btime 1000",
            "go wtime 200 btime 200 winc 5 binc 5 ponder",
            "go ponder movetime 20",
            "go ponder depth 1",
            "go ponder nodes 100",
        ] {
            start_endless(&mut uci, go);
            assert!(!says(&uci.ask("isready"), "bestmove"), "{go}");
            uci.send("ponderhit");
            assert_ne!(best_of(&uci.best_move()), "(none)", "{go}");
        }
        uci.quit();
    }
}

#[test]
fn ponderhit_without_pondering_is_remarked_and_changes_nothing() {
    let mut uci = uci();
    let remark = "ponderhit: no search is pondering";
    assert!(says(&uci.ask("ponderhit"), remark));
    start_endless(&mut uci, "go infinite");
    uci.send("ponderhit");
    uci.until(|line| line.contains(remark));
    uci.send("stop");
    uci.best_move();
    // A hit, and then no patience.
    start_endless(&mut uci, "go ponder");
    uci.send("ponderhit\nponderhit\nstop");
    let lines = uci.best_move();
    assert!(says(&lines, remark), "the second one: {lines:?}");
    assert_eq!(uci.ask("stop"), [""; 0]);
    assert!(says(&uci.ask("ponderhit"), remark));
    uci.quit();
}

#[test]
fn commands_during_an_endless_search_are_refused_by_name() {
    let mut uci = uci();
    start_endless(&mut uci, "go infinite");
    for line in ["d", "eval", "go depth 1", "position startpos moves a4a5", "ucinewgame", "uci", "bench"] {
        let word = line.split(' ').next().unwrap();
        let refusal = format!("info string '{word}' is refused while an endless search runs; stop it first");
        assert!(uci.ask(line).contains(&refusal), "{line}");
    }
    assert!(says(&uci.ask("setoption name Threads value 2"), "'setoption' is refused"));
    uci.send("stop");
    uci.best_move();
    assert!(uci.fen().starts_with("rlugcakcgulr/12/12/pppppppppppp/12"), "the position is the same");
    uci.quit();
}

#[test]
fn a_script_is_obeyed_in_its_order() {
    let mut uci = uci();
    uci.send(
        "position startpos\ngo depth 2\nd\nposition startpos moves a4a5\ngo depth 2 searchmoves l9l8\nd\n\
         setoption name UCI_Variant value spanish-draughts\ngo depth 3\nd\ngo perft 2\nisready\nfoo",
    );
    let (lines, status) = uci.finish();
    assert!(status.success());
    let order: Vec<&str> = lines
        .iter()
        .filter(|line| ["FEN", "bestmove", "Nodes"].iter().any(|start| line.starts_with(start)))
        .map(|line| line.as_str())
        .collect();
    assert_eq!(order.len(), 7, "{order:?}");
    assert!(order[0].starts_with("bestmove"));
    assert!(order[1].starts_with("FEN: rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP"));
    assert!(order[2].starts_with("bestmove l9l8"));
    assert!(order[3].starts_with("FEN: rlugcakcgulr/12/12/pppppppppppp/12/12/12/P11/1PPPPPPPPPPP"));
    assert!(order[4].starts_with("bestmove"));
    assert!(order[5].starts_with("FEN: W:W1-12:B21-32"));
    assert_eq!(order[6], "Nodes searched: 49");
}

#[test]
fn is_ready_is_answered_in_the_middle_of_a_search() {
    let mut uci = uci_with("spanish-draughts");
    uci.send("go infinite\nisready\nisready\nisready");
    for _ in 0..3 {
        assert!(!says(&uci.until(|line| line == "readyok"), "bestmove"));
    }
    uci.send("stop");
    uci.best_move();
    uci.quit();
}

#[test]
fn perft_can_be_stopped() {
    let mut uci = uci();
    uci.send("go perft 12\nisready");
    uci.until(|line| line == "readyok");
    uci.send("stop");
    uci.until(|line| line == "info string stopped");
    uci.search("go depth 1");
    uci.quit();
}

#[test]
fn quit_ends_a_search_that_still_answers() {
    for go in [
        "go infinite",
        "go depth 200",
        "go ponder",
        "go mate 50",
        "go depth 200\ngo depth 2\nd",
        "go perft 12",
    ] {
        for stop in ["", "stop\n"] {
            let mut uci = uci();
            uci.send(format!("{go}\n{stop}quit\nisready\ngo depth 1"));
            let (lines, status) = uci.finish();
            assert!(status.success(), "{go}: {status}");
            let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
            assert_eq!(answers, usize::from(!go.contains("perft")), "{go} {stop}: {lines:?}");
            assert!(!says(&lines, "readyok") && !says(&lines, "FEN"), "nothing after that: {lines:?}");
        }
    }
}

#[test]
fn two_threads_search_and_stop() {
    for (variant, depth) in GAMES {
        let mut uci = uci_with(variant);
        uci.ask("setoption name Threads value 2");
        assert_ne!(best_of(&uci.search(format!("go depth {depth}"))), "(none)");
        start_endless(&mut uci, "go infinite");
        uci.send("stop");
        assert_ne!(best_of(&uci.best_move()), "(none)");
        uci.quit();
    }
}

// --- The two ends of the pipe ---------------------------------------------------------------

#[test]
fn after_the_end_of_input_a_bounded_search_is_finished() {
    let mut uci = uci();
    uci.send("position startpos\ngo depth 3");
    let (lines, status) = uci.finish();
    assert!(status.success());
    assert!(says(&lines, "info depth 3 "), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
}

#[test]
fn at_the_end_of_input_an_endless_search_stops() {
    for script in ["go infinite", "go", "go ponder wtime 9000 btime 9000", "go depth 1\ngo infinite\nd"] {
        let mut uci = uci();
        uci.send(script);
        let (lines, status) = uci.finish();
        assert!(status.success(), "{script}");
        assert!(says(&lines, "bestmove"), "{script}: {lines:?}");
    }
}

#[test]
fn lines_may_be_arguments() {
    let output = Command::new(ALFONSO).args(["uci", "position startpos", "go depth 2"]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
}

#[test]
fn the_command_line_explains_itself() {
    let run = |arguments: &[&str]| {
        let output = Command::new(ALFONSO).args(arguments).output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    assert_eq!(run(&["--version"]), (true, format!("alfonso {}\n", env!("CARGO_PKG_VERSION"))));
    let (good, help) = run(&["--help"]);
    assert!(good);
    for command in ["play", "uci", "xboard", "perft", "bench"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} in {help}");
    }
    for arguments in
        [&["nonsense"][..], &["perft"], &["perft", "x"], &["perft", "0"], &["perft", "2", "--fen", "x"]]
    {
        let (good, message) = run(arguments);
        assert!(!good && !message.is_empty() && !message.contains("panicked"), "{arguments:?}: {message}");
    }
    let (good, counts) = run(&["perft", "2", "--threads", "2"]);
    assert!(good && counts.contains("\nNodes searched: 3481\n"), "{counts}");
    let draughts = ["perft", "3", "--variant", "spanish-draughts", "--fen", "W:W1-12:B21-32"];
    let (good, counts) = run(&draughts);
    assert!(good && counts.contains("\nNodes searched: 302\n"), "{counts}");
}

/// Meant for optimised builds, hence not part of every run.
#[test]
#[ignore = "a minute in builds that are not optimised"]
fn the_bench_counts_the_same_nodes_every_time() {
    let nodes = || {
        let output = Command::new(ALFONSO).arg("bench").output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let nodes: Vec<String> =
            text.lines().map(|line| line.split(',').next().unwrap().to_owned()).collect();
        assert_eq!(nodes.iter().filter(|line| line.ends_with(" nodes")).count(), nodes.len(), "{text}");
        nodes
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_bench_tells_nodes_time_and_speed_of_every_position() {
    let output = Command::new(ALFONSO)
        .args(["bench", "--depth", "2", "--threads", "2", "--hash", "1"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        let (_, effort) = line.split_once(": ").unwrap();
        let units: Vec<_> = effort.split(", ").map(|part| part.split_once(' ').unwrap().1).collect();
        assert_eq!(units[..3], ["nodes", "ms", "nodes/s"], "{line}");
    }
    assert_eq!(text.matches("depth 2, best ").count(), 13, "{text}");
    assert_eq!(text.lines().count(), 15, "{text}");
}

#[test]
fn a_closed_output_is_no_reason_to_panic() {
    // `alfonso perft 3 | true`
    for arguments in [&["perft", "3"][..], &["--help"], &["uci", "uci", "go depth 2", "d"]] {
        let mut child = Command::new(ALFONSO)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(complaints.is_empty(), "{arguments:?}: {complaints}");
        assert!(output.status.success(), "{arguments:?}");
    }
}

#[test]
fn an_output_closed_in_the_middle_of_a_search_ends_the_program() {
    for go in ["go infinite", "go depth 4", "go ponder"] {
        let mut uci = uci();
        uci.send(go);
        uci.until(|line| line.starts_with("info depth"));
        uci.close_output();
        let (_, status) = uci.finish();
        assert!(status.success(), "{go}");
    }
}

// --- Lines of every kind --------------------------------------------------------------------

#[test]
fn what_cannot_be_read_is_remarked_and_forgotten() {
    let mut uci = uci();
    let mut long = b"position startpos moves ".to_vec();
    long.resize(2 << 20, b'a');
    long.push(b'\n');
    uci.send_bytes(&long);
    assert!(says(&uci.ask(""), "longer than 1048576 bytes"));
    // A line just short enough is read, and its answer stays short.
    let lines = uci.ask(format!("position fen {}", "x".repeat(1_000_000)));
    assert!(lines.len() == 1 && lines[0].len() < 400, "{}", lines[0].len());
    uci.send_bytes(b"is\xffready \xc3\x28\n\0\0\0\ngo\0infinite\nisready\0\n");
    let lines = uci.ask("");
    assert_eq!(lines.iter().filter(|line| line.contains("unknown command")).count(), 4, "{lines:?}");
    uci.send_bytes(b"isready\r\nisready\t\n");
    assert_eq!(uci.until(|line| line == "readyok").len(), 1);
    assert_eq!(uci.until(|line| line == "readyok").len(), 1);
    assert_eq!(uci.ask("\n\n   \n\t"), [""; 0]);
    uci.quit();
}

/// Lines that the grammar of the crate underneath drops, cuts short or panics on.
#[test]
fn lines_that_parsers_stumble_over_are_read_right() {
    let mut uci = uci();
    let array = uci.fen();
    uci.ask("debug on");

    // Positions: other boards, other squares, blanks.
    assert_eq!(uci.ask("position  startpos   moves  a4a5  a9a8 "), [""; 0]);
    let twice = uci.fen();
    assert!(twice.contains("/P11/1PPPPPPPPPPP/"), "{twice}");
    let fen = "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1";
    assert_eq!(uci.ask(format!("  position fen {fen} moves a4a5 a9a8")), [""; 0]);
    assert_eq!(uci.fen(), twice);
    assert!(says(&uci.ask("position startpos moves e4e5 a10b12"), "move 2: illegal move 'a10b12'"));
    assert_eq!(uci.fen(), twice);
    assert_eq!(uci.ask("position startpos moves"), [""; 0]);
    assert_eq!(uci.fen(), array);

    // Searches: every word counts, whatever its place; numbers of any size; a blank at the end.
    for (go, limits) in [
        ("go depth 1 ", "depth: Some(1)"),
        ("go  depth   1", "depth: Some(1)"),
        ("go movetime 10 wtime 1000", "move_time: Some(10ms), clocks: [Some(Clock { remaining: 1s"),
        ("go wtime 1000 depth 1 btime 7", "depth: Some(1)"),
        ("go depth 1 mate 300", "mate: Some(300)"),
        ("go depth 1 movestogo 300 wtime 1000", "moves_to_go: Some(300)"),
        ("go depth 1 movestogo 0 wtime 1000", "moves_to_go: None"),
        ("go depth 1 nodes 18446744073709551615", "nodes: Some(18446744073709551615)"),
        ("go depth 1 wtime -100", "remaining: 0ns"),
        ("go searchmoves a4a5 depth 1", "searchmoves [\"a4a5\"]"),
    ] {
        let lines = uci.search(go);
        assert!(says(&lines, limits), "{go}: {lines:?}");
    }
    for depth in [241, 255, 256, 300, 999, 1000, 4_294_967_295u32] {
        uci.send(format!("go depth {depth}"));
        uci.until(|line| line.contains(&format!("depth {depth} is out of reach; 240 it is")));
        uci.send("stop");
        uci.best_move();
    }
    uci.send("go ponder wtime 1 btime 1");
    uci.until(|line| line.contains("ponder: true"));
    assert!(!says(&uci.ask("isready"), "bestmove"), "the ponder move has not been played");
    uci.send("stop");
    uci.best_move();
    uci.send("go depth 3 perft 2");
    assert_eq!(uci.until(|line| line.starts_with("Nodes")).last().unwrap(), "Nodes searched: 3481");
    for go in [
        "go movetime -5",
        "go movetime",
        "go depth",
        "go depth 0",
        "go depth x",
        "go depth 4294967296",
        "go nodes 18446744073709551616",
        "go mate 0",
        "go winc -1 wtime 10",
        "go movestogo x",
        "go depth 1 foo",
        "go wtime --5",
        "go perft",
        "go perft 0",
    ] {
        let lines = uci.ask(go);
        assert!(says(&lines, "nothing is searched") && says(&lines, "allowed: "), "{go}: {lines:?}");
    }

    // Options: blanks in names and around values.
    assert_eq!(uci.ask("setoption name Move  Overhead value 30 "), [""; 0]);
    assert_eq!(uci.ask("setoption name  UCI_Variant  value  spanish-draughts  "), [""; 0]);
    assert!(uci.fen().starts_with("W:W1-12"));
    assert_eq!(uci.ask("position fen W:WK4:BK29 moves b1a2"), [""; 0]);
    assert!(uci.fen().starts_with("B:WK8:BK29"));

    // Words around the known ones.
    assert!(says(&uci.ask("isreadyx"), "unknown command: 'isreadyx'"));
    uci.send("foo isready");
    assert_eq!(uci.until(|line| line == "readyok"), ["info string skipped: 'foo'", "readyok"]);
    uci.send("isready now");
    assert_eq!(uci.until(|line| line == "readyok"), ["info string isready: ignored: 'now'", "readyok"]);
    for line in [
        "info depth 300 seldepth 999 score mate 300 nodes 99999999999999999999 pv e2e4",
        "info string hello",
        "info currmovenumber 400 hashfull 99999",
        "id name someone",
        "bestmove e2e4 ponder e7e5",
        "option name Hash type spin default -1",
        "copyprotection ok",
    ] {
        assert!(says(&uci.ask(line), "unknown command"), "{line}");
    }
    for line in ["register later", "register name x code y"] {
        assert_eq!(uci.ask(line), [""; 0], "{line}");
    }
    assert!(says(&uci.ask("debug maybe"), "allowed: on or off"));
    assert_eq!(uci.ask("debug off"), [""; 0]);
    uci.quit();
}
