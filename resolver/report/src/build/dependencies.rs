//! Imports, and the bases that types name.

use crate::model::Dependency;
use crate::text::Text;
use rustc_hash::FxHashMap;
use surefoot_engine::{FileEntry, FileState, Snapshot};
use surefoot_facts::{Expr, ExprIdx, HeritageKind, ImportKind, ItemFacts, Specifier};
use surefoot_graph::{FileId, Resolution, SiteId, SiteKind, SymbolId, SymbolKind};

pub(super) fn dependencies(snapshot: &Snapshot) -> Vec<Dependency> {
    let mut out = Vec::new();
    for state in snapshot.states() {
        let from = out.len();
        imports(snapshot, state, &mut out);
        bases(snapshot, &state.entry, &mut out);
        let order = |d: &Dependency| {
            (
                d.line_number,
                d.kind.clone(),
                d.target.clone(),
                d.source.clone(),
            )
        };
        out[from..].sort_by_cached_key(order);
        // One module asked for several names is one import.
        let mut kept = out.split_off(from);
        kept.dedup_by(|a, b| order(a) == order(b));
        out.extend(kept);
    }
    out
}

fn imports(snapshot: &Snapshot, state: &FileState, out: &mut Vec<Dependency>) {
    let file = &state.entry;
    let source = Text::from(file.path.clone());
    let specifiers = state.links.imports().iter();
    let leads: FxHashMap<(u32, u32), &Specifier> = specifiers
        .map(|link| ((link.item, link.import.0), &link.leads))
        .collect();
    for (i, item) in file.facts.items.iter().enumerate() {
        if item.imports.is_empty() {
            continue;
        }
        let Some((start, spans)) = file.positions.items.get(i) else {
            continue;
        };
        let sites = path_sites(file, i, item);
        for (n, (import, span)) in item.imports.iter().zip(&spans.imports).enumerate() {
            // `export { a }` names what is bound here and `#[macro_use]` a module
            // declared here; neither depends on anything.
            if matches!(import.kind, ImportKind::Export | ImportKind::Macros) {
                continue;
            }
            let by_path = import.spec.is_empty();
            // `exports.a = ..` binds what the module itself is.
            if by_path && matches!(item.expr(import.path), Expr::ModuleUp { up: 0, .. }) {
                continue;
            }
            let target = match by_path {
                false => Text::from(import.spec.text()),
                true => match item.written_path(import.path) {
                    Some(path) => path.into(),
                    None => continue,
                },
            };
            let (resolution, asked) = match leads.get(&(i as u32, n as u32)) {
                Some(specifier) => by_specifier(specifier),
                None => by_site(snapshot, file.id, sites.get(&import.path).copied()),
            };
            let asked = asked.and_then(|f| snapshot.file(f)).filter(|f| !f.prelude);
            let resolution = match (resolution, &asked) {
                (Resolution::InTree, None) => Resolution::Undetermined,
                (other, _) => other,
            };
            out.push(Dependency {
                source: source.clone(),
                target,
                kind: "import".into(),
                resolution: resolution.word().into(),
                resolved_target: asked
                    .filter(|_| resolution == Resolution::InTree)
                    .map(|f| f.path.clone().into()),
                line_number: line(file, start + span.start),
                names_only: by_path || import.type_only,
            });
        }
    }
}

/// The sites that name what an item imports by path.
fn path_sites(file: &FileEntry, at: usize, item: &ItemFacts) -> FxHashMap<ExprIdx, SiteId> {
    let first = file.site_starts.get(at).copied().unwrap_or(0);
    let sites = item.sites.iter().enumerate();
    sites
        .filter(|(_, s)| s.kind == SiteKind::Import)
        .map(|(n, s)| {
            let index = first + n as u32;
            let file = file.id;
            (s.callee, SiteId { file, index })
        })
        .collect()
}

fn by_specifier(leads: &Specifier) -> (Resolution, Option<FileId>) {
    match leads {
        Specifier::File { file, .. } => (Resolution::InTree, Some(*file)),
        Specifier::Folder(_) => (Resolution::InTree, None),
        Specifier::Outside => (Resolution::Outside, None),
        Specifier::Missing | Specifier::NotExported => (Resolution::Unresolved, None),
        Specifier::Ambiguous | Specifier::Unreadable => (Resolution::Undetermined, None),
    }
}

/// What a path came to, and the file it asks: where that file only passes the name on, the evidence
/// shows it before the file of the definition.
fn by_site(snapshot: &Snapshot, own: FileId, site: Option<SiteId>) -> (Resolution, Option<FileId>) {
    let Some(outcome) = site.and_then(|s| snapshot.outcome(s)) else {
        return (Resolution::Undetermined, None);
    };
    let steps = outcome.evidence.iter().flat_map(|e| &e.via);
    let asked = steps.map(|via| via.file).find(|f| *f != own);
    let defined = outcome.symbol().and_then(|s| snapshot.decl(s));
    (outcome.resolution, asked.or(defined.map(|d| d.file.id)))
}

fn bases(snapshot: &Snapshot, file: &FileEntry, out: &mut Vec<Dependency>) {
    for (id, item, _, sym) in file.each_symbol() {
        let Some(symbol) = item.symbol(sym).filter(|s| !s.heritage.is_empty()) else {
            continue;
        };
        let source = if symbol.kind == SymbolKind::Impl {
            type_of_block(snapshot, id)
        } else {
            Some(id)
        };
        let name = snapshot.qualified_name(source.unwrap_or(id));
        let source: Text = name.unwrap_or_default().into();
        for base in snapshot.bases(id).into_iter().filter(|b| b.says == id) {
            let kind = match base.kind {
                HeritageKind::Extends | HeritageKind::Dynamic => "extends",
                HeritageKind::Implements | HeritageKind::Trait => "implements",
                HeritageKind::SelfType | HeritageKind::Derive => continue,
            };
            let outcome = base.site.and_then(|s| snapshot.outcome(s));
            let target = base.target.and_then(|t| snapshot.qualified_name(t));
            let resolution = match (&target, outcome.map(|o| o.resolution)) {
                (Some(_), _) => Resolution::InTree,
                (None, Some(Resolution::InTree) | None) => Resolution::Undetermined,
                (None, Some(other)) => other,
            };
            let place = base.site.and_then(|s| snapshot.site_place(s));
            out.push(Dependency {
                source: source.clone(),
                target: base.name.into(),
                kind: kind.into(),
                resolution: resolution.word().into(),
                resolved_target: target.map(Text::from),
                line_number: match place {
                    Some(place) => place.start.line + 1,
                    None => symbol_line(snapshot, id),
                },
                names_only: false,
            });
        }
    }
}

fn type_of_block(snapshot: &Snapshot, block: SymbolId) -> Option<SymbolId> {
    let bases = snapshot.bases(block);
    let own = bases.iter().find(|b| b.kind == HeritageKind::SelfType)?;
    own.target
}

fn symbol_line(snapshot: &Snapshot, id: SymbolId) -> u32 {
    let info = snapshot.symbol_info(id);
    info.map_or(1, |i| i.name_place.start.line + 1)
}

fn line(file: &FileEntry, offset: u32) -> u32 {
    file.positions.lines.line_col(offset).0 + 1
}
