//! The engine over the toy language: work, deltas, snapshots, features.
//!
//! No grammar is seen here; what a language adds is tested in its folder.

mod delta;
mod features;
mod keys;
mod robust;
mod snapshot;
mod tree;
