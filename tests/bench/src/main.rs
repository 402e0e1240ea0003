//! Measures, in one run and paired, what reading and parsing a tree costs at least and what Surefoot makes of it.
//!
//! Every number comes from a process of its own (`measure`), so that none sees another's memory or warm tables, and
//! the kinds take turns, so that a machine that slows down slows all of them.

mod measure;
mod page;
mod peers;
mod plan;
mod report;
mod stats;
mod trees;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

// The allocator of the program that users run.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An error is a sentence for the person at the terminal.
type Result<T> = std::result::Result<T, String>;

/// Paired measurements.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    plan: plan::Plan,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// One measurement, as a JSON object in a file; what the others are made of
    Measure(measure::Measure),
    /// The server, as users run it
    #[command(hide = true)]
    Serve,
    /// What a report costs beside its analysis, as ratios
    Report(report::Report),
    /// Fetch the pinned trees and say what they hold
    Trees {
        /// Where they are kept
        #[arg(long, value_name = "DIR")]
        cache: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    // As the program that users run.
    surefoot::memory::small_pages();
    let cli = Cli::parse();
    let done = match &cli.command {
        Some(Command::Measure(measure)) => measure::run(measure),
        Some(Command::Serve) => {
            return surefoot::cli::run(["surefoot".into(), "lsp".into()]);
        }
        Some(Command::Report(args)) => report::run(args),
        Some(Command::Trees { cache }) => trees::fetch_all(cache.as_deref()),
        None => plan::run(&cli.plan),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
