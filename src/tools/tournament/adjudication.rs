//! Ends games early where both engines agree on how they stand. Off unless asked for.

use std::fmt::{self, Display, Formatter};

use super::player::Thought;
use crate::game::Color;
use crate::search::score::Score;

/// When a game is given by the engines' scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    pub draw: Option<DrawRule>,
    pub win: Option<WinRule>,
}

/// A draw: both engines' scores stayed within `score` for `moves` moves each, from move `from` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
    pub from: u32,
}

/// A win: for `moves` moves each, one engine's score was at least `score` and the other's at most
/// `-score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

impl Default for DrawRule {
    fn default() -> Self {
        DrawRule { moves: 8, score: 10, from: 40 }
    }
}

impl Default for WinRule {
    fn default() -> Self {
        WinRule { moves: 4, score: 1000 }
    }
}

/// As the command line has it.
impl Display for Adjudication {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let draw = self
            .draw
            .map(|DrawRule { moves, score, from }| format!("--draw moves={moves} score={score} from={from}"));
        let win = self.win.map(|WinRule { moves, score }| format!("--win moves={moves} score={score}"));
        match (draw, win) {
            (None, None) => f.write_str("none"),
            (draw, win) => f.write_str(&draw.into_iter().chain(win).collect::<Vec<_>>().join(" ")),
        }
    }
}

impl DrawRule {
    /// Takes up one word of a command line, such as `moves=8`.
    ///
    /// # Errors
    /// What would be allowed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        const ALLOWED: &str = "moves=NUMBER score=CENTIPAWNS from=MOVE";
        match key {
            "moves" => self.moves = positive(value).ok_or(ALLOWED)?,
            "score" => self.score = value.parse().ok().filter(|&score| score >= 0).ok_or(ALLOWED)?,
            "from" => self.from = positive(value).ok_or(ALLOWED)?,
            _ => return Err(ALLOWED),
        }
        Ok(())
    }
}

impl WinRule {
    /// Takes up one word of a command line, such as `score=1000`.
    ///
    /// # Errors
    /// What would be allowed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        const ALLOWED: &str = "moves=NUMBER score=CENTIPAWNS";
        match key {
            "moves" => self.moves = positive(value).ok_or(ALLOWED)?,
            "score" => self.score = value.parse().ok().filter(|&score| score > 0).ok_or(ALLOWED)?,
            _ => return Err(ALLOWED),
        }
        Ok(())
    }
}

fn positive(value: &str) -> Option<u32> {
    value.parse().ok().filter(|&number| number > 0)
}

/// What the engines' scores say about a game in progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scores {
    /// Plies in a row that fit the draw rule.
    drawn: u32,
    /// Plies in a row that fit the win rule for this side.
    winning: Option<(Color, u32)>,
}

impl Scores {
    /// Takes note of what `side` thought of its move, number `number`. Gives the result that is
    /// agreed on, if any: the winner, or `None` for a draw.
    pub fn add(
        &mut self,
        rules: &Adjudication,
        side: Color,
        number: u32,
        thought: &Thought,
    ) -> Option<Option<Color>> {
        let score = thought.score.map(centipawns);
        if let Some(rule) = rules.draw {
            let fits = number >= rule.from && score.is_some_and(|score| score.abs() <= rule.score);
            self.drawn = if fits { self.drawn + 1 } else { 0 };
            if self.drawn >= 2 * rule.moves {
                return Some(None);
            }
        }
        if let Some(rule) = rules.win {
            let leader = match score {
                Some(score) if score >= rule.score => Some(side),
                Some(score) if score <= -rule.score => Some(!side),
                _ => None,
            };
            self.winning = leader.map(|leader| match self.winning {
                Some((before, plies)) if before == leader => (leader, plies + 1),
                _ => (leader, 1),
            });
            if let Some((leader, plies)) = self.winning
                && plies >= 2 * rule.moves
            {
                return Some(Some(leader));
            }
        }
        None
    }
}

/// A win seen to its end is worth more than any score.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score,
        Score::Mate(moves) if moves > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn result(rules: Adjudication, scores: &[Score]) -> Option<(usize, Option<Color>)> {
        let mut seen = Scores::default();
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let side = if ply % 2 == 0 { White } else { Black };
            let thought = Thought { score: Some(score), ..Thought::default() };
            seen.add(&rules, side, ply as u32 / 2 + 1, &thought).map(|winner| (ply, winner))
        })
    }

    fn scores(scores: &[i32]) -> Vec<Score> {
        scores.iter().map(|&score| Score::Centipawns(score)).collect()
    }

    #[test]
    fn both_must_agree_on_a_win() {
        let rules = Adjudication { win: Some(WinRule { moves: 2, score: 500 }), draw: None };
        assert_eq!(result(rules, &scores(&[600, -500, 700, -800])), Some((3, Some(White))));
        assert_eq!(result(rules, &scores(&[-600, 500, -700, 800])), Some((3, Some(Black))));
        assert_eq!(result(rules, &scores(&[600, -400, 700, -800, 900])), None);
        // Each believes itself to be winning.
        assert_eq!(result(rules, &scores(&[600, 600, 700, 800, 900, 900])), None);
        assert_eq!(
            result(rules, &[Score::Mate(3), Score::Mate(-2), Score::Mate(2), Score::Mate(-1)]),
            Some((3, Some(White)))
        );
        assert_eq!(result(Adjudication::default(), &scores(&[900, -900, 900, -900])), None);
    }

    #[test]
    fn draws_from_a_move_on() {
        let rules = Adjudication { draw: Some(DrawRule { moves: 1, score: 5, from: 3 }), win: None };
        assert_eq!(result(rules, &scores(&[0, 0, 0, 0, -5, 5])), Some((5, None)));
        assert_eq!(result(rules, &scores(&[0, 0, 0, 0, -6, 5, 6, 0])), None);
    }

    #[test]
    fn no_score_agrees_to_nothing() {
        let rules = Adjudication { draw: Some(DrawRule { moves: 1, score: 5, from: 1 }), win: None };
        let mut seen = Scores::default();
        let none = Thought::default();
        assert_eq!(seen.add(&rules, White, 1, &none), None);
        assert_eq!(seen.add(&rules, Black, 1, &none), None);
    }
}
