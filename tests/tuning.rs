//! Games of the engine against itself, and the fit to them, with the real program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const ALFONSO: &str = env!("CARGO_BIN_EXE_alfonso");
const GAMES: [&str; 2] = ["grande-acedrex", "spanish-draughts"];

/// Runs `alfonso`, with its words given in one text.
fn alfonso(words: &str) -> Command {
    let mut command = Command::new(ALFONSO);
    command.args(words.split(' ')).stdin(Stdio::null());
    command
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", complaint(&output));
    output
}

/// Runs what must fail and gives what it complains of.
fn fails(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{command:?}");
    complaint(&output)
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The words of a small run that writes to `out`.
fn generate(variant: &str, out: &Path) -> Command {
    let mut command = alfonso("generate --nodes 60 --seed 5 --variant");
    command.arg(variant).arg("--out").arg(out);
    command
}

fn folder() -> (TempDir, impl Fn(&str) -> PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name))
}

/// Waits until the file holds so many bytes, however long that takes.
fn wait_for(path: &Path, bytes: u64, child: &mut Child) {
    while fs::metadata(path).map_or(0, |data| data.len()) < bytes {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn neither_threads_nor_kills_change_the_file() {
    for variant in GAMES {
        let (_folder, path) = folder();
        let (whole, killed) = (path("whole"), path("killed"));
        let output = succeeds(generate(variant, &whole).args(["--games", "24"]));
        let text = fs::read_to_string(&whole).unwrap();
        let games = text.lines().filter(|line| line.starts_with("end ")).count();
        let positions = text.lines().count() - games - 1;
        let summary = format!("{games} games, {positions} positions\n");
        assert_eq!((games, String::from_utf8(output.stdout).unwrap()), (24, summary));

        for share in [0, 1, 2] {
            let mut child = generate(variant, &killed)
                .args(["--games", "1000000", "--threads", "3", "--resume"])
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            wait_for(&killed, 1 + text.len() as u64 * share / 4, &mut child);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // Whatever the kills have left, as far as it is wanted.
        let left = fs::read_to_string(&killed).unwrap();
        let wanted = left.len().min(text.len());
        assert_eq!(left[..wanted], text[..wanted]);
        fs::write(&killed, &left[..wanted]).unwrap();
        succeeds(generate(variant, &killed).args(["--games", "24", "--threads", "2", "--resume"]));
        assert_eq!(fs::read_to_string(&killed).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_whole_games() {
    let (_folder, path) = folder();
    let out = path("positions");
    let mut child = generate(GAMES[1], &out)
        .args(["--games", "1000000", "--threads", "2"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&out, 10_000, &mut child);
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(complaint(&output).ends_with("of 1000000 games; --resume goes on\n"), "{}", complaint(&output));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.lines().last().unwrap().starts_with("end "));
}

#[test]
fn only_the_same_arguments_go_on() {
    let (_folder, path) = folder();
    let out = path("positions");
    succeeds(generate(GAMES[1], &out).args(["--games", "2"]));
    let text = fs::read_to_string(&out).unwrap();
    let refused = fails(generate(GAMES[1], &out).args(["--games", "3"]));
    assert!(refused.contains("--resume"), "{refused}");
    let refused = fails(generate(GAMES[1], &out).args(["--games", "3", "--resume", "--sample", "1"]));
    assert!(refused.contains("sample was 2 and is 1 now"), "{refused}");
    let refused = fails(generate(GAMES[0], &out).args(["--games", "3", "--resume"]));
    assert!(refused.contains("variant was spanish-draughts and is grande-acedrex now"), "{refused}");
    let refused = fails(generate(GAMES[1], &out).args(["--games", "3", "--random-plies", "5..4"]));
    assert!(refused.contains("allowed: FEWEST..MOST"), "{refused}");
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
    fs::write(&out, text.replacen(" plies, ", " plys, ", 1)).unwrap();
    let refused = fails(generate(GAMES[1], &out).args(["--games", "3", "--resume"]));
    assert!(refused.contains("positions: line ") && refused.contains("not the end of a game"), "{refused}");
}

#[test]
fn draughts_weights_cannot_be_fitted_yet() {
    let refused = fails(&mut alfonso("tune --variant spanish-draughts --data nowhere"));
    assert_eq!(refused, "alfonso: the weights of spanish-draughts cannot be fitted yet\n");
}

/// The words of a small fit that writes to `out`.
fn tune(data: &Path, out: &Path) -> Command {
    let mut command = alfonso("tune --batch 64 --rate 5 --validation 0");
    command.arg("--data").arg(data).arg("--out").arg(out);
    command
}

#[test]
fn neither_threads_nor_a_pause_change_the_weights() {
    let (_folder, path) = folder();
    let (data, checkpoint) = (path("positions"), path("checkpoint"));
    let [one, three, paused] = ["one", "three", "paused"].map(path);
    succeeds(generate(GAMES[0], &data).args(["--games", "12"]));
    let output = succeeds(tune(&data, &one).args(["--epochs", "4", "--threads", "1"]));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.lines().count() > 10 && table.contains(" -> "), "{table}");
    succeeds(tune(&data, &three).args(["--epochs", "4", "--threads", "3"]));
    let weights = fs::read(&one).unwrap();
    assert_eq!(fs::read(&three).unwrap(), weights);

    let on = |epochs| {
        let mut command = tune(&data, &paused);
        succeeds(command.args(["--epochs", epochs, "--checkpoint"]).arg(&checkpoint))
    };
    on("2");
    assert_ne!(fs::read(&paused).unwrap(), weights);
    // Half a game more does not count.
    let mut text = fs::read_to_string(&data).unwrap();
    text += "13 1-0 +0 rlug";
    fs::write(&data, &text).unwrap();
    let output = on("4");
    assert!(complaint(&output).contains("epoch 2:") && !complaint(&output).contains("epoch 1:"));
    assert_eq!(fs::read(&paused).unwrap(), weights);
}

#[test]
fn unsound_data_are_refused_and_nothing_is_written() {
    let (_folder, path) = folder();
    let (data, out) = (path("positions"), path("weights"));
    succeeds(generate(GAMES[0], &data).args(["--games", "2"]));
    let text = fs::read_to_string(&data).unwrap();
    let header = text.lines().next().unwrap();
    let white_to_move = text.lines().position(|line| line.contains(" w ")).unwrap() + 1;
    let side = format!("line {white_to_move}: FEN field side to move");
    for (damaged, message) in [
        (text.replacen(" w ", " x ", 1), side.as_str()),
        (text.replacen("\n1 ", "\n3 ", 1), "line 2: not the number of the game"),
        (text.replacen("grande", "petite", 1), "positions of petite-acedrex, not of grande-acedrex"),
        (format!("{header}\n"), "no positions to fit to"),
        ("diary\n".to_owned(), "line 1: not a file of positions"),
    ] {
        assert_ne!(damaged, text);
        fs::write(&data, damaged).unwrap();
        let refused = fails(&mut tune(&data, &out));
        assert!(refused.contains(message), "{refused}");
    }
    assert!(!out.exists());
}
