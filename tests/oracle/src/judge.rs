//! Plays a script and compares every state with one made from nothing.

use crate::dump::{dump, first_difference, outcome_text};
use crate::script::Script;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};
use surefoot_engine::{GraphDelta, Languages, Pool, Snapshot};
use surefoot_facts::{Extracted, HeritageKind, Language};
use surefoot_fixture::show::Names;
use surefoot_fixture::{Setup, World, stubs_once};
use surefoot_graph::{FileId, Resolution, SiteId};
use surefoot_langs::OpenFile;

/// A state that is not what it must be.
#[derive(Clone, Debug)]
pub struct Failure {
    /// From zero; the start is step 0.
    pub step: usize,
    /// Which promise is broken: what the minimiser keeps.
    pub promise: &'static str,
    pub details: String,
}

/// The languages of the product.
pub fn setup() -> Setup {
    static ALL: LazyLock<&[&dyn Language]> = LazyLock::new(|| stubs_once(surefoot_langs::all()));
    Setup {
        languages: Languages(*ALL),
        of_path: |path| {
            let id = surefoot_langs::of_path(path)?.id();
            ALL.iter().copied().find(|l| l.id() == id)
        },
        manifest: surefoot_langs::manifest_facts,
    }
}

/// What a run went through, for the last line of the output.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    pub steps: usize,
    pub sites: usize,
    pub placed: usize,
    /// Steps in which some file did not parse.
    pub broken: usize,
    pub resolved: usize,
    /// Deltas with a call edge or gap in them.
    pub deltas: usize,
}

impl Seen {
    pub fn add(&mut self, o: &Seen) {
        self.steps += o.steps;
        self.sites += o.sites;
        self.placed += o.placed;
        self.broken += o.broken;
        self.resolved += o.resolved;
        self.deltas += o.deltas;
    }
}

/// Plays a script to its end or to the first state that is wrong.
pub fn judge(script: &Script, seen: &mut Seen) -> Result<(), Failure> {
    let mut at = 0;
    let run = std::panic::AssertUnwindSafe(|| play(script, seen, &mut at));
    std::panic::catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Failure {
            step: at,
            promise: "nothing panics",
            details: text.unwrap_or_default(),
        })
    })
}

fn play(script: &Script, seen: &mut Seen, at: &mut usize) -> Result<(), Failure> {
    let setup = setup();
    let mut world = World::new(setup);
    let mut open: FxHashMap<String, OpenFile> = FxHashMap::default();
    for (n, step) in script.all_steps().enumerate() {
        *at = n;
        let fail = |promise, details| {
            Err(Failure {
                step: n,
                promise,
                details,
            })
        };
        let mut broken = false;
        for (path, text) in &step.files {
            let Some(text) = text else {
                open.remove(path);
                continue;
            };
            let Some(language) = (setup.of_path)(path) else {
                continue;
            };
            let full = language.facts(text);
            broken |= full.facts.errors > 0;
            let file = open
                .entry(path.clone())
                .or_insert_with(|| OpenFile::new(language, text.clone()));
            let kept = file.update(&[], text.clone());
            if full.facts.errors == 0
                && let Some(what) = facts_differ(kept, &full)
            {
                return fail(
                    "incremental facts equal full facts",
                    format!("{path}: {what}"),
                );
            }
            let bytes = surefoot_facts::encode_file(&full);
            match surefoot_facts::decode_file(&bytes) {
                Ok(back) => {
                    if let Some(what) = facts_differ(&back, &full) {
                        return fail("cached facts equal facts", format!("{path}: {what}"));
                    }
                }
                Err(e) => return fail("cached facts equal facts", format!("{path}: {e}")),
            }
        }
        let before = world.snapshot();
        let old = dump_if_cheap(n, &before);
        let done = world.apply_as(step.files.clone(), step.interrupted);
        if let Some((path, why)) = done.poisoned.first() {
            return fail("resolution does not panic", format!("{path}: {why}"));
        }
        let after = done.after.clone();
        // A snapshot someone still holds must not change under them.
        if let Some(old) = old
            && let Some((was, is)) = first_difference(&old, &dump(&before))
        {
            return fail("a snapshot never changes", format!("was {was}\nis  {is}"));
        }
        let between = GraphDelta::between(&done.before, &after);
        if *done.delta != between {
            return fail(
                "the delta equals the difference",
                delta_difference(&done.delta, &between, &after),
            );
        }
        let mine = dump(&after);
        let scratch = world.scratch();
        let theirs = dump(&scratch.snapshot());
        if let Some((a, b)) = first_difference(&mine, &theirs) {
            return fail(
                "the incremental state equals a new one",
                format!("incremental {a}\nscratch     {b}"),
            );
        }
        if let Some(what) = inconsistent(&after) {
            return fail("the numbers equal the lists", what);
        }
        if let Some(what) = groundless(&after) {
            return fail("evidence can be opened", what);
        }
        let totals = after.totals();
        seen.steps += 1;
        seen.sites += totals.calls;
        seen.placed += totals
            .by_resolution
            .get(&Resolution::InTree)
            .copied()
            .unwrap_or(0);
        seen.broken += usize::from(broken);
        seen.resolved += done.work.resolved;
        seen.deltas += usize::from(!done.delta.edges.is_empty() || !done.delta.gaps.is_empty());
    }
    // Neither the order of arrival nor the number of threads is in the graph.
    let last = dump(&world.snapshot());
    for (how, other) in [
        ("one by one", piecemeal(&world)),
        ("by two threads", threaded(&world)),
    ] {
        if let Some((a, b)) = first_difference(&last, &dump(&other.snapshot())) {
            return Err(Failure {
                step: script.steps.len(),
                promise: "order and threads change nothing",
                details: format!("incremental {a}\n{how} {b}"),
            });
        }
    }
    Ok(())
}

