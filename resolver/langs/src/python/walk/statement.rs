//! Statements: what they bind, and the ways through them.

use super::flow::Way;
use super::*;
use surefoot_facts::{BindKind, DecisionKind};

impl<'t> Walker<'t> {
    pub(super) fn statement(&mut self, kid: Kid<'t>) {
        self.down(|w| w.statement_here(kid));
    }

    fn statement_here(&mut self, kid: Kid<'t>) {
        let node = kid.node;
        match kid.kind {
            K::ExpressionStatement => {
                let kids = self.s.kids(node);
                for kid in kids.named() {
                    self.expression_statement(kid);
                }
            }
            K::Block => self.block(kid),
            K::FunctionDefinition => self.function(node, &[], span_of(node)),
            K::ClassDefinition => self.class(node, &[], span_of(node)),
            K::DecoratedDefinition => self.decorated(node),
            K::IfStatement => self.if_statement(node),
            K::ForStatement => self.for_statement(node),
            K::WhileStatement => self.while_statement(node),
            K::TryStatement => self.try_statement(node),
            K::WithStatement => self.with_statement(node),
            K::MatchStatement => self.match_statement(node),
            K::ReturnStatement => {
                let value = self.s.kids(node).named().next();
                let value = match value {
                    Some(value) => self.value(value),
                    None => self.b.expr(Expr::Lit(surefoot_facts::Lit::Null)),
                };
                self.returns(value);
            }
            K::ImportStatement => self.import(node),
            K::ImportFrom => self.import_from(node),
            K::AssertStatement => {
                let kids = self.s.kids(node);
                let mut parts = kids.named();
                let says = self.test(parts.next());
                for rest in parts {
                    self.value(rest);
                }
                self.refine(&says.yes);
            }
            K::TypeAlias => self.type_alias(node),
            K::DeleteStatement => self.inside(node),
            K::FutureImport | K::GlobalStatement | K::NonlocalStatement => {}
            K::PassStatement | K::BreakStatement | K::ContinueStatement => {}
            K::Error => self.error(node),
            K::RaiseStatement => self.raise(node),
            // Whatever a later grammar adds.
            _ => self.inside(node),
        }
    }

    pub(super) fn block(&mut self, kid: Kid<'t>) {
        let kids = self.s.kids(kid.node);
        for kid in kids.named() {
            self.any(kid);
        }
    }

    /// What the function around returns or yields.
    pub(super) fn returns(&mut self, value: ExprIdx) {
        let function = self
            .frames
            .iter_mut()
            .rev()
            .find(|f| matches!(f.space, Space::Function | Space::Lambda));
        if let Some(frame) = function
            && !frame.generator
        {
            frame.returns.push(value);
        }
    }

    fn expression_statement(&mut self, kid: Kid<'t>) {
        match kid.kind {
            K::Assignment => self.down(|w| w.assignment(kid.node)),
            K::AugmentedAssignment => self.down(|w| w.augmented(kid.node)),
            _ => {
                self.expr(kid);
            }
        }
    }

    // ---- assignments ---------------------------------------------------------------

    fn assignment(&mut self, node: Node<'t>) {
        // `a = b = value` nests to the right.
        let mut targets: SmallVec<[(Kid<'t>, Option<Kid<'t>>); 2]> = SmallVec::new();
        let mut at = node;
        let value = loop {
            let kids = self.s.kids(at);
            if let Some(left) = kids.field(F::Left) {
                targets.push((left, kids.field(F::TypeField)));
            }
            match kids.field(F::Right) {
                Some(right) if right.kind == K::Assignment => at = right.node,
                right => break right,
            }
        };
        let listed = targets
            .first()
            .is_some_and(|t| self.s.text(t.0.node) == "__all__");
        if let Some(value) = value
            && listed
        {
            self.export_list(value, false);
        }
        let held = match value {
            None => ExprIdx::UNKNOWN,
            Some(value) => match targets[..] {
                [(target, ty)] => self.assigned_value(target, ty, value),
                _ => self.value(value),
            },
        };
        if let (Some(value), true) = (value, self.frames.is_empty() && self.conditions.is_empty())
            && crate::python::rules::conditions::is_about_the_machine(self.s.text(value.node))
        {
            self.machine = self.name_at(value.node);
        }
        for (target, ty) in targets {
            let ty = ty.map(|k| self.ty(k)).unwrap_or_default();
            self.give(target, ty, held, value.is_some());
        }
        self.machine = Name::EMPTY;
    }

