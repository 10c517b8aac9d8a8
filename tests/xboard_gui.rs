//! Games under the real XBoard 4.9.1, on a screen that nobody sees (Xvfb).
//!
//! XBoard referees: it forfeits whoever makes a move or a claim that it does not share. Its log tells
//! every move, and each game is played over again by our own rules.

mod common;

use std::fs;

use alfonso::engine::{LegalMove, Options, Session, Variant};
use common::ALFONSO;
use common::screen::{Screen, xboard};

const SHAMAX: &str = "/usr/games/shamax";

/// Seconds after which a match is ended by force.
const LONGEST_MATCH: u32 = 300;

#[test]
#[ignore = "needs xboard and Xvfb; tests/run runs it"]
fn two_copies_play_the_12x12_game() {
    let games = play(Variant::GrandeAcedrex, [ALFONSO, ALFONSO], true, 2, ["0:06", "0.05"]);
    assert_eq!(games.len(), 2);
    for game in games {
        game.check();
    }
}

#[test]
#[ignore = "needs xboard and Xvfb; tests/run runs it"]
fn two_copies_play_draughts() {
    for (testing, count) in [(true, 4), (false, 2)] {
        let games = play(Variant::SpanishDraughts, [ALFONSO, ALFONSO], testing, count, ["0:05", "0.05"]);
        assert_eq!(games.len(), count);
        for game in games {
            game.check();
        }
    }
}

#[test]
#[ignore = "needs xboard, Xvfb and fairymax; tests/run runs it"]
fn shamax_is_a_good_opponent() {
    for engines in [[ALFONSO, SHAMAX], [SHAMAX, ALFONSO]] {
        // ShaMax now and then takes a legal move for an illegal one, or never answers: such a game
        // says nothing.
        const TRIES: usize = 3;
        let game =
            (0..TRIES).find_map(|_| match run(Variant::GrandeAcedrex, engines, true, 1, ["0:15", "0.1"]) {
                Ok(mut games) => games.pop().filter(|game| !game.complained(SHAMAX)),
                Err(Stuck { waits_for, end_of_log }) => {
                    assert_eq!(waits_for, Some(SHAMAX), "{end_of_log}");
                    None
                }
            });
        game.expect("ShaMax accepts a whole game in one of several tries").check();
    }
}

/// One game as XBoard saw it.
struct GameLog {
    variant: Variant,
    /// The engines of the first and second seat.
    engines: [&'static str; 2],
    /// What was said between the start and the end, by which seat.
    said: Vec<(usize, String)>,
    /// Of the saved game: `1-0`, `0-1`, `1/2-1/2`.
    result: String,
    /// XBoard's own words for it.
    why: String,
}

impl GameLog {
    /// Did this engine call a move illegal?
    fn complained(&self, engine: &str) -> bool {
        self.said.iter().any(|(seat, line)| self.engines[*seat] == engine && line.starts_with("Illegal move"))
    }

    /// Nobody forfeited, every move of ours is legal by our rules, and the result is theirs.
    fn check(&self) {
        let transcript: Vec<&str> = self.said.iter().map(|(_, line)| line.as_str()).collect();
        let transcript = transcript.join("\n");
        assert!(!self.complained(ALFONSO), "{transcript}");
        for wrong in ["orfeit", "alse", "llegal", "nvalid", "exited"] {
            assert!(!self.why.contains(wrong), "{}\n{transcript}", self.why);
        }
        let mut session = self.variant.start(&Options::default());
        let mut drawn = false;
        let mut known = true;
        for (seat, text) in self.moves() {
            match find_move(&*session, &text) {
                Some(m) => session.play(&m.text).unwrap(),
                // ShaMax may leap out of check, and moves on with a bare king: our rules end here.
                None => {
                    assert_eq!(self.engines[seat], SHAMAX, "{text} in {}\n{transcript}", session.fen());
                    known = false;
                    break;
                }
            }
            drawn |= session.ending().is_some_and(|ending| ending.winner.is_none());
        }
        let decided = session.ending_of_play().filter(|ending| ending.winner.is_some());
        match decided {
            Some(ending) => assert_eq!(ending.result(), self.result, "{}", self.why),
            // XBoard counts the first position of a set-up game not at all, and so draws a ply later.
            None if known => {
                assert_eq!(self.result, "1/2-1/2", "{}\n{transcript}", self.why);
                assert!(drawn, "no draw by our rules: {}\n{transcript}", self.why);
            }
            None => {}
        }
    }

