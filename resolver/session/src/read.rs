//! From files to facts, many at once; a file that cannot be read costs itself alone.

use crate::kept;
use crate::progress::{Progress, Watch};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot_engine::{FileChange, Pool};
use surefoot_facts::{Extracted, Language, ManifestFacts};
use surefoot_files::{
    Digest, Entry, FactsCache, FileText, ReasonCode, RelPath, Root, Skipped, Stamp, Wanted,
    read_entry,
};

/// What reading one file gave.
pub(crate) struct Read {
    pub rel: RelPath,
    pub wanted: Wanted,
    pub got: Got,
}

pub(crate) enum Got {
    /// The same bytes as before.
    Same {
        stamp: Stamp,
        settled: bool,
    },
    Source {
        change: FileChange,
        stamp: Stamp,
        settled: bool,
        /// Its facts come from an earlier run.
        kept: bool,
        /// They were read elsewhere.
        imported: bool,
    },
    Manifest {
        facts: Arc<ManifestFacts>,
        digest: Digest,
        stamp: Stamp,
        settled: bool,
    },
    /// Gone since the walk.
    Gone,
    Skipped(Skipped),
}

/// A file to read, and the digest of the bytes it had.
pub(crate) struct Job {
    pub entry: Entry,
    pub before: Option<Digest>,
}

/// Reads files on all threads, the largest first; `None`: stopped.
pub(crate) fn read_all(
    root: &Root,
    mut jobs: Vec<Job>,
    max: u64,
    kept: Option<&FactsCache>,
    contents: bool,
    pool: &Pool,
    watch: Watch<'_>,
) -> Option<Vec<Read>> {
    jobs.sort_by(|a, b| {
        let key = |j: &Job| (std::cmp::Reverse(j.entry.stamp.len), j.entry.rel.clone());
        key(a).cmp(&key(b))
    });
    let done = AtomicUsize::new(0);
    let of = jobs.len();
    let out = pool.each(&jobs, |job| {
        if watch.cancel.is_cancelled() {
            return None;
        }
        let read = read_one(root, job, max, kept, contents);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (watch.tell)(Progress::Reading { done, of });
        Some(read)
    });
    let mut out: Vec<Read> = out.into_iter().collect::<Option<_>>()?;
    out.sort_by(|a, b| a.rel.cmp(&b.rel));
    Some(out)
}

fn read_one(root: &Root, job: &Job, max: u64, kept: Option<&FactsCache>, contents: bool) -> Read {
    let entry = &job.entry;
    if let Some(got) = kept.and_then(|kept| unread(job, max, kept)) {
        return Read {
            rel: entry.rel.clone(),
            wanted: entry.wanted,
            got,
        };
    }
    let got = match read_entry(root, entry, max) {
        Ok(text) if job.before == Some(text.digest) => Got::Same {
            stamp: text.stamp,
            settled: text.settled,
        },
        Ok(text) => match entry.wanted {
            Wanted::Manifest => manifest(&entry.rel, &text),
            _ => source(&entry.rel, &text, kept, contents),
        },
        Err(skip) if is_gone(root, entry) => {
            let _ = skip;
            Got::Gone
        }
        Err(skip) if entry.wanted == Wanted::Manifest => Got::Manifest {
            facts: Arc::new(ManifestFacts::Unreadable(skip.reason)),
            digest: Digest([0; 32]),
            stamp: entry.stamp,
            settled: false,
        },
        Err(skip) => Got::Skipped(skip),
    };
    Read {
        rel: entry.rel.clone(),
        wanted: entry.wanted,
        got,
    }
}

/// A source file whose stamp says that it is what it was when its facts were kept.
fn unread(job: &Job, max: u64, kept: &FactsCache) -> Option<Got> {
    let entry = &job.entry;
    if entry.wanted != Wanted::Source || job.before.is_some() || entry.stamp.len > max {
        return None;
    }
    let language = surefoot_langs::of_path(entry.rel.as_str())?;
    let digest = kept.digest_of(&entry.rel, &entry.stamp)?;
    let (extracted, imported) = kept::facts(kept, language.id(), &digest)?;
    let bytes = extracted.positions.lines.text_len();
    Some(Got::Source {
        change: FileChange::new(entry.rel.as_str(), digest.0, bytes, extracted),
        stamp: entry.stamp,
        settled: true,
        kept: true,
        imported,
    })
}

fn is_gone(root: &Root, entry: &Entry) -> bool {
    let real = entry.real.as_ref().unwrap_or(&entry.rel);
    surefoot_files::exists(root, real) == surefoot_files::Presence::Absent
}

fn source(rel: &RelPath, text: &FileText, kept: Option<&FactsCache>, contents: bool) -> Got {
    let skip = |reason: String| {
        Got::Skipped(Skipped {
            path: rel.as_str().to_owned(),
            code: ReasonCode::ParseError,
            reason,
        })
    };
    let Some(language) = surefoot_langs::of_path(rel.as_str()) else {
        return skip("no language reads files of this name".to_owned());
    };
    let kept = kept.and_then(|kept| kept::facts(kept, language.id(), &text.digest));
    let was_kept = kept.is_some();
    let (extracted, imported) = match kept {
        Some(kept) => kept,
        None => match extract(language, &text.text) {
            Ok(extracted) => (extracted, false),
            Err(words) => return skip(format!("reading it failed: {words}")),
        },
    };
    let bytes = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
    let mut extracted = extracted;
    if !contents {
        // Nobody looks at where things stand until a question leads there.
        extracted.positions.items = extracted.positions.items.put_away();
    }
    let mut change = FileChange::new(rel.as_str(), text.digest.0, bytes, extracted);
    if contents {
        change.contents = Some(Arc::new(change.positions.contents(&text.text)));
    }
    Got::Source {
        change,
        stamp: text.stamp,
        settled: text.settled,
        kept: was_kept,
        imported,
    }
}

/// The facts of a text; a panic becomes words.
fn extract(language: &'static dyn Language, text: &str) -> Result<Extracted, String> {
    catch_unwind(AssertUnwindSafe(|| language.facts(text))).map_err(|panic| {
        let words = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        words.unwrap_or_else(|| "an internal error".to_owned())
    })
}

fn manifest(rel: &RelPath, text: &FileText) -> Got {
    let facts = surefoot_langs::manifest_facts(rel.as_str(), text.text.as_bytes());
    let facts = facts.unwrap_or_else(|| ManifestFacts::Unreadable("not a manifest".to_owned()));
    Got::Manifest {
        facts: Arc::new(facts),
        digest: text.digest,
        stamp: text.stamp,
        settled: text.settled,
    }
}
