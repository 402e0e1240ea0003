//! The doors that strangers' bytes come through, each with what must hold.

use crate::corpus::Seed;
use crate::mutate;
use crate::sound;
use std::sync::{Arc, LazyLock};
use surefoot_engine::Languages;
use surefoot_facts::Language;
use surefoot_fixture::Rng;
use surefoot_fixture::{Setup, World, stubs_once};
use surefoot_langs::{Edit, OpenFile};
use surefoot_report::{Limits, Report};

/// One door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Bytes of a source file to facts, and from there into a graph.
    Facts,
    /// Edits of an open document, right ones and wrong ones.
    Edits,
    /// Bytes of a manifest.
    Manifest,
    /// Bytes of the cache.
    Cache,
    /// Bytes of a report.
    Report,
    /// Bytes to the server.
    Frames,
}

impl Target {
    pub const ALL: [Target; 6] = [
        Target::Facts,
        Target::Edits,
        Target::Manifest,
        Target::Cache,
        Target::Report,
        Target::Frames,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Target::Facts => "facts",
            Target::Edits => "edits",
            Target::Manifest => "manifest",
            Target::Cache => "cache",
            Target::Report => "report",
            Target::Frames => "frames",
        }
    }

    pub fn named(word: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.word() == word)
    }
}

/// One input: the path decides how it is read.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// An input for a door.
pub fn input(target: Target, rng: &mut Rng, seeds: &[Seed]) -> Input {
    match target {
        Target::Facts | Target::Edits => {
            let (path, mut text) =
                source(rng, seeds, |s| surefoot_langs::of_path(&s.path).is_some());
            let other = source(rng, seeds, |_| true).1;
            for _ in 0..1 + rng.below(6) {
                text = mutate::text(rng, &text, &other);
            }
            let mut bytes = text.into_bytes();
            if rng.below(10) == 0 {
                mutate::bytes(rng, &mut bytes);
            }
            Input { path, bytes }
        }
        Target::Manifest => {
            let (path, text) = source(rng, seeds, |s| surefoot_langs::is_manifest(&s.path));
            let other = source(rng, seeds, |_| true).1;
            let mut bytes = mutate::text(rng, &text, &other).into_bytes();
            for _ in 0..rng.below(4) {
                mutate::bytes(rng, &mut bytes);
            }
            Input { path, bytes }
        }
        Target::Cache => {
            let (path, text) = source(rng, seeds, |s| surefoot_langs::of_path(&s.path).is_some());
            let language = surefoot_langs::of_path(&path);
            let mut bytes =
                language.map_or_else(Vec::new, |l| surefoot_facts::encode_file(&l.facts(&text)));
            for _ in 0..1 + rng.below(4) {
                mutate::bytes(rng, &mut bytes);
            }
            Input { path, bytes }
        }
        Target::Report => {
            let mut bytes = report().to_vec();
            for _ in 0..1 + rng.below(4) {
                if rng.below(3) == 0 {
                    swap_values(rng, &mut bytes);
                } else {
                    mutate::bytes(rng, &mut bytes);
                }
            }
            Input {
                path: "report.json".to_owned(),
                bytes,
            }
        }
        Target::Frames => Input {
            path: "frames".to_owned(),
            bytes: crate::frames::input(rng),
        },
    }
}

fn source(rng: &mut Rng, seeds: &[Seed], want: impl Fn(&Seed) -> bool) -> (String, String) {
    for _ in 0..10_000 {
        let Some(seed) = seeds.get(rng.below(seeds.len())) else {
            break;
        };
        if want(seed) {
            return (seed.path.clone(), seed.text.clone());
        }
    }
    ("a.rs".to_owned(), String::new())
}

/// Runs one input through its door; an error is a broken promise in words. A
/// panic is one as well, and is the caller's to catch.
pub fn run(target: Target, input: &Input) -> Result<(), String> {
    match target {
        Target::Facts => facts(input),
        Target::Edits => edits(input),
        Target::Manifest => {
            let _ = surefoot_langs::manifest_facts(&input.path, &input.bytes);
            Ok(())
        }
        Target::Cache => {
            let _ = surefoot_facts::decode_file(&input.bytes);
            Ok(())
        }
        Target::Report => read_report(&input.bytes),
        Target::Frames => crate::frames::run(&input.bytes),
    }
}

