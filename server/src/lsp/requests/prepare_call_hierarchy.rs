//! `textDocument/prepareCallHierarchy`: the symbols a position can mean, the best first.

use surefoot_engine::features::hierarchy;
use tower_lsp_server::ls_types::{CallHierarchyItem, CallHierarchyPrepareParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;
use crate::config::Provider;

pub fn answer(
    view: &View,
    params: CallHierarchyPrepareParams,
    _: &Cancel,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    if view.settings.call_hierarchy == Provider::Never {
        return Ok(None);
    }
    let place = params.text_document_position_params;
    let Some((at, offset)) = view.offset(&place.text_document.uri, place.position) else {
        let uri = &place.text_document.uri;
        let absent = view.absence(uri);
        return Ok(absent.map(|why| vec![to_proto::absent_item(uri, place.position, &why)]));
    };
    let symbols = hierarchy::prepare(&at.root.snapshot, at.file, offset);
    let items: Vec<_> = symbols
        .iter()
        .filter_map(|symbol| {
            let detail = match symbol.container.as_str() {
                "" => symbol.path.to_string(),
                container => format!("{container} · {}", symbol.path),
            };
            to_proto::call_item(view, at.root, symbol, &detail)
        })
        .collect();
    Ok((!items.is_empty()).then_some(items))
}
