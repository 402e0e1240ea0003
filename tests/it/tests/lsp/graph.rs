//! What users came for: callers with their evidence, lenses and hovers, before and after typing.

use serde_json::{Value, json};
use surefoot_it::Builder;

use super::documents::change;
use super::world::{World, names, write};

/// The panel shows the callers in another file with tier and rule, and follows an edit at once.
#[test]
fn callers_are_true_before_and_after_typing() {
    let mut world = World::new(json!({}), Value::Null);
    world.open("src/lib.rs");
    world.open("src/store.rs");
    let before = world.callers("src/store.rs", 0, 8);
    assert_eq!(names(&before), ["run", "twice"]);
    assert_eq!(before[0].2, [3]);
    assert_eq!(before[1].2, [7, 8]);
    assert!(before[0].1.contains("certain"), "{before:?}");

    let uri = world.uri("src/lib.rs");
    change(&mut world.client, &uri, 2, (3, 0), (3, 0), "    // moved\n");
    assert_eq!(world.callers("src/store.rs", 0, 8)[0].2, [4]);
    change(&mut world.client, &uri, 3, (4, 4), (4, 12), "()");
    assert_eq!(names(&world.callers("src/store.rs", 0, 8)), ["twice"]);
}

/// One line above each function, with its click; text typed in another file changes it.
#[test]
fn lenses_count_callers_and_follow_edits_elsewhere() {
    let refresh = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    let mut world = World::new(refresh, json!({ "changed": true }));
    world.open("src/lib.rs");
    world.open("src/store.rs");
    assert_eq!(
        world.lenses("src/store.rs"),
        [
            "cyclomatic 2 · 2 callers in 1 file · fan-out 1",
            "cyclomatic 1 · 1 caller in 1 file · fan-out 0"
        ]
    );
    let uri = world.uri("src/lib.rs");
    let changed = |world: &mut World| {
        let store = world.uri("src/store.rs");
        world
            .client
            .wait_for("surefoot/changed about store.rs", |message| {
                let uris = message["params"]["uris"].as_array();
                message["method"] == "surefoot/changed"
                    && uris.is_some_and(|uris| uris.iter().any(|uri| *uri == *store))
            })
    };
    change(&mut world.client, &uri, 2, (3, 4), (3, 12), "()");
    let first = changed(&mut world)["params"]["revision"].as_u64().unwrap();
    assert_eq!(
        world.lenses("src/store.rs")[0],
        "cyclomatic 2 · 1 caller in 1 file · fan-out 1"
    );
    change(&mut world.client, &uri, 3, (3, 4), (3, 6), "store::load(9)");
    assert!(changed(&mut world)["params"]["revision"].as_u64().unwrap() > first);
    assert_eq!(
        world.lenses("src/store.rs")[0],
        "cyclomatic 2 · 2 callers in 1 file · fan-out 1"
    );
}

/// While a bracket is open the parser loses what is below; its lenses stay, on the lines they belong to.
#[test]
fn lenses_stay_while_the_text_does_not_parse() {
    let mut world = World::new(json!({}), Value::Null);
    world.open("src/store.rs");
    world.open("src/lib.rs");
    let before = world.lenses("src/store.rs");
    assert_eq!(before.len(), 2);
    let uri = world.uri("src/store.rs");
    change(
        &mut world.client,
        &uri,
        2,
        (2, 1),
        (2, 1),
        "\nstruct Half {\n    a: (",
    );
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = world.client.call("textDocument/codeLens", params).unwrap();
    let lines: Vec<_> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["range"]["start"]["line"].clone())
        .collect();
    assert_eq!(lines, [0, 6], "{lenses}");
    change(&mut world.client, &uri, 3, (4, 8), (4, 8), "u8) }");
    change(&mut world.client, &uri, 4, (4, 7), (4, 8), "(");
    assert_eq!(world.lenses("src/store.rs").len(), 2);
}

/// A click on a lens works in an editor without our plugin: the list is shown, the one caller opened.
#[test]
fn a_lens_can_be_clicked() {
    let show = json!({ "window": { "showDocument": { "support": true } } });
    let mut world = World::new(show, Value::Null);
    world.open("src/store.rs");
    let params = json!({ "textDocument": { "uri": world.uri("src/store.rs") } });
    let lenses = world.client.call("textDocument/codeLens", params).unwrap();
    let command = &lenses[1]["command"];
    let tree = world
        .client
        .call(
            "workspace/executeCommand",
            json!({ "command": command["command"], "arguments": command["arguments"] }),
        )
        .unwrap();
    assert_eq!(tree["nodes"][0]["symbol"]["name"], "load");
    let said = world.client.notification("window/showMessage");
    assert!(said["message"].as_str().unwrap().contains("load"), "{said}");
    let (id, shown) = world.client.server_request("window/showDocument");
    assert_eq!(shown["uri"], world.uri("src/store.rs"));
    assert_eq!(shown["selection"]["start"]["line"], 1);
    world.client.respond(&id, json!({ "success": true }));
    let failed = world
        .client
        .call(
            "workspace/executeCommand",
            json!({ "command": "rm -rf", "arguments": [] }),
        )
        .unwrap_err();
    assert_eq!(failed.code, -32602);
}

