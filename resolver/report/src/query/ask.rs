//! The questions.

use super::answer::{Budget, Draft};
use super::store::{EntityRow, Listing, NONE, QueryIndex};
use super::walk::{Neighbours, Way};
use crate::graph::Edges;
use crate::refusal::Refusal;
use crate::text::{Digest, Hundredths};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a snapshot can be asked. A name is a key, a qualified name or the end of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// What it is, and where.
    Entity(String),
    /// Who calls it, so many calls back.
    Callers(String, u32),
    /// What it calls, so many calls on.
    Callees(String, u32),
    /// What a file declares, imports and is imported by.
    File(String),
    /// The tree from above.
    Summary,
    /// A shortest chain of calls from one to the other.
    Path(String, String),
    /// Everything that may notice when it changes: a declaration, or a file.
    Impact(String),
    /// Cycles of imports and of calls.
    Cycles,
    /// Calls that were not placed: all, those of a file, or those spelled like a name.
    Unknowns(Option<String>),
}

/// Answers from the index alone.
pub fn ask(index: &QueryIndex, question: &Question, budget: &Budget) -> Result<Value, Refusal> {
    let draft = match question {
        Question::Entity(name) => entity(index, index.entity(name)?),
        Question::Callers(name, depth) => calls(index, name, *depth, Way::Callers)?,
        Question::Callees(name, depth) => calls(index, name, *depth, Way::Callees)?,
        Question::File(path) => file(index, path)?,
        Question::Summary => summary(index),
        Question::Path(from, to) => path(index, from, to)?,
        Question::Impact(what) => impact(index, what)?,
        Question::Cycles => cycles(index),
        Question::Unknowns(scope) => unknowns(index, scope.as_deref()),
    };
    draft.finish(&index.source(), budget)
}

/// What became of a file that an index lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stale {
    Changed,
    Missing,
    Unreadable,
}

/// Whether listed files are still what they were: `stale` are those that are not, in the order of their
/// paths.
pub fn freshness(
    listing: &Listing,
    stale: &[(&str, Stale)],
    budget: &Budget,
) -> Result<Value, Refusal> {
    let count = |state| stale.iter().filter(|(_, s)| *s == state).count();
    let head = json!({
        "fresh": stale.is_empty(),
        "checked": listing.files.len(),
        "changed": count(Stale::Changed),
        "missing": count(Stale::Missing),
        "unreadable": count(Stale::Unreadable),
        "caveat": "A file added since is not looked at, nor is configuration; `surefoot verify` does both.",
    });
    let rows = stale.iter();
    let rows = rows.map(|(file, state)| json!({ "file": file, "state": state }));
    draft("freshness", "stale", head, rows.collect()).finish(&listing.source(), budget)
}

fn draft(question: &'static str, list: &'static str, head: Value, rows: Vec<Value>) -> Draft {
    let head = match head {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    Draft {
        question,
        head,
        list,
        rows,
        unresolved_candidates: 0,
        possible: 0,
    }
}

impl QueryIndex {
    /// A declaration in one row.
    fn brief(&self, entity: u32) -> Map<String, Value> {
        let mut out = Map::new();
        if let Some(row) = self.entities.get(entity as usize) {
            out.insert("entity".into(), self.text(row.key).into());
            out.insert("kind".into(), self.text(row.kind).into());
            out.insert("file".into(), self.text(row.file).into());
            out.insert("line_number".into(), row.line.into());
        }
        out
    }

    fn metrics(&self, row: &EntityRow) -> Option<Value> {
        let [
            cyclomatic,
            cognitive,
            closure_complexity,
            closures,
            fan_in,
            fan_out,
            depth,
        ] = row.metrics?;
        let measured = |n: u32| (n != NONE).then_some(n);
        Some(json!({
            "cyclomatic_complexity": measured(cyclomatic),
            "cognitive_complexity": measured(cognitive),
            "closure_complexity": closure_complexity,
            "closures": closures,
            "fan_in": fan_in,
            "fan_out": fan_out,
            "depth": depth,
        }))
    }

    /// Calls that were not placed and bear one of these names.
    fn spelled_like(&self, entities: impl IntoIterator<Item = u32>) -> usize {
        let names: FxHashSet<u32> = entities
            .into_iter()
            .filter_map(|e| Some(self.entities.get(e as usize)?.name))
            .collect();
        let open = self.open.iter();
        open.filter(|o| names.contains(&o.name) && is_gap(self.text(o.resolution)))
            .count()
    }
}

fn is_gap(resolution: &str) -> bool {
    matches!(resolution, "unresolved" | "undetermined")
}

fn entity(index: &QueryIndex, at: u32) -> Draft {
    let mut head = index.brief(at);
    let Some(row) = index.entities.get(at as usize) else {
        return draft("entity", "", Value::Object(head), Vec::new());
    };
    head.insert("qualified_name".into(), index.text(row.qualified).into());
    head.insert("column".into(), row.column.into());
    head.insert("end_line".into(), row.end_line.into());
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            head.insert(name.into(), value);
        }
    };
    put(
        "parameters",
        row.parameters.as_ref().map(|p| {
            let names: Vec<&str> = p.iter().map(|&p| index.text(p)).collect();
            json!(names)
        }),
    );
    put("documented", row.documented.map(Value::from));
    put(
        "non_production",
        index.optional(row.non_production).map(Value::from),
    );
    put(
        "entry_point",
        index.optional(row.entry_point).map(Value::from),
    );
    put(
        "content_digest",
        row.digest.map(|d| Digest(d).to_string().into()),
    );
    put("metrics", index.metrics(row));
    put("reachable_from_entry", Some(row.reachable.into()));
    let unresolved = index.spelled_like([at]);
    let possible = index.possible.iter().filter(|p| p.callee == at).count();
    Draft {
        unresolved_candidates: unresolved,
        possible,
        ..draft("entity", "", Value::Object(head), Vec::new())
    }
}

