//! One of several declarations of a name, by how many and what arguments it takes.

use super::infer::Body;
use super::members::Member;
use super::types::{Subst, T, unify};
use crate::state::{Ctx, What};
use surefoot_facts::{Expr, ExprIdx, Flags, HeritageKind, List, ops};
use surefoot_graph::{SymbolId, SymbolKind};

impl Body<'_, '_> {
    /// The arguments of the call a callee belongs to.
    pub(crate) fn args_of(&self, call: ExprIdx) -> Option<List> {
        match self.at.facts.expr(call) {
            Expr::Call { args, .. } | Expr::New { args, .. } => Some(args),
            _ => None,
        }
    }

    /// Whether a call with these arguments can reach the declaration, by arity
    /// and by the types both sides write.
    pub(super) fn accepts(&self, f: SymbolId, subst: &Subst, args: List) -> bool {
        let sig = self.ctx.signature(f);
        let given: Vec<ExprIdx> = self.at.facts.expr_list(args).collect();
        let spread = given
            .iter()
            .any(|e| matches!(self.at.facts.expr(*e), Expr::Spread(_)));
        if !spread {
            let least = sig.params.iter().filter(|p| !p.optional && !p.rest).count();
            let most = if sig.params.iter().any(|p| p.rest) {
                usize::MAX
            } else {
                sig.params.len()
            };
            if given.len() < least || given.len() > most {
                return false;
            }
        }
        given.iter().zip(&sig.params).all(|(e, p)| {
            if p.rest || matches!(self.at.facts.expr(*e), Expr::Lambda(_)) {
                return true;
            }
            let mut s = subst.clone();
            let pattern = s.apply(&p.t);
            let actual = self.infer(*e).t;
            match (&pattern, &actual) {
                (T::Param(o, i), t) => {
                    !t.is_known()
                        || self
                            .ctx
                            .bounds(*o, *i)
                            .iter()
                            .all(|b| self.ctx.satisfies(t, b))
                }
                (T::Nom(a, _), T::Nom(b, _)) if a != b => {
                    // A reference is passed where a pointer is asked.
                    self.ctx.op(&pattern, ops::POINTEE).is_some() || self.ctx.may_pass(*b, *a)
                }
                _ => unify(&pattern, &actual, &mut s),
            }
        })
    }

    /// The signature that a call with these arguments reaches, of those written
    /// under the callee's name, and those beside it that may be reached as well.
    pub(super) fn overload(&self, f: SymbolId, subst: &Subst, args: List) -> Vec<SymbolId> {
        let all = self.ctx.overloads(f);
        if all.is_empty() || all == [f] {
            return vec![f];
        }
        let mut fit: Vec<SymbolId> = all
            .into_iter()
            .filter(|s| self.accepts(*s, subst, args))
            .collect();
        match fit.first() {
            None => vec![f],
            Some(first) => {
                if self.surely_accepts(*first, args) {
                    fit.truncate(1);
                }
                fit
            }
        }
    }

    /// Whether nothing about the arguments is left open that could make a
    /// declaration that accepts them refuse them.
    fn surely_accepts(&self, f: SymbolId, args: List) -> bool {
        let sig = self.ctx.signature(f);
        let mut given = self.at.facts.expr_list(args).zip(&sig.params);
        given.all(|(e, p)| {
            let written = matches!(self.at.facts.expr(e), Expr::Lambda(_));
            !p.literal
                && !matches!(self.at.facts.expr(e), Expr::Spread(_))
                && (written
                    || p.t == T::Any
                    || matches!(self.infer(e).t, T::Nom(..) | T::Tuple(_) | T::Static(_)))
        })
    }

    /// Whether a member was written in the tree for a type and a trait that are
    /// both the library's.
    pub(crate) fn is_foreign_to_both(&self, m: &Member) -> bool {
        let ctx = self.ctx;
        if ctx.is_prelude(m.symbol) {
            return false;
        }
        let Some(block) = ctx.parent(m.symbol) else {
            return false;
        };
        let bases = ctx.bases(block);
        let library = |kind| {
            bases
                .of(kind)
                .next()
                .is_some_and(|t| matches!(t, T::Nom(s, _) if ctx.is_prelude(*s)))
        };
        library(HeritageKind::SelfType) && library(HeritageKind::Trait)
    }

    /// Whether the arguments have the very types the declaration writes.
    pub(crate) fn names_types(&self, f: SymbolId, subst: &Subst, args: List) -> bool {
        let sig = self.ctx.signature(f);
        let given: Vec<ExprIdx> = self.at.facts.expr_list(args).collect();
        given.len() == sig.params.len()
            && given.iter().zip(&sig.params).all(|(e, p)| {
                let pattern = subst.apply(&p.t);
                match (&pattern, &self.infer(*e).t) {
                    (T::Nom(a, _), T::Nom(b, _)) => a == b,
                    _ => false,
                }
            })
    }

    /// The one of several members that fits the call, if exactly one does.
    pub(crate) fn choose_member(&self, all: &[Member], args: List) -> Option<Member> {
        let mut fit = all
            .iter()
            .filter(|m| self.accepts(m.symbol, &m.subst, args));
        let first = fit.next()?;
        fit.next().is_none().then(|| first.clone())
    }
}

impl Ctx<'_> {
    /// The signatures without a body under a function's name, beside it, in
    /// source order; what callers see of it when there are any.
    fn overloads(&self, f: SymbolId) -> Vec<SymbolId> {
        let Some((at, symbol, _)) = self.symbol(f) else {
            return Vec::new();
        };
        if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) {
            return Vec::new();
        }
        let around = at.id(symbol.parent);
        let mut all: Vec<SymbolId> = match self.kind(around) {
            Some(SymbolKind::Module | SymbolKind::Namespace) => self
                .entries(around, symbol.name)
                .into_iter()
                .filter_map(|e| match e.what {
                    What::Symbol(s) => Some(s),
                    What::Import(_) => None,
                })
                .collect(),
            _ => self.own_members(around, symbol.name),
        };
        all.retain(|s| {
            self.symbol(*s).is_some_and(|(_, s, _)| {
                s.kind == symbol.kind
                    && s.flags.has(Flags::BODILESS)
                    && s.flags.has(Flags::STATIC) == symbol.flags.has(Flags::STATIC)
            })
        });
        self.sort(&mut all);
        all
    }
}
