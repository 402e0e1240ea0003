//! From what a callee leads to, to the outcome of its site.

use super::infer::{Body, How};
use super::names::Named;
use super::place::Placed;
use super::types::{Subst, T};
use crate::state::both;
use surefoot_facts::{
    BindIdx, BindKind, Expr, ExprIdx, Flags, HeritageKind, Name, Site, Visibility, names,
};
use surefoot_graph::{
    Candidate, Candidates, Cause, Evidence, Outcome, Resolution, Resolver, Rule, SiteKind, Slot,
    SymbolId, SymbolKind, Target, Tier, Via,
};

impl Body<'_, '_> {
    pub(super) fn finish(&self, placed: Placed, site: &Site) -> Outcome {
        let ctx = self.ctx;
        match placed {
            Placed::Symbol {
                symbol,
                how,
                declared,
            } => {
                if ctx.is_prelude(symbol) {
                    let rule = match how.rule {
                        r @ (Rule::OutsideImport | Rule::OutsideBuiltin | Rule::OutsideType) => r,
                        _ => Rule::OutsideBuiltin,
                    };
                    return outside(How { rule, ..how });
                }
                let (symbol, how) = if site.kind.is_call() {
                    match self.run_by(symbol, how, site) {
                        Ok(found) => found,
                        Err(other) => return other,
                    }
                } else {
                    (symbol, how)
                };
                if site.kind == SiteKind::Value && !self.is_function_like(symbol) {
                    return nothing();
                }
                let candidates = if site.kind.is_call() {
                    self.may_run(symbol, &how, declared)
                } else {
                    None
                };
                Outcome {
                    resolution: Resolution::InTree,
                    target: Target::Symbol(symbol),
                    cause: None,
                    evidence: Some(evidence(how)),
                    candidates,
                    refused: None,
                }
            }
            Placed::Several(list, cause) => {
                let mut outcome = Outcome::undetermined(cause);
                let rule = list.first().map_or(Rule::OneOf, |(_, r)| *r);
                let mut ids: Vec<SymbolId> = list.iter().map(|(s, _)| *s).collect();
                ids.retain(|s| !ctx.is_prelude(*s));
                ctx.sort(&mut ids);
                outcome.candidates = candidates(ids, rule);
                if outcome.candidates.as_ref().is_some_and(|c| c.left_out > 0) {
                    outcome.cause = Some(Cause::FanOutCapped);
                }
                outcome
            }
            Placed::Outside(how) => outside(how),
            Placed::Gap {
                cause,
                via,
                refused,
            } => {
                let inside = cause != Cause::Cycle && cause != Cause::Budget;
                let evidence = Evidence {
                    rule: Rule::Import,
                    tier: Tier::Certain,
                    via,
                    resolver: Resolver::Static,
                };
                Outcome {
                    resolution: if inside && cause != Cause::Ambiguous {
                        Resolution::Unresolved
                    } else {
                        Resolution::Undetermined
                    },
                    target: Target::Bucket,
                    cause: Some(cause),
                    evidence: (!evidence.via.is_empty()).then_some(evidence),
                    candidates: None,
                    refused: refused_list(refused, cause),
                }
            }
            Placed::Parameter(b, default) => {
                let mut outcome = self.held(b, Resolution::Parameter);
                let default = default.filter(|s| !ctx.is_prelude(*s));
                outcome.candidates = candidates(default.into_iter().collect(), Rule::OneOf);
                outcome
            }
            Placed::Local(b) => self.held(b, Resolution::Local),
            Placed::Undetermined(cause, refused) => {
                let mut outcome = Outcome::undetermined(cause);
                outcome.refused = refused_list(refused, cause);
                outcome
            }
        }
    }

    pub(super) fn held(&self, b: BindIdx, resolution: Resolution) -> Outcome {
        let via = Via {
            file: self.at.file.id,
            symbol: None,
            slot: Slot::Binding {
                item: self.at.item,
                index: b.0,
            },
        };
        Outcome {
            resolution,
            target: Target::Bucket,
            cause: None,
            evidence: Some(Evidence {
                rule: Rule::LocalScope,
                tier: Tier::Certain,
                via: vec![via],
                resolver: Resolver::Static,
            }),
            candidates: self.stored(b),
            refused: None,
        }
    }

