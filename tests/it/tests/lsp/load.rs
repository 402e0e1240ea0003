//! Clients that are slow, gone or in a hurry.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use surefoot_it::Client;

use super::documents::{change, open, text};

const URI: &str = "file:///w/a.rs";

fn on_loop(client: &mut Client, what: Value) -> Value {
    client.call("surefoot/selftest/loop", what).unwrap()
}

/// Waits until the loop has come to the end of what was sent, without reading what it says.
fn when_reached(client: &mut Client) -> i64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reached");
    let touch = json!({ "do": "touch", "path": path });
    let id = client.request("surefoot/selftest/loop", touch);
    surefoot_it::wait_until("the loop reaches the last request", || path.exists());
    id
}

/// One unread answer stops the framework's reading when its writer waits: ten of them, then 5,000 edits,
/// and with a writer that waits not one edit arrives.
#[test]
fn ten_unread_answers_do_not_hold_back_5000_edits() {
    let mut client = Client::initialized();
    open(&mut client, URI, "");
    text(&mut client, URI);
    client.stop_reading();
    let answers: Vec<_> = (0..10)
        .map(|_| client.request("surefoot/selftest/fill", json!({ "bytes": 20_000 })))
        .collect();
    for n in 0..5000 {
        change(
            &mut client,
            URI,
            n + 2,
            (0, n as u32),
            (0, n as u32),
            if n % 2 == 0 { "a" } else { "b" },
        );
    }
    // Every edit has to arrive while the client still reads nothing.
    let reached = when_reached(&mut client);
    let state = client.request(
        "surefoot/selftest/loop",
        json!({ "do": "text", "uri": URI }),
    );
    client.read_again();
    assert_eq!(
        client.answer(state).unwrap(),
        json!({ "text": "ab".repeat(2500), "version": 5001, "suspect": false })
    );
    client.answer(reached).unwrap();
    for id in answers {
        assert_eq!(client.answer(id).unwrap().as_str().unwrap().len(), 20_000);
    }
    assert!(client.leave().success());
}

/// While nobody reads, newer diagnostics replace older ones instead of queueing behind them.
#[test]
fn a_client_that_does_not_read_gets_the_newest_diagnostics() {
    let mut client = Client::initialized();
    client.stop_reading();
    let big = client.request(
        "surefoot/selftest/loop",
        json!({ "do": "fill", "bytes": 4_000_000 }),
    );
    // Its beginning is here, so all the rest of it waits in the server.
    client.read_only(100_000);
    let mut published = Vec::new();
    for times in 100..150 {
        for uri in ["file:///w/a.rs", "file:///w/b.rs"] {
            let publish = json!({ "do": "publish", "uri": uri, "times": times });
            published.push(client.request("surefoot/selftest/loop", publish));
        }
    }
    published.push(when_reached(&mut client));
    client.read_again();
    client.answer(big).unwrap();
    for id in published {
        client.answer(id).unwrap();
    }
    let (mut sent, mut newest) = (0, BTreeMap::new());
    while newest
        .values()
        .filter(|message| **message == json!("148"))
        .count()
        < 2
    {
        let params = client.notification("textDocument/publishDiagnostics");
        newest.insert(
            params["uri"].to_string(),
            params["diagnostics"][0]["message"].clone(),
        );
        sent += 1;
    }
    assert_eq!(sent, 2, "{sent} of 12,450 were sent");
}

/// A client that never reads again must not keep the loop from working, nor the process from ending.
#[test]
fn a_client_that_never_reads_does_not_hold_the_loop() {
    let mut client = Client::initialized();
    open(&mut client, URI, "");
    client.stop_reading();
    for _ in 0..400 {
        client.request("surefoot/selftest/fill", json!({ "bytes": 100_000 }));
    }
    for n in 0..1000 {
        change(&mut client, URI, n + 2, (0, 0), (0, 0), "a");
    }
    client.notify("exit", Value::Null);
    // The whole of it was taken and handled: `exit` is the last message.
    assert_eq!(client.exit_status().code(), Some(1));
    client.forget_unread();
}

/// An edit is seen at once however many slow requests stand before it, and each of those is answered once.
#[test]
fn an_edit_behind_200_slow_requests_is_applied_before_they_end() {
    let mut client = Client::initialized();
    open(&mut client, URI, "old");
    open(&mut client, "file:///w/other.rs", "other");
    let hold = |client: &mut Client, method: &str, uri: &str| {
        client.request(
            &format!("surefoot/selftest/{method}"),
            json!({ "textDocument": { "uri": uri } }),
        )
    };
    let refused: Vec<_> = (0..80).map(|_| hold(&mut client, "hold", URI)).collect();
    let retried: Vec<_> = (0..80)
        .map(|_| hold(&mut client, "holdAndRetry", URI))
        .collect();
    let unconcerned: Vec<_> = (0..40)
        .map(|_| hold(&mut client, "hold", "file:///w/other.rs"))
        .collect();
    change(&mut client, URI, 2, (0, 0), (0, 3), "new");
    let cancelled = unconcerned[39];
    client.notify("$/cancelRequest", json!({ "id": cancelled }));

    assert_eq!(text(&mut client, URI)["text"], "new");
    let load = on_loop(&mut client, json!({ "do": "load" }));
    assert!(
        load["unanswered"].as_u64().unwrap() >= 119,
        "slow requests ended before the edit: {load}"
    );
    assert_eq!(client.answer(cancelled).unwrap_err().code, -32800);
    for id in refused {
        assert_eq!(client.answer(id).unwrap_err().code, -32801);
    }
    on_loop(&mut client, json!({ "do": "release" }));
    for id in retried {
        assert_eq!(client.answer(id).unwrap(), "new");
    }
    for id in &unconcerned[..39] {
        assert_eq!(client.answer(*id).unwrap(), "other");
    }
    // Exactly once: the client fails at its end when a second answer is left.
    let load = on_loop(&mut client, json!({ "do": "load" }));
    assert_eq!((&load["unanswered"], &load["jobs"]), (&json!(0), &json!(0)));
    assert!(client.leave().success());
}

