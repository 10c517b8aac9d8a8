//! The memory of the transposition table.
//!
//! Almost every look into the table misses all caches, and with pages of 4 KiB the address has to be looked up in
//! memory as well. So the table lies on huge pages where the system has them, and its buckets can be fetched ahead.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

pub const ENTRIES_PER_BUCKET: usize = 4;

/// One cache line.
#[repr(C, align(64))]
pub struct Bucket {
    pub entries: [[AtomicU64; 2]; ENTRIES_PER_BUCKET],
}

/// Buckets that are empty at first.
pub struct Buckets(MmapMut);

impl Buckets {
    /// As many as fit into so many bytes; one at least.
    ///
    /// # Errors
    /// Where the system has no such memory.
    pub fn new(bytes: usize) -> std::io::Result<Self> {
        let memory = MmapMut::map_anon(bytes.max(size_of::<Bucket>()))?;
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("the hash table is not on huge pages: {error}");
        }
        Ok(Buckets(memory))
    }

    /// Has the processor fetch a bucket that will be asked for soon.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint to the processor; nothing is read or written, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const self[index]).cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[Bucket] {
        let count = self.0.len() / size_of::<Bucket>();
        // SAFETY: the map begins at a page, so that it is aligned, lives as long as `self`, holds so many whole
        // buckets and is reached in no other way. Its bytes were 0 at first, and a bucket may be any bytes: it is
        // nothing but atomic integers, which may change behind a shared reference.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), count) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn buckets_are_empty_and_keep_what_they_are_given() {
        let buckets = Buckets::new(1 << 20).unwrap();
        assert_eq!(buckets.len(), (1 << 20) / 64);
        assert_eq!(buckets.as_ptr().align_offset(64), 0);
        let words = || buckets.iter().flat_map(|bucket| bucket.entries.iter().flatten());
        assert!(words().all(|word| word.load(Relaxed) == 0));
        (1..).zip(words()).for_each(|(number, word)| word.store(number, Relaxed));
        buckets.prefetch(buckets.len() - 1);
        assert!((1..).zip(words()).all(|(number, word)| word.load(Relaxed) == number));
        assert_eq!(Buckets::new(0).unwrap().len(), 1);
    }
}
