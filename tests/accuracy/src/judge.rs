//! Runs a compiler's judge over a project once and keeps what it said.

use std::fs;
use std::path::Path;
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
    let scripts: &[&str] = match project.judge {
        JudgeKind::Thir => &[
            "thir.py",
            "rustsource.py",
            "rusttypes.py",
            "rustc-wrapper.sh",
        ],
        JudgeKind::Checker => &["checker.js"],
    };
    for script in scripts {
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

/// Runs both judges over the marked shapes in `fixtures` and lists what they say otherwise.
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
    Ok(wrong)
}
