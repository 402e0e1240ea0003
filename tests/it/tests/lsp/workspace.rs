//! Folders and files that come, go and change behind the editor's back.

use serde_json::{Value, json};
use surefoot_it::{Builder, Client, wait_until};

use super::documents::open;

fn uri(path: &std::path::Path) -> String {
    format!("file://{}", path.canonicalize().unwrap().display())
}

fn package(folder: &std::path::Path, lib: &str) {
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )
    .unwrap();
    std::fs::write(folder.join("src/lib.rs"), lib).unwrap();
}

fn start(capabilities: Value, options: Value, roots: &[&std::path::Path]) -> Client {
    let mut client = Builder::new()
        .answers("client/registerCapability", Value::Null)
        .ignores("experimental/serverStatus")
        .ignores("surefoot/changed")
        .start();
    let folders: Vec<Value> = roots
        .iter()
        .map(|root| json!({ "uri": uri(root), "name": "r" }))
        .collect();
    client.initialize_with(json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities,
        "initializationOptions": options,
    }));
    client
}

fn found(client: &mut Client, query: &str) -> Vec<String> {
    let symbols = client
        .call("workspace/symbol", json!({ "query": query }))
        .unwrap();
    let symbols = symbols.as_array().cloned().unwrap_or_default();
    symbols
        .iter()
        .map(|symbol| symbol["location"]["uri"].as_str().unwrap().to_owned())
        .collect()
}

/// Asks until the server has seen it: nothing tells when a watcher has.
fn until_found(client: &mut Client, query: &str, count: usize) {
    let client = std::cell::RefCell::new(client);
    wait_until(&format!("{count} symbols {query} are found"), || {
        found(&mut client.borrow_mut(), query).len() == count
    });
}

/// An editor that watches files says what changed; nothing else looks.
#[test]
fn files_changed_on_disk_are_told_by_the_client() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    let watch =
        json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = start(watch, Value::Null, &[folder.path()]);
    assert_eq!(found(&mut client, "first").len(), 1);
    let tell = |client: &mut Client, path: &str, kind: u32| {
        let uri = format!("{}/{path}", uri(folder.path()));
        client.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": uri, "type": kind }] }),
        );
    };
    std::fs::write(folder.path().join("src/lib.rs"), "pub fn second() {}\n").unwrap();
    tell(&mut client, "src/lib.rs", 2);
    until_found(&mut client, "second", 1);
    assert_eq!(found(&mut client, "first").len(), 0);
    std::fs::create_dir(folder.path().join("src/inner")).unwrap();
    std::fs::write(
        folder.path().join("src/inner/mod.rs"),
        "pub fn third() {}\n",
    )
    .unwrap();
    tell(&mut client, "src/inner/mod.rs", 1);
    until_found(&mut client, "third", 1);
    std::fs::remove_dir_all(folder.path().join("src/inner")).unwrap();
    tell(&mut client, "src/inner", 3);
    until_found(&mut client, "third", 0);
    let status = client.call("surefoot/status", Value::Null).unwrap();
    assert_eq!(status["watch"], "client");
}

/// Neovim on Linux watches nothing: the server does, new folders included.
#[test]
fn files_changed_on_disk_are_seen_by_the_server() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    let mut client = start(json!({}), Value::Null, &[folder.path()]);
    assert_eq!(found(&mut client, "first").len(), 1);
    let client_ref = std::cell::RefCell::new(&mut client);
    wait_until("the folders are watched", || {
        let status = client_ref
            .borrow_mut()
            .call("surefoot/status", Value::Null)
            .unwrap();
        status["text"]
            .as_str()
            .unwrap()
            .contains("watched by the server")
    });
    // Written until it is seen: when the watching begins is nobody's to tell.
    let nth = std::cell::Cell::new(0);
    wait_until("a written file is seen", || {
        nth.set(nth.get() + 1);
        std::fs::write(
            folder.path().join("src/lib.rs"),
            format!("pub fn second() {{}}\n// {}\n", nth.get()),
        )
        .unwrap();
        found(&mut client_ref.borrow_mut(), "second").len() == 1
    });
    std::fs::create_dir_all(folder.path().join("src/deep/er")).unwrap();
    std::fs::write(
        folder.path().join("src/deep/er/mod.rs"),
        "pub fn third() {}\n",
    )
    .unwrap();
    until_found(&mut client, "third", 1);
    std::fs::remove_file(folder.path().join("src/lib.rs")).unwrap();
    until_found(&mut client, "second", 0);
}

