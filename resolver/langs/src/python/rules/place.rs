//! Where a module name leads: source roots, packages, folders without one.

use super::stdlib;
use surefoot_facts::{ManifestFacts, PathReader, Specifier};
use surefoot_graph::{FileId, Rule};

/// Where the stub of the standard library stands.
const STUB: &str = "<prelude>/python";

/// What a dotted name leads to below a folder.
enum Found {
    File(FileId),
    /// A folder that is a package without `__init__.py`.
    Folder(String),
    /// The first name is there, the rest is not.
    Part,
    Nothing,
}

pub(super) fn specifier(reader: &dyn PathReader, from: &str, spec: &str) -> Specifier {
    let up = spec.bytes().take_while(|b| *b == b'.').count();
    if up > 0 {
        return relative(
            reader,
            from,
            up,
            spec[up..].trim_start_matches([' ', '\\', '\n']),
        );
    }
    if from.starts_with(STUB) {
        return match below(reader, STUB, spec) {
            Found::File(file) => certain(file),
            _ => Specifier::Outside,
        };
    }
    let first = spec.split('.').next().unwrap_or(spec);
    let own = source_root(reader, from);
    let mut part = false;
    let mut folder: Option<String> = None;
    for root in roots(reader, from, own) {
        match below(reader, &root, spec) {
            Found::File(file) => return certain(file),
            Found::Folder(path) => folder = folder.or(Some(path)),
            Found::Part => part = true,
            Found::Nothing => {}
        }
    }
    // What later versions have is backported under the same names.
    if first == "typing_extensions" && !part {
        let file = reader.file(&format!("{STUB}/typing.pyi"));
        return file.map_or(Specifier::Outside, certain);
    }
    if stdlib::is_standard(first) && !part {
        return match below(reader, STUB, spec) {
            Found::File(file) => certain(file),
            _ => Specifier::Outside,
        };
    }
    // A script sees what stands beside it.
    if let Found::File(file) = below(reader, folder_of(from), spec) {
        return certain(file);
    }
    match folder {
        Some(path) => Specifier::Folder(path.into()),
        None if part => Specifier::Missing,
        None => Specifier::Outside,
    }
}

fn certain(file: FileId) -> Specifier {
    Specifier::File {
        file,
        proved: true,
        rule: Rule::Import,
    }
}

fn relative(reader: &dyn PathReader, from: &str, up: usize, rest: &str) -> Specifier {
    let mut folder = folder_of(from);
    for _ in 1..up {
        if folder.is_empty() {
            return Specifier::Outside;
        }
        folder = folder_of(folder);
    }
    if rest.is_empty() {
        return match reader.file(&join(folder, "__init__.py")) {
            Some(file) => certain(file),
            None => Specifier::Folder(folder.into()),
        };
    }
    match below(reader, folder, rest) {
        Found::File(file) => certain(file),
        Found::Folder(path) => Specifier::Folder(path.into()),
        Found::Part | Found::Nothing => Specifier::Missing,
    }
}

/// The module `name` of the package at a path: a file's folder, or a folder.
pub(super) fn submodule(reader: &dyn PathReader, package: &str, name: &str) -> Specifier {
    let folder = match package.strip_suffix("/__init__.py") {
        Some(folder) => folder,
        None if package == "__init__.py" => "",
        // The stub keeps packages in files: `os.path` is `os.path.pyi`.
        None => match package.strip_suffix(".pyi").filter(|p| p.starts_with(STUB)) {
            Some(stem) => {
                return match reader.file(&format!("{stem}.{name}.pyi")) {
                    Some(file) => certain(file),
                    None => Specifier::Missing,
                };
            }
            None if package.ends_with(".py") || package.ends_with(".pyi") => {
                return Specifier::Missing;
            }
            None => package,
        },
    };
    match below(reader, folder, name) {
        Found::File(file) => certain(file),
        Found::Folder(path) => Specifier::Folder(path.into()),
        _ => Specifier::Missing,
    }
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn module_at(reader: &dyn PathReader, path: &str) -> Option<FileId> {
    reader
        .file(&format!("{path}/__init__.py"))
        .or_else(|| reader.file(&format!("{path}.py")))
        .or_else(|| reader.file(&format!("{path}.pyi")))
        .or_else(|| reader.file(&format!("{path}/__init__.pyi")))
}

/// A dotted name below a folder.
fn below(reader: &dyn PathReader, root: &str, spec: &str) -> Found {
    if root == STUB {
        let file = reader.file(&format!("{STUB}/{spec}.pyi"));
        return file.map_or(Found::Nothing, Found::File);
    }
    let mut at = root.to_owned();
    let mut parts = spec.split('.').peekable();
    let mut first = true;
    while let Some(part) = parts.next() {
        at = join(&at, part);
        if parts.peek().is_none() {
            if let Some(file) = module_at(reader, &at) {
                return Found::File(file);
            }
        } else if reader.file(&format!("{at}/__init__.py")).is_some() {
            first = false;
            continue;
        }
        if !reader.exists(&at) {
            return if first { Found::Nothing } else { Found::Part };
        }
        if parts.peek().is_none() {
            return Found::Folder(at);
        }
    }
    Found::Nothing
}

/// The folder above the outermost package a file stands in.
fn source_root<'p>(reader: &dyn PathReader, path: &'p str) -> &'p str {
    let mut folder = folder_of(path);
    while !folder.is_empty() && reader.file(&join(folder, "__init__.py")).is_some() {
        folder = folder_of(folder);
    }
    folder
}

/// Folders that absolute imports start from, nearest first.
fn roots(reader: &dyn PathReader, from: &str, own: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |root: String| {
        if !out.contains(&root) {
            out.push(root);
        }
    };
    // A folder of scripts is a root for its scripts only; see above.
    if own != folder_of(from) || own.is_empty() || own == "src" || own.ends_with("/src") {
        add(own.to_owned());
    }
    let mut at = Some(own);
    while let Some(folder) = at {
        for manifest in ["pyproject.toml", "setup.cfg", "setup.py"] {
            let path = join(folder, manifest);
            if manifest == "setup.py" {
                if reader.file(&path).is_some() {
                    add(join(folder, "src"));
                    add(folder.to_owned());
                }
                continue;
            }
            let Some(facts) = reader.manifest(&path) else {
                continue;
            };
            if let ManifestFacts::Python { roots, .. } = &*facts {
                for root in roots {
                    add(normal(&join(folder, root)));
                }
            }
            add(join(folder, "src"));
            add(folder.to_owned());
        }
        at = (!folder.is_empty()).then(|| folder_of(folder));
    }
    add("src".to_owned());
    add(String::new());
    for name in ["pyproject.toml", "setup.cfg"] {
        for path in reader.manifests_named(name) {
            let folder = folder_of(&path);
            if let Some(facts) = reader.manifest(&path)
                && let ManifestFacts::Python { roots, .. } = &*facts
            {
                for root in roots {
                    add(normal(&join(folder, root)));
                }
            }
            add(join(folder, "src"));
            add(folder.to_owned());
        }
    }
    out
}

fn normal(path: &str) -> String {
    let parts = path.split('/').filter(|p| !p.is_empty() && *p != ".");
    parts.collect::<Vec<_>>().join("/")
}
