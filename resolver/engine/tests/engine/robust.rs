//! What goes wrong in one place stays there.

use crate::tree::{setup, symbol};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot_engine::{Applied, Cancel, Change, Ctx, FileChange, Pool, Workspace, resolve_item};
use surefoot_facts::Language;
use surefoot_fixture::toy::TOY;
use surefoot_graph::{Cause, FileId, Outcome, SiteId};

fn file(path: &str, text: &str) -> Change {
    let digest = *blake3::hash(text.as_bytes()).as_bytes();
    Change::File(FileChange::new(
        path,
        digest,
        text.len() as u32,
        TOY.facts(text),
    ))
}

fn apply(w: &mut Workspace, changes: Vec<Change>) -> Applied {
    w.apply(changes, &Pool::new(2), &Cancel::new())
}

const LIB: &str = "export fn load(a)\n  return a\n";
const APP: &str = "from lib import load\nfn run()\n  load(1)\n";

// A bug in one file's resolution must not take the other files' edges along,
// must be said, and must heal when the file changes.
#[test]
fn a_panic_while_resolving_costs_its_own_file_alone() {
    fn fragile(ctx: &Ctx<'_>, file: FileId, item: u32) -> Vec<Outcome> {
        let outcomes = resolve_item(ctx, file, item);
        assert!(outcomes.len() != 2, "two sites are too much");
        outcomes
    }
    let mut w = Workspace::with_resolver(setup().languages, fragile);
    let bad = "from lib import load\nfn bad()\n  load(1)\n  load(2)\n";
    let done = apply(
        &mut w,
        vec![
            file("lib.toy", LIB),
            file("app.toy", APP),
            file("bad.toy", bad),
        ],
    );
    assert_eq!(done.poisoned.len(), 1);
    assert!(
        done.poisoned[0].1.contains("too much"),
        "{:?}",
        done.poisoned
    );
    let s = w.snapshot();
    let load = symbol(&s, "load");
    assert_eq!(s.callers(load).placed.len(), 1);
    assert!(s.floor(load).failed == 1, "the list may be short");
    let bad_file = s.file_at("bad.toy").unwrap();
    assert_eq!(s.poisoned().count(), 1);
    let site = SiteId {
        file: bad_file,
        index: 1,
    };
    assert_eq!(s.outcome(site).unwrap().cause, Some(Cause::Budget));
    // Edited, it is a file like any other again.
    let good = "from lib import load\nfn bad()\n  load(1)\n";
    let done = apply(&mut w, vec![file("bad.toy", good)]);
    assert!(done.poisoned.is_empty());
    let s = w.snapshot();
    assert_eq!(s.callers(symbol(&s, "load")).placed.len(), 2);
    assert!(!s.floor(symbol(&s, "load")).is_floor());
}

// A cancelled update must neither publish half a graph nor lose the other half.
#[test]
fn a_cancelled_update_goes_on_where_it_stopped() {
    static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);
    static CANCEL: std::sync::OnceLock<Cancel> = std::sync::OnceLock::new();
    fn slow(ctx: &Ctx<'_>, file: FileId, item: u32) -> Vec<Outcome> {
        if item == 0 && LEFT.fetch_sub(1, Ordering::SeqCst) == 1 {
            CANCEL.get().unwrap().cancel();
        }
        resolve_item(ctx, file, item)
    }
    let mut w = Workspace::with_resolver(setup().languages, slow);
    let cancel = CANCEL.get_or_init(Cancel::new).clone();
    LEFT.store(2, Ordering::SeqCst);
    let changes = vec![
        file("lib.toy", LIB),
        file("app.toy", APP),
        file("b.toy", APP),
    ];
    let done = w.apply(changes, &Pool::inline(), &cancel);
    assert!(done.interrupted && done.delta.is_empty());
    assert_eq!(done.work.resolved, 2);
    assert_eq!(w.snapshot().files().len(), 0, "nothing half done is shown");
    let done = apply(&mut w, Vec::new());
    assert!(!done.interrupted);
    assert_eq!(done.work.resolved, 1);
    let s = w.snapshot();
    assert_eq!(s.callers(symbol(&s, "load")).placed.len(), 2);
    assert_eq!(done.delta.files_added.len(), 3);
}

// Any number of threads gives the same graph: a report is compared byte by byte.
#[test]
fn threads_change_nothing() {
    let build = |pool: Pool| {
        let mut w = Workspace::new(setup().languages);
        let changes = (0..60).map(|i| {
            let text = format!(
                "from m{} import f\nexport fn f(a)\n  f(a)\n  a.go(f)\n",
                (i * 7 + 3) % 60
            );
            file(&format!("m{i}.toy"), &text)
        });
        w.apply(changes.collect(), &pool, &Cancel::new());
        let s = w.snapshot();
        let mut out = Vec::new();
        for f in s.files() {
            for index in 0..f.site_count() {
                let o = s.outcome(SiteId { file: f.id, index }).unwrap();
                out.push(format!("{} {index} {o:?}", f.path));
            }
        }
        out
    };
    assert_eq!(build(Pool::inline()), build(Pool::new(4)));
}

