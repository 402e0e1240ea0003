//! What one file contributes to the edge layer: its placed sites by target, its
//! gaps by name, its heritage by base.

mod build;
mod imports;
mod splice;

pub(crate) use build::{Build, named_caller, path_of_type, settled, site_of_type};
pub use imports::ImportLink;
pub(crate) use imports::{aliases, collect, import_around, value_names_of};
pub(crate) use splice::Changed;

use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::{Cause, FileId, Resolution, Rule, SiteId, SiteKind, SymbolId, Tier};

/// One site's way to one symbol. A site with candidates has one per candidate.
/// The order is that of the fields: by target, then by caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    pub callee: SymbolId,
    /// The innermost named symbol around; a module for top-level code.
    pub caller: SymbolId,
    pub kind: SiteKind,
    pub tier: Tier,
    pub rule: Rule,
    /// The site's index in its file.
    pub site: u32,
    pub(crate) bits: u8,
}

impl Link {
    /// The caller is a test, or stands in a file of tests.
    const TEST: u8 = 1;
    /// The site is unplaced and written with the callee's own name: it stands
    /// in the callee's bucket, too.
    const OWN_NAME: u8 = 2;
    /// The site gives a function away as a value: whoever gets it may run it.
    const GIVEN: u8 = 4;

    pub fn in_test(&self) -> bool {
        self.bits & Link::TEST != 0
    }

    /// The target runs for certain or by a stated convention.
    pub fn is_edge(&self) -> bool {
        self.kind.is_call() && self.tier > Tier::Possible
    }

    /// The target may run.
    pub fn is_possible(&self) -> bool {
        self.bits & Link::GIVEN != 0 || self.kind.is_call() && self.tier == Tier::Possible
    }

    /// A call that may run the target; the others only name it as a value.
    pub(crate) fn is_possible_call(&self) -> bool {
        self.is_possible() && self.kind.is_call()
    }

    /// A possible link as lists of callers show it: that a function is named
    /// is certain, that it runs is not.
    pub(crate) fn as_possible(mut self) -> Link {
        if self.bits & Link::GIVEN != 0 {
            (self.tier, self.rule) = (Tier::Possible, Rule::ValueFlow);
        }
        self
    }
}

/// A call that has no target. The order is that of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    /// The name as written; for an import under another name there is a second
    /// gap with the name it was imported by. Empty when the callee is computed.
    pub name: Name,
    pub caller: SymbolId,
    pub resolution: Resolution,
    pub cause: Option<Cause>,
    pub site: u32,
    /// More possible targets than are listed.
    pub capped: bool,
    /// The second gap of one site.
    pub alias: bool,
}

impl Gap {
    /// False for a placed call some of whose possible targets are not listed.
    pub fn is_open(&self) -> bool {
        matches!(
            self.resolution,
            Resolution::Undetermined | Resolution::Unresolved
        )
    }
}

/// A base, interface or trait that resolved to a symbol of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Kin {
    pub base: SymbolId,
    /// The type that has the base; the block itself where its type is none of
    /// the tree's.
    pub derived: SymbolId,
    /// Who says so: the type itself, or the block that gives it members.
    pub says: SymbolId,
    pub kind: KinKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KinKind {
    Extends,
    Implements,
    Derives,
    /// `says` gives members to `derived`, which stands as `base` here, too.
    Members,
}

/// One base as a declaration states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stated {
    pub says: SymbolId,
    /// Position in the declaration's heritage.
    pub index: u16,
    /// The base, when it stands in the tree.
    pub target: Option<SymbolId>,
}

/// What a file contributes to the edge layer.
#[derive(Clone, Default, Debug)]
pub struct FileLinks {
    /// Sorted.
    links: Box<[Link]>,
    /// Indices of `links`, by caller, then by site.
    out: Box<[u32]>,
    /// Sorted.
    gaps: Box<[Gap]>,
    /// Sorted.
    kin: Box<[Kin]>,
    /// By who states it, then as written.
    stated: Box<[Stated]>,
    /// In source order; imports by path have none.
    imports: Arc<[ImportLink]>,
}

/// A file's share of what is counted about one symbol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Share {
    pub callers: u32,
    pub test_callers: u32,
    pub sites: u32,
    pub possible: u32,
    pub test_possible: u32,
    pub named: u32,
    pub test_named: u32,
    pub values: u32,
    pub own_name_gaps: u32,
}

