//! Lines of a UCI GUI to commands.
//!
//! The grammar of the `vampirc-uci` crate ends at h8 and at 8-bit depths, drops what it does not
//! know without a word, and panics on some numbers. So lines are cut into words and numbers are
//! checked first; what the crate then reads is believed only if, printed again, it holds the same
//! words. Everything else is read here.

use std::time::Duration;

use vampirc_uci::{UciMessage, UciSearchControl, UciTimeControl, parse_one};

use crate::game::{Color, excerpt};
use crate::search::{Clock, Limits};

/// What a GUI may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<String>,
    },
    NewGame,
    Position {
        /// `None`: the start position.
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    Display,
    Evaluation,
    Bench,
    Help,
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub limits: Limits,
    /// The moves to search, all where empty.
    pub search_moves: Vec<String>,
}

impl Command {
    /// The word that the command begins with.
    pub fn word(&self) -> &'static str {
        match self {
            Command::Uci => "uci",
            Command::Debug(_) => "debug",
            Command::IsReady => "isready",
            Command::SetOption { .. } => "setoption",
            Command::NewGame => "ucinewgame",
            Command::Position { .. } => "position",
            Command::Go(_) | Command::Perft(_) => "go",
            Command::Stop => "stop",
            Command::PonderHit => "ponderhit",
            Command::Quit => "quit",
            Command::Display => "d",
            Command::Evaluation => "eval",
            Command::Bench => "bench",
            Command::Help => "help",
        }
    }
}

/// Every word a line may begin with.
const WORDS: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "help",
];

/// Reads a line: the command, if there is one, and remarks on what could not be read.
///
/// As the protocol asks, unknown words before the first known one are skipped.
pub fn read(line: &str) -> (Option<Command>, Vec<String>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() {
        return (None, Vec::new());
    }
    let Some(first) = words.iter().position(|word| WORDS.contains(word)) else {
        return (
            None,
            vec![format!("unknown command: '{}'; 'help' lists what there is", excerpt(line.trim()))],
        );
    };
    let mut remarks = Vec::new();
    if first > 0 {
        remarks.push(format!("skipped: '{}'", excerpt(&words[..first].join(" "))));
    }
    match read_words(&words[first..], &mut remarks) {
        Ok(command) => (command, remarks),
        Err(error) => {
            remarks.push(format!("{}: {error}", words[first]));
            (None, remarks)
        }
    }
}

/// Reads a line that begins with a known word. `Ok(None)`: nothing is to be done.
fn read_words(words: &[&str], remarks: &mut Vec<String>) -> Result<Option<Command>, String> {
    if let Some(command) = read_with_crate(words) {
        return Ok(command);
    }
    let (command, rest): (Command, &[&str]) = match words {
        ["uci", rest @ ..] => (Command::Uci, rest),
        ["isready", rest @ ..] => (Command::IsReady, rest),
        ["ucinewgame", rest @ ..] => (Command::NewGame, rest),
        ["stop", rest @ ..] => (Command::Stop, rest),
        ["ponderhit", rest @ ..] => (Command::PonderHit, rest),
        ["quit", rest @ ..] => (Command::Quit, rest),
        ["d", rest @ ..] => (Command::Display, rest),
        ["eval", rest @ ..] => (Command::Evaluation, rest),
        ["bench", rest @ ..] => (Command::Bench, rest),
        ["help", rest @ ..] => (Command::Help, rest),
        ["debug", "on", rest @ ..] => (Command::Debug(true), rest),
        ["debug", "off", rest @ ..] => (Command::Debug(false), rest),
        ["debug", rest @ ..] => return Err(format!("{}; allowed: on or off", got(rest.first()))),
        // Nothing here wants registering.
        ["register", ..] => return Ok(None),
        ["setoption", rest @ ..] => return read_option(rest).map(Some),
        ["position", rest @ ..] => return read_position(rest).map(Some),
        ["go", rest @ ..] => return read_go(rest).map(Some),
        _ => unreachable!("{words:?} begins with a known word"),
    };
    if !rest.is_empty() {
        remarks.push(format!("{}: ignored: '{}'", command.word(), excerpt(&rest.join(" "))));
    }
    Ok(Some(command))
}

/// What the crate makes of the words, where it reads all of them.
fn read_with_crate(words: &[&str]) -> Option<Option<Command>> {
    if matches!(words[0], "position" | "d" | "eval" | "bench" | "help")
        || !words.iter().all(|word| is_tame(word))
    {
        return None;
    }
    let message = parse_one(&words.join(" "));
    if !message.to_string().split_whitespace().eq(words.iter().copied()) {
        return None;
    }
    Some(Some(match message {
        UciMessage::Uci => Command::Uci,
        UciMessage::Debug(on) => Command::Debug(on),
        UciMessage::IsReady => Command::IsReady,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        UciMessage::Register { .. } => return Some(None),
        UciMessage::SetOption { name, value: Some(value) } => Command::SetOption { name, value: Some(value) },
        UciMessage::Go { time_control, search_control } => {
            Command::Go(go_of(time_control, search_control.unwrap_or_default())?)
        }
        _ => return None,
    }))
}

/// Is the word no number, or one that the crate takes without harm?
fn is_tame(word: &str) -> bool {
    let looks_like_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    !looks_like_number || word.parse::<u8>().is_ok_and(|number| number <= 100)
}

