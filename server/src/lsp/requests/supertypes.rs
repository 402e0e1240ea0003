//! `typeHierarchy/supertypes`: the bases of a type, in the tree or not.

use surefoot_engine::features::types;
use tower_lsp_server::ls_types::{TypeHierarchyItem, TypeHierarchySupertypesParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

pub fn answer(
    view: &View,
    params: TypeHierarchySupertypesParams,
    _: &Cancel,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let handle = to_proto::handle_of(params.item.data.as_ref());
    let Some((root, symbol)) = handle.and_then(|handle| view.by_handle(handle)) else {
        return Ok(None);
    };
    let rows = types::supertypes(&root.snapshot, symbol);
    Ok(Some(
        rows.iter()
            .filter_map(|row| to_proto::type_row(view, root, row))
            .collect(),
    ))
}
