//! What is expected of an expression by where it stands: the type of the
//! parameter it is passed for, of the variable or member it is assigned to.

use super::infer::{Body, How, Known};
use super::members::{Found, Side};
use super::types::T;
use crate::state::Ctx;
use surefoot_facts::{Expr, ExprIdx, Name, SymIdx, names, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolKind};

/// How many object literals inside one another are looked out of.
const MAX_OUT: u32 = 8;

impl Body<'_, '_> {
    /// The type of a function expression's parameter, by where it stands.
    pub(super) fn lambda_param(&self, lambda: SymIdx, index: u32) -> Known {
        let none = || Known::unknown(Cause::NoReceiverType);
        let Some(expected) = self.expected(lambda, 0) else {
            return none();
        };
        let t = self
            .param_of(&expected.t, index)
            .map(|t| self.ctx.normal(&t));
        Known {
            t: t.unwrap_or(T::UNKNOWN),
            how: expected.how,
        }
    }

    /// The type that is expected of a function or object written in place.
    fn expected(&self, of: SymIdx, depth: u32) -> Option<Known> {
        let ctx = self.ctx;
        let symbol = self.at.facts.symbol(of)?;
        if symbol.ty.is_known() {
            let t = ctx.lower(self.at, symbol.ty);
            let how = How::new(Rule::ReceiverType).via(ctx.via(self.at.id(of), Slot::WrittenType));
            return Some(Known { t, how });
        }
        if let Some((call, position)) = symbol.context {
            return self.expected_argument(call, position);
        }
        if depth >= MAX_OUT {
            return None;
        }
        // A member of an object literal: what is expected of the object says it.
        let parent = self.at.facts.symbol(symbol.parent)?;
        match parent.kind {
            SymbolKind::Object if !symbol.name.is_empty() => {
                let object = self.expected(symbol.parent, depth + 1)?;
                let Found::One(m) = ctx.member(&object.t, symbol.name, Side::Instance) else {
                    return None;
                };
                let t = match ctx.kind(m.symbol) {
                    Some(SymbolKind::Method) => self.arrow(&ctx.member_value(&m))?,
                    _ => ctx.member_value(&m),
                };
                Some(Known {
                    t,
                    how: self.weaken(object.how),
                })
            }
            SymbolKind::Field | SymbolKind::Variable
                if matches!(self.at.facts.expr(parent.value),
                    Expr::Object(s) | Expr::Lambda(s) if s == of) =>
            {
                self.expected(symbol.parent, depth + 1)
            }
            _ => None,
        }
    }

    /// The type of the parameter that an argument is passed for.
    fn expected_argument(&self, call: ExprIdx, position: u16) -> Option<Known> {
        let ctx = self.ctx;
        let (callee, args, new) = match self.at.facts.expr(call) {
            Expr::Call { callee, args, .. } => (callee, args, false),
            Expr::New { callee, args, .. } => (callee, args, true),
            _ => return None,
        };
        let known = self.infer(callee);
        let member = |t: &T, name: Name, side: Side| match ctx.member(t, name, side) {
            Found::One(m) => Some((m.symbol, m.subst)),
            _ => None,
        };
        let (f, subst) = match &known.t {
            T::Fn(f, s) => (*f, (**s).clone()),
            T::Static(of) if new => member(of, names::constructor(), Side::Static)?,
            T::Nom(..) if new => {
                member(&known.t, Name::new(surefoot_facts::ops::NEW), Side::Method)?
            }
            T::Nom(..) | T::All(_) => member(&known.t, Name::new(ops::CALL), Side::Method)?,
            T::Arrow(f) => {
                let t = f.0.get(position as usize)?.clone();
                let how = self.weaken(known.how);
                return Some(Known { t, how });
            }
            _ => return None,
        };
        let sig = ctx.signature(f);
        let at = position as usize;
        let p = sig
            .params
            .get(at)
            .or(sig.params.last().filter(|p| p.rest))?;
        let subst = self.bind_args(f, subst, args, Some(position));
        let mut t = subst.apply(&p.t);
        if p.rest
            && let Some(part) = ctx.op(&t, ops::ELEM)
        {
            t = part;
        }
        let t = subst.apply(&ctx.normal(&t));
        let how = How::new(Rule::ReceiverInferred)
            .via(ctx.via(f, Slot::Parameter(position)))
            .on(&known.how);
        Some(Known { t, how })
    }

    /// The n-th parameter of a type that is called.
    pub(super) fn param_of(&self, t: &T, index: u32) -> Option<T> {
        let ctx = self.ctx;
        match t {
            T::Arrow(f) => f.0.get(index as usize).cloned(),
            T::Param(o, i) => ctx.bounds(*o, *i).iter().find_map(|b| match b {
                T::Arrow(_) => self.param_of(b, index),
                _ => None,
            }),
            T::All(parts) | T::Union(parts) => parts.iter().find_map(|p| self.param_of(p, index)),
            T::Nom(..) => match ctx.member(t, Name::new(ops::CALL), Side::Method) {
                Found::One(m) => {
                    let sig = ctx.signature(m.symbol);
                    let p = sig
                        .params
                        .get(index as usize)
                        .or(sig.params.last().filter(|p| p.rest))?;
                    let t = m.subst.apply(&p.t);
                    match p.rest {
                        true => ctx.op(&t, ops::ELEM),
                        false => Some(t),
                    }
                }
                // A box of a function.
                _ => match ctx.op(t, ops::DEREF) {
                    Some(next) if next != *t => self.param_of(&next, index),
                    _ => None,
                },
            },
            _ => None,
        }
    }
}

impl Ctx<'_> {
    /// A type as one of its bases, with what the base's parameters stand for.
    pub(super) fn as_base(&self, t: &T, base: surefoot_graph::SymbolId, depth: u32) -> Option<T> {
        let T::Nom(s, args) = t else { return None };
        if *s == base {
            return Some(t.clone());
        }
        if depth > 16 {
            return None;
        }
        let subst = super::types::Subst::of(*s, args);
        let bases = self.bases(*s);
        bases
            .list
            .iter()
            .find_map(|(_, b)| self.as_base(&subst.apply(b), base, depth + 1))
    }
}
