//! `surefoot-fuzz --seconds S`: hands broken inputs to every door and says which
//! one broke a promise, with the input to repeat it.
//!
//! The work is done by child processes, each writing down its input before it
//! runs it, so that an overflowing stack costs one input and is reported.

use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use surefoot_fuzz::{Input, Rng, Target, attempt, input, seeds, server};

#[derive(Parser)]
#[command(about = "Bytes to facts, frames to the server, documents to the report reader.")]
struct Args {
    /// How long to look, in all.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One door only: facts, edits, manifest, cache, report, frames.
    #[arg(long)]
    target: Option<String>,
    /// Findings to look for before stopping.
    #[arg(long, default_value_t = 5)]
    findings: usize,
    /// Run this file through a door (`--target`), once. Its name says what it is.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Where inputs that broke something are kept.
    #[arg(long, default_value = "target/fuzz")]
    keep: PathBuf,
    /// This process is the child that does the work.
    #[arg(long, hide = true)]
    worker: bool,
}

/// An input that takes longer is a finding, also on a loaded machine: no real
/// file takes a hundredth of it.
const PATIENCE: Duration = Duration::from_secs(120);

/// Of a deep tree, walkers may use this much stack: as much as the product gives.
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    let args = Args::parse();
    let target = match args.target.as_deref().map(Target::named) {
        Some(None) => {
            let all: Vec<&str> = Target::ALL.iter().map(|t| t.word()).collect();
            eprintln!("There is no such target; there are {}.", all.join(", "));
            return ExitCode::from(2);
        }
        other => other.flatten(),
    };
    if let Some(path) = &args.replay {
        return replay(path, target.unwrap_or(Target::Facts));
    }
    let work = || {
        if args.worker {
            worker(&args, target)
        } else {
            watch(&args)
        }
    };
    // The same stack as the product's workers have.
    let outcome = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder
            .spawn_scoped(scope, work)
            .map(|handle| handle.join().unwrap_or(ExitCode::FAILURE))
    });
    outcome.unwrap_or(ExitCode::FAILURE)
}

fn replay(path: &Path, target: Target) -> ExitCode {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) => {
            eprintln!("{}: {e}", path.display());
            return ExitCode::from(2);
        }
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Kept inputs are called <what>-<digest>-<name>.
    let name = name.splitn(3, '-').nth(2).unwrap_or(&name).to_owned();
    let input = Input { path: name, bytes };
    let run = || attempt(target, &input);
    let result = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder.spawn_scoped(scope, run).map(|h| h.join())
    });
    match result {
        Ok(Ok(Ok(()))) => {
            println!("holds");
            ExitCode::SUCCESS
        }
        Ok(Ok(Err(what))) => {
            println!("{what}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

// ---- the parent ------------------------------------------------------------------------

fn watch(args: &Args) -> ExitCode {
    let until = Instant::now() + Duration::from_secs(args.seconds);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let findings: Mutex<Vec<String>> = Mutex::default();
    let next = AtomicU64::new(args.seed);
    let ran = AtomicU64::new(0);
    let _ = std::fs::create_dir_all(&args.keep);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let left = until.saturating_duration_since(Instant::now());
                    let found = findings.lock().map_or(0, |f| f.len());
                    if left.as_secs() == 0 || found >= args.findings {
                        return;
                    }
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if let Some(what) = child(args, seed, left, &ran)
                        && let Ok(mut findings) = findings.lock()
                    {
                        findings.push(what);
                    }
                }
            });
        }
    });
    let findings = findings.into_inner().unwrap_or_default();
    for finding in &findings {
        println!("{finding}\n");
    }
    let doors = match server() {
        Some(_) => "all doors",
        None => "all doors but the server's, which is not built beside this program",
    };
    println!(
        "{} s from seed {}, {doors}: {} inputs, {} findings",
        args.seconds,
        args.seed,
        ran.into_inner(),
        findings.len()
    );
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// One child to its end; what it found, or what killed it.
fn child(args: &Args, seed: u64, left: Duration, ran: &AtomicU64) -> Option<String> {
    let own = std::env::current_exe().ok()?;
    let seconds = left.as_secs().clamp(1, 20);
    let mut command = Command::new(own);
    command
        .args(["--worker", "--seed", &seed.to_string()])
        .args(["--seconds", &seconds.to_string(), "--keep"])
        .arg(&args.keep)
        .env("RUST_BACKTRACE", "0")
        .stderr(Stdio::null());
    if let Some(target) = &args.target {
        command.args(["--target", target]);
    }
    let out = command.output().ok()?;
    let said = String::from_utf8_lossy(&out.stdout);
    if out.status.success() {
        ran.fetch_add(said.trim().parse().unwrap_or(0), Ordering::Relaxed);
        return None;
    }
    if out.status.code().is_some() && !said.trim().is_empty() {
        return Some(said.trim().to_owned());
    }
    let at = current(&args.keep, seed);
    let name = std::fs::read_to_string(at.with_extension("name")).unwrap_or_default();
    let bytes = std::fs::read(&at).unwrap_or_default();
    let (target, path) = name.split_once(' ').unwrap_or(("facts", "a.rs"));
    let input = Input {
        path: path.to_owned(),
        bytes,
    };
    let killed = format!("the process died: {}", out.status);
    Some(finding(&args.keep, target, seed, &input, &killed))
}

