//! Lines of XBoard to commands.

use std::time::Duration;

use super::clocks::TimeControl;
use crate::engine::options::MAX_HASH;
use crate::game::excerpt;
use crate::search::MAX_DEPTH;
use crate::search::threads::MAX_THREADS;

/// What XBoard may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The version of the protocol that XBoard speaks.
    ProtocolVersion(i64),
    New,
    /// The name as it came.
    Variant(String),
    /// The other player is a program.
    Computer,
    Force,
    Go,
    PlayOther,
    MoveNow,
    /// A move, with `usermove` before it or without.
    Move(String),
    /// By mouse: the square where a piece was picked up,
    Lift(String),
    /// and where it was put.
    Put(String),
    SetBoard(String),
    Undo,
    Remove,
    Result,
    Level(TimeControl),
    /// Exactly this time for each move.
    MoveTime(Duration),
    /// Plies.
    Depth(u32),
    OwnTime(Duration),
    OpponentTime(Duration),
    Ping(i64),
    /// Show the thinking?
    Post(bool),
    /// An option by the engine's own name for it.
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// So many nodes stand for a second; `None`: a second is one.
    NodeRate(Option<u64>),
    /// Think on the opponent's time?
    Ponder(bool),
    /// Vary the play, or no longer.
    Random,
    /// What became of a feature.
    Settled {
        feature: String,
        accepted: bool,
    },
    /// The opponent offers a draw.
    Draw,
    Analyze,
    /// Leave analysis.
    Exit,
    /// How far has the analysis come?
    Status,
    /// Do not search this move, as it came, or `all`.
    Exclude(String),
    Include(String),
    Hint,
    Book,
    /// Enter a position piece by piece, as protocol 1 has it.
    Edit,
    Quit,
    /// Known, and nothing to do.
    Nothing,
}

impl Command {
    /// Does the command make the answer of a search under way worthless?
    pub fn interrupts(&self) -> bool {
        use Command::{Analyze, Force, New, PlayOther, Remove, Result, SetBoard, Undo, Variant};
        matches!(self, Analyze | Force | New | PlayOther | Remove | Result | SetBoard(_) | Undo | Variant(_))
    }
}

/// Why a line is no command: what goes between the parentheses of `Error (…): LINE`.
pub type Refused = String;

const LARGEST_NUMBER: i64 = i32::MAX as i64;
/// A bit more than eleven days, in seconds; no player needs more for a move.
const LONGEST: f64 = 1e6;

/// Reads a line that is not empty.
pub fn read(line: &str) -> Result<Command, Refused> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let argument = rest.split_whitespace().next();
    Ok(match word {
        "protover" => Command::ProtocolVersion(whole(argument, 1, LARGEST_NUMBER)?),
        "new" => Command::New,
        "variant" => Command::Variant(text(argument, "the name of a variant")?),
        "computer" => Command::Computer,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "?" => Command::MoveNow,
        "usermove" => Command::Move(text(argument, "a move")?),
        "lift" => Command::Lift(clicked(argument)?),
        "put" => Command::Put(clicked(argument)?),
        "setboard" => Command::SetBoard(text((!rest.is_empty()).then_some(rest), "a FEN")?),
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "result" => Command::Result,
        "level" => Command::Level(level(rest)?),
        "st" => Command::MoveTime(seconds(argument, 0.001)?),
        "sd" => Command::Depth(whole(argument, 1, MAX_DEPTH.into())? as u32),
        "time" => Command::OwnTime(centiseconds(argument)?),
        "otim" => Command::OpponentTime(centiseconds(argument)?),
        "ping" => Command::Ping(whole(argument, i64::MIN, i64::MAX)?),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "memory" => engine_option("Hash", whole(argument, 1, MAX_HASH)?),
        "cores" => engine_option("Threads", whole(argument, 1, MAX_THREADS as i64)?),
        "option" => {
            let (name, value) =
                rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
            let name = text(Some(name.trim()).filter(|name| !name.is_empty()), "NAME=VALUE")?;
            Command::SetOption { name, value: value.map(Into::into) }
        }
        // 0 asks for the processor's time in place of the wall's, which comes to the same here.
        "nps" => {
            let rate = whole(argument, -1, LARGEST_NUMBER)?;
            Command::NodeRate(u64::try_from(rate).ok().filter(|&rate| rate > 0))
        }
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "random" => Command::Random,
        "accepted" | "rejected" => {
            let feature = text(argument, "a feature")?;
            Command::Settled { feature, accepted: word == "accepted" }
        }
        "draw" => Command::Draw,
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Status,
        "exclude" => Command::Exclude(text(argument, "a move, or all")?),
        "include" => Command::Include(text(argument, "a move, or all")?),
        "egtpath" => return Err("there are no tables of this kind".into()),
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "edit" => Command::Edit,
        "quit" => Command::Quit,
        // Told for the record: who plays, how strong he is, which colour an old XBoard has in mind, over
        // which square the mouse is.
        "xboard" | "name" | "rating" | "ics" | "hover" | "white" | "black" => Command::Nothing,
        _ if looks_like_move(line) => Command::Move(line.into()),
        _ => return Err("unknown command".into()),
    })
}

/// Is the line one of those that follow `edit`? They hold a piece (`x`: none) and its square, `c` to
/// change the colour, `#` to clear the board, or `.` to end.
pub fn is_edit_line(line: &str) -> bool {
    let line = line.trim();
    let mut letters = line.chars();
    let piece = letters.next().is_some_and(|letter| letter.is_ascii_uppercase() || letter == 'x');
    matches!(line, "c" | "#" | ".") || (piece && square(letters.as_str()).is_some_and(str::is_empty))
}

