//! `surefoot snapshot`: keeps reports between two questions.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use serde_json::json;

use super::diff::Kept;
use super::failure::Outcome;
use super::print::{Page, clean, count, stdout, thousands};
use super::project::{Project, Reading};
use super::{Format, json_line};
use crate::store::{Listed, Notes, Record, Store};
use crate::{documents, export};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot snapshot save --name base --revision \"$(git rev-parse HEAD)\"\n  \
    surefoot snapshot list\n  \
    surefoot diff @base @head")]
pub struct Snapshot {
    #[command(subcommand)]
    command: Command,

    /// How to answer
    #[arg(long, value_enum, default_value = "text", global = true)]
    pub format: Format,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Analyse a folder and keep the report; or keep a report there is
    Save(Box<Save>),
    /// Print what is kept, newest first
    List(List),
    /// Print the record of one snapshot
    Show(Show),
    /// Point a name at a snapshot
    Ref(Ref),
    /// Remove old snapshots; what a name points at stays
    Prune(Prune),
}

#[derive(Debug, Args)]
struct Save {
    /// Keep this report instead of making one
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Point a name at it
    #[arg(long = "name", visible_alias = "ref", value_name = "NAME")]
    name: Option<String>,

    /// A word for people
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,

    /// What version control calls this state; recorded beside, no part of the identity
    #[arg(long, value_name = "TEXT")]
    revision: Option<String>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    kept: Kept,
}

#[derive(Debug, Args)]
struct List {
    /// Of every folder
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    kept: Kept,
}

#[derive(Debug, Args)]
struct Show {
    /// A name, an id or the first eight digits of one
    #[arg(value_name = "SNAPSHOT")]
    which: String,

    #[command(flatten)]
    kept: Kept,
}

#[derive(Debug, Args)]
struct Ref {
    #[arg(value_name = "NAME")]
    name: String,

    /// A name, an id or the first eight digits of one
    #[arg(value_name = "SNAPSHOT")]
    which: String,

    #[command(flatten)]
    kept: Kept,
}

#[derive(Debug, Args)]
struct Prune {
    /// Keep so many of each folder
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep: usize,

    /// Keep everything younger than so many days, too
    #[arg(long, value_name = "DAYS")]
    max_age_days: Option<u64>,

    #[command(flatten)]
    kept: Kept,
}

pub fn run(args: &Snapshot) -> Outcome<()> {
    match &args.command {
        Command::Save(save) => save.run(args.format),
        Command::List(list) => list.run(args.format),
        Command::Show(show) => {
            let (root, store) = show.kept.open()?;
            let record = store.find(Some(&show.which), &root)?;
            one(&store, record, args.format)
        }
        Command::Ref(reference) => {
            let (root, store) = reference.kept.open()?;
            let record = store.find(Some(&reference.which), &root)?;
            store.point(&root, &reference.name, &record.id)?;
            one(&store, record, args.format)
        }
        Command::Prune(prune) => prune.run(args.format),
    }
}

impl Save {
    fn run(&self, format: Format) -> Outcome<()> {
        let (root, store) = self.kept.open()?;
        let report = match &self.report {
            Some(path) => documents::read(path, &documents::limits()?)?,
            None => {
                let project = Project::open_whole(&self.kept.root, &self.reading, false)?;
                export::report(project.session()?, &project.options, Vec::new())
            }
        };
        let notes = Notes {
            label: self.label.clone(),
            revision: self.revision.clone(),
        };
        let saved = store.save(&root, &report, notes)?;
        let (record, reused) = (saved.record, saved.reused);
        if let Some(name) = &self.name {
            store.point(&root, name, &record.id)?;
        }
        if format == Format::Json {
            return stdout(&json_line(&json!({
                "id": record.id,
                "reused": reused,
                "ref": self.name,
                "complete": record.is_complete,
                "removed": saved.removed,
            })));
        }
        let how = if reused { "kept already" } else { "kept" };
        let name = self.name.as_ref().map(|n| format!(" as {n}"));
        let room = match saved.removed.len() as u64 {
            0 => String::new(),
            n => format!("{} removed to make room\n", count(n, "older snapshot")),
        };
        stdout(&format!(
            "{} {how}{}: {}, {}{}\n{room}",
            &record.id[..16],
            name.unwrap_or_default(),
            count(record.files, "file"),
            count(record.call_edges, "call"),
            if record.is_complete {
                ""
            } else {
                "; not complete, it lists what was left out"
            },
        ))
    }
}

