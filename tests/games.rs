//! What must hold in every game: one suite, run over each.
//!
//! The games' own rules and reference counts have their own tests; here stands what search and
//! engine rely on, whatever the game.

mod common;

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::time::Duration;

use alfonso::game::{Color, Game, MoveList, Position, Reason};
use alfonso::search::perft::{divide, perft};
use alfonso::search::score::{DRAW, EVALUATION_LIMIT, MATE, won_at};
use alfonso::search::{Best, Control, Info, Limits, Settings, Table, Threads, search};
use alfonso::{acedrex, draughts};
use common::Chance;

/// Runs each test over each game.
macro_rules! in_every_game {
    ($($test:ident)*) => {
        mod grande_acedrex {
            $(#[test] fn $test() { super::$test::<alfonso::acedrex::Position>(); })*
        }
        mod spanish_draughts {
            $(#[test] fn $test() { super::$test::<alfonso::draughts::Position>(); })*
        }
    };
}

in_every_game! {
    fens_are_read_back
    moves_are_read_back_in_both_forms
    what_is_kept_up_agrees_with_what_is_rebuilt
    move_lists_agree_with_one_another
    moves_are_found_by_their_names
    names_tell_moves_apart
    keys_are_known_before_moves_are_made
    whoever_has_noisy_moves_may_have_some
    parts_of_moves_agree_with_their_text
    a_game_without_moves_is_over_and_only_that
    evaluations_add_up_within_their_band
    passing_hands_over_the_turn_where_allowed
    diagrams_fit_a_terminal
    the_third_occurrence_is_a_draw
    moves_are_taken_back
    perft_is_the_sum_over_the_moves
    threads_divide_the_same_tree
    wins_are_found_in_the_shortest_way
    equal_searches_are_equal
    node_limits_are_kept
    what_a_broken_off_depth_found_counts
    small_searches_give_legal_moves_and_lines
    several_lines_are_different_and_in_order
    root_moves_are_kept_to
    two_threads_search_and_stop
    repetition_is_seen_as_a_draw
    a_stopped_search_still_answers
    a_search_whose_time_is_over_at_once_still_searches
}

/// What only the game itself can offer the suite.
trait Sample: Position {
    /// Positions won for the side to move in so many of its moves, and not faster.
    const WINS: &'static [(&'static str, u32)];
    /// A position in which each side can move a piece forth and back, and the side to move is ahead.
    const ROOMY: &'static str;
    /// Positions to count trees from.
    const TREES: &'static [&'static str];
}

impl Sample for acedrex::Position {
    const WINS: &'static [(&'static str, u32)] = &[
        ("5k6/R11/1R10/12/12/12/12/11p/12/12/12/6K5 w - - 0 1", 1),
        ("6k5/12/12/12/12/p11/12/12/r3P7/12/12/6K5 b - - 0 1", 1),
        ("5k6/12/R11/1R10/12/12/12/11p/12/12/12/6K5 w - - 0 1", 2),
        ("7k4/12/9K1R/4p7/12/12/12/12/12/12/8L3/12 w - - 0 1", 3),
    ];
    const ROOMY: &'static str = "5k6/12/12/12/12/12/12/11p/12/12/1R10/6K5 w - - 0 1";
    const TREES: &'static [&'static str] = &[
        "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1",
        "4k7/12/9c2/1p5p2pp/C1p4L1p2/12/8R3/12/11P/12/4r6K/6C4R w - - 1 66",
    ];
}

impl Sample for draughts::Position {
    const WINS: &'static [(&'static str, u32)] = &[
        ("W:W10:B14", 1),
        ("W:W9,K15,12:B5,K1", 1),
        ("W:W11,K28,3:B32,K23", 2),
        ("W:W5,K7,11:B26,K21", 2),
        ("W:W7,K12,23:B31,K3", 3),
        ("W:W3,K29,10:B32,K17", 3),
    ];
    const ROOMY: &'static str = "W:WK4,K12,8:BK29";
    const TREES: &'static [&'static str] = &["W:W1-12:B21-32", "W:W1,K10,26:B9,18,30"];
}

// --- Helpers --------------------------------------------------------------------------------

