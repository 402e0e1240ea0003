//! Reads every source file under some folders and says what does not hold:
//! `cargo run --release -p surefoot-langs --example survey -- FOLDER..`.
//!
//! Held: spans lie in their file, a site's span is the text of its name, the
//! same text gives the same facts, and facts survive being stored. Printed: how
//! much was read, what parsing and reading cost, and where text did not parse.

// Not part of the resolver: a person runs it over folders and reads the clock.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use surefoot_facts::{Extracted, Language};

#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
    errors: BTreeMap<String, u32>,
    counts: BTreeMap<&'static str, usize>,
    heap: usize,
    parse: Duration,
    facts: Duration,
    broken: Vec<String>,
}

fn main() {
    let mut paths = Vec::new();
    for root in std::env::args().skip(1) {
        walk(Path::new(&root), &mut paths);
    }
    paths.sort();
    let mut totals = Totals::default();
    for path in &paths {
        if let Ok(text) = std::fs::read_to_string(path)
            && let Some(language) = surefoot_langs::of_path(&path.to_string_lossy())
        {
            survey(path, &text, language, &mut totals);
        }
    }
    report(&totals);
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    if folder.is_file() {
        out.push(folder.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("{}: cannot be read", folder.display());
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(|k| k.is_dir()) {
            walk(&path, out);
        } else if kind.is_ok_and(|k| k.is_file())
            && surefoot_langs::of_path(&path.to_string_lossy()).is_some()
        {
            out.push(path);
        }
    }
}

fn survey(path: &Path, text: &str, language: &dyn Language, totals: &mut Totals) {
    let mut parser = tree_sitter::Parser::new();
    let grammar = match language.name() {
        "rust" => tree_sitter_rust::LANGUAGE.into(),
        "tsx" | "javascript" => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    };
    if parser.set_language(&grammar).is_err() {
        return;
    }
    let start = Instant::now();
    let tree = parser.parse(text, None);
    totals.parse += start.elapsed();
    drop(tree);
    let start = Instant::now();
    let read = language.facts(text);
    totals.facts += start.elapsed();
    totals.files += 1;
    totals.bytes += text.len();
    if read.facts.errors > 0 {
        let name = path.to_string_lossy().into_owned();
        totals.errors.insert(name, read.facts.errors);
    }
    check(path, text, &read, totals);
    let again = language.facts(text);
    let mut fail = |what: &str| totals.broken.push(format!("{}: {what}", path.display()));
    if again.facts != read.facts || again.positions != read.positions {
        fail("the same text gave other facts");
    }
    match surefoot_facts::decode_file(&surefoot_facts::encode_file(&read)) {
        Ok(stored) if stored.facts == read.facts && stored.positions == read.positions => {}
        Ok(_) => fail("stored facts differ"),
        Err(e) => fail(&e.to_string()),
    }
}

fn check(path: &Path, text: &str, read: &Extracted, totals: &mut Totals) {
    let lines = &read.positions.lines;
    for (item, (start, spans)) in read.facts.items.iter().zip(&read.positions.items) {
        totals.heap += item.bytes();
        let counts = [
            ("items", 1),
            ("symbols", item.symbols.len()),
            ("scopes", item.scopes.len()),
            ("bindings", item.bindings.len()),
            ("imports", item.imports.len()),
            ("exprs", item.exprs.len()),
            ("types", item.types.len()),
        ];
        for (what, count) in counts {
            *totals.counts.entry(what).or_default() += count;
        }
        for (site, span) in item.sites.iter().zip(&spans.sites) {
            *totals.counts.entry(site.kind.word()).or_default() += 1;
            let at = span.shift(*start);
            let written = text.get(at.start as usize..at.end as usize);
            let (line, col) = lines.line_col(at.start);
            let place = format!("{}:{}:{}", path.display(), line + 1, col + 1);
            match written {
                None => totals
                    .broken
                    .push(format!("{place}: a span outside its text")),
                Some(w) if !site.name.is_empty() && w != site.name.text() => {
                    let what = format!("site `{}` stands over {w:?}", site.name);
                    totals.broken.push(format!("{place}: {what}"));
                }
                Some(_) => {}
            }
        }
        let symbols = spans.symbols.iter().flat_map(|s| [s.full, s.name]);
        let others = spans.imports.iter().chain(&spans.bindings).copied();
        for span in symbols.chain(others) {
            let at = span.shift(*start);
            if at.start > at.end || text.get(at.start as usize..at.end as usize).is_none() {
                totals
                    .broken
                    .push(format!("{}: a span outside its text", path.display()));
            }
        }
    }
}

fn report(t: &Totals) {
    println!("{} files, {:.1} MB", t.files, t.bytes as f64 / 1e6);
    let (parse, facts) = (t.parse.as_secs_f64(), t.facts.as_secs_f64());
    println!(
        "parse {parse:.3} s, parse and read {facts:.3} s: reading costs {:.2} of parsing",
        (facts - parse) / parse.max(1e-9)
    );
    println!("{:.1} MB of facts", t.heap as f64 / 1e6);
    for (what, count) in &t.counts {
        println!("  {what:>10} {count}");
    }
    let regions: u32 = t.errors.values().sum();
    println!(
        "{regions} regions did not parse, in {} files",
        t.errors.len()
    );
    for (path, count) in t.errors.iter().take(40) {
        println!("  {count} {path}");
    }
    println!("{} things that do not hold", t.broken.len());
    for line in t.broken.iter().take(40) {
        println!("  {line}");
    }
}
