//! What the engine's thread does: one session of roots, the open documents, and a publication after each
//! batch of orders.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_engine::{GraphDelta, Memory};
use surefoot_files::WalkOptions;
use surefoot_graph::FileId;
use surefoot_session::{
    Applied, Cancel, Change, Keeper, Options, Progress, RelPath, RootSession, Session, Standing,
    Watch,
};
use tower_lsp_server::ls_types::Uri;

use super::super::from_proto;
use super::super::main_loop::Event;
use super::super::requests::selftest;
use super::super::text::Text;
use super::super::watch::DiskChange;
use super::{Limits, News, Order, Reads};
use crate::keep;

/// Panics of the engine after which the graph is given up instead of being built anew.
const REBUILDS: u32 = 3;

/// So long nothing must have been asked of the graph before facts are put away.
const REST_AFTER: Duration = Duration::from_secs(5);

pub struct EngineThread {
    pub(super) events: Sender<Event>,
    pub(super) cancel: Cancel,
    pub(super) limits: Option<Limits>,
    pub(super) session: Option<Session>,
    /// One per root of the session, in its order.
    pub(super) roots: Vec<Opened>,
    pub(super) next_key: u32,
    pub(super) wanted: Vec<Uri>,
    pub(super) open: FxHashMap<Uri, Open>,
    pub(super) stamp: u64,
    pub(super) generation: u64,
    pub(super) revision: u64,
    pub(super) rebuilds: u32,
    pub(super) folders: Option<FxHashSet<PathBuf>>,
    pub(super) troubles: BTreeMap<&'static str, String>,
    /// What was let go so far to stay below the bound on memory, and how much of it.
    pub(super) shed: BTreeMap<&'static str, u64>,
    /// The last count found more memory in use than allowed.
    pub(super) over: bool,
    /// Everything was read anew in this batch.
    pub(super) analyzed: bool,
    /// Since the last publication.
    pub(super) since: Since,
}

pub(super) struct Opened {
    pub(super) key: u32,
    pub(super) uri: Uri,
    pub(super) path: PathBuf,
    /// Counted when the list of files changed, and now and then: counting looks at every file.
    pub(super) skipped: usize,
    pub(super) memory: Memory,
}

/// A document the client has open.
pub(super) struct Open {
    pub(super) path: PathBuf,
    pub(super) text: Arc<Text>,
    /// The text that is in the graph; an older one when reading the newest went over its bounds.
    pub(super) read: Arc<Text>,
    /// Root and name, where a root admits it.
    pub(super) at: Option<(u32, RelPath)>,
    /// Why it is not in the graph.
    pub(super) left_out: Option<String>,
    /// Read in pieces since it was last read as a whole.
    pub(super) pieces: bool,
}

#[derive(Default)]
pub(super) struct Since {
    pub(super) changed: bool,
    pub(super) lenses: Vec<(u32, FileId)>,
    pub(super) files: bool,
}

impl EngineThread {
    pub fn new(events: Sender<Event>, cancel: Cancel) -> Self {
        Self {
            events,
            cancel,
            limits: None,
            session: None,
            roots: Vec::new(),
            next_key: 0,
            wanted: Vec::new(),
            open: FxHashMap::default(),
            stamp: 0,
            generation: 0,
            revision: 0,
            rebuilds: 0,
            folders: None,
            troubles: BTreeMap::new(),
            shed: BTreeMap::new(),
            over: false,
            analyzed: false,
            since: Since::default(),
        }
    }

    pub fn run(mut self, orders: &Receiver<Order>) {
        while let Some(first) = self.next(orders) {
            let mut batch = vec![first];
            batch.extend(orders.try_iter());
            self.work(batch);
            let analyzed = std::mem::take(&mut self.analyzed);
            if self.cancel.is_cancelled() || !self.publish() {
                return;
            }
            if analyzed && let Some(session) = &mut self.session {
                // After the answer, so that nobody waits for it but the first edit.
                for index in 0..self.roots.len() {
                    if let Some(root) = session.root_mut(index) {
                        if !self.over {
                            root.prepare_for_edits();
                        }
                        root.put_away(&|| orders.is_empty());
                        keep(root.keeper());
                    }
                }
                if !self.publish() {
                    return;
                }
            }
        }
    }

