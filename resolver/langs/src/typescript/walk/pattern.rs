//! Patterns: each name is bound to the part of the value it takes.

use super::*;

/// What a pattern's names become.
#[derive(Clone, Copy)]
pub(super) struct Binder {
    pub(super) is_var: bool,
    pub(super) constant: bool,
    pub(super) lead: Lead,
}

impl<'t> Walker<'t> {
    /// Binds the names of a pattern that is no declaration of its own: loop
    /// heads, `catch`, parameters.
    pub(super) fn declare_pattern(&mut self, kid: Kid<'t>, value: ExprIdx, is_var: bool) {
        let binder = Binder {
            is_var,
            constant: false,
            lead: Lead::plain(span_of(kid.node)),
        };
        self.pattern(kid, value, binder);
    }

    pub(super) fn pattern(&mut self, kid: Kid<'t>, value: ExprIdx, binder: Binder) {
        self.down(|w| w.pattern_here(kid, value, binder));
    }

    fn pattern_here(&mut self, kid: Kid<'t>, value: ExprIdx, binder: Binder) {
        match kid.kind {
            K::Identifier | K::ShorthandPropertyPattern => self.bind_name(kid.node, value, binder),
            K::ObjectPattern => {
                let kids = self.s.kids(kid.node);
                for kid in kids.named() {
                    self.object_part(kid, value, &mut |w, kid, value| {
                        w.pattern(kid, value, binder);
                    });
                }
            }
            K::ArrayPattern => self.array_parts(kid.node, value, &mut |w, kid, value| {
                w.pattern(kid, value, binder);
            }),
            K::AssignmentPattern => {
                self.with_default(kid.node, value, &mut |w, kid, value| {
                    w.pattern(kid, value, binder);
                });
            }
            _ => self.any(kid),
        }
    }

    fn bind_name(&mut self, node: Node<'t>, value: ExprIdx, binder: Binder) {
        let (name, span) = (self.name_at(node), span_of(node));
        match self.home_of(binder.is_var) {
            Some(scope) => {
                let ty = TyIdx::UNKNOWN;
                self.b
                    .bind_in(scope, name, BindKind::Local, ty, value, span, true);
            }
            None => {
                let sym = self.declare_in(None, name, SymbolKind::Variable, span, &binder.lead);
                self.variable_facts(sym, name, TyIdx::UNKNOWN, binder);
                if let Some(s) = self.b.symbol_mut(sym) {
                    s.value = value;
                    if !binder.constant {
                        s.flags.set(Flags::REASSIGNED);
                    }
                }
            }
        }
    }

    /// A target that is assigned: `x = ..`, `[a, b.c] = ..`.
    pub(super) fn assign_target(&mut self, kid: Kid<'t>, access: Access) {
        self.down(|w| w.assign_here(kid, access));
    }

    fn assign_here(&mut self, kid: Kid<'t>, access: Access) {
        let none = ExprIdx::UNKNOWN;
        match kid.kind {
            K::Identifier | K::ShorthandPropertyPattern => {
                self.write(kid.node, access);
            }
            K::ObjectPattern => {
                let kids = self.s.kids(kid.node);
                for kid in kids.named() {
                    self.object_part(kid, none, &mut |w, kid, _| w.assign_target(kid, access));
                }
            }
            K::ArrayPattern => {
                self.array_parts(kid.node, none, &mut |w, kid, _| {
                    w.assign_target(kid, access)
                });
            }
            K::AssignmentPattern => {
                self.with_default(kid.node, none, &mut |w, kid, _| {
                    w.assign_target(kid, access)
                });
            }
            K::ParenthesizedExpression | K::NonNullExpression => {
                let inner = self.s.kids(kid.node).named().next();
                if let Some(inner) = inner {
                    self.assign_target(inner, access);
                }
            }
            K::MemberExpression => {
                self.down(|w| {
                    let member = w.member_expression(kid.node).1;
                    w.b.assigns(member);
                });
            }
            K::SubscriptExpression => {
                self.down(|w| {
                    let member = w.subscript(kid.node).1;
                    w.b.assigns(member);
                });
            }
            _ => {
                self.expr(kid);
            }
        }
    }

