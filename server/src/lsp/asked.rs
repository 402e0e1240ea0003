//! Requests of ours that the client has not answered yet, and what each answer is for.

use rustc_hash::FxHashMap;
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Id, Request};

use super::outbox::Outbox;

/// Answers waited for. A client that answers nothing costs this much and no more.
const BOUND: usize = 512;

/// What to do with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Settings to read.
    Configuration,
    /// A progress that may be shown when the answer is no error.
    Progress,
    /// A question about a call, by its number.
    Question(u64),
    /// Nothing but to log a refusal.
    Courtesy,
}

/// The open requests.
#[derive(Default)]
pub struct Asked {
    open: FxHashMap<Id, Purpose>,
    next: u64,
}

impl Asked {
    /// Sends a request; its answer comes back by `take`. Not sent when too many are open.
    pub fn send(&mut self, outbox: &Outbox, method: &'static str, params: Value, purpose: Purpose) {
        if self.open.len() >= BOUND {
            tracing::warn!("{method} was not sent: the client answers nothing");
            return;
        }
        self.next += 1;
        let id = Id::String(format!("surefoot/{}", self.next));
        self.open.insert(id.clone(), purpose);
        outbox.send(Request::build(method).id(id).params(params).finish());
    }

    pub fn take(&mut self, id: &Id) -> Option<Purpose> {
        self.open.remove(id)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.open.len()
    }
}
