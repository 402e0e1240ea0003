//! TypeScript and TSX: two grammars, one walker, one set of rules.

mod kinds;
mod readable;
mod rules;
mod walk;

use crate::driver::{self, Extract, Extraction, Reuse};
use std::borrow::Cow;
use std::sync::LazyLock;
use surefoot_facts::{Extracted, Language, LanguageId, Rules};

/// One of the two dialects; the number is its place in the registry.
pub(crate) struct TypeScript(u8);
pub(crate) static TYPESCRIPT: TypeScript = TypeScript(1);
pub(crate) static TSX: TypeScript = TypeScript(2);

static GRAMMARS: LazyLock<[tree_sitter::Language; 2]> = LazyLock::new(|| {
    [
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        tree_sitter_typescript::LANGUAGE_TSX.into(),
    ]
});

/// The stub of the standard library and of the hosts, shared by both dialects.
const PRELUDE: &[(&str, &str)] = &[
    ("prelude/es.d.ts", include_str!("prelude/es.d.ts")),
    ("prelude/host.d.ts", include_str!("prelude/host.d.ts")),
];

impl TypeScript {
    fn dialect(&self) -> usize {
        self.0 as usize - 1
    }
}

impl Language for TypeScript {
    fn id(&self) -> LanguageId {
        LanguageId(self.0)
    }

    fn name(&self) -> &'static str {
        ["typescript", "tsx"][self.dialect()]
    }

    fn extensions(&self) -> &'static [&'static str] {
        const PLAIN: &[&str] = &["d.mts", "d.cts", "d.ts", "mts", "cts", "ts"];
        [PLAIN, &["tsx"]][self.dialect()]
    }

    fn grammar(&self) -> (&'static str, &'static str) {
        ("tree-sitter-typescript", "0.23.2")
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

impl Extract for TypeScript {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &GRAMMARS[self.dialect()]
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
        walk::extract(self.id(), self.dialect(), tree, text, reuse)
    }
}