    /// The value of an assignment; at module level some are types by another name.
    fn assigned_value(&mut self, target: Kid<'t>, ty: Option<Kid<'t>>, value: Kid<'t>) -> ExprIdx {
        let outer = self.frames.last().is_none_or(|f| f.space == Space::Class);
        let says = ty.is_some_and(|t| self.s.text(t.node).ends_with("TypeAlias"));
        if outer && target.kind == K::Identifier && (says || self.is_type_alias(target, value)) {
            let ty = self.ty_value(value);
            let as_trait = TyIdx::UNKNOWN;
            return self.b.expr(Expr::TypePath { ty, as_trait });
        }
        self.value(value)
    }

    /// `Pairs = dict[str, int]`, `Number = int | float`: a value that can only be
    /// a type, by the names it is made of.
    fn is_type_alias(&mut self, target: Kid<'t>, value: Kid<'t>) -> bool {
        let name = self.s.text(target.node);
        match value.kind {
            K::Subscript => {
                let kids = self.s.kids(value.node);
                let head = kids.field(F::Value).map_or("", |k| self.s.text(k.node));
                let last = head.rsplit('.').next().unwrap_or(head);
                let camel = last.starts_with(|c: char| c.is_ascii_uppercase())
                    && last.contains(|c: char| c.is_ascii_lowercase());
                let known = annotation::is_type_word(last);
                let strings = kids
                    .iter()
                    .any(|k| k.field == F::SubscriptField && k.kind == K::StringNode);
                known || camel && !strings
            }
            K::BinaryOperator => {
                let camel = name
                    .trim_start_matches('_')
                    .starts_with(|c: char| c.is_ascii_uppercase())
                    && name.contains(|c: char| c.is_ascii_lowercase());
                camel && self.is_union(value)
            }
            _ => false,
        }
    }

    fn is_union(&mut self, kid: Kid<'t>) -> bool {
        match kid.kind {
            K::BinaryOperator => self.down(|w| {
                let kids = w.s.kids(kid.node);
                let bar = kids.field(F::Operator).is_some_and(|k| k.kind == K::Bar);
                let sides = [kids.field(F::Left), kids.field(F::Right)];
                bar && sides.into_iter().flatten().all(|k| w.is_union(k))
            }),
            K::Identifier | K::Attribute | K::None | K::Subscript => true,
            _ => false,
        }
    }

    fn augmented(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let Some(left) = kids.field(F::Left) else {
            return self.inside(node);
        };
        let right = kids.field(F::Right);
        if let Some(right) = right
            && self.s.text(left.node) == "__all__"
        {
            self.export_list(right, true);
        }
        let lhs = self.expr(left);
        let rhs = right.map(|k| self.value(k)).unwrap_or_default();
        let value = self.b.expr(Expr::Arith { lhs, rhs });
        // A module's name stays what it was, as far as its type goes.
        if left.kind == K::Identifier && !self.frames.is_empty() {
            let (name, span) = (self.name_at(left.node), span_of(left.node));
            self.assign(name, span, TyIdx::UNKNOWN, value);
        }
    }

