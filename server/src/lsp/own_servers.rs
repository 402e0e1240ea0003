//! The language servers Surefoot starts itself: only those of the user's settings, only in a trusted workspace.

use std::sync::Arc;
use std::time::Duration;

use surefoot_bridge::{Bridge, Spec, entry};

use super::from_proto;
use super::keeping::Keeping;
use super::main_loop::{Event, MainLoop};
use crate::borrowed;
use crate::config::{Mode, OwnServer};

impl MainLoop {
    /// The bridge, where a server is set up.
    pub fn bridge(&self) -> Option<&Arc<Bridge>> {
        self.own.as_ref()
    }

    pub fn own_servers(&self) -> bool {
        self.own.as_ref().is_some_and(|bridge| bridge.is_usable())
    }

    pub fn own_reads(&self, language: &str) -> bool {
        self.own
            .as_ref()
            .is_some_and(|bridge| bridge.reads(language))
    }

    /// A server of ours may be asked about everything while nobody works.
    pub fn own_idle(&self) -> bool {
        let servers = &self.settings.bridge_servers;
        self.own_servers() && servers.iter().any(|server| server.mode == Mode::Idle)
    }

    /// Settings or roots have changed: the bridge has exactly the servers they name. Nothing is started before it
    /// is asked.
    pub fn configure_servers(&mut self) {
        self.troubles.remove("servers");
        let wanted: Vec<&OwnServer> = self
            .settings
            .bridge_servers
            .iter()
            .filter(|server| server.mode != Mode::Off)
            .collect();
        if wanted.is_empty() && self.own.is_none() {
            return;
        }
        if !wanted.is_empty() && !self.client.options.trusted {
            let words = "this workspace is not trusted: no language server of surefoot.bridge.servers is started";
            self.troubles.insert("servers", words.to_owned());
            self.own = None;
            self.keeping = Keeping::default();
            return self.changed();
        }
        let mut specs = Vec::new();
        let mut troubles = Vec::new();
        for server in wanted {
            match self.spec(server) {
                Ok(spec) => specs.push((spec, server.mode)),
                Err(why) => {
                    troubles.push(format!("surefoot.bridge.servers.{}: {why}", server.name))
                }
            }
        }
        if self.own.is_none() {
            let events = self.events.clone();
            let started = Bridge::start(move |event| drop(events.send(Event::Bridge(event))));
            match started {
                Ok(bridge) => self.own = Some(Arc::new(bridge)),
                Err(e) => troubles.push(format!("no thread for language servers: {e}")),
            }
        }
        if let Some(bridge) = &self.own {
            bridge.configure(specs.iter().map(|(spec, _)| spec.clone()).collect());
        }
        self.keep_answers();
        self.keeping = Keeping::of(specs);
        self.queues = None;
        if !troubles.is_empty() {
            self.troubles.insert("servers", troubles.join("\n"));
        }
        self.changed();
        self.questions_due(false);
    }

    fn spec(&self, server: &OwnServer) -> Result<Spec, String> {
        let command = (!server.command.is_empty()).then_some(&server.command[..]);
        let mut spec = entry(&server.name, command)?;
        spec.guard = borrowed::guard()?;
        borrowed::merge_options(&mut spec, &server.options);
        spec.roots = self.roots.iter().filter_map(from_proto::path).collect();
        spec.memory_bytes = server.memory_mb << 20;
        spec.budget = (server.budget > 0).then_some(server.budget);
        spec.start_timeout = Duration::from_secs(server.start_timeout_s.min(86_400));
        Ok(spec)
    }
}