    /// The moves, each in one piece: a move with a comma at its end goes on in the next line.
    fn moves(&self) -> Vec<(usize, String)> {
        let mut moves: Vec<(usize, String)> = Vec::new();
        for (seat, line) in &self.said {
            let Some(text) = line.strip_prefix("move ") else { continue };
            match moves.last_mut() {
                Some((_, begun)) if begun.ends_with(',') => begun.push_str(text),
                _ => moves.push((*seat, text.into())),
            }
        }
        moves
    }
}

/// The legal move that a text to XBoard means.
fn find_move(session: &dyn Session, text: &str) -> Option<LegalMove> {
    if session.variant() == Variant::GrandeAcedrex {
        return session.read_move(text).ok();
    }
    let letters: Vec<char> = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let squares: Vec<String> = letters.chunks_exact(2).map(|square| square.iter().collect()).collect();
    let (from, to) = (squares.first()?, squares.last()?);
    let kills = &squares[1..squares.len() - 1];
    let agreeing = |m: &LegalMove| m.parts.captured.iter().filter(|square| kills.contains(square)).count();
    let legal = session.legal_moves();
    legal.into_iter().rev().filter(|m| &m.parts.from == from && &m.parts.to == to).max_by_key(agreeing)
}

/// A match that XBoard did not bring to its end.
struct Stuck {
    /// The engine to which the last move or `go` went.
    waits_for: Option<&'static str>,
    end_of_log: String,
}

/// Lets XBoard play a match, which must come to its end, and returns its games.
fn play(
    variant: Variant,
    engines: [&'static str; 2],
    testing: bool,
    games: usize,
    time: [&str; 2],
) -> Vec<GameLog> {
    run(variant, engines, testing, games, time).unwrap_or_else(|stuck| {
        panic!("XBoard did not end well; the end of its log:\n{}", stuck.end_of_log);
    })
}

/// Lets XBoard play a match of so many games, its legality testing on or off, with minutes and an
/// increment in seconds for each side.
fn run(
    variant: Variant,
    engines: [&'static str; 2],
    testing: bool,
    games: usize,
    [minutes, increment]: [&str; 2],
) -> Result<Vec<GameLog>, Stuck> {
    let folder = tempfile::tempdir().unwrap();
    let screen = Screen::alone();
    let log = folder.path().join("debug");
    let saved = folder.path().join("games.pgn");
    let status = screen
        .start_in(folder.path(), "timeout")
        .args(["-k", "10", &LONGEST_MATCH.to_string()])
        .arg(xboard())
        .args(["-fcp", engines[0], "-scp", engines[1], "-variant", variant.name()])
        .args(["-matchGames", &games.to_string(), "-tc", minutes, "-inc", increment])
        .args(["-debugMode", "true", "-nameOfDebugFile"])
        .arg(&log)
        .arg("-saveGameFile")
        .arg(&saved)
        // Settings may linger from earlier sessions of a user; these are said outright.
        .args([
            "-testLegality",
            if testing { "true" } else { "false" },
            "-testClaims",
            "true",
            "-checkMates",
            "true",
        ])
        .args(["-repeatsToDraw", "3", "-ruleMoves", "50", "-saveSettingsOnExit", "false"])
        .args(["-timeDelay", "0", "-animateMoving", "false", "-startupMessage", ""])
        .args(["-popupExitMessage", "false", "-popupMoveErrors", "false", "-ringBellAfterMoves", "false"])
        .status()
        .expect("timeout can be started");
    let log = fs::read_to_string(&log).unwrap_or_default();
    if !status.success() {
        let lines: Vec<&str> = log.lines().collect();
        let end_of_log = lines[lines.len().saturating_sub(30)..].join("\n");
        let seat = |line: &str| {
            let asks = line.contains(": usermove") || line.contains(": go");
            [" >first : ", " >second: "].iter().position(|mark| asks && line.contains(mark))
        };
        let waits_for = lines.iter().rev().find_map(|line| seat(line)).map(|seat| engines[seat]);
        return Err(Stuck { waits_for, end_of_log });
    }
    let results = results(&fs::read_to_string(&saved).expect("XBoard saves the games"));
    let mut logs = read_log(&log, variant, engines);
    assert_eq!(logs.len(), results.len());
    for (log, result) in logs.iter_mut().zip(results) {
        log.result = result;
    }
    Ok(logs)
}

/// The games in XBoard's log, results left open.
fn read_log(log: &str, variant: Variant, engines: [&'static str; 2]) -> Vec<GameLog> {
    let mut games: Vec<GameLog> = Vec::new();
    let mut under_way = false;
    for line in log.lines() {
        if line.starts_with("New game (") {
            let (said, result, why) = (Vec::new(), String::new(), String::new());
            games.push(GameLog { variant, engines, said, result, why });
            under_way = true;
        }
        let Some(game) = games.last_mut().filter(|_| under_way) else { continue };
        if let Some(why) = line.strip_prefix("GameEnds(") {
            game.why = why.into();
            under_way = false;
        }
        // A time stamp stands before both.
        for (seat, mark) in [" <first : ", " <second: "].into_iter().enumerate() {
            if let Some((_, said)) = line.split_once(mark) {
                game.said.push((seat, said.into()));
            }
        }
    }
    games
}

/// The results of saved games.
fn results(pgn: &str) -> Vec<String> {
    let tags = pgn.lines().filter_map(|line| line.strip_prefix("[Result \"")?.strip_suffix("\"]"));
    tags.map(String::from).collect()
}
