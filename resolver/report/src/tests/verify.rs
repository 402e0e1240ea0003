use super::sample::{FILES, digest, provenance, report};
use crate::model::{Configuration, Report};
use crate::verify::{Ceilings, Found, Stopped, Tree, Verdict, verify};
use crate::{Refusal, snapshot_id};
use std::collections::BTreeMap;

/// A tree in memory whose analysis gives the sample's report.
struct Mem {
    files: BTreeMap<String, String>,
    replay: Result<Report, Stopped>,
    replays: u32,
}

impl Mem {
    fn untouched() -> Mem {
        let files = FILES.iter().chain(&[("Cargo.toml", "[package]")]);
        Mem {
            files: files.map(|&(p, t)| (p.to_owned(), t.to_owned())).collect(),
            replay: Ok(report()),
            replays: 0,
        }
    }
}

impl Tree for Mem {
    fn hash(&mut self, path: &str, max: u64) -> Found {
        match self.files.get(path) {
            None => Found::Missing,
            Some(text) if text.len() as u64 > max => Found::TooLarge,
            Some(text) => Found::Bytes(digest(text), text.len() as u64),
        }
    }
    fn is_absent(&mut self, path: &str) -> bool {
        !self.files.contains_key(path)
    }
    fn replay(&mut self, _: &Configuration) -> Result<Report, Stopped> {
        self.replays += 1;
        self.replay.clone()
    }
}

fn judge(report: &Report, tree: &mut Mem) -> Result<Verdict, Refusal> {
    verify(report, &provenance(), tree, &Ceilings::default())
}

fn reproduction(v: &Verdict) -> (&'static str, &'static str) {
    (v.reproduction.state.word(), v.reproduction.reason.word())
}

/// What a person gets who changed nothing.
#[test]
fn an_untouched_tree_verifies() {
    let v = judge(&report(), &mut Mem::untouched()).unwrap();
    assert!(v.verified);
    assert_eq!(
        (
            v.checked,
            v.checked_source,
            v.checked_configuration,
            v.checked_configuration_absent
        ),
        (4, 2, 1, 1)
    );
    assert_eq!(reproduction(&v), ("matched", "reproduced_exactly"));
}

/// A tampered document over an untouched tree: hashes cannot see it, the replay must,
/// and it must name the field and the place.
#[test]
fn each_edited_claim_is_named() {
    let tampered = |field: &str, edit: fn(&mut Report)| {
        let mut report = report();
        edit(&mut report);
        let v = judge(&report, &mut Mem::untouched()).unwrap();
        assert!(!v.verified, "{field}");
        assert_eq!(v.divergent_fields, [field]);
        assert_eq!(reproduction(&v), ("diverged", "fields_differ"), "{field}");
        v.differences[0].clone()
    };
    let d = tampered("call_edges", |r| drop(r.call_edges.remove(1)));
    assert_eq!((d.file.as_deref(), d.line_number), (Some("a.rs"), Some(3)));
    assert!(d.what.contains("not in the report"), "{}", d.what);
    let d = tampered("call_edges", |r| {
        r.call_edges[0].tier = Some("likely".into())
    });
    assert!(
        d.what.contains("likely") && d.what.contains("certain"),
        "{}",
        d.what
    );
    let d = tampered("metrics_by_entity", |r| {
        r.metrics_by_entity.rows_mut()[0].1.cyclomatic_complexity = Some(2);
    });
    assert!(d.what.contains("a.rs::main"), "{}", d.what);
    tampered("entities", |r| r.entities[1].documented = None);
    tampered("dependencies", |r| drop(r.dependencies.pop()));
    tampered("fragility", |r| r.fragility.score.0 += 1);
    tampered("production", |r| r.production.entities += 1);
    tampered("hotspots", |r| r.hotspots.swap(0, 1));
    tampered("reachable_from_entry", |r| {
        drop(r.reachable_from_entry.pop())
    });
    tampered("is_complete", |r| r.is_complete = false);
}

/// The tree changed: the answer names the file, and no analysis is spent on it.
#[test]
fn changed_and_missing_files_are_named_without_a_replay() {
    let mut tree = Mem::untouched();
    tree.files.insert("b.rs".into(), "the text of B".into());
    tree.files.remove("Cargo.toml");
    tree.files.insert("sub/Cargo.toml".into(), String::new());
    let v = judge(&report(), &mut tree).unwrap();
    assert!(!v.verified);
    let files: Vec<_> = v
        .mismatches
        .iter()
        .map(|m| (&*m.file, &*m.actual))
        .collect();
    assert_eq!(
        files,
        [
            ("b.rs", &*digest("the text of B").to_string()),
            ("sub/Cargo.toml", "present")
        ]
    );
    assert_eq!(v.missing, ["Cargo.toml"]);
    assert_eq!(reproduction(&v), ("not_attempted", "claims_already_failed"));
    assert_eq!(tree.replays, 0);
}

