//! What the answers say: the edge, how it is known, and the line it stands on.

use serde_json::{Value, json};

use super::folder::{Folder, command};

fn names(rows: &Value, end: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap();
    let name = |row: &Value| format!("{} {}", row[end].as_str().unwrap(), row["depth"]);
    rows.iter().map(name).collect()
}

// The shape that the editors' tests compare their panels with.
#[test]
fn callers_for_a_program() {
    let answer = Folder::shop().json(&["callers", "src/store.rs::load"]);
    assert_eq!(
        answer["root"],
        json!({
            "qualified_name": "src/store.rs::load", "name": "load", "kind": "function",
            "file": "src/store.rs", "line": 2, "column": 8,
        })
    );
    assert_eq!(answer["floor"], Value::Null);
    assert_eq!(answer["unplaced"], json!([]));
    let run = &answer["callers"][0];
    assert_eq!(run["caller"], "src/app.rs::run");
    assert_eq!(
        (&run["file"], &run["line"]),
        (&json!("src/app.rs"), &json!(3))
    );
    assert_eq!(
        (&run["tier"], &run["rule"]),
        (&json!("certain"), &json!("import"))
    );
    assert_eq!(run["resolver"], "static");
    assert_eq!(
        run["sites"],
        json!([{ "file": "src/app.rs", "line": 6, "column": 5 }])
    );
    let end = names(&answer["callers"], "caller");
    assert_eq!(end, ["src/app.rs::run 1", "src/store.rs::Store::get 1"]);
}

