//! The analysed folder behind a command: opened, read with progress shown, and its text at hand.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use surefoot_engine::{Cancel, Change, Place, Snapshot};
use surefoot_facts::{LanguageId, ManifestFacts};
use surefoot_session::{Options, RelPath, Root, RootSession, Session, Skipped, Watch};

use super::around::{self, Kind};
use super::failure::{Failure, Outcome};
use super::print::{Page, clean, count};
use super::progress::Bar;
use crate::{export, keep};

/// Which folder, and how it is read.
#[derive(Debug, Clone, Args)]
pub struct Tree {
    /// The folder to analyse; without it the workspace or repository around the current folder, or
    /// around the file that is asked about. `--root .` is this folder alone
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Read every file anew, and keep nothing for the next time
    #[arg(long)]
    pub no_cache: bool,

    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Debug, Clone, Args)]
pub struct Reading {
    /// Read these languages only, with commas; all without it
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub languages: Vec<String>,

    /// Use so many threads; one per processor without it. The answer does not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// An analysed folder.
pub struct Project {
    session: Session,
    pub snapshot: Arc<Snapshot>,
    pub options: Options,
    skipped: Vec<Skipped>,
    origin: Origin,
    /// Files whose lines were shown.
    texts: RefCell<HashMap<String, Option<Arc<str>>>>,
}

/// A place with the text of its line, from one.
pub struct Opened {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

impl Project {
    /// Reads the folder that a question is about, showing progress on a terminal; `about` is the file
    /// it names.
    pub fn open(tree: &Tree, about: Option<&str>) -> Outcome<Project> {
        let origin = Origin::choose(tree.root.as_deref(), about)?;
        let project = Project::analyze(tree, origin, false)?;
        let Origin { from, given, .. } = &project.origin;
        if *given || project.holds_code_in(from) {
            return Ok(project);
        }
        // The folder is one that no analysis of the workspace enters: it is a tree of its own.
        let alone = Project::analyze(tree, Origin::alone(from), false)?;
        match alone.snapshot.totals().files {
            0 => Ok(project),
            _ => Ok(alone),
        }
    }

    /// Reads one folder anew, as for a report; with `unique_names` a name alone may bind a call.
    pub fn open_whole(folder: &Path, reading: &Reading, unique_names: bool) -> Outcome<Project> {
        let tree = Tree {
            root: None,
            no_cache: true,
            reading: reading.clone(),
        };
        Project::analyze(&tree, Origin::given(folder)?, unique_names)
    }

    fn analyze(tree: &Tree, origin: Origin, unique_names: bool) -> Outcome<Project> {
        let root = &origin.folder;
        let options = Options {
            threads: tree.reading.threads.unwrap_or(0),
            languages: language_ids(root, &tree.reading.languages)?,
            bind_unique_names: unique_names,
            keep: (!tree.no_cache).then(keep::facts),
            ..Options::default()
        };
        let mut session = Session::open(&[root], options.clone())?;
        let bar = Bar::new();
        let tell = |progress| bar.tell(progress);
        let cancel = Cancel::new();
        let watch = Watch {
            tell: &tell,
            cancel: &cancel,
        };
        for analyzed in session.analyze(watch)? {
            if analyzed.applied.interrupted {
                return Err(Failure::new("cancelled", "The analysis was stopped."));
            }
        }
        drop(bar);
        let Some(root) = session.root(0) else {
            return Err(Failure::new("invalid_root", "The folder is gone."));
        };
        let (snapshot, skipped) = (root.snapshot(), root.skipped());
        Ok(Project {
            snapshot,
            options,
            skipped,
            session,
            origin,
            texts: RefCell::default(),
        })
    }

    /// Whether a file of the graph lies in a folder, given with every link resolved.
    fn holds_code_in(&self, folder: &Path) -> bool {
        let Ok(inside) = self.root().relative(folder) else {
            return false;
        };
        let inside = inside.as_str();
        let below = |path: &str| {
            let rest = path.strip_prefix(inside);
            rest.is_some_and(|rest| inside.is_empty() || rest.starts_with('/'))
        };
        self.snapshot.files().any(|f| below(&f.path))
    }

    /// What to say where a folder holds nothing that is read.
    pub fn nothing_read(&self) -> String {
        let languages = self.snapshot.languages();
        let read: Vec<String> = languages
            .0
            .iter()
            .map(|l| format!("{} (.{})", l.name(), l.extensions().join(", .")))
            .collect();
        format!(
            "No source file was read in {}. Surefoot reads {}.",
            self.root().real().display(),
            read.join(", ")
        )
    }

    /// Settings of the tree that mean nothing: whoever wrote them believes that they do.
    pub fn unknown_settings(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (path, manifest) in self.snapshot.manifests() {
            if let ManifestFacts::Surefoot { unknown, .. } = &**manifest {
                out.extend(unknown.iter().map(|(line, key)| {
                    format!("{path}:{line}  unknown key `{key}`: it changes nothing")
                }));
            }
        }
        out
    }

    /// Says which folder was read, when it is not the current one: an answer about another tree must
    /// not pass for one about this.
    pub fn say_root(&self, page: &mut Page) {
        for said in self.unknown_settings() {
            let line = page.warn(clean(&said));
            page.line(line);
        }
        let real = self.root().real();
        if around::here().is_ok_and(|here| here == real) {
            return;
        }
        let kind = self.origin.kind;
        let kind = kind.map_or_else(String::new, |kind| format!(", the {kind} around it"));
        let line = page.dim(format_args!(
            "root: {}{kind}",
            clean(&real.display().to_string())
        ));
        page.line(line);
    }

