//! Reports that are kept, and the questions they answer.

use serde_json::{Value, json};

use super::folder::{Folder, command, ran};

fn kept() -> Folder {
    let folder = Folder::shop();
    let saved = folder.json(&["snapshot", "save", "--name", "base"]);
    assert_eq!(
        (&saved["reused"], &saved["ref"]),
        (&json!(false), &json!("base"))
    );
    folder
}

#[test]
fn a_kept_report_outlives_the_code() {
    let folder = kept();
    let again = folder.json(&["snapshot", "save"]);
    assert_eq!(again["reused"], true, "the same analysis is kept once");
    folder.write("src/new.rs", "pub fn fresh() {}\n");
    let other = folder.json(&["snapshot", "save", "--name", "head", "--label", "after"]);
    assert_ne!(other["id"], again["id"]);
    let list = folder.json(&["snapshot", "list"]);
    let rows = list["snapshots"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|r| r["names"].clone()).collect();
    assert_eq!(names, [json!(["head"]), json!(["base"])], "newest first");
    let diff = folder.json(&["diff", "@base", "@head"]);
    assert_eq!(diff["files"]["added"], json!(["src/new.rs"]));
    // By the first digits of the id, too; and the report that comes back verifies.
    let id = other["id"].as_str().unwrap();
    let shown = folder.json(&["snapshot", "show", &id[..8]]);
    assert_eq!(shown["label"], "after");
    let back = folder.beside("back.html");
    assert_eq!(
        folder
            .run(&["export", &format!("@{}", &id[..12]), &back])
            .code,
        0
    );
}

#[test]
fn what_is_not_kept_is_refused_by_name() {
    let folder = Folder::shop();
    let refused = |args: &[&str]| {
        folder
            .run(&[args, &["--format", "json"]].concat())
            .refused()
    };
    let not_found = (1, "snapshot_not_found".to_owned());
    assert_eq!(refused(&["query", "summary"]), not_found);
    assert_eq!(refused(&["snapshot", "show", "base"]), not_found);
    assert_eq!(refused(&["diff", "@deadbeef", "@base"]), not_found);
    let bad = refused(&["snapshot", "save", "--name", "../up"]);
    assert_eq!(bad, (2, "invalid_snapshot_name".into()));
    // A store inside the tree would be read by the next analysis.
    let inside = folder.path().join("store");
    let inside = refused(&["snapshot", "save", "--store", inside.to_str().unwrap()]);
    assert_eq!(inside, (2, "invalid_configuration".into()));
}

