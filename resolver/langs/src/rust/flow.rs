//! Blocks, statements and control flow, with what they add to complexity.

use super::exprs::known;
use super::walk::{Kid, Loop, NEVER, Node, Place, Walk};
use super::words::{F, K};
use smallvec::SmallVec;
use surefoot_facts::{DecisionKind, Expr, ExprIdx, Flags, Lit, Name, TyIdx};

impl<'t> Walk<'t, '_> {
    /// A block with its own scope: its value, or [`NEVER`].
    pub(super) fn block(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        let label = kids.kind(K::Label).map(|k| self.label(k));
        let owner = self.s.b.callable();
        self.s.b.open_scope(owner, false);
        if let Some(label) = label {
            self.s.loops.push(Loop {
                label,
                plain: false,
                values: Vec::new(),
            });
        }
        let value = self.statements(&kids, false);
        self.s.b.close_scope();
        if label.is_some()
            && let Some(mut around) = self.s.loops.pop()
        {
            if value != NEVER {
                around.values.push(value);
            }
            return self.one_of(around.values);
        }
        value
    }

    /// The body of a function, whose scope is open.
    pub(super) fn function_body(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        self.level(ExprIdx::UNKNOWN, |w| w.statements(&kids, true))
    }

    /// A block whose `return` and `?` end at it: async, try and gen blocks.
    pub(super) fn block_apart(&mut self, node: Node<'t>) -> ExprIdx {
        let Some(block) = self.syn.kids(node).kind(K::Block) else {
            return ExprIdx::UNKNOWN;
        };
        let loops = std::mem::take(&mut self.s.loops);
        self.s.returns.push(Vec::new());
        let value = self.block(block.node);
        let mut values = self.s.returns.pop().unwrap_or_default();
        self.s.loops = loops;
        if value != NEVER {
            values.push(value);
        }
        known(self.one_of(values))
    }

    /// Statements and the value of the last one. `straight`: nothing around
    /// decides whether they run.
    pub(super) fn statements(&mut self, kids: &super::walk::Kids<'t>, straight: bool) -> ExprIdx {
        let mut before: SmallVec<[Node<'t>; 2]> = SmallVec::new();
        let mut value = None;
        for kid in kids.iter() {
            match kid.kind {
                K::AttributeItem => {
                    before.push(kid.node);
                    continue;
                }
                K::LineComment | K::BlockComment => {
                    if self.is_outer_doc(kid.node) {
                        before.push(kid.node);
                    }
                    continue;
                }
                K::InnerAttribute | K::EmptyStatement | K::Label => continue,
                K::Error => {
                    let inside = self.syn.kids(kid.node);
                    self.in_error(|w| w.level((), |w| w.fragments(&inside)));
                }
                _ if !kid.node.is_named() => continue,
                kind if kind.is_declaration() => {
                    let attrs = self.attrs(&before);
                    self.declaration(*kid, &attrs, Place::Body);
                }
                K::Let => {
                    let attrs = self.attrs(&before);
                    let condition = attrs.flags.has(Flags::CONDITIONAL);
                    let condition = condition.then_some(attrs.condition);
                    self.let_declaration(kid.node, condition);
                }
                K::ExpressionStatement => {
                    let inside = self.syn.kids(kid.node);
                    let Some(inner) = inside.first() else {
                        continue;
                    };
                    let ended = inside.has(K::Semicolon);
                    if inside.kind(K::Error).is_some() {
                        self.in_error(|w| w.level((), |w| w.fragments(&inside)));
                        before.clear();
                        value = None;
                        continue;
                    }
                    let at = match inner.kind {
                        K::Assignment => {
                            self.level((), |w| w.assignment(inner.node, straight));
                            ExprIdx::UNKNOWN
                        }
                        _ => self.branch(*inner),
                    };
                    before.clear();
                    value = match (at, ended) {
                        (NEVER, _) => Some(NEVER),
                        (at, false) => Some(at),
                        (_, true) => None,
                    };
                    continue;
                }
                _ => {
                    value = Some(self.branch(*kid));
                    before.clear();
                    continue;
                }
            }
            before.clear();
            if value != Some(NEVER) {
                value = None;
            }
        }
        match value {
            Some(value) => value,
            None => self.literal(Lit::Unit),
        }
    }

    /// A `let`, compiled under a condition when it has one.
    pub(super) fn let_declaration(&mut self, node: Node<'t>, condition: Option<Name>) {
        let kids = self.syn.kids(node);
        let Some(pattern) = kids.field(F::Pattern) else {
            return;
        };
        let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
        let plain = self.plain_name(pattern);
        let value = match kids.field(F::Value) {
            // A closure bound to a name is a function of that name.
            Some(value) if value.kind == K::Closure && plain.is_some() => {
                self.level(ExprIdx::UNKNOWN, |w| w.closure(value, plain, None))
            }
            Some(value) => self.expr(value),
            None => ExprIdx::UNKNOWN,
        };
        if let Some(otherwise) = kids.field(F::Alternative) {
            self.decide_nested(DecisionKind::LetElse, 1, node);
            self.nested(|w| w.level(ExprIdx::UNKNOWN, |w| w.block(otherwise.node)));
        }
        let around = std::mem::replace(&mut self.s.condition, condition);
        match plain {
            Some((name, span)) if !self.names_a_constant(pattern, name) => {
                self.bind_value(name, span, ty, value);
            }
            _ => {
                let base = match ty.is_known() {
                    true => self.s.b.expr(Expr::Cast { base: value, ty }),
                    false => value,
                };
                self.pattern(pattern, base);
            }
        }
        self.s.condition = around;
    }

    /// A condition, whose `let`s bind in the current scope.
    pub(super) fn condition(&mut self, kid: Kid<'t>) {
        match kid.kind {
            K::LetCondition | K::Let => {
                let kids = self.syn.kids(kid.node);
                let value = kids
                    .field(F::Value)
                    .map_or(ExprIdx::UNKNOWN, |k| self.expr(k));
                if let Some(pattern) = kids.field(F::Pattern) {
                    self.pattern(pattern, value);
                }
            }
            K::LetChain => {
                let kids = self.syn.kids(kid.node);
                let mut cog = 1;
                for kid in kids.iter() {
                    match kid.kind {
                        K::AndAnd => {
                            self.decide(DecisionKind::Logic, 1, cog, kid.node);
                            cog = 0;
                        }
                        _ if kid.node.is_named() && !kid.node.is_extra() => {
                            self.level((), |w| w.condition(*kid));
                        }
                        _ => {}
                    }
                }
            }
            _ => {
                self.expr(kid);
            }
        }
    }

    pub(super) fn if_expression(&mut self, node: Node<'t>, chained: bool) -> ExprIdx {
        let kids = self.syn.kids(node);
        match chained {
            true => self.decide(DecisionKind::ElseIf, 1, 1, node),
            false => self.decide_nested(DecisionKind::If, 1, node),
        }
        let owner = self.s.b.callable();
        self.s.b.open_scope(owner, false);
        if let Some(condition) = kids.field(F::Condition) {
            self.condition(condition);
        }
        let mut values = Vec::with_capacity(2);
        if let Some(block) = kids.field(F::Consequence) {
            let value = self.nested(|w| w.level(ExprIdx::UNKNOWN, |w| w.block(block.node)));
            values.push(value);
        }
        self.s.b.close_scope();
        let alternative = kids.field(F::Alternative);
        let Some(alternative) = alternative else {
            return self.literal(Lit::Unit);
        };
        let inside = self.syn.kids(alternative.node);
        if let Some(next) = inside.kind(K::If) {
            values.push(self.level(ExprIdx::UNKNOWN, |w| w.if_expression(next.node, true)));
        } else if let Some(block) = inside.kind(K::Block) {
            self.decide(DecisionKind::Else, 0, 1, alternative.node);
            let value = self.nested(|w| w.level(ExprIdx::UNKNOWN, |w| w.block(block.node)));
            values.push(value);
        }
        self.one_of(values)
    }

    pub(super) fn match_expression(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.syn.kids(node);
        self.decide_nested(DecisionKind::Switch, 0, node);
        let value = kids
            .field(F::Value)
            .map_or(ExprIdx::UNKNOWN, |k| self.expr(k));
        let Some(body) = kids.field(F::Body) else {
            return ExprIdx::UNKNOWN;
        };
        let arms = self.syn.kids(body.node);
        let mut values = Vec::new();
        for arm in arms.iter() {
            match arm.kind {
                K::MatchArm => {
                    let value = self.nested(|w| w.level(NEVER, |w| w.arm(arm.node, value)));
                    values.push(value);
                }
                K::Error => {
                    let inside = self.syn.kids(arm.node);
                    self.in_error(|w| w.level((), |w| w.fragments(&inside)));
                }
                _ => {}
            }
        }
        if values.is_empty() {
            return NEVER;
        }
        self.one_of(values)
    }

    fn arm(&mut self, node: Node<'t>, matched: ExprIdx) -> ExprIdx {
        let kids = self.syn.kids(node);
        let owner = self.s.b.callable();
        self.s.b.open_scope(owner, false);
        if let Some(pattern) = kids.field(F::Pattern) {
            let inside = self.syn.kids(pattern.node);
            let first = inside
                .iter()
                .find(|k| k.field != F::Condition && !k.node.is_extra())
                .copied();
            if let Some(first) = first {
                if first.kind != K::Underscore {
                    self.decide(DecisionKind::Case, 1, 0, first.node);
                }
                self.pattern(first, matched);
            }
            if let Some(guard) = inside.field(F::Condition) {
                self.decide(DecisionKind::Guard, 1, 0, guard.node);
                self.condition(guard);
            }
        }
        let value = match kids.field(F::Value) {
            Some(value) => self.branch(value),
            None => ExprIdx::UNKNOWN,
        };
        self.s.b.close_scope();
        value
    }

    pub(super) fn loop_expression(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.syn.kids(kid.node);
        self.decide_nested(DecisionKind::Loop, 1, kid.node);
        let label = kids.kind(K::Label).map_or(Name::EMPTY, |k| self.label(k));
        let owner = self.s.b.callable();
        // `for` reads its value outside the scope its pattern binds in.
        let element = match (kid.kind, kids.field(F::Value)) {
            (K::For, Some(value)) => {
                let value = self.expr(value);
                self.s.b.expr(Expr::Element(value))
            }
            _ => ExprIdx::UNKNOWN,
        };
        self.s.b.open_scope(owner, false);
        if kid.kind == K::For {
            if let Some(pattern) = kids.field(F::Pattern) {
                self.pattern(pattern, element);
            }
        } else if let Some(condition) = kids.field(F::Condition) {
            self.condition(condition);
        }
        self.s.loops.push(Loop {
            label,
            plain: true,
            values: Vec::new(),
        });
        if let Some(body) = kids.field(F::Body) {
            self.nested(|w| w.level(ExprIdx::UNKNOWN, |w| w.block(body.node)));
        }
        let around = self.s.loops.pop();
        self.s.b.close_scope();
        match kid.kind {
            K::Loop => self.one_of(around.map(|l| l.values).unwrap_or_default()),
            _ => self.literal(Lit::Unit),
        }
    }

    pub(super) fn jump(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.syn.kids(kid.node);
        let label = kids.kind(K::Label).map(|k| self.label(k));
        if label.is_some() {
            self.decide(DecisionKind::Jump, 0, 1, kid.node);
        }
        let value = kids.named().find(|k| k.kind != K::Label);
        let value = match value {
            Some(value) => self.expr(value),
            None => self.literal(Lit::Unit),
        };
        if kid.kind == K::Break {
            let target = self.s.loops.iter_mut().rev();
            let mut target = target.filter(|l| match label {
                Some(label) => l.label == label,
                None => l.plain,
            });
            if let Some(target) = target.next() {
                target.values.push(value);
            }
        }
        NEVER
    }

    fn label(&self, kid: Kid<'t>) -> Name {
        Name::new(self.syn.text(kid.node).trim_end_matches(':').trim())
    }

    /// The value of several branches; those that do not come to an end give none.
    pub(super) fn one_of(&mut self, mut values: Vec<ExprIdx>) -> ExprIdx {
        values.retain(|v| *v != NEVER);
        match values.as_slice() {
            [] => NEVER,
            [only] => *only,
            _ => {
                let list = self.s.b.exprs(&values);
                self.s.b.expr(Expr::OneOf(list))
            }
        }
    }
}
