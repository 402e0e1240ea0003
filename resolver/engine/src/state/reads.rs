//! What one computation has read so far.

use super::key::Dep;
use super::memo::Deps;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Most computations read a handful of keys and read them more than once: a
/// short list takes less than a table. Files read thousands.
#[derive(Default)]
pub(super) struct Reads {
    few: SmallVec<[Dep; 12]>,
    many: Option<FxHashSet<Dep>>,
}

/// From here on a table is faster.
const FEW: usize = 24;

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
            self.many = Some(self.few.drain(..).collect());
        }
    }

    pub(super) fn into_deps(self) -> Deps {
        let mut all: Vec<Dep> = match self.many {
            Some(many) => many.into_iter().collect(),
            None => self.few.into_vec(),
        };
        all.sort_unstable();
        all.into_boxed_slice()
    }

    /// In no order.
    pub(super) fn into_list(self) -> Vec<Dep> {
        match self.many {
            Some(many) => many.into_iter().collect(),
            None => self.few.into_vec(),
        }
    }
}
