//! Classes: bases, what their bodies declare, and what methods give `self`.

use super::*;
use surefoot_facts::{BindKind, Heritage, HeritageKind, Ty};

/// An attribute that a method assigns to the receiver.
pub(super) struct Attribute {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) ty: TyIdx,
    pub(super) value: ExprIdx,
    /// False for a declaration without a value.
    pub(super) assigned: bool,
}

impl<'t> Walker<'t> {
    pub(super) fn class(&mut self, node: Node<'t>, decorators: &[Kid<'t>], full: Span) {
        self.down(|w| w.class_here(node, decorators, full));
    }

    fn class_here(&mut self, node: Node<'t>, decorators: &[Kid<'t>], full: Span) {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let (name, span) = (self.name_at(name.node), span_of(name.node));
        for kid in decorators {
            self.decorator(kid.node);
        }
        let sym = self.b.symbol(name, SymbolKind::Class, full, span);
        self.placed(sym, name);
        let body = kids.field(F::Body);
        let documented = body.is_some_and(|b| {
            let first = self.s.kids(b.node).named().next();
            first.is_some_and(|k| self.is_docstring(k))
        });
        let flags = Flags::default()
            .with(Flags::DOCUMENTED, documented)
            .with(Flags::PARTIAL, node.has_error());
        self.flag(sym, flags.0);
        let types = self.type_params.len();
        let scope = self.b.open_scope(sym, false);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
        }
        self.written_type_params(kids.field(F::TypeParameters), sym);
        let mut frame = Frame::new(Space::Class, sym);
        if let Some(list) = kids.field(F::Superclasses) {
            frame.enumeration = self.bases(sym, list.node);
        }
        self.b.enter_parent(sym);
        let conditions = std::mem::take(&mut self.conditions);
        let logic = self.logic.take();
        self.frames.push(frame);
        if let Some(body) = body {
            self.block(body);
        }
        if let Some(frame) = self.frames.pop() {
            self.settle_attributes(frame);
        }
        self.logic = logic;
        self.conditions = conditions;
        self.b.leave_parent();
        self.b.close_scope();
        self.type_params.truncate(types);
        self.bind_declared(name, span, sym);
    }

    /// The bases; true when they make an enumeration of the class.
    fn bases(&mut self, sym: SymIdx, list: Node<'t>) -> bool {
        let kids = self.s.kids(list);
        let around = std::mem::replace(&mut self.signature, sym);
        // `Generic[A, B]` says the order of the type parameters.
        let quiet = std::mem::replace(&mut self.quiet, true);
        for kid in kids.named().filter(|k| k.kind == K::Subscript) {
            let head = self.s.kids(kid.node).field(F::Value);
            let head = head.map_or("", |k| self.s.text(k.node));
            if matches!(last_word(head), "Generic" | "Protocol") {
                self.ty_value(kid);
            }
        }
        self.quiet = quiet;
        let mut enumeration = false;
        for kid in kids.named() {
            match kid.kind {
                K::Identifier | K::Attribute | K::Subscript => {
                    let text = self.s.text(kid.node);
                    let head = last_word(text.split('[').next().unwrap_or(text));
                    enumeration |=
                        matches!(head, "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag");
                    let ty = self.ty_value(kid);
                    if head == "Protocol" {
                        self.flag(sym, Flags::ABSTRACT);
                    }
                    if head != "Generic" {
                        self.inherit(sym, HeritageKind::Extends, ty);
                    }
                }
                K::KeywordArgument => {
                    if let Some(value) = self.s.kids(kid.node).field(F::Value) {
                        self.value(value);
                    }
                }
                K::Comment => {}
                _ => {
                    let value = self.value(kid);
                    let ty = self.b.ty(Ty::TypeOf(value));
                    self.inherit(sym, HeritageKind::Dynamic, ty);
                }
            }
        }
        self.signature = around;
        enumeration
    }

    fn inherit(&mut self, sym: SymIdx, kind: HeritageKind, ty: TyIdx) {
        if let Some(s) = self.b.symbol_mut(sym) {
            s.heritage.push(Heritage { kind, ty });
        }
    }

    /// A name the class body assigns.
    pub(super) fn class_variable(&mut self, name: Name, span: Span, ty: TyIdx, value: ExprIdx) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (class, enumeration) = (frame.sym, frame.enumeration);
        let before = frame.locals.get(&name).map(|s| s.all);
        let before = before
            .and_then(|b| b.get())
            .map(|i| self.b.item().bindings[i].kind);
        if let Some(BindKind::Symbol(sym)) = before {
            return self.another_value(sym, ty, value);
        }
        let sym = self.b.symbol(name, SymbolKind::Field, span, span);
        let private = name.text().starts_with('_');
        let ty = if enumeration && !private && value.is_known() && !ty.is_known() {
            self.b.ty(Ty::SelfType(class))
        } else {
            ty
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.visibility = Walker::visibility(name);
            (s.ty, s.value) = (ty, value);
        }
        self.declare_local(name, span, BindKind::Symbol(sym));
    }

    /// A member is given a value once more.
    fn another_value(&mut self, sym: SymIdx, ty: TyIdx, value: ExprIdx) {
        let Some(s) = self.b.item().symbol(sym) else {
            return;
        };
        if s.kind == SymbolKind::Field {
            let (old_ty, old) = (s.ty, s.value);
            let value = if old.is_known() && value.is_known() {
                self.one_of(&[old, value])
            } else if value.is_known() {
                value
            } else {
                old
            };
            if let Some(s) = self.b.symbol_mut(sym) {
                s.value = value;
                s.ty = if old_ty.is_known() { old_ty } else { ty };
                s.flags.set(Flags::REASSIGNED);
            }
        } else {
            self.flag(sym, Flags::REASSIGNED);
        }
    }

    /// Attributes become members: one for each name, whose value is one of all
    /// it is given.
    fn settle_attributes(&mut self, frame: Frame) {
        let mut at = 0;
        let all = frame.attributes;
        let mut done: Vec<Name> = Vec::new();
        while at < all.len() {
            let name = all[at].name;
            at += 1;
            if done.contains(&name) {
                continue;
            }
            done.push(name);
            let same = || all.iter().filter(|a| a.name == name);
            let ty = same()
                .map(|a| a.ty)
                .find(|t| t.is_known())
                .unwrap_or_default();
            let values: SmallVec<[ExprIdx; 4]> =
                same().filter(|a| a.assigned).map(|a| a.value).collect();
            let own = frame.locals.get(&name).and_then(|s| s.all.get());
            if let Some(i) = own
                && let BindKind::Symbol(sym) = self.b.item().bindings[i].kind
            {
                let kind = self.b.item().symbol(sym).map(|s| s.kind);
                // Giving a property a value runs its setter.
                if matches!(kind, Some(SymbolKind::Getter | SymbolKind::Setter)) {
                    continue;
                }
                for value in values {
                    self.another_value(sym, ty, value);
                }
                continue;
            }
            let value = self.one_of(&values);
            let span = all[at - 1].span;
            let sym = self.b.symbol(name, SymbolKind::Field, span, span);
            if let Some(s) = self.b.symbol_mut(sym) {
                s.visibility = Walker::visibility(name);
                (s.ty, s.value) = (ty, value);
                if values.len() > 1 {
                    s.flags.set(Flags::REASSIGNED);
                }
            }
        }
    }
}

pub(super) fn last_word(text: &str) -> &str {
    text.rsplit('.').next().unwrap_or(text).trim()
}
