//! Draughts positions as XBoard writes them: a FEN of chess with men `M` and kings `D`, White's in
//! capitals, on the light squares of an 8x8 board.

use std::fmt::Write;

use crate::game::{Color, FenError, excerpt};

/// Squares of a side of the board.
const SIDE: usize = 8;

const PIECES: &str = "8 ranks from the eighth down, separated by '/', each of letters M and D (White), m and d \
                      (Black) on light squares and numbers 1 to 8 for empty squares";
const COUNTERS: &str = "fields of letters or -, then a number of plies and a move number";

/// What stands on a board of draughts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// By number of the square, less one: the colour, and whether it is a king.
    pieces: [Option<(Color, bool)>; 32],
}

impl Board {
    /// Reads a FEN of draughts as the engine writes it.
    pub fn of_ours(fen: &str) -> Board {
        let mut board = Board::default();
        for field in fen.split(':').skip(1) {
            let color = match field.as_bytes().first() {
                Some(b'W') => Color::White,
                Some(b'B') => Color::Black,
                _ => continue,
            };
            for item in field[1..].split(',').filter(|item| !item.is_empty()) {
                let numbers = item.trim_start_matches('K');
                let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
                let number = |text: &str| text.parse::<usize>().expect("the engine writes its FENs well");
                for number in number(first)..=number(last) {
                    board.pieces[number - 1] = Some((color, item.starts_with('K')));
                }
            }
        }
        board
    }

