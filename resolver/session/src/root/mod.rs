//! One root: what the walk admitted, what is open in an editor, and the graph over both.

mod disk;
mod glance;
mod look;
mod open;

use crate::kept::Keeper;
use crate::progress::{Progress, Watch};
use crate::session::Options;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_engine::{
    Applied, Change, Consulted, Languages, Need, Pool, Presence, Snapshot, Workspace,
};
use surefoot_facts::{LanguageId, ManifestFacts};
use surefoot_files::{Digest, FactsCache, FileText, RelPath, Root, Skipped, Stamp, Wanted, exists};
use surefoot_langs::OpenFile;

/// What an analysis of a root found.
#[derive(Clone, Debug)]
pub struct Analyzed {
    pub applied: Applied,
    /// Source files and manifests the walk admitted.
    pub files: usize,
    pub manifests: usize,
    /// Of both, how many were read; the others had not changed.
    pub read: usize,
    /// Of those read, how many had their facts from an earlier run.
    pub kept: usize,
}

/// How a path stands to a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Part of the graph.
    Admitted,
    /// Part of the graph as the editor holds it; not on disk yet.
    New,
    /// Named by an ignore rule, hidden, or below such a folder.
    Ignored,
    /// Another root inside this one owns it.
    OtherRoot,
    /// Seen and not read, with the reason.
    Skipped(Skipped),
    /// No language reads it.
    NoLanguage,
}

/// A file that decided how names resolve, or a place where one had to be absent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigInput {
    /// Relative to the root.
    pub path: Arc<str>,
    /// Of its bytes; `None`: nothing stands there.
    pub digest: Option<Digest>,
    pub facts: Option<Arc<ManifestFacts>>,
    /// Something stands there that was not or could not be read.
    pub present: bool,
}

struct Known {
    wanted: Wanted,
    real: Option<RelPath>,
    stamp: Stamp,
    /// A later change must show in the stamp.
    settled: bool,
    digest: Digest,
    /// What the graph says of it was read elsewhere.
    imported: bool,
}

/// One root with its graph. Owned by one thread.
pub struct RootSession {
    root: Root,
    workspace: Workspace,
    options: Arc<Options>,
    pool: Pool,
    /// Facts of an earlier run, from the first reading until they are kept again.
    kept: Option<FactsCache>,
    /// Folders that belong to roots inside this one.
    inner: Vec<RelPath>,
    known: BTreeMap<RelPath, Known>,
    /// From the walk, and from reading.
    walk_skips: Vec<Skipped>,
    read_skips: BTreeMap<RelPath, Skipped>,
    installed: Vec<String>,
    /// Files whose text is the editor's, with the trees of those read here.
    open: BTreeMap<RelPath, Option<OpenFile>>,
    /// Paths that resolution asked for, with the digest of what was read there.
    asked: BTreeMap<Arc<str>, Option<Digest>>,
}

impl RootSession {
    pub(crate) fn new(root: Root, options: Arc<Options>, pool: Pool) -> RootSession {
        let mut workspace = Workspace::new(Languages(surefoot_langs::all()));
        workspace.bind_unique_names(options.bind_unique_names);
        RootSession {
            root,
            workspace,
            options,
            pool,
            kept: None,
            inner: Vec::new(),
            known: BTreeMap::new(),
            walk_skips: Vec::new(),
            read_skips: BTreeMap::new(),
            installed: Vec::new(),
            open: BTreeMap::new(),
            asked: BTreeMap::new(),
        }
    }

    pub(crate) fn set_inner(&mut self, inner: Vec<RelPath>) {
        self.inner = inner;
    }

