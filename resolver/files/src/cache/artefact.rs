//! Facts as a file to hand on: what another machine read, for whoever chooses to believe it.
//!
//! ```text
//! magic 8, fingerprint 32, BLAKE3 of the rest 32, a pack without stamps
//! ```
//! The checksum tells a damaged file from a whole one and vouches for nobody; who wants to know where a
//! file comes from compares the digest of all of it, which whoever made it has said elsewhere.

use std::collections::HashMap;
use std::time::SystemTime;

use super::pack::{self, Kept, Pack};
use super::place::Loaded;
use super::{FactsCache, MAX_CACHE_BYTES, NewFacts, StatRow};
use crate::digest::{Digest, hash_bytes};

const MAGIC: &[u8; 8] = b"SFFACT01";
const HEADER: usize = 8 + 32 + 32;

/// What an import brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// Contents whose facts were not known here.
    pub new: usize,
    /// Contents in the file.
    pub all: usize,
    pub bytes: u64,
}

/// Why a file of facts was not taken over; nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotImported {
    /// No file of facts, cut short, or altered.
    Damaged(&'static str),
    /// Made by another build of the extractors or their grammars.
    Foreign,
    TooLarge,
    Busy,
    Unavailable(String),
}

/// A file of facts. The same facts give the same bytes.
pub fn artefact(fingerprint: &Digest, facts: &[NewFacts<'_>]) -> Vec<u8> {
    let kept = facts.iter().map(|f| {
        let kept = Kept {
            generation: 1,
            imported: true,
            bytes: f.bytes,
        };
        ((f.digest, f.lang), kept)
    });
    let pack = pack::build(1, kept.collect(), &[], MAX_CACHE_BYTES);
    let mut out = Vec::with_capacity(HEADER + pack.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(fingerprint.as_bytes());
    out.extend_from_slice(hash_bytes(&pack).as_bytes());
    out.extend_from_slice(&pack);
    out
}

impl FactsCache {
    /// Takes over the facts of a file beside what is kept, marked as imported. `holds` says whether bytes are
    /// facts of a language; a file with one entry that is none is refused as a whole. What was read here
    /// stands: an import replaces nothing.
    pub fn import(
        &self,
        file: &[u8],
        fingerprint: &Digest,
        holds: &dyn Fn(u8, &[u8]) -> bool,
    ) -> Result<Imported, NotImported> {
        use NotImported::{Busy, Damaged, Foreign, TooLarge, Unavailable};
        if file.len() as u64 > MAX_CACHE_BYTES {
            return Err(TooLarge);
        }
        let (head, body) = file
            .split_at_checked(HEADER)
            .ok_or(Damaged("it is too short"))?;
        if &head[..8] != MAGIC {
            return Err(Damaged("it does not begin as one"));
        }
        if &head[8..40] != fingerprint.as_bytes() {
            return Err(Foreign);
        }
        if &head[40..] != hash_bytes(body).as_bytes() {
            return Err(Damaged("its checksum is another"));
        }
        let brought = Pack::open(body.to_vec()).ok_or(Damaged("its tables do not hold"))?;
        let all = brought.len();
        if !(0..all).all(|n| holds(brought.key(n).1, brought.bytes(n))) {
            return Err(Damaged("an entry of it is no facts"));
        }
        let unavailable = || Unavailable("this machine offers no cache folder".to_owned());
        let place = self.place.as_ref().ok_or_else(unavailable)?;
        let lock = place.lock().map_err(|e| Unavailable(e.to_string()))?;
        let lock = lock.ok_or(Busy)?;
        let (on_disk, checksum) = match place.load() {
            Some(Loaded { pack, checksum }) => (pack, Some(checksum)),
            None => (Pack::default(), None),
        };
        let generation = on_disk.generation().saturating_add(1);
        let mut kept: HashMap<(Digest, u8), Kept<'_>> = HashMap::new();
        for n in 0..all {
            let entry = Kept {
                generation,
                imported: true,
                ..brought.kept(n)
            };
            kept.insert(brought.key(n), entry);
        }
        let before = on_disk.len();
        for n in 0..before {
            kept.insert(on_disk.key(n), on_disk.kept(n));
        }
        let stats = on_disk.stats();
        let stats: Vec<&StatRow> = stats.iter().collect();
        let packed = pack::build(generation, kept, &stats, MAX_CACHE_BYTES);
        let entries = pack::entry_count(&packed);
        place
            .store(&packed, checksum)
            .map_err(|e| Unavailable(e.to_string()))?;
        place.sweep(SystemTime::now());
        drop(lock);
        Ok(Imported {
            new: entries.saturating_sub(before),
            all,
            bytes: packed.len() as u64,
        })
    }
}
