//! Who calls this and what does it call: rows for panels, trees and lists.

use super::lens::plural;
use crate::snapshot::{CallSite, Calls, Floor, Group, Place, Snapshot, SymbolInfo};
use rustc_hash::FxHashSet;
use surefoot_graph::{FileId, Rule, SiteId, SymbolId, Tier};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Callers,
    Callees,
}

/// What a list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallOptions {
    /// Rows of this tier and above.
    pub certain: bool,
    pub likely: bool,
    pub possible: bool,
    /// Leave tests out of the callers.
    pub exclude_tests: bool,
    /// The row of unplaced calls, where the list may be short.
    pub unplaced: bool,
}

impl Default for CallOptions {
    fn default() -> CallOptions {
        CallOptions {
            certain: true,
            likely: true,
            possible: true,
            exclude_tests: false,
            unplaced: true,
        }
    }
}

impl CallOptions {
    fn wants(&self, tier: Tier) -> bool {
        match tier {
            Tier::Certain => self.certain,
            Tier::Likely => self.likely,
            Tier::Possible => self.possible,
        }
    }
}

/// One row: a symbol at the other end, or the unplaced calls.
#[derive(Clone, PartialEq, Debug)]
pub struct CallRow {
    /// `None`: the row of unplaced calls of the name.
    pub symbol: Option<SymbolInfo>,
    /// The best tier of the row's sites, and the rule of that site.
    pub tier: Option<Tier>,
    pub rule: Option<Rule>,
    /// Who placed it: `static`, or a server and its version.
    pub resolver: Option<String>,
    /// The calls, in source order.
    pub sites: Vec<RowSite>,
    /// One line beside the name: where it stands, how it is known, `×N`.
    pub detail: String,
    /// What a reader must know before trusting the row; on possible and
    /// unplaced rows.
    pub note: Option<String>,
    /// No site of the row is a call: each names the function as a value, and whoever gets it may run it.
    pub named: bool,
    pub test: bool,
}

/// What a row says whose sites only name the function.
pub const NAMED: &str = "named as a value, not called there";

/// Beside a count of callers: ` (+2 possible, +1 as a value)`.
pub fn apart(possible: u64, named: u64) -> String {
    let mut parts = Vec::new();
    if possible > 0 {
        parts.push(format!("+{possible} possible"));
    }
    if named > 0 {
        parts.push(format!("+{named} as a value"));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    }
}

/// A call of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowSite {
    pub site: SiteId,
    pub place: Place,
    /// Not a call: it names the function as a value.
    pub named: bool,
    /// `None` on the row of unplaced calls.
    pub evidence: Option<(Tier, Rule)>,
}

/// A list of callers or callees.
#[derive(Clone, PartialEq, Debug)]
pub struct CallList {
    pub root: SymbolInfo,
    pub direction: Direction,
    /// Certain and likely first, then possible, then the unplaced calls; each
    /// part by file and position.
    pub rows: Vec<CallRow>,
    pub floor: Floor,
    /// Why the list may be short, in one sentence.
    pub floor_text: Option<String>,
}

impl CallList {
    /// Rows that count as callers or callees.
    pub fn placed(&self) -> impl Iterator<Item = &CallRow> + '_ {
        self.rows.iter().filter(|r| r.tier > Some(Tier::Possible))
    }
}

/// The symbols a panel can open at a position, the best first: the one declared
/// there, else the target of the call there, else its possible targets, else
/// the declaration around.
pub fn prepare(snapshot: &Snapshot, file: FileId, offset: u32) -> Vec<SymbolInfo> {
    let Some(at) = snapshot.at(file, offset) else {
        return Vec::new();
    };
    let mut ids: Vec<SymbolId> = Vec::new();
    ids.extend(at.declares);
    if let Some(outcome) = at.site.and_then(|s| snapshot.outcome(s)) {
        ids.extend(outcome.symbol());
        let candidates = outcome.candidates.iter().flat_map(|c| &c.list);
        ids.extend(candidates.map(|c| c.symbol));
    }
    if ids.is_empty() {
        ids.push(at.around);
    }
    let mut seen = FxHashSet::default();
    ids.retain(|id| seen.insert(*id));
    let all = ids.into_iter().filter_map(|id| snapshot.symbol_info(id));
    all.filter(|s| !s.prelude).collect()
}

/// The callers of a symbol.
pub fn callers(snapshot: &Snapshot, id: SymbolId, options: &CallOptions) -> Option<CallList> {
    let root = snapshot.symbol_info(id)?;
    let floor = snapshot.floor(id);
    let mut rows = rows(snapshot, snapshot.callers(id), options);
    if options.unplaced {
        rows.extend(unplaced_callers(snapshot, &root, floor));
    }
    Some(CallList {
        floor_text: floor_text(&root, &floor),
        root,
        direction: Direction::Callers,
        rows,
        floor,
    })
}

