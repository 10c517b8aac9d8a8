//! The transposition table: what earlier searches found, shared by all threads without a lock.
//!
//! An entry is two 64-bit words: its data, and its key XORed with the data. A reader that meets
//! one word of one writer and one of another gets a key that does not match, and drops the entry.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use thiserror::Error;

use super::buckets::{Bucket, Buckets, ENTRIES_PER_BUCKET};
use super::score::is_decided;
use super::threads::Threads;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// What a `score` says that was found within the window from `alpha` to `beta`.
    pub fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// [`crate::game::Position::name`] of the best move, 0 for none.
    pub best: u16,
    /// Centipawns, side to move; a mate or a known win counts from this position.
    pub score: i32,
    /// Static evaluation in centipawns, side to move; [`NO_EVALUATION`] where none was made.
    pub evaluation: i32,
    /// Depth in plies that the score rests on; 0 is quiescence.
    pub depth: u8,
    pub bound: Bound,
    /// Has the position been on a principal variation?
    pub pv: bool,
}

impl Entry {
    /// The static evaluation, where one was made.
    pub fn known_evaluation(&self) -> Option<i32> {
        (self.evaluation != NO_EVALUATION).then_some(self.evaluation)
    }
}

/// Stands for an evaluation that was not made (in check, say).
pub const NO_EVALUATION: i32 = i16::MIN as i32;

/// The generation counts to 31 and begins again.
const GENERATIONS: u8 = 1 << 5;

/// No table of that size can be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {wanted} MiB; about {available} MiB are free")]
pub struct NoMemory {
    /// MiB.
    pub wanted: usize,
    /// MiB.
    pub available: u64,
}

/// The table.
pub struct Table {
    buckets: Buckets,
    generation: AtomicU8,
}

const MIB: usize = 1 << 20;

impl Table {
    /// An empty table of at most `mib` MiB. `reclaimed` MiB are about to be given back by the caller
    /// and count as free.
    ///
    /// The memory is only asked for here; the system hands it out as it is touched.
    pub fn new(mib: usize, reclaimed: usize) -> Result<Self, NoMemory> {
        let available = (free_memory() / MIB as u64).saturating_add(reclaimed as u64);
        let no_memory = NoMemory { wanted: mib, available };
        if mib as u64 > available {
            return Err(no_memory);
        }
        let bytes = mib.checked_mul(MIB).ok_or(no_memory.clone())?;
        let buckets = Buckets::new(bytes).map_err(|_| no_memory)?;
        Ok(Table { buckets, generation: AtomicU8::new(0) })
    }

    /// Size in MiB.
    pub fn mib(&self) -> usize {
        size_of_val(&*self.buckets) / MIB
    }

    /// Forgets everything, with all threads, and what the threads have learnt.
    pub fn clear(&self, threads: &Threads) {
        threads.forget();
        let share = self.buckets.len().div_ceil(threads.count()).max(1);
        threads.broadcast(|index| {
            for bucket in self.buckets.chunks(share).nth(index).unwrap_or_default() {
                for [check, data] in &bucket.entries {
                    check.store(0, Relaxed);
                    data.store(0, Relaxed);
                }
            }
        });
        self.generation.store(0, Relaxed);
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub fn begin_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// What is known of the position with `key`, `ply` plies from the root.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).entries.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key).then(|| Packed(data).unpack(ply)).flatten()
        })
    }

    /// Stores what was found of the position with `key`, `ply` plies from the root.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut slot = &bucket.entries[0];
        let mut least = i32::MAX;
        let mut entry = entry;
        for candidate in &bucket.entries {
            let data = candidate[1].load(Relaxed);
            let old = Packed(data);
            if candidate[0].load(Relaxed) ^ data == key && data != 0 {
                // The same position: keep its move where the new search has none, and a deeper
                // result of this search where the new one is only a bound.
                if entry.best == 0 {
                    entry.best = old.best();
                }
                let deeper = old.generation() == generation && old.depth() > entry.depth.saturating_add(3);
                if deeper && entry.bound != Bound::Exact {
                    return;
                }
                slot = candidate;
                break;
            }
            let age = (generation + GENERATIONS - old.generation()) % GENERATIONS;
            let worth = if data == 0 { i32::MIN } else { i32::from(old.depth()) - 8 * i32::from(age) };
            if worth < least {
                (least, slot) = (worth, candidate);
            }
        }
        let data = Packed::new(entry, ply, generation).0;
        slot[0].store(key ^ data, Relaxed);
        slot[1].store(data, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn per_mille_full(&self) -> u16 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(1000 / ENTRIES_PER_BUCKET)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.entries)
            .filter(|[_, data]| {
                let data = data.load(Relaxed);
                data != 0 && Packed(data).generation() == generation
            })
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_BUCKET)) as u16
    }

    /// Has what is known of the position with `key` fetched from memory, to be asked for soon.
    pub fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.index(key));
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    fn index(&self, key: u64) -> usize {
        // The high half of the product spreads keys evenly over any number of buckets.
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// Bytes that can be had without driving the machine into swap; a guess upwards where the system
/// does not tell, since the allocator has the last word.
fn free_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let machine = system.available_memory();
    // A container may have less than the machine. What it keeps of files can be dropped, so only
    // the memory of its processes counts as used.
    let container = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    container.map_or(machine, |container| container.min(machine))
}

