//! One pass over a tree of TypeScript: declarations, scopes, names, sites.
//!
//! Recursion follows the syntax and is bounded by [`MAX_DEPTH`]; what lies
//! deeper is left out and said to be.

mod assign;
mod broken;
mod call;
mod class;
mod common;
mod expression;
mod fields;
mod flow;
mod function;
mod jsdoc;
mod jsx;
mod module;
mod object;
mod operator;
mod pattern;
mod reassigned;
mod statement;
#[cfg(test)]
mod tests;
mod types;
mod variable;

use super::kinds::{self, F, K};
use crate::driver::{
    self, Extraction, MAX_DEPTH, Reuse, Syntax, deeper, error_regions, says_generated,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use surefoot_facts::{
    Access, BindIdx, BindKind, Builder, Expr, ExprIdx, Flags, LanguageId, Name, ScopeIdx, SiteIdx,
    Span, SymIdx, TyIdx,
};
use surefoot_graph::{SiteKind, SymbolKind};
use tree_sitter::{Node, Tree};

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

type Kid<'t> = driver::Kid<'t, K, F>;
type Kids<'t> = driver::Kids<'t, K, F>;

/// What `this` means where the walker stands.
#[derive(Clone, Copy)]
enum This {
    Unknown,
    /// An instance of the class, or the object written around.
    Instance(SymIdx),
    /// The class itself: static members and blocks.
    Static(SymIdx),
    /// A parameter named `this` with a written type.
    Bound(BindIdx),
}

/// The function whose body is being read.
struct Frame {
    sym: SymIdx,
    arrow: bool,
    /// How deep control flow nests here, for cognitive complexity.
    nesting: u16,
    /// Where `var` binds.
    scope: ScopeIdx,
    returns: Vec<ExprIdx>,
    params: SmallVec<[(Name, u16); 4]>,
}

/// What stands around a declaration and belongs to it.
#[derive(Clone, Copy)]
struct Lead {
    full: Span,
    documented: bool,
    /// The comment, where comments write types.
    jsdoc: Option<Span>,
    exported: bool,
    /// The `default` token of `export default`.
    default: Option<Span>,
    decorated: bool,
}

impl Lead {
    fn plain(full: Span) -> Lead {
        Lead {
            full,
            documented: false,
            jsdoc: None,
            exported: false,
            default: None,
            decorated: false,
        }
    }
}

/// A name that is known to be of a type where it was narrowed; `original` is
/// the binding it stands for.
struct Refined {
    binding: BindIdx,
    original: BindIdx,
}

pub(super) struct Walker<'t> {
    s: Syntax<'t, K, F>,
    b: Builder,
    names: FxHashMap<&'t str, Name>,
    depth: u32,
    too_deep: u32,
    /// How many regions around did not parse.
    broken: u32,
    frames: Vec<Frame>,
    this: This,
    /// The class or object that `super` looks above.
    home: SymIdx,
    /// Whether the object literal around is given to a call.
    given: Given,
    /// The block that the object arguments of the call around belong to.
    mixing: Option<SymIdx>,
    /// Type parameters in scope: naming one is no site.
    type_names: Vec<Name>,
    /// The scope of the block around; narrowing opens further ones inside it.
    block: ScopeIdx,
    refined: Vec<Refined>,
    /// The last comment was a documentation comment.
    doc: bool,
    jsdoc: Option<Span>,
    /// JavaScript: comments write types, assignments to `this` declare fields.
    script: bool,
    common: common::Common<'t>,
    assigned: Vec<fields::Assigned>,
    given_methods: Vec<SymIdx>,
    /// What is assigned to names bound in bodies; unknown for parts of a pattern.
    written: Vec<(BindIdx, ExprIdx)>,
    /// The value of the assignment being read will be told.
    writes_value: bool,
    ambient: bool,
    /// The operator of the run of logical operators around, for cognitive complexity.
    logic: Option<K>,
    /// Module-level names that are assigned after their declaration.
    reassigned: FxHashSet<&'t str>,
}

/// Whose object literal's methods are.
#[derive(Clone, Copy, Default)]
enum Given {
    /// Its own.
    #[default]
    No,
    /// A call may mix them into anything.
    Somewhere,
    /// A call mixes them into what this block is for.
    To(SymIdx),
}

