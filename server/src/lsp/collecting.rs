//! Which calls to ask other servers about: what is on the screen, what an open hierarchy may lack, then the rest.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use surefoot_bridge::Ask;
use surefoot_engine::Snapshot;
use surefoot_graph::{FileId, SiteId};
use tower_lsp_server::ls_types::Uri;

use super::from_proto;
use super::keeping::Keeping;
use super::text::Text;
use super::tried::Tried;
use super::view::{RootView, View};
use crate::borrowed::{self, Interest};

/// Sites of one text that are asked about.
const PER_TEXT: usize = 200;
/// Of these, calls whose implementations are asked about while someone works.
const MEMBERS: usize = 20;
/// Sites of an open hierarchy that are.
const PER_HIERARCHY: usize = 50;
/// Texts that are not open and are asked about at a time: each is shown to a server.
const TEXTS: usize = 8;

/// One site to ask about.
#[derive(Clone)]
pub struct Question {
    pub root: u32,
    pub path: Arc<str>,
    pub digest: [u8; 32],
    pub site: u32,
    pub ask: Ask,
    /// As the graph was when it was thought of: what an answer names was a text of then.
    pub snapshot: Arc<Snapshot>,
    pub uri: Uri,
    pub file: PathBuf,
    pub language: &'static str,
    pub text: Arc<Text>,
    pub offset: usize,
    /// In a document the editor has open.
    pub on_screen: bool,
}

/// What may be asked beside the open documents.
pub struct Wanted {
    /// The handle of the symbol whose hierarchy was opened.
    pub focus: Option<String>,
    /// Servers of ours, and which of them may be asked about everything while nobody works.
    pub own: Keeping,
    pub whole_tree: bool,
}

/// What a look at the graph found.
#[derive(Default)]
pub struct Collected {
    pub questions: Vec<Question>,
    /// There was something, and there may be more.
    pub more: bool,
}

pub fn collect(view: &View, wanted: &Wanted, tried: &Tried) -> Vec<Question> {
    let mut out = Vec::new();
    for root in view.roots.iter() {
        for &file in root.open.keys() {
            let whole = idles(root, file, wanted);
            let sites = borrowed::sites(&root.snapshot, file).into_iter();
            let sites = sites.filter(|(site, interest)| {
                // What is placed is asked about where asking costs nobody's attention.
                let wanted = *interest != Interest::Placed || whole;
                wanted && !is_answered(root, *site)
            });
            let mut sites: Vec<(SiteId, Interest)> = sites.collect();
            sites.sort_by_key(|(site, interest)| (*interest, site.index));
            let members = members(root, file, wanted).into_iter().take(MEMBERS);
            let sites = sites.into_iter().map(|(site, _)| (site, Ask::Definition));
            let sites = sites.chain(members.map(|site| (site, Ask::Implementation)));
            questions(view, root, file, sites, PER_TEXT, tried, &mut out);
        }
    }
    if let Some((root, symbol)) = wanted.focus.as_ref().and_then(|h| view.by_handle(h)) {
        let mut by_file: FxHashMap<FileId, Vec<SiteId>> = FxHashMap::default();
        let unplaced = root.snapshot.unplaced_of(symbol);
        for site in unplaced.into_iter().take(PER_HIERARCHY) {
            by_file.entry(site.file).or_default().push(site);
        }
        for (file, sites) in by_file {
            if !root.open.contains_key(&file) {
                let sites = sites.into_iter().map(|site| (site, Ask::Definition));
                questions(view, root, file, sites, PER_HIERARCHY, tried, &mut out);
            }
        }
    }
    if wanted.whole_tree && out.is_empty() {
        rest(view, wanted, tried, &mut out);
    }
    out
}

/// The calls of a file whose implementations are asked about: of servers of ours alone. They are dear to find, and the
/// editor's own servers have someone else to answer.
fn members(root: &RootView, file: FileId, wanted: &Wanted) -> Vec<SiteId> {
    let entry = root.snapshot.file(file);
    let language = entry.and_then(|entry| surefoot_bridge::language_of(&entry.path));
    match language.is_some_and(|language| wanted.own.reads(language)) {
        true => borrowed::declared_members(&root.snapshot, file),
        false => Vec::new(),
    }
}

/// Whether a file's language is that of a server which may be asked about everything.
fn idles(root: &RootView, file: FileId, wanted: &Wanted) -> bool {
    let entry = root.snapshot.file(file);
    let language = entry.and_then(|entry| surefoot_bridge::language_of(&entry.path));
    language.is_some_and(|language| wanted.own.idles(language))
}

/// Files that are not open, a few at a time, until all have been asked about.
fn rest(view: &View, wanted: &Wanted, tried: &Tried, out: &mut Vec<Question>) {
    let mut texts = 0;
    for root in view.roots.iter() {
        for file in root.snapshot.files() {
            if !idles(root, file.id, wanted) {
                continue;
            }
            let before = out.len();
            let sites = borrowed::sites(&root.snapshot, file.id).into_iter();
            let sites = sites.filter(|(site, interest)| {
                *interest != Interest::Placed && !is_answered(root, *site)
            });
            let members = members(root, file.id, wanted).into_iter();
            let sites = sites.map(|(site, _)| (site, Ask::Definition));
            let sites = sites.chain(members.map(|site| (site, Ask::Implementation)));
            questions(view, root, file.id, sites, PER_TEXT, tried, out);
            texts += usize::from(out.len() > before);
            if texts == TEXTS {
                return;
            }
        }
    }
}

/// Somebody has answered, and the answer stands.
fn is_answered(root: &RootView, site: SiteId) -> bool {
    let (own, now) = (root.snapshot.own_outcome(site), root.snapshot.outcome(site));
    own != now || root.snapshot.contradiction(site).is_some()
}

fn questions(
    view: &View,
    root: &RootView,
    file: FileId,
    sites: impl Iterator<Item = (SiteId, Ask)>,
    most: usize,
    tried: &Tried,
    out: &mut Vec<Question>,
) {
    let Some(entry) = root.snapshot.file(file) else {
        return;
    };
    let Some(language) = surefoot_bridge::language_of(&entry.path) else {
        return;
    };
    let done = tried.done(root.key, &entry.path, &entry.digest);
    let Some(done) = done else {
        return;
    };
    let mut sites = sites
        .filter(|(site, ask)| !done.contains(&(site.index, *ask)))
        .take(most)
        .peekable();
    if sites.peek().is_none() {
        return;
    }
    let (Some(uri), Some(text)) = (view.uri(root, file), view.text(root, file)) else {
        return;
    };
    let Some(path) = from_proto::path(&uri) else {
        return;
    };
    out.extend(sites.filter_map(|(site, ask)| {
        let place = root.snapshot.site_place(site)?;
        Some(Question {
            root: root.key,
            path: entry.path.clone(),
            digest: entry.digest,
            site: site.index,
            ask,
            snapshot: root.snapshot.clone(),
            uri: uri.clone(),
            file: path.clone(),
            language,
            text: text.clone(),
            offset: place.span.start as usize,
            on_screen: root.open.contains_key(&file),
        })
    }));
}
