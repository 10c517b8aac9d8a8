//! Portable Game Notation, for the 12x12 game.
//!
//! Written so that XBoard reads it once an engine has set the variant up. It has to be told again how
//! the pieces move (`VariantMen`, before the FEN), or it takes the king's leap for impossible. The leap
//! rights in the FEN are the files of the kings (a `K` would be the piece on the k-file to it), and the
//! field for en-passant captures is missing, as in what XBoard writes itself.

use super::{Record, movetext};
use crate::acedrex;

/// A game as text, an empty line behind it.
pub fn write(record: &Record) -> String {
    let [white, black] = &record.players;
    let [white_control, black_control] = &record.controls;
    let men = acedrex::XBOARD_MOVES.map(|(letter, moves)| format!("{letter}:{moves}")).join(";");
    let mut text = String::new();
    for (name, value) in [
        ("Event", record.event.as_str()),
        ("Site", "?"),
        ("Date", &record.date),
        ("Round", &record.round),
        ("White", white),
        ("Black", black),
        ("Result", record.result),
        ("Variant", record.variant.name()),
        ("VariantMen", &men),
        ("FEN", &xboard_fen(&record.first_fen)),
        ("SetUp", "1"),
        ("PlyCount", &record.moves.len().to_string()),
        ("WhiteTimeControl", white_control),
        ("BlackTimeControl", black_control),
        ("Termination", record.termination),
    ] {
        text.push_str(&movetext::tag(name, value));
    }
    let fields: Vec<&str> = record.first_fen.split(' ').collect();
    let number = fields.last().and_then(|number| number.parse().ok()).unwrap_or(1);
    let black_begins = fields.get(1) == Some(&"b");
    text + "\n" + &movetext::moves(record, number, black_begins) + "\n"
}

/// A FEN of ours as XBoard reads and writes it; our reader takes it too.
fn xboard_fen(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, rights, _, half_moves, number] = fields[..] else { return fen.into() };
    let rights: String = rights
        .chars()
        .map(|right| match right {
            'K' => king_file(board.rsplit('/').next(), 'K').unwrap_or(right).to_ascii_uppercase(),
            'k' => king_file(board.split('/').next(), 'k').unwrap_or(right),
            other => other,
        })
        .collect();
    format!("{board} {side} {rights} {half_moves} {number}")
}

/// The letter of the file on which `king` stands in a rank of a FEN.
fn king_file(rank: Option<&str>, king: char) -> Option<char> {
    let mut file = 0;
    let mut empty = 0;
    for c in rank?.chars() {
        match c.to_digit(10) {
            Some(digit) => empty = empty * 10 + digit,
            None => {
                file += empty;
                empty = 0;
                if c == king {
                    return char::from_u32(u32::from('a') + file);
                }
                file += 1;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::acedrex::Position;
    use crate::engine::Variant;
    use crate::game::Position as _;
    use crate::records::{RecordedMove, Remark};
    use crate::search::score::Score;

    #[test]
    fn leap_rights_are_files() {
        let fen = Position::start(Default::default()).fen();
        let written = xboard_fen(&fen);
        assert!(written.ends_with(" w Gg 0 1"), "{written}");
        assert_eq!(Position::from_fen(&written, Default::default()).unwrap().fen(), fen);
        let moved = "12/5k6/12/12/12/12/12/12/12/12/12/10K1 b K - 3 40";
        assert_eq!(xboard_fen(moved), "12/5k6/12/12/12/12/12/12/12/12/12/10K1 b K 3 40");
        assert_eq!(
            xboard_fen("5k6/12/12/12/12/12/12/12/12/12/12/2R2K6 w Kk - 0 9").split(' ').nth(2),
            Some("Ff")
        );
    }

    #[test]
    fn a_game() {
        let thought = |score, depth| Remark::Thought {
            score: Some(score),
            depth: Some(depth),
            time: Duration::from_millis(125),
        };
        let m = |notation: &str, remark| RecordedMove { notation: notation.into(), remark };
        let record = Record {
            variant: Variant::GrandeAcedrex,
            event: "a \"test\"".into(),
            date: "2026.11.30".into(),
            round: "1.1".into(),
            players: ["one".into(), "two".into()],
            controls: ["tc=1+0.01".into(), "nodes=500".into()],
            result: "1-0",
            termination: "rules infraction",
            ending: "Black makes an illegal move: {a1a1}".into(),
            first_fen: Position::start(Default::default()).fen(),
            moves: vec![
                m("a5", Remark::Book),
                m("Kg10", thought(Score::Centipawns(-35), 7)),
                m("Ge4", thought(Score::Mate(-2), 9)),
            ],
        };
        insta::assert_snapshot!(write(&record));
    }
}
