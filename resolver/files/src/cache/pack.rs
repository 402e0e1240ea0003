//! The packed form: sorted tables in front, bytes behind, read whole and searched in place.
//!
//! ```text
//! header   magic, generation u32, entries u32, stats u32
//! entries  digest 32, lang u8, generation u32, offset u64, length u32    sorted by (digest, lang)
//! stats    path offset u32, path length u32, stamp 4 x 8, digest 32      sorted by path
//! bytes    paths, then facts
//! ```
//! Little-endian throughout; offsets count from the start of `bytes`. Nothing in here is trusted for
//! being there: every range is checked when the pack is opened.

use std::collections::HashMap;

use crate::cache::StatRow;
use crate::digest::Digest;
use crate::path::RelPath;
use crate::stamp::Stamp;

const MAGIC: &[u8; 8] = b"SFPACK01";
const HEADER: usize = 8 + 4 + 4 + 4;
const ENTRY: usize = 32 + 1 + 4 + 8 + 4;
const STAT: usize = 4 + 4 + 32 + 32;
/// Beside the generation of an entry: the bit that marks it as imported.
const IMPORTED: u32 = 1 << 31;

/// One entry on its way into a new pack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept<'a> {
    /// The write it was last used in.
    pub generation: u32,
    /// Made elsewhere and brought here by a person's wish.
    pub imported: bool,
    pub bytes: &'a [u8],
}

/// An opened pack; the default one is empty.
#[derive(Debug, Default)]
pub(super) struct Pack {
    data: Vec<u8>,
    generation: u32,
    entries: usize,
    stats: usize,
}

impl Pack {
    /// `None` when anything about the layout does not hold.
    pub fn open(data: Vec<u8>) -> Option<Pack> {
        if data.get(..8)? != MAGIC {
            return None;
        }
        let mut pack = Pack {
            generation: u32_at(&data, 8)?,
            entries: usize::try_from(u32_at(&data, 12)?).ok()?,
            stats: usize::try_from(u32_at(&data, 16)?).ok()?,
            data,
        };
        let tables = HEADER
            .checked_add(pack.entries.checked_mul(ENTRY)?)?
            .checked_add(pack.stats.checked_mul(STAT)?)?;
        let behind = pack.data.len().checked_sub(tables)? as u64;
        for index in 0..pack.entries {
            let (offset, len) = pack.range(index);
            if offset.checked_add(len)? > behind {
                return None;
            }
            if index > 0 && pack.key(index - 1) >= pack.key(index) {
                return None;
            }
        }
        for index in 0..pack.stats {
            let path = pack.stat_path(index)?;
            if index > 0 && pack.stat_path(index - 1)? >= path {
                return None;
            }
        }
        pack.data.shrink_to_fit();
        Some(pack)
    }

    pub fn len(&self) -> usize {
        self.entries
    }

    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    pub fn generation(&self) -> u32 {
        self.generation
    }

