//! Every derived number of a report, worked out again from the report itself.
//!
//! What a report finds (entities, edges, imports, complexity) is checked by
//! running the analysis again. What follows from it is checked here, with
//! nothing but the document at hand.

use crate::graph;
use crate::index::Index;
use crate::model::{Hotspot, Metrics, Production, Report};
use crate::scores::{self, Complexities, Coupling, Documentation};
use crate::snapshot_id::snapshot_id;
use crate::text::{Sorted, Text};

/// A number that does not follow from the rest of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The field of the report.
    pub field: &'static str,
    /// Which row of it; empty where the field is one value.
    pub at: String,
    pub stated: String,
    pub recomputed: String,
}

/// Fills every derived field of a report from its other fields.
pub(crate) fn complete(report: &mut Report) {
    fill(report, false);
}

/// The same of a report that was just built: cognitive complexity counts one more for what calls itself,
/// directly or through others, the one part of it that no file knows alone.
pub(crate) fn complete_fresh(report: &mut Report) {
    fill(report, true);
}

fn fill(report: &mut Report, recursion: bool) {
    let index = Index::new(&report.entities);
    let calls = graph::calls(report, &index);
    let recursive = match recursion {
        true => calls.on_cycles(),
        false => Vec::new(),
    };
    let imports = graph::imports(report, |_| true);
    let loading = graph::imports(report, |d| !d.names_only);

    let (fan_out, fan_in) = calls.fans();
    let depth = calls.depths();
    let keys = index.keys().to_vec();
    let entries = report
        .entities
        .iter()
        .enumerate()
        .filter(|(_, e)| e.entry_point.is_some());
    let reached = calls.reached(entries.map(|(i, _)| i));
    let stated = std::mem::take(&mut report.metrics_by_entity);
    let rows = keys.iter().enumerate().filter_map(|(i, key)| {
        let own = stated.get(key).copied();
        if own.is_none() && fan_out[i] == 0 && fan_in[i] == 0 {
            return None;
        }
        let mut row = Metrics {
            fan_in: fan_in[i],
            fan_out: fan_out[i],
            depth: depth[i],
            ..own.unwrap_or_default()
        };
        if let Some(cognitive) = &mut row.cognitive_complexity {
            *cognitive += u32::from(recursive.get(i) == Some(&true));
        }
        Some((key.clone(), row))
    });
    report.metrics_by_entity = Sorted::new(rows.collect());
    report.hotspots = hotspots(&report.metrics_by_entity);
    report.reachable_from_entry = sorted_keys(&keys, |i| reached[i]);
    report.dependency_cycles = cycles(report, &loading);

    let coupling = Coupling {
        files: imports.fans().0.len() as u32,
        file_edges: imports.pairs().len() as u32,
        cycles: report.dependency_cycles.len() as u32,
    };
    let everything = documentation(report, |_| true);
    let production = documentation(report, |i| report.entities[i].non_production.is_none());
    let complexities = |wanted: &dyn Fn(usize) -> bool| {
        let mut sum = Complexities::default();
        for (i, key) in keys.iter().enumerate().filter(|(i, _)| wanted(*i)) {
            if let Some(metrics) = report.metrics_by_entity.get(key) {
                debug_assert!(i < report.entities.len());
                sum.add(metrics);
            }
        }
        sum
    };
    let is_production = |i: usize| report.entities[i].non_production.is_none();
    let whole = scores::risk_index(complexities(&|_| true), coupling, everything);
    let part = scores::risk_index(complexities(&is_production), coupling, production);
    let production_entities = (0..keys.len()).filter(|&i| is_production(i)).count() as u32;

    report.fragility = scores::fragility(coupling, everything);
    report.risk_index = whole;
    report.doc_coverage = everything.coverage();
    report.production = Production {
        entities: production_entities,
        doc_coverage: production.coverage(),
        risk_index: part,
    };
    report.is_complete = is_complete(report);
    report.snapshot_id = snapshot_id(report);
}

fn is_complete(report: &Report) -> bool {
    let hidden = |reason: &Text| &**reason != "duplicate_alias";
    report.partial_analysis.is_empty()
        && !report.skipped_files.iter().any(|s| hidden(&s.reason_code))
}

