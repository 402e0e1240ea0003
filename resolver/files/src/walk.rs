//! The list of files a root holds, the same on every machine that checked it out.
//!
//! Only rules that travel with the tree decide what is on it: `.gitignore` and `.ignore` files inside
//! the root. The user's global rules, `.git/info/exclude` and files above the root are not asked, since
//! a list that depends on who made it can be verified by nobody. Hidden names are not entered, and
//! neither is `node_modules`: what a package manager installed is not the user's tree, and installing
//! it must not change a report. Imports that lead there are outside. Nothing else is left out by name.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ignore::DirEntry;

use crate::MAX_FILE_BYTES;
use crate::gate::{Gate, slashes};
use crate::path::{BadPath, RelPath};
use crate::root::{Refusal, Root};
use crate::skip::{ReasonCode, Skipped, os_words, size, too_large};
use crate::stamp::Stamp;

/// What a path is good for, as its languages say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wanted {
    No,
    Source,
    /// Where it lies matters, not only what it says: a link to a manifest counts at both places.
    Manifest,
}

/// The bounds of a walk.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// A larger file is skipped as `file_too_large`. Default [`MAX_FILE_BYTES`].
    pub max_file_bytes: u64,
    /// More wanted files than this refuse the walk as `workload_too_large`. Default 250,000.
    pub max_files: usize,
    /// The same for the sum of their sizes. Default 4 GiB.
    pub max_total_bytes: u64,
    /// The same for names looked at, wanted or not: what stops a walk of a whole disk. Default 5,000,000.
    pub max_visited: usize,
    /// Enter folders on other file systems. Default no.
    pub cross_filesystem: bool,
}

impl Default for WalkOptions {
    fn default() -> WalkOptions {
        WalkOptions {
            max_file_bytes: MAX_FILE_BYTES,
            max_files: 250_000,
            max_total_bytes: 4 << 30,
            max_visited: 5_000_000,
            cross_filesystem: false,
        }
    }
}

/// A file to analyse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub rel: RelPath,
    pub wanted: Wanted,
    /// As the walk saw it. The bytes may be newer: a read brings its own stamp.
    pub stamp: Stamp,
    /// Where the bytes lie when `rel` is a link to a place inside the root.
    pub real: Option<RelPath>,
}

/// What a root holds. Every list is sorted by the bytes of the path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    pub files: Vec<Entry>,
    pub skipped: Vec<Skipped>,
    /// Every folder entered, the root as the empty path.
    pub dirs: Vec<RelPath>,
    /// `node_modules` folders that no ignore rule names, not entered and not counted as skipped.
    pub installed: Vec<String>,
}

/// Lists the files under `root` that `wanted` names; it is asked with the path relative to the root.
///
/// `on_entry` is called with the number of names looked at so far, wanted or not; `Break` stops the
/// walk with the refusal `cancelled`. What could not be seen is in [`Walk::skipped`]; a refusal means
/// that no list of this tree can be given at all.
pub fn walk(
    root: &Root,
    options: &WalkOptions,
    wanted: &dyn Fn(&str) -> Wanted,
    on_entry: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Walk, Refusal> {
    walk_on(root, options, wanted, on_entry, device)
}

/// `device_of` is a parameter because a second file system is not to be had in a test.
fn walk_on(
    root: &Root,
    options: &WalkOptions,
    wanted: &dyn Fn(&str) -> Wanted,
    on_entry: &mut dyn FnMut(usize) -> ControlFlow<()>,
    device_of: fn(&Path, &Metadata) -> u64,
) -> Result<Walk, Refusal> {
    if !root.is_current() {
        let message = format!(
            "The folder {} was moved or replaced since it was opened. Open it again.",
            root.absolute(&RelPath::root()).display()
        );
        return Err(Refusal::new("invalid_root", message));
    }
    let gate = Gate::new(root, options, device_of)?;
    let mut found = Found {
        root,
        options,
        wanted,
        walk: Walk::default(),
        links: Vec::new(),
        bytes: 0,
    };
    let mut visited = 0;
    for entry in gate.walker(root) {
        visited += 1;
        if on_entry(visited).is_break() {
            return Err(Refusal::new(
                "cancelled",
                "The walk was stopped before it was done.",
            ));
        }
        if visited > options.max_visited {
            let what = format!("more than {} names", options.max_visited);
            return Err(too_much(root, &what));
        }
        match entry {
            Ok(entry) => found.entry(&entry)?,
            Err(error) => found.failed(&error)?,
        }
    }
    found.settle_links()?;
    let Found { mut walk, .. } = found;
    let turned_away = gate.turned_away();
    walk.skipped.extend(turned_away.skipped);
    walk.installed = turned_away.installed;
    walk.files.sort_unstable_by(|a, b| a.rel.cmp(&b.rel));
    walk.dirs.sort_unstable();
    walk.installed.sort_unstable();
    walk.skipped.sort_unstable();
    walk.skipped.dedup();
    Ok(walk)
}

fn too_much(root: &Root, what: &str) -> Refusal {
    let message = format!(
        "The folder {} holds {what}, more than one analysis takes on. Give a folder further down, or \
         leave generated parts out with an .ignore file.",
        root.absolute(&RelPath::root()).display()
    );
    Refusal::new("workload_too_large", message)
}

/// What a walk has come upon.
struct Found<'a> {
    root: &'a Root,
    options: &'a WalkOptions,
    wanted: &'a dyn Fn(&str) -> Wanted,
    walk: Walk,
    /// Links wait until every real path is known.
    links: Vec<RelPath>,
    bytes: u64,
}

