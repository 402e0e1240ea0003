//! Is what a report says still what its tree says?
//!
//! First what costs nothing: the id, and that the report names no file outside
//! its own list. Then the bytes: each file and configuration is read again, and
//! each place that had to be empty looked at. Then the analysis is run again
//! with the report's own options, and compared field by field.

use crate::compare::{Difference, compare};
use crate::model::{Configuration, Report, file_of};
use crate::refusal::Refusal;
use crate::snapshot_id::snapshot_id;
use crate::text::{Digest, Text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use surefoot_graph::Rule;

/// What one verification may cost, whatever the report asks for.
#[derive(Clone, Copy, Debug)]
pub struct Ceilings {
    /// Inputs a report may ask to be read again. Default 200,000.
    pub files: u64,
    /// Bytes read, by hashing and by the analysis together. Default 8 GiB.
    pub bytes: u64,
    /// The largest file a report may ask to be parsed. Default 64 MiB.
    pub file_bytes: u64,
}

impl Default for Ceilings {
    fn default() -> Ceilings {
        Ceilings {
            files: 200_000,
            bytes: 8 << 30,
            file_bytes: 64 << 20,
        }
    }
}

/// What stands at a path that a report names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The digest of its bytes, and how many there are.
    Bytes(Digest, u64),
    Missing,
    /// It is there and cannot be read; in words, naming no path.
    Unreadable(String),
    /// Reading it would cross the number of bytes that were left.
    TooLarge,
}

/// Why a replay gave no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The tree holds more files than the options allow.
    Files,
    /// The tree holds more bytes than the options allow.
    Bytes,
    Refused(Refusal),
}

/// A tree as verification sees it.
pub trait Tree {
    /// Reads and hashes one file, at most `max` bytes of it.
    fn hash(&mut self, path: &str, max: u64) -> Found;
    /// Whether nothing at all stands at a path.
    fn is_absent(&mut self, path: &str) -> bool;
    /// Analyses the tree with these options, reading no cache.
    fn replay(&mut self, options: &Configuration) -> Result<Report, Stopped>;
}

/// The whole answer, and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Every claim that was read again held, and a fresh analysis ran and matched.
    pub verified: bool,
    pub snapshot_id: Digest,
    /// How many inputs the report named.
    pub checked: u64,
    pub checked_source: u64,
    pub checked_configuration: u64,
    pub checked_configuration_absent: u64,
    pub mismatches: Vec<Mismatch>,
    pub missing: Vec<String>,
    pub errors: Vec<ReadError>,
    pub reproduction: Reproduction,
    pub divergent_fields: Vec<String>,
    /// Edges that a language server placed: taken on its word, not replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<u64>,
    /// Where the divergent fields begin to differ; at most twenty for each.
    pub differences: Vec<Difference>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mismatch {
    pub file: String,
    /// A digest, or `absent`.
    pub expected: String,
    /// A digest, or `present`.
    pub actual: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReadError {
    pub file: String,
    pub error: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reproduction {
    pub state: State,
    pub reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Matched,
    Diverged,
    NotAttempted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    ReproducedExactly,
    FieldsDiffer,
    /// The tree outgrew what the analysis behind the report was allowed to read.
    SourceWorkloadExceedsReport,
    ClaimsAlreadyFailed,
    /// A language server took part, and a replay asks nobody.
    ResolverAbsent,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Matched => "matched",
            State::Diverged => "diverged",
            State::NotAttempted => "not_attempted",
        }
    }
}

impl Reason {
    pub fn word(self) -> &'static str {
        match self {
            Reason::ReproducedExactly => "reproduced_exactly",
            Reason::FieldsDiffer => "fields_differ",
            Reason::SourceWorkloadExceedsReport => "source_workload_exceeds_report",
            Reason::ClaimsAlreadyFailed => "claims_already_failed",
            Reason::ResolverAbsent => "resolver_absent",
        }
    }
}

