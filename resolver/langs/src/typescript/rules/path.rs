//! Paths of the tree: joined and normalised as text, and the files a module
//! path may mean.

use surefoot_facts::PathReader;
use surefoot_graph::FileId;

/// What a path without or with an extension leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    File(FileId),
    /// Something stands there that is no source: data, a style sheet.
    Resource,
    Nothing,
}

/// The folder of a path; the root is empty.
pub(super) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// The folder itself, then each one around it up to the root.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let here = next?;
        next = (!here.is_empty()).then(|| self::folder(here));
        Some(here)
    })
}

pub(super) fn inside(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// `relative` seen from `folder`; `None` when it leaves the tree.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in relative.split('/') {
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

/// The part of `path` below `folder`.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

const APPENDED: [&str; 7] = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts"];
const SCRIPTS: [&str; 4] = [".js", ".jsx", ".mjs", ".cjs"];

/// A script's extension, and those its source may have.
const WRITTEN: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

fn source_of(reader: &dyn PathReader, path: &str) -> Option<FileId> {
    let (stem, others) = WRITTEN
        .iter()
        .find_map(|(ext, others)| Some((path.strip_suffix(ext)?, others)))?;
    others
        .iter()
        .find_map(|o| reader.file(&format!("{stem}{o}")))
}

/// What a script imports is what runs: a script beside its declarations goes
/// before them.
pub(super) fn run(reader: &dyn PathReader, from: &str, found: Found) -> Found {
    let (Found::File(file), true) = (found, is_script(from)) else {
        return found;
    };
    let path = reader.path(file);
    let declared = [(".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")];
    let beside = declared.iter().find_map(|(types, script)| {
        let stem = path.strip_suffix(types)?;
        reader.file(&format!("{stem}{script}"))
    });
    beside.map_or(found, Found::File)
}

pub(super) fn is_script(path: &str) -> bool {
    SCRIPTS.iter().any(|ext| path.ends_with(ext))
}

/// The file a module path means: as written, by its source's extension, with
/// one appended, or as a folder.
pub(super) fn module(reader: &dyn PathReader, path: &str) -> Found {
    let (path, folder_only) = match path.strip_suffix('/') {
        Some(path) => (path, true),
        None => (path, path.is_empty()),
    };
    if !folder_only {
        let found = exact(reader, path).or_else(|| {
            let all = APPENDED.iter().chain(&SCRIPTS);
            all.map(|ext| format!("{path}{ext}"))
                .find_map(|p| reader.file(&p))
        });
        if let Some(file) = found {
            return Found::File(file);
        }
    }
    if let Some(file) = folder_module(reader, path) {
        return Found::File(file);
    }
    // `./worker?url`: bundlers take a query off before they look.
    let bare = path.split(['?']).next().unwrap_or(path);
    let named = bare.rsplit('/').next().is_some_and(|n| n.contains('.'));
    if named && !folder_only && reader.exists(bare) {
        return match reader.file(bare) {
            Some(file) => Found::File(file),
            None => Found::Resource,
        };
    }
    Found::Nothing
}

/// The file at exactly this path, or the source it is built from beside it.
pub(super) fn exact(reader: &dyn PathReader, path: &str) -> Option<FileId> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if !name.contains('.') {
        return None;
    }
    source_of(reader, path).or_else(|| {
        let known = APPENDED
            .iter()
            .chain(&SCRIPTS)
            .any(|ext| path.ends_with(ext));
        known.then(|| reader.file(path)).flatten()
    })
}

fn folder_module(reader: &dyn PathReader, path: &str) -> Option<FileId> {
    if let Some(package) = super::package::Package::at(reader, path)
        && let Some(main) = package.plain_entry(reader)
    {
        return Some(main);
    }
    let index = inside(path, "index");
    let all = APPENDED.iter().chain(&SCRIPTS);
    all.map(|ext| format!("{index}{ext}"))
        .find_map(|p| reader.file(&p))
}
