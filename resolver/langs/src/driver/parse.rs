//! Text to trees: one parser per thread, bounded by counted work.

use std::cell::RefCell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Tree};

/// How deep walkers follow nested syntax. Real files reach 3,000 levels; what
/// lies deeper is left out, counted as an error region and marked partial.
pub(crate) const MAX_DEPTH: u32 = 6_000;

/// Runs one level of a walker with enough stack for the next: the stack grows
/// on the heap, and the walkers' own counters bound it by [`MAX_DEPTH`].
pub(crate) fn deeper<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, level)
}

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
    error_regions_outside(tree, None)
}

/// The same, without those inside nodes of a kind from which nothing is read.
pub(crate) fn error_regions_outside(tree: &Tree, unread: Option<u16>) -> u32 {
    let mut cursor = tree.walk();
    let mut found = 0;
    loop {
        let node = cursor.node();
        let hit = node.is_error() || node.is_missing();
        found += u32::from(hit);
        let below = node.has_error() && Some(node.kind_id()) != unread;
        if !hit && below && cursor.goto_first_child() {
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

/// Trees of fewer nodes are compared in no time, however they nest.
const SMALL: usize = 4_000;

/// Deeper trees are not compared level by level (code people write stays below 100).
const COMPARED_DEPTH: u32 = 300;

/// Whether a tree is too deep to be compared with another in little time.
pub(crate) fn nests_deep(tree: &Tree) -> bool {
    if tree.root_node().descendant_count() < SMALL {
        return false;
    }
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            if depth > COMPARED_DEPTH {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}
