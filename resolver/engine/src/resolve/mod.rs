//! From sites to outcomes: one semantic core, steered by each language's rules.

mod bindings;
mod blocks;
mod bound;
mod call;
mod edges;
mod expected;
mod foreign;
mod given;
mod globs;
mod holds;
mod imports;
mod infer;
mod linear;
mod lower;
mod member_site;
mod members;
mod modules;
mod named_values;
mod names;
mod outcome;
mod overload;
mod packed;
mod paths;
mod place;
mod project;
mod scope;
mod subtypes;
mod twins;
mod types;
mod unique;
mod values;

pub(crate) use edges::FileEdges;
pub use packed::PackedEdges;
pub(crate) use packed::{Head, Plan, Run};

use crate::state::Ctx;
use blocks::BlockMember;
use infer::Body;
use lower::Bases;
use names::Named;
use std::sync::Arc;
use surefoot_facts::{HeritageKind, PackageOf, Specifier};
use surefoot_graph::{Cause, FileId, Outcome, SymbolId};
use types::T;
use values::Sig;

/// A derived value of the workspace.
#[derive(Clone)]
pub enum Value {
    /// It depends on itself.
    Cycle,
    Named(Arc<Named>),
    Module(Option<SymbolId>),
    Package(Arc<PackageOf>),
    Specifier(Arc<Specifier>),
    Bases(Arc<Bases>),
    Symbols(Arc<[SymbolId]>),
    Blocks(Arc<[BlockMember]>),
    Sig(Arc<Sig>),
    Type(T),
    Types(Arc<[T]>),
}

impl Value {
    pub(crate) fn cycle() -> Value {
        Value::Cycle
    }

    fn into_type(self) -> T {
        match self {
            Value::Type(t) => t,
            _ => T::Unknown(Cause::Cycle),
        }
    }
}

/// Resolves every site of an item: a function of its own facts and of what it
/// reads through `ctx`.
pub fn resolve_item(ctx: &Ctx<'_>, file: FileId, item: u32) -> Vec<Outcome> {
    let Some(at) = ctx.at(file, item) else {
        return Vec::new();
    };
    let body = Body::new(ctx, at);
    at.facts.sites.iter().map(|s| body.resolve(s)).collect()
}

/// The bases a declaration states itself, as it states them and in its order,
/// each with the symbol of the tree it leads to; expressions no rule reads are
/// left out.
pub(crate) fn stated_bases(ctx: &Ctx<'_>, id: SymbolId) -> Vec<(HeritageKind, Option<SymbolId>)> {
    let of = |t: &T| match t {
        T::Nom(s, _) if !ctx.is_prelude(*s) => Some(*s),
        _ => None,
    };
    let bases = ctx.bases(id);
    bases.list.iter().map(|(k, t)| (*k, of(t))).collect()
}
