//! The outcomes of one file's sites as they are kept: encoded, equal ones once.

use super::FileEdges;
use crate::state::FileEntry;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::hash::Hasher;
use surefoot_graph::{
    Candidates, Cause, Evidence, FileId, Outcome, Resolution, Resolver, Rule, Slot, SymbolId,
    Target, Tier, Via,
};

/// What became of each site of a file, in the order of its sites. An outcome is
/// read back when someone asks for it: evidence is looked at seldom and would
/// take five times the room of the calls it stands beside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PackedEdges {
    /// Where the bytes of each site's outcome begin.
    at: Box<[u32]>,
    bytes: Box<[u8]>,
    /// How many bytes there were when all was packed at once. What was packed
    /// beside them since may stand for outcomes that are gone.
    whole: u32,
}

/// How the outcomes of a file follow from those it had: `kept` ones move, those
/// of `fresh` items are new. Both in the order of the new sites.
#[derive(Default)]
pub(crate) struct Plan {
    /// Sites from `start` to `end` of the older version stand at `to` now.
    pub kept: Vec<Run>,
    /// Items of the newer version with their outcomes.
    pub fresh: Vec<(u32, Vec<Outcome>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub start: u32,
    pub end: u32,
    pub to: u32,
}

impl Plan {
    /// Sites that stay as they were.
    pub fn keep(&mut self, run: Run) {
        match self.kept.last_mut() {
            _ if run.start == run.end => {}
            Some(last) if last.end == run.start && last.to + (last.end - last.start) == run.to => {
                last.end = run.end;
            }
            _ => self.kept.push(run),
        }
    }

    /// Where a site of the older version stands in the newer one.
    pub fn moved(&self, site: u32) -> Option<u32> {
        let at = self.kept.partition_point(|r| r.end <= site);
        let run = self.kept.get(at).filter(|r| r.start <= site)?;
        Some(run.to + (site - run.start))
    }
}

/// What stands for the item of a binding when it is the site's own, others being
/// written by one more: items move when others come and go before them, and
/// evidence moves along.
const OWN: u32 = 0;

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

/// Writes outcomes one behind the other, equal ones once.
struct Packer {
    bytes: Vec<u8>,
    /// (start, length) of what was written.
    known: HashTable<(u32, u32)>,
}

impl Packer {
    fn put(&mut self, outcome: &Outcome, home: (FileId, u32)) -> u32 {
        let start = self.bytes.len();
        let head = Head::of(outcome);
        let evidence = outcome.evidence.as_ref();
        let via = |e: &Evidence| -> SmallVec<[Via; 8]> {
            let slot = |v: &Via| match v.slot {
                Slot::Binding { item, index } => Slot::Binding {
                    item: if (v.file, item) == home {
                        OWN
                    } else {
                        item + 1
                    },
                    index,
                },
                other => other,
            };
            let all = e.via.iter().map(|v| Via {
                slot: slot(v),
                ..*v
            });
            all.collect()
        };
        let via = evidence.map(via);
        let rest: Rest<_, _, _, _> = (
            outcome.target,
            via.as_deref().zip(evidence.map(|e| &e.resolver)),
            &outcome.candidates,
            &outcome.refused,
        );
        // Writing to a vector cannot fail; an outcome that were not written
        // would read back as none.
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(&(head, rest), bytes).unwrap_or_default();
        let hash = |part: &[u8]| {
            let mut hasher = FxHasher::default();
            hasher.write(part);
            hasher.finish()
        };
        let (head, new) = self.bytes.split_at(start.min(self.bytes.len()));
        let part = |p: &(u32, u32)| &head[p.0 as usize..(p.0 + p.1) as usize];
        let (now, len) = (hash(new), new.len() as u32);
        match self.known.find(now, |p| part(p) == new) {
            Some(p) => {
                let at = p.0;
                self.bytes.truncate(start);
                at
            }
            None => {
                let entry = (start as u32, len);
                self.known.insert_unique(now, entry, |p| hash(part(p)));
                entry.0
            }
        }
    }
}

impl PackedEdges {
    pub(crate) fn new(edges: &FileEdges, entry: &FileEntry) -> PackedEdges {
        let mut packer = Packer {
            bytes: Vec::new(),
            known: HashTable::new(),
        };
        let mut at = Vec::with_capacity(edges.len());
        let mut item = 0;
        for (site, outcome) in edges.outcomes().iter().enumerate() {
            while entry
                .site_starts
                .get(item + 1)
                .is_some_and(|&s| s as usize <= site)
            {
                item += 1;
            }
            at.push(packer.put(outcome, (entry.id, item as u32)));
        }
        PackedEdges {
            at: at.into(),
            whole: packer.bytes.len() as u32,
            bytes: packer.bytes.into(),
        }
    }

