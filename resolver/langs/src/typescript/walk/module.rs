//! Imports, exports and namespaces: the table of a module.

use super::function::How;
use super::*;
use surefoot_facts::{Import, ImportKind, Visibility, names};

pub(super) fn entry(kind: ImportKind, local: Name, name: Name, spec: Name) -> Import {
    Import {
        kind,
        local,
        name,
        spec,
        path: ExprIdx::UNKNOWN,
        scope: ScopeIdx::NONE,
        module: SymIdx::NONE,
        binds: true,
        exported: false,
        visibility: Visibility::Public,
        type_only: false,
        conditional: false,
        condition: Name::EMPTY,
    }
}

impl<'t> Walker<'t> {
    // ---- imports -------------------------------------------------------------------

    pub(super) fn import(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let type_only = kids
            .iter()
            .any(|k| k.kind == K::TypeWord || (k.kind == K::TypeofWord));
        if let Some(clause) = kids.kind(K::ImportRequireClause) {
            return self.import_require(clause.node, type_only, false);
        }
        let Some((spec, _)) = kids.field(F::Source).and_then(|k| self.string(k.node)) else {
            return self.inside(node);
        };
        let spec = self.name_of(spec);
        let Some(clause) = kids.kind(K::ImportClause) else {
            let mut effect = entry(ImportKind::Effect, Name::EMPTY, Name::EMPTY, spec);
            effect.binds = false;
            self.b.import(effect, span_of(node));
            return;
        };
        let parts = self.s.kids(clause.node);
        for part in parts.named() {
            match part.kind {
                K::Identifier => {
                    let local = self.name_at(part.node);
                    let named = entry(ImportKind::Named, local, names::default(), spec);
                    self.add_import(
                        Import { type_only, ..named },
                        span_of(part.node),
                        span_of(part.node),
                    );
                }
                K::NamespaceImport => {
                    let inner = self.s.kids(part.node).named().next();
                    if let Some(inner) = inner {
                        let local = self.name_at(inner.node);
                        let all = entry(ImportKind::Namespace, local, names::star(), spec);
                        self.add_import(
                            Import { type_only, ..all },
                            span_of(part.node),
                            span_of(inner.node),
                        );
                    }
                }
                K::NamedImports => {
                    let specifiers = self.s.kids(part.node);
                    for specifier in specifiers.named() {
                        self.import_specifier(specifier, spec, type_only);
                    }
                }
                _ => self.any(part),
            }
        }
    }

    fn import_specifier(&mut self, kid: Kid<'t>, spec: Name, type_only: bool) {
        if kid.kind != K::ImportSpecifier {
            return self.any(kid);
        }
        let kids = self.s.kids(kid.node);
        let Some(name) = kids.field(F::Name) else {
            return;
        };
        let (word, token) = self.property_name(name);
        let local = kids.field(F::Alias).map_or(word, |k| self.name_at(k.node));
        let mut named = entry(ImportKind::Named, local, word, spec);
        named.type_only = type_only
            || kids
                .iter()
                .any(|k| k.kind == K::TypeWord || k.kind == K::TypeofWord);
        self.add_import(named, span_of(kid.node), token);
    }

    /// Records an import and the site of the name it asks for.
    pub(super) fn add_import(&mut self, import: Import, span: Span, token: Span) {
        let base = self.b.expr(Expr::Import {
            spec: import.spec,
            promised: false,
        });
        let (name, callee) = match import.kind {
            ImportKind::Namespace | ImportKind::Glob => (import.local, base),
            _ => {
                let name = import.name;
                (name, self.b.expr(Expr::Member { base, name }))
            }
        };
        // A default import is written by its local name.
        let written = self.s.text.get(token.start as usize..token.end as usize);
        let written = written.map_or(name, |t| self.name_of(t));
        self.b.import(import, span);
        self.site(SiteKind::Import, written, callee, token);
    }

    /// `import x = require("m")`: the module as it exports itself.
    fn import_require(&mut self, node: Node<'t>, type_only: bool, exported: bool) {
        let kids = self.s.kids(node);
        let (Some(local), Some(source)) = (kids.kind(K::Identifier), kids.field(F::Source)) else {
            return;
        };
        let Some((spec, _)) = self.string(source.node) else {
            return;
        };
        let (word, spec) = (self.name_at(local.node), self.name_of(spec));
        let mut named = entry(ImportKind::Named, word, names::export_assign(), spec);
        (named.type_only, named.exported) = (type_only, exported);
        self.add_import(named, span_of(node), span_of(local.node));
    }

