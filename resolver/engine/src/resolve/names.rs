//! What a name means: tables, imports, globs, paths.

use super::Value;
use super::globs::head_name;
use super::modules::Seen;
use super::twins::{TWINS, When, twin};
use crate::state::{Ctx, Db, Dep, Entry, FileEntry, Ns, Reach, What, both};
use std::sync::Arc;
use surefoot_facts::{Builtin, Flags, ImpIdx, ImportKind, ItemFacts, Name, SymIdx, Symbol, names};
use surefoot_graph::{Cause, FileId, Rule, Slot, SymbolId, SymbolKind, Via};

/// What a name leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Def {
    Symbol(SymbolId),
    /// A type parameter: its owner and position.
    TypeParam(SymbolId, u16),
    /// The type around, as a path head.
    SelfOf(SymbolId),
    /// A value bound in a body; its type says more.
    Local,
    /// A folder of the tree that is a package without a file of its own.
    Folder(Name),
    /// Leads out of the tree, by an import or a package name.
    Outside,
    /// A builtin without a stub.
    Builtin,
    /// The evidence names this tree and nothing answers, or nothing picks one.
    Gap(Cause),
    /// Nothing binds it, and everything that could was asked.
    Nothing,
}

/// A name's meaning, and how it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub def: Def,
    pub rule: Rule,
    /// The convention it rests on, if it is not proved.
    pub convention: Option<Rule>,
    pub via: Vec<Via>,
    /// The module it can be named in, when the module asked shows it to no other.
    pub within: Option<SymbolId>,
    /// What was looked at and refused (the several of an ambiguity).
    pub refused: Vec<SymbolId>,
    /// What else the name may mean when it is read; as a value it is one of all.
    pub also: Vec<Def>,
}

/// How many steps a proof lists; a longer one keeps its ends.
pub(crate) const MAX_VIA: usize = 8;

impl Named {
    pub(crate) fn new(def: Def, rule: Rule) -> Named {
        Named {
            def,
            rule,
            convention: rule.is_convention().then_some(rule),
            via: Vec::new(),
            within: None,
            refused: Vec::new(),
            also: Vec::new(),
        }
    }

    pub(super) fn nothing() -> Named {
        Named::new(Def::Nothing, Rule::ModuleScope)
    }

    pub(super) fn gap(cause: Cause) -> Named {
        Named::new(Def::Gap(cause), Rule::Import)
    }

    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        match self.def {
            Def::Symbol(s) => Some(s),
            _ => None,
        }
    }

    pub(super) fn rest_on(&mut self, convention: Option<Rule>) {
        self.convention = both(self.convention, convention);
    }

    /// This meaning, reached by one more step.
    pub(super) fn through(mut self, rule: Rule, step: Via, convention: Option<Rule>) -> Named {
        self.rest_on(convention);
        self.rule = rule;
        self.within = None;
        self.via.insert(0, step);
        if self.via.len() > MAX_VIA {
            self.via.remove(MAX_VIA - 2);
        }
        self
    }
}

/// A place inside an item, from where names are asked.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub file: &'a FileEntry,
    pub item: u32,
    pub facts: &'a ItemFacts,
}

impl<'a> At<'a> {
    pub(crate) fn id(&self, sym: SymIdx) -> SymbolId {
        self.file.symbol_id(self.item, sym)
    }
}

