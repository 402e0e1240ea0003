//! Small trees to read.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use surefoot_files::{Refusal, RelPath, Root, Walk, WalkOptions, Wanted, walk};
use tempfile::TempDir;

/// A temporary folder with a root in it and room beside the root.
pub struct Tree {
    temp: TempDir,
}

impl Tree {
    /// A tree of files with their own path as text.
    pub fn new(files: &[&str]) -> Tree {
        let tree = Tree {
            temp: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(tree.root_path()).unwrap();
        for file in files {
            tree.write(file, file);
        }
        tree
    }

    pub fn root_path(&self) -> PathBuf {
        self.temp.path().join("root")
    }

    /// A place beside the root, in the same temporary folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root_path().join(path)
    }

    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[cfg(unix)]
    pub fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub fn root(&self) -> Root {
        Root::open(self.root_path()).unwrap()
    }

    pub fn try_walk(&self, options: &WalkOptions) -> Result<Walk, Refusal> {
        walk(&self.root(), options, &wanted, &mut |_| {
            ControlFlow::Continue(())
        })
    }

    pub fn walk(&self) -> Walk {
        self.try_walk(&WalkOptions::default()).unwrap()
    }
}

/// Rust sources and tsconfig manifests: enough to tell the two kinds apart.
pub fn wanted(path: &str) -> Wanted {
    if path.ends_with(".rs") {
        Wanted::Source
    } else if path.rsplit('/').next() == Some("tsconfig.json") {
        Wanted::Manifest
    } else {
        Wanted::No
    }
}

pub fn rel(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

/// The listed paths, links with the place they lead to.
pub fn listed(walk: &Walk) -> Vec<String> {
    let show = |entry: &surefoot_files::Entry| match &entry.real {
        Some(real) => format!("{} -> {real}", entry.rel),
        None => entry.rel.to_string(),
    };
    walk.files.iter().map(show).collect()
}

/// `path: code` of what was skipped.
pub fn skipped(walk: &Walk) -> Vec<String> {
    walk.skipped
        .iter()
        .map(|skip| format!("{}: {}", skip.path, skip.code))
        .collect()
}