    /// The next order; while none comes, what was looked at is put away again, once.
    fn next(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        match orders.recv_timeout(REST_AFTER) {
            Ok(order) => return Some(order),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let mut done = 0;
        for index in 0..self.roots.len() {
            let root = self.session.as_mut().and_then(|s| s.root_mut(index));
            done += root.map_or(0, |root| root.put_away(&|| orders.is_empty()));
        }
        // Views hold what was there before until they are given what is there now.
        if done > 0 {
            if !self.publish() {
                return None;
            }
            if let Some(session) = &self.session {
                crate::memory::give_back(session.pool());
            }
        }
        orders.recv().ok()
    }

    /// Does a batch; a panic costs the graph, which is built anew from disk and open documents.
    fn work(&mut self, batch: Vec<Order>) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut paths: Vec<PathBuf> = Vec::new();
            let mut anywhere = false;
            for order in batch {
                match order {
                    Order::Disk(DiskChange::Paths(more)) => paths.extend(more),
                    Order::Disk(DiskChange::Anywhere) => anywhere = true,
                    Order::Document { uri, path, text } => {
                        if let Some(path) = path {
                            self.document(uri, path, text);
                        }
                    }
                    Order::Closed { uri } => self.closed(&uri),
                    Order::Recheck => self.recheck(),
                    Order::Stamp(stamp) => self.stamp = stamp,
                    Order::Changes { root, changes } => self.changes(root, changes),
                    Order::Limits(limits) => self.limit(limits),
                    Order::Roots { uris, generation } => {
                        self.generation = generation;
                        self.set_roots(uris);
                    }
                }
            }
            // Last, so that an editor's text is in before the disk's is read again.
            if anywhere {
                self.analyze();
            } else if !paths.is_empty() {
                self.update(&paths);
            }
        }));
        if done.is_err() {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        self.rebuilds += 1;
        self.session = None;
        self.since.changed = true;
        if self.rebuilds > REBUILDS {
            let words = "the code graph failed again and again and is switched off until the server is restarted";
            self.troubles.insert("engine", words.to_owned());
            self.roots.clear();
            return;
        }
        tracing::error!("the engine panicked; building the graph anew");
        let wanted = std::mem::take(&mut self.wanted);
        let again = AssertUnwindSafe(|| self.set_roots(wanted));
        if catch_unwind(again).is_err() {
            self.rebuild();
        }
    }

    // ---- roots -----------------------------------------------------------------------

    fn limit(&mut self, limits: Limits) {
        let before = self.limits.replace(limits);
        let reads_otherwise =
            before.is_some_and(|before| before.max_file_bytes != limits.max_file_bytes);
        if reads_otherwise && self.session.is_some() {
            self.session = None;
            self.roots.clear();
            let wanted = std::mem::take(&mut self.wanted);
            self.set_roots(wanted);
        }
    }

    fn set_roots(&mut self, uris: Vec<Uri>) {
        self.troubles.remove("roots");
        let mut troubles = Vec::new();
        if self.session.is_none() {
            self.roots.clear();
            match Session::open::<&Path>(&[], self.options()) {
                Ok(session) => self.session = Some(session),
                Err(refusal) => troubles.push(refusal.message),
            }
        }
        let Some(session) = &mut self.session else {
            return;
        };
        for index in (0..self.roots.len()).rev() {
            if !uris.contains(&self.roots[index].uri) {
                session.remove(index);
                self.roots.remove(index);
                self.since.changed = true;
            }
        }
        for uri in &uris {
            let Some(path) = from_proto::path(uri) else {
                continue;
            };
            if self.roots.iter().any(|root| root.uri == *uri) {
                continue;
            }
            if let Some(why) = too_wide(&path) {
                troubles.push(why);
                continue;
            }
            match session.add(&path) {
                Ok(index) if index == self.roots.len() => {
                    self.roots.push(Opened {
                        key: self.next_key,
                        uri: uri.clone(),
                        path,
                        skipped: 0,
                        memory: Memory::default(),
                    });
                    self.next_key += 1;
                }
                // The same folder by another name.
                Ok(_) => {}
                Err(refusal) => troubles.push(refusal.message),
            }
        }
        self.wanted = uris;
        if !troubles.is_empty() {
            self.troubles.insert("roots", troubles.join("\n"));
        }
        self.tell_languages();
        selftest::hold_reading();
        self.analyze();
        // Roots decide who admits what.
        let open: Vec<(Uri, PathBuf, Arc<Text>)> = self
            .open
            .iter()
            .map(|(uri, open)| (uri.clone(), open.path.clone(), open.text.clone()))
            .collect();
        for (uri, path, text) in open {
            self.document(uri, path, text);
        }
    }

    fn max_file_bytes(&self) -> u64 {
        self.limits
            .map_or(surefoot_files::MAX_FILE_BYTES, |limits| {
                limits.max_file_bytes
            })
    }

    fn options(&self) -> Options {
        let max_file_bytes = self.max_file_bytes();
        Options {
            walk: WalkOptions {
                max_file_bytes,
                ..WalkOptions::default()
            },
            keep: Some(keep::facts()),
            ..Options::default()
        }
    }

    fn tell_languages(&self) {
        let session = self.session.as_ref();
        let languages = session
            .and_then(|s| s.root(0))
            .map(|root| root.snapshot().languages());
        let languages = languages.map_or(&[][..], |languages| languages.0);
        let reads = languages.iter().map(|l| Reads {
            id: l.id(),
            name: l.name(),
            extensions: l.extensions(),
        });
        let _ = self.events.send(Event::Engine(News::Reading {
            languages: reads.collect(),
        }));
    }

    /// Compares every root with the disk.
    fn analyze(&mut self) {
        let Some(session) = &mut self.session else {
            return;
        };
        let tell = teller(self.events.clone());
        let watch = Watch {
            tell: &tell,
            cancel: &self.cancel,
        };
        let mut troubles = Vec::new();
        for index in 0..self.roots.len() {
            let Some(root) = session.root_mut(index) else {
                continue;
            };
            match root.analyze(watch) {
                Ok(analyzed) => self.since.take(self.roots[index].key, &analyzed.applied),
                Err(refusal) => troubles.push(format!(
                    "{}: {}",
                    self.roots[index].path.display(),
                    refusal.message
                )),
            }
        }
        self.since.files = true;
        self.analyzed = true;
        self.say("walk", troubles);
    }

    fn update(&mut self, paths: &[PathBuf]) {
        let Some(session) = &mut self.session else {
            return;
        };
        let tell = |_| ();
        let watch = Watch {
            tell: &tell,
            cancel: &self.cancel,
        };
        match session.update_paths(paths, watch) {
            Ok(done) => {
                for (index, applied) in done {
                    self.since.take(self.roots[index].key, &applied);
                }
                self.say("walk", Vec::new());
            }
            Err(refusal) => self.say("walk", vec![refusal.message]),
        }
    }

    fn say(&mut self, subject: &'static str, troubles: Vec<String>) {
        if troubles.is_empty() {
            self.troubles.remove(subject);
        } else {
            self.troubles.insert(subject, troubles.join("\n"));
        }
    }

    // ---- documents -------------------------------------------------------------------

    fn document(&mut self, uri: Uri, path: PathBuf, text: Arc<Text>) {
        let before = self.open.remove(&uri);
        let read = before
            .as_ref()
            .map_or_else(|| text.clone(), |open| open.read.clone());
        let mut open = Open {
            path,
            text,
            read,
            at: None,
            pieces: before.is_some(),
            left_out: None,
        };
        self.overlay(&mut open);
        self.open.insert(uri, open);
    }

    /// Puts an open document into the graph, or notes why it is not in it.
    fn overlay(&mut self, open: &mut Open) {
        let max = self.max_file_bytes();
        let Some(session) = &mut self.session else {
            return;
        };
        let Some((index, rel)) = session.locate(&open.path) else {
            open.left_out = Some("it lies outside every open folder".to_owned());
            return;
        };
        let Some(root) = session.root_mut(index) else {
            return;
        };
        let tell = |_| ();
        let watch = Watch {
            tell: &tell,
            cancel: &self.cancel,
        };
        let key = self.roots[index].key;
        if open.text.as_str().len() as u64 > max {
            open.left_out = Some(format!(
                "it is larger than files.maxSizeKb ({} KB)",
                max >> 10
            ));
            // The text that was small enough is not the text any more.
            if root.is_open(&rel)
                && let Ok(applied) = root.close(&rel, watch)
            {
                self.since.take(key, &applied);
            }
            return;
        }
        match root.overlay_text(&rel, open.text.as_str(), watch) {
            Some(applied) => {
                if !root.is_behind(&rel) {
                    open.read = open.text.clone();
                }
                self.since.take(key, &applied);
                open.at = Some((key, rel));
            }
            None => open.left_out = Some(standing(&root.standing(&rel))),
        }
    }

    fn recheck(&mut self) {
        for open in self.open.values_mut() {
            if !std::mem::take(&mut open.pieces) {
                continue;
            }
            let Some((key, rel)) = &open.at else { continue };
            let Some(root) = root_mut(&mut self.session, &self.roots, *key) else {
                continue;
            };
            let tell = |_| ();
            if let Some(applied) = root.recheck(
                rel,
                Watch {
                    tell: &tell,
                    cancel: &self.cancel,
                },
            ) {
                self.since.take(*key, &applied);
            }
            if !root.is_behind(rel) {
                open.read = open.text.clone();
            }
        }
    }

    fn closed(&mut self, uri: &Uri) {
        let Some(Open {
            at: Some((key, rel)),
            ..
        }) = self.open.remove(uri)
        else {
            return;
        };
        let Some(root) = root_mut(&mut self.session, &self.roots, key) else {
            return;
        };
        let tell = |_| ();
        match root.close(
            &rel,
            Watch {
                tell: &tell,
                cancel: &self.cancel,
            },
        ) {
            Ok(applied) => self.since.take(key, &applied),
            Err(refusal) => tracing::warn!("{}: {refusal}", rel.as_str()),
        }
    }

    fn changes(&mut self, key: u32, changes: Vec<Change>) {
        let Some(root) = root_mut(&mut self.session, &self.roots, key) else {
            return;
        };
        let tell = |_| ();
        let applied = root.apply(
            changes,
            Watch {
                tell: &tell,
                cancel: &self.cancel,
            },
        );
        self.since.take(key, &applied);
    }
}

