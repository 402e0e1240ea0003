//! Which calls to ask other servers about: what is on the screen, what an open hierarchy may lack, then the rest.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_graph::{FileId, SiteId};
use tower_lsp_server::ls_types::Uri;

use super::from_proto;
use super::text::Text;
use super::view::{RootView, View};
use crate::borrowed::{self, Interest};

/// Sites of one text that are asked about.
const PER_TEXT: usize = 200;
/// Sites of an open hierarchy that are.
const PER_HIERARCHY: usize = 50;
/// Texts that are not open and are asked about at a time: each is shown to a server.
const TEXTS: usize = 8;

/// One site to ask about.
#[derive(Clone, Debug)]
pub struct Question {
    pub root: u32,
    pub path: Arc<str>,
    pub digest: [u8; 32],
    pub site: u32,
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
    /// A server of ours may be asked about everything while nobody works.
    pub whole_tree: bool,
}

/// Sites, by root and path, that were asked about often enough, in the text of a digest.
pub type Known = FxHashMap<(u32, Arc<str>), ([u8; 32], FxHashSet<u32>)>;

pub fn collect(view: &View, wanted: &Wanted, known: &Known) -> Vec<Question> {
    let mut out = Vec::new();
    for root in view.roots.iter() {
        for &file in root.open.keys() {
            let sites = borrowed::sites(&root.snapshot, file).into_iter();
            let sites = sites.filter(|(site, interest)| {
                // What is placed is asked about where asking costs nobody's attention.
                let wanted = *interest != Interest::Placed || wanted.whole_tree;
                wanted && !is_answered(root, *site)
            });
            let mut sites: Vec<(SiteId, Interest)> = sites.collect();
            sites.sort_by_key(|(site, interest)| (*interest, site.index));
            let sites = sites.into_iter().map(|(site, _)| site);
            questions(view, root, file, sites, PER_TEXT, known, &mut out);
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
                let sites = sites.into_iter();
                questions(view, root, file, sites, PER_HIERARCHY, known, &mut out);
            }
        }
    }
    if wanted.whole_tree && out.is_empty() {
        rest(view, known, &mut out);
    }
    out
}

/// Files that are not open, a few at a time, until all have been asked about.
fn rest(view: &View, known: &Known, out: &mut Vec<Question>) {
    let mut texts = 0;
    for root in view.roots.iter() {
        for file in root.snapshot.files() {
            let before = out.len();
            let sites = borrowed::sites(&root.snapshot, file.id).into_iter();
            let sites = sites.filter(|(site, interest)| {
                *interest != Interest::Placed && !is_answered(root, *site)
            });
            let sites = sites.map(|(site, _)| site);
            questions(view, root, file.id, sites, PER_TEXT, known, out);
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
    sites: impl Iterator<Item = SiteId>,
    most: usize,
    known: &Known,
    out: &mut Vec<Question>,
) {
    let Some(entry) = root.snapshot.file(file) else {
        return;
    };
    let Some(language) = surefoot_bridge::language_of(&entry.path) else {
        return;
    };
    let known = known.get(&(root.key, entry.path.clone()));
    let done = known.filter(|(digest, _)| *digest == entry.digest);
    let is_done = |site: &SiteId| done.is_some_and(|(_, done)| done.contains(&site.index));
    let mut sites = sites.filter(|site| !is_done(site)).take(most).peekable();
    if sites.peek().is_none() {
        return;
    }
    let (Some(uri), Some(text)) = (view.uri(root, file), view.text(root, file)) else {
        return;
    };
    let Some(path) = from_proto::path(&uri) else {
        return;
    };
    out.extend(sites.filter_map(|site| {
        let place = root.snapshot.site_place(site)?;
        Some(Question {
            root: root.key,
            path: entry.path.clone(),
            digest: entry.digest,
            site: site.index,
            uri: uri.clone(),
            file: path.clone(),
            language,
            text: text.clone(),
            offset: place.span.start as usize,
            on_screen: root.open.contains_key(&file),
        })
    }));
}
