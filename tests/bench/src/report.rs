//! What a report costs beside the analysis it is of: writing, verifying, keeping, asking, and its size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

use crate::Result;
use crate::stats::median;

#[derive(Debug, Args)]
pub struct Report {
    /// The tree; about 250,000 lines tell most
    tree: PathBuf,

    /// How often each measurement is made; medians are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
}

/// What is measured, and the file or folder it needs.
const JOBS: &[(&str, &str)] = &[
    ("hash", ""),
    ("analyze", ""),
    ("report", "report.json"),
    ("compressed", "report.json.zst"),
    ("verify", "report.json"),
    ("summary", "store"),
    ("freshness", "store"),
];

pub fn run(args: &Report) -> Result<()> {
    let home = std::env::temp_dir().join(format!("surefoot-bench-report-{}", std::process::id()));
    fs::create_dir_all(&home).map_err(|e| format!("{}: {e}", home.display()))?;
    let done = measured(args, &home);
    let _ = fs::remove_dir_all(&home);
    done
}

fn measured(args: &Report, home: &Path) -> Result<()> {
    let with = |file: &str| home.join(file);
    one(&args.tree, "save", &with("store"), home)?;
    let mut cpu: Vec<Vec<f64>> = JOBS.iter().map(|_| Vec::new()).collect();
    let mut wall = cpu.clone();
    for round in 0..args.runs.max(1) {
        // They take turns, so that a machine that slows down slows all of them.
        for (n, (what, needs)) in JOBS.iter().enumerate() {
            eprintln!("{what} {}/{}", round + 1, args.runs);
            let found = one(&args.tree, what, &with(needs), home)?;
            let number = |field: &str| found[field].as_f64().unwrap_or(0.0);
            cpu[n].push(number("cpu_ms"));
            wall[n].push(number("wall_ms"));
        }
    }
    let at = |what: &str| JOBS.iter().position(|j| j.0 == what).unwrap_or(0);
    let cpu = |what: &str| median(&cpu[at(what)]);
    let wall = |what: &str| median(&wall[at(what)]);
    let length = |file: &str| {
        let path = with(file);
        let found = fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<f64, String>(found.len() as f64)
    };
    let lines = lines(&args.tree, &with("report.json"))?;
    println!("{:.0} lines of source", lines);
    for (what, _) in JOBS {
        println!(
            "  {what:<12} {:>9.1} ms of CPU {:>9.1} ms",
            cpu(what),
            wall(what)
        );
    }
    let row = |what: &str, value: f64, bound: f64| {
        let verdict = if value <= bound { "holds" } else { "MISSED" };
        println!("  {what:<52} {value:>8.3}  at most {bound:>6}  {verdict}");
    };
    row("verify ÷ analyze", cpu("verify") / cpu("analyze"), 1.3);
    row(
        "making and writing the report ÷ analyze",
        (cpu("report") - cpu("analyze")).max(0.0) / cpu("analyze"),
        0.15,
    );
    // One thread asks: what it takes of a processor is what it takes, however busy the machine is.
    row("query from an index, ms", cpu("summary"), 30.0);
    row(
        "freshness ÷ walking, reading and hashing",
        cpu("freshness") / cpu("hash"),
        1.0,
    );
    row(
        "bytes of the document for each line",
        length("report.json")? / lines,
        160.0,
    );
    row(
        "the same compressed",
        length("report.json.zst")? / lines,
        15.0,
    );
    Ok(())
}

fn one(tree: &Path, what: &str, with: &Path, home: &Path) -> Result<Value> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let out = home.join("measured.json");
    let mut command = Command::new(this);
    command.args(["measure", what]).arg(tree);
    command.arg("--with").arg(with).arg("--out").arg(&out);
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = done.map_err(|e| e.to_string())?;
    if !status.success() {
        return Err(format!("measuring {what} ended with {status}"));
    }
    let text = fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{what}: {e}"))
}

/// Lines of the files a report lists.
fn lines(tree: &Path, report: &Path) -> Result<f64> {
    let text = fs::read_to_string(report).map_err(|e| format!("{}: {e}", report.display()))?;
    let report: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let mut lines = 0;
    for path in report["file_hashes"].as_object().into_iter().flatten() {
        let text = fs::read(tree.join(path.0)).unwrap_or_default();
        lines += text.iter().filter(|&&b| b == b'\n').count();
    }
    Ok(lines.max(1) as f64)
}
