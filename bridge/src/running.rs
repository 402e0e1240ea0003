//! One running server: the conversation with it, from `initialize` to its end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::frame::{encode, file_uri};
use crate::process::Process;
use crate::question::{Ask, Document, Encoding, Place, Question, Said, Server};
use crate::table::{Ready, Spec};
use crate::warmup::Warmup;

/// Messages without an answer to us after which a server is a flood: more than any says while it reads.
const FLOOD: u32 = 50_000;
/// Answers to nothing we asked after which it is not talking to us.
const STRANGE: u32 = 100;
/// Places of one answer that are looked at.
const PLACES: usize = 64;

/// How far the conversation has come.
pub enum Phase {
    Initializing,
    Warming(Warmup),
    Ready(Warmup),
}

/// A question the server has and has not answered.
pub struct Open {
    pub question: Question,
    pub deadline: Instant,
    pub tries: u32,
}

pub struct Running {
    pub process: Process,
    pub phase: Phase,
    pub server: Server,
    /// Until when it has to be ready.
    pub deadline: Instant,
    pub open: BTreeMap<u64, Open>,
    encoding: Encoding,
    ready: Ready,
    settings: Value,
    folders: Vec<(String, String)>,
    texts: BTreeMap<PathBuf, (i64, [u8; 32])>,
    next: u64,
    /// It has answered a question, whatever it said.
    pub has_answered: bool,
    /// It names implementations; others are not asked for any.
    pub implements: bool,
    since_answer: u32,
    strange: u32,
}

/// What a message meant.
pub enum Heard {
    Nothing,
    /// The phase may have changed.
    Phase,
    /// An answer to an open question; `Err` with the words and whether asking again may help.
    Answer(Open, Result<Said, (String, bool)>),
    /// It has to be ended.
    Broken(String),
}

const INITIALIZE: u64 = 0;

impl Running {
    pub fn start(spec: &Spec) -> Result<Running, String> {
        let process = Process::start(spec)?;
        let folders = spec.roots.iter().map(|root| {
            let name = root
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            (file_uri(root), name)
        });
        let running = Running {
            process,
            phase: Phase::Initializing,
            server: Server {
                name: spec.key.clone(),
                version: String::new(),
            },
            deadline: Instant::now() + spec.start_timeout,
            open: BTreeMap::new(),
            encoding: Encoding::Utf16,
            ready: spec.ready,
            settings: spec.settings.clone(),
            folders: folders.collect(),
            texts: BTreeMap::new(),
            next: INITIALIZE + 1,
            has_answered: false,
            implements: false,
            since_answer: 0,
            strange: 0,
        };
        let initialize = running.initialize(&spec.options);
        running.send(&json!({
            "jsonrpc": "2.0", "id": INITIALIZE, "method": "initialize", "params": initialize,
        }))?;
        Ok(running)
    }

    fn workspace_folders(&self) -> Value {
        let all = self.folders.iter();
        all.map(|(uri, name)| json!({ "uri": uri, "name": name }))
            .collect()
    }

    fn initialize(&self, options: &Value) -> Value {
        json!({
            "processId": std::process::id(),
            "clientInfo": { "name": "surefoot", "version": env!("CARGO_PKG_VERSION") },
            "rootUri": self.folders.first().map(|(uri, _)| uri),
            "workspaceFolders": self.workspace_folders(),
            "initializationOptions": options,
            "capabilities": {
                "general": { "positionEncodings": ["utf-8", "utf-16"] },
                "window": { "workDoneProgress": true },
                "workspace": {
                    "configuration": true,
                    "workspaceFolders": true,
                    "didChangeConfiguration": { "dynamicRegistration": true },
                    "didChangeWatchedFiles": { "dynamicRegistration": true, "relativePatternSupport": true },
                },
                "textDocument": {
                    "synchronization": {},
                    "definition": { "linkSupport": true },
                    "implementation": { "linkSupport": true },
                },
                "experimental": { "serverStatusNotification": true },
            },
        })
    }

    /// Never waits: a server that does not read is as good as dead.
    pub fn send(&self, message: &Value) -> Result<(), String> {
        self.process
            .outgoing
            .try_send(encode(message))
            .map_err(|_| "it does not read what it is sent".to_owned())
    }

    fn notify(&self, method: &str, params: Value) -> Result<(), String> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    pub fn ask_to_leave(&self) {
        let _ = self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": "shutdown" }));
        let _ = self.notify("exit", Value::Null);
    }

    // ---- what it says ------------------------------------------------------------------

