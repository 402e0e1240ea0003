//! Names, paths and members as values.

use super::infer::{Body, How, Known};
use super::members::{Found, Side};
use super::names::Def;
use super::types::{T, no_args};
use crate::state::Ns;
use std::sync::Arc;
use surefoot_facts::{Expr, ExprIdx, Name, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolKind};

impl Body<'_, '_> {
    /// A name or path of modules as a value.
    pub(super) fn by_path(&self, at: ExprIdx) -> Known {
        let named = self.ctx.path(self.at, at, Ns::Value, 0);
        let how = How {
            rule: named.rule,
            convention: named.convention,
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
                    let t = self.with_others(t, &named.also);
                    return Known { t, how };
                }
                // A unit is a value where its name stands.
                let unit = matches!(t, T::Nom(..))
                    && matches!(
                        self.ctx.kind(s),
                        Some(SymbolKind::Struct | SymbolKind::Variant)
                    );
                if unit {
                    let how = How {
                        rule: Rule::ReceiverConstructed,
                        exact: true,
                        ..how
                    };
                    return Known { t, how };
                }
                self.with_others(t, &named.also)
            }
            Def::Folder(folder) => T::Folder(self.near(), folder),
            Def::Outside => T::Outside,
            Def::Gap(c) => T::Unknown(c),
            Def::TypeParam(o, i) => T::Static(Arc::new(T::Param(o, i))),
            Def::SelfOf(s) => T::Static(Arc::new(self.ctx.self_type(s))),
            _ => T::UNKNOWN,
        };
        Known { t, how }
    }

    /// The type of a name that may mean other things as well.
    pub(super) fn with_others(&self, t: T, also: &[Def]) -> T {
        if also.is_empty() {
            return t;
        }
        let other = |d: &Def| match d {
            Def::Symbol(s) => self.ctx.value_of(*s),
            Def::Outside => T::Outside,
            Def::Folder(f) => T::Folder(self.near(), *f),
            _ => T::UNKNOWN,
        };
        T::union(std::iter::once(t).chain(also.iter().map(other)))
    }

    /// `base::name` as a value: along modules first, then as a member of a type.
    pub(super) fn scoped(&self, at: ExprIdx, base: ExprIdx, name: Name) -> Known {
        let named = self.ctx.path(self.at, at, Ns::Value, 0);
        if matches!(named.def, Def::Symbol(_) | Def::Outside | Def::Gap(_)) {
            return self.by_path(at);
        }
        match self.through_trait(base, name) {
            Some((found, head)) => self.value_found(found, head),
            None => self.member_of(self.type_head(base), name, Side::Static),
        }
    }

    /// What `<T as Trait>` gives under a name, and the type it is asked of.
    pub(super) fn through_trait(&self, base: ExprIdx, name: Name) -> Option<(Found, Known)> {
        let Expr::TypePath { ty, as_trait } = self.at.facts.expr(base) else {
            return None;
        };
        if !as_trait.is_known() {
            return None;
        }
        let (this, by) = (
            self.ctx.lower(self.at, ty),
            self.ctx.lower(self.at, as_trait),
        );
        let found = self.ctx.as_trait(&this, &by, name);
        let head = Known::new(T::Static(Arc::new(this)), Rule::StaticMember);
        Some((found, head))
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
            convention: named.convention,
            via: named.via.iter().copied().collect(),
            exact: true,
        };
        let t = match named.def {
            Def::Symbol(s) => match ctx.kind(s) {
                Some(SymbolKind::Module | SymbolKind::Namespace) => T::Module(s),
                _ => {
                    // Defaults are for types that are written: of a path among
                    // values, what is left out follows from its use.
                    let left_out = ctx.own_params(s).len().saturating_sub(args.len());
                    let all = args.iter().cloned();
                    let all = all.chain(std::iter::repeat_n(T::UNKNOWN, left_out));
                    T::Static(Arc::new(ctx.named_type(s, all.collect())))
                }
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
                    // Nobody declares what the path begins with.
                    T::Unknown(Cause::Miss)
                }
            }
        };
        // A parameter and a trait stand for whoever implements them.
        let exact = match &t {
            T::Static(of) => match &**of {
                T::Nom(s, _) => ctx.kind(*s) != Some(SymbolKind::Trait),
                _ => false,
            },
            _ => true,
        };
        Known {
            t,
            how: How { exact, ..how },
        }
    }

    pub(super) fn member(&self, base: ExprIdx, name: Name, side: Side) -> Known {
        let known = self.infer(base);
        // `F.prototype`: what every instance has.
        if self
            .ctx
            .rules_of(self.near())
            .is_some_and(|r| r.traits().prototype == name.text())
            && let Some(t) = self.ctx.instance_of(&known.t)
        {
            let exact = true;
            return Known {
                t,
                how: How { exact, ..known.how },
            };
        }
        // `t.0`, through what holds the tuple.
        if let Ok(i) = name.text().parse::<usize>() {
            let mut t = known.t.clone();
            for _ in 0..4 {
                if let T::Tuple(parts) = &t {
                    let t = parts.get(i).cloned().unwrap_or(T::UNKNOWN);
                    return Known { t, how: known.how };
                }
                // A field of that name is nearer than what is behind it.
                let own = matches!(self.ctx.member_here(&t, name, side, 0), Found::One(_));
                match self.ctx.op(&t, ops::DEREF) {
                    Some(next) if !own && next != t => t = next,
                    _ => break,
                }
            }
        }
        self.member_of(known, name, side)
    }

    pub(super) fn member_of(&self, base: Known, name: Name, side: Side) -> Known {
        let ctx = self.ctx;
        let from = Some((self.at.file.id, self.at.item));
        let found = ctx.asked_from(from, || ctx.member(&base.t, name, side));
        if let Found::Missing = found
            && let Some(t) = ctx.folder_in(&base.t, name)
        {
            return Known { t, how: base.how };
        }
        self.value_found(found, base)
    }

    /// A member that was found, as a value.
    pub(super) fn value_found(&self, found: Found, base: Known) -> Known {
        let ctx = self.ctx;
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
                how.rest_on(m.convention);
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
            Found::Missing => match self.indexed(&base.t) {
                Some(t) => Known {
                    t,
                    how: self.weaken(base.how),
                },
                None => Known::unknown(Cause::NoReceiverType),
            },
            Found::Unknown(c) => Known::unknown(c),
            // What a library's module has that no stub declares.
            Found::Outside if matches!(&base.t, T::Module(m) if ctx.is_prelude(*m)) => Known {
                t: T::Outside,
                how: How::new(Rule::OutsideImport).on(&base.how),
            },
            // What is reached through names alone from an import is where it leads.
            Found::Outside
                if base.t == T::Outside
                    && base.how.rule == Rule::OutsideImport
                    && ctx.linear_bases(self.near()) =>
            {
                base
            }
            Found::Outside => Known {
                t: T::UNKNOWN,
                how: base.how,
            },
        }
    }
}
