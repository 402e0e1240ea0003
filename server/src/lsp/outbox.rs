//! What the server says unasked: keeps the newest of what can be said later, and lets the rest through.
//!
//! The main loop puts messages in and goes on. The framework pulls them out, and gets what can be coalesced
//! only while the client keeps reading: until then a newer diagnostic replaces an older one here, where it
//! costs nothing, instead of queueing behind it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Id, Request};
use tower_lsp_server::ls_types::Uri;

use super::transport::Backlog;

/// Unread bytes above which nothing is released that a newer message may still replace.
pub const CALM: usize = 32 * 1024;
/// Messages kept that must not be lost. A client that lets this many pile up reads nothing at all.
const FIRM_BOUND: usize = 1024;
/// Documents with diagnostics waiting. Beyond it the oldest goes; the next change brings it again.
const DIAGNOSTICS_BOUND: usize = 4096;
/// Documents named in one `surefoot/changed`.
const CHANGED_BOUND: usize = 256;

/// Requests that tell the client to ask again. At most one of each waits, and at most one is unanswered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refresh {
    CodeLens,
    Diagnostics,
}

impl Refresh {
    const ALL: [Self; 2] = [Self::CodeLens, Self::Diagnostics];

    pub fn method(self) -> &'static str {
        match self {
            Self::CodeLens => "workspace/codeLens/refresh",
            Self::Diagnostics => "workspace/diagnostic/refresh",
        }
    }

    fn id(self) -> Id {
        Id::String(format!("surefoot/{}", self.method()))
    }

    /// The kind whose request has this id.
    pub fn of_id(id: &Id) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == *id)
    }
}

/// One message of a work-done progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    Begin(Value),
    /// Replaces an earlier report that has not left yet.
    Report(Value),
    End(Value),
}

#[derive(Default)]
struct Waiting {
    begin: Option<Value>,
    report: Option<Value>,
    end: Option<Value>,
}

#[derive(Default)]
struct Inner {
    firm: VecDeque<Request>,
    dropped: usize,
    diagnostics: FxHashMap<Uri, Value>,
    diagnostics_order: VecDeque<Uri>,
    refresh: FxHashSet<Refresh>,
    unanswered: FxHashSet<Refresh>,
    changed: Option<(u64, Vec<Uri>)>,
    progress: Vec<(String, Waiting)>,
    status: Option<Value>,
    waker: Option<Waker>,
}

/// The main loop's end. Nothing here waits.
#[derive(Clone)]
pub struct Outbox(Arc<Mutex<Inner>>);

/// The framework's end: a stream of what may leave now.
pub struct Released {
    inner: Arc<Mutex<Inner>>,
    backlog: Backlog,
}

