//! Dialogues in XBoard's protocol about what its board cannot do by itself: moves by mouse in both
//! games, and captures of draughts that it can carry only in part.

mod common;

use common::{Chance, Dialogue};

fn acedrex(position: &str) -> Dialogue {
    let mut xboard = Dialogue::xboard("grande-acedrex");
    assert_eq!(xboard.told(format!("force\nsetboard {position}")), [""; 0]);
    xboard
}

fn draughts(position: &str) -> Dialogue {
    let mut xboard = Dialogue::xboard("spanish-draughts");
    assert_eq!(xboard.told(format!("force\nsetboard {position}")), [""; 0]);
    xboard
}

#[track_caller]
fn expect(xboard: &mut Dialogue, lines: &str, answer: &[&str]) {
    assert_eq!(xboard.told(lines), answer, "to {lines}");
}

// --- The mouse -------------------------------------------------------------------------------------

#[test]
fn targets_are_marked_and_promotions_named() {
    let mut xboard = acedrex("8k3/3P8/12/12/12/12/12/12/p11/P11/12/6K5 w K - 0 1");
    expect(&mut xboard, "lift d11", &["highlight 3M8/12/12/12/12/12/12/12/12/12/12/12"]);
    // XBoard says `put` twice, and where the mouse is.
    expect(&mut xboard, "hover d12\nput d12\nput d12", &["choice G", "choice G"]);
    expect(&mut xboard, "usermove d11d12g", &[]);
    // Nothing may move from there: not an own piece, not a piece at all.
    for square in ["i1", "g12", "a3"] {
        let none = "highlight 12/12/12/12/12/12/12/12/12/12/12/12";
        expect(&mut xboard, &format!("lift {square}"), &[none]);
    }
    for line in ["lift", "lift m1", "put g", "lift g1e3"] {
        let answer = xboard.told(line);
        assert!(answer.len() == 1 && answer[0].starts_with("Error ("), "{line}: {answer:?}");
    }
    xboard.quit();
}

#[test]
fn a_king_in_check_may_not_leap_and_is_told_so() {
    let mut xboard = acedrex("8k3/12/12/12/12/6r5/12/12/p11/P11/12/6K5 w K - 0 1");
    let steps = "highlight 12/12/12/12/12/12/12/12/12/12/5Y1Y4/5Y1Y4";
    expect(&mut xboard, "lift g1", &[steps]);
    let refused = "Illegal move (a king in check may not leap): g1e3";
    // The reason is shown to who moved by mouse.
    let shown = "telluser g1e3: a king in check may not leap.";
    expect(&mut xboard, "put e3\nusermove g1e3", &[refused, shown]);
    expect(&mut xboard, "usermove g1e3", &[refused]);
    xboard.quit();
}

#[test]
fn between_programs_another_promotion_is_lived_with() {
    let position = "8k3/12/12/12/12/12/12/12/p11/P11/3p8/6K5 b - - 0 1";
    let mut xboard = acedrex(position);
    let lines = xboard.told("computer\nsd 2\nplayother\nusermove d2d1a");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    // A person is told what the rules are.
    let mut xboard = acedrex(position);
    let refused = "Illegal move (a pawn on d1 promotes to giraffe): d2d1a";
    expect(&mut xboard, "usermove d2d1a", &[refused]);
    xboard.quit();
}

#[test]
fn a_capture_is_clicked_victim_by_victim() {
    let mut xboard = draughts("W:W8,5:B12,19,27,32");
    // Another piece than the one that must capture gets no mark.
    expect(&mut xboard, "lift g2", &["highlight 8/8/8/8/8/8/8/8"]);
    expect(&mut xboard, "lift a2", &["highlight 8/8/8/8/8/1C6/8/8"]);
    expect(&mut xboard, "put b3\nlift b3", &["highlight 8/8/8/3C4/8/8/8/8"]);
    expect(&mut xboard, "put d5\nlift d5", &["highlight 8/3C4/8/8/8/8/8/8"]);
    expect(&mut xboard, "put d7\nlift d7", &["highlight 2M5/8/8/8/8/8/8/8"]);
    expect(&mut xboard, "hover c8\nput c8\nput c8", &["choice D", "choice D"]);
    // XBoard passes on the last two victims; the first is a ghost, and the engine's next move wipes it.
    let answer = xboard.told("sd 1\nplayother\nusermove a2d5,d5d7,d7c8d");
    assert_eq!(answer, ["move a8b3,", "move b3b7"]);
    xboard.quit();
}

#[test]
fn the_clicks_tell_captures_apart_where_the_kills_do_not() {
    // Both go round by b5 and end with d3 and b3, all that XBoard passes on.
    for (other, left) in [("d5", "f7e6"), ("f7", "d5c4")] {
        let mut xboard = draughts("W:WK16:B6,10,11,12,19,20,26");
        xboard.send("lift a4");
        for victim in ["b5", other, "d3", "b3"] {
            xboard.send(format!("put {victim}\nlift {victim}"));
        }
        let marked = xboard.told("put a4");
        assert_eq!(marked.last().unwrap(), "highlight 8/8/8/8/Y7/8/8/8");
        // The piece that the other capture takes is still there.
        expect(&mut xboard, &format!("usermove a4d3,d3b3,b3a4\nusermove {left}"), &[]);
        xboard.quit();
    }
}

#[test]
fn marks_do_not_wait_for_the_engine() {
    let mut xboard = Dialogue::xboard("grande-acedrex");
    xboard.send("level 0 1000 0\nforce\ngo\nlift a4");
    let first = xboard.until(|line| !line.is_empty());
    assert_eq!(first, ["highlight 12/12/12/12/12/12/12/Y11/12/12/12/12"]);
    let lines = xboard.told("?");
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
    xboard.quit();
}

