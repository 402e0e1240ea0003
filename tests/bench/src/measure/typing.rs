//! A session that stays: what it holds at rest, what edits drawn from a seeded script cost, what requests cost.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use surefoot_engine::features::diagnostics::{self, DiagnosticOptions};
use surefoot_engine::features::hierarchy::{self, CallOptions};
use surefoot_engine::features::hover;
use surefoot_engine::features::lens::{self, LensOptions};
use surefoot_engine::{Applied, FileEntry, Snapshot};
use surefoot_graph::SymbolId;
use surefoot_session::{Cancel, Options, RelPath, RootSession, Session, Watch};

use super::unwatched;
use crate::Result;
use crate::stats::{Began, Cost, Dice, memory, percentile};

/// From here on a file counts as long.
const LONG: u32 = 1_000;

pub fn run(tree: &Path, threads: usize, count: usize, seed: u64) -> Result<Value> {
    let options = Options {
        threads,
        ..Options::default()
    };
    let mut session = Session::open(&[tree], options).map_err(|r| r.message)?;
    let cancel = Cancel::new();
    let watch = unwatched(&cancel);
    let began = Began::now();
    session.analyze(watch).map_err(|r| r.message)?;
    let cold = began.cost();
    let began = Began::now();
    let root = session.root_mut(0).ok_or("the folder is gone")?;
    root.prepare_for_edits();
    let prepared = began.cost();
    let snapshot = root.snapshot();
    let lines = snapshot.totals().lines;
    let (resident, held) = (memory("VmRSS"), root.workspace().memory());
    let requests = requests(&snapshot, count, seed);
    drop(snapshot);
    let edits = edits(root, watch, count, seed)?;
    Ok(json!({
        "lines": lines,
        "cold": shown(cold),
        "prepare": shown(prepared),
        "resident_bytes": resident,
        "bytes_per_line": resident as f64 / lines.max(1) as f64,
        "held_bytes": held.total(),
        "held": held.owners.iter().map(|(owner, bytes)| json!([owner, bytes])).collect::<Vec<_>>(),
        "requests": requests,
        "edits": edits,
    }))
}

fn shown(cost: Cost) -> Value {
    json!({ "cpu_ms": cost.cpu, "wall_ms": cost.wall })
}

fn tails(values: &[f64]) -> Value {
    json!({
        "n": values.len(),
        "p50": percentile(values, 50.0),
        "p95": percentile(values, 95.0),
        "p99": percentile(values, 99.0),
        "max": percentile(values, 100.0),
    })
}

// ---- requests ----------------------------------------------------------------------

/// Call hierarchy, lens and hover of functions drawn at random, and of those with the most callers.
fn requests(snapshot: &Snapshot, count: usize, seed: u64) -> Value {
    let mut dice = Dice::new(seed);
    let files: Vec<Arc<FileEntry>> = snapshot.files().cloned().collect();
    let mut asked: Vec<SymbolId> = Vec::new();
    let mut all: Vec<(u32, SymbolId)> = Vec::new();
    for file in &files {
        for id in snapshot.symbols_of(file.id) {
            let callers = snapshot.uses(id).map_or(0, |u| u.callers);
            if snapshot.decl(id).is_some_and(|d| d.kind().is_callable()) {
                all.push((callers, id));
            }
        }
    }
    if all.is_empty() {
        return Value::Null;
    }
    for _ in 0..count {
        asked.push(all[dice.below(all.len())].1);
    }
    all.sort_unstable_by_key(|(n, id)| (std::cmp::Reverse(*n), id.0));
    // Up to two hundred callers are shown at once.
    let popular = all.iter().filter(|(n, _)| *n <= 200).take(count / 4);
    asked.extend(popular.map(|(_, id)| *id));
    let time = |work: &dyn Fn(SymbolId)| {
        let took = asked.iter().map(|id| {
            let began = Began::now();
            work(*id);
            began.cost().cpu
        });
        tails(&took.collect::<Vec<f64>>())
    };
    json!({
        "callers": time(&|id| drop(hierarchy::callers(snapshot, id, &CallOptions::default()))),
        "callees": time(&|id| drop(hierarchy::callees(snapshot, id, &CallOptions::default()))),
        "lens": time(&|id| drop(lens::lens(snapshot, id, &LensOptions::default()))),
        "hover": time(&|id| {
            let info = snapshot.symbol_info(id);
            let at = info.map(|i| (i.name_place.file, i.name_place.span.start));
            drop(at.and_then(|(file, offset)| hover::hover(snapshot, file, offset, true)));
        }),
    })
}

// ---- edits -------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Body,
    Function,
    Rename,
    Broken,
    Import,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Body, "inside a body"),
    (Kind::Function, "a new function"),
    (Kind::Rename, "another name for a declaration"),
    (Kind::Broken, "a broken state"),
    (Kind::Import, "an import added"),
];

#[derive(Default)]
struct Taken {
    delta: Vec<f64>,
    lens: Vec<f64>,
    findings: Vec<f64>,
    /// To the lenses, of a full parse of the file.
    ratio: Vec<f64>,
    resolved: Vec<f64>,
}

impl Taken {
    fn shown(&self) -> Value {
        json!({
            "delta_ms": tails(&self.delta),
            "lens_ms": tails(&self.lens),
            "findings_ms": tails(&self.findings),
            "of_full_parse": tails(&self.ratio),
            "resolved": tails(&self.resolved),
        })
    }
}

