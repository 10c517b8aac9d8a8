//! Dialogues with the program itself in XBoard's protocol, and a flood of random lines.

mod common;

use std::process::Command;
use std::time::{Duration, Instant};

use common::xboard::{acedrex, draughts, expect, settled, told};
use common::{ALFONSO, Chance, Dialogue, says};

/// Two rooks against a king: mate in one by b10b12.
const MATE_IN_ONE: &str = "setboard 11k/R11/1R10/12/12/12/12/12/p11/P11/12/6K5 w - - 0 1";
/// Black, in check, still has the right to leap.
const CHECKED: &str = "setboard 6k5/12/12/p11/12/12/12/12/12/12/P5R5/6K5 b k - 0 1";
/// White bares the black king by a8a11.
const LAST_MAN: &str = "setboard 11k/p11/12/12/R11/12/12/12/P11/12/12/6K5 w - - 0 1";
/// White stalemates by l10l11.
const STALEMATE: &str = "setboard k11/12/11R/12/12/12/12/p11/P11/12/12/1R4K5 w - - 0 1";

// --- Greeting and set-up --------------------------------------------------------------------------

#[test]
fn the_greeting_is_that_of_the_protocol() {
    let mut xboard = Dialogue::start(&[]);
    // Empty lines before the first word say nothing about the protocol.
    xboard.send("\n  \nxboard\nprotover 2");
    let features = xboard.until(|line| line.ends_with("done=1"));
    assert!(features.iter().all(|line| line.starts_with("feature ") && line.len() < 512), "{features:?}");
    insta::assert_snapshot!(features.join("\n"));
    xboard.send("accepted ping\nrejected name\naccepted done");
    assert_eq!(settled(&mut xboard), [""; 0]);
    xboard.quit();
}

