//! `surefoot diff`: what changed between two reports, and what to look at again.

use std::fmt::Display;
use std::io::stdin;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use surefoot_report::Report;
use surefoot_report::diff::{self, Diff, Options};
use surefoot_session::Root;

use super::failure::Outcome;
use super::print::{Page, clean, count, stdout};
use super::{Format, json_line};
use crate::documents;
use crate::store::Store;

#[derive(Debug, Args)]
#[command(
    after_help = "A report is a file, `-` for standard input, or `@` with the name or id of a snapshot.\n\n\
    Examples:\n  \
    surefoot diff before.json after.json\n  \
    surefoot diff @base @head --depth 2 --format json"
)]
pub struct DiffArgs {
    /// The earlier report
    #[arg(value_name = "BEFORE")]
    before: String,

    /// The later one
    #[arg(value_name = "AFTER")]
    after: String,

    /// How many calls back from what changed to look again
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,

    /// At most so many rows of each list; without it 20 for people, and all in JSON
    #[arg(long, value_name = "N")]
    max_items: Option<usize>,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[command(flatten)]
    kept: Kept,
}

/// Where snapshots are, and of which folder.
#[derive(Debug, Clone, Args)]
pub struct Kept {
    /// The folder whose snapshots are meant
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,

    /// Where snapshots are kept; without it SUREFOOT_SNAPSHOT_DIR, else the user's cache folder
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
}

impl Kept {
    pub fn open(&self) -> Outcome<(Root, Store)> {
        let root = Root::open(&self.root)?;
        let store = Store::open(self.store.as_deref(), &root)?;
        Ok((root, store))
    }

    /// A report in a file, on standard input, or in the store.
    pub fn report(&self, which: &str) -> Outcome<Report> {
        let limits = documents::limits()?;
        if which == "-" {
            return Ok(surefoot_report::read(stdin().lock(), &limits)?);
        }
        if let Some(name) = which.strip_prefix('@') {
            let (root, store) = self.open()?;
            let record = store.find(Some(name), &root)?;
            return Ok(store.report(&record)?);
        }
        Ok(documents::read(Path::new(which), &limits)?)
    }
}

pub fn run(args: &DiffArgs) -> Outcome<()> {
    let before = args.kept.report(&args.before)?;
    let after = args.kept.report(&args.after)?;
    let max_items = match args.format {
        Format::Json => args.max_items,
        Format::Text => Some(args.max_items.unwrap_or(20)),
    };
    let options = Options {
        depth: args.depth,
        max_items,
    };
    let diff = diff::diff(&before, &after, &options);
    match args.format {
        Format::Json => stdout(&json_line(&diff)),
        Format::Text => page(&diff, Page::new()).print(),
    }
}

/// The comparison for reading, also on an editor's page.
pub fn text(diff: &Diff) -> String {
    page(diff, Page::plain()).text()
}