/// Checks a report against a tree. `here` is the provenance this build would
/// write: another build replays another analysis.
pub fn verify(
    report: &Report,
    here: &crate::model::Provenance,
    tree: &mut dyn Tree,
    ceilings: &Ceilings,
) -> Result<Verdict, Refusal> {
    admit(report, ceilings)?;
    let mut verdict = Verdict {
        verified: false,
        snapshot_id: report.snapshot_id,
        checked: 0,
        checked_source: 0,
        checked_configuration: 0,
        checked_configuration_absent: 0,
        mismatches: Vec::new(),
        missing: Vec::new(),
        errors: Vec::new(),
        reproduction: Reproduction {
            state: State::NotAttempted,
            reason: Reason::ClaimsAlreadyFailed,
        },
        divergent_fields: Vec::new(),
        attested: None,
        differences: Vec::new(),
    };
    let left = read_again(report, tree, ceilings, &mut verdict)?;
    verdict.checked = verdict.checked_source
        + verdict.checked_configuration
        + verdict.checked_configuration_absent;
    if !(verdict.mismatches.is_empty() && verdict.missing.is_empty() && verdict.errors.is_empty()) {
        return Ok(verdict);
    }
    if !report.analyzer_provenance.resolvers.is_empty() {
        let asked = Rule::AskedMayRun.id();
        let attested = report
            .call_edges
            .iter()
            .filter(|e| e.resolved_by.is_some() || e.candidates.iter().any(|c| *c.rule == *asked));
        verdict.attested = Some(attested.count() as u64);
        verdict.reproduction.reason = Reason::ResolverAbsent;
        return Ok(verdict);
    }
    same_build(report, here)?;
    replay(report, tree, ceilings, left, &mut verdict)?;
    Ok(verdict)
}

/// What a report must be before anything is opened for it.
fn admit(report: &Report, ceilings: &Ceilings) -> Result<(), Refusal> {
    if snapshot_id(report) != report.snapshot_id {
        return Err(Refusal::invalid(
            "The report's snapshot_id is not the id of its own inputs: its list of files, \
             its configuration or its provenance was changed after it was written.",
        ));
    }
    let inputs = report.file_hashes.len() + report.config_inputs.len();
    if inputs as u64 > ceilings.files {
        return Err(too_large(format!(
            "The report names {inputs} files; at most {} are read again.",
            ceilings.files
        )));
    }
    let absent = report.config_selections.iter().map(|s| s.candidates.len());
    let absent: usize = absent.sum();
    // Each folder asks a few places above it; what asks more was not made by an analysis.
    if absent as u64 > ceilings.files.saturating_mul(32) {
        return Err(too_large(format!(
            "The report names {absent} places to look at, which is more than are looked at."
        )));
    }
    let listed = |path: &Text| report.file_hashes.contains(path);
    let stranger = |path: &str| {
        Refusal::invalid(format!(
            "The report speaks of `{path}`, which is not in its list of files."
        ))
    };
    let paths = report.file_hashes.iter().map(|(path, _)| path);
    let configs = report.config_inputs.iter().map(|c| &c.path);
    let places = report.config_selections.iter().flat_map(|s| &s.candidates);
    for path in paths.chain(configs).chain(places) {
        if !is_relative(path) {
            return Err(Refusal::invalid(format!(
                "The report names `{path}`, which is not a path inside a tree."
            )));
        }
    }
    for entity in &report.entities {
        if !listed(&entity.file) || file_of(&entity.qualified_name) != &*entity.file {
            return Err(stranger(&entity.file));
        }
    }
    for edge in &report.call_edges {
        if !report.file_hashes.contains(edge.file()) {
            return Err(stranger(edge.file()));
        }
    }
    for dependency in report.dependencies.iter().filter(|d| &*d.kind == "import") {
        for path in [
            Some(&dependency.source),
            dependency.resolved_target.as_ref(),
        ] {
            if let Some(path) = path.filter(|path| !listed(path)) {
                return Err(stranger(path));
            }
        }
    }
    Ok(())
}

fn too_large(message: String) -> Refusal {
    Refusal::new("verification_workload_too_large", message)
}