/// What a symbol calls.
pub fn callees(snapshot: &Snapshot, id: SymbolId, options: &CallOptions) -> Option<CallList> {
    let root = snapshot.symbol_info(id)?;
    let mut rows = rows(snapshot, snapshot.callees(id), options);
    let gaps = snapshot.gaps_in(id);
    let floor = Floor {
        unplaced: gaps.len() as u32,
        ..Floor::default()
    };
    if options.unplaced {
        rows.extend(unplaced_callees(snapshot, &root, &gaps));
    }
    let floor_text = floor.is_floor().then(|| {
        let n = plural(floor.unplaced, "call");
        let verb = if floor.unplaced == 1 { "is" } else { "are" };
        format!(
            "This list may be short: {n} in `{}` {verb} not placed.",
            root.name
        )
    });
    Some(CallList {
        root,
        direction: Direction::Callees,
        rows,
        floor,
        floor_text,
    })
}

/// Why a caller list may be short, in one sentence.
pub fn floor_text(root: &SymbolInfo, floor: &Floor) -> Option<String> {
    floor.is_floor().then(|| {
        format!(
            "This list may be short: {}.",
            floor.reasons(&root.name).join("; ")
        )
    })
}

fn rows(snapshot: &Snapshot, calls: Calls, options: &CallOptions) -> Vec<CallRow> {
    calls
        .placed
        .into_iter()
        .chain(calls.possible)
        .filter(|g| !(g.test && options.exclude_tests))
        .filter_map(|g| row(snapshot, g, options))
        .collect()
}

fn row(snapshot: &Snapshot, mut group: Group, options: &CallOptions) -> Option<CallRow> {
    group.sites.retain(|s| options.wants(s.tier));
    let best = group.sites.iter().min_by_key(|s| s.worth())?;
    let (tier, rule, first) = (best.tier, best.rule, best.site);
    let named = !best.kind.is_call();
    let symbol = snapshot.symbol_info(group.symbol)?;
    let resolver = resolver(snapshot, first, rule);
    let how = match &resolver {
        Some(r) if r != "static" => format!("{}: {}, {r}", tier.word(), rule.id()),
        _ => format!("{}: {}", tier.word(), rule.id()),
    };
    let detail = detail(&symbol, &how, group.sites.len());
    Some(CallRow {
        tier: Some(tier),
        rule: Some(rule),
        resolver,
        sites: sites(snapshot, &group.sites),
        detail,
        note: match (named, tier) {
            (true, _) => Some(NAMED.to_owned()),
            (false, Tier::Possible) => Some(rule.says().to_owned()),
            _ => None,
        },
        named,
        test: group.test,
        symbol: Some(symbol),
    })
}

/// `Type · src/a.rs · certain: import ×3`.
fn detail(symbol: &SymbolInfo, how: &str, sites: usize) -> String {
    let mut parts = Vec::new();
    if !symbol.container.is_empty() {
        parts.push(symbol.container.clone());
    }
    parts.push(symbol.path.to_string());
    parts.push(if sites > 1 {
        format!("{how} ×{sites}")
    } else {
        how.to_owned()
    });
    parts.join(" · ")
}

fn resolver(snapshot: &Snapshot, site: SiteId, rule: Rule) -> Option<String> {
    let outcome = match rule {
        Rule::AskedMayRun => snapshot.said(site)?.clone(),
        _ => snapshot.outcome(site)?,
    };
    let evidence = outcome.evidence.as_ref();
    Some(evidence.map_or_else(|| "static".to_owned(), |e| e.resolver.label()))
}

fn sites(snapshot: &Snapshot, list: &[CallSite]) -> Vec<RowSite> {
    let mut out: Vec<RowSite> = list
        .iter()
        .filter_map(|s| {
            Some(RowSite {
                site: s.site,
                place: snapshot.site_place(s.site)?,
                named: !s.kind.is_call(),
                evidence: Some((s.tier, s.rule)),
            })
        })
        .collect();
    out.sort_by_key(|s| s.place.span.start);
    out.dedup_by_key(|s| s.site);
    out
}

fn open_sites(snapshot: &Snapshot, list: &[SiteId]) -> Vec<RowSite> {
    let all = list.iter().filter_map(|&site| {
        Some(RowSite {
            site,
            place: snapshot.site_place(site)?,
            named: false,
            evidence: None,
        })
    });
    all.collect()
}

