//! `surefoot-accuracy`: fetch, judge, score, run peers, write the table.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

use surefoot_accuracy::answers::{self, Answers};
use surefoot_accuracy::cache::{Cache, workspace_root};
use surefoot_accuracy::figures::Figures;
use surefoot_accuracy::peers::{self, Peer};
use surefoot_accuracy::projects::{self, Project};
use surefoot_accuracy::score::{self, Scored};
use surefoot_accuracy::show::{self, Outcome, What};
use surefoot_accuracy::truth::{Lines, Truth};
use surefoot_accuracy::{
    Context, Result, fetch, judge, members, pycg, round_trip, run, slice, table, with_server,
};

#[derive(Parser)]
#[command(
    name = "surefoot-accuracy",
    about = "Call edges against compilers, on pinned projects"
)]
struct Args {
    /// Where projects, truths and reports are kept [default: $XDG_CACHE_HOME/surefoot-accuracy]
    #[arg(long, global = true)]
    cache: Option<PathBuf>,
    /// The gate: judges against their marks, and the projects with a `least` in projects.toml
    #[arg(long)]
    slice: bool,
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// List the pinned projects
    Projects,
    /// Bring projects into the cache
    Fetch { projects: Vec<String> },
    /// Ask the compilers; kept until a judge or a project changes
    Judge {
        projects: Vec<String>,
        /// Judge again although a truth is kept
        #[arg(long)]
        again: bool,
    },
    /// Check the judges against the marked shapes in fixtures/
    Shapes,
    /// Compare Surefoot's edges with the truth
    Score(ScoreArgs),
    /// Score the two peers on the same sites
    Peers {
        projects: Vec<String>,
        #[arg(long)]
        peer: Option<Peer>,
        /// Run them again although answers are kept
        #[arg(long)]
        again: bool,
        /// List sites placed against the judge
        #[arg(long, default_value_t = 0)]
        show: usize,
    },
    /// PyCG's micro-suite: how many of its cases are sound and complete, and what the others lack
    Pycg {
        /// Only cases whose name contains one of these
        cases: Vec<String>,
        /// The binary to run [default: target/release/surefoot]
        #[arg(long)]
        surefoot: Option<PathBuf>,
    },
    /// Print the same sites without and with a language server, as a table: the pairs of docs/accuracy.md, with
    /// the servers of the registries (rust-analyzer from SUREFOOT_RUST_ANALYZER or the PATH, the library's sources
    /// from SUREFOOT_RUST_LIBRARY), or any server with --lsp
    Server {
        projects: Vec<String>,
        /// This server instead, as `surefoot analyze --lsp` takes it
        #[arg(long, value_name = "COMMAND")]
        lsp: Option<String>,
        /// Options for it as JSON, in its own words
        #[arg(long, value_name = "JSON", requires = "lsp")]
        lsp_options: Option<String>,
        /// The binary to run [default: target/release/surefoot]
        #[arg(long)]
        surefoot: Option<PathBuf>,
    },
    /// Take reports of ten projects there and back: made, moved, touched, changed, altered, verified
    Roundtrip {
        projects: Vec<String>,
        /// Write the page here, too
        #[arg(long)]
        out: Option<PathBuf>,
        /// The binary to run [default: target/release/surefoot]
        #[arg(long)]
        surefoot: Option<PathBuf>,
    },
    /// Write docs/accuracy.md from all projects
    Table {
        #[arg(long)]
        out: Option<PathBuf>,
        /// The binary whose reports are scored [default: target/release/surefoot, built now]
        #[arg(long)]
        surefoot: Option<PathBuf>,
        /// Leave the peers and language servers out
        #[arg(long)]
        alone: bool,
        /// Of the peers only answers that are kept from earlier runs, and no language servers: minutes, not hours
        #[arg(long, conflicts_with = "alone")]
        kept: bool,
        projects: Vec<String>,
    },
}

