//! The tables of a folder or of the program, taken into memory when they are needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::draughts::tables::format::{EXTENSION, Volume};
use crate::draughts::tables::library::Table;
use crate::draughts::tables::{Balance, Library, store};

/// The tables.
pub struct Shelf {
    folder: PathBuf,
    /// By named balance.
    volumes: BTreeMap<Balance, (PathBuf, usize)>,
    opened: Vec<Volume>,
    pub library: Library,
}

impl Shelf {
    /// The tables in the program.
    pub fn inside() -> anyhow::Result<Shelf> {
        let mut shelf = Shelf::empty(Path::new("the program"));
        shelf.put(PathBuf::from("the program"), Volume::inside(store::INSIDE)?);
        Ok(shelf)
    }

    fn empty(folder: &Path) -> Shelf {
        Shelf {
            folder: folder.into(),
            volumes: BTreeMap::new(),
            opened: Vec::new(),
            library: Library::default(),
        }
    }

    /// The sound tables of a folder; and what cannot be used.
    pub fn open(folder: &Path) -> (Shelf, Vec<String>) {
        let (volumes, problems) = store::open_folder(folder);
        let mut shelf = Shelf::empty(folder);
        volumes.into_iter().for_each(|(path, volume)| shelf.put(path, volume));
        (shelf, problems)
    }

    /// Of the program where no folder is given. Tells on stderr what cannot be used.
    pub fn of(folder: Option<&Path>) -> anyhow::Result<Shelf> {
        let Some(folder) = folder else { return Shelf::inside() };
        let (shelf, problems) = Shelf::open(folder);
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        Ok(shelf)
    }

    fn put(&mut self, path: PathBuf, volume: Volume) {
        let number = self.opened.len();
        for balance in volume.parts().iter().map(|part| part.layout.balance().named()) {
            self.volumes.entry(balance).or_insert((path.clone(), number));
        }
        self.opened.push(volume);
    }

    /// Where the tables of a named balance are or belong.
    pub fn path(&self, balance: Balance) -> PathBuf {
        self.folder.join(format!("{balance}.{EXTENSION}"))
    }

    /// Takes up a file that was just written.
    pub fn take_up(&mut self, balance: Balance) -> anyhow::Result<()> {
        let path = self.path(balance);
        let volume = Volume::open(&path).with_context(|| path.display().to_string())?;
        self.put(path, volume);
        Ok(())
    }

    pub fn has(&self, balance: Balance) -> bool {
        self.volumes.contains_key(&balance)
    }

    /// Bytes that the tables of a named balance take up in their file, if that has no others.
    pub fn size(&self, balance: Balance) -> Option<usize> {
        let (_, number) = self.volumes.get(&balance)?;
        let volume = &self.opened[*number];
        volume.parts().iter().all(|part| part.layout.balance().named() == balance).then(|| volume.size())
    }

    /// Has both tables of a named balance in memory.
    pub fn need(&mut self, balance: Balance) -> anyhow::Result<()> {
        if self.library.get(balance).is_some() {
            return Ok(());
        }
        let missing = || anyhow!("there is no table of {balance} in {}", self.folder.display());
        let (path, number) = self.volumes.get(&balance).ok_or_else(missing)?;
        let volume = &self.opened[*number];
        let parts = volume.parts().iter().filter(|part| part.layout.balance().named() == balance);
        let tables: Option<Vec<Table>> = parts.map(|part| volume.whole(part)).collect();
        let damaged = || anyhow!("{}: a block of {balance} is not sound", path.display());
        tables.ok_or_else(damaged)?.into_iter().for_each(|table| self.library.add(table));
        if self.library.get(balance.turned()).is_none() {
            return Err(anyhow!("{} holds {balance} for one side to move only", path.display()));
        }
        Ok(())
    }

    /// A balance without tables, if play from the positions of a named balance leads to one.
    pub fn lacks(&self, balance: Balance) -> Option<Balance> {
        let mut seen = BTreeSet::from([balance]);
        let mut open = vec![balance];
        while let Some(balance) = open.pop() {
            if !self.has(balance) {
                return Some(balance);
            }
            open.extend(crowned(balance).chain(captured(balance)).filter(|&next| seen.insert(next)));
        }
        None
    }

    /// Has in memory what the positions of a named balance lead to: fewer pieces, or a man less. Forgets of its
    /// equals what is not needed any more in the order of [`Balance::all`].
    pub fn need_for(&mut self, balance: Balance) -> anyhow::Result<()> {
        let equals = Balance::all(balance.pieces());
        for old in equals.iter().filter(|old| old.all_men() + 1 < balance.all_men()) {
            self.library.remove(*old);
        }
        for fewer in 2..balance.pieces() {
            Balance::all(fewer).into_iter().try_for_each(|balance| self.need(balance))?;
        }
        crowned(balance).try_for_each(|balance| self.need(balance))
    }
}

/// The named balances to which a crowning leads.
fn crowned(balance: Balance) -> impl Iterator<Item = Balance> {
    (0..2).filter(move |&side| balance.men[side] > 0).map(move |side| {
        let mut crowned = balance;
        crowned.men[side] -= 1;
        crowned.kings[side] += 1;
        crowned.named()
    })
}

/// The named balances that are left when one side loses pieces, but not all.
fn captured(balance: Balance) -> impl Iterator<Item = Balance> {
    (0..2).flat_map(move |side| {
        let (men, kings) = (balance.men[side], balance.kings[side]);
        let left = (0..=men).flat_map(move |men| (0..=kings).map(move |kings| (men, kings)));
        left.filter(move |&left| left != (0, 0) && left != (men, kings)).map(move |(men, kings)| {
            let mut captured = balance;
            (captured.men[side], captured.kings[side]) = (men, kings);
            captured.named()
        })
    })
}
