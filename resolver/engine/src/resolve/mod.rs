//! From sites to outcomes: one semantic core, steered by each language's rules.

mod blocks;
mod call;
mod edges;
mod imports;
mod infer;
mod lower;
mod members;
mod modules;
mod names;
mod outcome;
mod overload;
mod paths;
mod place;
mod project;
mod scope;
mod subtypes;
mod types;
mod values;

pub use edges::FileEdges;

use crate::state::{Ctx, Dep};
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

/// Resolves every site of a file: a function of its own facts and of what it
/// reads through `ctx`.
pub fn resolve_file(ctx: &Ctx<'_>, file: FileId) -> FileEdges {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let items = ctx.db.file(file).map_or(0, |f| f.facts.items.len());
    for item in 0..items as u32 {
        let Some(at) = ctx.at(file, item) else {
            continue;
        };
        let body = Body::new(ctx, at);
        for site in &at.facts.sites {
            outcomes.push(body.resolve(site));
        }
    }
    FileEdges::new(outcomes)
}

/// The declared bases of a type that stand in the tree, with how each is named.
pub fn supertypes(ctx: &Ctx<'_>, id: SymbolId) -> Vec<(HeritageKind, SymbolId)> {
    ctx.read(Dep::shape(id));
    let blocks = ctx.impls_of(id);
    std::iter::once(id)
        .chain(blocks.iter().copied())
        .flat_map(|s| ctx.bases(s).list.clone())
        .filter(|(k, _)| *k != HeritageKind::SelfType)
        .filter_map(|(k, t)| match t {
            T::Nom(s, _) if !ctx.is_prelude(s) => Some((k, s)),
            _ => None,
        })
        .collect()
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

/// Types that name this one as base or trait, at any depth, in source order.
/// A block stands for the type it is for.
pub fn subtypes(ctx: &Ctx<'_>, id: SymbolId) -> Vec<SymbolId> {
    let mut out = Vec::new();
    for s in ctx.subtypes(id).iter() {
        let of = match ctx.bases(*s).of(HeritageKind::SelfType).next() {
            Some(T::Nom(t, _)) => *t,
            Some(_) => continue,
            None => *s,
        };
        if !out.contains(&of) && !ctx.is_prelude(of) {
            out.push(of);
        }
    }
    out
}

/// Definitions that derived types and implementing blocks give under the name
/// of this member, in source order.
pub fn overrides(ctx: &Ctx<'_>, member: SymbolId) -> Vec<SymbolId> {
    ctx.overrides(member)
}
