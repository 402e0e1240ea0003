//! Downwards: who derives from a type, and what they declare under a name.

use super::Value;
use super::types::T;
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind, Name};
use surefoot_graph::{SymbolId, SymbolKind};

/// How many other names of one name are looked through.
const MAX_NAMES: usize = 64;

impl<'a> Ctx<'a> {
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
                let mut named = Vec::new();
                for name in self.names_of(symbol.name) {
                    self.read(Dep::subtypes(name));
                    named.extend(self.db.subtypes.get(&name).into_iter().flatten());
                }
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

    /// A name and those that aliases and renaming imports give to what has it.
    pub(super) fn names_of(&self, name: Name) -> Vec<Name> {
        let mut all = vec![name];
        let mut next = 0;
        while let Some(&of) = all.get(next).filter(|_| next < MAX_NAMES) {
            next += 1;
            self.read(Dep::aliases(of));
            for &alias in self.db.aliases.get(&of).into_iter().flatten() {
                if !all.contains(&alias) {
                    all.push(alias);
                }
            }
        }
        all
    }

    /// Definitions that may run where this member is called: what derived types
    /// and implementing blocks declare under its name.
    /// Remembered: a base with a thousand heirs is asked by ten thousand calls.
    pub(crate) fn overrides(&self, member: SymbolId) -> Arc<[SymbolId]> {
        let found = self.memo(Dep::overrides(member), || {
            Value::Symbols(self.overrides_now(member).into())
        });
        match found {
            Value::Symbols(found) => found,
            _ => Arc::default(),
        }
    }

    fn overrides_now(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some((at, s, _)) = self.symbol(member) else {
            return Vec::new();
        };
        if s.parent.is_none() || s.flags.has(Flags::STATIC) {
            return Vec::new();
        }
        let mut owner = at.id(s.parent);
        let (name, kind) = (s.name, s.kind);
        let prototypes = self.has_prototypes(owner);
        let given_to = |block: SymbolId| match self.bases(block).of(HeritageKind::SelfType).next() {
            Some(T::Nom(of, _)) => Some(*of),
            _ => None,
        };
        if prototypes && self.kind(owner) == Some(SymbolKind::Impl) {
            owner = given_to(owner).unwrap_or(owner);
        }
        let mut out = Vec::new();
        let mut holders = self.subtypes(owner).to_vec();
        if prototypes {
            let mut more = Vec::new();
            for sub in &holders {
                let of = match self.kind(*sub) {
                    Some(SymbolKind::Impl) => given_to(*sub),
                    _ => Some(*sub),
                };
                if let Some(of) = of.filter(|of| *of != owner) {
                    more.push(of);
                    more.extend(self.impls_of(of).iter());
                }
            }
            holders.extend(more);
            holders.sort_unstable();
            holders.dedup();
        }
        for sub in &holders {
            for m in self.own_members(*sub, name) {
                let same = self.symbol(m).is_some_and(|(_, s, _)| {
                    // A property runs what implements it: a method, or a function it
                    // is given.
                    let runs = match kind {
                        SymbolKind::Field => SymbolKind::Method,
                        kind => kind,
                    };
                    s.kind == runs && !s.flags.has(Flags::BODILESS | Flags::STATIC)
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
