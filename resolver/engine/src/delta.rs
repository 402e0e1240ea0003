//! The difference between two snapshots.

use crate::features::lens::Numbers;
use crate::links::{Changed, FileLinks, Gap, Link};
use crate::snapshot::{FileState, Snapshot};
use crate::state::Shared;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use surefoot_facts::{ItemFacts, Name, SymIdx, shape_of, summary_of};
use surefoot_graph::{Cause, FileId, Resolution, Rule, SiteKind, SymbolId, Tier};

/// One kind of way from one symbol to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeKey {
    pub callee: SymbolId,
    pub caller: SymbolId,
    pub kind: SiteKind,
    pub tier: Tier,
    pub rule: Rule,
}

/// Unplaced calls of one name, of one cause, in one caller.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GapKey {
    pub name: Name,
    pub caller: SymbolId,
    pub resolution: Resolution,
    pub cause: Option<Cause>,
}

/// How many sites something had and has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Counted<K> {
    pub key: K,
    pub before: u32,
    pub after: u32,
}

impl<K> Counted<K> {
    pub fn is_added(&self) -> bool {
        self.before == 0
    }

    pub fn is_removed(&self) -> bool {
        self.after == 0
    }
}

/// The difference between two snapshots. Every list is sorted by id: an order
/// that means nothing to a reader. Positions are no part of it: a file whose
/// text only moved has none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphDelta {
    /// Revisions of the two snapshots.
    pub from: u64,
    pub to: u64,
    pub edges: Vec<Counted<EdgeKey>>,
    pub gaps: Vec<Counted<GapKey>>,
    pub symbols_added: Vec<SymbolId>,
    pub symbols_removed: Vec<SymbolId>,
    /// Symbols of both whose own facts differ: signature, flags, numbers, what
    /// they return.
    pub symbols_changed: Vec<SymbolId>,
    pub files_added: Vec<FileId>,
    pub files_removed: Vec<FileId>,
    /// Files of the newer one with a lens whose text differs, or is new.
    pub lenses: Vec<FileId>,
}

impl GraphDelta {
    pub fn is_empty(&self) -> bool {
        let same = GraphDelta {
            from: self.from,
            to: self.to,
            ..GraphDelta::default()
        };
        *self == same
    }

    /// The same symbols with the same numbers, the same calls between them.
    pub(crate) fn keeps_calls(&self) -> bool {
        let call = |e: &Counted<EdgeKey>| {
            e.key.kind.is_call() && e.key.tier > Tier::Possible && (e.is_added() || e.is_removed())
        };
        self.symbols_added.is_empty()
            && self.symbols_removed.is_empty()
            && self.symbols_changed.is_empty()
            && self.files_added.is_empty()
            && self.files_removed.is_empty()
            && !self.edges.iter().any(call)
    }

    /// The difference, found by looking at everything: what the incremental
    /// one must equal.
    pub fn between(old: &Snapshot, new: &Snapshot) -> GraphDelta {
        let mut delta = GraphDelta {
            from: old.revision(),
            to: new.revision(),
            ..GraphDelta::default()
        };
        delta.edges = counted(all_edges(old), all_edges(new));
        delta.gaps = counted(all_gaps(old), all_gaps(new));
        let (a, b) = (all_symbols(old), all_symbols(new));
        for (id, print) in &a {
            match b.get(id) {
                None => delta.symbols_removed.push(*id),
                Some(other) if other != print => delta.symbols_changed.push(*id),
                Some(_) => {}
            }
        }
        let added = b.keys().filter(|id| !a.contains_key(id));
        delta.symbols_added.extend(added);
        let files = |s: &Snapshot| -> FxHashSet<FileId> { s.files().map(|f| f.id).collect() };
        let (fa, fb) = (files(old), files(new));
        delta.files_added.extend(fb.difference(&fa));
        delta.files_removed.extend(fa.difference(&fb));
        for file in new.files() {
            let numbers = |s: &Snapshot| -> BTreeMap<SymbolId, Numbers> {
                let ids = s.symbols_of(file.id).into_iter();
                ids.filter_map(|id| Some((id, Numbers::of(s, id)?)))
                    .collect()
            };
            let (x, y) = (numbers(old), numbers(new));
            if x != y {
                delta.lenses.push(file.id);
            }
        }
        delta.settle();
        delta
    }

    fn settle(&mut self) {
        self.edges.sort_unstable();
        self.gaps.sort_unstable();
        self.symbols_added.sort_unstable();
        self.symbols_removed.sort_unstable();
        self.symbols_changed.sort_unstable();
        self.files_added.sort_unstable();
        self.files_removed.sort_unstable();
        self.lenses.sort_unstable();
        self.lenses.dedup();
    }
}

fn edge_key(l: &Link) -> EdgeKey {
    EdgeKey {
        callee: l.callee,
        caller: l.caller,
        kind: l.kind,
        tier: l.tier,
        rule: l.rule,
    }
}

