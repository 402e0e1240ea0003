//! Single edits of a report, or of the tree it is about: each is caught, and each is named.

use serde_json::{Value, json};

use super::folder::Folder;

/// A tree whose report has a row in every list.
fn rich() -> Folder {
    let folder = Folder::shop();
    let arms: String = (0..9).map(|i| format!("        {i} => {i},\n")).collect();
    folder.write(
        "src/lib.rs",
        "pub mod app;\npub mod store;\npub mod shape;\n",
    );
    folder.write(
        "src/shape.rs",
        format!(
            "pub trait Shape {{\n    fn area(&self) -> u32;\n}}\n\
             pub struct One;\n\
             impl Shape for One {{\n    fn area(&self) -> u32 {{\n        1\n    }}\n}}\n\
             pub struct Two;\n\
             impl Shape for Two {{\n    fn area(&self) -> u32 {{\n        2\n    }}\n}}\n\
             pub fn sum(shape: &dyn Shape, side: u32) -> u32 {{\n    shape.area() + pick(side)\n}}\n\
             fn pick(n: u32) -> u32 {{\n    match n {{\n{arms}        _ => n,\n    }}\n}}\n\
             #[unsafe(no_mangle)]\npub extern \"C\" fn far() {{}}\n\
             #[cfg(test)]\nmod tests {{\n    #[test]\n    fn sums() {{\n        super::pick(1);\n    }}\n}}\n"
        ),
    );
    folder.write("src/main.rs", "fn main() {\n    shop::app::run();\n}\n");
    folder.write(
        "web/src/a.ts",
        "import { b } from './b';\nexport function a() { b(); }\n",
    );
    folder.write(
        "web/src/b.ts",
        "import { a } from './a';\nexport function b() { a(); }\n",
    );
    folder.write("web/src/half.ts", "export function half( {{{\n");
    folder.write("web/src/bytes.ts", b"export const x = '\xff';\n");
    folder
}

fn row<'a>(report: &'a mut Value, list: &str, is: impl Fn(&Value) -> bool) -> &'a mut Value {
    let rows = report[list].as_array_mut().unwrap();
    let found = rows.iter_mut().find(|row| is(row));
    found.unwrap_or_else(|| panic!("no such row in {list}"))
}

fn edge<'a>(report: &'a mut Value, callee: &str) -> &'a mut Value {
    row(report, "call_edges", |e| e["callee"] == callee)
}

fn entity<'a>(report: &'a mut Value, name: &str) -> &'a mut Value {
    row(report, "entities", |e| e["qualified_name"] == name)
}

fn metrics<'a>(report: &'a mut Value, key: &str) -> &'a mut Value {
    &mut report["metrics_by_entity"][key]
}

fn drop_field(row: &mut Value, field: &str) {
    assert!(
        row.as_object_mut().unwrap().remove(field).is_some(),
        "{field}"
    );
}

fn pop(report: &mut Value, list: &str) {
    assert!(
        report[list].as_array_mut().unwrap().pop().is_some(),
        "{list}"
    );
}

/// What is done, the field or file that must be named, and how it is done.
type ReportEdit = (&'static str, &'static str, fn(&mut Value));

const LOAD: &str = "src/store.rs::load";
const PICK: &str = "src/shape.rs::pick";

