//! What the engine has to tell, as lines to XBoard.

use crate::engine::options::{Id, Kind, SPECS, Spec};
use crate::engine::{Progress, Report, Variant};
use crate::game::{Color, Ending, Reason};
use crate::search::score::Score;

/// XBoard takes scores beyond this as wins in so many moves more.
const MATE: i32 = 100_000;

/// XBoard cuts lines at 512 bytes.
const LONGEST_FEATURES: usize = 500;

/// The answer to `protover`: what this engine can do, on as many lines as it takes.
pub fn features() -> String {
    let mut features: Vec<String> = [
        "done=0",
        "ping=1",
        "setboard=1",
        "playother=1",
        "san=0",
        "usermove=1",
        "time=1",
        "draw=1",
        "sigint=0",
        "sigterm=0",
        "reuse=1",
        "analyze=1",
        "colors=0",
        "ics=0",
        "name=1",
        "pause=0",
        "nps=1",
        "exclude=1",
        "debug=1",
        "highlight=1",
        "memory=1",
        "smp=1",
    ]
    .map(String::from)
    .into();
    features.push(format!("variants=\"{}\"", Variant::NAMES.join(",")));
    features.push(format!("myname=\"alfonso {}\"", env!("CARGO_PKG_VERSION")));
    features.extend(SPECS.iter().filter(|spec| is_offered(spec.id)).map(option));
    features.push("done=1".into());
    let mut lines = vec![String::from("feature")];
    for feature in features {
        let line = lines.last_mut().expect("there is a first line");
        if line.len() + 1 + feature.len() > LONGEST_FEATURES {
            lines.push(format!("feature {feature}"));
        } else {
            *line += &format!(" {feature}");
        }
    }
    lines.join("\n")
}

/// XBoard has commands of its own for the others: `memory`, `cores`, `hard`, `variant`.
fn is_offered(id: Id) -> bool {
    let shared = matches!(
        id,
        Id::MultiPv
            | Id::MoveOverhead
            | Id::ClearHash
            | Id::MoveRule
            | Id::DraughtsDraws
            | Id::EndgamePath
            | Id::LogFile
    );
    shared || id.is_for_xboard()
}

fn option(spec: &Spec) -> String {
    let kind = match spec.kind {
        Kind::Check { default } => format!("-check {}", u8::from(default)),
        Kind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        Kind::Combo { default, values } => {
            let mark = |&value: &&str| if value == default { format!("*{value}") } else { value.into() };
            format!("-combo {}", values.iter().map(mark).collect::<Vec<String>>().join(" /// "))
        }
        Kind::Button => "-button".into(),
        Kind::File => "-file ".into(),
        Kind::Folder => "-path ".into(),
    };
    format!("option=\"{} {kind}\"", spec.name)
}

/// A line of thinking: depth, score, hundredths of a second, nodes, then depth of the longest line,
/// nodes a second and table hits; a tab keeps those three apart from the moves.
pub fn thinking(report: &Report) -> String {
    let score = match report.score {
        Score::Centipawns(score) => score,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    };
    format!(
        "{} {score} {} {} {} {} {}\t{}",
        report.depth,
        report.time.as_millis() / 10,
        report.nodes,
        report.seldepth,
        report.nodes_per_second(),
        report.table_hits,
        report.pv.join(" ")
    )
}

/// How far an analysis has come: hundredths of a second, nodes, depth, root moves left and in all, the
/// present one. `None`: there is nothing to look at.
pub fn status(progress: Option<&Progress>) -> String {
    let Some(Progress { time, nodes, depth, root_moves, moves_left, current }) = progress else {
        return "stat01: 0 0 0 0 0 -".into();
    };
    format!("stat01: {} {nodes} {depth} {moves_left} {root_moves} {current}", time.as_millis() / 10)
}

/// How the game ended, told to XBoard and, in braces, to people.
pub fn result(ending: &Ending) -> String {
    let loser = match ending.winner {
        Some(Color::White) => "Black",
        _ => "White",
    };
    let why = match ending.reason {
        Reason::Checkmate => format!("{loser} is mated"),
        Reason::Stalemate => format!("{loser} is stalemated"),
        Reason::BareKing => format!("{loser} has a bare king"),
        Reason::NoPiece => format!("{loser} has no piece left"),
        Reason::Blocked => format!("{loser} cannot move"),
        Reason::BothKingsBare => "both kings are bare".into(),
        Reason::Repetition => "third repetition".into(),
        Reason::MoveRule => "too many moves without progress".into(),
        Reason::Forzosa => "three kings did not beat one in time".into(),
    };
    format!("{} {{{why}}}", ending.result())
}

/// The answer to a move that is not taken.
pub fn illegal_move(reason: &str, text: &str) -> String {
    // With one of these anywhere in the line XBoard takes it for something else than a refused move.
    const MISREAD: &[&str] = &[
        "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random", "depth",
        "accepted", "protover", "draw", "time", "otim", "analyze",
    ];
    let lower = reason.to_lowercase();
    let misread = MISREAD.iter().any(|word| lower.contains(word));
    let reason = if misread { "not by the rules of this game" } else { reason };
    format!("Illegal move ({reason}): {text}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::Bound;

    #[test]
    fn features_fit_xboards_lines() {
        let features = features();
        assert!(features.lines().all(|line| line.len() < 512 && line.starts_with("feature ")));
        assert!(features.ends_with("done=1"));
    }

    #[test]
    fn scores() {
        let mut report = Report {
            depth: 7,
            seldepth: 11,
            multi_pv: 1,
            score: Score::Centipawns(-31),
            bound: Bound::Exact,
            win_draw_loss: [0, 0, 0],
            nodes: 5000,
            table_hits: 12,
            time: Duration::from_millis(500),
            per_mille_full: 0,
            pv: vec!["g1e3".into(), "g12e10".into()],
        };
        assert_eq!(thinking(&report), "7 -31 50 5000 11 10000 12\tg1e3 g12e10");
        report.score = Score::Mate(3);
        assert!(thinking(&report).starts_with("7 100003 "));
        report.score = Score::Mate(-2);
        assert!(thinking(&report).starts_with("7 -100002 "));
    }

    #[test]
    fn reasons_that_xboard_would_misread_are_kept_from_it() {
        assert_eq!(illegal_move("the king is in check", "g1g2"), "Illegal move (the king is in check): g1g2");
        assert_eq!(
            illegal_move("off the Board", "g1g2"),
            "Illegal move (not by the rules of this game): g1g2"
        );
    }
}
