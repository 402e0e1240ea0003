//! A report of two files: a cycle of imports, overloads that share a name, a hotspot, a test.

use crate::model::*;
use crate::text::{Digest, Sorted, Text};

pub(super) fn digest(text: &str) -> Digest {
    Digest(*blake3::hash(text.as_bytes()).as_bytes())
}

pub(super) fn provenance() -> Provenance {
    Provenance {
        name: "surefoot".into(),
        version: "0.1.0".into(),
        build: "b".into(),
        grammars: Sorted::new(vec![("rust".into(), "tree-sitter-rust 0.24.2".into())]),
        metrics: vec!["cyclomatic/v1".into()],
        configuration: Configuration {
            languages: Vec::new(),
            max_file_size: 1_000,
            max_total_bytes: 10_000,
            max_file_count: 10,
            cross_filesystem: false,
            bind_unique_names: false,
        },
        resolvers: Vec::new(),
    }
}

fn function(file: &str, name: &str, line: u32) -> Entity {
    Entity {
        qualified_name: format!("{file}::{name}").into(),
        kind: "function".into(),
        name: name.into(),
        file: file.into(),
        line_number: line,
        column: 4,
        end_line: line + 2,
        parameters: Some(Vec::new()),
        documented: Some(line.is_multiple_of(2)),
        non_production: None,
        content_digest: Some(digest(name)),
        entry_point: None,
        partial: false,
        body_features: None,
    }
}

fn call(from: &Entity, to: &Entity, line: u32) -> CallEdge {
    CallEdge {
        caller: from.qualified_name.clone(),
        caller_line: 0,
        caller_column: 0,
        callee: to.qualified_name.clone(),
        declaration_line: 0,
        declaration_column: 0,
        line_number: line,
        column: 5,
        name: None,
        kind: None,
        resolution: "in_tree".into(),
        tier: Some("certain".into()),
        rule: Some("module-scope".into()),
        via: Vec::new(),
        cause: None,
        candidates: Vec::new(),
        candidates_left_out: 0,
        resolved_by: None,
    }
}

fn import(from: &str, to: &str) -> Dependency {
    Dependency {
        source: from.into(),
        target: format!("crate::{to}").into(),
        kind: "import".into(),
        resolution: "in_tree".into(),
        resolved_target: Some(to.into()),
        line_number: 1,
        names_only: false,
    }
}

/// The files of the tree and what they say.
pub(super) const FILES: &[(&str, &str)] = &[("a.rs", "the text of a"), ("b.rs", "the text of b")];

pub(crate) fn report() -> Report {
    let mut main = function("a.rs", "main", 1);
    main.entry_point = Some("main".into());
    let twin = |line| function("b.rs", "twin", line);
    let (first, second) = (twin(2), twin(8));
    let mut test = function("b.rs", "checks", 20);
    test.non_production = Some("test_attribute".into());
    let mut calls = Vec::new();
    for (line, to) in [(2, &first), (3, &first), (4, &second)] {
        let mut edge = call(&main, to, line);
        edge.declaration_line = to.line_number;
        calls.push(edge);
    }
    let mut unplaced = call(&main, &first, 5);
    unplaced.callee = "len".into();
    (unplaced.resolution, unplaced.tier, unplaced.rule) = ("undetermined".into(), None, None);
    unplaced.cause = Some("no-receiver-type".into());
    calls.push(unplaced);
    let own = |cyclomatic| Metrics {
        cyclomatic_complexity: Some(cyclomatic),
        cognitive_complexity: Some(0),
        ..Metrics::default()
    };
    let mut report = Report {
        version: VERSION,
        snapshot_id: Digest::default(),
        is_complete: false,
        analyzer_provenance: provenance(),
        entities: vec![main, first, second, test],
        call_edges: calls,
        dependencies: vec![import("a.rs", "b.rs"), import("b.rs", "a.rs")],
        metrics_by_entity: Sorted::new(vec![
            ("a.rs::main".into(), own(12)),
            ("b.rs::twin@2".into(), own(1)),
            ("b.rs::twin@8".into(), own(2)),
            ("b.rs::checks".into(), own(40)),
        ]),
        hotspots: Vec::new(),
        fragility: Fragility::default(),
        risk_index: RiskIndex::default(),
        doc_coverage: None,
        production: Production::default(),
        dependency_cycles: Vec::new(),
        reachable_from_entry: Vec::new(),
        bridge_nodes: vec![BridgeNode {
            line_number: 0,
            peers: Vec::new(),
            entity: "b.rs::checks".into(),
            technology: "c_abi".into(),
            side: "export".into(),
        }],
        file_hashes: Sorted::new(
            FILES
                .iter()
                .map(|&(path, text)| (Text::from(path), digest(text)))
                .collect(),
        ),
        config_inputs: vec![ConfigInput {
            path: "Cargo.toml".into(),
            kind: "cargo".into(),
            digest: digest("[package]"),
        }],
        config_selections: vec![ConfigSelection {
            context: "sub".into(),
            candidates: vec!["sub/Cargo.toml".into()],
            selected: Vec::new(),
        }],
        skipped_files: Vec::new(),
        partial_analysis: Vec::new(),
    };
    crate::recompute::complete(&mut report);
    report
}

pub(super) fn document(report: &Report) -> String {
    let mut bytes = Vec::new();
    crate::write(report, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}
