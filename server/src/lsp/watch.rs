//! Watches the folders of indexed files where the client cannot, and tells the loop what changed, in batches.
//!
//! Folders rather than files: one watch sees files come and go, and a tree has far fewer folders. Folders
//! without indexed files are not watched, which keeps `node_modules` and build output out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxHashSet;

use super::main_loop::Event;

/// A batch leaves when nothing happened for this long...
const QUIET: Duration = Duration::from_millis(80);
/// ...or when its first change is this old: a build that writes for minutes must not hide an edit.
const LONGEST: Duration = Duration::from_millis(500);
/// Changed paths kept apart. Beyond it the batch says "look everywhere", which is cheaper.
const BATCH: usize = 10_000;
/// Folders watched. Linux allows 8,192 and more by default for all programs of a user together.
pub const FOLDERS_BOUND: usize = 30_000;
/// New folders watched although no file of the graph is in them yet.
const FRESH_BOUND: usize = 1_000;

/// What happened on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskChange {
    /// At these paths: created, written, moved or deleted.
    Paths(Vec<PathBuf>),
    /// Too much, or the system lost count: everything has to be compared again.
    Anywhere,
}

/// How well changes are seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    Watching {
        folders: usize,
    },
    /// Some folders are not watched, in words that say what to do.
    Degraded {
        folders: usize,
        why: String,
    },
}

/// The loop's end of the watcher's thread. Dropping it ends the thread.
pub struct Watch(Sender<Vec<PathBuf>>);

impl Watch {
    pub fn start(events: Sender<Event>) -> Result<Self, String> {
        let (raw, changes) = crossbeam_channel::bounded(BATCH);
        let watcher = notify::recommended_watcher(move |event| {
            // A full channel means a storm: the thread is told to look everywhere by the next that fits.
            let _ = raw.try_send(event);
        })
        .map_err(|e| e.to_string())?;
        let (sender, folders) = crossbeam_channel::unbounded();
        std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || {
                Watching {
                    watcher,
                    watched: FxHashSet::default(),
                    fresh: FxHashSet::default(),
                }
                .run(&changes, &folders, &events)
            })
            .map_err(|e| e.to_string())?;
        Ok(Self(sender))
    }

    /// Watches these folders and no others from now on.
    pub fn folders(&self, folders: Vec<PathBuf>) {
        let _ = self.0.send(folders);
    }
}

struct Watching {
    watcher: RecommendedWatcher,
    watched: FxHashSet<PathBuf>,
    /// Of these, folders that came while we watched: a file may come to them any moment.
    fresh: FxHashSet<PathBuf>,
}

impl Watching {
    fn run(
        mut self,
        changes: &Receiver<notify::Result<notify::Event>>,
        folders: &Receiver<Vec<PathBuf>>,
        events: &Sender<Event>,
    ) {
        let mut batch = Batch::default();
        loop {
            let due = batch
                .due()
                .map_or_else(crossbeam_channel::never, crossbeam_channel::at);
            select! {
                recv(changes) -> change => match change {
                    Ok(change) => {
                        if let Ok(event) = &change {
                            self.greet(event);
                        }
                        batch.add(change, changes.is_full());
                    }
                    Err(_) => return,
                },
                recv(folders) -> wanted => match wanted {
                    Ok(wanted) => {
                        let health = self.watch_only(wanted);
                        if events.send(Event::Watch(health)).is_err() {
                            return;
                        }
                    }
                    Err(_) => return,
                },
                recv(due) -> _ => {
                    if events.send(Event::Disk(std::mem::take(&mut batch).into_change())).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Watches folders that have just come, and what is in them already. Hidden ones and installed packages
    /// are nobody's sources.
    fn greet(&mut self, event: &notify::Event) {
        if !matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Modify(notify::event::ModifyKind::Name(_))
        ) {
            return;
        }
        let mut new: Vec<PathBuf> = event.paths.clone();
        while let Some(folder) = new.pop() {
            let name = folder
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or(".");
            let skipped = name.starts_with('.') || name == "node_modules";
            if skipped
                || self.fresh.len() >= FRESH_BOUND
                || self.watched.contains(&folder)
                || !folder.is_dir()
            {
                continue;
            }
            if self
                .watcher
                .watch(&folder, RecursiveMode::NonRecursive)
                .is_ok()
            {
                self.watched.insert(folder.clone());
                self.fresh.insert(folder.clone());
                let inside = std::fs::read_dir(&folder)
                    .into_iter()
                    .flatten()
                    .filter_map(Result::ok);
                new.extend(inside.map(|entry| entry.path()));
            }
        }
    }

    fn watch_only(&mut self, wanted: Vec<PathBuf>) -> Health {
        let wanted: FxHashSet<PathBuf> = wanted.into_iter().collect();
        self.fresh
            .retain(|folder| !wanted.contains(folder) && folder.is_dir());
        let unwanted = self.watched.difference(&wanted);
        let gone: Vec<PathBuf> = unwanted
            .filter(|folder| !self.fresh.contains(*folder))
            .cloned()
            .collect();
        for folder in gone {
            // Fails when the folder itself is gone, and then there is nothing to stop watching.
            let _ = self.watcher.unwatch(&folder);
            self.watched.remove(&folder);
        }
        let mut new: Vec<&PathBuf> = wanted.difference(&self.watched).collect();
        // From the root downwards, so that a bound costs the deepest folders.
        new.sort_by_key(|folder| (folder.components().count(), (*folder).clone()));
        let mut trouble = None;
        let mut added = Vec::new();
        for folder in new {
            if self.watched.len() + added.len() >= FOLDERS_BOUND {
                trouble = Some(format!("more than {FOLDERS_BOUND} folders"));
                break;
            }
            match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => added.push(folder.clone()),
                Err(e) => {
                    // A folder that has gone meanwhile is no trouble; the batch about its end is on its way.
                    if folder.exists() {
                        trouble = Some(explain(&e, folder));
                        if matches!(e.kind, notify::ErrorKind::MaxFilesWatch) {
                            break;
                        }
                    }
                }
            }
        }
        self.watched.extend(added);
        let folders = self.watched.len();
        match trouble {
            None => Health::Watching { folders },
            Some(why) => Health::Degraded { folders, why },
        }
    }
}

fn explain(error: &notify::Error, folder: &Path) -> String {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached; raise it with `sysctl fs.inotify.max_user_watches=524288`"
                .to_owned()
        }
        _ => format!("{} cannot be watched: {error}", folder.display()),
    }
}