impl Found<'_> {
    fn entry(&mut self, entry: &DirEntry) -> Result<(), Refusal> {
        let Some(kind) = entry.file_type() else {
            return Ok(());
        };
        let rel = match inside(self.root, entry.path()) {
            Ok(rel) => rel,
            Err(bad) => {
                // Below a folder that cannot be named there may be files worth naming to the user.
                let shown = shown(self.root, entry.path());
                if !kind.is_dir() && (self.wanted)(&shown) != Wanted::No {
                    self.skip(shown, ReasonCode::UnnamablePath, bad.to_string());
                }
                return Ok(());
            }
        };
        if kind.is_dir() {
            self.walk.dirs.push(rel);
            return Ok(());
        }
        if kind.is_symlink() {
            self.links.push(rel);
            return Ok(());
        }
        let wanted = (self.wanted)(rel.as_str());
        if wanted == Wanted::No {
            return Ok(());
        }
        if !kind.is_file() {
            self.skip(rel.as_str(), ReasonCode::NotARegularFile, NOT_REGULAR);
            return Ok(());
        }
        match entry.metadata() {
            Ok(metadata) => self.admit(rel, wanted, &metadata, None),
            Err(error) => {
                // Gone since its folder was listed: it was never here.
                let error = error
                    .into_io_error()
                    .filter(|e| e.kind() != std::io::ErrorKind::NotFound);
                if let Some(error) = error {
                    self.skip(rel.as_str(), ReasonCode::Unreadable, os_words(&error));
                }
                Ok(())
            }
        }
    }

    fn admit(
        &mut self,
        rel: RelPath,
        wanted: Wanted,
        metadata: &Metadata,
        real: Option<RelPath>,
    ) -> Result<(), Refusal> {
        if metadata.len() > self.options.max_file_bytes {
            self.walk.skipped.push(too_large(
                rel.as_str(),
                metadata.len(),
                self.options.max_file_bytes,
            ));
            return Ok(());
        }
        self.bytes = self.bytes.saturating_add(metadata.len());
        self.walk.files.push(Entry {
            rel,
            wanted,
            stamp: Stamp::of(metadata),
            real,
        });
        if self.walk.files.len() > self.options.max_files {
            let what = format!("more than {} source files", self.options.max_files);
            return Err(too_much(self.root, &what));
        }
        if self.bytes > self.options.max_total_bytes {
            let what = format!("more than {} of source", size(self.options.max_total_bytes));
            return Err(too_much(self.root, &what));
        }
        Ok(())
    }

    fn failed(&mut self, error: &ignore::Error) -> Result<(), Refusal> {
        let words = error.io_error().map_or_else(|| error.to_string(), os_words);
        let path = path_of(error).unwrap_or(self.root.real());
        if path == self.root.real() && error.depth().unwrap_or(0) == 0 {
            let message = format!(
                "The folder {} cannot be listed: {words}.",
                self.root.absolute(&RelPath::root()).display()
            );
            return Err(Refusal::new("invalid_root", message));
        }
        if error
            .io_error()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        {
            return Ok(());
        }
        let reason = format!("what lies below could not be listed: {words}");
        self.skip(shown(self.root, path), ReasonCode::DiscoveryError, reason);
        Ok(())
    }

    /// Decides each link by the place it leads to, once it is known what is analysed there.
    fn settle_links(&mut self) -> Result<(), Refusal> {
        let mut links = std::mem::take(&mut self.links);
        links.sort_unstable();
        let dirs: HashSet<RelPath> = self.walk.dirs.iter().cloned().collect();
        let mut analysed: HashSet<RelPath> = self
            .walk
            .files
            .iter()
            .map(|entry| entry.rel.clone())
            .collect();
        let mut seen: HashMap<PathBuf, Metadata> = HashMap::new();
        for link in links {
            let wanted = (self.wanted)(link.as_str());
            let Ok(target) = std::fs::canonicalize(self.root.real_path(&link)) else {
                if wanted != Wanted::No {
                    let reason = "a link that leads nowhere";
                    self.skip(link.as_str(), ReasonCode::UnresolvablePath, reason);
                }
                continue;
            };
            let metadata = match seen.get(&target) {
                Some(metadata) => metadata.clone(),
                None => {
                    let Ok(metadata) = std::fs::symlink_metadata(&target) else {
                        continue;
                    };
                    seen.entry(target.clone()).or_insert(metadata).clone()
                }
            };
            // A link to a folder has no telling name, but may hide as much as a folder can hold.
            if wanted == Wanted::No && !metadata.is_dir() {
                continue;
            }
            let Ok(inside) = target.strip_prefix(self.root.real()) else {
                let (code, reason) = if self.root.in_boundary(&target) {
                    (
                        ReasonCode::OutsideAnalysisRoot,
                        "a link to a place beside the analysed folder",
                    )
                } else {
                    (
                        ReasonCode::ContainmentEscape,
                        "a link that leads out of the analysed folder",
                    )
                };
                self.skip(link.as_str(), code, reason);
                continue;
            };
            let Ok(real) = RelPath::from_native(inside) else {
                let reason = "a link to a place whose name no report can spell";
                self.skip(link.as_str(), ReasonCode::UnnamablePath, reason);
                continue;
            };
            if metadata.is_dir() {
                let (code, reason) = if dirs.contains(&real) {
                    (
                        ReasonCode::DuplicateAlias,
                        "a second name for a folder analysed at its real place",
                    )
                } else {
                    let reason = "a link to a folder that ignore rules or a hidden name leave out";
                    (ReasonCode::OutsideAnalysisRoot, reason)
                };
                self.skip(link.as_str(), code, reason);
            } else if !metadata.is_file() {
                self.skip(link.as_str(), ReasonCode::NotARegularFile, NOT_REGULAR);
            } else if wanted == Wanted::Source && !analysed.insert(real.clone()) {
                let reason = "a second name for a file analysed at its real place";
                self.skip(link.as_str(), ReasonCode::DuplicateAlias, reason);
            } else {
                self.admit(link, wanted, &metadata, Some(real))?;
            }
        }
        Ok(())
    }

    fn skip(&mut self, path: impl Into<String>, code: ReasonCode, reason: impl Into<String>) {
        self.walk.skipped.push(Skipped::new(path, code, reason));
    }
}

