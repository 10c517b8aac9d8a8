//! Positions on file with the results of their games, for fitting evaluations to: lines of text.
//!
//! ```text
//! positions 1 variant=grande-acedrex seed=1 …
//! 1 1-0 +35 FEN
//! 1 1-0 -12 FEN
//! end 1 1-0 after 143 plies, 2 positions: checkmate
//! ```
//!
//! The first line tells the version of the format and what the file was made from, `KEY=VALUE` with no
//! spaces inside. A position's line tells the number of its game, from 1 on, the game's result, the score
//! of a search in centipawns from White's view, and the position. Games stand whole and in the order of
//! their numbers, each closed by its `end`: what comes after the last `end` is half a game that does not
//! count.

use std::fmt::{self, Display};
use std::io::{BufRead, Read};

use thiserror::Error;

use crate::game::{Color, excerpt};

const MAGIC: &str = "positions 1";

/// Bytes of a line, its end included: far more than any game needs, so that no more than this is held of
/// a file of another kind.
const LONGEST_LINE: u64 = 4096;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    WhiteWins,
    Draw,
    BlackWins,
}

impl GameResult {
    const ALL: [GameResult; 3] = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];

    /// The result of a game that this side won, or of a draw.
    pub const fn of(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            None => GameResult::Draw,
            Some(Color::Black) => GameResult::BlackWins,
        }
    }

    /// `1-0`, `1/2-1/2` or `0-1`.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }

    /// White's points: 1, 0.5 or 0.
    pub const fn points(self) -> f32 {
        match self {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
        }
    }

    fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.text() == text)
    }
}

/// What a file was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Names and values, without spaces.
    pub fields: Vec<(String, String)>,
}

impl Header {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn read(line: &str) -> Option<Self> {
        let fields = line.strip_prefix(MAGIC)?.split_whitespace();
        let pair = |field: &str| field.split_once('=').map(|(key, value)| (key.into(), value.into()));
        Some(Header { fields: fields.map(pair).collect::<Option<_>>()? })
    }
}

impl Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(MAGIC)?;
        self.fields.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))?;
        f.write_str("\n")
    }
}

/// A game of such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionsOfGame {
    /// From 1.
    pub number: u64,
    pub result: GameResult,
    /// Why it ended, in words.
    pub reason: String,
    /// How long it was.
    pub plies: usize,
    pub positions: Vec<RecordedPosition>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPosition {
    /// What a search found: centipawns from White's view.
    pub score: i32,
    pub fen: String,
}

impl Display for PositionsOfGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let PositionsOfGame { number, result, reason, plies, positions } = self;
        let result = result.text();
        for RecordedPosition { score, fen } in positions {
            writeln!(f, "{number} {result} {score:+} {fen}")?;
        }
        writeln!(f, "end {number} {result} after {plies} plies, {} positions: {reason}", positions.len())
    }
}

/// A file that could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// `line` counts from 1.
    #[error("line {line}: {problem}: '{}'", excerpt(.text))]
    Line { line: usize, problem: &'static str, text: String },
}

/// Reads a file game by game.
pub struct Reader<R> {
    source: R,
    /// The last line that was read.
    text: String,
    /// Its number, from 1.
    line: usize,
    /// Bytes read.
    offset: u64,
    /// Bytes up to the end of the last whole game.
    whole: u64,
    /// The number of the last whole game.
    games: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// Where it is not there, or of another version of the format.
    pub fn new(source: R) -> Result<(Header, Self), ReadError> {
        let mut reader = Reader { source, text: String::new(), line: 0, offset: 0, whole: 0, games: 0 };
        let begun = reader.next_line()?;
        let header = begun.then(|| Header::read(&reader.text)).flatten();
        let header = header.ok_or_else(|| reader.refused("not a file of positions, version 1"))?;
        reader.whole = reader.offset;
        Ok((header, reader))
    }

    /// The next whole game and the number of its first line; `None` at the end, or where only half a
    /// game is left.
    ///
    /// # Errors
    /// Names the line that does not fit.
    pub fn next_game(&mut self) -> Result<Option<(usize, PositionsOfGame)>, ReadError> {
        let first_line = self.line + 1;
        let number = self.games + 1;
        let mut result = None;
        let mut positions = Vec::new();
        while self.next_line()? {
            let (end, line) = match self.text.strip_prefix("end ") {
                Some(line) => (true, line),
                None => (false, self.text.as_str()),
            };
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default();
            if word().parse() != Ok(number) {
                return Err(self.refused("not the number of the game"));
            }
            let its_result = GameResult::read(word()).ok_or_else(|| self.refused("not a result"))?;
            if *result.get_or_insert(its_result) != its_result {
                return Err(self.refused("another result than before in this game"));
            }
            let rest = word();
            if end {
                let (plies, count, reason) =
                    read_end(rest).ok_or_else(|| self.refused("not the end of a game"))?;
                if count != positions.len() {
                    return Err(self.refused("another number of positions than stand there"));
                }
                let game = PositionsOfGame { number, result: its_result, reason, plies, positions };
                (self.whole, self.games) = (self.offset, number);
                return Ok(Some((first_line, game)));
            }
            let position = read_position(rest).ok_or_else(|| self.refused("not a score and a position"))?;
            positions.push(position);
        }
        Ok(None)
    }

    /// Bytes from the beginning of the file to the end of the last whole game that was read.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// Does something come after the last whole game? Known at the end only.
    pub fn has_half_a_game(&self) -> bool {
        self.offset > self.whole
    }

