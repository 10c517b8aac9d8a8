//! Moves by mouse: what XBoard tells of the user's clicks, and the squares it is to mark in answer.
//!
//! XBoard says `lift` where a piece is picked up and `put` where it goes. `highlight` paints a board
//! of letters over its own: a capital is a square that may be clicked. A click on a cyan one (`C`)
//! does not end the move; XBoard remembers it as a kill square, says `put` and `lift` of it, and goes
//! on. So a capture of draughts is entered: the piece, its victims one after another, the landing.
//! Where a move promotes (`M`) the piece is for us to name, with `choice`; XBoard listens to that with
//! its legality testing off, and with it on offers all pieces. (A blue mark would leave the naming to
//! us in every case, but makes XBoard wait for ever with the testing on.)

use super::kills::{KING, Shown};
use crate::engine::{LegalMove, Session, Variant};

/// What the user has clicked of the move that he is making.
#[derive(Clone, Debug, Default)]
pub struct Mouse {
    /// The square of the piece, then its victims so far.
    path: Vec<String>,
    /// Where the piece was last put.
    put: Option<String>,
}

impl Mouse {
    /// A piece is lifted: the line that marks where it may go.
    pub fn lift(&mut self, square: &str, session: &dyn Session, shown: Shown) -> String {
        // A victim is lifted where it was put: the piece goes on from there.
        let goes_on = self.put.take().is_some_and(|put| put == square)
            && self.marks(session, shown).contains(&(square.into(), VICTIM));
        if !goes_on {
            self.path.clear();
        }
        self.path.push(square.into());
        highlight(session.variant(), &self.marks(session, shown))
    }

    /// The piece is put down: the line that names what it becomes, if it becomes another.
    pub fn put(&mut self, square: &str, session: &dyn Session) -> Option<String> {
        self.put = Some(square.into());
        let from = self.path.first()?;
        let legal = session.legal_moves();
        let m = legal.iter().find(|m| &m.parts.from == from && m.parts.to == square)?;
        let letter = match session.variant() {
            Variant::GrandeAcedrex => m.parts.promotion?,
            Variant::SpanishDraughts => m.parts.promotion.map(|_| KING)?,
        };
        Some(format!("choice {}", letter.to_ascii_uppercase()))
    }

    /// Has a piece been lifted and put down?
    pub fn has_moved(&self) -> bool {
        self.put.is_some()
    }

    /// The victims clicked so far, if the piece on `from` is the one that was lifted.
    pub fn victims(&self, from: &str) -> &[String] {
        match self.path.split_first() {
            Some((lifted, victims)) if lifted == from => victims,
            _ => &[],
        }
    }

    /// The squares to mark, each with its colour.
    fn marks(&self, session: &dyn Session, shown: Shown) -> Vec<(String, char)> {
        let Some((from, taken)) = self.path.split_first() else { return Vec::new() };
        let mut marks = Vec::new();
        for m in session.legal_moves().iter().filter(|m| &m.parts.from == from) {
            match session.next_victims(m, taken) {
                // The victims of such a capture must stay on XBoard's board.
                Some(_) if taken.is_empty() && shown.must_stay(m) => marks.push(landing(m)),
                Some(next) if next.is_empty() => marks.push(landing(m)),
                Some(next) => marks.extend(next.into_iter().map(|square| (square, VICTIM))),
                None => {}
            }
        }
        marks
    }
}

/// Cyan: more is to follow.
const VICTIM: char = 'C';

/// The mark of the square where a move ends: magenta where the piece becomes another, red where it
/// takes what stands there, yellow.
fn landing(m: &LegalMove) -> (String, char) {
    let color = match m.parts.promotion {
        Some(_) => 'M',
        None if m.parts.captured.contains(&m.parts.to) => 'R',
        None => 'Y',
    };
    (m.parts.to.clone(), color)
}

