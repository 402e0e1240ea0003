//! The type of an expression, and how it is known.

use super::members::{Found, Side};
use super::names::{At, MAX_VIA};
use super::types::{T, no_args};
use crate::state::{Ctx, both};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use surefoot_facts::{Expr, ExprIdx, HeritageKind, List, Name, Ty, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind, Via};

/// How a value's type is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct How {
    pub rule: Rule,
    /// The convention it rests on, if it is not proved.
    pub convention: Option<Rule>,
    pub via: SmallVec<[Via; 2]>,
    /// The value is of exactly this type, not of one derived from it.
    pub exact: bool,
}

impl How {
    pub(crate) fn new(rule: Rule) -> How {
        How {
            rule,
            convention: rule.is_convention().then_some(rule),
            via: SmallVec::new(),
            exact: false,
        }
    }

    pub(super) fn rest_on(&mut self, convention: Option<Rule>) {
        self.convention = both(self.convention, convention);
    }

    pub(super) fn via(mut self, via: Via) -> How {
        if self.via.len() < MAX_VIA && !self.via.contains(&via) {
            self.via.push(via);
        }
        self
    }

    /// This way, resting on another.
    pub(super) fn on(mut self, under: &How) -> How {
        self.rest_on(under.convention);
        for v in &under.via {
            self = self.via(*v);
        }
        self
    }
}

/// A type and how it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub t: T,
    pub how: How,
}

impl Known {
    pub(crate) fn new(t: T, rule: Rule) -> Known {
        Known {
            t,
            how: How::new(rule),
        }
    }

    pub(super) fn unknown(cause: Cause) -> Known {
        Known::new(T::Unknown(cause), Rule::ReceiverInferred)
    }
}

/// Expressions nest this deep at most; part of the definition of their type.
const MAX_NESTING: u32 = 220;

/// One item while its expressions are typed. What was typed once is kept.
pub(crate) struct Body<'c, 'a> {
    pub ctx: &'c Ctx<'a>,
    pub at: At<'a>,
    exprs: RefCell<FxHashMap<u32, Known>>,
    pub(super) bindings: RefCell<FxHashMap<u32, Known>>,
    depth: Cell<u32>,
}

/// How many smart pointers around a value are looked through to index it.
const MAX_POINTERS: usize = 4;