    /// Takes a piece of a colour off the square of this name; false where there is none.
    pub fn take(&mut self, square: &str, color: Color) -> bool {
        let &[file, rank] = square.as_bytes() else { return false };
        let [file, rank] = [file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')].map(usize::from);
        let on_board = file < SIDE && rank < SIDE;
        let place = on_board.then(|| index(file, rank)).flatten().map(|index| &mut self.pieces[index]);
        place.is_some_and(|place| place.take_if(|piece| piece.0 == color).is_some())
    }

    /// How many pieces of a colour there are.
    pub fn count(&self, color: Color) -> usize {
        self.pieces.iter().flatten().filter(|piece| piece.0 == color).count()
    }
}

/// The number of a square, less one, if it is one of those that are played on (file and rank from 0).
/// Numbers run from White's right, h1 f1 d1 b1 g2 e2 …
fn index(file: usize, rank: usize) -> Option<usize> {
    ((file + rank) % 2 == 1).then(|| rank * 4 + (SIDE - 1 - file) / 2)
}

/// XBoard's FEN for one of ours.
pub fn from_ours(fen: &str) -> String {
    let board = Board::of_ours(fen);
    let mut text = String::new();
    for rank in (0..SIDE).rev() {
        let mut empty = 0;
        for file in 0..=SIDE {
            let piece =
                (file < SIDE).then(|| index(file, rank)).flatten().and_then(|index| board.pieces[index]);
            if empty > 0 && (piece.is_some() || file == SIDE) {
                write!(text, "{empty}").expect("a String takes all that is written");
                empty = 0;
            }
            match piece {
                None => empty += 1,
                Some((Color::White, king)) => text.push(if king { 'D' } else { 'M' }),
                Some((Color::Black, king)) => text.push(if king { 'd' } else { 'm' }),
            }
        }
        if rank > 0 {
            text.push('/');
        }
    }
    let side = if fen.starts_with('W') { 'w' } else { 'b' };
    let number =
        |letter| fen.split(':').skip(1).find_map(|field| field.strip_prefix(letter)?.parse::<u32>().ok());
    let (plies, number) = (number('H').unwrap_or(0), number('F').unwrap_or(1));
    write!(text, " {side} - - {plies} {number}").expect("a String takes all that is written");
    text
}

/// Our FEN for one of XBoard's. What the rules forbid is left for our own reader to find.
///
/// # Errors
/// Names the field, as our own reader does.
pub fn to_ours(fen: &str) -> Result<String, FenError> {
    let mut fields = fen.split_whitespace();
    let board = read_pieces(fields.next().unwrap_or_default())?;
    let side = match fields.next() {
        Some("w") => 'W',
        Some("b") => 'B',
        other => {
            let problem = other.map_or("it is missing".into(), |text| format!("'{}'", excerpt(text)));
            return Err(FenError { field: "side to move", problem, allowed: "w or b" });
        }
    };
    // Rights to castle and squares of en passant mean nothing here.
    let mut counters =
        fields.skip_while(|field| field.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-'));
    let plies = counters.next().unwrap_or("0");
    let number = counters.next().unwrap_or("1");
    if let Some(field) = [Some(plies), Some(number), counters.next()]
        .into_iter()
        .flatten()
        .enumerate()
        .find_map(|(place, field)| (place > 1 || field.parse::<u32>().is_err()).then_some(field))
    {
        let problem = format!("'{}'", excerpt(field));
        return Err(FenError { field: "counters", problem, allowed: COUNTERS });
    }
    let squares = |color| {
        let pieces = (1..).zip(&board.pieces).filter_map(|(number, piece)| match piece {
            Some((owner, king)) if *owner == color => {
                Some(format!("{}{number}", if *king { "K" } else { "" }))
            }
            _ => None,
        });
        pieces.collect::<Vec<String>>().join(",")
    };
    Ok(format!("{side}:W{}:B{}:H{plies}:F{number}", squares(Color::White), squares(Color::Black)))
}

fn read_pieces(field: &str) -> Result<Board, FenError> {
    let wrong = |problem: String| Err(FenError { field: "pieces", problem, allowed: PIECES });
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != SIDE {
        return wrong(format!("{} ranks", if field.is_empty() { 0 } else { ranks.len() }));
    }
    let mut board = Board::default();
    for (rank, text) in (0..SIDE).rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                'M' | 'D' | 'm' | 'd' => {
                    match (file < SIDE).then(|| index(file, rank)).flatten() {
                        Some(index) => {
                            board.pieces[index] = Some((color, letter.eq_ignore_ascii_case(&'d')));
                        }
                        None => {
                            return wrong(format!("a piece beside the light squares in '{}'", excerpt(text)));
                        }
                    }
                    file += 1;
                }
                _ => return wrong(format!("unknown letter '{}'", letter.escape_debug())),
            }
        }
        if file > SIDE {
            return wrong(format!("more than 8 squares in '{}'", excerpt(text)));
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "m1m1m1m1/1m1m1m1m/m1m1m1m1/8/8/1M1M1M1M/M1M1M1M1/1M1M1M1M";

    #[test]
    fn the_start_both_ways() {
        assert_eq!(from_ours("W:W1-12:B21-32"), format!("{START} w - - 0 1"));
        let ours = to_ours(&format!("{START} w - - 0 1")).unwrap();
        assert_eq!(Board::of_ours(&ours), Board::of_ours("W:W1-12:B21-32"));
        assert!(ours.starts_with("W:W1,2,3,") && ours.ends_with(",32:H0:F1"), "{ours}");
    }

    #[test]
    fn named_squares() {
        // h1 is 1, a8 is 32, d3 is 11 and f5 is 18.
        let theirs = "d7/8/8/5m2/8/3D4/8/7M b - - 3 17";
        assert_eq!(to_ours(theirs).unwrap(), "B:W1,K11:B18,K32:H3:F17");
        assert_eq!(from_ours("B:W1,K11:B18,K32:H3:F17"), theirs);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let field = |fen: &str| to_ours(fen).unwrap_err().field;
        for fen in ["", "8/8 w - - 0 1", "x7/8/8/8/8/8/8/8 w", "1M6/8/8/8/8/8/8/8 w", "8M/8/8/8/8/8/8/8 w"] {
            assert_eq!(field(fen), "pieces", "{fen}");
        }
        assert_eq!(field(START), "side to move");
        assert_eq!(field(&format!("{START} x")), "side to move");
        for counters in ["- - -1 1", "- - 1 1 1", "Gg 0 99999999999"] {
            assert_eq!(field(&format!("{START} w {counters}")), "counters", "{counters}");
        }
        assert!(to_ours(&format!("{START} w Gg 0 1")).is_ok());
    }
}
