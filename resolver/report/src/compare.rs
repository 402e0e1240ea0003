//! Two reports of one tree, field by field: which fields differ, and where each first does.

use crate::model::{CallEdge, Dependency, Entity, Report, file_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// One place where two reports part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The field of the report.
    pub field: String,
    /// The file it is about, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_number: Option<u32>,
    /// For a person; may be reworded.
    pub what: String,
}

/// What differs between a report and a fresh analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    pub fields: Vec<&'static str>,
    /// At most [`PER_FIELD`] for each field.
    pub differences: Vec<Difference>,
}

/// A report whose tree moved away differs everywhere; a person needs the beginning.
pub const PER_FIELD: usize = 20;

/// Compares every field that follows from the tree. Not compared: the id and
/// the provenance, which are settled before.
pub fn compare(report: &Report, fresh: &Report) -> Comparison {
    let mut out = Comparison::default();
    lists(
        &mut out,
        "file_hashes",
        report.file_hashes.rows(),
        fresh.file_hashes.rows(),
        |(path, _)| At::new(path, 0, path.to_string()),
    );
    lists(
        &mut out,
        "config_inputs",
        &report.config_inputs,
        &fresh.config_inputs,
        |c| At::new(&c.path, 0, c.path.to_string()),
    );
    lists(
        &mut out,
        "config_selections",
        &report.config_selections,
        &fresh.config_selections,
        |c| At::new("", 0, format!("the configuration of `{}`", c.context)),
    );
    lists(
        &mut out,
        "entities",
        &report.entities,
        &fresh.entities,
        entity,
    );
    lists(
        &mut out,
        "call_edges",
        &report.call_edges,
        &fresh.call_edges,
        edge,
    );
    lists(
        &mut out,
        "dependencies",
        &report.dependencies,
        &fresh.dependencies,
        dependency,
    );
    lists(
        &mut out,
        "metrics_by_entity",
        report.metrics_by_entity.rows(),
        fresh.metrics_by_entity.rows(),
        |(key, _)| At::new(file_of(key), 0, key.to_string()),
    );
    lists(
        &mut out,
        "hotspots",
        &report.hotspots,
        &fresh.hotspots,
        |h| At::new(file_of(&h.entity), 0, h.entity.to_string()),
    );
    values(&mut out, "fragility", &report.fragility, &fresh.fragility);
    values(
        &mut out,
        "risk_index",
        &report.risk_index,
        &fresh.risk_index,
    );
    values(
        &mut out,
        "doc_coverage",
        &report.doc_coverage,
        &fresh.doc_coverage,
    );
    values(
        &mut out,
        "production",
        &report.production,
        &fresh.production,
    );
    lists(
        &mut out,
        "dependency_cycles",
        &report.dependency_cycles,
        &fresh.dependency_cycles,
        |c| At::new(c.first().map_or("", |f| f), 0, format!("{c:?}")),
    );
    lists(
        &mut out,
        "reachable_from_entry",
        &report.reachable_from_entry,
        &fresh.reachable_from_entry,
        |key| At::new(file_of(key), 0, key.to_string()),
    );
    lists(
        &mut out,
        "bridge_nodes",
        &report.bridge_nodes,
        &fresh.bridge_nodes,
        |b| {
            At::new(
                file_of(&b.entity),
                0,
                format!("{} {}", b.entity, b.technology),
            )
        },
    );
    // The sentence beside a code may carry the words of an operating system.
    lists(
        &mut out,
        "skipped_files",
        &codes(&report.skipped_files, |s| (&s.path, &s.reason_code)),
        &codes(&fresh.skipped_files, |s| (&s.path, &s.reason_code)),
        |(path, code)| At::new(path, 0, format!("{path} ({code})")),
    );
    lists(
        &mut out,
        "partial_analysis",
        &report.partial_analysis,
        &fresh.partial_analysis,
        |p| {
            let file = p.file.as_deref().unwrap_or("");
            At::new(file, 0, format!("{} ({})", file, p.reason_code))
        },
    );
    values(
        &mut out,
        "is_complete",
        &report.is_complete,
        &fresh.is_complete,
    );
    out
}

/// Where a row belongs, and what tells it from the rows beside it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct At {
    file: String,
    line: u32,
    key: String,
}

impl At {
    fn new(file: &str, line: u32, key: String) -> At {
        At {
            file: file.to_owned(),
            line,
            key,
        }
    }
}

