//! What the client said of itself in `initialize`.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp_server::ls_types::{ClientCapabilities, InitializeParams, MarkupKind, Uri};

use super::text::Encoding;

/// The client's abilities that change what we do.
#[derive(Clone, Debug, Default)]
pub struct Client {
    pub encoding: Encoding,
    pub process_id: Option<u32>,
    pub roots: Vec<Uri>,
    pub options: Options,
    pub capabilities: Box<ClientCapabilities>,
}

/// `initializationOptions`, as docs/protocol.md has them.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Options {
    pub client: Option<Plugin>,
    pub ask: bool,
    pub changed: bool,
    pub show_call_tree: bool,
    /// The user trusts what this workspace may run. Editors that know no such thing say nothing.
    pub trusted: bool,
    pub settings: Value,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            client: None,
            ask: false,
            changed: false,
            show_call_tree: false,
            trusted: true,
            settings: Value::Null,
        }
    }
}

/// Our own plugin in the editor, when there is one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Plugin {
    pub name: String,
    pub version: String,
}

impl Client {
    pub fn new(params: InitializeParams) -> Self {
        let general = params.capabilities.general.as_ref();
        let encoding =
            Encoding::negotiate(general.and_then(|general| general.position_encodings.as_deref()));
        let options = params.initialization_options.unwrap_or_default();
        #[allow(deprecated, reason = "older clients send nothing else")]
        let root = params.root_uri;
        let roots = match params.workspace_folders {
            Some(folders) if !folders.is_empty() => {
                folders.into_iter().map(|folder| folder.uri).collect()
            }
            _ => root.into_iter().collect(),
        };
        Self {
            encoding,
            process_id: params.process_id,
            roots,
            options: serde_json::from_value(options).unwrap_or_default(),
            capabilities: Box::new(params.capabilities),
        }
    }

    /// Settings can be asked for with `workspace/configuration`.
    pub fn configuration(&self) -> bool {
        self.capabilities
            .workspace
            .as_ref()
            .and_then(|w| w.configuration)
            .unwrap_or(false)
    }

    /// Changes of settings are told once we register for them.
    pub fn registers_configuration(&self) -> bool {
        let workspace = self.capabilities.workspace.as_ref();
        workspace
            .and_then(|w| w.did_change_configuration.as_ref())
            .and_then(|c| c.dynamic_registration)
            .unwrap_or(false)
    }

    pub fn code_lens_refresh(&self) -> bool {
        let workspace = self.capabilities.workspace.as_ref();
        workspace
            .and_then(|w| w.code_lens.as_ref())
            .and_then(|lens| lens.refresh_support)
            .unwrap_or(false)
    }

    pub fn diagnostic_refresh(&self) -> bool {
        let workspace = self.capabilities.workspace.as_ref();
        workspace
            .and_then(|w| w.diagnostics.as_ref())
            .and_then(|d| d.refresh_support)
            .unwrap_or(false)
    }

    /// Diagnostics are pulled only by a client that can also be told to pull again; else every one of its
    /// lists would be as old as its last edit.
    pub fn pulls_diagnostics(&self) -> bool {
        let pull = self
            .capabilities
            .text_document
            .as_ref()
            .and_then(|t| t.diagnostic.as_ref())
            .is_some();
        pull && self.diagnostic_refresh()
    }

    /// Changed files are reported by the client once we register for them.
    pub fn watches_files(&self) -> bool {
        let workspace = self.capabilities.workspace.as_ref();
        workspace
            .and_then(|w| w.did_change_watched_files.as_ref())
            .and_then(|watch| watch.dynamic_registration)
            .unwrap_or(false)
    }

    /// The outline may be a tree.
    pub fn nests_symbols(&self) -> bool {
        let text = self.capabilities.text_document.as_ref();
        let symbols = text.and_then(|t| t.document_symbol.as_ref());
        symbols
            .and_then(|s| s.hierarchical_document_symbol_support)
            .unwrap_or(false)
    }

    /// Hovers may be Markdown.
    pub fn reads_markdown(&self) -> bool {
        let hover = self
            .capabilities
            .text_document
            .as_ref()
            .and_then(|t| t.hover.as_ref());
        let formats = hover.and_then(|h| h.content_format.as_ref());
        formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown))
    }

    /// Related places may stand beside a pushed diagnostic.
    pub fn relates_diagnostics(&self) -> bool {
        let text = self.capabilities.text_document.as_ref();
        let publish = text.and_then(|t| t.publish_diagnostics.as_ref());
        publish.and_then(|p| p.related_information).unwrap_or(false)
    }

    pub fn work_done_progress(&self) -> bool {
        self.capabilities
            .window
            .as_ref()
            .and_then(|w| w.work_done_progress)
            .unwrap_or(false)
    }

    pub fn show_document(&self) -> bool {
        self.capabilities
            .window
            .as_ref()
            .and_then(|w| w.show_document.as_ref())
            .is_some_and(|show| show.support)
    }

    /// `experimental/serverStatus` is sent to those who said they read it.
    pub fn server_status(&self) -> bool {
        let experimental = self.capabilities.experimental.as_ref();
        experimental.is_some_and(|e| e["serverStatusNotification"] == true)
    }
}
