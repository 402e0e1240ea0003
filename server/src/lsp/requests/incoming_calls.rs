//! `callHierarchy/incomingCalls`: who calls this, placed first, then possible, then what is not placed.

use surefoot_engine::features::hierarchy::{self, CallOptions};
use tower_lsp_server::ls_types::{CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

pub fn answer(
    view: &View,
    params: CallHierarchyIncomingCallsParams,
    _: &Cancel,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let Some((root, symbol)) = to_proto::symbol_of(view, &params.item) else {
        return Ok(None);
    };
    let list = hierarchy::callers(&root.snapshot, symbol, &CallOptions::default());
    Ok(list.map(|list| {
        let rows = list
            .rows
            .iter()
            .filter_map(|row| to_proto::call_row(view, root, row));
        let floor = to_proto::floor_row(view, root, &list).map(|item| (item, Vec::new()));
        rows.chain(floor)
            .map(|(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges })
            .collect()
    }))
}