// A person must see the tier as a word and a glyph, the rule, and the source of the call.
#[test]
fn callers_for_a_person() {
    let ran = Folder::shop().run(&["callers", "src/store.rs:2"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for part in [
        "src/store.rs::load  function at src/store.rs:2:8\n",
        "2 callers in 2 files\n",
        "● certain  src/app.rs::run  import\n",
        "src/app.rs:6:5  load(\"b\")\n",
    ] {
        assert!(ran.out.contains(part), "`{part}` in\n{}", ran.out);
    }
    assert!(
        !ran.out.contains('\u{1b}'),
        "no colour where there is no terminal"
    );
}

#[test]
fn callers_of_callers_say_whom_they_call() {
    let folder = Folder::shop();
    let answer = folder.json(&["callers", "src/store.rs::load", "--depth", "3"]);
    let main = answer["callers"].as_array().unwrap().iter();
    let main: Vec<&Value> = main.filter(|r| r["caller"] == "src/app.rs::main").collect();
    assert_eq!(
        main.len(),
        2,
        "once through run, once through get and run: {answer}"
    );
    assert_eq!(
        (&main[0]["of"], &main[0]["depth"]),
        (&json!("src/app.rs::run"), &json!(2))
    );
    assert_eq!(main[1]["depth"], 3);
}

#[test]
fn callees_and_the_tiers_asked_for() {
    let folder = Folder::shop();
    let answer = folder.json(&["callees", "run"]);
    assert_eq!(
        names(&answer["callees"], "callee"),
        [
            "src/store.rs::Store::new 1",
            "src/store.rs::Store::get 1",
            "src/store.rs::load 1"
        ]
    );
    let none = folder.json(&["callees", "run", "--tier", "likely,possible"]);
    assert_eq!(none["callees"], json!([]));
}

// Whoever reads a report holds keys of entities; whoever reads code holds `Type::method` or `Type.method`.
#[test]
fn a_symbol_is_found_by_every_way_to_name_it() {
    let folder = Folder::shop();
    for name in [
        "Store::get",
        "Store.get",
        "src/store.rs::Store::get",
        "src/store.rs::Store::get@13",
        "src/store.rs::Store::get@13:12",
        "src/store.rs:13",
        "./src/store.rs:13:13",
        "src/app.rs:5:12",
    ] {
        let answer = folder.json(&["callers", name]);
        assert_eq!(
            answer["root"]["qualified_name"], "src/store.rs::Store::get",
            "{name}"
        );
    }
    let elsewhere = folder.path().join("src");
    let ran = command(&elsewhere, &["callers", "store.rs:13", "--root", ".."]).output();
    let out = String::from_utf8(ran.unwrap().stdout).unwrap();
    assert!(
        out.starts_with("src/store.rs::Store::get  "),
        "relative to the current folder: {out}"
    );
}

// Two functions of one name are two questions: answering one of them would be a guess.
#[test]
fn an_ambiguous_name_lists_what_it_may_mean() {
    let folder = Folder::shop();
    let ran = folder.run(&["callers", "load", "--format", "json"]);
    assert_eq!(ran.refused(), (1, "ambiguous_name".into()));
    let failure = ran.failure();
    let candidates = failure["candidates"].as_array().unwrap().iter();
    let names: Vec<_> = candidates
        .map(|c| c["qualified_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["src/store.rs::load", "web/src/lib.ts::load"]);
    let ran = folder.run(&["callers", "load"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.contains("src/store.rs:2:8") && ran.err.contains("[ambiguous_name]"),
        "{ran:?}"
    );
}

#[test]
fn an_unknown_name_is_a_no_and_offers_a_near_one() {
    let folder = Folder::shop();
    let ran = folder.run(&["callers", "Stroe", "--format", "json"]);
    assert_eq!(ran.refused(), (1, "entity_not_found".into()));
    assert!(ran.err.contains("`Store`"), "{ran:?}");
    for place in ["src/store.rs:999", "src/none.rs:1", "Cargo.toml:1"] {
        let ran = folder.run(&["callers", place, "--format", "json"]);
        assert_eq!(ran.refused(), (1, "entity_not_found".into()), "{place}");
    }
}

// The claim "how do you know" is answered by opening every place the edge rests on.
#[test]
fn an_edge_is_explained_by_the_lines_it_rests_on() {
    let folder = Folder::shop();
    let ran = folder.run(&["explain", "web/src/main.ts:4:12"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for part in [
        "web/src/main.ts:4:12  return load(\"x\");\n",
        "● certain  web/src/lib.ts::load  at web/src/lib.ts:1:17 by import\n",
        "import { load } from \"@lib/lib\";\n",
    ] {
        assert!(ran.out.contains(part), "`{part}` in\n{}", ran.out);
    }
    let answer = folder.json(&["explain", "src/app.rs:6:5"]);
    assert_eq!(answer["resolution"], "in_tree");
    assert_eq!(answer["target"]["qualified_name"], "src/store.rs::load");
    assert_eq!(answer["caller"]["qualified_name"], "src/app.rs::run");
    let via = answer["evidence"]["via"].as_array().unwrap();
    let import = via.iter().find(|v| v["role"] == "import").unwrap();
    assert_eq!(
        (&import["file"], &import["line"]),
        (&json!("src/app.rs"), &json!(1))
    );
    assert_eq!(import["text"], "use crate::store::{Store, load};");
}

#[test]
fn a_line_without_or_with_several_calls_is_not_guessed_at() {
    let folder = Folder::shop();
    let one = folder.json(&["explain", "src/app.rs:4"]);
    assert_eq!(one["target"]["qualified_name"], "src/store.rs::Store::new");
    let ran = folder.run(&["explain", "src/app.rs:8", "--format", "json"]);
    assert_eq!(ran.refused(), (1, "no_call_here".into()));
    folder.write("src/app.rs", "fn a() {}\nfn b() { a(); a() }\n");
    let ran = folder.run(&["explain", "src/app.rs:2", "--format", "json"]);
    assert_eq!(ran.refused(), (1, "ambiguous_name".into()));
    assert_eq!(ran.failure()["candidates"].as_array().unwrap().len(), 2);
}

// A call that is not placed is said, counted and explained; never dropped.
#[test]
fn a_gap_is_shown_where_it_may_hide_a_caller() {
    let folder = Folder::shop();
    folder.write("src/lib.rs", "pub mod app;\npub mod store;\npub mod gap;\n");
    folder.write(
        "src/gap.rs",
        "pub fn use_it(x: &dyn std::any::Any) {\n    x.get(\"k\");\n}\n",
    );
    let answer = folder.json(&["callers", "Store::get"]);
    assert!(
        answer["floor"].as_str().unwrap().contains("not placed"),
        "{answer}"
    );
    let unplaced = &answer["unplaced"][0];
    assert_eq!(
        (&unplaced["file"], &unplaced["line"]),
        (&json!("src/gap.rs"), &json!(2))
    );
    assert!(unplaced["cause"].is_string(), "{answer}");
    let ran = folder.run(&["callers", "Store::get"]);
    assert!(
        ran.out.contains("at least 1 caller in 1 file"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("x.get(\"k\");"), "{}", ran.out);
}

#[test]
fn analyze_for_a_person_says_what_is_there_and_what_is_not() {
    let folder = Folder::shop();
    folder.write("src/broken.rs", b"fn f() {} // \xff\n");
    let ran = folder.run(&["analyze"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for part in [
        "5 files",
        "rust 3, typescript 2",
        "in_tree",
        "● certain",
        "Parameters nobody reads",
        "src/app.rs:9:25",
        "Not read: 1 parse_error",
        "src/broken.rs",
    ] {
        assert!(ran.out.contains(part), "`{part}` in\n{}", ran.out);
    }
}

#[test]
fn status_names_languages_and_bounds() {
    let folder = Folder::new(&[]);
    std::fs::create_dir_all(folder.path()).unwrap();
    let status = folder.json(&["status"]);
    assert_eq!(status["name"], "surefoot");
    let languages = status["languages"].as_array().unwrap();
    assert!(languages.iter().any(|l| l["name"] == "rust"), "{status}");
    assert!(!status["bounds"].as_array().unwrap().is_empty());
}

// `surefoot .. | head` ends the pipe early; that is the reader's choice and no failure.
#[test]
fn a_closed_pipe_is_quiet() {
    let folder = Folder::new(&[]);
    let mut text = String::new();
    for i in 0..3_000 {
        text.push_str(&format!("pub fn f{i}() {{ f{}(); }}\n", (i + 1) % 3_000));
    }
    folder.write("src/lib.rs", text);
    let mut child = command(&folder.path(), &["analyze", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
    assert_eq!(out.status.code(), Some(0));
}
