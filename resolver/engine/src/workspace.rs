//! The owner of the graph: takes changes, asks again whoever read what changed,
//! publishes snapshots.

use crate::change::{Answers, Applied, Cancel, Change, FileChange, Need, Pool, Work};
use crate::delta::{Touched, delta};
use crate::languages::Languages;
use crate::links::{FileLinks, GapCount, Share};
use crate::resolve::{FileEdges, resolve_file};
use crate::snapshot::{FileState, Snapshot, Tables, Unread, families};
use crate::state::{Ctx, Db, Dep, Deps, FileEntry, Memos, Presence, changed_keys};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use surefoot_facts::{LanguageId, ManifestFacts, Name};
use surefoot_graph::{Cause, FileId, Outcome, SymbolId};

/// What became of the sites of a file. The engine's own is [`resolve_file`];
/// tests put others in its place.
pub type Resolve = fn(&Ctx<'_>, FileId) -> FileEdges;

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
    pending: FxHashSet<FileId>,
    answers: FxHashMap<FileId, Answers>,
    /// Whether any file was ever resolved: before that nothing was read.
    warm: bool,
}

/// Answers lead to new questions along chains of manifests; no tree has longer
/// ones. What is still asked then stays in [`Workspace::needs`].
const MAX_ROUNDS: usize = 64;

/// A file on its way into the tables.
struct Arrival {
    id: FileId,
    old: Option<Arc<FileEntry>>,
    file: FileChange,
    prelude: bool,
    module: SymbolId,
    symbols: Arc<[Box<[SymbolId]>]>,
}

/// What one task brings back.
struct Resolved {
    file: FileId,
    edges: FileEdges,
    links: FileLinks,
    deps: Deps,
    poisoned: Option<Arc<str>>,
}