#[derive(Default)]
struct Batch {
    paths: FxHashSet<PathBuf>,
    anywhere: bool,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Batch {
    fn add(&mut self, change: notify::Result<notify::Event>, overflowing: bool) {
        match change {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) && !event.need_rescan() => {
                return;
            }
            Ok(event) => {
                self.anywhere |= event.need_rescan();
                self.paths.extend(event.paths);
            }
            Err(e) => {
                tracing::warn!("the watcher lost something: {e}");
                self.anywhere = true;
            }
        }
        self.anywhere |= overflowing || self.paths.len() > BATCH;
        if self.anywhere {
            self.paths.clear();
        }
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
    }

    fn due(&self) -> Option<Instant> {
        Some((self.last? + QUIET).min(self.first? + LONGEST))
    }

    fn into_change(self) -> DiskChange {
        if self.anywhere {
            return DiskChange::Anywhere;
        }
        let mut paths: Vec<PathBuf> = self.paths.into_iter().collect();
        paths.sort();
        DiskChange::Paths(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loop's events until one satisfies `wanted`.
    fn until(inbox: &Receiver<Event>, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut seen = Vec::new();
        loop {
            let event = inbox
                .recv_timeout(Duration::from_secs(60))
                .expect("an event");
            let last = wanted(&event);
            seen.push(event);
            if last {
                return seen;
            }
        }
    }

    fn tells_of(event: &Event, path: &Path) -> bool {
        matches!(event, Event::Disk(DiskChange::Paths(paths)) if paths.iter().any(|p| p == path))
    }

    /// Neovim on Linux watches nothing: a file written, made or deleted by another program must be seen.
    #[test]
    fn changes_in_watched_folders_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (events, inbox) = crossbeam_channel::unbounded();
        let watch = Watch::start(events).unwrap();
        watch.folders(vec![root.clone()]);
        let seen = until(&inbox, |event| matches!(event, Event::Watch(_)));
        assert!(matches!(
            seen.last(),
            Some(Event::Watch(Health::Watching { folders: 1 }))
        ));

        let file = root.join("a.rs");
        std::fs::write(&file, "a").unwrap();
        until(&inbox, |event| tells_of(event, &file));
        std::fs::remove_file(&file).unwrap();
        until(&inbox, |event| tells_of(event, &file));
        std::fs::create_dir_all(root.join("sub/deep")).unwrap();
        until(&inbox, |event| tells_of(event, &root.join("sub")));
        // A folder that came empty gets its file later.
        std::fs::write(root.join("sub/deep/b.rs"), "b").unwrap();
        until(&inbox, |event| tells_of(event, &root.join("sub/deep/b.rs")));
    }

    /// A folder that is not wanted any more costs no watch.
    #[test]
    fn only_wanted_folders_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::create_dir(&a).unwrap();
        std::fs::create_dir(&b).unwrap();
        let mut watching = Watching {
            watcher: notify::recommended_watcher(|_| ()).unwrap(),
            watched: FxHashSet::default(),
            fresh: FxHashSet::default(),
        };
        assert_eq!(
            watching.watch_only(vec![a.clone(), b.clone()]),
            Health::Watching { folders: 2 }
        );
        std::fs::remove_dir(&a).unwrap();
        assert_eq!(
            watching.watch_only(vec![b.clone(), folder.path().join("gone")]),
            Health::Watching { folders: 1 }
        );
        assert_eq!(watching.watched, FxHashSet::from_iter([b]));
    }

    /// More changes than are worth listing become one word.
    #[test]
    fn a_storm_becomes_anywhere() {
        let mut batch = Batch::default();
        for n in 0..=BATCH {
            batch.add(
                Ok(notify::Event::new(EventKind::Any).add_path(format!("/{n}").into())),
                false,
            );
        }
        assert_eq!(batch.into_change(), DiskChange::Anywhere);
        let mut batch = Batch::default();
        batch.add(
            Ok(notify::Event::new(EventKind::Access(
                notify::event::AccessKind::Any,
            ))),
            false,
        );
        assert_eq!(batch.due(), None);
    }
}
