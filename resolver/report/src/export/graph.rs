//! The call graph or the file graph, for programs that draw and measure graphs.

use super::{escaped, made_by};
use crate::index::Index;
use crate::model::Report;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Which graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphKind {
    /// Entities that call or are called; an edge for each pair.
    Calls,
    /// Files; an edge for each pair that imports.
    Files,
}

struct Node {
    label: String,
    kind: String,
    file: String,
    line: u32,
    complexity: Option<u32>,
}

struct Edge {
    from: usize,
    to: usize,
    /// `certain`, `likely`, or `import`; of several calls the surest.
    how: &'static str,
    count: u32,
}

struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

fn calls(report: &Report) -> Graph {
    let index = Index::new(&report.entities);
    let mut pairs: BTreeMap<(usize, usize), (bool, u32)> = BTreeMap::new();
    for edge in report
        .call_edges
        .iter()
        .filter(|e| &*e.resolution == "in_tree")
    {
        let caller = index.find(&edge.caller, edge.caller_line, edge.caller_column);
        let callee = index.find(&edge.callee, edge.declaration_line, edge.declaration_column);
        if let (Some(a), Some(b)) = (caller, callee) {
            let pair = pairs.entry((a, b)).or_default();
            pair.0 |= edge.tier.as_deref() == Some("certain");
            pair.1 += 1;
        }
    }
    let mut wanted: Vec<usize> = pairs.keys().flat_map(|&(a, b)| [a, b]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let number: FxHashMap<usize, usize> = wanted.iter().enumerate().map(|(n, &e)| (e, n)).collect();
    let nodes = wanted.iter().map(|&i| {
        let e = &report.entities[i];
        let metrics = report.metrics_by_entity.get(index.key(i));
        Node {
            label: index.key(i).to_string(),
            kind: e.kind.to_string(),
            file: e.file.to_string(),
            line: e.line_number,
            complexity: metrics.and_then(|m| m.cyclomatic_complexity),
        }
    });
    let edges = pairs.iter().map(|(&(a, b), &(certain, count))| Edge {
        from: number[&a],
        to: number[&b],
        how: if certain { "certain" } else { "likely" },
        count,
    });
    Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn files(report: &Report) -> Graph {
    let paths = report.file_hashes.rows();
    let number: FxHashMap<&str, usize> = paths
        .iter()
        .enumerate()
        .map(|(n, (path, _))| (path.as_str(), n))
        .collect();
    let mut pairs: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for d in report.dependencies.iter().filter(|d| &*d.kind == "import") {
        let to = d.resolved_target.as_deref().and_then(|t| number.get(t));
        if let (Some(&from), Some(&to)) = (number.get(d.source.as_str()), to)
            && from != to
        {
            *pairs.entry((from, to)).or_default() += 1;
        }
    }
    let nodes = paths.iter().map(|(path, _)| Node {
        label: path.to_string(),
        kind: "file".to_owned(),
        file: path.to_string(),
        line: 1,
        complexity: None,
    });
    let edges = pairs.iter().map(|(&(from, to), &count)| Edge {
        from,
        to,
        how: "import",
        count,
    });
    Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

fn graph(report: &Report, kind: GraphKind) -> Graph {
    match kind {
        GraphKind::Calls => calls(report),
        GraphKind::Files => files(report),
    }
}

/// For Graphviz.
pub fn dot(report: &Report, kind: GraphKind) -> String {
    let graph = graph(report, kind);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "// {}, snapshot {}",
        made_by(report),
        report.snapshot_id
    );
    out.push_str(
        "digraph surefoot {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n",
    );
    for (n, node) in graph.nodes.iter().enumerate() {
        let label = quoted(&node.label);
        let place = quoted(&format!("{} {}:{}", node.kind, node.file, node.line));
        let _ = writeln!(out, "  n{n} [label={label}, tooltip={place}];");
    }
    for edge in &graph.edges {
        let style = if edge.how == "likely" {
            ", style=dashed"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  n{} -> n{} [class={}, weight={}{style}];",
            edge.from, edge.to, edge.how, edge.count
        );
    }
    out.push_str("}\n");
    out
}

/// A string as the DOT language quotes it: only the quote is special, and an escape begins with `\`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// For graph tools.
pub fn graphml(report: &Report, kind: GraphKind) -> String {
    let graph = graph(report, kind);
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let _ = writeln!(
        out,
        "  <!-- {}, snapshot {} -->",
        made_by(report).replace("--", "-"),
        report.snapshot_id
    );
    for (id, of, name, kind) in [
        ("label", "node", "label", "string"),
        ("kind", "node", "kind", "string"),
        ("file", "node", "file", "string"),
        ("line", "node", "line", "int"),
        ("complexity", "node", "cyclomatic_complexity", "int"),
        ("how", "edge", "how", "string"),
        ("count", "edge", "count", "int"),
    ] {
        let _ = writeln!(
            out,
            "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    out.push_str("  <graph id=\"surefoot\" edgedefault=\"directed\">\n");
    for (n, node) in graph.nodes.iter().enumerate() {
        let _ = write!(
            out,
            "    <node id=\"n{n}\"><data key=\"label\">{}</data><data key=\"kind\">{}</data>\
             <data key=\"file\">{}</data><data key=\"line\">{}</data>",
            escaped(&node.label),
            escaped(&node.kind),
            escaped(&node.file),
            node.line
        );
        if let Some(complexity) = node.complexity {
            let _ = write!(out, "<data key=\"complexity\">{complexity}</data>");
        }
        out.push_str("</node>\n");
    }
    for edge in &graph.edges {
        let _ = writeln!(
            out,
            "    <edge source=\"n{}\" target=\"n{}\"><data key=\"how\">{}</data>\
             <data key=\"count\">{}</data></edge>",
            edge.from, edge.to, edge.how, edge.count
        );
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