const NOT_REGULAR: &str = "a device, pipe or socket under a source file's name";

fn inside(root: &Root, path: &Path) -> Result<RelPath, BadPath> {
    let inside = path
        .strip_prefix(root.real())
        .map_err(|_| BadPath::Climbs)?;
    RelPath::from_native(inside)
}

/// The nearest spelling of a path that may have none.
fn shown(root: &Root, path: &Path) -> String {
    slashes(path.strip_prefix(root.real()).unwrap_or(path))
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

#[cfg(unix)]
fn device(_: &Path, metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(metadata)
}

#[cfg(not(unix))]
fn device(_: &Path, _: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    // A network mount below the root must be said, not silently read or silently missed.
    #[test]
    fn a_folder_on_another_file_system_is_a_boundary() {
        let temp = tempfile::tempdir().unwrap();
        for (name, text) in [("near/a.rs", ""), ("mount/b.rs", "")] {
            let path = temp.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let root = Root::open(temp.path()).unwrap();
        let device: fn(&Path, &Metadata) -> u64 = |path, _| u64::from(path.ends_with("mount"));
        let list = |options: &WalkOptions| {
            let wanted = |path: &str| {
                if path.ends_with(".rs") {
                    Wanted::Source
                } else {
                    Wanted::No
                }
            };
            let go_on = &mut |_| ControlFlow::Continue(());
            let walk = walk_on(&root, options, &wanted, go_on, device).unwrap();
            let files: Vec<_> = walk
                .files
                .iter()
                .map(|entry| entry.rel.to_string())
                .collect();
            let skipped: Vec<_> = walk
                .skipped
                .iter()
                .map(|skip| (skip.path.clone(), skip.code))
                .collect();
            (files, skipped)
        };
        let (files, skipped) = list(&WalkOptions::default());
        assert_eq!(files, ["near/a.rs"]);
        assert_eq!(skipped, [("mount".to_string(), ReasonCode::MountBoundary)]);
        let crossing = WalkOptions {
            cross_filesystem: true,
            ..WalkOptions::default()
        };
        let (files, skipped) = list(&crossing);
        assert_eq!(files, ["mount/b.rs", "near/a.rs"]);
        assert_eq!(skipped, []);
    }
}
