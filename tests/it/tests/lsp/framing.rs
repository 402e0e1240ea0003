//! Bytes in any cut and any condition.

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};

use super::documents::{change, open, text};

/// Pipes cut where they like; nothing may depend on where.
#[test]
fn messages_in_random_pieces_arrive_whole() {
    for seed in 0..8 {
        let mut client = Builder::new().pieces(seed).start();
        client.initialize(json!({}));
        open(&mut client, "file:///w/a.rs", &"fn é𝒳() {}\n".repeat(50));
        for n in 0..20 {
            change(
                &mut client,
                "file:///w/a.rs",
                n + 2,
                (n as u32, 3),
                (n as u32, 4),
                "x",
            );
        }
        let got = text(&mut client, "file:///w/a.rs");
        let want = "fn x𝒳() {}\n".repeat(20) + &"fn é𝒳() {}\n".repeat(30);
        assert_eq!(got["text"], want, "seed {seed}");
        assert!(client.leave().success());
    }
}

/// The framework stops reading at the first bad frame; a user must not lose the session to one.
#[test]
fn garbage_is_answered_and_survived() {
    let mut client = Client::initialized();
    let garbage: [&[u8]; 6] = [
        b"what is this\r\n",
        b"Content-Length: 5\r\n\r\n{{{{{",
        b"Content-Length: 7\r\n\r\n[1,2,3]",
        b"Content-Length: 21\r\n\r\n{\"jsonrpc\":\"1.0\",\"id\"",
        b"Content-Length: minus\r\n\r\n",
        b"Content-Length: 4\r\n\r\n\xff\xfe\x00\x01",
    ];
    for bytes in garbage {
        client.send_raw(bytes);
        let answer = client.call("surefoot/selftest/fill", json!({ "bytes": 3 }));
        assert_eq!(answer.unwrap(), "xxx", "after {}", bytes.escape_ascii());
        let complaint = client.wait_for("a complaint", |message| message["id"].is_null());
        assert_eq!(
            complaint["error"]["code"],
            -32700,
            "after {}",
            bytes.escape_ascii()
        );
    }
    assert!(client.leave().success());
}

/// An edit that VS Code can make and JSON in Rust cannot read must not be lost.
#[test]
fn half_a_surrogate_pair_is_an_edit_like_any_other() {
    let mut client = Client::initialized();
    open(&mut client, "file:///w/a.rs", "ab\n");
    let edit = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.rs","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"\ud83d"}]}}"#;
    client.send_raw(format!("Content-Length: {}\r\n\r\n{edit}", edit.len()).as_bytes());
    change(&mut client, "file:///w/a.rs", 3, (0, 2), (0, 3), "c");
    let got = text(&mut client, "file:///w/a.rs");
    assert_eq!(
        (&got["text"], &got["suspect"]),
        (&json!("a\u{fffd}c\n"), &json!(false))
    );
}

/// Some clients answer "null" by leaving the result out; that is no request without a method.
#[test]
fn a_response_without_a_result_is_a_response() {
    let mut client = Client::initialized();
    client.send(&json!({ "jsonrpc": "2.0", "id": "surefoot/workspace/codeLens/refresh" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 77, "result": null }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 78, "error": { "code": -1, "message": "no" } }));
    assert!(client.leave().success());
}

/// JSON-RPC allows text as an id, and parameters that are not there.
#[test]
fn ids_may_be_text_and_parameters_missing() {
    let mut client = Client::initialized();
    client.send(&json!({ "jsonrpc": "2.0", "id": "x", "method": "surefoot/selftest/hold" }));
    client.notify("$/cancelRequest", json!({ "id": "x" }));
    let answer = client.wait_for("x", |message| message["id"] == "x");
    assert_eq!(answer["error"]["code"], -32800);
    client.send(&json!({ "jsonrpc": "2.0", "id": "y", "method": "no/such" }));
    let answer = client.wait_for("y", |message| message["id"] == "y");
    assert_eq!(answer["error"]["code"], -32601);
    assert_ne!(answer["error"]["message"], Value::Null);
}
