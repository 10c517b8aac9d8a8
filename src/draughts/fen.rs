//! Positions as text: the FEN of draughts, and a diagram for a terminal.
//!
//! `W:WK27,15:B1-4,K20:H3:F12` is the side to move, the pieces of each colour by the numbers of their
//! squares (`K` before a king, ranges), the plies that the no-progress draw in force has counted, and
//! the number of the move.

use std::fmt::Write;

use super::position::{Position, last_row};
use super::rules::{Counters, Draws, Rules};
use super::squares::{Square, Squares};
use crate::game::{Color, FenError, excerpt};

/// The greatest count and the greatest move number that a FEN may give.
pub(super) const LARGEST_NUMBER: u32 = u16::MAX as u32;

/// In the diagram, between the board and the numbers beside it.
const GAP: &str = "     ";

type Result<T> = std::result::Result<T, FenError>;

fn error<T>(field: &'static str, problem: String, allowed: &'static str) -> Result<T> {
    Err(FenError { field, problem, allowed })
}

/// The pieces of one colour as they are read.
#[derive(Clone, Copy, Default)]
struct Army {
    men: Squares,
    kings: Squares,
}

impl Army {
    fn all(self) -> Squares {
        self.men | self.kings
    }
}

impl Position {
    /// Reads a FEN. Taken besides the form that is written: a final dot, spaces between the parts,
    /// the colours in either order, a colour without pieces (even both), lower case, `K` before a
    /// range, and `:H` and `:F` missing (0 and 1).
    ///
    /// `:H` is the count of the draw in force, of the club's plies without capture or crowning or of
    /// the federation's plies without capture or man's move. The federation's is never the greater,
    /// so that under the federation's rules both counts begin there, and under the club's the
    /// federation's begins at 0. The count of a forzosa begins at 0 if this is a position of one.
    pub(super) fn read_fen(fen: &str, rules: Rules) -> Result<Position> {
        let text = fen.trim();
        let text = text.strip_suffix('.').unwrap_or(text);
        let mut fields = text.split(':').map(str::trim);

        let side = match fields.next() {
            Some("W" | "w") => Color::White,
            Some("B" | "b") => Color::Black,
            other => {
                let problem = format!("'{}'", excerpt(other.unwrap_or_default()));
                return error("side to move", problem, "W or B, then a colon");
            }
        };

        let mut armies = [None; 2];
        let mut plies = None;
        let mut number = None;
        for field in fields {
            let mut rest = field.chars();
            let letter = rest.next().map(|letter| letter.to_ascii_uppercase());
            let rest = rest.as_str().trim();
            match letter {
                Some('W') => once(&mut armies[0], read_army(Color::White, rest)?, "pieces of White")?,
                Some('B') => once(&mut armies[1], read_army(Color::Black, rest)?, "pieces of Black")?,
                Some('H') => once(&mut plies, read_number("H", rest, 0)?, "H")?,
                Some('F') => once(&mut number, read_number("F", rest, 1)?, "F")?,
                _ => {
                    return error(
                        "pieces",
                        format!("'{}'", excerpt(field)),
                        "W and the squares of White, B and the squares of Black, then H and a count, F and a move number",
                    );
                }
            }
        }

        let [Some(white), Some(black)] = armies else {
            let field = if armies[0].is_none() { "pieces of White" } else { "pieces of Black" };
            return error(field, "missing".into(), "both colours, such as W:W1-12:B21-32; W: for none");
        };
        if let Some(square) = (white.all() & black.all()).first() {
            return error(
                "pieces",
                format!("square {} is given to both colours", square.number()),
                "one piece a square",
            );
        }

        let mut position = Position::set_up([white.men, black.men], [white.kings, black.kings], side, rules);
        let plies = plies.unwrap_or(0) as u16;
        position.counters = Counters {
            no_progress: plies,
            kings_only: if rules.draws == Draws::Federation { plies } else { 0 },
            ..position.counters
        };
        position.number = number.unwrap_or(1);
        Ok(position)
    }

