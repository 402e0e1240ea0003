//! From nothing, or from what an earlier run kept, to the first call-hierarchy answer.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use surefoot_engine::features::hierarchy::{self, CallOptions};
use surefoot_engine::{FileEntry, Snapshot};
use surefoot_graph::SymbolId;
use surefoot_session::{Cancel, Keep, Options, RelPath, Session, hash_bytes};

use super::unwatched;
use crate::Result;
use crate::stats::{Began, Dice, percentile};

/// The whole tree, with facts kept in `folder`: cold when nothing lies there, warm after.
pub fn run(tree: &Path, folder: &Path, threads: usize, seed: u64) -> Result<Value> {
    let options = Options {
        threads,
        keep: Some(Keep {
            build: hash_bytes(b"bench"),
            folder: Some(folder.to_path_buf()),
        }),
        ..Options::default()
    };
    let began = Began::now();
    let mut session = Session::open(&[tree], options).map_err(|r| r.message)?;
    let cancel = Cancel::new();
    let watch = unwatched(&cancel);
    let analyzed = session.analyze(watch).map_err(|r| r.message)?;
    let root = session.root_mut(0).ok_or("the folder is gone")?;
    let snapshot = root.snapshot();
    let asked = callables(&snapshot, &mut Dice::new(seed), 1);
    for id in &asked {
        drop(hierarchy::callers(&snapshot, *id, &CallOptions::default()));
    }
    let answered = began.cost();
    if let Some(keeper) = root.keeper() {
        keeper.write();
    }
    let analyzed = analyzed.first();
    Ok(json!({
        "answer_cpu_ms": answered.cpu,
        "answer_wall_ms": answered.wall,
        "files": analyzed.map(|a| a.files),
        "parsed": analyzed.map(|a| a.read - a.kept - a.manifests),
    }))
}

/// A first look around one open file, before the tree is read.
pub fn glance(tree: &Path, threads: usize, count: usize, seed: u64) -> Result<Value> {
    let options = Options {
        threads,
        ..Options::default()
    };
    let mut dice = Dice::new(seed);
    let files = sources(tree)?;
    let (mut cpu, mut wall, mut floors, mut callers) = (Vec::new(), Vec::new(), 0, 0);
    let cancel = Cancel::new();
    let watch = unwatched(&cancel);
    for _ in 0..count.min(20) {
        let rel = &files[dice.below(files.len())];
        let Ok(text) = std::fs::read_to_string(tree.join(rel.as_str())) else {
            continue;
        };
        let text: Arc<str> = text.into();
        let mut session = Session::open(&[tree], options.clone()).map_err(|r| r.message)?;
        let root = session.root_mut(0).ok_or("the folder is gone")?;
        let began = Began::now();
        root.glance(&[(rel.clone(), text)], watch)
            .map_err(|r| r.message)?;
        let snapshot = root.snapshot();
        let file = snapshot
            .file_at(rel.as_str())
            .and_then(|f| snapshot.file(f));
        let Some(id) = file.and_then(|f| callables_of(&snapshot, f).first().copied()) else {
            continue;
        };
        let answer = hierarchy::callers(&snapshot, id, &CallOptions::default());
        let cost = began.cost();
        let Some(answer) = answer else { continue };
        cpu.push(cost.cpu);
        wall.push(cost.wall);
        floors += usize::from(answer.floor_text.is_some());
        callers += answer.rows.len();
    }
    Ok(json!({
        "asked": cpu.len(),
        "floors": floors,
        "callers": callers,
        "answer_cpu_ms": { "p50": percentile(&cpu, 50.0), "p95": percentile(&cpu, 95.0) },
        "answer_wall_ms": { "p50": percentile(&wall, 50.0), "p95": percentile(&wall, 95.0) },
    }))
}

/// Source files of the size people work in.
fn sources(tree: &Path) -> Result<Vec<RelPath>> {
    let root = surefoot_session::Root::open(tree).map_err(|r| r.message)?;
    let wanted = |path: &str| match surefoot_langs::of_path(path) {
        Some(_) => surefoot_files::Wanted::Source,
        None => surefoot_files::Wanted::No,
    };
    let options = surefoot_session::WalkOptions::default();
    let walked = surefoot_files::walk(&root, &options, &wanted, &mut |_| {
        std::ops::ControlFlow::Continue(())
    });
    let files = walked.map_err(|r| r.message)?.files.into_iter();
    let sized = files.filter(|f| (4_000..200_000).contains(&f.stamp.len));
    let files: Vec<RelPath> = sized.map(|f| f.rel).collect();
    match files.is_empty() {
        true => Err("no source files".to_owned()),
        false => Ok(files),
    }
}

fn callables_of(snapshot: &Snapshot, file: &FileEntry) -> Vec<SymbolId> {
    let all = snapshot.symbols_of(file.id).into_iter();
    all.filter(|id| snapshot.decl(*id).is_some_and(|d| d.kind().is_callable()))
        .collect()
}

fn callables(snapshot: &Snapshot, dice: &mut Dice, count: usize) -> Vec<SymbolId> {
    let files: Vec<Arc<FileEntry>> = snapshot.files().cloned().collect();
    let mut out = Vec::new();
    for _ in 0..files.len().min(1_000) {
        let of = callables_of(snapshot, &files[dice.below(files.len())]);
        out.extend(of.first());
        if out.len() >= count {
            break;
        }
    }
    out
}
