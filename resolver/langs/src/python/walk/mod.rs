//! One pass over a tree of Python: declarations, names as they flow, sites.
//!
//! Which binding a name means is decided here, not when the item ends: in a
//! function a name is what was last assigned on the way. Recursion follows the
//! syntax and is bounded by [`MAX_DEPTH`]; what lies deeper is left out and
//! said to be.

mod annotation;
mod bindings;
mod call;
mod class;
mod comprehension;
mod expression;
mod flow;
mod function;
mod implicit;
mod locals;
mod matching;
mod module;
mod narrow;
mod parameters;
mod statement;
mod target;
#[cfg(test)]
mod tests;

use super::kinds::{F, K, WORDS};
use crate::driver::{
    self, Extraction, MAX_DEPTH, Reuse, Syntax, deeper, error_regions, says_generated,
};
use bindings::{Frame, Space};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use surefoot_facts::{
    BindIdx, Builder, Expr, ExprIdx, Flags, LanguageId, Name, SiteIdx, Span, SymIdx, TyIdx,
};
use surefoot_graph::{SiteKind, SymbolKind};
use tree_sitter::{Node, Tree};

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

type Kid<'t> = driver::Kid<'t, K, F>;
type Kids<'t> = driver::Kids<'t, K, F>;

pub(super) struct Walker<'t> {
    s: Syntax<'t, K, F>,
    b: Builder,
    names: FxHashMap<&'t str, Name>,
    depth: u32,
    too_deep: u32,
    /// How many regions around did not parse.
    broken: u32,
    /// The namespaces around, innermost last; empty at module level.
    frames: Vec<Frame>,
    /// Conditions the module-level statement stands under, innermost last.
    conditions: Vec<Name>,
    /// Type parameters in scope.
    type_params: Vec<(Name, BindIdx)>,
    /// The signature being read, which collects the type variables it names.
    signature: SymIdx,
    /// Narrowed names, and the binding each stands for.
    narrowed: FxHashMap<BindIdx, BindIdx>,
    /// Attributes that were narrowed, by their text.
    paths: Vec<(&'t str, ExprIdx)>,
    /// Sites are not recorded: a type read a second time.
    quiet: bool,
    /// The operator of the run of logical operators around, for cognitive complexity.
    logic: Option<K>,
    file: module::Survey<'t>,
    /// The condition on the machine that is being given to a name.
    machine: Name,
}

/// The facts of one tree.
pub(super) fn extract(
    language: LanguageId,
    tree: &Tree,
    text: &str,
    reuse: Option<&Reuse<'_>>,
) -> Extraction {
    let walker = Walker {
        s: Syntax::new(&WORDS, tree, text),
        b: Builder::new(language),
        names: FxHashMap::default(),
        depth: 0,
        too_deep: 0,
        broken: 0,
        frames: Vec::new(),
        conditions: Vec::new(),
        type_params: Vec::new(),
        signature: SymIdx::NONE,
        narrowed: FxHashMap::default(),
        paths: Vec::new(),
        quiet: false,
        logic: None,
        file: module::Survey::default(),
        machine: Name::EMPTY,
    };
    walker.file(tree, reuse)
}

impl<'t> Walker<'t> {
    fn file(mut self, tree: &'t Tree, reuse: Option<&Reuse<'_>>) -> Extraction {
        let root = tree.root_node();
        let kids = self.s.kids(root);
        self.file = self.survey(&kids);
        let mut context = FxHasher::default();
        self.file.hash(&mut context);
        let context = context.finish();
        let reuse = reuse.filter(|r| r.context == context);

        let mut start = None;
        let mut row = None;
        let mut documented = false;
        let mut first = true;
        for kid in kids.iter() {
            if kid.kind == K::Comment {
                // A comment behind a statement on its line belongs to that one.
                if row != Some(kid.node.start_position().row) {
                    start.get_or_insert(kid.node.start_byte());
                }
                continue;
            }
            row = Some(kid.node.end_position().row);
            let from = start.take().unwrap_or(kid.node.start_byte());
            if !kid.node.is_named() {
                continue;
            }
            if std::mem::take(&mut first) {
                documented = self.is_docstring(*kid);
            }
            let span = Span::new(from, kid.node.end_byte());
            if reuse.is_some_and(|r| r.take(span, &mut self.b)) {
                self.pass_by(*kid);
                continue;
            }
            self.item(*kid, span);
        }
        let text = self.s.text;
        let errors = error_regions(tree) + self.too_deep;
        let file = self.b.file();
        file.errors = errors;
        file.generated = says_generated(text);
        file.documented = documented;
        Extraction {
            extracted: self.b.finish(text),
            context,
        }
    }

