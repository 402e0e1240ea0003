//! The command line: one subcommand, one file.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::config;

/// Who calls this, and how do you know.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak the Language Server Protocol on stdin and stdout
    Lsp(Lsp),
    /// Print the table of settings
    #[command(hide = true)]
    DumpSettings(DumpSettings),
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
struct DumpSettings {
    #[arg(long, value_enum, default_value = "json")]
    format: config::Format,
}

/// Runs the subcommand that `args` name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            // To stderr for an error, to stdout for --help; a closed pipe is no reason to fail differently.
            let _ = e.print();
            return ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2));
        }
    };
    match cli.command {
        Command::Lsp(_) => crate::lsp::run(),
        Command::DumpSettings(args) => {
            print!("{}", config::dump(args.format));
            ExitCode::SUCCESS
        }
    }
}
