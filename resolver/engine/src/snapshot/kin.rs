//! Bases and descendants, members and what overrides them.

use super::Snapshot;
use crate::links::{Kin, KinKind, site_of_type};
use rustc_hash::FxHashSet;
use surefoot_facts::{HeritageKind, Name, SymIdx};
use surefoot_graph::{SiteId, SymbolId, SymbolKind};

/// One base as a type or one of its blocks names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    pub kind: HeritageKind,
    /// As written.
    pub name: String,
    /// Who names it: the type itself or a block.
    pub says: SymbolId,
    /// The site of the name, where there is one.
    pub site: Option<SiteId>,
    /// The base, when it stands in the tree.
    pub target: Option<SymbolId>,
}

/// Descendants are followed this far in all; a hierarchy beyond it is cut and says so.
pub const MAX_DESCENDANTS: usize = 10_000;

impl Snapshot {
    /// The bases, interfaces and traits of a type, its blocks' included, as
    /// written and in source order.
    pub fn bases(&self, id: SymbolId) -> Vec<Base> {
        let mut out = self.stated_bases(id);
        for block in self.blocks(id) {
            out.extend(self.stated_bases(block));
        }
        out
    }

    /// The blocks that give members to a type, in the order of files.
    pub fn blocks(&self, id: SymbolId) -> Vec<SymbolId> {
        let mut out: Vec<SymbolId> = self
            .kin_of(id)
            .filter(|k| k.derived == id && k.says != id)
            .map(|k| k.says)
            .collect();
        out.sort_unstable();
        out.dedup();
        self.sort(&mut out);
        out
    }

    /// Types that name this one as base, interface or trait, each once.
    pub fn derived(&self, id: SymbolId) -> Vec<(SymbolId, KinKind)> {
        let mut all: Vec<(SymbolId, KinKind)> = self
            .kin_of(id)
            .filter(|k| k.base == id && k.kind != KinKind::Members)
            .map(|k| (k.derived, k.kind))
            .filter(|k| self.decl(k.0).is_some_and(|d| d.kind().is_shown()))
            .collect();
        all.sort_unstable();
        all.dedup_by_key(|k| k.0);
        all.sort_by_cached_key(|k| self.order_key(k.0));
        all
    }

    /// The type a member belongs to: through its block, the block's type.
    pub fn owner(&self, member: SymbolId) -> Option<SymbolId> {
        let holder = self.holder(member)?;
        if self.decl(holder)?.kind() != SymbolKind::Impl {
            return Some(holder);
        }
        self.type_of_block(holder)
    }

    /// What may run where this member is declared: the members of the same name
    /// in types below. Cut at [`MAX_DESCENDANTS`].
    pub fn overrides(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some(name) = self.member_name(member) else {
            return Vec::new();
        };
        let Some(holder) = self.holder(member) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut queue = vec![holder];
        while let Some(base) = queue.pop() {
            for kin in self.kin_of(base) {
                if kin.base != base || kin.kind == KinKind::Members {
                    continue;
                }
                if seen.len() >= MAX_DESCENDANTS || !seen.insert((kin.derived, kin.says)) {
                    continue;
                }
                out.extend(self.own_members(kin.says, name));
                queue.push(kin.derived);
            }
        }
        out.retain(|m| *m != member);
        self.sort(&mut out);
        out.dedup();
        out
    }

    /// The members that this one overrides or implements, nearest first.
    pub fn overridden(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some((name, holder)) = self.member_name(member).zip(self.holder(member)) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut queue: Vec<SymbolId> = self.stated_targets(holder);
        while !queue.is_empty() && seen.len() < MAX_DESCENDANTS {
            let level = std::mem::take(&mut queue);
            for base in level {
                if !seen.insert(base) {
                    continue;
                }
                out.extend(self.own_members(base, name));
                queue.extend(self.stated_targets(base));
            }
        }
        out
    }

