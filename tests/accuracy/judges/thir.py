#!/usr/bin/env python3
"""What rustc's type checker says of every call in a crate, as truth lines (see ../README.md for the schema).

    thir.py CRATE_DIR --target-dir DIR [--features a,b] [--all-features] [--no-default-features] [--bin NAME]

The compiler prints its typed tree (`-Zunpretty=thir-tree`); each call in it carries the definition that type
checking chose and the span of the callee's path. Code that a `#[cfg]` leaves out is absent, and so is not judged.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from rustsource import Source
from rusttypes import Impl, split_top

HERE = os.path.dirname(os.path.abspath(__file__))
DEF = re.compile(r"DefId\((\d+):\d+ ~ (\w+)\[\w+\]((?:::[^)]*)?)\)")
SPAN = re.compile(r"span: (.+?):(\d+):(\d+): (\d+):(\d+) \(#(\d+)\)")
CALLABLE = re.compile(r"::ops::function::(Fn|FnMut|FnOnce)::call(_mut|_once)?$|::ops::async_function::")

# What may follow the name of a written call: its arguments, a turbofish, the end of parentheses around the callee.
CALLED = re.compile(r"(\s|//[^\n]*\n|/\*.*?\*/)*(\(|::|\)|<)", re.S)
PRIMITIVES = set("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128".split()) | {"!"}


def options():
    ap = argparse.ArgumentParser()
    ap.add_argument("dir")
    ap.add_argument("--target-dir", required=True)
    ap.add_argument("--features", default="")
    ap.add_argument("--all-features", action="store_true")
    ap.add_argument("--no-default-features", action="store_true")
    ap.add_argument("--bin", default="")
    ap.add_argument("--dump", help="read this tree instead of compiling")
    return ap.parse_args()


def installed_stable():
    """The stable toolchain by its full name, so that no toolchain file makes rustup look for another."""
    env = {**os.environ, "RUSTUP_AUTO_INSTALL": "0"}
    host = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, env=env, check=True).stdout
    return "stable-" + re.search(r"^host: (\S+)", host, re.M)[1]


def compile_tree(opt, out):
    root = os.path.realpath(opt.dir)
    manifest = open(os.path.join(root, "Cargo.toml"), encoding="utf8").read()
    package = re.search(r'^name\s*=\s*"([^"]+)"', manifest, re.M)[1]
    lib = re.search(r'^\[lib\]\s*\n(?:[^\[\n]*\n)*?name\s*=\s*"([^"]+)"', manifest, re.M)
    crate = opt.bin or (lib[1] if lib else package)
    entry = os.path.join(root, "src", "main.rs" if opt.bin else "lib.rs")
    if os.path.exists(entry):
        os.utime(entry)
    env = {
        **os.environ,
        "RUSTUP_TOOLCHAIN": os.environ.get("RUSTUP_TOOLCHAIN") or installed_stable(),
        "RUSTUP_AUTO_INSTALL": "0",
        "CARGO_TARGET_DIR": os.path.abspath(opt.target_dir),
        "CARGO_TERM_COLOR": "never",
        "RUSTC_WORKSPACE_WRAPPER": os.path.join(HERE, "rustc-wrapper.sh"),
        "SUREFOOT_THIR_OUT": out,
        "SUREFOOT_THIR_CRATE": crate.replace("-", "_"),
        "SUREFOOT_THIR_TYPE": "bin" if opt.bin else "lib",
    }
    command = ["cargo", "rustc", "--profile", "dev"]
    command += ["--bin", opt.bin] if opt.bin else ["--lib"]
    command += ["--features", opt.features] if opt.features else []
    command += ["--all-features"] if opt.all_features else []
    command += ["--no-default-features"] if opt.no_default_features else []
    run = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr[-4000:])
    if not os.path.getsize(out):
        sys.exit("cargo found nothing to compile, so no tree was printed:\n" + run.stderr[-1000:])


class Call:
    """One call: the callee's type, the span of its path, whether a person could have written it, and where."""

    __slots__ = ("type", "span", "from_hir", "expanded")

    def __init__(self, type_, span, from_hir, expanded):
        self.type, self.span, self.from_hir, self.expanded = type_, span, from_hir, expanded


def parse_span(line):
    m = SPAN.search(line)
    return (m[1], int(m[2]), int(m[3]), int(m[4]), int(m[5]), int(m[6])) if m else None


