//! How the server is, in the form several editors show: `experimental/serverStatus`.

use serde_json::{Value, json};

use super::main_loop::MainLoop;
use super::watch::Health;

impl MainLoop {
    /// Sends the status when it is another than the last one sent.
    pub fn tell_health(&mut self) {
        if !(self.client.server_status() || self.client.options.client.is_some()) {
            return;
        }
        let status = self.health();
        if self.told_health.as_ref() != Some(&status) {
            self.transport.outbox.status(status.clone());
            self.told_health = Some(status);
        }
    }

    fn health(&self) -> Value {
        let mut troubles: Vec<String> = self.troubles.values().cloned().collect();
        if let Some(Health::Degraded { why, .. }) = &self.watch_health {
            troubles.push(format!(
                "changes made outside this editor may be missed: {why}"
            ));
        }
        let health = if troubles.is_empty() { "ok" } else { "warning" };
        let message = (!troubles.is_empty()).then(|| troubles.join("\n"));
        json!({ "health": health, "quiescent": !self.reading, "message": message })
    }
}
