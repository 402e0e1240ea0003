//! Runs a compiler's judge over a project once and keeps what it said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{self, Cache};
use crate::projects::{JudgeKind, Project};
use crate::truth::{self, Truth};
use crate::{Context, Result, fetch, marks, run};

/// A truth below this share of names that stand where it says is no truth.
const IDENTITY: f64 = 0.999;

/// The truth of a project: the kept one when judge and project are the same, else a new one.
pub fn truth(cache: &Cache, project: &Project, again: bool) -> Result<Truth> {
    let path = cache.truth(project)?;
    let key_path = path.with_extension("key");
    let key = key(project)?;
    if again || !path.exists() || fs::read_to_string(&key_path).ok().as_deref() != Some(&key) {
        fetch::project(cache, project)?;
        let summary = judge(cache, project)?;
        let loaded = Truth::load(&path)?;
        let checked = truth::check_names(&loaded, &cache.analysed(project)?);
        eprintln!(
            "{}: {}\n{}",
            project.id,
            summary.trim_end(),
            checked.describe()
        );
        if checked.sites_share() < IDENTITY || checked.targets_share() < IDENTITY {
            return Err(format!(
                "the judge of {} misplaces names: {}",
                project.id,
                checked.describe()
            ));
        }
        fs::write(&key_path, &key).context(key_path.display())?;
        return Ok(loaded);
    }
    Truth::load(&path)
}

/// What decides a truth: the judge's scripts and the project's entry.
fn key(project: &Project) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    for script in project.judge.scripts() {
        let path = cache::here().join("judges").join(script);
        hash.update(&fs::read(&path).context(path.display())?);
    }
    let judged = (
        &project.package,
        &project.digest,
        &project.analysed,
        &project.features,
        &project.bin,
    );
    hash.update(
        format!(
            "{judged:?}{:?}{:?}{:?}",
            project.with, project.options, project.skip
        )
        .as_bytes(),
    );
    if let Some(trace) = &project.trace {
        hash.update(format!("{trace:?}").as_bytes());
    }
    Ok(hash.finalize().to_hex().to_string())
}

fn judge(cache: &Cache, project: &Project) -> Result<String> {
    let mut command = match project.judge {
        JudgeKind::Thir => {
            let mut c = thir_judge(cache, &cache.build(project)?)?;
            if !project.features.is_empty() {
                c.arg("--features").arg(project.features.join(","));
            }
            if let Some(bin) = &project.bin {
                c.arg("--bin").arg(bin);
            }
            c
        }
        JudgeKind::Checker => {
            let mut c = checker_judge(cache, &cache.analysed(project)?)?;
            if let Some(options) = &project.options {
                c.arg("--options").arg(options);
            }
            if project.language == "javascript" {
                c.arg("--js");
            }
            if let Some(skip) = &project.skip {
                c.arg("--skip").arg(skip);
            }
            c
        }
        JudgeKind::Oracles => {
            let beside = Beside {
                python: fetch::interpreter(cache)?,
                site: cache.project(project)?.join("site"),
            };
            let mut c = oracles_judge(cache, &cache.analysed(project)?, &beside)?;
            if let Some(arguments) = &project.trace {
                c.arg("--trace")
                    .arg(trace(cache, project, arguments, &beside)?);
            }
            if let Some(skip) = &project.skip {
                c.arg("--skip").arg(skip);
            }
            c
        }
    };
    eprintln!("judging {} {}", project.id, project.version);
    run::to_file(&mut command, &cache.truth(project)?)
}

fn thir_judge(cache: &Cache, folder: &Path) -> Result<Command> {
    let mut c = Command::new("python3");
    c.env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(cache::here().join("judges/thir.py"));
    c.arg(folder).arg("--target-dir").arg(cache.cargo_target()?);
    Ok(c)
}

fn checker_judge(cache: &Cache, folder: &Path) -> Result<Command> {
    let mut c = Command::new("node");
    c.arg("--max-old-space-size=8192")
        .env("SUREFOOT_TYPESCRIPT", fetch::typescript(cache)?);
    c.arg(cache::here().join("judges/checker.js")).arg(folder);
    Ok(c)
}

/// What a Python project runs with: an interpreter of its own and the packages it needs.
struct Beside {
    python: PathBuf,
    site: PathBuf,
}

fn oracles_judge(cache: &Cache, folder: &Path, beside: &Beside) -> Result<Command> {
    let mut c = Command::new("python3");
    c.env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", fetch::jedi(cache)?)
        .arg(cache::here().join("judges/python.py"));
    c.arg(folder).arg("--pyright").arg(fetch::pyright(cache)?);
    c.arg("--python").arg(&beside.python);
    c.arg("--cache").arg(cache.tools()?.join("jedi-cache"));
    if beside.site.exists() {
        c.arg("--search").arg(&beside.site);
    }
    Ok(c)
}

/// Runs the project's own tests and keeps which calls happened.
fn trace(
    cache: &Cache,
    project: &Project,
    arguments: &[String],
    beside: &Beside,
) -> Result<PathBuf> {
    let out = cache.truth(project)?.with_extension("trace");
    let analysed = cache.analysed(project)?;
    let search = std::env::join_paths([&analysed, &beside.site]).context("search path")?;
    let mut c = Command::new(&beside.python);
    c.env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", search)
        .arg(cache::here().join("judges/pytrace.py"));
    c.arg(&analysed).arg(&out).arg("--").args(arguments);
    eprintln!("tracing the tests of {} {}", project.id, project.version);
    let done = run::output(c.current_dir(cache.package(project)?))?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    eprintln!("{}", said.lines().last().unwrap_or_default());
    Ok(out)
}

/// Runs the judges over the marked shapes in `fixtures` and lists what they say otherwise.
pub fn check_shapes(cache: &Cache) -> Result<Vec<String>> {
    let fixtures = cache::here().join("fixtures");
    let mut wrong = Vec::new();

    // A copy: cargo writes a lock file beside the manifest.
    let rust = cache.tools()?.join("shapes-rust");
    fetch::copy_tree(&fixtures.join("rust"), &rust)?;
    let truth = cache.tools()?.join("shapes-rust.jsonl");
    let mut command = thir_judge(cache, &rust)?;
    run::to_file(&mut command, &truth)?;
    wrong.extend(marks::differences(
        &rust,
        &["src/lib.rs", "src/store.rs"],
        &Truth::load(&truth)?,
    )?);

    let typescript = fixtures.join("typescript");
    let truth = cache.tools()?.join("shapes-typescript.jsonl");
    let mut command = checker_judge(cache, &typescript)?;
    run::to_file(&mut command, &truth)?;
    wrong.extend(marks::differences(
        &typescript,
        &["lib.ts", "main.tsx"],
        &Truth::load(&truth)?,
    )?);

    let javascript = fixtures.join("javascript");
    let truth = cache.tools()?.join("shapes-javascript.jsonl");
    let mut command = checker_judge(cache, &javascript)?;
    run::to_file(command.arg("--js"), &truth)?;
    wrong.extend(marks::differences(
        &javascript,
        &["lib.js", "main.js"],
        &Truth::load(&truth)?,
    )?);

    let python = fixtures.join("python");
    let truth = cache.tools()?.join("shapes-python.jsonl");
    let beside = Beside {
        python: fetch::interpreter(cache)?,
        site: PathBuf::new(),
    };
    run::to_file(&mut oracles_judge(cache, &python, &beside)?, &truth)?;
    wrong.extend(marks::differences(
        &python,
        &["shop/__init__.py", "shop/lib.py", "main.py"],
        &Truth::load(&truth)?,
    )?);
    Ok(wrong)
}
