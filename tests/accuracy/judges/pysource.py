"""What stands in the Python files of one tree, by CPython's own parser: calls, definitions, assignments, callers."""
import ast
import os

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


class Definition:
    """A def, a class, or a lambda that an assignment names."""

    def __init__(self, file, node, name, qualname, kind, owner=None, line=None):
        self.file, self.node, self.name, self.qualname, self.kind, self.owner = file, node, name, qualname, kind, owner
        self.line = line or node.lineno
        self.first = min([self.line] + [d.lineno for d in getattr(node, "decorator_list", [])])
        self.members = {}  # classes: name -> definitions of that name, in order
        self.twins = []  # every definition of this name in this scope, itself among them

    def place(self):
        return [self.file, self.line]

    def decorated(self, *names):
        last = [_last(d.func if isinstance(d, ast.Call) else d) for d in getattr(self.node, "decorator_list", [])]
        return any(n in names for n in last)

    def bodiless(self):
        """Declared to be overridden: abstract, a protocol's member, or a body that only refuses."""
        if self.kind != "def" or self.owner is None:
            return False
        if self.decorated("abstractmethod") or any(_last(b) == "Protocol" for b in _bases(self.owner.node)):
            return True
        body = [s for s in self.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        if len(body) != 1 or not isinstance(body[0], ast.Raise) or body[0].exc is None:
            return False
        raised = body[0].exc
        return _last(raised.func if isinstance(raised, ast.Call) else raised) == "NotImplementedError"


class Variable:
    """A name or attribute that is no definition: what it is bound to, where that is written once."""

    def __init__(self, name, value):
        self.name, self.values = name, [value]


def _last(node):
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _bases(node):
    return [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]


class File:
    def __init__(self, root, rel):
        self.rel = rel
        with open(os.path.join(root, rel), encoding="utf-8", errors="replace", newline="") as f:
            self.text = f.read()
        self.lines = [line.rstrip("\r") for line in self.text.split("\n")]
        self.broken = False
        try:
            self.tree = ast.parse(self.text)
        except (SyntaxError, ValueError):
            self.tree, self.broken = ast.Module([], []), True
        self.defs = {}  # (line, name) -> Definition
        self.by_first = {}  # line of the first decorator -> Definition
        self.variables = {}  # (line, character column) -> Variable
        self.parameters = set()  # (line, character column)
        self.classes = []
        self.sites = []
        self._read(self.tree, Scope(None, "", {}, {}))

    def chars(self, line, byte):
        """Characters before a byte column; CPython counts bytes, the oracles count characters or UTF-16."""
        return len(self.lines[line - 1].encode()[:byte].decode(errors="replace"))

    # ---- definitions and bindings --------------------------------------------------------------------------------

    def _define(self, node, name, kind, scope, line=None):
        d = Definition(self.rel, node, name, scope.prefix + name, kind, scope.owner, line)
        twins = scope.defs.setdefault(name, [])
        twins.append(d)
        d.twins = twins
        self.defs[d.line, name] = d
        self.by_first.setdefault(d.first, d)
        if scope.owner is not None:
            scope.owner.members.setdefault(name, []).append(d)
        return d

    def _bind(self, target, value, scope):
        if isinstance(target, (ast.Tuple, ast.List)):
            paired = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            for i, t in enumerate(target.elts):
                self._bind(t, value.elts[i] if paired else None, scope)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, None, scope)
        elif isinstance(target, ast.Name):
            self._variable(target.lineno, target.col_offset, target.id, value, scope.variables)
            if isinstance(value, ast.Lambda):
                self._define(value, target.id, "lambda", scope, target.lineno)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            fields = scope.fields()
            byte = target.end_col_offset - len(target.attr.encode())
            key = f"{target.value.id}.{target.attr}"
            self._variable(target.end_lineno, byte, target.attr, value, fields, key)

    def _variable(self, line, byte, name, value, held, key=None):
        v = held.get(key or name)
        if v is None:
            v = held[key or name] = Variable(name, value)
        else:
            v.values.append(value)
        self.variables[line, self.chars(line, byte)] = v

    def _read(self, node, scope, fn=None, in_class=False, also=None):
        """Walks once: `fn` is the innermost named function, `also` a lambda that an assignment names."""
        if isinstance(node, ast.Call):
            self.sites.append(self._site(node, fn, in_class, also))
        if isinstance(node, FUNCTION):
            self._function(node, scope, fn, in_class, also)
            return
        if isinstance(node, ast.ClassDef):
            d = self._define(node, node.name, "class", scope)
            self.classes.append(d)
            for part in node.decorator_list + node.bases + node.keywords:
                self._read(part, scope, fn, in_class, also)
            inner = Scope(d, d.qualname + ".", {}, {}, scope)
            for part in node.body:
                self._read(part, inner, fn, fn is None, also)
            return
        if isinstance(node, ast.Lambda):
            self._parameters(node.args)
            inner = Scope(None, scope.prefix, {}, {}, scope)
            for part in ast.iter_child_nodes(node):
                self._read(part, inner, fn, in_class, also)
            return
        if isinstance(node, ast.Assign):
            for t in node.targets:
                self._bind(t, node.value, scope)
            named = node.targets[0] if len(node.targets) == 1 else None
            if isinstance(node.value, ast.Lambda) and isinstance(named, ast.Name):
                also = self.defs.get((named.lineno, named.id))
        elif isinstance(node, ast.AnnAssign):
            self._bind(node.target, node.value, scope)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension)):
            self._bind(node.target, None, scope)
        elif isinstance(node, ast.NamedExpr):
            self._bind(node.target, node.value, scope)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, None, scope)
        for part in ast.iter_child_nodes(node):
            self._read(part, scope, fn, in_class, also)

    def _function(self, node, scope, fn, in_class, also):
        d = self._define(node, node.name, "def", scope)
        self._parameters(node.args)
        # What a `def` line evaluates runs in the scope around it.
        args = node.args
        annotated = args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]
        outside = node.decorator_list + args.defaults + [x for x in args.kw_defaults if x]
        outside += [a.annotation for a in annotated if a.annotation] + ([node.returns] if node.returns else [])
        for part in outside:
            self._read(part, scope, fn, in_class, also)
        inner = Scope(None, d.qualname + ".", {}, {}, scope)
        for part in node.body:
            self._read(part, inner, d, False, None)

    def _parameters(self, args):
        for a in args.posonlyargs + args.args + args.kwonlyargs + [x for x in (args.vararg, args.kwarg) if x]:
            self.parameters.add((a.lineno, self.chars(a.lineno, a.col_offset)))

    # ---- calls ---------------------------------------------------------------------------------------------------

    def _site(self, node, fn, in_class, also):
        f = node.func
        if isinstance(f, ast.Name):
            line, byte, name = f.lineno, f.col_offset, f.id
        elif isinstance(f, ast.Attribute):
            line, byte, name = f.end_lineno, f.end_col_offset - len(f.attr.encode()), f.attr
        else:
            line, byte, name = f.lineno, f.col_offset, ""
        if fn is None:
            caller = {"module": True, "file": self.rel}
            if in_class:
                caller["in_class"] = True
        else:
            caller = {"name": fn.qualname, "file": self.rel, "line": fn.line}
        if also is not None:
            caller["also"] = {"name": also.qualname, "file": self.rel, "line": also.line}
        site = {"file": self.rel, "line": line, "col": byte + 1, "name": name, "class": "UN", "caller": caller}
        if not name:
            site["implicit"] = True
        span = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return site, span


