//! `textDocument/codeLens` and its resolve: complexity, callers and fan-out above each function.

use rustc_hash::FxHashSet;
use serde_json::json;
use surefoot_engine::features::lens::{self, Lens, LensOptions};
use surefoot_graph::SymbolId;
use tower_lsp_server::ls_types::{CodeLens, CodeLensParams, Range, Uri};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::kept_lenses::KeptLens;
use super::super::to_proto;
use super::super::view::{FileAt, RootView, View};
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
        return Ok(absent(view, &uri));
    };
    let lenses = lens::lenses(&at.root.snapshot, at.file, &options(&view.settings));
    let mut out = Vec::with_capacity(lenses.len());
    for lens in &lenses {
        cancel.check()?;
        out.push(shown(
            view,
            at.root,
            &uri,
            lens.symbol,
            view.range(at.root, &lens.place),
            lens.title.clone(),
        ));
    }
    out.extend(lost(view, at, &uri, &lenses));
    Ok(Some(out))
}

/// One line at the top of a document that could be in the graph and is not. Views of older texts and files
/// of no language are nobody's to explain, and what is still being read has its lenses in a moment.
fn absent(view: &View, uri: &Uri) -> Option<Vec<CodeLens>> {
    let extension = uri.path().as_str().rsplit_once('.').map(|(_, end)| end);
    let readable = match uri.scheme().as_str() {
        "untitled" => true,
        "file" => view.roots.iter().any(|root| {
            let mut languages = root.snapshot.languages().0.iter();
            languages.any(|l| extension.is_some_and(|e| l.extensions().contains(&e)))
        }),
        _ => false,
    };
    if view.reading || !readable {
        return None;
    }
    let title = format!("not in the code graph: {}", view.absence(uri)?);
    let argument = json!({
        "textDocument": { "uri": uri },
        "position": { "line": 0, "character": 0 },
    });
    Some(vec![CodeLens {
        range: Range::default(),
        data: None,
        command: Some(to_proto::command(argument, title)),
    }])
}

fn shown(
    view: &View,
    root: &RootView,
    uri: &Uri,
    symbol: SymbolId,
    range: Range,
    title: String,
) -> CodeLens {
    let handle = view.handle(root, symbol);
    let data = json!({ "uri": uri, "handle": handle });
    CodeLens {
        range,
        data: Some(data),
        command: Some(to_proto::lens_command(&handle, title)),
    }
}

/// Lenses of functions that the parser has lost for the moment.
fn lost(view: &View, at: FileAt<'_>, uri: &Uri, lenses: &[Lens]) -> Vec<CodeLens> {
    let Some((_, text)) = at.root.open.get(&at.file) else {
        return Vec::new();
    };
    let Some(entry) = at.root.snapshot.file(at.file) else {
        return Vec::new();
    };
    if entry.facts.errors == 0 {
        let kept = lenses.iter().map(|lens| KeptLens {
            symbol: lens.symbol,
            start: lens.place.span.start as usize,
            end: lens.place.span.end as usize,
            title: lens.title.clone(),
        });
        view.kept_lenses.keep(uri, text.clone(), kept.collect());
        return Vec::new();
    }
    let found = lenses.iter().map(|lens| lens.symbol).collect();
    let taken: FxHashSet<u32> = lenses.iter().map(|lens| lens.place.start.line).collect();
    let lost = view
        .kept_lenses
        .lost(uri, text, &found)
        .into_iter()
        .filter_map(|lens| {
            let start = text.position(lens.start, view.encoding());
            let range = Range {
                start,
                end: text.position(lens.end, view.encoding()),
            };
            (!taken.contains(&start.line))
                .then(|| shown(view, at.root, uri, lens.symbol, range, lens.title))
        });
    lost.collect()
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