fn entity(e: &Entity) -> At {
    let key = format!("{} {}:{}", e.qualified_name, e.line_number, e.column);
    At::new(&e.file, e.line_number, key)
}

fn edge(e: &CallEdge) -> At {
    let name = e.name.as_ref().unwrap_or(&e.callee);
    let last = name.rsplit("::").next().unwrap_or(name);
    let key = format!("the call of `{last}` at {}:{}", e.line_number, e.column);
    At::new(e.file(), e.line_number, key)
}

fn dependency(d: &Dependency) -> At {
    let key = format!("{} of `{}` at {}", d.kind, d.target, d.line_number);
    At::new(file_of(&d.source), d.line_number, key)
}

fn codes<'a, T>(
    list: &'a [T],
    of: impl Fn(&'a T) -> (&'a crate::Text, &'a crate::Text),
) -> Vec<(String, String)> {
    list.iter()
        .map(|item| {
            let (path, code) = of(item);
            (path.to_string(), code.to_string())
        })
        .collect()
}

fn values<T: PartialEq + Serialize>(
    out: &mut Comparison,
    field: &'static str,
    stated: &T,
    fresh: &T,
) {
    if stated == fresh {
        return;
    }
    out.fields.push(field);
    out.differences.push(Difference {
        field: field.to_owned(),
        file: None,
        line_number: None,
        what: parted(stated, fresh),
    });
}

fn lists<T: PartialEq + Serialize>(
    out: &mut Comparison,
    field: &'static str,
    stated: &[T],
    fresh: &[T],
    at: impl Fn(&T) -> At,
) {
    if stated == fresh {
        return;
    }
    out.fields.push(field);
    let first = out.differences.len();
    let sorted = |list: &[T]| {
        let rows = list.iter().enumerate().map(|(i, row)| (at(row), i));
        let mut rows: Vec<(At, usize)> = rows.collect();
        rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        rows
    };
    let (left, right) = (sorted(stated), sorted(fresh));
    let (mut i, mut j) = (0, 0);
    while out.differences.len() < first + PER_FIELD {
        let order = match (left.get(i), right.get(j)) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let (at, what) = match order {
            Ordering::Less => {
                i += 1;
                let at = &left[i - 1].0;
                (at, format!("{}: only in the report", at.key))
            }
            Ordering::Greater => {
                j += 1;
                let at = &right[j - 1].0;
                (at, format!("{}: not in the report", at.key))
            }
            Ordering::Equal => {
                let (a, b) = (&stated[left[i].1], &fresh[right[j].1]);
                (i, j) = (i + 1, j + 1);
                if a == b {
                    continue;
                }
                let at = &left[i - 1].0;
                (at, format!("{}: {}", at.key, parted(a, b)))
            }
        };
        out.differences.push(Difference {
            field: field.to_owned(),
            file: (!at.file.is_empty()).then(|| at.file.clone()),
            line_number: (at.line > 0).then_some(at.line),
            what,
        });
    }
    if out.differences.len() == first {
        out.differences.push(Difference {
            field: field.to_owned(),
            file: None,
            line_number: None,
            what: "the same rows in another order".to_owned(),
        });
    }
}

/// The parts of two values that differ, by the names a reader of the document knows.
fn parted(stated: &impl Serialize, fresh: &impl Serialize) -> String {
    let value = |v: serde_json::Result<Value>| v.unwrap_or(Value::Null);
    let mut out = Vec::new();
    part(
        "",
        &value(serde_json::to_value(stated)),
        &value(serde_json::to_value(fresh)),
        &mut out,
    );
    out.join("; ")
}

/// Rows nest a few levels, as the model does; never as a document might.
fn part(name: &str, stated: &Value, fresh: &Value, out: &mut Vec<String>) {
    if stated == fresh {
        return;
    }
    match (stated, fresh) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for inner in names {
                let side = |map: &serde_json::Map<String, Value>| {
                    map.get(inner).cloned().unwrap_or(Value::Null)
                };
                part(inner, &side(a), &side(b), out);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                part(name, a, b, out);
            }
        }
        _ => {
            let name = match name {
                "" => String::new(),
                name => format!("{name} "),
            };
            let (stated, fresh) = (shown(stated), shown(fresh));
            out.push(format!("{name}is {stated} in the report and {fresh} here"));
        }
    }
}

fn shown(value: &Value) -> String {
    const SHOWN: usize = 80;
    let text = match value {
        Value::Null => "absent".to_owned(),
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    let mut cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
