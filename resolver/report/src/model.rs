//! The document: what a report says, field by field, in the order it is written.
//!
//! An absent field and an empty one differ: absent means that nobody looked or
//! that it does not apply, empty means that there are none. docs/report.md
//! explains each field to a reader; the schema is what stands here.

use crate::text::{Digest, Hundredths, Millionths, Sorted, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the document's shape.
pub const VERSION: u32 = 1;

fn no(flag: &bool) -> bool {
    !flag
}

fn zero(n: &u32) -> bool {
    *n == 0
}

/// One tree, analysed once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub version: u32,
    /// Names what decided the analysis, not what it found.
    pub snapshot_id: Digest,
    /// `skipped_files` hides no code and `partial_analysis` is empty.
    pub is_complete: bool,
    pub analyzer_provenance: Provenance,
    pub entities: Vec<Entity>,
    pub call_edges: Vec<CallEdge>,
    pub dependencies: Vec<Dependency>,
    /// By the key of the entity: see [`Entity::key`].
    pub metrics_by_entity: Sorted<Metrics>,
    pub hotspots: Vec<Hotspot>,
    pub fragility: Fragility,
    pub risk_index: RiskIndex,
    /// Absent when no entity was assessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_coverage: Option<Millionths>,
    pub production: Production,
    /// Each import cycle, by the files that form it.
    pub dependency_cycles: Vec<Vec<Text>>,
    /// Keys of the entities that a walk of the call edges reaches from those with an `entry_point`.
    pub reachable_from_entry: Vec<Text>,
    /// Where another language reaches this tree or is reached from it.
    pub bridge_nodes: Vec<BridgeNode>,
    pub file_hashes: Sorted<Digest>,
    pub config_inputs: Vec<ConfigInput>,
    pub config_selections: Vec<ConfigSelection>,
    pub skipped_files: Vec<SkippedFile>,
    pub partial_analysis: Vec<Partial>,
}

/// Which analyzer, of which build, ran with which options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    pub name: Text,
    pub version: Text,
    /// A digest of the analyzer's sources and grammars: two builds of one version are told apart.
    pub build: Text,
    /// The grammar of each language, with its exact version.
    pub grammars: Sorted<Text>,
    /// Which variant of each metric was counted.
    pub metrics: Vec<Text>,
    pub configuration: Configuration,
    /// Language servers that took part, beside the static analysis.
    pub resolvers: Vec<ResolverUse>,
}

/// The options the analysis ran with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Sorted, each once. Empty: every language.
    pub languages: Vec<Text>,
    pub max_file_size: u64,
    pub max_total_bytes: u64,
    pub max_file_count: u64,
    pub cross_filesystem: bool,
    /// A call that no evidence places is bound to the only declaration of its name, with the rule `unique-name`.
    pub bind_unique_names: bool,
}

/// A language server that was asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolverUse {
    pub name: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Text>,
    /// `answered`, or `unavailable: ` and its own words.
    pub state: Text,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// `<file>::<scope chain>::<name>`; two overloads share one.
    pub qualified_name: Text,
    pub kind: Text,
    pub name: Text,
    pub file: Text,
    /// Of the name, from one.
    pub line_number: u32,
    /// Of the name, from one, in UTF-8 bytes.
    pub column: u32,
    /// The last line of the declaration.
    pub end_line: u32,
    /// Declared names in source order, the receiver not among them; present for what is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<Text>>,
    /// Absent: not assessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documented: Option<bool>,
    /// `path` or `test_attribute`; absent: production code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_production: Option<Text>,
    /// Of the declaration's bytes, attributes and decorators included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_point: Option<Text>,
    /// Text inside did not parse: its numbers and calls may fall short.
    #[serde(default, skip_serializing_if = "no")]
    pub partial: bool,
    /// Absent: no body, or none of its parameters has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_features: Option<BodyFeatures>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyFeatures {
    pub parameter_uses: Vec<ParameterUse>,
}

/// What a body does with one named parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterUse {
    pub variable: Text,
    /// Lines where the body reads it. Empty: never.
    pub use_lines: Vec<u32>,
    /// The incoming value is always overwritten before it is read.
    #[serde(default, skip_serializing_if = "no")]
    pub overwritten: bool,
    /// Unread on purpose, by a convention of the language.
    #[serde(default, skip_serializing_if = "no")]
    pub intended: bool,
    /// Only a token of a macro argument may read it.
    #[serde(default, skip_serializing_if = "no")]
    pub maybe: bool,
}

