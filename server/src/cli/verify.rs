//! `surefoot verify`: does a report still say what its tree says?

use std::path::PathBuf;

use clap::Args;
use surefoot_engine::{Cancel, Languages};
use surefoot_report::verify::{State, Verdict};
use surefoot_session::{Options, Root, Session};

use super::failure::{Failure, Outcome};
use super::print::{Page, clean, count, stdout};
use super::progress::Bar;
use super::{Format, json_line};
use crate::documents;
use crate::export::{self, DiskTree};

#[derive(Debug, Args)]
#[command(
    after_help = "Exits with 0 when it does, 1 when it does not.\n\nExamples:\n  \
    surefoot verify shop.json --root ../shop\n  \
    surefoot verify shop.json --format json"
)]
pub struct Verify {
    /// The report, as `surefoot analyze --report` wrote it
    #[arg(value_name = "REPORT")]
    report: PathBuf,

    /// The folder it is about
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// Use so many threads; one per processor without it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

pub fn run(args: &Verify) -> Outcome<()> {
    let limits = documents::limits()?;
    let ceilings = documents::ceilings()?;
    let root = Root::open(&args.root)?;
    let report = documents::read(&args.report, &limits)?;
    let languages = Session::open(&[&args.root], Options::default())?
        .root(0)
        .map_or_else(Languages::default, |r| r.snapshot().languages());
    let here = export::provenance(languages, &Options::default());
    let bar = Bar::new();
    let (tell, cancel) = (|progress| bar.tell(progress), Cancel::new());
    let mut tree = DiskTree::new(root, args.threads.unwrap_or(0), &tell, &cancel);
    let verdict = surefoot_report::verify::verify(&report, &here, &mut tree, &ceilings)?;
    drop(bar);
    match args.format {
        Format::Json => stdout(&json_line(&verdict))?,
        Format::Text => page(&verdict, Page::new()).print()?,
    }
    if verdict.verified {
        return Ok(());
    }
    Err(Failure::answered(
        "verification_failed",
        "The tree does not match the report.",
    ))
}

/// The verdict for reading, also on an editor's page.
pub fn text(verdict: &Verdict) -> String {
    page(verdict, Page::plain()).text()
}

fn page(v: &Verdict, mut page: Page) -> Page {
    let answer = if v.verified {
        page.good("verified")
    } else {
        page.warn("not verified")
    };
    let id = v.snapshot_id.to_string();
    let line = format!(
        "{answer}  {}",
        page.dim(format_args!("snapshot {}", &id[..16]))
    );
    page.line(line);
    page.line(format_args!(
        "{} read again, {}, {} that had to be empty",
        count(v.checked_source, "source file"),
        count(v.checked_configuration, "configuration"),
        count(v.checked_configuration_absent, "place"),
    ));
    page.line(match v.reproduction.state {
        State::Matched => "A fresh analysis gave the same report, field by field.".to_owned(),
        State::Diverged => format!(
            "A fresh analysis gave something else in: {}.",
            v.divergent_fields.join(", ")
        ),
        State::NotAttempted => format!(
            "No fresh analysis was made: {}.",
            match v.reproduction.reason {
                surefoot_report::verify::Reason::ResolverAbsent =>
                    "a language server took part in the report, and none is asked here",
                _ => "the files already differ",
            }
        ),
    });
    if let Some(attested) = v.attested {
        page.line(format_args!(
            "{} placed by language servers and taken on their word.",
            count(attested, "call")
        ));
    }
    let list = |page: &mut Page, title: &str, rows: Vec<String>| {
        if rows.is_empty() {
            return;
        }
        page.blank();
        page.heading(title);
        for row in rows {
            page.line(format_args!("  {}", clean(&row)));
        }
    };
    let mismatches = v.mismatches.iter().map(|m| match m.expected.as_str() {
        "absent" => format!("{}  stands where nothing stood", m.file),
        _ => m.file.clone(),
    });
    list(&mut page, "Changed", mismatches.collect());
    list(&mut page, "Gone", v.missing.clone());
    let errors = v.errors.iter().map(|e| format!("{}: {}", e.file, e.error));
    list(&mut page, "Not readable", errors.collect());
    let differences = v.differences.iter().map(|d| {
        let place = match (&d.file, d.line_number) {
            (Some(file), Some(line)) => format!("{file}:{line}  "),
            // What is about a whole file begins with its name.
            (Some(file), None) if !d.what.starts_with(file.as_str()) => format!("{file}  "),
            _ => String::new(),
        };
        format!("{}  {place}{}", d.field, d.what)
    });
    list(&mut page, "Where they part", differences.collect());
    page
}
