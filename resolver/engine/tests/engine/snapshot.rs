//! What a snapshot says of symbols, sites and lists that may be short.

use crate::tree::{callers, names, symbol, world, write};
use surefoot_engine::features::query::{Found, find};
use surefoot_engine::{Cancel, Change, Pool};
use surefoot_graph::SiteId;

// Calls in anonymous and top-level code have callers, too; who gives a function
// away is a possible one, named apart.
#[test]
fn top_level_calls_belong_to_the_module_and_values_are_possible_calls() {
    let w = world(&[
        ("lib.toy", "export fn load(a)\n  return a\n"),
        (
            "app.toy",
            "from lib import load\nload(1)\nfn run(f)\n  f(load)\n",
        ),
    ]);
    let s = w.snapshot();
    assert_eq!(
        callers(&s, "load"),
        ["app.toy certain ×1", "? app.toy::run possible ×1"]
    );
    let values = s.value_uses(symbol(&s, "load"));
    assert_eq!(names(&s, values.iter().map(|g| g.symbol)), ["app.toy::run"]);
    let module = symbol(&s, "app.toy");
    assert_eq!(s.callees(module).placed.len(), 1);
}

// "No callers found" must never read as "no callers": every reason for a short
// list is said, and none is made up.
#[test]
fn a_list_is_a_floor_exactly_when_something_may_hide_a_caller() {
    let lib = "export fn load(a)\n  return a\nexport fn other()\n  return 1\n";
    let mut w = world(&[("lib.toy", lib)]);
    let s = w.snapshot();
    assert!(!s.floor(symbol(&s, "load")).is_floor());
    let app = "fn run(x)\n  x.load(1)\n";
    write(&mut w, &[("app.toy", app)]);
    let s = w.snapshot();
    let floor = s.floor(symbol(&s, "load"));
    assert_eq!(floor.unplaced, 1);
    assert_eq!(floor.reasons("load"), ["1 call of `load` is not placed"]);
    assert_eq!(s.unplaced_of(symbol(&s, "load")).len(), 1);
    assert!(!s.floor(symbol(&s, "other")).is_floor());
    // An import under another name hides nothing.
    let app = "from missing import load as l\nfn run()\n  l(1)\n";
    write(&mut w, &[("app.toy", app)]);
    let s = w.snapshot();
    assert_eq!(s.floor(symbol(&s, "load")).unplaced, 1);
    write(&mut w, &[("app.toy", "")]);
    assert!(!w.snapshot().floor(symbol(&w.snapshot(), "load")).is_floor());
}

// A file that was not read may hold any call; when it is read, or goes, the
// list is whole again.
#[test]
fn an_unread_file_makes_lists_floors_until_it_is_read() {
    let mut w = surefoot_engine::Workspace::new(crate::tree::setup().languages);
    let mut apply = |changes| {
        w.apply(changes, &Pool::inline(), &Cancel::new());
        w.snapshot()
    };
    let file = |path: &str, text: &str| {
        let facts = surefoot_facts::Language::facts(&surefoot_fixture::toy::TOY, text);
        Change::File(surefoot_engine::FileChange::new(path, [1; 32], 9, facts))
    };
    let lib = "export fn load(a)\n  return a\n";
    let s = apply(vec![file("lib.toy", lib)]);
    let load = symbol(&s, "load");
    let unread = |language: u8| Change::Unread {
        path: "big.toy".into(),
        language: Some(surefoot_facts::LanguageId(language)),
        reason: "too large".into(),
    };
    assert_eq!(apply(vec![unread(0)]).floor(load).unread, 1);
    assert_eq!(
        apply(vec![unread(7)]).floor(load).unread,
        0,
        "another language"
    );
    assert_eq!(apply(vec![unread(0)]).floor(load).unread, 1);
    let s = apply(vec![file("big.toy", "fn a()\n  a()\n")]);
    assert!(!s.floor(load).is_floor());
    apply(vec![unread(0)]);
    let gone = Change::Remove {
        path: "big.toy".into(),
    };
    assert!(!apply(vec![gone]).floor(load).is_floor());
}

