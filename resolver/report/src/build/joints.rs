//! Where another language reaches this tree or is reached from it.
//!
//! One side is marked in its source; the other says what it opens. That both are
//! one is never proved by the text: a loader decides when the program runs. So
//! what stands across is a peer, `likely` at best, and no call edge.

use super::entities::Entities;
use crate::model::{BridgeNode, Peer};
use crate::text::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_engine::{FileEntry, FileState, Snapshot};
use surefoot_facts::{
    BindKind, Expr, ExprIdx, Flags, Import, ImportKind, ItemFacts, Joint, ManifestFacts, Name,
};
use surefoot_graph::{Resolution, SiteId, SymbolId};

/// A callee longer than this is no path of names.
const MAX_SEGMENTS: usize = 8;

pub(super) fn joints(snapshot: &Snapshot, entities: &Entities) -> Vec<BridgeNode> {
    let exports = Exports::of(snapshot, entities);
    let mut out = Vec::new();
    for (id, key) in entities.keys() {
        let Some(decl) = snapshot.decl(id) else {
            continue;
        };
        let flags = decl.flags();
        let import = flags.has(Flags::EXTERN);
        let foreign = decl.facts.map_or(Name::EMPTY, |(_, s)| s.foreign);
        for (bit, technology) in Flags::JOINTS {
            if flags.has(*bit) {
                out.push(BridgeNode {
                    entity: key.clone(),
                    technology: (*technology).into(),
                    side: if import { "import" } else { "export" }.into(),
                    line_number: 0,
                    peers: match import {
                        true => exports.peers(technology, foreign, true, "symbol-name"),
                        false => Vec::new(),
                    },
                });
            }
        }
    }
    for state in snapshot.states() {
        let file = &state.entry;
        let languages = snapshot.languages().0.iter();
        let language = languages.into_iter().find(|l| l.id() == file.language);
        let known = language.map_or(&[][..], |l| l.joints());
        if !known.is_empty() {
            let opened = Opened::of(file, known, &exports);
            if !opened.is_empty() {
                opened.rows(snapshot, entities, state, &exports, &mut out);
            }
        }
    }
    out
}

/// What other languages may call, by technology and the name they know it by.
struct Exports<'a> {
    entities: &'a Entities,
    by_name: FxHashMap<(&'static str, Name), Vec<SymbolId>>,
    /// Packages that export by a technology, as code names them.
    packages: FxHashSet<(&'static str, String)>,
}

impl<'a> Exports<'a> {
    fn of(snapshot: &Snapshot, entities: &'a Entities) -> Exports<'a> {
        let mut out = Exports {
            entities,
            by_name: FxHashMap::default(),
            packages: FxHashSet::default(),
        };
        for (id, _) in entities.keys() {
            let Some((decl, foreign)) = snapshot
                .decl(id)
                .and_then(|d| Some((d, d.facts?.1.foreign)))
            else {
                continue;
            };
            let flags = decl.flags();
            if foreign.is_empty() || flags.has(Flags::EXTERN) {
                continue;
            }
            for (bit, technology) in Flags::JOINTS {
                if flags.has(*bit) {
                    let named = out.by_name.entry((technology, foreign)).or_default();
                    named.push(id);
                    if let Some(package) = package_of(snapshot, &decl.file.path) {
                        out.packages.insert((technology, package));
                    }
                }
            }
        }
        out
    }

    /// What is known by a name. Several of one name are possible, and so is one whose caller may mean
    /// something else.
    fn peers(
        &self,
        technology: &'static str,
        name: Name,
        proved: bool,
        rule: &'static str,
    ) -> Vec<Peer> {
        let found = self.by_name.get(&(technology, name));
        let found = found.map_or(&[][..], Vec::as_slice);
        let tier = match proved && found.len() == 1 {
            true => "likely",
            false => "possible",
        };
        let keys = found.iter().filter_map(|&id| self.entities.key(id));
        let mut peers: Vec<Peer> = keys
            .map(|key| Peer {
                entity: key.clone(),
                tier: tier.into(),
                rule: rule.into(),
            })
            .collect();
        peers.sort_unstable();
        peers
    }
}

/// The package whose manifest is the nearest above a file.
fn package_of(snapshot: &Snapshot, path: &str) -> Option<String> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        folder = above;
        if let Some(name) = package_at(snapshot, &format!("{folder}/")) {
            return Some(name);
        }
    }
    package_at(snapshot, "")
}

