//! The bench: a fixed search of fixed positions, whose node counts tell one search from another.

use std::fmt::{self, Display};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::options::Options;
use super::session::Workshop;
use super::variant::Variant;
use crate::search::{Control, Limits, Settings, Table, Threads};

/// What the bench of one game gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    pub variant: Variant,
    /// The same on every machine and in every run of one version.
    pub nodes: u64,
    pub time: Duration,
}

impl BenchResult {
    /// Nodes a second.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

impl Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (name, speed) = (self.variant.name(), self.nodes_per_second());
        write!(f, "{name}: {} nodes, {} ms, {speed} nodes/s", self.nodes, self.time.as_millis())
    }
}

/// What is searched of one game: positions and depth in plies.
struct Course {
    variant: Variant,
    depth: u32,
    fens: &'static [&'static str],
}

const HASH_MIB: usize = 16;

const COURSES: &[Course] = &[
    Course {
        variant: Variant::GrandeAcedrex,
        depth: 9,
        fens: &[
            "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1",
            "rlug2kcgul1/3c8/6a4r/pp1ppppp1ppp/2p5p3/12/12/9U2/PPPPPPPPPPPP/R4G6/7L4/1LUGCAKC3R w Kk - 0 6",
            "rl1gc3g3/8a3/3k8/pp2pp1ppppR/3p8/12/12/4P2P2c1/PPP3PLPPP1/5GK5/8C1u1/RL1G1A6 w - - 0 21",
            "r2gcc4l1/7k4/3r8/2pppp1ppp1p/u1g7p1/12/lP10/C2G2P2P2/2P1PP1PP1PP/9C2/4A3R3/6K2ULR w K - 7 21",
            "4k7/12/9c2/1p5p2pp/C1p4L1p2/12/8R3/12/11P/12/4r6K/6C4R w - - 1 66",
            "5kL5/12/12/3C3P4/12/12/8C2U/3P8/12/12/p11/2R3K5 b K - 0 1",
        ],
    },
    Course {
        variant: Variant::SpanishDraughts,
        depth: 18,
        fens: &[
            "W:W1-12:B21-32",
            "W:W1,2,3,4,5,6,7,9,10,11,12,16:B15,21,22,23,25,26,27,28,29,30,31,32",
            "W:W1,2,6,8,9,10,11,14:B7,22,25,26,28,29,30,31,32",
            "W:W1,2,3,4,5,7,8,10,11,24:B9,17,23,25,26,27,28,29,31,32",
            "W:W1,8,9,19:B6,17,20,24,28,30",
            "W:WK1,K12,K31:BK32",
            "B:W1,K10,26:B9,18,30",
        ],
    },
];

/// Searches all positions with one thread and a table of its own, and tells `progress` a line for
/// each. `None` where `control` stopped it.
pub fn bench(control: &Control, progress: &dyn Fn(String)) -> Option<Vec<BenchResult>> {
    let threads = Threads::new(1).expect("a thread can be had");
    let table = Table::new(HASH_MIB, 0).expect("16 MiB can be had");
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let workshop = Workshop { table: &table, threads: &threads, control, settings };
    COURSES.iter().map(|course| ride(course, &workshop, progress)).collect()
}

fn ride(course: &Course, workshop: &Workshop, progress: &dyn Fn(String)) -> Option<BenchResult> {
    let mut session = course.variant.start(&Options::default());
    let limits = Limits { depth: Some(course.depth), ..Limits::default() };
    let mut result = BenchResult { variant: course.variant, nodes: 0, time: Duration::ZERO };
    for (index, fen) in course.fens.iter().enumerate() {
        workshop.table.clear(workshop.threads);
        session.set_position(Some(fen), &[]).expect("the bench's positions are sound");
        let nodes = AtomicU64::new(0);
        let start = Instant::now();
        let answer = session.search(&limits, &[], workshop, &|report| {
            nodes.store(report.nodes, Relaxed);
        });
        if workshop.control.stopped() {
            return None;
        }
        let nodes = nodes.into_inner();
        result.nodes += nodes;
        result.time += start.elapsed();
        let (name, place, count) = (course.variant.name(), index + 1, course.fens.len());
        progress(format!("{name} {place}/{count}: {nodes} nodes, best {}", answer.best));
    }
    Some(result)
}
