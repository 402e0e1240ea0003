//! Answers kept from one run to the next, by the texts at both of their ends.
//!
//! They lie beside the kept facts, under the same bound and the same checksums, one pack for each root and server.
//! An answer that names places holds while the asking text and each named text are what they were; one that
//! names none, while the whole tree is. `verify` asks nobody and never looks here.

use std::path::Path;
use std::time::UNIX_EPOCH;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use surefoot_bridge::{Answer, Ask, Encoding, Place, Said, Server, Spec};
use surefoot_engine::Snapshot;
use surefoot_files::{Digest, FactsCache, NewFacts, Root, Written};
use surefoot_graph::FileId;

use super::find::{End, end};

/// The bound of one root's answers by one server.
const MAX_BYTES: u64 = 64 << 20;
/// Times that answers of one text are added to; what comes later is not kept.
const PARTS: u32 = 64;
/// Texts whose answers are held in memory; beyond it nothing new is kept.
const TEXTS: usize = 100_000;

/// Where a question stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    pub line: u32,
    /// In bytes.
    pub column: u32,
    pub ask: Ask,
}

#[derive(Clone, Serialize, Deserialize)]
struct Row {
    line: u32,
    column: u32,
    implementation: bool,
    name: String,
    version: String,
    /// Empty: the server named none.
    places: Vec<KeptPlace>,
    /// Of the whole tree, where no place was named.
    tree: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct KeptPlace {
    uri: String,
    line: u32,
    column: u32,
    utf16: bool,
    /// Of the text it names, or of what the disk says of a file outside the tree.
    end: String,
}

/// The answers of one text.
#[derive(Default)]
struct Text {
    rows: FxHashMap<At, Row>,
    /// Those that are on no disk yet.
    new: Vec<At>,
    parts: u32,
}

/// The kept answers of one root by one server.
pub struct KeptAnswers {
    cache: FactsCache,
    texts: FxHashMap<Digest, Text>,
    /// The last tree whose digest was taken.
    tree: Option<(u64, String)>,
}

impl KeptAnswers {
    /// What is kept of a root's answers by a server as it is set up now.
    pub fn open(root: &Root, spec: &Spec) -> KeptAnswers {
        KeptAnswers {
            cache: FactsCache::open(root, &fingerprint(spec)),
            texts: FxHashMap::default(),
            tree: None,
        }
    }

    /// The answer about a place, where one was kept and both its ends are what they were.
    pub fn get(
        &mut self,
        snapshot: &Snapshot,
        root: &Root,
        file: FileId,
        at: At,
    ) -> Option<(Server, Said)> {
        let tree = self.tree(snapshot);
        let text = self.text(snapshot, file)?;
        let row = text.rows.get(&at)?;
        let holds = match row.places.is_empty() {
            true => row.tree == tree,
            false => row
                .places
                .iter()
                .all(|place| stamp(snapshot, root, &place.uri).as_deref() == Some(&place.end)),
        };
        if !holds {
            return None;
        }
        let server = Server {
            name: row.name.clone(),
            version: row.version.clone(),
        };
        let places = row.places.iter().map(|place| Place {
            uri: place.uri.clone(),
            line: place.line,
            column: place.column,
            encoding: match place.utf16 {
                true => Encoding::Utf16,
                false => Encoding::Utf8,
            },
        });
        let places: Vec<Place> = places.collect();
        Some(match places.is_empty() {
            true => (server, Said::Nothing),
            false => (server, Said::Places(places)),
        })
    }

    /// Keeps an answer; one that nobody gave, or that leads nowhere, is not kept.
    pub fn put(&mut self, snapshot: &Snapshot, root: &Root, file: FileId, at: At, answer: &Answer) {
        let mut kept = Vec::new();
        match &answer.said {
            Said::Nothing => {}
            Said::Places(places) => {
                for place in places {
                    let Some(end) = stamp(snapshot, root, &place.uri) else {
                        return;
                    };
                    kept.push(KeptPlace {
                        uri: place.uri.clone(),
                        line: place.line,
                        column: place.column,
                        utf16: place.encoding == Encoding::Utf16,
                        end,
                    });
                }
            }
            Said::Unavailable(_) | Said::Stale => return,
        }
        let row = Row {
            line: at.line,
            column: at.column,
            implementation: at.ask == Ask::Implementation,
            name: answer.server.name.clone(),
            version: answer.server.version.clone(),
            places: kept,
            tree: self.tree(snapshot),
        };
        if let Some(text) = self.text(snapshot, file) {
            text.rows.insert(at, row);
            if !text.new.contains(&at) {
                text.new.push(at);
            }
        }
    }

