//! What a request sees: the world at one moment, which nothing changes any more.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use surefoot_bridge::Bridge;
use surefoot_engine::{Memory, Place, Pos, Snapshot};
use surefoot_files::Root;
use surefoot_graph::{FileId, SymbolId};
use tower_lsp_server::ls_types::{Location, Position, Range, Uri};

use super::asking::Neighbour;
use super::client::Client;
use super::failure::Failure;
use super::from_proto;
use super::kept_lenses::KeptLenses;
use super::outbox::Outbox;
use super::state::Documents;
use super::text::{Encoding, Text};
use super::texts::Texts;
use super::to_proto;
use crate::borrowed::Verdict;
use crate::config::Settings;

/// One folder of the workspace, as the engine last published it.
#[derive(Clone)]
pub struct RootView {
    /// Names this root for the length of the session; never used again for another.
    pub key: u32,
    /// As the client spells it.
    pub uri: Uri,
    pub files: Root,
    /// Files that were seen and not read.
    pub skipped: usize,
    pub memory: Memory,
    /// Files whose facts were imported, not read here.
    pub imported: usize,
    /// What was let go so far to stay below the bound on memory.
    pub shed: Vec<(&'static str, u64)>,
    pub snapshot: Arc<Snapshot>,
    /// Open documents as they are in the snapshot, which may be a moment behind the client.
    pub open: Arc<FxHashMap<FileId, (Uri, Arc<Text>)>>,
}

/// An immutable snapshot of everything a handler may read. Cheap to clone and to keep.
#[derive(Clone)]
pub struct View {
    pub documents: Arc<Documents>,
    pub settings: Arc<Settings>,
    pub client: Arc<Client>,
    /// Inner roots before the ones around them.
    pub roots: Arc<[RootView]>,
    pub texts: Arc<Texts>,
    pub kept_lenses: Arc<KeptLenses>,
    pub queues: Arc<Queues>,
    /// As last published.
    pub revision: u64,
    /// The workspace is being read, and this is not all of it.
    pub reading: bool,
    /// Who sees changes on disk: `client`, `server` or `off`.
    pub watch: &'static str,
    /// Open documents that are not in the graph, and why.
    pub left_out: Arc<[(Uri, String)]>,
    /// The other language servers, as far as they were asked.
    pub neighbours: Vec<Neighbour>,
    /// What became of their answers.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Language servers of our own.
    pub own: Option<Arc<Bridge>>,
    /// Where a request that takes long tells how far it is.
    pub outbox: Outbox,
    /// What is wrong, in words.
    pub troubles: Vec<String>,
}

/// What a queue is called, its length and its bound. Asked when someone wants to know.
pub type Queues = dyn Fn() -> Vec<(&'static str, usize, usize)> + Send + Sync;

/// A file of a root.
#[derive(Clone, Copy)]
pub struct FileAt<'a> {
    pub root: &'a RootView,
    pub file: FileId,
}

impl View {
    /// The file that a document is, when the graph has it.
    pub fn file(&self, uri: &Uri) -> Option<FileAt<'_>> {
        // The graph may hold the disk's text of it, which is not what the editor shows.
        if self.left_out.iter().any(|(left_out, _)| left_out == uri) {
            return None;
        }
        let path = from_proto::path(uri)?;
        self.roots.iter().find_map(|root| {
            let relative = root.files.relative(&path).ok()?;
            Some(FileAt {
                root,
                file: root.snapshot.file_at(relative.as_str())?,
            })
        })
    }

    /// Why a document has no part in the graph, for a person; nothing for one that has.
    pub fn absence(&self, uri: &Uri) -> Option<String> {
        if self.file(uri).is_some() {
            return None;
        }
        if let Some((_, why)) = self.left_out.iter().find(|(left_out, _)| left_out == uri) {
            return Some(why.clone());
        }
        let scheme = uri.scheme().as_str();
        let Some(path) = from_proto::path(uri) else {
            return Some(match scheme {
                "untitled" => "it is not saved in a folder yet".to_owned(),
                _ => format!("it is a view ({scheme}:) and not the file itself"),
            });
        };
        let inside = self.roots.iter().find_map(|root| {
            let relative = root.files.relative(&path).ok()?;
            Some(root.snapshot.unread().get(relative.as_str()))
        });
        Some(match inside {
            Some(Some(unread)) => unread.reason.to_string(),
            _ if self.reading => "its folder is still being read".to_owned(),
            Some(None) => "an ignore rule names it, or no language reads it".to_owned(),
            None => "it lies outside every open folder".to_owned(),
        })
    }

