//! A language server that does what a test says, mostly wrong: the other end of the bridge's fault tests.
//!
//! `fake-server FAULT[,FAULT..]`; without a fault it answers definitions by looking for `fn NAME` in the texts it
//! was shown and in the files of its folder. `fake-server guard ..` is the bridge's guard.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().unwrap_or_default();
    if first == "guard" {
        return surefoot_bridge::guard::run(arguments);
    }
    let faults = first.to_string_lossy().into_owned();
    if faults == "hang" {
        hang();
    }
    let mut fake = Fake {
        faults: faults.split(',').map(str::to_owned).collect(),
        texts: BTreeMap::new(),
        folder: PathBuf::new(),
        configured: false,
        held: Vec::new(),
    };
    if let Some(note) = std::env::var_os("FAKE_NOTE") {
        fake.note(Path::new(&note));
    }
    fake.serve();
    ExitCode::SUCCESS
}

/// Until somebody ends it.
fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

struct Fake {
    faults: Vec<String>,
    texts: BTreeMap<String, String>,
    folder: PathBuf,
    configured: bool,
    held: Vec<Value>,
}

impl Fake {
    fn has(&self, fault: &str) -> bool {
        self.faults.iter().any(|own| own == fault)
    }

    /// Writes down its process, and with `forks` that of a child that ends for nobody.
    fn note(&self, path: &Path) {
        let mut pids = format!("{}\n", std::process::id());
        if self.has("forks")
            && let Ok(own) = std::env::current_exe()
            && let Ok(child) = std::process::Command::new(own).arg("hang").spawn()
        {
            pids += &format!("{}\n", child.id());
        }
        let old = std::fs::read_to_string(path).unwrap_or_default();
        let _ = std::fs::write(path, old + &pids);
    }

    fn serve(&mut self) {
        if self.has("dies-at-once") {
            eprintln!("thread 'main' panicked: nothing works today");
            std::process::exit(101);
        }
        let mut input = BufReader::new(std::io::stdin().lock());
        while let Some(message) = read(&mut input) {
            let method = message["method"].as_str().unwrap_or_default().to_owned();
            match method.as_str() {
                "initialize" => self.initialize(&message),
                "initialized" => {
                    self.initialized();
                    if self.has("reads-nothing") {
                        hang();
                    }
                }
                "textDocument/didOpen" => {
                    let document = &message["params"]["textDocument"];
                    let text = document["text"].as_str().unwrap_or_default();
                    let uri = document["uri"].as_str().unwrap_or_default();
                    self.texts.insert(uri.to_owned(), text.to_owned());
                }
                "textDocument/didChange" => {
                    let params = &message["params"];
                    let text = params["contentChanges"][0]["text"]
                        .as_str()
                        .unwrap_or_default();
                    let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
                    self.texts.insert(uri.to_owned(), text.to_owned());
                }
                "textDocument/definition" | "textDocument/implementation" => {
                    self.definition(message);
                }
                "$/cancelRequest" if self.has("late") => {
                    self.faults.retain(|fault| fault != "silent");
                    for held in std::mem::take(&mut self.held) {
                        self.definition(held);
                    }
                }
                "shutdown" => {
                    write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": null }))
                }
                "exit" if !self.has("stays") => return,
                "" if message["id"] == "settings" => {
                    self.configured = true;
                    for held in std::mem::take(&mut self.held) {
                        self.definition(held);
                    }
                }
                _ => {}
            }
        }
        if self.has("stays") {
            hang();
        }
    }

    fn initialize(&mut self, message: &Value) {
        if self.has("mute") {
            return;
        }
        let folder = message["params"]["rootUri"].as_str().unwrap_or_default();
        self.folder = folder.trim_start_matches("file://").into();
        let encoding = match () {
            () if self.has("utf-7") => json!("utf-7"),
            () if self.has("utf-16") => json!("utf-16"),
            () => json!("utf-8"),
        };
        let result = json!({
            "serverInfo": { "name": "fake", "version": "1.0" },
            "capabilities": {
                "positionEncoding": encoding,
                "definitionProvider": !self.has("no-definitions"),
                "implementationProvider": self.has("implements"),
            },
        });
        write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
    }

