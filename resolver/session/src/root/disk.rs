//! Bringing a root up to date with its folder: walks, stamps, reads, skips.

use super::{Analyzed, Known, RootSession};
use crate::progress::{Progress, Watch};
use crate::read::{Got, Job, Read, read_all};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use surefoot_engine::{Applied, Change};
use surefoot_files::{
    Digest, Entry, ReasonCode, Refusal, RelPath, Skipped, Walk, Wanted, exists, walk,
};

impl RootSession {
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
        if self.known.is_empty() {
            self.kept = self.options.keep.as_ref().map(|keep| keep.open(&self.root));
        }
        let read = self.read(jobs, watch)?;
        let read_count = read.len();
        let kept = |r: &&Read| matches!(r.got, Got::Source { kept: true, .. });
        let kept = read.iter().filter(kept).count();
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
            kept,
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
        let below = format!("{rel}/");
        let mut below = self.known.range::<str, _>((
            std::ops::Bound::Included(below.as_str()),
            std::ops::Bound::Unbounded,
        ));
        self.wanted(rel.as_str()) != Wanted::No
            || exists(&self.root, rel) == surefoot_files::Presence::Dir
            || below.next().is_some_and(|(k, _)| k.is_within(rel))
    }

    pub(super) fn read(&self, jobs: Vec<Job>, watch: Watch<'_>) -> Result<Vec<Read>, Refusal> {
        let max = self.options.walk.max_file_bytes;
        let kept = self.kept.as_ref();
        let contents = self.options.keep.is_none();
        read_all(&self.root, jobs, max, kept, contents, &self.pool, watch).ok_or_else(|| Refusal {
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
            _ if self.open.contains_key(rel) => {}
            _ => changes.push(Change::Remove { path }),
        }
    }

    /// Takes over what was read.
    pub(super) fn take(&mut self, read: Vec<Read>, entries: &[Entry], changes: &mut Vec<Change>) {
        let real: BTreeMap<&RelPath, &Option<RelPath>> =
            entries.iter().map(|e| (&e.rel, &e.real)).collect();
        for Read { rel, wanted, got } in read {
            let path: Arc<str> = rel.as_str().into();
            let know = |stamp, settled, digest, imported| Known {
                imported,
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
                    kept: _,
                    imported,
                } => {
                    let known = know(stamp, settled, Digest(change.digest), imported);
                    self.known.insert(rel.clone(), known);
                    self.read_skips.remove(&rel);
                    if !self.open.contains_key(&rel) {
                        changes.push(Change::File(change));
                    }
                }
                Got::Manifest {
                    facts,
                    digest,
                    stamp,
                    settled,
                } => {
                    let known = know(stamp, settled, digest, false);
                    self.known.insert(rel.clone(), known);
                    changes.push(Change::Manifest { path, facts });
                }
                Got::Gone => self.forget(&rel, changes),
                Got::Skipped(skip) => {
                    self.known.remove(&rel);
                    if !self.open.contains_key(&rel) {
                        changes.extend(self.unread(&skip));
                    }
                    self.read_skips.insert(rel, skip);
                }
            }
        }
    }

    /// What the walk did not enter may hold callers; the graph must know.
    pub(super) fn note_skips(&mut self, walk: &Walk, changes: &mut Vec<Change>) {
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
            let open = RelPath::new(&skip.path).is_ok_and(|rel| self.open.contains_key(&rel));
            if !open {
                changes.extend(self.unread(skip));
            }
        }
        self.walk_skips.clone_from(&walk.skipped);
    }

    /// A skipped path as the engine sees it: only where calls may be missing.
    pub(super) fn unread(&self, skip: &Skipped) -> Option<Change> {
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
