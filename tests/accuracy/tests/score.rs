//! Scores hand-written reports against hand-written truths: each verdict, each figure, each tolerance.

use std::fs;

use surefoot_accuracy::answers::{self, Answers};
use surefoot_accuracy::figures::Figures;
use surefoot_accuracy::score::{self, Verdict};
use surefoot_accuracy::show::{self, Outcome};
use surefoot_accuracy::truth::{self, Truth};

const ENTITIES: &str = r#"
    {"qualified_name": "a.ts", "kind": "module", "file": "a.ts", "line_number": 1},
    {"qualified_name": "a.ts::run", "kind": "function", "file": "a.ts", "line_number": 1},
    {"qualified_name": "b.ts::load", "kind": "function", "file": "b.ts", "line_number": 7},
    {"qualified_name": "b.ts::Box::constructor", "kind": "constructor", "file": "b.ts", "line_number": 20},
    {"qualified_name": "b.ts::Box", "kind": "class", "file": "b.ts", "line_number": 19},
    {"qualified_name": "c.ts::Twice::m", "kind": "method", "file": "c.ts", "line_number": 3},
    {"qualified_name": "c.ts::Twice::m", "kind": "method", "file": "c.ts", "line_number": 9}
"#;

fn truth(lines: &str) -> Truth {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("truth.jsonl");
    let lines: Vec<&str> = lines
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    fs::write(&path, lines.join("\n")).expect("the truth is written");
    Truth::load(&path).expect("the truth is read")
}

fn report(edges: &[&str]) -> Answers {
    let text = format!(
        "{{\"entities\": [{ENTITIES}], \"call_edges\": [{}]}}",
        edges.join(",")
    );
    answers::from_report(&text).expect("the report is read")
}

/// A site at a.ts:2:5 of the given class, in `run`.
fn site(class: &str, more: &str) -> String {
    format!(
        r#"{{"file": "a.ts", "line": 2, "col": 5, "name": "load", "class": "{class}", "callee": "load",
            "caller": {{"name": "run", "file": "a.ts", "line": 1}}{more}}}"#
    )
    .replace('\n', " ")
}

/// An edge at a.ts:2:5 from `run`.
fn edge(more: &str) -> String {
    format!(
        r#"{{"caller": "a.ts::run", "file": "a.ts", "line_number": 2, "column": 5, "name": "load", "kind": "call", {more}}}"#
    )
}

const TO_LOAD: &str =
    r#""resolution": "in_tree", "callee": "b.ts::load", "tier": "certain", "rule": "import""#;
const AT_LOAD: &str = r#", "targets": [["b.ts", 7]]"#;

#[track_caller]
fn check(site: String, edge: String, expected: Verdict) -> Figures {
    let truth = truth(&site);
    let scored = score::score(&truth, &report(&[&edge]));
    assert_eq!(scored.len(), 1);
    assert_eq!(scored[0].verdict, expected);
    let figures = Figures::count(&scored);
    assert_eq!(
        figures.identity().value().unwrap_or(1.0),
        1.0,
        "every IN site is counted once"
    );
    figures
}

