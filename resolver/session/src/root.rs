//! One root: what the walk admitted, what is open in an editor, and the graph over both.

use crate::progress::{Progress, Watch};
use crate::read::{Got, Job, Read, extract, read_all};
use crate::session::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use surefoot_engine::{
    Applied, Change, Consulted, FileChange, Languages, Need, Pool, Presence, Snapshot, Workspace,
};
use surefoot_facts::{LanguageId, ManifestFacts};
use surefoot_files::{
    Digest, Entry, FileText, ReasonCode, Refusal, RelPath, Root, Skipped, Stamp, Walk, Wanted,
    exists, read_through_links, walk,
};

/// What an analysis of a root found.
#[derive(Clone, Debug)]
pub struct Analyzed {
    pub applied: Applied,
    /// Source files and manifests the walk admitted.
    pub files: usize,
    pub manifests: usize,
    /// Of both, how many were read; the others had not changed.
    pub read: usize,
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
}

/// One root with its graph. Owned by one thread.
pub struct RootSession {
    root: Root,
    workspace: Workspace,
    options: Arc<Options>,
    pool: Pool,
    /// Folders that belong to roots inside this one.
    inner: Vec<RelPath>,
    known: BTreeMap<RelPath, Known>,
    /// From the walk, and from reading.
    walk_skips: Vec<Skipped>,
    read_skips: BTreeMap<RelPath, Skipped>,
    installed: Vec<String>,
    /// Files whose text is the editor's.
    open: BTreeSet<RelPath>,
    /// Paths that resolution asked for, with the digest of what was read there.
    asked: BTreeMap<Arc<str>, Option<Digest>>,
}

/// A manifest larger than this is not read.
const MAX_MANIFEST_BYTES: u64 = 4 << 20;

