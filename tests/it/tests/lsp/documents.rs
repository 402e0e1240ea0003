//! Open documents: the server's copy is the client's text, in every encoding.

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};

pub fn open(client: &mut Client, uri: &str, text: &str) {
    let item = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
}

pub fn range(from: (u32, u32), to: (u32, u32)) -> Value {
    let position = |(line, character)| json!({ "line": line, "character": character });
    json!({ "start": position(from), "end": position(to) })
}

pub fn change(
    client: &mut Client,
    uri: &str,
    version: i32,
    from: (u32, u32),
    to: (u32, u32),
    text: &str,
) {
    let change = json!({ "range": range(from, to), "text": text });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
    );
}

/// The document as the loop holds it: text, version, suspect.
pub fn text(client: &mut Client, uri: &str) -> Value {
    client
        .call(
            "surefoot/selftest/loop",
            json!({ "do": "text", "uri": uri }),
        )
        .unwrap()
}

const URI: &str = "file:///w/a.rs";

/// The same edit, told in the units each client counts in.
#[test]
fn utf8_and_utf16_are_negotiated() {
    for (offered, chosen, column) in [
        (json!(["utf-16"]), "utf-16", 3),
        (json!(["utf-8", "utf-16", "utf-32"]), "utf-8", 6),
        (json!(null), "utf-16", 3),
        (json!(["utf-32"]), "utf-16", 3),
    ] {
        let mut client = Builder::new().start();
        let result = client.initialize(json!({ "general": { "positionEncodings": offered } }));
        assert_eq!(result["capabilities"]["positionEncoding"], chosen);
        open(&mut client, URI, "é𝒳ab\r\ncd\r\n");
        change(&mut client, URI, 2, (0, column), (1, 1), "-");
        assert_eq!(text(&mut client, URI)["text"], "é𝒳-d\r\n", "{chosen}");
    }
}

/// Several changes in one notification build on one another; a full text replaces everything.
#[test]
fn changes_apply_in_order() {
    let mut client = Client::initialized();
    open(&mut client, URI, "one\ntwo\n");
    let changes = json!([
        { "range": range((0, 0), (1, 0)), "text": "" },
        { "range": range((0, 3), (0, 3)), "text": "!" },
    ]);
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": changes }),
    );
    assert_eq!(
        text(&mut client, URI),
        json!({ "text": "two!\n", "version": 2, "suspect": false })
    );
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 3 }, "contentChanges": [{ "text": "new" }] }),
    );
    assert_eq!(text(&mut client, URI)["text"], "new");
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(text(&mut client, URI), Value::Null);
}

/// A copy that went wrong is said once, and mended by the next save.
#[test]
fn an_impossible_edit_is_said_once_and_mended_by_a_save() {
    let mut client = Client::initialized();
    open(&mut client, URI, "a\n");
    change(&mut client, URI, 2, (7, 0), (8, 0), "x");
    change(&mut client, URI, 3, (7, 0), (8, 0), "y");
    assert_eq!(text(&mut client, URI)["suspect"], true);
    let said = client.notification("window/logMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("not in Surefoot's copy"),
        "{said}"
    );
    client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": URI }, "text": "b\n" }),
    );
    assert_eq!(
        text(&mut client, URI),
        json!({ "text": "b\n", "version": 3, "suspect": false })
    );
    let said = client.notification("window/logMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("replaced by the saved text"),
        "{said}"
    );
}

/// Saves of a good copy are silent, and documents without a file are documents.
#[test]
fn untitled_documents_and_clean_saves_are_silent() {
    let mut client = Client::initialized();
    open(&mut client, "untitled:Untitled-1", "fn a() {}");
    client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": "untitled:Untitled-1" }, "text": "fn a() {}" }),
    );
    change(&mut client, "untitled:Untitled-1", 2, (0, 3), (0, 4), "b");
    assert_eq!(
        text(&mut client, "untitled:Untitled-1")["text"],
        "fn b() {}"
    );
    change(
        &mut client,
        "file:///never/opened.rs",
        2,
        (0, 0),
        (0, 0),
        "b",
    );
    assert_eq!(text(&mut client, "file:///never/opened.rs"), Value::Null);
}
