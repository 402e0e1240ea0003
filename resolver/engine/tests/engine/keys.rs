//! Who is resolved again after an edit: whoever read what changed, nobody else.

use crate::tree::{callers, world, write};
use surefoot_fixture::World;

/// Edits one file and says how many were resolved.
#[track_caller]
fn resolved(world: &mut World, path: &str, text: &str) -> usize {
    let done = write(world, &[(path, text)]);
    assert_eq!(done.work.facts, usize::from(path.ends_with(".toy")));
    done.work.resolved
}

const LIB: &str = "export fn load(a)\n  return a\nexport fn other()\n  return 1\n";
const APP: &str = "from lib import load\nfn run()\n  load(1)\n";

// The commonest edit of all: a blank line, a comment, a moved function. It must
// cost no resolution, in the file itself either, and positions must follow.
#[test]
fn a_blank_line_resolves_nothing_and_moves_the_positions() {
    let mut w = world(&[("lib.toy", LIB), ("app.toy", APP)]);
    let done = write(&mut w, &[("lib.toy", &format!("# above\n\n{LIB}"))]);
    assert_eq!((done.work.facts, done.work.changed), (1, 0));
    assert_eq!(done.work.resolved, 0);
    assert!(done.delta.is_empty(), "{:?}", done.delta);
    let s = w.snapshot();
    let info = s.symbol_info(crate::tree::symbol(&s, "load")).unwrap();
    assert_eq!(info.name_place.start.line, 2);
    assert_eq!(callers(&s, "load"), ["app.toy::run certain ×1"]);
    // The very same text again is no news at all.
    let done = write(&mut w, &[("lib.toy", &format!("# above\n\n{LIB}"))]);
    assert_eq!(done.before.revision(), done.after.revision());
}

// A body is its own file's business.
#[test]
fn an_edited_body_resolves_its_own_file_only() {
    let mut w = world(&[("lib.toy", LIB), ("app.toy", APP)]);
    let text = "export fn load(a): Str\n  other()\nexport fn other()\n  return 1\n";
    write(&mut w, &[("lib.toy", text)]);
    let text = "export fn load(a): Str\n  other()\n  other()\nexport fn other()\n  return 1\n";
    assert_eq!(resolved(&mut w, "lib.toy", text), 1);
}

// A name nobody asked for: its value changes and no reader exists.
#[test]
fn a_new_name_nobody_asked_for_resolves_its_own_file_only() {
    let mut w = world(&[("lib.toy", LIB), ("app.toy", APP)]);
    let text = format!("{LIB}export fn third()\n  return 3\n");
    assert_eq!(resolved(&mut w, "lib.toy", &text), 1);
}

// A name that was asked for and missed: the miss is a read like any other.
#[test]
fn a_name_that_was_missed_resolves_whoever_missed_it() {
    let mut w = world(&[
        ("lib.toy", "export fn other()\n  return 1\n"),
        ("app.toy", APP),
        ("far.toy", "from lib import other\nfn go()\n  other()\n"),
    ]);
    assert_eq!(resolved(&mut w, "lib.toy", LIB), 2);
    assert_eq!(callers(&w.snapshot(), "load"), ["app.toy::run certain ×1"]);
    let gone = "export fn other()\n  return 1\n";
    let done = write(&mut w, &[("lib.toy", gone)]);
    assert_eq!(done.work.resolved, 2);
    assert_eq!(done.delta.gaps.len(), 1, "{:?}", done.delta.gaps);
}

// Exports through a chain of re-exports: a change at its end reaches the reader
// at its start, a change beside it does not.
#[test]
fn a_re_export_passes_on_what_it_names_and_nothing_else() {
    let mut w = world(&[
        ("lib.toy", LIB),
        ("mid.toy", "export from lib import load as get\n"),
        ("app.toy", "from mid import get\nfn run()\n  get(1)\n"),
        ("bye.toy", "from lib import other\nfn go()\n  other()\n"),
    ]);
    assert_eq!(callers(&w.snapshot(), "load"), ["app.toy::run certain ×1"]);
    let other_moved = "export fn load(a)\n  return a\nexport fn moved()\n  return 1\n";
    assert_eq!(resolved(&mut w, "lib.toy", other_moved), 2, "lib and bye");
    let none = "export fn moved()\n  return 1\n";
    assert_eq!(resolved(&mut w, "lib.toy", none), 3, "lib, mid and app");
}

