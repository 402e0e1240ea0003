//! `textDocument/codeLens` and its resolve: complexity, callers and fan-out above each function.

use serde_json::json;
use surefoot_engine::features::lens::{self, LensOptions};
use tower_lsp_server::ls_types::{CodeLens, CodeLensParams, Uri};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;
use crate::config::Settings;

/// Lenses come with their text: it is a handful of counters, and one that is filled in later makes lines
/// jump.
pub fn answer(
    view: &View,
    params: CodeLensParams,
    cancel: &Cancel,
) -> Result<Option<Vec<CodeLens>>, Failure> {
    if !view.settings.code_lens_enabled {
        return Ok(None);
    }
    let uri = params.text_document.uri;
    let Some(at) = view.file(&uri) else {
        return Ok(None);
    };
    let lenses = lens::lenses(&at.root.snapshot, at.file, &options(&view.settings));
    let mut out = Vec::with_capacity(lenses.len());
    for lens in lenses {
        cancel.check()?;
        let handle = view.handle(at.root, lens.symbol);
        out.push(CodeLens {
            range: view.range(at.root, &lens.place),
            data: Some(data(&uri, &handle)),
            command: Some(to_proto::lens_command(&handle, lens.title)),
        });
    }
    Ok(Some(out))
}

/// For clients that drop a command they want to ask for again.
pub fn resolve(view: &View, mut params: CodeLens, _: &Cancel) -> Result<CodeLens, Failure> {
    let handle = to_proto::handle_of(params.data.as_ref()).map(str::to_owned);
    let found = handle.as_deref().and_then(|handle| view.by_handle(handle));
    let lens = found
        .and_then(|(root, symbol)| lens::lens(&root.snapshot, symbol, &options(&view.settings)));
    if let (Some(lens), Some(handle)) = (lens, handle) {
        params.command = Some(to_proto::lens_command(&handle, lens.title));
    }
    Ok(params)
}

pub fn options(settings: &Settings) -> LensOptions {
    LensOptions {
        min_cyclomatic: settings.code_lens_min_complexity as u32,
        min_callers: settings.code_lens_min_callers as u32,
        ..LensOptions::default()
    }
}

fn data(uri: &Uri, handle: &str) -> serde_json::Value {
    json!({ "uri": uri, "handle": handle })
}
