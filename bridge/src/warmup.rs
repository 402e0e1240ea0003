//! Whether a server has read what it needs, from what it says by itself.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::table::Ready;

/// No progress for this long after the last one ended: a server begins its next one at once or not at all.
const QUIET: Duration = Duration::from_millis(400);
/// A server that shows no progress gets this long to begin one.
const FIRST: Duration = Duration::from_millis(1_500);

/// Listens from `initialized` on.
pub struct Warmup {
    ready: Ready,
    open: BTreeMap<String, String>,
    quiet_from: Instant,
    said_ready: bool,
    trouble: Option<String>,
}

impl Warmup {
    pub fn new(ready: Ready) -> Warmup {
        Warmup {
            ready,
            open: BTreeMap::new(),
            quiet_from: Instant::now() + FIRST,
            said_ready: false,
            trouble: None,
        }
    }

    /// Takes a notification of the server.
    pub fn hear(&mut self, method: &str, params: &Value) {
        match method {
            "$/progress" => self.progress(params),
            "experimental/serverStatus" => {
                // A server that says it at all is believed about it.
                self.ready = Ready::ServerStatus;
                self.said_ready = params["quiescent"] == true;
                let well = matches!(params["health"].as_str(), None | Some("ok"));
                let words = params["message"]
                    .as_str()
                    .unwrap_or("it says that it is not well");
                self.trouble = (!well).then(|| words.chars().take(300).collect());
            }
            "language/status" if self.ready == Ready::LanguageStatus => {
                self.said_ready |= params["type"] == "ServiceReady";
            }
            _ => {}
        }
    }

    fn progress(&mut self, params: &Value) {
        let token = params["token"].to_string();
        let value = &params["value"];
        let words = |key: &str| {
            value[key]
                .as_str()
                .map(|text| text.chars().take(80).collect())
        };
        match value["kind"].as_str() {
            Some("begin") if self.open.len() < 64 => {
                let title: Option<String> = words("title");
                self.open.insert(token, title.unwrap_or_default());
            }
            Some("end") => {
                self.open.remove(&token);
                self.quiet_from = Instant::now() + QUIET;
            }
            _ => {}
        }
    }

    /// What it says it is doing.
    pub fn busy(&self) -> Option<&str> {
        self.open.values().next().map(String::as_str)
    }

    /// What it says is wrong with it. What it does not find then means nothing.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    pub fn is_ready(&self) -> bool {
        match self.ready {
            Ready::Progress => self.open.is_empty() && Instant::now() >= self.quiet_from,
            Ready::ServerStatus | Ready::LanguageStatus => self.said_ready,
        }
    }

    /// When to look again, where only time tells.
    pub fn look_at(&self) -> Option<Instant> {
        (self.ready == Ready::Progress && self.open.is_empty()).then_some(self.quiet_from)
    }
}
