//! Which measurements are made on which trees, in which order, by this build and perhaps an older one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

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
}

const JOBS: &[Job] = &[
    job("walk", &["walk"]),
    job("read", &["read"]),
    job("hash", &["hash"]),
    job("parse1", &["parse"]),
    job("parse2", &["parse", "--threads", "2"]),
    job("analyze1", &["analyze"]),
    job("analyze2", &["analyze", "--threads", "2"]),
    Job {
        name: "typing",
        args: &["typing", "--threads", "2"],
        once: true,
    },
];

const fn job(name: &'static str, args: &'static [&'static str]) -> Job {
    Job {
        name,
        args,
        once: false,
    }
}

/// What was measured on one tree by one build: every run of every job.
pub struct Found {
    pub tree: String,
    pub what: String,
    jobs: Vec<(&'static str, Vec<Value>)>,
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
        let first = self.runs("typing").first();
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
                    found[b].jobs[n]
                        .1
                        .push(measured(&builds[b].1, job, &folder, plan.count)?);
                }
            }
        }
        for (kept, found) in all.iter_mut().zip(found) {
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
        fs::write(&path, page::page(&all[0])).map_err(|e| format!("{}: {e}", path.display()))?;
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

fn measured(program: &Path, job: &Job, tree: &Path, count: usize) -> Result<Value> {
    let out = std::env::temp_dir().join(format!("surefoot-bench-{}.json", std::process::id()));
    let mut command = Command::new(program);
    command
        .arg("measure")
        .arg(job.args[0])
        .arg(tree)
        .args(&job.args[1..]);
    command
        .arg("--count")
        .arg(count.to_string())
        .arg("--out")
        .arg(&out);
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = done.map_err(|e| format!("{}: {e}", program.display()))?;
    if !status.success() {
        return Err(format!("measuring {} ended with {status}", job.name));
    }
    let text = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let _ = fs::remove_file(&out);
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", job.name))
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
    let (tree, target) = (
        home.join(format!("tree-{}", &commit[..12])),
        home.join("target"),
    );
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
