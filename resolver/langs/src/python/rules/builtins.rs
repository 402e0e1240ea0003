//! Names that mean something in every module.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use surefoot_facts::{Builtin, Language, Name};

/// Builtins the stub declares: its top-level names, read once.
static PRELUDE: LazyLock<FxHashSet<Name>> = LazyLock::new(|| {
    let mut names = FxHashSet::default();
    let python = &crate::python::PYTHON;
    if let Some((_, text)) = python.prelude().first() {
        for item in &python.facts(text).facts.items {
            let top = item.symbols.iter().filter(|s| s.parent.is_none());
            // Type variables of the stub are its own.
            let own = |n: &Name| n.text().len() == 1;
            names.extend(top.map(|s| s.name).filter(|n| !own(n)));
        }
    }
    names
});

/// Other builtins: what has no type worth a stub, and names modules are given.
const OUTSIDE: &[&str] = &[
    "WindowsError",
    "__build_class__",
    "__builtins__",
    "__debug__",
    "__doc__",
    "__file__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__path__",
    "__spec__",
    "copyright",
    "credits",
    "exit",
    "license",
    "quit",
    "reveal_locals",
    "reveal_type",
];

pub(super) fn builtin(name: Name) -> Option<Builtin> {
    if PRELUDE.contains(&name) {
        Some(Builtin::Prelude)
    } else if OUTSIDE.contains(&name.text()) {
        Some(Builtin::Outside)
    } else {
        None
    }
}