    fn item(&mut self, kid: Kid<'t>, span: Span) {
        self.b.begin_item(span);
        self.frames.clear();
        self.conditions.clear();
        self.type_params.clear();
        self.signature = SymIdx::NONE;
        self.narrowed.clear();
        self.paths.clear();
        self.quiet = false;
        self.broken = 0;
        self.logic = None;
        self.any(kid);
        self.b.end_item();
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
        if kid.kind.is_statement() {
            self.statement(kid);
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

    /// Text that did not parse.
    fn error(&mut self, node: Node<'t>) {
        self.broken += 1;
        self.inside(node);
        self.broken -= 1;
    }

    // ---- names and sites -----------------------------------------------------------

    fn name_of(&mut self, text: &'t str) -> Name {
        *self.names.entry(text).or_insert_with(|| Name::new(text))
    }

    fn name_at(&mut self, node: Node<'t>) -> Name {
        let text = self.s.text(node);
        self.name_of(text)
    }

    fn site(&mut self, kind: SiteKind, name: Name, callee: ExprIdx, span: Span) -> SiteIdx {
        if self.quiet {
            return SiteIdx::NONE;
        }
        let at = self.b.site(kind, name, callee, span);
        if self.broken > 0
            && let Some(site) = self.b.site_mut(at)
        {
            site.broken = true;
        }
        at
    }

    /// The content of a plain string literal and where it stands.
    fn string(&mut self, node: Node<'t>) -> Option<(&'t str, Span)> {
        let kids = self.s.kids(node);
        let start = kids.kind(K::StringStart)?;
        let prefix = self.s.text(start.node);
        if prefix.contains(['f', 'F', 'b', 'B', 't', 'T']) {
            return None;
        }
        let mut parts = kids.iter().filter(|k| k.kind == K::StringContent);
        let Some(part) = parts.next() else {
            return Some(("", Span::new(start.node.end_byte(), start.node.end_byte())));
        };
        let text = self.s.text(part.node);
        (parts.next().is_none() && !text.contains('\\')).then(|| (text, span_of(part.node)))
    }

    /// A statement that is nothing but a string.
    fn is_docstring(&mut self, kid: Kid<'t>) -> bool {
        kid.kind == K::ExpressionStatement && {
            let inner = self.s.kids(kid.node).named().next();
            inner.is_some_and(|k| matches!(k.kind, K::StringNode | K::ConcatenatedString))
        }
    }

    fn flag(&mut self, sym: SymIdx, bits: u32) {
        if let Some(s) = self.b.symbol_mut(sym) {
            s.flags.set(bits);
        }
    }

    /// One of several values, fewer where they are equal or unknown alike.
    fn one_of(&mut self, all: &[ExprIdx]) -> ExprIdx {
        let mut parts: SmallVec<[ExprIdx; 4]> = SmallVec::new();
        for part in all {
            if !parts.contains(part) {
                parts.push(*part);
            }
        }
        match parts[..] {
            [] => ExprIdx::UNKNOWN,
            [one] => one,
            _ => {
                let parts = self.b.exprs(&parts);
                self.b.expr(Expr::OneOf(parts))
            }
        }
    }

    /// A name the stub declares, whatever the file around calls so.
    fn stub(&mut self, name: &str) -> ExprIdx {
        self.b.expr(Expr::Package(Name::new(name)))
    }

    /// A call of a function of the stub that no one wrote: what a literal or an
    /// operator gives.
    fn stub_call(&mut self, name: &str, args: &[ExprIdx]) -> ExprIdx {
        let callee = self.stub(name);
        let args = self.b.exprs(args);
        let site = SiteIdx::NONE;
        self.b.expr(Expr::Call { callee, args, site })
    }
}
