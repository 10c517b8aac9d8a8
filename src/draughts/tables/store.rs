//! The tables that the engine has at hand: those up to four pieces, which are part of the program, and those of
//! a folder that an option names. One set for the whole program, changed as a whole.

use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use arc_swap::{ArcSwap, Guard};

use super::balance::{Balance, MOST_PIECES};
use super::format::{BLOCK, EXTENSION, FileError, Volume};
use super::index::{Board, Layout};
use super::library::Source;
use super::value::Value;
use crate::draughts::position::Position;

/// All tables up to four pieces, as `alfonso tables pack` writes them.
pub static INSIDE: &[u8] = include_bytes!("four-pieces.endgame");

/// Tables of so many positions are unpacked whole when they are first asked; of larger ones only the
/// blocks that were asked last are kept.
const WHOLE: usize = 1 << 20;
/// How many blocks are kept, 4 KiB each.
const KEPT: usize = 1 << 14;

/// Tables in files, whose values are unpacked when they are asked.
pub struct Tables {
    volumes: Vec<Volume>,
    /// By [`Balance::slot`].
    places: Vec<Option<Place>>,
    most_pieces: u32,
    positions: u64,
    kept: Box<[Mutex<Option<Kept>>]>,
}

/// Where a table is.
struct Place {
    volume: usize,
    part: usize,
    whole: OnceLock<Option<Vec<u8>>>,
}

/// A block unpacked.
struct Kept {
    slot: usize,
    block: usize,
    values: Vec<u8>,
}

impl Tables {
    fn empty() -> Tables {
        Tables {
            volumes: Vec::new(),
            places: std::iter::repeat_with(|| None).take(Balance::SLOTS).collect(),
            most_pieces: 0,
            positions: 0,
            kept: Box::default(),
        }
    }

    /// The tables in the program.
    fn inside() -> Tables {
        let mut tables = Tables::empty();
        match Volume::inside(INSIDE) {
            Ok(volume) => tables.add(volume),
            Err(error) => log::error!("the endgame tables in the program: {error}"),
        }
        tables
    }

    /// Takes up the tables of a file for which there is none yet.
    pub fn add(&mut self, volume: Volume) {
        for (part, stored) in volume.parts().iter().enumerate() {
            let place = &mut self.places[stored.layout.balance().slot()];
            if place.is_some() {
                continue;
            }
            *place = Some(Place { volume: self.volumes.len(), part, whole: OnceLock::new() });
            self.most_pieces = self.most_pieces.max(stored.layout.balance().pieces());
            self.positions += stored.layout.len() as u64;
            if stored.layout.len() > WHOLE && self.kept.is_empty() {
                self.kept = std::iter::repeat_with(|| Mutex::new(None)).take(KEPT).collect();
            }
        }
        self.volumes.push(volume);
    }

    /// The most pieces of any table, and how many positions all tables have.
    pub const fn extent(&self) -> (u32, u64) {
        (self.most_pieces, self.positions)
    }

    /// How the tables number their positions.
    pub fn layouts(&self) -> impl Iterator<Item = &Layout> {
        self.places.iter().flatten().map(|place| &self.volumes[place.volume].parts()[place.part].layout)
    }

    fn byte(&self, board: &Board) -> Option<u8> {
        let slot = board.balance().slot();
        let place = self.places[slot].as_ref()?;
        let volume = &self.volumes[place.volume];
        let part = &volume.parts()[place.part];
        let index = part.layout.index(board);
        if part.layout.len() <= WHOLE {
            let whole = place.whole.get_or_init(|| volume.whole(part).map(|table| table.bytes));
            return whole.as_ref()?.get(index).copied();
        }
        let (block, offset) = (index / BLOCK, index % BLOCK);
        // Neighbouring blocks, and those of the two sides to move, keep out of each other's way.
        let kept = &self.kept[(block ^ slot.wrapping_mul(0x9e37_79b9)) % KEPT];
        let mut kept = kept.lock().ok()?;
        if let Some(kept) = kept.as_ref().filter(|kept| (kept.slot, kept.block) == (slot, block)) {
            return kept.values.get(offset).copied();
        }
        let mut values = kept.take().map(|kept| kept.values).unwrap_or_default();
        volume.block(part, block, &mut values)?;
        let byte = values.get(offset).copied();
        *kept = Some(Kept { slot, block, values });
        byte
    }
}

impl Source for Tables {
    fn quiet_value(&self, board: &Board) -> Option<Value> {
        if !board.balance().is_tabled() {
            return None;
        }
        self.byte(board).and_then(Value::from_byte)
    }
}

static AT_HAND: LazyLock<ArcSwap<Tables>> = LazyLock::new(|| ArcSwap::from_pointee(Tables::inside()));

/// The tables at hand.
pub fn at_hand() -> Guard<Arc<Tables>> {
    AT_HAND.load()
}

/// What [`load`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The most pieces of the tables at hand.
    pub most_pieces: u32,
    /// Positions of all tables at hand.
    pub positions: u64,
    /// The files and folders that cannot be used, and why.
    pub problems: Vec<String>,
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Found { positions, most_pieces, .. } = self;
        write!(f, "endgame tables of draughts: {positions} positions, up to {most_pieces} pieces")
    }
}

/// Has the tables in the program at hand, and those of `folders`: several as the system writes lists of paths, or
/// none. Files that cannot be used are left out.
pub fn load(folders: impl AsRef<OsStr>) -> Found {
    let mut tables = Tables::inside();
    let mut problems = Vec::new();
    for folder in std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()) {
        let (volumes, faults) = open_folder(&folder);
        volumes.into_iter().for_each(|(_, volume)| tables.add(volume));
        problems.extend(faults);
    }
    let (most_pieces, positions) = tables.extent();
    AT_HAND.store(Arc::new(tables));
    Found { most_pieces, positions, problems }
}

/// Opens the files of tables in a folder, in the order of their names; and tells what cannot be used.
pub fn open_folder(folder: &Path) -> (Vec<(PathBuf, Volume)>, Vec<String>) {
    let fault = |path: &Path, error: FileError| format!("{}: {error}", path.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return (Vec::new(), vec![fault(folder, error.into())]),
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    paths.sort();
    let mut volumes = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match Volume::open(&path) {
            Ok(volume) => volumes.push((path, volume)),
            Err(error) => problems.push(fault(&path, error)),
        }
    }
    (volumes, problems)
}

/// What the tables at hand say of a position.
#[inline(always)]
pub fn probe(position: &Position) -> Option<Value> {
    // At most nodes of a search that is all.
    if position.piece_count() > MOST_PIECES { None } else { probe_few(position) }
}

/// The same, where there may be a table.
#[inline(never)]
fn probe_few(position: &Position) -> Option<Value> {
    let tables = at_hand();
    if position.piece_count() > tables.most_pieces { None } else { tables.value(position) }
}
