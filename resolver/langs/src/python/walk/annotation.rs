//! Types as written: annotations, in source and in strings, and values that
//! can only be types.

use super::class::last_word;
use super::*;
use surefoot_facts::{Lit, Ty};

/// Words of `typing` and builtins that take types in brackets.
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "Optional"
            | "Union"
            | "Callable"
            | "Literal"
            | "Annotated"
            | "Type"
            | "ClassVar"
            | "Final"
            | "List"
            | "Dict"
            | "Set"
            | "Tuple"
            | "FrozenSet"
            | "DefaultDict"
            | "OrderedDict"
            | "list"
            | "dict"
            | "set"
            | "tuple"
            | "frozenset"
            | "type"
    )
}

/// An argument of a type, read.
#[derive(Clone, Copy)]
enum Arg {
    Ty(TyIdx),
    /// `[A, B]`, the parameters of a callable, as a tuple type.
    List(TyIdx),
    Dots,
}

type Args = SmallVec<[Arg; 4]>;

impl<'t> Walker<'t> {
    /// The type in an annotation.
    pub(super) fn ty(&mut self, kid: Kid<'t>) -> TyIdx {
        self.down(|w| w.ty_here(kid))
    }

    /// A type written where a value stands.
    pub(super) fn ty_value(&mut self, kid: Kid<'t>) -> TyIdx {
        self.down(|w| w.ty_here(kid))
    }

    fn ty_here(&mut self, kid: Kid<'t>) -> TyIdx {
        let node = kid.node;
        match kid.kind {
            K::Type | K::ParenthesizedExpression => {
                let inner = self.s.kids(node).named().next();
                inner.map(|k| self.ty(k)).unwrap_or_default()
            }
            K::Identifier => {
                let (name, span) = (self.name_at(node), span_of(node));
                self.simple(name, span)
            }
            K::Attribute => {
                let (path, name, span) = self.attribute(node);
                self.site(SiteKind::Type, name, path, span);
                self.head_alone(path, name.text())
            }
            K::MemberType => {
                let kids = self.s.kids(node);
                let text = self.s.text(node);
                for kid in kids.named().take(1) {
                    self.ty(kid);
                }
                self.type_in_text(text, node.start_byte())
            }
            K::None => self.b.ty(Ty::Lit(Lit::Null)),
            K::StringNode => match self.string(node) {
                Some((text, span)) => self.type_in_text(text, span.start as usize),
                None => self.b.ty(Ty::Opaque),
            },
            K::Subscript | K::GenericType => self.generic(kid),
            K::BinaryOperator if self.s.kids(node).has(K::Bar) => {
                let kids = self.s.kids(node);
                let sides = [kids.field(F::Left), kids.field(F::Right)];
                let all: SmallVec<[TyIdx; 2]> =
                    sides.into_iter().flatten().map(|k| self.ty(k)).collect();
                self.union(&all)
            }
            K::UnionType => {
                let kids = self.s.kids(node);
                let all: SmallVec<[TyIdx; 4]> = kids.named().map(|k| self.ty(k)).collect();
                self.union(&all)
            }
            K::SplatType | K::ListSplat => {
                self.inside(node);
                self.b.ty(Ty::Opaque)
            }
            K::Error => {
                self.error(node);
                TyIdx::UNKNOWN
            }
            _ => {
                self.expr(kid);
                self.b.ty(Ty::Opaque)
            }
        }
    }

    fn union(&mut self, all: &[TyIdx]) -> TyIdx {
        if let [one] = all {
            return *one;
        }
        let all = self.b.types(all);
        self.b.ty(Ty::Union(all))
    }

