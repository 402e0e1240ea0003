//! Files that are being edited: what each item rests on is kept, so that an edit resolves the items it concerns.

use super::edges::Resolved;
use super::{Resolve, Workspace};
use crate::links::{Build, Changed, FileLinks, ImportLink, aliases, collect, value_names_of};
use crate::resolve::{Plan, Run};
use crate::snapshot::FileState;
use crate::state::{Ctx, Db, Dep, Deps, FileEntry, Memos, Shared};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use surefoot_facts::{ItemFacts, Name};
use surefoot_graph::{FileId, Outcome, SymbolId};

/// So many files at most are attended to; the others are resolved as a whole.
const MAX_ATTENDED: usize = 256;

/// What the outcomes of a file rest on, item by item.
#[derive(Default)]
pub(super) struct Attended {
    items: Vec<Item>,
    /// What its imports by specifier rest on.
    imports: Deps,
    imports_stale: bool,
}

#[derive(Clone)]
struct Item {
    facts: Arc<ItemFacts>,
    deps: Arc<[Dep]>,
    stale: bool,
}

/// What resolving some items of a file brings beside what a whole file does.
pub(super) struct ByItem {
    attended: Attended,
    /// Where the links may differ; `None`: anywhere.
    changed: Option<Changed>,
    /// What is declared in the items that were resolved.
    pub symbols: Vec<SymbolId>,
    pub resolved: usize,
}

impl Attended {
    /// Notes that values it may rest on have changed. Whether any item does.
    pub(super) fn mark(&mut self, seen: &FxHashSet<Dep>) -> bool {
        let few = seen.len() < 16;
        let rests = |deps: &[Dep]| match few {
            true => seen.iter().any(|d| deps.binary_search(d).is_ok()),
            false => deps.iter().any(|d| seen.contains(d)),
        };
        let mut any = false;
        for item in &mut self.items {
            item.stale |= rests(&item.deps);
            any |= item.stale;
        }
        self.imports_stale |= rests(&self.imports);
        any || self.imports_stale
    }

    pub(super) fn bytes(&self) -> usize {
        let items = self.items.iter();
        let deps: usize = items.map(|i| i.deps.len()).sum();
        self.items.len() * size_of::<Item>() + (deps + self.imports.len()) * size_of::<Dep>()
    }
}

impl Workspace {
    /// From now on the file is being edited, or no longer. Resolves it once to learn what each item rests on: for when
    /// it is opened, so that the first edit costs as little as the next.
    pub fn attend(&mut self, path: &str, on: bool) {
        let Some(file) = self.db.file_at(path) else {
            return;
        };
        if !on {
            self.attended.remove(&file);
            return;
        }
        if self.attended.len() >= MAX_ATTENDED || self.attended.contains_key(&file) {
            return;
        }
        let done = self.tables.files.get(file).and_then(|state| {
            let work = || {
                let at = At::new((&self.db, &self.memos, self.resolve), state, &[]);
                at.learn()
            };
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
        });
        if let (Some(attended), false) = (done, self.pending.contains(&file)) {
            self.attended.insert(file, attended);
        }
    }

    /// Puts what resolving items brought where it belongs.
    pub(super) fn take_items(&mut self, file: FileId, by_item: ByItem) -> Option<Changed> {
        self.attended.insert(file, by_item.attended);
        by_item.changed
    }
}

/// One file while some of its items are resolved.
pub(super) struct At<'a> {
    db: &'a Db,
    memos: &'a Memos,
    resolve: Resolve,
    entry: &'a FileEntry,
    state: &'a FileState,
    /// What others placed.
    asked: &'a [(u32, Outcome)],
}

