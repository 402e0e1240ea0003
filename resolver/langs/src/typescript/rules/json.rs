//! `exports` and `imports` of a package, read in the order of their keys.

use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// What a map says of one subpath.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mapped {
    /// Targets with their conditions, in the order of preference; `*` is filled in.
    Targets(Vec<Target>),
    /// The map does not list it, or shuts it off with `null`.
    Closed,
    Unreadable,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) path: String,
    /// Stands under a condition for types.
    pub(super) types: bool,
}

/// How deep conditions may nest, and how many targets are kept.
const MAX_DEPTH: usize = 16;
const MAX_TARGETS: usize = 64;

/// Asks `text`, the JSON of an `exports` or `imports` field, for `key`:
/// `"."`, `"./sub"` or `"#name"`.
pub(super) fn lookup(text: &str, key: &str) -> Mapped {
    let options = (CollectOptions::default(), ParseOptions::default());
    let Ok(parsed) = parse_to_ast(text, &options.0, &options.1) else {
        return Mapped::Unreadable;
    };
    let Some(root) = parsed.value else {
        return Mapped::Unreadable;
    };
    let found = match &root {
        Value::Object(map)
            if map
                .properties
                .iter()
                .any(|p| p.name.as_str().starts_with(['.', '#'])) =>
        {
            pick(map, key)
        }
        // `"exports": "./index.js"`, or conditions without subpaths.
        _ if key == "." => Some((&root, String::new())),
        _ => None,
    };
    let Some((value, star)) = found else {
        return Mapped::Closed;
    };
    let mut out = Vec::new();
    targets(value, &star, false, 0, &mut out);
    if out.is_empty() {
        return Mapped::Closed;
    }
    Mapped::Targets(out)
}

/// The value of a key, or of the pattern with the longest text before its `*`.
fn pick<'a, 'b>(
    map: &'b jsonc_parser::ast::Object<'a>,
    key: &str,
) -> Option<(&'b Value<'a>, String)> {
    let mut best: Option<(usize, &Value<'a>, String)> = None;
    for property in &map.properties {
        let pattern = property.name.as_str();
        if pattern == key {
            return Some((&property.value, String::new()));
        }
        let (head, tail) = match pattern.split_once('*') {
            Some(parts) => parts,
            // `"./dir/"` opened everything below it, long ago.
            None if pattern.ends_with('/') => (pattern, ""),
            None => continue,
        };
        let Some(star) = key.strip_prefix(head).and_then(|k| k.strip_suffix(tail)) else {
            continue;
        };
        if !star.is_empty() && best.as_ref().is_none_or(|b| b.0 < head.len()) {
            best = Some((head.len(), &property.value, star.to_owned()));
        }
    }
    best.map(|(_, value, star)| (value, star))
}

/// Conditions that lead to code of this kind of environment; `types` leads to
/// declarations and is kept apart. Anything else is a custom condition, which
/// monorepos use for the source: it is tried first.
fn rank(condition: &str) -> u8 {
    match condition {
        "types" | "typings" => 2,
        c if c.starts_with("types@") => 2,
        "import" | "module" | "module-sync" | "default" | "require" | "node" | "browser"
        | "node-addons" | "bun" | "deno" | "worker" | "workerd" | "edge-light" | "react-native"
        | "react-server" | "electron" | "production" | "svelte" => 1,
        _ => 0,
    }
}

fn targets(value: &Value<'_>, star: &str, types: bool, depth: usize, out: &mut Vec<Target>) {
    if depth > MAX_DEPTH || out.len() >= MAX_TARGETS {
        return;
    }
    match value {
        Value::StringLit(s) => {
            let mut path = s.value.replace('*', star);
            if !star.is_empty() && path.ends_with('/') {
                path.push_str(star);
            }
            out.push(Target { path, types });
        }
        Value::Array(list) => {
            for v in &list.elements {
                targets(v, star, types, depth + 1, out);
            }
        }
        Value::Object(map) => {
            let mut keys: Vec<_> = map.properties.iter().collect();
            keys.sort_by_key(|p| rank(p.name.as_str()));
            for p in keys {
                let types = types || rank(p.name.as_str()) == 2;
                targets(&p.value, star, types, depth + 1, out);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str, key: &str) -> Vec<String> {
        match lookup(text, key) {
            Mapped::Targets(all) => all.into_iter().map(|t| t.path).collect(),
            other => vec![format!("{other:?}")],
        }
    }

    /// The subpath rules of package maps: exact before pattern, the longest
    /// pattern first, `null` shuts off, types never before code.
    #[test]
    fn a_map_is_asked_as_node_asks_it() {
        let map = r#"{
            ".": { "types": "./d.d.ts", "import": { "types": "./i.d.ts", "default": "./i.mjs" }, "require": "./r.cjs" },
            "./lib/*": "./src/lib/*.ts", "./lib/inner/*": "./src/inner/*.ts",
            "./private/*": null, "./source": { "@acme/source": "./src/s.ts", "default": "./dist/s.js" }
        }"#;
        assert_eq!(
            paths(map, "."),
            ["./i.mjs", "./i.d.ts", "./r.cjs", "./d.d.ts"]
        );
        assert_eq!(paths(map, "./lib/a"), ["./src/lib/a.ts"]);
        assert_eq!(paths(map, "./lib/inner/a"), ["./src/inner/a.ts"]);
        assert_eq!(paths(map, "./source"), ["./src/s.ts", "./dist/s.js"]);
        assert_eq!(lookup(map, "./private/x"), Mapped::Closed);
        assert_eq!(lookup(map, "./other"), Mapped::Closed);
        assert_eq!(paths(r#""./a.js""#, "."), ["./a.js"]);
        assert_eq!(lookup(r#""./a.js""#, "./b"), Mapped::Closed);
        assert_eq!(lookup("{", "."), Mapped::Unreadable);
    }
}
