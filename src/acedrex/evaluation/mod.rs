//! Static evaluation, in centipawns: a sum of weights, each of which counts so many times for White and
//! so many times for Black.
//!
//! Every weight has a value for the middle game and one for the endgame, and the evaluation goes from
//! one to the other as pieces leave the board. Which weight is which says `layout`; their values are in
//! `weights`, a table written by the tuner. The terms are counted in `activity` (attacks and mobility),
//! `pawns`, `threats`, `king` and `endings`, for whatever [`Tally`] asks: the search wants the sum and
//! the tuner the counts, and both get them from the same lines. Material and placement alone are kept
//! up with every move.

mod activity;
mod endings;
mod king;
mod layout;
mod pawns;
mod source;
mod tally;
mod threats;
mod weights;

use crate::game::{Color, Features, Term};

use super::moves::Move;
use super::pieces::Kind;
use super::position::Position;
use super::squares::{SIDE, Square};

use activity::Activity;
use layout::{MATERIAL, PLACEMENT, Section, TEMPO, half_board};
use tally::{Counts, Sections, Tally};
use weights::WEIGHTS;

use crate::tapered::{Score, score};

/// No evaluation goes beyond this, however many gryphons there are: larger scores are proven wins.
const LIMIT: i32 = 19_999;

/// What taking the last man is worth beside the man itself.
const BARING: i32 = 10_000;

/// What each piece adds to the phase.
const PHASE: [i32; Kind::COUNT] = [0, 1, 1, 1, 2, 3, 3, 0];
/// The phase of the array: two gryphons, and four of each other piece.
const FULL_PHASE: i32 = 2 * 3 + 4 * (1 + 1 + 1 + 2 + 3);

/// Material and placement of every man, as White sees it.
static MEN: [[Score; Square::TABLE]; Kind::COUNT] = {
    let mut table = [[score(0, 0); Square::TABLE]; Kind::COUNT];
    let mut k = 0;
    while k < Kind::COUNT {
        let mut n = 0;
        while n < SIDE * SIDE {
            let square = Square::new(n % SIDE, n / SIDE);
            let placement = WEIGHTS[PLACEMENT.at(k, half_board(square))];
            table[k][square.index()] =
                if k < MATERIAL.rows() { WEIGHTS[MATERIAL.at(k, 0)].plus(placement) } else { placement };
            n += 1;
        }
        k += 1;
    }
    table
};

/// Material and placement of one man: what it adds to White's less Black's.
pub(super) fn man(color: Color, kind: Kind, square: Square) -> Score {
    match color {
        Color::White => MEN[kind.index()][square.index()],
        Color::Black => -MEN[kind.index()][square.flipped().index()],
    }
}

/// What a man adds to the phase.
pub(super) fn phase(kind: Kind) -> i32 {
    PHASE[kind.index()]
}

/// The worth of each man in an exchange, set by hand. What the fitted evaluation says of a man on average, with its
/// squares, its mobility and all, is about a seventh more, and played no better (lab notes).
const VALUES: [i32; Kind::COUNT] = [100, 240, 380, 420, 580, 860, 1050, 0];

/// The worth of a man in an exchange, in centipawns; nothing for a king.
pub(super) const fn value(kind: Kind) -> i32 {
    VALUES[kind.index()]
}

impl Position {
    /// What a noisy move may win, in centipawns: the victim and what a pawn gains by promotion. Of
    /// equal gains the cheapest taker's is larger by a few points.
    pub(super) fn gain(&self, m: Move) -> i32 {
        let taker = self.kind_on(m.from()).expect("a move starts from a man");
        let victim = self.kind_on(m.to()).map_or(0, value);
        let promotion = value(self.becomes(taker, m.to())) - value(taker);
        victim + promotion - taker.index() as i32 + if self.bares(m) { BARING } else { 0 }
    }
}

/// From the view of the side to move.
pub(super) fn evaluate(position: &Position) -> i32 {
    let white = scaled(position, lead(position)).clamp(-LIMIT, LIMIT);
    if position.side() == Color::White { white } else { -white }
}

/// The evaluation taken apart.
pub(super) fn terms(position: &Position) -> Vec<Term> {
    let [white, black] = count_all::<Sections>(position);
    // Each is the difference that it makes to the sum so far, so that the roundings add up as well.
    let mut sum = Score::default();
    let mut add = |part: Score| {
        let before = tapered(position, sum);
        sum += part;
        tapered(position, sum) - before
    };
    let term = |(i, name): (usize, _)| Term { name, white: add(white.0[i]), black: -add(-black.0[i]) };
    let mut terms: Vec<Term> = Section::NAMES.into_iter().enumerate().map(term).collect();
    let lead = tapered(position, sum);
    let total = scaled(position, lead);
    terms.push(Term { name: "hard to win", white: total - lead, black: 0 });
    if total.abs() > LIMIT {
        terms.push(Term { name: "limit", white: total.clamp(-LIMIT, LIMIT) - total, black: 0 });
    }
    terms
}

/// What the evaluation is made of.
pub(super) fn features(position: &Position) -> Features {
    let [whites, blacks] = count_all::<Counts>(position);
    let differences = whites.0.iter().zip(&blacks.0).map(|(white, black)| white - black);
    let coefficients =
        (0..).zip(differences).filter(|&(_, count)| count != 0).map(|(i, count)| (i, count as f32));
    let middle_share = middle_share(position) as f32 / FULL_PHASE as f32;
    let scale = quarters_kept(position, lead(position)) as f32 / 4.0;
    Features { coefficients: coefficients.collect(), middle_share, scale }
}

