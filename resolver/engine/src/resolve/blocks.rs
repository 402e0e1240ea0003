//! Members that blocks, traits and derives give to a type.

use super::Value;
use super::members::{Found, Member, Side};
use super::types::{Args, SELF, Subst, T, unify};
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name};
use surefoot_graph::{Rule, Slot, SymbolId, SymbolKind, Tier};

impl<'a> Ctx<'a> {
    /// Blocks that are for this type, in source order.
    pub(crate) fn impls_of(&self, s: SymbolId) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::impls_of(s), || {
            let Some((_, symbol, _)) = self.symbol(s) else {
                return Value::Symbols(Arc::from([]));
            };
            self.read(Dep::impls(symbol.name));
            let mut all = self.db.impls.get(&symbol.name).cloned().unwrap_or_default();
            self.sort(&mut all);
            all.retain(|b| {
                self.bases(*b)
                    .of(HeritageKind::SelfType)
                    .any(|t| matches!(t, T::Nom(x, _) if *x == s))
            });
            Value::Symbols(all.into())
        });
        match value {
            Value::Symbols(s) => s,
            _ => Arc::from([]),
        }
    }

    pub(super) fn in_data(
        &self,
        s: SymbolId,
        args: &Args,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Found {
        let this = T::Nom(s, args.clone());
        if side != Side::Type {
            let own = self.own_members(s, name);
            let own: Vec<SymbolId> = own
                .into_iter()
                .filter(|m| match self.kind(*m) {
                    Some(SymbolKind::Variant) => side == Side::Static,
                    Some(SymbolKind::Field) => side == Side::Instance,
                    _ => true,
                })
                .collect();
            if let Some(m) = self.choose(&own, side) {
                let rule = (self.kind(m) == Some(SymbolKind::Variant)).then_some(Rule::Variant);
                return Found::One(Member {
                    rule,
                    ..Member::new(m, Subst::of(s, args))
                });
            }
        }
        if side == Side::Instance && self.rules_of(s).is_some_and(|r| r.traits().auto_deref) {
            // Fields only: methods are asked for as methods.
            return Found::Missing;
        }
        self.in_blocks(&this, &self.impls_of(s), Some(s), name, side, depth)
    }

    /// Members that blocks give to a type: its own first, then by traits.
    pub(super) fn in_blocks(
        &self,
        this: &T,
        blocks: &[SymbolId],
        of: Option<SymbolId>,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Found {
        let mut own: Vec<Member> = Vec::new();
        let mut by_trait: Vec<Member> = Vec::new();
        for &b in blocks {
            let bases = self.bases(b);
            let Some(pattern) = bases.of(HeritageKind::SelfType).next() else {
                continue;
            };
            let the_trait = bases.of(HeritageKind::Trait).next();
            let mut subst = Subst::default();
            let own_here = self.own_members(b, name);
            if own_here.is_empty() && the_trait.is_none() {
                continue;
            }
            if !unify(pattern, this, &mut subst) {
                continue;
            }
            if let Some(m) = self.choose(&own_here, side) {
                let member = Member::new(m, subst);
                if the_trait.is_some() {
                    by_trait.push(member)
                } else {
                    own.push(member)
                }
            } else if let Some(T::Nom(tr, targs)) = the_trait {
                let targs: Args = targs.iter().map(|t| subst.apply(t)).collect();
                if let Some(m) = self.trait_default(*tr, &targs, this, name, side, depth) {
                    let mut m = m;
                    m.subst = m.subst.with(&subst);
                    m.via.insert(0, self.via(b, Slot::Heritage(1)));
                    by_trait.push(m);
                }
            }
        }
        if own.len() == 1 {
            return Found::One(own.swap_remove(0));
        }
        if own.len() > 1 {
            return self.one_of_twins(own);
        }
        if let Some(s) = of {
            for (i, (kind, t)) in self.bases(s).list.iter().enumerate() {
                if *kind != HeritageKind::Derive {
                    continue;
                }
                if let T::Nom(tr, targs) = t
                    && let Some(mut m) = self.trait_default(*tr, targs, this, name, side, depth)
                {
                    m.via.insert(0, self.via(s, Slot::Heritage(i as u16)));
                    m.rule = Some(Rule::Derived);
                    m.declared = false;
                    by_trait.push(m);
                }
            }
        }
        match by_trait.len() {
            0 => {}
            1 => return Found::One(by_trait.swap_remove(0)),
            _ => return self.one_of_twins(by_trait),
        }
        self.blanket(this, name, side, None)
    }

    /// Several blocks declare it: twins under conditions are one thing.
    pub(super) fn one_of_twins(&self, mut all: Vec<Member>) -> Found {
        let conditional = |m: &Member| {
            let flag = |s: SymbolId| {
                self.symbol(s)
                    .is_some_and(|(_, s, _)| s.flags.has(Flags::CONDITIONAL))
            };
            flag(m.symbol) || self.parent(m.symbol).is_some_and(flag)
        };
        if all.iter().filter(|m| conditional(m)).count() + 1 >= all.len() {
            let mut first = all.swap_remove(0);
            first.tier = Tier::Likely;
            first.rule = Some(Rule::CfgTwins);
            return Found::One(first);
        }
        Found::Ambiguous(all)
    }

    /// A member that a trait gives to whoever implements it.
    pub(super) fn trait_default(
        &self,
        tr: SymbolId,
        targs: &[T],
        this: &T,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Option<Member> {
        let own = self.own_members(tr, name);
        let mut subst = Subst::of(tr, targs);
        subst.bind(tr, SELF, this.clone());
        if let Some(m) = self.choose(&own, side) {
            let bodiless = self
                .symbol(m)
                .is_some_and(|(_, s, _)| s.flags.has(Flags::BODILESS));
            return Some(Member {
                declared: bodiless,
                ..Member::new(m, subst)
            });
        }
        let _ = depth;
        None
    }

    /// Blocks written for every type that satisfies their bounds, or for a
    /// shape without a name.
    pub(super) fn blanket(&self, this: &T, name: Name, side: Side, shape: Option<Name>) -> Found {
        let key = shape.unwrap_or(Name::EMPTY);
        self.read(Dep::impls(key));
        let mut blocks = self.db.impls.get(&key).cloned().unwrap_or_default();
        self.sort(&mut blocks);
        let mut hits: Vec<Member> = Vec::new();
        for b in blocks {
            let bases = self.bases(b);
            let (Some(pattern), Some(T::Nom(tr, targs))) = (
                bases.of(HeritageKind::SelfType).next(),
                bases.of(HeritageKind::Trait).next(),
            ) else {
                continue;
            };
            let own = self.own_members(b, name);
            let in_trait = self.own_members(*tr, name);
            if own.is_empty() && in_trait.is_empty() {
                continue;
            }
            let mut subst = Subst::default();
            if !unify(pattern, this, &mut subst) {
                continue;
            }
            if let T::Param(o, i) = pattern
                && !self.bounds(*o, *i).iter().all(|t| self.satisfies(this, t))
            {
                continue;
            }
            let targs: Args = targs.iter().map(|t| subst.apply(t)).collect();
            let found = match self.choose(&own, side) {
                Some(m) => Some(Member::new(m, subst.clone())),
                None => self.trait_default(*tr, &targs, this, name, side, 0),
            };
            if let Some(mut m) = found {
                m.subst = m.subst.with(&subst);
                m.via.insert(0, self.via(b, Slot::Heritage(0)));
                hits.push(m);
            }
        }
        match hits.len() {
            0 => Found::Missing,
            1 => Found::One(hits.swap_remove(0)),
            _ => Found::Ambiguous(hits),
        }
    }

    /// Whether a type is written to satisfy a bound. Unknown bounds do not refuse.
    pub(crate) fn satisfies(&self, this: &T, bound: &T) -> bool {
        let T::Nom(tr, _) = bound else { return true };
        if self.kind(*tr) != Some(SymbolKind::Trait) {
            return true;
        }
        match this {
            T::Nom(s, _) => {
                if s == tr {
                    return true;
                }
                let by_block = self.impls_of(*s).iter().any(|b| {
                    self.bases(*b)
                        .of(HeritageKind::Trait)
                        .any(|t| matches!(t, T::Nom(x, _) if x == tr))
                });
                let derived = self
                    .bases(*s)
                    .of(HeritageKind::Derive)
                    .any(|t| matches!(t, T::Nom(x, _) if x == tr));
                // The stub does not list what library types implement.
                by_block || derived || self.is_prelude(*s) || self.is_prelude(*tr)
            }
            T::Param(o, i) => self.bounds(*o, *i).iter().any(|b| self.implies(b, *tr, 0)),
            _ => true,
        }
    }

    /// Whether a bound is the trait or has it above.
    pub(super) fn implies(&self, bound: &T, tr: SymbolId, depth: usize) -> bool {
        let T::Nom(s, _) = bound else { return false };
        *s == tr
            || (depth < 16
                && self
                    .bases(*s)
                    .list
                    .iter()
                    .any(|(_, b)| self.implies(b, tr, depth + 1)))
            || (self.is_prelude(*s) && self.is_prelude(tr) && depth == 0)
    }
}
