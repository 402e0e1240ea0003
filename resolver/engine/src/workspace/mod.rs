//! The owner of the graph: takes changes, asks again whoever read what changed,
//! publishes snapshots.

mod edges;
mod files;
mod items;
mod memory;
mod rest;

pub use memory::Memory;
pub(crate) use memory::table;

use crate::change::{Answers, Applied, Cancel, Change, Need, Pool, Work};
use crate::delta::{GraphDelta, Touched, delta};
use crate::languages::Languages;
use crate::resolve::resolve_item;
use crate::snapshot::{Snapshot, Tables, Unread, families};
use crate::state::{Ctx, Db, Dep, Memos, Presence};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use surefoot_facts::{ManifestFacts, Name};
use surefoot_graph::{FileId, Outcome};

/// What became of the sites of an item of a file. The engine's own is
/// [`resolve_item`]; tests put others in its place.
pub type Resolve = fn(&Ctx<'_>, FileId, u32) -> Vec<Outcome>;

/// One root's graph. Owned by one thread; snapshots go to the others.
pub struct Workspace {
    db: Db,
    memos: Memos,
    resolve: Resolve,
    /// The next snapshot's tables, ahead of the published one while an update
    /// is not done.
    tables: Tables,
    touched: Touched,
    published: Arc<Snapshot>,
    /// A path keeps its id when its file goes and comes back.
    ids: FxHashMap<Name, FileId>,
    prelude_files: FxHashMap<&'static str, FileId>,
    /// Files still to be resolved after an interruption.
    pending: FxHashMap<FileId, items::Stale>,
    answers: FxHashMap<FileId, Answers>,
    /// Files were taken out of the tables that still stand in their order.
    gone: bool,
    /// Whether any file was ever resolved: before that nothing was read.
    warm: bool,
}

/// Answers lead to new questions along chains of manifests; no tree has longer
/// ones. What is still asked then stays in [`Workspace::needs`].
const MAX_ROUNDS: usize = 64;

impl Workspace {
    pub fn new(languages: Languages) -> Workspace {
        Workspace::with_resolver(languages, resolve_item)
    }

    /// A workspace whose sites are resolved by someone else's rules.
    #[doc(hidden)]
    pub fn with_resolver(languages: Languages, resolve: Resolve) -> Workspace {
        let tables = Tables {
            languages,
            families: families(languages),
            ..Tables::default()
        };
        Workspace {
            db: Db {
                languages,
                ..Db::default()
            },
            memos: Memos::default(),
            resolve,
            published: Arc::new(Snapshot::new(0, tables.clone())),
            tables,
            touched: Touched::default(),
            ids: FxHashMap::default(),
            prelude_files: FxHashMap::default(),
            pending: FxHashMap::default(),
            answers: FxHashMap::default(),
            gone: false,
            warm: false,
        }
    }

    /// Whether a call that nothing else places is bound to the only declaration of its name. Set before any file is
    /// given.
    pub fn bind_unique_names(&mut self, on: bool) {
        self.db.bind_unique_names = on;
    }

    /// The newest state in which every file is resolved.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.clone()
    }

    /// Does now what the first edit would pay for: who read what is indexed. For
    /// a workspace that stays; a single analysis never needs it.
    pub fn prepare_for_edits(&mut self) {
        self.memos.catch_up();
    }

    /// Paths outside the walk that resolution asked for and nobody answered, sorted.
    pub fn needs(&self) -> Vec<Need> {
        let all = self.memos.needs().into_iter();
        let mut out: Vec<Need> = all.filter_map(Dep::as_need).collect();
        out.sort_unstable();
        out
    }

    /// Every path that somebody had to look at for resolution, with what was
    /// found there, sorted: the configuration a result rests on, absences
    /// included. What was only asked of the files of the tree is not among
    /// them: that list answers it, whatever else stands on a disk.
    pub fn consulted(&self) -> Vec<Consulted> {
        let read = self.memos.paths_read();
        let mut paths: Vec<Name> = read
            .into_iter()
            .filter_map(Dep::as_need)
            .map(|need| Name::new(need.path()))
            .filter(|name| !self.db.by_path.contains_key(name))
            .filter(|name| {
                self.db.manifests.contains_key(name) || self.db.presence.contains_key(name)
            })
            .collect();
        paths.sort_unstable_by_key(|n| n.text());
        paths.dedup();
        let all = paths.into_iter();
        all.map(|name| Consulted {
            path: name.text().into(),
            manifest: self.db.manifests.get(&name).cloned(),
            presence: self.db.presence.get(&name).cloned(),
        })
        .collect()
    }

    /// Makes the changes so, resolves what they concern, publishes a snapshot.
    ///
    /// Cancelled halfway, the snapshot stays as it was and the rest is done by
    /// the next call, also by one without changes.
    pub fn apply(&mut self, changes: Vec<Change>, pool: &Pool, cancel: &Cancel) -> Applied {
        self.apply_answering(changes, pool, cancel, &mut |_| Vec::new())
    }

    /// The same, with someone who looks at the paths that resolution asks for:
    /// asked until nothing new is needed, and only then a snapshot is published,
    /// so that the whole has one delta.
    pub fn apply_answering(
        &mut self,
        changes: Vec<Change>,
        pool: &Pool,
        cancel: &Cancel,
        answer: &mut dyn FnMut(Vec<Need>) -> Vec<Change>,
    ) -> Applied {
        let mut work = Work::default();
        for file in self.tables.poisoned.iter() {
            self.pending.entry(file).or_default().whole = true;
        }
        let mut interrupted = self.round(changes, pool, cancel, &mut work);
        for _ in 0..MAX_ROUNDS {
            let needs = self.needs();
            if interrupted || needs.is_empty() {
                break;
            }
            let answers = answer(needs);
            if answers.is_empty() {
                break;
            }
            interrupted = self.round(answers, pool, cancel, &mut work);
        }
        let poisoned = self.tables.poisoned.iter().filter_map(|f| {
            let why = self.tables.files.get(f)?.poisoned.clone()?;
            Some((f, why))
        });
        let poisoned = poisoned.collect();
        let (delta, files) = if interrupted {
            Default::default()
        } else {
            self.publish()
        };
        Applied {
            delta: Arc::new(delta),
            files,
            work,
            poisoned,
            interrupted,
        }
    }

    /// True when cancelled.
    fn round(
        &mut self,
        changes: Vec<Change>,
        pool: &Pool,
        cancel: &Cancel,
        work: &mut Work,
    ) -> bool {
        let mut keys: FxHashSet<Dep> = FxHashSet::default();
        let mut arrivals = Vec::new();
        for change in last_of_each_path(changes) {
            match change {
                Change::File(file) => {
                    work.facts += 1;
                    self.file(file, &mut arrivals);
                }
                Change::Remove { path } => self.remove(&path, &mut keys),
                Change::Unread {
                    path,
                    language,
                    reason,
                } => {
                    let unread = Unread { language, reason };
                    if self.tables.unread.get(&path) == Some(&unread) {
                        continue;
                    }
                    self.remove(&path, &mut keys);
                    Arc::make_mut(&mut self.tables.unread).insert(path, unread);
                    self.touched.floors = true;
                }
                Change::Manifest { path, facts } => self.manifest(&path, Some(facts), &mut keys),
                Change::RemoveManifest { path } => self.manifest(&path, None, &mut keys),
                Change::Presence { path, presence } => self.presence(&path, presence, &mut keys),
                Change::Answers(answers) => self.answer(answers),
            }
        }
        work.changed += arrivals.iter().filter(|a| !a.prelude).count();
        self.settle(arrivals, pool, &mut keys);
        self.invalidate(&keys);
        self.resolve_pending(pool, cancel, work)
    }

    /// A snapshot of what is so now, how it differs from the one before, and
    /// the files that were touched on the way.
    fn publish(&mut self) -> (GraphDelta, Vec<FileId>) {
        let old = self.published.clone();
        if self.touched.is_empty() {
            let nothing = GraphDelta {
                from: old.revision(),
                to: old.revision(),
                ..GraphDelta::default()
            };
            return (nothing, Vec::new());
        }
        let touched = std::mem::take(&mut self.touched);
        let new = Snapshot::new(old.revision() + 1, self.tables.clone());
        let shown = |f: &FileId| {
            let file = new.file(*f).or(old.file(*f));
            file.is_some_and(|f| !f.prelude)
        };
        let all = touched.files.keys().chain(&touched.moved).copied();
        let mut files: Vec<FileId> = all.filter(shown).collect();
        files.sort_unstable();
        files.dedup();
        let delta = delta(&old, &new, &touched);
        let imports = |s: &Snapshot, f| s.state(f).map(|s| s.links.clone());
        let same_imports = touched.files.keys().all(|&f| {
            let (a, b) = (imports(&old, f), imports(&new, f));
            let (a, b) = (
                a.as_ref().map(|l| l.shared_imports()),
                b.as_ref().map(|l| l.shared_imports()),
            );
            a.zip(b).is_some_and(|(a, b)| Arc::ptr_eq(a, b)) || a == b
        });
        // Most keystrokes leave every call where it was.
        let same = same_imports && delta.keeps_calls();
        self.published = Arc::new(new.follow(&old, same));
        (delta, files)
    }
}

/// Of several changes about one path the last one holds. Answers add up.
fn last_of_each_path(changes: Vec<Change>) -> Vec<Change> {
    let mut last: FxHashMap<(u8, Arc<str>), usize> = FxHashMap::default();
    let key = |c: &Change| match c {
        Change::File(f) => Some((0, f.path.clone())),
        Change::Remove { path } | Change::Unread { path, .. } => Some((0, path.clone())),
        Change::Manifest { path, .. } | Change::RemoveManifest { path } => Some((1, path.clone())),
        Change::Presence { path, .. } => Some((2, path.clone())),
        Change::Answers(_) => None,
    };
    for (i, change) in changes.iter().enumerate() {
        if let Some(key) = key(change) {
            last.insert(key, i);
        }
    }
    let all = changes.into_iter().enumerate();
    all.filter(|(i, c)| key(c).is_none_or(|key| last.get(&key) == Some(i)))
        .map(|(_, c)| c)
        .collect()
}

/// A path that resolution looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consulted {
    pub path: Arc<str>,
    pub manifest: Option<Arc<ManifestFacts>>,
    /// `None`: nobody has answered yet.
    pub presence: Option<Presence>,
}
