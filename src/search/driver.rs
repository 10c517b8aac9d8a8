//! Iterative deepening: the loop around the tree, on every thread, and what it reports.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::control::Control;
use super::known::KnownRoot;
use super::limits::Limits;
use super::score::{DRAW, INFINITE, MATE, MAX_PLY, is_decided, is_mate};
use super::threads::Threads;
use super::time::TimeBudget;
use super::transposition::{Bound, Table};
use super::worker::{Counters, RootMove, Shared, Worker, score_of};
use crate::game::{Game, Position};

/// No search goes deeper, in plies.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 10;

/// What shapes a search besides its limits.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How many lines to report, from the best on.
    pub multi_pv: usize,
    /// Time kept back on each move for the way to the clock.
    pub move_overhead: Duration,
    /// A seed: choose by it among root moves of about equal worth. `None`: always the best.
    pub variety: Option<u64>,
}

/// The state of a search, reported as it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info<M> {
    /// Plies of the iteration that the line is of.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: usize,
    /// Rank of the line, from 1.
    pub multi_pv: usize,
    /// Centipawns or mate, as [`super::score`] counts, from the view of the side to move.
    pub score: i32,
    pub bound: Bound,
    /// Nodes of all threads together.
    pub nodes: u64,
    /// Positions met of which the value is known for certain, by all threads together.
    pub known: u64,
    pub time: Duration,
    /// Thousandths of the table filled by this search.
    pub per_mille_full: u16,
    /// The line; never empty.
    pub pv: Vec<M>,
}

/// What a search answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best<M> {
    pub m: M,
    /// The reply it expects.
    pub ponder: Option<M>,
}

/// Bounds outside the aspiration window are reported in searches longer than this; a count of
/// nodes and not a time, so that equal searches report alike.
const QUIET_NODES: u64 = 2_000_000;

/// Searches the position of `game`, which has a legal move, on all `threads`, among `root_moves` only
/// (all legal moves where that is empty). The last report before the answer is always an exact line.
///
/// Returns when a limit is reached; a search without a limit, and one that ponders, only when
/// `control` says so.
pub fn search<P: Position>(
    game: &Game<P>,
    limits: &Limits,
    root_moves: &[P::Move],
    settings: Settings,
    (table, threads, control): (&Table, &Threads, &Control),
    report: &(dyn Fn(Info<P::Move>) + Sync),
) -> Best<P::Move> {
    let position = game.position();
    let side = position.side_to_move();
    let legal = game.legal_moves();
    debug_assert!(!legal.is_empty());
    let restricted_root = !root_moves.is_empty();
    let root_moves = if restricted_root { root_moves } else { &legal };
    let keys = game.reversible_keys();
    // Only moves that keep what is known are searched, for one line. Where that is a draw, the search asks no more
    // what is known, for the sake of the game that is still to be played. A proof of a mate asks nothing.
    let ask_known = limits.mate.is_none();
    let look = ask_known && settings.multi_pv == 1;
    let known_root = look.then(|| KnownRoot::look(position, root_moves, &keys)).flatten();
    let root_moves = known_root.as_ref().map_or(root_moves, |known| &known.moves);
    let restricted_root = restricted_root || known_root.is_some();
    let drawn = known_root.as_ref().is_some_and(|known| known.drawn);
    let mut budget = TimeBudget::new(limits, side, settings.move_overhead);
    // Where nodes stand for time, the time that must not be passed is a number of nodes.
    let nodes_in_time = limits.node_rate.and_then(|rate| Some(nodes_in(budget.hard.take()?, rate)));
    let shared = Shared {
        table,
        control,
        budget,
        node_limit: limits.nodes.into_iter().chain(nodes_in_time).min().unwrap_or(u64::MAX),
        restricted_root,
        variety: settings.variety,
        counters: std::iter::repeat_with(Counters::default).take(threads.count()).collect(),
        done: AtomicBool::new(false),
        ask_known: ask_known && !drawn,
        known_before: known_root.as_ref().map_or(0, |known| known.asked),
    };
    table.begin_search();

    let best = threads.broadcast(|index| {
        let mut worker = Worker::new(&shared, index, threads.history(index), position, root_moves, &keys);
        if index > 0 {
            help(&mut worker, position);
            return None;
        }
        // However the first thread ends, the others must not run on.
        let _guard = DoneOnDrop(&shared.done);
        let mut driver = Driver {
            worker,
            shared: &shared,
            position,
            limits,
            settings,
            report,
            drawn,
            lines: Vec::new(),
            reported_nodes: None,
            steady: 0,
            last_score: 0,
        };
        driver.deepen();
        control.wait_until_due(!limits.is_bounded(side));
        Some(driver.answer())
    });
    best.into_iter().flatten().next().expect("the first thread answers")
}

