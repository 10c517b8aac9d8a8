//! `alfonso generate`: the engine plays itself and writes down quiet positions with the results of
//! their games, for `alfonso tune`.
//!
//! Each of the workers takes the number of a game, plays it as [`selfplay`] has it, and sends it to the
//! main thread, which appends the games to the [`store`] in the order of their numbers. A game depends on
//! its number and the arguments alone, so that neither the number of threads nor an interruption changes
//! a byte of the file.

mod selfplay;
mod stop;
mod store;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use anyhow::{bail, ensure};
use clap::value_parser;

use super::progress::{Progress, tell};
use super::{on_signals, variant_parser};
use crate::engine::{Generic, Playable, Variant, load_endgames};
use crate::records::positions::{Header, PositionsOfGame};
use selfplay::{Plan, Player};
use stop::Stop;
use store::Store;

/// Arguments of `alfonso generate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// How many games the file shall hold
    #[arg(long)]
    games: u64,
    /// Nodes of the search for each move
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Decides what is drawn by lot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time; makes no difference to what is written
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The file
    #[arg(long)]
    out: PathBuf,
    /// Go on with the file after its last whole game; only --games and --threads may be others
    #[arg(long)]
    resume: bool,
    /// How many random moves a game begins with, FEWEST..MOST [default: 8..12, in draughts 4..8]
    #[arg(long, value_parser = read_plies)]
    random_plies: Option<RangeInclusive<u32>>,
    /// Centipawns that either side may stand better after the random moves
    #[arg(long, default_value_t = 200, value_parser = value_parser!(i32).range(1..=2000))]
    window: i32,
    /// Draughts: a folder of endgame tables, besides those in the program; games end where they know the result
    #[arg(long)]
    endgames: Option<PathBuf>,
    /// Keep one of so many quiet positions, by lot
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    sample: u32,
}

impl Arguments {
    fn plan(&self) -> Plan {
        let random_plies = self.random_plies.clone().unwrap_or(match self.variant {
            Variant::GrandeAcedrex => 8..=12,
            Variant::SpanishDraughts => 4..=8,
        });
        let Arguments { nodes, seed, window, sample, .. } = *self;
        Plan { nodes, seed, random_plies, window, sample }
    }

    /// All that decides what is written; `endgames`: how many positions are known for certain.
    fn header(&self, plan: &Plan, endgames: u64) -> Header {
        let plies = format!("{}..{}", plan.random_plies.start(), plan.random_plies.end());
        let fields = [
            ("variant", self.variant.name().to_owned()),
            ("program", format!("alfonso-{}", env!("CARGO_PKG_VERSION"))),
            ("seed", plan.seed.to_string()),
            ("nodes", plan.nodes.to_string()),
            ("random-plies", plies),
            ("window", plan.window.to_string()),
            ("sample", plan.sample.to_string()),
            ("endgames", endgames.to_string()),
        ];
        Header { fields: fields.map(|(key, value)| (key.to_owned(), value)).into() }
    }
}

/// Reads `8..12`, both included.
fn read_plies(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    const MOST: u32 = 40;
    let numbers = text.split_once("..").map(|(low, high)| (low.parse(), high.parse()));
    match numbers {
        Some((Ok(low), Ok(high))) if low <= high && high <= MOST => Ok(low..=high),
        _ => Err("allowed: FEWEST..MOST, for example 8..12, at most 40"),
    }
}

/// Plays the games that the file does not hold yet.
///
/// # Errors
/// Where the file is of other arguments, damaged or not to be written, no opening can be found, or the
/// games were interrupted; what is written then counts all the same.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let plan = arguments.plan();
    let folder = arguments.endgames.as_deref().unwrap_or(Path::new(""));
    let has_tables = arguments.variant == Variant::SpanishDraughts;
    ensure!(
        has_tables || arguments.endgames.is_none(),
        "--endgames is for spanish-draughts, and these games are of {}",
        arguments.variant.name()
    );
    let endgames = load_endgames(folder.as_os_str());
    ensure!(endgames.problems.is_empty(), "--endgames {}", endgames.problems.join(", "));
    let header = arguments.header(&plan, if has_tables { endgames.positions } else { 0 });
    let store = Store::open(&arguments.out, &header, arguments.resume)?;
    if store.games() > arguments.games {
        let (path, held, asked) = (arguments.out.display(), store.games(), arguments.games);
        tell(&format!(
            "alfonso: {path}: it holds {held} games already, more than the {asked} asked for; none is added"
        ));
    }
    let stop = Arc::new(Stop::default());
    let switch = stop.clone();
    on_signals(move || switch.stop())?;
    let progress = Progress::new(arguments.games, store.games(), "games");
    progress.say(positions(&store));
    let task = Task {
        plan: &plan,
        games: arguments.games,
        threads: arguments.threads,
        stop: &stop,
        store,
        progress,
    };
    arguments.variant.run(task)
}

struct Task<'a> {
    plan: &'a Plan,
    games: u64,
    threads: u16,
    stop: &'a Stop,
    store: Store,
    progress: Progress,
}

impl Generic for Task<'_> {
    type Output = anyhow::Result<()>;

    fn run<P: Playable>(mut self) -> anyhow::Result<()> {
        let (plan, games, stop) = (self.plan, self.games, self.stop);
        let next = AtomicU64::new(self.store.games() + 1);
        let players: Vec<_> = (0..self.threads).map(|_| Player::<P>::new(plan)).collect::<Result<_, _>>()?;
        let outcome = thread::scope(|scope| {
            let (sender, results) = channel();
            for mut player in players {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number > games {
                            return;
                        }
                        // None: stopped.
                        let Some(game) = player.play_game(number, stop).transpose() else { return };
                        if sender.send((number, game)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let outcome = self.collect(&results);
            // After an error nobody needs what the others are at.
            if outcome.is_err() {
                stop.stop();
            }
            outcome
        });
        self.progress.conclude();
        outcome?;
        let written = self.store.games();
        if written < games && stop.is_stopped() {
            bail!("interrupted after {written} of {games} games; --resume goes on");
        }
        ensure!(written >= games, "only {written} of {games} games were played");
        tell(&format!("{written} games, {}", positions(&self.store)));
        Ok(())
    }
}

/// How many positions the file holds, in words.
fn positions(store: &Store) -> String {
    format!("{} positions", store.positions())
}

impl Task<'_> {
    /// Writes the games in the order of their numbers until there are no more to come.
    fn collect(&mut self, results: &Receiver<(u64, anyhow::Result<PositionsOfGame>)>) -> anyhow::Result<()> {
        let mut early = BTreeMap::new();
        for (number, game) in results {
            early.insert(number, game?);
            while let Some(game) = early.remove(&(self.store.games() + 1)) {
                self.store.add(&game)?;
                self.progress.say(positions(&self.store));
                self.progress.add(1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_plies() {
        assert_eq!(read_plies("8..12"), Ok(8..=12));
        assert_eq!(read_plies("0..0"), Ok(0..=0));
        for text in ["", "8", "12..8", "8..41", "8..=12", "-1..2"] {
            assert!(read_plies(text).is_err(), "{text}");
        }
    }
}
