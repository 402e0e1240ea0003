//! What calling, constructing and passing gives.

use super::infer::{Body, How, Known};
use super::lower::last_name;
use super::members::{Found, Side};
use super::types::{Subst, T, no_args, unify};
use crate::state::Ns;
use std::sync::Arc;
use surefoot_facts::{Expr, ExprIdx, List, Name, names, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind};

impl Body<'_, '_> {
    // ---- calls -----------------------------------------------------------------

    pub(super) fn call(&self, callee: ExprIdx, args: List) -> Known {
        let ctx = self.ctx;
        let known = self.infer(callee);
        if let Some(t) = self.made_outside(callee, args) {
            return Known {
                t,
                how: How::new(Rule::ReceiverConstructed).on(&known.how),
            };
        }
        // f.call(..), f.apply(..), f.bind(..)
        if let Expr::Member { base, name } = self.at.facts.expr(callee)
            && (name == names::call() || name == names::apply() || name == names::bind())
            && !ctx.linear_bases(self.near())
        {
            let base = self.infer(base);
            if let T::Fn(f, _) = &base.t {
                let t = if name == names::bind() {
                    base.t.clone()
                } else {
                    ctx.result_of(*f)
                };
                return Known {
                    t,
                    how: How::new(Rule::CallThrough).on(&base.how),
                };
            }
        }
        let mut known = known;
        let mut several = None;
        if let T::Fn(f, subst) = &known.t {
            let fit = self.overload(*f, subst, args);
            several = (fit.len() > 1).then(|| {
                T::union(
                    fit.iter()
                        .map(|f| self.called(&T::Fn(*f, subst.clone()), args)),
                )
            });
            known.t = T::Fn(fit[0], subst.clone());
        }
        let rule = match &known.t {
            T::Fn(f, _) if ctx.result_is_written(*f) => Rule::ReceiverResult,
            T::Static(_) => Rule::ReceiverConstructed,
            _ => Rule::ReceiverInferred,
        };
        let mut how = How::new(rule);
        if let T::Fn(f, _) = &known.t {
            let slot = if rule == Rule::ReceiverResult {
                Slot::Result
            } else {
                Slot::Returns
            };
            how = how.via(ctx.via(*f, slot));
            if matches!(ctx.kind(*f), Some(SymbolKind::Variant | SymbolKind::Struct)) {
                how = How::new(Rule::ReceiverConstructed);
                how.exact = true;
            }
        }
        if let T::Static(_) = &known.t
            && matches!(
                self.at.facts.expr(callee),
                Expr::Free { .. } | Expr::Earlier { .. } | Expr::Member { .. }
            )
            && ctx.linear_bases(self.near())
        {
            how.exact = true;
        }
        // Signatures that nothing tells apart say what they agree on.
        let t = match several {
            None => self.called(&known.t, args),
            Some(T::Union(_)) => T::Unknown(Cause::Ambiguous),
            Some(t) => t,
        };
        Known {
            t,
            how: how.on(&known.how),
        }
    }

    /// What calling a value of this type gives.
    pub(super) fn called(&self, callee: &T, args: List) -> T {
        let ctx = self.ctx;
        match callee {
            T::Fn(f, subst) => match ctx.kind(*f) {
                Some(SymbolKind::Variant) => {
                    let owner = ctx.parent(*f).unwrap_or(*f);
                    self.filled(*f, owner, subst, args)
                }
                _ => {
                    let result = ctx.result_of(*f);
                    if !result.is_open() {
                        return result;
                    }
                    let result = subst.apply(&result);
                    if !result.is_open() {
                        return ctx.normal(&result);
                    }
                    let subst = self.bind_args(*f, (**subst).clone(), args, None);
                    self.close(*f, &ctx.normal(&subst.apply(&result)))
                }
            },
            T::Static(of) => match &**of {
                T::Nom(s, targs) => {
                    let constructs = ctx.rules_of(*s).is_some_and(|r| r.traits().call_constructs);
                    if ctx.linear_bases(*s) {
                        self.instance(*s, targs, args)
                    } else if constructs {
                        self.filled(*s, *s, &Subst::of(*s, targs), args)
                    } else {
                        T::UNKNOWN
                    }
                }
                _ => T::UNKNOWN,
            },
            T::Arrow(f) => f.1.clone(),
            T::Union(parts) => T::union(parts.iter().map(|p| self.called(p, args))),
            T::Nom(..) => ctx.op(callee, ops::CALL).unwrap_or(T::UNKNOWN),
            T::Param(o, i) => ctx
                .bounds(*o, *i)
                .iter()
                .find_map(|b| match b {
                    T::Arrow(f) => Some(f.1.clone()),
                    _ => None,
                })
                .unwrap_or(T::UNKNOWN),
            T::Unknown(c) => T::Unknown(*c),
            T::Any => T::Any,
            _ => T::UNKNOWN,
        }
    }

