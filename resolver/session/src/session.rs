//! Several roots, each with its own graph, on shared threads.

use crate::kept::Keep;
use crate::progress::Watch;
use crate::root::{Analyzed, RootSession};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_engine::{Applied, Pool};
use surefoot_facts::LanguageId;
use surefoot_files::{Nesting, Refusal, RelPath, Root, WalkOptions};

/// What a session reads and with how many threads.
#[derive(Clone, Default)]
pub struct Options {
    pub walk: WalkOptions,
    /// 0: one per processor.
    pub threads: usize,
    /// Only files of these; empty: all.
    pub languages: Vec<LanguageId>,
    /// Bind a call that nothing else places to the only declaration of its name.
    pub bind_unique_names: bool,
    /// Facts are kept from one run to the next, for answers; without it every
    /// file is read anew and its declarations are hashed, as for a report.
    pub keep: Option<Keep>,
}

/// The open roots.
pub struct Session {
    roots: Vec<RootSession>,
    pool: Pool,
    options: Arc<Options>,
}

impl Session {
    /// Opens folders; the same one given twice is opened once. Nothing is read yet.
    pub fn open<P: AsRef<Path>>(roots: &[P], options: Options) -> Result<Session, Refusal> {
        let mut session = Session {
            roots: Vec::new(),
            pool: Pool::new(options.threads),
            options: Arc::new(options),
        };
        for path in roots {
            session.add(path)?;
        }
        Ok(session)
    }

    /// Opens one more folder and gives its number. Roots around it give up the
    /// files inside it when they are analysed next.
    pub fn add(&mut self, path: impl AsRef<Path>) -> Result<usize, Refusal> {
        let root = Root::open(path)?;
        let same = |r: &RootSession| r.root().nesting(&root) == Nesting::Same;
        if let Some(at) = self.roots.iter().position(same) {
            return Ok(at);
        }
        self.roots.push(RootSession::new(
            root,
            self.options.clone(),
            self.pool.clone(),
        ));
        self.settle_nesting();
        Ok(self.roots.len() - 1)
    }

    /// Closes a root. The numbers of those behind it fall by one.
    pub fn remove(&mut self, index: usize) {
        if index < self.roots.len() {
            self.roots.remove(index);
            self.settle_nesting();
        }
    }

    fn settle_nesting(&mut self) {
        let all: Vec<Root> = self.roots.iter().map(|r| r.root().clone()).collect();
        for outer in &mut self.roots {
            let mine = outer.root().clone();
            let inner = all.iter().filter_map(|other| {
                let inside = mine.nesting(other) == Nesting::Contains;
                inside.then(|| mine.relative(other.real()).ok()).flatten()
            });
            outer.set_inner(inner.collect());
        }
    }

    pub fn roots(&self) -> &[RootSession] {
        &self.roots
    }

    pub fn root(&self, index: usize) -> Option<&RootSession> {
        self.roots.get(index)
    }

    pub fn root_mut(&mut self, index: usize) -> Option<&mut RootSession> {
        self.roots.get_mut(index)
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The root that owns a path and the path's name there: the innermost one.
    pub fn locate(&self, path: &Path) -> Option<(usize, RelPath)> {
        let all = self.roots.iter().enumerate();
        all.filter_map(|(i, r)| Some((i, r.root().relative(path).ok()?)))
            .min_by_key(|(_, rel)| rel.as_str().len())
    }

    /// Reads every root as it stands on disk.
    pub fn analyze(&mut self, watch: Watch<'_>) -> Result<Vec<Analyzed>, Refusal> {
        self.roots.iter_mut().map(|r| r.analyze(watch)).collect()
    }

    /// Brings the roots up to date with paths that changed on disk; one batch
    /// per root. Paths outside every root are left alone.
    pub fn update_paths(
        &mut self,
        paths: &[PathBuf],
        watch: Watch<'_>,
    ) -> Result<Vec<(usize, Applied)>, Refusal> {
        let mut by_root: Vec<Vec<RelPath>> = vec![Vec::new(); self.roots.len()];
        for path in paths {
            if let Some((root, rel)) = self.locate(path) {
                by_root[root].push(rel);
            }
        }
        let mut out = Vec::new();
        for (i, rels) in by_root.into_iter().enumerate() {
            if !rels.is_empty() {
                out.push((i, self.roots[i].update(&rels, watch)?));
            }
        }
        Ok(out)
    }
}
