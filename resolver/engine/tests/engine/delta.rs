//! The incremental delta is the difference of the two snapshots, and the
//! incremental state is the state from scratch.

use crate::tree::{names, setup, write};
use proptest::prelude::*;
use std::collections::BTreeSet;
use surefoot_engine::{GraphDelta, Snapshot};
use surefoot_fixture::World;
use surefoot_graph::SiteId;

/// Everything a face could see of a snapshot, without ids.
fn seen(s: &Snapshot) -> Vec<String> {
    let mut out = Vec::new();
    for file in s.files() {
        out.push(format!("file {}", file.path));
        for index in 0..file.site_count() {
            let site = SiteId {
                file: file.id,
                index,
            };
            let o = s.outcome(site).unwrap();
            let target = names(s, o.symbol());
            let more = o.candidates.iter().flat_map(|c| &c.list);
            let more = names(s, more.map(|c| c.symbol));
            let how = o.evidence.as_ref().map(|e| (e.tier, e.rule));
            out.push(format!(
                "{}:{index} {:?} {target:?} {how:?} {:?} {more:?}",
                file.path, o.resolution, o.cause
            ));
        }
        for id in s.symbols_of(file.id).into_iter().chain([file.module]) {
            let name = s.qualified_name(id).unwrap();
            let callers = s.callers(id);
            let list = |g: &[surefoot_engine::Group]| {
                let all = g.iter().map(|g| (g.symbol, g.sites.len()));
                all.map(|(id, n)| format!("{} ×{n}", names(s, [id])[0]))
                    .collect::<Vec<_>>()
            };
            let uses = s.uses(id).cloned().unwrap_or_default();
            assert_eq!(uses.callers as usize, callers.placed.len(), "{name}");
            assert_eq!(uses.possible as usize, callers.possible.len(), "{name}");
            assert_eq!(
                s.floor(id).unplaced as usize,
                s.unplaced_of(id).len(),
                "{name}"
            );
            let numbers = surefoot_engine::features::lens::Numbers::of(s, id);
            out.push(format!(
                "{name} {:?} {:?} {:?} {:?} {numbers:?}",
                list(&callers.placed),
                list(&callers.possible),
                names(s, s.overrides(id)),
                names(s, s.derived(id).into_iter().map(|d| d.0)),
            ));
        }
    }
    out.sort();
    out
}

/// One of the states a generated file can be in.
fn text(file: u8, state: u8) -> &'static str {
    const LIB: &[&str] = &[
        "",
        "export fn load(a)\n  return a\n",
        "# moved\n\nexport fn load(a)\n  return a\n",
        "export fn load(a)\n  load(a)\n  return a\nexport class Store\n  fn save(a)\n    load(a)\n    return a\n",
        "export class Store\n  fn save(a)\n    return this\n  fn load(a): Store\n    return this\n",
        "export interface Store\n  fn save(a)\n",
    ];
    const MID: &[&str] = &[
        "",
        "export * from lib\n",
        "export from lib import load as get\n",
        "from lib import Store\nexport class Big extends Store\n  fn save(a)\n    return 1\nexport fn get()\n  return new Big()\n",
        "from lib import Store\nexport class Big implements Store\n  fn save(a)\n    [a](a)\n    return 1\n",
    ];
    const APP: &[&str] = &[
        "",
        "from lib import load\nfn run()\n  load(1)\n  load(2)\n",
        "from mid import get as load\nfn run()\n  load(1)\n  go(load)\nfn go(f)\n  f(1)\n",
        "from lib import Store\nfn run(s: Store)\n  s.save(1)\n  x = new Store()\n  x.save(2)\n",
        "from mid import Big\nfn test_run()\n  b = new Big()\n  b.save(1)\n  what.save(1)\n",
        "import lib\nfn run()\n  lib.load(1)\nlib.load(2)\n",
    ];
    let states = match file {
        0 => LIB,
        1 => MID,
        _ => APP,
    };
    states[state as usize % states.len()]
}

