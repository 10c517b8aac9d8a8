//! Matches with the real program: against itself, against ShaMax, and against an engine that is
//! broken in every way we could think of.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const ALFONSO: &str = env!("CARGO_BIN_EXE_alfonso");
const SHAMAX: &str = "/usr/games/shamax";
const ACEDREX: &str = "grande-acedrex";
const DRAUGHTS: &str = "spanish-draughts";

/// A match with its files in a folder of its own.
struct Match {
    folder: TempDir,
    arguments: Vec<String>,
}

impl Match {
    fn new(variant: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [json, record] = ["match.jsonl", "match.games"].map(|name| path_text(&folder.path().join(name)));
        let words = ["match", "--variant", variant, "--json", &json, "--record", &record];
        Match { folder, arguments: words.map(String::from).to_vec() }
    }

    /// Adds arguments, given as words with spaces between.
    fn with(mut self, words: &str) -> Self {
        self.arguments.extend(words.split(' ').map(String::from));
        self
    }

    /// Adds an engine: its command, and further words.
    fn engine(mut self, command: &str, words: &str) -> Self {
        self.arguments.extend(["--engine".into(), format!("cmd={command}")]);
        self.with(words)
    }

    /// Adds alfonso over UCI, with a small table.
    fn alfonso(self, words: &str) -> Self {
        self.engine(&format!("\"{ALFONSO}\" uci"), &format!("option.Hash=4 {words}"))
    }

