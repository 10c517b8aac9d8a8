//! Reads moves in coordinates, PDN and Hub, and says in words why a text names no legal move.
//!
//! A PDN long form and a Hub capture are both numbers with an `x` between, and yet cannot be taken
//! for each other: all legal captures of a position take the same number of pieces `n`, and a long
//! form then has `n + 1` numbers, a Hub capture `n + 2`.

use super::moves::{Move, forward};
use super::notation::{coordinate_route, pdn_route};
use super::position::Position;
use super::routes::{self, Walker};
use super::squares::{Direction, Square, Squares, slide};
use crate::game::{Color, MoveError, MoveList, excerpt};

const ALLOWED: &str = "coordinates of playing squares such as h3g4, PDN such as 10-14 or 19x10 or 1x14x32, Hub such as 19x10x14";

/// No capture names more squares: its own two and the 18 off the edge.
const MOST_SQUARES: usize = 20;

/// How a text names squares; answers name them alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Coordinates,
    Numbers,
}

impl Style {
    fn name(self, square: Square) -> String {
        match self {
            Style::Coordinates => square.to_string(),
            Style::Numbers => square.number().to_string(),
        }
    }

    fn route(self, position: &Position, m: Move) -> String {
        match self {
            Style::Coordinates if m.is_capture() => coordinate_route(position, m),
            Style::Coordinates => position.coordinates(m),
            Style::Numbers if m.is_capture() => pdn_route(position, m),
            Style::Numbers => position.pdn(m),
        }
    }
}

/// A move text taken apart: at least two squares.
struct Words {
    style: Style,
    squares: Vec<Square>,
    /// Written with an `x`.
    takes: bool,
}

/// `10-14`, `19x10`, `19x10x14`; a `:` is an `x`, as some countries write it, zeros may lead.
fn numbers(text: &str) -> Option<Words> {
    let takes = !text.contains('-');
    let separator = |c| if takes { matches!(c, 'x' | 'X' | ':') } else { c == '-' };
    let mut squares = Vec::new();
    for part in text.split(separator) {
        if squares.len() == MOST_SQUARES || part.len() > 2 || !part.bytes().all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        squares.push(Square::from_number(part.parse().ok()?)?);
    }
    let whole = squares.len() == 2 || (takes && squares.len() > 2);
    whole.then_some(Words { style: Style::Numbers, squares, takes })
}

/// `h3g4`, `h1d5a8`; capitals and a `-`, `x` or `:` between squares do no harm.
fn coordinates(text: &str) -> Option<Words> {
    let mut squares = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let name = rest.get(..2)?.to_ascii_lowercase();
        if squares.len() == MOST_SQUARES {
            return None;
        }
        squares.push(Square::from_name(&name)?);
        rest = &rest[2..];
        if let Some(after) = rest.strip_prefix(['-', 'x', 'X', ':']) {
            if after.is_empty() {
                return None;
            }
            rest = after;
        }
    }
    (squares.len() >= 2).then_some(Words { style: Style::Coordinates, squares, takes: false })
}

impl Position {
    /// Reads a legal move. Short forms are taken where they fit one move only, long ones always.
    pub(super) fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        let Some(words) = numbers(text).or_else(|| coordinates(text)) else {
            return Err(MoveError::Unreadable { text: excerpt(text), allowed: ALLOWED });
        };
        let mut moves = MoveList::new();
        self.generate(&mut moves);

        let fitting: Vec<Move> = moves.iter().copied().filter(|&m| words.fit(self, m)).collect();
        match fitting[..] {
            [m] if words.takes && !m.is_capture() => {
                Err(illegal(text, format!("it captures nothing; {} is legal", words.style.route(self, m))))
            }
            [m] => Ok(m),
            [] => Err(illegal(text, words.why_illegal(self, &moves))),
            _ => Err(MoveError::Ambiguous {
                text: excerpt(text),
                candidates: fitting.iter().map(|&m| words.style.route(self, m)).collect(),
            }),
        }
    }
}

fn illegal(text: &str, why: String) -> MoveError {
    MoveError::Illegal { text: excerpt(text), why }
}

impl Words {
    fn fit(&self, position: &Position, m: Move) -> bool {
        match self.squares[..] {
            [from, to] => (from, to) == (m.from, m.to),
            _ => self.is_hub(m) || routes::fits(position, m, &self.squares),
        }
    }

    fn is_hub(&self, m: Move) -> bool {
        match self.squares[..] {
            [from, to, ref captured @ ..] => {
                self.style == Style::Numbers
                    && (from, to) == (m.from, m.to)
                    && captured.len() == m.captured.count() as usize
                    && captured.iter().copied().collect::<Squares>() == m.captured
            }
            _ => false,
        }
    }

    /// Why the text names none of the legal moves.
    fn why_illegal(&self, position: &Position, legal: &[Move]) -> String {
        let side = position.side();
        let name = |square| self.style.name(square);
        let from = self.squares[0];
        // Where it would end: last in a long form, second in a Hub capture, there followed by enemies.
        let (second, last) = (self.squares[1], self.squares[self.squares.len() - 1]);
        let to = if position.pieces(!side).contains(last) { second } else { last };

        if !position.pieces(side).contains(from) {
            return format!("no piece of {side} on {}", name(from));
        }
        let alike = legal.iter().filter(|m| m.from == from && (m.to == second || m.to == last));
        let alike: Vec<String> = alike.take(4).map(|&m| self.style.route(position, m)).collect();
        if !alike.is_empty() {
            return format!("no capture goes that way; there is {}", alike.join(" and "));
        }
        if let Some(why) = better_capture(position, from, to, legal) {
            return why;
        }
        match obstacle(position, from, to, name) {
            Some(why) => why,
            None => "a capture is compulsory".into(),
        }
    }
}