impl RootSession {
    pub(crate) fn new(root: Root, options: Arc<Options>, pool: Pool) -> RootSession {
        RootSession {
            root,
            workspace: Workspace::new(Languages(surefoot_langs::all())),
            options,
            pool,
            inner: Vec::new(),
            known: BTreeMap::new(),
            walk_skips: Vec::new(),
            read_skips: BTreeMap::new(),
            installed: Vec::new(),
            open: BTreeSet::new(),
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

    /// Everything that was seen and not read, sorted. Files whose resolution
    /// failed are the snapshot's to tell.
    pub fn skipped(&self) -> Vec<Skipped> {
        let mut out = self.walk_skips.clone();
        out.extend(self.read_skips.values().cloned());
        out.sort();
        out.dedup();
        out
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

    // ---- the disk ------------------------------------------------------------------

    /// Reads what changed on disk since the last time, everything the first time.
    /// A refusal (also `cancelled`) leaves the graph as it was.
    pub fn analyze(&mut self, watch: Watch<'_>) -> Result<Analyzed, Refusal> {
        let walk = walk(
            &self.root,
            &self.options.walk,
            &|path| self.wanted(path),
            &mut |seen| {
                if seen % 256 == 0 {
                    (watch.tell)(Progress::Walking { seen });
                }
                if watch.cancel.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )?;
        let jobs = walk.files.iter().filter_map(|entry| {
            let known = self.known.get(&entry.rel);
            let same =
                known.is_some_and(|k| k.settled && k.stamp == entry.stamp && k.real == entry.real);
            (!same).then(|| Job {
                before: known.map(|k| k.digest),
                entry: entry.clone(),
            })
        });
        let jobs: Vec<Job> = jobs.collect();
        let read = self.read(jobs, watch)?;
        let read_count = read.len();
        let mut changes = Vec::new();
        self.forget_missing(&walk, &mut changes);
        self.take(read, &walk.files, &mut changes);
        self.note_skips(&walk, &mut changes);
        self.installed = walk.installed;
        let asked: Vec<Arc<str>> = self.asked.keys().cloned().collect();
        changes.extend(asked.into_iter().flat_map(|path| self.look(&path)));
        let applied = self.apply(changes, watch);
        let manifests = |k: &&Known| k.wanted == Wanted::Manifest;
        let manifests = self.known.values().filter(manifests).count();
        Ok(Analyzed {
            files: self.known.len() - manifests,
            manifests,
            read: read_count,
            applied,
        })
    }

    /// Brings the graph up to date with paths that changed on disk. What may
    /// have changed the list of files itself is walked again.
    pub fn update(&mut self, rels: &[RelPath], watch: Watch<'_>) -> Result<Applied, Refusal> {
        if rels.iter().any(|rel| self.needs_walk(rel)) {
            return self.analyze(watch).map(|a| a.applied);
        }
        let jobs = rels.iter().filter_map(|rel| {
            let known = self.known.get(rel)?;
            Some(Job {
                before: Some(known.digest),
                entry: Entry {
                    rel: rel.clone(),
                    wanted: known.wanted,
                    stamp: known.stamp,
                    real: known.real.clone(),
                },
            })
        });
        let jobs: Vec<Job> = jobs.collect();
        let entries: Vec<Entry> = jobs.iter().map(|j| j.entry.clone()).collect();
        let read = self.read(jobs, watch)?;
        let mut changes = Vec::new();
        self.take(read, &entries, &mut changes);
        let concerned: Vec<Arc<str>> = self
            .asked
            .keys()
            .filter(|path| rels.iter().any(|r| concerns(r, path)))
            .cloned()
            .collect();
        changes.extend(concerned.into_iter().flat_map(|path| self.look(&path)));
        Ok(self.apply(changes, watch))
    }

    fn needs_walk(&self, rel: &RelPath) -> bool {
        if self.known.contains_key(rel) {
            return false;
        }
        let name = rel.file_name();
        if name == ".gitignore" || name == ".ignore" || rel.is_root() {
            return true;
        }
        // Something new that counts, a folder, or a folder that is gone.
        let below = self.known.range::<str, _>((
            std::ops::Bound::Excluded(rel.as_str()),
            std::ops::Bound::Unbounded,
        ));
        self.wanted(rel.as_str()) != Wanted::No
            || exists(&self.root, rel) == surefoot_files::Presence::Dir
            || below.take(1).any(|(k, _)| k.is_within(rel))
    }

    fn read(&self, jobs: Vec<Job>, watch: Watch<'_>) -> Result<Vec<Read>, Refusal> {
        let facts = self.options.facts.as_deref();
        let max = self.options.walk.max_file_bytes;
        read_all(&self.root, jobs, max, facts, &self.pool, watch).ok_or_else(|| Refusal {
            code: "cancelled",
            message: "The analysis was stopped before it was done.".to_owned(),
        })
    }

    /// Forgets files that the walk did not meet again.
    fn forget_missing(&mut self, walk: &Walk, changes: &mut Vec<Change>) {
        let there: BTreeSet<&RelPath> = walk.files.iter().map(|e| &e.rel).collect();
        let gone: Vec<RelPath> = self
            .known
            .keys()
            .filter(|rel| !there.contains(rel))
            .cloned()
            .collect();
        for rel in gone {
            self.forget(&rel, changes);
        }
        let unread: Vec<RelPath> = self
            .read_skips
            .keys()
            .filter(|rel| !there.contains(rel))
            .cloned()
            .collect();
        for rel in unread {
            self.read_skips.remove(&rel);
            changes.push(Change::Remove {
                path: rel.as_str().into(),
            });
        }
    }

    fn forget(&mut self, rel: &RelPath, changes: &mut Vec<Change>) {
        let Some(known) = self.known.remove(rel) else {
            return;
        };
        let path: Arc<str> = rel.as_str().into();
        match known.wanted {
            Wanted::Manifest => changes.push(Change::RemoveManifest { path }),
            // An open document stays as the editor holds it.
            _ if self.open.contains(rel) => {}
            _ => changes.push(Change::Remove { path }),
        }
    }

    /// Takes over what was read.
    fn take(&mut self, read: Vec<Read>, entries: &[Entry], changes: &mut Vec<Change>) {
        let real: BTreeMap<&RelPath, &Option<RelPath>> =
            entries.iter().map(|e| (&e.rel, &e.real)).collect();
        for Read { rel, wanted, got } in read {
            let path: Arc<str> = rel.as_str().into();
            let know = |stamp, settled, digest| Known {
                wanted,
                real: real.get(&rel).and_then(|r| (*r).clone()),
                stamp,
                settled,
                digest,
            };
            match got {
                Got::Same { stamp, settled } => {
                    if let Some(known) = self.known.get_mut(&rel) {
                        known.stamp = stamp;
                        known.settled = settled;
                    }
                }
                Got::Source {
                    change,
                    stamp,
                    settled,
                } => {
                    let known = know(stamp, settled, Digest(change.digest));
                    self.known.insert(rel.clone(), known);
                    self.read_skips.remove(&rel);
                    if !self.open.contains(&rel) {
                        changes.push(Change::File(change));
                    }
                }
                Got::Manifest {
                    facts,
                    digest,
                    stamp,
                    settled,
                } => {
                    let known = know(stamp, settled, digest);
                    self.known.insert(rel.clone(), known);
                    changes.push(Change::Manifest { path, facts });
                }
                Got::Gone => self.forget(&rel, changes),
                Got::Skipped(skip) => {
                    self.known.remove(&rel);
                    if !self.open.contains(&rel) {
                        changes.extend(self.unread(&skip));
                    }
                    self.read_skips.insert(rel, skip);
                }
            }
        }
    }

    /// What the walk did not enter may hold callers; the graph must know.
    fn note_skips(&mut self, walk: &Walk, changes: &mut Vec<Change>) {
        let old: BTreeSet<&str> = self.walk_skips.iter().map(|s| s.path.as_str()).collect();
        let new: BTreeSet<&str> = walk.skipped.iter().map(|s| s.path.as_str()).collect();
        for path in old.difference(&new) {
            let known = RelPath::new(path).is_ok_and(|rel| self.known.contains_key(&rel));
            if !known {
                let path = (*path).into();
                changes.push(Change::Remove { path });
            }
        }
        for skip in &walk.skipped {
            let open = RelPath::new(&skip.path).is_ok_and(|rel| self.open.contains(&rel));
            if !open {
                changes.extend(self.unread(skip));
            }
        }
        self.walk_skips.clone_from(&walk.skipped);
    }

    /// A skipped path as the engine sees it: only where calls may be missing.
    fn unread(&self, skip: &Skipped) -> Option<Change> {
        let language = surefoot_langs::of_path(&skip.path).map(|l| l.id());
        let hides = match skip.code {
            // A folder of which nothing was seen may hold any language.
            ReasonCode::DiscoveryError | ReasonCode::MountBoundary => true,
            // A link out of the tree leads to code that is not the tree's.
            code => code.hides_code() && language.is_some(),
        };
        hides.then(|| Change::Unread {
            path: skip.path.as_str().into(),
            language,
            reason: skip.reason.as_str().into(),
        })
    }

    // ---- open documents --------------------------------------------------------------

    /// From now on the file's text is the editor's. `None` when the root does
    /// not admit it: see [`RootSession::standing`].
    pub fn overlay(
        &mut self,
        rel: &RelPath,
        file: FileChange,
        watch: Watch<'_>,
    ) -> Option<Applied> {
        match self.standing(rel) {
            Standing::Admitted | Standing::New | Standing::Skipped(_) => {}
            _ if self.open.contains(rel) => {}
            _ => return None,
        }
        self.open.insert(rel.clone());
        Some(self.apply(vec![Change::File(file)], watch))
    }

    /// [`RootSession::overlay`] of a text; its facts are read here.
    pub fn overlay_text(&mut self, rel: &RelPath, text: &str, watch: Watch<'_>) -> Option<Applied> {
        let language = surefoot_langs::of_path(rel.as_str())?;
        let extracted = extract(language, text).ok()?;
        let digest = surefoot_files::hash_bytes(text.as_bytes());
        let bytes = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let file = FileChange::new(rel.as_str(), digest.0, bytes, extracted);
        self.overlay(rel, file, watch)
    }

    /// The editor let go of the file: the disk's text counts again.
    pub fn close(&mut self, rel: &RelPath, watch: Watch<'_>) -> Result<Applied, Refusal> {
        if !self.open.remove(rel) {
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

    pub fn is_open(&self, rel: &RelPath) -> bool {
        self.open.contains(rel)
    }

    // ---- changes and questions -------------------------------------------------------

    /// Changes from elsewhere: answers of other resolvers, tests.
    pub fn apply(&mut self, changes: Vec<Change>, watch: Watch<'_>) -> Applied {
        (watch.tell)(Progress::Resolving {
            files: changes.len(),
        });
        let (root, asked) = (&self.root, &mut self.asked);
        let mut answer = |needs: Vec<Need>| -> Vec<Change> {
            let all = needs.into_iter();
            all.flat_map(|need| {
                let (changes, digest) = look(root, need.path());
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
        let (changes, digest) = look(&self.root, path);
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

/// Whether a change at `rel` may change what stands at `path`.
fn concerns(rel: &RelPath, path: &str) -> bool {
    let rel = rel.as_str();
    let below = |a: &str, b: &str| {
        a.strip_prefix(b)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    below(rel, path) || below(path, rel)
}

/// What stands at a path that resolution asked for.
fn look(root: &Root, path: &Arc<str>) -> (Vec<Change>, Option<Digest>) {
    let presence = |presence| Change::Presence {
        path: path.clone(),
        presence,
    };
    let gone = |presence_now| {
        let path = path.clone();
        (
            vec![Change::RemoveManifest { path }, presence(presence_now)],
            None,
        )
    };
    let manifest = |facts: ManifestFacts, digest| {
        let change = Change::Manifest {
            path: path.clone(),
            facts: Arc::new(facts),
        };
        (vec![change, presence(Presence::Present)], digest)
    };
    let is_manifest = surefoot_langs::is_manifest(path);
    let outside = || {
        let why = "it lies outside the analysed folder".to_owned();
        manifest(ManifestFacts::Unreadable(why), None)
    };
    let Ok(rel) = RelPath::new(path) else {
        return if is_manifest {
            outside()
        } else {
            gone(Presence::Unreadable)
        };
    };
    match exists(root, &rel) {
        surefoot_files::Presence::Absent => gone(Presence::Absent),
        surefoot_files::Presence::File if is_manifest => {
            match read_through_links(root, &rel, MAX_MANIFEST_BYTES) {
                Ok(text) => {
                    let facts = surefoot_langs::manifest_facts(path, text.text.as_bytes());
                    let unread = || ManifestFacts::Unreadable("not a manifest".to_owned());
                    manifest(facts.unwrap_or_else(unread), Some(text.digest))
                }
                Err(skip) => manifest(ManifestFacts::Unreadable(skip.reason), None),
            }
        }
        surefoot_files::Presence::Outside if is_manifest => outside(),
        surefoot_files::Presence::File | surefoot_files::Presence::Dir => {
            (vec![presence(Presence::Present)], None)
        }
        surefoot_files::Presence::Unreadable | surefoot_files::Presence::Outside => {
            gone(Presence::Unreadable)
        }
    }
}
