//! Written types to types: paths resolved, aliases expanded, parameters kept.

use super::Value;
use super::infer::Body;
use super::names::{At, Def};
use super::types::{Args, SELF, Subst, T, no_args};
use crate::state::{Ctx, Dep, Ns};
use std::sync::Arc;
use surefoot_facts::{Expr, ExprIdx, HeritageKind, List, Lit, Name, Symbol, Ty, TyIdx};
use surefoot_graph::{Cause, SymbolId, SymbolKind};

/// The bases of a type, or what an impl block is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bases {
    pub list: Vec<(HeritageKind, T)>,
    /// A base is an expression no rule reads.
    pub dynamic: bool,
}

impl Bases {
    pub(crate) fn of(&self, kind: HeritageKind) -> impl Iterator<Item = &T> {
        self.list
            .iter()
            .filter(move |(k, _)| *k == kind)
            .map(|(_, t)| t)
    }
}

/// How deep a written type may nest: part of the definition of its meaning.
const MAX_NESTING: u32 = 64;

impl<'a> Ctx<'a> {
    /// The type parameters of a symbol, as arguments for itself.
    pub(crate) fn own_params(&self, id: SymbolId) -> Args {
        match self.symbol(id) {
            Some((_, s, _)) if !s.type_params.is_empty() => (0..s.type_params.len() as u16)
                .map(|i| T::Param(id, i))
                .collect(),
            _ => no_args(),
        }
    }

    /// The declaration whose type parameters an object literal or a type written
    /// in place can name, and those parameters.
    pub(crate) fn around_params(&self, id: SymbolId) -> (SymbolId, Args) {
        let mut at = id;
        for _ in 0..32 {
            let own = self.own_params(at);
            if !own.is_empty() {
                return (at, own);
            }
            match self.parent(at) {
                Some(up) if up != at => at = up,
                _ => break,
            }
        }
        (id, no_args())
    }

    pub(crate) fn builtin_nom(&self, near: SymbolId, name: &str, args: Args) -> T {
        if name.is_empty() {
            return T::UNKNOWN;
        }
        match self.prelude(near, Name::new(name), Ns::Type).symbol() {
            Some(s) => T::Nom(s, args),
            None => T::UNKNOWN,
        }
    }

    pub(crate) fn lit(&self, near: SymbolId, lit: Lit) -> T {
        let Some(rules) = self.rules_of(near) else {
            return T::UNKNOWN;
        };
        match rules.traits().literals.iter().find(|(l, _)| *l == lit) {
            Some((_, "()")) => T::unit(),
            Some((_, name)) => self.builtin_nom(near, name, no_args()),
            None if matches!(lit, Lit::Null | Lit::Undefined | Lit::Unit) => T::unit(),
            None => T::UNKNOWN,
        }
    }

    /// Whether functions of the language construct, and members are given to
    /// values from outside.
    pub(crate) fn has_prototypes(&self, near: SymbolId) -> bool {
        self.rules_of(near)
            .is_some_and(|r| !r.traits().prototype.is_empty())
    }

    /// What constructing a value gives, where functions construct as well.
    pub(crate) fn instance_of(&self, value: &T) -> Option<T> {
        match value {
            T::Static(of) => Some((**of).clone()),
            T::Fn(f, _) if self.has_prototypes(*f) => Some(T::Nom(*f, no_args())),
            T::Outside => Some(T::Outside),
            T::Unknown(c) => Some(T::Unknown(*c)),
            _ => None,
        }
    }

    /// The type of instances around: what `Self` and `this` mean under `id`.
    pub(crate) fn self_type(&self, id: SymbolId) -> T {
        match self.kind(id) {
            Some(SymbolKind::Impl) => self
                .bases(id)
                .of(HeritageKind::SelfType)
                .next()
                .cloned()
                .unwrap_or(T::UNKNOWN),
            Some(SymbolKind::Trait) => T::Param(id, SELF),
            Some(SymbolKind::Object) => {
                let (_, args) = self.around_params(id);
                T::Nom(id, args)
            }
            Some(k) if k.is_type() => T::Nom(id, self.own_params(id)),
            Some(SymbolKind::Function | SymbolKind::Method) if self.has_prototypes(id) => {
                T::Nom(id, no_args())
            }
            Some(SymbolKind::Variant) => self.parent(id).map_or(T::UNKNOWN, |p| self.self_type(p)),
            _ => T::UNKNOWN,
        }
    }

