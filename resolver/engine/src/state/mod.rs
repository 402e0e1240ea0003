//! Sums, memos and the one kind of invalidation.
//!
//! Base values are sums of what each file contributes; derived values are
//! memoised with the base values they read, misses included; whoever read a
//! value that changed is asked again, and nobody else. This module is the only
//! place that knows how.

mod db;
mod diff;
mod kept;
mod key;
mod memo;
mod readers;
mod reads;
mod rests;
mod shared;

pub(crate) use db::FileIndex;
pub use db::{Db, Entry, FileEntry, ImportRef, Loc, Presence, What};
pub(crate) use diff::changed_keys;
pub use key::{Dep, Ns, Reach};
pub(crate) use memo::both;
pub use memo::{Ctx, Memos};
pub(crate) use rests::Part;
pub use rests::Rests;
pub(crate) use shared::Shared;
