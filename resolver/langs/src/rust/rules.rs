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
    auto_deref: true,
    written_receiver: true,
    call_constructs: true,
    branches_agree: true,
    async_hides_promise: true,
    positional_params: false,
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
    promise: "Future",
    range: "Range",
    boolean: "bool",
    constructor: "constructor",
    ..Traits::PLAIN
};

impl Rules for RustRules {
    fn checked(&self) -> bool {
        true
    }

    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn constructs(&self, of: Name, name: Name) -> bool {
        of.text().starts_with(|c: char| c.is_uppercase())
            && matches!(name.text(), "new" | "default" | "from")
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
            // Where it is, and whether code calls it as the manifest does.
            let mut renamed = name != package;
            let from = match path {
                Some(path) => Some(normal(&join(folder, path))),
                None => inherited(reader, folder, name).map(|(at, package)| {
                    renamed |= *name != package;
                    at
                }),
            };
            match from.and_then(|at| library(reader, &at)) {
                Some((own, lib)) => {
                    let name = if renamed { name } else { &own };
                    out.packages.push((Name::new(name), lib));
                }
                None => out.outside.push(Name::new(name)),
            }
        }
        out
    }

    fn package_stub(&self, package: Name) -> Option<Name> {
        builtins::package_stub(package)
    }

    fn builtin(&self, name: Name) -> Option<Builtin> {
        builtins::builtin(name)
    }

    fn builtin_type(&self, name: &str) -> Option<&'static str> {
        builtins::builtin_type(name)
    }

    fn holds(
        &self,
        reader: &dyn PathReader,
        file: FileId,
        condition: &str,
        declared: &dyn Fn(Name) -> Option<bool>,
    ) -> Option<bool> {
        let path = reader.path(file);
        cfg::holds(condition, &|key| match key {
            cfg::Key::Feature(name) => cfg::feature(reader, &path, name),
            cfg::Key::Name => cfg::set_by_nobody(reader, &path).then_some(false),
            cfg::Key::Macro(name) => declared(Name::new(name)),
        })
    }
}

const NAME: &str = "Cargo.toml";

pub(super) fn join(folder: &str, name: &str) -> String {
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

/// The folder and package name of a dependency that the workspace above
/// declares with a path.
fn inherited(reader: &dyn PathReader, folder: &str, name: &str) -> Option<(String, String)> {
    let mut at = folder;
    loop {
        if let Some(m) = reader.manifest(&join(at, NAME))
            && let ManifestFacts::Cargo {
                workspace: true,
                workspace_dependencies,
                ..
            } = &*m
        {
            let (_, path, package) = workspace_dependencies.iter().find(|(n, _, _)| n == name)?;
            return Some((normal(&join(at, path.as_deref()?)), package.clone()));
        }
        if at.is_empty() {
            return None;
        }
        at = at.rsplit_once('/').map_or("", |(up, _)| up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// A tree of files; those named `Cargo.toml` carry their text.
    struct Tree(Vec<(&'static str, &'static str)>);

    impl PathReader for Tree {
        fn file(&self, path: &str) -> Option<FileId> {
            let at = self.0.iter().position(|f| f.0 == path)?;
            Some(FileId(at as u32))
        }
        fn exists(&self, path: &str) -> bool {
            self.file(path).is_some()
        }
        fn manifest(&self, path: &str) -> Option<Arc<ManifestFacts>> {
            let (path, text) = self.0.iter().find(|f| f.0 == path)?;
            crate::manifest_facts(path, text.as_bytes()).map(Arc::new)
        }
        fn manifests_named(&self, _: &str) -> Vec<Arc<str>> {
            Vec::new()
        }
        fn path(&self, file: FileId) -> Arc<str> {
            Arc::from(self.0[file.index()].0)
        }
    }

    fn named(tree: &Tree, from: &str) -> (Vec<(&'static str, String)>, Vec<&'static str>) {
        let package = RULES.package(tree, tree.file(from).unwrap());
        let packages = package.packages.iter();
        (
            packages
                .map(|(n, f)| (n.text(), tree.path(*f).to_string()))
                .collect(),
            package.outside.iter().map(|n| n.text()).collect(),
        )
    }

    /// A name of another package must lead to its library under the name code
    /// uses: renamed, inherited from the workspace, or named by `[lib]`.
    #[test]
    fn packages_are_named_as_code_names_them() {
        let tree = Tree(vec![
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"a\", \"b\"]\n[workspace.dependencies]\n\
                 b-util = { path = \"b\" }\nshort = { path = \"c\", package = \"long-name\" }\n",
            ),
            (
                "a/Cargo.toml",
                "[package]\nname = \"a-main\"\n[dependencies]\nb-util.workspace = true\n\
                 short = { workspace = true }\nserde = \"1\"\n\
                 [dev-dependencies]\nother = { path = \"../d\", package = \"d\" }\n",
            ),
            ("a/src/lib.rs", ""),
            ("a/src/bin/tool.rs", ""),
            ("b/Cargo.toml", "[package]\nname = \"b-util\"\n"),
            ("b/src/lib.rs", ""),
            ("c/Cargo.toml", "[package]\nname = \"long-name\"\n"),
            ("c/src/lib.rs", ""),
            (
                "d/Cargo.toml",
                "[package]\nname = \"d\"\n[lib]\nname = \"dee\"\npath = \"main/root.rs\"\n",
            ),
            ("d/main/root.rs", ""),
        ]);
        let (packages, outside) = named(&tree, "a/src/bin/tool.rs");
        let expected = [
            ("a_main", "a/src/lib.rs"),
            ("b_util", "b/src/lib.rs"),
            ("other", "d/main/root.rs"),
            ("short", "c/src/lib.rs"),
        ];
        let mut packages: Vec<_> = packages.iter().map(|(n, p)| (*n, &**p)).collect();
        packages.sort_unstable();
        assert_eq!(packages, expected);
        assert_eq!(outside, ["serde"]);
    }

    /// The stub stands beside no manifest: a dependency named like one of its
    /// modules must not take that module's place.
    #[test]
    fn the_stub_belongs_to_no_package() {
        let tree = Tree(vec![
            (
                "Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nio = \"1\"\n",
            ),
            ("<prelude>/rust/std.rs", ""),
        ]);
        let (packages, outside) = named(&tree, "<prelude>/rust/std.rs");
        assert!(packages.is_empty() && outside.is_empty());
    }

    /// Where the compiler looks for `mod x;`, by what kind of file says so.
    #[test]
    fn modules_are_looked_for_where_the_compiler_looks() {
        let first = |path: &str, inside: &[&str], name: &str, written: &str| {
            RULES.module_file(path, inside, name, written).candidates[..]
                .first()
                .cloned()
                .unwrap_or_default()
        };
        assert_eq!(first("src/lib.rs", &[], "x", ""), "src/x.rs");
        assert_eq!(first("src/a.rs", &[], "x", ""), "src/a/x.rs");
        assert_eq!(first("src/a/mod.rs", &[], "x", ""), "src/a/x.rs");
        assert_eq!(first("src/a.rs", &["m"], "x", ""), "src/a/m/x.rs");
        assert_eq!(first("tests/t.rs", &[], "x", ""), "tests/x.rs");
        assert_eq!(first("src/a.rs", &[], "x", "b/c.rs"), "src/b/c.rs");
        assert_eq!(first("src/a.rs", &["m"], "x", "../c.rs"), "src/a/c.rs");
        assert_eq!(first("src/lib.rs", &["m"], "x", "c.rs"), "src/m/c.rs");
    }
}
