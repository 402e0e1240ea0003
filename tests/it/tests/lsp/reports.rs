//! Reports, verdicts and comparisons asked for by an editor.

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};

use crate::cli::folder::{Folder, SHOP};

fn start(folder: &Folder) -> Client {
    let mut client = Builder::new()
        .env("SUREFOOT_SNAPSHOT_DIR", &folder.beside("store"))
        .ignores("experimental/serverStatus")
        .ignores("textDocument/publishDiagnostics")
        .ignores("surefoot/changed")
        .start();
    let path = folder.path().canonicalize().unwrap();
    client.initialize_with(json!({
        "processId": null, "rootUri": format!("file://{}", path.display()), "capabilities": {},
    }));
    client
}

fn ask(client: &mut Client, method: &str, params: Value) -> Value {
    client
        .call(method, params)
        .unwrap_or_else(|e| panic!("{method}: {e:?}"))
}

// A report from the editor and one from the command line are compared by people who never meet: one
// tree has one report, also while a buffer holds something else.
#[test]
fn the_editor_and_the_command_line_write_the_same_bytes() {
    let folder = Folder::shop();
    let mut client = start(&folder);
    let uri = format!(
        "file://{}",
        folder
            .path()
            .canonicalize()
            .unwrap()
            .join("src/app.rs")
            .display()
    );
    client.notify(
        "textDocument/didOpen",
        json!({ "textDocument": {
        "uri": uri, "languageId": "rust", "version": 1, "text": "fn not_on_disk() {}\n",
    } }),
    );
    let path = folder.beside("editor.json");
    let written = ask(
        &mut client,
        "surefoot/report",
        json!({ "path": path, "html": true }),
    );
    let (by_line, _) = folder.report();
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&path), read(&by_line));
    let page = read(written["html"].as_str().unwrap());
    assert!(page.starts_with("<!doctype html>") && page.contains("src/store.rs::load"));
    // What the caches hold by now changes no byte.
    let warm = folder.beside("warm.json");
    ask(&mut client, "surefoot/report", json!({ "path": warm }));
    assert_eq!(read(&warm), read(&by_line));
    client.leave();
}

#[test]
fn a_snapshot_is_kept_and_compared_with() {
    let folder = Folder::new(SHOP);
    let mut client = start(&folder);
    let saved = ask(
        &mut client,
        "surefoot/saveSnapshot",
        json!({ "name": "base" }),
    );
    assert_eq!(
        (&saved["reused"], &saved["isComplete"]),
        (&json!(false), &json!(true))
    );
    let kept = ask(&mut client, "surefoot/snapshots", json!({}));
    assert_eq!(kept["snapshots"][0]["id"], saved["id"]);
    assert_eq!(kept["snapshots"][0]["names"], json!(["base"]));
    folder.write(
        "src/store.rs",
        folder.read("src/store.rs").replace("to_owned", "to_string"),
    );
    let compared = ask(
        &mut client,
        "surefoot/compare",
        json!({ "snapshot": "base" }),
    );
    let changed = compared["differs"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{compared:#}");
    assert!(
        changed[0]["uri"]
            .as_str()
            .unwrap()
            .ends_with("/src/store.rs")
    );
    assert_eq!(changed[0]["what"], "changed since the snapshot");
    let text = compared["text"].as_str().unwrap();
    assert!(
        text.contains("Declarations changed\n  src/store.rs::load"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "no colours on a page");
    let refused = client
        .call("surefoot/compare", json!({ "snapshot": "nobody" }))
        .unwrap_err();
    assert!(
        format!("{refused:?}").contains("snapshot_not_found"),
        "{refused:?}"
    );
    client.leave();
}
