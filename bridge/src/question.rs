//! What is asked and what comes back.

use std::path::PathBuf;
use std::sync::Arc;

/// What a server is asked about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    Definition,
    Implementation,
}

/// How a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// A text as the servers are to see it.
#[derive(Clone, Debug)]
pub struct Document {
    pub path: PathBuf,
    /// In the protocol's words: `rust`, `typescriptreact`.
    pub language: Arc<str>,
    pub text: Arc<str>,
    /// Of the bytes that the answer will belong to.
    pub digest: [u8; 32],
}

/// A place in a document, with the column in both countings: whoever asks has the text.
#[derive(Clone, Debug)]
pub struct Question {
    /// Given back with the answer.
    pub id: u64,
    pub path: PathBuf,
    pub digest: [u8; 32],
    pub language: Arc<str>,
    pub line: u32,
    pub utf8: u32,
    pub utf16: u32,
    pub ask: Ask,
}

/// Who answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    pub name: String,
    pub version: String,
}

/// A place as a server names it. Nothing about it has been believed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub uri: String,
    pub line: u32,
    pub column: u32,
    pub encoding: Encoding,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// At least one place.
    Places(Vec<Place>),
    /// The server looked and found nothing.
    Nothing,
    /// Nobody looked, and why, in the server's own words where it had some.
    Unavailable(String),
    /// The text was changed meanwhile.
    Stale,
}

/// The one answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub id: u64,
    pub server: Server,
    pub said: Said,
}
