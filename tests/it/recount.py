#!/usr/bin/env python3
"""Works out every derived number of a report from the report alone, by docs/report.md and nothing else.

    python3 recount.py REPORT.json

Shares no line with the program that wrote the report. Exits with 1 and names each number that does not
follow, with 0 when all do. What is measured from the source (complexity, edges, digests) is not
checked here: `surefoot verify` runs the analysis again.
"""
import json
import sys
from collections import defaultdict
from fractions import Fraction

WRONG = []


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


def main(path):
    with open(path, encoding="utf-8") as file:
        r = json.load(file)

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

    for line in WRONG[:50]:
        print(line)
    if not WRONG:
        print(f"{len(keys)} entities, {len(r['call_edges'])} calls, {len(files)} files: every number follows")
    return 1 if WRONG else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
