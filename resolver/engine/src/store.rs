//! Tables that two snapshots share where they do not differ.
//!
//! A table is a tree of shards of 32 neighbouring ids. Cloning a table costs
//! one reference; a write copies the shards on its way that someone else still
//! holds, and nothing when nobody does. Ids are dense, so shards are full.

use smallvec::SmallVec;
use std::marker::PhantomData;
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::{FileId, SymbolId};

/// A small integer that names something.
pub trait Id: Copy {
    fn raw(self) -> u32;
    fn from_raw(raw: u32) -> Self;
}

macro_rules! ids {
    ($($t:ty),*) => { $(
        impl Id for $t {
            fn raw(self) -> u32 { self.0 }
            fn from_raw(raw: u32) -> $t { Self(raw) }
        }
    )* };
}
ids!(FileId, SymbolId, Name);

const BITS: u32 = 5;
const MASK: u32 = 31;

#[derive(Clone)]
enum Node<V> {
    /// The ids `base << 5 ..`, as far as `mask` says.
    Leaf {
        base: u32,
        mask: u32,
        values: Vec<V>,
    },
    /// Ids that agree above `shift + 5` bits, told apart by the five below.
    Branch {
        prefix: u32,
        shift: u32,
        mask: u32,
        kids: Vec<Arc<Node<V>>>,
    },
}

/// The bits of a key above a branch.
fn above(key: u32, shift: u32) -> u32 {
    (u64::from(key) >> (shift + BITS)) as u32
}

fn slot(key: u32, shift: u32) -> u32 {
    1 << ((key >> shift) & MASK)
}

fn rank(mask: u32, bit: u32) -> usize {
    (mask & (bit - 1)).count_ones() as usize
}

impl<V> Node<V> {
    /// A key that lies below this node, whichever.
    fn some_key(&self) -> u32 {
        match self {
            Node::Leaf { base, .. } => base << BITS,
            Node::Branch { prefix, shift, .. } => {
                ((u64::from(*prefix) << (shift + BITS)) & u64::from(u32::MAX)) as u32
            }
        }
    }

    fn holds(&self, key: u32) -> bool {
        match self {
            Node::Leaf { base, .. } => *base == key >> BITS,
            Node::Branch { prefix, shift, .. } => *prefix == above(key, *shift),
        }
    }
}

impl<V: Clone> Node<V> {
    fn leaf(key: u32, value: V) -> Arc<Node<V>> {
        Arc::new(Node::Leaf {
            base: key >> BITS,
            mask: slot(key, 0),
            values: vec![value],
        })
    }

    fn insert(node: &mut Arc<Node<V>>, key: u32, value: V) -> Option<V> {
        if !node.holds(key) {
            let apart = node.some_key() ^ key;
            let shift = (31 - apart.leading_zeros()) / BITS * BITS;
            let (old, new) = (node.clone(), Node::leaf(key, value));
            let old_first = (old.some_key() >> shift) & MASK < (key >> shift) & MASK;
            let mask = slot(old.some_key(), shift) | slot(key, shift);
            let kids = if old_first {
                vec![old, new]
            } else {
                vec![new, old]
            };
            *node = Arc::new(Node::Branch {
                prefix: above(key, shift),
                shift,
                mask,
                kids,
            });
            return None;
        }
        match Arc::make_mut(node) {
            Node::Leaf { mask, values, .. } => {
                let bit = slot(key, 0);
                let at = rank(*mask, bit);
                if *mask & bit != 0 {
                    return Some(std::mem::replace(&mut values[at], value));
                }
                *mask |= bit;
                values.insert(at, value);
                None
            }
            Node::Branch {
                shift, mask, kids, ..
            } => {
                let bit = slot(key, *shift);
                let at = rank(*mask, bit);
                if *mask & bit != 0 {
                    return Node::insert(&mut kids[at], key, value);
                }
                *mask |= bit;
                kids.insert(at, Node::leaf(key, value));
                None
            }
        }
    }

    /// Removes a key that is there; `None` in place of the node when it was the last.
    fn remove(node: &mut Option<Arc<Node<V>>>, key: u32) -> Option<V> {
        let this = node.as_mut()?;
        let (out, empty, only) = match Arc::make_mut(this) {
            Node::Leaf { mask, values, .. } => {
                let bit = slot(key, 0);
                if *mask & bit == 0 {
                    return None;
                }
                let out = values.remove(rank(*mask, bit));
                *mask &= !bit;
                (Some(out), *mask == 0, None)
            }
            Node::Branch {
                shift, mask, kids, ..
            } => {
                let bit = slot(key, *shift);
                let at = rank(*mask, bit);
                // Taken out, so that this table's own reference does not make it look shared.
                let mut kid = Some(kids.remove(at));
                let out = Node::remove(&mut kid, key);
                match kid {
                    Some(kid) => kids.insert(at, kid),
                    None => *mask &= !bit,
                }
                let only = (kids.len() == 1).then(|| kids[0].clone());
                (out, kids.is_empty(), only)
            }
        };
        if empty {
            *node = None;
        } else if only.is_some() {
            *node = only;
        }
        out
    }
}