    /// What lies around the folder that was read and was not: whoever calls from there is missing.
    pub fn beyond(&self) -> Option<String> {
        if !self.origin.given {
            return None;
        }
        let around = around::beyond(self.root().real())?;
        Some(format!(
            "This folder is part of the {} {}, and alone was read",
            around.kind,
            around.folder.display()
        ))
    }

    /// After the answer: keeps for the next time what was read this time. The
    /// process ends then, and gives nothing back piece by piece.
    pub fn keep(mut self) {
        if let Some(keeper) = self.session.root_mut(0).and_then(|r| r.keeper()) {
            let written = keeper.write();
            tracing::debug!("facts: {written:?}");
        }
        std::mem::forget(self);
    }

    /// What others say of the graph, put into it.
    pub fn apply(&mut self, changes: Vec<Change>) {
        let (tell, cancel) = (|_| (), Cancel::new());
        if let Some(root) = self.session.root_mut(0) {
            let watch = Watch {
                tell: &tell,
                cancel: &cancel,
            };
            root.apply(changes, watch);
            self.snapshot = root.snapshot();
        }
    }

    pub fn session(&self) -> Outcome<&RootSession> {
        let root = self.session.root(0);
        root.ok_or_else(|| Failure::new("invalid_root", "The folder is gone."))
    }

    pub fn root(&self) -> &Root {
        // `open` refuses a session without its root, and none is removed.
        self.session.roots()[0].root()
    }

    /// How many files were not read here: their facts were imported.
    pub fn imported(&self) -> usize {
        self.session.root(0).map_or(0, RootSession::imported)
    }

    /// Says so, where it is so.
    pub fn tell_imported(&self, page: &mut Page) {
        let files = self.imported();
        if files > 0 {
            let words = format!(
                "Facts of {} were imported, not read here; --no-cache reads them.",
                count(files as u64, "file")
            );
            page.line(page.dim(words));
        }
    }

    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The text of a file as it stands on disk, if it still is what was analysed.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let text = self.read(path);
        self.texts
            .borrow_mut()
            .insert(path.to_owned(), text.clone());
        text
    }

    fn read(&self, path: &str) -> Option<Arc<str>> {
        let rel = RelPath::new(path).ok()?;
        let text = self.session.root(0)?.read_text(&rel).ok()?;
        let file = self.snapshot.file(self.snapshot.file_at(path)?)?;
        // Lines of another text would be shown as evidence they are not.
        (file.digest == text.digest.0).then_some(text.text)
    }

    /// A line of a file, from one, without its line end.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.text(path)?;
        let file = self.snapshot.file(self.snapshot.file_at(path)?)?;
        let span = file.positions.lines.line_span(line.checked_sub(1)?)?;
        let line = text.get(span.start as usize..span.end as usize)?;
        Some(line.trim_end_matches(['\n', '\r']).to_owned())
    }

    pub fn open_place(&self, place: &Place) -> Opened {
        let file = self.snapshot.file(place.file).map(|f| f.path.to_string());
        let file = file.unwrap_or_default();
        let line = place.start.line + 1;
        Opened {
            text: self.line(&file, line).unwrap_or_default(),
            line,
            column: place.start.column + 1,
            file,
        }
    }
}

/// The folder to read, and how it came to be that one.
struct Origin {
    folder: PathBuf,
    /// What makes it the beginning of a tree; `None`: nothing was looked for or found.
    kind: Option<Kind>,
    /// The folder that the question comes from.
    from: PathBuf,
    given: bool,
}

impl Origin {
    /// The folder that was named, else the tree around the file that is asked about when that lies
    /// elsewhere, else the one around the current folder.
    fn choose(root: Option<&Path>, about: Option<&str>) -> Outcome<Origin> {
        if let Some(root) = root {
            return Origin::given(root);
        }
        let here = around::here()?;
        let own = Origin::around(&here);
        let file = about.map(Path::new).filter(|file| file.is_file());
        let elsewhere = file.and_then(around::folder_of);
        match elsewhere.filter(|folder| !folder.starts_with(&own.folder)) {
            Some(folder) => Ok(Origin::around(&folder)),
            None => Ok(own),
        }
    }

    fn given(folder: &Path) -> Outcome<Origin> {
        Ok(Origin {
            folder: folder.to_path_buf(),
            kind: None,
            from: around::here()?,
            given: true,
        })
    }

    fn around(from: &Path) -> Origin {
        match around::around(from) {
            Some(around) => Origin {
                folder: around.folder,
                kind: Some(around.kind),
                from: from.to_path_buf(),
                given: false,
            },
            None => Origin::alone(from),
        }
    }

    fn alone(folder: &Path) -> Origin {
        Origin {
            folder: folder.to_path_buf(),
            kind: None,
            from: folder.to_path_buf(),
            given: false,
        }
    }
}

/// The languages that names mean. Asked of a session that reads nothing.
fn language_ids(root: &PathBuf, names: &[String]) -> Outcome<Vec<LanguageId>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let session = Session::open(&[root], Options::default())?;
    let languages = session.root(0).map(|r| r.snapshot().languages());
    Ok(export::language_ids(languages.unwrap_or_default(), names)?)
}
