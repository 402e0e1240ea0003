//! One site to one outcome.

use super::holds::Held;
use super::infer::{Body, How};
use super::members::{Found, Side};
use super::names::{Def, MAX_VIA, Named};
use super::outcome::{how_of, nothing, rests_on};
use super::types::T;
use crate::state::{Ctx, Dep, ImportRef, Ns};
use surefoot_facts::{BindIdx, BindKind, Expr, ExprIdx, Flags, HeritageKind, Name, Site, names};
use surefoot_graph::{Cause, Outcome, Resolution, Rule, SiteKind, Slot, SymbolId, SymbolKind, Via};

/// What a callee leads to, before the last step.
pub(super) enum Placed {
    Symbol {
        symbol: SymbolId,
        how: How,
        declared: bool,
    },
    /// One of several values it may hold.
    Several(Vec<(SymbolId, Rule)>, Cause),
    Outside(How),
    Gap {
        cause: Cause,
        via: Vec<Via>,
        refused: Vec<SymbolId>,
    },
    /// With the function it holds where the caller gives none, if it has one.
    Parameter(BindIdx, Option<SymbolId>),
    Local(BindIdx),
    Undetermined(Cause, Vec<SymbolId>),
}

/// How often a value is followed to the value it holds.
const MAX_ALIAS: usize = 8;

impl Ctx<'_> {
    /// Whether a value of one declared type may be passed where another is asked.
    pub(crate) fn may_pass(&self, from: SymbolId, to: SymbolId) -> bool {
        let is_type = |s| self.kind(s).is_some_and(|k: SymbolKind| k.is_type());
        if !is_type(from) || !is_type(to) {
            return true;
        }
        if self.is_primitive(to) {
            return false;
        }
        if matches!(
            self.kind(to),
            Some(SymbolKind::Interface | SymbolKind::Trait)
        ) {
            return true;
        }
        let mut queue = vec![from];
        let mut seen = Vec::new();
        while let Some(s) = queue.pop() {
            if s == to {
                return true;
            }
            if seen.len() > 64 || seen.contains(&s) {
                continue;
            }
            seen.push(s);
            for (k, t) in &self.bases(s).list {
                match t {
                    T::Nom(b, _) if *k != HeritageKind::Derive => queue.push(*b),
                    T::Unknown(_) | T::Outside | T::Foreign(..) => return true,
                    _ => {}
                }
            }
        }
        false
    }
}

impl Ctx<'_> {
    /// A type of the library that literals have: nothing else is one.
    fn is_primitive(&self, s: SymbolId) -> bool {
        self.is_prelude(s)
            && self.symbol(s).is_some_and(|(_, symbol, _)| {
                self.rules_of(s).is_some_and(|r| {
                    let mut of = r.traits().literals.iter();
                    of.any(|(_, name)| *name == symbol.name.text())
                })
            })
    }
}

