//! Edits as people and tools make them: words, lines, blocks, files, manifests,
//! broken syntax and its repair.

use crate::script::{Files, Step};
use crate::{python, rust, typescript};
use std::collections::BTreeMap;
use surefoot_fixture::Rng;

/// What a tree is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Rust,
    TypeScript,
    Python,
}

impl Kind {
    pub fn workspace(self, rng: &mut Rng) -> BTreeMap<String, String> {
        match self {
            Kind::Rust => rust::workspace(rng),
            Kind::TypeScript => typescript::workspace(rng),
            Kind::Python => python::workspace(rng),
        }
    }

    fn names(self) -> &'static [&'static [&'static str]] {
        match self {
            Kind::Rust => rust::NAMES,
            Kind::TypeScript => typescript::NAMES,
            Kind::Python => python::NAMES,
        }
    }

    fn item(self, rng: &mut Rng) -> String {
        match self {
            Kind::Rust => rust::item(rng, 0),
            Kind::TypeScript => typescript::item(rng),
            Kind::Python => python::item(rng),
        }
    }

    fn import(self, rng: &mut Rng) -> String {
        match self {
            Kind::Rust => rust::import(rng),
            Kind::TypeScript => typescript::import(rng),
            Kind::Python => python::import(rng),
        }
    }

    fn statement(self, rng: &mut Rng) -> String {
        match self {
            Kind::Rust => rust::statement(rng),
            Kind::TypeScript => typescript::statement(rng),
            Kind::Python => python::statement(rng),
        }
    }

    fn file(self, rng: &mut Rng) -> String {
        let items = 1 + rng.below(3);
        match self {
            Kind::Rust => rust::file(rng, items),
            Kind::TypeScript => typescript::file(rng, items),
            Kind::Python => python::file(rng, items),
        }
    }

    fn is_source(self, path: &str) -> bool {
        match self {
            Kind::Rust => path.ends_with(".rs"),
            Kind::TypeScript => [".ts", ".tsx", ".js"].iter().any(|e| path.ends_with(e)),
            Kind::Python => path.ends_with(".py"),
        }
    }

    fn manifest(self, rng: &mut Rng, path: &str) -> String {
        match self {
            Kind::Rust => rust::any_manifest(rng),
            Kind::TypeScript if path.contains("tsconfig") => typescript::any_tsconfig(rng),
            Kind::TypeScript => typescript::any_package(rng),
            Kind::Python => python::any_project(rng),
        }
    }
}

/// One update: mostly one edit of one file, now and then several at once.
pub fn step(
    rng: &mut Rng,
    kind: Kind,
    tree: &mut BTreeMap<String, String>,
    past: &mut Past,
) -> Step {
    let edits = if rng.one_in(5) { 2 + rng.below(3) } else { 1 };
    let mut files: Files = Vec::new();
    for _ in 0..edits {
        for (path, text) in edit(rng, kind, tree, past) {
            if let Some(old) = tree.get(&path) {
                past.remember(&path, old);
            }
            match &text {
                Some(text) => tree.insert(path.clone(), text.clone()),
                None => tree.remove(&path),
            };
            files.retain(|(p, _)| *p != path);
            files.push((path, text));
        }
    }
    Step {
        files,
        interrupted: rng.one_in(12),
    }
}

/// Earlier versions of files, to go back to.
#[derive(Default)]
pub struct Past(Vec<(String, String)>);

impl Past {
    fn remember(&mut self, path: &str, text: &str) {
        self.0.push((path.to_owned(), text.to_owned()));
        if self.0.len() > 40 {
            self.0.remove(0);
        }
    }
}

fn edit(rng: &mut Rng, kind: Kind, tree: &BTreeMap<String, String>, past: &Past) -> Files {
    let sources: Vec<&String> = tree.keys().filter(|p| kind.is_source(p)).collect();
    let Some(path) = rng.choose(&sources).map(|p| (*p).clone()) else {
        return vec![("src/lib.rs".to_owned(), Some(kind.file(rng)))];
    };
    let text = tree.get(&path).cloned().unwrap_or_default();
    let changed = |text: String| vec![(path.clone(), Some(text))];
    match rng.below(26) {
        // Words.
        0..=4 => changed(swap_word(rng, kind, &text)),
        // Lines.
        5 => changed(with_lines(&text, |lines| {
            let at = rng.below(lines.len());
            lines.remove(at);
        })),
        6 => changed(with_lines(&text, |lines| {
            let line = lines[rng.below(lines.len())].clone();
            lines.insert(rng.below(lines.len()), line);
        })),
        7 => changed(with_lines(&text, |lines| {
            let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
            lines.swap(a, b);
        })),
        8 | 9 => {
            let statement = kind.statement(rng);
            changed(in_a_body(rng, &text, &format!("        {statement}")))
        }
        10 => {
            let import = kind.import(rng);
            changed(format!("{import}{text}"))
        }
        // Blocks: what stands between empty lines.
        11 | 12 => {
            let item = kind.item(rng);
            changed(with_blocks(&text, |blocks| {
                blocks.insert(rng.below(blocks.len() + 1), item);
            }))
        }
        13 => changed(with_blocks(&text, |blocks| {
            let at = rng.below(blocks.len());
            blocks.remove(at);
        })),
        14 => changed(with_blocks(&text, |blocks| {
            let block = blocks[rng.below(blocks.len())].clone();
            blocks.push(block);
        })),
        15 => changed(with_blocks(&text, |blocks| {
            let (a, b) = (rng.below(blocks.len()), rng.below(blocks.len()));
            blocks.swap(a, b);
        })),
        // What must change nothing.
        16 => {
            let extra = rng
                .pick(&["\n", "// note\n", "    \n", "/* a\n b */\n"])
                .to_owned();
            changed(with_lines(&text, |lines| {
                lines.insert(rng.below(lines.len() + 1), extra.trim_end().to_owned());
            }))
        }
        17 if text.contains("\r\n") => changed(text.replace("\r\n", "\n")),
        17 => changed(text.replace('\n', "\r\n")),
        // Broken syntax, and the way back.
        18 | 19 => changed(break_syntax(rng, &text)),
        20 | 21 => match rng.choose(&past.0) {
            Some((path, text)) => vec![(path.clone(), Some(text.clone()))],
            None => changed(format!("{text}\n")),
        },
        // Files.
        22 => vec![(path, None)],
        23 => {
            let to = other_place(rng, kind, &path);
            vec![(path, None), (to, Some(text))]
        }
        24 => {
            let to = other_place(rng, kind, &path);
            vec![(to, Some(kind.file(rng)))]
        }
        // Manifests.
        _ => {
            let all: Vec<&String> = tree.keys().filter(|p| !kind.is_source(p)).collect();
            let path = match rng.choose(&all) {
                Some(path) if !rng.one_in(4) => (*path).clone(),
                _ => match kind {
                    Kind::Rust => rng.pick(&["Cargo.toml", "src/Cargo.toml", "two/Cargo.toml"]),
                    Kind::TypeScript => rng.pick(&[
                        "tsconfig.base.json",
                        "src/tsconfig.json",
                        "src/package.json",
                    ]),
                    Kind::Python => {
                        rng.pick(&["pyproject.toml", "src/pyproject.toml", "setup.cfg"])
                    }
                }
                .to_owned(),
            };
            if rng.one_in(4) {
                vec![(path, None)]
            } else {
                let text = kind.manifest(rng, &path);
                vec![(path, Some(text))]
            }
        }
    }
}

