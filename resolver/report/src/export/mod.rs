//! A report in the forms that other programs and people read.

mod graph;
mod html;
mod sarif;
mod scip;

pub use self::scip::scip;
pub use graph::{GraphKind, dot, graphml};
pub use html::html;
pub use sarif::{Finding, Level, Related, Rule, Spot, sarif};

use crate::model::Report;
use crate::refusal::Refusal;
use std::path::Path;

/// A form, known by the ending of a file's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A page for people.
    Html,
    /// Symbols and occurrences for code search.
    Scip,
    /// The call graph for Graphviz.
    Dot,
    /// The call graph for graph tools.
    GraphMl,
    /// Findings for code scanning.
    Sarif,
}

impl Form {
    pub fn of(path: &Path) -> Result<Form, Refusal> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match ending {
            "html" | "htm" => Ok(Form::Html),
            "scip" => Ok(Form::Scip),
            "dot" | "gv" => Ok(Form::Dot),
            "graphml" => Ok(Form::GraphMl),
            "sarif" => Ok(Form::Sarif),
            _ => Err(Refusal::new(
                "invalid_request",
                format!(
                    "The ending of `{}` names no form. There are: .html, .scip, .dot, .graphml, .sarif.",
                    path.display()
                ),
            )),
        }
    }
}

/// The text as XML and HTML spell it; what neither can hold becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            c => out.push(c),
        }
    }
    out
}

/// `<analyzer> <version>`, as forms name who made them.
fn made_by(report: &Report) -> String {
    let p = &report.analyzer_provenance;
    format!("{} {}", p.name, p.version)
}
