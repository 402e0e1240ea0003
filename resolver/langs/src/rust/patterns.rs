//! Patterns: the names they bind, as projections of what is matched.

use super::walk::{Kid, Walk};
use super::words::{F, K};
use surefoot_facts::{Access, BindKind, Expr, ExprIdx, Name, Span, TyIdx};

impl<'t> Walk<'t, '_> {
    /// Binds the names of a pattern that matches `value`.
    pub(super) fn pattern(&mut self, kid: Kid<'t>, value: ExprIdx) {
        self.level((), |w| w.pattern_here(kid, value));
    }

    fn pattern_here(&mut self, kid: Kid<'t>, value: ExprIdx) {
        match kid.kind {
            K::Identifier | K::ShorthandField => {
                let (name, _) = self.name(kid.node);
                if !self.names_a_constant(kid, name) {
                    self.bind_local(kid, value);
                }
            }
            K::MutPattern => {
                let inner = self
                    .syn
                    .kids(kid.node)
                    .named()
                    .find(|k| k.kind != K::Mutable);
                match inner {
                    Some(k) if k.kind == K::Identifier => self.bind_local(k, value),
                    Some(k) => self.pattern(k, value),
                    None => {}
                }
            }
            K::RefPattern => {
                let inner = self
                    .syn
                    .kids(kid.node)
                    .named()
                    .find(|k| k.kind != K::Mutable);
                let value = self.s.b.expr(Expr::Ref(value));
                match inner {
                    Some(k) if k.kind == K::Identifier => self.bind_local(k, value),
                    Some(k) => self.pattern(k, value),
                    None => {}
                }
            }
            K::ReferencePattern => {
                let inner = self
                    .syn
                    .kids(kid.node)
                    .named()
                    .find(|k| k.kind != K::Mutable);
                let value = self.s.b.expr(Expr::Deref(value));
                if let Some(inner) = inner {
                    self.pattern(inner, value);
                }
            }
            K::Captured => {
                let kids = self.syn.kids(kid.node);
                let mut parts = kids
                    .iter()
                    .filter(|k| k.node.is_named() || k.kind == K::Underscore);
                let name = parts.next().copied();
                // `rest @ ..` is given by the slice around.
                if let Some(name) = name {
                    self.bind_local(name, value);
                }
                if let Some(inner) = parts.next() {
                    self.pattern(*inner, value);
                }
            }
            K::TuplePattern => self.parts(
                kid,
                |w, index| w.s.b.expr(Expr::Part { base: value, index }),
                value,
            ),
            K::TupleStructPattern => {
                let kids = self.syn.kids(kid.node);
                let path = match kids.field(F::Type) {
                    Some(head) => self.pattern_path(head),
                    None => ExprIdx::UNKNOWN,
                };
                self.parts(
                    kid,
                    |w, index| {
                        w.s.b.expr(Expr::VariantPart {
                            base: value,
                            path,
                            index,
                        })
                    },
                    ExprIdx::UNKNOWN,
                );
            }
            K::SlicePattern => self.parts(
                kid,
                |w, index| w.s.b.expr(Expr::Part { base: value, index }),
                value,
            ),
            K::StructPattern => self.struct_pattern(kid, value),
            // Each side binds the same names; the first stands for all.
            K::OrPattern => {
                let first = self.syn.kids(kid.node).named().next();
                if let Some(first) = first {
                    self.pattern(first, value);
                }
            }
            K::Macro => {
                self.macro_in_type(kid);
            }
            K::Error => {
                let kids = self.syn.kids(kid.node);
                self.in_error(|w| {
                    for kid in kids.named() {
                        w.pattern(kid, ExprIdx::UNKNOWN);
                    }
                });
            }
            _ => {}
        }
    }

    /// A name in a pattern stands for a constant or unit variant when it is
    /// written like one: patterns bind lower-case names.
    pub(super) fn names_a_constant(&self, kid: Kid<'t>, name: Name) -> bool {
        kid.kind == K::Identifier && name.text().starts_with(char::is_uppercase)
    }

    /// The path of a variant or struct. Type arguments are left out: they say
    /// nothing the matched value does not, and their names stand before those
    /// of the value, which is read first.
    fn pattern_path(&mut self, kid: Kid<'t>) -> ExprIdx {
        let head = match kid.kind {
            K::GenericType | K::GenericPattern => {
                let kids = self.syn.kids(kid.node);
                kids.field(F::Type).or_else(|| kids.named().next())
            }
            _ => Some(kid),
        };
        head.map_or(ExprIdx::UNKNOWN, |k| self.path(k, Access::Type).at)
    }

    fn bind_local(&mut self, kid: Kid<'t>, value: ExprIdx) {
        let (name, span) = self.name(kid.node);
        self.bind_value(name, span, TyIdx::UNKNOWN, value);
    }

    /// Binds a local. Under a condition it stands in for what its name means
    /// before, if anything.
    pub(super) fn bind_value(&mut self, name: Name, span: Span, ty: TyIdx, value: ExprIdx) {
        let (mut ty, mut value) = (ty, value);
        if let Some(condition) = self.s.condition {
            let then = match ty.is_known() {
                true => self.s.b.expr(Expr::Cast { base: value, ty }),
                false => value,
            };
            let other = match self.s.b.lookup(name) {
                Some(before) => self.s.b.expr(Expr::Local(before)),
                None => ExprIdx::UNKNOWN,
            };
            ty = TyIdx::UNKNOWN;
            value = self.s.b.expr(Expr::When {
                condition,
                then,
                other,
            });
        }
        self.s.b.bind(name, BindKind::Local, ty, value, span, false);
    }

    /// The parts of a tuple, tuple struct or slice. What follows a `..` counts
    /// from the end, which nothing here knows: it is unknown, and the middle of
    /// a slice is the rest of `whole`.
    fn parts(
        &mut self,
        kid: Kid<'t>,
        mut part: impl FnMut(&mut Self, u32) -> ExprIdx,
        whole: ExprIdx,
    ) {
        let kids = self.syn.kids(kid.node);
        let slice = kid.kind == K::SlicePattern;
        let mut after = false;
        let patterns = kids
            .iter()
            .filter(|k| (k.node.is_named() || k.kind == K::Underscore) && !k.node.is_extra())
            .filter(|k| k.field != F::Type);
        for (index, kid) in (0u32..).zip(patterns) {
            let rest = self.is_rest(kid);
            if rest && kid.kind == K::Captured {
                let from = index;
                let value = self.s.b.expr(Expr::Rest { base: whole, from });
                let name = self.syn.kids(kid.node).named().next();
                if let Some(name) = name {
                    self.bind_local(name, value);
                }
            } else if !rest {
                let value = match (after, slice) {
                    (false, _) => part(self, index),
                    // All elements of a slice are of one type.
                    (true, true) => part(self, 0),
                    (true, false) => ExprIdx::UNKNOWN,
                };
                self.pattern(*kid, value);
            }
            after |= rest;
        }
    }

    fn is_rest(&mut self, kid: &Kid<'t>) -> bool {
        match kid.kind {
            K::Remaining => true,
            K::Captured => self.syn.kids(kid.node).has(K::Remaining),
            _ => false,
        }
    }

    fn struct_pattern(&mut self, kid: Kid<'t>, value: ExprIdx) {
        let kids = self.syn.kids(kid.node);
        let path = match kids.field(F::Type) {
            Some(head) => self.pattern_path(head),
            None => ExprIdx::UNKNOWN,
        };
        for field in kids.iter().filter(|k| k.kind == K::FieldPattern) {
            let inside = self.syn.kids(field.node);
            let Some(name) = inside.field(F::Name) else {
                continue;
            };
            let base = value;
            let field = self.name(name.node).0;
            let value = self.s.b.expr(Expr::VariantField {
                base,
                path,
                name: field,
            });
            match inside.field(F::Pattern) {
                Some(pattern) => self.pattern(pattern, value),
                None => self.bind_local(name, value),
            }
        }
    }
}
