//! What a position is worth to the eye, in centipawns: a sum of weights, each of which counts so many times for
//! White and so many times for Black.
//!
//! Each side is seen as if it were White: Black's board is turned round, and what counts for one side counts for
//! the other alike. Most of the weights are of `patterns`: what the men of both sides look like on eight squares
//! that lie together. The others (`terms`) are for what patterns cannot see. Which weight is which says `layout`;
//! their values, in the middle game and in the endgame, are in `weights`, a file that the tuner writes.

mod layout;
mod patterns;
mod terms;
mod weights;

use super::position::Position;
use super::squares::{Square, Squares};
use crate::game::{Color, Features, Position as _, Term};
use crate::tapered::{Score, ShortScore};

use layout::Section;
pub(super) use patterns::States;

/// The worth of a man and of a king where only what a capture takes is looked at.
pub(super) const MAN: i32 = 100;
pub(super) const KING: i32 = 300;

/// What is left of an advantage that cannot be won by force: one part in so many.
const DRAWISH: i32 = 10;

/// No evaluation goes beyond this, however many kings there are: larger scores are proven wins.
const LIMIT: i32 = 9_999;

/// With so many pieces on the board or fewer it is all endgame, and with all of them all middle game.
const END_PIECES: u32 = 4;
const ALL_PIECES: u32 = 24;

/// The board as one side sees it. The sets lie as they are; what asks for squares, rows and directions turns those.
struct View<'a, const WHITE: bool> {
    men: Squares,
    kings: Squares,
    enemies: Squares,
    enemy_kings: Squares,
    patterns: &'a States,
    to_move: bool,
}

impl<const WHITE: bool> View<'_, WHITE> {
    const SIDE: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    fn of(position: &Position) -> View<'_, WHITE> {
        View {
            men: position.men(Self::SIDE),
            kings: position.kings(Self::SIDE),
            enemies: position.pieces(!Self::SIDE),
            enemy_kings: position.kings(!Self::SIDE),
            patterns: position.patterns(),
            to_move: position.side() == Self::SIDE,
        }
    }

    #[inline(always)]
    fn occupied(&self) -> Squares {
        self.men | self.kings | self.enemies
    }

    /// The weights of the side added up.
    #[inline(always)]
    fn sum(&self) -> Score {
        let mut patterns = ShortScore::default();
        self.patterns.each_weight(Self::SIDE, |weight| patterns += weights::pattern(weight));
        let mut terms = Score::default();
        terms::each_weight(self, |weight, count| terms += weights::get(weight) * count);
        Score::from(patterns) + terms
    }
}

/// Tells `add` the index of every weight that counts for a side, and how often.
fn each_weight(position: &Position, color: Color, mut add: impl FnMut(usize, i32)) {
    position.patterns().each_weight(color, |weight| add(weight, 1));
    match color {
        Color::White => terms::each_weight(&View::<true>::of(position), add),
        Color::Black => terms::each_weight(&View::<false>::of(position), add),
    }
}

/// White's lead as far as the weights tell it.
#[inline(always)]
fn lead(position: &Position) -> i32 {
    tapered(position, View::<true>::of(position).sum() - View::<false>::of(position).sum())
}

#[inline(always)]
fn tapered(position: &Position, score: Score) -> i32 {
    score.tapered(middle_share(position) as i32, (ALL_PIECES - END_PIECES) as i32)
}

/// How many parts in `ALL_PIECES - END_PIECES` are of the middle game.
#[inline(always)]
fn middle_share(position: &Position) -> u32 {
    position.piece_count().clamp(END_PIECES, ALL_PIECES) - END_PIECES
}

/// Can the side that leads hardly win, however much more it has? Not with kings alone, three or fewer against a
/// king that holds the long diagonal, two or fewer against any king.
#[inline(always)]
fn is_drawish(position: &Position, lead: i32) -> bool {
    let strong = if lead > 0 { Color::White } else { Color::Black };
    let kings = position.kings(strong).count();
    let defenders = position.kings(!strong);
    position.men(strong).is_empty()
        && ((kings <= 3 && defenders.meets(Squares::LONG_DIAGONAL)) || (kings <= 2 && !defenders.is_empty()))
}

/// What is left of White's lead.
#[inline(always)]
fn kept(position: &Position, lead: i32) -> i32 {
    if is_drawish(position, lead) { lead / DRAWISH } else { lead }
}

/// The evaluation from the view of the side to move.
#[inline(always)]
pub(super) fn evaluate(position: &Position) -> i32 {
    let score = kept(position, lead(position)).clamp(-LIMIT, LIMIT);
    if position.side_to_move() == Color::White { score } else { -score }
}

/// The evaluation taken apart.
pub(super) fn terms(position: &Position) -> Vec<Term> {
    let sections = |color| {
        let mut sections = [Score::default(); Section::NAMES.len()];
        each_weight(position, color, |weight, count| {
            sections[layout::section(weight) as usize] += weights::get(weight) * count;
        });
        sections
    };
    let (white, black) = (sections(Color::White), sections(Color::Black));
    // Each is the difference that it makes to the sum so far, so that the roundings add up as well.
    let mut sum = Score::default();
    let mut add = |part: Score| {
        let before = tapered(position, sum);
        sum += part;
        tapered(position, sum) - before
    };
    let term =
        |(index, name): (usize, _)| Term { name, white: add(white[index]), black: -add(-black[index]) };
    let mut terms: Vec<Term> = Section::NAMES.into_iter().enumerate().map(term).collect();
    let lead = tapered(position, sum);
    let kept = kept(position, lead);
    terms.push(Term { name: "hard to win", white: kept - lead, black: 0 });
    if kept.abs() > LIMIT {
        terms.push(Term { name: "limit", white: kept.clamp(-LIMIT, LIMIT) - kept, black: 0 });
    }
    terms
}