/// The same tree, the last path first, one update for each file.
fn piecemeal(world: &World) -> World {
    let mut other = World::new(world.setup());
    for (path, text) in world.tree().iter().rev() {
        other.apply(vec![(path.clone(), Some(text.clone()))]);
    }
    other
}

fn threaded(world: &World) -> World {
    static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(2));
    let mut other = World::with_pool(world.setup(), POOL.clone());
    let all = world.tree().iter();
    other.apply(all.map(|(p, t)| (p.clone(), Some(t.clone()))).collect());
    other
}

/// Every fourth step: enough to notice, cheap enough not to.
fn dump_if_cheap(step: usize, snapshot: &Arc<Snapshot>) -> Option<Vec<String>> {
    (step % 4 == 3).then(|| dump(snapshot))
}

fn facts_differ(a: &Extracted, b: &Extracted) -> Option<String> {
    if a.facts == b.facts && a.positions == b.positions {
        return None;
    }
    if a.facts.items.len() != b.facts.items.len() {
        return Some(format!(
            "{} items, {} items",
            a.facts.items.len(),
            b.facts.items.len()
        ));
    }
    let items = a.facts.items.iter().zip(&b.facts.items);
    for (n, (x, y)) in items.enumerate() {
        if x != y {
            return Some(format!("item {n}: {}", item_difference(x, y)));
        }
    }
    let items = a.positions.items.iter().zip(&b.positions.items);
    for (n, (x, y)) in items.enumerate() {
        if x != y {
            return Some(format!("positions of item {n}: {x:?}\nand {y:?}"));
        }
    }
    Some(format!(
        "documented {} {}, errors {} {}, generated {} {}",
        a.facts.documented,
        b.facts.documented,
        a.facts.errors,
        b.facts.errors,
        a.facts.generated,
        b.facts.generated
    ))
}

fn item_difference(x: &surefoot_facts::ItemFacts, y: &surefoot_facts::ItemFacts) -> String {
    macro_rules! table {
        ($($name:ident),*) => { $(
            if x.$name != y.$name {
                let n = x.$name.iter().zip(&y.$name).take_while(|(a, b)| a == b).count();
                return format!(
                    concat!(stringify!($name), "[{}]: {:?}\nand {:?}"),
                    n, x.$name.get(n), y.$name.get(n)
                );
            }
        )* };
    }
    table!(
        symbols, scopes, bindings, imports, sites, exprs, types, lists
    );
    "what it assigns differs".to_owned()
}

