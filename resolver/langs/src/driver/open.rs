//! Open documents: tree and facts kept from one edit to the next.

use super::hunk::{Hunk, covering, difference, hunks, leads, moved};
use super::parse::{nests_deep, parse};
use super::{Extract, Extraction, Reuse, unread};
use crate::extractor;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use surefoot_facts::{Extracted, Language, Span};
use tree_sitter::Tree;

/// One replacement in bytes: `start..old_end` of the text before became
/// `start..new_end`. In a list, each stands in the text the ones before it made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    pub start: u32,
    pub old_end: u32,
    pub new_end: u32,
}

/// An open document: text, tree, and the facts read from them.
pub struct OpenFile {
    language: &'static dyn Extract,
    text: String,
    /// What the grammar was given, where it is not the text itself.
    readable: Option<String>,
    /// `None` after a parse that spent its allowance; the next one starts anew.
    tree: Option<Tree>,
    extracted: Extracted,
    context: u64,
    fresh: bool,
    /// How many nodes the last tree had that was found not to nest deep.
    shallow: Option<usize>,
}

/// A tree of about as many nodes as one that was looked through nests about as
/// deep: what is new in it is at most this much.
const MORE_NODES: usize = 200;

impl OpenFile {
    pub fn new(language: &'static dyn Language, text: String) -> OpenFile {
        let language = extractor(language.id());
        let mut file = OpenFile {
            language,
            extracted: unread(language.id(), ""),
            text,
            readable: None,
            tree: None,
            context: 0,
            fresh: false,
            shallow: None,
        };
        if !file.read_anew() {
            file.extracted = unread(language.id(), &file.text);
        }
        // Now, so that the first edit need not.
        if let Some(tree) = file.tree.take() {
            file.is_shallow(&tree);
            file.tree = Some(tree);
        }
        file
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn extracted(&self) -> &Extracted {
        &self.extracted
    }

    /// False while [`OpenFile::extracted`] is older than the text, because
    /// reading it spent its allowance.
    /// Lets go of the parsed tree: the next edit parses all of the text. False when there was none.
    pub fn forget_tree(&mut self) -> bool {
        self.tree.take().is_some()
    }

    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Reads the document after edits. `text` decides: edits that do not lead
    /// to it are replaced by the one difference between the two texts.
    pub fn update(&mut self, edits: &[Edit], text: String) -> &Extracted {
        let mut hunks = hunks(edits, &self.text, &text);
        let old = self.tree.take();
        let mut before = std::mem::replace(&mut self.text, text);
        let readable = self.language.readable(&self.text);
        if self.readable.is_some() || matches!(readable, Cow::Owned(_)) {
            let seen = self.readable.take().unwrap_or_else(|| before.clone());
            // An edit may change how the text beside it is given to the grammar.
            if !leads(&hunks, &seen, &readable) {
                hunks = covering(
                    difference(&before, &self.text),
                    difference(&seen, &readable),
                );
            }
            before = seen;
        }
        self.readable = match readable {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        };
        let Some(mut old) = old else {
            self.read_anew();
            return &self.extracted;
        };
        let given = self.readable.as_deref().unwrap_or(&self.text);
        for hunk in hunks.iter().rev() {
            old.edit(&hunk.input_edit(&before, given));
        }
        let Some(tree) = parse(self.language.tree_sitter(), given, Some(&old)) else {
            self.fresh = false;
            return &self.extracted;
        };
        let shallow = self.is_shallow(&old) && self.is_shallow(&tree);
        let reuse = if shallow {
            self.untouched(&hunks, &old, &tree)
        } else {
            None
        };
        let out = self.language.extract(&tree, &self.text, reuse.as_ref());
        drop(reuse);
        self.keep(tree, out);
        &self.extracted
    }

    /// Reads the whole text again and says whether anything was different: the
    /// parser does not promise that a tree kept through broken states equals a
    /// new one.
    pub fn verify_full(&mut self) -> bool {
        let before = self.extracted.clone();
        self.read_anew()
            && (before.facts != self.extracted.facts
                || before.positions != self.extracted.positions)
    }

    fn read_anew(&mut self) -> bool {
        self.tree = None;
        self.fresh = false;
        self.readable = match self.language.readable(&self.text) {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        };
        let given = self.readable.as_deref().unwrap_or(&self.text);
        let Some(tree) = parse(self.language.tree_sitter(), given, None) else {
            return false;
        };
        let out = self.language.extract(&tree, &self.text, None);
        self.keep(tree, out);
        true
    }

    fn keep(&mut self, tree: Tree, out: Extraction) {
        self.tree = Some(tree);
        self.extracted = out.extracted;
        self.context = out.context;
        self.fresh = true;
    }

    /// Comparing two trees costs their size for each level, and looking through
    /// one costs more than reading an edit: done when a tree has grown.
    fn is_shallow(&mut self, tree: &Tree) -> bool {
        let nodes = tree.root_node().descendant_count();
        if self
            .shallow
            .is_some_and(|n| n.abs_diff(nodes) <= MORE_NODES)
        {
            return true;
        }
        self.shallow = (!nests_deep(tree)).then_some(nodes);
        self.shallow.is_some()
    }

    /// Items whose bytes and syntax are what they were.
    fn untouched(&self, hunks: &[Hunk], old: &Tree, new: &Tree) -> Option<Reuse<'_>> {
        if !self.fresh {
            return None;
        }
        let mut changed: Vec<Span> = hunks.iter().map(|h| h.new).collect();
        changed.extend(
            old.changed_ranges(new)
                .map(|r| Span::new(r.start_byte, r.end_byte)),
        );
        changed.sort_unstable();
        // Furthest end of all ranges up to each, so that one search answers.
        let mut end = 0;
        let ends: Vec<u32> = changed
            .iter()
            .map(|r| {
                end = end.max(r.end);
                end
            })
            .collect();
        let touched = |span: Span| {
            let upto = changed.partition_point(|r| r.start <= span.end);
            upto > 0 && ends[upto - 1] >= span.start
        };
        let (facts, positions) = (&self.extracted.facts, &self.extracted.positions);
        let mut items = FxHashMap::default();
        for (facts, (start, spans)) in facts.items.iter().zip(&positions.items) {
            let span = spans.full.shift(*start);
            if let Some(now) = moved(hunks, span)
                && !touched(now)
            {
                items.insert(now, (facts, spans));
            }
        }
        Some(Reuse {
            items,
            context: self.context,
        })
    }
}
