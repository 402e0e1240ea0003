//! Which functions a called parameter may hold: those that calls of its function hand over.

use super::Snapshot;
use rustc_hash::FxHashSet;
use surefoot_facts::{BindIdx, BindKind, Expr, ExprIdx, ItemFacts, List, Name, SymIdx};
use surefoot_graph::{
    Candidate, Candidates, FileId, Resolution, Rule, SiteId, SiteKind, Slot, SymbolId,
};

/// Calls looked at for one site; past them the list says that something was left out.
const MAX_CALLS: usize = 512;

/// A parameter handed on is followed through this many functions.
const MAX_HOPS: u8 = 8;

impl Snapshot {
    /// What may run where a parameter is called. Asked when somebody looks, since it rests on the edges of other files;
    /// empty for every other call.
    pub fn handed(&self, site: SiteId) -> Candidates {
        let mut flow = Flow {
            snapshot: self,
            seen: FxHashSet::default(),
            found: Vec::new(),
            calls: 0,
        };
        if let Some((item, binding)) = self.called_parameter(site) {
            flow.parameter(site.file, item, binding, 0);
        }
        let mut found = flow.found;
        self.sort(&mut found);
        found.dedup();
        let left_out = found.len().saturating_sub(Candidates::MAX) as u32;
        found.truncate(Candidates::MAX);
        let one = |symbol| Candidate {
            symbol,
            rule: Rule::ValueFlow,
        };
        Candidates {
            list: found.into_iter().map(one).collect(),
            left_out: left_out + u32::from(flow.calls > MAX_CALLS),
        }
    }

    /// What a decorator is called with: the declaration it stands directly above. Decorators above another one get
    /// what that one makes of it.
    fn decorated(&self, decorator: SiteId) -> Option<SymbolId> {
        let entry = self.file(decorator.file)?;
        let (site, facts) = self.site(decorator)?;
        // `@make()`: the result decorates.
        if site.call.is_known() {
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

    /// The binding a call's outcome says it calls, when that is a parameter.
    fn called_parameter(&self, site: SiteId) -> Option<(u32, BindIdx)> {
        let outcome = self.outcome(site)?;
        if outcome.resolution != Resolution::Parameter {
            return None;
        }
        let via = outcome.evidence.as_ref()?.via.first()?;
        match via.slot {
            Slot::Binding { item, index } => Some((item, BindIdx(index))),
            _ => None,
        }
    }
}

struct Flow<'s> {
    snapshot: &'s Snapshot,
    /// Parameters that were followed; a cycle ends at them.
    seen: FxHashSet<(SymbolId, u16)>,
    found: Vec<SymbolId>,
    calls: usize,
}

impl Flow<'_> {
    fn parameter(&mut self, file: FileId, item: u32, binding: BindIdx, hops: u8) {
        let Some(entry) = self.snapshot.file(file) else {
            return;
        };
        let Some(facts) = entry.item(item) else {
            return;
        };
        let bound = binding.get().and_then(|b| facts.bindings.get(b));
        let Some(bound) = bound.filter(|b| !b.reassigned) else {
            return;
        };
        let BindKind::Param { of, index } = bound.kind else {
            return;
        };
        let function = entry.symbol_id(item, of);
        if hops >= MAX_HOPS || !self.seen.insert((function, index)) {
            return;
        }
        // What it holds when a call leaves it out.
        self.value(file, item, facts, bound.value, hops);
        let calls = self.snapshot.callers(function);
        for group in calls.placed.iter().chain(&calls.possible) {
            for call in &group.sites {
                self.calls += 1;
                if self.calls > MAX_CALLS {
                    return;
                }
                match call.kind {
                    SiteKind::Call | SiteKind::New => {
                        self.argument(call.site, index, bound.name, hops)
                    }
                    SiteKind::Decorator if index == 0 => {
                        self.found.extend(self.snapshot.decorated(call.site));
                    }
                    _ => {}
                }
            }
        }
    }

    /// What a call hands over at a position.
    fn argument(&mut self, call: SiteId, index: u16, name: Name, hops: u8) {
        let snapshot = self.snapshot;
        let Some((site, facts)) = snapshot.site(call) else {
            return;
        };
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = facts.expr(site.call) else {
            return;
        };
        let at = snapshot.file(call.file).and_then(|f| f.site_at(call.index));
        if let (Some((item, _)), Some(value)) = (at, given(facts, args, index, name)) {
            self.value(call.file, item, facts, value, hops);
        }
    }

    /// The function an expression of this item names.
    fn value(&mut self, file: FileId, item: u32, facts: &ItemFacts, value: ExprIdx, hops: u8) {
        let Some(entry) = self.snapshot.file(file).filter(|_| value.is_known()) else {
            return;
        };
        match facts.expr(value) {
            Expr::Lambda(lambda) => self.found.push(entry.symbol_id(item, lambda)),
            Expr::Local(binding) if is_parameter(facts, binding) => {
                self.parameter(file, item, binding, hops + 1);
            }
            _ => {
                let named = facts
                    .sites
                    .iter()
                    .position(|s| s.kind == SiteKind::Value && s.callee == value);
                let first = entry.site_starts.get(item as usize);
                if let (Some(n), Some(first)) = (named, first) {
                    let index = first + n as u32;
                    let outcome = self.snapshot.outcome(SiteId { file, index });
                    self.found.extend(outcome.and_then(|o| o.symbol()));
                }
            }
        }
    }
}

fn is_parameter(facts: &ItemFacts, binding: BindIdx) -> bool {
    let bound = binding.get().and_then(|b| facts.bindings.get(b));
    bound.is_some_and(|b| matches!(b.kind, BindKind::Param { .. }))
}

/// What a call gives a parameter: by its name, else by its position; none where an argument before it may stand for
/// several.
fn given(facts: &ItemFacts, args: List, index: u16, name: Name) -> Option<ExprIdx> {
    let by_name = facts.expr_list(args).find_map(|e| match facts.expr(e) {
        Expr::Keyword { name: n, value } if n == name => Some(value),
        _ => None,
    });
    let positional =
        |e: &ExprIdx| !matches!(facts.expr(*e), Expr::Spread(_) | Expr::Keyword { .. });
    by_name.or_else(|| {
        let mut all = facts.expr_list(args).take_while(positional);
        all.nth(usize::from(index))
    })
}
