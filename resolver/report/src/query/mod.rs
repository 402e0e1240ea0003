//! One question to a report that is kept: answered from an index beside it, without reading the report.

mod answer;
mod ask;
mod names;
mod store;
mod walk;

pub use answer::{Budget, Limits};
pub use ask::{Question, Stale, ask, freshness};
pub use store::{Damaged, Listing, QueryIndex};
