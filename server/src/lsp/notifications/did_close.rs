//! `textDocument/didClose`: the disk counts again.

use tower_lsp_server::ls_types::DidCloseTextDocumentParams;

use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, params: DidCloseTextDocumentParams) {
    let uri = params.text_document.uri;
    session.documents.close(&uri);
    session.touched(&uri);
    session.forget_findings(&uri);
    session.kept_lenses.forget(&uri);
}
