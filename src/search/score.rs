//! Scores: centipawns from the view of the side to move, in bands that never overlap.
//!
//! | band | meaning |
//! |---|---|
//! | up to [`EVALUATION_LIMIT`] | evaluation |
//! | above that, up to [`TABLE`] | a win known for certain, by the steps to it ([`Known`]) |
//! | [`MATE`] less [`MAX_PLY`] up to [`MATE`] | a won end of the game, by the plies to it |

use crate::game::Known;

/// No line of the search is longer, in plies.
pub const MAX_PLY: usize = 250;

/// Above every score.
pub const INFINITE: i32 = 32_500;

/// The score of a game won at the root; a win `n` plies away scores `MATE - n`.
pub const MATE: i32 = 32_000;

/// Scores beyond this, either way, are wins on the board.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;

/// Evaluations stay inside this band.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// A win known for certain, `n` steps away from the root, scores `TABLE - n`.
pub const TABLE: i32 = 31_000;

/// The score of a draw.
pub const DRAW: i32 = 0;

/// The score of a game lost `ply` plies from the root.
pub const fn lost_at(ply: usize) -> i32 {
    -MATE + ply as i32
}

/// The score of a game won `ply` plies from the root.
pub const fn won_at(ply: usize) -> i32 {
    MATE - ply as i32
}

/// The score of what is known of a position `ply` plies from the root.
pub const fn known_at(known: Known, ply: usize) -> i32 {
    match known {
        Known::Win(steps) => TABLE - steps as i32 - ply as i32,
        Known::Draw => DRAW,
        Known::Loss(steps) => steps as i32 + ply as i32 - TABLE,
    }
}

/// Is this no evaluation, but the score of a win or loss that is certain?
pub const fn is_decided(score: i32) -> bool {
    score.abs() > EVALUATION_LIMIT
}

/// Is this the score of a game won or lost on the board?
pub const fn is_mate(score: i32) -> bool {
    score.abs() > MATE_BOUND
}

/// A score as it is shown to people and programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn (of a man).
    Centipawns(i32),
    /// The game is won in so many moves of the side to move; negative: lost.
    Mate(i32),
}

impl From<i32> for Score {
    fn from(score: i32) -> Self {
        if !is_mate(score) {
            return Score::Centipawns(score);
        }
        let moves = (MATE - score.abs() + 1) / 2;
        Score::Mate(if score > 0 { moves } else { -moves })
    }
}

/// Chances of a win, a draw and a loss in thousandths, for the side to move.
///
/// A plain logistic curve, the same for both games and not fitted to results: a lead of 150
/// centipawns wins half the games.
pub fn win_draw_loss(score: i32) -> [u16; 3] {
    const EVEN_CHANCE: f64 = 150.0;
    const SLOPE: f64 = 75.0;
    if is_decided(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance =
        |lead: i32| (1000.0 / (1.0 + ((EVEN_CHANCE - f64::from(lead)) / SLOPE).exp())).round() as u16;
    let (win, loss) = (chance(score), chance(-score));
    [win, 1000 - win - loss, loss]
}

// The bands do not meet, however far from the root.
const _: () = assert!(TABLE + MAX_PLY as i32 <= MATE_BOUND);
const _: () = assert!(TABLE - Known::MOST_STEPS as i32 - MAX_PLY as i32 > EVALUATION_LIMIT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_apart() {
        for ply in [0, 1, MAX_PLY - 1] {
            for steps in [0, 1, Known::MOST_STEPS] {
                let (won, lost) = (known_at(Known::Win(steps), ply), known_at(Known::Loss(steps), ply));
                assert_eq!(won, -lost);
                assert!(is_decided(won) && is_decided(lost) && !is_mate(won) && !is_mate(lost));
                assert_eq!(win_draw_loss(won), [1000, 0, 0]);
            }
            assert!(is_mate(won_at(ply)) && is_decided(won_at(ply)));
            assert_eq!(known_at(Known::Draw, ply), DRAW);
        }
        assert!(!is_decided(EVALUATION_LIMIT) && !is_decided(-EVALUATION_LIMIT));
    }

    #[test]
    fn mates_are_shown_in_moves() {
        assert_eq!(Score::from(won_at(1)), Score::Mate(1));
        assert_eq!(Score::from(won_at(3)), Score::Mate(2));
        assert_eq!(Score::from(lost_at(2)), Score::Mate(-1));
        assert_eq!(Score::from(lost_at(4)), Score::Mate(-2));
        assert_eq!(Score::from(EVALUATION_LIMIT), Score::Centipawns(EVALUATION_LIMIT));
    }

    #[test]
    fn chances_add_up() {
        for score in (-25_000..=25_000).chain([won_at(7), lost_at(8)]) {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000, "at {score}");
        }
    }
}