/// Our plugin shows the tree itself: no message, no jump.
#[test]
fn a_plugin_that_shows_the_tree_gets_it_alone() {
    let mut world = World::new(json!({}), json!({ "showCallTree": true }));
    world.open("src/store.rs");
    let at = world.at("src/store.rs", 4, 4);
    let params = json!({ "command": "surefoot.callers", "arguments": [at] });
    let tree = world
        .client
        .call("workspace/executeCommand", params)
        .unwrap();
    assert_eq!(tree["root"]["name"], "helper");
    assert_eq!(tree["nodes"][0]["tier"], "certain");
}

/// The tree to any depth, by place and by handle, with the word for how each edge is known.
#[test]
fn the_call_tree_goes_to_any_depth() {
    let mut world = World::new(json!({}), Value::Null);
    world.open("src/store.rs");
    let mut params = world.at("src/store.rs", 4, 4);
    params["direction"] = json!("callers");
    params["depth"] = json!(3);
    let tree = world.client.call("surefoot/callTree", params).unwrap();
    assert_eq!(tree["root"]["name"], "helper");
    assert_eq!(tree["nodes"][0]["symbol"]["name"], "load");
    assert_eq!(tree["nodes"][0]["resolver"], "static");
    let inner = &tree["nodes"][0]["children"];
    assert_eq!(inner[0]["symbol"]["name"], "run");
    assert_eq!(inner[1]["sites"].as_array().unwrap().len(), 2);
    assert_eq!(inner[0]["children"], json!([]));

    let handle = inner[0]["symbol"]["handle"].clone();
    let down = world
        .client
        .call(
            "surefoot/callTree",
            json!({ "handle": handle, "direction": "callees" }),
        )
        .unwrap();
    assert_eq!(down["nodes"][0]["symbol"]["name"], "load");
    assert_eq!(down["nodes"][0]["children"], Value::Null);
    let symbol = world
        .client
        .call("surefoot/resolveHandle", json!({ "handle": handle }))
        .unwrap();
    assert_eq!(
        (&symbol["name"], &symbol["uri"]),
        (&json!("run"), &json!(world.uri("src/lib.rs")))
    );
    let gone = world
        .client
        .call("surefoot/resolveHandle", json!({ "handle": "0.4000000" }))
        .unwrap();
    assert_eq!(gone, Value::Null);
    let none = world
        .client
        .call(
            "surefoot/callTree",
            json!({ "handle": "nonsense", "direction": "callees" }),
        )
        .unwrap();
    assert_eq!(none, Value::Null);
}

const MYSTERY: &str = "pub mod store;\nuse store::Store;\npub fn run() {\n    let it = make!();\n    it.fetch();\n}\n";
const FETCH: &str = "pub struct Store;\nimpl Store {\n    pub fn fetch(&self) {}\n}\n";

