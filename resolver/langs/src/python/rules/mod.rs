//! The rules that steer the resolver through Python's modules and types.

mod builtins;
pub(super) mod conditions;
mod place;
mod stdlib;

use surefoot_facts::{Builtin, Lit, Name, PathReader, Rules, Specifier, TableUse, Traits, ops};
use surefoot_graph::FileId;

pub(super) struct PythonRules;
pub(super) static RULES: PythonRules = PythonRules;

static TRAITS: Traits = Traits {
    call_constructs: true,
    async_hides_promise: true,
    positional_params: false,
    virtual_methods: true,
    literals: &[
        (Lit::Str, "str"),
        (Lit::Int, "int"),
        (Lit::Float, "float"),
        (Lit::Bool, "bool"),
        (Lit::Bytes, "bytes"),
    ],
    array: "list",
    function: "function",
    promise: "Coroutine",
    boolean: "bool",
    one_namespace: true,
    linear_bases: true,
    root: "object",
    constructor: "__init__",
    generator: "Generator",
    tuple: "tuple",
    metatype: "type",
    cases: "__members__",
    operators: &[
        (ops::ELEM, &["__iter__", "__next__"]),
        (ops::ELEM, &["__aiter__", "__anext__"]),
        (ops::ELEM, &["__getitem__"]),
        (ops::INDEX, &["__getitem__"]),
        (ops::CALL, &["__call__"]),
        (ops::AWAIT, &["__await__"]),
    ],
    keyed: "__dict",
    sliced: "__slice",
    tables: &[
        ("append", TableUse::Puts),
        ("appendleft", TableUse::Puts),
        ("add", TableUse::Puts),
        ("insert", TableUse::Puts),
        ("setdefault", TableUse::PutsUnder),
        ("update", TableUse::PutsAll),
        ("extend", TableUse::PutsAll),
        ("get", TableUse::Takes),
        ("pop", TableUse::Takes),
        ("values", TableUse::Views),
        ("copy", TableUse::Views),
    ],
    untyped: &["Any"],
    ..Traits::PLAIN
};

impl Rules for PythonRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn specifier(&self, reader: &dyn PathReader, from: FileId, spec: &str) -> Specifier {
        place::specifier(reader, &reader.path(from), spec)
    }

    fn submodule(&self, reader: &dyn PathReader, package: &str, name: &str) -> Specifier {
        place::submodule(reader, package, name)
    }

    fn globbed(&self, name: Name) -> bool {
        !name.text().starts_with('_')
    }

    fn unusual(&self, condition: &str) -> bool {
        condition == "except"
    }

    fn holds(
        &self,
        _: &dyn PathReader,
        _: FileId,
        condition: &str,
        named: &dyn Fn(Name) -> Option<bool>,
    ) -> Option<bool> {
        conditions::holds(condition, named)
    }

    fn builtin(&self, name: Name) -> Option<Builtin> {
        builtins::builtin(name)
    }
}