impl Body<'_, '_> {
    pub(crate) fn resolve(&self, site: &Site) -> Outcome {
        let (mut outcome, convention) = self.ctx.apart(|| match site.kind {
            SiteKind::Type => self.of_named(self.ctx.path(self.at, site.callee, Ns::Type, 0), site),
            SiteKind::Import => {
                let mut best = self.ctx.path(self.at, site.callee, Ns::Type, 0);
                if !matches!(best.def, Def::Symbol(_) | Def::Outside) {
                    let value = self.ctx.path(self.at, site.callee, Ns::Value, 0);
                    if matches!(value.def, Def::Symbol(_) | Def::Outside) {
                        best = value;
                    } else {
                        let mac = self.ctx.path(self.at, site.callee, Ns::Macro, 0);
                        if matches!(mac.def, Def::Symbol(_)) {
                            best = mac;
                        }
                    }
                }
                self.of_named(best, site)
            }
            SiteKind::Macro => {
                let named = self.ctx.path(self.at, site.callee, Ns::Macro, 0);
                let mut outcome = self.of_named(named, site);
                if let (Resolution::InTree, Some(e)) = (outcome.resolution, &mut outcome.evidence)
                    && e.rule == Rule::ModuleScope
                {
                    e.rule = Rule::MacroScope;
                }
                outcome
            }
            _ => {
                let placed = match self.in_rules(site) {
                    true => self.expanded(site),
                    false => self.callee(site.callee, site),
                };
                self.finish(placed, site)
            }
        });
        if let Some(e) = &mut outcome.evidence {
            rests_on(e, convention);
            rests_on(e, site.loose.then_some(Rule::MacroTokens));
        }
        if site.loose && outcome.resolution == Resolution::Unresolved {
            outcome.resolution = Resolution::Undetermined;
        }
        if site.loose && outcome.resolution == Resolution::Undetermined {
            outcome.cause = Some(Cause::UnsupportedRule);
        }
        if site.kind == SiteKind::Implicit && outcome.resolution != Resolution::InTree {
            return Outcome {
                candidates: outcome.candidates,
                ..nothing()
            };
        }
        if let Some(bound) = self.by_name_alone(site, &outcome) {
            return bound;
        }
        if site.broken && outcome.resolution == Resolution::Undetermined {
            outcome.cause = Some(Cause::ParseError);
        }
        outcome
    }

    /// Whether a site stands in what a macro expands to.
    fn in_rules(&self, site: &Site) -> bool {
        let caller = self.at.facts.symbol(site.caller);
        caller.is_some_and(|s| s.kind == SymbolKind::Macro)
    }

    /// A call that a macro writes: it means what it means where the macro is
    /// used, unless its path starts at the package's root.
    fn expanded(&self, site: &Site) -> Placed {
        let mut head = site.callee;
        while let Expr::Scoped { base, .. } = self.at.facts.expr(head) {
            head = base;
        }
        match self.at.facts.expr(head) {
            Expr::PackageRoot | Expr::Package(_) => self.callee(site.callee, site),
            _ => {
                let named = self.ctx.path(self.at, site.callee, Ns::Value, 0);
                match named.def {
                    Def::Builtin => Placed::Outside(how_of(&named)),
                    _ => Placed::Undetermined(Cause::UnsupportedRule, Vec::new()),
                }
            }
        }
    }

    /// Sites that name rather than run.
    pub(super) fn of_named(&self, named: Named, site: &Site) -> Outcome {
        let how = how_of(&named);
        let placed = match named.def {
            Def::Symbol(symbol) => Placed::Symbol {
                symbol,
                how,
                declared: false,
            },
            Def::SelfOf(s) => match self.ctx.self_type(s) {
                T::Nom(symbol, _) => Placed::Symbol {
                    symbol,
                    how,
                    declared: false,
                },
                _ => Placed::Undetermined(Cause::NoReceiverType, Vec::new()),
            },
            Def::Outside | Def::Builtin => Placed::Outside(how),
            // A package without a file is no symbol.
            Def::Folder(_) => Placed::Undetermined(Cause::UnsupportedRule, Vec::new()),
            Def::Gap(cause) => Placed::Gap {
                cause,
                via: named.via,
                refused: named.refused,
            },
            Def::Nothing | Def::Local | Def::TypeParam(..) => {
                Placed::Undetermined(Cause::Miss, Vec::new())
            }
        };
        self.finish(placed, site)
    }

