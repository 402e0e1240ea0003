//! One row for each call of the tree.

use super::entities::{Address, Entities};
use crate::model::{CallEdge, Candidate, Via};
use crate::text::Text;
use rustc_hash::FxHashMap;
use surefoot_engine::{FileEntry, Snapshot};
use surefoot_facts::{Expr, ExprIdx, ItemFacts, Name};
use surefoot_graph::{Candidates, Evidence, Resolution, Resolver, SiteId, SiteKind};

/// The callee of a call that names nothing: `(f || g)()`, `table[n]()`.
pub(crate) const COMPUTED: &str = "<computed>";

/// A path longer than this is no path a reader looks for.
const MAX_SEGMENTS: usize = 8;

pub(super) fn call_edges(snapshot: &Snapshot, entities: &Entities) -> Vec<CallEdge> {
    let mut out = Vec::new();
    let mut words = Words::default();
    for state in snapshot.states() {
        let from = out.len();
        let mut file = FileRows {
            snapshot,
            entities,
            entry: &state.entry,
            words: &mut words,
            opened: FxHashMap::default(),
        };
        for (item, facts) in state.entry.facts.items.iter().enumerate() {
            for index in 0..facts.sites.len() {
                out.extend(file.row(item, facts, index));
            }
        }
        out[from..].sort_by_key(|e| (e.line_number, e.column));
    }
    out
}

/// Words and names, each allocated once.
#[derive(Default)]
struct Words {
    fixed: FxHashMap<&'static str, Text>,
    names: FxHashMap<Name, Text>,
}

impl Words {
    fn fixed(&mut self, word: &'static str) -> Text {
        self.fixed
            .entry(word)
            .or_insert_with(|| Text::from(word))
            .clone()
    }

    fn name(&mut self, name: Name) -> Text {
        self.names
            .entry(name)
            .or_insert_with(|| Text::from(name.text()))
            .clone()
    }
}

struct FileRows<'a> {
    snapshot: &'a Snapshot,
    entities: &'a Entities,
    entry: &'a FileEntry,
    words: &'a mut Words,
    /// Steps already opened: many calls of a file rest on the same import.
    opened: FxHashMap<surefoot_graph::Via, Option<Via>>,
}