    pub fn find(&self, digest: &Digest, lang: u8) -> Option<usize> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle).cmp(&(*digest, lang)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    pub fn key(&self, index: usize) -> (Digest, u8) {
        let at = HEADER + index * ENTRY;
        (digest_at(&self.data, at), self.data[at + 32])
    }

    pub fn bytes(&self, index: usize) -> &[u8] {
        // Checked when the pack was opened.
        let (offset, len) = self.range(index);
        let start = self.behind() + offset as usize;
        &self.data[start..start + len as usize]
    }

    pub fn kept(&self, index: usize) -> Kept<'_> {
        let at = HEADER + index * ENTRY + 33;
        let generation = u32_at(&self.data, at).unwrap_or(0);
        Kept {
            generation: generation & !IMPORTED,
            imported: generation & IMPORTED != 0,
            bytes: self.bytes(index),
        }
    }

    pub fn stat(&self, path: &RelPath, stamp: &Stamp) -> Option<Digest> {
        let (mut low, mut high) = (0, self.stats);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.stat_path(middle)?.cmp(path.as_str().as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let (found, digest) = self.stat_at(middle)?;
                    return (found == *stamp).then_some(digest);
                }
            }
        }
        None
    }

    /// Every row that can be read.
    pub fn stats(&self) -> Vec<StatRow> {
        let row = |index| {
            let path = std::str::from_utf8(self.stat_path(index)?).ok()?;
            let (stamp, digest) = self.stat_at(index)?;
            let path = RelPath::new(path).ok()?;
            Some(StatRow {
                path,
                stamp,
                digest,
            })
        };
        (0..self.stats).filter_map(row).collect()
    }

    pub fn has_stats(&self, stats: &[&StatRow]) -> bool {
        self.stats == stats.len()
            && stats.iter().enumerate().all(|(index, row)| {
                self.stat_path(index) == Some(row.path.as_str().as_bytes())
                    && self.stat_at(index) == Some((row.stamp, row.digest))
            })
    }

    fn behind(&self) -> usize {
        HEADER + self.entries * ENTRY + self.stats * STAT
    }

    fn range(&self, index: usize) -> (u64, u64) {
        let at = HEADER + index * ENTRY + 37;
        let offset = u64_at(&self.data, at).unwrap_or(u64::MAX);
        (
            offset,
            u64::from(u32_at(&self.data, at + 8).unwrap_or(u32::MAX)),
        )
    }

    fn stat_start(&self, index: usize) -> usize {
        HEADER + self.entries * ENTRY + index * STAT
    }

    fn stat_path(&self, index: usize) -> Option<&[u8]> {
        let at = self.stat_start(index);
        let start = self
            .behind()
            .checked_add(u32_at(&self.data, at)? as usize)?;
        let end = start.checked_add(u32_at(&self.data, at + 4)? as usize)?;
        self.data.get(start..end)
    }

    fn stat_at(&self, index: usize) -> Option<(Stamp, Digest)> {
        let at = self.stat_start(index) + 8;
        let stamp = Stamp {
            len: u64_at(&self.data, at)?,
            mtime_ns: u64_at(&self.data, at + 8)?.cast_signed(),
            ctime_ns: u64_at(&self.data, at + 16)?.cast_signed(),
            inode: u64_at(&self.data, at + 24)?,
        };
        Some((stamp, digest_at(&self.data, at + 32)))
    }
}

/// Packs `kept` and `stats` (sorted, no path twice), leaving out the longest unused entries that would
/// not fit in `max_bytes`. The same input gives the same bytes.
pub(super) fn build(
    generation: u32,
    kept: HashMap<(Digest, u8), Kept<'_>>,
    stats: &[&StatRow],
    max_bytes: u64,
) -> Vec<u8> {
    // The table counts paths in 32 bits; nobody's does not fit, and a cache may always hold less.
    let mut paths = 0u64;
    let fitting = stats.iter().take_while(|row| {
        paths += row.path.as_str().len() as u64;
        paths <= u64::from(u32::MAX) && paths <= max_bytes / 2
    });
    let stats = &stats[..fitting.count()];
    let path_bytes: usize = stats.iter().map(|row| row.path.as_str().len()).sum();

    let mut entries: Vec<_> = kept.into_iter().collect();
    entries.sort_unstable_by_key(|(key, kept)| (std::cmp::Reverse(kept.generation), *key));
    let mut total = (HEADER + stats.len() * STAT + path_bytes) as u64;
    entries.retain(|(_, kept)| {
        let size = (ENTRY + kept.bytes.len()) as u64;
        let fits = kept.bytes.len() <= u32::MAX as usize && total.saturating_add(size) <= max_bytes;
        total += if fits { size } else { 0 };
        fits
    });
    entries.sort_unstable_by_key(|(key, _)| *key);

    let mut data = Vec::with_capacity(usize::try_from(total).unwrap_or(0));
    data.extend_from_slice(MAGIC);
    for number in [generation, entries.len() as u32, stats.len() as u32] {
        data.extend_from_slice(&number.to_le_bytes());
    }
    let mut offset = path_bytes as u64;
    for ((digest, lang), kept) in &entries {
        data.extend_from_slice(digest.as_bytes());
        data.push(*lang);
        let imported = if kept.imported { IMPORTED } else { 0 };
        data.extend_from_slice(&(kept.generation & !IMPORTED | imported).to_le_bytes());
        data.extend_from_slice(&offset.to_le_bytes());
        data.extend_from_slice(&(kept.bytes.len() as u32).to_le_bytes());
        offset += kept.bytes.len() as u64;
    }
    let mut path_offset = 0u32;
    for row in stats {
        let len = row.path.as_str().len() as u32;
        data.extend_from_slice(&path_offset.to_le_bytes());
        data.extend_from_slice(&len.to_le_bytes());
        data.extend_from_slice(&row.stamp.len.to_le_bytes());
        data.extend_from_slice(&row.stamp.mtime_ns.to_le_bytes());
        data.extend_from_slice(&row.stamp.ctime_ns.to_le_bytes());
        data.extend_from_slice(&row.stamp.inode.to_le_bytes());
        data.extend_from_slice(row.digest.as_bytes());
        path_offset += len;
    }
    for row in stats {
        data.extend_from_slice(row.path.as_str().as_bytes());
    }
    for (_, kept) in &entries {
        data.extend_from_slice(kept.bytes);
    }
    data
}

