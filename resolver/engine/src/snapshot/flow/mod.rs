//! Which functions a value that is called may hold: what calls hand over, what functions give back, what tables and
//! attributes were given.
//!
//! It rests on the edges of the whole tree, so it is computed over a snapshot when somebody first looks, never while
//! text changes. Everything it finds is `possible`. A function that such a call may run is called from there, which
//! may show more: rounds repeat until nothing is new.

mod eval;
mod members;
mod names;
mod tables;

use super::Snapshot;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use surefoot_facts::{BindIdx, Expr, ExprIdx, Flags, Lit, SymIdx};
use surefoot_graph::{
    Candidate, Candidates, FileId, Resolution, Rule, SiteId, SiteKind, SymbolId, SymbolKind,
};
use tables::Filled;

/// How often the whole is looked through at most: calls found in the last round hand over nothing more.
const MAX_ROUNDS: usize = 4;

/// Expressions looked at in one round; past them lists say that something was left out.
const MAX_STEPS: u64 = 3_000_000;

/// Values that one expression is followed to.
const MAX_VALUES: usize = 64;

/// What calls of computed callees may run.
#[derive(Default)]
pub(super) struct Handed {
    sites: FxHashMap<SiteId, Box<[SymbolId]>>,
    spent: bool,
}

impl Snapshot {
    /// What may run where a value is called that no rule places, beside what its outcome lists; empty for every other
    /// call.
    pub fn handed(&self, site: SiteId) -> Candidates {
        let all = self.flow.get_or_init(|| solve(self));
        let found = all.sites.get(&site).map_or(&[][..], |f| f);
        let one = |symbol: &SymbolId| Candidate {
            symbol: *symbol,
            rule: Rule::ValueFlow,
        };
        let left_out = found.len().saturating_sub(Candidates::MAX);
        Candidates {
            list: found.iter().take(Candidates::MAX).map(one).collect(),
            left_out: left_out as u32 + u32::from(all.spent && !found.is_empty()),
        }
    }

    /// Every symbol that [`Snapshot::handed`] names.
    pub fn all_handed(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let all = self.flow.get_or_init(|| solve(self));
        all.sites.values().flat_map(|f| f.iter().copied())
    }

    /// What a decorator is called with: the declaration it stands directly above. Decorators above another one get
    /// what that one makes of it.
    fn decorated(&self, decorator: SiteId) -> Option<SymbolId> {
        let entry = self.file(decorator.file)?;
        let (site, facts) = self.site(decorator)?;
        // `@make()`: the result decorates.
        if let Expr::Call { args, .. } = facts.expr(site.call)
            && facts.expr_list(args).len() > 0
        {
            return None;
        }
        let (item, n) = entry.site_at(decorator.index)?;
        let (_, spans) = entry.positions.items.get(item as usize)?;
        let from = spans.sites.get(n as usize)?.end;
        let names = spans.symbols.iter().map(|s| s.name.start).zip(0..);
        let (start, symbol) = names.filter(|(start, _)| *start >= from).min()?;
        let between =
            facts.sites.iter().zip(&spans.sites).any(|(s, span)| {
                s.kind == SiteKind::Decorator && (from..start).contains(&span.start)
            });
        (!between).then(|| entry.symbol_id(item, SymIdx(symbol)))
    }
}

/// What an expression may hold, as far as it matters to calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum V {
    /// A function, and the call that made it where it is a closure.
    Fn(SymbolId, Option<EnvId>),
    /// What calling a generator gives.
    Generator(SymbolId, Option<EnvId>),
    Class(SymbolId),
    Object(SymbolId),
    /// The bases of a class, asked through one of its values.
    Above(SymbolId),
    Module(SymbolId),
    /// A list or dictionary that is written at a place, from its n-th part on.
    Table(Place, u32),
    Key(u8, u32),
}

/// An expression of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Place {
    file: FileId,
    item: u32,
    expr: ExprIdx,
}

/// A call whose arguments are known where its function's body is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct EnvId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Env {
    function: SymbolId,
    call: Place,
    /// What the call itself is read in.
    outer: Option<EnvId>,
    /// What the function was made in.
    closure: Option<EnvId>,
}

type Values = Rc<[V]>;

struct Solver<'s> {
    snapshot: &'s Snapshot,
    envs: Vec<(Env, u8)>,
    env_ids: FxHashMap<Env, EnvId>,
    known: FxHashMap<(Place, Option<EnvId>), Values>,
    params: FxHashMap<(SymbolId, u16), Values>,
    /// Calls found in the round before, by what they may run.
    calls: FxHashMap<SymbolId, Vec<SiteId>>,
    filled: FxHashMap<Place, Vec<Filled>>,
    steps: u64,
    /// Tables whose parts are being read.
    reading: FxHashSet<Place>,
    depth: u32,
    globs: u32,
    none: Values,
}

