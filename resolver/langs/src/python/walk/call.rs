//! Calls: what is called, by which name, with what.

use super::*;
use surefoot_facts::{List, Lit};

/// What a call names.
struct Callee {
    expr: ExprIdx,
    /// The name token; `None` where none stands in the text.
    named: Option<(Name, Span)>,
}

impl<'t> Walker<'t> {
    fn callee(&mut self, kid: Kid<'t>) -> Callee {
        match kid.kind {
            K::Identifier => Callee {
                expr: self.read_at(kid.node),
                named: Some((self.name_at(kid.node), span_of(kid.node))),
            },
            K::Attribute => {
                let (expr, name, span) = self.attribute(kid.node);
                Callee {
                    expr,
                    named: Some((name, span)),
                }
            }
            K::Subscript => {
                let (expr, span) = self.subscript(kid.node);
                Callee {
                    expr,
                    named: Some((Name::EMPTY, span)),
                }
            }
            K::ParenthesizedExpression => {
                let inner = self.s.kids(kid.node).named().next();
                match inner {
                    Some(inner) if inner.kind != K::NamedExpression => {
                        let out = self.down(|w| Some(w.callee(inner)));
                        out.unwrap_or(Callee {
                            expr: ExprIdx::UNKNOWN,
                            named: None,
                        })
                    }
                    _ => Callee {
                        expr: self.expr(kid),
                        named: None,
                    },
                }
            }
            _ => Callee {
                expr: self.expr(kid),
                named: None,
            },
        }
    }

    pub(super) fn call(&mut self, node: Node<'t>) -> ExprIdx {
        self.call_as(node, SiteKind::Call)
    }

    fn call_as(&mut self, node: Node<'t>, kind: SiteKind) -> ExprIdx {
        let kids = self.s.kids(node);
        let (Some(function), Some(args)) = (kids.field(F::Function), kids.field(F::Arguments))
        else {
            self.inside(node);
            return ExprIdx::UNKNOWN;
        };
        let callee = self.callee(function);
        let site = match callee.named {
            Some((name, span)) => self.site(kind, name, callee.expr, span),
            // `f()()`: what is called has no name; the bracket stands for it.
            None => {
                let start = args.node.start_byte();
                let bracket = Span::new(start, start + 1);
                self.site(kind, Name::EMPTY, callee.expr, bracket)
            }
        };
        let made = |args| Expr::Call {
            callee: callee.expr,
            args,
            site,
        };
        let call = self.b.expr(made(List::default()));
        if let Some(site) = self.b.site_mut(site) {
            site.call = call;
        }
        if function.kind == K::Identifier
            && matches!(self.b.get_expr(callee.expr), Expr::Free { .. })
        {
            match self.s.text(function.node) {
                "super" => {
                    if let Some(above) = self.super_call(args.node) {
                        return above;
                    }
                }
                "locals" | "vars" | "eval" | "exec" => self.reads_wholesale(),
                _ => {}
            }
        }
        if let Some(cast) = self.cast(function, args) {
            return cast;
        }
        let args = if args.kind == K::ArgumentList {
            self.arguments(args.node, call)
        } else {
            let only = self.expr(args);
            self.b.exprs(&[only])
        };
        self.b.set_expr(call, made(args));
        call
    }

    /// `super()` in a method, or with two arguments.
    fn super_call(&mut self, args: Node<'t>) -> Option<ExprIdx> {
        let around = self.frames.iter().rev().find(|f| !f.class.is_none())?;
        let class = around.class;
        let kids = self.s.kids(args);
        for kid in kids.named() {
            self.expr(kid);
        }
        Some(self.b.expr(Expr::Super(class)))
    }

    /// `locals()` and `eval` read every parameter of the functions around.
    fn reads_wholesale(&mut self) {
        let around: SmallVec<[SymIdx; 4]> = self.frames.iter().map(|f| f.sym).collect();
        for sym in around {
            self.flag(sym, Flags::OPAQUE_READS);
        }
    }

    /// `cast(T, value)`: what it gives is written.
    fn cast(&mut self, function: Kid<'t>, args: Kid<'t>) -> Option<ExprIdx> {
        let text = self.s.text(function.node);
        if !matches!(text, "cast" | "typing.cast" | "t.cast") || args.kind != K::ArgumentList {
            return None;
        }
        let kids = self.s.kids(args.node);
        let mut parts = kids.named();
        let (ty, value) = (parts.next()?, parts.next()?);
        if parts.next().is_some() || ty.kind == K::KeywordArgument {
            return None;
        }
        let ty = self.ty_value(ty);
        let base = self.value(value);
        Some(self.b.expr(Expr::Cast { base, ty }))
    }

    fn arguments(&mut self, node: Node<'t>, call: ExprIdx) -> List {
        let kids = self.s.kids(node);
        let mut all: SmallVec<[ExprIdx; 6]> = SmallVec::new();
        for (i, kid) in kids.named().enumerate() {
            let at = u16::try_from(i).unwrap_or(u16::MAX);
            if kid.kind != K::KeywordArgument {
                all.push(self.value_in(kid, Some((call, at))));
                continue;
            }
            let parts = self.s.kids(kid.node);
            let (Some(name), Some(value)) = (parts.field(F::Name), parts.field(F::Value)) else {
                continue;
            };
            let name = self.name_at(name.node);
            let value = self.value_in(value, Some((call, at)));
            all.push(self.b.expr(Expr::Keyword { name, value }));
        }
        self.b.exprs(&all)
    }

    /// `@name`, `@a.b(args)`: the call of the decorator, before it is given what
    /// it decorates.
    pub(super) fn decorator(&mut self, node: Node<'t>) -> ExprIdx {
        let Some(inner) = self.s.kids(node).named().next() else {
            return ExprIdx::UNKNOWN;
        };
        if inner.kind == K::Call {
            // What the call gives is what decorates.
            let made = self.down(|w| w.call_as(inner.node, SiteKind::Decorator));
            let start = node.start_byte();
            return self.runs(Name::EMPTY, made, Span::new(start, start + 1));
        }
        let callee = self.callee(inner);
        let site = match callee.named {
            Some((name, span)) => self.site(SiteKind::Decorator, name, callee.expr, span),
            None => SiteIdx::NONE,
        };
        let call = self.b.expr(Expr::Call {
            callee: callee.expr,
            args: List::default(),
            site,
        });
        if let Some(site) = self.b.site_mut(site) {
            site.call = call;
        }
        call
    }

    /// What stands for a value nobody wrote: `None`.
    pub(super) fn none(&mut self) -> ExprIdx {
        self.b.expr(Expr::Lit(Lit::Null))
    }
}
