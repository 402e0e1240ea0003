//! The index of a report: declarations, calls and totals as numbers into one table of strings.

use super::answer::Of;
use crate::diff::name_of;
use crate::index::Index;
use crate::model::Report;
use crate::text::Digest;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Read;

/// Changed with every change of what an index holds: one of another recipe is made anew.
const RECIPE: u32 = 2;
/// Stands before every index.
const MAGIC: &[u8; 8] = b"surefidx";
/// What stands before a part: its length and its digest.
const PART: usize = 8 + 32;
/// A list of files longer than this is of no report that is read.
const MOST_LISTED: u64 = 1 << 30;

/// No such thing; strings and entities are numbered from zero.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct QueryIndex {
    recipe: u32,
    /// The id of the report it was made from.
    pub(super) of: [u8; 32],
    pub(super) analyzer: String,
    pub(super) complete: bool,
    pub(super) skipped: u32,
    pub(super) partial: u32,
    pub(super) strings: Vec<Box<str>>,
    pub(super) entities: Vec<EntityRow>,
    pub(super) placed: Vec<PlacedRow>,
    pub(super) open: Vec<OpenRow>,
    pub(super) possible: Vec<PossibleRow>,
    /// Path and digest, in order of the paths.
    pub(super) files: Vec<(u32, [u8; 32])>,
    /// From file to file, by place in `files`; the last: nothing is loaded for it.
    pub(super) imports: Vec<(u32, u32, bool)>,
    pub(super) cycles: Vec<Vec<u32>>,
    /// Entity and score in hundredths, highest first.
    pub(super) hotspots: Vec<(u32, u64)>,
    /// The scores of the tree, as the report writes them.
    pub(super) scores: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct EntityRow {
    pub key: u32,
    pub qualified: u32,
    pub name: u32,
    pub kind: u32,
    pub file: u32,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub parameters: Option<Vec<u32>>,
    pub documented: Option<bool>,
    pub non_production: u32,
    pub entry_point: u32,
    pub digest: Option<[u8; 32]>,
    pub metrics: Option<[u32; 7]>,
    pub reachable: bool,
}

/// The source files of a report, at the head of its index: whether they are still what they were is
/// answered without reading the rest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Listing {
    recipe: u32,
    of: [u8; 32],
    complete: bool,
    /// Path and digest, in order of the paths.
    pub(super) files: Vec<(Box<str>, [u8; 32])>,
}

impl Listing {
    /// Reads the head of an index and no more of it.
    pub fn read(mut index: impl Read) -> Result<Listing, Damaged> {
        let mut head = [0; MAGIC.len() + PART];
        index.read_exact(&mut head).map_err(|_| Damaged)?;
        let rest = head.strip_prefix(MAGIC).ok_or(Damaged)?;
        let (length, digest) = rest.split_at_checked(8).ok_or(Damaged)?;
        let length = u64::from_le_bytes(length.try_into().map_err(|_| Damaged)?);
        if length > MOST_LISTED {
            return Err(Damaged);
        }
        let mut body = Vec::new();
        let read = index.take(length).read_to_end(&mut body);
        if read.is_err() || blake3::hash(&body).as_bytes() != digest {
            return Err(Damaged);
        }
        decoded(&body)
    }

    pub fn snapshot_id(&self) -> Digest {
        Digest(self.of)
    }

    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, Digest)> {
        let files = self.files.iter();
        files.map(|(path, digest)| (&**path, Digest(*digest)))
    }

    pub(super) fn source(&self) -> Of {
        Of {
            id: Digest(self.of),
            complete: self.complete,
        }
    }
}

/// A part by the recipe of this build, which every part begins with.
fn decoded<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Damaged> {
    let (recipe, _) = postcard::take_from_bytes::<u32>(body).map_err(|_| Damaged)?;
    if recipe != RECIPE {
        return Err(Damaged);
    }
    postcard::from_bytes(body).map_err(|_| Damaged)
}

/// A call between two entities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PlacedRow {
    pub caller: u32,
    pub callee: u32,
    pub file: u32,
    pub line: u32,
    pub tier: u32,
    pub rule: u32,
}

/// A call that leads to no entity.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct OpenRow {
    pub caller: u32,
    pub name: u32,
    pub file: u32,
    pub line: u32,
    pub resolution: u32,
    pub cause: u32,
}

