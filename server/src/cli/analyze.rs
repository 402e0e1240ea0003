//! `surefoot analyze`: what a folder holds, what was placed and what was not, and the report of it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use surefoot_engine::features::diagnostics::{self, Code, DiagnosticOptions};
use surefoot_engine::{REPORT_THRESHOLD, Totals, score_text};
use surefoot_graph::{Resolution, Tier};
use surefoot_report::Report;
use surefoot_report::export::Form;
use surefoot_report::ratchet::{self, Rule};
use surefoot_report::view::{Family, View};
use surefoot_session::Suppressions;

use super::Format;
use super::borrow::{self, Borrow, Borrowed};
use super::diff::Kept;
use super::failure::{Failure, Outcome};
use super::print::{Page, clean, count, percent, thousands};
use super::project::{Project, Reading};
use crate::forms::{self, Findings};
use crate::{documents, export};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot analyze\n  \
    surefoot analyze ../shop --report shop.json\n  \
    surefoot analyze --format json --fields scores,metrics --max-items 20")]
pub struct Analyze {
    /// The folder to analyse
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Write the report to a file, too
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the report compressed with zstd; what reads reports reads it as it is
    #[arg(long, requires = "report")]
    compress: bool,

    /// Write it in another form, too, named by the ending of the file: .html, .sarif, .scip, .dot,
    /// .graphml. May be given several times
    #[arg(long, value_name = "FILE")]
    export: Vec<PathBuf>,

    /// How to answer; `json` writes the report to standard output
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// With `--format json`, a view of these parts instead of the report: entities, entity_bodies,
    /// dependencies, calls, metrics, scores, reachability, manifest
    #[arg(long, value_name = "LIST")]
    fields: Option<String>,

    /// At most so many rows of each list; without it 10 for people, and all of a view
    #[arg(long, value_name = "N")]
    max_items: Option<usize>,

    /// End with exit code 4 when code was left out: a file skipped, or text that did not parse
    #[arg(long)]
    fail_on_incomplete: bool,

    /// Bind a call that nothing else places to the only declaration of its name in the tree, as likely.
    /// Proved by nothing but the absence of another; docs/accuracy.md has what it costs
    #[arg(long)]
    bind_unique_names: bool,

    /// End with exit code 1 when a threshold is crossed; several with commas: new-hotspots, new-cycles,
    /// new-gaps, complexity>N, hotspot>N, cycles>N
    #[arg(long, value_name = "LIST")]
    fail_on: Option<String>,

    /// For --fail-on: an earlier report, or `@` with the name or id of a snapshot. Only what is new or
    /// got worse counts then
    #[arg(long, value_name = "REPORT", requires = "fail_on")]
    against: Option<String>,

    /// Where snapshots are kept; without it SUREFOOT_SNAPSHOT_DIR, else the user's cache folder
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    borrow: Borrow,
}

pub fn run(args: &Analyze) -> Outcome<()> {
    let families = families(args)?;
    let ratchet = Ratchet::of(args)?;
    for file in &args.export {
        Form::of(file)?;
    }
    let mut project = Project::open_whole(&args.path, &args.reading, args.bind_unique_names)?;
    let borrowed = args.borrow.run(&mut project)?;
    let wanted = args.report.is_some()
        || args.format == Format::Json
        || args.fail_on_incomplete
        || ratchet.is_some()
        || !args.export.is_empty();
    let report = match wanted {
        true => Some(export::report(
            project.session()?,
            &project.options,
            borrowed
                .as_ref()
                .map_or_else(Vec::new, |b| b.resolvers.clone()),
        )),
        false => None,
    };
    if let (Some(report), Some(path)) = (&report, &args.report) {
        documents::write(path, "The report", |file| match args.compress {
            true => surefoot_report::write_compressed(report, file),
            false => surefoot_report::write(report, file),
        })?;
    }
    if let Some(report) = &report {
        forms(&project, report, &args.export)?;
    }
    match (args.format, &report, &families) {
        (Format::Json, Some(report), None) => {
            let out = io::stdout().lock();
            surefoot_report::write(report, out).map_err(|e| Failure::output(&e))?;
        }
        (Format::Json, Some(report), Some(families)) => view(report, families, args.max_items)?,
        _ => page(&project, args, borrowed.as_ref()).print()?,
    }
    project.keep();
    if let (Some(ratchet), Some(report)) = (&ratchet, &report) {
        ratchet.judge(report, args.format)?;
    }
    match &report {
        Some(report) if args.fail_on_incomplete && !report.is_complete => Err(Failure::answered(
            "incomplete",
            "Code was left out: see skipped_files and partial_analysis.",
        )),
        _ => Ok(()),
    }
}

