//! Bytes to facts, frames to the server, documents to the report reader: what
//! strangers can hand in, handed in broken.

mod corpus;
mod frames;
mod mutate;
mod sound;
mod targets;

pub use corpus::{Seed, seeds};
pub use frames::server;
pub use surefoot_fixture::Rng;
pub use targets::{Input, Target, input, run};

/// Runs an input and turns a panic into the words of it.
pub fn attempt(target: Target, input: &Input) -> Result<(), String> {
    let run = std::panic::AssertUnwindSafe(|| run(target, input));
    std::panic::catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("panicked: {}", text.unwrap_or_default()))
    })
}
