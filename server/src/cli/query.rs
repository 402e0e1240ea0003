//! `surefoot query`: one question to a kept snapshot, without reading the report or the tree.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use surefoot_report::Digest;
use surefoot_report::query::{self, Budget, Listing, Question, Stale, ask};
use surefoot_report::verify::Found;
use surefoot_session::Root;

use super::diff::Kept;
use super::failure::{Failure, Outcome};
use super::print::{Page, clean, stdout};
use super::{Format, json_line};
use crate::export;

/// Files are read by so many threads at most: past that they wait for the disk.
const MOST_READERS: usize = 8;

#[derive(Debug, Args)]
#[command(
    after_help = "Every answer says of which snapshot it is and how far it holds.\n\n\
    Examples:\n  \
    surefoot query callers load --depth 2\n  \
    surefoot query path main Store::get\n  \
    surefoot query impact src/store.rs --tokens 2000 --format json\n  \
    surefoot query freshness"
)]
pub struct Query {
    #[command(subcommand)]
    question: Asked,

    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Common {
    /// A name, an id or the first eight digits of one; without it the newest of the folder
    #[arg(long, value_name = "SNAPSHOT", global = true)]
    snapshot: Option<String>,

    /// The folder whose snapshots are meant
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    root: PathBuf,

    /// Where snapshots are kept; without it SUREFOOT_SNAPSHOT_DIR, else the user's cache folder
    #[arg(long, value_name = "DIR", global = true)]
    store: Option<PathBuf>,

    /// At most so many rows
    #[arg(long, value_name = "N", global = true)]
    max_items: Option<usize>,

    /// At most about so many tokens of a language model
    #[arg(long, value_name = "N", global = true)]
    tokens: Option<usize>,

    /// Go on where an earlier answer was cut
    #[arg(long, value_name = "CURSOR", global = true)]
    cursor: Option<String>,

    /// How to answer
    #[arg(long, value_enum, default_value = "text", global = true)]
    format: Format,
}

impl Query {
    pub fn format(&self) -> Format {
        self.common.format
    }
}

#[derive(Debug, Subcommand)]
enum Asked {
    /// What a declaration is, and where
    Entity { name: String },
    /// Who calls it
    Callers(Depth),
    /// What it calls
    Callees(Depth),
    /// What a file declares, imports and is imported by
    File { path: String },
    /// The tree from above
    Summary {
        /// At most so many hotspots
        #[arg(long, value_name = "N", default_value_t = 10)]
        top: usize,
    },
    /// Whether the files are still those of the snapshot
    Freshness,
    /// A shortest chain of calls
    Path {
        /// Where the chain begins: a declaration by its name
        from: String,
        /// Where it ends
        to: String,
    },
    /// Everything that may notice when a declaration or a file changes
    Impact { what: String },
    /// Cycles of imports and of calls
    Cycles,
    /// Calls that were not placed: all, of a file, or spelled like a name
    Unknowns { scope: Option<String> },
}

#[derive(Debug, Args)]
struct Depth {
    name: String,
    /// How many calls away
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,
}

pub fn run(args: &Query) -> Outcome<()> {
    let common = &args.common;
    let kept = Kept {
        root: common.root.clone(),
        store: common.store.clone(),
    };
    let (root, store) = kept.open()?;
    let mut max_items = common.max_items;
    let question = match &args.question {
        Asked::Freshness => None,
        Asked::Entity { name } => Some(Question::Entity(name.clone())),
        Asked::Callers(d) => Some(Question::Callers(d.name.clone(), d.depth)),
        Asked::Callees(d) => Some(Question::Callees(d.name.clone(), d.depth)),
        Asked::File { path } => Some(Question::File(path.clone())),
        Asked::Summary { top } => {
            max_items = max_items.or(Some(*top));
            Some(Question::Summary)
        }
        Asked::Path { from, to } => Some(Question::Path(from.clone(), to.clone())),
        Asked::Impact { what } => Some(Question::Impact(what.clone())),
        Asked::Cycles => Some(Question::Cycles),
        Asked::Unknowns { scope } => Some(Question::Unknowns(scope.clone())),
    };
    let record = store.find(common.snapshot.as_deref(), &root)?;
    let budget = Budget {
        max_items,
        tokens: common.tokens,
        cursor: common.cursor.clone(),
    };
    let Some(question) = question else {
        return freshness(&store.listing(&record)?, &root, &budget, common.format);
    };
    let index = store.index(&record)?;
    let answer = ask(&index, &question, &budget)?;
    show(&answer, common.format)?;
    match &question {
        Question::Path(from, to) if answer["found"] == false => Err(Failure::answered(
            "no_path",
            format!("No chain of placed calls leads from {from} to {to}."),
        )),
        _ => Ok(()),
    }
}

/// The cheap half of a verification: only what is listed is read.
fn freshness(listing: &Listing, root: &Root, budget: &Budget, format: Format) -> Outcome<()> {
    let files: Vec<(&str, Digest)> = listing.files().collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_READERS));
    // Every reader takes the next file: a large one keeps only itself waiting.
    let next = AtomicUsize::new(0);
    let reader = || {
        let mut stale = Vec::new();
        while let Some((path, digest)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            match export::hash(root, path, u64::MAX) {
                Found::Bytes(actual, _) if actual == *digest => {}
                Found::Bytes(..) | Found::TooLarge => stale.push((*path, Stale::Changed)),
                Found::Missing => stale.push((*path, Stale::Missing)),
                Found::Unreadable(_) => stale.push((*path, Stale::Unreadable)),
            }
        }
        stale
    };
    let mut stale = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(reader)).collect();
        let mut stale = reader();
        for other in others {
            stale.extend(
                other
                    .join()
                    .unwrap_or_else(|e| std::panic::resume_unwind(e)),
            );
        }
        stale
    });
    stale.sort_unstable();
    show(&query::freshness(listing, &stale, budget)?, format)?;
    match stale.is_empty() {
        true => Ok(()),
        false => Err(Failure::answered(
            "snapshot_stale",
            "The files are not those of the snapshot.",
        )),
    }
}

