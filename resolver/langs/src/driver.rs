//! Text to trees: one parser per thread, bounded by counted work, and open
//! documents whose trees and facts are kept from one edit to the next.

use crate::extractor;
use memchr::{memchr_iter, memrchr};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use surefoot_facts::{
    Builder, Extracted, FileFacts, ItemFacts, ItemSpans, Language, LanguageId, LineIndex,
    Positions, Span,
};
use tree_sitter::{InputEdit, Node, ParseOptions, Parser, Point, Tree, TreeCursor};

// ---- words of a grammar ----------------------------------------------------------------

/// The kinds and fields of one grammar as enums of ours, so that a walker
/// matches on them and no string is compared per node.
pub(crate) struct Words<K: 'static, F: 'static> {
    kinds: Box<[K]>,
    fields: Box<[F]>,
    other: K,
    error: K,
    none: F,
}

impl<K: Copy, F: Copy> Words<K, F> {
    /// `named` and `tokens` list the grammar's names; the same text may be a
    /// named node and a token. Every id that shows the name gets the kind.
    pub(crate) fn new(
        language: &tree_sitter::Language,
        (other, error, none): (K, K, F),
        named: &[(&str, K)],
        tokens: &[(&str, K)],
        fields: &[(&str, F)],
    ) -> Words<K, F> {
        let kind = |id: u16| {
            let list = if language.node_kind_is_named(id) {
                named
            } else {
                tokens
            };
            let name = language.node_kind_for_id(id).unwrap_or("");
            list.iter().find(|w| w.0 == name).map_or(other, |w| w.1)
        };
        let field = |id: u16| {
            let name = language.field_name_for_id(id).unwrap_or("");
            fields.iter().find(|w| w.0 == name).map_or(none, |w| w.1)
        };
        Words {
            kinds: (0..language.node_kind_count() as u16).map(kind).collect(),
            fields: (0..=language.field_count() as u16).map(field).collect(),
            other,
            error,
            none,
        }
    }

    pub(crate) fn kind(&self, node: Node<'_>) -> K {
        let id = node.kind_id();
        match self.kinds.get(id as usize) {
            Some(kind) => *kind,
            None if id == u16::MAX => self.error,
            None => self.other,
        }
    }

    fn field(&self, id: Option<std::num::NonZeroU16>) -> F {
        id.and_then(|id| self.fields.get(id.get() as usize))
            .copied()
            .unwrap_or(self.none)
    }
}

/// Declares the enums of a grammar and a function that builds their [`Words`]:
///
/// ```text
/// words! {
///     kinds K { named { Block = "block" } tokens { Comma = "," } }
///     fields F { Name = "name" }
/// }
/// static WORDS: LazyLock<Words<K, F>> = LazyLock::new(|| words(&LANGUAGE.into()));
/// ```
macro_rules! words {
    (
        kinds $K:ident {
            named { $($named:ident = $named_text:literal),* $(,)? }
            tokens { $($token:ident = $token_text:literal),* $(,)? }
        }
        fields $F:ident { $($field:ident = $field_text:literal),* $(,)? }
    ) => {
        /// Node kinds the walker tells apart; `Error` is what did not parse.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum $K { Other, Error, $($named,)* $($token,)* }

        /// Fields the walker asks for.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum $F { None, $($field,)* }

        /// Names that must exist in the grammar; a test asks for each.
        #[cfg(test)]
        const WORD_LIST: (&[&str], &[&str], &[&str]) =
            (&[$($named_text),*], &[$($token_text),*], &[$($field_text),*]);

        fn words(language: &tree_sitter::Language) -> $crate::driver::Words<$K, $F> {
            $crate::driver::Words::new(
                language,
                ($K::Other, $K::Error, $F::None),
                &[$(($named_text, $K::$named)),*],
                &[$(($token_text, $K::$token)),*],
                &[$(($field_text, $F::$field)),*],
            )
        }
    };
}
pub(crate) use words;

