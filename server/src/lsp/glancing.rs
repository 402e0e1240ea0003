//! A first graph around the open documents, for the time in which the workspace is still being read.
//!
//! Reading a large tree takes longer than anybody waits for a list of callers. When it is not over soon, the
//! open documents, the files they name and the files that name what they declare are read into a graph of
//! their own. Every list from it says that it is a floor; it is thrown away when the workspace has been read.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use surefoot_engine::Memory;
use surefoot_files::WalkOptions;
use surefoot_session::{Cancel, Options, RelPath, Session, Watch};
use tower_lsp_server::ls_types::Uri;

use super::dispatch::Waits;
use super::from_proto;
use super::main_loop::{Event, MainLoop};
use super::pool::Lane;
use super::text::Text;
use super::view::RootView;

/// A reading that is over before this needs no first look.
const PATIENCE: Duration = Duration::from_millis(250);

/// The state of looking.
#[derive(Default)]
pub struct Glancing {
    due: Option<Instant>,
    /// One is running, and this stops it.
    running: Option<Cancel>,
    /// Documents were opened or edited since the running one began.
    again: bool,
    /// The documents up to this stamp are in what is shown now.
    shown: Option<u64>,
    roots: Vec<RootView>,
    /// Open documents that lie in a root, however they are spelled.
    located: FxHashSet<Uri>,
    /// Never used by two graphs of a session, nor by a root of the engine.
    next_key: u32,
}

/// What a first look found.
pub struct Glanced {
    generation: u64,
    stamp: u64,
    looked: Looked,
}

#[derive(Default)]
struct Looked {
    roots: Vec<RootView>,
    located: FxHashSet<Uri>,
}

/// Keys of these graphs count from here; the engine's never get so far.
const FIRST_KEY: u32 = 1 << 31;

impl MainLoop {
    /// The workspace is about to be read.
    pub fn glance_later(&mut self) {
        self.glance_over();
        self.glancing.due = Some(Instant::now() + PATIENCE);
    }

    /// The workspace has been read, or is read anew.
    pub fn glance_over(&mut self) {
        if let Some(cancel) = self.glancing.running.take() {
            cancel.cancel();
        }
        self.glancing.due = None;
        self.glancing.again = false;
        self.glancing.shown = None;
        self.glancing.roots.clear();
        self.glancing.located.clear();
    }

    /// The roots that requests see: those the engine has read, and first looks at others.
    pub fn show_roots(&mut self, read: &[RootView]) {
        let mut roots: Vec<RootView> = read.to_vec();
        roots.retain(|root| root.key < FIRST_KEY);
        for glanced in &self.glancing.roots {
            if !roots.iter().any(|root| root.uri == glanced.uri) {
                roots.push(glanced.clone());
            }
        }
        roots.sort_by_key(|root| std::cmp::Reverse(root.files.real().components().count()));
        self.roots_view = roots.into();
        self.changed();
    }

    /// A document was opened or edited.
    pub fn glance_again(&mut self) {
        if self.reading && self.glancing.due.is_none() {
            self.glancing.again = true;
            self.glancing.due = Some(Instant::now());
        }
    }

    pub fn next_glance(&self) -> Option<Instant> {
        let may = self.reading && self.glancing.running.is_none();
        self.glancing.due.filter(|_| may)
    }

