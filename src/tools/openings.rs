//! `alfonso openings`: makes opening lines for matches, short ones that a search finds balanced.
//!
//! * Grande Acedrex: random legal moves from the start position.
//! * Spanish draughts: *ballots*, as its players draw them: all lines of the first moves, each
//!   position once, in an order drawn by lot.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::time::Duration;

use anyhow::Context;
use clap::value_parser;

use super::variant_parser;
use crate::engine::{LegalMove, Options, Session, Variant, Workshop};
use crate::search::score::Score;
use crate::search::{Control, Limits, Settings, Table, Threads};

/// Arguments of `alfonso openings`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// How many lines; fewer come where there are no more
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Moves of a line [default: 8, in draughts 4]
    #[arg(long, value_parser = value_parser!(u32).range(1..=40))]
    plies: Option<u32>,
    /// Nodes of the search that judges a line
    #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Centipawns that either side may stand better
    #[arg(long, default_value_t = 40, value_parser = value_parser!(i32).range(1..=1000))]
    window: i32,
    /// Decides what is drawn by lot
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Random lines that are looked at for each one that is wanted, at most.
const PATIENCE: usize = 1000;
const HASH_MIB: usize = 16;

/// Prints the lines. The same arguments give the same lines, as long as the search is the same.
///
/// # Errors
/// Where memory or threads are missing, or the output is closed.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { variant, count, nodes, window, seed, .. } = arguments;
    let plies = arguments.plies.unwrap_or(match variant {
        Variant::GrandeAcedrex => 8,
        Variant::SpanishDraughts => 4,
    });
    let mut judge = Judge::new(nodes, window)?;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut out = stdout().lock();
    writeln!(
        out,
        "# Openings of {}, made by: alfonso openings --variant {} --count {count} --plies {plies} --nodes {nodes} --window {window} --seed {seed}",
        variant.name(),
        variant.name()
    )?;
    let mut start = variant.start(&Options::default());
    let candidates: Box<dyn Iterator<Item = Line>> = match variant {
        Variant::GrandeAcedrex => {
            let most = count.saturating_mul(PATIENCE);
            Box::new((0..most).filter_map(move |_| random_line(&mut *start, plies, &mut random)))
        }
        Variant::SpanishDraughts => {
            let mut lines = Vec::new();
            every_line(&mut *start, plies, &mut lines);
            random.shuffle(&mut lines);
            Box::new(lines.into_iter())
        }
    };
    let mut seen = HashSet::new();
    let mut left = count;
    for line in candidates {
        if left == 0 {
            break;
        }
        if seen.insert(line.session.key()) && judge.finds_balanced(&*line.session) {
            writeln!(out, "{}", line.text)?;
            left -= 1;
        }
    }
    Ok(())
}

/// A line and the game it leads to, which is not over.
struct Line {
    text: String,
    session: Box<dyn Session>,
}

impl Line {
    fn of(session: &dyn Session) -> Option<Line> {
        let in_words = |m: LegalMove| match session.variant() {
            Variant::GrandeAcedrex => m.text,
            // As the books of its players have it.
            Variant::SpanishDraughts => m.notation,
        };
        let moves: Vec<String> = session.moves().into_iter().map(in_words).collect();
        session.ending().is_none().then(|| Line { text: moves.join(" "), session: session.clone_box() })
    }
}

fn random_line(start: &mut dyn Session, plies: u32, random: &mut fastrand::Rng) -> Option<Line> {
    let mut session = start.clone_box();
    for _ in 0..plies {
        let moves = session.legal_moves();
        let m = random.choice(&moves)?;
        session.play(&m.text).expect("a legal move");
    }
    Line::of(&*session)
}

/// All lines of so many moves, each final position by one of its ways.
fn every_line(session: &mut dyn Session, plies: u32, lines: &mut Vec<Line>) {
    if plies == 0 {
        lines.extend(Line::of(session));
        return;
    }
    for m in session.legal_moves() {
        session.play(&m.text).expect("a legal move");
        every_line(session, plies - 1, lines);
        session.undo();
    }
}

/// A search that judges lines.
struct Judge {
    table: Table,
    threads: Threads,
    nodes: u64,
    window: i32,
}

impl Judge {
    fn new(nodes: u64, window: i32) -> anyhow::Result<Self> {
        let (table, threads) = (Table::new(HASH_MIB, 0)?, Threads::new(1).context("a thread")?);
        Ok(Judge { table, threads, nodes, window })
    }

    fn finds_balanced(&mut self, session: &dyn Session) -> bool {
        // Each line is judged as if it were the only one.
        self.table.clear(&self.threads);
        let control = Control::new(false);
        let workshop = Workshop {
            table: &self.table,
            threads: &self.threads,
            control: &control,
            settings: Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None },
        };
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let score = std::sync::Mutex::new(None);
        session.search(&limits, &[], &workshop, &|report| {
            *score.lock().expect("nothing panics here") = Some(report.score);
        });
        let score = score.into_inner().expect("nothing panics here");
        matches!(score, Some(Score::Centipawns(score)) if score.abs() <= self.window)
    }
}