/// Says which names of a word list the grammar does not have.
#[cfg(test)]
pub(crate) fn missing_words<'a>(
    language: &tree_sitter::Language,
    (named, tokens, fields): (&[&'a str], &[&'a str], &[&'a str]),
) -> Vec<&'a str> {
    let mut missing = Vec::new();
    missing.extend(
        named
            .iter()
            .filter(|w| language.id_for_node_kind(w, true) == 0),
    );
    missing.extend(
        tokens
            .iter()
            .filter(|w| language.id_for_node_kind(w, false) == 0),
    );
    missing.extend(
        fields
            .iter()
            .filter(|w| language.field_id_for_name(w).is_none()),
    );
    missing
}

/// A child with its kind and its field in the parent.
#[derive(Clone, Copy)]
pub(crate) struct Kid<'t, K, F> {
    pub(crate) node: Node<'t>,
    pub(crate) kind: K,
    pub(crate) field: F,
}

/// The children of one node, tokens included, in source order.
pub(crate) struct Kids<'t, K, F>(SmallVec<[Kid<'t, K, F>; 6]>);

impl<'t, K: Copy + PartialEq, F: Copy + PartialEq> Kids<'t, K, F> {
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Kid<'t, K, F>> {
        self.0.iter()
    }

    /// The first child in this field.
    pub(crate) fn field(&self, field: F) -> Option<Kid<'t, K, F>> {
        self.0.iter().find(|k| k.field == field).copied()
    }

    /// The first child of this kind.
    pub(crate) fn kind(&self, kind: K) -> Option<Kid<'t, K, F>> {
        self.0.iter().find(|k| k.kind == kind).copied()
    }

    pub(crate) fn has(&self, kind: K) -> bool {
        self.0.iter().any(|k| k.kind == kind)
    }

    /// Children that are named nodes and no comments.
    pub(crate) fn named(&self) -> impl Iterator<Item = Kid<'t, K, F>> + '_ {
        self.0
            .iter()
            .filter(|k| k.node.is_named() && !k.node.is_extra())
            .copied()
    }
}

impl<'t, K, F> std::ops::Deref for Kids<'t, K, F> {
    type Target = [Kid<'t, K, F>];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// A tree with the text it was parsed from, and one cursor that lists children.
///
/// A list of children costs one pass over them; asking a node for its n-th
/// child or its parent costs a search each time, so walkers use this instead.
pub(crate) struct Syntax<'t, K: 'static, F: 'static> {
    pub(crate) words: &'static Words<K, F>,
    pub(crate) text: &'t str,
    cursor: TreeCursor<'t>,
}

impl<'t, K: Copy, F: Copy> Syntax<'t, K, F> {
    pub(crate) fn new(words: &'static Words<K, F>, tree: &'t Tree, text: &'t str) -> Self {
        Syntax {
            words,
            text,
            cursor: tree.walk(),
        }
    }

