//! The module as a whole: which names it binds how often, its type variables,
//! its imports and what it exports.

use super::locals::Bound;
use super::*;
use surefoot_facts::{BindKind, ImpIdx, Import, ImportKind, ScopeIdx};

/// What is known of the module before its statements are read.
#[derive(Default)]
pub(super) struct Survey<'t> {
    /// Names bound more than once: how often in all, how often so far.
    several: FxHashMap<Name, (u16, u16)>,
    /// Type variables, each with its bound when one is written.
    pub(super) type_vars: FxHashMap<&'t str, Option<Kid<'t>>>,
    /// Where names with several bindings are bound, by statement, and how many
    /// statements there are: what a statement sees depends on its place.
    places: Vec<(&'static str, usize)>,
    /// The type variables as written.
    vars: Vec<&'t str>,
}

impl Hash for Survey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.places.hash(state);
        self.vars.hash(state);
    }
}

impl Survey<'_> {
    /// How many bindings of a name stand before here, when it has several.
    pub(super) fn bound_before(&self, name: Name) -> Option<u16> {
        self.several.get(&name).map(|c| c.1)
    }

    pub(super) fn binds(&mut self, name: Name) {
        if let Some(count) = self.several.get_mut(&name) {
            count.1 = count.1.saturating_add(1);
        }
    }
}

