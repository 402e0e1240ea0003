//! The report: the same bytes wherever and however it is made, and numbers that follow from it.

use serde_json::Value;
use surefoot_report::{Limits, check, parse};

use super::folder::{Folder, SHOP, command, ran};

fn edge<'a>(report: &'a Value, caller: &str, name: &str) -> &'a Value {
    let mut edges = report["call_edges"].as_array().unwrap().iter();
    let found = edges.find(|e| {
        let callee = e["callee"].as_str().unwrap();
        e["caller"] == caller && (callee == name || callee.ends_with(&format!("::{name}")))
    });
    found.unwrap_or_else(|| panic!("{caller} calls {name}: {report:#}"))
}

#[test]
fn an_edge_carries_its_evidence() {
    let (_, report) = Folder::shop().report();
    let load = edge(&report, "src/app.rs::run", "load");
    assert_eq!(load["callee"], "src/store.rs::load");
    assert_eq!(load["resolution"], "in_tree");
    assert_eq!(
        (&load["tier"], &load["rule"]),
        (&"certain".into(), &"import".into())
    );
    assert_eq!(
        (&load["line_number"], &load["column"]),
        (&6.into(), &5.into())
    );
    let import = load["via"].as_array().unwrap().iter();
    let import: Vec<_> = import.filter(|v| v["role"] == "import").collect();
    assert_eq!(import[0]["line_number"], 1);
    let web = edge(&report, "web/src/main.ts::start", "load");
    assert_eq!(web["callee"], "web/src/lib.ts::load");
    let len = edge(&report, "src/app.rs::count", "len");
    assert!(len.get("tier").is_none() && len["resolution"] != "in_tree");
}

#[test]
fn an_entity_carries_what_it_takes_and_reads() {
    let (_, report) = Folder::shop().report();
    let entities = report["entities"].as_array().unwrap();
    let named = |name: &str| {
        let found = entities.iter().find(|e| e["qualified_name"] == name);
        found.unwrap_or_else(|| panic!("{name}"))
    };
    let count = named("src/app.rs::count");
    assert_eq!(count["parameters"], serde_json::json!(["items", "unread"]));
    let uses = &count["body_features"]["parameter_uses"];
    assert_eq!(
        uses[0],
        serde_json::json!({ "variable": "items", "use_lines": [10] })
    );
    assert_eq!(uses[1]["use_lines"], serde_json::json!([]));
    assert_eq!(named("src/store.rs::load")["documented"], true);
    assert_eq!(count["documented"], false);
    assert_eq!(named("src/app.rs")["kind"], "module");
    assert!(report.get("production").is_some());
}

#[test]
fn the_configuration_that_decided_is_listed_with_what_had_to_be_absent() {
    let (_, report) = Folder::shop().report();
    let inputs = report["config_inputs"].as_array().unwrap().iter();
    let inputs: Vec<_> = inputs
        .map(|c| {
            format!(
                "{} {}",
                c["path"].as_str().unwrap(),
                c["kind"].as_str().unwrap()
            )
        })
        .collect();
    assert!(
        inputs.contains(&"Cargo.toml cargo".to_owned()),
        "{inputs:?}"
    );
    assert!(
        inputs.contains(&"web/tsconfig.json ts_config".to_owned()),
        "{inputs:?}"
    );
    let selections = report["config_selections"].as_array().unwrap().iter();
    let absent: Vec<&str> = selections
        .flat_map(|s| s["candidates"].as_array().unwrap())
        .map(|c| c.as_str().unwrap())
        .collect();
    assert!(absent.contains(&"web/src/tsconfig.json"), "{absent:?}");
}

