//! `surefoot-oracle --scripts N --seed S`: plays random edit scripts and says
//! where the graph is not what it must be.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot_oracle::{Failure, Kind, Script, Seen, judge, minimise, script};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(about = "Random edits: incremental equals scratch equals delta.")]
struct Args {
    /// How many scripts to play.
    #[arg(long, default_value_t = 500)]
    scripts: u64,
    /// The seed of the first; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Updates per script.
    #[arg(long, default_value_t = 10)]
    steps: usize,
    /// Failures to look for before stopping.
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Print failures as they are found, without making them small.
    #[arg(long)]
    raw: bool,
    /// Say each seed before it is played: what was played last is what killed
    /// the process.
    #[arg(long)]
    say: bool,
    /// Threads; 0: one per processor.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Play the script that a fixture tells, and nothing else.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Print the script of the first seed as a fixture, and play nothing.
    #[arg(long)]
    show: bool,
    /// Folders of fixtures to start from, beside the made-up workspaces.
    #[arg(long)]
    fixtures: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.replay.clone() {
        Some(path) => replay(&path),
        None => play(&args),
    }
}

fn replay(path: &PathBuf) -> ExitCode {
    let parsed = std::fs::read_to_string(path)
        .map_err(|e| e.to_string())
        .and_then(|text| surefoot_fixture::parse::parse(&text).map_err(|e| e.to_string()));
    match parsed {
        Ok(fixture) => match judge(&Script::from_fixture(&fixture), &mut Seen::default()) {
            Ok(()) => {
                println!("{}: holds", path.display());
                ExitCode::SUCCESS
            }
            Err(f) => {
                println!("{}", report(&f));
                ExitCode::FAILURE
            }
        },
        Err(e) => {
            eprintln!("{}: {e}", path.display());
            ExitCode::from(2)
        }
    }
}

fn play(args: &Args) -> ExitCode {
    let known = match fixtures(&args.fixtures) {
        Ok(known) => known,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(2);
        }
    };
    if args.show {
        let script = script(args.seed, args.steps, &known);
        println!("{}", script.to_fixture(&format!("Seed {}.", args.seed)));
        return ExitCode::SUCCESS;
    }
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let next = AtomicUsize::new(0);
    let failed: Mutex<Vec<(u64, Script, Failure)>> = Mutex::new(Vec::new());
    let seen = Mutex::new(Seen::default());
    let lock = |m: &Mutex<Vec<(u64, Script, Failure)>>| m.lock().map_or(0, |f| f.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if n >= args.scripts || lock(&failed) >= args.failures {
                        return;
                    }
                    let seed = args.seed + n;
                    if args.say {
                        eprintln!("seed {seed}");
                    }
                    let script = script(seed, args.steps, &known);
                    let mut own = Seen::default();
                    if let Err(f) = judge(&script, &mut own)
                        && let Ok(mut failed) = failed.lock()
                    {
                        failed.push((seed, script, f));
                    }
                    if let Ok(mut seen) = seen.lock() {
                        seen.add(&own);
                    }
                }
            };
            // Deep expression trees are walked on the caller's stack.
            let builder = std::thread::Builder::new().stack_size(16 << 20);
            if builder.spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    let seen = seen.into_inner().unwrap_or_default();
    let ran = (next.into_inner() as u64).min(args.scripts);
    println!("{ran} scripts from seed {}: {seen:?}", args.seed);
    for (seed, script, failure) in &failed {
        println!("\n==== seed {seed}: {}", failure.promise);
        let (script, failure) = match args.raw {
            true => (script.clone(), failure.clone()),
            false => minimise(script, failure),
        };
        println!("{}\n", report(&failure));
        if !args.raw {
            let about = format!("Seed {seed}: {}.", failure.promise);
            println!("{}", script.to_fixture(&about));
        }
    }
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn report(f: &Failure) -> String {
    format!("step {}: not so: {}\n{}", f.step, f.promise, f.details)
}

/// The workspaces of all fixtures in some folders.
fn fixtures(folders: &[PathBuf]) -> Result<Vec<(Kind, Script)>, String> {
    let mut out = Vec::new();
    let own = [
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../resolver/langs/src/rust/fixtures"
        ),
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../resolver/langs/src/typescript/fixtures"
        ),
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../resolver/langs/src/python/fixtures"
        ),
    ];
    let own: Vec<PathBuf> = own.iter().map(PathBuf::from).collect();
    for folder in own.iter().filter(|_| folders.is_empty()).chain(folders) {
        let Ok(list) = std::fs::read_dir(folder) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = list.flatten().map(|e| e.path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "fixture"));
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|e| format!("{}: {e}", path.display()))?;
            let fixture = surefoot_fixture::parse::parse(&text);
            let fixture = fixture.map_err(|e| format!("{}: {e}", path.display()))?;
            let holds = |end: &str| fixture.files.iter().any(|f| f.path.ends_with(end));
            let kind = match () {
                _ if holds(".rs") => Kind::Rust,
                _ if holds(".py") => Kind::Python,
                _ => Kind::TypeScript,
            };
            out.push((kind, Script::from_fixture(&fixture)));
        }
    }
    Ok(out)
}
