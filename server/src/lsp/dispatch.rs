//! Which handler answers which method, in which lane, and what an edit meanwhile means for the answer.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;
use tower_lsp_server::ls_types::Uri;
use tower_lsp_server::ls_types::request::*;

use super::cancel::Cancel;
use super::failure::Failure;
use super::pool::Lane;
use super::view::View;
use super::{ext, requests};

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

use OnEdit::{Keep, Retry};

/// What a request needs of the workspace before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Nothing. What is drawn beside the text: other servers' drawings would wait with it, and it is asked
    /// for again when there is more.
    No,
    /// To be read, or to have been looked at around the open documents: see `glancing`.
    Glance,
    /// To be read as a whole.
    Whole,
}

/// A handler with its types erased.
type Run = dyn Fn(&View, Value, &Cancel) -> Result<Value, Failure> + Send + Sync;

/// One line of the table.
pub struct Route {
    pub lane: Lane,
    pub on_edit: OnEdit,
    pub waits: Waits,
    pub run: Box<Run>,
}

/// Methods that are answered on a snapshot, off the main loop.
pub struct Table(FxHashMap<&'static str, Arc<Route>>);

/// The one place that knows all methods but `initialize` and `shutdown`. Each line names the lane, whether
/// the request waits for the workspace, and what an edit means for its answer.
pub fn table() -> Table {
    let table = Table(FxHashMap::default())
        .drawn::<CodeLensRequest>(Retry, requests::code_lens::answer)
        .drawn::<CodeLensResolve>(Retry, requests::code_lens::resolve)
        .drawn::<DocumentSymbolRequest>(Retry, requests::document_symbol::answer)
        .drawn::<DocumentDiagnosticRequest>(Retry, requests::diagnostic::answer)
        .drawn::<HoverRequest>(Retry, requests::hover::answer)
        .latency::<GotoDefinition>(Retry, requests::definition::answer)
        .latency::<References>(Retry, requests::references::answer)
        .latency::<CallHierarchyPrepare>(Retry, requests::prepare_call_hierarchy::answer)
        .latency::<CallHierarchyIncomingCalls>(Retry, requests::incoming_calls::answer)
        .latency::<CallHierarchyOutgoingCalls>(Retry, requests::outgoing_calls::answer)
        .latency::<TypeHierarchyPrepare>(Retry, requests::prepare_type_hierarchy::answer)
        .latency::<TypeHierarchySupertypes>(Retry, requests::supertypes::answer)
        .latency::<TypeHierarchySubtypes>(Retry, requests::subtypes::answer)
        .searched::<WorkspaceSymbolRequest>(Keep, requests::workspace_symbol::answer)
        .latency::<ExecuteCommand>(Retry, requests::execute_command::answer)
        .latency::<ext::CallTree>(Retry, requests::call_tree::answer)
        .latency::<ext::Explain>(Retry, requests::explain::answer)
        .latency::<ext::ResolveHandle>(Keep, requests::resolve_handle::answer)
        .background::<ext::Status>(Keep, requests::status::answer)
        .background::<ext::Disagreements>(Keep, requests::disagreements::answer)
        .whole::<ext::Report>(Keep, requests::report::answer)
        .whole::<ext::Verify>(Keep, requests::verify::answer)
        .whole::<ext::Snapshots>(Keep, requests::snapshots::list)
        .whole::<ext::SaveSnapshot>(Keep, requests::snapshots::save)
        .whole::<ext::Compare>(Keep, requests::snapshots::compare);
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

    /// Someone looks at the screen and waits for this.
    pub fn latency<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Latency, Waits::Glance, on_edit, handler)
    }

    /// Someone waits for this, and half of it would be taken for all of it.
    pub fn searched<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Latency, Waits::Whole, on_edit, handler)
    }

    /// Drawn beside the text: quick, and never waits for the workspace to be read.
    pub fn drawn<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Latency, Waits::No, on_edit, handler)
    }

    /// Seconds are fine.
    pub fn background<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Background, Waits::No, on_edit, handler)
    }

    /// Seconds are fine, and it is about all of the workspace: the progress of reading shows meanwhile.
    pub fn whole<R: Request>(self, on_edit: OnEdit, handler: Handler<R>) -> Self
    where
        R::Params: 'static,
        R::Result: 'static,
    {
        self.add::<R>(Lane::Background, Waits::Whole, on_edit, handler)
    }

    fn add<R: Request>(
        mut self,
        lane: Lane,
        waits: Waits,
        on_edit: OnEdit,
        handler: Handler<R>,
    ) -> Self
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
            waits,
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

/// The symbol whose callers someone looks at with this request.
pub fn opened_hierarchy(method: &str, params: &Value) -> Option<String> {
    let handle = match method {
        "callHierarchy/incomingCalls" => &params["item"]["data"]["handle"],
        "surefoot/callTree" => &params["handle"],
        "workspace/executeCommand" => &params["arguments"][0]["handle"],
        _ => return None,
    };
    handle.as_str().map(str::to_owned)
}

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
