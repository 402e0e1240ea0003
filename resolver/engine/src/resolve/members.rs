//! Members of types: own, by blocks and traits, along bases, through bounds.

use super::Value;
use super::names::Def;
use super::types::{Args, SELF, Subst, T, unify};
use crate::state::{Ctx, Dep, Ns, Reach};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind, Tier, Via};

/// A member found on a type.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub symbol: SymbolId,
    /// What the type parameters on the way stand for.
    pub subst: Subst,
    /// A rule that says more than how the receiver is known, if any.
    pub rule: Option<Rule>,
    pub tier: Tier,
    pub via: Vec<Via>,
    /// Declared by a trait, interface or base: what runs may be an implementation.
    pub declared: bool,
}

/// What asking a type for a member gave.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    One(Member),
    /// One of several, by the parts of a union.
    Many(Vec<Member>),
    /// Several that nothing tells apart.
    Ambiguous(Vec<Member>),
    /// The type is known and has no such member.
    Missing,
    Unknown(Cause),
    Outside,
}

/// Which side of a type is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// A value of the type.
    Instance,
    /// A value, where only a method can stand.
    Method,
    /// The type itself.
    Static,
    /// Types declared in the type.
    Type,
}

/// How far references and smart pointers are followed.
const MAX_DEREF: usize = 8;
/// How long a chain of bases is followed.
const MAX_BASES: usize = 64;

impl Member {
    fn new(symbol: SymbolId, subst: Subst) -> Member {
        Member {
            symbol,
            subst,
            rule: None,
            tier: Tier::Certain,
            via: Vec::new(),
            declared: false,
        }
    }
}

impl<'a> Ctx<'a> {
    /// Asks a type for a member.
    pub(crate) fn member(&self, t: &T, name: Name, side: Side) -> Found {
        let mut t = t.clone();
        for _ in 0..MAX_DEREF {
            let found = self.member_here(&t, name, side, 0);
            if !matches!(found, Found::Missing) || side == Side::Static || side == Side::Type {
                return found;
            }
            if name.text() == ops::DEREF {
                return found;
            }
            let deref = match &t {
                T::Nom(s, _) => self.rules_of(*s).is_some_and(|r| r.traits().auto_deref),
                T::Param(..) | T::All(_) | T::Assoc(..) => true,
                _ => false,
            };
            if !deref {
                return found;
            }
            let Some(next) = self.op(&t, ops::DEREF) else {
                return found;
            };
            if next == t {
                return found;
            }
            t = next;
        }
        Found::Missing
    }

    /// The result of a pseudo member a stub declares for an operator.
    pub(crate) fn op(&self, t: &T, op: &str) -> Option<T> {
        match self.member_here(t, Name::new(op), Side::Method, 0) {
            Found::One(m) => Some(self.normal(&m.subst.apply(&self.result_of(m.symbol)))),
            Found::Many(all) => {
                let parts: Vec<T> = all
                    .iter()
                    .map(|m| self.normal(&m.subst.apply(&self.result_of(m.symbol))))
                    .collect();
                Some(T::union(parts))
            }
            _ => None,
        }
    }