impl<'a> At<'a> {
    pub(super) fn new(
        (db, memos, resolve): (&'a Db, &'a Memos, Resolve),
        state: &'a FileState,
        asked: &'a [(u32, Outcome)],
    ) -> At<'a> {
        At {
            db,
            memos,
            resolve,
            entry: &state.entry,
            state,
            asked,
        }
    }

    fn ctx(&self) -> Ctx<'a> {
        Ctx::new(self.db, self.memos)
    }

    /// What every item rests on, whose outcomes are known.
    fn learn(&self) -> Attended {
        let mut build = Build::new(self.db, self.entry);
        let items = self.entry.facts.items.iter().enumerate().map(|(i, facts)| {
            let (_, deps) = self.item(i as u32, &mut build);
            Item {
                facts: facts.clone(),
                deps,
                stale: false,
            }
        });
        Attended {
            items: items.collect(),
            imports: self.imports().1,
            imports_stale: false,
        }
    }

    fn item(&self, item: u32, build: &mut Build<'_>) -> (Vec<Outcome>, Arc<[Dep]>) {
        let ctx = self.ctx();
        let outcomes = (self.resolve)(&ctx, self.entry.id, item);
        build.item(&ctx, item, |i| {
            outcomes.get(i as usize).map(std::borrow::Cow::Borrowed)
        });
        (outcomes, ctx.into_deps().into())
    }

    fn imports(&self) -> (Vec<ImportLink>, Deps) {
        let ctx = self.ctx();
        let links = collect(&ctx, self.entry);
        (links, ctx.into_deps())
    }

    /// Resolves the items that changed or rest on what did; `None`: nothing does.
    pub(super) fn resolve(&self, before: &Attended) -> Option<Resolved> {
        let (old, new) = (&before.items, &self.entry.facts.items);
        let shared = Shared::of(old.iter().map(|i| &i.facts), new);
        let back = new.len() - shared.back;
        let gap = (shared.front..back, shared.front..old.len() - shared.back);
        let was = |i: usize| match i {
            _ if i < shared.front => Some(i),
            _ if i >= back => Some(i + old.len() - new.len()),
            _ => None,
        };
        let mut starts = vec![0u32];
        for item in old {
            let last = starts.last().copied().unwrap_or(0);
            starts.push(last + item.facts.sites.len() as u32);
        }
        let mut build = Build::new(self.db, self.entry);
        let mut plan = Plan::default();
        let mut items = Vec::with_capacity(new.len());
        let mut read: Vec<Dep> = Vec::new();
        let mut symbols = Vec::new();
        for (i, facts) in new.iter().enumerate() {
            if let Some(n) = was(i)
                && let Some(kept) = old.get(n).filter(|k| !k.stale)
            {
                let to = self.entry.site_starts.get(i).copied().unwrap_or(0);
                let (start, end) = (starts[n], starts[n + 1]);
                match plan.kept.last_mut() {
                    Some(run) if run.end == start && run.to + (run.end - run.start) == to => {
                        run.end = end;
                    }
                    _ => plan.kept.push(Run { start, end, to }),
                }
                items.push(kept.clone());
                continue;
            }
            let (outcomes, deps) = self.item(i as u32, &mut build);
            plan.fresh.push((i as u32, outcomes));
            read.extend(deps.iter());
            symbols.extend(self.entry.symbols.get(i).into_iter().flat_map(|s| s.iter()));
            items.push(Item {
                facts: facts.clone(),
                deps,
                stale: false,
            });
        }
        plan.kept.retain(|r| r.start < r.end);
        let asked = !self.asked.is_empty() || self.state.answers.is_some();
        if plan.fresh.is_empty() && gap.1.is_empty() && !before.imports_stale && !asked {
            return None;
        }
        let gone = &old[gap.1];
        let came = &new[gap.0];
        let (imports, import_deps) = if before.imports_stale || self.import_others(gone, came) {
            let (links, deps) = self.imports();
            read.extend(deps.iter());
            (links.into(), deps)
        } else {
            (
                self.moved_imports(old.len(), &shared),
                before.imports.clone(),
            )
        };
        let edges = self.state.edges.spliced(&plan, self.entry);
        let same_aliases = || {
            let mut touched = gone.iter().map(|i| &i.facts).chain(came);
            let touched = touched.any(|i| !i.imports.is_empty());
            !touched || aliases(old.iter().map(|i| &i.facts)) == aliases(&self.entry.facts.items)
        };
        let resolved = plan.fresh.len();
        let (links, changed) = if !asked && same_aliases() {
            let old = &self.state.links;
            let (links, changed) = old.spliced(self.db, &plan, build, imports);
            (links, Some(changed))
        } else {
            (self.whole_links(&edges), None)
        };
        read.sort_unstable();
        read.dedup();
        Some(Resolved {
            file: self.entry.id,
            edges,
            links,
            deps: read.into(),
            poisoned: None,
            by_item: Some(ByItem {
                attended: Attended {
                    items,
                    imports: import_deps,
                    imports_stale: false,
                },
                changed,
                symbols,
                resolved,
            }),
        })
    }

    fn whole_links(&self, edges: &crate::resolve::PackedEdges) -> FileLinks {
        let edges = edges.unpacked(self.entry);
        FileLinks::build(&self.ctx(), self.entry, &edges, self.asked)
    }

    /// Whether an edit changes what the file imports, or which imports are used as values.
    fn import_others(&self, gone: &[Item], came: &[Arc<ItemFacts>]) -> bool {
        let imports = |i: &Arc<ItemFacts>| i.imports.iter().any(|i| !i.spec.is_empty());
        if gone.iter().any(|i| imports(&i.facts)) || came.iter().any(imports) {
            return true;
        }
        let mut before: FxHashSet<Name> = FxHashSet::default();
        let mut after: FxHashSet<Name> = FxHashSet::default();
        for item in gone {
            value_names_of(&item.facts, &mut before);
        }
        for item in came {
            value_names_of(item, &mut after);
        }
        let others: FxHashSet<Name> = before.symmetric_difference(&after).copied().collect();
        if others.is_empty() {
            return false;
        }
        let all = self.entry.facts.items.iter().flat_map(|i| &i.imports);
        all.into_iter().any(|i| others.contains(&i.local))
    }

    /// The same imports in items that stand elsewhere in the file.
    fn moved_imports(&self, old: usize, shared: &Shared) -> Arc<[ImportLink]> {
        let links = self.state.links.shared_imports();
        let new = self.entry.facts.items.len();
        if old == new {
            return links.clone();
        }
        let moved = links.iter().map(|link| {
            let mut link = link.clone();
            if link.item as usize >= old - shared.back {
                link.item = (link.item as usize + new - old) as u32;
            }
            link
        });
        moved.collect()
    }
}