    /// What a package's type makes of itself: it holds what it is given, and
    /// nothing else of this tree.
    fn made_outside(&self, callee: ExprIdx, args: List) -> Option<T> {
        let Expr::Scoped { base, name } = self.at.facts.expr(callee) else {
            return None;
        };
        let of = last_name(self.at, base);
        if !self.ctx.rules_of(self.near())?.constructs(of, name) {
            return None;
        }
        let mut held = match self.infer(base).t {
            T::Outside => Vec::new(),
            T::Static(of) => match &*of {
                T::Foreign(_, args) => args.to_vec(),
                _ => return None,
            },
            _ => return None,
        };
        let given = self.at.facts.expr_list(args);
        held.extend(given.map(|e| self.infer(e).t));
        Some(T::Foreign(of, held.into()))
    }

    /// An instance of a type that is called: its constructor's arguments say what
    /// its parameters are.
    fn instance(&self, s: SymbolId, given: &[T], args: List) -> T {
        let ctx = self.ctx;
        let own = ctx.own_params(s);
        if own.is_empty() || *given != *own {
            return T::Nom(s, given.into());
        }
        let name = ctx.rules_of(s).map_or("", |r| r.traits().constructor);
        let mut subst = Subst::default();
        if let Found::One(m) = ctx.member(&T::Nom(s, own.clone()), Name::new(name), Side::Instance)
        {
            subst = self.bind_args(m.symbol, subst, args, None);
        }
        let args = (0..own.len() as u16)
            .map(|i| subst.get(s, i).cloned().unwrap_or(T::UNKNOWN))
            .collect();
        T::Nom(s, args)
    }

    /// Parameters of the called function that nothing bound are unknown; those
    /// of the functions around stay.
    pub(super) fn close(&self, f: SymbolId, t: &T) -> T {
        let n = self.ctx.own_params(f).len();
        let mut s = Subst::default();
        for i in 0..n as u16 {
            s.map.push(((f, i), T::UNKNOWN));
        }
        s.apply(t)
    }

    /// A tuple struct or variant filled with values.
    pub(super) fn filled(&self, of: SymbolId, owner: SymbolId, subst: &Subst, args: List) -> T {
        let ctx = self.ctx;
        let params = ctx.own_params(owner);
        if params.is_empty() {
            return T::Nom(owner, no_args());
        }
        let mut s = Subst::default();
        for ((o, i), t) in &subst.map {
            if *o == owner && !t.is_open() {
                s.bind(*o, *i, t.clone());
            }
        }
        for (i, e) in self.at.facts.expr_list(args).enumerate() {
            for m in ctx.own_members(of, Name::new(&i.to_string())) {
                let field = ctx.value_type(m);
                if field.is_open() {
                    unify(&field, &self.infer(e).t, &mut s);
                }
            }
        }
        let args = (0..params.len() as u16)
            .map(|i| s.get(owner, i).cloned().unwrap_or(T::UNKNOWN))
            .collect();
        T::Nom(owner, args)
    }

