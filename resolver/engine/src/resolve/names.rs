//! What a name means: tables, imports, globs, paths.

use super::Value;
use crate::state::{Ctx, Db, Dep, Entry, FileEntry, ImportRef, Ns, Reach, What};
use std::sync::Arc;
use surefoot_facts::{
    BindKind, Builtin, Expr, ExprIdx, Flags, ImportKind, ItemFacts, ManifestFacts, Name, PackageOf,
    PathReader, ScopeIdx, Specifier, SymIdx, Symbol, Visibility, names,
};
use surefoot_graph::{Cause, FileId, Rule, Slot, SymbolId, SymbolKind, Tier, Via};

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
    pub tier: Tier,
    pub via: Vec<Via>,
    /// What was looked at and refused (the several of an ambiguity).
    pub refused: Vec<SymbolId>,
}

/// How many steps of an export chain are followed.
const MAX_CHAIN: usize = 16;
/// How many steps a proof lists; a longer one keeps its ends.
pub(crate) const MAX_VIA: usize = 8;

impl Named {
    pub(crate) fn new(def: Def, rule: Rule) -> Named {
        Named {
            def,
            rule,
            tier: rule.tier(),
            via: Vec::new(),
            refused: Vec::new(),
        }
    }

    fn nothing() -> Named {
        Named::new(Def::Nothing, Rule::ModuleScope)
    }

