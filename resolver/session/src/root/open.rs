//! Documents that are open in an editor: their text counts, not the disk's.

use super::{RootSession, Standing};
use crate::progress::Watch;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use surefoot_engine::{Applied, Change, FileChange};
use surefoot_files::{Digest, Refusal, RelPath};
use surefoot_langs::OpenFile;

impl RootSession {
    /// From now on the file's text is the editor's. `None` when the root does
    /// not admit it: see [`RootSession::standing`].
    pub fn overlay(
        &mut self,
        rel: &RelPath,
        file: FileChange,
        watch: Watch<'_>,
    ) -> Option<Applied> {
        if !self.admits_open(rel) {
            return None;
        }
        self.open.insert(rel.clone(), None);
        Some(self.apply(vec![Change::File(file)], watch))
    }

    fn admits_open(&self, rel: &RelPath) -> bool {
        self.open.contains_key(rel)
            || matches!(
                self.standing(rel),
                Standing::Admitted | Standing::New | Standing::Skipped(_)
            )
    }

    /// [`RootSession::overlay`] of a text, whose facts are read here: the tree
    /// of the text before is kept, so that an edit costs what it touches. While
    /// a text cannot be read within its bounds the graph keeps the last one
    /// that could: see [`RootSession::is_behind`].
    pub fn overlay_text(&mut self, rel: &RelPath, text: &str, watch: Watch<'_>) -> Option<Applied> {
        let language = surefoot_langs::of_path(rel.as_str())?;
        if !self.admits_open(rel) {
            return None;
        }
        let before = self.open.remove(rel).flatten();
        let read = catch_unwind(AssertUnwindSafe(|| match before {
            Some(mut file) => {
                file.update(&[], text.to_owned());
                file
            }
            None => OpenFile::new(language, text.to_owned()),
        }));
        let change = match &read {
            Ok(file) if file.is_fresh() => Some(self.open_change(rel, file)),
            Ok(_) => None,
            Err(_) => Some(Change::Unread {
                path: rel.as_str().into(),
                language: Some(language.id()),
                reason: "reading it failed inside Surefoot".into(),
            }),
        };
        self.open.insert(rel.clone(), read.ok());
        Some(self.apply(change.into_iter().collect(), watch))
    }

    fn open_change(&self, rel: &RelPath, file: &OpenFile) -> Change {
        let text = file.text();
        let digest = surefoot_files::hash_bytes(text.as_bytes());
        let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let extracted = file.extracted().clone();
        let mut change = FileChange::new(rel.as_str(), digest.0, bytes, extracted);
        if self.options.keep.is_none() {
            change.contents = Some(Arc::new(change.positions.contents(text)));
        }
        Change::File(change)
    }

    /// The graph holds an older text of an open file than the editor: reading
    /// the newest one spent its allowance.
    pub fn is_behind(&self, rel: &RelPath) -> bool {
        matches!(self.open.get(rel), Some(Some(file)) if !file.is_fresh())
    }

    /// Reads an open file's text from the start, for when there is time: a tree
    /// kept from edit to edit through broken states may differ from a new one.
    /// `None`: it did not.
    pub fn recheck(&mut self, rel: &RelPath, watch: Watch<'_>) -> Option<Applied> {
        let file = self.open.get_mut(rel)?.as_mut()?;
        let read = catch_unwind(AssertUnwindSafe(|| file.verify_full()));
        match read {
            Ok(false) => None,
            Ok(true) => {
                let file = self.open.get(rel)?.as_ref()?;
                let change = self.open_change(rel, file);
                Some(self.apply(vec![change], watch))
            }
            Err(_) => {
                self.open.insert(rel.clone(), None);
                None
            }
        }
    }

    /// The editor let go of the file: the disk's text counts again.
    pub fn close(&mut self, rel: &RelPath, watch: Watch<'_>) -> Result<Applied, Refusal> {
        if self.open.remove(rel).is_none() {
            return Ok(Applied::default());
        }
        if let Some(known) = self.known.get_mut(rel) {
            // What is known of the disk is not what the graph holds.
            known.digest = Digest([0; 32]);
            known.settled = false;
            return self.update(std::slice::from_ref(rel), watch);
        }
        let path: Arc<str> = rel.as_str().into();
        let skips = self.walk_skips.iter().chain(self.read_skips.values());
        let skip = skips.into_iter().find(|s| s.path == rel.as_str());
        let change = skip
            .and_then(|s| self.unread(s))
            .unwrap_or(Change::Remove { path });
        Ok(self.apply(vec![change], watch))
    }

    /// Lets go of the parsed trees of all open files, for when memory is short:
    /// the next edit of each parses it as a whole. How many there were.
    pub fn forget_trees(&mut self) -> usize {
        let files = self.open.values_mut().flatten();
        files.map(|file| usize::from(file.forget_tree())).sum()
    }

    pub fn is_open(&self, rel: &RelPath) -> bool {
        self.open.contains_key(rel)
    }
}