    // ---- parts ---------------------------------------------------------------------

    fn object_part(
        &mut self,
        kid: Kid<'t>,
        value: ExprIdx,
        bind: &mut dyn FnMut(&mut Self, Kid<'t>, ExprIdx),
    ) {
        match kid.kind {
            K::ShorthandPropertyPattern => {
                let name = self.name_at(kid.node);
                let part = self.member(value, name);
                bind(self, kid, part);
            }
            K::PairPattern => {
                let kids = self.s.kids(kid.node);
                let (Some(key), Some(target)) = (kids.field(F::Key), kids.field(F::Value)) else {
                    return self.inside(kid.node);
                };
                let (name, _) = self.property_name(key);
                let part = if name.is_empty() {
                    ExprIdx::UNKNOWN
                } else {
                    self.member(value, name)
                };
                bind(self, target, part);
            }
            K::ObjectAssignmentPattern => {
                let kids = self.s.kids(kid.node);
                let Some(left) = kids.field(F::Left) else {
                    return self.inside(kid.node);
                };
                let part = if left.kind == K::ShorthandPropertyPattern {
                    let name = self.name_at(left.node);
                    self.member(value, name)
                } else {
                    value
                };
                let part = self.or_default(part, kids.field(F::Right));
                bind(self, left, part);
            }
            K::RestPattern => {
                // What remains of an object keeps the members that were not taken.
                let inner = self.s.kids(kid.node).named().next();
                if let Some(inner) = inner {
                    bind(self, inner, value);
                }
            }
            _ => self.any(kid),
        }
    }

    fn array_parts(
        &mut self,
        node: Node<'t>,
        value: ExprIdx,
        bind: &mut dyn FnMut(&mut Self, Kid<'t>, ExprIdx),
    ) {
        let kids = self.s.kids(node);
        let mut index = 0;
        for kid in kids.iter() {
            if kid.kind == K::Comma {
                index += 1;
            }
            if !kid.node.is_named() || kid.kind.is_comment() {
                continue;
            }
            if kid.kind == K::RestPattern {
                let inner = self.s.kids(kid.node).named().next();
                if let Some(inner) = inner {
                    let rest = self.when_known(
                        value,
                        Expr::Rest {
                            base: value,
                            from: index,
                        },
                    );
                    bind(self, inner, rest);
                }
                continue;
            }
            let part = self.when_known(value, Expr::Part { base: value, index });
            bind(self, *kid, part);
        }
    }

    fn with_default(
        &mut self,
        node: Node<'t>,
        value: ExprIdx,
        bind: &mut dyn FnMut(&mut Self, Kid<'t>, ExprIdx),
    ) {
        let kids = self.s.kids(node);
        let value = self.or_default(value, kids.field(F::Right));
        if let Some(left) = kids.field(F::Left) {
            bind(self, left, value);
        }
    }

    /// The value, or the default when it is undefined.
    fn or_default(&mut self, value: ExprIdx, default: Option<Kid<'t>>) -> ExprIdx {
        let Some(default) = default else {
            return value;
        };
        let default = self.value(default);
        self.one_of(&[value, default])
    }

    pub(super) fn one_of(&mut self, all: &[ExprIdx]) -> ExprIdx {
        if all.iter().any(|e| !e.is_known()) {
            return ExprIdx::UNKNOWN;
        }
        let list = self.b.exprs(all);
        self.b.expr(Expr::OneOf(list))
    }

    pub(super) fn member(&mut self, base: ExprIdx, name: Name) -> ExprIdx {
        self.when_known(base, Expr::Member { base, name })
    }

    fn when_known(&mut self, base: ExprIdx, expr: Expr) -> ExprIdx {
        if base.is_known() {
            self.b.expr(expr)
        } else {
            ExprIdx::UNKNOWN
        }
    }
}
