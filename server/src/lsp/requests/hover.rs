//! `textDocument/hover`: the evidence of a call, or the numbers of a definition taken apart.

use std::fmt::Write;

use surefoot_engine::features::hover;
use tower_lsp_server::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::super::cancel::Cancel;
use super::super::failure::Failure;
use super::super::view::View;
use crate::config::Verbosity;

pub fn answer(view: &View, params: HoverParams, _: &Cancel) -> Result<Option<Hover>, Failure> {
    let full = match view.settings.hover {
        Verbosity::Off => return Ok(None),
        Verbosity::Compact => false,
        Verbosity::Full => true,
    };
    let place = params.text_document_position_params;
    let Some((at, offset)) = view.offset(&place.text_document.uri, place.position) else {
        return Ok(None);
    };
    let Some(hover) = hover::hover(&at.root.snapshot, at.file, offset, full) else {
        return Ok(None);
    };
    let markdown = view.client.reads_markdown();
    let mut text = if markdown {
        escape(&hover.head)
    } else {
        hover.head
    };
    for line in &hover.body {
        let _ = write!(
            text,
            "{}{}",
            if markdown { "\n- " } else { "\n" },
            line.text
        );
        if let Some(place) = &line.place {
            let source = view.line(at.root, place);
            if markdown && !source.is_empty() {
                let _ = write!(text, ": `{}`", source.replace('`', "'"));
            } else if !source.is_empty() {
                let _ = write!(text, ": {source}");
            }
        }
    }
    let kind = if markdown {
        MarkupKind::Markdown
    } else {
        MarkupKind::PlainText
    };
    Ok(Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value: text }),
        range: Some(view.range(at.root, &hover.place)),
    }))
}

/// Names with `_` and `<` must read as written.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '`';
        if !quoted && matches!(c, '_' | '*' | '<' | '>' | '[' | ']' | '#' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
