//! Walks over placed calls, by number.

use super::store::QueryIndex;
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Callers,
    Callees,
}

/// Neighbours of every entity in one direction, each once, in order.
pub(super) struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Neighbours {
    pub fn of_calls(index: &QueryIndex, way: Way) -> Neighbours {
        let pairs = index.placed.iter().map(|p| match way {
            Way::Callers => (p.callee, p.caller),
            Way::Callees => (p.caller, p.callee),
        });
        Neighbours::new(index.entities.len(), pairs.collect())
    }

    pub fn new(nodes: usize, mut pairs: Vec<(u32, u32)>) -> Neighbours {
        pairs.retain(|&(a, b)| (a as usize) < nodes && (b as usize) < nodes);
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; nodes + 1];
        for &(a, _) in &pairs {
            starts[a as usize + 1] += 1;
        }
        for i in 0..nodes {
            starts[i + 1] += starts[i];
        }
        Neighbours {
            starts,
            ends: pairs.into_iter().map(|(_, b)| b).collect(),
        }
    }

    pub fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        let (from, to) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        &self.ends[from..to]
    }

    /// What is reached within `depth` steps, nearest first, with its distance; the start is not in it.
    pub fn within(&self, start: &[u32], depth: u32) -> Vec<(u32, u32)> {
        let mut seen: FxHashSet<u32> = start.iter().copied().collect();
        let mut out = Vec::new();
        let mut front = start.to_vec();
        for step in 1..=depth {
            let mut next = Vec::new();
            for &node in &front {
                let fresh = self.of(node).iter().copied();
                next.extend(fresh.filter(|&n| seen.insert(n)));
            }
            if next.is_empty() {
                break;
            }
            next.sort_unstable();
            out.extend(next.iter().map(|&n| (n, step)));
            front = next;
        }
        out
    }

    /// A shortest way between two nodes, both ends in it.
    pub fn path(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let nodes = self.starts.len() - 1;
        let mut before = vec![u32::MAX; nodes];
        before[from as usize] = from;
        let mut front = std::collections::VecDeque::from([from]);
        while let Some(node) = front.pop_front() {
            if node == to {
                let mut path = vec![to];
                let mut at = to;
                while at != from {
                    at = before[at as usize];
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            for &next in self.of(node) {
                if before[next as usize] == u32::MAX {
                    before[next as usize] = node;
                    front.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances and ways worked by hand: a cycle, a shortcut, a node nobody reaches.
    #[test]
    fn nearest_first_and_the_shortest_way() {
        let n = Neighbours::new(5, vec![(0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (0, 3)]);
        assert_eq!(n.within(&[0], 1), [(1, 1), (3, 1)]);
        assert_eq!(n.within(&[0], 9), [(1, 1), (3, 1), (2, 2)]);
        assert_eq!(n.path(1, 3), Some(vec![1, 2, 3]));
        assert_eq!(n.path(0, 0), Some(vec![0]));
        assert_eq!(n.path(0, 4), None);
    }
}