    pub fn wake_glance(&mut self) {
        if self.next_glance().is_none_or(|due| Instant::now() < due) {
            return;
        }
        self.glancing.due = None;
        self.glancing.again = false;
        let open = self.documents.iter().filter_map(|(uri, document)| {
            let path = from_proto::path(uri)?;
            Some((uri.clone(), path, document.text.clone()))
        });
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return;
        }
        let cancel = Cancel::new();
        self.glancing.running = Some(cancel.clone());
        self.glancing.next_key += self.roots.len() as u32;
        let read = self.roots_view.iter().filter(|root| root.key < FIRST_KEY);
        let look = Look {
            roots: self.roots.clone(),
            read: read.map(|root| root.uri.clone()).collect(),
            open,
            max_file_bytes: self.settings.files_max_size_kb << 10,
            key: FIRST_KEY + self.glancing.next_key,
            cancel,
        };
        let (generation, stamp) = (self.generation, self.documents.stamp(None));
        let events = self.events.clone();
        self.pool.run(Lane::Background, move || {
            let look = std::panic::AssertUnwindSafe(|| look.run());
            let glanced = Glanced {
                generation,
                stamp,
                looked: std::panic::catch_unwind(look).unwrap_or_default(),
            };
            let _ = events.send(Event::Glanced(glanced));
        });
    }

    pub fn glanced(&mut self, glanced: Glanced) {
        let cancelled = self
            .glancing
            .running
            .take_if(|_| glanced.generation == self.generation)
            .is_none();
        if cancelled || !self.reading {
            return;
        }
        self.glancing.shown = Some(glanced.stamp);
        self.glancing.roots = glanced.looked.roots;
        self.glancing.located = glanced.looked.located;
        let read = self.roots_view.clone();
        self.show_roots(&read);
        self.resume();
        let open = self.documents.iter().map(|(uri, _)| uri.clone()).collect();
        self.redraw(open, true);
        if self.glancing.again {
            self.glancing.due = Some(Instant::now());
        }
    }

    /// Whether a request has to wait while the workspace is being read.
    pub fn waits_for_reading(
        &mut self,
        waits: Waits,
        subject: Option<&Uri>,
        params: &Value,
    ) -> bool {
        match waits {
            Waits::No => false,
            Waits::Whole => true,
            Waits::Glance => !self.has_glanced(subject, params),
        }
    }

    fn has_glanced(&mut self, subject: Option<&Uri>, params: &Value) -> bool {
        // What can be no file of the workspace has its answer at once.
        if subject.is_some_and(|uri| !self.may_be_read(uri)) {
            return true;
        }
        let view = self.view();
        match subject {
            Some(uri) => view.file(uri).is_some_and(|at| {
                let first_look = at.root.key >= FIRST_KEY;
                let seen = match first_look {
                    true => self.glancing.shown.unwrap_or(0),
                    false => self.applied,
                };
                self.documents.stamp(Some(uri)) <= seen
            }),
            None => handle(params).is_some_and(|handle| view.by_handle(handle).is_some()),
        }
    }

    /// A path may lead into a root by a link: the first look, which reads the disk, knows.
    fn may_be_read(&self, uri: &Uri) -> bool {
        let Some(path) = from_proto::path(uri) else {
            return false;
        };
        let mut roots = self.roots.iter().filter_map(from_proto::path);
        let looked = self.glancing.shown;
        roots.any(|root| path.starts_with(&root))
            || looked.is_none_or(|stamp| stamp < self.documents.stamp(Some(uri)))
            || self.glancing.located.contains(uri)
    }
}

/// The symbol a request without a document is about.
fn handle(params: &Value) -> Option<&str> {
    let places = [&params["handle"], &params["arguments"][0]["handle"]];
    places.into_iter().find_map(Value::as_str)
}

/// Everything a first look needs, so that it runs away from the loop.
struct Look {
    roots: Vec<Uri>,
    /// Those of them that the engine has read before.
    read: Vec<Uri>,
    open: Vec<(Uri, PathBuf, Arc<Text>)>,
    max_file_bytes: u64,
    key: u32,
    cancel: Cancel,
}

impl Look {
    fn run(&self) -> Looked {
        let options = Options {
            walk: WalkOptions {
                max_file_bytes: self.max_file_bytes,
                ..WalkOptions::default()
            },
            // The reading of the whole has the others.
            threads: 1,
            ..Options::default()
        };
        let mut looked = Looked::default();
        let Ok(mut session) = Session::open::<PathBuf>(&[], options) else {
            return looked;
        };
        let mut uris: Vec<Uri> = Vec::new();
        for uri in &self.roots {
            let added = from_proto::path(uri).and_then(|path| session.add(path).ok());
            if added == Some(uris.len()) {
                uris.push(uri.clone());
            }
        }
        let mut by_root: Vec<Vec<(usize, RelPath)>> = vec![Vec::new(); uris.len()];
        for (nth, (uri, path, _)) in self.open.iter().enumerate() {
            if let Some((root, rel)) = session.locate(path) {
                looked.located.insert(uri.clone());
                by_root[root].push((nth, rel));
            }
        }
        for (index, files) in by_root.into_iter().enumerate() {
            if files.is_empty() || self.read.contains(&uris[index]) {
                continue;
            }
            let Some(root) = session.root_mut(index) else {
                continue;
            };
            let open = files.iter().map(|(nth, rel)| {
                let text: Arc<str> = self.open[*nth].2.as_str().into();
                (rel.clone(), text)
            });
            let open: Vec<(RelPath, Arc<str>)> = open.collect();
            let tell = |_| ();
            let watch = Watch {
                tell: &tell,
                cancel: &self.cancel,
            };
            if let Err(why) = root.glance(&open, watch) {
                tracing::warn!("no first look at {}: {why}", uris[index].as_str());
                continue;
            }
            let snapshot = root.snapshot();
            let documents = files.iter().filter_map(|(nth, rel)| {
                let file = snapshot.file_at(rel.as_str())?;
                let (uri, _, text) = &self.open[*nth];
                Some((file, (uri.clone(), text.clone())))
            });
            let documents: FxHashMap<_, _> = documents.collect();
            looked.roots.push(RootView {
                key: self.key + index as u32,
                uri: uris[index].clone(),
                files: root.root().clone(),
                skipped: 0,
                memory: Memory::default(),
                imported: 0,
                shed: Vec::new(),
                open: Arc::new(documents),
                snapshot,
            });
        }
        looked
    }
}