    fn member_here(&self, t: &T, name: Name, side: Side, depth: usize) -> Found {
        if depth > MAX_BASES {
            return Found::Unknown(Cause::Budget);
        }
        match t {
            T::Unknown(c) => Found::Unknown(*c),
            T::Any => Found::Unknown(Cause::UntypedReceiver),
            T::Outside => Found::Outside,
            T::Nom(s, args) => self.nominal(*s, args, name, side, depth),
            T::Static(of) => self.member_here(of, name, Side::Static, depth + 1),
            T::Module(m) => {
                let found = self.export(*m, name, Ns::Value, Reach::Package);
                match found.def {
                    Def::Symbol(s) => Found::One(Member {
                        rule: Some(Rule::NamespaceMember),
                        tier: found.tier,
                        via: found.via,
                        ..Member::new(s, Subst::default())
                    }),
                    Def::Outside => Found::Outside,
                    Def::Gap(c) => Found::Unknown(c),
                    _ if found.rule == Rule::OutsideImport => Found::Outside,
                    _ => Found::Missing,
                }
            }
            T::Fn(f, _) => self.of_stub(*f, |r| r.function, name, depth),
            T::Arrow(_) => Found::Missing,
            T::Param(o, i) => {
                let bounds = self.bounds(*o, *i);
                let found = self.first_of(&bounds, name, side, depth);
                match found {
                    Found::One(mut m) => {
                        for (k, v) in &mut m.subst.map {
                            if k.1 == SELF {
                                *v = t.clone();
                            }
                        }
                        if m.rule.is_none() || m.rule == Some(Rule::DeclaredMember) {
                            m.rule = Some(Rule::TraitBound);
                        }
                        Found::One(m)
                    }
                    Found::Missing => self.blanket(t, name, side, None),
                    other => other,
                }
            }
            T::All(parts) => self.first_of(parts, name, side, depth),
            T::Assoc(base, n) => {
                let known = self.project(base, *n);
                if known != *t {
                    return self.member_here(&known, name, side, depth + 1);
                }
                let bounds = self.assoc_bounds(base, *n);
                if bounds.is_empty() {
                    return Found::Unknown(Cause::NoReceiverType);
                }
                self.first_of(&bounds, name, side, depth)
            }
            T::Union(parts) => {
                let mut all: Vec<Member> = Vec::new();
                for p in parts.iter() {
                    match self.member_here(p, name, side, depth + 1) {
                        Found::One(m) => {
                            if !all.iter().any(|x| x.symbol == m.symbol) {
                                all.push(m);
                            }
                        }
                        Found::Many(more) => all.extend(more),
                        Found::Missing => {}
                        other => return other,
                    }
                }
                match all.len() {
                    0 => Found::Missing,
                    1 => Found::One(all.swap_remove(0)),
                    _ => Found::Many(all),
                }
            }
            T::Tuple(_) => self.blanket(t, name, side, Some(Name::new("()"))),
            T::Bind(_, t) => self.member_here(t, name, side, depth + 1),
        }
    }

    /// Members that the stub gives to shapes without a name.
    fn of_stub(
        &self,
        near: SymbolId,
        which: impl Fn(&surefoot_facts::Traits) -> &'static str,
        name: Name,
        depth: usize,
    ) -> Found {
        let Some(rules) = self.rules_of(near) else {
            return Found::Missing;
        };
        match self.builtin_nom(near, which(rules.traits()), super::types::no_args()) {
            T::Unknown(_) => Found::Missing,
            t => self.member_here(&t, name, Side::Instance, depth + 1),
        }
    }

    fn first_of(&self, parts: &[T], name: Name, side: Side, depth: usize) -> Found {
        let mut hits: Vec<Member> = Vec::new();
        let mut unknown = None;
        for p in parts {
            match self.member_here(p, name, side, depth + 1) {
                Found::One(m) => {
                    if !hits.iter().any(|h| h.symbol == m.symbol) {
                        hits.push(m);
                    }
                }
                Found::Unknown(c) => unknown = Some(Found::Unknown(c)),
                Found::Outside => unknown = unknown.or(Some(Found::Outside)),
                Found::Missing => {}
                other => return other,
            }
        }
        match hits.len() {
            0 => unknown.unwrap_or(Found::Missing),
            1 => Found::One(hits.swap_remove(0)),
            _ => Found::Many(hits),
        }
    }

    fn nominal(&self, s: SymbolId, args: &Args, name: Name, side: Side, depth: usize) -> Found {
        let Some((_, symbol, _)) = self.symbol(s) else {
            return Found::Unknown(Cause::Miss);
        };
        match symbol.kind {
            SymbolKind::Class | SymbolKind::Interface | SymbolKind::Object => {
                self.in_class(s, args, name, side, depth)
            }
            SymbolKind::Trait => self.in_trait(s, args, name, side, depth),
            SymbolKind::Namespace | SymbolKind::Module => {
                self.member_here(&T::Module(s), name, side, depth + 1)
            }
            _ => self.in_data(s, args, name, side, depth),
        }
    }