// `export *` asks every module behind it: a new name there is news for whoever
// asked for that name.
#[test]
fn a_glob_passes_on_new_names_to_those_who_asked() {
    let mut w = world(&[
        ("lib.toy", "export fn other()\n  return 1\n"),
        ("mid.toy", "export * from lib\n"),
        ("app.toy", "from mid import load\nfn run()\n  load(1)\n"),
        ("bye.toy", "from mid import other\nfn go()\n  other()\n"),
    ]);
    assert_eq!(resolved(&mut w, "lib.toy", LIB), 2, "lib and app");
    assert_eq!(callers(&w.snapshot(), "load"), ["app.toy::run certain ×1"]);
    // The list of globs itself.
    assert_eq!(
        resolved(&mut w, "mid.toy", "export fn load(a)\n  return a\n"),
        3
    );
}

const STORE: &str = "export class Store\n  fn save(a): Store\n    return this\n";
const USER: &str = "from store import Store\nfn use()\n  s = new Store()\n  s.save(1)\n";

// Members of a type: the one that is asked for, and the miss.
#[test]
fn a_member_resolves_those_who_asked_for_it() {
    let mut w = world(&[
        ("store.toy", STORE),
        ("user.toy", USER),
        (
            "maker.toy",
            "from store import Store\nfn make()\n  new Store()\n",
        ),
    ]);
    assert_eq!(
        callers(&w.snapshot(), "Store::save"),
        ["user.toy::use certain ×1"]
    );
    let more = format!("{STORE}  fn drop(): Store\n    return this\n");
    assert_eq!(
        resolved(&mut w, "store.toy", &more),
        1,
        "a member nobody asked for"
    );
    let gone = "export class Store\n  fn drop(): Store\n    return this\n";
    assert_eq!(
        resolved(&mut w, "store.toy", gone),
        2,
        "save was asked for by user"
    );
}

// Heritage: a base that comes brings members to those who looked for them.
#[test]
fn a_base_resolves_those_who_looked_for_its_members() {
    let mut w = world(&[
        (
            "base.toy",
            "export class Base\n  fn log(): Base\n    return this\n",
        ),
        ("store.toy", "from base import Base\nexport class Store\n"),
        (
            "user.toy",
            "from store import Store\nfn use()\n  s = new Store()\n  s.log()\n",
        ),
        ("far.toy", "fn go()\n  go()\n"),
    ]);
    assert!(callers(&w.snapshot(), "Base::log").is_empty());
    let derived = "from base import Base\nexport class Store extends Base\n";
    assert_eq!(resolved(&mut w, "store.toy", derived), 2, "store and user");
    assert_eq!(
        callers(&w.snapshot(), "Base::log"),
        ["user.toy::use certain ×1"]
    );
}

// Implementations of an interface: a new one is a new candidate where the
// interface's member is called.
#[test]
fn a_new_implementation_resolves_calls_of_the_declared_member() {
    let shape = "export interface Shape\n  fn area(): Num\n";
    let mut w = world(&[
        ("shape.toy", shape),
        (
            "user.toy",
            "from shape import Shape\nfn use(s: Shape)\n  s.area()\n",
        ),
        ("far.toy", "fn go()\n  go()\n"),
    ]);
    assert_eq!(
        callers(&w.snapshot(), "Shape::area"),
        ["user.toy::use certain ×1"]
    );
    let circle = "from shape import Shape\nexport class Circle implements Shape\n  fn area(): Num\n    return 1\n";
    let done = write(&mut w, &[("circle.toy", circle)]);
    assert_eq!(done.work.resolved, 2, "circle and user");
    assert_eq!(
        callers(&w.snapshot(), "Circle::area"),
        ["? user.toy::use possible ×1"]
    );
}

