//! The server itself over a pipe: until it is ready, what it holds then, and what it costs while nobody asks.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Result;

struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
}

/// `seconds` of idleness; facts are kept in `cache`, as they are for a user.
pub fn run(tree: &Path, cache: &Path, seconds: usize) -> Result<Value> {
    let tree = std::fs::canonicalize(tree).map_err(|e| e.to_string())?;
    let began = Instant::now();
    let mut server = Server::start(cache)?;
    let root = format!("file://{}", tree.display());
    server.call(
        "initialize",
        json!({
            "processId": null, "rootUri": root, "capabilities": {},
            "workspaceFolders": [{ "uri": root, "name": "tree" }],
        }),
    )?;
    server.notify("initialized", json!({}))?;
    let mut status = Value::Null;
    while status["state"] != "ready" {
        std::thread::sleep(Duration::from_millis(20));
        status = server.call("surefoot/status", Value::Null)?;
    }
    let ready = (began.elapsed().as_secs_f64() * 1e3, server.cpu_ms());
    // What is done after the answer: the index for edits, facts put away and kept.
    let (mut last, mut quiet) = (server.cpu_ms(), 0);
    while quiet < 8 {
        std::thread::sleep(Duration::from_secs(1));
        let now = server.cpu_ms();
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
    }
    let (resident, before) = (server.resident(), server.cpu_ms());
    std::thread::sleep(Duration::from_secs(seconds as u64));
    let idle = server.cpu_ms() - before;
    let status = server.call("surefoot/status", Value::Null)?;
    let _ = server.call("shutdown", Value::Null);
    let _ = server.notify("exit", Value::Null);
    let _ = server.child.wait();
    Ok(json!({
        "ready_wall_ms": ready.0,
        "ready_cpu_ms": ready.1,
        "rest_cpu_ms": before,
        "resident_bytes": resident,
        "idle_seconds": seconds,
        "idle_cpu_ms": idle,
        "memory": status["memory"],
    }))
}

impl Server {
    fn start(cache: &Path) -> Result<Server> {
        let this = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(this);
        command.arg("serve").env("XDG_CACHE_HOME", cache);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to, from) = pipes.ok_or("the server has no pipes")?;
        Ok(Server {
            child,
            to,
            from: BufReader::new(from),
            next: 1,
        })
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| self.to.flush())
            .map_err(|e| format!("the server does not read: {e}"))
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Asks and waits; what the server asks meanwhile is answered with nothing.
    fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let message = self.read()?;
            if message.get("method").is_some() {
                if let Some(asked) = message.get("id") {
                    self.send(&json!({ "jsonrpc": "2.0", "id": asked, "result": null }))?;
                }
            } else if message["id"] == id {
                return Ok(message["result"].clone());
            }
        }
    }

    fn read(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).map_err(|e| e.to_string())?;
            match line.trim_end() {
                "" if read > 0 => break,
                "" => return Err("the server is gone".to_owned()),
                line => {
                    let value = line.strip_prefix("Content-Length: ");
                    length = value.and_then(|v| v.parse().ok()).unwrap_or(length);
                }
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).map_err(|e| e.to_string())?;
        serde_json::from_slice(&body).map_err(|e| e.to_string())
    }

    /// What the process has cost so far, as the system counts: in hundredths of a second.
    fn cpu_ms(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        let fields = stat.rsplit(") ").next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        ticks.filter_map(|t| t.parse::<u64>().ok()).sum::<u64>() * 10
    }

    fn resident(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"));
        let kb = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
        kb.unwrap_or(0) << 10
    }
}