    pub(crate) fn kids(&mut self, node: Node<'t>) -> Kids<'t, K, F> {
        let mut list = SmallVec::new();
        self.cursor.reset(node);
        if self.cursor.goto_first_child() {
            loop {
                let node = self.cursor.node();
                list.push(Kid {
                    node,
                    kind: self.words.kind(node),
                    field: self.words.field(self.cursor.field_id()),
                });
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        Kids(list)
    }

    pub(crate) fn kind(&self, node: Node<'t>) -> K {
        self.words.kind(node)
    }

    /// The node's text; empty rather than a panic if a span were off.
    pub(crate) fn text(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }
}

// ---- depth -----------------------------------------------------------------------------

/// How deep walkers follow nested syntax. Real files reach 3,000 levels; what
/// lies deeper is left out, counted as an error region and marked partial.
pub(crate) const MAX_DEPTH: u32 = 6_000;

/// Runs one level of a walker with enough stack for the next: the stack grows
/// on the heap, and the walkers' own counters bound it by [`MAX_DEPTH`].
pub(crate) fn deeper<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, level)
}

// ---- parsing ---------------------------------------------------------------------------

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Parser steps allowed, in the hundreds the parser reports: a fixed part and
/// one for each so many bytes. Ordinary text takes one hundred steps for some
/// 300 bytes, badly broken text several times that.
fn allowance(bytes: usize) -> usize {
    2_000 + bytes / 4
}

/// Parses within the allowance; `None` when it is spent. The same text always
/// takes the same steps, so a loaded machine gives the same answer.
pub(crate) fn parse(
    language: &tree_sitter::Language,
    text: &str,
    old: Option<&Tree>,
) -> Option<Tree> {
    parse_with(language, text, old, false)
}

/// The tree of a text that parses without an error; ends early when it does not.
pub(crate) fn parse_clean(language: &tree_sitter::Language, text: &str) -> Option<Tree> {
    parse_with(language, text, None, true).filter(|t| !t.root_node().has_error())
}

fn parse_with(
    language: &tree_sitter::Language,
    text: &str,
    old: Option<&Tree>,
    clean: bool,
) -> Option<Tree> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language).ok()?;
        let mut steps = 0;
        let allowed = allowance(text.len());
        let mut progress = |state: &tree_sitter::ParseState| {
            steps += 1;
            if steps > allowed || (clean && state.has_error()) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let bytes = text.as_bytes();
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            old,
            Some(options),
        );
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

/// Counts the regions that did not parse: outermost error nodes and missing tokens.
pub(crate) fn error_regions(tree: &Tree) -> u32 {
    let mut cursor = tree.walk();
    let mut found = 0;
    loop {
        let node = cursor.node();
        let hit = node.is_error() || node.is_missing();
        found += u32::from(hit);
        if !hit && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Whether the head of a file says that a program wrote it.
pub(crate) fn says_generated(text: &str) -> bool {
    let head = text.as_bytes();
    let head = &head[..head.len().min(4_096)];
    head.split(|b| *b == b'\n').take(40).any(|line| {
        let line = String::from_utf8_lossy(line);
        line.contains("@generated")
            || line
                .find("Code generated ")
                .is_some_and(|at| line[at..].contains("DO NOT EDIT"))
    })
}

// ---- languages -------------------------------------------------------------------------

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
            items: Vec::new(),
            lines: LineIndex::new(text),
        },
    }
}

// ---- open documents --------------------------------------------------------------------

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
}

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
        };
        if !file.read_anew() {
            file.extracted = unread(language.id(), &file.text);
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
        let reuse = self.untouched(&hunks, &old, &tree);
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

/// One place where two texts differ, in the coordinates of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hunk {
    old: Span,
    new: Span,
}

impl Hunk {
    /// For application from the last hunk to the first: what stands before it
    /// is still the old text.
    fn input_edit(&self, old: &str, new: &str) -> InputEdit {
        let start = point(old, self.old.start as usize, Point { row: 0, column: 0 });
        let inserted = &new[self.new.start as usize..self.new.end as usize];
        InputEdit {
            start_byte: self.old.start as usize,
            old_end_byte: self.old.end as usize,
            new_end_byte: (self.old.start + self.new.len()) as usize,
            start_position: start,
            old_end_position: point(old, self.old.end as usize, Point { row: 0, column: 0 }),
            new_end_position: point(inserted, inserted.len(), start),
        }
    }
}

/// Rows and byte columns as the parser counts them, `from` being the start of `text`.
fn point(text: &str, offset: usize, from: Point) -> Point {
    let before = &text.as_bytes()[..offset];
    match memrchr(b'\n', before) {
        Some(last) => Point {
            row: from.row + memchr_iter(b'\n', before).count(),
            column: offset - last - 1,
        },
        None => Point {
            row: from.row,
            column: from.column + offset,
        },
    }
}

/// Where an untouched span of the old text stands in the new one; `None` when
/// an edit lies in it or at its edge.
fn moved(hunks: &[Hunk], span: Span) -> Option<Span> {
    let before = hunks.partition_point(|h| h.old.end < span.start);
    if hunks.get(before).is_some_and(|h| h.old.start <= span.end) {
        return None;
    }
    let start = match before.checked_sub(1).map(|i| hunks[i]) {
        Some(h) => h.new.end + (span.start - h.old.end),
        None => span.start,
    };
    Some(Span {
        start,
        end: start + span.len(),
    })
}