    /// Fits the asked side.
    fn fits(&self, m: SymbolId, side: Side) -> bool {
        let Some((_, s, _)) = self.symbol(m) else {
            return false;
        };
        let method = matches!(s.kind, SymbolKind::Method | SymbolKind::Function);
        match side {
            Side::Method => method,
            Side::Instance => {
                !s.flags.has(Flags::STATIC)
                    && !matches!(
                        s.kind,
                        SymbolKind::Constructor | SymbolKind::Initializer | SymbolKind::AssocType
                    )
            }
            Side::Static => true,
            Side::Type => matches!(s.kind, SymbolKind::AssocType | SymbolKind::TypeAlias),
        }
    }

    /// One of several equal members: the one with a body; overload signatures
    /// without any are one thing.
    fn choose(&self, all: &[SymbolId], side: Side) -> Option<SymbolId> {
        let fit: Vec<SymbolId> = all
            .iter()
            .copied()
            .filter(|m| self.fits(*m, side))
            .collect();
        let strict: Vec<SymbolId> = fit
            .iter()
            .copied()
            .filter(|m| {
                let stat = self
                    .symbol(*m)
                    .is_some_and(|(_, s, _)| s.flags.has(Flags::STATIC));
                side != Side::Static || stat
            })
            .collect();
        let fit = if strict.is_empty() { fit } else { strict };
        let body = |m: &SymbolId| {
            self.symbol(*m)
                .is_some_and(|(_, s, _)| !s.flags.has(Flags::BODILESS))
        };
        // Reading a property runs its getter, not its setter.
        fit.iter()
            .find(|m| self.kind(**m) == Some(SymbolKind::Getter))
            .or_else(|| fit.iter().find(|m| body(m)))
            .or_else(|| fit.first())
            .copied()
    }

    fn in_class(&self, s: SymbolId, args: &Args, name: Name, side: Side, depth: usize) -> Found {
        let (owner, _) = self.around_params(s);
        let subst = Subst::of(owner, args);
        let kind = self.kind(s);
        let mut dynamic = false;
        let parts = self.merged(s);
        for &part in &parts {
            let own: Vec<SymbolId> = self
                .own_members(part, name)
                .into_iter()
                .filter(|m| {
                    side != Side::Static
                        || kind != Some(SymbolKind::Class)
                        || self
                            .symbol(*m)
                            .is_some_and(|(_, s, _)| s.flags.has(Flags::STATIC))
                })
                .collect();
            if let Some(m) = self.choose(&own, side) {
                let flags = self.symbol(m).map(|(_, s, _)| s.flags).unwrap_or_default();
                let declared =
                    self.kind(part) == Some(SymbolKind::Interface) || flags.has(Flags::ABSTRACT);
                let mut subst = subst.clone();
                if part != s {
                    subst = subst.with(&Subst::of(part, args));
                }
                return Found::One(Member {
                    declared,
                    rule: declared.then_some(Rule::DeclaredMember),
                    ..Member::new(m, subst)
                });
            }
        }
        for &part in &parts {
            let bases = self.bases(part);
            dynamic |= bases.dynamic;
            for (i, (kind, base)) in bases.list.iter().enumerate() {
                if *kind != HeritageKind::Extends {
                    continue;
                }
                let base = subst.apply(base);
                let base = if side == Side::Static {
                    T::Static(Arc::new(base))
                } else {
                    base
                };
                match self.member_here(&base, name, side, depth + 1) {
                    Found::Missing => {}
                    Found::One(mut m) => {
                        m.via.insert(0, self.via(part, Slot::Heritage(i as u16)));
                        if dynamic {
                            m.tier = m.tier.min(Tier::Likely);
                        }
                        return Found::One(m);
                    }
                    // A base nobody can see into may have it.
                    Found::Outside => return Found::Unknown(Cause::DynamicBase),
                    other => return other,
                }
            }
        }
        if dynamic {
            Found::Unknown(Cause::DynamicBase)
        } else {
            Found::Missing
        }
    }

