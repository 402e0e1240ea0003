//! What is no sum: depths, cycles, reachability. Computed over one snapshot when
//! asked for, never on the typing path.

use crate::snapshot::Snapshot;
// Iterative, unlike its sibling of Tarjan: call chains are as long as the code makes them.
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::OnceLock;
use surefoot_facts::{Flags, Specifier};
use surefoot_graph::{FileId, SymbolId};

/// The numbers of one symbol in the graph of placed calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeMetrics {
    /// Distinct symbols that call it, and that it calls; certain and likely.
    pub fan_in: u32,
    pub fan_out: u32,
    /// The longest chain of components that leads to it; a cycle is one component.
    pub depth: u32,
    pub cyclomatic: u32,
    /// Calls itself, directly or through others.
    pub recursive: bool,
}

impl NodeMetrics {
    /// The hotspot score in hundredths: `fan_out × 35 + cyclomatic × 40 + depth × 25`.
    /// Integers, because scores land exactly on thresholds.
    pub fn score(&self) -> u64 {
        u64::from(self.fan_out) * 35 + u64::from(self.cyclomatic) * 40 + u64::from(self.depth) * 25
    }
}

/// A function whose score reaches a threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hotspot {
    pub symbol: SymbolId,
    /// In hundredths.
    pub score: u64,
    pub metrics: NodeMetrics,
}

/// From this score on a function is listed in the report: 3.00.
pub const REPORT_THRESHOLD: u64 = 300;
/// From this score on the editor shows it: 10.00.
pub const EDITOR_THRESHOLD: u64 = 1000;

