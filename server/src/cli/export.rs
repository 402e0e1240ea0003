//! `surefoot export`: a report there is, in the forms that other programs and people read.

use std::path::PathBuf;

use clap::Args;
use surefoot_engine::Languages;
use surefoot_report::export::Form;
use surefoot_session::{Options, Session};

use super::diff::Kept;
use super::failure::{Failure, Outcome};
use super::print::{Page, clean};
use super::{Format, json_line};
use crate::forms;

#[derive(Debug, Args)]
#[command(
    after_help = "The ending of a file names its form: .html a page for people, .scip symbols and \
    occurrences, .dot and .graphml the call graph. Findings (.sarif) need the tree: `surefoot analyze \
    --export`.\n\nExamples:\n  \
    surefoot export shop.json shop.html index.scip\n  \
    surefoot export @base calls.dot"
)]
pub struct Export {
    /// The report: a file, `-` for standard input, or `@` with the name or id of a snapshot
    #[arg(value_name = "REPORT")]
    report: String,

    /// Where to, and by its ending in which form
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What the page calls the tree
    #[arg(long, value_name = "TEXT", default_value = "this tree")]
    title: String,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[command(flatten)]
    kept: Kept,
}

const FORMS: &str = ".html, .scip, .dot, .graphml";

pub fn run(args: &Export) -> Outcome<()> {
    // All of them before the first is written: a refusal in the middle would leave half.
    for file in &args.files {
        match Form::of(file) {
            Ok(Form::Sarif) => {
                return Err(Failure::invalid_request(format!(
                    "`{}` would hold findings, which are made from a tree and not from a report: use \
                     `surefoot analyze --export`. From a report there are: {FORMS}.",
                    file.display()
                )));
            }
            Ok(_) => {}
            Err(_) => {
                return Err(Failure::invalid_request(format!(
                    "The ending of `{}` names no form. From a report there are: {FORMS}.",
                    file.display()
                )));
            }
        }
    }
    let report = args.kept.report(&args.report)?;
    // A session opens a folder and reads nothing; any folder tells the languages of the build.
    let session = Session::open(&["."], Options::default())?;
    let languages = session.root(0).map(|r| r.snapshot().languages());
    let languages = languages.unwrap_or_else(Languages::default);
    for file in &args.files {
        forms::write(file, &report, &args.title, languages, None)?;
    }
    if args.format == Format::Json {
        let written = serde_json::json!({ "of": report.snapshot_id, "written": args.files });
        return super::print::stdout(&json_line(&written));
    }
    let mut page = Page::new();
    for file in &args.files {
        page.line(format_args!(
            "Written: {}",
            clean(&file.display().to_string())
        ));
    }
    page.print()
}