    /// Whole games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Reads a line; false where no whole one is left.
    fn next_line(&mut self) -> Result<bool, ReadError> {
        self.text.clear();
        self.line += 1;
        let bytes = self.source.by_ref().take(LONGEST_LINE).read_line(&mut self.text)? as u64;
        self.offset += bytes;
        if bytes == LONGEST_LINE && !self.text.ends_with('\n') {
            return Err(self.refused("longer than any line of such a file"));
        }
        Ok(self.text.pop().is_some_and(|last| last == '\n'))
    }

    fn refused(&self, problem: &'static str) -> ReadError {
        ReadError::Line { line: self.line, problem, text: self.text.clone() }
    }
}

fn read_position(text: &str) -> Option<RecordedPosition> {
    let (score, fen) = text.split_once(' ')?;
    let signed = score.starts_with(['+', '-']) && !fen.is_empty();
    Some(RecordedPosition { score: score.parse().ok().filter(|_| signed)?, fen: fen.into() })
}

/// Plies, positions, and why the game ended.
fn read_end(text: &str) -> Option<(usize, usize, String)> {
    let (plies, rest) = text.strip_prefix("after ")?.split_once(" plies, ")?;
    let (positions, reason) = rest.split_once(" positions: ")?;
    Some((plies.parse().ok()?, positions.parse().ok()?, reason.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (Header, Vec<PositionsOfGame>) {
        let field = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let header = Header { fields: vec![field("variant", "chess"), field("seed", "1")] };
        let position = |score, fen: &str| RecordedPosition { score, fen: fen.into() };
        let game = |number, result, positions| PositionsOfGame {
            number,
            result,
            reason: "bare king".into(),
            plies: 90,
            positions,
        };
        let games = vec![
            game(1, GameResult::WhiteWins, vec![position(35, "a w - 1"), position(-12, "b b - 2")]),
            game(2, GameResult::Draw, vec![]),
            game(3, GameResult::BlackWins, vec![position(0, "c w - 3")]),
        ];
        (header, games)
    }

    fn text() -> String {
        let (header, games) = file();
        header.to_string() + &games.iter().map(PositionsOfGame::to_string).collect::<String>()
    }

    fn read(text: &str) -> Result<(Vec<(usize, PositionsOfGame)>, u64), ReadError> {
        let (_, mut reader) = Reader::new(text.as_bytes())?;
        let mut games = Vec::new();
        while let Some(game) = reader.next_game()? {
            games.push(game);
        }
        Ok((games, reader.whole_bytes()))
    }

    #[test]
    fn what_is_written_is_read() {
        let (header, games) = file();
        let text = text();
        assert_eq!(
            text,
            "positions 1 variant=chess seed=1\n1 1-0 +35 a w - 1\n1 1-0 -12 b b - 2\n\
             end 1 1-0 after 90 plies, 2 positions: bare king\n\
             end 2 1/2-1/2 after 90 plies, 0 positions: bare king\n\
             3 0-1 +0 c w - 3\nend 3 0-1 after 90 plies, 1 positions: bare king\n"
        );
        assert_eq!(Reader::new(text.as_bytes()).unwrap().0, header);
        assert_eq!((header.get("seed"), header.get("nodes")), (Some("1"), None));
        let (read, whole) = read(&text).unwrap();
        assert_eq!(read.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 5, 6]);
        assert_eq!(read.into_iter().map(|(_, game)| game).collect::<Vec<_>>(), games);
        assert_eq!(whole, text.len() as u64);
    }

    #[test]
    fn wherever_it_is_torn_the_whole_games_count() {
        let text = text();
        let header = text.find('\n').unwrap() + 1;
        let ends: Vec<usize> = [header]
            .into_iter()
            .chain(text.match_indices("bare king\n").map(|(at, end)| at + end.len()))
            .collect();
        for length in header..=text.len() {
            let (games, whole) = read(&text[..length]).unwrap();
            let whole_games = ends.iter().filter(|&&end| end <= length).count() - 1;
            assert_eq!((games.len(), whole), (whole_games, ends[whole_games] as u64), "{length} bytes");
        }
        assert!(read(&text[..header - 1]).is_err());
    }

    #[test]
    fn damage_is_named_by_its_line() {
        let text = text();
        for (from, to, message) in [
            ("positions 1", "positions 2", "line 1: not a file of positions, version 1: 'positions 2"),
            ("1 1-0 +35", "7 1-0 +35", "line 2: not the number of the game: '7 1-0 +35"),
            ("1 1-0 -12", "1 2-0 -12", "line 3: not a result: '1 2-0 -12"),
            ("1 1-0 -12", "1 0-1 -12", "line 3: another result than before in this game: '1 0-1"),
            ("-12 b", "12 b", "line 3: not a score and a position: '1 1-0 12 b"),
            ("1 1-0 -12 b b - 2\n", "", "line 3: another number of positions than stand there: 'end 1"),
            ("0 positions: ", "0 ", "line 5: not the end of a game: 'end 2"),
        ] {
            let damaged = text.replacen(from, to, 1);
            assert_ne!(damaged, text);
            let error = read(&damaged).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn no_line_is_read_without_bound() {
        let longest = LONGEST_LINE as usize;
        // Endless: it would never come back.
        let error = Reader::new(std::io::BufReader::new(std::io::repeat(b'a'))).err().unwrap().to_string();
        assert!(error.starts_with("line 1: longer than any line of such a file: 'aaa"), "{error}");
        let line = |bytes: usize| text().replacen("+35 a", &format!("+35 {}", "a".repeat(bytes - 17)), 1);
        assert_eq!(line(longest).lines().nth(1).unwrap().len() + 1, longest);
        assert_eq!(read(&line(longest)).unwrap().0.len(), 3);
        let error = read(&line(longest + 1)).unwrap_err().to_string();
        assert!(error.starts_with("line 2: longer than any line"), "{error}");
    }
}