/// A search as the crate understood it; `None` where it has what the crate does not carry over.
fn go_of(time: Option<UciTimeControl>, search: UciSearchControl) -> Option<Go> {
    if !search.search_moves.is_empty() {
        return None;
    }
    let milliseconds = |time: vampirc_uci::Duration| u64::try_from(time.num_milliseconds()).ok();
    let mut limits = Limits {
        depth: search.depth.map(u32::from),
        nodes: search.nodes,
        mate: search.mate.map(u32::from),
        ..Limits::default()
    };
    match time {
        None => {}
        // Said outright: nothing but a `stop` ends it.
        Some(UciTimeControl::Infinite) => return Some(Go::default()),
        Some(UciTimeControl::MoveTime(time)) => {
            limits.move_time = Some(Duration::from_millis(milliseconds(time)?))
        }
        Some(UciTimeControl::Ponder | UciTimeControl::TimeLeft { .. }) => return None,
    }
    // Zeros are refused by the reader below, which names what is allowed.
    let zero = limits.depth == Some(0) || limits.nodes == Some(0) || limits.mate == Some(0);
    (!zero && limits.move_time != Some(Duration::ZERO)).then_some(Go { limits, search_moves: Vec::new() })
}

fn read_option(words: &[&str]) -> Result<Command, String> {
    const ALLOWED: &str = "allowed: setoption name NAME [value VALUE]";
    let ["name", rest @ ..] = words else {
        return Err(format!("{}; {ALLOWED}", got(words.first())));
    };
    let split = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let (name, value) = rest.split_at(split);
    if name.is_empty() {
        return Err(format!("no name; {ALLOWED}"));
    }
    let value = (!value.is_empty()).then(|| value[1..].join(" "));
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn read_position(words: &[&str]) -> Result<Command, String> {
    const ALLOWED: &str = "allowed: position startpos|fen FEN [moves MOVE ...]; the old one is kept";
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(split);
    let fen = match place {
        ["startpos"] => None,
        ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
        _ => return Err(format!("{}; {ALLOWED}", got(place.first()))),
    };
    Ok(Command::Position { fen, moves: moves.iter().skip(1).map(|&m| m.to_owned()).collect() })
}

/// Words that may stand in `go`; a list of moves ends at the next of them.
const GO_WORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn read_go(words: &[&str]) -> Result<Command, String> {
    let mut go = Go::default();
    let mut clocks = [None::<Clock>; 2];
    let mut moves_to_go = None;
    let mut infinite = false;
    let mut perft = None;
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        let limits = &mut go.limits;
        match *word {
            "infinite" => infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                let end = rest.iter().position(|word| GO_WORDS.contains(word)).unwrap_or(rest.len());
                if end == 0 {
                    return Err("searchmoves: no move follows; nothing is searched".into());
                }
                go.search_moves.extend(rest[..end].iter().map(|&m| m.to_owned()));
                rest = &rest[end..];
            }
            word if GO_WORDS.contains(&word) => {
                let number = rest.first();
                rest = rest.get(1..).unwrap_or_default();
                let count = || read_number(word, number, 1, u64::from(u32::MAX)).map(|number| number as u32);
                let time = |least| {
                    let ms = read_number(word, number, least, u64::MAX)?;
                    Ok::<_, String>(Duration::from_millis(ms.min(LONGEST_MS)))
                };
                let clock = |color: Color, clocks: &mut [Option<Clock>; 2]| {
                    *clocks[color.index()].get_or_insert_default()
                };
                match word {
                    "wtime" | "btime" | "winc" | "binc" => {
                        let color = if word.starts_with('w') { Color::White } else { Color::Black };
                        let mut changed = clock(color, &mut clocks);
                        // A clock may have run out without the game being over.
                        let run_out =
                            number.is_some_and(|number| number.starts_with('-') && is_number(&number[1..]));
                        let time = if run_out && word.ends_with("time") { Duration::ZERO } else { time(0)? };
                        if word.ends_with("time") {
                            changed.remaining = time;
                        } else {
                            changed.increment = time;
                        }
                        clocks[color.index()] = Some(changed);
                    }
                    // Some GUIs say so where no time control follows.
                    "movestogo" if number == Some(&"0") => moves_to_go = None,
                    "movestogo" => moves_to_go = Some(count()?),
                    "depth" => limits.depth = Some(count()?),
                    "nodes" => limits.nodes = Some(read_number(word, number, 1, u64::MAX)?),
                    "mate" => limits.mate = Some(count()?),
                    // None is left to a GUI that takes its own delay off.
                    "movetime" => limits.move_time = Some(time(0)?.max(Duration::from_millis(1))),
                    _ => perft = Some(read_number(word, number, 1, DEEPEST_PERFT)? as u32),
                }
            }
            unknown => {
                return Err(format!(
                    "unknown word '{}'; allowed: {}; nothing is searched",
                    excerpt(unknown),
                    GO_WORDS.join(", ")
                ));
            }
        }
    }
    if let Some(depth) = perft {
        return Ok(Command::Perft(depth));
    }
    if infinite {
        // Said outright: nothing but a `stop` ends it.
        go.limits = Limits { ponder: go.limits.ponder, ..Limits::default() };
        return Ok(Command::Go(go));
    }
    go.limits.clocks = clocks.map(|clock| clock.map(|clock| Clock { moves_to_go, ..clock }));
    Ok(Command::Go(go))
}

/// Plies; nobody has seen the end of half of it.
const DEEPEST_PERFT: u64 = 100;

/// A year and more; longer times are as good as none.
const LONGEST_MS: u64 = 1 << 35;

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_number(word: &str, text: Option<&&str>, min: u64, max: u64) -> Result<u64, String> {
    text.and_then(|text| text.parse().ok()).filter(|number| (min..=max).contains(number)).ok_or_else(|| {
        format!("{word}: {}; allowed: a whole number from {min} to {max}; nothing is searched", got(text))
    })
}

fn got(word: Option<&&str>) -> String {
    word.map_or("nothing follows".into(), |word| format!("got '{}'", excerpt(word)))
}
