//! Names of files inside a root, spelled the same on every machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A path inside a root: UTF-8, forward slashes, no `.`, `..` or empty part, no `::` and no backslash.
///
/// The empty path is the root itself. Order is the order of the bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Arc<str>);

/// Why a text is no path inside a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPath {
    /// It begins with `/` or a drive.
    Absolute,
    /// It climbs above the root.
    Climbs,
    /// It has an empty or `.` part.
    Untidy,
    /// It has no spelling a report can carry: not UTF-8, a NUL, `::`, which separates the parts of a
    /// qualified name, or a backslash, which separates folders elsewhere.
    Unnamable,
}

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadPath::Absolute => "the path is absolute; give it relative to the root",
            BadPath::Climbs => "the path climbs out of the root",
            BadPath::Untidy => "the path has an empty or `.` part",
            BadPath::Unnamable => {
                "the name is not UTF-8 or contains `::` or a backslash, so no report can spell it"
            }
        })
    }
}

impl std::error::Error for BadPath {}

impl RelPath {
    /// The path spelled `text`, which must be tidy already.
    pub fn new(text: &str) -> Result<RelPath, BadPath> {
        if text.starts_with('/') || is_drive(text) {
            return Err(BadPath::Absolute);
        }
        if text.contains("::") || text.contains(['\0', '\\']) {
            return Err(BadPath::Unnamable);
        }
        for part in text.split('/') {
            match part {
                ".." => return Err(BadPath::Climbs),
                "." => return Err(BadPath::Untidy),
                "" if !text.is_empty() => return Err(BadPath::Untidy),
                _ => {}
            }
        }
        Ok(RelPath(text.into()))
    }

    /// The root itself.
    pub fn root() -> RelPath {
        RelPath("".into())
    }

    /// The path that `relative` leads to from this folder, `.` and `..` worked out by name alone.
    pub fn join(&self, relative: &str) -> Result<RelPath, BadPath> {
        if relative.starts_with('/') || is_drive(relative) {
            return Err(BadPath::Absolute);
        }
        let mut parts: Vec<&str> = self.0.split('/').filter(|part| !part.is_empty()).collect();
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or(BadPath::Climbs)?;
                }
                part => parts.push(part),
            }
        }
        RelPath::new(&parts.join("/"))
    }

    /// The path of a native relative path, as a walk meets it.
    pub(crate) fn from_native(path: &Path) -> Result<RelPath, BadPath> {
        let mut text = String::new();
        for part in path.components() {
            let std::path::Component::Normal(part) = part else {
                return Err(BadPath::Climbs);
            };
            if !text.is_empty() {
                text.push('/');
            }
            text.push_str(part.to_str().ok_or(BadPath::Unnamable)?);
        }
        RelPath::new(&text)
    }

    /// The text, with forward slashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last part; empty for the root.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The folder it lies in; none for the root.
    pub fn parent(&self) -> Option<RelPath> {
        if self.is_root() {
            return None;
        }
        let end = self.0.rfind('/').unwrap_or(0);
        Some(RelPath(self.0[..end].into()))
    }

    /// True when `self` is `folder` or lies below it.
    pub fn is_within(&self, folder: &RelPath) -> bool {
        match self.0.strip_prefix(&*folder.0) {
            Some(rest) => folder.is_root() || rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }

    /// The same path with the machine's separators.
    pub(crate) fn to_native(&self) -> PathBuf {
        self.0.split('/').collect()
    }

    /// What the disk calls need: `.` for the root, since an empty path names nothing.
    pub(crate) fn to_openable(&self) -> PathBuf {
        if self.is_root() {
            PathBuf::from(".")
        } else {
            self.to_native()
        }
    }
}

/// `C:` at the front means a drive on Windows and is no sane name elsewhere.
fn is_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && cfg!(windows)
}

impl AsRef<str> for RelPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for RelPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A path that climbs, or that no report can spell, must never become the name of a file.
    #[test]
    fn refuses_what_is_not_inside_or_not_spellable() {
        assert_eq!(RelPath::new("/etc/passwd"), Err(BadPath::Absolute));
        assert_eq!(RelPath::new("a/../../b"), Err(BadPath::Climbs));
        assert_eq!(RelPath::new("a//b"), Err(BadPath::Untidy));
        assert_eq!(RelPath::new("./a"), Err(BadPath::Untidy));
        assert_eq!(RelPath::new("a::b.rs"), Err(BadPath::Unnamable));
        assert_eq!(RelPath::new("a\\..\\..\\b"), Err(BadPath::Unnamable));
        assert!(RelPath::new("").is_ok_and(|path| path.is_root()));
    }

    // Imports are relative: `../x` from a folder is the commonest question there is.
    #[test]
    fn joins_by_name() {
        let folder = RelPath::new("src/app").unwrap();
        assert_eq!(
            folder.join("../lib/./x.ts").unwrap().as_str(),
            "src/lib/x.ts"
        );
        assert_eq!(folder.join("../..").unwrap(), RelPath::root());
        assert_eq!(folder.join("../../.."), Err(BadPath::Climbs));
        assert_eq!(folder.parent().unwrap().as_str(), "src");
        assert_eq!(folder.parent().unwrap().parent(), Some(RelPath::root()));
        assert_eq!(folder.file_name(), "app");
        assert!(folder.is_within(&RelPath::new("src").unwrap()));
        assert!(!folder.is_within(&RelPath::new("src/ap").unwrap()));
    }
}
