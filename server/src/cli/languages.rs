//! `surefoot dump-languages`: docs/languages.md, made from the registry of languages.

use std::fmt::Write;

use surefoot_session::{Options, Session};

use super::failure::Outcome;
use super::print::{stdout, thousands};

pub fn run() -> Outcome<()> {
    // A session opens a folder and reads nothing; any folder tells the languages of the build.
    let session = Session::open(&["."], Options::default())?;
    let languages = session.root(0).map(|r| r.snapshot().languages());
    let mut out = String::from(
        "# Languages\n\n\
         Made from the registry in `resolver/langs/src/lib.rs` by `surefoot dump-languages`; `cargo xtask tidy` compares \
         the two.\n\n\
         | language | files | grammar | version | stub of the standard library, lines |\n\
         | --- | --- | --- | --- | --: |\n",
    );
    for language in languages.unwrap_or_default().0 {
        let (grammar, version) = language.grammar();
        let extensions: Vec<String> = language
            .extensions()
            .iter()
            .map(|e| format!("`.{e}`"))
            .collect();
        let lines: usize = language
            .prelude()
            .iter()
            .map(|(_, text)| text.lines().count())
            .sum();
        let _ = writeln!(
            out,
            "| {} | {} | {grammar} | {version} | {} |",
            language.name(),
            extensions.join(", "),
            thousands(lines as u64),
        );
    }
    out.push_str(
        "\nWhat is read of a language, what it becomes and where that ends stands in the README of its folder below \
         `resolver/langs/src`. How often an edge is right, and how many are found, is measured for each against its \
         compiler or checkers: [accuracy](accuracy.md). A language that is not here is added with `cargo xtask new-lang \
         NAME`.\n\n\
         The stub gives types, never targets: a call that ends on a member it has is `outside`, one on a member it \
         lacks is `undetermined`.\n",
    );
    stdout(&out)
}