fn package_at(snapshot: &Snapshot, folder: &str) -> Option<String> {
    let manifest = snapshot.manifests().get(&*format!("{folder}Cargo.toml"))?;
    match &**manifest {
        ManifestFacts::Cargo {
            package, lib_name, ..
        } => lib_name.clone().or_else(|| package.clone()),
        _ => None,
    }
}

/// What a file opens of another language.
#[derive(Default)]
struct Opened {
    /// Imports by the name they bind, with what is asked below the name.
    bound: FxHashMap<Name, Bound>,
    /// Lines where a module is imported.
    imports: Vec<(u32, &'static str, Vec<Peer>)>,
    /// Functions of libraries that open something: technology, module, name inside.
    calls: Vec<(&'static str, &'static str, &'static str)>,
    /// Technologies whose functions are reached through a value that the text does not follow.
    handles: Vec<&'static str>,
}

#[derive(Clone, Copy)]
struct Bound {
    /// The technology whose module it is; none for a library that opens modules by a call.
    technology: Option<&'static str>,
    /// The name asked of the module; empty for the module itself.
    name: Name,
    spec: Name,
}

impl Opened {
    fn of(file: &FileEntry, known: &'static [Joint], exports: &Exports<'_>) -> Opened {
        let mut out = Opened::default();
        for (at, item) in file.facts.items.iter().enumerate() {
            let Some((start, spans)) = file.positions.items.get(at) else {
                continue;
            };
            for (import, span) in item.imports.iter().zip(&spans.imports) {
                let line = file.positions.lines.line_col(start + span.start).0 + 1;
                for joint in known {
                    out.import(import, line, joint, exports);
                }
            }
        }
        out.handles.sort_unstable();
        out.handles.dedup();
        out
    }

    fn is_empty(&self) -> bool {
        self.bound.is_empty() && self.imports.is_empty()
    }

    fn import(&mut self, import: &Import, line: u32, joint: &Joint, exports: &Exports<'_>) {
        let spec = import.spec.text();
        if spec.is_empty() {
            return;
        }
        let last = spec.rsplit(['/', '.']).next().unwrap_or(spec);
        let mut opens = |technology: &'static str, peers: Vec<Peer>| {
            self.imports.push((line, technology, peers));
            self.bind(import, Some(technology));
        };
        match *joint {
            Joint::Call(technology, module, name) => {
                if spec == module {
                    self.calls.push((technology, module, name));
                    self.bind(import, None);
                }
            }
            Joint::Ending(technology, ending) => {
                if spec.ends_with(ending) {
                    opens(technology, Vec::new());
                    self.handles.push(technology);
                }
            }
            Joint::Module(technology, prefix) => {
                let wanted = Name::new(&format!("{prefix}{last}"));
                let peers = exports.peers(technology, wanted, true, "module-name");
                if !peers.is_empty() {
                    opens(technology, peers);
                }
            }
            Joint::Package(technology, endings) => {
                let file = spec.rsplit('/').next().unwrap_or(spec);
                let name = endings.iter().find_map(|e| file.strip_suffix(e));
                let name = name.unwrap_or(file).replace('-', "_");
                if exports.packages.contains(&(technology, name)) {
                    opens(technology, Vec::new());
                }
            }
        }
    }

    fn bind(&mut self, import: &Import, technology: Option<&'static str>) {
        if import.binds && !import.local.is_empty() {
            let module = import.kind == ImportKind::Namespace;
            let bound = Bound {
                technology,
                name: if module { Name::EMPTY } else { import.name },
                spec: import.spec,
            };
            self.bound.insert(import.local, bound);
        }
    }

    fn rows(
        mut self,
        snapshot: &Snapshot,
        entities: &Entities,
        state: &FileState,
        exports: &Exports<'_>,
        out: &mut Vec<BridgeNode>,
    ) {
        let file = &state.entry;
        let Some(module) = entities.key(file.module) else {
            return;
        };
        let row =
            |entity: &Text, technology: &str, line_number: u32, peers: Vec<Peer>| BridgeNode {
                entity: entity.clone(),
                technology: technology.into(),
                side: "import".into(),
                line_number,
                peers,
            };
        for (line, technology, peers) in std::mem::take(&mut self.imports) {
            out.push(row(module, technology, line, peers));
        }
        let sites = Sites {
            snapshot,
            entities,
            file,
        };
        // What opens a library makes the members called in its file worth a look.
        for call in sites.calls() {
            let Some(path) = call.path(&self) else {
                continue;
            };
            let opens = self.calls.iter().find(|(_, module, name)| {
                path.bound.spec.text() == *module && path.inside() == *name
            });
            if let Some(&(technology, ..)) = opens {
                self.handles.push(technology);
                out.push(row(call.caller, technology, call.line, Vec::new()));
            }
        }
        for call in sites.calls() {
            if let Some(path) = call.path(&self)
                && let Some(technology) = path.bound.technology
            {
                let name = Name::new(&path.inside());
                let peers = exports.peers(technology, name, true, "exported-name");
                if !peers.is_empty() {
                    out.push(row(call.caller, technology, call.line, peers));
                }
                continue;
            }
            let member = matches!(call.item.expr(call.callee), Expr::Member { .. });
            let placed = call.resolution != Resolution::Undetermined;
            for technology in self.handles.iter().filter(|_| member && !placed) {
                let peers = exports.peers(technology, call.name, false, "symbol-name");
                if !peers.is_empty() {
                    out.push(row(call.caller, technology, call.line, peers));
                }
            }
        }
    }
}

struct Sites<'a> {
    snapshot: &'a Snapshot,
    entities: &'a Entities,
    file: &'a FileEntry,
}

