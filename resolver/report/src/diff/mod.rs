//! Two reports: what changed, and what to look at again.
//!
//! A declaration that only moved did not change. The two documents are also
//! compared whole, as `verify` compares them: a field that differs and that no
//! part of the answer speaks about is named.

mod calls;
mod model;
mod numbers;
mod pairing;

pub(crate) use calls::name_of;
pub use model::*;
pub(crate) use pairing::Pairing;

use crate::compare::compare;
use crate::cut::{Cut, cut};
use crate::graph;
use crate::model::{ConfigSelection, Entity, Provenance, Report};
use crate::text::{Sorted, Text};
use pairing::steady;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// How far to look, and how much to say.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many calls back from what changed.
    pub depth: u32,
    /// The most rows of each list; `None`: all.
    pub max_items: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: 1,
            max_items: None,
        }
    }
}

/// Compares two reports. Neither is verified here.
pub fn diff(before: &Report, after: &Report, options: &Options) -> Diff {
    let pairing = Pairing::new(&before.entities, &after.entities);
    let (entities, touched) = entities(&pairing);
    let mut out = Diff {
        before: before.snapshot_id,
        after: after.snapshot_id,
        analyzer: analyzer(&before.analyzer_provenance, &after.analyzer_provenance),
        files: files(before, after),
        configuration: configuration(before, after),
        calls: calls::calls(before, after, &pairing),
        dependencies: calls::dependencies(before, after),
        metrics: numbers::metrics(before, after, &pairing),
        hotspots: numbers::hotspots(before, after, &pairing),
        dependency_cycles: numbers::cycles(before, after),
        reachable_from_entry: numbers::reachable(before, after, &pairing),
        bridge_nodes: numbers::bridges(before, after),
        scores: numbers::scores(before, after),
        completeness: numbers::completeness(before, after),
        revalidate: Revalidate::default(),
        unexplained_fields: Vec::new(),
        truncated: Vec::new(),
        entities,
    };
    out.revalidate = revalidate(before, after, &pairing, &touched, options.depth);
    let differing = compare(before, after).fields.into_iter();
    out.unexplained_fields = differing.filter(|f| !explains(&out, f)).collect();
    out.truncated = shorten(&mut out, options.max_items);
    out
}

fn analyzer(before: &Provenance, after: &Provenance) -> Option<Analyzer> {
    let fields: Vec<&'static str> = [
        ("name", before.name != after.name),
        ("version", before.version != after.version),
        ("build", before.build != after.build),
        ("grammars", before.grammars != after.grammars),
        ("metrics", before.metrics != after.metrics),
        ("configuration", before.configuration != after.configuration),
        ("resolvers", before.resolvers != after.resolvers),
    ]
    .into_iter()
    .filter_map(|(field, differs)| differs.then_some(field))
    .collect();
    let named = |p: &Provenance| format!("{} {} ({})", p.name, p.version, p.build);
    (!fields.is_empty()).then(|| Analyzer {
        before: named(before),
        after: named(after),
        fields,
    })
}

fn files(before: &Report, after: &Report) -> Files {
    let (added, removed, changed) = sets(&before.file_hashes, &after.file_hashes);
    Files {
        added,
        removed,
        changed,
    }
}

fn sets<V: PartialEq>(before: &Sorted<V>, after: &Sorted<V>) -> (Vec<Text>, Vec<Text>, Vec<Text>) {
    let only = |a: &Sorted<V>, b: &Sorted<V>| {
        let keys = a.iter().map(|(key, _)| key);
        let keys = keys.filter(|key| !b.contains(key));
        keys.cloned().collect::<Vec<Text>>()
    };
    let changed = after.iter().filter(|(key, value)| {
        let old = before.get(key);
        old.is_some_and(|old| old != *value)
    });
    (
        only(after, before),
        only(before, after),
        changed.map(|(key, _)| key.clone()).collect(),
    )
}

fn configuration(before: &Report, after: &Report) -> Configuration {
    let inputs = |r: &Report| {
        let rows = r.config_inputs.iter();
        let rows = rows.map(|c| (c.path.clone(), (c.kind.clone(), c.digest)));
        Sorted::new(rows.collect())
    };
    let (added, removed, changed) = sets(&inputs(before), &inputs(after));
    let selections =
        |r: &Report| -> BTreeSet<ConfigSelection> { r.config_selections.iter().cloned().collect() };
    let (old, new) = (selections(before), selections(after));
    let differ: BTreeSet<Text> = old
        .symmetric_difference(&new)
        .map(|s| s.context.clone())
        .collect();
    Configuration {
        added,
        removed,
        changed,
        selections: differ.into_iter().collect(),
    }
}

/// The entities of the later report that changed, and those whose callers have to be looked at for
/// what is gone.
struct Touched {
    after: FxHashSet<usize>,
    before: FxHashSet<usize>,
}

