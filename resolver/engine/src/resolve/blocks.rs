//! Members that blocks, traits and derives give to a type.

use super::Value;
use super::members::{Found, Member, Side};
use super::types::{Args, SELF, Subst, T, unify};
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name, Ty};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind};

/// How a block comes to give a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    /// Written in a block of the type's own.
    Own,
    /// Written in a block that implements a trait.
    Trait,
    /// Written in the trait the block implements.
    Default,
    /// Of a trait the type derives, by its place among the bases.
    Derive(u16),
}

/// A member that a block gives to a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockMember {
    block: SymbolId,
    member: SymbolId,
    from: From,
}

/// A member a block gives, while several are weighed.
struct Given {
    member: Member,
    /// The trait that gives it; `None`: the type's own block.
    by: Option<SymbolId>,
    block: SymbolId,
    /// The block is written for exactly the type that is asked.
    exact: bool,
}

impl<'a> Ctx<'a> {
    /// Blocks that are for this type, in source order.
    pub(crate) fn impls_of(&self, s: SymbolId) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::impls_of(s), || {
            let Some((_, symbol, _)) = self.symbol(s) else {
                return Value::Symbols(Arc::from([]));
            };
            let mut all = Vec::new();
            for name in self.names_of(symbol.name) {
                self.read(Dep::impls(name));
                all.extend(self.db.impls.get(&name).into_iter().flatten());
            }
            if self.has_prototypes(s) {
                let file = self.db.loc(s).map(|l| l.file);
                all.retain(|b| self.db.loc(*b).map(|l| l.file) == file);
            }
            self.sort(&mut all);
            // Blocks for namesakes prove nothing about this type.
            let (_, _) = self.apart(|| {
                all.retain(|b| {
                    self.bases(*b)
                        .of(HeritageKind::SelfType)
                        .any(|t| matches!(t, T::Nom(x, _) if *x == s))
                });
            });
            Value::Symbols(all.into())
        });
        match value {
            Value::Symbols(s) => s,
            _ => Arc::from([]),
        }
    }

    pub(super) fn in_data(&self, s: SymbolId, args: &Args, name: Name, side: Side) -> Found {
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
        self.in_blocks(&this, s, name, side)
    }

    /// What the blocks and derives of a type declare under a name.
    fn block_members(&self, s: SymbolId, name: Name) -> Arc<[BlockMember]> {
        let value = self.memo(Dep::block_members(s, name), || {
            let (out, _) = self.apart(|| self.block_members_now(s, name));
            Value::Blocks(out.into())
        });
        match value {
            Value::Blocks(b) => b,
            _ => Arc::from([]),
        }
    }

    fn block_members_now(&self, s: SymbolId, name: Name) -> Vec<BlockMember> {
        let mut out: Vec<BlockMember> = Vec::new();
        for &block in self.impls_of(s).iter() {
            let bases = self.bases(block);
            let by = bases.of(HeritageKind::Trait).next();
            let own = self.own_members(block, name);
            for &member in &own {
                let from = if by.is_some() { From::Trait } else { From::Own };
                out.push(BlockMember {
                    block,
                    member,
                    from,
                });
            }
            if let (true, Some(T::Nom(tr, _))) = (own.is_empty(), by) {
                for member in self.own_members(*tr, name) {
                    out.push(BlockMember {
                        block,
                        member,
                        from: From::Default,
                    });
                }
            }
        }
        for (i, (kind, t)) in self.bases(s).list.iter().enumerate() {
            if let (HeritageKind::Derive, T::Nom(tr, _)) = (kind, t) {
                for member in self.own_members(*tr, name) {
                    out.push(BlockMember {
                        block: s,
                        member,
                        from: From::Derive(i as u16),
                    });
                }
            }
        }
        out
    }

    /// Members that blocks give to a type: its own first, then by traits.
    fn in_blocks(&self, this: &T, s: SymbolId, name: Name, side: Side) -> Found {
        let all = self.block_members(s, name);
        let mut own: Vec<Given> = Vec::new();
        let mut by_trait: Vec<Given> = Vec::new();
        for group in all.chunk_by(|a, b| a.block == b.block && a.from == b.from) {
            let members: Vec<SymbolId> = group.iter().map(|m| m.member).collect();
            let Some(member) = self.choose(&members, side) else {
                continue;
            };
            let (block, from) = (group[0].block, group[0].from);
            if side == Side::Method && self.wraps_receiver(member, s) {
                continue;
            }
            if from == From::Own
                && let Some(item) = self.asking()
                && !self.may_name(item, member)
            {
                continue;
            }
            let bases = self.bases(block);
            if self.is_orphan(s, block, bases.of(HeritageKind::Trait).next()) {
                continue;
            }
            let mut subst = Subst::default();
            let pattern = match from {
                From::Derive(_) => None,
                _ => match bases.of(HeritageKind::SelfType).next() {
                    Some(pattern) if unify(pattern, this, &mut subst) => Some(pattern),
                    _ => continue,
                },
            };
            let given = |member: Member, by: Option<SymbolId>| Given {
                member,
                by,
                block,
                exact: pattern.is_none_or(|p| !p.is_open() && p == this),
            };
            let by = match from {
                From::Own => None,
                From::Trait | From::Default => match bases.of(HeritageKind::Trait).next() {
                    Some(T::Nom(tr, _)) => Some(*tr),
                    _ => None,
                },
                From::Derive(i) => match bases.list.get(i as usize) {
                    Some((_, T::Nom(tr, _))) => Some(*tr),
                    _ => None,
                },
            };
            if let (Some(item), Some(tr)) = (self.asking(), by)
                && !self.is_prelude(tr)
                && !self.trait_in_scope(item, tr)
            {
                continue;
            }
            match from {
                From::Own => own.push(given(Member::new(member, subst), by)),
                From::Trait => by_trait.push(given(Member::new(member, subst), by)),
                From::Default => {
                    let Some(T::Nom(tr, targs)) = bases.of(HeritageKind::Trait).next() else {
                        continue;
                    };
                    let targs: Args = targs.iter().map(|t| subst.apply(t)).collect();
                    let mut m = self.trait_member(*tr, &targs, this, member);
                    m.subst = m.subst.with(&subst);
                    m.via.insert(0, self.via(block, Slot::Heritage(1)));
                    by_trait.push(given(m, by));
                }
                From::Derive(i) => {
                    let Some((_, T::Nom(tr, targs))) = bases.list.get(i as usize) else {
                        continue;
                    };
                    let mut m = self.trait_member(*tr, targs, this, member);
                    m.via.insert(0, self.via(s, Slot::Heritage(i)));
                    // What the trait itself provides is not written by the derive.
                    m.rule = m.declared.then_some(Rule::Derived);
                    m.declared = false;
                    by_trait.push(given(m, by));
                }
            }
        }
        // Of several traits, the one that the asking block implements is in scope
        // for certain: were another there as well, no compiler would take the call.
        if own.is_empty()
            && by_trait.len() > 1
            && let Some(at) = self.asking().and_then(|(f, i)| self.at(f, i))
        {
            let implements = |g: &Given| g.by.is_some_and(|t| self.implements(at, t));
            if by_trait.iter().any(implements) {
                by_trait.retain(implements);
            }
        }
        // The library's own block for a wrapper gives a trait only if what is
        // wrapped has it; else the member is found on what is wrapped.
        by_trait
            .retain(|g| !self.is_prelude(g.block) || self.apart(|| self.bounds_hold(g, this)).0);
        let all = if own.is_empty() { by_trait } else { own };
        let mut all = self.that_apply(all, this);
        match all.len() {
            0 => self.blanket(this, name, side, None),
            1 => Found::One(all.swap_remove(0)),
            _ => self.twin_member(all),
        }
    }

    /// Of several blocks of one trait, or of the type's own, at most one is for a
    /// given type: the one written for exactly it, else the one whose bounds it
    /// is written to satisfy.
    fn that_apply(&self, mut all: Vec<Given>, this: &T) -> Vec<Member> {
        let same = all.windows(2).all(|g| g[0].by == g[1].by);
        if all.len() > 1 && same {
            if all.iter().any(|g| g.exact) {
                all.retain(|g| g.exact);
            } else {
                let (holds, _) = self.apart(|| {
                    all.iter()
                        .map(|g| self.bounds_hold(g, this))
                        .collect::<Vec<bool>>()
                });
                if holds.contains(&true) {
                    let mut holds = holds.into_iter();
                    all.retain(|_| holds.next() == Some(true));
                }
            }
        }
        all.into_iter().map(|g| g.member).collect()
    }

    /// Whether what a block's parameters stand for is written to satisfy their bounds.
    fn bounds_hold(&self, given: &Given, this: &T) -> bool {
        let bases = self.bases(given.block);
        let Some(pattern) = bases.of(HeritageKind::SelfType).next() else {
            return true;
        };
        let mut subst = Subst::default();
        unify(pattern, this, &mut subst);
        subst.map.iter().all(|((owner, index), t)| {
            self.bounds(*owner, *index)
                .iter()
                .all(|bound| self.satisfies(t, bound))
        })
    }

    /// `<T as Trait>::name`: what a type's block for this trait, or its derive,
    /// gives; else what the trait declares.
    pub(super) fn as_trait(&self, this: &T, by: &T, name: Name) -> Found {
        let T::Nom(tr, targs) = by else {
            return Found::Unknown(Cause::NoReceiverType);
        };
        let mut hits: Vec<Member> = Vec::new();
        if let T::Nom(s, _) = this {
            for b in self.block_members(*s, name).iter() {
                let bases = self.bases(b.block);
                let written = match b.from {
                    From::Derive(i) => bases.list.get(i as usize).map(|(_, t)| t),
                    _ => bases.of(HeritageKind::Trait).next(),
                };
                let mut subst = Subst::default();
                let fits = matches!(written, Some(T::Nom(x, _)) if x == tr)
                    && written.is_some_and(|t| unify(t, by, &mut subst));
                let own = bases.of(HeritageKind::SelfType).next();
                let fits = fits && own.is_none_or(|own| unify(own, this, &mut subst));
                if !fits {
                    continue;
                }
                let mut m = match b.from {
                    From::Own => continue,
                    From::Trait => Member::new(b.member, subst),
                    From::Default | From::Derive(_) => {
                        self.trait_member(*tr, targs, this, b.member)
                    }
                };
                let slot = match b.from {
                    From::Derive(i) => Slot::Heritage(i),
                    _ => Slot::Heritage(1),
                };
                m.via.insert(0, self.via(b.block, slot));
                m.rule = match b.from {
                    From::Derive(_) if m.declared => Some(Rule::Derived),
                    From::Trait => None,
                    _ => Some(Rule::QualifiedPath),
                };
                m.declared = false;
                hits.push(m);
            }
        }
        match hits.len() {
            0 => match self.member_here(by, name, Side::Static, 0) {
                Found::One(mut m) => {
                    for (k, v) in &mut m.subst.map {
                        if k.1 == SELF {
                            *v = this.clone();
                        }
                    }
                    Found::One(m)
                }
                found => found,
            },
            1 => Found::One(hits.swap_remove(0)),
            _ => self.twin_member(hits),
        }
    }

    /// A member that a trait gives to whoever implements it.
    fn trait_member(&self, tr: SymbolId, targs: &[T], this: &T, member: SymbolId) -> Member {
        let mut subst = Subst::of(tr, targs);
        subst.bind(tr, SELF, this.clone());
        let declared = self
            .symbol(member)
            .is_some_and(|(_, s, _)| s.flags.has(Flags::BODILESS));
        Member {
            declared,
            ..Member::new(member, subst)
        }
    }

    /// Whether a block, or the trait it implements, declares a member of this name.
    pub(super) fn gives(&self, block: SymbolId, name: Name) -> bool {
        !self.own_members(block, name).is_empty()
            || self
                .bases(block)
                .of(HeritageKind::Trait)
                .any(|t| matches!(t, T::Nom(tr, _) if !self.own_members(*tr, name).is_empty()))
    }

    /// Blocks under a key of no type of their own that give a member of this
    /// name, in source order.
    pub(super) fn blanket_blocks(&self, key: Name, name: Name) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::blanket(key, name), || {
            self.read(Dep::impls(key));
            let mut blocks = self.db.impls.get(&key).cloned().unwrap_or_default();
            self.sort(&mut blocks);
            let (blocks, _) = self.apart(|| {
                blocks
                    .into_iter()
                    .filter(|b| self.gives(*b, name))
                    .collect()
            });
            Value::Symbols(blocks)
        });
        match value {
            Value::Symbols(blocks) => blocks,
            _ => Arc::from([]),
        }
    }

    /// Blocks that give a trait to every type that fits a bound.
    fn blankets_of(&self, tr: SymbolId) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::blankets_of(tr), || {
            self.read(Dep::impls(Name::EMPTY));
            let mut blocks = self.db.impls.get(&Name::EMPTY).cloned().unwrap_or_default();
            self.sort(&mut blocks);
            let gives = |b: &SymbolId| {
                self.bases(*b)
                    .of(HeritageKind::Trait)
                    .any(|t| matches!(t, T::Nom(x, _) if *x == tr))
            };
            let (blocks, _) = self.apart(|| blocks.into_iter().filter(gives).collect());
            Value::Symbols(blocks)
        });
        match value {
            Value::Symbols(blocks) => blocks,
            _ => Arc::from([]),
        }
    }

    /// Blocks written for every type that satisfies their bounds, or for a
    /// shape without a name.
    pub(super) fn blanket(&self, this: &T, name: Name, side: Side, shape: Option<Name>) -> Found {
        let key = shape.unwrap_or(Name::EMPTY);
        let blocks = self.blanket_blocks(key, name);
        let mut hits: Vec<Member> = Vec::new();
        for &b in blocks.iter() {
            let bases = self.bases(b);
            let (Some(pattern), Some(T::Nom(tr, targs))) = (
                bases.of(HeritageKind::SelfType).next(),
                bases.of(HeritageKind::Trait).next(),
            ) else {
                continue;
            };
            if let Some(item) = self.asking()
                && !self.is_prelude(*tr)
                && !self.own_members(*tr, name).is_empty()
                && !self.trait_in_scope(item, *tr)
            {
                continue;
            }
            let own = self.own_members(b, name);
            let in_trait = self.own_members(*tr, name);
            if own.is_empty() && in_trait.is_empty() {
                continue;
            }
            if let (Side::Method, T::Nom(s, _)) = (side, this)
                && own
                    .iter()
                    .chain(&in_trait)
                    .any(|m| self.wraps_receiver(*m, *s))
            {
                continue;
            }
            let mut subst = Subst::default();
            if !unify(pattern, this, &mut subst) {
                continue;
            }
            if let T::Param(o, i) = pattern
                && !self
                    .apart(|| {
                        let believed = self.is_prelude(b);
                        let bounds = self.bounds(*o, *i);
                        bounds
                            .iter()
                            .all(|t| self.satisfies_at(this, t, believed, 0))
                    })
                    .0
            {
                continue;
            }
            let targs: Args = targs.iter().map(|t| subst.apply(t)).collect();
            let found = match self.choose(&own, side) {
                Some(m) => Some(Member::new(m, subst.clone())),
                None => self
                    .choose(&in_trait, side)
                    .map(|m| self.trait_member(*tr, &targs, this, m)),
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

    /// Whether a type is written to satisfy a bound.
    pub(crate) fn satisfies(&self, this: &T, bound: &T) -> bool {
        self.satisfies_at(this, bound, false, 0)
    }

    /// `believed`: what the library's types implement of the library's traits
    /// holds unless the stub says otherwise; so the library's own blocks ask.
    fn satisfies_at(&self, this: &T, bound: &T, believed: bool, depth: u8) -> bool {
        if let T::Arrow(_) = bound {
            return matches!(this, T::Fn(..) | T::Arrow(_) | T::Unknown(_));
        }
        let T::Nom(tr, _) = bound else { return true };
        if self.kind(*tr) != Some(SymbolKind::Trait) {
            return true;
        }
        match this {
            T::Nom(s, _) => {
                let named = |t: &T| matches!(t, T::Nom(x, _) if x == tr);
                s == tr
                    || self
                        .impls_of(*s)
                        .iter()
                        .any(|b| self.bases(*b).of(HeritageKind::Trait).any(named))
                    || self.bases(*s).of(HeritageKind::Derive).any(named)
                    || self.kind(*s) == Some(SymbolKind::Trait)
                    || self.is_prelude(*tr)
                        && (self.is_marker(*tr) || believed && self.is_prelude(*s))
                    || self.by_blanket(this, *tr, depth)
            }
            T::Param(o, i) => self.bounds(*o, *i).iter().any(|b| self.implies(b, *tr, 0)),
            T::Fn(..) | T::Arrow(_) | T::Tuple(_) => {
                self.is_prelude(*tr) || self.by_blanket(this, *tr, depth)
            }
            _ => true,
        }
    }

    /// A trait without members, which types satisfy by what they are made of.
    fn is_marker(&self, tr: SymbolId) -> bool {
        self.read(Dep::members(tr));
        self.file_of(tr)
            .is_some_and(|f| !f.index.members.keys().any(|(of, _)| *of == tr))
    }

    /// Whether some block gives the trait to every type that fits a bound, and
    /// this type does.
    fn by_blanket(&self, this: &T, tr: SymbolId, depth: u8) -> bool {
        if depth > 2 {
            return false;
        }
        self.blankets_of(tr).iter().any(|b| {
            match self.bases(*b).of(HeritageKind::SelfType).next() {
                Some(T::Param(o, i)) => {
                    let believed = self.is_prelude(*b);
                    let bounds = self.bounds(*o, *i);
                    bounds
                        .iter()
                        .all(|t| self.satisfies_at(this, t, believed, depth + 1))
                }
                _ => false,
            }
        })
    }

    /// A block of the tree that gives a library type nothing of the tree: no
    /// compiler takes it, so it is no part of the program.
    fn is_orphan(&self, s: SymbolId, block: SymbolId, by: Option<&T>) -> bool {
        if !self.is_prelude(s) || self.is_prelude(block) {
            return false;
        }
        fn of_tree(ctx: &Ctx<'_>, t: &T) -> bool {
            match t {
                T::Nom(s, args) => !ctx.is_prelude(*s) || args.iter().any(|t| of_tree(ctx, t)),
                T::Tuple(args) | T::All(args) => args.iter().any(|t| of_tree(ctx, t)),
                T::Bind(_, t) | T::Static(t) => of_tree(ctx, t),
                T::Unknown(_) | T::Outside | T::Foreign(..) => true,
                _ => false,
            }
        }
        let mine = |t: &T| of_tree(self, t);
        let bases = self.bases(block);
        !by.is_some_and(mine) && !bases.of(HeritageKind::SelfType).any(mine)
    }

    /// Whether a method takes its receiver inside the very type it is asked of:
    /// `self: Wrapper<Self>` is found on what the wrapper holds, not on itself.
    fn wraps_receiver(&self, member: SymbolId, s: SymbolId) -> bool {
        let Some((at, symbol, _)) = self.symbol(member) else {
            return false;
        };
        let receiver = symbol.signature.as_deref().map(|sig| sig.receiver);
        receiver.is_some_and(|mut r| {
            while let Ty::Ref(inner) = at.facts.ty(r) {
                r = inner;
            }
            matches!(at.facts.ty(r), Ty::Named { .. })
                && matches!(self.lower(at, r), T::Nom(w, _) if w == s && self.is_prelude(w))
        })
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
