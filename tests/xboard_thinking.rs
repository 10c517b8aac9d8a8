//! Dialogues in XBoard's protocol about thinking that is more than the next move: pondering, analysis,
//! draws, resignation, variety; and commands in every order.

mod common;

use common::xboard::{acedrex, draughts, expect, settled, told};
use common::{Dialogue, says};

/// The score and the moves of a line of thinking.
fn thinking(line: &str) -> Option<(i64, Vec<&str>)> {
    let (numbers, moves) = line.split_once('\t')?;
    Some((numbers.split(' ').nth(1)?.parse().ok()?, moves.split(' ').collect()))
}

/// The first moves of the next `count` lines of thinking.
fn first_moves(xboard: &mut Dialogue, count: usize) -> Vec<String> {
    let mut moves = Vec::new();
    while moves.len() < count {
        let line = xboard.next_line().expect("the analysis goes on");
        moves.extend(thinking(&line).map(|(_, moves)| moves[0].to_owned()));
    }
    moves
}

/// The move in the next line that has one.
fn next_move(xboard: &mut Dialogue) -> String {
    let lines = xboard.until(|line| line.starts_with("move "));
    lines[lines.len() - 1]["move ".len()..].to_owned()
}

// --- Pondering -------------------------------------------------------------------------------------

#[test]
fn pondering_on_the_expected_reply_and_on_another() {
    let mut xboard = acedrex();
    xboard.send("new\nforce\nhard\npost\nsd 5\ngo");
    next_move(&mut xboard);
    xboard.send("hint");
    let hint = xboard.until(|line| line.starts_with("Hint: ")).pop().unwrap();
    let expected = &hint["Hint: ".len()..];
    // Lines of pondering begin with the move that is not played yet.
    let lines = xboard.until(|line| line.starts_with('5'));
    assert_eq!(thinking(&lines[lines.len() - 1]).unwrap().1[0], expected);
    // What does not concern it is obeyed beside it.
    settled(&mut xboard);
    xboard.send(format!("time 30000\notim 30000\nusermove {expected}"));
    next_move(&mut xboard);
    // The new position is pondered on in turn, until another move comes, or an option, or the end.
    xboard.send("option MultiPV=2\noption Hash=2\nusermove a9a8");
    next_move(&mut xboard);
    xboard.send("easy");
    settled(&mut xboard);
    expect(&mut xboard, "ping 5\nping 6", &["pong 5", "pong 6"]);
    xboard.send("hard");
    settled(&mut xboard);
    // A refused move leaves everything as it was.
    let lines = told(&mut xboard, "nopost\nusermove a1a1");
    assert!(lines.last().unwrap().starts_with("Illegal move ("), "{lines:?}");
    expect(&mut xboard, "undo\nforce", &[]);
    xboard.quit();
}

#[test]
fn pondering_in_draughts_and_at_the_end_of_the_input() {
    let mut xboard = draughts();
    xboard.send("new\nforce\nhard\nsd 4\ngo");
    for _ in 0..3 {
        xboard.until(|line| line.starts_with("move "));
        let hint = told(&mut xboard, "hint");
        let expected = hint.last().and_then(|line| line.strip_prefix("Hint: ")).expect("a reply is expected");
        xboard.send(format!("usermove {expected}"));
    }
    xboard.until(|line| line.starts_with("move "));
    let (_, status) = xboard.finish();
    assert!(status.success());
}

