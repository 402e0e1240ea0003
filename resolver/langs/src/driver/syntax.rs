//! Trees as walkers see them: kinds and fields as enums of ours, children as
//! lists.

use smallvec::SmallVec;
use tree_sitter::{Node, Tree, TreeCursor};

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
        // A token: asking it is cheaper than setting a cursor on it.
        if node.child_count() == 0 {
            return Kids(list);
        }
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
