//! Expressions: what each tells about values, and the names it reads.

use super::*;
use surefoot_facts::{DecisionKind, Lit};

impl<'t> Walker<'t> {
    /// An expression whose value is used: naming a function here is a site.
    pub(super) fn value(&mut self, kid: Kid<'t>) -> ExprIdx {
        self.value_in(kid, None)
    }

    /// [`Walker::value`] as the n-th argument of a call.
    pub(super) fn value_in(&mut self, kid: Kid<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        match kid.kind {
            K::Identifier => {
                let value = self.read_at(kid.node);
                let (name, span) = (self.name_at(kid.node), span_of(kid.node));
                self.value_site(value, name, span);
                value
            }
            K::Attribute => self.down(|w| {
                let (value, name, span) = w.attribute(kid.node);
                w.value_site(value, name, span);
                value
            }),
            K::Lambda => self.down(|w| w.lambda(kid.node, context)),
            K::ParenthesizedExpression => self.down(|w| {
                let inner = w.s.kids(kid.node).named().next();
                inner.map(|k| w.value_in(k, context)).unwrap_or_default()
            }),
            _ => self.expr(kid),
        }
    }

    /// The site of a name used as a value, unless a plain local or parameter
    /// holds it.
    fn value_site(&mut self, value: ExprIdx, name: Name, span: Span) {
        if !name.is_empty() && self.may_be_function(value) {
            self.site(SiteKind::Value, name, value, span);
        }
    }

    fn may_be_function(&self, value: ExprIdx) -> bool {
        use surefoot_facts::BindKind;
        let mut at = value;
        loop {
            match self.b.get_expr(at) {
                Expr::Member { base, .. } => at = base,
                Expr::Super(_) | Expr::Free { .. } | Expr::Earlier { .. } => return true,
                Expr::Local(b) => {
                    let kind = b.get().and_then(|i| self.b.item().bindings.get(i));
                    return kind.is_some_and(|b| {
                        matches!(
                            b.kind,
                            BindKind::Symbol(_) | BindKind::Import(_) | BindKind::SelfParam { .. }
                        )
                    });
                }
                _ => return false,
            }
        }
    }

    pub(super) fn expr(&mut self, kid: Kid<'t>) -> ExprIdx {
        let literal = match kid.kind {
            K::Identifier => return self.read_at(kid.node),
            K::Integer => {
                return match self.s.text(kid.node).parse() {
                    Ok(id) => self.b.expr(Expr::Const { lit: Lit::Int, id }),
                    Err(_) => self.b.expr(Expr::Lit(Lit::Int)),
                };
            }
            K::Float => Lit::Float,
            K::True | K::False => Lit::Bool,
            K::None => Lit::Null,
            K::Comment | K::Ellipsis => return ExprIdx::UNKNOWN,
            _ => return self.down(|w| w.expr_here(kid)),
        };
        self.b.expr(Expr::Lit(literal))
    }

    /// `a.b`: the value, its last name and that name's token.
    pub(super) fn attribute(&mut self, node: Node<'t>) -> (ExprIdx, Name, Span) {
        let kids = self.s.kids(node);
        if !self.paths.is_empty() {
            let text = self.s.text(node);
            if let Some(known) = self.paths.iter().rev().find(|p| p.0 == text) {
                let value = known.1;
                // What is read inside is read all the same.
                let quiet = std::mem::replace(&mut self.quiet, true);
                if let Some(object) = kids.field(F::Object) {
                    self.expr(object);
                }
                self.quiet = quiet;
                let Some(last) = kids.field(F::AttributeField) else {
                    return (value, Name::EMPTY, span_of(node));
                };
                return (value, self.name_at(last.node), span_of(last.node));
            }
        }
        let base = kids
            .field(F::Object)
            .map(|k| self.expr(k))
            .unwrap_or_default();
        let Some(last) = kids.field(F::AttributeField) else {
            return (ExprIdx::UNKNOWN, Name::EMPTY, span_of(node));
        };
        let (name, span) = (self.name_at(last.node), span_of(last.node));
        (self.b.expr(Expr::Member { base, name }), name, span)
    }

