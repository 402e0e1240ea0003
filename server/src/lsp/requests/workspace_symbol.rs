//! `workspace/symbol`: symbols of all roots by the letters of their names.

use surefoot_engine::features::query;
use tower_lsp_server::ls_types::*;

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;
use crate::config::Provider;

/// What a picker shows. The client asks again with every letter.
const LIMIT: usize = 256;

pub fn answer(
    view: &View,
    params: WorkspaceSymbolParams,
    cancel: &Cancel,
) -> Result<Option<WorkspaceSymbolResponse>, Failure> {
    if view.settings.workspace_symbols == Provider::Never {
        return Ok(None);
    }
    let mut out = Vec::new();
    for root in view.roots.iter() {
        cancel.check()?;
        let (found, _) = query::search(&root.snapshot, &params.query, LIMIT - out.len());
        for id in found {
            let Some(symbol) = root
                .snapshot
                .symbol_info(id)
                .filter(|symbol| !symbol.prelude)
            else {
                continue;
            };
            let Some(location) = view.location(root, &symbol.name_place) else {
                continue;
            };
            let container = if symbol.container.is_empty() {
                symbol.path.to_string()
            } else {
                symbol.container
            };
            #[allow(deprecated, reason = "the type has the field")]
            out.push(SymbolInformation {
                name: symbol.name,
                kind: to_proto::symbol_kind(symbol.kind),
                tags: None,
                deprecated: None,
                location,
                container_name: Some(container),
            });
        }
    }
    Ok(Some(WorkspaceSymbolResponse::Flat(out)))
}
