//! Members of types whose bases stand in one order: first come, first served.

use super::Value;
use super::members::{Found, Member, Side};
use super::twins::When;
use super::types::{Args, SELF, Subst, T, no_args};
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name, ops};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind};

/// How many types one order holds at most.
const MAX_ORDER: usize = 128;

impl<'a> Ctx<'a> {
    pub(crate) fn linear_bases(&self, near: SymbolId) -> bool {
        self.rules_of(near).is_some_and(|r| r.traits().linear_bases)
    }

    /// A type and its bases in the order members are looked for, over the type's
    /// own parameters. What is no declared type stands where it may have any
    /// member.
    pub(crate) fn order(&self, s: SymbolId) -> Arc<[T]> {
        let value = self.memo(Dep::order(s), || Value::Types(self.order_now(s).into()));
        match value {
            Value::Types(all) => all,
            _ => Arc::from([T::Nom(s, self.own_params(s)), T::Unknown(Cause::Cycle)]),
        }
    }

    fn order_now(&self, s: SymbolId) -> Vec<T> {
        let own = T::Nom(s, self.own_params(s));
        let bases = self.bases(s);
        let mut lists: Vec<Vec<T>> = Vec::new();
        let mut direct: Vec<T> = Vec::new();
        for base in bases.of(HeritageKind::Extends) {
            match base {
                T::Nom(b, args) => {
                    let subst = Subst::of(*b, args);
                    let all = self.order(*b);
                    lists.push(all.iter().map(|t| subst.apply(t)).collect());
                }
                T::Any | T::Outside => lists.push(vec![base.clone()]),
                T::Unknown(_) => lists.push(vec![T::Unknown(Cause::DynamicBase)]),
                _ => lists.push(vec![T::Unknown(Cause::DynamicBase)]),
            }
            direct.extend(lists.last().and_then(|l| l.first()).cloned());
        }
        if bases.dynamic {
            lists.push(vec![T::Unknown(Cause::DynamicBase)]);
        }
        let root = self.rules_of(s).map_or("", |r| r.traits().root);
        if let T::Nom(root, _) = self.builtin_nom(s, root, no_args())
            && root != s
            && !lists.iter().flatten().any(|t| is(t, root))
        {
            lists.push(vec![T::Nom(root, no_args())]);
        }
        lists.push(direct);
        let mut out = vec![own];
        merge(&mut out, lists);
        out
    }

    pub(super) fn in_linear(&self, s: SymbolId, args: &Args, name: Name, side: Side) -> Found {
        let receiver = T::Nom(s, args.clone());
        let found = self.along(s, args, name, 0, &receiver);
        match found {
            // A class is an object too.
            Found::Missing if side == Side::Static => {
                let metatype = self.rules_of(s).map_or("", |r| r.traits().metatype);
                match self.builtin_nom(s, metatype, no_args()) {
                    T::Nom(t, a) if t != s => self.along(t, &a, name, 0, &receiver),
                    _ => found,
                }
            }
            found => found,
        }
    }

    /// A member asked of the bases of a type.
    pub(super) fn above(&self, s: SymbolId, args: &Args, name: Name) -> Found {
        let receiver = T::Nom(s, args.clone());
        self.along(s, args, name, 1, &receiver)
    }

    fn along(&self, s: SymbolId, args: &Args, name: Name, skip: usize, receiver: &T) -> Found {
        let subst = Subst::of(s, args);
        for t in self.order(s).iter().skip(skip) {
            let T::Nom(c, given) = t else {
                return match t {
                    T::Unknown(c) => Found::Unknown(*c),
                    _ => Found::Unknown(Cause::DynamicBase),
                };
            };
            let own = self.own_members(*c, name);
            let Some(m) = self.last_member(&own) else {
                continue;
            };
            let given: Vec<T> = given.iter().map(|t| subst.apply(t)).collect();
            let mut subst = Subst::of(*c, &given);
            subst.bind(*c, SELF, receiver.clone());
            // Written twice under conditions that nothing here decides.
            let conditional: Vec<SymbolId> = own
                .iter()
                .copied()
                .filter(|m| self.is_conditional_body(*m))
                .collect();
            if conditional.len() > 1 && conditional.contains(&m) {
                let each = |m| Member::new(m, subst.clone());
                return Found::Many(conditional.into_iter().map(each).collect());
            }
            let flags = self.symbol(m).map(|(_, s, _)| s.flags).unwrap_or_default();
            let declared = flags.has(Flags::ABSTRACT);
            let via = if *c == s {
                Vec::new()
            } else {
                vec![self.via(s, Slot::Heritage(0))]
            };
            return Found::One(Member {
                declared,
                rule: declared.then_some(Rule::DeclaredMember),
                via,
                ..Member::new(m, subst)
            });
        }
        Found::Missing
    }