/// What a call may run besides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PossibleRow {
    pub caller: u32,
    pub callee: u32,
    pub file: u32,
    pub line: u32,
}

/// The bytes are no index this build can use; making it anew from the report is the cure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the index is damaged or of another recipe")
    }
}

impl std::error::Error for Damaged {}

#[derive(Default)]
struct Strings {
    list: Vec<Box<str>>,
    known: FxHashMap<Box<str>, u32>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let number = self.list.len() as u32;
        self.list.push(text.into());
        self.known.insert(text.into(), number);
        number
    }

    fn optional(&mut self, text: Option<&str>) -> u32 {
        text.map_or(NONE, |text| self.number(text))
    }
}

impl QueryIndex {
    pub fn of(report: &Report) -> QueryIndex {
        let names = Index::new(&report.entities);
        let mut s = Strings::default();
        let p = &report.analyzer_provenance;
        let files: Vec<_> = report.file_hashes.iter().collect();
        let file_at: FxHashMap<&str, u32> = files
            .iter()
            .enumerate()
            .map(|(i, (path, _))| (path.as_str(), i as u32))
            .collect();
        let keys: FxHashMap<&str, u32> = names
            .keys()
            .iter()
            .enumerate()
            .map(|(i, key)| (key.as_str(), i as u32))
            .collect();
        let mut out = QueryIndex {
            recipe: RECIPE,
            of: report.snapshot_id.0,
            analyzer: format!("{} {} ({})", p.name, p.version, p.build),
            complete: report.is_complete,
            skipped: report.skipped_files.len() as u32,
            partial: report.partial_analysis.len() as u32,
            strings: Vec::new(),
            entities: entities(report, &names, &mut s),
            placed: Vec::new(),
            open: Vec::new(),
            possible: Vec::new(),
            files: files
                .iter()
                .map(|(path, digest)| (s.number(path), digest.0))
                .collect(),
            imports: Vec::new(),
            cycles: Vec::new(),
            hotspots: Vec::new(),
            scores: scores(report),
        };
        for key in &report.reachable_from_entry {
            if let Some(&i) = keys.get(key.as_str()) {
                out.entities[i as usize].reachable = true;
            }
        }
        out.calls(report, &names, &mut s);
        let imports = report.dependencies.iter().filter(|d| &*d.kind == "import");
        out.imports = imports
            .filter_map(|d| {
                let from = *file_at.get(d.source.as_str())?;
                let to = *file_at.get(d.resolved_target.as_deref()?)?;
                (from != to).then_some((from, to, d.names_only))
            })
            .collect();
        out.imports.sort_unstable();
        out.imports.dedup();
        let cycle = |c: &Vec<crate::Text>| {
            let files = c.iter().filter_map(|f| file_at.get(f.as_str()));
            files.copied().collect()
        };
        out.cycles = report.dependency_cycles.iter().map(cycle).collect();
        let hotspots = report.hotspots.iter();
        out.hotspots = hotspots
            .filter_map(|h| Some((*keys.get(h.entity.as_str())?, h.score.0)))
            .collect();
        out.strings = s.list;
        out
    }

    fn calls(&mut self, report: &Report, names: &Index<'_>, s: &mut Strings) {
        for edge in &report.call_edges {
            let caller = names.find(&edge.caller, edge.caller_line, edge.caller_column);
            let caller = caller.map_or(NONE, |i| i as u32);
            let callee = (&*edge.resolution == "in_tree")
                .then(|| names.find(&edge.callee, edge.declaration_line, edge.declaration_column))
                .flatten();
            let (file, line) = (s.number(edge.file()), edge.line_number);
            match callee {
                Some(callee) if caller != NONE => self.placed.push(PlacedRow {
                    caller,
                    callee: callee as u32,
                    file,
                    line,
                    tier: s.optional(edge.tier.as_deref()),
                    rule: s.optional(edge.rule.as_deref()),
                }),
                _ => self.open.push(OpenRow {
                    caller,
                    name: s.number(name_of(edge)),
                    file,
                    line,
                    resolution: s.number(&edge.resolution),
                    cause: s.optional(edge.cause.as_deref()),
                }),
            }
            for c in &edge.candidates {
                if let Some(callee) =
                    names.find(&c.callee, c.declaration_line, c.declaration_column)
                {
                    let callee = callee as u32;
                    self.possible.push(PossibleRow {
                        caller,
                        callee,
                        file,
                        line,
                    });
                }
            }
        }
    }

