//! Whether what a name or a property was given first is what it holds when it is called.

use super::infer::Body;
use super::names::At;
use super::types::T;
use crate::state::{Ctx, Dep};
use surefoot_facts::{BindKind, Expr, ExprIdx, Flags, Visibility, names};
use surefoot_graph::{Rule, SymbolId, SymbolKind};

impl Ctx<'_> {
    /// Whether a property that holds a function may hold another by the time it
    /// is called: something assigns a member of its name.
    pub(super) fn may_change(&self, member: SymbolId) -> bool {
        let Some((at, s, _)) = self.symbol(member) else {
            return false;
        };
        let in_object = self.parent(member).and_then(|p| self.kind(p)) == Some(SymbolKind::Object);
        let given = s.flags.has(Flags::PROPERTY)
            || s.kind == SymbolKind::Method && in_object
            || s.kind == SymbolKind::Field && s.value.is_known() && !s.ty.is_known();
        if !given || s.flags.has(Flags::READONLY) {
            return false;
        }
        self.read(Dep::assigned(s.name));
        let Some(files) = self.db.assigned.get(&s.name) else {
            return false;
        };
        // A private member is assigned where it is declared; an object is
        // rarely handed to another file to be changed there.
        let own = s.visibility == Visibility::Private || in_object;
        !own || files.contains(&at.file.id)
    }
}

impl Body<'_, '_> {
    /// Whether what a value was taken from is a signature, or may be replaced:
    /// what a name holds then is not known.
    pub(super) fn is_only_declared(&self, f: SymbolId) -> bool {
        let open = Flags::BODILESS | Flags::REASSIGNED;
        let (ctx, method) = (self.ctx, SymbolKind::Method);
        ctx.has_prototypes(f)
            && ctx
                .symbol(f)
                .is_some_and(|(_, s, _)| s.kind == method && s.flags.has(open))
    }

    /// Whether a value is a function by name or in place, or one that a function
    /// of this tree makes and returns: only then is what it is bound to an alias.
    pub(super) fn function_held(&self, at: At<'_>, value: ExprIdx) -> Held {
        let held = names_a_function(at, value);
        let ctx = self.ctx;
        let Expr::Call { callee, .. } = at.facts.expr(value) else {
            return held;
        };
        if held != Held::Unknown || !ctx.has_prototypes(at.file.module) {
            return held;
        }
        let Some(at) = ctx.at(at.file.id, at.item) else {
            return Held::Unknown;
        };
        match Body::new(ctx, at).infer(callee).t {
            // A library's function that gives what it is given.
            T::Fn(f, _) if ctx.is_prelude(f) => match ctx.result_of(f) {
                T::Param(of, _) if of == f => Held::Made,
                _ => Held::Unknown,
            },
            T::Fn(f, _) if !ctx.result_is_written(f) => Held::Made,
            _ => Held::Unknown,
        }
    }
}

/// What a value says of the function it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// It is written there or named.
    Named,
    /// A call that is understood makes it.
    Made,
    Unknown,
}

impl Held {
    /// What an alias of it rests on.
    pub(super) fn convention(self) -> Option<Rule> {
        (self == Held::Made).then_some(Rule::MadeFunction)
    }
}

/// Whether a value is a function by name or in place, rather than what some
/// call gives.
fn names_a_function(at: At<'_>, mut value: ExprIdx) -> Held {
    let mut held = Held::Named;
    for _ in 0..64 {
        match at.facts.expr(value) {
            Expr::Cast { base, .. } | Expr::TypeArgs { base, .. } | Expr::Ref(base) => value = base,
            // A bound function runs the function it was bound from.
            Expr::Call { callee, .. } => match at.facts.expr(callee) {
                Expr::Member { base, name } if name == names::bind() => {
                    (value, held) = (base, Held::Made);
                }
                _ => return Held::Unknown,
            },
            // What a caller gives is named by nobody here.
            Expr::Local(b) => {
                let bound = b.get().and_then(|b| at.facts.bindings.get(b));
                let given = bound.is_some_and(|b| matches!(b.kind, BindKind::Param { .. }));
                return if given { Held::Unknown } else { held };
            }
            Expr::Free { .. }
            | Expr::Scoped { .. }
            | Expr::Member { .. }
            | Expr::Method { .. }
            | Expr::Lambda(_)
            | Expr::Object(_)
            | Expr::SelfType(_)
            | Expr::Earlier { .. }
            | Expr::Unknown => return held,
            _ => return Held::Unknown,
        }
    }
    Held::Unknown
}