#[test]
fn pruning_keeps_the_newest_and_the_named() {
    let folder = kept();
    for text in ["fn a() {}\n", "fn b() {}\n", "fn c() {}\n"] {
        folder.write("src/new.rs", text);
        folder.json(&["snapshot", "save"]);
    }
    let pruned = folder.json(&["snapshot", "prune", "--keep", "1"]);
    assert_eq!(pruned["removed"].as_array().unwrap().len(), 2);
    let because: Vec<_> = pruned["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|k| k["because"].clone())
        .collect();
    assert_eq!(because, ["newest", "named"]);
    assert_eq!(
        folder.json(&["diff", "@base", "@base"])["files"]["added"],
        json!([])
    );
}

fn entities(answer: &Value, list: &str) -> Vec<String> {
    let rows = answer[list].as_array().unwrap().iter();
    rows.map(|r| r["entity"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn each_question_has_its_answer() {
    let folder = kept();
    let ask = |args: &[&str]| folder.json(&[&["query"], args].concat());

    let entity = ask(&["entity", "Store::get"]);
    assert_eq!(entity["entity"], "src/store.rs::Store::get");
    assert_eq!(entity["parameters"], json!(["key"]));
    assert_eq!(entity["metrics"]["fan_out"], 1);

    let callers = ask(&["callers", "src/store.rs::load"]);
    assert_eq!(
        entities(&callers, "callers"),
        ["src/app.rs::run", "src/store.rs::Store::get"]
    );
    assert_eq!(callers["callers"][0]["sites"][0]["line_number"], 6);
    let further = ask(&["callers", "src/store.rs::load", "--depth", "2"]);
    assert_eq!(
        entities(&further, "callers").last().unwrap(),
        "src/app.rs::main"
    );
    let callees = ask(&["callees", "run"]);
    assert_eq!(callees["callees"].as_array().unwrap().len(), 3);

    let file = ask(&["file", "src/app.rs"]);
    assert_eq!(file["imports"], json!(["src/store.rs"]));
    assert_eq!(ask(&["summary"])["files"], 5);
    let path = ask(&["path", "src/app.rs::main", "src/store.rs::load"]);
    assert_eq!(
        entities(&path, "steps"),
        ["src/app.rs::main", "src/app.rs::run", "src/store.rs::load"]
    );
    let none = folder.run(&[
        "query",
        "path",
        "src/store.rs::load",
        "src/app.rs::main",
        "--format",
        "json",
    ]);
    assert_eq!(none.refused(), (1, "no_path".into()));
    let impact = ask(&["impact", "src/store.rs"]);
    assert_eq!(impact["importing_files"], 1);
    assert!(entities(&impact, "callers").contains(&"src/app.rs::main".to_owned()));
    assert_eq!(ask(&["cycles"])["cycles"], json!([]));
    let unknowns = ask(&["unknowns", "src/app.rs"]);
    assert!(unknowns["causes"].is_object());
    let ran = folder.run(&["query", "entity", "load", "--format", "json"]);
    assert_eq!(
        ran.refused(),
        (1, "ambiguous_name".into()),
        "two are called load"
    );
}

// An answer that was cut must not read like one that is whole, and the rest must be had.
#[test]
fn a_cut_answer_says_so_and_goes_on() {
    let folder = kept();
    let ask = |args: &[&str]| folder.json(&[&["query", "file", "src/store.rs"], args].concat());
    let whole = ask(&[]);
    let all = entities(&whole, "entities");
    assert_eq!(whole["limits"]["truncated"], json!([]));
    let first = ask(&["--max-items", "2"]);
    let cut = &first["limits"]["truncated"][0];
    assert_eq!(
        (&cut["kept"], &cut["total"]),
        (&json!(2), &json!(all.len()))
    );
    assert_eq!(first["limits"]["complete"], false);
    let rest = ask(&["--cursor", cut["cursor"].as_str().unwrap()]);
    assert_eq!(
        [entities(&first, "entities"), entities(&rest, "entities")].concat(),
        all
    );
    let last = &rest["limits"]["truncated"][0];
    assert_eq!(last["cursor"], Value::Null, "{last}");
    let one = ask(&["--tokens", "1"]);
    assert_eq!(entities(&one, "entities").len(), 1);
    let small = ask(&["--tokens", "250"]);
    assert!(small.to_string().len() <= 1_000, "{small}");
    assert!(entities(&small, "entities").len() < all.len());
    let foreign = folder.run(&[
        "query", "cycles", "--cursor", "file.0.1", "--format", "json",
    ]);
    assert_eq!(foreign.refused(), (2, "invalid_request".into()));
}

#[test]
fn a_changed_file_makes_a_snapshot_stale() {
    let folder = kept();
    let fresh = folder.json(&["query", "freshness"]);
    assert_eq!(
        (&fresh["fresh"], &fresh["checked"]),
        (&json!(true), &json!(5))
    );
    folder.write("src/store.rs", "fn other() {}\n");
    folder.remove("web/src/lib.ts");
    let ran = folder.run(&["query", "freshness", "--format", "json"]);
    assert_eq!(ran.refused(), (1, "snapshot_stale".into()));
    let stale: Value = serde_json::from_str(&ran.out).unwrap();
    let rows = json!([
        { "file": "src/store.rs", "state": "changed" },
        { "file": "web/src/lib.ts", "state": "missing" },
    ]);
    assert_eq!(
        (&stale["stale"], &stale["changed"], &stale["missing"]),
        (&rows, &json!(1), &json!(1))
    );
    let args = ["query", "freshness", "--max-items", "1", "--format", "json"];
    let first: Value = serde_json::from_str(&folder.run(&args).out).unwrap();
    assert_eq!(first["stale"], json!([rows[0]]));
    assert_eq!(first["limits"]["truncated"][0]["total"], 2);
}

// An index is only a shortcut: damaged or gone, the answer is the same.
#[test]
fn a_damaged_index_is_made_anew() {
    let folder = kept();
    let whole = folder.json(&["query", "summary"]);
    let id = whole["of"].as_str().unwrap();
    let index = std::path::PathBuf::from(folder.beside("store"))
        .join(id)
        .join("index");
    let good = std::fs::read(&index).unwrap();
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    std::fs::write(&index, &bad).unwrap();
    assert_eq!(folder.json(&["query", "summary"]), whole);
    assert_eq!(std::fs::read(&index).unwrap(), good);
    // The list of files at its head, too, which is read alone.
    let mut bad = good.clone();
    bad[60] ^= 1;
    std::fs::write(&index, &bad).unwrap();
    assert_eq!(folder.json(&["query", "freshness"])["fresh"], true);
    assert_eq!(std::fs::read(&index).unwrap(), good);
    std::fs::remove_file(&index).unwrap();
    assert_eq!(folder.json(&["query", "summary"]), whole);
}

// A record that cannot be read answers nothing, and whoever lists the store must learn of it.
#[test]
fn a_damaged_record_is_listed_and_pruned() {
    let folder = kept();
    let id = folder.json(&["query", "summary"])["of"].clone();
    let place = std::path::PathBuf::from(folder.beside("store")).join(id.as_str().unwrap());
    std::fs::write(place.join("about.json"), "{").unwrap();
    let list = folder.json(&["snapshot", "list"]);
    assert_eq!(
        (&list["snapshots"], &list["damaged"]),
        (&json!([]), &json!([id]))
    );
    let page = folder.run(&["snapshot", "list"]).out;
    assert!(page.contains("damaged"), "{page}");
    // The same analysis can be kept again over it.
    assert_eq!(folder.json(&["snapshot", "save"])["id"], id);
    assert_eq!(folder.json(&["snapshot", "list"])["damaged"], json!([]));
    std::fs::remove_file(place.join("about.json")).unwrap();
    let pruned = folder.json(&["snapshot", "prune"]);
    assert_eq!(pruned["removed"], json!([id]));
    assert!(!place.exists());
}

// A store nobody prunes must not fill the disk, and must not lose what a person named.
#[test]
fn the_store_makes_room_and_keeps_what_is_named() {
    let folder = kept();
    let bytes = folder.json(&["snapshot", "show", "base"])["bytes"].clone();
    let save = |most: u64, text: &str| {
        folder.write("src/new.rs", text);
        let args = ["snapshot", "save", "--format", "json"];
        let mut command = command(&folder.path(), &args);
        command.env("SUREFOOT_MAX_SNAPSHOT_BYTES", most.to_string());
        ran(&command.output().unwrap())
    };
    let saved = |most, text: &str| -> Value {
        let ran = save(most, text);
        assert_eq!(ran.code, 0, "{ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    };
    // Room for the named one, one more, and no third.
    let most = bytes.as_u64().unwrap() * 5 / 2;
    let first = saved(most, "fn a() {}\n");
    assert_eq!(first["removed"], json!([]));
    let second = saved(most, "fn b() {}\n");
    assert_eq!(second["removed"], json!([first["id"]]));
    let full = save(bytes.as_u64().unwrap(), "fn c() {}\n");
    assert_eq!(full.refused(), (3, "store_full".into()));
    let list = folder.json(&["snapshot", "list"]);
    let named = list["snapshots"].as_array().unwrap().iter();
    assert_eq!(named.last().unwrap()["names"], json!(["base"]), "{list}");
}