fn delta_difference(a: &GraphDelta, b: &GraphDelta, after: &Snapshot) -> String {
    let names = Names::of(after);
    let path = |f: &FileId| {
        let file = after.file(*f);
        file.map_or_else(|| "<gone>".to_owned(), |f| f.path.to_string())
    };
    macro_rules! list {
        ($field:ident, $show:expr) => {
            if a.$field != b.$field {
                let only = |x: &GraphDelta, y: &GraphDelta| -> Vec<String> {
                    let own = x.$field.iter().filter(|k| !y.$field.contains(k));
                    own.map($show).collect()
                };
                return format!(
                    concat!(
                        stringify!($field),
                        ": reported only {:?}\ndiffers only {:?}"
                    ),
                    only(a, b),
                    only(b, a)
                );
            }
        };
    }
    list!(edges, |e| format!(
        "{} -> {} {:?} {:?} {:?} {} {}",
        names.full(e.key.caller),
        names.full(e.key.callee),
        e.key.kind,
        e.key.tier,
        e.key.rule,
        e.before,
        e.after
    ));
    list!(gaps, |g| format!(
        "{} `{}` {:?} {:?} {} {}",
        names.full(g.key.caller),
        g.key.name.text(),
        g.key.resolution,
        g.key.cause,
        g.before,
        g.after
    ));
    list!(symbols_added, |s| names.full(*s));
    list!(symbols_removed, |s| names.full(*s));
    list!(symbols_changed, |s| names.full(*s));
    list!(files_added, path);
    list!(files_removed, path);
    list!(lenses, path);
    format!("revisions {}..{} and {}..{}", a.from, a.to, b.from, b.to)
}

/// Counts that are kept up to date against the lists they count.
fn inconsistent(s: &Snapshot) -> Option<String> {
    let names = Names::of(s);
    for file in s.files() {
        for id in s.symbols_of(file.id) {
            let calls = s.callers(id);
            let counted = s.uses(id).map_or((0, 0, 0, 0), |u| {
                (u.callers, u.caller_files, u.sites, u.possible)
            });
            let mut files: Vec<FileId> = calls
                .placed
                .iter()
                .flat_map(|g| g.sites.iter().map(|s| s.site.file))
                .collect();
            files.sort_unstable();
            files.dedup();
            let sites = calls
                .placed
                .iter()
                .map(|g| g.sites.len() as u32)
                .sum::<u32>();
            let listed = (
                calls.placed.len() as u32,
                files.len() as u32,
                sites,
                calls.possible.len() as u32,
            );
            if counted != listed {
                return Some(format!(
                    "{}: counted {counted:?}, listed {listed:?}",
                    names.full(id)
                ));
            }
            for g in &calls.placed {
                let back = s.callees(g.symbol);
                if !back.placed.iter().any(|c| c.symbol == id) {
                    return Some(format!(
                        "{} calls {} and does not list it",
                        names.full(g.symbol),
                        names.full(id)
                    ));
                }
            }
            for base in s.bases(id) {
                let back = base.target.map_or(Vec::new(), |t| s.derived(t));
                let known = base.kind == HeritageKind::SelfType
                    || base.target.is_none_or(|t| {
                        s.file(s.decl(t).map_or(file.id, |d| d.loc.file))
                            .is_some_and(|f| f.prelude)
                    })
                    || back
                        .iter()
                        .any(|d| d.0 == id || s.blocks(d.0).contains(&id));
                if !known && s.decl(id).is_some_and(|d| d.kind().is_type()) {
                    return Some(format!(
                        "{} has the base {}, which does not know it as derived",
                        names.full(id),
                        base.name
                    ));
                }
            }
            let fan_out = s.fan_out(id);
            if fan_out as usize != s.callees(id).placed.len() {
                return Some(format!(
                    "{}: fan-out {fan_out} is not its callees",
                    names.full(id)
                ));
            }
        }
    }
    None
}

/// Edges whose evidence cannot be shown.
fn groundless(s: &Snapshot) -> Option<String> {
    let names = Names::of(s);
    for file in s.files() {
        for index in 0..file.site_count() {
            let site = SiteId {
                file: file.id,
                index,
            };
            let o = s.outcome(site)?;
            let Some(e) = &o.evidence else {
                continue;
            };
            if e.via.iter().any(|v| s.via(v).is_none()) {
                let text = outcome_text(s, &names, file.id, &o);
                return Some(format!("{} site {index}: {text}", file.path));
            }
        }
    }
    None
}