    /// What `new` of this gives.
    pub(super) fn constructed(&self, of: &T, args: List) -> T {
        let ctx = self.ctx;
        match of {
            T::Static(t) => match &**t {
                T::Nom(s, targs) if targs.iter().any(|t| matches!(t, T::Param(o, _) if o == s)) => {
                    let mut subst = Subst::default();
                    if let Found::One(m) = ctx.member(t, names::constructor(), Side::Static) {
                        subst = self.bind_args(m.symbol, subst, args, None);
                    }
                    let args = (0..targs.len() as u16)
                        .map(|i| subst.get(*s, i).cloned().unwrap_or(T::UNKNOWN))
                        .collect();
                    T::Nom(*s, args)
                }
                t => t.clone(),
            },
            T::Nom(..) => match ctx.member(of, Name::new(ops::NEW), Side::Method) {
                Found::One(m) => {
                    let result = m.subst.apply(&ctx.result_of(m.symbol));
                    if result.is_open() {
                        let s = self.bind_args(m.symbol, m.subst.clone(), args, None);
                        self.close(m.symbol, &ctx.normal(&s.apply(&result)))
                    } else {
                        result
                    }
                }
                _ => T::UNKNOWN,
            },
            T::Fn(..) => ctx.instance_of(of).unwrap_or(T::UNKNOWN),
            T::Unknown(c) => T::Unknown(*c),
            T::Any => T::Any,
            T::Outside => T::UNKNOWN,
            _ => T::UNKNOWN,
        }
    }

