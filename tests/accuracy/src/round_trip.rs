//! Reports of real projects, taken through what happens to a report: moved, touched, changed, altered, outgrown.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::cache::Cache;
use crate::projects::Project;
use crate::{Context, Result, fetch, run};

/// What one project's report went through; every step did what it must.
pub struct Trip {
    pub project: Project,
    files: usize,
    lines: usize,
    calls: usize,
    complete: bool,
    /// Bytes of the document for each line of source, and of the compressed one.
    plain: f64,
    small: f64,
    /// The file whose byte was changed.
    changed: String,
}

/// One project through all steps; the first that goes wrong is the error.
pub fn travel(cache: &Cache, project: &Project, surefoot: &Path) -> Result<Trip> {
    fetch::project(cache, project)?;
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let tree = scratch.path().join("one");
    copy(&cache.analysed(project)?, &tree)?;
    let trip = Journey {
        project,
        surefoot,
        report: scratch.path().join("report.json"),
        tree,
    };
    trip.run(scratch.path())
}

struct Journey<'a> {
    project: &'a Project,
    surefoot: &'a Path,
    report: PathBuf,
    tree: PathBuf,
}

impl Journey<'_> {
    fn run(&self, scratch: &Path) -> Result<Trip> {
        let small = scratch.join("report.json.zst");
        self.analyse(&self.report, &[])?;
        self.analyse(&small, &["--compress"])?;
        let report = self.value()?;
        let files: Vec<String> = report["file_hashes"]
            .as_object()
            .map(|all| all.keys().cloned().collect())
            .unwrap_or_default();
        let mut lines = 0;
        let mut largest = (0, String::new());
        for file in &files {
            let text = fs::read(self.tree.join(file)).context(file)?;
            lines += text.iter().filter(|&&b| b == b'\n').count();
            largest = largest.max((text.len(), file.clone()));
        }
        let changed = largest.1;

        self.expect("as it was made", &self.tree, true, |_| true)?;
        let other = scratch.join("somewhere/else");
        copy(&self.tree, &other)?;
        self.expect("in a copy elsewhere", &other, true, |_| true)?;
        let path = self.tree.join(&changed);
        let text = fs::read(&path).context(path.display())?;
        fs::write(&path, &text).context(path.display())?;
        self.expect("written again as it was", &self.tree, true, |_| true)?;

        let mut byte = text.clone();
        byte.push(b'\n');
        fs::write(&path, byte).context(path.display())?;
        self.expect("one byte more", &self.tree, false, |v| {
            v["mismatches"][0]["file"] == changed.as_str()
                && v["mismatches"].as_array().is_some_and(|m| m.len() == 1)
                && v["reproduction"]["reason"] == "claims_already_failed"
        })?;
        fs::remove_file(&path).context(path.display())?;
        self.expect("a file gone", &self.tree, false, |v| {
            v["missing"] == json!([changed])
        })?;
        fs::write(&path, &text).context(path.display())?;

        let fresh = format!("surefoot_added.{}", ending(&changed));
        fs::write(self.tree.join(&fresh), "").context(&fresh)?;
        self.expect("a file more", &self.tree, false, |v| {
            let differences = v["differences"].as_array().into_iter().flatten();
            v["divergent_fields"][0] == "file_hashes"
                && differences.clone().any(|d| d["file"] == fresh.as_str())
        })?;
        fs::remove_file(self.tree.join(&fresh)).context(&fresh)?;

        for (what, field) in [
            ("a number altered", "metrics_by_entity"),
            ("an edge dropped", "call_edges"),
            ("a tier altered", "call_edges"),
        ] {
            let mut altered = report.clone();
            alter(&mut altered, what)?;
            let text = altered.to_string();
            fs::write(&self.report, text).context(self.report.display())?;
            self.expect(what, &self.tree, false, |v| {
                v["divergent_fields"] == json!([field])
            })?;
        }
        let size = |path: &Path| {
            let found = fs::metadata(path).context(path.display())?;
            Ok::<f64, String>(found.len() as f64 / lines.max(1) as f64)
        };
        self.analyse(&self.report, &[])?;
        Ok(Trip {
            project: self.project.clone(),
            files: files.len(),
            lines,
            calls: report["call_edges"].as_array().map_or(0, Vec::len),
            complete: report["is_complete"] == true,
            plain: size(&self.report)?,
            small: size(&small)?,
            changed,
        })
    }

    fn analyse(&self, to: &Path, more: &[&str]) -> Result<()> {
        let mut command = Command::new(self.surefoot);
        command
            .arg("analyze")
            .arg(&self.tree)
            .arg("--report")
            .arg(to);
        run::output(command.args(more)).map(|_| ())
    }

    fn value(&self) -> Result<Value> {
        let text = fs::read(&self.report).context(self.report.display())?;
        serde_json::from_slice(&text).context(self.report.display())
    }

    fn expect(
        &self,
        what: &str,
        tree: &Path,
        verified: bool,
        names: impl Fn(&Value) -> bool,
    ) -> Result<()> {
        let mut command = Command::new(self.surefoot);
        command
            .arg("verify")
            .arg(&self.report)
            .arg("--root")
            .arg(tree);
        let done = command.args(["--format", "json"]).output();
        let done = done.context("surefoot verify")?;
        let verdict: Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
        if verdict["verified"] == verified
            && done.status.code() == Some(i32::from(!verified))
            && names(&verdict)
        {
            return Ok(());
        }
        let said: String = verdict.to_string().chars().take(600).collect();
        Err(format!(
            "{}, {what}: {said} {}",
            self.project.id,
            String::from_utf8_lossy(&done.stderr)
        ))
    }
}