    /// Whether the signature of a member is fixed by something above it: an
    /// override, an implementation, or a base this engine cannot look into.
    pub fn is_bound_by_base(&self, member: SymbolId) -> bool {
        let Some((name, holder)) = self.member_name(member).zip(self.holder(member)) else {
            return false;
        };
        let block = self
            .decl(holder)
            .is_some_and(|d| d.kind() == SymbolKind::Impl);
        let mut seen = FxHashSet::default();
        let mut queue = vec![holder];
        while let Some(at) = queue.pop() {
            if !seen.insert(at) {
                continue;
            }
            for base in self.stated_bases(at) {
                match (base.kind, base.target) {
                    (HeritageKind::SelfType | HeritageKind::Derive, _) => {}
                    // Every member of a trait's block is the trait's.
                    (HeritageKind::Trait, _) if block => return true,
                    // What is not in the tree may declare anything.
                    (_, None) => return true,
                    (_, Some(target)) => {
                        if !self.own_members(target, name).is_empty() {
                            return true;
                        }
                        queue.push(target);
                    }
                }
            }
        }
        false
    }

    fn member_name(&self, member: SymbolId) -> Option<Name> {
        let name = self.decl(member)?.name();
        (!name.is_empty()).then_some(name)
    }

    /// The type or block a member stands in.
    fn holder(&self, member: SymbolId) -> Option<SymbolId> {
        let d = self.decl(member)?;
        let (item, symbol) = d.facts?;
        let parent = item.symbol(symbol.parent)?;
        let holds = parent.kind.is_type() || parent.kind == SymbolKind::Impl;
        holds.then(|| d.file.symbol_id(d.loc.item, symbol.parent))
    }

    fn type_of_block(&self, block: SymbolId) -> Option<SymbolId> {
        let bases = self.stated_bases(block);
        let own = bases.iter().find(|b| b.kind == HeritageKind::SelfType)?;
        own.target
    }

    pub(super) fn own_members(&self, holder: SymbolId, name: Name) -> Vec<SymbolId> {
        let Some(d) = self.decl(holder) else {
            return Vec::new();
        };
        let Some((item, _)) = d.facts else {
            return Vec::new();
        };
        item.symbols
            .iter()
            .enumerate()
            .filter(|(_, s)| s.parent == d.loc.sym && s.name == name)
            .map(|(i, _)| d.file.symbol_id(d.loc.item, SymIdx(i as u32)))
            .collect()
    }

    fn stated_targets(&self, holder: SymbolId) -> Vec<SymbolId> {
        let all = self.stated_bases(holder).into_iter();
        all.filter(|b| b.kind != HeritageKind::SelfType)
            .filter_map(|b| b.target)
            .collect()
    }

    /// What one declaration states of its own bases.
    pub(crate) fn stated_bases(&self, id: SymbolId) -> Vec<Base> {
        let Some(d) = self.decl(id) else {
            return Vec::new();
        };
        let Some((item, symbol)) = d.facts else {
            return Vec::new();
        };
        let start = d.file.site_starts.get(d.loc.item as usize).copied();
        let known = self.state(d.loc.file).map(|f| f.links.stated(id));
        let target = |n: usize| {
            let known = known?.iter().find(|s| s.index as usize == n)?;
            known.target
        };
        let written = symbol.heritage.iter().enumerate();
        written
            .map(|(n, h)| Base {
                kind: h.kind,
                name: super::names::type_name(item, h.ty).unwrap_or_default(),
                says: id,
                site: site_of_type(item, h.ty)
                    .zip(start)
                    .map(|(i, start)| SiteId {
                        file: d.file.id,
                        index: start + i,
                    }),
                target: target(n),
            })
            .collect()
    }

    fn kin_of(&self, id: SymbolId) -> impl Iterator<Item = &Kin> + '_ {
        let files = self.t.kin.get(id).into_iter().flat_map(|f| f.iter());
        let states = files.filter_map(|f| self.state(f));
        states
            .flat_map(|s| s.links.kin())
            .filter(move |k| k.base == id || k.derived == id)
    }
}