// A written result is the shape of a function: news for who goes on from it.
#[test]
fn a_changed_signature_resolves_those_who_go_on_from_it() {
    let make =
        |result: &str| format!("from store import Store\nexport fn make(): {result}\n  return 1\n");
    let mut w = world(&[
        ("store.toy", STORE),
        ("make.toy", &make("Store")),
        (
            "user.toy",
            "from make import make\nfn use()\n  make().save(1)\n",
        ),
        (
            "far.toy",
            "from store import Store\nfn go()\n  new Store()\n",
        ),
    ]);
    assert_eq!(callers(&w.snapshot(), "Store::save").len(), 1);
    assert_eq!(resolved(&mut w, "make.toy", &make("Num")), 2);
    assert!(callers(&w.snapshot(), "Store::save").is_empty());
}

// What a function without a written result gives is read from its body: an edit
// of the body is news for whoever asked, and only then.
#[test]
fn an_inferred_result_resolves_those_who_rest_on_it() {
    let make = "from store import Store\nexport fn make()\n  x = new Store()\n  return x\n";
    let mut w = world(&[
        ("store.toy", STORE),
        ("make.toy", make),
        (
            "user.toy",
            "from make import make\nfn use()\n  make().save(1)\n",
        ),
        ("plain.toy", "from make import make\nfn go()\n  make()\n"),
    ]);
    assert_eq!(
        callers(&w.snapshot(), "Store::save"),
        ["user.toy::use certain ×1"]
    );
    let other = "from store import Store\nexport fn make()\n  x = new Store()\n  return 7\n";
    assert_eq!(
        resolved(&mut w, "make.toy", other),
        2,
        "make and user, not plain"
    );
    assert!(callers(&w.snapshot(), "Store::save").is_empty());
}

// A file that comes where an import looked for one; and goes again.
#[test]
fn a_path_resolves_those_who_looked_there() {
    let mut w = world(&[("app.toy", APP), ("far.toy", "fn go()\n  go()\n")]);
    let done = write(&mut w, &[("lib.toy", LIB)]);
    assert_eq!(done.work.resolved, 2, "lib and app");
    assert_eq!(callers(&w.snapshot(), "load"), ["app.toy::run certain ×1"]);
    let done = write(&mut w, &[("lib.toy", "")]);
    assert_eq!(done.work.resolved, 1, "app");
    // A file nobody looked for is nobody's news.
    let done = write(&mut w, &[("new.toy", LIB)]);
    assert_eq!(done.work.resolved, 1);
}

// A path that is no source file is asked of the session once, and its answer is
// a key like any other.
#[test]
fn a_path_outside_the_walk_is_asked_for_and_its_coming_is_news() {
    let app = "from table import rows\nfn run()\n  rows()\n";
    let mut w = world(&[("app.toy", app), ("far.toy", "fn go()\n  go()\n")]);
    assert!(
        w.workspace().needs().is_empty(),
        "everything asked is answered"
    );
    let done = write(&mut w, &[("table.data", "1 2 3")]);
    assert_eq!((done.work.facts, done.work.resolved), (0, 1));
    let gaps: Vec<_> = done.delta.gaps.iter().filter(|g| g.is_removed()).collect();
    assert_eq!(
        gaps.len(),
        1,
        "the call leads outside now: {:?}",
        done.delta
    );
}

// Manifests: content, coming and going.
#[test]
fn a_manifest_resolves_those_who_read_it() {
    let app = "from core import load\nfn run()\n  load(1)\n";
    let mut w = world(&[
        ("lib.toy", LIB),
        ("two.toy", "export fn load(b)\n  return b\n"),
        ("app.toy", app),
        ("far.toy", "fn go()\n  go()\n"),
    ]);
    let done = write(&mut w, &[("toy.pkg", "core = lib.toy")]);
    assert_eq!((done.work.facts, done.work.resolved), (0, 1));
    assert_eq!(
        callers(&w.snapshot(), "lib.toy::load"),
        ["app.toy::run likely ×1"]
    );
    let done = write(&mut w, &[("toy.pkg", "core = two.toy")]);
    assert_eq!(done.work.resolved, 1);
    assert_eq!(
        callers(&w.snapshot(), "two.toy::load"),
        ["app.toy::run likely ×1"]
    );
    let done = write(&mut w, &[("toy.pkg", "core = two.toy")]);
    assert_eq!(done.work.resolved, 0, "the same content is no news");
    let done = write(&mut w, &[("toy.pkg", "")]);
    assert_eq!(done.work.resolved, 1);
}

