//! From what a person names to the one symbol or file it means.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use surefoot_engine::features::query::{self, Found};
use surefoot_engine::{Snapshot, SymbolInfo};
use surefoot_facts::{Flags, Name};
use surefoot_graph::{FileId, SymbolId, SymbolKind};

use super::around::{self, tidied};
use super::failure::{Failure, Outcome};
use super::place::{Named, Place};
use super::project::Project;

/// An ambiguous name lists this many of what it may mean.
const LISTED: usize = 50;

/// The one symbol that is named.
pub fn symbol(project: &Project, named: &Named) -> Outcome<SymbolId> {
    let snapshot = &project.snapshot;
    let (text, address, shown) = match named {
        Named::Name(name) => {
            let (name, address) = address(name);
            (name.to_owned(), address, name.to_owned())
        }
        Named::Place(place) => {
            let id = self::file(project, &place.file)?;
            offset(project, id, place)?;
            let path = snapshot
                .file(id)
                .map_or_else(String::new, |f| f.path.to_string());
            let column = place.column.map_or_else(String::new, |c| format!(":{c}"));
            let text = format!("{path}:{}{column}", place.line);
            (text.clone(), None, text)
        }
    };
    // In a folder of the tree `src/lib.rs::run` is that of the folder, as `src/lib.rs:12` is.
    let here = around::here().ok();
    let here = here.and_then(|here| project.root().relative(&here).ok());
    let here = here.filter(|here| !here.is_root() && text.contains("::"));
    let own = here.map(|here| query::find(snapshot, &format!("{}/{text}", here.as_str())));
    let own = own.filter(|found| matches!(found, Found::One(_) | Found::Many(_)));
    let found = match own.unwrap_or_else(|| query::find(snapshot, &text)) {
        Found::One(id) => vec![id],
        Found::Many(ids) => ids,
        Found::NoSuchName => match inherited(snapshot, &text) {
            none if none.is_empty() => return Err(not_found(project, &shown)),
            inherited => inherited,
        },
        Found::NoSuchPlace(_) => {
            return Err(Failure::new(
                "entity_not_found",
                format!("Nothing stands at {shown}."),
            ));
        }
    };
    let infos = found.iter().filter_map(|&id| snapshot.symbol_info(id));
    let mut fitting: Vec<SymbolInfo> = infos.filter(|i| stands_at(i, address)).collect();
    // A field or constant of the name is not what is called; it is meant only when nothing else is.
    if fitting.iter().any(|info| is_called(info.kind)) {
        fitting.retain(|info| is_called(info.kind));
    }
    if address.is_none() {
        merge_overloads(snapshot, &mut fitting);
    }
    match fitting.as_slice() {
        [one] => Ok(one.id),
        [] => Err(not_found(project, &shown)),
        several => Err(ambiguous(&shown, several)),
    }
}

/// The signatures written above a function are the function, and its calls are kept with its body.
fn merge_overloads(snapshot: &Snapshot, fitting: &mut Vec<SymbolInfo>) {
    let has_body = |info: &SymbolInfo| !info.flags.has(Flags::BODILESS);
    let same = |a: &SymbolInfo, b: &SymbolInfo| {
        a.kind == b.kind && a.parent == b.parent && a.qualified == b.qualified
    };
    let body_of = |signature: &SymbolInfo| {
        let beside = snapshot.children(signature.parent?);
        let infos = beside.into_iter().filter_map(|id| snapshot.symbol_info(id));
        let mut bodies = infos.filter(|i| same(i, signature) && has_body(i));
        let one = bodies.next()?;
        bodies.next().is_none().then_some(one)
    };
    let mut out: Vec<SymbolInfo> = Vec::new();
    for info in fitting.drain(..) {
        let meant = match has_body(&info) || !info.kind.is_callable() {
            true => info,
            false => body_of(&info).unwrap_or(info),
        };
        if !out.iter().any(|o| o.id == meant.id) {
            out.push(meant);
        }
    }
    *fitting = out;
}