    /// `List[int]`: the head's path and word, then what stands in brackets.
    fn generic(&mut self, kid: Kid<'t>) -> TyIdx {
        let kids = self.s.kids(kid.node);
        let head = match kid.kind {
            K::Subscript => kids.field(F::Value),
            _ => kids.named().next(),
        };
        let Some(head) = head else {
            return TyIdx::UNKNOWN;
        };
        let text = last_word(self.s.text(head.node));
        let path = match head.kind {
            K::Attribute => {
                let (path, name, span) = self.attribute(head.node);
                self.site(SiteKind::Type, name, path, span);
                path
            }
            K::Identifier => {
                let path = self.read_at(head.node);
                let (name, span) = (self.name_at(head.node), span_of(head.node));
                self.site(SiteKind::Type, name, path, span);
                path
            }
            _ => {
                self.inside(kid.node);
                return self.b.ty(Ty::Opaque);
            }
        };
        let list = match kid.kind {
            K::Subscript => kids,
            _ => match kids.kind(K::TypeParameter) {
                Some(list) => self.s.kids(list.node),
                None => kids,
            },
        };
        let parts: SmallVec<[Kid<'t>; 4]> = list
            .iter()
            .filter(|k| {
                k.node.is_named() && (kid.kind != K::Subscript || k.field == F::SubscriptField)
            })
            .filter(|k| k.kind != K::Comment)
            .copied()
            .collect();
        let literal = text == "Literal";
        let mut args = Args::new();
        for (i, part) in parts.iter().enumerate() {
            let inner = self.under_type(*part);
            match inner.kind {
                _ if literal => args.push(Arg::Ty(self.literal(inner))),
                _ if i > 0 && text == "Annotated" => {
                    self.value(inner);
                }
                K::Ellipsis => args.push(Arg::Dots),
                K::List => {
                    let kids = self.s.kids(inner.node);
                    let all: SmallVec<[TyIdx; 4]> = kids.named().map(|k| self.ty(k)).collect();
                    let all = self.b.types(&all);
                    args.push(Arg::List(self.b.ty(Ty::Tuple(all))));
                }
                K::Tuple if text != "tuple" && text != "Tuple" => {
                    let kids = self.s.kids(inner.node);
                    for kid in kids.named() {
                        args.push(Arg::Ty(self.ty(kid)));
                    }
                }
                _ => args.push(Arg::Ty(self.ty(*part))),
            }
        }
        self.applied(path, text, &args)
    }

    fn under_type(&mut self, kid: Kid<'t>) -> Kid<'t> {
        let mut at = kid;
        while at.kind == K::Type {
            match self.s.kids(at.node).named().next() {
                Some(inner) => at = inner,
                None => break,
            }
        }
        at
    }

    fn literal(&mut self, kid: Kid<'t>) -> TyIdx {
        let lit = match kid.kind {
            K::StringNode | K::ConcatenatedString => Lit::Str,
            K::Integer | K::UnaryOperator => Lit::Int,
            K::True | K::False => Lit::Bool,
            K::None => Lit::Null,
            _ => {
                self.value(kid);
                return self.b.ty(Ty::Opaque);
            }
        };
        self.b.ty(Ty::Lit(lit))
    }

    /// A type by one name.
    fn simple(&mut self, name: Name, span: Span) -> TyIdx {
        let text = name.text();
        if let Some(at) = self.type_variable_named(text, name, span) {
            let path = self.b.bound(at);
            let args = self.b.types(&[]);
            return self.b.ty(Ty::Named { path, args });
        }
        let path = self.read(name, span);
        self.site(SiteKind::Type, name, path, span);
        self.head_alone(path, text)
    }

    /// The type parameter a name means here; a type variable becomes one of the
    /// signature or class it is first named in.
    fn type_variable_named(&mut self, text: &str, name: Name, span: Span) -> Option<BindIdx> {
        if let Some(known) = self.type_params.iter().rev().find(|p| p.0 == name) {
            return Some(known.1);
        }
        let limit = *self.file.type_vars.get(text)?;
        if self.signature.is_none() {
            return None;
        }
        // Known before its bound is read, which may name it.
        let of = self.signature;
        self.type_param(name, span, of, TyIdx::UNKNOWN);
        let at = self.type_params.last()?.1;
        if let Some(limit) = limit {
            let quiet = std::mem::replace(&mut self.quiet, true);
            let bound = self.ty_value(limit);
            self.quiet = quiet;
            let bounds = self.b.types(&[bound]);
            if let Some(p) = self
                .b
                .symbol_mut(of)
                .and_then(|s| s.type_params.iter_mut().find(|p| p.name == name))
            {
                p.bounds = bounds;
            }
        }
        Some(at)
    }

    /// A type without brackets.
    fn head_alone(&mut self, path: ExprIdx, word: &str) -> TyIdx {
        match word {
            "Any" => {
                let any = Name::new("Any");
                self.b.ty(Ty::Builtin(any))
            }
            "Self" => self.self_type().unwrap_or_default(),
            "Callable" => {
                let params = self.b.types(&[]);
                let result = TyIdx::UNKNOWN;
                self.b.ty(Ty::Fn { params, result })
            }
            _ => {
                let args = self.b.types(&[]);
                self.b.ty(Ty::Named { path, args })
            }
        }
    }

    fn self_type(&mut self) -> Option<TyIdx> {
        let class = self.frames.iter().rev().find_map(|f| match f.space {
            Space::Class => Some(f.sym),
            _ => (!f.class.is_none()).then_some(f.class),
        })?;
        Some(self.b.ty(Ty::SelfType(class)))
    }

    /// A type with what stands in its brackets.
    fn applied(&mut self, path: ExprIdx, word: &str, args: &Args) -> TyIdx {
        let types: SmallVec<[TyIdx; 4]> = args
            .iter()
            .map(|a| match a {
                Arg::Ty(t) | Arg::List(t) => *t,
                Arg::Dots => TyIdx::UNKNOWN,
            })
            .collect();
        let first = types.first().copied().unwrap_or_default();
        let dots = args.iter().any(|a| matches!(a, Arg::Dots));
        match word {
            "Optional" => {
                let none = self.b.ty(Ty::Lit(Lit::Null));
                self.union(&[first, none])
            }
            "Union" | "Literal" => self.union(&types),
            "Annotated" | "ClassVar" | "Final" | "Required" | "NotRequired" | "ReadOnly"
            | "InitVar" | "Unpack" | "Concatenate" => first,
            "TypeGuard" | "TypeIs" => self.b.ty(Ty::Guard(first)),
            "Type" | "type" => self.class_object(first),
            "Callable" => {
                let result = types.get(1).copied().unwrap_or_default();
                let params = match (args.first(), self.b.get_ty(first)) {
                    (Some(Arg::List(_)), Ty::Tuple(list)) => list,
                    _ => self.b.types(&[]),
                };
                self.b.ty(Ty::Fn { params, result })
            }
            "tuple" | "Tuple" if !dots => {
                let all = self.b.types(&types);
                self.b.ty(Ty::Tuple(all))
            }
            _ => {
                let args = self.b.types(if dots { &types[..1] } else { &types });
                self.b.ty(Ty::Named { path, args })
            }
        }
    }

    /// `type[T]`: the class itself.
    fn class_object(&mut self, of: TyIdx) -> TyIdx {
        match self.b.get_ty(of) {
            Ty::Named { path, .. } => self.b.ty(Ty::TypeOf(path)),
            Ty::SelfType(class) => {
                let value = self.b.expr(Expr::SelfType(class));
                self.b.ty(Ty::TypeOf(value))
            }
            _ => self.b.ty(Ty::Opaque),
        }
    }

    // ---- types in strings ----------------------------------------------------------

    /// A type written in a string that starts at `at`.
    fn type_in_text(&mut self, text: &'t str, at: usize) -> TyIdx {
        let mut reader = Reader {
            text,
            pos: 0,
            base: at,
        };
        let ty = self.text_union(&mut reader, 0);
        if reader.done() {
            ty
        } else {
            self.b.ty(Ty::Opaque)
        }
    }

    fn text_union(&mut self, r: &mut Reader<'t>, depth: u32) -> TyIdx {
        let mut all: SmallVec<[TyIdx; 4]> = SmallVec::new();
        loop {
            all.push(self.text_atom(r, depth));
            if !r.eat(b'|') {
                break;
            }
        }
        self.union(&all)
    }

    fn text_atom(&mut self, r: &mut Reader<'t>, depth: u32) -> TyIdx {
        if depth > 40 {
            return self.b.ty(Ty::Opaque);
        }
        let Some((word, span)) = r.word() else {
            return self.b.ty(Ty::Opaque);
        };
        if word == "None" {
            return self.b.ty(Ty::Lit(Lit::Null));
        }
        let mut name = self.name_of(word);
        let mut at = span;
        let mut dotted = None;
        while r.eat(b'.') {
            let Some((part, span)) = r.word() else {
                return self.b.ty(Ty::Opaque);
            };
            let base = match dotted {
                Some(base) => base,
                None => self.read(name, at),
            };
            name = self.name_of(part);
            at = span;
            dotted = Some(self.b.expr(Expr::Member { base, name }));
        }
        if !r.eat(b'[') {
            return match dotted {
                Some(path) => {
                    self.site(SiteKind::Type, name, path, at);
                    self.head_alone(path, name.text())
                }
                None => self.simple(name, at),
            };
        }
        let path = match dotted {
            Some(path) => path,
            None => self.read(name, at),
        };
        self.site(SiteKind::Type, name, path, at);
        let mut args = Args::new();
        while !r.eat(b']') {
            if r.done() {
                return self.b.ty(Ty::Opaque);
            }
            if r.eat_dots() {
                args.push(Arg::Dots);
            } else if r.eat(b'[') {
                let mut all: SmallVec<[TyIdx; 4]> = SmallVec::new();
                while !r.eat(b']') {
                    if r.done() {
                        break;
                    }
                    all.push(self.text_union(r, depth + 1));
                    if !r.eat(b',') && !r.peek(b']') {
                        return self.b.ty(Ty::Opaque);
                    }
                }
                let all = self.b.types(&all);
                args.push(Arg::List(self.b.ty(Ty::Tuple(all))));
            } else if r.eat_quoted() {
                args.push(Arg::Ty(self.b.ty(Ty::Lit(Lit::Str))));
            } else {
                args.push(Arg::Ty(self.text_union(r, depth + 1)));
            }
            if !r.eat(b',') && !r.peek(b']') {
                return self.b.ty(Ty::Opaque);
            }
        }
        self.applied(path, name.text(), &args)
    }
}

/// The text of a type in a string, word by word.
struct Reader<'t> {
    text: &'t str,
    pos: usize,
    base: usize,
}

impl<'t> Reader<'t> {
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.pos..];
        let trimmed = rest.trim_start();
        self.pos += rest.len() - trimmed.len();
        trimmed
    }

    fn done(&mut self) -> bool {
        self.rest().is_empty()
    }

    fn peek(&mut self, byte: u8) -> bool {
        self.rest().as_bytes().first() == Some(&byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek(byte);
        self.pos += usize::from(hit);
        hit
    }

    fn eat_dots(&mut self) -> bool {
        let hit = self.rest().starts_with("...");
        self.pos += if hit { 3 } else { 0 };
        hit
    }

    fn eat_quoted(&mut self) -> bool {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return false;
        };
        match rest[1..].find(quote) {
            Some(end) => {
                self.pos += end + 2;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<(&'t str, Span)> {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c == '_' || c.is_alphanumeric()))
            .unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let start = self.base + self.pos;
        self.pos += end;
        Some((&rest[..end], Span::new(start, start + end)))
    }
}