def read_tree(lines):
    """(body spans by definition path, calls), in one pass over the printed tree."""
    bodies, calls, owner, in_body = {}, [], None, False
    call = None  # the fields of a call whose callee span has not come yet
    for line in lines:
        if line.startswith("DefId(0:"):
            owner, in_body = DEF.match(line)[3].lstrip(":"), False
            continue
        if line.startswith("body:"):
            in_body = True
            continue
        text = line.strip()
        if in_body and owner not in bodies and text.startswith("span: "):
            bodies[owner] = parse_span(text)
        if text == "Call {":
            call = {}
        elif call is not None:
            if "type" not in call:
                if not text.startswith("ty: "):
                    call = None
                    continue
                call["type"] = text[4:]
            elif text.startswith("from_hir_call: "):
                call["from_hir"] = text.endswith("true")
            elif text.startswith("fn_span: "):
                call["expanded"] = not text.endswith("(#0)")
            elif text == "fun:":
                call["fun"] = True
            elif text.startswith("span: ") and "fun" in call:
                span = parse_span(text)
                expanded = call.get("expanded", False) or bool(span and span[5])
                calls.append(Call(call["type"], span, call.get("from_hir", True), expanded))
                call = None
    return bodies, calls


class Crate:
    """The sources of the crate and what can be looked up in them."""

    def __init__(self, root, bodies):
        self.root, self.bodies, self.sources = root, bodies, {}
        self.located = {}
        for folder, dirs, files in os.walk(root):
            dirs[:] = sorted(d for d in dirs if not d.startswith(".") and d != "target")
            for f in sorted(files):
                if f.endswith(".rs"):
                    self.source(os.path.relpath(os.path.join(folder, f), root))
        self.types = collections.defaultdict(list)
        for src in self.sources.values():
            for kind, name, at in src.types:
                self.types[name].append((kind, src, at))
        self.modules = {p.split("::")[0] for p in bodies if "::" in p}
        self.impls = collections.defaultdict(list)
        self.alias_names = None
        for path in bodies:
            self.note_impl(path)

    def source(self, rel):
        if rel not in self.sources:
            full = os.path.join(self.root, rel)
            inside = os.path.realpath(full).startswith(self.root + os.sep)
            try:
                self.sources[rel] = Source(rel, open(full, "rb").read()) if inside else None
            except OSError:
                self.sources[rel] = None
        return self.sources[rel]

    def printed_own(self, path):
        """Whether a path the compiler printed is this crate's: those carry no crate name."""
        first = path.split("::")[0]
        if first == path:
            return path not in PRIMITIVES
        return first in self.modules

    def unrenamed(self, src, header):
        """A header with the names its file's imports give (`use a::B as C`) made those they stand for."""
        for declared in re.findall(r"\buse\b[^;]*;", src.text):
            for name, alias in re.findall(r"\b(\w+)\s+as\s+([A-Za-z]\w*)", declared):
                header = re.sub(r"\b" + alias + r"\b", name, header)
        return header

    def aliases(self):
        """Names of types that the compiler prints as what they stand for."""
        if self.alias_names is None:
            own = {m for src in self.sources.values() if src for m in re.findall(r"\btype\s+(\w+)\s*(?:<[^=;]*>)?\s*=", src.text)}
            self.alias_names = own | {"LockResult", "TryLockResult"}
        return self.alias_names

    def written_own(self, src):
        """The same for a path as a header writes it, judged by that file's own words."""

        def own(path):
            first, name = path.split("::")[0], path.split("::")[-1]
            if first in ("crate", "self", "super", "Self"):
                return True
            if first in ("std", "core", "alloc"):
                return False
            if name not in self.types:
                return False
            if re.search(r"\buse\s+(?:::)?(?:std|core|alloc)\b[^;]*\b" + re.escape(name) + r"\b", src.text):
                return None
            return True

        return own

    def relative(self, file):
        return os.path.relpath(file, self.root) if os.path.isabs(file) else file

    def body_function(self, path):
        """The `fn` token a body belongs to, or None for what a macro or a derive made."""
        span = self.bodies.get(path)
        src = self.source(self.relative(span[0])) if span else None
        if not src or span[1] > len(src.lines):
            return None, None
        at = src.offset(span[1], span[2])
        name = path.split("::")[-1].removeprefix("r#")
        best = None
        for f in src.functions:
            if f.name == name and f.at < at and (best is None or f.at > best.at):
                # A written body starts at the function's own brace; one out of an expansion may not.
                if f.start == at or (f.end is not None and f.at < at <= f.end and span[5] != 0):
                    best = f
        return src, best

    def note_impl(self, path):
        """Files a trait impl's method under (trait, method), or a derived one under its type."""
        m = re.search(r"\{impl#\d+\}::([A-Za-z_]\w*)$", path)
        if not m:
            return
        src, f = self.body_function(path)
        if f is not None:
            if f.header is None or f.header.kind != "impl":
                return
            parsed = Impl(self.unrenamed(src, f.header.text), self.written_own(src), self.aliases())
            if parsed.name:
                self.impls[m[1]].append((parsed, (src.rel, f.line)))
            return
        if src is None:
            return
        # A derive's body spans the trait's name inside `#[derive(..)]`; the type is what follows.
        span = self.bodies[path]
        at = src.offset(span[1], span[2])
        trait = src.text[at:src.offset(span[3], span[4])] if span[3] <= len(src.lines) else ""
        if not re.fullmatch(r"[A-Za-z_][\w:]*", trait):
            return
        after = [t for t in src.types if t[2] > at and t[0] in ("struct", "enum", "union")]
        if after:
            kind, name, pos = min(after, key=lambda t: t[2])
            parsed = Impl(f"impl {trait.split('::')[-1]} for {name}", lambda _: True)
            if parsed.name:
                self.impls[m[1]].append((parsed, (src.rel, src.position(pos)[0])))

    def bound_closure(self, type_):
        """(file, line, name) of the `let` that binds the closure called through `Fn*`, if one does."""
        m = re.match(r"FnDef\([^\[]*\[\w+\][^\[]*\), \[Closure\(" + DEF.pattern, type_)
        span = self.bodies.get(m[3].lstrip(":")) if m and m[1] == "0" else None
        src = self.source(self.relative(span[0])) if span and not span[5] else None
        if not src or span[1] > len(src.lines):
            return None
        at = src.offset(span[1], span[2])
        holding = [c for c in src.closures if c[2] <= at <= c[3]]
        if not holding:
            return None
        inner = max(holding, key=lambda c: c[2])
        return src.rel, src.position(inner[1])[0], inner[0]

    def by_module(self, found, path):
        """Of several declarations of one name, those whose file fits the module path best."""
        modules = [s for s in path.split("::")[:-1] if not s.startswith("{")]

        def fit(src):
            parts = re.split(r"[/.]", src.rel)
            return sum(1 for m in modules if m in parts) - 0.01 * len(parts)

        if len(found) < 2:
            return found
        best = max(fit(x[0]) for x in found)
        return [x for x in found if fit(x[0]) == best]

    def locate(self, path):
        """(file, line) of a local function's name, or None when the text does not show one place."""
        if path not in self.located:
            self.located[path] = self._locate(path)
        return self.located[path]

    def _locate(self, path):
        src, f = self.body_function(path)
        if f is not None:
            return src.rel, f.line
        segments = path.split("::")
        name = segments[-1].removeprefix("r#")
        owner = segments[-2] if len(segments) > 1 else ""
        if path in self.bodies:
            span = self.bodies[path]
            if src and span[5]:
                # Out of an expansion: the name may still be written there (a macro that wraps whole items).
                near = [g for g in src.functions if g.name == name and abs(g.line - span[1]) <= 1]
                if len(near) == 1:
                    return src.rel, near[0].line
            return None
        # No body: a required method of a trait, or a foreign function.
        found = []
        for s in self.sources.values():
            for g in s.functions if s else ():
                if g.name != name or g.header is None:
                    continue
                if g.header.kind == "trait" and g.header.name == owner or g.header.kind == "extern" and g.start is None:
                    found.append((s, g))
        traits = [x for x in found if x[1].header.kind == "trait"]
        found = self.by_module(traits or found, "::".join(segments[:-1]) if traits else path)
        return (found[0][0].rel, found[0][1].line) if len(found) == 1 else None


