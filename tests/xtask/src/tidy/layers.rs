//! The direction of dependencies: which of our crates may know which, and which libraries each may see.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::Violation;
use crate::run::{Result, cargo, output};

/// Who may depend on whom, directly. Order and reasons are in docs/architecture.md.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("surefoot-graph", &[]),
    ("surefoot-facts", &["surefoot-graph"]),
    ("surefoot-files", &["surefoot-graph"]),
    ("surefoot-bridge", &["surefoot-graph"]),
    ("surefoot-langs", &["surefoot-facts", "surefoot-graph"]),
    ("surefoot-engine", &["surefoot-facts", "surefoot-graph"]),
    (
        "surefoot-report",
        &["surefoot-engine", "surefoot-facts", "surefoot-graph"],
    ),
    (
        "surefoot-session",
        &[
            "surefoot-engine",
            "surefoot-facts",
            "surefoot-files",
            "surefoot-graph",
            "surefoot-langs",
        ],
    ),
    (
        "surefoot-fixture",
        &["surefoot-engine", "surefoot-facts", "surefoot-graph"],
    ),
    (
        "surefoot",
        &[
            "surefoot-bridge",
            "surefoot-engine",
            "surefoot-facts",
            "surefoot-files",
            "surefoot-graph",
            "surefoot-report",
            "surefoot-session",
        ],
    ),
];

/// Crates of `resolver/`: no protocol, no network, no async.
const RESOLVER: &[&str] = &[
    "surefoot-graph",
    "surefoot-facts",
    "surefoot-files",
    "surefoot-langs",
    "surefoot-engine",
    "surefoot-report",
    "surefoot-session",
    "surefoot-fixture",
];

/// Crates below which a grammar may stand, because `langs` stands there.
const SEES_GRAMMARS: &[&str] = &["surefoot-langs", "surefoot-session", "surefoot"];

fn is_grammar(name: &str) -> bool {
    name == "tree-sitter" || name.starts_with("tree-sitter-")
}

fn is_protocol(name: &str) -> bool {
    const PROTOCOL: &[&str] = &[
        "async-lsp",
        "axum",
        "hyper",
        "ls-types",
        "lsp-server",
        "lsp-types",
        "reqwest",
        "rmcp",
        "tokio",
        "tower",
        "tower-lsp",
        "tower-lsp-server",
    ];
    PROTOCOL.contains(&name)
}

/// What cargo resolves for this machine. Other systems' libraries need not be on it.
pub fn metadata() -> Result<Value> {
    let host = output(std::process::Command::new("rustc").arg("-vV"))?;
    let host = host
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or("`rustc -vV` names no host")?;
    let text = output(cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        host,
    ]))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("`cargo metadata` printed no JSON: {error}"))
}

#[derive(Debug, Default)]
struct Package {
    name: String,
    manifest: String,
    /// Ids of the packages it needs to run, dev and build dependencies left out.
    needs: Vec<String>,
}

pub fn check(metadata: &Value) -> Vec<Violation> {
    let packages = read(metadata);
    let ours: BTreeSet<&str> = strings(&metadata["workspace_members"])
        .filter(|id| packages.contains_key(*id))
        .collect();
    let mut violations = Vec::new();
    for id in &ours {
        let package = &packages[*id];
        let Some(allowed) = allowed(&package.name) else {
            if !package.manifest.starts_with("tests/") {
                violations.push(Violation {
                    path: package.manifest.clone(),
                    line: 0,
                    what: format!("{} has no place in the layers", package.name),
                    todo: "Give it a row in tests/xtask/src/tidy/layers.rs, and say why in docs/architecture.md.",
                });
            }
            continue;
        };
        for need in &package.needs {
            let name = packages[need].name.as_str();
            if ours.contains(need.as_str()) && !allowed.contains(&name) {
                violations.push(Violation {
                    path: package.manifest.clone(),
                    line: 0,
                    what: format!("{} must not know {name}", package.name),
                    todo: "Move what is needed down a layer, or pass it in. Tests may use a dev-dependency.",
                });
            }
        }
        violations.extend(unwanted(&packages, id));
    }
    violations
}

/// Libraries that stand anywhere under a crate that must not see them.
fn unwanted(packages: &BTreeMap<String, Package>, id: &str) -> Vec<Violation> {
    let package = &packages[id];
    let mut violations = Vec::new();
    for (name, path) in under(packages, id) {
        let todo = if is_grammar(name) && !SEES_GRAMMARS.contains(&package.name.as_str()) {
            "Only `langs` uses tree-sitter; others see facts."
        } else if is_grammar(name) && package.name != "surefoot-langs" && path.len() == 2 {
            "Only `langs` names tree-sitter; ask it for what is needed."
        } else if is_protocol(name) && RESOLVER.contains(&package.name.as_str()) {
            "The resolver has no protocol, no network and no async; put this into `server` or `bridge`."
        } else {
            continue;
        };
        let what = format!("{} stands on {name}: {}", package.name, path.join(" -> "));
        violations.push(Violation {
            path: package.manifest.clone(),
            line: 0,
            what,
            todo,
        });
    }
    violations
}

/// Every package below `id` by name, each with the shortest way to it.
fn under<'a>(
    packages: &'a BTreeMap<String, Package>,
    id: &'a str,
) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::from([id]);
    let mut queue = VecDeque::from([(id, vec![packages[id].name.as_str()])]);
    while let Some((at, path)) = queue.pop_front() {
        for need in &packages[at].needs {
            if seen.insert(need.as_str()) {
                let mut path = path.clone();
                path.push(packages[need].name.as_str());
                found.insert(packages[need].name.as_str(), path.clone());
                queue.push_back((need.as_str(), path));
            }
        }
    }
    found
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    MAY_KNOW
        .iter()
        .find(|(crate_name, _)| *crate_name == name)
        .map(|(_, allowed)| *allowed)
}