/// How many entries `build` kept.
pub(super) fn entry_count(data: &[u8]) -> usize {
    u32_at(data, 12).unwrap_or(0) as usize
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

/// Zeroes where there is nothing: such a digest is never asked for.
fn digest_at(data: &[u8], at: usize) -> Digest {
    Digest(
        data.get(at..)
            .and_then(|rest| rest.first_chunk())
            .copied()
            .unwrap_or([0; 32]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::hash_bytes;

    fn sample() -> Vec<u8> {
        let kept = HashMap::from([
            (
                (hash_bytes(b"a"), 0),
                Kept {
                    generation: 1,
                    imported: false,
                    bytes: b"facts of a",
                },
            ),
            (
                (hash_bytes(b"b"), 1),
                Kept {
                    generation: 2,
                    imported: true,
                    bytes: b"facts of b",
                },
            ),
        ]);
        let row = |path: &str| StatRow {
            path: RelPath::new(path).unwrap(),
            stamp: Stamp {
                len: 1,
                mtime_ns: -5,
                ctime_ns: 6,
                inode: 7,
            },
            digest: hash_bytes(b"a"),
        };
        build(2, kept, &[&row("a.rs"), &row("b.rs")], u64::MAX)
    }

    // The layout must hold even for bytes whose checksum somebody made fit.
    #[test]
    fn no_altered_or_shortened_pack_panics() {
        let data = sample();
        assert_eq!(Pack::open(data.clone()).unwrap().len(), 2);
        let probe = |data: Vec<u8>| {
            if let Some(pack) = Pack::open(data) {
                for index in 0..pack.len() {
                    pack.bytes(index);
                }
                pack.stat(&RelPath::new("a.rs").unwrap(), &Stamp::default());
                pack.find(&hash_bytes(b"a"), 0);
            }
        };
        for at in 0..data.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut data = data.clone();
                data[at] = value;
                probe(data);
            }
            probe(data[..at].to_vec());
        }
    }

    // A bound that drops what was used last would make every second run cold.
    #[test]
    fn the_longest_unused_go_first() {
        let pack = Pack::open(sample()).unwrap();
        let kept = (0..2)
            .map(|index| (pack.key(index), pack.kept(index)))
            .collect();
        let room_for_one = (HEADER + ENTRY + "facts of b".len()) as u64;
        let pack = Pack::open(build(3, kept, &[], room_for_one)).unwrap();
        assert_eq!(pack.len(), 1);
        assert!(pack.find(&hash_bytes(b"b"), 1).is_some());
    }
}
