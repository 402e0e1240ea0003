//! What is expected of an expression by where it stands: the type of the
//! parameter it is passed for, of the variable or member it is assigned to.

use super::infer::{Body, How, Known};
use super::members::{Found, Side};
use super::types::{Subst, T, unify};
use crate::state::Ctx;
use surefoot_facts::{Expr, ExprIdx, Name, SymIdx, names, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind};

/// How many object literals inside one another are looked out of.
const MAX_OUT: u32 = 8;
/// How many expressions of what a function returns are looked at for one in them.
const MAX_RETURNED: u32 = 20_000;

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
        if let Some((call, position)) = symbol.context
            && let Some(known) = self.expected_argument(call, position)
            && known.t.is_known()
            && (!matches!(known.t, T::Param(..)) || self.param_of(&known.t, 0).is_some())
        {
            return Some(known);
        }
        if let Some(known) = self.expected_result(of) {
            return Some(known);
        }
        if symbol.context.is_some() {
            return None;
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

    /// The type of what stands somewhere in what the function around returns, by
    /// its written result.
    fn expected_result(&self, of: SymIdx) -> Option<Known> {
        let ctx = self.ctx;
        let around = self.at.facts.symbol(of)?.parent;
        let signature = self.at.facts.symbol(around)?.signature.as_deref()?;
        if !signature.result.is_known() {
            return None;
        }
        let mut steps = MAX_RETURNED;
        let mut path = Vec::new();
        let mut all = self.at.facts.expr_list(signature.returns);
        if !all.any(|e| self.leads_to(e, of, &mut path, &mut steps)) {
            return None;
        }
        let mut t = ctx.lower(self.at, signature.result);
        for (e, index) in path.into_iter().rev() {
            t = ctx.normal(&self.part_expected(e, index, &t)?);
        }
        let how = How::new(Rule::ReceiverInferred).via(ctx.via(self.at.id(around), Slot::Result));
        Some(Known { t, how })
    }

    /// The way from an expression to a function written in it, innermost first.
    fn leads_to(
        &self,
        e: ExprIdx,
        of: SymIdx,
        path: &mut Vec<(ExprIdx, usize)>,
        steps: &mut u32,
    ) -> bool {
        if *steps == 0 || path.len() > 32 {
            return false;
        }
        *steps -= 1;
        let parts = match self.at.facts.expr(e) {
            Expr::Lambda(s) => return s == of,
            Expr::OneOf(list) | Expr::Tuple(list) | Expr::Array(list) => list,
            Expr::Call { args, .. } => args,
            _ => return false,
        };
        for (index, part) in self.at.facts.expr_list(parts).enumerate() {
            if self.leads_to(part, of, path, steps) {
                path.push((e, index));
                return true;
            }
        }
        false
    }

    /// What is expected of a part of an expression of which `t` is expected.
    fn part_expected(&self, e: ExprIdx, index: usize, t: &T) -> Option<T> {
        let ctx = self.ctx;
        match self.at.facts.expr(e) {
            Expr::OneOf(_) => Some(t.clone()),
            Expr::Array(_) => ctx.op(t, ops::ELEM),
            Expr::Tuple(_) => match t {
                T::Tuple(parts) => parts.get(index).cloned(),
                _ => None,
            },
            Expr::Call { callee, .. } => match self.infer(callee).t {
                T::Fn(f, subst) => match ctx.kind(f) {
                    Some(SymbolKind::Variant | SymbolKind::Struct) => {
                        self.field_expected(f, index, t)
                    }
                    _ => {
                        let mut subst = (*subst).clone();
                        unify(&ctx.result_of(f), t, &mut subst);
                        let p = ctx.signature(f).params.get(index)?.t.clone();
                        Some(subst.apply(&p))
                    }
                },
                T::Static(of) => match &*of {
                    T::Nom(s, _) => self.field_expected(*s, index, t),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a field of a tuple struct or variant that makes a `t`.
    fn field_expected(&self, of: SymbolId, index: usize, t: &T) -> Option<T> {
        let ctx = self.ctx;
        let T::Nom(owner, args) = t else { return None };
        let made = ctx.kind(of) == Some(SymbolKind::Variant);
        if *owner != of && !(made && ctx.parent(of) == Some(*owner)) {
            return None;
        }
        let field = ctx.own_members(of, Name::new(&index.to_string()));
        let field = ctx.value_type(*field.first()?);
        Some(Subst::of(*owner, args).apply(&field))
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
            T::Nom(..) if new => member(&known.t, Name::new(ops::NEW), Side::Method)?,
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
    pub(super) fn as_base(&self, t: &T, base: SymbolId, depth: u32) -> Option<T> {
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
