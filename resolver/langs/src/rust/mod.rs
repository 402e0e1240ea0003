//! Rust.

use crate::driver::{self, Extract, Extraction, Reuse};
use std::sync::LazyLock;
use surefoot_facts::{Builder, Extracted, Language, LanguageId, Rules};

mod rules;

pub(crate) struct Rust;
pub(crate) static RUST: Rust = Rust;

static GRAMMAR: LazyLock<tree_sitter::Language> =
    LazyLock::new(|| tree_sitter_rust::LANGUAGE.into());

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
        &[]
    }
}

impl Extract for Rust {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &GRAMMAR
    }
    fn extract(&self, _: &tree_sitter::Tree, text: &str, _: Option<&Reuse<'_>>) -> Extraction {
        Extraction {
            extracted: Builder::new(self.id()).finish(text),
            context: 0,
        }
    }
}