fn forms(project: &Project, report: &Report, files: &[PathBuf]) -> Outcome<()> {
    let name = project.root().real().file_name();
    let name = name.map_or_else(|| "this tree".into(), |n| n.to_string_lossy());
    let findings = Findings {
        snapshot: &project.snapshot,
        text: &|path| project.text(path),
    };
    for file in files {
        let languages = project.snapshot.languages();
        forms::write(file, report, &name, languages, Some(&findings))?;
    }
    Ok(())
}

/// Thresholds, and what they are held against.
struct Ratchet {
    rules: Vec<Rule>,
    before: Option<Report>,
}

impl Ratchet {
    /// Read before any work: a misspelled threshold must not pass for one that holds.
    fn of(args: &Analyze) -> Outcome<Option<Ratchet>> {
        let Some(list) = &args.fail_on else {
            return Ok(None);
        };
        let rules = Rule::parse_list(list)?;
        if args.against.is_none() && rules.iter().any(|rule| rule.needs_before()) {
            return Err(Failure::invalid_request(
                "What is new shows only against an earlier report: add --against.",
            ));
        }
        let kept = Kept {
            root: args.path.clone(),
            store: args.store.clone(),
        };
        let before = args.against.as_deref().map(|which| kept.report(which));
        Ok(Some(Ratchet {
            rules,
            before: before.transpose()?,
        }))
    }

    fn judge(&self, report: &Report, format: Format) -> Outcome<()> {
        let crossed = ratchet::crossed(&self.rules, report, self.before.as_ref());
        if crossed.is_empty() {
            return Ok(());
        }
        let message = format!("{} crossed.", count(crossed.len() as u64, "threshold"));
        if format == Format::Json {
            let rows = crossed
                .iter()
                .map(|c| serde_json::to_value(c).unwrap_or_default());
            let mut failure = Failure::answered("threshold_crossed", message);
            failure.crossed = rows.collect();
            return Err(failure);
        }
        let mut page = Page::new();
        page.blank();
        let title = page.warn(format_args!("Thresholds crossed: {}", crossed.len()));
        page.line(title);
        for c in &crossed {
            page.line(format_args!(
                "  {}  {}: {}",
                c.rule,
                clean(&c.at),
                clean(&c.what)
            ));
        }
        page.print()?;
        Err(Failure::answered("threshold_crossed", message))
    }
}

/// The parts of a view, refused before any work when they are misspelled.
fn families(args: &Analyze) -> Outcome<Option<Vec<Family>>> {
    let json = args.format == Format::Json;
    match &args.fields {
        Some(_) if !json => Err(Failure::invalid_request(
            "--fields cuts a view from the JSON report: add --format json.",
        )),
        Some(list) => Ok(Some(Family::parse_list(list)?)),
        None if json && args.max_items.is_some() => Err(Failure::invalid_request(
            "--max-items would cut a report that says it is whole: add --fields.",
        )),
        None => Ok(None),
    }
}

fn view(report: &Report, selected: &[Family], max_items: Option<usize>) -> Outcome<()> {
    let view = View {
        report,
        selected,
        max_items,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, &view)
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(|e| Failure::output(&e))
}

// ---- for people ----------------------------------------------------------------------

/// Rows of a list when nobody says how many.
const SHOWN: usize = 10;

fn page(project: &Project, args: &Analyze, borrowed: Option<&Borrowed>) -> Page {
    let shown = args.max_items.unwrap_or(SHOWN);
    let totals = project.snapshot.totals();
    let mut page = Page::new();
    heading(project, &mut page, totals);
    calls(&mut page, totals);
    gaps(&mut page, totals, shown);
    hotspots(project, &mut page, shown);
    unread_parameters(project, &mut page, shown);
    import_cycles(project, &mut page, shown);
    skipped(project, &mut page, shown);
    partial(project, &mut page, shown);
    if let Some(borrowed) = borrowed {
        borrow::show(&mut page, borrowed);
    }
    if let Some(path) = &args.report {
        page.blank();
        page.line(format_args!(
            "Report written to {}",
            clean(&path.display().to_string())
        ));
    }
    for file in &args.export {
        page.line(format_args!(
            "Written: {}",
            clean(&file.display().to_string())
        ));
    }
    page
}

