//! Comprehensions and generator expressions: code with names of its own that
//! runs where it is written.

use super::*;
use surefoot_facts::{BindKind, DecisionKind};

impl<'t> Walker<'t> {
    /// What a comprehension makes; the parts of its element by their values.
    pub(super) fn comprehension(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.s.kids(kid.node);
        let clauses: SmallVec<[Kid<'t>; 3]> = kids
            .named()
            .filter(|k| matches!(k.kind, K::ForInClause | K::IfClause))
            .collect();
        // The first iterable is read by the code around.
        let outer = clauses
            .first()
            .and_then(|c| self.s.kids(c.node).field(F::Right));
        let outer = outer.map(|k| self.value(k)).unwrap_or_default();
        self.frames
            .push(Frame::new(Space::Comprehension, SymIdx::NONE));
        let paths = self.paths.len();
        for (i, clause) in clauses.iter().enumerate() {
            if clause.kind == K::IfClause {
                self.decide(DecisionKind::Guard, 1, 0, span_of(clause.node));
                let inner = self.s.kids(clause.node).named().next();
                let says = self.test(inner);
                self.refine_inside(&says.yes);
                continue;
            }
            self.decide(DecisionKind::Loop, 1, 0, span_of(clause.node));
            let kids = self.s.kids(clause.node);
            let over = match kids.field(F::Right) {
                Some(over) if i > 0 => self.value(over),
                _ => outer,
            };
            let is_async = kids.has(K::AsyncWord);
            let value = self.element_of(over, is_async);
            let start = clause.node.start_byte();
            self.iterates(over, is_async, Span::new(start, start + 1));
            if let Some(left) = kids.field(F::Left) {
                self.give_inside(left, value);
            }
        }
        let body = kids.field(F::Body);
        let out = match body {
            Some(pair) if pair.kind == K::Pair => {
                let (key, value) = self.pair(pair.node);
                let keys = self.b.exprs(&[key]);
                let keys = self.b.expr(Expr::Array(keys));
                let values = self.b.exprs(&[value]);
                let values = self.b.expr(Expr::Array(values));
                self.stub_call("__dict", &[keys, values])
            }
            Some(body) => {
                let value = self.value(body);
                let all = self.b.exprs(&[value]);
                let list = self.b.expr(Expr::Array(all));
                match kid.kind {
                    K::SetComprehension => self.stub_call("__set", &[list]),
                    K::GeneratorExpression => self.stub_call("__generator", &[list]),
                    _ => list,
                }
            }
            None => ExprIdx::UNKNOWN,
        };
        self.paths.truncate(paths);
        self.frames.pop();
        out
    }

    /// Names a clause binds live in the comprehension.
    fn give_inside(&mut self, target: Kid<'t>, value: ExprIdx) {
        match target.kind {
            K::Identifier => {
                let (name, span) = (self.name_at(target.node), span_of(target.node));
                self.own(name, span, value);
            }
            K::PatternList | K::TuplePattern | K::ListPattern => self.down(|w| {
                let kids = w.s.kids(target.node);
                for (i, kid) in kids.named().enumerate() {
                    let index = i as u32;
                    let part = w.b.expr(Expr::Part { base: value, index });
                    w.give_inside(kid, part);
                }
            }),
            K::ListSplatPattern => {
                if let Some(inner) = self.s.kids(target.node).named().next() {
                    let base = value;
                    let rest = self.b.expr(Expr::Rest { base, from: 0 });
                    self.give_inside(inner, rest);
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    /// A name of the innermost namespace, whatever was called so around it.
    pub(super) fn own(&mut self, name: Name, span: Span, value: ExprIdx) {
        let ty = TyIdx::UNKNOWN;
        let at = self.b.bind(name, BindKind::Local, ty, value, span, false);
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(name, bindings::Slot::new(at, at, 1));
        }
    }

    /// What a condition says holds for the rest of the comprehension.
    fn refine_inside(&mut self, all: &[narrow::Refinement<'t>]) {
        for refinement in all {
            match *refinement {
                narrow::Refinement::Name(name, span, ty) => {
                    if let bindings::Meaning::Bound(under, param) = self.meaning(name) {
                        let base = self.b.bound(under);
                        let value = self.b.expr(Expr::Narrowed { base, ty });
                        self.own(name, span, value);
                        let frame = self.frames.last_mut();
                        if let Some(slot) = frame.and_then(|f| f.locals.get_mut(&name)) {
                            slot.param = param;
                        }
                    }
                }
                narrow::Refinement::Path(text, base, ty) => {
                    let value = self.b.expr(Expr::Narrowed { base, ty });
                    self.paths.push((text, value));
                }
            }
        }
    }
}
