//! `textDocument/documentSymbol`: the outline of a file.

use surefoot_engine::features::document::{self, OutlineNode};
use tower_lsp_server::ls_types::*;

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::{FileAt, View};
use crate::config::Provider;

pub fn answer(
    view: &View,
    params: DocumentSymbolParams,
    _: &Cancel,
) -> Result<Option<DocumentSymbolResponse>, Failure> {
    if view.settings.document_symbols == Provider::Never {
        return Ok(None);
    }
    let uri = params.text_document.uri;
    let Some(at) = view.file(&uri) else {
        return Ok(None);
    };
    let outline = document::outline(&at.root.snapshot, at.file);
    Ok(Some(if view.client.nests_symbols() {
        DocumentSymbolResponse::Nested(outline.iter().map(|node| nested(view, at, node)).collect())
    } else {
        let mut out = Vec::new();
        for node in &outline {
            flat(view, at, &uri, node, None, &mut out);
        }
        DocumentSymbolResponse::Flat(out)
    }))
}

fn nested(view: &View, at: FileAt<'_>, node: &OutlineNode) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> = node
        .children
        .iter()
        .map(|child| nested(view, at, child))
        .collect();
    #[allow(deprecated, reason = "the type has the field")]
    DocumentSymbol {
        name: node.name.clone(),
        detail: (!node.detail.is_empty()).then(|| node.detail.clone()),
        kind: to_proto::symbol_kind(node.kind),
        tags: None,
        deprecated: None,
        range: view.range(at.root, &node.full),
        selection_range: view.range(at.root, &node.name_place),
        children: (!children.is_empty()).then_some(children),
    }
}

fn flat(
    view: &View,
    at: FileAt<'_>,
    uri: &Uri,
    node: &OutlineNode,
    container: Option<&str>,
    out: &mut Vec<SymbolInformation>,
) {
    #[allow(deprecated, reason = "the type has the field")]
    out.push(SymbolInformation {
        name: node.name.clone(),
        kind: to_proto::symbol_kind(node.kind),
        tags: None,
        deprecated: None,
        location: Location {
            uri: uri.clone(),
            range: view.range(at.root, &node.full),
        },
        container_name: container.map(str::to_owned),
    });
    for child in &node.children {
        flat(view, at, uri, child, Some(&node.name), out);
    }
}
