//! Facts kept from one run to the next, by what decides them: content, language, and the build that read it.

use std::path::PathBuf;
use std::sync::Arc;
use surefoot_engine::Snapshot;
use surefoot_facts::{Extracted, LanguageId, decode_file, decode_vouched, encode_parts};
use surefoot_files::{
    Digest, FactsCache, Imported, NewFacts, NotImported, RelPath, Root, Stamp, StatRow, Written,
    artefact,
};

/// That facts are kept, and by which build.
#[derive(Clone, Debug)]
pub struct Keep {
    /// Names the extractors and their grammars, and what the numbers of languages mean.
    pub build: Digest,
    /// Where; the user's cache folder without it.
    pub folder: Option<PathBuf>,
}

impl Keep {
    pub(crate) fn open(&self, root: &Root) -> FactsCache {
        match &self.folder {
            Some(folder) => FactsCache::open_in(folder, root, &self.build),
            None => FactsCache::open(root, &self.build),
        }
    }
}

/// The facts of a content, if they were kept and can be read, and whether they
/// were read elsewhere.
pub(crate) fn facts(
    cache: &FactsCache,
    language: LanguageId,
    digest: &Digest,
) -> Option<(Extracted, bool)> {
    let read = decode_vouched(cache.get(digest, language.0)?).ok()?;
    let imported = cache.is_imported(digest, language.0);
    (read.facts.language == language).then_some((read, imported))
}

/// The facts of every file of a snapshot, to be imported elsewhere. The same
/// files give the same bytes.
pub fn export_facts(snapshot: &Snapshot, build: &Digest) -> (Vec<u8>, usize) {
    let mut all: Vec<(Digest, u8, Vec<u8>)> = Vec::new();
    for entry in snapshot.files() {
        let bytes = encode_parts(&entry.facts, &entry.positions);
        all.push((Digest(entry.digest), entry.language.0, bytes));
    }
    all.sort();
    all.dedup();
    let facts = all.iter().map(|(digest, lang, bytes)| NewFacts {
        digest: *digest,
        lang: *lang,
        bytes,
    });
    let facts: Vec<NewFacts<'_>> = facts.collect();
    (artefact(build, &facts), facts.len())
}

/// Takes what [`export_facts`] made into what is kept of `root`.
pub fn import_facts(root: &Root, keep: &Keep, file: &[u8]) -> Result<Imported, NotImported> {
    let holds = |lang: u8, bytes: &[u8]| {
        decode_file(bytes).is_ok_and(|read| read.facts.language == LanguageId(lang))
    };
    keep.open(root).import(file, &keep.build, &holds)
}

/// What is to be kept of one root; written by whoever has the time.
pub struct Keeper {
    pub(crate) cache: FactsCache,
    pub(crate) snapshot: Arc<Snapshot>,
    /// Files as they stand on disk, with what their stamp vouches for.
    pub(crate) files: Vec<(RelPath, Stamp, bool, Digest)>,
}

impl Keeper {
    /// Writes what is new. A cache is never a source of errors: what became of it is for the log.
    pub fn write(self) -> Written {
        let Keeper {
            cache,
            snapshot,
            files,
        } = self;
        let mut new: Vec<(Digest, u8, Vec<u8>)> = Vec::new();
        for (rel, _, _, digest) in &files {
            let entry = snapshot.file_at(rel.as_str());
            let Some(entry) = entry.and_then(|f| snapshot.file(f)) else {
                continue;
            };
            // An editor's text may stand in the graph in place of the disk's.
            if entry.digest == digest.0 && cache.get(digest, entry.language.0).is_none() {
                let bytes = encode_parts(&entry.facts, &entry.positions);
                new.push((*digest, entry.language.0, bytes));
            }
        }
        let facts: Vec<NewFacts<'_>> = new
            .iter()
            .map(|(digest, lang, bytes)| NewFacts {
                digest: *digest,
                lang: *lang,
                bytes,
            })
            .collect();
        let settled = files.into_iter().filter(|(_, _, settled, _)| *settled);
        let stats = settled.map(|(path, stamp, _, digest)| StatRow {
            path,
            stamp,
            digest,
        });
        let stats: Vec<StatRow> = stats.collect();
        cache.write(&facts, &stats)
    }
}