    /// Writes what is new. A cache is never a source of errors: what became of it is for the log.
    pub fn write(&mut self) -> Written {
        let mut parts: Vec<(Digest, Vec<u8>)> = Vec::new();
        for (key, text) in &mut self.texts {
            if text.new.is_empty() || text.parts >= PARTS {
                continue;
            }
            let rows = text.new.iter().filter_map(|at| text.rows.get(at));
            let rows: Vec<&Row> = rows.collect();
            parts.extend(
                serde_json::to_vec(&rows)
                    .ok()
                    .map(|b| (part(key, text.parts), b)),
            );
        }
        let new: Vec<NewFacts<'_>> = parts
            .iter()
            .map(|(digest, bytes)| NewFacts {
                digest: *digest,
                lang: 0,
                bytes,
            })
            .collect();
        let written = match new.is_empty() {
            true => Written::Unchanged,
            false => self.cache.write_within(&new, &[], MAX_BYTES),
        };
        if !matches!(written, Written::Busy) {
            for text in self.texts.values_mut().filter(|text| !text.new.is_empty()) {
                text.new.clear();
                text.parts += 1;
            }
        }
        written
    }

    /// Texts whose answers are held, and how many may be.
    pub fn held(&self) -> (usize, usize) {
        (self.texts.len(), TEXTS)
    }

    fn text(&mut self, snapshot: &Snapshot, file: FileId) -> Option<&mut Text> {
        let entry = snapshot.file(file)?;
        let mut key = blake3::Hasher::new();
        key.update(&entry.digest).update(entry.path.as_bytes());
        let key = Digest(key.finalize().into());
        if !self.texts.contains_key(&key) {
            if self.texts.len() >= TEXTS {
                return None;
            }
            let text = read(&self.cache, &key);
            self.texts.insert(key, text);
        }
        self.texts.get_mut(&key)
    }

    fn tree(&mut self, snapshot: &Snapshot) -> String {
        match &self.tree {
            Some((revision, tree)) if *revision == snapshot.revision() => tree.clone(),
            _ => {
                let mut all = blake3::Hasher::new();
                for file in snapshot.files() {
                    all.update(file.path.as_bytes()).update(&file.digest);
                }
                let tree = all.finalize().to_hex().to_string();
                self.tree = Some((snapshot.revision(), tree.clone()));
                tree
            }
        }
    }
}

/// Later parts say more of a text, or say it anew.
fn read(cache: &FactsCache, key: &Digest) -> Text {
    let mut text = Text::default();
    while text.parts < PARTS
        && let Some(bytes) = cache.get(&part(key, text.parts), 0)
    {
        text.parts += 1;
        let rows: Vec<Row> = serde_json::from_slice(bytes).unwrap_or_default();
        for row in rows {
            let ask = match row.implementation {
                true => Ask::Implementation,
                false => Ask::Definition,
            };
            let at = At {
                line: row.line,
                column: row.column,
                ask,
            };
            text.rows.insert(at, row);
        }
    }
    text
}

fn part(key: &Digest, nth: u32) -> Digest {
    let mut part = blake3::Hasher::new();
    part.update(key.as_bytes()).update(&nth.to_le_bytes());
    Digest(part.finalize().into())
}

/// What tells that the text a place names is another: its digest in the tree, what the disk says of it outside.
fn stamp(snapshot: &Snapshot, root: &Root, uri: &str) -> Option<String> {
    match end(snapshot, root, uri) {
        End::Inside(file) => Some(Digest(snapshot.file(file)?.digest).to_string()),
        End::Outside(path) => file_stamp(&path),
        End::Library => Some("library".to_owned()),
        End::Nowhere => None,
    }
}

fn file_stamp(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {}", metadata.len(), modified.as_nanos()))
}

/// Another command, other options or another program at the same place are another server.
fn fingerprint(spec: &Spec) -> Digest {
    let said = format!(
        "answers 1\0{}\0{:?}\0{:?}\0{}\0{}",
        spec.command, spec.arguments, spec.languages, spec.options, spec.settings
    );
    let mut out = blake3::Hasher::new();
    out.update(said.as_bytes());
    if let Some(stamp) = spec.program().and_then(|path| file_stamp(&path)) {
        out.update(stamp.as_bytes());
    }
    Digest(out.finalize().into())
}
