//! Types as written, reduced to what names and members need.

use super::class::Modifiers;
use super::function::How;
use super::*;
use surefoot_facts::{List, Lit, Ty};

impl<'t> Walker<'t> {
    pub(super) fn ty(&mut self, kid: Kid<'t>) -> TyIdx {
        match kid.kind {
            K::TypeIdentifier => self.named_type(kid.node, None),
            K::PredefinedType => {
                let name = self.name_at(kid.node);
                self.b.ty(Ty::Builtin(name))
            }
            _ => self.down(|w| w.ty_here(kid)),
        }
    }

    /// The type inside an annotation, constraint or default.
    pub(super) fn type_inside(&mut self, node: Node<'t>) -> TyIdx {
        let inner = self.s.kids(node).named().next();
        inner.map(|k| self.ty(k)).unwrap_or_default()
    }

    /// The types of a list: `<A, B>`.
    pub(super) fn type_list(&mut self, node: Node<'t>) -> SmallVec<[TyIdx; 4]> {
        let kids = self.s.kids(node);
        kids.named().map(|k| self.ty(k)).collect()
    }

    fn types_of(&mut self, node: Node<'t>) -> List {
        let all = self.type_list(node);
        self.b.types(&all)
    }

    fn opaque(&mut self, node: Node<'t>) -> TyIdx {
        self.inside(node);
        self.b.ty(Ty::Opaque)
    }

    fn ty_here(&mut self, kid: Kid<'t>) -> TyIdx {
        let node = kid.node;
        match kid.kind {
            K::TypeAnnotation
            | K::ParenthesizedType
            | K::ReadonlyType
            | K::OptionalType
            | K::FlowMaybeType
            | K::AssertsAnnotation
            | K::TypePredicateAnnotation => self.type_inside(node),
            K::GenericType => {
                let kids = self.s.kids(node);
                let args = kids.field(F::TypeArguments);
                match kids.field(F::Name) {
                    Some(name) if name.kind == K::NestedTypeIdentifier => {
                        self.nested_type(name.node, args)
                    }
                    Some(name) => self.named_type(name.node, args),
                    None => self.opaque(node),
                }
            }
            K::NestedTypeIdentifier => self.nested_type(node, None),
            K::ObjectType | K::InterfaceBody => self.object_type(node),
            K::ArrayType => {
                let element = self.type_inside(node);
                self.b.ty(Ty::Array(element))
            }
            K::TupleType => self.tuple(node),
            K::UnionType | K::IntersectionType => self.combined(kid),
            K::FunctionType => self.function_type(node),
            K::ConstructorType => {
                let sym = self.object_symbol(node);
                self.b.enter_parent(sym);
                self.operation(node, surefoot_facts::ops::NEW, Lead::plain(span_of(node)));
                self.b.leave_parent();
                self.b.ty(Ty::Object(sym))
            }
            K::TypeQuery => {
                let inner = self.s.kids(node).named().next();
                let value = inner.map(|k| self.expr(k)).unwrap_or_default();
                self.b.ty(Ty::TypeOf(value))
            }
            K::LookupType => self.lookup_type(node),
            K::LiteralType => self.literal_type(node),
            K::TemplateLiteralType => {
                self.inside(node);
                let name = self.name_of("string");
                self.b.ty(Ty::Builtin(name))
            }
            K::ThisType | K::This => {
                let home = self.home;
                if home.is_none() {
                    self.b.ty(Ty::Opaque)
                } else {
                    self.b.ty(Ty::SelfType(home))
                }
            }
            K::Asserts => {
                let predicate = self.s.kids(node).kind(K::TypePredicate);
                match predicate {
                    Some(predicate) => self.ty(predicate),
                    None => {
                        let name = self.name_of("void");
                        self.b.ty(Ty::Builtin(name))
                    }
                }
            }
            K::TypePredicate => {
                let inner = self.s.kids(node).field(F::Type);
                let inner = inner.map(|k| self.ty(k)).unwrap_or_default();
                self.b.ty(Ty::Guard(inner))
            }
            // `import("m").T`
            K::MemberExpression | K::CallExpression => {
                let (path, name, span) = self.named(kid);
                if kid.kind == K::MemberExpression {
                    self.site(SiteKind::Type, name, path, span);
                }
                let args = List::default();
                self.b.ty(Ty::Named { path, args })
            }
            K::ConditionalType => {
                let types = self.type_names.len();
                self.inside(node);
                self.type_names.truncate(types);
                self.b.ty(Ty::Opaque)
            }
            K::InferType => {
                let kids = self.s.kids(node);
                for kid in kids.named() {
                    if kid.kind == K::TypeIdentifier && kid.node.start_byte() < node.end_byte() {
                        let name = self.name_at(kid.node);
                        self.type_names.push(name);
                    }
                }
                for kid in kids.named().skip(1) {
                    self.ty(kid);
                }
                self.b.ty(Ty::Opaque)
            }
            K::Error => {
                self.error(node);
                TyIdx::UNKNOWN
            }
            _ => self.opaque(node),
        }
    }