/// An entry's data word, from the low end: best 16, score 16, evaluation 16, depth 8, bound 2,
/// pv 1, generation 5 bits. A stored bound is never 0, so no entry is 0.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, ply: usize, generation: u8) -> Self {
        let half = |score: i32| u64::from(score as i16 as u16);
        Packed(
            u64::from(entry.best)
                | half(score_from_root(entry.score, ply)) << 16
                | half(entry.evaluation) << 32
                | u64::from(entry.depth) << 48
                | (entry.bound as u64) << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn unpack(self, ply: usize) -> Option<Entry> {
        let half = |shift: u32| i32::from((self.0 >> shift) as u16 as i16);
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: self.best(),
            score: score_to_root(half(16), ply),
            evaluation: half(32),
            depth: self.depth(),
            bound,
            pv: self.0 >> 58 & 1 != 0,
        })
    }

    fn best(self) -> u16 {
        self.0 as u16
    }

    fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

/// Mates are counted from the root in the search and from the position in the table.
fn score_from_root(score: i32, ply: usize) -> i32 {
    if is_decided(score) { score + score.signum() * ply as i32 } else { score }
}

fn score_to_root(score: i32, ply: usize) -> i32 {
    if is_decided(score) { score - score.signum() * ply as i32 } else { score }
}

#[cfg(test)]
mod tests {
    use super::super::score::{lost_at, won_at};
    use super::*;

    fn entry(best: u16, score: i32, depth: u8) -> Entry {
        Entry { best, score, evaluation: -123, depth, bound: Bound::Exact, pv: depth > 4 }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1, 0).unwrap();
        assert_eq!(table.mib(), 1);
        assert_eq!(table.probe(0, 0), None);
        for key in [0, 1, 0xDEAD_BEEF_0123_4567, u64::MAX] {
            let stored = entry(77, -250, 9);
            table.store(key, 3, stored);
            assert_eq!(table.probe(key, 5), Some(stored));
        }
    }

    #[test]
    fn mates_count_from_the_position() {
        let table = Table::new(1, 0).unwrap();
        table.store(5, 4, entry(1, won_at(9), 1));
        assert_eq!(table.probe(5, 6).unwrap().score, won_at(11));
        table.store(5, 4, entry(1, lost_at(10), 1));
        assert_eq!(table.probe(5, 0).unwrap().score, lost_at(6));
    }

    #[test]
    fn a_torn_entry_is_dropped() {
        let table = Table::new(1, 0).unwrap();
        table.store(99, 0, entry(1, 10, 4));
        // Another thread has got as far as the second word of another entry.
        let torn = table.bucket(99).entries.iter().find(|[_, data]| data.load(Relaxed) != 0).unwrap();
        torn[1].store(Packed::new(entry(2, 20, 7), 0, 0).0, Relaxed);
        assert_eq!(table.probe(99, 0), None);
    }

    #[test]
    fn clearing_reaches_every_bucket() {
        for count in [1, 3] {
            let threads = Threads::new(count).unwrap();
            let table = Table::new(1, 0).unwrap();
            let keys = || (0..100_000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            keys().for_each(|key| table.store(key, 0, entry(1, 0, 1)));
            assert!(table.per_mille_full() > 900);
            table.clear(&threads);
            assert!(keys().all(|key| table.probe(key, 0).is_none()));
        }
    }

    #[test]
    fn a_table_beyond_memory_is_refused() {
        let error = Table::new(1 << 20, 0).err().expect("a TiB is not free on any test machine");
        assert_eq!(error.wanted, 1 << 20);
        assert!(Table::new(usize::MAX, 0).is_err());
    }
}
