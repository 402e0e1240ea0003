//! What an assignment to a member declares: exports of a module, members of
//! prototypes, of functions and of objects, fields of `this`.
//!
//! Members given outside the type they belong to stand in a block (`Impl`) that
//! says what it is for: `F` for what instances have, `typeof F` for what the
//! value itself has. The engine finds blocks by the name they are for.

use super::class::Modifiers;
use super::function::How;
use super::module::entry;
use super::*;
use surefoot_facts::{HeritageKind, ImportKind, Ty, names};

/// What an assignment's left side names, when that declares something.
#[derive(Clone, Copy)]
pub(super) enum Place<'t> {
    /// `module.exports`
    Whole,
    /// `exports` itself, beside `module.exports` or for nothing.
    Ignored,
    /// `exports.name`
    Export(Name, Span),
    /// `exports.name` where the module is what was assigned to `module.exports`.
    OfWhole(Name, Span),
    /// `F.prototype.name`
    OfInstances(Kid<'t>, Name, Span),
    /// `F.prototype`
    Prototype(Kid<'t>),
    /// `F.name`
    OfValue(Kid<'t>, Name, Span),
    /// `this.name`
    OfThis(SymIdx, Name, Span),
}

impl<'t> Walker<'t> {
    // ---- what is assigned to --------------------------------------------------------

    pub(super) fn is_global(&mut self, kid: Kid<'t>, word: &'static str) -> bool {
        kid.kind == K::Identifier && self.s.text(kid.node) == word && {
            let name = self.name_of(word);
            self.b.lookup(name).is_none()
        }
    }

    /// Whether an expression is what the module exports.
    pub(super) fn is_exports(&mut self, kid: Kid<'t>) -> bool {
        if kid.kind == K::MemberExpression {
            let kids = self.s.kids(kid.node);
            let (Some(object), Some(property)) =
                (kids.field(F::ObjectField), kids.field(F::Property))
            else {
                return false;
            };
            return self.s.text(property.node) == "exports" && self.is_global(object, "module");
        }
        if self.is_global(kid, "exports") {
            return true;
        }
        kid.kind == K::Identifier
            && self.common.aliases.contains(self.s.text(kid.node))
            && self.is_free(kid)
    }

    fn is_free(&mut self, kid: Kid<'t>) -> bool {
        let name = self.name_at(kid.node);
        self.b.lookup(name).is_none()
    }

    /// `F` of `F.prototype`, or of a name that stands for it.
    fn prototype_of(&mut self, kid: Kid<'t>) -> Option<Kid<'t>> {
        if kid.kind == K::Identifier {
            let class = self.common.prototypes.get(self.s.text(kid.node)).copied()?;
            return self.is_free(kid).then_some(class);
        }
        if kid.kind != K::MemberExpression {
            return None;
        }
        let kids = self.s.kids(kid.node);
        let property = kids.field(F::Property)?;
        if self.s.text(property.node) != "prototype" {
            return None;
        }
        kids.field(F::ObjectField).filter(|k| self.is_path(*k))
    }

    /// Names and dots alone.
    fn is_path(&mut self, kid: Kid<'t>) -> bool {
        let mut at = kid;
        while at.kind == K::MemberExpression {
            match self.s.kids(at.node).field(F::ObjectField) {
                Some(object) => at = object,
                None => return false,
            }
        }
        at.kind == K::Identifier
    }

    pub(super) fn place(&mut self, left: Kid<'t>) -> Option<Place<'t>> {
        if left.kind == K::SubscriptExpression {
            return self.computed_place(left);
        }
        if left.kind != K::MemberExpression {
            return self.is_global(left, "exports").then_some(Place::Ignored);
        }
        if self.is_exports(left) {
            return Some(Place::Whole);
        }
        let kids = self.s.kids(left.node);
        let object = kids.field(F::ObjectField)?;
        let property = kids.field(F::Property)?;
        let (name, span) = (self.name_at(property.node), span_of(property.node));
        if object.kind == K::This {
            return match self.this {
                This::Instance(owner) if self.this_declares(owner) => {
                    Some(Place::OfThis(owner, name, span))
                }
                _ => None,
            };
        }
        if self.is_exports(object) {
            return Some(if self.common.whole {
                Place::OfWhole(name, span)
            } else {
                Place::Export(name, span)
            });
        }
        if let Some(class) = self.prototype_of(object) {
            return Some(Place::OfInstances(class, name, span));
        }
        if !self.is_path(object) {
            return None;
        }
        if name.text() == "prototype" {
            return Some(Place::Prototype(object));
        }
        let held = object.kind != K::Identifier || {
            let name = self.name_at(object.node);
            let bound = self.b.lookup(name).and_then(|b| b.get());
            bound.is_none_or(|i| matches!(self.b.item().bindings[i].kind, BindKind::Symbol(_)))
        };
        held.then_some(Place::OfValue(object, name, span))
    }

    /// `F.prototype[key]`, `f[key]`: a function given there knows what `this` is.
    fn computed_place(&mut self, left: Kid<'t>) -> Option<Place<'t>> {
        let object = self.s.kids(left.node).field(F::ObjectField)?;
        let span = span_of(left.node);
        if let Some(class) = self.prototype_of(object) {
            return Some(Place::OfInstances(class, Name::EMPTY, span));
        }
        let free = object.kind == K::Identifier && self.is_free(object);
        free.then_some(Place::OfValue(object, Name::EMPTY, span))
    }

    /// Assigning to `this` declares fields where nothing else declares them.
    fn this_declares(&self, owner: SymIdx) -> bool {
        let kind = self.b.item().symbol(owner).map(|s| s.kind);
        self.script || kind == Some(SymbolKind::Class)
    }

    // ---- assignments ----------------------------------------------------------------

    /// An assignment with `=`; a chain of them gives every target the one value.
    pub(super) fn assignment(&mut self, node: Node<'t>) -> ExprIdx {
        let mut lefts: SmallVec<[Kid<'t>; 2]> = SmallVec::new();
        let mut at = node;
        let right = loop {
            let kids = self.s.kids(at);
            lefts.extend(kids.field(F::Left));
            match kids.field(F::Right) {
                Some(right) if right.kind == K::AssignmentExpression => at = right.node,
                right => break right,
            }
        };
        let function = right.is_some_and(|r| self.function_under(r).is_some());
        let places: SmallVec<[Option<Place<'t>>; 2]> = lefts
            .iter()
            .map(|k| {
                self.place(*k)
                    .filter(|_| function || k.kind != K::SubscriptExpression)
            })
            .collect();
        for (left, place) in lefts.iter().zip(&places) {
            match place {
                None => {
                    self.writes_value = left.kind == K::Identifier;
                    self.assign_target(*left, Access::Write);
                    self.writes_value = false;
                }
                // What is assigned to is named, and nothing more.
                _ if left.kind == K::SubscriptExpression => {
                    let member = self.subscript(left.node).1;
                    if !self.script {
                        self.b.assigns(member);
                    }
                }
                Some(Place::OfValue(object, name, _)) => {
                    self.expr(*object);
                    if !self.script {
                        self.b.assigns(*name);
                    }
                }
                _ => {}
            }
        }
        let Some(right) = right else {
            return ExprIdx::UNKNOWN;
        };
        // `exports.a = void 0` says only that there will be one.
        let nothing = matches!(right.kind, K::Undefined | K::Null)
            || right.kind == K::UnaryExpression && self.s.text(right.node).starts_with("void");
        let mut places = places
            .into_iter()
            .flatten()
            .filter(|p| !nothing || matches!(p, Place::OfThis(..)));
        let first = places.find(|p| !matches!(p, Place::Ignored));
        let Some(first) = first else {
            let value = self.value(right);
            for left in lefts.iter().filter(|k| k.kind == K::Identifier) {
                let name = self.name_at(left.node);
                if let Some(at) = self.original(name) {
                    self.written.push((at, value));
                }
            }
            return value;
        };
        let lead = Lead {
            documented: std::mem::take(&mut self.doc),
            jsdoc: self.jsdoc.take(),
            ..Lead::plain(span_of(node))
        };
        let value = self.declare_at(first, right, lead);
        for place in places {
            self.stand_for(place, value, lead);
        }
        value
    }

    /// What names and dots alone, or a function, a class or an object give
    /// may be called through the member; a number may not.
    fn worth(&mut self, value: Kid<'t>) -> bool {
        !matches!(
            value.kind,
            K::StringNode
                | K::TemplateString
                | K::Number
                | K::True
                | K::False
                | K::Null
                | K::Undefined
                | K::Regex
                | K::UnaryExpression
                | K::BinaryExpression
                | K::UpdateExpression
        )
    }

    /// Declares what `place = value` declares; gives the value.
    fn declare_at(&mut self, place: Place<'t>, value: Kid<'t>, lead: Lead) -> ExprIdx {
        if let Place::Prototype(class) = place {
            return self.whole_prototype(class, value, lead);
        }
        let method_of_this = matches!(place, Place::OfThis(..)) && !self.script;
        if let Some((function, cast)) = self.function_under(value)
            && !method_of_this
        {
            let own = self.own_name(function);
            let ty = cast.map(|k| self.ty(k)).unwrap_or_default();
            return self.at_place(place, lead, |w, this, name| {
                let whole = matches!(place, Place::Whole);
                let (name, span) = own.filter(|_| whole).unwrap_or(name);
                let kind = match place {
                    Place::Whole | Place::Export(..) => SymbolKind::Function,
                    _ if name.is_empty() => SymbolKind::Lambda,
                    _ => SymbolKind::Method,
                };
                let sym = w.declare_member((name, span), kind, Modifiers::default(), lead);
                if let Some(s) = w.b.symbol_mut(sym) {
                    s.ty = ty;
                }
                w.flag_place(sym, place);
                // By convention what is written large is constructed.
                let large = name.text().starts_with(|c: char| c.is_ascii_uppercase());
                let how = How {
                    this: this.filter(|_| !large).unwrap_or(This::Instance(sym)),
                    own,
                    jsdoc: lead.jsdoc,
                    ..How::expression(function)
                };
                let kids = w.s.kids(function.node);
                w.callable(sym, function.node, &kids, how);
                let value = w.b.expr(Expr::Lambda(sym));
                if let Place::OfThis(owner, ..) = place {
                    w.given_methods.push(sym);
                    w.assigned.push(fields::Assigned {
                        owner,
                        name,
                        field: sym,
                        values: vec![(value, true)],
                    });
                }
                value
            });
        }
        if value.kind == K::Class {
            let kids = self.s.kids(value.node);
            let own = kids
                .field(F::Name)
                .map(|k| (self.name_at(k.node), span_of(k.node)));
            return self.at_place(place, lead, |w, _, name| {
                let whole = matches!(place, Place::Whole);
                let (name, span) = own.filter(|_| whole).unwrap_or(name);
                let kind = SymbolKind::Class;
                let sym = w.declare_member((name, span), kind, Modifiers::default(), lead);
                w.flag_place(sym, place);
                w.class(sym, value.node, true);
                w.b.expr(Expr::SelfType(sym))
            });
        }
        if matches!(place, Place::Whole | Place::Export(..)) && value.kind == K::Identifier {
            let read = self.read(value.node);
            let word = self.name_at(value.node);
            self.value_site(read, word, span_of(value.node));
            if self.is_free(value) {
                self.export_name(place, word, lead.full);
                return read;
            }
            return self.at_place(place, lead, |w, _, name| w.hold(place, name, read, lead));
        }
        match place {
            Place::OfThis(owner, name, span) => {
                let read = self.value(value);
                self.assign_field(owner, (name, span), read, lead);
                read
            }
            Place::OfValue(..) | Place::OfInstances(..) if !self.worth(value) => self.value(value),
            _ => self.at_place(place, lead, |w, _, name| {
                // The symbol stands before what stands in its value.
                let sym = w.held(place, name, lead);
                w.b.enter_parent(sym);
                let read = w.value(value);
                w.b.leave_parent();
                if let Some(s) = w.b.symbol_mut(sym) {
                    s.value = read;
                }
                read
            }),
        }
    }

    /// A further target of a chain: it holds what the first was given.
    fn stand_for(&mut self, place: Place<'t>, value: ExprIdx, lead: Lead) {
        match place {
            Place::Ignored => {}
            Place::Prototype(class) => {
                let ty = self.class_type(class);
                let base = self.b.ty(Ty::TypeOf(value));
                self.members_of(lead.full, ty, |w, block| {
                    w.inherit(block, HeritageKind::Extends, base);
                });
            }
            Place::OfThis(owner, name, span) => self.assign_field(owner, (name, span), value, lead),
            Place::Whole | Place::Export(..)
                if let Expr::Free { name, .. } = self.b.get_expr(value)
                    && self.b.lookup(name).is_none() =>
            {
                self.export_name(place, name, lead.full);
            }
            _ => {
                self.at_place(place, lead, |w, _, name| w.hold(place, name, value, lead));
            }
        }
    }

    /// Gives the other targets of `var x = a.b = value` the name `x`.
    pub(super) fn also_named(&mut self, lefts: &[Kid<'t>], word: Name, span: Span, full: Span) {
        for left in lefts {
            let place = self.place(*left);
            let value = self.b.name(word, span, Access::Read);
            match place {
                Some(place) => self.stand_for(place, value, Lead::plain(full)),
                None => self.assign_target(*left, Access::Write),
            }
        }
    }

    /// `exports.local = name`: the module's own name is exported.
    fn export_name(&mut self, place: Place<'t>, name: Name, full: Span) {
        let local = match place {
            Place::Export(local, _) => local,
            _ => names::export_assign(),
        };
        let mut alias = entry(ImportKind::Export, local, name, Name::EMPTY);
        (alias.binds, alias.exported) = (false, true);
        self.module_import(alias, full);
        if matches!(place, Place::Export(..)) {
            self.module_is_whole(full);
        }
    }

    fn hold(
        &mut self,
        place: Place<'t>,
        name: (Name, Span),
        value: ExprIdx,
        lead: Lead,
    ) -> ExprIdx {
        let sym = self.held(place, name, lead);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.value = value;
        }
        value
    }

    fn held(&mut self, place: Place<'t>, name: (Name, Span), lead: Lead) -> SymIdx {
        let kind = match place {
            Place::Whole | Place::Export(..) => SymbolKind::Variable,
            _ => SymbolKind::Field,
        };
        let ty = self.jsdoc_type(lead.jsdoc);
        let sym = self.declare_member(name, kind, Modifiers::default(), lead);
        self.flag_place(sym, place);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
        }
        sym
    }

    fn flag_place(&mut self, sym: SymIdx, place: Place<'t>) {
        match place {
            Place::Whole => self.flag(sym, Flags::EXPORT_ASSIGN),
            Place::Export(..) => self.flag(sym, Flags::EXPORTED | Flags::UNBOUND),
            _ => {}
        }
    }

    /// Declares under what `place` names; the closure is told what `this` is in
    /// a function given there (`None`: an instance of that function) and the
    /// name and its token.
    fn at_place<R>(
        &mut self,
        place: Place<'t>,
        lead: Lead,
        inside: impl FnOnce(&mut Self, Option<This>, (Name, Span)) -> R,
    ) -> R {
        match place {
            Place::Whole | Place::Ignored | Place::Prototype(_) => {
                let start = lead.full.start as usize;
                let span = Span::new(start, start + 1);
                let name = (self.name_of("module.exports"), span);
                self.in_module_table(|w| inside(w, None, name))
            }
            Place::Export(name, span) => {
                self.module_is_whole(lead.full);
                self.in_module_table(|w| inside(w, None, (name, span)))
            }
            Place::OfWhole(name, span) => {
                let module = self.module_expr();
                let whole = names::export_assign();
                let path = self.b.expr(Expr::Member {
                    base: module,
                    name: whole,
                });
                let ty = self.b.ty(Ty::TypeOf(path));
                self.members_of(lead.full, ty, |w, block| {
                    inside(w, Some(This::Instance(block)), (name, span))
                })
            }
            Place::OfInstances(class, name, span) => {
                let ty = self.class_type(class);
                self.members_of(lead.full, ty, |w, block| {
                    inside(w, Some(This::Instance(block)), (name, span))
                })
            }
            Place::OfValue(object, name, span) => {
                let value = self.expr(object);
                let ty = self.b.ty(Ty::TypeOf(value));
                self.members_of(lead.full, ty, |w, block| {
                    inside(w, Some(This::Instance(block)), (name, span))
                })
            }
            Place::OfThis(owner, name, span) => {
                let this = self.this;
                self.b.enter_parent(owner);
                let out = inside(self, Some(this), (name, span));
                self.b.leave_parent();
                out
            }
        }
    }

    /// The module itself, as a value.
    pub(super) fn module_expr(&mut self) -> ExprIdx {
        self.b.expr(Expr::ModuleUp {
            scope: ScopeIdx(0),
            up: 0,
        })
    }

    fn in_module_table<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.b.enter_parent(SymIdx::NONE);
        let out = inside(self);
        self.b.leave_parent();
        out
    }

    /// An entry of the module's table, wherever it is written.
    fn module_import(&mut self, import: surefoot_facts::Import, span: Span) {
        self.b.module_import(import, span);
    }

    /// `require` of this module gives the module as it stands.
    fn module_is_whole(&mut self, span: Span) {
        let whole = names::export_assign();
        let mut itself = entry(ImportKind::Path, whole, whole, Name::EMPTY);
        itself.path = self.module_expr();
        (itself.binds, itself.exported) = (false, true);
        self.module_import(itself, span);
    }

    // ---- blocks ---------------------------------------------------------------------

    fn members_of<R>(
        &mut self,
        full: Span,
        ty: TyIdx,
        inside: impl FnOnce(&mut Self, SymIdx) -> R,
    ) -> R {
        let first = Span::new(full.start as usize, full.start as usize + 1);
        let block = self.b.symbol(Name::EMPTY, SymbolKind::Impl, full, first);
        self.inherit(block, HeritageKind::SelfType, ty);
        self.b.enter_parent(block);
        let out = inside(self, block);
        self.b.leave_parent();
        out
    }

    /// The instances of `F`, by its path.
    fn class_type(&mut self, class: Kid<'t>) -> TyIdx {
        let path = self.expr(class);
        let args = self.b.types(&[]);
        self.b.ty(Ty::Named { path, args })
    }

    /// `F.prototype = ..`
    fn whole_prototype(&mut self, class: Kid<'t>, value: Kid<'t>, lead: Lead) -> ExprIdx {
        let ty = self.class_type(class);
        if value.kind == K::Object {
            self.members_of(lead.full, ty, |w, block| {
                w.object_members(block, value.node);
            });
        } else {
            let read = self.value(value);
            let base = self.prototype_type(value);
            self.members_of(lead.full, ty, |w, block| match base {
                Some(base) => w.inherit(block, HeritageKind::Extends, base),
                None => {
                    let base = w.b.ty(Ty::TypeOf(read));
                    w.inherit(block, HeritageKind::Dynamic, base);
                }
            });
        }
        let name = self.name_of("prototype");
        let base = self.expr(class);
        self.b.expr(Expr::Member { base, name })
    }

    /// The type whose members an object used as a prototype has.
    pub(super) fn prototype_type(&mut self, value: Kid<'t>) -> Option<TyIdx> {
        if let Some(class) = self.prototype_of(value) {
            return Some(self.class_type(class));
        }
        match value.kind {
            K::NewExpression => {
                let class = self.s.kids(value.node).field(F::Constructor)?;
                self.is_path(class).then(|| self.class_type(class))
            }
            K::CallExpression => {
                let kids = self.s.kids(value.node);
                let function = kids.field(F::FunctionField)?;
                if self.s.text(function.node) != "Object.create" {
                    return None;
                }
                let args = self.s.kids(kids.field(F::Arguments)?.node);
                let first = args.named().next()?;
                self.prototype_type(first)
            }
            K::Identifier | K::MemberExpression => {
                let value = self.expr(value);
                Some(self.b.ty(Ty::TypeOf(value)))
            }
            _ => None,
        }
    }

    /// `Object.create(p)` is an object of its own, with what `p` has.
    pub(super) fn created(&mut self, call: Node<'t>) -> Option<ExprIdx> {
        let kids = self.s.kids(call);
        let function = kids.field(F::FunctionField)?;
        if self.s.text(function.node) != "Object.create" {
            return None;
        }
        let args = self.s.kids(kids.field(F::Arguments)?.node);
        let first = args.named().next()?;
        let base = match first.kind {
            K::Null => None,
            _ => Some(self.prototype_type(first)?),
        };
        let sym = self.object_symbol(call);
        if let Some(base) = base {
            self.inherit(sym, HeritageKind::Extends, base);
        }
        Some(self.b.expr(Expr::Object(sym)))
    }

    /// Calls that give one thing the members of another:
    /// `Object.assign(F.prototype, {..})`, `util.inherits(A, B)`.
    pub(super) fn mixes(&mut self, function: Kid<'t>, args: Node<'t>) -> Option<Mix> {
        let text = self.s.text(function.node);
        let kids = self.s.kids(args);
        match text {
            "util.inherits" | "inherits" | "Object.setPrototypeOf" => {
                let mut both = kids.named();
                let (a, b) = (both.next()?, both.next()?);
                let (a, b) = match text {
                    "Object.setPrototypeOf" => (self.prototype_of(a)?, self.prototype_of(b)?),
                    _ => (a, b),
                };
                if !self.is_path(a) || !self.is_path(b) {
                    return None;
                }
                let ty = self.class_type(a);
                let base = self.class_type(b);
                self.members_of(span_of(args), ty, |w, block| {
                    w.inherit(block, HeritageKind::Extends, base);
                });
                None
            }
            "Object.assign" => {
                let target = kids.named().next()?;
                let ty = if let Some(class) = self.prototype_of(target) {
                    self.class_type(class)
                } else if self.is_exports(target) && self.common.whole {
                    let base = self.module_expr();
                    let name = names::export_assign();
                    let path = self.b.expr(Expr::Member { base, name });
                    self.b.ty(Ty::TypeOf(path))
                } else if target.kind == K::Identifier {
                    let value = self.expr(target);
                    let bound = match self.b.get_expr(value) {
                        Expr::Free { name, .. } => self.b.lookup(name).and_then(|b| b.get()),
                        _ => None,
                    };
                    let kinds = bound.map(|i| self.b.item().bindings[i].kind);
                    if !matches!(kinds, None | Some(BindKind::Symbol(_))) {
                        return None;
                    }
                    self.b.ty(Ty::TypeOf(value))
                } else {
                    return None;
                };
                let block = self.members_of(span_of(args), ty, |_, block| block);
                Some(Mix { block })
            }
            _ => None,
        }
    }

    /// The block of a mixing call has what its other arguments have.
    pub(super) fn mixed(&mut self, mix: Mix, args: &[ExprIdx]) {
        for arg in args.iter().skip(1) {
            let ty = self.b.ty(Ty::TypeOf(*arg));
            let kind = match self.b.get_expr(*arg) {
                Expr::Object(_) | Expr::Free { .. } | Expr::Member { .. } | Expr::Import { .. } => {
                    HeritageKind::Extends
                }
                _ => HeritageKind::Dynamic,
            };
            self.inherit(mix.block, kind, ty);
        }
    }
}

/// A call that mixes members into what its block is for.
#[derive(Clone, Copy)]
pub(super) struct Mix {
    pub(super) block: SymIdx,
}
