//! What the engine has to tell, as UCI lines.
//!
//! Written through the `vampirc-uci` crate; what its types cannot hold (depths beyond 255, our
//! promotions, `wdl`) goes through its free attribute.

use vampirc_uci::{
    Duration, UciInfoAttribute as Attribute, UciMessage, UciMove, UciOptionConfig, UciPiece, UciSquare,
};

use crate::engine::options::{Kind, SPECS, Spec};
use crate::engine::{Answer, BenchResult, Report, Session};
use crate::game::Color;
use crate::search::Bound;
use crate::search::score::Score;

/// Where there is no move to play.
pub const NO_BEST_MOVE: &str = "bestmove (none)";

pub fn ready() -> String {
    UciMessage::ReadyOk.to_string()
}

pub fn info_string(text: &str) -> String {
    UciMessage::info_string(text.into()).to_string()
}

/// The options of this protocol.
pub fn offered() -> impl Iterator<Item = &'static Spec> {
    SPECS.iter().filter(|spec| !spec.id.is_for_xboard())
}

/// The answer to `uci`.
pub fn identification() -> String {
    let name = UciMessage::id_name(&format!("alfonso {}", env!("CARGO_PKG_VERSION")));
    let author = UciMessage::id_author("the alfonso authors");
    let options = offered().map(|spec| {
        let name = spec.name.to_owned();
        UciMessage::Option(match spec.kind {
            Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
            Kind::Spin { default, min, max } => {
                UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
            }
            Kind::Combo { default, values } => UciOptionConfig::Combo {
                name,
                default: Some(default.into()),
                var: values.iter().map(|&value| value.into()).collect(),
            },
            Kind::Button => UciOptionConfig::Button { name },
            Kind::File | Kind::Folder => UciOptionConfig::String { name, default: Some("<empty>".into()) },
        })
    });
    [name, author]
        .into_iter()
        .chain(options)
        .chain([UciMessage::UciOk])
        .map(|message| message.to_string() + "\n")
        .collect()
}

/// An `info` line of a search.
pub fn info(report: &Report, show_wdl: bool) -> String {
    let mut attributes = vec![
        Attribute::Depth(report.depth as u8),
        Attribute::SelDepth(report.seldepth.min(u8::MAX.into()) as u8),
        Attribute::MultiPv(report.multi_pv as u16),
        score(report.score, report.bound),
    ];
    if show_wdl {
        let [win, draw, loss] = report.win_draw_loss;
        attributes.push(Attribute::Any("wdl".into(), format!("{win} {draw} {loss}")));
    }
    attributes.extend([
        Attribute::Nodes(report.nodes),
        Attribute::Nps(report.nodes_per_second()),
        Attribute::HashFull(report.per_mille_full),
        Attribute::TbHits(report.table_hits),
        Attribute::Time(Duration::milliseconds(report.time.as_millis() as i64)),
        match report.pv.iter().map(|m| uci_move(m)).collect() {
            Some(moves) => Attribute::Pv(moves),
            None => Attribute::Any("pv".into(), report.pv.join(" ")),
        },
    ]);
    UciMessage::Info(attributes).to_string()
}

fn score(score: Score, bound: Bound) -> Attribute {
    let (cp, mate) = match score {
        Score::Centipawns(score) => (Some(score), None),
        Score::Mate(moves) => match i8::try_from(moves) {
            Ok(moves) => (None, Some(moves)),
            Err(_) => return Attribute::Any("score".into(), format!("mate {moves}")),
        },
    };
    let is = |wanted| (bound == wanted).then_some(true);
    Attribute::Score { cp, mate, lower_bound: is(Bound::Lower), upper_bound: is(Bound::Upper) }
}

