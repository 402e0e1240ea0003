//! `callHierarchy/outgoingCalls`: what this calls, by the first call, then what is not placed.

use surefoot_engine::features::hierarchy::{self, CallOptions};
use tower_lsp_server::ls_types::{CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

pub fn answer(
    view: &View,
    params: CallHierarchyOutgoingCallsParams,
    _: &Cancel,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let Some((root, symbol)) = to_proto::symbol_of(view, &params.item) else {
        return Ok(None);
    };
    let list = hierarchy::callees(&root.snapshot, symbol, &CallOptions::default());
    Ok(list.map(|list| {
        let rows = list
            .rows
            .iter()
            .filter_map(|row| to_proto::call_row(view, root, row));
        rows.map(|(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges })
            .collect()
    }))
}
