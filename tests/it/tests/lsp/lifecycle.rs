//! Beginning and end: states, exit codes, and every way a client can disappear.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};

/// Requests in the wrong state get the protocol's own error codes.
#[test]
fn the_states_of_a_session_are_kept_apart() {
    let mut client = Builder::new().arg("--stdio").start();
    assert_eq!(
        client
            .call("textDocument/hover", json!({}))
            .unwrap_err()
            .code,
        -32002
    );
    client.notify("textDocument/didOpen", json!({ "nonsense": 1 }));
    let result = client.initialize(json!({}));
    assert_eq!(result["serverInfo"]["name"], "surefoot");
    assert_eq!(
        client.call("initialize", json!({})).unwrap_err().code,
        -32600
    );
    let failed = client.call("no/such", json!({})).unwrap_err();
    assert_eq!(
        (failed.code, failed.reason.as_deref()),
        (-32601, Some("unknown_method"))
    );
    client.notify("$/no/such", json!({}));
    client.call("shutdown", Value::Null).unwrap();
    assert_eq!(
        client
            .call("surefoot/selftest/fill", json!({ "bytes": 1 }))
            .unwrap_err()
            .code,
        -32600
    );
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(0));
}

/// A client whose capabilities are not what the protocol says is still served.
#[test]
fn strange_capabilities_are_no_reason_to_refuse() {
    let mut client = Builder::new().start();
    let result =
        client.initialize(json!({ "workspace": 7, "general": { "positionEncodings": "utf-8" } }));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
}

/// `exit` without `shutdown` is an error by the protocol's words, and prompt.
#[test]
fn exit_without_shutdown_is_code_1() {
    let mut client = Client::initialized();
    client.request("surefoot/selftest/hold", json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status().code(), Some(1));
    assert_eq!(client.answer(2).unwrap_err().code, -32802);
}

/// An editor that crashes closes our stdin; a server that stays is a leak users find weeks later.
#[test]
fn the_end_of_input_ends_the_server() {
    let mut client = Client::initialized();
    client.close_stdin();
    assert_eq!(client.exit_status().code(), Some(1));

    let mut client = Builder::new().start();
    client.send_raw(b"Content-Length: 100\r\n\r\n{");
    client.close_stdin();
    assert_eq!(client.exit_status().code(), Some(1));
}

/// Requests that are still unanswered do not hold the server back.
#[test]
fn the_end_of_input_ends_a_busy_server() {
    let mut client = Client::initialized();
    let ids: Vec<_> = (0..20)
        .map(|_| client.request("surefoot/selftest/hold", json!({})))
        .collect();
    client.close_stdin();
    assert_eq!(client.exit_status().code(), Some(1));
    for id in ids {
        assert_eq!(client.answer(id).unwrap_err().code, -32802);
    }
}

/// Somebody else may hold our stdin open after the editor is gone.
#[test]
fn the_end_of_the_parent_ends_the_server() {
    let mut parent = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut client = Builder::new().start();
    client
        .initialize_with(json!({ "processId": parent.id(), "rootUri": null, "capabilities": {} }));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(client.exit_status().code(), Some(1));
}

/// A process that cannot be seen (another container) is not a dead one.
#[test]
fn an_unknown_parent_is_not_a_dead_one() {
    let mut client = Builder::new().start();
    client.initialize_with(json!({ "processId": u32::MAX, "rootUri": null, "capabilities": {} }));
    assert!(client.leave().success());
}

/// A panic costs its request, on a worker or on the loop, and nothing else.
#[test]
fn a_panic_costs_one_request() {
    let mut client = Client::initialized();
    for (method, params) in [("panic", Value::Null), ("loop", json!({ "do": "panic" }))] {
        let failed = client
            .call(&format!("surefoot/selftest/{method}"), params)
            .unwrap_err();
        assert_eq!(failed.code, -32603, "{failed:?}");
    }
    assert_eq!(
        client
            .call("surefoot/selftest/fill", json!({ "bytes": 1 }))
            .unwrap(),
        "x"
    );
    assert!(client.leave().success());
}

