//! Whether a trait stands in scope where its members are asked for.

use super::Value;
use super::modules::Seen;
use super::names::At;
use super::types::T;
use crate::state::{Ctx, Dep, Ns, Reach};
use surefoot_facts::{Flags, HeritageKind, ImportKind, SymIdx, Visibility};
use surefoot_graph::{FileId, SymbolId, SymbolKind};

impl<'a> Ctx<'a> {
    /// Whether a trait's methods can be called from an item: it is declared,
    /// imported or brought by a glob where the item stands.
    pub(crate) fn trait_in_scope(&self, item: (FileId, u32), tr: SymbolId) -> bool {
        let Some(at) = self.at(item.0, item.1) else {
            return true;
        };
        if self.implements(at, tr) {
            return true;
        }
        let modules = at
            .facts
            .scopes
            .iter()
            .filter(|s| s.module)
            .map(|s| at.id(s.owner));
        let mut seen: Vec<SymbolId> = Vec::new();
        for module in modules {
            if seen.contains(&module) {
                continue;
            }
            seen.push(module);
            if self.module_has(module, tr) {
                return true;
            }
        }
        let name = self.symbol(tr).map(|(_, s, _)| s.name);
        at.facts.imports.iter().any(|i| match i.kind {
            ImportKind::Path if Some(i.name) == name => {
                self.path(at, i.path, Ns::Type, 0).symbol() == Some(tr)
            }
            ImportKind::PathGlob => {
                let of = self.path(at, i.path, Ns::Type, 0).symbol();
                let found = of
                    .zip(name)
                    .map(|(of, n)| self.inside_of(of, n, Ns::Type, of));
                found.is_some_and(|f| f.symbol() == Some(tr))
            }
            _ => false,
        })
    }

    /// Whether a member can be named from an item: one that is not seen
    /// there is passed over, as if it were not there.
    pub(super) fn may_name(&self, item: (FileId, u32), member: SymbolId) -> bool {
        let Some((of, symbol, _)) = self.symbol(member) else {
            return true;
        };
        let Some(at) = self.at(item.0, item.1) else {
            return true;
        };
        // What an attribute rewrites may be seen further than it is written.
        if symbol.visibility == Visibility::Public
            || symbol.flags.has(Flags::DECORATED)
            || (of.file.id, of.item) == item
            || of.file.prelude
            || !self.module_tree(of.file.module)
        {
            return true;
        }
        let Some(home) = self.parent(member).and_then(|b| self.module_parent(b)) else {
            return true;
        };
        let modules = at.facts.scopes.iter().filter(|s| s.module);
        let mut modules = modules.map(|s| at.id(s.owner));
        modules.any(
            |m| match self.seen(symbol.visibility, home, self.reach(m, home)) {
                Seen::No => false,
                Seen::Yes => true,
                Seen::In(confined) => self.reach(m, confined) == Reach::Inside,
            },
        )
    }

    /// Whether an item implements a trait: inside the block that does, the trait
    /// is in scope without an import.
    pub(super) fn implements(&self, at: At<'a>, tr: SymbolId) -> bool {
        at.facts.symbols.iter().enumerate().any(|(i, s)| {
            s.kind == SymbolKind::Impl
                && self
                    .bases(at.id(SymIdx(i as u32)))
                    .of(HeritageKind::Trait)
                    .any(|t| matches!(t, T::Nom(x, _) if *x == tr))
        })
    }

    fn module_has(&self, module: SymbolId, tr: SymbolId) -> bool {
        let value = self.memo(Dep::in_scope(module, tr), || {
            let Some((_, s, _)) = self.symbol(tr) else {
                return Value::Module(None);
            };
            let named = self.lookup(module, s.name, Ns::Type).symbol() == Some(tr);
            let renamed = || {
                self.renames(module, s.name).into_iter().any(|i| {
                    self.import_facts(i).is_some_and(|(at, i)| {
                        self.path(at, i.path, Ns::Type, 0).symbol() == Some(tr)
                    })
                })
            };
            Value::Module((named || renamed()).then_some(tr))
        });
        matches!(value, Value::Module(Some(_)))
    }
}
