//! The suite of Spanish draughts: its answers are proven, and the engine finds them.

#[path = "common/suite.rs"]
mod suite;

use alfonso::draughts::squares::{Direction, Square, Squares, slide};
use alfonso::draughts::{Move, Position};
use alfonso::game::{Color, Position as _};
use suite::prover::{Goal, Prover, after, legal_moves};
use suite::{Claim, Entry, Tested};

impl Tested for Position {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/spanish-draughts.epd");
    const FEN_FIELDS: usize = 1;
    const LEAST_OF_A_THEME: usize = 8;
    const QUICK_NODES: u64 = 5_000;
}

#[test]
fn the_file_is_in_good_order() {
    suite::check_file::<Position>();
}

/// Captures are forced, so that even the long answers have narrow trees.
#[test]
fn the_answers_are_proven() {
    suite::prove::<Position>(|_| true);
}

#[test]
fn the_engine_solves_what_is_quick() {
    suite::solve_quick::<Position>();
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large trees: release builds")]
fn the_engine_solves_the_rest() {
    suite::solve_rest::<Position>();
}

// --- The themes -------------------------------------------------------------------------------

/// A move of the line of play, and the position before it.
type Step = (Position, Move);

/// The line of play that an entry's comment gives, and the position at its end.
fn line_of_play(entry: &Entry) -> (Vec<Step>, Position) {
    let mut position: Position = entry.position();
    let mut line = Vec::new();
    for text in entry.comment.split(' ') {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
        line.push((position, m));
        position.play(m);
    }
    (line, position)
}

#[test]
fn the_lines_of_play_show_the_themes() {
    let entries = suite::entries::<Position>();
    let others: Vec<String> = entries
        .iter()
        .filter(|entry| !shows_theme(entry))
        .map(|entry| format!("{}: {}", entry.id, entry.comment))
        .collect();
    assert!(others.is_empty(), "lines that show something else:\n{}", others.join("\n"));
}

fn shows_theme(entry: &Entry) -> bool {
    let (line, end) = line_of_play(entry);
    let (position, first) = line[0];
    let wins = matches!(entry.claim, Claim::Win(_));
    let shows = match entry.theme() {
        "shot" => wins && shows_shot(&line),
        "rule" => true, // has a proof of its own
        "race" => shows_race(&line),
        "table" => wins && is_in_tables(&end),
        "fortress" => !wins && shows_fortress(position.side_to_move(), &end),
        theme => panic!("{}: what shows the theme {theme}?", entry.id),
    };
    shows && entry.best.contains(&position.move_text(first))
}

/// The first side takes two pieces or more at once, after it has given up as many.
fn shows_shot(line: &[Step]) -> bool {
    let us = line[0].0.side_to_move();
    let mut given = 0;
    for (position, m) in line {
        let taken = m.captured.count();
        if position.side_to_move() != us {
            given += taken;
        } else if taken >= 2 && given >= 2 {
            return true;
        }
    }
    false
}

/// There are men only, until the first side crowns one of its own.
fn shows_race(line: &[Step]) -> bool {
    let position = line[0].0;
    let us = position.side_to_move();
    let kings = position.kings(us) | position.kings(!us);
    kings.is_empty() && line.iter().any(|(position, m)| position.side_to_move() == us && position.crowns(*m))
}

fn is_in_tables(position: &Position) -> bool {
    position.occupied().count() <= 4 && position.known_value().is_some()
}

/// What is left of a side at the end stands against more, or against more kings.
fn shows_fortress(us: Color, end: &Position) -> bool {
    let strength = |side: Color| (end.pieces(side).count(), end.kings(side).count());
    is_in_tables(end) && strength(us) < strength(!us)
}

/// Were the rules of quantity and quality not there, some other capture would answer the best move: after it
/// the claim fails.
#[test]
fn the_rules_of_capture_decide_where_they_are_the_theme() {
    for entry in suite::entries::<Position>().iter().filter(|entry| entry.theme() == "rule") {
        let (line, _) = line_of_play(entry);
        let (answered, _) = line[1];
        let legal = legal_moves(&answered);
        let mut forbidden = captures_by_no_rule(&answered);
        assert!(legal.iter().all(|m| forbidden.contains(m)), "{}", entry.id);
        forbidden.retain(|m| !legal.contains(m));
        let refutes = |&m: &Move| refutes(entry, &after(&answered, m));
        assert!(forbidden.iter().any(refutes), "{}", entry.id);
    }
}

/// Is it shown soon that the claim fails in this position, where its side is to move?
fn refutes(entry: &Entry, position: &Position) -> bool {
    const PLIES: u8 = 16;
    let goal = match entry.claim {
        Claim::Hold(_) => Goal::Win,
        _ => Goal::Draw,
    };
    let them = !position.side_to_move();
    Prover::new::<Position>(them, goal).forces_within(position, PLIES)
}

/// All captures to their ends, whether or not others take more; written apart from the library's.
fn captures_by_no_rule(position: &Position) -> Vec<Move> {
    let side = position.side_to_move();
    let mut found = Vec::new();
    for from in position.pieces(side) {
        let capturer = Capturer {
            from,
            directions: match (position.kings(side).contains(from), side) {
                (true, _) => &Direction::ALL,
                (false, Color::White) => &[Direction::UpLeft, Direction::UpRight],
                (false, Color::Black) => &[Direction::DownLeft, Direction::DownRight],
            },
            is_king: position.kings(side).contains(from),
            enemies: position.pieces(!side),
            occupied: position.occupied().without(from.set()),
        };
        capturer.follow(from, Squares::EMPTY, &mut found);
    }
    found
}

/// A piece that captures. The square it came from counts as empty; what it has taken stays and blocks.
struct Capturer {
    from: Square,
    directions: &'static [Direction],
    is_king: bool,
    enemies: Squares,
    occupied: Squares,
}

impl Capturer {
    /// Finds the captures that go on from a square; tells whether there are any.
    fn follow(&self, at: Square, captured: Squares, found: &mut Vec<Move>) -> bool {
        let mut goes_on = false;
        for &direction in self.directions {
            let Some((over, landings)) = self.jump(at, direction, captured) else { continue };
            goes_on = true;
            let captured = captured | over.set();
            // All are followed: no `any`, which would stop at the first.
            let onward = landings.into_iter().filter(|&to| self.follow(to, captured, found)).count();
            if onward == 0 {
                found.extend(landings.into_iter().map(|to| Move { captured, from: self.from, to }));
            }
        }
        goes_on
    }

    /// The piece that is jumped over in a direction, and where the jump may end.
    fn jump(&self, at: Square, direction: Direction, captured: Squares) -> Option<(Square, Squares)> {
        let (before, over) = slide(at, direction, self.occupied);
        let over = (over & self.enemies).without(captured).first()?;
        let mut landings = slide(over, direction, self.occupied).0;
        if !self.is_king {
            landings &= over.set().step(direction);
        }
        (!landings.is_empty() && (self.is_king || before.is_empty())).then_some((over, landings))
    }
}
