//! What an answer does to a call: it may place it, confirm it or contradict it, and never takes an edge away.

use surefoot_bridge::{Said, Server};
use surefoot_engine::Snapshot;
use surefoot_graph::{Evidence, Outcome, Resolution, Resolver, Rule, SiteId, SymbolId, Target};

use super::find::Found;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It names what this engine had found.
    Confirmed,
    /// It places a call that had no place.
    Placed,
    /// It leads a call that had no place out of the tree.
    Outside,
    /// It names something else than this engine had found. Both are kept.
    Refuted,
    /// The server looked and named nothing that runs, or several things.
    NoAnswer,
    /// Nobody looked.
    Unavailable,
    /// The text was changed meanwhile.
    Stale,
}

impl Verdict {
    pub const ALL: [Verdict; 7] = [
        Verdict::Confirmed,
        Verdict::Placed,
        Verdict::Outside,
        Verdict::Refuted,
        Verdict::NoAnswer,
        Verdict::Unavailable,
        Verdict::Stale,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Placed => "placed",
            Verdict::Outside => "outside",
            Verdict::Refuted => "refuted",
            Verdict::NoAnswer => "no-answer",
            Verdict::Unavailable => "unavailable",
            Verdict::Stale => "stale",
        }
    }
}

/// A verdict, and what the graph is to keep of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    pub verdict: Verdict,
    pub outcome: Option<Outcome>,
}

impl Weighed {
    fn nothing(verdict: Verdict) -> Weighed {
        Weighed {
            verdict,
            outcome: None,
        }
    }
}

fn resolver(server: &Server) -> Resolver {
    Resolver::Server {
        name: server.name.clone(),
        version: server.version.clone(),
    }
}

/// Weighs what a server said of a call against what this engine found by itself.
pub fn weigh(
    snapshot: &Snapshot,
    site: SiteId,
    said: &Said,
    server: &Server,
    find: &dyn Fn(&surefoot_bridge::Place) -> Found,
) -> Weighed {
    let places = match said {
        Said::Places(places) => places,
        Said::Nothing => return Weighed::nothing(Verdict::NoAnswer),
        Said::Unavailable(_) => return Weighed::nothing(Verdict::Unavailable),
        Said::Stale => return Weighed::nothing(Verdict::Stale),
    };
    let mut found: Vec<Found> = places.iter().map(find).collect();
    found.sort_unstable();
    found.dedup();
    let Some(own) = snapshot.own_outcome(site) else {
        return Weighed::nothing(Verdict::Stale);
    };
    let own_symbol = own
        .symbol()
        .filter(|_| own.resolution == Resolution::InTree);
    // Overloads, a declaration beside its implementation: one of them is ours.
    let agrees = own_symbol.and_then(|symbol| {
        let all = found.iter().find(|found| **found == Found::Symbol(symbol));
        all.map(|_| symbol)
    });
    let target = match (&found[..], agrees) {
        (_, Some(symbol)) => Target::Symbol(symbol),
        ([Found::Symbol(symbol)], None) => Target::Symbol(*symbol),
        ([Found::Outside], None) => Target::Bucket,
        _ => return Weighed::nothing(Verdict::NoAnswer),
    };
    let verdict = match (own.resolution, target) {
        (Resolution::Undetermined | Resolution::Unresolved, Target::Symbol(_)) => Verdict::Placed,
        (Resolution::Undetermined | Resolution::Unresolved, Target::Bucket) => Verdict::Outside,
        (Resolution::InTree, _) if own.symbol() == symbol_of(target) => Verdict::Confirmed,
        // One of those that the declared member may run is no contradiction to it.
        (Resolution::InTree, Target::Symbol(symbol)) if may_run(&own, symbol) => Verdict::Confirmed,
        // What a type derives is written nowhere: the edge leads to the type, the answer to the library.
        (Resolution::InTree, Target::Bucket) if derived(&own) => Verdict::NoAnswer,
        (Resolution::Outside, Target::Bucket) => Verdict::Confirmed,
        _ => Verdict::Refuted,
    };
    // What agrees is counted; only what differs has to be kept.
    let keeps = matches!(
        verdict,
        Verdict::Placed | Verdict::Outside | Verdict::Refuted
    );
    Weighed {
        verdict,
        outcome: keeps.then(|| outcome(target, server)),
    }
}

fn symbol_of(target: Target) -> Option<SymbolId> {
    match target {
        Target::Symbol(symbol) => Some(symbol),
        Target::Bucket => None,
    }
}

fn may_run(own: &Outcome, symbol: SymbolId) -> bool {
    let candidates = own.candidates.iter().flat_map(|c| &c.list);
    candidates.into_iter().any(|c| c.symbol == symbol)
}

fn derived(own: &Outcome) -> bool {
    own.evidence
        .as_ref()
        .is_some_and(|evidence| evidence.rule == Rule::Derived)
}

fn outcome(target: Target, server: &Server) -> Outcome {
    Outcome {
        resolution: match target {
            Target::Symbol(_) => Resolution::InTree,
            Target::Bucket => Resolution::Outside,
        },
        target,
        cause: None,
        evidence: Some(Evidence {
            rule: Rule::Asked,
            tier: Rule::Asked.tier(),
            via: Vec::new(),
            resolver: resolver(server),
        }),
        candidates: None,
        refused: None,
    }
}