/// Folders are added and removed while the session lasts; of two nested ones the inner owns its files.
#[test]
fn roots_come_and_go_and_may_be_nested() {
    let outer = tempfile::tempdir().unwrap();
    package(outer.path(), "pub fn outside() {}\n");
    package(&outer.path().join("inner"), "pub fn inside() {}\n");
    let inner = outer.path().join("inner");
    let mut client = start(json!({}), Value::Null, &[outer.path()]);
    assert_eq!(found(&mut client, "side").len(), 2);
    let change = |client: &mut Client, added: &[&std::path::Path], removed: &[&std::path::Path]| {
        let folders = |paths: &[&std::path::Path]| -> Value {
            paths
                .iter()
                .map(|path| json!({ "uri": uri(path), "name": "f" }))
                .collect()
        };
        let event = json!({ "added": folders(added), "removed": folders(removed) });
        client.notify(
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": event }),
        );
    };
    change(&mut client, &[&inner], &[]);
    assert_eq!(found(&mut client, "inside").len(), 1, "not once per root");
    let status = client.call("surefoot/status", Value::Null).unwrap();
    assert_eq!(status["roots"].as_array().unwrap().len(), 2);
    change(&mut client, &[], &[outer.path()]);
    assert_eq!(found(&mut client, "outside").len(), 0);
    assert_eq!(found(&mut client, "inside").len(), 1);
}

/// A client that shows progress sees one begin and end.
#[test]
fn reading_the_workspace_shows_progress() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    let window = json!({ "window": { "workDoneProgress": true }, "experimental": { "serverStatusNotification": true } });
    let mut client = start(window, Value::Null, &[folder.path()]);
    let (id, params) = client.server_request("window/workDoneProgress/create");
    client.respond(&id, Value::Null);
    assert_eq!(found(&mut client, "first").len(), 1);
    let token = params["token"].clone();
    // Reading three files may be over before the client has granted the progress; then there is none.
    let done = client.wait_for("a quiet status", |message| {
        message["method"] == "experimental/serverStatus" && message["params"]["quiescent"] == true
    });
    assert_eq!(done["params"]["health"], "ok");
    for message in client.unread("$/progress") {
        assert_eq!(message["params"]["token"], token);
    }
    client.forget_unread();
}

/// Every state of a file has an answer that says what it is. What an editor asks by itself is no error.
#[test]
fn files_that_are_not_in_the_graph_say_why() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    std::fs::write(folder.path().join(".gitignore"), "ignored.rs\n").unwrap();
    std::fs::write(folder.path().join("ignored.rs"), "fn a() {}\n").unwrap();
    let mut client = start(json!({}), Value::Null, &[folder.path()]);
    let root = uri(folder.path());
    let git = format!("git:{}?ref", &root[5..]);
    for (uri, lens, why) in [
        (
            format!("{root}/ignored.rs"),
            true,
            "an ignore rule names it",
        ),
        (
            format!("{root}/src/notes.txt"),
            false,
            "no language reads files of this name",
        ),
        (
            "file:///elsewhere/a.rs".to_owned(),
            true,
            "it lies outside every open folder",
        ),
        (
            "untitled:Untitled-1".to_owned(),
            true,
            "it is not saved in a folder yet",
        ),
        (git, false, "it is a view (git:) and not the file itself"),
    ] {
        open(&mut client, &uri, "fn a() { b() }\nfn b() {}\n");
        let document = json!({ "textDocument": { "uri": uri } });
        let at =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 3 } });
        let items = client
            .call("textDocument/prepareCallHierarchy", at.clone())
            .unwrap();
        let detail = items[0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(why), "{uri}: {items}");
        let calls = json!({ "item": items[0] });
        let calls = client.call("callHierarchy/incomingCalls", calls).unwrap();
        assert_eq!(calls, Value::Null);
        let lenses = client
            .call("textDocument/codeLens", document.clone())
            .unwrap();
        let title = lenses[0]["command"]["title"].as_str().unwrap_or_default();
        assert_eq!(title.contains(why), lens, "{uri}: {lenses}");
        for method in ["textDocument/documentSymbol", "textDocument/hover"] {
            let answer = client.call(method, at.clone());
            assert!(answer.is_ok(), "{method} of {uri}: {answer:?}");
        }
        // Someone asked by hand, and gets words.
        let failed = client.call("surefoot/explain", at).unwrap_err();
        assert_eq!(failed.reason.as_deref(), Some("not_in_graph"));
        assert!(failed.message.contains(why), "{failed:?}");
    }
    let status = client.call("surefoot/status", Value::Null).unwrap();
    let left_out = status["leftOut"].as_array().unwrap();
    let why = |end: &str| {
        let found = left_out
            .iter()
            .find(|left_out| left_out["uri"].as_str().unwrap().ends_with(end));
        found
            .and_then(|left_out| left_out["why"].as_str())
            .unwrap_or_default()
    };
    assert_eq!(
        why("ignored.rs"),
        "an ignore rule names it or a folder above it"
    );
    assert_eq!(why("notes.txt"), "no language reads files of this name");
    assert_eq!(why("elsewhere/a.rs"), "it lies outside every open folder");
}

