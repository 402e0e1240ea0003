//! How Rust names lead to files, packages and builtins.

use super::cfg;
use surefoot_facts::{Lit, PathReader, Rules, Traits};
use surefoot_graph::FileId;

pub(super) static RULES: RustRules = RustRules;
pub(super) struct RustRules;

static TRAITS: Traits = Traits {
    module_tree: true,
    modules_nest: false,
    auto_deref: true,
    call_constructs: true,
    branches_agree: true,
    async_hides_promise: true,
    positional_params: false,
    virtual_methods: false,
    structural: false,
    private_imports: true,
    traits_give_members: true,
    literals: &[
        (Lit::Str, "str"),
        (Lit::Char, "char"),
        (Lit::Int, "i32"),
        (Lit::Float, "f64"),
        (Lit::Bool, "bool"),
        (Lit::Bytes, "[u8]"),
        (Lit::ByteChar, "u8"),
        (Lit::Unit, "()"),
    ],
    array: "slice",
    function: "",
    object: "",
    promise: "Future",
    range: "Range",
    boolean: "bool",
    untyped: &[],
};

impl Rules for RustRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn holds(&self, reader: &dyn PathReader, file: FileId, condition: &str) -> Option<bool> {
        let path = reader.path(file);
        cfg::holds(condition, &|name| cfg::default_feature(reader, &path, name))
    }
}
