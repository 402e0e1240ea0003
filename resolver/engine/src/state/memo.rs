//! Derived values, what they read, and who must be asked again.

use super::db::Db;
use super::key::{Dep, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, PoisonError};
use surefoot_graph::{FileId, Tier};

/// A derived value. Each kind knows what its own is; `Cycle` is the value of
/// every member of a cycle.
pub use crate::resolve::Value;

/// What one task read, in no order, each once.
pub type Deps = Box<[Dep]>;

struct Memo {
    value: Value,
    /// The weakest step the value rests on.
    tier: Tier,
    deps: Deps,
}

/// A file or a derived value that read something.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Reader {
    File(FileId),
    Memo(Dep),
}

const SHARDS: usize = 64;

/// All derived values, and the index from what was read to who read it.
pub struct Memos {
    shards: Vec<Mutex<FxHashMap<Dep, Arc<Memo>>>>,
    files: FxHashMap<FileId, Deps>,
    /// Built when the first change arrives; a cold run never needs it.
    readers: Option<FxHashMap<Dep, FxHashSet<Reader>>>,
    /// Derived values made since `readers` was last brought up to date.
    fresh: Mutex<Vec<Dep>>,
    /// Paths that were asked for and that nobody has looked at.
    needs: Mutex<FxHashSet<Dep>>,
}

impl Default for Memos {
    fn default() -> Memos {
        Memos {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            files: FxHashMap::default(),
            readers: None,
            fresh: Mutex::default(),
            needs: Mutex::default(),
        }
    }
}

