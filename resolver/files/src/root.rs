//! A root: the folder a person opened, held open so that nothing can be swapped in under its name.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::path::{BadPath, RelPath};
use crate::skip::os_words;

/// Why a question was not taken up: a stable code and a sentence a person can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `invalid_root`, `root_outside_boundary`, `workload_too_large` or `cancelled`.
    pub code: &'static str,
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// How two roots lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    Same,
    /// The first holds the second.
    Contains,
    /// The first lies inside the second.
    Inside,
    Apart,
}

/// An open folder. Clones share the handle.
#[derive(Clone)]
pub struct Root(Arc<Inner>);

struct Inner {
    /// As the caller spelled it, made absolute: the spelling of every path handed to an editor.
    given: PathBuf,
    /// With every link resolved: what containment is decided on.
    real: PathBuf,
    boundary: Option<PathBuf>,
    dir: Dir,
    id: FolderId,
}

impl Root {
    /// Opens the folder at `path`. Links that lead out of it are refused wherever they are met.
    pub fn open(path: impl AsRef<Path>) -> Result<Root, Refusal> {
        Root::open_at(path.as_ref(), None)
    }

    /// Opens the folder at `path`, which must lie inside `boundary`. A link that leads out of the root
    /// but stays inside the boundary is told apart from one that leaves both; neither is followed.
    pub fn open_within(
        path: impl AsRef<Path>,
        boundary: impl AsRef<Path>,
    ) -> Result<Root, Refusal> {
        let boundary = real_folder(boundary.as_ref())?;
        Root::open_at(path.as_ref(), Some(boundary))
    }

    fn open_at(path: &Path, boundary: Option<PathBuf>) -> Result<Root, Refusal> {
        let real = real_folder(path)?;
        if let Some(boundary) = &boundary
            && !real.starts_with(boundary)
        {
            let message = format!(
                "The folder {} lies outside {}, which nothing here may leave. Give a folder inside it.",
                path.display(),
                boundary.display()
            );
            return Err(Refusal::new("root_outside_boundary", message));
        }
        let given = std::path::absolute(path).map_err(|error| cannot_open(path, &error))?;
        let dir = Dir::open_ambient_dir(&real, ambient_authority())
            .map_err(|error| cannot_open(path, &error))?;
        let id = dir
            .try_clone()
            .and_then(|dir| dir.into_std_file().metadata())
            .map(|metadata| FolderId::of(&metadata))
            .map_err(|error| cannot_open(path, &error))?;
        Ok(Root(Arc::new(Inner {
            given,
            real,
            boundary,
            dir,
            id,
        })))
    }

    /// The folder with every link resolved.
    pub fn real(&self) -> &Path {
        &self.0.real
    }

    /// Where `path` is, in the spelling the root was opened with, so that an editor meets the names it
    /// knows and not the places its links lead to.
    pub fn absolute(&self, path: &RelPath) -> PathBuf {
        if path.is_root() {
            self.0.given.clone()
        } else {
            self.0.given.join(path.to_native())
        }
    }

    /// The name of an absolute path inside this root, whether spelled through the root as given or
    /// through its real place. Links below the root are not resolved, and nothing is asked of the disk
    /// unless both spellings fail.
    pub fn relative(&self, absolute: &Path) -> Result<RelPath, BadPath> {
        for base in [&self.0.given, &self.0.real] {
            if let Ok(inside) = absolute.strip_prefix(base) {
                return RelPath::from_native(inside);
            }
        }
        // A third spelling of the same folder: resolve the folder and keep the file's own name, which
        // need not exist yet.
        let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(BadPath::Climbs);
        };
        let folder = std::fs::canonicalize(folder).map_err(|_| BadPath::Climbs)?;
        let inside = folder
            .strip_prefix(&self.0.real)
            .map_err(|_| BadPath::Climbs)?;
        RelPath::from_native(&inside.join(name))
    }

    /// How this root lies to `other`. Files of the inner of two nested roots belong to it alone, or
    /// each of them would be counted twice; the caller decides, this only tells.
    pub fn nesting(&self, other: &Root) -> Nesting {
        let (mine, theirs) = (&self.0.real, &other.0.real);
        if mine == theirs {
            Nesting::Same
        } else if theirs.starts_with(mine) {
            Nesting::Contains
        } else if mine.starts_with(theirs) {
            Nesting::Inside
        } else {
            Nesting::Apart
        }
    }

    /// False when another folder stands where this one was opened, or none. Reads then still answer
    /// from the old folder; open the root anew.
    pub fn is_current(&self) -> bool {
        std::fs::metadata(&self.0.real)
            .is_ok_and(|metadata| metadata.is_dir() && FolderId::of(&metadata) == self.0.id)
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.0.dir
    }

    pub(crate) fn real_path(&self, path: &RelPath) -> PathBuf {
        if path.is_root() {
            self.0.real.clone()
        } else {
            self.0.real.join(path.to_native())
        }
    }

    pub(crate) fn in_boundary(&self, real: &Path) -> bool {
        self.0
            .boundary
            .as_ref()
            .is_some_and(|boundary| real.starts_with(boundary))
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Root({})", self.0.given.display())
    }
}

