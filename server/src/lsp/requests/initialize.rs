//! `initialize`: agrees on encoding, roots and abilities. Answered on the loop: it makes the session.

use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp_server::ls_types::*;

use super::super::client::Client;
use super::super::diagnose::SOURCE;
use super::super::ext;
use super::super::failure::Failure;
use super::super::main_loop::{Lifecycle, MainLoop};
use super::super::transport::Reply;
use crate::config::{self, Provider, Settings};

pub fn answer(session: &mut MainLoop, params: Value, reply: Reply) {
    let client = match read(params) {
        Ok(params) => Client::new(params),
        Err(why) => return reply.send(Err(Failure::Params(why).into())),
    };
    if let Some(pid) = client.process_id {
        session.watch_parent(pid);
    }
    let (settings, problems) = config::read(&client.options.settings);
    session.settings = Arc::new(settings);
    session.roots.clone_from(&client.roots);
    session.client = Arc::new(client);
    session.lifecycle = Lifecycle::Running;
    session.changed();
    let result = InitializeResult {
        capabilities: capabilities(&session.client, &session.settings),
        server_info: Some(ServerInfo {
            name: "surefoot".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        offset_encoding: None,
    };
    let result = serde_json::to_value(result).map(|mut result| {
        // The types know the requests of the type hierarchy and not its capability.
        if session.settings.type_hierarchy != Provider::Never {
            result["capabilities"]["typeHierarchyProvider"] = true.into();
        }
        result
    });
    reply.send(result.map_err(|e| Failure::Panicked(e.to_string()).into()));
    session.settings_problems(problems);
}

/// A client whose capabilities we cannot read is served like one that has none.
fn read(mut params: Value) -> Result<InitializeParams, String> {
    match serde_json::from_value(params.clone()) {
        Ok(read) => Ok(read),
        Err(why) => {
            tracing::warn!("the client's capabilities are not readable: {why}");
            if let Some(params) = params.as_object_mut() {
                params.insert("capabilities".to_owned(), json!({}));
            }
            serde_json::from_value(params).map_err(|e| e.to_string())
        }
    }
}

fn capabilities(client: &Client, settings: &Settings) -> ServerCapabilities {
    let serves = |provider: Provider| provider != Provider::Never;
    let diagnostics = DiagnosticOptions {
        identifier: Some(SOURCE.to_owned()),
        // A caller in another file decides what is said here.
        inter_file_dependencies: true,
        workspace_diagnostics: false,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                // With the text, so that a copy that went wrong is noticed and mended by the next save.
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(true),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: serves(settings.document_symbols).then_some(OneOf::Left(true)),
        workspace_symbol_provider: serves(settings.workspace_symbols).then_some(OneOf::Left(true)),
        call_hierarchy_provider: serves(settings.call_hierarchy)
            .then_some(CallHierarchyServerCapability::Simple(true)),
        definition_provider: serves(settings.definition).then_some(OneOf::Left(true)),
        references_provider: serves(settings.references).then_some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(true),
        }),
        diagnostic_provider: client
            .pulls_diagnostics()
            .then_some(DiagnosticServerCapabilities::Options(diagnostics)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![ext::CALLERS.to_owned(), ext::CALLEES.to_owned()],
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}