#[derive(clap::Args)]
struct ScoreArgs {
    projects: Vec<String>,
    /// Score this report instead of analysing
    #[arg(long)]
    report: Option<PathBuf>,
    /// The binary to run [default: target/release/surefoot]
    #[arg(long)]
    surefoot: Option<PathBuf>,
    /// Sites whose class changed since OLD: a saved outcome, a report, or `last` for the previous run
    #[arg(long, value_name = "OLD")]
    diff: Option<PathBuf>,
    /// Keep this run's outcome for a later --diff
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// List sites of one kind instead of those placed against the judge
    #[arg(long)]
    list: Option<What>,
    /// Only those left open for this cause, or placed by this rule
    #[arg(long)]
    cause: Option<String>,
    /// Only sites whose path and position contain this
    #[arg(long)]
    at: Option<String>,
    #[arg(long, default_value_t = 40)]
    limit: usize,
    /// Analyse with `--bind-unique-names`
    #[arg(long)]
    bind_unique_names: bool,
    /// The precision of every rule
    #[arg(long)]
    rules: bool,
    /// The 50 library members that most often leave a receiver chain undetermined
    #[arg(long)]
    members: bool,
}

/// Two or more of each language that is read.
const ROUND_TRIPS: [&str; 10] = [
    "anyhow",
    "ignore",
    "tokio",
    "zod",
    "rxjs",
    "blueprint",
    "click",
    "flask",
    "express",
    "commander",
];

