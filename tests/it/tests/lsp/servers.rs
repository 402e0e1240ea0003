//! Language servers of our own: started by the user's settings alone, asked, shown, and gone when we are.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use surefoot_it::wait_until;

use super::world::{World, names, write};

const MYSTERY: &str = "pub mod store;\nuse store::Store;\npub fn run() {\n    let it = make!();\n    it.fetch();\n}\n";
const STORE: &str = "pub struct Store;\nimpl Store {\n    pub fn fetch(&self) {}\n}\n";

/// A workspace with one call that only a server can place, and the fake server with these faults.
struct Asked {
    world: World,
    pids: PathBuf,
    /// Where the server writes down its processes.
    _notes: tempfile::TempDir,
}

fn asked(faults: &str, mode: &str, more: Value) -> Asked {
    let notes = tempfile::tempdir().unwrap();
    let pids = notes.path().join("pids");
    // The server's environment is not the user's to set, so a small script sets it.
    let script = notes.path().join("server.sh");
    let fake = surefoot_it::fake_server().display();
    let text = format!(
        "#!/bin/sh\nFAKE_NOTE='{}' exec '{fake}' {faults}\n",
        pids.display()
    );
    std::fs::write(&script, text).unwrap();
    let command = json!(["/bin/sh", script]);
    let servers = json!({ "fake": { "mode": mode, "command": command, "startTimeout": 60 } });
    let mut options = json!({ "settings": { "bridge": { "servers": servers } } });
    for (key, value) in more.as_object().into_iter().flatten() {
        options[key] = value.clone();
    }
    let mut world = World::new(json!({}), options);
    write(world.folder.path(), "src/store.rs", STORE);
    write(world.folder.path(), "src/lib.rs", MYSTERY);
    world.open("src/store.rs");
    world.open("src/lib.rs");
    Asked {
        world,
        pids,
        _notes: notes,
    }
}

fn status(world: &mut World) -> Value {
    world.client.call("surefoot/status", Value::Null).unwrap()
}

impl Asked {
    fn until(&mut self, what: &str, so: impl Fn(&mut World) -> bool) {
        let world = std::cell::RefCell::new(&mut self.world);
        wait_until(what, || so(&mut world.borrow_mut()));
    }

    fn until_state(&mut self, what: &str, so: impl Fn(&Value) -> bool) {
        self.until(what, |world| so(&status(world)["servers"][0]));
    }

    fn pids(&self) -> Vec<String> {
        pids(&self.pids)
    }
}