    /// A class and the interfaces of its name in the same module are one type.
    fn merged(&self, s: SymbolId) -> Vec<SymbolId> {
        let Some((at, symbol, _)) = self.symbol(s) else {
            return vec![s];
        };
        let structural = self
            .db
            .languages
            .rules(at.file.language)
            .is_some_and(|r| r.traits().structural);
        if !structural || symbol.name.is_empty() || symbol.kind == SymbolKind::Object {
            return vec![s];
        }
        let module = at.id(symbol.parent);
        self.read(Dep::name(module, symbol.name));
        let mut all = vec![s];
        if let Some(entries) = at.file.index.names.get(&(module, symbol.name)) {
            for e in entries {
                if let crate::state::What::Symbol(other) = e.what
                    && other != s
                    && matches!(
                        self.kind(other),
                        Some(SymbolKind::Interface | SymbolKind::Class)
                    )
                    && !all.contains(&other)
                {
                    all.push(other);
                }
            }
        }
        all
    }

    fn in_trait(&self, s: SymbolId, args: &Args, name: Name, side: Side, depth: usize) -> Found {
        let own = self.own_members(s, name);
        let subst = Subst::of(s, args);
        if let Some(m) = self.choose(&own, side) {
            let mut subst = subst;
            subst.bind(s, SELF, T::Nom(s, args.clone()));
            return Found::One(Member {
                declared: true,
                rule: Some(Rule::DeclaredMember),
                ..Member::new(m, subst)
            });
        }
        for (i, (_, base)) in self.bases(s).list.iter().enumerate() {
            let base = subst.apply(base);
            match self.member_here(&base, name, side, depth + 1) {
                Found::Missing | Found::Outside | Found::Unknown(_) => {}
                Found::One(mut m) => {
                    m.via.insert(0, self.via(s, Slot::Heritage(i as u16)));
                    return Found::One(m);
                }
                other => return other,
            }
        }
        // Members the block `impl dyn Trait` gives.
        for &b in self.impls_of(s).iter() {
            let own = self.own_members(b, name);
            if let Some(m) = self.choose(&own, side) {
                return Found::One(Member::new(m, subst));
            }
        }
        self.blanket(&T::Nom(s, args.clone()), name, side, None)
    }

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

