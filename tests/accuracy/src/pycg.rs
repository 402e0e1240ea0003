//! PyCG's micro-suite: the call graph of each small program against the one that stands beside it.
//!
//! Its terms: a case is sound when no edge of its graph is missing, complete when no other edge is said; here over the
//! edges whose callee is in the case's own files. Its graphs name what a parameter may run, and lambdas by number, so
//! this adapter counts `possible` candidates at the call they stand beside and gives a lambda the calls inside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::answers::NOT_CALLS;
use crate::cache::Cache;
use crate::{Context, Result, fetch, run};

pub const VERSION: &str = "0.0.8";
const DIGEST: &str = "644b4df4346b393ca29450223da12598a6e6ad51fcfb1c218330b774f643a6c1";

type Edges = BTreeSet<(String, String)>;

#[derive(Debug)]
pub struct Case {
    /// `args/call`.
    pub name: String,
    pub missing: Vec<(String, String)>,
    pub extra: Vec<(String, String)>,
}

impl Case {
    pub fn sound(&self) -> bool {
        self.missing.is_empty()
    }

    pub fn complete(&self) -> bool {
        self.extra.is_empty()
    }
}

/// How many of the cases are sound, complete, and how many there are.
pub fn counts<'c>(cases: impl IntoIterator<Item = &'c Case>) -> (usize, usize, usize) {
    cases.into_iter().fold((0, 0, 0), |(s, c, n), case| {
        (
            s + usize::from(case.sound()),
            c + usize::from(case.complete()),
            n + 1,
        )
    })
}

/// Cases by the folder they stand in.
pub fn by_category(cases: &[Case]) -> BTreeMap<&str, Vec<&Case>> {
    let mut out: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        let category = case.name.split('/').next().unwrap_or_default();
        out.entry(category).or_default().push(case);
    }
    out
}

/// One line a failing case.
pub fn describe(case: &Case) -> String {
    let list = |edges: &[(String, String)]| {
        let all: Vec<_> = edges.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
        all.join(", ")
    };
    let mut text = case.name.clone();
    if !case.sound() {
        text.push_str(&format!(": missing {}", list(&case.missing)));
    }
    if !case.complete() {
        text.push_str(&format!(": beyond it {}", list(&case.extra)));
    }
    text
}

/// Analyses every case whose name contains one of `chosen`, or all.
pub fn run(cache: &Cache, surefoot: &Path, chosen: &[String]) -> Result<Vec<Case>> {
    let home = cache.tools()?.join(format!("pycg-{VERSION}"));
    let snippets = home.join("tree/micro-benchmark/snippets");
    if !snippets.exists() {
        fs::create_dir_all(&home).context(home.display())?;
        fetch::sdist(&home, "pycg", VERSION, DIGEST)?;
    }
    let mut cases = Vec::new();
    for category in folders(&snippets)? {
        for folder in folders(&category)? {
            let name = folder.strip_prefix(&snippets).unwrap_or(&folder);
            let name = name.to_string_lossy().into_owned();
            if chosen.is_empty() || chosen.iter().any(|c| name.contains(c.as_str())) {
                cases.push(case(surefoot, name, &folder)?);
            }
        }
    }
    Ok(cases)
}