/// One row for all unplaced calls of the name.
fn unplaced_callers(snapshot: &Snapshot, root: &SymbolInfo, floor: Floor) -> Option<CallRow> {
    if !floor.is_floor() {
        return None;
    }
    let sites = open_sites(snapshot, &snapshot.unplaced_of(root.id));
    if sites.is_empty() {
        return None;
    }
    let n = sites.len();
    let files: FxHashSet<FileId> = sites.iter().map(|s| s.place.file).collect();
    Some(CallRow {
        symbol: None,
        tier: None,
        rule: None,
        resolver: None,
        sites,
        detail: format!(
            "{} of `{}` in {}, not placed",
            plural(n as u32, "call"),
            root.name,
            plural(files.len() as u32, "file")
        ),
        note: floor_text(root, &floor),
        named: false,
        test: false,
    })
}

fn unplaced_callees(snapshot: &Snapshot, root: &SymbolInfo, gaps: &[SiteId]) -> Option<CallRow> {
    let sites = open_sites(snapshot, gaps);
    if sites.is_empty() {
        return None;
    }
    let mut names: Vec<&str> = gaps
        .iter()
        .filter_map(|g| snapshot.site(*g))
        .map(|(s, _)| {
            if s.name.is_empty() {
                "a computed callee"
            } else {
                s.name.text()
            }
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    let shown = names.len().min(8);
    let more = names.len() - shown;
    let mut list = names[..shown].join(", ");
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    Some(CallRow {
        symbol: None,
        tier: None,
        rule: None,
        resolver: None,
        detail: format!("{} not placed: {list}", plural(sites.len() as u32, "call")),
        sites,
        note: Some(format!("What `{}` calls there is not known.", root.name)),
        named: false,
        test: false,
    })
}

/// A row with the rows below it.
#[derive(Clone, PartialEq, Debug)]
pub struct CallNode {
    pub row: CallRow,
    /// Already on the path above: not opened again.
    pub recursion: bool,
    /// `None`: deeper than asked, or cut; `Some` of none: there are none.
    pub children: Option<Vec<CallNode>>,
}

/// A tree of callers or callees.
#[derive(Clone, PartialEq, Debug)]
pub struct CallTree {
    pub root: SymbolInfo,
    pub direction: Direction,
    pub floor: Floor,
    pub floor_text: Option<String>,
    pub nodes: Vec<CallNode>,
    /// Rows left out because the tree reached [`MAX_NODES`].
    pub truncated: usize,
}

/// The deepest tree that is opened.
pub const MAX_DEPTH: u32 = 16;
/// The most rows of one tree.
pub const MAX_NODES: usize = 5_000;

/// A tree of `depth` levels, 1 being the list alone.
pub fn tree(
    snapshot: &Snapshot,
    id: SymbolId,
    direction: Direction,
    depth: u32,
    options: &CallOptions,
) -> Option<CallTree> {
    let list = list(snapshot, id, direction, options)?;
    let mut grow = Grow {
        snapshot,
        direction,
        options,
        left: MAX_NODES,
        truncated: 0,
    };
    let mut path = vec![id];
    let nodes = grow.nodes(list.rows, depth.clamp(1, MAX_DEPTH), &mut path);
    Some(CallTree {
        root: list.root,
        direction,
        floor: list.floor,
        floor_text: list.floor_text,
        nodes,
        truncated: grow.truncated,
    })
}

fn list(
    snapshot: &Snapshot,
    id: SymbolId,
    direction: Direction,
    options: &CallOptions,
) -> Option<CallList> {
    match direction {
        Direction::Callers => callers(snapshot, id, options),
        Direction::Callees => callees(snapshot, id, options),
    }
}

struct Grow<'a> {
    snapshot: &'a Snapshot,
    direction: Direction,
    options: &'a CallOptions,
    left: usize,
    truncated: usize,
}

impl Grow<'_> {
    /// Depth is at most [`MAX_DEPTH`], so the recursion is.
    fn nodes(&mut self, rows: Vec<CallRow>, depth: u32, path: &mut Vec<SymbolId>) -> Vec<CallNode> {
        let kept = rows.len().min(self.left);
        self.truncated += rows.len() - kept;
        self.left -= kept;
        let rows = rows.into_iter().take(kept);
        rows.map(|row| self.node(row, depth, path)).collect()
    }

    fn node(&mut self, row: CallRow, depth: u32, path: &mut Vec<SymbolId>) -> CallNode {
        let id = row.symbol.as_ref().map(|s| s.id);
        let recursion = id.is_some_and(|id| path.contains(&id));
        let children = match id {
            None => Some(Vec::new()),
            Some(_) if recursion || depth <= 1 || self.left == 0 => None,
            Some(id) => list(self.snapshot, id, self.direction, self.options).map(|list| {
                path.push(id);
                let nodes = self.nodes(list.rows, depth - 1, path);
                path.pop();
                nodes
            }),
        };
        CallNode {
            row,
            recursion,
            children,
        }
    }
}
