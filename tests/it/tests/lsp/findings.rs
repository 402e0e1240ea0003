//! Findings in the margin: pushed to clients that are pushed to, pulled by the others, never both.

use serde_json::{Value, json};

use super::documents::change;
use super::world::World;

const UNREAD: &str = "pub mod store;\n\nfn waste(kept: u32, thrown: u32) -> u32 {\n    kept\n}\n\npub fn run() -> u32 {\n    waste(1, 2)\n}\n";

/// An unread parameter is a faded hint with its callers beside it, and gone when it is read.
#[test]
fn findings_are_pushed_and_taken_back() {
    let related =
        json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
    let mut world = World::new(related, Value::Null);
    let uri = world.uri("src/lib.rs");
    super::documents::open(&mut world.client, &uri, UNREAD);
    let pushed = world.client.notification("textDocument/publishDiagnostics");
    assert_eq!(
        (&pushed["uri"], &pushed["version"]),
        (&json!(uri), &json!(1))
    );
    let finding = &pushed["diagnostics"][0];
    assert_eq!(
        (&finding["code"], &finding["severity"]),
        (&json!("unread-parameter"), &json!(4))
    );
    assert_eq!(
        (&finding["source"], &finding["tags"]),
        (&json!("surefoot"), &json!([1]))
    );
    assert_eq!(finding["range"], super::documents::range((2, 20), (2, 26)));
    assert_eq!(
        finding["relatedInformation"][0]["location"]["range"]["start"]["line"],
        7
    );
    change(&mut world.client, &uri, 2, (3, 4), (3, 8), "kept + thrown");
    let pushed = world.client.notification("textDocument/publishDiagnostics");
    assert_eq!(
        (&pushed["version"], &pushed["diagnostics"]),
        (&json!(2), &json!([]))
    );
    change(&mut world.client, &uri, 3, (3, 4), (3, 17), "kept");
    world.client.notification("textDocument/publishDiagnostics");
    world.client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    let pushed = world.client.notification("textDocument/publishDiagnostics");
    assert_eq!(pushed["diagnostics"], json!([]));
}

/// A client that pulls and can be told to pull again is never pushed to: it would show everything twice.
#[test]
fn findings_are_pulled_by_a_client_that_can_refresh() {
    let pull = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let mut world = World::new(
        pull,
        json!({ "settings": { "diagnostics": { "unreadParameters": { "severity": "warning" } } } }),
    );
    let uri = world.uri("src/lib.rs");
    super::documents::open(&mut world.client, &uri, UNREAD);
    world.callers("src/lib.rs", 2, 4);
    let pull = json!({ "textDocument": { "uri": uri } });
    let report = world
        .client
        .call("textDocument/diagnostic", pull.clone())
        .unwrap();
    assert_eq!(
        (&report["kind"], &report["items"][0]["severity"]),
        (&json!("full"), &json!(2))
    );
    let text = UNREAD.replace(
        "fn waste",
        "// surefoot: ignore[unread-parameter]\nfn waste",
    );
    let replace = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] });
    world.client.notify("textDocument/didChange", replace);
    let report = world.client.call("textDocument/diagnostic", pull).unwrap();
    assert_eq!(report["items"], json!([]), "a suppress comment");
    assert!(
        world
            .client
            .unread("textDocument/publishDiagnostics")
            .is_empty()
    );
}
