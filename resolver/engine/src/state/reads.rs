//! What one computation has read so far.

use super::key::Dep;
use super::memo::Deps;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Most computations read a handful of keys and read them more than once: a
/// short list takes less than a table. Files read thousands.
#[derive(Default)]
pub(super) struct Reads {
    few: SmallVec<[Dep; 12]>,
    many: Option<Many>,
}

/// From here on a list is not searched.
const FEW: usize = 24;
/// Keys that were read lately and need not be written down again.
const LATELY: usize = 512;

/// A long list in which a key may stand more than once until it is sorted.
struct Many {
    list: Vec<Dep>,
    lately: Box<[Option<Dep>]>,
    /// How long the list may grow before it is sorted.
    room: usize,
}

impl Many {
    fn insert(&mut self, dep: Dep) {
        let mut hasher = FxHasher::default();
        dep.hash(&mut hasher);
        // The upper bits are the mixed ones.
        let slot = &mut self.lately[(hasher.finish() >> 32) as usize % LATELY];
        if *slot == Some(dep) {
            return;
        }
        *slot = Some(dep);
        if self.list.len() >= self.room {
            self.sort();
            self.room = self.room.max(self.list.len() * 2);
        }
        self.list.push(dep);
    }

    fn sort(&mut self) {
        self.list.sort_unstable();
        self.list.dedup();
    }
}

impl Reads {
    pub(super) fn insert(&mut self, dep: Dep) {
        if let Some(many) = &mut self.many {
            many.insert(dep);
            return;
        }
        // Computations ask for the same again at once.
        if self.few.iter().rev().any(|d| *d == dep) {
            return;
        }
        self.few.push(dep);
        if self.few.len() > FEW {
            self.many = Some(Many {
                list: self.few.drain(..).collect(),
                lately: vec![None; LATELY].into(),
                room: 4_096,
            });
        }
    }

    pub(super) fn into_deps(self) -> Deps {
        let list = match self.many {
            Some(mut many) => {
                many.sort();
                many.list
            }
            None => {
                let mut few = self.few.into_vec();
                few.sort_unstable();
                few
            }
        };
        list.into_boxed_slice()
    }

    /// In no order.
    pub(super) fn into_list(self) -> Vec<Dep> {
        match self.many {
            Some(many) => many.list,
            None => self.few.into_vec(),
        }
    }
}
