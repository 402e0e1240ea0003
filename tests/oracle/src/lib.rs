//! Random edits: the incremental state equals a new one, the delta the difference.
//!
//! A script is a small workspace and a list of updates, made from a seed. After
//! each update the state is compared with one made from nothing, field by field.

mod dump;
mod edits;
mod judge;
mod minimise;
mod plan;
mod python;
mod rust;
mod script;
mod typescript;

pub use edits::{Kind, Past, step};
pub use judge::{Failure, Seen, judge, setup};
pub use minimise::minimise;
pub use script::{Files, Script, Step};
pub use surefoot_fixture::Rng;

/// The script of a seed. `known` are workspaces to start from beside the ones
/// that are made up.
pub fn script(seed: u64, steps: usize, known: &[(Kind, Script)]) -> Script {
    let mut rng = Rng::new(seed);
    let made_up = match rng.below(3) {
        0 => Kind::Rust,
        1 => Kind::TypeScript,
        _ => Kind::Python,
    };
    let (kind, start) = match rng.choose(known) {
        Some((kind, script)) if rng.one_in(3) => (*kind, script.start.clone()),
        _ => (made_up, made_up.workspace(&mut rng)),
    };
    let mut script = Script {
        start,
        steps: Vec::new(),
    };
    let mut tree = script.start.clone();
    let mut past = Past::default();
    for _ in 0..steps {
        script
            .steps
            .push(step(&mut rng, kind, &mut tree, &mut past));
    }
    script
}