/// A document over the limit leaves the graph, and comes back when it is small enough.
#[test]
fn a_document_that_grows_too_large_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    let settings = json!({ "settings": { "files": { "maxSizeKb": 1 } } });
    let mut client = start(json!({}), settings, &[folder.path()]);
    let lib = format!("{}/src/lib.rs", uri(folder.path()));
    open(
        &mut client,
        &lib,
        &format!("pub fn second() {{}}\n// {}\n", "x".repeat(2000)),
    );
    assert_eq!(found(&mut client, "second").len(), 0);
    let status = client.call("surefoot/status", Value::Null).unwrap();
    assert!(
        status["leftOut"][0]["why"]
            .as_str()
            .unwrap()
            .contains("files.maxSizeKb"),
        "{status}"
    );
    let text = json!([{ "text": "pub fn third() {}\n" }]);
    let document = json!({ "uri": lib, "version": 2 });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": text }),
    );
    assert_eq!(found(&mut client, "third").len(), 1);
}

/// A folder that holds everything is not read, and the user is told.
#[test]
fn a_home_folder_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "pub fn first() {}\n");
    let home = folder.path().canonicalize().unwrap();
    let mut client = Builder::new().env("HOME", home.to_str().unwrap()).start();
    client.initialize_with(json!({
        "processId": null, "rootUri": uri(folder.path()),
        "capabilities": { "experimental": { "serverStatusNotification": true } },
    }));
    let told = client.wait_for("a warning", |message| {
        message["params"]["health"] == "warning"
    });
    assert!(
        told["params"]["message"]
            .as_str()
            .unwrap()
            .contains("is not read"),
        "{told}"
    );
    client.forget_unread();
}

/// A report is written, verified, and not verified any more once a file has changed.
#[test]
fn reports_are_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    package(
        folder.path(),
        "pub fn first() { second() }\npub fn second() {}\n",
    );
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("report.json");
    let mut client = start(json!({}), Value::Null, &[folder.path()]);
    assert_eq!(found(&mut client, "first").len(), 1);
    let failed = client
        .call(
            "surefoot/report",
            json!({ "root": null, "path": "report.json" }),
        )
        .unwrap_err();
    assert_eq!(failed.code, -32602);
    let failed = client
        .call(
            "surefoot/report",
            json!({ "root": "file:///no/such", "path": path }),
        )
        .unwrap_err();
    assert_eq!(failed.reason.as_deref(), Some("invalid_root"));
    let written = client
        .call("surefoot/report", json!({ "root": null, "path": path }))
        .unwrap();
    assert_eq!(
        (&written["isComplete"], &written["callEdges"]),
        (&json!(true), &json!(1))
    );
    let check = json!({ "root": uri(folder.path()), "report": path });
    let verdict = client.call("surefoot/verify", check.clone()).unwrap();
    assert_eq!(
        (&verdict["verified"], &verdict["differs"]),
        (&json!(true), &json!([])),
        "{verdict}"
    );
    std::fs::write(folder.path().join("src/lib.rs"), "pub fn first() {}\n").unwrap();
    let verdict = client.call("surefoot/verify", check).unwrap();
    assert_eq!(verdict["verified"], false);
    assert_eq!(
        verdict["differs"][0]["uri"],
        format!("{}/src/lib.rs", uri(folder.path()))
    );
    assert!(
        verdict["text"]
            .as_str()
            .unwrap()
            .contains("Changed\n  src/lib.rs"),
        "{verdict}"
    );
    let failed = client
        .call(
            "surefoot/verify",
            json!({ "root": null, "report": folder.path().join("Cargo.toml") }),
        )
        .unwrap_err();
    assert_eq!(failed.reason.as_deref(), Some("invalid_report"));
}