    /// A function value as a written function type.
    pub(super) fn arrow(&self, t: &T) -> Option<T> {
        match t {
            T::Arrow(_) => Some(t.clone()),
            T::Fn(f, subst) => {
                let params = match self.ctx.kind(*f) {
                    Some(SymbolKind::Variant | SymbolKind::Struct) => Vec::new(),
                    _ => {
                        let sig = self.ctx.signature(*f);
                        sig.params.iter().map(|p| subst.apply(&p.t)).collect()
                    }
                };
                let result = match self.ctx.kind(*f) {
                    Some(SymbolKind::Variant) => {
                        let owner = self.ctx.parent(*f)?;
                        T::Nom(
                            owner,
                            self.ctx
                                .own_params(owner)
                                .iter()
                                .map(|_| T::UNKNOWN)
                                .collect(),
                        )
                    }
                    _ => subst.apply(&self.ctx.result_of(*f)),
                };
                Some(T::Arrow(Arc::new((params, result))))
            }
            T::Static(of) => match &**of {
                T::Nom(s, _) => {
                    let args = self.ctx.own_params(*s).iter().map(|_| T::UNKNOWN).collect();
                    Some(T::Arrow(Arc::new((Vec::new(), T::Nom(*s, args)))))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Binds the type parameters of a callee by the arguments it is given.
    /// `skip`: an argument that is being typed by its position.
    pub(super) fn bind_args(
        &self,
        f: SymbolId,
        mut subst: Subst,
        args: List,
        skip: Option<u16>,
    ) -> Subst {
        let ctx = self.ctx;
        let sig = ctx.signature(f);
        let mut later: Vec<(T, ExprIdx)> = Vec::new();
        for (i, e) in self.at.facts.expr_list(args).enumerate() {
            if skip == Some(i as u16) {
                continue;
            }
            let (p, e) = match self.at.facts.expr(e) {
                Expr::Keyword { name, value } => {
                    (sig.params.iter().find(|p| p.name == name), value)
                }
                _ => {
                    let rest = || sig.params.iter().find(|p| p.rest);
                    (sig.params.get(i).or_else(rest), e)
                }
            };
            let Some(p) = p else {
                continue;
            };
            if !p.t.is_open() {
                continue;
            }
            let pattern = match (&p.t, p.rest) {
                // The rest parameter is an array; each argument is a part of it.
                (T::Nom(_, a), true) if a.len() == 1 => a[0].clone(),
                (t, _) => t.clone(),
            };
            if matches!(self.at.facts.expr(e), Expr::Lambda(_)) {
                if skip.is_none() {
                    later.push((pattern, e));
                }
                continue;
            }
            self.bind_one(&pattern, &self.infer(e).t, &mut subst);
        }
        for (pattern, e) in later {
            self.bind_one(&pattern, &self.infer(e).t, &mut subst);
        }
        subst
    }

    pub(super) fn bind_one(&self, pattern: &T, actual: &T, subst: &mut Subst) {
        let arrow = self.arrow(actual);
        match pattern {
            T::Param(o, i) => {
                let bounds = self.ctx.bounds(*o, *i);
                let fn_bound = bounds.iter().find(|b| matches!(b, T::Arrow(_)));
                match (fn_bound, arrow) {
                    (Some(bound), Some(arrow)) => {
                        let bound = subst.apply(bound);
                        unify(&bound, &arrow, subst);
                        subst.bind(*o, *i, arrow);
                    }
                    _ => {
                        if actual.is_known() {
                            subst.bind(*o, *i, actual.clone());
                        }
                        // `I: IntoIterator<Item = T>` binds T as well.
                        for b in bounds.iter() {
                            if let T::Nom(_, args) = b {
                                for a in args.iter() {
                                    if let T::Bind(n, t) = a
                                        && t.is_open()
                                    {
                                        let known = self.ctx.project(actual, *n);
                                        if !known.is_open() {
                                            unify(t, &known, subst);
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            T::Arrow(_) => {
                if let Some(arrow) = arrow {
                    let pattern = subst.apply(pattern);
                    unify(&pattern, &arrow, subst);
                }
            }
            T::Union(parts) => {
                let pick = parts
                    .iter()
                    .find(|p| matches!(p, T::Arrow(_)) == arrow.is_some() && p.is_open());
                match pick {
                    Some(p) => self.bind_one(p, actual, subst),
                    None => {
                        unify(pattern, actual, subst);
                    }
                }
            }
            // `impl Fn(A) -> B`
            T::All(parts) => {
                for p in parts.iter() {
                    self.bind_one(p, actual, subst);
                }
            }
            // A value of a type is one of each of its bases.
            T::Nom(base, _) if self.ctx.linear_bases(*base) => {
                let seen = match actual {
                    T::Nom(s, _) if s != base => self.ctx.in_order(actual, *base),
                    T::Tuple(parts) => {
                        let from = Some((self.at.file.id, self.at.item));
                        let tuple = self.ctx.asked_from(from, || self.ctx.asks_tuple(parts));
                        tuple.and_then(|t| self.ctx.in_order(&t, *base))
                    }
                    _ => None,
                };
                unify(pattern, seen.as_ref().unwrap_or(actual), subst);
            }
            T::Nom(base, args) => {
                let actual = match actual {
                    T::Nom(s, _) if s != base => self.ctx.as_base(actual, *base, 0),
                    _ => None,
                }
                .unwrap_or_else(|| actual.clone());
                if !unify(pattern, &actual, subst)
                    && args.len() == 1
                    && self.ctx.has_prototypes(self.near())
                    && let Some(part) = self.ctx.op(&actual, ops::ELEM)
                {
                    // Whatever can be iterated stands for a list of its parts.
                    self.bind_one(&args[0], &part, subst);
                }
            }
            _ => {
                unify(pattern, actual, subst);
            }
        }
    }

    /// What a macro gives: the stub declares `__macro_name` for those it knows.
    pub(super) fn macro_value(&self, path: ExprIdx, args: List) -> Known {
        let name = match self.at.facts.expr(path) {
            Expr::Free { name, .. } | Expr::Scoped { name, .. } => name,
            _ => return Known::unknown(Cause::NoReceiverType),
        };
        let stub = Name::new(&format!("__macro_{}", name.text()));
        let found = self.ctx.prelude(self.near(), stub, Ns::Value);
        match found.symbol() {
            Some(f) => {
                let t = self.called(&T::Fn(f, Arc::default()), args);
                Known::new(t, Rule::ReceiverConstructed)
            }
            None => Known::unknown(Cause::NoReceiverType),
        }
    }
}
