//! Declarations other than callables and imports.

use super::attrs::Attrs;
use super::walk::{Kid, Kids, Node, Place, Walk};
use super::words::{F, K};
use smallvec::SmallVec;
use surefoot_facts::{
    Expr, ExprIdx, Flags, Heritage, HeritageKind, Name, Span, SymIdx, Ty, TyIdx, Visibility,
};
use surefoot_graph::{SiteKind, SymbolKind};

impl<'t> Walk<'t, '_> {
    /// One declaration, wherever it stands.
    pub(super) fn declaration(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let outer = (self.s.test, self.s.unread_allowed, self.s.nesting);
        self.s.test |= attrs.cfg_test;
        self.s.unread_allowed |= attrs.allows_unread;
        self.s.nesting = 0;
        self.level((), |w| match kid.kind {
            K::Function | K::FunctionSignature => w.function(kid, attrs, place),
            K::Struct | K::Union => w.structure(kid, attrs, place),
            K::Enum => w.enumeration(kid, attrs, place),
            K::Trait => w.trait_item(kid.node, attrs, place),
            K::Impl => w.impl_item(kid.node, attrs, place),
            K::Mod => w.module(kid.node, attrs, place),
            K::ForeignMod => w.foreign(kid.node, attrs),
            K::ConstItem | K::Static => w.constant(kid, attrs, place),
            K::TypeItem | K::AssocType => w.type_item(kid.node, attrs, place),
            K::Use => w.use_declaration(kid.node, attrs),
            K::ExternCrate => w.extern_crate(kid.node, attrs),
            K::MacroDefinition => w.macro_definition(kid.node, attrs, place),
            _ => {}
        });
        (self.s.test, self.s.unread_allowed, self.s.nesting) = outer;
    }

    /// The declarations between braces.
    pub(super) fn declarations(&mut self, kids: &Kids<'t>, place: Place) {
        let mut before: SmallVec<[Node<'t>; 4]> = SmallVec::new();
        for kid in kids.iter() {
            match kid.kind {
                K::AttributeItem => before.push(kid.node),
                K::LineComment | K::BlockComment => {
                    if self.is_outer_doc(kid.node) {
                        before.push(kid.node);
                    }
                }
                K::InnerAttribute | K::EmptyStatement => {}
                K::Error => {
                    before.clear();
                    let inside = self.syn.kids(kid.node);
                    self.in_error(|w| w.level((), |w| w.declarations(&inside, place)));
                }
                _ if !kid.node.is_named() => {}
                _ => {
                    let attrs = self.attrs(&before);
                    self.statement(*kid, &attrs, place);
                    before.clear();
                }
            }
        }
    }

    fn body(&mut self, kids: &Kids<'t>) -> Option<Kids<'t>> {
        let body = kids.field(F::Body)?;
        Some(self.syn.kids(body.node))
    }

    fn named(&self, kids: &Kids<'t>) -> Option<(Name, Span)> {
        kids.field(F::Name).map(|k| self.name(k.node))
    }

    fn derives(&mut self, of: SymIdx, attrs: &Attrs<'t>) {
        for path in &attrs.derives {
            let mut segments = path.iter();
            let Some(&(first, span)) = segments.next() else {
                continue;
            };
            let mut at = self.s.b.name(first, span, surefoot_facts::Access::Type);
            let mut last = (first, span);
            for &(name, span) in segments {
                at = self
                    .s
                    .b
                    .expr(surefoot_facts::Expr::Scoped { base: at, name });
                last = (name, span);
            }
            self.site(SiteKind::Type, last.0, at, last.1);
            let args = surefoot_facts::List::default();
            let ty = self.s.b.ty(Ty::Named { path: at, args });
            self.heritage(of, HeritageKind::Derive, ty);
        }
    }

    fn heritage(&mut self, of: SymIdx, kind: HeritageKind, ty: TyIdx) {
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.heritage.push(Heritage { kind, ty });
        }
    }

    /// Runs `f` where `Self` means `of`.
    fn as_self<T>(&mut self, of: SymIdx, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.s.self_type, of);
        let out = f(self);
        self.s.self_type = outer;
        out
    }

    // ---- types -----------------------------------------------------------------------

    fn structure(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(kid.node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let kind = match kid.kind {
            K::Union => SymbolKind::Union,
            _ => SymbolKind::Struct,
        };
        let visibility = self.visibility(&kids);
        let of = self.declare(kind, name, kid.node, attrs, place, visibility);
        self.derives(of, attrs);
        self.as_self(of, |w| {
            w.inside(of, place, |w| {
                let mut generics = w.type_parameters(&kids, of);
                let tuple = kids
                    .field(F::Body)
                    .is_some_and(|b| b.kind == K::OrderedFields);
                if tuple {
                    w.fields(&kids, of);
                }
                w.where_clause(&kids, &mut generics);
                if !tuple {
                    w.fields(&kids, of);
                }
                w.close_generics(of, generics);
            });
        });
    }

    /// The fields of a struct, union or variant; without named ones it is
    /// constructed by a call.
    fn fields(&mut self, kids: &Kids<'t>, of: SymIdx) {
        let body = kids.field(F::Body);
        if body.is_none_or(|b| b.kind != K::FieldList) {
            self.flag(of, Flags::TUPLE_LIKE);
        }
        let Some(body) = body else {
            return;
        };
        let list = self.syn.kids(body.node);
        let mut before: SmallVec<[Node<'t>; 4]> = SmallVec::new();
        let mut visibility = None;
        let mut index = 0;
        for kid in list.iter() {
            match kid.kind {
                K::AttributeItem => before.push(kid.node),
                K::LineComment | K::BlockComment if self.is_outer_doc(kid.node) => {
                    before.push(kid.node);
                }
                K::Visibility => visibility = Some(kid.node),
                K::FieldDeclaration => {
                    let attrs = self.attrs(&before);
                    before.clear();
                    self.field(kid.node, &attrs);
                }
                _ if kid.field == F::Type => {
                    let attrs = self.attrs(&before);
                    before.clear();
                    let first = visibility.take();
                    let seen = match first {
                        Some(_) => self.visibility(&list),
                        None => Visibility::Private,
                    };
                    let name = (Name::new(&index.to_string()), self.span(kid.node));
                    index += 1;
                    let field = self.declare(
                        SymbolKind::Field,
                        name,
                        kid.node,
                        &attrs,
                        Place::Impl { of_trait: false },
                        seen,
                    );
                    let ty = self.ty(*kid);
                    if let Some(symbol) = self.s.b.symbol_mut(field) {
                        symbol.ty = ty;
                    }
                }
                K::Error => {
                    before.clear();
                    let inside = self.syn.kids(kid.node);
                    self.in_error(|w| {
                        for k in inside.iter().filter(|k| k.kind == K::FieldDeclaration) {
                            w.field(k.node, &Attrs::default());
                        }
                    });
                }
                _ => {}
            }
        }
    }

    fn field(&mut self, node: Node<'t>, attrs: &Attrs<'t>) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = self.visibility(&kids);
        let place = Place::Impl { of_trait: false };
        let field = self.declare(SymbolKind::Field, name, node, attrs, place, visibility);
        let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
        if let Some(symbol) = self.s.b.symbol_mut(field) {
            symbol.ty = ty;
        }
    }

    fn enumeration(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(kid.node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = self.visibility(&kids);
        let of = self.declare(SymbolKind::Enum, name, kid.node, attrs, place, visibility);
        self.derives(of, attrs);
        self.as_self(of, |w| {
            w.inside(of, place, |w| {
                let mut generics = w.type_parameters(&kids, of);
                w.where_clause(&kids, &mut generics);
                let body = w.body(&kids);
                let mut before: SmallVec<[Node<'t>; 4]> = SmallVec::new();
                for kid in body.iter().flat_map(|b| b.iter()) {
                    match kid.kind {
                        K::AttributeItem => before.push(kid.node),
                        K::LineComment | K::BlockComment if w.is_outer_doc(kid.node) => {
                            before.push(kid.node);
                        }
                        K::EnumVariant => {
                            let attrs = w.attrs(&before);
                            before.clear();
                            w.variant(kid.node, &attrs);
                        }
                        _ => {}
                    }
                }
                w.close_generics(of, generics);
            });
        });
    }

    fn variant(&mut self, node: Node<'t>, attrs: &Attrs<'t>) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let place = Place::Impl { of_trait: true };
        let of = self.declare(
            SymbolKind::Variant,
            name,
            node,
            attrs,
            place,
            Visibility::Public,
        );
        self.s.b.enter_parent(of);
        let first = self.s.b.item().symbols.len();
        self.fields(&kids, of);
        self.s.b.leave_parent();
        // A variant's fields are as visible as the enum.
        for at in first..self.s.b.item().symbols.len() {
            if let Some(field) = self.s.b.symbol_mut(SymIdx(at as u32)) {
                field.visibility = Visibility::Public;
            }
        }
        if let Some(value) = kids.field(F::Value) {
            let value = self.expr(value);
            if let Some(symbol) = self.s.b.symbol_mut(of) {
                symbol.value = value;
            }
        }
    }

    /// `type A = B;` at module level, in a body, in an impl; `type A: B;` in a trait.
    fn type_item(&mut self, node: Node<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let member = matches!(place, Place::Trait | Place::Impl { .. });
        let kind = match member {
            true => SymbolKind::AssocType,
            false => SymbolKind::TypeAlias,
        };
        let visibility = self.member_visibility(&kids, place);
        let of = self.declare(kind, name, node, attrs, place, visibility);
        self.inside(of, place, |w| {
            let mut generics = w.type_parameters(&kids, of);
            for bound in w.bounds(&kids) {
                w.heritage(of, HeritageKind::Extends, bound);
            }
            let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| w.ty(k));
            w.where_clause(&kids, &mut generics);
            if let Some(symbol) = w.s.b.symbol_mut(of) {
                symbol.ty = ty;
                symbol.flags = symbol.flags.with(Flags::BODILESS, !ty.is_known());
            }
            w.close_generics(of, generics);
        });
    }

    /// What is declared in a trait or its implementation is as visible as the trait.
    pub(super) fn member_visibility(&mut self, kids: &Kids<'t>, place: Place) -> Visibility {
        match place {
            Place::Trait | Place::Impl { of_trait: true } => Visibility::Public,
            _ => self.visibility(kids),
        }
    }

    fn trait_item(&mut self, node: Node<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = self.visibility(&kids);
        let of = self.declare(SymbolKind::Trait, name, node, attrs, place, visibility);
        self.as_self(of, |w| {
            w.inside(of, place, |w| {
                let mut generics = w.type_parameters(&kids, of);
                for bound in w.bounds(&kids) {
                    w.heritage(of, HeritageKind::Extends, bound);
                }
                w.where_clause(&kids, &mut generics);
                for bound in std::mem::take(&mut generics.on_self) {
                    w.heritage(of, HeritageKind::Extends, bound);
                }
                w.close_generics(of, generics);
                if let Some(body) = w.body(&kids) {
                    w.declarations(&body, Place::Trait);
                }
            });
        });
    }

    fn impl_item(&mut self, node: Node<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(node);
        let Some(target) = kids.field(F::Type) else {
            return;
        };
        let name = self.last_name(target);
        let of = self.declare(
            SymbolKind::Impl,
            name,
            node,
            attrs,
            place,
            Visibility::Public,
        );
        self.as_self(of, |w| {
            w.inside(of, place, |w| {
                let mut generics = w.type_parameters(&kids, of);
                let negative = kids.has(K::Bang);
                if let Some(kid) = kids.field(F::Trait) {
                    let ty = w.ty(kid);
                    if !negative {
                        w.heritage(of, HeritageKind::Trait, ty);
                    }
                }
                let ty = w.ty(target);
                w.heritage(of, HeritageKind::SelfType, ty);
                w.where_clause(&kids, &mut generics);
                w.close_generics(of, generics);
                if let Some(body) = w.body(&kids) {
                    let of_trait = kids.field(F::Trait).is_some();
                    w.declarations(&body, Place::Impl { of_trait });
                }
            });
        });
    }

    /// The last name of a type, for lookup: `Vec` of `&[std::vec::Vec<T>]`.
    fn last_name(&mut self, kid: Kid<'t>) -> (Name, Span) {
        let mut at = kid;
        for _ in 0..crate::driver::MAX_DEPTH {
            let next = match at.kind {
                K::TypeIdentifier | K::Identifier | K::Primitive => return self.name(at.node),
                K::GenericType | K::ReferenceType | K::PointerType => {
                    self.syn.kids(at.node).field(F::Type)
                }
                K::ScopedType | K::ScopedIdentifier => self.syn.kids(at.node).field(F::Name),
                K::ArrayType => self.syn.kids(at.node).field(F::Element),
                K::DynType => self.syn.kids(at.node).field(F::Trait),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        (Name::EMPTY, self.span(kid.node))
    }

    // ---- modules ---------------------------------------------------------------------

    fn module(&mut self, node: Node<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = self.visibility(&kids);
        let of = self.declare(SymbolKind::Module, name, node, attrs, place, visibility);
        if attrs.macro_use {
            self.macros_of(name, attrs);
        }
        let body = self.body(&kids);
        let Some(body) = body else {
            if let Some(symbol) = self.s.b.symbol_mut(of) {
                symbol.file_module = Some(attrs.path.unwrap_or(Name::EMPTY));
            }
            return;
        };
        // `#[path]` on an inline module moves the files of the modules in it.
        if attrs.path.is_some()
            && let Some(symbol) = self.s.b.symbol_mut(of)
        {
            symbol.flags.set(Flags::DECORATED);
        }
        let inner: SmallVec<[Node<'t>; 4]> = body
            .iter()
            .filter(|k| self.is_inner(k))
            .map(|k| k.node)
            .collect();
        let head = self.attrs(&inner);
        let outer = (self.s.test, self.s.unread_allowed, self.s.self_type);
        self.s.test |= head.cfg_test;
        self.s.unread_allowed |= head.allows_unread;
        self.s.self_type = SymIdx::NONE;
        if head.flags.has(Flags::DOCUMENTED) {
            self.flag(of, Flags::DOCUMENTED);
        }
        self.s.b.enter_parent(of);
        self.s.b.enter_caller(of);
        let scope = self.s.b.open_scope(of, true);
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.scope = scope;
        }
        self.declarations(&body, Place::Module);
        self.s.b.close_scope();
        self.s.b.leave_caller();
        self.s.b.leave_parent();
        (self.s.test, self.s.unread_allowed, self.s.self_type) = outer;
    }

    fn foreign(&mut self, node: Node<'t>, attrs: &Attrs<'t>) {
        let kids = self.syn.kids(node);
        // What a tool generates the other side of is no C, whatever the block says.
        let generated = attrs.flags.0 & Flags::WASM_BINDGEN;
        let joint = match generated {
            0 => Flags::C_ABI,
            generated => generated,
        };
        if let Some(body) = self.body(&kids) {
            let around = std::mem::replace(&mut self.s.extern_joint, joint);
            self.declarations(&body, Place::Extern);
            self.s.extern_joint = around;
        }
    }

    /// `const` and `static`, wherever they stand.
    fn constant(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(kid.node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = self.member_visibility(&kids, place);
        // `const _: () = ..;` names nothing, its value still runs at compile time.
        let of = match name.0.text() {
            "_" => SymIdx::NONE,
            _ => self.declare(
                SymbolKind::Variable,
                name,
                kid.node,
                attrs,
                place,
                visibility,
            ),
        };
        let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
        let value = match kids.field(F::Value) {
            Some(value) => {
                self.s.b.open_scope(of, false);
                if place == Place::Body {
                    self.s.b.seal_scope();
                }
                let value = self.expr(value);
                self.s.b.close_scope();
                value
            }
            None => ExprIdx::UNKNOWN,
        };
        let bodiless = kids.field(F::Value).is_none();
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            (symbol.ty, symbol.value) = (ty, value);
            symbol.flags = symbol
                .flags
                .with(Flags::BODILESS, bodiless)
                .with(Flags::EXTERN, place == Place::Extern)
                .with(Flags::READONLY, kid.kind == K::ConstItem)
                .with(Flags::REASSIGNED, kids.has(K::Mutable));
        }
    }

    /// `macro_rules!`: a symbol. What it expands to depends on where it is used,
    /// so nothing in its rules is read as code: names before parentheses may be
    /// called, and in a body the locals around may be read.
    fn macro_definition(&mut self, node: Node<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(node);
        let Some(name) = self.named(&kids) else {
            return;
        };
        let visibility = match attrs.flags.has(Flags::MACRO_EXPORT) {
            true => Visibility::Public,
            false => Visibility::Package,
        };
        let of = self.declare(SymbolKind::Macro, name, node, attrs, place, visibility);
        let rules: Vec<Node<'t>> = kids
            .iter()
            .filter(|k| k.kind == K::MacroRule)
            .filter_map(|k| self.syn.kids(k.node).field(F::Right))
            .map(|k| k.node)
            .collect();
        if let [only] = rules[..]
            && let Some(condition) = super::macros::wraps(self.syn.text(only))
        {
            let value = self.s.b.expr(Expr::When {
                condition: Name::new(&condition),
                then: ExprIdx::UNKNOWN,
                other: ExprIdx::UNKNOWN,
            });
            if let Some(symbol) = self.s.b.symbol_mut(of) {
                symbol.value = value;
            }
        }
        self.s.b.enter_caller(of);
        self.s.b.open_scope(of, false);
        let outer = std::mem::replace(&mut self.s.rules, true);
        for right in rules {
            self.loose(right, super::tokens::UNREAD);
        }
        self.s.rules = outer;
        self.s.b.close_scope();
        self.s.b.leave_caller();
    }
}
