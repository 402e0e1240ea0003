//! Runs every fixture of every language.
//!
//! `UPDATE_FIXTURES=1 cargo test -p surefoot-session --test fixtures` writes
//! what the graph says into the fixtures; `FIXTURE=part_of_a_name` runs some.
#![expect(
    clippy::disallowed_methods,
    reason = "a test that reads and updates its own cases"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use surefoot_engine::Languages;
use surefoot_facts::Language;
use surefoot_fixture::mark::CAUSES;
use surefoot_fixture::show::Names;
use surefoot_fixture::{Setup, World, check, play, stubs_once};
use surefoot_graph::{Outcome, Resolution, Rule, SiteId, Tier};

fn setup() -> Setup {
    static ALL: LazyLock<&[&dyn Language]> = LazyLock::new(|| stubs_once(surefoot_langs::all()));
    Setup {
        languages: Languages(*ALL),
        of_path: surefoot_langs::of_path,
        manifest: surefoot_langs::manifest_facts,
    }
}

/// Every fixture beside a language, by name.
fn fixtures(language: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../langs/src")
        .join(language)
        .join("fixtures");
    let wanted = std::env::var("FIXTURE").unwrap_or_default();
    let all = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut out: Vec<PathBuf> = all
        .map(|entry| entry.path())
        .filter(|p| p.extension().is_some_and(|e| e == "fixture"))
        .filter(|p| p.to_string_lossy().contains(&wanted))
        .collect();
    out.sort();
    assert!(
        !out.is_empty() || !wanted.is_empty(),
        "no fixtures in {}",
        folder.display()
    );
    out
}

fn run(language: &str) {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let mut wrong = Vec::new();
    for path in fixtures(language) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut problems = match check(&text, setup()) {
            Ok(verdict) if update => {
                if verdict.updated != text {
                    fs::write(&path, &verdict.updated).unwrap();
                }
                verdict.stubborn
            }
            Ok(verdict) => verdict.problems,
            Err(malformed) => vec![malformed.to_string()],
        };
        if !problems.is_empty() {
            problems.insert(0, format!("==== {language}/{name}"));
            wrong.push(problems.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n\n"));
}

// What the graph says of Rust, shape by shape, against the marks in the source.
#[test]
fn rust() {
    run("rust");
}

// What the graph says of TypeScript, TSX and JavaScript.
#[test]
fn typescript() {
    run("typescript");
}

#[test]
fn python() {
    run("python");
}

/// Plays every fixture and shows each state to `each`.
fn states(mut each: impl FnMut(&str, &World)) {
    for language in ["rust", "typescript", "python"] {
        for path in fixtures(language) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path).unwrap();
            let fixture = surefoot_fixture::parse::parse(&text).unwrap();
            let mut world = World::new(setup());
            play(&fixture, &mut world, |world, _| {
                each(&format!("{language}/{name}"), world);
            });
        }
    }
}

/// Every site of a world with its outcome.
fn outcomes(world: &World) -> Vec<(SiteId, Outcome)> {
    let snapshot = world.snapshot();
    let mut out = Vec::new();
    for file in snapshot.files() {
        for index in 0..file.site_count() {
            let site = SiteId {
                file: file.id,
                index,
            };
            out.extend(snapshot.outcome(site).map(|o| (site, o)));
        }
    }
    out
}

