//! Who read what: the index from keys to the files and derived values that rest on them.

use super::kept::{get, put};
use super::key::Dep;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use surefoot_graph::FileId;

/// A file or a derived value that read something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Reader {
    File(FileId),
    Memo(Dep),
}

/// From here on a list is not searched when somebody leaves it: it is asked
/// whom it may name, and whoever it names is asked what it reads now.
const LONG: usize = 48;

/// Marks a reader that is a file; others are numbers of keys.
const FILE: u32 = 1 << 31;

/// Tells whether somebody reads a key.
type Reads<'a> = dyn Fn(Reader, Dep) -> bool + 'a;

type List = SmallVec<[u32; 4]>;

/// Every key that was read, numbered, with its readers. A list may name
/// somebody who reads the key no more, never leaves out one who does.
#[derive(Default)]
pub(super) struct Readers {
    keys: Vec<Dep>,
    numbers: HashTable<u32>,
    /// The lists as they were when the index was made: where that of each key
    /// begins, and the readers as how each differs from the one before.
    starts: Vec<u32>,
    frozen: Vec<u8>,
    /// Those that have changed since, by the number of their key.
    lists: FxHashMap<u32, List>,
}

fn hash(dep: Dep) -> u64 {
    let mut hasher = FxHasher::default();
    dep.hash(&mut hasher);
    hasher.finish()
}

impl Readers {
    fn number(&self, dep: Dep) -> Option<u32> {
        let same = |n: &u32| self.keys[*n as usize] == dep;
        self.numbers.find(hash(dep), same).copied()
    }

    fn intern(&mut self, dep: Dep) -> u32 {
        let now = hash(dep);
        let keys = &self.keys;
        if let Some(n) = self.numbers.find(now, |n| keys[*n as usize] == dep) {
            return *n;
        }
        let n = keys.len() as u32;
        self.numbers
            .insert_unique(now, n, |n| hash(keys[*n as usize]));
        self.keys.push(dep);
        n
    }

    fn packed(&mut self, who: Reader) -> u32 {
        match who {
            Reader::File(file) => FILE | file.0,
            Reader::Memo(dep) => self.intern(dep),
        }
    }

    /// How many keys are known, and roughly how many bytes they take.
    pub(super) fn size(&self) -> (usize, usize) {
        let spilled = self.lists.values().filter(|l| l.spilled());
        let heap: usize = spilled.map(|l| l.capacity() * 4).sum();
        let lists = heap + self.lists.capacity() * (size_of::<(u32, List)>() + 1);
        let frozen = self.starts.capacity() * 4 + self.frozen.capacity();
        let keys = self.keys.capacity() * size_of::<Dep>() + self.numbers.capacity() * 5;
        (self.keys.len(), keys + lists + frozen)
    }

    /// `who` reads `new` and read `old` before; both sorted.
    pub(super) fn replace(&mut self, who: Reader, old: &[Dep], new: &[Dep]) {
        if old == new {
            return;
        }
        let packed = self.packed(who);
        let mut before = old.iter().copied().peekable();
        for &dep in new {
            while let Some(gone) = before.next_if(|d| *d < dep) {
                self.leave(gone, packed);
            }
            if before.next_if_eq(&dep).is_none() {
                let n = self.intern(dep);
                self.list_mut(n).push(packed);
            }
        }
        for gone in before {
            self.leave(gone, packed);
        }
    }

    fn leave(&mut self, dep: Dep, packed: u32) {
        let Some(n) = self.number(dep) else { return };
        let list = self.list_mut(n);
        if list.len() < LONG
            && let Some(at) = list.iter().position(|r| *r == packed)
        {
            list.swap_remove(at);
        }
    }

    fn frozen(&self, n: u32) -> List {
        let start = self.starts.get(n as usize).copied().unwrap_or(u32::MAX);
        let end = self.starts.get(n as usize + 1).copied();
        let end = end.map_or(self.frozen.len(), |end| end as usize);
        let mut rest = self.frozen.get(start as usize..end).unwrap_or_default();
        let mut last = 0;
        let next = || {
            last += get(&mut rest)?;
            Some(last)
        };
        std::iter::from_fn(next).collect()
    }

    fn list_mut(&mut self, n: u32) -> &mut List {
        if !self.lists.contains_key(&n) {
            let list = self.frozen(n);
            self.lists.insert(n, list);
        }
        self.lists.entry(n).or_default()
    }

    /// Writes the lists as they are now in little room. They may change again.
    pub(super) fn freeze(&mut self) {
        let mut frozen = Vec::new();
        let mut starts = Vec::with_capacity(self.keys.len());
        for n in 0..self.keys.len() as u32 {
            let list = self.lists.remove(&n);
            let mut list = list.unwrap_or_else(|| self.frozen(n));
            list.sort_unstable();
            list.dedup();
            starts.push(frozen.len() as u32);
            let mut last = 0;
            for reader in list {
                put(&mut frozen, reader - last);
                last = reader;
            }
        }
        frozen.shrink_to_fit();
        self.keys.shrink_to_fit();
        (self.starts, self.frozen) = (starts, frozen);
        self.lists = FxHashMap::default();
    }

    /// Whoever reads `dep` now; `reads` tells whether somebody does.
    pub(super) fn of(&mut self, dep: Dep, reads: &Reads<'_>, found: &mut Vec<Reader>) {
        let Some(n) = self.number(dep) else { return };
        let changed = self.lists.get_mut(&n).map(std::mem::take);
        let is_frozen = changed.is_none();
        let mut list = changed.unwrap_or_else(|| self.frozen(n));
        if list.len() >= LONG {
            // Left and come back: named twice.
            list.sort_unstable();
            list.dedup();
            list.retain(|r| {
                let who = self.unpacked(*r);
                reads(who, dep)
            });
        }
        found.extend(list.iter().map(|r| self.unpacked(*r)));
        // Nobody left a frozen list, or it would not be frozen.
        if !is_frozen {
            self.lists.insert(n, list);
        }
    }

    fn unpacked(&self, packed: u32) -> Reader {
        match packed & FILE {
            0 => Reader::Memo(self.keys[packed as usize]),
            _ => Reader::File(FileId(packed & !FILE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use surefoot_facts::Name;

    proptest! {
        // A reader that is forgotten keeps a stale edge for ever; one too many
        // resolves a file for nothing.
        #[test]
        fn exactly_those_who_read_a_key_are_found(
            writes in proptest::collection::vec((0u32..120, proptest::collection::btree_set(0u32..6, 0..4)), 0..400)
        ) {
            let mut readers = Readers::default();
            let mut model: BTreeMap<Reader, Vec<Dep>> = BTreeMap::new();
            let key = |n: u32| Dep::path(Name(n));
            for (who, reads) in writes {
                let who = match who % 3 {
                    0 => Reader::Memo(Dep::global(Name(who))),
                    _ => Reader::File(FileId(who)),
                };
                let new: Vec<Dep> = reads.into_iter().map(key).collect::<BTreeSet<_>>().into_iter().collect();
                let old = model.insert(who, new.clone()).unwrap_or_default();
                readers.replace(who, &old, &new);
                if model.len() % 50 == 49 {
                    readers.freeze();
                }
            }
            let reads = |who: Reader, dep: Dep| model.get(&who).is_some_and(|d| d.contains(&dep));
            for n in 0..6 {
                let mut found = Vec::new();
                readers.of(key(n), &reads, &mut found);
                found.sort_unstable();
                let expected: Vec<Reader> = model.iter().filter(|(_, d)| d.contains(&key(n))).map(|(r, _)| *r).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
