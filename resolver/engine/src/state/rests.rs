//! What a file rests on, and which of its items rest on each.

use super::kept::{Kept, get, put};
use super::key::Dep;
use rustc_hash::FxHashSet;

/// A part of a file that is asked again by itself: its imports by specifier, or
/// an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Part(u32);

impl Part {
    pub const IMPORTS: Part = Part(0);

    pub fn item(at: usize) -> Part {
        Part(at as u32 + 1)
    }

    /// `None`: the imports.
    pub fn as_item(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

/// Every key that a file read, once, with the parts that did: these in bytes,
/// because a file has a thousand keys and most have one reader in it.
#[derive(Clone, Default)]
pub struct Rests {
    keys: Kept,
    /// For each key its parts, rising, as distances; the lowest bit says that
    /// another follows.
    parts: Box<[u8]>,
}

impl Rests {
    pub(crate) fn new(mut reads: Vec<(Dep, Part)>) -> Rests {
        reads.sort_unstable();
        reads.dedup();
        let mut keys = Vec::with_capacity(reads.len());
        let mut parts = Vec::with_capacity(reads.len());
        for run in reads.chunk_by(|a, b| a.0 == b.0) {
            keys.push(run[0].0);
            let mut last = 0;
            for (n, (_, part)) in run.iter().enumerate() {
                let more = u32::from(n + 1 < run.len());
                put(&mut parts, (part.0 - last) << 1 | more);
                last = part.0;
            }
        }
        Rests {
            keys: Kept::of(&keys),
            parts: parts.into(),
        }
    }

    pub(super) fn keys(&self) -> &Kept {
        &self.keys
    }

    /// Every key with every part that read it, by key.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (Dep, Part)> + '_ {
        let mut bytes = &*self.parts;
        let mut keys = self.keys.iter();
        let mut now: Option<(Dep, u32)> = None;
        std::iter::from_fn(move || {
            let (key, last) = match now.take() {
                Some(known) => known,
                None => (keys.next()?, 0),
            };
            let value = get(&mut bytes)?;
            let part = last + (value >> 1);
            if value & 1 != 0 {
                now = Some((key, part));
            }
            Some((key, Part(part)))
        })
    }

    /// The parts that read one of the keys.
    pub(crate) fn of(&self, seen: &FxHashSet<Dep>) -> FxHashSet<Part> {
        let reads = self.reads().filter(|(key, _)| seen.contains(key));
        reads.map(|(_, part)| part).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.bytes() + self.parts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use surefoot_facts::Name;

    proptest! {
        // A part that is forgotten keeps a stale edge; one too many is resolved
        // for nothing.
        #[test]
        fn what_was_read_is_what_comes_back(reads in proptest::collection::btree_set((0u32..40, 0u32..70_000), 0..200)) {
            let pairs = |&(key, part): &(u32, u32)| (Dep::path(Name(key)), Part(part));
            let rests = Rests::new(reads.iter().rev().map(pairs).collect());
            let back: BTreeSet<(Dep, Part)> = rests.reads().collect();
            prop_assert_eq!(back, reads.iter().map(pairs).collect::<BTreeSet<_>>());
            let keys: BTreeSet<u32> = reads.iter().map(|r| r.0).collect();
            prop_assert_eq!(rests.keys().iter().count(), keys.len());
            let seen: FxHashSet<Dep> = [3, 7].map(|n| Dep::path(Name(n))).into_iter().collect();
            let own = reads.iter().filter(|r| r.0 == 3 || r.0 == 7);
            prop_assert_eq!(rests.of(&seen), own.map(|r| Part(r.1)).collect::<FxHashSet<_>>());
        }
    }
}
