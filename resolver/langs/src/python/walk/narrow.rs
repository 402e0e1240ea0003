//! What conditions say of names where they hold.

use super::*;
use surefoot_facts::{BindKind, DecisionKind, Ty};

/// What is known to be of a type wherever some condition holds.
#[derive(Clone)]
pub(super) enum Refinement<'t> {
    Name(Name, Span, TyIdx),
    /// An attribute, by its text.
    Path(&'t str, ExprIdx, TyIdx),
}

/// What a condition says where it holds and where it does not.
#[derive(Default)]
pub(super) struct Condition<'t> {
    pub(super) value: ExprIdx,
    pub(super) yes: Vec<Refinement<'t>>,
    pub(super) no: Vec<Refinement<'t>>,
}

impl<'t> Walker<'t> {
    /// The condition of a statement or conditional: its logic is a run of its own.
    pub(super) fn test(&mut self, kid: Option<Kid<'t>>) -> Condition<'t> {
        let logic = self.logic.take();
        let out = kid.map(|k| self.condition(k)).unwrap_or_default();
        self.logic = logic;
        out
    }

    /// An expression whose truth is asked.
    pub(super) fn condition(&mut self, kid: Kid<'t>) -> Condition<'t> {
        self.down(|w| w.condition_here(kid))
    }

    fn condition_here(&mut self, kid: Kid<'t>) -> Condition<'t> {
        match kid.kind {
            K::ParenthesizedExpression => {
                let inner = self.s.kids(kid.node).named().next();
                inner.map(|k| self.condition(k)).unwrap_or_default()
            }
            K::NotOperator => {
                let argument = self.s.kids(kid.node).field(F::Argument);
                let logic = self.logic.take();
                let inner = argument.map(|k| self.condition(k)).unwrap_or_default();
                self.logic = logic;
                Condition {
                    value: self.b.expr(Expr::Compare),
                    yes: inner.no,
                    no: inner.yes,
                }
            }
            K::BooleanOperator => self.boolean(kid.node),
            K::Call => {
                let value = self.expr(kid);
                let yes = self.instance_test(kid.node).into_iter().collect();
                Condition {
                    value,
                    yes,
                    no: Vec::new(),
                }
            }
            _ => Condition {
                value: self.expr(kid),
                ..Condition::default()
            },
        }
    }

    /// `a and b or c`: chains of one operator nest to the left as deep as they
    /// are long, so the left spine is a loop.
    pub(super) fn boolean(&mut self, node: Node<'t>) -> Condition<'t> {
        let mut spine: SmallVec<[(K, Option<Kid<'t>>, Span); 4]> = SmallVec::new();
        let mut at = node;
        let first = loop {
            let kids = self.s.kids(at);
            let operator = kids.field(F::Operator);
            let span = operator.map_or(span_of(at), |k| span_of(k.node));
            let operator = operator.map_or(K::Other, |k| k.kind);
            spine.push((operator, kids.field(F::Right), span));
            match kids.field(F::Left) {
                Some(left) if left.kind == K::BooleanOperator => at = left.node,
                left => break left,
            }
        };
        let mut done = first.map(|k| self.operand(k)).unwrap_or_default();
        while let Some((operator, right, span)) = spine.pop() {
            let new_run = self.logic != Some(operator);
            self.logic = Some(operator);
            self.decide(DecisionKind::Logic, 1, u16::from(new_run), span);
            let and = operator == K::AndWord;
            let holds = if and {
                done.yes.clone()
            } else {
                done.no.clone()
            };
            let mut other = Condition::default();
            let way = self.way(|w| {
                w.refine(&holds);
                other = right.map(|k| w.operand(k)).unwrap_or_default();
                false
            });
            // `:=` on the right may have run.
            self.meet(&[flow::Way::default(), way], span);
            let value = if and {
                other.value
            } else {
                self.one_of(&[done.value, other.value])
            };
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            if and {
                yes = done.yes;
                yes.extend(other.yes);
            } else {
                no = done.no;
                no.extend(other.no);
            }
            done = Condition { value, yes, no };
        }
        done
    }

    fn operand(&mut self, kid: Kid<'t>) -> Condition<'t> {
        match kid.kind {
            K::BooleanOperator => self.condition(kid),
            K::ParenthesizedExpression => self.condition(kid),
            K::Identifier | K::Attribute | K::Lambda => Condition {
                value: self.value(kid),
                ..Condition::default()
            },
            _ => {
                let logic = self.logic.take();
                let out = self.condition(kid);
                self.logic = logic;
                out
            }
        }
    }

    /// `isinstance(name, T)`, read already as the call it is.
    fn instance_test(&mut self, node: Node<'t>) -> Option<Refinement<'t>> {
        let kids = self.s.kids(node);
        let function = kids.field(F::Function)?;
        if function.kind != K::Identifier || self.s.text(function.node) != "isinstance" {
            return None;
        }
        let args = self.s.kids(kids.field(F::Arguments)?.node);
        let mut args = args.named();
        let (subject, class) = (args.next()?, args.next()?);
        let quiet = std::mem::replace(&mut self.quiet, true);
        let ty = self.class_type(class);
        self.quiet = quiet;
        let ty = ty?;
        match subject.kind {
            K::Identifier => {
                let (name, span) = (self.name_at(subject.node), span_of(subject.node));
                Some(Refinement::Name(name, span, ty))
            }
            K::Attribute => {
                let quiet = std::mem::replace(&mut self.quiet, true);
                let base = self.expr(subject);
                self.quiet = quiet;
                Some(Refinement::Path(self.s.text(subject.node), base, ty))
            }
            _ => None,
        }
    }

    /// The classes an `isinstance` names, as a type.
    pub(super) fn class_type(&mut self, kid: Kid<'t>) -> Option<TyIdx> {
        match kid.kind {
            K::Identifier | K::Attribute => {
                let path = self.expr(kid);
                let args = self.b.types(&[]);
                Some(self.b.ty(Ty::Named { path, args }))
            }
            K::Tuple | K::ParenthesizedExpression => {
                let kids = self.s.kids(kid.node);
                let mut all: SmallVec<[TyIdx; 4]> = SmallVec::new();
                for kid in kids.named() {
                    all.push(self.class_type(kid)?);
                }
                match all[..] {
                    [] => None,
                    [one] => Some(one),
                    _ => {
                        let all = self.b.types(&all);
                        Some(self.b.ty(Ty::Union(all)))
                    }
                }
            }
            K::BinaryOperator if self.s.kids(kid.node).has(K::Bar) => {
                let kids = self.s.kids(kid.node);
                let sides = [kids.field(F::Left)?, kids.field(F::Right)?];
                let left = self.class_type(sides[0])?;
                let right = self.class_type(sides[1])?;
                let all = self.b.types(&[left, right]);
                Some(self.b.ty(Ty::Union(all)))
            }
            _ => None,
        }
    }

    /// What the names of conditions mean now.
    pub(super) fn meant<'r>(
        &self,
        all: impl Iterator<Item = &'r Refinement<'t>>,
    ) -> SmallVec<[(Name, BindIdx); 2]>
    where
        't: 'r,
    {
        let names = all.filter_map(|r| match r {
            Refinement::Name(name, ..) => Some(*name),
            Refinement::Path(..) => None,
        });
        names.map(|n| (n, self.rooted(n))).collect()
    }

    fn rooted(&self, name: Name) -> BindIdx {
        let slot = self.frames.last().and_then(|f| f.locals.get(&name));
        let mut at = slot.map_or(BindIdx::NONE, |s| s.now);
        while let Some(under) = self.narrowed.get(&at) {
            at = *under;
        }
        at
    }

    /// What still holds of names that mean what they meant before.
    pub(super) fn still(
        &self,
        all: Vec<Refinement<'t>>,
        before: &[(Name, BindIdx)],
    ) -> Vec<Refinement<'t>> {
        let holds = |r: &Refinement<'t>| match r {
            Refinement::Name(name, ..) => before.contains(&(*name, self.rooted(*name))),
            Refinement::Path(..) => true,
        };
        all.into_iter().filter(holds).collect()
    }

    /// From here on the names are of these types, until their way ends.
    pub(super) fn refine(&mut self, all: &[Refinement<'t>]) {
        for refinement in all {
            match *refinement {
                Refinement::Name(name, span, ty) => self.refine_name(name, span, ty),
                Refinement::Path(text, base, ty) => {
                    let value = self.b.expr(Expr::Narrowed { base, ty });
                    self.paths.push((text, value));
                }
            }
        }
    }

    fn refine_name(&mut self, name: Name, span: Span, ty: TyIdx) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return;
        };
        if self.frames[at].space != Space::Function {
            return;
        }
        let Some(slot) = self.frames[at].locals.get(&name) else {
            return;
        };
        if slot.shared || slot.now.is_none() {
            return;
        }
        let under = slot.now;
        let base = self.b.bound(under);
        let value = self.b.expr(Expr::Narrowed { base, ty });
        let none = TyIdx::UNKNOWN;
        let held = self.b.bind(name, BindKind::Local, none, value, span, false);
        self.narrowed.insert(held, under);
        self.set_now(at, name, held);
    }
}