/// Why: the wrong class of verdict would move a figure that people decide by.
#[test]
fn a_site_bound_in_the_tree_is_right_wrong_outside_open_or_silent() {
    let f = check(site("IN", AT_LOAD), edge(TO_LOAD), Verdict::Right);
    assert_eq!((f.right, f.contradicted, f.placing.placed), (1, 0, 1));

    let f = check(
        site("IN", r#", "targets": [["b.ts", 8]]"#),
        edge(TO_LOAD),
        Verdict::Near,
    );
    assert_eq!(
        (f.right, f.near, f.contradicted),
        (0, 1, 1),
        "strict counts it against us"
    );

    let f = check(
        site("IN", r#", "targets": [["z.ts", 8]]"#),
        edge(TO_LOAD),
        Verdict::Wrong,
    );
    assert_eq!((f.wrong, f.contradicted), (1, 1));

    let f = check(
        site("IN", AT_LOAD),
        edge(r#""resolution": "outside", "callee": "load""#),
        Verdict::Outside,
    );
    assert_eq!(f.false_outside, 1);

    let f = check(
        site("IN", AT_LOAD),
        edge(
            r#""resolution": "undetermined", "cause": "no-receiver-type",
                "candidates": [{"callee": "b.ts::load", "tier": "possible", "rule": "dispatch"}]"#,
        ),
        Verdict::Open,
    );
    assert_eq!(f.top_causes(5), [("no-receiver-type", 1)]);
    assert_eq!(
        (f.undetermined, f.among_candidates, f.placing.placed),
        (1, 1, 0)
    );

    let f = check(
        site("IN", AT_LOAD),
        edge(TO_LOAD).replace("\"column\": 5", "\"column\": 6"),
        Verdict::Silent,
    );
    assert_eq!((f.silent, f.known), (1, 0));
}

/// Why: a library call placed in the tree is the error that makes a reader distrust the rest.
#[test]
fn an_outside_site_placed_in_the_tree_is_a_phantom_unless_the_judge_accepts_it() {
    let f = check(site("EXT", ""), edge(TO_LOAD), Verdict::Phantom);
    assert_eq!((f.phantom, f.contradicted), (1, 1));
    let f = check(site("EXT", AT_LOAD), edge(TO_LOAD), Verdict::Right);
    assert_eq!((f.phantom, f.contradicted, f.placing.right), (0, 0, 1));
    let f = check(
        site("EXT", ""),
        edge(r#""resolution": "outside""#),
        Verdict::Outside,
    );
    assert_eq!((f.outside_right, f.false_outside), (1, 0));
}

/// Why: naming the declared member and covering what may run are two answers, counted apart.
#[test]
fn a_dispatched_site_names_the_declaration_and_its_candidates_are_covered() {
    let more = r#", "targets": [["b.ts", 7]], "impls": [["c.ts", 3], ["c.ts", 9]]"#;
    let f = check(
        site("DYN", more),
        edge(&format!(
            r#"{TO_LOAD}, "candidates": [{{"callee": "c.ts::Twice::m", "declaration_line": 9}}, {{"callee": "b.ts::Box"}}]"#
        )),
        Verdict::Declared,
    );
    assert_eq!(
        (f.cover.part, f.cover.whole, f.mean_candidates()),
        (1, 2, Some(2.0))
    );
    assert_eq!(f.placing.placed, 0, "dispatched sites are in no precision");

    let over = r#""resolution": "in_tree", "callee": "c.ts::Twice::m", "declaration_line": 9, "tier": "likely", "rule": "only-impl""#;
    check(site("DYN", more), edge(over), Verdict::Override);
}

/// Why: a function value answered `certain` is a claim that nothing proves.
#[test]
fn a_function_value_is_honest_unless_it_is_answered_certain() {
    let f = check(site("IND", ""), edge(TO_LOAD), Verdict::Placed);
    assert_eq!(f.honesty().part, 0);
    let f = check(
        site("IND", ""),
        edge(&TO_LOAD.replace("certain", "likely")),
        Verdict::Placed,
    );
    assert_eq!(f.honesty().part, 1);
    let f = check(
        site("IND", ""),
        edge(r#""resolution": "parameter""#),
        Verdict::Open,
    );
    assert_eq!(f.honesty().part, 1);
}

/// Why: each tier and each `likely` rule is kept or removed by its own precision.
#[test]
fn precision_is_counted_per_tier_and_per_rule() {
    let likely = TO_LOAD
        .replace("certain", "likely")
        .replace("import", "same-file");
    let f = check(site("IN", AT_LOAD), edge(&likely), Verdict::Right);
    assert_eq!(f.by_tier["likely"].placed, 1);
    assert!(!f.by_tier.contains_key("certain"));
    assert_eq!(
        f.by_rule[&("likely".to_owned(), "same-file".to_owned())].right,
        1
    );
}

/// Why: a qualified name that two declarations share must not make both of them right.
#[test]
fn a_declaration_line_tells_equal_names_apart() {
    let to = |line: u32| {
        edge(&format!(
            r#""resolution": "in_tree", "callee": "c.ts::Twice::m", "declaration_line": {line}, "tier": "certain""#
        ))
    };
    check(
        site("IN", r#", "targets": [["c.ts", 9]]"#),
        to(9),
        Verdict::Right,
    );
    check(
        site("IN", r#", "targets": [["c.ts", 9]]"#),
        to(3),
        Verdict::Wrong,
    );
}

/// Why: the class for its constructor, and the other overload, are right only when nobody looks closely.
#[test]
fn a_near_declaration_is_right_only_when_overloads_are_not_told_apart() {
    let more = r#", "targets": [["b.ts", 20]], "near": [["b.ts", 19]], "form": "new""#;
    let f = check(
        site("IN", more),
        edge(
            r#""resolution": "in_tree", "callee": "b.ts::Box", "tier": "certain", "rule": "construct""#,
        ),
        Verdict::Near,
    );
    assert_eq!((f.recall().part, f.recall_wide().part), (0, 1));
    assert_eq!((f.placing.strict().part, f.placing.wide().part), (0, 1));
}

/// Why: callers decide what a caller list shows; module code has a caller of its own.
#[test]
fn the_caller_is_the_named_function_or_the_module() {
    let callers = |site: String, edge: String| {
        let truth = truth(&site);
        score::score(&truth, &report(&[&edge]))[0].caller_right
    };
    assert_eq!(callers(site("IN", AT_LOAD), edge(TO_LOAD)), Some(true));
    let from_module = edge(TO_LOAD).replace("\"caller\": \"a.ts::run\"", "\"caller\": \"a.ts\"");
    assert_eq!(
        callers(site("IN", AT_LOAD), from_module.clone()),
        Some(false)
    );
    let module = site("IN", AT_LOAD).replace(
        r#"{"name": "run", "file": "a.ts", "line": 1}"#,
        r#"{"module": true, "file": "a.ts"}"#,
    );
    assert_eq!(callers(module.clone(), from_module), Some(true));
    assert_eq!(callers(module, edge(TO_LOAD)), Some(false));
    let also = site("IN", AT_LOAD).replace(
        r#""file": "a.ts", "line": 1}"#,
        r#""file": "a.ts", "line": 99, "also": {"name": "run", "file": "a.ts", "line": 1}}"#,
    );
    assert_eq!(callers(also, edge(TO_LOAD)), Some(true));
}

/// Why: what a macro writes and what has no name at its site cannot be keyed, and must not be counted as missed.
#[test]
fn implicit_and_macro_borne_sites_are_left_out() {
    let lines = format!(
        "{}\n{}",
        site("IN", r#", "macro": true"#),
        site("IN", r#", "implicit": true"#)
    );
    let truth = truth(&lines);
    assert!(score::score(&truth, &report(&[])).is_empty());
}

/// Why: a judge that points beside the name would make every tool look wrong.
#[test]
fn a_truth_that_misses_its_names_is_noticed() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("a.ts"), "fn\n  ä load()\n").expect("written");
    fs::write(
        folder.path().join("b.ts"),
        "\n\n\n\n\n\nfunction load() {}\n",
    )
    .expect("written");
    let right = truth(&site("IN", AT_LOAD).replace("\"col\": 5", "\"col\": 6"));
    let check = truth::check_names(&right, folder.path());
    assert_eq!(
        (check.sites_share(), check.targets_share()),
        (1.0, 1.0),
        "columns count bytes"
    );
    let wrong = truth(&site("IN", r#", "targets": [["b.ts", 6]]"#));
    let check = truth::check_names(&wrong, folder.path());
    assert_eq!((check.sites_share(), check.targets_share()), (0.0, 0.0));
    assert_eq!(check.wrong.len(), 2);
}

/// Why: a change to a rule is judged by which sites moved, not by a rate that two moves cancel out.
#[test]
fn a_difference_lists_the_sites_that_changed_class() {
    let truth = truth(&site("IN", AT_LOAD));
    let run = |edge: String| Outcome::of("p", &score::score(&truth, &report(&[&edge])));
    let (old, new) = (
        run(edge(r#""resolution": "undetermined", "cause": "miss""#)),
        run(edge(TO_LOAD)),
    );
    let text = show::difference(&old, &new, 10);
    assert!(text.starts_with("1 of 1 sites changed"), "{text}");
    assert!(text.contains("In open miss -> In right certain"), "{text}");
    assert!(text.contains("a.ts:2:5 load"), "{text}");
    assert!(show::difference(&new, &new, 10).starts_with("0 of 1"));
}

/// Why: a gate that an empty report or a falling share passes would keep nothing.
#[test]
fn the_gate_names_what_falls_short() {
    let least = surefoot_accuracy::projects::Least {
        precision: 0.9,
        recall: 0.9,
        coverage: 1.0,
        false_outside: 0.0,
        phantom: 0.0,
    };
    let run = |edges: &[&str]| {
        let truth = truth(&site("IN", AT_LOAD));
        let figures = Figures::count(&score::score(&truth, &report(edges)));
        surefoot_accuracy::slice::shortfalls("p", &least, &figures)
    };
    assert_eq!(run(&[&edge(TO_LOAD)]), Vec::<String>::new());
    let empty = run(&[]);
    assert!(empty.iter().any(|s| s.contains("precision")), "{empty:?}");
    assert!(
        empty.iter().any(|s| s.contains("site coverage")),
        "{empty:?}"
    );
    let outside = run(&[&edge(r#""resolution": "outside""#)]);
    assert!(
        outside.iter().any(|s| s.contains("false outside is 1.000")),
        "{outside:?}"
    );
}

/// Why: the table of projects is read at run time, and a slip in it would show only after minutes of fetching.
#[test]
fn every_pinned_project_is_complete() {
    let projects = surefoot_accuracy::projects::all().expect("the table is read");
    for p in &projects {
        assert!(
            !p.digest.is_empty() && !p.license.is_empty() && !p.note.is_empty(),
            "{}",
            p.id
        );
    }
    let mut ids: Vec<_> = projects.iter().map(|p| &p.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), projects.len(), "ids are unique");
}
