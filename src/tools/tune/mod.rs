//! `alfonso tune`: fits the weights of an evaluation to the results of games.
//!
//! Logistic regression on the positions that `alfonso generate` has written: [`data`] reads them into
//! [`samples`], [`objective`] says how well weights fit them, [`fit`] makes that better, and
//! [`checkpoint`] keeps where it stands. Before all that [`places`] looks at the names of the files.

mod checkpoint;
mod data;
mod fit;
mod objective;
mod places;
mod report;
mod samples;
#[cfg(test)]
mod synthetic;

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Context, bail, ensure};
use clap::value_parser;
use rayon::ThreadPoolBuilder;

use super::{stop_on_signals, variant_parser};
use crate::engine::{Generic, Playable, Variant};
use crate::game::Fitted;
use checkpoint::{Checkpoint, Setup};
use data::Data;
use fit::{Fit, Plan, State};
use objective::{Objective, fit_slope};
use places::Places;

/// Arguments of `alfonso tune`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// Files of positions, as `alfonso generate` writes them
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The file of weights to write, as the sources of the game have it (source text, in draughts numbers);
    /// an older one is replaced
    #[arg(long)]
    out: Option<PathBuf>,
    /// Keep here after each epoch how far the fit is, and go on from there
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Times to go through the positions, at most
    #[arg(long, default_value_t = 100)]
    epochs: u32,
    /// Centipawns that a weight moves in a step, about, at first
    #[arg(long, default_value_t = 1.0, value_parser = read_positive)]
    rate: f32,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    batch: u32,
    /// What it costs to move a weight away from where it begins: nats for each centipawn squared
    #[arg(long, default_value_t = 0.0, value_parser = read_share)]
    l2: f32,
    /// Keep the weights whose names begin so: `material`, `hunt`; a wrong name is answered with a list
    #[arg(long, value_name = "NAME", num_args = 1..)]
    keep: Vec<String>,
    /// Begin with 0 in place of the present values for the weights whose names begin so
    #[arg(long, value_name = "NAME", num_args = 1..)]
    from_zero: Vec<String>,
    /// Share of the games that is held out, to stop when those fit no better
    #[arg(long, default_value_t = 0.1, value_parser = read_share)]
    validation: f32,
    /// Share of the results in what is fitted to; the rest are the scores of the searches
    #[arg(long, default_value_t = 1.0, value_parser = read_share)]
    lambda: f32,
    /// Decides which games are held out and the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; make no difference to the result [default: all cores]
    #[arg(long, value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

fn read_positive(text: &str) -> Result<f32, &'static str> {
    text.parse().ok().filter(|&number: &f32| number > 0.0 && number.is_finite()).ok_or("allowed: above 0")
}

fn read_share(text: &str) -> Result<f32, &'static str> {
    text.parse().ok().filter(|number| (0.0..=1.0).contains(number)).ok_or("allowed: 0 to 1")
}

/// Fits the weights, prints what changed most, and writes them.
///
/// # Errors
/// Where the data are damaged or tell nothing, files cannot be
/// written, and where the fit was interrupted.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("threads")?;
    arguments.variant.run(Task { arguments, pool })
}

struct Task {
    arguments: Arguments,
    pool: rayon::ThreadPool,
}

impl Generic for Task {
    type Output = anyhow::Result<()>;

    fn run<P: Playable>(self) -> anyhow::Result<()> {
        self.pool.install(|| tune::<P>(&self.arguments))
    }
}

