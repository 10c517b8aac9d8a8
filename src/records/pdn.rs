//! Portable Draughts Notation, for Spanish draughts (game type 24 of the PDN standard).

use super::{Record, movetext};
use crate::draughts;
use crate::game::Position as _;

/// White begins, 8x8 squares, numeric notation from the bottom right, dark corner at the left.
pub const GAME_TYPE: &str = "24,W,8,8,N1,1";

/// A game as text, an empty line behind it.
pub fn write(record: &Record) -> String {
    let [white, black] = &record.players;
    let [white_control, black_control] = &record.controls;
    let mut text = String::new();
    for (name, value) in [
        ("Event", record.event.as_str()),
        ("Site", "?"),
        ("Date", &record.date),
        ("Round", &record.round),
        ("White", white),
        ("Black", black),
        ("Result", record.result),
        ("GameType", GAME_TYPE),
        ("WhiteTimeControl", white_control),
        ("BlackTimeControl", black_control),
        ("Termination", record.termination),
    ] {
        text.push_str(&movetext::tag(name, value));
    }
    let start = draughts::Position::start(draughts::Rules::default()).fen();
    if record.first_fen != start {
        text.push_str(&movetext::tag("SetUp", "1"));
        text.push_str(&movetext::tag("FEN", &record.first_fen));
    }
    let number = record.first_fen.rsplit_once(":F").and_then(|(_, number)| number.parse().ok()).unwrap_or(1);
    let black_begins = record.first_fen.starts_with('B');
    text + "\n" + &movetext::moves(record, number, black_begins) + "\n"
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Variant;
    use crate::records::{RecordedMove, Remark};
    use crate::search::score::Score;

    fn record(first_fen: &str) -> Record {
        let remark = Remark::Thought {
            score: Some(Score::Centipawns(8)),
            depth: Some(11),
            time: Duration::from_millis(40),
        };
        Record {
            variant: Variant::SpanishDraughts,
            event: "test".into(),
            date: "2026.11.30".into(),
            round: "3.2".into(),
            players: ["one".into(), "two".into()],
            controls: ["depth=11".into(), "depth=11".into()],
            result: "1/2-1/2",
            termination: "normal",
            ending: "a draw by repetition".into(),
            first_fen: first_fen.into(),
            moves: vec![
                RecordedMove { notation: "10-14".into(), remark: Remark::Book },
                RecordedMove { notation: "19x10".into(), remark },
            ],
        }
    }

    #[test]
    fn a_game_from_the_start() {
        insta::assert_snapshot!(write(&record(&draughts::Position::start(Default::default()).fen())));
    }

    #[test]
    fn a_game_from_a_position() {
        let text = write(&record("B:WK1:BK32:H4:F30"));
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"B:WK1:BK32:H4:F30\"]\n"), "{text}");
        assert!(text.contains("\n30... 10-14 {book} 31. 19x10 {+0.08/11 0.040s}"), "{text}");
    }
}