class Scope:
    """Definitions and variables of one block; a method's `self.x` belongs to its class."""

    def __init__(self, owner, prefix, defs, variables, outer=None):
        self.owner, self.prefix, self.defs, self.variables, self.outer = owner, prefix, defs, variables, outer

    def fields(self):
        scope = self
        while scope.owner is None and scope.outer is not None:
            scope = scope.outer
        return scope.variables


class Tree:
    """Every file of a folder; files outside the filter are read when an answer points into them."""

    def __init__(self, root, skip):
        self.root, self.files = os.path.realpath(root), {}
        self.judged = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(d for d in folders if not d.startswith(".") and d not in ("__pycache__", "node_modules"))
            for name in sorted(names):
                rel = os.path.relpath(os.path.join(folder, name), self.root)
                if name.endswith(".py") and not skip.search(rel):
                    self.judged.append(rel)
        for rel in self.judged:
            self.file(rel)

    def file(self, rel):
        if rel not in self.files:
            self.files[rel] = File(self.root, rel)
        return self.files[rel]

    def inside(self, path):
        """The path below the root, or None."""
        full = os.path.realpath(path)
        return os.path.relpath(full, self.root) if full.startswith(self.root + os.sep) else None

    def at(self, rel, line, column):
        """What is declared at a place: a Definition, a Variable, "parameter", or None."""
        file = self.file(rel)
        name = ""
        if 0 < line <= len(file.lines):
            rest = file.lines[line - 1][column:]
            name = rest[: next((i for i, c in enumerate(rest) if not (c.isalnum() or c == "_")), len(rest))]
        d = file.defs.get((line, name))
        if d is not None:
            return d
        if (line, column) in file.parameters:
            return "parameter"
        return file.variables.get((line, column))
