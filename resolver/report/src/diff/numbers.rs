//! What follows from the edges and the text: metrics, hotspots, cycles, scores, what was left out.

use super::model::{Completeness, Cycles, InAndOut, MetricChange, ScoreChange};
use super::pairing::Pairing;
use crate::model::{Metrics, Report};
use crate::text::Text;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub(super) fn metrics(before: &Report, after: &Report, pairing: &Pairing<'_>) -> Vec<MetricChange> {
    let mut out = Vec::new();
    for (b, a) in pairing.pairs() {
        let key = pairing.after.index.key(a);
        let old = before.metrics_by_entity.get(pairing.before.index.key(b));
        let new = after.metrics_by_entity.get(key);
        if old == new {
            continue;
        }
        // No row: nothing to measure, called by nobody and calling nobody.
        let old = parts(&old.copied().unwrap_or_default());
        let new = parts(&new.copied().unwrap_or_default());
        for ((metric, before), (_, after)) in old.into_iter().zip(new) {
            if before != after {
                out.push(MetricChange {
                    entity: key.clone(),
                    metric,
                    before,
                    after,
                });
            }
        }
    }
    out
}

fn parts(m: &Metrics) -> [(&'static str, Option<u32>); 7] {
    [
        ("cyclomatic_complexity", m.cyclomatic_complexity),
        ("cognitive_complexity", m.cognitive_complexity),
        ("closure_complexity", Some(m.closure_complexity)),
        ("closures", Some(m.closures)),
        ("fan_in", Some(m.fan_in)),
        ("fan_out", Some(m.fan_out)),
        ("depth", Some(m.depth)),
    ]
}

pub(super) fn hotspots(before: &Report, after: &Report, pairing: &Pairing<'_>) -> InAndOut {
    let keys = |r: &Report| r.hotspots.iter().map(|h| h.entity.clone()).collect();
    in_and_out(keys(before), keys(after), pairing)
}

pub(super) fn reachable(before: &Report, after: &Report, pairing: &Pairing<'_>) -> InAndOut {
    let keys = |r: &Report| r.reachable_from_entry.iter().cloned().collect();
    in_and_out(keys(before), keys(after), pairing)
}

/// Keys that are in one set and whose counterpart is not in the other.
fn in_and_out(before: FxHashSet<Text>, after: FxHashSet<Text>, pairing: &Pairing<'_>) -> InAndOut {
    let mut out = InAndOut::default();
    let sides = [
        (&pairing.after, &pairing.before, &after, &before),
        (&pairing.before, &pairing.after, &before, &after),
    ];
    for (at, (side, other, own, theirs)) in sides.into_iter().enumerate() {
        let keys = (0..side.entities.len()).filter_map(|i| {
            let key = side.index.key(i);
            let counterpart = side.other[i].map(|o| other.index.key(o as usize));
            let there = counterpart.is_some_and(|key| theirs.contains(key));
            (own.contains(key) && !there).then(|| key.clone())
        });
        let mut keys: Vec<Text> = keys.collect();
        keys.sort_unstable();
        match at {
            0 => out.added = keys,
            _ => out.removed = keys,
        }
    }
    out
}

/// As `key (technology, side)`.
pub(super) fn bridges(before: &Report, after: &Report) -> InAndOut {
    let only = |a: &Report, b: &Report| {
        let rows = a
            .bridge_nodes
            .iter()
            .filter(|n| !b.bridge_nodes.contains(n));
        rows.map(|n| format!("{} ({}, {})", n.entity, n.technology, n.side).into())
            .collect()
    };
    InAndOut {
        added: only(after, before),
        removed: only(before, after),
    }
}

pub(super) fn cycles(before: &Report, after: &Report) -> Cycles {
    let only = |a: &Report, b: &Report| {
        let rows = a.dependency_cycles.iter();
        let rows = rows.filter(|c| !b.dependency_cycles.contains(c));
        rows.cloned().collect()
    };
    Cycles {
        added: only(after, before),
        removed: only(before, after),
    }
}

pub(super) fn scores(before: &Report, after: &Report) -> Vec<ScoreChange> {
    let all = |r: &Report| {
        let value = |v: serde_json::Result<Value>| v.unwrap_or(Value::Null);
        let mut all = Map::new();
        all.insert("is_complete".into(), r.is_complete.into());
        all.insert(
            "doc_coverage".into(),
            value(serde_json::to_value(r.doc_coverage)),
        );
        all.insert("fragility".into(), value(serde_json::to_value(r.fragility)));
        all.insert(
            "risk_index".into(),
            value(serde_json::to_value(r.risk_index)),
        );
        all.insert(
            "production".into(),
            value(serde_json::to_value(r.production)),
        );
        let mut flat = Vec::new();
        flatten("", &Value::Object(all), &mut flat);
        flat
    };
    let (old, new) = (all(before), all(after));
    let names: BTreeSet<&String> = old.iter().chain(&new).map(|(name, _)| name).collect();
    let value = |list: &[(String, Value)], name: &str| {
        let found = list.iter().find(|(n, _)| n == name);
        found.map_or(Value::Null, |(_, v)| v.clone())
    };
    let rows = names.into_iter().filter_map(|name| {
        let (before, after) = (value(&old, name), value(&new, name));
        (before != after).then(|| ScoreChange {
            score: name.clone(),
            before,
            after,
        })
    });
    rows.collect()
}

fn flatten(name: &str, value: &Value, out: &mut Vec<(String, Value)>) {
    let Value::Object(map) = value else {
        return out.push((name.to_owned(), value.clone()));
    };
    for (part, value) in map {
        let inner = match name {
            "" => part.clone(),
            name => format!("{name}.{part}"),
        };
        flatten(&inner, value, out);
    }
}

pub(super) fn completeness(before: &Report, after: &Report) -> Completeness {
    let skipped = |r: &Report| -> BTreeSet<String> {
        let rows = r.skipped_files.iter();
        rows.map(|s| format!("{} ({})", s.path, s.reason_code))
            .collect()
    };
    let partial = |r: &Report| -> BTreeSet<String> {
        let rows = r.partial_analysis.iter();
        let file = |f: &Option<Text>| f.as_deref().unwrap_or("the tree").to_owned();
        rows.map(|p| format!("{}: {} ({})", p.stage, file(&p.file), p.reason_code))
            .collect()
    };
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect();
    let (s1, s2) = (skipped(before), skipped(after));
    let (p1, p2) = (partial(before), partial(after));
    let newly_skipped: Vec<String> = only(&s2, &s1);
    let newly_partial: Vec<String> = only(&p2, &p1);
    Completeness {
        later_snapshot_read_less: !(newly_skipped.is_empty() && newly_partial.is_empty()),
        no_longer_skipped: only(&s1, &s2),
        no_longer_partial: only(&p1, &p2),
        newly_skipped,
        newly_partial,
    }
}
