//! Bytes to the real server over a real pipe: whatever comes in, it answers in
//! frames, ends when its input ends, and does not die.

use crate::mutate;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use surefoot_fixture::Rng;

/// The server beside this program, or the one that `SUREFOOT_BIN` names.
pub fn server() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("SUREFOOT_BIN") {
        return Some(named.into());
    }
    let own = std::env::current_exe().ok()?;
    // target/<profile>/surefoot-fuzz, or deps/ below it for a test.
    let folders = own.ancestors().skip(1).take(2);
    let name = format!("surefoot{}", std::env::consts::EXE_SUFFIX);
    folders.map(|f| f.join(&name)).find(|p| p.exists())
}

fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

const OPEN: &str = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.rs","languageId":"rust","version":1,"text":"fn a() { b(); }\nfn b() {}\n"}}}"#;

const MESSAGES: &[&str] = &[
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    OPEN,
    r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.rs","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":9},"end":{"line":0,"character":10}},"text":"c"}]}}"#,
    r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.rs","version":3},"contentChanges":[{"range":{"start":{"line":99,"character":9},"end":{"line":1,"character":4294967295}},"text":"👋"}]}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file:///w/a.rs"}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"textDocument/prepareCallHierarchy","params":{"textDocument":{"uri":"file:///w/a.rs"},"position":{"line":0,"character":3}}}"#,
    r#"{"jsonrpc":"2.0","id":"x","method":"surefoot/status","params":null}"#,
    r#"{"jsonrpc":"2.0","id":4,"method":"surefoot/callTree","params":{"textDocument":{"uri":"file:///w/a.rs"},"position":{"line":1,"character":3},"direction":"callers"}}"#,
    r#"{"jsonrpc":"2.0","id":5,"method":"surefoot/explain","params":{"textDocument":{"uri":"file:///w/a.rs"},"position":{"line":0,"character":9}}}"#,
    r#"{"jsonrpc":"2.0","id":6,"method":"workspace/executeCommand","params":{"command":"surefoot.callers","arguments":[{}]}}"#,
    r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}"#,
    r#"{"jsonrpc":"2.0","id":7,"result":null}"#,
    r#"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"untitled:%E0%A4%A"}}}"#,
    r#"{"jsonrpc":"2.0","id":8,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/a.rs"},"position":{"line":0,"character":9}}}"#,
    r#"[{"jsonrpc":"2.0","id":9,"method":"x"}]"#,
    r#"{"jsonrpc":"2.0","id":10,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

/// A conversation with something wrong in it.
pub fn input(rng: &mut Rng) -> Vec<u8> {
    let first = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":null}}"#;
    let mut out = Vec::new();
    if rng.below(8) > 0 {
        out.extend(frame(first));
    }
    for _ in 0..1 + rng.below(12) {
        let mut body = MESSAGES[rng.below(MESSAGES.len())].to_owned();
        if rng.below(4) == 0 {
            body = mutate::text(rng, &body, OPEN);
        }
        let mut framed = frame(&body);
        match rng.below(12) {
            0 => mutate::bytes(rng, &mut framed),
            1 => {
                framed =
                    format!("Content-Length: {}\r\n\r\n{body}", rng.draw() % 5_000).into_bytes()
            }
            2 => {
                framed = format!(
                    "Content-Type: x\r\ncontent-length:{}\r\n\r\n{body}",
                    body.len()
                )
                .into_bytes()
            }
            3 => {
                framed = format!("Content-Length: 99999999999999999999\r\n\r\n{body}").into_bytes()
            }
            _ => {}
        }
        out.extend(framed);
    }
    out
}

/// How long the server may take to end after its input has.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn run(bytes: &[u8]) -> Result<(), String> {
    let Some(server) = server() else {
        return Ok(());
    };
    let mut child = Command::new(server)
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("the server does not start: {e}"))?;
    let (mut stdin, stdout, stderr) =
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(a), Some(b), Some(c)) => (a, b, c),
            _ => return Err("the server has no pipes".to_owned()),
        };
    let drain = |mut from: Box<dyn Read + Send>| {
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = from.read_to_end(&mut all);
            let _ = send.send(all);
        });
        receive
    };
    let (out, err) = (drain(Box::new(stdout)), drain(Box::new(stderr)));
    // A server that left early closes the pipe: that is its right.
    let _ = stdin.write_all(bytes);
    drop(stdin);
    let Ok(out) = out.recv_timeout(PATIENCE) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err("the server does not end when its input has ended".to_owned());
    };
    let err = err.recv_timeout(PATIENCE).unwrap_or_default();
    let status = child.wait().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&err);
    if said.contains("panicked at") {
        return Err(format!("the server panicked:\n{said}"));
    }
    if status.code().is_none() {
        return Err(format!("the server was killed: {status}\n{said}"));
    }
    framed(&out)
}

/// Whether everything the server said stands in frames.
fn framed(mut out: &[u8]) -> Result<(), String> {
    while !out.is_empty() {
        let head = out.windows(4).position(|w| w == b"\r\n\r\n");
        let head = head.ok_or("bytes of the server that are no frame")?;
        let text = String::from_utf8_lossy(&out[..head]).to_string();
        let length = text
            .lines()
            .find_map(|l| {
                l.strip_prefix("Content-Length: ")?
                    .trim()
                    .parse::<usize>()
                    .ok()
            })
            .ok_or_else(|| format!("a frame of the server without a length: {text}"))?;
        let rest = &out[head + 4..];
        if rest.len() < length {
            return Err("a frame of the server that is cut off".to_owned());
        }
        out = &rest[length..];
    }
    Ok(())
}
