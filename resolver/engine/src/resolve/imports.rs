//! Where imports lead.

use super::Value;
use super::members::{Found, Side};
use super::names::{At, Def, Named};
use crate::state::{Ctx, Dep, ImportRef, Ns, Reach};
use std::sync::Arc;
use surefoot_facts::{ImportKind, Name, Specifier, names};
use surefoot_graph::{Cause, FileId, Rule, Slot, SymbolId, Via};

impl<'a> Ctx<'a> {
    // ---- imports ---------------------------------------------------------------

    pub(super) fn import_facts(
        &self,
        i: ImportRef,
    ) -> Option<(At<'a>, &'a surefoot_facts::Import)> {
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
        let module = at.id(import.module);
        let step = Via {
            file: at.file.id,
            symbol: Some(module),
            slot: at.facts.binding_of_import(i.imp).map_or_else(
                || Slot::Import(import.via_name(at.facts).0),
                |b| Slot::Binding {
                    item: i.item,
                    index: b.0,
                },
            ),
        };
        match import.kind {
            ImportKind::Named | ImportKind::Namespace => {
                match self.specifier_of(at.file.id, import.spec) {
                    Specifier::File { file, proved, rule } => {
                        let Some(target) = self.db.file(file).map(|f| f.module) else {
                            return Named::gap(Cause::Miss);
                        };
                        let convention = (!proved).then_some(rule);
                        let itself = target == module && import.kind == ImportKind::Named;
                        let found = if itself && self.one_namespace(target) {
                            // A package that imports a module of its own.
                            self.submodule(target, import.name)
                        } else if import.kind == ImportKind::Namespace {
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
                            // The stub is not the whole library.
                            Def::Nothing if self.is_prelude(target) => Named::new(
                                Def::Outside,
                                Rule::OutsideImport,
                            )
                            .through(Rule::OutsideImport, step, None),
                            Def::Nothing => {
                                let other = if ns == Ns::Type { Ns::Value } else { Ns::Type };
                                let elsewhere = self.exported_as(target, import.name, other);
                                match elsewhere.def {
                                    // Only a package's star can bring it.
                                    Def::Nothing if found.rule == Rule::OutsideImport => {
                                        Named::new(Def::Outside, Rule::OutsideImport).through(
                                            Rule::OutsideImport,
                                            step,
                                            convention,
                                        )
                                    }
                                    Def::Nothing => Named {
                                        via: vec![step],
                                        ..Named::gap(Cause::Miss)
                                    },
                                    _ => Named::nothing(),
                                }
                            }
                            _ => found.through(rule, step, convention),
                        }
                    }
                    Specifier::Folder(path) => {
                        let folder = Name::new(&path);
                        let found = match import.kind {
                            ImportKind::Namespace => Named::new(Def::Folder(folder), Rule::Import),
                            _ => self.in_folder(module, folder, import.name),
                        };
                        match found.def {
                            Def::Nothing => Named {
                                via: vec![step],
                                ..Named::gap(Cause::Miss)
                            },
                            _ => found.through(Rule::Import, step, None),
                        }
                    }
                    Specifier::Outside => {
                        self.in_stub(module, import, ns)
                            .through(Rule::OutsideImport, step, None)
                    }
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
                    _ => (*found).clone().through(Rule::Import, step, None),
                }
            }
            ImportKind::Path => {
                let found = self.import_path(at, i.imp, ns);
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
                        found.through(rule, step, None)
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
            ImportKind::Glob | ImportKind::PathGlob | ImportKind::Macros | ImportKind::Effect => {
                Named::nothing()
            }
        }
    }

    /// What an import of a package brings: what a stub of the package declares,
    /// where there is one, and something outside in any case.
    fn in_stub(&self, near: SymbolId, import: &surefoot_facts::Import, ns: Ns) -> Named {
        let outside = Named::new(Def::Outside, Rule::OutsideImport);
        let Some(stub) = self.stub_of(near, import.spec) else {
            return outside;
        };
        let whole = import.kind == ImportKind::Namespace || import.name == names::default();
        if whole {
            return Named::new(Def::Symbol(stub), Rule::OutsideImport);
        }
        let found = self.inside_of(stub, import.name, ns, stub);
        match found.def {
            Def::Symbol(_) => found,
            // The stub is not the whole package.
            _ => outside,
        }
    }

    pub(super) fn exported_as(&self, module: SymbolId, name: Name, ns: Ns) -> Named {
        let found = self.export(module, name, ns, Reach::Package);
        if found.def != Def::Nothing {
            return found;
        }
        if name == names::export_assign() {
            // Nothing stands for the module as a whole but the module.
            return match self.exports_whole(module) {
                true => found,
                false => Named::new(Def::Symbol(module), Rule::Import),
            };
        }
        if name == names::default() {
            return self.export(module, names::export_assign(), ns, Reach::Package);
        }
        let whole = self.whole(module);
        if whole == module {
            return found;
        }
        match self.member(&self.value_of(whole), name, Side::Instance) {
            Found::One(m) => Named {
                convention: m.convention,
                via: m.via,
                ..Named::new(Def::Symbol(m.symbol), Rule::ObjectMember)
            },
            Found::Outside => Named::new(Def::Outside, Rule::OutsideImport),
            Found::Missing => found,
            // Whatever it is, it is not known to be missing.
            _ => Named::new(Def::Local, Rule::Import),
        }
    }

    fn exports_whole(&self, module: SymbolId) -> bool {
        let whole = names::export_assign();
        [Ns::Value, Ns::Type]
            .iter()
            .any(|ns| self.export(module, whole, *ns, Reach::Package).def != Def::Nothing)
    }

    /// What a module is as a whole: what it assigns to its exports, else itself.
    pub(super) fn whole(&self, module: SymbolId) -> SymbolId {
        let whole = names::export_assign();
        self.export(module, whole, Ns::Value, Reach::Package)
            .symbol()
            .unwrap_or(module)
    }
}