impl FileRows<'_> {
    fn row(&mut self, item: usize, facts: &ItemFacts, index: usize) -> Option<CallEdge> {
        let site = facts.sites.get(index)?;
        if !site.kind.is_call() {
            return None;
        }
        let id = SiteId {
            file: self.entry.id,
            index: self.entry.site_starts.get(item)? + index as u32,
        };
        let (start, spans) = self.entry.positions.items.get(item)?;
        let offset = start + spans.sites.get(index)?.start;
        let (line, column) = self.entry.positions.lines.line_col(offset);
        let outcome = self.snapshot.outcome(id)?;
        let caller = self
            .snapshot
            .caller_of(id)
            .and_then(|c| self.entities.address(c))?;

        let placed = match outcome.resolution {
            Resolution::InTree => outcome.symbol().and_then(|s| self.entities.address(s)),
            _ => None,
        };
        let placed_nothing = placed.is_none();
        let callee = placed.unwrap_or_else(|| Address {
            name: self.as_written(facts, site.callee, site.name, outcome.resolution),
            line: 0,
            column: 0,
        });
        let name = (!site.name.is_empty() && last_part(&callee.name) != site.name.text())
            .then(|| self.words.name(site.name));
        let evidence = outcome.evidence.as_ref();
        let may_run = outcome.may_run(self.snapshot.handed(id));
        // Nobody wrote a call there: what it leads to is all there is to say.
        if site.kind == SiteKind::Implicit && placed_nothing && may_run.is_empty() {
            return None;
        }
        Some(CallEdge {
            caller: caller.name,
            caller_line: caller.line,
            caller_column: caller.column,
            callee: callee.name,
            declaration_line: callee.line,
            declaration_column: callee.column,
            line_number: line + 1,
            column: column + 1,
            name,
            kind: (site.kind != SiteKind::Call).then(|| self.words.fixed(site.kind.word())),
            resolution: self.words.fixed(outcome.resolution.word()),
            tier: evidence
                .filter(|_| outcome.resolution == Resolution::InTree)
                .map(|e| self.words.fixed(e.tier.word())),
            rule: evidence.map(|e| self.words.fixed(e.rule.id())),
            via: evidence.map(|e| self.via(e)).unwrap_or_default(),
            cause: outcome.cause.map(|c| self.words.fixed(c.word())),
            candidates: self.candidates(&may_run),
            candidates_left_out: may_run.left_out,
            resolved_by: evidence
                .filter(|e| e.resolver != Resolver::Static)
                .map(|e| e.resolver.label().into()),
        })
    }

    fn candidates(&mut self, all: &Candidates) -> Vec<Candidate> {
        let list = all.list.iter();
        list.filter_map(|c| {
            let address = self.entities.address(c.symbol)?;
            Some(Candidate {
                callee: address.name,
                declaration_line: address.line,
                declaration_column: address.column,
                rule: self.words.fixed(c.rule.id()),
            })
        })
        .collect()
    }

    fn via(&mut self, evidence: &Evidence) -> Vec<Via> {
        let steps = evidence.via.iter();
        let mut open: Vec<Via> = steps.filter_map(|step| self.opened(step)).collect();
        // Two steps on one line are one place to look at.
        open.dedup();
        open
    }

    fn opened(&mut self, step: &surefoot_graph::Via) -> Option<Via> {
        if let Some(known) = self.opened.get(step) {
            return known.clone();
        }
        let open = self.snapshot.via(step).and_then(|at| {
            let file = self.snapshot.file(at.place.file)?;
            // A stub of the standard library is not a place a reader of the tree can look at.
            (!file.prelude).then(|| Via {
                role: self.words.fixed(at.role),
                file: (file.id != self.entry.id).then(|| file.path.clone().into()),
                line_number: at.place.start.line + 1,
            })
        });
        self.opened.insert(*step, open.clone());
        open
    }

    /// The callee as the source names it. Where an import is the evidence, the whole path says more
    /// than its last part; a receiver that is an expression is no part of a name.
    fn as_written(
        &mut self,
        facts: &ItemFacts,
        callee: ExprIdx,
        name: Name,
        resolution: Resolution,
    ) -> Text {
        if name.is_empty() {
            return self.words.fixed(COMPUTED);
        }
        let by_import = matches!(resolution, Resolution::Outside | Resolution::Unresolved);
        match by_import.then(|| path(facts, callee, 0)).flatten() {
            Some(path) if path != name.text() => path.into(),
            _ => self.words.name(name),
        }
    }
}

/// A path of names alone.
fn path(facts: &ItemFacts, at: ExprIdx, depth: usize) -> Option<String> {
    if depth > MAX_SEGMENTS {
        return None;
    }
    let joined = |base: ExprIdx, by: &str, name: Name| {
        let mut text = path(facts, base, depth + 1)?;
        text.push_str(by);
        text.push_str(name.text());
        Some(text)
    };
    match facts.expr(at) {
        Expr::Free { name, .. } => Some(name.text().to_owned()),
        Expr::TypeArgs { base, .. } => path(facts, base, depth + 1),
        Expr::Scoped { base, name } => joined(base, "::", name),
        Expr::Member { base, name } | Expr::Method { base, name } => joined(base, ".", name),
        Expr::PackageRoot => Some("crate".to_owned()),
        Expr::Package(name) => Some(format!("::{}", name.text())),
        _ => None,
    }
}

pub(crate) fn last_part(name: &str) -> &str {
    let after = name.rfind("::").map_or(0, |at| at + 2);
    let rest = &name[after..];
    // A dot joins the parts of what is written (`express.Router`), and is part of a file's name.
    if after == 0 {
        return rest.rsplit('.').next().unwrap_or(rest);
    }
    rest
}