/// If some capture leads from `from` to `to`: why it may not be played.
fn better_capture(position: &Position, from: Square, to: Square, legal: &[Move]) -> Option<String> {
    let side = position.side();
    let sets = Walker::new(position, from, position.pieces(!side)).sets_to(to);
    let &(captured, goes_on) = sets
        .iter()
        .max_by_key(|(captured, _)| (captured.count(), (*captured & position.kings(!side)).count()))?;
    let best = legal.first()?.captured.count();
    let continued = |m: &&Move| m.from == from && captured.without(m.captured).is_empty();
    Some(if goes_on && legal.iter().any(|m| continued(&m)) {
        format!("the capture must go on, it takes {best} pieces")
    } else if captured.count() < best {
        format!("another capture takes more pieces ({best})")
    } else {
        "another capture takes more kings".into()
    })
}

/// What stands in the way of a quiet move; `None` if nothing does.
fn obstacle(
    position: &Position,
    from: Square,
    to: Square,
    name: impl Fn(Square) -> String,
) -> Option<String> {
    let side = position.side();
    if position.occupied().contains(to) {
        return Some(format!("blocked: {} is not empty", name(to)));
    }
    if position.men(side).contains(from) {
        let reached = forward(side == Color::White).iter().any(|&way| from.neighbour(way) == Some(to));
        return (!reached).then(|| "a man moves one square diagonally forward".into());
    }
    let Some(direction) = Direction::ALL.into_iter().find(|&way| from.ray(way).contains(to)) else {
        return Some("a king moves along a diagonal".into());
    };
    let (free, first) = slide(from, direction, position.occupied());
    let blocker = first.first().filter(|_| !free.contains(to))?;
    Some(format!("blocked by the piece on {}", name(blocker)))
}

#[cfg(test)]
mod tests {
    use crate::draughts::{Position, Rules};
    use crate::game::{MoveError, Position as _};

    fn position(fen: &str) -> Position {
        Position::from_fen(fen, Rules::default()).unwrap()
    }

    #[test]
    fn forms() {
        for (fen, texts) in [
            ("W:W1-12:B21-32", &["10-14", " 10-14 ", "f3e4", "F3-E4"][..]),
            ("W:W3,9:B13", &["9x18", "9-18", "9:18", "09x18", "h3f5", "h3xf5", "9x18x13"]),
            ("W:W10:B14,23", &["10x28", "10x19x28", "10x28x14x23", "10x28x23x14", "f3b7", "f3d5b7"]),
        ] {
            let position = position(fen);
            let moves: Vec<_> = texts.iter().map(|text| position.parse_move(text).unwrap()).collect();
            assert!(moves.iter().all(|m| *m == moves[0]), "{fen} {moves:?}");
        }
    }

    #[test]
    fn unreadable() {
        let position = Position::start(Rules::default());
        for text in
            ["", "-", "x", "10", "10-", "-14", "10-14-19", "33-1", "0-5", "h3", "h3g", "a1b2", "h3ñ", "e1e2"]
        {
            let error = position.parse_move(text).unwrap_err();
            assert!(matches!(error, MoveError::Unreadable { .. }), "{text}: {error}");
        }
    }

    #[test]
    fn reasons() {
        for (fen, text, reason) in [
            ("W:W1-12:B21-32", "h5g6", "no piece of White on h5"),
            ("W:W1-12:B21-32", "21-17", "no piece of White on 21"),
            ("W:W1-12:B21-32", "10x14", "it captures nothing; 10-14 is legal"),
            ("W:W1-12:B21-32", "5-9", "blocked: 9 is not empty"),
            ("W:W1-12:B21-32", "10-19", "a man moves one square diagonally forward"),
            ("W:WK1,14:B32", "1-19", "blocked by the piece on 14"),
            ("W:WK1,14:B32", "h1d5", "blocked by the piece on e4"),
            ("W:WK1:B32", "1-2", "a king moves along a diagonal"),
            ("W:W3,9:B13", "3-6", "a capture is compulsory"),
            ("W:W9,10:B13,14,23", "9x18", "another capture takes more pieces (2)"),
            ("W:W9,10:B13,K14", "9x18", "another capture takes more kings"),
            ("W:W10:B14,23", "10x19", "the capture must go on, it takes 2 pieces"),
            ("W:W10:B14,23", "10x18x28", "no capture goes that way; there is 10x19x28"),
            ("W:W10:B14,23", "10x28x14x22", "no capture goes that way; there is 10x19x28"),
        ] {
            let error = position(fen).parse_move(text).unwrap_err();
            let MoveError::Illegal { why, .. } = &error else { panic!("{fen} {text}: {error}") };
            assert_eq!(why, reason, "{fen} {text}");
        }
    }
}
