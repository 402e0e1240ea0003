"""Does an `impl` header speak of the type the compiler chose? A small structural match of the two spellings.

The compiler prints `std::vec::Vec<builder::arg::Arg, std::alloc::Global>`, a header says `Vec<Arg>`. Lifetimes and
trailing defaulted arguments are dropped, and a path keeps its last name and whether it is the crate's own, so that a
crate's `OsStr` is not the library's. Parameters of the header match anything. What cannot be read matches
everything, so a doubtful impl is never refused: a site then has several accepted answers.
"""
import re

ANY = ("any",)
# Library traits whose one parameter is the type itself unless written.
RHS_IS_SELF = {"PartialEq", "PartialOrd", "Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor"}
OPEN, CLOSE = "<([{", ">)]}"


def split_top(text, sep=","):
    """Splits at separators outside every bracket."""
    out, depth, last = [], 0, 0
    for i, c in enumerate(text):
        if c in OPEN:
            depth += 1
        elif c in CLOSE and not (c == ">" and text[i - 1:i] in "-="):
            depth -= 1
        elif c == sep and depth == 0:
            out.append(text[last:i])
            last = i + 1
    out.append(text[last:])
    return [p.strip() for p in out if p.strip()]


def closing(text, start):
    """The index of the bracket that closes the one at `start`, or the end of the text."""
    depth = 0
    for i in range(start, len(text)):
        c = text[i]
        if c in OPEN:
            depth += 1
        elif c in CLOSE and not (c == ">" and text[i - 1] in "-="):
            depth -= 1
            if depth == 0:
                return i
    return len(text)


def without_lifetimes(text):
    text = re.sub(r"'\{\w+\}|'\^[^\s,>)\]]*|'\w+", "", text)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"([<(\[])\s*,\s*", r"\1", text)
    return re.sub(r"<\s*>", "", text).strip()


def tree(text, own, variables=frozenset()):
    """A type as a nested tuple: (head, arguments...), ANY for what is a parameter or unreadable.

    `own(path)` says whether a written path is the crate's own: True, False, or None when it cannot tell.
    """
    t = without_lifetimes(text)
    if not t:
        return ANY
    if t.startswith("&"):
        rest = t[1:].strip()
        return ("&", tree(rest.removeprefix("mut ").strip(), own, variables))
    if t.startswith("*"):
        return ("*", tree(re.sub(r"^\*\s*(const|mut)\s*", "", t), own, variables))
    if t.startswith("("):
        if closing(t, 0) == len(t) - 1:
            parts = split_top(t[1:-1])
            if len(parts) == 1 and not t[1:-1].rstrip().endswith(","):
                return tree(parts[0], own, variables)
            return ("()", *(tree(p, own, variables) for p in parts))
        return ANY
    if t.startswith("["):
        inner = t[1:-1]
        parts = split_top(inner, ";")
        return ("[]" if len(parts) == 1 else "[;]", tree(parts[0], own, variables)) if parts else ANY
    if t.startswith("dyn"):
        names = re.findall(r"Trait\(([\w:]+)", t) or re.findall(r"dyn\s*([\w:]+(?: :: \w+)*)", t)
        return ("dyn", (names[0].split("::")[-1].strip(),)) if names else ("dyn", ANY)
    if re.match(r"(FnDef|Closure|Coroutine|Binder|fn\b|unsafe\b|extern\b)", t):
        return ("callable",)
    if re.search(r"/#\d+$", t) and not re.search(r"[<(\[]", t.split("/#")[0].removeprefix("impl ").split("<")[0]):
        return ("param",)
    if re.match(r"(Alias|impl\b|<)", t):
        return ANY
    m = re.match(r"((?:\w|::|\s|r#)+?)\s*(<.*)?$", t, re.S)
    if not m:
        return ANY
    path = m[1].replace(" ", "").replace("r#", "")
    if path in variables or path.split("::")[0] in variables:
        return ANY
    head = Name(path.split("::")[-1], own(path))
    args = split_top(m[2].strip()[1:-1]) if m[2] else []
    return (head, *(tree(a, own, variables) for a in args))


class Name:
    """The last segment of a path and whose it is."""

    __slots__ = ("text", "own")

    def __init__(self, text, own):
        self.text, self.own = text, own

    def __eq__(self, other):
        return isinstance(other, Name) and self.text == other.text and (None in (self.own, other.own) or self.own == other.own)

    __hash__ = None


def agree(header, chosen):
    """Whether the header's type could be the chosen one."""
    if header == ANY or chosen == ANY:
        return True
    if header[0] != chosen[0]:
        return False
    return all(agree(h, c) if isinstance(h, tuple) and isinstance(c, tuple) else h == c for h, c in zip(header[1:], chosen[1:]))


class Impl:
    """A parsed trait impl header. What `unknown` names may stand for any type."""

    def __init__(self, text, own, unknown=()):
        self.name = None
        body = re.split(r"\bwhere\b", text, maxsplit=1)[0]
        body = body.removeprefix("impl").strip()
        variables = set(unknown)
        if body.startswith("<"):
            end = closing(body, 0)
            for p in split_top(body[1:end]):
                p = re.split(r"[:=]", p)[0].replace("const ", "").strip()
                if p and not p.startswith("'"):
                    variables.add(p)
            body = body[end + 1:].strip()
        body = re.sub(r"\s*(::|<|>|,|&|\(|\))\s*", r"\1", body)
        m = re.match(r"(!?[\w:<>,&()\[\];'\s=\-+*]+?)\sfor\s?(.+)$", body) or re.match(r"(.+?>)for\s?(.+)$", body)
        if not m:
            return
        spelled, self_type = m[1].strip(), m[2].strip()
        at = spelled.find("<")
        path = spelled if at < 0 else spelled[:at]
        self.name = path.split("::")[-1].strip()
        args = [re.sub(r"\bSelf\b", self_type, a) for a in split_top(spelled[at + 1:-1])] if at >= 0 else []
        self.args = [tree(a, own, variables) for a in args]
        self.self_type = tree(self_type, own, variables)

    def fits(self, self_text, arg_texts, own):
        """Whether this is an impl for the chosen type. A type parameter or a projection has chosen no impl yet."""
        chosen = tree(self_text, own)
        if chosen in (ANY, ("param",)):
            return False
        args = self.args
        if not args and self.name in RHS_IS_SELF:
            args = [self.self_type]
        return agree(self.self_type, chosen) and all(agree(a, tree(t, own)) for a, t in zip(args, arg_texts))
