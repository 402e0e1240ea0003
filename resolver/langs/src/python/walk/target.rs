//! What stands on the left of an assignment.

use super::*;
use surefoot_facts::{Lit, Store};

impl<'t> Walker<'t> {
    /// A target is given a value. `assigned`: false for a declaration without one.
    pub(super) fn give(&mut self, target: Kid<'t>, ty: TyIdx, value: ExprIdx, assigned: bool) {
        match target.kind {
            K::Identifier => {
                let (name, span) = (self.name_at(target.node), span_of(target.node));
                self.assign(name, span, ty, value);
            }
            K::Attribute => self.give_attribute(target.node, ty, value, assigned),
            K::PatternList
            | K::TuplePattern
            | K::ListPattern
            | K::Tuple
            | K::List
            | K::ExpressionList => self.down(|w| w.give_parts(target.node, value)),
            K::ParenthesizedExpression | K::AsPatternTarget => self.down(|w| {
                if let Some(inner) = w.s.kids(target.node).named().next() {
                    w.give(inner, ty, value, assigned);
                }
            }),
            K::ListSplatPattern | K::ListSplat => {
                if let Some(inner) = self.s.kids(target.node).named().next() {
                    let base = value;
                    let rest = self.b.expr(Expr::Rest { base, from: 0 });
                    self.give(inner, ty, rest, assigned);
                }
            }
            K::Subscript => {
                let (place, _) = self.subscript(target.node);
                let (base, key) = match self.b.get_expr(place) {
                    Expr::Index { base, index } => (base, index),
                    Expr::Part { base, index } => {
                        let key = Expr::Const {
                            lit: Lit::Int,
                            id: index,
                        };
                        (base, self.b.expr(key))
                    }
                    _ => return,
                };
                if assigned {
                    let store = Store {
                        base,
                        key,
                        value,
                        within: self.b.callable(),
                        conditional: self.is_conditional(),
                    };
                    self.b.stores(store);
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    /// Whether what stands here may run never, or again.
    fn is_conditional(&mut self) -> bool {
        !self.conditions.is_empty() || self.nesting() > 0
    }

    fn give_parts(&mut self, node: Node<'t>, value: ExprIdx) {
        let kids = self.s.kids(node);
        let mut starred = false;
        for (i, kid) in kids.named().enumerate() {
            let index = i as u32;
            if matches!(kid.kind, K::ListSplatPattern | K::ListSplat) {
                starred = true;
                let rest = self.b.expr(Expr::Rest {
                    base: value,
                    from: index,
                });
                if let Some(inner) = self.s.kids(kid.node).named().next() {
                    self.give(inner, TyIdx::UNKNOWN, rest, true);
                }
                continue;
            }
            // Behind a starred name positions are not known.
            let part = if starred {
                self.b.expr(Expr::Element(value))
            } else {
                self.b.expr(Expr::Part { base: value, index })
            };
            self.give(kid, TyIdx::UNKNOWN, part, true);
        }
    }

    fn give_attribute(&mut self, node: Node<'t>, ty: TyIdx, value: ExprIdx, assigned: bool) {
        let kids = self.s.kids(node);
        let (Some(object), Some(name)) = (kids.field(F::Object), kids.field(F::AttributeField))
        else {
            return;
        };
        let text = self.s.text(node);
        self.paths.retain(|p| {
            !(p.0 == text || p.0.starts_with(text) && p.0[text.len()..].starts_with('.'))
        });
        self.expr(object);
        if object.kind != K::Identifier {
            return;
        }
        let receiver = self.name_at(object.node);
        if let Some(class) = self.class_of_receiver(receiver) {
            let (name, span) = (self.name_at(name.node), span_of(name.node));
            let attribute = class::Attribute {
                name,
                span,
                ty,
                value,
                assigned,
            };
            let class = self
                .frames
                .iter_mut()
                .rev()
                .find(|f| f.space == Space::Class && f.sym == class);
            if let Some(class) = class {
                class.attributes.push(attribute);
            }
        }
    }

    /// The class whose instance, or which itself, a name stands for.
    pub(super) fn class_of_receiver(&self, name: Name) -> Option<SymIdx> {
        for frame in self.frames.iter().rev() {
            if frame.receiver == Some(name) {
                return (!frame.class.is_none()).then_some(frame.class);
            }
            if frame.locals.contains_key(&name) && frame.space != Space::Class {
                return None;
            }
        }
        None
    }
}