/// What became of one call site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallEdge {
    /// The qualified name of the innermost named declaration around the call.
    pub caller: Text,
    /// Only when several declarations bear the caller's qualified name.
    #[serde(default, skip_serializing_if = "zero")]
    pub caller_line: u32,
    /// Only when several of them stand on that line.
    #[serde(default, skip_serializing_if = "zero")]
    pub caller_column: u32,
    /// In the tree: a qualified name. Else the name as written.
    pub callee: Text,
    /// Only when several declarations bear the callee's qualified name.
    #[serde(default, skip_serializing_if = "zero")]
    pub declaration_line: u32,
    #[serde(default, skip_serializing_if = "zero")]
    pub declaration_column: u32,
    /// Of the callee's name, from one, in the file of the caller.
    pub line_number: u32,
    /// Of the callee's name, from one, in UTF-8 bytes.
    pub column: u32,
    /// The name as written, where the last part of `callee` differs from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// `new`, `jsx`, `decorator`, `tagged` or `implicit`; absent: a plain call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Text>,
    pub resolution: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Text>,
    /// The places the evidence rests on, from the call outwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Via>,
    /// Why nothing was placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Text>,
    /// What the call may run besides; never counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// How many more candidates there were than are listed.
    #[serde(default, skip_serializing_if = "zero")]
    pub candidates_left_out: u32,
    /// The language server that placed it, with its version; absent: this analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<Text>,
}

impl CallEdge {
    /// Where the call stands: in the file of its caller.
    pub fn file(&self) -> &str {
        file_of(&self.caller)
    }
}

/// The file part of an entity's name or key; the module of a file bears its path alone.
pub fn file_of(key: &str) -> &str {
    key.split_once("::").map_or(key, |(file, _)| file)
}

/// One step of the evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Via {
    pub role: Text,
    /// Absent: the file of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Text>,
    pub line_number: u32,
}

/// A definition the call may run: tier `possible`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    pub callee: Text,
    #[serde(default, skip_serializing_if = "zero")]
    pub declaration_line: u32,
    #[serde(default, skip_serializing_if = "zero")]
    pub declaration_column: u32,
    pub rule: Text,
}

/// An import, or a base that a type names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    /// The importing file, or the qualified name of the type.
    pub source: Text,
    /// As the source wrote it.
    pub target: Text,
    /// `import`, `extends` or `implements`.
    pub kind: Text,
    pub resolution: Text,
    /// In the tree: the file, or the qualified name of the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_target: Option<Text>,
    pub line_number: u32,
    /// Nothing is loaded for it: an import of types alone, or a `use` where all modules are compiled
    /// together. It couples files and makes no import cycle.
    #[serde(default, skip_serializing_if = "no")]
    pub names_only: bool,
}

/// The numbers of one entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Absent for what has no body of its own: a module, a type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cyclomatic_complexity: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cognitive_complexity: Option<u32>,
    /// Of the anonymous functions inside, not part of the number above.
    #[serde(default, skip_serializing_if = "zero")]
    pub closure_complexity: u32,
    #[serde(default, skip_serializing_if = "zero")]
    pub closures: u32,
    pub fan_in: u32,
    pub fan_out: u32,
    pub depth: u32,
}

/// An entity whose score reaches 3.00.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hotspot {
    /// The key of the entity.
    pub entity: Text,
    pub score: Hundredths,
    pub fan_out: u32,
    pub cyclomatic_complexity: u32,
    pub depth: u32,
}

/// How much of the tree moves when one file does, and how much of it is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fragility {
    pub score: Millionths,
    pub dependency: Millionths,
    pub avg_fan_out: Millionths,
    pub cycles: u32,
    pub files: u32,
}

/// A second score, published with its parts so that it can be taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskIndex {
    pub score: Millionths,
    pub complexity: Millionths,
    pub coupling: Millionths,
    pub documentation: Millionths,
    pub cycles: Millionths,
}

/// The same answers for what is neither test nor example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Production {
    pub entities: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_coverage: Option<Millionths>,
    pub risk_index: RiskIndex,
}

/// A joint between two languages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeNode {
    /// The key of the entity: what is reached, what stands for code elsewhere, or what opens or calls it.
    pub entity: Text,
    /// `c_abi`, `pyo3`, `wasm_bindgen`, `napi` or `jni`.
    pub technology: Text,
    /// `export`: another language calls it. `import`: it leads to code of another language.
    pub side: Text,
    /// Where the source opens or calls it; absent for what is declared so.
    #[serde(default, skip_serializing_if = "zero")]
    pub line_number: u32,
    /// The declarations of this tree that stand on the other side, as far as it says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<Peer>,
}

/// A declaration on the other side of a joint; no call edge, and counted nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// The key of the entity.
    pub entity: Text,
    /// `likely`: the convention that loads it names this one alone. `possible`: it is one of several of its
    /// name, or what is called is not known to come from there.
    pub tier: Text,
    /// `module-name`, `exported-name` or `symbol-name`.
    pub rule: Text,
}

/// A configuration file that was read and used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigInput {
    pub path: Text,
    pub kind: Text,
    pub digest: Digest,
}

/// What was asked of one folder and found or not found there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigSelection {
    /// The folder, relative to the root; empty: the root.
    pub context: Text,
    /// Places in it that were asked and held nothing.
    pub candidates: Vec<Text>,
    /// The configuration that was read in it.
    pub selected: Vec<Text>,
}

/// A file that was not read, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkippedFile {
    pub path: Text,
    pub reason_code: Text,
    /// A sentence for a person; may be reworded.
    pub reason: String,
}

/// Something that was read and not understood whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Partial {
    /// `parse`, `configuration` or `resolution`.
    pub stage: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Text>,
    pub reason_code: Text,
    pub reason: String,
}
