//! Members given to a value from outside: to a function, a class or an object,
//! in blocks of the file it is declared in.

use super::Value;
use super::members::{Found, Member, Side};
use super::types::{Subst, T};
use crate::state::{Ctx, Dep, Ns, Reach};
use std::sync::Arc;
use surefoot_facts::{Expr, Flags, HeritageKind, Name, names};
use surefoot_graph::{SymbolId, SymbolKind};

impl Ctx<'_> {
    /// What is given to the value of `s` under a name, or declared in the
    /// namespace that is one with it.
    pub(super) fn given(&self, s: SymbolId, name: Name, depth: usize) -> Found {
        if !self.has_prototypes(s) {
            return Found::Missing;
        }
        match self.in_members_of(&self.given_by(s), name, depth) {
            Found::Missing => {}
            found => return found,
        }
        for base in self.given_by(s).iter() {
            for of in self.bases(*base).of(HeritageKind::Extends) {
                match self.member_here(of, name, Side::Instance, depth + 1) {
                    Found::Missing => {}
                    found => return found,
                }
            }
        }
        for other in self.namesakes(s) {
            let found = self.member_here(&T::Module(other), name, Side::Instance, depth + 1);
            if !matches!(found, Found::Missing) {
                return found;
            }
        }
        Found::Missing
    }

    /// The one of several blocks' members of a name, when it is one.
    pub(super) fn in_members_of(&self, blocks: &[SymbolId], name: Name, depth: usize) -> Found {
        let _ = depth;
        let mut all: Vec<SymbolId> = Vec::new();
        for block in blocks {
            all.extend(self.own_members(*block, name));
        }
        all.retain(|m| self.fits(*m, Side::Instance));
        if let Some(several) = self.several(&all, Side::Instance) {
            return several;
        }
        match self.choose(&all, Side::Instance) {
            Some(m) => Found::One(Member::new(m, Subst::default())),
            None => Found::Missing,
        }
    }

    /// Where a name is given more than once, which one holds is not known.
    pub(super) fn several(&self, all: &[SymbolId], side: Side) -> Option<Found> {
        if all.len() < 2 || !self.has_prototypes(all[0]) {
            return None;
        }
        let bodies: Vec<Member> = all
            .iter()
            .filter(|m| self.fits(**m, side))
            .filter(|m| {
                self.symbol(**m).is_some_and(|(_, s, _)| {
                    !s.flags.has(Flags::BODILESS)
                        && matches!(s.kind, SymbolKind::Method | SymbolKind::Field)
                        && !s.flags.has(Flags::STATIC)
                })
            })
            .map(|m| Member::new(*m, Subst::default()))
            .collect();
        (bodies.len() > 1).then_some(Found::Many(bodies))
    }

    /// The blocks that give members to the value of a declaration itself.
    pub(super) fn given_by(&self, s: SymbolId) -> Arc<[SymbolId]> {
        let value = self.memo(Dep::given_by(s), || {
            Value::Symbols(self.given_by_now(s).into())
        });
        match value {
            Value::Symbols(s) => s,
            _ => Arc::from([]),
        }
    }

    fn given_by_now(&self, s: SymbolId) -> Vec<SymbolId> {
        let Some((at, symbol, sym)) = self.symbol(s) else {
            return Vec::new();
        };
        let mut called = symbol.name;
        if symbol.kind == SymbolKind::Object {
            // An object is called by what holds it.
            match at.facts.symbol(symbol.parent) {
                Some(holder) if at.facts.expr(holder.value) == Expr::Object(sym) => {
                    called = holder.name;
                }
                _ => return Vec::new(),
            }
        }
        let whole = names::export_assign();
        let mut all = Vec::new();
        for key in [called, whole] {
            self.read(Dep::impls(key));
            all.extend(self.db.impls.get(&key).into_iter().flatten().copied());
        }
        all.retain(|b| self.db.loc(*b).is_some_and(|l| l.file == at.file.id));
        self.sort(&mut all);
        let (_, _) = self.apart(|| {
            all.retain(|b| {
                self.bases(*b).of(HeritageKind::SelfType).any(|t| match t {
                    T::Fn(f, _) => *f == s,
                    T::Static(of) => matches!(&**of, T::Nom(x, _) if *x == s),
                    T::Nom(x, _) => *x == s && symbol.kind == SymbolKind::Object,
                    _ => false,
                })
            });
        });
        all
    }

    /// Namespaces of the same name in the same module: one thing with `s`.
    pub(super) fn namesakes(&self, s: SymbolId) -> Vec<SymbolId> {
        let Some((at, symbol, _)) = self.symbol(s) else {
            return Vec::new();
        };
        if symbol.name.is_empty() {
            return Vec::new();
        }
        let module = at.id(symbol.parent);
        let around = matches!(
            self.kind(module),
            Some(SymbolKind::Module | SymbolKind::Namespace)
        );
        if !around {
            return Vec::new();
        }
        let mut all: Vec<SymbolId> = self
            .entries(module, symbol.name)
            .iter()
            .filter_map(|e| match e.what {
                crate::state::What::Symbol(other) if other != s => Some(other),
                _ => None,
            })
            .collect();
        all.retain(|o| self.kind(*o) == Some(SymbolKind::Namespace));
        all
    }

    /// A name that another part of a namespace exports.
    pub(super) fn in_other_parts(
        &self,
        module: SymbolId,
        name: Name,
        ns: Ns,
    ) -> super::names::Named {
        if self.kind(module) == Some(SymbolKind::Namespace) && self.has_prototypes(module) {
            for other in self.namesakes(module) {
                let found = self.in_table(other, name, ns, Some(Reach::Package));
                if found.def != super::names::Def::Nothing {
                    return found;
                }
            }
        }
        super::names::Named::nothing()
    }
}