fn pids(note: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(note).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn gone(pids: &[String]) {
    assert!(!pids.is_empty(), "the server never ran");
    wait_until("no process of the server is left", || {
        pids.iter()
            .all(|pid| !Path::new("/proc").join(pid).exists())
    });
}

/// A server named in the user's settings is started when there is something to ask, places the call, and is named
/// in the panel and in the status; it goes with us.
#[test]
fn a_server_of_ours_places_what_the_source_cannot() {
    let mut asked = asked("", "onDemand", Value::Null);
    asked.until("the call is placed", |world| {
        names(&world.callers("src/store.rs", 2, 12)) == ["run"]
    });
    let row = asked.world.callers("src/store.rs", 2, 12).remove(0);
    assert!(row.1.contains("fake 1.0"), "{row:?}");
    let status = status(&mut asked.world);
    let server = &status["servers"][0];
    assert_eq!(
        (&server["state"], &server["placed"]),
        (&json!("ready"), &json!(1))
    );
    assert!(server["process"].is_u64(), "{server}");
    assert_eq!(status["verdicts"]["placed"], 1, "{status}");
    assert!(
        status["text"]
            .as_str()
            .unwrap()
            .contains("own server fake (fake 1.0): ready")
    );
    let pids = asked.pids();
    assert_eq!(asked.world.client.leave().code(), Some(0));
    gone(&pids);
}

/// However we end, the server ends: by signal, by the end of our input.
#[test]
fn no_process_outlives_us() {
    for signal in ["-9", "-15", ""] {
        let mut asked = asked("forks,stays", "onDemand", Value::Null);
        asked.until_state("it answered", |server| server["placed"] == 1);
        let pids = asked.pids();
        assert_eq!(pids.len(), 2, "the server and its child");
        if signal.is_empty() {
            asked.world.client.close_stdin();
        } else {
            let pid = asked.world.client.pid().to_string();
            let killed = std::process::Command::new("kill")
                .args([signal, &pid])
                .status();
            assert!(killed.unwrap().success());
        }
        gone(&pids);
        asked.world.client.exit_status();
    }
}

/// A server that fails costs nobody anything: every request is answered, and the status has its words.
#[test]
fn a_failing_server_is_said_and_nothing_else() {
    for (fault, words) in [
        ("dies-at-once", "nothing works today"),
        ("huge", "a message of 200 MB"),
        ("garbage", "no message"),
        ("floods", "messages and no answer"),
        ("utf-7", "counts columns"),
    ] {
        let mut asked = asked(fault, "onDemand", Value::Null);
        asked.until_state(fault, |server| {
            server["unavailable"]
                .as_str()
                .is_some_and(|why| why.contains(words))
        });
        assert_eq!(
            names(&asked.world.callers("src/store.rs", 2, 12)),
            ["not placed"]
        );
        let pids = asked.pids();
        asked.world.client.leave();
        gone(&pids);
    }
}

/// A server that lies about places moves no edge: past the end, in no file, behind a link it is the file itself.
#[test]
fn places_are_not_believed() {
    for (fault, verdict, callers) in [
        ("past-end", "no-answer", "not placed"),
        ("windows", "no-answer", "not placed"),
        ("no-uri", "no-answer", "not placed"),
        ("outside", "outside", ""),
    ] {
        let mut asked = asked(fault, "onDemand", Value::Null);
        asked.until(fault, |world| {
            status(world)["verdicts"][verdict].as_u64() >= Some(1)
        });
        asked.until("the panel shows it", |world| {
            let rows = world.callers("src/store.rs", 2, 12);
            names(&rows).first().copied().unwrap_or_default() == callers
        });
    }
}

/// What a proof says stands; a server that says otherwise is shown beside it.
#[test]
fn a_contradiction_is_kept_and_shown() {
    let mut asked = asked("", "idle", Value::Null);
    let text = "pub mod store;\nmod a {\n    pub fn twin() {}\n}\nmod b {\n    pub fn twin() {}\n}\npub fn run() {\n    b::twin();\n}\n";
    let uri = asked.world.uri("src/lib.rs");
    let change = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "text": text }],
    });
    asked.world.client.notify("textDocument/didChange", change);
    asked.until("they disagree", |world| {
        let found = world
            .client
            .call("surefoot/disagreements", Value::Null)
            .unwrap();
        found.as_array().is_some_and(|rows| rows.len() == 1)
    });
    let found = asked
        .world
        .client
        .call("surefoot/disagreements", Value::Null)
        .unwrap();
    let row = &found[0];
    assert_eq!(
        (&row["name"], &row["resolver"]),
        (&json!("twin"), &json!("fake 1.0"))
    );
    assert_eq!(
        (&row["tier"], &row["rule"]),
        (&json!("certain"), &json!("path"))
    );
    assert_eq!(row["own"]["selectionRange"]["start"]["line"], 5);
    assert_eq!(row["theirs"]["selectionRange"]["start"]["line"], 2);
    let callers = asked.world.callers("src/lib.rs", 5, 11);
    assert_eq!(names(&callers), ["run"], "the proof counts");
}

