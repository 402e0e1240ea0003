#!/usr/bin/env python3
"""cgg-callgraphgenerator's call graph as answer lines (see ../README.md): from_cgg.py ROOT LANGUAGE

Its edges carry the byte at which the call expression starts; the callee's name is searched from there.
"""
import json
import sys

import cgg
from sources import Tree, last_name

OUTSIDE = {"external", "stdlib", "ext", "std"}


def main():
    tree = Tree(sys.argv[1])
    graph = cgg.analyze(
        tree.root, include_external=True, include_stdlib=True, dynamic_dispatch=False, lang=sys.argv[2].split(",")
    ).to_dict()
    paths = {key: tree.relative(entry["path"]) for key, entry in graph["files"].items()}
    callables = graph["callables"]

    def emit(rel, offset, names, **fields):
        line, col = tree.token(rel, offset, names)
        print(json.dumps({"file": rel, "line": line, "col": col, **fields}))

    for edge in graph["edges"]:
        source, target = callables[edge["src"]], callables.get(edge["dst"])
        rel = paths.get(source["file"])
        if rel is None or target is None or edge.get("site_byte") is None:
            continue
        owner = last_name("::".join(target["qualified_name"].replace(".", "::").split("::")[:-1]))
        names = [target["simple_name"]] + ([owner] if owner else [])
        caller = [rel, tree.name_line(rel, source["start_line"], source["simple_name"])]
        outside = target.get("kind") in OUTSIDE or edge["via"].get("kind") in OUTSIDE or paths.get(target.get("file")) is None
        if outside:
            emit(rel, edge["site_byte"], names, said="outside", callee=target["qualified_name"], caller=caller)
            continue
        there = paths[target["file"]]
        place = [there, tree.name_line(there, target["start_line"], target["simple_name"])]
        emit(rel, edge["site_byte"], names, said="placed", target=place, callee=target["qualified_name"], caller=caller)
    for gap in graph["unresolved"]:
        rel = paths.get(gap["file"])
        if rel is not None:
            emit(rel, gap["site_byte"], [last_name(gap["name"])], said="open", callee=gap["name"])
    print(f"cgg: {len(graph['edges'])} edges, {len(graph['unresolved'])} unresolved", file=sys.stderr)


if __name__ == "__main__":
    main()
