//! Expressions: what each tells about values, and the names it reads.

use super::*;
use surefoot_facts::{DecisionKind, Lit, Ty};

/// `inner as ty.last`
pub(super) struct CastToPath<'t> {
    pub(super) inner: Kid<'t>,
    pub(super) ty: Kid<'t>,
    pub(super) last: Kid<'t>,
}

impl<'t> Walker<'t> {
    /// An expression whose value is used: naming a function here is a site.
    pub(super) fn value(&mut self, kid: Kid<'t>) -> ExprIdx {
        self.value_in(kid, None)
    }

    /// [`Walker::value`] as the n-th argument of a call.
    pub(super) fn value_in(&mut self, kid: Kid<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        match kid.kind {
            K::Identifier => {
                let value = self.read_identifier(kid.node);
                let (name, span) = (self.name_at(kid.node), span_of(kid.node));
                self.value_site(value, name, span);
                value
            }
            K::MemberExpression => self.down(|w| {
                let (value, name, span) = w.member_expression(kid.node);
                w.value_site(value, name, span);
                value
            }),
            K::ArrowFunction | K::FunctionExpression | K::GeneratorFunction => {
                self.down(|w| w.lambda(kid, context))
            }
            K::Object => self.down(|w| w.object(kid.node, context)),
            K::ParenthesizedExpression => self.down(|w| {
                let inner = w.s.kids(kid.node).named().next();
                match inner {
                    Some(inner) => w.value_in(inner, context),
                    None => ExprIdx::UNKNOWN,
                }
            }),
            // Either branch is what the call is given.
            K::TernaryExpression if context.is_some() => {
                self.down(|w| w.ternary(kid.node, context))
            }
            _ => self.expr(kid),
        }
    }

    /// The site of a name used as a value, unless a plain local or parameter
    /// holds it.
    pub(super) fn value_site(&mut self, value: ExprIdx, name: Name, span: Span) {
        if !name.is_empty() && self.may_be_function(value) {
            self.site(SiteKind::Value, name, value, span);
        }
    }

    fn may_be_function(&self, value: ExprIdx) -> bool {
        let mut at = value;
        loop {
            match self.b.get_expr(at) {
                Expr::Member { base, .. } => at = base,
                Expr::This(_) | Expr::Super(_) | Expr::SelfType(_) => return true,
                Expr::Free { name, .. } => {
                    let bound = self.b.lookup(name).and_then(|b| b.get());
                    return bound.is_none_or(|i| {
                        let kind = self.b.item().bindings[i].kind;
                        matches!(kind, BindKind::Symbol(_) | BindKind::Import(_))
                    });
                }
                _ => return false,
            }
        }
    }

    pub(super) fn expr(&mut self, kid: Kid<'t>) -> ExprIdx {
        let literal = match kid.kind {
            K::Identifier => return self.read_identifier(kid.node),
            K::StringNode => Lit::Str,
            K::Number => return self.number(kid.node),
            K::True | K::False => Lit::Bool,
            K::Null => Lit::Null,
            K::Undefined => Lit::Undefined,
            K::Regex => Lit::Regex,
            K::This => return self.this_expr(),
            kind if kind.is_comment() => return ExprIdx::UNKNOWN,
            _ => return self.down(|w| w.expr_here(kid)),
        };
        self.b.expr(Expr::Lit(literal))
    }

    fn number(&mut self, node: Node<'t>) -> ExprIdx {
        let text = self.s.text(node);
        let big = text.ends_with('n') && !text.starts_with("0x");
        let literal = if big || (text.ends_with('n') && text.len() > 2) {
            Lit::BigInt
        } else if text.contains('.') {
            Lit::Float
        } else {
            Lit::Int
        };
        self.b.expr(Expr::Lit(literal))
    }

    fn read_identifier(&mut self, node: Node<'t>) -> ExprIdx {
        match self.s.text(node) {
            "arguments" => self.reads_wholesale(),
            "exports" => {
                let name = self.name_of("exports");
                if self.b.lookup(name).is_none() {
                    return self.exports();
                }
            }
            _ => {}
        }
        self.read(node)
    }

    /// `arguments` and `eval` read every parameter of the function around.
    pub(super) fn reads_wholesale(&mut self) {
        for i in (0..self.frames.len()).rev() {
            let (sym, arrow) = (self.frames[i].sym, self.frames[i].arrow);
            self.flag(sym, Flags::OPAQUE_READS);
            if !arrow {
                break;
            }
        }
    }

    /// An expression by a path, its last name and that name's token.
    pub(super) fn named(&mut self, kid: Kid<'t>) -> (ExprIdx, Name, Span) {
        if kid.kind == K::MemberExpression {
            return self
                .down(|w| {
                    let (value, name, span) = w.member_expression(kid.node);
                    Some((value, name, span))
                })
                .unwrap_or((ExprIdx::UNKNOWN, Name::EMPTY, span_of(kid.node)));
        }
        let value = self.expr(kid);
        (value, self.name_at(kid.node), span_of(kid.node))
    }

