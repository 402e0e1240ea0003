//! Parameters: as written, and as the body sees them.

use super::*;
use surefoot_facts::{BindKind, Param, ParamUse, Ty};

/// A parameter before the body it belongs to is entered.
pub(super) struct Written {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) ty: TyIdx,
    /// What it holds when a call leaves it out.
    pub(super) default: Option<ExprIdx>,
    pub(super) rest: bool,
}

impl<'t> Walker<'t> {
    /// The parameters of a list; defaults and annotations belong to the code around.
    pub(super) fn written(&mut self, list: Option<Kid<'t>>) -> Vec<Written> {
        let mut out = Vec::new();
        let Some(list) = list else {
            return out;
        };
        let kids = self.s.kids(list.node);
        for kid in kids.named() {
            let parts = self.s.kids(kid.node);
            let ty = parts.field(F::TypeField).map(|k| self.ty(k));
            let ty = ty.unwrap_or_default();
            let default = parts.field(F::Value).map(|k| self.value(k));
            let name = match kid.kind {
                K::Identifier => Some(kid),
                K::DefaultParameter | K::TypedDefaultParameter => parts.field(F::Name),
                K::TypedParameter | K::ListSplatPattern | K::DictionarySplatPattern => {
                    parts.named().next()
                }
                _ => None,
            };
            let (mut name, mut star) = (name, kid.kind);
            if let Some(inner) = name
                && matches!(inner.kind, K::ListSplatPattern | K::DictionarySplatPattern)
            {
                star = inner.kind;
                name = self.s.kids(inner.node).named().next();
            }
            let Some(name) = name.filter(|k| k.kind == K::Identifier) else {
                continue;
            };
            let ty = match star {
                K::ListSplatPattern if ty.is_known() => self.b.ty(Ty::Array(ty)),
                K::DictionarySplatPattern if ty.is_known() => self.dict_of(ty),
                _ => ty,
            };
            out.push(Written {
                name: self.name_at(name.node),
                span: span_of(name.node),
                ty,
                default,
                rest: matches!(star, K::ListSplatPattern | K::DictionarySplatPattern),
            });
        }
        out
    }

    fn dict_of(&mut self, value: TyIdx) -> TyIdx {
        let text = self.stub("str");
        let none = self.b.types(&[]);
        let key = self.b.ty(Ty::Named {
            path: text,
            args: none,
        });
        let path = self.stub("dict");
        let args = self.b.types(&[key, value]);
        self.b.ty(Ty::Named { path, args })
    }

    /// Binds the parameters in the body of `sym`. `context`: types that are not
    /// written follow from where the function is passed.
    pub(super) fn bind_parameters(
        &mut self,
        sym: SymIdx,
        all: Vec<Written>,
        receiver: bool,
        context: bool,
    ) -> Vec<Param> {
        let mut params = Vec::with_capacity(all.len());
        let mut uses = Vec::new();
        for (i, p) in all.into_iter().enumerate() {
            if i == 0 && receiver && !p.rest {
                let kind = BindKind::SelfParam { of: sym };
                let at = self
                    .b
                    .bind(p.name, kind, p.ty, ExprIdx::UNKNOWN, p.span, true);
                self.parameter_slot(p.name, at, None);
                if let Some(frame) = self.frames.last_mut() {
                    frame.receiver = Some(p.name);
                }
                continue;
            }
            let index = params.len() as u16;
            let value = if !p.ty.is_known() && context {
                let index = u32::from(index);
                self.b.expr(Expr::LambdaParam { lambda: sym, index })
            } else if !p.ty.is_known() && p.rest {
                self.rest_value(p.span)
            } else {
                ExprIdx::UNKNOWN
            };
            let kind = BindKind::Param { of: sym, index };
            let binding = self.b.bind(p.name, kind, p.ty, value, p.span, true);
            self.parameter_slot(p.name, binding, Some((sym, index)));
            uses.push(ParamUse {
                param: index,
                intended: p.name.text().starts_with('_') || p.rest,
                ..ParamUse::default()
            });
            params.push(Param {
                name: p.name,
                ty: p.ty,
                optional: p.default.is_some(),
                rest: p.rest,
                binding,
                default: p.default.unwrap_or_default(),
            });
        }
        if let Some(s) = self.b.symbol_mut(sym) {
            s.param_uses = uses;
        }
        params
    }

    /// `*args` is a tuple and `**kwargs` a dict, of whatever is passed.
    fn rest_value(&mut self, span: Span) -> ExprIdx {
        let before = self.s.text.as_bytes();
        let start = span.start as usize;
        let double = start >= 2 && before.get(start - 2..start) == Some(b"**");
        let unknown = self.b.exprs(&[ExprIdx::UNKNOWN]);
        let unknown = self.b.expr(Expr::Array(unknown));
        if double {
            let key = self.b.expr(Expr::Lit(surefoot_facts::Lit::Str));
            let key = self.b.exprs(&[key]);
            let keys = self.b.expr(Expr::Array(key));
            self.stub_call("__dict", &[keys, unknown])
        } else {
            self.stub_call("__tuple", &[unknown])
        }
    }

    fn parameter_slot(&mut self, name: Name, at: BindIdx, param: Option<(SymIdx, u16)>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let mut slot = bindings::Slot::new(at, at, 1);
        slot.param = param;
        frame.locals.insert(name, slot);
    }
}
