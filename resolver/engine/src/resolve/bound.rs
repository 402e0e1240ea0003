//! Names of languages that bind them one after the other: which of several
//! bindings a name means, what a list of exports lets through, packages.

use super::names::{At, Def, Named};
use super::twins::{TWINS, When};
use super::types::T;
use crate::state::{Ctx, Entry, Ns, Reach, What};
use surefoot_facts::{Expr, Flags, Lit, Name, Specifier};
use surefoot_graph::{Cause, Rule, SymbolId, SymbolKind};

/// One binding of a name that may hold when it is read.
struct Live {
    entry: Entry,
    item: u32,
    conditional: bool,
    /// Less where the condition says that the usual way was not taken.
    rank: u8,
}

impl<'a> Ctx<'a> {
    /// Whether types and values of a module share one namespace.
    pub(super) fn one_namespace(&self, module: SymbolId) -> bool {
        self.rules_of(module)
            .is_some_and(|r| r.traits().one_namespace)
    }

    pub(super) fn namespace(&self, module: SymbolId, ns: Ns) -> Ns {
        if self.one_namespace(module) {
            Ns::Value
        } else {
            ns
        }
    }

    /// What a name of a module meant before its `count + 1`th binding.
    pub(super) fn earlier(&self, module: SymbolId, name: Name, count: u16) -> Named {
        self.last_bound(self.entries(module, name), Some(count))
    }

    /// What a name means by what was bound to it: the last one counts, and those
    /// that stand under a condition may.
    pub(super) fn last_bound(&self, entries: Vec<Entry>, first: Option<u16>) -> Named {
        let mut all: Vec<Live> = entries.into_iter().filter_map(|e| self.live(e)).collect();
        all.sort_by_key(|l| (l.item, l.rank));
        if let Some(count) = first {
            // What functions assign when they run comes at no known time.
            let from_inside = |l: &Live| self.is_assigned_inside(&l.entry);
            let mut left = usize::from(count);
            all.retain(|l| {
                let before = left > 0;
                left = left.saturating_sub(usize::from(!from_inside(l)));
                before || from_inside(l)
            });
        }
        let off = |l: &Live| match l.entry.what {
            What::Symbol(s) => self.when(s) == When::Off,
            What::Import(i) => self.import_when(i) == When::Off,
        };
        let mut chosen = false;
        if !all.iter().all(off) {
            let before = all.len();
            all.retain(|l| !off(l));
            chosen = all.len() < before;
        }
        let mut live: Vec<Live> = Vec::new();
        for l in all {
            if !l.conditional && !self.is_overload(&l.entry) {
                live.clear();
            }
            live.push(l);
        }
        if live.iter().any(|l| !self.is_overload(&l.entry)) {
            live.retain(|l| !self.is_overload(&l.entry));
        } else {
            live.truncate(1);
        }
        // `None` beside a value takes nothing from it.
        if live.len() > 1 && !live.iter().all(|l| self.holds_none(&l.entry)) {
            live.retain(|l| !self.holds_none(&l.entry));
        }
        if let Some(at) = live.iter().position(|l| self.is_typed(&l.entry)) {
            live.swap(0, at);
            live.truncate(1);
        }
        let twins = live.len() > 1
            && live.iter().all(|l| l.conditional && l.item == live[0].item)
            && live.iter().any(|l| l.rank != live[0].rank)
            && !live.iter().any(|l| self.is_assigned_inside(&l.entry));
        let mut named = self.one_of_live(&live, twins);
        // Another machine or another version takes the other way.
        if chosen && live.iter().all(|l| l.conditional) && named.def != Def::Nothing {
            named.rest_on(TWINS);
        }
        named
    }

    fn live(&self, entry: Entry) -> Option<Live> {
        let (item, condition, language) = match entry.what {
            What::Symbol(s) => {
                let (at, symbol, _) = self.symbol(s)?;
                let conditional = symbol.flags.has(Flags::CONDITIONAL);
                let language = self.file_of(s)?.language;
                (at.item, conditional.then_some(symbol.condition), language)
            }
            What::Import(i) => {
                let (_, import) = self.import_facts(i)?;
                let language = self.db.file(i.file)?.language;
                (
                    i.item,
                    import.conditional.then_some(import.condition),
                    language,
                )
            }
        };
        let rules = self.db.languages.rules(language);
        let unusual = rules.is_some_and(|r| r.unusual(condition.map_or("", |c| c.text())));
        Some(Live {
            entry,
            item,
            conditional: condition.is_some(),
            rank: u8::from(unusual),
        })
    }

    fn is_assigned_inside(&self, entry: &Entry) -> bool {
        let What::Symbol(s) = entry.what else {
            return false;
        };
        self.symbol(s).is_some_and(|(_, s, _)| {
            s.kind == SymbolKind::Variable
                && s.flags.has(Flags::CONDITIONAL)
                && s.flags.has(Flags::REASSIGNED)
        })
    }