fn alter(report: &mut Value, what: &str) -> Result<()> {
    let missing = || format!("{what}: the report has no such row");
    let edges = report["call_edges"].as_array_mut().ok_or_else(missing)?;
    match what {
        "an edge dropped" => {
            // One that no number rests on, so that only the list itself can tell.
            let at = edges.iter().position(|e| e["resolution"] == "undetermined");
            edges.remove(at.ok_or_else(missing)?);
        }
        "a tier altered" => {
            let mut placed = edges.iter_mut();
            let edge = placed.find(|e| e["tier"] == "certain");
            edge.ok_or_else(missing)?["tier"] = json!("likely");
        }
        _ => {
            let rows = report["metrics_by_entity"].as_object_mut();
            let row = rows.and_then(|r| r.values_mut().find(|m| m["fan_in"] != 0));
            let fan_in = &mut row.ok_or_else(missing)?["fan_in"];
            *fan_in = json!(fan_in.as_u64().unwrap_or(0) + 1);
        }
    }
    Ok(())
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context(to.display())?;
    for entry in fs::read_dir(from).context(from.display())? {
        let entry = entry.context(from.display())?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().context(from.display())?;
        if kind.is_dir() {
            // What a build leaves is no part of the project.
            if entry.file_name() != "target" && entry.file_name() != "node_modules" {
                copy(&from, &to)?;
            }
        } else if kind.is_file() {
            fs::copy(&from, &to).context(from.display())?;
        }
    }
    Ok(())
}

/// The page.
pub fn page(trips: &[Trip], commit: &str) -> String {
    let mut out = format!(
        "# Reports of real projects, there and back\n\n\
         Generated by `cargo xtask accuracy roundtrip` at commit {commit}. Do not edit.\n\n\
         Each project is pinned and comes from its registry. Its report was made and then verified: as it was made, \
         in a copy at another path, and after its largest file was written again with the same bytes: verified each \
         time. Then with one byte more in that file, with the file gone, with an empty file more, with one `fan_in` \
         raised, with one call dropped and with one tier altered: not verified each time, and the verdict named the \
         file, or the field and nothing else. A step that went otherwise would have stopped the run.\n\n\
         | project | language | files | lines | calls | complete | bytes a line | compressed | changed file |\n\
         | --- | --- | --: | --: | --: | --- | --: | --: | --- |\n"
    );
    for t in trips {
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} | {} | {} | {:.1} | {:.1} | `{}` |",
            t.project.package,
            t.project.version,
            t.project.language,
            t.files,
            t.lines,
            t.calls,
            if t.complete { "yes" } else { "no" },
            t.plain,
            t.small,
            t.changed
        );
    }
    out
}
