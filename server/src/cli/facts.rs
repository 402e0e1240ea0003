//! `surefoot facts`: what was read of a folder as a file, and such a file into what is kept for the next answers.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use surefoot_files::MAX_CACHE_BYTES;
use surefoot_session::{NotImported, Root, export_facts, hash_bytes, import_facts};

use super::failure::{Failure, Outcome};
use super::print::{Page, count, stdout, thousands};
use super::project::{Project, Reading};
use super::{Format, json_line};
use crate::{documents, keep};

#[derive(Debug, Args)]
pub struct Facts {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read a folder anew and write the facts of its files as one file
    Export(Export),
    /// Believe a file of facts for answers about a folder. Reports and `verify` never do: they read every file
    Import(Import),
}

#[derive(Debug, Args)]
struct Export {
    /// The file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The folder to read
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Args)]
struct Import {
    /// The file that `surefoot facts export` wrote, with this very build
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The folder whose answers may rest on it
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// The BLAKE3 digest that the export said; another file is refused
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Facts {
    pub fn format(&self) -> Format {
        match &self.command {
            Command::Export(args) => args.format,
            Command::Import(args) => args.format,
        }
    }
}

pub fn run(args: &Facts) -> Outcome<()> {
    match &args.command {
        Command::Export(args) => export(args),
        Command::Import(args) => import(args),
    }
}

fn export(args: &Export) -> Outcome<()> {
    // What others read is not handed on as ours.
    let project = Project::open_whole(&args.root, &args.reading, false)?;
    let (bytes, contents) = export_facts(&project.snapshot, &keep::facts().build);
    let digest = hash_bytes(&bytes).to_string();
    documents::write(&args.file, "The file of facts", |mut file| {
        file.write_all(&bytes)
    })?;
    if args.format == Format::Json {
        return stdout(&json_line(&json!({
            "file": args.file.display().to_string(),
            "digest": digest,
            "contents": contents,
            "bytes": bytes.len(),
        })));
    }
    let mut page = Page::new();
    page.line(format_args!(
        "Facts of {} in {} bytes: {}",
        count(contents as u64, "content"),
        thousands(bytes.len() as u64),
        args.file.display()
    ));
    page.line(format_args!("BLAKE3 {digest}"));
    page.print()
}

fn import(args: &Import) -> Outcome<()> {
    let shown = args.file.display();
    let unreadable =
        |e: std::io::Error| Failure::new("invalid_input", format!("{shown} cannot be read: {e}."));
    let file = File::open(&args.file).map_err(unreadable)?;
    if !file.metadata().map_err(unreadable)?.is_file() {
        let words = format!("{shown} is not a file.");
        return Err(Failure::new("invalid_input", words));
    }
    let mut bytes = Vec::new();
    let most = file.take(MAX_CACHE_BYTES + 1).read_to_end(&mut bytes);
    most.map_err(unreadable)?;
    let digest = hash_bytes(&bytes).to_string();
    if let Some(wanted) = &args.digest
        && !wanted.eq_ignore_ascii_case(&digest)
    {
        let words = format!("{shown} has the digest {digest}, not the one asked for.");
        return Err(Failure::new("invalid_facts", words));
    }
    let root = Root::open(&args.root)?;
    let imported = import_facts(&root, &keep::facts(), &bytes).map_err(|why| match why {
        NotImported::Damaged(what) => {
            let words = format!("{shown} is no file of facts that can be believed: {what}.");
            Failure::new("invalid_facts", words)
        }
        NotImported::Foreign => {
            let words = format!(
                "{shown} was made by another build of Surefoot; export it again with this one."
            );
            Failure::new("version_mismatch", words)
        }
        NotImported::TooLarge => {
            let words = format!("{shown} is larger than {MAX_CACHE_BYTES} bytes.");
            Failure::new("facts_too_large", words)
        }
        NotImported::Busy => {
            let words = "Another process is writing what is kept of this folder; try again.";
            Failure::new("store_unavailable", words)
        }
        NotImported::Unavailable(why) => {
            let words = format!("Nothing can be kept of this folder: {why}.");
            Failure::new("store_unavailable", words)
        }
    })?;
    if args.format == Format::Json {
        return stdout(&json_line(&json!({
            "digest": digest,
            "contents": imported.all,
            "new": imported.new,
            "kept_bytes": imported.bytes,
        })));
    }
    let mut page = Page::new();
    page.line(format_args!(
        "Took over the facts of {}, {} of them new here.",
        count(imported.all as u64, "content"),
        imported.new
    ));
    page.line("Answers that rest on them say so. Reports and `verify` read every file.");
    page.print()
}
