//! The walk over one file: its state, its items, and what all parts share.

use super::attrs::Attrs;
use super::macros::Pieces;
use super::words::{F, GRAMMAR, K, WORDS};
use crate::driver::{self, Extraction, MAX_DEPTH, Reuse, Syntax, deeper};
use smallvec::SmallVec;
use surefoot_facts::{
    Access, BindIdx, BindKind, Builder, DecisionKind, Expr, ExprIdx, Flags, LanguageId, Name,
    SiteIdx, Span, SymIdx, Visibility,
};
use surefoot_graph::{SiteKind, SymbolKind};

pub(super) type Node<'t> = tree_sitter::Node<'t>;
pub(super) type Kid<'t> = driver::Kid<'t, K, F>;
pub(super) type Kids<'t> = driver::Kids<'t, K, F>;

/// An expression that does not come to an end (`return`, `panic!()`): told
/// apart from an unknown one while the arms of a branch are collected.
pub(super) const NEVER: ExprIdx = ExprIdx(u32::MAX);

/// What the walk knows beside the tree it is in; macro arguments are trees of
/// their own and share it.
pub(super) struct State {
    pub(super) b: Builder,
    depth: u32,
    /// How many error nodes are around.
    broken: u32,
    /// Regions left out because [`MAX_DEPTH`] was reached.
    left_out: u32,
    /// What `Self` means: the impl, trait or type around.
    pub(super) self_type: SymIdx,
    /// Cognitive nesting.
    pub(super) nesting: u16,
    /// What the callables and async blocks around return, innermost last.
    pub(super) returns: Vec<Vec<ExprIdx>>,
    pub(super) loops: Vec<Loop>,
    /// How many macro invocations are around.
    pub(super) macros: u32,
    pub(super) pieces: Pieces,
    /// Inside `#[cfg(test)]`.
    pub(super) test: bool,
    /// Inside `#[allow(unused_variables)]`.
    pub(super) unread_allowed: bool,
    /// The condition of the macro invocation around whose text is read as
    /// declarations.
    pub(super) around: Option<Name>,
    /// Inside the rules of a macro.
    pub(super) rules: bool,
    /// Inside tokens of a macro that nothing reads as a whole.
    pub(super) loose: bool,
    /// What the declarations of the `extern` block around reach.
    pub(super) extern_joint: u32,
    /// The condition on the `let` that binds names now.
    pub(super) condition: Option<Name>,
    /// Parameters read so far, to know an overwritten one.
    pub(super) read: Vec<BindIdx>,
}

/// A loop or labelled block around, and the values its breaks give.
pub(super) struct Loop {
    pub(super) label: Name,
    /// An unlabelled `break` ends it.
    pub(super) plain: bool,
    pub(super) values: Vec<ExprIdx>,
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Module,
    Body,
    Trait,
    Impl { of_trait: bool },
    Extern,
}

pub(super) struct Walk<'t, 's> {
    pub(super) s: &'s mut State,
    pub(super) syn: Syntax<'t, K, F>,
    /// Where byte 0 of this tree's text stands in the file.
    pub(super) at: i64,
}

/// The facts of a parsed file.
pub(super) fn file(
    language: LanguageId,
    tree: &tree_sitter::Tree,
    text: &str,
    reuse: Option<&Reuse<'_>>,
) -> Extraction {
    let mut state = State {
        b: Builder::new(language),
        depth: 0,
        broken: 0,
        left_out: 0,
        self_type: SymIdx::NONE,
        nesting: 0,
        returns: Vec::new(),
        loops: Vec::new(),
        macros: 0,
        pieces: Pieces::default(),
        test: false,
        unread_allowed: false,
        around: None,
        rules: false,
        loose: false,
        condition: None,
        extern_joint: Flags::C_ABI,
        read: Vec::new(),
    };
    let mut walk = Walk {
        s: &mut state,
        syn: Syntax::new(&WORDS, tree, text),
        at: 0,
    };
    let context = walk.top(tree.root_node(), reuse);
    let definition = GRAMMAR.id_for_node_kind("macro_definition", true);
    let errors = driver::error_regions_outside(tree, Some(definition)) + state.left_out;
    let facts = state.b.file();
    facts.errors = errors;
    facts.generated = driver::says_generated(text);
    // What was left out is counted per file: such a file is read whole each time.
    let whole = u64::from(state.left_out > 0) << 63;
    Extraction {
        extracted: state.b.finish(text),
        context: context | whole,
    }
}

