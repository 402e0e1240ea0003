//! Changes into base values: files, manifests, presences, and who is concerned.

use super::Workspace;
use crate::change::{Answers, FileChange, Pool};
use crate::links::{Changed, FileLinks};
use crate::snapshot::FileState;
use crate::state::{Db, Dep, FileEntry, FileIndex, Loc, Presence, Shared, changed_keys};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use surefoot_facts::{FileFacts, ItemFacts, LanguageId, ManifestFacts, Name, SymIdx};
use surefoot_graph::{FileId, SymbolId};

/// A file on its way into the tables.
pub(super) struct Arrival {
    id: FileId,
    old: Option<Arc<FileEntry>>,
    file: FileChange,
    pub(super) prelude: bool,
    module: SymbolId,
    symbols: Arc<[Box<[SymbolId]>]>,
}

impl Workspace {
    pub(super) fn file(&mut self, file: FileChange, arrivals: &mut Vec<Arrival>) {
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
                    self.pending.entry(old.id).or_default();
                }
            }
            if old.digest != file.digest {
                self.forget_answers_about(old.id);
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
            contents: file.contents,
            ..(**old).clone()
        });
        self.db.files[old.id.index()] = Some(entry.clone());
        if let Some(state) = self.tables.files.get_mut(old.id) {
            state.entry = entry;
        }
        self.touched.moved.insert(old.id);
    }

    fn arrive(
        &mut self,
        id: FileId,
        old: Option<Arc<FileEntry>>,
        file: FileChange,
        prelude: bool,
        arrivals: &mut Vec<Arrival>,
    ) {
        let (module, symbols) = self.db.identify(id, &file.facts, old.as_deref());
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
                let stands = format!("<prelude>/{path}");
                self.db.stubs.insert(Name::new(&stands), id);
                let file = FileChange::new(stands, [0; 32], text.len() as u32, l.facts(text));
                self.arrive(id, None, file, true, arrivals);
                modules.extend(arrivals.last().map(|a| a.module));
            }
        }
        self.db.preludes.insert(language, modules);
    }

    pub(super) fn remove(&mut self, path: &Arc<str>, keys: &mut FxHashSet<Dep>) {
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
        self.forget_answers_about(id);
        self.pending.remove(&id);
        self.forget_symbols(&old, None, Shared { front: 0, back: 0 });
        self.tables.paths.remove(name);
        self.gone = true;
        if let Some(state) = self.tables.files.remove(id) {
            let none = FileLinks::default();
            self.replace_links(id, &state.entry, (&state.links, &none), None);
        }
        self.set_poisoned(id, false);
        self.touched.whole(id);
    }

    pub(super) fn manifest(
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
        self.touched.other = true;
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

    pub(super) fn presence(&mut self, path: &str, presence: Presence, keys: &mut FxHashSet<Dep>) {
        let name = Name::new(path);
        // Not looked at yet reads as absent: only something that stands there is news.
        let old = self.db.presence.insert(name, presence.clone());
        if old.unwrap_or(Presence::Absent) != presence {
            keys.extend(Db::path_keys(path));
        }
        self.memos.answered(Dep::path(name));
        self.memos.answered(Dep::manifest(name));
    }

    /// An answer holds while both of its ends do: what others said leads into this file was said of another text.
    fn forget_answers_about(&mut self, target: FileId) {
        let symbols = &self.tables.symbols;
        let leads_there = |outcome: &surefoot_graph::Outcome| {
            let candidates = outcome.candidates.iter().flat_map(|c| &c.list);
            let mut named = outcome
                .symbol()
                .into_iter()
                .chain(candidates.map(|c| c.symbol));
            named.any(|symbol| symbols.get(symbol).is_some_and(|at| at.file == target))
        };
        for (file, answers) in &mut self.answers {
            let before = answers.placed.len();
            answers.placed.retain(|(_, outcome)| !leads_there(outcome));
            if answers.placed.len() < before {
                self.pending.entry(*file).or_default();
            }
        }
    }

    pub(super) fn answer(&mut self, answers: Answers) {
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
        self.pending.entry(id).or_default();
    }

    /// Puts files into the base values and the tables of symbols.
    pub(super) fn settle(
        &mut self,
        arrivals: Vec<Arrival>,
        pool: &Pool,
        keys: &mut FxHashSet<Dep>,
    ) {
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
            if old.is_none_or(|old| !Arc::ptr_eq(&old.index, &entry.index)) {
                if let Some(old) = old {
                    self.db.sum(&old.index, false);
                }
                self.db.sum(&entry.index, true);
            }
            self.db.files[id.index()] = Some(entry.clone());
            self.learn_symbols(old, &entry);
            if !entry.prelude {
                self.db.by_path.insert(entry.path_name, id);
                if self.tables.paths.insert(entry.path_name, id).is_none() {
                    came.push(id);
                }
                let stale = self.pending.entry(id).or_default();
                match old {
                    Some(old) if !stale.whole => {
                        // Facts that were never resolved are nobody's before.
                        stale.before.get_or_insert_with(|| old.facts.clone());
                    }
                    _ => stale.whole = true,
                }
            }
            match old {
                // What its items come to is found when they are resolved.
                Some(_) => self.touched.part(id, &Changed::default(), Vec::new()),
                None => self.touched.whole(id),
            }
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
        self.order(came);
    }

    /// Keeps the files in the order of their paths.
    fn order(&mut self, mut came: Vec<FileId>) {
        let files = &self.tables.files;
        let path = |f: FileId| files.get(f).map(|s| &*s.entry.path);
        if std::mem::take(&mut self.gone) {
            Arc::make_mut(&mut self.tables.order).retain(|&f| files.contains(f));
        }
        if came.is_empty() {
            return;
        }
        came.sort_unstable_by_key(|&f| path(f));
        let mut all = Vec::with_capacity(self.tables.order.len() + came.len());
        let mut new = came.into_iter().peekable();
        for &old in self.tables.order.iter() {
            while let Some(f) = new.next_if(|&f| path(f) < path(old)) {
                all.push(f);
            }
            // One that went and came back in the same update stands here already.
            if new.peek() != Some(&old) {
                all.push(old);
            }
        }
        all.extend(new);
        self.tables.order = Arc::new(all);
    }

    fn learn_symbols(&mut self, old: Option<&FileEntry>, new: &FileEntry) {
        let none: &[Arc<ItemFacts>] = &[];
        let was = old.map_or(none, |f| &f.facts.items);
        let shared = Shared::of(was, &new.facts.items);
        if let Some(old) = old {
            self.forget_symbols(old, Some(new), shared);
        }
        let module = Loc {
            file: new.id,
            item: 0,
            sym: SymIdx::NONE,
        };
        self.place_symbol(new.module, module);
        // Behind items that came or went the others stand elsewhere.
        let moved = was.len() != new.facts.items.len();
        let back = if moved { 0 } else { shared.back };
        for (id, item, at, sym) in new.symbols_between(shared.front, back) {
            let loc = Loc {
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

    fn place_symbol(&mut self, id: SymbolId, loc: Loc) {
        if self.tables.symbols.get(id) != Some(&loc) {
            self.tables.symbols.insert(id, loc);
        }
    }

    /// Takes out the symbols of a file that are not in its next version.
    fn forget_symbols(&mut self, old: &FileEntry, new: Option<&FileEntry>, shared: Shared) {
        let mut stay: FxHashSet<SymbolId> = FxHashSet::default();
        if let Some(new) = new {
            let between = new.symbols_between(shared.front, shared.back);
            stay.extend(between.map(|(id, ..)| id));
            stay.insert(new.module);
        }
        let own = old.symbols_between(shared.front, shared.back);
        let own = own.map(|(id, item, _, sym)| {
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

    pub(super) fn invalidate(&mut self, keys: &FxHashSet<Dep>) {
        if !self.warm || keys.is_empty() {
            return;
        }
        let keys: Vec<Dep> = keys.iter().copied().collect();
        for (file, parts) in self.memos.invalidate(&keys) {
            // A prelude gives types; it is never resolved itself.
            if self.db.file(file).is_some_and(|f| !f.prelude) {
                self.pending.entry(file).or_default().parts.extend(parts);
            }
        }
    }
}

impl Arrival {
    /// What the version before contributed, where the items that differ say the
    /// same of what others can read: an edit inside a body.
    fn kept_index(&self, db: &Db) -> Option<Arc<FileIndex>> {
        let (old, new) = (self.old.as_deref()?, &self.file.facts);
        let at = (&*self.file.path, self.id, self.module);
        let items = new.items.len();
        if old.facts.items.len() != items || old.module != self.module {
            return None;
        }
        let shared = Shared::of(&old.facts.items, &new.items);
        let between = shared.front..items - shared.back;
        let was = db.index(at, &old.facts, &old.symbols, between.clone());
        let is = db.index(at, new, &self.symbols, between);
        // Imports are kept by their place; what they say is compared with it.
        let imports = |f: &FileFacts| {
            let mut between = f.items.iter().take(items - shared.back).skip(shared.front);
            between.any(|i| !i.imports.is_empty())
        };
        let same = was == is && !imports(&old.facts) && !imports(new);
        same.then(|| old.index.clone())
    }

    fn entry(&self, db: &Db) -> FileEntry {
        let f = &self.file;
        let index = self.kept_index(db).unwrap_or_else(|| {
            let at = (&*f.path, self.id, self.module);
            let all = 0..f.facts.items.len();
            Arc::new(db.index(at, &f.facts, &self.symbols, all))
        });
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
            contents: f.contents.clone(),
            symbols: self.symbols.clone(),
            module: self.module,
            site_starts: starts.into(),
            prelude: self.prelude,
            index,
        }
    }
}
