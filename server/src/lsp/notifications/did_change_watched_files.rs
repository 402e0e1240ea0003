//! `workspace/didChangeWatchedFiles`: the client saw files change on disk.

use tower_lsp_server::ls_types::DidChangeWatchedFilesParams;

use super::super::from_proto;
use super::super::main_loop::MainLoop;
use super::super::watch::DiskChange;

pub fn apply(session: &mut MainLoop, params: DidChangeWatchedFilesParams) {
    let paths = params
        .changes
        .iter()
        .filter_map(|change| from_proto::path(&change.uri));
    session.disk_changed(DiskChange::Paths(paths.collect()));
}
