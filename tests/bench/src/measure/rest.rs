//! What a server holds once a tree is read and nobody asks anything.

use std::path::Path;

use serde_json::{Value, json};
use surefoot_facts::Name;
use surefoot_session::{Cancel, Keep, Options, Session, hash_bytes};

use super::unwatched;
use crate::Result;
use crate::stats::{Began, memory};

pub fn run(tree: &Path, threads: usize) -> Result<Value> {
    // As the server: facts are kept for the next start. Nowhere, so that this start is a cold one.
    let folder = std::env::temp_dir().join(format!("surefoot-bench-rest-{}", std::process::id()));
    let options = Options {
        threads,
        keep: Some(Keep {
            build: hash_bytes(b"bench"),
            folder: Some(folder.clone()),
        }),
        ..Options::default()
    };
    let mut session = Session::open(&[tree], options).map_err(|r| r.message)?;
    let cancel = Cancel::new();
    session.analyze(unwatched(&cancel)).map_err(|r| r.message)?;
    let root = session.root_mut(0).ok_or("the folder is gone")?;
    let lines = root.snapshot().totals().lines;
    let before = memory("VmRSS");
    let began = Began::now();
    root.prepare_for_edits();
    let prepared = began.cost();
    let began = Began::now();
    let files = root.put_away(&|| true);
    let put_away = began.cost();
    if let Some(keeper) = root.keeper() {
        keeper.write();
    }
    let _ = std::fs::remove_dir_all(&folder);
    surefoot::memory::give_back(session.pool());
    let root = session.root(0).ok_or("the folder is gone")?;
    let held = root.workspace().memory();
    let names = Name::held();
    let resident = memory("VmRSS");
    let mut owners: Vec<Value> = held.owners.iter().map(|o| json!([o.0, o.1])).collect();
    owners.push(json!(["names", names.1]));
    Ok(json!({
        "lines": lines,
        "prepare_ms": prepared.cpu,
        "put_away_ms": put_away.cpu,
        "put_away": files,
        "before_bytes": before,
        "resident_bytes": resident,
        "bytes_per_line": resident as f64 / lines.max(1) as f64,
        "held_bytes": held.total() + names.1,
        "held": owners,
    }))
}