// A rule nobody can show an example of is a rule nobody has tested.
#[test]
fn every_rule_has_a_fixture() {
    let mut seen = BTreeSet::new();
    states(|_, world| {
        for (_, o) in outcomes(world) {
            seen.extend(o.evidence.map(|e| e.rule));
            let candidates = o.candidates.iter().flat_map(|c| &c.list);
            seen.extend(candidates.map(|c| c.rule));
        }
    });
    let missing: Vec<&str> = Rule::ALL
        .iter()
        // Another server gives the first two, an option the third, and the last a
        // snapshot that is asked what a parameter may hold.
        .filter(|r| {
            let others = [
                Rule::Asked,
                Rule::AskedMayRun,
                Rule::UniqueName,
                Rule::ValueFlow,
            ];
            !others.contains(r) && !seen.contains(r)
        })
        .map(|r| r.id())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

// A cause that nothing shows is a word without a meaning.
#[test]
fn every_cause_has_a_fixture() {
    let mut seen = BTreeSet::new();
    states(|_, world| {
        for (_, o) in outcomes(world) {
            seen.extend(o.cause);
        }
    });
    let missing: Vec<&str> = CAUSES
        .iter()
        .filter(|c| !seen.contains(c))
        .map(|c| c.word())
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
}

/// A call edge in words that hold across worlds.
type Edge = (String, String, &'static str, Rule);

/// A step of evidence: its role, path, line from zero, and the text there.
type Step = (&'static str, String, usize, String);

/// Certain call edges, with the steps of each that stand in the tree.
fn edges(world: &World) -> Vec<(Edge, Vec<Step>)> {
    let snapshot = world.snapshot();
    let names = Names::of(&snapshot);
    let mut out = Vec::new();
    for (site, o) in outcomes(world) {
        let kind = snapshot.site(site).map(|(s, _)| s.kind);
        let (Some(kind), Some(to), Some(e)) = (kind, o.symbol(), o.evidence) else {
            continue;
        };
        if !kind.is_call() || o.resolution != Resolution::InTree || e.tier != Tier::Certain {
            continue;
        }
        let from = snapshot.caller_of(site).map(|c| names.full(c));
        let edge = (
            from.unwrap_or_default(),
            names.full(to),
            kind.word(),
            e.rule,
        );
        let steps = e.via.iter().filter_map(|via| {
            let Some(v) = snapshot.via(via) else {
                return Some(("nowhere", String::new(), 0, String::new()));
            };
            let file = snapshot.file(v.place.file).filter(|f| !f.prelude)?;
            let line = v.place.start.line as usize;
            let text = world.text(&file.path)?.lines().nth(line)?;
            Some((v.role, file.path.to_string(), line, text.to_owned()))
        });
        out.push((edge, steps.collect()));
    }
    out
}

// Evidence that can be taken away without the edge noticing is no evidence. An
// edge may stand on another proof, but not on what is left of the same one.
#[test]
fn deleting_what_an_edge_rests_on_changes_the_edge() {
    const KNOWN: &[(&str, &str)] = &[
        // Where a type cannot be cloned, the clone of a reference is the reference.
        ("rust/deep_chains.fixture", "#[derive(Clone, Default)]"),
    ];
    let mut idle = Vec::new();
    states(|name, world| {
        let before = edges(world);
        let mut done = BTreeSet::new();
        for (edge, steps) in &before {
            for (role, path, line, quoted) in steps {
                if !done.insert((edge, path, line)) || KNOWN.contains(&(name, quoted)) {
                    continue;
                }
                let text = world.text(path).unwrap_or_default();
                let all = text.split_inclusive('\n').enumerate();
                let rest: String = all.filter(|(n, _)| n != line).map(|(_, l)| l).collect();
                let mut tree = world.tree().clone();
                tree.insert(path.clone(), rest);
                let mut other = World::new(setup());
                other.apply(tree.into_iter().map(|(p, t)| (p, Some(t))).collect());
                let after = edges(&other);
                let count = |all: &[(Edge, Vec<Step>)]| all.iter().filter(|e| e.0 == *edge).count();
                let left = texts(steps.iter().filter(|s| (&s.1, &s.2) != (path, line)));
                let same = after.iter().filter(|e| e.0 == *edge);
                let stands = count(&after) >= count(&before)
                    && same.clone().any(|e| texts(e.1.iter()) == left);
                if stands {
                    idle.push(format!(
                        "{name}: {edge:?} stands without its {role} `{quoted}`"
                    ));
                }
            }
        }
    });
    assert!(idle.is_empty(), "\n{}\n", idle.join("\n"));
}

fn texts<'a>(steps: impl Iterator<Item = &'a Step>) -> Vec<(&'a str, &'a str, &'a str)> {
    let all = steps.map(|s| (s.0, s.1.as_str(), s.3.as_str()));
    all.collect()
}