#[test]
fn a_game_is_set_up_before_the_pong() {
    let mut xboard = acedrex();
    insta::assert_snapshot!(told(&mut xboard, "new\nvariant grande-acedrex").join("\n"), @r"
    setup (P.CR................U...G.....A.L..........Kp.cr................u...g.....a.l..........k) 12x12+0_shatranj rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1
    piece P& fmWfcF
    piece K& KimDimA
    piece R& R
    piece C& B
    piece G& Z
    piece L& CH
    piece A& FyafsF
    piece U& NmpafsyafW
    ");
    insta::assert_snapshot!(told(&mut xboard, "new\nvariant spanish-draughts").join("\n"), @r"
    setup (M...D.......m...d.......) 8x8+0_fairy m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/1M1M1M1M/M1M1M1M1/1M1M1M1M w - - 0 1
    piece M& fFfAfmaffssAfmaffssmaffssAfmaffssmaffssmaffssAfmaffssmaffssmaffssmaffssAfmaffssmaffssmaffssmaffssmaffssAW
    piece D& BpaffBpaffmaffsspaffBpaffmaffsspaffmaffsspaffBpaffmaffsspaffmaffsspaffmaffsspaffBpaffmaffsspaffmaffsspaffmaffsspaffmaffsspaffBW
    ");
    // A new game is one of the same variant.
    expect(&mut xboard, "force\nnew\nforce\nusermove b3a4", &[]);
    let refused = "Error (unknown variant; allowed: grande-acedrex, spanish-draughts): variant normal";
    expect(&mut xboard, "variant normal", &[refused]);
    xboard.quit();
}

#[test]
fn the_first_line_chooses_the_protocol() {
    let mut uci = Dialogue::start(&[]);
    uci.send("\nuci");
    uci.until(|line| line == "uciok");
    uci.quit();
    let mut xboard = Dialogue::start(&["xboard"]);
    xboard.send("protover 2");
    xboard.until(|line| line.ends_with("done=1"));
    xboard.quit();
}

#[test]
fn what_needs_no_answer_gets_none() {
    let mut xboard = acedrex();
    let lines = "random\ncomputer\nname Deep Blue\nrating 2800 2900\nics freechess.org\nhard\neasy\n\
                 accepted ping\nrejected san\ndraw\npost\nnopost\nwhite\nblack\n.\n\ncores 1\n\
                 option Move Overhead=30\noption Clear Hash\nresult 1-0 {x}\nforce";
    expect(&mut xboard, lines, &[]);
    xboard.quit();
}

// --- Refusals --------------------------------------------------------------------------------------

#[test]
fn what_cannot_be_read_is_refused_in_the_form_of_the_protocol() {
    let mut xboard = acedrex();
    xboard.send("force");
    for line in [
        "nonsense",
        "exit",
        "exclude",
        "exclude e4e9",
        "include zz",
        "nps",
        "nps x",
        "egtpath syzygy /tables",
        "accepted",
        "rejected",
        "ping",
        "ping x",
        "protover",
        "variant",
        "usermove",
        "setboard",
        "level",
        "level 40 5",
        "level x y z",
        "level 40 5:99 0",
        "level 40 5 1e30",
        "st",
        "st -1",
        "st 1e30",
        "sd 0",
        "sd 100000",
        "time",
        "time 99999999999999999999",
        "otim noon",
        "memory 0",
        "memory 1048577",
        "cores 100000",
        "option",
        "option Nonsense=1",
        "option MultiPV=0",
        "undo",
        "remove",
        "?",
        "edit",
    ] {
        let answer = told(&mut xboard, line);
        assert!(answer.len() == 1 && answer[0].starts_with("Error ("), "{line}: {answer:?}");
        assert!(answer[0].contains("): ") && !answer[0].contains("llegal"), "{answer:?}");
    }
    expect(&mut xboard, "sd 0", &["Error (allowed: a whole number from 1 to 240): sd 0"]);
    xboard.send_bytes(&[b'x'; (1 << 20) + 1]);
    expect(&mut xboard, "", &["Error (longer than 1048576 bytes): a line"]);
    xboard.send_bytes(b"caf\xe9\n");
    assert!(settled(&mut xboard)[0].starts_with("Error (unknown command): caf"));
    xboard.quit();
}

#[test]
fn edit_is_refused_and_its_lines_do_no_harm() {
    let mut xboard = acedrex();
    let answer = told(&mut xboard, "force\nedit\n#\nPa4\nKg1\nc\nKg12\n.\nusermove e4e5\nusermove e9e8");
    assert_eq!(answer, ["Error (positions come by setboard): edit"]);
    // Where the end of the list never comes, the next command ends it.
    expect(&mut xboard, "edit\nPa4\nnew", &["Error (positions come by setboard): edit"]);
    expect(&mut xboard, "force\nPa4", &["Error (unknown command): Pa4"]);
    xboard.quit();
}

#[test]
fn an_illegal_move_is_refused_in_words_that_xboard_does_not_misread() {
    const MISREAD: [&str; 17] = [
        "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random", "depth",
        "accepted", "protover", "draw", "time", "otim", "analyze",
    ];
    let mut xboard = acedrex();
    xboard.send("force");
    for text in
        ["e4e6", "e5e6", "e9e8", "e1e4", "g1g1", "g1g4", "a1a9", "d12d11u", "zz", "e4e5r", "m1a1", "12", "a1"]
    {
        let answer = told(&mut xboard, &format!("usermove {text}"));
        let reason = answer[0]
            .strip_prefix("Illegal move (")
            .and_then(|rest| rest.strip_suffix(&format!("): {text}")));
        assert!(answer.len() == 1 && reason.is_some(), "{text}: {answer:?}");
        assert!(!MISREAD.iter().any(|word| reason.unwrap().to_lowercase().contains(word)), "{answer:?}");
    }
    // The right promotion is told.
    xboard.send("setboard 6k5/3P8/12/12/12/12/12/12/p11/P11/12/6K5 w - - 0 1");
    expect(&mut xboard, "usermove d11d12u", &["Illegal move (a pawn on d12 promotes to giraffe): d11d12u"]);
    for suffix in ["", "g", "G", "=g", "."] {
        expect(&mut xboard, &format!("usermove d11d12{suffix}\nundo"), &[]);
    }
    xboard.quit();
}

#[test]
fn a_bad_position_is_refused_and_the_old_one_kept() {
    let mut xboard = acedrex();
    xboard.send("force\nusermove e4e5");
    for (fen, field) in [
        ("12/12 w - - 0 1", "pieces"),
        (
            "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR x Kk - 0 1",
            "side to move",
        ),
        ("6k5/12/12/12/12/12/12/12/p11/P11/6K5/12 w K - 0 1", "leap rights"),
    ] {
        let answer = told(&mut xboard, &format!("setboard {fen}"));
        let wanted = format!("tellusererror Illegal position: FEN field {field}: ");
        assert!(answer.len() == 1 && answer[0].starts_with(&wanted), "{answer:?}");
    }
    expect(&mut xboard, "usermove e9e8", &[]);
    // Every form of the third field that XBoard and others write.
    for rights in ["Gg 0 1", "Gg - 0 1", "g 4 3", "- 4 3", "KQkq - 0 1", "Kk", "-"] {
        let array = "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR";
        expect(&mut xboard, &format!("setboard {array} b {rights}\nusermove e9e8"), &[]);
    }
    // Ranks that are too short are empty to their end.
    let short =
        "setboard rlugcakcgulr/8/8/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/8/8/RLUGCAKCGULR w KQkq - 0 1";
    expect(
        &mut xboard,
        &format!("{short}\nusermove l3l4\nusermove l4l5"),
        &["Illegal move (there is no piece on l3): l3l4"],
    );
    xboard.quit();
}

// --- Playing ---------------------------------------------------------------------------------------

#[test]
fn the_engine_answers_moves_with_moves() {
    let mut xboard = acedrex();
    // After `new` it has Black; moves come with and without `usermove`.
    xboard.send("new\nsd 2\ntime 30000\notim 30000\nusermove e4e5");
    xboard.until(|line| line.starts_with("move "));
    xboard.send("d4d5");
    xboard.until(|line| line.starts_with("move "));
    // In force mode it only listens, then plays for whom it is told.
    expect(&mut xboard, "new\nforce\nusermove e4e5", &[]);
    xboard.send("sd 2\ngo");
    xboard.until(|line| line.starts_with("move "));
    // `playother`: White is to be the engine's once Black has moved.
    expect(&mut xboard, "new\nforce\nusermove e4e5\nplayother", &[]);
    xboard.send("sd 2\nusermove e9e8");
    xboard.until(|line| line.starts_with("move "));
    xboard.quit();
}

#[test]
fn moves_are_taken_back() {
    let mut xboard = acedrex();
    expect(
        &mut xboard,
        "force\nusermove e4e5\nundo\nusermove e4e5\nusermove e9e8\nremove\nusermove e4e5\nusermove e9e8",
        &[],
    );
    // While it thinks, too: no move comes of that search.
    let answer = told(&mut xboard, "level 0 1000 0\ngo\nremove\nforce\nusermove e4e5");
    assert_eq!(answer, [""; 0]);
    xboard.quit();
}

#[test]
fn the_time_is_kept() {
    let mut xboard = acedrex();
    for (limit, most) in [
        ("st 0.3", 5),
        ("level 0 0:01 0.1\ntime 100\notim 100", 5),
        ("level 40 5 0\ntime 10\notim 30000", 5),
        ("level 0 1000 0\ntime -500", 5),
        ("level 0 1000 0\nsd 1", 5),
    ] {
        xboard.send(format!("new\nforce\n{limit}"));
        settled(&mut xboard);
        let start = Instant::now();
        xboard.send("go");
        xboard.until(|line| line.starts_with("move "));
        assert!(start.elapsed() < Duration::from_secs(most), "{limit}: {:?}", start.elapsed());
    }
    xboard.quit();
}

#[test]
fn thinking_is_shown_on_demand_only() {
    let mut xboard = acedrex();
    assert_eq!(told(&mut xboard, "force\nsd 3\ngo").len(), 1);
    let shown = told(&mut xboard, "new\nforce\npost\nsd 3\ngo");
    let (_move, thinking) = shown.split_last().unwrap();
    assert!(thinking.len() >= 3, "{shown:?}");
    for line in thinking {
        let (numbers, moves) = line.split_once('\t').expect("a tab stands before the moves");
        let numbers: Vec<i64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 7, "{line}");
        assert!((1..=3).contains(&numbers[0]) && numbers[3] > 0 && !moves.is_empty(), "{line}");
    }
    // A mate is beyond 100 000.
    let shown = told(&mut xboard, &format!("force\n{MATE_IN_ONE}\ngo"));
    assert!(shown.iter().any(|line| line.split(' ').nth(1) == Some("100001")), "{shown:?}");
    assert_eq!(told(&mut xboard, "new\nforce\nnopost\nsd 3\ngo").len(), 1);
    xboard.quit();
}

#[test]
fn commands_in_a_search() {
    let mut xboard = acedrex();
    xboard.send("force\nlevel 0 1000 0");
    // A ping is answered after the move, at once after `?`.
    let lines = told(&mut xboard, "go\nping 5\n?");
    assert!(lines.len() == 2 && lines[0].starts_with("move ") && lines[1] == "pong 5", "{lines:?}");
    // What ends the game, or changes it, ends the search without a move.
    for line in [
        "force",
        "new",
        "result * {stopped}",
        "undo",
        "setboard 6k5/12/12/12/12/12/12/12/p11/P11/6K5/12 b - - 0 1",
        "variant grande-acedrex",
        "playother",
    ] {
        let lines = told(&mut xboard, &format!("new\nforce\nusermove e4e5\ngo\n{line}"));
        assert!(!lines.iter().any(|line| line.starts_with("move ")), "{line}: {lines:?}");
    }
    // The engine can be set to work again at once.
    xboard.send("new\nforce\ngo\nforce\nsd 1\ngo");
    assert!(settled(&mut xboard)[0].starts_with("move "));
    // A move sent too early waits for the engine's own, and is judged after it.
    xboard.send("new\nforce\nsd 1\ngo\nusermove e4e4");
    let lines = settled(&mut xboard);
    assert!(lines[0].starts_with("move ") && lines[1].starts_with("Illegal move ("), "{lines:?}");
    xboard.quit();
}

#[test]
fn hint_and_book() {
    let mut xboard = acedrex();
    // A short search finds one where the engine has not thought.
    let lines = told(&mut xboard, "force\nhint");
    assert!(lines.len() == 1 && lines[0].starts_with("Hint: "), "{lines:?}");
    let over = "setboard 6k5/12/12/12/12/12/12/12/12/12/12/R5K5 b - - 0 1\nhint";
    assert!(told(&mut xboard, over)[0].starts_with("telluser "));
    expect(&mut xboard, "bk", &[" There is no book.", ""]);
    xboard.send("new\nforce\nsd 4\ngo\nhint");
    let lines = settled(&mut xboard);
    assert!(says(&lines, "Hint: "), "{lines:?}");
    xboard.quit();
}

// --- The end ---------------------------------------------------------------------------------------

#[test]
fn a_human_is_told_every_ending() {
    let mut xboard = acedrex();
    for (position, text, ending) in [
        (MATE_IN_ONE, "b10b12", "1-0 {Black is mated}"),
        (LAST_MAN, "a8a11", "1-0 {Black has a bare king}"),
        (STALEMATE, "l10l11", "1-0 {Black is stalemated}"),
    ] {
        // Lost by the engine, which plays Black,
        let game = format!("new\nforce\n{position}\nplayother\nusermove {text}");
        expect(&mut xboard, &game, &[ending]);
        // over for the human, who then takes the move back and may go on,
        let refusal = "Illegal move (the game is over): l12l11";
        expect(&mut xboard, &format!("usermove l12l11\nundo\nusermove {text}"), &[refusal, ending]);
        // and of no interest in force mode.
        expect(&mut xboard, &format!("new\nforce\n{position}\nusermove {text}"), &[]);
    }
    // Won by the engine, in the way it likes best.
    let lines = told(&mut xboard, &format!("new\nforce\n{MATE_IN_ONE}\nsd 3\ngo"));
    let won = ["1-0 {Black is mated}", "1-0 {Black is stalemated}"].contains(&lines[1].as_str());
    assert!(lines[0].starts_with("move ") && won, "{lines:?}");
    xboard.quit();
}

#[test]
fn a_repetition_is_a_draw_for_a_human_and_no_claim_against_a_program() {
    let mut xboard = acedrex();
    let shuffle = "usermove g1f1\nusermove g12f12\nusermove f1g1\nusermove f12g12";
    let game = format!(
        "new\nforce\nsetboard 6k4r/12/12/12/12/12/12/12/12/12/12/6K4R w - - 0 1\n{shuffle}\nusermove g1f1\nusermove g12f12\n\
         usermove f1g1\nsd 1"
    );
    expect(&mut xboard, &format!("{game}\nplayother\nusermove f12g12"), &["1/2-1/2 {third repetition}"]);
    let lines = told(&mut xboard, &format!("{game}\ncomputer\nplayother\nusermove f12g12"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    xboard.quit();
}

#[test]
fn between_programs_only_the_loser_speaks() {
    let mut xboard = acedrex();
    let lines = told(&mut xboard, &format!("new\nforce\n{MATE_IN_ONE}\ncomputer\nsd 3\ngo"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "the winner is silent: {lines:?}");
    expect(
        &mut xboard,
        &format!("new\nforce\n{MATE_IN_ONE}\ncomputer\nplayother\nusermove b10b12"),
        &["1-0 {Black is mated}"],
    );
    // After the end nothing more is said until a new game.
    expect(&mut xboard, "result 1-0 {Black is mated}\nusermove l12l11\nresult 1-0 {again}", &[]);
    xboard.send("new\nsd 1\nusermove e4e5");
    xboard.until(|line| line.starts_with("move "));
    xboard.quit();
}

#[test]
fn moves_that_only_other_programs_know_are_lived_with() {
    let mut xboard = acedrex();
    // Human: a king in check may not leap.
    expect(
        &mut xboard,
        &format!("new\nforce\n{CHECKED}\nplayother\nusermove g12e10"),
        &["Illegal move (a king in check may not leap): g12e10"],
    );
    // Program: the game goes on.
    let lines =
        told(&mut xboard, &format!("new\nforce\n{CHECKED}\ncomputer\nsd 2\nplayother\nusermove g12e10"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    // Anything else that is illegal is refused there, too.
    let lines = told(&mut xboard, &format!("new\nforce\n{CHECKED}\ncomputer\nplayother\nusermove a9a7"));
    assert!(lines.len() == 1 && lines[0].starts_with("Illegal move ("), "{lines:?}");
    // A bare king plays on: the engine waits for XBoard's verdict.
    let lines = told(
        &mut xboard,
        &format!("new\nforce\n{LAST_MAN}\ncomputer\nsd 3\ngo\nusermove l12l11\nusermove l11l10"),
    );
    assert!(lines.len() == 1 && lines[0] == "move a8a11", "{lines:?}");
    xboard.quit();
}

#[test]
fn the_end_of_input_ends_the_program() {
    let mut xboard = acedrex();
    xboard.send("force\nlevel 0 1000 0\ngo");
    let (lines, status) = xboard.finish();
    assert!(status.success() && lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
}

#[test]
fn a_draw_is_offered_before_the_move_that_makes_it() {
    let mut xboard = acedrex();
    // Whatever White does, it is the hundredth ply without progress.
    let position = "setboard 6k4r/12/12/12/12/12/12/12/12/12/12/R5K5 w - - 99 80";
    let game = |computer| format!("new\nforce\n{position}\n{computer}sd 1\ngo");
    let lines = told(&mut xboard, &game("computer\n"));
    assert!(lines.len() == 2 && lines[0] == "offer draw" && lines[1].starts_with("move "), "{lines:?}");
    let lines = told(&mut xboard, &game(""));
    assert!(lines.len() == 2 && lines[1] == "1/2-1/2 {too many moves without progress}", "{lines:?}");
    xboard.quit();
}

// --- Draughts ----------------------------------------------------------------------------------------

#[test]
fn captures_are_written_as_xboard_takes_them() {
    let mut xboard = draughts();
    for (fen, lines) in [
        // Quiet, crowning.
        ("W:W27:B9,10", vec!["move d7c8d", "move d7e8d"]),
        // One victim, with crowning.
        ("W:W11:B14,32", vec!["move d3e4, move e4f5"]),
        ("W:W23:B27,32", vec!["move c6d7, move d7e8d"]),
        // Two.
        ("W:W11:B14,21,32", vec!["move d3xe4xg6-h7"]),
        // Three: one stays as a ghost.
        ("W:W3:B6,13,21,32", vec!["move d1xe2xg4-f7"]),
        // XBoard must not see a side without pieces.
        ("W:W11:B14", vec!["move d3f5 1-0 {Black has no piece left}"]),
        ("W:W11:B14,21", vec!["move d3e4, move e4h7 1-0 {Black has no piece left}"]),
    ] {
        let answer = told(&mut xboard, &format!("new\nforce\nsetboard {fen}\nsd 2\ngo")).join(" ");
        assert!(lines.contains(&answer.as_str()), "{fen}: {answer}");
    }
    // The ghost of the three goes with the next move.
    xboard.send("new\nforce\nsetboard W:W3:B6,13,21,32\nsd 2\ngo");
    assert_eq!(settled(&mut xboard), ["move d1xe2xg4-f7"]);
    let lines = told(&mut xboard, "usermove a8b7");
    assert!(lines[0] == "move f7g6," && lines[1].starts_with("move g6"), "{lines:?}");
    xboard.quit();
}

#[test]
fn captures_are_read_as_xboard_passes_them_on() {
    let mut xboard = draughts();
    for (fen, text) in [
        ("W:W11:B14,32", "d3e4,e4f5"),
        ("W:W11:B14,32", "d3f5"),
        ("W:W11:B14,21,32", "d3e4,e4g6,g6h7"),
        ("W:W11:B14,21,32", "d3xe4xg6-h7"),
        ("W:W11:B14,21,32", "d3e4,e4h7"),
        ("W:W23:B27,32", "c6d7,d7e8d"),
        ("W:W3:B6,13,21,32", "d1e2,e2g4,g4f7"),
        // Taken for castling by XBoard: a quiet move that wipes a ghost.
        ("B:W1:B23", "c6d5,b7e5"),
        ("W:W1-12:B21-32", "10-14"),
    ] {
        // Once played, it can be taken back.
        expect(&mut xboard, &format!("new\nforce\nsetboard {fen}\nusermove {text}\nundo"), &[]);
    }
    for text in ["d3c4", "d3e4", "d3e4,e4g6", "h3g4", "d3d4", "d3e4,", "d3,e4"] {
        let answer = told(&mut xboard, &format!("new\nforce\nsetboard W:W11,9:B14,32\nusermove {text}"));
        assert!(answer.len() == 1 && answer[0].starts_with("Illegal move ("), "{text}: {answer:?}");
    }
    xboard.quit();
}

#[test]
fn draughts_positions_come_as_xboard_writes_them() {
    let mut xboard = draughts();
    expect(&mut xboard, "force\nsetboard d7/8/8/5m2/8/3D4/8/7M b - - 3 17\nusermove f5g4", &[]);
    let answer = told(&mut xboard, "setboard M7/8/8/8/8/8/8/8 w - - 0 1");
    assert!(
        answer[0].starts_with("tellusererror Illegal position: FEN field pieces of White: "),
        "{answer:?}"
    );
    let answer = told(&mut xboard, "setboard x7/8/8/8/8/8/8/8 w - - 0 1");
    assert!(answer[0].starts_with("tellusererror Illegal position: FEN field pieces: "), "{answer:?}");
    xboard.quit();
}

#[test]
fn draughts_endings() {
    let mut xboard = draughts();
    // The loser has lost with his last piece, or with a blocked one.
    for computer in ["", "computer\n"] {
        let game = format!("new\nforce\nsetboard W:W11:B14\n{computer}playother\nusermove d3e4,e4f5");
        expect(&mut xboard, &game, &["1-0 {Black has no piece left}"]);
        let game = format!("new\nforce\nsetboard W:W1,4:B8\n{computer}playother\nusermove h1g2");
        expect(&mut xboard, &game, &["1-0 {Black cannot move}"]);
    }
    xboard.quit();
}

// --- A flood -----------------------------------------------------------------------------------------

const LINES: usize = 100_000;
/// So many are sent at a time; the search that they leave behind is then broken off.
const PORTION: usize = 100;
/// Commands that break a search off.
const INTERRUPTING: [&str; 9] =
    ["analyze", "force", "new", "playother", "remove", "result", "setboard", "undo", "variant"];

#[test]
fn a_hundred_thousand_random_lines_do_no_harm() {
    // Log files with names of chance land here.
    let folder = tempfile::tempdir().unwrap();
    let mut xboard = Dialogue::of(Command::new(ALFONSO).arg("xboard").current_dir(folder.path()));
    xboard.send("xboard\nprotover 2\nmemory 1");
    let mut chance = Chance::seeded(1283);
    let mut moves = 0;
    for portion in 0..LINES / PORTION {
        // Now each search may take its time until it is broken off, now all are short and end.
        let short = portion % 2 == 0;
        let mut lines = String::from(if short { "exit\nst 0.01\n" } else { "" });
        for _ in 0..PORTION {
            let line = random_line(&mut chance);
            let word = line.split(' ').next().unwrap_or_default();
            let lengthens = short && ["st", "level"].contains(&word);
            let interrupts = short && INTERRUPTING.contains(&word) && !chance.once_in(20);
            if !lengthens && !interrupts {
                lines += &line;
                lines.push('\n');
            }
        }
        lines += if short { "" } else { "force\n" };
        lines += &format!("ping {}\n", portion + 1000);
        xboard.send_bytes(lines.as_bytes());
        let answers = xboard.until(|line| line == format!("pong {}", portion + 1000));
        moves += answers.iter().filter(|line| line.starts_with("move ")).count();
        assert!(!says(&answers, "defect"), "{answers:?}");
    }
    assert!(moves > 100, "some of the flood should be played: {moves} moves");
    xboard.send("ping 4711");
    xboard.until(|line| line == "pong 4711");
    xboard.quit();
}

fn random_line(chance: &mut Chance) -> String {
    const COMMANDS: [&str; 48] = [
        "xboard",
        "protover",
        "accepted",
        "rejected",
        "new",
        "variant",
        "quitt",
        "random",
        "force",
        "go",
        "playother",
        "level",
        "st",
        "sd",
        "time",
        "otim",
        "usermove",
        "usermove",
        "usermove",
        "usermove",
        "?",
        "ping",
        "draw",
        "result",
        "setboard",
        "setboard",
        "edit",
        "hint",
        "bk",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "name",
        "rating",
        "computer",
        "memory",
        "cores",
        "option",
        "analyze",
        "exit",
        "exclude",
        "include",
        "nps",
        "",
        ".",
    ];
    const ARGUMENTS: [&str; 42] = [
        "0",
        "1",
        "2",
        "5",
        "-1",
        "99999999999999999999",
        "0.01",
        "0:01",
        "NaN",
        "1e400",
        "grande-acedrex",
        "spanish-draughts",
        "normal",
        "e4e5",
        "e9e8",
        "d4d5",
        "d9d8",
        "g1e3",
        "g12e10",
        "b3c4",
        "b3a4",
        "c6d5",
        "a6b5",
        "d3e4,e4f5",
        "d3xe4xf5-g6",
        "MultiPV=2",
        "Move Overhead=0",
        "Log File=log",
        "UCI_Variant=spanish-draughts",
        "=",
        "",
        "{",
        "\u{e9}\u{4e2d}",
        "a11a12=r",
        "10-14",
        "x-",
        ",",
        "Pa4",
        "#",
        "c",
        "all",
        "Resign=1",
    ];
    const FENS: [&str; 7] = [
        "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Gg 0 1",
        "6k5/12/12/p11/12/12/12/12/12/12/P5R5/6K5 b k - 0 1",
        "11k/12/12/p11/12/12/12/12/12/P11/12/R5K5 w - - 0 1",
        "m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/1M1M1M1M/M1M1M1M1/1M1M1M1M w - - 0 1",
        "d7/8/8/5m2/8/3D4/8/7M b - - 3 17",
        "W:W3:B6,13,21,32",
        "8/8 w",
    ];
    if chance.once_in(20) {
        return chance.of(&ARGUMENTS).into();
    }
    let mut line = String::from(chance.of(&COMMANDS));
    if line == "setboard" && !chance.once_in(5) {
        return format!("setboard {}", chance.of(&FENS));
    }
    let arguments = if line == "level" { 3 } else { chance.below(3) };
    for _ in 0..arguments {
        line += " ";
        line += chance.of(&ARGUMENTS);
    }
    line
}