/// What the editor shows and the disk does not have yet counts: the server is shown it, and its answer is a place in it.
#[test]
fn an_unsaved_text_is_what_the_server_reads() {
    let mut asked = asked("", "onDemand", Value::Null);
    asked.until_state("it answered", |server| server["placed"] == 1);
    // Where `fetch` stood stands another function now, and only the editor knows.
    let moved = "pub struct Store;\nimpl Store {\n    pub fn other(&self) {}\n    pub fn fetch(&self) {}\n}\n";
    let edited = MYSTERY.replace("it.fetch()", "it .fetch()");
    for (file, text) in [("src/store.rs", moved), ("src/lib.rs", &*edited)] {
        let uri = asked.world.uri(file);
        let change = json!({
            "textDocument": { "uri": uri, "version": 2 },
            "contentChanges": [{ "text": text }],
        });
        asked.world.client.notify("textDocument/didChange", change);
    }
    asked.until("the call is placed anew", |world| {
        names(&world.callers("src/store.rs", 3, 12)) == ["run"]
    });
    assert_eq!(names(&asked.world.callers("src/store.rs", 2, 12)), [""; 0]);
}

/// Nobody starts a program in a workspace that is not trusted, and the user hears why nothing is asked.
#[test]
fn an_untrusted_workspace_starts_nothing() {
    let more = json!({ "trusted": false, "client": { "name": "test", "version": "0.1.0" } });
    let mut asked = asked("", "idle", more);
    let told = asked.world.client.wait_for("a warning", |message| {
        message["params"]["health"] == "warning"
    });
    let words = told["params"]["message"].as_str().unwrap();
    assert!(words.contains("not trusted"), "{words}");
    assert_eq!(status(&mut asked.world)["servers"], json!([]));
    assert!(asked.pids().is_empty());
}

/// The command line asks, says by whom, and the report lists who took part; without an answer not one edge of its
/// own is different.
#[test]
fn the_command_line_asks_and_the_report_says_whom() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(folder.path(), "Cargo.toml", manifest);
    write(folder.path(), "src/lib.rs", MYSTERY);
    write(folder.path(), "src/store.rs", STORE);
    let fake = surefoot_it::fake_server().display();
    let run = |faults: &str| -> Value {
        let out = std::process::Command::new(surefoot_it::surefoot())
            .args([
                "analyze",
                "--format",
                "json",
                "--lsp",
                &format!("'{fake}' {faults}"),
            ])
            .args(["--lsp-start-timeout", "20"])
            .arg(folder.path())
            .env("XDG_CACHE_HOME", surefoot_it::cache())
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        serde_json::from_slice(&out.stdout).unwrap()
    };
    let report = run("says-plain");
    let edges = report["call_edges"].as_array().unwrap();
    let placed: Vec<&Value> = edges
        .iter()
        .filter(|e| e["resolved_by"] == "fake 1.0")
        .collect();
    assert_eq!(placed.len(), 1);
    assert_eq!(placed[0]["callee"], "src/store.rs::Store::fetch");
    let resolver = &report["analyzer_provenance"]["resolvers"][0];
    assert_eq!(
        (&resolver["name"], &resolver["state"]),
        (&json!("fake"), &json!("answered"))
    );

    let without = run("no-definitions");
    let resolver = &without["analyzer_provenance"]["resolvers"][0];
    assert_eq!(resolver["state"], "unavailable: it gives no definitions");
    let out = std::process::Command::new(surefoot_it::surefoot())
        .args(["analyze", "--format", "json"])
        .arg(folder.path())
        .output()
        .unwrap();
    let alone: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(without["call_edges"], alone["call_edges"]);
    assert_ne!(
        without["snapshot_id"], alone["snapshot_id"],
        "another analysis"
    );
}

