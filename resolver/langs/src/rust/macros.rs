//! Macro invocations: what of their tokens reads as expressions, statements or
//! declarations.
//!
//! A macro may do anything with its tokens. Where they parse cleanly as what
//! nearly every macro takes (a list of arguments, statements, declarations),
//! they are read as that; elsewhere names among them are possible reads.

use super::attrs::Attrs;
use super::exprs::known;
use super::families::{Family, diverges, family};
use super::readable::readable;
use super::tokens::between;
use super::walk::{Kid, NEVER, Node, Place, Walk, both};
use super::words::{F, GRAMMAR, K, WORDS};
use crate::driver::{self, Syntax};
use surefoot_facts::{Access, BindKind, Expr, ExprIdx, Name, SiteIdx, SymIdx, Ty};
use surefoot_graph::{SiteKind, SymbolKind};
use tree_sitter::Tree;

/// Macros inside macros are parsed again at each level, up to this many.
pub(super) const MAX_NESTING: u32 = 12;

/// Bytes of macro text a small item may parse beyond its own size.
const SPARE: usize = 256 * 1024;

/// What the macros of one item have cost so far, in bytes.
#[derive(Default)]
pub(super) struct Pieces {
    /// The item's own text.
    item: usize,
    /// Parsed again, each level counted.
    parsed: usize,
    /// In trees that are alive now, one inside the other.
    open: usize,
    /// Some text was refused.
    spent: bool,
}

impl Pieces {
    pub(super) fn of_item(bytes: u32) -> Pieces {
        Pieces {
            item: bytes as usize,
            ..Pieces::default()
        }
    }
}

/// One invocation.
struct Invocation<'t> {
    path: ExprIdx,
    name: Name,
    site: SiteIdx,
    tokens: Option<Node<'t>>,
}

/// Text between delimiters, made parseable: `text` is `before` + content + an end.
struct Piece {
    text: String,
    /// Bytes before the content.
    before: usize,
}

impl Piece {
    fn new(before: &str, content: &str, after: &str) -> Piece {
        // The line end ends a comment that the content may end with.
        Piece {
            text: format!("{before}{content}\n{after}"),
            before: before.len(),
        }
    }
}

