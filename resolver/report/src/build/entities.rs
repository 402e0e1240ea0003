//! The declarations a report lists, and the table from symbols to them.

use crate::index::Index;
use crate::model::{BodyFeatures, Entity, Metrics, ParameterUse};
use crate::text::{Digest, Sorted, Text};
use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_engine::{Decl, FileEntry, Role, Snapshot, SymbolInfo, role_of};
use surefoot_facts::{Flags, Span, SymIdx};
use surefoot_graph::{SymbolId, SymbolKind};

/// The entities of a report in their order: by file, then by position.
pub(super) struct Entities {
    pub rows: Vec<Entity>,
    ids: Vec<SymbolId>,
    by_id: FxHashMap<SymbolId, u32>,
    /// Line and column that tell an entity from others of its name; zero where not needed.
    addresses: Vec<(u32, u32)>,
    keys: Vec<Text>,
}

/// How a report names a symbol: its qualified name, and line and column where that is not unique.
pub(super) struct Address {
    pub name: Text,
    pub line: u32,
    pub column: u32,
}

impl Entities {
    pub fn collect(snapshot: &Snapshot) -> Entities {
        let named = endpoints(snapshot);
        let mut all = Entities {
            rows: Vec::new(),
            ids: Vec::new(),
            by_id: FxHashMap::default(),
            addresses: Vec::new(),
            keys: Vec::new(),
        };
        for file in snapshot.files() {
            let path = Text::from(file.path.clone());
            let mut reads = Reads::default();
            let production = role_of(&file.path) == Role::Product;
            let inner = file.each_symbol().filter_map(|(id, item, _, sym)| {
                let symbol = item.symbol(sym)?;
                (is_always_listed(symbol.kind) || named.contains(&id)).then_some(id)
            });
            let mut of_file: Vec<(SymbolInfo, Entity)> = std::iter::once(file.module)
                .chain(inner)
                .filter_map(|id| {
                    let (info, decl) = (snapshot.symbol_info(id)?, snapshot.decl(id)?);
                    let row = entity(file, &path, production, &info, &decl, &mut reads);
                    Some((info, row))
                })
                .collect();
            // Stable: symbols that begin at one place keep the order of the facts.
            of_file.sort_by_key(|(info, _)| {
                (info.kind != SymbolKind::Module, info.name_place.span.start)
            });
            for (info, row) in of_file {
                all.by_id.insert(info.id, all.rows.len() as u32);
                all.ids.push(info.id);
                all.rows.push(row);
            }
        }
        let index = Index::new(&all.rows);
        all.addresses = (0..all.rows.len()).map(|i| index.address(i)).collect();
        all.keys = index.keys().to_vec();
        all
    }

    pub fn address(&self, id: SymbolId) -> Option<Address> {
        let i = *self.by_id.get(&id)? as usize;
        let (line, column) = self.addresses[i];
        Some(Address {
            name: self.rows[i].qualified_name.clone(),
            line,
            column,
        })
    }

    /// Every entity with its key, in order.
    pub fn keys(&self) -> impl Iterator<Item = (SymbolId, &Text)> {
        self.ids.iter().copied().zip(&self.keys)
    }

    pub fn key(&self, id: SymbolId) -> Option<&Text> {
        self.keys.get(*self.by_id.get(&id)? as usize)
    }

    /// What is measured from the source; the rest follows from the edges.
    pub fn metrics(&self, snapshot: &Snapshot) -> Sorted<Metrics> {
        let rows = self.ids.iter().zip(&self.keys).filter_map(|(&id, key)| {
            let decl = snapshot.decl(id)?;
            if !decl.kind().is_callable() || decl.flags().has(Flags::BODILESS) {
                return None;
            }
            let complexity = decl.complexity();
            let row = Metrics {
                cyclomatic_complexity: Some(complexity.cyclomatic),
                cognitive_complexity: Some(complexity.cognitive),
                closure_complexity: complexity.closures,
                closures: complexity.closure_count,
                ..Metrics::default()
            };
            Some((key.clone(), row))
        });
        Sorted::new(rows.collect())
    }
}

/// Kinds that are entities wherever they stand. Others become one when an edge names them.
fn is_always_listed(kind: SymbolKind) -> bool {
    use SymbolKind::*;
    match kind {
        Module | Namespace | Function | Method | Constructor | Getter | Setter | Class | Struct
        | Union | Enum | Trait | Interface | TypeAlias | Macro | Initializer => true,
        Variant | Field | Variable | Lambda | Impl | Object | AssocType => false,
    }
}

