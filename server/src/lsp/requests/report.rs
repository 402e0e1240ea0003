//! `surefoot/report`: reads a root anew from disk and writes a report of it. Open editors have no part in it.

use std::fs::File;
use std::path::{Path, PathBuf};

use surefoot_session::{Options, Session, Watch};
use tower_lsp_server::ls_types::Uri;

use super::super::cancel::Cancel;
use super::super::ext::{ReportParams, ReportResult};
use super::super::failure::Failure;
use super::super::view::{RootView, View};
use crate::export;

pub fn answer(view: &View, params: ReportParams, cancel: &Cancel) -> Result<ReportResult, Failure> {
    let path = absolute(&params.path)?;
    let root = root(view, params.root.as_ref())?;
    let options = Options::default();
    let mut session = Session::open(&[root.files.real()], options.clone()).map_err(refused)?;
    let stop = surefoot_session::Cancel::new();
    let tell = |_| {
        if cancel.reason().is_some() {
            stop.cancel();
        }
    };
    let analyzed = session
        .analyze(Watch {
            tell: &tell,
            cancel: &stop,
        })
        .map_err(refused);
    cancel.check()?;
    analyzed?;
    let Some(root) = session.root(0) else {
        return Err(Failure::refused("invalid_root", "The folder is gone."));
    };
    let report = export::report(root, &options, Vec::new());
    cancel.check()?;
    write(&report, &path)?;
    Ok(ReportResult {
        path: params.path,
        snapshot_id: report.snapshot_id.to_string(),
        is_complete: report.is_complete,
        entities: report.entities.len() as u64,
        call_edges: report.call_edges.len() as u64,
    })
}

/// Writes beside the path and renames, so that no half of a report ever bears its name.
fn write(report: &surefoot_report::Report, path: &Path) -> Result<(), Failure> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = File::create(&partial)
        .and_then(|file| surefoot_report::write(report, file))
        .and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&partial);
        let message = format!(
            "The report could not be written to {}: {e}.",
            path.display()
        );
        Failure::refused("output_failed", message)
    })
}

/// The server's own folder is nobody's idea of where a file should go.
pub fn absolute(path: &str) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(path);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(Failure::Params("the path has to be absolute".to_owned()))
    }
}

/// The root that is meant: the named one, or the only one.
pub fn root<'a>(view: &'a View, uri: Option<&Uri>) -> Result<&'a RootView, Failure> {
    let found = match uri {
        Some(uri) => view.roots.iter().find(|root| root.uri == *uri),
        None if view.roots.len() > 1 => {
            let message = "Several folders are open: say which one is meant.";
            return Err(Failure::refused("ambiguous_root", message));
        }
        None => view.roots.first(),
    };
    found.ok_or_else(|| Failure::refused("invalid_root", "No such folder is open."))
}

pub fn refused(refusal: surefoot_session::Refusal) -> Failure {
    Failure::Refused {
        reason: refusal.code,
        message: refusal.message,
    }
}
