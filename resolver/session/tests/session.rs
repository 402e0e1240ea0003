//! A session over real folders: what is read, what is left out and said, what a
//! change on disk or in an editor costs.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests make the folders they read"
)]

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use surefoot_engine::features::query::{Found, find};
use surefoot_graph::SymbolId;
use surefoot_session::{
    Analyzed, Applied, Cancel, Keep, Options, Progress, ReasonCode, RelPath, RootSession, Session,
    Snapshot, Standing, WalkOptions, Watch, hash_bytes,
};
use tempfile::TempDir;

const LIB: &str = "pub fn load(n: u32) -> u32 { n }\npub fn other() {}\n";
const MAIN: &str = "mod lib2;\nfn main() { crate::lib2::load(1); }\n";

fn tree(files: &[(&str, &str)]) -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(temp.path(), path, text);
    }
    temp
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn project() -> TempDir {
    tree(&[
        ("Cargo.toml", "[package]\nname = \"demo\"\n"),
        ("src/main.rs", MAIN),
        ("src/lib2.rs", LIB),
    ])
}

fn open(folder: &Path) -> Session {
    open_with(folder, Options::default())
}

fn open_with(folder: &Path, options: Options) -> Session {
    let mut session = Session::open(&[folder], options).unwrap();
    session.analyze(Watch::quiet(&Cancel::new())).unwrap();
    session
}

fn keeping(folder: &Path, cache: &Path) -> (Session, Analyzed) {
    let keep = Keep {
        build: hash_bytes(b"this build"),
        folder: Some(cache.to_owned()),
    };
    let options = Options {
        keep: Some(keep),
        ..Options::default()
    };
    let mut session = Session::open(&[folder], options).unwrap();
    let watch = Cancel::new();
    let mut analyzed = session.analyze(Watch::quiet(&watch)).unwrap();
    if let Some(keeper) = root(&mut session).keeper() {
        keeper.write();
    }
    (session, analyzed.remove(0))
}

// The second start must parse only what changed since the first, and must see
// the same graph as one that keeps nothing.
#[test]
fn facts_are_kept_from_one_run_to_the_next() {
    let (temp, cache) = (project(), tempfile::tempdir().unwrap());
    let (_, first) = keeping(temp.path(), cache.path());
    assert_eq!((first.files, first.kept), (2, 0));
    let (_, second) = keeping(temp.path(), cache.path());
    assert_eq!((second.files, second.kept), (2, 2));
    write(temp.path(), "src/main.rs", "mod lib2;\nfn main() {}\n");
    let (third, analyzed) = keeping(temp.path(), cache.path());
    assert_eq!((analyzed.files, analyzed.kept), (2, 1));
    let (kept, fresh) = (third.root(0).unwrap(), open(temp.path()));
    let (kept, fresh) = (kept.snapshot(), fresh.root(0).unwrap().snapshot());
    for s in [&kept, &fresh] {
        assert!(s.callers(symbol(s, "load")).placed.is_empty());
    }
    let digests = |s: &Snapshot| {
        s.files()
            .map(|f| (f.path.clone(), f.digest))
            .collect::<Vec<_>>()
    };
    assert_eq!(digests(&kept), digests(&fresh));
    assert_eq!(kept.totals(), fresh.totals());
}

// A cache that somebody else wrote into, or that was cut short, is no source of facts.
#[test]
fn an_altered_cache_is_an_empty_one() {
    let (temp, cache) = (project(), tempfile::tempdir().unwrap());
    keeping(temp.path(), cache.path());
    for entry in fs::read_dir(cache.path()).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
        }
        fs::write(&path, bytes).unwrap();
    }
    let (_, again) = keeping(temp.path(), cache.path());
    assert_eq!((again.files, again.kept), (2, 0));
}

fn root(session: &mut Session) -> &mut RootSession {
    session.root_mut(0).unwrap()
}

fn update(session: &mut Session, folder: &Path, paths: &[&str]) -> Applied {
    let paths: Vec<_> = paths.iter().map(|p| folder.join(p)).collect();
    let done = session.update_paths(&paths, Watch::quiet(&Cancel::new()));
    done.unwrap().remove(0).1
}

