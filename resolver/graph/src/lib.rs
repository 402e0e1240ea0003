//! The vocabulary of the code graph: every other crate speaks in these words.
//!
//! No parsing, no lookup, no text. Ids are small integers whose order means
//! nothing a user may see; what is shown is sorted by path and position.

mod evidence;
mod kind;
mod outcome;

pub use evidence::{Evidence, Resolver, Rule, Slot, Tier, Via};
pub use kind::{SiteKind, SymbolKind};
pub use outcome::{Candidate, Candidates, Cause, Outcome, Resolution, Target};

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index into a dense table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "#{}"), self.0)
            }
        }
    };
}

id!(
    /// One file of one workspace, for as long as the workspace lives.
    FileId
);
id!(
    /// A declaration, interned from file, parent, kind, name and ordinal among
    /// equals; never from a position, so an edit above it keeps it.
    SymbolId
);

/// One place in a file where something is called or named: the file and the
/// index of the site in the file's facts, in source order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SiteId {
    pub file: FileId,
    pub index: u32,
}
