//! What runs when a declaration is called, and which declarations are one function: what others name is not
//! always what this engine's edges lead to.

use super::Snapshot;
use surefoot_facts::{Flags, HeritageKind, Name};
use surefoot_graph::{SymbolId, SymbolKind};

/// Bases that a constructor is looked for in.
const BASES: usize = 32;

impl Snapshot {
    /// What runs when a declaration is called or constructed: of a class its constructor, inherited ones
    /// included where a class has one base; else the declaration itself.
    pub fn run_by(&self, symbol: SymbolId) -> SymbolId {
        let Some(class) = self.decl(symbol).filter(|d| d.kind() == SymbolKind::Class) else {
            return symbol;
        };
        let rules = self.languages().rules(class.file.language);
        let Some(traits) = rules.map(|rules| rules.traits()) else {
            return symbol;
        };
        let mut at = symbol;
        for _ in 0..BASES {
            if let Some(own) = self.constructor(at, Name::new(traits.constructor)) {
                return own;
            }
            let bases = self.stated_bases(at);
            let base = bases.iter().find(|b| b.kind == HeritageKind::Extends);
            match base.and_then(|b| b.target) {
                Some(base) if !traits.linear_bases => at = base,
                _ => break,
            }
        }
        symbol
    }

    fn constructor(&self, class: SymbolId, name: Name) -> Option<SymbolId> {
        let own = self.own_members(class, name).into_iter();
        let all = own
            .filter_map(|m| self.decl(m))
            .filter(|d| d.kind() == SymbolKind::Constructor);
        // Signatures stand before what implements them.
        let all: Vec<_> = all
            .map(|d| (d.flags().has(Flags::BODILESS), d.id))
            .collect();
        all.iter()
            .min_by_key(|(bodiless, _)| *bodiless)
            .map(|(_, id)| *id)
    }

    /// Whether two declarations are one function: signatures of it, or one of them and what implements them.
    pub fn is_one_function(&self, a: SymbolId, b: SymbolId) -> bool {
        if a == b {
            return true;
        }
        let (Some(x), Some(y)) = (self.decl(a), self.decl(b)) else {
            return false;
        };
        x.kind().is_callable()
            && x.kind() == y.kind()
            && x.name() == y.name()
            && x.file.id == y.file.id
            && self.parent(a) == self.parent(b)
            && (x.flags().has(Flags::BODILESS) || y.flags().has(Flags::BODILESS))
    }
}
