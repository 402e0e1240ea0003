//! What one computation has read so far.

use super::key::Dep;
use super::memo::Deps;
use smallvec::SmallVec;

/// Most computations read a handful of keys and read them more than once: a
/// list that is sorted now and then takes less than a table.
#[derive(Default)]
pub(super) struct Reads {
    list: SmallVec<[Dep; 12]>,
    /// So many at the front are sorted, each once.
    clean: usize,
}

/// So many are looked through before one is added.
const NEAR: usize = 8;

impl Reads {
    pub(super) fn insert(&mut self, dep: Dep) {
        // Computations ask for the same again at once.
        if self.list.iter().rev().take(NEAR).any(|d| *d == dep) {
            return;
        }
        // Sorted when it has doubled, so that each is moved a few times at most.
        if self.list.len() >= 64 + 2 * self.clean {
            self.tidy();
        }
        self.list.push(dep);
    }

    fn tidy(&mut self) {
        self.list.sort_unstable();
        self.list.dedup();
        self.clean = self.list.len();
    }

    pub(super) fn into_deps(mut self) -> Deps {
        self.tidy();
        self.list.into_vec().into_boxed_slice()
    }
}
