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

/// Positions in which the report of a line of another move once ended the search.
#[test]
fn lines_that_were_not_legal_once() {
    let (threads, table) = (Threads::new(1).unwrap(), Table::new(4, 0).unwrap());
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    for fen in [
        "5r4k1/9c2/2c4c4/2R9/8r2r/6c5/12/12/12/4c6c/12/11K w Kk - 0 1",
        "8g1l1/12/5k6/2pp1p1p1pcp/5u1p2p1/12/9P1P/P3P3P3/u9P1/a11/12/1K10 w - - 2 75",
        "r8R2/12/12/r11/11R/12/k10R/12/1K10/12/12/C8C2 b - - 0 1",
    ] {
        let mut session = Variant::GrandeAcedrex.start(&Options::default());
        session.set_position(Some(fen), &[]).unwrap();
        let control = Control::new(false);
        let workshop = Workshop { table: &table, threads: &threads, control: &control, settings };
        let limits = Limits { depth: Some(6), nodes: Some(100_000), ..Limits::default() };
        session.search(&limits, &[], &workshop, &|report| {
            let mut game = session.clone_box();
            assert!(
                report.pv.iter().all(|text| game.ending().is_none() && game.play(text).is_ok()),
                "{fen}: {:?}",
                report.pv
            );
        });
    }
}
