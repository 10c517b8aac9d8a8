//! Moves of another program that our rules do not know, and that XBoard lets pass.
//!
//! XBoard cannot be told that a king in check may not leap, that the file of promotion decides the
//! piece, nor that a bare king which cannot bare the other has lost at once; other programs play so
//! (ShaMax and Fairy-Max the first and the last). To call such a move
//! illegal would cost the complainer the game, so the dialogue lives with it.

use crate::engine::Session;
use crate::game::Color;

/// Squares of a side of the 12x12 board.
const SIDE: usize = 12;

/// The position (a FEN of the 12x12 game) after the side to move has leapt with its unmoved king, in
/// check or not; `None` if the move is not such a leap. Whether the new position can be at all is for
/// the engine to say.
pub fn after_leap(fen: &str, move_text: &str) -> Option<String> {
    let [pieces, side, rights, _, plies, number] = fen.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let white = side == "w";
    let king = if white { 'K' } else { 'k' };
    let ((from, to), mut board) = (squares(move_text)?, Board::read(pieces)?);
    let two_steps = |(a, b): (usize, usize)| matches!(a.abs_diff(b), 0 | 2);
    let leaps = from != to && two_steps((from.0, to.0)) && two_steps((from.1, to.1));
    if !leaps || !rights.contains(king) || board.at(from) != king || board.at(to) != Board::EMPTY {
        return None;
    }
    board.put(to, king);
    board.put(from, Board::EMPTY);
    let rights = rights.replace(king, "");
    Some(format!(
        "{} {} {} - {} {}",
        board.write(),
        if white { "b" } else { "w" },
        if rights.is_empty() { "-" } else { &rights },
        plies.parse::<u32>().ok()? + 1,
        number.parse::<u32>().ok()? + u32::from(!white),
    ))
}

/// The position (a FEN of the 12x12 game) after a promotion that is legal but for the piece, which is
/// that of `move_text`; `None` if the move is no such promotion. Whether there is such a piece is for
/// the engine to say.
pub fn after_free_promotion(session: &dyn Session, move_text: &str) -> Option<String> {
    let mut letters = move_text.chars();
    let piece = letters.next_back().filter(char::is_ascii_alphabetic)?;
    let m = session.read_move(letters.as_str().trim_end_matches('=')).ok()?;
    m.parts.promotion?;
    let mut after = session.clone_box();
    after.play(&m.text).ok()?;
    let white = session.side_to_move() == Color::White;
    let piece = if white { piece.to_ascii_uppercase() } else { piece.to_ascii_lowercase() };
    let fen = after.fen();
    let (pieces, rest) = fen.split_once(' ')?;
    let mut board = Board::read(pieces)?;
    board.put(square(&m.parts.to)?, piece);
    Some(format!("{} {rest}", board.write()))
}

/// Has the side nothing left but its king?
pub fn is_bare(fen: &str, side: Color) -> bool {
    let pieces = fen.split(' ').next().unwrap_or_default();
    pieces
        .chars()
        .filter(|c| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == (side == Color::White))
        .count()
        == 1
}

/// File and rank, from 0.
type Square = (usize, usize);

/// The two squares of a move such as `g1e3`.
fn squares(text: &str) -> Option<(Square, Square)> {
    let second = text.rfind(|c: char| c.is_ascii_alphabetic()).filter(|&at| at > 0)?;
    Some((square(&text[..second])?, square(&text[second..])?))
}

/// A square such as `e3`.
fn square(name: &str) -> Option<Square> {
    let file = name.chars().next().filter(|c| ('a'..='l').contains(c))?;
    let rank = name[1..].parse().ok().filter(|rank| (1..=SIDE).contains(rank))?;
    Some((file as usize - 'a' as usize, rank - 1))
}

/// The letters of a FEN, square by square.
struct Board([[char; SIDE]; SIDE]);

impl Board {
    const EMPTY: char = '.';

    fn read(pieces: &str) -> Option<Board> {
        let mut board = Board([[Self::EMPTY; SIDE]; SIDE]);
        for (text, rank) in pieces.split('/').zip(board.0.iter_mut().rev()) {
            let (mut file, mut empty) = (0, 0);
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    empty = empty * 10 + digit as usize;
                } else {
                    file += empty;
                    empty = 0;
                    *rank.get_mut(file)? = letter;
                    file += 1;
                }
            }
        }
        Some(board)
    }

    fn at(&self, (file, rank): Square) -> char {
        self.0[rank][file]
    }

    fn put(&mut self, (file, rank): Square, letter: char) {
        self.0[rank][file] = letter;
    }

    fn write(&self) -> String {
        let ranks = self.0.iter().rev().map(|rank| {
            rank.chunk_by(|&a, &b| a == Self::EMPTY && b == Self::EMPTY)
                .map(|run| match run[0] {
                    Self::EMPTY => run.len().to_string(),
                    letter => letter.to_string(),
                })
                .collect::<String>()
        });
        ranks.collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Variant};

    #[test]
    fn leaps() {
        let fen = "6k5/12/12/12/12/12/12/12/12/12/6r5/6K5 w Kk - 3 17";
        let after = "6k5/12/12/12/12/12/12/12/12/4K7/6r5/12 b k - 4 17";
        assert_eq!(after_leap(fen, "g1e3").as_deref(), Some(after));
        let black = fen.replace(" w ", " b ");
        let after = "12/12/6k5/12/12/12/12/12/12/12/6r5/6K5 w K - 4 18";
        assert_eq!(after_leap(&black, "g12g10").as_deref(), Some(after));
        for (fen, text) in [
            (fen, "g1f1"),
            (fen, "g1g1"),
            (fen, "g1h3"),
            (fen, "e1e3"),
            (fen, "nonsense"),
            (&fen.replace("Kk", "k"), "g1e3"),
            (&fen.replace("12/6r5", "4p7/6r5"), "g1e3"),
        ] {
            assert_eq!(after_leap(fen, text), None, "{fen} {text}");
        }
    }

    #[test]
    fn free_promotions() {
        let mut session = Variant::GrandeAcedrex.start(&Options::default());
        let fen = "8k3/3P8/12/12/12/12/12/12/p11/P11/12/6K5 w K - 0 7";
        session.set_position(Some(fen), &[]).unwrap();
        let after = "3A4k3/12/12/12/12/12/12/12/p11/P11/12/6K5 b K - 0 7";
        for text in ["d11d12a", "d11d12=A"] {
            assert_eq!(after_free_promotion(&*session, text).as_deref(), Some(after));
        }
        for text in ["d11d12", "g1e3", "g1e3a", "d11c12a", "", "é"] {
            assert_eq!(after_free_promotion(&*session, text), None, "{text}");
        }
    }

    #[test]
    fn bare_kings() {
        let fen = "6k5/12/12/12/12/12/12/12/12/12/6R5/6K5 w Kk - 3 17";
        assert!(is_bare(fen, Color::Black) && !is_bare(fen, Color::White));
    }
}
