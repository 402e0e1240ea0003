//! What languages share: parsing within counted work, trees as walkers see
//! them, and open documents.

mod hunk;
mod open;
mod parse;
mod syntax;
#[cfg(test)]
mod tests;

pub use open::{Edit, OpenFile};
pub(crate) use parse::{
    MAX_DEPTH, deeper, error_regions, error_regions_outside, parse, parse_clean, says_generated,
};
#[cfg(test)]
pub(crate) use syntax::missing_words;
pub(crate) use syntax::{Kid, Kids, Syntax, Words, words};

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use surefoot_facts::{
    Builder, Extracted, FileFacts, ItemFacts, ItemSpans, Language, LanguageId, LineIndex,
    Positions, Span,
};
use tree_sitter::Tree;

/// What a language of this crate gives beyond [`Language`]: its grammar, and
/// facts from a tree that is already there.
pub(crate) trait Extract: Language {
    fn tree_sitter(&self) -> &'static tree_sitter::Language;

    /// The text the grammar is given: the same number of bytes, each name where
    /// it was, with what the grammar cannot read written otherwise.
    fn readable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }

    /// The facts of a tree. Items found in `reuse` may be taken over instead of
    /// being read again; the result is the same either way.
    fn extract(&self, tree: &Tree, text: &str, reuse: Option<&Reuse<'_>>) -> Extraction;
}

/// Facts, and a number for what an item's facts rest on outside its own text
/// (inner attributes of a file, whether it is a module): while it stays equal,
/// items may be reused.
pub(crate) struct Extraction {
    pub(crate) extracted: Extracted,
    pub(crate) context: u64,
}

/// The items of the last good reading that neither an edit nor a change of the
/// tree touches, by where they stand now.
pub(crate) struct Reuse<'a> {
    items: FxHashMap<Span, (&'a Arc<ItemFacts>, &'a Arc<ItemSpans>)>,
    pub(crate) context: u64,
}

impl Reuse<'_> {
    /// Takes the old facts of the item at `span`; false when it must be read.
    pub(crate) fn take(&self, span: Span, builder: &mut Builder) -> bool {
        self.items
            .get(&span)
            .is_some_and(|(facts, spans)| builder.reuse_item(span.start, facts, spans))
    }
}

/// The facts of one text, from nothing.
pub(crate) fn facts(language: &dyn Extract, text: &str) -> Extracted {
    let readable = language.readable(text);
    match parse(language.tree_sitter(), &readable, None) {
        Some(tree) => language.extract(&tree, text, None).extracted,
        None => unread(language.id(), text),
    }
}

/// What is known of a text whose parse spent its allowance: that it is broken.
fn unread(language: LanguageId, text: &str) -> Extracted {
    let mut facts = FileFacts::empty(language);
    facts.errors = 1;
    facts.generated = says_generated(text);
    Extracted {
        facts,
        positions: Positions {
            items: Default::default(),
            lines: LineIndex::new(text),
        },
    }
}