/// The facts of one tree; `dialect` is 0 for the grammar of TypeScript, 1 for TSX's.
pub(super) fn extract(
    language: LanguageId,
    (dialect, script): (usize, bool),
    tree: &Tree,
    text: &str,
    reuse: Option<&Reuse<'_>>,
) -> Extraction {
    let walker = Walker {
        s: Syntax::new(kinds::of(dialect), tree, text),
        b: Builder::new(language),
        names: FxHashMap::default(),
        depth: 0,
        too_deep: 0,
        broken: 0,
        frames: Vec::new(),
        this: This::Unknown,
        home: SymIdx::NONE,
        given: Given::No,
        mixing: None,
        type_names: Vec::new(),
        block: ScopeIdx(0),
        refined: Vec::new(),
        doc: false,
        jsdoc: None,
        script,
        common: common::Common::default(),
        assigned: Vec::new(),
        given_methods: Vec::new(),
        written: Vec::new(),
        writes_value: false,
        ambient: false,
        logic: None,
        reassigned: FxHashSet::default(),
    };
    walker.file(tree, reuse)
}

impl<'t> Walker<'t> {
    fn file(mut self, tree: &'t Tree, reuse: Option<&Reuse<'_>>) -> Extraction {
        let root = tree.root_node();
        let kids = self.s.kids(root);
        self.reassigned = reassigned::names(&mut self.s, &kids);
        let mut context = FxHasher::default();
        let mut assigned: Vec<&str> = self.reassigned.iter().copied().collect();
        assigned.sort_unstable();
        assigned.hash(&mut context);
        self.common = common::read(&mut self.s, &kids);
        self.common.hash(&self.s, &mut context);
        let context = context.finish();
        let reuse = reuse.filter(|r| r.context == context);

        let mut start = None;
        let mut row = None;
        let mut typedefs: Vec<Kid<'t>> = Vec::new();
        for kid in kids.iter() {
            if kid.kind.is_comment() {
                // A comment behind a statement on its line belongs to that one.
                if row != Some(kid.node.start_position().row) {
                    start.get_or_insert(kid.node.start_byte());
                    self.doc = self.is_doc(kid.node);
                    if self.doc && self.script && self.s.text(kid.node).contains("@typedef") {
                        typedefs.push(*kid);
                    }
                }
                continue;
            }
            row = Some(kid.node.end_position().row);
            let from = start.take().unwrap_or(kid.node.start_byte());
            let doc = std::mem::take(&mut self.doc);
            if !kid.node.is_named() || matches!(kid.kind, K::EmptyStatement | K::Other) {
                continue;
            }
            let span = Span::new(from, kid.node.end_byte());
            let typedefs = std::mem::take(&mut typedefs);
            if reuse.is_some_and(|r| r.take(span, &mut self.b)) {
                continue;
            }
            self.doc = doc;
            if !doc {
                self.jsdoc = None;
            }
            self.item(&typedefs, Some(*kid), span);
            self.doc = false;
        }
        // Types that comments at the end define belong to no statement.
        if let (Some(first), Some(last)) = (typedefs.first(), typedefs.last()) {
            let span = Span::new(first.node.start_byte(), last.node.end_byte());
            if !reuse.is_some_and(|r| r.take(span, &mut self.b)) {
                self.item(&typedefs, None, span);
            }
        }
        let text = self.s.text;
        let errors = error_regions(tree) + self.too_deep;
        let documented = self.file_doc(&kids);
        let file = self.b.file();
        file.errors = errors;
        file.generated = says_generated(text);
        file.documented = documented;
        Extraction {
            extracted: self.b.finish(text),
            context,
        }
    }