/// The most call sites listed in one row.
const SITES: usize = 5;

fn calls(index: &QueryIndex, name: &str, depth: u32, way: Way) -> Result<Draft, Refusal> {
    let at = index.entity(name)?;
    let found = Neighbours::of_calls(index, way).within(&[at], depth);
    let distance: FxHashMap<u32, u32> = std::iter::once((at, 0))
        .chain(found.iter().copied())
        .collect();
    // The calls that lead to each: those on a shortest way.
    let mut sites: FxHashMap<u32, Vec<Value>> = FxHashMap::default();
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for call in &index.placed {
        let (near, far) = match way {
            Way::Callers => (call.callee, call.caller),
            Way::Callees => (call.caller, call.callee),
        };
        let (Some(a), Some(b)) = (distance.get(&near), distance.get(&far)) else {
            continue;
        };
        if a + 1 != *b {
            continue;
        }
        *counts.entry(far).or_default() += 1;
        let listed = sites.entry(far).or_default();
        if listed.len() < SITES {
            listed.push(json!({
                "file": index.text(call.file),
                "line_number": call.line,
                "tier": index.optional(call.tier),
                "rule": index.optional(call.rule),
            }));
        }
    }
    let rows = found.iter().map(|&(entity, distance)| {
        let mut row = index.brief(entity);
        row.insert("distance".into(), distance.into());
        row.insert(
            "calls".into(),
            counts.get(&entity).copied().unwrap_or(0).into(),
        );
        let sites = sites.remove(&entity).unwrap_or_default();
        row.insert("sites".into(), sites.into());
        Value::Object(row)
    });
    let rows: Vec<Value> = rows.collect();
    let mut draft = match way {
        Way::Callers => {
            // Every name that was walked through may have one more caller.
            let walked = distance
                .iter()
                .filter(|(_, d)| **d < depth)
                .map(|(e, _)| *e);
            let unresolved = index.spelled_like(walked);
            let possible = index.possible.iter().filter(|p| p.callee == at).count();
            Draft {
                unresolved_candidates: unresolved,
                possible,
                ..draft("callers", "callers", Value::Null, rows)
            }
        }
        Way::Callees => {
            // Its own calls that were not placed, under whatever name.
            let walked: FxHashSet<u32> = distance
                .iter()
                .filter(|(_, d)| **d < depth)
                .map(|(e, _)| *e)
                .collect();
            let open = index.open.iter().filter(|o| walked.contains(&o.caller));
            let unresolved = open.filter(|o| is_gap(index.text(o.resolution))).count();
            let possible = index.possible.iter().filter(|p| p.caller == at).count();
            Draft {
                unresolved_candidates: unresolved,
                possible,
                ..draft("callees", "callees", Value::Null, rows)
            }
        }
    };
    draft.head = index.brief(at);
    draft.head.insert("depth".into(), depth.into());
    Ok(draft)
}

