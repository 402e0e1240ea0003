//! Callables: parameters, result, body, and what the body does with them.

use super::jsdoc::Written;
use super::*;
use surefoot_facts::{Param, ParamUse, Signature, TypeParam};

/// How a callable stands in the text.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) this: This,
    pub(super) arrow: bool,
    /// Parameters without a written type take theirs from where it stands.
    pub(super) contextual: bool,
    /// The name a function expression calls itself by.
    pub(super) own: Option<(Name, Span)>,
    /// The comment that writes its types.
    pub(super) jsdoc: Option<Span>,
}

impl How {
    pub(super) fn member(this: This) -> How {
        How {
            this,
            arrow: false,
            contextual: false,
            own: None,
            jsdoc: None,
        }
    }

    pub(super) fn expression(function: Kid<'_>) -> How {
        How {
            this: This::Unknown,
            arrow: function.kind == K::ArrowFunction,
            contextual: true,
            own: None,
            jsdoc: None,
        }
    }
}

/// A constructor parameter that is also a member of the class.
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) full: Span,
    pub(super) ty: TyIdx,
    pub(super) value: ExprIdx,
    pub(super) modifiers: class::Modifiers,
}

/// The state of the walker that a body replaces.
struct Around {
    this: This,
    block: ScopeIdx,
    logic: Option<K>,
    given: Given,
    type_names: usize,
    refined: usize,
}

#[derive(Default)]
struct Parameters {
    list: Vec<Param>,
    properties: Vec<Property>,
    receiver: TyIdx,
    defaults: bool,
    named: SmallVec<[(Name, u16); 4]>,
    uses: Vec<ParamUse>,
}

impl<'t> Walker<'t> {
    pub(super) fn function_declaration(&mut self, node: Node<'t>, lead: Lead) {
        let kids = self.s.kids(node);
        let (name, span) = self.declared_name(&kids, &lead);
        let sym = self.declare(name, SymbolKind::Function, span, &lead);
        let how = How {
            jsdoc: lead.jsdoc,
            ..How::member(self.this_of_function(sym))
        };
        self.callable(sym, node, &kids, how);
    }

    /// What `this` is in a function bound to a name: what constructing it makes.
    pub(super) fn this_of_function(&self, sym: SymIdx) -> This {
        if self.script {
            This::Instance(sym)
        } else {
            This::Unknown
        }
    }

    /// The name a function expression calls itself by.
    pub(super) fn own_name(&mut self, function: Kid<'t>) -> Option<(Name, Span)> {
        if function.kind == K::ArrowFunction {
            return None;
        }
        let name = self.s.kids(function.node).field(F::Name)?;
        Some((self.name_at(name.node), span_of(name.node)))
    }

    /// The name a declaration writes, or `default` where it writes none.
    pub(super) fn declared_name(&mut self, kids: &Kids<'t>, lead: &Lead) -> (Name, Span) {
        match kids.field(F::Name) {
            Some(name) => (self.name_at(name.node), span_of(name.node)),
            None => {
                let span = lead.default.unwrap_or(lead.full);
                (self.name_of("default"), span)
            }
        }
    }

    /// A function expression: a lambda, or a function by its own name.
    pub(super) fn lambda(&mut self, kid: Kid<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        let kids = self.s.kids(kid.node);
        let full = span_of(kid.node);
        let own = self.own_name(kid);
        let sym = match own {
            Some((name, span)) => self.b.symbol(name, SymbolKind::Function, full, span),
            None => {
                let first = kids.first().map_or(full, |k| span_of(k.node));
                self.b.symbol(Name::EMPTY, SymbolKind::Lambda, full, first)
            }
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.context = context;
        }
        let how = How {
            own,
            ..How::expression(kid)
        };
        self.callable(sym, kid.node, &kids, how);
        let value = self.b.expr(Expr::Lambda(sym));
        // A function by its own name that is given to a call is named there.
        if let (Some((name, span)), Some(_)) = (own, context) {
            self.site(SiteKind::Value, name, value, span);
        }
        value
    }

    /// Reads a callable whose symbol is declared; returns the members its
    /// parameters declare.
    pub(super) fn callable(
        &mut self,
        sym: SymIdx,
        node: Node<'t>,
        kids: &Kids<'t>,
        how: How,
    ) -> Vec<Property> {
        self.down(|w| w.callable_here(sym, node, kids, how))
    }