const REPORT_EDITS: &[ReportEdit] = &[
    ("complexity", "metrics_by_entity", |r| {
        metrics(r, PICK)["cyclomatic_complexity"] = json!(1)
    }),
    ("cognitive", "metrics_by_entity", |r| {
        metrics(r, PICK)["cognitive_complexity"] = json!(9)
    }),
    ("fan-in", "metrics_by_entity", |r| {
        metrics(r, LOAD)["fan_in"] = json!(7)
    }),
    ("fan-out", "metrics_by_entity", |r| {
        metrics(r, LOAD)["fan_out"] = json!(7)
    }),
    ("depth", "metrics_by_entity", |r| {
        metrics(r, LOAD)["depth"] = json!(0)
    }),
    ("a metric gone", "metrics_by_entity", |r| {
        drop_field(&mut r["metrics_by_entity"], LOAD)
    }),
    ("tier", "call_edges", |r| {
        edge(r, LOAD)["tier"] = json!("likely")
    }),
    ("rule", "call_edges", |r| {
        edge(r, LOAD)["rule"] = json!("local-scope")
    }),
    ("a step of the evidence moved", "call_edges", |r| {
        edge(r, LOAD)["via"][0]["line_number"] = json!(99);
    }),
    ("the evidence gone", "call_edges", |r| {
        drop_field(edge(r, LOAD), "via")
    }),
    ("an edge gone", "call_edges", |r| pop(r, "call_edges")),
    ("an edge twice", "call_edges", |r| {
        let copy = edge(r, LOAD).clone();
        r["call_edges"].as_array_mut().unwrap().push(copy);
    }),
    ("an edge led elsewhere", "call_edges", |r| {
        edge(r, LOAD)["callee"] = json!(PICK)
    }),
    ("an edge given to another", "call_edges", |r| {
        edge(r, LOAD)["caller"] = json!(PICK)
    }),
    ("a gap hidden", "call_edges", |r| {
        row(r, "call_edges", |e| e["resolution"] != "in_tree")["resolution"] = json!("local");
    }),
    ("a column", "call_edges", |r| {
        edge(r, LOAD)["column"] = json!(1)
    }),
    ("candidates gone", "call_edges", |r| {
        drop_field(
            row(r, "call_edges", |e| e.get("candidates").is_some()),
            "candidates",
        );
    }),
    ("two edges exchanged", "call_edges", |r| {
        r["call_edges"].as_array_mut().unwrap().swap(0, 1)
    }),
    ("an entity gone", "entities", |r| pop(r, "entities")),
    ("documentation", "entities", |r| {
        entity(r, PICK)["documented"] = json!(true)
    }),
    ("a parameter gone", "entities", |r| {
        entity(r, PICK)["parameters"] = json!([])
    }),
    ("a read gone", "entities", |r| {
        entity(r, LOAD)["body_features"]["parameter_uses"][0]["use_lines"] = json!([]);
    }),
    ("a body", "entities", |r| {
        entity(r, PICK)["content_digest"] = json!("0".repeat(64))
    }),
    ("an entry point", "entities", |r| {
        drop_field(entity(r, "src/main.rs::main"), "entry_point")
    }),
    ("a test made production", "entities", |r| {
        drop_field(entity(r, "src/shape.rs::tests::sums"), "non_production");
    }),
    ("a line", "entities", |r| {
        entity(r, LOAD)["end_line"] = json!(400)
    }),
    ("an import gone", "dependencies", |r| pop(r, "dependencies")),
    ("an import led elsewhere", "dependencies", |r| {
        let import = row(r, "dependencies", |d| {
            d["resolved_target"] == "web/src/lib.ts"
        });
        import["resolved_target"] = json!("web/src/a.ts");
    }),
    ("a hotspot gone", "hotspots", |r| pop(r, "hotspots")),
    ("a score", "hotspots", |r| {
        r["hotspots"][0]["score"] = json!(3.01)
    }),
    ("fragility", "fragility", |r| {
        r["fragility"]["score"] = json!(0.1)
    }),
    ("risk", "risk_index", |r| {
        r["risk_index"]["coupling"] = json!(0.9)
    }),
    ("coverage", "doc_coverage", |r| {
        r["doc_coverage"] = json!(1.0)
    }),
    ("production", "production", |r| {
        r["production"]["entities"] = json!(1)
    }),
    ("a cycle gone", "dependency_cycles", |r| {
        pop(r, "dependency_cycles")
    }),
    ("reachability", "reachable_from_entry", |r| {
        pop(r, "reachable_from_entry")
    }),
    ("a joint gone", "bridge_nodes", |r| pop(r, "bridge_nodes")),
    ("a kind of call", "call_edges", |r| {
        edge(r, LOAD)["kind"] = json!("new")
    }),
    ("a skipped file hidden", "skipped_files", |r| {
        r["skipped_files"] = json!([])
    }),
    ("a parse error hidden", "partial_analysis", |r| {
        r["partial_analysis"] = json!([])
    }),
    ("completeness", "is_complete", |r| {
        r["is_complete"] = json!(true)
    }),
];

