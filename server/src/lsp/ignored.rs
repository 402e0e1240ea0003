//! Settings of a workspace that name a program to run: never obeyed, and said, once as a message and in the status
//! as long as they stand there.

use std::path::Path;

use serde_json::json;

use super::from_proto;
use super::main_loop::{Event, MainLoop};
use super::pool::Lane;
use crate::config::{PREFIX, Scope, TABLE};

/// Files of a workspace in which editors keep settings.
const FILES: &[&str] = &[
    ".vscode/settings.json",
    ".zed/settings.json",
    ".nvim/settings.json",
];
/// Larger ones are no settings.
const MOST: u64 = 1 << 20;
/// Under which the status has it; the loop's own, whatever the engine publishes.
pub const KEY: &str = "ignored settings";

impl MainLoop {
    /// Looks into the settings of the open folders, off the loop.
    pub fn look_for_ignored(&mut self) {
        let roots = self.roots.iter().filter_map(from_proto::path);
        let roots: Vec<_> = roots.collect();
        let events = self.events.clone();
        self.pool.run(Lane::Background, move || {
            let found = roots.iter().filter_map(|root| ignored(root)).collect();
            let _ = events.send(Event::Ignored(found));
        });
    }

    pub fn ignored(&mut self, found: Vec<String>) {
        let words = found.join("\n");
        let known = self
            .troubles
            .get(KEY)
            .map(String::as_str)
            .unwrap_or_default();
        if words == known {
            return;
        }
        if words.is_empty() {
            self.troubles.remove(KEY);
        } else {
            self.troubles.insert(KEY, words.clone());
            let warning = 2;
            let params = json!({ "type": warning, "message": format!("Surefoot: {words}") });
            self.transport.outbox.notify("window/showMessage", params);
        }
        self.changed();
        self.tell_health();
    }
}

/// What the settings of a folder name, in words.
fn ignored(root: &Path) -> Option<String> {
    let all = FILES.iter().filter_map(|file| {
        let path = root.join(file);
        let small = path.metadata().is_ok_and(|m| m.is_file() && m.len() <= MOST);
        let text = std::fs::read_to_string(path).ok().filter(|_| small)?;
        let named = programs(&text);
        (!named.is_empty()).then(|| {
            format!(
                "{file} of this workspace sets {}, which is ignored: a program is named in the user's own settings only",
                named.join(", ")
            )
        })
    });
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The keys of a settings file that name a program. Read as text: comments and trailing commas stand in such files.
fn programs(text: &str) -> Vec<String> {
    let machine = TABLE.iter().filter(|row| row.scope == Scope::Machine);
    let keys = machine.map(|row| format!("{PREFIX}.{}", row.key));
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let text: String = lines.collect::<Vec<_>>().join("\n");
    keys.filter(|key| text.contains(&format!("\"{key}\"")) || text.contains(&format!("\"{key}.")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what names a program is said, and what stands in a comment sets nothing.
    #[test]
    fn keys_that_name_programs_are_found() {
        let text = "{\n  // \"surefoot.server.path\": \"/x\",\n  \"surefoot.bridge.servers\": { \"evil\": {} },\n  \"surefoot.hover\": \"off\",\n}";
        assert_eq!(programs(text), ["surefoot.bridge.servers"]);
        assert_eq!(programs("{ \"surefoot.codeLens.enabled\": true }"), [""; 0]);
    }
}
