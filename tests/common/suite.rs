//! Suites of positions with proven answers: their files, the proofs, and the engine's way to the answers.
//!
//! What a file says, and how its node bounds are measured again, stands at its head.

#[path = "prover.rs"]
pub mod prover;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use alfonso::game::{Color, Game, Position};
use alfonso::search::score::{Score, is_decided};
use alfonso::search::{Control, Limits, Settings, Table, Threads, search};
use prover::{Goal, Prover, after, legal_moves};

/// Set to `measure`, it has the bounds measured and written in place of being demanded.
const MEASURE: &str = "SUITE_BOUNDS";

/// A game that has a suite.
pub trait Tested: Position {
    const FILE: &str;
    /// A FEN has so many fields, with spaces between them.
    const FEN_FIELDS: usize;
    const LEAST_OF_A_THEME: usize;
    /// Debug builds search at most so many nodes.
    const QUICK_NODES: u64;
}

// --- The file ---------------------------------------------------------------------------------

/// What is claimed of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The best moves, and no others, win in so many moves; nothing wins sooner.
    Soonest(u8),
    /// The best moves win within so many moves; after all others the other side forces a draw at least within
    /// as many.
    Win(u8),
    /// The best moves force a draw at least within so many moves; all others lose within as many.
    Hold(u8),
}