/// Edits and their undoing, every one measured from the text to the delta, and on to the lenses.
fn edits(root: &mut RootSession, watch: Watch<'_>, count: usize, seed: u64) -> Result<Value> {
    let mut dice = Dice::new(seed);
    let snapshot = root.snapshot();
    let mut files: Vec<Arc<FileEntry>> = snapshot.files().cloned().collect();
    files.retain(|f| f.site_count() > 0);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if files.is_empty() {
        return Ok(Value::Null);
    }
    drop(snapshot);
    let long: Vec<usize> = (0..files.len())
        .filter(|i| files[*i].positions.lines.lines() >= LONG)
        .collect();
    let mut by_kind: Vec<(Taken, Taken)> = KINDS.iter().map(|_| Default::default()).collect();
    let (mut all_long, mut all_short) = (Taken::default(), Taken::default());
    // Several edits per file, as a person makes them.
    for _ in 0..count.div_ceil(KINDS.len()).max(1) {
        let at = match dice.below(2) {
            0 if !long.is_empty() => long[dice.below(long.len())],
            _ => dice.below(files.len()),
        };
        let file = files[at].clone();
        let rel = RelPath::new(&file.path).map_err(|e| format!("{e:?}"))?;
        let Ok(text) = root.read_text(&rel) else {
            continue;
        };
        let text = text.text.to_string();
        let full = parse_cost(&file.path, &text);
        let is_long = file.positions.lines.lines() >= LONG;
        root.overlay_text(&rel, &text, watch);
        for (n, (kind, _)) in KINDS.iter().enumerate() {
            let Some(edited) = edited(root, &file, &text, *kind, &mut dice) else {
                continue;
            };
            for text in [&edited, &text] {
                let began = Began::now();
                let Some(applied) = root.overlay_text(&rel, text, watch) else {
                    continue;
                };
                let delta = began.cost().cpu;
                relens(root, &file.path);
                let lens = began.cost().cpu;
                refind(root, &file.path);
                let findings = began.cost().cpu;
                let (of_kind, all) = match is_long {
                    true => (&mut by_kind[n].0, &mut all_long),
                    false => (&mut by_kind[n].1, &mut all_short),
                };
                for taken in [of_kind, all] {
                    note(taken, [delta, lens, findings], full, &applied);
                }
            }
        }
        root.close(&rel, watch).map_err(|r| r.message)?;
    }
    let kinds = KINDS.iter().zip(&by_kind).map(|((_, name), (long, short))| {
        json!({ "kind": name, "long": long.shown(), "short": short.shown() })
    });
    Ok(json!({
        "long": all_long.shown(),
        "short": all_short.shown(),
        "kinds": kinds.collect::<Vec<_>>(),
    }))
}

fn note(taken: &mut Taken, [delta, lens, findings]: [f64; 3], full: f64, applied: &Applied) {
    taken.delta.push(delta);
    taken.lens.push(lens);
    taken.findings.push(findings);
    taken.ratio.push(lens / full.max(0.001));
    taken.resolved.push(applied.work.resolved as f64);
}

/// The lenses of the file.
fn relens(root: &RootSession, path: &str) {
    let snapshot = root.snapshot();
    if let Some(file) = snapshot.file_at(path) {
        drop(lens::lenses(&snapshot, file, &LensOptions::default()));
    }
}

/// Its findings.
fn refind(root: &RootSession, path: &str) {
    let snapshot = root.snapshot();
    if let Some(file) = snapshot.file_at(path) {
        let options = DiagnosticOptions {
            at_hand: true,
            ..DiagnosticOptions::default()
        };
        drop(diagnostics::diagnostics(
            &snapshot,
            file,
            &options,
            &|_, _| false,
        ));
    }
}

/// One full parse, the least of three.
fn parse_cost(path: &str, text: &str) -> f64 {
    let runs = (0..3).map(|_| {
        let began = Began::now();
        surefoot_langs::parse_only(path, text);
        began.cost().cpu
    });
    runs.fold(f64::MAX, f64::min)
}

/// The text after an edit of a kind, at a place drawn from the file as it stands in the graph.
fn edited(
    root: &RootSession,
    file: &FileEntry,
    text: &str,
    kind: Kind,
    dice: &mut Dice,
) -> Option<String> {
    let snapshot = root.snapshot();
    let now = snapshot.file(snapshot.file_at(&file.path)?)?;
    let is = |ext: &str| file.path.ends_with(ext);
    let insert = |at: usize, what: &str| {
        let (head, tail) = (text.get(..at)?, text.get(at..)?);
        Some([head, what, tail].concat())
    };
    let item = now
        .positions
        .items
        .get(dice.below(now.positions.items.len()))?;
    match kind {
        Kind::Body | Kind::Broken => {
            let sites = &item.1.sites;
            let site = sites.get(dice.below(sites.len()))?.shift(item.0);
            // After the callee's name: another name, or a parenthesis that nothing closes.
            insert(
                site.end as usize,
                if kind == Kind::Body { "q" } else { "(" },
            )
        }
        Kind::Rename => {
            let symbols = &item.1.symbols;
            let name = symbols.get(dice.below(symbols.len()))?.name.shift(item.0);
            insert(name.end as usize, "Q")
        }
        Kind::Function => {
            let what = if is(".rs") {
                "fn added_here() { added_here(); }\n"
            } else if is(".py") {
                "def added_here():\n    added_here()\n"
            } else {
                "function addedHere() { addedHere(); }\n"
            };
            // Before an item that begins a line.
            let at = item.0 as usize;
            (at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n')).then(|| insert(at, what))?
        }
        Kind::Import => {
            let what = if is(".rs") {
                "use std::fmt::Debug as Added;\n"
            } else if is(".py") {
                "import added.thing\n"
            } else {
                "import { added } from \"./added\";\n"
            };
            insert(item.0 as usize, what)
        }
    }
}
