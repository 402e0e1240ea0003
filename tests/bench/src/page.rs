//! Results as tables: on the terminal, and as docs/performance.md.

use std::fmt::Write;

use serde_json::Value;

use crate::plan::Found;

fn seconds(ms: Option<f64>) -> String {
    match ms {
        Some(ms) if ms < 100.0 => format!("{ms:.0} ms"),
        Some(ms) => format!("{:.2} s", ms / 1e3),
        None => "-".to_owned(),
    }
}

fn ratio(a: Option<f64>, b: Option<f64>) -> String {
    match (a, b) {
        (Some(a), Some(b)) if b > 0.0 => format!("{:.2}", a / b),
        _ => "-".to_owned(),
    }
}

fn mb(bytes: Option<f64>) -> String {
    bytes.map_or_else(|| "-".to_owned(), |b| format!("{:.0} MB", b / 1e6))
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:.digits$}"))
}

fn whole(value: Option<f64>) -> String {
    let digits = value.map_or_else(|| "-".to_owned(), |v| format!("{v:.0}"));
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The rows of one tree, for the terminal.
pub fn print(found: &Found) {
    println!("\n{} ({})", found.tree, found.what);
    for (name, value) in rows(found) {
        println!("  {name:44} {value}");
    }
}

pub fn print_compared(this: &Found, older: &Found, rev: &str) {
    println!("\n{}: this build against {rev}", this.tree);
    for job in ["parse1", "parse2", "analyze1", "analyze2"] {
        let (a, b) = (this.cpu(job), older.cpu(job));
        println!(
            "  {job:12} {:>9} / {:>9} = {}",
            seconds(a),
            seconds(b),
            ratio(a, b)
        );
    }
    for pointer in [
        "/resident_bytes",
        "/prepare/cpu_ms",
        "/edits/long/lens_ms/p50",
        "/edits/long/lens_ms/p95",
    ] {
        let (a, b) = (
            this.median("typing", pointer),
            older.median("typing", pointer),
        );
        println!(
            "  {pointer:28} {} / {} = {}",
            number(a, 2),
            number(b, 2),
            ratio(a, b)
        );
    }
}

fn rows(found: &Found) -> Vec<(String, String)> {
    let m = |job: &str, pointer: &str| found.median(job, pointer);
    let mut out: Vec<(String, String)> = Vec::new();
    let mut row = |name: &str, value: String| out.push((name.to_owned(), value));
    row("files", whole(m("parse1", "/files")));
    row("lines", whole(m("parse1", "/lines")));
    row("MB", number(m("parse1", "/bytes").map(|b| b / 1e6), 1));
    for (job, name) in [
        ("walk", "walk and stat, CPU"),
        ("read", "and read"),
        ("hash", "and BLAKE3"),
        ("parse1", "raw parse, one thread, CPU"),
        ("parse2", "raw parse, two threads, CPU"),
        ("analyze1", "analyze, one thread, CPU"),
        ("analyze2", "analyze, two threads, CPU"),
    ] {
        row(name, seconds(found.cpu(job)));
    }
    row(
        "analyze / raw parse, CPU, one thread",
        ratio(found.cpu("analyze1"), found.cpu("parse1")),
    );
    row(
        "analyze / raw parse, CPU, two threads",
        ratio(found.cpu("analyze2"), found.cpu("parse2")),
    );
    let (a1, a2) = (m("analyze1", "/wall_ms"), m("analyze2", "/wall_ms"));
    let (p1, p2) = (m("parse1", "/wall_ms"), m("parse2", "/wall_ms"));
    row(
        "analyze, wall, one and two threads",
        format!("{}, {}", seconds(a1), seconds(a2)),
    );
    row(
        "two threads are faster: analyze; raw parse",
        format!("{}; {}", ratio(a1, a2), ratio(p1, p2)),
    );
    row(
        "peak memory of analyze, two threads",
        mb(m("analyze2", "/peak_bytes")),
    );
    let (cold, warm) = (m("cold", "/answer_cpu_ms"), m("warm", "/answer_cpu_ms"));
    row("to a first answer, nothing kept, CPU", seconds(cold));
    row("to a first answer, facts kept, CPU", seconds(warm));
    row("  of that with nothing kept", ratio(warm, cold));
    row("  files parsed", whole(m("warm", "/parsed")));
    let glance = m("glance", "/answer_cpu_ms/p50");
    row(
        "an answer about an open file before the tree is read, CPU p50 / p95",
        format!(
            "{} / {}",
            seconds(glance),
            seconds(m("glance", "/answer_cpu_ms/p95"))
        ),
    );
    row(
        "  of analyze (two threads), CPU; wall",
        format!(
            "{}; {}",
            ratio(glance, found.cpu("analyze2")),
            ratio(m("glance", "/answer_wall_ms/p50"), a2)
        ),
    );
    row(
        "  marked as a floor",
        format!(
            "{} of {}",
            whole(m("glance", "/floors")),
            whole(m("glance", "/asked"))
        ),
    );
    row("memory at rest", mb(m("rest", "/resident_bytes")));
    row("  bytes per line", number(m("rest", "/bytes_per_line"), 0));
    row("  of it counted", mb(m("rest", "/held_bytes")));
    for n in 0..found.owners() {
        let first = found.runs("rest").first();
        let owner = first.and_then(|v| v.pointer(&format!("/held/{n}/0"))?.as_str());
        let name = format!("  {}", owner.unwrap_or_default());
        row(&name, mb(m("rest", &format!("/held/{n}/1"))));
    }
    row(
        "the server over a pipe: ready, wall",
        seconds(m("server", "/ready_wall_ms")),
    );
    row("  memory at rest", mb(m("server", "/resident_bytes")));
    row(
        "  CPU while nobody asks",
        format!(
            "{} ms in {} s",
            whole(m("server", "/idle_cpu_ms")),
            whole(m("server", "/idle_seconds"))
        ),
    );
    row(
        "making ready for edits, CPU",
        seconds(m("typing", "/prepare/cpu_ms")),
    );
    for (kind, name) in [
        ("callers", "incoming calls"),
        ("callees", "outgoing calls"),
        ("lens", "lens"),
        ("hover", "hover"),
    ] {
        row(
            &format!("{name}, CPU ms p50 / p95 / p99"),
            tail(found, &format!("/requests/{kind}"), 3),
        );
    }
    for (size, name) in [
        ("long", "files of 1,000 lines and more"),
        ("short", "shorter files"),
    ] {
        row(
            &format!("edit to delta, {name}, CPU ms"),
            tail(found, &format!("/edits/{size}/delta_ms"), 2),
        );
        row(
            &format!("edit to lens, {name}, CPU ms"),
            tail(found, &format!("/edits/{size}/lens_ms"), 2),
        );
        row(
            "  to findings",
            tail(found, &format!("/edits/{size}/findings_ms"), 2),
        );
        row(
            "  to lens, of one full parse of the file",
            tail(found, &format!("/edits/{size}/of_full_parse"), 3),
        );
        row(
            "  files resolved again",
            tail(found, &format!("/edits/{size}/resolved"), 0),
        );
    }
    if let Some(kinds) = found
        .runs("typing")
        .first()
        .and_then(|v| v.pointer("/edits/kinds")?.as_array())
    {
        for kind in kinds {
            let name = kind["kind"].as_str().unwrap_or("");
            for size in ["long", "short"] {
                row(
                    &format!("  {name}, {size} files, to lens"),
                    tail_of(kind, &format!("/{size}/lens_ms"), 2),
                );
            }
        }
    }
    for peer in &found.peers {
        out.push((
            format!("{}, CPU, and of analyze", peer.tool),
            format!(
                "{}, {}",
                seconds(Some(peer.cpu)),
                ratio(Some(peer.cpu), found.cpu("analyze2"))
            ),
        ));
    }
    out
}

fn tail(found: &Found, pointer: &str, digits: usize) -> String {
    let first = found.runs("typing").first();
    first.map_or_else(|| "-".to_owned(), |v| tail_of(v, pointer, digits))
}

fn tail_of(value: &Value, pointer: &str, digits: usize) -> String {
    let get = |p: &str| {
        value
            .pointer(&format!("{pointer}/{p}"))
            .and_then(Value::as_f64)
    };
    let parts = ["p50", "p95", "p99"].map(|p| number(get(p), digits));
    parts.join(" / ")
}

/// The page of the documentation.
pub fn page(all: &[Found], runs: usize, commit: &str) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo xtask bench --write`. Edit tests/bench instead. -->\n\
         # Performance\n\n\
         What reading and parsing a tree costs at least, and what Surefoot adds, measured in one run and \
         paired: every number is a process of its own, the kinds take turns, medians are shown. CPU time \
         counts all threads; on a shared machine read it and the ratios rather than wall times. *Raw parse* \
         walks, reads and parses every file with the same grammars and the same allocator and drops the \
         trees. *Analyze* is `surefoot analyze`: facts, resolution, metrics and the printed page, no cache. \
         Edits are drawn from a seeded script (inside a body, a new function, another name for a \
         declaration, a broken state, an import added; each undone again) and counted from the text to the \
         delta and on to the lenses and findings of the file.\n",
    );
    let tables: Vec<Vec<(String, String)>> = all.iter().map(rows).collect();
    let _ = write!(out, "\n| |");
    for found in all {
        let _ = write!(out, " {} |", found.tree);
    }
    let _ = write!(out, "\n| --- |");
    for _ in all {
        let _ = write!(out, " --: |");
    }
    let names = tables.first().map_or(&[][..], |t| t);
    for (n, (name, _)) in names.iter().enumerate() {
        let _ = write!(out, "\n| {} |", name.replace("  ", "&nbsp;&nbsp;"));
        for table in &tables {
            let value = table.get(n).map_or("-", |(_, value)| value);
            let _ = write!(out, " {value} |");
        }
    }
    out.push_str("\n\nThe trees:\n\n");
    for found in all {
        let _ = writeln!(out, "- `{}`: {}", found.tree, found.what);
    }
    let _ = write!(
        out,
        "\nCommit {commit}; medians of {runs} runs. Again: `cargo xtask bench --write --runs {runs}`; one tree \
         `--tree ID`, another build beside this one `--compare REV`, other tools `--peers`.\n"
    );
    if all.iter().any(|found| !found.peers.is_empty()) {
        out.push_str("\n| other tools, one run each, of our analyze (two threads) | tree | CPU | wall | CPU ratio | wall ratio |\n| --- | --- | --: | --: | --: | --: |\n");
        for found in all {
            for peer in &found.peers {
                let _ = writeln!(
                    out,
                    "| {} | {} | {} | {} | {} | {} |",
                    peer.tool,
                    found.tree,
                    seconds(Some(peer.cpu)),
                    seconds(Some(peer.wall)),
                    ratio(Some(peer.cpu), found.cpu("analyze2")),
                    ratio(Some(peer.wall), found.median("analyze2", "/wall_ms")),
                );
            }
        }
    }
    out
}
