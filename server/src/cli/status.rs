//! `surefoot status`: what this build reads, keeps and bounds.

use clap::Args;
use serde_json::json;
use surefoot_engine::Languages;
use surefoot_report::Limits;
use surefoot_report::verify::Ceilings;
use surefoot_session::{Options, Session, WalkOptions};

use super::failure::Outcome;
use super::print::{Page, stdout, thousands};
use super::{Format, json_line};
use crate::documents::MAX_SNAPSHOT_BYTES;
use crate::export;

#[derive(Debug, Args)]
pub struct Status {
    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

pub fn run(args: &Status) -> Outcome<()> {
    // A session opens a folder and reads nothing; any folder tells the languages of the build.
    let session = Session::open(&["."], Options::default())?;
    let languages = session.root(0).map(|r| r.snapshot().languages());
    let languages = languages.unwrap_or_else(Languages::default);
    let provenance = export::provenance(languages, &Options::default());
    let threads = session.pool().threads();
    let (walk, limits, ceilings) = (
        WalkOptions::default(),
        Limits::default(),
        Ceilings::default(),
    );
    let bounds: [(&str, u64); 10] = [
        ("largest file read, bytes", walk.max_file_bytes),
        ("source files of one folder", walk.max_files as u64),
        ("source bytes of one folder", walk.max_total_bytes),
        ("names looked at in one folder", walk.max_visited as u64),
        ("length of a report read, bytes", limits.bytes),
        ("values of a report read", limits.nodes),
        ("files one verification reads", ceilings.files),
        ("bytes one verification reads", ceilings.bytes),
        ("largest file it parses, bytes", ceilings.file_bytes),
        ("kept snapshots together, bytes", MAX_SNAPSHOT_BYTES),
    ];
    if args.format == Format::Json {
        let languages = languages.0.iter().map(|l| {
            let (grammar, version) = l.grammar();
            json!({
                "name": l.name(),
                "extensions": l.extensions(),
                "grammar": grammar,
                "grammar_version": version,
            })
        });
        let bounds = bounds
            .iter()
            .map(|(what, bound)| json!({ "what": what, "bound": bound }));
        let status = json!({
            "name": &*provenance.name,
            "version": &*provenance.version,
            "build": &*provenance.build,
            "threads": threads,
            "languages": languages.collect::<Vec<_>>(),
            "bounds": bounds.collect::<Vec<_>>(),
        });
        return stdout(&json_line(&status));
    }
    let mut page = Page::new();
    let line = format!(
        "{}  {}",
        page.bold(format_args!("{} {}", provenance.name, provenance.version)),
        page.dim(format_args!(
            "build {}, {threads} threads",
            provenance.build
        ))
    );
    page.line(line);
    page.blank();
    page.heading("Languages");
    let endings = |l: &dyn surefoot_facts::Language| l.extensions().join(", ");
    let widest = languages.0.iter().map(|l| endings(*l).len()).max();
    let widest = widest.unwrap_or(0);
    for &language in languages.0 {
        let (grammar, version) = language.grammar();
        page.line(format_args!(
            "  {:<12} {:<widest$}  {grammar} {version}",
            language.name(),
            endings(language),
        ));
    }
    page.blank();
    page.heading("Bounds");
    for (what, bound) in bounds {
        page.line(format_args!("  {what:<32} {:>16}", thousands(bound)));
    }
    page.print()
}