fn shard_of(dep: Dep) -> usize {
    let mixed =
        (dep.a ^ dep.b.rotate_left(16) ^ ((dep.tag as u32) << 24)).wrapping_mul(0x9e37_79b1);
    (mixed >> 26) as usize % SHARDS
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memos {
    fn shard(&self, dep: Dep) -> &Mutex<FxHashMap<Dep, Arc<Memo>>> {
        &self.shards[shard_of(dep)]
    }

    fn get(&self, dep: Dep) -> Option<(Value, Tier)> {
        lock(self.shard(dep))
            .get(&dep)
            .map(|m| (m.value.clone(), m.tier))
    }

    fn put(&self, dep: Dep, value: Value, tier: Tier, deps: Deps) -> Value {
        let mut shard = lock(self.shard(dep));
        let mut new = false;
        let memo = shard.entry(dep).or_insert_with(|| {
            new = true;
            Arc::new(Memo { value, tier, deps })
        });
        let value = memo.value.clone();
        drop(shard);
        if new && self.readers.is_some() {
            lock(&self.fresh).push(dep);
        }
        value
    }

    /// How many derived values are held, and roughly how many bytes.
    pub fn size(&self) -> (usize, usize) {
        let mut count = 0;
        let mut bytes = 0;
        for shard in &self.shards {
            let shard = lock(shard);
            count += shard.len();
            bytes += shard.capacity() * 24;
            bytes += shard
                .values()
                .map(|m| 64 + m.deps.len() * 12)
                .sum::<usize>();
        }
        bytes += self.files.values().map(|d| d.len() * 12).sum::<usize>();
        (count, bytes)
    }

    /// Paths and manifests that were asked for and are not known yet.
    pub(crate) fn needs(&self) -> Vec<Dep> {
        lock(&self.needs).iter().copied().collect()
    }

    /// Someone looked: the path is asked for no more.
    pub(crate) fn answered(&self, dep: Dep) {
        lock(&self.needs).remove(&dep);
    }

    /// Every path and manifest that something still held rests on.
    pub(crate) fn paths_read(&self) -> FxHashSet<Dep> {
        let about = |d: &&Dep| matches!(d.tag, Tag::Path | Tag::Manifest);
        let mut out: FxHashSet<Dep> = FxHashSet::default();
        for deps in self.files.values() {
            out.extend(deps.iter().filter(about));
        }
        for shard in &self.shards {
            for memo in lock(shard).values() {
                out.extend(memo.deps.iter().filter(about));
            }
        }
        out
    }

    /// Remembers what the resolution of a file read.
    pub fn set_file(&mut self, file: FileId, deps: Deps) {
        self.forget_file(file);
        if let Some(readers) = &mut self.readers {
            for &dep in &deps {
                readers.entry(dep).or_default().insert(Reader::File(file));
            }
        }
        self.files.insert(file, deps);
    }

    pub fn forget_file(&mut self, file: FileId) {
        if let Some(old) = self.files.remove(&file)
            && let Some(readers) = &mut self.readers
        {
            unread(readers, Reader::File(file), &old);
        }
    }

    /// Drops every derived value that rests on a changed key and returns the
    /// files whose resolution does.
    pub fn invalidate(&mut self, changed: &[Dep]) -> Vec<FileId> {
        if changed.is_empty() {
            return Vec::new();
        }
        self.catch_up();
        let Some(readers) = &mut self.readers else {
            return Vec::new();
        };
        let mut files = FxHashSet::default();
        let mut queue: Vec<Dep> = changed.to_vec();
        let mut seen: FxHashSet<Dep> = queue.iter().copied().collect();
        while let Some(dep) = queue.pop() {
            for &reader in readers.get(&dep).into_iter().flatten() {
                match reader {
                    Reader::File(f) => {
                        files.insert(f);
                    }
                    Reader::Memo(m) => {
                        if seen.insert(m) {
                            queue.push(m);
                        }
                    }
                }
            }
        }
        for dep in seen.into_iter().filter(|d| !d.is_base()) {
            let old = lock(&self.shards[shard_of(dep)]).remove(&dep);
            if let Some(old) = old {
                unread(readers, Reader::Memo(dep), &old.deps);
            }
        }
        let mut files: Vec<FileId> = files.into_iter().collect();
        files.sort_unstable();
        files
    }

    /// Brings the index of readers up to date with what was made since.
    pub(crate) fn catch_up(&mut self) {
        let fresh = std::mem::take(&mut *lock(&self.fresh));
        if let Some(readers) = &mut self.readers {
            for dep in fresh {
                let memo = lock(&self.shards[shard_of(dep)]).get(&dep).cloned();
                for &read in memo.iter().flat_map(|m| m.deps.iter()) {
                    readers.entry(read).or_default().insert(Reader::Memo(dep));
                }
            }
            return;
        }
        let mut readers: FxHashMap<Dep, FxHashSet<Reader>> = FxHashMap::default();
        for (&file, deps) in &self.files {
            for &dep in deps {
                readers.entry(dep).or_default().insert(Reader::File(file));
            }
        }
        for shard in &self.shards {
            for (&dep, memo) in lock(shard).iter() {
                for &read in &memo.deps {
                    readers.entry(read).or_default().insert(Reader::Memo(dep));
                }
            }
        }
        self.readers = Some(readers);
    }
}

fn unread(readers: &mut FxHashMap<Dep, FxHashSet<Reader>>, who: Reader, deps: &[Dep]) {
    for dep in deps {
        if let Some(set) = readers.get_mut(dep) {
            set.remove(&who);
            if set.is_empty() {
                readers.remove(dep);
            }
        }
    }
}

struct Frame {
    query: Option<Dep>,
    deps: FxHashSet<Dep>,
}

/// One task's view of the workspace: every read is written down for whoever is
/// being computed, misses included.
pub struct Ctx<'a> {
    pub(crate) db: &'a Db,
    memos: &'a Memos,
    stack: RefCell<Vec<Frame>>,
    /// The lowest frame that a cycle seen since reaches.
    cycle_to: Cell<usize>,
    /// The weakest step taken since whoever computes now began.
    weakest: Cell<Tier>,
    /// How deep the computation is nested now.
    levels: Cell<u32>,
    /// Counted work: one step per derived value and per expression.
    pub(crate) steps: Cell<u64>,
}