    pub fn hear(&mut self, message: Value) -> Heard {
        self.since_answer += 1;
        if self.since_answer > FLOOD {
            return Heard::Broken(format!("it sent {FLOOD} messages and no answer"));
        }
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => {
                let answer = self.reply(method, &message["params"]);
                let mut out = json!({ "jsonrpc": "2.0", "id": id });
                match answer {
                    Ok(result) => out["result"] = result,
                    Err(error) => out["error"] = error,
                }
                self.send(&out)
                    .map_or_else(Heard::Broken, |()| Heard::Nothing)
            }
            (Some("window/logMessage"), None) if self.server.version.is_empty() => {
                let words = message["params"]["message"].as_str().unwrap_or_default();
                self.server.version = logged_version(&self.server.name, words).unwrap_or_default();
                Heard::Phase
            }
            (Some(method), None) => match &mut self.phase {
                Phase::Initializing => Heard::Nothing,
                Phase::Warming(warmup) | Phase::Ready(warmup) => {
                    warmup.hear(method, &message["params"]);
                    Heard::Phase
                }
            },
            (None, Some(id)) => match id.as_u64() {
                Some(INITIALIZE) if matches!(self.phase, Phase::Initializing) => {
                    match self.initialized(&message) {
                        Ok(()) => Heard::Phase,
                        Err(words) => Heard::Broken(words),
                    }
                }
                Some(id) if self.open.contains_key(&id) => self.answer(id, &message),
                _ => {
                    self.strange += 1;
                    // Late answers are ordinary; a stream of them is somebody else's conversation.
                    if self.strange > STRANGE {
                        return Heard::Broken("it answers what it was not asked".to_owned());
                    }
                    Heard::Nothing
                }
            },
            (None, None) => Heard::Broken("it wrote JSON that is no message".to_owned()),
        }
    }

    /// Servers wait for their requests to be answered, each of them.
    fn reply(&self, method: &str, params: &Value) -> Result<Value, Value> {
        match method {
            "workspace/configuration" => {
                let items = params["items"]
                    .as_array()
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                let all = items.iter().take(1_000);
                Ok(all
                    .map(|item| section(&self.settings, item["section"].as_str()))
                    .collect())
            }
            "workspace/workspaceFolders" => Ok(self.workspace_folders()),
            "workspace/applyEdit" => Ok(json!({
                "applied": false, "failureReason": "Surefoot only asks and changes nothing",
            })),
            "window/showDocument" => Ok(json!({ "success": false })),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/codeLens/refresh"
            | "workspace/diagnostic/refresh"
            | "workspace/foldingRange/refresh"
            | "workspace/inlayHint/refresh"
            | "workspace/inlineValue/refresh"
            | "workspace/semanticTokens/refresh" => Ok(Value::Null),
            _ => Err(json!({ "code": -32601, "message": format!("Surefoot has no {method}") })),
        }
    }

    fn initialized(&mut self, message: &Value) -> Result<(), String> {
        self.since_answer = 0;
        if let Some(error) = message.get("error") {
            return Err(format!("it refused to initialize: {}", words(error)));
        }
        let result = &message["result"];
        let text = |value: &Value| {
            value
                .as_str()
                .map(|s| s.chars().take(60).collect::<String>())
        };
        if let Some(name) = text(&result["serverInfo"]["name"]) {
            self.server.name = name;
        }
        let version = result["serverInfo"]["version"].as_str();
        // One that it has logged already stands where it says none here.
        if let Some(version) = version {
            self.server.version = version_of(&self.server.name, version);
        }
        let capabilities = &result["capabilities"];
        self.encoding = match capabilities["positionEncoding"].as_str() {
            None | Some("utf-16") => Encoding::Utf16,
            Some("utf-8") => Encoding::Utf8,
            Some(other) => {
                let other: String = other.chars().take(40).collect();
                return Err(format!("it counts columns in {other:?}, which we do not"));
            }
        };
        if matches!(
            capabilities["definitionProvider"],
            Value::Null | Value::Bool(false)
        ) {
            return Err("it gives no definitions".to_owned());
        }
        let implementations = &capabilities["implementationProvider"];
        self.implements = !matches!(implementations, Value::Null | Value::Bool(false));
        self.notify("initialized", json!({}))?;
        self.phase = Phase::Warming(Warmup::new(self.ready));
        if !self.settings.is_null() {
            let params = json!({ "settings": self.settings });
            self.notify("workspace/didChangeConfiguration", params)?;
        }
        Ok(())
    }

    // ---- questions ---------------------------------------------------------------------

    /// Opens, changes and closes texts until the server has exactly these.
    pub fn show(&mut self, documents: &BTreeMap<PathBuf, Arc<Document>>) -> Result<(), String> {
        let gone: Vec<PathBuf> = self
            .texts
            .keys()
            .filter(|path| !documents.contains_key(*path))
            .cloned()
            .collect();
        for path in gone {
            self.texts.remove(&path);
            let params = json!({ "textDocument": { "uri": file_uri(&path) } });
            self.notify("textDocument/didClose", params)?;
        }
        for (path, document) in documents {
            let uri = file_uri(path);
            match self.texts.get_mut(path) {
                Some((_, digest)) if *digest == document.digest => continue,
                Some((version, digest)) => {
                    *version += 1;
                    *digest = document.digest;
                    let params = json!({
                        "textDocument": { "uri": uri, "version": *version },
                        "contentChanges": [{ "text": &*document.text }],
                    });
                    self.notify("textDocument/didChange", params)?;
                }
                None => {
                    self.texts.insert(path.clone(), (1, document.digest));
                    let params = json!({ "textDocument": {
                        "uri": uri, "languageId": &*document.language, "version": 1,
                        "text": &*document.text,
                    } });
                    self.notify("textDocument/didOpen", params)?;
                }
            }
        }
        Ok(())
    }

    /// Says which files are otherwise than before on the disk. Told of all, whatever it registered for: what it
    /// would not have heard of costs it a look.
    pub fn changed(&self, files: &[PathBuf]) -> Result<(), String> {
        let (edited, deleted) = (2, 3);
        let changes = files.iter().map(|path| {
            let kind = if path.exists() { edited } else { deleted };
            json!({ "uri": file_uri(path), "type": kind })
        });
        let changes: Vec<Value> = changes.collect();
        self.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        )
    }

    pub fn ask(&mut self, open: Open) -> Result<(), String> {
        let question = &open.question;
        let method = match question.ask {
            Ask::Definition => "textDocument/definition",
            Ask::Implementation => "textDocument/implementation",
        };
        let character = match self.encoding {
            Encoding::Utf8 => question.utf8,
            Encoding::Utf16 => question.utf16,
        };
        let id = self.next;
        self.next += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {
            "textDocument": { "uri": file_uri(&question.path) },
            "position": { "line": question.line, "character": character },
        } });
        self.send(&message)?;
        self.open.insert(id, open);
        Ok(())
    }

    pub fn cancel(&mut self, id: u64) -> Option<Open> {
        let open = self.open.remove(&id)?;
        let _ = self.notify("$/cancelRequest", json!({ "id": id }));
        Some(open)
    }

    fn answer(&mut self, id: u64, message: &Value) -> Heard {
        self.since_answer = 0;
        self.has_answered = true;
        let Some(open) = self.open.remove(&id) else {
            return Heard::Nothing;
        };
        if let Some(error) = message.get("error").filter(|error| !error.is_null()) {
            // Content modified, cancelled by the server, cancelled.
            let again = matches!(error["code"].as_i64(), Some(-32802..=-32800));
            return Heard::Answer(open, Err((words(error), again)));
        }
        let places = places(&message["result"], self.encoding);
        let trouble = match &self.phase {
            Phase::Ready(warmup) => warmup.trouble(),
            _ => None,
        };
        if let Some(words) = trouble.filter(|_| places.is_empty()) {
            return Heard::Answer(open, Err((words.to_owned(), false)));
        }
        let said = match (places.is_empty(), self.busy()) {
            (false, _) => Ok(Said::Places(places)),
            // What it does not find while it reads means nothing.
            (true, Some(busy)) => Err((format!("still busy: {busy}"), true)),
            (true, None) => Ok(Said::Nothing),
        };
        Heard::Answer(open, said)
    }

    fn busy(&self) -> Option<&str> {
        match &self.phase {
            Phase::Ready(warmup) | Phase::Warming(warmup) => warmup.busy(),
            Phase::Initializing => None,
        }
    }
}