// A name says where its bearer lives: methods carry their type, and two of one
// name are told apart by more of it.
#[test]
fn names_carry_their_scope_and_are_found_by_any_end_of_it() {
    let w = world(&[
        (
            "src/a.toy",
            "export class Store\n  fn load(a)\n    return a\nexport fn load(a)\n  return a\n",
        ),
        ("src/b.toy", "export fn load(a)\n  return a\n"),
    ]);
    let s = w.snapshot();
    let id = symbol(&s, "Store::load");
    assert_eq!(names(&s, [id]), ["src/a.toy::Store::load"]);
    assert_eq!(s.symbol_info(id).unwrap().container, "Store");
    for same in [
        "Store.load",
        "src/a.toy::Store::load",
        "a::Store::load",
        "src/a.toy:2",
        "src/a.toy:2:7",
        "a.toy:3:5",
    ] {
        assert_eq!(symbol(&s, same), id, "{same}");
    }
    let Found::Many(all) = find(&s, "load") else {
        panic!("three answer to load");
    };
    let all = names(&s, all);
    assert_eq!(
        all,
        [
            "src/a.toy::Store::load",
            "src/a.toy::load",
            "src/b.toy::load"
        ]
    );
    assert_eq!(symbol(&s, "b::load"), symbol(&s, "src/b.toy::load"));
    assert_eq!(find(&s, "Nobody::load"), Found::NoSuchName);
    assert_eq!(
        find(&s, "src/c.toy:1"),
        Found::NoSuchPlace("src/c.toy".into())
    );
    assert_eq!(names(&s, [symbol(&s, "src/b.toy")]), ["src/b.toy"]);
}

// Overrides and what they override are two directions of one relation.
#[test]
fn overrides_are_found_from_both_ends() {
    let w = world(&[
        ("base.toy", "export class Base\n  fn go(a)\n    return a\n"),
        (
            "mid.toy",
            "from base import Base\nexport class Mid extends Base\n",
        ),
        (
            "leaf.toy",
            "from mid import Mid\nexport class Leaf extends Mid\n  fn go(a)\n    return 1\n",
        ),
    ]);
    let s = w.snapshot();
    let (base, leaf) = (symbol(&s, "Base::go"), symbol(&s, "Leaf::go"));
    assert_eq!(s.overrides(base), [leaf]);
    assert_eq!(s.overridden(leaf), [base]);
    assert!(s.is_bound_by_base(leaf) && !s.is_bound_by_base(base));
    assert_eq!(names(&s, [s.owner(leaf).unwrap()]), ["leaf.toy::Leaf"]);
}

// A called parameter has no target of its own; who may run there is what the
// calls of its function hand over, in other files too, and through another
// function that hands it on.
#[test]
fn a_called_parameter_lists_what_calls_hand_over() {
    let lib = "export fn each(f)\n  f(1)\nexport fn twice(g)\n  each(g)\n";
    let app = "from lib import each\nfrom lib import twice\nfn one(x)\n  return x\nfn two(x)\n  return x\n\
               fn run()\n  each(one)\n  twice(two)\n";
    let s = world(&[("lib.toy", lib), ("app.toy", app)]).snapshot();
    let file = s.file(s.file_at("lib.toy").unwrap()).unwrap();
    let sites = (0..file.site_count()).map(|index| SiteId {
        file: file.id,
        index,
    });
    let handed = sites.map(|site| s.handed(site)).filter(|c| !c.is_empty());
    let handed: Vec<_> = handed
        .map(|c| names(&s, c.list.iter().map(|c| c.symbol)))
        .collect();
    assert_eq!(handed, [["app.toy::one", "app.toy::two"]]);
}
