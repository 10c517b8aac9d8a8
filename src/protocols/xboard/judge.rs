//! When a game is given up, and when a draw is fair: what a polite player would do.

use crate::search::score::Score;

/// No draw is spoken of before this move of the game.
const OPENING: u32 = 20;
/// Scores this close to 0 are even, in centipawns.
const EVEN: i32 = 10;
/// An even game is offered as a draw after so many own moves of it, and not again before so many more.
const EVEN_MOVES: u32 = 10;
/// A score below minus this is hopeless, in centipawns: about a rook and more in the 12x12 game, seven
/// men in draughts.
const HOPELESS: i32 = 700;
/// A hopeless game is given up after so many own moves of it.
const HOPELESS_MOVES: u32 = 4;

/// What the engine's own searches have made of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judge {
    last: Option<Score>,
    /// Own moves in a row whose scores were even, or hopeless.
    even: u32,
    hopeless: u32,
}

impl Judge {
    /// Takes note of the score, from the engine's view, that its next move was found with.
    pub fn note(&mut self, score: Score) {
        let (even, hopeless) = match score {
            Score::Centipawns(score) => (score.abs() <= EVEN, score < -HOPELESS),
            Score::Mate(moves) => (false, moves <= 0),
        };
        self.last = Some(score);
        self.even = if even { self.even + 1 } else { 0 };
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
    }

    /// Is a draw that the opponent offers, with move `number` of the game to come, one to take? Not where the
    /// engine stands better, and not in the opening.
    pub fn takes_draw(&self, number: u32) -> bool {
        let not_better = match self.last {
            Some(Score::Centipawns(score)) => score <= 0,
            Some(Score::Mate(moves)) => moves <= 0,
            None => false,
        };
        number >= OPENING && not_better
    }

    /// Is it time to offer a draw? Then it will not be again for a while.
    pub fn offers_draw(&mut self, number: u32) -> bool {
        let offers = number >= OPENING && self.even >= EVEN_MOVES;
        if offers {
            self.even = 0;
        }
        offers
    }

    /// Has the game been hopeless for several moves?
    pub fn gives_up(&self) -> bool {
        self.hopeless >= HOPELESS_MOVES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(scores: &[Score]) -> Judge {
        let mut judge = Judge::default();
        scores.iter().for_each(|&score| judge.note(score));
        judge
    }

    #[test]
    fn a_draw_is_taken_where_the_engine_is_not_better() {
        use Score::{Centipawns, Mate};
        assert!(!Judge::default().takes_draw(60));
        for (score, takes) in [
            (Centipawns(1), false),
            (Centipawns(0), true),
            (Centipawns(-300), true),
            (Mate(3), false),
            (Mate(-3), true),
        ] {
            assert_eq!(after(&[score]).takes_draw(60), takes, "{score:?}");
            assert!(!after(&[score]).takes_draw(OPENING - 1));
        }
    }

    #[test]
    fn a_draw_is_offered_after_a_long_balance_and_not_again_at_once() {
        let mut judge = after(&[Score::Centipawns(-EVEN); EVEN_MOVES as usize]);
        assert!(!judge.offers_draw(OPENING - 1));
        assert!(judge.offers_draw(OPENING) && !judge.offers_draw(OPENING));
        judge.note(Score::Centipawns(EVEN + 1));
        assert!(!judge.offers_draw(OPENING));
    }

    #[test]
    fn only_what_stays_hopeless_is_given_up() {
        let lost = Score::Centipawns(-HOPELESS - 1);
        assert!(after(&[lost, Score::Mate(-5), lost, lost]).gives_up());
        assert!(!after(&[lost, lost, lost]).gives_up());
        assert!(!after(&[lost, lost, lost, Score::Centipawns(-HOPELESS), lost]).gives_up());
    }
}
