//! `alfonso tune`: fits the weights of an evaluation to the results of games.
//!
//! Logistic regression on the positions that `alfonso generate` has written: [`data`] reads them into
//! [`samples`], [`objective`] says how well weights fit them, [`fit`] makes that better, and
//! [`checkpoint`] keeps where it stands.

mod checkpoint;
mod data;
mod fit;
mod objective;
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
use crate::engine::{GenericFitted, Variant};
use crate::game::Fitted;
use checkpoint::Setup;
use data::Data;
use fit::{Fit, Plan, State};
use objective::{Objective, fit_slope};

/// Arguments of `alfonso tune`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// Files of positions
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The file of weights to write, in the source text of the evaluation
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
    /// What it costs to move a weight away from the present one: nats for each centipawn squared
    #[arg(long, default_value_t = 0.0, value_parser = read_share)]
    l2: f32,
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
/// Where the game's weights cannot be fitted, the data are damaged or tell nothing, files cannot be
/// written, and where the fit was interrupted.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let variant = arguments.variant.name();
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("threads")?;
    let outcome = arguments.variant.run_fitted(Task { arguments, pool });
    outcome.unwrap_or_else(|| bail!("the weights of {variant} cannot be fitted yet"))
}

struct Task {
    arguments: Arguments,
    pool: rayon::ThreadPool,
}

impl GenericFitted for Task {
    type Output = anyhow::Result<()>;

    fn run<P: Fitted>(self) -> anyhow::Result<()> {
        self.pool.install(|| tune::<P>(&self.arguments))
    }
}

fn tune<P: Fitted>(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { validation, lambda, .. } = *arguments;
    let data = read::<P>(arguments)?;
    let plan = Plan {
        seed: arguments.seed,
        rate: arguments.rate,
        batch: arguments.batch as usize,
        l2: arguments.l2,
    };
    let setup = Setup { plan, validation, lambda, data: data.files, start: P::weights() };
    let slope =
        fit_slope(&data.training, &setup.start).context("the results do not follow the evaluation")?;
    eprintln!("a lead of 100 centipawns makes {:.3} points", 1.0 / (1.0 + (-100.0 * slope).exp()));
    let training = Objective::new(&data.training, slope, lambda);
    let held_out = Objective::new(&data.held_out, slope, lambda);
    let fit = Fit {
        plan: &setup.plan,
        start: &setup.start,
        training: &training,
        validation: if held_out.len() > 0 { &held_out } else { &training },
    };
    let state = run_fit(&fit, &setup, arguments)?;
    print!("{}", report::changes(&setup.start, &state.best, P::weight_name, &data.training));
    if let Some(path) = &arguments.out {
        checkpoint::write_whole(path, &P::weights_source(&state.best))?;
    }
    Ok(())
}

fn read<P: Fitted>(arguments: &Arguments) -> anyhow::Result<Data> {
    let mut data = Data::default();
    let mut lot = fastrand::Rng::with_seed(arguments.seed);
    for path in &arguments.data {
        data.read::<P>(path, arguments.validation, &mut lot)?;
    }
    let [training, held_out] = [&data.training, &data.held_out].map(samples::Samples::len);
    ensure!(training > 0, "no positions to fit to");
    ensure!(training <= u32::MAX as usize, "more positions than can be counted in 32 bits");
    let games: u64 = data.files.iter().map(|file| file.games).sum();
    eprintln!("{games} games: {training} positions to fit to, {held_out} held out");
    Ok(data)
}

/// The epochs, told of on stderr and kept at the checkpoint.
fn run_fit(fit: &Fit, setup: &Setup, arguments: &Arguments) -> anyhow::Result<State> {
    let before = match &arguments.checkpoint {
        Some(path) => checkpoint::load(path, setup)?,
        None => None,
    };
    let stop = stop_on_signals()?;
    let mut state = before.unwrap_or_else(|| fit.begin());
    let (training, held_out) = (fit.training.loss(&state.weights), fit.validation.loss(&state.weights));
    eprintln!("epoch {}: loss {training:.6}, held out {held_out:.6}", state.epoch);
    while state.epoch < arguments.epochs && !fit.is_done(&state) {
        let held_out = fit.advance(&mut state);
        let (training, remark) =
            (fit.training.loss(&state.weights), if state.stale == 0 { ", the best so far" } else { "" });
        eprintln!("epoch {}: loss {training:.6}, held out {held_out:.6}{remark}", state.epoch);
        if let Some(path) = &arguments.checkpoint {
            checkpoint::save(path, setup, &state)?;
        }
        if stop.load(Relaxed) {
            bail!("interrupted after epoch {}; a checkpoint goes on", state.epoch);
        }
    }
    Ok(state)
}
