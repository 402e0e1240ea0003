//! What the integration tests share: the real binary, and a client that talks to it over a real pipe.

mod binary;
mod client;
mod wire;

pub use binary::{cache, fake_server, surefoot};
pub use client::{Builder, Client, Failed, wait_until};