fn real_folder(path: &Path) -> Result<PathBuf, Refusal> {
    let real = std::fs::canonicalize(path).map_err(|error| cannot_open(path, &error))?;
    let metadata = std::fs::metadata(&real).map_err(|error| cannot_open(path, &error))?;
    if !metadata.is_dir() {
        let message = format!(
            "{} is a file, not a folder. Give the folder that holds the code.",
            path.display()
        );
        return Err(Refusal::new("invalid_root", message));
    }
    Ok(real)
}

fn cannot_open(path: &Path, error: &io::Error) -> Refusal {
    let shown = path.display();
    let message = match error.kind() {
        io::ErrorKind::NotFound if path.as_os_str().is_empty() => {
            "The path is empty. Give the folder that holds the code, for example `.`.".to_string()
        }
        io::ErrorKind::NotFound => {
            format!("There is no folder {shown}. Check the spelling and the folder you are in.")
        }
        io::ErrorKind::PermissionDenied => {
            format!(
                "The folder {shown} may not be read by this user. Give read access or another folder."
            )
        }
        _ => format!("The folder {shown} cannot be opened: {}.", os_words(error)),
    };
    Refusal::new("invalid_root", message)
}

/// What tells one folder from another that took its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FolderId {
    device: u64,
    inode: u64,
}

impl FolderId {
    fn of(metadata: &std::fs::Metadata) -> FolderId {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            FolderId {
                device: metadata.dev(),
                inode: metadata.ino(),
            }
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            FolderId {
                device: 0,
                inode: 0,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> (&'static str, String) {
        let refusal = Root::open(path).unwrap_err();
        (refusal.code, refusal.message)
    }

    // The first thing a new user gets wrong is the folder; the answer must say what to do.
    #[test]
    fn a_bad_root_is_refused_in_words_that_help() {
        let temp = tempfile::tempdir().unwrap();
        let (code, message) = refusal(&temp.path().join("nope"));
        assert_eq!(code, "invalid_root");
        assert!(
            message.starts_with("There is no folder") && message.contains("nope"),
            "{message}"
        );

        let file = temp.path().join("a.txt");
        std::fs::write(&file, "").unwrap();
        let (code, message) = refusal(&file);
        assert_eq!(code, "invalid_root");
        assert!(message.contains("is a file, not a folder"), "{message}");

        let (_, message) = refusal(Path::new(""));
        assert!(message.contains("path is empty"), "{message}");
    }

    // Two open folders, one inside the other, would count every inner file twice.
    #[test]
    fn tells_nested_roots() {
        let temp = tempfile::tempdir().unwrap();
        for folder in ["a/b", "ab"] {
            std::fs::create_dir_all(temp.path().join(folder)).unwrap();
        }
        let open = |name: &str| Root::open(temp.path().join(name)).unwrap();
        assert_eq!(open("a").nesting(&open("a/b")), Nesting::Contains);
        assert_eq!(open("a/b").nesting(&open("a")), Nesting::Inside);
        assert_eq!(open("a").nesting(&open("ab")), Nesting::Apart);
        assert_eq!(open("a").nesting(&open("a/b/..")), Nesting::Same);
    }

    // A boundary is what keeps a served workspace from reading its neighbours.
    #[test]
    fn a_root_outside_its_boundary_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        for folder in ["in/root", "out"] {
            std::fs::create_dir_all(temp.path().join(folder)).unwrap();
        }
        let boundary = temp.path().join("in");
        assert!(Root::open_within(boundary.join("root"), &boundary).is_ok());
        let refusal = Root::open_within(boundary.join("../out"), &boundary).unwrap_err();
        assert_eq!(refusal.code, "root_outside_boundary");
    }

    // An editor that opened the project through a link must get its own spelling back.
    #[cfg(unix)]
    #[test]
    fn keeps_the_spelling_it_was_opened_with() {
        let temp = tempfile::tempdir().unwrap();
        let real = temp.path().canonicalize().unwrap().join("real");
        std::fs::create_dir_all(real.join("src")).unwrap();
        let link = temp.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let root = Root::open(&link).unwrap();
        let path = RelPath::new("src/new.rs").unwrap();
        assert_eq!(root.absolute(&path), link.join("src/new.rs"));
        assert_eq!(root.relative(&link.join("src/new.rs")), Ok(path.clone()));
        assert_eq!(root.relative(&real.join("src/new.rs")), Ok(path.clone()));
        let third = temp.path().join("third");
        std::os::unix::fs::symlink(&link, &third).unwrap();
        assert_eq!(root.relative(&third.join("src/new.rs")), Ok(path));
        assert_eq!(
            root.relative(&temp.path().join("other.rs")),
            Err(BadPath::Climbs)
        );
    }

    // `git worktree` and re-clones replace folders under a running server.
    #[cfg(unix)]
    #[test]
    fn notices_that_the_folder_was_replaced() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("root");
        std::fs::create_dir(&folder).unwrap();
        let root = Root::open(&folder).unwrap();
        assert!(root.is_current());
        std::fs::rename(&folder, temp.path().join("old")).unwrap();
        assert!(!root.is_current());
        std::fs::create_dir(&folder).unwrap();
        assert!(!root.is_current());
    }
}
