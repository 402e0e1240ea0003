//! `const`, `let`, `var`: functions, classes and objects bound to a name are
//! declarations of their own; anything else is a variable with its value.

use super::function::How;
use super::pattern::Binder;
use super::*;
use surefoot_facts::ImportKind;

impl<'t> Walker<'t> {
    pub(super) fn variables(&mut self, kid: Kid<'t>, lead: Lead) {
        let kids = self.s.kids(kid.node);
        let is_var = kid.kind == K::VariableDeclaration;
        let constant = kids.has(K::ConstWord);
        let several = kids
            .iter()
            .filter(|k| k.kind == K::VariableDeclarator)
            .count()
            > 1;
        for kid in kids.named() {
            if kid.kind != K::VariableDeclarator {
                self.any(kid);
                continue;
            }
            let full = if several {
                span_of(kid.node)
            } else {
                lead.full
            };
            let binder = Binder {
                is_var,
                constant,
                lead: Lead { full, ..lead },
            };
            self.declarator(kid.node, binder);
        }
    }

    fn declarator(&mut self, node: Node<'t>, binder: Binder) {
        let kids = self.s.kids(node);
        let ty = match kids.field(F::Type) {
            Some(ty) => self.ty(ty),
            None => self.jsdoc_type(binder.lead.jsdoc),
        };
        let Some(name) = kids.field(F::Name) else {
            return self.inside(node);
        };
        let mut value = kids.field(F::Value);
        if let Some(value) = value
            && self.requires(name, value, binder)
        {
            return;
        }
        // `var x = a.b = value`: every target is another name of the value.
        let mut targets: SmallVec<[Kid<'t>; 2]> = SmallVec::new();
        while let Some(chain) = value.filter(|v| v.kind == K::AssignmentExpression)
            && name.kind == K::Identifier
        {
            let kids = self.s.kids(chain.node);
            targets.extend(kids.field(F::Left));
            value = kids.field(F::Right);
        }
        self.bound(name, value, ty, binder);
        if !targets.is_empty() {
            let (word, span) = (self.name_at(name.node), span_of(name.node));
            self.also_named(&targets, word, span, span_of(node));
        }
    }

    /// `const x = require("m")`, `const { a } = require("m")`: imports.
    fn requires(&mut self, name: Kid<'t>, value: Kid<'t>, binder: Binder) -> bool {
        let (call, member) = match value.kind {
            K::MemberExpression => {
                let kids = self.s.kids(value.node);
                let (Some(object), Some(property)) =
                    (kids.field(F::ObjectField), kids.field(F::Property))
                else {
                    return false;
                };
                (object, Some(property))
            }
            _ => (value, None),
        };
        let Some(spec) = self.require_of(call) else {
            return false;
        };
        let mut all: SmallVec<[(Kid<'t>, Name, Name); 4]> = SmallVec::new();
        match name.kind {
            K::Identifier => {
                let local = self.name_at(name.node);
                let asked = match member {
                    Some(property) => self.name_at(property.node),
                    None => surefoot_facts::names::export_assign(),
                };
                all.push((member.unwrap_or(name), local, asked));
            }
            K::ObjectPattern if member.is_none() => {
                let kids = self.s.kids(name.node);
                for part in kids.named() {
                    let (key, local) = match part.kind {
                        K::ShorthandPropertyPattern => (part, part),
                        K::PairPattern => {
                            let kids = self.s.kids(part.node);
                            match (kids.field(F::Key), kids.field(F::Value)) {
                                (Some(k), Some(v)) if v.kind == K::Identifier => (k, v),
                                _ => return false,
                            }
                        }
                        _ => return false,
                    };
                    let (asked, local) = (self.property_name(key).0, self.name_at(local.node));
                    if asked.is_empty() {
                        return false;
                    }
                    all.push((key, local, asked));
                }
            }
            _ => return false,
        }
        let fixed = |w: &Self, local: Name| {
            binder.constant || (w.b.at_module_level() && !w.reassigned.contains(local.text()))
        };
        if !all.iter().all(|a| fixed(self, a.1)) {
            return false;
        }
        self.expr(call);
        for (token, local, asked) in all {
            let mut import = module::entry(ImportKind::Named, local, asked, spec);
            import.exported = binder.lead.exported;
            self.add_import(import, span_of(name.node), span_of(token.node));
        }
        true
    }

    fn bound(&mut self, name: Kid<'t>, value: Option<Kid<'t>>, ty: TyIdx, binder: Binder) {
        if name.kind != K::Identifier {
            let value = value.map(|k| self.value(k)).unwrap_or_default();
            let value = if ty.is_known() {
                self.b.expr(Expr::Cast { base: value, ty })
            } else {
                value
            };
            return self.pattern(name, value, binder);
        }
        let (word, span) = (self.name_at(name.node), span_of(name.node));
        let home = self.home_of(binder.is_var);

        // `var x` over a parameter `x` is that parameter.
        if binder.is_var
            && let Some(frame) = self.frames.last()
            && frame.params.iter().any(|p| p.0 == word)
        {
            if let Some(value) = value {
                self.value(value);
                self.write(name.node, Access::Write);
            }
            return;
        }
        if let Some(value) = value
            && let Some((function, cast)) = self.function_under(value)
        {
            let sym = self.declare_in(home, word, SymbolKind::Function, span, &binder.lead);
            let cast = cast.map(|k| self.ty(k)).unwrap_or_default();
            let ty = if ty.is_known() { ty } else { cast };
            self.variable_facts(sym, word, ty, binder);
            let own = self.own_name(function);
            let how = How {
                this: self.this_of_function(sym),
                contextual: ty.is_known(),
                own,
                jsdoc: binder.lead.jsdoc,
                ..How::expression(function)
            };
            let kids = self.s.kids(function.node);
            self.callable(sym, function.node, &kids, how);
            return;
        }
        if let Some(value) = value.filter(|v| v.kind == K::Class) {
            let sym = self.declare_in(home, word, SymbolKind::Class, span, &binder.lead);
            self.variable_facts(sym, word, TyIdx::UNKNOWN, binder);
            self.class(sym, value.node, true);
            return;
        }
        let functions =
            value.is_some_and(|v| self.holds_functions(v) || (self.script && v.kind == K::Object));
        if home.is_none() || functions {
            let sym = self.declare_in(home, word, SymbolKind::Variable, span, &binder.lead);
            self.variable_facts(sym, word, ty, binder);
            if let Some(value) = value {
                self.b.enter_parent(sym);
                let value = self.value(value);
                self.b.leave_parent();
                if let Some(s) = self.b.symbol_mut(sym) {
                    s.value = value;
                }
            }
            return;
        }
        let value = value.map(|k| self.value(k)).unwrap_or_default();
        if let Some(scope) = home {
            self.b
                .bind_in(scope, word, BindKind::Local, ty, value, span, true);
        }
    }

    /// The written type, and whether the name may be assigned again.
    pub(super) fn variable_facts(&mut self, sym: SymIdx, word: Name, ty: TyIdx, binder: Binder) {
        let module = self.b.at_module_level() || (binder.is_var && self.frames.is_empty());
        let in_file = self.b.parent().is_none();
        let assigned = module
            && !binder.constant
            && !self.ambient
            && (!in_file || self.reassigned.contains(word.text()));
        if let Some(s) = self.b.symbol_mut(sym) {
            s.ty = ty;
            if assigned {
                s.flags.set(Flags::REASSIGNED);
            }
            if binder.constant {
                s.flags.set(Flags::READONLY);
            }
        }
    }

    /// The function an initialiser is, through parentheses and casts, and the
    /// type it is cast to.
    pub(super) fn function_under(&mut self, kid: Kid<'t>) -> Option<(Kid<'t>, Option<Kid<'t>>)> {
        let (mut kid, mut cast) = (kid, None);
        loop {
            if kid.kind.is_function() {
                return Some((kid, cast));
            }
            if kid.kind == K::MemberExpression {
                let kids = self.s.kids(kid.node);
                kid = self.cast_to_path(&kids)?.inner;
                continue;
            }
            let wraps = matches!(
                kid.kind,
                K::ParenthesizedExpression | K::AsExpression | K::SatisfiesExpression
            );
            if !wraps {
                return None;
            }
            let kids = self.s.kids(kid.node);
            let mut named = kids.named();
            let inner = named.next()?;
            if kid.kind != K::ParenthesizedExpression {
                cast = cast.or(named.next());
            }
            kid = inner;
        }
    }

    /// Whether an object literal has members that are functions.
    fn holds_functions(&mut self, kid: Kid<'t>) -> bool {
        if kid.kind != K::Object {
            return false;
        }
        let kids = self.s.kids(kid.node);
        kids.iter().any(|k| match k.kind {
            K::MethodDefinition => true,
            K::Pair => {
                let value = self.s.kids(k.node).field(F::Value);
                value.is_some_and(|v| v.kind.is_function() || self.function_under(v).is_some())
            }
            _ => false,
        })
    }
}