/// What `Derived.member` means when a base of `Derived` declares the member: the nearest ones.
fn inherited(snapshot: &Snapshot, text: &str) -> Vec<SymbolId> {
    /// A hierarchy deeper than this is cut; the name is then not found, and said so.
    const LEVELS: usize = 32;
    let split = text.rsplit_once("::").or_else(|| text.rsplit_once('.'));
    let Some((holder, member)) = split else {
        return Vec::new();
    };
    // `Type.member` behind a path with `::`.
    let (holder, member) = match member.rsplit_once('.') {
        Some((name, member)) => (format!("{holder}::{name}"), member),
        None => (holder.to_owned(), member),
    };
    let mut level: Vec<SymbolId> = match query::find(snapshot, &holder) {
        Found::One(id) => vec![id],
        Found::Many(ids) => ids,
        _ => return Vec::new(),
    };
    let mut seen = HashSet::new();
    for _ in 0..LEVELS {
        let bases = level.iter().flat_map(|&id| snapshot.bases(id));
        let mut bases: Vec<SymbolId> = bases.filter_map(|base| base.target).collect();
        bases.retain(|id| seen.insert(*id));
        let holders = bases.iter().flat_map(|&id| {
            let blocks = snapshot.blocks(id);
            std::iter::once(id).chain(blocks)
        });
        let members = holders.flat_map(|id| snapshot.children(id));
        let found: Vec<SymbolId> = members
            .filter(|&id| {
                let info = snapshot.symbol_info(id);
                info.is_some_and(|i| i.name == member && is_called(i.kind))
            })
            .collect();
        if !found.is_empty() || bases.is_empty() {
            return found;
        }
        level = bases;
    }
    Vec::new()
}

fn is_called(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type() || kind == SymbolKind::Macro
}

/// The line and column behind a key of a report (`src/a.rs::new@12`, `src/a.rs::new@12:5`).
fn address(text: &str) -> (&str, Option<(u32, Option<u32>)>) {
    let Some((name, behind)) = text.rsplit_once('@') else {
        return (text, None);
    };
    let (line, column) = match behind.split_once(':') {
        Some((line, column)) => (line.parse().ok(), column.parse().ok()),
        None => (behind.parse().ok(), None),
    };
    match line {
        Some(line) => (name, Some((line, column))),
        // An `@` that is part of the name.
        None => (text, None),
    }
}

fn stands_at(info: &SymbolInfo, address: Option<(u32, Option<u32>)>) -> bool {
    let at = info.name_place.start;
    address.is_none_or(|(line, column)| {
        line == at.line + 1 && column.is_none_or(|column| column == at.column + 1)
    })
}

fn not_found(project: &Project, name: &str) -> Failure {
    let snapshot = &project.snapshot;
    if snapshot.totals().files == 0 {
        return Failure::new("entity_not_found", project.nothing_read());
    }
    let last = name.rsplit([':', '.', '/']).next().unwrap_or(name);
    let mut near: Vec<&str> = snapshot
        .names()
        .map(Name::text)
        .filter(|other| other.eq_ignore_ascii_case(last) || is_one_edit_away(other, last))
        .filter(|other| *other != last)
        .collect();
    near.sort_unstable();
    near.truncate(3);
    let hint = match near.as_slice() {
        [] => String::new(),
        near => format!(" Did you mean `{}`?", near.join("` or `")),
    };
    Failure::new(
        "entity_not_found",
        format!("No declaration is called `{name}` here.{hint}"),
    )
}

/// Whether one inserted, dropped or changed character, or two swapped ones, make one name the other.
fn is_one_edit_away(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a.len().min(b.len()) < 3 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    match (&a[start..], &b[start..]) {
        ([x, rest @ ..], y) if rest == y => {
            let _ = x;
            true
        }
        (x, [_, rest @ ..]) if x == rest => true,
        ([x1, x2, x @ ..], [y1, y2, y @ ..]) if x1 == y2 && x2 == y1 && x == y => true,
        ([_, x @ ..], [_, y @ ..]) => x == y,
        _ => true,
    }
}

fn ambiguous(name: &str, several: &[SymbolInfo]) -> Failure {
    let shown = several.iter().take(LISTED);
    let alike = several.iter().all(|i| i.qualified == several[0].qualified);
    let how = match alike {
        true => "They share their whole name: give one as FILE:LINE or as NAME@LINE:",
        false => "Give one as FILE:LINE, as NAME@LINE or by more of its name:",
    };
    let mut message = format!("`{name}` names {} declarations. {how}", several.len());
    for info in shown.clone() {
        let at = info.name_place.start;
        message.push_str(&format!(
            "\n  {}:{}:{}  {} {}",
            info.path,
            at.line + 1,
            at.column + 1,
            info.kind.word(),
            info.qualified
        ));
    }
    if several.len() > LISTED {
        message.push_str(&format!("\n  and {} more", several.len() - LISTED));
    }
    let mut failure = Failure::new("ambiguous_name", message);
    failure.candidates = shown.map(shown_symbol).collect();
    failure
}

