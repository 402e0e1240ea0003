//! What the faces show of a graph.

use crate::tree::{symbol, world, write};
use surefoot_engine::features::diagnostics::{Code, DiagnosticOptions, diagnostics};
use surefoot_engine::features::hierarchy::{
    CallOptions, Direction, callees, callers, prepare, tree,
};
use surefoot_engine::features::lens::{LensOptions, changed, lenses};
use surefoot_engine::features::{document, explain, hover, query, types};
use surefoot_engine::{Snapshot, score_text};
use surefoot_facts::Span;
use surefoot_graph::FileId;

fn file(s: &Snapshot, path: &str) -> FileId {
    s.file_at(path).unwrap()
}

/// The offset of the n-th time a text stands in a file given as source.
fn offset(source: &str, needle: &str) -> u32 {
    source.find(needle).unwrap() as u32
}

fn titles(s: &Snapshot, path: &str, options: &LensOptions) -> Vec<String> {
    let all = lenses(s, file(s, path), options);
    all.into_iter().map(|l| l.title).collect()
}

const LIB: &str =
    "export fn load(a)\n  if a and a\n    other()\n  return a\nexport fn other()\n  return 1\n";
const APP: &str =
    "from lib import load\nfn run()\n  load(1)\n  load(2)\nfn test_run()\n  load(3)\n";

// The lens is the number people read all day: it must be the length of the list
// that opens when they click it, tests left out of both or of neither.
#[test]
fn a_lens_counts_what_the_panel_lists() {
    let w = world(&[("lib.toy", LIB), ("app.toy", APP), ("tests/t.toy", APP)]);
    let s = w.snapshot();
    let all = LensOptions::default();
    assert_eq!(
        titles(&s, "lib.toy", &all),
        [
            "cyclomatic 3 · 4 callers in 2 files · fan-out 1",
            "cyclomatic 1 · 1 caller in 1 file · fan-out 0"
        ]
    );
    let load = symbol(&s, "lib::load");
    let list = callers(&s, load, &CallOptions::default()).unwrap();
    assert_eq!(list.placed().count(), 4);
    let plain = LensOptions {
        exclude_tests: true,
        ..all
    };
    assert_eq!(
        titles(&s, "lib.toy", &plain)[0],
        "cyclomatic 3 · 1 caller in 1 file · fan-out 1"
    );
    let without = CallOptions {
        exclude_tests: true,
        ..CallOptions::default()
    };
    assert_eq!(callers(&s, load, &without).unwrap().placed().count(), 1);
    let high = LensOptions {
        min_cyclomatic: 2,
        ..all
    };
    assert_eq!(titles(&s, "lib.toy", &high).len(), 1);
}

// Zero callers on a list that may be short must not read as "unused".
#[test]
fn a_lens_on_a_floor_says_at_least_and_never_none() {
    let mut w = world(&[("lib.toy", LIB), ("x.toy", "fn x(v)\n  v.load(1)\n")]);
    let all = LensOptions::default();
    let old = w.snapshot();
    assert_eq!(
        titles(&old, "lib.toy", &all)[0],
        "cyclomatic 3 · ? callers · fan-out 1"
    );
    write(&mut w, &[("app.toy", APP)]);
    let new = w.snapshot();
    assert_eq!(
        titles(&new, "lib.toy", &all)[0],
        "cyclomatic 3 · ≥2 callers in 1 file · fan-out 1"
    );
    let diff = changed(&old, &new, file(&new, "lib.toy"), &all);
    assert_eq!(diff.len(), 1, "the other lens stands: {diff:?}");
    // A function that is only handed around is not "0 callers" either.
    let app = "from lib import other\nfn go(f)\n  f(other)\n";
    let w = world(&[("lib.toy", LIB), ("app.toy", app)]);
    assert_eq!(
        titles(&w.snapshot(), "lib.toy", &all)[1],
        "cyclomatic 1 · 1 caller in 1 file (+1 as a value) · fan-out 0"
    );
    let lib = "export fn other()\n  return 1\n";
    let w = world(&[("lib.toy", lib), ("app.toy", app)]);
    assert_eq!(
        titles(&w.snapshot(), "lib.toy", &all)[0],
        "cyclomatic 1 · 0 callers (+1 as a value) · fan-out 0"
    );
}