fn heading(project: &Project, page: &mut Page, totals: &Totals) {
    let root = project.root().real().display().to_string();
    let line = page.bold(clean(&root));
    page.line(line);
    if let Some(beyond) = project.beyond() {
        let line = page.warn(format_args!(
            "{}: its calls are not among these.",
            clean(&beyond)
        ));
        page.line(line);
    }
    if totals.files == 0 {
        let line = page.warn(clean(&project.nothing_read()));
        page.line(line);
        return;
    }
    let languages = project.snapshot.languages();
    let mut by_language: Vec<_> = totals.by_language.iter().collect();
    by_language.sort_by_key(|(id, n)| (std::cmp::Reverse(**n), languages.name(**id)));
    let by_language: Vec<String> = by_language
        .iter()
        .map(|(id, n)| format!("{} {}", languages.name(**id), thousands(**n as u64)))
        .collect();
    page.line(format_args!(
        "{}, {}  {}",
        count(totals.files as u64, "file"),
        count(totals.lines, "line"),
        page.dim(by_language.join(", "))
    ));
    page.line(format_args!(
        "{}, {} of them callable",
        count(totals.symbols as u64, "symbol"),
        thousands(totals.callables as u64)
    ));
    let skipped = project.skipped().len() as u64;
    if skipped > 0 {
        let line = page.warn(format_args!(
            "Incomplete: {} not read, listed below; every number is of what was.",
            count(skipped, "file or folder").replace("file or folders", "files or folders")
        ));
        page.line(line);
    }
}

fn calls(page: &mut Page, totals: &Totals) {
    if totals.calls == 0 {
        return;
    }
    page.blank();
    page.heading(count(totals.calls as u64, "call"));
    let all = totals.calls as u64;
    for resolution in [
        Resolution::InTree,
        Resolution::Outside,
        Resolution::Parameter,
        Resolution::Local,
        Resolution::Unresolved,
        Resolution::Undetermined,
    ] {
        let n = totals.by_resolution.get(&resolution).copied().unwrap_or(0) as u64;
        page.line(format_args!(
            "  {:<13}{:>10}  {:>7}",
            resolution.word(),
            thousands(n),
            percent(n, all)
        ));
        if resolution != Resolution::InTree {
            continue;
        }
        for tier in [Tier::Certain, Tier::Likely] {
            let n = totals.by_tier.get(&tier).copied().unwrap_or(0) as u64;
            let pad = " ".repeat(11 - tier.word().len());
            let line = format!("    {}{pad}{:>8}", page.tier(tier.word()), thousands(n));
            page.line(line);
        }
    }
    let possible = totals.by_tier.get(&Tier::Possible).copied().unwrap_or(0) as u64;
    if possible > 0 {
        let line = format!(
            "  {}     {:>8}  {}",
            page.tier("possible"),
            thousands(possible),
            page.dim("targets beside, never counted")
        );
        page.line(line);
    }
}

fn gaps(page: &mut Page, totals: &Totals, shown: usize) {
    let mut causes: Vec<_> = totals.by_cause.iter().collect();
    causes.sort_by_key(|(cause, n)| (std::cmp::Reverse(**n), cause.word()));
    let rows = causes
        .iter()
        .map(|(cause, n)| format!("  {:<22}{:>10}", cause.word(), thousands(**n as u64)));
    list(page, "Not placed, by cause", rows.collect(), shown);
}

fn hotspots(project: &Project, page: &mut Page, shown: usize) {
    let snapshot = &project.snapshot;
    let hotspots = snapshot.metrics().hotspots(snapshot, REPORT_THRESHOLD);
    let rows = hotspots.iter().filter_map(|h| {
        let info = snapshot.symbol_info(h.symbol)?;
        Some(format!(
            "  {:>7}  {}  {}",
            score_text(h.score),
            clean(&info.qualified),
            page.dim(format_args!(
                "line {}, complexity {}, fan-out {}, depth {}",
                info.name_place.start.line + 1,
                h.metrics.cyclomatic,
                h.metrics.fan_out,
                h.metrics.depth
            ))
        ))
    });
    let rows: Vec<String> = rows.collect();
    list(
        page,
        "Hotspots: fan-out × 0.35 + complexity × 0.40 + depth × 0.25",
        rows,
        shown,
    );
}