// What a snapshot said it goes on saying, whatever happens to the workspace.
#[test]
fn a_snapshot_does_not_change_under_its_reader() {
    let mut w = Workspace::new(setup().languages);
    apply(&mut w, vec![file("lib.toy", LIB), file("app.toy", APP)]);
    let old = w.snapshot();
    let load = symbol(&old, "load");
    let before = old.callers(load);
    let gone = ["lib.toy", "app.toy"].map(|path| Change::Remove { path: path.into() });
    apply(&mut w, gone.into());
    assert_eq!(old.callers(load), before);
    assert_eq!(old.files().len(), 2);
    assert_eq!(w.snapshot().files().len(), 0);
    assert!(w.snapshot().symbol_info(load).is_none());
}

// The files of a language that is not there any more, or never was, must leave
// no trace in what is counted.
#[test]
fn preludes_are_never_counted_or_found() {
    let mut w = Workspace::new(setup().languages);
    apply(
        &mut w,
        vec![file("app.toy", "fn run(s: Str)\n  s.trim()\n")],
    );
    let s = w.snapshot();
    assert_eq!(s.files().len(), 1);
    assert_eq!(s.symbol_count(), 2, "the module and run");
    let names: Vec<&str> = s.names().map(|n| n.text()).collect();
    assert_eq!(names, ["run"]);
    assert_eq!(s.totals().files, 1);
    let one: Vec<Arc<str>> = s.files().map(|f| f.path.clone()).collect();
    assert_eq!(&*one[0], "app.toy");
    assert!(!s.file(s.file_at("app.toy").unwrap()).unwrap().prelude);
}

// Another server's answer fills a gap, says who gave it, goes with the text it
// was given for, and never wins over a proof.
#[test]
fn an_answer_counts_where_there_is_no_other_and_only_for_its_text() {
    use surefoot_engine::Answers;
    use surefoot_graph::{Evidence, Outcome, Resolution, Resolver, Rule, Target, Tier};
    let mut w = Workspace::new(setup().languages);
    let text = "from lib import load\nfn run(x)\n  x.load(1)\n  load(2)\n";
    let lib = format!("{LIB}class Other\n  fn load(a)\n    return a\n");
    apply(&mut w, vec![file("lib.toy", &lib), file("app.toy", text)]);
    let s = w.snapshot();
    let other = symbol(&s, "Other::load");
    let app = s.file(s.file_at("app.toy").unwrap()).unwrap().clone();
    let placed = |site| {
        let evidence = Evidence {
            rule: Rule::Asked,
            tier: Tier::Certain,
            via: Vec::new(),
            resolver: Resolver::Server {
                name: "oracle".into(),
                version: "1".into(),
            },
        };
        let outcome = Outcome {
            resolution: Resolution::InTree,
            target: Target::Symbol(other),
            cause: None,
            evidence: Some(evidence),
            candidates: None,
            refused: None,
        };
        (site, outcome)
    };
    let calls: Vec<u32> = (0..app.site_count())
        .filter(|&index| {
            let site = SiteId {
                file: app.id,
                index,
            };
            s.site(site).is_some_and(|(s, _)| s.kind.is_call())
        })
        .collect();
    let answers = |digest| {
        Change::Answers(Answers {
            path: "app.toy".into(),
            digest,
            placed: calls.iter().map(|&c| placed(c)).collect(),
        })
    };
    apply(&mut w, vec![answers([9; 32])]);
    assert!(
        w.snapshot().callers(other).placed.is_empty(),
        "another text"
    );
    let done = apply(&mut w, vec![answers(app.digest)]);
    let s = w.snapshot();
    let rows = surefoot_engine::features::hierarchy::callers(&s, other, &Default::default());
    let rows = rows.unwrap().rows;
    assert_eq!(rows[0].resolver.as_deref(), Some("oracle 1"));
    assert_eq!(rows[0].sites.len(), 1, "the call without a proof");
    assert!(done.delta.edges.iter().any(|e| e.key.callee == other));
    assert_eq!(s.callers(symbol(&s, "lib.toy::load")).placed.len(), 1);
    let proved = SiteId {
        file: app.id,
        index: calls[1],
    };
    assert!(s.contradiction(proved).is_some(), "kept and shown");
    // The other end of the edge is another text now, though it declares the same.
    apply(&mut w, vec![file("lib.toy", &format!("# new\n{lib}"))]);
    assert!(
        w.snapshot().callers(other).placed.is_empty(),
        "dropped with the text of its target"
    );
    apply(&mut w, vec![answers(app.digest)]);
    assert_eq!(w.snapshot().callers(other).placed.len(), 1);
    apply(&mut w, vec![file("app.toy", &format!("# new\n{text}"))]);
    assert!(
        w.snapshot().callers(other).placed.is_empty(),
        "dropped with its text"
    );
}