    pub(super) fn placed_by_name(&self, named: Named, site: &Site) -> Placed {
        let how = how_of(&named);
        match named.def {
            Def::Symbol(symbol) if !named.also.is_empty() && how.convention.is_none() => {
                self.one_of_several(symbol, &named.also)
            }
            Def::Folder(_) => Placed::Undetermined(Cause::Dynamic, Vec::new()),
            Def::Symbol(symbol) => self.through_value(symbol, how, site, 0),
            Def::Outside | Def::Builtin => Placed::Outside(how),
            Def::Gap(cause) => Placed::Gap {
                cause,
                via: named.via,
                refused: named.refused,
            },
            Def::SelfOf(s) => match self.ctx.self_type(s) {
                T::Nom(symbol, _) => Placed::Symbol {
                    symbol,
                    how,
                    declared: false,
                },
                _ => Placed::Undetermined(Cause::NoReceiverType, Vec::new()),
            },
            Def::TypeParam(..) | Def::Local => {
                Placed::Undetermined(Cause::NoReceiverType, Vec::new())
            }
            Def::Nothing => Placed::Undetermined(Cause::Miss, Vec::new()),
        }
    }

    /// A name bound to several things, of which it may hold any.
    fn one_of_several(&self, first: SymbolId, also: &[Def]) -> Placed {
        let ctx = self.ctx;
        let mut all: Vec<(SymbolId, Rule)> = Vec::new();
        let more = also.iter().filter_map(|d| match d {
            Def::Symbol(s) => Some(*s),
            _ => None,
        });
        for s in std::iter::once(first).chain(more) {
            let held = match ctx.kind(s) {
                Some(SymbolKind::Variable | SymbolKind::Field) => match ctx.value_of(s) {
                    T::Fn(f, _) => Some(f),
                    T::Static(of) => match *of {
                        T::Nom(s, _) if !ctx.is_prelude(s) => Some(s),
                        _ => None,
                    },
                    _ => None,
                },
                _ => Some(s),
            };
            all.extend(held.map(|s| (s, Rule::OneOf)));
        }
        Placed::Several(all, Cause::Ambiguous)
    }

    /// What decorators leave of the proof that a name is the function under it.
    pub(super) fn as_decorated(&self, symbol: SymbolId, how: How) -> How {
        if self.ctx.keeps_function(symbol) {
            return how;
        }
        let mut how = how;
        how.rest_on(Some(Rule::Decorated));
        how
    }

    /// A symbol that holds a value stands for the function it holds.
    pub(super) fn through_value(
        &self,
        symbol: SymbolId,
        how: How,
        site: &Site,
        depth: usize,
    ) -> Placed {
        let ctx = self.ctx;
        let holds = matches!(
            ctx.kind(symbol),
            Some(SymbolKind::Variable | SymbolKind::Field | SymbolKind::Getter)
        );
        if !holds || ctx.is_prelude(symbol) {
            if self.may_be_replaced(symbol) {
                return Placed::Several(vec![(symbol, Rule::OneOf)], Cause::Dynamic);
            }
            return Placed::Symbol {
                symbol,
                how: self.as_decorated(symbol, how),
                declared: false,
            };
        }
        if depth > MAX_ALIAS {
            return Placed::Undetermined(Cause::Budget, Vec::new());
        }
        if let Some(placed) = self.constructor_held(symbol, &how, site) {
            return placed;
        }
        let (mut written, mut open) = (false, false);
        let mut how = how;
        if let Some((at, s, _)) = ctx.symbol(symbol) {
            let held = self.function_held(at, s.value);
            written = s.ty.is_known();
            open = s.flags.has(Flags::REASSIGNED) || held == Held::Unknown;
            how.rest_on(held.convention());
        }
        let t = ctx.value_of(symbol);
        let given = ctx.class_given(symbol, &t);
        let slot = if written && given.is_none() {
            Slot::WrittenType
        } else {
            Slot::Value
        };
        let t = given.unwrap_or(t);
        self.of_type(&t, how, ctx.via(symbol, slot), open, site)
    }

    /// Whether a callee is a name for a part of something: what was put there
    /// is called, not what the text names.
    fn is_part(&self, callee: ExprIdx) -> bool {
        let Expr::Local(b) = self.at.facts.expr(callee) else {
            return false;
        };
        let binding = b.get().and_then(|i| self.at.facts.bindings.get(i));
        binding.is_some_and(|b| {
            matches!(
                self.at.facts.expr(b.value),
                Expr::Part { .. } | Expr::Element(_) | Expr::Index { .. }
            )
        })
    }