fn unread_parameters(project: &Project, page: &mut Page, shown: usize) {
    let snapshot = &project.snapshot;
    let options = DiagnosticOptions {
        hotspots: None,
        import_cycles: false,
        unresolved_imports: false,
        ..DiagnosticOptions::default()
    };
    let mut rows = Vec::new();
    for file in snapshot.files() {
        let all = diagnostics::diagnostics(snapshot, file.id, &options, &|_, _| false);
        if all.is_empty() {
            continue;
        }
        // Only files with a finding are read again for the comments that silence it.
        let text = project.text(&file.path);
        let silenced = text.as_deref().map(Suppressions::scan).unwrap_or_default();
        let kept = all.iter().filter(|d| {
            matches!(
                d.code,
                Code::UnreadParameter | Code::UnreadParameterOverwritten
            ) && !silenced.covers(d.place.start.line, d.code)
        });
        rows.extend(kept.map(|d| {
            format!(
                "  {}  {}",
                page.dim(format_args!(
                    "{}:{}:{}",
                    clean(&file.path),
                    d.place.start.line + 1,
                    d.place.start.column + 1
                )),
                clean(&d.message)
            )
        }));
    }
    list(page, "Parameters nobody reads", rows, shown);
}

fn import_cycles(project: &Project, page: &mut Page, shown: usize) {
    let snapshot = &project.snapshot;
    let cycles = snapshot.metrics().imports(snapshot).cycles();
    let rows = cycles.iter().map(|cycle| {
        let files = cycle.iter().filter_map(|f| snapshot.file(*f));
        let files: Vec<String> = files.map(|f| clean(&f.path)).collect();
        format!("  {}", files.join(", "))
    });
    list(page, "Import cycles", rows.collect(), shown);
}

fn skipped(project: &Project, page: &mut Page, shown: usize) {
    let mut by_code: BTreeMap<&str, usize> = BTreeMap::new();
    for skipped in project.skipped() {
        *by_code.entry(skipped.code.as_str()).or_default() += 1;
    }
    let rows = project.skipped().iter().map(|s| {
        let code = page.warn(s.code.as_str());
        format!("  {}  {code}: {}", clean(&s.path), clean(&s.reason))
    });
    let rows: Vec<String> = rows.collect();
    let by_code: Vec<String> = by_code.iter().map(|(c, n)| format!("{n} {c}")).collect();
    let title = format!("Not read: {}", by_code.join(", "));
    list(page, &title, rows, shown);
}

fn partial(project: &Project, page: &mut Page, shown: usize) {
    let snapshot = &project.snapshot;
    let mut rows = Vec::new();
    for file in snapshot.files().filter(|f| f.facts.errors > 0) {
        rows.push(format!(
            "  {}  {} did not parse",
            clean(&file.path),
            count(file.facts.errors, "region")
        ));
    }
    for (path, manifest) in snapshot.manifests() {
        if let surefoot_facts::ManifestFacts::Unreadable(why) = &**manifest {
            rows.push(format!("  {}  {}", clean(path), clean(why)));
        }
    }
    rows.extend(
        project
            .unknown_settings()
            .iter()
            .map(|said| format!("  {}", clean(said))),
    );
    for (file, why) in snapshot.poisoned() {
        rows.push(format!(
            "  {}  its calls could not be resolved: {}",
            clean(&file.path),
            clean(why)
        ));
    }
    list(page, "Read and not understood whole", rows, shown);
}

fn list(page: &mut Page, title: &str, rows: Vec<String>, shown: usize) {
    if rows.is_empty() {
        return;
    }
    page.blank();
    page.heading(title);
    let all = rows.len();
    for row in rows.into_iter().take(shown) {
        page.line(row);
    }
    if all > shown {
        let more = page.dim(format_args!(
            "  and {} more",
            thousands((all - shown) as u64)
        ));
        page.line(more);
    }
}
