//! `initialized`: from here on the server may ask. It registers what it wants to hear of and starts reading.

use serde_json::{Value, json};

use super::super::asked::Purpose;
use super::super::main_loop::MainLoop;

pub fn apply(session: &mut MainLoop, _: Value) {
    if session.client.registers_configuration() {
        let section = json!({ "section": crate::config::PREFIX });
        session.register("workspace/didChangeConfiguration", section);
    }
    session.pull_configuration();
    session.watch_files();
}

impl MainLoop {
    /// Asks the client to send us notifications of a kind.
    pub fn register(&mut self, method: &'static str, options: Value) {
        let registration = json!({ "id": format!("surefoot/{method}"), "method": method, "registerOptions": options });
        self.ask(
            "client/registerCapability",
            json!({ "registrations": [registration] }),
            Purpose::Courtesy,
        );
    }

    /// Reads the settings again, where the client answers such a question.
    pub fn pull_configuration(&mut self) {
        if self.client.configuration() {
            let items = json!({ "items": [{ "section": crate::config::PREFIX }] });
            self.ask("workspace/configuration", items, Purpose::Configuration);
        }
    }
}