/// Whether a declaration of this kind is asked for documentation.
fn is_assessed(kind: SymbolKind) -> bool {
    use SymbolKind::*;
    is_always_listed(kind) && !matches!(kind, Module | Namespace | Initializer)
}

/// Every symbol that an edge of the report names.
fn endpoints(snapshot: &Snapshot) -> FxHashSet<SymbolId> {
    let mut named: FxHashSet<SymbolId> = snapshot.all_handed().collect();
    for state in snapshot.states() {
        for link in state.links.links().iter().filter(|l| l.kind.is_call()) {
            named.extend([link.caller, link.callee]);
        }
        for gap in state.links.gaps() {
            named.insert(gap.caller);
        }
    }
    named
}

fn entity(
    file: &FileEntry,
    path: &Text,
    production: bool,
    info: &SymbolInfo,
    decl: &Decl<'_>,
    reads: &mut Reads,
) -> Entity {
    let flag = |bit| info.flags.has(bit);
    let names = info.parameters.iter().filter(|n| !n.is_empty());
    let non_production = match (production, flag(Flags::TEST)) {
        (false, _) => Some("path".into()),
        (true, true) => Some("test_attribute".into()),
        (true, false) => None,
    };
    let entry_point = flag(Flags::ENTRY).then(|| match &*info.name {
        "main" => "main".into(),
        _ => "export".into(),
    });
    Entity {
        qualified_name: info.qualified.as_str().into(),
        kind: info.kind.word().into(),
        name: info.name.as_str().into(),
        file: path.clone(),
        line_number: info.name_place.start.line + 1,
        column: info.name_place.start.column + 1,
        end_line: info.full.end.line + 1,
        parameters: info
            .kind
            .is_callable()
            .then(|| names.map(|n| n.text().into()).collect()),
        documented: is_assessed(info.kind).then(|| flag(Flags::DOCUMENTED)),
        non_production,
        content_digest: info
            .content
            .filter(|_| info.kind != SymbolKind::Module || decl.facts.is_some())
            .map(Digest),
        entry_point,
        partial: flag(Flags::PARTIAL),
        body_features: body_features(file, decl, reads),
    }
}

/// Where the parameters of one item are read, in order: an item may hold a hundred functions, each of
/// which looks for its own.
#[derive(Default)]
struct Reads {
    item: Option<u32>,
    /// The function, the position of the parameter, and where it is read.
    sorted: Vec<(SymIdx, u16, u32)>,
}

impl Reads {
    fn of(
        &mut self,
        item: u32,
        spans: &[(SymIdx, u16, Span)],
        function: SymIdx,
        param: u16,
    ) -> &[(SymIdx, u16, u32)] {
        if self.item != Some(item) {
            self.item = Some(item);
            self.sorted.clear();
            self.sorted
                .extend(spans.iter().map(|(f, p, span)| (*f, *p, span.start)));
            self.sorted.sort_unstable();
        }
        let key = |r: &(SymIdx, u16, u32)| (r.0, r.1);
        let from = self.sorted.partition_point(|r| key(r) < (function, param));
        let rest = &self.sorted[from..];
        &rest[..rest.partition_point(|r| key(r) == (function, param))]
    }
}

/// What the body does with each named parameter; absent without a body or a named one.
fn body_features(file: &FileEntry, decl: &Decl<'_>, reads: &mut Reads) -> Option<BodyFeatures> {
    let (_, symbol) = decl.facts?;
    let signature = symbol.signature.as_deref()?;
    if symbol.param_uses.is_empty() || symbol.flags.has(Flags::BODILESS) {
        return None;
    }
    let (start, spans) = file.positions.items.get(decl.loc.item as usize)?;
    let uses = symbol.param_uses.iter().filter_map(|u| {
        let param = signature.params.get(usize::from(u.param))?;
        let of_param = reads.of(decl.loc.item, &spans.reads, decl.loc.sym, u.param);
        let mut use_lines: Vec<u32> = of_param
            .iter()
            .map(|(_, _, at)| file.positions.lines.line_col(start + at).0 + 1)
            .collect();
        use_lines.sort_unstable();
        use_lines.dedup();
        Some(ParameterUse {
            variable: param.name.text().into(),
            use_lines,
            overwritten: u.overwritten,
            intended: u.intended,
            maybe: u.maybe,
        })
    });
    let parameter_uses: Vec<ParameterUse> = uses.filter(|u| !u.variable.is_empty()).collect();
    (!parameter_uses.is_empty()).then_some(BodyFeatures { parameter_uses })
}
