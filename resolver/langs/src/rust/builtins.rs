//! Names that mean something in every module, and words that are types.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use surefoot_facts::{Builtin, Name};

/// What the standard prelude, the compiler and its macros put in scope; all of
/// it stands in the stub.
const IN_STUB: &[&str] = &[
    // Packages.
    "std",
    "core",
    "alloc",
    // Types, traits and functions of the 2021 and 2024 preludes.
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    "align_of",
    "drop",
    "size_of",
    // Derives.
    "Debug",
    "Hash",
    // Macros.
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Packages of the toolchain without a stub.
const OUTSIDE: &[&str] = &["proc_macro", "test"];

pub(super) fn builtin(name: Name) -> Option<Builtin> {
    static ALL: LazyLock<FxHashMap<Name, Builtin>> = LazyLock::new(|| {
        let stub = IN_STUB.iter().map(|n| (Name::new(n), Builtin::Prelude));
        let outside = OUTSIDE.iter().map(|n| (Name::new(n), Builtin::Outside));
        stub.chain(outside).collect()
    });
    ALL.get(&name).copied()
}

/// Packages that the stub declares, each as a module of its name.
const STUBBED: &[&str] = &[
    "ahash",
    "dashmap",
    "fnv",
    "fxhash",
    "hashbrown",
    "indexmap",
    "once_cell",
    "parking_lot",
    "rustc_hash",
    "smallvec",
    "thin_vec",
    "tokio",
];

pub(super) fn package_stub(package: Name) -> Option<Name> {
    STUBBED.contains(&package.text()).then_some(package)
}

/// The stub's name for a word that is a type.
pub(super) fn builtin_type(name: &str) -> Option<&'static str> {
    const WORDS: &[&str] = &[
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128",
        "u16", "u32", "u64", "u8", "usize",
    ];
    // A raw pointer has no word.
    if name == "*" {
        return Some("pointer");
    }
    WORDS.binary_search(&name).ok().map(|at| WORDS[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_facts::{ImportKind, Language, SymIdx};

    /// A name that is builtin but stands in no stub would leave every use of
    /// it undetermined.
    #[test]
    fn the_stub_declares_every_builtin() {
        let mut declared = Vec::new();
        for (_, text) in super::super::RUST.prelude() {
            let facts = super::super::RUST.facts(text).facts;
            for item in &facts.items {
                let top = item.symbols.iter().filter(|s| s.parent == SymIdx::NONE);
                declared.extend(top.map(|s| s.name));
                let imports = item.imports.iter().filter(|i| i.kind == ImportKind::Path);
                declared.extend(
                    imports
                        .filter(|i| i.module == SymIdx::NONE)
                        .map(|i| i.local),
                );
            }
        }
        let words = [
            "bool", "char", "str", "slice", "u8", "f64", "Range", "Future",
        ];
        let missing: Vec<&str> = IN_STUB
            .iter()
            .chain(&words)
            .filter(|n| !declared.contains(&Name::new(n)))
            .copied()
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
        assert!(words[..3].iter().all(|w| builtin_type(w) == Some(w)));
    }

    /// The stub is read by the same grammar as everything else: a mistake in it
    /// would take types away without a word.
    #[test]
    fn the_stub_parses() {
        for (path, text) in super::super::RUST.prelude() {
            assert_eq!(super::super::RUST.facts(text).facts.errors, 0, "{path}");
        }
    }
}
