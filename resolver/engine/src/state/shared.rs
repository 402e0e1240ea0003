//! Which items two versions of a file have in common.

use std::sync::Arc;
use surefoot_facts::ItemFacts;

/// How many items at both ends two versions of a file share: what an edit leaves
/// alone. Items between may be equal, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shared {
    pub front: usize,
    pub back: usize,
}

impl Shared {
    pub(crate) fn of<'a, 'b, A, B>(old: A, new: B) -> Shared
    where
        A: IntoIterator<Item = &'a Arc<ItemFacts>>,
        B: IntoIterator<Item = &'b Arc<ItemFacts>>,
        A::IntoIter: DoubleEndedIterator + ExactSizeIterator + Clone,
        B::IntoIter: DoubleEndedIterator + ExactSizeIterator + Clone,
    {
        let (old, new) = (old.into_iter(), new.into_iter());
        let same = |(a, b): &(&Arc<ItemFacts>, &Arc<ItemFacts>)| Arc::ptr_eq(a, b) || a == b;
        let shorter = old.len().min(new.len());
        let front = old.clone().zip(new.clone()).take_while(same).count();
        let tail = old.rev().zip(new.rev()).take(shorter - front);
        Shared {
            front,
            back: tail.take_while(same).count(),
        }
    }
}
