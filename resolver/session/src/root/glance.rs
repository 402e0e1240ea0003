//! A first look at a root around a few of its files, for answers before all of it is read.
//!
//! Callers of what a file declares stand in files that say its name. Those are found by their bytes, which
//! costs a fraction of reading them, and only they are read; every other source file is `unread` in the graph,
//! so that each list says it is a floor.

use super::RootSession;
use crate::progress::{Progress, Watch};
use crate::read::Job;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use surefoot_engine::{Applied, Change};
use surefoot_facts::Language;
use surefoot_files::{Entry, Refusal, RelPath, Wanted, read_entry, walk};

/// Source files read beside the ones asked about.
const FILES: usize = 400;
/// Bytes looked through for names.
const BYTES: u64 = 256 << 20;

impl RootSession {
    /// Reads the manifests, the open documents and the files that name what these declare, and notes all others
    /// as unread. For a session of its own: it is thrown away when the root has been read.
    pub fn glance(
        &mut self,
        open: &[(RelPath, Arc<str>)],
        watch: Watch<'_>,
    ) -> Result<Applied, Refusal> {
        let found = walk(
            &self.root,
            &self.options.walk,
            &|path| self.wanted(path),
            &mut |_| match watch.cancel.is_cancelled() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            },
        )?;
        let wanted = Wanting::of(open);
        let (read, unread) = self.choose(&found.files, &wanted, watch);
        let jobs = read.into_iter().map(|entry| Job {
            entry: entry.clone(),
            before: None,
        });
        let jobs: Vec<Job> = jobs.collect();
        let read = self.read(jobs, watch)?;
        let mut changes = Vec::new();
        for entry in unread {
            changes.push(Change::Unread {
                path: entry.rel.as_str().into(),
                language: self.language_of(&entry.rel),
                reason: "the folder is still being read".into(),
            });
        }
        self.take(read, &found.files, &mut changes);
        self.note_skips(&found, &mut changes);
        self.installed = found.installed;
        let mut applied = self.apply(changes, watch);
        for (rel, text) in open {
            if let Some(more) = self.overlay_text(rel, text, watch) {
                applied = more;
            }
        }
        Ok(applied)
    }

    /// The files to read, and the source files that are left for later.
    fn choose<'a>(
        &self,
        files: &'a [Entry],
        wanted: &Wanting,
        watch: Watch<'_>,
    ) -> (Vec<&'a Entry>, Vec<&'a Entry>) {
        let (mut read, mut sources) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        for entry in files {
            if entry.wanted == Wanted::Manifest || wanted.open.contains(&entry.rel) {
                read.push(entry);
                continue;
            }
            bytes += entry.stamp.len;
            sources.push((entry, bytes <= BYTES));
        }
        let max = self.options.walk.max_file_bytes;
        (watch.tell)(Progress::Walking { seen: files.len() });
        let names = self.pool.each(&sources, |(entry, look)| {
            if !look || watch.cancel.is_cancelled() {
                return false;
            }
            if wanted.leads_to(&entry.rel) {
                return true;
            }
            let text = read_entry(&self.root, entry, max);
            text.is_ok_and(|text| wanted.named_in(&text.text))
        });
        let mut unread = Vec::new();
        let mut left = FILES;
        for ((entry, _), named) in sources.into_iter().zip(names) {
            if named && left > 0 {
                left -= 1;
                read.push(entry);
            } else {
                unread.push(entry);
            }
        }
        (read, unread)
    }
}

/// What makes a file worth reading now.
struct Wanting {
    open: BTreeSet<RelPath>,
    /// What the open files declare, and how they are called themselves.
    declared: BTreeSet<String>,
    /// Words of the open files: a file that bears one of them as its name may be what they call.
    words: BTreeSet<String>,
}

impl Wanting {
    fn of(open: &[(RelPath, Arc<str>)]) -> Wanting {
        let mut wanting = Wanting {
            open: open.iter().map(|(rel, _)| rel.clone()).collect(),
            declared: BTreeSet::new(),
            words: BTreeSet::new(),
        };
        for (rel, text) in open {
            let Some(language) = surefoot_langs::of_path(rel.as_str()) else {
                continue;
            };
            wanting.declared.extend(declared(language, text));
            wanting.declared.extend(own_names(rel));
            wanting.words.extend(words(text).map(str::to_owned));
        }
        wanting
    }

    fn named_in(&self, text: &str) -> bool {
        words(text).any(|word| self.declared.contains(word))
    }

    fn leads_to(&self, rel: &RelPath) -> bool {
        own_names(rel).any(|name| self.words.contains(&name))
    }
}

/// Names a text declares that something can call.
fn declared(language: &'static dyn Language, text: &str) -> Vec<String> {
    let read = std::panic::AssertUnwindSafe(|| language.facts(text));
    let Ok(extracted) = std::panic::catch_unwind(read) else {
        return Vec::new();
    };
    let items = extracted.facts.items.iter();
    let symbols = items.flat_map(|item| item.symbols.iter());
    let named = symbols.filter(|symbol| symbol.kind.is_callable() || symbol.kind.is_type());
    let names = named.map(|symbol| symbol.name.text().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// What a file is called by those who import it: its own name, or its folder's.
fn own_names(rel: &RelPath) -> impl Iterator<Item = String> {
    let stem = rel.file_name().split('.').next().unwrap_or_default();
    let parent = rel.parent();
    let folder = parent.as_ref().map_or("", |parent| parent.file_name());
    // Names that stand for the folder in one language or another say nothing themselves.
    let stands_for_folder = matches!(stem, "mod" | "lib" | "main" | "index" | "__init__");
    let name = if stands_for_folder { folder } else { stem };
    let names = (!name.is_empty()).then(|| name.to_owned());
    names.into_iter()
}

/// The words of a text as every language here writes names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c| !part(c)).filter(|word| word.len() > 1)
}
