//! The type of an expression, and how it is known.

use super::Value;
use super::members::{Found, Member, Side};
use super::names::{At, Def, MAX_VIA};
use super::types::{Subst, T, no_args, unify};
use crate::state::{Ctx, Dep, ImportRef, Ns};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use surefoot_facts::{
    BindIdx, BindKind, Expr, ExprIdx, Flags, HeritageKind, List, Name, SymIdx, names, ops,
};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind, Tier, Via};

/// How a value's type is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct How {
    pub rule: Rule,
    pub tier: Tier,
    pub via: SmallVec<[Via; 2]>,
    /// The value is of exactly this type, not of one derived from it.
    pub exact: bool,
}

impl How {
    pub(crate) fn new(rule: Rule) -> How {
        How {
            rule,
            tier: rule.tier(),
            via: SmallVec::new(),
            exact: false,
        }
    }

    fn via(mut self, via: Via) -> How {
        if self.via.len() < MAX_VIA && !self.via.contains(&via) {
            self.via.push(via);
        }
        self
    }

    /// This way, resting on another.
    fn on(mut self, under: &How) -> How {
        self.tier = self.tier.min(under.tier);
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

    fn unknown(cause: Cause) -> Known {
        Known::new(T::Unknown(cause), Rule::ReceiverInferred)
    }
}

/// The parameters of a callable, as types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sig {
    pub params: Vec<SigParam>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SigParam {
    pub t: T,
    pub optional: bool,
    pub rest: bool,
}

/// Expressions nest this deep at most; part of the definition of their type.
const MAX_NESTING: u32 = 220;

/// One item while its expressions are typed. What was typed once is kept.
pub(crate) struct Body<'c, 'a> {
    pub ctx: &'c Ctx<'a>,
    pub at: At<'a>,
    exprs: RefCell<FxHashMap<u32, Known>>,
    bindings: RefCell<FxHashMap<u32, Known>>,
    depth: Cell<u32>,
}

impl<'a> Ctx<'a> {
    pub(crate) fn signature(&self, id: SymbolId) -> Arc<Sig> {
        let value = self.memo(Dep::signature(id), || {
            let Some((at, s, _)) = self.symbol(id) else {
                return Value::Sig(Arc::default());
            };
            let params = s.signature.as_deref().map(|sig| {
                let one = |p: &surefoot_facts::Param| SigParam {
                    t: self.lower(at, p.ty),
                    optional: p.optional,
                    rest: p.rest,
                };
                sig.params.iter().map(one).collect()
            });
            Value::Sig(Arc::new(Sig {
                params: params.unwrap_or_default(),
            }))
        });
        match value {
            Value::Sig(s) => s,
            _ => Arc::default(),
        }
    }

    /// What calling a function gives, over its own type parameters.
    pub(crate) fn result_of(&self, id: SymbolId) -> T {
        let value = self.memo(Dep::result(id), || Value::Type(self.result_now(id)));
        value.into_type()
    }

    /// Whether the result of a function is written rather than inferred.
    pub(crate) fn result_is_written(&self, id: SymbolId) -> bool {
        self.symbol(id).is_some_and(|(_, s, _)| {
            s.kind == SymbolKind::Constructor
                || s.signature
                    .as_deref()
                    .is_none_or(|sig| sig.result.is_known() || sig.returns == List(0))
        })
    }

    fn promise_of(&self, near: SymbolId, t: T) -> T {
        let name = self.rules_of(near).map_or("", |r| r.traits().promise);
        match self.builtin_nom(near, name, Arc::from([t])) {
            T::Unknown(_) => T::UNKNOWN,
            promise => promise,
        }
    }

    fn result_now(&self, id: SymbolId) -> T {
        let Some((at, s, _)) = self.symbol(id) else {
            return T::Unknown(Cause::Miss);
        };
        if s.kind == SymbolKind::Constructor {
            return self.self_type(at.id(s.parent));
        }
        let Some(sig) = s.signature.as_deref() else {
            return T::UNKNOWN;
        };
        let is_async = s.flags.has(Flags::ASYNC);
        if sig.result.is_known() {
            let t = self.lower(at, sig.result);
            let hides = self
                .rules_of(id)
                .is_some_and(|r| r.traits().async_hides_promise);
            return if is_async && hides {
                self.promise_of(id, t)
            } else {
                t
            };
        }
        if s.flags.has(Flags::GENERATOR) {
            return T::UNKNOWN;
        }
        let t = if sig.returns == List(0) {
            if s.flags.has(Flags::BODILESS) {
                T::UNKNOWN
            } else {
                T::unit()
            }
        } else {
            self.read(Dep::summary(id));
            let body = Body::new(self, at);
            body.one_of(sig.returns).t
        };
        if is_async { self.promise_of(id, t) } else { t }
    }