    fn variable(&self, entry: &Entry) -> Option<(At<'a>, &'a surefoot_facts::Symbol)> {
        let What::Symbol(s) = entry.what else {
            return None;
        };
        let (at, symbol, _) = self.symbol(s)?;
        (symbol.kind == SymbolKind::Variable).then_some((at, symbol))
    }

    fn holds_none(&self, entry: &Entry) -> bool {
        self.variable(entry).is_some_and(|(at, s)| {
            !s.ty.is_known() && matches!(at.facts.expr(s.value), Expr::Lit(Lit::Null))
        })
    }

    fn is_typed(&self, entry: &Entry) -> bool {
        self.variable(entry).is_some_and(|(_, s)| s.ty.is_known())
    }

    fn is_overload(&self, entry: &Entry) -> bool {
        let What::Symbol(s) = entry.what else {
            return false;
        };
        self.symbol(s)
            .is_some_and(|(_, s, _)| s.flags.has(Flags::BODILESS))
    }

    fn one_of_live(&self, live: &[Live], twins: bool) -> Named {
        let mut all: Vec<Named> = Vec::new();
        for l in live {
            let found = match l.entry.what {
                What::Symbol(s) => Named::new(Def::Symbol(s), Rule::ModuleScope),
                What::Import(i) => self.import(i, Ns::Value),
            };
            if found.def == Def::Nothing || all.iter().any(|n| n.def == found.def) {
                continue;
            }
            all.push(found);
        }
        // An import that leads nowhere is not what is bound.
        if all.iter().any(|n| !matches!(n.def, Def::Gap(_))) {
            all.retain(|n| !matches!(n.def, Def::Gap(_)));
        }
        let outside = all.iter().filter(|n| n.def == Def::Outside).count();
        if all.len() < 2 {
            return all.pop().unwrap_or_else(Named::nothing);
        }
        if outside > 0 {
            let mut n = Named::gap(Cause::Ambiguous);
            n.refused = all.iter().filter_map(Named::symbol).collect();
            return n;
        }
        let mut first = all.remove(0);
        first.also = all.iter().map(|n| n.def.clone()).collect();
        if twins {
            first.rest_on(TWINS);
            first.refused = all.iter().filter_map(Named::symbol).collect();
        }
        first
    }

    /// Whether `from module import *` brings a name: what the module lists, or
    /// what its language lets through.
    pub(super) fn lists(&self, module: SymbolId, name: Name) -> bool {
        let open = || !self.entries(module, Name::new("<all>?")).is_empty();
        if !self.entries(module, Name::new("<all>")).is_empty() {
            let listed = Name::new(&format!("<all>{}", name.text()));
            return !self.entries(module, listed).is_empty() || open();
        }
        open() || self.rules_of(module).is_some_and(|r| r.globbed(name))
    }

    /// The module `name` of the package that a module is.
    pub(super) fn submodule(&self, module: SymbolId, name: Name) -> Named {
        let (Some(rules), Some(file)) = (self.rules_of(module), self.file_of(module)) else {
            return Named::nothing();
        };
        self.as_named(rules.submodule(self, &file.path, name.text()))
    }

    /// A package that imports a module of its own: the name leads there with or
    /// without that import.
    pub(super) fn its_own_module(&self, module: SymbolId, name: Name, own: Named) -> Named {
        let is_module = own
            .symbol()
            .is_some_and(|s| self.kind(s) == Some(SymbolKind::Module));
        if !is_module || !self.one_namespace(module) {
            return own;
        }
        match self.submodule(module, name) {
            same if same.def == own.def => same,
            _ => own,
        }
    }

    /// A package without a file among what a module or such a package holds.
    pub(super) fn folder_in(&self, of: &T, name: Name) -> Option<T> {
        let (near, found) = match of {
            T::Module(m) if self.one_namespace(*m) => {
                (*m, self.export(*m, name, Ns::Value, Reach::Package))
            }
            T::Folder(near, folder) => (*near, self.in_folder(*near, *folder, name)),
            _ => return None,
        };
        match found.def {
            Def::Folder(f) => Some(T::Folder(near, f)),
            _ => None,
        }
    }

    /// The module `name` of a package without a file.
    pub(super) fn in_folder(&self, near: SymbolId, folder: Name, name: Name) -> Named {
        let Some(rules) = self.rules_of(near) else {
            return Named::nothing();
        };
        self.as_named(rules.submodule(self, folder.text(), name.text()))
    }

    fn as_named(&self, found: Specifier) -> Named {
        match found {
            Specifier::File { file, .. } => match self.db.file(file).map(|f| f.module) {
                Some(module) => Named::new(Def::Symbol(module), Rule::Import),
                None => Named::nothing(),
            },
            Specifier::Folder(path) => Named::new(Def::Folder(Name::new(&path)), Rule::Import),
            _ => Named::nothing(),
        }
    }
}
