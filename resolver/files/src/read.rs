//! The text of one file: opened beneath the root, bounded, whole or not at all.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::sync::Arc;
use std::time::SystemTime;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::OpenOptions;

use crate::digest::{Digest, hash_bytes};
use crate::path::RelPath;
use crate::root::Root;
use crate::skip::{ReasonCode, Skipped, os_words, too_large};
use crate::stamp::Stamp;
use crate::text::{Encoding, decode};
use crate::walk::Entry;

/// What a file said at one moment.
#[derive(Debug, Clone)]
pub struct FileText {
    /// Without a byte order mark, as an editor holds it.
    pub text: Arc<str>,
    pub encoding: Encoding,
    /// Of the bytes on disk, mark included.
    pub digest: Digest,
    /// Of the open file these bytes came from.
    pub stamp: Stamp,
    /// True when the file had rested long enough that any later change shows in its stamp. Only such
    /// a stamp may stand for the digest later.
    pub settled: bool,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    File,
    Dir,
    Absent,
    /// Something is there that cannot be looked at, or is neither file nor folder.
    Unreadable,
    /// It leads out of the root; what is there is not asked.
    Outside,
}

/// Reads the file at `path`, at most `max` bytes, through no final link.
///
/// A file that changes while it is read is read once more, and skipped as `unreadable` when it will
/// not hold still.
pub fn read(root: &Root, path: &RelPath, max: u64) -> Result<FileText, Skipped> {
    read_watched(root, path, path, max, &mut |_| ())
}

/// Reads a file the walk listed, where it really lies.
pub fn read_entry(root: &Root, entry: &Entry, max: u64) -> Result<FileText, Skipped> {
    read_watched(
        root,
        &entry.rel,
        entry.real.as_ref().unwrap_or(&entry.rel),
        max,
        &mut |_| (),
    )
}

/// Reads the file that `path` leads to through any links that stay inside the root. For configuration
/// that the walk did not list: a project may share one file under many names.
pub fn read_through_links(root: &Root, path: &RelPath, max: u64) -> Result<FileText, Skipped> {
    let skip = |code, reason: &str| Err(Skipped::new(path.as_str(), code, reason));
    let target = match std::fs::canonicalize(root.real_path(path)) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return skip(ReasonCode::Unreadable, &os_words(&error));
        }
        Err(error) => return skip(ReasonCode::UnresolvablePath, &os_words(&error)),
    };
    let Ok(inside) = target.strip_prefix(root.real()) else {
        return if root.in_boundary(&target) {
            skip(
                ReasonCode::OutsideAnalysisRoot,
                "a link to a place beside the analysed folder",
            )
        } else {
            skip(
                ReasonCode::ContainmentEscape,
                "a link that leads out of the analysed folder",
            )
        };
    };
    match RelPath::from_native(inside) {
        Ok(real) => read_watched(root, path, &real, max, &mut |_| ()),
        Err(bad) => skip(ReasonCode::UnnamablePath, &bad.to_string()),
    }
}

/// What stands at `path`, links followed as far as they stay inside the root.
pub fn exists(root: &Root, path: &RelPath) -> Presence {
    match root.dir().symlink_metadata(path.to_openable()) {
        Ok(metadata) if metadata.is_file() => return Presence::File,
        Ok(metadata) if metadata.is_dir() => return Presence::Dir,
        Ok(metadata) if !metadata.is_symlink() => return Presence::Unreadable,
        Err(error) if is_absence(&error) => return Presence::Absent,
        // A link, or a folder on the way that is an absolute link: only the real place tells.
        Ok(_) | Err(_) => {}
    }
    let target = match std::fs::canonicalize(root.real_path(path)) {
        Ok(target) => target,
        Err(error) if is_absence(&error) => return absent_or_outside(root, path),
        Err(_) => return Presence::Unreadable,
    };
    if !target.starts_with(root.real()) {
        return Presence::Outside;
    }
    match std::fs::symlink_metadata(&target) {
        Ok(metadata) if metadata.is_file() => Presence::File,
        Ok(metadata) if metadata.is_dir() => Presence::Dir,
        Ok(_) => Presence::Unreadable,
        Err(error) if is_absence(&error) => Presence::Absent,
        Err(_) => Presence::Unreadable,
    }
}

/// Whether something is absent beyond a link is asked of no place outside the root.
fn absent_or_outside(root: &Root, path: &RelPath) -> Presence {
    let mut folder = path.parent();
    while let Some(at) = folder {
        if let Ok(real) = std::fs::canonicalize(root.real_path(&at)) {
            let inside = real.starts_with(root.real());
            return if inside {
                Presence::Absent
            } else {
                Presence::Outside
            };
        }
        folder = at.parent();
    }
    Presence::Absent
}

fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// `between` runs after the bytes were taken and before the second look, with the attempt's number:
/// the place where another program's write falls.
fn read_watched(
    root: &Root,
    shown: &RelPath,
    path: &RelPath,
    max: u64,
    between: &mut dyn FnMut(u32),
) -> Result<FileText, Skipped> {
    const ATTEMPTS: u32 = 2;
    let unreadable =
        |error: io::Error| Skipped::new(shown.as_str(), ReasonCode::Unreadable, os_words(&error));
    for attempt in 1..=ATTEMPTS {
        let file = open(root, path).map_err(|error| refused(root, shown, path, &error))?;
        let now = SystemTime::now();
        let before = file.metadata().map_err(unreadable)?;
        if !before.is_file() {
            let reason = "a folder, device, pipe or socket under a source file's name";
            return Err(Skipped::new(
                shown.as_str(),
                ReasonCode::NotARegularFile,
                reason,
            ));
        }
        if before.len() > max {
            return Err(too_large(shown.as_str(), before.len(), max));
        }
        let bytes = take(&file, &before, max).map_err(unreadable)?;
        between(attempt);
        let after = file.metadata().map_err(unreadable)?;
        let stamp = Stamp::of(&before);
        if Stamp::of(&after) != stamp || bytes.len() as u64 != before.len() {
            continue;
        }
        let (text, encoding) = decode(&bytes).map_err(|error| {
            Skipped::new(shown.as_str(), ReasonCode::ParseError, error.to_string())
        })?;
        let settled = stamp.is_settled(now);
        return Ok(FileText {
            text,
            encoding,
            digest: hash_bytes(&bytes),
            stamp,
            settled,
        });
    }
    let reason = "it changed while it was being read, twice in a row";
    Err(Skipped::new(shown.as_str(), ReasonCode::Unreadable, reason))
}

fn open(root: &Root, path: &RelPath) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // A pipe swapped in must not hold the reader: opening one without a writer would wait for ever.
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    root.dir()
        .open_with(path.to_openable(), &options)
        .map(cap_std::fs::File::into_std)
}

fn take(file: &File, metadata: &Metadata, max: u64) -> io::Result<Vec<u8>> {
    let expected = metadata.len().min(max);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0).saturating_add(1));
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why a file that was listed would not open.
fn refused(root: &Root, shown: &RelPath, path: &RelPath, error: &io::Error) -> Skipped {
    let skip = |code, reason: &str| Skipped::new(shown.as_str(), code, reason);
    let real = root.real_path(path);
    if std::fs::symlink_metadata(&real).is_ok_and(|metadata| metadata.is_symlink()) {
        return skip(
            ReasonCode::ContainmentOpenRefused,
            "it is a link, and links are not opened",
        );
    }
    let elsewhere =
        std::fs::canonicalize(&real).is_ok_and(|target| !target.starts_with(root.real()));
    if elsewhere {
        let reason =
            "a folder on the way to it became a link that leads out of the analysed folder";
        return skip(ReasonCode::ContainmentSwap, reason);
    }
    if is_absence(error) {
        return skip(ReasonCode::Unreadable, "it is no longer there");
    }
    // Opening a socket fails with a code of its own on every system.
    if std::fs::symlink_metadata(&real).is_ok_and(|metadata| !metadata.is_file()) {
        let reason = "a folder, device, pipe or socket under a source file's name";
        return skip(ReasonCode::NotARegularFile, reason);
    }
    skip(ReasonCode::Unreadable, &os_words(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_FILE_BYTES;

    fn rewriting(attempts: u32) -> Result<FileText, Skipped> {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("a.rs");
        std::fs::write(&file, "one").unwrap();
        let root = Root::open(temp.path()).unwrap();
        let path = RelPath::new("a.rs").unwrap();
        read_watched(&root, &path, &path, MAX_FILE_BYTES, &mut |attempt| {
            if attempt <= attempts {
                std::fs::write(&file, "longer".repeat(attempt as usize)).unwrap();
            }
        })
    }

    // A build that writes while we read must give the new text, never half of each.
    #[test]
    fn a_file_that_changes_once_is_read_again() {
        let text = rewriting(1).unwrap();
        assert_eq!(&*text.text, "longer");
        assert_eq!(text.digest, hash_bytes(b"longer"));
        assert!(
            !text.settled,
            "a file written a moment ago may change unseen"
        );
    }

    // A log that never rests must be said, not analysed in pieces.
    #[test]
    fn a_file_that_never_holds_still_is_skipped() {
        let skipped = rewriting(2).unwrap_err();
        assert_eq!(skipped.code, ReasonCode::Unreadable);
        assert!(
            skipped.reason.contains("changed while it was being read"),
            "{}",
            skipped.reason
        );
    }
}
