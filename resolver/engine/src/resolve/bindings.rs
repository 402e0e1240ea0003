//! What names bound in bodies and in patterns hold.

use super::infer::{Body, How, Known};
use super::members::{Found, Side};
use super::names::Def;
use super::types::{Subst, T, no_args};
use crate::state::{ImportRef, Ns};
use std::sync::Arc;
use surefoot_facts::{BindIdx, BindKind, Expr, ExprIdx, Flags, Name, SymIdx, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolKind};

impl Body<'_, '_> {
    pub(crate) fn binding(&self, at: BindIdx) -> Known {
        if let Some(known) = self.bindings.borrow().get(&at.0) {
            return known.clone();
        }
        self.bindings
            .borrow_mut()
            .insert(at.0, Known::unknown(Cause::Cycle));
        let (mut known, convention) = self.ctx.apart(|| self.binding_now(at));
        known.how.rest_on(convention);
        self.bindings.borrow_mut().insert(at.0, known.clone());
        known
    }

    pub(super) fn binding_now(&self, at: BindIdx) -> Known {
        let ctx = self.ctx;
        let Some(b) = at.get().and_then(|i| self.at.facts.bindings.get(i)) else {
            return Known::unknown(Cause::Miss);
        };
        let step = self.step(Slot::Binding {
            item: self.at.item,
            index: at.0,
        });
        match b.kind {
            BindKind::Symbol(s) => {
                let symbol = ctx.bound(self.at, at, s);
                Known::new(ctx.value_of(symbol), Rule::LocalScope)
            }
            BindKind::Import(imp) => {
                let i = ImportRef {
                    file: self.at.file.id,
                    item: self.at.item,
                    imp,
                };
                let named = ctx.import(i, Ns::Value);
                let t = match named.def {
                    Def::Symbol(s) => ctx.value_of(s),
                    Def::Outside => T::Outside,
                    Def::Folder(f) => T::Folder(self.near(), f),
                    Def::Gap(c) => T::Unknown(c),
                    _ => T::UNKNOWN,
                };
                let rule = match named.def {
                    Def::Outside => Rule::OutsideImport,
                    _ => Rule::Import,
                };
                Known {
                    t,
                    how: How::new(rule).via(step),
                }
            }
            BindKind::TypeParam { of, index } => {
                let t = T::Param(self.at.id(of), index);
                Known::new(T::Static(Arc::new(t)), Rule::LocalScope)
            }
            BindKind::SelfParam { of } => {
                let method = self.at.facts.symbol(of);
                let parent = method.map_or(SymIdx::NONE, |s| s.parent);
                let this = ctx.self_type(self.at.id(parent));
                if method.is_some_and(|s| s.flags.has(Flags::STATIC)) {
                    return Known::new(T::Static(Arc::new(this)), Rule::SelfMember);
                }
                // `self: Pin<&mut Self>` holds the wrapper, as it is written.
                let written = method
                    .and_then(|s| s.signature.as_deref())
                    .filter(|s| s.receiver.is_known())
                    .map(|s| ctx.lower(self.at, s.receiver));
                let t = match (written, &this) {
                    (Some(T::Nom(w, args)), T::Nom(s, _)) if w != *s => T::Nom(w, args),
                    (Some(T::Nom(w, args)), T::Param(..) | T::Tuple(_)) => T::Nom(w, args),
                    _ => this,
                };
                Known::new(t, Rule::SelfMember)
            }
            BindKind::Param { .. } | BindKind::Local => {
                if b.ty.is_known() {
                    let t = ctx.lower(self.at, b.ty);
                    if t.is_known() || !b.value.is_known() {
                        return Known {
                            t,
                            how: How::new(Rule::ReceiverType).via(step),
                        };
                    }
                }
                let known = self.infer(b.value);
                let rule = match known.how.rule {
                    Rule::ReceiverConstructed | Rule::ReceiverResult | Rule::ObjectMember => {
                        known.how.rule
                    }
                    _ => Rule::ReceiverInferred,
                };
                let mut how = How::new(rule).via(step).on(&known.how);
                how.exact = known.how.exact && !b.reassigned;
                Known { t: known.t, how }
            }
        }
    }

    pub(super) fn record_type(&self, path: ExprIdx) -> T {
        let ctx = self.ctx;
        let (mut at, mut args) = (path, no_args());
        if let Expr::TypeArgs { base, args: list } = self.at.facts.expr(at) {
            args = self
                .at
                .facts
                .ty_list(list)
                .map(|t| ctx.lower(self.at, t))
                .collect();
            at = base;
        }
        let named = ctx.path(self.at, at, Ns::Type, 0);
        match named.def {
            Def::Symbol(s) => match ctx.kind(s) {
                Some(SymbolKind::Variant) => {
                    let owner = ctx.parent(s).unwrap_or(s);
                    T::Nom(
                        owner,
                        ctx.own_params(owner).iter().map(|_| T::UNKNOWN).collect(),
                    )
                }
                _ => ctx.named_type(s, args),
            },
            Def::SelfOf(s) => ctx.self_type(s),
            Def::Outside => T::Outside,
            _ => match self.at.facts.expr(at) {
                // `Self::Variant { .. }`
                Expr::Scoped { base, name } => match self.type_head(base).t {
                    T::Static(of) => match ctx.member(&of, name, Side::Static) {
                        Found::One(m) if ctx.kind(m.symbol) == Some(SymbolKind::Variant) => {
                            (*of).clone()
                        }
                        _ => ctx.project(&of, name),
                    },
                    _ => T::UNKNOWN,
                },
                _ => T::UNKNOWN,
            },
        }
    }

    /// A field of a value matched as a variant or struct.
    pub(super) fn variant_field(&self, base: ExprIdx, path: ExprIdx, field: Name) -> Known {
        let ctx = self.ctx;
        let value = self.infer(base);
        let mut at = path;
        while let Expr::TypeArgs { base, .. } = self.at.facts.expr(at) {
            at = base;
        }
        let named = ctx.path(self.at, at, Ns::Value, 0);
        let of = match named.def {
            Def::Symbol(s) => Some(s),
            Def::SelfOf(s) => match ctx.self_type(s) {
                T::Nom(s, _) => Some(s),
                _ => None,
            },
            _ => match self.at.facts.expr(at) {
                Expr::Scoped { base, name } => {
                    match ctx.member(&self.type_head(base).t, name, Side::Static) {
                        Found::One(m) => Some(m.symbol),
                        _ => None,
                    }
                }
                _ => None,
            },
        };
        let Some(of) = of else {
            return Known::unknown(Cause::NoReceiverType);
        };
        let owner = match ctx.kind(of) {
            Some(SymbolKind::Variant) => ctx.parent(of).unwrap_or(of),
            _ => of,
        };
        let Some(&member) = ctx.own_members(of, field).first() else {
            return Known::unknown(Cause::NoReceiverType);
        };
        // Through references and boxes to the enum itself.
        let mut t = value.t.clone();
        for _ in 0..4 {
            match &t {
                T::Nom(s, _) if *s == owner => break,
                _ => match ctx.op(&t, ops::DEREF) {
                    Some(next) if next != t => t = next,
                    _ => break,
                },
            }
        }
        let args = match &t {
            T::Nom(s, args) if *s == owner => args.clone(),
            _ => ctx.own_params(owner).iter().map(|_| T::UNKNOWN).collect(),
        };
        let t = ctx.normal(&Subst::of(owner, &args).apply(&ctx.value_type(member)));
        let how = How::new(Rule::ReceiverField)
            .via(ctx.via(member, Slot::WrittenType))
            .on(&value.how);
        Known { t, how }
    }
}