    /// A type by its name, and the site where it is named.
    fn named_type(&mut self, node: Node<'t>, args: Option<Kid<'t>>) -> TyIdx {
        let (name, span) = (self.name_at(node), span_of(node));
        let path = self.b.name(name, span, Access::Type);
        if !self.type_names.contains(&name) {
            self.site(SiteKind::Type, name, path, span);
        }
        let args = args.map(|k| self.types_of(k.node)).unwrap_or_default();
        self.b.ty(Ty::Named { path, args })
    }

    /// `a.b.T`
    fn nested_type(&mut self, node: Node<'t>, args: Option<Kid<'t>>) -> TyIdx {
        let kids = self.s.kids(node);
        let base = kids
            .field(F::ModuleField)
            .map(|k| self.namespace_path(k))
            .unwrap_or_default();
        let Some(last) = kids.field(F::Name) else {
            return self.opaque(node);
        };
        let (name, span) = (self.name_at(last.node), span_of(last.node));
        let path = self.b.expr(Expr::Member { base, name });
        self.site(SiteKind::Type, name, path, span);
        let args = args.map(|k| self.types_of(k.node)).unwrap_or_default();
        self.b.ty(Ty::Named { path, args })
    }

    /// The path before a type's last name: namespaces and namespace imports.
    pub(super) fn namespace_path(&mut self, kid: Kid<'t>) -> ExprIdx {
        self.down(|w| {
            if kid.kind == K::Identifier {
                let name = w.name_at(kid.node);
                return w.b.name(name, span_of(kid.node), Access::Type);
            }
            let kids = w.s.kids(kid.node);
            let base = kids
                .field(F::ObjectField)
                .map(|k| w.namespace_path(k))
                .unwrap_or_default();
            match kids.field(F::Property) {
                Some(name) => {
                    let name = w.name_at(name.node);
                    w.member(base, name)
                }
                None => ExprIdx::UNKNOWN,
            }
        })
    }

    fn tuple(&mut self, node: Node<'t>) -> TyIdx {
        let kids = self.s.kids(node);
        let mut parts: SmallVec<[TyIdx; 4]> = SmallVec::new();
        for kid in kids.named() {
            let part = match kid.kind {
                K::RequiredParameter | K::OptionalParameter => {
                    let kids = self.s.kids(kid.node);
                    let ty = kids.field(F::Type).map(|k| self.ty(k)).unwrap_or_default();
                    let rest = kids
                        .field(F::Name)
                        .is_some_and(|k| k.kind == K::RestPattern);
                    if rest { self.element_of(ty) } else { ty }
                }
                K::RestType => {
                    let ty = self.type_inside(kid.node);
                    self.element_of(ty)
                }
                _ => self.ty(kid),
            };
            parts.push(part);
        }
        let parts = self.b.types(&parts);
        self.b.ty(Ty::Tuple(parts))
    }

    /// What an array type holds: a rest part of a tuple stands for its elements.
    fn element_of(&mut self, ty: TyIdx) -> TyIdx {
        match self.b.get_ty(ty) {
            Ty::Array(element) => element,
            _ => self.b.ty(Ty::Opaque),
        }
    }

