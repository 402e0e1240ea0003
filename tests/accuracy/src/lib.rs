//! Measures call edges against compilers on pinned projects: fetch, judge, score, compare with peers, write the table.

pub mod answers;
pub mod cache;
pub mod fetch;
pub mod figures;
pub mod judge;
pub mod marks;
pub mod members;
pub mod peers;
pub mod projects;
pub mod pycg;
pub mod round_trip;
pub mod run;
pub mod score;
pub mod show;
pub mod slice;
pub mod stats;
pub mod table;
pub mod truth;
pub mod with_server;

/// An error is a sentence for the person at the terminal; every caller adds what it was doing.
pub type Result<T> = std::result::Result<T, String>;

/// Adds what was being done to an error.
pub trait Context<T> {
    fn context(self, what: impl std::fmt::Display) -> Result<T>;
}

impl<T, E: std::fmt::Display> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl std::fmt::Display) -> Result<T> {
        self.map_err(|error| format!("{what}: {error}"))
    }
}