    /// Whether a function's name is given something else elsewhere.
    fn may_be_replaced(&self, symbol: SymbolId) -> bool {
        let ctx = self.ctx;
        let Some((at, s, _)) = ctx.symbol(symbol).filter(|(_, s, _)| s.kind.is_callable()) else {
            return false;
        };
        if s.flags.has(Flags::REASSIGNED) {
            return true;
        }
        if s.kind != SymbolKind::Function || !ctx.has_prototypes(symbol) {
            return false;
        }
        // Another item of its file may assign its name.
        let name = names::rebound(s.name);
        ctx.read(Dep::assigned(name));
        let files = ctx.db.assigned.get(&name);
        files.is_some_and(|files| files.contains(&at.file.id))
    }

    /// A constant that holds a constructor is what `new` names.
    pub(super) fn constructor_held(
        &self,
        symbol: SymbolId,
        how: &How,
        site: &Site,
    ) -> Option<Placed> {
        let ctx = self.ctx;
        // Of a value nobody can say anything of, `new` proves nothing.
        let held = || matches!(ctx.value_of(symbol), T::Nom(..) | T::All(_));
        if site.kind != SiteKind::New || ctx.kind(symbol) != Some(SymbolKind::Variable) || !held() {
            return None;
        }
        let how = How {
            rule: Rule::ConstructedType,
            ..how.clone()
        };
        Some(Placed::Symbol {
            symbol,
            how,
            declared: false,
        })
    }

    /// Calling or constructing a value of this type.
    pub(super) fn of_type(
        &self,
        t: &T,
        mut how: How,
        step: Via,
        reassigned: bool,
        site: &Site,
    ) -> Placed {
        let ctx = self.ctx;
        match t {
            T::Fn(f, _) => {
                if how.via.len() < MAX_VIA {
                    how.via.push(step);
                }
                if reassigned || self.is_only_declared(*f) || self.may_be_replaced(*f) {
                    return Placed::Several(vec![(*f, Rule::OneOf)], Cause::Dynamic);
                }
                how.rule = Rule::Alias;
                Placed::Symbol {
                    symbol: *f,
                    how,
                    declared: false,
                }
            }
            T::Static(of) => match &**of {
                // A written type allows every class below the one it names.
                T::Nom(s, _)
                    if !(reassigned || step.slot == Slot::WrittenType && ctx.linear_bases(*s)) =>
                {
                    how.rule = Rule::Alias;
                    how.via.push(step);
                    Placed::Symbol {
                        symbol: *s,
                        how,
                        declared: false,
                    }
                }
                T::Nom(s, _) if ctx.linear_bases(*s) && !ctx.is_prelude(*s) => {
                    Placed::Several(vec![(*s, Rule::OneOf)], Cause::Dynamic)
                }
                _ => Placed::Undetermined(Cause::Dynamic, Vec::new()),
            },
            T::Nom(..) => {
                let near = self.near();
                let operators = ctx.rules_of(near).map_or(&[][..], |r| r.traits().operators);
                let call = surefoot_facts::ops::CALL;
                let call = operators
                    .iter()
                    .find(|o| o.0 == call)
                    .map_or(call, |o| o.1[0]);
                let name = if site.kind == SiteKind::New {
                    surefoot_facts::ops::NEW
                } else {
                    call
                };
                // A value typed by a call signature: the signature runs nothing.
                // Where a class says what calling an instance runs, that runs.
                let linear = ctx.linear_bases(near);
                let held_part = self.is_part(site.callee);
                match ctx.member(t, Name::new(name), Side::Method) {
                    Found::One(m) if linear && !held_part && !ctx.is_prelude(m.symbol) => {
                        how.via.push(step);
                        Placed::Symbol {
                            symbol: m.symbol,
                            how,
                            declared: m.declared,
                        }
                    }
                    Found::One(m) if !ctx.is_prelude(m.symbol) => {
                        Placed::Several(vec![(m.symbol, Rule::Implementation)], Cause::Dynamic)
                    }
                    _ => Placed::Undetermined(Cause::Dynamic, Vec::new()),
                }
            }
            T::Outside | T::Foreign(..) => Placed::Undetermined(Cause::NoReceiverType, Vec::new()),
            T::Union(parts) => {
                let fs: Vec<(SymbolId, Rule)> = parts
                    .iter()
                    .filter_map(|p| match p {
                        T::Fn(f, _) => Some((*f, Rule::OneOf)),
                        _ => None,
                    })
                    .collect();
                Placed::Several(fs, Cause::Dynamic)
            }
            T::Any => Placed::Undetermined(Cause::UntypedReceiver, Vec::new()),
            _ => Placed::Undetermined(Cause::Dynamic, Vec::new()),
        }
    }