    /// The same as the failure of a request that someone asked by hand.
    pub fn absent(&self, uri: &Uri) -> Result<(), Failure> {
        match self.absence(uri) {
            None => Ok(()),
            Some(why) => Err(Failure::refused(
                "not_in_graph",
                format!("This file is not in the code graph: {why}."),
            )),
        }
    }

    /// A file and the byte offset a position means in it.
    pub fn offset(&self, uri: &Uri, position: Position) -> Option<(FileAt<'_>, u32)> {
        let at = self.file(uri)?;
        let offset = match self.text(at.root, at.file) {
            Some(text) => text.landing(position, self.encoding()).offset as u32,
            None => at
                .root
                .snapshot
                .offset(at.file, position.line, position.character)?,
        };
        Some((at, offset))
    }

    pub fn encoding(&self) -> Encoding {
        self.client.encoding
    }

    /// The text a file had in the snapshot; nothing when it has changed since or cannot be read.
    pub fn text(&self, root: &RootView, file: FileId) -> Option<Arc<Text>> {
        if let Some((_, text)) = root.open.get(&file) {
            return Some(text.clone());
        }
        let entry = root.snapshot.file(file)?;
        let max = self.settings.files_max_size_kb << 10;
        self.texts.get(&root.files, &entry.path, entry.digest, max)
    }

    /// How the client spells a file.
    pub fn uri(&self, root: &RootView, file: FileId) -> Option<Uri> {
        if let Some((uri, _)) = root.open.get(&file) {
            return Some(uri.clone());
        }
        to_proto::uri_in(&root.uri, &root.snapshot.file(file)?.path)
    }

    pub fn range(&self, root: &RootView, place: &Place) -> Range {
        let flat = |pos: Pos| Position {
            line: pos.line,
            character: pos.column,
        };
        if self.encoding() == Encoding::Utf8 || place.start.column == 0 && place.end.column == 0 {
            return Range {
                start: flat(place.start),
                end: flat(place.end),
            };
        }
        match self.text(root, place.file) {
            Some(text) => Range {
                start: text.position(place.span.start as usize, self.encoding()),
                end: text.position(place.span.end as usize, self.encoding()),
            },
            // Byte columns are the client's columns on every line without an accent.
            None => Range {
                start: flat(place.start),
                end: flat(place.end),
            },
        }
    }

    pub fn location(&self, root: &RootView, place: &Place) -> Option<Location> {
        Some(Location {
            uri: self.uri(root, place.file)?,
            range: self.range(root, place),
        })
    }

    /// The line a place begins on, trimmed, for showing.
    pub fn line(&self, root: &RootView, place: &Place) -> String {
        let text = self.text(root, place.file);
        text.map_or_else(String::new, |text| {
            text.as_str()[text.line(place.start.line as usize)]
                .trim()
                .to_owned()
        })
    }

    /// The name by which a client gives a symbol back to us.
    pub fn handle(&self, root: &RootView, symbol: SymbolId) -> String {
        format!("{}.{}", root.key, symbol.0)
    }

    /// The symbol a handle names, while it exists.
    pub fn by_handle(&self, handle: &str) -> Option<(&RootView, SymbolId)> {
        let (key, symbol) = handle.split_once('.')?;
        let (key, symbol): (u32, _) = (key.parse().ok()?, SymbolId(symbol.parse().ok()?));
        let root = self.roots.iter().find(|root| root.key == key)?;
        root.snapshot.decl(symbol).map(|_| (root, symbol))
    }
}
