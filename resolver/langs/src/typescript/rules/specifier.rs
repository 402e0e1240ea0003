//! Where a module specifier leads, in the order compilers and bundlers look.

use super::builtins;
use super::config::{self, Governing};
use super::json::{Mapped, Target};
use super::package::{self, Declared, InTree, Package, certain};
use super::path::{Found, below, folder, join, module, run, upwards};
use surefoot_facts::{PathReader, Specifier};
use surefoot_graph::Rule;

/// How often one specifier may lead to another.
const MAX_HOPS: usize = 4;

pub(super) fn resolve(reader: &dyn PathReader, from: &str, spec: &str) -> Specifier {
    hop(reader, from, spec, 0)
}

fn hop(reader: &dyn PathReader, from: &str, spec: &str, hops: usize) -> Specifier {
    if spec.is_empty() || hops > MAX_HOPS {
        return Specifier::Missing;
    }
    let relative = spec.starts_with("./") || spec.starts_with("../");
    if relative || matches!(spec, "." | "..") {
        let Some(path) = join(folder(from), spec) else {
            // It leads out of the tree.
            return Specifier::Outside;
        };
        let folder_only = spec.ends_with('/') || spec.ends_with('.');
        let path = if folder_only {
            format!("{path}/")
        } else {
            path
        };
        return match run(reader, from, module(reader, &path)) {
            Found::File(file) => certain(file),
            Found::Resource => Specifier::Outside,
            Found::Nothing => Specifier::Missing,
        };
    }
    if spec.starts_with('/') {
        return Specifier::Outside;
    }
    if spec.starts_with('#')
        && let Some(found) = internal(reader, from, spec, hops)
    {
        return found;
    }
    let governing = config::governing(reader, from);
    if let Some(found) = governing
        .as_ref()
        .and_then(|g| mapped(reader, g, from, spec))
    {
        return found;
    }
    // `node:fs`, `https://..`, `virtual:..`: a scheme never names a file here.
    if builtins::is_node_module(spec) || spec.contains(':') {
        return Specifier::Outside;
    }
    bare(reader, from, spec, governing.as_ref())
}

/// `paths` and `baseUrl` of the governing configuration.
fn mapped(
    reader: &dyn PathReader,
    governing: &Governing,
    from: &str,
    spec: &str,
) -> Option<Specifier> {
    let config = &governing.config;
    let found = |path: &str| match module(reader, path) {
        Found::File(file) => Some(Specifier::File {
            file,
            proved: governing.covers,
            rule: if governing.covers {
                Rule::Import
            } else {
                Rule::ConfigNotCovering
            },
        }),
        Found::Resource => Some(Specifier::Outside),
        Found::Nothing => None,
    };
    if let Some(all) = config.mapped(spec)
        && let Some(hit) = all
            .iter()
            .find_map(|p| found(p).or_else(|| built(reader, from, p)))
    {
        return Some(hit);
    }
    let base = config.base_url.as_deref()?;
    found(&join(base, spec)?)
}

/// A mapping that leads into what a package of the tree builds.
fn built(reader: &dyn PathReader, from: &str, path: &str) -> Option<Specifier> {
    let package = upwards(path).find_map(|d| Package::at(reader, d))?;
    let target = Target {
        path: format!("./{}", below(path, &package.dir)?),
        types: false,
    };
    Some(package.first(reader, from, &[target])).filter(|s| matches!(s, Specifier::File { .. }))
}

/// `#name`: the map of the package around.
fn internal(reader: &dyn PathReader, from: &str, spec: &str, hops: usize) -> Option<Specifier> {
    let own = upwards(folder(from)).find_map(|d| Package::at(reader, d))?;
    match own.internal(spec)? {
        Mapped::Closed => None,
        Mapped::Unreadable => Some(Specifier::Unreadable),
        Mapped::Targets(all) => {
            let local: Vec<_> = all
                .iter()
                .filter(|t| t.path.starts_with('.'))
                .cloned()
                .collect();
            let found = own.first(reader, from, &local);
            if found != Specifier::Missing {
                return Some(found);
            }
            let other = all.iter().find(|t| !t.path.starts_with('.'));
            Some(match other {
                Some(other) => hop(reader, from, &other.path, hops + 1),
                None => Specifier::Missing,
            })
        }
    }
}

/// A package by its name.
fn bare(
    reader: &dyn PathReader,
    from: &str,
    spec: &str,
    governing: Option<&Governing>,
) -> Specifier {
    let (name, sub) = package::split(spec);
    let own = upwards(folder(from)).find_map(|d| Package::at(reader, d));
    if let Some(own) = own
        && own.name() == Some(name)
        && own.has_exports()
    {
        return own.import(reader, from, sub);
    }
    let declared = package::declared(reader, from, name);
    match package::in_tree(reader, from, name, &declared) {
        InTree::Package(found) => return found.import(reader, from, sub),
        InTree::Ambiguous => return Specifier::Ambiguous,
        InTree::No => {}
    }
    match declared {
        Declared::Yes { .. } => Specifier::Outside,
        Declared::Unreadable => Specifier::Unreadable,
        Declared::No if governing.is_some_and(|g| g.config.unreadable) => Specifier::Unreadable,
        // What a configuration maps, what no package can be called and what
        // packages of this tree are called names this tree.
        Declared::No
            if governing.is_some_and(|g| g.config.mapped(spec).is_some())
                || !names_package(name)
                || package::is_of_tree(reader, name) =>
        {
            Specifier::Missing
        }
        Declared::No => Specifier::Outside,
    }
}

/// Whether a package can have this name: `@/x` and `~/x` are a bundler's.
fn names_package(name: &str) -> bool {
    let scoped = name.strip_prefix('@').map_or(name, |n| n);
    let parts = scoped.split('/');
    parts.clone().all(|p| {
        p.starts_with(|c: char| c.is_ascii_alphanumeric())
            && p.bytes().all(|b| {
                b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'_')
            })
    })
}
