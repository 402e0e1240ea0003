//! Requests that make the server slow, loud or broken on purpose, for the tests that drive the real binary.
//!
//! They exist only in a process that was started with `SUREFOOT_SELFTEST` set.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::ls_types::Uri;
use tower_lsp_server::ls_types::request::Request;

use super::super::cancel::Cancel;
use super::super::carried;
use super::super::dispatch::{OnEdit, Table};
use super::super::failure::Failure;
use super::super::main_loop::MainLoop;
use super::super::view::View;

pub fn enabled() -> bool {
    static ENABLED: OnceLock<bool> = OnceLock::new();
    *ENABLED.get_or_init(|| std::env::var_os("SUREFOOT_SELFTEST").is_some())
}

pub fn routes(table: Table) -> Table {
    table
        .drawn::<Hold>(OnEdit::Refuse, hold)
        .drawn::<HoldAndRetry>(OnEdit::Retry, hold)
        .drawn::<Fill>(OnEdit::Keep, fill)
        .drawn::<Panic>(OnEdit::Keep, |_, (), _| panic!("on purpose"))
}

macro_rules! request {
    ($name:ident, $method:literal, $params:ty, $result:ty) => {
        enum $name {}

        impl Request for $name {
            type Params = $params;
            type Result = $result;
            const METHOD: &'static str = $method;
        }
    };
}

request!(Hold, "surefoot/selftest/hold", Value, Value);
request!(HoldAndRetry, "surefoot/selftest/holdAndRetry", Value, Value);
request!(Fill, "surefoot/selftest/fill", FillParams, String);
request!(Panic, "surefoot/selftest/panic", (), Value);

#[derive(Deserialize, Serialize)]
struct FillParams {
    bytes: usize,
}

/// How many holds may pass before the gate closes again; `usize::MAX` once it is open for good.
static GATE: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Attempts at a hold that have begun.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Holds the reading of the workspace until the gate opens, where a test asked for that.
pub fn hold_reading() {
    if enabled() && std::env::var_os("SUREFOOT_SELFTEST_HOLD_READING").is_some() {
        let mut gate = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *gate == 0 {
            gate = GATE.1.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A request that is slow: it ends when it is told to stop or when the gate lets it pass, and answers with
/// the text it saw, or with what stands in it where it was asked about.
fn hold(view: &View, params: Value, cancel: &Cancel) -> Result<Value, Failure> {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    let mut gate = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
    while *gate == 0 {
        cancel.check()?;
        gate = GATE
            .1
            .wait_timeout(gate, Duration::from_millis(2))
            .unwrap_or_else(PoisonError::into_inner)
            .0;
    }
    if *gate != usize::MAX {
        *gate -= 1;
    }
    let uri: Option<Uri> = params["textDocument"]["uri"]
        .as_str()
        .and_then(|uri| uri.parse().ok());
    let document = uri.and_then(|uri| view.documents.get(&uri));
    let Some(document) = document else {
        return Ok(Value::Null);
    };
    let text = document.text.as_str();
    Ok(match carried::position(&params) {
        Some(at) => {
            let landing = document.text.landing(at, view.client.encoding);
            text[landing.offset..].split_whitespace().next().into()
        }
        None => text.into(),
    })
}

fn fill(_: &View, params: FillParams, _: &Cancel) -> Result<String, Failure> {
    Ok("x".repeat(params.bytes.min(1 << 24)))
}

pub const ON_LOOP: &str = "surefoot/selftest/loop";

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum OnLoop {
    /// A document as the loop holds it.
    Text {
        uri: Uri,
    },
    /// Lets `holds` held requests pass, all that ever come without a number.
    Release {
        holds: Option<usize>,
    },
    /// Publishes diagnostics for one document, one after the other.
    Publish {
        uri: Uri,
        times: u32,
    },
    /// A large answer whose place in the order of answers is known.
    Fill {
        bytes: usize,
    },
    /// Requests without an answer, jobs, and holds that have begun.
    Load,
    /// Makes a file: the one way to tell a client that does not read how far the loop has come.
    Touch {
        path: PathBuf,
    },
    Panic,
}

/// What has to look at the loop itself.
pub fn on_loop(session: &mut MainLoop, params: &Value) -> Result<Value, Failure> {
    let params = OnLoop::deserialize(params).map_err(|e| Failure::Params(e.to_string()))?;
    match params {
        OnLoop::Text { uri } => Ok(session.documents.get(&uri).map_or(Value::Null, |document| {
            json!({ "text": document.text.as_str(), "version": document.version, "suspect": document.suspect })
        })),
        OnLoop::Release { holds } => {
            let mut gate = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
            *gate = holds.map_or(usize::MAX, |holds| gate.saturating_add(holds));
            GATE.1.notify_all();
            Ok(Value::Null)
        }
        OnLoop::Publish { uri, times } => {
            for nth in 0..times {
                let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
                let diagnostic = json!({ "range": range, "message": format!("{nth}") });
                let params = json!({ "uri": uri, "diagnostics": [diagnostic] });
                session.transport.outbox.diagnostics(uri.clone(), params);
            }
            Ok(Value::Null)
        }
        OnLoop::Fill { bytes } => Ok("x".repeat(bytes.min(1 << 24)).into()),
        OnLoop::Load => {
            let (unanswered, jobs) = session.load();
            Ok(json!({ "unanswered": unanswered, "jobs": jobs, "begun": BEGUN.load(Ordering::Relaxed) }))
        }
        OnLoop::Touch { path } => {
            std::fs::write(path, "").map_err(|e| Failure::Params(e.to_string()))?;
            Ok(Value::Null)
        }
        OnLoop::Panic => panic!("on purpose"),
    }
}