    fn item(&mut self, typedefs: &[Kid<'t>], kid: Option<Kid<'t>>, span: Span) {
        self.b.begin_item(span);
        self.frames.clear();
        self.type_names.clear();
        self.refined.clear();
        self.this = This::Unknown;
        self.home = SymIdx::NONE;
        self.given = Given::No;
        self.mixing = None;
        self.block = self.b.scope();
        self.broken = 0;
        self.logic = None;
        self.assigned.clear();
        self.given_methods.clear();
        self.written.clear();
        for comment in typedefs {
            self.typedefs(comment.node);
        }
        if let Some(kid) = kid {
            self.any(kid);
            self.unreached(kid.node);
        }
        self.settle_fields();
        self.settle_locals();
        self.b.end_item();
    }

    /// A comment about the file: the first one, when it says so or when it does
    /// not stand right above a declaration.
    fn file_doc(&mut self, kids: &Kids<'t>) -> bool {
        let Some(first) = kids
            .iter()
            .find(|k| k.node.is_named() && k.kind != K::Other)
        else {
            return false;
        };
        let first = *first;
        if !first.kind.is_comment() || !self.is_doc(first.node) {
            return false;
        }
        let text = self.s.text(first.node);
        let says = ["@packageDocumentation", "@module", "@fileoverview", "@file"];
        if says.iter().any(|w| text.contains(w)) {
            return true;
        }
        let below = kids
            .iter()
            .find(|k| k.node.start_byte() >= first.node.end_byte());
        below.is_none_or(|k| {
            k.kind == K::ImportStatement
                || k.kind.is_comment()
                || k.node.start_position().row > first.node.end_position().row + 1
        })
    }

    fn is_doc(&mut self, comment: Node<'t>) -> bool {
        let text = self.s.text(comment);
        let doc = text.starts_with("/**") && text.len() > 4;
        self.jsdoc = (doc && self.script).then(|| span_of(comment));
        doc
    }

    // ---- descent -------------------------------------------------------------------

    /// One level down, on enough stack; past the bound the rest is left out.
    fn down<T: Default>(&mut self, level: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.too_deep += 1;
            let at = self.b.caller();
            self.flag(at, Flags::PARTIAL);
            return T::default();
        }
        self.depth += 1;
        let out = deeper(|| level(self));
        self.depth -= 1;
        out
    }

    /// A node whose place in the grammar is not known: what it looks like decides.
    fn any(&mut self, kid: Kid<'t>) {
        if kid.kind.is_comment() {
        } else if kid.kind.is_statement() {
            self.statement(kid);
        } else if kid.kind.is_type() {
            self.ty(kid);
        } else {
            self.value(kid);
        }
    }

    /// Syntax that tells nothing itself: what stands inside may.
    fn inside(&mut self, node: Node<'t>) {
        let kids = self.s.kids(node);
        for kid in kids.named() {
            self.any(kid);
        }
    }

    // ---- names and sites -----------------------------------------------------------

    fn name_of(&mut self, text: &'t str) -> Name {
        *self.names.entry(text).or_insert_with(|| Name::new(text))
    }

    fn name_at(&mut self, node: Node<'t>) -> Name {
        let text = self.s.text(node);
        self.name_of(text)
    }

    /// An identifier read as a value.
    fn read(&mut self, node: Node<'t>) -> ExprIdx {
        let name = self.name_at(node);
        self.b.name(name, span_of(node), Access::Read)
    }

    /// The binding a name stands for, whatever it was narrowed to.
    fn original(&self, name: Name) -> Option<BindIdx> {
        let at = self.b.lookup(name)?;
        let refined = self.refined.iter().rev().find(|r| r.binding == at);
        Some(refined.map_or(at, |r| r.original))
    }

    /// An identifier that is assigned.
    fn write(&mut self, node: Node<'t>, access: Access) -> ExprIdx {
        let name = self.name_at(node);
        if !self.writes_value
            && let Some(at) = self.original(name)
        {
            self.written.push((at, ExprIdx::UNKNOWN));
        }
        if let Some(at) = self.b.lookup(name)
            && let Some(original) = self.refined.iter().rev().find(|r| r.binding == at)
            && let Some(binding) = self.b.binding_mut(original.original)
        {
            binding.reassigned = true;
        }
        self.b.name(name, span_of(node), access)
    }

    fn site(&mut self, kind: SiteKind, name: Name, callee: ExprIdx, span: Span) -> SiteIdx {
        let at = self.b.site(kind, name, callee, span);
        if self.broken > 0
            && let Some(site) = self.b.site_mut(at)
        {
            site.broken = true;
        }
        at
    }

    /// The content of a string literal and where it stands; `None` with escapes,
    /// whose value is not their text.
    fn string(&mut self, node: Node<'t>) -> Option<(&'t str, Span)> {
        let whole = self.s.text(node);
        let quoted = whole.len() >= 2 && whole.starts_with(['"', '\'', '`']);
        let inner = quoted.then(|| &whole[1..whole.len() - 1])?;
        let span = Span::new(node.start_byte() + 1, node.end_byte() - 1);
        (!inner.contains(['\\', '$'])).then_some((inner, span))
    }

