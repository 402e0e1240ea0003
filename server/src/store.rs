//! Reports that are kept, so that there is something to compare with after the code moved on.
//!
//! One folder for each snapshot, named by its id: the document, its index and a
//! record. Names belong to a tree. The store lies outside every analysed tree:
//! inside one, the next analysis would read it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use surefoot_report::query::{Listing, QueryIndex};
use surefoot_report::{Digest, Refusal, Report};
use surefoot_session::Root;

use crate::documents;

const DOCUMENT: &str = "report.json.zst";
const INDEX: &str = "index";
const RECORD: &str = "about.json";
/// The shortest prefix of an id that names a snapshot.
const PREFIX: usize = 8;

pub struct Store {
    folder: PathBuf,
    /// What all snapshots together may take.
    max_bytes: u64,
}

/// What the store holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// Newest first.
    pub snapshots: Vec<Listed>,
    /// Folders named like a snapshot whose record cannot be read.
    pub damaged: Vec<String>,
}

/// What keeping a report did.
#[derive(Debug)]
pub struct Saved {
    pub record: Record,
    /// It was there already.
    pub reused: bool,
    /// Snapshots that had to go so that the store stays within its bound.
    pub removed: Vec<String>,
}

/// What is known of a snapshot beside its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub id: String,
    /// The folder it was made of, on this machine.
    pub tree: String,
    /// When it was kept, in seconds since 1970.
    pub saved_at: u64,
    /// Tells two of one second apart.
    pub nanos: u32,
    pub analyzer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What version control says; context, not identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    pub is_complete: bool,
    pub files: u64,
    pub entities: u64,
    pub call_edges: u64,
    /// Of the document as it is written uncompressed.
    pub document_digest: String,
    /// What it takes on disk.
    pub bytes: u64,
}

/// A snapshot in a list, with the names that point at it.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    #[serde(flatten)]
    pub record: Record,
    pub names: Vec<String>,
}

/// What a pruning did.
#[derive(Clone, Debug, Serialize)]
pub struct Pruned {
    pub removed: Vec<String>,
    pub kept: Vec<Kept>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Kept {
    pub id: String,
    /// `newest`, `named` or `young`.
    pub because: &'static str,
}

#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub label: Option<String>,
    pub revision: Option<String>,
}

fn unavailable(what: &str, path: &Path, error: &io::Error) -> Refusal {
    let message = format!("The store cannot {what} {}: {error}.", path.display());
    Refusal::new("store_unavailable", message)
}

