//! Imports: `use` trees and `extern crate`.

use super::attrs::Attrs;
use super::walk::{Kid, Node, Walk};
use super::words::{F, K};
use surefoot_facts::{
    Access, Expr, ExprIdx, Import, ImportKind, Name, ScopeIdx, Span, SymIdx, Visibility,
};
use surefoot_graph::SiteKind;

/// What holds for every name of one `use` declaration.
#[derive(Clone, Copy)]
struct Clause {
    visibility: Visibility,
    condition: Option<Name>,
    head: Name,
    /// `use ::{..}`: names are packages.
    packages: bool,
}

impl<'t> Walk<'t, '_> {
    pub(super) fn use_declaration(&mut self, node: Node<'t>, attrs: &Attrs<'t>) {
        let kids = self.syn.kids(node);
        let Some(argument) = kids.iter().find(|k| is_clause(k.kind)).copied() else {
            return;
        };
        let clause = Clause {
            visibility: self.visibility(&kids),
            condition: self.stands_under(attrs),
            head: Name::EMPTY,
            packages: false,
        };
        self.use_tree(argument, None, clause);
    }

    /// One tree below `prefix`, which is an expression and its last name.
    fn use_tree(&mut self, kid: Kid<'t>, prefix: Option<(ExprIdx, Name, Span)>, clause: Clause) {
        self.level((), |w| {
            let kids = w.syn.kids(kid.node);
            match kid.kind {
                K::UseList => {
                    for kid in kids.iter().filter(|k| is_clause(k.kind)) {
                        w.use_tree(*kid, prefix, clause);
                    }
                }
                K::ScopedUseList => {
                    let path = kids.field(F::Path);
                    let clause = Clause {
                        packages: clause.packages || (path.is_none() && prefix.is_none()),
                        ..clause
                    };
                    let prefix = match path {
                        Some(path) => Some(w.use_path(path, prefix, clause)),
                        None => prefix,
                    };
                    if let Some(list) = kids.field(F::List) {
                        w.use_tree(list, prefix, clause);
                    }
                }
                K::UseAs => {
                    let (Some(path), Some(alias)) = (kids.field(F::Path), kids.field(F::Alias))
                    else {
                        return;
                    };
                    let alias = w.name(alias.node).0;
                    let clause = Clause {
                        head: alias,
                        ..clause
                    };
                    let (at, name, span) = match path.kind {
                        K::SelfWord if prefix.is_some() => w.prefix_itself(prefix, path),
                        _ => w.use_path(path, prefix, clause),
                    };
                    w.import_path(at, name, alias, span, w.span(kid.node), clause);
                }
                K::UseWildcard => {
                    let path = kids.named().next();
                    let (at, name, span) = match path {
                        Some(path) => w.use_path(path, prefix, clause),
                        None => w.prefix_itself(prefix, kid),
                    };
                    // What it takes everything of is named like what any other import names.
                    if !name.is_empty() {
                        w.site(SiteKind::Import, name, at, span);
                    }
                    let import =
                        w.import(ImportKind::PathGlob, Name::EMPTY, Name::EMPTY, at, clause);
                    w.s.b.import(import, w.span(kid.node));
                }
                K::SelfWord if prefix.is_some() => {
                    let (at, name, span) = w.prefix_itself(prefix, kid);
                    w.import_path(at, name, name, span, w.span(kid.node), clause);
                }
                _ => {
                    let local = w.last_segment(kid);
                    let clause = Clause {
                        head: local,
                        ..clause
                    };
                    let (at, name, span) = w.use_path(kid, prefix, clause);
                    w.import_path(at, name, name, span, w.span(kid.node), clause);
                }
            }
        });
    }

    /// `self` in a group: the prefix, at the place of the prefix's name.
    fn prefix_itself(
        &mut self,
        prefix: Option<(ExprIdx, Name, Span)>,
        kid: Kid<'t>,
    ) -> (ExprIdx, Name, Span) {
        prefix.unwrap_or((ExprIdx::UNKNOWN, Name::EMPTY, self.span(kid.node)))
    }

    fn import_path(
        &mut self,
        path: ExprIdx,
        name: Name,
        local: Name,
        token: Span,
        span: Span,
        clause: Clause,
    ) {
        if !name.is_empty() {
            self.site(SiteKind::Import, name, path, token);
        }
        // `as _` brings a trait's methods and no name.
        let local = match local.text() {
            "_" => Name::EMPTY,
            _ => local,
        };
        let mut import = self.import(ImportKind::Path, local, name, path, clause);
        import.binds = !local.is_empty();
        self.s.b.import(import, span);
    }

    fn import(
        &self,
        kind: ImportKind,
        local: Name,
        name: Name,
        path: ExprIdx,
        clause: Clause,
    ) -> Import {
        Import {
            kind,
            local,
            name,
            spec: Name::EMPTY,
            path,
            scope: ScopeIdx(0),
            module: SymIdx::NONE,
            binds: true,
            exported: clause.visibility != Visibility::Private,
            visibility: clause.visibility,
            type_only: false,
            conditional: clause.condition.is_some(),
            condition: clause.condition.unwrap_or_default(),
        }
    }

    /// `#[macro_use] mod name`: its macros are those of the module around.
    pub(super) fn macros_of(&mut self, (name, span): (Name, Span), attrs: &Attrs<'t>) {
        let scope = self.s.b.scope();
        let base = self.s.b.expr(Expr::ModuleUp { scope, up: 0 });
        let path = self.s.b.expr(Expr::Scoped { base, name });
        let clause = Clause {
            visibility: Visibility::Package,
            condition: self.stands_under(attrs),
            head: Name::EMPTY,
            packages: false,
        };
        let import = self.import(ImportKind::Macros, Name::EMPTY, Name::EMPTY, path, clause);
        self.s.b.import(import, span);
    }

    fn last_segment(&mut self, kid: Kid<'t>) -> Name {
        match kid.kind {
            K::ScopedIdentifier => {
                let name = self.syn.kids(kid.node).field(F::Name);
                name.map_or(Name::EMPTY, |k| self.name(k.node).0)
            }
            _ => self.name(kid.node).0,
        }
    }

    /// A path of a `use`, below a prefix: its expression, last name and place.
    fn use_path(
        &mut self,
        kid: Kid<'t>,
        prefix: Option<(ExprIdx, Name, Span)>,
        clause: Clause,
    ) -> (ExprIdx, Name, Span) {
        let unknown = (ExprIdx::UNKNOWN, Name::EMPTY, self.span(kid.node));
        self.level(unknown, |w| {
            let (name, span) = w.name(kid.node);
            let scope = w.s.b.scope();
            let at = match (kid.kind, prefix) {
                (K::ScopedIdentifier, _) => {
                    let kids = w.syn.kids(kid.node);
                    let Some(last) = kids.field(F::Name) else {
                        return unknown;
                    };
                    let (name, span) = w.name(last.node);
                    let base = kids.field(F::Path);
                    let Some(base) = base else {
                        let at = w.s.b.expr(Expr::Package(name));
                        return (at, name, span);
                    };
                    let base = w.use_path(base, prefix, clause).0;
                    let at = match (last.kind, w.s.b.get_expr(base)) {
                        (K::Super, Expr::ModuleUp { scope, up }) => {
                            w.s.b.expr(Expr::ModuleUp { scope, up: up + 1 })
                        }
                        _ => w.s.b.expr(Expr::Scoped { base, name }),
                    };
                    return (at, name, span);
                }
                (K::Crate, _) => w.s.b.expr(Expr::PackageRoot),
                (K::SelfWord, None) => w.s.b.expr(Expr::ModuleUp { scope, up: 0 }),
                (K::Super, None) => w.s.b.expr(Expr::ModuleUp { scope, up: 1 }),
                (K::Super, Some((base, ..))) => match w.s.b.get_expr(base) {
                    Expr::ModuleUp { scope, up } => {
                        w.s.b.expr(Expr::ModuleUp { scope, up: up + 1 })
                    }
                    _ => ExprIdx::UNKNOWN,
                },
                (K::Metavariable, _) => return unknown,
                (_, Some((base, ..))) => w.s.b.expr(Expr::Scoped { base, name }),
                (_, None) if clause.packages => w.s.b.expr(Expr::Package(name)),
                // The name this import binds is not what its own path starts from.
                (_, None) if name == clause.head => w.s.b.expr(Expr::Free { name, scope }),
                (_, None) => w.s.b.name(name, span, Access::Type),
            };
            (at, name, span)
        })
    }

    pub(super) fn extern_crate(&mut self, node: Node<'t>, attrs: &Attrs<'t>) {
        let kids = self.syn.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return;
        };
        let (name, token) = self.name(name.node);
        let alias = kids.field(F::Alias).map(|k| self.name(k.node).0);
        let path = match name.text() {
            "self" => self.s.b.expr(Expr::PackageRoot),
            _ => self.s.b.expr(Expr::Package(name)),
        };
        let clause = Clause {
            visibility: self.visibility(&kids),
            condition: self.stands_under(attrs),
            head: name,
            packages: false,
        };
        self.site(SiteKind::Import, name, path, token);
        let local = match alias.map(Name::text) {
            Some("_") => Name::EMPTY,
            _ => alias.unwrap_or(name),
        };
        let mut import = self.import(ImportKind::Package, local, name, path, clause);
        import.binds = !local.is_empty();
        let span = self.span(node);
        self.s.b.import(import, span);
    }
}

fn is_clause(kind: K) -> bool {
    matches!(
        kind,
        K::Crate
            | K::Identifier
            | K::Metavariable
            | K::ScopedIdentifier
            | K::ScopedUseList
            | K::SelfWord
            | K::Super
            | K::UseAs
            | K::UseList
            | K::UseWildcard
    )
}
