//! `surefoot disagreements`: calls of which a language server says otherwise than this engine.

use clap::Args;
use serde_json::json;
use surefoot_engine::features::explain;
use surefoot_graph::SiteId;

use super::borrow::{self, Borrow};
use super::failure::{Failure, Outcome};
use super::print::{Page, clean, count};
use super::project::{Project, Tree};
use super::{Format, json_line, print};

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  surefoot disagreements --lsp rust-analyzer")]
pub struct Disagreements {
    #[command(flatten)]
    tree: Tree,

    #[command(flatten)]
    borrow: Borrow,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

pub fn run(args: &Disagreements) -> Outcome<()> {
    if args.borrow.lsp.is_none() {
        return Err(Failure::invalid_request(
            "Nobody to disagree with: name a language server with --lsp.",
        ));
    }
    let mut project = Project::open(&args.tree, None)?;
    let borrowed = args.borrow.run(&mut project)?.unwrap_or_default();
    if borrowed.answered() == 0
        && let Some(words) = borrowed.unavailable.keys().next()
    {
        let command = args.borrow.lsp.as_deref().unwrap_or_default();
        let program = command.split_whitespace().next().unwrap_or_default();
        // The stand-in that rustup puts into the path for what it has not installed.
        let then = match words.contains("in official toolchain") {
            true => format!("`rustup component add {program}` installs it."),
            false => format!("See whether `{command}` starts in a terminal, in this folder."),
        };
        let message = format!("Nobody answered, so nothing was compared: {words} {then}");
        return Err(Failure::new("server_unavailable", message));
    }
    let found = all(&project);
    if args.format == Format::Json {
        let rows: Vec<_> = found
            .iter()
            .map(|row| {
                json!({
                    "file": row.file, "line_number": row.line, "column": row.column, "name": row.name,
                    "static": { "callee": row.own, "tier": row.tier, "rule": row.rule },
                    "server": { "resolver": row.resolver, "callee": row.theirs },
                })
            })
            .collect();
        let document = json!({ "resolvers": borrowed.resolvers, "disagreements": rows });
        return print::stdout(&json_line(&document));
    }
    let mut page = Page::new();
    page.heading(count(found.len() as u64, "disagreement"));
    project.say_root(&mut page);
    for row in &found {
        page.blank();
        let place = format!("{}:{}:{}", clean(&row.file), row.line, row.column);
        let line = format!("  {place}  {}", page.dim(clean(&row.text)));
        page.line(line);
        let tier = if row.tier.is_empty() {
            String::new()
        } else {
            page.tier(&row.tier)
        };
        page.line(format_args!(
            "    static: {tier} {}  by {}",
            clean(&row.own),
            row.rule
        ));
        page.line(format_args!(
            "    {}: {}",
            clean(&row.resolver),
            clean(&row.theirs)
        ));
    }
    borrow::show(&mut page, &borrowed);
    page.print()
}

struct Row {
    file: String,
    line: u32,
    column: u32,
    name: String,
    text: String,
    own: String,
    tier: String,
    rule: String,
    resolver: String,
    theirs: String,
}

/// Every contradiction, by file and position.
fn all(project: &Project) -> Vec<Row> {
    let snapshot = &project.snapshot;
    let mut rows = Vec::new();
    for file in snapshot.files() {
        for index in 0..file.site_count() {
            let site = SiteId {
                file: file.id,
                index,
            };
            let Some(theirs) = snapshot.contradiction(site) else {
                continue;
            };
            let Some(place) = snapshot.site_place(site) else {
                continue;
            };
            let explained = explain::explain(snapshot, file.id, place.span.start);
            let own = explained.as_ref().and_then(|e| e.target.as_ref());
            let evidence = explained.as_ref().and_then(|e| e.evidence.as_ref());
            let symbol = theirs
                .symbol()
                .and_then(|symbol| snapshot.symbol_info(symbol));
            let outside = || "outside this tree".to_owned();
            rows.push(Row {
                file: file.path.to_string(),
                line: place.start.line + 1,
                column: place.start.column + 1,
                name: snapshot
                    .site(site)
                    .map_or_else(String::new, |(s, _)| s.name.text().to_owned()),
                text: project
                    .line(&file.path, place.start.line + 1)
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                own: own.map_or_else(outside, |target| target.qualified.clone()),
                tier: evidence.map_or_else(String::new, |e| e.tier.word().to_owned()),
                rule: evidence.map_or_else(String::new, |e| e.rule.id().to_owned()),
                resolver: theirs
                    .evidence
                    .as_ref()
                    .map_or_else(String::new, |e| e.resolver.label()),
                theirs: symbol.map_or_else(outside, |target| target.qualified),
            });
        }
    }
    rows
}
