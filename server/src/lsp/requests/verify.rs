//! `surefoot/verify`: does a report still say what its folder says? Nothing in memory is believed.

use surefoot_report::verify::{Verdict, verify};
use surefoot_session::{Options, RelPath};

use super::super::cancel::Cancel;
use super::super::ext::{Difference, VerifyParams, VerifyResult};
use super::super::failure::Failure;
use super::super::progress::Telling;
use super::super::to_proto;
use super::super::view::{RootView, View};
use super::report::{absolute, of_report, root};
use crate::export::{self, DiskTree};
use crate::{cli, documents};

pub fn answer(view: &View, params: VerifyParams, cancel: &Cancel) -> Result<VerifyResult, Failure> {
    let path = absolute(&params.report)?;
    let root = root(view, params.root.as_ref())?;
    let limits = documents::limits().map_err(of_report)?;
    let report = documents::read(&path, &limits).map_err(of_report)?;
    let here = export::provenance(root.snapshot.languages(), &Options::default());
    let token = params.work_done_token.as_deref();
    let telling = Telling::new(&view.outbox, token, "Verifying a report");
    let tell = |progress| telling.tell(progress);
    let mut tree = DiskTree::new(root.files.clone(), 0, &tell, cancel.reading());
    let ceilings = documents::ceilings().map_err(of_report)?;
    let verdict = verify(&report, &here, &mut tree, &ceilings).map_err(of_report);
    cancel.check()?;
    let verdict = verdict?;
    Ok(VerifyResult {
        verified: verdict.verified,
        differs: differs(root, &verdict),
        text: cli::verify::text(&verdict),
        verdict: serde_json::to_value(&verdict).map_err(|e| Failure::Panicked(e.to_string()))?,
    })
}

/// Every file the verdict complains of, once per complaint.
fn differs(root: &RootView, verdict: &Verdict) -> Vec<Difference> {
    let changed = verdict.mismatches.iter().map(|mismatch| {
        let what = if mismatch.expected == "absent" {
            "stands where nothing stood"
        } else {
            "is not what it was"
        };
        (mismatch.file.as_str(), what.to_owned())
    });
    let missing = verdict
        .missing
        .iter()
        .map(|file| (file.as_str(), "is gone".to_owned()));
    let errors = verdict
        .errors
        .iter()
        .map(|error| (error.file.as_str(), error.error.clone()));
    let fields = verdict.differences.iter().filter_map(|difference| {
        Some((
            difference.file.as_deref()?,
            format!("{}: {}", difference.field, difference.what),
        ))
    });
    let all = changed.chain(missing).chain(errors).chain(fields);
    all.filter_map(|(file, what)| {
        RelPath::new(file).ok()?;
        Some(Difference {
            uri: to_proto::uri_in(&root.uri, file)?,
            what,
        })
    })
    .collect()
}