/// Without the switch of the tests, their requests do not exist.
#[test]
fn users_have_no_selftest() {
    let mut client = Builder::new().without_selftest().start();
    client.initialize(json!({}));
    for method in ["surefoot/selftest/panic", "surefoot/selftest/loop"] {
        assert_eq!(
            client.call(method, Value::Null).unwrap_err().code,
            -32601,
            "{method}"
        );
    }
    assert!(client.leave().success());
}

/// What has no effect in the user's settings is said, once each.
#[test]
fn settings_without_effect_are_said() {
    let mut client = Builder::new().start();
    let settings = json!({ "hover": "loud", "codeLens": { "enabled": false }, "nonsense": 1 });
    let options = json!({ "settings": settings });
    client.initialize_with(json!({ "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options }));
    let mut said: Vec<String> = Vec::new();
    for _ in 0..2 {
        said.push(
            client.notification("window/logMessage")["message"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    said.sort();
    assert_eq!(
        said,
        [
            "surefoot: surefoot.hover is \"loud\" but has to be one of \"off\", \"compact\", \"full\"; its default stays in force",
            "surefoot: there is no setting surefoot.nonsense",
        ]
    );
}

/// VS Code answers questions about settings; the notification only says that something changed.
#[test]
fn settings_are_pulled_from_a_client_that_answers() {
    let folder = tempfile::tempdir().unwrap();
    let root = format!("file://{}", folder.path().display());
    let mut client = Builder::new().start();
    let capabilities = json!({ "workspace": {
        "configuration": true,
        "didChangeConfiguration": { "dynamicRegistration": true },
        "didChangeWatchedFiles": { "dynamicRegistration": true },
    } });
    client.initialize_with(
        json!({ "processId": null, "rootUri": root, "capabilities": capabilities }),
    );
    let mut registered = Vec::new();
    for _ in 0..2 {
        let (id, params) = client.server_request("client/registerCapability");
        registered.push(
            params["registrations"][0]["method"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
        client.respond(&id, Value::Null);
    }
    registered.sort();
    assert_eq!(
        registered,
        [
            "workspace/didChangeConfiguration",
            "workspace/didChangeWatchedFiles"
        ]
    );
    let (id, params) = client.server_request("workspace/configuration");
    assert_eq!(params["items"][0]["section"], "surefoot");
    client.respond(&id, json!([null]));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    let (id, _) = client.server_request("workspace/configuration");
    client.respond(&id, json!([{ "hover": "shout" }]));
    let said = client.notification("window/logMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("surefoot.hover is \"shout\"")
    );
    // The same mistake again is not said again: the next line is about the other one.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": {} }),
    );
    let (id, _) = client.server_request("workspace/configuration");
    client.respond(
        &id,
        json!([{ "hover": "shout", "codeLens": { "enabled": "yes" } }]),
    );
    let said = client.notification("window/logMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("surefoot.codeLens.enabled")
    );
}

/// Neovim sends its settings in the notification.
#[test]
fn settings_are_read_from_the_notification_of_a_client_that_does_not_answer() {
    let mut client = Client::initialized();
    let settings = json!({ "surefoot": { "memory": { "limitMb": "much" } } });
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    let said = client.notification("window/logMessage");
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("surefoot.memory.limitMb")
    );
}

/// A plugin of another version is told once, and one of the same version never.
#[test]
fn a_plugin_of_another_version_is_told() {
    for (version, told) in [("0.0.9", true), (env!("CARGO_PKG_VERSION"), false)] {
        let mut client = Builder::new().ignores("experimental/serverStatus").start();
        let options = json!({ "client": { "name": "neovim", "version": version } });
        client.initialize_with(json!({
            "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options,
        }));
        if told {
            let said = client.notification("window/showMessage");
            assert!(
                said["message"].as_str().unwrap().contains("plugin 0.0.9"),
                "{said}"
            );
        }
        assert!(client.leave().success());
    }
}
