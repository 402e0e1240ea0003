//! Python: one grammar, one walker, one set of rules.

mod kinds;
mod rules;
mod walk;

use crate::driver::{self, Extract, Extraction, Reuse};
use std::sync::LazyLock;
use surefoot_facts::{Extracted, Joint, Language, LanguageId, Rules};

/// Its place in the registry.
const ID: u8 = 4;

pub(crate) struct Python;
pub(crate) static PYTHON: Python = Python;

static GRAMMAR: LazyLock<tree_sitter::Language> =
    LazyLock::new(|| tree_sitter_python::LANGUAGE.into());

macro_rules! stubs {
    ($($name:literal),* $(,)?) => {
        /// The stub of the standard library: one file per module, builtins first.
        const PRELUDE: &[(&str, &str)] = &[
            $( (concat!("python/", $name, ".pyi"), include_str!(concat!("prelude/", $name, ".pyi"))) ),*
        ];
    };
}

stubs![
    "builtins",
    "typing",
    "abc",
    "argparse",
    "asyncio",
    "collections",
    "collections.abc",
    "contextlib",
    "contextvars",
    "copy",
    "dataclasses",
    "datetime",
    "enum",
    "functools",
    "hashlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "os",
    "os.path",
    "pathlib",
    "re",
    "subprocess",
    "sys",
    "tempfile",
    "textwrap",
    "threading",
    "types",
    "unittest",
    "urllib",
    "urllib.parse",
    "weakref",
];

/// Loaders of shared libraries, and the extension modules CPython finds by the name of their `PyInit_`.
const JOINTS: &[Joint] = &[
    Joint::Call("c_abi", "ctypes", "CDLL"),
    Joint::Call("c_abi", "ctypes", "PyDLL"),
    Joint::Call("c_abi", "ctypes", "WinDLL"),
    Joint::Call("c_abi", "ctypes", "cdll.LoadLibrary"),
    Joint::Call("c_abi", "cffi", "FFI"),
    Joint::Module("pyo3", "PyInit_"),
];

impl Language for Python {
    fn id(&self) -> LanguageId {
        LanguageId(ID)
    }

    fn name(&self) -> &'static str {
        "python"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pyi", "pyw", "py"]
    }

    fn grammar(&self) -> (&'static str, &'static str) {
        ("tree-sitter-python", "0.25.0")
    }

    fn facts(&self, text: &str) -> Extracted {
        driver::facts(self, text)
    }

    fn rules(&self) -> &dyn Rules {
        &rules::RULES
    }

    fn joints(&self) -> &'static [Joint] {
        JOINTS
    }

    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        PRELUDE
    }
}

impl Extract for Python {
    fn tree_sitter(&self) -> &'static tree_sitter::Language {
        &GRAMMAR
    }

    fn extract(
        &self,
        tree: &tree_sitter::Tree,
        text: &str,
        reuse: Option<&Reuse<'_>>,
    ) -> Extraction {
        walk::extract(self.id(), tree, text, reuse)
    }
}
