//! From a snapshot to a report: the same snapshot gives the same report, whatever made it.

mod dependencies;
mod edges;
mod entities;
mod joints;

use crate::model::{
    ConfigInput, ConfigSelection, Fragility, Partial, Production, Provenance, Report, RiskIndex,
    SkippedFile, VERSION,
};
use crate::recompute;
use crate::text::{Digest, Sorted, Text};
use entities::Entities;
use surefoot_engine::Snapshot;
use surefoot_facts::ManifestFacts;

/// What only whoever read the tree knows.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub provenance: Provenance,
    pub config_inputs: Vec<ConfigInput>,
    pub config_selections: Vec<ConfigSelection>,
    pub skipped_files: Vec<SkippedFile>,
}

/// The report of a snapshot.
pub fn build(snapshot: &Snapshot, inputs: Inputs) -> Report {
    let entities = Entities::collect(snapshot);
    let file_hashes = snapshot
        .files()
        .map(|f| (Text::from(f.path.clone()), Digest(f.digest)));
    let mut report = Report {
        version: VERSION,
        snapshot_id: Digest::default(),
        is_complete: false,
        analyzer_provenance: inputs.provenance,
        call_edges: edges::call_edges(snapshot, &entities),
        dependencies: dependencies::dependencies(snapshot),
        metrics_by_entity: entities.metrics(snapshot),
        bridge_nodes: sorted(joints::joints(snapshot, &entities)),
        entities: entities.rows,
        hotspots: Vec::new(),
        fragility: Fragility::default(),
        risk_index: RiskIndex::default(),
        doc_coverage: None,
        production: Production::default(),
        dependency_cycles: Vec::new(),
        reachable_from_entry: Vec::new(),
        file_hashes: Sorted::new(file_hashes.collect()),
        config_inputs: sorted(inputs.config_inputs),
        config_selections: sorted(inputs.config_selections),
        skipped_files: sorted(inputs.skipped_files),
        partial_analysis: partial(snapshot),
    };
    recompute::complete_fresh(&mut report);
    report
}

fn sorted<T: Ord>(mut rows: Vec<T>) -> Vec<T> {
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// What was read and not understood whole.
fn partial(snapshot: &Snapshot) -> Vec<Partial> {
    let mut out = Vec::new();
    let mut add = |stage: &str, file: Text, reason_code: &str, reason: String| {
        out.push(Partial {
            stage: stage.into(),
            file: Some(file),
            reason_code: reason_code.into(),
            reason,
        });
    };
    for file in snapshot.files().filter(|f| f.facts.errors > 0) {
        let reason = match file.facts.errors {
            1 => "1 region did not parse".to_owned(),
            n => format!("{n} regions did not parse"),
        };
        add("parse", file.path.clone().into(), "parse_error", reason);
    }
    for (path, manifest) in snapshot.manifests() {
        if let ManifestFacts::Unreadable(why) = &**manifest {
            let path = path.clone().into();
            add("configuration", path, "metadata_unreadable", why.clone());
        }
    }
    for (file, _) in snapshot.poisoned() {
        let reason = "its calls could not be resolved: the resolver stopped on this file";
        let path = file.path.clone().into();
        add("resolution", path, "internal_error", reason.to_owned());
    }
    sorted(out)
}
