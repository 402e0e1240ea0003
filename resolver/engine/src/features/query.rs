//! From what a person types to the symbol they mean.

use crate::snapshot::Snapshot;
use surefoot_facts::Name;
use surefoot_graph::{FileId, SymbolId};

/// What a text means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    One(SymbolId),
    /// Several symbols answer to it, by file and position: ask again with more
    /// of the name.
    Many(Vec<SymbolId>),
    /// `path:line[:column]` where no symbol is, or a file that is not here.
    NoSuchPlace(String),
    NoSuchName,
}

/// Finds the symbol a text means: a name (`load`), part of a qualified name from
/// its end (`Store::load`, `Store.load`, `src/store.rs::Store::load`), or a place
/// (`src/store.rs:12`, `src/store.rs:12:7`; lines and columns from one, columns
/// in bytes).
pub fn find(snapshot: &Snapshot, text: &str) -> Found {
    let text = text.trim();
    if let Some((path, line, column)) = place(text) {
        return at_place(snapshot, path, line, column);
    }
    let wanted = segments(snapshot, text);
    let Some(last) = wanted.last() else {
        return Found::NoSuchName;
    };
    let mut hits: Vec<SymbolId> = snapshot
        .symbols_named(Name::new(last))
        .into_iter()
        .filter(|&id| matches(snapshot, id, &wanted))
        .collect();
    // A shown declaration is meant before one that stands for another.
    let shown = |id: &SymbolId| {
        let d = snapshot.decl(*id);
        d.is_some_and(|d| d.kind().is_shown() && !d.file.prelude)
    };
    hits.retain(shown);
    if hits.is_empty() {
        // A file by its whole path, or by the end of it, is its module.
        let files = snapshot.files().filter(|f| {
            let path: &str = &f.path;
            path == text || path.ends_with(&format!("/{text}"))
        });
        hits.extend(files.map(|f| f.module));
    }
    match hits.len() {
        0 => Found::NoSuchName,
        1 => Found::One(hits[0]),
        _ => Found::Many(hits),
    }
}

/// `path:line[:column]`, from one.
fn place(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let number = |t: &str| t.parse::<u32>().ok().filter(|&n| n > 0);
    let (head, last) = text.rsplit_once(':')?;
    let last = number(last)?;
    if let Some((path, line)) = head.rsplit_once(':')
        && let Some(line) = number(line)
    {
        return Some((path, line, Some(last)));
    }
    Some((head, last, None))
}

fn at_place(snapshot: &Snapshot, path: &str, line: u32, column: Option<u32>) -> Found {
    let path = path.strip_prefix("./").unwrap_or(path);
    let no = || Found::NoSuchPlace(path.to_owned());
    let Some(file) = file_named(snapshot, path) else {
        return no();
    };
    let found = match column {
        Some(column) => snapshot
            .offset(file, line - 1, column - 1)
            .and_then(|offset| snapshot.symbol_at(file, offset)),
        None => on_line(snapshot, file, line - 1),
    };
    found.map_or_else(no, Found::One)
}

/// The file of a path, or the one file whose path ends so.
pub fn file_named(snapshot: &Snapshot, path: &str) -> Option<FileId> {
    if let Some(file) = snapshot.file_at(path) {
        return Some(file);
    }
    let end = format!("/{path}");
    let mut hits = snapshot.files().filter(|f| f.path.ends_with(&end));
    let first = hits.next()?.id;
    hits.next().is_none().then_some(first)
}

/// The first declaration whose name stands on a line, else the one around it.
fn on_line(snapshot: &Snapshot, file: FileId, line: u32) -> Option<SymbolId> {
    let declared = snapshot.symbols_of(file).into_iter().filter_map(|id| {
        let d = snapshot.decl(id)?;
        let place = snapshot.spans(&d).1;
        (d.kind().is_shown() && place.start.line == line && !place.span.is_empty())
            .then_some((place.start.column, id))
    });
    if let Some((_, id)) = declared.min() {
        return Some(id);
    }
    let offset = snapshot.offset(file, line, 0)?;
    Some(snapshot.at(file, offset)?.around)
}

/// The parts of a name as written, in either notation. A leading path stays whole.
fn segments<'t>(snapshot: &Snapshot, text: &'t str) -> Vec<&'t str> {
    let mut parts: Vec<&str> = text.split("::").filter(|p| !p.is_empty()).collect();
    let Some(last) = parts.pop() else {
        return parts;
    };
    // `Store.load` is two parts; `store.rs` and `src/a.ts` are one.
    if last.contains('/') || parts.is_empty() && is_file_name(snapshot, last) {
        parts.push(last);
    } else {
        parts.extend(last.split('.').filter(|p| !p.is_empty()));
    }
    parts
}

fn is_file_name(snapshot: &Snapshot, text: &str) -> bool {
    let languages = snapshot.languages();
    let mut extensions = languages.0.iter().flat_map(|l| l.extensions());
    extensions.any(|e| {
        text.strip_suffix(*e)
            .is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
    })
}

/// Whether the chain of names above a symbol ends as asked. The first part may
/// be the end of the file's path, with or without its extension.
fn matches(snapshot: &Snapshot, id: SymbolId, wanted: &[&str]) -> bool {
    let Some(d) = snapshot.decl(id) else {
        return false;
    };
    let chain = snapshot.chain(&d);
    let mut have = chain.iter().rev();
    for (i, part) in wanted.iter().enumerate().rev() {
        match have.next() {
            Some(name) if name == part => {}
            // Everything of the chain is used up: what is left names the file.
            None => return is_file(&d.file.path, &wanted[..=i]),
            Some(_) => return false,
        }
    }
    true
}

fn is_file(path: &str, parts: &[&str]) -> bool {
    let asked = parts.join("/");
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let ends = |whole: &str| {
        whole
            .strip_suffix(asked.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(path) || ends(stem)
}

/// Symbols whose name holds the letters of `text` in order, case ignored, the
/// best first, at most `limit`; and how many more there were.
pub fn search(snapshot: &Snapshot, text: &str, limit: usize) -> (Vec<SymbolId>, usize) {
    let wanted: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let mut names: Vec<(u32, &'static str, Name)> = snapshot
        .names()
        .filter_map(|name| Some((rank(name.text(), text, &wanted)?, name.text(), name)))
        .collect();
    names.sort_unstable();
    let mut out = Vec::new();
    let mut more = 0;
    for (_, _, name) in names {
        for id in snapshot.symbols_named(name) {
            if !snapshot.decl(id).is_some_and(|d| d.kind().is_shown()) {
                continue;
            }
            if out.len() < limit {
                out.push(id);
            } else {
                more += 1;
            }
        }
    }
    (out, more)
}

/// Lower is better; `None`: no match.
fn rank(name: &str, text: &str, wanted: &[char]) -> Option<u32> {
    if name == text {
        return Some(0);
    }
    let lower: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    if lower.starts_with(wanted) {
        return Some(if lower.len() == wanted.len() { 1 } else { 2 });
    }
    if lower.windows(wanted.len().max(1)).any(|w| w == wanted) {
        return Some(3);
    }
    let mut rest = lower.iter();
    wanted
        .iter()
        .all(|c| rest.any(|n| n == c))
        .then_some(4 + (lower.len() as u32).min(1_000))
}