    /// The functions of an array that a body writes out, of which an index may
    /// take any.
    pub(super) fn in_table(&self, base: ExprIdx) -> Vec<(SymbolId, Rule)> {
        let mut at = base;
        if let Expr::Local(b) = self.at.facts.expr(at)
            && let Some(binding) = b.get().and_then(|b| self.at.facts.bindings.get(b))
            && binding.kind == BindKind::Local
        {
            at = self.compiled(binding.value);
        }
        let Expr::Array(list) = self.at.facts.expr(at) else {
            return Vec::new();
        };
        let parts = self.at.facts.expr_list(list);
        parts
            .filter_map(|e| match self.infer(e).t {
                T::Fn(f, _) => Some((f, Rule::OneOf)),
                _ => None,
            })
            .collect()
    }

    /// The function a local was bound to, where its written type says no more
    /// than that it can be called.
    fn stored(&self, b: BindIdx) -> Option<Box<Candidates>> {
        let binding = b.get().and_then(|b| self.at.facts.bindings.get(b))?;
        if binding.kind != BindKind::Local || !binding.ty.is_known() {
            return None;
        }
        match self.infer(self.compiled(binding.value)).t {
            T::Fn(f, _) if !self.ctx.is_prelude(f) => candidates(vec![f], Rule::ValueFlow),
            _ => None,
        }
    }

    pub(super) fn is_function_like(&self, s: SymbolId) -> bool {
        self.ctx.kind(s).is_some_and(|k| {
            k.is_callable()
                || matches!(
                    k,
                    SymbolKind::Class
                        | SymbolKind::Struct
                        | SymbolKind::Variant
                        | SymbolKind::Macro
                )
        })
    }

    /// What really runs when a symbol is called or constructed: a class's
    /// constructor, the component an element names.
    pub(super) fn run_by(
        &self,
        symbol: SymbolId,
        mut how: How,
        site: &Site,
    ) -> Result<(SymbolId, How), Outcome> {
        let ctx = self.ctx;
        let constructs = matches!(
            site.kind,
            SiteKind::New | SiteKind::Element | SiteKind::Decorator
        ) || matches!(self.at.facts.expr(site.callee), Expr::Super(_));
        let own_only = ctx.linear_bases(symbol);
        let constructor = match ctx.rules_of(symbol) {
            Some(r) => Name::new(r.traits().constructor),
            None => names::constructor(),
        };
        let constructs = constructs || own_only;
        match ctx.kind(symbol) {
            Some(SymbolKind::Class) if constructs => {
                let mut at = symbol;
                for _ in 0..32 {
                    let own: Vec<SymbolId> = ctx
                        .own_members(at, constructor)
                        .into_iter()
                        .filter(|m| ctx.kind(*m) == Some(SymbolKind::Constructor))
                        .collect();
                    let body = own.iter().find(|m| {
                        ctx.symbol(**m)
                            .is_some_and(|(_, s, _)| !s.flags.has(Flags::BODILESS))
                    });
                    if let Some(c) = body.or(own.first()) {
                        if how.rule != Rule::SuperMember {
                            how.rule = Rule::Constructor;
                        }
                        return Ok((*c, how));
                    }
                    // An inherited constructor runs; the call names the type.
                    match ctx.bases(at).of(HeritageKind::Extends).next() {
                        _ if own_only => break,
                        Some(T::Nom(b, _)) if !ctx.is_prelude(*b) => at = *b,
                        _ => break,
                    }
                }
                if how.rule != Rule::SuperMember {
                    how.rule = Rule::ConstructedType;
                }
                Ok((symbol, how))
            }
            Some(SymbolKind::Struct | SymbolKind::Union) if how.rule != Rule::Derived => {
                how.rule = Rule::ConstructedType;
                Ok((symbol, how))
            }
            Some(SymbolKind::Variant) => {
                how.rule = Rule::Variant;
                Ok((symbol, how))
            }
            Some(
                SymbolKind::Module
                | SymbolKind::Namespace
                | SymbolKind::Interface
                | SymbolKind::TypeAlias
                | SymbolKind::Object,
            ) => Err(Outcome::undetermined(Cause::Dynamic)),
            _ => {
                let mut symbol = symbol;
                let bodiless = ctx
                    .symbol(symbol)
                    .is_some_and(|(_, s, _)| s.flags.has(Flags::BODILESS));
                if bodiless && let Some(args) = self.args_of(site.call) {
                    let fit = self.overload(symbol, &Subst::default(), args);
                    symbol = fit[0];
                    if fit.len() > 1 {
                        how.rest_on(Some(Rule::FirstOverload));
                    }
                }
                if site.kind == SiteKind::Element {
                    how.rule = Rule::Element;
                } else if site.kind == SiteKind::Decorator {
                    how.rule = Rule::Decoration;
                }
                Ok((symbol, how))
            }
        }
    }

