//! Cargo.toml: packages, targets, dependencies, workspaces.

use surefoot_facts::ManifestFacts;
use toml::{Table, Value};

pub(super) const NAME: &str = "Cargo.toml";

/// (name in code, `path` when written, package name).
type Dependency = (String, Option<String>, String);

pub(super) fn facts(text: &str) -> ManifestFacts {
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(e) => return ManifestFacts::Unreadable(e.message().to_owned()),
    };
    let lib = sub(&table, "lib");
    let mut targets = Vec::new();
    for kind in ["bin", "example", "test", "bench"] {
        let list = table.get(kind).and_then(Value::as_array);
        for target in list.into_iter().flatten().filter_map(Value::as_table) {
            let written = text_of(target, "path");
            let guessed = || text_of(target, "name").map(|n| guess(kind, &n));
            targets.extend(written.or_else(guessed));
        }
    }
    let build = sub(&table, "package").and_then(|p| text_of(p, "build"));
    targets.extend(build.clone());
    let workspace = sub(&table, "workspace");
    let mut dependencies = Vec::new();
    dependencies_of(&table, &mut dependencies);
    let platforms = sub(&table, "target").into_iter().flatten();
    for platform in platforms.filter_map(|(_, v)| v.as_table()) {
        dependencies_of(platform, &mut dependencies);
    }
    dependencies.sort();
    dependencies.dedup();
    ManifestFacts::Cargo {
        package: sub(&table, "package")
            .and_then(|p| text_of(p, "name"))
            .map(|n| in_code(&n)),
        lib_path: lib.and_then(|l| text_of(l, "path")),
        lib_name: lib.and_then(|l| text_of(l, "name")).map(|n| in_code(&n)),
        targets,
        build: build.is_some(),
        dependencies,
        features: sub(&table, "features").map_or_else(Vec::new, |f| {
            f.keys()
                .map(|name| (name.clone(), strings(f, name)))
                .collect()
        }),
        workspace: workspace.is_some(),
        members: workspace.map_or_else(Vec::new, |w| strings(w, "members")),
        workspace_dependencies: workspace
            .and_then(|w| sub(w, "dependencies"))
            .map_or_else(Vec::new, list),
    }
}

fn dependencies_of(table: &Table, out: &mut Vec<Dependency>) {
    // Both spellings are read by cargo.
    const SECTIONS: [&str; 5] = [
        "dependencies",
        "dev-dependencies",
        "build-dependencies",
        "dev_dependencies",
        "build_dependencies",
    ];
    for section in SECTIONS {
        out.extend(sub(table, section).map_or_else(Vec::new, list));
    }
}

fn list(table: &Table) -> Vec<Dependency> {
    let one = |(name, value): (&String, &Value)| {
        let detail = value.as_table();
        let path = detail.and_then(|d| text_of(d, "path"));
        let package = detail.and_then(|d| text_of(d, "package"));
        let package = package.map_or_else(|| in_code(name), |p| in_code(&p));
        (in_code(name), path, package)
    };
    let mut list: Vec<Dependency> = table.iter().map(one).collect();
    list.sort();
    list
}

/// A package or target name as code names it.
fn in_code(name: &str) -> String {
    name.replace('-', "_")
}

/// Where cargo looks for a target whose path is not written; a folder with a
/// `main.rs` is found by discovery anyway.
fn guess(kind: &str, name: &str) -> String {
    match kind {
        "bin" => format!("src/bin/{name}.rs"),
        "example" => format!("examples/{name}.rs"),
        "test" => format!("tests/{name}.rs"),
        _ => format!("benches/{name}.rs"),
    }
}

fn sub<'a>(table: &'a Table, key: &str) -> Option<&'a Table> {
    table.get(key).and_then(Value::as_table)
}

fn text_of(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn strings(table: &Table, key: &str) -> Vec<String> {
    let list = table.get(key).and_then(Value::as_array);
    let list = list.into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that decides how a name resolves must come out of a manifest
    /// as people write them.
    #[test]
    fn a_manifest_says_what_names_rest_on() {
        let text = r#"
[package]
name = "my-crate"
build = "make/build.rs"

[lib]
name = "my-lib"
path = "code/lib.rs"

[[bin]]
name = "tool"
path = "code/tool.rs"

[[test]]
name = "whole"

[dependencies]
serde = { version = "1", features = ["derive"] }
log-facade = { path = "../log", package = "log" }

[target.'cfg(unix)'.build-dependencies]
cc = "1"

[features]
default = ["std"]
std = []

[workspace]
members = ["crates/*"]

[workspace.dependencies]
shared = { path = "shared" }
"#;
        let ManifestFacts::Cargo {
            package,
            lib_path,
            lib_name,
            targets,
            build: _,
            dependencies,
            features,
            workspace,
            members,
            workspace_dependencies,
        } = facts(text)
        else {
            panic!("a manifest that cargo reads is not read");
        };
        assert_eq!(package.as_deref(), Some("my_crate"));
        assert_eq!(lib_name.as_deref(), Some("my_lib"));
        assert_eq!(lib_path.as_deref(), Some("code/lib.rs"));
        assert_eq!(targets, ["code/tool.rs", "tests/whole.rs", "make/build.rs"]);
        let names: Vec<_> = dependencies
            .iter()
            .map(|(n, path, package)| (&**n, path.as_deref(), &**package))
            .collect();
        assert_eq!(
            names,
            [
                ("cc", None, "cc"),
                ("log_facade", Some("../log"), "log"),
                ("serde", None, "serde"),
            ]
        );
        assert_eq!(features[0], ("default".to_owned(), vec!["std".to_owned()]));
        assert!(workspace);
        assert_eq!(members, ["crates/*"]);
        assert_eq!(workspace_dependencies[0].1.as_deref(), Some("shared"));
    }

    /// A manifest half typed must say that it cannot be read, in words.
    #[test]
    fn a_broken_manifest_is_unreadable() {
        let ManifestFacts::Unreadable(why) = facts("[package\nname = 1") else {
            panic!("a broken manifest was read");
        };
        assert!(!why.is_empty());
    }
}
