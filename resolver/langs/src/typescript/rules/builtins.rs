//! Names that mean something in every module.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use surefoot_facts::{Builtin, Language, Name};

/// Modules of Node.js, without the `node:` that may stand before them.
const NODE: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "test",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

pub(super) fn is_node_module(spec: &str) -> bool {
    let name = spec.split('/').next().unwrap_or(spec);
    NODE.binary_search(&name).is_ok()
}

/// Globals the stub declares: its top-level names, read once.
static PRELUDE: LazyLock<FxHashSet<Name>> = LazyLock::new(|| {
    let mut names = FxHashSet::default();
    for (_, text) in crate::typescript::TYPESCRIPT.prelude() {
        let read = crate::typescript::TYPESCRIPT.facts(text);
        for item in &read.facts.items {
            let top = item.symbols.iter().filter(|s| s.parent.is_none());
            names.extend(top.map(|s| s.name));
        }
    }
    names
});

/// Other globals: functions that modules are wrapped in, and what has no type
/// worth a stub.
const OUTSIDE: &[&str] = &[
    "__dirname",
    "__filename",
    "eval",
    "exports",
    "module",
    "require",
];

pub(super) fn builtin(name: Name) -> Option<Builtin> {
    if PRELUDE.contains(&name) {
        Some(Builtin::Prelude)
    } else if OUTSIDE.contains(&name.text()) {
        Some(Builtin::Outside)
    } else {
        None
    }
}

/// A package that the stub declares: under its specifier in quotes.
pub(super) fn package_stub(package: Name) -> Option<Name> {
    let quoted = Name::new(&format!("\"{}\"", package.text()));
    PRELUDE.contains(&quoted).then_some(quoted)
}

/// The stub's name for a type word.
pub(super) fn builtin_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "string" => "String",
        "number" => "Number",
        "boolean" => "Boolean",
        "bigint" => "BigInt",
        "symbol" | "unique symbol" => "Symbol",
        "object" => "Object",
        _ => return None,
    })
}
