//! `workspace/didChangeConfiguration`: new settings, in the notification or to be asked for.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp_server::ls_types::DidChangeConfigurationParams;

use super::super::main_loop::MainLoop;
use crate::config;

pub fn apply(session: &mut MainLoop, params: DidChangeConfigurationParams) {
    if session.client.configuration() {
        // The notification then only says that something changed; its content differs from client to client.
        return session.pull_configuration();
    }
    session.configure(&params.settings);
}

impl MainLoop {
    /// The client's settings as it sent them, on top of the defaults.
    pub fn configure(&mut self, settings: &Value) {
        // An empty answer means "nothing set here", and then what came with `initialize` stands.
        let nothing = match settings {
            Value::Null => true,
            Value::Object(map) => map.values().all(Value::is_null),
            _ => false,
        };
        let settings = if nothing {
            &self.client.options.settings
        } else {
            settings
        };
        let (settings, problems) = config::read(settings);
        self.settings_problems(problems);
        if settings != *self.settings {
            self.settings = Arc::new(settings);
            self.settings_changed();
        }
    }
}
