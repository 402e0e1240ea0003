//! Members of types: own, by blocks and traits, along bases, through bounds.

use super::names::Def;
use super::twins::TWINS;
use super::types::{Args, SELF, Subst, T};
use crate::state::{Ctx, Dep, Ns, Reach};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind, Via};

/// A member found on a type.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub symbol: SymbolId,
    /// What the type parameters on the way stand for.
    pub subst: Subst,
    /// A rule that says more than how the receiver is known, if any.
    pub rule: Option<Rule>,
    /// The convention that picked it, if one did.
    pub convention: Option<Rule>,
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
    pub(super) fn new(symbol: SymbolId, subst: Subst) -> Member {
        Member {
            symbol,
            subst,
            rule: None,
            convention: None,
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
            Found::One(m) => {
                self.rest_on(m.convention);
                Some(self.normal(&m.subst.apply(&self.result_of(m.symbol))))
            }
            Found::Many(all) => {
                let parts: Vec<T> = all
                    .iter()
                    .map(|m| self.normal(&m.subst.apply(&self.result_of(m.symbol))))
                    .collect();
                Some(T::union(parts))
            }
            _ => self.op_by_methods(t, op),
        }
    }

    pub(super) fn member_here(&self, t: &T, name: Name, side: Side, depth: usize) -> Found {
        let Some(_level) = self.level() else {
            return Found::Unknown(Cause::Budget);
        };
        if depth > MAX_BASES {
            return Found::Unknown(match self.leads_to_itself(t) {
                true => Cause::Cycle,
                false => Cause::Budget,
            });
        }
        match t {
            T::Unknown(c) => Found::Unknown(*c),
            T::Any => Found::Unknown(Cause::UntypedReceiver),
            T::Outside => Found::Outside,
            T::Foreign(of, args) => self.foreign(*of, args, name),
            T::Nom(s, args) => self.nominal(*s, args, name, side, depth),
            T::Static(of) => self.member_here(of, name, Side::Static, depth + 1),
            T::Above(s, args) => self.above(*s, args, name),
            T::Folder(near, folder) => match self.in_folder(*near, *folder, name).def {
                Def::Symbol(s) => Found::One(Member {
                    rule: Some(Rule::NamespaceMember),
                    ..Member::new(s, Subst::default())
                }),
                _ => Found::Missing,
            },
            // Nothing is a value there of which a method could be asked.
            T::Module(m) if side == Side::Method && self.module_tree(*m) => Found::Missing,
            T::Module(m) => {
                let found = self.export(*m, name, Ns::Value, Reach::Package);
                match found.def {
                    Def::Symbol(s) => Found::One(Member {
                        rule: Some(Rule::NamespaceMember),
                        convention: found.convention,
                        via: found.via,
                        ..Member::new(s, Subst::default())
                    }),
                    Def::Outside => Found::Outside,
                    Def::Gap(c) => Found::Unknown(c),
                    _ if found.rule == Rule::OutsideImport => Found::Outside,
                    // The stub is not the whole library.
                    _ if self.is_prelude(*m) => Found::Outside,
                    _ => Found::Missing,
                }
            }
            T::Fn(f, _) => match self.given(*f, name, depth) {
                Found::Missing => self.of_stub(*f, |r| r.function, name, depth),
                found => found,
            },
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
            T::Tuple(parts) if self.asks_tuple(parts).is_some() => {
                let t = self.asks_tuple(parts).unwrap_or(T::UNKNOWN);
                self.member_here(&t, name, side, depth + 1)
            }
            T::Tuple(_) => self.blanket(t, name, side, Some(Name::new("()"))),
            T::Bind(_, t) => self.member_here(t, name, side, depth + 1),
        }
    }

    /// Whether the bases of a type lead back to one of themselves.
    fn leads_to_itself(&self, t: &T) -> bool {
        let mut above: Vec<SymbolId> = Vec::new();
        let declared = |t: &T| match t {
            T::Nom(s, _) => Some(*s),
            _ => None,
        };
        let mut next = match t {
            T::Static(t) => declared(t),
            t => declared(t),
        };
        while let Some(s) = next {
            if above.contains(&s) {
                return true;
            }
            above.push(s);
            next = self.bases(s).of(HeritageKind::Extends).find_map(declared);
        }
        false
    }

    /// Members that the stub gives to shapes without a name.
    pub(super) fn of_stub(
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

    pub(super) fn first_of(&self, parts: &[T], name: Name, side: Side, depth: usize) -> Found {
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
        // What a bound declares comes before what blocks give to whoever fits it.
        let of_trait = |m: &Member| {
            self.parent(m.symbol)
                .is_some_and(|p| self.kind(p) == Some(SymbolKind::Trait))
        };
        if hits.len() > 1 && hits.iter().any(of_trait) {
            hits.retain(of_trait);
        }
        match hits.len() {
            0 => unknown.unwrap_or(Found::Missing),
            1 => Found::One(hits.swap_remove(0)),
            // Parts that all declare it are asked in their order.
            _ if hits
                .iter()
                .all(|h| h.declared && self.has_prototypes(h.symbol)) =>
            {
                Found::One(hits.swap_remove(0))
            }
            _ => Found::Many(hits),
        }
    }

    pub(super) fn nominal(
        &self,
        s: SymbolId,
        args: &Args,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Found {
        let Some((_, symbol, _)) = self.symbol(s) else {
            return Found::Unknown(Cause::Miss);
        };
        match symbol.kind {
            SymbolKind::Class if self.linear_bases(s) => self.in_linear(s, args, name, side),
            SymbolKind::Class | SymbolKind::Interface | SymbolKind::Object => {
                self.in_class(s, args, name, side, depth)
            }
            SymbolKind::Function | SymbolKind::Method => self.in_class(s, args, name, side, depth),
            SymbolKind::Trait => self.in_trait(s, args, name, side, depth),
            SymbolKind::Namespace | SymbolKind::Module => {
                self.member_here(&T::Module(s), name, side, depth + 1)
            }
            _ => self.in_data(s, args, name, side),
        }
    }

    /// Fits the asked side.
    pub(super) fn fits(&self, m: SymbolId, side: Side) -> bool {
        let Some((_, s, _)) = self.symbol(m) else {
            return false;
        };
        let method = matches!(s.kind, SymbolKind::Method | SymbolKind::Function)
            && (s.flags.has(Flags::HAS_SELF)
                || !self
                    .rules_of(m)
                    .is_some_and(|r| r.traits().written_receiver));
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
    pub(super) fn choose(&self, all: &[SymbolId], side: Side) -> Option<SymbolId> {
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
        let bodies: Vec<SymbolId> = fit.iter().copied().filter(body).collect();
        if bodies.len() > 1
            && let Some(at) = self.twin_of(&bodies)
        {
            self.rest_on(TWINS);
            return Some(bodies[at]);
        }
        // Reading a property runs its getter, not its setter.
        fit.iter()
            .find(|m| self.kind(**m) == Some(SymbolKind::Getter))
            .or(bodies.first())
            .or(fit.first())
            .copied()
    }

    pub(super) fn in_class(
        &self,
        s: SymbolId,
        args: &Args,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Found {
        let (owner, _) = self.around_params(s);
        let subst = Subst::of(owner, args);
        let kind = self.kind(s);
        let mut dynamic = false;
        let mut empty = None;
        let parts = self.merged(s);
        for &part in &parts {
            let own: Vec<SymbolId> = self
                .own_members(part, name)
                .into_iter()
                .filter(|m| {
                    // A function's own are the names of its body.
                    let function = matches!(kind, Some(SymbolKind::Function | SymbolKind::Method));
                    !function
                        || matches!(
                            self.kind(*m),
                            Some(
                                SymbolKind::Field
                                    | SymbolKind::Method
                                    | SymbolKind::Getter
                                    | SymbolKind::Setter
                            )
                        )
                })
                .filter(|m| {
                    side != Side::Static
                        || kind != Some(SymbolKind::Class)
                        || self.symbol(*m).is_some_and(|(_, s, _)| {
                            s.flags.has(Flags::STATIC) || s.kind == SymbolKind::Constructor
                        })
                })
                .collect();
            if kind != Some(SymbolKind::Interface)
                && let Some(several) = self.several(&own, side)
            {
                return several;
            }
            if let Some(m) = self.choose(&own, side) {
                if kind == Some(SymbolKind::Function)
                    && self.kind(m) == Some(SymbolKind::Field)
                    && self.value_type(m) == T::unit()
                {
                    // Nothing yet: what is assigned later says what it holds.
                    empty = Some(m);
                    continue;
                }
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
        let prototypes = self.has_prototypes(s);
        let empty = empty.map(|m| Found::One(Member::new(m, subst.clone())));
        if prototypes {
            let found = match (side, kind) {
                (_, Some(SymbolKind::Object)) | (Side::Static, _) => self.given(s, name, depth),
                _ => self.in_members_of(&self.impls_of(s), name, depth),
            };
            if !matches!(found, Found::Missing) {
                return found;
            }
        }
        if let Some(empty) = empty {
            return empty;
        }
        let mut parts = parts;
        if prototypes && side != Side::Static {
            match kind {
                Some(SymbolKind::Object) => parts.extend(self.given_by(s).iter()),
                Some(SymbolKind::Class | SymbolKind::Function | SymbolKind::Method) => {
                    parts.extend(self.impls_of(s).iter());
                }
                _ => {}
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
                    // Another base, which no rule reads, may have it before this one.
                    Found::One(_) if dynamic => return Found::Unknown(Cause::DynamicBase),
                    Found::One(mut m) => {
                        m.via.insert(0, self.via(part, Slot::Heritage(i as u16)));
                        return Found::One(m);
                    }
                    // The lookup passed all of this tree and ends in a package.
                    Found::Outside if self.rules_of(s).is_some_and(|r| r.checked()) => {
                        return Found::Outside;
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
    pub(super) fn merged(&self, s: SymbolId) -> Vec<SymbolId> {
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

    pub(super) fn in_trait(
        &self,
        s: SymbolId,
        args: &Args,
        name: Name,
        side: Side,
        depth: usize,
    ) -> Found {
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
}
