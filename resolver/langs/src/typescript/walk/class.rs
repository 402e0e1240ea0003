//! Classes: what they extend, their members, and what `this` is inside.

use super::function::{How, Property};
use super::*;
use surefoot_facts::{Heritage, HeritageKind, Ty, Visibility};

/// The words before a member's name.
#[derive(Clone, Copy, Default)]
pub(super) struct Modifiers {
    pub(super) visibility: Visibility,
    pub(super) flags: Flags,
    /// On a constructor parameter: it declares a member.
    pub(super) makes_property: bool,
}

impl<'t> Walker<'t> {
    pub(super) fn modifiers(&mut self, kids: &[Kid<'t>]) -> Modifiers {
        let mut out = Modifiers::default();
        for kid in kids {
            match kid.kind {
                K::AccessibilityModifier => {
                    out.makes_property = true;
                    out.visibility = match self.s.text(kid.node) {
                        "private" => Visibility::Private,
                        "protected" => Visibility::Protected,
                        _ => Visibility::Public,
                    };
                }
                K::OverrideModifier => {
                    out.makes_property = true;
                    out.flags.set(Flags::OVERRIDE);
                }
                K::ReadonlyWord => {
                    out.makes_property = true;
                    out.flags.set(Flags::READONLY);
                }
                K::StaticWord => out.flags.set(Flags::STATIC),
                K::AbstractWord => out.flags.set(Flags::ABSTRACT),
                K::Question => out.flags.set(Flags::OPTIONAL),
                _ => {}
            }
        }
        out
    }

    pub(super) fn class_declaration(&mut self, kid: Kid<'t>, lead: Lead) {
        let kids = self.s.kids(kid.node);
        let (name, span) = self.declared_name(&kids, &lead);
        let sym = self.declare(name, SymbolKind::Class, span, &lead);
        self.class(sym, kid.node, kid.kind == K::Class);
    }

    /// A class whose symbol is declared. `expression`: its own name, when it
    /// has one, is seen only inside.
    pub(super) fn class(&mut self, sym: SymIdx, node: Node<'t>, expression: bool) {
        self.down(|w| w.class_here(sym, node, expression));
    }

    fn class_here(&mut self, sym: SymIdx, node: Node<'t>, expression: bool) {
        let kids = self.s.kids(node);
        for kid in kids.iter().filter(|k| k.kind == K::Decorator) {
            self.decorator(kid.node);
            self.flag(sym, Flags::DECORATED);
        }
        let flags = Flags::default()
            .with(Flags::ABSTRACT, kids.has(K::AbstractWord))
            .with(Flags::PARTIAL, node.has_error());
        self.flag(sym, flags.0);
        let (this, home, block) = (self.this, self.home, self.block);
        let (types, logic) = (self.type_names.len(), self.logic.take());
        let given = std::mem::take(&mut self.given);
        self.b.enter_parent(sym);
        let scope = self.b.open_scope(sym, false);
        self.block = scope;
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
        }
        if expression && let Some(name) = kids.field(F::Name) {
            let word = self.name_at(name.node);
            self.bind_symbol(scope, word, sym, span_of(name.node));
        }
        self.type_parameters(kids.field(F::TypeParameters), sym);
        if let Some(heritage) = kids.kind(K::ClassHeritage) {
            self.class_heritage(sym, heritage.node);
        }
        self.home = sym;
        if let Some(body) = kids.field(F::Body) {
            self.class_body(sym, body.node);
        }
        self.b.close_scope();
        self.b.leave_parent();
        self.type_names.truncate(types);
        self.given = given;
        (self.this, self.home, self.block, self.logic) = (this, home, block, logic);
    }

    fn class_heritage(&mut self, sym: SymIdx, node: Node<'t>) {
        let clauses = self.s.kids(node);
        for clause in clauses.named() {
            let kids = self.s.kids(clause.node);
            if clause.kind == K::ImplementsClause {
                for kid in kids.named() {
                    let ty = self.ty(kid);
                    self.inherit(sym, HeritageKind::Implements, ty);
                }
            } else if clause.kind == K::ExtendsClause {
                for (i, kid) in kids.iter().enumerate() {
                    if kid.field != F::Value {
                        continue;
                    }
                    let args = kids.get(i + 1).filter(|k| k.field == F::TypeArguments);
                    self.extends(sym, *kid, args.copied());
                }
            } else {
                self.inside(clause.node);
            }
        }
    }

    pub(super) fn inherit(&mut self, sym: SymIdx, kind: HeritageKind, ty: TyIdx) {
        if let Some(s) = self.b.symbol_mut(sym) {
            s.heritage.push(Heritage { kind, ty });
        }
    }

    fn extends(&mut self, sym: SymIdx, base: Kid<'t>, args: Option<Kid<'t>>) {
        let named = matches!(base.kind, K::Identifier | K::MemberExpression);
        if !named {
            let value = self.value(base);
            let ty = self.b.ty(Ty::TypeOf(value));
            if let Some(args) = args {
                self.type_list(args.node);
            }
            return self.inherit(sym, HeritageKind::Dynamic, ty);
        }
        let (path, name, span) = self.named(base);
        self.site(SiteKind::Type, name, path, span);
        let args = args.map(|k| self.type_list(k.node)).unwrap_or_default();
        let args = self.b.types(&args);
        let ty = self.b.ty(Ty::Named { path, args });
        self.inherit(sym, HeritageKind::Extends, ty);
    }

