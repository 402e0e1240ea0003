//! Fields that assignments to `this` declare.

use super::class::Modifiers;
use super::*;
use surefoot_facts::{Lit, names};

/// A field that assignments to `this` declare.
pub(super) struct Assigned {
    pub(super) owner: SymIdx,
    pub(super) name: Name,
    pub(super) field: SymIdx,
    /// Each with whether what makes the instance assigns it.
    pub(super) values: Vec<(ExprIdx, bool)>,
}

impl<'t> Walker<'t> {
    pub(super) fn assign_field(
        &mut self,
        owner: SymIdx,
        name: (Name, Span),
        value: ExprIdx,
        lead: Lead,
    ) {
        let ty = self.jsdoc_type(lead.jsdoc);
        let known = self
            .assigned
            .iter()
            .position(|a| (a.owner, a.name) == (owner, name.0));
        let at = match known {
            Some(at) => at,
            None => {
                if !self.script && !self.declares_untyped(owner, name.0) {
                    return;
                }
                self.b.enter_parent(owner);
                let kind = SymbolKind::Field;
                let field = self.declare_member(name, kind, Modifiers::default(), lead);
                self.b.leave_parent();
                self.assigned.push(Assigned {
                    owner,
                    name: name.0,
                    field,
                    values: Vec::new(),
                });
                self.assigned.len() - 1
            }
        };
        let frame = self.frames.last().map_or(SymIdx::NONE, |f| f.sym);
        let making = frame == owner
            || self
                .b
                .item()
                .symbol(frame)
                .is_some_and(|s| s.kind == SymbolKind::Constructor);
        self.assigned[at].values.push((value, making));
        let field = self.assigned[at].field;
        if ty.is_known()
            && let Some(s) = self.b.symbol_mut(field)
        {
            s.ty = ty;
        }
    }

    /// A class of TypeScript declares its fields; one without a type or a value
    /// is what the constructor assigns.
    fn declares_untyped(&self, owner: SymIdx, name: Name) -> bool {
        self.b.item().symbols.iter().any(|s| {
            s.parent == owner
                && s.name == name
                && s.kind == SymbolKind::Field
                && !s.ty.is_known()
                && !s.value.is_known()
        })
    }

    /// At the end of an item: each field holds one of what was assigned to it,
    /// and what the class declares itself goes before.
    pub(super) fn settle_fields(&mut self) {
        for a in std::mem::take(&mut self.assigned) {
            // What the constructor assigns is what the field is declared with.
            let mut values = self.held_by(&a, true);
            if values.is_empty() {
                values = self.held_by(&a, false);
            }
            if values.is_empty() {
                values.extend(a.values.iter().map(|v| v.0).take(1));
            }
            let value = match values.as_slice() {
                [] => ExprIdx::UNKNOWN,
                [only] => *only,
                several => self.one_of(several),
            };
            let declared = self.b.item().symbols.iter().enumerate().position(|(i, s)| {
                s.parent == a.owner
                    && s.name == a.name
                    && SymIdx(i as u32) != a.field
                    && matches!(
                        s.kind,
                        SymbolKind::Method
                            | SymbolKind::Getter
                            | SymbolKind::Setter
                            | SymbolKind::Field
                    )
            });
            let declared = declared.map(|i| SymIdx(i as u32));
            let kind = self.b.item().symbol(a.field).map(|s| s.kind);
            let is_field = kind == Some(SymbolKind::Field);
            let Some(declared) = declared else {
                if let Some(s) = self.b.symbol_mut(a.field).filter(|_| is_field) {
                    s.value = value;
                }
                continue;
            };
            if let Some(s) = self.b.symbol_mut(declared)
                && s.kind == SymbolKind::Field
                && !s.ty.is_known()
                && !s.value.is_known()
            {
                s.value = value;
            }
            if let Some(s) = self.b.symbol_mut(a.field).filter(|_| is_field) {
                s.name = Name::EMPTY;
            }
        }
    }

    /// The values of a field that say what it holds.
    fn held_by(&self, a: &Assigned, making: bool) -> Vec<ExprIdx> {
        let mut values = Vec::new();
        for (value, made) in &a.values {
            if *made || !making {
                self.given_to(a.name, *value, &mut values, 0);
            }
        }
        values.retain(|v| !matches!(self.b.get_expr(*v), Expr::Lit(Lit::Null | Lit::Undefined)));
        values
    }

    /// What an assigned value adds: not what the field had before.
    fn given_to(&self, field: Name, value: ExprIdx, out: &mut Vec<ExprIdx>, depth: u8) {
        let own = |e: ExprIdx| match self.b.get_expr(e) {
            Expr::Member { base, name } => {
                name == field && matches!(self.b.get_expr(base), Expr::This(_))
            }
            _ => false,
        };
        match self.b.get_expr(value) {
            Expr::OneOf(list) if depth < 8 => {
                for part in self.b.item().expr_list(list).collect::<Vec<_>>() {
                    self.given_to(field, part, out, depth + 1);
                }
            }
            // `this.m = this.m.bind(this)`
            Expr::Call { callee, .. }
                if matches!(self.b.get_expr(callee), Expr::Member { base, name }
                    if name == names::bind() && own(base)) => {}
            _ if own(value) => {}
            _ => out.push(value),
        }
    }
}
