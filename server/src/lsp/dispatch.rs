//! Which handler answers which method, in which lane, and what an edit meanwhile means for the answer.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;
use tower_lsp_server::ls_types::Uri;
use tower_lsp_server::ls_types::request::*;

use super::cancel::Cancel;
use super::failure::Failure;
use super::pool::Lane;
use super::requests;
use super::view::View;

/// What becomes of an answer whose document was edited while it was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnEdit {
    /// Computed again on the new snapshot, a few times, then refused.
    Retry,
    /// Refused with `ContentModified`: the client asks again by itself.
    Refuse,
    /// Sent: it is not about positions in one document.
    Keep,
}

/// One line of the table.
pub struct Route {
    pub lane: Lane,
    pub on_edit: OnEdit,
    pub run: Box<dyn Fn(&View, Value, &Cancel) -> Result<Value, Failure> + Send + Sync>,
}

/// Methods that are answered on a snapshot, off the main loop.
pub struct Table(FxHashMap<&'static str, Arc<Route>>);

/// The one place that knows all methods but `initialize` and `shutdown`.
pub fn table() -> Table {
    let table = Table(FxHashMap::default());
    if requests::selftest::enabled() {
        requests::selftest::routes(table)
    } else {
        table
    }
}

impl Table {
    pub fn get(&self, method: &str) -> Option<Arc<Route>> {
        self.0.get(method).cloned()
    }

    pub fn latency<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Latency, on_edit, handler)
    }

    pub fn background<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Background, on_edit, handler)
    }

    fn add<R: Request>(mut self, lane: Lane, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        let run = move |view: &View, params: Value, cancel: &Cancel| {
            let params =
                serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))?;
            let result = handler(view, params, cancel)?;
            serde_json::to_value(result).map_err(|e| Failure::Panicked(e.to_string()))
        };
        let route = Route {
            lane,
            on_edit,
            run: Box::new(run),
        };
        let before = self.0.insert(R::METHOD, Arc::new(route));
        debug_assert!(before.is_none(), "{} stands in the table twice", R::METHOD);
        self
    }
}

/// A request's file has one function of this shape.
pub type Handler<R> =
    fn(&View, <R as Request>::Params, &Cancel) -> Result<<R as Request>::Result, Failure>;

/// The document a request is about, wherever its parameters name it: as `textDocument`, as a hierarchy's
/// `item`, or in the `data` of a lens.
pub fn subject(params: &Value) -> Option<Uri> {
    [
        &params["textDocument"]["uri"],
        &params["item"]["uri"],
        &params["data"]["uri"],
    ]
    .into_iter()
    .find_map(Value::as_str)?
    .parse()
    .ok()
}
