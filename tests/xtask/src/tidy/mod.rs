//! What no compiler checks: layers, words, lengths, tests, decisions, generated pages.
//!
//! Each check is a function from text to violations, so that each has a test that shows it can fail.

mod decisions;
mod doors;
mod generated;
mod layers;
mod lengths;
mod readme;
mod rust;
mod test_rules;
mod words;

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::run::{Result, output, root};

/// A rule of the house that a line breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub path: String,
    /// One-based; zero when the whole file is meant.
    pub line: usize,
    pub what: String,
    pub todo: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.max(1);
        write!(f, "{}:{line}: {}\n    {}", self.path, self.what, self.todo)
    }
}

/// A text file of the repository.
#[derive(Debug, Clone)]
pub struct Source {
    /// From the root, forward slashes.
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn extension(&self) -> &str {
        self.path
            .rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'))
            .map_or("", |(_, end)| end)
    }

    pub fn violation(&self, line: usize, what: impl Into<String>, todo: &'static str) -> Violation {
        Violation {
            path: self.path.clone(),
            line,
            what: what.into(),
            todo,
        }
    }

    /// The lines with their one-based numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}

pub fn run(args: &[String]) -> Result<()> {
    if let Some(arg) = args.first() {
        return Err(format!(
            "cargo xtask tidy takes no argument, not even `{arg}`."
        ));
    }
    let sources = sources(&root())?;
    let mut violations = layers::check(&layers::metadata()?);
    violations.extend(words::check(&sources));
    violations.extend(doors::check(&sources));
    violations.extend(lengths::check(&sources));
    violations.extend(test_rules::check(&sources));
    violations.extend(decisions::check(&sources));
    violations.extend(readme::check(&sources));
    violations.extend(generated::check(&sources));
    violations.sort();

    let long = lengths::long(&sources);
    if !long.is_empty() {
        println!(
            "Soon too long (over {} lines; at {} tidy refuses):",
            lengths::LONG,
            lengths::TOO_LONG
        );
        for (path, lines) in long {
            println!("    {path} ({lines})");
        }
    }
    if violations.is_empty() {
        println!("tidy: {} files, nothing to say", sources.len());
        return Ok(());
    }
    for violation in &violations {
        println!("{violation}");
    }
    Err(format!("tidy: {} to mend", violations.len()))
}

/// Every text file git knows or would add. Files that are no UTF-8 are images and the like.
fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut command = Command::new("git");
    command.current_dir(root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]);
    let listed = output(&mut command)?;
    let mut sources: Vec<Source> = listed
        .split('\0')
        .filter(|path| !path.is_empty())
        .filter_map(|path| {
            // Deleted but still in the index, or no text.
            let text = std::fs::read_to_string(root.join(path)).ok()?;
            Some(Source {
                path: path.to_string(),
                text,
            })
        })
        .collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

#[cfg(test)]
fn source(path: &str, text: &str) -> Source {
    Source {
        path: path.to_string(),
        text: text.to_string(),
    }
}

#[cfg(test)]
fn shown(violations: &[Violation]) -> Vec<String> {
    violations
        .iter()
        .map(|it| format!("{}:{}: {}", it.path, it.line, it.what))
        .collect()
}