fn tune<P: Fitted>(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { validation, lambda, .. } = *arguments;
    let places = Places {
        data: &arguments.data,
        out: arguments.out.as_deref(),
        checkpoint: arguments.checkpoint.as_deref(),
    };
    places.check(&P::weights_file(&P::weights()))?;
    let before = arguments.checkpoint.as_deref().map(Checkpoint::read).transpose()?.flatten();
    let kept = named::<P>("--keep", &arguments.keep)?;
    let present = P::weights();
    let mut start = present.clone();
    for index in named::<P>("--from-zero", &arguments.from_zero)? {
        start[index] = [0.0; 2];
    }
    let data = read::<P>(arguments)?;
    let slope = fit_slope(&data.training, &present).context(
        "the results do not follow the evaluation: who stands better did not win more often; \
         more games are needed, or those of stronger play",
    )?;
    let plan = Plan {
        seed: arguments.seed,
        rate: arguments.rate,
        batch: arguments.batch as usize,
        l2: arguments.l2,
        kept,
    };
    let setup = Setup { plan, validation, lambda, data: data.files, start };
    eprintln!("a lead of 100 centipawns makes {:.3} points", 1.0 / (1.0 + (-100.0 * slope).exp()));
    let training = Objective::new(&data.training, slope, lambda);
    let held_out = Objective::new(&data.held_out, slope, lambda);
    let fit = Fit {
        plan: &setup.plan,
        start: &setup.start,
        training: &training,
        held_out: (held_out.len() > 0).then_some(&held_out),
    };
    let before = match (before, &arguments.checkpoint) {
        (Some(before), Some(path)) => Some(before.go_on(&setup).with_context(|| path.display().to_string())?),
        _ => None,
    };
    let state = run_fit(&fit, &setup, before, arguments)?;
    match &arguments.out {
        Some(path) => {
            checkpoint::write_whole(path, P::weights_file(&state.best))?;
            eprintln!("the weights are written to {}", path.display());
        }
        None => eprintln!("no weights are written: --out says where to"),
    }
    super::print(&report::changes(&setup.start, &state.best, P::weight_name, &data.training))
}

fn read<P: Fitted>(arguments: &Arguments) -> anyhow::Result<Data> {
    let mut data = Data::default();
    let mut lot = fastrand::Rng::with_seed(arguments.seed);
    for path in &arguments.data {
        data.read::<P>(path, arguments.validation, &mut lot)?;
    }
    let [training, held_out] = [&data.training, &data.held_out].map(samples::Samples::len);
    let games: u64 = data.files.iter().map(|file| file.games).sum();
    ensure!(games > 0, "no positions to fit to: there is no whole game in the data");
    ensure!(
        training + held_out > 0,
        "no positions to fit to: the data hold games, but none of their positions"
    );
    let share = arguments.validation;
    ensure!(training > 0, "no positions to fit to: all are of games held out (--validation {share})");
    ensure!(training <= u32::MAX as usize, "more positions than can be counted in 32 bits");
    eprintln!("{games} games: {training} positions to fit to, {held_out} held out");
    if held_out == 0 && share > 0.0 {
        eprintln!("too few games to hold any out: the fit goes on for all of --epochs");
    }
    Ok(data)
}

/// The indices of the weights whose names begin with one of `names`.
fn named<P: Fitted>(argument: &str, names: &[String]) -> anyhow::Result<Vec<usize>> {
    let weights: Vec<String> = (0..P::weights().len()).map(P::weight_name).collect();
    for name in names {
        let known = weights.iter().any(|weight| weight.starts_with(name.as_str()));
        let groups = P::weight_groups().join("\n  ");
        ensure!(known, "{argument} {name}: no weight's name begins so; the names begin with\n  {groups}");
    }
    let is_named = |&index: &usize| names.iter().any(|name| weights[index].starts_with(name.as_str()));
    Ok((0..weights.len()).filter(is_named).collect())
}

/// The epochs, told of on stderr and kept at the checkpoint.
fn run_fit(fit: &Fit, setup: &Setup, before: Option<State>, arguments: &Arguments) -> anyhow::Result<State> {
    let stop = stop_on_signals()?;
    let mut state = before.unwrap_or_else(|| fit.begin());
    let tell = |state: &State, held_out: Option<f64>, remark: &str| {
        let training = fit.training.loss(&state.weights);
        let held_out = held_out.map_or(String::new(), |loss| format!(", held out {loss:.6}"));
        eprintln!("epoch {}: loss {training:.6}{held_out}{remark}", state.epoch);
    };
    tell(&state, fit.held_out.map(|held_out| held_out.loss(&state.weights)), "");
    while state.epoch < arguments.epochs && !fit.is_done(&state) {
        let loss = fit.advance(&mut state);
        let Arguments { rate, .. } = arguments;
        ensure!(
            state.is_sound(setup.start.len()) && loss.is_finite(),
            "the weights grew beyond all bounds in epoch {}; a --rate below {rate} keeps them in",
            state.epoch
        );
        let remark = if state.stale == 0 { ", the best so far" } else { "" };
        tell(&state, fit.held_out.map(|_| loss), remark);
        if let Some(path) = &arguments.checkpoint {
            checkpoint::save(path, setup, &state)?;
        }
        if stop.load(Relaxed) {
            bail!("interrupted after epoch {}; a checkpoint goes on", state.epoch);
        }
    }
    Ok(state)
}
