//! The answer of a comparison, field by field.

use crate::cut::Cut;
use crate::text::{Digest, Text};
use serde::Serialize;
use serde_json::Value;

/// What changed between two reports, and how far the answer holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// The two `snapshot_id`s: a claim here is worth what those are worth.
    pub before: Digest,
    pub after: Digest,
    /// Present only when the analyzer differs: then what follows is no diff of the code alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyzer: Option<Analyzer>,
    pub files: Files,
    pub configuration: Configuration,
    pub entities: Entities,
    pub calls: Calls,
    pub dependencies: Dependencies,
    /// One row for each metric that moved of a declaration that is in both.
    pub metrics: Vec<MetricChange>,
    pub hotspots: InAndOut,
    pub dependency_cycles: Cycles,
    pub reachable_from_entry: InAndOut,
    pub bridge_nodes: InAndOut,
    pub scores: Vec<ScoreChange>,
    pub completeness: Completeness,
    pub revalidate: Revalidate,
    /// Fields that differ and that nothing above speaks about.
    pub unexplained_fields: Vec<&'static str>,
    pub truncated: Vec<Cut>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Analyzer {
    pub before: String,
    pub after: String,
    /// Parts of `analyzer_provenance` that differ.
    pub fields: Vec<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Files {
    pub added: Vec<Text>,
    pub removed: Vec<Text>,
    pub changed: Vec<Text>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Configuration {
    pub added: Vec<Text>,
    pub removed: Vec<Text>,
    pub changed: Vec<Text>,
    /// Folders for which other places were asked, or another configuration was found.
    pub selections: Vec<Text>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Entities {
    pub added: Vec<Named>,
    pub removed: Vec<Named>,
    pub changed: Vec<ChangedEntity>,
    /// The same body under the same name in another place.
    pub relocated: Vec<Relocated>,
    /// How many only stand on another line.
    pub moved: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Named {
    pub qualified_name: Text,
    pub kind: Text,
    pub file: Text,
    pub line_number: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedEntity {
    pub qualified_name: Text,
    pub file: Text,
    /// In the later report.
    pub line_number: u32,
    pub fields: Vec<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Relocated {
    pub from: Text,
    pub to: Text,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Calls {
    pub added: Vec<Call>,
    pub removed: Vec<Call>,
    pub changed: Vec<ChangedCall>,
    pub moved: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Call {
    pub caller: Text,
    pub callee: Text,
    pub file: Text,
    pub line_number: u32,
    pub resolution: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Text>,
}

/// A call that is in both and came to something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedCall {
    pub caller: Text,
    pub name: Text,
    pub file: Text,
    /// In the later report.
    pub line_number: u32,
    pub fields: Vec<&'static str>,
    pub before: Outcome,
    pub after: Outcome,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    pub callee: Text,
    pub resolution: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Text>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Dependencies {
    pub added: Vec<Import>,
    pub removed: Vec<Import>,
    pub moved: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Import {
    pub source: Text,
    pub target: Text,
    pub kind: Text,
    pub resolution: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_target: Option<Text>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MetricChange {
    /// The key of the entity in the later report.
    pub entity: Text,
    pub metric: &'static str,
    pub before: Option<u32>,
    pub after: Option<u32>,
}

/// Keys of entities; those gone as the earlier report names them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InAndOut {
    pub added: Vec<Text>,
    pub removed: Vec<Text>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cycles {
    pub added: Vec<Vec<Text>>,
    pub removed: Vec<Vec<Text>>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScoreChange {
    /// As `risk_index.coupling`.
    pub score: String,
    pub before: Value,
    pub after: Value,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Completeness {
    pub newly_skipped: Vec<String>,
    pub no_longer_skipped: Vec<String>,
    pub newly_partial: Vec<String>,
    pub no_longer_partial: Vec<String>,
    /// What is missing from the later report may only not have been read.
    pub later_snapshot_read_less: bool,
}

/// What to look at again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Revalidate {
    /// How many calls back from what changed.
    pub depth: u32,
    /// Keys of what calls it.
    pub entities: Vec<Text>,
    /// Calls that were not placed and are spelled like something that changed or calls it: each may be
    /// one more.
    pub unresolved_candidates: usize,
    /// Whether the list is whole.
    pub complete: bool,
}
