//! The bench: a fixed search of fixed positions, whose node counts tell one search from another.

use std::fmt::{self, Display};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::options::Options;
use super::session::Workshop;
use super::variant::Variant;
use crate::search::{Control, Limits, Settings, Table, Threads};

/// Size of the bench's transposition table in MiB, where nobody says otherwise.
pub const HASH: usize = 16;

/// What the bench of one game gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    pub variant: Variant,
    /// The same on every machine and in every run of one version, if there is one thread.
    pub nodes: u64,
    /// Until all positions were searched to the depth.
    pub time: Duration,
}

impl Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.variant.name(), effort(self.nodes, self.time))
    }
}

/// Nodes, time and speed in words.
fn effort(nodes: u64, time: Duration) -> String {
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    format!("{nodes} nodes, {} ms, {speed} nodes/s", time.as_millis())
}

/// What is searched of one game: positions and depth in plies.
struct Course {
    variant: Variant,
    depth: u32,
    fens: &'static [&'static str],
}

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

/// Searches all positions, each with an empty `table`, to `depth` plies or else each game's own depth, and
/// tells `progress` a line for each. `None` where `control` stopped it.
///
/// One thread, a table of [`HASH`] MiB and no depth given: these node counts tell versions apart.
pub fn bench(
    depth: Option<u32>,
    (table, threads, control): (&Table, &Threads, &Control),
    progress: &dyn Fn(String),
) -> Option<Vec<BenchResult>> {
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let workshop = Workshop { table, threads, control, settings };
    COURSES.iter().map(|course| ride(course, depth.unwrap_or(course.depth), &workshop, progress)).collect()
}

fn ride(course: &Course, depth: u32, workshop: &Workshop, progress: &dyn Fn(String)) -> Option<BenchResult> {
    let mut session = course.variant.start(&Options::default());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut result = BenchResult { variant: course.variant, nodes: 0, time: Duration::ZERO };
    for (index, fen) in course.fens.iter().enumerate() {
        workshop.table.clear(workshop.threads);
        session.set_position(Some(fen), &[]).expect("the bench's positions are sound");
        let nodes = AtomicU64::new(0);
        let start = Instant::now();
        let answer = session.search(&limits, &[], workshop, &|report| {
            nodes.store(report.nodes, Relaxed);
        });
        let time = start.elapsed();
        if workshop.control.stopped() {
            return None;
        }
        let nodes = nodes.into_inner();
        result.nodes += nodes;
        result.time += time;
        let (name, place, count) = (course.variant.name(), index + 1, course.fens.len());
        let effort = effort(nodes, time);
        progress(format!("{name} {place}/{count}: {effort}, depth {depth}, best {}", answer.best));
    }
    Some(result)
}