impl<'a> Ctx<'a> {
    pub(crate) fn at(&self, file: FileId, item: u32) -> Option<At<'a>> {
        let db: &'a Db = self.db;
        let file = db.file(file)?;
        Some(At {
            file,
            item,
            facts: file.item(item)?,
        })
    }

    /// A symbol's facts; read by shape.
    pub(crate) fn symbol(&self, id: SymbolId) -> Option<(At<'a>, &'a Symbol, SymIdx)> {
        self.read(Dep::shape(id));
        let db: &'a Db = self.db;
        let (file, item, symbol, loc) = db.symbol(id)?;
        Some((
            At {
                file,
                item: loc.item,
                facts: item,
            },
            symbol,
            loc.sym,
        ))
    }

    pub(crate) fn kind(&self, id: SymbolId) -> Option<SymbolKind> {
        match self.symbol(id) {
            Some((_, s, _)) => Some(s.kind),
            None => self.db.module_file(id).map(|_| SymbolKind::Module),
        }
    }

    /// The declaration around a symbol; the file's module at the top.
    pub(crate) fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        let (at, s, _) = self.symbol(id)?;
        Some(at.id(s.parent))
    }

    pub(crate) fn file_of(&self, id: SymbolId) -> Option<&'a FileEntry> {
        let db: &'a Db = self.db;
        db.loc(id).and_then(|l| db.file(l.file)).map(|f| &**f)
    }

    pub(crate) fn is_prelude(&self, id: SymbolId) -> bool {
        self.file_of(id).is_some_and(|f| f.prelude)
    }

    pub(crate) fn via(&self, symbol: SymbolId, slot: Slot) -> Via {
        let file = self.db.loc(symbol).map_or(FileId(0), |l| l.file);
        Via {
            file,
            symbol: Some(symbol),
            slot,
        }
    }

    // ---- tables ----------------------------------------------------------------

    pub(super) fn entries(&self, module: SymbolId, name: Name) -> Vec<Entry> {
        self.read(Dep::name(module, name));
        self.file_of(module)
            .and_then(|f| f.index.names.get(&(module, name)))
            .map(|e| e.to_vec())
            .unwrap_or_default()
    }

    /// What a module's own table says of a name, from inside or from outside.
    pub(super) fn in_table(
        &self,
        module: SymbolId,
        name: Name,
        ns: Ns,
        from: Option<Reach>,
    ) -> Named {
        let mut entries = self.entries(module, name);
        if self.one_namespace(module) {
            return self.last_bound(entries, None);
        }
        let mut confined: Option<SymbolId> = None;
        let mut open = false;
        entries.retain(|e| match from {
            None => e.bound,
            Some(reach) => {
                let seen = self.seen(e.visibility, module, reach);
                match seen {
                    Seen::In(m) => confined = confined.or(Some(m)),
                    Seen::Yes => open |= e.exported,
                    Seen::No => {}
                }
                e.exported && seen != Seen::No
            }
        });
        let mut named = self.of_entries(&entries, ns);
        named.within = confined.filter(|_| !open);
        named
    }

    /// The meaning of the entries of one name.
    fn of_entries(&self, entries: &[Entry], ns: Ns) -> Named {
        let mut all: Vec<(Entry, When)> = Vec::new();
        for e in entries {
            all.push(match e.what {
                What::Symbol(s) => match self.symbol(s) {
                    Some((_, symbol, _)) if Db::lives_in(symbol.kind, symbol.flags, ns) => {
                        (*e, self.when(s))
                    }
                    _ => continue,
                },
                What::Import(i) => (*e, self.import_when(i)),
            });
        }
        // What is compiled out gives way to what is not, a declaration to an
        // import as well.
        let mut convention = None;
        if all.len() > 1 && all.iter().any(|(_, w)| *w != When::Off) {
            let means = |e: &Entry| match e.what {
                What::Symbol(_) => true,
                What::Import(i) => self.import(i, ns).def != Def::Nothing,
            };
            all.retain(|(e, w)| {
                let off = *w == When::Off;
                if off && convention.is_none() && means(e) {
                    convention = TWINS;
                }
                !off
            });
        }
        let symbols: Vec<SymbolId> = all
            .iter()
            .filter_map(|(e, _)| match e.what {
                What::Symbol(s) => Some(s),
                What::Import(_) => None,
            })
            .collect();
        // What a module assigns to its exports twice is not known to be either.
        let assigned = |s: &SymbolId| {
            let flags = Flags::UNBOUND | Flags::EXPORT_ASSIGN;
            self.symbol(*s).is_some_and(|(_, s, _)| s.flags.has(flags))
        };
        if symbols.iter().any(assigned)
            && let Some(other) = self.of_imports(&all, ns).symbol()
            && !symbols.contains(&other)
        {
            let mut refused = symbols;
            refused.push(other);
            return Named {
                refused,
                ..Named::gap(Cause::Ambiguous)
            };
        }
        let mut named = match symbols.is_empty() {
            false => self.pick(symbols, ns),
            true => self.of_imports(&all, ns),
        };
        if named.def != Def::Nothing {
            named.rest_on(convention);
        }
        named
    }

    /// The meaning of several imports that bind one name.
    fn of_imports(&self, all: &[(Entry, When)], ns: Ns) -> Named {
        let mut hits: Vec<(Named, When)> = Vec::new();
        let mut gap = Named::nothing();
        for (e, when) in all {
            let What::Import(i) = e.what else { continue };
            let found = self.import(i, ns);
            match found.def {
                Def::Symbol(_) | Def::Outside if hits.iter().any(|(h, _)| h.def == found.def) => {}
                Def::Symbol(_) | Def::Outside => hits.push((found, *when)),
                Def::Gap(_) if gap.def == Def::Nothing => gap = found,
                _ => {}
            }
        }
        let when: Vec<When> = hits.iter().map(|(_, w)| *w).collect();
        let all: Vec<SymbolId> = hits.iter().filter_map(|(h, _)| h.symbol()).collect();
        match hits.len() {
            0 => gap,
            1 => hits.swap_remove(0).0,
            _ => match twin(&when) {
                Some(at) => {
                    let mut named = hits.swap_remove(at).0;
                    named.rest_on(TWINS);
                    let chosen = named.symbol();
                    named.refused = all.into_iter().filter(|s| Some(*s) != chosen).collect();
                    named
                }
                None => Named {
                    refused: all,
                    ..Named::gap(Cause::Ambiguous)
                },
            },
        }
    }

    /// The one of several declarations of a name that stands for it.
    pub(super) fn pick(&self, mut symbols: Vec<SymbolId>, ns: Ns) -> Named {
        let done = |s: SymbolId| match self.kind(s) {
            Some(SymbolKind::Module) => match self.module_itself(s) {
                Ok(m) => Named::new(Def::Symbol(m), Rule::ModuleScope),
                Err(c) => Named::gap(c),
            },
            _ => Named::new(Def::Symbol(s), Rule::ModuleScope),
        };
        if symbols.len() == 1 {
            return done(symbols[0]);
        }
        self.sort(&mut symbols);
        let rank = |s: &SymbolId| -> u8 {
            let Some((_, symbol, _)) = self.symbol(*s) else {
                return 9;
            };
            match (ns, symbol.kind) {
                (Ns::Value, SymbolKind::Namespace | SymbolKind::Interface) => 3,
                (Ns::Value, SymbolKind::Module) => 4,
                (Ns::Value, SymbolKind::Function) if symbol.flags.has(Flags::BODILESS) => 2,
                (Ns::Type, SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum) => 0,
                (Ns::Type, SymbolKind::Interface | SymbolKind::Trait) => 1,
                (Ns::Type, SymbolKind::TypeAlias) => 2,
                (Ns::Type, _) => 3,
                _ => 0,
            }
        };
        let best = symbols.iter().map(rank).min().unwrap_or(9);
        let top: Vec<SymbolId> = symbols
            .iter()
            .copied()
            .filter(|s| rank(s) == best)
            .collect();
        let bodiless = |s: &SymbolId| {
            self.symbol(*s)
                .is_some_and(|(_, s, _)| s.flags.has(Flags::BODILESS))
        };
        let interface = |s: &SymbolId| {
            matches!(
                self.kind(*s),
                Some(SymbolKind::Interface | SymbolKind::Namespace)
            )
        };
        // Overload signatures and merged interfaces are one thing under one name.
        if top.len() == 1 || top.iter().all(bodiless) || top.iter().all(interface) {
            return done(top[0]);
        }
        if let Some(at) = self.twin_of(&top) {
            let mut n = done(top[at]);
            n.rest_on(TWINS);
            n.refused = top.iter().copied().filter(|s| *s != top[at]).collect();
            return n;
        }
        let mut n = Named::gap(Cause::Ambiguous);
        n.refused = top;
        n
    }

    pub(crate) fn own_members(&self, of: SymbolId, name: Name) -> Vec<SymbolId> {
        self.read(Dep::member(of, name));
        self.file_of(of)
            .and_then(|f| f.index.members.get(&(of, name)))
            .map(|m| m.to_vec())
            .unwrap_or_default()
    }

    /// What a name means inside a module.
    pub(crate) fn lookup(&self, module: SymbolId, name: Name, ns: Ns) -> Arc<Named> {
        let ns = self.namespace(module, ns);
        self.named(Dep::lookup(module, name, ns), || {
            self.lookup_now(module, name, ns)
        })
    }

    /// Whether a module has an import that binds the name its own path starts
    /// with, and an import asks: `use json::{json, Value}`.
    pub(super) fn binds_own_head(&self, module: SymbolId, name: Name, asked_by: ImpIdx) -> bool {
        !asked_by.is_none()
            && self
                .entries(module, name)
                .iter()
                .any(|e| self.is_own_head(e, name))
    }

    fn is_own_head(&self, entry: &Entry, name: Name) -> bool {
        let What::Import(i) = entry.what else {
            return false;
        };
        self.import_facts(i).is_some_and(|(at, import)| {
            import.kind == ImportKind::Path && head_name(at, import.path) == Some(name)
        })
    }

    /// What the head of a glob's path means inside a module: what the module
    /// declares, a package, a root of the library, and only then what other
    /// globs bring, so that no glob waits for itself. Imports that bind their
    /// own head do not answer for it.
    pub(super) fn head(&self, module: SymbolId, name: Name) -> Named {
        let found = self.named(Dep::head(module, name), || {
            let mut entries = self.entries(module, name);
            entries.retain(|e| e.bound && !self.is_own_head(e, name));
            let own = self.of_entries(&entries, Ns::Type);
            if own.def != Def::Nothing {
                return own;
            }
            if let Some(file) = self.file_of(module) {
                let package = self.package_named(file.id, name);
                if package.def != Def::Nothing {
                    return package;
                }
            }
            let library = self.prelude(module, name, Ns::Type);
            if library.def != Def::Nothing {
                return library;
            }
            self.in_globs(module, name, Ns::Type, None, true)
        });
        (*found).clone()
    }

    /// What a module shows under a name.
    pub(crate) fn export(&self, module: SymbolId, name: Name, ns: Ns, reach: Reach) -> Named {
        let ns = self.namespace(module, ns);
        let value = self.named(Dep::export(module, name, ns, reach), || {
            let own = self.in_table(module, name, ns, Some(reach));
            if own.def != Def::Nothing {
                return self.its_own_module(module, name, own);
            }
            if name == names::default() || name == names::export_assign() {
                return own;
            }
            let other = self.in_other_parts(module, name, ns);
            if other.def != Def::Nothing {
                return other;
            }
            let globbed = self.in_globs(module, name, ns, Some(reach), false);
            match globbed.def {
                Def::Nothing if self.one_namespace(module) => {
                    let outside = globbed.rule == Rule::OutsideImport;
                    match self.submodule(module, name) {
                        n if n.def == Def::Nothing && outside => globbed,
                        n => n,
                    }
                }
                Def::Nothing => self.of_package(module, name, ns).unwrap_or(globbed),
                _ => globbed,
            }
        });
        (*value).clone()
    }

    /// A macro that stands at its package's root, wherever it is written.
    fn of_package(&self, module: SymbolId, name: Name, ns: Ns) -> Option<Named> {
        if ns != Ns::Macro || !self.module_tree(module) || self.module_parent(module).is_some() {
            return None;
        }
        self.read(Dep::global(name));
        let mut all = self.db.globals.get(&name).cloned().unwrap_or_default();
        all.retain(|s| {
            let written = self.symbol(*s);
            written.is_some_and(|(_, s, _)| s.flags.has(Flags::MACRO_EXPORT))
                && self.root_of(*s) == module
        });
        (!all.is_empty()).then(|| self.pick(all, ns))
    }

    pub(super) fn named(&self, dep: Dep, compute: impl FnOnce() -> Named) -> Arc<Named> {
        match self.memo(dep, || Value::Named(Arc::new(compute()))) {
            Value::Named(n) => n,
            _ => Arc::new(Named::gap(Cause::Cycle)),
        }
    }

    pub(super) fn lookup_now(&self, module: SymbolId, name: Name, ns: Ns) -> Named {
        let own = self.in_table(module, name, ns, None);
        if own.def != Def::Nothing {
            return own;
        }
        let globbed = self.in_globs(module, name, ns, None, false);
        if globbed.def != Def::Nothing {
            return globbed;
        }
        if let Some(found) = self.of_package(module, name, ns) {
            return found;
        }
        let outside_glob = globbed.rule == Rule::OutsideImport;
        let Some(rules) = self.rules_of(module) else {
            return own;
        };
        let traits = rules.traits();
        let other = self.in_other_parts(module, name, ns);
        if other.def != Def::Nothing {
            return other;
        }
        if (traits.modules_nest || ns == Ns::Macro)
            && let Some(up) = self.module_parent(module)
            && up != module
        {
            let up = self.lookup(up, name, ns);
            if up.def != Def::Nothing {
                return (*up).clone();
            }
        }
        if traits.module_tree
            && ns == Ns::Type
            && let Some(file) = self.file_of(module)
        {
            let found = self.package_named(file.id, name);
            if found.def != Def::Nothing {
                return found;
            }
        }
        self.read(Dep::global(name));
        let mut globals = self.db.globals.get(&name).cloned().unwrap_or_default();
        globals.retain(|g| {
            self.rules_of(*g)
                .is_some_and(|r| std::ptr::eq(r.traits(), traits))
                && self.symbol(*g).is_some_and(|(_, s, _)| {
                    Db::lives_in(s.kind, s.flags, ns) && !s.flags.has(Flags::MACRO_EXPORT)
                })
                && !self.is_prelude(*g)
        });
        if !traits.module_tree && !globals.is_empty() {
            return self.pick(globals, ns);
        }
        match rules.builtin(name) {
            Some(Builtin::Prelude) => {
                let found = self.prelude(module, name, ns);
                if found.def == Def::Nothing && ns == Ns::Value {
                    return Named::new(Def::Builtin, Rule::OutsideBuiltin);
                }
                return found;
            }
            Some(Builtin::Outside) => return Named::new(Def::Builtin, Rule::OutsideBuiltin),
            None => {}
        }
        if outside_glob {
            return Named::new(Def::Nothing, Rule::OutsideImport);
        }
        self.around_decorated(module, name, ns).unwrap_or(own)
    }

    /// What the module around has for one that an attribute macro rewrites:
    /// such macros import all of it.
    fn around_decorated(&self, module: SymbolId, name: Name, ns: Ns) -> Option<Named> {
        let (_, symbol, _) = self.symbol(module)?;
        let rewritten = symbol.flags.has(Flags::DECORATED) && self.module_tree(module);
        let up = self.module_parent(module).filter(|_| rewritten)?;
        let mut found = (*self.lookup(up, name, ns)).clone();
        if !matches!(found.def, Def::Symbol(_) | Def::Outside) {
            return None;
        }
        found.rest_on(Some(Rule::DecoratedModule));
        Some(found)
    }

    /// A package of the tree, or a declared dependency, by its name in code.
    pub(super) fn package_named(&self, file: FileId, name: Name) -> Named {
        let package = self.package(file);
        if let Some((_, root)) = package.packages.iter().find(|(n, _)| *n == name)
            && let Some(root) = self.db.file(*root)
        {
            return Named::new(Def::Symbol(root.module), Rule::QualifiedPath);
        }
        if package.outside.contains(&name) {
            let outside = Named::new(Def::Outside, Rule::OutsideImport);
            let near = self.db.file(file).map(|f| f.module);
            let stub = near.and_then(|near| self.stub_of(near, name));
            return stub.map_or(outside, |s| Named::new(Def::Symbol(s), Rule::OutsideImport));
        }
        Named::nothing()
    }

    /// The module that a stub declares for a package, by its name or specifier.
    pub(super) fn stub_of(&self, near: SymbolId, package: Name) -> Option<SymbolId> {
        let declared = self.rules_of(near)?.package_stub(package)?;
        self.prelude(near, declared, Ns::Type).symbol()
    }

    /// A declaration of the standard library's stub.
    pub(crate) fn prelude(&self, near: SymbolId, name: Name, ns: Ns) -> Named {
        let language = self.file_of(near).map(|f| f.language);
        let modules = language.and_then(|l| self.db.preludes.get(&l));
        for &m in modules.into_iter().flatten() {
            let found = self.in_table(m, name, ns, None);
            if found.def != Def::Nothing {
                return Named {
                    rule: Rule::OutsideBuiltin,
                    ..found
                };
            }
        }
        Named::nothing()
    }
}
