//! `textDocument/diagnostic`: the findings of a document, for clients that pull.

use tower_lsp_server::ls_types::*;

use super::super::cancel::Cancel;
use super::super::diagnose::diagnose;
use super::super::failure::Failure;
use super::super::view::View;

pub fn answer(
    view: &View,
    params: DocumentDiagnosticParams,
    _: &Cancel,
) -> Result<DocumentDiagnosticReportResult, Failure> {
    // Asked for with every key; when nobody types any more the client is told to ask again.
    let items = diagnose(view, &params.text_document.uri, true);
    let full = FullDocumentDiagnosticReport {
        result_id: None,
        items,
    };
    let report = RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: full,
    };
    Ok(DocumentDiagnosticReportResult::Report(
        DocumentDiagnosticReport::Full(report),
    ))
}
