//! `surefoot/report`: reads a root anew from disk and writes a report of it. Open editors have no part in it.

use std::path::PathBuf;

use surefoot_report::Report;
use surefoot_session::{Options, Session, Watch};
use tower_lsp_server::ls_types::Uri;

use super::super::cancel::Cancel;
use super::super::ext::{ReportParams, ReportResult};
use super::super::failure::Failure;
use super::super::progress::Telling;
use super::super::view::{RootView, View};
use crate::{documents, export, forms};

pub fn answer(view: &View, params: ReportParams, cancel: &Cancel) -> Result<ReportResult, Failure> {
    let path = absolute(&params.path)?;
    let root = root(view, params.root.as_ref())?;
    let token = params.work_done_token.as_deref();
    let telling = Telling::new(&view.outbox, token, "Writing a report");
    let report = fresh(root, &telling, cancel)?;
    documents::write(&path, "The report", |file| {
        surefoot_report::write(&report, file)
    })
    .map_err(of_report)?;
    let html = params.html.then(|| path.with_extension("html"));
    if let Some(page) = &html {
        let name = root.files.real().file_name();
        let name = name.map_or_else(|| "this tree".into(), |n| n.to_string_lossy());
        forms::write(page, &report, &name, root.snapshot.languages(), None).map_err(of_report)?;
    }
    Ok(ReportResult {
        path: params.path,
        snapshot_id: report.snapshot_id.to_string(),
        is_complete: report.is_complete,
        entities: report.entities.len() as u64,
        call_edges: report.call_edges.len() as u64,
        html: html.map(|page| page.display().to_string()),
    })
}

/// A report of a root as it stands on disk, until somebody cancels.
pub fn fresh(root: &RootView, telling: &Telling<'_>, cancel: &Cancel) -> Result<Report, Failure> {
    let options = Options::default();
    let mut session = Session::open(&[root.files.real()], options.clone()).map_err(refused)?;
    let analyzed = session
        .analyze(Watch {
            tell: &|progress| telling.tell(progress),
            cancel: cancel.reading(),
        })
        .map_err(refused);
    cancel.check()?;
    analyzed?;
    let Some(root) = session.root(0) else {
        return Err(Failure::refused("invalid_root", "The folder is gone."));
    };
    let report = export::report(root, &options, Vec::new());
    cancel.check()?;
    Ok(report)
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

pub fn of_report(refusal: surefoot_report::Refusal) -> Failure {
    Failure::Refused {
        reason: refusal.reason,
        message: refusal.message,
    }
}