    /// The type of a variable, constant or field, over the parameters around it.
    pub(crate) fn value_type(&self, id: SymbolId) -> T {
        let value = self.memo(Dep::value_type(id), || {
            let Some((at, s, _)) = self.symbol(id) else {
                return Value::Type(T::Unknown(Cause::Miss));
            };
            Value::Type(if s.ty.is_known() {
                self.lower(at, s.ty)
            } else if s.value.is_known() {
                Body::new(self, at).infer(s.value).t
            } else {
                T::UNKNOWN
            })
        });
        value.into_type()
    }

    /// The type of `base["name"]`.
    pub(crate) fn field_type(&self, base: &T, name: Name) -> T {
        match self.member(base, name, Side::Instance) {
            Found::One(m) => self.member_value(&m),
            _ => T::UNKNOWN,
        }
    }

    /// A member as a value.
    pub(crate) fn member_value(&self, m: &Member) -> T {
        match self.value_of(m.symbol) {
            T::Fn(s, inner) => T::Fn(s, Arc::new((*inner).clone().with(&m.subst))),
            t => self.normal(&m.subst.apply(&t)),
        }
    }

    /// A declaration as a value.
    pub(crate) fn value_of(&self, id: SymbolId) -> T {
        let Some((at, s, _)) = self.symbol(id) else {
            return match self.kind(id) {
                Some(SymbolKind::Module) => T::Module(id),
                _ => T::Unknown(Cause::Miss),
            };
        };
        match s.kind {
            SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Lambda
            | SymbolKind::Constructor => T::Fn(id, Arc::default()),
            SymbolKind::Getter => self.result_of(id),
            SymbolKind::Variant => {
                if s.flags.has(Flags::TUPLE_LIKE)
                    && !self.own_members(id, Name::new("0")).is_empty()
                {
                    T::Fn(id, Arc::default())
                } else {
                    let owner = at.id(s.parent);
                    T::Nom(owner, self.own_params(owner))
                }
            }
            SymbolKind::Module | SymbolKind::Namespace => T::Module(id),
            SymbolKind::Class | SymbolKind::Enum | SymbolKind::Trait | SymbolKind::Union => {
                T::Static(Arc::new(T::Nom(id, self.own_params(id))))
            }
            SymbolKind::Struct => {
                let this = T::Nom(id, self.own_params(id));
                if s.flags.has(Flags::TUPLE_LIKE) && self.own_members(id, Name::new("0")).is_empty()
                {
                    return this;
                }
                T::Static(Arc::new(this))
            }
            SymbolKind::Object => T::Nom(id, self.around_params(id).1),
            SymbolKind::Variable | SymbolKind::Field => self.value_type(id),
            SymbolKind::Setter => match s.signature.as_deref().and_then(|g| g.params.first()) {
                Some(p) => self.lower(at, p.ty),
                None => T::UNKNOWN,
            },
            _ => T::UNKNOWN,
        }
    }
}

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

    fn near(&self) -> SymbolId {
        self.at.file.module
    }

