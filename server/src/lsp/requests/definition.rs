//! `textDocument/definition`, when the user wants it from us: where the name under the cursor leads.

use surefoot_graph::SymbolId;
use tower_lsp_server::ls_types::{GotoDefinitionParams, GotoDefinitionResponse};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::view::View;
use crate::config::Provider;

pub fn answer(
    view: &View,
    params: GotoDefinitionParams,
    _: &Cancel,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    if view.settings.definition == Provider::Never {
        return Ok(None);
    }
    let place = params.text_document_position_params;
    let Some((at, offset)) = view.offset(&place.text_document.uri, place.position) else {
        return Ok(None);
    };
    let snapshot = &at.root.snapshot;
    let Some(found) = snapshot.at(at.file, offset) else {
        return Ok(None);
    };
    let mut targets: Vec<SymbolId> = found.declares.into_iter().collect();
    if let Some(outcome) = found.site.and_then(|site| snapshot.outcome(site)) {
        targets = outcome.symbol().into_iter().collect();
        if targets.is_empty() {
            let candidates = outcome
                .candidates
                .iter()
                .flat_map(|candidates| &candidates.list);
            targets = candidates.map(|candidate| candidate.symbol).collect();
        }
    }
    let symbols = targets
        .into_iter()
        .filter_map(|id| snapshot.symbol_info(id))
        .filter(|symbol| !symbol.prelude);
    let places: Vec<_> = symbols
        .filter_map(|symbol| view.location(at.root, &symbol.name_place))
        .collect();
    Ok((!places.is_empty()).then_some(GotoDefinitionResponse::Array(places)))
}