// A report that names the machine it was made on can be compared with no other.
#[test]
fn the_same_bytes_at_two_paths_and_for_one_and_two_threads() {
    let (one, two) = (Folder::shop(), Folder::shop());
    let bytes = |folder: &Folder, threads: &str| {
        folder
            .run(&["analyze", "--format", "json", "--threads", threads])
            .out
    };
    let first = bytes(&one, "1");
    assert!(first.len() > 1_000);
    assert_eq!(first, bytes(&one, "2"));
    assert_eq!(first, bytes(&two, "2"));
    let (path, _) = two.report();
    assert_eq!(
        first,
        std::fs::read_to_string(path).unwrap(),
        "--report and stdout"
    );
    let root = one.path();
    assert!(!first.contains(root.to_str().unwrap()), "no absolute path");
}

// A file that takes everything of a module depends on it as on one it takes a name of; and what a script
// exports is no import.
#[test]
fn globs_are_dependencies_and_exports_are_none() {
    let folder = Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"g\"\nversion = \"0.1.0\"\n",
        ),
        ("src/lib.rs", "mod a;\nmod b;\n"),
        (
            "src/a.rs",
            "use crate::b::*;\nuse std::io::prelude::*;\nuse super::*;\n\
             mod tests {\n    use super::*;\n}\npub fn a() {}\n",
        ),
        ("src/b.rs", "use crate::{a::*, nowhere::*};\n"),
        ("web/x.js", "exports.q = function q() { return 1; };\n"),
    ]);
    let (_, report) = folder.report();
    let rows = report["dependencies"].as_array().unwrap().iter();
    let rows: Vec<String> = rows
        .map(|d| {
            let word = |field: &str| d[field].as_str().unwrap_or("-").to_owned();
            [
                word("source"),
                word("target"),
                word("resolution"),
                word("resolved_target"),
            ]
            .join(" ")
        })
        .collect();
    assert_eq!(
        rows,
        [
            "src/a.rs crate::b in_tree src/b.rs",
            "src/a.rs std::io::prelude outside -",
            "src/a.rs super in_tree src/lib.rs",
            "src/a.rs super in_tree src/a.rs",
            "src/b.rs crate::a in_tree src/a.rs",
            "src/b.rs crate::nowhere unresolved -",
        ]
    );
}

// What other commands keep of a tree, from this state or another one, changes no byte of its report.
#[test]
fn the_same_bytes_for_cold_and_warm_caches() {
    let folder = Folder::shop();
    let cache = folder.beside("cache");
    let run = |args: &[&str]| {
        let mut command = command(&folder.path(), args);
        let ran = ran(&command.env("XDG_CACHE_HOME", &cache).output().unwrap());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.out
    };
    let report = || run(&["analyze", "--format", "json"]);
    let cold = report();
    run(&["callers", "src/store.rs::load"]);
    let kept = std::fs::read_dir(std::path::Path::new(&cache).join("surefoot")).unwrap();
    assert!(kept.count() > 0, "something is kept by now");
    assert_eq!(report(), cold);
    let whole = folder.read("src/app.rs");
    folder.write("src/app.rs", "fn other() {}\n");
    run(&["callers", "src/store.rs::load"]);
    folder.write("src/app.rs", &whole);
    assert_eq!(report(), cold);
}

// Clocks, links and checkouts differ from machine to machine; the bytes of the files decide alone.
#[cfg(unix)]
#[test]
fn the_same_bytes_whatever_the_clock_and_through_a_link() {
    let folder = Folder::shop();
    let report = |root: &str| folder.run(&["analyze", root, "--format", "json"]).out;
    let first = report(".");
    for (path, text) in SHOP {
        let at = folder.path().join(path);
        std::fs::remove_file(&at).unwrap();
        folder.write(path, text);
        let file = std::fs::File::options().append(true).open(&at).unwrap();
        let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        file.set_modified(long_ago).unwrap();
    }
    let link = folder.beside("another-name");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    assert_eq!(report("."), first);
    assert_eq!(report(&link), first);
    // A checkout that rewrites line ends rewrites the bytes: other digests, another id, and the same finds.
    let text = folder.read("src/store.rs").replace('\n', "\r\n");
    folder.write("src/store.rs", text);
    let other = report(".");
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (first, other) = (value(&first), value(&other));
    assert_ne!(first["snapshot_id"], other["snapshot_id"]);
    assert_eq!(first["call_edges"], other["call_edges"]);
    assert_eq!(first["metrics_by_entity"], other["metrics_by_entity"]);
}

