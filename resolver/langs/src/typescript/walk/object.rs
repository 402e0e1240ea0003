//! Members written in place: object literals, interfaces, type literals, enums.

use super::class::Modifiers;
use super::function::How;
use super::*;
use surefoot_facts::{HeritageKind, Param, Signature, Ty};

impl<'t> Walker<'t> {
    // ---- object literals -------------------------------------------------------------

    /// An object literal; `context` is the call it is an argument of.
    pub(super) fn object(&mut self, node: Node<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        let full = span_of(node);
        let first = Span::new(node.start_byte(), node.start_byte() + 1);
        let sym = self.b.symbol(Name::EMPTY, SymbolKind::Object, full, first);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.context = context;
        }
        // What is given to a call may be mixed into something else before its
        // methods run: `this` is then not this object.
        let given = self.given;
        if context.is_some() {
            self.given = self.mixing.map_or(Given::Somewhere, Given::To);
        }
        self.object_members(sym, node);
        self.given = given;
        self.b.expr(Expr::Object(sym))
    }

    /// The members an object literal writes, as those of `sym`.
    pub(super) fn object_members(&mut self, sym: SymIdx, node: Node<'t>) {
        let kids = self.s.kids(node);
        self.b.enter_parent(sym);
        let mut members = Vec::new();
        for kid in kids.iter() {
            if kid.kind.is_comment() {
                self.doc = self.is_doc(kid.node);
                continue;
            }
            let lead = Lead {
                documented: self.doc,
                jsdoc: self.jsdoc.filter(|_| self.doc),
                ..Lead::plain(span_of(kid.node))
            };
            if kid.node.is_named() {
                self.doc = false;
            }
            match kid.kind {
                K::Pair => members.push(self.pair(sym, kid.node, lead)),
                K::MethodDefinition => members.push(self.object_method(sym, kid.node, lead)),
                K::ShorthandProperty => {
                    let name = (self.name_at(kid.node), span_of(kid.node));
                    let kind = SymbolKind::Field;
                    let field = self.declare_member(name, kind, Modifiers::default(), lead);
                    let value = self.read(kid.node);
                    self.value_site(value, name.0, name.1);
                    if let Some(s) = self.b.symbol_mut(field) {
                        s.value = value;
                    }
                    members.push(field);
                }
                K::SpreadElement => {
                    self.spread_members(sym, kid.node);
                    // What is spread later may replace what stands before.
                    for member in &members {
                        self.flag(*member, Flags::REASSIGNED);
                    }
                }
                _ if kid.node.is_named() => self.any(*kid),
                _ => {}
            }
        }
        self.b.leave_parent();
    }

    fn this_of(&self, object: SymIdx) -> This {
        match self.given {
            Given::No => This::Instance(object),
            Given::Somewhere => This::Unknown,
            Given::To(block) => This::Instance(block),
        }
    }

    fn pair(&mut self, object: SymIdx, node: Node<'t>, lead: Lead) -> SymIdx {
        let kids = self.s.kids(node);
        let (Some(key), Some(value)) = (kids.field(F::Key), kids.field(F::Value)) else {
            self.inside(node);
            return SymIdx::NONE;
        };
        let name = self.property_name(key);
        if let Some((function, cast)) = self.function_under(value) {
            let kind = SymbolKind::Method;
            let sym = self.declare_member(name, kind, Modifiers::default(), lead);
            let ty = cast.map(|k| self.ty(k)).unwrap_or_default();
            if let Some(s) = self.b.symbol_mut(sym) {
                s.ty = ty;
            }
            let own = self.own_name(function);
            let how = How {
                this: self.this_of(object),
                own,
                jsdoc: lead.jsdoc,
                ..How::expression(function)
            };
            let kids = self.s.kids(function.node);
            self.callable(sym, function.node, &kids, how);
            return sym;
        }
        let ty = self.jsdoc_type(lead.jsdoc);
        let sym = self.declare_member(name, SymbolKind::Field, Modifiers::default(), lead);
        self.b.enter_parent(sym);
        let value = self.value(value);
        self.b.leave_parent();
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
            s.value = value;
        }
        sym
    }

    fn object_method(&mut self, object: SymIdx, node: Node<'t>, lead: Lead) -> SymIdx {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            self.inside(node);
            return SymIdx::NONE;
        };
        let name = self.property_name(name);
        let kind = if kids.has(K::GetWord) {
            SymbolKind::Getter
        } else if kids.has(K::SetWord) {
            SymbolKind::Setter
        } else {
            SymbolKind::Method
        };
        let sym = self.declare_member(name, kind, Modifiers::default(), lead);
        let home = std::mem::replace(&mut self.home, object);
        let how = How {
            contextual: true,
            jsdoc: lead.jsdoc,
            ..How::member(self.this_of(object))
        };
        self.callable(sym, node, &kids, how);
        self.home = home;
        sym
    }

    fn spread_members(&mut self, object: SymIdx, node: Node<'t>) {
        let inner = self.s.kids(node).named().next();
        let Some(inner) = inner else {
            return;
        };
        let simple = matches!(
            inner.kind,
            K::Identifier | K::MemberExpression | K::This | K::CallExpression | K::Object
        );
        let value = self.expr(inner);
        let ty = self.b.ty(Ty::TypeOf(value));
        let kind = if simple {
            HeritageKind::Extends
        } else {
            HeritageKind::Dynamic
        };
        self.inherit(object, kind, ty);
    }

    // ---- interfaces and type literals ------------------------------------------------

    pub(super) fn interface(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let (name, span) = self.declared_name(&kids, &lead);
        let sym = self.declare(name, SymbolKind::Interface, span, &lead);
        self.flag(
            sym,
            Flags::default().with(Flags::PARTIAL, node.has_error()).0,
        );
        let home = self.home;
        let types = self.enter_type(sym, &kids);
        if let Some(clause) = kids.kind(K::ExtendsTypeClause) {
            let bases = self.s.kids(clause.node);
            for base in bases.named() {
                let ty = self.ty(base);
                self.inherit(sym, HeritageKind::Extends, ty);
            }
        }
        self.home = sym;
        if let Some(body) = kids.field(F::Body) {
            self.type_members(body.node);
        }
        self.leave_type(types);
        self.home = home;
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let (name, span) = self.declared_name(&kids, &lead);
        let sym = self.declare(name, SymbolKind::TypeAlias, span, &lead);
        let types = self.enter_type(sym, &kids);
        let ty = kids.field(F::Value).map(|k| self.ty(k)).unwrap_or_default();
        self.leave_type(types);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
        }
    }

    fn enter_type(&mut self, sym: SymIdx, kids: &Kids<'t>) -> usize {
        let types = self.type_names.len();
        self.b.enter_parent(sym);
        let scope = self.b.open_scope(sym, false);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
        }
        self.type_parameters(kids.field(F::TypeParameters), sym);
        types
    }

    fn leave_type(&mut self, types: usize) {
        self.b.close_scope();
        self.b.leave_parent();
        self.type_names.truncate(types);
    }

    /// A type written in place, unless it maps over keys.
    pub(super) fn object_type(&mut self, node: Node<'t>) -> TyIdx {
        let kids = self.s.kids(node);
        let mapped = kids.kind(K::IndexSignature);
        if let Some(mapped) = mapped
            && self.s.kids(mapped.node).has(K::MappedTypeClause)
        {
            self.mapped(mapped.node);
            return self.b.ty(Ty::Opaque);
        }
        let sym = self.object_symbol(node);
        self.b.enter_parent(sym);
        self.type_members(node);
        self.b.leave_parent();
        self.b.ty(Ty::Object(sym))
    }

    pub(super) fn object_symbol(&mut self, node: Node<'t>) -> SymIdx {
        let first = Span::new(node.start_byte(), node.start_byte() + 1);
        self.b
            .symbol(Name::EMPTY, SymbolKind::Object, span_of(node), first)
    }

    fn type_members(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.iter() {
            if kid.kind.is_comment() {
                self.doc = self.is_doc(kid.node);
                continue;
            }
            if !kid.node.is_named() {
                continue;
            }
            let lead = Lead {
                documented: std::mem::take(&mut self.doc),
                jsdoc: self.jsdoc.take(),
                ..Lead::plain(span_of(kid.node))
            };
            match kid.kind {
                K::PropertySignature => self.property_signature(kid.node, lead),
                K::MethodSignature => self.method_signature(kid.node, lead),
                K::CallSignature => self.operation(kid.node, "__call", lead),
                K::ConstructSignature => self.operation(kid.node, surefoot_facts::ops::NEW, lead),
                K::IndexSignature => self.index_signature(kid.node),
                _ => self.any(*kid),
            }
        }
    }

    fn property_signature(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let name = self.property_name(name);
        let modifiers = self.modifiers(&kids);
        let sym = self.declare_member(name, SymbolKind::Field, modifiers, lead);
        self.flag(sym, Flags::BODILESS);
        self.b.enter_parent(sym);
        let ty = kids.field(F::Type).map(|k| self.ty(k)).unwrap_or_default();
        self.b.leave_parent();
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
        }
    }

    fn method_signature(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let name = self.property_name(name);
        let modifiers = self.modifiers(&kids);
        let kind = if kids.has(K::GetWord) {
            SymbolKind::Getter
        } else if kids.has(K::SetWord) {
            SymbolKind::Setter
        } else {
            SymbolKind::Method
        };
        let sym = self.declare_member(name, kind, modifiers, lead);
        self.callable(sym, node, &kids, How::member(This::Unknown));
    }

    /// A signature without a name: what calling or constructing the value gives.
    pub(super) fn operation(&mut self, node: Node<'t>, name: &'static str, lead: Lead) {
        let kids = self.s.kids(node);
        let first = kids.first().map_or(lead.full, |k| span_of(k.node));
        let name = (Name::new(name), first);
        let sym = self.declare_member(name, SymbolKind::Method, Modifiers::default(), lead);
        self.callable(sym, node, &kids, How::member(This::Unknown));
    }

    pub(super) fn index_signature(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        if kids.has(K::MappedTypeClause) {
            return self.mapped(node);
        }
        let lead = Lead::plain(span_of(node));
        let first = kids.first().map_or(lead.full, |k| span_of(k.node));
        let modifiers = self.modifiers(&kids);
        let name = (Name::new("__index"), first);
        let sym = self.declare_member(name, SymbolKind::Method, modifiers, lead);
        self.flag(sym, Flags::BODILESS);
        self.b.enter_parent(sym);
        let key = kids
            .field(F::IndexType)
            .map(|k| self.ty(k))
            .unwrap_or_default();
        let result = kids
            .field(F::Type)
            .map(|k| self.type_inside(k.node))
            .unwrap_or_default();
        self.b.leave_parent();
        let name = kids.field(F::Name).map(|k| self.name_at(k.node));
        let signature = Signature {
            params: vec![Param {
                name: name.unwrap_or(Name::EMPTY),
                ty: key,
                optional: false,
                rest: false,
                binding: BindIdx::NONE,
                default: ExprIdx::UNKNOWN,
            }],
            result,
            ..Signature::default()
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.signature = Some(Box::new(signature));
        }
    }

    /// `[K in Keys]: T`: no rule reads it, but the types it names are named.
    fn mapped(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let types = self.type_names.len();
        if let Some(clause) = kids.kind(K::MappedTypeClause) {
            let kids = self.s.kids(clause.node);
            if let Some(name) = kids.field(F::Name) {
                let name = self.name_at(name.node);
                self.type_names.push(name);
            }
            for kid in kids
                .named()
                .filter(|k| matches!(k.field, F::Type | F::Alias))
            {
                self.ty(kid);
            }
        }
        if let Some(ty) = kids.field(F::Type) {
            self.type_inside(ty.node);
        }
        self.type_names.truncate(types);
    }

    // ---- enums -----------------------------------------------------------------------

    pub(super) fn enumeration(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let (name, span) = self.declared_name(&kids, &lead);
        let sym = self.declare(name, SymbolKind::Enum, span, &lead);
        let Some(body) = kids.field(F::Body) else {
            return;
        };
        self.b.enter_parent(sym);
        // Cases name each other without a path.
        let scope = self.b.open_scope(sym, false);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
        }
        let cases = self.s.kids(body.node);
        for case in cases.iter() {
            if case.kind.is_comment() {
                self.doc = self.is_doc(case.node);
                continue;
            }
            if !case.node.is_named() {
                continue;
            }
            let lead = Lead {
                documented: std::mem::take(&mut self.doc),
                jsdoc: self.jsdoc.take(),
                ..Lead::plain(span_of(case.node))
            };
            let (name, value) = match case.kind {
                K::EnumAssignment => {
                    let kids = self.s.kids(case.node);
                    (kids.field(F::Name), kids.field(F::Value))
                }
                _ if case.field == F::Name => (Some(*case), None),
                _ => {
                    self.any(*case);
                    continue;
                }
            };
            let Some(name) = name else {
                continue;
            };
            let name = self.property_name(name);
            let kind = SymbolKind::Variant;
            let variant = self.declare_member(name, kind, Modifiers::default(), lead);
            self.bind_symbol(scope, name.0, variant, name.1);
            let value = value.map(|k| self.value(k)).unwrap_or_default();
            if let Some(s) = self.b.symbol_mut(variant) {
                s.value = value;
            }
        }
        self.b.close_scope();
        self.b.leave_parent();
    }
}
