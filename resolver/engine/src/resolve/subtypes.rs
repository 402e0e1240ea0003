//! Downwards: who derives from a type, and what they declare under a name.

use super::Value;
use super::types::T;
use crate::state::{Ctx, Dep};
use std::sync::Arc;
use surefoot_facts::{Flags, HeritageKind};
use surefoot_graph::{SymbolId, SymbolKind};

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
