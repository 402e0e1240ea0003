//! A small workspace on disk and a client that has opened it.

use std::path::Path;

use serde_json::{Value, json};
use surefoot_it::{Builder, Client};
use tempfile::TempDir;

/// A workspace on disk and a client that has opened it.
pub struct World {
    pub folder: TempDir,
    pub client: Client,
}

const LIB: &str = "pub mod store;\nuse store::load;\npub fn run() {\n    load(1);\n}\n\npub fn twice() {\n    store::load(2);\n    store::load(3);\n}\n";
const STORE: &str = "pub fn load(n: u32) -> u32 {\n    if n > 1 { n } else { helper() }\n}\n\nfn helper() -> u32 {\n    7\n}\n";

pub fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

impl World {
    pub fn new(capabilities: Value, options: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(
            folder.path(),
            "Cargo.toml",
            "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        write(folder.path(), "src/lib.rs", LIB);
        write(folder.path(), "src/store.rs", STORE);
        let client = Builder::new()
            .answers("client/registerCapability", Value::Null)
            .answers("workspace/codeLens/refresh", Value::Null)
            .answers("workspace/diagnostic/refresh", Value::Null)
            .ignores("textDocument/publishDiagnostics")
            .ignores("surefoot/changed")
            .ignores("experimental/serverStatus")
            .start();
        let mut world = Self { folder, client };
        let root = world.uri("");
        world.client.initialize_with(json!({
            "processId": null,
            "rootUri": root,
            "workspaceFolders": [{ "uri": root, "name": "small" }],
            "capabilities": capabilities,
            "initializationOptions": options,
        }));
        // What is drawn beside the text comes when there is something to draw; a search waits for it.
        world
            .client
            .call("workspace/symbol", json!({ "query": "no such symbol" }))
            .unwrap();
        world
    }

    pub fn uri(&self, path: &str) -> String {
        let root = self.folder.path().canonicalize().unwrap();
        if path.is_empty() {
            format!("file://{}", root.display())
        } else {
            format!("file://{}/{path}", root.display())
        }
    }

    pub fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    pub fn open(&mut self, path: &str) {
        let (uri, text) = (self.uri(path), self.text(path));
        super::documents::open(&mut self.client, &uri, &text);
    }

    pub fn at(&self, path: &str, line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": { "line": line, "character": character } })
    }

    /// The callers of what stands there: name, detail, lines of the calls.
    pub fn callers(
        &mut self,
        path: &str,
        line: u32,
        character: u32,
    ) -> Vec<(String, String, Vec<u64>)> {
        let at = self.at(path, line, character);
        let items = self
            .client
            .call("textDocument/prepareCallHierarchy", at)
            .unwrap();
        let Some(item) = items.get(0).cloned() else {
            return Vec::new();
        };
        let calls = self
            .client
            .call("callHierarchy/incomingCalls", json!({ "item": item }))
            .unwrap();
        let calls = calls.as_array().cloned().unwrap_or_default();
        calls
            .iter()
            .map(|call| {
                let lines = call["fromRanges"].as_array().unwrap().iter();
                (
                    call["from"]["name"].as_str().unwrap().to_owned(),
                    call["from"]["detail"].as_str().unwrap().to_owned(),
                    lines
                        .map(|range| range["start"]["line"].as_u64().unwrap())
                        .collect(),
                )
            })
            .collect()
    }

    pub fn lenses(&mut self, path: &str) -> Vec<String> {
        let params = json!({ "textDocument": { "uri": self.uri(path) } });
        let lenses = self.client.call("textDocument/codeLens", params).unwrap();
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        lenses
            .iter()
            .map(|lens| lens["command"]["title"].as_str().unwrap().to_owned())
            .collect()
    }
}

pub fn names(callers: &[(String, String, Vec<u64>)]) -> Vec<&str> {
    callers.iter().map(|caller| caller.0.as_str()).collect()
}
