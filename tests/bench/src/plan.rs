//! Which measurements are made on which trees, in which order, by this build and perhaps an older one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

use crate::peers::{self, Peer};
use crate::stats::median;
use crate::trees::{self, TREES};
use crate::{Result, page};

#[derive(Debug, Args)]
pub struct Plan {
    /// These trees only, with commas; all without it
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    tree: Vec<String>,

    /// Measure this folder instead of a pinned tree
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,

    /// How often each measurement is made; medians are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,

    /// Edits and requests of each kind
    #[arg(long, value_name = "N", default_value_t = 400)]
    count: usize,

    /// Measure another revision beside this one, taking turns
    #[arg(long, value_name = "REV")]
    compare: Option<String>,

    /// Seconds for which the server is watched while nobody asks
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    idle: usize,

    /// Run the other tools that are installed, too, once each
    #[arg(long)]
    peers: bool,

    /// Write docs/performance.md
    #[arg(long)]
    write: bool,

    /// Where the trees are kept
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// A measurement: its name in results, what `measure` is told, and whether once is enough.
struct Job {
    name: &'static str,
    args: &'static [&'static str],
    once: bool,
    kept: Kept,
}

/// What lies in the folder a measurement is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// It is given none.
    No,
    /// Nothing.
    Nothing,
    /// What the measurement before left there.
    Before,
}

const JOBS: &[Job] = &[
    job("walk", &["walk"]),
    job("read", &["read"]),
    job("hash", &["hash"]),
    job("parse1", &["parse"]),
    job("parse2", &["parse", "--threads", "2"]),
    job("analyze1", &["analyze"]),
    job("analyze2", &["analyze", "--threads", "2"]),
    keeping("cold", &["answer"], Kept::Nothing),
    keeping("warm", &["answer"], Kept::Before),
    job("glance", &["glance", "--threads", "2", "--count", "9"]),
    Job {
        once: true,
        ..job("rest", &["rest", "--threads", "2"])
    },
    Job {
        once: true,
        ..keeping("server", &["server"], Kept::Before)
    },
    Job {
        once: true,
        ..job("typing", &["typing", "--threads", "2"])
    },
];

