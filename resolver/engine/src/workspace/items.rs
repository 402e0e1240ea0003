//! One file on its way to its outcomes: all of its items, or those that an edit concerns.

use super::Resolve;
use super::edges::Resolved;
use crate::links::{Build, ImportLink, aliases, collect, value_names_of};
use crate::resolve::{FileEdges, PackedEdges, Plan, Run};
use crate::snapshot::FileState;
use crate::state::{Ctx, Db, Dep, FileEntry, Memos, Part, Rests, Shared};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use surefoot_facts::{FileFacts, ItemFacts, Name};
use surefoot_graph::Outcome;

/// What of a file is to be resolved.
#[derive(Clone, Default)]
pub(super) struct Stale {
    /// All of it, whatever is known.
    pub whole: bool,
    /// The facts its outcomes belong to, where they are not those of now.
    pub before: Option<Arc<FileFacts>>,
    /// Parts of those that rest on what has changed.
    pub parts: FxHashSet<Part>,
}

/// What resolving needs beside the file.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub db: &'a Db,
    pub memos: &'a Memos,
    pub resolve: Resolve,
}

/// One file while it is resolved.
pub(super) struct At<'a> {
    with: With<'a>,
    ctx: Ctx<'a>,
    entry: &'a FileEntry,
    state: &'a FileState,
    /// What others placed.
    asked: &'a [(u32, Outcome)],
    reads: Vec<(Dep, Part)>,
}