impl Workspace {
    pub fn new(languages: Languages) -> Workspace {
        Workspace::with_resolver(languages, resolve_file)
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
            pending: FxHashSet::default(),
            answers: FxHashMap::default(),
            warm: false,
        }
    }

    /// The newest state in which every file is resolved.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.clone()
    }

    /// Derived values held, and roughly how many bytes they and the base values take.
    pub fn memory(&self) -> Memory {
        let (memos, memo_bytes) = self.memos.size();
        let mut facts_bytes = 0;
        let mut edge_bytes = 0;
        for state in self.tables.files.values() {
            let items = &state.entry.facts.items;
            facts_bytes += items.iter().map(|i| i.heap_bytes()).sum::<usize>();
            facts_bytes += state.entry.positions.lines.heap_bytes();
            edge_bytes += state.edges.heap_bytes() + state.links.heap_bytes();
        }
        Memory {
            memos,
            memo_bytes,
            facts_bytes,
            edge_bytes,
        }
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

    /// Every path that resolution looked at, with what it found there, sorted:
    /// the configuration a result rests on, absences included.
    pub fn consulted(&self) -> Vec<Consulted> {
        let read = self.memos.paths_read();
        let mut paths: Vec<Name> = read
            .into_iter()
            .filter_map(Dep::as_need)
            .map(|need| Name::new(need.path()))
            .filter(|name| !self.db.by_path.contains_key(name))
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
        self.pending.extend(self.tables.poisoned.iter());
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
        Applied {
            poisoned: poisoned.collect(),
            delta: Arc::new(if interrupted {
                Default::default()
            } else {
                self.publish()
            }),
            work,
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

    // ---- changes -------------------------------------------------------------------

    fn file(&mut self, file: FileChange, arrivals: &mut Vec<Arrival>) {
        let name = Name::new(&file.path);
        if self.tables.unread.contains_key(&file.path) {
            Arc::make_mut(&mut self.tables.unread).remove(&file.path);
            self.touched.floors = true;
        }
        self.load_prelude(file.language, arrivals);
        let old = self.db.by_path.get(&name).copied();
        let old = old.and_then(|id| self.db.file(id)).cloned();
        if let Some(old) = &old {
            if self
                .answers
                .get(&old.id)
                .is_some_and(|a| a.digest != file.digest)
            {
                self.answers.remove(&old.id);
                if let Some(state) = self.tables.files.get(old.id)
                    && state.answers.is_some()
                {
                    self.pending.insert(old.id);
                }
            }
            if old.language == file.language && *old.facts == *file.facts {
                return self.keep(old, file);
            }
        }
        let next = FileId(self.db.files.len() as u32);
        let id = *self.ids.entry(name).or_insert(next);
        if id == next {
            self.db.files.push(None);
        }
        self.arrive(id, old, file, false, arrivals);
    }

    /// Equal facts: whatever rests on them stands. Positions, digest and size follow.
    fn keep(&mut self, old: &Arc<FileEntry>, file: FileChange) {
        let same_text = *old.positions == *file.positions && old.bytes == file.bytes;
        if same_text && old.digest == file.digest {
            return;
        }
        let entry = Arc::new(FileEntry {
            digest: file.digest,
            bytes: file.bytes,
            positions: file.positions,
            ..(**old).clone()
        });
        self.db.files[old.id.index()] = Some(entry.clone());
        if let Some(state) = self.tables.files.get_mut(old.id) {
            state.entry = entry;
        }
        self.touched.moved = true;
    }

    fn arrive(
        &mut self,
        id: FileId,
        old: Option<Arc<FileEntry>>,
        file: FileChange,
        prelude: bool,
        arrivals: &mut Vec<Arrival>,
    ) {
        let (module, symbols) = self.db.identify(id, &file.facts);
        arrivals.push(Arrival {
            id,
            old,
            file,
            prelude,
            module,
            symbols,
        });
    }

    /// The first file of a language brings the stubs of its standard library.
    fn load_prelude(&mut self, language: LanguageId, arrivals: &mut Vec<Arrival>) {
        if self.db.preludes.contains_key(&language) {
            return;
        }
        let mut modules = Vec::new();
        if let Some(l) = self.db.languages.get(language) {
            for &(path, text) in l.prelude() {
                if let Some(&known) = self.prelude_files.get(path) {
                    let arriving = arrivals.iter().find(|a| a.id == known).map(|a| a.module);
                    modules.extend(arriving.or(self.db.file(known).map(|f| f.module)));
                    continue;
                }
                let id = FileId(self.db.files.len() as u32);
                self.db.files.push(None);
                self.prelude_files.insert(path, id);
                let file = FileChange::new(
                    format!("<prelude>/{path}"),
                    [0; 32],
                    text.len() as u32,
                    l.facts(text),
                );
                self.arrive(id, None, file, true, arrivals);
                modules.extend(arrivals.last().map(|a| a.module));
            }
        }
        self.db.preludes.insert(language, modules);
    }

    fn remove(&mut self, path: &Arc<str>, keys: &mut FxHashSet<Dep>) {
        if self.tables.unread.contains_key(path) {
            Arc::make_mut(&mut self.tables.unread).remove(path);
            self.touched.floors = true;
        }
        let name = Name::new(path);
        let Some(id) = self.db.by_path.remove(&name) else {
            return;
        };
        let Some(old) = self.db.files[id.index()].take() else {
            return;
        };
        keys.extend(changed_keys(Some(&old), None));
        keys.extend(Db::path_keys(path));
        self.db.sum(&old.index, false);
        self.memos.forget_file(id);
        self.answers.remove(&id);
        self.pending.remove(&id);
        self.forget_symbols(&old, None);
        self.tables.paths.remove(name);
        let order = Arc::make_mut(&mut self.tables.order);
        if let Some(at) = order.iter().position(|&f| f == id) {
            order.remove(at);
        }
        if let Some(state) = self.tables.files.remove(id) {
            self.replace_links(id, &state.entry, &state.links, &FileLinks::default());
        }
        self.set_poisoned(id, false);
        self.touched.files.insert(id);
    }

    fn manifest(
        &mut self,
        path: &Arc<str>,
        facts: Option<Arc<ManifestFacts>>,
        keys: &mut FxHashSet<Dep>,
    ) {
        let name = Name::new(path);
        let old = self.db.manifests.get(&name);
        if old == facts.as_ref() {
            return;
        }
        let comes_or_goes = old.is_none() != facts.is_none();
        let unreadable = |m: Option<&Arc<ManifestFacts>>| {
            m.is_some_and(|m| matches!(**m, ManifestFacts::Unreadable(_)))
        };
        self.touched.floors |= unreadable(old) != unreadable(facts.as_ref());
        self.touched.moved = true;
        let [_, manifest, _] = Db::path_keys(path);
        keys.insert(manifest);
        if comes_or_goes {
            keys.extend(Db::path_keys(path));
        }
        let file = path.rsplit('/').next().unwrap_or(path);
        let named = self.db.manifests_named.entry(Name::new(file)).or_default();
        let shown = Arc::make_mut(&mut self.tables.manifests);
        match facts {
            Some(facts) => {
                named.insert(path.clone());
                shown.insert(path.clone(), facts.clone());
                self.db.manifests.insert(name, facts);
            }
            None => {
                named.remove(path);
                shown.remove(path);
                self.db.manifests.remove(&name);
            }
        }
        self.memos.answered(manifest);
    }

    fn presence(&mut self, path: &str, presence: Presence, keys: &mut FxHashSet<Dep>) {
        let name = Name::new(path);
        // Not looked at yet reads as absent: only something that stands there is news.
        let old = self.db.presence.insert(name, presence.clone());
        if old.unwrap_or(Presence::Absent) != presence {
            keys.extend(Db::path_keys(path));
        }
        self.memos.answered(Dep::path(name));
        self.memos.answered(Dep::manifest(name));
    }

    fn answer(&mut self, answers: Answers) {
        let Some(id) = self.db.file_at(&answers.path) else {
            return;
        };
        // Placed in another text than the one that stands here now: dropped.
        if self.db.file(id).is_none_or(|f| f.digest != answers.digest) {
            return;
        }
        let entry = self.answers.entry(id).or_insert_with(|| Answers {
            placed: Vec::new(),
            ..answers.clone()
        });
        for (site, outcome) in answers.placed {
            match entry.placed.binary_search_by_key(&site, |a| a.0) {
                Ok(at) => entry.placed[at].1 = outcome,
                Err(at) => entry.placed.insert(at, (site, outcome)),
            }
        }
        self.pending.insert(id);
    }

    // ---- base values ---------------------------------------------------------------

    /// Puts files into the base values and the tables of symbols.
    fn settle(&mut self, arrivals: Vec<Arrival>, pool: &Pool, keys: &mut FxHashSet<Dep>) {
        let db = &self.db;
        let entries = pool.each(&arrivals, |a| Arc::new(a.entry(db)));
        let mut came = Vec::new();
        for (arrival, entry) in arrivals.into_iter().zip(entries) {
            let (id, old) = (arrival.id, arrival.old.as_deref());
            if self.warm {
                keys.extend(changed_keys(old, Some(&entry)));
                if old.is_none() {
                    keys.extend(Db::path_keys(&entry.path));
                }
            }
            if let Some(old) = old {
                self.db.sum(&old.index, false);
            }
            self.db.sum(&entry.index, true);
            self.db.files[id.index()] = Some(entry.clone());
            self.learn_symbols(old, &entry);
            if !entry.prelude {
                self.db.by_path.insert(entry.path_name, id);
                if self.tables.paths.insert(entry.path_name, id).is_none() {
                    came.push(id);
                }
                self.pending.insert(id);
            }
            self.touched.files.insert(id);
            match self.tables.files.get_mut(id) {
                Some(state) => state.entry = entry,
                None => {
                    let state = FileState {
                        entry,
                        edges: Arc::default(),
                        links: Arc::default(),
                        answers: None,
                        poisoned: None,
                    };
                    self.tables.files.insert(id, state);
                }
            }
        }
        if !came.is_empty() {
            let order = Arc::make_mut(&mut self.tables.order);
            order.extend(came);
            let files = &self.tables.files;
            order.sort_by(|a, b| {
                let path = |f: &FileId| files.get(*f).map(|s| &*s.entry.path);
                path(a).cmp(&path(b))
            });
        }
    }

    fn learn_symbols(&mut self, old: Option<&FileEntry>, new: &FileEntry) {
        if let Some(old) = old {
            self.forget_symbols(old, Some(new));
        }
        let module = crate::state::Loc {
            file: new.id,
            item: 0,
            sym: surefoot_facts::SymIdx::NONE,
        };
        self.place_symbol(new.module, module);
        for (id, item, at, sym) in new.each_symbol() {
            let loc = crate::state::Loc {
                file: new.id,
                item: at,
                sym,
            };
            self.place_symbol(id, loc);
            let name = item.symbol(sym).map_or(Name::EMPTY, |s| s.name);
            if new.prelude || name.is_empty() {
                continue;
            }
            let known = self.tables.buckets.get(name);
            if !known.is_some_and(|b| b.symbols.contains(id)) {
                self.tables.buckets.entry(name).symbols.insert(id);
            }
        }
    }

    fn place_symbol(&mut self, id: SymbolId, loc: crate::state::Loc) {
        if self.tables.symbols.get(id) != Some(&loc) {
            self.tables.symbols.insert(id, loc);
        }
    }

    /// Takes out the symbols of a file that are not in its next version.
    fn forget_symbols(&mut self, old: &FileEntry, new: Option<&FileEntry>) {
        let mut stay: FxHashSet<SymbolId> = FxHashSet::default();
        if let Some(new) = new {
            stay.extend(new.each_symbol().map(|(id, ..)| id));
            stay.insert(new.module);
        }
        let own = old.each_symbol().map(|(id, item, _, sym)| {
            let name = item.symbol(sym).map_or(Name::EMPTY, |s| s.name);
            (id, name)
        });
        let gone = own.chain([(old.module, Name::EMPTY)]);
        for (id, name) in gone.filter(|(id, _)| !stay.contains(id)) {
            self.tables.symbols.remove(id);
            if let Some(bucket) = self.tables.buckets.get_mut(name) {
                bucket.symbols.remove(id);
                if bucket.is_empty() {
                    self.tables.buckets.remove(name);
                }
            }
        }
    }

    fn invalidate(&mut self, keys: &FxHashSet<Dep>) {
        if !self.warm || keys.is_empty() {
            return;
        }
        let keys: Vec<Dep> = keys.iter().copied().collect();
        let stale = self.memos.invalidate(&keys);
        let db = &self.db;
        self.pending.extend(stale.into_iter().filter(|&f| {
            // A prelude gives types; it is never resolved itself.
            db.file(f).is_some_and(|f| !f.prelude)
        }));
    }

    // ---- resolution ----------------------------------------------------------------

    /// Resolves what is pending, the largest files first. True when cancelled.
    fn resolve_pending(&mut self, pool: &Pool, cancel: &Cancel, work: &mut Work) -> bool {
        let mut todo: Vec<FileId> = self.pending.drain().collect();
        todo.sort_unstable_by_key(|&f| {
            let size = self.db.file(f).map_or(0, |f| f.bytes);
            (std::cmp::Reverse(size), f)
        });
        self.warm |= !todo.is_empty();
        let (db, memos, resolve) = (&self.db, &self.memos, self.resolve);
        let answers = &self.answers;
        let done = pool.each(&todo, |&file| {
            if cancel.is_cancelled() {
                return None;
            }
            let asked = answers.get(&file).map_or(&[][..], |a| &a.placed);
            Some(one_file(db, memos, resolve, file, asked))
        });
        let mut interrupted = false;
        for (file, done) in todo.into_iter().zip(done) {
            match done {
                Some(resolved) => {
                    work.resolved += 1;
                    self.take(resolved);
                }
                None => {
                    interrupted = true;
                    self.pending.insert(file);
                }
            }
        }
        interrupted
    }

    fn take(&mut self, r: Resolved) {
        self.memos.set_file(r.file, r.deps);
        self.set_poisoned(r.file, r.poisoned.is_some());
        let answers = self
            .answers
            .get(&r.file)
            .map(|a| a.placed.as_slice().into());
        let Some(state) = self.tables.files.get_mut(r.file) else {
            return;
        };
        let old = std::mem::replace(&mut state.links, Arc::new(r.links));
        state.edges = Arc::new(r.edges);
        state.answers = answers;
        state.poisoned = r.poisoned;
        let (entry, new) = (state.entry.clone(), state.links.clone());
        self.replace_links(r.file, &entry, &old, &new);
        self.touched.files.insert(r.file);
    }

    fn set_poisoned(&mut self, file: FileId, on: bool) {
        let poisoned = &mut self.tables.poisoned;
        let changed = if on {
            poisoned.insert(file)
        } else {
            poisoned.contains(file) && poisoned.remove(file)
        };
        self.touched.floors |= changed;
    }

    /// The edge layer's sums: `- old + new`, where they differ.
    fn replace_links(&mut self, file: FileId, entry: &FileEntry, old: &FileLinks, new: &FileLinks) {
        let uses = &mut self.tables.uses;
        let touched = &mut self.touched;
        FileLinks::each_changed_share(old, new, |id, a, b| {
            touched.symbols.insert(id);
            let sum = uses.entry(id);
            if let Some(a) = a {
                sum.sub(a);
            }
            match b {
                Some(b) => {
                    sum.add(b);
                    sum.files.insert(file);
                }
                None => {
                    sum.files.remove(file);
                }
            }
            if sum.files.is_empty() {
                uses.remove(id);
            }
        });
        let family = self.tables.families.get(entry.language.0 as usize);
        let family = family.copied().unwrap_or(entry.language.0);
        let mut gaps: FxHashMap<Name, (GapCount, GapCount)> = FxHashMap::default();
        for (name, count) in old.gap_counts() {
            gaps.entry(name).or_default().0 = count;
        }
        for (name, count) in new.gap_counts() {
            gaps.entry(name).or_default().1 = count;
        }
        for (name, (a, b)) in gaps {
            if a == b || name.is_empty() {
                continue;
            }
            touched.names.insert(name);
            let bucket = self.tables.buckets.entry(name);
            bucket.recount(family, a, b);
            if b == GapCount::default() {
                bucket.gap_files.remove(file);
            } else {
                bucket.gap_files.insert(file);
            }
            if bucket.is_empty() {
                self.tables.buckets.remove(name);
            }
        }
        let named = |links: &FileLinks| -> FxHashSet<SymbolId> {
            let all = links.kin().iter();
            all.flat_map(|k| [k.base, k.derived]).collect()
        };
        let (a, b) = (named(old), named(new));
        for &id in a.difference(&b) {
            if let Some(files) = self.tables.kin.get_mut(id) {
                files.remove(file);
                if files.is_empty() {
                    self.tables.kin.remove(id);
                }
            }
        }
        for &id in b.difference(&a) {
            self.tables.kin.entry(id).insert(file);
        }
    }

    fn publish(&mut self) -> crate::GraphDelta {
        let old = self.published.clone();
        if self.touched.is_empty() {
            return crate::GraphDelta {
                from: old.revision(),
                to: old.revision(),
                ..Default::default()
            };
        }
        let touched = std::mem::take(&mut self.touched);
        let new = Arc::new(Snapshot::new(old.revision() + 1, self.tables.clone()));
        self.published = new.clone();
        delta(&old, &new, &touched)
    }
}

impl Arrival {
    fn entry(&self, db: &Db) -> FileEntry {
        let f = &self.file;
        let index = db.index(
            &f.path,
            f.language,
            self.id,
            &f.facts,
            self.module,
            &self.symbols,
        );
        let mut sites = 0;
        let mut starts = vec![0];
        for item in &f.facts.items {
            sites += item.sites.len() as u32;
            starts.push(sites);
        }
        FileEntry {
            id: self.id,
            path: f.path.clone(),
            path_name: Name::new(&f.path),
            language: f.language,
            digest: f.digest,
            bytes: f.bytes,
            facts: f.facts.clone(),
            positions: f.positions.clone(),
            symbols: self.symbols.clone(),
            module: self.module,
            site_starts: starts.into(),
            prelude: self.prelude,
            index: Arc::new(index),
        }
    }
}

/// Resolves one file; a panic concerns that file and no other.
fn one_file(
    db: &Db,
    memos: &Memos,
    resolve: Resolve,
    file: FileId,
    asked: &[(u32, Outcome)],
) -> Resolved {
    let ctx = Ctx::new(db, memos);
    let run = || {
        let edges = resolve(&ctx, file);
        let links = db
            .file(file)
            .map(|f| FileLinks::build(&ctx, f, &edges, asked));
        (edges, links.unwrap_or_default())
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok((edges, links)) => Resolved {
            file,
            edges,
            links,
            deps: ctx.into_deps(),
            poisoned: None,
        },
        Err(panic) => {
            let sites = db.file(file).map_or(0, |f| f.site_count());
            let outcomes = (0..sites).map(|_| Outcome::undetermined(Cause::Budget));
            let edges = FileEdges::new(outcomes.collect());
            let links = catch_unwind(AssertUnwindSafe(|| {
                let ctx = Ctx::new(db, memos);
                let file = db.file(file);
                file.map(|f| FileLinks::build(&ctx, f, &edges, &[]))
            }));
            Resolved {
                file,
                links: links.ok().flatten().unwrap_or_default(),
                edges,
                // What it read is not known; it is tried again with every update.
                deps: Deps::default(),
                poisoned: Some(words_of(&*panic)),
            }
        }
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> Arc<str> {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("an internal error").into()
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

impl crate::snapshot::Uses {
    fn add(&mut self, s: Share) {
        self.callers += s.callers;
        self.test_callers += s.test_callers;
        self.caller_files += u32::from(s.callers > 0);
        self.plain_caller_files += u32::from(s.callers > s.test_callers);
        self.sites += s.sites;
        self.possible += s.possible;
        self.test_possible += s.test_possible;
        self.values += s.values;
        self.own_name_gaps += s.own_name_gaps;
    }

    fn sub(&mut self, s: Share) {
        self.callers -= s.callers;
        self.test_callers -= s.test_callers;
        self.caller_files -= u32::from(s.callers > 0);
        self.plain_caller_files -= u32::from(s.callers > s.test_callers);
        self.sites -= s.sites;
        self.possible -= s.possible;
        self.test_possible -= s.test_possible;
        self.values -= s.values;
        self.own_name_gaps -= s.own_name_gaps;
    }
}

impl crate::snapshot::Bucket {
    fn recount(&mut self, family: u8, old: GapCount, new: GapCount) {
        let at = match self.gaps.iter().position(|g| g.0 == family) {
            Some(at) => at,
            None => {
                self.gaps.push((family, 0, 0));
                self.gaps.len() - 1
            }
        };
        let slot = &mut self.gaps[at];
        slot.1 = slot.1 + new.sites - old.sites;
        slot.2 = slot.2 + new.capped - old.capped;
        if slot.1 == 0 && slot.2 == 0 {
            self.gaps.remove(at);
        }
    }
}

/// What a workspace holds, by owner, in bytes and counts; estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    pub memos: usize,
    pub memo_bytes: usize,
    pub facts_bytes: usize,
    pub edge_bytes: usize,
}

/// A path that resolution looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consulted {
    pub path: Arc<str>,
    pub manifest: Option<Arc<ManifestFacts>>,
    /// `None`: nobody has answered yet.
    pub presence: Option<Presence>,
}