fn file(index: &QueryIndex, path: &str) -> Result<Draft, Refusal> {
    let at = index.file(path)?;
    let path_number = index.files[at as usize].0;
    type Imported = (u32, u32, bool);
    let paths = |of: &dyn Fn(&Imported) -> Option<u32>| {
        let mut list: Vec<&str> = index
            .imports
            .iter()
            .filter_map(of)
            .filter_map(|f| Some(index.text(index.files.get(f as usize)?.0)))
            .collect();
        list.sort_unstable();
        list.dedup();
        list.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let rows = index
        .entities
        .iter()
        .enumerate()
        .filter(|(_, row)| row.file == path_number);
    let rows = rows.map(|(i, row)| {
        let mut out = index.brief(i as u32);
        out.remove("file");
        out.insert("end_line".into(), row.end_line.into());
        if let Some(metrics) = index.metrics(row) {
            out.insert("metrics".into(), metrics);
        }
        Value::Object(out)
    });
    let head = json!({
        "file": index.text(path_number),
        "digest": Digest(index.files[at as usize].1).to_string(),
        "imports": paths(&|i| (i.0 == at).then_some(i.1)),
        "imported_by": paths(&|i| (i.1 == at).then_some(i.0)),
    });
    let open = index.open.iter().filter(|o| o.file == path_number);
    let unresolved = open.filter(|o| is_gap(index.text(o.resolution))).count();
    Ok(Draft {
        unresolved_candidates: unresolved,
        ..draft("file", "entities", head, rows.collect())
    })
}

fn summary(index: &QueryIndex) -> Draft {
    let mut resolutions: BTreeMap<&str, usize> = BTreeMap::new();
    for open in &index.open {
        *resolutions.entry(index.text(open.resolution)).or_default() += 1;
    }
    *resolutions.entry("in_tree").or_default() += index.placed.len();
    let rows = index.hotspots.iter().map(|&(entity, score)| {
        let mut row = index.brief(entity);
        row.insert("score".into(), json!(Hundredths::of(score)));
        Value::Object(row)
    });
    let scores: Value = serde_json::from_str(&index.scores).unwrap_or_default();
    let head = json!({
        "analyzer": index.analyzer,
        "files": index.files.len(),
        "entities": index.entities.len(),
        "calls": index.placed.len() + index.open.len(),
        "resolutions": resolutions,
        "dependency_cycles": index.cycles.len(),
        "skipped_files": index.skipped,
        "partial_analysis": index.partial,
        "scores": scores,
    });
    draft("summary", "hotspots", head, rows.collect())
}

fn path(index: &QueryIndex, from: &str, to: &str) -> Result<Draft, Refusal> {
    let (from, to) = (index.entity(from)?, index.entity(to)?);
    let chain = Neighbours::of_calls(index, Way::Callees).path(from, to);
    let site = |a: u32, b: u32| {
        let calls = index.placed.iter();
        calls.into_iter().find(|p| p.caller == a && p.callee == b)
    };
    let steps = chain.as_deref().unwrap_or_default();
    let rows = steps.iter().enumerate().map(|(i, &entity)| {
        let mut row = index.brief(entity);
        let call = i.checked_sub(1).and_then(|p| site(steps[p], entity));
        if let Some(call) = call {
            let by = json!({
                "file": index.text(call.file),
                "line_number": call.line,
                "tier": index.optional(call.tier),
            });
            row.insert("called_at".into(), by);
        }
        Value::Object(row)
    });
    let head = json!({
        "from": index.key(from),
        "to": index.key(to),
        "found": chain.is_some(),
    });
    // No chain of placed calls: one that was not placed may still lead there.
    let unresolved = match &chain {
        Some(_) => 0,
        None => {
            let reached = Neighbours::of_calls(index, Way::Callees).within(&[from], u32::MAX);
            let walked: FxHashSet<u32> = reached
                .iter()
                .map(|r| r.0)
                .chain(std::iter::once(from))
                .collect();
            let open = index.open.iter().filter(|o| walked.contains(&o.caller));
            open.filter(|o| is_gap(index.text(o.resolution))).count()
        }
    };
    Ok(Draft {
        unresolved_candidates: unresolved,
        ..draft("path", "steps", head, rows.collect())
    })
}

fn impact(index: &QueryIndex, what: &str) -> Result<Draft, Refusal> {
    let (start, file): (Vec<u32>, Option<u32>) = match index.file(what) {
        Ok(file) => {
            let path = index.files[file as usize].0;
            let own = index.entities.iter().enumerate();
            let own = own.filter(|(_, row)| row.file == path);
            (own.map(|(i, _)| i as u32).collect(), Some(file))
        }
        Err(_) => (vec![index.entity(what)?], None),
    };
    let found = Neighbours::of_calls(index, Way::Callers).within(&start, u32::MAX);
    let everyone = start.iter().copied().chain(found.iter().map(|f| f.0));
    let mut files: FxHashSet<u32> = FxHashSet::default();
    let mut entry_points = Vec::new();
    let mut tests = 0usize;
    for entity in found.iter().map(|f| f.0) {
        if let Some(row) = index.entities.get(entity as usize) {
            files.insert(row.file);
            tests += usize::from(row.non_production != NONE);
            if row.entry_point != NONE {
                entry_points.push(index.text(row.key));
            }
        }
    }
    entry_points.sort_unstable();
    entry_points.truncate(SITES * 4);
    let importers = file.map(|file| {
        let pairs = index.imports.iter().map(|&(from, to, _)| (to, from));
        let importers = Neighbours::new(index.files.len(), pairs.collect());
        importers.within(&[file], u32::MAX).len()
    });
    let head = json!({
        "what": file.map_or_else(|| index.key(start[0]).to_owned(), |f| index.text(index.files[f as usize].0).to_owned()),
        "entities": found.len(),
        "files": files.len(),
        "tests": tests,
        "entry_points": entry_points,
        "importing_files": importers,
    });
    let rows = found.iter().map(|&(entity, distance)| {
        let mut row = index.brief(entity);
        row.insert("distance".into(), distance.into());
        Value::Object(row)
    });
    let rows = rows.collect();
    let unresolved = index.spelled_like(everyone);
    let possible = index
        .possible
        .iter()
        .filter(|p| start.contains(&p.callee))
        .count();
    Ok(Draft {
        unresolved_candidates: unresolved,
        possible,
        ..draft("impact", "callers", head, rows)
    })
}

fn cycles(index: &QueryIndex) -> Draft {
    let files = |c: &Vec<u32>| -> Vec<&str> {
        let paths = c
            .iter()
            .filter_map(|&f| Some(index.files.get(f as usize)?.0));
        paths.map(|p| index.text(p)).collect()
    };
    let imports = index
        .cycles
        .iter()
        .map(|c| json!({ "kind": "imports", "files": files(c) }));
    let mut rows: Vec<Value> = imports.collect();
    let pairs = index.placed.iter().map(|p| (p.caller, p.callee));
    let nodes = index.entities.len();
    let pairs = pairs.filter(|&(a, b)| (a as usize) < nodes && (b as usize) < nodes);
    let edges = Edges::new(nodes, pairs.collect());
    let of_calls = edges.cycles();
    let head = json!({ "imports": index.cycles.len(), "calls": of_calls.len() });
    rows.extend(of_calls.iter().map(|c| {
        let entities: Vec<&str> = c.iter().map(|&e| index.key(e)).collect();
        json!({ "kind": "calls", "entities": entities })
    }));
    draft("cycles", "cycles", head, rows)
}

fn unknowns(index: &QueryIndex, scope: Option<&str>) -> Draft {
    let file = scope
        .and_then(|s| index.file(s).ok())
        .map(|f| index.files[f as usize].0);
    let named = scope.map(|s| s.rsplit([':', '.', '/']).next().unwrap_or(s));
    let rows = index
        .open
        .iter()
        .filter(|o| is_gap(index.text(o.resolution)));
    let rows = rows.filter(|o| match (file, named) {
        (Some(file), _) => o.file == file,
        (None, Some(name)) => index.text(o.name) == name,
        (None, None) => true,
    });
    let rows: Vec<_> = rows.collect();
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        let cause = index.optional(row.cause).unwrap_or("none");
        *causes.entry(cause).or_default() += 1;
    }
    let head = json!({ "scope": scope, "calls": rows.len(), "causes": causes });
    let listed = rows.iter().map(|o| {
        json!({
            "name": index.text(o.name),
            "file": index.text(o.file),
            "line_number": o.line,
            "caller": index.key(o.caller),
            "resolution": index.text(o.resolution),
            "cause": index.optional(o.cause),
        })
    });
    draft("unknowns", "calls_not_placed", head, listed.collect())
}