    /// `type A[T] = ..`
    fn type_alias(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let left = kids.field(F::Left);
        let inner = left.and_then(|k| self.s.kids(k.node).named().next());
        let Some(name) = inner.filter(|k| k.kind == K::Identifier) else {
            return self.inside(node);
        };
        let ty = kids.field(F::Right).map(|k| self.ty(k)).unwrap_or_default();
        let as_trait = TyIdx::UNKNOWN;
        let value = self.b.expr(Expr::TypePath { ty, as_trait });
        let (name, span) = (self.name_at(name.node), span_of(name.node));
        self.assign(name, span, TyIdx::UNKNOWN, value);
    }

    // ---- branches ------------------------------------------------------------------

    /// Statements under a condition, which module-level declarations remember.
    fn under<T>(&mut self, condition: Option<Name>, inside: impl FnOnce(&mut Self) -> T) -> T {
        let Some(condition) = condition.filter(|_| !self.in_function()) else {
            return inside(self);
        };
        self.conditions.push(condition);
        let out = inside(self);
        self.conditions.pop();
        out
    }

    fn if_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::If, 1, node);
        let kids = self.s.kids(node);
        let rest: SmallVec<[Kid<'t>; 4]> = kids
            .iter()
            .filter(|k| k.field == F::Alternative)
            .copied()
            .collect();
        self.chain(
            kids.field(F::Condition),
            kids.field(F::Consequence),
            &rest,
            node,
        );
    }

    /// `if`, its `elif`s and its `else`; true when nothing after them runs.
    fn chain(
        &mut self,
        condition: Option<Kid<'t>>,
        then: Option<Kid<'t>>,
        rest: &[Kid<'t>],
        node: Node<'t>,
    ) -> bool {
        let says = self.test(condition);
        let before: SmallVec<[(Name, BindIdx); 2]> = self.meant(says.yes.iter().chain(&says.no));
        let (holds, fails) = match condition.filter(|_| !self.in_function()) {
            Some(condition) => {
                let text = self.s.text(condition.node);
                let simple = !text.contains(" and ") && !text.contains(" or ");
                let fails = match text.strip_prefix("not ").filter(|_| simple) {
                    Some(rest) => rest.to_owned(),
                    None if simple => format!("not {text}"),
                    None => format!("not ({text})"),
                };
                (Some(self.name_of(text)), Some(Name::new(&fails)))
            }
            None => (None, None),
        };
        let yes = self.way(|w| {
            w.refine(&says.yes);
            let Some(then) = then else { return false };
            w.under(holds, |w| w.nested(|w| w.block(then)));
            w.leaves(then)
        });
        let no = self.way(|w| {
            w.refine(&says.no);
            let Some((first, rest)) = rest.split_first() else {
                return false;
            };
            let word = Span::new(first.node.start_byte(), first.node.start_byte() + 4);
            let kids = w.s.kids(first.node);
            w.under(fails, |w| {
                if first.kind == K::ElifClause {
                    w.decide(DecisionKind::ElseIf, 1, 1, word);
                    let then = kids.field(F::Consequence);
                    return w.down(|w| w.chain(kids.field(F::Condition), then, rest, first.node));
                }
                w.decide(DecisionKind::Else, 0, 1, word);
                let Some(body) = kids.field(F::Body) else {
                    return false;
                };
                w.nested(|w| w.block(body));
                w.leaves(body)
            })
        });
        let (yes_leaves, no_leaves) = (yes.leaves, no.leaves);
        let span = Span::new(node.start_byte(), node.start_byte() + 1);
        self.meet(&[yes, no], span);
        // What a way that goes on assigned is no longer what was asked about.
        if yes_leaves && !no_leaves {
            let holds = self.still(says.no, &before);
            self.refine(&holds);
        } else if no_leaves && !yes_leaves {
            let holds = self.still(says.yes, &before);
            self.refine(&holds);
        }
        yes_leaves && no_leaves
    }

    fn try_statement(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let span = Span::new(node.start_byte(), node.start_byte() + 1);
        let caught = kids.has(K::ExceptClause);
        let body = kids.field(F::Body);
        let other = kids.kind(K::ElseClause);
        let (tried, failed) = (self.name_of("try"), self.name_of("except"));
        let tried = caught.then_some(tried);
        let first = self.way(|w| {
            let Some(body) = body else { return false };
            w.under(tried, |w| w.block(body));
            w.leaves(body)
        });
        // Where an exception comes, the body may have run in part.
        let (nothing, some) = (Way::default(), first.going_on());
        let mut ways: SmallVec<[Way; 4]> = SmallVec::new();
        for clause in kids.iter().filter(|k| k.kind == K::ExceptClause) {
            ways.push(self.way(|w| {
                w.meet(&[nothing.copy(), some.copy()], span);
                w.under(Some(failed), |w| w.except(clause.node))
            }));
        }
        let leaves = first.leaves;
        ways.push(self.way(|w| {
            w.resume(&first);
            let Some(other) = other else { return leaves };
            let body = w.s.kids(other.node).field(F::Body);
            let Some(body) = body else { return leaves };
            w.block(body);
            leaves || w.leaves(body)
        }));
        self.meet(&ways, span);
        for last in kids.iter().filter(|k| k.kind == K::FinallyClause) {
            self.inside(last.node);
        }
    }

    fn except(&mut self, node: Node<'t>) -> bool {
        self.structure(DecisionKind::Catch, 1, node);
        let kids = self.s.kids(node);
        let mut caught = kids.field(F::Value);
        let mut alias = kids.field(F::Alias);
        if let Some(pattern) = caught.filter(|k| k.kind == K::AsPattern) {
            let kids = self.s.kids(pattern.node);
            caught = kids.named().next();
            alias = kids.field(F::Alias);
        }
        let value = match caught {
            Some(caught) => self.instance_of(caught),
            None => ExprIdx::UNKNOWN,
        };
        if let Some(alias) = alias {
            self.give(alias, TyIdx::UNKNOWN, value, true);
        }
        let Some(body) = kids.kind(K::Block) else {
            return false;
        };
        self.nested(|w| w.block(body));
        self.leaves(body)
    }

    /// An instance of the class an expression names, or of one of several.
    pub(super) fn instance_of(&mut self, kid: Kid<'t>) -> ExprIdx {
        if matches!(kid.kind, K::Tuple | K::ParenthesizedExpression) {
            let kids = self.s.kids(kid.node);
            let all: SmallVec<[ExprIdx; 4]> = kids
                .named()
                .map(|k| self.down(|w| w.instance_of(k)))
                .collect();
            return self.one_of(&all);
        }
        let callee = self.value(kid);
        if !matches!(kid.kind, K::Identifier | K::Attribute) {
            return ExprIdx::UNKNOWN;
        }
        let (args, site) = (surefoot_facts::List::default(), SiteIdx::NONE);
        self.b.expr(Expr::New { callee, args, site })
    }

    // ---- loops ---------------------------------------------------------------------

    fn for_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        let over = kids
            .field(F::Right)
            .map(|k| self.value(k))
            .unwrap_or_default();
        let is_async = kids.has(K::AsyncWord);
        let value = self.element_of(over, is_async);
        self.iterates(over, is_async, word_at(node));
        let unsure = self.name_of("for");
        self.under(Some(unsure), |w| {
            w.repeated(node, |w| {
                if let Some(left) = kids.field(F::Left) {
                    w.give(left, TyIdx::UNKNOWN, value, true);
                }
                if let Some(body) = kids.field(F::Body) {
                    w.nested(|w| w.block(body));
                }
            });
            w.otherwise(&kids);
        });
    }

    pub(super) fn element_of(&mut self, over: ExprIdx, is_async: bool) -> ExprIdx {
        let element = self.b.expr(Expr::Element(over));
        if is_async {
            self.b.expr(Expr::Await(element))
        } else {
            element
        }
    }

    /// The `else` of a loop.
    fn otherwise(&mut self, kids: &Kids<'t>) {
        if let Some(other) = kids.field(F::Alternative) {
            self.inside(other.node);
        }
    }

    fn while_statement(&mut self, node: Node<'t>) {
        self.structure(DecisionKind::Loop, 1, node);
        let kids = self.s.kids(node);
        let unsure = self.name_of("while");
        self.under(Some(unsure), |w| {
            w.repeated(node, |w| {
                let says = w.test(kids.field(F::Condition));
                w.refine(&says.yes);
                if let Some(body) = kids.field(F::Body) {
                    w.nested(|w| w.block(body));
                }
            });
            w.otherwise(&kids);
        });
    }

    // ---- with ----------------------------------------------------------------------

    fn with_statement(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let is_async = kids.has(K::AsyncWord);
        let word = word_at(node);
        if let Some(clause) = kids.kind(K::WithClause) {
            let items = self.s.kids(clause.node);
            for item in items.iter().filter(|k| k.kind == K::WithItem) {
                let Some(value) = self.s.kids(item.node).field(F::Value) else {
                    continue;
                };
                self.with_item(value, is_async, word);
            }
        }
        if let Some(body) = kids.field(F::Body) {
            self.block(body);
        }
    }

    fn with_item(&mut self, value: Kid<'t>, is_async: bool, word: Span) {
        // `with (open(a) as f, open(b) as g):` reads as a tuple.
        if matches!(value.kind, K::Tuple | K::ParenthesizedExpression) {
            let kids = self.s.kids(value.node);
            for kid in kids.named() {
                self.down(|w| w.with_item(kid, is_async, word));
            }
            return;
        }
        if value.kind != K::AsPattern {
            let manager = self.value(value);
            return self.manages(manager, is_async, word);
        }
        let kids = self.s.kids(value.node);
        let manager = kids
            .named()
            .next()
            .map(|k| self.value(k))
            .unwrap_or_default();
        self.manages(manager, is_async, word);
        let name = self.name_of(if is_async { "__aenter__" } else { "__enter__" });
        let entered = self.call_method(manager, name);
        let entered = if is_async {
            self.b.expr(Expr::Await(entered))
        } else {
            entered
        };
        if let Some(alias) = kids.field(F::Alias) {
            self.give(alias, TyIdx::UNKNOWN, entered, true);
        }
    }

    /// A call of a method that the syntax makes.
    pub(super) fn call_method(&mut self, base: ExprIdx, name: Name) -> ExprIdx {
        let callee = self.b.expr(Expr::Member { base, name });
        let (args, site) = (surefoot_facts::List::default(), SiteIdx::NONE);
        self.b.expr(Expr::Call { callee, args, site })
    }

    // ---- definitions ---------------------------------------------------------------

    fn decorated(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        let decorators: SmallVec<[Kid<'t>; 2]> = kids
            .iter()
            .filter(|k| k.kind == K::Decorator)
            .copied()
            .collect();
        match kids.field(F::Definition) {
            Some(inner) if inner.kind == K::FunctionDefinition => {
                self.function(inner.node, &decorators, span_of(node));
            }
            Some(inner) if inner.kind == K::ClassDefinition => {
                self.class(inner.node, &decorators, span_of(node));
            }
            _ => self.inside(node),
        }
    }

    /// A declaration's name in the namespace around.
    pub(super) fn bind_declared(&mut self, name: Name, span: Span, sym: SymIdx) {
        if self.frames.is_empty() {
            return self.file.binds(name);
        }
        if !self
            .frames
            .last()
            .is_some_and(|f| f.globals.contains(&name))
        {
            self.declare_local(name, span, BindKind::Symbol(sym));
        }
    }
}

/// The word a statement begins with.
fn word_at(node: Node<'_>) -> Span {
    let start = node.start_byte();
    Span::new(start, start + 1)
}