/// Old programs send a move without `usermove`: two squares, perhaps more behind them.
fn looks_like_move(line: &str) -> bool {
    !line.contains(char::is_whitespace)
        && square(line)
            .map(|rest| rest.strip_prefix(['x', '-', ',']).unwrap_or(rest))
            .and_then(square)
            .is_some()
}

/// What follows the square that `text` begins with.
fn square(text: &str) -> Option<&str> {
    let rank = text.strip_prefix(|letter| matches!(letter, 'a'..='l'))?;
    let rest = rank.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (1..=2).contains(&(rank.len() - rest.len())).then_some(rest)
}

/// The square of a click; a comma stands behind it while a key is held.
fn clicked(argument: Option<&str>) -> Result<String, Refused> {
    let name = argument.map(|name| name.trim_end_matches(','));
    text(name.filter(|name| square(name).is_some_and(str::is_empty)), "a square")
}

fn engine_option(name: &str, value: i64) -> Command {
    Command::SetOption { name: name.into(), value: Some(value.to_string()) }
}

fn text(argument: Option<&str>, wanted: &str) -> Result<String, Refused> {
    argument.map(Into::into).ok_or_else(|| format!("missing: {wanted}"))
}

fn whole(argument: Option<&str>, min: i64, max: i64) -> Result<i64, Refused> {
    argument
        .and_then(|text| text.parse().ok())
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("allowed: a whole number from {min} to {max}"))
}

/// A clock; XBoard lets it fall below zero.
fn centiseconds(argument: Option<&str>) -> Result<Duration, Refused> {
    let hundredths = whole(argument, -LARGEST_NUMBER, LARGEST_NUMBER)?.max(0);
    Ok(Duration::from_millis(10 * hundredths as u64))
}

/// Seconds, a fraction behind a dot.
fn seconds(argument: Option<&str>, min: f64) -> Result<Duration, Refused> {
    argument
        .and_then(|text| text.parse::<f64>().ok())
        .filter(|seconds| (min..=LONGEST).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("allowed: seconds from {min} to {LONGEST}"))
}

/// `40 5 0`, `0 0:30 0.5`: moves a session (0: all), minutes or minutes and seconds, increment.
fn level(rest: &str) -> Result<TimeControl, Refused> {
    let allowed = || {
        format!(
            "allowed: moves from 0 to {LARGEST_NUMBER}, minutes or minutes:seconds, increment in seconds; \
             times up to {LONGEST} seconds"
        )
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let &[moves, base, increment] = &words[..] else { return Err(allowed()) };
    let moves = whole(Some(moves), 0, LARGEST_NUMBER).map_err(|_| allowed())? as u32;
    let base = match base.split_once(':') {
        None => base.parse().map(|minutes: f64| minutes * 60.0).ok(),
        Some((minutes, rest)) => {
            minutes.parse().ok().zip(rest.parse().ok()).and_then(|(minutes, seconds): (u32, u32)| {
                (seconds < 60).then(|| f64::from(minutes) * 60.0 + f64::from(seconds))
            })
        }
    };
    let base = base.filter(|base| (0.0..=LONGEST).contains(base)).ok_or_else(allowed)?;
    let increment = seconds(Some(increment), 0.0).map_err(|_| allowed())?;
    Ok(TimeControl { moves: (moves > 0).then_some(moves), base: Duration::from_secs_f64(base), increment })
}

/// The answer to a line that is no command.
pub fn refusal(reason: &str, line: &str) -> String {
    format!("Error ({reason}): {}", excerpt(line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time_control(moves: Option<u32>, base: u64, increment: u64) -> Result<Command, Refused> {
        Ok(Command::Level(TimeControl {
            moves,
            base: Duration::from_millis(base),
            increment: Duration::from_millis(increment),
        }))
    }

    #[test]
    fn levels() {
        assert_eq!(read("level 40 5 0"), time_control(Some(40), 300_000, 0));
        assert_eq!(read("level 0 0:30 0.5"), time_control(None, 30_000, 500));
        assert_eq!(read("level 0 2.5 12"), time_control(None, 150_000, 12_000));
        for line in [
            "level",
            "level 40",
            "level 40 5",
            "level -1 5 0",
            "level 40 5 0 1",
            "level x 5 0",
            "level 40 0:60 0",
            "level 40 -5 0",
            "level 40 NaN 0",
            "level 40 inf 0",
            "level 40 5 -0.1",
            "level 99999999999999999999 5 0",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(read("st 0.25"), Ok(Command::MoveTime(Duration::from_millis(250))));
        assert_eq!(read("time -250"), Ok(Command::OwnTime(Duration::ZERO)));
        assert_eq!(read("otim 6000"), Ok(Command::OpponentTime(Duration::from_secs(60))));
        assert_eq!(read("sd 0").unwrap_err(), format!("allowed: a whole number from 1 to {MAX_DEPTH}"));
        for line in
            ["st", "st 0", "st -1", "st NaN", "time x", "time 99999999999", "ping", "ping x", "cores 0"]
        {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn moves_with_and_without_their_word() {
        for text in ["d12a10", "a11a12r", "a11a12=r", "d3e4,e4f5", "h7xg6xc2-b1d", "d3-e4"] {
            let read_move = Ok(Command::Move(text.into()));
            assert_eq!(read(text), read_move);
            assert_eq!(read(&format!("usermove {text}")), read_move);
        }
        for text in ["a", "a1", "e", "m1a1", "a123b1", "analyse", "Pa4"] {
            assert_eq!(read(text).unwrap_err(), "unknown command", "{text}");
        }
    }

    #[test]
    fn lines_of_edit() {
        assert!(["#", "c", "Pa4", "Kg12", "xa4", "."].into_iter().all(is_edit_line));
        assert!(!["ping 1", "new", "a1", "P", "Pa123", ""].into_iter().any(is_edit_line));
    }
}
