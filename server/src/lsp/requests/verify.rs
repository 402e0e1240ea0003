//! `surefoot/verify`: does a report still say what its folder says? Nothing in memory is believed.

use std::fmt::Write;

use surefoot_report::verify::{State, Verdict, verify};
use surefoot_session::{Options, RelPath};

use super::super::cancel::Cancel;
use super::super::ext::{Difference, VerifyParams, VerifyResult};
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::{RootView, View};
use super::report::{absolute, of_report, root};
use crate::documents;
use crate::export::{self, DiskTree};

pub fn answer(view: &View, params: VerifyParams, cancel: &Cancel) -> Result<VerifyResult, Failure> {
    let path = absolute(&params.report)?;
    let root = root(view, params.root.as_ref())?;
    let limits = documents::limits().map_err(of_report)?;
    let report = documents::read(&path, &limits).map_err(of_report)?;
    let here = export::provenance(root.snapshot.languages(), &Options::default());
    let stop = surefoot_session::Cancel::new();
    let tell = |_| {
        if cancel.reason().is_some() {
            stop.cancel();
        }
    };
    let mut tree = DiskTree::new(root.files.clone(), 0, &tell, &stop);
    let ceilings = documents::ceilings().map_err(of_report)?;
    let verdict = verify(&report, &here, &mut tree, &ceilings).map_err(of_report);
    cancel.check()?;
    let verdict = verdict?;
    Ok(VerifyResult {
        verified: verdict.verified,
        differs: differs(root, &verdict),
        text: text(&verdict),
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

/// The verdict for reading.
fn text(verdict: &Verdict) -> String {
    let mut out = String::from(if verdict.verified {
        "Verified"
    } else {
        "Not verified"
    });
    let id = verdict.snapshot_id.to_string();
    let _ = writeln!(out, " (snapshot {})\n", id.get(..16).unwrap_or(&id));
    let _ = writeln!(
        out,
        "Read again: {} source files, {} configurations, {} places that had to be empty.",
        verdict.checked_source, verdict.checked_configuration, verdict.checked_configuration_absent
    );
    let _ = match verdict.reproduction.state {
        State::Matched => writeln!(
            out,
            "A fresh analysis gave the same report, field by field."
        ),
        State::Diverged => {
            writeln!(
                out,
                "A fresh analysis gave something else in: {}.",
                verdict.divergent_fields.join(", ")
            )
        }
        State::NotAttempted => writeln!(out, "No fresh analysis was made."),
    };
    if let Some(attested) = verdict.attested {
        let _ = writeln!(
            out,
            "{attested} edges were placed by language servers and taken on their word."
        );
    }
    for mismatch in &verdict.mismatches {
        let _ = writeln!(out, "\nchanged: {}", mismatch.file);
        let _ = writeln!(
            out,
            "  in the report {}\n  on disk       {}",
            mismatch.expected, mismatch.actual
        );
    }
    for file in &verdict.missing {
        let _ = writeln!(out, "\ngone: {file}");
    }
    for error in &verdict.errors {
        let _ = writeln!(out, "\nnot readable: {}: {}", error.file, error.error);
    }
    for difference in &verdict.differences {
        let file = difference.file.as_deref().unwrap_or_default();
        let line = difference
            .line_number
            .map_or(String::new(), |line| format!(":{line}"));
        let _ = writeln!(
            out,
            "\n{}: {file}{line}\n  {}",
            difference.field, difference.what
        );
    }
    out
}