    fn gap(cause: Cause) -> Named {
        Named::new(Def::Gap(cause), Rule::Import)
    }

    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        match self.def {
            Def::Symbol(s) => Some(s),
            _ => None,
        }
    }

    /// This meaning, reached by one more step.
    fn through(mut self, rule: Rule, step: Via, weakest: Tier) -> Named {
        self.tier = self.tier.min(weakest);
        self.rule = if self.rule.tier() < rule.tier() {
            self.rule
        } else {
            rule
        };
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

    // ---- modules ---------------------------------------------------------------

    /// The module a declaration stands for: a `mod name;` stands for its file.
    pub(crate) fn module_itself(&self, declared: SymbolId) -> Result<SymbolId, Cause> {
        let Some((_, s, _)) = self.symbol(declared) else {
            return Ok(declared);
        };
        if s.file_module.is_none() {
            return Ok(declared);
        }
        let value = self.memo(Dep::child_module(declared), || {
            let Some((at, s, _)) = self.symbol(declared) else {
                return Value::Module(None);
            };
            let Some(rules) = self.db.languages.rules(at.file.language) else {
                return Value::Module(None);
            };
            let mut inside = Vec::new();
            let mut up = s.parent;
            while let Some(p) = at.facts.symbol(up) {
                inside.push(p.name.text());
                up = p.parent;
            }
            inside.reverse();
            let written = s.file_module.unwrap_or(Name::EMPTY);
            let files = rules.module_file(&at.file.path, &inside, s.name.text(), written.text());
            let hit = files.candidates.iter().find_map(|p| self.file(p));
            Value::Module(hit.and_then(|f| self.db.file(f)).map(|f| f.module))
        });
        match value {
            Value::Module(Some(m)) => Ok(m),
            Value::Module(None) => Err(Cause::Miss),
            _ => Err(Cause::Cycle),
        }
    }

    /// The module around a module; `None` at the root of a package.
    pub(crate) fn module_parent(&self, module: SymbolId) -> Option<SymbolId> {
        if let Some((at, s, _)) = self.symbol(module) {
            let mut up = s.parent;
            while let Some(p) = at.facts.symbol(up) {
                if matches!(p.kind, SymbolKind::Module | SymbolKind::Namespace) {
                    break;
                }
                up = p.parent;
            }
            return Some(at.id(up));
        }
        let file = self.db.module_file(module)?;
        let id = file.id;
        let value = self.memo(Dep::parent(id), || {
            let Some(file) = self.db.file(id) else {
                return Value::Module(None);
            };
            self.read(Dep::module_parent(file.path_name));
            let mut declared = self
                .db
                .children
                .get(&file.path_name)
                .cloned()
                .unwrap_or_default();
            self.sort(&mut declared);
            let hit = declared
                .into_iter()
                .find(|d| self.module_itself(*d) == Ok(file.module))
                .and_then(|d| self.module_parent(d));
            Value::Module(hit)
        });
        match value {
            Value::Module(m) => m,
            _ => None,
        }
    }

    /// Source order: what lists of symbols are read in, whatever order they came in.
    pub(crate) fn sort(&self, list: &mut Vec<SymbolId>) {
        if list.len() < 2 {
            return;
        }
        list.sort_by_cached_key(|id| {
            let loc = self.db.loc(*id);
            let path = loc
                .and_then(|l| self.db.file(l.file))
                .map(|f| f.path.clone());
            (path, loc.map(|l| (l.item, l.sym)))
        });
        list.dedup();
    }

    /// The module a symbol stands in.
    pub(crate) fn module_of(&self, id: SymbolId) -> Option<SymbolId> {
        match self.symbol(id) {
            None => Some(id),
            Some((at, s, _)) => {
                let mut up = s.parent;
                while let Some(p) = at.facts.symbol(up) {
                    if matches!(p.kind, SymbolKind::Module | SymbolKind::Namespace) {
                        break;
                    }
                    up = p.parent;
                }
                Some(at.id(up))
            }
        }
    }

    pub(crate) fn package(&self, file: FileId) -> Arc<PackageOf> {
        let value = self.memo(Dep::package(file), || {
            let rules = self
                .db
                .file(file)
                .and_then(|f| self.db.languages.rules(f.language));
            Value::Package(Arc::new(
                rules.map(|r| r.package(self, file)).unwrap_or_default(),
            ))
        });
        match value {
            Value::Package(p) => p,
            _ => Arc::default(),
        }
    }

    fn root_of(&self, module: SymbolId) -> Option<FileId> {
        self.file_of(module).and_then(|f| self.package(f.id).root)
    }

    /// How close `from` stands to `module`.
    pub(crate) fn reach(&self, from: SymbolId, module: SymbolId) -> Reach {
        let mut up = Some(from);
        for _ in 0..64 {
            match up {
                Some(m) if m == module => return Reach::Inside,
                Some(m) => up = self.module_parent(m),
                None => break,
            }
        }
        match (self.root_of(from), self.root_of(module)) {
            (Some(a), Some(b)) if a != b => Reach::Foreign,
            _ => Reach::Package,
        }
    }

    fn module_tree(&self, module: SymbolId) -> bool {
        self.rules_of(module)
            .is_some_and(|r| r.traits().module_tree)
    }

    pub(crate) fn rules_of(&self, id: SymbolId) -> Option<&'static dyn surefoot_facts::Rules> {
        self.file_of(id)
            .and_then(|f| self.db.languages.rules(f.language))
    }

    // ---- tables ----------------------------------------------------------------

    fn entries(&self, module: SymbolId, name: Name) -> Vec<Entry> {
        self.read(Dep::name(module, name));
        self.file_of(module)
            .and_then(|f| f.index.names.get(&(module, name)))
            .map(|e| e.to_vec())
            .unwrap_or_default()
    }

    /// What a module's own table says of a name, from inside or from outside.
    fn in_table(&self, module: SymbolId, name: Name, ns: Ns, from: Option<Reach>) -> Named {
        let mut entries = self.entries(module, name);
        entries.retain(|e| match from {
            None => e.bound,
            Some(reach) => {
                e.exported
                    && match e.visibility {
                        Visibility::Public => true,
                        Visibility::Package | Visibility::Parent => reach >= Reach::Package,
                        Visibility::Private | Visibility::Protected => reach >= Reach::Inside,
                    }
            }
        });
        let mut symbols: Vec<SymbolId> = Vec::new();
        for e in &entries {
            if let What::Symbol(s) = e.what
                && let Some((_, symbol, _)) = self.symbol(s)
                && Db::lives_in(symbol.kind, symbol.flags, ns)
            {
                symbols.push(s);
            }
        }
        if !symbols.is_empty() {
            return self.pick(symbols, ns);
        }
        let mut best = Named::nothing();
        for e in &entries {
            let What::Import(i) = e.what else { continue };
            let found = self.import(i, ns);
            match found.def {
                Def::Symbol(_) | Def::Outside => {
                    if let Some(other) = best.symbol().zip(found.symbol())
                        && other.0 != other.1
                    {
                        // Two imports of one name: each under its own condition.
                        best.tier = best.tier.min(Tier::Likely);
                        best.rule = Rule::CfgTwins;
                        best.refused.push(other.1);
                        continue;
                    }
                    if best.symbol().is_none() {
                        best = found;
                    }
                }
                Def::Gap(_) if best.def == Def::Nothing => best = found,
                _ => {}
            }
        }
        best
    }

    /// The one of several declarations of a name that stands for it.
    fn pick(&self, mut symbols: Vec<SymbolId>, ns: Ns) -> Named {
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
        let conditional = top.iter().any(|s| {
            self.symbol(*s)
                .is_some_and(|(_, s, _)| s.flags.has(Flags::CONDITIONAL))
        });
        if conditional {
            let mut n = done(top[0]);
            n.tier = Tier::Likely;
            n.rule = Rule::CfgTwins;
            n.refused = top[1..].to_vec();
            return n;
        }
        let mut n = Named::gap(Cause::Ambiguous);
        n.refused = top;
        n
    }

    fn globs(&self, module: SymbolId) -> Vec<ImportRef> {
        self.read(Dep::globs(module));
        self.file_of(module)
            .and_then(|f| f.index.globs.get(&module))
            .map(|g| g.to_vec())
            .unwrap_or_default()
    }

    /// What the globs of a module bring under a name. `exports`: only those
    /// that others can see.
    fn in_globs(&self, module: SymbolId, name: Name, ns: Ns, exports: Option<Reach>) -> Named {
        let mut hits: Vec<Named> = Vec::new();
        let mut outside = false;
        for g in self.globs(module) {
            let Some((at, import)) = self.import_facts(g) else {
                continue;
            };
            let seen = match exports {
                None => import.binds,
                Some(reach) => {
                    import.exported
                        && match import.visibility {
                            Visibility::Public => true,
                            Visibility::Package | Visibility::Parent => reach >= Reach::Package,
                            _ => reach >= Reach::Inside,
                        }
                }
            };
            if !seen {
                continue;
            }
            let step = Via {
                file: at.file.id,
                symbol: Some(module),
                slot: Slot::Import(
                    if import.spec.is_empty() {
                        names::star()
                    } else {
                        import.spec
                    }
                    .0,
                ),
            };
            let (target, weakest) = match import.kind {
                ImportKind::Glob => match self.specifier_of(at.file.id, import.spec) {
                    Specifier::File { file, proved, .. } => {
                        let m = self.db.file(file).map(|f| f.module);
                        (m, if proved { Tier::Certain } else { Tier::Likely })
                    }
                    Specifier::Outside => {
                        outside = true;
                        (None, Tier::Certain)
                    }
                    _ => (None, Tier::Certain),
                },
                _ => {
                    let base = self.path(at, import.path, Ns::Type, 0);
                    if base.def == Def::Outside || base.symbol().is_some_and(|s| self.is_prelude(s))
                    {
                        outside = true;
                    }
                    (base.symbol(), base.tier)
                }
            };
            let Some(target) = target.filter(|t| *t != module) else {
                continue;
            };
            let found = self.inside_of(target, name, ns, module);
            match &found.def {
                Def::Symbol(s) => {
                    if !hits.iter().any(|h| h.symbol() == Some(*s)) {
                        hits.push(found.through(Rule::GlobImport, step, weakest));
                    }
                }
                Def::Outside => outside = true,
                _ => {}
            }
        }
        match hits.len() {
            1 => hits.swap_remove(0),
            0 if outside => Named::new(Def::Nothing, Rule::OutsideImport),
            0 => Named::nothing(),
            _ => {
                let mut n = Named::gap(Cause::Ambiguous);
                n.refused = hits.iter().filter_map(Named::symbol).collect();
                n
            }
        }
    }

    /// A name asked of a module or of an enum, as a path or glob does.
    pub(crate) fn inside_of(&self, of: SymbolId, name: Name, ns: Ns, from: SymbolId) -> Named {
        match self.kind(of) {
            Some(SymbolKind::Module | SymbolKind::Namespace) => {
                self.export(of, name, ns, self.reach(from, of))
            }
            Some(SymbolKind::Enum) => {
                for m in self.own_members(of, name) {
                    if self.kind(m) == Some(SymbolKind::Variant) {
                        return Named::new(Def::Symbol(m), Rule::Variant);
                    }
                }
                Named::nothing()
            }
            _ => Named::nothing(),
        }
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
        self.named(Dep::lookup(module, name, ns), || {
            self.lookup_now(module, name, ns)
        })
    }

    /// What a module shows under a name.
    pub(crate) fn export(&self, module: SymbolId, name: Name, ns: Ns, reach: Reach) -> Named {
        let value = self.named(Dep::export(module, name, ns, reach), || {
            let own = self.in_table(module, name, ns, Some(reach));
            if own.def != Def::Nothing {
                return own;
            }
            if name == names::default() {
                return own;
            }
            let globbed = self.in_globs(module, name, ns, Some(reach));
            if globbed.via.len() > MAX_CHAIN {
                return Named::gap(Cause::ExportChainTooDeep);
            }
            globbed
        });
        (*value).clone()
    }

    fn named(&self, dep: Dep, compute: impl FnOnce() -> Named) -> Arc<Named> {
        match self.memo(dep, || Value::Named(Arc::new(compute()))) {
            Value::Named(n) => n,
            _ => Arc::new(Named::gap(Cause::Cycle)),
        }
    }

    fn lookup_now(&self, module: SymbolId, name: Name, ns: Ns) -> Named {
        let own = self.in_table(module, name, ns, None);
        if own.def != Def::Nothing {
            return own;
        }
        let globbed = self.in_globs(module, name, ns, None);
        if globbed.def != Def::Nothing {
            return globbed;
        }
        let outside_glob = globbed.rule == Rule::OutsideImport;
        let Some(rules) = self.rules_of(module) else {
            return own;
        };
        let traits = rules.traits();
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
                && self
                    .symbol(*g)
                    .is_some_and(|(_, s, _)| Db::lives_in(s.kind, s.flags, ns))
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
            Named::new(Def::Nothing, Rule::OutsideImport)
        } else {
            own
        }
    }

    /// A package of the tree, or a declared dependency, by its name in code.
    fn package_named(&self, file: FileId, name: Name) -> Named {
        let package = self.package(file);
        if let Some((_, root)) = package.packages.iter().find(|(n, _)| *n == name)
            && let Some(root) = self.db.file(*root)
        {
            return Named::new(Def::Symbol(root.module), Rule::QualifiedPath);
        }
        if package.outside.contains(&name) {
            return Named::new(Def::Outside, Rule::OutsideImport);
        }
        Named::nothing()
    }

    /// A declaration of the standard library's stub.
    pub(crate) fn prelude(&self, near: SymbolId, name: Name, ns: Ns) -> Named {
        let language = self.file_of(near).map(|f| f.language);
        let modules = language.and_then(|l| self.db.preludes.get(&l));
        for &m in modules.into_iter().flatten() {
            if m == near {
                continue;
            }
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

    // ---- imports ---------------------------------------------------------------

    fn import_facts(&self, i: ImportRef) -> Option<(At<'a>, &'a surefoot_facts::Import)> {
        let at = self.at(i.file, i.item)?;
        Some((at, at.facts.imports.get(i.imp.get()?)?))
    }

    pub(crate) fn specifier_of(&self, file: FileId, spec: Name) -> Specifier {
        let value = self.memo(Dep::specifier(file, spec), || {
            let rules = self
                .db
                .file(file)
                .and_then(|f| self.db.languages.rules(f.language));
            let found = rules.map_or(Specifier::Outside, |r| r.specifier(self, file, spec.text()));
            Value::Specifier(Arc::new(found))
        });
        match value {
            Value::Specifier(s) => (*s).clone(),
            _ => Specifier::Missing,
        }
    }

    /// Where an import leads. Not memoised: whoever asks is.
    pub(crate) fn import(&self, i: ImportRef, ns: Ns) -> Named {
        let Some((at, import)) = self.import_facts(i) else {
            return Named::gap(Cause::Miss);
        };
        let step = Via {
            file: at.file.id,
            symbol: None,
            slot: Slot::Import(import.local.0),
        };
        let module = at.id(import.module);
        match import.kind {
            ImportKind::Named | ImportKind::Namespace => {
                match self.specifier_of(at.file.id, import.spec) {
                    Specifier::File { file, proved, rule } => {
                        let Some(target) = self.db.file(file).map(|f| f.module) else {
                            return Named::gap(Cause::Miss);
                        };
                        let weakest = if proved { Tier::Certain } else { rule.tier() };
                        let found = if import.kind == ImportKind::Namespace {
                            let whole =
                                self.export(target, names::export_assign(), ns, Reach::Package);
                            match whole.def {
                                Def::Symbol(_) => whole,
                                _ => Named::new(Def::Symbol(target), Rule::Import),
                            }
                        } else {
                            self.exported_as(target, import.name, ns)
                        };
                        let rule = if proved { Rule::Import } else { rule };
                        match found.def {
                            Def::Nothing => {
                                let other = if ns == Ns::Type { Ns::Value } else { Ns::Type };
                                let elsewhere = self.exported_as(target, import.name, other);
                                match elsewhere.def {
                                    Def::Nothing => Named {
                                        via: vec![step],
                                        ..Named::gap(Cause::Miss)
                                    },
                                    _ => Named::nothing(),
                                }
                            }
                            _ => found.through(rule, step, weakest),
                        }
                    }
                    Specifier::Outside => Named::new(Def::Outside, Rule::OutsideImport).through(
                        Rule::OutsideImport,
                        step,
                        Tier::Certain,
                    ),
                    Specifier::Missing => Named {
                        via: vec![step],
                        ..Named::gap(Cause::Miss)
                    },
                    Specifier::NotExported => Named {
                        via: vec![step],
                        ..Named::gap(Cause::NotExported)
                    },
                    Specifier::Ambiguous => Named {
                        via: vec![step],
                        ..Named::gap(Cause::Ambiguous)
                    },
                    Specifier::Unreadable => Named {
                        via: vec![step],
                        ..Named::gap(Cause::MetadataUnreadable)
                    },
                }
            }
            ImportKind::Export => {
                let found = self.lookup(module, import.name, ns);
                match found.def {
                    Def::Nothing => Named::nothing(),
                    _ => (*found).clone().through(Rule::Import, step, Tier::Certain),
                }
            }
            ImportKind::Path => {
                let found = self.path(at, import.path, ns, 0);
                match found.def {
                    // Another namespace may hold it; that is no gap.
                    Def::Nothing => found,
                    _ => {
                        let rule = if found.def == Def::Outside
                            || found.symbol().is_some_and(|s| self.is_prelude(s))
                        {
                            Rule::OutsideImport
                        } else {
                            Rule::Import
                        };
                        found.through(rule, step, Tier::Certain)
                    }
                }
            }
            ImportKind::Package => {
                let found = self.package_named(at.file.id, import.name);
                match found.def {
                    Def::Nothing => Named::new(Def::Outside, Rule::OutsideImport),
                    _ => found,
                }
            }
            ImportKind::Glob | ImportKind::PathGlob | ImportKind::Effect => Named::nothing(),
        }
    }

    fn exported_as(&self, module: SymbolId, name: Name, ns: Ns) -> Named {
        let found = self.export(module, name, ns, Reach::Package);
        if found.def == Def::Nothing && (name == names::default() || name == names::export_assign())
        {
            let other = if name == names::default() {
                names::export_assign()
            } else {
                names::default()
            };
            return self.export(module, other, ns, Reach::Package);
        }
        found
    }

    // ---- paths -----------------------------------------------------------------

    /// The scopes around a place, innermost first, that import by glob in a body.
    fn in_local_globs(&self, at: At<'a>, mut scope: ScopeIdx, name: Name, ns: Ns) -> Named {
        while let Some(s) = scope.get().and_then(|i| at.facts.scopes.get(i)) {
            if s.module {
                break;
            }
            for g in &s.globs {
                let Some(import) = g.get().and_then(|i| at.facts.imports.get(i)) else {
                    continue;
                };
                let base = self.path(at, import.path, Ns::Type, 1);
                if let Some(of) = base.symbol() {
                    let module = at.id(at.facts.module_of_scope(scope));
                    let found = self.inside_of(of, name, ns, module);
                    if found.def != Def::Nothing {
                        let step = Via {
                            file: at.file.id,
                            symbol: None,
                            slot: Slot::Import(names::star().0),
                        };
                        return found.through(Rule::GlobImport, step, base.tier);
                    }
                }
            }
            scope = s.parent;
        }
        Named::nothing()
    }

    /// What a path leads to, as far as modules, enums and packages go. Members
    /// of types are the business of [`Ctx::infer`].
    pub(crate) fn path(&self, at: At<'a>, path: ExprIdx, ns: Ns, depth: u32) -> Named {
        if depth > 64 {
            return Named::gap(Cause::Budget);
        }
        match at.facts.expr(path) {
            Expr::Free { name, scope } => {
                let module = at.id(at.facts.module_of_scope(scope));
                let local = self.in_local_globs(at, scope, name, ns);
                if local.def != Def::Nothing {
                    return local;
                }
                (*self.lookup(module, name, ns)).clone()
            }
            Expr::Local(b) => {
                let Some(binding) = b.get().and_then(|i| at.facts.bindings.get(i)) else {
                    return Named::nothing();
                };
                match binding.kind {
                    BindKind::Symbol(s) => Named::new(Def::Symbol(at.id(s)), Rule::LocalScope),
                    BindKind::Import(imp) => self.import(
                        ImportRef {
                            file: at.file.id,
                            item: at.item,
                            imp,
                        },
                        ns,
                    ),
                    BindKind::TypeParam { of, index } => {
                        Named::new(Def::TypeParam(at.id(of), index), Rule::LocalScope)
                    }
                    _ => Named::new(Def::Local, Rule::LocalScope),
                }
            }
            Expr::PackageRoot => match self.package(at.file.id).root {
                Some(root) => match self.db.file(root) {
                    Some(f) => Named::new(Def::Symbol(f.module), Rule::QualifiedPath),
                    None => Named::gap(Cause::Miss),
                },
                // Without a manifest the topmost module stands for the package.
                None => {
                    let mut m = at.file.module;
                    for _ in 0..64 {
                        match self.module_parent(m) {
                            Some(up) => m = up,
                            None => break,
                        }
                    }
                    Named::new(Def::Symbol(m), Rule::QualifiedPath)
                }
            },
            Expr::Package(name) => {
                let found = self.package_named(at.file.id, name);
                if found.def != Def::Nothing {
                    return found;
                }
                self.prelude(at.file.module, name, Ns::Type)
            }
            Expr::ModuleUp { scope, up } => {
                let mut m = at.id(at.facts.module_of_scope(scope));
                for _ in 0..up {
                    match self.module_parent(m) {
                        Some(p) => m = p,
                        None => return Named::gap(Cause::Miss),
                    }
                }
                Named::new(Def::Symbol(m), Rule::QualifiedPath)
            }
            Expr::SelfType(s) => Named::new(Def::SelfOf(at.id(s)), Rule::SelfMember),
            Expr::TypeArgs { base, .. } => self.path(at, base, ns, depth + 1),
            Expr::Scoped { base, name } | Expr::Member { base, name } => {
                let head = self.path(at, base, Ns::Type, depth + 1);
                let tier = head.tier;
                match head.def {
                    Def::Symbol(of) => {
                        let from = at.file.module;
                        let inside = at.facts.scopes.len() > 1;
                        let from = if inside {
                            self.near(at, path).unwrap_or(from)
                        } else {
                            from
                        };
                        let mut found = self.inside_of(of, name, ns, from);
                        let module = matches!(
                            self.kind(of),
                            Some(SymbolKind::Module | SymbolKind::Namespace)
                        );
                        if found.def == Def::Nothing && module && self.is_prelude(of) {
                            // The stub is not the whole library.
                            return Named {
                                via: head.via,
                                ..Named::new(Def::Outside, Rule::OutsideImport)
                            };
                        }
                        if found.def == Def::Nothing {
                            return found;
                        }
                        found.tier = found.tier.min(tier);
                        if found.symbol().is_some() && found.rule == Rule::ModuleScope {
                            found.rule = match head.rule {
                                Rule::OutsideImport | Rule::OutsideBuiltin => head.rule,
                                Rule::Import if !self.module_tree(of) => Rule::NamespaceMember,
                                _ => Rule::QualifiedPath,
                            };
                        }
                        let mut via = head.via;
                        via.append(&mut found.via);
                        via.truncate(MAX_VIA);
                        found.via = via;
                        found
                    }
                    Def::Outside => Named {
                        via: head.via,
                        ..Named::new(Def::Outside, head.rule)
                    },
                    Def::Gap(c) => Named {
                        via: head.via,
                        refused: head.refused,
                        ..Named::gap(c)
                    },
                    _ => Named::nothing(),
                }
            }
            _ => Named::nothing(),
        }
    }

    /// The module around a path's head, for what it may see.
    fn near(&self, at: At<'a>, mut path: ExprIdx) -> Option<SymbolId> {
        for _ in 0..64 {
            match at.facts.expr(path) {
                Expr::Scoped { base, .. }
                | Expr::Member { base, .. }
                | Expr::TypeArgs { base, .. } => path = base,
                Expr::Free { scope, .. } | Expr::ModuleUp { scope, .. } => {
                    return Some(at.id(at.facts.module_of_scope(scope)));
                }
                _ => return None,
            }
        }
        None
    }
}

impl PathReader for Ctx<'_> {
    fn file(&self, path: &str) -> Option<FileId> {
        let name = Name::new(path);
        self.read(Dep::path(name));
        self.db.by_path.get(&name).copied()
    }

    fn exists(&self, path: &str) -> bool {
        let name = Name::new(path);
        self.read(Dep::path(name));
        self.db.by_path.contains_key(&name)
            || self.db.manifests.contains_key(&name)
            || matches!(
                self.db.presence.get(&name),
                Some(crate::state::Presence::Present)
            )
    }

    fn manifest(&self, path: &str) -> Option<Arc<ManifestFacts>> {
        let name = Name::new(path);
        self.read(Dep::manifest(name));
        self.db.manifests.get(&name).cloned()
    }

    fn manifests_named(&self, name: &str) -> Vec<Arc<str>> {
        let name = Name::new(name);
        self.read(Dep::manifests(name));
        self.db
            .manifests_named
            .get(&name)
            .map(|s| s.iter().cloned().collect())
            .unwrap_or_default()
    }

    fn path(&self, file: FileId) -> Arc<str> {
        self.db
            .file(file)
            .map_or_else(|| Arc::from(""), |f| f.path.clone())
    }
}