/// A symbol as the JSON answers name it.
pub fn shown_symbol(info: &SymbolInfo) -> Value {
    json!({
        "qualified_name": info.qualified,
        "name": info.name,
        "kind": info.kind.word(),
        "file": &*info.path,
        "line": info.name_place.start.line + 1,
        "column": info.name_place.start.column + 1,
    })
}

/// The source file that is named: relative to the current folder or to the root, or by the end of its path.
pub fn file(project: &Project, file: &str) -> Outcome<FileId> {
    let snapshot = &project.snapshot;
    let slashes = if cfg!(windows) {
        file.replace('\\', "/")
    } else {
        file.to_owned()
    };
    // What the shell completes is meant before what an answer of ours would print.
    let inside = tidied(Path::new(file)).and_then(|path| project.root().relative(&path).ok());
    let printed = tidy_inside(&slashes);
    let found = inside
        .as_ref()
        .and_then(|path| snapshot.file_at(path.as_str()))
        .or_else(|| snapshot.file_at(printed.as_ref()?))
        .or_else(|| query::file_named(snapshot, printed.as_ref()?));
    found.ok_or_else(|| {
        let named = [printed.as_deref(), inside.as_ref().map(|p| p.as_str())];
        let why = project
            .skipped()
            .iter()
            .find(|s| named.contains(&Some(s.path.as_str())));
        let message = match why {
            Some(skipped) => format!("`{file}` was not read: {}.", skipped.reason),
            None => format!(
                "`{file}` is no source file of {}, the folder that was read.",
                project.root().real().display()
            ),
        };
        Failure::new("entity_not_found", message)
    })
}

/// A path as an answer prints it, without `.` and `..`; `None` for one that leaves its root.
fn tidy_inside(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The byte where a place stands; without a column, the start of its line.
pub fn offset(project: &Project, file: FileId, place: &Place) -> Outcome<u32> {
    let column = place.column.unwrap_or(1);
    let snapshot = &project.snapshot;
    let no = |why: String| Failure::new("entity_not_found", why);
    let lines = snapshot.file(file).map(|f| f.positions.lines.clone());
    let line = lines.as_ref().and_then(|l| l.line_span(place.line - 1));
    let offset = snapshot.offset(file, place.line - 1, column - 1);
    let (Some(span), Some(offset)) = (line, offset) else {
        let last = lines.map_or(0, |l| l.lines());
        return Err(no(format!(
            "`{}` has no line {}; its last is {last}.",
            place.file, place.line
        )));
    };
    if column - 1 > span.len() {
        return Err(no(format!(
            "Line {} of `{}` has no column {column}; it is {} bytes long.",
            place.line,
            place.file,
            project
                .line(&place.file, place.line)
                .map_or(span.len() as usize, |l| l.len())
        )));
    }
    Ok(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Hotspots and metrics of a report are named by keys: pasting one must find its function.
    #[test]
    fn the_key_of_an_entity_is_taken_apart() {
        assert_eq!(address("load"), ("load", None));
        assert_eq!(
            address("a.rs::T::new@12"),
            ("a.rs::T::new", Some((12, None)))
        );
        assert_eq!(
            address("a.rs::new@12:5"),
            ("a.rs::new", Some((12, Some(5))))
        );
        assert_eq!(address("@scope/x"), ("@scope/x", None));
    }

    // A misspelled name is the most common reason for an empty answer.
    #[test]
    fn a_near_name_is_offered() {
        for (a, b) in [
            ("load", "laod"),
            ("load", "loads"),
            ("load", "lad"),
            ("load", "lord"),
        ] {
            assert!(is_one_edit_away(a, b) && is_one_edit_away(b, a), "{a} {b}");
        }
        assert!(!is_one_edit_away("load", "save"));
        assert!(!is_one_edit_away("a", "b"));
    }
}
