//! A small shop, read by the tests of the editors.

pub mod cart;
pub mod store;