/// A version as its server gives it, in one word or few: some say their name again, gopls all of its build.
fn version_of(name: &str, said: &str) -> String {
    let build: Value = serde_json::from_str(said).unwrap_or(Value::Null);
    let version = [&build["Version"], &build["Main"]["Version"]]
        .into_iter()
        .find_map(Value::as_str);
    let version = match (version, build.is_object()) {
        (Some(version), _) => version,
        // A build that names no version of its own.
        (None, true) => "",
        (None, false) => said,
    };
    let version = version.strip_prefix(name).unwrap_or(version).trim_start();
    let version = version
        .strip_prefix("version")
        .unwrap_or(version)
        .trim_start();
    version.chars().take(60).collect()
}

/// The version in a line such as `Pyright language server 1.1.414 starting`: pyright says it nowhere else.
fn logged_version(name: &str, words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    let named = lower.contains(&name.to_lowercase()) && lower.contains("language server");
    let is_version = |word: &&str| {
        word.matches('.').count() >= 1 && word.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    words
        .split_whitespace()
        .find(is_version)
        .filter(|_| named)
        .map(|word| word.chars().take(60).collect())
}

/// A definition is a location, several, links, or nothing.
fn places(result: &Value, encoding: Encoding) -> Vec<Place> {
    let one = std::slice::from_ref(result);
    let all = result.as_array().map_or(one, Vec::as_slice);
    let place = |value: &Value| {
        let (uri, range) = match value.get("targetUri") {
            Some(uri) => (
                uri,
                value
                    .get("targetSelectionRange")
                    .or(value.get("targetRange"))?,
            ),
            None => (value.get("uri")?, value.get("range")?),
        };
        let number = |key: &str| u32::try_from(range["start"][key].as_u64()?).ok();
        Some(Place {
            uri: uri.as_str()?.to_owned(),
            line: number("line")?,
            column: number("character")?,
            encoding,
        })
    };
    all.iter().take(PLACES).filter_map(place).collect()
}

/// The settings of a section named with dots; all of them for none.
fn section(settings: &Value, name: Option<&str>) -> Value {
    let mut at = settings;
    for part in name
        .unwrap_or_default()
        .split('.')
        .filter(|part| !part.is_empty())
    {
        match at.get(part) {
            Some(inner) => at = inner,
            None => return Value::Null,
        }
    }
    at.clone()
}

/// What an error says.
fn words(error: &Value) -> String {
    let text = error["message"]
        .as_str()
        .unwrap_or("an error without words");
    text.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pyright never answers a client that leaves its configuration request open, and reads sections by dots.
    #[test]
    fn settings_are_found_by_section() {
        let settings = json!({ "python": { "analysis": { "diagnosticMode": "openFilesOnly" } } });
        let mode = section(&settings, Some("python.analysis"));
        assert_eq!(mode["diagnosticMode"], "openFilesOnly");
        assert_eq!(section(&settings, Some("python.no.such")), Value::Null);
        assert_eq!(section(&settings, None), settings);
    }

    /// A version stands beside each edge a server placed: it has to be one, and short.
    #[test]
    fn versions_are_said_in_many_ways() {
        let clangd = "clangd version 22.1.1 linux x86_64-unknown-linux-gnu";
        assert_eq!(
            version_of("clangd", clangd),
            "22.1.1 linux x86_64-unknown-linux-gnu"
        );
        let gopls = r#"{"GoVersion":"go1.22.6","Path":"golang.org/x/tools/gopls","Main":{"Version":"(devel)"}}"#;
        assert_eq!(version_of("gopls", gopls), "(devel)");
        assert_eq!(version_of("gopls", r#"{"Version":"v0.16.1"}"#), "v0.16.1");
        assert_eq!(
            version_of("rust-analyzer", "1.85.1 (4eb1612 2025-03-15)"),
            "1.85.1 (4eb1612 2025-03-15)"
        );
        let line = "Pyright language server 1.1.414 starting";
        assert_eq!(logged_version("pyright", line).as_deref(), Some("1.1.414"));
        assert_eq!(logged_version("pyright", "Found 1.5 files"), None);
    }

    /// Every form of answer the protocol allows reads the same; nonsense reads as nothing.
    #[test]
    fn definitions_have_many_shapes() {
        let range =
            json!({ "start": { "line": 3, "character": 4 }, "end": { "line": 3, "character": 9 } });
        let location = json!({ "uri": "file:///a.rs", "range": range });
        let link = json!({ "targetUri": "file:///a.rs", "targetRange": {}, "targetSelectionRange": range });
        for shape in [location.clone(), json!([location]), json!([link])] {
            let found = places(&shape, Encoding::Utf8);
            assert_eq!(
                (found.len(), found[0].line, found[0].column),
                (1, 3, 4),
                "{shape}"
            );
        }
        for nothing in [
            json!(null),
            json!([]),
            json!([{ "uri": 7 }]),
            json!("x"),
            json!([[]]),
        ] {
            assert_eq!(places(&nothing, Encoding::Utf8), []);
        }
        let far =
            json!({ "uri": "u", "range": { "start": { "line": -1, "character": 1u64 << 40 } } });
        assert_eq!(places(&far, Encoding::Utf8), []);
    }
}
