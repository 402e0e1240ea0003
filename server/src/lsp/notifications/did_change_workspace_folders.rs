//! `workspace/didChangeWorkspaceFolders`: roots come and go while the session lasts.

use tower_lsp_server::ls_types::DidChangeWorkspaceFoldersParams;

use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, params: DidChangeWorkspaceFoldersParams) {
    let removed: Vec<_> = params
        .event
        .removed
        .into_iter()
        .map(|folder| folder.uri)
        .collect();
    session.roots.retain(|root| !removed.contains(root));
    for folder in params.event.added {
        if !session.roots.contains(&folder.uri) {
            session.roots.push(folder.uri);
        }
    }
    session.roots_changed();
}
