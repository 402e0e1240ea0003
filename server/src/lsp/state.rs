//! The documents the client has open: text, version, and whether we still believe our copy.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tower_lsp_server::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::text::{Encoding, Text};

/// One open document.
#[derive(Clone, Debug)]
pub struct Document {
    pub version: i32,
    /// Copied on the first edit after a snapshot took it, shared otherwise.
    pub text: Arc<Text>,
    /// The turn of the loop that last changed it; answers computed for an earlier one are stale.
    pub stamp: u64,
    /// Set when the client named a place our text does not have. Until a full text arrives, positions in
    /// this document may be off.
    pub suspect: bool,
}

/// What an edit turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Applied as sent.
    Cleanly,
    /// Applied after moving impossible positions; said once per document.
    Clamped { first: bool },
    /// No such document is open.
    NotOpen,
}

/// All open documents. Cloning is cheap: texts are shared.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    open: FxHashMap<Uri, Document>,
    stamp: u64,
}

impl Documents {
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Uri, &Document)> {
        self.open.iter()
    }

    /// The stamp of a document, of the last change anywhere for `None`.
    pub fn stamp(&self, uri: Option<&Uri>) -> u64 {
        match uri {
            Some(uri) => self.open.get(uri).map_or(0, |document| document.stamp),
            None => self.stamp,
        }
    }

    fn next_stamp(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }

    pub fn open(&mut self, item: TextDocumentItem) {
        let stamp = self.next_stamp();
        let document = Document {
            version: item.version,
            text: Arc::new(Text::new(item.text)),
            stamp,
            suspect: false,
        };
        self.open.insert(item.uri, document);
    }

    pub fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.next_stamp();
        self.open.remove(uri)
    }

    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Applied {
        let stamp = self.next_stamp();
        let Some(document) = self.open.get_mut(uri) else {
            return Applied::NotOpen;
        };
        document.version = version;
        document.stamp = stamp;
        let was_suspect = document.suspect;
        let mut clamped = false;
        for change in changes {
            clamped |= document.apply(change, encoding);
        }
        if clamped {
            Applied::Clamped {
                first: !was_suspect,
            }
        } else {
            Applied::Cleanly
        }
    }

    /// Compares with the text a save carried; true when ours was wrong and has been replaced.
    pub fn heal(&mut self, uri: &Uri, saved: String) -> bool {
        let stamp = self.stamp + 1;
        let Some(document) = self.open.get_mut(uri) else {
            return false;
        };
        document.suspect = false;
        if document.text.as_str() == saved {
            return false;
        }
        self.stamp = stamp;
        document.text = Arc::new(Text::new(saved));
        document.stamp = stamp;
        true
    }
}

impl Document {
    /// Applies one change; true when a position had to be moved.
    fn apply(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) -> bool {
        let Some(range) = change.range else {
            self.text = Arc::new(Text::new(change.text));
            self.suspect = false;
            return false;
        };
        let start = self.text.landing(range.start, encoding);
        let end = self.text.landing(range.end, encoding);
        let backwards = end.offset < start.offset;
        let old = start.offset..end.offset.max(start.offset);
        Arc::make_mut(&mut self.text).splice(old, &change.text);
        let clamped = start.impossible || end.impossible || backwards;
        self.suspect |= clamped;
        clamped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp_server::ls_types::{Position, Range as WireRange};

    fn uri() -> Uri {
        "file:///w/a.rs".parse().unwrap()
    }

    fn open(text: &str) -> Documents {
        let mut documents = Documents::default();
        documents.open(TextDocumentItem::new(uri(), "rust".into(), 1, text.into()));
        documents
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range: Some(WireRange::new(
                Position::new(from.0, from.1),
                Position::new(to.0, to.1),
            )),
            range_length: None,
            text: text.into(),
        }
    }

    fn text(documents: &Documents) -> &str {
        documents.get(&uri()).unwrap().text.as_str()
    }

    /// Several changes of one notification build on one another.
    #[test]
    fn changes_apply_in_order() {
        let mut documents = open("let a = 1;\r\nlet b = 2;\r\n");
        let changes = vec![
            change((0, 4), (0, 5), "𝒳x"),
            change((0, 4), (0, 6), ""),
            change((1, 0), (2, 0), ""),
        ];
        assert_eq!(
            documents.change(&uri(), 2, changes, Encoding::Utf16),
            Applied::Cleanly
        );
        assert_eq!(text(&documents), "let x = 1;\r\n");
    }

    /// An impossible range must neither panic nor go unnoticed, and is reported once.
    #[test]
    fn an_impossible_range_is_clamped_and_the_document_suspect() {
        let mut documents = open("a\nb");
        let wrong = || vec![change((7, 3), (9, 0), "!")];
        assert_eq!(
            documents.change(&uri(), 2, wrong(), Encoding::Utf8),
            Applied::Clamped { first: true }
        );
        assert_eq!(
            documents.change(&uri(), 3, wrong(), Encoding::Utf8),
            Applied::Clamped { first: false }
        );
        assert_eq!(text(&documents), "a\nb!!");
        let backwards = vec![change((1, 1), (0, 0), "?")];
        assert_eq!(
            documents.change(&uri(), 4, backwards, Encoding::Utf8),
            Applied::Clamped { first: false }
        );
        assert_eq!(text(&documents), "a\nb?!!");
        assert!(documents.get(&uri()).unwrap().suspect);
    }

    /// A full text, by edit or by save, ends the doubt.
    #[test]
    fn a_full_text_heals_a_suspect_document() {
        let mut documents = open("a");
        documents.change(&uri(), 2, vec![change((9, 9), (9, 9), "x")], Encoding::Utf8);
        assert!(documents.heal(&uri(), "b".into()));
        assert_eq!(text(&documents), "b");
        assert!(!documents.get(&uri()).unwrap().suspect);
        assert!(!documents.heal(&uri(), "b".into()));
    }

    /// A change to a document that is not open has no text to apply to.
    #[test]
    fn a_change_to_a_closed_document_is_refused() {
        let mut documents = open("a");
        documents.close(&uri());
        assert_eq!(
            documents.change(&uri(), 2, vec![], Encoding::Utf8),
            Applied::NotOpen
        );
    }

    /// A text a snapshot holds must not change under it.
    #[test]
    fn snapshots_keep_their_text() {
        let mut documents = open("a");
        let snapshot = documents.clone();
        documents.change(&uri(), 2, vec![change((0, 0), (0, 0), "b")], Encoding::Utf8);
        assert_eq!((text(&snapshot), text(&documents)), ("a", "ba"));
    }
}
