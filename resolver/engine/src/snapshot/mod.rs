//! One immutable state of the graph; every question is a method on it.
//!
//! A snapshot shares all of its tables with its neighbours but the shards an
//! update touched, so keeping one costs little and publishing one less.

mod edges;
mod flow;
mod kin;
mod names;
mod places;
mod run;
mod totals;

pub use edges::{CallSite, Calls, Floor, Group};
pub use kin::Base;
pub use names::{Decl, SymbolInfo};
pub(crate) use places::spans_of;
pub use places::{At, Place, Pos, ViaPlace};
pub use totals::Totals;

use crate::languages::Languages;
use crate::links::FileLinks;
use crate::metrics::Metrics;
use crate::resolve::{Head, PackedEdges};
use crate::state::{FileEntry, Loc};
use crate::store::{IdMap, IdSet};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use surefoot_facts::{LanguageId, ManifestFacts, Name};
use surefoot_graph::{FileId, Outcome, SiteId, SymbolId};

/// One file with what became of its sites.
#[derive(Clone)]
pub struct FileState {
    pub entry: Arc<FileEntry>,
    pub edges: Arc<PackedEdges>,
    pub links: Arc<FileLinks>,
    /// What other resolvers placed in this text, by site.
    pub(crate) answers: Option<Arc<[(u32, Outcome)]>>,
    /// Resolving the file panicked, in these words.
    pub poisoned: Option<Arc<str>>,
}

/// What is counted about a symbol as a target: sums over the files that name it.
#[derive(Clone, Default)]
pub struct Uses {
    pub(crate) files: IdSet<FileId>,
    /// Distinct symbols with a certain or likely call.
    pub callers: u32,
    /// Of these, tests.
    pub test_callers: u32,
    /// Distinct files with such a caller, and with one that is no test.
    pub caller_files: u32,
    pub plain_caller_files: u32,
    /// Certain and likely call sites.
    pub sites: u32,
    /// Distinct symbols with a call that may run it; counted apart.
    pub possible: u32,
    pub test_possible: u32,
    /// Of these, symbols that only name it as a value.
    pub named: u32,
    pub test_named: u32,
    /// Sites that name it as a value.
    pub values: u32,
    /// Unplaced calls of its own name that list it as a candidate.
    pub(crate) own_name_gaps: u32,
}

/// All symbols of one name, and the unplaced calls of it.
#[derive(Clone, Default)]
pub(crate) struct Bucket {
    pub symbols: IdSet<SymbolId>,
    pub gap_files: IdSet<FileId>,
    /// By family of languages: unplaced sites, and sites with a capped list.
    pub gaps: SmallVec<[(u8, u32, u32); 1]>,
}

impl Bucket {
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.gap_files.is_empty()
    }

    pub fn gaps_of(&self, family: u8) -> (u32, u32) {
        let found = self.gaps.iter().find(|g| g.0 == family);
        found.map_or((0, 0), |g| (g.1, g.2))
    }
}

/// A source file of the tree that was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// `None`: it may be of any.
    pub language: Option<LanguageId>,
    /// In words for a person.
    pub reason: Arc<str>,
}

/// What snapshots share.
#[derive(Clone, Default)]
pub(crate) struct Tables {
    pub languages: Languages,
    pub families: Arc<[u8]>,
    pub files: IdMap<FileId, FileState>,
    pub paths: IdMap<Name, FileId>,
    /// Files of the tree by path, preludes left out.
    pub order: Arc<Vec<FileId>>,
    pub symbols: IdMap<SymbolId, Loc>,
    pub uses: IdMap<SymbolId, Uses>,
    pub buckets: IdMap<Name, Bucket>,
    /// Types to the files that say something about their bases or descendants.
    pub kin: IdMap<SymbolId, IdSet<FileId>>,
    pub unread: Arc<BTreeMap<Arc<str>, Unread>>,
    pub manifests: Arc<BTreeMap<Arc<str>, Arc<ManifestFacts>>>,
    pub poisoned: IdSet<FileId>,
}

/// One state of the graph.
pub struct Snapshot {
    revision: u64,
    pub(crate) t: Tables,
    metrics: OnceLock<Arc<Metrics>>,
    /// What was last computed over an earlier one.
    earlier: Option<Arc<Metrics>>,
    totals: OnceLock<Totals>,
    hidden: OnceLock<edges::Hidden>,
    flow: OnceLock<flow::Handed>,
}

impl Snapshot {
    pub(crate) fn new(revision: u64, tables: Tables) -> Snapshot {
        Snapshot {
            revision,
            t: tables,
            metrics: OnceLock::new(),
            earlier: None,
            totals: OnceLock::new(),
            hidden: OnceLock::new(),
            flow: OnceLock::new(),
        }
    }

    /// The same state of the graph in tables that say the same.
    pub(crate) fn renewed(same: &Snapshot, tables: Tables) -> Snapshot {
        let new = Snapshot::new(same.revision, tables).follow(same, true);
        if let Some(totals) = same.totals.get() {
            let _ = new.totals.set(totals.clone());
        }
        new
    }

