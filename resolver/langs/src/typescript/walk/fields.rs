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
        let frame = self.frames.last().map_or(SymIdx::NONE, |f| f.sym);
        let making = frame == owner
            || self
                .b
                .item()
                .symbol(frame)
                .is_some_and(|s| s.kind == SymbolKind::Constructor);
        let untyped = self.declares_untyped(owner, name.0);
        // What only the constructor assigns is what the field is declared with.
        if !(self.script || making && untyped) {
            self.b.assigns(name.0);
        }
        let known = self
            .assigned
            .iter()
            .position(|a| (a.owner, a.name) == (owner, name.0));
        let at = match known {
            Some(at) => at,
            None => {
                if !self.script && !untyped {
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
            // A function beside other values is one of them.
            if let Some(other) = declared
                && is_field
                && a.values.iter().any(|(v, _)| !self.is_nothing(a.name, *v))
                && self
                    .b
                    .item()
                    .symbol(other)
                    .is_some_and(|s| s.kind == SymbolKind::Method)
                && self.given_in_this(other)
            {
                self.flag(other, Flags::REASSIGNED);
            }
            if !is_field
                && a.values[1..]
                    .iter()
                    .any(|(v, _)| !self.is_nothing(a.name, *v))
            {
                self.flag(a.field, Flags::REASSIGNED);
            }
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

    /// Whether an assigned value leaves what a method is.
    fn is_nothing(&self, field: Name, value: ExprIdx) -> bool {
        let mut values = Vec::new();
        self.given_to(field, value, &mut values, 0);
        values
            .iter()
            .all(|v| matches!(self.b.get_expr(*v), Expr::Lit(Lit::Null | Lit::Undefined)))
    }

    /// Whether an assignment to `this` declares a method.
    fn given_in_this(&self, method: SymIdx) -> bool {
        self.given_methods.contains(&method)
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

    /// At the end of an item: a local declared without a value holds one of what
    /// is assigned to it.
    pub(super) fn settle_locals(&mut self) {
        let mut written = std::mem::take(&mut self.written);
        written.sort_by_key(|w| w.0);
        for run in written.chunk_by(|a, b| a.0 == b.0) {
            let at = run[0].0;
            let Some(binding) = at.get().and_then(|i| self.b.item().bindings.get(i)) else {
                continue;
            };
            let empty = !binding.value.is_known()
                || matches!(
                    self.b.get_expr(binding.value),
                    Expr::Lit(Lit::Null | Lit::Undefined)
                );
            if binding.kind != BindKind::Local || binding.ty.is_known() || !empty {
                continue;
            }
            let values: SmallVec<[ExprIdx; 4]> = run
                .iter()
                .map(|w| w.1)
                .filter(|v| !matches!(self.b.get_expr(*v), Expr::Lit(Lit::Null | Lit::Undefined)))
                .collect();
            let value = match values.as_slice() {
                [] => continue,
                [only] => *only,
                several => self.one_of(several),
            };
            if let Some(b) = self.b.binding_mut(at) {
                b.value = value;
            }
        }
    }
}
