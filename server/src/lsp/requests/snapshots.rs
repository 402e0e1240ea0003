//! `surefoot/snapshots`, `surefoot/saveSnapshot`, `surefoot/compare`: what is kept, and what changed since.

use surefoot_report::diff::{self, Diff};

use super::super::cancel::Cancel;
use super::super::ext::{
    CompareParams, CompareResult, Difference, KeptSnapshot, SaveSnapshotParams, SaveSnapshotResult,
    SnapshotsParams, SnapshotsResult,
};
use super::super::failure::Failure;
use super::super::progress::Telling;
use super::super::to_proto;
use super::super::view::{RootView, View};
use super::report::{fresh, of_report, root};
use crate::cli;
use crate::store::{Notes, Store};

/// Rows of each list on a page.
const SHOWN: usize = 50;

pub fn list(view: &View, params: SnapshotsParams, _: &Cancel) -> Result<SnapshotsResult, Failure> {
    let root = root(view, params.root.as_ref())?;
    let store = Store::open(None, &root.files).map_err(of_report)?;
    let kept = store.list(Some(&root.files)).map_err(of_report)?;
    let snapshots = kept.snapshots.into_iter().map(|l| KeptSnapshot {
        id: l.record.id,
        names: l.names,
        saved_at: l.record.saved_at,
        label: l.record.label,
        revision: l.record.revision,
        is_complete: l.record.is_complete,
        files: l.record.files,
    });
    Ok(SnapshotsResult {
        snapshots: snapshots.collect(),
    })
}

pub fn save(
    view: &View,
    params: SaveSnapshotParams,
    cancel: &Cancel,
) -> Result<SaveSnapshotResult, Failure> {
    let root = root(view, params.root.as_ref())?;
    let store = Store::open(None, &root.files).map_err(of_report)?;
    let token = params.work_done_token.as_deref();
    let telling = Telling::new(&view.outbox, token, "Keeping a snapshot");
    let report = fresh(root, &telling, cancel)?;
    let saved = store.save(&root.files, &report, Notes::default());
    let saved = saved.map_err(of_report)?;
    let record = saved.record;
    if let Some(name) = &params.name {
        store
            .point(&root.files, name, &record.id)
            .map_err(of_report)?;
    }
    Ok(SaveSnapshotResult {
        id: record.id,
        reused: saved.reused,
        is_complete: record.is_complete,
    })
}

pub fn compare(
    view: &View,
    params: CompareParams,
    cancel: &Cancel,
) -> Result<CompareResult, Failure> {
    let root = root(view, params.root.as_ref())?;
    let store = Store::open(None, &root.files).map_err(of_report)?;
    let record = store.find(params.snapshot.as_deref(), &root.files);
    let before = store
        .report(&record.map_err(of_report)?)
        .map_err(of_report)?;
    cancel.check()?;
    let token = params.work_done_token.as_deref();
    let telling = Telling::new(&view.outbox, token, "Comparing with a snapshot");
    let after = fresh(root, &telling, cancel)?;
    let options = diff::Options {
        max_items: Some(SHOWN),
        ..diff::Options::default()
    };
    let diff = diff::diff(&before, &after, &options);
    Ok(CompareResult {
        differs: differs(root, &diff),
        text: cli::diff::text(&diff),
        diff: serde_json::to_value(&diff).map_err(|e| Failure::Panicked(e.to_string()))?,
    })
}

fn differs(root: &RootView, diff: &Diff) -> Vec<Difference> {
    let files = &diff.files;
    let lists = [
        (&files.changed, "changed since the snapshot"),
        (&files.added, "added since the snapshot"),
        (&files.removed, "gone since the snapshot"),
        (&diff.configuration.changed, "changed since the snapshot"),
    ];
    let all = lists
        .into_iter()
        .flat_map(|(list, what)| list.iter().map(move |file| (file, what)));
    all.filter_map(|(file, what)| {
        Some(Difference {
            uri: to_proto::uri_in(&root.uri, file)?,
            what: what.to_owned(),
        })
    })
    .collect()
}