#[track_caller]
fn symbol(s: &Snapshot, name: &str) -> SymbolId {
    match find(s, name) {
        Found::One(id) => id,
        other => panic!("{name}: {other:?}"),
    }
}

#[track_caller]
fn callers(s: &Snapshot, name: &str) -> Vec<String> {
    let calls = s.callers(symbol(s, name));
    let all = calls.placed.iter();
    all.map(|g| s.qualified_name(g.symbol).unwrap()).collect()
}

fn rel(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

// The first thing anyone does: open a folder, ask who calls something, and be
// told how far the reading is.
#[test]
fn a_folder_is_read_whole_and_its_progress_told() {
    let temp = project();
    let told = Mutex::new(Vec::new());
    let mut session = Session::open(&[temp.path()], Options::default()).unwrap();
    let tell = |p| told.lock().unwrap().push(p);
    let cancel = Cancel::new();
    let watch = Watch {
        tell: &tell,
        cancel: &cancel,
    };
    let done = session.analyze(watch).unwrap().remove(0);
    assert_eq!((done.files, done.manifests, done.read), (2, 1, 3));
    assert_eq!(done.applied.work.resolved, 2);
    let s = session.root(0).unwrap().snapshot();
    assert_eq!(callers(&s, "load"), ["src/main.rs::main"]);
    let told = told.into_inner().unwrap();
    assert!(
        told.contains(&Progress::Reading { done: 3, of: 3 }),
        "{told:?}"
    );
    assert!(matches!(told.last(), Some(Progress::Resolving { .. })));
}

// An unchanged tree is not read again; a touched file with the same bytes costs
// no facts.
#[test]
fn an_unchanged_file_costs_no_facts() {
    let temp = project();
    let mut session = open(temp.path());
    let before = root(&mut session).snapshot().revision();
    write(temp.path(), "src/lib2.rs", LIB);
    let done = update(&mut session, temp.path(), &["src/lib2.rs"]);
    assert_eq!((done.work.facts, done.work.resolved), (0, 0));
    assert_eq!(root(&mut session).snapshot().revision(), before);
}

// One batch of a watcher: an edit, a new file, a gone file, a folder.
#[test]
fn a_batch_of_changed_paths_is_one_update() {
    let temp = project();
    let mut session = open(temp.path());
    write(temp.path(), "src/lib2.rs", &LIB.replace("load", "fetch"));
    let done = update(&mut session, temp.path(), &["src/lib2.rs"]);
    assert_eq!((done.work.facts, done.work.resolved), (1, 2));
    let s = root(&mut session).snapshot();
    assert!(callers(&s, "fetch").is_empty());
    // A whole folder comes, by its own path alone; a neighbour sorts between.
    write(temp.path(), "extra/more.rs", "pub fn extra() { extra() }\n");
    write(temp.path(), "extra.rs", "pub fn beside() {}\n");
    let done = update(&mut session, temp.path(), &["extra"]);
    assert_eq!(done.work.facts, 2);
    fs::remove_dir_all(temp.path().join("extra")).unwrap();
    update(&mut session, temp.path(), &["extra"]);
    assert_eq!(root(&mut session).snapshot().files().len(), 3);
    fs::remove_file(temp.path().join("extra.rs")).unwrap();
    fs::remove_file(temp.path().join("src/lib2.rs")).unwrap();
    update(&mut session, temp.path(), &["extra.rs", "src/lib2.rs"]);
    let s = root(&mut session).snapshot();
    let paths: Vec<String> = s.files().map(|f| f.path.to_string()).collect();
    assert_eq!(paths, ["src/main.rs"]);
    // Back again: the graph is what it was.
    write(temp.path(), "src/lib2.rs", LIB);
    update(&mut session, temp.path(), &["src/lib2.rs"]);
    let s = root(&mut session).snapshot();
    assert_eq!(callers(&s, "load"), ["src/main.rs::main"]);
}

// Ignore rules decide what is in the graph; editing them must, too.
#[test]
fn an_edited_ignore_file_takes_files_out_and_in() {
    let temp = project();
    let mut session = open(temp.path());
    write(temp.path(), ".ignore", "lib2.rs\n");
    update(&mut session, temp.path(), &[".ignore"]);
    let root = root(&mut session);
    assert_eq!(root.snapshot().files().len(), 1);
    assert_eq!(root.standing(&rel("src/lib2.rs")), Standing::Ignored);
    assert_eq!(root.standing(&rel("src/main.rs")), Standing::Admitted);
    assert_eq!(root.standing(&rel("src/new.rs")), Standing::New);
    assert_eq!(root.standing(&rel("notes.txt")), Standing::NoLanguage);
    fs::remove_file(temp.path().join(".ignore")).unwrap();
    update(&mut session, temp.path(), &[".ignore"]);
    assert_eq!(session.root(0).unwrap().snapshot().files().len(), 2);
}

// While a file is open its text is the editor's, whatever the disk says; closed,
// the disk's text counts again.
#[test]
fn an_open_document_hides_the_disk_until_it_is_closed() {
    let temp = project();
    let mut session = open(temp.path());
    let cancel = Cancel::new();
    let watch = Watch::quiet(&cancel);
    let lib = rel("src/lib2.rs");
    let edited = LIB.replace("load", "typed");
    let root = root(&mut session);
    let done = root.overlay_text(&lib, &edited, watch).unwrap();
    assert_eq!(done.work.facts, 1);
    assert!(callers(&root.snapshot(), "typed").is_empty());
    write(temp.path(), "src/lib2.rs", &LIB.replace("load", "saved"));
    root.update(std::slice::from_ref(&lib), watch).unwrap();
    symbol(&root.snapshot(), "typed");
    fs::remove_file(temp.path().join("src/lib2.rs")).unwrap();
    root.update(std::slice::from_ref(&lib), watch).unwrap();
    symbol(&root.snapshot(), "typed");
    write(temp.path(), "src/lib2.rs", LIB);
    root.update(std::slice::from_ref(&lib), watch).unwrap();
    root.close(&lib, watch).unwrap();
    assert_eq!(callers(&root.snapshot(), "load"), ["src/main.rs::main"]);
    // A new file of the editor is part of the graph; thrown away, it is gone.
    let new = rel("src/draft.rs");
    root.overlay_text(&new, "fn draft() {}\n", watch).unwrap();
    symbol(&root.snapshot(), "draft");
    root.close(&new, watch).unwrap();
    assert_eq!(find(&root.snapshot(), "draft"), Found::NoSuchName);
}

// Typing costs what it touches, and ends where reading the whole text does.
#[test]
fn typing_ends_where_the_whole_text_does() {
    let temp = project();
    let mut session = open(temp.path());
    let cancel = Cancel::new();
    let watch = Watch::quiet(&cancel);
    let lib = rel("src/lib2.rs");
    let root = root(&mut session);
    let full = format!("{LIB}pub fn typed() {{ load(2); if true {{ other() }} }}\n");
    for end in LIB.len()..=full.len() {
        let done = root.overlay_text(&lib, &full[..end], watch).unwrap();
        assert!(done.work.facts <= 1);
        assert!(!root.is_behind(&lib));
    }
    assert_eq!(
        callers(&root.snapshot(), "load"),
        ["src/lib2.rs::typed", "src/main.rs::main"]
    );
    let before = root.snapshot();
    let rechecked = root.recheck(&lib, watch);
    assert!(
        rechecked.is_none_or(|a| a.delta.is_empty()),
        "a whole parse says the same"
    );
    let done = root.overlay_text(&lib, &full, watch).unwrap();
    assert!(done.delta.is_empty());
    assert_eq!(callers(&before, "other"), ["src/lib2.rs::typed"]);
}

// An ignored file that someone opens stays out: counts must not depend on what
// happens to be open.
#[test]
fn an_ignored_file_stays_out_when_opened() {
    let temp = project();
    write(temp.path(), ".ignore", "lib2.rs\n");
    let mut session = open(temp.path());
    let cancel = Cancel::new();
    let root = root(&mut session);
    let done = root.overlay_text(&rel("src/lib2.rs"), LIB, Watch::quiet(&cancel));
    assert!(done.is_none());
    assert_eq!(root.snapshot().files().len(), 1);
}

// What was not read is named with its reason, and every list of its language
// says that it may be short, until the file can be read.
#[test]
fn a_skipped_file_is_named_and_makes_floors() {
    let temp = project();
    write(
        temp.path(),
        "src/big.rs",
        &format!("fn big() {{}} // {}\n", "x".repeat(4_000)),
    );
    fs::write(temp.path().join("src/bad.rs"), b"fn bad() {} // \xff\xfe\n").unwrap();
    let options = Options {
        walk: WalkOptions {
            max_file_bytes: 2_000,
            ..WalkOptions::default()
        },
        ..Options::default()
    };
    let mut session = open_with(temp.path(), options);
    let root = root(&mut session);
    let skipped: Vec<_> = root
        .skipped()
        .into_iter()
        .map(|s| (s.path, s.code))
        .collect();
    assert_eq!(
        skipped,
        [
            ("src/bad.rs".to_owned(), ReasonCode::ParseError),
            ("src/big.rs".to_owned(), ReasonCode::FileTooLarge)
        ]
    );
    let s = root.snapshot();
    assert_eq!(s.floor(symbol(&s, "load")).unread, 2);
    assert!(matches!(
        root.standing(&rel("src/big.rs")),
        Standing::Skipped(_)
    ));
    write(temp.path(), "src/big.rs", "fn big() {}\n");
    write(temp.path(), "src/bad.rs", "fn bad() {}\n");
    update(&mut session, temp.path(), &["src/big.rs", "src/bad.rs"]);
    let root = self::root(&mut session);
    assert!(root.skipped().is_empty());
    let s = root.snapshot();
    assert!(!s.floor(symbol(&s, "load")).is_floor());
}

// Of two open folders, one inside the other, the inner one owns its files.
#[test]
fn nested_roots_share_no_file() {
    let temp = project();
    write(temp.path(), "inner/src/lib.rs", "pub fn deep() {}\n");
    let roots = [temp.path().to_path_buf(), temp.path().join("inner")];
    let mut session = Session::open(&roots, Options::default()).unwrap();
    session.analyze(Watch::quiet(&Cancel::new())).unwrap();
    let count = |i: usize| session.root(i).unwrap().snapshot().files().len();
    assert_eq!((count(0), count(1)), (2, 1));
    let (at, path) = session.locate(&roots[1].join("src/lib.rs")).unwrap();
    assert_eq!((at, path.as_str()), (1, "src/lib.rs"));
    let outer = session.root(0).unwrap();
    assert_eq!(
        outer.standing(&rel("inner/src/lib.rs")),
        Standing::OtherRoot
    );
    // The same folder twice is one root; closing the inner one gives its files back.
    assert_eq!(session.add(temp.path()).unwrap(), 0);
    session.remove(1);
    session.analyze(Watch::quiet(&Cancel::new())).unwrap();
    assert_eq!(session.root(0).unwrap().snapshot().files().len(), 3);
}

// Stopping an analysis must leave the graph as it was and the next one whole.
#[test]
fn a_cancelled_analysis_leaves_the_graph_as_it_was() {
    let temp = project();
    let mut session = Session::open(&[temp.path()], Options::default()).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let refusal = session.analyze(Watch::quiet(&cancel)).unwrap_err();
    assert_eq!(refusal.code, "cancelled");
    assert_eq!(session.root(0).unwrap().snapshot().revision(), 0);
    session.analyze(Watch::quiet(&Cancel::new())).unwrap();
    assert_eq!(session.root(0).unwrap().snapshot().files().len(), 2);
}

// The configuration a result rests on is named with its digest, places where one
// had to be absent included.
#[test]
fn consulted_configuration_is_named() {
    let temp = project();
    write(
        temp.path(),
        "src/lib2.rs",
        "pub fn load() { serde::go(); }\n",
    );
    let mut session = open(temp.path());
    let inputs = root(&mut session).config_inputs();
    let absent = inputs.iter().find(|i| &*i.path == "src/Cargo.toml");
    assert!(
        absent.is_some_and(|i| !i.present && i.digest.is_none()),
        "{inputs:?}"
    );
    let cargo = inputs.iter().find(|i| &*i.path == "Cargo.toml");
    let cargo = cargo.unwrap_or_else(|| panic!("{inputs:?}"));
    assert!(cargo.present && cargo.facts.is_some());
    let bytes = fs::read(temp.path().join("Cargo.toml")).unwrap();
    assert_eq!(cargo.digest, Some(surefoot_files::hash_bytes(&bytes)));
}