/// What the evaluation is made of.
pub(super) fn features(position: &Position) -> Features {
    let mut counts: Vec<(u32, i32)> = Vec::new();
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        each_weight(position, color, |weight, count| counts.push((weight as u32, sign * count)));
    }
    counts.sort_unstable();
    let sums = counts.chunk_by(|(one, _), (other, _)| one == other);
    let sums = sums.map(|equal| (equal[0].0, equal.iter().map(|(_, count)| *count).sum::<i32>() as f32));
    let middle_share = middle_share(position) as f32 / (ALL_PIECES - END_PIECES) as f32;
    let scale = if is_drawish(position, lead(position)) { 1.0 / DRAWISH as f32 } else { 1.0 };
    Features { coefficients: sums.filter(|&(_, count)| count != 0.0).collect(), middle_share, scale }
}

pub(super) use layout::{group_names as weight_groups, name as weight_name};
pub(super) use weights::{all as weights, file as weights_file};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draughts::Rules;
    use crate::game::{self, MoveList};

    /// The positions of a game of random moves.
    fn playout(choices: &[u8]) -> Vec<Position> {
        let mut positions = vec![<Position as game::Position>::start(Rules::default())];
        for &choice in choices {
            let mut next = *positions.last().expect("there is a first");
            let mut moves = MoveList::new();
            next.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            next.play(moves[usize::from(choice) % moves.len()]);
            positions.push(next);
        }
        positions
    }

    /// The board turned round, colours changed.
    fn turned(position: &Position) -> Position {
        let sets = |of: fn(&Position, Color) -> Squares| {
            [Color::White, Color::Black].map(|color| of(position, !color).turned())
        };
        Position::set_up(sets(Position::men), sets(Position::kings), !position.side(), Rules::default())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_evaluation_is_the_sum_of_its_features(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            let weights = weights();
            for position in playout(&choices) {
                let features = features(&position);
                prop_assert!(features.coefficients.is_sorted_by(|(one, _), (other, _)| one < other));
                let share = features.middle_share;
                let value = |&(index, count): &(u32, f32)| {
                    let [middle, end] = weights[index as usize];
                    count * (middle * share + end * (1.0 - share))
                };
                let sum: f32 = features.coefficients.iter().map(value).sum();
                let evaluation = evaluate(&position) as f32;
                let for_white = if position.side() == Color::White { evaluation } else { -evaluation };
                let expected = (features.scale * sum).clamp(-LIMIT as f32, LIMIT as f32);
                prop_assert!((for_white - expected).abs() < 1.5, "{for_white} {expected} {}", position.fen());
            }
        }

        #[test]
        fn both_sides_are_seen_alike(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            for position in playout(&choices) {
                prop_assert_eq!(evaluate(&position), evaluate(&turned(&position)), "{}", position.fen());
            }
        }
    }

    #[test]
    fn the_file_of_the_weights_is_written_as_it_stands() {
        let file = include_bytes!("weights.bin");
        assert!(weights_file(&weights()) == file);
        let shifted: Vec<_> = weights().iter().map(|[middle, end]| [middle + 0.4, end - 0.4]).collect();
        assert!(weights_file(&shifted) == file, "rounded to whole centipawns");
        let far: Vec<_> = weights().iter().map(|_| [1e9, -1e9]).collect();
        assert!(weights_file(&far).ends_with(&[0xff, 0x7f, 0, 0x80]), "kept to what has room");
    }

    #[test]
    fn every_weight_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = (0..layout::COUNT).map(weight_name).collect();
        assert_eq!(names.len(), layout::COUNT);
        assert_eq!(weight_name(0), "man");
        assert_eq!(weight_name(layout::KING_SQUARE.at(9)), "king on f3");
        assert_eq!(weight_name(layout::COUNT - 1), "pattern 11, state 6560");
        let groups = weight_groups();
        assert!(names.iter().all(|name| groups.iter().any(|group| name.starts_with(group))));
    }

    /// What hardly can be won counts a tenth.
    #[test]
    fn kings_that_cannot_win() {
        let is_drawish = |fen| {
            let position = Position::from_fen(fen, Rules::default()).unwrap();
            is_drawish(&position, lead(&position))
        };
        assert!(is_drawish("W:WK2,K3,K4:BK10"), "three against one on the long diagonal");
        assert!(!is_drawish("W:WK2,K3,K4,K6:BK10"), "four against it");
        assert!(!is_drawish("W:WK2,K3,K4:BK9"), "three against one elsewhere");
        assert!(is_drawish("W:WK2,K3:BK9"), "two against one");
        assert!(!is_drawish("W:WK2,K3,4:BK10"), "a man may still crown");
    }

    #[test]
    fn nobody_stands_before_a_runaway() {
        let counts = |fen: &str| {
            let position = Position::from_fen(fen, Rules::default()).unwrap();
            let mut counts = 0;
            each_weight(&position, Color::White, |weight, count| {
                let runaways = layout::RUNAWAY.at(0)..=layout::RUNAWAY.at(7);
                counts += if runaways.contains(&weight) { count } else { 0 };
            });
            counts
        };
        assert_eq!(counts("W:W18:B5,6,7"), 1, "all have been passed");
        assert_eq!(counts("W:W18:B30"), 0, "one stands in the way");
        assert_eq!(counts("W:W13:B29"), 0, "one can come into the way");
        assert_eq!(counts("W:W20,21:B25"), 1);
        assert_eq!(counts("W:W1:B29"), 0, "as far away as can be");
    }
}
