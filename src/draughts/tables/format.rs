//! Tables on file, compressed in blocks so that one value is read without the others.
//!
//! A file holds any number of tables; all numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 16 | `alfonso endgames` |
//! | 4 | the version of the format, [`VERSION`] |
//! | 4 | CRC-32 of all that follows |
//! | 4 | the number of tables |
//! | 16 each | a table: own men, own kings, enemy men, enemy kings, 4 bytes of 0, where its part begins in the file (8) |
//! | … | the parts |
//!
//! A part: where each of the blocks begins in it (4 bytes each; one more tells the end), then the blocks. A block is [`BLOCK`]
//! values, fewer in the last: one byte where all are that byte, else a stream of raw deflate.
//!
//! A position in which the side to move must take has no value of its own; it is written as the one before
//! it, which compresses best.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use rayon::prelude::*;
use thiserror::Error;

use super::balance::Balance;
use super::index::Layout;
use super::library::Table;
use super::value::Value;

const MAGIC: &[u8; 16] = b"alfonso endgames";
/// Changes with anything that changes the meaning of a file.
pub const VERSION: u32 = 1;
/// Positions in a block.
pub const BLOCK: usize = 4096;
/// How files of tables end.
pub const EXTENSION: &str = "endgame";
/// Deflate's level: slower ones bring next to nothing.
const LEVEL: u8 = 8;

const HEAD: usize = 28;
const ENTRY: usize = 16;

/// Why a file of tables cannot be used.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("no file of endgame tables")]
    Foreign,
    #[error("format {0}, where this program reads {VERSION}")]
    Version(u32),
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

/// Where the bytes of a file are.
enum Bytes {
    Inside(&'static [u8]),
    Mapped(Mmap),
}

/// A file of tables, its checksum proven.
pub struct Volume {
    bytes: Bytes,
    parts: Vec<Part>,
}

/// A table in a file.
#[derive(Debug)]
pub struct Part {
    pub layout: Layout,
    /// Its bytes in the file.
    range: Range<usize>,
}

impl Part {
    /// Blocks of the table.
    pub fn blocks(&self) -> usize {
        self.layout.len().div_ceil(BLOCK)
    }

    /// Values in a block.
    fn block_len(&self, block: usize) -> usize {
        (self.layout.len() - block * BLOCK).min(BLOCK)
    }
}

impl Volume {
    /// Opens a file and proves its checksum, for which all of it is read.
    pub fn open(path: &Path) -> Result<Volume, FileError> {
        let file = File::open(path)?;
        if file.metadata()?.len() < HEAD as u64 {
            return Err(FileError::Foreign);
        }
        // SAFETY: what is in the map are bytes, of which any are sound. Should another program change or cut the file
        // meanwhile, values may be wrong or this program may end; the guide says to leave the files alone.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file)? };
        Volume::new(Bytes::Mapped(map))
    }

    /// A file that is part of the program.
    pub fn inside(bytes: &'static [u8]) -> Result<Volume, FileError> {
        Volume::new(Bytes::Inside(bytes))
    }

    fn new(bytes: Bytes) -> Result<Volume, FileError> {
        let mut volume = Volume { bytes, parts: Vec::new() };
        volume.parts = volume.read_parts()?;
        Ok(volume)
    }

    fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Inside(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }

