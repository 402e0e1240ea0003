//! Control flow: the decisions complexity counts, and what conditions say of
//! names where they hold.

use super::*;
use surefoot_facts::DecisionKind;

/// A name that is of a type wherever some condition holds.
#[derive(Clone)]
pub(super) struct Refinement {
    name: Name,
    span: Span,
    value: ExprIdx,
    original: BindIdx,
}

/// What a condition says where it holds and where it does not.
#[derive(Default)]
pub(super) struct Condition {
    pub(super) value: ExprIdx,
    pub(super) yes: Vec<Refinement>,
    pub(super) no: Vec<Refinement>,
}

impl<'t> Walker<'t> {
    // ---- complexity ----------------------------------------------------------------

    /// Counts a decision. The cyclomatic part belongs to the innermost function,
    /// anonymous or not; the cognitive part to the named one a reader reads.
    pub(super) fn decide(&mut self, kind: DecisionKind, cyclomatic: u8, cognitive: u16, at: Span) {
        let (inner, named) = (self.b.callable(), self.b.caller());
        if inner == named || named.is_none() {
            return self.b.decision(inner, kind, cyclomatic, cognitive, at);
        }
        if cyclomatic > 0 {
            self.b.decision(inner, kind, cyclomatic, 0, at);
        }
        if cognitive > 0 {
            self.b.decision(named, kind, 0, cognitive, at);
        }
    }