fn page(d: &Diff, mut page: Page) -> Page {
    let short = |id: String| id[..16].to_owned();
    let line = page.bold(format_args!(
        "{} → {}",
        short(d.before.to_string()),
        short(d.after.to_string())
    ));
    page.line(line);
    if let Some(analyzer) = &d.analyzer {
        let line = page.warn(format_args!(
            "Not a diff of the code alone: the analyses differ in {}.",
            analyzer.fields.join(", ")
        ));
        page.line(line);
        page.line(format_args!("  {} → {}", analyzer.before, analyzer.after));
    }
    let mut lists = Lists {
        page: &mut page,
        diff: d,
        said: false,
    };
    lists.show("files.added", "Files added", &d.files.added);
    lists.show("files.removed", "Files removed", &d.files.removed);
    lists.show("files.changed", "Files changed", &d.files.changed);
    let c = &d.configuration;
    lists.show("configuration.added", "Configurations read now", &c.added);
    lists.show(
        "configuration.removed",
        "Configurations no longer read",
        &c.removed,
    );
    lists.show(
        "configuration.changed",
        "Configurations changed",
        &c.changed,
    );
    let here = |s: &surefoot_report::Text| match &**s {
        "" => "the top folder".to_owned(),
        folder => folder.to_owned(),
    };
    lists.rows(
        "configuration.selections",
        "Configuration looked for elsewhere",
        &c.selections,
        here,
    );
    let named =
        |n: &diff::Named| format!("{} {}  line {}", n.kind, n.qualified_name, n.line_number);
    lists.rows(
        "entities.added",
        "Declarations added",
        &d.entities.added,
        named,
    );
    lists.rows(
        "entities.removed",
        "Declarations removed",
        &d.entities.removed,
        named,
    );
    lists.rows(
        "entities.changed",
        "Declarations changed",
        &d.entities.changed,
        |e| {
            format!(
                "{}  line {}: {}",
                e.qualified_name,
                e.line_number,
                e.fields.join(", ")
            )
        },
    );
    lists.rows(
        "entities.relocated",
        "Declarations gone elsewhere",
        &d.entities.relocated,
        |r| format!("{} → {}", r.from, r.to),
    );
    let call = |c: &diff::Call| {
        let how = c.tier.as_ref().unwrap_or(&c.resolution);
        format!(
            "{} → {}  {}:{} {how}",
            c.caller, c.callee, c.file, c.line_number
        )
    };
    lists.rows("calls.added", "Calls added", &d.calls.added, call);
    lists.rows("calls.removed", "Calls removed", &d.calls.removed, call);
    lists.rows(
        "calls.changed",
        "Calls that came to something else",
        &d.calls.changed,
        |c| {
            let side = |o: &diff::Outcome| {
                let how = o.tier.as_ref().or(o.cause.as_ref());
                let how = how.map_or(String::new(), |h| format!(" {h}"));
                format!("{} {}{how}", o.callee, o.resolution)
            };
            format!(
                "{} calls {}  {}:{}\n      {} → {}",
                c.caller,
                c.name,
                c.file,
                c.line_number,
                side(&c.before),
                side(&c.after)
            )
        },
    );
    let import =
        |i: &diff::Import| format!("{} {} {}  {}", i.source, i.kind, i.target, i.resolution);
    lists.rows(
        "dependencies.added",
        "Dependencies added",
        &d.dependencies.added,
        import,
    );
    lists.rows(
        "dependencies.removed",
        "Dependencies removed",
        &d.dependencies.removed,
        import,
    );
    let cycle = |c: &Vec<surefoot_report::Text>| {
        let files: Vec<&str> = c.iter().map(|f| &**f).collect();
        files.join(", ")
    };
    lists.rows(
        "dependency_cycles.added",
        "New import cycles",
        &d.dependency_cycles.added,
        cycle,
    );
    lists.rows(
        "dependency_cycles.removed",
        "Import cycles gone",
        &d.dependency_cycles.removed,
        cycle,
    );
    lists.show(
        "bridge_nodes.added",
        "New joints with other languages",
        &d.bridge_nodes.added,
    );
    lists.show(
        "bridge_nodes.removed",
        "Joints gone",
        &d.bridge_nodes.removed,
    );
    lists.show("hotspots.added", "New hotspots", &d.hotspots.added);
    lists.show(
        "hotspots.removed",
        "Hotspots no longer",
        &d.hotspots.removed,
    );
    let reach = &d.reachable_from_entry;
    lists.show("reachable_from_entry.added", "Reachable now", &reach.added);
    lists.show(
        "reachable_from_entry.removed",
        "No longer reachable",
        &reach.removed,
    );
    let number = |n: &Option<u32>| n.map_or("–".to_owned(), |n| n.to_string());
    lists.rows("metrics", "Metrics", &d.metrics, |m| {
        format!(
            "{}  {} {} → {}",
            m.entity,
            m.metric,
            number(&m.before),
            number(&m.after)
        )
    });
    lists.rows("scores", "Scores", &d.scores, |s| {
        let value = |v: &Value| {
            if v.is_null() {
                "–".to_owned()
            } else {
                v.to_string()
            }
        };
        format!("{}  {} → {}", s.score, value(&s.before), value(&s.after))
    });
    let gaps = &d.completeness;
    lists.show(
        "completeness.newly_skipped",
        "Not read any more",
        &gaps.newly_skipped,
    );
    lists.show(
        "completeness.no_longer_skipped",
        "Read again",
        &gaps.no_longer_skipped,
    );
    lists.show(
        "completeness.newly_partial",
        "Not understood whole any more",
        &gaps.newly_partial,
    );
    lists.show(
        "completeness.no_longer_partial",
        "Understood again",
        &gaps.no_longer_partial,
    );
    let r = &d.revalidate;
    let title = format!("To look at again, {} back", count(r.depth, "call"));
    lists.show("revalidate.entities", &title, &r.entities);
    let said = lists.said;
    let moved = d.entities.moved + d.calls.moved + d.dependencies.moved;
    if !said && moved == 0 {
        page.line("Nothing differs.");
    }
    if moved > 0 {
        page.blank();
        page.line(format_args!(
            "Only on other lines: {}, {}, {}",
            count(d.entities.moved as u64, "declaration"),
            count(d.calls.moved as u64, "call"),
            count(d.dependencies.moved as u64, "import"),
        ));
    }
    if r.unresolved_candidates > 0 {
        page.line(format_args!(
            "The list to look at again is a floor: {} not placed and spelled like something in it.",
            count(r.unresolved_candidates as u64, "call")
        ));
    }
    if !d.unexplained_fields.is_empty() {
        let line = page.warn(format_args!(
            "Differ and are not explained above: {}",
            d.unexplained_fields.join(", ")
        ));
        page.line(line);
    }
    page
}

struct Lists<'a> {
    page: &'a mut Page,
    diff: &'a Diff,
    said: bool,
}

impl Lists<'_> {
    fn show(&mut self, field: &str, title: &str, rows: &[impl Display]) {
        self.rows(field, title, rows, ToString::to_string);
    }

    fn rows<T>(&mut self, field: &str, title: &str, rows: &[T], row: impl Fn(&T) -> String) {
        if rows.is_empty() {
            return;
        }
        self.said = true;
        self.page.blank();
        self.page.heading(title);
        for line in rows.iter().flat_map(|r| {
            let text = row(r);
            text.lines().map(clean).collect::<Vec<_>>()
        }) {
            self.page.line(format_args!("  {line}"));
        }
        let cut = self.diff.truncated.iter().find(|c| c.field == field);
        if let Some(cut) = cut {
            let more = self
                .page
                .dim(format_args!("  and {} more", cut.total - cut.kept));
            self.page.line(more);
        }
    }
}