impl List {
    fn run(&self, format: Format) -> Outcome<()> {
        let (root, store) = self.kept.open()?;
        let contents = store.list((!self.all).then_some(&root))?;
        let list = contents.snapshots;
        if format == Format::Json {
            return stdout(&json_line(&json!({
                "store": store.folder(),
                "max_bytes": store.max_bytes(),
                "snapshots": list,
                "damaged": contents.damaged,
            })));
        }
        let mut page = Page::new();
        if list.is_empty() {
            page.line("No snapshot is kept. Make one with `surefoot snapshot save`.");
        }
        let bytes: u64 = list.iter().map(|l| l.record.bytes).sum();
        for listed in &list {
            let row = row(&page, listed, self.all);
            page.line(row);
        }
        for id in &contents.damaged {
            let what = page.warn("damaged; `surefoot snapshot prune` removes it");
            page.line(format_args!("{}  {what}", &id[..16]));
        }
        if !list.is_empty() {
            let sum = page.dim(format_args!(
                "{} bytes in {}, which keeps at most {}",
                thousands(bytes),
                store.folder().display(),
                thousands(store.max_bytes())
            ));
            page.line(sum);
        }
        page.print()
    }
}

fn row(page: &Page, listed: &Listed, with_tree: bool) -> String {
    let r = &listed.record;
    let mut notes = Vec::new();
    if with_tree {
        notes.push(r.tree.clone());
    }
    notes.extend(r.label.clone());
    notes.extend(r.revision.clone());
    if !r.is_complete {
        notes.push("not complete".to_owned());
    }
    let notes = clean(&notes.join("  "));
    let names = listed.names.join(", ");
    format!(
        "{}  {:>12}  {:>9} files  {}  {}",
        &r.id[..16],
        age(r.saved_at),
        thousands(r.files),
        page.bold(names),
        page.dim(notes)
    )
}

/// How long ago, as a person counts.
fn age(saved_at: u64) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = now.as_secs().saturating_sub(saved_at);
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

fn one(store: &Store, record: Record, format: Format) -> Outcome<()> {
    let listed = store
        .list(None)?
        .snapshots
        .into_iter()
        .find(|l| l.record.id == record.id);
    let names = listed.map(|l| l.names).unwrap_or_default();
    let listed = Listed { record, names };
    if format == Format::Json {
        return stdout(&json_line(&listed));
    }
    let r = &listed.record;
    let mut page = Page::new();
    let id = page.bold(&r.id);
    page.line(id);
    let mut field =
        |name: &str, value: String| page.line(format_args!("  {name:<9} {}", clean(&value)));
    field("folder", r.tree.clone());
    field("kept", age(r.saved_at));
    field("by", r.analyzer.clone());
    field("names", listed.names.join(", "));
    if let Some(label) = &r.label {
        field("label", label.clone());
    }
    if let Some(revision) = &r.revision {
        field("revision", revision.clone());
    }
    field(
        "holds",
        format!(
            "{}, {}, {}",
            count(r.files, "file"),
            count(r.entities, "declaration"),
            count(r.call_edges, "call")
        ),
    );
    field(
        "complete",
        if r.is_complete { "yes" } else { "no" }.to_owned(),
    );
    field("bytes", thousands(r.bytes));
    page.print()
}

impl Prune {
    fn run(&self, format: Format) -> Outcome<()> {
        let (_, store) = self.kept.open()?;
        let pruned = store.prune(self.keep, self.max_age_days)?;
        if format == Format::Json {
            return stdout(&json_line(&pruned));
        }
        let mut page = Page::new();
        page.line(format_args!(
            "{} removed, {} kept",
            count(pruned.removed.len() as u64, "snapshot"),
            pruned.kept.len()
        ));
        for kept in &pruned.kept {
            page.line(format_args!("  {}  {}", &kept.id[..16], kept.because));
        }
        page.print()
    }
}
