//! A member that was asked for, as what a site leads to.

use super::holds::Held;
use super::infer::{Body, How, Known};
use super::members::{Found, Member, Side};
use super::names::MAX_VIA;
use super::place::Placed;
use super::types::{SELF, T};
use surefoot_facts::{Expr, Flags, Name, Site};
use surefoot_graph::{Cause, Rule, SiteKind, Slot, SymbolId, SymbolKind};

impl Body<'_, '_> {
    pub(super) fn member_site(&self, base: Known, name: Name, side: Side, site: &Site) -> Placed {
        let ctx = self.ctx;
        let from = Some((self.at.file.id, self.at.item));
        let found = ctx.asked_from(from, || ctx.member(&base.t, name, side));
        self.member_found(found, base, site)
    }

    pub(super) fn member_found(&self, found: Found, base: Known, site: &Site) -> Placed {
        let ctx = self.ctx;
        match found {
            Found::One(m) => self.by_member(m, &base, site),
            Found::Ambiguous(all) => {
                if all.iter().all(|m| ctx.is_prelude(m.symbol)) {
                    return Placed::Outside(How {
                        rule: Rule::OutsideType,
                        ..base.how
                    });
                }
                if let Some(args) = self.args_of(site.call)
                    && let Some(m) = self.choose_member(&all, args)
                {
                    return self.by_member(m, &base, site);
                }
                let all = all.into_iter().map(|m| m.symbol).collect();
                Placed::Undetermined(Cause::Ambiguous, all)
            }
            Found::Many(all) => {
                if all.iter().all(|m| ctx.is_prelude(m.symbol)) {
                    return Placed::Outside(How {
                        rule: Rule::OutsideType,
                        ..base.how
                    });
                }
                let all = all.into_iter().map(|m| (m.symbol, Rule::OneOf)).collect();
                Placed::Several(all, Cause::Ambiguous)
            }
            Found::Missing => Placed::Undetermined(Cause::NoReceiverType, Vec::new()),
            Found::Unknown(c) => Placed::Undetermined(c, Vec::new()),
            Found::Outside => {
                // Only what the import itself names is proved to be outside.
                if matches!(base.how.rule, Rule::OutsideImport | Rule::Import)
                    && base.t == T::Outside
                {
                    return Placed::Outside(base.how);
                }
                if matches!(base.t, T::Module(_)) {
                    return Placed::Outside(base.how);
                }
                let value = |t: &T| {
                    matches!(
                        t,
                        T::Foreign(..) | T::Nom(..) | T::Param(..) | T::All(_) | T::Assoc(..)
                    )
                };
                let known = match &base.t {
                    T::Static(of) => value(of),
                    t => value(t),
                };
                if known {
                    return Placed::Outside(How {
                        rule: Rule::OutsideReceiver,
                        ..base.how
                    });
                }
                Placed::Undetermined(Cause::NoReceiverType, Vec::new())
            }
        }
    }

    /// Whether a method asked of a value takes another number of arguments than
    /// are given, in a language where only one number compiles: the compiler
    /// has found another.
    fn takes_other_arguments(&self, method: SymbolId, site: &Site) -> bool {
        let ctx = self.ctx;
        let one_number = |s| ctx.rules_of(s).is_some_and(|r| r.traits().written_receiver);
        if !matches!(self.at.facts.expr(site.callee), Expr::Method { .. })
            || ctx.kind(method) != Some(SymbolKind::Method)
            || ctx.is_prelude(method)
            || !one_number(method)
        {
            return false;
        }
        let signature = ctx.signature(method);
        self.args_of(site.call).is_some_and(|args| {
            let given = self.at.facts.expr_list(args).len();
            given != signature.params.len() && !signature.params.iter().any(|p| p.rest)
        })
    }

