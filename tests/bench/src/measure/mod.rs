//! One measurement in a process of its own: what it does, and the object it writes.

mod answer;
mod limits;
mod rest;
mod server;
mod typing;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use surefoot_session::{Cancel, Watch};

use crate::Result;
use crate::stats::{Began, memory};

/// Work that nobody follows.
fn unwatched(cancel: &Cancel) -> Watch<'_> {
    Watch {
        tell: &|_| (),
        cancel,
    }
}

/// One measurement.
#[derive(Debug, Args)]
pub struct Measure {
    #[arg(value_enum)]
    what: What,
    /// The tree
    tree: PathBuf,
    /// Where the object goes
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Edits, or requests of a kind
    #[arg(long, default_value_t = 400)]
    count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The report or store that some need
    #[arg(long)]
    with: Option<PathBuf>,
    /// For `callers`: whose
    #[arg(long, default_value = "new")]
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Walk and stat
    Walk,
    /// Walk, stat and read
    Read,
    /// Walk, stat, read and BLAKE3
    Hash,
    /// Walk, stat, read and parse with the same grammars, trees dropped
    Parse,
    /// `surefoot analyze`
    Analyze,
    /// `surefoot analyze --report`
    Report,
    /// The same, compressed
    Compressed,
    /// `surefoot verify`
    Verify,
    /// `surefoot snapshot save`
    Save,
    /// `surefoot query summary`
    Summary,
    /// `surefoot query freshness`
    Freshness,
    /// `surefoot callers`
    Callers,
    /// The whole tree to a first answer, with facts kept in a folder: cold the first time, warm after
    Answer,
    /// A first answer about an open file before the tree is read
    Glance,
    /// What a server holds when nobody asks anything
    Rest,
    /// The server over a pipe: ready, at rest, idle for `count` seconds
    Server,
    /// A session that stays: memory, edits, requests
    Typing,
}

pub fn run(args: &Measure) -> Result<()> {
    let with = args.with.clone().unwrap_or_default();
    let with = with.to_string_lossy();
    let began = Began::now();
    let mut found = match args.what {
        What::Walk | What::Read | What::Hash | What::Parse => {
            limits::run(args.what, &args.tree, args.threads)?
        }
        What::Analyze => command(&["analyze"], args)?,
        What::Report => command(&["analyze", "--report", &with], args)?,
        What::Compressed => command(&["analyze", "--report", &with, "--compress"], args)?,
        What::Verify => command(&["verify", &with, "--root"], args)?,
        What::Save => command(&["snapshot", "save", "--store", &with, "--root"], args)?,
        What::Summary => command(&["query", "summary", "--store", &with, "--root"], args)?,
        What::Freshness => command(&["query", "freshness", "--store", &with, "--root"], args)?,
        What::Callers => command(&["callers", &args.name, "--root"], args)?,
        What::Answer => {
            let folder = args.with.clone().unwrap_or_default();
            answer::run(&args.tree, &folder, args.threads, args.seed)?
        }
        What::Glance => answer::glance(&args.tree, args.threads, args.count, args.seed)?,
        What::Server => {
            let folder = args.with.clone().unwrap_or_default();
            server::run(&args.tree, &folder, args.count)?
        }
        What::Rest => rest::run(&args.tree, args.threads)?,
        What::Typing => {
            on_an_engine_thread(|| typing::run(&args.tree, args.threads, args.count, args.seed))?
        }
    };
    let cost = began.cost();
    if let Value::Object(fields) = &mut found {
        fields.insert("cpu_ms".into(), json!(cost.cpu));
        fields.insert("wall_ms".into(), json!(cost.wall));
        fields.insert("peak_bytes".into(), json!(memory("VmHWM")));
    }
    let text = found.to_string();
    std::fs::write(&args.out, text).map_err(|e| format!("{}: {e}", args.out.display()))
}

/// On a thread like the one the server edits on.
fn on_an_engine_thread(work: impl FnOnce() -> Result<Value> + Send) -> Result<Value> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(surefoot_engine::STACK);
        let thread = thread
            .spawn_scoped(scope, work)
            .map_err(|e| e.to_string())?;
        thread
            .join()
            .unwrap_or_else(|_| Err("the measurement failed".to_owned()))
    })
}

/// The command line as a user runs it, in this process.
fn command(words: &[&str], args: &Measure) -> Result<Value> {
    let threads = args.threads.to_string();
    let mut line: Vec<OsString> = vec!["surefoot".into()];
    line.extend(words.iter().map(OsString::from));
    line.push(args.tree.clone().into_os_string());
    // A question to what is kept analyses nothing.
    if words[0] != "query" {
        line.extend(["--threads".into(), threads.into()]);
    }
    let done = surefoot::cli::run(line);
    // Exit codes compare as their words only.
    if format!("{done:?}") == format!("{:?}", std::process::ExitCode::SUCCESS) {
        Ok(json!({}))
    } else {
        Err(format!(
            "surefoot {} failed on {}",
            words.join(" "),
            args.tree.display()
        ))
    }
}
