//! What other language servers say of calls, and what becomes of it in the graph: the same for the editor, the
//! command line and the report.

mod find;
mod kept;
mod spec;
mod weigh;

pub use find::{End, Found, end, find, utf16_column};
pub use kept::{At, KeptAnswers};
pub use spec::{GUARD, from_line, guard, merge_options};
pub use weigh::{Verdict, Weighed, weigh};

use surefoot_engine::Snapshot;
use surefoot_facts::Flags;
use surefoot_graph::{FileId, Resolution, SiteId, SymbolKind};

/// How much an answer about a site would tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interest {
    /// Nothing is placed.
    Open,
    /// Several may be meant.
    Possible,
    /// Placed already: an answer confirms it or contradicts it.
    Placed,
}

/// The calls of a file that a server can be asked about, in source order. What calls a value is not asked: a
/// server names the place where the value is bound, and that runs nothing.
pub fn sites(snapshot: &Snapshot, file: FileId) -> Vec<(SiteId, Interest)> {
    let Some(entry) = snapshot.file(file) else {
        return Vec::new();
    };
    let all = (0..entry.site_count()).map(|index| SiteId { file, index });
    let asked = all.filter_map(|site| {
        let (facts, _) = snapshot.site(site)?;
        if !facts.kind.is_call() || facts.broken || facts.name.is_empty() {
            return None;
        }
        let own = snapshot.own_outcome(site)?;
        let several = own.candidates.as_ref().is_some_and(|c| !c.is_empty());
        let interest = match own.resolution {
            Resolution::Parameter | Resolution::Local => return None,
            Resolution::Undetermined | Resolution::Unresolved => Interest::Open,
            _ if several => Interest::Possible,
            _ => Interest::Placed,
        };
        Some((site, interest))
    });
    asked.collect()
}

/// The calls of a file whose target is a member as an interface or a base declares it, in source order: what
/// implements it may run, and a server may know more of that.
pub fn declared_members(snapshot: &Snapshot, file: FileId) -> Vec<SiteId> {
    let Some(entry) = snapshot.file(file) else {
        return Vec::new();
    };
    let all = (0..entry.site_count()).map(|index| SiteId { file, index });
    let asked = all.filter(|site| {
        let (Some((facts, _)), Some(now)) = (snapshot.site(*site), snapshot.outcome(*site)) else {
            return false;
        };
        let target = now
            .symbol()
            .filter(|_| now.resolution == Resolution::InTree);
        let several = now.candidates.as_ref().is_some_and(|c| !c.is_empty());
        let bare = |symbol| {
            let info = snapshot.symbol_info(symbol);
            info.is_some_and(|info| {
                matches!(info.kind, SymbolKind::Method | SymbolKind::Getter)
                    && info.flags.has(Flags::BODILESS)
            })
        };
        facts.kind.is_call()
            && !facts.broken
            && !facts.name.is_empty()
            && target.is_some_and(|symbol| several || bare(symbol))
    });
    asked.collect()
}
