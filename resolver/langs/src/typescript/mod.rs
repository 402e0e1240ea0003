//! TypeScript and TSX: nothing is read yet.

use crate::driver::{self, Extract, Extraction, Reuse};
use std::sync::LazyLock;
use surefoot_facts::{Builder, Extracted, Language, LanguageId, Rules, Traits};

pub(crate) struct TypeScript(u8);
pub(crate) static TYPESCRIPT: TypeScript = TypeScript(1);
pub(crate) static TSX: TypeScript = TypeScript(2);

static GRAMMARS: LazyLock<[tree_sitter::Language; 2]> = LazyLock::new(|| {
    [
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        tree_sitter_typescript::LANGUAGE_TSX.into(),
    ]
});

impl Language for TypeScript {
    fn id(&self) -> LanguageId {
        LanguageId(self.0)
    }
    fn name(&self) -> &'static str {
        ["typescript", "tsx"][self.0 as usize - 1]
    }
    fn extensions(&self) -> &'static [&'static str] {
        [["ts"].as_slice(), &["tsx"]][self.0 as usize - 1]
    }
    fn grammar(&self) -> (&'static str, &'static str) {
        ("tree-sitter-typescript", "0.23.2")
    }
    fn facts(&self, text: &str) -> Extracted {
        driver::facts(self, text)
    }
    fn rules(&self) -> &dyn Rules {
        &Nothing
    }
    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

impl Extract for TypeScript {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &GRAMMARS[self.0 as usize - 1]
    }
    fn extract(&self, _: &tree_sitter::Tree, text: &str, _: Option<&Reuse<'_>>) -> Extraction {
        Extraction {
            extracted: Builder::new(self.id()).finish(text),
            context: 0,
        }
    }
}

struct Nothing;
static TRAITS: Traits = Traits {
    module_tree: false,
    modules_nest: true,
    auto_deref: false,
    call_constructs: false,
    branches_agree: false,
    async_hides_promise: false,
    positional_params: true,
    virtual_methods: true,
    structural: true,
    private_imports: true,
    traits_give_members: false,
    literals: &[],
    array: "Array",
    function: "Function",
    object: "Object",
    promise: "Promise",
    range: "",
    boolean: "boolean",
    untyped: &["any", "unknown"],
};

impl Rules for Nothing {
    fn traits(&self) -> &Traits {
        &TRAITS
    }
}