fn other_place(rng: &mut Rng, kind: Kind, path: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(f, _)| f);
    match kind {
        Kind::Rust => {
            let name = rng.pick(&[
                "store",
                "page",
                "util",
                "deep/mod",
                "deep",
                "store/page",
                "lib",
                "main",
            ]);
            let root = path.find("src/").map_or("", |at| &path[..at]);
            format!("{root}src/{name}.rs")
        }
        Kind::TypeScript => {
            let name = rng.pick(&["store", "page", "util", "index", "leaf"]);
            let ext = rng.pick(&["ts", "ts", "tsx", "d.ts", "js"]);
            let folder = rng.pick(&[folder, "src", "src/deep", "packages/two/src"]);
            format!("{folder}/{name}.{ext}")
                .trim_start_matches('/')
                .to_owned()
        }
        Kind::Python => {
            let name = rng.pick(&["store", "page", "__init__", "leaf", "part"]);
            let folder = rng.pick(&[folder, "app", "src/app", "app/deep", "loose"]);
            format!("{folder}/{name}.py")
                .trim_start_matches('/')
                .to_owned()
        }
    }
}

fn with_lines(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n")
}

fn with_blocks(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut blocks: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
    change(&mut blocks);
    blocks.join("\n\n")
}

/// Behind a line that opens a body.
fn in_a_body(rng: &mut Rng, text: &str, line: &str) -> String {
    with_lines(text, |lines| {
        let opens: Vec<usize> = (0..lines.len())
            .filter(|&i| lines[i].trim_end().ends_with('{'))
            .collect();
        let at = rng.choose(&opens).map_or(lines.len(), |at| at + 1);
        lines.insert(at, line.to_owned());
    })
}

/// Where the words of a text are.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let part = c.is_alphanumeric() || c == '_';
        match (start, part) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                out.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    out.extend(start.map(|from| (from, text.len())));
    out
}

/// One word becomes another of its kind, or any.
fn swap_word(rng: &mut Rng, kind: Kind, text: &str) -> String {
    let all = words(text);
    let known: Vec<&(usize, usize)> = all
        .iter()
        .filter(|(a, b)| {
            kind.names()
                .iter()
                .any(|list| list.contains(&&text[*a..*b]))
        })
        .collect();
    let Some(&&(a, b)) = rng.choose(&known) else {
        return format!("{text}\n");
    };
    let word = &text[a..b];
    let lists = kind.names();
    let own = lists.iter().find(|list| list.contains(&word));
    let list = match own {
        Some(list) if !rng.one_in(5) => list,
        _ => lists[rng.below(lists.len())],
    };
    let new = rng.pick(list);
    if rng.one_in(6) {
        // A rename of every one in the file.
        let mut out = String::new();
        let mut last = 0;
        for (a, b) in all {
            if &text[a..b] == word {
                out.push_str(&text[last..a]);
                out.push_str(new);
                last = b;
            }
        }
        return out + &text[last..];
    }
    format!("{}{new}{}", &text[..a], &text[b..])
}

fn break_syntax(rng: &mut Rng, text: &str) -> String {
    const SIGNS: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "\"",
        "`",
        ";",
        "<",
        "'",
        "/*",
        "\u{1F30D}",
        "=>",
        "::",
        "#",
    ];
    let at = {
        let mut at = rng.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    if rng.one_in(2) {
        return format!("{}{}{}", &text[..at], rng.pick(SIGNS), &text[at..]);
    }
    let signs: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, c)| "{}()\"`;<>.,:".contains(*c))
        .collect();
    match rng.choose(&signs) {
        Some(&(at, c)) => format!("{}{}", &text[..at], &text[at + c.len_utf8()..]),
        None => format!("{text}{{"),
    }
}
