//! Methods and shapes beyond the protocol, as docs/protocol.md has them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp_server::ls_types::request::Request;

use tower_lsp_server::ls_types::{
    Location, Position, Range, SymbolKind, TextDocumentIdentifier, Uri,
};

use super::asking::Neighbour;

/// The commands of `workspace/executeCommand`, which is what lenses carry.
pub const CALLERS: &str = "surefoot.callers";
pub const CALLEES: &str = "surefoot.callees";

macro_rules! request {
    ($(#[$doc:meta])* $name:ident = $method:literal, $params:ty => $result:ty) => {
        $(#[$doc])*
        pub enum $name {}

        impl Request for $name {
            type Params = $params;
            type Result = $result;
            const METHOD: &'static str = $method;
        }
    };
}

request!(
    /// A tree of callers or callees.
    CallTree = "surefoot/callTree", CallTreeParams => Option<CallTreeResult>
);
request!(
    /// What became of one site, and why.
    Explain = "surefoot/explain", At => Option<Explanation>
);
request!(
    /// What the server is doing and what it costs.
    Status = "surefoot/status", Value => StatusResult
);
request!(
    /// Calls of which another server says otherwise.
    Disagreements = "surefoot/disagreements", Value => Vec<Disagreement>
);
request!(
    /// Writes a report of a root.
    Report = "surefoot/report", ReportParams => ReportResult
);
request!(
    /// Compares a report with a root.
    Verify = "surefoot/verify", VerifyParams => VerifyResult
);
request!(
    /// The snapshots kept of a root, newest first.
    Snapshots = "surefoot/snapshots", SnapshotsParams => SnapshotsResult
);
request!(
    /// Keeps a report of a root as it stands on disk.
    SaveSnapshot = "surefoot/saveSnapshot", SaveSnapshotParams => SaveSnapshotResult
);
request!(
    /// What changed since a snapshot was kept.
    Compare = "surefoot/compare", CompareParams => CompareResult
);
request!(
    /// A symbol by the handle it was given out with.
    ResolveHandle = "surefoot/resolveHandle", HandleParams => Option<SymbolRef>
);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct At {
    pub text_document: TextDocumentIdentifier,
    pub position: Position,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HandleParams {
    pub handle: String,
}

/// A symbol, by handle or by a place in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Whose {
    Handle(HandleParams),
    At(At),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Callers,
    Callees,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallTreeParams {
    #[serde(flatten)]
    pub whose: Whose,
    pub direction: Direction,
    #[serde(default = "one")]
    pub depth: u32,
    /// Tiers to show, all when empty.
    #[serde(default)]
    pub tiers: Vec<String>,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolRef {
    pub handle: String,
    pub name: String,
    pub kind: SymbolKind,
    pub container: String,
    pub uri: Uri,
    pub range: Range,
    pub selection_range: Range,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceShown {
    pub tier: String,
    pub rule: String,
    pub resolver: String,
    pub via: Vec<ViaShown>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViaShown {
    pub role: String,
    pub uri: Uri,
    pub range: Range,
    pub line: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallTreeResult {
    pub root: SymbolRef,
    pub direction: Direction,
    /// Why the list may be short, nothing when it is whole.
    pub floor: Option<String>,
    pub nodes: Vec<CallNode>,
    /// Nodes left out by the bound on the size of an answer.
    pub truncated: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallNode {
    /// Nothing in the row of unplaced calls of this name.
    pub symbol: Option<SymbolRef>,
    pub tier: Option<String>,
    pub rule: Option<String>,
    pub resolver: Option<String>,
    pub sites: Vec<Location>,
    pub note: Option<String>,
    /// No site is a call: each names the function as a value, and the row is counted apart.
    pub named: bool,
    /// Already on the path above, not expanded.
    pub recursion: bool,
    /// Nothing when not asked for.
    pub children: Option<Vec<CallNode>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    pub title: String,
    pub resolution: String,
    pub cause: Option<String>,
    pub site: Location,
    pub target: Option<SymbolRef>,
    pub evidence: Option<EvidenceShown>,
    pub candidates: Vec<CandidateShown>,
    pub refused: Vec<RefusedShown>,
    pub markdown: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateShown {
    pub symbol: SymbolRef,
    pub note: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedShown {
    pub symbol: SymbolRef,
    pub why: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusResult {
    pub version: String,
    pub revision: u64,
    pub state: String,
    pub roots: Vec<RootStatus>,
    pub languages: Vec<LanguageStatus>,
    pub memory: Vec<MemoryStatus>,
    /// What was let go so far to stay below the bound on memory, and how much of it.
    pub shed: std::collections::BTreeMap<String, u64>,
    pub queues: Vec<QueueStatus>,
    /// What is wrong, in words.
    pub troubles: Vec<String>,
    pub watch: String,
    pub neighbours: Vec<Neighbour>,
    /// Language servers of our own.
    pub servers: Vec<OwnServerStatus>,
    /// What became of all answers: confirmed, placed, outside, refuted, no-answer, unavailable, stale.
    pub verdicts: std::collections::BTreeMap<String, u64>,
    /// Open documents that are not in the graph.
    pub left_out: Vec<LeftOut>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnServerStatus {
    /// What the user calls it, and what it calls itself.
    pub key: String,
    pub server: String,
    pub version: String,
    pub state: String,
    pub process: Option<u32>,
    pub memory: u64,
    pub memory_bound: u64,
    pub asked: u64,
    pub placed: u64,
    pub nothing: u64,
    pub unanswered: u64,
    pub starts: u64,
    pub waiting: u64,
    pub waiting_bound: u64,
    pub budget_left: Option<u64>,
    pub unavailable: Option<String>,
}

/// A call of which another server says otherwise.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Disagreement {
    pub site: Location,
    pub name: String,
    /// Nothing: outside the folder.
    pub own: Option<SymbolRef>,
    pub tier: Option<String>,
    pub rule: Option<String>,
    pub resolver: String,
    pub theirs: Option<SymbolRef>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    pub uri: Uri,
    pub why: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RootStatus {
    pub uri: Uri,
    pub files: u64,
    pub symbols: u64,
    pub sites: u64,
    pub skipped: u64,
    /// Files whose facts were imported, not read here.
    pub imported: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LanguageStatus {
    pub name: String,
    pub files: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryStatus {
    pub owner: String,
    pub bytes: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueueStatus {
    pub name: String,
    pub length: u64,
    pub bound: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportParams {
    #[serde(default)]
    pub root: Option<Uri>,
    pub path: String,
    /// Writes the page for people beside it, too.
    #[serde(default)]
    pub html: bool,
    #[serde(default, rename = "workDoneToken")]
    pub work_done_token: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportResult {
    pub path: String,
    pub snapshot_id: String,
    pub is_complete: bool,
    pub entities: u64,
    pub call_edges: u64,
    /// Where the page for people was written.
    pub html: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SnapshotsParams {
    #[serde(default)]
    pub root: Option<Uri>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SnapshotsResult {
    pub snapshots: Vec<KeptSnapshot>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptSnapshot {
    pub id: String,
    pub names: Vec<String>,
    /// In seconds since 1970.
    pub saved_at: u64,
    pub label: Option<String>,
    pub revision: Option<String>,
    pub is_complete: bool,
    pub files: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SaveSnapshotParams {
    #[serde(default)]
    pub root: Option<Uri>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default, rename = "workDoneToken")]
    pub work_done_token: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SaveSnapshotResult {
    pub id: String,
    pub reused: bool,
    pub is_complete: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompareParams {
    #[serde(default)]
    pub root: Option<Uri>,
    /// A name, an id or the first digits of one; without it the newest.
    #[serde(default)]
    pub snapshot: Option<String>,
    #[serde(default, rename = "workDoneToken")]
    pub work_done_token: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompareResult {
    pub diff: Value,
    /// Files that changed, came or went.
    pub differs: Vec<Difference>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifyParams {
    #[serde(default)]
    pub root: Option<Uri>,
    pub report: String,
    #[serde(default, rename = "workDoneToken")]
    pub work_done_token: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifyResult {
    pub verified: bool,
    pub verdict: Value,
    pub differs: Vec<Difference>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Difference {
    pub uri: Uri,
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The two ways to name a symbol must not be mistaken for each other.
    #[test]
    fn a_symbol_is_named_by_handle_or_by_place() {
        let by_handle: CallTreeParams =
            serde_json::from_value(json!({ "handle": "h", "direction": "callers" })).unwrap();
        assert!(matches!(by_handle.whose, Whose::Handle(HandleParams { handle }) if handle == "h"));
        assert_eq!((by_handle.depth, by_handle.tiers.len()), (1, 0));
        let by_place: CallTreeParams = serde_json::from_value(json!({
            "textDocument": { "uri": "file:///w/a.rs" },
            "position": { "line": 1, "character": 2 },
            "direction": "callees",
            "depth": 3,
        }))
        .unwrap();
        assert!(matches!(
            by_place.whose,
            Whose::At(At {
                position: Position { line: 1, .. },
                ..
            })
        ));
    }
}
