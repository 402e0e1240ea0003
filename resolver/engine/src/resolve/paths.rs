//! What a written path leads to, as far as modules, enums and packages go; and
//! how rules look at the tree.

use super::names::{At, Def, MAX_VIA, Named};
use crate::state::{Ctx, Dep, ImportRef, Ns, Presence, Reach};
use std::sync::Arc;
use surefoot_facts::{
    BindKind, Expr, ExprIdx, ImpIdx, ImportKind, ManifestFacts, Name, PathReader, ScopeIdx,
    Specifier,
};
use surefoot_graph::{Cause, FileId, Rule, Slot, SymbolId, SymbolKind, Via};

impl<'a> Ctx<'a> {
    /// The scopes around a place, innermost first, that import by glob in a body.
    pub(super) fn in_local_globs(
        &self,
        at: At<'a>,
        mut scope: ScopeIdx,
        name: Name,
        ns: Ns,
    ) -> Named {
        while let Some(s) = scope.get().and_then(|i| at.facts.scopes.get(i)) {
            if s.module {
                break;
            }
            for &g in &s.globs {
                let Some(import) = g.get().and_then(|i| at.facts.imports.get(i)) else {
                    continue;
                };
                let base = self.import_path(at, g, Ns::Type);
                if let Some(of) = base.symbol() {
                    let module = at.id(at.facts.module_of_scope(scope));
                    let found = self.inside_of(of, name, ns, module);
                    if found.def != Def::Nothing {
                        let step = Via {
                            file: at.file.id,
                            symbol: None,
                            slot: Slot::Import(import.via_name(at.facts).0),
                        };
                        return found.through(Rule::GlobImport, step, base.convention);
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
        self.path_of(at, path, ns, depth, ImpIdx::NONE)
    }

    /// What the path of an import leads to. The import itself and, in a body,
    /// the names its scope brings do not help it: `use store::store` leads to
    /// the module around.
    pub(super) fn import_path(&self, at: At<'a>, imp: ImpIdx, ns: Ns) -> Named {
        let import = imp.get().and_then(|i| at.facts.imports.get(i));
        import.map_or_else(Named::nothing, |i| self.path_of(at, i.path, ns, 0, imp))
    }

    /// Whether an import is a glob by path that stands in a module.
    fn is_module_glob(&self, at: At<'a>, of: ImpIdx) -> bool {
        let import = of.get().and_then(|i| at.facts.imports.get(i));
        import.is_some_and(|i| {
            let scope = i.scope.get().and_then(|s| at.facts.scopes.get(s));
            i.kind == ImportKind::PathGlob && scope.is_some_and(|s| s.module)
        })
    }

    fn free(&self, at: At<'a>, scope: ScopeIdx, name: Name, ns: Ns) -> Named {
        let module = at.id(at.facts.module_of_scope(scope));
        let local = self.in_local_globs(at, scope, name, ns);
        if local.def != Def::Nothing {
            return local;
        }
        (*self.lookup(module, name, ns)).clone()
    }

    /// [`Ctx::path`], asked by the import `of` when there is one.
    fn path_of(&self, at: At<'a>, path: ExprIdx, ns: Ns, depth: u32, of: ImpIdx) -> Named {
        if depth > 64 {
            return Named::gap(Cause::Budget);
        }
        // Where the names of an import's own path are looked for.
        let outside = || {
            let scope = at.facts.imports.get(of.get()?)?.scope;
            let scope = at.facts.scopes.get(scope.get()?)?;
            (!scope.module).then_some(scope.parent)
        };
        match at.facts.expr(path) {
            Expr::Free { name, scope }
                if self.is_module_glob(at, of)
                    || self.binds_own_head(at.id(at.facts.module_of_scope(scope)), name, of) =>
            {
                self.head(at.id(at.facts.module_of_scope(scope)), name)
            }
            Expr::Free { name, scope } => self.free(at, outside().unwrap_or(scope), name, ns),
            Expr::Earlier { name, count } => {
                let found = self.earlier(at.file.module, name, count);
                match found.def {
                    Def::Nothing => (*self.lookup(at.file.module, name, ns)).clone(),
                    _ => found,
                }
            }
            Expr::Local(b) => {
                let Some(binding) = b.get().and_then(|i| at.facts.bindings.get(i)) else {
                    return Named::nothing();
                };
                match binding.kind {
                    BindKind::Import(imp) if !of.is_none() => {
                        let before = imp.0 < of.0;
                        match outside() {
                            Some(scope) if !before => self.free(at, scope, binding.name, ns),
                            _ => self.import(
                                ImportRef {
                                    file: at.file.id,
                                    item: at.item,
                                    imp,
                                },
                                ns,
                            ),
                        }
                    }
                    BindKind::Symbol(s) => {
                        let symbol = self.bound(at, b, s);
                        Named::new(Def::Symbol(symbol), Rule::LocalScope)
                    }
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
            Expr::PackageRoot => {
                let root = self.root_of(at.file.module);
                Named::new(Def::Symbol(root), Rule::QualifiedPath)
            }
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
            // `import("m").T`: a promise of the module has no types.
            Expr::Import { spec, .. } if ns == Ns::Type => self.module_named(at, spec),
            Expr::TypeArgs { base, .. } => self.path_of(at, base, ns, depth + 1, of),
            Expr::Scoped { base, name } | Expr::Member { base, name } => {
                let head = self.path_of(at, base, Ns::Type, depth + 1, of);
                let convention = head.convention;
                match head.def {
                    Def::Symbol(holder) => {
                        let from = at.file.module;
                        let inside = at.facts.scopes.len() > 1;
                        let from = if inside {
                            self.near(at, path).unwrap_or(from)
                        } else {
                            from
                        };
                        let mut found = self.inside_of(holder, name, ns, from);
                        let module = matches!(
                            self.kind(holder),
                            Some(SymbolKind::Module | SymbolKind::Namespace)
                        );
                        if found.def == Def::Nothing && module && self.is_prelude(holder) {
                            // The stub is not the whole library.
                            return Named {
                                via: head.via,
                                ..Named::new(Def::Outside, Rule::OutsideImport)
                            };
                        }
                        if found.def == Def::Nothing {
                            return match module && self.module_tree(holder) {
                                true => self.missing_in(holder, name, found, head),
                                false => found,
                            };
                        }
                        found.rest_on(convention);
                        let named = matches!(found.rule, Rule::ModuleScope)
                            || found.rule == Rule::Import && self.one_namespace(holder);
                        if found.symbol().is_some() && named {
                            found.rule = match head.rule {
                                Rule::OutsideImport | Rule::OutsideBuiltin => head.rule,
                                Rule::Import if !self.module_tree(holder) => Rule::NamespaceMember,
                                _ => Rule::QualifiedPath,
                            };
                        }
                        let mut via = head.via;
                        via.append(&mut found.via);
                        via.truncate(MAX_VIA);
                        found.via = via;
                        found
                    }
                    Def::Folder(folder) => {
                        let mut found = self.in_folder(at.file.module, folder, name);
                        found.via = head.via;
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

    /// The module that a specifier leads to.
    fn module_named(&self, at: At<'a>, spec: Name) -> Named {
        match self.specifier_of(at.file.id, spec) {
            Specifier::File { file, proved, rule } => match self.db.file(file) {
                Some(file) => Named {
                    convention: (!proved).then_some(rule),
                    ..Named::new(Def::Symbol(file.module), Rule::Import)
                },
                None => Named::gap(Cause::Miss),
            },
            Specifier::Outside => Named::new(Def::Outside, Rule::OutsideImport),
            Specifier::Missing | Specifier::Folder(_) => Named::gap(Cause::Miss),
            Specifier::NotExported => Named::gap(Cause::NotExported),
            Specifier::Ambiguous => Named::gap(Cause::Ambiguous),
            Specifier::Unreadable => Named::gap(Cause::MetadataUnreadable),
        }
    }

    /// A module of the tree shows nothing under a name in the asked namespace:
    /// why, when nothing in another is what was meant.
    fn missing_in(&self, module: SymbolId, name: Name, found: Named, head: Named) -> Named {
        // A glob that leads outside may bring it.
        if found.rule == Rule::OutsideImport {
            return found;
        }
        let all = [Ns::Value, Ns::Type, Ns::Macro];
        let shown = |ns: &Ns| self.export(module, name, *ns, Reach::Package).def != Def::Nothing;
        if all.iter().any(shown) {
            return found;
        }
        let hidden: Vec<SymbolId> = all
            .iter()
            .filter_map(|ns| self.export(module, name, *ns, Reach::Inside).symbol())
            .take(1)
            .collect();
        let cause = match hidden.is_empty() {
            true => Cause::Miss,
            false => Cause::NotExported,
        };
        Named {
            via: head.via,
            refused: hidden,
            ..Named::gap(cause)
        }
    }

    /// The module around a path's head, for what it may see.
    pub(super) fn near(&self, at: At<'a>, mut path: ExprIdx) -> Option<SymbolId> {
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
        // A stub comes with its language and never changes.
        if path.starts_with('<') {
            return self.db.stubs.get(&name).copied();
        }
        self.read(Dep::path(name));
        self.db.by_path.get(&name).copied()
    }

    fn exists(&self, path: &str) -> bool {
        let name = Name::new(path);
        self.read(Dep::path(name));
        if self.db.by_path.contains_key(&name) || self.db.manifests.contains_key(&name) {
            return true;
        }
        let presence = self.db.presence.get(&name);
        if presence.is_none() {
            self.need(Dep::path(name));
        }
        presence == Some(&Presence::Present)
    }

    fn manifest(&self, path: &str) -> Option<Arc<ManifestFacts>> {
        let name = Name::new(path);
        self.read(Dep::manifest(name));
        let found = self.db.manifests.get(&name).cloned();
        if found.is_none() && !self.db.presence.contains_key(&name) {
            self.need(Dep::manifest(name));
        }
        found
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