fn solve(snapshot: &Snapshot) -> Handed {
    let mut out = Handed::default();
    let mut calls: FxHashMap<SymbolId, Vec<SiteId>> = FxHashMap::default();
    let mut filled: FxHashMap<Place, Vec<Filled>> = FxHashMap::default();
    for _ in 0..MAX_ROUNDS {
        let mut solver = Solver {
            snapshot,
            envs: Vec::new(),
            env_ids: FxHashMap::default(),
            known: FxHashMap::default(),
            params: FxHashMap::default(),
            calls: std::mem::take(&mut calls),
            filled: std::mem::take(&mut filled),
            steps: 0,
            reading: FxHashSet::default(),
            depth: 0,
            globs: 0,
            none: Rc::from([]),
        };
        let now = solver.fill();
        let changed = now != solver.filled;
        if changed {
            solver.known.clear();
            solver.params.clear();
        }
        solver.filled = now;
        out = Handed::default();
        let mut found: FxHashMap<SymbolId, Vec<SiteId>> = FxHashMap::default();
        for state in snapshot.states() {
            for index in 0..state.entry.site_count() {
                let site = SiteId {
                    file: state.entry.id,
                    index,
                };
                let runs = solver.site(site);
                for f in &runs {
                    found.entry(*f).or_default().push(site);
                }
                if !runs.is_empty() {
                    out.sites.insert(site, runs.into());
                }
            }
        }
        out.spent = solver.steps > MAX_STEPS;
        let settled = found == solver.calls && !changed;
        filled = solver.filled;
        calls = found;
        if settled || out.spent {
            break;
        }
    }
    out
}

impl Solver<'_> {
    /// What a call of a computed callee may run.
    fn site(&mut self, id: SiteId) -> Vec<SymbolId> {
        let snapshot = self.snapshot;
        let Some((site, _)) = snapshot.site(id).filter(|(s, _)| s.kind.is_call()) else {
            return Vec::new();
        };
        let Some(head) = snapshot.head(id) else {
            return Vec::new();
        };
        // What decorators made of a function runs where its name is called.
        let decorated = head.resolution == Resolution::InTree
            && head.evidence.is_some_and(|e| e.0 == Rule::Decorated);
        let open = matches!(
            head.resolution,
            Resolution::Parameter | Resolution::Local | Resolution::Undetermined
        );
        if !open && !decorated {
            return Vec::new();
        }
        // What the engine lists itself is not found again.
        let mut listed: Vec<SymbolId> = Vec::new();
        if head.candidates > 0 || decorated {
            let outcome = snapshot.outcome(id);
            listed.extend(outcome.iter().filter_map(|o| o.symbol()));
            let candidates = outcome.and_then(|o| o.candidates);
            listed.extend(candidates.iter().flat_map(|c| &c.list).map(|c| c.symbol));
        }
        let values = match (listed.first(), snapshot.file(id.file)) {
            (Some(f), _) if decorated => self.symbol(*f, None).into(),
            (_, Some(entry)) => {
                let Some((item, _)) = entry.site_at(id.index) else {
                    return Vec::new();
                };
                let place = Place {
                    file: id.file,
                    item,
                    expr: site.callee,
                };
                self.value(place, None)
            }
            _ => return Vec::new(),
        };
        // `raise f` runs nothing.
        let constructs = site.kind == SiteKind::Implicit && !site.name.is_empty();
        let mut out: Vec<SymbolId> = Vec::new();
        for v in values.iter() {
            match *v {
                V::Fn(f, _) if !constructs || self.is_member(f) => out.push(f),
                V::Class(c) => out.push(self.constructor(c).unwrap_or(c)),
                V::Object(c) => out.extend(self.called_object(c)),
                _ => {}
            }
        }
        out.retain(|f| !listed.contains(f) && self.runs(*f));
        snapshot.sort(&mut out);
        out.dedup();
        out
    }

    fn is_member(&self, f: SymbolId) -> bool {
        let kind = self.snapshot.decl(f).map(|d| d.kind());
        matches!(kind, Some(SymbolKind::Method | SymbolKind::Constructor))
    }

    /// Whether a declaration is code of the tree.
    fn runs(&self, f: SymbolId) -> bool {
        let decl = self.snapshot.decl(f);
        decl.is_some_and(|d| !d.file.prelude && !d.flags().has(Flags::BODILESS))
    }
}

/// A literal's kind and identity as a value.
fn key(lit: Lit, id: u32) -> V {
    V::Key(lit as u8, id)
}

/// Values, each once, and no more than are followed.
fn few(mut all: Vec<V>) -> Vec<V> {
    let mut seen = FxHashSet::default();
    all.retain(|v| seen.insert(*v));
    all.truncate(MAX_VALUES);
    all
}

fn bound(facts: &surefoot_facts::ItemFacts, at: BindIdx) -> Option<&surefoot_facts::Binding> {
    at.get().and_then(|b| facts.bindings.get(b))
}
