//! Names this build: a digest of the sources that decide what an analysis finds.
//!
//! A report carries it, so that two builds of one version are never taken for one. Only what decides
//! counts: the crates of `resolver/` and the exact versions of the grammars.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let resolver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resolver");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    let mut files = Vec::new();
    for folder in children(&resolver) {
        let sources = folder.join("src");
        if sources.is_dir() {
            println!("cargo::rerun-if-changed={}", sources.display());
            collect(&sources, &mut files);
        }
    }
    files.sort();
    for path in files {
        let name = path.strip_prefix(&resolver).unwrap_or(&path);
        let text = fs::read(&path).unwrap_or_default();
        // Whether the checkout has CRLF says nothing about what the code does.
        let text: Vec<u8> = text.into_iter().filter(|b| *b != b'\r').collect();
        hasher.update(name.to_string_lossy().replace('\\', "/").as_bytes());
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(&text);
    }
    println!("cargo::rerun-if-changed={}", lock.display());
    for grammar in grammars(&fs::read_to_string(&lock).unwrap_or_default()) {
        hasher.update(grammar.as_bytes());
    }
    let digest = hasher.finalize().to_hex();
    println!("cargo::rustc-env=SUREFOOT_BUILD={}", &digest[..16]);
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|e| Some(e.ok()?.path())).collect()
}

/// Everything below a folder but its tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in children(folder) {
        let name = path.file_name().unwrap_or_default();
        if name == "tests" || name == "tests.rs" || name == "fixtures" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// `tree-sitter-rust 0.24.2`, for every package of the lock file that parses.
fn grammars(lock: &str) -> Vec<String> {
    let value = |line: &str, key: &str| {
        let rest = line.strip_prefix(key)?.strip_prefix(" = \"")?;
        Some(rest.strip_suffix('"')?.to_owned())
    };
    let mut out = Vec::new();
    let mut name = None;
    for line in lock.lines() {
        if let Some(found) = value(line, "name") {
            name = found.starts_with("tree-sitter").then_some(found);
        } else if let Some((name, version)) = name.take().zip(value(line, "version")) {
            out.push(format!("{name} {version}\n"));
        }
    }
    out
}
