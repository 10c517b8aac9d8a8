//! Analysis, positions, games reloaded, a tournament and `alfonso gui` in the real XBoard 4.9.1, on a screen that
//! nobody sees (Xvfb), driven by its keys (xdotool). XBoard's log tells both sides of the dialogue.

mod common;

use std::fs;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::ALFONSO;
use common::screen::{Screen, xboard};
use tempfile::TempDir;

/// How long to wait for what must come.
const PATIENCE: Duration = Duration::from_secs(40);
/// XBoard takes a key only once it is done with the one before.
const BETWEEN_KEYS: Duration = Duration::from_millis(800);

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn analysis_follows_the_board() {
    let xboard = XBoard::start("grande-acedrex");
    xboard.key("ctrl+a");
    xboard.await_said(">first : analyze");
    xboard.move_by_name("e4e5");
    xboard.move_by_name("e9e8");
    for sent in [1, 2] {
        xboard.key("alt+Left");
        xboard.await_times(">first : undo", sent);
    }
    // XBoard asks for the state every other second; the root has its 59 moves again.
    let undone = xboard.log().len();
    xboard.await_that("the state after undo", |log| {
        log[undone..]
            .lines()
            .any(|line| line.contains("<first : stat01: ") && line.rsplit(' ').nth(1) == Some("59"))
    });
    // A position in XBoard's own spelling, by way of its clipboard.
    xboard.key("ctrl+shift+c");
    xboard.key("ctrl+shift+v");
    xboard.await_said(">first : setboard rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Gg 0 1");
    let log = xboard.log();
    refused_nothing(&log);
    assert!(
        log.contains("accepted exclude") && log.contains("accepted analyze") && !log.contains("rejected")
    );
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool; tests/run runs it"]
fn a_saved_game_is_reloaded() {
    const MOVES: [&str; 3] = ["g1e3", "g12i10", "d4d5"];
    let xboard = XBoard::start("grande-acedrex");
    xboard.key("ctrl+e");
    for text in MOVES {
        xboard.move_by_name(text);
    }
    // PGN to XBoard's clipboard, and from there into a new game.
    xboard.key("ctrl+c");
    xboard.key("ctrl+n");
    let saved = xboard.log().len();
    xboard.key("ctrl+v");
    for text in MOVES {
        xboard.await_that(text, |log| log[saved..].contains(&format!(">first : {text}")));
    }
    let log = xboard.log();
    assert!(log.contains("setboard") && log.contains("w Gg 0 1"));
    refused_nothing(&log);
}

#[test]
#[ignore = "needs xboard, Xvfb and fairymax; tests/run runs it"]
fn a_tournament_of_three_comes_to_its_end() {
    const LONGEST: &str = "150";
    let folder = tempfile::tempdir().unwrap();
    let screen = Screen::alone();
    let engines = [("Alfa", ALFONSO), ("Beta", ALFONSO), ("Rival", "/usr/games/shamax")];
    // Of a last line without an end XBoard 4.9.1 may say that no such engine is installed.
    let line = |(name, command)| format!("\"{name}\" -fcp {command} -variant grande-acedrex\n");
    let list = engines.map(line).concat();
    let participants = engines.map(|(name, _)| format!("{name} (grande-acedrex)\n")).concat();
    let file = folder.path().join("tournament.trn");
    let text = format!(
        "-participants {{{participants}}}\n-tourneyType 0\n-tourneyCycles 1\n-defaultMatchGames 1\n\
         -timeControl \"0:05\"\n-timeIncrement 0.05\n-saveGameFile \"{}\"\n-results \"\"\n",
        folder.path().join("games.pgn").display()
    );
    fs::write(&file, text).unwrap();
    let status = screen
        .start_in(folder.path(), "timeout")
        .args(["-k", "10", LONGEST])
        .arg(xboard())
        .args(["-fcp", ALFONSO, "-scp", ALFONSO, "-variant", "grande-acedrex"])
        .args(["-firstChessProgramNames", &list, "-mm", "-tf"])
        .arg(&file)
        .args([
            "-testClaims",
            "true",
            "-checkMates",
            "true",
            "-repeatsToDraw",
            "3",
            "-adjudicateDrawMoves",
            "30",
        ])
        .args(["-timeDelay", "0"])
        .args(COMMON_OPTIONS)
        .status()
        .expect("timeout can be started");
    let log = fs::read_to_string(folder.path().join("debug")).unwrap_or_default();
    assert!(status.success(), "{status}; {}", log.lines().rev().take(30).collect::<Vec<_>>().join("\n"));
    let results = fs::read_to_string(&file).unwrap();
    let results = results.lines().find_map(|line| line.strip_prefix("-results ")).unwrap_or_default();
    let played = results.chars().filter(|c| "+-=".contains(*c)).count();
    assert_eq!(played, 3, "{results}");
    for line in log.lines().filter(|line| line.starts_with("GameEnds(")) {
        assert!(!["orfeit", "alse", "exited"].iter().any(|wrong| line.contains(wrong)), "{line}");
    }
}

#[test]
#[ignore = "needs xboard and Xvfb; tests/run runs it"]
fn alfonso_gui_plays_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let screen = Screen::alone();
    let status = screen
        .start_in(folder.path(), "timeout")
        .args(["-k", "10", "100", ALFONSO, "gui", "--variant", "spanish-draughts"])
        .args(["--opponent", ALFONSO, "--games", "1", "--"])
        .args(["-tc", "0:03", "-inc", "0.02", "-timeDelay", "0", "-adjudicateDrawMoves", "20"])
        .args(COMMON_OPTIONS)
        .status()
        .expect("timeout can be started");
    let log = fs::read_to_string(folder.path().join("debug")).unwrap_or_default();
    assert!(status.success(), "{status}; {}", log.lines().rev().take(30).collect::<Vec<_>>().join("\n"));
    assert!(log.contains(">second: variant spanish-draughts") && log.contains("New game (1)"), "{log}");
    refused_nothing(&log);
}