/// The weights in force.
pub(super) fn weights() -> Vec<[f32; 2]> {
    WEIGHTS.iter().map(|weight| [weight.middle() as f32, weight.end() as f32]).collect()
}

pub(super) use layout::{group_names as weight_groups, name as weight_name};
pub(super) use source::write as weights_file;

/// Parts of [`FULL_PHASE`] that the middle game counts for. There may be more pieces than at first.
fn middle_share(position: &Position) -> i32 {
    position.phase().min(FULL_PHASE)
}

fn tapered(position: &Position, score: Score) -> i32 {
    score.tapered(middle_share(position), FULL_PHASE)
}

/// What all terms together make White's lead.
#[inline(always)]
fn lead(position: &Position) -> i32 {
    let [white, black] = count::<Score>(position);
    tapered(position, position.score() + white - black)
}

/// White's lead, less what cannot be won of it.
fn scaled(position: &Position, lead: i32) -> i32 {
    lead * quarters_kept(position, lead) / 4
}

/// How many quarters of White's lead count. A single man seldom wins, however strong it is: of this engine's games
/// with itself 30 of 38 were drawn against one man, and 12 of 20 against two.
fn quarters_kept(position: &Position, lead: i32) -> i32 {
    let strong = if lead > 0 { Color::White } else { Color::Black };
    if position.men(strong).len() == 2 { 1 } else { 4 }
}

/// All terms of either side but material and placement.
#[inline(always)]
fn count<T: Tally + Default>(position: &Position) -> [T; 2] {
    let men = position.all_men();
    let mut white = T::default();
    let mut black = T::default();
    let whites = Activity::of(position, Color::White, &men, &mut white);
    let blacks = Activity::of(position, Color::Black, &men, &mut black);
    count_side(position, Color::White, &whites, &blacks, &mut white);
    count_side(position, Color::Black, &blacks, &whites, &mut black);
    [white, black]
}

#[inline(always)]
fn count_side(position: &Position, color: Color, own: &Activity, enemy: &Activity, tally: &mut impl Tally) {
    pawns::count(position, color, own, enemy, tally);
    threats::count(position, color, own, enemy, tally);
    king::count_attack(position, color, own, enemy, tally);
    king::count_shelter(position, color, enemy, tally);
    endings::count(position, color, tally);
    tally.add(TEMPO.at(0, 0), (position.side() == color).into());
}

/// All terms of either side.
fn count_all<T: Tally + Default>(position: &Position) -> [T; 2] {
    let mut both = count::<T>(position);
    for color in [Color::White, Color::Black] {
        for square in position.men(color) {
            let kind = position.kind_on(square).expect("a man stands there");
            let seen = if color == Color::White { square } else { square.flipped() };
            let tally = &mut both[color.index()];
            tally.add(PLACEMENT.at(kind.index(), half_board(seen)), 1);
            if kind != Kind::King {
                tally.add(MATERIAL.at(kind.index(), 0), 1);
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{self, MoveList, Position as _};

    /// The positions of a game of random moves.
    fn playout(choices: &[u16]) -> Vec<Position> {
        let mut positions = vec![<Position as game::Position>::start(Default::default())];
        for &choice in choices {
            let mut next = positions.last().expect("there is a first").clone();
            let mut moves = MoveList::new();
            next.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            // Captures twice as often as other moves, so that endgames come.
            let noisy: Vec<_> = moves.iter().copied().filter(|&m| next.is_noisy(m)).collect();
            let moves = if choice & 1 == 0 && !noisy.is_empty() { noisy } else { moves.to_vec() };
            next.play(moves[usize::from(choice >> 1) % moves.len()]);
            positions.push(next);
        }
        positions
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_evaluation_is_the_sum_of_its_features(choices in prop::collection::vec(any::<u16>(), 0..300)) {
            let weights = weights();
            for position in playout(&choices) {
                let features = features(&position);
                let share = features.middle_share;
                let sum: f32 = features
                    .coefficients
                    .iter()
                    .map(|&(i, count)| {
                        let [middle, end] = weights[i as usize];
                        count * (middle * share + end * (1.0 - share))
                    })
                    .sum();
                let evaluation = evaluate(&position) as f32;
                let for_white = if position.side() == Color::White { evaluation } else { -evaluation };
                let expected = (features.scale * sum).clamp(-LIMIT as f32, LIMIT as f32);
                prop_assert!((for_white - expected).abs() < 1.5, "{for_white} {expected} {}", position.fen());
            }
        }
    }

    #[test]
    fn the_source_of_the_weights_is_written_as_it_stands() {
        assert_eq!(weights_file(&weights()), include_bytes!("weights.rs"));
        let shifted: Vec<_> = weights().iter().map(|[middle, end]| [middle + 0.4, end - 0.4]).collect();
        assert_eq!(weights_file(&shifted), include_bytes!("weights.rs"), "rounded to whole centipawns");
    }

    #[test]
    fn every_weight_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = (0..layout::COUNT).map(weight_name).collect();
        assert_eq!(names.len(), layout::COUNT);
        assert_eq!(weight_name(MATERIAL.at(Kind::Lion.index(), 0)), "material of the lion");
        assert_eq!(weight_name(layout::COUNT - 1), "right to move");
        let groups = weight_groups();
        assert!(names.iter().all(|name| groups.iter().any(|group| name.starts_with(group))));
    }
}
