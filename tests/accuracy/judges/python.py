#!/usr/bin/env python3
"""What pyright and jedi agree on for every call in a Python tree, as truth lines (see ../README.md for the schema).

    python.py ROOT --pyright PACKAGE --python INTERPRETER --cache DIR [--search DIR].. [--skip REGEX] [--trace FILE]

Calls are listed by CPython's parser. Both oracles are asked for the definition of the callee's name. A site has an
answer where they name the same definition, or where one does and the calls seen while the project's own tests ran
(`--trace`, from pytrace.py) name it too. A variable that is written once, from a name, is followed to what that names.
"""
import argparse
import ast
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pyoracles import Jedi, Pyright
from pysource import Definition, Tree, Variable, _bases

TESTS = r"(^|/)(tests?|testing_data|docs?|examples?|bench\w*)(/|$)|(^|/)(test_\w*|\w+_test|conftest|setup)\.py$"
HOPS = 6


class Oracle:
    """One oracle's answers, classified by what stands at the place it names."""

    def __init__(self, tree, ask):
        self.tree, self.ask = tree, ask

    def resolve(self, file, line, column, hops=HOPS):
        """(class, definitions): IN with the definitions named, EXT, IND, or UN."""
        found, outside, held = [], 0, 0
        if hops == HOPS:
            self.library = ""
        for path, at_line, at_column in self.ask(file, line, column):
            rel = self.tree.inside(path) if path else None
            if rel is None:
                outside += 1
                self.library = self.library or module_of(path)
                continue
            if not rel.endswith(".py"):
                continue
            here = self.tree.at(rel, at_line, at_column)
            if isinstance(here, Definition):
                found.append(here)
            elif isinstance(here, Variable):
                kind, more = self._value(rel, here, hops)
                found += more
                outside += kind == "EXT"
                held += kind == "IND"
            elif here == "parameter":
                held += 1
        found = list(dict.fromkeys(found))
        if found and not held:
            return "IN", found
        if held:
            return "IND", []
        return ("EXT", []) if outside else ("UN", [])

    def _value(self, rel, variable, hops):
        """What a variable written once from a plain name stands for; anything else is a value."""
        value = variable.values[0]
        if len(variable.values) != 1 or hops == 0 or not isinstance(value, (ast.Name, ast.Attribute)):
            return "IND", []
        file = self.tree.file(rel)
        if isinstance(value, ast.Name):
            line, byte = value.lineno, value.col_offset
        else:
            line, byte = value.end_lineno, value.end_col_offset - len(value.attr.encode())
        kind, found = self.resolve(file, line, file.chars(line, byte), hops - 1)
        return (kind, found) if kind in ("IN", "EXT") else ("IND", [])


def module_of(path):
    """The module a stub or library file is, for people: `builtins`, `os.path`."""
    for root in ("/typeshed-fallback/stdlib/", "/site/"):
        if root in path:
            path = path.split(root, 1)[1]
    return re.sub(r"(/__init__)?\.pyi?$", "", path.lstrip("/")).replace("/", ".")


class Classes:
    """Which classes of the tree stand below which, by pyright's word on every base."""

    def __init__(self, tree, oracle):
        self.bases = {}
        for rel in list(tree.judged):
            for cls in tree.file(rel).classes:
                self.bases[cls] = []
                for base in _bases(cls.node):
                    if isinstance(base, (ast.Name, ast.Attribute)):
                        file = tree.file(rel)
                        byte = base.end_col_offset - len((base.attr if isinstance(base, ast.Attribute) else base.id).encode())
                        _, found = oracle.resolve(file, base.end_lineno, file.chars(base.end_lineno, byte))
                        self.bases[cls] += [d for d in found if d.kind == "class"]
        self.below = collections.defaultdict(list)
        for cls, bases in self.bases.items():
            for base in bases:
                self.below[base].append(cls)

    def above(self, cls):
        """The class and its bases in the tree, nearest first, left before right."""
        order, todo = [], [cls]
        while todo:
            c = todo.pop(0)
            if c not in order:
                order.append(c)
                todo += self.bases.get(c, [])
        return order

    def member(self, cls, name):
        for c in self.above(cls):
            if name in c.members:
                return c.members[name][-1]
        return None

    def overrides(self, member):
        out, todo = [], list(self.below.get(member.owner, []))
        seen = set()
        while todo:
            c = todo.pop(0)
            if c in seen:
                continue
            seen.add(c)
            out += c.members.get(member.name, [])[-1:]
            todo += self.below.get(c, [])
        return [d for d in out if not d.bodiless()]


def written(definition):
    """The one that runs of an overloaded function, and the declarations beside it."""
    near = [t for t in definition.twins if t.decorated("overload")]
    if definition.kind != "def" or not definition.decorated("overload"):
        return definition, near
    bodies = [t for t in definition.twins if not t.decorated("overload")]
    return (bodies[0] if bodies else definition), near