impl<'t> Walker<'t> {
    pub(super) fn survey(&mut self, kids: &Kids<'t>) -> Survey<'t> {
        let mut bound = Bound {
            module: true,
            ..Bound::default()
        };
        let mut type_vars = FxHashMap::default();
        let mut vars = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        for kid in kids.named() {
            self.scan(kid, true, &mut bound);
            ends.push(bound.spots.len());
            if let Some((name, limit)) = self.type_variable(kid) {
                type_vars.insert(name, limit);
                vars.push(self.s.text(kid.node));
            }
        }
        let mut several: FxHashMap<Name, (u16, u16)> = FxHashMap::default();
        for (name, _) in &bound.spots {
            let count = several.entry(*name).or_default();
            count.0 = count.0.saturating_add(1);
        }
        several.retain(|_, c| c.0 > 1);
        let mut places: Vec<(&'static str, usize)> = Vec::new();
        let mut from = 0;
        for (item, end) in ends.iter().enumerate() {
            let spots = &bound.spots[from..*end];
            let again = spots.iter().filter(|s| several.contains_key(&s.0));
            places.extend(again.map(|s| (s.0.text(), item)));
            from = *end;
        }
        if !places.is_empty() {
            places.push(("", ends.len()));
        }
        Survey {
            several,
            type_vars,
            places,
            vars,
        }
    }

    /// A statement whose facts are taken over still binds its names.
    pub(super) fn pass_by(&mut self, kid: Kid<'t>) {
        if self.file.several.is_empty() {
            return;
        }
        let mut bound = Bound {
            module: true,
            ..Bound::default()
        };
        self.scan(kid, true, &mut bound);
        for (name, _) in bound.spots {
            self.file.binds(name);
        }
    }

    /// `T = TypeVar("T", bound=B)` and its kin.
    fn type_variable(&mut self, kid: Kid<'t>) -> Option<(&'t str, Option<Kid<'t>>)> {
        if kid.kind != K::ExpressionStatement {
            return None;
        }
        let assignment = self.s.kids(kid.node).named().next()?;
        if assignment.kind != K::Assignment {
            return None;
        }
        let kids = self.s.kids(assignment.node);
        let name = kids.field(F::Left).filter(|k| k.kind == K::Identifier)?;
        let call = kids.field(F::Right).filter(|k| k.kind == K::Call)?;
        let kids = self.s.kids(call.node);
        let function = self.s.text(kids.field(F::Function)?.node);
        let last = function.rsplit('.').next().unwrap_or(function);
        if !matches!(last, "TypeVar" | "ParamSpec" | "TypeVarTuple") {
            return None;
        }
        let mut limit = None;
        let args = self.s.kids(kids.field(F::Arguments)?.node);
        for arg in args.named().filter(|k| k.kind == K::KeywordArgument) {
            let kids = self.s.kids(arg.node);
            let name = kids.field(F::Name).map(|k| self.s.text(k.node));
            if name == Some("bound") {
                limit = kids.field(F::Value);
            }
        }
        Some((self.s.text(name.node), limit))
    }

    // ---- imports -------------------------------------------------------------------

    /// `import a.b`, `import a.b as c`
    pub(super) fn import(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for name in kids.iter().filter(|k| k.field == F::Name) {
            let span = span_of(name.node);
            if name.kind == K::AliasedImport {
                let kids = self.s.kids(name.node);
                let (Some(module), Some(alias)) = (kids.field(F::Name), kids.field(F::Alias))
                else {
                    continue;
                };
                let spec = self.name_at(module.node);
                let local = self.name_at(alias.node);
                let made = self.import_of(ImportKind::Namespace, local, Name::EMPTY, spec);
                self.add_import(made, span, span_of(alias.node));
            } else {
                let first = self.s.kids(name.node).named().next();
                let Some(first) = first else { continue };
                let local = self.name_at(first.node);
                let made = self.import_of(ImportKind::Namespace, local, Name::EMPTY, local);
                self.add_import(made, span, span_of(first.node));
                let whole = self.name_at(name.node);
                if whole != local {
                    // The rest is loaded as well.
                    let made = self.import_of(ImportKind::Effect, Name::EMPTY, whole, whole);
                    self.b.import(made, span);
                }
            }
        }
    }

    /// `from a import b as c`, `from . import b`, `from a import *`
    pub(super) fn import_from(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let Some(module) = kids.field(F::ModuleName) else {
            return;
        };
        let spec = self.name_at(module.node);
        if kids.has(K::WildcardImport) {
            let mut made = self.import_of(ImportKind::Glob, Name::EMPTY, Name::EMPTY, spec);
            made.binds = true;
            self.b.import(made, span_of(node));
            return;
        }
        for kid in kids.iter().filter(|k| k.field == F::Name) {
            let span = span_of(kid.node);
            let (name, local) = if kid.kind == K::AliasedImport {
                let kids = self.s.kids(kid.node);
                match (kids.field(F::Name), kids.field(F::Alias)) {
                    (Some(name), Some(alias)) => (name.node, alias.node),
                    _ => continue,
                }
            } else {
                (kid.node, kid.node)
            };
            let (name, own) = (self.name_at(name), span_of(local));
            let local = self.name_at(local);
            let made = self.import_of(ImportKind::Named, local, name, spec);
            self.add_import(made, span, own);
        }
    }

    fn import_of(&mut self, kind: ImportKind, local: Name, name: Name, spec: Name) -> Import {
        let inside = !self.frames.is_empty();
        let condition = if inside { None } else { self.stands_under() };
        let type_only = self
            .conditions
            .last()
            .is_some_and(|c| c.text().ends_with("TYPE_CHECKING") && !c.text().starts_with("not "));
        Import {
            kind,
            local,
            name,
            spec,
            path: ExprIdx::UNKNOWN,
            scope: ScopeIdx(0),
            module: SymIdx::NONE,
            binds: true,
            exported: true,
            visibility: surefoot_facts::Visibility::Public,
            type_only,
            conditional: condition.is_some(),
            condition: condition.unwrap_or(Name::EMPTY),
        }
    }

    /// An import in its namespace, and the site that names what it brings.
    fn add_import(&mut self, made: Import, span: Span, name_span: Span) {
        let local = made.local;
        let home = self.frames.last().map(|f| f.space);
        let global = self
            .frames
            .last()
            .is_some_and(|f| f.globals.contains(&local));
        let imp: ImpIdx = self.b.import(made, span);
        let callee = match home {
            None => {
                self.file.binds(local);
                let scope = self.b.scope();
                if let Some(count) = self.file.bound_before(local) {
                    self.b.expr(Expr::Earlier { name: local, count })
                } else {
                    self.b.expr(Expr::Free { name: local, scope })
                }
            }
            Some(_) => {
                if !global {
                    self.declare_local(local, name_span, BindKind::Import(imp));
                }
                self.read(local, name_span)
            }
        };
        self.site(SiteKind::Import, local, callee, name_span);
    }

    /// `__all__ = [..]`: each name it lists is an export under a name no one can
    /// write, beside a mark that there is such a list.
    pub(super) fn export_list(&mut self, value: Kid<'t>, more: bool) {
        if !self.frames.is_empty() {
            return;
        }
        let mark = |w: &mut Self, name: &str, of: Name, span| {
            let mut made = w.import_of(ImportKind::Export, Name::new(name), of, Name::EMPTY);
            made.binds = false;
            w.b.import(made, span);
        };
        let span = span_of(value.node);
        let listed = matches!(value.kind, K::List | K::Tuple);
        if !listed {
            // A list some other code makes: any name may be in it.
            return mark(self, "<all>?", Name::EMPTY, span);
        }
        if !more {
            mark(self, "<all>", Name::EMPTY, span);
        }
        let kids = self.s.kids(value.node);
        for kid in kids.named() {
            match self.string(kid.node).filter(|_| kid.kind == K::StringNode) {
                Some((text, span)) => {
                    let of = self.name_of(text);
                    mark(self, &format!("<all>{text}"), of, span);
                }
                None => mark(self, "<all>?", Name::EMPTY, span),
            }
        }
    }
}
