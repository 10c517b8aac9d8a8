//! What PGN and PDN have in common: tags, and moves with numbers and comments.

use super::{Record, RecordedMove, Remark};
use crate::search::score::Score;

/// Columns of a line of moves; PGN's export format ends them before the 80th.
const WIDTH: usize = 79;

/// A tag pair.
pub fn tag(name: &str, value: &str) -> String {
    let value: String = value.chars().filter(|c| !c.is_control()).collect();
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The moves from move `number` on, comments, how the game ended, and the result.
pub fn moves(record: &Record, number: u32, black_begins: bool) -> String {
    let mut words = Vec::new();
    let offset = usize::from(black_begins);
    for (index, RecordedMove { notation, remark }) in record.moves.iter().enumerate() {
        let ply = index + offset;
        let number = number as usize + ply / 2;
        // After a comment Black's move is numbered too: PGN asks for it.
        words.push(if ply % 2 == 0 { format!("{number}.") } else { format!("{number}...") });
        words.push(notation.clone());
        words.push(format!("{{{}}}", remark_text(remark)));
    }
    words.extend(format!("{{{}}}", without_braces(&record.ending)).split(' ').map(String::from));
    words.push(record.result.into());
    wrap(&words)
}

/// `+0.35/12 0.52s`, as XBoard and others read it; a win in so many moves is `+M5`.
fn remark_text(remark: &Remark) -> String {
    match remark {
        Remark::Book => "book".into(),
        Remark::Thought { score, depth, time } => {
            let score = score.map_or("0.00".into(), |score| match score {
                Score::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
                Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
                Score::Mate(moves) => format!("-M{}", -moves),
            });
            format!("{score}/{} {:.3}s", depth.unwrap_or(0), time.as_secs_f64())
        }
    }
}

fn without_braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}
