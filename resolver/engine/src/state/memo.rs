//! Derived values, what they read, and who must be asked again.

use super::db::Db;
use super::kept::Kept;
use super::key::{Dep, Tag};
use super::readers::{Reader, Readers};
use super::reads::Reads;
use super::rests::{Part, Rests};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::sync::{Mutex, PoisonError};
use surefoot_graph::{FileId, Rule};

/// A derived value. Each kind knows what its own is; `Cycle` is the value of
/// every member of a cycle.
pub use crate::resolve::Value;

/// What one task read, sorted, each once.
pub type Deps = Box<[Dep]>;

struct Memo {
    value: Value,
    /// How many levels computing it goes down at most, however much of that is
    /// known already: part of the value, so that a bound does not depend on who
    /// asked first.
    levels: u32,
    /// The convention the value rests on.
    convention: Option<Rule>,
    deps: Kept,
}

const SHARDS: usize = 64;

/// A cold run asks in a handful of rounds. Whoever changes more than that stays,
/// and is better served by the index.
const MAX_SCANS: u32 = 12;

/// All derived values, and the index from what was read to who read it.
pub struct Memos {
    shards: Vec<Mutex<FxHashMap<Dep, Box<Memo>>>>,
    files: FxHashMap<FileId, Rests>,
    /// Built for a workspace that stays; a cold run does without: what answers
    /// to its questions change is found by looking through all that was read.
    readers: Option<Readers>,
    /// How often that was done.
    scans: u32,
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
            scans: 0,
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
    fn shard(&self, dep: Dep) -> &Mutex<FxHashMap<Dep, Box<Memo>>> {
        &self.shards[shard_of(dep)]
    }

    /// What a derived value is, if it is known, with its levels and the convention it rests on.
    fn known(&self, dep: Dep) -> Option<(Value, u32, Option<Rule>)> {
        let shard = lock(self.shard(dep));
        let memo = shard.get(&dep)?;
        Some((memo.value.clone(), memo.levels, memo.convention))
    }

    fn put(&self, dep: Dep, memo: Memo) -> Value {
        let mut shard = lock(self.shard(dep));
        let mut new = false;
        let memo = shard.entry(dep).or_insert_with(|| {
            new = true;
            Box::new(memo)
        });
        let value = memo.value.clone();
        drop(shard);
        if new && self.readers.is_some() {
            lock(&self.fresh).push(dep);
        }
        value
    }

    /// What is held, by owner.
    pub(crate) fn size(&self) -> MemoSize {
        let mut size = MemoSize::default();
        for shard in &self.shards {
            let shard = lock(shard);
            size.count += shard.len();
            size.values += shard.capacity() * (size_of::<(Dep, Box<Memo>)>() + 1);
            size.values += shard.len() * size_of::<Memo>();
            size.reads += shard.values().map(|m| m.deps.bytes()).sum::<usize>();
        }
        let files = self
            .files
            .values()
            .map(|d| d.bytes() + size_of::<(FileId, Rests)>());
        size.reads += files.sum::<usize>();
        let readers = self.readers.as_ref().map(Readers::size);
        (size.keys, size.readers) = readers.unwrap_or_default();
        size
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
        let about = |d: &Dep| matches!(d.tag, Tag::Path | Tag::Manifest);
        let mut out: FxHashSet<Dep> = FxHashSet::default();
        for rests in self.files.values() {
            out.extend(rests.keys().iter().filter(about));
        }
        for shard in &self.shards {
            for memo in lock(shard).values() {
                out.extend(memo.deps.iter().filter(about));
            }
        }
        out
    }

    /// Remembers what the resolution of a file read.
    pub fn set_file(&mut self, file: FileId, rests: Rests) {
        if let Some(readers) = &mut self.readers {
            let old = self.files.get(&file).map(|r| r.keys().list());
            let old = old.unwrap_or_default();
            readers.replace(Reader::File(file), &old, &rests.keys().list());
        }
        self.files.insert(file, rests);
    }

