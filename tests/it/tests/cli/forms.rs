//! The forms that others read: each is read back by what reads it.

use std::path::Path;
use std::process::Command;

use protobuf::Message;
use serde_json::Value;

use super::folder::Folder;

fn schema(text: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(text).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn valid(validator: &jsonschema::Validator, document: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .take(5)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

// Others write readers from the published schema: what we write must fit it, and nothing else may.
#[test]
fn a_report_fits_the_published_schema() {
    let validator = schema(include_str!("../../../../docs/report.schema.json"));
    let (_, mut report) = Folder::shop().report();
    valid(&validator, &report);
    report["entities"][0]["colour"] = "blue".into();
    assert!(!validator.is_valid(&report));
}

#[test]
fn findings_fit_the_schema_of_sarif() {
    let folder = Folder::shop();
    folder.write(
        "web/src/ünï.ts",
        "import { gone } from './gone';\nexport function f(a: number) { return gone(); }\n",
    );
    folder.write(
        "src/quiet.rs",
        "fn q(x: u32) -> usize { \"a\".len() } // surefoot: ignore\nfn loud(y: u32) -> usize { \"b\".len() }\n",
    );
    folder.write(
        "src/lib.rs",
        "pub mod app;\npub mod store;\npub mod quiet;\n",
    );
    // One pattern of the published schema has a bracket too many, which strict readers refuse.
    let of_sarif = include_str!("../../data/sarif-2.1.0.schema.json")
        .replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let path = folder.beside("out.sarif");
    assert_eq!(folder.run(&["analyze", "--export", &path]).code, 0);
    let text = std::fs::read_to_string(&path).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    valid(&schema(&of_sarif), &document);
    let results = document["runs"][0]["results"].as_array().unwrap();
    let at = |uri: &str| {
        let found = results
            .iter()
            .filter(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri);
        found.collect::<Vec<_>>()
    };
    assert!(
        at("src/app.rs")
            .iter()
            .any(|r| r["ruleId"] == "unread-parameter")
    );
    assert!(
        at("web/src/%C3%BCn%C3%AF.ts")
            .iter()
            .any(|r| r["ruleId"] == "unresolved-import"),
        "{document:#}"
    );
    let quiet = at("src/quiet.rs");
    let suppressed: Vec<bool> = quiet
        .iter()
        .map(|r| r.get("suppressions").is_some())
        .collect();
    assert_eq!(suppressed, [true, false], "{quiet:#?}");
    // Findings come from a tree; a report alone cannot give them.
    let (report, _) = folder.report();
    let ran = folder.run(&["export", &report, &path, "--format", "json"]);
    assert_eq!(ran.refused(), (2, "invalid_request".into()));
}

#[test]
fn scip_is_read_back_with_its_own_crate() {
    let folder = Folder::shop();
    let (report, _) = folder.report();
    let path = folder.beside("index.scip");
    assert_eq!(folder.run(&["export", &report, &path]).code, 0);
    let bytes = std::fs::read(&path).unwrap();
    let index = scip::types::Index::parse_from_bytes(&bytes).unwrap();
    let document = |path: &str| {
        let found = index.documents.iter().find(|d| d.relative_path == path);
        found.unwrap_or_else(|| panic!("{path}"))
    };
    let store = document("src/store.rs");
    assert_eq!(store.language, "rust");
    let load = store
        .symbols
        .iter()
        .find(|s| s.display_name == "load")
        .unwrap();
    let parsed = scip::symbol::parse_symbol(&load.symbol).unwrap();
    assert_eq!(parsed.descriptors.last().unwrap().name, "load");
    // `load` in `pub fn load(..)`, line 2, and its call in app.rs, line 6, from zero.
    let definition = store
        .occurrences
        .iter()
        .find(|o| o.symbol == load.symbol && o.symbol_roles & 1 == 1);
    assert_eq!(definition.unwrap().range, [1, 7, 11]);
    let app = document("src/app.rs");
    let call = app.occurrences.iter().find(|o| o.symbol == load.symbol);
    assert_eq!(call.unwrap().range, [5, 4, 8]);
    // Every symbol that is referred to is defined somewhere, and can be parsed.
    let all = index.documents.iter().flat_map(|d| &d.occurrences);
    let defined: std::collections::HashSet<_> = index
        .documents
        .iter()
        .flat_map(|d| &d.symbols)
        .map(|s| &s.symbol)
        .collect();
    for occurrence in all {
        assert!(
            defined.contains(&occurrence.symbol),
            "{}",
            occurrence.symbol
        );
        scip::symbol::parse_symbol(&occurrence.symbol).unwrap();
    }
}

#[test]
fn graphs_hold_each_pair_once() {
    let folder = Folder::shop();
    let (report, value) = folder.report();
    let (dot, graphml) = (folder.beside("calls.dot"), folder.beside("calls.graphml"));
    assert_eq!(folder.run(&["export", &report, &dot, &graphml]).code, 0);
    let dot = std::fs::read_to_string(&dot).unwrap();
    let graphml = std::fs::read_to_string(&graphml).unwrap();
    let edges = value["call_edges"].as_array().unwrap().iter();
    let pairs: std::collections::BTreeSet<(&str, &str)> = edges
        .filter(|e| e["resolution"] == "in_tree")
        .map(|e| (e["caller"].as_str().unwrap(), e["callee"].as_str().unwrap()))
        .collect();
    assert_eq!(dot.matches(" -> ").count(), pairs.len());
    assert_eq!(graphml.matches("<edge ").count(), pairs.len());
    assert_eq!(
        graphml.matches("<node ").count(),
        graphml.matches("</node>").count()
    );
}

// The page is opened by people from anywhere: it must ask nothing of a network and run no one's text.
#[test]
fn the_page_is_one_file_and_runs_no_text_of_the_tree() {
    let folder = Folder::shop();
    folder.write(
        "web/src/evil.ts",
        "export const o = { '</script><script>alert(1)</script>'() { o; } };\n",
    );
    let path = folder.beside("report.html");
    assert_eq!(folder.run(&["analyze", "--export", &path]).code, 0);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(
        !page.contains("alert(1)</script>"),
        "text of the tree ends no script"
    );
    for foreign in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("Content-Security-Policy") && page.contains("lang=\"en\""));
    assert!(page.contains("src/store.rs::load"));
}

// Anyone can check the numbers: with a script that shares nothing with the program.
#[test]
fn the_recount_finds_every_altered_number() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("recount.py");
    let recount = |args: &[&str]| {
        let out = Command::new("python3").arg(&script).args(args).output();
        let out = out.expect("the recount needs Python 3");
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stdout).into_owned(),
        )
    };
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../resolver/files");
    let folder = Folder::shop();
    let (shop, value) = folder.report();
    let real = folder.beside("own.json");
    assert_eq!(folder.run(&["analyze", own, "--report", &real]).code, 0);
    let tree = folder.path();
    for (report, tree) in [(&shop, tree.as_path()), (&real, Path::new(own))] {
        let (code, said) = recount(&[report, tree.to_str().unwrap()]);
        assert_eq!(code, Some(0), "{said}");
    }
    let (code, said) = recount(&["--alter", &shop, tree.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    let altered: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!(altered > 150, "{said}");
    type Edit = (&'static str, fn(&mut Value));
    let edits: &[Edit] = &[
        ("fan_in", |r| {
            bump(&mut r["metrics_by_entity"]["src/store.rs::load"]["fan_in"])
        }),
        ("fan_out", |r| {
            bump(&mut r["metrics_by_entity"]["src/app.rs::run"]["fan_out"])
        }),
        ("depth", |r| {
            bump(&mut r["metrics_by_entity"]["src/store.rs::load"]["depth"])
        }),
        ("doc_coverage", |r| r["doc_coverage"] = 0.5.into()),
        ("fragility.score", |r| {
            r["fragility"]["score"] = 0.123456.into()
        }),
        ("risk_index.coupling", |r| {
            r["risk_index"]["coupling"] = 0.123456.into()
        }),
        ("production.entities", |r| {
            bump(&mut r["production"]["entities"])
        }),
        ("dependency_cycles", |r| {
            r["dependency_cycles"] = serde_json::json!([["a", "b"]])
        }),
        ("reachable_from_entry", |r| {
            r["reachable_from_entry"] = serde_json::json!(["a"])
        }),
        ("is_complete", |r| r["is_complete"] = false.into()),
    ];
    for (what, edit) in edits {
        let mut copy = value.clone();
        edit(&mut copy);
        std::fs::write(&shop, copy.to_string()).unwrap();
        let (code, said) = recount(&[&shop]);
        assert_eq!(code, Some(1), "{what}: {said}");
        assert!(said.contains(what), "{what}: {said}");
    }
}

fn bump(number: &mut Value) {
    *number = (number.as_u64().unwrap() + 1).into();
}

// Compressed or not, it is the same report, and every command reads it.
#[test]
fn a_compressed_report_is_the_same_report() {
    let folder = Folder::shop();
    let (plain, small) = (folder.beside("plain.json"), folder.beside("small.json.zst"));
    folder.run(&["analyze", "--report", &plain]);
    assert_eq!(
        folder
            .run(&["analyze", "--report", &small, "--compress"])
            .code,
        0
    );
    let (a, b) = (
        std::fs::metadata(&plain).unwrap().len(),
        std::fs::metadata(&small).unwrap().len(),
    );
    assert!(b * 3 < a, "{a} and {b} bytes");
    assert_eq!(folder.run(&["verify", &small]).code, 0);
    let diff = folder.json(&["diff", &plain, &small]);
    assert_eq!(diff["before"], diff["after"]);
    // One byte of it changed: refused, not misread.
    let mut bytes = std::fs::read(&small).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    std::fs::write(&small, bytes).unwrap();
    let ran = folder.run(&["verify", &small, "--format", "json"]);
    assert_eq!(ran.refused(), (2, "invalid_report".into()));
}

/// A report goes where a link leads, keeps who may read it, and is written to
/// what is no file instead of standing in its place.
#[cfg(unix)]
#[test]
fn a_report_replaces_nothing_but_files() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::shop();
    let real = folder.beside("real.json");
    std::fs::write(&real, "old").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.beside("link.json");
    symlink(&real, &link).unwrap();
    assert_eq!(folder.run(&["analyze", ".", "--report", &link]).code, 0);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let kept = std::fs::metadata(&real).unwrap();
    assert!(kept.len() > 100);
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    assert_eq!(
        folder.run(&["analyze", ".", "--report", "/dev/null"]).code,
        0
    );
    let device = std::fs::metadata("/dev/null").unwrap();
    assert!(device.file_type().is_char_device());
}

/// A server that cannot be asked is no server that agrees.
#[test]
fn nobody_answering_is_no_agreement() {
    let folder = Folder::shop();
    let asked = folder.run(&[
        "disagreements",
        "--lsp",
        "surefoot-no-such-server",
        "--format",
        "json",
    ]);
    assert_eq!(asked.refused(), (3, "server_unavailable".into()));
}
