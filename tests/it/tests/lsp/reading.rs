//! What is answered while the workspace is still being read.

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};
use tempfile::TempDir;

use super::documents::open;
use super::world::write;

const LIB: &str = "pub mod store;\npub mod far;\npub mod other;\n";
const STORE: &str = "pub fn load(n: u32) -> u32 {\n    n\n}\n";
const FAR: &str = "use crate::store::load;\npub fn run() {\n    load(1);\n}\n";
const OTHER: &str = "pub fn nothing_of_it() {}\n";

/// A server that stays in its first reading until it is released.
fn held() -> (TempDir, String, Client) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(folder.path(), "Cargo.toml", manifest);
    write(folder.path(), "src/lib.rs", LIB);
    write(folder.path(), "src/store.rs", STORE);
    write(folder.path(), "src/far.rs", FAR);
    write(folder.path(), "src/other.rs", OTHER);
    let mut client = Builder::new()
        .env("SUREFOOT_SELFTEST_HOLD_READING", "1")
        .ignores("textDocument/publishDiagnostics")
        .start();
    let root = format!("file://{}", folder.path().canonicalize().unwrap().display());
    client.initialize_with(json!({ "processId": null, "rootUri": root, "capabilities": {} }));
    (folder, root, client)
}

fn release(client: &mut Client) {
    let params = json!({ "do": "release", "holds": null });
    client.call("surefoot/selftest/loop", params).unwrap();
}

/// Nobody waits for a large tree to be read: the callers that stand in files which say the name are listed, and
/// the list says that it may be short. After the reading the same item has them all and says nothing.
#[test]
fn callers_are_listed_before_everything_is_read() {
    let (_folder, root, mut client) = held();
    let uri = format!("{root}/src/store.rs");
    open(&mut client, &uri, STORE);
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 8 } });
    let items = client
        .call("textDocument/prepareCallHierarchy", at.clone())
        .unwrap();
    let item = items[0].clone();
    assert_eq!(item["name"], "load");
    let calls = client
        .call("callHierarchy/incomingCalls", json!({ "item": item }))
        .unwrap();
    assert_eq!(calls[0]["from"]["name"], "run");
    let floor = calls[1]["from"]["detail"].as_str().unwrap();
    assert!(floor.contains("1 file was not read"), "{calls}");
    let document = json!({ "textDocument": { "uri": uri } });
    let lenses = client
        .call("textDocument/codeLens", document.clone())
        .unwrap();
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(title.contains("≥1 caller"), "{title}");

    release(&mut client);
    let search = json!({ "query": "nothing_of_it" });
    client.call("workspace/symbol", search).unwrap();
    let calls = client
        .call("callHierarchy/incomingCalls", json!({ "item": item }))
        .unwrap();
    assert_eq!(calls.as_array().map(Vec::len), Some(1), "{calls}");
    assert_eq!(calls[0]["from"]["name"], "run");
    let lenses = client.call("textDocument/codeLens", document).unwrap();
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(!title.contains('≥'), "{title}");
}

/// What is typed while the workspace is read counts, in every answer about it.
#[test]
fn text_typed_during_the_reading_counts() {
    let (_folder, root, mut client) = held();
    let uri = format!("{root}/src/store.rs");
    open(&mut client, &uri, STORE);
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 8 } });
    client
        .call("textDocument/prepareCallHierarchy", at.clone())
        .unwrap();
    super::documents::change(&mut client, &uri, 2, (0, 0), (0, 0), "// moved\n");
    let items = client
        .call("textDocument/prepareCallHierarchy", at)
        .unwrap();
    assert_eq!(items[0]["selectionRange"]["start"]["line"], 1, "{items}");
    release(&mut client);
}

/// A report of a folder that is being read waits for it; a folder that is not open is refused.
#[test]
fn a_report_waits_for_the_reading() {
    let (_folder, root, mut client) = held();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("report.json");
    let asked = client.request("surefoot/report", json!({ "root": root, "path": path }));
    let status = client.call("surefoot/status", Value::Null).unwrap();
    assert_eq!(status["state"], "indexing");
    release(&mut client);
    let written = client.answer(asked).unwrap();
    assert_eq!(written["isComplete"], true);
}

/// What can be no file of the workspace is not kept waiting with those that can.
#[test]
fn a_file_outside_every_folder_has_its_answer_at_once() {
    let (_folder, _root, mut client) = held();
    let elsewhere = "file:///elsewhere/a.rs";
    open(&mut client, elsewhere, STORE);
    let at =
        json!({ "textDocument": { "uri": elsewhere }, "position": { "line": 0, "character": 8 } });
    let items = client
        .call("textDocument/prepareCallHierarchy", at)
        .unwrap();
    assert_eq!(items[0]["name"], "not in the code graph");
    release(&mut client);
}
