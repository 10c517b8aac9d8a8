//! The file of positions as it grows: by whole games.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::records::positions::{Header, PositionsOfGame, Reader};

/// The file, open at its end.
pub struct Store {
    file: File,
    games: u64,
    positions: u64,
}

impl Store {
    /// Begins a file, or takes one up: what comes after its last whole game is cut off.
    ///
    /// # Errors
    /// Where the file cannot be opened, is a pipe or the like, holds something although it is not to be taken
    /// up, was made from other arguments, or is damaged.
    pub fn open(path: &Path, header: &Header, resume: bool) -> anyhow::Result<Self> {
        let open = || {
            refuse_other_than_files(path)?;
            Self::open_file(path, header, resume)
        };
        open().with_context(|| path.display().to_string())
    }

    fn open_file(path: &Path, header: &Header, resume: bool) -> anyhow::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        ensure!(
            resume || length == 0,
            "it holds something already; --resume goes on with it, another name begins a new one"
        );
        let mut store = Store { file, games: 0, positions: 0 };
        let header_text = header.to_string();
        if length < header_text.len() as u64 {
            // Killed before the first line was whole, if it is ours at all.
            let mut begun = Vec::new();
            (&store.file).take(length).read_to_end(&mut begun)?;
            ensure!(
                header_text.as_bytes().starts_with(&begun),
                "not a file of positions made from these arguments"
            );
            store.file.rewind()?;
            store.file.write_all(header_text.as_bytes())?;
        } else {
            let whole = store.take_up(header)?;
            if whole < length {
                log::warn!("{}: dropped half a game at the end, {} bytes", path.display(), length - whole);
            }
            store.file.set_len(whole)?;
            store.file.seek(SeekFrom::Start(whole))?;
        }
        Ok(store)
    }

    /// Reads what is there; gives the bytes of the whole games.
    fn take_up(&mut self, header: &Header) -> anyhow::Result<u64> {
        let (before, mut reader) = Reader::new(BufReader::new(&self.file))?;
        for (key, value) in &before.fields {
            let now = header.get(key).unwrap_or("nothing");
            ensure!(value == now, "it was made from other arguments: {key} was {value} and is {now} now");
        }
        ensure!(before == *header, "it was made from other arguments");
        while let Some((_, game)) = reader.next_game()? {
            self.positions += game.positions.len() as u64;
        }
        self.games = reader.games();
        Ok(reader.whole_bytes())
    }

    /// Appends the next game.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn add(&mut self, game: &PositionsOfGame) -> anyhow::Result<()> {
        // In one piece, so that a kill leaves whole games and a part of the last one.
        self.file.write_all(game.to_string().as_bytes()).context("the file of positions")?;
        self.games = game.number;
        self.positions += game.positions.len() as u64;
        Ok(())
    }

    /// Whole games in the file; the number of the last one.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Positions in the file.
    pub fn positions(&self) -> u64 {
        self.positions
    }
}

/// Only a file can be read again and cut off. Of the rest, opening or reading a pipe may wait for ever, and
/// a device may never end.
fn refuse_other_than_files(path: &Path) -> anyhow::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            bail!("it is {}; allowed: a new name or an ordinary file", kind(found.file_type()))
        }
        // Where there is nothing yet, or it is not to be seen, opening it tells.
        _ => Ok(()),
    }
}

/// What it is, in words.
fn kind(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        } else if found.is_socket() {
            return "a socket";
        } else if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
    }
    if found.is_dir() { "a folder" } else { "no ordinary file" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::positions::{GameResult, RecordedPosition};

    fn header(seed: u32) -> Header {
        Header { fields: vec![("variant".into(), "chess".into()), ("seed".into(), seed.to_string())] }
    }

    fn game(number: u64) -> PositionsOfGame {
        PositionsOfGame {
            number,
            result: GameResult::Draw,
            reason: "repetition".into(),
            plies: 30,
            positions: vec![RecordedPosition { score: 20, fen: "a w 1".into() }; number as usize],
        }
    }

    #[test]
    fn wherever_it_was_killed_the_file_comes_out_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions");
        let mut store = Store::open(&path, &header(1), false).unwrap();
        (1..=3).for_each(|number| store.add(&game(number)).unwrap());
        assert_eq!((store.games(), store.positions()), (3, 6));
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut store = Store::open(&path, &header(1), true).unwrap();
            (store.games() + 1..=3).for_each(|number| store.add(&game(number)).unwrap());
            assert_eq!(store.positions(), 6);
            assert_eq!(fs::read(&path).unwrap(), whole, "killed after {length} bytes");
        }
    }

    #[test]
    fn no_other_file_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions");
        let mut store = Store::open(&path, &header(1), false).unwrap();
        store.add(&game(1)).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        let refused =
            |seed, resume| format!("{:#}", Store::open(&path, &header(seed), resume).err().unwrap());
        assert!(refused(1, false).ends_with("another name begins a new one"));
        assert!(refused(2, true).ends_with("seed was 1 and is 2 now"));
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        for damaged in [
            b"diary".to_vec(),
            b"diary\n".repeat(9),
            b"\xFF".to_vec(),
            b"\xFF".repeat(99),
            whole.replace("+20", "20").into(),
        ] {
            fs::write(&path, &damaged).unwrap();
            refused(1, true);
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }
}
