//! The suite of tactics of Grande Acedrex: its answers are proven, and the engine finds them.
//!
//! What the file says, and how its node bounds are measured again, stands at its head.

#[path = "common/prover.rs"]
mod prover;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use alfonso::acedrex::{Move, Position, Rules};
use alfonso::game::{Game, Position as _};
use alfonso::search::score::Score;
use alfonso::search::{Control, Limits, Settings, Table, Threads, search};
use prover::{Goal, Prover, after};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/grande-acedrex.epd");

/// Set to `measure`, it has the bounds measured and written in place of being demanded.
const MEASURE: &str = "SUITE_BOUNDS";

/// Debug builds prove what is won in at most so many moves, and search at most so many nodes.
const QUICK_MOVES: u8 = 3;
const QUICK_NODES: u64 = 4_000;

// --- The file ---------------------------------------------------------------------------------

/// What is claimed of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// The best moves, and no others, win in so many moves; nothing wins sooner.
    Win(u8),
    /// The best moves force a draw at least within so many moves; all others lose within as many.
    Hold(u8),
}

#[derive(Clone, Debug)]
struct Entry {
    /// The first four fields of the FEN.
    fen: String,
    best: Vec<String>,
    /// Moves that let a win slip: after them the other side forces a draw at least.
    avoid: Vec<String>,
    claim: Claim,
    id: String,
    comment: String,
    /// Nodes after which the engine knows the answer.
    bound: u64,
}

impl Entry {
    fn read(line: &str) -> Entry {
        let mut words = line.splitn(5, ' ');
        let fen = words.by_ref().take(4).collect::<Vec<_>>().join(" ");
        let operations: BTreeMap<&str, &str> = words
            .next()
            .and_then(|rest| rest.strip_suffix(';'))
            .unwrap_or_else(|| panic!("no operations, or no semicolon at the end: {line}"))
            .split("; ")
            .map(|operation| operation.split_once(' ').unwrap_or_else(|| panic!("no operand: {line}")))
            .collect();
        let operand = |code: &str| operations.get(code).copied();
        let needed = |code: &str| operand(code).unwrap_or_else(|| panic!("no {code}: {line}"));
        let moves = |text: &str| text.split(' ').map(str::to_string).collect();
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no number '{text}': {line}"));
        let quoted = |text: &str| text.trim_matches('"').to_string();
        Entry {
            fen,
            best: moves(needed("bm")),
            avoid: operand("am").map(moves).unwrap_or_default(),
            claim: match operand("dm") {
                Some(count) => Claim::Win(number(count) as u8),
                None => Claim::Hold(number(needed("hold")) as u8),
            },
            id: quoted(needed("id")),
            comment: quoted(needed("c0")),
            bound: number(needed("acn")),
        }
    }

    fn write(&self) -> String {
        let mut line = format!("{} bm {};", self.fen, self.best.join(" "));
        if !self.avoid.is_empty() {
            write!(line, " am {};", self.avoid.join(" ")).unwrap();
        }
        match self.claim {
            Claim::Win(moves) => write!(line, " dm {moves};").unwrap(),
            Claim::Hold(moves) => write!(line, " hold {moves};").unwrap(),
        }
        write!(line, " id \"{}\"; c0 \"{}\"; acn {};", self.id, self.comment, self.bound).unwrap();
        line
    }

