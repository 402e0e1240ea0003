//! `match`: what each case captures, and what its pattern says of the subject.

use super::*;
use surefoot_facts::DecisionKind;

impl<'t> Walker<'t> {
    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Switch, 0, node);
        let kids = self.s.kids(node);
        let subject = kids.iter().filter(|k| k.field == F::Subject);
        let subjects: SmallVec<[ExprIdx; 2]> = subjects_of(subject)
            .into_iter()
            .map(|k| self.value(k))
            .collect();
        let value = match subjects[..] {
            [one] => one,
            _ => {
                let all = self.b.exprs(&subjects);
                self.b.expr(Expr::Tuple(all))
            }
        };
        let Some(body) = kids.field(F::Body) else {
            return;
        };
        let cases = self.s.kids(body.node);
        let span = Span::new(node.start_byte(), node.start_byte() + 1);
        let mut ways: SmallVec<[flow::Way; 8]> = SmallVec::new();
        let mut all = false;
        for case in cases.named() {
            if case.kind != K::CaseClause {
                self.any(case);
                continue;
            }
            let wild = self.is_wild(case.node);
            all |= wild;
            ways.push(self.way(|w| w.nested(|w| w.case(case.node, value, wild))));
        }
        if !all {
            ways.push(flow::Way::default());
        }
        self.meet(&ways, span);
    }

    /// `case _:` or `case name:`, without a guard.
    fn is_wild(&mut self, node: Node<'t>) -> bool {
        let kids = self.s.kids(node);
        let mut patterns = kids.iter().filter(|k| k.kind == K::CasePattern);
        let (Some(pattern), None) = (patterns.next(), patterns.next()) else {
            return false;
        };
        if kids.field(F::Guard).is_some() {
            return false;
        }
        let kids = self.s.kids(pattern.node);
        match kids.first() {
            Some(k) if k.kind == K::Underscore => true,
            Some(k) if k.kind == K::DottedName => self.s.kids(k.node).named().count() == 1,
            _ => false,
        }
    }

    fn case(&mut self, node: Node<'t>, subject: ExprIdx, wild: bool) -> bool {
        let kids = self.s.kids(node);
        if !wild {
            let word = Span::new(node.start_byte(), node.start_byte() + 4);
            self.decide(DecisionKind::Case, 1, 0, word);
        }
        let patterns: SmallVec<[Kid<'t>; 2]> = kids
            .iter()
            .filter(|k| k.kind == K::CasePattern)
            .copied()
            .collect();
        match patterns[..] {
            [one] => self.pattern(one, subject),
            _ => {
                for (i, pattern) in patterns.iter().enumerate() {
                    let (base, index) = (subject, i as u32);
                    let part = self.b.expr(Expr::Part { base, index });
                    self.pattern(*pattern, part);
                }
            }
        }
        if let Some(guard) = kids.field(F::Guard) {
            self.decide(DecisionKind::Guard, 1, 0, span_of(guard.node));
            let inner = self.s.kids(guard.node).named().next();
            let says = self.test(inner);
            self.refine(&says.yes);
        }
        let Some(body) = kids.field(F::Consequence) else {
            return false;
        };
        self.block(body);
        self.leaves(body)
    }

    fn pattern(&mut self, kid: Kid<'t>, value: ExprIdx) {
        self.down(|w| w.pattern_here(kid, value));
    }

    fn pattern_here(&mut self, kid: Kid<'t>, value: ExprIdx) {
        let kids = self.s.kids(kid.node);
        match kid.kind {
            K::DottedName => {
                let parts: SmallVec<[Kid<'t>; 2]> = kids.named().collect();
                match parts[..] {
                    [name] => {
                        let (name, span) = (self.name_at(name.node), span_of(name.node));
                        self.assign(name, span, TyIdx::UNKNOWN, value);
                    }
                    _ => {
                        self.dotted(kid.node);
                    }
                }
            }
            K::AsPattern => {
                let pattern = kids.named().find(|k| k.kind == K::CasePattern);
                let value = match pattern {
                    Some(pattern) => {
                        let narrowed = self.pattern_value(pattern, value);
                        self.pattern(pattern, value);
                        narrowed
                    }
                    None => value,
                };
                if let Some(name) = kids.named().filter(|k| k.kind == K::Identifier).last() {
                    let (name, span) = (self.name_at(name.node), span_of(name.node));
                    self.assign(name, span, TyIdx::UNKNOWN, value);
                }
            }
            K::ClassPattern => {
                if let Some(class) = kids.kind(K::DottedName) {
                    self.dotted(class.node);
                }
                let base = self.pattern_value(kid, value);
                for part in kids.named().filter(|k| k.kind != K::DottedName) {
                    self.class_part(part, base);
                }
            }
            K::SplatPattern => {
                if let Some(name) = kids.named().next() {
                    let (name, span) = (self.name_at(name.node), span_of(name.node));
                    let rest = self.b.expr(Expr::Rest {
                        base: value,
                        from: 0,
                    });
                    self.assign(name, span, TyIdx::UNKNOWN, rest);
                }
            }
            K::ListPattern | K::TuplePattern => {
                for part in kids.named() {
                    let element = self.b.expr(Expr::Element(value));
                    let given = if self.is_splat(part) { value } else { element };
                    self.pattern(part, given);
                }
            }
            K::DictPattern => {
                for part in kids.named().filter(|k| k.field != F::Key) {
                    let (base, index) = (value, ExprIdx::UNKNOWN);
                    let held = self.b.expr(Expr::Index { base, index });
                    self.pattern(part, held);
                }
            }
            K::CasePattern | K::UnionPattern => {
                for part in kids.named() {
                    self.pattern(part, value);
                }
            }
            K::Identifier => {
                let (name, span) = (self.name_at(kid.node), span_of(kid.node));
                self.assign(name, span, TyIdx::UNKNOWN, value);
            }
            _ => {}
        }
    }

    fn is_splat(&mut self, kid: Kid<'t>) -> bool {
        kid.kind == K::SplatPattern
            || kid.kind == K::CasePattern && self.s.kids(kid.node).has(K::SplatPattern)
    }

    /// A part of a class pattern: `name=pattern`, or one by position.
    fn class_part(&mut self, kid: Kid<'t>, base: ExprIdx) {
        let kids = self.s.kids(kid.node);
        let keyword = match kid.kind {
            K::KeywordPattern => Some(kid),
            _ => kids.kind(K::KeywordPattern),
        };
        let Some(keyword) = keyword else {
            return self.pattern(kid, ExprIdx::UNKNOWN);
        };
        let kids = self.s.kids(keyword.node);
        let mut parts = kids.named();
        let Some(name) = parts.next() else {
            return;
        };
        let name = self.name_at(name.node);
        let value = self.b.expr(Expr::Member { base, name });
        for part in parts {
            self.pattern(part, value);
        }
    }

    /// The subject where a class pattern fits.
    fn pattern_value(&mut self, kid: Kid<'t>, base: ExprIdx) -> ExprIdx {
        let inner = match kid.kind {
            K::CasePattern => self.s.kids(kid.node).named().next(),
            _ => Some(kid),
        };
        let Some(class) = inner.filter(|k| k.kind == K::ClassPattern) else {
            return base;
        };
        let Some(path) = self.s.kids(class.node).kind(K::DottedName) else {
            return base;
        };
        let quiet = std::mem::replace(&mut self.quiet, true);
        let path = self.dotted(path.node);
        self.quiet = quiet;
        let args = self.b.types(&[]);
        let ty = self.b.ty(surefoot_facts::Ty::Named { path, args });
        self.b.expr(Expr::Narrowed { base, ty })
    }

    /// `a.b.C` written as a dotted name.
    fn dotted(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let mut out = ExprIdx::UNKNOWN;
        let mut last = None;
        for (i, part) in kids.named().enumerate() {
            out = if i == 0 {
                self.read_at(part.node)
            } else {
                let (base, name) = (out, self.name_at(part.node));
                self.b.expr(Expr::Member { base, name })
            };
            last = Some(part);
        }
        if let Some(last) = last {
            let (name, span) = (self.name_at(last.node), span_of(last.node));
            self.site(SiteKind::Type, name, out, span);
        }
        out
    }
}

fn subjects_of<'a, 't: 'a>(all: impl Iterator<Item = &'a Kid<'t>>) -> SmallVec<[Kid<'t>; 2]> {
    all.filter(|k| k.node.is_named()).copied().collect()
}
