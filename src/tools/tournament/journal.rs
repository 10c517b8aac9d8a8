//! What a match leaves behind: a file of JSON lines and a file of games, both appended game by game.
//!
//! The JSON lines are `{"match": …}` with all that decides how games go, one `{"game": …}` for each
//! game, and `{"summary": …}` at the end of each run. Only they count: a game is written to the file
//! of games first, then its line, which tells how long that file is by then. So however a match is
//! killed, what lies behind the last whole line of the one and that length of the other is half a
//! game that did not count, and is cut off when the match goes on.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::summary::Summary;

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Match(Header),
    Game(Box<GameLine>),
    /// Written for others; a match that goes on computes its own.
    Summary(serde_json::Value),
}

/// All that decides how the games of a match go. A match goes on only under the same header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub program: String,
    pub variant: String,
    /// The draw rules.
    pub rules: String,
    pub players: Vec<PlayerLine>,
    pub format: String,
    /// Fingerprint of the openings and their order.
    pub openings: String,
    pub seed: u64,
    pub adjudication: String,
    pub void_illegal: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerLine {
    pub name: String,
    pub command: String,
    pub protocol: String,
    pub control: String,
    pub options: Vec<String>,
}

/// A game of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    pub white: String,
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2`; `*`: void.
    pub result: String,
    /// Why the game ended.
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Who made the mistake that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub culprit: Option<String>,
    pub pairing: usize,
    pub round: u32,
    pub attempt: u32,
    pub leg: usize,
    /// Number of the opening in its file, from 1.
    pub opening: usize,
    pub plies: usize,
    /// The culprit's last words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<String>,
    /// Bytes in the file of games when this one had been written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_file_length: Option<u64>,
}

/// The files of a match. Either may be left out.
#[derive(Default)]
pub struct Journal {
    lines: Option<File>,
    games: Option<File>,
}

/// Where a match writes, and whether it goes on.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub lines: Option<PathBuf>,
    pub games: Option<PathBuf>,
    pub resume: bool,
}

impl Journal {
    /// Opens the files. Gives the games that were played before, where the match goes on.
    ///
    /// # Errors
    /// Where a file cannot be opened, holds something already although no match is to go on, or is
    /// of another match.
    pub fn open(places: &Places, header: &Header) -> anyhow::Result<(Self, Vec<GameLine>)> {
        let mut journal = Journal::default();
        let mut played = Vec::new();
        if let Some(path) = &places.lines {
            let mut file = open(path, places)?;
            played = take_up(&mut file, header).with_context(|| path.display().to_string())?;
            journal.lines = Some(file);
        }
        if let Some(path) = &places.games {
            let mut file = open(path, places)?;
            if let Some(length) = played.iter().filter_map(|game| game.games_file_length).max() {
                ensure!(
                    file.metadata()?.len() >= length,
                    "{}: games are missing that --json tells of",
                    path.display()
                );
                file.set_len(length)?;
            }
            file.seek(SeekFrom::End(0))?;
            journal.games = Some(file);
        }
        Ok((journal, played))
    }

    /// Appends a game: its record and its line.
    ///
    /// # Errors
    /// Where a file cannot be written: then no further game would count.
    pub fn add(&mut self, mut game: GameLine, record: &str) -> anyhow::Result<()> {
        if let Some(file) = &mut self.games {
            file.write_all(record.as_bytes()).context("the file of games")?;
            game.games_file_length = Some(file.stream_position()?);
        }
        append(self.lines.as_mut(), &Line::Game(Box::new(game)))
    }

    /// Appends the summary.
    ///
    /// # Errors
    /// As [`Journal::add`].
    pub fn conclude(&mut self, summary: &Summary) -> anyhow::Result<()> {
        append(self.lines.as_mut(), &Line::Summary(serde_json::to_value(summary)?))
    }
}

fn append(file: Option<&mut File>, line: &Line) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    // In one piece, so that a kill leaves a whole line or a part of the last one.
    file.write_all(text.as_bytes()).context("the JSON file")
}

fn open(path: &Path, places: &Places) -> anyhow::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| path.display().to_string())?;
    let name = path.display();
    let way_on = match places.lines {
        Some(_) => "--resume goes on with its match",
        None => "a match can be gone on with only if it was played with --json",
    };
    ensure!(
        places.resume || file.metadata()?.len() == 0,
        "{name} holds something already; {way_on}, another name begins a new file"
    );
    Ok(file)
}

/// Reads the journal of a match that goes on, cuts off what was half written, and leaves the file at
/// its end. An empty one is begun.
fn take_up(file: &mut File, header: &Header) -> anyhow::Result<Vec<GameLine>> {
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::Start(whole as u64))?;
    let mut games = Vec::new();
    let mut begun = false;
    for (index, line) in text[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(line).with_context(|| format!("line {}", index + 1))? {
            Line::Match(before) => {
                compare(&before, header)?;
                begun = true;
            }
            Line::Game(game) => games.push(*game),
            Line::Summary(_) => {}
        }
    }
    if !begun {
        ensure!(games.is_empty(), "the line that describes the match is missing");
        append(Some(file), &Line::Match(header.clone()))?;
    }
    Ok(games)
}

/// # Errors
/// Names what differs.
fn compare(before: &Header, now: &Header) -> anyhow::Result<()> {
    match difference(&serde_json::to_value(before)?, &serde_json::to_value(now)?) {
        None => Ok(()),
        Some((name, was, is)) => bail!("this is another match:{name} was {was} and is {is} now"),
    }
}

/// The first thing that differs: where it is (each name after a blank, places counted from 1), what it was and what
/// it is.
fn difference(before: &Value, now: &Value) -> Option<(String, Value, Value)> {
    let within = |name: String, before: &Value, now: &Value| {
        difference(before, now).map(|(rest, was, is)| (format!(" {name}{rest}"), was, is))
    };
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => before
            .iter()
            .find_map(|(name, value)| within(name.clone(), value, now.get(name).unwrap_or(&Value::Null))),
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => (1..)
            .zip(before.iter().zip(now))
            .find_map(|(place, (before, now))| within(place.to_string(), before, now)),
        _ => (before != now).then(|| (String::new(), before.clone(), now.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            program: "alfonso".into(),
            variant: "grande-acedrex".into(),
            rules: "club".into(),
            players: vec![],
            format: "round-robin".into(),
            openings: "abc".into(),
            seed: 1,
            adjudication: "none".into(),
            void_illegal: false,
        }
    }

    fn game(round: u32) -> GameLine {
        GameLine {
            white: "one".into(),
            black: "two".into(),
            result: "1-0".into(),
            reason: "checkmate".into(),
            detail: None,
            culprit: None,
            pairing: 0,
            round,
            attempt: 0,
            leg: 0,
            opening: 1,
            plies: 30,
            dialogue: vec![],
            games_file_length: None,
        }
    }

    #[test]
    fn what_was_half_written_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places {
            lines: Some(folder.path().join("m.jsonl")),
            games: Some(folder.path().join("m.pgn")),
            resume: false,
        };
        let (mut journal, played) = Journal::open(&places, &header()).unwrap();
        assert!(played.is_empty());
        journal.add(game(0), "first game\n").unwrap();
        journal.add(game(1), "second game\n").unwrap();
        drop(journal);
        let append = |path: &Option<PathBuf>, text: &[u8]| {
            let mut file = OpenOptions::new().append(true).open(path.as_ref().unwrap()).unwrap();
            file.write_all(text).unwrap();
        };
        append(&places.games, b"third ga");
        append(&places.lines, b"{\"game\":{\"wh");

        let refused = |places: &Places| Journal::open(places, &header()).err().unwrap().to_string();
        assert!(refused(&places).contains("--resume goes on"), "not without --resume");
        let games_alone = Places { lines: None, ..places.clone() };
        assert!(refused(&games_alone).contains("only if it was played with --json"));
        let places = Places { resume: true, ..places };
        let (mut journal, played) = Journal::open(&places, &header()).unwrap();
        assert_eq!(played.iter().map(|game| game.round).collect::<Vec<_>>(), [0, 1]);
        journal.add(game(2), "third game\n").unwrap();
        drop(journal);
        let games = std::fs::read_to_string(places.games.as_ref().unwrap()).unwrap();
        assert_eq!(games, "first game\nsecond game\nthird game\n");
        let (_, played) = Journal::open(&places, &header()).unwrap();
        assert_eq!(played.len(), 3);

        let other = Header { seed: 2, ..header() };
        let error = Journal::open(&places, &other).err().unwrap();
        assert!(format!("{error:#}").ends_with("seed was 1 and is 2 now"), "{error:#}");

        let of =
            |depth| serde_json::json!({ "players": [{ "name": "one" }, { "name": "two", "depth": depth }] });
        let (name, was, is) = difference(&of(3), &of(4)).unwrap();
        assert_eq!((name.as_str(), was, is), (" players 2 depth", 3.into(), 4.into()));
    }

    #[test]
    fn resuming_nothing_begins() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { lines: Some(folder.path().join("m.jsonl")), games: None, resume: true };
        for round in 0..3 {
            let (mut journal, played) = Journal::open(&places, &header()).unwrap();
            assert_eq!(played.len(), round as usize);
            journal.add(game(round), "").unwrap();
        }
    }
}