    fn position(&self) -> Position {
        Position::from_fen(&self.fen, Rules::default()).unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    /// The theme is the part of the id before its number.
    fn theme(&self) -> &str {
        self.id.rsplit_once('-').map_or(&self.id, |(theme, _)| theme)
    }

    fn moves(&self) -> u8 {
        match self.claim {
            Claim::Win(moves) | Claim::Hold(moves) => moves,
        }
    }
}

/// The head of the file and its entries.
fn read() -> (String, Vec<Entry>) {
    let text = std::fs::read_to_string(FILE).expect("the suite is there");
    let (head, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    (head.join("\n") + "\n", lines.into_iter().map(Entry::read).collect())
}

fn write(head: &str, entries: &[Entry]) -> String {
    entries.iter().fold(head.to_string(), |text, entry| text + &entry.write() + "\n")
}

#[test]
fn the_file_is_in_good_order() {
    let (head, entries) = read();
    assert_eq!(write(&head, &entries), std::fs::read_to_string(FILE).unwrap());
    assert!(entries.len() >= 60, "{} positions", entries.len());
    let mut themes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut ids, mut positions) = (BTreeSet::new(), BTreeSet::new());
    for entry in &entries {
        assert!(ids.insert(&entry.id), "{} twice", entry.id);
        assert!(positions.insert(&entry.fen), "{}: the position is there already", entry.id);
        *themes.entry(entry.theme()).or_default() += 1;
        let position = entry.position();
        for text in entry.best.iter().chain(&entry.avoid) {
            let m = position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
            assert_eq!(&position.move_text(m), text, "{}", entry.id);
        }
    }
    for (theme, count) in themes {
        assert!(count >= 3, "only {count} of the theme {theme}");
        assert!(head.contains(&format!("#   {theme} ")), "the head says nothing of {theme}");
    }
}

// --- The proofs -------------------------------------------------------------------------------

/// Are exactly the best moves good for the claim?
fn prove(entry: &Entry) {
    let position = entry.position();
    let side = position.side_to_move();
    let moves = Game::new(position.clone()).legal_moves();
    let is_best = |m: Move| entry.best.contains(&position.move_text(m));
    let told = |m: Move| format!("{}: {} in {}", entry.id, position.move_text(m), entry.fen);
    match entry.claim {
        Claim::Win(in_moves) => {
            let mut wins = Prover::new::<Position>(side, Goal::Win);
            for sooner in 1..in_moves {
                assert!(!wins.forces(&position, 2 * sooner - 1), "{} wins in {sooner}", entry.id);
            }
            for &m in &moves {
                assert_eq!(wins.forces(&after(&position, m), 2 * in_moves - 2), is_best(m), "{}", told(m));
            }
        }
        Claim::Hold(in_moves) => {
            let mut holds = Prover::new::<Position>(side, Goal::Draw);
            let mut loses = Prover::new::<Position>(!side, Goal::Win);
            for &m in &moves {
                let next = after(&position, m);
                let prover = if is_best(m) { &mut holds } else { &mut loses };
                assert!(prover.forces(&next, 2 * in_moves), "{}", told(m));
            }
        }
    }
    let mut saves = Prover::new::<Position>(!side, Goal::Draw);
    for text in &entry.avoid {
        let m = position.parse_move(text).expect("the file is in good order");
        assert!(saves.forces(&after(&position, m), 2 * entry.moves()), "{}", told(m));
    }
}

#[test]
fn short_answers_are_proven() {
    read().1.iter().filter(|entry| entry.moves() <= QUICK_MOVES).for_each(prove);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large trees: release builds")]
fn long_answers_are_proven() {
    read().1.iter().filter(|entry| entry.moves() > QUICK_MOVES).for_each(prove);
}

// --- The engine -------------------------------------------------------------------------------

/// What a search says, by the nodes it had looked at.
struct Word {
    nodes: u64,
    m: String,
    score: Score,
}

/// All that the engine says of a position within so many nodes; the last is its answer.
fn words(position: &Position, nodes: u64) -> Vec<Word> {
    // A table and a history of its own, and one thread: the same words every time.
    let (table, threads) = (Table::new(16, 0).unwrap(), Threads::new(1).unwrap());
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let words = Mutex::new(Vec::new());
    let game = Game::new(position.clone());
    let answer = search(&game, &limits, &[], settings, (&table, &threads, &Control::new(false)), &|info| {
        let m = position.move_text(info.pv[0]);
        words.lock().unwrap().push(Word { nodes: info.nodes, m, score: info.score.into() });
    });
    let words = words.into_inner().unwrap();
    assert_eq!(words.last().map(|word| &word.m), Some(&position.move_text(answer.m)));
    words
}

impl Entry {
    /// Is this the answer, and does a short win show in the score?
    fn is_answer(&self, word: &Word) -> bool {
        let told = match self.claim {
            Claim::Win(1..=3) => matches!(word.score, Score::Mate(1..)),
            _ => true,
        };
        told && self.best.contains(&word.m)
    }

    fn is_solved(&self, nodes: u64) -> bool {
        words(&self.position(), nodes).last().is_some_and(|word| self.is_answer(word))
    }
}

#[test]
fn the_engine_solves_what_is_quick() {
    if std::env::var(MEASURE).is_err() {
        demand(|bound| bound <= QUICK_NODES);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large trees: release builds")]
fn the_engine_solves_the_rest() {
    match std::env::var(MEASURE) {
        Ok(word) if word == "measure" => measure(),
        Ok(word) => panic!("{MEASURE}={word}; allowed: measure"),
        Err(_) => demand(|bound| bound > QUICK_NODES),
    }
}

fn demand(bounds: impl Fn(u64) -> bool) {
    let (_, entries) = read();
    let unsolved: Vec<String> = entries
        .iter()
        .filter(|entry| bounds(entry.bound) && !entry.is_solved(entry.bound))
        .map(Entry::write)
        .collect();
    assert!(unsolved.is_empty(), "not solved within their bounds:\n{}", unsolved.join("\n"));
}

/// Writes new bounds: about twice the nodes after which the answer stays.
fn measure() {
    const MOST: u64 = 500_000;
    let (head, mut entries) = read();
    let mut unsolved = String::new();
    for entry in &mut entries {
        let words = words(&entry.position(), MOST);
        let stays = words.iter().rev().take_while(|word| entry.is_answer(word)).last();
        // That the search is cut short may change its last words: no bound is believed untried.
        let bounds = stays.into_iter().flat_map(|word| bounds_above(2 * word.nodes));
        let tried = bounds.take_while(|&bound| bound <= 2 * MOST).find(|&bound| entry.is_solved(bound));
        match tried {
            Some(bound) => entry.bound = bound,
            None => unsolved += &format!("{}\n", entry.write()),
        }
    }
    std::fs::write(FILE, write(&head, &entries)).expect("the suite can be written");
    assert!(
        unsolved.is_empty(),
        "not solved within {MOST} nodes, their bounds left as they were:\n{unsolved}"
    );
}

/// Round numbers from `nodes` on: 1, 2 and 5 times the powers of ten, from 1000.
fn bounds_above(nodes: u64) -> impl Iterator<Item = u64> {
    (3..)
        .flat_map(|power| [1, 2, 5].map(|digit| digit * 10u64.pow(power)))
        .filter(move |&bound| bound >= nodes)
}
