//! From sites to outcomes: one semantic core, steered by each language's rules.

mod edges;

pub use edges::FileEdges;

use crate::state::Ctx;
use surefoot_graph::{Cause, FileId, Outcome};

/// A derived value of the workspace.
#[derive(Clone)]
pub enum Value {
    Cycle,
}

impl Value {
    pub(crate) fn cycle() -> Value {
        Value::Cycle
    }
}

/// Resolves every site of a file: a function of its own facts and of what it
/// reads through `ctx`.
pub fn resolve_file(ctx: &Ctx<'_>, file: FileId) -> FileEdges {
    let count = ctx.db.file(file).map_or(0, |f| f.site_count());
    FileEdges::new(
        (0..count)
            .map(|_| Outcome::undetermined(Cause::NoReceiverType))
            .collect(),
    )
}