    /// `import x = A.B`
    pub(super) fn import_alias(&mut self, node: Node<'t>, exported: bool) {
        let kids = self.s.kids(node);
        let mut named = kids.named();
        let (Some(local), Some(path)) = (named.next(), named.next()) else {
            return;
        };
        let local = self.name_at(local.node);
        let mut alias = entry(ImportKind::Path, local, Name::EMPTY, Name::EMPTY);
        alias.path = self.namespace_path(path);
        alias.exported = exported;
        let last = match path.kind {
            K::NestedIdentifier => self.s.kids(path.node).field(F::Property),
            _ => Some(path),
        };
        if let Some(last) = last {
            let (name, span) = (self.name_at(last.node), span_of(last.node));
            alias.name = name;
            self.site(SiteKind::Import, name, alias.path, span);
        }
        self.b.import(alias, span_of(node));
    }

    // ---- exports -------------------------------------------------------------------

    pub(super) fn export(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let decorators: SmallVec<[Kid<'t>; 2]> = kids
            .iter()
            .filter(|k| k.kind == K::Decorator)
            .copied()
            .collect();
        for decorator in &decorators {
            self.decorator(decorator.node);
        }
        let lead = Lead {
            documented: std::mem::take(&mut self.doc),
            jsdoc: self.jsdoc.take(),
            exported: true,
            default: kids.kind(K::DefaultWord).map(|k| span_of(k.node)),
            decorated: !decorators.is_empty(),
            ..Lead::plain(span_of(node))
        };
        if let Some(declaration) = kids.field(F::Declaration) {
            return self.declaration(declaration, lead);
        }
        let source = kids.field(F::Source);
        let spec = source
            .and_then(|k| self.string(k.node))
            .map(|s| self.name_of(s.0));
        let type_only = kids.has(K::TypeWord);
        if let Some(clause) = kids.kind(K::ExportClause) {
            let specifiers = self.s.kids(clause.node);
            for specifier in specifiers.named() {
                self.export_specifier(specifier, spec, type_only);
            }
            return;
        }
        if let Some(spec) = spec {
            return self.export_all(&kids, node, spec, type_only);
        }
        if let Some(value) = kids.field(F::Value) {
            return self.export_value(value, lead, names::default());
        }
        let mut values = kids.named().filter(|k| k.kind != K::Decorator);
        match values.next() {
            // `export as namespace X` gives a global to scripts: no module sees it.
            Some(_) if kids.iter().any(|k| self.s.text(k.node) == "namespace") => {}
            Some(value) if kids.has(K::Assign) => {
                self.export_value(value, lead, names::export_assign());
            }
            Some(value) => self.any(value),
            None => {}
        }
    }

    fn export_specifier(&mut self, kid: Kid<'t>, spec: Option<Name>, type_only: bool) {
        if kid.kind != K::ExportSpecifier {
            return self.any(kid);
        }
        let kids = self.s.kids(kid.node);
        let Some(name) = kids.field(F::Name) else {
            return;
        };
        let (word, token) = self.property_name(name);
        let local = match kids.field(F::Alias) {
            Some(alias) => self.property_name(alias).0,
            None => word,
        };
        let (kind, from) = match spec {
            Some(spec) => (ImportKind::Named, spec),
            None => (ImportKind::Export, Name::EMPTY),
        };
        let mut named = entry(kind, local, word, from);
        named.binds = false;
        named.exported = true;
        named.type_only = type_only
            || kids
                .iter()
                .any(|k| k.kind == K::TypeWord || k.kind == K::TypeofWord);
        if spec.is_some() {
            return self.add_import(named, span_of(kid.node), token);
        }
        let callee = self.b.name(word, token, Access::Read);
        self.b.import(named, span_of(kid.node));
        self.site(SiteKind::Import, word, callee, token);
    }

    /// `export * from "m"`, `export * as ns from "m"`
    fn export_all(&mut self, kids: &Kids<'t>, node: Node<'t>, spec: Name, type_only: bool) {
        let named = kids.kind(K::NamespaceExport);
        let inner = named.and_then(|k| self.s.kids(k.node).named().next());
        let (kind, local) = match inner {
            Some(inner) => {
                let (name, _) = self.property_name(inner);
                (ImportKind::Namespace, name)
            }
            None => (ImportKind::Glob, Name::EMPTY),
        };
        let mut all = entry(kind, local, names::star(), spec);
        (all.binds, all.exported, all.type_only) = (false, true, type_only);
        match inner {
            Some(inner) => self.add_import(all, span_of(node), span_of(inner.node)),
            None => {
                self.b.import(all, span_of(node));
            }
        }
    }

    /// `export default <expression>` and `export = <expression>`.
    fn export_value(&mut self, value: Kid<'t>, lead: Lead, name: Name) {
        let default = lead.default.is_some();
        let token = lead.default.unwrap_or(Span::new(
            lead.full.start as usize,
            lead.full.start as usize + 6,
        ));
        if value.kind == K::Identifier {
            let word = self.name_at(value.node);
            let callee = self.read(value.node);
            let mut alias = entry(ImportKind::Export, name, word, Name::EMPTY);
            (alias.binds, alias.exported) = (false, true);
            self.b.import(alias, lead.full);
            self.site(SiteKind::Import, word, callee, span_of(value.node));
            return;
        }
        if let Some((function, cast)) = self.function_under(value) {
            let kids = self.s.kids(function.node);
            let own = kids
                .field(F::Name)
                .map(|k| (self.name_at(k.node), span_of(k.node)));
            let sym = self.declare_in(None, name, SymbolKind::Function, token, &lead);
            let ty = cast.map(|k| self.ty(k)).unwrap_or_default();
            if let Some(s) = self.b.symbol_mut(sym) {
                s.ty = ty;
            }
            let how = How {
                contextual: ty.is_known(),
                own,
                jsdoc: lead.jsdoc,
                ..How::expression(function)
            };
            self.callable(sym, function.node, &kids, how);
            return;
        }
        let kind = if value.kind == K::Class {
            SymbolKind::Class
        } else {
            SymbolKind::Variable
        };
        let sym = self.declare_in(None, name, kind, token, &lead);
        if !default {
            self.flag(sym, Flags::EXPORTED);
        }
        if kind == SymbolKind::Class {
            return self.class(sym, value.node, true);
        }
        self.b.enter_parent(sym);
        let value = self.value(value);
        self.b.leave_parent();
        if let Some(s) = self.b.symbol_mut(sym) {
            s.value = value;
        }
    }

    // ---- namespaces ----------------------------------------------------------------

    /// `namespace A.B { .. }`, `declare module "m" { .. }`.
    pub(super) fn namespace(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let body = kids.field(F::Body);
        if name.kind == K::StringNode {
            // The quotes keep it apart from every name an identifier can have.
            let spec = self.string(name.node).map_or("", |s| s.0);
            let word = Name::new(&format!("\"{spec}\""));
            return self.module_body(word, span_of(name.node), body, lead);
        }
        let mut path: SmallVec<[Kid<'t>; 2]> = SmallVec::new();
        let mut at = name;
        while at.kind == K::NestedIdentifier || at.kind == K::MemberExpression {
            let kids = self.s.kids(at.node);
            path.extend(kids.field(F::Property));
            match kids.field(F::ObjectField) {
                Some(object) => at = object,
                None => break,
            }
        }
        path.push(at);
        self.namespace_part(&path, body, lead);
    }

    /// The outermost name stands last.
    fn namespace_part(&mut self, path: &[Kid<'t>], body: Option<Kid<'t>>, lead: Lead) {
        let Some((name, rest)) = path.split_last() else {
            return;
        };
        let (word, span) = (self.name_at(name.node), span_of(name.node));
        if rest.is_empty() {
            return self.module_body(word, span, body, lead);
        }
        self.in_module(word, span, lead, |w| {
            let inner = Lead {
                exported: true,
                ..Lead::plain(lead.full)
            };
            w.down(|w| w.namespace_part(rest, body, inner));
        });
    }

    pub(super) fn module_body(
        &mut self,
        name: Name,
        span: Span,
        body: Option<Kid<'t>>,
        lead: Lead,
    ) {
        self.in_module(name, span, lead, |w| {
            if let Some(body) = body {
                let kids = w.s.kids(body.node);
                w.statements(&kids);
            }
        });
    }

    fn in_module(&mut self, name: Name, span: Span, lead: Lead, inside: impl FnOnce(&mut Self)) {
        let home = self.home_of(false);
        let sym = self.declare_in(home, name, SymbolKind::Namespace, span, &lead);
        self.b.enter_parent(sym);
        let around = (self.block, self.this);
        let scope = self.b.open_scope(sym, true);
        self.block = scope;
        self.this = This::Unknown;
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
        }
        inside(self);
        self.b.close_scope();
        (self.block, self.this) = around;
        self.b.leave_parent();
    }
}