    pub fn root(&self) -> &Root {
        &self.root
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.workspace.snapshot()
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Does now what the first edit would pay for. For a session that stays.
    pub fn prepare_for_edits(&mut self) {
        self.workspace.prepare_for_edits();
    }

    /// Lets go of what can be made again from the rest: who read what. Edits are
    /// slower until it is.
    pub fn forget_readers(&mut self) -> bool {
        self.workspace.forget_readers()
    }

    /// Puts away as bytes what nobody looks at, while `go_on` says that there is time. How many files.
    pub fn put_away(&mut self, go_on: &dyn Fn() -> bool) -> usize {
        let edited = |path: &str| RelPath::new(path).is_ok_and(|rel| self.open.contains_key(&rel));
        self.workspace.put_away(&self.pool, &edited, go_on)
    }

    /// What is to be kept of the first reading, for whoever writes it; `None`:
    /// nothing was read since, or nothing is kept.
    pub fn keeper(&mut self) -> Option<Keeper> {
        let cache = self.kept.take()?;
        let sources = self.known.iter().filter(|(rel, k)| {
            // An open document's facts come from a tree that edits have mended.
            k.wanted == Wanted::Source && !self.open.contains_key(*rel)
        });
        let files = sources.map(|(rel, k)| (rel.clone(), k.stamp, k.settled, k.digest));
        Some(Keeper {
            cache,
            snapshot: self.workspace.snapshot(),
            files: files.collect(),
        })
    }

    /// Everything that was seen and not read, sorted. Files whose resolution
    /// failed are the snapshot's to tell.
    pub fn skipped(&self) -> Vec<Skipped> {
        let mut out = self.walk_skips.clone();
        out.extend(self.read_skips.values().cloned());
        out.sort();
        out.dedup();
        out
    }

    /// How many files of the graph have facts that were imported, not read here.
    pub fn imported(&self) -> usize {
        self.known.values().filter(|k| k.imported).count()
    }

    /// Folders of installed packages that were not entered.
    pub fn installed(&self) -> &[String] {
        &self.installed
    }

    /// How a path stands to this root.
    pub fn standing(&self, rel: &RelPath) -> Standing {
        if self.inner.iter().any(|i| rel.is_within(i)) {
            return Standing::OtherRoot;
        }
        if self.language_of(rel).is_none() {
            return Standing::NoLanguage;
        }
        if self.known.contains_key(rel) {
            return Standing::Admitted;
        }
        let skips = self.walk_skips.iter().chain(self.read_skips.values());
        if let Some(skip) = skips.into_iter().find(|s| s.path == rel.as_str()) {
            return Standing::Skipped(skip.clone());
        }
        match exists(&self.root, rel) {
            surefoot_files::Presence::Absent => Standing::New,
            _ => Standing::Ignored,
        }
    }

    fn language_of(&self, rel: &RelPath) -> Option<LanguageId> {
        let language = surefoot_langs::of_path(rel.as_str())?.id();
        let wanted = &self.options.languages;
        (wanted.is_empty() || wanted.contains(&language)).then_some(language)
    }

    fn wanted(&self, path: &str) -> Wanted {
        let Ok(rel) = RelPath::new(path) else {
            // Not nameable: wanted when its end says so, to be listed as skipped.
            let source = surefoot_langs::of_path(path).is_some();
            return if source { Wanted::Source } else { Wanted::No };
        };
        if self.inner.iter().any(|i| rel.is_within(i)) {
            Wanted::No
        } else if self.language_of(&rel).is_some() {
            Wanted::Source
        } else if surefoot_langs::is_manifest(path) {
            Wanted::Manifest
        } else {
            Wanted::No
        }
    }

    /// Changes from elsewhere: answers of other resolvers, tests.
    pub fn apply(&mut self, changes: Vec<Change>, watch: Watch<'_>) -> Applied {
        (watch.tell)(Progress::Resolving {
            files: changes.len(),
        });
        let (root, asked) = (&self.root, &mut self.asked);
        let mut answer = |needs: Vec<Need>| -> Vec<Change> {
            let all = needs.into_iter();
            all.flat_map(|need| {
                let (changes, digest) = look::look(root, need.path());
                asked.insert(need.path().clone(), digest);
                changes
            })
            .collect()
        };
        self.workspace
            .apply_answering(changes, &self.pool, watch.cancel, &mut answer)
    }

    fn look(&mut self, path: &Arc<str>) -> Vec<Change> {
        // What the walk admits is kept up to date by the walk.
        if RelPath::new(path).is_ok_and(|rel| self.known.contains_key(&rel)) {
            return Vec::new();
        }
        let (changes, digest) = look::look(&self.root, path);
        self.asked.insert(path.clone(), digest);
        changes
    }

    /// Every file that decided how names resolve, and every place where one had
    /// to be absent, by path.
    pub fn config_inputs(&self) -> Vec<ConfigInput> {
        let all = self.workspace.consulted().into_iter();
        all.map(
            |Consulted {
                 path,
                 manifest,
                 presence,
             }| {
                let rel = RelPath::new(&path).ok();
                let known = rel.and_then(|rel| self.known.get(&rel)).map(|k| k.digest);
                let asked = self.asked.get(&path).copied().flatten();
                let present = manifest.is_some() || presence.is_some_and(|p| p != Presence::Absent);
                ConfigInput {
                    digest: known.or(asked),
                    facts: manifest,
                    present,
                    path,
                }
            },
        )
        .collect()
    }

    /// The text of a file of the graph as it stands on disk now. It may be newer
    /// than the graph: compare the digest.
    pub fn read_text(&self, rel: &RelPath) -> Result<FileText, Skipped> {
        let max = self.options.walk.max_file_bytes;
        let known = self.known.get(rel);
        let real = known.and_then(|k| k.real.as_ref()).unwrap_or(rel);
        surefoot_files::read(&self.root, real, max)
    }
}