    /// Adds the broken engine, which misbehaves once it has made `sound` moves. It passes the rest on
    /// to alfonso, speaking `protocol`.
    fn broken(self, mode: &str, sound: u32, protocol: &str, words: &str) -> Self {
        let command = broken_command(mode, sound, protocol);
        self.engine(&command, &format!("name={mode} proto={protocol} {words}"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(ALFONSO);
        command.args(&self.arguments).stdin(Stdio::null());
        command
    }

    fn start(&self) -> Child {
        self.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Runs the match to its end.
    fn run(&self) -> Output {
        let output = self.command().output().unwrap();
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}\n{}", show(&output.stdout), show(&output.stderr));
        output
    }

    /// Lines of one kind (`match`, `game`, `summary`) in the journal. A last line that was not
    /// written to its end does not count.
    fn lines(&self, kind: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path("match.jsonl")).unwrap_or_default();
        text.split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter_map(|mut line| line.get_mut(kind).map(Value::take))
            .collect()
    }

    fn games(&self) -> Vec<Value> {
        self.lines("game")
    }

    fn summary(&self) -> Value {
        self.lines("summary").pop().expect("a match that ends leaves a summary")
    }

    fn records(&self) -> String {
        fs::read_to_string(self.path("match.games")).unwrap()
    }
}

fn path_text(path: &Path) -> String {
    path.to_str().expect("temporary folders have plain names").into()
}

fn broken_command(mode: &str, sound: u32, protocol: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/broken.py");
    format!("python3 \"{script}\" {mode} {sound} \"{ALFONSO}\" {protocol}")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Asserts that every game ended by the rules.
#[track_caller]
fn assert_no_mistakes(games: &[Value]) {
    for game in games {
        assert_eq!(game["culprit"], Value::Null, "{game}");
    }
}

// --- Matches that go well -----------------------------------------------------------------

/// Twenty games of alfonso against itself, on short clocks.
fn plays_itself(variant: &str) {
    // The margin is for busy machines: the test is not about speed.
    let words = "--each tc=0.4+0.01 --games 20 --concurrency 2 --margin 5000";
    let game = Match::new(variant).alfonso("name=one").alfonso("name=two").with(words);
    game.run();
    let games = game.games();
    assert_eq!(games.len(), 20);
    assert_no_mistakes(&games);
    // Each opening was played with both colours.
    let openings: HashSet<u64> = games.iter().map(|game| game["opening"].as_u64().unwrap()).collect();
    assert_eq!(openings.len(), 10);
    assert_eq!(games.iter().filter(|game| game["white"] == "one").count(), 10);
    assert_eq!(game.records().matches("[Event ").count(), 20);
    let summary = game.summary();
    assert_eq!((&summary["games"], &summary["finished"]), (&20.into(), &true.into()));
}

#[test]
#[ignore = "long: tests/run runs it"]
fn plays_itself_in_the_12x12_game() {
    plays_itself(ACEDREX);
}

#[test]
#[ignore = "long: tests/run runs it"]
fn plays_itself_in_draughts() {
    plays_itself(DRAUGHTS);
}

#[test]
#[ignore = "long, needs fairymax: tests/run runs it"]
fn plays_shamax() {
    // ShaMax on a `level` clock; it oversteps short ones.
    let game = Match::new(ACEDREX)
        .alfonso("name=alfonso nodes=3000")
        .engine(SHAMAX, "proto=xboard name=ShaMax tc=2")
        .with("--games 20 --concurrency 2 --margin 5000");
    game.run();
    let summary = game.summary();
    assert_eq!(summary["games"], 20);
    for line in game.games() {
        assert_ne!(line["culprit"], "alfonso", "{line}");
        // What ShaMax may get wrong: a leap out of check, and a legal leap of ours.
        if line["culprit"] == "ShaMax" {
            let reason = text(&line, "reason");
            assert!(["illegal move", "lost clock", "refusal of a legal move"].contains(&reason), "{line}");
        }
    }
}

#[test]
fn both_protocols_meet_on_short_clocks() {
    let game = Match::new(ACEDREX)
        .alfonso("name=uci tc=0.3+0.01")
        .engine(&format!("\"{ALFONSO}\" xboard"), "name=xboard proto=xboard tc=40/1 option.Hash=4")
        .with("--games 2 --margin 5000 --openings")
        .with(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference/openings.txt"));
    game.run();
    let games = game.games();
    assert_eq!(games.len(), 2);
    assert_no_mistakes(&games);
    let records = game.records();
    assert_eq!(records.matches("RLUG1A1CGULR b g 1 3\"]").count(), 2, "{records}");
    assert_eq!(records.matches("\n3... Kg10 {book} 4. ").count(), 2, "{records}");
}

/// Captures go through XBoard's protocol as it can carry them.
#[test]
fn both_protocols_meet_in_draughts() {
    let game = Match::new(DRAUGHTS)
        .alfonso("name=uci nodes=200")
        .engine(&format!("\"{ALFONSO}\" xboard"), "name=xboard proto=xboard depth=3 option.Hash=4")
        .with("--games 20 --concurrency 2");
    game.run();
    let games = game.games();
    assert_eq!(games.len(), 20);
    assert_no_mistakes(&games);
}

#[test]
fn round_robins_and_gauntlets() {
    for (format, pairings) in [("round-robin", 3), ("gauntlet", 2)] {
        let game = Match::new(DRAUGHTS)
            .alfonso("name=a nodes=200")
            .alfonso("name=b nodes=100")
            .alfonso("name=c depth=2")
            .with(&format!("--games 2 --concurrency 2 --format {format}"));
        game.run();
        let games = game.games();
        assert_eq!(games.len(), 2 * pairings, "{format}");
        assert_no_mistakes(&games);
        let met: BTreeSet<[&str; 2]> =
            games.iter().map(|game| [text(game, "white"), text(game, "black")]).collect();
        assert_eq!(met.len(), 2 * pairings, "{format}: {met:?}");
        assert_eq!(game.summary()["players"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let play = |seed: u32| {
        let game = Match::new(DRAUGHTS).alfonso("name=a nodes=300").alfonso("name=b nodes=200");
        let game = game.with(&format!("--games 6 --order random --seed {seed}"));
        game.run();
        let games = game.games().into_iter().map(|mut game| {
            // Times differ in their length.
            game["games_file_length"].take();
            game.to_string()
        });
        games.collect::<Vec<_>>()
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn adjudication_is_off_unless_asked_for() {
    let play = |words: &str| {
        let game = Match::new(DRAUGHTS).alfonso("name=a nodes=200").alfonso("name=b nodes=200");
        let game = game.with(words);
        game.run();
        game.games()
    };
    let adjudicated = |games: &[Value]| games.iter().filter(|game| game["reason"] == "adjudication").count();
    assert_eq!(adjudicated(&play("--games 4")), 0);
    let games = play("--games 4 --draw moves=1 score=10000 from=5");
    assert_eq!(adjudicated(&games), 4);
    assert!(games.iter().all(|game| game["result"] == "1/2-1/2"));
}

// --- Statistics ---------------------------------------------------------------------------

/// Half the nodes are weaker, and the test says so.
#[test]
#[ignore = "long: tests/run runs it"]
fn sprt_of_twice_the_nodes_ends_with_h1() {
    let game = Match::new(ACEDREX)
        .alfonso("name=whole nodes=1200")
        .alfonso("name=half nodes=600")
        .with("--concurrency 2 --sprt elo0=0 elo1=60");
    game.run();
    let sprt = &game.summary()["sprt"];
    assert_eq!(sprt["verdict"], "H1", "{sprt}");
    assert!(sprt["llr"].as_f64().unwrap() >= sprt["high"].as_f64().unwrap());
}

/// The same engine twice, deterministic: the two games of a pair are the same game, so all pairs
/// score alike.
#[test]
fn sprt_of_equals_does_not_end_with_h1() {
    let game = Match::new(DRAUGHTS)
        .alfonso("name=a nodes=150")
        .alfonso("name=b nodes=150")
        .with("--games 40 --concurrency 2 --sprt elo0=0 elo1=60");
    game.run();
    let summary = game.summary();
    let pairs: Vec<u64> =
        summary["pairings"][0]["pairs"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
    assert_eq!(pairs.iter().sum::<u64>(), pairs[2], "{pairs:?}");
    assert!(summary["sprt"]["llr"].as_f64().is_some_and(f64::is_finite), "{summary}");
    assert_ne!(summary["sprt"]["verdict"], "H1");
}

// --- Engines that fail --------------------------------------------------------------------

/// Plays four games against an engine that is broken in some way, with so many seconds of patience, and checks that it lost them all
/// for the right reason, and that every game was played.
#[track_caller]
fn loses(mode: &str, limit: &str, patience: u32, reason: &str) -> Match {
    let game = Match::new(DRAUGHTS)
        .alfonso("name=sound nodes=100")
        .broken(mode, 2, "uci", limit)
        .with(&format!("--games 4 --concurrency 2 --patience {patience}"));
    let output = game.run();
    let games = game.games();
    assert_eq!(games.len(), 4, "{mode}");
    for line in &games {
        let lost = if line["white"] == mode { "0-1" } else { "1-0" };
        assert_eq!((text(line, "reason"), text(line, "result")), (reason, lost), "{mode}: {line}");
        assert_eq!(line["culprit"], mode);
        assert!(!line["dialogue"].as_array().unwrap().is_empty(), "{mode}: {line}");
    }
    assert_eq!(game.summary()["mistakes"][mode][reason], 4);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told.matches("lost by a mistake; the dialogue's end:").count(), 4, "{told}");
    game
}

#[test]
fn crashes() {
    let game = loses("crash", "nodes=100", 60, "crash");
    let dialogue = game.games()[0]["dialogue"].to_string();
    assert!(dialogue.contains("! this is the end"), "stderr is part of the dialogue: {dialogue}");
}

#[test]
fn hangs() {
    loses("hang", "tc=1", 60, "lost clock");
    loses("hang", "nodes=100", 8, "no answer");
}

#[test]
fn is_silent() {
    loses("silent", "st=1", 60, "lost clock");
}

#[test]
fn is_late() {
    loses("late", "st=1", 60, "lost clock");
}

#[test]
fn plays_illegal_moves() {
    let game = loses("illegal", "nodes=100", 60, "illegal move");
    assert!(game.records().contains("rules infraction"));
    loses("nonsense", "nodes=100", 60, "illegal move");
}

#[test]
fn claims_wrongly() {
    let game = Match::new(ACEDREX)
        .alfonso("name=sound nodes=100")
        .broken("claim", 1, "xboard", "depth=1")
        .with("--games 2");
    game.run();
    for line in game.games() {
        // `1-0`: from White a claim, from Black a way to resign.
        let expected = if line["white"] == "claim" { ("false claim", "0-1") } else { ("resignation", "1-0") };
        assert_eq!((text(&line, "reason"), text(&line, "result")), expected, "{line}");
    }
}

#[test]
fn resigns() {
    let game = Match::new(ACEDREX)
        .alfonso("name=sound nodes=100")
        .broken("resign", 1, "xboard", "depth=1")
        .with("--games 2");
    game.run();
    assert!(game.games().iter().all(|line| line["reason"] == "resignation" && line["culprit"].is_null()));
    assert_eq!(game.summary()["pairings"][0]["wins"], 2);
}

/// Neither lines nor a line without end, on either stream, make the match large or slow.
#[test]
fn floods() {
    for mode in ["flood", "endless", "noise"] {
        let game = Match::new(DRAUGHTS)
            .alfonso("name=sound nodes=100")
            .broken(mode, 1, "uci", "tc=1")
            .with("--games 2");
        let mut child = game.start();
        let start = Instant::now();
        let mut largest = 0;
        let status = loop {
            largest = largest.max(resident_kib(child.id()));
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{mode}");
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{mode}");
        assert!(game.games().iter().all(|line| line["reason"] == "lost clock"), "{mode}");
        assert!(largest < 200_000, "{mode}: {largest} KiB");
    }
}

/// Memory of a process; 0 where the system does not tell.
fn resident_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn refused_moves_make_the_pair_void() {
    let folder = tempfile::tempdir().unwrap();
    let marker = path_text(&folder.path().join("refused"));
    let command =
        broken_command("refuse", 3, "xboard").replace(" refuse ", &format!(" --once \"{marker}\" refuse "));
    let game = Match::new(ACEDREX)
        .alfonso("name=sound nodes=100")
        .engine(&command, "name=refuse proto=xboard depth=1")
        .with("--games 4");
    game.run();
    let games = game.games();
    let void: Vec<&Value> = games.iter().filter(|line| line["result"] == "*").collect();
    assert_eq!(void.len(), 1, "{games:?}");
    assert_eq!(text(void[0], "reason"), "refusal of a legal move");
    // The pair was played again from another opening; what counts are four whole games.
    let again: Vec<&Value> = games.iter().filter(|line| line["attempt"] == 1).collect();
    assert_eq!(again.len(), 2, "{games:?}");
    assert!(again.iter().all(|line| line["opening"] != void[0]["opening"]));
    assert_eq!(game.summary()["games"], 4);
}

#[test]
fn illegal_moves_may_be_void() {
    let folder = tempfile::tempdir().unwrap();
    let marker = path_text(&folder.path().join("moved"));
    let command =
        broken_command("illegal", 1, "uci").replace(" illegal ", &format!(" --once \"{marker}\" illegal "));
    let game = Match::new(DRAUGHTS)
        .alfonso("name=sound nodes=100")
        .engine(&command, "name=illegal nodes=100")
        .with("--games 2 --void-illegal");
    game.run();
    let results: Vec<String> = game.games().iter().map(|line| text(line, "result").into()).collect();
    assert_eq!(results.iter().filter(|result| *result == "*").count(), 1, "{results:?}");
    assert_eq!(game.summary()["games"], 2);
}

#[test]
fn engines_that_cannot_play_are_refused_at_once() {
    let refused = |game: Match, expected: &str| {
        let output = game.command().output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(expected), "{expected}: {told}");
    };
    let with = |command: &str, words: &str| Match::new(ACEDREX).alfonso("nodes=10").engine(command, words);
    refused(with("no-such-program", "nodes=10"), "'no-such-program' cannot be started");
    refused(with(ALFONSO, "nodes=10 option.Hsh=3"), "it has no option 'Hsh'; it has Hash");
    refused(with(ALFONSO, "nodes=10 proto=xboard"), "no limit by nodes");
    refused(
        with(&broken_command("crash", 0, "nonsense"), "nodes=10").with("--patience 2"),
        "before it was ready",
    );
    refused(with(ALFONSO, "nodes=10").with("--sprt elo0=9"), "--sprt: allowed: elo0 below elo1");
    refused(with(ALFONSO, "name=x"), "there is no limit to its thinking");
    refused(
        with(ALFONSO, "nodes=10").with("--draughts-draws club"),
        "--draughts-draws is for spanish-draughts",
    );
    let draughts = Match::new(DRAUGHTS).alfonso("nodes=10").alfonso("nodes=10");
    refused(draughts.with("--move-rule 50"), "--move-rule is for grande-acedrex");
}

// --- Kills --------------------------------------------------------------------------------

#[test]
fn a_killed_match_goes_on_where_it_stopped() {
    let game = Match::new(ACEDREX)
        .alfonso("name=a nodes=150")
        .alfonso("name=b nodes=100")
        .with("--games 16 --concurrency 2 --resume");
    let mut before = 0;
    for _ in 0..3 {
        let mut child = game.start();
        let start = Instant::now();
        while game.games().len() < before + 2 && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let after = game.games().len();
        assert!(after >= before + 2, "{before} {after}");
        before = after;
    }
    game.run();
    let games = game.games();
    let different: HashSet<(u64, u64)> =
        games.iter().map(|line| (line["round"].as_u64().unwrap(), line["leg"].as_u64().unwrap())).collect();
    assert_eq!((games.len(), different.len()), (16, 16));
    let records = game.records();
    assert_eq!(records.matches("[Event ").count(), 16);
    for line in &games {
        let round = format!(
            "[Round \"{}.{}\"]",
            line["round"].as_u64().unwrap() + 1,
            line["leg"].as_u64().unwrap() + 1
        );
        assert_eq!(records.matches(&round).count(), 1, "{round}");
    }
    assert_eq!(game.summary()["games"], 16);

    // A finished match has nothing left to play.
    game.run();
    assert_eq!(game.games().len(), 16);
    // And it is not mistaken for another one.
    let other = Command::new(ALFONSO).args(&game.arguments).args(["--seed", "2"]).output().unwrap();
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(!other.status.success() && told.contains("seed was 1 and is 2 now"), "{told}");
}

/// As a terminal does it on Ctrl-C: everything in the foreground gets the signal.
#[cfg(unix)]
#[test]
fn an_interrupted_match_counts_no_crash() {
    use std::os::unix::process::CommandExt;

    let game = Match::new(ACEDREX).alfonso("name=a nodes=2000").alfonso("name=b nodes=2000");
    let mut child =
        game.command().process_group(0).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| !game.games().is_empty());
    let signal = Command::new("kill").args(["-INT", "--", &format!("-{}", child.id())]).status().unwrap();
    assert!(signal.success());
    assert!(!child.wait().unwrap().success());
    assert_no_mistakes(&game.games());
    assert_eq!(game.summary()["finished"], false);
}

/// Whatever becomes of a match, its engines go with it.
#[cfg(target_os = "linux")]
#[test]
fn engines_do_not_outlive_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let token = path_text(&folder.path().join("none"));
    let with_token = |mode: &str, sound: u32| {
        broken_command(mode, sound, "uci")
            .replace(&format!(" {mode} "), &format!(" --once \"{token}\" {mode} "))
    };
    // A match that ends while an engine hangs.
    let game = Match::new(DRAUGHTS)
        .alfonso("name=sound nodes=100")
        .engine(&with_token("hang", 1), "name=hang tc=1")
        .with("--games 2");
    game.run();
    assert_eq!(game.games()[0]["reason"], "lost clock");
    assert_eq!(processes_with(&token), 0);

    // Killed outright, a match leaves its engines alone with a closed input: a farewell to them.
    let engine = with_token("hang", 1_000_000);
    let game = Match::new(DRAUGHTS).engine(&engine, "name=a nodes=1000").engine(&engine, "name=b nodes=1000");
    let mut child = game.start();
    wait_until(|| processes_with(&token) >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(|| processes_with(&token) == 0);
}

/// Running processes with this text in their command line.
#[cfg(target_os = "linux")]
fn processes_with(text: &str) -> usize {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let lines = folders.filter_map(|folder| fs::read(folder.join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(text)).count()
}

#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(50));
    }
}
