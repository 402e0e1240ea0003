//! `textDocument/didChange`: edits, applied in the order they came.

use tower_lsp_server::ls_types::DidChangeTextDocumentParams;

use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, params: DidChangeTextDocumentParams) {
    let document = params.text_document;
    let encoding = session.client.encoding;
    let changes = params.content_changes;
    session.carry(&document.uri, &changes);
    let applied = session
        .documents
        .change(&document.uri, document.version, changes, encoding);
    session.report_edit(&document.uri, applied);
    session.touched(&document.uri);
    session.recheck_due();
}
