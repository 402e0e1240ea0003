//! What goes into a workspace and what comes out of an update.

use crate::delta::GraphDelta;
use crate::state::Presence;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use surefoot_facts::{Contents, FileFacts, LanguageId, ManifestFacts, Positions};
use surefoot_graph::{FileId, Outcome};

/// One thing that is so now. Of several about one path in one batch, the last holds.
#[derive(Clone, Debug)]
pub enum Change {
    /// A source file, as last read.
    File(FileChange),
    /// No source file stands at the path any more.
    Remove {
        path: Arc<str>,
    },
    /// A source file that stands there and was not read, in words for a person:
    /// whatever it calls is missing, and caller lists say so.
    Unread {
        path: Arc<str>,
        /// `None`: it may be of any, or a folder of any.
        language: Option<LanguageId>,
        reason: Arc<str>,
    },
    Manifest {
        path: Arc<str>,
        facts: Arc<ManifestFacts>,
    },
    RemoveManifest {
        path: Arc<str>,
    },
    /// The answer to a [`Need`] about a path that is no source file.
    Presence {
        path: Arc<str>,
        presence: Presence,
    },
    /// What another resolver placed in a file of exactly this digest.
    Answers(Answers),
}

/// A source file and its facts.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// Relative to the root, with forward slashes.
    pub path: Arc<str>,
    pub language: LanguageId,
    /// Of the bytes on disk or in the editor.
    pub digest: [u8; 32],
    pub bytes: u32,
    pub facts: Arc<FileFacts>,
    pub positions: Arc<Positions>,
    /// Of its declarations, where a report may be asked for.
    pub contents: Option<Arc<Contents>>,
}

impl FileChange {
    pub fn new(
        path: impl Into<Arc<str>>,
        digest: [u8; 32],
        bytes: u32,
        extracted: surefoot_facts::Extracted,
    ) -> FileChange {
        FileChange {
            path: path.into(),
            language: extracted.facts.language,
            digest,
            bytes,
            facts: Arc::new(extracted.facts),
            positions: Arc::new(extracted.positions),
            contents: None,
        }
    }
}

/// Sites of one file that someone else placed. They hold while the file keeps
/// its digest, and speak only where this engine has no answer of its own.
#[derive(Clone, Debug)]
pub struct Answers {
    pub path: Arc<str>,
    pub digest: [u8; 32],
    /// Site index and what became of it; the evidence names the resolver.
    pub placed: Vec<(u32, Outcome)>,
}

/// A path outside the walk that resolution asked for; answer with a [`Change`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Need {
    /// The content of a manifest: answer `Manifest`, or `Presence` absent.
    Manifest(Arc<str>),
    /// Whether anything stands there: answer `Presence`.
    Path(Arc<str>),
}

impl Need {
    pub fn path(&self) -> &Arc<str> {
        match self {
            Need::Manifest(path) | Need::Path(path) => path,
        }
    }
}

/// What an update cost, in things counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Files whose facts were handed in.
    pub facts: usize,
    /// Of these, files whose facts differ from what was known.
    pub changed: usize,
    /// Files whose sites were resolved.
    pub resolved: usize,
    /// Items of these: all, but where a file is being edited.
    pub items: usize,
}

/// What an update did.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// The difference between the snapshot before and the one after.
    pub delta: Arc<GraphDelta>,
    /// Files that came, went, changed in any way or were resolved again: whose
    /// findings and positions may differ. Sorted by id.
    pub files: Vec<FileId>,
    pub work: Work,
    /// Files whose resolution panicked: their calls are undetermined (`budget`),
    /// and they are tried again with every update.
    pub poisoned: Vec<(FileId, Arc<str>)>,
    /// True when the update was cancelled before it was done. The snapshot is
    /// still the one before; the next update goes on where this one stopped.
    pub interrupted: bool,
}

/// A flag that asks work to stop.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn new() -> Cancel {
        Cancel::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The threads that work is spread over. Results do not depend on how many.
#[derive(Clone)]
pub struct Pool(Option<Arc<rayon::ThreadPool>>);

/// No machine has use for more; each costs a stack.
const MAX_THREADS: usize = 256;
/// Deep expression trees are walked on stacks of this size.
pub const STACK: usize = 64 << 20;

impl Pool {
    /// No threads of its own: everything on the caller's.
    pub fn inline() -> Pool {
        Pool(None)
    }

    /// `threads` workers; 0: one per processor. Falls back to the caller's
    /// thread when the system gives none.
    pub fn new(threads: usize) -> Pool {
        Pool(
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.min(MAX_THREADS))
                .stack_size(STACK)
                .thread_name(|n| format!("surefoot-{n}"))
                .build()
                .ok()
                .map(Arc::new),
        )
    }

    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, |p| p.current_num_threads())
    }

    /// Runs `work` once on each of the threads.
    pub fn on_each_thread(&self, work: &(dyn Fn() + Sync)) {
        if let Some(pool) = &self.0 {
            pool.broadcast(|_| work());
        }
    }

    /// `work` of every element, in the order of the elements; they are started
    /// one by one from the front, so hand in the largest first.
    pub fn each<T: Sync, R: Send>(&self, list: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        use rayon::prelude::*;
        // One piece of work is done here where it fits: waking a thread for it
        // costs more than most edits do.
        let here = || stacker::remaining_stack().is_some_and(|left| left >= STACK / 2);
        match &self.0 {
            Some(pool) if list.len() > 1 || !here() => pool.install(|| {
                let mut out: Vec<(usize, R)> = list
                    .iter()
                    .enumerate()
                    .par_bridge()
                    .map(|(i, item)| (i, work(item)))
                    .collect();
                out.sort_unstable_by_key(|(i, _)| *i);
                out.into_iter().map(|(_, r)| r).collect()
            }),
            _ => list.iter().map(work).collect(),
        }
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({})", self.threads())
    }
}
