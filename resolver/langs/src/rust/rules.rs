//! How Rust names lead to files, packages and builtins.

use super::{builtins, cfg};
use surefoot_facts::{
    Builtin, Lit, ManifestFacts, ModuleFile, Name, PackageOf, PathReader, Rules, Traits,
};
use surefoot_graph::FileId;

pub(super) static RULES: RustRules = RustRules;
pub(super) struct RustRules;

static TRAITS: Traits = Traits {
    module_tree: true,
    modules_nest: false,
    auto_deref: true,
    call_constructs: true,
    branches_agree: true,
    async_hides_promise: true,
    positional_params: false,
    virtual_methods: false,
    structural: false,
    private_imports: true,
    traits_give_members: true,
    literals: &[
        (Lit::Str, "str"),
        (Lit::Char, "char"),
        (Lit::Int, "i32"),
        (Lit::Float, "f64"),
        (Lit::Bool, "bool"),
        (Lit::Bytes, "[u8]"),
        (Lit::ByteChar, "u8"),
        (Lit::Unit, "()"),
    ],
    array: "slice",
    function: "",
    object: "",
    promise: "Future",
    range: "Range",
    boolean: "bool",
    untyped: &[],
};

impl Rules for RustRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn module_file(&self, path: &str, inside: &[&str], name: &str, written: &str) -> ModuleFile {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.strip_suffix(".rs").unwrap_or(file);
        let own = join(folder, stem);
        // A target's root looks beside itself; so does `mod.rs`.
        let beside = matches!(stem, "mod" | "lib" | "main" | "build") || is_target(folder);
        let mut bases = if beside {
            vec![folder.to_owned()]
        } else {
            vec![own.clone()]
        };
        if !written.is_empty() {
            // Relative to the file, or below the inline modules around.
            let from = if inside.is_empty() {
                folder.to_owned()
            } else {
                below(&bases[0], inside)
            };
            return ModuleFile {
                candidates: vec![normal(&join(&from, written))],
            };
        }
        // A root that only its manifest names looks beside itself as well; for
        // any other file the compiler would refuse the module.
        bases.push(if beside { own } else { folder.to_owned() });
        let candidates = bases
            .iter()
            .map(|base| join(&below(base, inside), name))
            .flat_map(|at| [format!("{at}.rs"), format!("{at}/mod.rs")])
            .collect();
        ModuleFile { candidates }
    }

    fn package(&self, reader: &dyn PathReader, file: FileId) -> PackageOf {
        let path = reader.path(file);
        let mut out = PackageOf::default();
        // The stub is no part of the tree, whatever manifest stands at its root.
        if path.starts_with('<') {
            return out;
        }
        let mut folder = &*path;
        let (folder, manifest) = loop {
            folder = folder.rsplit_once('/').map_or("", |(up, _)| up);
            match reader.manifest(&join(folder, NAME)) {
                Some(m)
                    if matches!(
                        &*m,
                        ManifestFacts::Cargo {
                            package: Some(_),
                            ..
                        }
                    ) =>
                {
                    break (folder, m);
                }
                _ if folder.is_empty() => return out,
                _ => {}
            }
        };
        let ManifestFacts::Cargo { dependencies, .. } = &*manifest else {
            return out;
        };
        if let Some((name, lib)) = library(reader, folder) {
            out.packages.push((Name::new(&name), lib));
        }
        for (name, path, package) in dependencies {
            let from = match path {
                Some(path) => Some(normal(&join(folder, path))),
                None => inherited(reader, folder, name),
            };
            match from.and_then(|at| library(reader, &at)) {
                Some((own, lib)) => {
                    let renamed = name != package;
                    out.packages
                        .push((Name::new(if renamed { name } else { &own }), lib));
                }
                None => out.outside.push(Name::new(name)),
            }
        }
        out
    }

    fn builtin(&self, name: Name) -> Option<Builtin> {
        builtins::builtin(name)
    }

    fn builtin_type(&self, name: &str) -> Option<&'static str> {
        builtins::builtin_type(name)
    }

    fn holds(&self, reader: &dyn PathReader, file: FileId, condition: &str) -> Option<bool> {
        let path = reader.path(file);
        cfg::holds(condition, &|name| cfg::default_feature(reader, &path, name))
    }
}

const NAME: &str = "Cargo.toml";

fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

fn below(base: &str, inside: &[&str]) -> String {
    inside
        .iter()
        .fold(base.to_owned(), |at, name| join(&at, name))
}

/// The path without `.` and `..`; what climbs above the root keeps its dots and
/// so names nothing.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A folder whose files are targets of their own.
fn is_target(folder: &str) -> bool {
    let last = folder.rsplit('/').next().unwrap_or(folder);
    matches!(last, "bin" | "tests" | "examples" | "benches")
}

/// The library of the package in a folder: its name in code and its root.
fn library(reader: &dyn PathReader, folder: &str) -> Option<(String, FileId)> {
    let manifest = reader.manifest(&join(folder, NAME))?;
    let ManifestFacts::Cargo {
        package,
        lib_path,
        lib_name,
        ..
    } = &*manifest
    else {
        return None;
    };
    let name = lib_name.clone().or_else(|| package.clone())?;
    let root = lib_path.as_deref().unwrap_or("src/lib.rs");
    Some((name, reader.file(&normal(&join(folder, root)))?))
}

/// The folder of a dependency that the workspace above declares with a path.
fn inherited(reader: &dyn PathReader, folder: &str, name: &str) -> Option<String> {
    let mut at = folder;
    loop {
        if let Some(m) = reader.manifest(&join(at, NAME))
            && let ManifestFacts::Cargo {
                workspace: true,
                workspace_dependencies,
                ..
            } = &*m
        {
            let (_, path, _) = workspace_dependencies.iter().find(|(n, _, _)| n == name)?;
            return Some(normal(&join(at, path.as_deref()?)));
        }
        if at.is_empty() {
            return None;
        }
        at = at.rsplit_once('/').map_or("", |(up, _)| up);
    }
}
