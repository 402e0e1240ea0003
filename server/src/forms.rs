//! A report in the forms that other programs and people read, written to files.

use std::io::Write;
use std::path::Path;

use surefoot_engine::features::diagnostics::{self, Code, DiagnosticOptions};
use surefoot_engine::{Languages, Place, REPORT_THRESHOLD, Snapshot};
use surefoot_report::export::{self, Finding, Form, GraphKind, Level, Related, Rule, Spot};
use surefoot_report::{Refusal, Report};
use surefoot_session::Suppressions;

use crate::documents;

/// Where findings come from: a tree that was just read. A report alone has none.
pub struct Findings<'a> {
    pub snapshot: &'a Snapshot,
    /// The text of a file as it was analysed.
    pub text: &'a dyn Fn(&str) -> Option<std::sync::Arc<str>>,
}

/// Writes `report` to `path` in the form that its ending names.
pub fn write(
    path: &Path,
    report: &Report,
    name: &str,
    languages: Languages,
    findings: Option<&Findings<'_>>,
) -> Result<(), Refusal> {
    let bytes = match Form::of(path)? {
        Form::Html => export::html(report, name).into_bytes(),
        Form::Scip => export::scip(report, &|path| language(languages, path)),
        Form::Dot => export::dot(report, GraphKind::Calls).into_bytes(),
        Form::GraphMl => export::graphml(report, GraphKind::Calls).into_bytes(),
        Form::Sarif => {
            let Some(findings) = findings else {
                return Err(Refusal::new(
                    "invalid_request",
                    "Findings are made from a tree, not from a report: use `surefoot analyze --export`.",
                ));
            };
            let mut text = export::sarif(report, &rules(), &findings.collect()).to_string();
            text.push('\n');
            text.into_bytes()
        }
    };
    documents::write(path, "The report", |mut file| file.write_all(&bytes))
}

/// The language whose files end like this one.
fn language(languages: Languages, path: &str) -> Option<String> {
    let ending = path.rsplit_once('.')?.1;
    let found = languages
        .0
        .iter()
        .find(|l| l.extensions().contains(&ending));
    found.map(|l| l.name().to_owned())
}

const CODES: [Code; 5] = [
    Code::UnreadParameter,
    Code::UnreadParameterOverwritten,
    Code::Hotspot,
    Code::ImportCycle,
    Code::UnresolvedImport,
];

fn rules() -> Vec<Rule> {
    let rules = CODES.iter().map(|&code| {
        let (name, short, help, level) = match code {
            Code::UnreadParameter => (
                "UnreadParameter",
                "A parameter nobody reads",
                "The body never reads the parameter. Remove it, or name it as the language marks what \
                 is unused on purpose.",
                Level::Warning,
            ),
            Code::UnreadParameterOverwritten => (
                "OverwrittenParameter",
                "A parameter that is overwritten before it is read",
                "The value that callers pass is lost: the body assigns the parameter before it reads it.",
                Level::Warning,
            ),
            Code::Hotspot => (
                "Hotspot",
                "A function that much depends on and that is hard to change",
                "Its score, fan-out × 0.35 + complexity × 0.40 + depth × 0.25, reaches the threshold.",
                Level::Note,
            ),
            Code::ImportCycle => (
                "ImportCycle",
                "Files that import each other",
                "None of the files can be understood, tested or loaded without the others.",
                Level::Warning,
            ),
            Code::UnresolvedImport => (
                "UnresolvedImport",
                "An import that names this tree and leads nowhere",
                "The evidence names this tree, and nothing in it answers: a wrong path, a file that is \
                 gone, or one that was not read.",
                Level::Warning,
            ),
        };
        Rule {
            id: code.id().to_owned(),
            name: name.to_owned(),
            short: short.to_owned(),
            help: help.to_owned(),
            level,
        }
    });
    rules.collect()
}

impl Findings<'_> {
    fn collect(&self) -> Vec<Finding> {
        let options = DiagnosticOptions {
            hotspots: Some(REPORT_THRESHOLD),
            ..DiagnosticOptions::default()
        };
        let mut out = Vec::new();
        for file in self.snapshot.files() {
            let all = diagnostics::diagnostics(self.snapshot, file.id, &options, &|_, _| false);
            if all.is_empty() {
                continue;
            }
            let text = (self.text)(&file.path);
            let silenced = text.as_deref().map(Suppressions::scan).unwrap_or_default();
            for d in all {
                let related = d.related.iter().map(|r| Related {
                    spot: self.spot(&r.place),
                    message: r.message.clone(),
                });
                out.push(Finding {
                    rule: d.code.id().to_owned(),
                    spot: self.spot(&d.place),
                    related: related.collect(),
                    entity: d.symbol.and_then(|s| self.snapshot.qualified_name(s)),
                    suppressed: silenced.covers(d.place.start.line, d.code),
                    message: d.message,
                });
            }
        }
        out
    }

    fn spot(&self, place: &Place) -> Spot {
        let file = self
            .snapshot
            .file(place.file)
            .map(|f| f.path.to_string())
            .unwrap_or_default();
        let text = (self.text)(&file);
        let lines: Vec<&str> = match &text {
            Some(text) => {
                let wanted = place.end.line as usize + 1;
                text.lines().take(wanted).collect()
            }
            None => Vec::new(),
        };
        // Our columns are bytes; the format counts UTF-16 code units.
        let column = |line: u32, bytes: u32| {
            let line = lines.get(line as usize).copied().unwrap_or("");
            let before = line.get(..bytes as usize);
            before.map_or(bytes, |b| b.encode_utf16().count() as u32) + 1
        };
        let (start, end) = (place.start, place.end);
        Spot {
            start: (start.line + 1, column(start.line, start.column)),
            end: (end.line + 1, column(end.line, end.column)),
            file,
        }
    }
}