impl Store {
    /// The store at `folder`, else where the environment says. `tree` must not contain it.
    pub fn open(folder: Option<&Path>, tree: &Root) -> Result<Store, Refusal> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => standard_place()?,
        };
        let folder =
            std::path::absolute(&folder).map_err(|e| unavailable("be found at", &folder, &e))?;
        fs::create_dir_all(&folder).map_err(|e| unavailable("be made at", &folder, &e))?;
        let real =
            fs::canonicalize(&folder).map_err(|e| unavailable("be found at", &folder, &e))?;
        if real.starts_with(tree.real()) {
            let message = format!(
                "The store {} lies inside the analysed folder and would become part of the next \
                 analysis. Give another one with --store or SUREFOOT_SNAPSHOT_DIR.",
                folder.display()
            );
            return Err(Refusal::new("invalid_configuration", message));
        }
        Ok(Store {
            folder: real,
            max_bytes: documents::max_snapshot_bytes()?,
        })
    }

    /// Keeps a report. Where the store would grow over its bound, the oldest snapshots go that no name
    /// points at.
    pub fn save(&self, tree: &Root, report: &Report, notes: Notes) -> Result<Saved, Refusal> {
        let known = |record| Saved {
            record,
            reused: true,
            removed: Vec::new(),
        };
        let id = report.snapshot_id.to_string();
        let mut hasher = Hashing(blake3::Hasher::new());
        let hashed = surefoot_report::write(report, &mut hasher);
        hashed.map_err(|e| unavailable("read", Path::new("the report"), &e))?;
        let document_digest = hasher.0.finalize().to_hex().to_string();
        if let Ok(record) = self.record(&id) {
            if record.document_digest != document_digest {
                let message = format!(
                    "The store holds another report under the id {}: one of the two was not made by \
                     the analysis it names. Verify this one.",
                    &id[..16]
                );
                return Err(Refusal::new("invalid_report", message));
            }
            return Ok(known(record));
        }
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let p = &report.analyzer_provenance;
        let mut record = Record {
            id: id.clone(),
            tree: shown(tree),
            saved_at: now.as_secs(),
            nanos: now.subsec_nanos(),
            analyzer: format!("{} {} ({})", p.name, p.version, p.build),
            label: notes.label,
            revision: notes.revision,
            is_complete: report.is_complete,
            files: report.file_hashes.len() as u64,
            entities: report.entities.len() as u64,
            call_edges: report.call_edges.len() as u64,
            document_digest,
            bytes: 0,
        };
        let place = self.place(&id);
        let temporary = self.temporary();
        let failed = |refusal| {
            let _ = fs::remove_dir_all(&temporary);
            Err(refusal)
        };
        if let Err(e) = self.fill(&temporary, report, &mut record) {
            return failed(unavailable("write", &place, &e));
        }
        let removed = match self.make_room(record.bytes) {
            Ok(removed) => removed,
            Err(refusal) => return failed(refusal),
        };
        // What stands there has no record: it answers nothing and is in the way.
        if place.exists() && self.record(&id).is_err() {
            let _ = fs::remove_dir_all(&place);
        }
        if let Err(e) = fs::rename(&temporary, &place) {
            // Another process may have kept the same snapshot meanwhile.
            return match self.record(&id) {
                Ok(other) if other.document_digest == record.document_digest => {
                    let _ = fs::remove_dir_all(&temporary);
                    Ok(known(other))
                }
                _ => failed(unavailable("write", &place, &e)),
            };
        }
        Ok(Saved {
            record,
            reused: false,
            removed,
        })
    }

    /// Removes the oldest snapshots without a name until so many more bytes fit.
    fn make_room(&self, bytes: u64) -> Result<Vec<String>, Refusal> {
        let contents = self.list(None)?;
        let all = contents.snapshots.iter();
        let mut held: u64 = all.map(|l| l.record.bytes).sum();
        let mut removed = Vec::new();
        for old in contents.snapshots.iter().rev() {
            if held.saturating_add(bytes) <= self.max_bytes {
                break;
            }
            if old.names.is_empty() {
                self.remove(&old.record.id)?;
                held = held.saturating_sub(old.record.bytes);
                removed.push(old.record.id.clone());
            }
        }
        if held.saturating_add(bytes) > self.max_bytes {
            let message = format!(
                "The snapshot takes {bytes} bytes, and what names point at {held}: together more than \
                 the {} that are kept (SUREFOOT_MAX_SNAPSHOT_BYTES). Point a name elsewhere with \
                 `surefoot snapshot ref`, or allow more.",
                self.max_bytes
            );
            return Err(Refusal::new("store_full", message));
        }
        Ok(removed)
    }

    fn remove(&self, id: &str) -> Result<(), Refusal> {
        let path = self.place(id);
        fs::remove_dir_all(&path).map_err(|e| unavailable("remove", &path, &e))
    }

    fn fill(&self, folder: &Path, report: &Report, record: &mut Record) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let document = fs::File::create(folder.join(DOCUMENT))?;
        surefoot_report::write_compressed(report, document)?;
        fs::write(folder.join(INDEX), QueryIndex::of(report).encode())?;
        for file in [DOCUMENT, INDEX] {
            record.bytes += fs::metadata(folder.join(file))?.len();
        }
        fs::write(folder.join(RECORD), serde_json::to_vec_pretty(record)?)
    }

    fn place(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    fn temporary(&self) -> PathBuf {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        self.folder
            .join(format!(".new-{}-{count}", std::process::id()))
    }

    fn record(&self, id: &str) -> Result<Record, Refusal> {
        let path = self.place(id).join(RECORD);
        let bytes = fs::read(&path).map_err(|e| unavailable("read", &path, &e))?;
        let record: Record =
            serde_json::from_slice(&bytes).map_err(|e| unavailable("read", &path, &e.into()))?;
        // A record names the folder it stands in; by another name something else
        // would be removed with it.
        if record.id != id {
            let error = io::Error::new(io::ErrorKind::InvalidData, "it is of another snapshot");
            return Err(unavailable("read", &path, &error));
        }
        Ok(record)
    }

    /// All snapshots, newest first; those of one tree when one is given.
    pub fn list(&self, tree: Option<&Root>) -> Result<Contents, Refusal> {
        let wanted = tree.map(shown);
        let mut out = Contents::default();
        let entries =
            fs::read_dir(&self.folder).map_err(|e| unavailable("read", &self.folder, &e))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(id) = name.to_str().filter(|name| is_id(name)) else {
                continue;
            };
            let Ok(record) = self.record(id) else {
                // Another process may have removed it meanwhile.
                if self.place(id).exists() {
                    out.damaged.push(id.to_owned());
                }
                continue;
            };
            if wanted.as_ref().is_none_or(|tree| *tree == record.tree) {
                let names = self.names_of(&record);
                out.snapshots.push(Listed { record, names });
            }
        }
        out.damaged.sort_unstable();
        out.snapshots.sort_by(|a, b| {
            let key = |l: &Listed| (l.record.saved_at, l.record.nanos, l.record.id.clone());
            key(b).cmp(&key(a))
        });
        Ok(out)
    }

    /// The snapshot that an id, a prefix of one or a name means; without any, the newest of the tree.
    pub fn find(&self, which: Option<&str>, tree: &Root) -> Result<Record, Refusal> {
        let not_found = |what: String| Refusal::new("snapshot_not_found", what);
        let Some(which) = which else {
            let newest = self.list(Some(tree))?.snapshots.into_iter().next();
            return newest.map(|l| l.record).ok_or_else(|| {
                not_found(format!(
                    "No snapshot of {} is kept. Make one with `surefoot snapshot save`.",
                    tree.real().display()
                ))
            });
        };
        let which = which.strip_prefix('@').unwrap_or(which);
        if let Some(id) = self.named(&shown(tree), which) {
            return self.record(&id);
        }
        if which.len() < PREFIX || !which.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(not_found(format!(
                "No snapshot of this folder is called `{which}`, and an id has at least {PREFIX} hex \
                 digits."
            )));
        }
        let all = self.list(None)?.snapshots;
        let mut fitting = all.into_iter().filter(|l| l.record.id.starts_with(which));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Ok(one.record),
            (None, _) => Err(not_found(format!("No snapshot has the id `{which}`."))),
            _ => Err(Refusal::new(
                "snapshot_ambiguous",
                format!("Several snapshots have ids that begin with `{which}`: give more of it."),
            )),
        }
    }

    /// Points a name at a snapshot, for one tree.
    pub fn point(&self, tree: &Root, name: &str, id: &str) -> Result<(), Refusal> {
        check_name(name)?;
        let folder = self.names_folder(&shown(tree));
        let path = folder.join(name);
        let temporary = self.temporary();
        let written = fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&temporary, id))
            .and_then(|()| fs::rename(&temporary, &path));
        written.map_err(|e| unavailable("write", &path, &e))
    }

    fn names_folder(&self, tree: &str) -> PathBuf {
        let tree = blake3::hash(tree.as_bytes()).to_hex();
        self.folder.join("names").join(&tree[..32])
    }

    fn named(&self, tree: &str, name: &str) -> Option<String> {
        check_name(name).ok()?;
        let id = fs::read_to_string(self.names_folder(tree).join(name)).ok()?;
        is_id(&id).then_some(id)
    }

    fn names_of(&self, record: &Record) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.names_folder(&record.tree)) else {
            return Vec::new();
        };
        let names = entries
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter(|name| self.named(&record.tree, name).as_deref() == Some(&record.id))
            .collect();
        names.sort_unstable();
        names
    }

    pub fn report(&self, record: &Record) -> Result<Report, Refusal> {
        documents::read(
            &self.place(&record.id).join(DOCUMENT),
            &documents::limits()?,
        )
    }

    /// The index; made anew where it is missing, damaged or of another recipe.
    pub fn index(&self, record: &Record) -> Result<QueryIndex, Refusal> {
        let kept = fs::read(self.place(&record.id).join(INDEX)).ok();
        let kept = kept.and_then(|bytes| QueryIndex::decode(&bytes).ok());
        match kept.filter(|i| i.snapshot_id().to_string() == record.id) {
            Some(index) => Ok(index),
            None => self.renewed(record),
        }
    }

    /// The files of a snapshot, from the head of its index.
    pub fn listing(&self, record: &Record) -> Result<Listing, Refusal> {
        let path = self.place(&record.id).join(INDEX);
        let read = || {
            fs::File::open(&path)
                .ok()
                .and_then(|f| Listing::read(f).ok())
        };
        let is_its = |listing: &Listing| listing.snapshot_id().to_string() == record.id;
        if let Some(listing) = read().filter(is_its) {
            return Ok(listing);
        }
        let index = self.renewed(record)?.encode();
        Listing::read(index.as_slice()).map_err(|e| {
            let error = io::Error::new(io::ErrorKind::InvalidData, e.to_string());
            unavailable("read", &path, &error)
        })
    }

    fn renewed(&self, record: &Record) -> Result<QueryIndex, Refusal> {
        let index = QueryIndex::of(&self.report(record)?);
        let path = self.place(&record.id).join(INDEX);
        let temporary = self.temporary();
        // A store that cannot be written to still answers.
        let written = fs::write(&temporary, index.encode());
        if written
            .and_then(|()| fs::rename(&temporary, &path))
            .is_err()
        {
            let _ = fs::remove_file(&temporary);
        }
        Ok(index)
    }

    /// Removes what is damaged; keeps the newest of each tree, what a name points at and what is younger than so many days.
    pub fn prune(&self, keep: usize, younger_than_days: Option<u64>) -> Result<Pruned, Refusal> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let mut seen: std::collections::HashMap<String, usize> = Default::default();
        let mut out = Pruned {
            removed: Vec::new(),
            kept: Vec::new(),
        };
        let contents = self.list(None)?;
        for id in contents.damaged {
            self.remove(&id)?;
            out.removed.push(id);
        }
        for Listed { record, names } in contents.snapshots {
            let of_tree = seen.entry(record.tree.clone()).or_default();
            *of_tree += 1;
            let young = younger_than_days.is_some_and(|days| {
                let age = now.as_secs().saturating_sub(record.saved_at);
                age < days.saturating_mul(86_400)
            });
            let because = if !names.is_empty() {
                "named"
            } else if *of_tree <= keep {
                "newest"
            } else if young {
                "young"
            } else {
                self.remove(&record.id)?;
                out.removed.push(record.id);
                continue;
            };
            out.kept.push(Kept {
                id: record.id,
                because,
            });
        }
        Ok(out)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }
}

