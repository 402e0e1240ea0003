//! Operators: runs of logic, what comparisons say of names, conditionals.

use super::flow::{Condition, Refinement};
use super::*;
use surefoot_facts::{DecisionKind, Lit, Ty};

impl<'t> Walker<'t> {
    /// A binary expression; chains of one operator nest to the left as deep as
    /// they are long, so the left spine is a loop.
    pub(super) fn binary(&mut self, node: Node<'t>) -> Condition {
        let mut spine: SmallVec<[(K, Option<Kid<'t>>, Span); 4]> = SmallVec::new();
        let mut at = node;
        let mut first = loop {
            let kids = self.s.kids(at);
            let operator = kids.field(F::Operator);
            let span = operator.map_or(span_of(at), |k| span_of(k.node));
            let operator = operator.map_or(K::Other, |k| k.kind);
            spine.push((operator, kids.field(F::Right), span));
            match kids.field(F::Left) {
                Some(left) if left.kind == K::BinaryExpression => at = left.node,
                left => break left,
            }
        };
        let lowest = spine.last().map_or(K::Other, |s| s.0);
        let mut done = match first {
            Some(first) => self.operand(first, lowest),
            None => Condition::default(),
        };
        let refined = self.refined.len();
        let mut opened = 0;
        while let Some((operator, right, span)) = spine.pop() {
            if !is_logical(operator) {
                done = self.operation_of(operator, first.take(), done, right);
                continue;
            }
            self.count_logic(operator, span);
            if operator == K::LogicalAnd {
                opened += u32::from(self.refine(&done.yes));
            } else {
                self.refined.truncate(refined);
                for _ in 0..std::mem::take(&mut opened) {
                    self.b.close_scope();
                }
                if operator == K::LogicalOr {
                    opened += u32::from(self.refine(&done.no));
                }
            }
            let right = right.map(|k| self.operand(k, operator)).unwrap_or_default();
            done = self.combine(operator, done, right);
        }
        self.refined.truncate(refined);
        for _ in 0..opened {
            self.b.close_scope();
        }
        done
    }

    /// One side of an operator. A run of logical operators goes on through
    /// parentheses and ends at anything else.
    fn operand(&mut self, kid: Kid<'t>, operator: K) -> Condition {
        if !is_logical(operator) {
            let logic = self.logic.take();
            let value = self.expr(kid);
            self.logic = logic;
            return Condition {
                value,
                ..Condition::default()
            };
        }
        if self.continues(kid) {
            return self.condition(kid);
        }
        let logic = self.logic.take();
        let out = if operator == K::Nullish {
            Condition {
                value: self.value(kid),
                ..Condition::default()
            }
        } else {
            match kid.kind {
                K::Identifier | K::MemberExpression | K::Object => Condition {
                    value: self.value(kid),
                    ..Condition::default()
                },
                kind if kind.is_function() => Condition {
                    value: self.value(kid),
                    ..Condition::default()
                },
                _ => self.condition(kid),
            }
        };
        self.logic = logic;
        out
    }

    fn continues(&mut self, kid: Kid<'t>) -> bool {
        let mut at = kid;
        while at.kind == K::ParenthesizedExpression {
            match self.s.kids(at.node).named().next() {
                Some(inner) => at = inner,
                None => return false,
            }
        }
        at.kind == K::BinaryExpression
            && self
                .s
                .kids(at.node)
                .field(F::Operator)
                .is_some_and(|k| is_logical(k.kind))
    }

    fn count_logic(&mut self, operator: K, span: Span) {
        if operator == K::Nullish {
            return self.decide(DecisionKind::Coalesce, 1, 0, span);
        }
        let new_run = self.logic != Some(operator);
        self.logic = Some(operator);
        self.decide(DecisionKind::Logic, 1, u16::from(new_run), span);
    }

    fn combine(&mut self, operator: K, left: Condition, right: Condition) -> Condition {
        match operator {
            K::LogicalAnd => {
                let mut yes = left.yes;
                yes.extend(right.yes);
                Condition {
                    value: right.value,
                    yes,
                    no: Vec::new(),
                }
            }
            K::LogicalOr => {
                let mut no = left.no;
                no.extend(right.no);
                Condition {
                    value: self.one_of(&[left.value, right.value]),
                    yes: Vec::new(),
                    no,
                }
            }
            _ => Condition {
                value: self.one_of(&[left.value, right.value]),
                ..Condition::default()
            },
        }
    }

    /// An operator that is not logical, its left side read.
    fn operation_of(
        &mut self,
        operator: K,
        first: Option<Kid<'t>>,
        left: Condition,
        right: Option<Kid<'t>>,
    ) -> Condition {
        let logic = self.logic.take();
        let lhs = left.value;
        let out = match operator {
            K::Instanceof => {
                let class = right.map(|k| self.expr(k)).unwrap_or_default();
                let value = self.b.expr(Expr::Compare);
                let mut out = Condition {
                    value,
                    ..Condition::default()
                };
                if let Some(name) = first.filter(|k| k.kind == K::Identifier)
                    && class.is_known()
                {
                    let args = self.b.types(&[]);
                    let ty = self.b.ty(Ty::Named { path: class, args });
                    let value = Expr::Narrowed { base: lhs, ty };
                    out.yes.extend(self.refinement(name.node, value));
                }
                out
            }
            K::Equal | K::Identical | K::NotEqual | K::NotIdentical => {
                let mut out = Condition::default();
                if let Some(right) = right {
                    self.expr(right);
                    let refined = first.and_then(|f| self.typeof_test(f, right));
                    let negated = matches!(operator, K::NotEqual | K::NotIdentical);
                    if negated {
                        out.no.extend(refined);
                    } else {
                        out.yes.extend(refined);
                    }
                }
                out.value = self.b.expr(Expr::Compare);
                out
            }
            K::Less | K::LessEqual | K::Greater | K::GreaterEqual | K::InWord => {
                if let Some(right) = right {
                    self.expr(right);
                }
                Condition {
                    value: self.b.expr(Expr::Compare),
                    ..Condition::default()
                }
            }
            K::Plus => {
                let rhs = right.map(|k| self.expr(k)).unwrap_or_default();
                Condition {
                    value: self.b.expr(Expr::Arith { lhs, rhs }),
                    ..Condition::default()
                }
            }
            _ => {
                if let Some(right) = right {
                    self.expr(right);
                }
                Condition {
                    value: self.b.expr(Expr::Lit(Lit::Float)),
                    ..Condition::default()
                }
            }
        };
        self.logic = logic;
        out
    }

    /// `typeof x === "string"` and the other primitives that have members.
    fn typeof_test(&mut self, left: Kid<'t>, right: Kid<'t>) -> Option<Refinement> {
        if left.kind != K::UnaryExpression || right.kind != K::StringNode {
            return None;
        }
        let word = self.string(right.node)?.0;
        if !["string", "number", "boolean", "bigint", "symbol"].contains(&word) {
            return None;
        }
        let kids = self.s.kids(left.node);
        if !kids.has(K::TypeofWord) {
            return None;
        }
        let name = kids
            .field(F::Argument)
            .filter(|k| k.kind == K::Identifier)?;
        let base = self.read(name.node);
        let word = self.name_of(word);
        let ty = self.b.ty(Ty::Builtin(word));
        self.refinement(name.node, Expr::Narrowed { base, ty })
    }

    pub(super) fn ternary(&mut self, node: Node<'t>, context: Option<(ExprIdx, u16)>) -> ExprIdx {
        let kids = self.s.kids(node);
        let logic = self.logic.take();
        let mark = kids
            .kind(K::Question)
            .map_or(span_of(node), |k| span_of(k.node));
        self.decide(DecisionKind::Ternary, 1, 1 + self.nesting(), mark);
        let condition = self.test(kids.field(F::Condition));
        let branch = |w: &mut Self, kid: Option<Kid<'t>>, holds: &[_]| {
            w.nested(|w| {
                w.where_holds(holds, |w| {
                    kid.map(|k| w.value_in(k, context)).unwrap_or_default()
                })
            })
        };
        let yes = branch(self, kids.field(F::Consequence), &condition.yes);
        let no = branch(self, kids.field(F::Alternative), &condition.no);
        self.logic = logic;
        self.one_of(&[yes, no])
    }

    pub(super) fn unary(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.s.kids(kid.node);
        let operator = kids.field(F::Operator).map_or(K::Other, |k| k.kind);
        let logic = self.logic.take();
        if operator == K::Bang {
            let out = self.condition(kid).value;
            self.logic = logic;
            return out;
        }
        if let Some(argument) = kids.field(F::Argument) {
            self.expr(argument);
        }
        self.logic = logic;
        self.b.expr(match operator {
            K::TypeofWord => Expr::Lit(Lit::Str),
            K::Void => Expr::Lit(Lit::Undefined),
            K::Delete => Expr::Compare,
            _ => Expr::Lit(Lit::Float),
        })
    }
}

fn is_logical(operator: K) -> bool {
    matches!(operator, K::LogicalAnd | K::LogicalOr | K::Nullish)
}
