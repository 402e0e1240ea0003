//! `textDocument/references`, when the user wants it from us: every place that is proved to name a symbol.

use surefoot_engine::features::hierarchy;
use tower_lsp_server::ls_types::{Location, ReferenceParams};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::view::View;
use crate::config::Provider;

pub fn answer(
    view: &View,
    params: ReferenceParams,
    cancel: &Cancel,
) -> Result<Option<Vec<Location>>, Failure> {
    if view.settings.references == Provider::Never {
        return Ok(None);
    }
    let place = params.text_document_position;
    let Some((at, offset)) = view.offset(&place.text_document.uri, place.position) else {
        return Ok(None);
    };
    let snapshot = &at.root.snapshot;
    let Some(symbol) = hierarchy::prepare(snapshot, at.file, offset)
        .into_iter()
        .next()
    else {
        return Ok(None);
    };
    let mut out = Vec::new();
    if params.context.include_declaration {
        out.extend(view.location(at.root, &symbol.name_place));
    }
    let calls = snapshot.callers(symbol.id).placed;
    let mentions = snapshot.mentions(symbol.id, |_| true);
    for group in calls.iter().chain(&mentions) {
        cancel.check()?;
        let places = group
            .sites
            .iter()
            .filter_map(|site| snapshot.site_place(site.site));
        out.extend(places.filter_map(|place| view.location(at.root, &place)));
    }
    let key = |location: &Location| {
        (
            location.uri.as_str().to_owned(),
            location.range.start.line,
            location.range.start.character,
        )
    };
    out.sort_by_cached_key(key);
    out.dedup();
    Ok(Some(out))
}
