//! `textDocument/prepareTypeHierarchy`: the types a position can mean, the best first.

use surefoot_engine::features::types;
use tower_lsp_server::ls_types::{TypeHierarchyItem, TypeHierarchyPrepareParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;
use crate::config::Provider;

pub fn answer(
    view: &View,
    params: TypeHierarchyPrepareParams,
    _: &Cancel,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    if view.settings.type_hierarchy == Provider::Never {
        return Ok(None);
    }
    let place = params.text_document_position_params;
    let Some((at, offset)) = view.offset(&place.text_document.uri, place.position) else {
        return Ok(None);
    };
    let symbols = types::prepare(&at.root.snapshot, at.file, offset);
    let items: Vec<_> = symbols
        .iter()
        .filter_map(|symbol| to_proto::type_item(view, at.root, symbol, &symbol.path))
        .collect();
    Ok((!items.is_empty()).then_some(items))
}