    fn step(&self, slot: Slot) -> Via {
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
        if self.depth.get() >= MAX_NESTING {
            return Known::unknown(Cause::Budget);
        }
        self.depth.set(self.depth.get() + 1);
        self.ctx.steps.set(self.ctx.steps.get() + 1);
        // Whoever asks again from inside gets the answer of a cycle.
        self.exprs
            .borrow_mut()
            .insert(at.0, Known::unknown(Cause::Cycle));
        let known = self.infer_now(at);
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

    fn infer_now(&self, at: ExprIdx) -> Known {
        let ctx = self.ctx;
        let facts = self.at.facts;
        match facts.expr(at) {
            Expr::Unknown => Known::unknown(Cause::NoReceiverType),
            Expr::Free { .. } | Expr::PackageRoot | Expr::Package(_) | Expr::ModuleUp { .. } => {
                self.by_path(at)
            }
            Expr::Local(b) => self.binding(b),
            Expr::This(s) => Known::new(ctx.self_type(self.at.id(s)), Rule::SelfMember),
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
            Expr::Index { base, .. } => self.operator(base, ops::INDEX),
            Expr::Element(base) => self.operator(base, ops::ELEM),
            Expr::Try(base) => self.operator(base, ops::TRY),
            Expr::Await(base) => {
                let known = self.infer(base);
                match ctx.op(&known.t, ops::AWAIT) {
                    Some(t) => Known {
                        t,
                        how: self.weaken(known.how),
                    },
                    None => known,
                }
            }
            Expr::Deref(base) => {
                let known = self.infer(base);
                match ctx.op(&known.t, ops::DEREF) {
                    Some(t) if t.is_known() => Known { t, how: known.how },
                    _ => known,
                }
            }
            Expr::Ref(base) => self.infer(base),
            Expr::Cast { ty, .. } => Known::new(ctx.lower(self.at, ty), Rule::ReceiverType),
            Expr::Narrowed { base, ty } => {
                let t = ctx.lower(self.at, ty);
                if t.is_known() {
                    Known::new(t, Rule::ReceiverType)
                } else {
                    self.infer(base)
                }
            }
            Expr::Lit(l) => Known::new(ctx.lit(self.near(), l), Rule::ReceiverConstructed),
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
                let part = facts
                    .expr_list(list)
                    .map(|e| self.infer(e).t)
                    .find(T::is_known);
                let name = ctx.rules_of(self.near()).map_or("", |r| r.traits().array);
                let part = part.unwrap_or(T::UNKNOWN);
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
                    Specifier::File { file, .. } => ctx
                        .db
                        .file(file)
                        .map_or(T::UNKNOWN, |f| T::Module(f.module)),
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
        }
    }

    /// A type reached by an operator is inferred, however well its base is known.
    fn weaken(&self, mut how: How) -> How {
        how.rule = Rule::ReceiverInferred;
        how.exact = false;
        how
    }

    fn operator(&self, base: ExprIdx, op: &str) -> Known {
        let known = self.infer(base);
        match self.ctx.op(&known.t, op) {
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

    /// A name or path of modules as a value.
    fn by_path(&self, at: ExprIdx) -> Known {
        let named = self.ctx.path(self.at, at, Ns::Value, 0);
        let how = How {
            rule: named.rule,
            tier: named.tier,
            via: named.via.iter().copied().collect(),
            exact: false,
        };
        let t = match named.def {
            Def::Symbol(s) => {
                let t = self.ctx.value_of(s);
                if let Some(SymbolKind::Variable) = self.ctx.kind(s) {
                    let slot = match self.ctx.symbol(s) {
                        Some((_, v, _)) if v.ty.is_known() => Slot::WrittenType,
                        _ => Slot::Value,
                    };
                    let mut how = how.via(self.ctx.via(s, slot));
                    how.rule = if slot == Slot::Value {
                        Rule::ReceiverInferred
                    } else {
                        Rule::ReceiverType
                    };
                    return Known { t, how };
                }
                t
            }
            Def::Outside => T::Outside,
            Def::Gap(c) => T::Unknown(c),
            Def::TypeParam(o, i) => T::Static(Arc::new(T::Param(o, i))),
            Def::SelfOf(s) => T::Static(Arc::new(self.ctx.self_type(s))),
            _ => T::UNKNOWN,
        };
        Known { t, how }
    }

    /// `base::name` as a value: along modules first, then as a member of a type.
    fn scoped(&self, at: ExprIdx, base: ExprIdx, name: Name) -> Known {
        let named = self.ctx.path(self.at, at, Ns::Value, 0);
        if matches!(named.def, Def::Symbol(_) | Def::Outside | Def::Gap(_)) {
            return self.by_path(at);
        }
        self.member_of(self.type_head(base), name, Side::Static)
    }

    /// The head of `head::name`, as what it is asked of.
    pub(crate) fn type_head(&self, base: ExprIdx) -> Known {
        let ctx = self.ctx;
        let mut path = base;
        let mut args = no_args();
        if let Expr::TypeArgs { base, args: list } = self.at.facts.expr(path) {
            args = self
                .at
                .facts
                .ty_list(list)
                .map(|t| ctx.lower(self.at, t))
                .collect();
            path = base;
        }
        if matches!(
            self.at.facts.expr(path),
            Expr::TypePath { .. } | Expr::SelfType(_)
        ) {
            return self.infer(path);
        }
        let named = ctx.path(self.at, path, Ns::Type, 0);
        let how = How {
            rule: Rule::StaticMember,
            tier: named.tier,
            via: named.via.iter().copied().collect(),
            exact: true,
        };
        let t = match named.def {
            Def::Symbol(s) => match ctx.kind(s) {
                Some(SymbolKind::Module | SymbolKind::Namespace) => T::Module(s),
                _ => T::Static(Arc::new(ctx.named_type(s, args))),
            },
            Def::TypeParam(o, i) => T::Static(Arc::new(T::Param(o, i))),
            Def::SelfOf(s) => T::Static(Arc::new(ctx.self_type(s))),
            Def::Outside => T::Outside,
            Def::Gap(c) => T::Unknown(c),
            _ => {
                // A builtin word, or an associated type: `u32::max`, `Self::Item::f`.
                if let Expr::Free { name, .. } = self.at.facts.expr(path)
                    && let Some(stub) = ctx
                        .rules_of(self.near())
                        .and_then(|r| r.builtin_type(name.text()))
                {
                    T::Static(Arc::new(ctx.builtin_nom(self.near(), stub, args)))
                } else if let Expr::Scoped { base, name } = self.at.facts.expr(path) {
                    match self.type_head(base).t {
                        T::Static(of) => T::Static(Arc::new(ctx.project(&of, name))),
                        _ => T::UNKNOWN,
                    }
                } else {
                    T::UNKNOWN
                }
            }
        };
        Known { t, how }
    }

    fn member(&self, base: ExprIdx, name: Name, side: Side) -> Known {
        let known = self.infer(base);
        // `t.0`
        if let T::Tuple(parts) = &known.t
            && let Ok(i) = name.text().parse::<usize>()
        {
            let t = parts.get(i).cloned().unwrap_or(T::UNKNOWN);
            return Known { t, how: known.how };
        }
        self.member_of(known, name, side)
    }

    fn member_of(&self, base: Known, name: Name, side: Side) -> Known {
        let ctx = self.ctx;
        let found = ctx.member(&base.t, name, side);
        match found {
            Found::One(m) => {
                let t = ctx.member_value(&m);
                let rule = match ctx.kind(m.symbol) {
                    Some(SymbolKind::Field) => Rule::ReceiverField,
                    Some(SymbolKind::Getter) => Rule::ReceiverResult,
                    Some(SymbolKind::Variable) => Rule::ReceiverInferred,
                    _ => m.rule.unwrap_or(base.how.rule),
                };
                let mut how = How::new(rule);
                if rule == Rule::ReceiverField {
                    how = how.via(ctx.via(m.symbol, Slot::WrittenType));
                }
                how.tier = how.tier.min(m.tier);
                for v in m.via {
                    how = how.via(v);
                }
                Known {
                    t,
                    how: how.on(&base.how),
                }
            }
            Found::Many(all) => {
                let t = T::union(all.iter().map(|m| ctx.member_value(m)));
                Known {
                    t,
                    how: self.weaken(base.how),
                }
            }
            Found::Ambiguous(_) => Known::unknown(Cause::Ambiguous),
            Found::Missing => Known::unknown(Cause::NoReceiverType),
            Found::Unknown(c) => Known::unknown(c),
            Found::Outside => Known {
                t: T::UNKNOWN,
                how: base.how,
            },
        }
    }

    pub(crate) fn binding(&self, at: BindIdx) -> Known {
        if let Some(known) = self.bindings.borrow().get(&at.0) {
            return known.clone();
        }
        self.bindings
            .borrow_mut()
            .insert(at.0, Known::unknown(Cause::Cycle));
        let known = self.binding_now(at);
        self.bindings.borrow_mut().insert(at.0, known.clone());
        known
    }

    fn binding_now(&self, at: BindIdx) -> Known {
        let ctx = self.ctx;
        let Some(b) = at.get().and_then(|i| self.at.facts.bindings.get(i)) else {
            return Known::unknown(Cause::Miss);
        };
        let step = self.step(Slot::Binding {
            item: self.at.item,
            index: at.0,
        });
        match b.kind {
            BindKind::Symbol(s) => Known::new(ctx.value_of(self.at.id(s)), Rule::LocalScope),
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
                    Def::Gap(c) => T::Unknown(c),
                    _ => T::UNKNOWN,
                };
                Known {
                    t,
                    how: How::new(Rule::Import).via(step),
                }
            }
            BindKind::TypeParam { of, index } => {
                let t = T::Param(self.at.id(of), index);
                Known::new(T::Static(Arc::new(t)), Rule::LocalScope)
            }
            BindKind::SelfParam { of } => {
                let parent = self.at.facts.symbol(of).map_or(SymIdx::NONE, |s| s.parent);
                Known::new(ctx.self_type(self.at.id(parent)), Rule::SelfMember)
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

    fn record_type(&self, path: ExprIdx) -> T {
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
    fn variant_field(&self, base: ExprIdx, path: ExprIdx, field: Name) -> Known {
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

    // ---- calls -----------------------------------------------------------------

    fn call(&self, callee: ExprIdx, args: List) -> Known {
        let ctx = self.ctx;
        let known = self.infer(callee);
        // f.call(..), f.apply(..), f.bind(..)
        if let Expr::Member { base, name } = self.at.facts.expr(callee)
            && (name == names::call() || name == names::apply() || name == names::bind())
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
        let t = self.called(&known.t, args);
        Known {
            t,
            how: how.on(&known.how),
        }
    }

    /// What calling a value of this type gives.
    fn called(&self, callee: &T, args: List) -> T {
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
                    if constructs {
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

    /// Parameters of the called function that nothing bound are unknown; those
    /// of the functions around stay.
    fn close(&self, f: SymbolId, t: &T) -> T {
        let n = self.ctx.own_params(f).len();
        let mut s = Subst::default();
        for i in 0..n as u16 {
            s.map.push(((f, i), T::UNKNOWN));
        }
        s.apply(t)
    }

    /// A tuple struct or variant filled with values.
    fn filled(&self, of: SymbolId, owner: SymbolId, subst: &Subst, args: List) -> T {
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
    fn constructed(&self, of: &T, args: List) -> T {
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
            T::Nom(..) => match ctx.member(of, Name::new("__new"), Side::Method) {
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
            T::Unknown(c) => T::Unknown(*c),
            T::Any => T::Any,
            T::Outside => T::UNKNOWN,
            _ => T::UNKNOWN,
        }
    }

    /// A function value as a written function type.
    fn arrow(&self, t: &T) -> Option<T> {
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
    fn bind_args(&self, f: SymbolId, mut subst: Subst, args: List, skip: Option<u16>) -> Subst {
        let ctx = self.ctx;
        let sig = ctx.signature(f);
        let mut later: Vec<(T, ExprIdx)> = Vec::new();
        for (i, e) in self.at.facts.expr_list(args).enumerate() {
            if skip == Some(i as u16) {
                continue;
            }
            let Some(p) = sig.params.get(i).or(sig.params.last().filter(|p| p.rest)) else {
                break;
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

    fn bind_one(&self, pattern: &T, actual: &T, subst: &mut Subst) {
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
                        for b in bounds {
                            if let T::Nom(_, args) = &b {
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
            _ => {
                unify(pattern, actual, subst);
            }
        }
    }

    /// The type of a function expression's parameter, by where it is passed.
    fn lambda_param(&self, lambda: SymIdx, index: u32) -> Known {
        let ctx = self.ctx;
        let none = || Known::unknown(Cause::NoReceiverType);
        let Some(symbol) = self.at.facts.symbol(lambda) else {
            return none();
        };
        let Some((call, position)) = symbol.context else {
            return none();
        };
        let (callee, args, new) = match self.at.facts.expr(call) {
            Expr::Call { callee, args, .. } => (callee, args, false),
            Expr::New { callee, args, .. } => (callee, args, true),
            _ => return none(),
        };
        let known = self.infer(callee);
        let (f, subst) = match &known.t {
            T::Fn(f, s) => (*f, (**s).clone()),
            T::Static(of) if new => match ctx.member(of, names::constructor(), Side::Static) {
                Found::One(m) => (m.symbol, m.subst),
                _ => return none(),
            },
            T::Arrow(f) => {
                let t =
                    f.0.get(position as usize)
                        .and_then(|t| self.param_of(t, index));
                return Known {
                    t: t.unwrap_or(T::UNKNOWN),
                    how: self.weaken(known.how),
                };
            }
            _ => return none(),
        };
        let sig = ctx.signature(f);
        let Some(p) = sig
            .params
            .get(position as usize)
            .or(sig.params.last().filter(|p| p.rest))
        else {
            return none();
        };
        let subst = self.bind_args(f, subst, args, Some(position));
        let t = subst.apply(&p.t);
        let t = self
            .param_of(&t, index)
            .map(|t| ctx.normal(&subst.apply(&t)));
        let how = How::new(Rule::ReceiverInferred)
            .via(ctx.via(f, Slot::Parameter(position)))
            .on(&known.how);
        Known {
            t: t.unwrap_or(T::UNKNOWN),
            how,
        }
    }

    /// The n-th parameter of a type that is called.
    fn param_of(&self, t: &T, index: u32) -> Option<T> {
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
                    sig.params.get(index as usize).map(|p| m.subst.apply(&p.t))
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

    /// What a macro gives: the stub declares `__macro_name` for those it knows.
    fn macro_value(&self, path: ExprIdx, args: List) -> Known {
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