/// A script may be piped in.
#[test]
fn a_move_is_thought_out_to_its_limits_at_the_end_of_the_input() {
    // By depth, and by a time that nodes stand for: which field of the last line, and what it comes to
    // (of the time the overhead of a move is kept back).
    for (limit, field, reached) in [("sd 6", 0, 6), ("nps 100000\nst 1", 3, 98_000)] {
        let mut xboard = acedrex();
        xboard.send(format!("post\n{limit}\nusermove d4d5\nping 1"));
        let (lines, status) = xboard.finish();
        assert!(status.success());
        let values = lines.iter().filter_map(|line| line.split(' ').nth(field)?.parse().ok());
        assert_eq!(values.max(), Some(reached), "{limit}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("move ")), "{limit}: {lines:?}");
        assert_eq!(lines.last().unwrap(), "pong 1");
    }
    for endless in ["analyze", "hard\nsd 4\ngo"] {
        let mut xboard = acedrex();
        xboard.send(endless);
        let (_, status) = xboard.finish();
        assert!(status.success(), "{endless}");
    }
}

// --- Analysis --------------------------------------------------------------------------------------

#[test]
fn analysis_follows_the_board() {
    let mut xboard = acedrex();
    xboard.send("post\nanalyze");
    assert!(!first_moves(&mut xboard, 3).iter().any(|m| m.starts_with("e9")));
    // Each change is followed at once; nothing of the position before is heard any more.
    for (change, black) in [
        ("usermove e4e5", true),
        ("usermove e9e8", false),
        ("undo", true),
        ("undo", false),
        ("usermove d4d5", true),
        (
            "setboard rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR b Gg 0 1",
            true,
        ),
        ("new", false),
        ("option MultiPV=1", false),
    ] {
        settled(&mut xboard);
        told(&mut xboard, change);
        let moves = first_moves(&mut xboard, 3);
        let ranks: Vec<u32> = moves.iter().map(|text| from_rank(text)).collect();
        assert!(ranks.iter().all(|&rank| (rank > 6) == black), "{change}: {moves:?}");
    }
    // Nothing is played, whoever moves, and `?` has nothing to hurry.
    let lines = told(&mut xboard, "usermove e4e5\nusermove e9e8\n?\nhint");
    assert!(!says(&lines, "move "), "{lines:?}");
    assert!(says(&lines, "Error (the engine is not thinking): ?") && says(&lines, "Hint: "), "{lines:?}");
    told(&mut xboard, "exit");
    expect(&mut xboard, "ping 3", &["pong 3"]);
    expect(&mut xboard, "exit", &["Error (there is no analysis to leave): exit"]);
    // `go` leaves it, too.
    xboard.send("analyze\nsd 2\ngo");
    next_move(&mut xboard);
    xboard.quit();
}

fn from_rank(text: &str) -> u32 {
    text[1..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn the_state_of_the_analysis_is_told() {
    let mut xboard = acedrex();
    expect(&mut xboard, ".", &[]);
    xboard.send("analyze");
    first_moves(&mut xboard, 4);
    xboard.send(".");
    let line = xboard.until(|line| line.starts_with("stat01: ")).pop().unwrap();
    let fields: Vec<&str> = line.split(' ').skip(1).collect();
    let numbers: Vec<u64> = fields[..5].iter().map(|field| field.parse().unwrap()).collect();
    let [_time, nodes, depth, left, total] = numbers[..] else { panic!("{line}") };
    assert!(nodes > 0 && depth > 1 && total == 59 && left < total && fields.len() == 6, "{line}");
    xboard.quit();
}

#[test]
fn moves_are_excluded_and_included() {
    let mut xboard = acedrex();
    xboard.send("analyze\nexclude all");
    settled(&mut xboard);
    expect(&mut xboard, "ping 1", &["pong 1"]);
    told(&mut xboard, "include e4e5");
    assert!(first_moves(&mut xboard, 4).iter().all(|text| text == "e4e5"));
    told(&mut xboard, "include all\nexclude e4e5");
    assert!(first_moves(&mut xboard, 4).iter().all(|text| text != "e4e5"));
    // Another position has all its moves.
    told(&mut xboard, "exclude all\nusermove e4e5\nundo");
    first_moves(&mut xboard, 1);
    // A move to play must remain.
    xboard.send("exit\nexclude all\ninclude g1e3\nsd 1\ngo");
    assert_eq!(next_move(&mut xboard), "g1e3");
    xboard.send("new\nforce\nexclude all\nsd 1\ngo");
    next_move(&mut xboard);
    xboard.quit();
}

#[test]
fn a_game_that_is_over_is_analysed_in_silence() {
    let mut xboard = acedrex();
    let mated = "setboard 1R9k/R11/12/12/12/12/12/12/p11/P11/12/6K5 b - - 0 1";
    // XBoard asks again only once it was answered.
    // Set up before, as the start would be spoken of while the board is set up.
    let script = format!("force\n{mated}\nanalyze\n.\nping 1");
    expect(&mut xboard, &script, &["stat01: 0 0 0 0 0 -", "pong 1"]);
    let lines = told(&mut xboard, "new\n.\nusermove e4e5\n.\nundo\n.");
    assert_eq!(lines.iter().filter(|line| line.starts_with("stat01: ")).count(), 3, "{lines:?}");
    xboard.quit();
}

// --- Draws and resignation ---------------------------------------------------------------------------

/// White is to move and has a rook more than Black, whom the engine is to play.
fn a_rook_more(number: u32) -> String {
    format!("setboard r5k5/12/12/p10p/12/12/12/12/P10P/12/12/R5K4R w - - 0 {number}")
}

#[test]
fn a_fair_draw_is_taken() {
    let mut xboard = acedrex();
    let game = |number| format!("new\nforce\n{}\nsd 2\nplayother\nusermove g1f1", a_rook_more(number));
    // Not before the engine has looked, but with its next move.
    let lines = told(&mut xboard, &game(40).replace("usermove", "draw\nusermove"));
    assert!(lines.len() == 2 && lines[0] == "offer draw" && lines[1].starts_with("move "), "{lines:?}");
    told(&mut xboard, &game(40));
    expect(&mut xboard, "draw", &["offer draw"]);
    // In the opening it plays on.
    told(&mut xboard, &game(3));
    expect(&mut xboard, "draw", &[]);
    // With the rook more, it plays on.
    told(&mut xboard, &format!("new\nforce\n{}\nsd 2\ngo", a_rook_more(40)));
    expect(&mut xboard, "draw", &[]);
    // Whoever wants no draws gets none, nor does a board that knows no offers.
    told(&mut xboard, &format!("option Offer Draws=0\n{}", game(40)));
    expect(&mut xboard, "draw", &[]);
    told(&mut xboard, &format!("option Offer Draws=1\nrejected draw\n{}", game(40)));
    expect(&mut xboard, "draw\nforce\ndraw", &[]);
    xboard.quit();
}

#[test]
fn a_lost_game_is_given_up_on_demand_only() {
    let position = "setboard 6k5/12/12/p10p/12/12/12/12/P10P/12/12/RRAA2K4R w - - 0 40";
    for (option, given_up) in [("0", false), ("1", true)] {
        let mut xboard = acedrex();
        let game = format!("option Resign={option}\nnew\nforce\n{position}\nsd 1\nplayother");
        expect(&mut xboard, &game, &[]);
        let mut lines = Vec::new();
        for text in ["g1g2", "g2g3", "g3h4", "h4g3"] {
            lines.extend(told(&mut xboard, &format!("usermove {text}")));
        }
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[..3].iter().all(|line| line.starts_with("move ")), "{lines:?}");
        assert_eq!(lines[3] == "resign", given_up, "{lines:?}");
        xboard.quit();
    }
}

// --- Time by nodes, variety ----------------------------------------------------------------------------

#[test]
fn nodes_stand_for_time() {
    let mut xboard = acedrex();
    for limit in ["st 2", "level 0 0:02 0\ntime 200"] {
        let lines = told(&mut xboard, &format!("new\nforce\npost\nnps 1000\n{limit}\ngo"));
        let nodes = lines.iter().filter_map(|line| line.split(' ').nth(3)?.parse::<u64>().ok()).max();
        assert!(nodes.is_some_and(|nodes| nodes <= 2000), "{limit}: {lines:?}");
    }
    xboard.quit();
}

#[test]
fn play_varies_on_demand_only() {
    let mut xboard = acedrex();
    let mut first_move = |random: &str| {
        xboard.send(format!("new\n{random}force\nsd 2\ngo"));
        next_move(&mut xboard)
    };
    let usual = first_move("");
    for twice_is_off in ["", "random\nrandom\n"] {
        assert!((0..3).all(|_| first_move(twice_is_off) == usual));
    }
    // One game in five or so starts otherwise: as many as these all being the same does not happen.
    assert!((0..300).any(|_| first_move("random\n") != usual));
    xboard.quit();
}

// --- Orders --------------------------------------------------------------------------------------------

#[test]
fn a_board_that_sends_each_position_anew() {
    let mut xboard = acedrex();
    xboard.send("hard\nsd 3");
    for fen in [
        "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w KQkq - 0 1",
        "rlugcakcgulr/12/12/pppppppp1ppp/8p/12/12/7P/PPPPPPP1PPPP/12/12/RLUGCAKCGULR w Gg 0 2",
        "11k/12/12/p11/12/12/12/12/12/P11/12/R5K5 b - 4 33",
    ] {
        xboard.send(format!("force\nsetboard {fen}\ngo"));
        next_move(&mut xboard);
    }
    xboard.quit();
}

#[test]
fn every_pair_of_commands_leaves_a_program_that_plays() {
    const COMMANDS: [&str; 24] = [
        "new",
        "force",
        "go",
        "playother",
        "?",
        "usermove e4e5",
        "usermove e9e8",
        "undo",
        "remove",
        "analyze",
        "exit",
        ".",
        "exclude all",
        "include e4e5",
        "hint",
        "bk",
        "hard",
        "easy",
        "draw",
        "random",
        "nps 1000",
        "result *",
        "variant grande-acedrex",
        "edit\n.",
    ];
    let mut xboard = acedrex();
    for first in COMMANDS {
        for second in COMMANDS {
            xboard.send(format!("new\nst 0.01\n{first}\n{second}\n{first}"));
            settled(&mut xboard);
        }
    }
    xboard.send("exit\nnew\nforce\neasy\nnopost");
    settled(&mut xboard);
    let lines = told(&mut xboard, "sd 1\ngo");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    xboard.quit();
}
