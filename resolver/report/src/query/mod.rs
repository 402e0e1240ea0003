//! One question to a report that is kept: answered from an index beside it, without reading the report.

mod answer;
mod ask;
mod names;
mod store;
mod walk;

pub use answer::{Budget, Limits};
pub use ask::{Question, ask};
pub use store::{Damaged, QueryIndex};
