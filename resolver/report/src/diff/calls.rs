//! Calls and imports of two reports: came, went, came to something else, or only moved.

use super::model::{Call, Calls, ChangedCall, Dependencies, Import, Outcome};
use super::pairing::{Pairing, Same, Side, steady};
use crate::model::{CallEdge, Dependency, Report};
use rustc_hash::{FxHashMap, FxHasher};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// A call as it is the same on both sides: who calls, by which name, how.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    caller: End<'a>,
    name: &'a str,
    kind: Option<&'a str>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum End<'a> {
    Entity(Same),
    Name(&'a str),
}

/// What became of a call, positions aside.
#[derive(PartialEq, Eq, Hash)]
struct Substance<'a> {
    callee: End<'a>,
    resolution: &'a str,
    tier: Option<&'a str>,
    rule: Option<&'a str>,
    cause: Option<&'a str>,
    resolved_by: Option<&'a str>,
    candidates: u64,
    via: u64,
}

struct Row<'a> {
    edge: &'a CallEdge,
    substance: Substance<'a>,
}

pub(super) fn calls(before: &Report, after: &Report, pairing: &Pairing<'_>) -> Calls {
    let mut groups: FxHashMap<Key<'_>, (Vec<Row<'_>>, Vec<Row<'_>>)> = FxHashMap::default();
    for edge in &before.call_edges {
        let of = |i| pairing.of_before(i);
        let (key, row) = row(edge, &pairing.before, &of);
        groups.entry(key).or_default().0.push(row);
    }
    for edge in &after.call_edges {
        let of = |i| pairing.of_after(i);
        let (key, row) = row(edge, &pairing.after, &of);
        groups.entry(key).or_default().1.push(row);
    }
    let mut out = Calls::default();
    for (olds, news) in groups.into_values() {
        group(olds, news, &mut out);
    }
    let place = |c: &Call| (c.file.clone(), c.line_number, c.callee.clone());
    out.added.sort_by_cached_key(place);
    out.removed.sort_by_cached_key(place);
    out.changed
        .sort_by_cached_key(|c| (c.file.clone(), c.line_number, c.name.clone()));
    out
}

fn row<'a>(edge: &'a CallEdge, side: &Side<'a>, of: &dyn Fn(usize) -> Same) -> (Key<'a>, Row<'a>) {
    let end = |name: &'a str, line, column| match side.index.find(name, line, column) {
        Some(i) => End::Entity(of(i)),
        None => End::Name(name),
    };
    let callee = match &*edge.resolution {
        "in_tree" => end(&edge.callee, edge.declaration_line, edge.declaration_column),
        _ => End::Name(&edge.callee),
    };
    let mut candidates = FxHasher::default();
    for c in &edge.candidates {
        end(&c.callee, c.declaration_line, c.declaration_column).hash(&mut candidates);
        c.rule.hash(&mut candidates);
    }
    edge.candidates_left_out.hash(&mut candidates);
    let mut via = FxHasher::default();
    for step in &edge.via {
        (&step.role, &step.file).hash(&mut via);
    }
    let key = Key {
        caller: end(&edge.caller, edge.caller_line, edge.caller_column),
        name: name_of(edge),
        kind: edge.kind.as_deref(),
    };
    let substance = Substance {
        callee,
        resolution: &edge.resolution,
        tier: edge.tier.as_deref(),
        rule: edge.rule.as_deref(),
        cause: edge.cause.as_deref(),
        resolved_by: edge.resolved_by.as_deref(),
        candidates: candidates.finish(),
        via: via.finish(),
    };
    (key, Row { edge, substance })
}

/// The name a call is written with.
pub(crate) fn name_of(edge: &CallEdge) -> &str {
    match &edge.name {
        Some(name) => name,
        None => edge.callee.rsplit([':', '.']).next().unwrap_or(""),
    }
}