// A thousand files at once are one batch: each is resolved once.
#[test]
fn a_cold_start_resolves_each_file_once() {
    let files: Vec<(String, String)> = (0..200)
        .map(|i| {
            let next = (i + 1) % 200;
            let text = format!("from m{next} import f{next}\nexport fn f{i}()\n  f{next}()\n");
            (format!("m{i}.toy"), text)
        })
        .collect();
    let mut w = World::new(crate::tree::setup());
    let done = w.apply(files.into_iter().map(|(p, t)| (p, Some(t))).collect());
    assert_eq!(
        (done.work.facts, done.work.resolved, done.rounds),
        (200, 200, 1)
    );
    assert_eq!(callers(&done.after, "f7"), ["m6.toy::f6 certain ×1"]);
}

// Proved by the absence of another: off unless asked for, and undone by a
// namesake anywhere, which resolves whoever was bound and nobody else.
#[test]
fn a_name_alone_binds_only_where_it_was_asked_for_and_is_the_only_one() {
    let lib = "export fn load(a)\n  return a\n";
    let app = "fn run(x)\n  x.load(1)\n";
    let files = [
        ("lib.toy", lib),
        ("app.toy", app),
        ("far.toy", "fn far()\n  return 1\n"),
    ];
    let w = world(&files);
    assert!(callers(&w.snapshot(), "load").is_empty());

    let mut w = World::new(crate::tree::setup()).binding_unique_names();
    write(&mut w, &files);
    assert_eq!(callers(&w.snapshot(), "load"), ["app.toy::run likely ×1"]);
    assert_eq!(resolved(&mut w, "far.toy", "fn other()\n  return 1\n"), 1);
    assert_eq!(resolved(&mut w, "far.toy", "fn load()\n  return 1\n"), 2);
    let calls = w.snapshot();
    let found = calls.files().flat_map(|f| calls.symbols_of(f.id));
    assert!(
        found
            .into_iter()
            .all(|id| calls.callers(id).placed.is_empty())
    );
}

// Files are edited key by key: what an edit does not concern must not be resolved
// with every one of them.
#[test]
fn an_edit_resolves_the_items_it_concerns() {
    let lib = "export fn load(a): Str\n  other()\nexport fn other()\n  return 1\n\
               fn third()\n  other()\nfn fourth()\n  load(1)\n";
    let mut w = world(&[("lib.toy", lib), ("app.toy", APP)]);
    let items = |w: &mut World, from: &str, to: &str| {
        let text = w.text("lib.toy").unwrap().replacen(from, to, 1);
        let done = write(w, &[("lib.toy", &text)]);
        (done.work.resolved, done.work.items)
    };
    // A body.
    assert_eq!(
        items(&mut w, "  other()\n", "  other()\n  other()\n"),
        (1, 1)
    );
    assert_eq!(
        callers(&w.snapshot(), "other"),
        ["lib.toy::load certain ×2", "lib.toy::third certain ×1"]
    );
    // An item above the others moves them and concerns none.
    assert_eq!(
        items(
            &mut w,
            "export fn load",
            "fn zeroth()\n  zeroth()\nexport fn load"
        ),
        (1, 1)
    );
    // Another name: whoever wrote the one that went or wrote the one that came.
    assert_eq!(items(&mut w, "fn other()", "fn another()"), (1, 3));
    assert_eq!(callers(&w.snapshot(), "another"), [""; 0]);
    assert_eq!(items(&mut w, "fn another()", "fn other()"), (1, 3));
    assert_eq!(
        callers(&w.snapshot(), "other"),
        ["lib.toy::load certain ×2", "lib.toy::third certain ×1"]
    );
    // Another file's edit concerns the item that reads it.
    let app = "from lib import load\nfn run()\n  load(1)\nfn rest()\n  run()\n";
    write(&mut w, &[("app.toy", app)]);
    let done = write(
        &mut w,
        &[(
            "lib.toy",
            &lib.replace("fn load(a): Str", "fn load(a): Num"),
        )],
    );
    assert_eq!((done.work.resolved, done.work.items), (2, 4));
}
