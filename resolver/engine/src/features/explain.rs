//! What became of one call, and everything that says so.

use crate::snapshot::{Place, Snapshot, SymbolInfo, ViaPlace};
use surefoot_graph::{
    Cause, FileId, Outcome, Resolution, Resolver, Rule, SiteId, SiteKind, SymbolId, Tier,
};

/// Everything known about one site, opened.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    pub site: SiteId,
    pub kind: SiteKind,
    /// The name as written; empty for a computed callee.
    pub name: String,
    pub place: Place,
    pub caller: Option<SymbolInfo>,
    /// One line: what became of it.
    pub title: String,
    pub resolution: Resolution,
    pub cause: Option<Cause>,
    pub target: Option<SymbolInfo>,
    pub evidence: Option<EvidenceView>,
    pub candidates: Vec<CandidateView>,
    /// Possible targets that are not listed.
    pub left_out: u32,
    pub refused: Vec<RefusedView>,
    /// What another resolver says against it.
    pub contradiction: Option<Contradiction>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct EvidenceView {
    pub tier: Tier,
    pub rule: Rule,
    pub resolver: String,
    /// The steps, from the call outwards.
    pub via: Vec<ViaPlace>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CandidateView {
    pub symbol: SymbolInfo,
    pub rule: Rule,
    /// Why it may run.
    pub note: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RefusedView {
    pub symbol: SymbolInfo,
    pub cause: Cause,
    pub why: &'static str,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    pub resolver: String,
    pub target: Option<SymbolInfo>,
}

/// Explains the site at a position; `None` when no call and no name is there.
pub fn explain(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<Explanation> {
    explain_site(snapshot, snapshot.at(file, offset)?.site?)
}

pub fn explain_site(snapshot: &Snapshot, site: SiteId) -> Option<Explanation> {
    let (facts, _) = snapshot.site(site)?;
    let outcome = snapshot.outcome(site)?;
    let info = |id: SymbolId| snapshot.symbol_info(id);
    let target = outcome.symbol().and_then(info);
    let evidence = outcome.evidence.as_ref().map(|e| EvidenceView {
        tier: e.tier,
        rule: e.rule,
        resolver: e.resolver.label(),
        via: e.via.iter().filter_map(|v| snapshot.via(v)).collect(),
    });
    let listed = outcome.candidates.as_deref();
    let candidates = listed.into_iter().flat_map(|c| &c.list).filter_map(|c| {
        Some(CandidateView {
            symbol: info(c.symbol)?,
            rule: c.rule,
            note: note(snapshot, site, c.rule),
        })
    });
    let refused = outcome.refused.iter().flat_map(|r| r.iter());
    let refused = refused.filter_map(|&(id, cause)| {
        Some(RefusedView {
            symbol: info(id)?,
            cause,
            why: says(cause),
        })
    });
    let contradiction = snapshot.contradiction(site).map(|o| Contradiction {
        resolver: o
            .evidence
            .as_ref()
            .map_or(Resolver::Static, |e| e.resolver.clone())
            .label(),
        target: o.symbol().and_then(info),
    });
    Some(Explanation {
        site,
        kind: facts.kind,
        name: facts.name.text().to_owned(),
        place: snapshot.site_place(site)?,
        caller: snapshot.caller_of(site).and_then(info),
        title: title(facts.kind, facts.name.text(), &outcome, target.as_ref()),
        resolution: outcome.resolution,
        cause: outcome.cause,
        evidence,
        candidates: candidates.collect(),
        left_out: listed.map_or(0, |c| c.left_out),
        refused: refused.collect(),
        target,
        contradiction,
    })
}

fn note(snapshot: &Snapshot, site: SiteId, rule: Rule) -> String {
    let said = snapshot
        .said(site)
        .filter(|_| rule == Rule::AskedMayRun)
        .and_then(|o| o.evidence.as_ref());
    match said {
        Some(evidence) => format!("{} names it among what may run.", evidence.resolver.label()),
        None => rule.says().to_owned(),
    }
}

/// What became of a site, in one line.
pub(crate) fn title(
    kind: SiteKind,
    name: &str,
    outcome: &Outcome,
    target: Option<&SymbolInfo>,
) -> String {
    let what = if name.is_empty() {
        "a computed callee".to_owned()
    } else {
        format!("`{name}`")
    };
    let does = if kind.is_call() {
        "This call of"
    } else {
        "This use of"
    };
    let more = outcome.candidates.as_ref().map_or(0, |c| c.list.len());
    let mut out = match outcome.resolution {
        Resolution::InTree => {
            let target = target.map_or("?", |t| &t.qualified);
            let how = outcome.evidence.as_ref();
            let how = how.map(|e| format!(" [{}: {}]", e.tier.word(), e.rule.id()));
            let verb = verb(kind);
            format!("{verb} {target}{}", how.unwrap_or_default())
        }
        Resolution::Outside => {
            let how = outcome.evidence.as_ref();
            let how = how.map(|e| format!(" [{}]", e.rule.id()));
            format!(
                "{does} {what} leads outside this tree{}",
                how.unwrap_or_default()
            )
        }
        Resolution::Parameter => format!("{does} {what} runs what a parameter holds"),
        Resolution::Local => format!("{does} {what} runs what a local holds"),
        Resolution::Unresolved => format!("{does} {what} names this tree, and nothing answers"),
        Resolution::Undetermined => format!("{does} {what} is not placed"),
    };
    if let Some(cause) = outcome.cause {
        out.push_str(&format!(" [{}]", cause.word()));
    }
    if more > 0 {
        out.push_str(&format!(" (+{more} possible)"));
    }
    out
}

fn verb(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Value => "names as a value",
        SiteKind::Type => "names the type",
        SiteKind::Import => "imports",
        SiteKind::Macro => "expands",
        SiteKind::New => "constructs",
        SiteKind::Element => "renders",
        SiteKind::Decorator => "decorates with",
        SiteKind::Call | SiteKind::Tagged => "calls",
        SiteKind::Implicit => "runs",
    }
}

/// A cause in one sentence for a person.
pub fn says(cause: Cause) -> &'static str {
    match cause {
        Cause::NoReceiverType => "No rule knows the type of the receiver.",
        Cause::UntypedReceiver => "The receiver's type declares no such member.",
        Cause::Dynamic => "The callee is computed when the program runs.",
        Cause::Ambiguous => "Several definitions could be meant, and nothing picks one.",
        Cause::NotExported => "The module or package does not expose it.",
        Cause::Miss => "The evidence names a place where no such symbol exists.",
        Cause::DynamicBase => "A base on the way is an expression no rule reads.",
        Cause::ExportChainTooDeep => "The chain of re-exports is longer than is followed.",
        Cause::FanOutCapped => "It may run more definitions than are listed.",
        Cause::UnsupportedRule => "The evidence leads somewhere no rule follows.",
        Cause::MetadataUnreadable => "A manifest on the way could not be read.",
        Cause::ParseError => "The text around it did not parse.",
        Cause::Cycle => "The value depends on itself.",
        Cause::Budget => "The search ended at a counted bound.",
    }
}

/// The sites of a line, for a person who gave no column.
pub fn sites_on_line(snapshot: &Snapshot, file: FileId, line: u32) -> Vec<SiteId> {
    let Some(entry) = snapshot.file(file) else {
        return Vec::new();
    };
    let all = (0..entry.site_count()).map(|index| SiteId { file, index });
    let mut out: Vec<(u32, SiteId)> = all
        .filter_map(|site| {
            let place = snapshot.site_place(site)?;
            (place.start.line == line).then_some((place.start.column, site))
        })
        .collect();
    out.sort_unstable();
    out.into_iter().map(|(_, site)| site).collect()
}
