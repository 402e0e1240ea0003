//! One file per request; each answers on an immutable view, exactly once.

pub mod initialize;
pub mod selftest;
