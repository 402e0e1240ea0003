//! A report is believed only when its tree says the same: each way to differ is caught and named.

use serde_json::{Value, json};

use super::folder::{Folder, Ran};

fn verify(folder: &Folder, report: &str) -> (Ran, Value) {
    let ran = folder.run(&["verify", report, "--format", "json"]);
    let verdict = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    (ran, verdict)
}

/// The verdict on a report of an untouched tree after one edit of the report.
fn tampered(edit: impl Fn(&mut Value)) -> Value {
    let folder = Folder::shop();
    let (path, mut report) = folder.report();
    let before = report.clone();
    edit(&mut report);
    assert_ne!(before, report, "the edit edits");
    std::fs::write(&path, report.to_string()).unwrap();
    let (ran, verdict) = verify(&folder, &path);
    assert_eq!(
        ran.refused(),
        (1, "verification_failed".into()),
        "{verdict:#}"
    );
    assert_eq!(verdict["verified"], false);
    verdict
}

fn fields(verdict: &Value) -> Vec<&str> {
    let fields = verdict["divergent_fields"].as_array().unwrap().iter();
    fields.map(|f| f.as_str().unwrap()).collect()
}

#[test]
fn an_untouched_tree_verifies_for_people_and_programs() {
    let folder = Folder::shop();
    let (path, _) = folder.report();
    let (ran, verdict) = verify(&folder, &path);
    assert_eq!(ran.code, 0, "{verdict:#}");
    assert_eq!(verdict["verified"], true);
    assert_eq!(verdict["checked_source"], 5);
    assert_eq!(
        verdict["reproduction"],
        json!({ "state": "matched", "reason": "reproduced_exactly" })
    );
    let ran = folder.run(&["verify", &path]);
    assert!(ran.out.starts_with("verified "), "{ran:?}");
}

// Whoever built a workspace once has files on disk that its manifest names and the walk leaves out;
// resolution asked the walk, so verification must.
#[test]
fn files_that_the_walk_leaves_out_do_not_count_as_new() {
    let manifest = r#"{"name":"pk","version":"1.0.0","exports":{".":{"types":"./dist/index.d.ts","import":"./dist/index.js"}}}"#;
    let folder = Folder::new(&[
        ("package.json", manifest),
        (".gitignore", "dist\n"),
        ("dist/index.js", "exports.a = 1;\n"),
        ("dist/index.d.ts", "export function a(): void;\n"),
        ("src/index.ts", "export function a() {}\n"),
        ("src/u.ts", "import { a } from \"pk\";\na();\n"),
        (
            "Cargo.toml",
            "[package]\nname = \"c\"\nversion = \"0.1.0\"\n",
        ),
        ("lib.rs", ""),
        ("src/lib.rs", "#[path = \"notes.md\"]\npub mod notes;\n"),
        ("src/notes.md", "//! Not Rust by its name.\n"),
    ]);
    let (path, _) = folder.report();
    let (ran, verdict) = verify(&folder, &path);
    assert_eq!(ran.code, 0, "{verdict:#}");
    assert_eq!(verdict["verified"], true);
}

// The bytes of the tree are untouched, so no hash can see these.
#[test]
fn an_edge_removed_is_named_by_its_place() {
    let verdict = tampered(|r| {
        let edges = r["call_edges"].as_array_mut().unwrap();
        let at = edges
            .iter()
            .position(|e| e["callee"] == "src/store.rs::load")
            .unwrap();
        edges.remove(at);
    });
    assert_eq!(fields(&verdict), ["call_edges"]);
    let difference = &verdict["differences"][0];
    assert_eq!(
        (&difference["file"], &difference["line_number"]),
        (&json!("src/app.rs"), &json!(6))
    );
    assert!(
        difference["what"].as_str().unwrap().contains("`load`"),
        "{verdict:#}"
    );
}

