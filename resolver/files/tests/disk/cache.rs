//! Facts kept between runs: there when whole, empty when anything is wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Barrier;
use std::time::{Duration, SystemTime};

use surefoot_files::{Digest, FactsCache, NewFacts, Root, Stamp, StatRow, Written, hash_bytes};

use crate::tree::{Tree, rel};

fn fingerprint() -> Digest {
    hash_bytes(b"extractor 1")
}

fn open(tree: &Tree) -> FactsCache {
    FactsCache::open_in(tree.beside("cache"), &tree.root(), &fingerprint())
}

fn facts(name: &str) -> NewFacts<'_> {
    NewFacts {
        digest: hash_bytes(name.as_bytes()),
        lang: 1,
        bytes: name.as_bytes(),
    }
}

fn get(cache: &FactsCache, name: &str) -> Option<String> {
    let bytes = cache.get(&hash_bytes(name.as_bytes()), 1)?;
    Some(String::from_utf8(bytes.to_vec()).unwrap())
}

fn row(path: &str, mtime_ns: i64) -> StatRow {
    let stamp = Stamp {
        len: 3,
        mtime_ns,
        ctime_ns: 4,
        inode: 5,
    };
    StatRow {
        path: rel(path),
        stamp,
        digest: hash_bytes(path.as_bytes()),
    }
}

fn stored(written: &Written) -> usize {
    match written {
        Written::Stored { entries, .. } => *entries,
        other => panic!("not stored: {other:?}"),
    }
}

fn files_named(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = listing
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

// What one run kept the next one finds, under the same key only.
#[test]
fn keeps_facts_and_stamps() {
    let tree = Tree::new(&[]);
    let cache = open(&tree);
    assert_eq!(get(&cache, "a"), None);
    assert_eq!(
        stored(&cache.write(&[facts("a"), facts("b")], &[row("x.rs", 7)])),
        2
    );

    let cache = open(&tree);
    assert_eq!(get(&cache, "a").as_deref(), Some("a"));
    assert_eq!(get(&cache, "c"), None);
    assert_eq!(cache.get(&hash_bytes(b"a"), 2), None, "another language");
    assert_eq!(
        cache.digest_of(&rel("x.rs"), &row("x.rs", 7).stamp),
        Some(hash_bytes(b"x.rs"))
    );
    assert_eq!(
        cache.digest_of(&rel("x.rs"), &row("x.rs", 8).stamp),
        None,
        "another time"
    );
    assert_eq!(cache.digest_of(&rel("y.rs"), &row("x.rs", 7).stamp), None);
    assert_eq!(cache.size().entries, 2);
}

// A new version of the extractor must not be shown what the old one saw, nor throw it away.
#[test]
fn another_extractor_has_another_cache() {
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("a")], &[]));
    let other = hash_bytes(b"extractor 2");
    let newer = FactsCache::open_in(tree.beside("cache"), &tree.root(), &other);
    assert_eq!(get(&newer, "a"), None);
    stored(&newer.write(&[facts("b")], &[]));
    assert_eq!(get(&open(&tree), "a").as_deref(), Some("a"));
}

// A run that changed nothing must not write half a gigabyte again.
#[test]
fn nothing_new_is_not_written() {
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("a")], &[row("x.rs", 7)]));
    let cache = open(&tree);
    get(&cache, "a");
    assert_eq!(
        cache.write(&[facts("a")], &[row("x.rs", 7)]),
        Written::Unchanged
    );
    assert_eq!(stored(&cache.write(&[], &[row("x.rs", 8)])), 1);
}

// Switching a branch and back must find the first branch's facts, until room runs out.
#[test]
fn what_was_used_last_stays_longest() {
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("first"), facts("other")], &[]));
    stored(&open(&tree).write(&[facts("second")], &[]));
    let cache = open(&tree);
    assert_eq!(get(&cache, "first").as_deref(), Some("first"));
    let size = cache.size().bytes;
    let written = cache.write_within(&[facts("third")], &[], size);
    assert!(
        matches!(
            written,
            Written::Stored {
                entries: 3,
                evicted: 1,
                ..
            }
        ),
        "{written:?}"
    );
    let cache = open(&tree);
    assert_eq!(get(&cache, "other"), None);
    for name in ["first", "second", "third"] {
        assert_eq!(get(&cache, name).as_deref(), Some(name));
    }
}

// A disk that lies, a crash, a stray editor: any altered byte empties the cache and nothing else.
#[test]
fn any_corruption_is_an_empty_cache() {
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("a"), facts("b")], &[row("x.rs", 7)]));
    let folder = tree.beside("cache");
    for file in [
        &files_named(&folder, ".pack")[0],
        &files_named(&folder, ".head")[0],
    ] {
        let whole = fs::read(file).unwrap();
        for at in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
            let mut altered = whole.clone();
            altered[at] ^= 0x10;
            fs::write(file, altered).unwrap();
            let cache = open(&tree);
            assert_eq!(
                (get(&cache, "a"), cache.size().entries),
                (None, 0),
                "byte {at} of {file:?}"
            );
            fs::write(file, &whole[..at]).unwrap();
            assert_eq!(open(&tree).size().entries, 0, "cut at {at} of {file:?}");
        }
        fs::write(file, &whole).unwrap();
        assert_eq!(open(&tree).size().entries, 2);
    }
    // And it heals by the next write.
    fs::write(&files_named(&folder, ".pack")[0], "garbage").unwrap();
    assert_eq!(stored(&open(&tree).write(&[facts("a")], &[])), 1);
    assert_eq!(get(&open(&tree), "a").as_deref(), Some("a"));
}

