//! Runs every fixture of every language.
//!
//! `UPDATE_FIXTURES=1 cargo test -p surefoot-session --test fixtures` writes
//! what the graph says into the fixtures; `FIXTURE=part_of_a_name` runs some.
#![expect(
    clippy::disallowed_methods,
    reason = "a test that reads and updates its own cases"
)]

use std::fs;
use std::path::PathBuf;
use surefoot_engine::Languages;
use surefoot_fixture::{Setup, check};

fn setup() -> Setup {
    Setup {
        languages: Languages(surefoot_langs::all()),
        of_path: surefoot_langs::of_path,
        manifest: surefoot_langs::manifest_facts,
    }
}

/// Every fixture beside a language, by name.
fn fixtures(language: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../langs/src")
        .join(language)
        .join("fixtures");
    let wanted = std::env::var("FIXTURE").unwrap_or_default();
    let all = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut out: Vec<PathBuf> = all
        .map(|entry| entry.path())
        .filter(|p| p.extension().is_some_and(|e| e == "fixture"))
        .filter(|p| p.to_string_lossy().contains(&wanted))
        .collect();
    out.sort();
    assert!(
        !out.is_empty() || !wanted.is_empty(),
        "no fixtures in {}",
        folder.display()
    );
    out
}

fn run(language: &str) {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let mut wrong = Vec::new();
    for path in fixtures(language) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut problems = match check(&text, setup()) {
            Ok(verdict) if update => {
                if verdict.updated != text {
                    fs::write(&path, &verdict.updated).unwrap();
                }
                verdict.stubborn
            }
            Ok(verdict) => verdict.problems,
            Err(malformed) => vec![malformed.to_string()],
        };
        if !problems.is_empty() {
            problems.insert(0, format!("==== {language}/{name}"));
            wrong.push(problems.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n\n"));
}

// What the graph says of Rust, shape by shape, against the marks in the source.
#[test]
fn rust() {
    run("rust");
}

// What the graph says of TypeScript and TSX.
#[test]
fn typescript() {
    run("typescript");
}
