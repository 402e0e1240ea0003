//! What a workspace holds, by owner.

use super::Workspace;
use crate::snapshot::{Bucket, Uses};
use crate::state::{Db, FileEntry, Loc};
use crate::store::{IdMap, IdSet};
use rustc_hash::FxHashMap;
use std::mem::size_of;
use surefoot_facts::Name;
use surefoot_graph::{FileId, SymbolId};

/// Bytes by owner, the same owners in the same order every time; estimates
/// from lengths, without what the allocator adds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    pub owners: Vec<(&'static str, usize)>,
}

impl Memory {
    pub fn total(&self) -> usize {
        self.owners.iter().map(|o| o.1).sum()
    }

    /// Adds another workspace's, owner by owner.
    pub fn add(&mut self, other: &Memory) {
        for &(owner, bytes) in &other.owners {
            match self.owners.iter_mut().find(|o| o.0 == owner) {
                Some(known) => known.1 += bytes,
                None => self.owners.push((owner, bytes)),
            }
        }
    }
}

impl Workspace {
    /// What is held now.
    pub fn memory(&self) -> Memory {
        let (mut facts, mut positions, mut lines, mut ids, mut index) = (0, 0, 0, 0, 0);
        let (mut outcomes, mut links, mut packed) = (0, 0, 0);
        for state in self.tables.files.values() {
            let entry = &state.entry;
            let live = entry.facts.items.if_live();
            facts += live.iter().map(|i| i.bytes() + 8).sum::<usize>();
            packed += entry.facts.items.packed_bytes();
            positions += entry.positions.bytes();
            let contents = entry.contents.iter().flat_map(|c| c.iter());
            positions += contents.map(|c| 16 + c.len() * 32).sum::<usize>();
            lines += entry.positions.lines.heap_bytes();
            ids += entry
                .symbols
                .iter()
                .map(|s| 16 + s.len() * 4)
                .sum::<usize>();
            ids += entry.site_starts.len() * 4;
            index += entry.index.bytes() + size_of::<FileEntry>();
            outcomes += state.edges.heap_bytes();
            links += state.links.heap_bytes();
        }
        let memos = self.memos.size();
        let t = &self.tables;
        let sets = |map: &IdMap<SymbolId, Uses>| {
            let each = size_of::<Uses>();
            map.len() * each + map.values().map(|u| spilled(&u.files)).sum::<usize>()
        };
        let buckets = |map: &IdMap<Name, Bucket>| {
            let more = |b: &Bucket| spilled(&b.symbols) + spilled(&b.gap_files);
            map.len() * size_of::<Bucket>() + map.values().map(more).sum::<usize>()
        };
        let tables = t.symbols.len() * size_of::<Loc>()
            + sets(&t.uses)
            + buckets(&t.buckets)
            + t.kin.len() * size_of::<IdSet<FileId>>()
            + t.files.len() * size_of::<crate::snapshot::FileState>();
        Memory {
            owners: vec![
                ("facts", facts),
                ("facts put away", packed),
                ("positions", positions),
                ("line starts", lines),
                ("symbol ids", ids + self.db.id_bytes()),
                ("names by file", index),
                ("sums", self.db.sum_bytes()),
                ("outcomes", outcomes),
                ("links", links),
                ("counts and buckets", tables),
                ("derived values", memos.values),
                ("what was read", memos.reads),
                ("who read it", memos.readers),
            ],
        }
    }
}

/// What a set takes beside its own place.
fn spilled<K: crate::store::Id>(set: &IdSet<K>) -> usize {
    match set {
        IdSet::Few(list) if !list.spilled() => 0,
        IdSet::Few(list) => list.capacity() * 4,
        // A mask, a base and a list for every 32 ids.
        IdSet::Many(map) => map.len() * 4,
    }
}

/// A hash table: slots and one byte of tag each.
pub(crate) fn table<K, V>(map: &FxHashMap<K, V>) -> usize {
    map.capacity() * 8 / 7 * (size_of::<(K, V)>() + 1)
}

impl Db {
    fn id_bytes(&self) -> usize {
        table(&self.ids) + self.locs.capacity() * size_of::<Loc>()
    }

    fn sum_bytes(&self) -> usize {
        let tables = [&self.impls, &self.subtypes, &self.children, &self.globals];
        let lists = |map: &FxHashMap<Name, Vec<SymbolId>>| {
            table(map) + map.values().map(|l| l.capacity() * 4).sum::<usize>()
        };
        tables.into_iter().map(lists).sum::<usize>()
            + table(&self.by_path)
            + table(&self.presence)
            + table(&self.manifests)
    }
}
