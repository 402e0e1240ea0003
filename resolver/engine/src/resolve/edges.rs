//! The outcomes of one file's sites.

use surefoot_graph::Outcome;

/// What became of each site of a file, in the order of its sites.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FileEdges {
    outcomes: Vec<Outcome>,
}

impl FileEdges {
    pub(crate) fn new(outcomes: Vec<Outcome>) -> FileEdges {
        FileEdges { outcomes }
    }

    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub(crate) fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Everything known about a site.
    pub(crate) fn outcome(&self, index: u32) -> Option<&Outcome> {
        self.outcomes.get(index as usize)
    }
}
