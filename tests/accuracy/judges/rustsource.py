"""Where Rust functions, impl headers and type names stand in the text, found by tokens alone.

The compiler's tree names a definition by path and gives the span of its body, not of its name. This module
answers the rest from the source: which `fn` a position belongs to, under which header it stands, and where a
type or trait of a given name is declared. It reads tokens, so strings and comments never look like code.
"""
import re

TOKEN = re.compile(
    r"""
    (?P<line_comment>//[^\n]*)
  | (?P<block_comment>/\*)
  | (?P<raw_string>b?c?r(?P<hashes>\#*)")
  | (?P<string>[bc]?"(?:\\.|[^"\\])*")
  | (?P<char>b?'(?:\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|.)|[^'\\\n])')
  | (?P<lifetime>'[A-Za-z_]\w*)
  | (?P<ident>(?:r\#)?[^\W\d]\w*)
  | (?P<number>\d[\w]*(?:\.\d[\w]*)?)
  | (?P<joined>->|=>|::)
  | (?P<punct>[^\w\s])
    """,
    re.X | re.S,
)
BLOCK_EDGE = re.compile(r"/\*|\*/")


def tokens(text):
    """(kind, text, offset) of every token that is code."""
    at = 0
    while True:
        m = TOKEN.search(text, at)
        if not m:
            return
        kind = m.lastgroup if m.lastgroup != "hashes" else "raw_string"
        at = m.end()
        if kind == "line_comment":
            continue
        if kind == "block_comment":
            depth = 1
            while depth:
                edge = BLOCK_EDGE.search(text, at)
                if not edge:
                    return
                depth += 1 if edge.group() == "/*" else -1
                at = edge.end()
            continue
        if kind == "raw_string":
            close = text.find('"' + m["hashes"], at)
            if close < 0:
                return
            at = close + 1 + len(m["hashes"])
            continue
        yield kind, m.group(), m.start()


class Function:
    """One `fn`: its name token, the header it stands under, and the extent of its body (None: no body)."""

    __slots__ = ("name", "at", "line", "header", "start", "end", "path")

    def __init__(self, name, at, header):
        self.name, self.at, self.header = name, at, header
        self.line = self.start = self.end = None
        self.path = None


class Header:
    """The text of an `impl`, `trait` or `extern` block up to its brace."""

    __slots__ = ("kind", "text", "name", "at", "line")

    def __init__(self, kind, text, name, at):
        self.kind, self.text, self.name, self.at = kind, text, name, at
        self.line = None


class Source:
    def __init__(self, rel, data):
        self.rel = rel
        self.text = data.decode("utf8", "replace").replace("\r\n", "\n")
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.functions, self.headers, self.types, self.closures = [], [], [], []
        toks = list(tokens(self.text))
        # Where identifiers begin: a name in a string, a comment or a doc attribute is no callee.
        self.identifiers = {at for kind, _, at in toks if kind == "ident"}
        self._scan(toks)
        self._scan_closures(toks)

    def offset(self, line, col):
        """The character offset of a 1-based line and character column."""
        return self.starts[line - 1] + col - 1

    def position(self, offset):
        """1-based line and 1-based UTF-8 byte column of a character offset."""
        lo, hi = 0, len(self.lines) - 1
        while lo < hi:
            mid = (lo + hi + 1) // 2
            if self.starts[mid] <= offset:
                lo = mid
            else:
                hi = mid - 1
        return lo + 1, len(self.text[self.starts[lo]:offset].encode()) + 1

    def function_at(self, offset):
        """The innermost function whose extent (name to closing brace) holds the offset."""
        best = None
        for f in self.functions:
            if f.end is not None and f.at <= offset <= f.end and (best is None or f.at >= best.at):
                best = f
        return best

    def closure_at(self, offset):
        """The innermost closure bound by a `let` that holds the offset: (name, line), or None."""
        best = None
        for name, at, start, end in self.closures:
            if start <= offset <= end and (best is None or start > best[2]):
                best = (name, at, start)
        return (best[0], self.position(best[1])[0]) if best else None

    def _scan_closures(self, toks):
        """`let name = |..| body;`: the binding's name, and the extent up to its semicolon."""
        for i, (_, word, _) in enumerate(toks):
            if word != "let":
                continue
            j = i + 1
            if j < len(toks) and toks[j][1] == "mut":
                j += 1
            if j + 2 >= len(toks) or toks[j][0] != "ident" or toks[j + 1][1] != "=":
                continue
            k = j + 2
            while k < len(toks) and toks[k][1] in ("move", "async"):
                k += 1
            if k >= len(toks) or toks[k][1] != "|":
                continue
            depth, end = 0, k
            while end < len(toks):
                word = toks[end][1]
                depth += (word in "([{") - (word in ")]}")
                if depth < 0 or depth == 0 and word == ";":
                    break
                end += 1
            if end < len(toks):
                self.closures.append((toks[j][1], toks[j][2], toks[k][2], toks[end][2]))

    def _scan(self, toks):
        stack = []          # (brace kind, owner) for every open brace
        headers = []        # the impl/trait/extern blocks around
        pending = None      # a function whose `{` or `;` has not come yet
        nest = 0            # parentheses and brackets open inside a pending signature or header
        i = 0
        while i < len(toks):
            kind, word, at = toks[i]
            if kind == "ident":
                nxt = toks[i + 1] if i + 1 < len(toks) else ("", "", 0)
                if word == "fn" and nxt[0] == "ident":
                    pending = Function(nxt[1].removeprefix("r#"), nxt[2], headers[-1] if headers else None)
                    self.functions.append(pending)
                    nest = 0
                    i += 2
                    continue
                if word in ("struct", "enum", "union", "trait", "type") and nxt[0] == "ident" and pending is None:
                    self.types.append((word, nxt[1].removeprefix("r#"), nxt[2]))
                if pending is None and (word == "impl" or word == "trait" and nxt[0] == "ident" or word == "extern"):
                    j, depth = i + 1, 0
                    while j < len(toks):
                        t = toks[j][1]
                        if t in "([":
                            depth += 1
                        elif t in ")]":
                            depth -= 1
                        elif depth <= 0 and t in ("{", ";", "fn"):
                            break
                        if depth < 0:
                            break
                        j += 1
                    if j < len(toks) and toks[j][1] == "{" and depth == 0:
                        text = " ".join(t[1] for t in toks[i:j])
                        head = Header(word, text, nxt[1].removeprefix("r#"), at)
                        self.headers.append(head)
                        headers.append(head)
                        stack.append(("header", head))
                        i = j + 1
                        continue
            elif pending is not None and word in ("(", "["):
                nest += 1
            elif pending is not None and word in (")", "]"):
                nest -= 1
            elif word == ";" and pending is not None and nest == 0:
                pending = None
            elif word == "{":
                if pending is not None and nest == 0:
                    pending.start = at
                    stack.append(("fn", pending))
                    pending = None
                else:
                    stack.append(("", None))
            elif word == "}" and stack:
                what, owner = stack.pop()
                if what == "fn":
                    owner.end = at
                elif what == "header":
                    headers.pop()
            i += 1
        for f in self.functions:
            f.line = self.position(f.at)[0]
        for h in self.headers:
            h.line = self.position(h.at)[0]