    pub(super) fn callee(&self, callee: ExprIdx, site: &Site) -> Placed {
        let ctx = self.ctx;
        match self.at.facts.expr(callee) {
            Expr::TypeArgs { base, .. } => self.callee(base, site),
            Expr::Free { .. } | Expr::Earlier { .. } => {
                self.placed_by_name(ctx.path(self.at, callee, Ns::Value, 0), site)
            }
            Expr::SelfType(s) => {
                let t = ctx.self_type(self.at.id(s));
                match t {
                    T::Nom(symbol, _) => Placed::Symbol {
                        symbol,
                        how: How::new(Rule::SelfMember),
                        declared: false,
                    },
                    _ => Placed::Undetermined(Cause::NoReceiverType, Vec::new()),
                }
            }
            Expr::Local(b) => self.local(b, site),
            Expr::Super(s) => {
                let id = self.at.id(s);
                let base = ctx.bases(id).of(HeritageKind::Extends).next().cloned();
                let mut how = How::new(Rule::SuperMember);
                how.via.push(ctx.via(id, Slot::Heritage(0)));
                match base {
                    Some(T::Nom(b, _)) => Placed::Symbol {
                        symbol: b,
                        how,
                        declared: false,
                    },
                    Some(T::Outside | T::Foreign(..)) => Placed::Outside(how),
                    _ => Placed::Undetermined(Cause::DynamicBase, Vec::new()),
                }
            }
            Expr::Scoped { base, name } => {
                let named = ctx.path(self.at, callee, Ns::Value, 0);
                if matches!(named.def, Def::Symbol(_) | Def::Outside | Def::Gap(_)) {
                    return self.placed_by_name(named, site);
                }
                if let Some((found, head)) = self.through_trait(base, name) {
                    return self.member_found(found, head, site);
                }
                let head = self.type_head(base);
                self.member_site(head, name, Side::Static, site)
            }
            Expr::Member { base, name } => {
                if (name == names::call() || name == names::apply())
                    && !ctx.linear_bases(self.near())
                    && let T::Fn(..) | T::Arrow(_) = self.infer(base).t
                {
                    let mut placed = self.callee(base, site);
                    if let Placed::Symbol { how, symbol, .. } = &mut placed {
                        // A property that holds a function is a value.
                        if !self.is_function_like(*symbol) {
                            return Placed::Undetermined(Cause::Dynamic, Vec::new());
                        }
                        how.rule = Rule::CallThrough;
                    }
                    return placed;
                }
                self.member_site(self.infer(base), name, Side::Instance, site)
            }
            Expr::Method { base, name } => {
                self.member_site(self.infer(base), name, Side::Method, site)
            }
            // A constant key names a member.
            Expr::Index { base, index }
                if let Some(key) = self.keyed(index)
                    && let known = self.infer(base)
                    && matches!(
                        ctx.member(&known.t, key, Side::Instance),
                        Found::One(_) | Found::Many(_)
                    ) =>
            {
                self.member_site(known, key, Side::Instance, site)
            }
            Expr::Index { base, .. } => Placed::Several(self.in_table(base), Cause::Dynamic),
            Expr::Unknown => Placed::Undetermined(Cause::Dynamic, Vec::new()),
            callee_expr => {
                let known = self.infer(callee);
                // What a call gave is a value like any other.
                let given = matches!(callee_expr, Expr::Call { .. });
                // A function called where it is written rests on itself.
                let itself = match &known.t {
                    T::Fn(s, _) | T::Nom(s, _) => *s,
                    _ => self.at.file.module,
                };
                let first = known.how.via.first().copied();
                let step = first.unwrap_or_else(|| ctx.via(itself, Slot::Declaration));
                match &known.t {
                    T::Fn(..) | T::Nom(..) | T::Static(_) => {
                        self.of_type(&known.t, known.how.clone(), step, given, site)
                    }
                    T::Any => Placed::Undetermined(Cause::UntypedReceiver, Vec::new()),
                    _ => Placed::Undetermined(Cause::Dynamic, Vec::new()),
                }
            }
        }
    }