// The id names what decided the analysis: any input moves it, and nothing else does.
#[test]
fn the_id_moves_with_every_input_and_with_nothing_else() {
    let id = |folder: &Folder, args: &[&str]| {
        let report = folder.json(&[&["analyze"], args].concat());
        report["snapshot_id"].as_str().unwrap().to_owned()
    };
    let folder = Folder::shop();
    let first = id(&folder, &[]);
    assert_eq!(first, id(&Folder::shop(), &[]));
    folder.write("notes.txt", "not source\n");
    assert_eq!(first, id(&folder, &[]));
    assert_ne!(first, id(&folder, &["--languages", "rust"]));
    let mut seen = vec![first];
    // Nothing asks for the name of the package: it decides nothing here, and moves nothing.
    let asked = |path: &&str| *path != "web/package.json";
    for (path, text) in SHOP.iter().filter(|(path, _)| asked(path)) {
        let folder = Folder::shop();
        folder.write(path, format!("{text}\n"));
        let other = id(&folder, &[]);
        assert!(!seen.contains(&other), "a byte more in {path}");
        seen.push(other);
    }
    let folder = Folder::shop();
    folder.write("web/src/tsconfig.json", "{}\n");
    assert!(
        !seen.contains(&id(&folder, &[])),
        "a configuration that appears"
    );
}

// Every number follows from the document, for a real tree and not only a made-up one: our own.
#[test]
fn every_number_of_a_real_report_follows_from_it() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../resolver/files");
    let out = Folder::shop()
        .run(&["analyze", own, "--format", "json"])
        .out;
    let report = parse(out.as_bytes(), &Limits::default()).unwrap();
    assert!(report.entities.len() > 100 && report.call_edges.len() > 500);
    assert_eq!(check(&report, 10), []);
    // And one altered digit shows.
    let metrics = out.find("\"fan_in\":").unwrap() + "\"fan_in\":".len();
    let digit = out.as_bytes()[metrics];
    let mut altered = out.into_bytes();
    altered[metrics] = if digit == b'9' { b'8' } else { digit + 1 };
    let altered = parse(&altered, &Limits::default()).unwrap();
    let found = check(&altered, 10);
    assert_eq!(found[0].field, "metrics_by_entity", "{found:?}");
}

#[test]
fn a_view_is_bounded_and_says_so() {
    let folder = Folder::shop();
    let view = folder.json(&["analyze", "--fields", "entities,scores", "--max-items", "2"]);
    assert_eq!(view["entities"].as_array().unwrap().len(), 2);
    assert!(view["entities"][0].get("body_features").is_none());
    assert!(view.get("call_edges").is_none());
    assert_eq!(view["view"]["of"], view["snapshot_id"]);
    assert_eq!(view["view"]["truncated"][0]["field"], "entities");
}

// A report says that names alone were let bind, and `verify` replays it so.
#[test]
fn names_alone_bind_only_where_asked_and_the_report_says_so() {
    let folder = Folder::new(&[(
        "a.ts",
        "class Shop { restock() {} }\nfunction run(x) { x.restock(); }\nrun(new Shop());\n",
    )]);
    let bound = |report: &Value| edge(report, "a.ts::run", "restock")["rule"].clone();
    let (_, report) = folder.report();
    let configuration =
        |r: &Value| r["analyzer_provenance"]["configuration"]["bind_unique_names"].clone();
    assert_eq!(
        (bound(&report), configuration(&report)),
        (Value::Null, false.into())
    );

    let at = folder.beside("bound.json");
    let report = folder.json(&["analyze", "--bind-unique-names", "--report", &at]);
    assert_eq!(
        (bound(&report), configuration(&report)),
        ("unique-name".into(), true.into())
    );
    let verdict = folder.run(&["verify", &at]);
    assert_eq!(verdict.code, 0, "{verdict:?}");
}
