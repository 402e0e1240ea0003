//! Functions, methods and lambdas: signature, body, and what the body does with
//! its parameters.

use super::*;
use surefoot_facts::{BindKind, List, Signature, TypeParam};

/// What decorators say of a function.
#[derive(Default)]
struct Decorated {
    flags: Flags,
    kind: Option<SymbolKind>,
    /// Calls of other decorators, outermost first.
    others: SmallVec<[ExprIdx; 2]>,
    any: bool,
    /// `staticmethod`: no parameter is the receiver.
    without_receiver: bool,
}

impl<'t> Walker<'t> {
    pub(super) fn function(&mut self, node: Node<'t>, decorators: &[Kid<'t>], full: Span) {
        self.down(|w| w.function_here(node, decorators, full));
    }

    fn function_here(&mut self, node: Node<'t>, decorators: &[Kid<'t>], full: Span) {
        let kids = self.s.kids(node);
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let (name, span) = (self.name_at(name.node), span_of(name.node));
        let class = self.frames.last().filter(|f| f.space == Space::Class);
        let class = class.map_or(SymIdx::NONE, |f| f.sym);
        let member = !class.is_none();
        let says = self.decorations(decorators, member);
        let kind = match says.kind {
            Some(kind) if member => kind,
            _ if !member => SymbolKind::Function,
            _ if name.text() == "__init__" => SymbolKind::Constructor,
            _ => SymbolKind::Method,
        };
        let global = self
            .frames
            .last()
            .is_some_and(|f| f.globals.contains(&name));
        if global {
            self.b.enter_parent(SymIdx::NONE);
        }
        let sym = self.b.symbol(name, kind, full, span);
        if global {
            self.b.leave_parent();
        }
        self.placed(sym, name);
        let body = kids.field(F::Body);
        let documented = body.is_some_and(|b| {
            let first = self.s.kids(b.node).named().next();
            first.is_some_and(|k| self.is_docstring(k))
        });
        let flags = says
            .flags
            .with(Flags::ASYNC, kids.has(K::AsyncWord))
            .with(Flags::DOCUMENTED, documented)
            .with(Flags::DECORATED, says.any)
            .with(Flags::PARTIAL, node.has_error());
        self.flag(sym, flags.0);
        // `__new__` and `__class_getitem__` are given the class without being told so.
        let implicit = matches!(
            name.text(),
            "__new__" | "__init_subclass__" | "__class_getitem__"
        );
        if member && implicit {
            self.flag(sym, Flags::STATIC);
        }
        let receiver = member && (implicit || !says.without_receiver);
        self.callable(sym, &kids, class, receiver);
        if !says.others.is_empty() {
            self.decorated_value(sym, &says.others);
        }
        self.bind_declared(name, span, sym);
    }

    /// What stands for the function under its name: what its decorators made of it.
    fn decorated_value(&mut self, sym: SymIdx, others: &[ExprIdx]) {
        let mut value = self.b.expr(Expr::Lambda(sym));
        for call in others.iter().rev() {
            let args = self.b.exprs(&[value]);
            if let Expr::Call { callee, site, .. } = self.b.get_expr(*call) {
                self.b.set_expr(*call, Expr::Call { callee, args, site });
            }
            value = *call;
        }
        if let Some(s) = self.b.symbol_mut(sym) {
            s.value = value;
        }
    }

    fn decorations(&mut self, decorators: &[Kid<'t>], member: bool) -> Decorated {
        let mut out = Decorated::default();
        for kid in decorators {
            let text = self.s.text(kid.node);
            let head = text.trim_start_matches('@').trim();
            let head = head.split(['(', '\n', ' ']).next().unwrap_or(head);
            let last = head.rsplit('.').next().unwrap_or(head);
            let made = self.decorator(kid.node);
            match last {
                "staticmethod" if member => {
                    out.flags.set(Flags::STATIC);
                    out.without_receiver = true;
                }
                "classmethod" if member => out.flags.set(Flags::STATIC),
                "property" | "cached_property" | "abstractproperty" if member => {
                    out.kind = Some(SymbolKind::Getter);
                }
                "getter" if member && head.contains('.') => out.kind = Some(SymbolKind::Getter),
                "setter" | "deleter" if member && head.contains('.') => {
                    out.kind = Some(SymbolKind::Setter);
                }
                "abstractmethod" => out.flags.set(Flags::ABSTRACT),
                "overload" => out.flags.set(Flags::BODILESS),
                "override" => out.flags.set(Flags::OVERRIDE),
                "final" => {}
                _ => {
                    out.any = true;
                    out.others.push(made);
                }
            }
        }
        out
    }

    /// `lambda a, b=1: ..`
    pub(super) fn lambda(&mut self, node: Node<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        let kids = self.s.kids(node);
        let full = span_of(node);
        let first = Span::new(node.start_byte(), node.start_byte() + 6);
        let sym = self.b.symbol(Name::EMPTY, SymbolKind::Lambda, full, first);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.context = context;
        }
        let written = self.written(kids.field(F::ParametersField));
        let scope = self.b.open_scope(sym, false);
        self.b.enter_parent(sym);
        self.b.enter_caller(sym);
        let nesting = self.nesting().saturating_add(1);
        let mut frame = Frame::new(Space::Lambda, sym);
        frame.nesting = nesting;
        self.frames.push(frame);
        let logic = self.logic.take();
        let params = self.bind_parameters(sym, written, false, true);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
            s.complexity.cyclomatic = 1;
        }
        let value = kids.field(F::Body).map(|k| self.value(k));
        self.logic = logic;
        let frame = self.frames.pop();
        let mut returns = frame.map(|f| f.returns).unwrap_or_default();
        returns.extend(value);
        let returns = self.b.exprs(&returns);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.signature = Some(Box::new(Signature {
                params,
                returns,
                ..Signature::default()
            }));
        }
        self.b.leave_caller();
        self.b.leave_parent();
        self.b.close_scope();
        let cyclomatic = self
            .b
            .item()
            .symbol(sym)
            .map_or(1, |s| s.complexity.cyclomatic);
        let named = self.b.caller();
        if let Some(s) = self.b.symbol_mut(named) {
            s.complexity.closures += cyclomatic;
            s.complexity.closure_count += 1;
        }
        self.b.expr(Expr::Lambda(sym))
    }

    fn callable(&mut self, sym: SymIdx, kids: &Kids<'t>, class: SymIdx, receiver: bool) {
        let types = self.type_params.len();
        let scope = self.b.open_scope(sym, false);
        let around = std::mem::replace(&mut self.signature, sym);
        self.written_type_params(kids.field(F::TypeParameters), sym);
        let written = self.written(kids.field(F::ParametersField));
        let result = kids
            .field(F::ReturnType)
            .map(|k| self.ty(k))
            .unwrap_or_default();
        self.signature = SymIdx::NONE;
        self.b.enter_parent(sym);
        self.b.enter_caller(sym);
        let mut frame = Frame::new(Space::Function, sym);
        frame.class = class;
        let body = kids.field(F::Body);
        let bound = body.map(|b| self.bound_in(b)).unwrap_or_default();
        self.frames.push(frame);
        let (logic, paths) = (self.logic.take(), std::mem::take(&mut self.paths));
        let receiver_type = match written.first() {
            Some(first) if receiver => first.ty,
            _ => TyIdx::UNKNOWN,
        };
        let params = self.bind_parameters(sym, written, receiver, false);
        self.bind_locals(bound);
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
            s.complexity.cyclomatic = 1;
        }
        if let Some(body) = body {
            self.note_stub(sym, body);
            self.note_overwritten(sym, body, &params);
            self.block(body);
            let ends = !self.ends(body);
            if ends {
                // Falling off the end gives None.
                let none = self.none();
                let nothing = self.frames.last().is_some_and(|f| f.returns.is_empty());
                if nothing {
                    self.returns(none);
                }
            }
        }
        (self.logic, self.paths) = (logic, paths);
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        self.settle_locals(&mut frame);
        if frame.generator {
            self.flag(sym, Flags::GENERATOR);
        }
        let mut result = result;
        let mut all = std::mem::take(&mut frame.returns);
        all.dedup();
        // `return self` gives what the method was called on, whatever derives.
        if !result.is_known() && !frame.generator && self.is_receiver(&frame, &all) {
            result = self.b.ty(surefoot_facts::Ty::SelfType(class));
        }
        let returns = if result.is_known() {
            List::default()
        } else {
            self.b.exprs(&all)
        };
        let signature = Signature {
            params,
            result,
            returns,
            receiver: receiver_type,
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.signature = Some(Box::new(signature));
        }
        self.b.leave_caller();
        self.b.leave_parent();
        self.b.close_scope();
        self.signature = around;
        self.type_params.truncate(types);
    }

    /// Whether all that a method gives is the receiver, which it never assigns.
    fn is_receiver(&self, frame: &Frame, returns: &[ExprIdx]) -> bool {
        let slot = frame.receiver.and_then(|name| frame.locals.get(&name));
        slot.is_some_and(|slot| {
            let own = |e: &ExprIdx| self.b.get_expr(*e) == Expr::Local(slot.all);
            slot.count == 1 && !returns.is_empty() && returns.iter().all(own)
        })
    }

    /// Whether the end of a body is never reached.
    fn ends(&mut self, body: Kid<'t>) -> bool {
        let last = self.s.kids(body.node).named().last();
        last.is_some_and(|k| self.leaves(k))
    }

    /// The names the body binds, before any of it is read.
    fn bind_locals(&mut self, bound: locals::Bound) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return;
        };
        for name in &bound.nonlocals {
            let outer = self.frames[..at].iter_mut().rev().find_map(|f| {
                (f.space == Space::Function)
                    .then(|| f.locals.get_mut(name))
                    .flatten()
            });
            if let Some(slot) = outer {
                slot.shared = true;
            }
        }
        let frame = &mut self.frames[at];
        frame.globals = bound.globals;
        frame.nonlocals = bound.nonlocals;
        frame.spots = bound.spots;
        for i in 0..self.frames[at].spots.len() {
            let (name, start) = self.frames[at].spots[i];
            let frame = &mut self.frames[at];
            if frame.globals.contains(&name) || frame.nonlocals.contains(&name) {
                continue;
            }
            if let Some(slot) = frame.locals.get_mut(&name) {
                slot.count += 1;
                continue;
            }
            let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
            let span = Span {
                start,
                end: start + name.text().len() as u32,
            };
            let all = self.b.bind(name, BindKind::Local, ty, value, span, true);
            let slot = bindings::Slot::new(all, BindIdx::NONE, 1);
            self.frames[at].locals.insert(name, slot);
        }
    }

    /// Nothing, a docstring, `...`, or nothing but a raise.
    fn note_stub(&mut self, sym: SymIdx, body: Kid<'t>) {
        let kids = self.s.kids(body.node);
        let stub = kids.named().all(|k| match k.kind {
            K::PassStatement | K::RaiseStatement => true,
            K::ExpressionStatement => {
                let inner = self.s.kids(k.node).named().next();
                inner.is_none_or(|k| {
                    matches!(k.kind, K::Ellipsis | K::StringNode | K::ConcatenatedString)
                })
            }
            _ => false,
        });
        if stub {
            self.flag(sym, Flags::STUB);
        }
    }

    /// `p = ..` as a statement of the body itself: unless something reads `p`
    /// before, the incoming value never counts.
    fn note_overwritten(&mut self, sym: SymIdx, body: Kid<'t>, params: &[surefoot_facts::Param]) {
        if params.is_empty() {
            return;
        }
        let kids = self.s.kids(body.node);
        for kid in kids.named().filter(|k| k.kind == K::ExpressionStatement) {
            let inner = self.s.kids(kid.node).named().next();
            let Some(assignment) = inner.filter(|k| k.kind == K::Assignment) else {
                continue;
            };
            let parts = self.s.kids(assignment.node);
            let (Some(left), Some(_)) = (parts.field(F::Left), parts.field(F::Right)) else {
                continue;
            };
            if left.kind != K::Identifier {
                continue;
            }
            let name = self.name_at(left.node);
            if let Some(index) = params.iter().position(|p| p.name == name) {
                self.b
                    .overwrites(sym, index as u16, kid.node.end_byte() as u32);
            }
        }
    }

    // ---- type parameters -----------------------------------------------------------

    /// `def f[T: B]`, `class A[T]`
    pub(super) fn written_type_params(&mut self, list: Option<Kid<'t>>, sym: SymIdx) {
        let Some(list) = list else {
            return;
        };
        let kids = self.s.kids(list.node);
        for kid in kids.named() {
            let mut at = kid;
            let mut limit = None;
            // `type` around an identifier, or a constrained one.
            loop {
                let parts = self.s.kids(at.node);
                match at.kind {
                    K::Identifier => break,
                    K::ConstrainedType => {
                        limit = parts.named().nth(1);
                        match parts.named().next() {
                            Some(first) => at = first,
                            None => break,
                        }
                    }
                    _ => match parts.named().next() {
                        Some(first) => at = first,
                        None => break,
                    },
                }
            }
            if at.kind == K::Identifier {
                let limit = limit.map(|k| self.ty(k)).unwrap_or_default();
                let (name, span) = (self.name_at(at.node), span_of(at.node));
                self.type_param(name, span, sym, limit);
            }
        }
    }

    pub(super) fn type_param(&mut self, name: Name, span: Span, of: SymIdx, limit: TyIdx) {
        let bounds = if limit.is_known() {
            self.b.types(&[limit])
        } else {
            List::default()
        };
        let Some(symbol) = self.b.symbol_mut(of) else {
            return;
        };
        let index = symbol.type_params.len() as u16;
        symbol.type_params.push(TypeParam {
            name,
            bounds,
            default: TyIdx::UNKNOWN,
        });
        let kind = BindKind::TypeParam { of, index };
        let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
        let at = self.b.bind(name, kind, ty, value, span, true);
        self.type_params.push((name, at));
    }
}