    /// Whether a method stands under a condition that may hold.
    fn is_conditional_body(&self, m: SymbolId) -> bool {
        let method = self.symbol(m).is_some_and(|(_, s, _)| {
            s.kind == SymbolKind::Method
                && s.flags.has(Flags::CONDITIONAL)
                && !s.flags.has(Flags::BODILESS)
        });
        method && self.when(m) != When::Off
    }

    /// Of several members of one name the last one that runs; reading a property
    /// runs its getter.
    fn last_member(&self, all: &[SymbolId]) -> Option<SymbolId> {
        if let [one] = all {
            return Some(*one);
        }
        let getter = |m: &&SymbolId| self.kind(**m) == Some(SymbolKind::Getter);
        let runs = |m: &&SymbolId| {
            self.symbol(**m)
                .is_some_and(|(_, s, _)| !s.flags.has(Flags::BODILESS))
        };
        all.iter()
            .find(getter)
            .or_else(|| all.iter().rev().find(runs))
            .or(all.first())
            .copied()
    }

    /// What an operator gives by the methods the language runs for it.
    pub(super) fn op_by_methods(&self, t: &T, op: &str) -> Option<T> {
        match t {
            T::Union(parts) => {
                let all: Option<Vec<T>> = parts.iter().map(|p| self.op(p, op)).collect();
                return all.map(T::union);
            }
            T::Tuple(parts) => {
                let t = self.asks_tuple(parts)?;
                return self.op(&t, op);
            }
            T::Param(o, i) => {
                let bounds = self.bounds(*o, *i);
                return bounds.iter().find_map(|b| self.op(b, op));
            }
            // A class is iterated by what its own class says; enumerations give
            // their members.
            T::Static(of) if op == ops::ELEM => {
                let T::Nom(class, _) = &**of else {
                    return None;
                };
                let cases = Name::new(self.rules_of(*class)?.traits().cases);
                return match self.member_here(of, cases, Side::Static, 0) {
                    Found::One(_) => Some((**of).clone()),
                    _ => None,
                };
            }
            _ => {}
        }
        let T::Nom(s, _) = t else {
            return None;
        };
        let traits = self.rules_of(*s)?.traits();
        let ways = traits.operators.iter().filter(|(o, _)| *o == op);
        for (_, methods) in ways {
            let mut at = t.clone();
            let done = methods.iter().all(|method| {
                let found = self.member_here(&at, Name::new(method), Side::Instance, 0);
                let Found::One(m) = found else {
                    return false;
                };
                let subst = m.subst.clone();
                let result = self.normal(&subst.apply(&self.result_of(m.symbol)));
                at = result;
                true
            });
            if done {
                return Some(at);
            }
        }
        None
    }

    /// A tuple as the stub's type of tuples.
    pub(super) fn asks_tuple(&self, parts: &[T]) -> Option<T> {
        let (file, _) = self.asking()?;
        let module = self.db.file(file)?.module;
        let name = self.rules_of(module)?.traits().tuple;
        if name.is_empty() {
            return None;
        }
        let part = T::union(parts.iter().cloned());
        match self.builtin_nom(module, name, Arc::from([part])) {
            T::Unknown(_) => None,
            t => Some(t),
        }
    }

    /// A type seen as one of its bases.
    pub(super) fn in_order(&self, t: &T, base: SymbolId) -> Option<T> {
        let T::Nom(s, args) = t else {
            return None;
        };
        if !self.linear_bases(*s) {
            return None;
        }
        let order = self.order(*s);
        let found = order.iter().find(|t| is(t, base))?;
        Some(Subst::of(*s, args).apply(found))
    }
}

fn is(t: &T, s: SymbolId) -> bool {
    matches!(t, T::Nom(x, _) if *x == s)
}

fn same(a: &T, b: &T) -> bool {
    match (a, b) {
        (T::Nom(x, _), T::Nom(y, _)) => x == y,
        _ => a == b,
    }
}

/// The order of C3: heads that no other list still has behind its own. Where
/// there is none, the first list goes first.
fn merge(out: &mut Vec<T>, mut lists: Vec<Vec<T>>) {
    while out.len() < MAX_ORDER {
        lists.retain(|l| !l.is_empty());
        let good = |head: &T| lists.iter().all(|l| !l[1..].iter().any(|t| same(t, head)));
        let next = lists.iter().map(|l| &l[0]).find(|h| good(h));
        let Some(next) = next.or(lists.first().map(|l| &l[0])).cloned() else {
            return;
        };
        for list in &mut lists {
            list.retain(|t| !same(t, &next));
        }
        out.push(next);
    }
}
