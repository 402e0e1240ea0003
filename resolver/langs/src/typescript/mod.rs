//! TypeScript, TSX and JavaScript: two grammars, one walker, one set of rules.

mod kinds;
mod readable;
mod rules;
mod walk;

use crate::driver::{self, Extract, Extraction, Reuse};
use std::borrow::Cow;
use std::sync::LazyLock;
use surefoot_facts::{Extracted, Joint, Language, LanguageId, Rules};

/// One of the dialects; `id` is its place in the registry.
pub(crate) struct TypeScript {
    id: u8,
    name: &'static str,
    extensions: &'static [&'static str],
    grammar: Grammar,
}

/// Which of the two grammars reads a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grammar {
    Plain,
    Tsx,
}

pub(crate) static TYPESCRIPT: TypeScript = TypeScript {
    id: 1,
    name: "typescript",
    extensions: &["d.mts", "d.cts", "d.ts", "mts", "cts", "ts"],
    grammar: Grammar::Plain,
};
pub(crate) static TSX: TypeScript = TypeScript {
    id: 2,
    name: "tsx",
    extensions: &["tsx"],
    grammar: Grammar::Tsx,
};
/// Read by the grammar of TSX, of which JavaScript is a part but for a handful
/// of texts: of 4,595 files of npm packages it fails on 3, tree-sitter-javascript
/// on 2, at the same speed.
pub(crate) static JAVASCRIPT: TypeScript = TypeScript {
    id: 3,
    name: "javascript",
    extensions: &["mjs", "cjs", "jsx", "js"],
    grammar: Grammar::Tsx,
};

static GRAMMARS: LazyLock<[tree_sitter::Language; 2]> = LazyLock::new(|| {
    [
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        tree_sitter_typescript::LANGUAGE_TSX.into(),
    ]
});

/// The stub of the standard library and of the hosts, shared by all dialects.
const PRELUDE: &[(&str, &str)] = &[
    ("prelude/es.d.ts", include_str!("prelude/es.d.ts")),
    ("prelude/host.d.ts", include_str!("prelude/host.d.ts")),
    (
        "prelude/packages.d.ts",
        include_str!("prelude/packages.d.ts"),
    ),
];

/// Addons of Node, and what wasm-bindgen writes for a package.
const JOINTS: &[Joint] = &[
    Joint::Ending("napi", ".node"),
    Joint::Package("wasm_bindgen", &["_bg.wasm", "_bg.js", ".wasm", ".js", ""]),
];

impl Language for TypeScript {
    fn id(&self) -> LanguageId {
        LanguageId(self.id)
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn grammar(&self) -> (&'static str, &'static str) {
        ("tree-sitter-typescript", "0.23.2")
    }

    fn facts(&self, text: &str) -> Extracted {
        driver::facts(self, text)
    }

    fn rules(&self) -> &dyn Rules {
        if self.id == JAVASCRIPT.id {
            &rules::UNCHECKED
        } else {
            &rules::RULES
        }
    }

    fn joints(&self) -> &'static [Joint] {
        JOINTS
    }

    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        PRELUDE
    }
}

impl Extract for TypeScript {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &GRAMMARS[self.grammar as usize]
    }

    fn readable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.id == JAVASCRIPT.id {
            return Cow::Borrowed(text);
        }
        readable::readable(text)
    }

    fn extract(
        &self,
        tree: &tree_sitter::Tree,
        text: &str,
        reuse: Option<&Reuse<'_>>,
    ) -> Extraction {
        let script = self.id == JAVASCRIPT.id;
        walk::extract(
            self.id(),
            (self.grammar as usize, script),
            tree,
            text,
            reuse,
        )
    }
}