    /// What a file rests on.
    pub(crate) fn of_file(&self, file: FileId) -> Option<&Rests> {
        self.files.get(&file)
    }

    pub fn forget_file(&mut self, file: FileId) {
        if let Some(old) = self.files.remove(&file)
            && let Some(readers) = &mut self.readers
        {
            readers.replace(Reader::File(file), &old.keys().list(), &[]);
        }
    }

    /// Drops every derived value that rests on a changed key. Returns the files
    /// whose resolution does, with the parts that do.
    pub(crate) fn invalidate(&mut self, changed: &[Dep]) -> Vec<(FileId, FxHashSet<Part>)> {
        if changed.is_empty() {
            return Vec::new();
        }
        let (seen, mut files) = match self.scan(changed) {
            Some(found) => found,
            None => self.closure(changed),
        };
        for &dep in seen.iter().filter(|d| !d.is_base()) {
            let old = lock(&self.shards[shard_of(dep)]).remove(&dep);
            if let (Some(old), Some(readers)) = (old, &mut self.readers) {
                readers.replace(Reader::Memo(dep), &old.deps.list(), &[]);
            }
        }
        files.sort_unstable();
        let all = files.into_iter();
        all.filter_map(|file| Some((file, self.files.get(&file)?.of(&seen))))
            .collect()
    }

    /// Everything that rests on `changed`, by the index of readers: the changed
    /// keys with the derived values, and the files.
    fn closure(&mut self, changed: &[Dep]) -> (FxHashSet<Dep>, Vec<FileId>) {
        self.catch_up();
        let Some(mut readers) = self.readers.take() else {
            return Default::default();
        };
        let reads = |who: Reader, dep: Dep| match who {
            Reader::File(f) => self.files.get(&f).is_some_and(|r| r.keys().contains(dep)),
            Reader::Memo(m) => {
                let shard = lock(self.shard(m));
                shard.get(&m).is_some_and(|m| m.deps.contains(dep))
            }
        };
        let mut files = FxHashSet::default();
        let mut queue: Vec<Dep> = changed.to_vec();
        let mut seen: FxHashSet<Dep> = queue.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(dep) = queue.pop() {
            readers.of(dep, &reads, &mut found);
            for reader in found.drain(..) {
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
        self.readers = Some(readers);
        (seen, files.into_iter().collect())
    }

    /// The same without the index, where there is none: passes over all that
    /// was read, until one finds nothing new. `None`: better build it.
    fn scan(&mut self, changed: &[Dep]) -> Option<(FxHashSet<Dep>, Vec<FileId>)> {
        let mut seen: FxHashSet<Dep> = changed.iter().copied().collect();
        // Most lists hold no key of a kind that is seen.
        let mut tags = changed.iter().fold(0, |tags, dep| tags | dep.tag_bit());
        loop {
            if self.readers.is_some() || self.scans >= MAX_SCANS {
                return None;
            }
            self.scans += 1;
            let before = seen.len();
            for shard in &self.shards {
                for (dep, memo) in lock(shard).iter() {
                    if memo.deps.may_hold(tags)
                        && memo.deps.iter().any(|d| seen.contains(&d))
                        && seen.insert(*dep)
                    {
                        tags |= dep.tag_bit();
                    }
                }
            }
            if seen.len() == before {
                break;
            }
        }
        let all = self.files.iter();
        let concerned = all
            .filter(|(_, r)| r.keys().may_hold(tags) && r.keys().iter().any(|d| seen.contains(&d)));
        let files = concerned.map(|(f, _)| *f).collect();
        Some((seen, files))
    }

    /// Drops the index of readers; false when there is none.
    pub(crate) fn forget_readers(&mut self) -> bool {
        lock(&self.fresh).clear();
        self.scans = 0;
        self.readers.take().is_some()
    }

    /// Brings the index of readers up to date with what was made since.
    pub(crate) fn catch_up(&mut self) {
        let fresh = std::mem::take(&mut *lock(&self.fresh));
        if let Some(readers) = &mut self.readers {
            for dep in fresh {
                if let Some(memo) = lock(&self.shards[shard_of(dep)]).get(&dep) {
                    readers.replace(Reader::Memo(dep), &[], &memo.deps.list());
                }
            }
            return;
        }
        let mut readers = Readers::default();
        for (&file, rests) in &self.files {
            readers.replace(Reader::File(file), &[], &rests.keys().list());
        }
        for shard in &self.shards {
            for (&dep, memo) in lock(shard).iter() {
                readers.replace(Reader::Memo(dep), &[], &memo.deps.list());
            }
        }
        readers.freeze();
        self.readers = Some(readers);
    }
}

/// The convention that stands for two: an order of its own, so that it does not
/// matter which was met first.
pub(crate) fn both(a: Option<Rule>, b: Option<Rule>) -> Option<Rule> {
    a.into_iter().chain(b).min()
}

/// Derived values and what they rest on: how many, and roughly how many bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct MemoSize {
    pub count: usize,
    pub values: usize,
    /// What values and files read.
    pub reads: usize,
    pub keys: usize,
    pub readers: usize,
}

struct Frame {
    query: Option<Dep>,
    deps: Reads,
    /// The level it began at, and how many more it went down.
    base: u32,
    levels: u32,
}

/// A member of a cycle whose first member is still being computed.
struct Open {
    query: Dep,
    deps: Deps,
    /// The lowest frame that the cycle reaches.
    low: usize,
}

/// One task's view of the workspace: every read is written down for whoever is
/// being computed, misses included.
pub struct Ctx<'a> {
    pub(crate) db: &'a Db,
    memos: &'a Memos,
    stack: RefCell<Vec<Frame>>,
    /// The lowest frame that a cycle seen since reaches.
    cycle_to: Cell<usize>,
    /// Members of cycles that are not closed: nobody else may see them before
    /// every member is known.
    open: RefCell<Vec<Open>>,
    /// The bound on levels was hit below: until the outermost derived value is
    /// left, nothing that is computed holds.
    over: Cell<bool>,
    /// The convention that steps taken since whoever computes now began rest on.
    convention: Cell<Option<Rule>>,
    /// The item that asks for members: what traits it has in scope decides.
    asking: Cell<Option<(FileId, u32)>>,
    /// How deep the computation is nested now.
    levels: Cell<u32>,
    /// Counted work: one step per derived value and per expression.
    pub(crate) steps: Cell<u64>,
}