pub fn channel(backlog: Backlog) -> (Outbox, Released) {
    let inner = Arc::new(Mutex::new(Inner::default()));
    (Outbox(inner.clone()), Released { inner, backlog })
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    fn put(&self, put: impl FnOnce(&mut Inner)) {
        let mut inner = lock(&self.0);
        put(&mut inner);
        let waker = inner.waker.take();
        drop(inner);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// A message that must arrive: a request of ours, a message for the user.
    pub fn send(&self, request: Request) {
        self.put(|inner| inner.push_firm(request));
    }

    pub fn notify(&self, method: &'static str, params: Value) {
        self.send(Request::build(method).params(params).finish());
    }

    /// Replaces what waits for this document.
    pub fn diagnostics(&self, uri: Uri, params: Value) {
        self.put(|inner| {
            if inner.diagnostics.insert(uri.clone(), params).is_none() {
                inner.diagnostics_order.push_back(uri);
            }
            if inner.diagnostics_order.len() > DIAGNOSTICS_BOUND
                && let Some(oldest) = inner.diagnostics_order.pop_front()
            {
                inner.diagnostics.remove(&oldest);
                inner.dropped += 1;
            }
        });
    }

    /// Asks the client to ask again, once however often this is called before it leaves.
    pub fn refresh(&self, kind: Refresh) {
        self.put(|inner| {
            inner.refresh.insert(kind);
        });
    }

    /// The client answered a refresh; the next one may leave.
    pub fn refreshed(&self, kind: Refresh) {
        self.put(|inner| {
            inner.unanswered.remove(&kind);
        });
    }

    /// Merges into the one `surefoot/changed` that may wait.
    pub fn changed(&self, revision: u64, uris: impl IntoIterator<Item = Uri>) {
        self.put(|inner| {
            let waiting = inner.changed.get_or_insert_default();
            waiting.0 = revision;
            for uri in uris {
                if waiting.1.len() < CHANGED_BOUND && !waiting.1.contains(&uri) {
                    waiting.1.push(uri);
                }
            }
        });
    }

    pub fn status(&self, params: Value) {
        self.put(|inner| inner.status = Some(params));
    }

    pub fn progress(&self, token: &str, message: Progress) {
        self.put(|inner| {
            let at = inner.progress.iter().position(|(known, _)| known == token);
            match (at, message) {
                (None, message) => {
                    let mut waiting = Waiting::default();
                    waiting.put(message);
                    inner.progress.push((token.to_owned(), waiting));
                }
                // Begun and ended while the client did not read: it never needs to know.
                (Some(at), Progress::End(_)) if inner.progress[at].1.begin.is_some() => {
                    inner.progress.remove(at);
                }
                (Some(at), message) => inner.progress[at].1.put(message),
            }
        });
    }

    /// Messages waiting here, for the status.
    pub fn len(&self) -> usize {
        let inner = lock(&self.0);
        inner.firm.len() + inner.diagnostics.len() + inner.refresh.len() + inner.progress.len()
    }

    pub fn bound(&self) -> usize {
        FIRM_BOUND + DIAGNOSTICS_BOUND
    }

    /// Messages lost to a bound since the start.
    #[cfg(test)]
    pub fn dropped(&self) -> usize {
        lock(&self.0).dropped
    }
}

impl Waiting {
    fn put(&mut self, message: Progress) {
        match message {
            Progress::Begin(value) => self.begin = Some(value),
            Progress::Report(value) => self.report = Some(value),
            Progress::End(value) => (self.report, self.end) = (None, Some(value)),
        }
    }
}

impl Inner {
    fn push_firm(&mut self, request: Request) {
        if self.firm.len() == FIRM_BOUND {
            // A request of ours must not vanish, its answer is waited for; a message to read may.
            let Some(at) = self.firm.iter().position(|waiting| waiting.id().is_none()) else {
                self.dropped += 1;
                return;
            };
            self.firm.remove(at);
            self.dropped += 1;
        }
        self.firm.push_back(request);
    }

    /// The next message that a newer one may still replace.
    fn pop_coalesced(&mut self) -> Option<Request> {
        if let Some(uri) = self.diagnostics_order.pop_front() {
            let params = self.diagnostics.remove(&uri)?;
            return Some(
                Request::build("textDocument/publishDiagnostics")
                    .params(params)
                    .finish(),
            );
        }
        let refresh = Refresh::ALL
            .into_iter()
            .find(|k| self.refresh.contains(k) && !self.unanswered.contains(k));
        if let Some(kind) = refresh {
            self.refresh.remove(&kind);
            self.unanswered.insert(kind);
            return Some(Request::build(kind.method()).id(kind.id()).finish());
        }
        if let Some((revision, uris)) = self.changed.take() {
            let params = json!({ "revision": revision, "uris": uris });
            return Some(Request::build("surefoot/changed").params(params).finish());
        }
        if let Some(params) = self.status.take() {
            return Some(
                Request::build("experimental/serverStatus")
                    .params(params)
                    .finish(),
            );
        }
        while let Some((token, waiting)) = self.progress.first_mut() {
            let next = waiting
                .begin
                .take()
                .or_else(|| waiting.report.take())
                .or_else(|| waiting.end.take());
            let Some(value) = next else {
                self.progress.remove(0);
                continue;
            };
            let params = json!({ "token": token, "value": value });
            return Some(Request::build("$/progress").params(params).finish());
        }
        None
    }
}

impl Stream for Released {
    type Item = Request;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Request>> {
        let mut inner = lock(&self.inner);
        if let Some(request) = inner.firm.pop_front() {
            return Poll::Ready(Some(request));
        }
        if self.backlog.below(CALM, cx.waker())
            && let Some(request) = inner.pop_coalesced()
        {
            return Poll::Ready(Some(request));
        }
        inner.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn uri(name: &str) -> Uri {
        format!("file:///w/{name}").parse().unwrap()
    }

    pub(in super::super) fn released(stream: &mut Released) -> Vec<Request> {
        let mut cx = Context::from_waker(Waker::noop());
        let mut out = Vec::new();
        while let Poll::Ready(Some(request)) = Pin::new(&mut *stream).poll_next(&mut cx) {
            out.push(request);
        }
        out
    }

    fn methods(requests: &[Request]) -> Vec<&str> {
        requests.iter().map(Request::method).collect()
    }

    /// While the client does not read, a document has one set of diagnostics waiting: the newest.
    #[test]
    fn the_newest_diagnostics_win() {
        let backlog = Backlog::default();
        let (outbox, mut stream) = channel(backlog);
        for n in 0..100 {
            outbox.diagnostics(uri("a"), json!(n));
            outbox.diagnostics(uri("b"), json!(n + 1000));
        }
        let out = released(&mut stream);
        assert_eq!(
            out.iter()
                .map(|r| r.params().unwrap().clone())
                .collect::<Vec<_>>(),
            [json!(99), json!(1099)]
        );
    }

    /// Two refreshes in one go ask the client once, and the next waits for its answer.
    #[test]
    fn refreshes_collapse() {
        let (outbox, mut stream) = channel(Backlog::default());
        outbox.refresh(Refresh::CodeLens);
        outbox.refresh(Refresh::CodeLens);
        let out = released(&mut stream);
        assert_eq!(methods(&out), ["workspace/codeLens/refresh"]);
        outbox.refresh(Refresh::CodeLens);
        assert!(released(&mut stream).is_empty());
        assert_eq!(
            Refresh::of_id(out[0].id().unwrap()),
            Some(Refresh::CodeLens)
        );
        outbox.refreshed(Refresh::CodeLens);
        assert_eq!(released(&mut stream).len(), 1);
    }

    /// Progress reports replace each other, and a progress nobody saw begin does not end.
    #[test]
    fn progress_keeps_the_newest_report() {
        let (outbox, mut stream) = channel(Backlog::default());
        outbox.progress("t", Progress::Begin(json!("begin")));
        for n in 0..10 {
            outbox.progress("t", Progress::Report(json!(n)));
        }
        let values = |requests: Vec<Request>| -> Vec<Value> {
            requests
                .iter()
                .map(|r| r.params().unwrap()["value"].clone())
                .collect()
        };
        assert_eq!(values(released(&mut stream)), [json!("begin"), json!(9)]);
        outbox.progress("t", Progress::Report(json!(10)));
        outbox.progress("t", Progress::End(json!("end")));
        assert_eq!(values(released(&mut stream)), [json!("end")]);
        outbox.progress("u", Progress::Begin(json!("begin")));
        outbox.progress("u", Progress::End(json!("end")));
        assert!(released(&mut stream).is_empty());
    }

    /// The documents of all changes that wait are named in the one notification.
    #[test]
    fn one_changed_waits() {
        let (outbox, mut stream) = channel(Backlog::default());
        outbox.changed(1, [uri("a")]);
        outbox.changed(2, [uri("a"), uri("b")]);
        let out = released(&mut stream);
        assert_eq!(methods(&out), ["surefoot/changed"]);
        assert_eq!(
            out[0].params(),
            Some(&json!({ "revision": 2, "uris": [uri("a"), uri("b")] }))
        );
    }

    /// Messages for the user have a bound; requests of ours, whose answers are waited for, outlive it.
    #[test]
    fn the_firm_queue_is_bounded() {
        let (outbox, mut stream) = channel(Backlog::default());
        outbox.send(Request::build("client/registerCapability").id(1).finish());
        for _ in 0..FIRM_BOUND + 5 {
            outbox.notify("window/logMessage", json!({}));
        }
        let out = released(&mut stream);
        assert_eq!(out.len(), FIRM_BOUND);
        assert_eq!(out[0].method(), "client/registerCapability");
        assert_eq!(outbox.dropped(), 6);
    }
}