#[test]
fn an_altered_metric_tier_or_score_is_named() {
    let verdict = tampered(|r| {
        r["metrics_by_entity"]["src/app.rs::count"]["cyclomatic_complexity"] = json!(7);
    });
    assert_eq!(fields(&verdict), ["metrics_by_entity"]);
    let what = verdict["differences"][0]["what"].as_str().unwrap();
    assert!(what.contains("src/app.rs::count"), "{what}");
    let edge = |r: &mut Value, field: &str, value: Value| {
        let edges = r["call_edges"].as_array_mut().unwrap();
        let edge = edges.iter_mut().find(|e| e["resolution"] == "in_tree");
        edge.unwrap()[field] = value;
    };
    assert_eq!(
        fields(&tampered(|r| edge(r, "tier", json!("likely")))),
        ["call_edges"]
    );
    assert_eq!(
        fields(&tampered(|r| edge(r, "rule", json!("path")))),
        ["call_edges"]
    );
    assert_eq!(
        fields(&tampered(|r| r["fragility"]["score"] = json!(0.01))),
        ["fragility"]
    );
    assert_eq!(
        fields(&tampered(|r| r["is_complete"] = json!(false))),
        ["is_complete"]
    );
    let emptied = tampered(|r| r["entities"] = json!([]));
    assert_eq!(fields(&emptied), ["entities"]);
}

#[test]
fn a_changed_byte_names_its_file_and_spends_no_analysis() {
    let folder = Folder::shop();
    let (path, _) = folder.report();
    folder.write(
        "src/store.rs",
        folder.read("src/store.rs").replace("one value", "a value"),
    );
    let (ran, verdict) = verify(&folder, &path);
    assert_eq!(ran.code, 1);
    assert_eq!(verdict["mismatches"][0]["file"], "src/store.rs");
    assert_eq!(
        verdict["reproduction"],
        json!({ "state": "not_attempted", "reason": "claims_already_failed" })
    );
    let ran = folder.run(&["verify", &path]);
    assert!(ran.out.contains("Changed\n  src/store.rs\n"), "{}", ran.out);
}

#[test]
fn a_file_gone_or_added_is_named() {
    let folder = Folder::shop();
    let (path, _) = folder.report();
    folder.write("src/extra.rs", "pub fn more() {}\n");
    let (ran, verdict) = verify(&folder, &path);
    assert_eq!(ran.code, 1);
    assert!(fields(&verdict).contains(&"file_hashes"), "{verdict:#}");
    let first = &verdict["differences"][0];
    assert_eq!(first["file"], "src/extra.rs");
    folder.remove("src/extra.rs");
    folder.remove("web/src/lib.ts");
    let (_, verdict) = verify(&folder, &path);
    assert_eq!(verdict["missing"], json!(["web/src/lib.ts"]));
}

// A configuration decides what the code means while every source file stays as it was.
#[test]
fn a_configuration_moved_or_appeared_is_named() {
    let folder = Folder::shop();
    let (path, _) = folder.report();
    folder.write(
        "web/tsconfig.json",
        folder
            .read("web/tsconfig.json")
            .replace("./src/*", "./lib/*"),
    );
    let (_, verdict) = verify(&folder, &path);
    assert_eq!(verdict["mismatches"][0]["file"], "web/tsconfig.json");

    let folder = Folder::shop();
    let (path, _) = folder.report();
    folder.write("web/src/tsconfig.json", "{ \"compilerOptions\": {} }\n");
    let (_, verdict) = verify(&folder, &path);
    let appeared = &verdict["mismatches"][0];
    assert_eq!(appeared["file"], "web/src/tsconfig.json");
    assert_eq!(
        (&appeared["expected"], &appeared["actual"]),
        (&json!("absent"), &json!("present"))
    );
}

// Whoever edits the list of inputs to hide a change no longer has the id of the report.
#[test]
fn an_edited_list_of_inputs_is_refused() {
    let folder = Folder::shop();
    let (path, report) = folder.report();
    let edits: &[fn(&mut Value)] = &[
        |r| {
            drop(
                r["file_hashes"]
                    .as_object_mut()
                    .unwrap()
                    .remove("src/store.rs"),
            )
        },
        |r| r["config_inputs"] = json!([]),
        |r| r["config_selections"] = json!([]),
        |r| r["analyzer_provenance"]["configuration"]["languages"] = json!(["rust"]),
        |r| r["snapshot_id"] = json!("0".repeat(64)),
    ];
    for edit in edits {
        let mut copy = report.clone();
        edit(&mut copy);
        std::fs::write(&path, copy.to_string()).unwrap();
        let ran = folder.run(&["verify", &path, "--format", "json"]);
        assert_eq!(ran.refused(), (2, "invalid_report".into()));
    }
}
