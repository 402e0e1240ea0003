//! The settings of the server: one table, read tolerantly, from which schema, page and package.json are made.

mod export;
mod read;
mod table;

pub use export::{Format, dump};
pub use read::{Problem, read};
pub use table::{
    Default, Kind, Mode, OwnServer, Provider, Scope, Setting, Settings, Severity, TABLE, Trace,
    Verbosity,
};

/// Every key as the user writes it begins with this.
pub const PREFIX: &str = "surefoot";
