//! Texts of files that are not open, kept only as long as they are being asked about.
//!
//! The graph keeps no text: byte columns are enough for it. A client that counts UTF-16 units needs the
//! line, and evidence shows it, so the file is read again and used only if its bytes are the ones the
//! snapshot was made from.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use surefoot_files::{RelPath, Root};

use super::text::Text;

/// Bytes of text kept. An answer about a hundred files fits; a second one finds them.
pub const BOUND: usize = 32 << 20;

type Digest = [u8; 32];

/// Recently read texts, by the digest of their bytes.
#[derive(Default)]
pub struct Texts(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    texts: FxHashMap<Digest, Arc<Text>>,
    /// In the order they were read.
    order: VecDeque<Digest>,
    bytes: usize,
}

impl Texts {
    /// The text of a file, when its bytes still have this digest.
    pub fn get(&self, root: &Root, path: &str, digest: Digest, max: u64) -> Option<Arc<Text>> {
        if let Some(text) = self.kept().texts.get(&digest) {
            return Some(text.clone());
        }
        let path = RelPath::new(path).ok()?;
        let read = surefoot_files::read_through_links(root, &path, max).ok()?;
        if *read.digest.as_bytes() != digest {
            return None;
        }
        let text = Arc::new(Text::new(read.text.as_ref().to_owned()));
        self.keep(digest, text.clone());
        Some(text)
    }

    fn keep(&self, digest: Digest, text: Arc<Text>) {
        let mut kept = self.kept();
        let bytes = text.as_str().len();
        if bytes > BOUND || kept.texts.contains_key(&digest) {
            return;
        }
        while kept.bytes + bytes > BOUND {
            let Some(oldest) = kept.order.pop_front() else {
                break;
            };
            if let Some(text) = kept.texts.remove(&oldest) {
                kept.bytes -= text.as_str().len();
            }
        }
        kept.bytes += bytes;
        kept.order.push_back(digest);
        kept.texts.insert(digest, text);
    }

    pub fn bytes(&self) -> usize {
        self.kept().bytes
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that changed since the snapshot would put columns on the wrong characters.
    #[test]
    fn only_the_text_of_the_snapshot_is_given() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rs"), "fn é() {}").unwrap();
        let root = Root::open(folder.path()).unwrap();
        let digest = *surefoot_files::hash_bytes("fn é() {}".as_bytes()).as_bytes();
        let texts = Texts::default();
        assert_eq!(
            texts.get(&root, "a.rs", digest, 100).unwrap().as_str(),
            "fn é() {}"
        );
        assert!(texts.get(&root, "a.rs", [0; 32], 100).is_none());
        assert!(texts.get(&root, "b.rs", [1; 32], 100).is_none());
        std::fs::write(folder.path().join("a.rs"), "fn e() {}").unwrap();
        assert!(
            texts.get(&root, "a.rs", digest, 100).is_some(),
            "kept from before"
        );
    }

    /// Asking about every file of a large tree must not keep the tree.
    #[test]
    fn the_kept_texts_are_bounded() {
        let texts = Texts::default();
        for n in 0..40u8 {
            texts.keep([n; 32], Arc::new(Text::new("x".repeat(1 << 20))));
        }
        assert!(texts.bytes() <= BOUND);
        assert!(texts.kept().texts.contains_key(&[39; 32]));
        assert!(!texts.kept().texts.contains_key(&[0; 32]));
    }
}
