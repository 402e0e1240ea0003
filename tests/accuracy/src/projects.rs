//! The table of pinned projects, read from `projects.toml` beside this crate.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{Context, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registry {
    Crates,
    Npm,
    Pypi,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeKind {
    /// rustc's typed tree.
    Thir,
    /// The TypeScript checker.
    Checker,
    /// pyright and jedi, where they agree.
    Oracles,
}

impl JudgeKind {
    /// How a sentence calls it.
    pub fn words(self) -> &'static str {
        match self {
            JudgeKind::Thir => "rustc's typed tree",
            JudgeKind::Checker => "the TypeScript checker",
            JudgeKind::Oracles => "pyright and jedi where they agree",
        }
    }

    /// Its scripts below `judges/`: they decide a truth.
    pub fn scripts(self) -> &'static [&'static str] {
        match self {
            JudgeKind::Thir => &[
                "thir.py",
                "rustsource.py",
                "rusttypes.py",
                "rustc-wrapper.sh",
            ],
            JudgeKind::Checker => &["checker.js"],
            JudgeKind::Oracles => &["python.py", "pyoracles.py", "pysource.py", "pytrace.py"],
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    pub id: String,
    pub language: String,
    pub registry: Registry,
    pub package: String,
    pub version: String,
    pub digest: String,
    pub license: String,
    /// The folder given to `surefoot analyze`, relative to the package, and the root of every path in the truth.
    pub analysed: String,
    pub judge: JudgeKind,
    /// Rules were adjusted while looking at this project.
    pub tuned: bool,
    #[serde(default)]
    pub features: Vec<String>,
    pub bin: Option<String>,
    #[serde(default)]
    pub with: BTreeMap<String, String>,
    pub options: Option<String>,
    pub trace: Option<Vec<String>>,
    pub skip: Option<String>,
    #[serde(default)]
    pub note: String,
    /// What somebody who read a contradicted site found, by `file:line:col` or by the callee's name.
    #[serde(default)]
    pub read: BTreeMap<String, String>,
    /// Present for the projects of the gate.
    pub least: Option<Least>,
}

/// What a project of the gate must reach: shares, the last two at most.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Least {
    pub precision: f64,
    pub recall: f64,
    pub coverage: f64,
    pub false_outside: f64,
    pub phantom: f64,
}

impl Project {
    /// What was found of a contradicted site.
    pub fn found(&self, place: &str, name: &str) -> Option<&str> {
        let found = self.read.get(place).or_else(|| self.read.get(name))?;
        Some(found)
    }

    /// The name of the project's folder and files in the cache.
    pub fn slug(&self) -> String {
        format!("{}-{}", self.id, self.version)
    }
}

#[derive(Debug, Deserialize)]
struct Table {
    project: Vec<Project>,
}

/// The text of the table, also part of every truth's key.
pub const TEXT: &str = include_str!("../projects.toml");

pub fn all() -> Result<Vec<Project>> {
    let table: Table = toml::from_str(TEXT).context("projects.toml")?;
    Ok(table.project)
}

/// The projects named, or all of them; an unknown name lists the known ones.
pub fn select(names: &[String]) -> Result<Vec<Project>> {
    let all = all()?;
    if names.is_empty() {
        return Ok(all);
    }
    names
        .iter()
        .map(|name| {
            all.iter().find(|p| p.id == *name).cloned().ok_or_else(|| {
                let known: Vec<_> = all.iter().map(|p| p.id.as_str()).collect();
                format!(
                    "no project is called {name}; there are {}",
                    known.join(", ")
                )
            })
        })
        .collect()
}
