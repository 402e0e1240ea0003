//! Statements: what they declare, the scopes they open, the order they run in.

use super::flow::Refinement;
use super::*;
use surefoot_facts::DecisionKind;

impl<'t> Walker<'t> {
    pub(super) fn statement(&mut self, kid: Kid<'t>) {
        self.down(|w| w.statement_here(kid));
    }

    fn statement_here(&mut self, kid: Kid<'t>) {
        let node = kid.node;
        match kid.kind {
            K::ExpressionStatement => {
                self.expression_statement(node);
            }
            K::ExportStatement => self.export(node),
            K::ImportStatement => self.import(node),
            K::StatementBlock => self.block(node),
            K::IfStatement => {
                self.if_statement(node, false);
            }
            K::SwitchStatement => self.switch(node),
            K::ForStatement => self.for_statement(node),
            K::ForInStatement => self.for_in(node),
            K::WhileStatement => self.while_statement(node),
            K::DoStatement => self.do_statement(node),
            K::TryStatement => self.try_statement(node),
            K::CatchClause => self.catch(node),
            K::LabeledStatement => {
                let body = self.s.kids(node).field(F::Body);
                if let Some(body) = body {
                    self.statement(body);
                }
            }
            K::ReturnStatement => {
                let value = self.s.kids(node).named().next();
                if let Some(value) = value {
                    let value = self.value(value);
                    self.returns(value);
                }
            }
            K::BreakStatement | K::ContinueStatement => {
                if self.s.kids(node).field(F::Label).is_some() {
                    self.decide(DecisionKind::Jump, 0, 1, span_of(node));
                }
            }
            K::EmptyStatement => {}
            K::Error => self.error(node),
            kind if kind.is_declaration() => {
                let lead = Lead {
                    documented: std::mem::take(&mut self.doc),
                    jsdoc: self.jsdoc.take(),
                    ..Lead::plain(span_of(node))
                };
                self.declaration(kid, lead);
            }
            // throw, with, and whatever a later grammar adds.
            _ => self.inside(node),
        }
    }

    /// What the function around returns.
    pub(super) fn returns(&mut self, value: ExprIdx) {
        if let Some(frame) = self.frames.last_mut()
            && value.is_known()
        {
            frame.returns.push(value);
        }
    }

    /// An expression statement; gives what `assertIsX(value);` says of the rest.
    fn expression_statement(&mut self, node: Node<'t>) -> Vec<Refinement> {
        let kids = self.s.kids(node);
        let mut says = Vec::new();
        for kid in kids.named() {
            if kid.kind == K::InternalModule {
                let lead = Lead {
                    documented: std::mem::take(&mut self.doc),
                    jsdoc: self.jsdoc.take(),
                    ..Lead::plain(span_of(node))
                };
                self.declaration(kid, lead);
                continue;
            }
            let value = self.expr(kid);
            if kid.kind == K::CallExpression {
                says = self.guard_call(kid.node, value, &["assert", "ensure"]);
            }
        }
        says
    }

    /// A block, with a scope when it declares something.
    pub(super) fn block(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        if kids.iter().any(|k| k.kind.is_block_scoped()) {
            self.in_block(|w| w.statements(&kids));
        } else {
            self.statements(&kids);
        }
    }

    /// Statements in a row, with their documentation comments and what a guard
    /// that leaves says about all that follow it.
    pub(super) fn statements(&mut self, kids: &[Kid<'t>]) {
        let refined = self.refined.len();
        let mut opened = 0;
        for kid in kids {
            if kid.kind.is_comment() {
                self.doc = self.is_doc(kid.node);
                continue;
            }
            if !kid.node.is_named() {
                continue;
            }
            let from_here = match kid.kind {
                K::IfStatement => self.down(|w| w.if_statement(kid.node, false)),
                K::ExpressionStatement => self.down(|w| w.expression_statement(kid.node)),
                K::SwitchCase | K::SwitchDefault => Vec::new(),
                _ => {
                    self.statement(*kid);
                    Vec::new()
                }
            };
            self.doc = false;
            self.jsdoc = None;
            if self.refine(&from_here) {
                opened += 1;
            }
        }
        self.refined.truncate(refined);
        for _ in 0..opened {
            self.b.close_scope();
        }
    }

    pub(super) fn declaration(&mut self, kid: Kid<'t>, lead: Lead) {
        match kid.kind {
            K::FunctionDeclaration | K::GeneratorFunctionDeclaration | K::FunctionSignature => {
                self.function_declaration(kid.node, lead);
            }
            K::ClassDeclaration | K::AbstractClassDeclaration | K::Class => {
                self.class_declaration(kid, lead);
            }
            K::LexicalDeclaration | K::VariableDeclaration => self.variables(kid, lead),
            K::InterfaceDeclaration => self.interface(kid.node, lead),
            K::TypeAliasDeclaration => self.type_alias(kid.node, lead),
            K::EnumDeclaration => self.enumeration(kid.node, lead),
            K::InternalModule | K::Module => self.namespace(kid.node, lead),
            K::AmbientDeclaration => self.ambient(kid.node, lead),
            K::ImportAlias => self.import_alias(kid.node, lead.exported),
            K::Error => self.error(kid.node),
            _ => self.any(kid),
        }
    }

    /// `declare ..`: the code is elsewhere.
    fn ambient(&mut self, node: Node<'t>, lead: Lead) {
        let around = std::mem::replace(&mut self.ambient, true);
        let kids = self.s.kids(node);
        if kids.has(K::GlobalWord) {
            let name = self.name_of("<global>");
            let span = kids
                .kind(K::GlobalWord)
                .map_or(lead.full, |k| span_of(k.node));
            let body = kids.kind(K::StatementBlock);
            self.module_body(name, span, body, lead);
        } else {
            for kid in kids.named() {
                if kid.kind.is_declaration() {
                    self.declaration(kid, lead);
                }
            }
        }
        self.ambient = around;
    }
}