    pub(crate) fn bases(&self, id: SymbolId) -> Arc<Bases> {
        let value = self.memo(Dep::bases(id), || {
            let mut out = Bases::default();
            if let Some((at, s, _)) = self.symbol(id) {
                for h in &s.heritage {
                    if h.kind == HeritageKind::Dynamic {
                        out.dynamic = true;
                        continue;
                    }
                    out.list.push((h.kind, self.lower(at, h.ty)));
                }
            }
            Value::Bases(Arc::new(out))
        });
        match value {
            Value::Bases(b) => b,
            _ => Arc::default(),
        }
    }

    /// What a type alias stands for, over its own parameters.
    pub(super) fn alias(&self, id: SymbolId) -> T {
        let value = self.memo(Dep::alias_type(id), || {
            Value::Type(match self.symbol(id) {
                Some((at, s, _)) => self.lower(at, s.ty),
                None => T::Unknown(Cause::Miss),
            })
        });
        value.into_type()
    }

    pub(crate) fn lower(&self, at: At<'a>, ty: TyIdx) -> T {
        self.lower_at(at, ty, 0)
    }

    pub(super) fn lower_list(&self, at: At<'a>, list: List, depth: u32) -> Args {
        at.facts
            .ty_list(list)
            .map(|t| self.lower_at(at, t, depth))
            .collect()
    }

    pub(super) fn lower_at(&self, at: At<'a>, ty: TyIdx, depth: u32) -> T {
        if depth > MAX_NESTING {
            return T::Unknown(Cause::Budget);
        }
        let d = depth + 1;
        let near = at.file.module;
        match at.facts.ty(ty) {
            Ty::Unknown | Ty::Opaque | Ty::Inferred => T::UNKNOWN,
            Ty::Named { path, args } => self.lower_named(at, path, args, d),
            // Whatever derives from it, where members are asked of a value.
            Ty::SelfType(s) if self.linear_bases(near) => T::Param(at.id(s), SELF),
            Ty::SelfType(s) => self.self_type(at.id(s)),
            Ty::Ref(t) => self.lower_at(at, t, d),
            Ty::Ptr(t) => {
                let name = self.rules_of(near).and_then(|r| r.builtin_type("*"));
                let to = self.lower_at(at, t, d);
                self.builtin_nom(near, name.unwrap_or(""), Arc::from([to]))
            }
            Ty::Array(t) => {
                let part = self.lower_at(at, t, d);
                let name = self.rules_of(near).map_or("", |r| r.traits().array);
                self.builtin_nom(near, name, Arc::from([part]))
            }
            Ty::Tuple(l) => T::Tuple(self.lower_list(at, l, d)),
            Ty::Fn { params, result } => {
                let params = self.lower_list(at, params, d).to_vec();
                T::Arrow(Arc::new((params, self.lower_at(at, result, d))))
            }
            Ty::Union(l) => {
                let nothing = self.rules_of(near).map_or(&[][..], |r| r.traits().nothing);
                let parts: Vec<T> = at
                    .facts
                    .ty_list(l)
                    .filter(|t| {
                        !matches!(at.facts.ty(*t), Ty::Lit(Lit::Null | Lit::Undefined))
                            && !matches!(at.facts.ty(*t), Ty::Builtin(n)
                                if nothing.contains(&n.text()))
                    })
                    .map(|t| self.lower_at(at, t, d))
                    .collect();
                T::union(parts)
            }
            Ty::Intersection(l) => T::All(self.lower_list(at, l, d)),
            Ty::Object(s) => {
                let id = at.id(s);
                T::Nom(id, self.around_params(id).1)
            }
            Ty::Bounds { list, .. } => {
                let all = self.lower_list(at, list, d);
                if all.len() == 1 {
                    all[0].clone()
                } else {
                    T::All(all)
                }
            }
            Ty::TypeOf(e) => Body::new(self, at).infer(e).t,
            Ty::Member { base, name } => {
                let base = self.lower_at(at, base, d);
                self.field_type(&base, name)
            }
            Ty::Lit(l) => self.lit(near, l),
            Ty::Binding { name, ty } => T::Bind(name, Arc::new(self.lower_at(at, ty, d))),
            Ty::Builtin(n) => self.lower_builtin(near, n, no_args()),
            Ty::Guard(_) => {
                let name = self.rules_of(near).map_or("", |r| r.traits().boolean);
                self.builtin_nom(near, name, no_args())
            }
        }
    }

