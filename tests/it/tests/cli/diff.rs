//! Two reports compared: what changed apart from what only moved, and what to look at again.

use serde_json::{Value, json};

use super::folder::{Folder, Ran};

/// The report of the folder as it stands, in a file of this name beside it.
fn keep(folder: &Folder, name: &str) -> String {
    let path = folder.beside(name);
    let ran = folder.run(&["analyze", "--report", &path]);
    assert_eq!(ran.code, 0, "{ran:?}");
    path
}

/// The comparison of a folder before and after an edit.
fn after(edit: impl Fn(&Folder)) -> Value {
    let folder = Folder::shop();
    let before = keep(&folder, "before.json");
    edit(&folder);
    let after = keep(&folder, "after.json");
    folder.json(&["diff", &before, &after])
}

fn names<'a>(rows: &'a Value, field: &str) -> Vec<&'a str> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|r| r[field].as_str().unwrap()).collect()
}

// A function inserted at the top moves everything below it, and changes none of it.
#[test]
fn what_only_moved_did_not_change() {
    let diff = after(|f| {
        let text = f.read("src/app.rs");
        f.write("src/app.rs", format!("fn first() {{}}\n\n{text}"));
    });
    assert_eq!(diff["files"]["changed"], json!(["src/app.rs"]));
    let entities = &diff["entities"];
    assert_eq!(
        names(&entities["added"], "qualified_name"),
        ["src/app.rs::first"]
    );
    assert_eq!(entities["changed"], json!([]), "{diff:#}");
    assert_eq!(entities["removed"], json!([]));
    assert_eq!(entities["moved"], 3, "run, count and main");
    assert_eq!(diff["calls"]["added"], json!([]), "{diff:#}");
    assert_eq!(diff["calls"]["removed"], json!([]));
    assert!(diff["calls"]["moved"].as_u64().unwrap() >= 4);
    assert_eq!(diff["unexplained_fields"], json!([]));
}

// Whoever calls what changed is what a reviewer has to look at next.
#[test]
fn a_changed_body_names_its_callers() {
    let diff = after(|f| {
        let text = f
            .read("src/store.rs")
            .replace("name.to_owned()", "name.trim().to_owned()");
        f.write("src/store.rs", text);
    });
    let changed = &diff["entities"]["changed"];
    assert_eq!(names(changed, "qualified_name"), ["src/store.rs::load"]);
    assert_eq!(changed[0]["fields"], json!(["content_digest"]));
    assert_eq!(names(&diff["calls"]["added"], "callee"), ["trim"]);
    assert_eq!(
        diff["revalidate"]["entities"],
        json!(["src/app.rs::run", "src/store.rs::Store::get"])
    );
    assert_eq!(diff["unexplained_fields"], json!([]));
}

// A call that comes to something else is one change, not one call gone and one come.
#[test]
fn a_call_that_leads_elsewhere_is_one_change() {
    let diff = after(|f| {
        let text = f
            .read("src/store.rs")
            .replace("pub fn load", "pub fn fetch");
        f.write("src/store.rs", text);
    });
    let calls = &diff["calls"];
    let changed = calls["changed"].as_array().unwrap().iter();
    let of_run = changed.clone().find(|c| c["caller"] == "src/app.rs::run");
    let of_run = of_run.unwrap_or_else(|| panic!("{diff:#}"));
    assert_eq!(of_run["name"], "load");
    assert_eq!(of_run["before"]["resolution"], "in_tree");
    assert_ne!(of_run["after"]["resolution"], "in_tree");
    // One calls what is gone and still stands: it is among those to look at.
    let again = diff["revalidate"]["entities"].as_array().unwrap();
    assert!(again.contains(&json!("src/app.rs::run")), "{diff:#}");
    assert_eq!(diff["revalidate"]["complete"], false);
    assert_eq!(diff["unexplained_fields"], json!([]));
}

// A file that is renamed takes its declarations with it.
#[test]
fn a_body_in_another_file_went_there() {
    let diff = after(|f| {
        let text = f.read("web/src/lib.ts");
        f.remove("web/src/lib.ts");
        f.write("web/src/base.ts", text);
    });
    assert_eq!(diff["files"]["removed"], json!(["web/src/lib.ts"]));
    let relocated = diff["entities"]["relocated"].as_array().unwrap();
    assert!(
        relocated
            .contains(&json!({ "from": "web/src/lib.ts::load", "to": "web/src/base.ts::load" })),
        "{diff:#}"
    );
    assert_eq!(diff["entities"]["removed"], json!([]));
    assert_eq!(diff["unexplained_fields"], json!([]));
}

