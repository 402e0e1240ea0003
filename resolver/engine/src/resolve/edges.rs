//! The outcomes of one file's sites.

use surefoot_graph::{Outcome, Resolution, SymbolId, Target, Tier};

/// What became of each site of a file, in the order of its sites.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileEdges {
    outcomes: Vec<Outcome>,
}

impl FileEdges {
    pub fn new(outcomes: Vec<Outcome>) -> FileEdges {
        FileEdges { outcomes }
    }

    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Everything known about a site.
    pub fn outcome(&self, index: u32) -> Option<&Outcome> {
        self.outcomes.get(index as usize)
    }

    /// The one placed target of a site, with its tier.
    pub fn placed(&self, index: u32) -> Option<(SymbolId, Tier)> {
        let o = self.outcome(index)?;
        match (o.resolution, o.target, &o.evidence) {
            (Resolution::InTree, Target::Symbol(s), Some(e)) => Some((s, e.tier)),
            _ => None,
        }
    }

    pub fn heap_bytes(&self) -> usize {
        self.outcomes.capacity() * std::mem::size_of::<Outcome>()
            + self
                .outcomes
                .iter()
                .map(|o| {
                    o.evidence.as_ref().map_or(0, |e| e.via.capacity() * 24)
                        + o.candidates
                            .as_ref()
                            .map_or(0, |c| 32 + c.list.capacity() * 8)
                        + o.refused.as_ref().map_or(0, |r| 24 + r.capacity() * 8)
                })
                .sum::<usize>()
    }
}