fn documentation(report: &Report, wanted: impl Fn(usize) -> bool) -> Documentation {
    let mut sum = Documentation::default();
    for (i, entity) in report.entities.iter().enumerate() {
        if let Some(documented) = entity.documented.filter(|_| wanted(i)) {
            sum.assessed += 1;
            sum.documented += u32::from(documented);
        }
    }
    sum
}

fn hotspots(metrics: &Sorted<Metrics>) -> Vec<Hotspot> {
    let mut hotspots: Vec<Hotspot> = metrics
        .iter()
        .filter_map(|(entity, m)| {
            let cyclomatic = m.cyclomatic_complexity?;
            let score = scores::hotspot(m.fan_out, cyclomatic, m.depth);
            (score >= scores::HOTSPOT_FROM).then(|| Hotspot {
                entity: entity.clone(),
                score,
                fan_out: m.fan_out,
                cyclomatic_complexity: cyclomatic,
                depth: m.depth,
            })
        })
        .collect();
    hotspots.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.entity.cmp(&b.entity)));
    hotspots
}

fn sorted_keys(keys: &[Text], wanted: impl Fn(usize) -> bool) -> Vec<Text> {
    let chosen = keys.iter().enumerate().filter(|(i, _)| wanted(*i));
    let mut chosen: Vec<Text> = chosen.map(|(_, key)| key.clone()).collect();
    chosen.sort_unstable();
    chosen
}

fn cycles(report: &Report, loading: &graph::Edges) -> Vec<Vec<Text>> {
    let files = report.file_hashes.rows();
    loading
        .cycles()
        .into_iter()
        .map(|c| c.into_iter().map(|f| files[f as usize].0.clone()).collect())
        .collect()
}

/// Works out every derived field again and lists where the report says otherwise, at most `max` rows.
pub fn check(report: &Report, max: usize) -> Vec<Disagreement> {
    let mut again = report.clone();
    // What is measured from the source stays; fans and depth are to be found again, and so is the
    // row of an entity that has nothing else in it.
    again.metrics_by_entity.rows_mut().retain(|(_, m)| {
        m.cyclomatic_complexity.is_some() || m.cognitive_complexity.is_some() || m.closures > 0
    });
    complete(&mut again);

    let mut out = Vec::new();
    let mut value = |field, stated: &dyn std::fmt::Debug, recomputed: &dyn std::fmt::Debug| {
        let (stated, recomputed) = (format!("{stated:?}"), format!("{recomputed:?}"));
        if stated != recomputed {
            out.push(Disagreement {
                field,
                at: String::new(),
                stated,
                recomputed,
            });
        }
    };
    value("is_complete", &report.is_complete, &again.is_complete);
    value("snapshot_id", &report.snapshot_id, &again.snapshot_id);
    value("doc_coverage", &report.doc_coverage, &again.doc_coverage);
    value("fragility", &report.fragility, &again.fragility);
    value("risk_index", &report.risk_index, &again.risk_index);
    value("production", &report.production, &again.production);
    rows(
        "metrics_by_entity",
        report.metrics_by_entity.rows(),
        again.metrics_by_entity.rows(),
        |(key, _)| key.to_string(),
        &mut out,
    );
    rows(
        "hotspots",
        &report.hotspots,
        &again.hotspots,
        |h| h.entity.to_string(),
        &mut out,
    );
    rows(
        "dependency_cycles",
        &report.dependency_cycles,
        &again.dependency_cycles,
        |c| c.first().map(ToString::to_string).unwrap_or_default(),
        &mut out,
    );
    rows(
        "reachable_from_entry",
        &report.reachable_from_entry,
        &again.reachable_from_entry,
        ToString::to_string,
        &mut out,
    );
    out.truncate(max);
    out
}

/// The first row where two lists part, which is where a reader begins to look.
fn rows<T: PartialEq + std::fmt::Debug>(
    field: &'static str,
    stated: &[T],
    recomputed: &[T],
    name: impl Fn(&T) -> String,
    out: &mut Vec<Disagreement>,
) {
    let same = stated
        .iter()
        .zip(recomputed)
        .take_while(|(a, b)| a == b)
        .count();
    let (left, right) = (stated.get(same), recomputed.get(same));
    let Some(row) = left.or(right) else { return };
    let shown = |row: Option<&T>| row.map_or("absent".to_owned(), |row| format!("{row:?}"));
    out.push(Disagreement {
        field,
        at: name(row),
        stated: shown(left),
        recomputed: shown(right),
    });
}
