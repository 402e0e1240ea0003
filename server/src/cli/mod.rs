//! The command line: one subcommand, one file.

mod analyze;
mod around;
mod borrow;
mod calls;
pub mod diff;
mod disagreements;
mod explain;
mod export;
mod facts;
mod failure;
mod find;
mod languages;
mod place;
mod print;
mod progress;
mod project;
mod query;
mod snapshot;
mod status;
pub mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use surefoot_engine::features::hierarchy::Direction;

use crate::config;
use failure::Failure;

/// Who calls this, and how do you know.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Tiers: ● certain, a binding proves it; ◐ likely, a stated convention picked the one \
                  target; ○ possible, it may run this and is never counted.\n\
                  Exit codes: 0 it worked, 1 the answer is no, 2 asked wrongly, 3 could not answer, \
                  4 code was left out (analyze --fail-on-incomplete)."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print what a folder holds and what is known of its calls; write the report
    Analyze(Box<analyze::Analyze>),
    /// Print who calls a function, and how that is known
    Callers(calls::Calls),
    /// Print what a function calls, and how that is known
    Callees(calls::Calls),
    /// Explain one call: its rule, every place it rests on, what was refused
    Explain(explain::Explain),
    /// Print the calls of which a language server says otherwise
    Disagreements(disagreements::Disagreements),
    /// Check that a report still says what its folder says
    Verify(verify::Verify),
    /// Print what changed between two reports, and what to look at again
    Diff(diff::DiffArgs),
    /// Write a report as HTML, SCIP, DOT or GraphML
    Export(export::Export),
    /// Keep reports between two questions: save, list, show, ref, prune
    Snapshot(snapshot::Snapshot),
    /// Ask a kept snapshot one question, without reading the tree
    Query(query::Query),
    /// Hand on what was read of a folder as a file; believe such a file for answers
    Facts(facts::Facts),
    /// Print the languages and bounds of this build
    Status(status::Status),
    /// Speak the Language Server Protocol on stdin and stdout
    ///
    /// Editors start this themselves: `cargo xtask install` sets up VS Code and Neovim, editors/ has
    /// others. Settings come from the editor, as docs/settings.md lists them.
    Lsp(Lsp),
    /// Start a language server and end it when we are gone
    #[command(hide = true, name = crate::borrowed::GUARD)]
    Guard(Guard),
    /// Print the table of languages
    #[command(hide = true)]
    DumpLanguages,
    /// Print the table of settings
    #[command(hide = true)]
    DumpSettings(DumpSettings),
}

/// How a command answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    Text,
    /// For a program: one JSON document; failures are one JSON object on stderr
    Json,
}

#[derive(Debug, Args)]
struct Lsp {
    /// What most editors pass; it is the only way there is
    #[arg(long, hide = true)]
    stdio: bool,
    /// Passed by some editors; the same number arrives in `initialize`
    #[arg(long, hide = true, value_name = "PID")]
    client_process_id: Option<u32>,
}

#[derive(Debug, Args)]
struct Guard {
    /// The process that asks, the program, and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 1..)]
    rest: Vec<OsString>,
}

#[derive(Debug, Args)]
struct DumpSettings {
    #[arg(long, value_enum, default_value = "json")]
    format: config::Format,
}

/// Runs the subcommand that `args` name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(e) => return refused(&e, &args),
    };
    let (outcome, format) = match &cli.command {
        Command::Lsp(_) => return crate::lsp::run(),
        Command::Guard(args) => return surefoot_bridge::guard::run(args.rest.iter().cloned()),
        Command::Disagreements(args) => (disagreements::run(args), args.format),
        Command::DumpLanguages => (languages::run(), Format::Text),
        Command::DumpSettings(args) => (print::stdout(&config::dump(args.format)), Format::Text),
        Command::Analyze(args) => (analyze::run(args), args.format),
        Command::Callers(args) => (calls::run(args, Direction::Callers), args.format),
        Command::Callees(args) => (calls::run(args, Direction::Callees), args.format),
        Command::Explain(args) => (explain::run(args), args.format),
        Command::Verify(args) => (verify::run(args), args.format),
        Command::Diff(args) => (diff::run(args), args.format),
        Command::Export(args) => (export::run(args), args.format),
        Command::Snapshot(args) => (snapshot::run(args), args.format),
        Command::Query(args) => (query::run(args), args.format()),
        Command::Facts(args) => (facts::run(args), args.format()),
        Command::Status(args) => (status::run(args), args.format),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(format == Format::Json),
    }
}

/// What clap has to say: help on stdout, a wrong command line on stderr, as an object for a program.
fn refused(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let json = args
        .windows(2)
        .any(|w| w[0] == "--format" && w[1] == "json")
        || args.iter().any(|a| a == "--format=json");
    if json && error.use_stderr() {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        return Failure::invalid_request(message).report(true);
    }
    // A closed pipe is no reason to fail differently.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// A JSON document and its line end.
fn json_line(document: &impl serde::Serialize) -> String {
    // Maps with string keys and numbers cannot fail to become JSON.
    let mut text = serde_json::to_string(document).unwrap_or_default();
    text.push('\n');
    text
}