fn position<P: Position>(fen: &str) -> P {
    P::from_fen(fen, P::Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn legal_moves<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

fn after<P: Position>(position: &P, m: P::Move) -> P {
    let mut next = position.clone();
    next.play(m);
    next
}

/// Games of chance, the same ones every time; half of their moves take where they can, so that
/// they reach the endings too.
fn playouts<P: Position>(count: usize) -> Vec<Game<P>> {
    const PLIES: usize = 120;
    let mut chance = Chance::seeded(1283);
    let mut games = Vec::new();
    for _ in 0..count {
        let mut game = Game::new(P::start(P::Rules::default()));
        while game.moves().len() < PLIES && game.ending_of_play().is_none() {
            let moves = game.legal_moves();
            let noisy: Vec<P::Move> =
                moves.iter().copied().filter(|&m| game.position().is_noisy(m)).collect();
            let choice = if chance.once_in(2) && !noisy.is_empty() { &noisy[..] } else { &moves[..] };
            game.play(choice[chance.below(choice.len())]);
        }
        games.push(game);
    }
    games
}

/// Every position of some games of chance.
fn positions<P: Position>(games: usize) -> Vec<P> {
    playouts(games).iter().flat_map(|game| game.positions().to_vec()).collect()
}

/// The tools of a search.
struct Workbench {
    table: Table,
    threads: Threads,
    multi_pv: usize,
}

impl Workbench {
    fn new() -> Self {
        Self::with_threads(1)
    }

    fn with_threads(count: usize) -> Self {
        Workbench { table: Table::new(1, 0).unwrap(), threads: Threads::new(count).unwrap(), multi_pv: 1 }
    }

    /// Searches, checks that every line reported is legal, and returns the answer and the reports.
    fn search<P: Position>(
        &self,
        game: &Game<P>,
        limits: Limits,
        root_moves: &[P::Move],
    ) -> (Best<P::Move>, Vec<Info<P::Move>>) {
        let control = Control::new(limits.ponder);
        let settings = Settings { multi_pv: self.multi_pv, move_overhead: Duration::ZERO, variety: None };
        let reports = Mutex::new(Vec::new());
        let best = search(
            game,
            &limits,
            root_moves,
            settings,
            (&self.table, &self.threads, &control),
            &|info: Info<P::Move>| reports.lock().unwrap().push(info),
        );
        let reports = reports.into_inner().unwrap();
        for info in &reports {
            assert_legal(game.position(), &info.pv);
            assert!(info.score.abs() <= MATE);
        }
        let last = reports.iter().rfind(|info| info.multi_pv == 1).expect("the answer is reported");
        assert_eq!(last.pv[0], best.m, "the answer is the best line's first move");
        assert_legal(game.position(), &[Some(best.m), best.ponder].into_iter().flatten().collect::<Vec<_>>());
        (best, reports)
    }
}

fn assert_legal<P: Position>(position: &P, line: &[P::Move]) {
    assert!(!line.is_empty());
    let mut position = position.clone();
    for &m in line {
        assert!(legal_moves(&position).contains(&m), "{m:?} of {line:?} in {}", position.fen());
        position.play(m);
    }
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Does the side to move win by its `moves`th move at the latest? Tried out in full.
fn wins_within<P: Position>(position: &P, moves: u32) -> bool {
    let us = position.side_to_move();
    let won = |position: &P| {
        let game = Game::new(position.clone());
        game.ending_of_play().is_some_and(|ending| ending.winner == Some(us))
    };
    moves > 0
        && legal_moves(position).iter().any(|&m| {
            let next = after(position, m);
            won(&next)
                || (moves > 1 && {
                    let replies = legal_moves(&next);
                    !replies.is_empty()
                        && replies.iter().all(|&reply| {
                            let next = after(&next, reply);
                            won(&next) || wins_within(&next, moves - 1)
                        })
                })
        })
}

/// A quiet move for each side and the way back: after these four the position is the same.
fn forth_and_back<P: Position>(position: &P) -> [P::Move; 4] {
    let quiet = |position: &P| -> Vec<P::Move> {
        legal_moves(position).into_iter().filter(|&m| !position.is_noisy(m)).collect()
    };
    for first in quiet(position) {
        let second_position = after(position, first);
        for second in quiet(&second_position) {
            let third_position = after(&second_position, second);
            for third in quiet(&third_position) {
                let (way, back) = (position.move_parts(first), third_position.move_parts(third));
                if (&way.from, &way.to) != (&back.to, &back.from) {
                    continue;
                }
                let fourth_position = after(&third_position, third);
                for fourth in quiet(&fourth_position) {
                    if after(&fourth_position, fourth).key() == position.key() {
                        return [first, second, third, fourth];
                    }
                }
            }
        }
    }
    panic!("nothing can move forth and back in {}", position.fen());
}

// --- The games ------------------------------------------------------------------------------

fn fens_are_read_back<P: Position>() {
    for position in positions::<P>(30) {
        let fen = position.fen();
        let again: P = self::position(&fen);
        assert_eq!(again.fen(), fen);
        assert_eq!(again.key(), position.key(), "{fen}");
        assert_eq!(again.side_to_move(), position.side_to_move(), "{fen}");
        assert_eq!(again.move_number(), position.move_number(), "{fen}");
        assert_eq!(legal_moves(&again), legal_moves(&position), "{fen}");
        assert_eq!(again.evaluate(), position.evaluate(), "{fen}");
        assert_eq!(again.verify(), Ok(()));
    }
}

fn moves_are_read_back_in_both_forms<P: Position>() {
    for position in positions::<P>(4) {
        let mut texts = HashSet::new();
        for m in legal_moves(&position) {
            for text in [position.move_text(m), position.notation(m)] {
                assert_eq!(position.parse_move(&text), Ok(m), "{text} in {}", position.fen());
            }
            assert!(texts.insert(position.move_text(m)), "two moves, one text in {}", position.fen());
        }
        for text in ["", "x", "a1a1", "z9z9", "0000", "a1a2a3a4", "1-1", "99x1", "é", "(none)"] {
            assert!(position.parse_move(text).is_err(), "{text} in {}", position.fen());
        }
    }
}

fn what_is_kept_up_agrees_with_what_is_rebuilt<P: Position>() {
    for mut position in positions::<P>(40) {
        assert_eq!(position.verify(), Ok(()), "{}", position.fen());
        let key = position.key();
        position.set_rules(position.rules());
        assert_eq!(position.key(), key, "the rules are no part of the key");
    }
}

fn move_lists_agree_with_one_another<P: Position>() {
    for position in positions::<P>(40) {
        let moves = legal_moves(&position);
        assert_eq!(position.count_moves(), moves.len() as u64, "{}", position.fen());
        let mut again = MoveList::new();
        position.legal_moves(&mut again);
        assert_eq!(again, moves, "one order, every time");
        for (index, m) in moves.iter().enumerate() {
            assert!(!moves[..index].contains(m), "{m:?} twice in {}", position.fen());
            assert!(position.history_slot(*m) < P::HISTORY_SLOTS);
        }
        let mut noisy = MoveList::new();
        position.noisy_moves(&mut noisy);
        for &m in &noisy {
            assert!(moves.contains(&m), "{m:?} in {}", position.fen());
            assert!(position.is_noisy(m), "{m:?} in {}", position.fen());
        }
        let mut quiet = MoveList::new();
        position.quiet_moves(&mut quiet);
        assert!(quiet.iter().all(|&m| !position.is_noisy(m)), "{}", position.fen());
        assert_eq!(noisy.len() + quiet.len(), moves.len(), "{}", position.fen());
        assert!(quiet.iter().all(|m| moves.contains(m)), "{}", position.fen());
    }
}

fn moves_are_found_by_their_names<P: Position>() {
    for position in positions::<P>(3).iter().step_by(25) {
        let moves = legal_moves(position);
        let named: HashMap<u16, P::Move> = moves.iter().map(|&m| (position.name(m), m)).collect();
        for name in 0..=u16::MAX {
            let found = position.find(name);
            assert_eq!(found, named.get(&name).copied(), "{name} in {}", position.fen());
            assert!(found.is_none() || position.presumed(name).is_none_or(|m| Some(m) == found));
        }
    }
}

fn names_tell_moves_apart<P: Position>() {
    for position in positions::<P>(40) {
        let mut seen = HashSet::new();
        for (place, &m) in legal_moves(&position).iter().enumerate() {
            let name = position.name(m);
            assert_ne!(name, 0);
            assert!(seen.insert(name), "{} in {}", position.move_text(m), position.fen());
            assert_eq!(position.place(&legal_moves(&position), name), Some(place));
        }
    }
}

fn keys_are_known_before_moves_are_made<P: Position>() {
    for position in positions::<P>(40) {
        for m in legal_moves(&position) {
            let mut next = position.clone();
            next.play(m);
            assert_eq!(position.key_after(m), next.key(), "{} in {}", position.move_text(m), position.fen());
        }
    }
}

fn whoever_has_noisy_moves_may_have_some<P: Position>() {
    for position in positions::<P>(40).into_iter().filter(|position| position.may_stand_pat()) {
        let mut noisy = MoveList::new();
        position.noisy_moves(&mut noisy);
        assert!(noisy.is_empty() || position.may_be_noisy(), "{}", position.fen());
    }
}

fn parts_of_moves_agree_with_their_text<P: Position>() {
    for position in positions::<P>(10) {
        for m in legal_moves(&position) {
            let (text, parts) = (position.move_text(m), position.move_parts(m));
            let rest = text.strip_prefix(&parts.from).expect("the text begins with the from-square");
            let rest = match parts.promotion {
                // Of games that write it.
                Some(letter) => rest.strip_suffix(letter).unwrap_or(rest),
                None => rest,
            };
            assert!(rest.ends_with(&parts.to), "{text}: {parts:?}");
            assert_eq!(
                position.is_noisy(m),
                !parts.captured.is_empty() || parts.promotion.is_some(),
                "{text}"
            );
        }
    }
}

fn a_game_without_moves_is_over_and_only_that<P: Position>() {
    let games = playouts::<P>(200);
    for game in &games {
        for position in game.positions() {
            let ending = Game::new(position.clone()).ending_of_play();
            assert_eq!(ending.is_some(), position.count_moves() == 0, "{}", position.fen());
            if ending.is_some() && position.ending_at_sight().is_none() {
                let winner = position.ending_without_moves().winner;
                assert_ne!(winner, Some(position.side_to_move()), "who cannot move does not win");
            }
        }
    }
    assert!(games.iter().any(|game| game.ending_of_play().is_some()), "some game comes to an end");
}

fn evaluations_add_up_within_their_band<P: Position>() {
    for position in positions::<P>(40) {
        let score = position.evaluate();
        assert!(score.abs() <= EVALUATION_LIMIT, "{score} in {}", position.fen());
        let for_white = if position.side_to_move() == Color::White { score } else { -score };
        let sum: i32 = position.evaluation_terms().iter().map(|term| term.white - term.black).sum();
        assert_eq!(sum, for_white, "{}", position.fen());
    }
}

fn passing_hands_over_the_turn_where_allowed<P: Position>() {
    for position in positions::<P>(20).iter().filter(|position| position.may_pass()) {
        assert!(!P::FORCED_CAPTURES);
        let mut passed = position.clone();
        passed.pass();
        assert_eq!(passed.side_to_move(), !position.side_to_move());
        assert_ne!(passed.key(), position.key());
        assert_eq!(passed.verify(), Ok(()));
    }
}

fn diagrams_fit_a_terminal<P: Position>() {
    for position in positions::<P>(2) {
        let diagram = position.diagram(Color::White);
        assert!(diagram.ends_with('\n'));
        assert!(diagram.lines().count() <= 20 && diagram.lines().all(|line| line.chars().count() < 80));
    }
}

fn the_third_occurrence_is_a_draw<P: Sample>() {
    let mut game = Game::new(position::<P>(P::ROOMY));
    let circle = forth_and_back(game.position());
    for m in [circle, circle].concat() {
        assert_eq!(game.ending(), None, "after {} plies", game.moves().len());
        game.play(m);
    }
    assert_eq!(game.ending().map(|ending| (ending.winner, ending.reason)), Some((None, Reason::Repetition)));
    assert_eq!(game.ending_of_play(), None, "a move could still be played");
    game.undo();
    assert_eq!(game.ending(), None);
}

fn moves_are_taken_back<P: Position>() {
    for mut game in playouts::<P>(5) {
        let fens: Vec<String> = game.positions().iter().map(P::fen).collect();
        for fen in fens.iter().rev() {
            assert_eq!(game.position().fen(), *fen);
            game.undo();
        }
        assert_eq!(game.undo(), None);
    }
}

fn perft_is_the_sum_over_the_moves<P: Sample>() {
    for fen in P::TREES {
        let position: P = position(fen);
        assert_eq!(perft(&position, 0), 1);
        for depth in 1..=3 {
            let moves = legal_moves(&position);
            let sum: u64 = moves.iter().map(|&m| perft(&after(&position, m), depth - 1)).sum();
            assert_eq!(perft(&position, depth), sum, "depth {depth} of {fen}");
        }
    }
}

fn threads_divide_the_same_tree<P: Sample>() {
    let [one, three] = [1, 3].map(|count| Threads::new(count).unwrap());
    let control = Control::new(false);
    for fen in P::TREES {
        let position: P = position(fen);
        let counts = divide(&position, 3, &one, &control).unwrap();
        assert_eq!(counts, divide(&position, 3, &three, &control).unwrap(), "{fen}");
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, 3));
        assert!(counts.iter().map(|&(m, _)| m).eq(legal_moves(&position)), "in the order of generation");
    }
    control.stop();
    assert_eq!(divide(&P::start(P::Rules::default()), 9, &three, &control), None, "it was stopped");
}

// --- The search -----------------------------------------------------------------------------

fn wins_are_found_in_the_shortest_way<P: Sample>() {
    for &(fen, moves) in P::WINS {
        let game = Game::new(position::<P>(fen));
        assert!(wins_within(game.position(), moves) && !wins_within(game.position(), moves - 1), "{fen}");
        let score = won_at(2 * moves as usize - 1);
        for limits in [to_depth(2 * moves), Limits { mate: Some(moves), ..Limits::default() }] {
            let (best, reports) = Workbench::new().search(&game, limits.clone(), &[]);
            assert_eq!(reports.last().unwrap().score, score, "{fen} with {limits:?}");
            let next = after(game.position(), best.m);
            let won = next.count_moves() == 0
                || legal_moves(&next).iter().all(|&reply| wins_within(&after(&next, reply), moves - 1));
            assert!(won, "{} does not win {fen}", game.position().move_text(best.m));
        }
        if moves > 1 {
            let limits = Limits { mate: Some(moves - 1), ..Limits::default() };
            let (_, reports) = Workbench::new().search(&game, limits, &[]);
            assert!(reports.last().unwrap().score <= score, "{fen}: there is nothing faster");
        }
    }
}

fn equal_searches_are_equal<P: Sample>() {
    for fen in P::TREES {
        let game = Game::new(position::<P>(fen));
        let run = |bench: &Workbench| {
            let (best, mut reports) = bench.search(&game, to_depth(4), &[]);
            reports.iter_mut().for_each(|info| info.time = Duration::ZERO);
            (best, reports)
        };
        let bench = Workbench::new();
        let first = run(&bench);
        bench.table.clear(&bench.threads);
        assert_eq!(run(&bench), first, "{fen}: again with the table cleared");
        assert_eq!(run(&Workbench::new()), first, "{fen}: again with another table");
    }
}

fn node_limits_are_kept<P: Sample>() {
    for limit in [1, 2, 50, 255, 256, 257, 5000] {
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let game = Game::new(P::start(P::Rules::default()));
        let (_, reports) = Workbench::new().search(&game, limits, &[]);
        let nodes = reports.last().unwrap().nodes;
        assert_eq!(nodes, limit);
    }
}

/// The answer is the best of the last depth, as far as it came, not of the one before.
fn what_a_broken_off_depth_found_counts<P: Sample>() {
    const LIMIT: u64 = 10_000;
    let (mut deeper, mut other) = (0, 0);
    for mut game in playouts::<P>(100) {
        while game.moves().len() > 12 {
            game.undo();
        }
        let (_, reports) =
            Workbench::new().search(&game, Limits { nodes: Some(LIMIT), ..Limits::default() }, &[]);
        let [.., done, last] = &reports[..] else { continue };
        if last.nodes == LIMIT && last.depth > done.depth {
            assert_eq!(last.depth, done.depth + 1);
            deeper += 1;
            other += u32::from(last.pv[0] != done.pv[0]);
        }
    }
    assert!(deeper >= 10 && other >= 1, "{deeper} of 100 deeper, {other} with another move");
}

fn small_searches_give_legal_moves_and_lines<P: Sample>() {
    let mut chance = Chance::seeded(12);
    let games = playouts::<P>(60);
    // One table for all, so that old entries are met as well.
    let bench = Workbench::new();
    let mut searched = 0;
    while searched < 200 {
        let mut game = games[chance.below(games.len())].clone();
        for _ in 0..chance.below(game.moves().len() + 1) {
            game.undo();
        }
        if game.ending_of_play().is_some() {
            continue;
        }
        let limits = Limits { nodes: Some(1 + chance.below(400) as u64), ..Limits::default() };
        bench.search(&game, limits, &[]);
        searched += 1;
    }
}

fn several_lines_are_different_and_in_order<P: Sample>() {
    let mut bench = Workbench::new();
    bench.multi_pv = 4;
    let game = Game::new(P::start(P::Rules::default()));
    let (_, reports) = bench.search(&game, to_depth(3), &[]);
    let last = &reports[reports.len() - 4..];
    assert!(last.iter().map(|info| info.multi_pv).eq(1..=4));
    assert!(last.is_sorted_by(|a, b| a.score >= b.score), "{last:?}");
    let moves: HashSet<String> = last.iter().map(|info| game.position().move_text(info.pv[0])).collect();
    assert_eq!(moves.len(), 4, "{moves:?}");
}

fn root_moves_are_kept_to<P: Sample>() {
    let bench = Workbench::new();
    let game = Game::new(P::start(P::Rules::default()));
    let moves = game.legal_moves();
    for chosen in [&moves[..1], &moves[2..4], &moves[moves.len() - 1..]] {
        let (best, _) = bench.search(&game, to_depth(3), chosen);
        assert!(chosen.contains(&best.m));
    }
}

fn two_threads_search_and_stop<P: Sample>() {
    let bench = Workbench::with_threads(2);
    let game = Game::new(P::start(P::Rules::default()));
    let (_, reports) = bench.search(&game, to_depth(4), &[]);
    assert_eq!(reports.last().unwrap().depth, 4);

    let control = Control::new(false);
    let (sender, reports) = channel();
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let best = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let tell = |info: Info<P::Move>| sender.send(info.depth).unwrap_or_default();
            let tools = (&bench.table, &bench.threads, &control);
            search(&game, &Limits::default(), &[], settings, tools, &tell)
        });
        reports.recv().expect("the search reports its first depth");
        control.stop();
        running.join().expect("it ends in good order")
    });
    assert!(game.legal_moves().contains(&best.m));
}