    /// The name of a member as declared, and its token. Empty when computed.
    fn property_name(&mut self, kid: Kid<'t>) -> (Name, Span) {
        match kid.kind {
            K::StringNode => match self.string(kid.node) {
                Some((text, span)) => (self.name_of(text), span),
                None => (Name::EMPTY, span_of(kid.node)),
            },
            K::ComputedPropertyName => {
                let kids = self.s.kids(kid.node);
                match kids.named().next() {
                    Some(k) if k.kind == K::StringNode => self.property_name(k),
                    // `[Symbol.iterator]` or `[KEY]` is the same member wherever it
                    // is written so, unless a local gives the key.
                    Some(k) if self.is_constant_key(k) => {
                        self.expr(k);
                        (self.name_at(kid.node), span_of(kid.node))
                    }
                    Some(k) => {
                        self.expr(k);
                        (Name::EMPTY, span_of(kid.node))
                    }
                    None => (Name::EMPTY, span_of(kid.node)),
                }
            }
            _ => (self.name_at(kid.node), span_of(kid.node)),
        }
    }

    fn is_constant_key(&mut self, kid: Kid<'t>) -> bool {
        let mut at = kid;
        while at.kind == K::MemberExpression {
            match self.s.kids(at.node).field(F::ObjectField) {
                Some(object) => at = object,
                None => return false,
            }
        }
        at.kind == K::Identifier && {
            let name = self.name_at(at.node);
            self.b.lookup(name).is_none()
        }
    }

    // ---- symbols -------------------------------------------------------------------

    fn flag(&mut self, sym: SymIdx, bits: u32) {
        if let Some(s) = self.b.symbol_mut(sym) {
            s.flags.set(bits);
        }
    }

    /// Where a declaration goes: `None` is the table of the module, otherwise a
    /// scope. `var` leaves the blocks around it.
    fn home_of(&self, is_var: bool) -> Option<ScopeIdx> {
        if is_var {
            self.frames.last().map(|f| f.scope)
        } else if self.b.at_module_level() {
            None
        } else {
            Some(self.block)
        }
    }

    /// A declaration by name in its home.
    fn declare(&mut self, name: Name, kind: SymbolKind, name_span: Span, lead: &Lead) -> SymIdx {
        self.declare_in(self.home_of(false), name, kind, name_span, lead)
    }

    fn declare_in(
        &mut self,
        home: Option<ScopeIdx>,
        name: Name,
        kind: SymbolKind,
        name_span: Span,
        lead: &Lead,
    ) -> SymIdx {
        let sym = self.b.symbol(name, kind, lead.full, name_span);
        let ambient_member = self.ambient && !self.b.parent().is_none();
        let exported = (lead.exported && lead.default.is_none()) || ambient_member;
        let flags = Flags::default()
            .with(Flags::DOCUMENTED, lead.documented)
            .with(Flags::EXPORTED, exported)
            .with(Flags::DEFAULT_EXPORT, lead.default.is_some())
            .with(Flags::DECORATED, lead.decorated)
            .with(Flags::EXTERN, self.ambient);
        self.flag(sym, flags.0);
        if let Some(scope) = home {
            self.bind_symbol(scope, name, sym, name_span);
        }
        sym
    }

    fn bind_symbol(&mut self, scope: ScopeIdx, name: Name, sym: SymIdx, span: Span) -> BindIdx {
        let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
        self.b
            .bind_in(scope, name, BindKind::Symbol(sym), ty, value, span, true)
    }

    /// Opens a block of its own for names declared inside.
    fn in_block<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let owner = self.b.callable();
        let around = self.block;
        self.block = self.b.open_scope(owner, false);
        let out = inside(self);
        self.b.close_scope();
        self.block = around;
        out
    }

    fn this_expr(&mut self) -> ExprIdx {
        match self.this {
            This::Unknown => ExprIdx::UNKNOWN,
            This::Instance(sym) => self.b.expr(Expr::This(sym)),
            This::Static(sym) => self.b.expr(Expr::SelfType(sym)),
            This::Bound(at) => self.b.expr(Expr::Local(at)),
        }
    }
}
