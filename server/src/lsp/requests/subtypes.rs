//! `typeHierarchy/subtypes`: the types that name this one as their base.

use surefoot_engine::features::types;
use tower_lsp_server::ls_types::{TypeHierarchyItem, TypeHierarchySubtypesParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

pub fn answer(
    view: &View,
    params: TypeHierarchySubtypesParams,
    _: &Cancel,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let handle = to_proto::handle_of(params.item.data.as_ref());
    let Some((root, symbol)) = handle.and_then(|handle| view.by_handle(handle)) else {
        return Ok(None);
    };
    let rows = types::subtypes(&root.snapshot, symbol);
    Ok(Some(
        rows.iter()
            .filter_map(|row| to_proto::type_row(view, root, row))
            .collect(),
    ))
}