    /// These outcomes after an edit, for the file as it stands now.
    pub(crate) fn spliced(&self, plan: &Plan, entry: &FileEntry) -> PackedEdges {
        let mut packer = Packer {
            bytes: self.bytes.to_vec(),
            known: HashTable::new(),
        };
        let mut at = vec![0; entry.site_count() as usize];
        for run in &plan.kept {
            let old = self.at.get(run.start as usize..run.end as usize);
            let new = at.get_mut(run.to as usize..(run.to + run.end - run.start) as usize);
            if let Some((old, new)) = old.zip(new) {
                new.copy_from_slice(old);
            }
        }
        for (item, outcomes) in &plan.fresh {
            let start = entry.site_starts.get(*item as usize).copied().unwrap_or(0);
            for (slot, outcome) in at[start as usize..].iter_mut().zip(outcomes) {
                *slot = packer.put(outcome, (entry.id, *item));
            }
        }
        let spliced = PackedEdges {
            at: at.into(),
            bytes: packer.bytes.into(),
            whole: self.whole,
        };
        if spliced.bytes.len() < 2 * self.whole as usize + 4_096 {
            return spliced;
        }
        // What is gone takes as much room as what is there.
        PackedEdges::new(&spliced.unpacked(entry), entry)
    }

    /// All outcomes of the file.
    pub(crate) fn unpacked(&self, entry: &FileEntry) -> FileEdges {
        let all = (0..self.at.len() as u32).map(|site| {
            let outcome = self.outcome(site, entry);
            outcome.unwrap_or_else(|| Outcome::undetermined(Cause::Budget))
        });
        FileEdges::new(all.collect())
    }

    fn bytes_of(&self, index: u32) -> Option<&[u8]> {
        self.bytes.get(*self.at.get(index as usize)? as usize..)
    }

    /// Everything known about a site of the file.
    pub(crate) fn outcome(&self, index: u32, entry: &FileEntry) -> Option<Outcome> {
        type Kept = (
            Head,
            Rest<Vec<Via>, Resolver, Option<Box<Candidates>>, Option<Box<Vec<(SymbolId, Cause)>>>>,
        );
        let (kept, _) = postcard::take_from_bytes::<Kept>(self.bytes_of(index)?).ok()?;
        let (head, (target, mut evidence, candidates, refused)) = kept;
        for via in evidence.iter_mut().flat_map(|e| &mut e.0) {
            if let Slot::Binding { item, .. } = &mut via.slot {
                *item = match *item {
                    OWN => entry.site_at(index)?.0,
                    other => other - 1,
                };
            }
        }
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
        self.at.len() * 4 + self.bytes.len() + 4
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
    use surefoot_facts::{FileFacts, LanguageId, Name, Positions};
    use surefoot_graph::Candidate;

    /// A file whose items have so many sites.
    fn entry(sites: &[u32]) -> FileEntry {
        let mut starts = vec![0];
        for n in sites {
            starts.push(starts[starts.len() - 1] + n);
        }
        FileEntry {
            id: FileId(70_000),
            path: "a".into(),
            path_name: Name::EMPTY,
            language: LanguageId(0),
            digest: [0; 32],
            bytes: 0,
            facts: FileFacts::empty(LanguageId(0)).into(),
            positions: Positions::default().into(),
            contents: None,
            symbols: [].into(),
            module: SymbolId(0),
            site_starts: starts.into(),
            prelude: false,
            index: Default::default(),
        }
    }

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
        let entry = entry(&[0, 5]);
        let packed = PackedEdges::new(&FileEdges::new(all.clone()), &entry);
        for (i, outcome) in all.iter().enumerate() {
            assert_eq!(packed.outcome(i as u32, &entry).as_ref(), Some(outcome));
            assert_eq!(packed.head(i as u32), Some(Head::of(outcome)));
        }
        assert_eq!(packed.at[0], packed.at[3]);
        assert_eq!(packed.at[1], packed.at[4]);
        assert_eq!(packed.outcome(5, &entry), None);
        // An item came before it: what its outcomes rest on stands where it
        // stood in it.
        let entry = self::entry(&[0, 1, 5]);
        let run = Run {
            start: 0,
            end: 5,
            to: 1,
        };
        let plan = Plan {
            kept: vec![run],
            fresh: vec![(1, vec![many.clone()])],
        };
        let spliced = packed.spliced(&plan, &entry);
        for (site, was) in [(1, 0), (3, 2), (4, 3)] {
            assert_eq!(spliced.outcome(site, &entry).as_ref(), Some(&all[was]));
        }
        assert_eq!(spliced.outcome(0, &entry), Some(many));
        let moved = spliced.outcome(5, &entry).and_then(|o| o.evidence);
        let via = moved.map(|e| e.via[1].slot);
        assert_eq!(via, Some(Slot::Binding { item: 2, index: 2 }));
    }
}
