//! Scores: centipawns from the view of the side to move, in bands that never overlap.
//!
//! | band | meaning |
//! |---|---|
//! | up to [`EVALUATION_LIMIT`] | evaluation |
//! | [`MATE`] less [`MAX_PLY`] up to [`MATE`] | a won end of the game, by the plies to it |

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
    if is_mate(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let chance =
        |lead: i32| (1000.0 / (1.0 + ((EVEN_CHANCE - f64::from(lead)) / SLOPE).exp())).round() as u16;
    let (win, loss) = (chance(score), chance(-score));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

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
