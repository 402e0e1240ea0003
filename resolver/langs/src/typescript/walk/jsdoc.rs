//! Types that comments write: `@param {T} x`, `@returns {T}`, `@type {T}`,
//! `@typedef {T} Name`. Only in files of JavaScript, where nothing else does.

use super::class::Modifiers;
use super::*;
use surefoot_facts::{List, Lit, Ty};

/// A tag: its word, the text of its type and where that starts, what follows.
struct Tag<'t> {
    word: &'t str,
    ty: Option<(&'t str, usize)>,
    rest: &'t str,
}

/// The tags of one comment, in order.
fn tags(comment: &str, start: usize) -> Vec<Tag<'_>> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'@', &comment.as_bytes()[from..]) {
        let at = from + at;
        from = at + 1;
        let line = comment[..at].rfind('\n').map_or(0, |n| n + 1);
        let before = comment[line..at].trim_start_matches([' ', '\t', '*', '/']);
        if !before.is_empty() {
            continue;
        }
        let text = &comment[at + 1..];
        let len = text
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(text.len());
        let (word, after) = text.split_at(len);
        let open = after.trim_start_matches([' ', '\t']);
        let (ty, rest) = match open.strip_prefix('{').and_then(|inner| closed(inner)) {
            Some((ty, rest)) => {
                let offset = comment.len() - open.len() + 1;
                (Some((ty, start + offset)), rest)
            }
            None => (None, open),
        };
        let end = rest.find('\n').unwrap_or(rest.len());
        out.push(Tag {
            word,
            ty,
            rest: rest[..end].trim(),
        });
    }
    out
}

/// The text up to the brace that closes, and what follows it.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[..i], &text[i + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// The name a tag gives: `x`, `[x]`, `[x=1]`.
fn named(rest: &str) -> &str {
    let rest = rest.trim_start_matches('[');
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.')))
        .unwrap_or(rest.len());
    &rest[..end]
}

/// What the comment above a function says.
#[derive(Default)]
pub(super) struct Written<'t> {
    params: Vec<(&'t str, &'t str, usize)>,
    result: Option<(&'t str, usize)>,
}

impl<'t> Walker<'t> {
    fn comment(&self, at: Option<Span>) -> Option<(&'t str, usize)> {
        let at = at.filter(|_| self.script)?;
        let text: &'t str = self.s.text;
        let range = at.start as usize..at.end as usize;
        Some((text.get(range)?, at.start as usize))
    }