fn repetition_is_seen_as_a_draw<P: Sample>() {
    let mut game = Game::new(position::<P>(P::ROOMY));
    let circle = forth_and_back(game.position());
    let last = circle[3];
    // The loser is about to bring the position about for the third time.
    for m in [&circle[..], &circle[..3]].concat() {
        game.play(m);
    }
    let (_, reports) = Workbench::new().search(&game, to_depth(2), &[last]);
    assert_eq!(reports.last().unwrap().score, DRAW, "the third occurrence ends the game");
    let (_, reports) = Workbench::new().search(&Game::new(game.position().clone()), to_depth(2), &[last]);
    assert!(reports.last().unwrap().score < DRAW, "without that past there is no draw");
}

fn a_stopped_search_still_answers<P: Sample>() {
    let game = Game::new(P::start(P::Rules::default()));
    let control = Control::new(false);
    control.stop();
    let bench = Workbench::new();
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let tools = (&bench.table, &bench.threads, &control);
    let best = search(&game, &Limits::default(), &[], settings, tools, &|_| {});
    assert!(game.legal_moves().contains(&best.m));
}

/// As on a machine that is so busy that the clock runs out before the first node.
fn a_search_whose_time_is_over_at_once_still_searches<P: Sample>() {
    let game = Game::new(P::start(P::Rules::default()));
    let control = Control::new(false);
    std::thread::sleep(Duration::from_millis(5));
    let bench = Workbench::new();
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
    let nodes = AtomicU64::new(0);
    let tools = (&bench.table, &bench.threads, &control);
    search(&game, &limits, &[], settings, tools, &|info| nodes.store(info.nodes, Relaxed));
    assert!(nodes.into_inner() > 0);
}