impl Claim {
    /// The operation that makes the claim, and its number of moves.
    fn operation(self) -> (&'static str, u8) {
        match self {
            Claim::Soonest(moves) => ("dm", moves),
            Claim::Win(moves) => ("win", moves),
            Claim::Hold(moves) => ("hold", moves),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub fen: String,
    pub best: Vec<String>,
    /// Moves that let a win slip: after them the other side forces a draw at least.
    avoid: Vec<String>,
    pub claim: Claim,
    pub id: String,
    pub comment: String,
    /// Nodes after which the engine knows the answer.
    bound: u64,
}

impl Entry {
    fn read(line: &str, fen_fields: usize) -> Entry {
        let mut words = line.splitn(fen_fields + 1, ' ');
        let fen = words.by_ref().take(fen_fields).collect::<Vec<_>>().join(" ");
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
        let claim = [Claim::Soonest, Claim::Win, Claim::Hold]
            .into_iter()
            .find_map(|claim| operand(claim(0).operation().0).map(|count| claim(number(count) as u8)));
        Entry {
            fen,
            best: moves(needed("bm")),
            avoid: operand("am").map(moves).unwrap_or_default(),
            claim: claim.unwrap_or_else(|| panic!("no claim: {line}")),
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
        let (claim, moves) = self.claim.operation();
        write!(line, " {claim} {moves};").unwrap();
        write!(line, " id \"{}\"; c0 \"{}\"; acn {};", self.id, self.comment, self.bound).unwrap();
        line
    }

    pub fn position<P: Position>(&self) -> P {
        P::from_fen(&self.fen, P::Rules::default()).unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    /// The theme is the part of the id before its number.
    pub fn theme(&self) -> &str {
        self.id.rsplit_once('-').map_or(&self.id, |(theme, _)| theme)
    }

    fn moves(&self) -> u8 {
        self.claim.operation().1
    }
}

/// The entries of a game's suite.
pub fn entries<P: Tested>() -> Vec<Entry> {
    read::<P>().1
}

/// The head of the file and its entries.
fn read<P: Tested>() -> (String, Vec<Entry>) {
    let text = std::fs::read_to_string(P::FILE).expect("the suite is there");
    let (head, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    let entries = lines.into_iter().map(|line| Entry::read(line, P::FEN_FIELDS)).collect();
    (head.join("\n") + "\n", entries)
}

fn write(head: &str, entries: &[Entry]) -> String {
    entries.iter().fold(head.to_string(), |text, entry| text + &entry.write() + "\n")
}

/// Is the file written as this program writes it, and worth its name?
pub fn check_file<P: Tested>() {
    let (head, entries) = read::<P>();
    assert_eq!(write(&head, &entries), std::fs::read_to_string(P::FILE).unwrap());
    assert!(entries.len() >= 60, "{} positions", entries.len());
    let mut themes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut ids, mut positions) = (BTreeSet::new(), BTreeSet::new());
    for entry in &entries {
        assert!(ids.insert(&entry.id), "{} twice", entry.id);
        assert!(positions.insert(&entry.fen), "{}: the position is there already", entry.id);
        *themes.entry(entry.theme()).or_default() += 1;
        let position: P = entry.position();
        for text in entry.best.iter().chain(&entry.avoid) {
            let m = position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
            assert_eq!(&position.move_text(m), text, "{}", entry.id);
        }
    }
    for (theme, count) in themes {
        assert!(count >= P::LEAST_OF_A_THEME, "only {count} of the theme {theme}");
        assert!(head.contains(&format!("#   {theme} ")), "the head says nothing of {theme}");
    }
}

// --- The proofs -------------------------------------------------------------------------------

/// Proves the claims that are made for some numbers of moves.
pub fn prove<P: Tested>(moves: impl Fn(u8) -> bool) {
    entries::<P>().iter().filter(|entry| moves(entry.moves())).for_each(prove_entry::<P>);
}

/// Are exactly the best moves good for the claim?
fn prove_entry<P: Position>(entry: &Entry) {
    let position: P = entry.position();
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    match entry.claim {
        Claim::Soonest(moves) => prove_soonest(entry, &position, moves),
        Claim::Win(_) => prove_apart(entry, &position, (us, Goal::Win), (them, Goal::Draw)),
        Claim::Hold(_) => prove_apart(entry, &position, (us, Goal::Draw), (them, Goal::Win)),
    }
    let mut saves = Prover::new::<P>(them, Goal::Draw);
    for text in &entry.avoid {
        let m = position.parse_move(text).expect("the file is in good order");
        let saved = saves.forces(&after(&position, m), 2 * entry.moves());
        assert!(saved, "{}", entry.told(&position, m));
    }
}

fn prove_soonest<P: Position>(entry: &Entry, position: &P, in_moves: u8) {
    let mut wins = Prover::new::<P>(position.side_to_move(), Goal::Win);
    for sooner in 1..in_moves {
        assert!(!wins.forces(position, 2 * sooner - 1), "{} wins in {sooner}", entry.id);
    }
    for m in legal_moves(position) {
        let won = wins.forces(&after(position, m), 2 * in_moves - 2);
        assert_eq!(won, entry.is_best(position, m), "{}", entry.told(position, m));
    }
}

/// Who can force what.
type Forced = (Color, Goal);

/// Is the one forced after the best moves, and the other after all others?
fn prove_apart<P: Position>(entry: &Entry, position: &P, after_best: Forced, after_others: Forced) {
    let [mut best, mut others] = [after_best, after_others].map(|(side, goal)| Prover::new::<P>(side, goal));
    for m in legal_moves(position) {
        let prover = if entry.is_best(position, m) { &mut best } else { &mut others };
        let forced = prover.forces_within(&after(position, m), 2 * entry.moves());
        assert!(forced, "{}", entry.told(position, m));
    }
}

impl Entry {
    fn is_best<P: Position>(&self, position: &P, m: P::Move) -> bool {
        self.best.contains(&position.move_text(m))
    }

    /// A move of the entry, for the message of a failed test.
    fn told<P: Position>(&self, position: &P, m: P::Move) -> String {
        format!("{}: {} in {}", self.id, position.move_text(m), self.fen)
    }
}

// --- The engine -------------------------------------------------------------------------------

/// What a search says, by the nodes it had looked at.
struct Word {
    nodes: u64,
    m: String,
    score: i32,
}

/// All that the engine says of a position within so many nodes; the last is its answer.
fn words<P: Position>(position: &P, nodes: u64) -> Vec<Word> {
    // A table and a history of its own, and one thread: the same words every time.
    let (table, threads) = (Table::new(16, 0).unwrap(), Threads::new(1).unwrap());
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let words = Mutex::new(Vec::new());
    let game = Game::new(position.clone());
    let answer = search(&game, &limits, &[], settings, (&table, &threads, &Control::new(false)), &|info| {
        let m = position.move_text(info.pv[0]);
        words.lock().unwrap().push(Word { nodes: info.nodes, m, score: info.score });
    });
    let words = words.into_inner().unwrap();
    assert_eq!(words.last().map(|word| &word.m), Some(&position.move_text(answer.m)));
    words
}

impl Entry {
    /// Is this the answer, and does the win show in the score, if it is near or the tables know it?
    fn is_answer(&self, word: &Word) -> bool {
        let told = match self.claim {
            Claim::Soonest(1..=3) => matches!(Score::from(word.score), Score::Mate(1..)),
            Claim::Win(_) => word.score > 0 && is_decided(word.score),
            Claim::Soonest(_) | Claim::Hold(_) => true,
        };
        told && self.best.contains(&word.m)
    }

    fn is_solved<P: Position>(&self, nodes: u64) -> bool {
        words::<P>(&self.position(), nodes).last().is_some_and(|word| self.is_answer(word))
    }
}

/// The engine solves what it has few nodes for.
pub fn solve_quick<P: Tested>() {
    if std::env::var(MEASURE).is_err() {
        demand::<P>(|bound| bound <= P::QUICK_NODES);
    }
}

/// The engine solves the rest; or all bounds are measured, if that is asked for.
pub fn solve_rest<P: Tested>() {
    match std::env::var(MEASURE) {
        Ok(word) if word == "measure" => measure::<P>(),
        Ok(word) => panic!("{MEASURE}={word}; allowed: measure"),
        Err(_) => demand::<P>(|bound| bound > P::QUICK_NODES),
    }
}

fn demand<P: Tested>(bounds: impl Fn(u64) -> bool) {
    let unsolved: Vec<String> = entries::<P>()
        .iter()
        .filter(|entry| bounds(entry.bound) && !entry.is_solved::<P>(entry.bound))
        .map(Entry::write)
        .collect();
    assert!(unsolved.is_empty(), "not solved within their bounds:\n{}", unsolved.join("\n"));
}

/// Writes new bounds: about twice the nodes after which the answer stays.
fn measure<P: Tested>() {
    const MOST: u64 = 1_000_000;
    let (head, mut entries) = read::<P>();
    let mut unsolved = String::new();
    for entry in &mut entries {
        let words = words::<P>(&entry.position(), MOST);
        let stays = words.iter().rev().take_while(|word| entry.is_answer(word)).last();
        // That the search is cut short may change its last words: no bound is believed untried.
        let bounds = stays.into_iter().flat_map(|word| bounds_above(2 * word.nodes));
        let tried = bounds.take_while(|&bound| bound <= 2 * MOST).find(|&bound| entry.is_solved::<P>(bound));
        match tried {
            Some(bound) => entry.bound = bound,
            None => unsolved += &format!("{}\n", entry.write()),
        }
    }
    std::fs::write(P::FILE, write(&head, &entries)).expect("the suite can be written");
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
