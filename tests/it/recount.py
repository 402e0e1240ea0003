#!/usr/bin/env python3
"""Works out every derived number of a report from the report alone, by docs/report.md and nothing else.

    python3 recount.py REPORT.json [TREE]
    python3 recount.py --alter REPORT.json [TREE]

Shares no line with the program that wrote the report. Exits with 1 and names each number that does not
follow, with 0 when all do. With the tree, the digests of its files and the places of names are checked
too. What is measured inside bodies (complexity, reads, ends, the steps of evidence) is checked by
`surefoot verify` alone, which runs the analysis again.

With --alter, every number and digest of the report is altered in turn: those that nobody would notice
are named, and are an error unless they are of the kinds above.
"""
import json
import os
import sys
from collections import defaultdict
from fractions import Fraction

WRONG = []

# ---- BLAKE3, after its paper: hashing and key derivation, for texts of any length.

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
START, END, PARENT, ROOT, CONTEXT, MATERIAL = 1, 2, 4, 8, 32, 64
MASK = 0xFFFFFFFF
LANES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def words(block):
    return [int.from_bytes(block[i : i + 4], "little") for i in range(0, len(block), 4)]


def compress(key, block, counter, length, flags):
    v = [*key, *IV[:4], counter & MASK, counter >> 32, length, flags]
    m = block
    for turn in range(7):
        for lane, (a, b, c, d) in enumerate(LANES):
            x = (v[a] + v[b] + m[2 * lane]) & MASK
            y = v[d] ^ x
            y = (y >> 16 | y << 16) & MASK
            z = (v[c] + y) & MASK
            w = v[b] ^ z
            w = (w >> 12 | w << 20) & MASK
            x = (x + w + m[2 * lane + 1]) & MASK
            y ^= x
            y = (y >> 8 | y << 24) & MASK
            z = (z + y) & MASK
            w ^= z
            v[a], v[b], v[c], v[d] = x, (w >> 7 | w << 25) & MASK, z, y
        m = [m[i] for i in ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def tree_hash(data, key, mode):
    """The eight words of the root."""

    def chunk(start, root):
        value, end = key, min(start + 1024, len(data))
        for at in range(start, max(end, start + 1), 64):
            block = data[at : min(at + 64, end)]
            flags = mode | (START if at == start else 0)
            if at + 64 >= end:
                flags |= END | (ROOT if root else 0)
            value = compress(value, words(block.ljust(64, b"\0")), start // 1024, len(block), flags)
        return value

    def node(start, length, root):
        if length <= 1024:
            return chunk(start, root)
        left = 1024
        while left * 2 < length:
            left *= 2
        block = node(start, left, False) + node(start + left, length - left, False)
        return compress(key, block, 0, 64, mode | PARENT | (ROOT if root else 0))

    return node(0, len(data), True)


def hexed(value):
    return b"".join(word.to_bytes(4, "little") for word in value).hex()


DIGESTS = {}


def digest(data, context=None):
    known = DIGESTS.get((data, context))
    if known is None:
        if context is None:
            known = hexed(tree_hash(data, IV, 0))
        else:
            key = tree_hash(context.encode(), IV, CONTEXT)
            known = hexed(tree_hash(data, key, MATERIAL))
        DIGESTS[data, context] = known
    return known


def snapshot_id(r):
    parts = []
    for field in ("version", "analyzer_provenance", "file_hashes", "config_inputs", "config_selections"):
        text = json.dumps(r[field], separators=(",", ":"), ensure_ascii=False)
        parts.append(f"{field}={text}\n")
    return digest("".join(parts).encode(), "surefoot report inputs, version 1")


# ---- The numbers.


def expect(what, stated, worked_out):
    if stated != worked_out:
        WRONG.append(f"{what}: {stated!r} is stated, {worked_out!r} follows")


def six(value):
    """A score as it is published: rounded once, half up."""
    scaled = value * 10**6
    return (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)


def expect_score(what, stated, value, tolerance=0):
    """Scores are compared in millionths. The program sums binary fractions and this sums exact ones: at a
    tie between two millionths they may differ by one."""
    scaled = value * 10**6
    tie = abs((scaled - scaled.__floor__()) - Fraction(1, 2)) < Fraction(1, 10**6)
    got = round(Fraction(str(stated)) * 10**6)
    if abs(got - six(value)) > (1 if tie else 0):
        WRONG.append(f"{what}: {stated!r} is stated, {six(value) / 10**6!r} follows")


def share(part, whole):
    return Fraction(0) if whole == 0 else min(Fraction(part) / Fraction(whole), Fraction(1))


def components(nodes, out):
    """Strongly connected components by Tarjan's algorithm without recursion, callees before callers."""
    index, low, on, stack, found, counter = {}, {}, set(), [], [], 0
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(out[root]))]
        index[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for nxt in rest:
                if nxt not in index:
                    index[nxt] = low[nxt] = counter
                    counter += 1
                    stack.append(nxt)
                    on.add(nxt)
                    work.append((nxt, iter(out[nxt])))
                    break
                if nxt in on:
                    low[node] = min(low[node], index[nxt])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = []
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        members.append(member)
                        if member == node:
                            break
                    found.append(members)
    return found


def check(r, tree):
    expect("version", r["version"], 1)
    expect("snapshot_id", r["snapshot_id"], snapshot_id(r))

    # Keys: the qualified name where it is unique, else with the line, else with line and column.
    named = defaultdict(list)
    for e in r["entities"]:
        named[e["qualified_name"]].append(e)

    def key(e):
        same = named[e["qualified_name"]]
        if len(same) == 1:
            return e["qualified_name"]
        here = [o for o in same if o["line_number"] == e["line_number"]]
        at = f"{e['qualified_name']}@{e['line_number']}"
        return at if len(here) == 1 else f"{at}:{e['column']}"

    def find(name, line, column):
        fitting = [
            e
            for e in named.get(name, [])
            if (not line or e["line_number"] == line) and (not column or e["column"] == column)
        ]
        return key(fitting[0]) if len(fitting) == 1 else None

    keys = {key(e): e for e in r["entities"]}
    expect("entities, distinct keys", len(r["entities"]), len(keys))

    # The call graph.
    out, into = defaultdict(set), defaultdict(set)
    for c in r["call_edges"]:
        if c["resolution"] != "in_tree":
            continue
        a = find(c["caller"], c.get("caller_line", 0), c.get("caller_column", 0))
        b = find(c["callee"], c.get("declaration_line", 0), c.get("declaration_column", 0))
        if a and b:
            out[a].add(b)
            into[b].add(a)

    groups = components(keys, out)
    home = {member: i for i, members in enumerate(groups) for member in members}
    deepest = [0] * len(groups)
    for i in range(len(groups) - 1, -1, -1):
        for member in groups[i]:
            for callee in out[member]:
                if home[callee] != i:
                    deepest[home[callee]] = max(deepest[home[callee]], deepest[i] + 1)
    depth = {member: deepest[home[member]] for member in keys}

    metrics = r["metrics_by_entity"]
    for k in metrics:
        expect(f"metrics_by_entity, {k}", k in keys, True)
    for k in keys:
        m = metrics.get(k)
        if m is None:
            expect(f"metrics_by_entity, {k} without a row", (len(out[k]), len(into[k])), (0, 0))
            continue
        expect(f"metrics_by_entity[{k}].fan_out", m["fan_out"], len(out[k]))
        expect(f"metrics_by_entity[{k}].fan_in", m["fan_in"], len(into[k]))
        expect(f"metrics_by_entity[{k}].depth", m["depth"], depth[k])

    hot = []
    for k, m in metrics.items():
        if m.get("cyclomatic_complexity") is None:
            continue
        score = m["fan_out"] * 35 + m["cyclomatic_complexity"] * 40 + m["depth"] * 25
        if score >= 300:
            hot.append((-score, k, m))
    hot.sort(key=lambda h: (h[0], h[1].encode()))
    expect("hotspots", [h["entity"] for h in r["hotspots"]], [k for _, k, _ in hot])
    for stated, (score, k, m) in zip(r["hotspots"], hot):
        expect(f"hotspots[{k}].score", round(Fraction(str(stated["score"])) * 100), -score)
        for part in ("fan_out", "cyclomatic_complexity", "depth"):
            expect(f"hotspots[{k}].{part}", stated[part], m[part])

    reached, waiting = set(), [k for k, e in keys.items() if "entry_point" in e]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting.extend(out[node])
    expect("reachable_from_entry", r["reachable_from_entry"], sorted(reached, key=str.encode))

    # The file graph.
    files = r["file_hashes"]
    imports = [
        d
        for d in r["dependencies"]
        if d["kind"] == "import"
        and d["source"] in files
        and d.get("resolved_target") in files
        and d["source"] != d["resolved_target"]
    ]
    edges = {(d["source"], d["resolved_target"]) for d in imports}
    loading = defaultdict(set)
    for d in imports:
        if not d.get("names_only"):
            loading[d["source"]].add(d["resolved_target"])
    cycles = [sorted(c, key=str.encode) for c in components(files, loading) if len(c) > 1]
    cycles.sort(key=lambda c: [f.encode() for f in c])
    expect("dependency_cycles", r["dependency_cycles"], cycles)

    # Scores.
    avg = Fraction(len(edges), len(files)) if files else Fraction(0)
    production_keys = {k for k, e in keys.items() if "non_production" not in e}

    def documentation(wanted):
        assessed = [e["documented"] for k, e in keys.items() if k in wanted and "documented" in e]
        return (Fraction(sum(assessed), len(assessed)), True) if assessed else (Fraction(1), False)

    def complexity(wanted):
        all_of = [
            m["cyclomatic_complexity"]
            for k, m in metrics.items()
            if k in wanted and m.get("cyclomatic_complexity") is not None
        ]
        above = share(sum(c > 10 for c in all_of), len(all_of))
        return share(max(all_of, default=0), 40) / 2 + share(above, Fraction(1, 20)) / 2

    def risk(stated, name, wanted):
        covered, _ = documentation(wanted)
        parts = {
            "complexity": complexity(wanted),
            "coupling": share(avg, 4),
            "documentation": 1 - covered,
            "cycles": share(len(cycles), 3),
        }
        for part, value in parts.items():
            expect_score(f"{name}.{part}", stated[part], value)
        weights = {"complexity": 35, "coupling": 25, "documentation": 25, "cycles": 15}
        whole = sum(parts[p] * Fraction(w, 100) for p, w in weights.items())
        expect_score(f"{name}.score", stated["score"], whole)

    def coverage(stated, name, wanted):
        covered, any_assessed = documentation(wanted)
        expect(f"{name}, present", stated is not None, any_assessed)
        if stated is not None:
            expect_score(name, stated, covered)

    f = r["fragility"]
    dependency = share(avg, 20) * Fraction(7, 10) + share(len(cycles), len(files)) * Fraction(3, 10)
    covered, _ = documentation(keys)
    expect("fragility.files", f["files"], len(files))
    expect("fragility.cycles", f["cycles"], len(cycles))
    expect_score("fragility.avg_fan_out", f["avg_fan_out"], avg)
    expect_score("fragility.dependency", f["dependency"], dependency)
    score = dependency * Fraction(6, 10) + (1 - covered) * Fraction(4, 10)
    expect_score("fragility.score", f["score"], score)
    coverage(r.get("doc_coverage"), "doc_coverage", keys)
    risk(r["risk_index"], "risk_index", keys)
    expect("production.entities", r["production"]["entities"], len(production_keys))
    coverage(r["production"].get("doc_coverage"), "production.doc_coverage", production_keys)
    risk(r["production"]["risk_index"], "production.risk_index", production_keys)

    skipped = [s for s in r["skipped_files"] if s["reason_code"] != "duplicate_alias"]
    expect("is_complete", r["is_complete"], not skipped and not r["partial_analysis"])

    spoken = {(c["caller"].split("::", 1)[0], c["line_number"]) for c in r["call_edges"]}
    spoken |= {(d["source"], d["line_number"]) for d in r["dependencies"] if d["kind"] == "import"}
    for node in r["bridge_nodes"]:
        if "line_number" in node:
            place = (node["entity"].split("::", 1)[0], node["line_number"])
            expect(f"bridge_nodes, a call or an import at {place}", place in spoken, True)
        expect(f"bridge_nodes, {node['entity']}", node["entity"] in keys, True)
        for peer in node.get("peers", []):
            expect(f"bridge_nodes, {peer['entity']}", peer["entity"] in keys, True)
    if tree is not None:
        check_places(r, tree)


def check_places(r, tree):
    """What the files themselves say: their digests, and the names at the places the report gives."""
    for path, stated in r["file_hashes"].items():
        expect(f"file_hashes[{path}]", stated, digest(tree[path]))
    for config in r["config_inputs"]:
        expect(f"config_inputs[{config['path']}]", config["digest"], digest(tree[config["path"]]))
    lines = {path: tree[path].split(b"\n") for path in r["file_hashes"]}

    def names(path, line, column, name):
        if not 1 <= line <= len(lines[path]):
            return False
        rest = lines[path][line - 1][column - 1 :]
        return any(rest.startswith(quote + name.encode()) for quote in (b"", b"'", b'"', b"#", b"r#"))

    for e in r["entities"]:
        where = f"entities[{e['qualified_name']}]"
        if e["qualified_name"] == e["file"]:
            expect(f"{where}, where its file begins", (e["line_number"], e["column"]), (1, 1))
        elif e["name"].startswith("<") or e["name"] == "default":
            expect(f"{where}, inside its file", e["line_number"] <= len(lines[e["file"]]), True)
        else:
            there = names(e["file"], e["line_number"], e["column"], e["name"])
            expect(f"{where} at {e['line_number']}:{e['column']}", there, True)
    for c in r["call_edges"]:
        path = c["caller"].split("::", 1)[0]
        name = c.get("name") or c["callee"].rsplit("::", 1)[-1]
        if "::" not in c["callee"]:
            name = name.rsplit(".", 1)[-1]
        if not name.startswith("<"):
            there = names(path, c["line_number"], c["column"], name)
            expect(f"call_edges, {name} at {path}:{c['line_number']}:{c['column']}", there, True)


# ---- Altering.

# Measured inside bodies, or a step of evidence: only running the analysis again says what is right.
REPLAYED = {
    "cyclomatic_complexity",
    "cognitive_complexity",
    "closure_complexity",
    "closures",
    "end_line",
    "use_lines",
    "via",
    "candidates_left_out",
    "content_digest",
    "dependencies",
    "bridge_nodes",
}
# Only with the tree at hand.
PLACES = {"line_number", "column"}


def numbers(value, path, out):
    """Every number and digest, with the way to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            numbers(inner, [*path, key], out)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            numbers(inner, [*path, at], out)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        out.append((path, value + 1 if isinstance(value, int) else round(value + 0.000002, 6)))
    elif isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef"):
        out.append((path, ("1" if value[0] == "0" else "0") + value[1:]))


def alter(r, tree):
    """Which altered numbers nobody notices."""
    all_of, unnoticed = [], []
    numbers(r, [], all_of)
    for path, other in all_of:
        kinds = {part for part in path if isinstance(part, str)}
        row = r
        for part in path[:-1]:
            row = row[part]
        was, row[path[-1]] = row[path[-1]], other
        WRONG.clear()
        try:
            check(r, tree)
        except (KeyError, IndexError) as missing:
            WRONG.append(str(missing))
        row[path[-1]] = was
        beside = kinds & REPLAYED or (tree is None and kinds & PLACES)
        if not WRONG and not beside:
            unnoticed.append(".".join(map(str, path)))
    return len(all_of), unnoticed


if __name__ == "__main__":
    given = sys.argv[1:]
    altering = given[:1] == ["--alter"]
    given = given[altering:]
    if len(given) not in (1, 2):
        sys.exit(__doc__)
    with open(given[0], encoding="utf-8") as file:
        report = json.load(file)
    files = None
    if len(given) == 2:
        files = {}
        for path in [*report["file_hashes"], *(c["path"] for c in report["config_inputs"])]:
            with open(os.path.join(given[1], path), "rb") as file:
                files[path] = file.read()
    if altering:
        count, unnoticed = alter(report, files)
        for path in unnoticed[:50]:
            print(f"{path}: altered, and nothing says so")
        print(f"{count} numbers and digests altered, {len(unnoticed)} unnoticed")
        sys.exit(1 if unnoticed else 0)
    check(report, files)
    for line in WRONG[:50]:
        print(line)
    if not WRONG:
        sizes = len(report["entities"]), len(report["call_edges"]), len(report["file_hashes"])
        print("{} entities, {} calls, {} files: every number follows".format(*sizes))
    sys.exit(1 if WRONG else 0)
