//! Calls: what is called, by which name, with what.

use super::*;
use surefoot_facts::{List, Lit};

/// What a call names.
#[derive(Default)]
struct Callee {
    /// With the casts around it, which say what the call gives.
    expr: ExprIdx,
    /// Without them: a cast changes no function.
    bare: ExprIdx,
    /// The name token; `None` where none stands in the text.
    named: Option<(Name, Span)>,
    /// What the call gives is awaited.
    awaited: bool,
}

impl Callee {
    fn new(expr: ExprIdx, named: Option<(Name, Span)>) -> Callee {
        Callee {
            expr,
            bare: expr,
            named,
            awaited: false,
        }
    }
}

impl<'t> Walker<'t> {
    fn callee(&mut self, kid: Kid<'t>) -> Callee {
        match kid.kind {
            K::Identifier => {
                let expr = self.read(kid.node);
                let named = Some((self.name_at(kid.node), span_of(kid.node)));
                Callee::new(expr, named)
            }
            K::MemberExpression => {
                let kids = self.s.kids(kid.node);
                if let Some(cast) = self.cast_to_path(&kids) {
                    let inner = self.down(|w| w.callee(cast.inner));
                    let ty = self.path_type(&cast);
                    let base = inner.expr;
                    let expr = self.b.expr(Expr::Cast { base, ty });
                    return Callee { expr, ..inner };
                }
                let (expr, name, span) = self.member_of(kid.node, &kids);
                Callee::new(expr, Some((name, span)))
            }
            K::SubscriptExpression => {
                let (expr, name, span) = self.subscript(kid.node);
                Callee::new(expr, Some((name, span)))
            }
            K::ParenthesizedExpression | K::NonNullExpression => {
                let inner = self.s.kids(kid.node).named().next();
                match inner {
                    Some(k) if k.kind == K::AwaitExpression => Callee::new(self.expr(k), None),
                    Some(k) => self.down(|w| w.callee(k)),
                    None => Callee::default(),
                }
            }
            // `await f<T>(..)`, of which the grammar makes a call of `await f`.
            K::AwaitExpression => {
                let inner = self.s.kids(kid.node).named().next();
                let inner = inner.map(|k| self.down(|w| w.callee(k)));
                Callee {
                    awaited: true,
                    ..inner.unwrap_or_default()
                }
            }
            K::AsExpression | K::TypeAssertion | K::SatisfiesExpression => {
                let kids = self.s.kids(kid.node);
                let mut inner = kids.named();
                let (first, second) = (inner.next(), inner.next());
                let (value, ty) = match kid.kind {
                    K::TypeAssertion => (second, first),
                    _ => (first, second),
                };
                let Some(value) = value else {
                    return Callee::default();
                };
                let inner = self.down(|w| w.callee(value));
                let base = inner.expr;
                let ty = match ty {
                    Some(t) if t.kind == K::TypeArguments => self.type_inside(t.node),
                    Some(t) => self.ty(t),
                    None => TyIdx::UNKNOWN,
                };
                let keeps = kid.kind == K::SatisfiesExpression || !ty.is_known();
                let expr = if keeps {
                    base
                } else {
                    self.b.expr(Expr::Cast { base, ty })
                };
                Callee { expr, ..inner }
            }
            K::InstantiationExpression => {
                let kids = self.s.kids(kid.node);
                let Some(inner) = kids.named().next() else {
                    return Callee::default();
                };
                let inner = self.down(|w| w.callee(inner));
                let expr = self.type_args(inner.expr, kids.field(F::TypeArguments));
                Callee { expr, ..inner }
            }
            // The value of a sequence is its last part.
            K::SequenceExpression => {
                let kids = self.s.kids(kid.node);
                let parts: SmallVec<[Kid<'t>; 2]> = kids.named().collect();
                let Some((last, before)) = parts.split_last() else {
                    return Callee::default();
                };
                for part in before {
                    self.expr(*part);
                }
                self.down(|w| w.callee(*last))
            }
            K::This => {
                let named = Some((self.name_at(kid.node), span_of(kid.node)));
                Callee::new(self.this_expr(), named)
            }
            K::Super => {
                let home = self.home;
                let named = Some((self.name_at(kid.node), span_of(kid.node)));
                Callee::new(self.b.expr(Expr::Super(home)), named)
            }
            _ => Callee::new(self.expr(kid), None),
        }
    }

    /// `a["b"]` is the member `b`. Any other index is computed: the site has no
    /// name and stands at the index when that is a plain name, else before it.
    pub(super) fn subscript(&mut self, node: Node<'t>) -> (ExprIdx, Name, Span) {
        let kids = self.s.kids(node);
        let object = kids.field(F::ObjectField);
        let base = object.map(|k| self.expr(k)).unwrap_or_default();
        let Some(index) = kids.field(F::Index) else {
            return (ExprIdx::UNKNOWN, Name::EMPTY, span_of(node));
        };
        if index.kind == K::StringNode
            && let Some((text, span)) = self.string(index.node)
        {
            let name = self.name_of(text);
            return (self.b.expr(Expr::Member { base, name }), name, span);
        }
        let at = match object {
            _ if index.kind == K::Identifier => span_of(index.node),
            Some(o) if o.kind == K::MemberExpression => {
                let property = self.s.kids(o.node).field(F::Property);
                property.map_or(span_of(o.node), |k| span_of(k.node))
            }
            Some(o) => span_of(o.node),
            None => span_of(node),
        };
        let position = (index.kind == K::Number)
            .then(|| self.s.text(index.node).parse::<u8>().ok())
            .flatten();
        if let Some(position) = position {
            let index = u32::from(position);
            return (self.b.expr(Expr::Part { base, index }), Name::EMPTY, at);
        }
        let index = self.expr(index);
        (self.b.expr(Expr::Index { base, index }), Name::EMPTY, at)
    }

    pub(super) fn type_args(&mut self, base: ExprIdx, args: Option<Kid<'t>>) -> ExprIdx {
        let Some(args) = args else {
            return base;
        };
        let args = self.type_list(args.node);
        let args = self.b.types(&args);
        self.b.expr(Expr::TypeArgs { base, args })
    }

    fn call_site(&mut self, kind: SiteKind, callee: &Callee) -> SiteIdx {
        match callee.named {
            Some((name, span)) => self.site(kind, name, callee.bare, span),
            None => SiteIdx::NONE,
        }
    }

    fn set_call(&mut self, site: SiteIdx, call: ExprIdx) {
        if let Some(site) = self.b.site_mut(site) {
            site.call = call;
        }
    }

    pub(super) fn call(&mut self, node: Node<'t>) -> ExprIdx {
        self.call_as(node, SiteKind::Call)
    }

    fn call_as(&mut self, node: Node<'t>, kind: SiteKind) -> ExprIdx {
        let kids = self.s.kids(node);
        let (Some(function), Some(args)) = (kids.field(F::FunctionField), kids.field(F::Arguments))
        else {
            self.inside(node);
            return ExprIdx::UNKNOWN;
        };
        if function.kind == K::Import {
            return self.dynamic_import(args.node);
        }
        let tagged = args.kind == K::TemplateString;
        let kind = if tagged { SiteKind::Tagged } else { kind };
        let callee = self.callee(function);
        let site = self.call_site(kind, &callee);
        let target = self.type_args(callee.expr, kids.field(F::TypeArguments));
        let empty = List::default();
        let call = self.b.expr(Expr::Call {
            callee: target,
            args: empty,
            site,
        });
        self.set_call(site, call);
        let args = if tagged {
            self.tagged_arguments(args.node)
        } else {
            let mix = self.mixes(function, args.node);
            let mixing = std::mem::replace(&mut self.mixing, mix.map(|m| m.block));
            let list = self.arguments(args.node, call);
            self.mixing = mixing;
            if let Some(mix) = mix {
                let all: SmallVec<[ExprIdx; 4]> = self.b.item().expr_list(list).collect();
                self.mixed(mix, &all);
            }
            list
        };
        self.b.set_expr(
            call,
            Expr::Call {
                callee: target,
                args,
                site,
            },
        );
        if function.kind == K::Identifier {
            match self.s.text(function.node) {
                "eval" => self.reads_wholesale(),
                "require" => {
                    if let Some(module) = self.required(&kids) {
                        return module;
                    }
                }
                _ => {}
            }
        } else if let Some(created) = self.created(node) {
            return created;
        }
        match callee.awaited {
            true => self.b.expr(Expr::Await(call)),
            false => call,
        }
    }

    /// `require("m")`, unless something here is called `require`.
    fn required(&mut self, kids: &Kids<'t>) -> Option<ExprIdx> {
        let spec = self.required_from(kids)?;
        let promised = false;
        Some(self.b.expr(Expr::Import { spec, promised }))
    }

    fn required_from(&mut self, kids: &Kids<'t>) -> Option<Name> {
        let args = self.s.kids(kids.field(F::Arguments)?.node);
        let mut args = args.named();
        let only = args.next().filter(|k| k.kind == K::StringNode)?;
        let require = self.name_of("require");
        if args.next().is_some() || self.b.lookup(require).is_some() {
            return None;
        }
        let spec = self.string(only.node)?.0;
        Some(self.name_of(spec))
    }

    /// The module that `require("m")` gives.
    pub(super) fn require_of(&mut self, value: Kid<'t>) -> Option<Name> {
        if value.kind != K::CallExpression {
            return None;
        }
        let kids = self.s.kids(value.node);
        let function = kids.field(F::FunctionField)?;
        if function.kind != K::Identifier || self.s.text(function.node) != "require" {
            return None;
        }
        self.required_from(&kids)
    }

    fn dynamic_import(&mut self, args: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(args);
        let mut out = ExprIdx::UNKNOWN;
        for (i, kid) in kids.named().enumerate() {
            let spec = match kid.kind {
                K::StringNode if i == 0 => self.string(kid.node),
                K::TemplateString if i == 0 => self.string(kid.node),
                _ => None,
            };
            match spec {
                Some((spec, _)) => {
                    let spec = self.name_of(spec);
                    let promised = true;
                    out = self.b.expr(Expr::Import { spec, promised });
                }
                None => {
                    self.value(kid);
                }
            }
        }
        out
    }

    fn arguments(&mut self, node: Node<'t>, call: ExprIdx) -> List {
        let kids = self.s.kids(node);
        let mut all: SmallVec<[ExprIdx; 6]> = SmallVec::new();
        for (i, kid) in kids.named().enumerate() {
            let at = u16::try_from(i).unwrap_or(u16::MAX);
            all.push(self.value_in(kid, Some((call, at))));
        }
        self.b.exprs(&all)
    }

    /// A tag is given the strings first, then what is substituted.
    fn tagged_arguments(&mut self, node: Node<'t>) -> List {
        let text = self.b.expr(Expr::Lit(Lit::Str));
        let strings = self.b.exprs(&[text]);
        let strings = self.b.expr(Expr::Array(strings));
        let mut all: SmallVec<[ExprIdx; 6]> = SmallVec::new();
        all.push(strings);
        all.extend(self.substitutions(node));
        self.b.exprs(&all)
    }

    pub(super) fn new_expression(&mut self, node: Node<'t>) -> ExprIdx {
        let kids = self.s.kids(node);
        let Some(class) = kids.field(F::Constructor) else {
            self.inside(node);
            return ExprIdx::UNKNOWN;
        };
        let callee = self.callee(class);
        let site = self.call_site(SiteKind::New, &callee);
        let target = self.type_args(callee.expr, kids.field(F::TypeArguments));
        let made = |args| Expr::New {
            callee: target,
            args,
            site,
        };
        let new = self.b.expr(made(List::default()));
        self.set_call(site, new);
        if let Some(args) = kids.field(F::Arguments) {
            let args = self.arguments(args.node, new);
            self.b.set_expr(new, made(args));
        }
        new
    }

    /// `@name`, `@ns.name`, `@name(args)`: the decorator is called.
    pub(super) fn decorator(&mut self, node: Node<'t>) {
        let inner = self.s.kids(node).named().next();
        let Some(mut inner) = inner else {
            return;
        };
        while inner.kind == K::ParenthesizedExpression {
            match self.s.kids(inner.node).named().next() {
                Some(next) => inner = next,
                None => return,
            }
        }
        if inner.kind == K::CallExpression {
            self.down(|w| w.call_as(inner.node, SiteKind::Decorator));
            return;
        }
        let callee = self.callee(inner);
        let site = self.call_site(SiteKind::Decorator, &callee);
        let call = self.b.expr(Expr::Call {
            callee: callee.expr,
            args: List::default(),
            site,
        });
        self.set_call(site, call);
    }
}