    fn callable_here(
        &mut self,
        sym: SymIdx,
        node: Node<'t>,
        kids: &Kids<'t>,
        how: How,
    ) -> Vec<Property> {
        let body = kids.field(F::Body);
        let around = Around {
            this: self.this,
            block: self.block,
            logic: self.logic.take(),
            given: std::mem::take(&mut self.given),
            type_names: self.type_names.len(),
            refined: self.refined.len(),
        };
        let starred = kids.has(K::Star)
            || matches!(
                self.s.kind(node),
                K::GeneratorFunction | K::GeneratorFunctionDeclaration
            );
        let flags = Flags::default()
            .with(Flags::ASYNC, kids.has(K::AsyncWord))
            .with(Flags::GENERATOR, starred)
            .with(Flags::BODILESS, body.is_none())
            .with(Flags::PARTIAL, node.has_error());
        self.flag(sym, flags.0);
        if !how.arrow {
            self.this = how.this;
        }
        self.b.enter_parent(sym);
        if body.is_some() {
            self.b.enter_caller(sym);
            self.enter_frame(sym, how.arrow);
        }
        let scope = self.b.open_scope(sym, false);
        self.block = scope;
        if let Some(frame) = self.frames.last_mut().filter(|f| f.sym == sym) {
            frame.scope = scope;
        }
        if let Some((name, span)) = how.own {
            self.bind_symbol(scope, name, sym, span);
        }
        self.type_parameters(kids.field(F::TypeParameters), sym);
        let written = self.written(how.jsdoc);
        let mut parameters = self.parameters(kids, sym, how, body.is_some(), &written);
        let result = kids.field(F::ReturnType).or(match self.s.kind(node) {
            K::ConstructSignature | K::ConstructorType => kids.field(F::Type),
            _ => None,
        });
        let result = match result {
            Some(result) => self.ty(result),
            None => self.written_result(&written),
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.scope = scope;
            s.complexity.cyclomatic = u32::from(body.is_some());
            s.param_uses = std::mem::take(&mut parameters.uses);
        }
        let returns = match body {
            Some(body) => self.body(sym, body, &mut parameters),
            None => Vec::new(),
        };
        let returns = if result.is_known() {
            self.b.exprs(&[])
        } else {
            self.b.exprs(&returns)
        };
        let signature = Signature {
            params: parameters.list,
            result,
            returns,
            receiver: parameters.receiver,
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.signature = Some(Box::new(signature));
        }
        self.b.close_scope();
        if body.is_some() {
            self.b.leave_caller();
            self.leave_frame(sym);
        }
        self.b.leave_parent();
        self.this = around.this;
        self.block = around.block;
        self.logic = around.logic;
        self.given = around.given;
        self.type_names.truncate(around.type_names);
        self.refined.truncate(around.refined);
        parameters.properties
    }

    fn enter_frame(&mut self, sym: SymIdx, arrow: bool) {
        // Anonymous functions nest in the function a reader reads; a named one
        // has its own number.
        let folded = self
            .b
            .item()
            .symbol(sym)
            .is_some_and(|s| s.kind == SymbolKind::Lambda);
        let nesting = match self.frames.last() {
            Some(frame) if folded => frame.nesting.saturating_add(1),
            _ => 0,
        };
        self.frames.push(Frame {
            sym,
            arrow,
            nesting,
            scope: self.b.scope(),
            returns: Vec::new(),
            params: SmallVec::new(),
        });
    }

    fn leave_frame(&mut self, sym: SymIdx) {
        self.frames.pop();
        let Some(lambda) = self
            .b
            .item()
            .symbol(sym)
            .filter(|s| s.kind == SymbolKind::Lambda)
        else {
            return;
        };
        let cyclomatic = lambda.complexity.cyclomatic;
        let named = self.b.caller();
        if let Some(s) = self.b.symbol_mut(named) {
            s.complexity.closures += cyclomatic;
            s.complexity.closure_count += 1;
        }
    }

