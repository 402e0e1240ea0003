//! From the session to what the loop is told: views of all roots, lenses that changed, folders to watch.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use surefoot_session::{RelPath, RootSession};
use tower_lsp_server::ls_types::Uri;

use super::super::main_loop::Event;
use super::super::view::RootView;
use super::thread::EngineThread;
use super::{News, Published};
use crate::memory::give_back;

/// Lets go of something that can be made again; how much of it there was.
type Stage = fn(&mut RootSession) -> usize;

/// What goes first when memory is short: what is seldom missed, then what makes edits slower.
const STAGES: &[(&str, Stage)] = &[
    ("facts of files", |root| root.put_away(&|| true)),
    ("parsed trees of open documents", RootSession::forget_trees),
    ("indices of who read what", |root| {
        usize::from(root.forget_readers())
    }),
];

/// Publications between two counts of what the graph costs.
const COUNT_EVERY: u64 = 64;

impl EngineThread {
    /// Tells the loop; false when it is gone.
    pub fn publish(&mut self) -> bool {
        let since = std::mem::take(&mut self.since);
        if since.files || self.revision.is_multiple_of(COUNT_EVERY) {
            self.count();
        }
        let views = self.views();
        let lenses = since.lenses.iter().filter_map(|(key, file)| {
            let root = views.iter().find(|view| view.key == *key)?;
            root.open.get(file).map(|(uri, _)| uri.clone())
        });
        let mut lenses: Vec<Uri> = lenses.collect();
        lenses.sort();
        lenses.dedup();
        if since.changed {
            self.revision += 1;
        }
        let published = Published {
            stamp: self.stamp,
            generation: self.generation,
            revision: self.revision,
            lenses,
            changed: since.changed,
            folders: since.files.then(|| self.folders(&views)).flatten(),
            roots: views.into(),
            left_out: self.left_out(),
            troubles: self
                .troubles
                .iter()
                .map(|(subject, words)| (*subject, words.clone()))
                .collect(),
        };
        self.events
            .send(Event::Engine(News::Published(published)))
            .is_ok()
    }

    fn left_out(&self) -> Arc<[(Uri, String)]> {
        let all = self
            .open
            .iter()
            .filter_map(|(uri, open)| Some((uri.clone(), open.left_out.clone()?)));
        let mut all: Vec<(Uri, String)> = all.collect();
        all.sort();
        all.into()
    }

    /// Lets go of one thing after the other while the process is larger than the user allows, and says so.
    fn weigh(&mut self) {
        let limit = self.limits.map_or(0, |limits| limits.memory_bytes);
        let above = || resident().filter(|bytes| limit > 0 && *bytes > limit);
        self.over = above().is_some();
        for stage in STAGES {
            if above().is_none() {
                break;
            }
            self.shed(stage);
        }
        match above() {
            Some(bytes) => {
                let words = format!(
                    "Surefoot uses {} MB, more than surefoot.memory.limitMb ({} MB), and has let go of what it can; \
                     close folders or ignore what is not source",
                    bytes >> 20,
                    limit >> 20
                );
                self.troubles.insert("memory", words);
            }
            None => drop(self.troubles.remove("memory")),
        }
    }

    fn shed(&mut self, (what, stage): &(&'static str, Stage)) {
        let Some(session) = &mut self.session else {
            return;
        };
        let mut gone = 0;
        for index in 0..self.roots.len() {
            gone += session.root_mut(index).map_or(0, stage) as u64;
        }
        if gone > 0 {
            *self.shed.entry(what).or_default() += gone;
            give_back(session.pool());
        }
    }

    fn count(&mut self) {
        self.weigh();
        let Some(session) = &self.session else { return };
        for (opened, root) in self.roots.iter_mut().zip(session.roots()) {
            opened.skipped = root.skipped().len();
            opened.memory = root.workspace().memory();
        }
    }

    fn views(&self) -> Vec<RootView> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let mut views: Vec<RootView> = Vec::new();
        for (opened, root) in self.roots.iter().zip(session.roots()) {
            let snapshot = root.snapshot();
            let open = self.open.iter().filter_map(|(uri, open)| {
                let (key, rel) = open.at.as_ref()?;
                let file = (*key == opened.key).then(|| snapshot.file_at(rel.as_str()))??;
                Some((file, (uri.clone(), open.read.clone())))
            });
            views.push(RootView {
                key: opened.key,
                uri: opened.uri.clone(),
                files: root.root().clone(),
                open: Arc::new(open.collect()),
                skipped: opened.skipped,
                memory: opened.memory.clone(),
                imported: root.imported(),
                shed: self.shed.iter().map(|(what, n)| (*what, *n)).collect(),
                snapshot,
            });
        }
        // The innermost root owns a file.
        views.sort_by_key(|view| std::cmp::Reverse(view.files.real().components().count()));
        views
    }

    /// The folders that hold files of the graph, when they are not the ones told last.
    fn folders(&mut self, views: &[RootView]) -> Option<Vec<PathBuf>> {
        let mut folders: FxHashSet<PathBuf> = FxHashSet::default();
        for view in views {
            folders.insert(view.files.absolute(&RelPath::root()));
            let files = view.snapshot.files().map(|file| file.path.clone());
            for path in files.chain(view.snapshot.manifests().keys().cloned()) {
                let mut rel = RelPath::new(&path).ok().and_then(|rel| rel.parent());
                while let Some(folder) = rel {
                    if !folders.insert(view.files.absolute(&folder)) {
                        break;
                    }
                    rel = folder.parent();
                }
            }
        }
        if self.folders.as_ref() == Some(&folders) {
            return None;
        }
        let list = folders.iter().cloned().collect();
        self.folders = Some(folders);
        Some(list)
    }
}

/// Memory of this process that is in the machine's memory; nothing where the system does not say.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