/// How many levels one computation goes down at most, over all derived values
/// it asks for, whether they are known already or not: the definition of a
/// value, not a property of who asked first (real code stays below 60).
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
                deps: Reads::default(),
                base: 0,
                levels: 0,
            }]),
            cycle_to: Cell::new(usize::MAX),
            open: RefCell::new(Vec::new()),
            over: Cell::new(false),
            convention: Cell::new(None),
            levels: Cell::new(0),
            asking: Cell::new(None),
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
        self.down(1).then(|| {
            self.levels.set(self.levels.get() + 1);
            Level(&self.levels)
        })
    }

    /// Whether there is room for so many levels below the current one; counted
    /// towards whoever computes now.
    fn down(&self, more: u32) -> bool {
        let now = self.levels.get();
        let mut stack = self.stack.borrow_mut();
        if self.over.get() || now + more > MAX_LEVELS {
            // Whoever computes would have got another answer from higher up.
            self.over.set(stack.len() > 1);
            return false;
        }
        if let Some(frame) = stack.last_mut() {
            frame.levels = frame.levels.max(now + more - frame.base);
        }
        true
    }

    /// Runs `f` as asked from an item.
    pub(crate) fn asked_from<R>(&self, item: Option<(FileId, u32)>, f: impl FnOnce() -> R) -> R {
        let around = self.asking.replace(item);
        let out = f();
        self.asking.set(around);
        out
    }

    /// The item that asks, when one does.
    pub(crate) fn asking(&self) -> Option<(FileId, u32)> {
        self.asking.get()
    }

    /// What is computed now rests on a convention, when there is one.
    pub(crate) fn rest_on(&self, convention: Option<Rule>) {
        self.convention.set(both(self.convention.get(), convention));
    }

    /// Runs `f` and says the convention it rests on; what is computed around it
    /// does not rest on that unless it says so.
    pub(crate) fn apart<R>(&self, f: impl FnOnce() -> R) -> (R, Option<Rule>) {
        let around = self.convention.replace(None);
        let out = f();
        (out, self.convention.replace(around))
    }

    /// Writes down that someone must look at a path before `dep` is known.
    pub(crate) fn need(&self, dep: Dep) {
        lock(&self.memos.needs).insert(dep);
    }

    /// The derived value `query`, computed at most once and remembered with
    /// what it read. All members of a cycle get [`Value::cycle`], and so does
    /// what goes down too many levels; neither depends on who asked first.
    pub(crate) fn memo(&self, query: Dep, compute: impl FnOnce() -> Value) -> Value {
        self.read(query);
        if let Some((value, levels, convention)) = self.memos.known(query) {
            if !self.down(levels + 1) {
                return Value::cycle();
            }
            self.rest_on(convention);
            return value;
        }
        let depth = {
            let stack = self.stack.borrow();
            let on_stack = stack.iter().position(|f| f.query == Some(query));
            let open = self.open.borrow();
            let open = open.iter().find(|o| o.query == query).map(|o| o.low);
            if let Some(low) = on_stack.or(open) {
                self.cycle_to.set(self.cycle_to.get().min(low));
                return Value::cycle();
            }
            stack.len()
        };
        let Some(level) = self.level() else {
            return Value::cycle();
        };
        self.steps.set(self.steps.get() + 1);
        self.stack.borrow_mut().push(Frame {
            query: Some(query),
            deps: Reads::default(),
            base: self.levels.get(),
            levels: 0,
        });
        let around = self.cycle_to.replace(usize::MAX);
        let opened = self.open.borrow().len();
        // A derived value does not depend on who asked.
        let (value, convention) = self.asked_from(None, || self.apart(compute));
        drop(level);
        let (deps, levels) = match self.stack.borrow_mut().pop() {
            Some(frame) => (frame.deps.into_deps(), frame.levels),
            None => (Deps::default(), 0),
        };
        let low = self.cycle_to.replace(around);
        if self.over.get() {
            // Nothing is kept, so that whoever asked rests on all that was read.
            self.pass_on(&deps, opened);
            self.over.set(self.stack.borrow().len() > 1);
            return Value::cycle();
        }
        if low > depth {
            self.down(levels + 1);
            self.rest_on(convention);
            let memo = Memo {
                value,
                levels,
                convention,
                deps: Kept::of(&deps),
            };
            return self.memos.put(query, memo);
        }
        let member = Open { query, deps, low };
        self.open.borrow_mut().push(member);
        if low < depth {
            self.cycle_to.set(around.min(low));
        } else {
            for member in self.open.borrow_mut().split_off(opened) {
                let memo = Memo {
                    value: Value::cycle(),
                    levels: 0,
                    convention: None,
                    deps: Kept::of(&member.deps),
                };
                self.memos.put(member.query, memo);
            }
        }
        Value::cycle()
    }

    /// Hands what was read for values that are not kept to whoever asked.
    fn pass_on(&self, deps: &[Dep], opened: usize) {
        let dropped = self.open.borrow_mut().split_off(opened);
        if let Some(frame) = self.stack.borrow_mut().last_mut() {
            let all = deps
                .iter()
                .chain(dropped.iter().flat_map(|o| o.deps.iter()));
            all.for_each(|d| frame.deps.insert(*d));
        }
    }

    /// What was read for no derived value since this was last asked; in no order.
    pub(crate) fn take_reads(&self) -> Vec<Dep> {
        let mut stack = self.stack.borrow_mut();
        let first = stack.first_mut().map(|f| std::mem::take(&mut f.deps));
        first.map_or_else(Vec::new, Reads::into_list)
    }
}