    pub(super) fn lower_builtin(&self, near: SymbolId, name: Name, args: Args) -> T {
        let Some(rules) = self.rules_of(near) else {
            return T::UNKNOWN;
        };
        if rules.traits().untyped.contains(&name.text()) {
            return T::Any;
        }
        match rules.builtin_type(name.text()) {
            Some(stub) => self.builtin_nom(near, stub, args),
            None => T::unit(),
        }
    }

    pub(super) fn lower_named(&self, at: At<'a>, path: ExprIdx, args: List, depth: u32) -> T {
        let mut args = self.lower_list(at, args, depth);
        let mut path = path;
        while let Expr::TypeArgs { base, args: more } = at.facts.expr(path) {
            if args.is_empty() {
                args = self.lower_list(at, more, depth);
            }
            path = base;
        }
        // `T::Item`, `Self::Item`, `<T as Trait>::Item`.
        if let Expr::Scoped { base, name } = at.facts.expr(path) {
            let head = match at.facts.expr(base) {
                Expr::TypePath { ty, .. } => Some(self.lower_at(at, ty, depth)),
                Expr::SelfType(s) => Some(self.self_type(at.id(s))),
                Expr::Local(_) => match self.path(at, base, Ns::Type, 0).def {
                    Def::TypeParam(o, i) => Some(T::Param(o, i)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(head) = head {
                if let T::Nom(e, a) = &head
                    && self
                        .own_members(*e, name)
                        .iter()
                        .any(|m| self.kind(*m) == Some(SymbolKind::Variant))
                {
                    return T::Nom(*e, a.clone());
                }
                // What a parameter's own bounds say is asked later: they may be
                // what is being read now.
                return match head {
                    T::Param(..) | T::Assoc(..) => T::Assoc(Arc::new(head), name),
                    head => self.project(&head, name),
                };
            }
        }
        if self.one_namespace(at.file.module) {
            return self.lower_value(at, path, args);
        }
        let found = self.path(at, path, Ns::Type, 0);
        self.rest_on(found.convention);
        match found.def {
            // A value that constructs stands for what it makes.
            Def::Symbol(s)
                if self.has_prototypes(s)
                    && matches!(
                        self.kind(s),
                        Some(
                            SymbolKind::Variable
                                | SymbolKind::Field
                                | SymbolKind::Function
                                | SymbolKind::Method
                        )
                    ) =>
            {
                self.instance_of(&self.value_of(s)).unwrap_or(T::UNKNOWN)
            }
            Def::Symbol(s) => self.named_type(s, args),
            Def::TypeParam(o, i) => T::Param(o, i),
            Def::SelfOf(s) => self.self_type(s),
            Def::Outside => T::Foreign(last_name(at, path), args),
            Def::Builtin => T::Outside,
            Def::Gap(c) => T::Unknown(c),
            Def::Folder(_) => T::UNKNOWN,
            Def::Nothing | Def::Local => {
                if let Expr::Free { name, .. } = at.facts.expr(path)
                    && let Some(rules) = self.rules_of(at.file.module)
                {
                    if rules.traits().untyped.contains(&name.text()) {
                        return T::Any;
                    }
                    if let Some(stub) = rules.builtin_type(name.text()) {
                        return self.builtin_nom(at.file.module, stub, args);
                    }
                }
                // A value that constructs stands for what it makes.
                if self.has_prototypes(at.file.module) {
                    let value = Body::new(self, at).infer(path).t;
                    return self.instance_of(&value).unwrap_or(T::UNKNOWN);
                }
                // `Assoc::Item` of a type: a member among types.
                if let Expr::Scoped { base, name } = at.facts.expr(path)
                    && let Some(of) = self.path(at, base, Ns::Type, 0).symbol()
                {
                    return self.project(&self.named_type(of, no_args()), name);
                }
                T::UNKNOWN
            }
        }
    }

    /// A type that is written as the value it is.
    fn lower_value(&self, at: At<'a>, path: ExprIdx, args: Args) -> T {
        let known = Body::new(self, at).infer(path);
        self.rest_on(known.how.convention);
        match known.t {
            T::Static(of) => match &*of {
                T::Nom(s, own) if !args.is_empty() && *own == self.own_params(*s) => {
                    self.named_type(*s, args)
                }
                T::Nom(s, own) if *own == self.own_params(*s) => self.named_type(*s, no_args()),
                t => t.clone(),
            },
            T::Outside => T::Outside,
            T::Any => T::Any,
            T::Unknown(c) => T::Unknown(c),
            T::Union(parts) => T::union(parts.iter().map(|p| match p {
                T::Static(of) => (**of).clone(),
                T::Outside => T::Outside,
                _ => T::UNKNOWN,
            })),
            _ => T::UNKNOWN,
        }
    }

    /// A declaration used as a type.
    pub(crate) fn named_type(&self, s: SymbolId, mut args: Args) -> T {
        match self.symbol(s) {
            Some((at, symbol, _)) => match symbol.kind {
                SymbolKind::TypeAlias => {
                    let t = self.alias(s);
                    let args = self.fill(at, symbol, s, args);
                    self.normal(&Subst::of(s, &args).apply(&t))
                }
                SymbolKind::AssocType => {
                    let owner = at.id(symbol.parent);
                    self.project(&self.self_type(owner), symbol.name)
                }
                SymbolKind::Variant => {
                    let owner = at.id(symbol.parent);
                    T::Nom(
                        owner,
                        self.own_params(owner).iter().map(|_| T::UNKNOWN).collect(),
                    )
                }
                _ => {
                    args = self.fill(at, symbol, s, args);
                    T::Nom(s, args)
                }
            },
            None => T::UNKNOWN,
        }
    }

    /// Arguments that were not written: the declared defaults, else unknown.
    pub(super) fn fill(&self, at: At<'a>, symbol: &Symbol, id: SymbolId, args: Args) -> Args {
        let positional = args.iter().filter(|a| !matches!(a, T::Bind(..))).count();
        if positional >= symbol.type_params.len() {
            return args;
        }
        let mut all: Vec<T> = args
            .iter()
            .filter(|a| !matches!(a, T::Bind(..)))
            .cloned()
            .collect();
        for p in &symbol.type_params[positional..] {
            let t = if p.default.is_known() {
                Subst::of(id, &all).apply(&self.lower(at, p.default))
            } else {
                T::UNKNOWN
            };
            all.push(t);
        }
        all.extend(args.iter().filter(|a| matches!(a, T::Bind(..))).cloned());
        all.into()
    }

    /// The bounds of a type parameter.
    pub(crate) fn bounds(&self, owner: SymbolId, index: u16) -> Arc<[T]> {
        if index == SELF {
            return Arc::from([T::Nom(owner, self.own_params(owner))]);
        }
        let value = self.memo(Dep::bounds(owner, index), || {
            let Some((at, s, _)) = self.symbol(owner) else {
                return Value::Types(Arc::from([]));
            };
            let written = s.type_params.get(index as usize).map(|p| p.bounds);
            let all = written.map(|l| at.facts.ty_list(l).map(|t| self.lower(at, t)).collect());
            Value::Types(all.unwrap_or_else(|| Arc::from([])))
        });
        match value {
            Value::Types(all) => all,
            _ => Arc::from([]),
        }
    }
}

/// The last name of a path, by which blocks for it are found.
pub(super) fn last_name(at: At<'_>, path: ExprIdx) -> Name {
    match at.facts.expr(path) {
        Expr::Free { name, .. } | Expr::Scoped { name, .. } | Expr::Member { name, .. } => name,
        Expr::Local(b) => b
            .get()
            .and_then(|i| at.facts.bindings.get(i))
            .map_or(Name::EMPTY, |b| b.name),
        _ => Name::EMPTY,
    }
}