impl<'t> Walk<'t, '_> {
    /// The items of a file. Returns what they rest on outside themselves.
    fn top(&mut self, root: Node<'t>, reuse: Option<&Reuse<'_>>) -> u64 {
        let kids = self.syn.kids(root);
        let inner: SmallVec<[Node<'t>; 4]> = kids
            .iter()
            .filter(|k| self.is_inner(k))
            .map(|k| k.node)
            .collect();
        let head = self.attrs(&inner);
        self.s.test = head.cfg_test;
        self.s.unread_allowed = head.allows_unread;
        self.s.b.file().documented = head.flags.has(Flags::DOCUMENTED);
        let context = u64::from(head.cfg_test) | u64::from(head.allows_unread) << 1;
        let reuse = reuse.filter(|r| r.context == context);
        self.items(&kids, reuse);
        context
    }

    fn items(&mut self, kids: &Kids<'t>, reuse: Option<&Reuse<'_>>) {
        let mut before: SmallVec<[Node<'t>; 4]> = SmallVec::new();
        for kid in kids.iter() {
            match kid.kind {
                K::AttributeItem => before.push(kid.node),
                K::LineComment | K::BlockComment => {
                    if self.is_outer_doc(kid.node) {
                        before.push(kid.node);
                    }
                }
                K::InnerAttribute | K::EmptyStatement => {}
                K::Error => {
                    before.clear();
                    let inside = self.syn.kids(kid.node);
                    self.s.broken += 1;
                    self.level((), |w| w.items(&inside, None));
                    self.s.broken -= 1;
                }
                _ if !kid.node.is_named() => {}
                _ => {
                    let start = before.first().unwrap_or(&kid.node).start_byte();
                    let span = Span::new(start, kid.node.end_byte());
                    let taken = reuse.is_some_and(|r| r.take(span, &mut self.s.b));
                    if !taken {
                        self.s.b.begin_item(span);
                        self.s.pieces = Pieces::of_item(span.len());
                        let attrs = self.attrs(&before);
                        self.statement(*kid, &attrs, Place::Module);
                        self.s.b.end_item();
                    }
                    before.clear();
                }
            }
        }
    }

    /// A declaration or statement outside a function body.
    pub(super) fn statement(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        match kid.kind {
            K::Macro if place != Place::Body => self.item_macro(kid, attrs, place),
            K::ExpressionStatement => {
                let inner = self.syn.kids(kid.node);
                match inner.first() {
                    Some(m) if m.kind == K::Macro && place != Place::Body => {
                        self.item_macro(*m, attrs, place);
                    }
                    _ => {
                        self.in_error(|w| w.expr(kid));
                    }
                }
            }
            kind if kind.is_declaration() => self.declaration(kid, attrs, place),
            _ => {
                // A stray expression: names in it are no module's own.
                self.s.b.open_scope(SymIdx::NONE, false);
                self.in_error(|w| w.expr(kid));
                self.s.b.close_scope();
            }
        }
    }

    // ---- shared -----------------------------------------------------------------------

    /// One level deeper, or `default` where the walk ends.
    pub(super) fn level<T>(&mut self, default: T, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.s.depth >= MAX_DEPTH {
            self.leave_out();
            return default;
        }
        self.s.depth += 1;
        let out = deeper(|| f(self));
        self.s.depth -= 1;
        out
    }

    /// Says that something is not read because a bound was reached.
    pub(super) fn leave_out(&mut self) {
        self.s.left_out += 1;
        for of in [self.s.b.caller(), self.s.b.callable()] {
            self.flag(of, Flags::PARTIAL);
        }
    }

    /// Whether deeper levels would be left out.
    pub(super) fn too_deep(&self) -> bool {
        self.s.depth >= MAX_DEPTH
    }

    pub(super) fn in_error<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.s.broken += 1;
        let out = f(self);
        self.s.broken -= 1;
        out
    }

    pub(super) fn span(&self, node: Node<'t>) -> Span {
        let at = |byte: usize| u32::try_from(byte as i64 + self.at).unwrap_or(0);
        Span {
            start: at(node.start_byte()),
            end: at(node.end_byte()),
        }
    }

    /// A name and its place; a raw identifier is named and placed without `r#`.
    pub(super) fn name(&self, node: Node<'t>) -> (Name, Span) {
        let mut span = self.span(node);
        let mut text = self.syn.text(node);
        if let Some(raw) = text.strip_prefix("r#") {
            text = raw;
            span.start += 2;
        }
        (Name::new(text), span)
    }

    pub(super) fn flag(&mut self, of: SymIdx, flag: u32) {
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.flags.set(flag);
        }
    }

    pub(super) fn site(
        &mut self,
        kind: SiteKind,
        name: Name,
        callee: ExprIdx,
        span: Span,
    ) -> SiteIdx {
        let at = self.s.b.site(kind, name, callee, span);
        if (self.s.broken > 0 || self.s.loose)
            && let Some(site) = self.s.b.site_mut(at)
        {
            site.broken = self.s.broken > 0;
            site.loose = self.s.loose;
        }
        at
    }

    /// Counts a decision: cyclomatic for the innermost callable, cognitive for
    /// the named function around, to which Sonar's paper adds nested lambdas.
    pub(super) fn decide(&mut self, kind: DecisionKind, cyc: u8, cog: u16, node: Node<'t>) {
        let span = self.span(node);
        let (of, named) = (self.s.b.callable(), self.s.b.caller());
        let runs = |s: SymIdx| {
            let symbol = self.s.b.item().symbol(s);
            symbol.is_some_and(|s| s.kind.is_callable())
        };
        if !runs(of) {
            return;
        }
        if of == named || !runs(named) {
            self.s.b.decision(of, kind, cyc, cog, span);
            return;
        }
        if cyc > 0 {
            self.s.b.decision(of, kind, cyc, 0, span);
        }
        if cog > 0 {
            self.s.b.decision(named, kind, 0, cog, span);
        }
    }

    /// [`Walk::decide`] with the nesting increment.
    pub(super) fn decide_nested(&mut self, kind: DecisionKind, cyc: u8, node: Node<'t>) {
        let cog = 1 + self.s.nesting;
        self.decide(kind, cyc, cog, node);
    }

    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.s.nesting = self.s.nesting.saturating_add(1);
        let out = f(self);
        self.s.nesting -= 1;
        out
    }

    /// Reads a value name; notes the first read of a parameter.
    pub(super) fn read(&mut self, name: Name, span: Span) -> ExprIdx {
        if let Some(at) = self.s.b.lookup(name)
            && let Some(binding) = self.s.b.item().bindings.get(at.0 as usize)
            && matches!(binding.kind, BindKind::Param { .. })
            && !self.s.read.contains(&at)
        {
            self.s.read.push(at);
        }
        self.s.b.name(name, span, Access::Read)
    }

    /// Whether a name used as a value could be a function: not a plain local.
    pub(super) fn may_be_function(&self, name: Name) -> bool {
        let Some(at) = self.s.b.lookup(name) else {
            return true;
        };
        let Some(binding) = self.s.b.item().bindings.get(at.0 as usize) else {
            return false;
        };
        match binding.kind {
            BindKind::Symbol(_) | BindKind::Import(_) => true,
            BindKind::Local => matches!(self.s.b.get_expr(binding.value), Expr::Lambda(_)),
            _ => false,
        }
    }

    /// Declares a symbol; in a body it is bound for the whole block around.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn declare(
        &mut self,
        kind: SymbolKind,
        (name, name_span): (Name, Span),
        node: Node<'t>,
        attrs: &Attrs<'t>,
        place: Place,
        visibility: Visibility,
    ) -> SymIdx {
        let mut full = self.span(node);
        if let Some(first) = attrs.first {
            full.start = self.span(first).start;
        }
        let at = self.s.b.symbol(name, kind, full, name_span);
        let (test, condition) = (self.s.test, self.stands_under(attrs));
        if let Some(symbol) = self.s.b.symbol_mut(at) {
            symbol.visibility = visibility;
            symbol.flags.0 |= attrs.flags.0;
            symbol.condition = condition.unwrap_or_default();
            symbol.foreign = attrs.foreign_name(name, kind);
            symbol.flags = symbol
                .flags
                .with(Flags::TEST, test || attrs.cfg_test)
                .with(Flags::CONDITIONAL, condition.is_some())
                .with(Flags::PARTIAL, node.has_error());
        }
        if place == Place::Body && !name.is_empty() && kind != SymbolKind::Impl {
            let (ty, value) = Default::default();
            let bound = BindKind::Symbol(at);
            self.s.b.bind(name, bound, ty, value, name_span, true);
        }
        at
    }

    /// The condition a declaration stands under.
    pub(super) fn stands_under(&self, attrs: &Attrs<'_>) -> Option<Name> {
        let own = attrs.flags.has(Flags::CONDITIONAL);
        let own = own.then_some(attrs.condition);
        match (self.s.around, own) {
            (Some(around), Some(own)) => Some(both(around, own)),
            (around, own) => around.or(own),
        }
    }

    /// Runs `f` inside the scope of a declaration.
    pub(super) fn inside<T>(
        &mut self,
        of: SymIdx,
        place: Place,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.s.b.enter_parent(of);
        let scope = self.s.b.open_scope(of, false);
        if place == Place::Body {
            self.s.b.seal_scope();
        }
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.scope = scope;
        }
        let out = f(self);
        self.s.b.close_scope();
        self.s.b.leave_parent();
        out
    }

    pub(super) fn visibility(&mut self, kids: &Kids<'t>) -> Visibility {
        let Some(kid) = kids.kind(K::Visibility) else {
            return Visibility::Private;
        };
        let text = self.syn.text(kid.node);
        let Some(open) = text.find('(') else {
            return match text {
                "crate" => Visibility::Package,
                _ => Visibility::Public,
            };
        };
        let inside = text[open + 1..].trim_end_matches(')').trim();
        let path = inside.strip_prefix("in ").unwrap_or(inside).trim();
        let mut up = 0;
        let mut below = 0;
        for segment in path.split("::").map(str::trim) {
            match segment {
                "super" => up += 1,
                "self" | "crate" | "" => {}
                _ => below += 1,
            }
        }
        match (up, below) {
            (0, 0) if path.starts_with("self") => Visibility::Private,
            (0, 0) => Visibility::Package,
            (0, _) => Visibility::Below(below),
            _ => Visibility::Above(up),
        }
    }
}

/// A condition that holds where two do.
pub(super) fn both(a: Name, b: Name) -> Name {
    Name::new(&format!("all({}, {})", a.text(), b.text()))
}
