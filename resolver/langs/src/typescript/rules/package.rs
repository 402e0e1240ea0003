//! package.json: packages of the tree, what they depend on, and what they let
//! others import.

use super::config::{self, wild};
use super::json::{self, Mapped, Target};
use super::path::{Found, below, exact, folder, inside, join, module, upwards};
use std::sync::Arc;
use surefoot_facts::{ManifestFacts, PathReader, Specifier};
use surefoot_graph::{FileId, Rule};

/// A readable package.json and the folder it stands in.
pub(super) struct Package {
    pub(super) dir: String,
    facts: Arc<ManifestFacts>,
}

/// The package part of a specifier and what follows it.
pub(super) fn split(spec: &str) -> (&str, &str) {
    let slashes = if spec.starts_with('@') { 2 } else { 1 };
    let end = spec.match_indices('/').nth(slashes - 1);
    match end {
        Some((at, _)) => (&spec[..at], &spec[at + 1..]),
        None => (spec, ""),
    }
}

/// Folders of the packages of the tree with this name.
pub(super) fn named(reader: &dyn PathReader, name: &str) -> Vec<String> {
    let all = reader.manifests_named("package.json");
    let mut out = Vec::new();
    for path in all {
        let dir = folder(&path);
        let its = Package::at(reader, dir);
        if its.is_some_and(|p| p.name() == Some(name)) {
            out.push(dir.to_owned());
        }
    }
    out
}

/// Whether a package of the tree has this name, or one of its scope.
pub(super) fn is_of_tree(reader: &dyn PathReader, name: &str) -> bool {
    let scope = name.split_once('/').map(|(scope, _)| scope);
    reader.manifests_named("package.json").iter().any(|path| {
        let its = Package::at(reader, folder(path));
        its.as_ref().and_then(Package::name).is_some_and(|n| {
            n == name || scope.is_some_and(|s| n.split_once('/').is_some_and(|(o, _)| o == s))
        })
    })
}

/// What a package.json above a file says about a name.
pub(super) enum Declared {
    No,
    /// With the range as written, and the folder of the manifest.
    Yes {
        range: String,
        dir: String,
    },
    Unreadable,
}

/// The nearest manifest above `from` that declares `name`.
pub(super) fn declared(reader: &dyn PathReader, from: &str, name: &str) -> Declared {
    let types = match name.strip_prefix('@') {
        Some(scoped) => format!("@types/{}", scoped.replacen('/', "__", 1)),
        None => format!("@types/{name}"),
    };
    let mut unreadable = false;
    let mut by_types = None;
    for dir in upwards(folder(from)) {
        let Some(facts) = reader.manifest(&inside(dir, "package.json")) else {
            continue;
        };
        match &*facts {
            ManifestFacts::Package { dependencies, .. } => {
                let mut all = dependencies.iter();
                if let Some((_, range)) = all.find(|d| d.0 == name) {
                    return Declared::Yes {
                        range: range.clone(),
                        dir: dir.to_owned(),
                    };
                }
                if dependencies.iter().any(|d| d.0 == types) {
                    by_types.get_or_insert(dir.to_owned());
                }
            }
            _ => unreadable = true,
        }
    }
    match by_types {
        Some(dir) => Declared::Yes {
            range: String::new(),
            dir,
        },
        None if unreadable => Declared::Unreadable,
        None => Declared::No,
    }
}

/// The folder of the workspace root whose list holds this package folder.
fn workspace_of(reader: &dyn PathReader, dir: &str) -> Option<(String, bool)> {
    upwards(dir).find_map(|root| {
        let here = below(dir, root)?;
        let listed = |globs: &[String]| here.is_empty() || lists(globs, here);
        let pnpm = reader.manifest(&inside(root, "pnpm-workspace.yaml"));
        if let Some(ManifestFacts::Workspace { packages }) = pnpm.as_deref()
            && listed(packages)
        {
            return Some((root.to_owned(), true));
        }
        let package = Package::at(reader, root)?;
        let ManifestFacts::Package { workspaces, .. } = &*package.facts else {
            return None;
        };
        (!workspaces.is_empty() && listed(workspaces)).then(|| (root.to_owned(), false))
    })
}

/// Whether a list of workspace globs holds a folder; `!x` takes out.
fn lists(globs: &[String], dir: &str) -> bool {
    let mut held = false;
    for glob in globs {
        let (out, glob) = match glob.strip_prefix('!') {
            Some(glob) => (true, glob),
            None => (false, glob.as_str()),
        };
        let glob = glob
            .strip_prefix("./")
            .unwrap_or(glob)
            .trim_end_matches('/');
        let parts: Vec<&str> = glob.split('/').collect();
        let path: Vec<&str> = dir.split('/').collect();
        if fits(&parts, &path, 0) {
            held = !out;
        }
    }
    held
}

