//! Resolving what is pending, and the edge layer as a sum of what each file gives.

use super::attended::{At, Attended, ByItem};
use super::{Resolve, Workspace};
use crate::change::{Cancel, Pool, Work};
use crate::links::{Changed, FileLinks, GapCount, Share};
use crate::resolve::{FileEdges, PackedEdges};
use crate::snapshot::{Bucket, FileState, Uses};
use crate::state::{Ctx, Db, Deps, FileEntry, Memos};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::{Cause, FileId, Outcome, SymbolId};

/// What one task brings back.
pub(super) struct Resolved {
    pub file: FileId,
    pub edges: PackedEdges,
    pub links: FileLinks,
    /// What it read; of a file that is attended to, what its resolved items did.
    pub deps: Deps,
    pub poisoned: Option<Arc<str>>,
    /// With a file that is attended to.
    pub by_item: Option<ByItem>,
}

impl Workspace {
    /// Resolves what is pending, the largest files first. True when cancelled.
    pub(super) fn resolve_pending(
        &mut self,
        pool: &Pool,
        cancel: &Cancel,
        work: &mut Work,
    ) -> bool {
        let mut todo: Vec<FileId> = self.pending.drain().collect();
        todo.sort_unstable_by_key(|&f| {
            let size = self.db.file(f).map_or(0, |f| f.bytes);
            (std::cmp::Reverse(size), f)
        });
        self.warm |= !todo.is_empty();
        let with = (&self.db, &self.memos, self.resolve);
        let (answers, attended, files) = (&self.answers, &self.attended, &self.tables.files);
        let done = pool.each(&todo, |&file| {
            if cancel.is_cancelled() {
                return None;
            }
            let asked = answers.get(&file).map_or(&[][..], |a| &a.placed);
            Some(match attended.get(&file).zip(files.get(file)) {
                Some((attended, state)) => some_items(with, attended, state, asked),
                None => Some(one_file(with, file, asked)),
            })
        });
        let mut interrupted = false;
        for (file, done) in todo.into_iter().zip(done) {
            match done {
                Some(Some(resolved)) => {
                    work.resolved += 1;
                    work.items += resolved.items(&self.db);
                    self.take(resolved);
                }
                // Nothing of it rests on what changed.
                Some(None) => {}
                None => {
                    interrupted = true;
                    self.pending.insert(file);
                }
            }
        }
        interrupted
    }

    fn take(&mut self, mut r: Resolved) {
        let by_item = r.by_item.take();
        match &by_item {
            Some(_) => self.memos.extend_file(r.file, &r.deps),
            None => {
                self.attended.remove(&r.file);
                self.memos.set_file(r.file, r.deps);
            }
        }
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
        let changed = match by_item {
            Some(by_item) => {
                let symbols = by_item.symbols.clone();
                let changed = self.take_items(r.file, by_item);
                match &changed {
                    Some(changed) => self.touched.part(r.file, changed, symbols),
                    None => self.touched.whole(r.file),
                }
                changed
            }
            None => {
                self.touched.whole(r.file);
                None
            }
        };
        self.replace_links(r.file, &entry, (&old, &new), changed.as_ref());
    }

    pub(super) fn set_poisoned(&mut self, file: FileId, on: bool) {
        let poisoned = &mut self.tables.poisoned;
        let changed = if on {
            poisoned.insert(file)
        } else {
            poisoned.contains(file) && poisoned.remove(file)
        };
        self.touched.floors |= changed;
    }

    /// The edge layer's sums: `- old + new`, where they differ, which is where
    /// `changed` says when it is there.
    pub(super) fn replace_links(
        &mut self,
        file: FileId,
        entry: &FileEntry,
        (old, new): (&FileLinks, &FileLinks),
        changed: Option<&Changed>,
    ) {
        let uses = &mut self.tables.uses;
        let touched = &mut self.touched;
        let mut recount = |id, a: Option<Share>, b: Option<Share>| {
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
        };
        match changed {
            Some(changed) => {
                for &id in &changed.callees {
                    let (a, b) = (old.share_of(id), new.share_of(id));
                    if a != b {
                        recount(id, a, b);
                    }
                }
            }
            None => FileLinks::each_changed_share(old, new, recount),
        }
        let family = self.tables.families.get(entry.language.0 as usize);
        let family = family.copied().unwrap_or(entry.language.0);
        let mut gaps: FxHashMap<Name, (GapCount, GapCount)> = FxHashMap::default();
        match changed {
            Some(changed) => {
                let count = |of: &FileLinks, name| GapCount::of(of.gaps_named(name));
                let names = changed.names.iter();
                gaps.extend(names.map(|&n| (n, (count(old, n), count(new, n)))));
            }
            None => {
                for (name, count) in old.gap_counts() {
                    gaps.entry(name).or_default().0 = count;
                }
                for (name, count) in new.gap_counts() {
                    gaps.entry(name).or_default().1 = count;
                }
            }
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
        if old.kin() == new.kin() {
            return;
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
}

/// What resolving needs beside the file.
type With<'a> = (&'a Db, &'a Memos, Resolve);

/// Resolves what concerns a file that is attended to; `None`: nothing does.
fn some_items(
    with: With<'_>,
    attended: &Attended,
    state: &FileState,
    asked: &[(u32, Outcome)],
) -> Option<Resolved> {
    let run = || At::new(with, state, asked).resolve(attended);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(resolved) => resolved,
        // As a whole it fails again, and says so.
        Err(_) => Some(one_file(with, state.entry.id, asked)),
    }
}

/// Resolves one file; a panic concerns that file and no other.
fn one_file((db, memos, resolve): With<'_>, file: FileId, asked: &[(u32, Outcome)]) -> Resolved {
    let ctx = Ctx::new(db, memos);
    let run = || {
        let entry = db.file(file)?;
        let items = 0..entry.facts.items.len() as u32;
        let outcomes = items.flat_map(|item| resolve(&ctx, file, item));
        let edges = FileEdges::new(outcomes.collect());
        let links = FileLinks::build(&ctx, entry, &edges, asked);
        Some((PackedEdges::new(&edges, entry), links))
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => {
            let (edges, links) = done.unwrap_or_default();
            Resolved {
                file,
                edges,
                links,
                deps: ctx.into_deps(),
                poisoned: None,
                by_item: None,
            }
        }
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
                edges: db
                    .file(file)
                    .map_or_else(PackedEdges::default, |f| PackedEdges::new(&edges, f)),
                by_item: None,
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

impl Resolved {
    fn items(&self, db: &Db) -> usize {
        let whole = || db.file(self.file).map_or(0, |f| f.facts.items.len());
        self.by_item.as_ref().map_or_else(whole, |b| b.resolved)
    }
}

impl Uses {
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

impl Bucket {
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