struct Hashing(blake3::Hasher);

impl Write for &mut Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn shown(tree: &Root) -> String {
    tree.real().to_string_lossy().into_owned()
}

fn is_id(text: &str) -> bool {
    text.len() == 2 * size_of::<Digest>()
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// A name is a file name on every system, and none that could be an id.
fn check_name(name: &str) -> Result<(), Refusal> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let good = (1..=64).contains(&name.len())
        && name.bytes().all(plain)
        && !name.starts_with('.')
        && !name.ends_with('.')
        && !(name.len() >= PREFIX && name.bytes().all(|b| b.is_ascii_hexdigit()));
    if good {
        return Ok(());
    }
    Err(Refusal::new(
        "invalid_snapshot_name",
        format!(
            "`{name}` is no name for a snapshot: letters, digits, `-`, `_` and `.`, at most 64, and \
             not what an id looks like."
        ),
    ))
}

/// `SUREFOOT_SNAPSHOT_DIR`, else the user's cache folder.
fn standard_place() -> Result<PathBuf, Refusal> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    if let Some(place) = set("SUREFOOT_SNAPSHOT_DIR") {
        return Ok(place);
    }
    let cache = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else {
        let home = set("HOME").map(|home| match cfg!(target_os = "macos") {
            true => home.join("Library/Caches"),
            false => home.join(".cache"),
        });
        set("XDG_CACHE_HOME").filter(|p| p.is_absolute()).or(home)
    };
    match cache {
        Some(cache) => Ok(cache.join("surefoot").join("snapshots")),
        None => Err(Refusal::new(
            "store_unavailable",
            "This user has no cache folder. Say where snapshots go with --store or \
             SUREFOOT_SNAPSHOT_DIR.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name becomes a file name: it must stay inside its folder and not pass for an id.
    #[test]
    fn names_are_file_names_and_no_ids() {
        for name in ["base", "v1.2", "before-the-move", "a", "deadbee"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", ".hidden", "a/b", "a\\b", "deadbeef", "é", "x."] {
            let refusal = check_name(name).unwrap_err();
            assert_eq!(refusal.reason, "invalid_snapshot_name", "{name}");
        }
    }
}
