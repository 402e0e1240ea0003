//! Macro tokens: whether they can be code at all, and what is said of those
//! that nothing reads as code.

use super::macros::MAX_NESTING;
use super::walk::{Kid, Kids, Node, Walk};
use super::words::K;
use surefoot_facts::{Access, BindKind, Expr, ExprIdx, TyIdx};
use surefoot_graph::SiteKind;

/// How many levels of unread tokens are searched for expressions and blocks.
const SEARCHED: u32 = 8;

/// How many tokens the type arguments of a path have at most.
const MAX_TYPE_ARGUMENTS: usize = 64;

/// Keywords that tokens show as names.
const KEYWORDS: &[&str] = &[
    "dyn",
    "else",
    "extern",
    "in",
    "macro_rules",
    "move",
    "raw",
    "ref",
    "union",
    "yield",
];

/// What stands between the delimiters of a group.
pub(super) fn between<'k, 't>(kids: &'k Kids<'t>) -> &'k [Kid<'t>] {
    match &kids[..] {
        [_, inside @ .., _] => inside,
        _ => &[],
    }
}

/// The level of tokens in which nothing is searched: the rules of a macro.
pub(super) const UNREAD: u32 = SEARCHED;

/// What a glance at the tokens says.
pub(super) struct Look {
    /// They may be expressions or statements.
    pub(super) is_code: bool,
    pub(super) semicolons: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Name,
    Literal,
    Group,
    Hash,
    Other,
}

