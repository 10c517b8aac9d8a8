//! `alfonso match`: engines play each other, refereed by our rules.
//!
//! One way through it: [`arguments`] says who plays how. Each of the [`workers`] takes a game from
//! the [`schedule`], has its two [`player`]s play it under the eyes of the [`referee`], and sends it
//! to the [`desk`] on the main thread. There it is written into the [`journal`], entered in the
//! schedule and told of by the [`report`], and the [`sprt`] decides whether it is enough.

mod adjudication;
mod arguments;
mod control;
mod desk;
mod journal;
mod openings;
mod player;
mod process;
mod referee;
mod report;
mod schedule;
mod sprt;
mod statistics;
mod summary;
mod uci;
mod workers;
mod xboard;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

pub use arguments::Arguments;
use arguments::Order;
use desk::Desk;
use journal::{Header, Journal};
use openings::Openings;
use player::{EngineSpec, Hall, Player};
use referee::House;
use schedule::Schedule;
use workers::Tournament;

use super::stop_on_signals;
use crate::logging;

/// Plays the match, or goes on with it, and prints the standing.
///
/// # Errors
/// For unsound arguments, engines that cannot play, files that cannot be written, and where the match
/// was interrupted.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    if let Some(path) = &arguments.log {
        logging::log_to(Some(path)).with_context(|| path.display().to_string())?;
    }
    let stop = stop_on_signals()?;
    let mut engines = arguments.engines()?;
    let rules = arguments.rules()?;
    let (variant, seed) = (arguments.variant, arguments.seed);
    let shuffled = arguments.order == Order::Random;
    let openings = match &arguments.openings {
        Some(path) => Openings::from_file(path, variant, &rules, shuffled, seed)?,
        None => Openings::read(openings::built_in(variant), variant, &rules, shuffled, seed)?,
    };
    let house = House {
        hall: Hall { variant, patience: arguments.patience(), margin: arguments.margin(), stop },
        rules,
        adjudication: arguments.adjudication()?,
        void_illegal: arguments.void_illegal,
    };
    let (rounds, sprt) = (arguments.rounds()?, arguments.sprt()?);
    ensure!(sprt.is_none() || engines.len() == 2, "--sprt tests two engines, and here are {}", engines.len());

    introduce(&mut engines, &house.hall, &openings)?;
    let schedule = Schedule::new(arguments.format.pairings(engines.len()), rounds);
    let header = header(&arguments, &engines, &openings, &house);
    let (journal, played) = Journal::open(&arguments.places(), &header)?;
    let tournament = Tournament::new(house, engines, openings, schedule);
    let mut desk = Desk::new(&tournament, journal, sprt, arguments.event);
    desk.take_up(&played);
    desk.run(arguments.concurrency.into())
}

/// Starts each engine once, to see before the first game that it can play, and to learn its name.
fn introduce(engines: &mut [EngineSpec], hall: &Hall, openings: &Openings) -> anyhow::Result<()> {
    for index in 0..engines.len() {
        let mut player = Player::new(hall.clone(), engines[index].clone());
        let number = index + 1;
        let name = player.start().with_context(|| format!("engine {number}"))?.to_owned();
        if openings.has_positions() && !player.takes_positions() {
            bail!(
                "engine {number} cannot be given a position (setboard=0): openings must be moves from the start"
            );
        }
        player.quit();
        if engines[index].name.is_empty() {
            engines[index].name = if name.is_empty() { format!("engine {number}") } else { name };
        }
        // Records and the journal tell players apart by their names.
        let (before, this) = engines.split_at_mut(index);
        let wanted = this[0].name.clone();
        let mut copy = 1;
        while before.iter().any(|other| other.name == this[0].name) {
            copy += 1;
            this[0].name = format!("{wanted} ({copy})");
        }
    }
    Ok(())
}

fn header(arguments: &Arguments, engines: &[EngineSpec], openings: &Openings, house: &House) -> Header {
    Header {
        program: format!("alfonso {}", env!("CARGO_PKG_VERSION")),
        variant: arguments.variant.name().into(),
        rules: arguments.rules_text(&house.rules),
        players: engines.iter().map(EngineSpec::line).collect(),
        format: arguments.format.to_possible_value().expect("no format is hidden").get_name().into(),
        openings: openings.fingerprint(),
        seed: arguments.seed,
        adjudication: house.adjudication.to_string(),
        void_illegal: house.void_illegal,
    }
}
