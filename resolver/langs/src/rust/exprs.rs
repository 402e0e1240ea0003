//! Expressions, and the sites in them.

use super::walk::{Kid, Kids, NEVER, Node, Walk};
use super::words::{F, K};
use surefoot_facts::{
    Access, BindKind, DecisionKind, Expr, ExprIdx, List, Lit, Name, SiteIdx, Span, TyIdx, names,
    ops,
};
use surefoot_graph::SiteKind;

impl<'t> Walk<'t, '_> {
    pub(super) fn expr(&mut self, kid: Kid<'t>) -> ExprIdx {
        known(self.branch(kid))
    }

    /// An expression, or [`NEVER`].
    pub(super) fn branch(&mut self, kid: Kid<'t>) -> ExprIdx {
        self.level(ExprIdx::UNKNOWN, |w| w.expr_here(kid, None))
    }

    /// An argument of a call.
    fn argument(&mut self, kid: Kid<'t>, call: ExprIdx, index: u16) -> ExprIdx {
        let context = Some((call, index));
        let at = self.level(ExprIdx::UNKNOWN, |w| w.expr_here(kid, context));
        known(at)
    }

    fn expr_here(&mut self, kid: Kid<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        let node = kid.node;
        match kid.kind {
            K::Identifier | K::TypeIdentifier => self.name_value(kid),
            K::ScopedIdentifier | K::ScopedType => {
                let path = self.path(kid, Access::Read);
                if !path.name.is_empty() {
                    self.site(SiteKind::Value, path.name, path.at, path.span);
                }
                path.at
            }
            K::GenericFunction => {
                let kids = self.syn.kids(node);
                let Some(head) = kids.field(F::Function) else {
                    return ExprIdx::UNKNOWN;
                };
                let base = self.expr(head);
                let args = self.type_arguments(&kids);
                self.s.b.expr(Expr::TypeArgs { base, args })
            }
            K::SelfWord => {
                let span = self.span(node);
                self.read(names::self_(), span)
            }
            K::Str => self.string(node),
            K::RawString => {
                let bytes = self.syn.text(node).starts_with('b');
                self.literal(if bytes { Lit::Bytes } else { Lit::Str })
            }
            K::CharLit => {
                let byte = self.syn.text(node).starts_with('b');
                self.literal(if byte { Lit::ByteChar } else { Lit::Char })
            }
            K::Bool => self.literal(Lit::Bool),
            K::Int | K::Float => self.number(kid),
            K::Unit => self.literal(Lit::Unit),
            K::Call => self.call(node),
            K::FieldExpr => self.field_access(node),
            K::Macro => self.macro_value(kid),
            K::Closure => self.closure(kid, None, context),
            K::Parenthesized => {
                let inner = self.syn.kids(node).named().next();
                match inner {
                    Some(inner) => self.level(ExprIdx::UNKNOWN, |w| w.expr_here(inner, context)),
                    None => ExprIdx::UNKNOWN,
                }
            }
            K::Block => self.block(node),
            K::UnsafeBlock | K::ConstBlock => match self.syn.kids(node).kind(K::Block) {
                Some(block) => self.block(block.node),
                None => ExprIdx::UNKNOWN,
            },
            K::AsyncBlock => {
                let value = self.block_apart(node);
                self.s.b.expr(Expr::Async(value))
            }
            K::TryBlock | K::GenBlock => {
                self.block_apart(node);
                ExprIdx::UNKNOWN
            }
            K::If => self.if_expression(node, false),
            K::Match => self.match_expression(node),
            K::While | K::For | K::Loop => self.loop_expression(kid),
            K::Let | K::LetCondition => {
                self.condition(kid);
                self.s.b.expr(Expr::Compare)
            }
            K::Reference => {
                let inner = self.only(node, F::Value);
                self.s.b.expr(Expr::Ref(inner))
            }
            K::Unary => {
                let kids = self.syn.kids(node);
                let inner = match kids.named().last() {
                    Some(inner) => self.expr(inner),
                    None => ExprIdx::UNKNOWN,
                };
                match kids.first().map(|k| k.kind) {
                    Some(K::Star) => self.s.b.expr(Expr::Deref(inner)),
                    _ => self.s.b.expr(Expr::Arith {
                        lhs: inner,
                        rhs: ExprIdx::UNKNOWN,
                    }),
                }
            }
            K::Binary => self.binary(kid, None),
            K::LetChain => {
                self.condition(kid);
                self.s.b.expr(Expr::Compare)
            }
            K::Assignment => {
                self.assignment(node, false);
                self.literal(Lit::Unit)
            }
            K::CompoundAssignment => {
                let kids = self.syn.kids(node);
                if let Some(left) = kids.field(F::Left) {
                    match left.kind {
                        K::Identifier => {
                            let (name, span) = self.name(left.node);
                            self.read(name, span);
                            self.s.b.name(name, span, Access::Write);
                        }
                        _ => {
                            self.expr(left);
                        }
                    }
                }
                if let Some(right) = kids.field(F::Right) {
                    self.expr(right);
                }
                self.literal(Lit::Unit)
            }
            K::Cast => {
                let kids = self.syn.kids(node);
                let base = kids
                    .field(F::Value)
                    .map_or(ExprIdx::UNKNOWN, |k| self.expr(k));
                let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                self.s.b.expr(Expr::Cast { base, ty })
            }
            K::Try => {
                let inner = self.first(node);
                self.s.b.expr(Expr::Try(inner))
            }
            K::Await => {
                let inner = self.first(node);
                self.s.b.expr(Expr::Await(inner))
            }
            K::Index => {
                let list: Vec<Kid<'t>> = self.syn.kids(node).named().collect();
                let mut parts = list.into_iter().map(|k| self.expr(k));
                let base = parts.next().unwrap_or_default();
                let index = parts.next().unwrap_or_default();
                drop(parts);
                match self.s.b.get_expr(index) {
                    // A range takes a part of the same kind, not one element.
                    Expr::Range(_) => self.pseudo(base, ops::SLICE),
                    _ => self.s.b.expr(Expr::Index { base, index }),
                }
            }
            K::RangeExpr => {
                let list: Vec<Kid<'t>> = self.syn.kids(node).named().collect();
                let ends: Vec<ExprIdx> = list.into_iter().map(|k| self.expr(k)).collect();
                let end = ends.iter().copied().find(|e| e.is_known());
                self.s.b.expr(Expr::Range(end.unwrap_or_default()))
            }
            K::TupleExpr => {
                let list = self.list(node);
                self.s.b.expr(Expr::Tuple(list))
            }
            K::ArrayExpr => {
                let kids = self.syn.kids(node);
                let length = kids.field(F::Length).map(|k| k.node.id());
                let mut list = Vec::new();
                for kid in kids.named().filter(|k| k.kind != K::AttributeItem) {
                    let e = self.expr(kid);
                    if Some(kid.node.id()) != length {
                        list.push(e);
                    }
                }
                let list = self.s.b.exprs(&list);
                self.s.b.expr(Expr::Array(list))
            }
            K::StructExpr => self.record(node),
            K::Return => {
                let value = self.syn.kids(node).named().next();
                let value = match value {
                    Some(value) => self.expr(value),
                    None => self.literal(Lit::Unit),
                };
                if let Some(returns) = self.s.returns.last_mut() {
                    returns.push(value);
                }
                NEVER
            }
            K::Break | K::Continue => self.jump(kid),
            K::Yield => {
                self.first(node);
                ExprIdx::UNKNOWN
            }
            K::ExpressionStatement => match self.syn.kids(node).first() {
                Some(inner) => self.branch(*inner),
                None => ExprIdx::UNKNOWN,
            },
            K::Error => {
                let kids = self.syn.kids(node);
                self.in_error(|w| w.fragments(&kids));
                ExprIdx::UNKNOWN
            }
            _ => ExprIdx::UNKNOWN,
        }
    }

    /// What can be read among the pieces of text that did not parse.
    pub(super) fn fragments(&mut self, kids: &Kids<'t>) {
        for (at, kid) in kids.iter().enumerate() {
            // A name with an opening bracket behind it is called, whatever
            // stands in the brackets.
            let behind = kids.get(at + 1).map(|k| self.syn.text(k.node));
            let opens = behind.is_some_and(|t| t.starts_with('('));
            if opens && let Some((name, span)) = self.called_fragment(*kid) {
                self.site(SiteKind::Call, name, ExprIdx::UNKNOWN, span);
                if kid.kind == K::Identifier {
                    self.read(name, span);
                }
                continue;
            }
            let kid = *kid;
            if !kid.node.is_named() {
                continue;
            }
            match kid.kind {
                kind if kind.is_declaration() => {
                    let attrs = super::attrs::Attrs::default();
                    self.declaration(kid, &attrs, super::walk::Place::Body);
                }
                K::Arguments | K::MatchBlock | K::MatchArm | K::DeclarationList | K::ElseClause => {
                    let inside = self.syn.kids(kid.node);
                    self.level((), |w| w.fragments(&inside));
                }
                K::Let => self.let_declaration(kid.node, None),
                _ => {
                    self.expr(kid);
                }
            }
        }
    }

    /// The name that a piece of broken text calls.
    fn called_fragment(&mut self, kid: Kid<'t>) -> Option<(Name, Span)> {
        let kids = self.syn.kids(kid.node);
        let name = match kid.kind {
            K::Identifier | K::FieldIdentifier => kid,
            K::ScopedIdentifier => kids.field(F::Name)?,
            K::FieldExpr => kids.field(F::Field)?,
            _ => return None,
        };
        Some(self.name(name.node))
    }

    /// What an operator gives that the language writes as a method of its own:
    /// the call of a member that only stubs declare, and no site.
    fn pseudo(&mut self, base: ExprIdx, op: &str) -> ExprIdx {
        let name = Name::new(op);
        let callee = self.s.b.expr(Expr::Method { base, name });
        self.s.b.expr(Expr::Call {
            callee,
            args: List::default(),
            site: SiteIdx::NONE,
        })
    }

    pub(super) fn literal(&mut self, lit: Lit) -> ExprIdx {
        self.s.b.expr(Expr::Lit(lit))
    }

    fn string(&mut self, node: Node<'t>) -> ExprIdx {
        let lit = match self.syn.text(node).as_bytes().first() {
            Some(b'b') => Lit::Bytes,
            // A C string is a type of its own.
            Some(b'c') => return ExprIdx::UNKNOWN,
            _ => Lit::Str,
        };
        self.literal(lit)
    }

    /// A number; a suffix says its type.
    fn number(&mut self, kid: Kid<'t>) -> ExprIdx {
        const SUFFIXES: &[&str] = &[
            "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
            "f32", "f64",
        ];
        let lit = match kid.kind {
            K::Float => Lit::Float,
            _ => Lit::Int,
        };
        let base = self.literal(lit);
        let text = self.syn.text(kid.node);
        let hex = text.starts_with("0x");
        let suffix = SUFFIXES
            .iter()
            .find(|s| text.ends_with(*s) && !(hex && s.starts_with('f')));
        match suffix {
            Some(suffix) => {
                let ty = surefoot_facts::Ty::Builtin(Name::new(suffix));
                let ty = self.s.b.ty(ty);
                self.s.b.expr(Expr::Cast { base, ty })
            }
            None => base,
        }
    }

    fn only(&mut self, node: Node<'t>, field: F) -> ExprIdx {
        match self.syn.kids(node).field(field) {
            Some(kid) => self.expr(kid),
            None => ExprIdx::UNKNOWN,
        }
    }

    fn first(&mut self, node: Node<'t>) -> ExprIdx {
        let first = self.syn.kids(node).named().find(|k| k.kind != K::Label);
        first.map_or(ExprIdx::UNKNOWN, |k| self.expr(k))
    }

    fn list(&mut self, node: Node<'t>) -> List {
        let kids = self.syn.kids(node);
        let mut list = Vec::new();
        for kid in kids.named().filter(|k| k.kind != K::AttributeItem) {
            list.push(self.expr(kid));
        }
        self.s.b.exprs(&list)
    }

    // ---- names ------------------------------------------------------------------------

    fn name_value(&mut self, kid: Kid<'t>) -> ExprIdx {
        let (name, span) = self.name(kid.node);
        if name.text() == "Self" {
            let at = self.s.b.expr(Expr::SelfType(self.s.self_type));
            self.site(SiteKind::Value, name, at, span);
            return at;
        }
        let function = self.may_be_function(name);
        let at = self.read(name, span);
        if function {
            self.site(SiteKind::Value, name, at, span);
        }
        at
    }

    fn field_access(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        let base = kids
            .field(F::Value)
            .map_or(ExprIdx::UNKNOWN, |k| self.expr(k));
        match kids.field(F::Field) {
            Some(field) => {
                let name = self.name(field.node).0;
                self.s.b.expr(Expr::Member { base, name })
            }
            None => base,
        }
    }

    fn record(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        let mut path = ExprIdx::UNKNOWN;
        if let Some(head) = kids.field(F::Name) {
            let named = self.path(head, Access::Type);
            self.type_site(named);
            path = named.at;
        }
        if let Some(body) = kids.field(F::Body) {
            let fields = self.syn.kids(body.node);
            for field in fields.named() {
                let inside = self.syn.kids(field.node);
                match field.kind {
                    K::ShorthandInit => {
                        if let Some(name) = inside.kind(K::Identifier) {
                            self.expr(name);
                        }
                    }
                    K::FieldInit => {
                        if let Some(value) = inside.field(F::Value) {
                            self.expr(value);
                        }
                    }
                    K::BaseField => {
                        if let Some(value) = inside.named().next() {
                            self.expr(value);
                        }
                    }
                    K::Error => self.in_error(|w| w.fragments(&inside)),
                    _ => {}
                }
            }
        }
        self.s.b.expr(Expr::Record { path })
    }

    // ---- calls ------------------------------------------------------------------------

    fn call(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        let Some(head) = kids.field(F::Function) else {
            return ExprIdx::UNKNOWN;
        };
        let generic = (head.kind == K::GenericFunction).then(|| self.syn.kids(head.node));
        let named = match &generic {
            Some(inside) => inside.field(F::Function).unwrap_or(head),
            None => head,
        };
        let (mut callee, name, span) = self.callee(named);
        let site = self.site(SiteKind::Call, name, callee, span);
        if let Some(inside) = &generic {
            let args = self.type_arguments(inside);
            callee = self.s.b.expr(Expr::TypeArgs { base: callee, args });
        }
        let call = self.s.b.expr(Expr::Call {
            callee,
            args: List::default(),
            site,
        });
        if let Some(s) = self.s.b.site_mut(site) {
            (s.callee, s.call) = (callee, call);
        }
        let args = match kids.field(F::Arguments) {
            Some(list) => self.arguments(list.node, call),
            None => List::default(),
        };
        self.s.b.set_expr(call, Expr::Call { callee, args, site });
        call
    }

    pub(super) fn arguments(&mut self, node: Node<'t>, call: ExprIdx) -> List {
        let kids = self.syn.kids(node);
        let mut list = Vec::new();
        for kid in kids.named().filter(|k| k.kind != K::AttributeItem) {
            let index = u16::try_from(list.len()).unwrap_or(u16::MAX);
            list.push(self.argument(kid, call, index));
        }
        self.s.b.exprs(&list)
    }

    /// What is called, and the token that names it; a computed callee has no name.
    fn callee(&mut self, kid: Kid<'t>) -> (ExprIdx, Name, Span) {
        let whole = self.span(kid.node);
        match kid.kind {
            K::Identifier => {
                let (name, span) = self.name(kid.node);
                let at = match name.text() {
                    "Self" => self.s.b.expr(Expr::SelfType(self.s.self_type)),
                    _ => self.read(name, span),
                };
                (at, name, span)
            }
            K::ScopedIdentifier => {
                let path = self.path(kid, Access::Read);
                (path.at, path.name, path.span)
            }
            K::FieldExpr => {
                let kids = self.syn.kids(kid.node);
                let base = kids
                    .field(F::Value)
                    .map_or(ExprIdx::UNKNOWN, |k| self.expr(k));
                let Some(field) = kids.field(F::Field) else {
                    return (base, Name::EMPTY, whole);
                };
                let (name, span) = self.name(field.node);
                let at = match field.kind {
                    K::Int => Expr::Member { base, name },
                    _ => Expr::Method { base, name },
                };
                (self.s.b.expr(at), name, span)
            }
            K::Parenthesized => {
                let inner = self.syn.kids(kid.node).named().next();
                match inner {
                    // `(x.f)(a)` calls what the field holds.
                    Some(inner) if inner.kind == K::FieldExpr => {
                        let at = self.field_access(inner.node);
                        let field = self.syn.kids(inner.node).field(F::Field);
                        match field {
                            Some(field) => {
                                let (name, span) = self.name(field.node);
                                (at, name, span)
                            }
                            None => (at, Name::EMPTY, whole),
                        }
                    }
                    Some(inner) if matches!(inner.kind, K::Identifier | K::ScopedIdentifier) => {
                        self.callee(inner)
                    }
                    _ => (self.expr(kid), Name::EMPTY, whole),
                }
            }
            _ => (self.expr(kid), Name::EMPTY, whole),
        }
    }

    /// Makes the expression of a macro invocation once its parts are known.
    pub(super) fn macro_expr(&mut self, path: ExprIdx, args: &[ExprIdx], site: SiteIdx) -> ExprIdx {
        let args = self.s.b.exprs(args);
        let at = self.s.b.expr(Expr::Macro { path, args, site });
        if let Some(s) = self.s.b.site_mut(site) {
            s.call = at;
        }
        at
    }

    // ---- operators --------------------------------------------------------------------

    /// `around` is the logical operator this one stands in directly: a run of
    /// the same one counts once.
    fn binary(&mut self, kid: Kid<'t>, around: Option<K>) -> ExprIdx {
        let kids = self.syn.kids(kid.node);
        let operator = kids.field(F::Operator);
        let logic = operator
            .map(|o| o.kind)
            .filter(|k| matches!(k, K::AndAnd | K::OrOr));
        if let (Some(kind), Some(operator)) = (logic, operator) {
            let cog = u16::from(around != Some(kind));
            self.decide(DecisionKind::Logic, 1, cog, operator.node);
        }
        let left = kids
            .field(F::Left)
            .map_or(ExprIdx::UNKNOWN, |k| self.operand(k, logic));
        let right = kids
            .field(F::Right)
            .map_or(ExprIdx::UNKNOWN, |k| self.operand(k, logic));
        let text = operator.map_or("", |o| self.syn.text(o.node));
        let compares = matches!(text, "==" | "!=" | "<" | "<=" | ">" | ">=");
        let at = match compares || logic.is_some() {
            true => Expr::Compare,
            false => Expr::Arith {
                lhs: left,
                rhs: right,
            },
        };
        self.s.b.expr(at)
    }

    fn operand(&mut self, kid: Kid<'t>, logic: Option<K>) -> ExprIdx {
        let mut inner = kid;
        // Parentheses do not end a run of one operator.
        while logic.is_some() && inner.kind == K::Parenthesized {
            match self.syn.kids(inner.node).named().next() {
                Some(next) => inner = next,
                None => break,
            }
        }
        match inner.kind {
            K::Binary if logic.is_some() => {
                self.level(ExprIdx::UNKNOWN, |w| w.binary(inner, logic))
            }
            _ => self.expr(kid),
        }
    }

    /// `left = right`. `straight`: it always runs, before anything that follows.
    pub(super) fn assignment(&mut self, node: Node<'t>, straight: bool) {
        let kids = self.syn.kids(node);
        let Some(left) = kids.field(F::Left) else {
            return;
        };
        // The right side runs first, but sites are kept in source order.
        let place = (left.kind != K::Identifier).then(|| self.assigned(left));
        if let Some(right) = kids.field(F::Right) {
            self.expr(right);
        }
        if place.is_some() {
            return;
        }
        let (name, span) = self.name(left.node);
        if straight && let Some(at) = self.s.b.lookup(name) {
            let read = self.s.read.contains(&at);
            let kind = self.s.b.item().bindings.get(at.0 as usize).map(|b| b.kind);
            if let Some(BindKind::Param { of, index }) = kind
                && !read
                && let Some(symbol) = self.s.b.symbol_mut(of)
                && let Some(u) = symbol.param_uses.iter_mut().find(|u| u.param == index)
            {
                u.overwritten = true;
            }
        }
        self.s.b.name(name, span, Access::Write);
    }

    /// The left side of an assignment that is no plain name.
    fn assigned(&mut self, kid: Kid<'t>) {
        match kid.kind {
            K::Identifier => {
                let (name, span) = self.name(kid.node);
                self.s.b.name(name, span, Access::Write);
            }
            K::TupleExpr | K::ArrayExpr => {
                let kids = self.syn.kids(kid.node);
                self.level((), |w| {
                    for kid in kids.named() {
                        w.assigned(kid);
                    }
                });
            }
            _ => {
                self.expr(kid);
            }
        }
    }
}

/// What [`Walk::branch`] gives, as a value.
pub(super) fn known(at: ExprIdx) -> ExprIdx {
    match at {
        NEVER => ExprIdx::UNKNOWN,
        at => at,
    }
}