    fn body(&mut self, sym: SymIdx, body: Kid<'t>, parameters: &mut Parameters) -> Vec<ExprIdx> {
        if let Some(frame) = self.frames.last_mut() {
            frame.params = std::mem::take(&mut parameters.named);
        }
        if body.kind != K::StatementBlock {
            let value = self.value(body);
            self.returns(value);
        } else {
            let kids = self.s.kids(body.node);
            // Default values do not see the body's names.
            let apart = parameters.defaults && kids.iter().any(|k| k.kind.is_declaration());
            if apart {
                self.block = self.b.open_scope(sym, false);
                if let Some(frame) = self.frames.last_mut() {
                    frame.scope = self.block;
                }
            }
            self.note_stub(sym, &kids);
            self.note_overwritten(sym, &kids);
            self.statements(&kids);
            if apart {
                self.b.close_scope();
            }
        }
        self.frames
            .last_mut()
            .map(|f| std::mem::take(&mut f.returns))
            .unwrap_or_default()
    }

    /// Nothing, or nothing but a throw.
    fn note_stub(&mut self, sym: SymIdx, kids: &Kids<'t>) {
        let mut statements = kids.named();
        let stub = match statements.next() {
            None => true,
            Some(only) => only.kind == K::ThrowStatement && statements.next().is_none(),
        };
        if stub {
            self.flag(sym, Flags::STUB);
        }
    }

    /// `p = ..` as a statement of the body itself: unless something reads `p`
    /// before, the incoming value never counts.
    fn note_overwritten(&mut self, sym: SymIdx, kids: &Kids<'t>) {
        let params = match self.frames.last() {
            Some(frame) if !frame.params.is_empty() => frame.params.clone(),
            _ => return,
        };
        for kid in kids.named().filter(|k| k.kind == K::ExpressionStatement) {
            let assignment = kid.node.named_child(0);
            let Some(assignment) =
                assignment.filter(|n| self.s.kind(*n) == K::AssignmentExpression)
            else {
                continue;
            };
            let Some(left) = self.s.kids(assignment).field(F::Left) else {
                continue;
            };
            let name = match left.kind {
                K::Identifier => self.name_at(left.node),
                _ => continue,
            };
            if let Some((_, index)) = params.iter().find(|p| p.0 == name) {
                self.b.overwrites(sym, *index, kid.node.end_byte() as u32);
            }
        }
    }

    // ---- parameters ----------------------------------------------------------------