impl<'t> Walk<'t, '_> {
    /// Whether the tokens can be expressions or statements at all. Finding out
    /// by parsing costs a hundred times more when the answer is no.
    pub(super) fn look(&self, inside: &[Kid<'t>]) -> Look {
        let mut look = Look {
            is_code: true,
            semicolons: false,
        };
        let typed = inside.iter().any(|k| {
            let text = if k.node.is_named() {
                ""
            } else {
                self.syn.text(k.node)
            };
            matches!(
                text,
                "let" | "fn" | "const" | "static" | "struct" | "|" | "||" | "'"
            )
        });
        let mut before = Token::Other;
        let mut turbofish = false;
        let mut colons = false;
        for (i, kid) in inside.iter().enumerate() {
            if kid.node.is_extra() {
                continue;
            }
            let text = match kid.node.is_named() && kid.kind != K::Identifier {
                true => "",
                false => self.syn.text(kid.node),
            };
            let next = inside.get(i + 1).map(|k| k.kind);
            let token = match kid.kind {
                K::Identifier if KEYWORDS.contains(&text) => Token::Other,

                K::Identifier => Token::Name,
                K::Str | K::RawString | K::CharLit | K::Bool | K::Int | K::Float => Token::Literal,
                K::TokenTree if self.syn.text(kid.node).starts_with('{') => Token::Other,
                K::TokenTree => Token::Group,
                _ => Token::Other,
            };
            // Two operands in a row, and tokens no expression has.
            let operands = matches!(token, Token::Name | Token::Literal)
                && matches!(before, Token::Name | Token::Literal | Token::Group);
            let strange = match text {
                "=>" | "@" | "$" => true,
                "->" | ":" => !typed,
                "#" => next != Some(K::TokenTree) && next != Some(K::Bang),
                "?" => matches!(before, Token::Other) && !matches!(next, None | Some(K::Comma)),
                ">" => !turbofish && matches!(next, None | Some(K::Comma)),
                _ => false,
            };
            look.is_code &= !operands && !strange;
            look.semicolons |= kid.kind == K::Semicolon;
            turbofish |= text == "<" && colons;
            colons = text == "::";
            // An attribute's brackets are no operand.
            before = match token {
                Token::Group if before == Token::Hash => Token::Other,
                _ if text == "#" => Token::Hash,
                token => token,
            };
        }
        look
    }

    /// Whether the first token, behind attributes, starts a declaration.
    pub(super) fn looks_declared(&self, kids: &Kids<'t>) -> bool {
        let mut tokens = kids
            .iter()
            .skip(1)
            .filter(|k| !k.node.is_extra())
            .peekable();
        while let Some(kid) = tokens.next() {
            let text = match kid.node.is_named() && kid.kind != K::Identifier {
                true => "",
                false => self.syn.text(kid.node),
            };
            match text {
                "#" => {
                    if tokens.peek().is_some_and(|k| k.kind == K::Bang) {
                        tokens.next();
                    }
                    tokens.next();
                }
                "pub" | "fn" | "struct" | "enum" | "impl" | "mod" | "use" | "const" | "static"
                | "type" | "trait" | "unsafe" | "extern" | "async" | "union" | "macro_rules" => {
                    return true;
                }
                _ => {
                    return kid.kind == K::Identifier
                        && tokens.peek().is_some_and(|k| k.kind == K::Bang);
                }
            }
        }
        false
    }

    /// Tokens nothing reads as a whole. What stands between their separators is
    /// read as the expression it looks like; where it looks like none, a name
    /// before a group in parentheses is called and any other is possibly read.
    pub(super) fn loose(&mut self, tokens: Node<'t>, level: u32) {
        let kids = self.syn.kids(tokens);
        let outer = std::mem::replace(&mut self.s.loose, !self.s.rules);
        self.level((), |w| match w.s.rules || level >= SEARCHED {
            true => w.loose_run(&kids, level),
            false => w.loose_parts(between(&kids), level),
        });
        self.s.loose = outer;
    }

    fn loose_parts(&mut self, mut rest: &[Kid<'t>], level: u32) {
        let owner = self.s.b.callable();
        self.s.b.open_scope(owner, false);
        while !rest.is_empty() {
            let ends = |k: &Kid<'t>| match k.kind {
                K::Comma | K::Semicolon | K::FatArrow => true,
                _ => self.syn.text(k.node) == ":",
            };
            let end = rest.iter().position(ends).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            let arm = after.first().is_some_and(|k| k.kind == K::FatArrow);
            rest = after.get(1..).unwrap_or_default();
            // `pattern = value`, and the pattern of an arm.
            let equals = part.iter().position(|k| self.syn.text(k.node) == "=");
            let (pattern, value) = match equals {
                Some(at) => (&part[..at], &part[at + 1..]),
                None if arm => (part, &[][..]),
                None => (&[][..], part),
            };
            self.loose_run(pattern, level);
            self.loose_value(value, level);
            // What a pattern binds is none of the names around.
            self.loose_bindings(pattern, 0);
        }
        self.s.b.close_scope();
    }

    fn loose_bindings(&mut self, pattern: &[Kid<'t>], depth: u32) {
        for (at, kid) in pattern.iter().enumerate() {
            let text = self.syn.text(kid.node);
            let before = at.checked_sub(1).map(|b| self.syn.text(pattern[b].node));
            let next = pattern.get(at + 1).map_or("", |k| self.syn.text(k.node));
            match kid.kind {
                K::TokenTree if depth < SEARCHED && before != Some("#") => {
                    let inside = self.syn.kids(kid.node);
                    self.loose_bindings(between(&inside), depth + 1);
                }
                K::Identifier
                    if text.starts_with(|c: char| c.is_lowercase())
                        && !KEYWORDS.contains(&text)
                        && !matches!(before, Some("." | "::" | "'"))
                        && !matches!(next, "::" | "!" | ".")
                        && !next.starts_with(['(', '[', '{']) =>
                {
                    let (name, span) = self.name(kid.node);
                    let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
                    // From here on: what a macro does with the name itself is not
                    // known, so it may be read as well.
                    self.s.b.bind(name, BindKind::Local, ty, value, span, false);
                }
                _ => {}
            }
        }
    }

    /// Tokens that may be one expression, or some with words between them.
    fn loose_value(&mut self, part: &[Kid<'t>], level: u32) {
        let is_group = |k: &Kid<'t>| k.kind == K::TokenTree;
        if part.len() > 1 && part.iter().any(is_group) && self.loose_expression(part) {
            return;
        }
        let mut from = 0;
        let mut at = 0;
        while at < part.len() {
            let (end, calls) = self.chain(part, at);
            if calls && !self.ends_like_a_type(&part[at..end]) && self.stands_free(part, at) {
                self.loose_run(&part[from..at], level);
                if !self.loose_expression(&part[at..end]) {
                    self.loose_run(&part[at..end], level);
                }
                from = end;
            }
            at = end;
        }
        self.loose_run(&part[from..], level);
    }

    /// Whether what starts at `at` is neither declared nor part of what stands before.
    fn stands_free(&self, part: &[Kid<'t>], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| part.get(b));
        !before.is_some_and(|k| matches!(self.syn.text(k.node), "fn" | "#" | "." | "'"))
    }

    /// `Name(..)` alone may be a pattern or a type as well as a call.
    fn ends_like_a_type(&self, chain: &[Kid<'t>]) -> bool {
        matches!(chain, [.., name, group] if group.kind == K::TokenTree
            && self.syn.text(name.node).starts_with(|c: char| c.is_uppercase()))
    }

    /// Where a path with what is asked of it ends (`a::b(..).c?.d(..)`), and
    /// whether anything in it is called.
    fn chain(&self, part: &[Kid<'t>], from: usize) -> (usize, bool) {
        let text = |at: usize| part.get(at).map_or("", |k| self.syn.text(k.node));
        let kind = |at: usize| part.get(at).map(|k| k.kind);
        let heads = [K::Identifier, K::SelfWord, K::Crate, K::Super, K::Str];
        if !kind(from).is_some_and(|k| heads.contains(&k)) || KEYWORDS.contains(&text(from)) {
            return (from + 1, false);
        }
        let mut calls = false;
        let mut named = kind(from) == Some(K::Identifier);
        let mut at = from + 1;
        loop {
            match text(at) {
                "::" if kind(at + 1) == Some(K::Identifier) => (at, named) = (at + 2, true),
                "::" if text(at + 1) == "<" => {
                    let mut depth = 0i32;
                    let close = (at + 1..part.len().min(at + MAX_TYPE_ARGUMENTS)).find(|i| {
                        depth += match text(*i) {
                            "<" => 1,
                            ">" => -1,
                            ">>" => -2,
                            _ => 0,
                        };
                        depth <= 0
                    });
                    match close {
                        Some(close) => at = close + 1,
                        None => return (at, calls),
                    }
                }
                "." => (at, named) = (at + 2, kind(at + 1) == Some(K::Identifier)),
                "?" => (at, named) = (at + 1, false),
                "!" if kind(at + 1) == Some(K::TokenTree) && named => {
                    (at, named, calls) = (at + 2, false, true);
                }
                t if kind(at) == Some(K::TokenTree) && t.starts_with(['(', '[']) => {
                    calls |= named && t.starts_with('(');
                    (at, named) = (at + 1, false);
                }
                _ => return (at.min(part.len()), calls),
            }
        }
    }

    /// Reads tokens as one expression, when they parse as one.
    fn loose_expression(&mut self, part: &[Kid<'t>]) -> bool {
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            return false;
        };
        let range = first.node.start_byte()..last.node.end_byte();
        if self.s.macros >= MAX_NESTING || !self.look(part).is_code {
            return false;
        }
        match self.syn.text.get(range) {
            Some(text) => {
                let at = self.span(first.node).start;
                self.one_argument(text, at)
            }
            None => false,
        }
    }

    /// Names among tokens that are no expression.
    fn loose_run(&mut self, kids: &[Kid<'t>], level: u32) {
        let mut at = 0;
        let mut before = "";
        while let Some(kid) = kids.get(at) {
            at += 1;
            match kid.kind {
                K::LineComment | K::BlockComment => continue,
                K::Identifier | K::SelfWord | K::Crate | K::Super | K::Metavariable => {
                    at = self.loose_path(kids, at - 1, before, level);
                }
                // An attribute calls nothing.
                K::TokenTree if before == "#" => {}
                K::TokenTree => self.loose_group(kid.node, level),
                K::TokenRepetition => self.loose(kid.node, level),
                _ => {}
            }
            before = match kid.node.is_named() {
                true => "",
                false => self.syn.text(kid.node),
            };
        }
    }

    /// A path that starts at `at`; returns where the tokens go on.
    fn loose_path(&mut self, kids: &[Kid<'t>], at: usize, before: &str, level: u32) -> usize {
        let head = &kids[at];
        let mut end = at + 1;
        let mut last = *head;
        let scope = self.s.b.scope();
        let (name, span) = self.name(head.node);
        // A member's name is no variable's; a declared one is nobody's yet.
        let bare = !matches!(before, "." | "fn" | "'" | "$") && !KEYWORDS.contains(&name.text());
        let mut path = match head.kind {
            K::Crate => self.s.b.expr(Expr::PackageRoot),
            K::Metavariable if name.text() == "$crate" => self.s.b.expr(Expr::PackageRoot),
            K::Metavariable => ExprIdx::UNKNOWN,
            K::Super => self.s.b.expr(Expr::ModuleUp { scope, up: 1 }),
            _ if bare => self.s.b.name(name, span, Access::Maybe),
            _ => ExprIdx::UNKNOWN,
        };
        while let [colons, next, ..] = &kids[end..] {
            if next.kind != K::Identifier || self.syn.text(colons.node) != "::" {
                break;
            }
            let name = self.name(next.node).0;
            if path.is_known() {
                path = self.s.b.expr(Expr::Scoped { base: path, name });
            }
            last = *next;
            end += 2;
        }
        let (name, span) = self.name(last.node);
        match &kids[end..] {
            [bang, group, ..] if bang.kind == K::Bang && group.kind == K::TokenTree => {
                let path = match end == at + 1 {
                    true => self.macro_name(name),
                    false => path,
                };
                if last.kind == K::Identifier {
                    self.site(SiteKind::Macro, name, path, span);
                }
                match level < SEARCHED && self.s.macros < MAX_NESTING {
                    true => self.macro_arguments(name, group.node, &mut Vec::new()),
                    false => self.loose(group.node, level + 1),
                }
                return end + 2;
            }
            [group, ..] if group.kind == K::TokenTree => {
                let called =
                    last.kind == K::Identifier && self.syn.text(group.node).starts_with('(');
                let plain = end == at + 1 && !self.may_be_function(name);
                // A name written like a type may be a pattern as well.
                let runs = before != "fn"
                    && name
                        .text()
                        .starts_with(|c: char| c.is_lowercase() || c == '_')
                    && !KEYWORDS.contains(&name.text());
                if called && runs && (!plain || before == ".") {
                    self.site(SiteKind::Call, name, path, span);
                } else if called && !plain && path.is_known() {
                    self.site(SiteKind::Value, name, path, span);
                }
            }
            _ => {}
        }
        end
    }

    fn loose_group(&mut self, group: Node<'t>, level: u32) {
        let braces = self.syn.text(group).starts_with('{');
        if braces && level < SEARCHED && self.s.macros < MAX_NESTING {
            let inside = self.syn.kids(group);
            if self.look(between(&inside)).is_code
                && let Some((content, at)) = self.content(group)
                && self.statement_tokens(content, at, &mut Vec::new())
            {
                return;
            }
        }
        self.loose(group, level + 1);
    }

    /// `quote!`: names behind `#` are read, the rest is code for elsewhere.
    pub(super) fn quoted(&mut self, tokens: Node<'t>) {
        let mut cursor = tokens.walk();
        let mut depth = 0;
        let mut hash = false;
        loop {
            let node = cursor.node();
            let text = match node.child_count() {
                0 => self.syn.text(node),
                _ => "",
            };
            if hash && self.syn.kind(node) == K::Identifier {
                let (name, span) = self.name(node);
                self.read(name, span);
            }
            // `#(#name),*` repeats.
            hash = text == "#" || (hash && matches!(text, "" | "("));
            if cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while depth > 0 && !cursor.goto_next_sibling() {
                cursor.goto_parent();
                depth -= 1;
            }
            if depth == 0 {
                return;
            }
        }
    }
}