impl<'t> Walk<'t, '_> {
    /// A macro where an expression or statement stands.
    pub(super) fn macro_value(&mut self, kid: Kid<'t>) -> ExprIdx {
        let Some(m) = self.invocation(kid) else {
            return ExprIdx::UNKNOWN;
        };
        let mut args = Vec::new();
        if let Some(tokens) = m.tokens {
            self.macro_arguments(m.name, tokens, &mut args);
        }
        let at = self.macro_expr(m.path, &args, m.site);
        match diverges(m.name.text()) {
            true => NEVER,
            false => at,
        }
    }

    /// A macro among types or patterns, of which only the name is read.
    pub(super) fn macro_in_type(&mut self, kid: Kid<'t>) {
        if let Some(m) = self.invocation(kid)
            && let Some(tokens) = m.tokens
        {
            self.loose(tokens, 0);
        }
    }

    /// A macro where a declaration stands. What it holds of clean declarations
    /// is taken as declared, under the macro's condition.
    pub(super) fn item_macro(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let Some(m) = self.invocation(kid) else {
            return;
        };
        let Some(tokens) = m.tokens else {
            return;
        };
        let outer = (self.s.around, self.s.test);
        let of = Name::new(&format!("{}!", m.name.text()));
        self.s.around = Some(self.s.around.map_or(of, |around| both(around, of)));
        self.s.test |= attrs.cfg_test;
        match family(m.name.text()) {
            Family::CfgIf => self.branches(tokens, Some(place)),
            Family::Literal | Family::Quote => {}
            _ if self.item_tokens(m.name, tokens, place) => {}
            _ => {
                self.s.b.open_scope(SymIdx::NONE, false);
                let mut args = Vec::new();
                self.macro_arguments(m.name, tokens, &mut args);
                self.s.b.close_scope();
            }
        }
        (self.s.around, self.s.test) = outer;
    }

    fn invocation(&mut self, kid: Kid<'t>) -> Option<Invocation<'t>> {
        let kids = self.syn.kids(kid.node);
        let head = kids.field(F::Macro)?;
        let (path, name, span) = match head.kind {
            K::Identifier => {
                let (name, span) = self.name(head.node);
                (self.macro_name(name), name, span)
            }
            _ => {
                let path = self.path(head, Access::Type);
                (path.at, path.name, path.span)
            }
        };
        let site = self.site(SiteKind::Macro, name, path, span);
        Some(Invocation {
            path,
            name,
            site,
            tokens: kids.kind(K::TokenTree).map(|k| k.node),
        })
    }

    /// Macros have names of their own: a local of that name is none.
    pub(super) fn macro_name(&mut self, name: Name) -> ExprIdx {
        let scope = self.s.b.scope();
        let bound = self.s.b.lookup(name).filter(|at| {
            let binding = self.s.b.item().bindings.get(at.0 as usize);
            binding.is_some_and(|b| match b.kind {
                BindKind::Symbol(s) => {
                    let symbol = self.s.b.item().symbol(s);
                    symbol.is_some_and(|s| s.kind == SymbolKind::Macro)
                }
                _ => false,
            })
        });
        match bound {
            Some(at) => self.s.b.expr(Expr::Local(at)),
            None => self.s.b.expr(Expr::Free { name, scope }),
        }
    }

    // ---- tokens -----------------------------------------------------------------------

    /// The text between the delimiters and where it stands in the file.
    pub(super) fn content(&self, tokens: Node<'t>) -> Option<(&'t str, u32)> {
        let text = self.syn.text(tokens);
        let inside = text.get(1..text.len().checked_sub(1)?)?;
        Some((inside, self.span(tokens).start + 1))
    }

    /// The tree of a piece, when the whole text parses. Nested macros parse the
    /// same bytes once per level: all of it is bounded by the size of the item.
    fn parse_piece(&mut self, piece: &Piece) -> Option<Tree> {
        let (pieces, len) = (&mut self.s.pieces, piece.text.len());
        let item = pieces.item;
        if pieces.open + len > 2 * item + SPARE || pieces.parsed > 8 * item + SPARE {
            if !std::mem::replace(&mut pieces.spent, true) {
                self.leave_out();
            }
            return None;
        }
        pieces.parsed += len;
        driver::parse_clean(&GRAMMAR, &readable(&piece.text))
    }

    /// Walks a piece's tree as part of this file.
    fn within<T>(
        &mut self,
        piece: &Piece,
        tree: &Tree,
        at: u32,
        f: impl for<'u, 'v> FnOnce(&mut Walk<'u, 'v>, Node<'u>) -> T,
    ) -> T {
        self.s.macros += 1;
        self.s.pieces.open += piece.text.len();
        let mut walk = Walk {
            s: &mut *self.s,
            syn: Syntax::new(&WORDS, tree, &piece.text),
            at: i64::from(at) - piece.before as i64,
        };
        let out = f(&mut walk, tree.root_node());
        self.s.macros -= 1;
        self.s.pieces.open -= piece.text.len();
        out
    }

    pub(super) fn macro_arguments(
        &mut self,
        name: Name,
        tokens: Node<'t>,
        args: &mut Vec<ExprIdx>,
    ) {
        let family = family(name.text());
        match family {
            Family::Literal => return,
            Family::Quote => return self.quoted(tokens),
            Family::CfgIf => return self.branches(tokens, None),
            _ => {}
        }
        let kids = self.syn.kids(tokens);
        // One token between the delimiters needs no parser.
        if kids.len() <= 2 {
            return;
        }
        if let [_, only, _] = &kids[..] {
            match only.kind {
                K::Str | K::RawString => return args.push(self.template(only.node, family, 0)),
                K::Identifier | K::Int | K::Float | K::Bool | K::CharLit | K::SelfWord => {
                    return args.push(self.expr(*only));
                }
                _ => {}
            }
        }
        let Some((content, at)) = self.content(tokens) else {
            return;
        };
        if self.s.macros >= MAX_NESTING {
            self.leave_out();
        }
        if self.s.macros >= MAX_NESTING || tokens.has_error() || self.too_deep() {
            return self.loose(tokens, 0);
        }
        let braces = self.syn.text(tokens).starts_with('{');
        let look = self.look(between(&kids));
        if family == Family::Matches && self.matches(tokens, content, at) {
            return;
        }
        if look.is_code && !look.semicolons && self.list_of_arguments(content, at, family, args) {
            return;
        }
        if family == Family::Log
            && let Some(plain) = self.without_sigils(tokens, content)
            && self.list_of_arguments(&plain, at, family, args)
        {
            return;
        }
        if look.is_code && look.semicolons && !braces && self.array(content, at, args) {
            return;
        }
        if look.is_code && (look.semicolons || braces) && self.statement_tokens(content, at, args) {
            return;
        }
        self.loose(tokens, 0);
    }

    fn list_of_arguments(
        &mut self,
        content: &str,
        at: u32,
        family: Family,
        args: &mut Vec<ExprIdx>,
    ) -> bool {
        let piece = Piece::new("fn f(){m(", content, ")}");
        let Some(tree) = self.parse_piece(&piece) else {
            return false;
        };
        self.within(&piece, &tree, at, |w, root| {
            let Some(call) = w.body_of(root) else {
                return false;
            };
            let Some(list) = w.syn.kids(call.node).field(F::Arguments) else {
                return false;
            };
            let kids = w.syn.kids(list.node);
            for kid in kids.named().filter(|k| k.kind != K::AttributeItem) {
                let index = args.len();
                let value = match kid.kind {
                    K::Str | K::RawString => w.template(kid.node, family, index),
                    // `name = value` names an argument.
                    K::Assignment => match w.syn.kids(kid.node).field(F::Right) {
                        Some(right) => w.expr(right),
                        None => ExprIdx::UNKNOWN,
                    },
                    _ => w.expr(kid),
                };
                args.push(value);
            }
            true
        })
    }

    /// Tokens that are one expression.
    pub(super) fn one_argument(&mut self, content: &str, at: u32) -> bool {
        self.list_of_arguments(content, at, Family::Other, &mut Vec::new())
    }

    /// The one statement in a piece's function, when it is an expression.
    fn body_of(&mut self, root: Node<'t>) -> Option<Kid<'t>> {
        let function = self.syn.kids(root).kind(K::Function)?;
        let body = self.syn.kids(function.node).field(F::Body)?;
        let mut inside = self.syn.kids(body.node);
        if let Some(statement) = inside.kind(K::ExpressionStatement) {
            inside = self.syn.kids(statement.node);
        }
        let mut named = inside.named();
        named.next()
    }

    /// `vec![value; length]`.
    fn array(&mut self, content: &str, at: u32, args: &mut Vec<ExprIdx>) -> bool {
        let piece = Piece::new("fn f(){[", content, "]}");
        let Some(tree) = self.parse_piece(&piece) else {
            return false;
        };
        self.within(&piece, &tree, at, |w, root| {
            let array = w.body_of(root).filter(|k| k.kind == K::ArrayExpr);
            let Some(array) = array else {
                return false;
            };
            let kids = w.syn.kids(array.node);
            for kid in kids.named() {
                args.push(w.expr(kid));
            }
            true
        })
    }

    /// Tokens that are statements, read as a block.
    pub(super) fn statement_tokens(
        &mut self,
        content: &str,
        at: u32,
        args: &mut Vec<ExprIdx>,
    ) -> bool {
        let piece = Piece::new("fn f(){", content, "}");
        let Some(tree) = self.parse_piece(&piece) else {
            return false;
        };
        self.within(&piece, &tree, at, |w, root| {
            let function = w.syn.kids(root).kind(K::Function);
            let body = function.and_then(|f| w.syn.kids(f.node).field(F::Body));
            let Some(body) = body else {
                return false;
            };
            let value = w.level(ExprIdx::UNKNOWN, |w| w.block(body.node));
            args.push(known(value));
            true
        })
    }

    /// `value, pattern if guard`: the comma becomes the brace of a match, so
    /// that every byte keeps its place.
    fn matches(&mut self, tokens: Node<'t>, content: &str, at: u32) -> bool {
        let kids = self.syn.kids(tokens);
        let Some(comma) = kids.kind(K::Comma) else {
            return false;
        };
        let split = (self.span(comma.node).start - at) as usize;
        let (Some(value), Some(pattern)) = (content.get(..split), content.get(split + 1..)) else {
            return false;
        };
        let pattern = pattern.trim_end().trim_end_matches(',');
        let piece = Piece::new("fn f(){match ", &format!("{value}{{{pattern}"), "=>{}}}");
        let Some(tree) = self.parse_piece(&piece) else {
            return false;
        };
        self.within(&piece, &tree, at, |w, root| {
            let found = w.body_of(root).filter(|k| k.kind == K::Match);
            let Some(found) = found else {
                return false;
            };
            let kids = w.syn.kids(found.node);
            let value = kids.field(F::Value).map_or(ExprIdx::UNKNOWN, |k| w.expr(k));
            let body = kids.field(F::Body);
            let arms = body.map(|b| w.syn.kids(b.node));
            let owner = w.s.b.callable();
            w.s.b.open_scope(owner, false);
            for arm in arms.iter().flat_map(|a| a.iter()) {
                let Some(pattern) = w.syn.kids(arm.node).field(F::Pattern) else {
                    continue;
                };
                let inside = w.syn.kids(pattern.node);
                let first = inside.iter().find(|k| k.field != F::Condition);
                if let Some(first) = first {
                    w.pattern(*first, value);
                }
                if let Some(guard) = inside.field(F::Condition) {
                    w.condition(guard);
                }
            }
            w.s.b.close_scope();
            true
        })
    }

    /// `tracing` fields: `?value`, `%value` and `target: "x"` made into plain
    /// arguments, byte for byte.
    fn without_sigils(&mut self, tokens: Node<'t>, content: &str) -> Option<String> {
        let start = tokens.start_byte() + 1;
        let mut bytes = content.as_bytes().to_vec();
        let kids = self.syn.kids(tokens);
        let mut first = true;
        let mut changed = false;
        for (i, kid) in kids.iter().enumerate().skip(1) {
            let text = self.syn.text(kid.node);
            let label = kid.kind == K::Identifier
                && first
                && kids
                    .get(i + 1)
                    .is_some_and(|k| self.syn.text(k.node) == ":");
            if first && (label || matches!(text, "?" | "%" | ":")) {
                let range = kid.node.byte_range();
                let blank = bytes.get_mut(range.start - start..range.end - start)?;
                blank.fill(b' ');
                changed = true;
                continue;
            }
            first = matches!(text, "," | "=");
        }
        changed.then(|| String::from_utf8(bytes).ok()).flatten()
    }

    /// Tokens that are declarations, taken as declared.
    fn item_tokens(&mut self, name: Name, tokens: Node<'t>, place: Place) -> bool {
        let kids = self.syn.kids(tokens);
        if tokens.has_error() || self.s.macros >= MAX_NESTING || !self.looks_declared(&kids) {
            return false;
        }
        let Some((content, at)) = self.content(tokens) else {
            return false;
        };
        // The last declaration of a list may end without its semicolon.
        let piece = Piece::new("", content, ";");
        let Some(tree) = self.parse_piece(&piece) else {
            return false;
        };
        let keyed = name.text() == "thread_local";
        self.within(&piece, &tree, at, |w, root| {
            let kids = w.syn.kids(root);
            let mut any = false;
            for kid in kids.named() {
                match kid.kind {
                    K::AttributeItem | K::InnerAttribute | K::Macro | K::EmptyStatement => {}
                    // `doctest!("..");` is an item as well.
                    K::ExpressionStatement
                        if w.syn
                            .kids(kid.node)
                            .first()
                            .is_some_and(|k| k.kind == K::Macro) => {}
                    kind if kind.is_declaration() => any = true,
                    _ => return false,
                }
            }
            if any {
                let first = w.s.b.item().symbols.len();
                w.declarations(&kids, place);
                if keyed {
                    w.thread_locals(first);
                }
            }
            any
        })
    }

    /// `thread_local!` wraps what is written: the static is a `LocalKey` of it.
    fn thread_locals(&mut self, first: usize) {
        for at in first..self.s.b.item().symbols.len() {
            let at = SymIdx(at as u32);
            let symbol = self.s.b.item().symbol(at);
            let Some(ty) = symbol
                .filter(|s| s.kind == SymbolKind::Variable)
                .map(|s| s.ty)
            else {
                continue;
            };
            let std = self.s.b.expr(Expr::Package(Name::new("std")));
            let module = self.scoped(std, "thread");
            let path = self.scoped(module, "LocalKey");
            let args = self.s.b.types(&[ty]);
            let ty = self.s.b.ty(Ty::Named { path, args });
            if let Some(symbol) = self.s.b.symbol_mut(at) {
                symbol.ty = ty;
            }
        }
    }

    fn scoped(&mut self, base: ExprIdx, name: &str) -> ExprIdx {
        let name = Name::new(name);
        self.s.b.expr(Expr::Scoped { base, name })
    }

    /// The brace groups of `cfg_if!`, as declarations or statements; each stands
    /// under its own condition and against those before it.
    fn branches(&mut self, tokens: Node<'t>, place: Option<Place>) {
        let kids = self.syn.kids(tokens);
        let outer = self.s.around;
        let (mut own, mut refused) = (None, Vec::new());
        for group in kids.iter().filter(|k| k.kind == K::TokenTree) {
            let text = self.syn.text(group.node);
            if !text.starts_with('{') {
                let predicate = text.strip_prefix("[cfg(");
                own = predicate.and_then(|p| p.strip_suffix(")]"));
                continue;
            }
            let mut all: Vec<String> = refused.clone();
            all.extend(own.map(str::to_owned));
            refused.extend(own.map(|p| format!("not({p})")));
            own = None;
            self.s.around = Some(Name::new(&format!("all({})", all.join(", "))));
            let done = match place {
                Some(place) => self.item_tokens(Name::EMPTY, group.node, place),
                None => false,
            };
            if done {
                continue;
            }
            let Some((content, at)) = self.content(group.node) else {
                continue;
            };
            let mut value = Vec::new();
            if self.s.macros >= MAX_NESTING || !self.statement_tokens(content, at, &mut value) {
                self.loose(group.node, 0);
            }
        }
        self.s.around = outer;
    }
}

/// The condition under which a rule's right side puts what it is given, when it
/// does nothing else: `$( #[cfg(..)] $item )*`.
pub(super) fn wraps(right: &str) -> Option<String> {
    let lines = right.lines().map(str::trim);
    let text: Vec<&str> = lines.filter(|l| !l.starts_with("//")).collect();
    let text = text.join(" ");
    let text = text.trim();
    let text = text.get(1..text.len().checked_sub(1)?)?.trim();
    let inside = text.strip_prefix("$(").and_then(|t| t.strip_suffix(")*"));
    let mut rest = inside.unwrap_or(text).trim();
    let mut all = Vec::new();
    while let Some(attribute) = rest.strip_prefix("#[") {
        let mut depth = 1;
        let end = attribute.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        let (body, after) = attribute.split_at(end);
        if let Some(predicate) = body.strip_prefix("cfg(").and_then(|p| p.strip_suffix(')')) {
            all.push(predicate.trim());
        }
        rest = after[1..].trim_start();
    }
    let name = rest.strip_prefix('$')?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let known = !all.is_empty() && !all.iter().any(|p| p.contains('$'));
    (plain && known).then(|| format!("all({})", all.join(", ")))
}