    /// The bytes to keep: the list of files and the rest, each with a digest that tells damage.
    pub fn encode(&self) -> Vec<u8> {
        let files = self.files.iter();
        let listing = Listing {
            recipe: RECIPE,
            of: self.of,
            complete: self.complete,
            files: files
                .map(|&(path, d)| (self.text(path).into(), d))
                .collect(),
        };
        let mut out = MAGIC.to_vec();
        // Lists of numbers and strings cannot fail to become bytes; empty bytes read back as damage.
        for body in [postcard::to_stdvec(&listing), postcard::to_stdvec(self)] {
            let body = body.unwrap_or_default();
            out.extend_from_slice(&(body.len() as u64).to_le_bytes());
            out.extend_from_slice(blake3::hash(&body).as_bytes());
            out.extend_from_slice(&body);
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Result<QueryIndex, Damaged> {
        let (_, rest) = part(bytes.strip_prefix(MAGIC).ok_or(Damaged)?)?;
        let (body, rest) = part(rest)?;
        if !rest.is_empty() {
            return Err(Damaged);
        }
        decoded(body)
    }

    pub fn snapshot_id(&self) -> Digest {
        Digest(self.of)
    }

    pub(super) fn source(&self) -> Of {
        Of {
            id: Digest(self.of),
            complete: self.complete,
        }
    }

    pub(super) fn text(&self, number: u32) -> &str {
        self.strings.get(number as usize).map_or("", |s| s)
    }

    pub(super) fn optional(&self, number: u32) -> Option<&str> {
        self.strings.get(number as usize).map(|s| &**s)
    }

    pub(super) fn key(&self, entity: u32) -> &str {
        self.entities
            .get(entity as usize)
            .map_or("", |row| self.text(row.key))
    }
}

/// The first part of some bytes, and what follows it.
fn part(bytes: &[u8]) -> Result<(&[u8], &[u8]), Damaged> {
    let (head, rest) = bytes.split_at_checked(PART).ok_or(Damaged)?;
    let (length, digest) = head.split_at_checked(8).ok_or(Damaged)?;
    let length = u64::from_le_bytes(length.try_into().map_err(|_| Damaged)?);
    let length = usize::try_from(length).map_err(|_| Damaged)?;
    let (body, rest) = rest.split_at_checked(length).ok_or(Damaged)?;
    match blake3::hash(body).as_bytes() == digest {
        true => Ok((body, rest)),
        false => Err(Damaged),
    }
}

fn entities(report: &Report, names: &Index<'_>, s: &mut Strings) -> Vec<EntityRow> {
    let rows = report.entities.iter().enumerate();
    rows.map(|(i, e)| {
        let metrics = report.metrics_by_entity.get(names.key(i));
        EntityRow {
            key: s.number(names.key(i)),
            qualified: s.number(&e.qualified_name),
            name: s.number(&e.name),
            kind: s.number(&e.kind),
            file: s.number(&e.file),
            line: e.line_number,
            column: e.column,
            end_line: e.end_line,
            parameters: e
                .parameters
                .as_ref()
                .map(|p| p.iter().map(|p| s.number(p)).collect()),
            documented: e.documented,
            non_production: s.optional(e.non_production.as_deref()),
            entry_point: s.optional(e.entry_point.as_deref()),
            digest: e.content_digest.map(|d| d.0),
            metrics: metrics.map(|m| {
                [
                    m.cyclomatic_complexity.unwrap_or(NONE),
                    m.cognitive_complexity.unwrap_or(NONE),
                    m.closure_complexity,
                    m.closures,
                    m.fan_in,
                    m.fan_out,
                    m.depth,
                ]
            }),
            reachable: false,
        }
    })
    .collect()
}

fn scores(report: &Report) -> String {
    let value = serde_json::json!({
        "fragility": report.fragility,
        "risk_index": report.risk_index,
        "doc_coverage": report.doc_coverage,
        "production": report.production,
    });
    value.to_string()
}
