//! The disk as the resolver sees it: what a root holds, the text of a file, and facts kept from last time.
//!
//! The only resolver crate that touches the disk, the environment or a clock; `resolver/clippy.toml`
//! keeps the others from it. It knows no language: what is a source file is the caller's predicate.
//! Nothing here ever leads out of the root, and whatever is not read comes back with a reason.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is the resolver's one door to the disk, the environment and the clock"
)]

mod cache;
mod digest;
mod gate;
mod path;
mod read;
mod root;
mod skip;
mod stamp;
mod text;
mod walk;

pub use cache::{
    CacheSize, FactsCache, Imported, MAX_CACHE_BYTES, NewFacts, NotImported, StatRow, Written,
    artefact,
};
pub use digest::{Digest, hash_bytes};
pub use path::{BadPath, RelPath};
pub use read::{FileText, Presence, exists, read, read_entry, read_through_links};
pub use root::{Nesting, Refusal, Root};
pub use skip::{ReasonCode, Skipped};
pub use stamp::Stamp;
pub use text::{Encoding, Undecodable, decode};
pub use walk::{Entry, Walk, WalkOptions, Wanted, walk};

/// The largest file that is read unless the caller says otherwise: 4 MiB, where generated bundles
/// begin and hand-written code has long ended.
pub const MAX_FILE_BYTES: u64 = 4 << 20;