fn show(answer: &Value, format: Format) -> Outcome<()> {
    match format {
        Format::Json => stdout(&json_line(answer)),
        Format::Text => page(answer).print(),
    }
}

fn page(answer: &Value) -> Page {
    let mut page = Page::new();
    let Value::Object(fields) = answer else {
        return page;
    };
    let skip = ["of", "question", "limits"];
    for (name, value) in fields
        .iter()
        .filter(|(name, _)| !skip.contains(&name.as_str()))
    {
        match value {
            Value::Null => {}
            Value::Array(rows) if rows.iter().any(Value::is_object) => {
                page.blank();
                page.heading(name.replace('_', " "));
                for row in rows {
                    page.line(format_args!("  {}", inline(row)));
                }
            }
            Value::Array(rows) if rows.is_empty() => {}
            Value::Object(parts) => {
                let flat = flat(parts);
                page.line(format_args!("{:<22} {}", name.replace('_', " "), flat));
            }
            other => page.line(format_args!(
                "{:<22} {}",
                name.replace('_', " "),
                inline(other)
            )),
        }
    }
    let limits = &answer["limits"];
    let mut said = Vec::new();
    let number = |name: &str| limits[name].as_u64().unwrap_or(0);
    for cut in limits["truncated"].as_array().into_iter().flatten() {
        let (kept, total) = (&cut["kept"], &cut["total"]);
        said.push(match cut["cursor"].as_str() {
            Some(cursor) => format!("{kept} of {total} shown; go on with --cursor {cursor}"),
            None => format!("the last {kept} of {total}"),
        });
    }
    if number("unresolved_candidates") > 0 {
        said.push(format!(
            "a floor: {} calls were not placed and may belong here",
            number("unresolved_candidates")
        ));
    }
    if limits["snapshot_incomplete"] == true {
        said.push("a floor: the analysis left code out".to_owned());
    }
    if number("possible") > 0 {
        said.push(format!(
            "{} possible calls beside, never counted",
            number("possible")
        ));
    }
    if !said.is_empty() {
        page.blank();
        for line in said {
            let line = page.warn(clean(&line));
            page.line(line);
        }
    }
    page
}

/// A value on one line; of a row the places first, so that they can be clicked.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text),
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().map(inline).collect();
            parts.join(", ")
        }
        Value::Object(row) => {
            let mut rest: BTreeMap<&str, &Value> =
                row.iter().map(|(k, v)| (k.as_str(), v)).collect();
            let mut parts = Vec::new();
            for first in ["entity", "name", "kind"] {
                if let Some(Value::String(text)) = rest.remove(first) {
                    parts.push(clean(text));
                }
            }
            if let (Some(file), Some(line)) =
                (rest.get("file").copied(), rest.get("line_number").copied())
            {
                parts.push(format!("{}:{line}", inline(file)));
                rest.remove("file");
                rest.remove("line_number");
            }
            let others = rest.iter().filter(|(_, v)| !v.is_null());
            parts.extend(others.map(|(name, v)| match v {
                Value::Object(inner) => flat(inner),
                Value::Array(list) if list.iter().any(Value::is_object) => {
                    let all: Vec<String> = list.iter().map(inline).collect();
                    format!("[{}]", all.join("; "))
                }
                v => format!("{} {}", name.replace('_', " "), inline(v)),
            }));
            parts.join("  ")
        }
        other => other.to_string(),
    }
}

fn flat(parts: &Map<String, Value>) -> String {
    let parts = parts.iter().filter(|(_, v)| !v.is_null());
    let parts: Vec<String> = parts
        .map(|(name, value)| match value {
            Value::Object(inner) => format!("{} ({})", name.replace('_', " "), flat(inner)),
            value => format!("{} {}", name.replace('_', " "), inline(value)),
        })
        .collect();
    parts.join(", ")
}
