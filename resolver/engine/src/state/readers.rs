//! Who read what: the index from keys to the files and derived values that rest on them.

use super::key::Dep;
use super::memo::Deps;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
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

/// Tells what somebody reads: calls back with it, and says what the callback said.
type ReadsOf<'a> = dyn Fn(Reader, &mut dyn FnMut(&Deps) -> bool) -> bool + 'a;

/// Every key that was read, numbered, with its readers. A list may name
/// somebody who reads the key no more, never leaves out one who does.
#[derive(Default)]
pub(super) struct Readers {
    keys: Vec<Dep>,
    numbers: HashTable<u32>,
    lists: Vec<SmallVec<[u32; 4]>>,
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
        self.lists.push(SmallVec::new());
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
        let spilled = self.lists.iter().filter(|l| l.spilled());
        let heap: usize = spilled.map(|l| l.capacity() * 4).sum();
        let each = size_of::<Dep>() + size_of::<SmallVec<[u32; 4]>>();
        let bytes = self.keys.capacity() * each + self.numbers.capacity() * 5 + heap;
        (self.keys.len(), bytes)
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
                let n = self.intern(dep) as usize;
                self.lists[n].push(packed);
            }
        }
        for gone in before {
            self.leave(gone, packed);
        }
    }

    fn leave(&mut self, dep: Dep, packed: u32) {
        let Some(n) = self.number(dep) else { return };
        let list = &mut self.lists[n as usize];
        if list.len() < LONG
            && let Some(at) = list.iter().position(|r| *r == packed)
        {
            list.swap_remove(at);
        }
    }

    /// Whoever reads `dep` now; `reads` tells what somebody reads.
    pub(super) fn of(&mut self, dep: Dep, reads: &ReadsOf<'_>, found: &mut Vec<Reader>) {
        let Some(n) = self.number(dep) else { return };
        let mut list = std::mem::take(&mut self.lists[n as usize]);
        if list.len() >= LONG {
            // Left and come back: named twice.
            list.sort_unstable();
            list.dedup();
            list.retain(|r| {
                let who = self.unpacked(*r);
                reads(who, &mut |deps| deps.binary_search(&dep).is_ok())
            });
        }
        found.extend(list.iter().map(|r| self.unpacked(*r)));
        self.lists[n as usize] = list;
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
            let mut model: BTreeMap<Reader, Deps> = BTreeMap::new();
            let key = |n: u32| Dep::path(Name(n));
            for (who, reads) in writes {
                let who = match who % 3 {
                    0 => Reader::Memo(Dep::global(Name(who))),
                    _ => Reader::File(FileId(who)),
                };
                let new: Deps = reads.into_iter().map(key).collect::<BTreeSet<_>>().into_iter().collect();
                let old = model.insert(who, new.clone()).unwrap_or_default();
                readers.replace(who, &old, &new);
            }
            let reads = |who: Reader, ask: &mut dyn FnMut(&Deps) -> bool| model.get(&who).is_some_and(&mut *ask);
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