/// How many nodes stand for `time` at so many a second; one at least.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    ((time.as_secs_f64() * rate as f64) as u64).max(1)
}

struct DoneOnDrop<'a>(&'a AtomicBool);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A helper thread: fills the table until it is stopped. Every second one is a ply ahead, so that
/// the threads do not all look at the same nodes.
fn help<P: Position>(worker: &mut Worker<P>, position: &P) {
    let ahead = worker.index() as u32 % 2;
    let mut last_score = None;
    for depth in (1..=MAX_DEPTH).map(|depth| depth + ahead) {
        worker.root_depth = depth as i32;
        let mut window = Window::around(last_score, depth);
        loop {
            let score = worker.search_root(position, window.alpha, window.beta);
            if worker.stopped() {
                return;
            }
            sort(&mut worker.root_moves);
            last_score = Some(score);
            if window.widen(score) == Bound::Exact {
                break;
            }
        }
    }
}

/// Where the score of a root is expected (aspiration window).
struct Window {
    alpha: i32,
    beta: i32,
    /// Centipawns by which it reaches beyond the last score.
    width: i32,
}

impl Window {
    const FIRST_WIDTH: i32 = 25;
    /// Scores of less deep searches foretell little.
    const FIRST_DEPTH: u32 = 5;

    /// For a search to `depth`, after one that gave `last_score`.
    fn around(last_score: Option<i32>, depth: u32) -> Window {
        let width = Self::FIRST_WIDTH;
        let (alpha, beta) = match last_score {
            Some(score) if depth >= Self::FIRST_DEPTH && !is_decided(score) => (score - width, score + width),
            _ => (-INFINITE, INFINITE),
        };
        Window { alpha, beta, width }
    }

    /// What a search with this window found; where that lies outside, the window is widened to that side.
    fn widen(&mut self, score: i32) -> Bound {
        const WIDEST: i32 = 1000;
        let bound = Bound::of(score, self.alpha, self.beta);
        self.width *= 3;
        let open = self.width > WIDEST || is_decided(score);
        match bound {
            Bound::Exact => {}
            Bound::Upper => self.alpha = if open { -INFINITE } else { score - self.width },
            Bound::Lower => self.beta = if open { INFINITE } else { score + self.width },
        }
        bound
    }
}

/// Best first; moves without a score keep their order.
fn sort<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| -root.score);
}

/// A line that was found.
#[derive(Clone)]
struct Line<M> {
    depth: u32,
    seldepth: usize,
    score: i32,
    /// What the score says.
    bound: Bound,
    pv: Vec<M>,
}

/// The first thread's search: it alone reports and decides.
struct Driver<'a, P: Position> {
    worker: Worker<'a, P>,
    shared: &'a Shared<'a>,
    position: &'a P,
    limits: &'a Limits,
    settings: Settings,
    report: &'a (dyn Fn(Info<P::Move>) + Sync),
    /// Is it known that the root is drawn, whatever the search finds?
    drawn: bool,
    /// The best lines of the last depth that gave them, best first.
    lines: Vec<Line<P::Move>>,
    /// Nodes when the lines were last reported, if they were.
    reported_nodes: Option<u64>,
    /// For how many iterations the best move has been the same.
    steady: u32,
    /// Score of the iteration before the last.
    last_score: i32,
}