/// Derived values deeper than this are refused: the definition of the value,
/// not a property of who asked (real code stays below 60).
const MAX_DEPTH: usize = 400;

/// How deep one computation nests at most, over all derived values it asks for.
const MAX_LEVELS: u32 = 600;

/// One level of nesting; dropping it goes back up.
pub(crate) struct Level<'c>(&'c Cell<u32>);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl<'a> Ctx<'a> {
    pub fn new(db: &'a Db, memos: &'a Memos) -> Ctx<'a> {
        Ctx {
            db,
            memos,
            stack: RefCell::new(vec![Frame {
                query: None,
                deps: FxHashSet::default(),
            }]),
            cycle_to: Cell::new(usize::MAX),
            weakest: Cell::new(Tier::Certain),
            levels: Cell::new(0),
            steps: Cell::new(0),
        }
    }

    /// Writes down that the current computation read `dep`.
    pub(crate) fn read(&self, dep: Dep) {
        if let Some(frame) = self.stack.borrow_mut().last_mut() {
            frame.deps.insert(dep);
        }
    }

    /// One level deeper, until the answer is dropped; `None` past the bound,
    /// where types that lead to ever larger ones end.
    pub(crate) fn level(&self) -> Option<Level<'_>> {
        let now = self.levels.get();
        if now >= MAX_LEVELS {
            return None;
        }
        self.levels.set(now + 1);
        Some(Level(&self.levels))
    }

    /// What is computed now rests on a step of this tier.
    pub(crate) fn rest_on(&self, tier: Tier) {
        self.weakest.set(self.weakest.get().min(tier));
    }

    /// Runs `f` and says the weakest step it took; what is computed around it
    /// does not rest on that unless it says so.
    pub(crate) fn apart<R>(&self, f: impl FnOnce() -> R) -> (R, Tier) {
        let around = self.weakest.replace(Tier::Certain);
        let out = f();
        (out, self.weakest.replace(around))
    }

    /// Writes down that someone must look at a path before `dep` is known.
    pub(crate) fn need(&self, dep: Dep) {
        lock(&self.memos.needs).insert(dep);
    }

    /// The derived value `query`, computed at most once and remembered with
    /// what it read. All members of a cycle get [`Value::cycle`]; a value that
    /// was provisional is never stored.
    pub(crate) fn memo(&self, query: Dep, compute: impl FnOnce() -> Value) -> Value {
        self.read(query);
        if let Some((value, tier)) = self.memos.get(query) {
            self.rest_on(tier);
            return value;
        }
        let depth = {
            let stack = self.stack.borrow();
            if let Some(at) = stack.iter().position(|f| f.query == Some(query)) {
                self.cycle_to.set(self.cycle_to.get().min(at));
                return Value::cycle();
            }
            stack.len()
        };
        if depth > MAX_DEPTH {
            return Value::cycle();
        }
        self.steps.set(self.steps.get() + 1);
        self.stack.borrow_mut().push(Frame {
            query: Some(query),
            deps: FxHashSet::default(),
        });
        let around = self.cycle_to.replace(usize::MAX);
        let (mut value, tier) = self.apart(compute);
        let frame = self.stack.borrow_mut().pop();
        let deps: Deps = frame
            .map(|f| f.deps.into_iter().collect())
            .unwrap_or_default();
        let reached = self.cycle_to.get();
        if reached <= depth {
            value = Value::cycle();
        }
        self.cycle_to.set(if reached < depth {
            around.min(reached)
        } else {
            around
        });
        self.rest_on(tier);
        self.memos.put(query, value, tier, deps)
    }

    /// What the whole task read.
    pub fn into_deps(self) -> Deps {
        let mut stack = self.stack.into_inner();
        stack
            .pop()
            .map(|f| f.deps.into_iter().collect())
            .unwrap_or_default()
    }
}
