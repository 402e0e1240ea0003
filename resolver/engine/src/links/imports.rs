//! What imports of a file lead to, beyond the names they bring.

use super::path_of_type;
use crate::state::{Ctx, FileEntry, ImportRef, Ns};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use surefoot_facts::{
    BindIdx, BindKind, Expr, ExprIdx, Flags, HeritageKind, ImpIdx, Import, ImportKind, ItemFacts,
    Name, Specifier,
};
use surefoot_graph::{SiteKind, SymbolKind};

/// Where a module specifier of the file leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportLink {
    pub item: u32,
    pub import: ImpIdx,
    pub leads: Specifier,
    /// Running this file loads that one, as far as the source shows: a name it
    /// brings is used as a value, or the module is asked for as a whole.
    pub loads: bool,
}

/// The imports of a file by module specifier, in source order.
pub(crate) fn collect(ctx: &Ctx<'_>, entry: &FileEntry) -> Vec<ImportLink> {
    let mut out = Vec::new();
    let values = value_names(entry);
    for (at, item) in entry.facts.items.iter().enumerate() {
        for (i, import) in item.imports.iter().enumerate() {
            if import.spec.is_empty() {
                continue;
            }
            let (item, imp) = (at as u32, ImpIdx(i as u32));
            out.push(ImportLink {
                item,
                import: imp,
                leads: ctx.specifier_of(entry.id, import.spec),
                loads: loads(ctx, entry, (item, imp), import, &values),
            });
        }
    }
    out
}

/// Names that imports of a file bind under another name.
pub(crate) fn aliases<'a>(
    items: impl IntoIterator<Item = &'a Arc<ItemFacts>>,
) -> FxHashMap<Name, Name> {
    let mut out = FxHashMap::default();
    for item in items {
        for i in item.imports.iter().filter(|i| i.binds) {
            if i.local != i.name && !i.local.is_empty() && !i.name.is_empty() {
                out.insert(i.local, i.name);
            }
        }
    }
    out
}

pub(super) fn local_import(item: &ItemFacts, at: BindIdx) -> Option<Name> {
    let binding = item.bindings.get(at.get()?)?;
    match binding.kind {
        BindKind::Import(i) => item.imports.get(i.get()?).map(|i| i.name),
        _ => None,
    }
}

/// The import a site of kind import belongs to.
pub(crate) fn import_around(entry: &FileEntry, site: u32) -> Option<&Import> {
    let (item, index) = entry.site_at(site)?;
    let facts = entry.item(item)?;
    let (_, spans) = entry.positions.items.get(item as usize)?;
    let span = spans.sites.get(index as usize)?;
    let site = facts.sites.get(index as usize)?;
    // One clause may import several names; the one asked for tells.
    let around = || {
        let all = spans.imports.iter().zip(&facts.imports);
        all.filter(|(s, _)| s.contains(span.start)).map(|(_, i)| i)
    };
    let own = around().find(|i| i.name == site.name || i.local == site.name);
    own.or_else(|| around().next())
}

/// Names that the file uses other than as types.
fn value_names(entry: &FileEntry) -> FxHashSet<Name> {
    let mut out = FxHashSet::default();
    for item in &entry.facts.items {
        value_names_of(item, &mut out);
    }
    out
}

/// The same of one item.
pub(crate) fn value_names_of(item: &ItemFacts, out: &mut FxHashSet<Name>) {
    for site in &item.sites {
        if !matches!(site.kind, SiteKind::Type | SiteKind::Import) {
            out.extend(head_name(item, site.callee));
        }
    }
    let bases = item.symbols.iter().filter(|s| s.kind == SymbolKind::Class);
    for h in bases.flat_map(|s| &s.heritage) {
        if h.kind == HeritageKind::Extends {
            out.extend(path_of_type(item, h.ty).and_then(|p| head_name(item, p)));
        }
    }
    let exports = item.imports.iter().filter(|i| i.kind == ImportKind::Export);
    out.extend(exports.map(|i| i.name));
}

/// The name an expression starts with.
fn head_name(item: &ItemFacts, mut at: ExprIdx) -> Option<Name> {
    // Longer chains exist in generated text only.
    for _ in 0..256 {
        at = match item.expr(at) {
            Expr::Free { name, .. } => return Some(name),
            Expr::Local(b) => return item.bindings.get(b.get()?).map(|b| b.name),
            Expr::Member { base, .. }
            | Expr::Method { base, .. }
            | Expr::Scoped { base, .. }
            | Expr::TypeArgs { base, .. }
            | Expr::Index { base, .. }
            | Expr::Call { callee: base, .. }
            | Expr::New { callee: base, .. } => base,
            Expr::Await(e) | Expr::Try(e) | Expr::Cast { base: e, .. } => e,
            _ => return None,
        };
    }
    None
}

fn loads(
    ctx: &Ctx<'_>,
    entry: &FileEntry,
    (item, imp): (u32, ImpIdx),
    import: &Import,
    values: &FxHashSet<Name>,
) -> bool {
    let used = import.exported || values.contains(&import.local);
    match import.kind {
        _ if import.type_only => false,
        ImportKind::Namespace => used,
        ImportKind::Named => {
            let found = || {
                let at = ImportRef {
                    file: entry.id,
                    item,
                    imp,
                };
                ctx.import(at, Ns::Value).symbol()
            };
            // What is declared without code loads nothing from where it stands.
            let code = |id| {
                let symbol = ctx.db.symbol(id);
                symbol.is_none_or(|(_, _, s, _)| !s.flags.has(Flags::EXTERN))
            };
            used && found().is_some_and(code)
        }
        _ => true,
    }
}
