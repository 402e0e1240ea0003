//! Reads every source file below the given folders and checks what must hold
//! for any file: `cargo run --release -p surefoot-langs --example sweep -- DIR..`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use surefoot_facts::{Extracted, Language};

#[derive(Default)]
struct Tally {
    files: usize,
    bytes: usize,
    sites: usize,
    symbols: usize,
    errors: usize,
    faults: usize,
    parse: Duration,
    facts: Duration,
}

fn main() {
    let mut tally = Tally::default();
    let mut stack: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            let mut below: Vec<PathBuf> = std::fs::read_dir(&path)
                .into_iter()
                .flatten()
                .flatten()
                .map(|e| e.path())
                .collect();
            below.sort();
            stack.extend(below.into_iter().rev());
        } else if let Some(language) = surefoot_langs::of_path(&path.to_string_lossy())
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            one(language, &path, &text, &mut tally);
        }
    }
    let seconds = |d: Duration| d.as_secs_f64();
    println!(
        "{} files, {} bytes, {} symbols, {} sites, {} with errors, {} faults; parse {:.2} s, facts {:.2} s, extraction/parse {:.2}",
        tally.files,
        tally.bytes,
        tally.symbols,
        tally.sites,
        tally.errors,
        tally.faults,
        seconds(tally.parse),
        seconds(tally.facts),
        (seconds(tally.facts) - seconds(tally.parse)) / seconds(tally.parse).max(1e-9),
    );
}

fn one(language: &dyn Language, path: &Path, text: &str, tally: &mut Tally) {
    let start = Instant::now();
    raw_parse(path, text);
    tally.parse += start.elapsed();
    let start = Instant::now();
    let first = language.facts(text);
    tally.facts += start.elapsed();
    let second = language.facts(text);
    tally.files += 1;
    tally.bytes += text.len();
    tally.errors += usize::from(first.facts.errors > 0);
    let mut fault = |what: String| {
        tally.faults += 1;
        println!("{}: {what}", path.display());
    };
    if first.facts != second.facts || first.positions != second.positions {
        fault("two readings differ".to_owned());
    }
    check(&first, text, &mut fault);
    for item in &first.facts.items {
        tally.sites += item.sites.len();
        tally.symbols += item.symbols.len();
    }
}

fn raw_parse(path: &Path, text: &str) {
    let language = match path.extension().and_then(|e| e.to_str()) {
        Some("rs") => tree_sitter_rust::LANGUAGE.into(),
        Some("tsx" | "jsx") => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    };
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&language).is_ok() {
        parser.parse(text, None);
    }
}

fn check(extracted: &Extracted, text: &str, fault: &mut impl FnMut(String)) {
    for (item, (start, spans)) in extracted.facts.items.iter().zip(&extracted.positions.items) {
        let mut last = 0;
        for (site, span) in item.sites.iter().zip(&spans.sites) {
            let at = span.shift(*start);
            let line = extracted.positions.lines.line_col(at.start).0 + 1;
            match text.get(at.start as usize..at.end as usize) {
                None => fault(format!("line {line}: a site outside the text: {at:?}")),
                Some(seen) if !site.name.is_empty() && seen != site.name.text() => {
                    fault(format!(
                        "line {line}: site {} stands on {seen:?}",
                        site.name
                    ));
                }
                Some(_) => {}
            }
            if at.start < last && !site.name.is_empty() {
                fault(format!(
                    "line {line}: site {} stands before its forerunner",
                    site.name
                ));
            }
            if !site.name.is_empty() {
                last = at.start;
            }
        }
        for (symbol, span) in item.symbols.iter().zip(&spans.symbols) {
            for at in [span.full.shift(*start), span.name.shift(*start)] {
                if text.get(at.start as usize..at.end as usize).is_none() {
                    fault(format!("symbol {} outside the text: {at:?}", symbol.name));
                }
            }
        }
        for (binding, span) in item.bindings.iter().zip(&spans.bindings) {
            let at = span.shift(*start);
            let seen = text.get(at.start as usize..at.end as usize);
            if seen.is_none() {
                fault(format!("binding {} outside the text: {at:?}", binding.name));
            }
        }
    }
}