    pub(super) fn written(&self, at: Option<Span>) -> Written<'t> {
        let mut out = Written::default();
        let Some((text, start)) = self.comment(at) else {
            return out;
        };
        for tag in tags(text, start) {
            match (tag.word, tag.ty) {
                ("param" | "arg" | "argument", Some((ty, at))) => {
                    out.params.push((named(tag.rest), ty, at));
                }
                ("returns" | "return", Some(ty)) => out.result = Some(ty),
                _ => {}
            }
        }
        out
    }

    pub(super) fn written_param(&mut self, written: &Written<'t>, name: &str) -> TyIdx {
        let found = written.params.iter().find(|p| p.0 == name);
        match found {
            Some((_, ty, at)) => self.doc_type(ty, *at),
            None => TyIdx::UNKNOWN,
        }
    }

    pub(super) fn written_result(&mut self, written: &Written<'t>) -> TyIdx {
        match written.result {
            Some((ty, at)) => self.doc_type(ty, at),
            None => TyIdx::UNKNOWN,
        }
    }

    /// `@type {T}`
    pub(super) fn jsdoc_type(&mut self, at: Option<Span>) -> TyIdx {
        let Some((text, start)) = self.comment(at) else {
            return TyIdx::UNKNOWN;
        };
        let found = tags(text, start).into_iter().find(|t| t.word == "type");
        match found.and_then(|t| t.ty) {
            Some((ty, at)) => self.doc_type(ty, at),
            None => TyIdx::UNKNOWN,
        }
    }

    /// `@typedef {T} Name`, or with a `@property` for each member.
    pub(super) fn typedefs(&mut self, comment: Node<'t>) {
        let text = self.s.text(comment);
        let all = tags(text, comment.start_byte());
        let mut around: Option<SymIdx> = None;
        for tag in &all {
            match tag.word {
                "typedef" => {
                    let name = named(tag.rest);
                    if name.is_empty() {
                        continue;
                    }
                    let at = text.find(name).unwrap_or(0) + comment.start_byte();
                    let span = Span::new(at, at + name.len());
                    let full = span_of(comment);
                    let object = tag
                        .ty
                        .is_none_or(|t| matches!(t.0.trim(), "Object" | "object"));
                    let kind = if object {
                        SymbolKind::Interface
                    } else {
                        SymbolKind::TypeAlias
                    };
                    let name = self.name_of(name);
                    let sym = self.b.symbol(name, kind, full, span);
                    self.flag(sym, Flags::EXPORTED | Flags::DOCUMENTED);
                    if let Some((ty, at)) = tag.ty.filter(|_| !object) {
                        self.b.enter_parent(sym);
                        let ty = self.doc_type(ty, at);
                        self.b.leave_parent();
                        if let Some(s) = self.b.symbol_mut(sym) {
                            s.ty = ty;
                        }
                    }
                    around = object.then_some(sym);
                }
                "property" | "prop" => {
                    let name = named(tag.rest);
                    let (Some(of), Some((ty, at))) = (around, tag.ty) else {
                        continue;
                    };
                    if name.is_empty() || name.contains('.') {
                        continue;
                    }
                    let span = Span::new(at, at + ty.len());
                    let name = self.name_of(name);
                    self.b.enter_parent(of);
                    let kind = SymbolKind::Field;
                    let lead = Lead::plain(span);
                    let field = self.declare_member((name, span), kind, Modifiers::default(), lead);
                    self.flag(field, Flags::BODILESS);
                    let ty = self.doc_type(ty, at);
                    self.b.leave_parent();
                    if let Some(s) = self.b.symbol_mut(field) {
                        s.ty = ty;
                    }
                }
                _ => {}
            }
        }
    }

    fn doc_type(&mut self, text: &'t str, at: usize) -> TyIdx {
        let mut p = Parser {
            text,
            at: 0,
            base: at,
            depth: 0,
        };
        let ty = self.doc_union(&mut p);
        p.space();
        if p.rest().is_empty() {
            ty.unwrap_or_default()
        } else {
            TyIdx::UNKNOWN
        }
    }

    fn doc_union(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        p.depth += 1;
        if p.depth > 32 {
            return None;
        }
        p.eat("|");
        let mut parts: SmallVec<[TyIdx; 4]> = SmallVec::new();
        loop {
            parts.push(self.doc_postfix(p)?);
            if !p.eat("|") {
                break;
            }
        }
        p.depth -= 1;
        Some(match parts.as_slice() {
            [only] => *only,
            _ => {
                let all = self.b.types(&parts);
                self.b.ty(Ty::Union(all))
            }
        })
    }

    fn doc_postfix(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        while p.eat("?") || p.eat("!") {
            if p.ends() {
                return Some(self.doc_any());
            }
        }
        let rest = p.eat("...");
        let mut ty = self.doc_primary(p)?;
        loop {
            if p.eat("[]") {
                ty = self.b.ty(Ty::Array(ty));
            } else if !(p.eat("=") || p.eat("!") || p.eat("?")) {
                break;
            }
        }
        Some(if rest { self.b.ty(Ty::Array(ty)) } else { ty })
    }

    fn doc_any(&mut self) -> TyIdx {
        let any = self.name_of("any");
        self.b.ty(Ty::Builtin(any))
    }

    fn doc_list(&mut self, p: &mut Parser<'t>, close: &str) -> Option<SmallVec<[TyIdx; 4]>> {
        let mut out = SmallVec::new();
        while !p.eat(close) {
            out.push(self.doc_union(p)?);
            if !p.eat(",") && !p.peeks(close) {
                return None;
            }
        }
        Some(out)
    }

    fn doc_primary(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        p.space();
        if p.eat("*") {
            return Some(self.doc_any());
        }
        if p.eat("(") {
            let mark = (p.at, p.depth);
            if let Some(inner) = self.doc_union(p)
                && p.eat(")")
                && !p.peeks("=>")
            {
                return Some(inner);
            }
            (p.at, p.depth) = mark;
            return self.doc_arrow(p);
        }
        if p.eat("[") {
            let parts = self.doc_list(p, "]")?;
            let parts = self.b.types(&parts);
            return Some(self.b.ty(Ty::Tuple(parts)));
        }
        if p.eat("{") {
            return self.doc_object(p);
        }
        if p.rest().starts_with(['"', '\'']) {
            let quote = p.rest().chars().next()?;
            let len = p.rest()[1..].find(quote)? + 2;
            p.at += len;
            return Some(self.b.ty(Ty::Lit(Lit::Str)));
        }
        if p.rest()
            .starts_with(|c: char| c.is_ascii_digit() || c == '-')
        {
            let rest = p.rest();
            let len = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')))
                .unwrap_or(rest.len());
            p.at += len;
            return Some(self.b.ty(Ty::Lit(Lit::Float)));
        }
        let start = p.at;
        let word = p.word()?;
        match word {
            "function" => {
                p.eat("(").then_some(())?;
                let params = self.doc_list(p, ")")?;
                let result = if p.eat(":") {
                    self.doc_postfix(p)?
                } else {
                    TyIdx::UNKNOWN
                };
                return Some(self.doc_fn(&params, result));
            }
            "import" => return self.doc_import(p),
            "typeof" => {
                let start = {
                    p.space();
                    p.at
                };
                let word = p.word()?;
                let path = self.doc_path(p, word, start, Access::Read);
                return Some(self.b.ty(Ty::TypeOf(path)));
            }
            "keyof" | "unique" | "readonly" => {
                self.doc_postfix(p)?;
                return Some(self.b.ty(Ty::Opaque));
            }
            _ => {}
        }
        let builtin = match word {
            "string" | "String" => "string",
            "number" | "Number" => "number",
            "boolean" | "Boolean" | "bool" => "boolean",
            "bigint" | "symbol" | "void" | "undefined" | "null" | "never" | "any" | "unknown" => {
                word
            }
            "object" | "Object" | "Function" if !p.peeks("<") && !p.peeks(".<") => "any",
            _ => "",
        };
        if !builtin.is_empty() && !p.peeks(".") {
            let name = self.name_of(builtin);
            return Some(self.b.ty(Ty::Builtin(name)));
        }
        let path = self.doc_path(p, word, start, Access::Type);
        let args = self.doc_args(p)?;
        if matches!(word, "Object" | "object") {
            let record = self.name_of("Record");
            let path = self.b.name(record, p.span(start), Access::Type);
            return Some(self.b.ty(Ty::Named { path, args }));
        }
        Some(self.b.ty(Ty::Named { path, args }))
    }

    /// `{ a: T, b?: U }`, the brace read.
    fn doc_object(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        let full = p.span(p.at.saturating_sub(1));
        let sym = self.b.symbol(Name::EMPTY, SymbolKind::Object, full, full);
        self.b.enter_parent(sym);
        let mut whole = true;
        while !p.eat("}") {
            let start = p.at;
            let Some(word) = p.word() else {
                whole = false;
                break;
            };
            let span = p.span(start);
            p.eat("?");
            if !p.eat(":") {
                whole = false;
                break;
            }
            let name = self.name_of(word);
            let (kind, lead) = (SymbolKind::Field, Lead::plain(span));
            let field = self.declare_member((name, span), kind, Modifiers::default(), lead);
            self.flag(field, Flags::BODILESS);
            self.b.enter_parent(field);
            let ty = self.doc_union(p);
            self.b.leave_parent();
            let Some(ty) = ty else {
                whole = false;
                break;
            };
            if let Some(s) = self.b.symbol_mut(field) {
                s.ty = ty;
            }
            if !p.eat(",") && !p.eat(";") && !p.peeks("}") {
                whole = false;
                break;
            }
        }
        self.b.leave_parent();
        whole.then(|| self.b.ty(Ty::Object(sym)))
    }

    fn doc_args(&mut self, p: &mut Parser<'t>) -> Option<List> {
        if !p.eat(".<") && !p.eat("<") {
            return Some(List::default());
        }
        let args = self.doc_list(p, ">")?;
        Some(self.b.types(&args))
    }

    fn doc_fn(&mut self, params: &[TyIdx], result: TyIdx) -> TyIdx {
        let params = self.b.types(params);
        self.b.ty(Ty::Fn { params, result })
    }

    /// `(a: A, b?: B) => R`, the opening parenthesis read.
    fn doc_arrow(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        let mut params: SmallVec<[TyIdx; 4]> = SmallVec::new();
        while !p.eat(")") {
            p.eat("...");
            p.word()?;
            p.eat("?");
            p.eat(":").then_some(())?;
            params.push(self.doc_union(p)?);
            if !p.eat(",") && !p.peeks(")") {
                return None;
            }
        }
        p.eat("=>").then_some(())?;
        let result = self.doc_union(p)?;
        Some(self.doc_fn(&params, result))
    }

    /// `import("m")`, `import("m").T`, the word read.
    fn doc_import(&mut self, p: &mut Parser<'t>) -> Option<TyIdx> {
        p.eat("(").then_some(())?;
        p.space();
        let quote = p
            .rest()
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))?;
        let inner = &p.rest()[1..];
        let end = inner.find(quote)?;
        let spec = self.name_of(&inner[..end]);
        p.at += end + 2;
        p.eat(")").then_some(())?;
        let promised = false;
        let mut path = self.b.expr(Expr::Import { spec, promised });
        while !p.peeks(".<") && p.eat(".") {
            let name = p.word()?;
            let name = self.name_of(name);
            path = self.b.expr(Expr::Member { base: path, name });
        }
        let args = self.doc_args(p)?;
        Some(self.b.ty(Ty::Named { path, args }))
    }

    /// `A.B.C`, its first word read.
    fn doc_path(
        &mut self,
        p: &mut Parser<'t>,
        word: &'t str,
        start: usize,
        access: Access,
    ) -> ExprIdx {
        let name = self.name_of(word);
        let mut path = self.b.name(name, p.span(start), access);
        while !p.peeks(".<") && p.eat(".") {
            let Some(name) = p.word() else { break };
            let name = self.name_of(name);
            path = self.b.expr(Expr::Member { base: path, name });
        }
        path
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    base: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn space(&mut self) {
        // A type may go on over lines, each with its star.
        let rest = self.rest();
        let mut left = rest.trim_start();
        while rest.len() != left.len() && left.starts_with('*') && !left.starts_with("*/") {
            left = left[1..].trim_start();
        }
        self.at = self.text.len() - left.len();
    }

    fn peeks(&mut self, word: &str) -> bool {
        self.space();
        self.rest().starts_with(word)
    }

    fn eat(&mut self, word: &str) -> bool {
        let hit = self.peeks(word);
        if hit {
            self.at += word.len();
        }
        hit
    }

    fn ends(&mut self) -> bool {
        self.space();
        self.rest().is_empty() || self.rest().starts_with([')', ',', '|', '>', '='])
    }

    fn word(&mut self) -> Option<&'t str> {
        self.space();
        let rest = self.rest();
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
            .unwrap_or(rest.len());
        (len > 0).then(|| {
            self.at += len;
            &rest[..len]
        })
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start, self.base + self.at)
    }
}