fn entities(pairing: &Pairing<'_>) -> (Entities, Touched) {
    let mut out = Entities::default();
    let mut touched = Touched {
        after: FxHashSet::default(),
        before: FxHashSet::default(),
    };
    for (b, a) in pairing.pairs() {
        let (old, new) = (&pairing.before.entities[b], &pairing.after.entities[a]);
        let fields = changed_fields(old, new);
        // The module of a file has the digest of the file, which is listed as a file.
        let only_text = fields == ["content_digest"] && &*new.kind == "module";
        if fields.is_empty() && is_file(new) {
            continue;
        } else if fields.is_empty() {
            let place = |e: &Entity| (e.line_number, e.column, e.end_line);
            out.moved += usize::from(place(old) != place(new) || old.name != new.name);
        } else if !only_text {
            touched.after.insert(a);
            out.changed.push(ChangedEntity {
                qualified_name: new.qualified_name.clone(),
                file: new.file.clone(),
                line_number: new.line_number,
                fields,
            });
        }
    }
    for (b, a) in &pairing.relocated {
        out.relocated.push(Relocated {
            from: pairing.before.index.key(*b as usize).clone(),
            to: pairing.after.index.key(*a as usize).clone(),
        });
    }
    for (i, entity) in pairing.before.entities.iter().enumerate() {
        if pairing.before.other[i].is_none() && !is_file(entity) {
            touched.before.insert(i);
            out.removed.push(named(entity));
        }
    }
    for (i, entity) in pairing.after.entities.iter().enumerate() {
        if pairing.after.other[i].is_none() && !is_file(entity) {
            touched.after.insert(i);
            out.added.push(named(entity));
        }
    }
    (out, touched)
}

/// The module of a file comes, goes and grows with the file, which is listed as a file.
fn is_file(entity: &Entity) -> bool {
    entity.qualified_name == entity.file
}

fn named(entity: &Entity) -> Named {
    Named {
        qualified_name: entity.qualified_name.clone(),
        kind: entity.kind.clone(),
        file: entity.file.clone(),
        line_number: entity.line_number,
    }
}

/// Uses of a parameter, apart from where they stand: its name, how many there
/// are, and what is said of them.
type Uses = (Text, usize, bool, bool, bool);

/// Which fields of a declaration say something else, where it stands aside.
fn changed_fields(old: &Entity, new: &Entity) -> Vec<&'static str> {
    let uses = |e: &Entity| -> Option<Vec<Uses>> {
        let uses = e.body_features.as_ref()?.parameter_uses.iter();
        // Lines move with the declaration; how many there are does not.
        let row = uses.map(|u| {
            let lines = u.use_lines.len();
            (
                u.variable.clone(),
                lines,
                u.overwritten,
                u.intended,
                u.maybe,
            )
        });
        Some(row.collect())
    };
    let differs = [
        ("kind", old.kind != new.kind),
        (
            "name",
            &*old.kind != "module" && steady(&old.name) != steady(&new.name),
        ),
        ("parameters", old.parameters != new.parameters),
        ("documented", old.documented != new.documented),
        ("non_production", old.non_production != new.non_production),
        ("content_digest", old.content_digest != new.content_digest),
        ("entry_point", old.entry_point != new.entry_point),
        ("partial", old.partial != new.partial),
        ("body_features", uses(old) != uses(new)),
    ];
    differs.iter().filter(|d| d.1).map(|d| d.0).collect()
}