/// Both lists are in source order; equal calls are one, what is left is changed, then come or gone.
fn group(olds: Vec<Row<'_>>, news: Vec<Row<'_>>, out: &mut Calls) {
    let mut by_substance: FxHashMap<&Substance<'_>, VecDeque<usize>> = FxHashMap::default();
    for (i, new) in news.iter().enumerate() {
        by_substance.entry(&new.substance).or_default().push_back(i);
    }
    let mut taken = vec![false; news.len()];
    let mut rest = Vec::new();
    for old in &olds {
        let same = by_substance.get_mut(&old.substance);
        match same.and_then(VecDeque::pop_front) {
            Some(at) => {
                taken[at] = true;
                let place = |e: &CallEdge| (e.line_number, e.column);
                out.moved += usize::from(place(old.edge) != place(news[at].edge));
            }
            None => rest.push(old),
        }
    }
    let mut left = (0..news.len()).filter(|&i| !taken[i]).map(|i| &news[i]);
    for old in rest {
        match left.next() {
            Some(new) => out.changed.push(changed(old, new)),
            None => out.removed.push(call(old.edge)),
        }
    }
    out.added.extend(left.map(|new| call(new.edge)));
}

fn changed(old: &Row<'_>, new: &Row<'_>) -> ChangedCall {
    let (a, b) = (&old.substance, &new.substance);
    let differs = [
        ("callee", a.callee != b.callee),
        ("resolution", a.resolution != b.resolution),
        ("tier", a.tier != b.tier),
        ("rule", a.rule != b.rule),
        ("cause", a.cause != b.cause),
        ("resolved_by", a.resolved_by != b.resolved_by),
        ("candidates", a.candidates != b.candidates),
        ("via", a.via != b.via),
    ];
    ChangedCall {
        caller: new.edge.caller.clone(),
        name: name_of(new.edge).into(),
        file: new.edge.file().into(),
        line_number: new.edge.line_number,
        fields: differs.iter().filter(|d| d.1).map(|d| d.0).collect(),
        before: outcome(old.edge),
        after: outcome(new.edge),
    }
}

fn outcome(edge: &CallEdge) -> Outcome {
    Outcome {
        callee: edge.callee.clone(),
        resolution: edge.resolution.clone(),
        tier: edge.tier.clone(),
        rule: edge.rule.clone(),
        cause: edge.cause.clone(),
    }
}

fn call(edge: &CallEdge) -> Call {
    Call {
        caller: edge.caller.clone(),
        callee: edge.callee.clone(),
        file: edge.file().into(),
        line_number: edge.line_number,
        resolution: edge.resolution.clone(),
        tier: edge.tier.clone(),
    }
}

pub(super) fn dependencies(before: &Report, after: &Report) -> Dependencies {
    type Key<'a> = (
        Cow<'a, str>,
        &'a str,
        &'a str,
        &'a str,
        Option<Cow<'a, str>>,
        bool,
    );
    fn key(d: &Dependency) -> Key<'_> {
        (
            steady(&d.source),
            &d.target,
            &d.kind,
            &d.resolution,
            d.resolved_target.as_deref().map(steady),
            d.names_only,
        )
    }
    let mut old: FxHashMap<Key<'_>, Vec<&Dependency>> = FxHashMap::default();
    for d in before.dependencies.iter().rev() {
        old.entry(key(d)).or_default().push(d);
    }
    let mut out = Dependencies::default();
    for d in &after.dependencies {
        match old.get_mut(&key(d)).and_then(Vec::pop) {
            Some(same) => out.moved += usize::from(same.line_number != d.line_number),
            None => out.added.push(import(d)),
        }
    }
    out.removed = old.into_values().flatten().map(import).collect();
    let order = |i: &Import| (i.source.clone(), i.target.clone(), i.kind.clone());
    out.removed.sort_by_cached_key(order);
    out.added.sort_by_cached_key(order);
    out
}

fn import(d: &Dependency) -> Import {
    Import {
        source: d.source.clone(),
        target: d.target.clone(),
        kind: d.kind.clone(),
        resolution: d.resolution.clone(),
        resolved_target: d.resolved_target.clone(),
    }
}
