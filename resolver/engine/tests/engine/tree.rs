//! A small tree in memory and the questions tests ask of it.

use surefoot_engine::features::query::{Found, find};
use surefoot_engine::{Languages, Snapshot};
use surefoot_facts::Language;
use surefoot_fixture::{Done, Setup, World, toy};
use surefoot_graph::SymbolId;

static LANGUAGES: &[&dyn Language] = &[&toy::TOY];

pub fn setup() -> Setup {
    Setup {
        languages: Languages(LANGUAGES),
        of_path: toy::of_path,
        manifest: toy::manifest,
    }
}

/// A world of files given as (path, text).
pub fn world(files: &[(&str, &str)]) -> World {
    let mut world = World::new(setup());
    write(&mut world, files);
    world
}

/// Makes files so; an empty text takes the file away.
pub fn write(world: &mut World, files: &[(&str, &str)]) -> Done {
    let files = files.iter().map(|(path, text)| {
        let text = (!text.is_empty()).then(|| (*text).to_owned());
        ((*path).to_owned(), text)
    });
    world.apply(files.collect())
}

/// The one symbol a name means.
#[track_caller]
pub fn symbol(snapshot: &Snapshot, name: &str) -> SymbolId {
    match find(snapshot, name) {
        Found::One(id) => id,
        other => panic!("{name}: {other:?}"),
    }
}

/// Names of symbols as `file::name`, in the order given.
pub fn names(snapshot: &Snapshot, ids: impl IntoIterator<Item = SymbolId>) -> Vec<String> {
    let all = ids.into_iter();
    all.map(|id| snapshot.qualified_name(id).unwrap_or_default())
        .collect()
}

/// Callers as `file::name tier ×sites`, possible ones with a question mark.
#[track_caller]
pub fn callers(snapshot: &Snapshot, name: &str) -> Vec<String> {
    let calls = snapshot.callers(symbol(snapshot, name));
    let line = |mark: &'static str| {
        move |g: &surefoot_engine::Group| {
            let name = snapshot.qualified_name(g.symbol).unwrap_or_default();
            format!("{mark}{name} {} ×{}", g.tier.word(), g.sites.len())
        }
    };
    let placed = calls.placed.iter().map(line(""));
    placed
        .chain(calls.possible.iter().map(line("? ")))
        .collect()
}
