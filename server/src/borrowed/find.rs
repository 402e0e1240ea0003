//! From the places a server names to declarations of the graph. Nothing about such a place is believed: it may
//! lie past the end of a file, outside the folder, behind a link, or nowhere.

use std::path::{Path, PathBuf};

use surefoot_bridge::{Encoding, Place};
use surefoot_engine::Snapshot;
use surefoot_files::Root;
use surefoot_graph::{FileId, SiteId, SiteKind, SymbolId, SymbolKind};
use tower_lsp_server::ls_types::Uri;

use crate::lsp::from_proto;

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    Symbol(SymbolId),
    /// Out of the tree, where something stands.
    Outside,
    /// In the tree and no declaration that runs; or no place at all.
    Nowhere,
}

/// Schemes under which servers show code that is no file: always a library's.
const LIBRARY_SCHEMES: &[&str] = &["jdt", "csharp", "deno", "metals", "zipfile"];
/// Folders of installed packages, wherever they stand.
const LIBRARY_FOLDERS: &[&str] = &["node_modules", "site-packages", "dist-packages"];

/// What a server means by a place. `text` gives a file's text as the server was shown it.
pub fn find(
    snapshot: &Snapshot,
    root: &Root,
    text: &dyn Fn(FileId) -> Option<std::sync::Arc<str>>,
    place: &Place,
) -> Found {
    match end(snapshot, root, &place.uri) {
        End::Inside(file) => {
            let symbol = offset(snapshot, file, text, place)
                .and_then(|offset| declared(snapshot, file, offset));
            symbol.map_or(Found::Nowhere, Found::Symbol)
        }
        End::Outside(_) | End::Library => Found::Outside,
        End::Nowhere => Found::Nowhere,
    }
}

/// Where an answer leads.
pub enum End {
    Inside(FileId),
    /// A file that is no part of the tree.
    Outside(PathBuf),
    /// Code of a library that is no file.
    Library,
    Nowhere,
}

/// The text that a server's URI names.
pub fn end(snapshot: &Snapshot, root: &Root, uri: &str) -> End {
    let Ok(uri) = uri.parse::<Uri>() else {
        return End::Nowhere;
    };
    let Some(path) = from_proto::path(&uri) else {
        let library = LIBRARY_SCHEMES.contains(&uri.scheme().as_str());
        return if library { End::Library } else { End::Nowhere };
    };
    let named = |path: &Path| {
        let relative = root.relative(path).ok()?;
        snapshot.file_at(relative.as_str())
    };
    if let Some(file) = named(&path) {
        return End::Inside(file);
    }
    // A link, or another spelling of the same file.
    let Ok(real) = path.canonicalize() else {
        return End::Nowhere;
    };
    if let Some(file) = named(&real) {
        return End::Inside(file);
    }
    let inside = root.relative(&real).is_ok();
    if !inside || is_library(&real) {
        End::Outside(real)
    } else {
        // In the folder and not in the graph (ignored, generated): nobody knows.
        End::Nowhere
    }
}

fn is_library(path: &Path) -> bool {
    let mut parts = path
        .components()
        .filter_map(|part| part.as_os_str().to_str());
    parts.any(|part| LIBRARY_FOLDERS.contains(&part))
}

/// The byte a place means; nothing past the end of its line or file.
fn offset(
    snapshot: &Snapshot,
    file: FileId,
    text: &dyn Fn(FileId) -> Option<std::sync::Arc<str>>,
    place: &Place,
) -> Option<u32> {
    let span = snapshot.file(file)?.positions.lines.line_span(place.line)?;
    let text = text(file)?;
    let line = text.get(span.start as usize..span.end as usize)?;
    let column = match place.encoding {
        Encoding::Utf8 => place.column as usize,
        Encoding::Utf16 => bytes_of(line, place.column)?,
    };
    (column <= line.len() && line.is_char_boundary(column)).then(|| span.start + column as u32)
}

fn bytes_of(line: &str, utf16: u32) -> Option<usize> {
    let mut left = utf16 as usize;
    for (at, c) in line.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.checked_sub(c.len_utf16())?;
    }
    (left == 0).then_some(line.len())
}

/// A byte column of a line in UTF-16 units.
pub fn utf16_column(line: &str, column: usize) -> u32 {
    let before = line.get(..column).unwrap_or(line);
    before.chars().map(|c| c.len_utf16() as u32).sum()
}

/// What is declared at an offset and can be called. A server may point at the name or at the whole declaration.
fn declared(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<SymbolId> {
    let at = snapshot.at(file, offset)?;
    let whole = || {
        let info = snapshot.symbol_info(at.around)?;
        (info.full.span.start == offset).then_some(at.around)
    };
    let symbol = at
        .declares
        .or_else(|| imported(snapshot, at.site?))
        .or_else(whole)?;
    let kind = snapshot.symbol_info(symbol)?.kind;
    let runs = kind.is_callable()
        || kind.is_type()
        || matches!(
            kind,
            SymbolKind::Variant | SymbolKind::Macro | SymbolKind::Field
        );
    runs.then_some(symbol)
}

/// What an import or a re-export brings: a server that stops there means what stands behind it.
fn imported(snapshot: &Snapshot, site: SiteId) -> Option<SymbolId> {
    let (facts, _) = snapshot.site(site)?;
    let brings = snapshot
        .own_outcome(site)
        .filter(|_| facts.kind == SiteKind::Import)?;
    brings.symbol()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns count differently on both sides of an accent and of a surrogate pair.
    #[test]
    fn columns_are_converted_both_ways() {
        let line = "a = é𝒳(b)";
        for (utf16, bytes) in [(0, 0), (4, 4), (5, 6), (7, 10), (10, 13)] {
            assert_eq!(bytes_of(line, utf16), Some(bytes), "{utf16}");
            assert_eq!(utf16_column(line, bytes), utf16, "{bytes}");
        }
        assert_eq!(bytes_of(line, 6), None, "inside a pair");
        assert_eq!(bytes_of(line, 11), None, "past the end");
    }
}