/// Forward slashes, no way up, nothing absolute, nothing empty.
fn is_relative(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Reads every input again; the answer is how many bytes may still be read.
fn read_again(
    report: &Report,
    tree: &mut dyn Tree,
    ceilings: &Ceilings,
    verdict: &mut Verdict,
) -> Result<u64, Refusal> {
    let mut left = ceilings.bytes;
    let mut check = |path: &Text, expected: &Digest, verdict: &mut Verdict| {
        match tree.hash(path, left) {
            Found::Bytes(actual, bytes) => {
                left = left.saturating_sub(bytes);
                if actual != *expected {
                    verdict.mismatches.push(Mismatch {
                        file: path.to_string(),
                        expected: expected.to_string(),
                        actual: actual.to_string(),
                    });
                }
            }
            Found::Missing => verdict.missing.push(path.to_string()),
            Found::Unreadable(error) => verdict.errors.push(ReadError {
                file: path.to_string(),
                error,
            }),
            Found::TooLarge => {
                return Err(too_large(format!(
                    "Reading the files the report lists takes more than {} bytes.",
                    ceilings.bytes
                )));
            }
        }
        Ok(())
    };
    for (path, digest) in report.file_hashes.iter() {
        check(path, digest, verdict)?;
        verdict.checked_source += 1;
    }
    for config in &report.config_inputs {
        check(&config.path, &config.digest, verdict)?;
        verdict.checked_configuration += 1;
    }
    let places = report.config_selections.iter().flat_map(|s| &s.candidates);
    let places: BTreeSet<&Text> = places.collect();
    for place in places {
        verdict.checked_configuration_absent += 1;
        if !tree.is_absent(place) {
            verdict.mismatches.push(Mismatch {
                file: place.to_string(),
                expected: "absent".to_owned(),
                actual: "present".to_owned(),
            });
        }
    }
    Ok(left)
}

/// Another build may rightly find something else; its answer would prove nothing.
fn same_build(report: &Report, here: &crate::model::Provenance) -> Result<(), Refusal> {
    let theirs = &report.analyzer_provenance;
    let what = if (&theirs.name, &theirs.version) != (&here.name, &here.version) {
        format!(
            "It was made by {} {}; this is {} {}.",
            theirs.name, theirs.version, here.name, here.version
        )
    } else if theirs.grammars != here.grammars {
        "It was made with other versions of the grammars.".to_owned()
    } else if theirs.build != here.build || theirs.metrics != here.metrics {
        "It was made by another build of this version.".to_owned()
    } else {
        return Ok(());
    };
    Err(Refusal::new(
        "version_mismatch",
        format!(
            "This build cannot repeat the report's analysis. {what} Verify it with that build."
        ),
    ))
}

fn replay(
    report: &Report,
    tree: &mut dyn Tree,
    ceilings: &Ceilings,
    left: u64,
    verdict: &mut Verdict,
) -> Result<(), Refusal> {
    let theirs = &report.analyzer_provenance.configuration;
    if theirs.max_file_size > ceilings.file_bytes {
        return Err(too_large(format!(
            "The report was made with files of up to {} bytes; at most {} are parsed here.",
            theirs.max_file_size, ceilings.file_bytes
        )));
    }
    let mut options = theirs.clone();
    options.max_file_count = theirs.max_file_count.min(ceilings.files);
    options.max_total_bytes = theirs.max_total_bytes.min(left);
    let diverged = |reason| Reproduction {
        state: State::Diverged,
        reason,
    };
    let fresh = match tree.replay(&options) {
        Ok(mut fresh) => {
            // The options were clamped for the run only.
            fresh.analyzer_provenance.configuration = theirs.clone();
            fresh
        }
        Err(Stopped::Refused(refusal)) => return Err(refusal),
        Err(stopped) => {
            let (own, field, unit) = match stopped {
                Stopped::Files => (
                    theirs.max_file_count <= ceilings.files,
                    "source_file_count",
                    "files",
                ),
                _ => (
                    theirs.max_total_bytes <= left,
                    "source_total_bytes",
                    "bytes",
                ),
            };
            if !own {
                return Err(too_large(format!(
                    "Analysing the tree again takes more {unit} than a verification may read."
                )));
            }
            verdict.reproduction = diverged(Reason::SourceWorkloadExceedsReport);
            verdict.divergent_fields = vec![field.to_owned()];
            return Ok(());
        }
    };
    let comparison = compare(report, &fresh);
    if comparison.fields.is_empty() {
        verdict.verified = true;
        verdict.reproduction = Reproduction {
            state: State::Matched,
            reason: Reason::ReproducedExactly,
        };
    } else {
        verdict.reproduction = diverged(Reason::FieldsDiffer);
        verdict.divergent_fields = comparison.fields.iter().map(|&f| f.to_owned()).collect();
        verdict.differences = comparison.differences;
    }
    Ok(())
}
