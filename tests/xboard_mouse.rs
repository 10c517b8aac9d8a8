//! Moves by mouse in the real XBoard 4.9.1, on a screen that nobody sees (Xvfb, xdotool).
//!
//! The person has White, the engine Black. XBoard's log tells what it said to the engine and when it
//! had read the answer; every step waits for its line there. The engine's own log must then hold the
//! moves that were meant. Of each scene a picture is kept, for a look by eye, in the folder `mouse`
//! of cargo's folder for tests (`target/tmp`).

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use alfonso::engine::Variant::{self, GrandeAcedrex, SpanishDraughts};
use common::ALFONSO;
use common::screen::{Screen, xboard};

/// How long to wait for what must come: far longer than it ever takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between looks at what has come.
const GLANCE: Duration = Duration::from_millis(30);

// --- The 12x12 game -----------------------------------------------------------------------------------

/// The start, where both kings may leap.
const ARRAY: &str = "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1";
/// A pawn on d11 becomes a giraffe on d12.
const ACEDREX: &str = "8k3/3P8/12/12/12/12/12/12/p11/P11/12/6K5 w K - 0 1";
/// White's king, unmoved, is in check.
const CHECKED: &str = "8k3/12/12/12/12/6r5/12/12/p11/P11/12/6K5 w K - 0 1";

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_king_leaps() {
    for testing in [true, false] {
        let mut game = Game::start(GrandeAcedrex, ARRAY, testing, &[]);
        game.lift("g1");
        game.picture(if testing { "leap" } else { "leap-testing-off" });
        game.click("e3");
        game.moved("g1e3");
        game.expect("<first : move ");
        game.end_with(&["g1e3"]);
    }
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_leap_out_of_check_is_refused_with_its_reason() {
    let mut game = Game::start(GrandeAcedrex, CHECKED, true, &[]);
    game.lift("g1");
    game.click("e3");
    game.moved("g1e3");
    game.expect("Illegal move (a king in check may not leap): g1e3");
    game.expect("telluser g1e3: a king in check may not leap.");
    game.picture("leap-refused");
    game.lift("g1");
    game.click("f1");
    game.moved("g1f1");
    game.expect("<first : move ");
    game.end_with(&["g1e3", "g1f1"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn the_right_promotion_comes_by_itself_with_testing_off() {
    let mut game = Game::start(GrandeAcedrex, ACEDREX, false, &[]);
    game.lift("d11");
    game.picture("promotion-testing-off");
    game.press("d12");
    game.expect("<first : choice G");
    game.release();
    game.moved("d11d12g");
    game.expect("<first : move ");
    game.picture("promoted");
    game.end_with(&["d11d12g"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_wrong_promotion_is_refused_and_the_right_one_taken_with_testing_on() {
    let mut game = Game::start(GrandeAcedrex, ACEDREX, true, &[]);
    game.lift("d11");
    game.press("d12");
    game.expect("<first : choice G");
    game.release();
    game.moved("d11d12u");
    game.expect("Illegal move (a pawn on d12 promotes to giraffe): d11d12u");
    game.picture("promotion-refused");
    // With the button held and the pawn pulled backwards XBoard goes through its pieces.
    game.lift("d11");
    game.press("d12");
    game.expect("<first : choice G");
    game.point("d11");
    game.release();
    game.moved("d11d12g");
    game.expect("<first : move ");
    game.end_with(&["d11d12u", "d11d12g"]);
}

// --- Draughts ----------------------------------------------------------------------------------------

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_quiet_move() {
    let start = "m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/1M1M1M1M/M1M1M1M1/1M1M1M1M w - - 0 1";
    let mut game = Game::start(SpanishDraughts, start, true, &[]);
    game.lift("d3");
    game.picture("quiet");
    game.click("e4");
    game.moved("d3e4");
    game.expect("<first : move ");
    game.end_with(&["d3e4"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn captures_of_one_two_three_and_four() {
    for (fen, clicks, moved) in [
        ("m7/8/8/8/4m3/3M4/8/8", &["d3", "e4", "f5"][..], "d3e4,e4f5"),
        ("m7/8/6m1/8/4m3/3M4/8/8", &["d3", "e4", "g6", "h7"], "d3e4,e4g6,g6h7"),
        // A king may end where it began.
        ("m7/8/8/8/2m1m3/8/2m1m3/3D4", &["d1", "e2", "e4", "c4", "c2", "d1"], "d1c4,c4c2,c2d1"),
        // Of three XBoard passes on the last two; the third is a ghost until the engine's next move.
        (
            "m1m3m1/1m1m1m1m/m1m5/5m2/8/1M1m1M1M/M1M3M1/1M1M1M1M",
            &["c2", "d3", "f5", "f7", "e8"],
            "c2f5,f5f7,f7e8d",
        ),
    ] {
        let mut game = Game::start(SpanishDraughts, &format!("{fen} w - - 0 1"), true, &[]);
        game.enter(clicks, &format!("capture-{}", clicks.len() - 2));
        game.moved(moved);
        game.expect("<first : move ");
        game.picture(&format!("capture-{}-answered", clicks.len() - 2));
        game.end_with(&[moved]);
    }
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn the_engine_captures_four_and_ends_where_it_began() {
    let fen = "4d3/3M1M2/8/3M1M2/8/8/8/7M w - - 0 1";
    let mut game = Game::start(SpanishDraughts, fen, true, &[]);
    game.enter(&["h1", "g2"], "round");
    game.moved("h1g2");
    game.expect("<first : move e8x");
    game.picture("round-answered");
    // XBoard has taken it; two ghosts are left.
    game.enter(&["g2", "f3"], "round-ghosts");
    game.moved("g2f3");
    game.expect("<first : move ");
    game.picture("round-wiped");
    game.end_with(&["h1g2", "g2f3"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn ghosts_are_known_where_the_position_is_edited() {
    let fen = "4d3/3M1M2/8/3M1M2/8/8/8/7M w - - 0 1";
    let mut game = Game::start(SpanishDraughts, fen, true, &[]);
    game.enter(&["h1", "g2"], "edit");
    game.moved("h1g2");
    game.expect("<first : move e8x");
    // Edit > Edit Position, then Edit > Edit Game, and nothing changed in between.
    game.xdotool(&["key", "ctrl+shift+e"]);
    game.expect("first : force");
    game.picture("edit");
    game.xdotool(&["key", "ctrl+e"]);
    game.expect("first : setboard 4d3/3M1M2/8/8/8/8/6M1/8 w");
    game.expect("<first : pong ");
    game.click("d7");
    game.expect("<first : highlight 8/8/8/8/8/8/8/8");
    game.enter(&["g2", "f3"], "edited");
    game.moved("g2f3");
    game.lift("e8");
    game.picture("edited-marked");
    game.end_with(&["h1g2", "g2f3"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_capture_that_crowns_and_the_last_piece() {
    let mut game = Game::start(SpanishDraughts, "m7/3m4/2M5/8/8/8/8/8 w - - 0 1", true, &[]);
    game.enter(&["c6", "d7", "e8"], "crowning");
    game.moved("c6d7,d7e8d");
    game.expect("<first : move ");
    game.end_with(&["c6d7,d7e8d"]);

    // The last piece stays on XBoard's board, so that the result is ours.
    let mut game = Game::start(SpanishDraughts, "8/8/8/8/4m3/3M4/8/8 w - - 0 1", true, &[]);
    game.enter(&["d3", "f5"], "last-piece");
    game.moved("d3f5");
    game.expect("<first : 1-0 {Black has no piece left}");
    game.picture("last-piece-taken");
    game.end_with(&["d3f5"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn another_move_than_the_compulsory_capture_is_refused_with_its_reason() {
    let fen = "m7/8/8/8/4m3/3M3M/8/8 w - - 0 1";
    let mut game = Game::start(SpanishDraughts, fen, true, &[]);
    game.lift("h3");
    game.click("g4");
    game.moved("h3g4");
    game.expect("Illegal move (");
    game.picture("compulsory");
    game.enter(&["d3", "e4", "f5"], "compulsory-taken");
    game.moved("d3e4,e4f5");
    game.expect("<first : move ");
    game.end_with(&["h3g4", "d3e4,e4f5"]);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn discs() {
    let fen = "m7/3m4/2M5/8/8/8/8/8 w - - 0 1";
    let mut game = Game::start(SpanishDraughts, fen, false, &["-firstOptions", "Discs=1"]);
    game.enter(&["c6", "d7"], "discs");
    game.press("e8");
    game.expect("<first : choice D");
    game.release();
    game.moved("c6d7,d7e8d");
    game.expect("<first : move ");
    game.picture("discs-crowned");
    game.end_with(&["c6d7,d7e8d"]);
}

// --- A game by mouse -----------------------------------------------------------------------------------

/// XBoard with the engine in it, at a position of the test's own.
struct Game {
    xboard: Child,
    screen: Screen,
    folder: tempfile::TempDir,
    board: Board,
    /// Bytes of XBoard's log that have been looked at.
    seen: usize,
}

/// Where the board is on the screen, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Board {
    left: usize,
    bottom: usize,
    square: usize,
}

/// Colours of squares that nothing else on the screen has.
const LIGHT: [u8; 3] = [0xf0, 0xd9, 0xb5];
const DARK: [u8; 3] = [0xb5, 0x88, 0x63];

impl Game {
    /// Starts XBoard, its legality testing on or off, with more of its options.
    fn start(variant: Variant, fen: &str, testing: bool, options: &[&str]) -> Game {
        let folder = tempfile::tempdir().unwrap();
        let screen = Screen::open();
        let engine = wrapper(folder.path(), fen);
        let color = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
        let xboard = screen
            .start_in(folder.path(), xboard())
            .arg("-fcp")
            .arg(engine)
            .args(["-variant", variant.name(), "-depth", "2", "-showTargetSquares", "true"])
            .args(["-testLegality", if testing { "true" } else { "false" }])
            .args(["-debugMode", "true", "-nameOfDebugFile"])
            .arg(folder.path().join("debug"))
            .args(["-useBoardTexture", "false", "-coords"])
            .args(["-lightSquareColor", &color(LIGHT), "-darkSquareColor", &color(DARK)])
            .args(["-sweepPromotions", "true", "-oneClickMove", "false", "-highlightDragging", "true"])
            .args(["-saveSettingsOnExit", "false", "-startupMessage", "", "-animateMoving", "false"])
            .args(["-popupExitMessage", "false", "-popupMoveErrors", "false", "-ringBellAfterMoves", "false"])
            .args(options)
            .spawn()
            .expect("XBoard starts");
        let board = Board { left: 0, bottom: 0, square: 0 };
        let mut game = Game { xboard, screen, folder, board, seen: 0 };
        game.expect("<first : pong ");
        let log = fs::read_to_string(game.folder.path().join("debug")).unwrap();
        assert!(!log.contains("Illegal position"), "{log}");
        game.find_board(if variant == GrandeAcedrex { 12 } else { 8 });
        game
    }

    /// Finds the board by its colours, once it moves no more.
    fn find_board(&mut self, side: usize) {
        let start = Instant::now();
        loop {
            let before = self.board;
            sleep(Duration::from_millis(300));
            if let Some(board) = self.look(side) {
                self.board = board;
                if board == before {
                    return;
                }
            }
            assert!(start.elapsed() < PATIENCE, "no board is to be seen");
        }
    }

    fn look(&self, side: usize) -> Option<Board> {
        let shot =
            self.on_screen("import").args(["-window", "root", "-depth", "8", "ppm:-"]).output().ok()?;
        // `P6`, width and height, the largest value, then three bytes a pixel.
        let mut lines = shot.stdout.splitn(4, |&byte| byte == b'\n').skip(1);
        let (size, _, pixels) = (lines.next()?, lines.next()?, lines.next()?);
        let width: usize = std::str::from_utf8(size).ok()?.split(' ').next()?.parse().ok()?;
        let of_board = |pixel: &[u8]| pixel == LIGHT || pixel == DARK;
        let places: Vec<(usize, usize)> = (pixels.chunks(3).enumerate())
            .filter(|(_, pixel)| of_board(pixel))
            .map(|(index, _)| (index % width, index / width))
            .collect();
        let left = places.iter().map(|place| place.0).min()?;
        let right = places.iter().map(|place| place.0).max()?;
        let bottom = places.iter().map(|place| place.1).max()?;
        Some(Board { left, bottom, square: (right - left).div_ceil(side) })
    }

    // --- Hands -------------------------------------------------------------------------------------

    /// Picks up a piece, and waits for the marks.
    fn lift(&mut self, square: &str) {
        self.click(square);
        self.expect(&format!(">first : lift {square}"));
        self.expect("<first : highlight ");
    }

    /// Enters a move square by square: the piece, what it takes, where it ends. Before each click but
    /// the first a picture is taken.
    fn enter(&mut self, clicks: &[&str], picture: &str) {
        let (last, before) = clicks.split_last().expect("there is something to click");
        for square in before {
            self.lift(square);
            self.picture(&format!("{picture}-{square}"));
        }
        self.click(last);
    }

    fn click(&self, square: &str) {
        self.press(square);
        self.release();
    }

    fn press(&self, square: &str) {
        self.point(square);
        self.xdotool(&["mousedown", "1"]);
    }

    fn release(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    /// Moves the mouse to the middle of a square.
    fn point(&self, square: &str) {
        let file = usize::from(square.as_bytes()[0] - b'a');
        let rank: usize = square[1..].parse().unwrap();
        let Board { left, bottom, square } = self.board;
        let x = left + file * square + square / 2;
        let y = bottom + square / 2 - rank * square;
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    fn xdotool(&self, arguments: &[&str]) {
        // XBoard takes the markers of an answer up in its own time.
        sleep(4 * GLANCE);
        let status = self.on_screen("xdotool").args(arguments).status().expect("xdotool is installed");
        assert!(status.success(), "{arguments:?}");
    }

    // --- Eyes --------------------------------------------------------------------------------------

    /// Waits for a line of XBoard's log after those seen before that contains `text`.
    fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let log = fs::read(self.folder.path().join("debug")).unwrap_or_default();
            let fresh = String::from_utf8_lossy(&log[self.seen.min(log.len())..]).into_owned();
            // A line counts once it is whole.
            if let Some(at) = fresh.find(text)
                && let Some(length) = fresh[at..].find('\n')
            {
                self.seen += at + length;
                return;
            }
            if start.elapsed() > PATIENCE {
                self.picture("failed");
                panic!("no '{text}' in XBoard's log:\n{fresh}");
            }
            sleep(GLANCE);
        }
    }

    /// Waits for XBoard to send a move on (in two parts, each with its own mark in the log).
    fn moved(&mut self, text: &str) {
        self.expect(&format!(">first : {text}"));
    }

    /// Keeps a picture of XBoard's window.
    fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mouse");
        fs::create_dir_all(&folder).unwrap();
        sleep(4 * GLANCE);
        let status = self
            .on_screen("import")
            .args(["-window", "root", "-trim", "-colors", "64"])
            .arg(folder.join(format!("{name}.png")))
            .status();
        assert!(status.expect("ImageMagick is installed").success());
    }

    /// Closes XBoard; the engine must have been sent these moves and no others.
    fn end_with(mut self, moves: &[&str]) {
        let _ = self.xboard.kill();
        let _ = self.xboard.wait();
        let log = fs::read_to_string(self.folder.path().join("engine.log")).unwrap();
        let sent: Vec<&str> =
            log.lines().filter_map(|line| line.split_once(" > usermove ")).map(|(_, text)| text).collect();
        assert_eq!(sent, moves, "{log}");
    }

    fn on_screen(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.screen.display);
        command
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.xboard.kill();
        let _ = self.xboard.wait();
    }
}

/// The engine as XBoard is to start it, with its games set up at `fen`.
///
/// XBoard takes a start position of an engine-defined variant from the engine only. The wrapper puts
/// one into the `setup` line, and tells the engine of it.
fn wrapper(folder: &Path, fen: &str) -> PathBuf {
    let path = folder.join("engine");
    let log = folder.join("engine.log");
    let script = format!(
        "#!/bin/sh\n\
         sed -u -e '/^variant/i\\\noption Log File={log}' -e '/^variant/a\\\nsetboard {fen}' |\n\
         '{ALFONSO}' xboard |\n\
         sed -u 's#^setup \\(([^)]*)\\) \\([^ ]*\\) .*#setup \\1 \\2 {fen}#'\n",
        log = log.display(),
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