// A full or read-only disk, or a file where the folder should be, is no reason to stop.
#[test]
fn no_place_to_write_is_said_and_harmless() {
    let tree = Tree::new(&[]);
    fs::write(tree.beside("cache"), "in the way").unwrap();
    let cache = open(&tree);
    assert!(matches!(
        cache.write(&[facts("a")], &[]),
        Written::Unavailable(_)
    ));
    assert_eq!(open(&tree).size().entries, 0);
}

// Two editors on one project: whoever writes second must keep what the first one wrote.
#[test]
fn writers_keep_each_others_facts() {
    let tree = Tree::new(&[]);
    let (one, two) = (open(&tree), open(&tree));
    stored(&one.write(&[facts("one")], &[]));
    assert_eq!(stored(&two.write(&[facts("two")], &[])), 2);
    assert_eq!(get(&open(&tree), "one").as_deref(), Some("one"));
    assert_eq!(
        files_named(&tree.beside("cache"), ".pack").len(),
        1,
        "the old pack is gone"
    );
}

// Readers and writers at once: every reader sees a whole cache of some moment.
#[test]
fn threads_never_see_half_a_cache() {
    const WRITERS: usize = 3;
    const ROUNDS: usize = 20;
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("always")], &[]));
    let start = Barrier::new(WRITERS + 1);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (tree, start) = (&tree, &start);
            scope.spawn(move || {
                start.wait();
                for round in 0..ROUNDS {
                    let name = format!("{writer}/{round}");
                    let written = open(tree).write(&[facts(&name)], &[]);
                    assert!(!matches!(written, Written::Unavailable(_)), "{written:?}");
                }
            });
        }
        start.wait();
        for _ in 0..ROUNDS * WRITERS {
            // A reader that was overtaken twice finds nothing and works without; half a cache it never sees.
            let cache = open(&tree);
            if cache.size().entries > 0 {
                assert_eq!(get(&cache, "always").as_deref(), Some("always"));
            }
        }
    });
    let cache = open(&tree);
    assert_eq!(get(&cache, "always").as_deref(), Some("always"));
    assert!(
        cache.size().entries > WRITERS,
        "some rounds of each writer were kept"
    );
}

const CHILD: &str = "SUREFOOT_TEST_CACHE_CHILD";

/// In a child process: writes facts under its own name until ten writes were stored.
fn child(folder: &str) {
    let name = std::env::var("SUREFOOT_TEST_CACHE_NAME").unwrap();
    let root = Root::open(folder).unwrap();
    let cache = Path::new(folder).parent().unwrap().join("cache");
    for round in 0..10 {
        let name = format!("{name}/{round}");
        let cache = FactsCache::open_in(&cache, &root, &fingerprint());
        while cache.write(&[facts(&name)], &[]) == Written::Busy {
            std::thread::yield_now();
        }
    }
}

// Two servers, two processes: the lock is the operating system's, so threads alone prove little.
#[test]
fn processes_share_one_cache() {
    if let Ok(folder) = std::env::var(CHILD) {
        return child(&folder);
    }
    let tree = Tree::new(&[]);
    let start = |name: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "cache::processes_share_one_cache"])
            .env(CHILD, tree.root_path())
            .env("SUREFOOT_TEST_CACHE_NAME", name)
            .output()
    };
    std::thread::scope(|scope| {
        for child in ["one", "two"].map(|name| scope.spawn(move || start(name))) {
            let output = child.join().unwrap().unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stdout)
            );
        }
    });
    let cache = open(&tree);
    for name in ["one", "two"] {
        for round in 0..10 {
            let name = format!("{name}/{round}");
            assert_eq!(get(&cache, &name).as_deref(), Some(&*name));
        }
    }
}

// Roots that were deleted long ago must not fill the disk for ever.
#[test]
fn old_caches_are_swept() {
    let tree = Tree::new(&[]);
    stored(&open(&tree).write(&[facts("old")], &[]));
    let folder = tree.beside("cache");
    let long_ago = SystemTime::now() - Duration::from_secs(100 * 24 * 60 * 60);
    for entry in fs::read_dir(&folder).unwrap() {
        let file = fs::File::options()
            .append(true)
            .open(entry.unwrap().path())
            .unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let other = Tree::new(&[]);
    let root = other.root();
    stored(&FactsCache::open_in(&folder, &root, &fingerprint()).write(&[facts("new")], &[]));
    assert_eq!(open(&tree).size().entries, 0);
    for ending in [".head", ".pack", ".lock"] {
        assert_eq!(files_named(&folder, ending).len(), 1, "{ending}");
    }
    // A cache that is opened and found good stays, however old its facts.
    let cache = FactsCache::open_in(&folder, &root, &fingerprint());
    assert_eq!(get(&cache, "new").as_deref(), Some("new"));
}