fn gap_key(g: &Gap) -> Option<GapKey> {
    (g.is_open() && !g.alias).then_some(GapKey {
        name: g.name,
        caller: g.caller,
        resolution: g.resolution,
        cause: g.cause,
    })
}

fn count<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> FxHashMap<K, u32> {
    let mut out = FxHashMap::default();
    for key in keys {
        *out.entry(key).or_default() += 1;
    }
    out
}

fn all_edges(s: &Snapshot) -> FxHashMap<EdgeKey, u32> {
    count(
        s.states()
            .flat_map(|f| f.links.links().iter().map(edge_key)),
    )
}

fn all_gaps(s: &Snapshot) -> FxHashMap<GapKey, u32> {
    count(
        s.states()
            .flat_map(|f| f.links.gaps().iter().filter_map(gap_key)),
    )
}

fn counted<K: Hash + Eq + Copy>(a: FxHashMap<K, u32>, b: FxHashMap<K, u32>) -> Vec<Counted<K>> {
    let mut out = Vec::new();
    for (&key, &before) in &a {
        let after = b.get(&key).copied().unwrap_or(0);
        if before != after {
            out.push(Counted { key, before, after });
        }
    }
    for (&key, &after) in b.iter().filter(|(key, _)| !a.contains_key(key)) {
        out.push(Counted {
            key,
            before: 0,
            after,
        });
    }
    out
}

fn all_symbols(s: &Snapshot) -> FxHashMap<SymbolId, u64> {
    let mut out = FxHashMap::default();
    for file in s.files() {
        out.insert(file.module, 0);
        for (id, item, _, sym) in file.each_symbol() {
            out.insert(id, print(item, sym));
        }
    }
    out
}

/// Everything a symbol's own facts say, as one number.
fn print(item: &ItemFacts, at: SymIdx) -> u64 {
    let mut h = FxHasher::default();
    (shape_of(item, at), summary_of(item, at)).hash(&mut h);
    if let Some(s) = item.symbol(at) {
        s.flags.hash(&mut h);
        let c = s.complexity;
        (c.cyclomatic, c.cognitive, c.closures, c.closure_count).hash(&mut h);
        for u in &s.param_uses {
            (u.param, u.reads, u.overwritten, u.intended, u.maybe).hash(&mut h);
        }
    }
    h.finish()
}

/// What updates touched since the last snapshot: where to look for differences.
#[derive(Default)]
pub(crate) struct Touched {
    /// Files that came, went, changed facts or were resolved again; where their
    /// links may differ, when that is known.
    pub files: FxHashMap<FileId, Option<Part>>,
    /// Symbols whose counts as a target changed.
    pub symbols: FxHashSet<SymbolId>,
    /// Names whose unplaced calls changed.
    pub names: FxHashSet<Name>,
    /// Unread files, failed files or manifests changed: any list may have
    /// become a floor, or stopped being one.
    pub floors: bool,
    /// Files of which only positions, digest or size changed.
    pub moved: FxHashSet<FileId>,
    /// Something that no list shows changed: a manifest.
    pub other: bool,
}

/// What of a file was resolved again.
#[derive(Default)]
pub(crate) struct Part {
    callees: FxHashSet<SymbolId>,
    /// Names of gaps.
    names: FxHashSet<Name>,
    /// What is declared in the items that were resolved.
    symbols: FxHashSet<SymbolId>,
}

impl Touched {
    /// Anything of a file may differ.
    pub fn whole(&mut self, file: FileId) {
        self.files.insert(file, None);
    }

