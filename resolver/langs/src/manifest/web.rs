//! tsconfig.json and its kin, package.json, pnpm-workspace.yaml.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use surefoot_facts::ManifestFacts;

/// Lists longer than this are cut: no person wrote them.
const MAX_LIST: usize = 4_096;

pub(super) fn is_manifest(name: &str) -> bool {
    matches!(name, "package.json" | "pnpm-workspace.yaml") || is_config(name)
}

/// `tsconfig.json`, `tsconfig.base.json`, `base.tsconfig.json`, `jsconfig.json`.
fn is_config(name: &str) -> bool {
    let json = name.ends_with(".json") || name.ends_with(".jsonc");
    json && (name.contains("tsconfig") || name.contains("jsconfig"))
}

pub(super) fn facts(name: &str, text: &str) -> Option<ManifestFacts> {
    if name == "pnpm-workspace.yaml" {
        return Some(ManifestFacts::Workspace {
            packages: yaml_list(text, "packages"),
        });
    }
    let read = match name {
        "package.json" => package,
        _ if is_config(name) => config,
        _ => return None,
    };
    Some(document(text, read))
}

fn document(text: &str, read: fn(&Object<'_>, &str) -> ManifestFacts) -> ManifestFacts {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        ..ParseOptions::default()
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => match parsed.value {
            Some(Value::Object(object)) => read(&object, text),
            // An empty tsconfig.json is one with every default.
            None => read(&EMPTY, text),
            Some(_) => ManifestFacts::Unreadable("not a JSON object".to_owned()),
        },
        Err(e) => ManifestFacts::Unreadable(e.to_string()),
    }
}

static EMPTY: Object<'static> = Object {
    range: jsonc_parser::common::Range { start: 0, end: 0 },
    properties: Vec::new(),
};

fn config(root: &Object<'_>, _: &str) -> ManifestFacts {
    let options = object(root, "compilerOptions").unwrap_or(&EMPTY);
    let references = match value(root, "references") {
        Some(Value::Array(list)) => list
            .elements
            .iter()
            .filter_map(|v| string(v.as_object()?, "path"))
            .take(MAX_LIST)
            .collect(),
        _ => Vec::new(),
    };
    ManifestFacts::TsConfig {
        extends: strings(root, "extends").unwrap_or_default(),
        base_url: string(options, "baseUrl"),
        paths: object(options, "paths").map(|paths| {
            let all = paths.properties.iter().take(MAX_LIST);
            all.map(|p| (name(p), list(&p.value))).collect()
        }),
        references,
        files: strings(root, "files"),
        include: strings(root, "include"),
        exclude: strings(root, "exclude"),
        root_dir: string(options, "rootDir"),
        out_dir: string(options, "outDir"),
    }
}

fn package(root: &Object<'_>, text: &str) -> ManifestFacts {
    let written = |key| value(root, key).map(|v| v.text(text).to_owned());
    let workspaces = match value(root, "workspaces") {
        Some(Value::Object(inner)) => strings(inner, "packages"),
        _ => strings(root, "workspaces"),
    };
    let mut dependencies = Vec::new();
    for section in [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
    ] {
        let all = object(root, section).map_or(&[][..], |o| &o.properties);
        for p in all.iter().take(MAX_LIST) {
            if let Value::StringLit(range) = &p.value {
                dependencies.push((name(p), range.value.to_string()));
            }
        }
    }
    ManifestFacts::Package {
        name: string(root, "name"),
        main: string(root, "main"),
        module: string(root, "module"),
        types: string(root, "types").or_else(|| string(root, "typings")),
        exports: written("exports"),
        imports: written("imports"),
        workspaces: workspaces.unwrap_or_default(),
        dependencies,
    }
}

fn name(p: &ObjectProp<'_>) -> String {
    p.name.as_str().to_owned()
}

/// Of a key written twice, the last counts.
fn value<'a, 'b>(object: &'b Object<'a>, key: &str) -> Option<&'b Value<'a>> {
    let mut all = object.properties.iter().rev();
    all.find(|p| p.name.as_str() == key).map(|p| &p.value)
}

fn object<'a, 'b>(root: &'b Object<'a>, key: &str) -> Option<&'b Object<'a>> {
    match value(root, key)? {
        Value::Object(o) => Some(o),
        _ => None,
    }
}

fn string(root: &Object<'_>, key: &str) -> Option<String> {
    match value(root, key)? {
        Value::StringLit(s) => Some(s.value.to_string()),
        _ => None,
    }
}

/// One string or a list of them; `None` when the key is not there.
fn strings(root: &Object<'_>, key: &str) -> Option<Vec<String>> {
    match value(root, key)? {
        Value::NullKeyword(_) => None,
        v => Some(list(v)),
    }
}

fn list(v: &Value<'_>) -> Vec<String> {
    match v {
        Value::StringLit(s) => vec![s.value.to_string()],
        Value::Array(a) => a
            .elements
            .iter()
            .filter_map(|v| match v {
                Value::StringLit(s) => Some(s.value.to_string()),
                _ => None,
            })
            .take(MAX_LIST)
            .collect(),
        _ => Vec::new(),
    }
}

