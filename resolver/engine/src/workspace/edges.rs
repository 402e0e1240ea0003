//! Resolving what is pending, and the edge layer as a sum of what each file gives.

use super::Workspace;
use super::items::{At, Stale, With};
use crate::change::{Cancel, Pool, Work};
use crate::links::{Build, Changed, FileLinks, GapCount, Share, collect};
use crate::resolve::{FileEdges, PackedEdges};
use crate::snapshot::{Bucket, FileState, Uses};
use crate::state::{Ctx, FileEntry, Rests};
use rustc_hash::{FxHashMap, FxHashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::{Cause, FileId, Outcome, SymbolId};

/// What one task brings back.
pub(super) struct Resolved {
    pub edges: PackedEdges,
    pub links: FileLinks,
    pub rests: Rests,
    /// Where the links may differ from those before; `None`: anywhere.
    pub changed: Option<Changed>,
    /// With `changed`: what is declared in the items that were resolved.
    pub symbols: Vec<SymbolId>,
    /// How many items were resolved.
    pub items: usize,
}

/// In what words a panic said why.
type Panicked = Arc<str>;

impl Workspace {
    /// Resolves what is pending, the largest files first. True when cancelled.
    pub(super) fn resolve_pending(
        &mut self,
        pool: &Pool,
        cancel: &Cancel,
        work: &mut Work,
    ) -> bool {
        let mut todo: Vec<(FileId, Stale)> = self.pending.drain().collect();
        todo.sort_unstable_by_key(|(f, _)| {
            let size = self.db.file(*f).map_or(0, |f| f.bytes);
            (std::cmp::Reverse(size), *f)
        });
        self.warm |= !todo.is_empty();
        let with = With {
            db: &self.db,
            memos: &self.memos,
            resolve: self.resolve,
        };
        let (answers, files) = (&self.answers, &self.tables.files);
        let done = pool.each(&todo, |(file, stale)| {
            if cancel.is_cancelled() {
                return None;
            }
            let asked = answers.get(file).map_or(&[][..], |a| &a.placed);
            let state = files.get(*file);
            Some(state.and_then(|state| one_file(with, state, stale, asked)))
        });
        let mut interrupted = false;
        for ((file, stale), done) in todo.into_iter().zip(done) {
            match done {
                Some(Some((resolved, panicked))) => {
                    work.resolved += 1;
                    work.items += resolved.items;
                    self.take(file, resolved, panicked);
                }
                // Nothing of it rests on what changed.
                Some(None) => {}
                None => {
                    interrupted = true;
                    self.pending.insert(file, stale);
                }
            }
        }
        interrupted
    }

    fn take(&mut self, file: FileId, r: Resolved, panicked: Option<Panicked>) {
        self.memos.set_file(file, r.rests);
        self.set_poisoned(file, panicked.is_some());
        let answers = self.answers.get(&file).map(|a| a.placed.as_slice().into());
        let Some(state) = self.tables.files.get_mut(file) else {
            return;
        };
        let old = std::mem::replace(&mut state.links, Arc::new(r.links));
        state.edges = Arc::new(r.edges);
        state.answers = answers;
        state.poisoned = panicked;
        let (entry, new) = (state.entry.clone(), state.links.clone());
        match &r.changed {
            Some(changed) => self.touched.part(file, changed, r.symbols),
            None => self.touched.whole(file),
        }
        self.replace_links(file, &entry, (&old, &new), r.changed.as_ref());
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

/// Resolves what is stale of one file, `None` when nothing is; a panic concerns
/// that file and no other.
fn one_file(
    with: With<'_>,
    state: &FileState,
    stale: &Stale,
    asked: &[(u32, Outcome)],
) -> Option<(Resolved, Option<Panicked>)> {
    let entry = &state.entry;
    let rests = with.memos.of_file(entry.id).filter(|_| !stale.whole);
    if let Some(rests) = rests {
        let some = || At::new(with, state, asked).some(stale, rests);
        // As a whole it fails again, and says so.
        if let Ok(done) = catch_unwind(AssertUnwindSafe(some)) {
            return done.map(|resolved| (resolved, None));
        }
    }
    let whole = || At::new(with, state, asked).whole();
    Some(match catch_unwind(AssertUnwindSafe(whole)) {
        Ok(resolved) => (resolved, None),
        Err(panic) => (given_up(with, state), Some(words_of(&*panic))),
    })
}

/// A file that nothing is known of.
fn given_up(with: With<'_>, state: &FileState) -> Resolved {
    let entry = &state.entry;
    let unknown = Outcome::undetermined(Cause::Budget);
    let edges = FileEdges::new(vec![unknown.clone(); entry.site_count() as usize]);
    let links = catch_unwind(AssertUnwindSafe(|| {
        let ctx = Ctx::new(with.db, with.memos);
        let mut build = Build::new(with.db, entry);
        for (i, start) in entry.site_starts.iter().enumerate() {
            build.item(&ctx, i as u32, &[], |n| (start + n, Some(&unknown)));
        }
        build.finish(collect(&ctx, entry).into())
    }));
    Resolved {
        links: links.unwrap_or_default(),
        edges: PackedEdges::new(&edges, entry),
        // What it read is not known; it is tried again with every update.
        rests: Rests::default(),
        changed: None,
        symbols: Vec::new(),
        items: entry.facts.items.len(),
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> Arc<str> {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("an internal error").into()
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
        self.named += s.named;
        self.test_named += s.test_named;
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
        self.named -= s.named;
        self.test_named -= s.test_named;
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
