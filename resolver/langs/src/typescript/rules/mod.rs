//! The rules that steer the resolver through JavaScript's modules and types.

mod builtins;
mod config;
mod json;
mod package;
mod path;
mod specifier;

#[cfg(test)]
mod tests;

use surefoot_facts::{Builtin, Lit, Name, PathReader, Rules, Specifier, Traits};
use surefoot_graph::FileId;

pub(super) struct TypeScriptRules {
    checked: bool,
}
pub(super) static RULES: TypeScriptRules = TypeScriptRules { checked: true };
/// Nothing but the types differs in plain JavaScript.
pub(super) static UNCHECKED: TypeScriptRules = TypeScriptRules { checked: false };

static TRAITS: Traits = Traits {
    module_tree: false,
    modules_nest: true,
    auto_deref: false,
    written_receiver: false,
    call_constructs: false,
    prototype: "prototype",
    branches_agree: false,
    async_hides_promise: false,
    positional_params: true,
    virtual_methods: true,
    structural: true,
    literals: &[
        (Lit::Str, "String"),
        (Lit::Int, "Number"),
        (Lit::Float, "Number"),
        (Lit::BigInt, "BigInt"),
        (Lit::Bool, "Boolean"),
        (Lit::Regex, "RegExp"),
    ],
    array: "Array",
    function: "Function",
    promise: "Promise",
    range: "",
    boolean: "Boolean",
    one_namespace: false,
    linear_bases: false,
    root: "",
    constructor: "constructor",
    generator: "",
    tuple: "",
    operators: &[],
    untyped: &["any", "unknown"],
};

impl Rules for TypeScriptRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn checked(&self) -> bool {
        self.checked
    }

    fn specifier(&self, reader: &dyn PathReader, from: FileId, spec: &str) -> Specifier {
        specifier::resolve(reader, &reader.path(from), spec)
    }

    fn builtin(&self, name: Name) -> Option<Builtin> {
        builtins::builtin(name)
    }

    fn builtin_type(&self, name: &str) -> Option<&'static str> {
        builtins::builtin_type(name)
    }
}
