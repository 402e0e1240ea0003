//! Declarations as values: signatures, results, fields, variables.

use super::Value;
use super::infer::Body;
use super::members::{Found, Member, Side};
use super::types::T;
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Expr, Flags, List, Name, Ty};
use surefoot_graph::{Cause, SymbolId, SymbolKind};

/// The parameters of a callable, as types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sig {
    pub params: Vec<SigParam>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SigParam {
    pub name: Name,
    pub t: T,
    pub optional: bool,
    pub rest: bool,
    /// Written as certain values (`"a" | 1`), which a type alone does not tell apart.
    pub literal: bool,
}

impl<'a> Ctx<'a> {
    pub(crate) fn signature(&self, id: SymbolId) -> Arc<Sig> {
        let value = self.memo(Dep::signature(id), || {
            let Some((at, s, _)) = self.symbol(id) else {
                return Value::Sig(Arc::default());
            };
            let params = s.signature.as_deref().map(|sig| {
                let one = |p: &surefoot_facts::Param| SigParam {
                    name: p.name,
                    t: self.lower(at, p.ty),
                    optional: p.optional,
                    rest: p.rest,
                    literal: match at.facts.ty(p.ty) {
                        Ty::Union(list) => at
                            .facts
                            .ty_list(list)
                            .any(|t| matches!(at.facts.ty(t), Ty::Lit(_))),
                        t => matches!(t, Ty::Lit(_)),
                    },
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

    pub(super) fn promise_of(&self, near: SymbolId, t: T) -> T {
        let name = self.rules_of(near).map_or("", |r| r.traits().promise);
        match self.builtin_nom(near, name, Arc::from([t])) {
            T::Unknown(_) => T::UNKNOWN,
            promise => promise,
        }
    }

    pub(super) fn result_now(&self, id: SymbolId) -> T {
        let Some((at, s, _)) = self.symbol(id) else {
            return T::Unknown(Cause::Miss);
        };
        if s.kind == SymbolKind::Constructor && !self.linear_bases(id) {
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
            let name = self.rules_of(id).map_or("", |r| r.traits().generator);
            if name.is_empty() {
                return T::UNKNOWN;
            }
            self.read(Dep::summary(id));
            let given = Body::new(self, at).one_of(sig.returns).t;
            return self.builtin_nom(id, name, Arc::from([given]));
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

    /// What stands under a function's name once its decorators ran; the function
    /// itself where nothing says what they give.
    fn decorated(&self, id: SymbolId) -> T {
        let value = self.memo(Dep::value_type(id), || {
            let Some((at, s, _)) = self.symbol(id) else {
                return Value::Type(T::Unknown(Cause::Miss));
            };
            Value::Type(Body::new(self, at).infer(s.value).t)
        });
        match value.into_type() {
            T::Unknown(_) | T::Any | T::Outside => T::Fn(id, Arc::default()),
            t => t,
        }
    }

    /// Whether what decorators leave under a function's name is the function.
    pub(crate) fn keeps_function(&self, id: SymbolId) -> bool {
        let Some((at, s, _)) = self.symbol(id) else {
            return true;
        };
        if !s.value.is_known() || !matches!(s.kind, SymbolKind::Function | SymbolKind::Method) {
            return true;
        }
        let kept = Body::new(self, at).infer(s.value).t;
        matches!(kept, T::Fn(f, _) if f == id)
    }

    /// The class that a variable or member typed as some class is given where it is
    /// declared: nearer than what its type allows.
    pub(super) fn class_given(&self, id: SymbolId, written: &T) -> Option<T> {
        let (at, s, _) = self.symbol(id)?;
        let typed = s.ty.is_known() && s.value.is_known() && self.linear_bases(id);
        let mut path = s.value;
        while let Expr::Member { base, .. } = at.facts.expr(path) {
            path = base;
        }
        let named = matches!(
            at.facts.expr(path),
            Expr::Free { .. } | Expr::Earlier { .. }
        );
        if !typed || !named || !matches!(written, T::Static(_)) {
            return None;
        }
        let given = Body::new(self, at).infer(s.value).t;
        matches!(&given, T::Static(of) if matches!(**of, T::Nom(..))).then_some(given)
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
            SymbolKind::Function | SymbolKind::Method if s.value.is_known() => self.decorated(id),
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
