//! Other tools on the same tree, where they are installed: what they cost, not how good their answers are.

use std::path::Path;
use std::process::{Command, Stdio};

/// What one run of a tool cost, in milliseconds.
#[derive(Clone, Debug)]
pub struct Peer {
    pub tool: &'static str,
    pub cpu: f64,
    pub wall: f64,
}

/// A tool: what it is called here, what it does, its arguments; `TREE` is the tree, `LANGUAGE` its language.
const TOOLS: &[(&str, &[&str])] = &[
    (
        "universal-ctags (definitions)",
        &["ctags", "-R", "-f", "/dev/null", "TREE"],
    ),
    (
        "ast-grep (one pattern)",
        &[
            "ast-grep", "run", "-p", "$F($$$A)", "-l", "LANGUAGE", "TREE",
        ],
    ),
    ("cgg (call graph)", &["cgg", "TREE"]),
    (
        "codegraph (call graph)",
        &["codegraph", "init", "-i", "TREE"],
    ),
];

pub fn measure(tree: &Path, id: &str) -> Vec<Peer> {
    let mut out = Vec::new();
    for (tool, words) in TOOLS {
        // They write beside what they read: a copy of their own.
        let Ok(copy) = copied(tree) else { continue };
        let language = match id {
            id if id.starts_with("rust") => "rust",
            id if id.starts_with("py") => "python",
            _ => "ts",
        };
        let words = words.iter().map(|word| match *word {
            "TREE" => copy.to_string_lossy().into_owned(),
            "LANGUAGE" => language.to_owned(),
            word => word.to_owned(),
        });
        let words: Vec<String> = words.collect();
        match timed(&words, &copy) {
            Some((cpu, wall)) => out.push(Peer { tool, cpu, wall }),
            None => eprintln!("{} is not there or failed", words[0]),
        }
        let _ = std::fs::remove_dir_all(&copy);
    }
    out
}

fn copied(tree: &Path) -> std::io::Result<std::path::PathBuf> {
    let copy = std::env::temp_dir().join(format!("surefoot-bench-peer-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&copy);
    let done = Command::new("cp").arg("-r").arg(tree).arg(&copy).status()?;
    match done.success() {
        true => Ok(copy),
        false => Err(std::io::Error::other("cp failed")),
    }
}

/// CPU and wall time of a program with all it starts, as the shell counts them.
fn timed(words: &[String], folder: &Path) -> Option<(f64, f64)> {
    let script = "TIMEFORMAT='%U %S %R'; time \"$@\" >/dev/null 2>&1";
    let out = Command::new("bash")
        .args(["-c", script, "timed"])
        .args(words)
        .current_dir(folder)
        .env("DO_NOT_TRACK", "1")
        .env("CODEGRAPH_TELEMETRY", "0")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    if !out.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    let line = text.lines().last()?;
    let times: Vec<f64> = line
        .split_whitespace()
        .filter_map(|t| t.parse().ok())
        .collect();
    let [user, system, wall] = times[..] else {
        return None;
    };
    Some(((user + system) * 1e3, wall * 1e3))
}