fn fits(parts: &[&str], path: &[&str], depth: usize) -> bool {
    match (parts.split_first(), path.split_first()) {
        _ if depth > 64 => false,
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            (0..=path.len()).any(|skip| fits(rest, &path[skip..], depth + 1))
        }
        (Some((part, rest)), Some((name, below))) => {
            wild(part, name) && fits(rest, below, depth + 1)
        }
        _ => false,
    }
}

/// The package of this tree that `name` means for a file, if it means one.
pub(super) enum InTree {
    Package(Package),
    Ambiguous,
    No,
}

pub(super) fn in_tree(
    reader: &dyn PathReader,
    from: &str,
    name: &str,
    declared: &Declared,
) -> InTree {
    if let Declared::Yes { range, dir } = declared {
        let linked = ["file:", "link:", "portal:"]
            .iter()
            .find_map(|p| range.strip_prefix(p));
        if let Some(path) = linked {
            let at = join(dir, path).and_then(|d| Package::at(reader, &d));
            return at.map_or(InTree::No, InTree::Package);
        }
    }
    let homes = named(reader, name);
    if homes.is_empty() {
        return InTree::No;
    }
    let Some(own) = upwards(folder(from)).find_map(|d| Package::at(reader, d)) else {
        return InTree::No;
    };
    let Some((root, pnpm)) = workspace_of(reader, &own.dir) else {
        return InTree::No;
    };
    // pnpm links what is declared; npm and yarn link every package of the workspace.
    if pnpm && !matches!(declared, Declared::Yes { .. }) && own.name() != Some(name) {
        return InTree::No;
    }
    let mut linked = homes
        .into_iter()
        .filter(|home| workspace_of(reader, home).is_some_and(|w| w.0 == root));
    match (linked.next(), linked.next()) {
        (Some(home), None) => match Package::at(reader, &home) {
            Some(package) => InTree::Package(package),
            None => InTree::No,
        },
        (Some(_), Some(_)) => InTree::Ambiguous,
        _ => InTree::No,
    }
}

impl Package {
    pub(super) fn at(reader: &dyn PathReader, dir: &str) -> Option<Package> {
        let facts = reader.manifest(&inside(dir, "package.json"))?;
        matches!(&*facts, ManifestFacts::Package { .. }).then(|| Package {
            dir: dir.to_owned(),
            facts,
        })
    }

    pub(super) fn name(&self) -> Option<&str> {
        match &*self.facts {
            ManifestFacts::Package { name, .. } => name.as_deref(),
            _ => None,
        }
    }

    pub(super) fn has_exports(&self) -> bool {
        matches!(
            &*self.facts,
            ManifestFacts::Package {
                exports: Some(_),
                ..
            }
        )
    }

    /// `#name` of this package's own map.
    pub(super) fn internal(&self, spec: &str) -> Option<Mapped> {
        match &*self.facts {
            ManifestFacts::Package {
                imports: Some(map), ..
            } => Some(json::lookup(map, spec)),
            _ => None,
        }
    }

    fn entries(&self) -> impl Iterator<Item = &String> {
        let all = match &*self.facts {
            ManifestFacts::Package {
                main,
                module,
                types,
                ..
            } => [types.as_ref(), module.as_ref(), main.as_ref()],
            _ => [None, None, None],
        };
        all.into_iter().flatten()
    }

    /// The entry of a folder with a package.json that is imported by its path.
    pub(super) fn plain_entry(&self, reader: &dyn PathReader) -> Option<FileId> {
        let mut entries = self.entries();
        entries.find_map(|e| {
            let path = join(&self.dir, e)?;
            // Not `module`: an entry that names its own folder must not come back here.
            exact(reader, &path).or_else(|| {
                let exts = [
                    ".ts",
                    ".tsx",
                    ".d.ts",
                    "/index.ts",
                    "/index.tsx",
                    "/index.d.ts",
                    ".js",
                    ".cjs",
                    ".mjs",
                    "/index.js",
                ];
                exts.iter().find_map(|x| reader.file(&format!("{path}{x}")))
            })
        })
    }

    /// What importing `sub` ("" is the package itself) of this package gives.
    pub(super) fn import(&self, reader: &dyn PathReader, from: &str, sub: &str) -> Specifier {
        if let ManifestFacts::Package {
            exports: Some(map), ..
        } = &*self.facts
        {
            let key = match sub {
                "" => ".".to_owned(),
                sub => format!("./{sub}"),
            };
            return match json::lookup(map, &key) {
                Mapped::Targets(all) => self.first(reader, from, &all),
                Mapped::Closed => Specifier::NotExported,
                Mapped::Unreadable => Specifier::Unreadable,
            };
        }
        if !sub.is_empty() {
            let path = inside(&self.dir, sub);
            return match module(reader, &path) {
                Found::File(file) => certain(file),
                Found::Resource => Specifier::Outside,
                Found::Nothing => {
                    let target = Target {
                        path: format!("./{sub}"),
                        types: false,
                    };
                    let source = self.source(reader, from, &target);
                    source.unwrap_or(Specifier::Missing)
                }
            };
        }
        let targets: Vec<Target> = self
            .entries()
            .map(|path| Target {
                path: path.clone(),
                types: path.contains(".d."),
            })
            .collect();
        let found = self.first(reader, from, &targets);
        if found != Specifier::Missing {
            return found;
        }
        match module(reader, &format!("{}/", self.dir)) {
            Found::File(file) => certain(file),
            _ => {
                let index = Target {
                    path: "./index.js".to_owned(),
                    types: false,
                };
                self.source(reader, from, &index)
                    .unwrap_or(Specifier::Missing)
            }
        }
    }

