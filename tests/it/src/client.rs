//! A scripted client: sends what a test says, waits for what it expects, and complains about the rest.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::wire::{self, Pieces};

/// How long anything may take before the test fails with what it has seen so far. Generous: the machine may
/// be busy with other builds, and no test waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks until it is so. For what no message tells.
pub fn wait_until(what: &str, so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        // polls: what the caller waits for, which no message tells
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// The error object of a failed request.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    pub code: i64,
    pub message: String,
    pub reason: Option<String>,
}

/// What to start.
pub struct Builder {
    command: Command,
    pieces: Option<u64>,
    answers: Vec<(&'static str, Value)>,
    ignored: Vec<&'static str>,
    loud: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    pub fn new() -> Self {
        let mut command = Command::new(crate::surefoot());
        command
            .arg("lsp")
            .env("SUREFOOT_SELFTEST", "1")
            // What tests keep is not the user's.
            .env("XDG_CACHE_HOME", crate::cache())
            .env_remove("SUREFOOT_LOG");
        Self {
            command,
            pieces: None,
            answers: Vec::new(),
            ignored: Vec::new(),
            loud: false,
        }
    }

    pub fn arg(mut self, arg: &str) -> Self {
        self.command.arg(arg);
        self
    }

    pub fn env(mut self, key: &str, value: &str) -> Self {
        self.command.env(key, value);
        self
    }

    /// The server as users start it.
    pub fn without_selftest(mut self) -> Self {
        self.command.env_remove("SUREFOOT_SELFTEST");
        self
    }

    /// Cuts everything that is sent into pieces of random size.
    pub fn pieces(mut self, seed: u64) -> Self {
        self.pieces = Some(seed);
        self
    }

    /// Answers every request of the server with this method by itself.
    pub fn answers(mut self, method: &'static str, result: Value) -> Self {
        self.answers.push((method, result));
        self
    }

    /// Notifications with this method may arrive and go unread.
    pub fn ignores(mut self, method: &'static str) -> Self {
        self.ignored.push(method);
        self
    }

    /// The test expects words on stderr.
    pub fn loud(mut self) -> Self {
        self.loud = true;
        self
    }

    pub fn start(mut self) -> Client {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the server starts");
        let (sender, incoming) = mpsc::channel();
        let gate = Arc::new((Mutex::new(usize::MAX), Condvar::new()));
        let stdout = child.stdout.take().expect("stdout is piped");
        let reader = Gated {
            input: stdout,
            gate: gate.clone(),
        };
        std::thread::spawn(move || {
            let mut input = BufReader::new(reader);
            while let Ok(Some(message)) = wire::read(&mut input) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let said = std::thread::spawn(move || {
            let mut said = String::new();
            let _ = stderr.read_to_string(&mut said);
            said
        });
        Client {
            stdin: child.stdin.take(),
            watchdog: Some(watchdog(child.id())),
            child,
            incoming,
            gate,
            said: Some(said),
            unread: VecDeque::new(),
            seen: Vec::new(),
            pieces: self.pieces.map(Pieces::new),
            answers: self.answers,
            ignored: self.ignored,
            loud: self.loud,
            forgetful: false,
            next_id: 1,
        }
    }
}

/// Ends a server that hangs, so that a blocked write of the test fails instead of lasting for ever.
fn watchdog(pid: u32) -> Sender<()> {
    let (alive, ended) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if ended.recv_timeout(2 * PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        }
    });
    alive
}

/// How many more bytes may be read.
type Gate = (Mutex<usize>, Condvar);

/// A stdout that is read only as far as the gate allows.
struct Gated<R> {
    input: R,
    gate: Arc<Gate>,
}

impl<R: Read> Read for Gated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut allowed = self.gate.0.lock().unwrap();
        while *allowed == 0 {
            allowed = self.gate.1.wait(allowed).unwrap();
        }
        let most = buffer.len().min(*allowed);
        drop(allowed);
        let read = self.input.read(&mut buffer[..most])?;
        let mut allowed = self.gate.0.lock().unwrap();
        if *allowed != usize::MAX {
            // Lower meanwhile when the test stopped reading.
            *allowed = allowed.saturating_sub(read);
        }
        self.gate.1.notify_all();
        Ok(read)
    }
}

/// A running server and the client's end of its pipes. Dropping it fails the test when a message is left
/// that nobody read and nobody declared ignorable, or when the server wrote to stderr.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Value>,
    gate: Arc<Gate>,
    said: Option<std::thread::JoinHandle<String>>,
    watchdog: Option<Sender<()>>,
    unread: VecDeque<Value>,
    seen: Vec<String>,
    pieces: Option<Pieces>,
    answers: Vec<(&'static str, Value)>,
    ignored: Vec<&'static str>,
    loud: bool,
    forgetful: bool,
    next_id: i64,
}

impl Client {
    /// A server that has answered `initialize` of a client with no abilities.
    pub fn initialized() -> Self {
        let mut client = Builder::new().start();
        client.initialize(json!({}));
        client
    }