impl<'c, 'a> Body<'c, 'a> {
    pub(crate) fn new(ctx: &'c Ctx<'a>, at: At<'a>) -> Body<'c, 'a> {
        Body {
            ctx,
            at,
            exprs: RefCell::default(),
            bindings: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    pub(super) fn near(&self) -> SymbolId {
        self.at.file.module
    }

    pub(super) fn step(&self, slot: Slot) -> Via {
        Via {
            file: self.at.file.id,
            symbol: None,
            slot,
        }
    }

    pub(crate) fn infer(&self, at: ExprIdx) -> Known {
        if !at.is_known() {
            return Known::unknown(Cause::NoReceiverType);
        }
        if let Some(known) = self.exprs.borrow().get(&at.0) {
            return known.clone();
        }
        let Some(_level) = self.ctx.level() else {
            return Known::unknown(Cause::Budget);
        };
        if self.depth.get() >= MAX_NESTING {
            return Known::unknown(Cause::Budget);
        }
        self.depth.set(self.depth.get() + 1);
        self.ctx.steps.set(self.ctx.steps.get() + 1);
        // Whoever asks again from inside gets the answer of a cycle.
        self.exprs
            .borrow_mut()
            .insert(at.0, Known::unknown(Cause::Cycle));
        let (mut known, convention) = self.ctx.apart(|| self.infer_now(at));
        known.how.rest_on(convention);
        self.exprs.borrow_mut().insert(at.0, known.clone());
        self.depth.set(self.depth.get() - 1);
        known
    }

    /// The types of several expressions of which one is the value.
    pub(crate) fn one_of(&self, list: List) -> Known {
        let agree = self
            .ctx
            .rules_of(self.near())
            .is_some_and(|r| r.traits().branches_agree);
        let mut all: Vec<Known> = Vec::new();
        for e in self.at.facts.expr_list(list) {
            let known = self.infer(e);
            if agree && known.t.is_known() && !matches!(&known.t, T::Tuple(a) if a.is_empty()) {
                return known;
            }
            all.push(known);
        }
        let Some(first) = all.first() else {
            return Known::unknown(Cause::NoReceiverType);
        };
        // `null` and `undefined` beside a value take nothing from its members.
        let parts: Vec<T> = all
            .iter()
            .map(|k| k.t.clone())
            .filter(|t| all.len() == 1 || !matches!(t, T::Tuple(a) if a.is_empty()))
            .collect();
        let mut how = first.how.clone();
        for k in &all[1..] {
            how = how.on(&k.how);
        }
        how.exact = false;
        Known {
            t: T::union(parts),
            how,
        }
    }

    pub(super) fn infer_now(&self, at: ExprIdx) -> Known {
        let ctx = self.ctx;
        let facts = self.at.facts;
        match facts.expr(at) {
            Expr::Unknown => Known::unknown(Cause::NoReceiverType),
            Expr::Free { .. }
            | Expr::Earlier { .. }
            | Expr::PackageRoot
            | Expr::Package(_)
            | Expr::ModuleUp { .. } => self.by_path(at),
            Expr::Local(b) => self.binding(b),
            Expr::This(s) => Known::new(ctx.self_type(self.at.id(s)), Rule::SelfMember),
            Expr::Super(s) if ctx.linear_bases(self.near()) => {
                let id = self.at.id(s);
                let mut how = How::new(Rule::SuperMember).via(ctx.via(id, Slot::Heritage(0)));
                how.exact = true;
                let t = T::Above(id, ctx.own_params(id));
                Known { t, how }
            }
            Expr::Super(s) => {
                let id = self.at.id(s);
                let bases = ctx.bases(id);
                let base = bases.of(HeritageKind::Extends).next().cloned();
                let mut how = How::new(Rule::SuperMember).via(ctx.via(id, Slot::Heritage(0)));
                how.exact = true;
                Known {
                    t: base.unwrap_or(T::Unknown(Cause::DynamicBase)),
                    how,
                }
            }
            Expr::SelfType(s) => {
                let t = ctx.self_type(self.at.id(s));
                Known::new(T::Static(Arc::new(t)), Rule::SelfMember)
            }
            Expr::Member { base, name } => self.member(base, name, Side::Instance),
            Expr::Method { base, name } => self.member(base, name, Side::Method),
            Expr::Scoped { base, name } => self.scoped(at, base, name),
            Expr::TypeArgs { base, args } => {
                let mut known = self.infer(base);
                let args: Vec<T> = facts.ty_list(args).map(|t| ctx.lower(self.at, t)).collect();
                match &known.t {
                    T::Fn(s, subst) => {
                        let mut subst = (**subst).clone();
                        for (i, t) in args.into_iter().enumerate() {
                            subst.bind(*s, i as u16, t);
                        }
                        known.t = T::Fn(*s, Arc::new(subst));
                    }
                    T::Static(of) => {
                        if let T::Nom(s, _) = &**of {
                            known.t = T::Static(Arc::new(ctx.named_type(*s, args.into())));
                        }
                    }
                    _ => {}
                }
                known
            }
            Expr::TypePath { ty, as_trait } => {
                let t = ctx.lower(self.at, ty);
                let t = if as_trait.is_known() && !matches!(t, T::Nom(..)) {
                    T::All(Arc::from([ctx.lower(self.at, as_trait), t]))
                } else {
                    t
                };
                Known::new(T::Static(Arc::new(t)), Rule::StaticMember)
            }
            Expr::Call { callee, args, .. } => self.call(callee, args),
            Expr::New { callee, args, .. } => {
                let of = self.infer(callee);
                let t = self.constructed(&of.t, args);
                let mut how = How::new(Rule::ReceiverConstructed).on(&of.how);
                how.exact = true;
                Known { t, how }
            }
            Expr::Record { path } => {
                let mut how = How::new(Rule::ReceiverConstructed);
                how.exact = true;
                Known {
                    t: self.record_type(path),
                    how,
                }
            }
            Expr::Index { base, index } => match self.keyed(index) {
                Some(key)
                    if matches!(
                        ctx.member(&self.infer(base).t, key, Side::Instance),
                        Found::One(_) | Found::Many(_)
                    ) =>
                {
                    self.member(base, key, Side::Instance)
                }
                _ => self.operator(base, ops::INDEX),
            },
            Expr::Element(base) => self.operator(base, ops::ELEM),
            Expr::Try(base) => self.operator(base, ops::TRY),
            Expr::Await(base) => {
                let known = self.infer(base);
                let Some(mut t) = self.op(&known.t, ops::AWAIT) else {
                    return known;
                };
                // A promise of a promise is awaited at once.
                for _ in 0..4 {
                    match ctx.op(&t, ops::AWAIT) {
                        Some(inner) if inner != t && !ctx.linear_bases(self.near()) => t = inner,
                        _ => break,
                    }
                }
                Known {
                    t,
                    how: self.weaken(known.how),
                }
            }
            Expr::Deref(base) => {
                let known = self.infer(base);
                let behind = ctx
                    .op(&known.t, ops::DEREF)
                    .or_else(|| ctx.op(&known.t, ops::POINTEE));
                match behind {
                    Some(t) if t.is_known() => Known { t, how: known.how },
                    _ => known,
                }
            }
            Expr::Ref(base) => self.infer(base),
            Expr::Cast { base, ty } => match facts.ty(ty) {
                // `as *mut _` points to what it is made of.
                Ty::Ptr(to) if matches!(facts.ty(to), Ty::Inferred) => {
                    let mut known = self.infer(base);
                    if ctx.op(&known.t, ops::POINTEE).is_none() && known.t.is_known() {
                        let name = ctx.rules_of(self.near()).and_then(|r| r.builtin_type("*"));
                        known.t =
                            ctx.builtin_nom(self.near(), name.unwrap_or(""), Arc::from([known.t]));
                    }
                    known
                }
                _ => Known::new(ctx.lower(self.at, ty), Rule::ReceiverType),
            },
            Expr::Narrowed { base, ty } => {
                let t = ctx.lower(self.at, ty);
                if t.is_known() {
                    Known::new(t, Rule::ReceiverType)
                } else {
                    self.infer(base)
                }
            }
            Expr::Guarded { base, call } => self.guarded(base, call),
            Expr::When { .. } => self.infer(self.compiled(at)),
            Expr::Lit(l) | Expr::Const { lit: l, .. } => {
                Known::new(ctx.lit(self.near(), l), Rule::ReceiverConstructed)
            }
            Expr::Compare => {
                let name = ctx.rules_of(self.near()).map_or("", |r| r.traits().boolean);
                Known::new(
                    ctx.builtin_nom(self.near(), name, no_args()),
                    Rule::ReceiverInferred,
                )
            }
            Expr::Arith { lhs, .. } => {
                let known = self.infer(lhs);
                match &known.t {
                    T::Nom(s, _) if ctx.is_prelude(*s) => known,
                    _ => Known::unknown(Cause::NoReceiverType),
                }
            }
            Expr::Array(list) => {
                let traits = ctx.rules_of(self.near()).map(|r| r.traits());
                let name = traits.map_or("", |t| t.array);
                let mut parts = facts.expr_list(list).map(|e| match facts.expr(e) {
                    Expr::Spread(all) => self.operator(all, ops::ELEM).t,
                    _ => self.infer(e).t,
                });
                // Where a literal's parts may differ, a part is one of them.
                let part = match traits.is_some_and(|t| t.branches_agree) {
                    true => parts.find(T::is_known).unwrap_or(T::UNKNOWN),
                    false => T::union(parts),
                };
                let t = ctx.builtin_nom(self.near(), name, Arc::from([part]));
                Known::new(t, Rule::ReceiverConstructed)
            }
            Expr::Tuple(list) => {
                let parts = facts.expr_list(list).map(|e| self.infer(e).t).collect();
                Known::new(T::Tuple(parts), Rule::ReceiverConstructed)
            }
            Expr::Object(s) => {
                let id = self.at.id(s);
                Known::new(T::Nom(id, ctx.around_params(id).1), Rule::ObjectMember)
            }
            Expr::Lambda(s) => Known::new(T::Fn(self.at.id(s), Arc::default()), Rule::LocalScope),
            Expr::OneOf(list) => self.one_of(list),
            Expr::Key => Known::new(
                ctx.lit(self.near(), surefoot_facts::Lit::Str),
                Rule::ReceiverInferred,
            ),
            Expr::Part { base, index } => {
                let known = self.infer(base);
                match &known.t {
                    T::Tuple(parts) => {
                        let t = parts.get(index as usize).cloned().unwrap_or(T::UNKNOWN);
                        Known { t, how: known.how }
                    }
                    // Taking something apart goes by what it iterates over.
                    _ if ctx.linear_bases(self.near())
                        && self.op(&known.t, ops::INDEX).is_none() =>
                    {
                        self.operator(base, ops::ELEM)
                    }
                    _ => self.operator(base, ops::INDEX),
                }
            }
            Expr::Rest { base, .. } => self.infer(base),
            Expr::VariantPart { base, path, index } => {
                self.variant_field(base, path, Name::new(&index.to_string()))
            }
            Expr::VariantField { base, path, name } => self.variant_field(base, path, name),
            Expr::LambdaParam { lambda, index } => self.lambda_param(lambda, index),
            Expr::Macro { path, args, .. } => self.macro_value(path, args),
            Expr::Import { spec, promised } => {
                use surefoot_facts::Specifier;
                let t = match ctx.specifier_of(self.at.file.id, spec) {
                    Specifier::File { file, .. } => match ctx.db.file(file) {
                        Some(f) if promised => T::Module(f.module),
                        Some(f) => ctx.value_of(ctx.whole(f.module)),
                        None => T::UNKNOWN,
                    },
                    Specifier::Outside => T::Outside,
                    _ => T::Unknown(Cause::Miss),
                };
                let t = if promised && !matches!(t, T::Unknown(_) | T::Outside) {
                    ctx.promise_of(self.near(), t)
                } else {
                    t
                };
                Known::new(t, Rule::Import)
            }
            Expr::Async(e) => {
                let t = ctx.promise_of(self.near(), self.infer(e).t);
                Known::new(t, Rule::ReceiverInferred)
            }
            Expr::Range(e) => {
                let name = ctx.rules_of(self.near()).map_or("", |r| r.traits().range);
                let t = ctx.builtin_nom(self.near(), name, Arc::from([self.infer(e).t]));
                Known::new(t, Rule::ReceiverConstructed)
            }
            Expr::Spread(_) => Known::unknown(Cause::NoReceiverType),
            Expr::Keyword { value, .. } => self.infer(value),
        }
    }

    /// The name of the member that a constant key names: `[KEY]`, `[Symbol.iterator]`.
    pub(super) fn keyed(&self, index: ExprIdx) -> Option<Name> {
        let mut parts: SmallVec<[&str; 4]> = SmallVec::new();
        let mut at = index;
        loop {
            match self.at.facts.expr(at) {
                Expr::Member { base, name } => {
                    parts.push(name.text());
                    at = base;
                }
                Expr::Free { name, .. } => {
                    parts.push(name.text());
                    break;
                }
                _ => return None,
            }
            if parts.len() > 4 {
                return None;
            }
        }
        parts.reverse();
        Some(Name::new(&format!("[{}]", parts.join("."))))
    }

    /// What any member of a type is that says so for all of them.
    pub(super) fn indexed(&self, t: &T) -> Option<T> {
        let ctx = self.ctx;
        let T::Nom(s, _) = t else { return None };
        let shape = matches!(
            ctx.kind(*s),
            Some(SymbolKind::Interface | SymbolKind::Object)
        );
        // A list or a text is asked by position, never by name.
        if !shape || ctx.op(t, ops::ELEM).is_some() {
            return None;
        }
        ctx.op(t, ops::INDEX).filter(T::is_known)
    }

    /// A type reached by an operator is inferred, however well its base is known.
    pub(super) fn weaken(&self, mut how: How) -> How {
        how.rule = Rule::ReceiverInferred;
        how.exact = false;
        how
    }

    /// What an operator gives, asked from this item where that matters.
    pub(super) fn op(&self, t: &T, op: &str) -> Option<T> {
        if self.ctx.linear_bases(self.near()) {
            let from = Some((self.at.file.id, self.at.item));
            return self.ctx.asked_from(from, || self.ctx.op(t, op));
        }
        self.ctx.op(t, op)
    }

    /// What indexing gives: what a smart pointer points to is indexed through it.
    fn indexing(&self, t: &T) -> Option<T> {
        let mut at = t.clone();
        for _ in 0..MAX_POINTERS {
            if let Some(found) = self.op(&at, ops::INDEX) {
                return Some(found);
            }
            let derefs = self.ctx.rules_of(self.near());
            if !derefs.is_some_and(|r| r.traits().auto_deref) {
                return None;
            }
            at = self.op(&at, ops::DEREF).filter(|next| *next != at)?;
        }
        None
    }

    pub(super) fn operator(&self, base: ExprIdx, op: &str) -> Known {
        let known = self.infer(base);
        let found = match op == ops::INDEX {
            true => self.indexing(&known.t),
            false => self.op(&known.t, op),
        };
        match found {
            Some(t) => Known {
                t,
                how: self.weaken(known.how),
            },
            None => Known {
                t: match known.t {
                    T::Unknown(c) => T::Unknown(c),
                    T::Any => T::Any,
                    _ => T::UNKNOWN,
                },
                how: known.how,
            },
        }
    }

    /// A value that a call let through: the written `x is T` of the callee says
    /// what it is.
    fn guarded(&self, base: ExprIdx, call: ExprIdx) -> Known {
        let ctx = self.ctx;
        if let Expr::Call { callee, .. } = self.at.facts.expr(call)
            && let T::Fn(f, subst) = &self.infer(callee).t
            && let Some((at, symbol, _)) = ctx.symbol(*f)
            && let Some(signature) = symbol.signature.as_deref()
            && let Ty::Guard(inner) = at.facts.ty(signature.result)
        {
            let t = subst.apply(&ctx.lower(at, inner));
            if t.is_known() && !t.is_open() {
                let how = How::new(Rule::ReceiverType).via(ctx.via(*f, Slot::Result));
                return Known { t, how };
            }
        }
        self.infer(base)
    }
}