    pub(super) fn nesting(&self) -> u16 {
        self.frames.last().map_or(0, |f| f.nesting)
    }

    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting = frame.nesting.saturating_add(1);
        }
        let out = inside(self);
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting = frame.nesting.saturating_sub(1);
        }
        out
    }

    /// A structure that costs one and one more for each level around it.
    fn structure(&mut self, kind: DecisionKind, cyclomatic: u8, node: Node<'t>) {
        let word = Span::new(node.start_byte(), node.start_byte() + 1);
        self.decide(kind, cyclomatic, 1 + self.nesting(), word);
    }

    // ---- statements ----------------------------------------------------------------

    /// An `if`; returns what holds for the statements after it.
    pub(super) fn if_statement(&mut self, node: Node<'t>, is_else: bool) -> Vec<Refinement> {
        let kids = self.s.kids(node);
        if is_else {
            let word = Span::new(node.start_byte(), node.start_byte() + 1);
            self.decide(DecisionKind::ElseIf, 1, 1, word);
        } else {
            self.structure(DecisionKind::If, 1, node);
        }
        let condition = self.test(kids.field(F::Condition));
        let consequence = kids.field(F::Consequence);
        let alternative = kids.field(F::Alternative);
        if let Some(then) = consequence {
            self.nested(|w| w.where_holds(&condition.yes, |w| w.statement(then)));
        }
        if let Some(otherwise) = alternative {
            self.where_holds(&condition.no, |w| w.otherwise(otherwise.node));
            return Vec::new();
        }
        match consequence {
            Some(then) if self.leaves(then) => condition.no,
            _ => Vec::new(),
        }
    }

    fn otherwise(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.named() {
            if kid.kind == K::IfStatement {
                self.down(|w| w.if_statement(kid.node, true));
            } else {
                let word = Span::new(node.start_byte(), node.start_byte() + 4);
                self.decide(DecisionKind::Else, 0, 1, word);
                self.nested(|w| w.statement(kid));
            }
        }
    }

    /// Whether nothing after the statement runs.
    fn leaves(&mut self, kid: Kid<'t>) -> bool {
        match kid.kind {
            K::ReturnStatement | K::ThrowStatement | K::BreakStatement | K::ContinueStatement => {
                true
            }
            K::StatementBlock => {
                let kids = self.s.kids(kid.node);
                let last = kids.named().last();
                last.is_some_and(|k| k.kind != K::StatementBlock && self.leaves(k))
            }
            _ => false,
        }
    }

    pub(super) fn switch(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Switch, 0, node);
        let kids = self.s.kids(node);
        if let Some(value) = kids.field(F::Value) {
            self.expr(value);
        }
        let Some(body) = kids.field(F::Body) else {
            return;
        };
        self.nested(|w| {
            w.in_block(|w| {
                let cases = w.s.kids(body.node);
                for case in cases.named() {
                    let kids = w.s.kids(case.node);
                    if case.kind == K::SwitchCase {
                        let word = Span::new(case.node.start_byte(), case.node.start_byte() + 4);
                        w.decide(DecisionKind::Case, 1, 0, word);
                        if let Some(value) = kids.field(F::Value) {
                            w.value(value);
                        }
                    } else if case.kind == K::Error {
                        w.error(case.node);
                        continue;
                    }
                    let body = kids.iter().position(|k| k.field == F::Body);
                    if let Some(first) = body {
                        w.statements(&kids[first..]);
                    }
                }
            });
        });
    }

    pub(super) fn for_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        self.in_block(|w| {
            let mut condition = Condition::default();
            for kid in kids.named() {
                match kid.field {
                    F::Initializer => w.any(kid),
                    F::Condition if kid.kind != K::EmptyStatement => condition = w.test(Some(kid)),
                    F::Increment => {
                        w.expr(kid);
                    }
                    F::Body => w.nested(|w| w.where_holds(&condition.yes, |w| w.statement(kid))),
                    _ => {}
                }
            }
        });
    }

    pub(super) fn for_in(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        let over = kids
            .field(F::Right)
            .map(|k| self.expr(k))
            .unwrap_or_default();
        let awaited = kids
            .iter()
            .any(|k| !k.node.is_named() && self.s.text(k.node) == "await");
        let value = if kids.has(K::OfWord) {
            let element = self.b.expr(Expr::Element(over));
            if awaited {
                self.b.expr(Expr::Await(element))
            } else {
                element
            }
        } else {
            self.b.expr(Expr::Key)
        };
        self.in_block(|w| {
            if let Some(left) = kids.field(F::Left) {
                match kids.field(F::KindField).map(|k| k.kind) {
                    Some(kind) => w.declare_pattern(left, value, kind == K::VarWord),
                    None => w.assign_target(left, Access::Write),
                }
            }
            if let Some(body) = kids.field(F::Body) {
                w.nested(|w| w.statement(body));
            }
        });
    }

    pub(super) fn while_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        let condition = self.test(kids.field(F::Condition));
        if let Some(body) = kids.field(F::Body) {
            self.nested(|w| w.where_holds(&condition.yes, |w| w.statement(body)));
        }
    }

    pub(super) fn do_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        if let Some(body) = kids.field(F::Body) {
            self.nested(|w| w.statement(body));
        }
        if let Some(condition) = kids.field(F::Condition) {
            self.expr(condition);
        }
    }

    pub(super) fn try_statement(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.named() {
            match kid.field {
                F::Finalizer => self.inside(kid.node),
                _ => self.statement(kid),
            }
        }
    }

    pub(super) fn catch(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Catch, 1, node);
        let kids = self.s.kids(node);
        self.in_block(|w| {
            let ty = kids.field(F::Type).map(|k| w.ty(k)).unwrap_or_default();
            if let Some(parameter) = kids.field(F::Parameter) {
                let value = if ty.is_known() {
                    let base = ExprIdx::UNKNOWN;
                    w.b.expr(Expr::Cast { base, ty })
                } else {
                    ExprIdx::UNKNOWN
                };
                w.declare_pattern(parameter, value, false);
            }
            if let Some(body) = kids.field(F::Body) {
                w.nested(|w| w.statement(body));
            }
        });
    }

    // ---- conditions ----------------------------------------------------------------

    /// The condition of a statement or ternary: its logic is a run of its own.
    pub(super) fn test(&mut self, kid: Option<Kid<'t>>) -> Condition {
        let logic = self.logic.take();
        let out = kid.map(|k| self.condition(k)).unwrap_or_default();
        self.logic = logic;
        out
    }

    /// An expression whose truth is asked.
    pub(super) fn condition(&mut self, kid: Kid<'t>) -> Condition {
        self.down(|w| w.condition_here(kid))
    }

    fn condition_here(&mut self, kid: Kid<'t>) -> Condition {
        match kid.kind {
            K::ParenthesizedExpression => {
                let inner = self.s.kids(kid.node).named().next();
                match inner {
                    Some(inner) if inner.kind != K::SequenceExpression => self.condition(inner),
                    _ => self.plain(kid),
                }
            }
            K::UnaryExpression => {
                let kids = self.s.kids(kid.node);
                let negates = kids.has(K::Bang);
                match kids.field(F::Argument) {
                    Some(argument) if negates => {
                        let logic = self.logic.take();
                        let inner = self.condition(argument);
                        self.logic = logic;
                        Condition {
                            value: self.b.expr(Expr::Compare),
                            yes: inner.no,
                            no: inner.yes,
                        }
                    }
                    _ => self.plain(kid),
                }
            }
            K::BinaryExpression => self.binary(kid.node),
            K::CallExpression => {
                let value = self.expr(kid);
                Condition {
                    value,
                    yes: self.guard_call(kid.node, value, &["is", "has", "are"]),
                    no: Vec::new(),
                }
            }
            _ => self.plain(kid),
        }
    }

    fn plain(&mut self, kid: Kid<'t>) -> Condition {
        Condition {
            value: self.expr(kid),
            ..Condition::default()
        }
    }

    /// What a call of a type guard says of its first argument: the engine sees
    /// whether the callee's result is `x is T`; only names that read like a
    /// guard are asked.
    pub(super) fn guard_call(
        &mut self,
        node: Node<'t>,
        call: ExprIdx,
        prefixes: &[&str],
    ) -> Vec<Refinement> {
        let text = self.s.text(node);
        let head = &text[..memchr::memchr(b'(', text.as_bytes()).unwrap_or(0)];
        let last = head
            .rsplit(['.', '?', '!'])
            .next()
            .unwrap_or(head)
            .trim_start();
        if !prefixes.iter().any(|p| last.starts_with(p)) {
            return Vec::new();
        }
        let kids = self.s.kids(node);
        let (Some(callee), Some(args)) = (kids.field(F::FunctionField), kids.field(F::Arguments))
        else {
            return Vec::new();
        };
        let word = match callee.kind {
            K::Identifier => self.s.text(callee.node),
            K::MemberExpression => match self.s.kids(callee.node).field(F::Property) {
                Some(property) => self.s.text(property.node),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        if !prefixes.iter().any(|p| word.starts_with(p)) {
            return Vec::new();
        }
        let first = self.s.kids(args.node).named().next();
        let Some(first) = first.filter(|k| k.kind == K::Identifier) else {
            return Vec::new();
        };
        let Expr::Call { args, .. } = self.b.get_expr(call) else {
            return Vec::new();
        };
        let base = self.b.item().expr_list(args).next().unwrap_or_default();
        let value = Expr::Guarded { base, call };
        self.refinement(first.node, value).into_iter().collect()
    }

    /// `name` has this value where it holds; only names bound in a body are refined.
    pub(super) fn refinement(&mut self, name: Node<'t>, value: Expr) -> Option<Refinement> {
        let span = span_of(name);
        let name = self.name_at(name);
        let bound = self.b.lookup(name)?;
        let original = self.refined.iter().find(|r| r.binding == bound);
        let original = original.map_or(bound, |r| r.original);
        Some(Refinement {
            name,
            span,
            value: self.b.expr(value),
            original,
        })
    }

    /// Opens a scope where the refinements hold; false when there are none.
    /// Declarations still go to the block around.
    pub(super) fn refine(&mut self, all: &[Refinement]) -> bool {
        if all.is_empty() {
            return false;
        }
        let owner = self.b.callable();
        let scope = self.b.open_scope(owner, false);
        for r in all {
            let (kind, ty) = (BindKind::Local, TyIdx::UNKNOWN);
            let binding = self
                .b
                .bind_in(scope, r.name, kind, ty, r.value, r.span, true);
            self.refined.push(Refined {
                binding,
                original: r.original,
            });
        }
        true
    }

    pub(super) fn where_holds<T>(
        &mut self,
        all: &[Refinement],
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let refined = self.refined.len();
        let opened = self.refine(all);
        let out = inside(self);
        if opened {
            self.refined.truncate(refined);
            self.b.close_scope();
        }
        out
    }
}
