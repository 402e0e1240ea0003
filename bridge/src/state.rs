//! What is known of a server, for whoever shows it.

use crate::question::Server;

/// How a server stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has asked it anything.
    #[default]
    Idle,
    Starting,
    /// It runs and says that it is still reading.
    WarmingUp(String),
    Ready,
    /// It failed and is started again after a pause.
    Resting(String),
    /// It failed too often, or is not to be used, until someone says otherwise.
    Off(String),
}

impl Standing {
    /// A few words for a person.
    pub fn words(&self) -> String {
        match self {
            Standing::Idle => "not started".to_owned(),
            Standing::Starting => "starting".to_owned(),
            Standing::WarmingUp(what) if what.is_empty() => "reading".to_owned(),
            Standing::WarmingUp(what) => format!("reading: {what}"),
            Standing::Ready => "ready".to_owned(),
            Standing::Resting(why) => format!("resting: {why}"),
            Standing::Off(why) => format!("off: {why}"),
        }
    }
}

/// A server at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerState {
    pub key: String,
    pub server: Server,
    pub standing: Standing,
    pub process: Option<u32>,
    pub memory_bytes: u64,
    pub memory_bound: u64,
    pub asked: u64,
    /// Answers that named a place.
    pub placed: u64,
    /// Answers that named none.
    pub nothing: u64,
    /// Questions nobody looked at.
    pub unanswered: u64,
    /// Times it was started.
    pub starts: u64,
    pub waiting: usize,
    pub waiting_bound: usize,
    pub budget_left: Option<u64>,
    /// The last thing that went wrong, in its own words.
    pub unavailable: Option<String>,
}