/// The root a key names, while it is open.
fn root_mut<'a>(
    session: &'a mut Option<Session>,
    roots: &[Opened],
    key: u32,
) -> Option<&'a mut RootSession> {
    let index = roots.iter().position(|root| root.key == key)?;
    session.as_mut()?.root_mut(index)
}

impl Since {
    fn take(&mut self, key: u32, applied: &Applied) {
        let delta: &GraphDelta = &applied.delta;
        self.changed |= delta.from != delta.to;
        self.files |= !delta.files_added.is_empty() || !delta.files_removed.is_empty();
        self.lenses
            .extend(delta.lenses.iter().map(|file| (key, *file)));
        for (_, why) in &applied.poisoned {
            tracing::error!("resolving a file panicked: {why}");
        }
    }
}

/// Writes what was read for the next start, beside everything else.
fn keep(keeper: Option<Keeper>) {
    let Some(keeper) = keeper else { return };
    let write = move || {
        let written = keeper.write();
        tracing::debug!("facts: {written:?}");
    };
    // Without a thread nothing is kept, and the next start is a cold one.
    let _ = std::thread::Builder::new()
        .name("facts".into())
        .spawn(write);
}

/// Tells the loop how many files are read, at most a hundred times.
fn teller(events: Sender<Event>) -> impl Fn(Progress) + Sync + use<> {
    let last = AtomicUsize::new(0);
    move |progress| {
        if let Progress::Reading { done, of } = progress {
            let percent = (done * 100).checked_div(of).unwrap_or(100);
            if last.swap(percent, Ordering::Relaxed) != percent {
                let _ = events.send(Event::Engine(News::Progress { done, of }));
            }
        }
    }
}

/// How a document stands that a root does not admit, in words.
fn standing(standing: &Standing) -> String {
    match standing {
        Standing::Ignored => "an ignore rule names it or a folder above it".to_owned(),
        Standing::OtherRoot => "it belongs to another open folder".to_owned(),
        Standing::Skipped(skip) => skip.reason.clone(),
        Standing::NoLanguage => "no language reads files of this name".to_owned(),
        Standing::Admitted | Standing::New => "reading it failed".to_owned(),
    }
}

/// A folder that is no project: reading all of it helps nobody and takes for ever.
fn too_wide(path: &Path) -> Option<String> {
    let home = std::env::home_dir();
    let is_home = home.is_some_and(|home| home == path);
    (is_home || path.parent().is_none()).then(|| {
        format!(
            "{} is not read: open the folder of a project, not the one that holds everything",
            path.display()
        )
    })
}
