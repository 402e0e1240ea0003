//! The workspace graph: apply changes, resolve sites, answer questions.
//!
//! The engine sees facts and rules. It knows no grammar, no language by name,
//! no protocol, no disk and no clock.

mod languages;
mod resolve;
mod state;

pub use languages::Languages;
pub use resolve::{FileEdges, resolve_file};
pub use state::{Ctx, Db, Dep, Deps, Entry, FileEntry, ImportRef, Loc, Memos, Ns, Presence, What};
