//! What a value of a package's type may be asked for: the package is not read,
//! but what this tree could answer is known.

use super::members::{Found, Side};
use super::types::{Args, T};
use crate::state::{Ctx, Dep};
use surefoot_facts::{HeritageKind, Name};
use surefoot_graph::{Cause, FileId, SymbolId};

impl<'a> Ctx<'a> {
    /// What a value of a package's type is asked for. Blocks of this tree may
    /// give it members, and through its arguments it may lead back here; nothing
    /// else can, so the rest is the package's.
    pub(super) fn foreign(&self, of: Name, args: &Args, name: Name) -> Found {
        let Some(at) = self.asking().and_then(|(f, i)| self.at(f, i)) else {
            return Found::Outside;
        };
        let rules = self.db.languages.rules(at.file.language);
        if !rules.is_some_and(|r| r.traits().auto_deref) {
            return Found::Outside;
        }
        let item = (at.file.id, at.item);
        let gives = |b: &SymbolId| {
            !self.is_prelude(*b) && self.gives(*b, name) && self.may_be_called(*b, name, item)
        };
        let mut blocks: Vec<SymbolId> = Vec::new();
        for written in self.names_of(of) {
            self.read(Dep::impls(written));
            blocks.extend(self.db.impls.get(&written).into_iter().flatten());
        }
        let (given, _) = self.apart(|| {
            blocks.iter().any(gives) || self.blanket_blocks(Name::EMPTY, name).iter().any(gives)
        });
        if given || args.iter().any(|t| self.may_lead_here(t, name)) {
            return Found::Unknown(Cause::NoReceiverType);
        }
        Found::Outside
    }

    /// Whether what a block gives can be called from an item: the trait it is of
    /// must be in scope there.
    fn may_be_called(&self, block: SymbolId, name: Name, item: (FileId, u32)) -> bool {
        match self.bases(block).of(HeritageKind::Trait).next() {
            Some(T::Nom(tr, _)) => {
                self.is_prelude(*tr)
                    || self.own_members(*tr, name).is_empty()
                    || self.trait_in_scope(item, *tr)
            }
            _ => true,
        }
    }

    /// Whether a name asked of a package's type may be one of this tree: the
    /// type may be a pointer to its argument, and that one, or what it leads to,
    /// has the name here.
    fn may_lead_here(&self, t: &T, name: Name) -> bool {
        match t {
            T::Bind(_, t) | T::Static(t) => self.may_lead_here(t, name),
            T::Tuple(args) => args.iter().any(|t| self.may_lead_here(t, name)),
            T::Nom(_, args) => match self.member(t, name, Side::Method) {
                Found::One(m) => !self.is_prelude(m.symbol),
                Found::Missing | Found::Outside => args.iter().any(|t| self.may_lead_here(t, name)),
                _ => true,
            },
            T::Foreign(_, args) => args.iter().any(|t| self.may_lead_here(t, name)),
            _ => true,
        }
    }
}
