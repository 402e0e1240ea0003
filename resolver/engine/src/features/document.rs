//! The outline of a file.

use crate::snapshot::{Decl, Place, Snapshot};
use std::fmt::Write;
use surefoot_facts::{Flags, Symbol};
use surefoot_graph::{FileId, SymbolId, SymbolKind};

/// One line of the outline with the lines below it.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlineNode {
    pub symbol: SymbolId,
    pub name: String,
    /// The parameters of a callable: `(a, b)`.
    pub detail: String,
    pub kind: SymbolKind,
    pub full: Place,
    pub name_place: Place,
    pub children: Vec<OutlineNode>,
}

/// Deeper declarations are listed at this level.
const MAX_DEPTH: u32 = 64;

/// What a file declares, in source order. Blocks that give members to a type
/// stand for themselves under the type's name; objects and anonymous functions
/// give their place to what is inside them.
pub fn outline(snapshot: &Snapshot, file: FileId) -> Vec<OutlineNode> {
    let Some(entry) = snapshot.file(file) else {
        return Vec::new();
    };
    below(snapshot, entry.module, 0)
}

fn below(snapshot: &Snapshot, id: SymbolId, depth: u32) -> Vec<OutlineNode> {
    let mut out = Vec::new();
    for child in snapshot.children(id) {
        let Some(d) = snapshot.decl(child) else {
            continue;
        };
        let inner = if depth < MAX_DEPTH {
            below(snapshot, child, depth + 1)
        } else {
            Vec::new()
        };
        let hidden = !d.kind().is_shown() && d.kind() != SymbolKind::Impl;
        if hidden || (d.kind() == SymbolKind::Impl && inner.is_empty()) {
            out.extend(inner);
            continue;
        }
        out.push(node(snapshot, &d, inner));
    }
    out.sort_by_key(|n| (n.full.span.start, n.name_place.span.start));
    out
}

fn node(snapshot: &Snapshot, d: &Decl<'_>, children: Vec<OutlineNode>) -> OutlineNode {
    let (full, mut name_place) = snapshot.spans(d);
    if name_place.span.is_empty() || !inside(&name_place, &full) {
        // Protocols want the name inside the whole: its first bytes stand for it.
        name_place = Place {
            end: full.start,
            span: surefoot_facts::Span {
                start: full.span.start,
                end: full.span.start,
            },
            ..full
        };
    }
    let mut name = snapshot.chain(d).pop().unwrap_or_default();
    if d.kind() == SymbolKind::Impl {
        let stated = snapshot.stated_bases(d.id);
        let of = stated
            .iter()
            .find(|b| b.kind == surefoot_facts::HeritageKind::Trait);
        name = match of {
            Some(t) => format!("impl {} for {name}", t.name),
            None => format!("impl {name}"),
        };
    }
    OutlineNode {
        symbol: d.id,
        name,
        detail: d.facts.map(|f| parameters(f.1)).unwrap_or_default(),
        kind: d.kind(),
        full,
        name_place,
        children,
    }
}

fn inside(name: &Place, full: &Place) -> bool {
    full.span.start <= name.span.start && name.span.end <= full.span.end
}

/// `(a, b, ...rest)`, receivers left out; empty for what takes none by nature.
pub(crate) fn parameters(symbol: &Symbol) -> String {
    let Some(signature) = symbol.signature.as_deref() else {
        return String::new();
    };
    let mut out = String::from("(");
    for (i, p) in signature.params.iter().enumerate() {
        let lead = if i > 0 { ", " } else { "" };
        let rest = if p.rest { "..." } else { "" };
        let name = if p.name.is_empty() {
            "_"
        } else {
            p.name.text()
        };
        let _ = write!(out, "{lead}{rest}{name}");
    }
    out.push(')');
    if symbol.flags.has(Flags::ASYNC) {
        out.push_str(" async");
    }
    out
}
