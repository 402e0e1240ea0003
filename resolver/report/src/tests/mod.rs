//! What a reader of a report relies on, on a small tree written by hand.

mod recompute;
pub(crate) mod sample;
mod verify;
mod view;
