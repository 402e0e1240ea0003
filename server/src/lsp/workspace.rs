//! What the loop does about the workspace: roots, settings, documents and files on their way to the engine.

use std::path::PathBuf;

use serde_json::{Value, json};
use tower_lsp_server::ls_types::{Uri, WatchKind};

use super::asked::Purpose;
use super::engine::{Limits, Order, Reads};
use super::from_proto;
use super::main_loop::MainLoop;
use super::outbox::Refresh;
use super::watch::{DiskChange, Health, Watch};
use crate::config::Settings;

impl MainLoop {
    pub fn ask(&mut self, method: &'static str, params: Value, purpose: Purpose) {
        self.asked
            .send(&self.transport.outbox, method, params, purpose);
    }

    /// Tells the engine which folders are open. Roots that are no files (a virtual workspace) are not read.
    pub fn roots_changed(&mut self) {
        self.generation += 1;
        self.reading = true;
        self.glance_later();
        self.engine.order(Order::Roots {
            uris: self.roots.clone(),
            generation: self.generation,
        });
        self.configure_servers();
        self.look_for_ignored();
        self.changed();
        self.tell_health();
    }

    /// Hears of changed files from the client where it offers that, else from a watcher of our own.
    pub fn watch_files(&mut self, languages: &[Reads]) {
        if self.watch_word() != "off" {
            return;
        }
        if self.client.watches_files() {
            self.watched_by_client = true;
            let mut extensions: Vec<&str> = languages
                .iter()
                .flat_map(|language| language.extensions)
                .copied()
                .collect();
            extensions.sort_unstable();
            extensions.dedup();
            // Manifests of every kind, and rules about what is ignored.
            extensions.extend(["toml", "json", "jsonc", "yaml", "yml"]);
            let watchers = json!([
                { "globPattern": format!("**/*.{{{}}}", extensions.join(",")) },
                { "globPattern": "**/{.gitignore,.ignore}" },
                // A folder that goes takes its files with it, and only the folder is reported.
                { "globPattern": "**/*", "kind": WatchKind::Delete.bits() },
            ]);
            return self.register(
                "workspace/didChangeWatchedFiles",
                json!({ "watchers": watchers }),
            );
        }
        match Watch::start(self.events.clone()) {
            Ok(watch) => self.watch = Some(watch),
            Err(why) => self.watch_health = Some(Health::Degraded { folders: 0, why }),
        }
    }

    /// Who sees changes on disk.
    pub fn watch_word(&self) -> &'static str {
        match (&self.watch, self.watched_by_client) {
            (_, true) => "client",
            (Some(_), _) => "server",
            (None, false) => "off",
        }
    }

    pub fn disk_changed(&mut self, change: DiskChange) {
        if let Some(bridge) = self.bridge() {
            match &change {
                DiskChange::Paths(paths) => bridge.changed(Some(paths)),
                DiskChange::Anywhere => bridge.changed(None),
            }
        }
        let settings = |path: &PathBuf| path.ends_with("settings.json");
        if matches!(&change, DiskChange::Paths(paths) if paths.iter().any(settings)) {
            self.look_for_ignored();
        }
        self.engine.order(Order::Disk(change));
    }

    pub fn settings_changed(&mut self) {
        self.changed();
        self.engine.order(Order::Limits(limits(&self.settings)));
        if self.client.code_lens_refresh() {
            self.transport.outbox.refresh(Refresh::CodeLens);
        }
        if self.client.options.changed {
            let uris: Vec<Uri> = self.documents.iter().map(|(uri, _)| uri.clone()).collect();
            self.transport.outbox.changed(self.revision, uris);
        }
        self.findings_due();
        self.configure_servers();
        self.tell_health();
        self.questions_due(false);
    }

    /// Remembers that the engine has to be told of a document at the end of the turn.
    pub fn touched(&mut self, uri: &Uri) {
        self.edited(uri);
        self.glance_again();
        if !self.just_edited.contains(uri) {
            self.just_edited.push(uri.clone());
        }
        if !self.dirty.contains(uri) {
            self.dirty.push(uri.clone());
        }
    }

    /// Passes on what this turn changed: one order per document however many edits there were.
    pub fn end_turn(&mut self) {
        for uri in std::mem::take(&mut self.dirty) {
            let path = from_proto::path(&uri);
            let order = match self.documents.get(&uri) {
                Some(document) => Order::Document {
                    uri,
                    path,
                    text: document.text.clone(),
                },
                None => Order::Closed { uri },
            };
            self.engine.order(order);
        }
        let stamp = self.documents.stamp(None);
        if stamp != self.told_stamp {
            self.told_stamp = stamp;
            self.engine.order(Order::Stamp(stamp));
        }
    }
}

/// What the settings say of how much is read.
pub fn limits(settings: &Settings) -> Limits {
    Limits {
        max_file_bytes: settings.files_max_size_kb << 10,
        memory_bytes: settings.memory_limit_mb << 20,
    }
}