impl FileLinks {
    /// Every link of the file, by target.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    pub fn kin(&self) -> &[Kin] {
        &self.kin
    }

    /// The links to one symbol.
    pub fn to(&self, callee: SymbolId) -> &[Link] {
        let from = self.links.partition_point(|l| l.callee < callee);
        let len = self.links[from..].partition_point(|l| l.callee == callee);
        &self.links[from..from + len]
    }

    /// The links from one caller, in the order of their sites.
    pub fn from(&self, caller: SymbolId) -> impl Iterator<Item = &Link> + '_ {
        let at = |i: &u32| self.links[*i as usize].caller;
        let from = self.out.partition_point(|i| at(i) < caller);
        let len = self.out[from..].partition_point(|i| at(i) == caller);
        self.out[from..from + len]
            .iter()
            .map(|&i| &self.links[i as usize])
    }

    /// The gaps of one name, aliases included.
    pub fn gaps_named(&self, name: Name) -> &[Gap] {
        let from = self.gaps.partition_point(|g| g.name < name);
        let len = self.gaps[from..].partition_point(|g| g.name == name);
        &self.gaps[from..from + len]
    }

    /// Where the module specifiers of the file lead, in source order.
    pub fn imports(&self) -> &[ImportLink] {
        &self.imports
    }

    pub(crate) fn shared_imports(&self) -> &Arc<[ImportLink]> {
        &self.imports
    }

    /// What a declaration states of its bases, as far as a rule reads it.
    pub(crate) fn stated(&self, says: SymbolId) -> &[Stated] {
        let from = self.stated.partition_point(|s| s.says < says);
        let len = self.stated[from..].partition_point(|s| s.says == says);
        &self.stated[from..from + len]
    }

    /// What the file's links come to for one target.
    pub(crate) fn share_of(&self, callee: SymbolId) -> Option<Share> {
        let run = self.to(callee);
        (!run.is_empty()).then(|| share(run))
    }

    /// What the file's links come to, target by target.
    fn shares(&self) -> impl Iterator<Item = (SymbolId, Share)> + '_ {
        self.links
            .chunk_by(|a, b| a.callee == b.callee)
            .map(|run| (run[0].callee, share(run)))
    }

    /// Calls `f` with every symbol whose share differs between two versions.
    pub(crate) fn each_changed_share(
        old: &FileLinks,
        new: &FileLinks,
        mut f: impl FnMut(SymbolId, Option<Share>, Option<Share>),
    ) {
        let (mut a, mut b) = (old.shares().peekable(), new.shares().peekable());
        loop {
            let (x, y) = (a.peek().copied(), b.peek().copied());
            match (x, y) {
                (None, None) => return,
                (Some((id, x)), y) if y.is_none_or(|y| id < y.0) => {
                    a.next();
                    f(id, Some(x), None);
                }
                (x, Some((id, y))) if x.is_none_or(|x| id < x.0) => {
                    b.next();
                    f(id, None, Some(y));
                }
                (Some((id, x)), Some((_, y))) => {
                    a.next();
                    b.next();
                    if x != y {
                        f(id, Some(x), Some(y));
                    }
                }
                _ => return,
            }
        }
    }

    /// How many gaps (and capped ones) each name has.
    pub(crate) fn gap_counts(&self) -> impl Iterator<Item = (Name, GapCount)> + '_ {
        let runs = self.gaps.chunk_by(|a, b| a.name == b.name);
        runs.map(|run| (run[0].name, GapCount::of(run)))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        use std::mem::size_of_val;
        size_of_val(&*self.links)
            + size_of_val(&*self.out)
            + size_of_val(&*self.gaps)
            + size_of_val(&*self.kin)
            + size_of_val(&*self.stated)
            + size_of_val(&*self.imports)
    }
}

/// Unplaced calls of one name in one file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct GapCount {
    pub sites: u32,
    pub capped: u32,
}

impl GapCount {
    pub(crate) fn of(gaps: &[Gap]) -> GapCount {
        GapCount {
            sites: gaps.iter().filter(|g| g.is_open()).count() as u32,
            capped: gaps.iter().filter(|g| g.capped).count() as u32,
        }
    }
}

fn share(run: &[Link]) -> Share {
    let mut share = Share::default();
    for of_caller in run.chunk_by(|a, b| a.caller == b.caller) {
        let test = of_caller[0].in_test();
        let edges = of_caller.iter().filter(|l| l.is_edge()).count() as u32;
        let possible = of_caller.iter().any(Link::is_possible);
        let named = possible && !of_caller.iter().any(Link::is_possible_call);
        share.sites += edges;
        share.callers += u32::from(edges > 0);
        share.test_callers += u32::from(edges > 0 && test);
        share.possible += u32::from(possible);
        share.test_possible += u32::from(possible && test);
        share.named += u32::from(named);
        share.test_named += u32::from(named && test);
        for link in of_caller {
            share.values += u32::from(link.kind == SiteKind::Value);
            share.own_name_gaps += u32::from(link.bits & Link::OWN_NAME != 0);
        }
    }
    share
}

/// A site's place among all files.
pub(crate) fn site_id(file: FileId, index: u32) -> SiteId {
    SiteId { file, index }
}