/// What a server said is kept while both ends are what they were: the next run starts nothing, and says the same.
#[test]
fn answers_are_kept_by_the_texts_at_both_ends() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write(folder.path(), "Cargo.toml", manifest);
    write(folder.path(), "src/lib.rs", MYSTERY);
    write(folder.path(), "src/store.rs", STORE);
    let cache = tempfile::tempdir().unwrap();
    let note = cache.path().join("pids");
    let fake = surefoot_it::fake_server().display();
    let run = |more: &[&str]| -> Value {
        let out = std::process::Command::new(surefoot_it::surefoot())
            .args(["analyze", "--format", "json", "--lsp-start-timeout", "20"])
            .args(["--lsp", &format!("'{fake}' says-plain")])
            .args(more)
            .arg(folder.path())
            .env("XDG_CACHE_HOME", cache.path())
            .env("FAKE_NOTE", &note)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        serde_json::from_slice(&out.stdout).unwrap()
    };
    let first = run(&[]);
    assert_eq!(pids(&note).len(), 1, "it was asked");
    let second = run(&[]);
    assert_eq!(pids(&note).len(), 1, "nothing had to be asked");
    assert_eq!(first, second, "kept or asked, the report is the same");
    run(&["--lsp-again"]);
    assert_eq!(pids(&note).len(), 2, "asked on demand");

    // The text that the answer leads to is another one now, though the place is not.
    write(folder.path(), "src/store.rs", &format!("{STORE}// more\n"));
    run(&[]);
    assert_eq!(pids(&note).len(), 3, "asked anew");

    // A pack that was changed on the disk is none.
    for entry in std::fs::read_dir(cache.path().join("surefoot"))
        .unwrap()
        .flatten()
    {
        if entry.path().extension().is_some_and(|end| end == "pack") {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            std::fs::write(entry.path(), bytes).unwrap();
        }
    }
    run(&[]);
    assert_eq!(pids(&note).len(), 4, "asked anew");
}

const SHAPES: &str = "pub trait Shape {\n    fn area(&self) -> u8;\n}\npub fn run(shape: &dyn Shape) -> u8 {\n    shape.area()\n}\npub mod odd {\n    pub fn area() -> u8 {\n        1\n    }\n}\n";

/// What a server says implements a declared member may run: a possible caller with the server's name, and no edge.
#[test]
fn implementations_are_possible_and_bear_the_name_of_who_said_so() {
    let mut asked = asked("implements", "onDemand", Value::Null);
    let uri = asked.world.uri("src/lib.rs");
    let change = json!({
        "textDocument": { "uri": uri, "version": 2 },
        "contentChanges": [{ "text": SHAPES }],
    });
    asked.world.client.notify("textDocument/didChange", change);
    asked.until("it may run", |world| {
        names(&world.callers("src/lib.rs", 7, 13)) == ["run"]
    });
    let row = asked.world.callers("src/lib.rs", 7, 13).remove(0);
    assert!(
        row.1.contains("possible: asked-may-run, fake 1.0"),
        "{row:?}"
    );
    let declared = asked.world.callers("src/lib.rs", 1, 9).remove(0);
    assert!(declared.1.contains("certain"), "{declared:?}");
    assert_eq!(status(&mut asked.world)["verdicts"]["possible"], 1);
}

/// A file of the workspace starts nothing, and the user hears that it tried.
#[test]
fn a_workspace_names_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "{\n  \"surefoot.bridge.servers\": { \"evil\": { \"command\": [\"touch\", \"/tmp/x\"] } },\n}\n";
    write(folder.path(), ".vscode/settings.json", settings);
    write(folder.path(), "src/lib.rs", MYSTERY);
    let client = surefoot_it::Builder::new()
        .answers("client/registerCapability", Value::Null)
        .ignores("textDocument/publishDiagnostics")
        .ignores("experimental/serverStatus")
        .start();
    let mut world = World { folder, client };
    let root = world.uri("");
    world.client.initialize_with(json!({
        "processId": null,
        "rootUri": root,
        "workspaceFolders": [{ "uri": root, "name": "small" }],
        "capabilities": {},
        "initializationOptions": { "client": { "name": "test", "version": "0.1.0" } },
    }));
    let told = world.client.wait_for("a message", |message| {
        let words = message["params"]["message"].as_str().unwrap_or_default();
        message["method"] == "window/showMessage" && words.contains("surefoot.bridge.servers")
    });
    let words = told["params"]["message"].as_str().unwrap();
    assert!(
        words.contains(".vscode/settings.json") && words.contains("ignored"),
        "{words}"
    );
    let status = status(&mut world);
    assert_eq!(status["servers"], json!([]));
    assert!(
        status["text"]
            .as_str()
            .unwrap()
            .contains("which is ignored"),
        "{status}"
    );
}