    pub(super) fn local(&self, b: BindIdx, site: &Site) -> Placed {
        let ctx = self.ctx;
        let Some(binding) = b.get().and_then(|i| self.at.facts.bindings.get(i)) else {
            return Placed::Undetermined(Cause::Miss, Vec::new());
        };
        let how = How::new(Rule::LocalScope);
        match binding.kind {
            BindKind::Symbol(s) => {
                let symbol = ctx.bound(self.at, b, s);
                if binding.reassigned {
                    return Placed::Several(vec![(symbol, Rule::OneOf)], Cause::Dynamic);
                }
                self.through_value(symbol, how, site, 0)
            }
            BindKind::Import(imp) => {
                let i = ImportRef {
                    file: self.at.file.id,
                    item: self.at.item,
                    imp,
                };
                self.placed_by_name(ctx.import(i, Ns::Value), site)
            }
            BindKind::TypeParam { .. } | BindKind::SelfParam { .. } => Placed::Local(b),
            BindKind::Param { .. } | BindKind::Local => {
                let known = self.binding(b);
                let step = Via {
                    file: self.at.file.id,
                    symbol: None,
                    slot: Slot::Binding {
                        item: self.at.item,
                        index: b.0,
                    },
                };
                let held = match &known.t {
                    T::Fn(..) | T::Union(_) | T::Static(_) => true,
                    T::Nom(s, _) => !ctx.is_prelude(*s) && ctx.kind(*s) != Some(SymbolKind::Object),
                    _ => false,
                };
                let value = self.compiled(binding.value);
                // A parameter holds what each call gives it, a part what was put there.
                let given = match binding.kind {
                    BindKind::Param { .. } => true,
                    _ => matches!(
                        self.at.facts.expr(binding.value),
                        Expr::Part { .. } | Expr::Element(_) | Expr::Index { .. }
                    ),
                } && ctx.linear_bases(self.near());
                let by = self.function_held(self.at, value);
                let open = given || binding.reassigned || by == Held::Unknown;
                if let BindKind::Param { .. } = binding.kind
                    && let T::Fn(f, _) = known.t
                    && binding.value.is_known()
                    && !given
                {
                    // What a caller leaves out: no caller need leave it out.
                    return Placed::Parameter(b, Some(f));
                }
                if held {
                    let mut how = known.how;
                    how.rest_on(by.convention());
                    let placed = self.of_type(&known.t, how, step, open, site);
                    if !matches!(placed, Placed::Undetermined(..)) {
                        return placed;
                    }
                }
                match binding.kind {
                    BindKind::Param { .. } => Placed::Parameter(b, None),
                    _ => Placed::Local(b),
                }
            }
        }
    }
}