    /// Writes the FEN: White first, squares in rising order, three or more men in a row as a range.
    pub(super) fn write_fen(&self) -> String {
        let side = letter(self.side());
        let mut fen = side.to_string();
        for color in [Color::White, Color::Black] {
            fen.push(':');
            fen.push(letter(color));
            fen.push_str(&self.write_army(color));
        }
        let _ = write!(fen, ":H{}:F{}", self.plies_without_progress(), self.number);
        fen
    }

    fn write_army(&self, color: Color) -> String {
        let (men, kings) = (self.men(color), self.kings(color));
        let mut items = Vec::new();
        let mut left = men | kings;
        while let Some(first) = left.first() {
            let run = (men.0 >> first.index()).trailing_ones();
            let number = first.number();
            let taken = if kings.contains(first) {
                items.push(format!("K{number}"));
                1
            } else if run >= 3 {
                items.push(format!("{number}-{}", number + run - 1));
                run
            } else {
                items.push(number.to_string());
                1
            };
            left = left.without(span(number, number + taken - 1));
        }
        items.join(",")
    }

    /// The board from one side, men `w` and `b`, kings `W` and `B`; beside it the numbers of the
    /// squares.
    pub(super) fn draw_board(&self, bottom: Color) -> String {
        // From the top left as the one below sees it.
        let turned = |line| if bottom == Color::White { line } else { 7 - line };
        let mut text = String::new();
        for row in (0..8).rev().map(turned) {
            let mut board = String::new();
            let mut numbers = String::new();
            for file in (0..8).map(turned) {
                let square = Square::at(row, file);
                let _ = write!(board, " {}", square.map_or(' ', |square| self.piece_letter(square)));
                match square {
                    Some(square) => write!(numbers, "{:3}", square.number()),
                    None => write!(numbers, "   "),
                }
                .expect("a String takes all text");
            }
            let line = format!("{:3} {board}{GAP}{numbers}", row + 1);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let files: String = (0..8).map(turned).flat_map(|file| [' ', (b'a' + file) as char]).collect();
        let _ = writeln!(text, "    {files}\n     {} to move, move {}", self.side(), self.number);
        text
    }

    fn piece_letter(&self, square: Square) -> char {
        let of = |color| match (self.men(color).contains(square), self.kings(color).contains(square)) {
            (true, _) => Some(letter(color).to_ascii_lowercase()),
            (_, true) => Some(letter(color)),
            _ => None,
        };
        of(Color::White).or(of(Color::Black)).unwrap_or('.')
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// The squares of a range of numbers, both ends within it.
fn span(first: u32, last: u32) -> Squares {
    (first..=last).filter_map(Square::from_number).collect()
}

/// Fills a field that may be given once only.
fn once<T>(slot: &mut Option<T>, value: T, field: &'static str) -> Result<()> {
    if slot.replace(value).is_some() {
        return error(field, "given twice".into(), "one of each: W, B, H, F");
    }
    Ok(())
}

fn read_number(field: &'static str, text: &str, least: u32) -> Result<u32> {
    match decimal(text) {
        Some(number) if (least..=LARGEST_NUMBER).contains(&number) => Ok(number),
        _ => error(
            field,
            format!("'{}'", excerpt(text)),
            if least == 0 { "a count of plies, 0 to 65535" } else { "a move number, 1 to 65535" },
        ),
    }
}

/// Digits only: no sign, as `str::parse` would take.
fn decimal(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn read_army(color: Color, text: &str) -> Result<Army> {
    let field = match color {
        Color::White => "pieces of White",
        Color::Black => "pieces of Black",
    };
    let mut army = Army::default();
    if text.is_empty() {
        return Ok(army);
    }
    for item in text.split(',').map(str::trim) {
        let (king, numbers) = match item.strip_prefix(['K', 'k']) {
            Some(numbers) => (true, numbers.trim()),
            None => (false, item),
        };
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (Some(first), Some(last)) = (decimal(first.trim()), decimal(last.trim())) else {
            return error(
                field,
                format!("'{}'", excerpt(item)),
                "numbers and ranges such as 3 or 1-12, K before kings, commas between",
            );
        };
        if let Some(number) = [first, last].into_iter().find(|&n| Square::from_number(n).is_none()) {
            return error(field, format!("square {number}"), "squares 1 to 32");
        }
        if first > last {
            return error(
                field,
                format!("the range {first}-{last}"),
                "ranges from low to high, such as 1-12",
            );
        }
        let squares = span(first, last);
        if let Some(square) = (squares & army.all()).first() {
            return error(field, format!("square {} is given twice", square.number()), "one piece a square");
        }
        if king {
            army.kings |= squares;
        } else {
            army.men |= squares;
        }
    }
    if let Some(square) = (army.men & last_row(color)).first() {
        return error(
            field,
            format!("the man on {} stands on its last row", square.number()),
            "there only kings, such as K30",
        );
    }
    Ok(army)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position as _;

    fn read(fen: &str) -> Result<Position> {
        Position::from_fen(fen, Rules::default())
    }

    #[test]
    fn written_form() {
        assert_eq!(Position::start(Rules::default()).fen(), "W:W1-12:B21-32:H0:F1");
        for fen in ["B:W1,2,4-6,K7,K8,K9,11:BK3,K10", "W:W:B", "W:WK32:B"] {
            let fen = format!("{fen}:H12:F34");
            assert_eq!(read(&fen).unwrap().fen(), fen);
        }
    }

    #[test]
    fn tolerated_forms() {
        for (fen, same) in [
            ("W:W1-12:B21-32", "W:W1-12:B21-32:H0:F1"),
            (" W : W 1 - 12 : B 21-32 . ", "W:W1-12:B21-32:H0:F1"),
            ("W:B21-32:W1-12:F2:H3.", "W:W1-12:B21-32:H3:F2"),
            ("b:wk1-2,5:bk7", "B:WK1,K2,5:BK7:H0:F1"),
            ("W:WK27,15:B11-14,K20:H3:F12", "W:W15,K27:B11-14,K20:H3:F12"),
            ("W:W:B05", "W:W:B5:H0:F1"),
        ] {
            assert_eq!(read(fen).map(|position| position.fen()), Ok(same.into()), "{fen}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        for (fen, field, problem) in [
            ("", "side to move", "''"),
            ("X:W1:B32", "side to move", "'X'"),
            ("W", "pieces of White", "missing"),
            ("W:W1", "pieces of Black", "missing"),
            ("W:W1:W2:B3", "pieces of White", "given twice"),
            ("W:W1:B32:Q4", "pieces", "'Q4'"),
            ("W:W1::B32", "pieces", "''"),
            ("W:W0:B32", "pieces of White", "square 0"),
            ("W:W1:B31-33", "pieces of Black", "square 33"),
            ("W:W1:B99999999999", "pieces of Black", "'99999999999'"),
            ("W:W1,,2:B32", "pieces of White", "''"),
            ("W:W+1:B32", "pieces of White", "'+1'"),
            ("W:W1,2,1:B32", "pieces of White", "square 1 is given twice"),
            ("W:W1-4,K3:B32", "pieces of White", "square 3 is given twice"),
            ("W:W5:B5", "pieces", "square 5 is given to both colours"),
            ("W:W12-1:B32", "pieces of White", "the range 12-1"),
            ("W:W29:B32", "pieces of White", "the man on 29 stands on its last row"),
            ("W:W9:B4", "pieces of Black", "the man on 4 stands on its last row"),
            ("W:W1:B32:H", "H", "''"),
            ("W:W1:B32:H-1", "H", "'-1'"),
            ("W:W1:B32:H65536", "H", "'65536'"),
            ("W:W1:B32:F0", "F", "'0'"),
        ] {
            let error = read(fen).expect_err(fen);
            assert_eq!((error.field, error.problem.as_str()), (field, problem), "{fen}");
        }
    }

    #[test]
    fn diagram() {
        let position = read("W:W1-12:B21-31,K32").unwrap();
        let expected = "
  8  B   b   b   b        32    31    30    29
  7    b   b   b   b         28    27    26    25
  6  b   b   b   b        24    23    22    21
  5    .   .   .   .         20    19    18    17
  4  .   .   .   .        16    15    14    13
  3    w   w   w   w         12    11    10     9
  2  w   w   w   w         8     7     6     5
  1    w   w   w   w          4     3     2     1
     a b c d e f g h
     White to move, move 1
";
        assert_eq!(position.diagram(Color::White), &expected[1..]);
    }
}
