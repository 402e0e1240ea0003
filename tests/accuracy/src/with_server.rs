//! The same sites without and with a language server: what asking adds, and what it breaks.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::cache::Cache;
use crate::figures::Figures;
use crate::projects::{self, JudgeKind, Project};
use crate::score::{self, Scored, Verdict};
use crate::stats::Share;
use crate::truth::Class;
use crate::{Context, Result, answers, fetch, judge, run};

/// The pairs of docs/accuracy.md: a project, and a server of Surefoot's table.
const PAIRS: &[(&str, &str)] = &[
    ("anyhow", "rust-analyzer"),
    ("clap_builder", "rust-analyzer"),
    ("click", "pyright"),
    ("click", "basedpyright"),
    ("click", "ty"),
    ("redux-toolkit", "typescript-language-server"),
    ("zod", "typescript-language-server"),
    ("commander", "typescript-language-server"),
];

/// The server to ask, as `surefoot analyze --lsp` takes it.
#[derive(Clone)]
pub struct Asked {
    pub command: String,
    pub options: Option<String>,
}

/// What came of one project and one server.
pub struct Row {
    project: Project,
    result: Result<Compared>,
    server: String,
}

struct Compared {
    alone: Figures,
    with: Figures,
    /// Sites in the tree that were open alone, and how many of them are right with the server.
    open: usize,
    upgraded: usize,
    /// Of the sites placed against the judge, those that the server placed.
    blamed: Vec<String>,
    /// Where the two differ: all, and of those the judge has an answer for, those where ours is right.
    disagreements: usize,
    judged: usize,
    ours: usize,
    resolver: String,
    seconds: f64,
}

/// These projects with one server.
pub fn rows(cache: &Cache, projects: &[Project], binary: &Path, asked: &Asked) -> Vec<Row> {
    let rows = projects.iter().map(|project| Row {
        project: project.clone(),
        server: asked.command.clone(),
        result: compare(cache, project, binary, asked),
    });
    rows.collect()
}

/// The pairs of the page, or those of them whose project is named. A server that is not on this machine and that
/// no registry has says so in its row.
pub fn pairs(cache: &Cache, names: &[String], binary: &Path) -> Result<Vec<Row>> {
    let wanted = |id: &str| names.is_empty() || names.iter().any(|name| name == id);
    let mut out = Vec::new();
    for (id, server) in PAIRS.iter().filter(|(id, _)| wanted(id)) {
        for project in projects::select(&[(*id).to_owned()])? {
            let result = command(cache, server);
            let result = result.and_then(|asked| compare(cache, &project, binary, &asked));
            out.push(Row {
                project,
                server: (*server).to_owned(),
                result,
            });
        }
    }
    Ok(out)
}

/// How a server of the table is started here, at a pinned version where a registry has it.
fn command(cache: &Cache, server: &str) -> Result<Asked> {
    let npm = |package: PathBuf, program: &str| {
        // Beside the package npm links its programs.
        let modules = package.parent().unwrap_or(&package).to_owned();
        format!("'{}'", modules.join(".bin").join(program).display())
    };
    let plain = |command: String| Asked {
        command,
        options: None,
    };
    Ok(match server {
        "pyright" => plain(npm(fetch::pyright(cache)?, "pyright-langserver")),
        "basedpyright" => plain(npm(fetch::basedpyright(cache)?, "basedpyright-langserver")),
        "ty" => plain(format!("'{}'", fetch::ty(cache)?.join("bin/ty").display())),
        "typescript-language-server" => {
            let compiler = fetch::typescript(cache)?.join("lib/tsserver.js");
            Asked {
                command: npm(fetch::typescript_server(cache)?, server),
                options: Some(json!({ "tsserver": { "path": compiler } }).to_string()),
            }
        }
        // It belongs to a toolchain; no registry has it. The library's sources may lie elsewhere.
        _ => Asked {
            command: std::env::var("SUREFOOT_RUST_ANALYZER").unwrap_or_else(|_| server.to_owned()),
            options: std::env::var("SUREFOOT_RUST_LIBRARY")
                .ok()
                .map(|library| json!({ "cargo": { "sysrootSrc": library } }).to_string()),
        },
    })
}

/// A Markdown table, and below it what a server said against the judge.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| project | asked | IN | alone: P, R, open | with: P, R, open | upgraded | contradicted: ours, theirs | disagreements: ours right | s |\n\
         | --- | --- | --: | --- | --- | --: | --- | --- | --: |\n",
    );
    let mut blamed = String::new();
    for row in rows {
        let project = format!("{} {}", row.project.package, row.project.version);
        let c = match &row.result {
            Ok(compared) => compared,
            Err(why) => {
                let why = why.lines().next().unwrap_or_default();
                let _ = writeln!(
                    out,
                    "| {project} | {}: not run: {why} | | | | | | | |",
                    row.server
                );
                continue;
            }
        };
        let figures = |f: &Figures| {
            let all = f.of_class.get(&Class::In).copied().unwrap_or(0);
            let recall = Share::new(f.right, all).short();
            format!(
                "{}, {recall}, {}",
                f.placing.strict().short(),
                f.undetermined
            )
        };
        let _ = writeln!(
            out,
            "| {project} | {} | {} | {} | {} | {} of {} | {}, {} | {}: {} of {} | {:.0} |",
            c.resolver,
            c.alone.of_class.get(&Class::In).copied().unwrap_or(0),
            figures(&c.alone),
            figures(&c.with),
            c.upgraded,
            c.open,
            c.with.contradicted - c.blamed.len(),
            c.blamed.len(),
            c.disagreements,
            c.ours,
            c.judged,
            c.seconds,
        );
        for line in &c.blamed {
            let _ = writeln!(blamed, "- {project}, {}: {line}", row.server);
        }
    }
    if !blamed.is_empty() {
        let _ = write!(out, "\nPlaced by a server, against the judge:\n\n{blamed}");
    }
    out
}