    /// Rises with every update that changed anything.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn languages(&self) -> Languages {
        self.t.languages
    }

    // ---- files ---------------------------------------------------------------------

    /// The files of the tree, in the order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Arc<FileEntry>> + '_ {
        self.t.order.iter().map(|&id| {
            let state = self.t.files.get(id);
            // The order lists files of the table only.
            &state.unwrap_or_else(|| unreachable!()).entry
        })
    }

    /// The same with their outcomes.
    pub fn states(&self) -> impl Iterator<Item = &FileState> + '_ {
        self.t.order.iter().filter_map(|&id| self.t.files.get(id))
    }

    /// A file of the tree or of a prelude.
    pub fn file(&self, id: FileId) -> Option<&Arc<FileEntry>> {
        self.state(id).map(|s| &s.entry)
    }

    pub fn state(&self, id: FileId) -> Option<&FileState> {
        self.t.files.get(id)
    }

    pub fn file_at(&self, path: &str) -> Option<FileId> {
        self.t.paths.get(Name::new(path)).copied()
    }

    /// Files of the tree that were not read, by path.
    pub fn unread(&self) -> &BTreeMap<Arc<str>, Unread> {
        &self.t.unread
    }

    /// Manifests as last read, by path.
    pub fn manifests(&self) -> &BTreeMap<Arc<str>, Arc<ManifestFacts>> {
        &self.t.manifests
    }

    /// Files whose resolution panicked, with the words of the panic.
    pub fn poisoned(&self) -> impl Iterator<Item = (&Arc<FileEntry>, &Arc<str>)> + '_ {
        self.t.poisoned.iter().filter_map(|id| {
            let state = self.state(id)?;
            Some((&state.entry, state.poisoned.as_ref()?))
        })
    }

    // ---- sites ---------------------------------------------------------------------

    /// What became of a site.
    pub fn outcome(&self, site: SiteId) -> Option<Outcome> {
        let state = self.state(site.file)?;
        let own = state.edges.outcome(site.index, &state.entry);
        match (own, state.asked(site.index)) {
            (own, None) => own,
            (own, Some(asked)) => {
                crate::links::settled(own.as_ref(), Some(asked)).map(Cow::into_owned)
            }
        }
    }

    /// What is counted about a site.
    pub(crate) fn head(&self, site: SiteId) -> Option<Head> {
        let state = self.state(site.file)?;
        match state.asked(site.index) {
            None => state.edges.head(site.index),
            Some(_) => Some(Head::of(&self.outcome(site)?)),
        }
    }

    /// What this engine found by itself, whatever others say.
    pub fn own_outcome(&self, site: SiteId) -> Option<Outcome> {
        let state = self.state(site.file)?;
        state.edges.outcome(site.index, &state.entry)
    }

    /// What another resolver said of a site where this engine has its own,
    /// different answer: both are kept, the engine's counts.
    pub fn contradiction(&self, site: SiteId) -> Option<&Outcome> {
        let state = self.state(site.file)?;
        let asked = state.asked(site.index)?;
        let own = self.outcome(site)?;
        (!asked.is_open() && own.symbol() != asked.symbol()).then_some(asked)
    }

    /// What another resolver said of a site, as it was kept.
    pub fn said(&self, site: SiteId) -> Option<&Outcome> {
        self.state(site.file)?.asked(site.index)
    }

    /// The site itself, with the item it stands in.
    pub fn site(
        &self,
        site: SiteId,
    ) -> Option<(&surefoot_facts::Site, &Arc<surefoot_facts::ItemFacts>)> {
        let entry = self.file(site.file)?;
        let (item, index) = entry.site_at(site.index)?;
        let item = entry.item(item)?;
        Some((item.sites.get(index as usize)?, item))
    }

    // ---- derived once per revision ---------------------------------------------------

    /// Depths, cycles, scores: computed when first asked for.
    pub fn metrics(&self) -> &Metrics {
        self.metrics
            .get_or_init(|| Arc::new(Metrics::compute(self)))
    }

    /// The newest that were computed, if need be over an earlier snapshot: for
    /// whoever cannot wait. Computed where there are none.
    pub fn metrics_at_hand(&self) -> &Metrics {
        let known = self.metrics.get().or(self.earlier.as_ref());
        match known {
            Some(known) => known,
            None => self.metrics(),
        }
    }

    /// Takes over what was computed over the snapshot before; `same`: it had the
    /// same calls and imports.
    pub(crate) fn follow(mut self, older: &Snapshot, same: bool) -> Snapshot {
        match older.metrics.get() {
            Some(metrics) if same => self.metrics = metrics.clone().into(),
            known => self.earlier = known.or(older.earlier.as_ref()).cloned(),
        }
        self
    }

    /// Everything counted over the whole tree.
    pub fn totals(&self) -> &Totals {
        self.totals.get_or_init(|| Totals::count(self))
    }

    /// What may hide callers from any list, counted once.
    fn hidden(&self) -> &edges::Hidden {
        self.hidden.get_or_init(|| edges::Hidden::count(self))
    }

    pub(crate) fn family(&self, language: LanguageId) -> u8 {
        let family = self.t.families.get(language.0 as usize);
        family.copied().unwrap_or(language.0)
    }
}

impl FileState {
    fn asked(&self, site: u32) -> Option<&Outcome> {
        let answers = self.answers.as_deref()?;
        let at = answers.binary_search_by_key(&site, |a| a.0).ok()?;
        Some(&answers[at].1)
    }
}

/// Languages that can call each other: those that share a prelude file.
pub(crate) fn families(languages: Languages) -> Arc<[u8]> {
    let mut out: Vec<u8> = (0..=u8::MAX).collect();
    let shares = |a: u8, b: u8| {
        let prelude = |id: u8| {
            languages
                .get(LanguageId(id))
                .map_or(&[][..], |l| l.prelude())
        };
        prelude(a)
            .iter()
            .any(|(path, _)| prelude(b).iter().any(|(other, _)| path == other))
    };
    let ids: Vec<u8> = languages.0.iter().map(|l| l.id().0).collect();
    for (n, &id) in ids.iter().enumerate() {
        if let Some(&first) = ids[..n].iter().find(|&&other| shares(id, other)) {
            out[id as usize] = out[first as usize];
        }
    }
    out.into()
}
