//! A tree and what happens to it, step by step, as plain texts.

use std::collections::BTreeMap;
use surefoot_fixture::parse::{Batch, Fixture, Line, Source, Step as Block};

/// Files that a step makes so; `None`: gone.
pub type Files = Vec<(String, Option<String>)>;

/// One update of the workspace.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    pub files: Files,
    /// The update is cancelled before it resolves anything, and done by the next.
    pub interrupted: bool,
}

/// Everything a run needs to be repeated.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Script {
    pub start: BTreeMap<String, String>,
    pub steps: Vec<Step>,
}

impl Script {
    /// The start as the first step.
    pub fn all_steps(&self) -> impl Iterator<Item = Step> + '_ {
        let files = self.start.iter().map(|(p, t)| (p.clone(), Some(t.clone())));
        let first = Step {
            files: files.collect(),
            interrupted: false,
        };
        std::iter::once(first).chain(self.steps.iter().cloned())
    }

    /// The script as the text of a fixture, to be kept or replayed.
    pub fn to_fixture(&self, about: &str) -> String {
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            partial: false,
            crlf: text.contains("\r\n"),
            lines: text
                .lines()
                .map(|l| Line {
                    text: l.to_owned(),
                    marks: Vec::new(),
                })
                .collect(),
            at: 0,
        };
        let mut there: Vec<&str> = self.start.keys().map(String::as_str).collect();
        let mut batches = Vec::new();
        for step in &self.steps {
            let mut batch = Batch {
                steps: Vec::new(),
                delta: Some(surefoot_fixture::parse::Delta {
                    full: false,
                    lines: Vec::new(),
                    work: None,
                    at: 0,
                }),
            };
            for (path, text) in &step.files {
                let known = there.contains(&path.as_str());
                batch.steps.push(match text {
                    Some(text) if known => Block::Replace(source(path, text)),
                    Some(text) => {
                        there.push(path);
                        Block::Add(source(path, text))
                    }
                    None => {
                        there.retain(|p| p != path);
                        Block::Delete {
                            path: path.clone(),
                            at: 0,
                        }
                    }
                });
            }
            batches.push(batch);
        }
        let fixture = Fixture {
            about: about.lines().map(str::to_owned).collect(),
            partial: true,
            unread: false,
            files: self.start.iter().map(|(p, t)| source(p, t)).collect(),
            batches,
        };
        fixture.to_string()
    }

    /// The script a fixture tells.
    pub fn from_fixture(fixture: &Fixture) -> Script {
        let mut script = Script::default();
        for file in &fixture.files {
            script.start.insert(file.path.clone(), file.text());
        }
        let mut tree = script.start.clone();
        for batch in &fixture.batches {
            let mut files: Files = Vec::new();
            for step in &batch.steps {
                match step {
                    Block::Edit {
                        path,
                        from,
                        to,
                        all,
                        ..
                    } => {
                        let text = tree.get(path).cloned().unwrap_or_default();
                        let text = if *all {
                            text.replace(from.as_str(), to)
                        } else {
                            text.replacen(from.as_str(), to, 1)
                        };
                        files.push((path.clone(), Some(text)));
                    }
                    Block::Replace(s) | Block::Add(s) => {
                        files.push((s.path.clone(), Some(s.text())))
                    }
                    Block::Delete { path, .. } => files.push((path.clone(), None)),
                    Block::Move { from, to, .. } => {
                        let text = tree.get(from).cloned();
                        files.push((from.clone(), None));
                        files.push((to.clone(), text));
                    }
                }
                for (path, text) in &files {
                    match text {
                        Some(text) => tree.insert(path.clone(), text.clone()),
                        None => tree.remove(path),
                    };
                }
            }
            script.steps.push(Step {
                files,
                interrupted: false,
            });
        }
        script
    }
}