/// A call the source alone cannot place is placed by another server of the editor, and says so.
#[test]
fn another_server_places_what_the_source_cannot() {
    let mut world = World::new(json!({}), json!({ "ask": true, "changed": true }));
    write(world.folder.path(), "src/store.rs", FETCH);
    write(world.folder.path(), "src/lib.rs", MYSTERY);
    world.open("src/store.rs");
    world.open("src/lib.rs");
    let before = world.callers("src/store.rs", 2, 12);
    assert_eq!(names(&before), ["not placed"]);
    let (id, asked) = world.client.server_request("surefoot/ask");
    assert_eq!(asked["textDocument"]["uri"], world.uri("src/lib.rs"));
    assert_eq!(
        (&asked["position"], &asked["kind"]),
        (&json!({ "line": 4, "character": 7 }), &json!("definition"))
    );
    let location = json!({ "uri": world.uri("src/store.rs"), "range": super::documents::range((2, 11), (2, 16)) });
    let server = json!({ "name": "rust-analyzer", "version": "1.85.1" });
    let answer = json!({ "server": server, "via": null, "locations": [location] });
    world
        .client
        .respond(&id, json!({ "answers": [answer], "unavailable": [] }));
    let known = std::cell::RefCell::new(&mut world);
    surefoot_it::wait_until("the answer is in the graph", || {
        names(&known.borrow_mut().callers("src/store.rs", 2, 12)) == ["run"]
    });
    let after = world.callers("src/store.rs", 2, 12);
    assert!(after[0].1.contains("rust-analyzer 1.85.1"), "{after:?}");
    let status = world.client.call("surefoot/status", Value::Null).unwrap();
    assert_eq!(
        (
            &status["neighbours"][0]["server"],
            &status["neighbours"][0]["placed"]
        ),
        (&json!("rust-analyzer"), &json!(1))
    );
    // An edit of the calling file makes the answer stale.
    let uri = world.uri("src/lib.rs");
    change(&mut world.client, &uri, 2, (3, 0), (3, 0), " ");
    assert_eq!(names(&world.callers("src/store.rs", 2, 12)), ["not placed"]);
    let (id, _) = world.client.server_request("surefoot/ask");
    let unavailable = json!({ "server": "rust-analyzer", "why": "it crashed" });
    world
        .client
        .respond(&id, json!({ "answers": [], "unavailable": [unavailable] }));
    let client = std::cell::RefCell::new(&mut world.client);
    surefoot_it::wait_until("the status says why nobody answered", || {
        let status = client
            .borrow_mut()
            .call("surefoot/status", Value::Null)
            .unwrap();
        status["neighbours"][0]["unavailable"] == "it crashed"
    });
}

/// A call can be asked how it is known: the rule and the source lines it rests on.
#[test]
fn a_call_is_explained_with_the_lines_it_rests_on() {
    let mut world = World::new(json!({}), Value::Null);
    world.open("src/lib.rs");
    let at = world.at("src/lib.rs", 3, 5);
    let told = world.client.call("surefoot/explain", at).unwrap();
    assert_eq!(
        (&told["resolution"], &told["target"]["name"]),
        (&json!("in_tree"), &json!("load"))
    );
    assert_eq!(told["evidence"]["tier"], "certain");
    let via = told["evidence"]["via"].as_array().unwrap();
    assert!(
        !via.is_empty() && via.iter().all(|via| via["line"] != ""),
        "{told}"
    );
    assert!(
        told["markdown"]
            .as_str()
            .unwrap()
            .contains("`use store::load;`"),
        "{told}"
    );
    let at = world.at("src/lib.rs", 2, 0);
    assert_eq!(
        world.client.call("surefoot/explain", at).unwrap(),
        Value::Null
    );
}

/// One line by default, taken apart on demand, nothing when switched off.
#[test]
fn hovers_say_as_much_as_the_user_wants() {
    for (hover, lines) in [("off", 0), ("compact", 1), ("full", 2)] {
        let markdown = json!({ "textDocument": { "hover": { "contentFormat": ["markdown"] } } });
        let mut world = World::new(markdown, json!({ "settings": { "hover": hover } }));
        world.open("src/store.rs");
        world.callers("src/store.rs", 0, 8);
        let at = world.at("src/store.rs", 0, 8);
        let hover = world.client.call("textDocument/hover", at).unwrap();
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        match lines {
            0 => assert_eq!(hover, Value::Null),
            1 => assert_eq!(text, "cyclomatic 2 · 2 callers in 1 file · fan-out 1"),
            _ => assert!(
                text.contains("+1 if, line 2: `if n > 1 { n } else { helper() }`"),
                "{text}"
            ),
        }
        let at = world.at("src/store.rs", 1, 31);
        let hover = world.client.call("textDocument/hover", at).unwrap();
        if lines > 0 {
            let text = hover["contents"]["value"].as_str().unwrap();
            assert!(
                text.contains("src/store.rs::helper") && text.contains("certain"),
                "{text}"
            );
        }
    }
}