    pub(super) fn by_member(&self, m: Member, base: &Known, site: &Site) -> Placed {
        let ctx = self.ctx;
        let mut how = base.how.clone();
        how.rest_on(m.convention);
        if let Some(rule) = m.rule {
            how.rule = rule;
        } else if matches!(base.t, T::Static(_))
            && !matches!(how.rule, Rule::SelfMember | Rule::SuperMember)
        {
            how.rule = Rule::StaticMember;
        }
        let mut via = m.via.clone();
        via.extend(how.via.iter().copied());
        via.truncate(MAX_VIA);
        how.via = via.into();
        if self.is_foreign_to_both(&m) {
            // A block that gives a library trait to a library type: the library
            // may have others for the same pair, so the arguments must decide.
            let fits = self
                .args_of(site.call)
                .is_some_and(|args| self.names_types(m.symbol, &m.subst, args));
            if !fits {
                return Placed::Undetermined(Cause::Ambiguous, vec![m.symbol]);
            }
        }
        if self.takes_other_arguments(m.symbol, site) {
            return Placed::Undetermined(Cause::Ambiguous, vec![m.symbol]);
        }
        if ctx.is_prelude(m.symbol) {
            // The type that derives it is what the derive's own step names.
            if m.rule == Some(Rule::Derived)
                && let Some(of) = m.via.first().and_then(|v| v.symbol)
                && !ctx.is_prelude(of)
            {
                return Placed::Symbol {
                    symbol: of,
                    how,
                    declared: false,
                };
            }
            // What stands for a type parameter is a value of the tree's.
            if ctx.kind(m.symbol) == Some(SymbolKind::Field)
                && matches!(ctx.value_type(m.symbol), T::Param(..))
            {
                return match ctx.member_value(&m) {
                    T::Fn(f, _) if !ctx.is_prelude(f) => {
                        Placed::Several(vec![(f, Rule::OneOf)], Cause::Dynamic)
                    }
                    _ => Placed::Undetermined(Cause::Dynamic, Vec::new()),
                };
            }
            if !matches!(how.rule, Rule::OutsideImport | Rule::OutsideBuiltin) {
                how.rule = Rule::OutsideType;
            }
            return Placed::Outside(how);
        }
        if matches!(
            ctx.kind(m.symbol),
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Getter)
        ) {
            if let Some(placed) = self.constructor_held(m.symbol, &how, site) {
                return placed;
            }
            let held = ctx.member_value(&m);
            // A property of a written function type is declared like a method.
            let structural = ctx
                .rules_of(m.symbol)
                .is_some_and(|r| r.traits().structural);
            // One that a class gives a value holds values, and so does one of any
            // function.
            let any = matches!(&held, T::Nom(s, _) if ctx.is_prelude(*s));
            let written = ctx.symbol(m.symbol).is_some_and(|(_, s, _)| {
                s.kind == SymbolKind::Field && s.ty.is_known() && !s.value.is_known() && !any
            });
            let makes = || {
                let new = Name::new(surefoot_facts::ops::NEW);
                !matches!(ctx.member(&held, new, Side::Method), Found::Missing)
            };
            if structural
                && written
                && matches!(held, T::Arrow(_) | T::Nom(..) | T::Union(_))
                && (site.kind != SiteKind::New || makes())
            {
                how.rule = Rule::DeclaredMember;
                return Placed::Symbol {
                    symbol: m.symbol,
                    how,
                    declared: true,
                };
            }
            let given = ctx.class_given(m.symbol, &held);
            let slot = match ctx.symbol(m.symbol) {
                Some((_, s, _)) if s.ty.is_known() && given.is_none() => Slot::WrittenType,
                _ => Slot::Value,
            };
            let held = given.unwrap_or(held);
            let object = ctx
                .parent(m.symbol)
                .is_some_and(|p| ctx.kind(p) == Some(SymbolKind::Object));
            let mut open = ctx.may_change(m.symbol);
            if let Some((at, s, _)) = ctx.symbol(m.symbol) {
                let held = self.function_held(at, s.value);
                let declared = !s.value.is_known() && ctx.linear_bases(m.symbol);
                open |= declared || held == Held::Unknown;
                how.rest_on(held.convention());
            }
            let mut placed = self.of_type(&held, how, ctx.via(m.symbol, slot), open, site);
            if let Placed::Symbol { how, .. } = &mut placed
                && object
                && how.rule == Rule::Alias
            {
                how.rule = Rule::ObjectMember;
            }
            return placed;
        }
        if ctx.may_change(m.symbol) {
            return Placed::Several(vec![(m.symbol, Rule::OneOf)], Cause::Dynamic);
        }
        if m.rule.is_none()
            && ctx
                .parent(m.symbol)
                .is_some_and(|p| ctx.kind(p) == Some(SymbolKind::Object))
        {
            how.rule = Rule::ObjectMember;
        }
        // What is assigned beside it may be held instead.
        if (ctx.has_prototypes(m.symbol) || ctx.linear_bases(m.symbol))
            && ctx
                .symbol(m.symbol)
                .is_some_and(|(_, s, _)| s.flags.has(Flags::REASSIGNED))
        {
            return Placed::Several(vec![(m.symbol, Rule::OneOf)], Cause::Dynamic);
        }
        let how = self.as_decorated(m.symbol, how);
        let linear = ctx.linear_bases(m.symbol);
        let open = || m.subst.map.iter().any(|(k, t)| k.1 == SELF && t.is_open());
        let declared = m.declared || !linear && open();
        Placed::Symbol {
            symbol: m.symbol,
            how,
            declared,
        }
    }
}