/// A table from ids to values.
pub struct IdMap<K, V> {
    root: Option<Arc<Node<V>>>,
    len: usize,
    key: PhantomData<fn() -> K>,
}

impl<K, V> Clone for IdMap<K, V> {
    fn clone(&self) -> IdMap<K, V> {
        IdMap {
            root: self.root.clone(),
            len: self.len,
            key: PhantomData,
        }
    }
}

impl<K, V> Default for IdMap<K, V> {
    fn default() -> IdMap<K, V> {
        IdMap {
            root: None,
            len: 0,
            key: PhantomData,
        }
    }
}

impl<K: Id, V> IdMap<K, V> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    pub fn get(&self, key: K) -> Option<&V> {
        let key = key.raw();
        let mut node = self.root.as_ref()?;
        loop {
            if !node.holds(key) {
                return None;
            }
            match &**node {
                Node::Leaf { mask, values, .. } => {
                    let bit = slot(key, 0);
                    return (mask & bit != 0).then(|| &values[rank(*mask, bit)]);
                }
                Node::Branch {
                    shift, mask, kids, ..
                } => {
                    let bit = slot(key, *shift);
                    if mask & bit == 0 {
                        return None;
                    }
                    node = &kids[rank(*mask, bit)];
                }
            }
        }
    }

    /// All entries, by rising id: an order that means nothing to a reader.
    pub fn iter(&self) -> Iter<'_, K, V> {
        let mut stack = SmallVec::new();
        stack.extend(self.root.as_deref().map(|node| (node, 0)));
        Iter {
            stack,
            key: PhantomData,
        }
    }

    pub fn keys(&self) -> impl Iterator<Item = K> + '_ {
        self.iter().map(|(k, _)| k)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> + '_ {
        self.iter().map(|(_, v)| v)
    }
}

impl<K: Id, V: Clone> IdMap<K, V> {
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = match &mut self.root {
            Some(root) => Node::insert(root, key.raw(), value),
            None => {
                self.root = Some(Node::leaf(key.raw(), value));
                None
            }
        };
        self.len += usize::from(old.is_none());
        old
    }

    pub fn remove(&mut self, key: K) -> Option<V> {
        // A miss must copy nothing.
        self.get(key)?;
        let old = Node::remove(&mut self.root, key.raw());
        self.len -= usize::from(old.is_some());
        old
    }

    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.get(key)?;
        let key = key.raw();
        let mut node = self.root.as_mut()?;
        loop {
            match Arc::make_mut(node) {
                Node::Leaf { mask, values, .. } => {
                    return values.get_mut(rank(*mask, slot(key, 0)));
                }
                Node::Branch {
                    shift, mask, kids, ..
                } => node = kids.get_mut(rank(*mask, slot(key, *shift)))?,
            }
        }
    }

    /// The value of a key, made first where there is none.
    pub fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        if !self.contains(key) {
            self.insert(key, V::default());
        }
        match self.get_mut(key) {
            Some(value) => value,
            // The line above put it there.
            None => unreachable!(),
        }
    }
}

