//! What a person sees of the disk through this crate: lists, texts, reasons and a cache.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "these tests build the trees they read"
)]

mod cache;
mod read;
mod tree;
mod walk;
