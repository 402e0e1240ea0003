//! Which base values an edit of one file changed.

use super::db::{Entry, FileEntry, FileIndex, ImportRef, What};
use super::key::Dep;
use super::shared::Shared;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use surefoot_facts::{Expr, ExprIdx, ItemFacts, Name, shape_of, summary_of};
use surefoot_graph::SymbolId;

/// The keys whose values differ between two versions of a file.
pub fn changed_keys<'a>(old: Option<&'a FileEntry>, new: Option<&'a FileEntry>) -> Vec<Dep> {
    let mut out = FxHashSet::default();
    index_keys(old, new, &mut out);
    // Items that both versions share say the same.
    let none: &[Arc<ItemFacts>] = &[];
    let items = |f: Option<&'a FileEntry>| f.map_or(none, |f| &*f.facts.items);
    let shared = Shared::of(items(old), items(new));
    let (sx, sy) = (shapes(old, shared), shapes(new, shared));
    for (id, x) in &sx {
        let y = sy.get(id);
        if y.map(|y| y.0) != Some(x.0) {
            out.insert(Dep::shape(*id));
        }
        if y.map(|y| y.1) != Some(x.1) {
            out.insert(Dep::summary(*id));
        }
    }
    for id in sy.keys().filter(|id| !sx.contains_key(id)) {
        out.insert(Dep::shape(*id));
        out.insert(Dep::summary(*id));
    }
    let (ma, mb) = (old.map(|f| f.module), new.map(|f| f.module));
    if ma != mb {
        for file in [old, new].into_iter().flatten() {
            out.insert(Dep::path(file.path_name));
            out.insert(Dep::shape(file.module));
        }
    }
    out.into_iter().collect()
}

/// The keys of what two versions contribute.
fn index_keys(old: Option<&FileEntry>, new: Option<&FileEntry>, out: &mut FxHashSet<Dep>) {
    let empty = Arc::default();
    let (a, b) = (
        old.map_or(&empty, |f| &f.index),
        new.map_or(&empty, |f| &f.index),
    );
    if Arc::ptr_eq(a, b) {
        return;
    }
    let table = |side: Option<&FileEntry>, entries: &[Entry]| -> u64 {
        let mut h = FxHasher::default();
        for e in entries {
            (e.bound, e.exported, e.visibility).hash(&mut h);
            match e.what {
                What::Symbol(s) => s.hash(&mut h),
                What::Import(i) => import_hash(side, i).hash(&mut h),
            }
        }
        h.finish()
    };
    each_changed(
        &a.names,
        &b.names,
        |x, y| table(old, x) == table(new, y),
        |(m, n)| {
            out.insert(Dep::name(m, n));
        },
    );
    let globs = |side: Option<&FileEntry>, list: &[ImportRef]| -> Vec<u64> {
        list.iter().map(|&i| import_hash(side, i)).collect()
    };
    each_changed(
        &a.globs,
        &b.globs,
        |x, y| globs(old, x) == globs(new, y),
        |m| {
            out.insert(Dep::globs(m));
        },
    );
    each_changed(
        &a.renames,
        &b.renames,
        |x, y| globs(old, x) == globs(new, y),
        |(m, n)| {
            out.insert(Dep::renames(m, n));
        },
    );
    each_changed(
        &a.members,
        &b.members,
        |x, y| x == y,
        |(s, n)| {
            out.insert(Dep::member(s, n));
            out.insert(Dep::members(s));
        },
    );
    for (x, y, key) in [
        (&a.impls, &b.impls, Dep::impls as fn(Name) -> Dep),
        (&a.subtypes, &b.subtypes, Dep::subtypes),
        (&a.children, &b.children, Dep::module_parent),
        (&a.globals, &b.globals, Dep::global),
        (&a.named, &b.named, Dep::named),
    ] {
        let (sx, sy): (FxHashSet<_>, FxHashSet<_>) = (x.iter().collect(), y.iter().collect());
        for (name, _) in sx.symmetric_difference(&sy) {
            out.insert(key(*name));
        }
    }
    let (sx, sy): (FxHashSet<_>, FxHashSet<_>) =
        (a.aliases.iter().collect(), b.aliases.iter().collect());
    for (name, _) in sx.symmetric_difference(&sy) {
        out.insert(Dep::aliases(*name));
    }
    let names = |of: &FileIndex| of.assigned.iter().map(|a| a.0).collect();
    let (sx, sy): (FxHashSet<Name>, FxHashSet<Name>) = (names(a), names(b));
    for name in sx.symmetric_difference(&sy) {
        out.insert(Dep::assigned(*name));
    }
}

fn each_changed<K: Copy + Eq + Hash, V>(
    a: &FxHashMap<K, V>,
    b: &FxHashMap<K, V>,
    same: impl Fn(&V, &V) -> bool,
    mut changed: impl FnMut(K),
) {
    for (k, x) in a {
        if !b.get(k).is_some_and(|y| same(x, y)) {
            changed(*k);
        }
    }
    for k in b.keys().filter(|k| !a.contains_key(k)) {
        changed(*k);
    }
}

/// The shapes of symbols in items that the other version does not share.
fn shapes(file: Option<&FileEntry>, shared: Shared) -> FxHashMap<SymbolId, (u64, u64)> {
    let between = file.map(|f| f.symbols_between(shared.front, shared.back));
    let all = between.into_iter().flatten();
    all.map(|(id, item, _, sym)| (id, (shape_of(item, sym), summary_of(item, sym))))
        .collect()
}

/// What an import says, apart from where it stands.
fn import_hash(file: Option<&FileEntry>, at: ImportRef) -> u64 {
    let mut h = FxHasher::default();
    let Some(item) = file.and_then(|f| f.item(at.item)) else {
        return 0;
    };
    let Some(i) = at.imp.get().and_then(|i| item.imports.get(i)) else {
        return 0;
    };
    (i.kind as u8, i.local, i.name, i.spec, i.binds, i.exported).hash(&mut h);
    (i.visibility, i.type_only, i.condition).hash(&mut h);
    path_hash(item, i.path, &mut h);
    h.finish()
}

/// A path of an import: names and heads only.
fn path_hash(item: &ItemFacts, mut at: ExprIdx, h: &mut FxHasher) {
    for _ in 0..64 {
        let expr = item.expr(at);
        std::mem::discriminant(&expr).hash(h);
        match expr {
            Expr::Scoped { base, name } | Expr::Member { base, name } => {
                name.hash(h);
                at = base;
            }
            Expr::Free { name, .. } | Expr::Package(name) => return name.hash(h),
            Expr::ModuleUp { up, .. } => return up.hash(h),
            _ => return at.0.hash(h),
        }
    }
}
