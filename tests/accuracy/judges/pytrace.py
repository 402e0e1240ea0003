#!/usr/bin/env python3
"""The calls that really happened while a project's own tests ran, one JSON line per place and function.

    pytrace.py ROOT OUT -- <arguments for pytest>

A profile hook sees every call from one function of ROOT to another; the caller's instruction gives the span of the call
expression, and CPython's parser the callee's name in it. Needs CPython 3.11 or later.
"""
import ast
import json
import os
import sys
import threading

root, out = os.path.realpath(sys.argv[1]), sys.argv[2]
arguments = sys.argv[sys.argv.index("--") + 1:]
calls, inside = set(), {}


def relative(path):
    if path not in inside:
        full = "" if path.startswith("<") else os.path.realpath(path)
        inside[path] = os.path.relpath(full, root) if full.startswith(root + os.sep) else ""
    return inside[path]


def hook(frame, event, _):
    if event != "call" or not relative(frame.f_code.co_filename):
        return
    back = frame.f_back
    if back is not None and relative(back.f_code.co_filename):
        calls.add((back.f_code, back.f_lasti, frame.f_code))


def names(rel):
    """The span of each call expression -> line, byte column of the callee's name."""
    found = {}
    with open(os.path.join(root, rel), encoding="utf-8") as f:
        tree = ast.parse(f.read())
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        f = node.func
        span = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
        if isinstance(f, ast.Name):
            found[span] = f.lineno, f.col_offset + 1
        elif isinstance(f, ast.Attribute):
            found[span] = f.end_lineno, f.end_col_offset - len(f.attr.encode()) + 1
    return found


def main():
    import pytest

    sys.path.insert(0, root)
    sys.setprofile(hook)
    threading.setprofile(hook)
    code = pytest.main(arguments)
    sys.setprofile(None)
    threading.setprofile(None)
    spans, lines = {}, set()
    for code_of, at, callee in calls:
        if callee.co_name.startswith("<") and callee.co_name != "<lambda>":
            continue
        rel = relative(code_of.co_filename)
        if rel not in spans:
            spans[rel] = names(rel)
        place = spans[rel].get(tuple(list(code_of.co_positions())[at // 2]))
        if place is not None:
            lines.add((rel, *place, relative(callee.co_filename), callee.co_firstlineno))
    with open(out, "w", encoding="utf-8") as f:
        for file, line, col, callee_file, callee_line in sorted(lines):
            record = {"file": file, "line": line, "col": col, "callee_file": callee_file, "callee_line": callee_line}
            f.write(json.dumps(record) + "\n")
    print(json.dumps({"calls": len(lines), "pytest": int(code)}), file=sys.stderr)


main()