pub fn best_move(answer: &Answer) -> String {
    let ponder = answer.ponder.as_deref().map(uci_move);
    match (uci_move(&answer.best), ponder) {
        (Some(best_move), None) => UciMessage::best_move(best_move).to_string(),
        (Some(best_move), Some(Some(ponder))) => {
            UciMessage::best_move_with_ponder(best_move, ponder).to_string()
        }
        _ => {
            let ponder = answer.ponder.iter().map(|ponder| format!(" ponder {ponder}"));
            format!("bestmove {}", answer.best) + &ponder.collect::<String>()
        }
    }
}

/// A move as the crate holds it; `None` for what it has no room for: promotions to pieces of our
/// own, captures with squares in between.
fn uci_move(text: &str) -> Option<UciMove> {
    fn square(text: &str) -> Option<(UciSquare, &str)> {
        let file = text.chars().next().filter(char::is_ascii_lowercase)?;
        let digits = text[1..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| end + 1);
        Some((UciSquare::from(file, text[1..digits].parse().ok()?), &text[digits..]))
    }
    let (from, rest) = square(text)?;
    let (to, rest) = square(rest)?;
    let promotion = match rest {
        "" => None,
        "r" => Some(UciPiece::Rook),
        _ => return None,
    };
    Some(UciMove { from, to, promotion })
}

/// The answer to `go perft`.
pub fn perft(counts: &[(String, u64)]) -> String {
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    counts.iter().map(|(m, count)| format!("{m}: {count}\n")).collect::<String>()
        + &format!("\nNodes searched: {total}")
}

/// The answer to `bench`.
pub fn bench(results: &[BenchResult]) -> String {
    results.iter().map(|result| format!("{result}\n")).collect()
}

/// The answer to `d`.
pub fn display(session: &dyn Session) -> String {
    let list = |items: Vec<String>| if items.is_empty() { "none".into() } else { items.join(" ") };
    let moves = session.legal_moves();
    let mut text = format!(
        "{}\nVariant: {}\nFEN: {}\nKey: {:016x}\nSide to move: {}\nCheckers: {}\nLegal moves ({}): {}\n",
        session.diagram(Color::White),
        session.variant().name(),
        session.fen(),
        session.key(),
        session.side_to_move(),
        list(session.checkers()),
        moves.len(),
        list(moves.into_iter().map(|m| m.text).collect()),
    );
    if let Some(ending) = session.ending() {
        text += &format!("The game is over: {} ({})\n", ending.result(), ending.reason);
    }
    text
}

/// The answer to `eval`.
pub fn evaluation(session: &dyn Session) -> String {
    let (terms, total) = session.evaluation();
    let mut text = format!("{:<24} {:>8} {:>8} {:>8}\n", "term (centipawns)", "White", "Black", "sum");
    for term in terms {
        text += &format!(
            "{:<24} {:>8} {:>8} {:>8}\n",
            term.name,
            term.white,
            term.black,
            term.white - term.black
        );
    }
    text + &format!("{:<24} {:>26}\n", "total, for White", total)
}

/// The answer to `help`.
pub fn help() -> String {
    let commands = [
        ("uci", "who this is and which options there are"),
        ("debug on|off", "tell more as info strings"),
        ("isready", "answered at once, in a search too"),
        ("setoption name NAME value VALUE", "set an option"),
        ("ucinewgame", "forget what earlier searches found"),
        ("position startpos|fen FEN [moves ...]", "set the position up"),
        ("go [LIMIT ...]", "search; limits: depth N, nodes N, mate N, movetime MS, wtime MS btime MS"),
        ("", "  winc MS binc MS movestogo N, infinite, ponder, searchmoves MOVE ..."),
        ("go perft N", "count the lines of N legal moves"),
        ("stop", "end the search and answer"),
        ("ponderhit", "the move pondered on was played"),
        ("d", "show the board, its FEN, key and legal moves"),
        ("eval", "show the static evaluation, term by term"),
        ("bench", "search a fixed list of positions of both games"),
        ("help", "this list"),
        ("quit", "end the program"),
    ];
    commands.iter().map(|(command, what)| format!("{command:<38} {what}\n")).collect()
}