fn current(keep: &Path, seed: u64) -> PathBuf {
    keep.join(format!("current-{seed}"))
}

/// Keeps an input and says how to repeat what it did.
fn finding(keep: &Path, target: &str, seed: u64, input: &Input, what: &str) -> String {
    let digest = blake3::hash(&input.bytes).to_hex();
    let name = input.path.replace(['/', '\\'], "_");
    let path = keep.join(format!("{target}-{}-{name}", &digest[..12]));
    let _ = std::fs::write(&path, &input.bytes);
    let what: String = what.chars().take(2_000).collect();
    format!(
        "{target}, seed {seed}: {what}\n  again: cargo run --release -p surefoot-fuzz -- --target {target} --replay {}",
        path.display()
    )
}

// ---- the child -------------------------------------------------------------------------

fn worker(args: &Args, only: Option<Target>) -> ExitCode {
    let until = Instant::now() + Duration::from_secs(args.seconds);
    let seeds = seeds();
    let mut rng = Rng::new(args.seed.wrapping_mul(0x9e37_79b9));
    let at = current(&args.keep, args.seed);
    let clock = Clock::start();
    let mut ran = 0;
    while Instant::now() < until {
        let target = only.unwrap_or_else(|| match rng.below(40) {
            0..=19 => Target::Facts,
            20..=26 => Target::Edits,
            27..=30 => Target::Manifest,
            31..=33 => Target::Cache,
            34..=38 => Target::Report,
            _ => Target::Frames,
        });
        let input = input(target, &mut rng, &seeds);
        let _ = std::fs::write(&at, &input.bytes);
        let name = format!("{} {}", target.word(), input.path);
        let _ = std::fs::write(at.with_extension("name"), name);
        clock.begin();
        let result = attempt(target, &input);
        clock.end();
        ran += 1;
        if let Err(what) = result {
            let text = finding(&args.keep, target.word(), args.seed, &input, &what);
            println!("{text}");
            clean(&at);
            return ExitCode::FAILURE;
        }
    }
    clean(&at);
    println!("{ran}");
    ExitCode::SUCCESS
}

fn clean(at: &Path) {
    let _ = std::fs::remove_file(at);
    let _ = std::fs::remove_file(at.with_extension("name"));
}

/// Ends the process when one input takes too long: the parent then finds it.
struct Clock(std::sync::Arc<Mutex<Option<Instant>>>);

impl Clock {
    fn start() -> Clock {
        let began: std::sync::Arc<Mutex<Option<Instant>>> = std::sync::Arc::default();
        let watched = began.clone();
        std::thread::spawn(move || {
            loop {
                // polls: the time the input in work has taken
                std::thread::sleep(Duration::from_secs(1));
                let late = watched
                    .lock()
                    .is_ok_and(|began| began.is_some_and(|began| began.elapsed() > PATIENCE));
                if late {
                    std::process::abort();
                }
            }
        });
        Clock(began)
    }

    fn set(&self, to: Option<Instant>) {
        if let Ok(mut began) = self.0.lock() {
            *began = to;
        }
    }

    fn begin(&self) {
        self.set(Some(Instant::now()));
    }

    fn end(&self) {
        self.set(None);
    }
}