fn read(metadata: &Value) -> BTreeMap<String, Package> {
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let mut packages = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let manifest = manifest
            .strip_prefix(root)
            .unwrap_or(manifest)
            .trim_start_matches(['/', '\\']);
        packages.insert(
            package["id"].as_str().unwrap_or_default().to_string(),
            Package {
                name: package["name"].as_str().unwrap_or_default().to_string(),
                manifest: manifest.replace('\\', "/"),
                needs: Vec::new(),
            },
        );
    }
    for node in metadata["resolve"]["nodes"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let needs: Vec<String> = node["deps"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dep| {
                dep["dep_kinds"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .any(|kind| kind["kind"].is_null())
            })
            .filter_map(|dep| dep["pkg"].as_str().map(str::to_string))
            .filter(|id| packages.contains_key(id))
            .collect();
        if let Some(package) = node["id"].as_str().and_then(|id| packages.get_mut(id)) {
            package.needs = needs;
        }
    }
    packages
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::shown;
    use super::*;

    /// Metadata of crates that all are ours, from `(name, folder, needs)`; a need that begins with
    /// `dev:` is a dev-dependency.
    fn check_crates(crates: &[(&str, &str, &[&str])]) -> Vec<String> {
        let packages: Vec<_> = crates
            .iter()
            .map(|(name, folder, _)| json!({"id": name, "name": name, "manifest_path": format!("/r/{folder}/Cargo.toml")}))
            .collect();
        let nodes: Vec<_> = crates
            .iter()
            .map(|(name, _, needs)| {
                let deps: Vec<_> = needs
                    .iter()
                    .map(|need| match need.strip_prefix("dev:") {
                        Some(need) => json!({"pkg": need, "dep_kinds": [{"kind": "dev"}]}),
                        None => json!({"pkg": need, "dep_kinds": [{"kind": null}]}),
                    })
                    .collect();
                json!({"id": name, "deps": deps})
            })
            .collect();
        let members: Vec<_> = crates
            .iter()
            .filter(|(_, folder, _)| *folder != "registry")
            .map(|(name, ..)| name)
            .collect();
        shown(&check(&json!({
            "workspace_root": "/r", "workspace_members": members, "packages": packages,
            "resolve": {"nodes": nodes}
        })))
    }

    // An engine that sees the server can never be used without it.
    #[test]
    fn an_upward_edge_is_refused() {
        let found = check_crates(&[
            ("surefoot-graph", "resolver/graph", &["surefoot-facts"]),
            ("surefoot-facts", "resolver/facts", &[]),
            (
                "surefoot-report",
                "resolver/report",
                &["surefoot-facts", "dev:surefoot-session"],
            ),
            ("surefoot-session", "resolver/session", &[]),
            ("surefoot-it", "tests/it", &["surefoot-session"]),
            ("surefoot-new", "resolver/new", &[]),
        ]);
        let expected = [
            "resolver/graph/Cargo.toml:0: surefoot-graph must not know surefoot-facts",
            "resolver/new/Cargo.toml:0: surefoot-new has no place in the layers",
        ];
        assert_eq!(found, expected);
    }

    // A grammar in the engine, or tokio in the resolver, comes in through a friend of a friend.
    #[test]
    fn unwanted_libraries_are_found_at_any_depth() {
        let found = check_crates(&[
            (
                "surefoot-engine",
                "resolver/engine",
                &["innocent", "dev:tokio"],
            ),
            (
                "surefoot-langs",
                "resolver/langs",
                &["tree-sitter-rust", "innocent"],
            ),
            (
                "surefoot-session",
                "resolver/session",
                &["surefoot-langs", "tree-sitter"],
            ),
            ("surefoot-bridge", "bridge", &["tokio"]),
            ("innocent", "registry", &["tree-sitter", "tokio"]),
            ("tree-sitter", "registry", &[]),
            ("tree-sitter-rust", "registry", &[]),
            ("tokio", "registry", &[]),
        ]);
        let expected = [
            "resolver/engine/Cargo.toml:0: surefoot-engine stands on tokio: surefoot-engine -> innocent -> tokio",
            "resolver/engine/Cargo.toml:0: surefoot-engine stands on tree-sitter: surefoot-engine -> innocent -> tree-sitter",
            "resolver/langs/Cargo.toml:0: surefoot-langs stands on tokio: surefoot-langs -> innocent -> tokio",
            "resolver/session/Cargo.toml:0: surefoot-session stands on tokio: surefoot-session -> surefoot-langs -> innocent -> tokio",
            "resolver/session/Cargo.toml:0: surefoot-session stands on tree-sitter: surefoot-session -> tree-sitter",
        ];
        let mut found = found;
        found.sort();
        assert_eq!(found, expected);
    }

    // The shape of what cargo prints may change; a check that reads nothing finds nothing.
    #[test]
    fn reads_what_cargo_prints() {
        let metadata = metadata().unwrap();
        let packages = read(&metadata);
        let (id, langs) = packages
            .iter()
            .find(|(_, package)| package.name == "surefoot-langs")
            .unwrap();
        assert_eq!(langs.manifest, "resolver/langs/Cargo.toml");
        let below = under(&packages, id);
        for name in ["surefoot-graph", "tree-sitter"] {
            assert!(below.contains_key(name), "{name} stands under langs");
        }
        assert!(
            !below.contains_key("proptest"),
            "a dev-dependency is outside the rules"
        );
    }
}
