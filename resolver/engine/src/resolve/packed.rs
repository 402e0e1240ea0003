//! The outcomes of one file's sites as they are kept: encoded, equal ones once.

use super::FileEdges;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use surefoot_graph::{
    Candidates, Cause, Evidence, Outcome, Resolution, Resolver, Rule, SymbolId, Target, Tier, Via,
};

/// What became of each site of a file, in the order of its sites. An outcome is
/// read back when someone asks for it: evidence is looked at seldom and would
/// take five times the room of the calls it stands beside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PackedEdges {
    /// Where the bytes of each site's outcome begin.
    at: Box<[u32]>,
    bytes: Box<[u8]>,
}

/// What is counted about an outcome. It stands first in its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Head {
    pub resolution: Resolution,
    pub cause: Option<Cause>,
    pub evidence: Option<(Rule, Tier)>,
    pub candidates: u32,
}

/// What stands behind the head: where it leads, what it rests on, what else it
/// may be, what it is not.
type Rest<Via, Resolver, Candidates, Refused> =
    (Target, Option<(Via, Resolver)>, Candidates, Refused);

impl PackedEdges {
    pub(crate) fn new(edges: &FileEdges) -> PackedEdges {
        let mut bytes: Vec<u8> = Vec::new();
        // (start, length) of what is in `bytes` already.
        let mut known: HashTable<(u32, u32)> = HashTable::new();
        let hash = |part: &[u8]| {
            let mut hasher = FxHasher::default();
            hasher.write(part);
            hasher.finish()
        };
        let mut at = Vec::with_capacity(edges.len());
        for outcome in edges.outcomes() {
            let start = bytes.len();
            let head = Head::of(outcome);
            let evidence = outcome.evidence.as_ref();
            let rest: Rest<_, _, _, _> = (
                outcome.target,
                evidence.map(|e| (&e.via, &e.resolver)),
                &outcome.candidates,
                &outcome.refused,
            );
            // Writing to a vector cannot fail; an outcome that were not written
            // would read back as none.
            bytes = postcard::to_extend(&(head, rest), bytes).unwrap_or_default();
            let (head, new) = bytes.split_at(start.min(bytes.len()));
            let part = |p: &(u32, u32)| &head[p.0 as usize..(p.0 + p.1) as usize];
            let (now, len) = (hash(new), new.len() as u32);
            match known.find(now, |p| part(p) == new) {
                Some(p) => {
                    at.push(p.0);
                    bytes.truncate(start);
                }
                None => {
                    let entry = (start as u32, len);
                    known.insert_unique(now, entry, |p| hash(part(p)));
                    at.push(entry.0);
                }
            }
        }
        PackedEdges {
            at: at.into(),
            bytes: bytes.into(),
        }
    }

    fn bytes_of(&self, index: u32) -> Option<&[u8]> {
        self.bytes.get(*self.at.get(index as usize)? as usize..)
    }

    /// Everything known about a site.
    pub(crate) fn outcome(&self, index: u32) -> Option<Outcome> {
        type Kept = (
            Head,
            Rest<Vec<Via>, Resolver, Option<Box<Candidates>>, Option<Box<Vec<(SymbolId, Cause)>>>>,
        );
        let (kept, _) = postcard::take_from_bytes::<Kept>(self.bytes_of(index)?).ok()?;
        let (head, (target, evidence, candidates, refused)) = kept;
        let evidence = head.evidence.zip(evidence);
        Some(Outcome {
            resolution: head.resolution,
            target,
            cause: head.cause,
            evidence: evidence.map(|((rule, tier), (via, resolver))| Evidence {
                rule,
                tier,
                via,
                resolver,
            }),
            candidates,
            refused,
        })
    }

    /// What is counted about a site, without the places it rests on.
    pub(crate) fn head(&self, index: u32) -> Option<Head> {
        let (head, _) = postcard::take_from_bytes(self.bytes_of(index)?).ok()?;
        Some(head)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.at.len() * 4 + self.bytes.len()
    }
}

impl Head {
    pub(crate) fn of(outcome: &Outcome) -> Head {
        let candidates = outcome.candidates.as_ref().map_or(0, |c| c.list.len());
        Head {
            resolution: outcome.resolution,
            cause: outcome.cause,
            evidence: outcome.evidence.as_ref().map(|e| (e.rule, e.tier)),
            candidates: candidates as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_graph::{Candidate, FileId, Slot};

    // Evidence that came back otherwise than it was put in would be a lie about
    // why an edge is believed.
    #[test]
    fn an_outcome_reads_back_as_it_was_and_equal_ones_are_kept_once() {
        let via = |slot| Via {
            file: FileId(70_000),
            symbol: Some(SymbolId(9)),
            slot,
        };
        let placed = Outcome {
            resolution: Resolution::InTree,
            target: Target::Symbol(SymbolId(4_000_000)),
            cause: None,
            evidence: Some(Evidence {
                rule: Rule::Derived,
                tier: Tier::Likely,
                via: vec![
                    via(Slot::Import(3)),
                    via(Slot::Binding { item: 1, index: 2 }),
                ],
                resolver: Resolver::Server {
                    name: "other".to_owned(),
                    version: "1".to_owned(),
                },
            }),
            candidates: None,
            refused: None,
        };
        let many = Outcome {
            candidates: Some(Box::new(Candidates {
                list: vec![Candidate {
                    symbol: SymbolId(1),
                    rule: Rule::Override,
                }],
                left_out: 5,
            })),
            refused: Some(Box::new(vec![(SymbolId(2), Cause::Miss)])),
            ..Outcome::undetermined(Cause::Ambiguous)
        };
        let none = Outcome::undetermined(Cause::Budget);
        let all = vec![
            none.clone(),
            placed.clone(),
            many.clone(),
            none.clone(),
            placed,
        ];
        let packed = PackedEdges::new(&FileEdges::new(all.clone()));
        for (i, outcome) in all.iter().enumerate() {
            assert_eq!(packed.outcome(i as u32).as_ref(), Some(outcome));
            assert_eq!(packed.head(i as u32), Some(Head::of(outcome)));
        }
        assert_eq!(packed.at[0], packed.at[3]);
        assert_eq!(packed.at[1], packed.at[4]);
        assert_eq!(packed.outcome(5), None);
    }
}