    pub(super) fn type_parameters(&mut self, list: Option<Kid<'t>>, sym: SymIdx) {
        let Some(list) = list else {
            return;
        };
        let kids = self.s.kids(list.node);
        let all: SmallVec<[(Kid<'t>, Name); 4]> = kids
            .named()
            .filter(|k| k.kind == K::TypeParameter)
            .filter_map(|k| {
                let name = self.s.kids(k.node).field(F::Name)?;
                Some((name, self.name_at(name.node)))
            })
            .collect();
        for (index, (kid, name)) in all.iter().enumerate() {
            let kind = BindKind::TypeParam {
                of: sym,
                index: index as u16,
            };
            let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
            self.b.bind(*name, kind, ty, value, span_of(kid.node), true);
            self.type_names.push(*name);
        }
        let mut params = Vec::with_capacity(all.len());
        for kid in kids.named().filter(|k| k.kind == K::TypeParameter) {
            let kids = self.s.kids(kid.node);
            let Some(name) = kids.field(F::Name) else {
                continue;
            };
            let bound = kids.field(F::Constraint).map(|k| self.type_inside(k.node));
            let default = kids.field(F::Value).map(|k| self.type_inside(k.node));
            params.push(TypeParam {
                name: self.name_at(name.node),
                bounds: self.b.types(bound.as_slice()),
                default: default.unwrap_or_default(),
            });
        }
        if let Some(s) = self.b.symbol_mut(sym) {
            s.type_params = params;
        }
    }

    fn parameters(
        &mut self,
        kids: &Kids<'t>,
        sym: SymIdx,
        how: How,
        has_body: bool,
        written: &Written<'t>,
    ) -> Parameters {
        let mut out = Parameters::default();
        if let Some(single) = kids.field(F::Parameter) {
            let name = self.s.text(single.node);
            let ty = self.written_param(written, name);
            let declared = Declared {
                ty,
                ..Declared::default()
            };
            self.named_parameter(single.node, &mut out, sym, declared);
        }
        if let Some(list) = kids.field(F::Parameters) {
            let kids = self.s.kids(list.node);
            for kid in kids.named() {
                if kid.kind.is_parameter() {
                    self.parameter(kid, &mut out, sym, how, has_body, written);
                } else {
                    self.any(kid);
                }
            }
        }
        out
    }

    fn parameter(
        &mut self,
        kid: Kid<'t>,
        out: &mut Parameters,
        sym: SymIdx,
        how: How,
        has_body: bool,
        written: &Written<'t>,
    ) {
        let kids = self.s.kids(kid.node);
        for decorator in kids.iter().filter(|k| k.kind == K::Decorator) {
            self.decorator(decorator.node);
        }
        let ty = kids.field(F::Type).map(|k| self.ty(k)).unwrap_or_default();
        let Some(pattern) = kids.field(F::Pattern).or(kids.field(F::Name)) else {
            return;
        };
        if pattern.kind == K::This {
            out.receiver = ty;
            if has_body {
                let (name, span) = (self.name_of("this"), span_of(pattern.node));
                let none = ExprIdx::UNKNOWN;
                let at = self.b.bind(name, BindKind::Local, ty, none, span, true);
                self.this = This::Bound(at);
            }
            return;
        }
        let rest = pattern.kind == K::RestPattern;
        let pattern = if rest {
            match self.s.kids(pattern.node).named().next() {
                Some(inner) => inner,
                None => return,
            }
        } else {
            pattern
        };
        let ty = match ty.is_known() || pattern.kind != K::Identifier {
            true => ty,
            false => {
                let name = self.s.text(pattern.node);
                self.written_param(written, name)
            }
        };
        let default = kids.field(F::Value).map(|k| self.value(k));
        out.defaults |= default.is_some();
        let index = out.list.len() as u16;
        let position = u32::from(index);
        let value = if ty.is_known() {
            ExprIdx::UNKNOWN
        } else {
            match default {
                Some(default) if !how.contextual => default,
                Some(default) => {
                    let given = self.b.expr(Expr::LambdaParam {
                        lambda: sym,
                        index: position,
                    });
                    self.one_of(&[given, default])
                }
                None => self.b.expr(Expr::LambdaParam {
                    lambda: sym,
                    index: position,
                }),
            }
        };
        let modifiers = self.modifiers(&kids);
        let declared = Declared {
            ty,
            value,
            optional: kid.kind == K::OptionalParameter || default.is_some(),
            rest,
            bind: has_body,
        };
        if pattern.kind == K::Identifier {
            let name = self.named_parameter(pattern.node, out, sym, declared);
            if modifiers.makes_property {
                if let Some(used) = out.uses.iter_mut().find(|u| u.param == index) {
                    used.reads += 1;
                }
                out.properties.push(Property {
                    name,
                    span: span_of(pattern.node),
                    full: span_of(kid.node),
                    ty,
                    value,
                    modifiers,
                });
            }
            return;
        }
        out.list.push(Param {
            name: Name::EMPTY,
            ty,
            optional: declared.optional,
            rest,
            binding: BindIdx::NONE,
            default: ExprIdx::UNKNOWN,
        });
        if has_body {
            let value = if ty.is_known() {
                let base = self.b.expr(Expr::LambdaParam {
                    lambda: sym,
                    index: position,
                });
                self.b.expr(Expr::Cast { base, ty })
            } else {
                value
            };
            self.declare_pattern(pattern, value, false);
        }
    }

    fn named_parameter(
        &mut self,
        node: Node<'t>,
        out: &mut Parameters,
        sym: SymIdx,
        declared: Declared,
    ) -> Name {
        let (name, span) = (self.name_at(node), span_of(node));
        let index = out.list.len() as u16;
        let mut binding = BindIdx::NONE;
        if declared.bind {
            let kind = BindKind::Param { of: sym, index };
            let value = if declared.ty.is_known() || declared.value.is_known() {
                declared.value
            } else {
                let index = u32::from(index);
                self.b.expr(Expr::LambdaParam { lambda: sym, index })
            };
            binding = self.b.bind(name, kind, declared.ty, value, span, true);
            out.named.push((name, index));
            out.uses.push(ParamUse {
                param: index,
                intended: name.text().starts_with('_'),
                ..ParamUse::default()
            });
        }
        out.list.push(Param {
            name,
            ty: declared.ty,
            optional: declared.optional,
            rest: declared.rest,
            binding,
            default: ExprIdx::UNKNOWN,
        });
        name
    }
}

struct Declared {
    ty: TyIdx,
    value: ExprIdx,
    optional: bool,
    rest: bool,
    bind: bool,
}

impl Default for Declared {
    fn default() -> Declared {
        Declared {
            ty: TyIdx::UNKNOWN,
            value: ExprIdx::UNKNOWN,
            optional: false,
            rest: false,
            bind: true,
        }
    }
}