    /// Items of a file were resolved.
    pub fn part(&mut self, file: FileId, changed: &Changed, symbols: Vec<SymbolId>) {
        let part = self.files.entry(file);
        if let Some(part) = part.or_insert_with(|| Some(Part::default())) {
            part.callees.extend(&changed.callees);
            part.names.extend(&changed.names);
            part.symbols.extend(symbols);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.symbols.is_empty()
            && self.names.is_empty()
            && !self.floors
            && self.moved.is_empty()
            && !self.other
    }
}

/// The same as [`GraphDelta::between`], looking only where something was touched.
pub(crate) fn delta(old: &Snapshot, new: &Snapshot, touched: &Touched) -> GraphDelta {
    let mut out = GraphDelta {
        from: old.revision(),
        to: new.revision(),
        ..GraphDelta::default()
    };
    let mut lens: FxHashSet<SymbolId> = touched.symbols.clone();
    for (&file, part) in &touched.files {
        let side = |s: &'_ Snapshot| -> Option<FileState> {
            s.state(file).filter(|f| !f.entry.prelude).cloned()
        };
        let (a, b) = (side(old), side(new));
        let none = FileLinks::default();
        let (la, lb) = (
            a.as_ref().map_or(&none, |f| &*f.links),
            b.as_ref().map_or(&none, |f| &*f.links),
        );
        let edges = |of: &[Link]| runs(of, |l| Some(edge_key(l))).collect();
        let gaps = |of: &[Gap]| runs(of, gap_key).collect();
        match part {
            None => {
                merge(edges(la.links()), edges(lb.links()), &mut out.edges);
                merge(gaps(la.gaps()), gaps(lb.gaps()), &mut out.gaps);
            }
            Some(part) => {
                for &callee in &part.callees {
                    merge(edges(la.to(callee)), edges(lb.to(callee)), &mut out.edges);
                }
                for &name in &part.names {
                    let (a, b) = (la.gaps_named(name), lb.gaps_named(name));
                    merge(gaps(a), gaps(b), &mut out.gaps);
                }
            }
        }
        match (&a, &b) {
            (None, Some(_)) => out.files_added.push(file),
            (Some(_), None) => out.files_removed.push(file),
            _ => {}
        }
        let others = symbols(a.as_ref(), b.as_ref(), &mut out);
        match (&a, &b) {
            // All lenses of a new file are new: any one tells.
            (None, Some(b)) => {
                let mut all = b.entry.each_symbol();
                if all.any(|(id, ..)| Numbers::of(new, id).is_some()) {
                    out.lenses.push(file);
                }
            }
            _ => match part {
                Some(part) => lens.extend(others.iter().chain(&part.symbols)),
                None => {
                    let sides = [a, b];
                    let sides = sides.iter().flatten();
                    lens.extend(sides.flat_map(|f| f.entry.each_symbol().map(|(id, ..)| id)));
                }
            },
        }
    }
    let added: FxHashSet<FileId> = out.files_added.iter().copied().collect();
    for &name in &touched.names {
        for s in [old, new] {
            if let Some(bucket) = s.t.buckets.get(name) {
                lens.extend(bucket.symbols.iter());
            }
        }
    }
    if touched.floors {
        for file in new.files() {
            lens.extend(file.each_symbol().map(|(id, ..)| id));
        }
    }
    for id in lens {
        let of = [new, old].into_iter().find_map(|s| s.decl(id));
        let Some(file) = of.map(|d| d.loc.file).filter(|f| !added.contains(f)) else {
            continue;
        };
        if Numbers::of(old, id) != Numbers::of(new, id)
            && new.state(file).is_some_and(|f| !f.entry.prelude)
        {
            out.lenses.push(file);
        }
    }
    out.settle();
    out
}

/// The symbols that came, went or say something else. Returns all that stand in
/// the items in which the two differ.
fn symbols(a: Option<&FileState>, b: Option<&FileState>, out: &mut GraphDelta) -> Vec<SymbolId> {
    let ids = |f: &FileState, out: &mut Vec<SymbolId>| {
        out.push(f.entry.module);
        out.extend(f.entry.each_symbol().map(|(id, ..)| id));
    };
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => {
            a.iter().for_each(|f| ids(f, &mut out.symbols_removed));
            b.iter().for_each(|f| ids(f, &mut out.symbols_added));
            return Vec::new();
        }
    };
    if Arc::ptr_eq(&a.entry.facts, &b.entry.facts) {
        return Vec::new();
    }
    // Items that both versions share have the same symbols.
    let shared = Shared::of(&a.entry.facts.items, &b.entry.facts.items);
    let rest = |f: &FileState| -> FxHashMap<SymbolId, u64> {
        let own = f.entry.symbols_between(shared.front, shared.back);
        own.map(|(id, item, _, sym)| (id, print(item, sym)))
            .collect()
    };
    let (a, b) = (rest(a), rest(b));
    for (&id, x) in &a {
        match b.get(&id) {
            None => out.symbols_removed.push(id),
            Some(y) if x != y => out.symbols_changed.push(id),
            Some(_) => {}
        }
    }
    let added = b.keys().filter(|id| !a.contains_key(id));
    out.symbols_added.extend(added);
    a.into_keys().chain(b.into_keys()).collect()
}

/// Equal neighbours of a sorted list with their number.
fn runs<'a, T, K: Eq + Copy + Ord + 'a>(
    list: &'a [T],
    key: impl Fn(&T) -> Option<K> + 'a,
) -> impl Iterator<Item = (K, u32)> + 'a {
    let mut keys = list.iter().filter_map(key).peekable();
    std::iter::from_fn(move || {
        let first = keys.next()?;
        let mut n = 1;
        while keys.next_if(|k| *k == first).is_some() {
            n += 1;
        }
        Some((first, n))
    })
}

fn merge<K: Ord + Copy>(a: Vec<(K, u32)>, b: Vec<(K, u32)>, out: &mut Vec<Counted<K>>) {
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (Some(x), Some(y)) => x.0.min(y.0),
        };
        let before = a.next_if(|x| x.0 == next).map_or(0, |x| x.1);
        let after = b.next_if(|y| y.0 == next).map_or(0, |y| y.1);
        if before != after {
            out.push(Counted {
                key: next,
                before,
                after,
            });
        }
    }
}