/// The outline as a tree, or flat for a client that knows no trees; symbols of the workspace by name.
#[test]
fn symbols_are_listed_by_file_and_by_name() {
    let tree = json!({ "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } });
    for (capabilities, nested) in [(tree, true), (json!({}), false)] {
        let mut world = World::new(capabilities, Value::Null);
        world.open("src/store.rs");
        let found = world
            .client
            .call("workspace/symbol", json!({ "query": "hlp" }))
            .unwrap();
        assert_eq!(
            (&found[0]["name"], &found[0]["location"]["uri"]),
            (&json!("helper"), &json!(world.uri("src/store.rs")))
        );
        let params = json!({ "textDocument": { "uri": world.uri("src/store.rs") } });
        let outline = world
            .client
            .call("textDocument/documentSymbol", params)
            .unwrap();
        let names: Vec<_> = outline
            .as_array()
            .unwrap()
            .iter()
            .map(|symbol| symbol["name"].clone())
            .collect();
        assert_eq!(names, ["load", "helper"]);
        assert_eq!(outline[0].get("selectionRange").is_some(), nested);
        assert_eq!(outline[0].get("location").is_some(), !nested);
    }
}

/// Bases and descendants, through the whole hierarchy of requests.
#[test]
fn types_know_their_kin() {
    let mut world = World::new(json!({}), Value::Null);
    let text = "pub trait Shape {\n    fn area(&self) -> f64;\n}\npub struct Dot;\nimpl Shape for Dot {\n    fn area(&self) -> f64 { 0.0 }\n}\n";
    write(world.folder.path(), "src/store.rs", text);
    let uri = world.uri("src/store.rs");
    super::documents::open(&mut world.client, &uri, text);
    let at = world.at("src/store.rs", 0, 11);
    let items = world
        .client
        .call("textDocument/prepareTypeHierarchy", at)
        .unwrap();
    assert_eq!(items[0]["name"], "Shape");
    let below = world
        .client
        .call("typeHierarchy/subtypes", json!({ "item": items[0] }))
        .unwrap();
    assert_eq!(below[0]["name"], "Dot");
    let above = world
        .client
        .call("typeHierarchy/supertypes", json!({ "item": below[0] }))
        .unwrap();
    assert_eq!(above[0]["name"], "Shape");
}

/// What `never` switches off is neither announced nor answered.
#[test]
fn never_is_never() {
    let never = json!({ "provider": "never" });
    let settings = json!({
        "callHierarchy": never, "typeHierarchy": never, "documentSymbols": never, "workspaceSymbols": never,
        "codeLens": { "enabled": false },
    });
    let folder = tempfile::tempdir().unwrap();
    let root = format!("file://{}", folder.path().display());
    let mut client = Builder::new().start();
    let result = client.initialize_with(json!({
        "processId": null, "rootUri": root, "capabilities": {}, "initializationOptions": { "settings": settings },
    }));
    let capabilities = result["capabilities"].as_object().unwrap();
    for gone in [
        "callHierarchyProvider",
        "typeHierarchyProvider",
        "documentSymbolProvider",
        "workspaceSymbolProvider",
    ] {
        assert!(!capabilities.contains_key(gone), "{gone}");
    }
    let lenses = client.call(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": "file:///a.rs" } }),
    );
    assert_eq!(lenses.unwrap(), Value::Null);
}

/// Where the user wants navigation from us, it follows the proof; by default it is not even announced.
#[test]
fn definitions_and_references_are_served_on_demand() {
    let settings =
        json!({ "definition": { "provider": "always" }, "references": { "provider": "always" } });
    let mut world = World::new(json!({}), json!({ "settings": settings }));
    world.open("src/lib.rs");
    world.open("src/store.rs");
    let at = world.at("src/lib.rs", 3, 5);
    let found = world.client.call("textDocument/definition", at).unwrap();
    assert_eq!(found[0]["uri"], world.uri("src/store.rs"));
    assert_eq!(found[0]["range"], super::documents::range((0, 7), (0, 11)));
    let mut at = world.at("src/store.rs", 0, 8);
    at["context"] = json!({ "includeDeclaration": true });
    let found = world.client.call("textDocument/references", at).unwrap();
    let lines: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["range"]["start"]["line"].clone())
        .collect();
    assert_eq!(lines, [1, 3, 7, 8, 0], "{found}");
}

/// A bound on memory that cannot be kept costs what can be made again, says so, and no answer.
#[test]
fn what_memory_allows_no_more_is_let_go_and_made_again() {
    let mut world = World::new(
        json!({}),
        json!({ "settings": { "memory": { "limitMb": 1 } } }),
    );
    world.open("src/lib.rs");
    world.open("src/store.rs");
    let before = world.callers("src/store.rs", 0, 8);
    assert_eq!(names(&before), ["run", "twice"]);
    let client = std::cell::RefCell::new(&mut world.client);
    surefoot_it::wait_until("the status says what was let go", || {
        let mut client = client.borrow_mut();
        let status = client.call("surefoot/status", Value::Null).unwrap();
        let facts = status["shed"]["facts of files"].as_u64();
        let text = status["text"].as_str().unwrap();
        facts > Some(0) && text.contains("let go to stay below surefoot.memory.limitMb: ")
    });
    let uri = world.uri("src/lib.rs");
    change(&mut world.client, &uri, 2, (3, 0), (3, 0), "    // moved\n");
    assert_eq!(world.callers("src/store.rs", 0, 8)[0].2, [4]);
    change(&mut world.client, &uri, 3, (4, 4), (4, 12), "()");
    assert_eq!(names(&world.callers("src/store.rs", 0, 8)), ["twice"]);
}
