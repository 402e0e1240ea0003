//! `textDocument/didSave`: a chance to compare our copy with the client's.

use tower_lsp_server::ls_types::DidSaveTextDocumentParams;

use super::super::main_loop::MainLoop;
use super::log_warning;

pub fn apply(session: &mut MainLoop, params: DidSaveTextDocumentParams) {
    let uri = params.text_document.uri;
    let Some(text) = params.text else { return };
    if session.documents.heal(&uri, text) {
        log_warning(
            session,
            format!(
                "the copy of {} had gone wrong and was replaced by the saved text",
                uri.as_str()
            ),
        );
        session.touched(&uri);
    }
}