/// The section of docs/accuracy.md.
pub fn section(rows: &[Row]) -> String {
    format!(
        "## With a server\n\n\
         `surefoot analyze --lsp` asks a language server about every call of the same projects, and the same sites are\n\
         scored again. P and R are precision and recall over the sites of class IN, \"open\" the sites left undetermined;\n\
         \"upgraded\" are open sites that are right with the server. Sites placed against the judge are counted apart: ours\n\
         rest on this engine's evidence, theirs on the server's word. Where the two differ both are kept; the last but one\n\
         column says how often, and of those the judge has an answer for, where this engine is right. pyright is also half\n\
         of Python's judge, so its agreement there proves little.\n\n{}\n",
        table(rows)
    )
}

fn compare(cache: &Cache, project: &Project, binary: &Path, asked: &Asked) -> Result<Compared> {
    let truth = judge::truth(cache, project, false)?;
    let folder = folder(cache, project)?;
    let plain = cache.report(project)?.with_extension("alone.json");
    let asking = cache.report(project)?.with_extension("server.json");
    run::to_file(&mut analyse(binary, &folder, None), &plain)?;
    let began = Instant::now();
    run::to_file(&mut analyse(binary, &folder, Some(asked)), &asking)?;
    let seconds = began.elapsed().as_secs_f64();
    let (alone, with) = (read(&plain)?, read(&asking)?);
    let report: Value = serde_json::from_str(&with).context(asking.display())?;
    let resolver = &report["analyzer_provenance"]["resolvers"][0];
    let text = |key: &str| resolver[key].as_str().unwrap_or_default();
    let resolver = format!("{} {}: {}", text("name"), text("version"), text("state"));
    let (alone, with) = (answers::from_report(&alone)?, answers::from_report(&with)?);
    let (before, after) = (score::score(&truth, &alone), score::score(&truth, &with));
    let is_open = |s: &Scored<'_>| s.site.class == Class::In && s.verdict == Verdict::Open;
    let pairs = before.iter().zip(&after);
    let open: Vec<_> = pairs.filter(|(before, _)| is_open(before)).collect();
    let upgraded = open
        .iter()
        .filter(|(_, after)| after.verdict == Verdict::Right);
    let blamed = after
        .iter()
        .filter(|s| s.contradicted() && s.rule == "asked");
    let (disagreements, judged, ours) = disagreements(binary, &folder, asked, &before)?;
    Ok(Compared {
        upgraded: upgraded.count(),
        open: open.len(),
        blamed: blamed.map(blame).collect(),
        disagreements,
        judged,
        ours,
        resolver,
        seconds,
        alone: Figures::count(&before),
        with: Figures::count(&after),
    })
}

fn blame(s: &Scored<'_>) -> String {
    let site = &s.site;
    format!(
        "`{}:{}:{}` `{}`",
        site.file, site.line, site.col, s.said_name
    )
}

/// A crate's dependencies resolve in its copy to build and not in what the registry ships.
fn folder(cache: &Cache, project: &Project) -> Result<PathBuf> {
    match project.judge {
        JudgeKind::Thir => cache.build(project),
        _ => cache.analysed(project),
    }
}

fn analyse(binary: &Path, folder: &Path, asked: Option<&Asked>) -> Command {
    let mut command = Command::new(binary);
    command
        .arg("analyze")
        .arg(folder)
        .args(["--format", "json"]);
    if let Some(asked) = asked {
        // What was answered before is no measurement.
        command.arg("--lsp-again");
        ask(&mut command, asked);
    }
    command
}

fn ask(command: &mut Command, asked: &Asked) {
    command.args(["--lsp", &asked.command]);
    command.args(["--lsp-start-timeout", "600"]);
    if let Some(options) = &asked.options {
        command.args(["--lsp-options", options]);
    }
}

/// How many there are, how many of them the judge has an answer for, and in how many of these ours is right. The
/// answers are those of the run before, which are kept.
fn disagreements(
    binary: &Path,
    folder: &Path,
    asked: &Asked,
    alone: &[Scored<'_>],
) -> Result<(usize, usize, usize)> {
    let mut command = Command::new(binary);
    command
        .arg("disagreements")
        .args(["--format", "json", "--root"]);
    ask(command.arg(folder), asked);
    let out = run::output(&mut command)?;
    let said: Value = serde_json::from_slice(&out.stdout).context("surefoot disagreements")?;
    let rows = said["disagreements"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let (mut judged, mut ours) = (0, 0);
    for row in &rows {
        let here = alone.iter().find(|s| {
            row["file"] == s.site.file.as_str()
                && row["line_number"] == s.site.line
                && row["column"] == s.site.col
        });
        let Some(here) = here.filter(|s| s.site.class != Class::Un) else {
            continue;
        };
        judged += 1;
        ours += usize::from(match here.site.class {
            Class::Ext => here.verdict == Verdict::Outside,
            _ => matches!(
                here.verdict,
                Verdict::Right | Verdict::Declared | Verdict::Override
            ),
        });
    }
    Ok((rows.len(), judged, ours))
}

fn read(report: &Path) -> Result<String> {
    std::fs::read_to_string(report).context(report.display())
}