// Rows in the order a reader expects, each saying how it is known, every call
// kept, possible ones apart, the unplaced ones last and said.
#[test]
fn rows_say_how_they_are_known_and_keep_every_call() {
    let shape = "export interface Shape\n  fn area(): Num\n";
    let circle = "from shape import Shape\nexport class Circle implements Shape\n  fn area(): Num\n    return 1\n";
    let user = "from shape import Shape\nfn use(s: Shape)\n  s.area()\n  s.area()\nfn odd(x)\n  x.area()\n";
    let w = world(&[
        ("shape.toy", shape),
        ("circle.toy", circle),
        ("user.toy", user),
    ]);
    let s = w.snapshot();
    let of = |name| callers(&s, symbol(&s, name), &CallOptions::default()).unwrap();
    let declared = of("Shape::area");
    assert_eq!(declared.rows.len(), 2);
    let row = &declared.rows[0];
    assert_eq!(row.detail, "user.toy · certain: declared-member ×2");
    assert_eq!(row.sites.len(), 2);
    assert_eq!(row.note, None);
    let last = &declared.rows[1];
    assert!(last.symbol.is_none());
    assert_eq!(last.detail, "1 call of `area` in 1 file, not placed");
    assert!(
        declared
            .floor_text
            .unwrap()
            .contains("1 call of `area` is not placed")
    );
    let possible = of("Circle::area");
    let row = &possible.rows[0];
    assert_eq!(row.tier.map(|t| t.word()), Some("possible"));
    assert!(row.note.is_some());
    let certain = CallOptions {
        possible: false,
        unplaced: false,
        ..CallOptions::default()
    };
    let few = callers(&s, symbol(&s, "Circle::area"), &certain).unwrap();
    assert!(few.rows.is_empty());
    let down = callees(&s, symbol(&s, "odd"), &CallOptions::default()).unwrap();
    assert_eq!(down.rows[0].detail, "1 call not placed: area");
}

// A tree opens as deep as asked, and a circle in it is marked, not followed.
#[test]
fn a_tree_marks_recursion_and_stops_at_its_depth() {
    let text = "fn a()\n  b()\nfn b()\n  c()\nfn c()\n  a()\n  c()\n";
    let w = world(&[("m.toy", text)]);
    let s = w.snapshot();
    let t = tree(
        &s,
        symbol(&s, "a"),
        Direction::Callees,
        9,
        &CallOptions::default(),
    )
    .unwrap();
    let b = &t.nodes[0];
    let c = &b.children.as_ref().unwrap()[0];
    let below = c.children.as_ref().unwrap();
    let names: Vec<_> = below
        .iter()
        .map(|n| (n.row.symbol.as_ref().unwrap().name.as_str(), n.recursion))
        .collect();
    assert_eq!(names, [("a", true), ("c", true)]);
    assert!(below.iter().all(|n| n.children.is_none()));
    let t = tree(
        &s,
        symbol(&s, "a"),
        Direction::Callers,
        1,
        &CallOptions::default(),
    )
    .unwrap();
    assert!(t.nodes[0].children.is_none());
}

// The panel shows the first item only: it must be the one meant.
#[test]
fn the_best_item_comes_first() {
    let w = world(&[("lib.toy", LIB), ("app.toy", APP)]);
    let s = w.snapshot();
    let first = |path: &str, source: &str, needle: &str| {
        let at = offset(source, needle);
        prepare(&s, file(&s, path), at)[0].name.clone()
    };
    assert_eq!(
        first("app.toy", APP, "load(1)"),
        "load",
        "the target of a call"
    );
    assert_eq!(first("app.toy", APP, "run()"), "run", "a declaration");
    assert_eq!(first("lib.toy", LIB, "return a"), "load", "the one around");
    assert_eq!(
        first("app.toy", APP, "from"),
        "app.toy",
        "the module at the top"
    );
}

// Everything an edge rests on can be opened, and a gap says its cause.
#[test]
fn an_explanation_opens_what_the_edge_rests_on() {
    let app = "from lib import load\nfn run(x)\n  load(1)\n  x.load(2)\n  print(3)\n";
    let w = world(&[("lib.toy", LIB), ("app.toy", app)]);
    let s = w.snapshot();
    let at = |needle| explain::explain(&s, file(&s, "app.toy"), offset(app, needle)).unwrap();
    let e = at("load(1)");
    assert_eq!(e.title, "calls lib.toy::load [certain: import]");
    let evidence = e.evidence.unwrap();
    let import = &evidence.via[0];
    assert_eq!((import.role, import.place.start.line), ("import", 0));
    assert_eq!(evidence.resolver, "static");
    let e = at("load(2)");
    assert!(e.target.is_none() && e.cause.is_some());
    assert!(
        e.title.starts_with("This call of `load` is not placed ["),
        "{}",
        e.title
    );
    let e = at("print(3)");
    assert_eq!(e.resolution.word(), "outside");
    assert!(explain::explain(&s, file(&s, "app.toy"), offset(app, "fn run")).is_none());
}