fn folders(of: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(of).context(of.display())? {
        let path = entry.context(of.display())?.path();
        if path.is_dir() {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

fn case(surefoot: &Path, name: String, folder: &Path) -> Result<Case> {
    let path = folder.join("callgraph.json");
    let graph = fs::read_to_string(&path).context(path.display())?;
    let graph: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&graph).context(path.display())?;
    let mut analyze = Command::new(surefoot);
    analyze.arg("analyze").arg(folder);
    let out = run::output(analyze.args(["--format", "json"]))?;
    let report: Report = serde_json::from_slice(&out.stdout).context(folder.display())?;
    let tree = Tree::new(folder, &report)?;
    let inside = |callee: &str| {
        let mut modules = tree.modules.iter();
        modules.any(|m| callee == m || callee.starts_with(&format!("{m}.")))
    };
    let truth: Edges = graph
        .iter()
        .flat_map(|(from, to)| to.iter().map(|t| (from.clone(), t.clone())))
        .filter(|(_, to)| inside(to))
        .collect();
    let said: Edges = tree
        .edges(&report)
        .into_iter()
        .filter(|(_, to)| inside(to))
        .collect();
    Ok(Case {
        name,
        missing: truth.difference(&said).cloned().collect(),
        extra: said.difference(&truth).cloned().collect(),
    })
}

#[derive(Deserialize)]
struct Report {
    entities: Vec<Entity>,
    call_edges: Vec<Edge>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Entity {
    qualified_name: String,
    kind: String,
    file: String,
    line_number: u32,
    column: u32,
    end_line: u32,
}

#[derive(Deserialize)]
struct Edge {
    /// Its first part is the file of the call.
    caller: String,
    callee: String,
    line_number: u32,
    column: u32,
    #[serde(default)]
    kind: String,
    resolution: String,
    declaration_line: Option<u32>,
    #[serde(default)]
    candidates: Vec<Candidate>,
}

#[derive(Deserialize)]
struct Candidate {
    callee: String,
    declaration_line: Option<u32>,
}

#[derive(Deserialize)]
struct Dependency {
    source: String,
    kind: String,
    resolved_target: Option<String>,
}

/// A lambda of the text, by PyCG's number.
struct Lambda {
    from: (u32, u32),
    to: (u32, u32),
    name: String,
}

struct Tree<'r> {
    report: &'r Report,
    modules: BTreeSet<String>,
    lambdas: BTreeMap<String, Vec<Lambda>>,
}

impl<'r> Tree<'r> {
    fn new(folder: &Path, report: &'r Report) -> Result<Tree<'r>> {
        let files: BTreeSet<&str> = report.entities.iter().map(|e| e.file.as_str()).collect();
        let mut tree = Tree {
            report,
            modules: files.iter().map(|f| module(f)).collect(),
            lambdas: BTreeMap::new(),
        };
        for file in files {
            let path = folder.join(file);
            let text = fs::read_to_string(&path).context(path.display())?;
            let lambdas = tree.lambdas_of(file, &text);
            tree.lambdas.insert(file.to_owned(), lambdas);
        }
        Ok(tree)
    }

    fn lambdas_of(&self, file: &str, text: &str) -> Vec<Lambda> {
        let mut out: Vec<Lambda> = Vec::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (n, line) in (1..).zip(text.lines()) {
            for (at, _) in line.match_indices("lambda") {
                let around = self.report.entities.iter().filter(|e| {
                    e.file == file
                        && !matches!(e.kind.as_str(), "module" | "lambda")
                        && (e.line_number..=e.end_line).contains(&n)
                        && !(e.line_number == n && e.column as usize <= at + 1)
                });
                let scope = around.max_by_key(|e| e.line_number);
                let scope = scope.map_or_else(|| module(file), |e| dotted(&e.qualified_name));
                let number = counts.entry(scope.clone()).or_default();
                *number += 1;
                out.push(Lambda {
                    from: (n, at as u32 + 1),
                    to: (n, end_of(line, at) as u32 + 1),
                    name: format!("{scope}.<lambda{number}>"),
                });
            }
        }
        out
    }

    /// The lambda a place stands in.
    fn lambda_around(&self, file: &str, line: u32, column: u32) -> Option<&Lambda> {
        let here = (line, column);
        let mut all = self.lambdas.get(file)?.iter();
        all.rfind(|l| l.from <= here && here < l.to)
    }

    /// What PyCG calls a definition; `None` for a class whose construction runs no code of the case.
    fn name_of(&self, qualified: &str, line: Option<u32>) -> Option<String> {
        let mut found = self.report.entities.iter();
        let entity = found
            .find(|e| e.qualified_name == qualified && line.is_none_or(|l| l == e.line_number));
        let Some(entity) = entity else {
            return Some(dotted(qualified));
        };
        if entity.kind == "class" {
            return self.constructor(qualified, 0);
        }
        let mut held = self.lambdas.get(&entity.file)?.iter();
        let here = (entity.line_number, entity.column);
        let lambda = held.find(|l| match entity.kind.as_str() {
            "lambda" => l.from == here,
            _ => l.from.0 == here.0 && l.from.1 > here.1,
        });
        Some(lambda.map_or_else(|| dotted(qualified), |l| l.name.clone()))
    }

    /// `__init__` of a class or of its nearest base that has one.
    fn constructor(&self, class: &str, depth: usize) -> Option<String> {
        let own = format!("{class}::__init__");
        if self.report.entities.iter().any(|e| e.qualified_name == own) {
            return Some(dotted(&own));
        }
        // No case has a deeper hierarchy; a cyclic one must end.
        let bases = self
            .report
            .dependencies
            .iter()
            .filter(|d| depth < 16 && d.kind == "extends" && d.source == class);
        let mut bases = bases.filter_map(|d| d.resolved_target.as_deref());
        bases.find_map(|base| self.constructor(base, depth + 1))
    }

    fn edges(&self, report: &Report) -> Edges {
        let mut out = Edges::new();
        for edge in &report.call_edges {
            if NOT_CALLS.contains(&edge.kind.as_str()) {
                continue;
            }
            let file = edge.caller.split("::").next().unwrap_or_default();
            let lambda = self.lambda_around(file, edge.line_number, edge.column);
            let caller = lambda.map_or_else(|| dotted(&edge.caller), |l| l.name.clone());
            let placed = (edge.resolution == "in_tree")
                .then(|| self.name_of(&edge.callee, edge.declaration_line));
            let possible = edge.candidates.iter();
            let possible = possible.map(|c| self.name_of(&c.callee, c.declaration_line));
            for callee in placed.into_iter().chain(possible).flatten() {
                out.insert((caller.clone(), callee));
            }
        }
        out
    }
}

/// `nested/mod.py` is `nested.mod`, `nested/__init__.py` is `nested`.
fn module(file: &str) -> String {
    let dotted = file.trim_end_matches(".py").replace('/', ".");
    dotted
        .trim_end_matches("__init__")
        .trim_end_matches('.')
        .to_owned()
}

/// `main.py::A::f` is `main.A.f`.
fn dotted(qualified: &str) -> String {
    match qualified.split_once("::") {
        Some((file, rest)) => format!("{}.{}", module(file), rest.replace("::", ".")),
        None => module(qualified),
    }
}

/// Where a lambda's body ends: at the bracket, comma or line end around it.
fn end_of(line: &str, from: usize) -> usize {
    let mut depth = 0;
    let mut body = false;
    for (at, c) in line.char_indices().skip_while(|(at, _)| *at < from) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => depth -= 1,
            ':' if depth == 0 => body = true,
            ',' if depth == 0 && body => return at,
            _ => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why: the suite's graphs are compared by name, so a misnamed module or lambda fails every case it stands in.
    #[test]
    fn definitions_are_named_as_the_suite_names_them() {
        assert_eq!(dotted("main.py"), "main");
        assert_eq!(dotted("main.py::A::f"), "main.A.f");
        assert_eq!(dotted("nested/__init__.py::f"), "nested.f");
        assert_eq!(dotted("nested/mod.py::f"), "nested.mod.f");
    }

    /// Why: calls inside a lambda belong to it, and two lambdas of one line to one each.
    #[test]
    fn lambdas_are_numbered_within_their_scope_and_end_at_what_is_around_them() {
        let text = "f(lambda x: g(x, 1), lambda: h())\ndef m():\n    return (lambda: 1)\n";
        let entity = |name: &str, kind: &str, line: u32, column, end_line| Entity {
            qualified_name: format!("main.py{name}"),
            kind: kind.into(),
            file: "main.py".into(),
            line_number: line,
            column,
            end_line,
        };
        let report = Report {
            entities: vec![
                entity("", "module", 1, 1, 3),
                entity("::m", "function", 2, 5, 3),
            ],
            call_edges: Vec::new(),
            dependencies: Vec::new(),
        };
        let tree = Tree {
            report: &report,
            modules: BTreeSet::new(),
            lambdas: BTreeMap::new(),
        };
        let found = tree.lambdas_of("main.py", text);
        let found: Vec<_> = found
            .iter()
            .map(|l| (l.name.as_str(), l.from, l.to))
            .collect();
        assert_eq!(
            found,
            [
                ("main.<lambda1>", (1, 3), (1, 20)),
                ("main.<lambda2>", (1, 22), (1, 33)),
                ("main.m.<lambda1>", (3, 13), (3, 22)),
            ]
        );
    }
}