    /// The first target that leads to a file: source files as they stand, then
    /// the source of what is built, then declarations.
    pub(super) fn first(
        &self,
        reader: &dyn PathReader,
        from: &str,
        targets: &[Target],
    ) -> Specifier {
        let at = |t: &Target| join(&self.dir, &t.path);
        let written =
            |p: &str| !p.ends_with(".d.ts") && !p.ends_with(".d.mts") && !p.ends_with(".d.cts");
        for target in targets {
            if let Some(path) = at(target).filter(|p| written(p))
                && let Some(file) = exact(reader, &path)
                && written(&reader.path(file))
            {
                return certain(file);
            }
        }
        for target in targets.iter().filter(|t| !t.types) {
            if let Some(found) = self.source(reader, from, target) {
                return found;
            }
        }
        for target in targets {
            if let Some(path) = at(target) {
                match module(reader, &path) {
                    Found::File(file) => return certain(file),
                    Found::Resource => return Specifier::Outside,
                    Found::Nothing => {}
                }
            }
        }
        let types = targets.iter().filter(|t| t.types);
        types
            .filter_map(|t| self.source(reader, from, t))
            .next()
            .unwrap_or(Specifier::Missing)
    }

    /// The source of a built file: through the configuration that says where it
    /// is built to, or by the convention that `dist` is made from `src`.
    fn source(&self, reader: &dyn PathReader, from: &str, target: &Target) -> Option<Specifier> {
        let path = join(&self.dir, &target.path)?;
        let mut budget = 16;
        for name in ["tsconfig.json", "tsconfig.build.json", "tsconfig.lib.json"] {
            let Some(config) = config::load(reader, &inside(&self.dir, name), &mut budget) else {
                continue;
            };
            let Some(out) = &config.out_dir else {
                continue;
            };
            let Some(rest) = below(&path, out).filter(|_| *out != self.dir) else {
                continue;
            };
            let src = inside(&self.dir, "src");
            let roots = match &config.root_dir {
                Some(root) => vec![root.clone()],
                None => vec![src, self.dir.clone()],
            };
            for root in roots {
                if let Some(file) = unbuilt(reader, &inside(&root, rest)) {
                    let referenced = config::governing(reader, from)
                        .is_some_and(|g| g.config.references.contains(&config.path));
                    let proved = referenced && config.root_dir.is_some();
                    return Some(Specifier::File {
                        file,
                        proved,
                        rule: if proved {
                            Rule::Import
                        } else {
                            Rule::BuiltEntry
                        },
                    });
                }
            }
        }
        let rest = below(&path, &self.dir)?;
        by_convention(rest)
            .into_iter()
            .find_map(|p| unbuilt(reader, &inside(&self.dir, &p)))
            .map(|file| Specifier::File {
                file,
                proved: false,
                rule: Rule::BuiltEntry,
            })
    }
}

pub(super) fn certain(file: FileId) -> Specifier {
    Specifier::File {
        file,
        proved: true,
        rule: Rule::Import,
    }
}

/// The source file a built path would be made from, in the same place.
fn unbuilt(reader: &dyn PathReader, path: &str) -> Option<FileId> {
    const BUILT: [&str; 7] = [".d.mts", ".d.cts", ".d.ts", ".mjs", ".cjs", ".js", ".jsx"];
    let stem = BUILT
        .iter()
        .find_map(|b| path.strip_suffix(b))
        .unwrap_or(path);
    let exts = [".ts", ".tsx", ".mts", ".cts"];
    exts.iter()
        .find_map(|x| reader.file(&format!("{stem}{x}")))
        .or_else(|| {
            let known = exts.iter().any(|x| path.ends_with(x));
            known.then(|| reader.file(path)).flatten()
        })
}

/// Where the source of a built path stands by convention.
fn by_convention(path: &str) -> Vec<String> {
    const BUILT: [&str; 10] = [
        "dist", "lib", "build", "out", "es", "esm", "cjs", "output", "types", "module",
    ];
    let mut rest = path;
    while let Some((first, below)) = rest.split_once('/') {
        if !BUILT.contains(&first) {
            break;
        }
        rest = below;
    }
    let mut out = vec![inside("src", rest)];
    if rest != path {
        out.push(rest.to_owned());
        out.push(inside("lib", rest));
    }
    // `dist/name.js` is often `src/name/index.ts`.
    if let Some((stem, _)) = rest.rsplit_once('.').filter(|(s, _)| !s.ends_with("index")) {
        out.push(format!("src/{}/index.js", stem.trim_end_matches(".d")));
    }
    out
}