def name_token(text):
    """(offset, name) of the last identifier of a callee path outside angle brackets."""
    depth, best = 0, None
    for m in re.finditer(r"->|=>|[<>]|(?:r#)?[^\W\d]\w*", text):
        t = m.group()
        if t == "<":
            depth += 1
        elif t == ">":
            depth -= 1
        elif t not in ("->", "=>") and depth == 0:
            best = (m.start(), t)
    return best


def written_call(src, at, token, name):
    """Whether a person wrote a call of `name` there. A macro may be given a name and write the call around it; one
    that derives code may give its calls the place of any token, a string's inside included."""
    if at not in src.identifiers or not CALLED.match(src.text, at + len(token)):
        return False
    token = token.removeprefix("r#")
    return token == name or bool(re.search(r"\bas\s+" + re.escape(token) + r"\b", src.text))


def judge(crate, calls):
    seen, counts = {}, collections.Counter()
    for call in calls:
        if not call.span:
            continue
        rel = crate.relative(call.span[0])
        src = crate.source(rel)
        if src is None or call.span[1] > len(src.lines) or call.span[3] > len(src.lines):
            continue
        start, end = src.offset(*call.span[1:3]), src.offset(*call.span[3:5])
        token = name_token(src.text[start:end])
        m = re.match(r"FnDef\(" + DEF.pattern, call.type)
        path = m[3].lstrip(":") if m else ""
        name = path.split("::")[-1].removeprefix("r#")
        line, col = src.position(start + token[0]) if token else src.position(start)
        site = {"file": rel, "line": line, "col": col, "name": token[1] if token else ""}
        key = (rel, line, col, path)
        if key in seen:
            continue
        # A value is called by whatever name holds it.
        said = token[1].removeprefix("r#") if token and (not m or CALLABLE.search("::" + path)) else name
        written = token and written_call(src, start + token[0], token[1], said)
        if call.expanded or (token and not written):
            site["macro"] = True
        if not call.from_hir or not token:
            site["implicit"] = True
        around = src.function_at(start)
        # A constructor-like token (`Self(..)`) or a renamed import still is an explicit name.
        site["caller"] = (
            {"name": around.name, "file": rel, "line": around.line} if around else {"module": True, "file": rel}
        )
        bound = src.closure_at(start)
        if bound and around and bound[1] >= around.line:
            # Folded into the function around it; a tool that takes the bound name for the caller is right too.
            site["caller"]["also"] = {"name": bound[0], "file": rel, "line": bound[1]}
        classify(crate, site, call, m, path, name)
        seen[key] = site
    out = sorted(seen.values(), key=lambda s: (s["file"], s["line"], s["col"], s.get("callee", "")))
    for s in out:
        counts[s["class"]] += 1
        counts["implicit"] += s.get("implicit", False)
        counts["macro"] += s.get("macro", False)
        if not s.get("implicit") and not s.get("macro"):
            counts["explicit_" + s["class"]] += 1
    return out, counts


