//! The workspace graph: apply changes, resolve sites, answer questions.
//!
//! The engine sees facts and rules. It knows no grammar, no language by name,
//! no protocol, no disk and no clock.

mod change;
mod delta;
pub mod features;
mod languages;
mod links;
mod metrics;
mod resolve;
mod roles;
mod snapshot;
mod state;
pub mod store;
mod workspace;

pub use change::{Answers, Applied, Cancel, Change, FileChange, Need, Pool, STACK, Work};
pub use delta::{Counted, EdgeKey, GapKey, GraphDelta};
pub use languages::Languages;
pub use links::{FileLinks, Gap, ImportLink, Kin, KinKind, Link};
pub use metrics::{
    EDITOR_THRESHOLD, FileImport, Hotspot, Imports, Metrics, NodeMetrics, REPORT_THRESHOLD,
    score_text,
};
pub use resolve::{PackedEdges, resolve_item};
pub use roles::{Role, role_of};
pub use snapshot::{
    At, Base, CallSite, Calls, Decl, FileState, Floor, Group, Place, Pos, Snapshot, SymbolInfo,
    Totals, Unread, Uses, ViaPlace,
};
pub use state::{Ctx, Db, Dep, Entry, FileEntry, ImportRef, Loc, Memos, Ns, Presence, What};
pub use workspace::{Consulted, Memory, Workspace};