    fn read_parts(&self) -> Result<Vec<Part>, FileError> {
        let bytes = self.bytes();
        if bytes.len() < HEAD || !bytes.starts_with(MAGIC) {
            return Err(FileError::Foreign);
        }
        let word = |place: usize| read_u32(bytes, place).ok_or(FileError::Damaged("it is too short"));
        let version = word(16)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        if crc32fast::hash(&bytes[24..]) != word(20)? {
            return Err(FileError::Damaged("the checksum is another one"));
        }
        let mut starts = Vec::new();
        let mut layouts = Vec::new();
        for number in 0..word(24)? as usize {
            let place = HEAD + number * ENTRY;
            word(place + ENTRY - 4)?;
            let [own, own_kings, enemy, enemy_kings] = [0, 1, 2, 3].map(|byte| bytes[place + byte]);
            let balance = Balance { men: [own, enemy], kings: [own_kings, enemy_kings] };
            let few = [own, own_kings, enemy, enemy_kings].iter().all(|&count| count < 6);
            if !few || !balance.is_tabled() {
                return Err(FileError::Damaged("a table of no known balance"));
            }
            layouts.push(Layout::new(balance));
            starts.push((u64::from(word(place + 8)?) | u64::from(word(place + 12)?) << 32) as usize);
        }
        starts.push(bytes.len());
        let ranges = starts.windows(2).map(|pair| pair[0]..pair[1]);
        let parts: Vec<_> = ranges.zip(layouts).map(|(range, layout)| Part { layout, range }).collect();
        let holds = |part: &Part| {
            part.range.start <= part.range.end
                && part.range.end <= bytes.len()
                && part.range.len() >= 4 * (part.blocks() + 1)
        };
        if !parts.iter().all(holds) {
            return Err(FileError::Damaged("a table lies outside"));
        }
        Ok(parts)
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The values of one block of a table of this file, [`BLOCK`] at most. `None` where the block is not sound.
    pub fn block(&self, part: &Part, block: usize, values: &mut Vec<u8>) -> Option<()> {
        values.clear();
        values.resize(part.block_len(block), 0);
        self.read_block(part, block, values)
    }

    fn read_block(&self, part: &Part, block: usize, values: &mut [u8]) -> Option<()> {
        let bytes = self.bytes().get(part.range.clone())?;
        let start = read_u32(bytes, 4 * block)? as usize;
        let end = read_u32(bytes, 4 * block + 4)? as usize;
        match bytes.get(start..end)? {
            [byte] => values.fill(*byte),
            stream => {
                let read =
                    decompress_slice_iter_to_slice(values, std::iter::once(stream), false, true).ok()?;
                (read == values.len()).then_some(())?;
            }
        }
        Some(())
    }

    /// A whole table of this file. `None` where a block is not sound.
    pub fn whole(&self, part: &Part) -> Option<Table> {
        let mut bytes = vec![0; part.layout.len()];
        let blocks = bytes.par_chunks_mut(BLOCK).enumerate();
        blocks.map(|(block, values)| self.read_block(part, block, values)).collect::<Option<()>>()?;
        Some(Table { layout: part.layout.clone(), bytes })
    }
}

fn read_u32(bytes: &[u8], place: usize) -> Option<u32> {
    bytes.get(place..place + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// Writes tables to a file, which is there whole or not at all.
pub fn write(path: &Path, tables: &[&Table]) -> io::Result<()> {
    let parts: Vec<_> = tables.iter().map(|table| part(table)).collect();
    let mut head = (tables.len() as u32).to_le_bytes().to_vec();
    let mut start = (HEAD + ENTRY * tables.len()) as u64;
    for (table, part) in tables.iter().zip(&parts) {
        let Balance { men, kings } = table.layout.balance();
        head.extend([men[0], kings[0], men[1], kings[1], 0, 0, 0, 0]);
        head.extend(start.to_le_bytes());
        start += part.len() as u64;
    }
    let mut crc = crc32fast::Hasher::new();
    crc.update(&head);
    parts.iter().for_each(|part| crc.update(part));

    let partial = path.with_extension("partial");
    let mut file = File::create(&partial)?;
    file.write_all(MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    file.write_all(&crc.finalize().to_le_bytes())?;
    file.write_all(&head)?;
    for part in &parts {
        file.write_all(part)?;
    }
    file.sync_all()?;
    fs::rename(&partial, path)
}

/// A table as it stands in a file.
fn part(table: &Table) -> Vec<u8> {
    let blocks: Vec<_> = table
        .bytes
        .par_chunks(BLOCK)
        .enumerate()
        .map(|(block, values)| {
            let values = without_captures(table, block * BLOCK, values);
            if values.iter().all(|&value| value == values[0]) {
                vec![values[0]]
            } else {
                // A stream is never a single byte.
                compress_to_vec(&values, LEVEL)
            }
        })
        .collect();
    let mut end = 4 * (blocks.len() + 1);
    let mut part = (end as u32).to_le_bytes().to_vec();
    for block in &blocks {
        end += block.len();
        part.extend((end as u32).to_le_bytes());
    }
    part.extend(blocks.iter().flatten());
    part
}

/// The values of a block, those of positions with a capture to make replaced.
fn without_captures(table: &Table, first: usize, values: &[u8]) -> Vec<u8> {
    let must_take = |index: usize| table.layout.board(index).position().must_capture();
    let mut last = None;
    let mut kept: Vec<_> = (first..)
        .zip(values)
        .map(|(index, &value)| {
            if !must_take(index) {
                last = Some(value);
            }
            last
        })
        .collect();
    let next = kept.iter().flatten().next().copied();
    kept.iter_mut().map(|value| value.or(next).unwrap_or(Value::DRAW.byte())).collect()
}