// A number on screen can be taken apart.
#[test]
fn a_hover_takes_the_number_apart() {
    let w = world(&[("lib.toy", LIB), ("app.toy", APP)]);
    let s = w.snapshot();
    let at = offset(LIB, "load");
    let h = hover::hover(&s, file(&s, "lib.toy"), at, true).unwrap();
    assert_eq!(h.head, "cyclomatic 3 · 2 callers in 1 file · fan-out 1");
    let lines: Vec<&str> = h.body.iter().map(|l| l.text.as_str()).collect();
    assert_eq!(
        lines[..3],
        [
            "cyclomatic 3 = 1 for the function",
            "+1 if, line 2",
            "+1 logical operator, line 2"
        ]
    );
    let short = hover::hover(&s, file(&s, "lib.toy"), at, false).unwrap();
    assert!(short.body.is_empty());
    let call = hover::hover(&s, file(&s, "app.toy"), offset(APP, "load(1)"), false).unwrap();
    assert_eq!(call.head, "calls lib.toy::load [certain: import]");
}

fn findings(s: &Snapshot, path: &str, options: &DiagnosticOptions) -> Vec<(Code, String)> {
    let all = diagnostics(s, file(s, path), options, &|_, _| false);
    all.into_iter().map(|d| (d.code, d.message)).collect()
}

// An unread parameter is told with who still passes a value; nothing is told
// where something else than the body decides the signature.
#[test]
fn unread_parameters_are_told_only_where_the_body_decides() {
    let lib = "\
fn plain(a, b, _c)
  return a
fn stub(a)
export fn open(a)
  return 1
fn handed(a)
  return 1
fn broken(a)
  ???
fn main(a)
  return 1
fn run(f)
  plain(1, 2, 3)
  plain(4, 5, 6)
  f(handed)
class Base
  fn go(a)
    return 1
  fn own(a)
    return 1
class Leaf extends Base
  fn go(a)
    return 2
interface Saves
  fn save(a)
class Store extends Unknown
  fn save(a)
    return 1
";
    let w = world(&[("lib.toy", lib)]);
    let s = w.snapshot();
    let options = DiagnosticOptions::default();
    let all = diagnostics(&s, file(&s, "lib.toy"), &options, &|_, _| false);
    let told: Vec<&str> = all.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "`b` is never read in this body; 1 caller passes a value",
            "`a` is never read in this body",
        ],
        "plain::b and Base::own::a"
    );
    assert!(all[0].unnecessary);
    assert_eq!(all[0].place.start.line, 0);
    let related: Vec<_> = all[0]
        .related
        .iter()
        .map(|r| (r.place.start.line, r.message.as_str()))
        .collect();
    assert_eq!(
        related,
        [
            (12, "argument 2 of this call is thrown away"),
            (13, "argument 2 of this call is thrown away")
        ]
    );
    let public = DiagnosticOptions {
        unread_in_public: true,
        ..options
    };
    assert_eq!(findings(&s, "lib.toy", &public).len(), 3, "open::a, too");
    let quiet = diagnostics(&s, file(&s, "lib.toy"), &options, &|line, code| {
        line == 0 && code == Code::UnreadParameter
    });
    assert_eq!(quiet.len(), 1, "a suppressed line says nothing");
}

// Scores land exactly on thresholds: hundredths, no floating point.
#[test]
fn a_hotspot_is_told_from_its_threshold_on_with_its_sum() {
    let lib = "fn a()\n  b()\n  c()\n  d()\n  e()\n  f()\n  g()\nfn b()\n  c()\nfn c()\nfn d()\nfn e()\nfn f()\nfn g()\nfn top()\n  mid()\nfn mid()\n  a()\n";
    let w = world(&[("lib.toy", lib)]);
    let s = w.snapshot();
    let m = s.metrics().of(symbol(&s, "a"));
    assert_eq!((m.fan_out, m.cyclomatic, m.depth), (6, 1, 2));
    assert_eq!(score_text(m.score()), "3.00");
    let at = |threshold| DiagnosticOptions {
        unread_parameters: false,
        hotspots: Some(threshold),
        ..DiagnosticOptions::default()
    };
    assert_eq!(findings(&s, "lib.toy", &at(301)), []);
    let told = findings(&s, "lib.toy", &at(300));
    assert_eq!(
        told,
        [(
            Code::Hotspot,
            "hotspot 3.00: cyclomatic 1 × 0.40 + fan-out 6 × 0.35 + depth 2 × 0.25".to_owned()
        )]
    );
    assert_eq!(s.metrics().hotspots(&s, 300).len(), 1);
}