/// The edits as disjoint hunks in order, checked against both texts.
fn hunks(edits: &[Edit], old: &str, new: &str) -> Vec<Hunk> {
    compose(edits)
        .filter(|hunks| leads(hunks, old, new))
        .unwrap_or_else(|| difference(old, new))
}

fn compose(edits: &[Edit]) -> Option<Vec<Hunk>> {
    let mut hunks: Vec<Hunk> = Vec::with_capacity(edits.len());
    for e in edits {
        if e.start > e.old_end || e.start > e.new_end {
            return None;
        }
        let first = hunks.partition_point(|h| h.new.end < e.start);
        let last = hunks.partition_point(|h| h.new.start <= e.old_end);
        // What lies between hunks keeps its distance to the hunk before it.
        let to_old = |hunks: &[Hunk], at: u32| {
            hunks
                .last()
                .map_or(at, |h| h.old.end + (at - h.new.end.min(at)))
        };
        let mut start = (to_old(&hunks[..first], e.start), e.start);
        let mut end = (to_old(&hunks[..last], e.old_end), e.old_end);
        if let [a, ..] = &hunks[first..last]
            && a.new.start < e.start
        {
            start = (a.old.start, a.new.start);
        }
        if let [.., z] = &hunks[first..last]
            && z.new.end > e.old_end
        {
            end = (z.old.end, z.new.end);
        }
        let shift = i64::from(e.new_end) - i64::from(e.old_end);
        let moved = |at: u32| u32::try_from(i64::from(at) + shift).ok();
        for h in &mut hunks[last..] {
            h.new = Span {
                start: moved(h.new.start)?,
                end: moved(h.new.end)?,
            };
        }
        let hunk = Hunk {
            old: Span {
                start: start.0,
                end: end.0,
            },
            new: Span {
                start: start.1,
                end: moved(end.1)?,
            },
        };
        hunks.splice(first..last, [hunk]);
    }
    Some(hunks)
}

/// Whether the hunks turn one text into the other: what lies between them is equal.
fn leads(hunks: &[Hunk], old: &str, new: &str) -> bool {
    let (mut o, mut n) = (0, 0);
    let end = Hunk {
        old: Span::new(old.len(), old.len()),
        new: Span::new(new.len(), new.len()),
    };
    for h in hunks.iter().chain([&end]) {
        let same = old.get(o..h.old.start as usize);
        if same.is_none() || same != new.get(n..h.new.start as usize) {
            return false;
        }
        (o, n) = (h.old.end as usize, h.new.end as usize);
        if h.old.start > h.old.end || !old.is_char_boundary(o) || !new.is_char_boundary(n) {
            return false;
        }
    }
    true
}

/// One hunk around all of both.
fn covering(a: Vec<Hunk>, b: Vec<Hunk>) -> Vec<Hunk> {
    let around = a.into_iter().chain(b).reduce(|x, y| Hunk {
        old: Span {
            start: x.old.start.min(y.old.start),
            end: x.old.end.max(y.old.end),
        },
        new: Span {
            start: x.new.start.min(y.new.start),
            end: x.new.end.max(y.new.end),
        },
    });
    around.into_iter().collect()
}

/// The one hunk between the longest common start and end.
fn difference(old: &str, new: &str) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let shorter = a.len().min(b.len());
    let mut start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let tail = a.iter().rev().zip(b.iter().rev());
    let mut end = tail
        .take(shorter - start)
        .take_while(|(x, y)| x == y)
        .count();
    while !old.is_char_boundary(a.len() - end) || !new.is_char_boundary(b.len() - end) {
        end -= 1;
    }
    vec![Hunk {
        old: Span::new(start, a.len() - end),
        new: Span::new(start, b.len() - end),
    }]
}
