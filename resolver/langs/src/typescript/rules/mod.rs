//! The rules that steer the resolver through JavaScript's modules and types.

mod builtins;
mod config;
mod json;
mod package;
mod path;
mod specifier;

#[cfg(test)]
mod tests;

use surefoot_facts::{Builtin, Lit, Name, PathReader, Rules, Specifier, TableUse, Traits};
use surefoot_graph::FileId;

pub(super) struct TypeScriptRules {
    checked: bool,
}
pub(super) static RULES: TypeScriptRules = TypeScriptRules { checked: true };
/// Nothing but the types differs in plain JavaScript.
pub(super) static UNCHECKED: TypeScriptRules = TypeScriptRules { checked: false };

static TRAITS: Traits = Traits {
    nothing: &["null", "undefined", "void", "never"],
    modules_nest: true,
    prototype: "prototype",
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
    boolean: "Boolean",
    constructor: "constructor",
    tables: &[
        ("push", TableUse::Puts),
        ("unshift", TableUse::Puts),
        ("slice", TableUse::Views),
        ("values", TableUse::Views),
    ],
    untyped: &["any", "unknown"],
    ..Traits::PLAIN
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

    fn package_stub(&self, package: Name) -> Option<Name> {
        builtins::package_stub(package)
    }

    fn builtin(&self, name: Name) -> Option<Builtin> {
        builtins::builtin(name)
    }

    fn builtin_type(&self, name: &str) -> Option<&'static str> {
        builtins::builtin_type(name)
    }
}