    fn in_data(&self, s: SymbolId, args: &Args, name: Name, side: Side, depth: usize) -> Found {
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
    fn in_blocks(
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
    fn one_of_twins(&self, mut all: Vec<Member>) -> Found {
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
    fn trait_default(
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
    fn blanket(&self, this: &T, name: Name, side: Side, shape: Option<Name>) -> Found {
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
    fn implies(&self, bound: &T, tr: SymbolId, depth: usize) -> bool {
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

    // ---- projections -----------------------------------------------------------

    /// `T::Name`, as far as it is written.
    pub(crate) fn project(&self, base: &T, name: Name) -> T {
        self.project_at(base, name, 0)
    }

    fn project_at(&self, base: &T, name: Name, depth: usize) -> T {
        let open = || T::Assoc(Arc::new(base.clone()), name);
        if depth > 16 {
            return open();
        }
        match base {
            T::Nom(_, args) => {
                for a in args.iter() {
                    if let T::Bind(n, t) = a
                        && *n == name
                    {
                        return (**t).clone();
                    }
                }
                match self.member_here(base, name, Side::Type, 0) {
                    Found::One(m) => match self.symbol(m.symbol) {
                        Some((at, s, _)) if s.ty.is_known() => {
                            let t = m.subst.apply(&self.lower(at, s.ty));
                            self.normal_at(&t, depth + 1)
                        }
                        _ => open(),
                    },
                    _ => open(),
                }
            }
            T::All(parts) => {
                for p in parts.iter() {
                    let t = self.project_at(p, name, depth + 1);
                    if !matches!(t, T::Assoc(..)) {
                        return t;
                    }
                }
                open()
            }
            T::Param(o, i) => {
                for b in self.bounds(*o, *i) {
                    if let T::Nom(_, args) = &b {
                        for a in args.iter() {
                            if let T::Bind(n, t) = a
                                && *n == name
                            {
                                return (**t).clone();
                            }
                        }
                    }
                }
                open()
            }
            T::Assoc(inner, n) => {
                let known = self.project_at(inner, *n, depth + 1);
                if known == *base {
                    open()
                } else {
                    self.project_at(&known, name, depth + 1)
                }
            }
            T::Unknown(c) => T::Unknown(*c),
            _ => open(),
        }
    }

    /// The bounds a trait writes for one of its associated types.
    fn assoc_bounds(&self, base: &T, name: Name) -> Vec<T> {
        let owners: Vec<T> = match base {
            T::Param(o, i) => self.bounds(*o, *i),
            t => vec![t.clone()],
        };
        for o in owners {
            let T::Nom(tr, _) = o else { continue };
            for m in self.own_members(tr, name) {
                if let Some((at, s, _)) = self.symbol(m)
                    && s.kind == SymbolKind::AssocType
                {
                    return s.heritage.iter().map(|h| self.lower(at, h.ty)).collect();
                }
            }
        }
        Vec::new()
    }

    /// Projections replaced by what they stand for, where that is known now.
    pub(crate) fn normal(&self, t: &T) -> T {
        self.normal_at(t, 0)
    }

    fn normal_at(&self, t: &T, depth: usize) -> T {
        if depth > 16 || !t.is_open() {
            return t.clone();
        }
        let all = |a: &Args| -> Args { a.iter().map(|t| self.normal_at(t, depth + 1)).collect() };
        match t {
            T::Assoc(base, n) => {
                let base = self.normal_at(base, depth + 1);
                self.project_at(&base, *n, depth + 1)
            }
            T::Nom(s, a) => T::Nom(*s, all(a)),
            T::Tuple(a) => T::Tuple(all(a)),
            T::Union(a) => T::union(all(a).iter().cloned()),
            T::All(a) => T::All(all(a)),
            T::Bind(n, t) => T::Bind(*n, Arc::new(self.normal_at(t, depth + 1))),
            T::Static(t) => T::Static(Arc::new(self.normal_at(t, depth + 1))),
            T::Arrow(f) => T::Arrow(Arc::new((
                f.0.iter().map(|t| self.normal_at(t, depth + 1)).collect(),
                self.normal_at(&f.1, depth + 1),
            ))),
            _ => t.clone(),
        }
    }

    // ---- downwards -------------------------------------------------------------

    /// Types and blocks that name this one as base or trait, at any depth, in
    /// source order; the second part says how many were left out.
    pub(crate) fn subtypes(&self, s: SymbolId) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::subtypes_of(s), || {
            let mut out: Vec<SymbolId> = Vec::new();
            let mut queue = vec![s];
            while let Some(of) = queue.pop() {
                let Some((_, symbol, _)) = self.symbol(of) else {
                    continue;
                };
                self.read(Dep::subtypes(symbol.name));
                let named = self
                    .db
                    .subtypes
                    .get(&symbol.name)
                    .cloned()
                    .unwrap_or_default();
                for x in named {
                    let direct = self.bases(x).list.iter().any(|(k, t)| {
                        *k != HeritageKind::SelfType
                            && *k != HeritageKind::Derive
                            && matches!(t, T::Nom(b, _) if *b == of)
                    });
                    if direct && x != s && !out.contains(&x) && out.len() < 4096 {
                        out.push(x);
                        if self.kind(x) != Some(SymbolKind::Impl) {
                            queue.push(x);
                        }
                    }
                }
            }
            self.sort(&mut out);
            Value::Symbols(out.into())
        });
        match value {
            Value::Symbols(s) => s,
            _ => Arc::from([]),
        }
    }

    /// Definitions that may run where this member is called: what derived types
    /// and implementing blocks declare under its name.
    pub(crate) fn overrides(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some((at, s, _)) = self.symbol(member) else {
            return Vec::new();
        };
        if s.parent.is_none() || s.flags.has(Flags::STATIC) {
            return Vec::new();
        }
        let owner = at.id(s.parent);
        let (name, kind) = (s.name, s.kind);
        let mut out = Vec::new();
        for sub in self.subtypes(owner).iter() {
            for m in self.own_members(*sub, name) {
                let same = self.symbol(m).is_some_and(|(_, s, _)| {
                    s.kind == kind && !s.flags.has(Flags::BODILESS | Flags::STATIC)
                });
                if same && m != member {
                    out.push(m);
                }
            }
        }
        self.sort(&mut out);
        out
    }
}
