//! `initialized`: from here on the server may ask. It registers what it wants to hear of and starts reading.

use serde_json::{Value, json};

use tower_lsp_server::ls_types::MessageType;

use super::super::asked::Purpose;
use super::super::engine::Order;
use super::super::main_loop::MainLoop;
use super::super::workspace::limits;

pub fn apply(session: &mut MainLoop, _: Value) {
    if session.client.registers_configuration() {
        let section = json!({ "section": crate::config::PREFIX });
        session.register("workspace/didChangeConfiguration", section);
    }
    session.pull_configuration();
    session
        .engine
        .order(Order::Limits(limits(&session.settings)));
    session.roots_changed();
    if let Some(plugin) = &session.client.options.client
        && differs(&plugin.version, SERVER)
    {
        let message = format!(
            "Surefoot's server is version {SERVER} and the {} plugin {}; some commands may not work until both are \
             of the same version.",
            plugin.name, plugin.version
        );
        let params = json!({ "type": MessageType::WARNING, "message": message });
        session
            .transport
            .outbox
            .notify("window/showMessage", params);
    }
}

const SERVER: &str = env!("CARGO_PKG_VERSION");

/// Whether two versions differ in more than the last number.
fn differs(one: &str, other: &str) -> bool {
    let major_minor = |version: &str| {
        version
            .splitn(3, '.')
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    major_minor(one) != major_minor(other)
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

#[cfg(test)]
mod tests {
    use super::differs;

    /// A patch release of one half needs no patch release of the other.
    #[test]
    fn only_major_and_minor_count() {
        assert!(!differs("0.1.0", "0.1.7"));
        assert!(differs("0.1.0", "0.2.0"));
        assert!(differs("1.1.0", "0.1.0"));
        assert!(differs("", "0.1.0"));
    }
}
