//! What a type rests on and what rests on it.

use crate::links::KinKind;
use crate::snapshot::{Place, Snapshot, SymbolInfo};
use rustc_hash::FxHashSet;
use surefoot_facts::HeritageKind;
use surefoot_graph::{FileId, SymbolId};

/// One row of a type hierarchy.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeRow {
    /// `None`: a base that does not stand in the tree.
    pub symbol: Option<SymbolInfo>,
    /// The name as written, or the symbol's.
    pub name: String,
    /// `extends`, `implements`, `derives`.
    pub relation: &'static str,
    /// Where the relation is stated, as far as it has a place.
    pub place: Option<Place>,
}

/// The types a panel can open at a position, the best first.
pub fn prepare(snapshot: &Snapshot, file: FileId, offset: u32) -> Vec<SymbolInfo> {
    let Some(at) = snapshot.at(file, offset) else {
        return Vec::new();
    };
    let target = at.site.and_then(|s| snapshot.outcome(s)?.symbol());
    let all = [at.declares, target, Some(at.around)];
    let mut out: Vec<SymbolInfo> = Vec::new();
    for id in all.into_iter().flatten() {
        // A member stands for its type.
        let of = |id: SymbolId| {
            let d = snapshot.decl(id)?;
            if d.kind().is_type() {
                Some(id)
            } else {
                snapshot.owner(id)
            }
        };
        let info = of(id).and_then(|id| snapshot.symbol_info(id));
        if let Some(info) = info
            && !info.prelude
            && !out.iter().any(|o| o.id == info.id)
        {
            out.push(info);
        }
    }
    out
}

/// The bases of a type, in the tree or not, in source order.
pub fn supertypes(snapshot: &Snapshot, id: SymbolId) -> Vec<TypeRow> {
    let bases = snapshot.bases(id).into_iter();
    // `From<A>` and `From<B>` are one row: rows name declarations, not arguments.
    let mut seen = FxHashSet::default();
    bases
        .filter(|b| seen.insert((b.kind, b.target, b.name.clone())))
        .filter(|b| b.kind != HeritageKind::SelfType)
        .map(|b| {
            let symbol = b.target.and_then(|t| snapshot.symbol_info(t));
            let shown = symbol.as_ref().map(|s| s.name.clone());
            TypeRow {
                name: shown.unwrap_or(b.name),
                symbol,
                relation: match b.kind {
                    HeritageKind::Extends | HeritageKind::Dynamic => "extends",
                    HeritageKind::Implements | HeritageKind::Trait => "implements",
                    HeritageKind::Derive | HeritageKind::SelfType => "derives",
                },
                place: b.site.and_then(|s| snapshot.site_place(s)),
            }
        })
        .collect()
}

/// The types that name this one as base or trait, by file and position.
pub fn subtypes(snapshot: &Snapshot, id: SymbolId) -> Vec<TypeRow> {
    let derived = snapshot.derived(id).into_iter();
    derived
        .filter_map(|(id, kind)| {
            let symbol = snapshot.symbol_info(id)?;
            Some(TypeRow {
                name: symbol.name.clone(),
                place: Some(symbol.name_place),
                symbol: Some(symbol),
                relation: match kind {
                    KinKind::Extends => "extends",
                    KinKind::Implements => "implements",
                    KinKind::Derives | KinKind::Members => "derives",
                },
            })
        })
        .collect()
}