fn main() -> ExitCode {
    match work(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("surefoot-accuracy: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(args: Args) -> Result<()> {
    let cache = Cache::open(args.cache)?;
    if args.slice {
        return gate(&cache);
    }
    let Some(command) = args.command else {
        return Err("name a command, or --slice; --help lists them".into());
    };
    match command {
        Task::Projects => {
            for p in projects::all()? {
                let kind = if p.tuned { "tuned on" } else { "measured only" };
                println!(
                    "{:<14} {} {} ({kind}): {}",
                    p.id, p.package, p.version, p.note
                );
            }
        }
        Task::Fetch { projects } => {
            for p in projects::select(&projects)? {
                println!("{}", fetch::project(&cache, &p)?.display());
            }
        }
        Task::Judge { projects, again } => {
            for p in projects::select(&projects)? {
                let truth = judge::truth(&cache, &p, again)?;
                println!(
                    "{}: {} sites in {}",
                    p.id,
                    truth.sites.len(),
                    cache.truth(&p)?.display()
                );
            }
        }
        Task::Shapes => shapes(&cache)?,
        Task::Score(score_args) => {
            let chosen = projects::select(&score_args.projects)?;
            if score_args.report.is_some() && chosen.len() != 1 {
                return Err("--report belongs to one project: name it".into());
            }
            for p in &chosen {
                score_one(&cache, p, &score_args)?;
            }
        }
        Task::Peers {
            projects,
            peer,
            again,
            show,
        } => {
            for p in projects::select(&projects)? {
                for peer in Peer::ALL
                    .into_iter()
                    .filter(|x| peer.is_none_or(|only| only == *x))
                {
                    score_peer(&cache, &p, peer, again, show)?;
                }
            }
        }
        Task::Pycg { cases, surefoot } => {
            let cases = pycg::run(&cache, &binary(surefoot.as_deref())?, &cases)?;
            for (category, all) in pycg::by_category(&cases) {
                let (sound, complete, n) = pycg::counts(all);
                println!("{category:<14} sound {sound}/{n}  complete {complete}/{n}");
            }
            for case in cases.iter().filter(|c| !c.sound() || !c.complete()) {
                println!("  {}", pycg::describe(case));
            }
            let (sound, complete, n) = pycg::counts(&cases);
            println!("sound {sound}, complete {complete} of {n}");
        }
        Task::Server {
            projects,
            lsp,
            lsp_options,
            surefoot,
        } => {
            let binary = binary(surefoot.as_deref())?;
            let rows = match lsp {
                None => with_server::pairs(&cache, &projects, &binary)?,
                Some(command) => {
                    let asked = with_server::Asked {
                        command,
                        options: lsp_options,
                    };
                    let projects = projects::select(&projects)?;
                    with_server::rows(&cache, &projects, &binary, &asked)
                }
            };
            print!("{}", with_server::table(&rows));
        }
        Task::Roundtrip {
            projects,
            out,
            surefoot,
        } => {
            let named: Vec<String> = match projects.is_empty() {
                true => ROUND_TRIPS.iter().map(|id| (*id).to_owned()).collect(),
                false => projects,
            };
            let surefoot = binary(surefoot.as_deref())?;
            let mut trips = Vec::new();
            for project in projects::select(&named)? {
                eprintln!("{}", project.id);
                trips.push(round_trip::travel(&cache, &project, &surefoot)?);
            }
            let text = round_trip::page(&trips, &commit()?);
            print!("{text}");
            if let Some(out) = out {
                std::fs::write(&out, text).context(out.display())?;
            }
        }
        Task::Table {
            out,
            surefoot,
            alone,
            kept,
            projects,
        } => {
            let out = out.unwrap_or_else(|| workspace_root().join("docs/accuracy.md"));
            if surefoot.is_none() {
                // The page names a commit, so what is measured is built from the tree as it stands.
                let mut build = Command::new("cargo");
                build.args(["build", "--quiet", "--release", "--package", "surefoot"]);
                run::output(build.current_dir(workspace_root()))?;
            }
            let mut rows = Vec::new();
            for p in projects::select(&projects)? {
                let others = match (alone, kept) {
                    (true, _) => Others::None,
                    (_, true) => Others::Kept,
                    _ => Others::All,
                };
                eprintln!("scoring {}", p.id);
                rows.push(table_row(&cache, p, surefoot.as_deref(), others)?);
            }
            let cases = pycg::run(&cache, &binary(surefoot.as_deref())?, &[])?;
            let mut commit = commit()?;
            if surefoot.is_some() {
                commit.push_str(", with a binary that was given and not built");
            }
            let servers = match alone || kept {
                true => Vec::new(),
                false => with_server::pairs(&cache, &projects, &binary(surefoot.as_deref())?)?,
            };
            let text = table::write(&rows, &servers, &cases, &commit);
            std::fs::write(&out, text).context(out.display())?;
            println!("{}", out.display());
        }
    }
    Ok(())
}

fn shapes(cache: &Cache) -> Result<()> {
    let wrong = judge::check_shapes(cache)?;
    if !wrong.is_empty() {
        return Err(format!(
            "the judges differ from the marks:\n  {}",
            wrong.join("\n  ")
        ));
    }
    println!("the judges agree with every mark");
    Ok(())
}

fn gate(cache: &Cache) -> Result<()> {
    shapes(cache)?;
    let mut short = Vec::new();
    for project in projects::all()? {
        let Some(least) = &project.least else {
            continue;
        };
        let truth = judge::truth(cache, &project, false)?;
        let report = analyse(cache, &project, None, false)?;
        let figures = Figures::count(&score::score(&truth, &answers::from_report(&report)?));
        print!("{}", show::figures(&project.id, &figures));
        short.extend(slice::shortfalls(&project.id, least, &figures));
    }
    if short.is_empty() {
        Ok(())
    } else {
        Err(short.join("\n"))
    }
}

/// Which other tools stand beside Surefoot in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    All,
    /// Those whose answers are kept.
    Kept,
    None,
}

fn table_row(
    cache: &Cache,
    project: Project,
    surefoot: Option<&Path>,
    others: Others,
) -> Result<table::Row> {
    let truth = judge::truth(cache, &project, false)?;
    let report = analyse(cache, &project, surefoot, false)?;
    let scored = score::score(&truth, &answers::from_report(&report)?);
    let figures = Figures::count(&scored);
    let root = cache.analysed(&project)?;
    let blamed = members::blamed(&scored, &mut Lines::new(&root), 50);
    let mut peers = Vec::new();
    if others != Others::None {
        for peer in Peer::ALL {
            let answers = match others {
                Others::Kept => peers::kept(cache, peer, &project)?,
                _ => Some(peers::answers(cache, peer, &project, false)?),
            };
            let Some(answers) = answers else { continue };
            let answers = answers::from_peer(&answers)?;
            peers.push((peer, Figures::count(&score::score(&truth, &answers))));
        }
    }
    let bound = analyse(cache, &project, surefoot, true)?;
    let bound = Figures::count(&score::score(&truth, &answers::from_report(&bound)?));
    let against = scored.iter().filter(|s| s.contradicted());
    let contradictions = against.map(|s| show::contradiction(s, &project)).collect();
    let explicit = truth.sites.iter().filter(|s| s.counts()).count();
    let elsewhere = truth.sites.len() - explicit;
    Ok(table::Row {
        project,
        figures,
        bound,
        peers,
        members: blamed,
        contradictions,
        elsewhere,
    })
}

fn score_one(cache: &Cache, project: &Project, args: &ScoreArgs) -> Result<()> {
    let truth = judge::truth(cache, project, false)?;
    let report = match &args.report {
        Some(path) => std::fs::read_to_string(path).context(path.display())?,
        None => analyse(
            cache,
            project,
            args.surefoot.as_deref(),
            args.bind_unique_names,
        )?,
    };
    let answers = answers::from_report(&report)?;
    let scored = score::score(&truth, &answers);
    let figures = Figures::count(&scored);
    let root = cache.analysed(project)?;
    let mut lines = Lines::new(&root);

    print!("{}", show::figures(&project.id, &figures));
    if args.rules {
        print!("{}", show::rules(&figures));
    }
    if args.members {
        println!("library members that leave receiver chains undetermined:");
        for (member, n) in members::blamed(&scored, &mut lines, 50) {
            println!("  {n:>5}  {member}");
        }
    }
    let what = args.list.unwrap_or(What::Contradicted);
    let hits: Vec<&Scored> = scored
        .iter()
        .filter(|s| show::wanted(what, args.cause.as_deref(), s))
        .filter(|s| {
            let place = format!("{}:{}:{}", s.site.file, s.site.line, s.site.col);
            args.at
                .as_ref()
                .is_none_or(|at| place.contains(at.as_str()))
        })
        .collect();
    if !hits.is_empty() {
        println!(
            "{} sites, {} shown:",
            hits.len(),
            hits.len().min(args.limit)
        );
    }
    for s in hits.iter().take(args.limit) {
        print!("{}", show::site(s, &mut lines));
    }

    let outcome = Outcome::of(&project.id, &scored);
    let last = cache.outcome(project)?;
    if let Some(old) = &args.diff {
        let old = if old.as_os_str() == "last" {
            last.clone()
        } else {
            old.clone()
        };
        let old = earlier(&old, project, &truth)?;
        print!("{}", show::difference(&old, &outcome, args.limit));
    }
    outcome.save(&last)?;
    if let Some(path) = &args.save {
        outcome.save(path)?;
    }
    Ok(())
}

/// An earlier run: its saved outcome, or a report that is scored now.
fn earlier(path: &Path, project: &Project, truth: &Truth) -> Result<Outcome> {
    let text = std::fs::read_to_string(path).context(path.display())?;
    if text.contains("\"call_edges\"") {
        let scored = score::score(truth, &answers::from_report(&text)?);
        return Ok(Outcome::of(&project.id, &scored));
    }
    Outcome::load(path)
}

fn score_peer(
    cache: &Cache,
    project: &Project,
    peer: Peer,
    again: bool,
    limit: usize,
) -> Result<()> {
    let truth = judge::truth(cache, project, false)?;
    let answers: Answers = answers::from_peer(&peers::answers(cache, peer, project, again)?)?;
    let scored = score::score(&truth, &answers);
    let title = format!("{} by {} {}", project.id, peer.name(), peer.version());
    print!("{}", show::figures(&title, &Figures::count(&scored)));
    let root = cache.analysed(project)?;
    let mut lines = Lines::new(&root);
    for s in scored.iter().filter(|s| s.contradicted()).take(limit) {
        print!("{}", show::site(s, &mut lines));
    }
    Ok(())
}

fn binary(given: Option<&Path>) -> Result<PathBuf> {
    let built = || workspace_root().join("target/release/surefoot");
    let binary = given.map_or_else(built, Path::to_path_buf);
    if !binary.exists() {
        return Err(format!(
            "{} does not exist: run `cargo build --release` first",
            binary.display()
        ));
    }
    Ok(binary)
}

/// Runs `surefoot analyze` on the project and keeps the report.
fn analyse(
    cache: &Cache,
    project: &Project,
    surefoot: Option<&Path>,
    unique_names: bool,
) -> Result<String> {
    let mut report = cache.report(project)?;
    let mut command = Command::new(binary(surefoot)?);
    command
        .arg("analyze")
        .arg(cache.analysed(project)?)
        .args(["--format", "json"]);
    if unique_names {
        command.arg("--bind-unique-names");
        report.set_extension("unique.json");
    }
    run::to_file(&mut command, &report)?;
    std::fs::read_to_string(&report).context(report.display())
}

/// The commit that is measured, marked when the tree differs from it.
fn commit() -> Result<String> {
    let git =
        |args: &[&str]| run::output(Command::new("git").args(args).current_dir(workspace_root()));
    let id = git(&["rev-parse", "--short=12", "HEAD"])?;
    let id = String::from_utf8_lossy(&id.stdout).trim().to_owned();
    // What stands in docs and in this crate does not decide an edge.
    let changed = git(&[
        "status",
        "--porcelain",
        "--",
        "resolver",
        "server",
        "Cargo.lock",
    ])?;
    Ok(if changed.stdout.is_empty() {
        id
    } else {
        format!("{id} with uncommitted changes")
    })
}
