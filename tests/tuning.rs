//! Games of the engine against itself, and the fit to them, with the real program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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

/// The words of a small run that writes to `out`. Under this seed even few games, of few nodes, go as the
/// evaluation lets expect, as a fit demands.
fn generate(variant: &str, out: &Path) -> Command {
    let mut command = alfonso("generate --nodes 60 --seed 8 --variant");
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
        assert!(output.stdout.is_empty());
        let text = fs::read_to_string(&whole).unwrap();
        let games = text.lines().filter(|line| line.starts_with("end ")).count();
        let positions = text.lines().count() - games - 1;
        let summary = format!("{games} games, {positions} positions\n");
        assert_eq!(games, 24);
        assert!(complaint(&output).ends_with(&summary), "{}", complaint(&output));

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
    let told = complaint(&succeeds(generate(GAMES[1], &out).args(["--games", "1", "--resume"])));
    assert!(told.contains("it holds 2 games already, more than the 1 asked for; none is added\n"), "{told}");
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
    fs::write(&out, text.replacen(" plies, ", " plys, ", 1)).unwrap();
    let refused = fails(generate(GAMES[1], &out).args(["--games", "3", "--resume"]));
    assert!(refused.contains("positions: line ") && refused.contains("not the end of a game"), "{refused}");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let (_folder, path) = folder();
    let [pipe, link, socket, to_come] = ["pipe", "link", "socket", "to come"].map(path);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for (out, what) in [
        (pipe.as_path(), "a pipe"),
        (&link, "a pipe"),
        // The pipe that this test reads.
        (Path::new("/dev/stdout"), "a pipe"),
        (&socket, "a socket"),
        (pipe.parent().unwrap(), "a folder"),
        (Path::new("/dev/null"), "a device"),
    ] {
        for resume in [[].as_slice(), &["--resume"]] {
            let refused = fails(generate(GAMES[1], out).args(["--games", "1"]).args(resume));
            let message = format!("{}: it is {what}; allowed: a new name or an ordinary file", out.display());
            assert_eq!(refused, format!("alfonso: {message}\n"));
        }
    }
    // A link to a file is as good as the file.
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&to_come, &link).unwrap();
    succeeds(generate(GAMES[1], &link).args(["--games", "1"]));
    succeeds(generate(GAMES[1], &link).args(["--games", "2", "--resume"]));
    assert!(fs::read_to_string(&to_come).unwrap().contains("\nend 2 "));
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_searches_that_are_under_way() {
    let (_folder, path) = folder();
    for signal in ["-INT", "-TERM"] {
        let out = path(signal);
        let mut child = alfonso("generate --nodes 1000000000000 --games 3 --threads 2 --out")
            .arg(&out)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(&out, 1, &mut child);
        // The first search begins, and lasts for days.
        thread::sleep(Duration::from_millis(500));
        assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
        let told = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if told.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
            }
            thread::sleep(Duration::from_millis(1));
        }
        let output = child.wait_with_output().unwrap();
        let message = "alfonso: interrupted after 0 of 3 games; --resume goes on\n";
        assert_eq!(complaint(&output), message, "{signal}");
        assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 1);
    }
}

#[test]
fn what_is_dropped_is_told() {
    let (_folder, path) = folder();
    let out = path("positions");
    let output = succeeds(generate(GAMES[1], &out).args(["--games", "2"]));
    assert!(!complaint(&output).contains("dropped"));
    let text = fs::read_to_string(&out).unwrap();
    let torn = "3 1-0 +0 rlug";
    fs::write(&out, text.clone() + torn).unwrap();
    let output = succeeds(generate(GAMES[1], &out).args(["--games", "2", "--resume"]));
    let message = format!("positions: dropped half a game at the end, {} bytes\n", torn.len());
    assert!(complaint(&output).contains(&message), "{}", complaint(&output));
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_no_panic() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let (_folder, path) = folder();
    let [data, weights] = ["data", "weights"].map(path);
    // All that matters is in the file.
    succeeds(generate(GAMES[0], &data).args(["--games", "2"]).stdout(full()).stderr(full()));
    assert!(fs::read_to_string(&data).unwrap().contains("\nend 2 "));
    let refused = fails(tune(GAMES[0], &data, &weights).args(["--epochs", "1"]).stdout(full()));
    assert!(refused.contains("\nalfonso: stdout: No space left on device"), "{refused}");
    assert!(fs::metadata(&weights).unwrap().len() > 0);
    for words in ["gui --print", "perft 1", "bench --depth 1"] {
        let output = alfonso(words).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {}", complaint(&output));
        assert!(complaint(&output).contains("No space left on device"), "{words}: {}", complaint(&output));
    }
}

/// The words of a small fit that writes to `out`.
fn tune(variant: &str, data: &Path, out: &Path) -> Command {
    let mut command = alfonso("tune --batch 64 --rate 5 --validation 0 --variant");
    command.arg(variant).arg("--data").arg(data).arg("--out").arg(out);
    command
}

#[test]
fn neither_threads_nor_a_pause_change_the_weights() {
    GAMES.into_iter().for_each(neither_threads_nor_a_pause_change_those_of);
}