def classify(crate, site, call, m, path, name):
    if not m:
        site.update({"class": "IND", "callee": call.type[:80]})
        return
    krate = m[2]
    site["callee"] = f"{krate}::{path}"
    if CALLABLE.search("::" + path) and krate == "core":
        site["class"] = "IND"
        place = crate.bound_closure(call.type)
        if place:
            # `let f = |x| ..; f(1)`: the compiler names the closure, and its binding is its name.
            site.update({"class": "IN", "callee": place[2], "targets": [list(place[:2])]})
        return
    # `FnDef(DefId(..), [Self, A, B])`: a trait method's own generic arguments come first.
    rest = call.type[m.end():].lstrip(", ")
    args = split_top(rest[1:rest.rfind("]")]) if rest.startswith("[") else []
    owner = path.split("::")[-2] if "::" in path else ""
    through_trait = owner[:1].isupper() and bool(args)
    implementations = []
    if through_trait:
        self_type = args[0]
        rest_args = [a for a in args[1:] if not a.startswith("'")]
        for parsed, place in crate.impls.get(name, ()):
            if parsed.name == owner and parsed.fits(self_type, rest_args, crate.printed_own):
                if place not in implementations:
                    implementations.append(place)
    dynamic = through_trait and re.match(r"(&\S*\s*(mut )?)*\(?dyn\b", args[0])
    if m[1] != "0":
        site["class"] = "EXT"
        if implementations and not dynamic:
            site["targets"] = [list(p) for p in implementations]
        return
    place = crate.locate(path)
    if place is None:
        site["class"] = "UN"
        return
    site["targets"] = [list(place)]
    if dynamic:
        site["class"] = "DYN"
        site["impls"] = sorted({(p[0], p[1]) for i, p in crate.impls.get(name, ()) if i.name == owner})
        return
    site["class"] = "IN"
    for p in implementations:
        if list(p) not in site["targets"]:
            site["targets"].append(list(p))


def main():
    opt = options()
    root = os.path.realpath(opt.dir)
    with tempfile.TemporaryDirectory(dir=os.environ.get("SUREFOOT_SCRATCH")) as scratch:
        dump = opt.dump or os.path.join(scratch, "tree")
        if not opt.dump:
            open(dump, "w").close()
            compile_tree(opt, dump)
        with open(dump, encoding="utf8", errors="replace") as lines:
            bodies, calls = read_tree(lines)
    crate = Crate(root, bodies)
    sites, counts = judge(crate, calls)
    for s in sites:
        print(json.dumps(s))
    print(json.dumps({"sites": len(sites), "bodies": len(bodies), **dict(sorted(counts.items()))}), file=sys.stderr)


if __name__ == "__main__":
    main()