/// See [`IdMap::iter`].
pub struct Iter<'a, K, V> {
    stack: SmallVec<[(&'a Node<V>, usize); 8]>,
    key: PhantomData<fn() -> K>,
}

/// The n-th set bit of a mask.
fn nth(mut mask: u32, n: usize) -> u32 {
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros()
}

impl<'a, K: Id, V> Iterator for Iter<'a, K, V> {
    type Item = (K, &'a V);

    fn next(&mut self) -> Option<(K, &'a V)> {
        loop {
            let (node, at) = self.stack.last_mut()?;
            let n = *at;
            *at += 1;
            match node {
                Node::Leaf { base, mask, values } => match values.get(n) {
                    Some(value) => {
                        return Some((K::from_raw(base << BITS | nth(*mask, n)), value));
                    }
                    None => {
                        self.stack.pop();
                    }
                },
                Node::Branch { kids, .. } => match kids.get(n) {
                    Some(kid) => self.stack.push((kid, 0)),
                    None => {
                        self.stack.pop();
                    }
                },
            }
        }
    }
}

/// A set of ids: a short list until it is long.
#[derive(Clone)]
pub enum IdSet<K: Id> {
    Few(SmallVec<[u32; 4]>),
    Many(IdMap<K, ()>),
}

/// From here on a set is a table; below, a list is smaller and as fast.
const FEW: usize = 24;

impl<K: Id> Default for IdSet<K> {
    fn default() -> IdSet<K> {
        IdSet::Few(SmallVec::new())
    }
}

impl<K: Id> IdSet<K> {
    pub fn len(&self) -> usize {
        match self {
            IdSet::Few(list) => list.len(),
            IdSet::Many(map) => map.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn contains(&self, key: K) -> bool {
        match self {
            IdSet::Few(list) => list.binary_search(&key.raw()).is_ok(),
            IdSet::Many(map) => map.contains(key),
        }
    }

    pub fn insert(&mut self, key: K) -> bool {
        match self {
            IdSet::Few(list) => match list.binary_search(&key.raw()) {
                Ok(_) => false,
                Err(at) if list.len() < FEW => {
                    list.insert(at, key.raw());
                    true
                }
                Err(_) => {
                    let mut map = IdMap::default();
                    for &raw in list.iter() {
                        map.insert(K::from_raw(raw), ());
                    }
                    map.insert(key, ());
                    *self = IdSet::Many(map);
                    true
                }
            },
            IdSet::Many(map) => map.insert(key, ()).is_none(),
        }
    }

    pub fn remove(&mut self, key: K) -> bool {
        match self {
            IdSet::Few(list) => match list.binary_search(&key.raw()) {
                Ok(at) => {
                    list.remove(at);
                    true
                }
                Err(_) => false,
            },
            IdSet::Many(map) => {
                let was = map.remove(key).is_some();
                if map.len() <= FEW / 2 {
                    *self = IdSet::Few(map.keys().map(Id::raw).collect());
                }
                was
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        let (few, many) = match self {
            IdSet::Few(list) => (Some(list.iter().map(|&raw| K::from_raw(raw))), None),
            IdSet::Many(map) => (None, Some(map.keys())),
        };
        few.into_iter().flatten().chain(many.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn contents(map: &IdMap<SymbolId, u32>) -> Vec<(u32, u32)> {
        map.iter().map(|(k, v)| (k.0, *v)).collect()
    }

    proptest! {
        // A snapshot someone still reads must not change under them, and the
        // newest must hold exactly what was written.
        #[test]
        fn a_table_keeps_what_was_written_and_old_copies_keep_what_they_had(
            writes in proptest::collection::vec((any::<bool>(), 0u32..6, 0u32..40, any::<u32>()), 0..200)
        ) {
            let mut map: IdMap<SymbolId, u32> = IdMap::default();
            let mut model = BTreeMap::new();
            let mut kept = Vec::new();
            for (add, spread, near, value) in writes {
                let key = near.wrapping_mul([1, 7, 33, 1025, 0x0400_0001, 0x9e37_79b1][spread as usize]);
                if add {
                    prop_assert_eq!(map.insert(SymbolId(key), value), model.insert(key, value));
                } else {
                    prop_assert_eq!(map.remove(SymbolId(key)), model.remove(&key));
                }
                prop_assert_eq!(map.len(), model.len());
                prop_assert_eq!(map.get(SymbolId(key)), model.get(&key));
                if kept.len() < 4 && value % 5 == 0 {
                    kept.push((map.clone(), model.clone()));
                }
            }
            kept.push((map, model));
            for (map, model) in kept {
                prop_assert_eq!(contents(&map), model.into_iter().collect::<Vec<_>>());
            }
        }

        // A popular function's list of files passes from list to table and back.
        #[test]
        fn a_set_is_a_set_at_any_size(
            writes in proptest::collection::vec((0u32..3, 0u32..60), 0..300)
        ) {
            let mut set: IdSet<FileId> = IdSet::default();
            let mut model = BTreeSet::new();
            for (what, key) in writes {
                if what > 0 {
                    prop_assert_eq!(set.insert(FileId(key)), model.insert(key));
                } else {
                    prop_assert_eq!(set.remove(FileId(key)), model.remove(&key));
                }
                prop_assert_eq!(set.contains(FileId(key)), model.contains(&key));
            }
            prop_assert_eq!(set.iter().map(|f| f.0).collect::<Vec<_>>(), model.into_iter().collect::<Vec<_>>());
        }
    }

    // Publishing is what every keystroke pays: a write after a copy must leave
    // all shards shared but those on its own way.
    #[test]
    fn a_write_copies_the_touched_shards_only() {
        let mut map: IdMap<SymbolId, u32> = IdMap::default();
        for i in 0..100_000 {
            map.insert(SymbolId(i), i);
        }
        let old = map.clone();
        map.insert(SymbolId(777), 0);
        let shared = |a: &IdMap<SymbolId, u32>, b: &IdMap<SymbolId, u32>| {
            let (mut same, mut apart) = (0, 0);
            let mut stack = vec![(a.root.clone().unwrap(), b.root.clone().unwrap())];
            while let Some((x, y)) = stack.pop() {
                if Arc::ptr_eq(&x, &y) {
                    same += 1;
                    continue;
                }
                apart += 1;
                if let (Node::Branch { kids: x, .. }, Node::Branch { kids: y, .. }) = (&*x, &*y) {
                    stack.extend(x.iter().cloned().zip(y.iter().cloned()));
                }
            }
            (same, apart)
        };
        let (same, apart) = shared(&old, &map);
        assert!(apart <= 4 && same > 60, "{same} shared, {apart} copied");
        assert_eq!(old.get(SymbolId(777)), Some(&777));
    }
}