// --- Ghosts ----------------------------------------------------------------------------------------

/// White takes three by d1 e2 g4 g6 f7; of them g6 stays on XBoard's board.
const THREE: &str = "W:W3:B6,13,21,32";

#[test]
fn ghosts_come_back_with_moves_that_are_taken_back() {
    let mut xboard = draughts(THREE);
    expect(&mut xboard, "sd 1\ngo", &["move d1xe2xg4-f7"]);
    let wiped = xboard.told("usermove a8b7");
    assert_eq!(wiped[0], "move f7g6,", "{wiped:?}");
    // Both ends take the two moves back, and the ghost is there again.
    assert_eq!(xboard.told("remove\nusermove a8b7"), wiped);
    // Back to before the capture: there is none.
    expect(&mut xboard, "force\nundo\nundo\nundo\ngo", &["move d1xe2xg4-f7"]);
    xboard.quit();
}

#[test]
fn analysis_goes_on_with_ghosts_on_the_board() {
    let mut xboard = draughts(THREE);
    expect(&mut xboard, "sd 1\ngo", &["move d1xe2xg4-f7"]);
    xboard.send("analyze");
    xboard.until(|line| line.contains("\ta8b7"));
    let lines = xboard.told("usermove a8b7\nundo\nundo\nusermove d1e2,e2g4,g4f7\nexit");
    assert!(!lines.iter().any(|line| line.starts_with("Illegal") || line.starts_with("Error")), "{lines:?}");
    // The capture was made again, and its ghost is wiped.
    let answer = xboard.told("sd 1\nplayother\nusermove a8b7");
    assert_eq!(answer[0], "move f7g6,", "{answer:?}");
    xboard.quit();
}

#[test]
fn a_position_set_up_with_its_ghosts_is_the_one_before() {
    let mut xboard = draughts(THREE);
    expect(&mut xboard, "sd 1\ngo", &["move d1xe2xg4-f7"]);
    xboard.told("new\nvariant spanish-draughts");
    let shown = "m7/5M2/6m1/8/8/8/8/8 b - - 0 1";
    expect(&mut xboard, &format!("force\nsetboard {shown}"), &[]);
    // The ghost cannot move, and the engine wipes it.
    let answer = xboard.told("usermove g6h5");
    assert!(answer.len() == 1 && answer[0].starts_with("Illegal move ("), "{answer:?}");
    let answer = xboard.told("sd 1\nplayother\nusermove a8b7");
    assert_eq!(answer[0], "move f7g6,", "{answer:?}");
    // Any other position is what it says.
    expect(&mut xboard, "new\nforce\nsetboard m7/5M2/6m1/8/8/8/8/8 b - - 0 1\nusermove g6h5", &[]);
    xboard.quit();
}

#[test]
fn the_last_piece_stays_to_be_seen() {
    // By mouse the landing is marked at once,
    let mut xboard = draughts("W:W11:B14");
    expect(&mut xboard, "lift d3", &["highlight 8/8/8/5Y2/8/8/8/8"]);
    expect(&mut xboard, "playother\nput f5\nusermove d3f5", &["1-0 {Black has no piece left}"]);
    // and the engine leaves one of its two victims.
    let mut xboard = draughts("W:W11:B14,21");
    expect(&mut xboard, "sd 1\ngo", &["move d3e4,", "move e4h7", "1-0 {Black has no piece left}"]);
    xboard.quit();
}

// --- The look --------------------------------------------------------------------------------------

#[test]
fn discs_come_with_the_next_game() {
    let mut xboard = Dialogue::xboard("spanish-draughts");
    expect(&mut xboard, "option Discs=1", &[]);
    let start = "m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/1M1M1M1M/M1M1M1M1/1M1M1M1M w - - 0 1";
    let slots = |men: &str, king: &str| format!("....{king}{}{men}.....................", ".".repeat(39));
    let setup = format!("setup ({}{}) 8x8+0_fairy {start}", slots("M", "D"), slots("m", "d"));
    // Without `piece` lines: XBoard's legality testing is to be off.
    expect(&mut xboard, "new\nvariant spanish-draughts", &[&setup]);
    let lines = xboard.told("option Discs=0\nnew\nvariant spanish-draughts");
    assert!(lines.len() == 3 && lines[0].starts_with("setup (M...D"), "{lines:?}");
    xboard.quit();
}

// --- A flood ---------------------------------------------------------------------------------------

#[test]
fn random_clicks_do_no_harm() {
    const PORTIONS: usize = 200;
    let mut chance = Chance::seeded(1561);
    for variant in ["grande-acedrex", "spanish-draughts"] {
        let mut xboard = Dialogue::xboard(variant);
        for _ in 0..PORTIONS {
            let position = chance.of(&[
                "W:WK16:B6,10,11,12,19,20,26",
                "W:W3:B6,13,21,32",
                "m7/5M2/6m1/8/8/8/8/8 b - - 0 1",
                "8k3/3P8/12/12/12/12/12/12/p11/P11/12/6K5 w K - 0 1",
            ]);
            let mut lines = format!("force\nsetboard {position}");
            for _ in 0..50 {
                let mut square =
                    || format!("{}{}", chance.of(&["a", "c", "d", "f", "g", "l"]), 1 + chance.below(13));
                let (from, to) = (square(), square());
                lines += &match chance.below(6) {
                    0 | 1 => format!("\nlift {from}"),
                    2 | 3 => format!("\nput {to}\nlift {to}"),
                    4 => format!("\nusermove {from}{to}"),
                    _ => "\nundo".into(),
                };
            }
            let answer = xboard.told(lines);
            assert!(!answer.iter().any(|line| line.contains("defect")), "{answer:?}");
        }
        xboard.quit();
    }
}
