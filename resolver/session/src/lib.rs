//! Walk, facts, apply: joins the disk, the languages and the engine.
//!
//! What the command line, the server, `verify` and the tests share. One root
//! has one graph; of two nested roots the inner one owns its files.

mod kept;
mod progress;
mod read;
mod root;
mod session;
mod suppress;

pub use kept::{Keep, Keeper, export_facts, import_facts};
pub use progress::{Progress, Watch};
pub use root::{Analyzed, ConfigInput, RootSession, Standing};
pub use session::{Options, Session};
pub use suppress::Suppressions;

pub use surefoot_engine::{Applied, Cancel, Change, FileChange, Pool, Snapshot};
pub use surefoot_files::{
    Digest, Imported, NotImported, ReasonCode, Refusal, RelPath, Root, Skipped, WalkOptions,
    Written, hash_bytes,
};
