//! One page for people: what the tree is like, where it is worst, what is not known.
//!
//! A single file that asks nothing of a network and reads well on paper. All of
//! it stands in the document; the script only searches.

use super::{escaped, made_by};
use crate::index::Index;
use crate::model::{Report, RiskIndex};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of a table; what is beyond is counted.
const ROWS: usize = 100;
/// Declarations that can be searched; a page of more opens too slowly.
const SEARCHED: usize = 50_000;

/// The page. `name` is what the reader calls the tree.
pub fn html(report: &Report, name: &str) -> String {
    let mut page = Page {
        report,
        index: Index::new(&report.entities),
        out: String::new(),
    };
    page.head(name);
    page.summary();
    page.calls();
    page.gaps();
    page.hotspots();
    page.files();
    page.complexity();
    page.cycles();
    page.joints();
    page.left_out();
    page.search();
    page.foot();
    page.out
}

struct Page<'a> {
    report: &'a Report,
    index: Index<'a>,
    out: String,
}

/// A column: its title, and whether it holds numbers.
type Column = (&'static str, bool);

impl Page<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn head(&mut self, name: &str) {
        let r = self.report;
        let title = format!("Surefoot report of {}", escaped(name));
        let _ = write!(
            self.out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the report</a>\n\
             <header>\n<h1>{title}</h1>\n\
             <p class=\"dim\">Snapshot <code>{}</code>, made by {}, build <code>{}</code>. \
             This page is for reading; the JSON report it was made from is what can be verified.</p>\n",
            include_str!("page.css"),
            r.snapshot_id,
            escaped(&made_by(r)),
            escaped(&r.analyzer_provenance.build)
        );
        self.put("<nav aria-label=\"Sections\"><ul>");
        for (id, title) in [
            ("calls", "Calls"),
            ("gaps", "Gaps"),
            ("hotspots", "Hotspots"),
            ("files", "Files"),
            ("complexity", "Complexity"),
            ("cycles", "Cycles"),
            ("joints", "Joints"),
            ("left-out", "Left out"),
            ("search-title", "Search"),
        ] {
            let _ = write!(self.out, "<li><a href=\"#{id}\">{title}</a></li>");
        }
        self.put("</ul></nav>\n</header>\n<main id=\"main\">\n");
    }

    fn summary(&mut self) {
        let r = self.report;
        let state = if r.is_complete {
            "<p class=\"state\">Complete: every source file was read and understood whole.</p>\n"
                .to_owned()
        } else {
            format!(
                "<p class=\"state open\">Not complete: {} skipped, {} understood in part. Every count on \
                 this page is a count over what was read. <a href=\"#left-out\">What was left out</a></p>\n",
                files_word(r.skipped_files.len()),
                files_word(r.partial_analysis.len())
            )
        };
        self.put(&state);
        let placed = r
            .call_edges
            .iter()
            .filter(|e| &*e.resolution == "in_tree")
            .count();
        let coverage = r
            .doc_coverage
            .map_or("–".to_owned(), |c| percent(c.value()));
        let tiles: [(&str, String); 9] = [
            ("Source files", number(r.file_hashes.len())),
            ("Declarations", number(r.entities.len())),
            ("Calls", number(r.call_edges.len())),
            ("Placed in this tree", number(placed)),
            ("Hotspots", number(r.hotspots.len())),
            ("Import cycles", number(r.dependency_cycles.len())),
            ("Documented", coverage),
            ("Risk index", format!("{:.3}", r.risk_index.score.value())),
            ("Fragility", format!("{:.3}", r.fragility.score.value())),
        ];
        self.put("<dl class=\"tiles\">");
        for (name, value) in tiles {
            let _ = write!(self.out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        self.put("</dl>\n");
    }

    fn calls(&mut self) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut likely = 0;
        for edge in &self.report.call_edges {
            *counts.entry(&edge.resolution).or_default() += 1;
            likely += usize::from(edge.tier.as_deref() == Some("likely"));
        }
        let all = self.report.call_edges.len();
        let mut rows = Vec::new();
        for (word, meaning) in [
            ("in_tree", "one declaration of this tree, proved"),
            ("outside", "a package or the standard library"),
            ("parameter", "a value held by a parameter"),
            ("local", "a value held by a local"),
            (
                "unresolved",
                "the evidence names this tree, and nothing here answers",
            ),
            ("undetermined", "no evidence either way"),
        ] {
            let n = counts.get(word).copied().unwrap_or(0);
            let mut meaning = meaning.to_owned();
            if word == "in_tree" && likely > 0 {
                let _ = write!(
                    meaning,
                    "; {} of them by a stated convention",
                    number(likely)
                );
            }
            rows.push(vec![
                format!("<code class=\"word\">{word}</code>"),
                number(n),
                share(n, all),
                bar(n, all),
                meaning,
            ]);
        }
        self.section("calls", "What became of the calls");
        self.table(
            "Each call site has exactly one outcome.",
            &[
                ("Outcome", false),
                ("Calls", true),
                ("Share", true),
                ("", false),
                ("Meaning", false),
            ],
            rows,
            0,
        );
    }

    fn gaps(&mut self) {
        let gap =
            |e: &&crate::model::CallEdge| matches!(&*e.resolution, "unresolved" | "undetermined");
        let open: Vec<_> = self.report.call_edges.iter().filter(gap).collect();
        let mut causes: FxHashMap<&str, usize> = FxHashMap::default();
        for edge in &open {
            *causes
                .entry(edge.cause.as_deref().unwrap_or("none"))
                .or_default() += 1;
        }
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let rows = causes.iter().map(|(cause, n)| {
            vec![
                format!("<code class=\"word\">{}</code>", escaped(cause)),
                number(*n),
                share(*n, open.len()),
                bar(*n, open.len()),
            ]
        });
        let rows = rows.collect();
        self.section("gaps", "Calls that were not placed");
        self.table(
            "By cause. A caller list is a floor while a call of its name is in here.",
            &[
                ("Cause", false),
                ("Calls", true),
                ("Share", true),
                ("", false),
            ],
            rows,
            0,
        );
    }

    fn hotspots(&mut self) {
        let hotspots = &self.report.hotspots;
        let by_key: FxHashMap<&str, usize> = self
            .index
            .keys()
            .iter()
            .enumerate()
            .map(|(i, k)| (k.as_str(), i))
            .collect();
        let rows = hotspots.iter().take(ROWS).map(|h| {
            let line = by_key
                .get(h.entity.as_str())
                .map(|&i| self.report.entities[i].line_number);
            vec![
                format!("<code>{}</code>", escaped(&h.entity)),
                line.map_or(String::new(), |l| l.to_string()),
                h.score.to_string(),
                h.fan_out.to_string(),
                h.cyclomatic_complexity.to_string(),
                h.depth.to_string(),
            ]
        });
        let rows = rows.collect();
        let more = hotspots.len().saturating_sub(ROWS);
        self.section("hotspots", "Hotspots");
        self.table(
            "Score: fan-out × 0.35 + complexity × 0.40 + depth × 0.25, listed from 3.00.",
            &[
                ("Declaration", false),
                ("Line", true),
                ("Score", true),
                ("Fan-out", true),
                ("Complexity", true),
                ("Depth", true),
            ],
            rows,
            more,
        );
    }

    fn files(&mut self) {
        #[derive(Default)]
        struct File {
            declarations: usize,
            complexity: u64,
            worst: u32,
            hotspots: usize,
            gaps: usize,
        }
        let mut files: BTreeMap<&str, File> = BTreeMap::new();
        let hot: rustc_hash::FxHashSet<&str> = self
            .report
            .hotspots
            .iter()
            .map(|h| h.entity.as_str())
            .collect();
        for (i, e) in self.report.entities.iter().enumerate() {
            let file = files.entry(&e.file).or_default();
            file.declarations += usize::from(&*e.kind != "module");
            let key = self.index.key(i);
            file.hotspots += usize::from(hot.contains(key.as_str()));
            let metrics = self.report.metrics_by_entity.get(key);
            if let Some(n) = metrics.and_then(|m| m.cyclomatic_complexity) {
                file.complexity += u64::from(n);
                file.worst = file.worst.max(n);
            }
        }
        for edge in &self.report.call_edges {
            if matches!(&*edge.resolution, "unresolved" | "undetermined") {
                files.entry(edge.file()).or_default().gaps += 1;
            }
        }
        let mut order: Vec<_> = files.iter().collect();
        order.sort_by(|a, b| {
            let key = |f: &File| (f.hotspots, f.complexity);
            key(b.1).cmp(&key(a.1)).then(a.0.cmp(b.0))
        });
        let rows = order.iter().take(ROWS).map(|(path, f)| {
            vec![
                format!("<code>{}</code>", escaped(path)),
                number(f.hotspots),
                f.complexity.to_string(),
                f.worst.to_string(),
                number(f.declarations),
                number(f.gaps),
            ]
        });
        let rows = rows.collect();
        let more = order.len().saturating_sub(ROWS);
        self.section("files", "Files, the worst first");
        self.table(
            "By hotspots, then by the sum of complexity.",
            &[
                ("File", false),
                ("Hotspots", true),
                ("Complexity", true),
                ("Highest", true),
                ("Declarations", true),
                ("Calls not placed", true),
            ],
            rows,
            more,
        );
    }

    fn complexity(&mut self) {
        let buckets = [(1, 5), (6, 10), (11, 20), (21, 40), (41, u32::MAX)];
        let mut counts = [0usize; 5];
        for (_, m) in self.report.metrics_by_entity.iter() {
            if let Some(n) = m.cyclomatic_complexity {
                let at = buckets.iter().position(|&(_, to)| n <= to).unwrap_or(4);
                counts[at] += 1;
            }
        }
        let all: usize = counts.iter().sum();
        let rows = buckets.iter().zip(counts).map(|(&(from, to), n)| {
            let range = match to {
                u32::MAX => format!("{from} and more"),
                to => format!("{from} to {to}"),
            };
            vec![range, number(n), share(n, all), bar(n, all)]
        });
        let rows = rows.collect();
        self.section("complexity", "Complexity");
        self.table(
            "Functions by cyclomatic complexity.",
            &[
                ("Complexity", false),
                ("Functions", true),
                ("Share", true),
                ("", false),
            ],
            rows,
            0,
        );
        let parts = |r: &RiskIndex| {
            [r.complexity, r.coupling, r.documentation, r.cycles, r.score]
                .map(crate::Millionths::exact)
        };
        let (whole, production) = (
            parts(&self.report.risk_index),
            parts(&self.report.production.risk_index),
        );
        let names = [
            ("complexity", "× 0.35"),
            ("coupling", "× 0.25"),
            ("documentation missing", "× 0.25"),
            ("cycles", "× 0.15"),
            ("risk index", "the sum"),
        ];
        let rows = names.iter().zip(whole.into_iter().zip(production)).map(
            |((name, weight), (whole, production))| {
                vec![(*name).to_owned(), (*weight).to_owned(), whole, production]
            },
        );
        let rows = rows.collect();
        self.table(
            "The risk index, taken apart: for the whole tree, and for what is neither test nor example.",
            &[("Part", false), ("Weight", false), ("Whole tree", true), ("Production", true)],
            rows,
            0,
        );
    }

    fn cycles(&mut self) {
        let cycles = &self.report.dependency_cycles;
        let rows = cycles.iter().take(ROWS).map(|c| {
            let files: Vec<String> = c
                .iter()
                .map(|f| format!("<code>{}</code>", escaped(f)))
                .collect();
            vec![c.len().to_string(), files.join("<br>")]
        });
        let rows = rows.collect();
        let more = cycles.len().saturating_sub(ROWS);
        self.section("cycles", "Import cycles");
        self.table(
            "Files that import each other, directly or through others.",
            &[("Files", true), ("Members", false)],
            rows,
            more,
        );
    }

    fn joints(&mut self) {
        let joints = &self.report.bridge_nodes;
        let rows = joints.iter().take(ROWS).map(|b| {
            let across: Vec<String> = b
                .peers
                .iter()
                .map(|p| format!("<code>{}</code> ({})", escaped(&p.entity), escaped(&p.tier)))
                .collect();
            vec![
                format!("<code>{}</code>", escaped(&b.entity)),
                format!("<code class=\"word\">{}</code>", escaped(&b.technology)),
                escaped(&b.side),
                match b.line_number {
                    0 => String::new(),
                    line => line.to_string(),
                },
                across.join("<br>"),
            ]
        });
        let rows = rows.collect();
        let more = joints.len().saturating_sub(ROWS);
        self.section("joints", "Joints with other languages");
        self.table(
            "What another language calls, and what opens or calls code of one. None of it is a call that is \
             counted.",
            &[
                ("Declaration", false),
                ("Technology", false),
                ("Side", false),
                ("Line", true),
                ("Across", false),
            ],
            rows,
            more,
        );
    }

    fn left_out(&mut self) {
        let r = self.report;
        let skipped = r.skipped_files.iter().map(|s| {
            vec![
                format!("<code>{}</code>", escaped(&s.path)),
                format!("<code>{}</code>", escaped(&s.reason_code)),
                escaped(&s.reason),
            ]
        });
        let partial = r.partial_analysis.iter().map(|p| {
            vec![
                format!(
                    "<code>{}</code>",
                    escaped(p.file.as_deref().unwrap_or("the tree"))
                ),
                format!("<code>{}</code>", escaped(&p.reason_code)),
                escaped(&p.reason),
            ]
        });
        let mut rows: Vec<_> = skipped.chain(partial).collect();
        let more = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        self.section("left-out", "Left out");
        self.table(
            "Files that were not read, and what was read and not understood whole.",
            &[("Where", false), ("Code", false), ("Why", false)],
            rows,
            more,
        );
    }

    fn search(&mut self) {
        let entities = self.report.entities.iter().enumerate();
        let rows = entities
            .filter(|(_, e)| &*e.kind != "module")
            .take(SEARCHED)
            .map(|(i, e)| {
                let key = self.index.key(i);
                let m = self.report.metrics_by_entity.get(key);
                json!([
                    key,
                    e.kind,
                    e.line_number,
                    m.and_then(|m| m.cyclomatic_complexity),
                    m.and_then(|m| m.cognitive_complexity),
                    m.map(|m| m.fan_in),
                    m.map(|m| m.fan_out),
                    m.map(|m| m.depth),
                ])
            });
        let data = Value::Array(rows.collect()).to_string();
        // Inside a script element only `</` and `<!--` mean anything, and both begin with this.
        let data = data.replace('<', "\\u003c");
        self.section("search-title", "Search");
        let cut = self.report.entities.len() > SEARCHED;
        if cut {
            let _ = writeln!(
                self.out,
                "<p class=\"dim\">Only the first {} declarations can be searched on this page.</p>",
                number(SEARCHED)
            );
        }
        self.put(
            "<noscript><p>The search needs JavaScript; everything above does not.</p></noscript>\n\
             <div id=\"search\" hidden>\n<p><label for=\"query\">Name, file or kind</label><br>\n\
             <input id=\"query\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></p>\n\
             <p id=\"found\" role=\"status\" aria-live=\"polite\"></p>\n<div class=\"scroll\"><table>\n\
             <caption>Declarations found</caption>\n<thead><tr>",
        );
        for (title, numeric) in [
            ("Declaration", false),
            ("Kind", false),
            ("Line", true),
            ("Complexity", true),
            ("Cognitive", true),
            ("Fan-in", true),
            ("Fan-out", true),
            ("Depth", true),
        ] {
            let class = if numeric { " class=\"n\"" } else { "" };
            let _ = write!(self.out, "<th scope=\"col\"{class}>{title}</th>");
        }
        let _ = write!(
            self.out,
            "</tr></thead>\n<tbody id=\"results\"></tbody>\n</table></div>\n</div>\n\
             <script type=\"application/json\" id=\"declarations\">{data}</script>\n"
        );
    }

    fn foot(&mut self) {
        let _ = write!(
            self.out,
            "</main>\n<footer class=\"dim\"><p>Every number here follows from the JSON report of the same \
             snapshot. Columns and lines count from one.</p></footer>\n<script>\n{}</script>\n</body>\n</html>\n",
            include_str!("page.js")
        );
    }

    fn section(&mut self, id: &str, title: &str) {
        let _ = writeln!(self.out, "<h2 id=\"{id}\">{title}</h2>");
    }

    /// Cells are HTML already.
    fn table(&mut self, caption: &str, columns: &[Column], rows: Vec<Vec<String>>, more: usize) {
        if rows.is_empty() {
            self.put("<p class=\"dim\">None.</p>\n");
            return;
        }
        let _ = write!(
            self.out,
            "<div class=\"scroll\"><table>\n<caption>{caption}</caption>\n<thead><tr>"
        );
        for (title, numeric) in columns {
            let class = if *numeric { " class=\"n\"" } else { "" };
            // A column of bars repeats the one before it for the eye.
            let _ = match *title {
                "" => write!(self.out, "<td class=\"wide\"></td>"),
                title => write!(self.out, "<th scope=\"col\"{class}>{title}</th>"),
            };
        }
        self.put("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.put("<tr>");
            for (cell, (_, numeric)) in row.iter().zip(columns) {
                let class = if *numeric { " class=\"n\"" } else { "" };
                let _ = write!(self.out, "<td{class}>{cell}</td>");
            }
            self.put("</tr>\n");
        }
        self.put("</tbody>\n</table></div>\n");
        if more > 0 {
            let _ = writeln!(self.out, "<p class=\"dim\">And {} more.</p>", number(more));
        }
    }
}

fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn files_word(n: usize) -> String {
    match n {
        1 => "1 file".to_owned(),
        n => format!("{} files", number(n)),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "–".to_owned(),
        whole => percent(part as f64 / whole as f64),
    }
}

fn bar(part: usize, whole: usize) -> String {
    let width = match whole {
        0 => 0.0,
        whole => part as f64 / whole as f64 * 100.0,
    };
    format!("<span class=\"bar\" aria-hidden=\"true\" style=\"width:{width:.1}%\"></span>")
}