/// An edited list of inputs no longer has the id the report carries: that is
/// said before any file is opened.
#[test]
fn an_edited_manifest_is_refused_before_anything_is_read() {
    let edits: &[fn(&mut Report)] = &[
        |r| drop(r.file_hashes.rows_mut().remove(0)),
        |r| r.config_inputs.clear(),
        |r| r.config_selections[0].candidates.clear(),
        |r| r.analyzer_provenance.configuration.max_file_size += 1,
        |r| r.analyzer_provenance.version = "0.2.0".into(),
    ];
    for edit in edits {
        let mut report = report();
        edit(&mut report);
        let mut tree = Mem::untouched();
        assert_eq!(
            judge(&report, &mut tree).unwrap_err().reason,
            "invalid_report"
        );
        assert_eq!(tree.replays, 0);
    }
}

/// A report comes from anywhere: it must not make the verifier read outside the tree,
/// or speak of files that its own list does not cover.
#[test]
fn a_report_that_reaches_out_of_its_tree_is_refused() {
    for path in ["../secret", "/etc/passwd", "a/../../b", "a//b", "a\\b", "."] {
        let mut report = report();
        report
            .file_hashes
            .rows_mut()
            .insert(0, (path.into(), digest("")));
        report.snapshot_id = snapshot_id(&report);
        let refusal = judge(&report, &mut Mem::untouched()).unwrap_err();
        assert_eq!(refusal.reason, "invalid_report", "{path}");
    }
    let mut report = report();
    report.entities[0].file = "c.rs".into();
    let refusal = judge(&report, &mut Mem::untouched()).unwrap_err();
    assert!(refusal.message.contains("c.rs"), "{}", refusal.message);
}

/// Whoever wrote the report must not decide what verifying it costs.
#[test]
fn the_verifiers_ceilings_hold() {
    let check = |ceilings: Ceilings, replay: Result<Report, Stopped>| {
        let mut tree = Mem::untouched();
        tree.replay = replay;
        verify(&report(), &provenance(), &mut tree, &ceilings)
    };
    let (wide, files, bytes) = (Ceilings::default(), 2, 20);
    let few = Ceilings { files, ..wide };
    let short = Ceilings { bytes, ..wide };
    let small = Ceilings {
        file_bytes: 999,
        ..wide
    };
    for ceilings in [few, short, small] {
        let refusal = check(ceilings, Ok(report())).unwrap_err();
        assert_eq!(refusal.reason, "verification_workload_too_large");
    }
    // Stopped by the report's own ceiling: the tree outgrew it, and the answer is no.
    let v = check(wide, Err(Stopped::Files)).unwrap();
    assert_eq!(
        reproduction(&v),
        ("diverged", "source_workload_exceeds_report")
    );
    assert_eq!(v.divergent_fields, ["source_file_count"]);
    // Stopped by the verifier's: nothing is proven either way.
    let tight = Ceilings { files: 5, ..wide };
    let refusal = check(tight, Err(Stopped::Files)).unwrap_err();
    assert_eq!(refusal.reason, "verification_workload_too_large");
}

/// A replay asks no language server; comparing without one would blame the tree.
#[test]
fn a_report_made_with_a_language_server_is_not_replayed() {
    let mut report = report();
    report.analyzer_provenance.resolvers = vec![crate::model::ResolverUse {
        name: "rust-analyzer".into(),
        version: Some("1.85.1".into()),
        state: "answered".into(),
    }];
    report.call_edges[3].resolved_by = Some("rust-analyzer 1.85.1".into());
    report.snapshot_id = snapshot_id(&report);
    let v = judge(&report, &mut Mem::untouched()).unwrap();
    assert!(!v.verified);
    assert_eq!(reproduction(&v), ("not_attempted", "resolver_absent"));
    assert_eq!(v.attested, Some(1));
}

/// Another build may rightly find something else; that proves nothing about the tree.
#[test]
fn another_build_is_told_apart_from_another_tree() {
    let mut here = provenance();
    here.version = "0.2.0".into();
    let ceilings = Ceilings::default();
    let refusal = verify(&report(), &here, &mut Mem::untouched(), &ceilings).unwrap_err();
    assert_eq!(
        (refusal.reason, refusal.exit_code()),
        ("version_mismatch", 3)
    );
    assert!(refusal.message.contains("0.1.0") && refusal.message.contains("0.2.0"));
}