#[test]
fn a_configuration_a_cycle_and_a_gap_are_named() {
    let diff = after(|f| {
        f.write("web/src/tsconfig.json", "{ \"compilerOptions\": {} }\n");
        f.write(
            "web/src/a.ts",
            "import { b } from './b';\nexport function a() { b(); }\n",
        );
        f.write(
            "web/src/b.ts",
            "import { a } from './a';\nexport function b() { a(); }\n",
        );
        f.write("src/half.rs", "fn g( {{{\n");
    });
    let read = diff["configuration"]["added"].as_array().unwrap();
    assert!(read.contains(&json!("web/src/tsconfig.json")), "{diff:#}");
    assert_eq!(
        diff["dependency_cycles"]["added"],
        json!([["web/src/a.ts", "web/src/b.ts"]])
    );
    assert_eq!(diff["completeness"]["later_snapshot_read_less"], true);
    assert_eq!(
        diff["completeness"]["newly_partial"],
        json!(["parse: src/half.rs (parse_error)"])
    );
    assert_eq!(diff["unexplained_fields"], json!([]), "{diff:#}");
}

// Another set of options finds other things in the same tree, which is no change of the tree.
#[test]
fn another_analysis_is_said_first() {
    let folder = Folder::shop();
    let before = keep(&folder, "before.json");
    let after = folder.beside("after.json");
    folder.run(&["analyze", "--report", &after, "--languages", "rust"]);
    let diff = folder.json(&["diff", &before, &after]);
    assert_eq!(diff["analyzer"]["fields"], json!(["configuration"]));
    let page = folder.run(&["diff", &before, &after]).out;
    let said = page.lines().nth(1).unwrap();
    assert!(said.starts_with("Not a diff of the code alone"), "{page}");
}

#[test]
fn nothing_differs_and_bounds_are_said() {
    let folder = Folder::shop();
    let before = keep(&folder, "before.json");
    let page = folder.run(&["diff", &before, &before]).out;
    assert!(page.contains("Nothing differs."), "{page}");
    folder.write("src/new.rs", "fn a() {}\nfn b() {}\nfn c() {}\n");
    let after = keep(&folder, "after.json");
    let diff = folder.json(&["diff", &before, &after, "--max-items", "1"]);
    assert_eq!(diff["entities"]["added"].as_array().unwrap().len(), 1);
    let cut = &diff["truncated"][0];
    assert_eq!(
        (&cut["field"], &cut["kept"], &cut["total"]),
        (&json!("entities.added"), &json!(1), &json!(3))
    );
    let ran: Ran = folder.run(&["diff", &before, "nowhere.json", "--format", "json"]);
    assert_eq!(ran.refused(), (2, "invalid_input".into()));
}

// A ratchet: what was bad may stay, what gets worse fails the build.
#[test]
fn a_build_fails_on_what_got_worse() {
    let folder = Folder::shop();
    let arms = |n: usize| -> String {
        let arms: String = (0..n).map(|i| format!("        {i} => {i},\n")).collect();
        format!(
            "pub fn pick(n: u32) -> u32 {{\n    match n {{\n{arms}        _ => n,\n    }}\n}}\n"
        )
    };
    folder.write("src/pick.rs", arms(12));
    let before = keep(&folder, "before.json");
    let args = |list: &'static str| {
        let before = before.clone();
        let folder = &folder;
        move || {
            let args = [
                "analyze",
                "--fail-on",
                list,
                "--against",
                &before,
                "--format",
                "json",
            ];
            folder.run(&args)
        }
    };
    let ratchet = args("new-hotspots,new-cycles,complexity>10");
    assert_eq!(ratchet().code, 0, "as it was");
    folder.write("src/pick.rs", arms(13));
    let ran = ratchet();
    assert_eq!(ran.refused(), (1, "threshold_crossed".into()));
    let crossed = &ran.failure()["crossed"];
    assert_eq!(crossed[0]["at"], "src/pick.rs::pick");
    assert_eq!(crossed[0]["rule"], "complexity>10");
    folder.write("src/pick.rs", arms(12));
    folder.write("src/pack.rs", arms(9).replace("pick", "pack"));
    let ran = ratchet();
    assert_eq!(
        ran.failure()["crossed"][0]["rule"],
        "new-hotspots",
        "{ran:?}"
    );
    // What is left of a cycle is no new one; what joins one makes it another.
    let cycle = |files: &[&str]| {
        for (i, file) in files.iter().enumerate() {
            let next = files[(i + 1) % files.len()];
            let text =
                format!("import {{ f as g }} from './{next}';\nexport function f() {{ g(); }}\n");
            folder.write(&format!("web/ring/{file}.ts"), text);
        }
    };
    cycle(&["a", "b", "c"]);
    keep(&folder, "before.json");
    let ratchet = args("new-cycles");
    cycle(&["a", "b"]);
    folder.remove("web/ring/c.ts");
    assert_eq!(ratchet().code, 0, "a smaller one");
    cycle(&["a", "b", "c", "d"]);
    let ran = ratchet();
    let ring = "web/ring/a.ts, web/ring/b.ts, web/ring/c.ts, web/ring/d.ts";
    assert_eq!(ran.failure()["crossed"][0]["at"], ring, "{ran:?}");
    // A threshold that is misspelled, or has nothing to be held against, must not pass for one that holds.
    for args in [["--fail-on", "complexty>3"], ["--fail-on", "new-cycles"]] {
        let ran = folder.run(&[&["analyze", "--format", "json"], &args[..]].concat());
        assert_eq!(ran.refused(), (2, "invalid_request".into()), "{args:?}");
    }
}
