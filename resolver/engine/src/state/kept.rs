//! What was read, as it is kept: thousands of keys per file, in three bytes each.

use super::key::{Dep, TAGS, Tag};

/// A list of keys, sorted, each once; written as how each differs from the one before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    bytes: Box<[u8]>,
    /// Which kinds of keys there are.
    tags: u64,
}

impl Kept {
    /// Of a sorted list.
    pub(super) fn of(deps: &[Dep]) -> Kept {
        let mut bytes = Vec::with_capacity(deps.len() * 4);
        for group in deps.chunk_by(|a, b| (a.tag, a.bits) == (b.tag, b.bits)) {
            let Some(first) = group.first() else { continue };
            bytes.extend([first.tag as u8, first.bits]);
            put(&mut bytes, group.len() as u32);
            let (mut a, mut b) = (0, 0);
            for dep in group {
                let further = dep.a - a;
                put(&mut bytes, further);
                if further > 0 {
                    b = 0;
                }
                put(&mut bytes, dep.b.wrapping_sub(b));
                (a, b) = (dep.a, dep.b);
            }
        }
        let tags = deps.iter().fold(0, |tags, dep| tags | dep.tag_bit());
        Kept {
            bytes: bytes.into(),
            tags,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Dep> + '_ {
        let mut rest = &*self.bytes;
        let mut left = 0;
        let mut last = None;
        std::iter::from_fn(move || {
            if left == 0 {
                let [tag, bits] = take(&mut rest)?;
                left = get(&mut rest)?;
                let tag: Tag = *TAGS.get(usize::from(tag))?;
                last = Some(Dep {
                    tag,
                    bits,
                    a: 0,
                    b: 0,
                });
            }
            left -= 1;
            let dep = last.as_mut()?;
            let further = get(&mut rest)?;
            if further > 0 {
                (dep.a, dep.b) = (dep.a + further, 0);
            }
            dep.b = dep.b.wrapping_add(get(&mut rest)?);
            Some(*dep)
        })
    }

    /// False when it holds no key of any of these kinds.
    pub(super) fn may_hold(&self, tags: u64) -> bool {
        self.tags & tags != 0
    }

    pub(super) fn list(&self) -> Vec<Dep> {
        self.iter().collect()
    }

    pub(super) fn contains(&self, dep: Dep) -> bool {
        self.iter().take_while(|d| *d <= dep).any(|d| d == dep)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(*first)
}

/// Seven bits a byte, the lowest first.
pub(super) fn put(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

pub(super) fn get(from: &mut &[u8]) -> Option<u32> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
        if shift > 28 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        // A key that is lost on the way keeps a stale edge for ever.
        #[test]
        fn every_key_comes_back(
            keys in proptest::collection::btree_set((0usize..4, 0u8..3, any::<u32>(), any::<u32>()), 0..60),
            near in proptest::collection::btree_set((0u32..3, 0u32..400), 0..60),
        ) {
            let far = keys.into_iter().map(|(tag, bits, a, b)| Dep { tag: TAGS[tag * 9], bits, a, b });
            let near = near.into_iter().map(|(a, b)| Dep { tag: TAGS[3], bits: 0, a, b });
            let all: BTreeSet<Dep> = far.chain(near).collect();
            let all: Vec<Dep> = all.into_iter().collect();
            let kept = Kept::of(&all);
            prop_assert_eq!(kept.list(), all.clone());
            for (n, dep) in all.iter().enumerate() {
                prop_assert!(kept.contains(*dep));
                let other = Dep { b: dep.b ^ 1, ..*dep };
                prop_assert_eq!(kept.contains(other), all.contains(&other), "{}", n);
            }
        }
    }
}