fn setup() -> Setup {
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

fn facts(input: &Input) -> Result<(), String> {
    let Ok((text, _)) = surefoot_files::decode(&input.bytes) else {
        return Ok(());
    };
    let Some(language) = surefoot_langs::of_path(&input.path) else {
        return Ok(());
    };
    let read = language.facts(&text);
    sound::check(&text, &read)?;
    if language.facts(&text).facts != read.facts {
        return Err("the same text gave other facts".to_owned());
    }
    let bytes = surefoot_facts::encode_file(&read);
    match surefoot_facts::decode_file(&bytes) {
        Ok(back) if back.facts == read.facts && back.positions == read.positions => {}
        Ok(_) => return Err("the cache gives back other facts".to_owned()),
        Err(e) => return Err(format!("the cache cannot read what it wrote: {e}")),
    }
    let mut world = World::new(setup());
    let done = world.apply(vec![(input.path.clone(), Some(text.to_string()))]);
    match done.poisoned.first() {
        Some((_, why)) => Err(format!("resolving panicked: {why}")),
        None => Ok(()),
    }
}

fn edits(input: &Input) -> Result<(), String> {
    let Ok((text, _)) = surefoot_files::decode(&input.bytes) else {
        return Ok(());
    };
    let Some(language) = surefoot_langs::of_path(&input.path) else {
        return Ok(());
    };
    let seed = u64::from_le_bytes(
        blake3::hash(&input.bytes).as_bytes()[..8]
            .try_into()
            .unwrap_or_default(),
    );
    let mut rng = Rng::new(seed);
    let mut file = OpenFile::new(language, text.to_string());
    let mut now = text.to_string();
    for _ in 0..6 {
        let next = mutate::text(&mut rng, &now, &text);
        let told: Vec<Edit> = match rng.below(3) {
            0 => Vec::new(),
            // What a client that counts wrongly says.
            _ => (0..1 + rng.below(3))
                .map(|_| Edit {
                    start: rng.below(now.len() + 2) as u32,
                    old_end: rng.below(now.len() + 2) as u32,
                    new_end: rng.below(now.len() + 9) as u32,
                })
                .collect(),
        };
        let kept = file.update(&told, next.clone()).clone();
        if file.is_fresh() {
            sound::check(&next, &kept)?;
        }
        let full = language.facts(&next);
        if full.facts.errors == 0 && (kept.facts != full.facts || kept.positions != full.positions)
        {
            return Err(format!("edited facts differ from full ones for:\n{next}"));
        }
        now = next;
    }
    Ok(())
}

// ---- reports ---------------------------------------------------------------------------

/// A small report as Surefoot writes it.
fn report() -> &'static [u8] {
    static BYTES: LazyLock<Arc<[u8]>> = LazyLock::new(|| {
        let mut world = World::new(setup());
        let main = "mod lib;\nuse lib::load;\nfn main() { load(); self::gone(); }\n";
        let lib = "/// Loads.\npub fn load() { if true { load(); } }\npub struct S { n: u8 }\n";
        world.apply(vec![
            ("src/main.rs".to_owned(), Some(main.to_owned())),
            ("src/lib.rs".to_owned(), Some(lib.to_owned())),
            (
                "src/a.ts".to_owned(),
                Some("import { b } from './b';\nb();\n".to_owned()),
            ),
        ]);
        let provenance = surefoot_report::model::Provenance {
            name: "surefoot".into(),
            version: "0".into(),
            build: "0".into(),
            grammars: Default::default(),
            metrics: Vec::new(),
            configuration: surefoot_report::model::Configuration {
                languages: Vec::new(),
                max_file_size: 1,
                max_total_bytes: 1,
                max_file_count: 1,
                cross_filesystem: false,
                bind_unique_names: false,
            },
            resolvers: Vec::new(),
        };
        let inputs = surefoot_report::Inputs {
            provenance,
            config_inputs: Vec::new(),
            config_selections: Vec::new(),
            skipped_files: Vec::new(),
        };
        let report = surefoot_report::build(&world.snapshot(), inputs);
        let mut out = Vec::new();
        let _ = surefoot_report::write(&report, &mut out);
        out.into()
    });
    &BYTES
}

/// One value of a document in the place of another.
fn swap_values(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut values = Vec::new();
    let mut start = None;
    for (i, b) in bytes.iter().enumerate() {
        let part = b.is_ascii_alphanumeric() || b"\"_.:/-".contains(b);
        match (start, part) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                values.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    if values.is_empty() {
        return;
    }
    let (a, b) = values[rng.below(values.len())];
    let (c, d) = values[rng.below(values.len())];
    let piece = match rng.below(6) {
        0 => b"-1".to_vec(),
        1 => b"18446744073709551616".to_vec(),
        2 => b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[".to_vec(),
        3 => b"null".to_vec(),
        _ => bytes[c..d].to_vec(),
    };
    bytes.splice(a..b, piece);
}

fn read_report(bytes: &[u8]) -> Result<(), String> {
    let limits = Limits {
        bytes: 8 << 20,
        nodes: 1 << 20,
        depth: 32,
    };
    let Ok(report) = surefoot_report::parse(bytes, &limits) else {
        return Ok(());
    };
    let report: Report = report;
    // What was read must be written and read again as the same.
    let mut out = Vec::new();
    surefoot_report::write(&report, &mut out).map_err(|e| e.to_string())?;
    let again = surefoot_report::parse(&out, &limits);
    let again = again.map_err(|e| format!("what was written is refused: {e:?}"))?;
    if again != report {
        return Err("a report read, written and read is another one".to_owned());
    }
    let _ = surefoot_report::check(&report, 100);
    Ok(())
}