    /// The grammar reads `e as A.B.C` as a member of a cast; no member can stand
    /// there without parentheses. Gives what is cast, and the type but for its
    /// last name.
    pub(super) fn cast_to_path(&mut self, kids: &Kids<'t>) -> Option<CastToPath<'t>> {
        let cast = kids.field(F::ObjectField)?;
        if !matches!(cast.kind, K::AsExpression | K::SatisfiesExpression) {
            return None;
        }
        let parts = self.s.kids(cast.node);
        let mut parts = parts.named();
        Some(CastToPath {
            inner: parts.next()?,
            ty: parts.next()?,
            last: kids.field(F::Property)?,
        })
    }

    /// The type of such a cast.
    pub(super) fn path_type(&mut self, cast: &CastToPath<'t>) -> TyIdx {
        let head = self.ty(cast.ty);
        let Ty::Named { path, .. } = self.b.get_ty(head) else {
            return TyIdx::UNKNOWN;
        };
        let (name, span) = (self.name_at(cast.last.node), span_of(cast.last.node));
        let path = self.b.expr(Expr::Member { base: path, name });
        self.site(SiteKind::Type, name, path, span);
        let args = self.b.types(&[]);
        self.b.ty(Ty::Named { path, args })
    }

    pub(super) fn member_expression(&mut self, node: Node<'t>) -> (ExprIdx, Name, Span) {
        let kids = self.s.kids(node);
        if let Some(cast) = self.cast_to_path(&kids) {
            let base = self.value(cast.inner);
            let ty = self.path_type(&cast);
            return (
                self.b.expr(Expr::Cast { base, ty }),
                Name::EMPTY,
                span_of(node),
            );
        }
        self.member_of(node, &kids)
    }

    /// What the module exports, as a value.
    fn exports(&mut self) -> ExprIdx {
        let base = self.module_expr();
        if !self.common.whole {
            return base;
        }
        let name = surefoot_facts::names::export_assign();
        self.b.expr(Expr::Member { base, name })
    }

    pub(super) fn member_of(&mut self, node: Node<'t>, kids: &Kids<'t>) -> (ExprIdx, Name, Span) {
        if let (Some(object), Some(property)) =
            (kids.field(F::ObjectField), kids.field(F::Property))
            && self.s.text(object.node) == "module"
            && self.s.text(property.node) == "exports"
            && self.is_global(object, "module")
        {
            let name = self.name_at(property.node);
            return (self.exports(), name, span_of(property.node));
        }
        let base = kids
            .field(F::ObjectField)
            .map(|k| self.expr(k))
            .unwrap_or_default();
        let Some(property) = kids.field(F::Property) else {
            return (ExprIdx::UNKNOWN, Name::EMPTY, span_of(node));
        };
        let (name, span) = (self.name_at(property.node), span_of(property.node));
        (self.b.expr(Expr::Member { base, name }), name, span)
    }

    fn expr_here(&mut self, kid: Kid<'t>) -> ExprIdx {
        let node = kid.node;
        match kid.kind {
            K::MemberExpression => self.member_expression(node).0,
            K::CallExpression => self.call(node),
            K::NewExpression => self.new_expression(node),
            K::SubscriptExpression => self.subscript(node).0,
            K::ArrowFunction | K::FunctionExpression | K::GeneratorFunction => {
                self.lambda(kid, None)
            }
            K::Object => self.object(node, None),
            K::Array => {
                let kids = self.s.kids(node);
                let all: SmallVec<[ExprIdx; 8]> = kids.named().map(|k| self.element(k)).collect();
                let all = self.b.exprs(&all);
                self.b.expr(Expr::Array(all))
            }
            K::ParenthesizedExpression | K::NonNullExpression => {
                let inner = self.s.kids(node).named().next();
                inner.map(|k| self.expr(k)).unwrap_or_default()
            }
            K::SequenceExpression => {
                let kids = self.s.kids(node);
                let mut last = ExprIdx::UNKNOWN;
                for kid in kids.named() {
                    last = self.expr(kid);
                }
                last
            }
            K::AsExpression | K::SatisfiesExpression | K::TypeAssertion => self.cast(kid),
            K::InstantiationExpression => {
                let kids = self.s.kids(node);
                let base = kids
                    .named()
                    .next()
                    .map(|k| self.expr(k))
                    .unwrap_or_default();
                let args = kids.field(F::TypeArguments);
                self.type_args(base, args)
            }
            K::BinaryExpression => {
                let logic = self.logic.take();
                let value = self.binary(node).value;
                self.logic = logic;
                value
            }
            K::TernaryExpression => self.ternary(node, None),
            K::UnaryExpression => self.unary(kid),
            K::UpdateExpression => {
                let argument = self.s.kids(node).field(F::Argument);
                if let Some(argument) = argument {
                    self.assign_target(argument, Access::ReadWrite);
                }
                self.b.expr(Expr::Lit(Lit::Float))
            }
            K::AssignmentExpression => self.assignment(node),
            K::AugmentedAssignment => self.augmented(node),
            K::AwaitExpression => {
                let inner = self.s.kids(node).named().next();
                let inner = inner.map(|k| self.expr(k)).unwrap_or_default();
                self.b.expr(Expr::Await(inner))
            }
            K::YieldExpression => {
                let kids = self.s.kids(node);
                if let Some(inner) = kids.named().next() {
                    let value = self.value(inner);
                    let value = if kids.has(K::Star) {
                        self.b.expr(Expr::Element(value))
                    } else {
                        value
                    };
                    self.returns(value);
                }
                ExprIdx::UNKNOWN
            }
            K::SpreadElement => {
                let inner = self.s.kids(node).named().next();
                let inner = inner.map(|k| self.expr(k)).unwrap_or_default();
                self.b.expr(Expr::Spread(inner))
            }
            K::TemplateString => {
                self.substitutions(node);
                self.b.expr(Expr::Lit(Lit::Str))
            }
            K::Class => self.class_expression(node),
            K::Super => {
                let home = self.home;
                self.b.expr(Expr::Super(home))
            }
            K::JsxElement | K::JsxSelfClosingElement => self.jsx(kid),
            K::StringFragment | K::EscapeSequence => ExprIdx::UNKNOWN,
            K::Decorator => {
                self.decorator(node);
                ExprIdx::UNKNOWN
            }
            K::Error => {
                self.error(node);
                ExprIdx::UNKNOWN
            }
            kind if kind.is_statement() => {
                self.statement(kid);
                ExprIdx::UNKNOWN
            }
            kind if kind.is_type() => {
                self.ty(kid);
                ExprIdx::UNKNOWN
            }
            _ => {
                self.inside(node);
                ExprIdx::UNKNOWN
            }
        }
    }

    pub(super) fn substitutions(&mut self, node: Node<'t>) -> SmallVec<[ExprIdx; 4]> {
        let kids = self.s.kids(node);
        let mut all = SmallVec::new();
        for kid in kids.iter().filter(|k| k.kind == K::TemplateSubstitution) {
            let inner = self.s.kids(kid.node).named().next();
            all.push(inner.map(|k| self.value(k)).unwrap_or_default());
        }
        all
    }

    /// An element of an array or argument list.
    fn element(&mut self, kid: Kid<'t>) -> ExprIdx {
        self.value(kid)
    }

    fn class_expression(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let full = span_of(node);
        let (name, span) = match kids.field(F::Name) {
            Some(name) => (self.name_at(name.node), span_of(name.node)),
            None => (Name::EMPTY, kids.first().map_or(full, |k| span_of(k.node))),
        };
        let sym = self.b.symbol(name, SymbolKind::Class, full, span);
        self.class(sym, node, true);
        self.b.expr(Expr::SelfType(sym))
    }

    fn cast(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.s.kids(kid.node);
        let mut named = kids.named();
        if kid.kind == K::TypeAssertion {
            let ty = named.next();
            let base = named.next().map(|k| self.expr(k)).unwrap_or_default();
            let ty = ty.map(|k| self.type_inside(k.node)).unwrap_or_default();
            return self.b.expr(Expr::Cast { base, ty });
        }
        let inner = named.next();
        let ty = named.next();
        let ty_of = |w: &mut Self| ty.map(|k| w.ty(k)).unwrap_or_default();
        // A function takes the type of its parameters from the cast.
        if let Some(function) = inner.filter(|k| k.kind.is_function()) {
            let ty = ty_of(self);
            let value = self.expr(function);
            if let Expr::Lambda(sym) = self.b.get_expr(value)
                && let Some(s) = self.b.symbol_mut(sym)
            {
                s.ty = ty;
            }
            return value;
        }
        let base = inner.map(|k| self.value(k)).unwrap_or_default();
        let ty = ty_of(self);
        // `as const` and `satisfies T` keep what stands before them.
        if !ty.is_known() || kid.kind == K::SatisfiesExpression {
            return base;
        }
        self.b.expr(Expr::Cast { base, ty })
    }

    fn augmented(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let operator = kids.field(F::Operator);
        if let Some(left) = kids.field(F::Left) {
            self.assign_target(left, Access::ReadWrite);
        }
        let right = kids
            .field(F::Right)
            .map(|k| self.value(k))
            .unwrap_or_default();
        match operator.map(|k| (k.kind, span_of(k.node))) {
            Some((K::NullishAssign, span)) => self.decide(DecisionKind::Coalesce, 1, 0, span),
            Some((K::AndAssign | K::OrAssign, span)) => {
                self.decide(DecisionKind::Logic, 1, 0, span);
            }
            Some((K::PlusAssign, _)) => {}
            _ => return self.b.expr(Expr::Lit(Lit::Float)),
        }
        right
    }
}
