//! The engine's own thread: takes what changed, answers with snapshots.
//!
//! The loop never waits for it. Orders carry the stamp of the documents they bring, and a published view of
//! the roots says up to which stamp it is current; requests about a newer text wait for that, not for the
//! thread.

mod publish;
mod thread;

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Sender;
use surefoot_facts::LanguageId;
use surefoot_session::{Cancel, Change};
use tower_lsp_server::ls_types::Uri;

use super::main_loop::Event;
use super::text::Text;
use super::view::RootView;
use super::watch::DiskChange;

/// What the loop tells the engine.
#[derive(Debug)]
pub enum Order {
    /// These folders are the workspace, from now on. The number comes back with what is published.
    Roots {
        uris: Vec<Uri>,
        generation: u64,
    },
    /// The client's text counts for this file.
    Document {
        uri: Uri,
        /// Nothing for a document that is no file.
        path: Option<PathBuf>,
        text: Arc<Text>,
    },
    /// Nobody types: what was read piece by piece is read again as a whole.
    Recheck,
    /// The disk counts again.
    Closed {
        uri: Uri,
    },
    /// All changes of documents up to this stamp have been told.
    Stamp(u64),
    Disk(DiskChange),
    /// What others say of a root, by its key.
    Changes {
        root: u32,
        changes: Vec<Change>,
    },
    Limits(Limits),
}

/// Settings that decide what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_file_bytes: u64,
    /// Above this much memory the user is told; 0 for never.
    pub memory_bytes: u64,
}

/// What the engine tells the loop.
pub enum News {
    /// Roots were opened or closed and are about to be read.
    Reading {
        languages: Vec<Reads>,
    },
    /// How far the reading is.
    Progress {
        done: usize,
        of: usize,
    },
    Published(Published),
}

/// What a language reads, for watching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reads {
    pub id: LanguageId,
    pub name: &'static str,
    pub extensions: &'static [&'static str],
}

/// A state of all roots.
pub struct Published {
    /// Every document up to this stamp is in it.
    pub stamp: u64,
    /// The newest roots that are in it.
    pub generation: u64,
    /// Inner roots first.
    pub roots: Arc<[RootView]>,
    /// Rises with everything that is published.
    pub revision: u64,
    /// Open documents whose lenses read otherwise than before.
    pub lenses: Vec<Uri>,
    /// Anything at all is different, positions included.
    pub changed: bool,
    /// Folders to watch, when that list changed.
    pub folders: Option<Vec<PathBuf>>,
    /// Open documents that are not in the graph, and why.
    pub left_out: Arc<[(Uri, String)]>,
    /// What the user should know, by subject; the whole list.
    pub troubles: Vec<(&'static str, String)>,
}

/// The loop's end. Dropping it ends the thread.
pub struct Engine {
    orders: Sender<Order>,
    /// Stops what runs when the session ends.
    cancel: Cancel,
}

impl Engine {
    pub fn start(events: Sender<Event>) -> std::io::Result<Self> {
        // Unbounded in count; the loop sends one order per document and turn, and texts are shared.
        let (sender, orders) = crossbeam_channel::unbounded();
        let cancel = Cancel::new();
        let thread = thread::EngineThread::new(events, cancel.clone());
        std::thread::Builder::new()
            .name("engine".into())
            .stack_size(surefoot_engine::STACK)
            .spawn(move || thread.run(&orders))?;
        Ok(Self {
            orders: sender,
            cancel,
        })
    }

    pub fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }

    /// Asks how many orders wait, for the status.
    pub fn waiting(&self) -> impl Fn() -> usize + use<> {
        let orders = self.orders.clone();
        move || orders.len()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
