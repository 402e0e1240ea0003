//! The two graphs a report's numbers rest on: calls between entities, imports between files.

use crate::index::Index;
use crate::model::{Dependency, Report};
use crate::text::Text;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// Distinct edges between numbered nodes.
pub struct Edges {
    nodes: usize,
    /// Sorted, each once.
    pairs: Vec<(u32, u32)>,
    graph: DiGraph<(), ()>,
}

impl Edges {
    pub fn new(nodes: usize, mut pairs: Vec<(u32, u32)>) -> Edges {
        pairs.sort_unstable();
        pairs.dedup();
        let mut graph = DiGraph::with_capacity(nodes, pairs.len());
        for _ in 0..nodes {
            graph.add_node(());
        }
        graph.extend_with_edges(&pairs);
        Edges {
            nodes,
            pairs,
            graph,
        }
    }

    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Distinct edges out of each node, and into it.
    pub fn fans(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut out, mut into) = (vec![0; self.nodes], vec![0; self.nodes]);
        for &(a, b) in &self.pairs {
            out[a as usize] += 1;
            into[b as usize] += 1;
        }
        (out, into)
    }

    /// Strongly connected components, those that reach others before those they reach.
    fn components(&self) -> Vec<Vec<NodeIndex>> {
        // Not `tarjan_scc`: it recurses, and a chain of calls is as long as the source makes it.
        let mut all = kosaraju_scc(&self.graph);
        all.reverse();
        all
    }

    /// The longest chain of components that reaches each node.
    pub fn depths(&self) -> Vec<u32> {
        let components = self.components();
        let mut component_of = vec![0u32; self.nodes];
        for (c, members) in components.iter().enumerate() {
            for node in members {
                component_of[node.index()] = c as u32;
            }
        }
        let mut depth = vec![0u32; components.len()];
        for (c, members) in components.iter().enumerate() {
            let below = depth[c] + 1;
            for &node in members {
                for next in self.graph.neighbors(node) {
                    let d = component_of[next.index()] as usize;
                    if d != c {
                        depth[d] = depth[d].max(below);
                    }
                }
            }
        }
        component_of.iter().map(|&c| depth[c as usize]).collect()
    }

    /// The nodes that reach themselves.
    pub fn on_cycles(&self) -> Vec<bool> {
        let mut on_cycle = vec![false; self.nodes];
        for &(a, b) in &self.pairs {
            on_cycle[a as usize] |= a == b;
        }
        for members in self.components().iter().filter(|c| c.len() > 1) {
            for node in members {
                on_cycle[node.index()] = true;
            }
        }
        on_cycle
    }

    /// The nodes reached from `start`, itself included.
    pub fn reached(&self, start: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.nodes];
        let mut waiting: Vec<usize> = Vec::new();
        for node in start {
            if !std::mem::replace(&mut seen[node], true) {
                waiting.push(node);
            }
        }
        while let Some(node) = waiting.pop() {
            for next in self.graph.neighbors(NodeIndex::new(node)) {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    waiting.push(next.index());
                }
            }
        }
        seen
    }

    /// Components of several nodes, each sorted, in order of their first.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut cycles: Vec<Vec<u32>> = self
            .components()
            .into_iter()
            .filter(|c| c.len() > 1)
            .map(|c| {
                let mut members: Vec<u32> = c.iter().map(|n| n.index() as u32).collect();
                members.sort_unstable();
                members
            })
            .collect();
        cycles.sort_unstable();
        cycles
    }
}

/// Calls whose caller and callee are both entities of the report.
pub fn calls(report: &Report, index: &Index<'_>) -> Edges {
    let pairs = report
        .call_edges
        .iter()
        .filter(|edge| &*edge.resolution == "in_tree")
        .filter_map(|edge| {
            let caller = index.find(&edge.caller, edge.caller_line, edge.caller_column)?;
            let callee =
                index.find(&edge.callee, edge.declaration_line, edge.declaration_column)?;
            Some((caller as u32, callee as u32))
        });
    Edges::new(report.entities.len(), pairs.collect())
}

/// Imports of `wanted` kinds from one file of the report to another; nodes are the rows of
/// `file_hashes`.
pub fn imports(report: &Report, wanted: impl Fn(&Dependency) -> bool) -> Edges {
    let files: FxHashMap<&Text, u32> = report
        .file_hashes
        .iter()
        .enumerate()
        .map(|(i, (path, _))| (path, i as u32))
        .collect();
    let pairs = report
        .dependencies
        .iter()
        .filter(|d| &*d.kind == "import" && wanted(d))
        .filter_map(|d| {
            Some((
                *files.get(&d.source)?,
                *files.get(d.resolved_target.as_ref()?)?,
            ))
        })
        .filter(|(a, b)| a != b);
    Edges::new(files.len(), pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depth collapses each cycle: without that, recursion would make every
    /// function below it infinitely deep.
    #[test]
    fn depth_counts_components() {
        // 0 -> 1 <-> 2 -> 3, and 0 -> 3.
        let edges = Edges::new(5, vec![(0, 1), (1, 2), (2, 1), (2, 3), (0, 3), (0, 1)]);
        assert_eq!(edges.depths(), [0, 1, 1, 2, 0]);
        assert_eq!(edges.fans().0, [2, 1, 2, 0, 0]);
        assert_eq!(edges.fans().1, [0, 2, 1, 2, 0]);
        assert_eq!(edges.cycles(), [vec![1, 2]]);
        assert_eq!(edges.on_cycles(), [false, true, true, false, false]);
        assert_eq!(edges.reached([1]), [false, true, true, true, false]);
    }

    /// Generated code calls in chains longer than any stack.
    #[test]
    fn a_chain_of_a_million_calls_needs_no_stack() {
        let n = 1_000_000u32;
        let edges = Edges::new(n as usize, (1..n).map(|i| (i - 1, i)).collect());
        assert_eq!(edges.depths()[n as usize - 1], n - 1);
    }
}