    fn class_body(&mut self, class: SymIdx, node: Node<'t>) {
        let kids = self.s.kids(node);
        let mut decorated = None;
        for kid in kids.iter() {
            if kid.kind.is_comment() {
                self.doc = self.is_doc(kid.node);
                continue;
            }
            if kid.kind == K::Decorator {
                self.this = This::Static(class);
                self.decorator(kid.node);
                decorated.get_or_insert(kid.node.start_byte());
                continue;
            }
            if !kid.node.is_named() {
                continue;
            }
            let start = decorated.take();
            let full = Span::new(start.unwrap_or(kid.node.start_byte()), kid.node.end_byte());
            let lead = Lead {
                documented: std::mem::take(&mut self.doc),
                jsdoc: self.jsdoc.take(),
                decorated: start.is_some(),
                ..Lead::plain(full)
            };
            match kid.kind {
                K::MethodDefinition | K::MethodSignature | K::AbstractMethodSignature => {
                    self.method(class, kid.node, lead);
                }
                K::PublicFieldDefinition => self.field(class, kid.node, lead),
                K::ClassStaticBlock => self.static_block(class, kid.node, lead),
                K::IndexSignature => {
                    self.index_signature(kid.node);
                }
                K::Error => self.error(kid.node),
                _ => self.any(*kid),
            }
        }
    }

    /// A member of the innermost type, by its words.
    pub(super) fn declare_member(
        &mut self,
        name: (Name, Span),
        kind: SymbolKind,
        modifiers: Modifiers,
        lead: Lead,
    ) -> SymIdx {
        let sym = self.b.symbol(name.0, kind, lead.full, name.1);
        let private = name.0.text().starts_with('#');
        if let Some(s) = self.b.symbol_mut(sym) {
            s.visibility = if private {
                Visibility::Private
            } else {
                modifiers.visibility
            };
            s.flags = modifiers
                .flags
                .with(Flags::DOCUMENTED, lead.documented)
                .with(Flags::DECORATED, lead.decorated);
        }
        if self.ambient {
            self.flag(sym, Flags::EXTERN);
        }
        sym
    }

    fn this_in(&self, class: SymIdx, modifiers: Modifiers) -> This {
        if modifiers.flags.has(Flags::STATIC) {
            This::Static(class)
        } else {
            This::Instance(class)
        }
    }

    fn method(&mut self, class: SymIdx, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let modifiers = self.modifiers(&kids);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let name = self.property_name(name);
        let is_static = modifiers.flags.has(Flags::STATIC);
        let kind = if kids.has(K::GetWord) {
            SymbolKind::Getter
        } else if kids.has(K::SetWord) {
            SymbolKind::Setter
        } else if !is_static && name.0.text() == "constructor" {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
        let sym = self.declare_member(name, kind, modifiers, lead);
        let how = How {
            jsdoc: lead.jsdoc,
            ..How::member(self.this_in(class, modifiers))
        };
        let properties = self.callable(sym, node, &kids, how);
        for property in properties {
            self.parameter_property(property);
        }
    }

    fn parameter_property(&mut self, p: Property) {
        let kind = SymbolKind::Field;
        let sym = self.declare_member((p.name, p.span), kind, p.modifiers, Lead::plain(p.full));
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = p.ty;
            s.value = p.value;
        }
    }

    fn field(&mut self, class: SymIdx, node: Node<'t>, mut lead: Lead) {
        let kids = self.s.kids(node);
        self.this = This::Static(class);
        for kid in kids.iter().filter(|k| k.kind == K::Decorator) {
            self.decorator(kid.node);
            lead.decorated = true;
        }
        let modifiers = self.modifiers(&kids);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let name = self.property_name(name);
        let this = self.this_in(class, modifiers);
        self.this = this;
        let ty = match kids.field(F::Type) {
            Some(ty) => self.ty(ty),
            None => self.jsdoc_type(lead.jsdoc),
        };
        let value = kids.field(F::Value);
        if let Some(value) = value
            && let Some((function, cast)) = self.function_under(value)
        {
            let sym = self.declare_member(name, SymbolKind::Method, modifiers, lead);
            self.flag(sym, Flags::PROPERTY);
            let cast = cast.map(|k| self.ty(k)).unwrap_or_default();
            let ty = if ty.is_known() { ty } else { cast };
            if let Some(s) = self.b.symbol_mut(sym) {
                s.ty = ty;
            }
            let own = self.own_name(function);
            let how = How {
                this,
                contextual: ty.is_known(),
                own,
                jsdoc: lead.jsdoc,
                ..How::expression(function)
            };
            let kids = self.s.kids(function.node);
            self.callable(sym, function.node, &kids, how);
            return;
        }
        let sym = self.declare_member(name, SymbolKind::Field, modifiers, lead);
        self.b.enter_parent(sym);
        let value = value.map(|k| self.value(k)).unwrap_or_default();
        self.b.leave_parent();
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
            s.value = value;
        }
    }

    /// `static { .. }`: runs when the class is made, a caller of its own.
    fn static_block(&mut self, class: SymIdx, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let word = kids.first().map_or(lead.full, |k| span_of(k.node));
        let kind = SymbolKind::Initializer;
        let sym = self.declare_member((Name::EMPTY, word), kind, Modifiers::default(), lead);
        self.flag(sym, Flags::STATIC);
        self.callable(sym, node, &kids, How::member(This::Static(class)));
    }
}
