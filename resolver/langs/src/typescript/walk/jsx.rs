//! JSX: an element named like a component calls it.

use super::*;

impl<'t> Walker<'t> {
    pub(super) fn jsx(&mut self, kid: Kid<'t>) -> ExprIdx {
        let kids = self.s.kids(kid.node);
        if kid.kind == K::JsxSelfClosingElement {
            self.opening(&kids);
            return ExprIdx::UNKNOWN;
        }
        for kid in kids.named() {
            match kid.kind {
                K::JsxOpeningElement => {
                    let kids = self.s.kids(kid.node);
                    self.opening(&kids);
                }
                K::JsxClosingElement => {}
                K::JsxExpression => self.jsx_expression(kid.node),
                K::JsxElement | K::JsxSelfClosingElement | K::Error => {
                    self.expr(kid);
                }
                _ => {}
            }
        }
        ExprIdx::UNKNOWN
    }

    fn opening(&mut self, kids: &Kids<'t>) {
        if let Some(name) = kids.field(F::Name) {
            self.component(name);
        }
        if let Some(args) = kids.field(F::TypeArguments) {
            self.type_list(args.node);
        }
        for kid in kids
            .iter()
            .filter(|k| k.field == F::Attribute || k.kind == K::Error)
        {
            match kid.kind {
                K::JsxExpression => self.jsx_expression(kid.node),
                K::JsxAttribute => {
                    let parts = self.s.kids(kid.node);
                    for part in parts.named() {
                        match part.kind {
                            K::JsxExpression => self.jsx_expression(part.node),
                            K::JsxElement | K::JsxSelfClosingElement => {
                                self.expr(part);
                            }
                            _ => {}
                        }
                    }
                }
                _ => self.any(*kid),
            }
        }
    }

    /// `<div>` is the platform's; `<Card>` and `<ui.Card>` call what they name.
    fn component(&mut self, kid: Kid<'t>) {
        let text = self.s.text(kid.node);
        let intrinsic = text.starts_with(|c: char| c.is_ascii_lowercase()) || text.contains('-');
        let (callee, name, span) = match kid.kind {
            K::Identifier if !intrinsic => {
                let value = self.read(kid.node);
                (value, self.name_at(kid.node), span_of(kid.node))
            }
            K::MemberExpression => self.named(kid),
            _ => return,
        };
        self.site(SiteKind::Element, name, callee, span);
    }

    fn jsx_expression(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.named() {
            self.value(kid);
        }
    }
}