/// The strings of a top-level list of a YAML file, as block (`- a`) or flow
/// (`[a, b]`). Anchors, multi-line strings and nesting are not read: the one
/// file asked has none.
fn yaml_list(text: &str, key: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let bare = without_comment(line);
        let trimmed = bare.trim();
        if trimmed.is_empty() {
            continue;
        }
        let top = !bare.starts_with([' ', '\t', '-']);
        if top {
            let rest = trimmed
                .strip_prefix(key)
                .and_then(|r| r.trim_start().strip_prefix(':'));
            inside = rest.is_some();
            let flow = rest.map(str::trim).and_then(|r| r.strip_prefix('['));
            if let Some(flow) = flow {
                let flow = flow.strip_suffix(']').unwrap_or(flow);
                out.extend(flow.split(',').map(unquoted).filter(|s| !s.is_empty()));
                inside = false;
            }
        } else if inside && let Some(item) = trimmed.strip_prefix('-') {
            out.push(unquoted(item));
        }
        if out.len() >= MAX_LIST {
            break;
        }
    }
    out
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return &line[..at],
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

fn unquoted(item: &str) -> String {
    let item = item.trim();
    let inner = ["\"", "'"]
        .iter()
        .find_map(|q| item.strip_prefix(q)?.strip_suffix(q));
    inner.unwrap_or(item).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Configurations carry comments and trailing commas in practice; the order
    /// of `paths` and of `exports` keys decides what they mean.
    #[test]
    fn a_tsconfig_as_people_write_it() {
        let text = r#"{
            // the base
            "extends": "./base.json",
            "compilerOptions": {
                "baseUrl": ".", "outDir": "dist", "rootDir": "src",
                "paths": { "@/*": ["src/*"], "lib": ["lib/index.ts", "lib.ts"], },
            },
            "references": [{ "path": "../core" }],
            "include": ["src"],
        }"#;
        let ManifestFacts::TsConfig {
            extends,
            base_url,
            paths,
            references,
            files,
            include,
            root_dir,
            out_dir,
            ..
        } = facts("tsconfig.json", text).unwrap()
        else {
            panic!("not read");
        };
        assert_eq!(extends, ["./base.json"]);
        assert_eq!(base_url.as_deref(), Some("."));
        let paths = paths.unwrap();
        assert_eq!(paths[0], ("@/*".to_owned(), vec!["src/*".to_owned()]));
        assert_eq!(paths[1].1, ["lib/index.ts", "lib.ts"]);
        assert_eq!(references, ["../core"]);
        assert_eq!((files, include), (None, Some(vec!["src".to_owned()])));
        assert_eq!(
            (root_dir.as_deref(), out_dir.as_deref()),
            (Some("src"), Some("dist"))
        );
    }

    /// The text of `exports` is kept as written: a map would lose its order.
    #[test]
    fn a_package_keeps_its_exports_as_written() {
        let text = r#"{"name": "@a/b", "exports": {"./z": "./z.js", "./a": null},
            "workspaces": {"packages": ["packages/*"]},
            "dependencies": {"x": "workspace:*"}, "peerDependencies": {"y": "^1"}}"#;
        let Some(ManifestFacts::Package {
            name,
            exports,
            workspaces,
            dependencies,
            ..
        }) = facts("package.json", text)
        else {
            panic!("not read");
        };
        assert_eq!(name.as_deref(), Some("@a/b"));
        assert_eq!(
            exports.as_deref(),
            Some(r#"{"./z": "./z.js", "./a": null}"#)
        );
        assert_eq!(workspaces, ["packages/*"]);
        let names: Vec<&str> = dependencies.iter().map(|d| d.0.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
    }

    #[test]
    /// pnpm's list is YAML in either style, with comments.
    fn a_pnpm_workspace_in_both_styles() {
        let block = "# w\npackages:\n  # all\n  - 'packages/*'\n  - \"apps/**\" # x\n- '!**/test'\ncatalog:\n  - no\n";
        assert_eq!(
            yaml_list(block, "packages"),
            ["packages/*", "apps/**", "!**/test"]
        );
        assert_eq!(
            yaml_list("packages: [a, 'b/*']\n", "packages"),
            ["a", "b/*"]
        );
    }

    /// A broken or absurd manifest is said to be unreadable, in words, and is no panic.
    #[test]
    fn what_cannot_be_read_says_so() {
        let deep = "[".repeat(100_000);
        for text in ["{", "[1]", "nonsense", deep.as_str()] {
            let read = facts("tsconfig.json", text);
            assert!(
                matches!(read, Some(ManifestFacts::Unreadable(_))),
                "{read:?}"
            );
        }
        assert!(
            facts("tsconfig.json", "").is_some_and(|f| matches!(f, ManifestFacts::TsConfig { .. }))
        );
        assert!(is_manifest("tsconfig.app.json") && is_manifest("base.tsconfig.json"));
        assert!(!is_manifest("data.json"));
    }
}
