//! How often each call was asked about: what has its answer is left alone until its text is another.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_bridge::Ask;

use super::view::RootView;

/// How often a site is asked about again when a server found nothing: it may still be starting.
pub const TRIES: u32 = 3;
/// Texts that are remembered. Beyond it nothing is asked about texts that are not: they would be asked about
/// for ever.
const TEXTS: usize = 1 << 16;

/// A root and a path in it.
type TextName = (u32, Arc<str>);

/// A question about a text: the number of the site, and what is asked.
type What = (u32, Ask);

#[derive(Default)]
struct Text {
    digest: [u8; 32],
    tries: FxHashMap<What, u32>,
}

/// Shared by the loop, which counts, and by who looks for what to ask.
#[derive(Clone, Default)]
pub struct Tried(Arc<Mutex<FxHashMap<TextName, Text>>>);

impl Tried {
    fn texts(&self) -> MutexGuard<'_, FxHashMap<TextName, Text>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What need not be asked about a text any more; nothing when there is no room to remember it.
    pub fn done(&self, root: u32, path: &Arc<str>, digest: &[u8; 32]) -> Option<FxHashSet<What>> {
        let texts = self.texts();
        match texts.get(&(root, path.clone())) {
            Some(text) if text.digest == *digest => {
                let done = text.tries.iter().filter(|(_, tried)| **tried >= TRIES);
                Some(done.map(|(what, _)| *what).collect())
            }
            Some(_) => Some(FxHashSet::default()),
            None => (texts.len() < TEXTS).then(FxHashSet::default),
        }
    }

    /// How often it was asked; a text of another digest begins anew.
    pub fn tries(&self, root: u32, path: &Arc<str>, digest: &[u8; 32], what: What) -> u32 {
        let mut texts = self.texts();
        let full = texts.len() >= TEXTS;
        let key = (root, path.clone());
        if full && !texts.contains_key(&key) {
            return TRIES;
        }
        let text = texts.entry(key).or_default();
        if text.digest != *digest {
            *text = Text {
                digest: *digest,
                tries: FxHashMap::default(),
            };
        }
        text.tries.get(&what).copied().unwrap_or(0)
    }

    /// Somebody answered about this, whatever they said.
    pub fn count(&self, root: u32, path: &Arc<str>, digest: &[u8; 32], what: What, tried: u32) {
        if let Some(text) = self.texts().get_mut(&(root, path.clone()))
            && text.digest == *digest
        {
            *text.tries.entry(what).or_default() += tried;
        }
    }

    /// It may be asked again: the answer was about another text, or stands in the graph, where it is seen to be
    /// dropped.
    pub fn forget(&self, root: u32, path: &Arc<str>, digest: &[u8; 32], what: What) {
        if let Some(text) = self.texts().get_mut(&(root, path.clone()))
            && text.digest == *digest
        {
            text.tries.remove(&what);
        }
    }

    /// Forgets texts that are in none of these roots any more.
    pub fn keep(&self, roots: &[RootView]) {
        self.texts().retain(|(key, path), _| {
            let root = roots.iter().find(|root| root.key == *key);
            root.is_some_and(|root| root.snapshot.file_at(path).is_some())
        });
    }

    /// Texts that are remembered, and how many may be.
    pub fn held(&self) -> (usize, usize) {
        (self.texts().len(), TEXTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A site whose text was edited is another, and a site that has its answers is left alone.
    #[test]
    fn tries_belong_to_a_text() {
        let tried = Tried::default();
        let path: Arc<str> = "a.rs".into();
        let what = (3, Ask::Definition);
        assert_eq!(tried.tries(1, &path, &[1; 32], what), 0);
        tried.count(1, &path, &[1; 32], what, TRIES);
        let done = tried.done(1, &path, &[1; 32]).unwrap();
        assert!(done.contains(&what) && !done.contains(&(3, Ask::Implementation)));
        assert!(tried.done(1, &path, &[2; 32]).unwrap().is_empty());
        tried.count(1, &path, &[2; 32], what, TRIES);
        assert_eq!(
            tried.tries(1, &path, &[2; 32], what),
            0,
            "an answer about the old text"
        );
        tried.count(1, &path, &[2; 32], what, TRIES);
        tried.forget(1, &path, &[2; 32], what);
        assert!(tried.done(1, &path, &[2; 32]).unwrap().is_empty());
        tried.keep(&[]);
        assert_eq!(tried.held().0, 0);
    }
}
