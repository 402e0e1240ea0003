//! `surefoot/callTree`: callers or callees to any depth, each with how it is known.

use surefoot_engine::features::hierarchy::{self, CallOptions, Direction};
use surefoot_graph::SymbolId;

use super::super::cancel::Cancel;
use super::super::ext::{self, CallTreeParams, CallTreeResult, Whose};
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::{RootView, View};

pub fn answer(
    view: &View,
    params: CallTreeParams,
    _: &Cancel,
) -> Result<Option<CallTreeResult>, Failure> {
    if let Whose::At(place) = &params.whose {
        view.absent(&place.text_document.uri)?;
    }
    let Some((root, symbol)) = symbol(view, &params.whose) else {
        return Ok(None);
    };
    let all = params.tiers.is_empty();
    let wants = |tier: &str| all || params.tiers.iter().any(|wanted| wanted == tier);
    let options = CallOptions {
        certain: wants("certain"),
        likely: wants("likely"),
        possible: wants("possible"),
        ..CallOptions::default()
    };
    let direction = match params.direction {
        ext::Direction::Callers => Direction::Callers,
        ext::Direction::Callees => Direction::Callees,
    };
    let tree = hierarchy::tree(&root.snapshot, symbol, direction, params.depth, &options);
    Ok(tree.and_then(|tree| to_proto::call_tree(view, root, tree)))
}

/// The symbol that is meant, by handle or by place.
fn symbol<'a>(view: &'a View, whose: &Whose) -> Option<(&'a RootView, SymbolId)> {
    match whose {
        Whose::Handle(params) => view.by_handle(&params.handle),
        Whose::At(place) => {
            let (at, offset) = view.offset(&place.text_document.uri, place.position)?;
            let best = hierarchy::prepare(&at.root.snapshot, at.file, offset)
                .into_iter()
                .next()?;
            Some((at.root, best.id))
        }
    }
}
