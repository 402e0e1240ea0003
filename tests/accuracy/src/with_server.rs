//! The same sites without and with a language server: what asking adds, and what it breaks.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::cache::Cache;
use crate::figures::Figures;
use crate::projects::{JudgeKind, Project};
use crate::score::{self, Scored, Verdict};
use crate::stats::Share;
use crate::truth::{Class, Truth};
use crate::{Context, Result, answers, judge, run};

/// The server to ask, as `surefoot analyze --lsp` takes it.
pub struct Asked<'a> {
    pub command: &'a str,
    pub options: Option<&'a str>,
}

struct Run {
    figures: Figures,
    report: Value,
    seconds: f64,
}

/// A Markdown table of these projects.
pub fn table(
    cache: &Cache,
    projects: &[Project],
    binary: &Path,
    asked: &Asked<'_>,
) -> Result<String> {
    let mut out = String::from(
        "| project | IN | alone: P, R, open | with: P, R, open | upgraded | contradicted | server | s |\n\
         | --- | --: | --- | --- | --: | --: | --- | --: |\n",
    );
    for project in projects {
        let truth = judge::truth(cache, project, false)?;
        let folder = folder(cache, project)?;
        let plain = cache.report(project)?.with_extension("alone.json");
        let asking = cache.report(project)?.with_extension("server.json");
        let alone = analyse(&truth, binary, &folder, &plain, None)?;
        let with = analyse(&truth, binary, &folder, &asking, Some(asked))?;
        let (open, upgraded) = upgraded(&truth, &plain, &asking)?;
        let figures = |f: &Figures| {
            let all = f.of_class.get(&Class::In).copied().unwrap_or(0);
            let recall = Share::new(f.right, all).short();
            format!(
                "{}, {recall}, {}",
                f.placing.strict().short(),
                f.undetermined
            )
        };
        let resolver = &with.report["analyzer_provenance"]["resolvers"][0];
        let text = |key: &str| resolver[key].as_str().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} | {upgraded} of {open} | {} | {} {}: {} | {:.0} |",
            project.package,
            project.version,
            alone.figures.of_class.get(&Class::In).copied().unwrap_or(0),
            figures(&alone.figures),
            figures(&with.figures),
            with.figures.contradicted,
            text("name"),
            text("version"),
            text("state"),
            with.seconds,
        );
    }
    Ok(out)
}

/// A crate's dependencies resolve in its copy to build and not in what the registry ships.
fn folder(cache: &Cache, project: &Project) -> Result<PathBuf> {
    match project.judge {
        JudgeKind::Thir => cache.build(project),
        _ => cache.analysed(project),
    }
}

fn analyse(
    truth: &Truth,
    binary: &Path,
    folder: &Path,
    report: &Path,
    asked: Option<&Asked<'_>>,
) -> Result<Run> {
    let mut command = Command::new(binary);
    command
        .arg("analyze")
        .arg(folder)
        .args(["--format", "json"]);
    if let Some(asked) = asked {
        command.args(["--lsp", asked.command]);
        command.args(["--lsp-start-timeout", "600"]);
        if let Some(options) = asked.options {
            command.args(["--lsp-options", options]);
        }
    }
    let began = Instant::now();
    run::to_file(&mut command, report)?;
    let seconds = began.elapsed().as_secs_f64();
    let text = read(report)?;
    let figures = Figures::count(&score::score(truth, &answers::from_report(&text)?));
    let report = serde_json::from_str(&text).context(report.display())?;
    Ok(Run {
        figures,
        report,
        seconds,
    })
}

/// Sites in the tree that were open alone, and how many of them are right with the server.
fn upgraded(truth: &Truth, alone: &Path, with: &Path) -> Result<(usize, usize)> {
    let (alone, with) = (
        answers::from_report(&read(alone)?)?,
        answers::from_report(&read(with)?)?,
    );
    let (before, after) = (score::score(truth, &alone), score::score(truth, &with));
    let is_open = |s: &Scored<'_>| s.site.class == Class::In && s.verdict == Verdict::Open;
    let pairs = before
        .iter()
        .zip(&after)
        .filter(|(before, _)| is_open(before));
    let (mut open, mut right) = (0, 0);
    for (_, after) in pairs {
        open += 1;
        right += usize::from(after.verdict == Verdict::Right);
    }
    Ok((open, right))
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).context(path.display())
}
