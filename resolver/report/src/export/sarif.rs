//! Findings for code scanning, in SARIF 2.1.0.

use crate::model::Report;
use serde_json::{Map, Value, json};

/// A kind of finding.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its code, whose spelling is stable.
    pub id: String,
    pub name: String,
    pub short: String,
    pub help: String,
    pub level: Level,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Warning,
    Note,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// A stretch of a file: lines and columns from one, columns in UTF-16 code units, the end exclusive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    pub file: String,
    pub start: (u32, u32),
    pub end: (u32, u32),
}

#[derive(Clone, Debug)]
pub struct Related {
    pub spot: Spot,
    pub message: String,
}

#[derive(Clone, Debug)]
pub struct Finding {
    /// The `id` of its rule.
    pub rule: String,
    pub message: String,
    pub spot: Spot,
    pub related: Vec<Related>,
    /// The key of the entity it is about; what tells it from others when lines move.
    pub entity: Option<String>,
    /// A comment in the source asks not to be told.
    pub suppressed: bool,
}

/// The document: one run of one tool over one tree.
pub fn sarif(report: &Report, rules: &[Rule], findings: &[Finding]) -> Value {
    let p = &report.analyzer_provenance;
    let described = rules.iter().map(|r| {
        json!({
            "id": r.id,
            "name": r.name,
            "shortDescription": { "text": r.short },
            "fullDescription": { "text": r.help },
            "help": { "text": r.help },
            "defaultConfiguration": { "level": r.level.word() },
        })
    });
    let results = findings.iter().map(|f| result(f, rules));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Surefoot",
                "semanticVersion": p.version,
                "rules": described.collect::<Vec<_>>(),
                "properties": { "build": p.build },
            } },
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {
                "SRCROOT": { "description": { "text": "The analysed folder." } },
            },
            "results": results.collect::<Vec<_>>(),
            "properties": {
                "snapshot_id": report.snapshot_id,
                "is_complete": report.is_complete,
            },
        }],
    })
}

fn result(f: &Finding, rules: &[Rule]) -> Value {
    let at = rules.iter().position(|r| r.id == f.rule);
    let level = at.map_or(Level::Warning, |at| rules[at].level);
    let mut out = Map::new();
    out.insert("ruleId".into(), f.rule.clone().into());
    if let Some(at) = at {
        out.insert("ruleIndex".into(), at.into());
    }
    out.insert("level".into(), level.word().into());
    out.insert("message".into(), json!({ "text": f.message }));
    out.insert("locations".into(), json!([location(&f.spot)]));
    if !f.related.is_empty() {
        let related = f.related.iter().enumerate().map(|(i, r)| {
            let mut place = location(&r.spot);
            place["id"] = i.into();
            place["message"] = json!({ "text": r.message });
            place
        });
        out.insert(
            "relatedLocations".into(),
            related.collect::<Vec<_>>().into(),
        );
    }
    // Lines move with every edit above; what the finding is about does not.
    let about = f.entity.as_ref().unwrap_or(&f.message);
    let print = blake3::hash(format!("{}\0{}\0{about}", f.rule, f.spot.file).as_bytes()).to_hex();
    out.insert(
        "partialFingerprints".into(),
        json!({ "surefoot/v1": &print[..32] }),
    );
    if f.suppressed {
        out.insert("suppressions".into(), json!([{ "kind": "inSource" }]));
    }
    Value::Object(out)
}

fn location(spot: &Spot) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&spot.file), "uriBaseId": "SRCROOT" },
            "region": {
                "startLine": spot.start.0,
                "startColumn": spot.start.1,
                "endLine": spot.end.0,
                "endColumn": spot.end.1,
            },
        },
    })
}

/// A path as a relative reference: everything but unreserved characters and slashes is escaped.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(byte as char),
            b if b.is_ascii_alphanumeric() => out.push(b as char),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}