def answer(site, found, classes):
    """Fills a site whose definitions are known."""
    chosen, near = [], []
    for d in found:
        one, beside = written(d)
        if one not in chosen:
            chosen.append(one)
        near += beside
    site["callee"] = chosen[0].qualname
    targets = [d.place() for d in chosen]
    owners = {d.owner for d in chosen if d.kind == "def" and d.owner is not None}
    if len(owners) > 1 or any(d.bodiless() for d in chosen):
        # A member of several types, or one without a body of its own: which one runs is chosen then.
        site["class"] = "DYN"
        below = [d for d in chosen if not d.bodiless()]
        for d in chosen:
            below += classes.overrides(d) if d.owner is not None else []
        site["impls"] = unique(d.place() for d in below)
    else:
        site["class"] = "IN"
        for d in chosen:
            if d.kind == "class":
                # `C()` names the class; the constructor that runs is its own or the nearest above it.
                for name in ("__init__", "__new__"):
                    made = classes.member(d, name)
                    if made is not None:
                        targets.append(made.place())
    site["targets"] = unique(targets)
    beside = [p for p in unique(d.place() for d in near) if p not in site["targets"]]
    if beside:
        site["near"] = beside


def unique(places):
    return [list(p) for p in dict.fromkeys(tuple(p) for p in places)]


def load_trace(path, tree):
    """(file, line, byte column) -> definitions seen to run there."""
    seen = collections.defaultdict(set)
    for line in open(path, encoding="utf-8") if path else ():
        r = json.loads(line)
        callee = tree.file(r["callee_file"]).by_first.get(r["callee_line"]) if r["callee_file"].endswith(".py") else None
        if callee is not None:
            seen[r["file"], r["line"], r["col"]].add(callee)
    return seen


def agree(site, pyright, jedi, seen, classes, counts):
    """The class and definitions both name; or one names and a run confirms."""
    (pk, pf), (jk, jf) = pyright, jedi
    if pk == jk == "IN":
        both = [d for d in pf if d in jf] or [d for d in pf if any(same(d, e) for e in jf)]
        if both:
            # What pyright lists beside it may run as well.
            return "IN", pf
    elif pk == jk:
        return pk, []
    for kind, found, who in ((pk, pf, "pyright"), (jk, jf, "jedi")):
        if kind == "IN" and any(ran(d, seen, classes) for d in found):
            counts[f"{who}_and_run"] += 1
            return "IN", found
    counts[f"{pk}/{jk}"] += 1
    return "UN", []


def same(one, other):
    return one.file == other.file and one.qualname == other.qualname


def ran(definition, seen, classes):
    if definition.kind == "class":
        made = [classes.member(definition, n) for n in ("__init__", "__new__")]
        return any(m in seen for m in made if m is not None)
    return any(same(definition, s) for s in seen)


def called(pyright, jedi, file, line, column, tree, classes):
    """`value()` on an instance whose class both oracles know runs that class's `__call__`."""
    answers = []
    for places in (pyright.types(file, line, column), jedi.instances(file, line, column)):
        found = [tree.at(tree.inside(p), at_line, at) for p, at_line, at in places if p.endswith(".py") and tree.inside(p)]
        answers.append([c for c in found if isinstance(c, Definition) and c.kind == "class"])
    both = [c for c in answers[0] if c in answers[1]]
    # A class held as a value has the type of the class too; only what jedi calls an instance comes here.
    runs = [classes.member(c, "__call__") for c in both]
    return list(dict.fromkeys(runs)) if runs and all(runs) else []


def main():
    p = argparse.ArgumentParser()
    p.add_argument("root")
    p.add_argument("--pyright", required=True)
    p.add_argument("--python", required=True)
    p.add_argument("--cache", required=True)
    p.add_argument("--search", action="append", default=[])
    p.add_argument("--skip")
    p.add_argument("--trace")
    args = p.parse_args()

    tree = Tree(args.root, re.compile(f"{TESTS}|{args.skip}" if args.skip else TESTS))
    pyright = Pyright(args.pyright, tree.root, args.python, args.search)
    jedi = Jedi(tree.root, args.python, args.search, args.cache)
    for rel in tree.judged:
        pyright.open(rel, tree.file(rel).text)
    first, second = Oracle(tree, pyright.definitions), Oracle(tree, jedi.definitions)
    classes = Classes(tree, first)
    seen = load_trace(args.trace, tree)

    counts = collections.Counter(files=len(tree.judged))
    disputed = []
    for rel in tree.judged:
        file = tree.file(rel)
        counts["unread"] += file.broken
        for site, _ in sorted(file.sites, key=lambda s: (s[0]["line"], s[0]["col"])):
            counts["sites"] += 1
            if site.get("implicit"):
                counts["implicit"] += 1
                print(json.dumps(site))
                continue
            column = file.chars(site["line"], site["col"] - 1)
            one = first.resolve(file, site["line"], column)
            other = second.resolve(file, site["line"], column)
            runs = seen.get((rel, site["line"], site["col"]), set())
            kind, found = agree(site, one, other, runs, classes, counts)
            if kind == "IND":
                found = called(pyright, jedi, file, site["line"], column, tree, classes)
                kind = "IN" if found else kind
            site["class"] = kind
            if kind == "EXT" and first.library:
                site["callee"] = f"{first.library}.{site['name']}"
            if kind == "IN":
                answer(site, found, classes)
                if runs:
                    counts["ran"] += 1
                    below = {d for f in found if f.owner is not None for d in classes.overrides(f)}
                    if not any(ran(f, runs, classes) for f in found) and not runs & below:
                        disputed.append(f"{rel}:{site['line']}:{site['col']} {site['callee']}, ran {sorted(d.qualname for d in runs)}")
            counts[site["class"]] += 1
            print(json.dumps(site))
    pyright.close()
    for text in disputed:
        print(f"not what ran: {text}", file=sys.stderr)
    print(json.dumps(counts), file=sys.stderr)


if __name__ == "__main__":
    main()