/// A call that was not placed in the tree.
struct OpenCall<'a> {
    item: &'a ItemFacts,
    callee: ExprIdx,
    name: Name,
    caller: &'a Text,
    line: u32,
    resolution: Resolution,
}

/// A callee below a name that an import of interest binds.
struct Path {
    bound: Bound,
    below: Vec<Name>,
}

impl Path {
    /// The name inside the module: `cdll.LoadLibrary`.
    fn inside(&self) -> String {
        let name = Some(self.bound.name).filter(|n| !n.is_empty());
        let parts = name.into_iter().chain(self.below.iter().copied());
        let parts: Vec<&str> = parts.map(Name::text).collect();
        parts.join(".")
    }
}

impl<'a> Sites<'a> {
    fn calls(&self) -> impl Iterator<Item = OpenCall<'a>> {
        let (snapshot, entities, file) = (self.snapshot, self.entities, self.file);
        let items = file.facts.items.iter().enumerate();
        items.flat_map(move |(at, item)| {
            let sites = item.sites.iter().enumerate();
            sites.filter_map(move |(index, site)| {
                if !site.kind.is_call() {
                    return None;
                }
                let id = SiteId {
                    file: file.id,
                    index: file.site_starts.get(at)? + index as u32,
                };
                let resolution = snapshot.outcome(id)?.resolution;
                let open = matches!(
                    resolution,
                    Resolution::Outside | Resolution::Unresolved | Resolution::Undetermined
                );
                let (start, spans) = file.positions.items.get(at)?;
                let offset = start + spans.sites.get(index)?.start;
                open.then_some(OpenCall {
                    item,
                    callee: site.callee,
                    name: site.name,
                    caller: entities.key(snapshot.caller_of(id)?)?,
                    line: file.positions.lines.line_col(offset).0 + 1,
                    resolution,
                })
            })
        })
    }
}

impl OpenCall<'_> {
    fn path(&self, opened: &Opened) -> Option<Path> {
        let mut below = Vec::new();
        let mut at = self.callee;
        for _ in 0..MAX_SEGMENTS {
            match self.item.expr(at) {
                Expr::Member { base, name } | Expr::Method { base, name } => {
                    below.push(name);
                    at = base;
                }
                Expr::Free { name, .. } | Expr::Earlier { name, .. } => {
                    below.reverse();
                    let bound = *opened.bound.get(&name)?;
                    return Some(Path { bound, below });
                }
                Expr::Local(binding) => {
                    let binding = self.item.bindings.get(binding.get()?)?;
                    let BindKind::Import(_) = binding.kind else {
                        return None;
                    };
                    below.reverse();
                    let bound = *opened.bound.get(&binding.name)?;
                    return Some(Path { bound, below });
                }
                _ => return None,
            }
        }
        None
    }
}