    /// `A | B | C` nests to the left as deep as it is long.
    fn combined(&mut self, kid: Kid<'t>) -> TyIdx {
        let mut parts: SmallVec<[Kid<'t>; 8]> = SmallVec::new();
        let mut at = kid;
        loop {
            let kids = self.s.kids(at.node);
            let mut deeper = None;
            let first = parts.len();
            for k in kids.named() {
                if k.kind == kid.kind && deeper.is_none() {
                    deeper = Some(k);
                } else {
                    parts.push(k);
                }
            }
            parts[first..].reverse();
            match deeper {
                Some(next) => at = next,
                None => break,
            }
        }
        parts.reverse();
        let all: SmallVec<[TyIdx; 8]> = parts.iter().map(|k| self.ty(*k)).collect();
        if let [only] = all.as_slice() {
            return *only;
        }
        let all = self.b.types(&all);
        self.b.ty(if kid.kind == K::UnionType {
            Ty::Union(all)
        } else {
            Ty::Intersection(all)
        })
    }

    /// `(a: A) => R`. With type parameters or a rest parameter the whole
    /// signature matters, and it becomes an object that can be called.
    fn function_type(&mut self, node: Node<'t>) -> TyIdx {
        let kids = self.s.kids(node);
        let list = kids.field(F::Parameters);
        let params = list.map(|k| self.s.kids(k.node));
        let plain = kids.field(F::TypeParameters).is_none()
            && params.as_ref().is_some_and(|p| {
                p.named().all(|k| {
                    k.kind.is_parameter()
                        && !self
                            .s
                            .kids(k.node)
                            .iter()
                            .any(|k| matches!(k.kind, K::RestPattern | K::This))
                })
            });
        if !plain {
            let sym = self.object_symbol(node);
            self.b.enter_parent(sym);
            let span = span_of(node);
            let first = Span::new(node.start_byte(), node.start_byte() + 1);
            let name = (Name::new("__call"), first);
            let kind = SymbolKind::Method;
            let call = self.declare_member(name, kind, Modifiers::default(), Lead::plain(span));
            self.callable(call, node, &kids, How::member(This::Unknown));
            self.b.leave_parent();
            return self.b.ty(Ty::Object(sym));
        }
        let mut types: SmallVec<[TyIdx; 4]> = SmallVec::new();
        for param in params.iter().flat_map(|p| p.named()) {
            let ty = self.s.kids(param.node).field(F::Type);
            types.push(ty.map(|k| self.ty(k)).unwrap_or_default());
        }
        let params = self.b.types(&types);
        let result = kids
            .field(F::ReturnType)
            .map(|k| self.ty(k))
            .unwrap_or_default();
        self.b.ty(Ty::Fn { params, result })
    }

    /// `T["name"]`; other keys are read by no rule.
    fn lookup_type(&mut self, node: Node<'t>) -> TyIdx {
        let kids = self.s.kids(node);
        let mut named = kids.named();
        let (Some(base), Some(key)) = (named.next(), named.next()) else {
            return self.opaque(node);
        };
        let base = self.ty(base);
        if key.kind == K::LiteralType {
            let literal = self.s.kids(key.node).named().next();
            if let Some(literal) = literal.filter(|k| k.kind == K::StringNode)
                && let Some((text, _)) = self.string(literal.node)
            {
                let name = self.name_of(text);
                return self.b.ty(Ty::Member { base, name });
            }
        }
        self.ty(key);
        self.b.ty(Ty::Opaque)
    }

    fn literal_type(&mut self, node: Node<'t>) -> TyIdx {
        let inner = self.s.kids(node).named().next();
        let literal = match inner.map(|k| k.kind) {
            Some(K::StringNode) => Lit::Str,
            Some(K::True | K::False) => Lit::Bool,
            Some(K::Null) => Lit::Null,
            Some(K::Undefined) => Lit::Undefined,
            Some(K::Number | K::UnaryExpression) => Lit::Float,
            _ => return self.b.ty(Ty::Opaque),
        };
        self.b.ty(Ty::Lit(literal))
    }
}