impl<P: Position> Driver<'_, P> {
    fn deepen(&mut self) {
        let mate = self.mate_in();
        let mate_plies = mate.map_or(MAX_DEPTH, |moves| 2 * moves);
        let deepest = self.limits.depth.unwrap_or(MAX_DEPTH).min(mate_plies);
        for depth in 1..=deepest {
            self.iterate(depth);
            if self.worker.stopped() || self.enough(depth) {
                return;
            }
        }
        if let Some(moves) = mate.filter(|&moves| 2 * moves <= deepest) {
            self.prove_mate(moves as i32);
        }
    }

    /// The number of moves to win in, if that is asked, within what the search can reach.
    fn mate_in(&self) -> Option<u32> {
        self.limits.mate.map(|moves| moves.min(MAX_DEPTH / 2))
    }

    /// Settles whether there is a win in so many `moves` that the selective search has overlooked:
    /// nothing but such a win counts, and nothing is cut that is not proven.
    fn prove_mate(&mut self, moves: i32) {
        self.worker.exhaustive = true;
        self.worker.root_depth = 2 * moves;
        let alpha = MATE - 2 * moves;
        let score = self.worker.search_root(self.position, alpha, INFINITE);
        self.worker.exhaustive = false;
        if score > alpha && !self.worker.stopped() {
            sort(&mut self.worker.root_moves);
            let root = &self.worker.root_moves[0];
            let depth = self.worker.root_depth as u32;
            let (seldepth, pv) = (root.seldepth, root.pv.clone());
            self.lines = vec![Line { depth, seldepth, score, bound: Bound::Exact, pv }];
            self.report_lines();
        }
    }

    /// One depth, all its lines.
    fn iterate(&mut self, depth: u32) {
        self.worker.root_depth = depth as i32;
        let count = self.settings.multi_pv.min(self.worker.root_moves.len());
        let mut lines = Vec::with_capacity(count);
        for first in 0..count {
            self.worker.first_root_move = first;
            let line = self.search_line(depth);
            lines.extend(line);
            if self.worker.stopped() {
                // What was found of this depth is worth more than what there is of the one before.
                lines.into_iter().rev().for_each(|line| self.prefer(line));
                return;
            }
        }
        // A later line may turn out better than one before it, as their searches differ.
        lines.sort_by_key(|line| -line.score);
        let same = self.lines.first().is_some_and(|line| line.pv[0] == lines[0].pv[0]);
        self.steady = if same { self.steady + 1 } else { 0 };
        self.last_score = self.lines.first().map_or(lines[0].score, |line| line.score);
        self.lines = lines;
        self.report_lines();
        self.worker.first_root_move = 0;
        sort(&mut self.worker.root_moves);
    }

    /// Puts a line before those of the last depth, of which as many are kept as there is room for.
    fn prefer(&mut self, line: Line<P::Move>) {
        let count = self.settings.multi_pv.min(self.worker.root_moves.len());
        self.lines.retain(|other| other.pv[0] != line.pv[0]);
        self.lines.insert(0, line);
        self.lines.truncate(count);
        self.lines.sort_by_key(|line| -line.score);
    }

    /// Searches one line with a window around its last score, widened until the score is inside. Where the search is
    /// stopped meanwhile: the best line so far, if one is known to be as good as the window asked.
    fn search_line(&mut self, depth: u32) -> Option<Line<P::Move>> {
        let first = self.worker.first_root_move;
        let mut window = Window::around(self.lines.get(first).map(|line| line.score), depth);
        let mut failed_high = None;
        loop {
            let alpha = window.alpha;
            let score = self.worker.search_root(self.position, alpha, window.beta);
            let stopped = self.worker.stopped();
            sort(&mut self.worker.root_moves[first..]);
            let root = &self.worker.root_moves[first];
            if stopped && root.score <= alpha {
                return failed_high;
            }
            let score = if stopped { root.score } else { score };
            let bound = if stopped { Bound::Exact } else { window.widen(score) };
            let line = Line { depth, seldepth: root.seldepth, score, bound, pv: root.pv.clone() };
            if bound == Bound::Exact {
                return Some(line);
            }
            if self.shared.nodes() > QUIET_NODES {
                self.report_line(&line, first + 1);
            }
            failed_high = (bound == Bound::Lower).then_some(line);
        }
    }

    /// Is there no point in going deeper than `depth`?
    fn enough(&mut self, depth: u32) -> bool {
        let best = self.lines[0].score;
        if let Some(moves) = self.mate_in() {
            return best >= MATE - (2 * moves as i32 - 1);
        }
        let Some(soft) = self.shared.budget.soft else { return false };
        let soft = soft.mul_f64(self.patience());
        let spent = |share: Duration| match self.limits.node_rate {
            Some(rate) => self.shared.nodes() >= nodes_in(share, rate),
            None => self.shared.control.elapsed() >= share,
        };
        // Nothing to choose: a look ahead, for the score and the reply, is enough.
        let only_move = self.worker.root_moves.len() == 1 && spent(soft / 16);
        // A win or loss that was proven well within the depth will not change.
        let decided = is_mate(best) && depth as i32 > 2 * (MATE - best.abs());
        let enough = only_move || decided || spent(soft);
        let pondering = self.shared.control.pondering();
        // Then the answer is due as soon as the expected move is played.
        self.worker.ends_when_hit = enough && pondering;
        enough && !pondering
    }

    /// How much of the time that is meant for a move this one deserves, 1 being the usual: less where the
    /// best move has long been the same and took most of the effort, more where the score falls.
    fn patience(&self) -> f64 {
        let best = &self.worker.root_moves[0];
        let effort = best.nodes as f64 / self.worker.nodes().max(1) as f64;
        let steady = f64::from(self.steady.min(8));
        let fall = f64::from((self.last_score - best.score).clamp(0, 100));
        ((1.7 - 1.1 * effort) * (1.15 - 0.05 * steady) * (1.0 + fall / 200.0)).clamp(0.3, 2.0)
    }

    /// The move to play. Reports the lines once more where nodes have been searched since.
    fn answer(&mut self) -> Best<P::Move> {
        if self.lines.is_empty() {
            // Broken off before the first move was looked at: it stands for what it looks like.
            let m = self.worker.root_moves[0].m;
            let mut next = self.position.clone();
            next.play(m);
            let answer = match next.ending_at_sight() {
                Some(ending) => score_of(ending, &next, 1),
                None => next.evaluate(),
            };
            self.lines.push(Line { depth: 1, seldepth: 1, score: -answer, bound: Bound::Exact, pv: vec![m] });
        }
        if self.reported_nodes != Some(self.shared.nodes()) {
            self.report_lines();
        }
        let pv = &self.lines[0].pv;
        Best { m: pv[0], ponder: pv.get(1).copied().or_else(|| self.reply_in_table(pv[0])) }
    }

    /// The reply to `m` that the table holds, where the line itself breaks off.
    fn reply_in_table(&self, m: P::Move) -> Option<P::Move> {
        let mut next = Game::new(self.position.clone());
        next.play(m);
        let best = self.shared.table.probe(next.position().key(), 0)?.best;
        if next.ending().is_some() {
            return None;
        }
        next.position().find(best)
    }

    /// Is every move of the line legal where it is played?
    fn can_be_played(&self, line: &[P::Move]) -> bool {
        let mut game = Game::new(self.position.clone());
        line.iter().all(|&m| {
            let legal = game.ending_of_play().is_none() && game.legal_moves().contains(&m);
            if legal {
                game.play(m);
            }
            legal
        })
    }

    fn report_lines(&mut self) {
        self.reported_nodes = Some(self.shared.nodes());
        for (index, line) in self.lines.iter().enumerate() {
            self.report_line(line, index + 1);
        }
    }

    fn report_line(&self, line: &Line<P::Move>, multi_pv: usize) {
        debug_assert!(self.can_be_played(&line.pv), "{:?} in {}", line.pv, self.position.fen());
        (self.report)(Info {
            depth: line.depth,
            seldepth: line.seldepth.max(line.pv.len()),
            multi_pv,
            score: if self.drawn { DRAW } else { line.score },
            bound: line.bound,
            nodes: self.shared.nodes(),
            known: self.shared.known(),
            time: self.shared.control.elapsed(),
            per_mille_full: self.shared.table.per_mille_full(),
            pv: line.pv.clone(),
        });
    }
}
