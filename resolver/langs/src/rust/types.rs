//! Types, paths and type parameters as written.

use super::walk::{Kid, Kids, Node, Walk};
use super::words::{F, K};
use surefoot_facts::{
    Access, BindKind, Expr, ExprIdx, List, Lit, Name, Span, SymIdx, Ty, TyIdx, TypeParam,
};
use surefoot_graph::SiteKind;

/// Type parameters while their bounds are collected from list and where clause.
#[derive(Default)]
pub(super) struct Generics {
    list: Vec<(Name, Vec<TyIdx>, TyIdx)>,
    /// `where Self: Bound`.
    pub(super) on_self: Vec<TyIdx>,
}

impl<'t> Walk<'t, '_> {
    // ---- type parameters --------------------------------------------------------------

    /// Binds the type parameters of a declaration and reads their bounds.
    pub(super) fn type_parameters(&mut self, kids: &Kids<'t>, of: SymIdx) -> Generics {
        let mut generics = Generics::default();
        let Some(list) = kids.field(F::TypeParameters) else {
            return generics;
        };
        let list = self.syn.kids(list.node);
        let mut index = 0;
        // Bounds may name parameters that follow, so all are bound first.
        for kid in list.iter() {
            if !matches!(kid.kind, K::TypeParam | K::ConstParam) {
                continue;
            }
            let Some(name) = self.syn.kids(kid.node).field(F::Name) else {
                continue;
            };
            let (name, span) = self.name(name.node);
            let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
            let kind = match kid.kind {
                K::TypeParam => BindKind::TypeParam { of, index },
                _ => BindKind::Local,
            };
            self.s.b.bind(name, kind, ty, value, span, true);
            generics.list.push((name, Vec::new(), TyIdx::UNKNOWN));
            index = index.saturating_add(1);
        }
        let mut at = 0;
        for kid in list.iter() {
            if !matches!(kid.kind, K::TypeParam | K::ConstParam) {
                continue;
            }
            let kids = self.syn.kids(kid.node);
            if kids.field(F::Name).is_none() {
                continue;
            }
            if kid.kind == K::ConstParam {
                if let Some(ty) = kids.field(F::Type) {
                    let ty = self.ty(ty);
                    let bound = self.s.b.lookup(generics.list[at].0);
                    if let Some(binding) = bound.and_then(|b| self.s.b.binding_mut(b)) {
                        binding.ty = ty;
                    }
                }
                if let Some(value) = kids.field(F::Value) {
                    self.expr(value);
                }
            } else {
                generics.list[at].1 = self.bounds(&kids);
                if let Some(default) = kids.field(F::Default) {
                    generics.list[at].2 = self.ty(default);
                }
            }
            at += 1;
        }
        generics
    }

    /// Adds the bounds of a where clause to the parameters they speak of.
    pub(super) fn where_clause(&mut self, kids: &Kids<'t>, generics: &mut Generics) {
        let clauses: Vec<Node<'t>> = kids
            .iter()
            .filter(|k| k.kind == K::WhereClause)
            .map(|k| k.node)
            .collect();
        for clause in clauses {
            let predicates = self.syn.kids(clause);
            for predicate in predicates.iter().filter(|k| k.kind == K::WherePredicate) {
                let kids = self.syn.kids(predicate.node);
                let Some(left) = kids.field(F::Left) else {
                    continue;
                };
                let subject = match left.kind {
                    K::TypeIdentifier => self.name(left.node).0,
                    _ => Name::EMPTY,
                };
                let on_self = subject == surefoot_facts::names::self_type();
                let parameter = generics.list.iter().position(|g| g.0 == subject);
                if !on_self && parameter.is_none() && left.kind != K::Lifetime {
                    self.ty(left);
                }
                let bounds = self.bounds(&kids);
                match parameter {
                    _ if on_self => generics.on_self.extend(bounds),
                    Some(at) if !subject.is_empty() => generics.list[at].1.extend(bounds),
                    _ => {}
                }
            }
        }
    }

    pub(super) fn close_generics(&mut self, of: SymIdx, generics: Generics) {
        let list: Vec<TypeParam> = generics
            .list
            .into_iter()
            .map(|(name, bounds, default)| TypeParam {
                name,
                bounds: self.s.b.types(&bounds),
                default,
            })
            .collect();
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.type_params = list;
        }
    }

    /// The types in a `: A + B` of a node.
    pub(super) fn bounds(&mut self, kids: &Kids<'t>) -> Vec<TyIdx> {
        let Some(bounds) = kids.field(F::Bounds) else {
            return Vec::new();
        };
        let list = self.syn.kids(bounds.node);
        let mut out = Vec::new();
        for kid in list.named() {
            self.bound(kid, &mut out);
        }
        out
    }

    fn bound(&mut self, kid: Kid<'t>, out: &mut Vec<TyIdx>) {
        match kid.kind {
            K::Lifetime => {}
            K::BoundedType => {
                let list = self.syn.kids(kid.node);
                self.level((), |w| {
                    for kid in list.named() {
                        w.bound(kid, out);
                    }
                });
            }
            // `?Sized` takes a bound away.
            K::RemovedBound => {
                let list = self.syn.kids(kid.node);
                for kid in list.named() {
                    self.ty(kid);
                }
            }
            kind if kind.is_type() || kind == K::HigherRanked => out.push(self.ty(kid)),
            _ => {}
        }
    }

    // ---- types ------------------------------------------------------------------------

    pub(super) fn ty(&mut self, kid: Kid<'t>) -> TyIdx {
        self.level(TyIdx::UNKNOWN, |w| w.ty_here(kid))
    }

    fn ty_here(&mut self, kid: Kid<'t>) -> TyIdx {
        let ty = match kid.kind {
            K::TypeIdentifier | K::Identifier => return self.named_type(kid.node),
            K::ScopedType | K::ScopedIdentifier => {
                let path = self.path(kid, Access::Type);
                self.type_site(path);
                Ty::Named {
                    path: path.at,
                    args: List::default(),
                }
            }
            K::GenericType => {
                let kids = self.syn.kids(kid.node);
                let Some(head) = kids.field(F::Type) else {
                    return TyIdx::UNKNOWN;
                };
                let path = self.path(head, Access::Type);
                self.type_site(path);
                let args = self.type_arguments(&kids);
                Ty::Named {
                    path: path.at,
                    args,
                }
            }
            K::Primitive => Ty::Builtin(self.name(kid.node).0),
            K::Never => Ty::Builtin(Name::new("!")),
            K::UnitType => Ty::Lit(Lit::Unit),
            K::ReferenceType => {
                let inner = self.field_type(kid.node, F::Type);
                Ty::Ref(inner)
            }
            K::PointerType => {
                let inner = self.field_type(kid.node, F::Type);
                Ty::Ptr(inner)
            }
            K::ArrayType => {
                let kids = self.syn.kids(kid.node);
                let element = kids.field(F::Element);
                let element = element.map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                if let Some(length) = kids.field(F::Length) {
                    self.expr(length);
                }
                Ty::Array(element)
            }
            K::TupleType => {
                let kids = self.syn.kids(kid.node);
                let list: Vec<TyIdx> = kids.named().map(|k| self.ty(k)).collect();
                match list[..] {
                    // Brackets around one type are no tuple of one.
                    [only] if !kids.has(K::Comma) => return only,
                    _ => Ty::Tuple(self.s.b.types(&list)),
                }
            }
            K::FunctionType => self.function_type(kid.node),
            K::DynType | K::Abstract | K::BoundedType => {
                let mut list = Vec::new();
                let mut dynamic = kid.kind == K::DynType;
                self.bounded(kid, &mut list, &mut dynamic);
                let list = self.s.b.types(&list);
                Ty::Bounds { list, dynamic }
            }
            K::HigherRanked => return self.field_type(kid.node, F::Type),
            K::Macro => {
                self.macro_in_type(kid);
                Ty::Opaque
            }
            K::Error => {
                let kids = self.syn.kids(kid.node);
                self.in_error(|w| {
                    for kid in kids.iter().filter(|k| k.kind.is_type()) {
                        w.ty(*kid);
                    }
                });
                return TyIdx::UNKNOWN;
            }
            _ => Ty::Opaque,
        };
        self.s.b.ty(ty)
    }

    fn field_type(&mut self, node: Node<'t>, field: F) -> TyIdx {
        let kid = self.syn.kids(node).field(field);
        kid.map_or(TyIdx::UNKNOWN, |k| self.ty(k))
    }

    fn named_type(&mut self, node: Node<'t>) -> TyIdx {
        let (name, span) = self.name(node);
        let ty = match name.text() {
            "Self" => Ty::SelfType(self.s.self_type),
            "_" => Ty::Inferred,
            _ => {
                let parameter = self.is_type_parameter(name);
                let path = self.s.b.name(name, span, Access::Type);
                if !parameter {
                    self.site(SiteKind::Type, name, path, span);
                }
                Ty::Named {
                    path,
                    args: List::default(),
                }
            }
        };
        self.s.b.ty(ty)
    }

    fn is_type_parameter(&self, name: Name) -> bool {
        let bound = self.s.b.lookup_type(name);
        bound
            .and_then(|b| self.s.b.item().bindings.get(b.0 as usize))
            .is_some_and(|b| matches!(b.kind, BindKind::TypeParam { .. }))
    }

    /// The site of a type named by a path: its last name.
    pub(super) fn type_site(&mut self, path: Path) {
        let parameter = matches!(self.s.b.get_expr(path.at), Expr::Free { .. })
            && self.is_type_parameter(path.name);
        if !path.name.is_empty() && path.name.text() != "Self" && !parameter {
            self.site(SiteKind::Type, path.name, path.at, path.span);
        }
    }

    /// `<A, B, Item = C>`; lifetimes are left out.
    pub(super) fn type_arguments(&mut self, kids: &Kids<'t>) -> List {
        let Some(list) = kids.field(F::TypeArguments) else {
            return List::default();
        };
        let list = self.syn.kids(list.node);
        let (mut plain, mut bindings) = (Vec::new(), Vec::new());
        for kid in list.named() {
            match kid.kind {
                K::Lifetime => {}
                K::TypeBinding => {
                    let kids = self.syn.kids(kid.node);
                    let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                    if let Some(name) = kids.field(F::Name) {
                        let name = self.name(name.node).0;
                        bindings.push(self.s.b.ty(Ty::Binding { name, ty }));
                    }
                }
                // `Iterator<Item: Display>`.
                K::TraitBounds => {
                    let inner = self.syn.kids(kid.node);
                    let mut ignored = Vec::new();
                    for kid in inner.named() {
                        self.bound(kid, &mut ignored);
                    }
                }
                K::Block => {
                    self.expr(kid);
                    plain.push(self.s.b.ty(Ty::Opaque));
                }
                kind if kind.is_type() => plain.push(self.ty(kid)),
                _ => plain.push(self.s.b.ty(Ty::Opaque)),
            }
        }
        plain.extend(bindings);
        self.s.b.types(&plain)
    }

    /// Collects the bounds of `impl A + B` and `dyn A + B`.
    fn bounded(&mut self, kid: Kid<'t>, out: &mut Vec<TyIdx>, dynamic: &mut bool) {
        let kids = self.syn.kids(kid.node);
        self.level((), |w| match kid.kind {
            K::DynType | K::Abstract => {
                *dynamic |= kid.kind == K::DynType;
                if let Some(bound) = kids.field(F::Trait) {
                    w.bounded(bound, out, dynamic);
                }
            }
            K::BoundedType => {
                for kid in kids.named() {
                    w.bounded(kid, out, dynamic);
                }
            }
            _ => w.bound(kid, out),
        });
    }

    /// `fn(A) -> B`, and `Fn(A) -> B` as a bound.
    fn function_type(&mut self, node: Node<'t>) -> Ty {
        let kids = self.syn.kids(node);
        let mut params = Vec::new();
        if let Some(list) = kids.field(F::Parameters) {
            let list = self.syn.kids(list.node);
            for kid in list.iter() {
                match kid.kind {
                    K::Parameter => {
                        let ty = self.field_type(kid.node, F::Type);
                        params.push(ty);
                    }
                    kind if kind.is_type() => params.push(self.ty(*kid)),
                    _ => {}
                }
            }
        }
        let params = self.s.b.types(&params);
        let result = match kids.field(F::ReturnType) {
            Some(result) => self.ty(result),
            None => self.s.b.ty(Ty::Lit(Lit::Unit)),
        };
        Ty::Fn { params, result }
    }

    // ---- paths ------------------------------------------------------------------------

    /// A path as an expression, with its last name. `access` is how its only
    /// name is used when it has one; a head with more behind it stands among
    /// types and modules.
    pub(super) fn path(&mut self, kid: Kid<'t>, access: Access) -> Path {
        let unknown = Path::unknown(self.span(kid.node));
        self.level(unknown, |w| w.path_here(kid, access))
    }

    fn path_here(&mut self, kid: Kid<'t>, access: Access) -> Path {
        let scope = self.s.b.scope();
        let (name, span) = self.name(kid.node);
        let at = match kid.kind {
            K::Identifier | K::TypeIdentifier | K::Primitive => match name.text() {
                "Self" => self.s.b.expr(Expr::SelfType(self.s.self_type)),
                _ if access == Access::Read => self.read(name, span),
                _ => self.s.b.name(name, span, access),
            },
            K::SelfWord => self.s.b.expr(Expr::ModuleUp { scope, up: 0 }),
            K::Super => self.s.b.expr(Expr::ModuleUp { scope, up: 1 }),
            K::Crate => self.s.b.expr(Expr::PackageRoot),
            K::ScopedIdentifier | K::ScopedType => return self.scoped_path(kid),
            K::GenericType | K::GenericPattern => {
                let kids = self.syn.kids(kid.node);
                let head = kids.field(F::Type).or_else(|| kids.named().next());
                let Some(head) = head else {
                    return Path::unknown(span);
                };
                let base = self.path(head, Access::Type);
                let args = self.type_arguments(&kids);
                let at = self.s.b.expr(Expr::TypeArgs {
                    base: base.at,
                    args,
                });
                return Path { at, ..base };
            }
            K::BracketedType => {
                let kids = self.syn.kids(kid.node);
                let Some(inner) = kids.named().next() else {
                    return Path::unknown(span);
                };
                let (ty, as_trait) = match inner.kind {
                    K::QualifiedType => {
                        let kids = self.syn.kids(inner.node);
                        let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                        let alias = kids.field(F::Alias);
                        (ty, alias.map_or(TyIdx::UNKNOWN, |k| self.ty(k)))
                    }
                    _ => (self.ty(inner), TyIdx::UNKNOWN),
                };
                let at = self.s.b.expr(Expr::TypePath { ty, as_trait });
                return Path {
                    at,
                    ..Path::unknown(span)
                };
            }
            _ => return Path::unknown(span),
        };
        Path { at, name, span }
    }

    fn scoped_path(&mut self, kid: Kid<'t>) -> Path {
        let kids = self.syn.kids(kid.node);
        let Some(last) = kids.field(F::Name) else {
            return Path::unknown(self.span(kid.node));
        };
        let (name, span) = self.name(last.node);
        let at = match kids.field(F::Path) {
            None => self.s.b.expr(Expr::Package(name)),
            Some(base) => {
                let base = self.path(base, Access::Type).at;
                match (last.kind, self.s.b.get_expr(base)) {
                    (K::Super, Expr::ModuleUp { scope, up }) => {
                        self.s.b.expr(Expr::ModuleUp { scope, up: up + 1 })
                    }
                    _ => self.s.b.expr(Expr::Scoped { base, name }),
                }
            }
        };
        Path { at, name, span }
    }
}

/// A path that was read: its expression, and its last name where it stands
/// (empty when it ends in none).
#[derive(Clone, Copy)]
pub(super) struct Path {
    pub(super) at: ExprIdx,
    pub(super) name: Name,
    pub(super) span: Span,
}

impl Path {
    fn unknown(span: Span) -> Path {
        Path {
            at: ExprIdx::UNKNOWN,
            name: Name::EMPTY,
            span,
        }
    }
}
