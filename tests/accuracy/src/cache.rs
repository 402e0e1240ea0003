//! Where fetched projects, truths, reports and peers' answers are kept, outside the tree.

use std::path::{Path, PathBuf};

use crate::projects::Project;
use crate::{Context, Result};

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// `given`, else `$XDG_CACHE_HOME/surefoot-accuracy`, else `~/.cache/surefoot-accuracy`, else under `target`.
    pub fn open(given: Option<PathBuf>) -> Result<Cache> {
        let xdg = || {
            std::env::var_os("XDG_CACHE_HOME")
                .filter(|v| !v.is_empty())
                .map(PathBuf::from)
        };
        let home = || {
            std::env::var_os("HOME")
                .filter(|v| !v.is_empty())
                .map(|h| Path::new(&h).join(".cache"))
        };
        let root = given
            .or_else(|| {
                xdg()
                    .or_else(home)
                    .map(|base| base.join("surefoot-accuracy"))
            })
            .unwrap_or_else(|| workspace_root().join("target/accuracy"));
        std::fs::create_dir_all(&root).context(format_args!("create {}", root.display()))?;
        // Judges run in other folders, so every path handed to them is absolute.
        let root = root.canonicalize().context(root.display())?;
        Ok(Cache { root })
    }

    fn folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.root.join(name);
        std::fs::create_dir_all(&path).context(format_args!("create {}", path.display()))?;
        Ok(path)
    }

    /// The folder of one project; the package itself is in `tree` below it, what npm installs beside that.
    pub fn project(&self, project: &Project) -> Result<PathBuf> {
        Ok(self.folder("projects")?.join(project.slug()))
    }

    pub fn package(&self, project: &Project) -> Result<PathBuf> {
        Ok(self.project(project)?.join("tree"))
    }

    /// What `surefoot analyze` is given, and what every path in truth and report is relative to.
    pub fn analysed(&self, project: &Project) -> Result<PathBuf> {
        let package = self.package(project)?;
        Ok(if project.analysed == "." {
            package
        } else {
            package.join(&project.analysed)
        })
    }

    /// Where a crate is built: a copy whose manifest may be changed.
    pub fn build(&self, project: &Project) -> Result<PathBuf> {
        Ok(self.folder("build")?.join(project.slug()))
    }

    pub fn cargo_target(&self) -> Result<PathBuf> {
        self.folder("cargo-target")
    }

    pub fn tools(&self) -> Result<PathBuf> {
        self.folder("tools")
    }

    pub fn truth(&self, project: &Project) -> Result<PathBuf> {
        Ok(self
            .folder("truth")?
            .join(format!("{}.jsonl", project.slug())))
    }

    pub fn report(&self, project: &Project) -> Result<PathBuf> {
        Ok(self
            .folder("reports")?
            .join(format!("{}.json", project.slug())))
    }

    pub fn outcome(&self, project: &Project) -> Result<PathBuf> {
        Ok(self
            .folder("outcomes")?
            .join(format!("{}.json", project.slug())))
    }

    pub fn peer(&self, peer: &str, project: &Project) -> Result<PathBuf> {
        Ok(self
            .folder(&format!("peers/{peer}"))?
            .join(format!("{}.jsonl", project.slug())))
    }
}

/// The root of the checkout this binary was built from.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// This crate's own folder, where the scripts stand.
pub fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