#[test]
fn every_edit_of_a_report_is_caught_and_named() {
    let folder = rich();
    let (path, report) = folder.report();
    let ran = folder.run(&["verify", &path]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for (what, field, edit) in REPORT_EDITS {
        let mut copy = report.clone();
        edit(&mut copy);
        assert_ne!(copy, report, "{what}: nothing was edited");
        std::fs::write(&path, copy.to_string()).unwrap();
        let ran = folder.run(&["verify", &path, "--format", "json"]);
        assert_eq!(ran.code, 1, "{what}: {ran:?}");
        let verdict: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(verdict["divergent_fields"], json!([field]), "{what}");
        assert_eq!(verdict["differences"][0]["field"], *field, "{what}");
    }
}

/// What is done to the tree, the path that must be named, and how it is done.
type TreeEdit = (&'static str, &'static str, fn(&Folder));

const TREE_EDITS: &[TreeEdit] = &[
    ("a byte", "src/store.rs", |f| {
        f.write("src/store.rs", f.read("src/store.rs") + " ");
    }),
    ("a file added", "src/new.rs", |f| {
        f.write("src/new.rs", "fn f() {}\n")
    }),
    ("a file gone", "web/src/a.ts", |f| f.remove("web/src/a.ts")),
    ("an alias moved", "web/tsconfig.json", |f| {
        f.write(
            "web/tsconfig.json",
            "{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./x/*\"] } } }\n",
        );
    }),
    ("a configuration appears", "web/src/tsconfig.json", |f| {
        f.write("web/src/tsconfig.json", "{}\n");
    }),
    ("a manifest renamed", "Cargo.toml", |f| {
        f.write(
            "Cargo.toml",
            f.read("Cargo.toml").replace("\"shop\"", "\"shed\""),
        );
    }),
    ("a module file appears", "src/app/mod.rs", |f| {
        f.write("src/app/mod.rs", "fn g() {}\n")
    }),
    ("a file becomes readable", "web/src/bytes.ts", |f| {
        f.write("web/src/bytes.ts", "export const x = 1;\n");
    }),
    ("a file becomes a folder", "src/main.rs", |f| {
        f.remove("src/main.rs");
        f.write("src/main.rs/inner.rs", "fn h() {}\n");
    }),
];

#[test]
fn every_edit_of_a_tree_is_caught_and_named() {
    for (what, path, edit) in TREE_EDITS {
        let folder = rich();
        let (report, _) = folder.report();
        edit(&folder);
        let ran = folder.run(&["verify", &report, "--format", "json"]);
        assert_eq!(ran.code, 1, "{what}: {ran:?}");
        assert!(
            ran.out.contains(&format!("\"{path}\"")),
            "{what}: {}",
            ran.out
        );
    }
}

// A link swapped in under a file's name reads other bytes, or leads out of the tree.
#[cfg(unix)]
#[test]
fn a_swapped_link_is_caught_and_leads_nowhere() {
    let folder = rich();
    let (report, _) = folder.report();
    let secret = folder.beside("secret.rs");
    std::fs::write(&secret, folder.read("src/store.rs")).unwrap();
    folder.remove("src/store.rs");
    std::os::unix::fs::symlink(&secret, folder.path().join("src/store.rs")).unwrap();
    let ran = folder.run(&["verify", &report, "--format", "json"]);
    assert_eq!(ran.code, 1, "the same bytes, but not in this tree: {ran:?}");
    assert!(ran.out.contains("src/store.rs"), "{}", ran.out);
}