    fn expr_here(&mut self, kid: Kid<'t>) -> ExprIdx {
        let node = kid.node;
        match kid.kind {
            K::Attribute => self.attribute(node).0,
            K::Call => self.call(node),
            K::Subscript => self.subscript(node).0,
            K::StringNode | K::ConcatenatedString => self.text_literal(kid),
            K::Lambda => self.lambda(node, None),
            K::ParenthesizedExpression => {
                let inner = self.s.kids(node).named().next();
                inner.map(|k| self.expr(k)).unwrap_or_default()
            }
            K::List => {
                let all = self.elements(node);
                let all = self.b.exprs(&all);
                self.b.expr(Expr::Array(all))
            }
            K::Tuple | K::ExpressionList => {
                let all = self.elements(node);
                if all
                    .iter()
                    .any(|e| matches!(self.b.get_expr(*e), Expr::Spread(_)))
                {
                    let all = self.b.exprs(&all);
                    let list = self.b.expr(Expr::Array(all));
                    return self.stub_call("__tuple", &[list]);
                }
                let all = self.b.exprs(&all);
                self.b.expr(Expr::Tuple(all))
            }
            K::Set => {
                let all = self.elements(node);
                let all = self.b.exprs(&all);
                let list = self.b.expr(Expr::Array(all));
                self.stub_call("__set", &[list])
            }
            K::Dictionary => self.dictionary(node),
            kind if kind.is_comprehension() => self.comprehension(kid),
            K::BooleanOperator => {
                let logic = self.logic.take();
                let value = self.boolean(node).value;
                self.logic = logic;
                value
            }
            K::NotOperator => self.condition(kid).value,
            K::ComparisonOperator => {
                let kids = self.s.kids(node);
                for kid in kids.named() {
                    self.value(kid);
                }
                self.b.expr(Expr::Compare)
            }
            K::BinaryOperator => self.binary(node),
            K::UnaryOperator => {
                let argument = self.s.kids(node).field(F::Argument);
                argument.map(|k| self.expr(k)).unwrap_or_default()
            }
            K::ConditionalExpression => self.conditional(node),
            K::NamedExpression => {
                let kids = self.s.kids(node);
                let value = kids.field(F::Value).map(|k| self.value(k));
                let value = value.unwrap_or_default();
                if let Some(name) = kids.field(F::Name) {
                    let (name, span) = (self.name_at(name.node), span_of(name.node));
                    self.assign(name, span, TyIdx::UNKNOWN, value);
                }
                value
            }
            K::Await => {
                let inner = self.s.kids(node).named().next();
                let inner = inner.map(|k| self.expr(k)).unwrap_or_default();
                self.b.expr(Expr::Await(inner))
            }
            K::Yield => self.yielded(node),
            K::ListSplat | K::DictionarySplat => {
                let inner = self.s.kids(node).named().next();
                let inner = inner.map(|k| self.value(k)).unwrap_or_default();
                self.b.expr(Expr::Spread(inner))
            }
            K::Type => {
                self.ty(kid);
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
            _ => {
                self.inside(node);
                ExprIdx::UNKNOWN
            }
        }
    }

    fn elements(&mut self, node: Node<'t>) -> SmallVec<[ExprIdx; 8]> {
        let kids = self.s.kids(node);
        kids.named().map(|k| self.value(k)).collect()
    }

    fn text_literal(&mut self, kid: Kid<'t>) -> ExprIdx {
        let mut at = kid;
        if kid.kind == K::StringNode
            && let Some((text, _)) = self.string(kid.node)
            && let Some(id) = key(text)
        {
            return self.b.expr(Expr::Const { lit: Lit::Str, id });
        }
        if kid.kind == K::ConcatenatedString {
            let kids = self.s.kids(kid.node);
            for part in kids.named() {
                at = part;
                self.interpolations(part.node);
            }
        } else {
            self.interpolations(kid.node);
        }
        let prefix = self.s.text(at.node);
        let prefix = prefix.split(['"', '\'']).next().unwrap_or("");
        let bytes = prefix.contains(['b', 'B']);
        self.b
            .expr(Expr::Lit(if bytes { Lit::Bytes } else { Lit::Str }))
    }

    fn interpolations(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.iter().filter(|k| k.kind == K::Interpolation) {
            self.inside(kid.node);
        }
    }

    pub(super) fn pair(&mut self, node: Node<'t>) -> (ExprIdx, ExprIdx) {
        let kids = self.s.kids(node);
        let key = kids.field(F::Key).map(|k| self.value(k));
        let value = kids.field(F::Value).map(|k| self.value(k));
        (key.unwrap_or_default(), value.unwrap_or_default())
    }

    fn dictionary(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let mut keys: SmallVec<[ExprIdx; 8]> = SmallVec::new();
        let mut values: SmallVec<[ExprIdx; 8]> = SmallVec::new();
        for kid in kids.named() {
            if kid.kind == K::Pair {
                let (key, value) = self.pair(kid.node);
                keys.push(key);
                values.push(value);
            } else {
                self.expr(kid);
                keys.push(ExprIdx::UNKNOWN);
                values.push(ExprIdx::UNKNOWN);
            }
        }
        let keys = self.b.exprs(&keys);
        let keys = self.b.expr(Expr::Array(keys));
        let values = self.b.exprs(&values);
        let values = self.b.expr(Expr::Array(values));
        self.stub_call("__dict", &[keys, values])
    }

    /// `a[b]`; the token is the object's last name.
    pub(super) fn subscript(&mut self, node: Node<'t>) -> (ExprIdx, Span) {
        let kids = self.s.kids(node);
        let object = kids.field(F::Value);
        let base = object.map(|k| self.value(k)).unwrap_or_default();
        let span = match object {
            Some(o) if o.kind == K::Attribute => {
                let last = self.s.kids(o.node).field(F::AttributeField);
                last.map_or(span_of(o.node), |k| span_of(k.node))
            }
            Some(o) => span_of(o.node),
            None => span_of(node),
        };
        let mut indices = kids.iter().filter(|k| k.field == F::SubscriptField);
        let (first, more) = (indices.next(), indices.next());
        let Some(first) = first else {
            return (ExprIdx::UNKNOWN, span);
        };
        if more.is_some() {
            for kid in kids.iter().filter(|k| k.field == F::SubscriptField) {
                self.value(*kid);
            }
            let index = ExprIdx::UNKNOWN;
            return (self.b.expr(Expr::Index { base, index }), span);
        }
        if first.kind == K::Slice {
            let colon = self.s.kids(first.node);
            let from = colon.named().next().filter(|k| k.kind == K::Integer);
            let from = from.filter(|k| k.node.start_byte() == first.node.start_byte());
            self.inside(first.node);
            let from = match from {
                Some(k) => self.expr(k),
                None => ExprIdx::UNKNOWN,
            };
            return (self.stub_call("__slice", &[base, from]), span);
        }
        if first.kind == K::Integer
            && let Ok(index) = self.s.text(first.node).parse::<u8>()
        {
            let index = u32::from(index);
            return (self.b.expr(Expr::Part { base, index }), span);
        }
        let index = self.value(*first);
        (self.b.expr(Expr::Index { base, index }), span)
    }

    /// Chains of one operator nest to the left as deep as they are long, so the
    /// left spine is a loop.
    fn binary(&mut self, node: Node<'t>) -> ExprIdx {
        let mut spine: SmallVec<[(K, Option<Kid<'t>>); 4]> = SmallVec::new();
        let mut at = node;
        let first = loop {
            let kids = self.s.kids(at);
            let operator = kids.field(F::Operator).map_or(K::Other, |k| k.kind);
            spine.push((operator, kids.field(F::Right)));
            match kids.field(F::Left) {
                Some(left) if left.kind == K::BinaryOperator => at = left.node,
                left => break left,
            }
        };
        let mut lhs = first.map(|k| self.value(k)).unwrap_or_default();
        while let Some((_, right)) = spine.pop() {
            let rhs = right.map(|k| self.value(k)).unwrap_or_default();
            lhs = self.b.expr(Expr::Arith { lhs, rhs });
        }
        lhs
    }

    /// `a if c else b`
    fn conditional(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let parts: SmallVec<[Kid<'t>; 3]> = kids.named().collect();
        let [yes, test, no] = parts[..] else {
            self.inside(node);
            return ExprIdx::UNKNOWN;
        };
        let logic = self.logic.take();
        let nesting = self.nesting();
        let mark = Span::new(test.node.start_byte(), test.node.end_byte());
        self.decide(DecisionKind::Ternary, 1, 1 + nesting, mark);
        let says = self.test(Some(test));
        let (mut a, mut b) = (ExprIdx::UNKNOWN, ExprIdx::UNKNOWN);
        let first = self.way(|w| {
            w.refine(&says.yes);
            a = w.nested(|w| w.value(yes));
            false
        });
        let second = self.way(|w| {
            w.refine(&says.no);
            b = w.nested(|w| w.value(no));
            false
        });
        self.meet(&[first, second], mark);
        self.logic = logic;
        self.one_of(&[a, b])
    }

    fn yielded(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let value = kids.named().next().map(|k| self.value(k));
        let value = match value {
            Some(value) if kids.has(K::FromWord) => self.b.expr(Expr::Element(value)),
            Some(value) => value,
            None => self.b.expr(Expr::Lit(Lit::Null)),
        };
        let function = self
            .frames
            .iter_mut()
            .rev()
            .find(|f| matches!(f.space, Space::Function | Space::Lambda));
        if let Some(frame) = function {
            if !frame.generator {
                frame.generator = true;
                frame.returns.clear();
            }
            frame.returns.push(value);
        }
        ExprIdx::UNKNOWN
    }
}

/// The identity of a text that can be a key; a message is none.
fn key(text: &str) -> Option<u32> {
    const LONGEST: usize = 40;
    let word = text.len() <= LONGEST && !text.contains(char::is_whitespace);
    // FNV-1a: equal on every machine.
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    word.then(|| text.bytes().fold(0x811c_9dc5, step))
}
