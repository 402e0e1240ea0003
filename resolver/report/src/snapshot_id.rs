//! One name for one analysis: a digest of everything that decided it.

use crate::model::Report;
use crate::text::Digest;
use serde::Serialize;

/// The id of a report's own inputs: the digest of each file read and of each
/// configuration consumed, the places where one had to be absent, the options,
/// and the engine, grammars and resolvers that ran.
///
/// What was found is not in it, nor is the clock or the name of the folder. Two
/// reports that disagree at one id are exactly the interesting case.
pub fn snapshot_id(report: &Report) -> Digest {
    let mut hasher = blake3::Hasher::new_derive_key("surefoot report inputs, version 1");
    section(&mut hasher, "version", &report.version);
    section(
        &mut hasher,
        "analyzer_provenance",
        &report.analyzer_provenance,
    );
    section(&mut hasher, "file_hashes", &report.file_hashes);
    section(&mut hasher, "config_inputs", &report.config_inputs);
    section(&mut hasher, "config_selections", &report.config_selections);
    Digest(*hasher.finalize().as_bytes())
}

/// A field with its name. Its JSON says where it ends, and taking the whole
/// field means that one added later cannot be forgotten.
fn section(hasher: &mut blake3::Hasher, name: &str, value: &impl Serialize) {
    hasher.update(name.as_bytes());
    hasher.update(b"=");
    if let Err(e) = serde_json::to_writer(&mut *hasher, value) {
        // Neither these types nor a hasher can fail; were it ever otherwise, the ids would differ
        // from those of a healthy build rather than agree by accident.
        hasher.update(e.to_string().as_bytes());
    }
    hasher.update(b"\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ResolverUse;
    use crate::tests::sample::report;

    // Two analyses of one tree that may rightly differ must never share a name: who parsed it, by which
    // rules, with whose help.
    #[test]
    fn whoever_analysed_is_in_the_name() {
        type Edit = fn(&mut Report);
        let edits: [Edit; 7] = [
            |r| r.analyzer_provenance.version = "0.2.0".into(),
            |r| r.analyzer_provenance.build = "another".into(),
            |r| {
                let grammar = ("rust".into(), "tree-sitter-rust 0.24.3".into());
                r.analyzer_provenance.grammars = crate::Sorted::new(vec![grammar]);
            },
            |r| r.analyzer_provenance.metrics = vec!["cyclomatic/v2".into()],
            |r| r.analyzer_provenance.configuration.max_file_size += 1,
            |r| r.analyzer_provenance.configuration.bind_unique_names = true,
            |r| {
                r.analyzer_provenance.resolvers = vec![ResolverUse {
                    name: "rust-analyzer".into(),
                    version: Some("1.85.1".into()),
                    state: "answered".into(),
                }]
            },
        ];
        let mut seen = vec![snapshot_id(&report())];
        for edit in edits {
            let mut other = report();
            edit(&mut other);
            let id = snapshot_id(&other);
            assert!(!seen.contains(&id));
            seen.push(id);
        }
    }
}