/// The line that marks these squares of the board and no others.
fn highlight(variant: Variant, marks: &[(String, char)]) -> String {
    let side: u8 = match variant {
        Variant::GrandeAcedrex => 12,
        Variant::SpanishDraughts => 8,
    };
    let rank = |rank: u8| {
        let mut text = String::new();
        let mut empty = 0;
        for file in (b'a'..).take(side.into()) {
            let name = format!("{}{rank}", char::from(file));
            match marks.iter().find(|(square, _)| *square == name) {
                Some((_, color)) => {
                    text += &if empty > 0 { format!("{empty}{color}") } else { color.to_string() };
                    empty = 0;
                }
                None => empty += 1,
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    let ranks: Vec<String> = (1..=side).rev().map(rank).collect();
    format!("highlight {}", ranks.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::kills::Ghost;
    use super::*;
    use crate::engine::Options;
    use crate::game::Color;

    /// More of them than a move can kill.
    const MANY: Shown = Shown { enemy: Color::Black, pieces: 12, ghosts: &[] };

    /// The marks after each of the clicks, which lead from a lifted piece over its victims.
    fn entered(variant: Variant, fen: &str, clicks: &[&str]) -> Vec<String> {
        let mut session = variant.start(&Options::default());
        session.set_position(Some(fen), &[]).unwrap();
        let mut mouse = Mouse::default();
        let mut lines = Vec::new();
        for (index, click) in clicks.iter().enumerate() {
            if index > 0 {
                assert_eq!(mouse.put(click, &*session), None);
            }
            lines.push(mouse.lift(click, &*session, MANY));
        }
        assert_eq!(mouse.victims(clicks[0]), &clicks[1..]);
        lines
    }

    fn draughts(fen: &str, clicks: &[&str]) -> Vec<String> {
        entered(Variant::SpanishDraughts, fen, clicks)
    }

    #[test]
    fn targets_of_the_12x12_game() {
        let lines =
            entered(Variant::GrandeAcedrex, "6k5/3P8/12/12/12/12/12/12/p11/P6r4/12/6K5 w K - 0 1", &["d11"]);
        assert_eq!(lines, ["highlight 3M8/12/12/12/12/12/12/12/12/12/12/12"]);
        let lines =
            entered(Variant::GrandeAcedrex, "6k5/12/12/12/12/12/12/12/p11/P11/7r4/6K5 w K - 0 1", &["g1"]);
        // The leap is there, and so is the rook to be taken.
        assert_eq!(lines, ["highlight 12/12/12/12/12/12/12/12/12/4Y1Y1Y3/7R4/4YY2Y3"]);
    }

    #[test]
    fn victims_one_after_another_then_the_landing() {
        let fen = "W:W8:B12,19,27,32";
        assert_eq!(
            draughts(fen, &["a2", "b3", "d5", "d7"]),
            [
                "highlight 8/8/8/8/8/1C6/8/8",
                "highlight 8/8/8/3C4/8/8/8/8",
                "highlight 8/3C4/8/8/8/8/8/8",
                "highlight 2M5/8/8/8/8/8/8/8",
            ]
        );
    }

    #[test]
    fn all_landings_are_offered_and_a_piece_that_may_not_move_gets_none() {
        let fen = "W:WK1,8:B14,32";
        assert_eq!(
            draughts(fen, &["h1", "e4"]),
            ["highlight 8/8/8/8/4C3/8/8/8", "highlight 8/1Y6/2Y5/3Y4/8/8/8/8"]
        );
        assert_eq!(draughts(fen, &["a2"]), ["highlight 8/8/8/8/8/8/8/8"]);
    }

    #[test]
    fn the_last_piece_is_not_killed() {
        let mut session = Variant::SpanishDraughts.start(&Options::default());
        session.set_position(Some("W:W11:B14"), &[]).unwrap();
        let mut shown = Shown { pieces: 1, ..MANY };
        assert_eq!(Mouse::default().lift("d3", &*session, shown), "highlight 8/8/8/5Y2/8/8/8/8");
        // With a ghost on the board something is left to be seen.
        let ghosts = [Ghost { square: "a8".into(), color: Color::Black }];
        shown.ghosts = &ghosts;
        assert_eq!(Mouse::default().lift("d3", &*session, shown), "highlight 8/8/8/8/4C3/8/8/8");
    }

    #[test]
    fn another_piece_is_another_move() {
        let mut session = Variant::SpanishDraughts.start(&Options::default());
        session.set_position(Some("W:W8,5:B12,19,27,32"), &[]).unwrap();
        let mut mouse = Mouse::default();
        mouse.lift("a2", &*session, MANY);
        mouse.put("b3", &*session);
        mouse.lift("a2", &*session, MANY);
        assert_eq!(mouse.victims("a2"), [""; 0]);
        // A click beside the marks leads nowhere.
        mouse.put("c4", &*session);
        assert_eq!(mouse.lift("c4", &*session, MANY), "highlight 8/8/8/8/8/8/8/8");
    }
}