impl<'a> At<'a> {
    pub(super) fn new(with: With<'a>, state: &'a FileState, asked: &'a [(u32, Outcome)]) -> At<'a> {
        At {
            with,
            ctx: Ctx::new(with.db, with.memos),
            entry: &state.entry,
            state,
            asked,
            reads: Vec::new(),
        }
    }

    fn item(&mut self, item: usize, build: &mut Build<'_>) -> Vec<Outcome> {
        let at = item as u32;
        let outcomes = (self.with.resolve)(&self.ctx, self.entry.id, at);
        let start = self.entry.site_starts.get(item).copied().unwrap_or(0);
        build.item(&self.ctx, at, self.asked, |i| {
            (start + i, outcomes.get(i as usize))
        });
        self.note(Part::item(item));
        outcomes
    }

    fn imports(&mut self) -> Vec<ImportLink> {
        let links = collect(&self.ctx, self.entry);
        self.note(Part::IMPORTS);
        links
    }

    /// What was read since is what this part rests on.
    fn note(&mut self, part: Part) {
        let read = self.ctx.take_reads();
        self.reads.extend(read.into_iter().map(|dep| (dep, part)));
    }

    /// Resolves the file as a whole.
    pub(super) fn whole(mut self) -> Resolved {
        let mut build = Build::new(self.with.db, self.entry);
        let items = self.entry.facts.items.len();
        let mut outcomes = Vec::with_capacity(self.entry.site_count() as usize);
        for item in 0..items {
            outcomes.extend(self.item(item, &mut build));
        }
        let imports = self.imports();
        let edges = PackedEdges::new(&FileEdges::new(outcomes), self.entry);
        Resolved {
            edges,
            links: build.finish(imports.into()),
            rests: Rests::new(self.reads),
            changed: None,
            symbols: Vec::new(),
            items,
        }
    }

    /// Resolves what is stale; `None`: nothing is.
    pub(super) fn some(mut self, stale: &Stale, rests: &Rests) -> Option<Resolved> {
        let now = self.entry.facts.clone();
        let old = &stale.before.as_ref().unwrap_or(&now).items;
        let new = &now.items;
        let shared = Shared::of(old, new);
        let back = new.len() - shared.back;
        let gone = &old[shared.front..old.len() - shared.back];
        let came = &new[shared.front..back];
        let mut build = Build::new(self.with.db, self.entry);
        let mut plan = Plan::default();
        let mut symbols = Vec::new();
        // Where an item that stays as it was stood before.
        let mut start = 0;
        let starts = old.iter().map(|item| {
            let at = start;
            start += item.sites.len() as u32;
            (at, start)
        });
        let starts: Vec<(u32, u32)> = starts.collect();
        let mut kept = vec![None; old.len()];
        for i in 0..new.len() {
            let was = match i {
                _ if i < shared.front => Some(i),
                _ if i >= back => Some(i + old.len() - new.len()),
                _ => None,
            };
            let stays = was.filter(|was| !stale.parts.contains(&Part::item(*was)));
            if let Some(was) = stays {
                kept[was] = Some(i);
                let to = self.entry.site_starts.get(i).copied().unwrap_or(0);
                let (start, end) = starts[was];
                plan.keep(Run { start, end, to });
                continue;
            }
            let outcomes = self.item(i, &mut build);
            plan.fresh.push((i as u32, outcomes));
            symbols.extend(self.entry.symbols.get(i).into_iter().flat_map(|s| s.iter()));
        }
        let imports_stale = stale.parts.contains(&Part::IMPORTS);
        let asked = !self.asked.is_empty() || self.state.answers.is_some();
        if plan.fresh.is_empty() && gone.is_empty() && !imports_stale && !asked {
            return None;
        }
        let import_again = imports_stale || import_others(self.entry, gone, came);
        let imports = if import_again {
            self.imports().into()
        } else {
            moved_imports(self.state, old.len(), new.len(), shared)
        };
        let edges = self.state.edges.spliced(&plan, self.entry);
        let same_aliases = || {
            let mut touched = gone.iter().chain(came);
            !touched.any(|i| !i.imports.is_empty()) || aliases(old) == aliases(new)
        };
        let (links, changed) = if !asked && same_aliases() {
            let before = &self.state.links;
            let (links, changed) = before.spliced(self.with.db, &plan, build, imports);
            (links, Some(changed))
        } else {
            let ctx = Ctx::new(self.with.db, self.with.memos);
            let outcomes = edges.unpacked(self.entry);
            let mut build = Build::new(self.with.db, self.entry);
            for i in 0..new.len() {
                let start = self.entry.site_starts.get(i).copied().unwrap_or(0);
                let own = |n| (start + n, outcomes.outcome(start + n));
                build.item(&ctx, i as u32, self.asked, own);
            }
            (build.finish(imports), None)
        };
        // What stays rests on what it did.
        self.reads.extend(rests.reads().filter_map(|(dep, part)| {
            let part = match part.as_item() {
                None if import_again => return None,
                None => part,
                Some(was) => Part::item((*kept.get(was)?)?),
            };
            Some((dep, part))
        }));
        Some(Resolved {
            edges,
            links,
            rests: Rests::new(self.reads),
            changed,
            symbols,
            items: plan.fresh.len(),
        })
    }
}

/// Whether an edit changes what a file imports, or which imports are used as values.
fn import_others(entry: &FileEntry, gone: &[Arc<ItemFacts>], came: &[Arc<ItemFacts>]) -> bool {
    let mut all = gone.iter().chain(came).flat_map(|i| &i.imports);
    if all.any(|i| !i.spec.is_empty()) {
        return true;
    }
    let names = |items: &[Arc<ItemFacts>]| {
        let mut out: FxHashSet<Name> = FxHashSet::default();
        items.iter().for_each(|i| value_names_of(i, &mut out));
        out
    };
    let (before, after) = (names(gone), names(came));
    if before == after {
        return false;
    }
    let mut all = entry.facts.items.iter().flat_map(|i| &i.imports);
    all.any(|i| before.contains(&i.local) != after.contains(&i.local))
}

/// The same imports in items that stand elsewhere in the file.
fn moved_imports(state: &FileState, old: usize, new: usize, shared: Shared) -> Arc<[ImportLink]> {
    let links = state.links.shared_imports();
    if old == new {
        return links.clone();
    }
    let moved = links.iter().map(|link| {
        let at = link.item as usize;
        let item = if at < shared.front {
            at
        } else {
            at + new - old
        };
        ImportLink {
            item: item as u32,
            ..link.clone()
        }
    });
    moved.collect()
}