/// `1234` as `12.34`.
pub fn score_text(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Depths, cycles and reachability of one snapshot.
pub struct Metrics {
    nodes: FxHashMap<SymbolId, NodeMetrics>,
    reachable: FxHashSet<SymbolId>,
    imports: OnceLock<Imports>,
}

impl Metrics {
    pub(crate) fn compute(snapshot: &Snapshot) -> Metrics {
        let mut graph: DiGraph<SymbolId, ()> = DiGraph::new();
        let mut at: FxHashMap<SymbolId, NodeIndex> = FxHashMap::default();
        let mut metrics: FxHashMap<SymbolId, NodeMetrics> = FxHashMap::default();
        let mut entries = Vec::new();
        for file in snapshot.files() {
            for (id, item, _, sym) in file.each_symbol() {
                let Some(s) = item.symbol(sym) else {
                    continue;
                };
                if s.kind.is_callable() && !s.flags.has(Flags::BODILESS) {
                    metrics.entry(id).or_default().cyclomatic = s.complexity.cyclomatic;
                }
                if s.flags.has(Flags::ENTRY) {
                    entries.push(id);
                }
            }
        }
        for state in snapshot.states() {
            let links = state.links.links();
            let mut last = None;
            for link in links.iter().filter(|l| l.is_edge()) {
                // Sorted by target and caller: equal pairs are neighbours.
                let pair = (link.caller, link.callee);
                if last.replace(pair) == Some(pair) {
                    continue;
                }
                let mut node = |id| *at.entry(id).or_insert_with(|| graph.add_node(id));
                let (from, to) = (node(link.caller), node(link.callee));
                graph.add_edge(from, to, ());
                metrics.entry(link.caller).or_default().fan_out += 1;
                metrics.entry(link.callee).or_default().fan_in += 1;
            }
        }
        // Callees before callers; depth counts from the callers down.
        let components = kosaraju_scc(&graph);
        let mut of = vec![0; graph.node_count()];
        for (c, nodes) in components.iter().enumerate() {
            for n in nodes {
                of[n.index()] = c;
            }
        }
        let mut depth = vec![0u32; components.len()];
        for (c, nodes) in components.iter().enumerate().rev() {
            for &n in nodes {
                for to in graph.neighbors(n) {
                    let other = of[to.index()];
                    if other != c {
                        depth[other] = depth[other].max(depth[c] + 1);
                    }
                    if other == c {
                        for id in [graph[n], graph[to]] {
                            metrics.entry(id).or_default().recursive = true;
                        }
                    }
                }
            }
        }
        for (c, nodes) in components.iter().enumerate() {
            for &n in nodes {
                metrics.entry(graph[n]).or_default().depth = depth[c];
            }
        }
        let mut reachable: FxHashSet<SymbolId> = entries.iter().copied().collect();
        let mut queue = entries;
        while let Some(id) = queue.pop() {
            let Some(&n) = at.get(&id) else {
                continue;
            };
            let next = graph.neighbors(n).map(|to| graph[to]);
            queue.extend(next.filter(|&to| reachable.insert(to)));
        }
        Metrics {
            nodes: metrics,
            reachable,
            imports: OnceLock::new(),
        }
    }

    pub fn of(&self, id: SymbolId) -> NodeMetrics {
        self.nodes.get(&id).copied().unwrap_or_default()
    }

    /// Whether placed calls lead here from an entry point.
    pub fn is_reachable(&self, id: SymbolId) -> bool {
        self.reachable.contains(&id)
    }

    /// Functions from a score on, the highest first; equals by file and position.
    pub fn hotspots(&self, snapshot: &Snapshot, threshold: u64) -> Vec<Hotspot> {
        let mut out: Vec<Hotspot> = self
            .nodes
            .iter()
            .map(|(&symbol, metrics)| Hotspot {
                symbol,
                score: metrics.score(),
                metrics: *metrics,
            })
            .filter(|h| h.score >= threshold && self.is_listed(snapshot, h.symbol))
            .collect();
        out.sort_by_cached_key(|h| (std::cmp::Reverse(h.score), snapshot.order_key(h.symbol)));
        out
    }

    fn is_listed(&self, snapshot: &Snapshot, id: SymbolId) -> bool {
        let kind = snapshot.decl(id).map(|d| d.kind());
        kind.is_some_and(|k| k.is_callable() && k.is_shown())
    }

    /// Imports from file to file, and the cycles they make.
    pub fn imports(&self, snapshot: &Snapshot) -> &Imports {
        self.imports.get_or_init(|| Imports::collect(snapshot))
    }
}

/// One import: from, to, and which of the file's [`crate::FileLinks::imports`] it is.
pub type FileImport = (FileId, FileId, u32);

/// Imports that load files. Imports by path bring names, and imports of types
/// alone load nothing; both are no part.
pub struct Imports {
    /// By importing file.
    list: Vec<FileImport>,
    cycles: Vec<Vec<FileId>>,
    member: FxHashMap<FileId, usize>,
}

impl Imports {
    fn collect(snapshot: &Snapshot) -> Imports {
        let mut list = file_imports(snapshot);
        list.sort_unstable_by_key(|&(from, to, n)| (from, n, to));
        let mut graph: DiGraph<FileId, ()> = DiGraph::new();
        let mut at: FxHashMap<FileId, NodeIndex> = FxHashMap::default();
        for &(from, to, _) in &list {
            let mut node = |f| *at.entry(f).or_insert_with(|| graph.add_node(f));
            let (a, b) = (node(from), node(to));
            graph.update_edge(a, b, ());
        }
        let mut cycles: Vec<Vec<FileId>> = kosaraju_scc(&graph)
            .into_iter()
            .filter(|c| c.len() > 1)
            .map(|c| c.into_iter().map(|n| graph[n]).collect())
            .collect();
        let path = |f: &FileId| snapshot.file(*f).map(|f| f.path.clone());
        for cycle in &mut cycles {
            cycle.sort_by_cached_key(path);
        }
        cycles.sort_by_cached_key(|c| c.first().and_then(path));
        let all = cycles.iter().enumerate();
        let member = all
            .flat_map(|(i, c)| c.iter().map(move |&f| (f, i)))
            .collect();
        Imports {
            list,
            cycles,
            member,
        }
    }

    /// Groups of files that import each other, each in the order of paths.
    pub fn cycles(&self) -> &[Vec<FileId>] {
        &self.cycles
    }

    /// The cycle a file is part of.
    pub fn cycle_of(&self, file: FileId) -> Option<&[FileId]> {
        self.member.get(&file).map(|&i| self.cycles[i].as_slice())
    }

    /// The imports written in a file, in source order.
    pub fn from(&self, file: FileId) -> &[FileImport] {
        let from = self.list.partition_point(|i| i.0 < file);
        let len = self.list[from..].partition_point(|i| i.0 == file);
        &self.list[from..from + len]
    }

    /// The shortest way from one file to another inside a cycle, import by import.
    pub fn way(&self, from: FileId, to: FileId, inside: &[FileId]) -> Option<Vec<FileImport>> {
        let mut came: FxHashMap<FileId, FileImport> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(file) = queue.pop_front() {
            if file == to {
                let mut way = Vec::new();
                let mut at = to;
                while at != from {
                    let step = *came.get(&at)?;
                    way.push(step);
                    at = step.0;
                }
                way.reverse();
                return Some(way);
            }
            for &step in self.from(file) {
                let next = step.1;
                if next != from && inside.contains(&next) && !came.contains_key(&next) {
                    came.insert(next, step);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

/// Imports from file to file that load something. A file's imports of itself
/// are left out.
fn file_imports(snapshot: &Snapshot) -> Vec<FileImport> {
    let mut out = Vec::new();
    for state in snapshot.states() {
        let from = state.entry.id;
        for (n, link) in state.links.imports().iter().enumerate() {
            let Specifier::File { file, .. } = link.leads else {
                continue;
            };
            if file != from && link.loads {
                out.push((from, file, n as u32));
            }
        }
    }
    out
}
