//! What the loop does about the workspace: roots, settings, documents and files on their way to the engine.

use std::path::PathBuf;

use serde_json::{Value, json};
use tower_lsp_server::ls_types::Uri;

use super::asked::Purpose;
use super::engine::Order;
use super::from_proto;
use super::main_loop::MainLoop;
use super::watch::{DiskChange, Health, Watch};

impl MainLoop {
    pub fn ask(&mut self, method: &'static str, params: Value, purpose: Purpose) {
        self.asked
            .send(&self.transport.outbox, method, params, purpose);
    }

    /// The folders that are open, as paths. Roots that are no files (a virtual workspace) are not read.
    pub fn root_paths(&self) -> Vec<PathBuf> {
        self.roots.iter().filter_map(from_proto::path).collect()
    }

    pub fn roots_changed(&mut self) {
        self.engine.order(Order::Roots(self.root_paths()));
        self.changed();
    }

    /// Hears of changed files from the client where it offers that, else from a watcher of our own.
    pub fn watch_files(&mut self) {
        if self.client.watches_files() {
            let watchers: Vec<Value> = vec![json!({ "globPattern": "**/*" })];
            self.register(
                "workspace/didChangeWatchedFiles",
                json!({ "watchers": watchers }),
            );
            return;
        }
        match Watch::start(self.events.clone()) {
            Ok(watch) => self.watch = Some(watch),
            Err(why) => self.watch_health = Some(Health::Degraded { folders: 0, why }),
        }
    }

    pub fn disk_changed(&mut self, change: DiskChange) {
        self.engine.order(Order::Disk(change));
    }

    pub fn settings_changed(&mut self) {
        self.changed();
    }

    /// Remembers that the engine has to be told of a document at the end of the turn.
    pub fn touched(&mut self, uri: &Uri) {
        self.edited(uri);
        if !self.dirty.contains(uri) {
            self.dirty.push(uri.clone());
        }
    }

    /// Passes on what this turn changed: one order per document however many edits there were.
    pub fn end_turn(&mut self) {
        for uri in std::mem::take(&mut self.dirty) {
            let Some(path) = from_proto::path(&uri) else {
                continue;
            };
            let edits = self.documents.take_pending(&uri);
            let order = match self.documents.get(&uri) {
                Some(document) => Order::Document {
                    path,
                    text: document.text.clone(),
                    edits,
                    stamp: document.stamp,
                },
                None => Order::Closed {
                    path,
                    stamp: self.documents.stamp(None),
                },
            };
            self.engine.order(order);
        }
    }
}
