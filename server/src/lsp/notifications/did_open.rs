//! `textDocument/didOpen`: from now on the client's text counts, not the disk's.

use tower_lsp_server::ls_types::DidOpenTextDocumentParams;

use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, params: DidOpenTextDocumentParams) {
    let uri = params.text_document.uri.clone();
    session.documents.open(params.text_document);
    session.touched(&uri);
}
