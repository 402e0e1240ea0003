//! One folder per language: text to facts, and the rules that steer the resolver.
//!
//! The only crate that uses tree-sitter. A new language is its folder and two
//! lines here.

mod driver;
mod manifest;
mod python;
mod rust;
mod typescript;

pub use driver::{Edit, OpenFile};
pub use manifest::{is_manifest, manifest_facts};

use std::sync::LazyLock;
use surefoot_facts::{Language, LanguageId};

/// Every language, at the index of its id.
const EXTRACTORS: &[&dyn driver::Extract] = &[
    &rust::RUST,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &typescript::JAVASCRIPT,
    &python::PYTHON,
];

/// Every language, at the index of its id.
pub fn all() -> &'static [&'static dyn Language] {
    static ALL: LazyLock<Vec<&dyn Language>> =
        LazyLock::new(|| EXTRACTORS.iter().map(|l| *l as &dyn Language).collect());
    &ALL
}

/// What this crate knows of a language beyond [`Language`].
fn extractor(id: LanguageId) -> &'static dyn driver::Extract {
    EXTRACTORS[(id.0 as usize).min(EXTRACTORS.len() - 1)]
}

pub fn get(id: LanguageId) -> Option<&'static dyn Language> {
    all().get(id.0 as usize).copied()
}

/// Parses a text and drops the tree; how many nodes it had. What the grammar's
/// parser alone costs, for measurements; `None`: no language, or broken beyond
/// the allowance.
pub fn parse_only(path: &str, text: &str) -> Option<usize> {
    let language = extractor(of_path(path)?.id());
    let tree = driver::parse(language.tree_sitter(), text, None)?;
    Some(tree.root_node().descendant_count())
}

/// The language of a path, by its extension.
pub fn of_path(path: &str) -> Option<&'static dyn Language> {
    let name = path.rsplit('/').next()?;
    all()
        .iter()
        .filter_map(|l| {
            let hit = l.extensions().iter().filter(|e| {
                name.len() > e.len()
                    && name.ends_with(*e)
                    && name.as_bytes()[name.len() - e.len() - 1] == b'.'
            });
            hit.map(|e| e.len()).max().map(|len| (len, *l))
        })
        .max_by_key(|(len, _)| *len)
        .map(|(_, l)| l)
}