/// Neither side has refused a thing.
fn refused_nothing(log: &str) {
    for wrong in ["<first : Error", "<first : Illegal", "<first : telluser"] {
        assert!(!log.contains(wrong), "{wrong} in:\n{log}");
    }
}

const COMMON_OPTIONS: [&str; 18] = [
    "-debugMode",
    "true",
    "-nameOfDebugFile",
    "debug",
    "-saveSettingsOnExit",
    "false",
    "-testLegality",
    "true",
    "-animateMoving",
    "false",
    "-startupMessage",
    "",
    "-popupExitMessage",
    "false",
    "-popupMoveErrors",
    "false",
    "-ringBellAfterMoves",
    "false",
];

/// An XBoard with the engine in it, and a hand on its keys.
struct XBoard {
    child: Child,
    window: String,
    folder: TempDir,
    screen: Screen,
}

impl XBoard {
    /// Starts it and waits until the game is set up.
    fn start(variant: &str) -> Self {
        let (folder, screen) = (tempfile::tempdir().unwrap(), Screen::alone());
        let child = screen
            .start_in(folder.path(), xboard())
            .args(["-fcp", ALFONSO, "-variant", variant])
            .args(COMMON_OPTIONS)
            .spawn()
            .expect("XBoard is installed");
        let mut xboard = XBoard { child, window: String::new(), folder, screen };
        xboard.await_said("<first : pong 1");
        sleep(BETWEEN_KEYS);
        let windows = xboard.xdotool(&["search", "--onlyvisible", "--name", "xboard"]);
        xboard.window = windows.lines().next().expect("XBoard shows its window").into();
        xboard
    }

    fn key(&self, key: &str) {
        self.xdotool(&["windowfocus", "--sync", &self.window]);
        self.xdotool(&["key", "--clearmodifiers", key]);
        sleep(BETWEEN_KEYS);
    }

    /// Typing on the board opens a box for a move. On a busy machine the box may come too late for the
    /// letters, which are then typed again.
    fn move_by_name(&self, text: &str) {
        const TRIES: usize = 5;
        let sent = format!(">first : {text}");
        let before = self.log().matches(&sent).count();
        for _ in 0..TRIES {
            self.key(&text[..1]);
            self.xdotool(&["type", "--delay", "100", &text[1..]]);
            sleep(BETWEEN_KEYS);
            self.xdotool(&["key", "Return"]);
            let typed = Instant::now();
            while typed.elapsed() < PATIENCE / 10 {
                if self.log().matches(&sent).count() > before {
                    return sleep(BETWEEN_KEYS);
                }
                sleep(BETWEEN_KEYS / 8);
            }
            self.xdotool(&["key", "Escape"]);
        }
        panic!("never sent: {text}, in\n{}", self.log());
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.screen.display).output();
        String::from_utf8_lossy(&output.expect("xdotool is installed").stdout).into_owned()
    }

    fn log(&self) -> String {
        let bytes = fs::read(self.folder.path().join("debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn await_said(&self, text: &str) {
        self.await_times(text, 1);
    }

    fn await_times(&self, text: &str, times: usize) {
        self.await_that(text, |log| log.matches(text).count() >= times);
    }

    fn await_that(&self, what: &str, seen: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !seen(&self.log()) {
            assert!(start.elapsed() < PATIENCE, "never seen: {what}, in\n{}", self.log());
            sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for XBoard {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
