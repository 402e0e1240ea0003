//! Where the tree begins that a question is about: the workspace around a folder, when nobody named one.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use super::failure::Failure;

/// Larger manifests are none that a person wrote; their first part names the workspace, or nothing does.
const MAX_MANIFEST_BYTES: u64 = 4 << 20;

/// What makes a folder the beginning of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Cargo,
    Npm,
    Pnpm,
    Uv,
    Git,
    /// A manifest without a workspace, and no workspace or repository around it.
    Package,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Cargo => "Cargo workspace",
            Kind::Npm => "npm workspace",
            Kind::Pnpm => "pnpm workspace",
            Kind::Uv => "uv workspace",
            Kind::Git => "git repository",
            Kind::Package => "package",
        })
    }
}

/// A folder that holds a whole tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    pub folder: PathBuf,
    pub kind: Kind,
}

/// The nearest workspace or repository that holds `folder` (or is it); else the nearest package.
///
/// Never the home folder, the root of the disk or what lies above a folder that no analysis enters:
/// a repository of dotfiles is not what a question in a project below it is about.
pub fn around(folder: &Path) -> Option<Around> {
    let home = home();
    let mut package = None;
    for at in folder.ancestors() {
        if at.parent().is_none() || home.as_deref() == Some(at) {
            break;
        }
        let found = |kind| {
            let folder = at.to_path_buf();
            Some(Around { folder, kind })
        };
        match kind(at) {
            Some(Kind::Package) => package = package.or(found(Kind::Package)),
            Some(kind) => return found(kind),
            None => {}
        }
        let name = at.file_name().unwrap_or_default().as_encoded_bytes();
        if name == b"node_modules" || name.starts_with(b".") {
            break;
        }
    }
    package
}

/// The workspace or repository that `folder` is only a part of.
pub fn beyond(folder: &Path) -> Option<Around> {
    let found = around(folder).filter(|a| a.kind != Kind::Package)?;
    (found.folder != folder).then_some(found)
}

/// The current folder, with every link resolved.
pub fn here() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    here.map_err(|e| {
        Failure::new(
            "invalid_root",
            format!("The current folder cannot be opened: {e}."),
        )
    })
}

/// The folder of a file that may not be there, with every link resolved.
pub fn folder_of(file: &Path) -> Option<PathBuf> {
    let parent = file.parent()?;
    let parent = if parent.as_os_str().is_empty() {
        Path::new(".")
    } else {
        parent
    };
    std::fs::canonicalize(parent).ok()
}

/// A path without `.` and `..`, made absolute, whether or not something stands there.
pub fn tidied(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let mut out = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    Some(out)
}

fn kind(folder: &Path) -> Option<Kind> {
    let text = |name: &str| manifest(&folder.join(name));
    let cargo = text("Cargo.toml");
    if cargo.as_deref().is_some_and(|t| has_table(t, "workspace")) {
        return Some(Kind::Cargo);
    }
    let npm = text("package.json");
    if npm.as_deref().is_some_and(lists_workspaces) {
        return Some(Kind::Npm);
    }
    if folder.join("pnpm-workspace.yaml").is_file() {
        return Some(Kind::Pnpm);
    }
    let python = text("pyproject.toml");
    if python
        .as_deref()
        .is_some_and(|t| has_table(t, "tool.uv.workspace"))
    {
        return Some(Kind::Uv);
    }
    // A file in work trees and submodules.
    if folder.join(".git").exists() {
        return Some(Kind::Git);
    }
    let package = cargo.is_some() || npm.is_some() || python.is_some();
    package.then_some(Kind::Package)
}

fn manifest(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_MANIFEST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a TOML text has a table of this name or one below it. Read by line: a manifest that does
/// not parse still stands where the workspace begins.
fn has_table(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let inside = line.trim().strip_prefix('[');
        let rest = inside.and_then(|t| t.trim_start().strip_prefix(name));
        rest.is_some_and(|rest| rest.trim_start().starts_with(['.', ']']))
    })
}

fn lists_workspaces(text: &str) -> bool {
    let parsed: Result<serde_json::Value, _> = serde_json::from_str(text);
    parsed.is_ok_and(|package| package.get("workspaces").is_some())
}

fn home() -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
    std::fs::canonicalize(home).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // A workspace is known by its table, however it is spaced; a mention of the word is none.
    #[test]
    fn a_table_is_told_from_its_name() {
        assert!(has_table(
            "[package]\nname = \"a\"\n [workspace]\n",
            "workspace"
        ));
        assert!(has_table("[workspace.dependencies]\n", "workspace"));
        assert!(!has_table("[lints]\nworkspace = true\n", "workspace"));
        assert!(!has_table("# [workspace]\n[workspaces]\n", "workspace"));
    }

    // A path typed with `..` names the file that it leads to.
    #[test]
    fn a_path_is_tidied() {
        assert_eq!(
            tidied(Path::new("/a/../b/./c.rs")),
            Some(PathBuf::from("/b/c.rs"))
        );
    }
}
