//! Names that mean something in every module.

use surefoot_facts::Builtin;

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

/// Globals the stub declares.
const PRELUDE: &[&str] = &[];

/// Other globals of the language, of browsers and of Node.js.
const OUTSIDE: &[&str] = &[
    "__dirname",
    "__filename",
    "alert",
    "atob",
    "btoa",
    "confirm",
    "eval",
    "exports",
    "module",
    "prompt",
    "require",
];

pub(super) fn builtin(name: &str) -> Option<Builtin> {
    if PRELUDE.binary_search(&name).is_ok() {
        Some(Builtin::Prelude)
    } else if OUTSIDE.binary_search(&name).is_ok() {
        Some(Builtin::Outside)
    } else {
        None
    }
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