/// A request means the place its position named when it was sent: overtaken by an edit it must not answer about
/// whatever stands there afterwards, and nothing about a place that is gone.
#[test]
fn a_position_is_carried_through_the_edits_that_overtake_it() {
    let mut client = Client::initialized();
    open(&mut client, URI, "one two\nthree four\nfive\n");
    let ask = |client: &mut Client, line: u32, character: u32| {
        let at = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": URI }, "position": at });
        client.request("surefoot/selftest/holdAndRetry", params)
    };
    let four = ask(&mut client, 1, 6);
    let two = ask(&mut client, 0, 4);
    let five = ask(&mut client, 2, 0);
    let edit = |from: (u32, u32), to: (u32, u32), text: &str| {
        let at = |(line, character)| json!({ "line": line, "character": character });
        json!({ "range": { "start": at(from), "end": at(to) }, "text": text })
    };
    let edits = [
        edit((0, 0), (0, 0), "zero\n"),
        edit((2, 0), (2, 5), "3"),
        edit((3, 0), (3, 4), "5"),
    ];
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": edits }),
    );
    assert_eq!(client.answer(five).unwrap_err().code, -32801);
    on_loop(&mut client, json!({ "do": "release" }));
    assert_eq!(client.answer(four).unwrap(), "four");
    assert_eq!(client.answer(two).unwrap(), "two");
}

/// A document that keeps changing ends a request with "content modified" instead of retrying for ever.
#[test]
fn retries_end() {
    let mut client = Client::initialized();
    open(&mut client, URI, "");
    let id = client.request(
        "surefoot/selftest/holdAndRetry",
        json!({ "textDocument": { "uri": URI } }),
    );
    for attempt in 1..=3 {
        // Each attempt has to be running before an edit can end it.
        while on_loop(&mut client, json!({ "do": "load" }))["begun"] != attempt {}
        change(&mut client, URI, attempt + 1, (0, 0), (0, 0), "a");
    }
    assert_eq!(client.answer(id).unwrap_err().code, -32801);
}

/// Beyond the cap a request is refused at once, and the ones before it are not lost.
#[test]
fn requests_beyond_the_cap_are_refused_at_once() {
    let mut client = Client::initialized();
    let held: Vec<_> = (0..1024)
        .map(|_| client.request("surefoot/selftest/hold", json!({})))
        .collect();
    for _ in 0..50 {
        let failed = client
            .call("surefoot/selftest/hold", json!({}))
            .unwrap_err();
        assert_eq!(
            (failed.code, failed.reason.as_deref()),
            (-32802, Some("too_many_requests"))
        );
    }
    on_loop(&mut client, json!({ "do": "release" }));
    for id in held {
        assert_eq!(client.answer(id).unwrap(), Value::Null);
    }
}

/// Two requests with one id cannot both be answered so that the client knows which is which.
#[test]
fn an_id_in_use_is_refused() {
    let mut client = Client::initialized();
    for _ in 0..2 {
        client.send(&json!({ "jsonrpc": "2.0", "id": 500, "method": "surefoot/selftest/hold" }));
    }
    assert_eq!(client.answer(500).unwrap_err().code, -32602);
    on_loop(&mut client, json!({ "do": "release" }));
    assert_eq!(client.answer(500).unwrap(), Value::Null);
}

/// Edits of two documents, interleaved so that the one changed last is told to the engine first: a request
/// that waits for the engine to have seen them must not wait for ever.
#[test]
fn requests_behind_interleaved_edits_are_answered() {
    let mut client = Client::initialized();
    let other = "file:///w/b.rs";
    on_loop(&mut client, json!({ "do": "release" }));
    for round in 0..50 {
        open(&mut client, URI, "");
        open(&mut client, other, "");
        change(&mut client, URI, 2, (0, 0), (0, 0), "a");
        change(&mut client, other, 2, (0, 0), (0, 0), "b");
        change(&mut client, URI, 3, (0, 1), (0, 1), "a");
        for (uri, text) in [(URI, "aa"), (other, "b")] {
            let params = json!({ "textDocument": { "uri": uri } });
            let seen = client
                .call("surefoot/selftest/holdAndRetry", params)
                .unwrap();
            assert_eq!(seen, text, "round {round}");
        }
    }
}
