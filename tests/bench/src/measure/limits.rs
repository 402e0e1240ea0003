//! The physical limit: what a program costs that walks, reads, hashes or parses and does nothing with it.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use surefoot_files::{Entry, Root, WalkOptions, Wanted, walk};

use super::What;
use crate::Result;

pub fn run(what: What, tree: &Path, threads: usize) -> Result<Value> {
    let root = Root::open(tree).map_err(|r| r.message)?;
    let wanted = |path: &str| match surefoot_langs::of_path(path) {
        Some(_) => Wanted::Source,
        None => Wanted::No,
    };
    let options = WalkOptions::default();
    let walked = walk(&root, &options, &wanted, &mut |_| {
        std::ops::ControlFlow::Continue(())
    });
    let mut files: Vec<Entry> = walked.map_err(|r| r.message)?.files;
    // The largest first, as whoever uses two threads does.
    files.sort_by_key(|f| std::cmp::Reverse(f.stamp.len));
    let (lines, bytes, nodes) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    if what != What::Walk {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(entry) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Ok(text) = std::fs::read(root.real().join(entry.rel.as_str())) else {
                    continue;
                };
                bytes.fetch_add(text.len(), Ordering::Relaxed);
                match what {
                    What::Hash => drop(black_box(blake3::hash(&text))),
                    What::Parse => {
                        let Ok(text) = std::str::from_utf8(&text) else {
                            continue;
                        };
                        let newlines = text.bytes().filter(|b| *b == b'\n').count();
                        lines.fetch_add(newlines, Ordering::Relaxed);
                        let parsed = surefoot_langs::parse_only(entry.rel.as_str(), text);
                        nodes.fetch_add(parsed.unwrap_or(0), Ordering::Relaxed);
                    }
                    _ => drop(black_box(text)),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(work);
            }
        });
    }
    let get = |n: AtomicUsize| n.into_inner();
    Ok(json!({
        "files": files.len(),
        "lines": get(lines),
        "bytes": get(bytes),
        "nodes": get(nodes),
    }))
}
