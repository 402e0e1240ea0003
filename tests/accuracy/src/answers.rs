//! What a tool said of each call site: read from a Surefoot report, or from a peer's adapted output.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::truth::{Place, simple_name};
use crate::{Context, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// One target in the tree.
    Placed {
        place: Place,
        tier: String,
        rule: String,
        name: String,
    },
    Outside,
    /// No target: undetermined, unresolved, or a value held by a parameter or local.
    Open {
        cause: String,
    },
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub said: Said,
    pub candidates: Vec<Place>,
    pub caller: Option<Caller>,
}

#[derive(Debug, Clone)]
pub struct Caller {
    pub name: String,
    /// Where the caller's name may stand: several when its qualified name is not unique.
    pub places: Vec<Place>,
    pub kind: String,
    pub file: String,
}

/// Answers by file, line and 1-based byte column of the callee's name.
#[derive(Debug, Default)]
pub struct Answers {
    by_site: HashMap<String, HashMap<(u32, u32), Vec<Answer>>>,
    pub edges: usize,
}

impl Answers {
    pub fn add(&mut self, file: &str, line: u32, col: u32, answer: Answer) {
        if !self.by_site.contains_key(file) {
            self.by_site.insert(file.to_owned(), HashMap::new());
        }
        if let Some(sites) = self.by_site.get_mut(file) {
            sites.entry((line, col)).or_default().push(answer);
            self.edges += 1;
        }
    }

    /// The answers at a site. A quoted member's name may be taken to begin at its quote.
    pub fn at(&self, file: &str, line: u32, col: u32, quoted: bool) -> &[Answer] {
        let Some(sites) = self.by_site.get(file) else {
            return &[];
        };
        sites
            .get(&(line, col))
            .or_else(|| {
                if quoted {
                    sites.get(&(line, col.saturating_sub(1)))
                } else {
                    None
                }
            })
            .map_or(&[], Vec::as_slice)
    }
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    entities: Vec<Entity>,
    #[serde(default)]
    call_edges: Vec<Edge>,
}

#[derive(Deserialize)]
struct Entity {
    qualified_name: String,
    #[serde(default)]
    kind: String,
    file: Option<String>,
    line_number: u32,
}

#[derive(Deserialize)]
struct Edge {
    #[serde(default)]
    caller: Option<String>,
    #[serde(default)]
    callee: Option<String>,
    /// Absent: the file of the caller.
    file: Option<String>,
    line_number: u32,
    column: u32,
    #[serde(default)]
    kind: String,
    resolution: String,
    tier: Option<String>,
    rule: Option<String>,
    cause: Option<String>,
    declaration_line: Option<u32>,
    caller_line: Option<u32>,
    #[serde(default)]
    candidates: Vec<Candidate>,
}

#[derive(Deserialize)]
struct Candidate {
    callee: String,
    declaration_line: Option<u32>,
}

/// Edge kinds that are not calls: a macro is expanded, a value is named.
pub const NOT_CALLS: &[&str] = &[
    "macro",
    "value",
    "reference",
    "type",
    "import",
    "passes-as-value",
];

/// A report's answers. `report` is the text of the JSON document.
pub fn from_report(report: &str) -> Result<Answers> {
    let report: Report = serde_json::from_str(report).context("the report")?;
    let mut entities: HashMap<&str, Vec<&Entity>> = HashMap::new();
    for e in &report.entities {
        entities.entry(&e.qualified_name).or_default().push(e);
    }
    let file_of = |e: &Entity| match &e.file {
        Some(f) => f.clone(),
        None => e
            .qualified_name
            .split("::")
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    let places = |name: &str, line: Option<u32>| -> Vec<Place> {
        let found = entities.get(name).map_or(&[][..], Vec::as_slice);
        let exact: Vec<_> = found
            .iter()
            .filter(|e| line.is_none_or(|l| l == e.line_number))
            .collect();
        if let (true, Some(l), Some((file, _))) = (exact.is_empty(), line, name.split_once("::")) {
            return vec![Place(file.to_owned(), l)];
        }
        exact
            .iter()
            .map(|e| Place(file_of(e), e.line_number))
            .collect()
    };

    let mut answers = Answers::default();
    for edge in &report.call_edges {
        if NOT_CALLS.contains(&edge.kind.as_str()) {
            continue;
        }
        let callee = edge.callee.as_deref().unwrap_or_default();
        let said = match edge.resolution.as_str() {
            "in_tree" => match places(callee, edge.declaration_line).first() {
                Some(place) => Said::Placed {
                    place: place.clone(),
                    tier: edge.tier.clone().unwrap_or_else(|| "certain".into()),
                    rule: edge.rule.clone().unwrap_or_default(),
                    name: callee.to_owned(),
                },
                None => Said::Open {
                    cause: "target-not-among-entities".into(),
                },
            },
            "outside" => Said::Outside,
            "parameter" | "local" => Said::Open {
                cause: format!("said-{}", edge.resolution),
            },
            other => Said::Open {
                cause: edge.cause.clone().unwrap_or_else(|| other.to_owned()),
            },
        };
        let caller = edge.caller.as_deref().map(|name| Caller {
            name: name.to_owned(),
            places: places(name, edge.caller_line),
            kind: entities
                .get(name)
                .and_then(|e| e.first())
                .map_or_else(String::new, |e| e.kind.clone()),
            file: name.split("::").next().unwrap_or_default().to_owned(),
        });
        let mut candidates: Vec<Place> = edge
            .candidates
            .iter()
            .flat_map(|c| places(&c.callee, c.declaration_line))
            .collect();
        candidates.sort();
        candidates.dedup();
        let of_caller = || {
            let caller = edge.caller.as_deref().unwrap_or_default();
            caller.split("::").next().unwrap_or_default().to_owned()
        };
        let file = edge.file.clone().unwrap_or_else(of_caller);
        answers.add(
            &file,
            edge.line_number,
            edge.column,
            Answer {
                said,
                candidates,
                caller,
            },
        );
    }
    Ok(answers)
}

#[derive(Deserialize)]
struct PeerLine {
    file: String,
    line: u32,
    col: u32,
    said: PeerSaid,
    target: Option<Place>,
    #[serde(default)]
    callee: String,
    caller: Option<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PeerSaid {
    Placed,
    Outside,
    Open,
}

/// A peer's answers in the adapters' schema (README.md).
pub fn from_peer(path: &Path) -> Result<Answers> {
    let text = fs::read_to_string(path).context(path.display())?;
    let mut answers = Answers::default();
    for (n, line) in text.lines().enumerate() {
        let p: PeerLine =
            serde_json::from_str(line).context(format_args!("{}:{}", path.display(), n + 1))?;
        let said = match (p.said, p.target) {
            (PeerSaid::Placed, Some(place)) => Said::Placed {
                place,
                tier: "placed".into(),
                rule: String::new(),
                name: p.callee,
            },
            (PeerSaid::Outside, _) => Said::Outside,
            _ => Said::Open {
                cause: "undetermined".into(),
            },
        };
        let caller = p.caller.map(|place| Caller {
            name: String::new(),
            kind: String::new(),
            file: place.0.clone(),
            places: vec![place],
        });
        answers.add(
            &p.file,
            p.line,
            p.col,
            Answer {
                said,
                candidates: Vec::new(),
                caller,
            },
        );
    }
    Ok(answers)
}

/// Whether a said name and a judged one end in the same simple name.
pub fn same_simple_name(said: &str, judged: &str) -> bool {
    let simple = simple_name(said);
    !simple.is_empty() && simple == simple_name(judged)
}