fn neither_threads_nor_a_pause_change_those_of(variant: &str) {
    let (_folder, path) = folder();
    let (data, checkpoint) = (path("positions"), path("checkpoint"));
    let [one, three, paused] = ["one", "three", "paused"].map(path);
    succeeds(generate(variant, &data).args(["--games", "12"]));
    let output = succeeds(tune(variant, &data, &one).args(["--epochs", "4", "--threads", "1"]));
    let told = complaint(&output);
    assert!(told.contains("epoch 4: loss ") && !told.contains("held out 0"), "no game is held out: {told}");
    assert!(told.ends_with(&format!("the weights are written to {}\n", one.display())), "{told}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.lines().count() > 10 && table.contains(" -> "), "{table}");
    succeeds(tune(variant, &data, &three).args(["--epochs", "4", "--threads", "3"]));
    let weights = fs::read(&one).unwrap();
    assert_eq!(fs::read(&three).unwrap(), weights);

    let on = |epochs| {
        let mut command = tune(variant, &data, &paused);
        succeeds(command.args(["--epochs", epochs, "--checkpoint"]).arg(&checkpoint))
    };
    on("2");
    assert_ne!(fs::read(&paused).unwrap(), weights);
    // Half a game more does not count.
    let mut text = fs::read_to_string(&data).unwrap();
    text += "13 1-0 +0 half a posi";
    fs::write(&data, &text).unwrap();
    let output = on("4");
    assert!(complaint(&output).contains("epoch 2:") && !complaint(&output).contains("epoch 1:"));
    let half = format!("alfonso: {}: half a game at the end does not count\n", data.display());
    assert!(complaint(&output).contains(&half), "{}", complaint(&output));
    let refused = fails(tune(variant, &data, &paused).args(["--seed", "2", "--checkpoint"]).arg(&checkpoint));
    assert!(refused.contains("other arguments: --seed was 1 and is 2 now"), "{refused}");
    assert_eq!(fs::read(&paused).unwrap(), weights);
}

#[test]
fn weights_may_begin_from_zero() {
    let (_folder, path) = folder();
    let (data, out) = (path("positions"), path("weights"));
    succeeds(generate(GAMES[0], &data).args(["--games", "2"]));
    let begun = |names: &[&str]| {
        let mut command = tune(GAMES[0], &data, &out);
        command.args(["--epochs", "0", "--from-zero"]).args(names);
        succeeds(&mut command);
        fs::read_to_string(&out).unwrap()
    };
    let group = |text: &str, name: &str| {
        let (_, group) = text.split_once(&format!("// {name}\n")).unwrap();
        group.split("//").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (some, others) = (begun(&["placement of the lion", "hunt"]), begun(&["material"]));
    for name in ["placement of the lion", "hunted man, ring"] {
        assert!(group(&some, name).split("), ").all(|weight| weight.starts_with("s(0, 0")), "{some}");
        assert_ne!(group(&some, name), group(&others, name));
    }
    assert_eq!(group(&some, "placement of the rook"), group(&others, "placement of the rook"));
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
        (format!("{header}\n"), "no positions to fit to: there is no whole game in the data"),
        (
            format!("{header}\nend 1 1-0 after 40 plies, 0 positions: checkmate\n"),
            "no positions to fit to: the data hold games, but none of their positions",
        ),
        ("diary\n".to_owned(), "line 1: not a file of positions"),
    ] {
        assert_ne!(damaged, text);
        fs::write(&data, damaged).unwrap();
        let refused = fails(&mut tune(GAMES[0], &data, &out));
        assert!(refused.contains(message), "{refused}");
    }
    fs::write(&data, text).unwrap();
    let mut wild = alfonso("tune --batch 64 --rate 1e38 --validation 0 --data");
    let refused = fails(wild.arg(&data).arg("--out").arg(&out));
    assert!(refused.contains("grew beyond all bounds in epoch 1"), "{refused}");
    let refused = fails(tune(GAMES[0], &data, &out).args(["--keep", "hunt", "feathers"]));
    assert!(refused.contains("--keep feathers: no weight's name begins so"), "{refused}");
    assert!(refused.contains("\n  material\n") && refused.ends_with("\n  right to move\n"), "{refused}");
    let refused = fails(tune(GAMES[0], &data, &out).args(["--from-zero", "feathers"]));
    assert!(refused.contains("--from-zero feathers: no weight's name begins so"), "{refused}");
    let mut all_held_out = alfonso("tune --validation 1 --data");
    let refused = fails(all_held_out.arg(&data));
    assert!(refused.contains("no positions to fit to: all are of games held out"), "{refused}");
    assert!(!out.exists());
}

#[test]
fn what_would_be_lost_is_refused_before_the_fit() {
    let (_folder, path) = folder();
    let [data, out, diary] = ["positions", "weights", "diary"].map(path);
    succeeds(generate(GAMES[0], &data).args(["--games", "2"]));
    fs::write(&diary, "Dear diary").unwrap();
    let before = fs::read(&data).unwrap();
    let nowhere = out.join("weights");
    for (out, checkpoint, message) in [
        (&data, None, "it is one of --data"),
        (&diary, None, "something else than the weights"),
        (&nowhere, None, "there is no folder"),
        (&out, Some(&data), "it is one of --data"),
        (&out, Some(&out), "it is the checkpoint, too"),
        (&out, Some(&nowhere), "there is no folder"),
        (&out, Some(&diary), "not a checkpoint of a fit"),
    ] {
        let mut command = tune(GAMES[0], &data, out);
        if let Some(checkpoint) = checkpoint {
            command.arg("--checkpoint").arg(checkpoint);
        }
        let refused = fails(&mut command);
        assert!(refused.contains(message) && !refused.contains("epoch"), "{refused}");
    }
    let refused = fails(tune(GAMES[0], &data, &out).arg("--data").arg(&data));
    assert!(refused.contains("given twice"), "{refused}");
    assert_eq!(fs::read(&data).unwrap(), before);
    assert_eq!(fs::read_to_string(&diary).unwrap(), "Dear diary");
    assert!(!out.exists());
    let mut without_out = alfonso("tune --epochs 1 --data");
    assert!(
        complaint(&succeeds(without_out.arg(&data)))
            .ends_with("no weights are written: --out says where to\n")
    );
}
