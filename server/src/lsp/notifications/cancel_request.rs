//! `$/cancelRequest`: the request is answered at once, its work stops when it next looks at its token.

use tower_lsp_server::ls_types::CancelParams;

use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, params: CancelParams) {
    session.cancel(&params.id.into());
}