/// Walks back along the calls of the later report. An edge that was never placed cannot be walked.
fn revalidate(
    before: &Report,
    after: &Report,
    pairing: &Pairing<'_>,
    touched: &Touched,
    depth: u32,
) -> Revalidate {
    let index = &pairing.after.index;
    let edges = graph::calls(after, index);
    let mut seen: FxHashSet<usize> = touched.after.clone();
    let mut found: Vec<usize> = Vec::new();
    let mut front: FxHashSet<usize> = touched.after.clone();
    for step in 0..depth {
        let mut next = FxHashSet::default();
        for &(from, to) in edges.pairs() {
            if front.contains(&(to as usize)) && seen.insert(from as usize) {
                next.insert(from as usize);
            }
        }
        if step == 0 {
            // Who called what is gone still stands, and its call now leads elsewhere.
            let old = graph::calls(before, &pairing.before.index);
            for &(from, to) in old.pairs() {
                let caller = pairing.before.other[from as usize];
                if let Some(caller) = caller.filter(|_| touched.before.contains(&(to as usize)))
                    && seen.insert(caller as usize)
                {
                    next.insert(caller as usize);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        found.extend(&next);
        front = next;
    }
    let mut names: FxHashSet<&str> = seen
        .iter()
        .map(|&i| &*pairing.after.entities[i].name)
        .collect();
    names.extend(
        touched
            .before
            .iter()
            .map(|&i| &*pairing.before.entities[i].name),
    );
    let open = after.call_edges.iter().filter(|e| {
        matches!(&*e.resolution, "unresolved" | "undetermined") && names.contains(name_of(e))
    });
    let unresolved_candidates = open.count();
    let mut entities: Vec<Text> = found.iter().map(|&i| index.key(i).clone()).collect();
    entities.sort_unstable();
    Revalidate {
        depth,
        entities,
        unresolved_candidates,
        complete: unresolved_candidates == 0 && before.is_complete && after.is_complete,
    }
}

/// Whether some part of the answer speaks about a field of the report.
fn explains(d: &Diff, field: &str) -> bool {
    let (e, c) = (&d.entities, &d.calls);
    let in_and_out = |l: &InAndOut| !(l.added.is_empty() && l.removed.is_empty());
    let scored = |name: &str| {
        d.scores
            .iter()
            .any(|s| s.score.split('.').next() == Some(name))
    };
    let none = e.added.is_empty() && e.removed.is_empty() && e.changed.is_empty();
    let any_entity = !none || !e.relocated.is_empty() || e.moved > 0;
    let f = &d.files;
    let files = !(f.added.is_empty() && f.removed.is_empty() && f.changed.is_empty());
    match field {
        "file_hashes" => files,
        "config_inputs" => {
            let c = &d.configuration;
            !(c.added.is_empty() && c.removed.is_empty() && c.changed.is_empty())
        }
        "config_selections" => !d.configuration.selections.is_empty(),
        "entities" => any_entity || files,
        "call_edges" => {
            !(c.added.is_empty() && c.removed.is_empty() && c.changed.is_empty()) || c.moved > 0
        }
        "dependencies" => {
            let i = &d.dependencies;
            !(i.added.is_empty() && i.removed.is_empty()) || i.moved > 0
        }
        // A key holds a name and, where several bear it, a line: both go with the entities.
        "metrics_by_entity" => !d.metrics.is_empty() || any_entity,
        "hotspots" => in_and_out(&d.hotspots) || !d.metrics.is_empty() || any_entity,
        "reachable_from_entry" => in_and_out(&d.reachable_from_entry) || any_entity,
        "bridge_nodes" => in_and_out(&d.bridge_nodes) || any_entity,
        "dependency_cycles" => {
            !(d.dependency_cycles.added.is_empty() && d.dependency_cycles.removed.is_empty())
        }
        "fragility" | "risk_index" | "doc_coverage" | "production" => scored(field),
        "skipped_files" => {
            let c = &d.completeness;
            !(c.newly_skipped.is_empty() && c.no_longer_skipped.is_empty())
        }
        "partial_analysis" => {
            let c = &d.completeness;
            !(c.newly_partial.is_empty() && c.no_longer_partial.is_empty())
        }
        "is_complete" => scored("is_complete"),
        _ => false,
    }
}

fn shorten(d: &mut Diff, max: Option<usize>) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let c = &mut cuts;
    cut("files.added", &mut d.files.added, max, c);
    cut("files.removed", &mut d.files.removed, max, c);
    cut("files.changed", &mut d.files.changed, max, c);
    cut("configuration.added", &mut d.configuration.added, max, c);
    cut(
        "configuration.removed",
        &mut d.configuration.removed,
        max,
        c,
    );
    cut(
        "configuration.changed",
        &mut d.configuration.changed,
        max,
        c,
    );
    cut(
        "configuration.selections",
        &mut d.configuration.selections,
        max,
        c,
    );
    cut("entities.added", &mut d.entities.added, max, c);
    cut("entities.removed", &mut d.entities.removed, max, c);
    cut("entities.changed", &mut d.entities.changed, max, c);
    cut("entities.relocated", &mut d.entities.relocated, max, c);
    cut("calls.added", &mut d.calls.added, max, c);
    cut("calls.removed", &mut d.calls.removed, max, c);
    cut("calls.changed", &mut d.calls.changed, max, c);
    cut("dependencies.added", &mut d.dependencies.added, max, c);
    cut("dependencies.removed", &mut d.dependencies.removed, max, c);
    cut("metrics", &mut d.metrics, max, c);
    cut("hotspots.added", &mut d.hotspots.added, max, c);
    cut("hotspots.removed", &mut d.hotspots.removed, max, c);
    cut("bridge_nodes.added", &mut d.bridge_nodes.added, max, c);
    cut("bridge_nodes.removed", &mut d.bridge_nodes.removed, max, c);
    cut(
        "dependency_cycles.added",
        &mut d.dependency_cycles.added,
        max,
        c,
    );
    cut(
        "dependency_cycles.removed",
        &mut d.dependency_cycles.removed,
        max,
        c,
    );
    let reachable = &mut d.reachable_from_entry;
    cut("reachable_from_entry.added", &mut reachable.added, max, c);
    cut(
        "reachable_from_entry.removed",
        &mut reachable.removed,
        max,
        c,
    );
    let gaps = &mut d.completeness;
    cut(
        "completeness.newly_skipped",
        &mut gaps.newly_skipped,
        max,
        c,
    );
    cut(
        "completeness.no_longer_skipped",
        &mut gaps.no_longer_skipped,
        max,
        c,
    );
    cut(
        "completeness.newly_partial",
        &mut gaps.newly_partial,
        max,
        c,
    );
    cut(
        "completeness.no_longer_partial",
        &mut gaps.no_longer_partial,
        max,
        c,
    );
    cut("revalidate.entities", &mut d.revalidate.entities, max, c);
    cuts
}
