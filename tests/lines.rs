//! The lines that a search reports are lines of the game.

use std::sync::Mutex;
use std::time::Duration;

use alfonso::engine::{Options, Report, Variant, Workshop};
use alfonso::search::{Control, Limits, Settings, Table, Threads};

/// Searches of each walk; only the many show what happens once in a thousand.
const SEARCHES: u32 = if cfg!(debug_assertions) { 500 } else { 6000 };

/// Positions from a random walk, searched as in a game: one table for all.
fn every_line_is_legal(variant: Variant) {
    let (threads, table) = (Threads::new(1).unwrap(), Table::new(4, 0).unwrap());
    let control = Control::new(false);
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let workshop = Workshop { table: &table, threads: &threads, control: &control, settings };
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let mut random = fastrand::Rng::with_seed(7);
    let mut session = variant.start(&Options::default());
    for _ in 0..SEARCHES {
        if session.ending().is_some() || random.u32(0..60) == 0 {
            session = variant.start(&Options::default());
        }
        let reports: Mutex<Vec<Report>> = Mutex::default();
        let answer = session.search(&limits, &[], &workshop, &|report| reports.lock().unwrap().push(report));
        for report in reports.into_inner().unwrap() {
            let mut game = session.clone_box();
            for text in &report.pv {
                let played = game.play(text);
                assert!(played.is_ok(), "{}: {played:?} in {:?}", session.fen(), report.pv);
            }
        }
        // Now and then a blunder, for scores that change from move to move.
        let blunder = random.choice(session.legal_moves()).unwrap().text;
        session.play(if random.u32(0..4) == 0 { &blunder } else { &answer.best }).unwrap();
    }
}

#[test]
fn every_line_of_acedrex_is_legal() {
    every_line_is_legal(Variant::GrandeAcedrex);
}

#[test]
fn every_line_of_draughts_is_legal() {
    every_line_is_legal(Variant::SpanishDraughts);
}
