//! How long the best move takes after `stop`: `cargo bench --bench stop`.
//!
//! Measured from outside, through the pipes, for a small and a large table. It is a bench and not a
//! test because other programs on the machine may delay anything.

#[path = "../tests/common/mod.rs"]
mod common;

use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Chance, Dialogue, says};

const STOPS: usize = 30;

fn main() {
    let mut chance = Chance::seeded(20);
    println!("{:<18} {:>9} {:>8} {:>10} {:>10}", "", "Hash MiB", "Threads", "median", "longest");
    for variant in ["grande-acedrex", "spanish-draughts"] {
        for (hash, threads) in [(1, 1), (1, 2), (4096, 1), (4096, 2)] {
            let mut uci = Dialogue::start(&[]);
            uci.ask(format!("setoption name UCI_Variant value {variant}"));
            uci.ask(format!("setoption name Threads value {threads}"));
            if says(&uci.ask(format!("setoption name Hash value {hash}")), "no memory") {
                println!("{variant:<18} {hash:>9} {threads:>8}: this machine has not so much memory");
                continue;
            }
            let mut times: Vec<Duration> = (0..STOPS)
                .map(|_| {
                    uci.send("go infinite");
                    uci.until(|line| line.starts_with("info depth"));
                    // Somewhere in the middle of the tree.
                    sleep(Duration::from_millis(50 + chance.below(200) as u64));
                    let start = Instant::now();
                    uci.send("stop");
                    uci.best_move();
                    start.elapsed()
                })
                .collect();
            uci.quit();
            times.sort_unstable();
            let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
            println!(
                "{variant:<18} {hash:>9} {threads:>8} {:>10} {:>10}",
                milliseconds(times[STOPS / 2]),
                milliseconds(times[STOPS - 1])
            );
        }
    }
}
