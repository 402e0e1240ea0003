#!/usr/bin/env python3
"""codegraph's database as answer lines (see ../README.md): from_codegraph.py ROOT, where ROOT/.codegraph was just built

Its edges carry line and column of the call expression; the callee's name is searched from there.
"""
import json
import os
import sqlite3
import sys

from sources import Tree, last_name

EDGES = """
    select e.line, e.col, e.metadata, s.file_path, s.start_line, s.name, s.kind,
           t.file_path, t.start_line, t.name, t.qualified_name
    from edges e join nodes s on s.id = e.source join nodes t on t.id = e.target
    where e.kind in ('calls', 'instantiates') and e.line is not null
"""
GAPS = """
    select file_path, line, col, reference_name from unresolved_refs
    where reference_kind in ('call', 'calls', 'instantiates')
"""


def main():
    tree = Tree(sys.argv[1])
    db = sqlite3.connect(os.path.join(tree.root, ".codegraph", "codegraph.db"))

    def emit(rel, line, col, name, **fields):
        at_line, at_col = tree.token(rel, tree.line_start(rel, line) + (col or 0), [name])
        print(json.dumps({"file": rel, "line": at_line, "col": at_col, **fields}))

    edges = gaps = 0
    for line, col, meta, file, start, name, kind, to_file, to_start, to_name, to_qualified in db.execute(EDGES):
        written = json.loads(meta or "{}").get("refName") or to_name
        caller = [file, tree.name_line(file, start, name)] if kind != "file" else None
        place = [to_file, tree.name_line(to_file, to_start, to_name)]
        emit(file, line, col, last_name(written), said="placed", target=place, callee=to_qualified, caller=caller)
        edges += 1
    for file, line, col, name in db.execute(GAPS):
        emit(file, line, col, last_name(name), said="open", callee=name)
        gaps += 1
    print(f"codegraph: {edges} edges, {gaps} unresolved", file=sys.stderr)


if __name__ == "__main__":
    main()
