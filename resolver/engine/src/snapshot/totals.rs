//! Everything counted over the whole tree.

use super::Snapshot;
use std::collections::BTreeMap;
use surefoot_facts::LanguageId;
use surefoot_graph::{Cause, Resolution, Rule, SiteKind, Tier};

/// Counts of one snapshot. Calls are sites of the calling kinds; macros,
/// values, types and imports are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub files: usize,
    pub bytes: u64,
    pub lines: u64,
    pub symbols: usize,
    pub callables: usize,
    /// All sites of any kind, and those that call.
    pub sites: usize,
    pub calls: usize,
    pub by_language: BTreeMap<LanguageId, usize>,
    pub by_resolution: BTreeMap<Resolution, usize>,
    /// Placed calls by tier; possible candidates counted apart.
    pub by_tier: BTreeMap<Tier, usize>,
    pub by_rule: BTreeMap<Rule, usize>,
    /// Undetermined and unresolved calls by cause.
    pub by_cause: BTreeMap<Cause, usize>,
    /// Files with text that did not parse.
    pub files_with_errors: usize,
}

impl Totals {
    pub(super) fn count(snapshot: &Snapshot) -> Totals {
        let mut t = Totals::default();
        for state in snapshot.states() {
            let entry = &state.entry;
            t.files += 1;
            t.bytes += u64::from(entry.bytes);
            t.lines += u64::from(entry.positions.lines.lines());
            t.files_with_errors += usize::from(entry.facts.errors > 0);
            *t.by_language.entry(entry.language).or_default() += 1;
            t.symbols += 1;
            let mut index = 0;
            for item in &entry.facts.items {
                t.symbols += item.symbols.iter().filter(|s| s.kind.is_shown()).count();
                t.callables += item.symbols.iter().filter(|s| s.kind.is_callable()).count();
                for site in &item.sites {
                    let at = crate::links::site_id(entry.id, index);
                    index += 1;
                    t.sites += 1;
                    if !site.kind.is_call() {
                        continue;
                    }
                    let head = snapshot.head(at);
                    if site.kind == SiteKind::Implicit
                        && head.is_none_or(|o| o.resolution != Resolution::InTree)
                    {
                        continue;
                    }
                    t.calls += 1;
                    let Some(o) = head else {
                        continue;
                    };
                    *t.by_resolution.entry(o.resolution).or_default() += 1;
                    if o.resolution == Resolution::InTree
                        && let Some((rule, tier)) = o.evidence
                    {
                        *t.by_tier.entry(tier).or_default() += 1;
                        *t.by_rule.entry(rule).or_default() += 1;
                    }
                    if o.candidates > 0 {
                        *t.by_tier.entry(Tier::Possible).or_default() += o.candidates as usize;
                    }
                    if let Some(cause) = o.cause {
                        *t.by_cause.entry(cause).or_default() += 1;
                    }
                }
            }
        }
        t
    }
}
