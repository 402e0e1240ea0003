//! What became of a site: exactly one resolution, and a cause when nothing was placed.

use crate::{Evidence, SymbolId};
use serde::{Deserialize, Serialize};

/// What a call site points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Target {
    Symbol(SymbolId),
    /// All symbols of the called name: an unplaced call points at its bucket
    /// and is never expanded into one edge per candidate.
    Bucket,
}

/// What became of a call; one per site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Resolution {
    /// One target in this tree, with a tier.
    InTree,
    /// An import leads out of the tree, or the receiver is proved to be a
    /// library type whose stub has this member.
    Outside,
    /// The evidence names this tree and nothing here answers: a gap.
    Unresolved,
    /// The callee is a value held by a parameter.
    Parameter,
    /// The callee is a value held by a local.
    Local,
    /// No evidence either way.
    Undetermined,
}

impl Resolution {
    pub fn word(self) -> &'static str {
        match self {
            Resolution::InTree => "in_tree",
            Resolution::Outside => "outside",
            Resolution::Unresolved => "unresolved",
            Resolution::Parameter => "parameter",
            Resolution::Local => "local",
            Resolution::Undetermined => "undetermined",
        }
    }
}

/// Why a call is undetermined or unresolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Cause {
    /// No rule knows the type of the receiver.
    NoReceiverType,
    /// The receiver is typed as anything, or by a type that has no such member.
    UntypedReceiver,
    /// The callee is computed.
    Dynamic,
    /// Several definitions could be meant and nothing picks one.
    Ambiguous,
    /// The package or module does not expose the path.
    NotExported,
    /// The evidence names a place where no such symbol exists.
    Miss,
    /// A base on the way is an expression no rule reads.
    DynamicBase,
    ExportChainTooDeep,
    FanOutCapped,
    /// The evidence leads somewhere no rule follows.
    UnsupportedRule,
    MetadataUnreadable,
    /// The call stands in, or leads into, text that did not parse.
    ParseError,
    /// The value depends on itself.
    Cycle,
    /// A counted bound was reached.
    Budget,
}

impl Cause {
    pub fn word(self) -> &'static str {
        match self {
            Cause::NoReceiverType => "no-receiver-type",
            Cause::UntypedReceiver => "untyped-receiver",
            Cause::Dynamic => "dynamic",
            Cause::Ambiguous => "ambiguous",
            Cause::NotExported => "not-exported",
            Cause::Miss => "miss",
            Cause::DynamicBase => "dynamic-base",
            Cause::ExportChainTooDeep => "export-chain-too-deep",
            Cause::FanOutCapped => "fan-out-capped",
            Cause::UnsupportedRule => "unsupported-rule",
            Cause::MetadataUnreadable => "metadata-unreadable",
            Cause::ParseError => "parse-error",
            Cause::Cycle => "cycle",
            Cause::Budget => "budget",
        }
    }
}

/// One definition a site may run; always tier `possible`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Candidate {
    pub symbol: SymbolId,
    pub rule: crate::Rule,
}

/// At most [`Candidates::MAX`] possible targets, in the order of the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Candidates {
    pub list: Vec<Candidate>,
    /// How many more there were: the fan-out was capped.
    pub left_out: u32,
}

impl Candidates {
    pub const MAX: usize = 32;

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Those of another list that are not in this one; counted where there is no room.
    pub fn add(&mut self, more: &Candidates) {
        self.left_out += more.left_out;
        for candidate in &more.list {
            if self.list.iter().any(|own| own.symbol == candidate.symbol) {
                continue;
            }
            if self.list.len() < Candidates::MAX {
                self.list.push(candidate.clone());
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// Everything known about one site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub resolution: Resolution,
    pub target: Target,
    pub cause: Option<Cause>,
    /// Present with `in_tree`, and with `outside` and `unresolved` where an
    /// import or a proved receiver is the evidence.
    pub evidence: Option<Evidence>,
    /// Beside any resolution; alone they leave the site `undetermined`.
    pub candidates: Option<Box<Candidates>>,
    /// Definitions that were looked at and refused, with the reason's rule.
    pub refused: Option<Box<Vec<(SymbolId, Cause)>>>,
}

impl Outcome {
    pub fn undetermined(cause: Cause) -> Outcome {
        Outcome {
            resolution: Resolution::Undetermined,
            target: Target::Bucket,
            cause: Some(cause),
            evidence: None,
            candidates: None,
            refused: None,
        }
    }

    /// All that the site may run: its own candidates, and what else was found.
    pub fn may_run(&self, more: Candidates) -> Candidates {
        let Some(own) = &self.candidates else {
            return more;
        };
        let mut all = (**own).clone();
        all.add(&more);
        all
    }

    /// Nothing is placed: what others know may be put here.
    pub fn is_open(&self) -> bool {
        matches!(
            self.resolution,
            Resolution::Undetermined | Resolution::Unresolved
        )
    }

    /// The placed symbol, when there is exactly one.
    pub fn symbol(&self) -> Option<SymbolId> {
        match self.target {
            Target::Symbol(id) => Some(id),
            Target::Bucket => None,
        }
    }
}
