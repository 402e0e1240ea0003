//! The rules that steer the resolver.

use surefoot_facts::{Rules, Traits};

pub(super) struct TypeScriptRules;
pub(super) static RULES: TypeScriptRules = TypeScriptRules;

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
    boolean: "Boolean",
    untyped: &["any", "unknown"],
};

impl Rules for TypeScriptRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }
}