// A cycle counts as one component: depth does not grow inside it.
#[test]
fn depth_collapses_cycles_and_reachability_follows_calls() {
    let text = "fn main()\n  a()\nfn a()\n  b()\nfn b()\n  a()\n  c()\nfn c()\nfn dead()\n  c()\n";
    let w = world(&[("m.toy", text)]);
    let s = w.snapshot();
    let of = |name| s.metrics().of(symbol(&s, name));
    let depths = ["main", "a", "b", "c", "dead"].map(|n| of(n).depth);
    assert_eq!(depths, [0, 1, 1, 2, 0]);
    assert!(of("a").recursive && of("b").recursive && !of("c").recursive);
    let reached = |n| s.metrics().is_reachable(symbol(&s, n));
    assert!(reached("main") && reached("c") && !reached("dead"));
    assert_eq!((of("c").fan_in, of("b").fan_out), (2, 2));
}

// An import cycle is told at the import that closes it, with the whole way
// round; an import that nothing answers is told with its cause.
#[test]
fn import_cycles_and_unanswered_imports_are_told() {
    let w = world(&[
        ("a.toy", "from b import fb\nexport fn fa()\n  fb()\n"),
        ("b.toy", "from c import fc\nexport fn fb()\n  fc()\n"),
        ("c.toy", "from a import fa\nexport fn fc()\n  fa()\n"),
        (
            "d.toy",
            "from a import fa\nfrom a import nothing\nfrom nowhere import x\nfrom pkg import y\n",
        ),
    ]);
    let s = w.snapshot();
    let options = DiagnosticOptions::default();
    assert_eq!(
        findings(&s, "b.toy", &options),
        [(
            Code::ImportCycle,
            "import cycle: b.toy → c.toy → a.toy → b.toy".to_owned()
        )]
    );
    let told = findings(&s, "d.toy", &options);
    let codes: Vec<Code> = told.iter().map(|t| t.0).collect();
    assert_eq!(codes, [Code::UnresolvedImport; 2], "{told:?}");
    assert!(
        told[0].1.starts_with("`nothing` from `a` names"),
        "{told:?}"
    );
    assert_eq!(
        told[1].1,
        "`nowhere` names this tree, and nothing stands there."
    );
}

// Types up and down, members standing for their type.
#[test]
fn type_rows_go_up_and_down() {
    let text = "interface Saves\n  fn save(a)\nclass Base\nclass Store extends Base implements Saves\n  fn save(a)\n    return a\n";
    let w = world(&[("m.toy", text)]);
    let s = w.snapshot();
    let up: Vec<_> = types::supertypes(&s, symbol(&s, "Store"))
        .into_iter()
        .map(|r| (r.name, r.relation, r.place.unwrap().start.line))
        .collect();
    assert_eq!(
        up,
        [
            ("Base".to_owned(), "extends", 3),
            ("Saves".to_owned(), "implements", 3)
        ]
    );
    let down = types::subtypes(&s, symbol(&s, "Saves"));
    assert_eq!(down[0].name, "Store");
    let at = offset(text, "save(a)\n    return");
    let of = types::prepare(&s, file(&s, "m.toy"), at);
    assert_eq!(of[0].name, "Store");
}

// The outline is what the file declares, nested as written.
#[test]
fn an_outline_nests_as_written() {
    let text =
        "class Store\n  field inner: Str\n  fn save(a, b)\n    return a\nfn free()\n  return 1\n";
    let w = world(&[("m.toy", text)]);
    let s = w.snapshot();
    let all = document::outline(&s, file(&s, "m.toy"));
    let names: Vec<_> = all.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["Store", "free"]);
    let inner: Vec<_> = all[0]
        .children
        .iter()
        .map(|n| (n.name.as_str(), n.detail.as_str()))
        .collect();
    assert_eq!(inner, [("inner", ""), ("save", "(a, b)")]);
    for node in &all {
        let inside = |s: Span| node.full.span.start <= s.start && s.end <= node.full.span.end;
        assert!(inside(node.name_place.span));
    }
}

// Search by letters: exact before prefix before part before scattered.
#[test]
fn search_ranks_and_says_what_it_left_out() {
    let text = "fn save()\nfn save_all()\nfn unsafe_save()\nfn scatter_a_v_e()\nfn other()\n";
    let w = world(&[("m.toy", text)]);
    let s = w.snapshot();
    let names = |(ids, more): (Vec<_>, usize)| (crate::tree::names(&s, ids), more);
    let (all, more) = names(query::search(&s, "save", 3));
    assert_eq!(
        all,
        ["m.toy::save", "m.toy::save_all", "m.toy::unsafe_save"]
    );
    assert_eq!(more, 1);
}
