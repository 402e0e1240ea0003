//! Calls that the language makes where nothing of them is written.

use super::*;
use surefoot_facts::List;

impl<'t> Walker<'t> {
    /// A loop asks what it goes over for an iterator, and that for each value.
    pub(super) fn iterates(&mut self, over: ExprIdx, is_async: bool, at: Span) {
        let names = match is_async {
            true => ["__aiter__", "__anext__"],
            false => ["__iter__", "__next__"],
        };
        let mut base = over;
        for name in names {
            base = self.runs_member(base, name, at);
        }
    }

    /// `with` enters its manager and leaves it.
    pub(super) fn manages(&mut self, manager: ExprIdx, is_async: bool, at: Span) {
        let names = match is_async {
            true => ["__aenter__", "__aexit__"],
            false => ["__enter__", "__exit__"],
        };
        for name in names {
            self.runs_member(manager, name, at);
        }
    }

    /// A method that the language calls; gives the call.
    fn runs_member(&mut self, base: ExprIdx, name: &'static str, at: Span) -> ExprIdx {
        if !base.is_known() {
            return ExprIdx::UNKNOWN;
        }
        let name = self.name_of(name);
        let callee = self.b.expr(Expr::Member { base, name });
        self.runs(name, callee, at)
    }

    /// Something that the language calls without arguments; gives the call.
    pub(super) fn runs(&mut self, name: Name, callee: ExprIdx, at: Span) -> ExprIdx {
        let site = self.site(SiteKind::Implicit, name, callee, at);
        let args = List::default();
        let call = self.b.expr(Expr::Call { callee, args, site });
        if let Some(site) = self.b.site_mut(site) {
            site.call = call;
        }
        call
    }

    /// `raise C` constructs `C`.
    pub(super) fn raise(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for (i, kid) in kids.named().enumerate() {
            let value = self.value(kid);
            let last = match kid.kind {
                K::Identifier => Some(kid.node),
                K::Attribute => {
                    let parts = self.s.kids(kid.node);
                    parts.field(F::AttributeField).map(|k| k.node)
                }
                _ => None,
            };
            if let (0, Some(last)) = (i, last) {
                let name = self.name_at(last);
                self.runs(name, value, span_of(last));
            }
        }
    }
}