const PATHS: &[&str] = &["lib.toy", "mid.toy", "app.toy", "tests/app.toy", "toy.pkg"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    // Any edit script: after each step the state equals one made from nothing,
    // and the delta equals the difference found by looking at everything.
    #[test]
    fn any_edit_script_ends_where_scratch_does(
        script in proptest::collection::vec(
            proptest::collection::vec((0u8..5, 0u8..6), 1..3), 1..8)
    ) {
        let mut world = World::new(setup());
        for batch in script {
            let mut files = Vec::new();
            let mut seen_paths = BTreeSet::new();
            for (file, state) in batch {
                let path = PATHS[file as usize];
                if !seen_paths.insert(path) {
                    continue;
                }
                let text = match path {
                    "toy.pkg" => ["", "pkgcore = lib.toy", "mid = lib.toy"][state as usize % 3],
                    _ => text(file.min(2), state),
                };
                files.push((path, text));
            }
            let done = write(&mut world, &files);
            let slow = GraphDelta::between(&done.before, &done.after);
            prop_assert_eq!(&*done.delta, &slow);
            let scratch = world.scratch();
            prop_assert_eq!(seen(&done.after), seen(&scratch.snapshot()));
        }
    }
}

// What an edit did is what a person would say it did.
#[test]
fn a_renamed_function_takes_its_edge_and_leaves_a_gap() {
    let mut w = crate::tree::world(&[
        ("lib.toy", "export fn load(a)\n  return a\n"),
        ("app.toy", "from lib import load\nfn run()\n  load(1)\n"),
    ]);
    let done = write(&mut w, &[("lib.toy", "export fn load2(a)\n  return a\n")]);
    let d = &done.delta;
    let calls: Vec<_> = d.edges.iter().filter(|e| e.key.kind.is_call()).collect();
    assert_eq!(calls.len(), 1);
    assert!(calls[0].is_removed() && !calls[0].is_added());
    assert_eq!(
        names(&done.before, [calls[0].key.callee]),
        ["lib.toy::load"]
    );
    assert_eq!(d.gaps.len(), 1);
    assert!(d.gaps[0].is_added());
    assert_eq!(names(&done.after, [d.gaps[0].key.caller]), ["app.toy::run"]);
    assert_eq!((d.symbols_added.len(), d.symbols_removed.len()), (1, 1));
    let lenses: Vec<String> = d
        .lenses
        .iter()
        .map(|f| done.after.file(*f).unwrap().path.to_string())
        .collect();
    assert_eq!(
        lenses.len(),
        2,
        "fan-out of run, and a new function: {lenses:?}"
    );
}

// Two faces of one update: a test's caller moves the lens of the function it
// calls, in another file.
#[test]
fn a_new_caller_changes_the_lens_of_the_file_it_calls_into() {
    let mut w = crate::tree::world(&[
        ("lib.toy", "export fn load(a)\n  return a\n"),
        ("far.toy", "export fn far()\n  return 1\n"),
    ]);
    let app = "from lib import load\nfn run()\n  load(1)\n";
    let done = write(&mut w, &[("app.toy", app)]);
    let path = |f: &surefoot_graph::FileId| done.after.file(*f).unwrap().path.to_string();
    let mut lenses: Vec<String> = done.delta.lenses.iter().map(path).collect();
    lenses.sort();
    assert_eq!(lenses, ["app.toy", "lib.toy"]);
    // Findings of a file that only moved stand elsewhere now.
    let mut w = surefoot_engine::Workspace::new(setup().languages);
    let mut apply = |text: &str| {
        let facts = surefoot_facts::Language::facts(&surefoot_fixture::toy::TOY, text);
        let file = surefoot_engine::FileChange::new("a.toy", [text.len() as u8; 32], 1, facts);
        let pool = surefoot_engine::Pool::inline();
        let changes = vec![surefoot_engine::Change::File(file)];
        w.apply(changes, &pool, &surefoot_engine::Cancel::new())
    };
    assert_eq!(apply("fn a()\n  a()\n").files.len(), 1);
    let moved = apply("\nfn a()\n  a()\n");
    assert!(moved.delta.is_empty() && moved.files.len() == 1);
    assert!(apply("\nfn a()\n  a()\n").files.is_empty());
}