    /// Definitions that may run instead of the declared one.
    pub(super) fn may_run(
        &self,
        symbol: SymbolId,
        how: &How,
        declared: bool,
    ) -> Option<Box<Candidates>> {
        let ctx = self.ctx;
        if how.exact || how.rule == Rule::SuperMember {
            return None;
        }
        let (_, s, _) = ctx.symbol(symbol)?;
        // A property of a function type is declared like a method.
        let property = declared && s.kind == SymbolKind::Field;
        if !(property || matches!(s.kind, SymbolKind::Method | SymbolKind::Getter))
            || s.flags.has(Flags::STATIC)
            || s.visibility == Visibility::Private && !declared
        {
            return None;
        }
        let virtual_methods = ctx
            .rules_of(symbol)
            .is_some_and(|r| r.traits().virtual_methods);
        if !declared && !virtual_methods {
            return None;
        }
        let rule = if declared {
            Rule::Implementation
        } else {
            Rule::Override
        };
        candidates(ctx.overrides(symbol).to_vec(), rule)
    }
}

/// A site that names or runs no function of anyone's.
pub(super) fn nothing() -> Outcome {
    Outcome {
        resolution: Resolution::Local,
        target: Target::Bucket,
        cause: None,
        evidence: None,
        candidates: None,
        refused: None,
    }
}

pub(super) fn how_of(named: &Named) -> How {
    How {
        rule: named.rule,
        convention: named.convention,
        via: named.via.iter().copied().collect(),
        exact: false,
    }
}

pub(super) fn evidence(how: How) -> Evidence {
    let mut evidence = Evidence {
        rule: how.rule,
        tier: how.rule.tier(),
        via: how.via.into_vec(),
        resolver: Resolver::Static,
    };
    rests_on(&mut evidence, how.convention);
    evidence
}

/// What rests on a convention is named and counted by it. What leads outside
/// keeps the rule that says why it does.
pub(super) fn rests_on(evidence: &mut Evidence, convention: Option<Rule>) {
    let Some(convention) = convention else {
        return;
    };
    evidence.tier = evidence.tier.min(convention.tier());
    let outside = matches!(
        evidence.rule,
        Rule::OutsideImport | Rule::OutsideType | Rule::OutsideBuiltin
    );
    if !outside {
        let own = evidence.rule.is_convention().then_some(evidence.rule);
        evidence.rule = both(own, Some(convention)).unwrap_or(convention);
    }
}

pub(super) fn outside(how: How) -> Outcome {
    let rule = match how.rule {
        r @ (Rule::OutsideImport
        | Rule::OutsideBuiltin
        | Rule::OutsideReceiver
        | Rule::OutsideType) => r,
        Rule::Import | Rule::NamespaceMember | Rule::GlobImport | Rule::QualifiedPath => {
            Rule::OutsideImport
        }
        _ => Rule::OutsideType,
    };
    Outcome {
        resolution: Resolution::Outside,
        target: Target::Bucket,
        cause: None,
        evidence: Some(evidence(How { rule, ..how })),
        candidates: None,
        refused: None,
    }
}

pub(super) fn candidates(mut ids: Vec<SymbolId>, rule: Rule) -> Option<Box<Candidates>> {
    if ids.is_empty() {
        return None;
    }
    let left_out = ids.len().saturating_sub(Candidates::MAX) as u32;
    ids.truncate(Candidates::MAX);
    let list = ids
        .into_iter()
        .map(|symbol| Candidate { symbol, rule })
        .collect();
    Some(Box::new(Candidates { list, left_out }))
}

/// As an [`Outcome`] holds them: rarely any, so one word when there are none.
#[allow(
    clippy::box_collection,
    reason = "a vector's three words on every site of a tree"
)]
type Refused = Option<Box<Vec<(SymbolId, Cause)>>>;

pub(super) fn refused_list(all: Vec<SymbolId>, cause: Cause) -> Refused {
    (!all.is_empty()).then(|| {
        Box::new(
            all.into_iter()
                .take(Candidates::MAX)
                .map(|s| (s, cause))
                .collect(),
        )
    })
}
