//! Rust.

use crate::driver::{self, Extract, Extraction, Reuse};
use std::borrow::Cow;
use surefoot_facts::{Extracted, Language, LanguageId, Rules};

mod attrs;
mod builtins;
mod callables;
mod cfg;
mod exprs;
mod families;
mod flow;
mod items;
mod macros;
mod patterns;
mod readable;
mod rules;
#[cfg(test)]
mod tests;
mod tokens;
mod types;
mod uses;
mod walk;
mod words;

pub(crate) struct Rust;
pub(crate) static RUST: Rust = Rust;

/// The stub of the standard library; the README says how it is written.
const PRELUDE: &[(&str, &str)] = &[
    ("rust/std.rs", include_str!("prelude/std.rs")),
    ("rust/primitives.rs", include_str!("prelude/primitives.rs")),
    ("rust/option.rs", include_str!("prelude/option.rs")),
    ("rust/core.rs", include_str!("prelude/core.rs")),
    ("rust/iter.rs", include_str!("prelude/iter.rs")),
    ("rust/numbers.rs", include_str!("prelude/numbers.rs")),
    ("rust/text.rs", include_str!("prelude/text.rs")),
    (
        "rust/collections.rs",
        include_str!("prelude/collections.rs"),
    ),
    ("rust/shared.rs", include_str!("prelude/shared.rs")),
    ("rust/files.rs", include_str!("prelude/files.rs")),
    ("rust/system.rs", include_str!("prelude/system.rs")),
    ("rust/packages.rs", include_str!("prelude/packages.rs")),
];

impl Language for Rust {
    fn id(&self) -> LanguageId {
        LanguageId(0)
    }
    fn name(&self) -> &'static str {
        "rust"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["rs"]
    }
    fn grammar(&self) -> (&'static str, &'static str) {
        ("tree-sitter-rust", "0.24.2")
    }
    fn facts(&self, text: &str) -> Extracted {
        driver::facts(self, text)
    }
    fn rules(&self) -> &dyn Rules {
        &rules::RULES
    }
    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        PRELUDE
    }
}

impl Extract for Rust {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &words::GRAMMAR
    }
    fn readable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        readable::readable(text)
    }

    fn extract(
        &self,
        tree: &tree_sitter::Tree,
        text: &str,
        reuse: Option<&Reuse<'_>>,
    ) -> Extraction {
        walk::file(self.id(), tree, text, reuse)
    }
}
