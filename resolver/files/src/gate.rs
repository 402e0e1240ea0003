//! The gate in front of the walker: which folders it enters, and by which rules.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};

use crate::path::RelPath;
use crate::root::{Refusal, Root};
use crate::skip::{ReasonCode, Skipped, size};
use crate::walk::WalkOptions;

/// An ignore file larger than this is none that a person wrote.
const MAX_IGNORE_FILE_BYTES: u64 = 1 << 20;

/// Decides which folders the walker enters. It stands in front of the walker because the walker reads
/// the ignore files of a folder before it shows the folder to anyone.
pub(crate) struct Gate {
    turned_away: Arc<Mutex<TurnedAway>>,
    root: PathBuf,
    device: Option<u64>,
    device_of: fn(&Path, &Metadata) -> u64,
}

#[derive(Default)]
pub(crate) struct TurnedAway {
    pub skipped: Vec<Skipped>,
    pub installed: Vec<String>,
}

impl Gate {
    pub fn new(
        root: &Root,
        options: &WalkOptions,
        device_of: fn(&Path, &Metadata) -> u64,
    ) -> Result<Gate, Refusal> {
        let path = root.real();
        let device = std::fs::metadata(path)
            .ok()
            .map(|metadata| device_of(path, &metadata));
        if let Some(reason) = bad_ignore_file(path, path) {
            let message = format!(
                "The folder {} cannot be walked: {reason}.",
                root.absolute(&RelPath::root()).display()
            );
            return Err(Refusal::new("invalid_root", message));
        }
        Ok(Gate {
            turned_away: Arc::default(),
            root: path.to_path_buf(),
            device: device.filter(|_| !options.cross_filesystem),
            device_of,
        })
    }

    pub fn walker(&self, root: &Root) -> ignore::Walk {
        let turned_away = Arc::clone(&self.turned_away);
        let (root_path, device, device_of) = (self.root.clone(), self.device, self.device_of);
        WalkBuilder::new(root.real())
            .hidden(true)
            .ignore(true)
            .git_ignore(true)
            // A tree without its `.git` folder (an archive, a copy) means the same files.
            .require_git(false)
            .parents(false)
            .git_global(false)
            .git_exclude(false)
            .follow_links(false)
            .filter_entry(move |entry| {
                enters(
                    entry,
                    &root_path,
                    device,
                    device_of,
                    &mut lock(&turned_away),
                )
            })
            .build()
    }

    pub fn turned_away(&self) -> TurnedAway {
        std::mem::take(&mut *lock(&self.turned_away))
    }
}

fn lock(turned_away: &Mutex<TurnedAway>) -> std::sync::MutexGuard<'_, TurnedAway> {
    // Nothing is half done in there: a panic elsewhere leaves whole entries.
    turned_away.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enters(
    entry: &DirEntry,
    root: &Path,
    device: Option<u64>,
    device_of: fn(&Path, &Metadata) -> u64,
    turned_away: &mut TurnedAway,
) -> bool {
    if entry.file_name() == ".git" {
        return false;
    }
    let shown = || slashes(entry.path().strip_prefix(root).unwrap_or(entry.path()));
    if entry.file_name() == "node_modules" {
        turned_away.installed.push(shown());
        return false;
    }
    if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return true;
    }
    let mut refuse = |code, reason: &str| {
        turned_away
            .skipped
            .push(Skipped::new(shown(), code, reason));
        false
    };
    if let Some(device) = device
        && let Ok(metadata) = entry.metadata()
        && device_of(entry.path(), &metadata) != device
    {
        return refuse(
            ReasonCode::MountBoundary,
            "a folder on another file system, not entered",
        );
    }
    match bad_ignore_file(entry.path(), root) {
        Some(reason) => refuse(
            ReasonCode::DiscoveryError,
            &format!("not entered: {reason}"),
        ),
        None => true,
    }
}

/// Why the ignore rules of `folder` must not be read: a pipe would never answer, and a link out of the
/// root is a rule that does not travel with the tree.
fn bad_ignore_file(folder: &Path, root: &Path) -> Option<String> {
    for name in [".gitignore", ".ignore"] {
        let path = folder.join(name);
        let Ok(metadata) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        let metadata = if metadata.is_symlink() {
            let Ok(target) = std::fs::canonicalize(&path) else {
                continue;
            };
            if !target.starts_with(root) {
                return Some(format!(
                    "its {name} is a link that leads out of the analysed folder"
                ));
            }
            let Ok(metadata) = std::fs::symlink_metadata(&target) else {
                continue;
            };
            metadata
        } else {
            metadata
        };
        if metadata.is_dir() {
            continue;
        }
        if !metadata.is_file() {
            return Some(format!("its {name} is not a regular file"));
        }
        if metadata.len() > MAX_IGNORE_FILE_BYTES {
            let limit = size(MAX_IGNORE_FILE_BYTES);
            return Some(format!("its {name} is larger than {limit}"));
        }
    }
    None
}

/// The path with forward slashes, as near as text can spell it.
pub(crate) fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}