    /// Sends `initialize` with these capabilities, then `initialized`.
    pub fn initialize(&mut self, capabilities: Value) -> Value {
        self.initialize_with(
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities }),
        )
    }

    pub fn initialize_with(&mut self, params: Value) -> Value {
        let result = self
            .call("initialize", params)
            .expect("initialize succeeds");
        self.notify("initialized", json!({}));
        result
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Stops reading what the server writes. What is in the pipe stays there.
    pub fn stop_reading(&self) {
        *self.gate.0.lock().unwrap() = 0;
    }

    /// Reads this much more and stops; returns when it has been read.
    pub fn read_only(&self, bytes: usize) {
        let mut allowed = self.gate.0.lock().unwrap();
        *allowed = bytes;
        self.gate.1.notify_all();
        let deadline = Instant::now() + PATIENCE;
        while *allowed > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{allowed} of {bytes} bytes did not come");
            allowed = self.gate.1.wait_timeout(allowed, left).unwrap().0;
        }
    }

    pub fn read_again(&self) {
        *self.gate.0.lock().unwrap() = usize::MAX;
        self.gate.1.notify_all();
    }

    pub fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        if let Err(e) = wire::write(stdin, message, self.pieces.as_mut()) {
            self.fail(&format!("the server does not take {message:.200}: {e}"));
        }
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        wire::write_raw(stdin, bytes, self.pieces.as_mut()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its id; `answer` waits for it.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Failed> {
        let message = self.wait_for(&format!("the answer to request {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        });
        match message.get("error") {
            None => Ok(message["result"].clone()),
            Some(error) => Err(Failed {
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or_default().to_owned(),
                reason: error["data"]["reason"].as_str().map(str::to_owned),
            }),
        }
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// Waits for a notification and returns its parameters.
    pub fn notification(&mut self, method: &str) -> Value {
        let mut message = self.wait_for(method, |message| message["method"] == method);
        message["params"].take()
    }

    /// Waits for a request of the server; `respond` answers it.
    pub fn server_request(&mut self, method: &str) -> (Value, Value) {
        let mut message = self.wait_for(method, |message| {
            message["method"] == method && message.get("id").is_some()
        });
        (message["id"].take(), message["params"].take())
    }

    pub fn respond(&mut self, id: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    /// The first message that satisfies `wanted`; others stay for later.
    pub fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at).expect("the position is inside");
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left) {
                Ok(message) => {
                    self.saw(&message);
                    if wanted(&message) {
                        return message;
                    }
                    self.keep(message);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => self.fail(&format!("{what} did not come")),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.fail(&format!("the server ended before {what} came"))
                }
            }
        }
    }

    fn saw(&mut self, message: &Value) {
        self.seen
            .push(format!("{message:.300}").chars().take(300).collect());
    }

    fn keep(&mut self, message: Value) {
        let method = message["method"].as_str();
        let known = self
            .answers
            .iter()
            .find(|(known, _)| Some(*known) == method);
        if let (Some((_, result)), Some(id)) = (known, message.get("id")) {
            let (id, result) = (id.clone(), result.clone());
            return self.respond(&id, result);
        }
        self.unread.push_back(message);
    }

    /// Fails the test with the end of the conversation.
    fn fail(&mut self, why: &str) -> ! {
        let from = self.seen.len().saturating_sub(20);
        let _ = self.child.kill();
        let said = self
            .said
            .take()
            .and_then(|said| said.join().ok())
            .unwrap_or_default();
        panic!(
            "{why}\nseen last:\n{}\nstderr:\n{said}",
            self.seen[from..].join("\n")
        );
    }

    /// Messages with this method that have arrived and were not asked for.
    pub fn unread(&mut self, method: &str) -> Vec<Value> {
        while let Ok(message) = self.incoming.try_recv() {
            self.saw(&message);
            self.keep(message);
        }
        let (wanted, rest) = self
            .unread
            .drain(..)
            .partition(|message| message["method"] == method);
        self.unread = rest;
        VecDeque::into(wanted)
    }

    /// The test does not care what else arrives.
    pub fn forget_unread(&mut self) {
        self.forgetful = true;
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// `shutdown`, `exit`, and the status the process ended with.
    pub fn leave(&mut self) -> ExitStatus {
        self.call("shutdown", Value::Null)
            .expect("shutdown succeeds");
        self.notify("exit", Value::Null);
        self.exit_status()
    }

    /// Waits for the process to end by itself.
    pub fn exit_status(&mut self) -> ExitStatus {
        let (done, waited) = mpsc::channel::<()>();
        let pid = self.pid();
        let guard = std::thread::spawn(move || {
            if waited.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
                return true;
            }
            false
        });
        let status = self.child.wait().expect("the server can be waited for");
        drop(done);
        assert!(!guard.join().unwrap(), "the server did not end by itself");
        status
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.watchdog = None;
        if std::thread::panicking() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            return;
        }
        self.read_again();
        self.stdin = None;
        let _ = self.exit_status();
        // The reader ends with the pipe, so this sees everything that was ever written.
        while let Ok(message) = self.incoming.recv() {
            self.unread.push_back(message);
        }
        let unread: Vec<_> = self
            .unread
            .iter()
            .filter(|message| {
                !self
                    .ignored
                    .iter()
                    .any(|ignored| message["method"] == *ignored)
            })
            .map(|message| format!("{message:.300}"))
            .collect();
        assert!(
            self.forgetful || unread.is_empty(),
            "messages nobody read:\n{}",
            unread.join("\n")
        );
        let said = self
            .said
            .take()
            .and_then(|said| said.join().ok())
            .unwrap_or_default();
        assert!(
            self.loud || said.is_empty(),
            "the server wrote to stderr:\n{said}"
        );
    }
}
