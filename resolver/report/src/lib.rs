//! The report anyone can verify: its shape, its numbers, and the check against a tree.
//!
//! Pure: no disk, no clock, no absolute path. What must be read from a tree
//! comes through [`verify::Tree`], which the caller implements.

mod build;
mod compare;
mod cut;
pub mod diff;
pub mod export;
mod graph;
mod index;
pub mod model;
pub mod query;
pub mod ratchet;
mod read;
mod recompute;
mod refusal;
pub mod schema;
mod scores;
mod snapshot_id;
#[cfg(test)]
mod tests;
mod text;
pub mod verify;
pub mod view;
mod write;

pub use build::{Inputs, build};
pub use compare::{Comparison, Difference, compare};
pub use cut::Cut;
pub use index::Index;
pub use model::Report;
pub use read::{Limits, parse, read};
pub use recompute::{Disagreement, check};
pub use refusal::{Refusal, exit_code};
pub use scores::{HOTSPOT_FROM, hotspot};
pub use snapshot_id::snapshot_id;
pub use text::{Decimal, Digest, Hundredths, Millionths, Sorted, Text};
pub use write::{write, write_compressed};
