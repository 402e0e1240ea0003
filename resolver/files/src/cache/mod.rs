//! Facts kept between runs: one packed file per root, believed only when its checksum holds.
//!
//! A cache is never a source of errors. Whatever is wrong with it (missing, cut short, altered, of
//! another version, locked, no disk) it is empty, and the files are read and parsed as the first time.

mod artefact;
mod pack;
mod place;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use crate::digest::Digest;
use crate::path::RelPath;
use crate::root::Root;
use crate::stamp::Stamp;

pub use artefact::{Imported, NotImported, artefact};
use pack::{Kept, Pack};
use place::{Loaded, Place};

/// The bound of one root's cache: about ten million lines of facts.
pub const MAX_CACHE_BYTES: u64 = 512 << 20;

/// Facts to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewFacts<'a> {
    /// Of the content the facts were read from.
    pub digest: Digest,
    /// The language's number. What the numbers mean must be part of the fingerprint.
    pub lang: u8,
    pub bytes: &'a [u8],
}

/// A file whose digest may be believed from its stamp the next time. Only a stamp that was
/// [settled](crate::FileText::settled) when the file was read belongs here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatRow {
    pub path: RelPath,
    pub stamp: Stamp,
    pub digest: Digest,
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    Stored {
        entries: usize,
        bytes: u64,
        /// Entries dropped to stay within the bound, the longest unused first.
        evicted: usize,
    },
    /// Nothing new to keep.
    Unchanged,
    /// Another process is writing; what it does not know is kept by a later write.
    Busy,
    /// No place to write, in the operating system's words.
    Unavailable(String),
}

/// What a status line says of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheSize {
    pub entries: usize,
    /// Held in memory until the cache is dropped.
    pub bytes: u64,
    /// Where it lies; none when the machine offers no cache folder.
    pub folder: Option<PathBuf>,
}

/// The facts kept for one root by one build of the extractor.
#[derive(Debug)]
pub struct FactsCache {
    place: Option<Place>,
    pack: Pack,
    /// One flag per entry of `pack`: asked for in this run.
    used: Vec<AtomicBool>,
}

impl FactsCache {
    /// Loads what is kept for `root` under the user's cache folder. `fingerprint` names the extractor
    /// and its grammars: facts of another fingerprint are not seen.
    pub fn open(root: &Root, fingerprint: &Digest) -> FactsCache {
        FactsCache::load(Place::of_user(root, fingerprint))
    }

    /// The same in a folder of the caller's choice.
    pub fn open_in(folder: impl Into<PathBuf>, root: &Root, fingerprint: &Digest) -> FactsCache {
        FactsCache::load(Some(Place::in_folder(folder.into(), root, fingerprint)))
    }

    fn load(place: Option<Place>) -> FactsCache {
        let pack = place
            .as_ref()
            .and_then(Place::load)
            .map(|loaded| loaded.pack)
            .unwrap_or_default();
        let used = std::iter::repeat_with(AtomicBool::default)
            .take(pack.len())
            .collect();
        FactsCache { place, pack, used }
    }

    /// The facts of the content `digest` read as `lang`.
    pub fn get(&self, digest: &Digest, lang: u8) -> Option<&[u8]> {
        let index = self.pack.find(digest, lang)?;
        self.used[index].store(true, Ordering::Relaxed);
        Some(self.pack.bytes(index))
    }

    /// Whether these facts were made elsewhere and imported.
    pub fn is_imported(&self, digest: &Digest, lang: u8) -> bool {
        let index = self.pack.find(digest, lang);
        index.is_some_and(|index| self.pack.kept(index).imported)
    }

    /// The digest `path` had when its stamp was `stamp`, so that an unchanged file is not even read.
    pub fn digest_of(&self, path: &RelPath, stamp: &Stamp) -> Option<Digest> {
        self.pack.stat(path, stamp)
    }

    /// How much is held.
    pub fn size(&self) -> CacheSize {
        CacheSize {
            entries: self.pack.len(),
            bytes: self.pack.size(),
            folder: self
                .place
                .as_ref()
                .map(|place| place.folder().to_path_buf()),
        }
    }

    /// Keeps `new` beside what was used in this run and what another process kept meanwhile, at most
    /// [`MAX_CACHE_BYTES`], and `stats` in place of the former table. Later writes of this value know
    /// what it loaded, not what it wrote: give them everything that is new since `open`.
    pub fn write(&self, new: &[NewFacts<'_>], stats: &[StatRow]) -> Written {
        self.write_within(new, stats, MAX_CACHE_BYTES)
    }

    /// [`FactsCache::write`] under another bound.
    pub fn write_within(&self, new: &[NewFacts<'_>], stats: &[StatRow], max_bytes: u64) -> Written {
        let Some(place) = &self.place else {
            return Written::Unavailable("this machine offers no cache folder".to_string());
        };
        let stats = sorted(stats);
        // What most runs end with: nothing has changed since the last one.
        if new.is_empty() && !stats.is_empty() && self.pack.has_stats(&stats) {
            place.touch(SystemTime::now());
            return Written::Unchanged;
        }
        let lock = match place.lock() {
            Ok(Some(lock)) => lock,
            Ok(None) => return Written::Busy,
            Err(error) => return Written::Unavailable(error.to_string()),
        };
        let (on_disk, checksum) = match place.load() {
            Some(Loaded { pack, checksum }) => (pack, Some(checksum)),
            None => (Pack::default(), None),
        };
        if self.is_known(&on_disk, new) && on_disk.has_stats(&stats) {
            place.touch(SystemTime::now());
            return Written::Unchanged;
        }
        let generation = on_disk.generation().saturating_add(1);
        let mut kept: HashMap<(Digest, u8), Kept<'_>> = HashMap::new();
        for index in 0..on_disk.len() {
            kept.insert(on_disk.key(index), on_disk.kept(index));
        }
        for (index, used) in self.used.iter().enumerate() {
            if used.load(Ordering::Relaxed) {
                kept.insert(
                    self.pack.key(index),
                    Kept {
                        generation,
                        ..self.pack.kept(index)
                    },
                );
            }
        }
        for facts in new {
            kept.insert(
                (facts.digest, facts.lang),
                Kept {
                    generation,
                    imported: false,
                    bytes: facts.bytes,
                },
            );
        }
        let total = kept.len();
        let bytes = pack::build(generation, kept, &stats, max_bytes);
        let entries = pack::entry_count(&bytes);
        match place.store(&bytes, checksum) {
            Ok(()) => {
                place.sweep(SystemTime::now());
                drop(lock);
                Written::Stored {
                    entries,
                    bytes: bytes.len() as u64,
                    evicted: total - entries,
                }
            }
            Err(error) => Written::Unavailable(error.to_string()),
        }
    }

    /// True when `on_disk` holds all of `new` and all this run used.
    fn is_known(&self, on_disk: &Pack, new: &[NewFacts<'_>]) -> bool {
        let holds = |(digest, lang): (Digest, u8)| on_disk.find(&digest, lang).is_some();
        let used = self
            .used
            .iter()
            .enumerate()
            .filter(|(_, used)| used.load(Ordering::Relaxed));
        new.iter().all(|facts| holds((facts.digest, facts.lang)))
            && used.map(|(index, _)| self.pack.key(index)).all(holds)
    }
}

fn sorted(stats: &[StatRow]) -> Vec<&StatRow> {
    let mut stats: Vec<&StatRow> = stats.iter().collect();
    stats.sort_by(|a, b| a.path.cmp(&b.path));
    stats.dedup_by(|a, b| a.path == b.path);
    stats
}
