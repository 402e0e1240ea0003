//! One file per notification; each changes the session on the loop and is done in microseconds.

mod cancel_request;
mod did_change;
mod did_change_configuration;
mod did_change_watched_files;
mod did_change_workspace_folders;
mod did_close;
mod did_open;
mod did_save;
mod initialized;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::MessageType;

use super::main_loop::{Lifecycle, MainLoop};

/// The table of notifications. An unknown one is ignored, as the protocol wants it.
pub fn handle(session: &mut MainLoop, method: &str, params: Value) {
    if method == "exit" {
        return session.exit();
    }
    if session.lifecycle != Lifecycle::Running {
        return;
    }
    match method {
        "$/cancelRequest" => with(session, method, params, cancel_request::apply),
        "initialized" => initialized::apply(session, params),
        "textDocument/didOpen" => with(session, method, params, did_open::apply),
        "textDocument/didChange" => with(session, method, params, did_change::apply),
        "textDocument/didClose" => with(session, method, params, did_close::apply),
        "textDocument/didSave" => with(session, method, params, did_save::apply),
        "workspace/didChangeConfiguration" => {
            with(session, method, params, did_change_configuration::apply)
        }
        "workspace/didChangeWatchedFiles" => {
            with(session, method, params, did_change_watched_files::apply)
        }
        "workspace/didChangeWorkspaceFolders" => {
            with(session, method, params, did_change_workspace_folders::apply)
        }
        _ => tracing::debug!("ignoring {method}"),
    }
}

fn with<P: DeserializeOwned>(
    session: &mut MainLoop,
    method: &str,
    params: Value,
    apply: fn(&mut MainLoop, P),
) {
    match serde_json::from_value(params) {
        Ok(params) => apply(session, params),
        // A lost notification may mean a lost edit, and nobody waits for an answer that could say so.
        Err(e) => log_warning(
            session,
            format!("{method} could not be read and had no effect: {e}"),
        ),
    }
}

/// A line in the client's log.
pub fn log_warning(session: &mut MainLoop, message: String) {
    tracing::warn!("{message}");
    let params = json!({ "type": MessageType::WARNING, "message": format!("surefoot: {message}") });
    session.transport.outbox.notify("window/logMessage", params);
}
