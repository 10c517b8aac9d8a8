//! How fast move trees are counted, beside the plain counters of tests/yardsticks.
//!
//! `cargo bench --bench perft [-- --rounds N]`. Both run on one thread, one after the other in every
//! round, over the same trees, and must agree on the counts. The ratio is the median over the rounds.
//! Without a C++ compiler only our own speed is told.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use alfonso::game::Position;
use alfonso::search::perft::perft;
use alfonso::{acedrex, draughts};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const ARRAY: &str = "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1";
const START: &str = "W:W1-12:B21-32";

fn main() {
    let rounds = std::env::args().skip_while(|argument| argument != "--rounds").nth(1);
    let rounds: usize = rounds.map_or(5, |rounds| rounds.parse().expect("--rounds takes a number")).max(1);
    let compiler = find_compiler();
    let yardstick = |source, run| {
        let program = compile(compiler.as_ref()?, source)?;
        Some(Yardstick { program, run })
    };
    let acedrex_yardstick = yardstick("grande_acedrex_perft.cpp", run_acedrex as Run);
    let draughts_yardstick = yardstick("spanish_draughts_perft.cpp", run_draughts as Run);
    if acedrex_yardstick.is_none() || draughts_yardstick.is_none() {
        println!("no ratio: no C++ compiler works here (tried $CXX, g++, c++, clang++)");
    }

    let middle_games: Vec<String> = reference("grande-acedrex.epd").into_iter().step_by(12).collect();
    let kings: Vec<String> = reference("spanish-draughts.epd").into_iter().skip(1).take(12).collect();
    let (acedrex, draughts) =
        (count::<acedrex::Position> as fn(&str, u32) -> Vec<u64>, count::<draughts::Position> as _);
    let trees = [
        ("grande-acedrex, array", acedrex, &acedrex_yardstick, vec![ARRAY.to_owned()], 4),
        ("grande-acedrex, reference positions", acedrex, &acedrex_yardstick, middle_games, 3),
        ("spanish-draughts, start", draughts, &draughts_yardstick, vec![START.to_owned()], 11),
        ("spanish-draughts, many kings", draughts, &draughts_yardstick, kings, 7),
    ];

    println!("{:<38} {:>5} {:>14} {:>14} {:>8}  spread", "", "depth", "ours", "yardstick", "ratio");
    let mut results: Vec<Vec<(f64, Option<f64>)>> = vec![Vec::new(); trees.len()];
    for _ in 0..rounds {
        for ((name, count, yardstick, fens, depth), results) in trees.iter().zip(&mut results) {
            let (theirs, their_time) = match yardstick {
                Some(yardstick) => {
                    let start = Instant::now();
                    (Some((yardstick.run)(&yardstick.program, fens, *depth)), start.elapsed())
                }
                None => (None, Duration::ZERO),
            };
            let start = Instant::now();
            let ours: Vec<u64> = fens.iter().flat_map(|fen| count(fen, *depth)).collect();
            let our_time = start.elapsed();
            if let Some(theirs) = &theirs {
                assert_eq!(ours, *theirs, "{name}: the counts differ");
            }
            let nodes = ours.iter().sum::<u64>() as f64;
            results.push((nodes / our_time.as_secs_f64(), theirs.map(|_| nodes / their_time.as_secs_f64())));
        }
    }
    for ((name, _, _, _, depth), results) in trees.iter().zip(&results) {
        let ours = median(results.iter().map(|result| result.0).collect());
        let theirs: Option<Vec<f64>> = results.iter().map(|result| result.1).collect();
        match theirs {
            None => println!("{name:<38} {depth:>5} {:>14} {:>14}", speed(ours), "-"),
            Some(theirs) => {
                let ratios: Vec<f64> = results.iter().zip(&theirs).map(|(r, theirs)| r.0 / theirs).collect();
                let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
                let most = ratios.iter().copied().fold(0.0, f64::max);
                println!(
                    "{name:<38} {depth:>5} {:>14} {:>14} {:>7.1}x  {least:.1} to {most:.1}",
                    speed(ours),
                    speed(median(theirs)),
                    median(ratios)
                );
            }
        }
    }
    println!("median of {rounds} rounds, one thread; nodes/s over all depths up to the one given");
}

/// Counts of all depths up to `depth`, as the yardsticks count them.
fn count<P: Position>(fen: &str, depth: u32) -> Vec<u64> {
    let position = P::from_fen(fen, P::Rules::default()).expect("a reference position");
    (1..=depth).map(|depth| perft(&position, depth)).collect()
}

/// FENs of a file of reference positions.
fn reference(file: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("tests/reference").join(file)).expect("it is there");
    text.lines().filter_map(|line| line.split(" ;").next()).map(str::to_owned).collect()
}

/// Runs a yardstick over positions and gives the counts of all depths.
type Run = fn(&Path, &[String], u32) -> Vec<u64>;

struct Yardstick {
    program: PathBuf,
    run: Run,
}

fn run_acedrex(program: &Path, fens: &[String], depth: u32) -> Vec<u64> {
    let mut child = Command::new(program)
        .arg(depth.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the yardstick starts");
    let mut input = child.stdin.take().expect("stdin is piped");
    input.write_all((fens.join("\n") + "\n").as_bytes()).expect("the yardstick reads");
    drop(input);
    let output = child.wait_with_output().expect("the yardstick ends");
    // FEN ;D1 59 ;D2 3481
    let text = String::from_utf8(output.stdout).expect("text");
    text.split(" ;D").filter_map(|part| part.split_whitespace().nth(1)?.parse().ok()).collect()
}

fn run_draughts(program: &Path, fens: &[String], depth: u32) -> Vec<u64> {
    let mut counts = Vec::new();
    for fen in fens {
        let arguments = [fen.as_str(), &depth.to_string(), "dd"];
        let output = Command::new(program).args(arguments).output().expect("the yardstick starts");
        let text = String::from_utf8(output.stdout).expect("text");
        counts.extend(text.lines().filter_map(|line| line.split(' ').nth(1)?.parse::<u64>().ok()));
    }
    counts
}

fn find_compiler() -> Option<String> {
    let works = |compiler: &String| {
        let version =
            Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    std::env::var("CXX").into_iter().chain(["g++", "c++", "clang++"].map(str::to_owned)).find(works)
}

fn compile(compiler: &str, source: &str) -> Option<PathBuf> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source).with_extension("exe");
    let source = Path::new(ROOT).join("tests/yardsticks").join(source);
    // Not every compiler knows the machine it runs on.
    let status = [&["-O2", "-march=native"][..], &["-O2"]].into_iter().find(|flags| {
        let mut command = Command::new(compiler);
        command.args(*flags).arg("-o").arg(&program).arg(&source).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    });
    status.map(|_| program)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn speed(nodes_per_second: f64) -> String {
    format!("{:.1} Mn/s", nodes_per_second / 1e6)
}