const fn job(name: &'static str, args: &'static [&'static str]) -> Job {
    Job {
        name,
        args,
        once: false,
        kept: Kept::No,
    }
}

const fn keeping(name: &'static str, args: &'static [&'static str], kept: Kept) -> Job {
    Job {
        kept,
        ..job(name, args)
    }
}

/// What was measured on one tree by one build: every run of every job.
pub struct Found {
    pub tree: String,
    pub what: String,
    jobs: Vec<(&'static str, Vec<Value>)>,
    pub peers: Vec<Peer>,
}

impl Found {
    pub fn runs(&self, job: &str) -> &[Value] {
        let found = self.jobs.iter().find(|(name, _)| *name == job);
        found.map_or(&[], |(_, runs)| runs)
    }

    /// The median of a number over the runs of a job.
    pub fn median(&self, job: &str, pointer: &str) -> Option<f64> {
        let values = self
            .runs(job)
            .iter()
            .filter_map(|v| v.pointer(pointer)?.as_f64());
        let values: Vec<f64> = values.collect();
        (!values.is_empty()).then(|| median(&values))
    }

    /// How many owners of memory were told apart.
    pub fn owners(&self) -> usize {
        let first = self.runs("rest").first();
        let held = first.and_then(|v| v.pointer("/held")?.as_array());
        held.map_or(0, Vec::len)
    }

    pub fn cpu(&self, job: &str) -> Option<f64> {
        self.median(job, "/cpu_ms")
    }
}

pub fn run(plan: &Plan) -> Result<()> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut builds = vec![("this build".to_owned(), this)];
    if let Some(rev) = &plan.compare {
        // The other one is built in its place.
        let aside = root().join("target/bench/this");
        fs::create_dir_all(root().join("target/bench")).map_err(|e| e.to_string())?;
        fs::copy(&builds[0].1, &aside).map_err(|e| format!("{}: {e}", aside.display()))?;
        builds[0].1 = aside;
        builds.push((rev.clone(), older(rev)?));
    }
    let mut all: Vec<Vec<Found>> = builds.iter().map(|_| Vec::new()).collect();
    for (id, what, folder) in chosen(plan)? {
        let mut found: Vec<Found> = builds
            .iter()
            .map(|_| Found {
                tree: id.clone(),
                what: what.clone(),
                jobs: JOBS.iter().map(|j| (j.name, Vec::new())).collect(),
                peers: Vec::new(),
            })
            .collect();
        for round in 0..plan.runs.max(1) {
            for (n, job) in JOBS.iter().enumerate() {
                if job.once && round > 0 {
                    continue;
                }
                for turn in 0..builds.len() {
                    // Whoever goes second finds warmer disks.
                    let b = (turn + round) % builds.len();
                    eprintln!(
                        "{id} {} {}/{} {}",
                        job.name,
                        round + 1,
                        plan.runs,
                        builds[b].0
                    );
                    let kept = std::env::temp_dir()
                        .join(format!("surefoot-bench-{}-{b}", std::process::id()));
                    match measured(&builds[b].1, job, &folder, (plan.count, plan.idle), &kept) {
                        Ok(value) => found[b].jobs[n].1.push(value),
                        // An older build may not know a measurement of today.
                        Err(why) if b > 0 => eprintln!("{why}"),
                        Err(why) => return Err(why),
                    }
                }
            }
        }
        for b in 0..builds.len() {
            let kept =
                std::env::temp_dir().join(format!("surefoot-bench-{}-{b}", std::process::id()));
            let _ = fs::remove_dir_all(kept);
        }
        let peers = match plan.peers {
            true => peers::measure(&folder, &id),
            false => Vec::new(),
        };
        for (kept, mut found) in all.iter_mut().zip(found) {
            found.peers = peers.clone();
            page::print(&found);
            kept.push(found);
        }
    }
    if let [this, older] = &all[..] {
        for (a, b) in this.iter().zip(older) {
            page::print_compared(a, b, &builds[1].0);
        }
    }
    if plan.write {
        let path = root().join("docs/performance.md");
        fs::write(&path, page::page(&all[0], plan.runs, &commit()))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn chosen(plan: &Plan) -> Result<Vec<(String, String, PathBuf)>> {
    let mut out = Vec::new();
    for folder in &plan.folder {
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let what = "a folder of this machine".to_owned();
        out.push((name.to_string_lossy().into_owned(), what, folder.clone()));
    }
    for id in &plan.tree {
        if !TREES.iter().any(|t| t.id == id) {
            let known: Vec<&str> = TREES.iter().map(|t| t.id).collect();
            return Err(format!(
                "There is no tree {id}; there are {}.",
                known.join(", ")
            ));
        }
    }
    if out.is_empty() || !plan.tree.is_empty() {
        let cache = trees::cache(plan.cache.as_deref())?;
        for tree in TREES {
            if !plan.tree.is_empty() && !plan.tree.iter().any(|id| id == tree.id) {
                continue;
            }
            match tree.fetch(&cache) {
                Ok(folder) => out.push((tree.id.to_owned(), tree.what.to_owned(), folder)),
                Err(why) => eprintln!("{} is left out: {why}", tree.id),
            }
        }
    }
    Ok(out)
}

fn measured(
    program: &Path,
    job: &Job,
    tree: &Path,
    (count, idle): (usize, usize),
    kept: &Path,
) -> Result<Value> {
    let out = std::env::temp_dir().join(format!("surefoot-bench-{}.json", std::process::id()));
    let mut command = Command::new(program);
    command
        .arg("measure")
        .arg(job.args[0])
        .arg(tree)
        .args(&job.args[1..]);
    let count = if job.name == "server" { idle } else { count };
    if !job.args.contains(&"--count") {
        command.arg("--count").arg(count.to_string());
    }
    if job.kept == Kept::Nothing {
        let _ = fs::remove_dir_all(kept);
    }
    if job.kept != Kept::No {
        command.arg("--with").arg(kept);
    }
    command.arg("--out").arg(&out);
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = done.map_err(|e| format!("{}: {e}", program.display()))?;
    if !status.success() {
        return Err(format!("measuring {} ended with {status}", job.name));
    }
    let text = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let _ = fs::remove_file(&out);
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", job.name))
}

/// The commit the numbers are of, as far as git knows.
fn commit() -> String {
    let git = |args: &[&str]| {
        let out = Command::new("git").args(args).current_dir(root()).output();
        let out = out.ok().filter(|out| out.status.success());
        out.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    match git(&["status", "--porcelain"]).is_some_and(|s| !s.is_empty()) {
        true => format!("{commit} with changes"),
        false => commit,
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds this program at another revision, in a work tree of its own below the build's folder.
fn older(rev: &str) -> Result<PathBuf> {
    let git = |args: &[&str]| {
        let out = Command::new("git").args(args).current_dir(root()).output();
        let out = out.map_err(|e| format!("git: {e}"))?;
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        match out.status.success() {
            true => Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned()),
            false => Err(format!("git {}: {said}", args.join(" "))),
        }
    };
    let commit = git(&["rev-parse", "--verify", &format!("{rev}^{{commit}}")])?;
    let home = root().join("target/bench");
    let tree = home.join(format!("tree-{}", &commit[..12]));
    // The same folder as this build's, so that no dependency is built twice.
    let target = root().join("target");
    if !tree.exists() {
        git(&[
            "worktree",
            "add",
            "--detach",
            &tree.to_string_lossy(),
            &commit,
        ])?;
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--release", "--package", "surefoot-bench"]);
    cargo.current_dir(&tree).env("CARGO_TARGET_DIR", &target);
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("{rev} does not build"));
    }
    // Beside the others, so that the next revision does not overwrite it.
    let program = home.join(format!("bench-{}", &commit[..12]));
    fs::copy(target.join("release/surefoot-bench"), &program).map_err(|e| e.to_string())?;
    Ok(program)
}