    fn initialized(&mut self) {
        if self.has("asks-settings") {
            let items = json!({ "items": [{ "section": "fake" }] });
            write(&json!({
                "jsonrpc": "2.0", "id": "settings", "method": "workspace/configuration", "params": items,
            }));
        }
        if self.has("warms-for-ever") {
            let value = json!({ "kind": "begin", "title": "counting sheep" });
            let params = json!({ "token": 1, "value": value });
            write(&json!({ "jsonrpc": "2.0", "method": "$/progress", "params": params }));
        }
        if !self.has("warms-for-ever") && !self.has("says-nothing") {
            let params = if self.has("unwell") {
                json!({ "health": "warning", "quiescent": true, "message": "no workspace was found" })
            } else {
                json!({ "health": "ok", "quiescent": true })
            };
            write(
                &json!({ "jsonrpc": "2.0", "method": "experimental/serverStatus", "params": params }),
            );
        }
        if self.has("floods") {
            let line = json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": { "message": "x" } });
            loop {
                write(&line);
            }
        }
    }

    fn definition(&mut self, message: Value) {
        let id = &message["id"];
        if self.has("asks-settings") && !self.configured {
            self.held.push(message);
            return;
        }
        if self.has("unwell") {
            write(&json!({ "jsonrpc": "2.0", "id": id, "result": [] }));
            return;
        }
        if self.has("silent") {
            self.held.push(message);
            return;
        }
        if self.has("dies-asked") {
            eprintln!("fatal: out of cheese");
            std::process::exit(3);
        }
        if self.has("dies-once") && once("FAKE_NOTE") {
            std::process::exit(3);
        }
        if self.has("garbage") {
            raw(b"\x00\xff garbage \r\n\r\n{]");
            return;
        }
        if self.has("huge") {
            raw(b"Content-Length: 209715200\r\n\r\n");
            loop {
                raw(&[b'x'; 65536]);
            }
        }
        if self.has("not-json") {
            raw(b"Content-Length: 5\r\n\r\n{oops");
            return;
        }
        let id = if self.has("wrong-ids") {
            json!(id.as_u64().unwrap_or(0) + 1_000_000)
        } else {
            id.clone()
        };
        if self.has("errors") {
            let error = json!({ "code": -32603, "message": "something went wrong inside" });
            write(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
            return;
        }
        let method = message["method"].as_str().unwrap_or_default();
        let found = self.find(method, &message["params"]);
        write(&json!({ "jsonrpc": "2.0", "id": id, "result": found }));
    }

    fn find(&self, method: &str, params: &Value) -> Value {
        let range = |line: u64, from: u64, to: u64| json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
        let root = format!("file://{}", self.folder.display());
        let lies = [
            ("past-end", format!("{root}/src/store.rs"), 99_999),
            ("windows", "file:///c%3A/src/store.rs".to_owned(), 0),
            ("outside", "file:///etc/hostname".to_owned(), 0),
            ("no-uri", "nonsense and more".to_owned(), 0),
            ("link", format!("{root}/link/store.rs"), 2),
        ];
        for (fault, uri, line) in lies {
            if self.has(fault) {
                return json!([{ "uri": uri, "range": range(line, 11, 16) }]);
            }
        }
        let all = method == "textDocument/implementation";
        let mut found = Vec::new();
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let at = &params["position"];
        let line = at["line"].as_u64().unwrap_or(0) as usize;
        let column = at["character"].as_u64().unwrap_or(0) as usize;
        let text = self.texts.get(uri).cloned().unwrap_or_default();
        let name: String = text
            .lines()
            .nth(line)
            .and_then(|line| line.get(column..))
            .unwrap_or_default()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if name.is_empty() {
            return Value::Null;
        }
        let mut texts = self.texts.clone();
        for file in files(&self.folder) {
            let uri = format!("file://{}", file.display());
            if let Ok(text) = std::fs::read_to_string(&file) {
                texts.entry(uri).or_insert(text);
            }
        }
        for (uri, text) in &texts {
            for (nth, line) in text.lines().enumerate() {
                let declared = line.find(&format!("fn {name}("));
                if let Some(at) = declared {
                    let from = at as u64 + 3;
                    let range = range(nth as u64, from, from + name.len() as u64);
                    found.push(json!({ "uri": uri, "range": range }));
                }
            }
        }
        if !all {
            found.truncate(1);
        }
        if found.is_empty() {
            Value::Null
        } else {
            found.into()
        }
    }
}

/// True the first time, by a file beside the note.
fn once(variable: &str) -> bool {
    let Some(note) = std::env::var_os(variable) else {
        return true;
    };
    let mut mark = note;
    mark.push(".died");
    std::fs::File::create_new(mark).is_ok()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            out.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((_, value)) = line.split_once(':') {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn write(message: &Value) {
    let body = message.to_string();
    raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
}

/// Ends with whoever reads.
fn raw(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
